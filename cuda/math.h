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
#define PM_K_EXPM1 1.5
#define PM_K_LOG 1.5
#define PM_K_LOG1P 1.5
#define PM_K_TANH 1.25
#define PM_K_ERF 1.5
#define PM_K_SIGMOID 2
#define PM_K_SOFTPLUS 2
#define PM_K_SIN 1.5
#define PM_K_COS 1.5

#ifdef __FRAMAC__
/* The real functions that they round. */
/*@ assigns \nothing; ensures \result == \exp(x); */
float pm_expf(float x);
/*@ assigns \nothing; ensures \result == Expm1(x); */
float pm_expm1f(float x);
/*@ assigns \nothing; ensures \result == \log(x); */
float pm_logf(float x);
/*@ assigns \nothing; ensures \result == Log1p(x); */
float pm_log1pf(float x);
/*@ assigns \nothing; ensures \result == \tanh(x); */
float pm_tanhf(float x);
/*@ assigns \nothing; ensures \result == Erf(x); */
float pm_erff(float x);
/*@ assigns \nothing; ensures \result == Sigmoid(x); */
float pm_sigmoidf(float x);
/*@ assigns \nothing; ensures \result == Softplus(x); */
float pm_softplusf(float x);
/*@ assigns \nothing; ensures \result == \sin(x); */
float pm_sinf(float x);
/*@ assigns \nothing; ensures \result == \cos(x); */
float pm_cosf(float x);
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

DEV float pm_absf(float x) { return __uint_as_float(__float_as_uint(x) & 0x7fffffffu); }
DEV float pm_inf(void) { return __uint_as_float(0x7f800000u); }
/* v with the sign of x; v is not negative. */
DEV float pm_signed(float v, float x)
{
  return __uint_as_float(__float_as_uint(v) | (__float_as_uint(x) & 0x80000000u));
}

/* e^x - 1 = 2^n (e^r - 1) + (2^n - 1). */
DEV float pm_expm1f(float x)
{
  float t, n, r, q, s, c = x > 89.0f ? 89.0f : x;
  unsigned i, half;
  c = c < -20.0f ? -20.0f : c;
  t = PM_FMA(c, 1.44269502f, PM_MAGIC);
  n = t - PM_MAGIC;
  r = PM_FMA(n, -6.93145752e-1f, c);
  r = PM_FMA(n, -1.42860677e-6f, r);
  q = 1.98412698e-4f;
  q = PM_FMA(q, r, 1.38888889e-3f);
  q = PM_FMA(q, r, 8.33333333e-3f);
  q = PM_FMA(q, r, 4.16666667e-2f);
  q = PM_FMA(q, r, 1.66666667e-1f);
  q = PM_FMA(q, r, 0.5f);
  q = PM_FMA(r * r, q, r);
  i = __float_as_uint(t) - __float_as_uint(PM_MAGIC);
  half = (unsigned)((int)i >> 1);
  s = pm_pow2(half);
  q = PM_FMA(s * pm_pow2(i - half - 1u), q, s * pm_pow2(i - half - 1u) - 0.5f);
  return pm_absf(x) < 1e-9f ? x : q + q;
}

/* ln m + c for m > 0 finite, where c is small. */
DEV float pm_log_of(float m, float c)
{
  float e = 0.0f, s, t, p;
  unsigned i;
  if (m < 1.17549435e-38f) {
    m = m * 16777216.0f;
    e = -24.0f;
  }
  i = (__float_as_uint(m) - 0x3f2aaaabu) & 0xff800000u; /* m becomes 2/3 .. 4/3 */
  e = e + (float)((int)i >> 23);
  m = __uint_as_float(__float_as_uint(m) - i) - 1.0f;
  s = m / (m + 2.0f); /* ln (1 + m) = 2 artanh s */
  t = s * s;
  p = 0.153846154f;
  p = PM_FMA(p, t, 0.181818182f);
  p = PM_FMA(p, t, 0.222222222f);
  p = PM_FMA(p, t, 0.285714286f);
  p = PM_FMA(p, t, 0.4f);
  p = PM_FMA(p, t, 0.666666667f);
  p = PM_FMA(p * t, s, PM_FMA(-m, s, m)); /* 2 s = m - m s */
  p = PM_FMA(e, 1.42860677e-6f, p + c);
  return PM_FMA(e, 6.93145752e-1f, p);
}

