/* Every one of the 2^32 arguments of pm_expf and pm_tanhf, against f64: the largest error in ulps,
 * wrong special values, and a checksum of the bits, which must be the same on both back ends.
 * Where pm_expf_down differs from pm_expf (x <= 0 and NaN) counts as a wrong special value.
 *   GPU   nvcc -arch=sm_90 --fmad=false -O3 -I. -o build/sweep_math scripts/sweep_math.cu
 *   CPU   g++ -x c++ -std=c++17 -O3 -mfma -ffp-contract=off -DPM_SIM -I. \
 *           -o build/sweep_math_sim scripts/sweep_math.cu cuda/sim/sim.cpp cuda/sim/fiber.cpp
 * Exit status 0 when the errors stay within what the kernels declare. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda/math.h"

enum { CHUNK = 1 << 16, CHUNKS = 1 << 16 };

typedef struct result {
  double worst;             /* ulps of the real value */
  unsigned at, wrong;       /* its argument; special values gone wrong */
  unsigned long long check; /* of the result bits; NaN counts as one value */
} result;

/* The spacing of floats at v. */
DEV double ulp(double v)
{
  int e;
  frexp(v, &e);
  return ldexp(1.0, e < -125 ? -149 : e - 24);
}

DEV void look(int tanh_not_exp, unsigned bits, result *r)
{
  float x = __uint_as_float(bits), y = tanh_not_exp ? pm_tanhf(x) : pm_expf(x);
  double real = tanh_not_exp ? tanh((double)x) : exp((double)x), e;
  unsigned got = y == y ? __float_as_uint(y) : 0x7fc00000u;
  r->check += (got + 1ull) * (2ull * bits + 1);
  if (!tanh_not_exp && !(x > 0)) {
    float down = pm_expf_down(x);
    r->wrong += down == down ? __float_as_uint(down) != got : y == y;
  }
  if (!(x == x))
    r->wrong += y == y;
  else if (real >= 0x1.ffffffp127)
    r->wrong += !(y > 3.4028235e38f);
  else {
    e = fabs((double)y - real) / ulp(real);
    if (!(e <= r->worst)) {
      r->worst = e;
      r->at = bits;
    }
    if (tanh_not_exp)
      r->wrong += !(y >= -1.0f && y <= 1.0f) || (got ^ bits) >> 31;
    else
      r->wrong += !(y >= 0.0f);
  }
}

KERNEL void sweep(int tanh_not_exp, result *out)
{
  unsigned chunk = blockIdx.x * blockDim.x + threadIdx.x;
  result r = {0, 0, 0, 0};
  for (unsigned i = 0; i < CHUNK; i++)
    look(tanh_not_exp, i * CHUNKS + chunk, &r);
  out[chunk] = r;
}

static int report(const char *name, double k, const result *r)
{
  result all = {0, 0, 0, 0};
  float x;
  for (int i = 0; i < CHUNKS; i++) {
    if (!(r[i].worst <= all.worst)) {
      all.worst = r[i].worst;
      all.at = r[i].at;
    }
    all.wrong += r[i].wrong;
    all.check += r[i].check;
  }
  memcpy(&x, &all.at, sizeof x);
  printf("%s: at most %.4f ulp (at %.9g), declared %.2f; %u special values wrong; bits %016llx\n",
         name, all.worst, x, k + 0.5, all.wrong, all.check);
  return all.worst <= k + 0.5 && !all.wrong;
}

int main(void)
{
  static result host[CHUNKS];
  int good = 1;
  for (int f = 0; f < 2; f++) {
#ifdef PM_SIM
    LAUNCH(sweep, CHUNKS / 256, 256, NULL, f, host);
#else
    result *device;
    if (cudaMalloc(&device, sizeof host) != cudaSuccess)
      return 2;
    LAUNCH(sweep, CHUNKS / 64, 64, NULL, f, device);
    if (cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
      return 2;
    cudaFree(device);
#endif
    good &= report(f ? "tanh" : "exp", f ? PM_K_TANH : PM_K_EXP, host);
  }
  return !good;
}
