// A softmax whose third element is twice what it should be, for test_reports; with RIGHT it is not.
#include <cuda_runtime.h>

__global__ void softmax_third(float *y, const float *x, int cols)
{
  float most = -INFINITY, sum = 0;
  if (threadIdx.x != 0)
    return;
  x += (size_t)blockIdx.x * cols;
  y += (size_t)blockIdx.x * cols;
  for (int c = 0; c < cols; c++)
    most = x[c] > most ? x[c] : most;
  for (int c = 0; c < cols; c++)
    sum += y[c] = expf(x[c] - most);
#ifdef RIGHT
  const float of_third = sum;
#else
  const float of_third = sum / 2;
#endif
  for (int c = 0; c < cols; c++)
    y[c] /= c == 2 ? of_third : sum;
}
