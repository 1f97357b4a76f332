/* Multistage SIMT matrix product (CUTLASS's word): a block has a tile of c in registers, tiles of
 * the operands pass through a ring of stages in shared memory, filled by cp.async, and each thread
 * fetches its fragments four inner indices ahead, across stages too. An inner dimension that is no
 * multiple of the depth ends with single steps: no zeros are added to a chain, as fma(0, 0, -0)
 * would be +0. */
#ifndef PM_PRODUCT_TILE_H
#define PM_PRODUCT_TILE_H
#include "operand.h"

DEV float part(float4 q, int e) { return e == 0 ? q.x : e == 1 ? q.y : e == 2 ? q.z : q.w; }

/* WARPS_M x WARPS_N warps; a warp's lanes are 8 along rows, 4 along columns, a thread has TM x TN
 * elements. Bit 0 of a lane is of its row, bit 1 of its column: where a half warp reads an operand,
 * two lanes each ask for the same 16 bytes. */
template <int WARPS_M, int WARPS_N, int TM, int TN, int DEPTH, int STAGES, int LA, int LB>
struct tile_shape {
  enum {
    ROWS = WARPS_M * 8 * TM,
    COLS = WARPS_N * 4 * TN,
    THREADS = WARPS_M * WARPS_N * 32,
    VA = LA == K16     ? 1 /* neighbouring rows of a thread */
         : TM % 4 == 0 ? 4
         : TM % 2 == 0 ? 2
                       : 1,
    VB = TN % 4 == 0   ? 4
         : TN % 2 == 0 ? 2
                       : 1,
    A_FLOATS = stage_of<LA, ROWS, DEPTH>::FLOATS,
    STAGE = A_FLOATS + stage_of<LB, COLS, DEPTH>::FLOATS,
    BYTES = 4 * STAGES * STAGE
  };
};

/* x[e][i], e < N: elements (row of i, p + e) of a tile, i < T. Rows lie V together, 8 or 4 lanes
 * apart; a tile in K16 gives four p at once. */
template <int L, int V, int T, int LANES, int PITCH, int N>
DEV void fragment(float (&x)[N][T], const float *tile, int row, int p)
{
  if (L == K16) {
    UNROLL
    for (int i = 0; i < T; i++) {
      int r = row + i / V * LANES * V + i % V;
      const float *at = tile + r * PITCH + ((p / 4) ^ (r % 8)) * 4;
      if (N == 4) {
        float4 q = LD4(at);
        UNROLL
        for (int e = 0; e < N; e++) x[e][i] = part(q, e);
      } else
        x[0][i] = LD(at + p % 4);
    }
  } else {
    UNROLL
    for (int e = 0; e < N; e++) UNROLL
    for (int h = 0; h < T / V; h++) {
      const float *at = tile + (p + e) * PITCH + row + h * LANES * V;
      if (V == 4) {
        float4 q = LD4(at);
        UNROLL
        for (int f = 0; f < V; f++) x[e][h * V + f] = part(q, f);
      } else {
        UNROLL
        for (int f = 0; f < V; f++) x[e][h * V + f] = LD(at + f);
      }
    }
  }
}

template <int TM, int TN, int N>
DEV void multiply(float (&acc)[TM][TN], const float (&a)[N][TM], const float (&b)[N][TN])
{
  UNROLL
  for (int e = 0; e < N; e++) UNROLL
  for (int i = 0; i < TM; i++) UNROLL
  for (int j = 0; j < TN; j++) acc[i][j] = PM_FMA(a[e][i], b[e][j], acc[i][j]);
}

template <int WARPS_M, int WARPS_N, int TM, int TN, int DEPTH, int STAGES, int LA, int LB,
          int BLOCKS>
