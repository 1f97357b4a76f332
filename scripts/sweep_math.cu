/* Every one of the 2^32 arguments of every function of cuda/math/elementary.h, against f64: the largest error
 * in ulps and where, how many errors are above the declared one, special values gone wrong, and a
 * checksum of the bits, which must be the same on both back ends.
 * Where pm_expf_down differs from pm_expf (x <= 0 and NaN), or pm_log_positive, pm_log_normal and
 * pm_log_finite from pm_logf, or pm_softplus_and from a sum, where they may be used, counts as a
 * wrong special value.
 *   GPU   nvcc -arch=sm_90 --fmad=false -O3 -std=c++17 -I. -o build/sweep_math scripts/sweep_math.cu
 *   CPU   g++ -x c++ -std=c++17 -O3 -mfma -ffp-contract=off -DPM_SIM -I. \
 *           -o build/sweep_math_sim scripts/sweep_math.cu -pthread
 * sweep_math [STRIDE]: each STRIDE-th argument, 1 for all; sums of one stride compare.
 * Exit status 0 when the errors stay within what the kernels declare. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda/math/elementary.h"
#ifdef PM_SIM
#include <thread>
#include <vector>
#endif

/* name, declared ulps of the rounded value, the real function, the largest magnitude of a result */
#define FUNCTIONS(F)                                                                               \
  F(exp, PM_K_EXP, exp(x), INFINITY)                                                               \
  F(expm1, PM_K_EXPM1, expm1(x), INFINITY)                                                         \
  F(log, PM_K_LOG, log(x), INFINITY)                                                               \
  F(log1p, PM_K_LOG1P, log1p(x), INFINITY)                                                         \
  F(tanh, PM_K_TANH, tanh(x), 1)                                                                   \
  F(erf, PM_K_ERF, erf(x), 1)                                                                      \
  F(sigmoid, PM_K_SIGMOID, x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)), 1)                   \
  F(softplus, PM_K_SOFTPLUS, x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)), INFINITY)                 \
  F(softplus_short, PM_K_SOFTPLUS_SHORT, x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)), INFINITY)     \
  F(sigmoid_short, PM_K_SIGMOID_SHORT, x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)), 1)         \
  F(sin, PM_K_SIN, sin(x), 1)                                                                      \
  F(cos, PM_K_COS, cos(x), 1)

enum { LANES_ALL = 1 << 18 };

DEV float pm_softplus_shortf(float x) { return pm_logistic_of(x).softplus; }
DEV float pm_sigmoid_shortf(float x) { return pm_logistic_of(x).sigmoid; }

DEV int differ(float a, float b)
{
  return a == a ? __float_as_uint(a) != __float_as_uint(b) : b == b;
}

/* Whether a shorter form of function `name` has other bits than y at f. */
DEV int other_bits(const char *name, float f, float y)
{
  if (name[0] == 'e' && name[2] == 'p' && !name[3] && !(f > 0))
    return differ(pm_expf_down(f), y);
  if (name[0] == 'l' && !name[3] && !(f <= 0))
    return differ(pm_log_positive(f), y) ||
           (!(f < 1.17549435e-38f) && differ(pm_log_normal(f), y)) ||
           (f >= 1.17549435e-38f && f <= 3.4028235e38f && differ(pm_log_finite(f), y));
  if (name[0] == 's' && name[1] == 'o' && name[8] == '_')
    return differ(pm_softplus_and(f, 7.88860905e-31f), y + 7.88860905e-31f) ||
           differ(pm_softplus_and(f, 1e-6f), y + 1e-6f);
  return 0;
}

struct result {
  double worst;                  /* ulps of the real value */
  unsigned at;                   /* its argument */
  unsigned long long over;       /* errors above the declared one */
  unsigned long long wrong;      /* special values, signs and ranges gone wrong */
  unsigned long long check;      /* of the result bits; NaN counts as one value */
};

/* The spacing of floats at v, v finite; that of the smallest at 0. */
DEV double ulp(double v)
{
  int e;
  frexp(v, &e);
  return ldexp(1.0, v == 0 || e < -125 ? -149 : e - 24);
}

DEV unsigned sign(float v) { return __float_as_uint(v) >> 31; }

