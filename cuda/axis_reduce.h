/* Reductions of x, (outer, n, inner), over its middle axis, in a fixed order.
 *
 * A level joins up to `chunk` elements of each line into one and leaves (outer, chunks, inner); the
 * next does the same to that, until one element of each line is left.
 *   rows    inner is 1: a group of up to 32 lanes reads a chunk side by side (axis_rows.h)
 *   narrow  inner below 32: a warp reads whole rows of `inner`, as many as fit side by side
 *           (axis_narrow.h)
 *   cols    else: a thread goes down a chunk of one column, or of four (axis_cols.h)
 * Sums, means and maxima are joined there; what is here joins ties, in the same three ways. */
#ifndef PM_AXIS_REDUCE_H
#define PM_AXIS_REDUCE_H
#include "axis_cols.h"
#include "axis_narrow.h"
#include "axis_sum.h"

enum { AXIS_TIES = AXIS_MAX + 1, AXIS_COUNT };

/* ---- what is joined: a lane takes elements, or parts that a level before this one left, into what
 * begins as begin(), and leaves a part; parts are joined. which: of what axis_parts.h joins, or -1.
 * `lines`: what is taken of an element that equals the line's element of y, a tensor (outer, inner),
 * is its position. ---- */

template <int Which> struct axis_reduction {
  typedef float in, part;
  typedef axis_reduction next;
  enum { vec = 1, which = Which };
};

/* How many elements of a line are y, where none are or several; of a single one, -1 - its position.
 * Either is exact in f64 wherever a tensor fits into memory. */
DEV double ties_count(double s) { return s < 0.0 ? 1.0 : s; }

template <> struct axis_reduction<AXIS_COUNT> {
  typedef double in, part, kept;
  typedef axis_reduction next;
  enum { vec = 0, lines = 0, which = -1 };
  DEV double begin() { return 0.0; }
  DEV double join(double a, double b)
  {
    return a == 0.0 ? b : b == 0.0 ? a : ties_count(a) + ties_count(b);
  }
};

/* Those that a lane has met, of which it knows the last. */
typedef struct axis_ties {
  idx count, at;
} axis_ties;

template <> struct axis_reduction<AXIS_TIES> : axis_reduction<AXIS_COUNT> {
  typedef float in;
  typedef axis_ties kept;
  typedef axis_reduction<AXIS_COUNT> next;
  enum { vec = 1, lines = 1 };
  DEV axis_ties begin()
  {
    axis_ties none = {0, 0};
    return none;
  }
};

/* v is the j-th element of its line. */
template <class R> DEV void reduce_take(typename R::part &s, typename R::in v, float, idx)
{
  s = R::join(s, v);
}

template <class R> DEV void reduce_take(axis_ties &s, float v, float y, idx j)
{
  if (v == y)
    s.count++, s.at = j;
}

template <class R> DEV void reduce_four(axis_ties &s, float4 v, float y, idx j)
{
  reduce_take<R>(s, v.x, y, j), reduce_take<R>(s, v.y, y, j + 1);
  reduce_take<R>(s, v.z, y, j + 2), reduce_take<R>(s, v.w, y, j + 3);
}

DEV double reduce_left(double s) { return s; }
DEV double reduce_left(axis_ties s) { return (double)(s.count == 1 ? -1 - s.at : s.count); }

enum { REDUCE_DEPTH = 8 }; /* loads in flight */

/* A round: the j-th element and every step-th after it, of which those before the end-th are there;
 * the line's are `pitch` apart from x on. All loads come first: nvcc sees to that only where it can
 * count the rounds, or nothing of asm is between them. In place of what is not there the first is
 * loaded again. */
template <class R, int FULL>
DEV void reduce_round(typename R::kept &s, idx pitch, idx j, idx step, idx end, float y,
                      const typename R::in *RESTRICT x)
{
  typename R::in v[REDUCE_DEPTH];
  UNROLL
  for (int i = 0; i < REDUCE_DEPTH; i++)
    v[i] = x[(FULL || j + i * step < end ? j + i * step : j) * pitch];
  UNROLL
  for (int i = 0; i < REDUCE_DEPTH; i++)
    if (FULL || j + i * step < end)
      reduce_take<R>(s, v[i], y, j + i * step);
}

