/* The elementary functions of the kernels: portable C with every fused multiply-add spelled out, so
 * that the simulator and the GPU give the same bits (both are compiled with contraction off).
 *
 * Each is within k + 1/2 ulp of the real value at every argument, with the k that stand below
 * and that the kernels declare: 1 ulp for all but softplus (1.1), tanh (1.75) and the two of
 * pm_logistic_of (2 and 2.5). Measured against f64 over all 2^32 arguments by
 * scripts/sweep_math.cu; docs/accuracy.md has the figures, and what of them is proven. NaN,
 * infinities, zeros and their signs are as C99's Annex F has them, subnormals are kept, and what
 * overflows or underflows does so with one rounding. No result leaves its function's range:
 * |tanh|, |erf|, |sin|, |cos| <= 1, 0 <= sigmoid <= 1, softplus >= max(0, x). */
#ifndef PM_MATH_ELEMENTARY_H
#define PM_MATH_ELEMENTARY_H
#include "../lang/kernel.h"

/* ulps of the rounded real value */
#define PM_K_EXP 0.5
#define PM_K_EXPM1 0.5
#define PM_K_LOG 0.5
#define PM_K_LOG1P 0.5
#define PM_K_TANH 1.25
#define PM_K_ERF 0.5
#define PM_K_SIGMOID 0.5
#define PM_K_SOFTPLUS 0.6
#define PM_K_SOFTPLUS_SHORT 1.5 /* pm_logistic_of's */
#define PM_K_SIGMOID_SHORT 2.0
#define PM_K_SIN 0.5
#define PM_K_COS 0.5
#define PM_K_RSQRT 0.5 /* 1 / sqrt, each correctly rounded */

typedef struct pm_logistic {
  float softplus, sigmoid;
} pm_logistic;

#ifdef __FRAMAC__
/* The real functions that they round. */
/*@ assigns \nothing; ensures \result == \exp(x); */
float pm_expf(float x);
/*@ assigns \nothing; ensures \result == Expm1(x); */
float pm_expm1f(float x);
/*@ assigns \nothing; ensures \result == \log(x); */
float pm_logf(float x);
/*@ assigns \nothing; ensures \result == \log(x); */
float pm_log_positive(float x);
/*@ assigns \nothing; ensures \result == \log(x); */
float pm_log_finite(float x);
/*@ assigns \nothing; ensures \result == \log(x); */
float pm_log_normal(float x);
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
/*@ assigns \nothing;
    ensures \result.softplus == Softplus(x) && \result.sigmoid == Sigmoid(x); */
pm_logistic pm_logistic_of(float x);
/*@ requires y >= 7.88860905e-31; assigns \nothing; ensures \result == Softplus(x) + y; */
float pm_softplus_and(float x, float y);
/*@ assigns \nothing; ensures \result == \sin(x); */
float pm_sinf(float x);
/*@ assigns \nothing; ensures \result == \cos(x); */
float pm_cosf(float x);
/*@ requires -0.7853982 <= x <= 0.7853982; assigns \nothing; ensures \result == \sin(x); */
float pm_sin_near(float x);
/*@ requires -0.7853982 <= x <= 0.7853982; assigns \nothing; ensures \result == \cos(x); */
float pm_cos_near(float x);
/*@ assigns \nothing; ensures \result == \sqrt(x); */
float pm_sqrtf(float x);
#else
/* The square root is correctly rounded, as IEEE 754 has it. */
#ifdef PM_SIM
#define PM_FMA __builtin_fmaf
DEV float pm_sqrtf(float x) { return __builtin_sqrtf(x); }
#else
#define PM_FMA __fmaf_rn
DEV float pm_sqrtf(float x) { return __fsqrt_rn(x); }
#endif

/* 2^n for -126 <= n <= 127, n held as the low bits of the float 1.5 * 2^23 + n. */
#define PM_MAGIC 12582912.0f
#define PM_LN2 6.93147182e-1f
DEV float pm_pow2(unsigned n) { return __uint_as_float((n + 127u) << 23); }

/* x = n ln 2 + r, |r| <= ln 2 / 2 and a little, n in *t as PM_MAGIC + n; r to 2^-24 r, and what
 * its rounding lost in *low. */
