/* Convolutions over windows of any rank up to 8, transposed ones, and their VJPs. x is (batch, groups,
 * in, size..), y (batch, groups, out, windows..), w (groups, out, in, taps..); a transposed convolution
 * writes what that reads, and reads what that writes.
 *
 * Strict order: an element of a result is one chain of fused multiply-adds from 0 on, then one addition
 * of the bias. Of y, and of a transposed one's dx: by channels of the group, then by taps; of dx, and of
 * a transposed one's y: by channels, then by outputs; of dw: by images, then by outputs. All row-major.
 * A long sum of dw is split by its length and adds up in a fixed order, as db does (sum/any_axes.h).
 *
 * direct: a thread has one element. tile: an implicit matrix product (tile.h), the same bits but for
 * where it splits dw's sums. */
#include "../math/elementary.h"
#include "../sum/any_axes.h"
#include "../window/runs.h"

#ifndef __FRAMAC__
#include "tile.h"

/* What a result has of channels: those of a group that are written and read, and the elements of a
 * line of each. */
typedef struct conv_sides {
  idx groups, to, from, n, m, taps;
  window_divisor by_groups = {}, by_to = {}; /* of 32 bits */
} conv_sides;

/* Element i of channel a of group g of an image, which is group q of all images. Side 0 of the windows is
 * read for `back` == 0, else side 1: w is (groups, out, in, taps). */
template <int R, class I>
DEV float conv_of(const window_axes<I> &axes, const conv_sides &s, int back, idx q, idx g, idx a,
                  I i, const float *RESTRICT z, const float *RESTRICT w)
{
  float v = 0;
  window_runs<R, I> runs;
  if (!window_runs_of(axes, back ? OF_CELL : OF_OUT, i, runs))
    return v;
  for (idx b = 0; b < s.from; b++) {
    const float *line = z + (q * s.from + b) * s.m;
    idx kernel = back ? (g * s.from + b) * s.to + a : (g * s.to + a) * s.from + b;
    const float *taps = w + kernel * s.taps;
    window_walk(runs, [&](I at, I u) { v = PM_FMA(LDG(line + at), LDG(taps + u), v); });
  }
  return v;
}

/* y: the elements of lines, each a channel of an image; of z and w, plus b of the channel where there is one. */
TEMPLATE(int R, class I)
KERNEL void conv_direct(CONSTANTS(int R) window_axes<I> axes, conv_sides s, window_lines of,
                        int back, int adds, const float *RESTRICT z, const float *RESTRICT w,
                        const float *RESTRICT b, float *RESTRICT y)
{
  EACH_GRID_THREAD(at) {
    idx l = window_line_of<I>(of, at), i = at - l * of.n;
    idx q = window_quo((I)l, (I)s.to, s.by_to), a = l - q * s.to;
    idx g = q - window_quo((I)q, (I)s.groups, s.by_groups) * s.groups;
    if (l < of.lines) {
      float v = conv_of<R>(axes, s, back, q, g, a, (I)i, z, w), *to = y + at;
      if (b)
        v += LDG(b + (g * s.to + a));
      STG(to, adds ? LDG(to) + v : v);
    }
  }
}

/* Of the images, each cut into `parts` along the outputs' first axis, those that a split adds up. */
typedef struct conv_split {
  idx units, each, parts;
} conv_split;

/* The runs of part p, of all of the first axis's. */
template <int R, class I>
DEV window_runs<R, I> conv_part(const window_runs<R, I> &all, idx p, idx parts)
{
  window_runs<R, I> runs = all;
  I low = (I)(all.count[0] * p / parts), high = (I)(all.count[0] * (p + 1) / parts);
  runs.first += low * all.jump[0];
  runs.other += low * all.other_jump[0];
  runs.count[0] = high - low;
  return runs;
}

