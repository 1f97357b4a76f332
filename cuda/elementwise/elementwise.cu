/* Elementwise kernels: a function of one element each, and its instance of cuda/map/map.h. */
#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
#include "../lang/owned.h"
#endif
#include "../lang/kernel.h"
#include "../math/elementary.h"
#include "../../spec/elementwise.h"

/*@ assigns \nothing; ensures \result == Plus(a,b); */
DEV float add_f(float a, float b) { return a + b; }

/*@ assigns \nothing; ensures \result == First(a); */
DEV float copy_f(float a) { return a; }

/*@ assigns \nothing; ensures \result == Minus(a,b); */
DEV float minus_f(float a, float b) { return a - b; }

/*@ assigns \nothing; ensures \result == Neg(a); */
DEV float neg_f(float a) { return -a; }

/*@ assigns \nothing; ensures \result == Times(a,b); */
DEV float times_f(float a, float b) { return a * b; }

/*@ assigns \nothing; ensures \result == TimesDa(a,b,g); */
DEV float times_da_f(float a, float b, float g)
{
  (void)a;
  return g * b;
}

/*@ assigns \nothing; ensures \result == TimesDb(a,b,g); */
DEV float times_db_f(float a, float b, float g)
{
  (void)b;
  return g * a;
}

/*@ assigns \nothing; ensures \result == Scaled(a,c); */
DEV float scaled_f(float a, float c) { return c * a; }

/*@ assigns \nothing; ensures \result == Quotient(a,b); */
DEV float quotient_f(float a, float b) { return a / b; }

/*@ assigns \nothing; ensures \result == QuotientDa(a,b,g); */
DEV float quotient_da_f(float a, float b, float g)
{
  (void)a;
  return g / b;
}

/*@ assigns \nothing; ensures \result == QuotientDb(a,b,g); */
DEV float quotient_db_f(float a, float b, float g) { return -((g / b) * (a / b)); }

/*@ assigns \nothing; ensures \result == Axpy(a,b,c); */
DEV float axpy_f(float a, float b, float c) { return a + c * b; }

/*@ assigns \nothing; ensures \result == AxpyDa(g,c); */
DEV float axpy_da_f(float g, float c)
{
  (void)c;
  return g;
}

/*@ assigns \nothing; ensures \result == Sqrt(a); */
DEV float sqrt_f(float a) { return pm_sqrtf(a); }

/* 2y, where it is finite; g/2 is exact wherever the quotient is not 0. */
/*@ assigns \nothing; ensures \result == SqrtVjp(y,g); */
DEV float sqrt_vjp_f(float y, float g)
{
  return -0x1p126f <= y && y <= 0x1p126f ? g / (2.0f * y) : 0.5f * g / y;
}

/*@ assigns \nothing; ensures \result == Rsqrt(a); */
DEV float rsqrt_f(float a) { return 1.0f / pm_sqrtf(a); }

/*@ assigns \nothing; ensures \result == RsqrtVjp(y,g); */
DEV float rsqrt_vjp_f(float y, float g) { return -(0.5f * g * y * y * y); }

/*@ assigns \nothing; ensures \result == Reciprocal(a); */
DEV float reciprocal_f(float a) { return 1.0f / a; }

/*@ assigns \nothing; ensures \result == ReciprocalVjp(y,g); */
DEV float reciprocal_vjp_f(float y, float g) { return -(g * y * y); }

/*@ assigns \nothing; ensures \result == Abs(a); */
DEV float magnitude_f(float a) { return a > 0.0f ? a : 0.0f - a; }

/*@ assigns \nothing; ensures \result == AbsVjp(a,g); */
DEV float abs_vjp_f(float a, float g) { return a > 0.0f ? g : a < 0.0f ? -g : 0.0f * g; }

/*@ assigns \nothing; ensures \result == Clamp(a,lo,hi); */
DEV float clamp_f(float a, float lo, float hi) { return a < lo ? lo : a > hi ? hi : a; }

