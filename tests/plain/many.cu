// What plain CUDA has, one kernel after another, for test_plain.
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

constexpr unsigned FULL = 0xffffffff;

// vectors, a tail, a grid-stride loop
__global__ void relu4(float *__restrict__ y, const float *__restrict__ x, long long n)
{
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n / 4;
       i += (long long)gridDim.x * blockDim.x) {
    float4 v = reinterpret_cast<const float4 *>(x)[i];
    v.x = v.x < 0 ? 0 : v.x, v.y = v.y < 0 ? 0 : v.y;
    v.z = v.z < 0 ? 0 : v.z, v.w = v.w < 0 ? 0 : v.w;
    reinterpret_cast<float4 *>(y)[i] = make_float4(v.x, v.y, v.z, v.w);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 4) {
    long long i = n / 4 * 4 + threadIdx.x;
    y[i] = x[i] < 0 ? 0 : x[i];
  }
}

// atomics on global memory
__global__ void sum_atomic(float *y, const float *x, int n)
{
  __shared__ float part[2];
  if (threadIdx.x < 2)
    part[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? x[i] : 0;
  for (int o = 16; o > 0; o >>= 1)
    v += __shfl_down_sync(FULL, v, o, 32);
  if ((threadIdx.x & 31) == 0)
    atomicAdd(&part[threadIdx.x / 32 & 1], v);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(y, part[0] + part[1]);
}

// shared tiles of two dimensions, blocks of two
template <int TILE> __global__ void transpose(float *y, const float *x, int rows, int cols)
{
  __shared__ float tile[TILE][TILE + 1];
  int c = blockIdx.x * TILE + threadIdx.x, r = blockIdx.y * TILE + threadIdx.y;
  if (r < rows && c < cols)
    tile[threadIdx.y][threadIdx.x] = x[(size_t)r * cols + c];
  __syncthreads();
  c = blockIdx.y * TILE + threadIdx.x, r = blockIdx.x * TILE + threadIdx.y;
  if (r < cols && c < rows)
    y[(size_t)r * rows + c] = tile[threadIdx.x][threadIdx.y];
}

namespace mine {
__constant__ float HALF = 0.5f;
// sub-warps, votes, dynamic shared memory of two dimensions, a helper with a name of its own for it
__device__ float keep(float v)
{
  extern __shared__ float box[][32];
  box[threadIdx.y][threadIdx.x] = v;
  __syncwarp();
  return box[threadIdx.y][threadIdx.x ^ 1];
}
__global__ void negate(float *y, const float *x, int64_t n)
{
  extern __shared__ __align__(
      16) unsigned char raw[]; /* the same memory, as "extern __shared__" is */
  int64_t i = (int64_t)blockIdx.x * 64 + threadIdx.y * 32 + threadIdx.x;
  float v = i < n ? x[i] : 0, w = keep(v);
  float all = __shfl_xor_sync(FULL, w, 1, 8);
  unsigned votes = __ballot_sync(FULL, i < n), some = __any_sync(FULL, i < n);
  float same = __shfl_sync(FULL, all, threadIdx.x & 3, 4), up = __shfl_up_sync(FULL, all, 0);
  bool good = (votes != 0) == (some != 0) && __all_sync(FULL, 1) && __popc(__activemask()) == 32 &&
              __reduce_add_sync(FULL, 1) == 32;
  __syncthreads();
  float own = reinterpret_cast<float *>(raw)[threadIdx.y * 32 + threadIdx.x];
  good = good && (own == v || v != v);
  if (i < n)
    y[i] = good && (same == all || all != all) && (up == all || all != all) ? -all : HALF;
}
} // namespace mine

// indices of 32 bits
__global__ void gather(float *y, const float *x, const int *idx, int rows, int cols)
{
  int from = idx[blockIdx.x];
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    y[blockIdx.x * (size_t)cols + c] = from >= 0 && from < rows ? x[from * (size_t)cols + c] : 0;
}
