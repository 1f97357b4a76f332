/* Activation kernels: a function of one element each, and its instance of cuda/map/map.h. */
#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
#include "../lang/owned.h"
#endif
#include "../lang/kernel.h"
#include "../math/elementary.h"
#include "../../spec/activation.h"

/*@ assigns \nothing; ensures \result == ExpVjp(y,g); */
DEV float exp_vjp_f(float y, float g)
{
  //@ assert rmul(g, y) == g * y;
  return g * y;
}

/*@ assigns \nothing; ensures LogVjpAt(a,g) ==> \result == LogVjp(a,g); */
DEV float log_vjp_f(float a, float g)
{
  //@ assert rdiv(g, a) == g / a;
  return g / a;
}

/*@ assigns \nothing; ensures \result == SigmoidVjp(y,g); */
DEV float sigmoid_vjp_f(float y, float g)
{
  float s = y * (1.0f - y);
  //@ assert s == rmul(y, 1.0 - y) && rmul(g, s) == g * s;
  return g * s;
}

/*@ assigns \nothing; ensures \result == TanhVjp(y,g); */
DEV float tanh_vjp_f(float y, float g)
{
  float s = 1.0f - y * y;
  //@ assert s == 1.0 - rmul(y, y) && rmul(g, s) == g * s;
  return g * s;
}

/*@ assigns \nothing; ensures \result == SoftplusVjp(a,g); */
DEV float softplus_vjp_f(float a, float g)
{
  //@ assert rmul(g, Sigmoid(a)) == g * Sigmoid(a);
  return g * pm_sigmoidf(a);
}

/*@ assigns \nothing; ensures \result == Silu(a); */
DEV float silu_f(float a)
{
  //@ assert rmul(a, Sigmoid(a)) == a * Sigmoid(a);
  return a * pm_sigmoidf(a);
}

/*@ assigns \nothing; ensures \result == SiluVjp(a,g); */
DEV float silu_vjp_f(float a, float g)
{
  float s = pm_sigmoidf(a), rest = 1.0f - s, turn = 1.0f + a * rest, d = s * turn;
  //@ assert turn == 1.0 + rmul(a, rest) && d == rmul(s, turn) && rmul(g, d) == g * d;
  return g * d;
}

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

#define SAFE_LOG_LEAST 7.88860905e-31f /* 2^-100: from there on eps hides what is subnormal */
#ifdef __FRAMAC__
#define SELDOM(c) (c)
#else
#define SELDOM(c) __builtin_expect(c, 0) /* what it guards is laid out behind the rest */
#endif

/*@ assigns \nothing; ensures \result == SafeLog(a,eps); */
DEV float safe_log_f(float a, float eps)
{
  if (SELDOM(eps < SAFE_LOG_LEAST))
    return pm_log_positive(pm_logistic_of(a).softplus + eps);
  return pm_log_normal(pm_softplus_and(a, eps));
}

/*@ assigns \nothing; ensures SafeLogVjpAt(a,g,eps) ==> \result == SafeLogVjp(a,g,eps); */
DEV float safe_log_vjp_f(float a, float g, float eps)
{
  pm_logistic l = pm_logistic_of(a);
  float n = g * l.sigmoid, d = l.softplus + eps;
  //@ assert n == rmul(g, l.sigmoid) && rdiv(n, d) == n / d;
  return n / d;
}

#define MAP_NAME exp_map
#define MAP_INPUTS 1
#define MAP_F0 pm_expf
#define MAP_L0 \exp
#include "../map/map.h"

#define MAP_NAME log_map
#define MAP_INPUTS 1
#define MAP_F0 pm_logf
#define MAP_L0 \log
#include "../map/map.h"

#define MAP_NAME sigmoid_map
#define MAP_INPUTS 1
#define MAP_F0 pm_sigmoidf
#define MAP_L0 Sigmoid
#include "../map/map.h"

#define MAP_NAME tanh_map
#define MAP_INPUTS 1
#define MAP_F0 pm_tanhf
#define MAP_L0 \tanh
#include "../map/map.h"

#define MAP_NAME softplus_map
#define MAP_INPUTS 1
#define MAP_F0 pm_softplusf
#define MAP_L0 Softplus
#include "../map/map.h"

#define MAP_NAME silu_map
#define MAP_INPUTS 1
#define MAP_F0 silu_f
#define MAP_L0 Silu
#include "../map/map.h"

#define MAP_NAME gelu_map
#define MAP_INPUTS 1
#define MAP_F0 gelu_f
#define MAP_L0 Gelu
#include "../map/map.h"

#define MAP_NAME safe_log_map
#define MAP_INPUTS 1
#define MAP_PARAMS 1
#define MAP_F0 safe_log_f
#define MAP_L0 SafeLog
#ifndef __FRAMAC__
#define MAP_BOUNDS __launch_bounds__(128, 16) /* its arithmetic hides behind that of more warps */
#endif
#include "../map/map.h"