/* The gradient of tap u of the kernel of channels o and i of group g, of units `from` up to `to`. */
template <int R, class I>
DEV float conv_weight_of(const window_axes<I> &axes, const conv_sides &s, idx from, idx to,
                         idx parts, idx g, idx o, idx i, I u, const float *RESTRICT x,
                         const float *RESTRICT dy)
{
  float v = 0;
  window_runs<R, I> runs;
  if (!window_runs_of(axes, OF_TAP, u, runs))
    return v;
  for (idx n = from; n < to; n++) {
    idx q = n / parts * s.groups + g;
    const float *cells = x + (q * s.from + i) * s.m, *outs = dy + (q * s.to + o) * s.n;
    window_runs<R, I> part = conv_part<R, I>(runs, n % parts, parts);
    if (part.count[0] > 0)
      window_walk(part, [&](I j, I t) { v = PM_FMA(LDG(cells + j), LDG(outs + t), v); });
  }
  return v;
}

/* dw: (splits, kernels, taps); x has the cells, dy the outputs. */
TEMPLATE(int R, class I)
KERNEL void conv_weights(CONSTANTS(int R) window_axes<I> axes, conv_sides s, conv_split by,
                         int adds, idx splits, idx kernels, const float *RESTRICT x,
                         const float *RESTRICT dy, float *RESTRICT dw)
{
  GROWS(r, splits * kernels, s.taps) {
    GCOLS(u, s.taps) {
      idx k = r % kernels, o = k / s.from, from = r / kernels * by.each;
      idx to = by.units - from < by.each ? by.units : from + by.each;
      float v = conv_weight_of<R>(axes, s, from, to, by.parts, o / s.to, o % s.to, k % s.from, (I)u,
                                  x, dy);
      float *at = dw + (r * s.taps + u);
      STG(at, adds ? LDG(at) + v : v);
    }
  }
}

/* -------------------------------------------------- the table */
#include "../window/plan.h"

enum { BLOCK = 256, RANK = WINDOW_RANK };
enum { TILE_CHANNELS = 16, TILE_CLASSES = 16, TILE_WAVE = 384 };
/* where the dims and integer attributes of the catalogue are, the latter behind all dims */
enum { BATCH, GROUPS, CHANNELS_IN, CHANNELS_OUT, AT_SHAPE, AT_KERNEL = AT_SHAPE + RANK };
enum { AT_STRIDE = AT_KERNEL + RANK + 1, AT_PAD = AT_STRIDE + RANK };
enum { AT_DILATION = AT_PAD + RANK, AT_OUTPUT_PAD = AT_DILATION + RANK };

/* Sizes that come here to be planned for were checked by no one: 0 where a product is no size. */
static idx times(idx a, idx b)
{
  idx n;
  return __builtin_mul_overflow(a, b, &n) ? 0 : n;
}

static int is_axis(idx n, idx k, idx s, idx p, idx d, idx o)
{
  return n >= 0 && n <= WINDOW_MOST && k >= 1 && k <= WINDOW_MOST && s >= 1 && s <= WINDOW_MOST &&
         p >= 0 && p <= WINDOW_MOST && d >= 1 && d <= WINDOW_MOST && o >= 0 && o <= WINDOW_MOST;
}

/* The elements of a line of x and of y, 0 where there are none, and the outputs of the windows along
 * the first axis that a kernel of at most 3 axes has. */
typedef struct conv_extents {
  idx x, y, first;
} conv_extents;

static conv_extents extents(const int64_t *size, int transposed)
{
  conv_extents line = {1, 1, 1};
  int axes = 0;
  for (int e = 0; e < RANK; e++) {
    idx n = size[AT_SHAPE + e], k = size[AT_KERNEL + e], s = size[AT_STRIDE + e];
    idx p = size[AT_PAD + e], d = size[AT_DILATION + e], to = 0;
    idx o = transposed ? size[AT_OUTPUT_PAD + e] : 0;
    if (is_axis(n, k, s, p, d, o))
      to = transposed ? window_spread(n, k, s, p, d, o) : window_out(n, k, s, p, d);
    line.x = times(line.x, n);
    line.y = times(line.y, to > 0 ? to : 0);
    if ((n != 1 || to != 1 || k != 1 || p != 0) && axes++ == 0)
      line.first = transposed ? n : to;
  }
  if (axes > TILE_AXES)
    line.first = 1;
  return line;
}

/* db: the sum over batch and line of (batch, channels, n). */
static axis_plan bias_plan(idx batch, idx channels, idx n)
{
  const idx size[] = {batch, channels, n};
  const int kept[] = {0, 1, 0};
  if (times(times(batch, channels), n) <= 0 || (batch == 1 && n == 1))
    return axis_copy_plan(batch == 1 && n == 1, channels);
  return axis_sum_plan(3, size, kept);
}