/*@ assigns \nothing; ensures \result == ClampVjp(a,g,lo,hi); */
DEV float clamp_vjp_f(float a, float g, float lo, float hi)
{
  return lo <= a && a <= hi ? g : 0.0f;
}

/*@ assigns \nothing; ensures \result == Maximum(a,b); */
DEV float maximum_f(float a, float b) { return a < b || b != b ? b : a; }

/*@ assigns \nothing; ensures \result == Minimum(a,b); */
DEV float minimum_f(float a, float b) { return b < a || b != b ? b : a; }

/*@ assigns \nothing; ensures \result == IfLarger(a,b,g); */
DEV float if_larger_f(float a, float b, float g) { return a == b ? 0.5f * g : a < b ? 0.0f : g; }

/*@ assigns \nothing; ensures \result == IfSmaller(a,b,g); */
DEV float if_smaller_f(float a, float b, float g) { return a == b ? 0.5f * g : a > b ? 0.0f : g; }

/*@ assigns \nothing; ensures \result == Relu(a); */
DEV float relu_f(float a) { return a < 0.0f ? 0.0f : a; }

/*@ assigns \nothing; ensures \result == ReluVjp(a,g); */
DEV float relu_vjp_f(float a, float g) { return a <= 0.0f ? 0.0f : g; }

#define MAP_NAME add_map
#define MAP_INPUTS 2
#define MAP_F0 add_f
#define MAP_L0 Plus
#include "../map/map.h"

#define MAP_NAME add_vjp_map
#define MAP_INPUTS 1
#define MAP_F0 copy_f
#define MAP_L0 First
#define MAP_F1 copy_f
#define MAP_L1 First
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME sub_map
#define MAP_INPUTS 2
#define MAP_F0 minus_f
#define MAP_L0 Minus
#include "../map/map.h"

#define MAP_NAME sub_vjp_map
#define MAP_INPUTS 1
#define MAP_F0 copy_f
#define MAP_L0 First
#define MAP_F1 neg_f
#define MAP_L1 Neg
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME mul_map
#define MAP_INPUTS 2
#define MAP_F0 times_f
#define MAP_L0 Times
#include "../map/map.h"

#define MAP_NAME mul_vjp_map
#define MAP_INPUTS 3
#define MAP_F0 times_da_f
#define MAP_L0 TimesDa
#define MAP_F1 times_db_f
#define MAP_L1 TimesDb
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME scale_map
#define MAP_INPUTS 1
#define MAP_PARAMS 1
#define MAP_F0 scaled_f
#define MAP_L0 Scaled
#include "../map/map.h"

#define MAP_NAME scale_vjp_map
#define MAP_INPUTS 1
#define MAP_PARAMS 1
#define MAP_F0 scaled_f
#define MAP_L0 Scaled
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME neg_map
#define MAP_INPUTS 1
#define MAP_F0 neg_f
#define MAP_L0 Neg
#include "../map/map.h"

#define MAP_NAME neg_vjp_map
#define MAP_INPUTS 1
#define MAP_F0 neg_f
#define MAP_L0 Neg
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME div_map
#define MAP_INPUTS 2
#define MAP_F0 quotient_f
#define MAP_L0 Quotient
#include "../map/map.h"

#define MAP_NAME div_vjp_map
#define MAP_INPUTS 3
#define MAP_F0 quotient_da_f
#define MAP_L0 QuotientDa
#define MAP_F1 quotient_db_f
#define MAP_L1 QuotientDb
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME axpy_map
#define MAP_INPUTS 2
#define MAP_PARAMS 1
#define MAP_F0 axpy_f
#define MAP_L0 Axpy
#include "../map/map.h"

#define MAP_NAME axpy_vjp_map
#define MAP_INPUTS 1
#define MAP_PARAMS 1
#define MAP_F0 axpy_da_f
#define MAP_L0 AxpyDa
#define MAP_F1 scaled_f
#define MAP_L1 Scaled
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME sqrt_map
#define MAP_INPUTS 1
#define MAP_F0 sqrt_f
#define MAP_L0 Sqrt
#include "../map/map.h"

