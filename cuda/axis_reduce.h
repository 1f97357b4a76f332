/* Reductions of x, (outer, n, inner), over its middle axis, in a fixed order.
 *
 * A level joins up to `chunk` elements of each line into one and leaves (outer, chunks, inner); the
 * next does the same to that, until one element of each line is left.
 *   rows    inner is 1: a group of up to 32 lanes reads a chunk side by side
 *   narrow  inner below 32: a warp reads whole rows of `inner`, as many as fit side by side
 *   cols    else: a thread goes down a chunk of one column, or of four
 * Included by reduce.cu, which says what over(s, n) is: s / n. */
#ifndef PM_AXIS_REDUCE_H
#define PM_AXIS_REDUCE_H
#include <math.h>

#include "axis_sum.h"
#include "block.h"

enum { AXIS_SUM, AXIS_MEAN, AXIS_MAX, AXIS_TIES, AXIS_COUNT };

/* ---- what is joined: an element, or a part that a level before this one left, gives term(v, y), y
 * being the line's element of a tensor (outer, inner) where `lines` says that it has one; join has
 * the neutral element none(); last(s, n) is made of the join of all n elements. ---- */

struct axis_adds {
  typedef float in, part;
  enum { vec = 1, lines = 0 };
  DEV float none() { return 0.0f; }
  DEV float term(float v, float) { return v; }
  DEV float join(float a, float b) { return a + b; }
  DEV float last(float s, idx) { return s; }
};

template <int Which> struct axis_reduction;

template <> struct axis_reduction<AXIS_SUM> : axis_adds {
  typedef axis_reduction next;
};

template <> struct axis_reduction<AXIS_MEAN> : axis_adds {
  typedef axis_reduction next;
  DEV float last(float s, idx n) { return over(s, (double)n); }
};

/* NaN where there is one, +0 above -0: the order of joining does not matter. */
template <> struct axis_reduction<AXIS_MAX> : axis_adds {
  typedef axis_reduction next;
  DEV float none() { return -INFINITY; }
  DEV float join(float a, float b) { return larger(a, b); }
};

/* Counts are exact in f64 wherever a tensor fits into memory. */
template <> struct axis_reduction<AXIS_COUNT> {
  typedef double in, part;
  typedef axis_reduction next;
  enum { vec = 0, lines = 0 };
  DEV double none() { return 0.0; }
  DEV double term(double v, float) { return v; }
  DEV double join(double a, double b) { return a + b; }
  DEV double last(double s, idx) { return s; }
};

/* How many elements of the line are y. */
template <> struct axis_reduction<AXIS_TIES> {
  typedef float in;
  typedef double part;
  typedef axis_reduction<AXIS_COUNT> next;
  enum { vec = 1, lines = 1 };
  DEV double none() { return 0.0; }
  DEV double term(float v, float y) { return v == y ? 1.0 : 0.0; }
  DEV double join(double a, double b) { return a + b; }
  DEV double last(double s, idx) { return s; }
};

template <class R> DEV typename R::part reduce_four(float4 v, float y)
{
  return R::join(R::join(R::term(v.x, y), R::term(v.y, y)),
                 R::join(R::term(v.z, y), R::term(v.w, y)));
}

/* ---- rows ---- */

/* A lane's part of `len` elements from x on, which is element `at` of a tensor. In the vector form
 * the vectors are aligned in the tensor, and what is left before and behind them goes one by one. */
template <class R, int VEC>
DEV typename R::part reduce_along(const typename R::in *RESTRICT x, idx at, idx len, int lane,
                                  int lanes, float y)
{
  typename R::part s = R::none();
  if (VEC) {
    idx head = (4 - at % 4) % 4, V, rest;
    head = head < len ? head : len;
    V = (len - head) / 4;
    rest = len - 4 * V;
    UNROLL_BY(4)
    for (idx v = lane; v < V; v += lanes)
      s = R::join(s, reduce_four<R>(LD4((const float *)x + head + 4 * v), y));
    for (idx e = lane; e < rest; e += lanes)
      s = R::join(s, R::term(x[e < head ? e : e + 4 * V], y));
  } else {
    UNROLL_BY(8)
    for (idx e = lane; e < len; e += lanes) s = R::join(s, R::term(x[e], y));
  }
  return s;
}