/* Outputs of a split, splits, parts of an image, and floats that the splits have together. */
enum { SPLIT_LEAST = 512, SPLIT_MOST = 256, SPLIT_PARTS = 64, SPLIT_ROOM = 1 << 22 };
static idx least(idx a, idx b) { return a < b ? a : b; }

/* A sum of dw over images and outputs: how it is split, and what adds up the splits. */
typedef struct weights_plan {
  conv_split by; /* tile: units are outputs of all images */
  idx splits, weights;
  axis_plan sum;
  size_t partial; /* bytes */
  double height;
} weights_plan;

/* p by its units, of which there are some, in about so many splits; unit: the terms of one. */
static weights_plan weights_split(weights_plan p, idx splits, double unit)
{
  p.by.each = divide_up(p.by.units, splits > 1 ? splits : 1);
  p.splits = divide_up(p.by.units, p.by.each);
  p.height = (double)p.by.each * unit;
  if (p.splits > 1) {
    const idx size[] = {p.splits, p.weights};
    const int kept[] = {0, 1};
    p.sum = axis_sum_plan(2, size, kept);
    p.partial = (size_t)p.splits * (size_t)p.weights * sizeof(float);
    p.height += axis_height(&p.sum);
  }
  return p;
}

/* kernels of so many taps; a line of y has outs, `first` of them along its first axis. What splits need
 * to be in memory stays below that of SPLIT_ROOM floats. */
static weights_plan plan_weights(int tiled, idx batch, idx kernels, idx taps, idx outs, idx first,
                                 idx tiles)
{
  weights_plan p = {{batch, batch, 1}, 1, 0, {}, 0, (double)batch * (double)outs};
  if (batch < 1 || outs < 1 || kernels < 1 || taps < 1 || kernels > SPLIT_ROOM / taps ||
      batch > PM_MAX_ELEMENTS / outs)
    return p;
  p.weights = kernels * taps;
  idx room = SPLIT_ROOM / p.weights;
  if (tiled) {
    idx units = batch * outs, most = divide_up(TILE_WAVE, tiles > 0 ? tiles : 1);
    p.by.units = units;
    return weights_split(p, least(room, least(most, units / SPLIT_LEAST)), 1);
  }
  if (batch * outs <= 4 * SPLIT_LEAST)
    return p;
  idx parts = least(first, least(SPLIT_PARTS, outs / SPLIT_LEAST));
  p.by.parts = parts < 1 || batch > PM_MAX_ELEMENTS / parts ? 1 : parts;
  p.by.units = batch * p.by.parts;
  return weights_split(p, least(least(room, SPLIT_MOST), p.by.units),
                       (double)divide_up(first, p.by.parts) * (double)(outs / first));
}

/* Tiles of the matrix that dw of a group is, for all groups. */
static idx weight_tiles(idx groups, idx rows, idx cols, idx taps)
{
  idx all =
      times(times(divide_up(rows, TILE_ROWS), groups), divide_up(times(cols, taps), TILE_COLS));
  if (all > 0)
    return all;
  return TILE_WAVE; /* of no tiles, or of too many to count: no splits */
}

/* Sizes as the catalogue has them, of which `line` is; transposed: the outputs of the windows are x. */
static weights_plan weights_of(const int64_t *size, conv_extents line, int tiled, int transposed)
{
  idx taps = 1, in = size[CHANNELS_IN], out = size[CHANNELS_OUT];
  for (int e = 0; e < RANK; e++) taps = times(taps, size[AT_KERNEL + e]);
  return plan_weights(
      tiled, size[BATCH], times(times(size[GROUPS], in), out), taps, transposed ? line.x : line.y,
      line.first, weight_tiles(size[GROUPS], transposed ? in : out, transposed ? out : in, taps));
}

static axis_plan bias_of(const int64_t *size, conv_extents line)
{
  return bias_plan(size[BATCH], times(size[GROUPS], size[CHANNELS_OUT]), line.y);
}