DEV float pm_logf(float x)
{
  if (x > 0.0f && x < pm_inf())
    return pm_log_of(x, 0.0f);
  return x == 0.0f ? -pm_inf() : x < 0.0f ? pm_inf() - pm_inf() : x;
}

DEV float pm_log1pf(float x)
{
  float u = 1.0f + x;
  if (u > 0.0f && x < pm_inf())
    return pm_absf(x) < 1e-9f ? x : pm_log_of(u, (x - (u - 1.0f)) / u);
  return x == -1.0f ? -pm_inf() : x < 0.0f ? pm_inf() - pm_inf() : x;
}

/* x + x p(x^2) near 0, else 1 - exp(q(|x|)). */
DEV float pm_erff(float x)
{
  float a = pm_absf(x), t, p;
  a = a > 4.0f ? 4.0f : a;
  if (a < 0.9f) {
    t = x * x;
    p = 8.52940098e-05f;
    p = PM_FMA(p, t, -8.17963213e-4f);
    p = PM_FMA(p, t, 5.20422682e-3f);
    p = PM_FMA(p, t, -2.68606655e-2f);
    p = PM_FMA(p, t, 1.1283718e-1f);
    p = PM_FMA(p, t, -3.76126349e-1f);
    p = PM_FMA(p, t, 1.28379166e-1f);
    return PM_FMA(p, x, x);
  }
  p = 3.31061699e-07f;
  p = PM_FMA(p, a, -5.55284032e-6f);
  p = PM_FMA(p, a, 2.16255194e-5f);
  p = PM_FMA(p, a, 2.35025058e-4f);
  p = PM_FMA(p, a, -3.5518636e-3f);
  p = PM_FMA(p, a, 2.381479e-2f);
  p = PM_FMA(p, a, -1.06450371e-1f);
  p = PM_FMA(p, a, -6.34967029e-1f);
  p = PM_FMA(p, a, -1.28702402e-1f);
  p = PM_FMA(p, a, -a);
  return x == x ? pm_signed(1.0f - pm_expf(p), x) : x;
}

/* 1/(1 + e^-x); e^x below where e^-x is large. */
DEV float pm_sigmoidf(float x)
{
  float e = pm_expf(-pm_absf(x)), q = 1.0f / (1.0f + e);
  return x < 0.0f ? e * q : q;
}

DEV float pm_softplusf(float x)
{
  float e = pm_expf(-pm_absf(x));
  return x > 0.0f ? x + pm_log1pf(e) : x == x ? pm_log1pf(e) : x;
}

/* x - n pi/2 for |x| up to 2^20, n in *t as PM_MAGIC + n. */
DEV float pm_quarter(float x, float *t)
{
  float n, r;
  *t = PM_FMA(x, 6.36619747e-1f, PM_MAGIC);
  n = *t - PM_MAGIC;
  r = PM_FMA(n, -1.57079637f, x);
  r = PM_FMA(n, 4.37113883e-8f, r);
  return PM_FMA(n, 1.71512449e-15f, r);
}

DEV float pm_sin_poly(float r)
{
  float s = r * r, p = 2.75573192e-6f;
  p = PM_FMA(p, s, -1.98412698e-4f);
  p = PM_FMA(p, s, 8.33333333e-3f);
  p = PM_FMA(p, s, -1.66666667e-1f);
  return PM_FMA(p * s, r, r);
}

DEV float pm_cos_poly(float r)
{
  float s = r * r, p = 2.48015873e-5f;
  p = PM_FMA(p, s, -1.38888889e-3f);
  p = PM_FMA(p, s, 4.16666667e-2f);
  p = PM_FMA(p, s, -0.5f);
  return PM_FMA(p, s, 1.0f);
}

/* sin(x + shift pi/2) for |x| up to 2^20; beyond, the reduction is no use and so is the result. */
DEV float pm_sin_shifted(float x, unsigned shift)
{
  float t, r = pm_quarter(x - x == 0.0f ? x : 0.0f, &t);
  unsigned n = __float_as_uint(t) + shift;
  r = n & 1u ? pm_cos_poly(r) : pm_sin_poly(r);
  r = n & 2u ? -r : r;
  return x - x == 0.0f ? r : x - x;
}

DEV float pm_sinf(float x) { return x == 0.0f ? x : pm_sin_shifted(x, 0u); }
DEV float pm_cosf(float x) { return pm_sin_shifted(x, 1u); }
#undef PM_MAGIC
#endif
#endif
