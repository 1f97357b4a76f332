/* Convolutions as implicit matrix products: a block has a tile of 64 channels by 128 positions in
 * registers, 8 x 8 a thread; tiles of the kernels, and of what they read gathered on the way, pass
 * through two slots of shared memory. The three products that a convolution and its gradients are
 * differ in what their columns and inner indices are:
 *   OF_OUT   outputs of all images, by channels and then taps
 *   OF_CELL  cells of all images, by channels and then the outputs that read them. Cells that lie a
 *            multiple of the stride apart are met by the same taps: they are a class of their own
 *   OF_TAP   channels of the cells, and taps; by images and then outputs
 *
 * Columns all of whose places are in their lines are apart from those at an edge (regions), so that most
 * tiles have nothing to skip; where they have, a number of its own says so of each place.
 *
 * Each element is one chain of fused multiply-adds in the order in which the direct kernel takes them;
 * what a window has outside of its line is skipped, not read as 0: 0 times Inf is none of a result's
 * business. Only the sums over images and outputs are split, if they are long. */
#ifndef PM_CONV_TILE_H
#define PM_CONV_TILE_H
#include "../lang/vote.h"
#include "../math/elementary.h"
#include "../window/runs.h"

enum { TILE_ROWS = 64, TILE_COLS = 128, TILE_DEPTH = 8, TILE_BLOCK = 128, TILE_AXES = 3 };
enum { TILE_PITCH = TILE_ROWS + 4, TILE_WARP_COLS = TILE_COLS / 4 };
enum { TILE_REGIONS = 1 + 2 * TILE_AXES };

/* c[row, (line, element)] of a group is the sum over outer and inner indices of a[row, outer, inner]
 * b[line, outer, place], place one along each axis. Steps are those of tensors, in elements. */
typedef struct conv_product {
  window_of of;
  int adds, classes;                      /* of columns: of OF_CELL */
  idx groups, rows, lines, outer, each;   /* each: inner indices of a split, at most */
  idx row_tiles, col_tiles[TILE_REGIONS]; /* of a class, at most */
  const float *a, *b, *bias;
  float *c;
  idx a_group, a_row, a_outer, b_group, b_line, b_outer, c_group, c_row, c_line, c_split;
} conv_product;

/* Along one axis: column n is element start + n every; it meets `count` places, the first at
 * base + n base_step, each `step` on, where they are from 0 to limit - 1; taps go along. */
struct conv_along {
  int columns, start, every, base, base_step, count, step, limit, a_first, a_step;
};

/* place: a column's class along the axis. */
DEV struct conv_along conv_along_of(const window_axis<int> &a, window_of of, int place)
{
  if (of == OF_OUT)
    return {a.out, 0, 1, -a.pad, a.stride, a.kernel, a.dilation, a.size, 0, 1};
  if (of == OF_TAP)
    return {a.kernel, 0, 1, -a.pad, a.dilation, a.out, a.stride, a.size, 0, 1};
  int columns = place < a.size ? (a.size - 1 - place) / a.stride + 1 : 0;
  int v = a.kernel - 1, least = window_least(a.kernel, a.every_tap);
  for (int i = 0; i < least && (int)(((int64_t)place + a.pad - (int64_t)v * a.dilation) % a.stride);
       i++)
    v--;
  if (v < a.kernel - least)
    return {columns, place, a.stride, 0, 0, 0, 0, a.out, 0, 0};
  return {columns,     place,
          a.stride,    (int)(((int64_t)place + a.pad - (int64_t)v * a.dilation) / a.stride),
          1,           v / a.every_tap + 1,
          a.every_out, a.out,
          v,           -a.every_tap};
}

/* The columns of region 0 whose places are all in the line; of 1 and 2 those before and behind them. */
DEV struct conv_along conv_region(struct conv_along s, int region)
{
  int last = s.count > 0 ? s.base + (s.count - 1) * s.step : 0, low = 0, high = s.columns;
  if (s.count > 0 && s.base < 0)
    low = window_least((s.base_step - 1 - s.base) / s.base_step, s.columns);
  if (s.count > 0)
    high = last >= s.limit ? 0 : window_least((s.limit - 1 - last) / s.base_step + 1, s.columns);
  high = high > low ? high : low;
  int first = region == 0 ? low : region == 1 ? 0 : high;
  s.columns = (region == 0 ? high : region == 1 ? low : s.columns) - first;
  s.start += first * s.every;
  s.base += first * s.base_step;
  return s;
}

