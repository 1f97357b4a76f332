/* VJPs of the reductions over an axis (axis_reduce.h): dx, (outer, n, inner), of g, (outer, inner).
 * That of the maximum counts first how many elements of each line are the largest: a group of lanes
 * or a block does both for a row that it keeps, or finds in the caches; any other line is counted by
 * the levels of a reduction. */
#ifndef PM_AXIS_SPREAD_H
#define PM_AXIS_SPREAD_H
#include "axis_reduce.h"

/* Elements of a chunk, at most: of a row; of a column; of four columns of the maximum. */
enum { SPREAD_ROW = 1024, SPREAD_COLUMN = 16, SPREAD_FOUR = 8 };

/* What reaches the elements of a line of dx, of which g is the cotangent: g; g / n; or to those x
 * that are the line's largest, `top`, g in equal parts, and 0 to the others, NaN where there is no
 * such x. Where there is a single one, x is not needed: `only` is its position in the chunk, or -1
 * if that has it not. */
typedef struct axis_share {
  float share, rest;
  int single, only;
} axis_share;

template <int Which>
DEV axis_share share_of(idx line, idx n, idx from, const double *RESTRICT ties,
                        const float *RESTRICT g)
{
  float grad = LDG(g + line);
  axis_share s = {grad, 0.0f, 0, -1};
  if (Which == AXIS_MAX) {
    double count = ties[line];
    s.single = count < 0.0;
    if (s.single) {
      idx at = -1 - (idx)count - from;
      s.only = 0 <= at && at < SPREAD_ROW ? (int)at : -1;
    } else
      s.share = over(grad, count), s.rest = over(0.0f, count);
  } else if (Which == AXIS_MEAN)
    s.share = over(grad, (double)n);
  return s;
}

/* Which elements get the share: all of the line, the only one, or those of x that are `top`. */
enum { SPREAD_ALL, SPREAD_ONLY, SPREAD_TOP };

/* Of x, the j-th of the chunk. */
template <int To> DEV float shared(axis_share s, int j, float x, float top)
{
  return To == SPREAD_ALL || (To == SPREAD_ONLY ? j == s.only : x == top) ? s.share : s.rest;
}

/* dx[e], which is the j-th of the chunk, or the W of dx from e on: of S lines, which is 1 or W. */
template <int To, int W, int S>
DEV void put_shares(const axis_share *s, const float *top, idx e, int j, int accumulate,
                    const float *RESTRICT x, float *RESTRICT dx)
{
  const int next = S == 1; /* they follow one another in one line */
  if (W == 4) {
    float4 v = {0, 0, 0, 0}, d;
    if (To == SPREAD_TOP)
      v = LD4(x + e);
    d.x = shared<To>(s[0], j, v.x, top[0]);
    d.y = shared<To>(s[1 % S], j + next, v.y, top[1 % S]);
    d.z = shared<To>(s[2 % S], j + 2 * next, v.z, top[2 % S]);
    d.w = shared<To>(s[3 % S], j + 3 * next, v.w, top[3 % S]);
    ST4(dx + e, accumulate ? plus4(LD4(dx + e), d) : d);
  } else {
    float d = shared<To>(s[0], j, To == SPREAD_TOP ? LDG(x + e) : 0.0f, top[0]);
    STG(dx + e, accumulate ? LDG(dx + e) + d : d);
  }
}

/* A chunk of a line, from element `at` of dx on. */
template <int To, int W>
DEV void spread_along(axis_share s, float top, idx at, int len, int lane, int lanes, int accumulate,
                      const float *RESTRICT x, float *RESTRICT dx)
{
  int head = W == 4 ? (int)(-at & 3) : len;
  head = head < len ? head : len;
  int V = (len - head) / 4, rest = len - 4 * V;
  UNROLL_BY(4)
  for (int v = lane; v < V; v += lanes)
    put_shares<To, 4, 1>(&s, &top, at + head + 4 * v, head + 4 * v, accumulate, x, dx);
  for (int e = lane; e < rest; e += lanes) {
    int j = e < head ? e : e + 4 * V;
    put_shares<To, 1, 1>(&s, &top, at + j, j, accumulate, x, dx);
  }
}

/* rows: inner is 1. A group of lanes has up to `chunk` elements of a row. W 4: vectors that are
 * aligned in dx, and what is left before and behind them one by one. */
