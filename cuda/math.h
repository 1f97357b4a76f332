/* exp and tanh of the kernels: portable C with every fused multiply-add spelled out, so that the
 * simulator and the GPU give the same bits (both are compiled with contraction off).
 *
 * Measured against f64 over all 2^32 arguments, same bits on both (scripts/sweep_math.cu):
 *   pm_expf   0.87 ulp at most     pm_tanhf  1.66 ulp at most
 * so (k + 1/2) ulp of the real value holds with PM_K_EXP and PM_K_TANH, which is what the kernels
 * declare. NaN gives NaN; exp overflows to +Inf and underflows through the subnormals with one
 * rounding; tanh(-0) is -0 and |tanh| <= 1. */
#ifndef PM_MATH_H
#define PM_MATH_H
#include "kernel.h"

#define PM_K_EXP 0.5
#define PM_K_TANH 1.25

#ifdef __FRAMAC__
/* The real functions that they round. */
/*@ assigns \nothing; ensures \result == \exp(x); */
float pm_expf(float x);
/*@ assigns \nothing; ensures \result == \tanh(x); */
float pm_tanhf(float x);
#else
#ifdef PM_SIM
#define PM_FMA __builtin_fmaf
#else
#define PM_FMA __fmaf_rn
#endif

/* 2^n for -126 <= n <= 127, n held as the low bits of the float 1.5 * 2^23 + n. */
#define PM_MAGIC 12582912.0f
DEV float pm_pow2(unsigned n) { return __uint_as_float((n + 127u) << 23); }

/* e^x = p 2^n for -105 <= x <= 89: gives p, and PM_MAGIC + n in t. */
DEV float pm_exp_parts(float x, float *t)
{
  float n, r, p;
  *t = PM_FMA(x, 1.44269502f, PM_MAGIC);
  n = *t - PM_MAGIC;
  r = PM_FMA(n, -6.93145752e-1f, x); /* x - n ln 2, ln 2 in two parts */
  r = PM_FMA(n, -1.42860677e-6f, r);
  p = 1.37805939e-3f; /* e^r to 2^-27 for |r| <= ln 2 / 2 */
  p = PM_FMA(p, r, 8.37312452e-3f);
  p = PM_FMA(p, r, 4.16695364e-2f);
  p = PM_FMA(p, r, 1.66664720e-1f);
  p = PM_FMA(p, r, 4.99999851e-1f);
  p = PM_FMA(p, r, 1.0f);
  return PM_FMA(p, r, 1.0f);
}

DEV float pm_expf(float x)
{
  float t, p;
  unsigned i, half;
  x = x > 89.0f ? 89.0f : x; /* both ends give what lies beyond them: +Inf and 0 */
  x = x < -105.0f ? -105.0f : x;
  p = pm_exp_parts(x, &t);
  /* 2^n in two factors: the first product is exact, the second rounds once, also where the
   * result is subnormal or too large. */
  i = __float_as_uint(t) - __float_as_uint(PM_MAGIC);
  half = (unsigned)((int)i >> 1);
  return p * pm_pow2(half) * pm_pow2(i - half);
}

/* The larger; NaN where x is. */
DEV float pm_at_least(float x, float low)
{
#ifdef PM_SIM
  return x < low ? low : x;
#else
  float v;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(v) : "f"(x), "f"(low));
  return v;
#endif
}

/* The bits of pm_expf(x) where x <= 0 or x is NaN, in fewer instructions: n + 64 is the exponent
 * of a normal number, and PM_MAGIC << 23 is 0. */
DEV float pm_expf_down(float x)
{
  float t, p;
  x = pm_at_least(x, -105.0f);
  p = pm_exp_parts(x, &t);
  return p * __uint_as_float((__float_as_uint(t) << 23) + (191u << 23)) * 5.42101086e-20f;
}

/* tanh x = e/(e + 2) with e = exp(2|x|) - 1, which keeps its accuracy near 0. */
DEV float pm_tanhf(float x)
{
  float a = __uint_as_float(__float_as_uint(x) & 0x7fffffffu);
  float t, n, r, q, s, e, d, c;
  a = a > 10.0f ? 10.0f : a; /* tanh is 1 from 9.02 on */
  t = PM_FMA(a, 2.88539004f, PM_MAGIC);
  n = t - PM_MAGIC;
  a = a + a;
  r = PM_FMA(n, -6.93145752e-1f, a);
  r = PM_FMA(n, -1.42860677e-6f, r);
  q = 1.98412698e-4f; /* e^r - 1 = r + r^2 q(r) */
  q = PM_FMA(q, r, 1.38888889e-3f);
  q = PM_FMA(q, r, 8.33333333e-3f);
  q = PM_FMA(q, r, 4.16666667e-2f);
  q = PM_FMA(q, r, 1.66666667e-1f);
  q = PM_FMA(q, r, 0.5f);
  q = PM_FMA(r * r, q, r);
  s = pm_pow2(__float_as_uint(t) - __float_as_uint(PM_MAGIC));
  e = PM_FMA(s, q, s - 1.0f);
  /* The quotient, corrected by what it and the rounding of e + 2 left over. */
  d = e + 2.0f;
  c = e - (d - 2.0f);
  s = 1.0f / d;
  q = e * s;
  e = PM_FMA(-q, d, e);
  e = PM_FMA(-q, c, e);
  e = PM_FMA(e, s, q);
  return __uint_as_float(__float_as_uint(e) | (__float_as_uint(x) & 0x80000000u));
}
#undef PM_MAGIC
#endif
#endif