/* What a block has of the grid: tiles of rows the fastest. */
struct conv_block {
  idx row, col, group, split;
  int class_, region;
};

DEV struct conv_block conv_block_of(const conv_product &q)
{
  idx k = blockIdx.x, tiles = 0;
  struct conv_block b;
  b.row = k % q.row_tiles * TILE_ROWS, k /= q.row_tiles;
  for (int r = 0; r < TILE_REGIONS; r++) tiles += q.col_tiles[r];
  b.col = k % tiles, k /= tiles;
  b.region = TILE_REGIONS - 1; /* edges first, they take longer */
  while (b.col >= q.col_tiles[b.region]) b.col -= q.col_tiles[b.region--];
  b.col *= TILE_COLS;
  b.class_ = (int)(k % q.classes), k /= q.classes;
  b.group = k % q.groups;
  b.split = k / q.groups;
  return b;
}

/* Column n: its line, and along each axis its number in the class. */
template <int R> DEV idx conv_column(const struct conv_along (&s)[R], idx n, int (&at)[R])
{
  UNROLL for (int e = R - 1; e >= 0; e--) at[e] = (int)(n % s[e].columns), n /= s[e].columns;
  return n;
}

/* An inner index, outer ones the slowest. */
template <int R> struct conv_walk {
  int t[R];
  idx outer;
};

template <int R> DEV struct conv_walk<R> conv_walk_from(const struct conv_along (&s)[R], idx k) {
  struct conv_walk<R> w;
  UNROLL for (int e = R - 1; e >= 0; e--) w.t[e] = (int)(k % s[e].count), k /= s[e].count;
  w.outer = k;
  return w;
}

/* A few steps on: subtractions, as a division would keep the other warps waiting. */
template <int R>
DEV void conv_on(const struct conv_along (&s)[R], struct conv_walk<R> &w, int steps)
{
  UNROLL for (int e = R - 1; e >= 0; e--)
  {
    int t = w.t[e] + steps;
    for (steps = 0; t >= s[e].count; steps++) t -= s[e].count;
    w.t[e] = t;
  }
  w.outer += steps;
}

/* A thread's 8: 4, and 4 more HALF on. */
template <int HALF> DEV void load8(float (&v)[8], const float *from)
{
  UNROLL for (int h = 0; h < 2; h++)
  {
    const float4 q = LD4(from + h * HALF);
    v[4 * h] = q.x, v[4 * h + 1] = q.y, v[4 * h + 2] = q.z, v[4 * h + 3] = q.w;
  }
}

/* The products of one inner index, of columns that have a place there. */
DEV void conv_multiply(float (&acc)[8][8], const float *a, const float *b)
{
  float of_a[8], of_b[8];
  load8<TILE_ROWS / 2>(of_a, a);
  load8<TILE_WARP_COLS / 2>(of_b, b);
  UNROLL for (int i = 0; i < 8; i++) UNROLL for (int j = 0; j < 8; j++)
  {
    acc[i][j] = PM_FMA(of_b[j], of_a[i], acc[i][j]);
  }
}

/* The same where some have none: along an edge mostly all of a warp's or none. in: NULL where all have. */
DEV void conv_multiply_in(float (&acc)[8][8], const float *a, const float *b, const float *in)
{
  float of_a[8], of_b[8], is_in[8];
  int some = 0, all = 1;
  if (in) {
    load8<TILE_WARP_COLS / 2>(is_in, in);
    UNROLL for (int j = 0; j < 8; j++) some |= is_in[j] != 0, all &= is_in[j] != 0;
    some = warp_or(some), all = !warp_or(!all);
  }
  if (all)
    conv_multiply(acc, a, b);
  else if (some) {
    load8<TILE_ROWS / 2>(of_a, a);
    load8<TILE_WARP_COLS / 2>(of_b, b);
    UNROLL for (int j = 0; j < 8; j++) if (is_in[j] != 0)
    {
      UNROLL for (int i = 0; i < 8; i++) acc[i][j] = PM_FMA(of_b[j], of_a[i], acc[i][j]);
    }
  }
}

