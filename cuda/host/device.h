/* Device queries and unproven group sums, for kernels outside the proven vocabulary: dynamic
 * shared memory, copies into it that do not wait, and sums over a group of threads or a block.
 * nvcc and simulator.
 *
 *   lang/async_copy.h            dynamic shared memory, and copies into it
 *   lang/load_now.h              loads that are made where they stand
 *   lang/dependent_launch.h     kernels that start before the one before them has ended
 *   group_sum          over each aligned group of n threads, n a power of 2 up to 32
 *   block_sum          over the block; s: 32 floats of shared memory, not in use otherwise
 *                      until every thread has passed the next barrier
 *   device_blocks()    multiprocessors: how many blocks a launch of one a processor has
 * Each sum gives all threads the same bits; collective/block_sum.h has them with a proof. */
#ifndef PM_HOST_DEVICE_H
#define PM_HOST_DEVICE_H
#include <math.h>

#include "../lang/load_now.h"
#include "../lang/async_copy.h"
#include "../lang/dependent_launch.h"

#define PM_MAX_SHARED (227 * 1024) /* bytes of shared memory that a block of sm_90 can have */

#ifdef PM_SIM
static inline int device_blocks() { return 3; } /* few: small cases then loop as large ones do */
#else
static inline int device_blocks()
{
  int device = 0, n = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device) != cudaSuccess || n < 1)
    return 1;
  return n;
}
#endif

DEV float group_sum(float v, int n)
{
  float w;
  for (int m = 1; m < n; m *= 2) {
    SHFL_XOR(w, v, m);
    v = v + w;
  }
  return v;
}

/* The warps of the block, rounded up to a power of 2; its threads are a multiple of 32. */
DEV int warps_up() { return 1 << (32 - __clz(BDIM / 32 - 1)); }

DEV float block_sum(float v, float *s)
{
  int t = TID_, n = warps_up();
  v = group_sum(v, 32);
  if (t % 32 == 0)
    s[t / 32] = v;
  __syncthreads();
  t &= n - 1;
  v = t < BDIM / 32 ? s[t] : 0.0f;
  return group_sum(v, n);
}
/* Levels that block_sum adds to a summation tree, at most. */
#define BLOCK_SUM_HEIGHT 10
#endif