static void declare_of(const int64_t *size, pm_arith *out, int back)
{
  out->height[0] =
      (double)size[CHANNELS_IN] * window_taps(size + AT_KERNEL, size + AT_STRIDE, back);
}
static void declare_conv(const int64_t *size, pm_arith *out) { declare_of(size, out, 0); }
static void declare_transposed(const int64_t *size, pm_arith *out) { declare_of(size, out, 1); }

/* transposed: x has the outputs of the windows, and g their cells. */
static void declare_back(const int64_t *size, pm_arith *out, int tiled, int transposed)
{
  const conv_extents line = extents(size, transposed);
  const axis_plan db = bias_of(size, line);
  out->height[0] =
      (double)size[CHANNELS_OUT] * window_taps(size + AT_KERNEL, size + AT_STRIDE, !transposed);
  out->height[1] = weights_of(size, line, tiled, transposed).height;
  if (axis_height(&db) > out->height[1])
    out->height[1] = axis_height(&db);
}
static void declare_vjp(const int64_t *size, pm_arith *out) { declare_back(size, out, 0, 0); }
static void declare_vjp_tile(const int64_t *size, pm_arith *out) { declare_back(size, out, 1, 0); }
static void declare_transposed_vjp(const int64_t *size, pm_arith *out)
{
  declare_back(size, out, 0, 1);
}
static void declare_transposed_vjp_tile(const int64_t *size, pm_arith *out)
{
  declare_back(size, out, 1, 1);
}

#define TILE_SUITS \
  "16 channels or more of a group on both sides, at most 3 axes and 16 classes of cells"
enum { TILE, DIRECT };
static const pm_kernel ROWS[] = {
    {"conv", "tile", TILE_SUITS, PM_CHECKED, declare_conv},
    {"conv", "direct", "always", PM_CHECKED, declare_conv},
    {"conv_vjp", "tile", TILE_SUITS, PM_CHECKED, declare_vjp_tile},
    {"conv_vjp", "direct", "always", PM_CHECKED, declare_vjp},
    {"conv_transpose", "tile", TILE_SUITS, PM_CHECKED, declare_transposed},
    {"conv_transpose", "direct", "always", PM_CHECKED, declare_transposed},
    {"conv_transpose_vjp", "tile", TILE_SUITS, PM_CHECKED, declare_transposed_vjp_tile},
    {"conv_transpose_vjp", "direct", "always", PM_CHECKED, declare_transposed_vjp},
};

/* What both variants can need: the splits of dw, and for their sum and for that of db the same room. */
static size_t back_bytes(const weights_plan *tile, const weights_plan *direct, const axis_plan *db)
{
  size_t partial = tile->partial > direct->partial ? tile->partial : direct->partial;
  const axis_plan *sums[] = {&tile->sum, &direct->sum, db};
  size_t most = 0;
  for (int i = 0; i < 3; i++) {
    size_t bytes = sums[i]->bytes[0] + sums[i]->bytes[1];
    most = bytes > most ? bytes : most;
  }
  return partial + most;
}

static size_t workspace(const char *op, const int64_t *size)
{
  int transposed = strcmp(op, "conv_transpose_vjp") == 0;
  if (!transposed && strcmp(op, "conv_vjp") != 0)
    return 0;
  const conv_extents line = extents(size, transposed);
  weights_plan tile = weights_of(size, line, 1, transposed);
  weights_plan direct = weights_of(size, line, 0, transposed);
  axis_plan db = bias_of(size, line);
  return back_bytes(&tile, &direct, &db);
}

/* -------------------------------------------------- launches */

typedef struct conv_call {
  int64_t batch, groups, in, out; /* in and out of a group, of what reads x and writes y */
  window_call window;
} conv_call;

/* transposed: what is read has the outputs of the windows. Elements of each tensor. */
typedef struct conv_plan {
  window_plan w;
  idx batch, groups, in, out, n_x, n_y; /* n: elements of a line */
  idx channels, kernels;                /* channels: of y */
  idx x, y, weights;
} conv_plan;