/* x, (outer, n), to out, (outer, chunks). all: of what the line's join is the last level, or -1. */
template <class R, int VEC>
KERNEL void reduce_rows(int log_lanes, idx outer, idx n, idx chunk, idx chunks, idx all,
                        const typename R::in *RESTRICT x, const float *RESTRICT y,
                        typename R::part *RESTRICT out)
{
  await_launches();
  int lanes = 1 << log_lanes, lane = TID_ & (lanes - 1);
  idx k = ((idx)blockIdx.x * BDIM + TID_) >> log_lanes;
  typename R::part s = R::none(), other;
  if (k < outer * chunks) {
    idx o = chunks == 1 ? k : k / chunks, from = (k - o * chunks) * chunk;
    idx at = o * n + from, len = chunk < n - from ? chunk : n - from;
    s = reduce_along<R, VEC>(x + at, at, len, lane, lanes, R::lines ? LDG(y + o) : 0.0f);
  }
  for (int m = 1; m < lanes; m *= 2) {
    SHFL_XOR(other, s, m);
    s = R::join(s, other);
  }
  if (k < outer * chunks && lane == 0)
    out[k] = all >= 0 ? R::last(s, all) : s;
}

/* ---- narrow: the lanes of a warp are teams of one lane a column; team j takes every teams-th row
 * from the j-th on ---- */

template <class R>
KERNEL void reduce_narrow(idx outer, idx n, idx inner, idx chunk, idx chunks, idx all,
                          const typename R::in *RESTRICT x, const float *RESTRICT y,
                          typename R::part *RESTRICT out)
{
  await_launches();
  idx k = ((idx)blockIdx.x * BDIM + TID_) / AXIS_WARP;
  int lane = TID_ % AXIS_WARP, w = (int)inner, teams = AXIS_WARP / w, team = lane / w;
  idx o = k / chunks, first = (k - o * chunks) * chunk;
  idx end = first + chunk < n ? first + chunk : n;
  typename R::part s = R::none(), other;
  if (k < outer * chunks && team < teams) {
    const typename R::in *at = x + o * n * inner + lane % w;
    float line = R::lines ? LDG(y + o * inner + lane % w) : 0.0f;
    UNROLL_BY(8)
    for (idx j = first + team; j < end; j += teams) s = R::join(s, R::term(at[j * inner], line));
  }
  for (int m = 1; m < teams; m *= 2) {
    other = __shfl_down_sync(0xffffffffu, s, (unsigned)(m * w));
    if (team % (2 * m) == 0 && team + m < teams)
      s = R::join(s, other);
  }
  if (k < outer * chunks && team == 0)
    out[k * inner + lane] = all >= 0 ? R::last(s, all) : s;
}

/* ---- cols: W columns a thread, 4 or 1; inner is W * width ---- */

