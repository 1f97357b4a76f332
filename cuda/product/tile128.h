/* The large tile of the multistage SIMT matrix product: 128 x 128 of c a block, 8 x 16 a thread,
 * 16 inner indices a stage. In shared memory both operands lie [p][row], so that fragments of one p
 * meet in few register banks. An operand that is contiguous along p is read 16 bytes at a time
 * into registers and stored transposed: A in the first half of a step, B in the second, through the
 * same registers. Fragments are fetched one p ahead, across stages too.
 *
 * BY_ROWS      order of a thread's products: rows outside, columns to and fro, or the other way.
 *              It decides how ptxas lays out registers, and 3 to 8 % of the time
 * WHOLE        the loop's body is a stage, else half of one, where a stage misses the instruction
 *              cache (both operands transposed)
 * AMONG        the transposing stores stand among the products, four at a time
 * All bits are the chain's whichever is taken. */
#ifndef PM_PRODUCT_TILE128_H
#define PM_PRODUCT_TILE128_H
#include "../lang/shared_in_order.h"
#include "operand.h"

enum { WIDE = 128, STEP = 16, RING = 3 };

/* An operand on its way into a stage: by cp.async, or T: transposed through registers. */
template <bool T> struct carrier;

template <> struct carrier<false> {
  enum { PITCH = WIDE };
  loader<R16, WIDE, STEP, WIDE> by;
  MEMBER void begin(struct operand o, idx r0) { by.begin(o, r0); }
  MEMBER void fetch(float *stage, int tail, float4 *) { by.next(stage, tail); }
  MEMBER void put(float *, const float4 *, int) {}
};

/* Thread t has rows t/4, t/4 + 32, .. and four p from t % 4 * 4; rows lie XORed by 8 in the upper half
 * of the p, padded by 4: no two of a warp's stores meet in a bank. */
template <> struct carrier<true> {
  enum { PITCH = WIDE + 4 };
  const float *at;
  int ld, limit, p;
  MEMBER void begin(struct operand o, idx r0)
  {
    idx left = o.rows - 1 - r0;
    ld = (int)o.ld;
    limit = (left < WIDE ? (int)left : WIDE) - TID_ / 4;
    p = TID_ % 4 * 4;
    at = o.at + (r0 + TID_ / 4) * o.ld + p;
  }
  MEMBER void fetch(float *, int tail, float4 *held)
  {
    UNROLL
    for (int u = 0; u < 4; u++)
      held[u] = LD4(at + (idx)(32 * u < limit ? 32 * u : limit) * ld - (p < tail ? 0 : p));
    at += STEP;
  }
  MEMBER void put(float *stage, const float4 *held, int u)
  {
    float *to = stage + p * PITCH + (TID_ / 4 ^ p / 8 * 8) + 32 * u;
    store_in_order(to, held[u].x);
    store_in_order(to + PITCH, held[u].y);
    store_in_order(to + 2 * PITCH, held[u].z);
    store_in_order(to + 3 * PITCH, held[u].w);
  }
};

template <bool IN_ORDER, int N> DEV void fetch_row(float (&x)[N], const float *at, int apart)
{
  UNROLL
  for (int h = 0; h < N / 4; h++) {
    float4 q = IN_ORDER ? load4_in_order(at + h * apart) : LD4(at + h * apart);
    x[4 * h] = q.x, x[4 * h + 1] = q.y, x[4 * h + 2] = q.z, x[4 * h + 3] = q.w;
  }
}

template <bool BY_ROWS>
DEV void products(float (&acc)[8][16], const float (&a)[8], const float (&b)[16])
{
  if (BY_ROWS) {
    UNROLL
    for (int i = 0; i < 8; i++) UNROLL
    for (int to = 0; to < 16; to++) {
      const int j = i % 2 ? 15 - to : to;
      acc[i][j] = PM_FMA(a[i], b[j], acc[i][j]);
    }
  } else {
    UNROLL
    for (int j = 0; j < 16; j++) UNROLL
    for (int to = 0; to < 8; to++) {
      const int i = j % 2 ? 7 - to : to;
      acc[i][j] = PM_FMA(a[i], b[j], acc[i][j]);
    }
  }
}

/* Of the half of a stage: where row i of its first p lies. */
template <bool T> DEV int half_at(int i, int half)
{
  return half * 8 * carrier<T>::PITCH + (T ? i ^ half * 8 : i);
}

template <bool TA, bool TB> struct tile128_shape {
  enum {
    A_FLOATS = STEP * carrier<TA>::PITCH,
    STAGE = A_FLOATS + STEP * carrier<TB>::PITCH,
    BYTES = 4 * RING * STAGE
  };
};