DEV float pm_ln2_parts(float x, float *t, float *low)
{
  float n, r, first;
  *t = PM_FMA(x, 1.44269502f, PM_MAGIC);
  n = *t - PM_MAGIC;
  first = PM_FMA(n, -6.93145752e-1f, x); /* exact */
  r = PM_FMA(n, -1.42860677e-6f, first);
  *low = PM_FMA(n, -1.42860677e-6f, first - r);
  return r;
}

/* e^x = (y + *low) 2^n for -105 <= x <= 89: y rounded, what that lost, and PM_MAGIC + n in t. */
DEV float pm_exp_parts(float x, float *t, float *low)
{
  float rest, r = pm_ln2_parts(x, t, &rest), p = 1.37805939e-3f, y;
  p = PM_FMA(p, r, 8.37312452e-3f);
  p = PM_FMA(p, r, 4.16695364e-2f);
  p = PM_FMA(p, r, 1.66664720e-1f);
  p = PM_FMA(p, r, 4.99999851e-1f);
  p = PM_FMA(p, r, 1.0f);
  y = PM_FMA(p, r, 1.0f);
  *low = PM_FMA(p, r, 1.0f - y);
  return y;
}

DEV float pm_expf(float x)
{
  float t, p, low;
  unsigned i, half;
  x = x > 89.0f ? 89.0f : x; /* both ends give what lies beyond them: +Inf and 0 */
  x = x < -105.0f ? -105.0f : x;
  p = pm_exp_parts(x, &t, &low);
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
  float t, p, low;
  x = pm_at_least(x, -105.0f);
  p = pm_exp_parts(x, &t, &low);
  return p * __uint_as_float((__float_as_uint(t) << 23) + (191u << 23)) * 5.42101086e-20f;
}

/* |x|, on the GPU part of the instruction that uses it. */
DEV float pm_absf(float x)
{
#ifdef PM_SIM
  return __uint_as_float(__float_as_uint(x) & 0x7fffffffu);
#else
  return fabsf(x);
#endif
}

DEV float pm_inf(void) { return __uint_as_float(0x7f800000u); }
/* v with the sign of x; v is not negative. */
DEV float pm_signed(float v, float x)
{
  return __uint_as_float(__float_as_uint(v) | (__float_as_uint(x) & 0x80000000u));
}

/* s e^(r + low) + (base - s) as the rounded result and what that lost in *low; s is a power of two,
 * and either base is s or |base| >= |s r|. */
DEV float pm_scaled_exp(float r, float s, float base, float *low)
{
  float p = 1.97434449e-4f, head;
  p = PM_FMA(p, r, 1.39337126e-3f);
  p = PM_FMA(p, r, 8.3335666e-3f);
  p = PM_FMA(p, r, 4.16664779e-2f);
  p = PM_FMA(p, r, 1.66666657e-1f);
  p = PM_FMA(p, r, 0.5f);
  p = PM_FMA(r * r, p, *low); /* e^r - 1 - r */
  head = PM_FMA(s, r, base);
  p = PM_FMA(s, p, PM_FMA(s, r, base - head));
  r = head + p;
  *low = (head - r) + p;
  return r;
}

/* e^x - 1 = 2^n (e^r - 1) + (2^n - 1); the half of it, as 2^128 has no float. */
DEV float pm_expm1f(float x)
{
  float t, low, r, s, base, c = x > 89.0f ? 89.0f : x;
  c = c < -20.0f ? -20.0f : c;
  r = pm_ln2_parts(c, &t, &low);
  s = pm_pow2(__float_as_uint(t) - __float_as_uint(PM_MAGIC) - 1u);
  base = s - 0.5f;
  r = pm_scaled_exp(r, s, base, &low);
  r = r + (low + ((s - base) - 0.5f));
  return pm_absf(x) < 1e-9f ? x : r + r;
}

/* (a + low)/(d + c), where low and c are small beside a and d. */
DEV float pm_quotient(float a, float low, float d, float c)
{
  float inverse = 1.0f / d, q = a * inverse, rest = PM_FMA(-q, d, a);
  rest = PM_FMA(-q, c, rest + low);
  return PM_FMA(rest, inverse, q);
}

/* tanh x = e/(e + 2) with e = exp(2|x|) - 1, which keeps its accuracy near 0. With e in two floats
 * it would be within 1 ulp, and gelu a tenth slower. */
DEV float pm_tanhf(float x)
{
  float a = pm_absf(x), t, n, r, q, s, e, d, c;
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
  return pm_signed(PM_FMA(e, s, q), x);
}

