/* How much it is worth to have several rows of a thread on their way at once, where rows are short.
 *   nvcc -arch=sm_90 -O3 -o narrow_rows narrow_rows.cu && ./narrow_rows > narrow_rows.txt
 * rms_norm of 65536 x 64 by groups of EACH_THREAD threads, ROWS_EACH rows each, all of which a group loads before
 * it adds one up; they lie apart by the number of groups. SAVES: with one over each row's root, which a VJP
 * wants. Medians of 61 runs, the L2 full of clean lines before each. */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <ctime>

typedef long long idx;
enum { RUNS = 61, ROWS = 65536, COLS = 64, VECTORS = COLS / 4 };
static const idx FLUSH = 256 << 20;

template <int EACH_THREAD, int ROWS_EACH, int SAVES>
__global__ void norm(float4 *y, const float4 *x, const float4 *gamma, float *rstd)
{
  constexpr int K = VECTORS / EACH_THREAD;
  const int lane = threadIdx.x % EACH_THREAD, groups = gridDim.x * blockDim.x / EACH_THREAD;
  const int group = (blockIdx.x * blockDim.x + threadIdx.x) / EACH_THREAD;
  float4 v[ROWS_EACH][K], w[K];
#pragma unroll
  for (int m = 0; m < ROWS_EACH; m++)
#pragma unroll
    for (int k = 0; k < K; k++)
      v[m][k] = x[(group + m * groups) * VECTORS + k * EACH_THREAD + lane];
#pragma unroll
  for (int k = 0; k < K; k++)
    w[k] = gamma[k * EACH_THREAD + lane];
#pragma unroll
  for (int m = 0; m < ROWS_EACH; m++) {
    float sum = 0;
#pragma unroll
    for (float4 u : v[m])
      sum += u.x * u.x + u.y * u.y + u.z * u.z + u.w * u.w;
#pragma unroll
    for (int d = EACH_THREAD / 2; d; d /= 2)
      sum += __shfl_xor_sync(~0u, sum, d);
    const float r = rsqrtf(sum / COLS + 1e-5f);
    if (SAVES && lane == 0)
      rstd[group + m * groups] = r;
#pragma unroll
    for (int k = 0; k < K; k++)
      y[(group + m * groups) * VECTORS + k * EACH_THREAD + lane] = {
          v[m][k].x * r * w[k].x, v[m][k].y * r * w[k].y, v[m][k].z * r * w[k].z,
          v[m][k].w * r * w[k].w};
  }
}

__global__ void copy(float4 *y, const float4 *x)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}

__global__ void read(const float4 *x, idx bytes, float *out)
{
  const idx step = (idx)gridDim.x * blockDim.x;
  float sum = 0;
  for (idx i = (idx)blockIdx.x * blockDim.x + threadIdx.x; i < bytes / 16; i += step) {
    float4 v = __ldcg(x + i);
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == 1.25f)
    *out = sum;
}

static float4 *x, *y, *gamma_, *flush;
static float *rstd, *out;
static cudaEvent_t from, to;

template <class F> static void timed(const char *name, int lanes, int rows, int saves, F run)
{
  float ms[RUNS];
  for (float &t : ms) {
    cudaMemsetAsync(flush, 0, FLUSH);
    read<<<1056, 512>>>(flush, FLUSH, out);
    cudaEventRecord(from);
    run();
    cudaEventRecord(to);
    cudaEventSynchronize(to);
    cudaEventElapsedTime(&t, from, to);
  }
  std::sort(ms, ms + RUNS);
  printf("%-10s %6d %6d %6d %8.2f\n", name, lanes, rows, saves, ms[RUNS / 2] * 1e3f);
}

template <int EACH_THREAD, int ROWS_EACH, int SAVES> static void one()
{
  enum { BLOCK = 256 };
  timed("rms_norm", EACH_THREAD, ROWS_EACH, SAVES, [] {
    norm<EACH_THREAD, ROWS_EACH, SAVES>
        <<<ROWS / ROWS_EACH * EACH_THREAD / BLOCK, BLOCK>>>(y, x, gamma_, rstd);
  });
}

template <int EACH_THREAD, int ROWS_EACH> static void row()
{
  one<EACH_THREAD, ROWS_EACH, 0>();
  one<EACH_THREAD, ROWS_EACH, 1>();
}

int main()
{
  const idx bytes = 4ll * ROWS * COLS;
  cudaDeviceProp device;
  char day[32];
  time_t now = time(NULL);
  strftime(day, sizeof day, "%Y-%m-%dT%H:%MZ", gmtime(&now));
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess || cudaMalloc(&x, bytes) != cudaSuccess ||
      cudaMalloc(&y, bytes) != cudaSuccess || cudaMalloc(&gamma_, 4 * COLS) != cudaSuccess ||
      cudaMalloc(&rstd, 4 * ROWS) != cudaSuccess || cudaMalloc(&flush, FLUSH) != cudaSuccess ||
      cudaMalloc(&out, 4) != cudaSuccess) {
    fprintf(stderr, "narrow_rows: no GPU, or not enough of its memory\n");
    return 1;
  }
  cudaMemset(x, 0, bytes); /* zeros do, as no time depends on the numbers */
  cudaMemset(gamma_, 0, 4 * COLS);
  cudaEventCreate(&from);
  cudaEventCreate(&to);
  printf("device   %s\ndate     %s\ncommand  ./narrow_rows, of docs/results/narrow_rows.cu\n\n",
         device.name, day);
  printf("%-10s %6s %6s %6s %8s\n", "", "lanes", "rows", "saves", "us");
  timed("copy", 0, 0, 0, [] { copy<<<ROWS * VECTORS / 256, 256>>>(y, x); });
  row<16, 1>();
  row<16, 2>();
  row<16, 4>();
  row<16, 8>();
  row<8, 1>();
  row<8, 2>();
  row<8, 4>();
  row<4, 1>();
  row<4, 2>();
  return cudaGetLastError() != cudaSuccess;
}