template <int Which, int W>
KERNEL void spread_rows(int log_lanes, idx outer, idx n, idx chunk, idx chunks, int accumulate,
                        const float *RESTRICT x, const float *RESTRICT y,
                        const double *RESTRICT ties, const float *RESTRICT g, float *RESTRICT dx)
{
  int lanes = 1 << log_lanes, lane = TID_ & (lanes - 1);
  idx k = ((idx)blockIdx.x * BDIM + TID_) >> log_lanes;
  if (k < outer * chunks) {
    idx o = chunks == 1 ? k : k / chunks, from = (k - o * chunks) * chunk, at = o * n + from;
    int len = (int)(chunk < n - from ? chunk : n - from);
    const axis_share s = share_of<Which>(o, n, from, ties, g);
    if (Which != AXIS_MAX)
      spread_along<SPREAD_ALL, W>(s, 0.0f, at, len, lane, lanes, accumulate, x, dx);
    else if (s.single)
      spread_along<SPREAD_ONLY, W>(s, 0.0f, at, len, lane, lanes, accumulate, x, dx);
    else
      spread_along<SPREAD_TOP, W>(s, LDG(y + o), at, len, lane, lanes, accumulate, x, dx);
  }
}

/* A chunk of W columns, which begins with element e of dx. */
template <int To, int W>
DEV void spread_down(const axis_share *s, const float *top, idx e, idx inner, int len,
                     int accumulate, const float *RESTRICT x, float *RESTRICT dx)
{
  UNROLL_BY(4)
  for (int j = 0; j < len; j++) put_shares<To, W, W>(s, top, e + j * inner, j, accumulate, x, dx);
}

/* cols: a thread goes down up to `chunk` elements of a column, or of four; inner is W * width. */
template <int Which, int W>
KERNEL void spread_cols(idx outer, idx n, idx width, idx chunk, idx chunks, int accumulate,
                        const float *RESTRICT x, const float *RESTRICT y,
                        const double *RESTRICT ties, const float *RESTRICT g, float *RESTRICT dx)
{
  GROWS(k, outer * chunks, width)
    GCOLS(v, width) {
      idx o = chunks == 1 ? k : k / chunks, inner = W * width, c = o * inner + W * v;
      idx from = (k - o * chunks) * chunk, e = (o * n + from) * inner + W * v;
      int len = (int)(chunk < n - from ? chunk : n - from), single = 1;
      axis_share s[W];
      float top[W] = {};
      UNROLL
      for (int i = 0; i < W; i++) {
        s[i] = share_of<Which>(c + i, n, from, ties, g);
        single = single && s[i].single;
      }
      if (Which != AXIS_MAX)
        spread_down<SPREAD_ALL, W>(s, top, e, inner, len, accumulate, x, dx);
      else if (single)
        spread_down<SPREAD_ONLY, W>(s, top, e, inner, len, accumulate, x, dx);
      else {
        UNROLL
        for (int i = 0; i < W; i++) top[i] = LDG(y + c + i);
        spread_down<SPREAD_TOP, W>(s, top, e, inner, len, accumulate, x, dx);
      }
    }
}

/* vec: dx, and x where there is one, is 16-byte aligned. No size is 0. */
template <int Which>
static void axis_spread_launch(pm_check *c, const pm_exec *ex, idx outer, idx n, idx inner, int vec,
                               int accumulate, const float *x, const float *y, const double *ties,
                               const float *g, float *dx)
{
  idx most = SPREAD_ROW;
  if (inner > 1 && inner < AXIS_WARP)
    most = 1; /* columns of few lanes: neighbours write side by side */
  else if (inner > 1)
    most = Which == AXIS_MAX && vec && inner % 4 == 0 ? SPREAD_FOUR : SPREAD_COLUMN;
  idx chunk = n < most ? n : most;
  idx chunks = colsum_chunks(n, chunk);
  int log = reduce_log_lanes(chunk, 0);
  vec = vec && (inner == 1 || inner % 4 == 0);
  idx width = vec ? inner / 4 : inner;
  unsigned blocks =
      pm_blocks(c, inner == 1 ? outer * chunks << log : outer * chunks * width, REDUCE_BLOCK);
  if (!blocks)
    return;
  if (inner == 1 && vec)
    LAUNCH((spread_rows<Which, 4>), blocks, REDUCE_BLOCK, ex->stream, log, outer, n, chunk, chunks,
           accumulate, x, y, ties, g, dx);
  else if (inner == 1)
    LAUNCH((spread_rows<Which, 1>), blocks, REDUCE_BLOCK, ex->stream, log, outer, n, chunk, chunks,
           accumulate, x, y, ties, g, dx);
  else if (vec)
    LAUNCH((spread_cols<Which, 4>), blocks, REDUCE_BLOCK, ex->stream, outer, n, width, chunk,
           chunks, accumulate, x, y, ties, g, dx);
  else
    LAUNCH((spread_cols<Which, 1>), blocks, REDUCE_BLOCK, ex->stream, outer, n, width, chunk,
           chunks, accumulate, x, y, ties, g, dx);
}

/* The ties of each line of x, as axis_reduce.h counts them: (outer, inner), and behind it what
 * levels leave. */
static inline size_t ties_bytes(idx outer, idx inner)
{
  return ((size_t)(outer * inner) * sizeof(double) + 15) / 16 * 16;
}

static inline size_t ties_workspace(idx outer, idx n, idx inner)
{
  return ties_bytes(outer, inner) + axis_workspace(outer, n, inner, sizeof(double));
}