static conv_plan plan_conv(pm_check *c, const conv_call *p, int transposed)
{
  conv_plan t = {};
  pm_size(c, "batch", p->batch);
  pm_filled(c, "groups", p->groups);
  pm_size(c, "in", p->in);
  pm_size(c, "out", p->out);
  t.w = plan_window(c, &p->window, 0);
  t.batch = p->batch, t.groups = p->groups, t.in = p->in, t.out = p->out;
  t.n_x = transposed ? t.w.outs : t.w.cells;
  t.n_y = transposed ? t.w.cells : t.w.outs;
  idx all = pm_times(c, "batch", p->batch, "groups", p->groups);
  idx channels_x = pm_times(c, "groups", p->groups, "in", p->in);
  t.channels = pm_times(c, "groups", p->groups, "out", p->out);
  idx lines_x = pm_times(c, "the groups of all images", all, "in", p->in);
  idx lines_y = pm_times(c, "the groups of all images", all, "out", p->out);
  t.kernels = pm_times(c, "the channels of x", channels_x, "out", p->out);
  t.x = pm_times(c, "the channels of all images", lines_x, "the elements of a line of x", t.n_x);
  t.y = pm_times(c, "the channels of all images", lines_y, "the elements of a line of y", t.n_y);
  t.weights = pm_times(c, "kernels", t.kernels, "the taps of a kernel", t.w.taps);
  return t;
}

/* Whether tiles can be taken; axes are filled. */
static unsigned suited(const conv_plan *t)
{
  idx classes = 1;
  for (int e = 0; e < t->w.rank && classes <= TILE_CLASSES; e++)
    classes *= least(t->w.axes.a[e].stride, t->w.axes.a[e].size);
  int tiles = t->w.is_narrow && t->w.rank <= TILE_AXES && t->in >= TILE_CHANNELS &&
              t->out >= TILE_CHANNELS && classes <= TILE_CLASSES;
  return (unsigned)tiles << TILE | 1u << DIRECT;
}

/* q by splits, its counts of classes and tiles filled in: for each region as many as it can have. */
static void launch_tiles(pm_check *c, pm_exec *ex, const window_plan *w, idx splits, conv_product q)
{
  idx columns = q.lines, along[TILE_AXES], tiles, blocks;
  q.classes = 1;
  for (int e = 0; e < w->rank; e++) {
    const window_axis<idx> *a = &w->axes.a[e];
    along[e] = q.of == OF_OUT ? a->out : q.of == OF_TAP ? a->kernel : divide_up(a->size, a->stride);
    if (q.of == OF_CELL)
      q.classes *= (int)least(a->stride, a->size);
    columns *= along[e];
  }
  q.row_tiles = divide_up(q.rows, TILE_ROWS);
  tiles = q.col_tiles[0] = divide_up(columns, TILE_COLS);
  for (int e = 0; e < w->rank && q.of != OF_TAP; e++) {
    const window_axis<idx> *a = &w->axes.a[e];
    idx reach = ((a->kernel - 1) * a->dilation + a->pad + a->stride + a->dilation) / a->stride + 2;
    idx edge = divide_up(columns / along[e] * least(reach, along[e]), TILE_COLS);
    q.col_tiles[1 + 2 * e] = q.col_tiles[2 + 2 * e] = edge;
    tiles += 2 * edge;
  }
  if (__builtin_mul_overflow(q.row_tiles * q.classes, tiles, &blocks) ||
      __builtin_mul_overflow(blocks, q.groups * splits, &blocks))
    blocks = INT64_MAX;
  unsigned grid = pm_blocks(c, blocks, 1);
  if (!grid)
    return;
  if (w->rank == 1)
    LAUNCH(conv_tile<1>, grid, TILE_BLOCK, ex->stream, w->narrow, q);
  else if (w->rank == 2)
    LAUNCH(conv_tile<2>, grid, TILE_BLOCK, ex->stream, w->narrow, q);
  else
    LAUNCH(conv_tile<3>, grid, TILE_BLOCK, ex->stream, w->narrow, q);
}

