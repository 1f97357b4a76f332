/* Vectors of a channel on the way of batch_norm_cluster.h over them: x and y are
 * (n, channels, size). */
#ifndef PM_BATCH_NORM_WALK_H
#define PM_BATCH_NORM_WALK_H
#include "norm_rows.h"

/* A thread's way over a channel's vectors, BDIM apart. Vector v is number v % V of row v / V; it is
 * at element `at` of the tensor, in column `col` of its row. */
struct chan_walk {
  idx at, leap, wrap; /* elements to the next vector, and back where the row ends before it */
  int col, stride, width;
};

DEV chan_walk walk_from(idx channels, idx size, idx c, idx v)
{
  chan_walk w;
  idx V = (size + 3) / 4, i = v / V, rows = BDIM / V;
  w.width = (int)(4 * V);
  w.col = (int)(4 * (v - i * V));
  w.stride = (int)(4 * (BDIM - rows * V));
  w.at = (i * channels + c) * size + w.col;
  w.leap = rows * channels * size + w.stride;
  w.wrap = channels * size - w.width;
  return w;
}

DEV void walk_on(chan_walk *w)
{
  w->col += w->stride;
  w->at += w->leap;
  if (w->col >= w->width) {
    w->col -= w->width;
    w->at += w->wrap;
  }
}

/* Elements of the vector: all four, except at the end of a row. */
template <int VEC> DEV int elements(const chan_walk *w, int size)
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

#endif
