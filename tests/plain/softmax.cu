// Softmax, a block a row, as it stands in many a project: the row in dynamic shared memory. LACKS_BARRIER,
// LACKS_TAIL and READS_PAST plant what is to be found.
#include <cuda_runtime.h>
#include <math.h>
#define FULL 0xffffffffu

template <int BLOCK> __global__ void softmax_kernel(float *y, const float *x, int cols)
{
  extern __shared__ float row[];
  __shared__ float s[BLOCK / 32];
  x += (size_t)blockIdx.x * cols;
  y += (size_t)blockIdx.x * cols;
  float m = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < cols; c += BLOCK) {
    row[c] = x[c];
    m = isnan(row[c]) ? row[c] : fmaxf(m, row[c]);
  }
  for (int o = 16; o > 0; o /= 2) {
    float w = __shfl_xor_sync(FULL, m, o);
    m = isnan(w) || w > m ? w : m;
  }
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = m;
#ifndef LACKS_BARRIER
  __syncthreads();
#endif
  m = s[0];
  for (int i = 1; i < BLOCK / 32; i++)
    m = isnan(s[i]) || s[i] > m ? s[i] : m;
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += BLOCK)
    sum += row[c] = __expf(row[c] - m);
  for (int o = 16; o > 0; o /= 2)
    sum += __shfl_down_sync(FULL, sum, o);
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 1; i < BLOCK / 32; i++)
      s[0] += s[i];
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += BLOCK)
    y[c] = row[c] / s[0];
}