template <class R, int W>
KERNEL void reduce_cols(idx outer, idx n, idx width, idx chunk, idx chunks, idx all,
                        const typename R::in *RESTRICT x, const float *RESTRICT y,
                        typename R::part *RESTRICT out)
{
  await_launches();
  GROWS(k, outer * chunks, width)
    GCOLS(v, width) {
      idx o = chunks == 1 ? k : k / chunks, inner = W * width, c = W * v;
      idx lo = (k - o * chunks) * chunk, hi = lo + chunk < n ? lo + chunk : n;
      const typename R::in *at = x + o * n * inner + c;
      typename R::part s[W];
      float line[W];
      UNROLL
      for (int i = 0; i < W; i++) {
        s[i] = R::none();
        line[i] = R::lines ? LDG(y + o * inner + c + i) : 0.0f;
      }
      UNROLL_BY(16)
      for (idx j = lo; j < hi; j++) {
        if (W == 4) {
          float4 q = LD4((const float *)at + j * inner);
          s[0] = R::join(s[0], R::term(q.x, line[0]));
          s[1 % W] = R::join(s[1 % W], R::term(q.y, line[1 % W]));
          s[2 % W] = R::join(s[2 % W], R::term(q.z, line[2 % W]));
          s[3 % W] = R::join(s[3 % W], R::term(q.w, line[3 % W]));
        } else
          s[0] = R::join(s[0], R::term(at[j * inner], line[0]));
      }
      UNROLL
      for (int i = 0; i < W; i++) out[k * inner + c + i] = all >= 0 ? R::last(s[i], all) : s[i];
    }
}

/* ---- levels ---- */

enum { REDUCE_ROWS, REDUCE_NARROW, REDUCE_COLS, REDUCE_BLOCK = 128 };

typedef struct reduce_level {
  int how;
  idx n, chunk, chunks;
} reduce_level;

/* Elements that a group of lanes takes of each of `outer` > 0 lines: all of a few, else as many as
 * keep the machine full. */
static inline idx reduce_row_chunk(idx outer, idx n)
{
  const idx groups = (idx)1 << 13;
  idx each;
  if (n <= 2048 || outer >= groups)
    return n;
  each = n / ((groups + outer - 1) / outer) / 128 * 128 + 128;
  return each < 1024 ? 1024 : each;
}

static inline reduce_level reduce_level_of(idx outer, idx n, idx inner, int first)
{
  reduce_level l = {REDUCE_COLS, n, 0, 0};
  if (inner == 1) {
    l.how = REDUCE_ROWS;
    l.chunk = reduce_row_chunk(outer, n);
  } else if (axis_narrow(n, inner)) {
    l.how = REDUCE_NARROW;
    l.chunk = axis_narrow_chunk(outer, n, inner);
  } else
    l.chunk = colsum_chunk(n, outer * inner, first);
  l.chunks = colsum_chunks(n, l.chunk);
  return l;
}

/* Two vectors a lane, as long as there are enough of them. */
static inline int reduce_log_lanes(idx chunk)
{
  int log = 0;
  while (log < 5 && (idx)8 << log < chunk) log++;
  return log;
}

/* Additions above any element, the first of each lane being to 0. */
static inline double reduce_level_height(const reduce_level *l, idx inner, int vec)
{
  double height = 0;
  idx lanes = 1, each = l->chunk;
  if (l->how == REDUCE_ROWS) {
    int log = reduce_log_lanes(l->chunk);
    lanes = (idx)1 << log;
    height = log;
    if (vec) {
      idx edges = l->chunk < 6 ? l->chunk : 6, rounds = divide_up(l->chunk / 4, lanes);
      return height + (double)((rounds ? rounds + 1 : 0) + divide_up(edges, lanes));
    }
  } else if (l->how == REDUCE_NARROW) {
    lanes = AXIS_WARP / inner;
    for (idx m = 1; m < lanes; m *= 2) height += 1;
  }
  each = divide_up(each, lanes);
  return height + (double)(each > 0 ? each - 1 : 0);
}

static inline double reduce_height(idx outer, idx n, idx inner, int vec)
{
  double height = 0;
  if (outer == 0 || inner == 0)
    return height;
  for (int first_level = 1;; first_level = 0) {
    reduce_level l = reduce_level_of(outer, n, inner, first_level);
    height += reduce_level_height(&l, inner, vec);
    if (l.chunks == 1)
      return height;
    n = l.chunks;
  }
}