template <bool TA, bool TB, bool BY_ROWS, bool WHOLE, bool AMONG>
KERNEL void __launch_bounds__(128, 2) matmul_tile128(struct product q)
{
  typedef tile128_shape<TA, TB> S;
  const int PA = carrier<TA>::PITCH, PB = carrier<TB>::PITCH;
  const bool ORDER = !(TA && TB); /* 4 % for one, -3 % for the other */
  DYNAMIC(float, ring);
  const int lane = TID_ % 32, warp = TID_ / 32;
  const int down = (lane & 1) | (lane >> 1 & 6), across = (lane >> 1 & 1) | (lane >> 3 & 2);
  const int row = warp / 2 * 64 + 4 * down, col = warp % 2 * 64 + 4 * across;
  idx i0, j0;
  tile_of(&q, WIDE, WIDE, &i0, &j0);

  carrier<TA> ca;
  carrier<TB> cb;
  float4 held[4];
  ca.begin(q.a, i0);
  cb.begin(q.b, j0);
  const int k = (int)q.k, full = k / STEP, tail = k % STEP, steps = full + (tail > 0);
  int write = 0, read = 0; /* stages, by their first float */
  UNROLL_BY(1)
  for (int s = 0; s < RING - 1; s++, write += S::STAGE) {
    if (s < steps) {
      int there = s < full ? STEP : tail;
      ca.fetch(ring + write, there, held);
      UNROLL
      for (int u = 0; u < 4; u++) ca.put(ring + write, held, u);
      cb.fetch(ring + write + S::A_FLOATS, there, held);
      UNROLL
      for (int u = 0; u < 4; u++) cb.put(ring + write + S::A_FLOATS, held, u);
    }
    copy_send();
  }
  float acc[8][16], a[2][8], b[2][16];
  UNROLL
  for (int i = 0; i < 8; i++) UNROLL
  for (int j = 0; j < 16; j++) acc[i][j] = 0.0f;

  auto fetch = [&](int into, int ra, int rb, int p) {
    fetch_row<ORDER, 8>(a[into], ring + ra + p * PA, 32);
    fetch_row<ORDER, 16>(b[into], ring + rb + p * PB, 16);
  };
  copy_wait_but<RING - 2>();
  __syncthreads();
  int ra = read + half_at<TA>(row, 0), rb = read + S::A_FLOATS + half_at<TB>(col, 0);
  if (full)
    fetch(0, ra, rb, 0);
  auto half_step = [&](int step, int half) {
    const bool more = step + RING - 1 < steps;
    if (more) {
      int there = step + RING - 1 < full ? STEP : tail;
      if (half == 0)
        ca.fetch(ring + write, there, held);
      else
        cb.fetch(ring + write + S::A_FLOATS, there, held);
    }
    if (half)
      copy_send();
    UNROLL
    for (int p = 0; p < 7; p++) {
      fetch((p + 1) % 2, ra, rb, p + 1);
      if (AMONG && p >= 3 && more) {
        if (half == 0)
          ca.put(ring + write, held, p - 3);
        else
          cb.put(ring + write + S::A_FLOATS, held, p - 3);
      }
      products<BY_ROWS>(acc, a[p % 2], b[p % 2]);
    }
    if (half) {
      copy_wait_but<RING - 2>();
      __syncthreads();
      read = read + S::STAGE == RING * S::STAGE ? 0 : read + S::STAGE;
    }
    ra = read + half_at<TA>(row, 1 - half), rb = read + S::A_FLOATS + half_at<TB>(col, 1 - half);
    fetch(0, ra, rb, 0); /* behind the last stage of what no one uses */
    products<BY_ROWS>(acc, a[1], b[1]);
    if (!AMONG && more) {
      UNROLL
      for (int u = 0; u < 4; u++)
        if (half == 0)
          ca.put(ring + write, held, u);
        else
          cb.put(ring + write + S::A_FLOATS, held, u);
    }
    if (half)
      write = write + S::STAGE == RING * S::STAGE ? 0 : write + S::STAGE;
  };
  if (WHOLE) {
    UNROLL_BY(1)
    for (int step = 0; step < full; step++) half_step(step, 0), half_step(step, 1);
  } else {
    UNROLL_BY(1)
    for (int h = 0; h < 2 * full; h++) half_step(h / 2, h % 2);
  }
  if (tail) {
    copy_wait_but<0>();
    __syncthreads();
    UNROLL_BY(1)
    for (int p = 0; p < tail; p++) {
      fetch(0, read + half_at<TA>(row, p / 8), read + S::A_FLOATS + half_at<TB>(col, p / 8), p % 8);
      products<BY_ROWS>(acc, a[0], b[0]);
    }
  }

  const int whole = q.vec && i0 + WIDE <= q.m && j0 + WIDE <= q.n;
  if (q.swapped) {
    UNROLL
    for (int j = 0; j < 16; j++) UNROLL
    for (int h = 0; h < 2; h++) {
      const idx c = j0 + col + j / 4 * 16 + j % 4, r = i0 + row + h * 32;
      const float sum[4] = {acc[4 * h][j], acc[4 * h + 1][j], acc[4 * h + 2][j], acc[4 * h + 3][j]};
      if (whole || c < q.n)
        finish_row<4>(q, c, r, sum, whole);
    }
  } else {
    UNROLL
    for (int i = 0; i < 8; i++) UNROLL
    for (int h = 0; h < 4; h++) {
      const idx r = i0 + row + i / 4 * 32 + i % 4, c = j0 + col + h * 16;
      const float sum[4] = {acc[i][4 * h], acc[i][4 * h + 1], acc[i][4 * h + 2], acc[i][4 * h + 3]};
      if (whole || r < q.m)
        finish_row<4>(q, r, c, sum, whole);
    }
  }
}
#endif
