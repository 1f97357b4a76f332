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

DEV int refused4(float4 v) { return v.x < 0.0f || v.y < 0.0f || v.z < 0.0f || v.w < 0.0f; }

/* out[b] = the sum over block b's part of n elements, by `divisor`: of (a - t)^2, or of a. Block b
 * does vectors b*chunk .., the last block the n - 4V elements behind the V vectors as well. Without
 * SQUARES, where an element is REFUSED so is the sum; `last`: it is not written, and *status says
 * so. */
template <int SQUARES>
KERNEL void mean_blocks(idx n, idx V, idx chunk, int aligned, float divisor, int last,
                        const float *RESTRICT a, const float *RESTRICT t, float *RESTRICT out,
                        int *status)
{
  enum { DEPTH = SQUARES ? 4 : 8 }; /* vectors of each input that a lane has in flight */
  SHARED(float, s, 32);
  await_launches();
  idx lo = (idx)blockIdx.x * chunk, hi = V - lo < chunk ? V : lo + chunk;
  float sum = 0.0f;
  int refused = 0;
  for (idx q = lo + TID_; q < hi; q += DEPTH * BDIM) {
    float4 v[DEPTH], w[DEPTH];
    UNROLL
    for (int j = 0; j < DEPTH; j++) {
      v[j] = mean_load(a, q + j * BDIM, hi, aligned);
      w[j] = SQUARES ? mean_load(t, q + j * BDIM, hi, aligned) : v[j];
    }
    UNROLL
    for (int j = 0; j < DEPTH; j++) {
      sum = sum + mean_part<SQUARES>(v[j], w[j]);
      refused |= refused4(v[j]);
    }
  }
  if (blockIdx.x == gridDim.x - 1)
    for (idx k = 4 * V + TID_; k < n; k += BDIM) {
      sum = sum + (SQUARES ? square_of(a[k], t[k]) : a[k]);
      refused |= a[k] < 0.0f;
    }
  refused = SQUARES ? 0 : __syncthreads_or(refused);
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
template <int SQUARES>
static inline void launch_mean(void *stream, idx n, idx count, int aligned, const float *a,
                               const float *t, float *work, float *y, int *status)
{
  idx V = n / 4, chunk = sum_chunk(V), blocks = sum_n_blocks(V, chunk);
  float by = (float)count;
  if (blocks == 1) {
    LAUNCH_AFTER(mean_blocks<SQUARES>, 1, SUM_BLOCK, stream, n, V, chunk, aligned, by, 1, a, t, y,
                 status);
    return;
  }
  LAUNCH_AFTER(mean_blocks<SQUARES>, blocks, SUM_BLOCK, stream, n, V, chunk, aligned, 1.0f, 0, a, t,
               work, status);
  LAUNCH_AFTER(mean_blocks<0>, 1, SUM_BLOCK, stream, blocks, blocks / 4, blocks / 4 + 1, 1, by, 1,
               work, work, y, status);
}
#endif
