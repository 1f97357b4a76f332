/* Matrix product on the tensor cores that keeps f32's accuracy: bf16x3. Every factor is split into
 * three bf16 parts, x = h + m + l, once for all tiles that read it, and six of the nine products of
 * parts are summed by wgmma, smallest first; sums are cut in chunks of 64 inner indices, as the
 * tensor cores cut off what an f32 has no room for, and chunks are added by rounded additions.
 *
 * Factors are multiplied by 2^16 on the way: so a split is exact for all below 2^112, subnormal
 * numbers included. Where a sum comes out as Inf or NaN (factors from 2^112 on, sums from 2^96 on,
 * and what is not finite by right), the element is done again as the chain of the other variants.
 *
 * fast_height has the error, proofs/theory/SplitProduct.v the proof. What the six products leave out
 * is below 2^-22.9 of a product; docs/accuracy.md compares. */
#ifndef PM_PRODUCT_FAST_H
#define PM_PRODUCT_FAST_H
#include "../lang/vec2.h"
#include "../lang/warpgroup.h"
#include "operand.h"

enum {
  PARTS = 3,
  PART_BYTES = sizeof(struct bf16_tile),
  SPLIT_BYTES = PARTS * PART_BYTES, /* of a tile of an operand: its parts one after another */
  SPLIT_THREADS = 256,
  CONSUMERS = 256, /* threads: two warpgroups, each half of the rows of a tile of c */
  FAST_THREADS = CONSUMERS + 32,
  FAST_BYTES = 2 * PIPE_STAGES * SPLIT_BYTES + 1024 /* for tile_aligned */
};

/* Of the tree behind an element, in roundings of f32: 64 nodes that cut count two each, for six
 * products 2.25 each and 4; then one a chunk. */
static inline double fast_height(int64_t k)
{
  return 2.25 * (double)(k < TILE_DEPTH ? k : (int)TILE_DEPTH) + 4 +
         (double)divide_up(k, TILE_DEPTH);
}

/* ---- the split ---- */

/* x[8 r + i]: element (row + r, p + i) of o, 2^16 of it; where there is none, 0. */
DEV void split_load(float (&x)[32], struct operand o, idx k, idx row, idx p)
{
  UNROLL
  for (int e = 0; e < 32; e++) x[e] = 0.0f;
  if (o.vec && o.along_k) {
    UNROLL
    for (int h = 0; h < 8; h++)
      if (row + h / 2 < o.rows && p + h % 2 * 4 < k) {
        const float4 v = LD4(o.at + (row + h / 2) * o.ld + p + h % 2 * 4);
        x[4 * h] = v.x, x[4 * h + 1] = v.y, x[4 * h + 2] = v.z, x[4 * h + 3] = v.w;
      }
  } else if (o.vec) {
    UNROLL
    for (int i = 0; i < 8; i++)
      if (row < o.rows && p + i < k) {
        const float4 v = LD4(o.at + (p + i) * o.ld + row);
        x[i] = v.x, x[8 + i] = v.y, x[16 + i] = v.z, x[24 + i] = v.w;
      }
  } else {
    UNROLL
    for (int e = 0; e < 32; e++)
      if (row + e / 8 < o.rows && p + e % 8 < k)
        x[e] =
            o.at[o.along_k ? (row + e / 8) * o.ld + p + e % 8 : (p + e % 8) * o.ld + row + e / 8];
  }
  UNROLL
  for (int e = 0; e < 32; e++) x[e] = x[e] * 65536.0f;
}

/* Eight neighbours along the inner index, and where their parts go. */
DEV void split_octet(const float *x, char *to)
{
  unsigned w[PARTS][4];
  UNROLL
  for (int i = 0; i < 4; i++) {
    float u = x[2 * i], v = x[2 * i + 1];
    UNROLL
    for (int part = 0; part < PARTS; part++) {
      w[part][i] = bf16_pair(u, v);
      u = u - bf16_low(w[part][i]), v = v - bf16_high(w[part][i]);
    }
  }
  UNROLL
  for (int part = 0; part < PARTS; part++)
    ST4((float *)(to + part * PART_BYTES),
        make_float4(__uint_as_float(w[part][0]), __uint_as_float(w[part][1]),
                    __uint_as_float(w[part][2]), __uint_as_float(w[part][3])));
}

/* Tiles of an operand in the workspace: [product of the batch][128 rows][64 inner indices]. */
DEV void split_tile(struct operand o, idx k, idx tile, char *to)
{
  const int t = TID_, lane = t % 32, warp = t / 32;
  const idx deep = (k + TILE_DEPTH - 1) / TILE_DEPTH, tall = (o.rows + TILE_ROWS - 1) / TILE_ROWS;
  const idx r0 = tile / deep % tall * TILE_ROWS, p0 = tile % deep * TILE_DEPTH;
  o.at += tile / (deep * tall) * o.step;
  /* A warp reads whole lines: 4 rows of eight octets, or the four octets of a half, 32 rows each. */
  const int octet = o.along_k ? lane % 8 : warp % 2 * 4 + lane / 8;
  const int row = o.along_k ? (warp * 4 + lane / 8) * 4 : (warp / 2 * 8 + lane % 8) * 4;
  float x[32];
  split_load(x, o, k, r0 + row, p0 + octet * 8);
  UNROLL
  for (int r = 0; r < 4; r++)
    split_octet(x + 8 * r, to + tile * SPLIT_BYTES + TILE_AT(row + r, octet));
}

KERNEL void __launch_bounds__(SPLIT_THREADS)
    matmul_split(struct product q, idx of_a, char *a, char *b)
{
  if (blockIdx.x < of_a)
    split_tile(q.a, q.k, blockIdx.x, a);
  else
    split_tile(q.b, q.k, blockIdx.x - of_a, b);
}