/* What the first level leaves, and behind it the second; later ones take turns. */
static inline size_t reduce_bytes(idx outer, const reduce_level *l, idx inner, size_t element)
{
  return l->chunks == 1 ? 0 : ((size_t)(outer * l->chunks * inner) * element + 15) / 16 * 16;
}

static inline size_t axis_workspace(idx outer, idx n, idx inner, size_t element)
{
  reduce_level first, second;
  if (outer == 0 || inner == 0)
    return 0;
  first = reduce_level_of(outer, n, inner, 1);
  second = reduce_level_of(outer, first.chunks, inner, 0);
  return reduce_bytes(outer, &first, inner, element) + reduce_bytes(outer, &second, inner, element);
}

template <class R>
static void reduce_level_launch(pm_check *c, const pm_exec *ex, const reduce_level *l, idx outer,
                                idx inner, int vec, int first, idx all, const typename R::in *x,
                                const float *y, typename R::part *out)
{
  int log = l->how == REDUCE_ROWS ? reduce_log_lanes(l->chunk) : 5;
  if (l->how == REDUCE_COLS && !first)
    vec = vec && colsum_wide(outer * l->chunks * inner);
  idx width = vec && R::vec ? inner / 4 : inner, lines = outer * l->chunks;
  unsigned blocks =
      pm_blocks(c, l->how == REDUCE_COLS ? lines * width : lines << log, REDUCE_BLOCK);
  if (!blocks)
    return;
  if (l->how == REDUCE_NARROW)
    LAUNCH_AFTER(reduce_narrow<R>, blocks, REDUCE_BLOCK, ex->stream, outer, l->n, inner, l->chunk,
                 l->chunks, all, x, y, out);
  else if (l->how == REDUCE_ROWS && vec)
    LAUNCH_AFTER((reduce_rows<R, R::vec>), blocks, REDUCE_BLOCK, ex->stream, log, outer, l->n,
                 l->chunk, l->chunks, all, x, y, out);
  else if (l->how == REDUCE_ROWS)
    LAUNCH_AFTER((reduce_rows<R, 0>), blocks, REDUCE_BLOCK, ex->stream, log, outer, l->n, l->chunk,
                 l->chunks, all, x, y, out);
  else if (vec)
    LAUNCH_AFTER((reduce_cols < R, R::vec ? 4 : 1 >), blocks, REDUCE_BLOCK, ex->stream, outer, l->n,
                 width, l->chunk, l->chunks, all, x, y, out);
  else
    LAUNCH_AFTER((reduce_cols<R, 1>), blocks, REDUCE_BLOCK, ex->stream, outer, l->n, width,
                 l->chunk, l->chunks, all, x, y, out);
}

/* out, (outer, inner), of x, (outer, n, inner); no size but n is 0. vec: x is 16-byte aligned, and
 * inner 1 or a multiple of 4. work: axis_workspace bytes. */
template <class R>
static void axis_launch(pm_check *c, const pm_exec *ex, idx outer, idx n, idx inner, int vec,
                        void *work, const typename R::in *x, const float *y, typename R::part *out)
{
  typedef typename R::part part;
  reduce_level l = reduce_level_of(outer, n, inner, 1);
  part *room[2] = {(part *)work, NULL}, *left = l.chunks == 1 ? out : room[0];
  room[1] = room[0] + reduce_bytes(outer, &l, inner, sizeof(part)) / sizeof(part);
  reduce_level_launch<R>(c, ex, &l, outer, inner, vec, 1, l.chunks == 1 ? n : -1, x, y, left);
  for (int turn = 1; l.chunks != 1 && c->status == PM_OK; turn ^= 1) {
    const part *from = left;
    l = reduce_level_of(outer, l.chunks, inner, 0);
    left = l.chunks == 1 ? out : room[turn];
    reduce_level_launch<typename R::next>(c, ex, &l, outer, inner, vec, 0, l.chunks == 1 ? n : -1,
                                          from, y, left);
  }
}
#endif
