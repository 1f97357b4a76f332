/* batch_norm and its VJP where a block does a channel and reads it once: x, y, g, dx are
 * (n, channels, size), the other tensors (channels).
 *
 * Of a thread's vectors of four elements the last few wait in its registers and the first in shared
 * memory, `room` of them in the block; what is over is read again, most of it out of the L2.
 * Vector v belongs to thread v % BDIM throughout: no barrier guards it. */
#ifndef PM_BATCH_NORM_HELD_H
#define PM_BATCH_NORM_HELD_H
#include "batch_norm_parts.h"

enum {
  HELD_X = 8,                        /* forward: a thread's vectors of x in registers */
  HELD_G = 6,                        /* VJP: of g */
  ROOM = (PM_MAX_SHARED - 1024) / 16 /* vectors */
};

/* Rounds of the block before those whose vectors are held: no thread is without a vector in one. */
DEV int rounds_before(int held, int vectors)
{
  int rounds = (vectors + (int)BDIM - 1) / (int)BDIM;
  return rounds > held ? rounds - held : 0;
}

/* Vector v, out of its cell, if it is one of `room`, or else out of memory. */
DEV void load_again(float *q, const float *cells, int v, int room, const float *p, int vec,
                    int have)
{
  if (v < room)
    load_row(q, cells + 4 * v, 1, 1, 0, 0, 4, 0.0f);
  else
    load_row(q, p, 1, vec, 0, 0, have, 0.0f);
}

template <int VEC>
KERNEL void __launch_bounds__(BIG_BLOCK)
    batch_held(idx n, idx channels, int size, int room, float eps, const float *RESTRICT x,
               const float *RESTRICT gamma, const float *RESTRICT beta, float *RESTRICT y,
               float *RESTRICT mean, float *RESTRICT rstd)
{
  DYNAMIC(float, cells);
  SHARED(float, s0, 32);
  SHARED(float, s1, 32);
  const int step = BDIM, vectors = (int)n * ((size + 3) / 4),
            before = rounds_before(HELD_X, vectors);
  const int end = before * step, t = end + TID_;
  const idx c = blockIdx.x, count = n * size;
  const chan_walk<int> begin = walk_from<int>(channels, size, c, TID_);
  chan_walk<int> w = begin;
  float held[4 * HELD_X], q[4], m, r, s = 0.0f;
  UNROLL_BY(4)
  for (int v = TID_; v < end; v += step, walk_on(&w)) {
    load_row(q, x + w.at, 1, VEC, 0, 0, elements<VEC>(&w, size), 0.0f);
    if (v < room)
      STS4(cells + 4 * v, make_float4(q[0], q[1], q[2], q[3]));
    s = s + sum_all(q, 1);
  }
  UNROLL
  for (int j = 0; j < HELD_X; j++, walk_on(&w)) {
    int have = t + j * step < vectors ? elements<VEC>(&w, size) : 0;
    load_row(held + 4 * j, x + w.at, 1, VEC, 0, 0, have, 0.0f);
  }
  m = block_sum(s + sum_all(held, HELD_X), s0) / (float)count;
  w = begin;
  s = 0.0f;
  UNROLL_BY(4)
  for (int v = TID_; v < end; v += step, walk_on(&w)) {
    int have = elements<VEC>(&w, size);
    load_again(q, cells, v, room, x + w.at, VEC, have);
    center_row(q, m, 1, 0, 0, have);
    s = s + dot_all(q, q, 1);
  }
  UNROLL
  for (int j = 0; j < HELD_X; j++, walk_on(&w))
    center_row(held + 4 * j, m, 1, 0, 0, t + j * step < vectors ? elements<VEC>(&w, size) : 0);
  r = rstd_of(block_sum(s + dot_all(held, held, HELD_X), s1), count, eps);
  float ga = gamma[c], be = beta[c];
  w = begin;
  UNROLL_BY(4)
  for (int v = TID_; v < end; v += step, walk_on(&w)) {
    int have = elements<VEC>(&w, size);
    load_again(q, cells, v, room, x + w.at, VEC, have);
    center_row(q, m, 1, 0, 0, have);
    scale_shift(q, r, ga, be);
    put_once(y + w.at, q, VEC, have);
  }
  UNROLL
  for (int j = 0; j < HELD_X; j++, walk_on(&w)) {
    scale_shift(held + 4 * j, r, ga, be);
    put_once(y + w.at, held + 4 * j, VEC, t + j * step < vectors ? elements<VEC>(&w, size) : 0);
  }
  if (TID_ == 0)
    mean[c] = m, rstd[c] = r;
}

