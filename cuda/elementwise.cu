/* Elementwise kernels: a function of one element each, and its instance of cuda/map.h. */
#include "kernel.h"
#include "math.h"
#include "../spec/elementwise.h"

/*@ assigns \nothing; ensures \result == Plus(a,b); */
DEV float add_f(float a, float b) { return a + b; }

/*@ assigns \nothing; ensures \result == First(a); */
DEV float copy_f(float a) { return a; }

/*@ assigns \nothing; ensures \result == GeluIn(a); */
DEV float gelu_in(float a) { return REAL(GELU_SCALE) * (a + REAL(GELU_CUBIC) * a * a * a); }

/*@ assigns \nothing; ensures \result == Gelu(a); */
DEV float gelu_f(float a) { return 0.5f * a * (1.0f + pm_tanhf(gelu_in(a))); }

/*@ assigns \nothing; ensures \result == GeluD(a); */
DEV float gelu_slope(float a)
{
  float t = pm_tanhf(gelu_in(a));
  float d = 1.0f - t * t;
  float slope = REAL(GELU_SCALE) * (1.0f + 3.0f * REAL(GELU_CUBIC) * a * a);
  /* Where tanh has reached 1, slope may have overflowed; at an infinite a the formula is NaN. */
  float rise = d == 0.0f && a - a == 0.0f ? 0.0f : 0.5f * a * d * slope;
  //@ assert rise == 0.5 * a * d * slope;
  return 0.5f * (1.0f + t) + rise;
}

/*@ assigns \nothing; ensures \result == GeluVjp(a,g); */
DEV float gelu_vjp_f(float a, float g)
{
  //@ assert rmul(g, GeluD(a)) == g * GeluD(a);
  return g * gelu_slope(a);
}

#define MAP_NAME add_map
#define MAP_INPUTS 2
#define MAP_F0 add_f
#define MAP_L0 Plus
#include "map.h"

#define MAP_NAME add_vjp_map
#define MAP_INPUTS 1
#define MAP_F0 copy_f
#define MAP_L0 First
#define MAP_F1 copy_f
#define MAP_L1 First
#define MAP_ADDS
#include "map.h"

#define MAP_NAME gelu_map
#define MAP_INPUTS 1
#define MAP_F0 gelu_f
#define MAP_L0 Gelu
#include "map.h"

#define MAP_NAME gelu_vjp_map
#define MAP_INPUTS 2
#define MAP_F0 gelu_vjp_f
#define MAP_L0 GeluVjp
#define MAP_ADDS
#include "map.h"

#ifndef __FRAMAC__
#include "map_launch.h"

static void declare_tanh(const int64_t *size, pm_arith *out)
{
  (void)size;
  out->k_tanh = PM_K_TANH;
}

static const pm_kernel ROWS[] = {
    MAP_ROWS("add", declare_none),
    MAP_ROWS("add_vjp", declare_none),
    MAP_ROWS("gelu", declare_tanh),
    MAP_ROWS("gelu_vjp", declare_tanh),
};

MAP_OP(add, (a, b), (y))
MAP_VJP(add, (g), (da, db))
MAP_OP(gelu, (a), (y))
MAP_VJP(gelu, (a, g), (da))

PM_FAMILY(elementwise, ROWS, NULL);
#endif
