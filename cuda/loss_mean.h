/* Means over a vector in two launches, the same every time: the first leaves a sum a block in the
 * workspace, the second, of one block, adds those up. Where one block is enough there is one
 * launch. */
#ifndef PM_LOSS_MEAN_H
#define PM_LOSS_MEAN_H
#include "loss_targets.h"

enum {
  MEAN_BLOCK = 256,
  MEAN_DEPTH = 4,         /* vectors of each input that a lane has in flight */
  MEAN_MOST_BLOCKS = 1056 /* eight on each of 132 processors */
};

/* Vector q of x, or zeros from hi on. */
DEV float4 mean_load(const float *x, idx q, idx hi, int aligned)
{
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (q < hi && aligned)
    v = LD4(x + 4 * q);
  else if (q < hi)
    v = make_float4(x[4 * q], x[4 * q + 1], x[4 * q + 2], x[4 * q + 3]);
  return v;
}

DEV float square_of(float a, float t)
{
  float d = a - t;
  return d * d;
}

/* What vectors v and w of a and t add to the sum; without SQUARES that is v. */
template <int SQUARES> DEV float mean_part(float4 v, float4 w)
{
  if (SQUARES)
    v = make_float4(square_of(v.x, w.x), square_of(v.y, w.y), square_of(v.z, w.z),
                    square_of(v.w, w.w));
  return (v.x + v.y) + (v.z + v.w);
}

/* out[b] = the sum over block b's part of n elements, by `divisor`: of (a - t)^2, or of a. Block b
 * does vectors b*chunk .., the last block the n - 4V elements behind the V vectors as well. */
template <int SQUARES>
KERNEL void mean_blocks(idx n, idx V, idx chunk, int aligned, float divisor, target_flags flags,
                        const float *RESTRICT a, const float *RESTRICT t, float *RESTRICT out)
{
  SHARED(float, s, 32);
  await_launches();
  if (targets_refused(flags))
    return;
  idx lo = (idx)blockIdx.x * chunk, hi = V - lo < chunk ? V : lo + chunk;
  float sum = 0.0f;
  for (idx q = lo + TID_; q < hi; q += MEAN_DEPTH * BDIM) {
    float4 v[MEAN_DEPTH], w[MEAN_DEPTH];
    UNROLL
    for (int j = 0; j < MEAN_DEPTH; j++) {
      v[j] = mean_load(a, q + j * BDIM, hi, aligned);
      w[j] = SQUARES ? mean_load(t, q + j * BDIM, hi, aligned) : v[j];
    }
    UNROLL
    for (int j = 0; j < MEAN_DEPTH; j++) sum = sum + mean_part<SQUARES>(v[j], w[j]);
  }
  if (blockIdx.x == gridDim.x - 1)
    for (idx k = 4 * V + TID_; k < n; k += BDIM)
      sum = sum + (SQUARES ? square_of(a[k], t[k]) : a[k]);
  sum = block_sum(sum, s);
  if (TID_ == 0)
    out[blockIdx.x] = sum / divisor;
}

/* ---- host ---- */

/* Vectors of a block: whole rounds of its lanes, few enough blocks to be added up by one. */
static inline idx mean_chunk(idx V)
{
  idx chunk = V / MEAN_MOST_BLOCKS + 1;
  if (V <= 16 * MEAN_BLOCK)
    return V > 0 ? V : 1;
  chunk = chunk < 4 * MEAN_BLOCK ? 4 * MEAN_BLOCK : chunk;
  return (chunk + MEAN_BLOCK - 1) / MEAN_BLOCK * MEAN_BLOCK;
}

/* Blocks of the first launch over n elements. */
static inline idx mean_n_blocks(idx n)
{
  idx V = n / 4, chunk = mean_chunk(V);
  return V <= chunk ? 1 : (V - 1) / chunk + 1;
}

/* Additions above an element of a block: in its vector, along its lane, the first to 0, after it the
 * rest's, then 5 across the warp and 3 across the block's 8 warps. */
static inline double mean_block_height(idx vectors, idx rest)
{
  idx rounds = vectors / MEAN_BLOCK + (vectors % MEAN_BLOCK != 0);
  return (double)((rounds ? 2 + rounds - 1 : 0) + (rest > 0 && rounds > 0)) + 8;
}

/* Height of the tree over n elements. */
static inline double mean_height(idx n)
{
  idx V = n / 4, chunk = mean_chunk(V), blocks = mean_n_blocks(n);
  double height = mean_block_height(chunk < V ? chunk : V, n - 4 * V);
  return blocks == 1 ? height : height + mean_block_height(blocks / 4, blocks % 4);
}

/* Floats of workspace. */
static inline idx mean_work(idx n)
{
  idx blocks = mean_n_blocks(n);
  return blocks == 1 ? 0 : blocks;
}

/* y = the sum over n elements, by count; work: mean_work(n) floats. Nothing is written where a flag
 * is set. */
template <int SQUARES>
static inline void launch_mean(void *stream, idx n, idx count, int aligned, target_flags flags,
                               const float *a, const float *t, float *work, float *y)
{
  idx V = n / 4, chunk = mean_chunk(V), blocks = mean_n_blocks(n);
  float by = (float)count;
  if (blocks == 1) {
    LAUNCH_AFTER(mean_blocks<SQUARES>, 1, MEAN_BLOCK, stream, n, V, chunk, aligned, by, flags, a, t,
                 y);
    return;
  }
  LAUNCH_AFTER(mean_blocks<SQUARES>, blocks, MEAN_BLOCK, stream, n, V, chunk, aligned, 1.0f, flags,
               a, t, work);
  LAUNCH_AFTER(mean_blocks<0>, 1, MEAN_BLOCK, stream, blocks, blocks / 4, blocks / 4 + 1, 1, by,
               flags, work, work, y);
}
#endif