#define MAP_NAME sqrt_vjp_map
#define MAP_INPUTS 2
#define MAP_F0 sqrt_vjp_f
#define MAP_L0 SqrtVjp
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME rsqrt_map
#define MAP_INPUTS 1
#define MAP_F0 rsqrt_f
#define MAP_L0 Rsqrt
#include "../map/map.h"

#define MAP_NAME rsqrt_vjp_map
#define MAP_INPUTS 2
#define MAP_F0 rsqrt_vjp_f
#define MAP_L0 RsqrtVjp
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME reciprocal_map
#define MAP_INPUTS 1
#define MAP_F0 reciprocal_f
#define MAP_L0 Reciprocal
#include "../map/map.h"

#define MAP_NAME reciprocal_vjp_map
#define MAP_INPUTS 2
#define MAP_F0 reciprocal_vjp_f
#define MAP_L0 ReciprocalVjp
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME abs_map
#define MAP_INPUTS 1
#define MAP_F0 magnitude_f
#define MAP_L0 Abs
#include "../map/map.h"

#define MAP_NAME abs_vjp_map
#define MAP_INPUTS 2
#define MAP_F0 abs_vjp_f
#define MAP_L0 AbsVjp
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME clamp_map
#define MAP_INPUTS 1
#define MAP_PARAMS 2
#define MAP_F0 clamp_f
#define MAP_L0 Clamp
#include "../map/map.h"

#define MAP_NAME clamp_vjp_map
#define MAP_INPUTS 2
#define MAP_PARAMS 2
#define MAP_F0 clamp_vjp_f
#define MAP_L0 ClampVjp
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME maximum_map
#define MAP_INPUTS 2
#define MAP_F0 maximum_f
#define MAP_L0 Maximum
#include "../map/map.h"

#define MAP_NAME maximum_vjp_map
#define MAP_INPUTS 3
#define MAP_F0 if_larger_f
#define MAP_L0 IfLarger
#define MAP_F1 if_smaller_f
#define MAP_L1 IfSmaller
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME minimum_map
#define MAP_INPUTS 2
#define MAP_F0 minimum_f
#define MAP_L0 Minimum
#include "../map/map.h"

#define MAP_NAME minimum_vjp_map
#define MAP_INPUTS 3
#define MAP_F0 if_smaller_f
#define MAP_L0 IfSmaller
#define MAP_F1 if_larger_f
#define MAP_L1 IfLarger
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME relu_map
#define MAP_INPUTS 1
#define MAP_F0 relu_f
#define MAP_L0 Relu
#include "../map/map.h"

#define MAP_NAME relu_vjp_map
#define MAP_INPUTS 2
#define MAP_F0 relu_vjp_f
#define MAP_L0 ReluVjp
#define MAP_ADDS
#include "../map/map.h"

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
#include "../map/map_launch.h"
#endif

#ifndef __FRAMAC__
static void declare_rsqrt(const int64_t *size, pm_arith *out)
{
  (void)size;
  out->k_rsqrt = PM_K_RSQRT;
}

