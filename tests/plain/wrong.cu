// What is to be refused, or found, one thing a macro: test_plain writes a file that defines it and includes
// this one.
#include <cuda_runtime.h>
#ifdef HALF
#include <cuda_fp16.h>
#endif

__global__ void kernel(float *y, const float *x, int n)
{
#ifdef PAST_DYNAMIC
  extern __shared__ float s[];
#else
  __shared__ float s[64];
#endif
  int i = blockIdx.x * 64 + threadIdx.x;
#ifdef UNKNOWN_NAME
  __nanosleep(100);
#endif
#ifdef DIVERGED
  if (threadIdx.x < 32)
    __syncthreads();
#endif
#ifdef HALF_A_WARP
  if (threadIdx.x < 16)
    s[threadIdx.x] = __shfl_sync(0xffff, x[0], 0);
#endif
#ifdef STALE_SHARED
  s[threadIdx.x] += 0;
#elif defined(PAST_DYNAMIC)
  s[threadIdx.x + 1] = 0;
#else
  s[threadIdx.x] = 0;
#endif
  if (i < n)
    y[i] = -x[i] + s[threadIdx.x];
}