template <class R>
DEV void reduce_along(typename R::kept &s, idx pitch, idx j, idx step, idx end, float y,
                      const typename R::in *RESTRICT x)
{
  for (; j + (REDUCE_DEPTH - 1) * step < end; j += REDUCE_DEPTH * step)
    reduce_round<R, 1>(s, pitch, j, step, end, y, x);
  if (j < end)
    reduce_round<R, 0>(s, pitch, j, step, end, y, x);
}

/* The same for vectors v, v + step, .. of elements from `first` on. */
template <class R, int FULL>
DEV void reduce_round4(typename R::kept &s, idx first, idx v, int step, idx end, float y,
                       const float *RESTRICT x)
{
  float4 q[REDUCE_DEPTH];
  UNROLL
  for (int i = 0; i < REDUCE_DEPTH; i++)
    q[i] = LD4(x + first + 4 * (FULL || v + i * step < end ? v + i * step : v));
  UNROLL
  for (int i = 0; i < REDUCE_DEPTH; i++)
    if (FULL || v + i * step < end)
      reduce_four<R>(s, q[i], y, first + 4 * (v + i * step));
}

/* ---- rows ---- */

/* Elements from .. from + len - 1 of the line x, of which the first of those is element `at` of the
 * tensor: vectors that are aligned in it, and what is left before and behind them one by one. */
template <class R>
DEV void reduce_vectors(typename R::kept &s, idx at, idx from, idx len, int lane, int lanes,
                        float y, const float *RESTRICT x)
{
  idx head = -at & 3, v = lane, V, rest;
  head = head < len ? head : len;
  V = (len - head) / 4;
  rest = len - 4 * V;
  for (; v + (REDUCE_DEPTH - 1) * lanes < V; v += REDUCE_DEPTH * lanes)
    reduce_round4<R, 1>(s, from + head, v, lanes, V, y, x);
  if (v < V)
    reduce_round4<R, 0>(s, from + head, v, lanes, V, y, x);
  for (idx e = lane; e < rest; e += lanes) {
    idx j = from + (e < head ? e : e + 4 * V);
    reduce_take<R>(s, x[j], y, j);
  }
}

/* The join of s over a group of lanes. */
template <class R> DEV typename R::part reduce_lanes(typename R::part s, int lanes)
{
  typename R::part other;
  for (int m = 1; m < lanes; m *= 2) {
    SHFL_XOR(other, s, m);
    s = R::join(s, other);
  }
  return s;
}

/* x, (outer, n), to out, (outer, chunks). */
template <class R, int VEC>
KERNEL void reduce_rows(int log_lanes, idx outer, idx n, idx chunk, idx chunks,
                        const typename R::in *RESTRICT x, const float *RESTRICT y,
                        typename R::part *RESTRICT out)
{
  await_launches();
  int lanes = 1 << log_lanes, lane = TID_ & (lanes - 1);
  idx k = ((idx)blockIdx.x * BDIM + TID_) >> log_lanes;
  typename R::kept kept = R::begin();
  if (k < outer * chunks) {
    idx o = chunks == 1 ? k : k / chunks, from = (k - o * chunks) * chunk, at = o * n + from;
    idx len = chunk < n - from ? chunk : n - from;
    float line = R::lines ? LDG(y + o) : 0.0f;
    if constexpr (VEC)
      reduce_vectors<R>(kept, at, from, len, lane, lanes, line, (const float *)x + o * n);
    else
      reduce_along<R>(kept, 1, from + lane, lanes, from + len, line, x + o * n);
  }
  typename R::part s = reduce_lanes<R>(reduce_left(kept), lanes);
  if (k < outer * chunks && lane == 0)
    out[k] = s;
}

/* ---- narrow: the lanes of a warp are teams of one lane a column; team j takes every teams-th row
 * from the j-th on ---- */

