/* How a block copies tiles of an operand into stages of shared memory by cp.async, and what becomes
 * of a sum. A tile is R rows i by DEPTH inner indices p. */
#ifndef PM_PRODUCT_OPERAND_H
#define PM_PRODUCT_OPERAND_H
#include "../lang/async_copy.h"
#include "../math/elementary.h"
#include "product.h"

#define MEMBER __device__ __forceinline__ /* DEV of a member */

/* How a tile lies in a stage:
 *   K16  copied 16 bytes at a time along p, [i][p] with groups of four p XORed by the row: what a
 *        warp reads together lies in different banks
 *   R16  copied 16 bytes at a time along i, [p][i]
 *   K4   copied by the float along p and transposed on the way, [p][i], rows padded by 4
 *   R4   copied by the float along i, [p][i] */
enum layout { K16, R16, K4, R4 };

template <int L, int R, int DEPTH> struct stage_of {
  enum {
    PITCH = L == K4    ? R + 4
            : L == K16 ? DEPTH
                       : R,
    FLOATS = L == K16 ? R * DEPTH : DEPTH * PITCH
  };
};

/* A thread's part in copying the tiles of an operand, one step of DEPTH inner indices after the
 * other. Rows past the end are the last row again, inner indices past the end the step's first: no
 * address is out of bounds, and what these copy is never used. */
template <int L, int R, int DEPTH, int THREADS> struct loader {
  const float *at;
  idx ld;
  int limit, p, to; /* last row that is there, from this thread's; its first p; where it puts it */

  MEMBER void begin(struct operand o, idx r0)
  {
    const int t = TID_;
    ld = o.ld;
    if (L == K16) {
      const int C = DEPTH / 4;
      idx left = o.rows - 1 - r0;
      limit = (left < R ? (int)left : R) - t / C;
      p = t % C * 4;
      at = o.at + (r0 + t / C) * ld + p;
      to = t / C * DEPTH + ((t % C) ^ (t / C % 8)) * 4;
    } else if (L == R16) {
      const int C = R / 4;
      idx i = r0 + t % C * 4;
      p = t / C;
      at = o.at + p * ld + (i < o.rows ? i : o.rows - 4);
      to = t / C * R + t % C * 4;
    } else if (L == K4) {
      idx left = o.rows - 1 - r0;
      limit = (left < R ? (int)left : R) - t / 8;
      p = t % 8;
      at = o.at + (r0 + t / 8) * ld + p;
      to = p * (R + 4) + t / 8;
    } else {
      idx i = r0 + t % R;
      p = t / R;
      at = o.at + p * ld + (i < o.rows ? i : o.rows - 1);
      to = t / R * R + t % R;
    }
  }

  /* The next step, of which the first `tail` inner indices are there. */
  MEMBER void next(float *stage, int tail)
  {
    const int t = TID_;
    if (L == K16) {
      const int C = DEPTH / 4, ROWS = THREADS / C;
      UNROLL
      for (int u = 0; u < (R * C + THREADS - 1) / THREADS; u++)
        if (R * C % THREADS == 0 || t + u * THREADS < R * C)
          copy_async4(stage + to + u * ROWS * DEPTH,
                      at + (u * ROWS < limit ? u * ROWS : limit) * ld - (p < tail ? 0 : p));
      at += DEPTH;
    } else if (L == R16) {
      const int C = R / 4, STEP = THREADS / C;
      UNROLL
      for (int u = 0; u < (DEPTH * C + THREADS - 1) / THREADS; u++)
        if (DEPTH * C % THREADS == 0 || t + u * THREADS < DEPTH * C)
          copy_async4(stage + to + u * STEP * R, at + (p + u * STEP < tail ? u * STEP : -p) * ld);
      at += DEPTH * ld;
    } else if (L == K4) {
      const int ROWS = THREADS / 8;
      UNROLL
      for (int h = 0; h < DEPTH; h += 8) UNROLL
      for (int u = 0; u < (R + ROWS - 1) / ROWS; u++)
        if (R % ROWS == 0 || t / 8 + u * ROWS < R)
          copy_async(stage + to + h * (R + 4) + u * ROWS,
                     at + (u * ROWS < limit ? u * ROWS : limit) * ld + (p + h < tail ? h : -p));
      at += DEPTH;
    } else {
      const int STEP = THREADS / R;
      UNROLL
      for (int u = 0; u < DEPTH / STEP; u++)
        copy_async(stage + to + u * STEP * R, at + (p + u * STEP < tail ? u * STEP : -p) * ld);
      at += DEPTH * ld;
    }
  }
};

/* The number of the block's tile within its product, whose operands and c then are q's. */
DEV idx first_tile(struct product *q, idx tiles)
{
  if (q->batch == 1)
    return blockIdx.x;
  const idx z = blockIdx.x / tiles;
  q->a.at += z * q->a.step;
  q->b.at += z * q->b.step;
  q->c += z * q->step_c;
  return blockIdx.x % tiles;
}

/* Which tile of so many by so many is number `tile`: down GROUP rows of tiles, then to the next column,
 * so that the blocks that run together share what they read in the L2. */
enum { GROUP = 8 };
DEV void place_of(idx tall, idx wide, idx tile, idx *i, idx *j)
{
  const idx band = tile / (GROUP * wide), rest = tile % (GROUP * wide);
  const idx left = tall - band * GROUP, high = left < (idx)GROUP ? left : (idx)GROUP;
  *i = band * GROUP + rest % high;
  *j = rest / high;
}

/* The first element of c's tile that a block has. */
DEV void tile_of(struct product *q, int rows, int cols, idx *i0, idx *j0)
{
  const idx tall = (q->m + rows - 1) / rows, wide = (q->n + cols - 1) / cols;
  place_of(tall, wide, first_tile(q, tall * wide), i0, j0);
  *i0 *= rows;
  *j0 *= cols;
}

/* alpha times a sum, where the inner dimension is empty 0 for any alpha; with the bias of position j
 * along a row of c in memory, and with the old value. */
DEV float finish(struct product q, float sum, idx j, float old)
{
  float v = q.k ? q.alpha * sum : 0.0f;
  if (q.bias)
    v = v + q.bias[j * q.bias_step];
  return q.accumulate ? old + v : v;
}

DEV void finish_one(struct product q, float *c, float sum, idx j)
{
  *c = finish(q, sum, j, q.accumulate ? *c : 0.0f);
}

/* N neighbours in row i of c in memory, from position j on; `whole`: all are there, and four are
 * 16-byte aligned. */
template <int N>
DEV void finish_row(struct product q, idx i, idx j, const float (&sum)[N], int whole)
{
  const idx width = q.swapped ? q.m : q.n;
  float *c = q.c + i * width + j;
  if (N == 4 && whole) {
    float4 old = q.accumulate ? LD4(c) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    ST4(c, make_float4(finish(q, sum[0], j, old.x), finish(q, sum[1 % N], j + 1, old.y),
                       finish(q, sum[2 % N], j + 2, old.z), finish(q, sum[3 % N], j + 3, old.w)));
  } else {
    UNROLL
    for (int e = 0; e < N; e++)
      if (e < width - j)
        finish_one(q, c + e, sum[e], j + e);
  }
}
#endif