/* y: lines of n, of z: lines of m, as s has them; back: z has the outputs of the windows. */
static void convolve(pm_check *c, pm_exec *ex, const conv_plan *t, int variant, conv_sides s,
                     int back, int adds, const float *z, const float *w, const float *b, float *y)
{
  idx lines = t->batch * s.groups * s.to;
  unsigned blocks = pm_blocks(c, lines * s.n, BLOCK);
  if (blocks && variant == TILE) {
    conv_product q = {};
    q.of = back ? OF_CELL : OF_OUT, q.adds = adds;
    q.groups = s.groups, q.rows = s.to, q.lines = t->batch, q.outer = s.from, q.each = INT64_MAX;
    q.a = w, q.b = z, q.bias = b, q.c = y;
    q.a_group = s.to * s.from * s.taps;
    q.a_row = back ? s.taps : s.from * s.taps, q.a_outer = back ? s.to * s.taps : s.taps;
    q.b_group = s.from * s.m, q.b_line = s.groups * q.b_group, q.b_outer = s.m;
    q.c_group = s.to * s.n, q.c_row = s.n, q.c_line = s.groups * q.c_group;
    launch_tiles(c, ex, &t->w, 1, q);
  } else if (blocks) {
    window_plan plan = t->w;
    window_lines of = window_threads(&plan, lines, s.n);
    s.by_groups = window_divides(s.groups), s.by_to = window_divides(s.to);
    WINDOW_LAUNCH(plan, conv_direct, blocks, s, of, back, adds, z, w, b, y);
  }
}

/* dw of x, which has the cells, and dy. */
static void weigh(pm_check *c, pm_exec *ex, const conv_plan *t, int variant, const weights_plan *p,
                  conv_sides s, int adds, const float *x, const float *dy, float *dw)
{
  int split = p->splits > 1;
  float *to = split ? (float *)ex->work : dw;
  unsigned blocks = pm_blocks(c, p->splits * t->weights, BLOCK);
  if (!blocks)
    return;
  if (variant == TILE) {
    conv_product q = {};
    q.of = OF_TAP, q.adds = adds && !split;
    q.groups = s.groups, q.rows = s.to, q.lines = s.from, q.outer = t->batch;
    q.each = split ? p->by.each : INT64_MAX;
    q.a = dy, q.b = x, q.c = to;
    q.a_group = s.to * s.n, q.a_row = s.n, q.a_outer = s.groups * q.a_group;
    q.b_group = s.from * s.m, q.b_line = s.m, q.b_outer = s.groups * q.b_group;
    q.c_group = s.to * s.from * s.taps, q.c_row = s.from * s.taps, q.c_line = s.taps;
    q.c_split = t->weights;
    launch_tiles(c, ex, &t->w, p->splits, q);
  } else
    WINDOW_LAUNCH(t->w, conv_weights, blocks, s, p->by, adds && !split, p->splits, t->kernels, x,
                  dy, to);
  if (split) {
    pm_exec rest = *ex;
    rest.work = (char *)ex->work + p->partial;
    axis_sum_launch(c, &rest, &p->sum, pm_aligned16(to) && pm_aligned16(dw), adds, to, dw);
  }
}

static pm_status conv(pm_check *c, pm_exec *ex, const conv_call *p, int transposed, const float *x,
                      const float *w, const float *b, float *y)
{
  conv_plan t = plan_conv(c, p, transposed);
  pm_in(c, "x", x, t.x, sizeof *x);
  pm_in(c, "w", w, t.weights, sizeof *w);
  pm_in(c, "b", b, t.channels, sizeof *b);
  pm_out(c, "y", y, t.y, sizeof *y);
  if (pm_checked(c) != PM_OK)
    return c->status;
  fill_axes(&t.w);
  conv_sides s = {t.groups, t.out, t.in, t.n_y, t.n_x, t.w.taps};
  int variant = PM_PICK(c, ex, ROWS, suited(&t));
  if (variant >= 0)
    convolve(c, ex, &t, variant, s, transposed, 0, x, w, b, y);
  return pm_launched(c);
}

