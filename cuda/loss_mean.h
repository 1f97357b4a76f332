/* Means over a vector, dealt to blocks as sums are (sum_plan.h). */
#ifndef PM_LOSS_MEAN_H
#define PM_LOSS_MEAN_H
#include "loss_targets.h"
#include "sum_plan.h"

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

DEV int refused4(float4 v) { return v.x < 0.0f || v.y < 0.0f || v.z < 0.0f || v.w < 0.0f; }

/* out[b] = the sum over block b's part of n elements, by `divisor`. Block b does vectors b*chunk ..,
 * the last block the n - 4V elements behind the V vectors as well. Where an element is REFUSED so is
 * the sum; `last`: it is not written, and *status says so. */
KERNEL void mean_blocks(idx n, idx V, idx chunk, int aligned, float divisor, int last,
                        const float *RESTRICT a, float *RESTRICT out, int *status)
{
  enum { DEPTH = 8 }; /* vectors that a lane has in flight */
  SHARED(float, s, 32);
  await_launches();
  idx lo = (idx)blockIdx.x * chunk, hi = V - lo < chunk ? V : lo + chunk;
  float sum = 0.0f;
  int refused = 0;
  for (idx q = lo + TID_; q < hi; q += DEPTH * BDIM) {
    float4 v[DEPTH];
    UNROLL
    for (int j = 0; j < DEPTH; j++) v[j] = mean_load(a, q + j * BDIM, hi, aligned);
    UNROLL
    for (int j = 0; j < DEPTH; j++) {
      sum = sum + ((v[j].x + v[j].y) + (v[j].z + v[j].w));
      refused |= refused4(v[j]);
    }
  }
  if (blockIdx.x == gridDim.x - 1)
    for (idx k = 4 * V + TID_; k < n; k += BDIM) {
      sum = sum + a[k];
      refused |= a[k] < 0.0f;
    }
  refused = __syncthreads_or(refused);
  sum = block_sum(sum, s);
  if (TID_ != 0)
    return;
  if (!refused)
    out[blockIdx.x] = sum / divisor;
  else if (!last)
    out[blockIdx.x] = REFUSED;
  else if (status)
    *status = PM_BAD_ARGUMENT;
}

/* ---- host ---- */

/* y = the sum over n elements, by count; work: sum_parts(n) floats. Where a sum of losses is
 * refused *status says so and y is not written. */
static inline void launch_mean(void *stream, idx n, idx count, const float *a, float *work,
                               float *y, int *status)
{
  idx V = n / 4, chunk = sum_chunk(V), blocks = sum_n_blocks(V, chunk);
  float by = (float)count;
  if (blocks > 1) {
    LAUNCH_AFTER(mean_blocks, blocks, SUM_BLOCK, stream, n, V, chunk, 1, 1.0f, 0, a, work, status);
    a = work, n = blocks, V = blocks / 4, chunk = V + 1;
  }
  LAUNCH_AFTER(mean_blocks, 1, SUM_BLOCK, stream, n, V, chunk, 1, by, 1, a, y, status);
}
#endif