#define MAP_NAME exp_vjp_map
#define MAP_INPUTS 2
#define MAP_F0 exp_vjp_f
#define MAP_L0 ExpVjp
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME log_vjp_map
#define MAP_INPUTS 2
#define MAP_F0 log_vjp_f
#define MAP_L0 LogVjp
#define MAP_D0 LogVjpAt
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME sigmoid_vjp_map
#define MAP_INPUTS 2
#define MAP_F0 sigmoid_vjp_f
#define MAP_L0 SigmoidVjp
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME tanh_vjp_map
#define MAP_INPUTS 2
#define MAP_F0 tanh_vjp_f
#define MAP_L0 TanhVjp
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME softplus_vjp_map
#define MAP_INPUTS 2
#define MAP_F0 softplus_vjp_f
#define MAP_L0 SoftplusVjp
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME silu_vjp_map
#define MAP_INPUTS 2
#define MAP_F0 silu_vjp_f
#define MAP_L0 SiluVjp
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME gelu_vjp_map
#define MAP_INPUTS 2
#define MAP_F0 gelu_vjp_f
#define MAP_L0 GeluVjp
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME safe_log_vjp_map
#define MAP_INPUTS 2
#define MAP_PARAMS 1
#define MAP_F0 safe_log_vjp_f
#define MAP_L0 SafeLogVjp
#define MAP_D0 SafeLogVjpAt
#define MAP_ADDS
#include "../map/map.h"

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
#include "../map/map_launch.h"
#endif

#ifndef __FRAMAC__
/* A sigmoid or softplus declares its exp as well: the bound covers 1/(1 + exp(-a)). */
static void declare_all(const int64_t *size, pm_arith *out)
{
  (void)size;
  out->k_exp = PM_K_EXP;
  out->k_log = PM_K_LOG;
  out->k_tanh = PM_K_TANH;
  out->k_sigmoid = PM_K_SIGMOID;
  out->k_softplus = PM_K_SOFTPLUS;
}

static void declare_short(const int64_t *size, pm_arith *out)
{
  declare_all(size, out);
  out->k_softplus = PM_K_SOFTPLUS_SHORT;
  out->k_sigmoid = PM_K_SIGMOID_SHORT;
}

static const pm_kernel ROWS[] = {
    MAP_ROWS("exp", declare_all),        MAP_ROWS("exp_vjp", declare_all),
    MAP_ROWS("log", declare_all),        MAP_ROWS("log_vjp", declare_all),
    MAP_ROWS("sigmoid", declare_all),    MAP_ROWS("sigmoid_vjp", declare_all),
    MAP_ROWS("tanh", declare_all),       MAP_ROWS("tanh_vjp", declare_all),
    MAP_ROWS("softplus", declare_all),   MAP_ROWS("softplus_vjp", declare_all),
    MAP_ROWS("silu", declare_all),       MAP_ROWS("silu_vjp", declare_all),
    MAP_ROWS("gelu", declare_all),       MAP_ROWS("gelu_vjp", declare_all),
    MAP_ROWS("safe_log", declare_short), MAP_ROWS("safe_log_vjp", declare_short),
};
#endif

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
/*@ MAP_PROMISED((a), (y)) */
MAP_OP(exp, (a), (y))
/*@ MAP_PROMISED((y, g), (da)) */
MAP_VJP(exp, (y, g), (da))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP(log, (a), (y))
/*@ MAP_PROMISED((a, g), (da)) */
MAP_VJP(log, (a, g), (da))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP(sigmoid, (a), (y))
/*@ MAP_PROMISED((y, g), (da)) */
MAP_VJP(sigmoid, (y, g), (da))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP(tanh, (a), (y))
/*@ MAP_PROMISED((y, g), (da)) */
MAP_VJP(tanh, (y, g), (da))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP(softplus, (a), (y))
/*@ MAP_PROMISED((a, g), (da)) */
MAP_VJP(softplus, (a, g), (da))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP(silu, (a), (y))
/*@ MAP_PROMISED((a, g), (da)) */
MAP_VJP(silu, (a, g), (da))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP(gelu, (a), (y))
/*@ MAP_PROMISED((a, g), (da)) */
MAP_VJP(gelu, (a, g), (da))
/*@ MAP_PROMISED((a), (y)) */
MAP_OP1(safe_log, eps, pm_positive, (a), (y))
/*@ MAP_PROMISED((a, g), (da)) */
MAP_VJP1(safe_log, eps, pm_positive, (a, g), (da))

PM_FAMILY(activation, ROWS, NULL);
#endif