static pm_status conv_back(pm_check *c, pm_exec *ex, const conv_call *p, int transposed,
                           int accumulate, const float *x, const float *w, const float *g,
                           float *dx, float *dw, float *db)
{
  pm_flag(c, "accumulate", accumulate);
  conv_plan t = plan_conv(c, p, transposed);
  const idx rows = transposed ? t.in : t.out, cols = transposed ? t.out : t.in;
  axis_plan sums = {};
  weights_plan tile = {}, direct = {};
  if (c->status == PM_OK) {
    fill_axes(&t.w);
    idx first = t.w.rank <= TILE_AXES ? t.w.axes.a[0].out : 1;
    sums = bias_plan(t.batch, t.channels, t.n_y);
    tile = plan_weights(1, t.batch, t.kernels, t.w.taps, t.w.outs, first,
                        weight_tiles(t.groups, rows, cols, t.w.taps));
    direct = plan_weights(0, t.batch, t.kernels, t.w.taps, t.w.outs, first, 0);
  }
  pm_in(c, "x", x, t.x, sizeof *x);
  pm_in(c, "w", w, t.weights, sizeof *w);
  pm_in(c, "g", g, t.y, sizeof *g);
  pm_out(c, "dx", dx, t.x, sizeof *dx);
  pm_out(c, "dw", dw, t.weights, sizeof *dw);
  pm_out(c, "db", db, t.channels, sizeof *db);
  pm_work(c, back_bytes(&tile, &direct, &sums));
  int variant = pm_checked(c) == PM_OK ? PM_PICK(c, ex, ROWS, suited(&t)) : -1;
  if (variant < 0)
    return c->status;
  conv_sides back = {t.groups, t.in, t.out, t.n_x, t.n_y, t.w.taps};
  conv_sides ahead = {t.groups, t.out, t.in, t.n_y, t.n_x, t.w.taps};
  convolve(c, ex, &t, variant, back, !transposed, accumulate, g, w, NULL, dx);
  weigh(c, ex, &t, variant, variant == TILE ? &tile : &direct, transposed ? back : ahead,
        accumulate, transposed ? g : x, transposed ? x : g, dw);
  if (t.channels > 0)
    axis_sum_launch(c, ex, &sums, pm_aligned16(g) && pm_aligned16(db), accumulate, g, db);
  return pm_launched(c);
}

#define CONV_PARAMS                                                                       \
  int64_t batch, int64_t groups, int64_t in, int64_t out, int rank, const int64_t *shape, \
      const int64_t *kernel, const int64_t *stride, const int64_t *pad, const int64_t *dilation
#define CONV_CALL(...)                                                                  \
  {                                                                                     \
    batch, groups, in, out, { rank, shape, kernel, stride, pad, dilation, __VA_ARGS__ } \
  }
#define CONV_READS const float *x, const float *w, const float *b, float *y
#define CONV_READS_BACK \
  const float *x, const float *w, const float *g, float *dx, float *dw, float *db

extern "C" pm_status LAUNCHER(conv)(pm_exec *ex, CONV_PARAMS, CONV_READS)
{
  pm_check c = pm_begin("conv", ex);
  conv_call p = CONV_CALL(NULL);
  return conv(&c, ex, &p, 0, x, w, b, y);
}

extern "C" pm_status LAUNCHER(conv_vjp)(pm_exec *ex, int accumulate, CONV_PARAMS, CONV_READS_BACK)
{
  pm_check c = pm_begin("conv_vjp", ex);
  conv_call p = CONV_CALL(NULL);
  return conv_back(&c, ex, &p, 0, accumulate, x, w, g, dx, dw, db);
}

/* A list that is not there would say that it is no transposed one. */
static void pads(pm_check *c, int rank, const int64_t *output_pad)
{
  if (c->status == PM_OK && !output_pad)
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op, "output_pad = NULL: must point to %d numbers", rank);
}

extern "C" pm_status LAUNCHER(conv_transpose)(pm_exec *ex, CONV_PARAMS, const int64_t *output_pad,
                                              CONV_READS)
{
  pm_check c = pm_begin("conv_transpose", ex);
  conv_call p = CONV_CALL(output_pad);
  pads(&c, rank, output_pad);
  return conv(&c, ex, &p, 1, x, w, b, y);
}

extern "C" pm_status LAUNCHER(conv_transpose_vjp)(pm_exec *ex, int accumulate, CONV_PARAMS,
                                                  const int64_t *output_pad, CONV_READS_BACK)
{
  pm_check c = pm_begin("conv_transpose_vjp", ex);
  conv_call p = CONV_CALL(output_pad);
  pads(&c, rank, output_pad);
  return conv_back(&c, ex, &p, 1, accumulate, x, w, g, dx, dw, db);
}

PM_FAMILY(conv, ROWS, workspace);
#endif