/* e^x for x <= 0 as the result and a much smaller *low; 0 below 2^-149. */
DEV float pm_exp_two(float x, float *low)
{
  float t, p = pm_exp_parts(pm_at_least(x, -105.0f), &t, low), s; /* 2^n */
  s = __uint_as_float((__float_as_uint(t) << 23) + (191u << 23)) * 5.42101086e-20f;
  *low = *low * s;
  return p * s;
}

/* 1/(1 + e^-x), or e^x/(1 + e^x) for x < 0. */
DEV float pm_sigmoidf(float x)
{
  float low, e = pm_exp_two(-pm_absf(x), &low), d = 1.0f + e, c = e - (d - 1.0f);
  return pm_quotient(x < 0.0f ? e : 1.0f, x < 0.0f ? low : 0.0f, d, c);
}

/* ln(1 + m + low) for -1/4 <= m <= 1/2, or a little more; low is much smaller than m. */
DEV float pm_log_parts(float m, float low)
{
  float s = m * m, p = -0.0450735465f, q = 0.104645334f;
  p = PM_FMA(p, s, -0.131629914f);
  q = PM_FMA(q, s, 0.144788221f);
  p = PM_FMA(p, s, -0.166471645f);
  q = PM_FMA(q, s, 0.199908063f);
  p = PM_FMA(p, s, -0.250000983f);
  p = PM_FMA(q, m, p);
  p = PM_FMA(p, m, 0.333334506f);
  p = PM_FMA(p, m, -0.5f);
  return PM_FMA(p, s, low) + m;
}

/* How much the exponent of u is above that of its representative in 3/4 .. 3/2, as an exponent. */
DEV unsigned pm_binade(unsigned u) { return (u - 0x3f400001u) & 0xff800000u; }
DEV float pm_binades(unsigned i) { return (float)((int)i >> 23); }

DEV float pm_logf(float x)
{
  float m = x, e = 0.0f;
  unsigned i;
  if (x < 1.17549435e-38f) {
    m = x * 16777216.0f;
    e = -24.0f;
  }
  i = pm_binade(__float_as_uint(m));
  m = pm_log_parts(__uint_as_float(__float_as_uint(m) - i) - 1.0f, 0.0f);
  m = PM_FMA(e + pm_binades(i), PM_LN2, m);
  if (x > 0.0f && x < pm_inf())
    return m;
  return x == 0.0f ? -pm_inf() : x < 0.0f ? pm_inf() - pm_inf() : x;
}

/* The bits of pm_logf for a normal x > 0, in fewer instructions. */
DEV float pm_log_finite(float x)
{
  unsigned i = pm_binade(__float_as_uint(x));
  float m = pm_log_parts(__uint_as_float(__float_as_uint(x) - i) - 1.0f, 0.0f);
  return PM_FMA((float)(int)i, PM_LN2 * 1.1920929e-7f, m);
}

/* Less than ln x for x > 0, but +Inf and NaN where x is. */
DEV float pm_log_past(float x) { return PM_FMA(x, 1.17549435e-38f, -104.0f); }

/* The bits of pm_logf for a normal x > 0, +Inf and NaN, without a branch. */
DEV float pm_log_normal(float x) { return pm_at_least(pm_log_past(x), pm_log_finite(x)); }

/* The same for x > 0, +Inf and NaN. */
DEV float pm_log_positive(float x)
{
  float m = x < 1.17549435e-38f ? x * 16777216.0f : x,
        e = x < 1.17549435e-38f ? -201326592.0f : 0.0f;
  unsigned i = pm_binade(__float_as_uint(m));
  m = pm_log_parts(__uint_as_float(__float_as_uint(m) - i) - 1.0f, 0.0f);
  return pm_at_least(pm_log_past(x), PM_FMA(e + (float)(int)i, PM_LN2 * 1.1920929e-7f, m));
}

/* k ln 2 + ln(1 + m) with 1 + m = 2^-k (1 + x), exactly. */
DEV float pm_log1pf(float x)
{
  /* 1 + x counts as 3/2 only above it, and as 3/4 from there on: m has no bit to lose then. */
  unsigned i = pm_binade(__float_as_uint(1.0f + x) + (__float_as_uint(x) >> 31));
  float scale = 0.25f * __uint_as_float(0x40800000u - i); /* 2^-k, also where k is 128 */
  float m = __uint_as_float(__float_as_uint(x) - i) + (scale - 1.0f);
  m = PM_FMA(pm_binades(i), PM_LN2, pm_log_parts(m, 0.0f));
  if (x > -1.0f && x < pm_inf())
    return x == 0.0f ? x : m;
  return x == -1.0f ? -pm_inf() : x < 0.0f ? pm_inf() - pm_inf() : x;
}

/* ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|). */
DEV float pm_softplusf(float x)
{
  float low, e = pm_exp_two(-pm_absf(x), &low), scale = e < 0.5f ? 1.0f : 0.5f;
  float m = PM_FMA(scale, e, scale - 1.0f); /* exact */
  low = low * scale;
  m = pm_log_parts(m, PM_FMA(-m, low, low)) + (x > 0.0f ? x : 0.0f);
  return m + (e < 0.5f ? 0.0f : PM_LN2);
}

/* ln(1 + e) for 0 <= e <= 1, as e + e^2 p(e). */
DEV float pm_log_above_one(float e)
{
  float p = -0.00331243477f;
  p = PM_FMA(p, e, 0.0201764461f);
  p = PM_FMA(p, e, -0.0576093942f);
  p = PM_FMA(p, e, 0.106746942f);
  p = PM_FMA(p, e, -0.153517172f);
  p = PM_FMA(p, e, 0.196940243f);
  p = PM_FMA(p, e, -0.249582931f);
  p = PM_FMA(p, e, 0.333304793f);
  p = PM_FMA(p, e, -0.499999315f);
  return PM_FMA(e * e, p, e);
}

/* Of one exp, and in fewer instructions than pm_softplusf and pm_sigmoidf: with e = e^-|x| softplus
 * is max(x, 0) + ln(1 + e), sigmoid 1/(1 + e) or e/(1 + e). */
DEV pm_logistic pm_logistic_of(float x)
{
  float e = pm_expf_down(-pm_absf(x));
  pm_logistic l = {pm_at_least(x, 0.0f) + pm_log_above_one(e), (x < 0.0f ? e : 1.0f) / (1.0f + e)};
  return l;
}

/* The bits of pm_logistic_of(x).softplus + y for y >= 2^-100, in fewer instructions: beside y an
 * e^-|x| below e^-87, which is a normal number, makes no difference. */
DEV float pm_softplus_and(float x, float y)
{
  float t, low, e = pm_exp_parts(pm_at_least(-pm_absf(x), -87.0f), &t, &low);
  e = __uint_as_float((__float_as_uint(t) << 23) + __float_as_uint(e));
  return pm_at_least(x, 0.0f) + pm_log_above_one(e) + y;
}

/* x + x p(x^2), for |x| <= 1. */
DEV float pm_erf_near(float x)
{
  float t, p;
  t = x * x;
  p = 7.84617296e-05f;
  p = PM_FMA(p, t, -0.000800788926f);
  p = PM_FMA(p, t, 0.00518807443f);
  p = PM_FMA(p, t, -0.0268536918f);
  p = PM_FMA(p, t, 0.112835832f);
  p = PM_FMA(p, t, -0.37612626f);
  p = PM_FMA(p, t, 0.128379166f);
  return PM_FMA(p, x, x);
}

/* ln(1 - erf(a)) = a q(a) - 2a for 1 <= a <= 4, and what it lost in *low. q is small where
 * 1 - erf(a) is large, and was fitted with 1 - erf(a) as the weight: what matters is its error in
 * erf. */
DEV float pm_erf_exponent(float a, float *low)
{
  float p, q, b = -2.0f * a;
  q = -1.41316596e-05f;
  q = PM_FMA(q, a, 0.000352313131f);
  q = PM_FMA(q, a, -0.00376459584f);
  q = PM_FMA(q, a, 0.024025403f);
  q = PM_FMA(q, a, -0.106549017f);
  q = PM_FMA(q, a, -0.634958327f);
  q = PM_FMA(q, a, 0.871302843f);
  p = PM_FMA(q, a, b);
  *low = PM_FMA(q, a, b - p);
  return p;
}

DEV float pm_erff(float x)
{
  float a = pm_absf(x), low, p;
  if (a < 1.0f)
    return pm_erf_near(x);
  p = pm_erf_exponent(a > 4.0f ? 4.0f : a, &low);
  p = pm_expf_down(p);
  return x == x ? pm_signed(1.0f - PM_FMA(p, low, p), x) : x;
}