/* Into a cell, to be there after copy_wait(). */
DEV void fetch_vector(float *cell, const float *p, int vec, int have)
{
  if (vec) {
    copy_async4(cell, p);
    return;
  }
  UNROLL
  for (int i = 0; i < 4; i++)
    if (i < have)
      copy_async(cell + i, p + i);
    else
      cell[i] = 0.0f;
}

/* Registers hold g, cells x. */
template <int VEC>
KERNEL void __launch_bounds__(BIG_BLOCK)
    batch_vjp_held(int accumulate, idx n, idx channels, int size, int room, const float *RESTRICT x,
                   const float *RESTRICT gamma, const float *RESTRICT mean,
                   const float *RESTRICT rstd, const float *RESTRICT g, float *RESTRICT dx,
                   float *RESTRICT dgamma, float *RESTRICT dbeta)
{
  DYNAMIC(float, cells);
  SHARED(float, s0, 32);
  SHARED(float, s1, 32);
  const int step = BDIM, vectors = (int)n * ((size + 3) / 4),
            before = rounds_before(HELD_G, vectors);
  const int end = before * step, t = end + TID_;
  const idx c = blockIdx.x, count = n * size;
  const float m = mean[c], r = rstd[c], ga = gamma[c];
  const chan_walk<int> begin = walk_from<int>(channels, size, c, TID_);
  chan_walk<int> w = begin;
  float held[4 * HELD_G], q[4], p[4], sum = 0.0f, hat = 0.0f;
  for (int v = TID_; v < vectors && v < room; v += step, walk_on(&w))
    fetch_vector(cells + 4 * v, x + w.at, VEC, elements<VEC>(&w, size));
  w = walk_from<int>(channels, size, c, t);
  UNROLL
  for (int j = 0; j < HELD_G; j++, walk_on(&w)) {
    int have = t + j * step < vectors ? elements<VEC>(&w, size) : 0;
    load_row(held + 4 * j, g + w.at, 1, VEC, 0, 0, have, 0.0f);
  }
  copy_wait();
  w = begin;
  UNROLL_BY(4)
  for (int v = TID_; v < end; v += step, walk_on(&w)) {
    int have = elements<VEC>(&w, size);
    load_row(p, g + w.at, 1, VEC, 0, 0, have, 0.0f);
    load_again(q, cells, v, room, x + w.at, VEC, have);
    to_hat(q, m, r, have);
    sum = sum + sum_all(p, 1);
    hat = hat + dot_all(p, q, 1);
  }
  UNROLL
  for (int j = 0; j < HELD_G; j++, walk_on(&w)) {
    int v = t + j * step, have = v < vectors ? elements<VEC>(&w, size) : 0;
    if (have) {
      load_again(q, cells, v, room, x + w.at, VEC, have);
      to_hat(q, m, r, have);
      hat = hat + dot_all(held + 4 * j, q, 1);
    }
  }
  sum = block_sum(sum + sum_all(held, HELD_G), s0);
  hat = block_sum(hat, s1);
  const float mean_g = sum / (float)count, mean_hat = hat / (float)count;
  w = begin;
  UNROLL_BY(2)
  for (int v = TID_; v < end; v += step, walk_on(&w)) {
    int have = elements<VEC>(&w, size);
    load_row(p, g + w.at, 1, VEC, 0, 0, have, 0.0f);
    load_again(q, cells, v, room, x + w.at, VEC, have);
    to_hat(q, m, r, have);
    put_pulled(dx + w.at, q, p, mean_g, mean_hat, r, ga, accumulate, VEC, have);
  }
  UNROLL
  for (int j = 0; j < HELD_G; j++, walk_on(&w)) {
    int v = t + j * step, have = v < vectors ? elements<VEC>(&w, size) : 0;
    if (have) {
      load_again(q, cells, v, room, x + w.at, VEC, have);
      to_hat(q, m, r, have);
      put_pulled(dx + w.at, q, held + 4 * j, mean_g, mean_hat, r, ga, accumulate, VEC, have);
    }
  }
  if (TID_ == 0) {
    put_sum(dgamma + c, hat, accumulate);
    put_sum(dbeta + c, sum, accumulate);
  }
}
#endif