/* ---- the product ---- */

/* The chain of the other variants. */
DEV float chain(struct product q, idx i, idx j)
{
  const idx da = q.a.along_k ? 1 : q.a.ld, db = q.b.along_k ? 1 : q.b.ld;
  const float *a = q.a.at + (q.a.along_k ? i * q.a.ld : i),
              *b = q.b.at + (q.b.along_k ? j * q.b.ld : j);
  float sum = 0.0f;
  UNROLL_BY(1)
  for (idx p = 0; p < q.k; p++) sum = PM_FMA(a[p * da], b[p * db], sum);
  return sum;
}

DEV bool is_finite(float x) { return x - x == 0.0f; }

/* A thread's sums, as wgmma has them: rows i and i + 8, columns j + 8 e and the next. */
DEV void finish_sums(struct product q, idx i, idx j, const float (&sum)[WGMMA_SUMS])
{
  const float back = 1.0f / 4294967296.0f;
  uint64_t again = 0;
  UNROLL
  for (int e = 0; e < WGMMA_SUMS; e += 2) {
    const idx row = i + e / 2 % 2 * 8, col = j + e / 4 * 8;
    const float u = sum[e], v = sum[e + 1];
    float *c = q.c + row * q.n + col;
    if (row >= q.m || col >= q.n)
      continue;
    if (q.vec && is_finite(u) && is_finite(v)) {
      const float2 old = q.accumulate ? LD2(c) : make_float2(0.0f, 0.0f);
      ST2(c, make_float2(finish(q, u * back, col, old.x), finish(q, v * back, col + 1, old.y)));
      continue;
    }
    if (is_finite(u))
      finish_one(q, c, u * back, col);
    else
      again |= (uint64_t)1 << e;
    if (col + 1 < q.n && is_finite(v))
      finish_one(q, c + 1, v * back, col + 1);
    else if (col + 1 < q.n)
      again |= (uint64_t)2 << e;
  }
  UNROLL_BY(1)
  for (int e = 0; again; e++, again >>= 1)
    if (again & 1) {
      const idx row = i + e / 2 % 2 * 8, col = j + e / 4 * 8 + e % 2;
      finish_one(q, q.c + row * q.n + col, chain(q, row, col), col);
    }
}

/* The six products of a stage: of parts whose numbers add up to 2 at most, smallest first. */
DEV void multiply_parts(float (&d)[WGMMA_SUMS], const char *a, const char *b)
{
  UNROLL
  for (int s = PARTS - 1; s >= 0; s--) UNROLL
  for (int part = s; part >= 0; part--) UNROLL
  for (int p = 0; p < TILE_DEPTH / 16; p++)
    wgmma(d, a + part * PART_BYTES, b + (s - part) * PART_BYTES, p,
          s != PARTS - 1 || part != s || p != 0);
}

/* Persistent blocks: each takes every so many-th tile of c. */
KERNEL void __launch_bounds__(FAST_THREADS, 1)
    matmul_fast(struct product all, idx tiles, const char *parts_a, const char *parts_b)
{
  DYNAMIC(char, dynamic);
  PIPELINE(pipe);
  const int t = TID_, lane = t % 32;
  const bool consumes = t < CONSUMERS, copies = t == CONSUMERS;
  const idx deep = (all.k + TILE_DEPTH - 1) / TILE_DEPTH;
  const idx tall = (all.m + TILE_ROWS - 1) / TILE_ROWS, wide = (all.n + TILE_ROWS - 1) / TILE_ROWS;
  char *const ring = tile_aligned(dynamic);
  int stage = 0, round = 0;
  if (t == 0)
    pipe_open(pipe, CONSUMERS / 32);
  __syncthreads();
  UNROLL_BY(1)
  for (idx tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    struct product q = all;
    idx i0, j0;
    const idx z = tile / (tall * wide);
    place_of(tall, wide, tile % (tall * wide), &i0, &j0);
    const char *a = parts_a + ((q.a.step ? z * tall : 0) + i0) * deep * SPLIT_BYTES,
               *b = parts_b + ((q.b.step ? z * wide : 0) + j0) * deep * SPLIT_BYTES;
    float sum[WGMMA_SUMS], d[WGMMA_SUMS];
    UNROLL
    for (int e = 0; e < WGMMA_SUMS; e++) sum[e] = 0.0f;
    UNROLL_BY(1)
    for (idx step = 0; step < deep; step++) {
      char *const to = ring + stage * 2 * SPLIT_BYTES;
      if (copies) {
        pipe_acquire(pipe, stage, round);
        pipe_copy(pipe, stage, to, a + step * SPLIT_BYTES, SPLIT_BYTES, 2 * SPLIT_BYTES);
        pipe_copy(pipe, stage, to + SPLIT_BYTES, b + step * SPLIT_BYTES, SPLIT_BYTES, 0);
      }
      pipe_wait(pipe, stage, round, consumes);
      if (consumes) {
        wgmma_begin();
        multiply_parts(d, to + t / 128 * (WGMMA_ROWS * 128), to + SPLIT_BYTES);
        wgmma_end(d);
      }
      pipe_release(pipe, stage, consumes);
      if (consumes) {
        UNROLL
        for (int e = 0; e < WGMMA_SUMS; e++) sum[e] = sum[e] + d[e];
      }
      stage = stage + 1 < PIPE_STAGES ? stage + 1 : 0;
      round += stage == 0;
    }
    if (consumes) {
      q.a.at += z * q.a.step, q.b.at += z * q.b.step, q.c += z * q.step_c;
      finish_sums(q, i0 * TILE_ROWS + t / 32 * 16 + lane / 4, j0 * TILE_ROWS + lane % 4 * 2, sum);
    }
  }
}
#endif