template <class R>
KERNEL void reduce_narrow(idx outer, idx n, idx inner, idx chunk, idx chunks,
                          const typename R::in *RESTRICT x, const float *RESTRICT y,
                          typename R::part *RESTRICT out)
{
  await_launches();
  idx k = ((idx)blockIdx.x * BDIM + TID_) / AXIS_WARP;
  int lane = TID_ % AXIS_WARP, w = (int)inner, teams = AXIS_WARP / w, team = lane / w;
  idx o = k / chunks, first = (k - o * chunks) * chunk;
  idx end = first + chunk < n ? first + chunk : n;
  typename R::kept kept = R::begin();
  if (k < outer * chunks && team < teams)
    reduce_along<R>(kept, inner, first + team, teams, end,
                    R::lines ? LDG(y + o * inner + lane % w) : 0.0f, x + o * n * inner + lane % w);
  typename R::part s = reduce_left(kept), other;
  for (int m = 1; m < teams; m *= 2) {
    other = __shfl_down_sync(0xffffffffu, s, (unsigned)(m * w));
    if (team % (2 * m) == 0 && team + m < teams)
      s = R::join(s, other);
  }
  if (k < outer * chunks && team == 0)
    out[k * inner + lane] = s;
}

/* ---- cols: W columns a thread, 4 or 1; inner is W * width ---- */

template <class R, int W>
DEV void reduce_row(typename R::kept *s, idx j, const float *y, const typename R::in *RESTRICT x)
{
  if (W == 4) {
    float4 v = LD4((const float *)x);
    reduce_take<R>(s[0], v.x, y[0], j), reduce_take<R>(s[1 % W], v.y, y[1 % W], j);
    reduce_take<R>(s[2 % W], v.z, y[2 % W], j), reduce_take<R>(s[3 % W], v.w, y[3 % W], j);
  } else
    reduce_take<R>(s[0], *x, y[0], j);
}

