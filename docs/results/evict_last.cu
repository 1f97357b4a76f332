/* What L2::evict_last is worth to a kernel that reads its tensor once and writes one, and what it costs
 * the kernels that run behind it.
 *   nvcc -arch=sm_90 -O3 -o evict_last evict_last.cu && ./evict_last > evict_last.txt
 * The kernel is an rms_norm of 8192 x 4096 with the hint on no access, on its loads or on its stores.
 * Another then reads so many MB four times, which the L2 could hold: at once, or after 2 GB that others
 * have read in between; or the same norm is taken of y. Medians of 31 runs, before each of which no line
 * has a mark and the L2 is full of clean ones. */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <ctime>

typedef long long idx;
enum { RUNS = 31, ROWS = 8192, COLS = 4096, BLOCK = 256, EACH = COLS / 4 / BLOCK };
enum { NONE, LOADS, STORES };
static const idx BYTES = 4ll * ROWS * COLS, FLUSH = 256 << 20;

__device__ unsigned long long keep()
{
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

template <int KEPT> __device__ float4 load(const float4 *p)
{
  float4 v;
  if (KEPT != LOADS)
    return *p;
  asm volatile("ld.global.L2::cache_hint.v4.f32 {%0,%1,%2,%3}, [%4], %5;"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(p), "l"(keep()));
  return v;
}

template <int KEPT> __device__ void store(float4 *p, float4 v)
{
  if (KEPT != STORES)
    *p = v;
  else
    asm volatile("st.global.L2::cache_hint.v4.f32 [%0], {%1,%2,%3,%4}, %5;" ::"l"(p), "f"(v.x),
                 "f"(v.y), "f"(v.z), "f"(v.w), "l"(keep())
                 : "memory");
}

/* A row a block, which waits in registers, over the root of its mean square. */
template <int KEPT> __global__ void __launch_bounds__(BLOCK) norm(float4 *y, const float4 *x)
{
  __shared__ float part[BLOCK / 32];
  const idx at = (idx)blockIdx.x * (COLS / 4) + threadIdx.x;
  float4 v[EACH];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < EACH; k++)
    v[k] = load<KEPT>(x + at + k * BLOCK);
#pragma unroll
  for (float4 u : v)
    sum += u.x * u.x + u.y * u.y + u.z * u.z + u.w * u.w;
  for (int m = 16; m; m /= 2)
    sum += __shfl_xor_sync(~0u, sum, m);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (float p : part)
    sum += p;
  const float r = rsqrtf(sum / COLS + 1e-5f);
#pragma unroll
  for (int k = 0; k < EACH; k++)
    store<KEPT>(y + at + k * BLOCK, {v[k].x * r, v[k].y * r, v[k].z * r, v[k].w * r});
}

__global__ void read(const float4 *x, idx bytes, int times, float *out)
{
  const idx step = (idx)gridDim.x * blockDim.x;
  float sum = 0;
  for (int r = 0; r < times; r++)
    for (idx i = (idx)blockIdx.x * blockDim.x + threadIdx.x; i < bytes / 16; i += step) {
      float4 v = __ldcg(x + i);
      sum += v.x + v.y + v.z + v.w;
    }
  if (sum == 1.25f)
    *out = sum;
}

static float4 *x, *y, *z, *behind, *flush;
static float *out;
static cudaEvent_t event[4];

static void others(int times) { read<<<1056, 512>>>(flush, FLUSH, times, out); }

/* {the norm, what runs behind it}, us: the norm again where bytes is 0; `between`: times 256 MB, what
 * others read in between. */
template <int KEPT> static float2 median(idx bytes, int between)
{
  float own[RUNS], then[RUNS];
  for (int r = 0; r < RUNS; r++) {
    cudaCtxResetPersistingL2Cache();
    cudaMemsetAsync(flush, 0, FLUSH);
    others(1);
    cudaEventRecord(event[0]);
    norm<KEPT><<<ROWS, BLOCK>>>(y, x);
    cudaEventRecord(event[1]);
    others(between);
    cudaEventRecord(event[2]);
    if (bytes)
      read<<<528, 512>>>(behind, bytes, 4, out);
    else
      norm<KEPT><<<ROWS, BLOCK>>>(z, y);
    cudaEventRecord(event[3]);
    cudaEventSynchronize(event[3]);
    cudaEventElapsedTime(own + r, event[0], event[1]);
    cudaEventElapsedTime(then + r, event[2], event[3]);
  }
  std::sort(own, own + RUNS);
  std::sort(then, then + RUNS);
  return {own[RUNS / 2] * 1e3f, then[RUNS / 2] * 1e3f};
}

template <int KEPT> static void row(const char *name, const idx *mb, int n)
{
  printf("%-16s %9.1f", name, median<KEPT>(mb[0] << 20, 0).x);
  for (int i = 0; i < n; i++)
    printf("%10.1f %9.1f", median<KEPT>(mb[i] << 20, 0).y, median<KEPT>(mb[i] << 20, 8).y);
  printf("%11.1f", median<KEPT>(0, 0).y);
  printf("\n");
}

int main()
{
  static const idx MB[] = {24, 32, 40};
  cudaDeviceProp device;
  char day[32];
  time_t now = time(NULL);
  strftime(day, sizeof day, "%Y-%m-%dT%H:%MZ", gmtime(&now));
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess || cudaMalloc(&x, BYTES) != cudaSuccess ||
      cudaMalloc(&y, BYTES) != cudaSuccess || cudaMalloc(&z, BYTES) != cudaSuccess ||
      cudaMalloc(&behind, FLUSH) != cudaSuccess || cudaMalloc(&flush, FLUSH) != cudaSuccess ||
      cudaMalloc(&out, 4) != cudaSuccess) {
    fprintf(stderr, "evict_last: no GPU, or not enough of its memory\n");
    return 1;
  }
  cudaMemset(x, 0, BYTES); /* zeros do, as no time depends on the numbers */
  cudaMemset(behind, 0, FLUSH);
  for (cudaEvent_t &e : event)
    cudaEventCreate(&e);
  printf("device   %s, L2 of %d MB\ndate     %s\n", device.name, device.l2CacheSize >> 20, day);
  printf("command  ./evict_last, of docs/results/evict_last.cu\n\nus\n%-16s %9s", "evict_last on",
         "rms_norm");
  for (idx mb : MB)
    printf("  then %lld MB  and later", mb);
  printf("  then of y");
  printf("\n");
  row<NONE>("nothing", MB, 3);
  row<LOADS>("loads", MB, 3);
  row<STORES>("stores", MB, 3);
  return cudaGetLastError() != cudaSuccess;
}