/* x = n pi/2 + r + *low for |x| <= 2^20, |r| <= pi/4 and a little, n modulo 4 in *quadrant. */
DEV float pm_quarter_near(float x, unsigned *quadrant, float *low)
{
  float t = PM_FMA(x, 6.36619747e-1f, PM_MAGIC), n = t - PM_MAGIC;
  float a = PM_FMA(n, -1.57079637f, x); /* exact */
  float b = n * 4.37113883e-8f, r = a + b, c = r - a;
  c = (a - (r - c)) + (b - c); /* a + b is r + c */
  *low = PM_FMA(n, 1.71512451e-15f, c + PM_FMA(n, 4.37113883e-8f, -b));
  *quadrant = __float_as_uint(t);
  return r;
}

/* The same for finite |x| >= 1, in integers (Payne and Hanek): with x = m 2^e, the bits of 2/pi
 * whose product with x is a multiple of 4 do not matter, and of the next 96 the product's high 64
 * give the quadrant and 62 bits of the fraction. */
DEV float pm_quarter_far(float x, unsigned *quadrant, float *low)
{
  const uint32_t inverse[8] = {0,           0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                               0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};
  unsigned bits = __float_as_uint(x), from = (bits >> 23 & 255u) - 120u, k = from & 31u;
  const uint32_t *w = inverse + (from >> 5);
  uint64_t m = (bits & 0x7fffffu) | 0x800000u, product;
  int64_t rest;
  float h, r;
  product = m * (uint32_t)(((uint64_t)w[2] << 32 | w[3]) << k >> 32) >> 32;
  product += m * (uint32_t)(((uint64_t)w[1] << 32 | w[2]) << k >> 32);
  product += m * (uint32_t)(((uint64_t)w[0] << 32 | w[1]) << k >> 32) << 32;
  *quadrant = (unsigned)((product + (1ull << 61)) >> 62);
  rest = (int64_t)(product << 2) / 2; /* half the fraction, of 2^63 */
  h = (float)rest;
  r = h * 1.70306084e-19f;
  *low = PM_FMA(h, 1.70306084e-19f, -r) +
         PM_FMA(h, -4.73919821e-27f, (float)(rest - (int64_t)h) * 1.70306084e-19f);
  if (bits >> 31) {
    *quadrant = 0u - *quadrant;
    *low = -*low;
    r = -r;
  }
  return r;
}

/* sin r is r + r s p(s), of which this is p, and cos r this; s = r^2, |r| <= pi/4 and a little. */
DEV float pm_sin_rest(float s)
{
  float p = -1.95180852e-4f;
  p = PM_FMA(p, s, 8.33218824e-3f);
  return PM_FMA(p, s, -1.66666552e-1f);
}

DEV float pm_cos_from(float s)
{
  float p = 2.44325446e-5f;
  p = PM_FMA(p, s, -1.38873106e-3f);
  p = PM_FMA(p, s, 4.16666456e-2f);
  p = PM_FMA(p, s, -0.5f);
  return PM_FMA(p, s, 1.0f);
}

/* sin and cos of r + low. */
DEV float pm_sin_of(float r, float low)
{
  float s = PM_FMA(r, r, (r + r) * low), p = pm_sin_rest(s);
  return r + PM_FMA(p * s, r, low);
}

DEV float pm_cos_of(float r, float low)
{
  float s = PM_FMA(r, r, (r + r) * low);
  return pm_cos_from(s);
}

/* sin(x + shift pi/2). */
DEV float pm_sin_shifted(float x, unsigned shift)
{
  float low, r;
  unsigned n;
  if (!(x - x == 0.0f))
    return x - x;
  r = pm_absf(x) <= 1048576.0f ? pm_quarter_near(x, &n, &low) : pm_quarter_far(x, &n, &low);
  n += shift;
  r = n & 1u ? pm_cos_of(r, low) : pm_sin_of(r, low);
  return n & 2u ? -r : r;
}

DEV float pm_sinf(float x) { return x == 0.0f ? x : pm_sin_shifted(x, 0u); }
DEV float pm_cosf(float x) { return pm_sin_shifted(x, 1u); }
/* The same bits where no quarter is to be taken off: for |x| <= 0.7853982, a float above pi/4. */
DEV float pm_sin_near(float x) { return x == 0.0f ? x : x + pm_sin_rest(x * x) * (x * x) * x; }
DEV float pm_cos_near(float x) { return pm_cos_from(x * x); }
#undef PM_LN2
#undef PM_MAGIC
#endif
#endif