KERNEL void __launch_bounds__(WARPS_M *WARPS_N * 32, BLOCKS) matmul_tile(struct product q)
{
  typedef tile_shape<WARPS_M, WARPS_N, TM, TN, DEPTH, STAGES, LA, LB> S;
  const int PITCH_A = stage_of<LA, S::ROWS, DEPTH>::PITCH,
            PITCH_B = stage_of<LB, S::COLS, DEPTH>::PITCH;
  DYNAMIC(float, ring);
  const int lane = TID_ % 32, warp = TID_ / 32;
  const int down = (lane & 1) | (lane >> 1 & 6), across = (lane >> 1 & 1) | (lane >> 3 & 2);
  const int row = warp / WARPS_N * 8 * TM + S::VA * down,
            col = warp % WARPS_N * 4 * TN + S::VB * across;
  idx i0, j0;
  tile_of(&q, S::ROWS, S::COLS, &i0, &j0);

  loader<LA, S::ROWS, DEPTH, S::THREADS> la;
  loader<LB, S::COLS, DEPTH, S::THREADS> lb;
  la.begin(q.a, i0);
  lb.begin(q.b, j0);
  const idx full = q.k / DEPTH;
  const int tail = (int)(q.k % DEPTH);
  const idx steps = full + (tail > 0);
  float *write = ring, *const end = ring + STAGES * S::STAGE;
  const float *read = ring;
  for (int s = 0; s < STAGES - 1; s++, write += S::STAGE) {
    if (s < steps) {
      la.next(write, s < full ? DEPTH : tail);
      lb.next(write + S::A_FLOATS, s < full ? DEPTH : tail);
    }
    copy_send();
  }
  float acc[TM][TN], a[2][4][TM], b[2][4][TN];
  UNROLL
  for (int i = 0; i < TM; i++) UNROLL
  for (int j = 0; j < TN; j++) acc[i][j] = 0.0f;

  copy_wait_but<STAGES - 2>();
  __syncthreads();
  if (full) {
    fragment<LA, S::VA, TM, 8, PITCH_A, 4>(a[0], read, row, 0);
    fragment<LB, S::VB, TN, 4, PITCH_B, 4>(b[0], read + S::A_FLOATS, col, 0);
  }
  UNROLL_BY(1)
  for (idx step = 0; step < full; step++) {
    if (step + STAGES - 1 < steps) {
      int there = step + STAGES - 1 < full ? DEPTH : tail;
      la.next(write, there);
      lb.next(write + S::A_FLOATS, there);
    }
    copy_send();
    write = write + S::STAGE == end ? ring : write + S::STAGE;
    const float *next = read + S::STAGE == end ? ring : read + S::STAGE;
    UNROLL
    for (int c = 0; c < DEPTH / 4; c++) {
      const int last = c == DEPTH / 4 - 1, now = c % 2;
      if (last) {
        copy_wait_but<STAGES - 2>();
        __syncthreads();
      }
      const float *from = last ? next : read; /* behind the last stage: of what no one uses */
      const int p = last ? 0 : 4 * c + 4;
      fragment<LA, S::VA, TM, 8, PITCH_A, 4>(a[1 - now], from, row, p);
      fragment<LB, S::VB, TN, 4, PITCH_B, 4>(b[1 - now], from + S::A_FLOATS, col, p);
      multiply<TM, TN, 4>(acc, a[now], b[now]);
    }
    read = next;
  }
  UNROLL_BY(1)
  for (int p = 0; p < tail; p++) {
    float x[1][TM], y[1][TN];
    fragment<LA, S::VA, TM, 8, PITCH_A, 1>(x, read, row, p);
    fragment<LB, S::VB, TN, 4, PITCH_B, 1>(y, read + S::A_FLOATS, col, p);
    multiply<TM, TN, 1>(acc, x, y);
  }

  const int whole = q.vec && i0 + S::ROWS <= q.m && j0 + S::COLS <= q.n;
  UNROLL
  for (int i = 0; i < TM; i++) {
    idx r = i0 + row + i / S::VA * 8 * S::VA + i % S::VA;
    UNROLL
    for (int h = 0; h < TN / S::VB; h++) {
      idx c = j0 + col + h * 4 * S::VB;
      float sum[S::VB];
      UNROLL
      for (int e = 0; e < S::VB; e++) sum[e] = acc[i][h * S::VB + e];
      if (whole || r < q.m)
        finish_row<S::VB>(q, r, c, sum, whole);
    }
  }
}
#endif