/* R: axes, at most 3. */
TEMPLATE(int R)
KERNEL void __launch_bounds__(TILE_BLOCK, 3) conv_tile(window_axes<int> axes, conv_product q)
{
  SHARED(float, tile_a, 2 * TILE_DEPTH * TILE_PITCH);
  SHARED(float, tile_b, 2 * TILE_DEPTH * TILE_COLS);
  SHARED(float, tile_in, 2 * TILE_DEPTH * TILE_COLS); /* 1 where b has a place, else 0 */
  SHARED(idx, walk_a, 2 * TILE_DEPTH);                /* where the inner indices of a chunk are */
  SHARED(idx, walk_b, 2 * TILE_DEPTH);
  SHARED(int, walk_place, 2 * TILE_DEPTH * TILE_AXES);
  const struct conv_block my = conv_block_of(q);
  struct conv_along s[R];
  int a_step[R], b_step[R], c_step[R], taps = 1, places = 1, elements = 1, class_ = my.class_;
  int edge = q.of == OF_TAP || my.region > 0;
  idx columns = q.lines, inner = 1, a_first = 0, c_first = 0;
  UNROLL for (int e = R - 1; e >= 0; e--)
  {
    const window_axis<int> &x = axes.a[e];
    const int classes = window_least(x.stride, x.size);
    s[e] = conv_along_of(x, q.of, q.of == OF_CELL ? class_ % classes : 0);
    class_ = q.of == OF_CELL ? class_ / classes : class_;
    if (q.of != OF_TAP && my.region > 2 * e)
      s[e] = conv_region(s[e], my.region - 2 * e < 3 ? my.region - 2 * e : 0);
    else if (q.of != OF_TAP && my.region == 0)
      s[e] = conv_region(s[e], 0);
    a_step[e] = s[e].a_step * taps, b_step[e] = s[e].step * places;
    c_step[e] = s[e].every * elements;
    a_first += (idx)s[e].a_first * taps, c_first += (idx)s[e].start * elements;
    columns *= s[e].columns, inner *= s[e].count;
    taps *= q.of == OF_TAP ? x.out : x.kernel;
    places *= s[e].limit;
    elements *= q.of == OF_OUT ? x.out : q.of == OF_CELL ? x.size : x.kernel;
  }
  if (my.col >= columns)
    return; /* lint-ok diverge: all of the block */

  const idx first = my.split * q.each;
  idx left = inner * q.outer - first;
  left = left < q.each ? left : q.each;
  struct conv_walk<R> w = {};
  if (TID_ < TILE_DEPTH && left > 0)
    w = conv_walk_from<R>(s, first + (TID_ < left ? TID_ : left - 1));

  /* What this thread fetches: one column of b, the last one's for those behind the end, which are not
   * stored; and one inner index of a chunk of four rows of a. */
  int at[R], base[R], step = 1;
  idx of_b = 0;
  const idx line = conv_column<R>(s, my.col + TID_ < columns ? my.col + TID_ : columns - 1, at);
  UNROLL for (int e = R - 1; e >= 0; e--)
  {
    base[e] = s[e].base + at[e] * s[e].base_step;
    of_b += (idx)base[e] * step;
    step *= s[e].limit;
  }
  const float *b = q.b + (my.group * q.b_group + line * q.b_line), *a = q.a + my.group * q.a_group;
  idx of_a[4];
  UNROLL for (int i = 0; i < 4; i++)
  {
    const idx row = my.row + TID_ / TILE_DEPTH + i * (TILE_ROWS / 4);
    of_a[i] = (row < q.rows ? row : q.rows - 1) * q.a_row + a_first;
  }

  const int lane = TID_ % 32, down = 4 * ((lane & 1) | (lane >> 1 & 6));
  const int across = TID_ / 32 * TILE_WARP_COLS + 4 * ((lane >> 1 & 1) | (lane >> 3 & 2));
  float acc[8][8], next_a[4], next_b[TILE_DEPTH];
  UNROLL for (int i = 0; i < 8; i++) UNROLL for (int j = 0; j < 8; j++) acc[i][j] = 0.0f;
  int skips = 0, next_in = 0;
  for (idx done = -2 * TILE_DEPTH; done < left; done += TILE_DEPTH) {
    const idx more = left - done - TILE_DEPTH; /* inner indices that are not fetched yet */
    int out = 0;                               /* whether there is anything to skip of the next */
    if (done >= -TILE_DEPTH && more > 0) {
      const int slot = (int)((done / TILE_DEPTH + 1) & 1) * TILE_DEPTH;
      idx at_b[TILE_DEPTH];
      UNROLL for (int p = 0; p < TILE_DEPTH; p++) at_b[p] = of_b + walk_b[slot + p];
      next_in = (1 << TILE_DEPTH) - 1;
      if (edge) {
        UNROLL for (int p = 0; p < TILE_DEPTH; p++) UNROLL for (int e = 0; e < R; e++)
        {
          const int place = base[e] + walk_place[(slot + p) * TILE_AXES + e];
          next_in &= ~((int)((unsigned)place >= (unsigned)s[e].limit) << p);
        }
        out = next_in != (1 << TILE_DEPTH) - 1;
      }
      UNROLL for (int p = 0; p < TILE_DEPTH; p++) next_b[p] =
          next_in >> p & 1 ? LDG(b + at_b[p]) : 0.0f;
      const idx own = walk_a[slot + TID_ % TILE_DEPTH];
      UNROLL for (int i = 0; i < 4; i++) next_a[i] = LDG(a + (of_a[i] + own));
    }
    if (TID_ < TILE_DEPTH && more > TILE_DEPTH) { /* of the chunk after that; behind the end any */
      const int at_slot = (int)(done / TILE_DEPTH & 1) * TILE_DEPTH + TID_;
      idx in_a = w.outer * q.a_outer, in_b = w.outer * q.b_outer;
      UNROLL for (int e = 0; e < R; e++)
      {
        in_a += (idx)w.t[e] * a_step[e], in_b += (idx)w.t[e] * b_step[e];
        walk_place[at_slot * TILE_AXES + e] = w.t[e] * s[e].step;
      }
      walk_a[at_slot] = in_a, walk_b[at_slot] = in_b;
      if (TID_ + TILE_DEPTH < more - TILE_DEPTH)
        conv_on<R>(s, w, TILE_DEPTH);
    }
    if (done >= 0) {
      const int slot = (int)(done / TILE_DEPTH & 1);
      const float *from_a = tile_a + slot * TILE_DEPTH * TILE_PITCH + down;
      const float *from_b = tile_b + slot * TILE_DEPTH * TILE_COLS + across;
      const float *in = tile_in + slot * TILE_DEPTH * TILE_COLS + across;
      if (!skips && done + TILE_DEPTH <= left) {
        UNROLL for (int p = 0; p < TILE_DEPTH; p++)
            conv_multiply(acc, from_a + p * TILE_PITCH, from_b + p * TILE_COLS);
      } else {
        for (int p = 0; p < TILE_DEPTH && done + p < left; p++)
          conv_multiply_in(acc, from_a + p * TILE_PITCH, from_b + p * TILE_COLS,
                           skips ? in + p * TILE_COLS : NULL);
      }
    }
    if (done >= -TILE_DEPTH && more > 0) {
      const int slot = (int)((done / TILE_DEPTH + 1) & 1);
      UNROLL for (int p = 0; p < TILE_DEPTH; p++)
      {
        ST(tile_b + (slot * TILE_DEPTH + p) * TILE_COLS + TID_, next_b[p]);
        if (edge)
          ST(tile_in + (slot * TILE_DEPTH + p) * TILE_COLS + TID_, (float)(next_in >> p & 1));
      }
      UNROLL for (int i = 0; i < 4; i++)
          ST(tile_a + (slot * TILE_DEPTH + TID_ % TILE_DEPTH) * TILE_PITCH + TID_ / TILE_DEPTH +
                 i * (TILE_ROWS / 4),
             next_a[i]);
    }
    skips = block_or(out);
  }

  UNROLL for (int j = 0; j < 8; j++)
  {
    const idx n = my.col + across + j / 4 * (TILE_WARP_COLS / 2) + j % 4;
    if (n < columns) {
      float *to = q.c + my.split * q.c_split + my.group * q.c_group + c_first;
      to += conv_column<R>(s, n, at) * q.c_line;
      UNROLL for (int e = 0; e < R; e++) to += (idx)at[e] * c_step[e];
      UNROLL for (int i = 0; i < 8; i++)
      {
        const idx r = my.row + down + i / 4 * (TILE_ROWS / 2) + i % 4;
        if (r < q.rows) {
          float v = acc[i][j];
          if (q.bias)
            v += LDG(q.bias + my.group * q.rows + r);
          STG(to + r * q.c_row, q.adds ? LDG(to + r * q.c_row) + v : v);
        }
      }
    }
  }
}
#endif