static inline void ties_launch(pm_check *c, const pm_exec *ex, idx outer, idx n, idx inner, int vec,
                               const float *x, const float *y)
{
  double *ties = (double *)ex->work;
  axis_launch<axis_reduction<AXIS_TIES>>(c, ex, outer, n, inner,
                                         vec && (inner == 1 || inner % 4 == 0),
                                         (char *)ex->work + ties_bytes(outer, inner), x, y, ties);
}

/* ---- the maximum along rows, inner being 1: 2^log lanes a row, a block where they are more than a
 * warp; W elements at a time, 4 or 1 ---- */

enum { TIES_HELD = 4, TIES_ROW = 1 << 16 };

template <int W> DEV void ties_load(float *v, const float *p)
{
  if (W == 4) {
    float4 q = LD4(p);
    v[0] = q.x, v[1 % W] = q.y, v[2 % W] = q.z, v[3 % W] = q.w;
  } else
    v[0] = LDG(p);
}

/* v: elements of x, of which those that are `top` get `share`, and others `rest`. */
template <int W>
DEV void ties_put(float *p, const float *v, float top, float share, float rest, int accumulate)
{
  float r[4];
  UNROLL
  for (int i = 0; i < W; i++) r[i] = v[i] == top ? share : rest;
  if (W == 4) {
    float4 d = {r[0], r[1 % W], r[2 % W], r[3 % W]};
    ST4(p, accumulate ? plus4(LD4(p), d) : d);
  } else
    STG(p, accumulate ? LDG(p) + r[0] : r[0]);
}

template <int W> DEV float ties_in(const float *v, float top)
{
  float count = 0.0f;
  UNROLL
  for (int i = 0; i < W; i++) count += v[i] == top ? 1.0f : 0.0f;
  return count;
}

template <int W>
KERNEL void ties_rows(int log_lanes, idx rows, int n, int accumulate, const float *RESTRICT x,
                      const float *RESTRICT y, const float *RESTRICT g, float *RESTRICT dx)
{
  SHARED(float, s, 32);
  int lanes = 1 << log_lanes, lane = TID_ & (lanes - 1);
  idx row = ((idx)blockIdx.x * BDIM + TID_) >> log_lanes, at = row * n;
  int have = row < rows ? n / W : 0;
  float top = have ? LDG(y + row) : 0.0f, grad = have ? LDG(g + row) : 0.0f;
  float held[TIES_HELD][W], count = 0.0f, other, share, rest, v[W];
  UNROLL
  for (int j = 0; j < TIES_HELD; j++)
    if (lane + j * lanes < have)
      ties_load<W>(held[j], x + at + W * (lane + j * lanes));
  UNROLL
  for (int j = 0; j < TIES_HELD; j++)
    if (lane + j * lanes < have)
      count += ties_in<W>(held[j], top);
  UNROLL_BY(4)
  for (int k = lane + TIES_HELD * lanes; k < have; k += lanes) {
    ties_load<W>(v, x + at + W * k);
    count += ties_in<W>(v, top);
  }
  if (lanes > AXIS_WARP)
    count = block_sum(count, s);
  else
    for (int m = 1; m < lanes; m *= 2) {
      SHFL_XOR(other, count, m);
      count += other;
    }
  share = over(grad, (double)count);
  rest = over(0.0f, (double)count);
  UNROLL
  for (int j = 0; j < TIES_HELD; j++)
    if (lane + j * lanes < have)
      ties_put<W>(dx + at + W * (lane + j * lanes), held[j], top, share, rest, accumulate);
  UNROLL_BY(4)
  for (int k = lane + TIES_HELD * lanes; k < have; k += lanes) {
    ties_load<W>(v, x + at + W * k);
    ties_put<W>(dx + at + W * k, v, top, share, rest, accumulate);
  }
}

/* As many lanes as have two vectors each, up to a block. */
static inline int ties_log_lanes(idx n)
{
  int log = 0;
  while (log < 8 && (idx)8 << log < n) log++;
  return log;
}

/* n <= TIES_ROW. vec: n is a multiple of 4, x and dx are 16-byte aligned. */
static inline void ties_rows_launch(pm_check *c, const pm_exec *ex, idx rows, idx n, int vec,
                                    int accumulate, const float *x, const float *y, const float *g,
                                    float *dx)
{
  int log = ties_log_lanes(n), block = log > 5 ? 1 << log : REDUCE_BLOCK;
  unsigned blocks = pm_blocks(c, rows << log, block);
  if (blocks && vec)
    LAUNCH(ties_rows<4>, blocks, block, ex->stream, log, rows, (int)n, accumulate, x, y, g, dx);
  else if (blocks)
    LAUNCH(ties_rows<1>, blocks, block, ex->stream, log, rows, (int)n, accumulate, x, y, g, dx);
}
#endif
