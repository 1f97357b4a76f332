/* Softmax of rows as someone's library has it, for scripts/gpu_check.sh: one block a row, launched on the
 * stream that is given. Built with -DFAULT=N it is one of the wrong ones that must be found on a GPU. */
#include <cuda_runtime.h>

#include <math.h>

#ifndef FAULT
#define FAULT 0
#endif
enum {
  RIGHT = 0,
  OTHER_STREAM = 1, /* the current stream is ignored */
  ONE_WARP = 2,     /* the maximum and the sum are of a thread's own warp */
  HALF = 3,         /* the second half of the rows is left as it was */
  CRASH = 4,        /* an address that is nobody's */
  SHARED = 5 /* more shared memory than there is, and nobody asks whether the launch went well */
};

__global__ void softmax(float *y, const float *x, int cols)
{
  __shared__ float top[32], total[32];
  int t = threadIdx.x, warps = FAULT == ONE_WARP ? 1 : blockDim.x / 32;
  float most = -INFINITY, sum = 0;
  x += (size_t)blockIdx.x * cols;
  y += (size_t)blockIdx.x * cols;
  for (int c = t; c < cols; c += blockDim.x)
    most = fmaxf(most, x[c]);
  for (int o = 16; o > 0; o /= 2)
    most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, o));
  if (t % 32 == 0)
    top[t / 32] = most;
  __syncthreads();
  for (int w = 0; w < warps; w++)
    most = fmaxf(most, top[w]);
  for (int c = t; c < cols; c += blockDim.x)
    sum += expf(x[c] - most);
  for (int o = 16; o > 0; o /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, o);
  if (t % 32 == 0)
    total[t / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int w = 0; w < warps; w++)
    sum += total[w];
  for (int c = t; c < cols; c += blockDim.x)
    (FAULT == CRASH ? y + ((size_t)1 << 46) : y)[c] = expf(x[c] - most) / sum;
}

extern "C" void launch_softmax(float *y, const float *x, int rows, int cols, cudaStream_t stream)
{
  softmax<<<FAULT == HALF ? rows / 2 + 1 : rows, 128, FAULT == SHARED ? 1 << 20 : 0,
            FAULT == OTHER_STREAM ? cudaStreamPerThread : stream>>>(y, x, cols);
}