static const pm_kernel ROWS[] = {
    MAP_ROWS("add", declare_none),        MAP_ROWS("add_vjp", declare_none),
    MAP_ROWS("sub", declare_none),        MAP_ROWS("sub_vjp", declare_none),
    MAP_ROWS("mul", declare_none),        MAP_ROWS("mul_vjp", declare_none),
    MAP_ROWS("div", declare_none),        MAP_ROWS("div_vjp", declare_none),
    MAP_ROWS("axpy", declare_none),       MAP_ROWS("axpy_vjp", declare_none),
    MAP_ROWS("sqrt", declare_none),       MAP_ROWS("sqrt_vjp", declare_none),
    MAP_ROWS("rsqrt", declare_rsqrt),     MAP_ROWS("rsqrt_vjp", declare_none),
    MAP_ROWS("reciprocal", declare_none), MAP_ROWS("reciprocal_vjp", declare_none),
    MAP_ROWS("scale", declare_none),      MAP_ROWS("scale_vjp", declare_none),
    MAP_ROWS("neg", declare_none),        MAP_ROWS("neg_vjp", declare_none),
    MAP_ROWS("abs", declare_none),        MAP_ROWS("abs_vjp", declare_none),
    MAP_ROWS("clamp", declare_none),      MAP_ROWS("clamp_vjp", declare_none),
    MAP_ROWS("maximum", declare_none),    MAP_ROWS("maximum_vjp", declare_none),
    MAP_ROWS("minimum", declare_none),    MAP_ROWS("minimum_vjp", declare_none),
    MAP_ROWS("relu", declare_none),       MAP_ROWS("relu_vjp", declare_none),
};
#endif

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
/*@ MAP_PROMISED((a, b), (y)) */
MAP_OP(add, (a, b), (y))
/*@ MAP_PROMISED((g), (da, db)) */
MAP_VJP(add, (g), (da, db))
/*@ MAP_PROMISED((a, b), (y)) */
MAP_OP(sub, (a, b), (y))
/*@ MAP_PROMISED((g), (da, db)) */
MAP_VJP(sub, (g), (da, db))
/*@ MAP_PROMISED((a, b), (y)) */
MAP_OP(mul, (a, b), (y))
/*@ MAP_PROMISED((a, b, g), (da, db)) */
MAP_VJP(mul, (a, b, g), (da, db))
/*@ MAP_PROMISED((a, b), (y)) */
MAP_OP(div, (a, b), (y))
/*@ MAP_PROMISED((a, b, g), (da, db)) */
MAP_VJP(div, (a, b, g), (da, db))
/*@ MAP_PROMISED((a, b), (y)) */
MAP_OP1(axpy, c, pm_any, (a, b), (y))
/*@ MAP_PROMISED((g), (da, db)) */
MAP_VJP1(axpy, c, pm_any, (g), (da, db))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP(sqrt, (a), (y))
/*@ MAP_PROMISED((y, g), (da)) */
MAP_VJP(sqrt, (y, g), (da))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP(rsqrt, (a), (y))
/*@ MAP_PROMISED((y, g), (da)) */
MAP_VJP(rsqrt, (y, g), (da))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP(reciprocal, (a), (y))
/*@ MAP_PROMISED((y, g), (da)) */
MAP_VJP(reciprocal, (y, g), (da))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP1(scale, c, pm_any, (a), (y))
/*@ MAP_PROMISED((g), (da)) */
MAP_VJP1(scale, c, pm_any, (g), (da))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP(neg, (a), (y))
/*@ MAP_PROMISED((g), (da)) */
MAP_VJP(neg, (g), (da))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP(abs, (a), (y))
/*@ MAP_PROMISED((a, g), (da)) */
MAP_VJP(abs, (a, g), (da))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP2(clamp, lo, hi, pm_ordered, (a), (y))
/*@ MAP_PROMISED((a, g), (da)) */
MAP_VJP2(clamp, lo, hi, pm_ordered, (a, g), (da))
/*@ MAP_PROMISED((a, b), (y)) */
MAP_OP(maximum, (a, b), (y))
/*@ MAP_PROMISED((a, b, g), (da, db)) */
MAP_VJP(maximum, (a, b, g), (da, db))
/*@ MAP_PROMISED((a, b), (y)) */
MAP_OP(minimum, (a, b), (y))
/*@ MAP_PROMISED((a, b, g), (da, db)) */
MAP_VJP(minimum, (a, b, g), (da, db))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP(relu, (a), (y))
/*@ MAP_PROMISED((a, g), (da)) */
MAP_VJP(relu, (a, g), (da))

PM_FAMILY(elementwise, ROWS, NULL);
#endif
