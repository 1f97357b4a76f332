/* As much of CUDA's runtime as a program of `replay --script` and the launch of a --source on a GPU need, on the
 * host, so that they can be compiled and run where there is no GPU: memory is the host's, and the threads of a
 * launch run one after another, which is enough for a kernel without barriers. */
#ifndef HOST_CUDA_H
#define HOST_CUDA_H
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

#define __global__

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
static dim3 threadIdx, blockIdx, blockDim, gridDim;

enum cudaError_t { cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
typedef void *cudaStream_t;
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };

inline const char *cudaGetErrorString(cudaError_t e)
{
  return e == cudaSuccess ? "ok" : e == cudaErrorInvalidValue ? "invalid argument" : "no memory";
}

inline cudaError_t cudaMalloc(void **at, size_t bytes)
{
  *at = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *at ? cudaSuccess : cudaErrorMemoryAllocation;
}

inline cudaError_t cudaMemset(void *at, int byte, size_t bytes)
{
  std::memset(at, byte, bytes);
  return cudaSuccess;
}

inline cudaError_t cudaMemcpy2D(void *to, size_t to_step, const void *from, size_t from_step,
                                size_t row, size_t rows, cudaMemcpyKind)
{
  for (size_t i = 0; i < rows; i++)
    std::memcpy((char *)to + i * to_step, (const char *)from + i * from_step, row);
  return to_step < row || from_step < row ? cudaErrorInvalidValue : cudaSuccess;
}

inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaGetLastError() { return cudaSuccess; }

template <class F> cudaError_t cudaFuncSetAttribute(F *, cudaFuncAttribute, int bytes)
{
  return bytes > 227 << 10 ? cudaErrorInvalidValue : cudaSuccess;
}

template <class... A, size_t... I>
void host_call(void (*kernel)(A...), void **arguments, std::index_sequence<I...>)
{
  kernel(*(A *)arguments[I]...);
}

template <class... A>
cudaError_t cudaLaunchKernel(void (*kernel)(A...), dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream)
{
  (void)shared, (void)stream;
  gridDim = grid, blockDim = block;
  for (blockIdx.z = 0; blockIdx.z < grid.z; blockIdx.z++)
    for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++)
      for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < block.x; threadIdx.x++)
          host_call(kernel, arguments, std::index_sequence_for<A...>());
  return cudaSuccess;
}
#endif