template <class R, int W>
KERNEL void reduce_cols(idx outer, idx n, idx width, idx chunk, idx chunks,
                        const typename R::in *RESTRICT x, const float *RESTRICT y,
                        typename R::part *RESTRICT out)
{
  await_launches();
  GROWS(k, outer * chunks, width)
    GCOLS(v, width) {
      idx o = chunks == 1 ? k : k / chunks, inner = W * width, c = W * v;
      idx lo = (k - o * chunks) * chunk, hi = lo + chunk < n ? lo + chunk : n;
      const typename R::in *at = x + o * n * inner + c;
      typename R::kept kept[W];
      float line[W];
      UNROLL
      for (int i = 0; i < W; i++) {
        kept[i] = R::begin();
        line[i] = R::lines ? LDG(y + o * inner + c + i) : 0.0f;
      }
      UNROLL_BY(16)
      for (idx j = lo; j < hi; j++) reduce_row<R, W>(kept, j, line, at + j * inner);
      UNROLL
      for (int i = 0; i < W; i++) out[k * inner + c + i] = reduce_left(kept[i]);
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

static inline int reduce_how(idx n, idx inner)
{
  return inner == 1 ? REDUCE_ROWS : axis_narrow(n, inner) ? REDUCE_NARROW : REDUCE_COLS;
}

static inline reduce_level reduce_level_of(idx outer, idx n, idx inner, int first)
{
  reduce_level l = {reduce_how(n, inner), n, 0, 0};
  if (l.how == REDUCE_ROWS)
    l.chunk = reduce_row_chunk(outer, n);
  else if (l.how == REDUCE_NARROW)
    l.chunk = axis_narrow_chunk(outer, n, inner);
  else
    l.chunk = colsum_chunk(n, outer * inner, first);
  l.chunks = colsum_chunks(n, l.chunk);
  return l;
}

/* Eight elements a lane, or four vectors, as long as there are enough of them. */
static inline int reduce_log_lanes(idx chunk, int vec)
{
  int log = 0;
  while (log < 5 && (idx)(vec ? 16 : 8) << log < chunk) log++;
  return log;
}

/* Additions above any element, the first of each lane being to 0. */
static inline double reduce_level_height(const reduce_level *l, idx inner, int vec)
{
  double height = 0;
  idx lanes = 1, each = l->chunk;
  if (l->how == REDUCE_ROWS) {
    int log = reduce_log_lanes(l->chunk, vec);
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

template <class R, int W>
static void reduce_cols_launch(const pm_exec *ex, unsigned blocks, const reduce_level *l, idx outer,
                               idx width, idx all, const typename R::in *x, const float *y,
                               typename R::part *out)
{
  if constexpr (R::which >= 0)
    LAUNCH_AFTER((axis_cols<R::which, W>), blocks, REDUCE_BLOCK, ex->stream, outer, l->n, width,
                 l->chunk, l->chunks, all, x, out);
  else
    LAUNCH_AFTER((reduce_cols<R, W>), blocks, REDUCE_BLOCK, ex->stream, outer, l->n, width,
                 l->chunk, l->chunks, x, y, out);
}

template <class R, int VEC>
static void reduce_rows_launch(const pm_exec *ex, unsigned blocks, int log, const reduce_level *l,
                               idx outer, idx all, const typename R::in *x, const float *y,
                               typename R::part *out)
{
  if constexpr (R::which >= 0)
    LAUNCH_AFTER((axis_rows<R::which, VEC>), blocks, REDUCE_BLOCK, ex->stream, 1 << log, 32 >> log,
                 (idx)blocks, outer, l->n, l->chunk, l->chunks, all, x, out);
  else
    LAUNCH_AFTER((reduce_rows<R, VEC>), blocks, REDUCE_BLOCK, ex->stream, log, outer, l->n,
                 l->chunk, l->chunks, x, y, out);
}

template <class R>
static void reduce_narrow_launch(const pm_exec *ex, unsigned blocks, const reduce_level *l,
                                 idx outer, idx inner, idx all, const typename R::in *x,
                                 const float *y, typename R::part *out)
{
  if constexpr (R::which >= 0)
    LAUNCH_AFTER(axis_teams<R::which>, blocks, REDUCE_BLOCK, ex->stream, (idx)blocks, outer, l->n,
                 inner, l->chunk, l->chunks, all, x, out);
  else
    LAUNCH_AFTER(reduce_narrow<R>, blocks, REDUCE_BLOCK, ex->stream, outer, l->n, inner, l->chunk,
                 l->chunks, x, y, out);
}

template <class R>
static void reduce_level_launch(pm_check *c, const pm_exec *ex, const reduce_level *l, idx outer,
                                idx inner, int vec, int first, idx all, const typename R::in *x,
                                const float *y, typename R::part *out)
{
  int log = l->how == REDUCE_ROWS ? reduce_log_lanes(l->chunk, vec && R::vec) : 5;
  if (l->how == REDUCE_COLS && !first)
    vec = vec && colsum_wide(outer * l->chunks * inner);
  idx width = vec && R::vec ? inner / 4 : inner, lines = outer * l->chunks;
  unsigned blocks =
      pm_blocks(c, l->how == REDUCE_COLS ? lines * width : lines << log, REDUCE_BLOCK);
  if (!blocks)
    return;
  if constexpr (R::which >= 0)
    if (l->how == REDUCE_ROWS && vec && l->chunks == 1 && 0 < l->n && l->n % 4 == 0 &&
        l->n <= ROWS_WHOLE) {
      LAUNCH(axis_whole<R::which>, blocks, REDUCE_BLOCK, ex->stream, 1 << log, 32 >> log,
             (idx)blocks, outer, (int)(l->n / 4), all, x, out);
      return;
    }
  if (l->how == REDUCE_NARROW)
    reduce_narrow_launch<R>(ex, blocks, l, outer, inner, all, x, y, out);
  else if (l->how == REDUCE_ROWS && vec)
    reduce_rows_launch<R, R::vec>(ex, blocks, log, l, outer, all, x, y, out);
  else if (l->how == REDUCE_ROWS)
    reduce_rows_launch<R, 0>(ex, blocks, log, l, outer, all, x, y, out);
  else if (vec)
    reduce_cols_launch<R, R::vec ? 4 : 1>(ex, blocks, l, outer, width, all, x, y, out);
  else
    reduce_cols_launch<R, 1>(ex, blocks, l, outer, width, all, x, y, out);
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