DEV void look(unsigned bits, float y, double real, double k, float most, result *r)
{
  r->check += ((y == y ? __float_as_uint(y) : 0x7fc00000u) + 1ull) * (2ull * bits + 1);
  if (!(real == real))
    r->wrong += y == y;
  else if (fabs(real) >= 0x1.ffffffp127)
    r->wrong += !(fabsf(y) > 3.4028235e38f) || sign(y) != sign((float)real);
  else {
    double e = fabs((double)y - real) / ulp(real);
    r->over += !(e <= k + 0.5);
    r->wrong += !(fabsf(y) <= most) || sign(y) != sign((float)real);
    if (!(e <= r->worst)) {
      r->worst = e;
      r->at = bits;
    }
  }
}

/* Arguments lane, lane + LANES_ALL, ... by the stride. */
#define SWEEP(name, k, real, most)                                                                 \
  DEV void sweep_##name(unsigned lane, unsigned stride, result *out)                               \
  {                                                                                                \
    result r = {0, 0, 0, 0, 0};                                                                    \
    for (unsigned long long i = (unsigned long long)lane * stride; i >> 32 == 0;                   \
         i += (unsigned long long)LANES_ALL * stride) {                                            \
      float f = __uint_as_float((unsigned)i), y = pm_##name##f(f);                                 \
      double x = f;                                                                                \
      look((unsigned)i, y, real, k, most, &r);                                                     \
      r.wrong += other_bits(#name, f, y);                                                          \
    }                                                                                              \
    out[lane] = r;                                                                                 \
  }
FUNCTIONS(SWEEP)

static int report(const char *name, double k, const result *r)
{
  result all = {0, 0, 0, 0, 0};
  float x;
  for (int i = 0; i < LANES_ALL; i++) {
    if (!(r[i].worst <= all.worst)) {
      all.worst = r[i].worst;
      all.at = r[i].at;
    }
    all.over += r[i].over;
    all.wrong += r[i].wrong;
    all.check += r[i].check;
  }
  memcpy(&x, &all.at, sizeof x);
  printf("%-14s at most %.4f ulp at %-15.9g declared %.2f, above it %llu; special values wrong %llu; "
         "bits %016llx\n",
         name, all.worst, x, k + 0.5, all.over, all.wrong, all.check);
  fflush(stdout);
  return !all.over && !all.wrong;
}

#ifdef PM_SIM
#define RUN(name, k, real, most)                                                                   \
  {                                                                                                \
    std::vector<std::thread> team;                                                                 \
    unsigned n = std::thread::hardware_concurrency();                                              \
    for (unsigned t = 0; t < n; t++)                                                               \
      team.emplace_back([=] {                                                                      \
        for (unsigned lane = t; lane < LANES_ALL; lane += n)                                       \
          sweep_##name(lane, stride, host);                                                        \
      });                                                                                          \
    for (auto &t : team)                                                                           \
      t.join();                                                                                    \
    good &= report(#name, k, host);                                                                \
  }
#else
#define GRID(name, k, real, most)                                                                  \
  KERNEL void grid_##name(unsigned stride, result *out)                                            \
  {                                                                                                \
    sweep_##name(blockIdx.x * blockDim.x + threadIdx.x, stride, out);                              \
  }
FUNCTIONS(GRID)
#define RUN(name, k, real, most)                                                                   \
  {                                                                                                \
    LAUNCH(grid_##name, LANES_ALL / 64, 64, NULL, stride, device);                                 \
    if (cudaMemcpy(host, device, sizeof(result) * LANES_ALL, cudaMemcpyDeviceToHost) !=            \
        cudaSuccess)                                                                               \
      return 2;                                                                                    \
    good &= report(#name, k, host);                                                                \
  }
#endif

int main(int argc, char **argv)
{
  static result every[LANES_ALL];
  result *host = every;
  unsigned stride = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
  int good = stride > 0;
#ifndef PM_SIM
  result *device;
  if (cudaMalloc(&device, sizeof every) != cudaSuccess)
    return 2;
#endif
  if (stride > 0) {
    FUNCTIONS(RUN)
  }
  return !good;
}
