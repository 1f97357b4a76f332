/* VJPs of the reductions over an axis (axis_reduce.h): dx, (outer, n, inner), of g, (outer, inner).
 * That of the maximum counts first how many elements of each line are the largest: a group of lanes
 * or a block does both for a row that it keeps, or finds in the caches; any other line is counted by
 * the levels of a reduction. */
#ifndef PM_AXIS_SPREAD_H
#define PM_AXIS_SPREAD_H
#include "axis_reduce.h"

/* What reaches an element x of dx's line, of which g is the cotangent: g; g / n; g in equal parts to
 * those x that are y, n of them, and 0 to the others, NaN where there are none. */
template <int Which> DEV float axis_share(float g, float x, float y, double n)
{
  return Which == AXIS_SUM ? g : over(Which == AXIS_MEAN || x == y ? g : 0.0f, n);
}

DEV idx axis_quotient(idx a, idx b)
{
  return (a | b) >> 32 ? a / b : (idx)((unsigned)a / (unsigned)b);
}

/* r: elements e .. e+M-1 of dx, v those of x. */
template <int Which, int M>
DEV void axis_spread_of(float *r, const float *v, idx e, idx n, idx inner, const float *RESTRICT y,
                        const double *RESTRICT ties, const float *RESTRICT g)
{
  idx row = inner == 1 ? e : axis_quotient(e, inner), i = e - row * inner;
  idx o = axis_quotient(row, n), j = row - o * n;
  UNROLL
  for (int k = 0; k < M; k++) {
    idx line = o * inner + i;
    if (Which == AXIS_MAX)
      r[k] = axis_share<Which>(LDG(g + line), v[k], LDG(y + line), ties[line]);
    else
      r[k] = axis_share<Which>(LDG(g + line), 0.0f, 0.0f, (double)n);
    i++;
    if (i == inner) {
      i = 0;
      j++;
    }
    if (j == n) {
      j = 0;
      o++;
    }
  }
}

/* Thread t does elements 4t .. 4t+3 of dx for t < V, the others one of the rest each. */
template <int Which>
KERNEL void axis_spread(idx all, idx V, idx n, idx inner, int accumulate, const float *RESTRICT x,
                        const float *RESTRICT y, const double *RESTRICT ties,
                        const float *RESTRICT g, float *RESTRICT dx)
{
  GLANES(t) {
    if (t < V) {
      float4 v = {0, 0, 0, 0}, d;
      float in[4], r[4];
      if (Which == AXIS_MAX)
        v = LD4(x + 4 * t);
      in[0] = v.x, in[1] = v.y, in[2] = v.z, in[3] = v.w;
      axis_spread_of<Which, 4>(r, in, 4 * t, n, inner, y, ties, g);
      d.x = r[0], d.y = r[1], d.z = r[2], d.w = r[3];
      ST4(dx + 4 * t, accumulate ? plus4(LD4(dx + 4 * t), d) : d);
    } else if (3 * V + t < all) {
      idx e = 3 * V + t;
      float in[1] = {Which == AXIS_MAX ? LDG(x + e) : 0.0f}, r[1];
      axis_spread_of<Which, 1>(r, in, e, n, inner, y, ties, g);
      STG(dx + e, accumulate ? LDG(dx + e) + r[0] : r[0]);
    }
  }
}

template <int Which>
static void axis_spread_launch(pm_check *c, const pm_exec *ex, idx outer, idx n, idx inner, int vec,
                               int accumulate, const float *x, const float *y, const double *ties,
                               const float *g, float *dx)
{
  idx all = outer * n * inner, V = vec ? all / 4 : 0;
  unsigned blocks = pm_blocks(c, all - 3 * V, REDUCE_BLOCK);
  if (blocks)
    LAUNCH(axis_spread<Which>, blocks, REDUCE_BLOCK, ex->stream, all, V, n, inner, accumulate, x, y,
           ties, g, dx);
}

/* How often each line of x has its element of y: (outer, inner), and behind it what levels leave. */
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
