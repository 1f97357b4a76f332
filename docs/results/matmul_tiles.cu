/* The three kernels of cuda/matmul beside cuBLAS SGEMM (TF32 off), at sizes that models have, in the four
 * forms. From the tree's root:
 *   nvcc -arch=sm_90 --fmad=false -O3 -std=c++17 -I. -o matmul_tiles docs/results/matmul_tiles.cu
 *        cuda/host/check.cu cuda/host/table.cu -lcublas && ./matmul_tiles > matmul_tiles.txt
 * Medians of runs that alternate; below 10 GFLOP the L2 is first filled with clean lines of something else.
 * Each result is compared, bit by bit, with one chain of fused multiply-adds an element. */
#include "../../cuda/matmul/matmul.cu"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

static const size_t FLUSH = 192 << 20, ROOM = 160 << 20;
static float *A, *B, *C, *flushed;
static int *wrong;

static void must(cudaError_t e)
{
  if (e != cudaSuccess)
    printf("%s\n", cudaGetErrorString(e)), exit(1);
}
__global__ void read_all(const float4 *x, size_t n, float *out)
{
  float s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    s += x[i].x + x[i].y + x[i].z + x[i].w;
  if (s == 123.456f)
    *out = s;
}
__global__ void fill(float *x, size_t n, unsigned seed)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    uint64_t z = (i + 1) * 0x9E3779B97F4A7C15ull + seed * 0xD1B54A32D192ED03ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    x[i] = (float)(uint32_t)((z ^ z >> 31) >> 40) * (1.0f / 8388608.0f) - 1.0f;
  }
}
__global__ void compare(struct product q, int ta, int tb, int m, int n, int k, int *bad)
{
  const size_t all = (size_t)gridDim.x * blockDim.x;
  for (size_t e = blockIdx.x * (size_t)blockDim.x + threadIdx.x; e < (size_t)m * n; e += all) {
    size_t i = e / n, j = e % n;
    const float *a = ta ? q.a.at + i : q.a.at + i * k, *b = tb ? q.b.at + j * k : q.b.at + j;
    float s = 0;
    for (int p = 0; p < k; p++)
      s = __fmaf_rn(a[(size_t)p * (ta ? m : 1)], b[(size_t)p * (tb ? 1 : n)], s);
    if (__float_as_uint(q.alpha * s) != __float_as_uint(q.c[e]))
      atomicAdd(bad, 1);
  }
}
static float median(std::vector<float> v)
{
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

int main(void)
{
  static const int sizes[][3] = {{4096, 4096, 4096}, {8192, 1024, 4096}, {2048, 2048, 2048}, {1536, 1536, 1536},
                                 {1024, 1024, 1024}, {768, 3072, 768},   {512, 512, 512},    {256, 256, 256},
                                 {128, 128, 128},    {1, 4096, 4096},    {4096, 4096, 1},    {4, 4096, 4096},
                                 {8, 4096, 4096},    {16, 4096, 4096},   {33, 4096, 4096},   {64, 4096, 4096},
                                 {4097, 4097, 4097}, {4, 4097, 4099},    {1, 4097, 4099}};
  static const char *const names[] = {"vector", "tile128", "tile"};
  cudaDeviceProp device;
  cublasHandle_t blas;
  char date[32];
  time_t now = time(NULL);
  must(cudaGetDeviceProperties(&device, 0));
  strftime(date, sizeof date, "%Y-%m-%dT%H:%MZ", gmtime(&now));
  printf("device   %s\ndate     %s\ncommand  ./matmul_tiles, of docs/results/matmul_tiles.cu\n\n", device.name, date);
  printf("m x k x n, A B (t: stored transposed); us, and the part of cuBLAS's speed; * is what the launcher picks\n");
  if (cublasCreate(&blas) || cublasSetMathMode(blas, CUBLAS_DEFAULT_MATH))
    return 1;
  must(cudaMalloc(&A, ROOM)), must(cudaMalloc(&B, ROOM)), must(cudaMalloc(&C, ROOM));
  must(cudaMalloc(&flushed, FLUSH)), must(cudaMalloc(&wrong, sizeof *wrong));
  must(cudaMemset(flushed, 0, FLUSH));
  fill<<<264, 256>>>(A, ROOM / 4, 1), fill<<<264, 256>>>(B, ROOM / 4, 2);
  for (const auto &s : sizes)
    for (int form = 0; form < 4; form++) {
      int m = s[0], k = s[1], n = s[2], ta = form & 1, tb = form >> 1, first = 0, bad = 0;
      float alpha = 1.25f, beta = 0;
      struct product p = product_of(1, alpha, 0, k, left(A, m, k, ta), right(B, k, n, tb), C);
      struct product stored = p;
      std::vector<std::function<void()>> run_it;
      std::vector<std::string> what;
      pm_exec any = {}, named = {};
      named.variant = "tile";
      unsigned may = suited(&named, p), pays = suited(&any, p);
      while (!(pays >> first & 1))
        first++;
      stored.a.at = A, stored.b.at = B;
      printf("%d x %d x %d %s %s", m, k, n, ta ? "t" : "-", tb ? "t" : "-");
      for (int v = 0; v < 3; v++)
        if (may >> v & 1) {
          pm_check q = pm_begin("matmul", &named);
          unsigned grid = grid_of(&q, v, p);
          run_it.push_back([=] { run(v, 0, grid, p); });
          what.push_back(std::string(names[v]) + (v == first ? "*" : ""));
          must(cudaMemset(wrong, 0, sizeof *wrong)), must(cudaMemset(C, 0xff, 4ll * m * n));
          run(v, 0, grid, p);
          compare<<<2048, 256>>>(stored, ta, tb, m, n, k, wrong);
          must(cudaMemcpy(&bad, wrong, sizeof bad, cudaMemcpyDeviceToHost));
          if (bad)
            printf("  %s: %d elements WRONG", names[v], bad);
        }
      run_it.push_back([=] { /* row-major c = a b is column-major c' = b' a' */
        cublasSgemm(blas, tb ? CUBLAS_OP_T : CUBLAS_OP_N, ta ? CUBLAS_OP_T : CUBLAS_OP_N, n, m, k, &alpha, B,
                    tb ? k : n, A, ta ? m : k, &beta, C, n);
      });
      std::vector<std::vector<float>> us(run_it.size());
      cudaEvent_t a, b;
      cudaEventCreate(&a), cudaEventCreate(&b);
      for (int r = -2; r < (2.0 * m * k * n < 1e10 ? 21 : 9); r++)
        for (size_t i = 0; i < run_it.size(); i++) {
          float ms;
          if (2.0 * m * k * n < 1e10)
            read_all<<<264, 256>>>((const float4 *)flushed, FLUSH / 16, flushed);
          cudaEventRecord(a), run_it[i](), cudaEventRecord(b);
          must(cudaEventSynchronize(b));
          cudaEventElapsedTime(&ms, a, b);
          if (r >= 0)
            us[i].push_back(ms * 1000);
        }
      for (size_t i = 0; i + 1 < us.size(); i++)
        printf("  %s %.1f (%.2f)", what[i].c_str(), median(us[i]), median(us.back()) / median(us[i]));
      printf("  cuBLAS %.1f\n", median(us.back()));
      fflush(stdout);
    }
}
