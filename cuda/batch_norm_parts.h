/* batch_norm_vjp where a channel is cut into `parts` of `chunk` vectors of four elements, a block
 * each, and what it shares with batch_norm_cluster.h: x, g, dx are (n, channels, size), the other
 * tensors (channels).
 *
 * What a block sums it leaves in the workspace, (channels, parts), and every block of the next
 * launch adds up its channel's parts, all in the same order: sums of g and of g xhat, then dx. */
#ifndef PM_BATCH_NORM_PARTS_H
#define PM_BATCH_NORM_PARTS_H
#include "norm_rows.h"

/* A thread's way over a channel's vectors, BDIM apart. Vector v is number v % V of row v / V; it is
 * at element `at` of the tensor, in column `col` of its row. */
template <class I> struct chan_walk {
  idx at, leap, wrap; /* elements to the next vector, and back where the row ends before it */
  I col, stride, width;
};

template <class I> DEV chan_walk<I> walk_from(idx channels, idx size, idx c, idx v)
{
  chan_walk<I> w;
  idx V = (size + 3) / 4, i = v / V, rows = BDIM / V;
  w.width = (I)(4 * V);
  w.col = (I)(4 * (v - i * V));
  w.stride = (I)(4 * (BDIM - rows * V));
  w.at = (i * channels + c) * size + w.col;
  w.leap = rows * channels * size + w.stride;
  w.wrap = channels * size - w.width;
  return w;
}

template <class I> DEV void walk_on(chan_walk<I> *w)
{
  w->col += w->stride;
  w->at += w->leap;
  if (w->col >= w->width) {
    w->col -= w->width;
    w->at += w->wrap;
  }
}

/* Elements of the vector: all four, except at the end of a row. */
template <int VEC, class I> DEV int elements(const chan_walk<I> *w, I size)
{
  return VEC || size - w->col > 4 ? 4 : (int)(size - w->col);
}

DEV void put_once(float *p, const float *q, int vec, int have)
{
  if (vec && have)
    store4_once(p, make_float4(q[0], q[1], q[2], q[3]));
  else
    store_row(p, q, 1, 0, 0, 0, have);
}

/* q = q r gamma + beta */
DEV void scale_shift(float *q, float r, float gamma, float beta)
{
  UNROLL
  for (int k = 0; k < 4; k++) q[k] = q[k] * r * gamma + beta;
}

/* q = xhat of x */
DEV void to_hat(float *q, float m, float r, int have)
{
  center_row(q, m, 1, 0, 0, have);
  UNROLL
  for (int k = 0; k < 4; k++) q[k] = q[k] * r;
}

/* What a vector of xhat and one of g give dx. */
DEV void put_pulled(float *dx, float *hat, const float *g, float mean_g, float mean_hat, float r,
                    float gamma, int accumulate, int vec, int have)
{
  pull_back(hat, g, mean_g, mean_hat, r, 1);
  UNROLL
  for (int k = 0; k < 4; k++) hat[k] = hat[k] * gamma;
  if (accumulate) {
    float old[4];
    load_row(old, dx, 1, vec, 0, 0, have, 0.0f);
    add_all(hat, old, 1);
  }
  put_once(dx, hat, vec, have);
}

/* One cell of a gradient of gamma or beta. */
DEV void put_sum(float *p, float sum, int accumulate) { *p = accumulate ? *p + sum : sum; }

/* What a block does: the vectors lo <= v < hi of channel c. */
struct batch_part {
  idx c, lo, hi, count;
  int first; /* of its channel */
};

DEV batch_part part_of(idx n, idx size, idx chunk, idx parts)
{
  batch_part b;
  idx vectors = n * ((size + 3) / 4);
  b.c = blockIdx.x / parts;
  b.lo = (blockIdx.x - b.c * parts) * chunk;
  b.hi = b.lo + chunk < vectors ? b.lo + chunk : vectors;
  b.count = n * size;
  b.first = b.lo == 0;
  return b;
}

/* The sum of a channel's parts, the same in every thread. */
DEV float sum_parts(const float *part, idx parts, float *s)
{
  float sum = 0.0f;
  for (idx p = TID_; p < parts; p += BDIM) sum = sum + part[p];
  return block_sum(sum, s);
}

/* of_g, of_hat: the parts' sums of g and of g xhat, (channels, parts) */
template <int VEC>
KERNEL void batch_vjp_sums(idx n, idx channels, idx size, idx chunk, idx parts,
                           const float *RESTRICT x, const float *RESTRICT mean,
                           const float *RESTRICT rstd, const float *RESTRICT g,
                           float *RESTRICT of_g, float *RESTRICT of_hat)
{
  SHARED(float, s0, 32);
  SHARED(float, s1, 32);
  const batch_part b = part_of(n, size, chunk, parts);
  float m = mean[b.c], r = rstd[b.c], sum = 0.0f, hat = 0.0f;
  chan_walk<idx> w = walk_from<idx>(channels, size, b.c, b.lo + TID_);
  UNROLL_BY(4)
  for (idx v = b.lo + TID_; v < b.hi; v += BDIM) {
    int have = elements<VEC>(&w, size);
    float q[4], p[4];
    load_row(q, x + w.at, 1, VEC, 0, 0, have, 0.0f);
    load_row(p, g + w.at, 1, VEC, 0, 0, have, 0.0f);
    to_hat(q, m, r, have);
    sum = sum + sum_all(p, 1);
    hat = hat + dot_all(p, q, 1);
    walk_on(&w);
  }
  sum = block_sum(sum, s0);
  hat = block_sum(hat, s1);
  if (TID_ == 0)
    of_g[blockIdx.x] = sum, of_hat[blockIdx.x] = hat;
}

template <int VEC>
KERNEL void batch_vjp_put(int accumulate, idx n, idx channels, idx size, idx chunk, idx parts,
                          const float *RESTRICT x, const float *RESTRICT gamma,
                          const float *RESTRICT mean, const float *RESTRICT rstd,
                          const float *RESTRICT g, const float *RESTRICT of_g,
                          const float *RESTRICT of_hat, float *RESTRICT dx, float *RESTRICT dgamma,
                          float *RESTRICT dbeta)
{
  SHARED(float, s0, 32);
  SHARED(float, s1, 32);
  const batch_part b = part_of(n, size, chunk, parts);
  float m = mean[b.c], r = rstd[b.c], ga = gamma[b.c];
  float sum = sum_parts(of_g + b.c * parts, parts, s0);
  float hat = sum_parts(of_hat + b.c * parts, parts, s1);
  float mean_g = sum / (float)b.count, mean_hat = hat / (float)b.count;
  chan_walk<idx> w = walk_from<idx>(channels, size, b.c, b.lo + TID_);
  UNROLL_BY(2)
  for (idx v = b.lo + TID_; v < b.hi; v += BDIM) {
    int have = elements<VEC>(&w, size);
    float q[4], p[4];
    load_row(q, x + w.at, 1, VEC, 0, 0, have, 0.0f);
    load_row(p, g + w.at, 1, VEC, 0, 0, have, 0.0f);
    to_hat(q, m, r, have);
    put_pulled(dx + w.at, q, p, mean_g, mean_hat, r, ga, accumulate, VEC, have);
    walk_on(&w);
  }
  if (TID_ == 0 && b.first) {
    put_sum(dgamma + b.c, hat, accumulate);
    put_sum(dbeta + b.c, sum, accumulate);
  }
}
#endif
