#include "activation.h"
#include "halves.h"
#include "lost.h"

/*@ assigns \nothing; ensures \result == GeluIn(a); */
static double gelu_in(double a) { return GELU_SCALE * (a + GELU_CUBIC * a * a * a); }

/*@ // silu' and gelu' are a sigmoid, and (1 + tanh)/2, times these, which are 0 somewhere
    logic real SiluTurn(real a) = 1.0 + rmul(a, 1.0 - Sigmoid(a));
    logic real GeluRise(real a) = 2.0 * a * (GELU_SCALE * (1.0 + 3.0 * GELU_CUBIC * a * a));
    logic real GeluTurn(real a) = 1.0 + rmul(GeluRise(a), 0.5 * (1.0 - \tanh(GeluIn(a))));
    lemma gelu_in_product: \forall real a;
      rmul(GELU_SCALE * a, 1.0 + GELU_CUBIC * a * a) == GeluIn(a);
    lemma gelu_rise_product: \forall real a;
      2.0 * rmul(GELU_SCALE * a, 1.0 + rmul(3.0,GELU_CUBIC * a * a)) == GeluRise(a);
    lemma slope_by_halves: \forall real a, t, w;
      0.5 * (1.0 + t) + 0.5 * a * (1.0 - t * t) * w ==
      rmul(0.5 * (1.0 + t), 1.0 + rmul(2.0 * a * w, 0.5 * (1.0 - t)));
    lemma gelu_d_by_turn: \forall real a;
      GeluD(a) == rmul(0.5 * (1.0 + \tanh(GeluIn(a))), GeluTurn(a));
*/

/* Where what is 0 somewhere is computed with all that is lost. */
#define NEAR_ZERO 0x1p-8

double r_gelu(double a) { return a * r_tanh_rise(gelu_in(a)); }

/*@ assigns \nothing; ensures \result == GeluRise(a); */
static double gelu_rise(double a)
{
  return 2.0 * a * (GELU_SCALE * (1.0 + 3.0 * GELU_CUBIC * a * a));
}

/*@ assigns \nothing; ensures \result.v == GELU_SCALE * a && Lossless(\result); */
static twice twice_scaled(double a)
{
  twice scale = {GELU_SCALE, r_gelu_scale_lost()};
  return twice_product(scale, twice_exactly(a));
}

/*@ assigns \nothing; ensures \result.v == GELU_CUBIC * a * a && Lossless(\result); */
static twice twice_cubic(double a)
{
  twice cubic = {GELU_CUBIC, r_gelu_cubic_lost()}, x = twice_exactly(a);
  return twice_product(cubic, twice_product(x, x));
}

/*@ assigns \nothing; ensures \result.v == GeluIn(a) && Lossless(\result); */
static twice twice_gelu_in(double a)
{
  twice k = twice_scaled(a), c = twice_cubic(a);
  return twice_product(k, twice_sum(twice_exactly(1.0), c));
}

/*@ assigns \nothing; ensures \result.v == GeluRise(a) && Lossless(\result); */
static twice twice_gelu_rise(double a)
{
  twice k = twice_scaled(a), c3 = twice_product(twice_exactly(3.0), twice_cubic(a));
  twice rise = twice_product(k, twice_sum(twice_exactly(1.0), c3));
  return twice_sum(rise, rise);
}

/*@ requires is_zero(lost);
    assigns \nothing;
    ensures \result.v == 0.5 * (1.0 - \tanh(u)) && Lossless(\result);
*/
static twice twice_tanh_rest(double u, double lost)
{
  double s = r_tanh_rest(u);
  twice rest = {s, r_sigmoid_lost(-2.0 * u) - r_mul(r_mul(s, 1.0 - s), 2.0 * lost)};
  return rest;
}

/*@ assigns \nothing; ensures \result == GeluTurn(a); */
static double gelu_turn(double a)
{
  twice in = twice_gelu_in(a), rest = twice_tanh_rest(in.v, in.lost);
  twice turn = twice_sum(twice_exactly(1.0), twice_product(twice_gelu_rise(a), rest));
  return turn.v;
}

double r_gelu_d(double a)
{
  double in = gelu_in(a), turn = 1.0 + r_mul(gelu_rise(a), r_tanh_rest(in));
  //@ assert turn: turn == GeluTurn(a);
  if (r_abs(turn) < NEAR_ZERO)
    turn = gelu_turn(a);
  return r_mul(r_tanh_rise(in), turn);
}

/*@ assigns \nothing; ensures \result == Silu(a); */
static double silu(double a) { return r_mul(a, r_sigmoid(a)); }

/*@ assigns \nothing; ensures \result == SiluTurn(a); */
static double silu_turn(double a)
{
  twice rest = {r_sigmoid_rest(a), r_sigmoid_lost(-a)};
  twice turn = twice_sum(twice_exactly(1.0), twice_product(twice_exactly(a), rest));
  return turn.v;
}

/*@ assigns \nothing; ensures \result == SiluD(a); */
static double silu_d(double a)
{
  double turn = 1.0 + r_mul(a, r_sigmoid_rest(a));
  //@ assert turn: turn == SiluTurn(a);
  if (r_abs(turn) < NEAR_ZERO)
    turn = silu_turn(a);
  return r_mul(r_sigmoid(a), turn);
}

/*@ assigns \nothing; ensures \result == SafeLog(a,eps); */
static double safe_log(double a, double eps)
{
  double x = r_softplus(a), all = x + eps;
  if (r_abs(all - 1.0) < NEAR_ZERO) {
    double less = (all - 1.0) + (lost_sum(x, eps) + r_softplus_lost(a));
    //@ assert less: less == all - 1.0;
    return r_log1p(less);
  }
  return r_log(all);
}

/* x / y; of a y that is 0 the contract says nothing, and C what IEEE 754 does. */
/*@ assigns \nothing; ensures y != 0.0 ==> \result == rdiv(x,y); */
static double quotient(double x, double y) { return x / y; }

/*@ assigns \nothing; ensures LogVjpAt(a,g) ==> \result == LogVjp(a,g); */
static double log_vjp(double a, double g) { return quotient(g, a); }

/*@ assigns \nothing; ensures \result == SigmoidVjp(y,g); */
static double sigmoid_vjp(double y, double g) { return r_mul(g, r_mul(y, 1.0 - y)); }

/*@ assigns \nothing; ensures \result == TanhVjp(y,g); */
static double tanh_vjp(double y, double g) { return r_mul(g, 1.0 - r_mul(y, y)); }

/*@ assigns \nothing; ensures SafeLogVjpAt(a,g,eps) ==> \result == SafeLogVjp(a,g,eps); */
static double safe_log_vjp(double a, double g, double eps)
{
  return quotient(r_mul(g, r_sigmoid(a)), r_softplus(a) + eps);
}

void ref_exp(idx n, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE r_exp(a[i])
#define LOOP_IS(j) \exp(rd{Pre}(a, j))
#include "loop.inc"
}

void ref_log(idx n, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE r_log(a[i])
#define LOOP_IS(j) \log(rd{Pre}(a, j))
#include "loop.inc"
}

void ref_sigmoid(idx n, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE r_sigmoid(a[i])
#define LOOP_IS(j) Sigmoid(rd{Pre}(a, j))
#include "loop.inc"
}

void ref_tanh(idx n, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE r_tanh(a[i])
#define LOOP_IS(j) \tanh(rd{Pre}(a, j))
#include "loop.inc"
}

void ref_softplus(idx n, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE r_softplus(a[i])
#define LOOP_IS(j) Softplus(rd{Pre}(a, j))
#include "loop.inc"
}

void ref_silu(idx n, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE silu(a[i])
#define LOOP_IS(j) Silu(rd{Pre}(a, j))
#include "loop.inc"
}

void ref_gelu(idx n, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE r_gelu(a[i])
#define LOOP_IS(j) Gelu(rd{Pre}(a, j))
#include "loop.inc"
}

void ref_safe_log(idx n, double eps, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE safe_log(a[i], eps)
#define LOOP_IS(j) SafeLog(rd{Pre}(a, j), eps)
#include "loop.inc"
}

void ref_exp_vjp(idx n, const double *y, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE r_mul(g[i], y[i])
#define LOOP_IS(j) ExpVjp(rd{Pre}(y, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_log_vjp(idx n, const double *a, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_AT(j) LogVjpAt(rd{Pre}(a, j), rd{Pre}(g, j))
#define LOOP_VALUE log_vjp(a[i], g[i])
#define LOOP_IS(j) LogVjp(rd{Pre}(a, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_sigmoid_vjp(idx n, const double *y, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE sigmoid_vjp(y[i], g[i])
#define LOOP_IS(j) SigmoidVjp(rd{Pre}(y, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_tanh_vjp(idx n, const double *y, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE tanh_vjp(y[i], g[i])
#define LOOP_IS(j) TanhVjp(rd{Pre}(y, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_softplus_vjp(idx n, const double *a, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE r_mul(g[i], r_sigmoid(a[i]))
#define LOOP_IS(j) SoftplusVjp(rd{Pre}(a, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_silu_vjp(idx n, const double *a, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE r_mul(g[i], silu_d(a[i]))
#define LOOP_IS(j) SiluVjp(rd{Pre}(a, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_gelu_vjp(idx n, const double *a, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE r_mul(g[i], r_gelu_d(a[i]))
#define LOOP_IS(j) GeluVjp(rd{Pre}(a, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_safe_log_vjp(idx n, double eps, const double *a, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_AT(j) SafeLogVjpAt(rd{Pre}(a, j), rd{Pre}(g, j), eps)
#define LOOP_VALUE safe_log_vjp(a[i], g[i], eps)
#define LOOP_IS(j) SafeLogVjp(rd{Pre}(a, j), rd{Pre}(g, j), eps)
#include "loop.inc"
}

/*@ assigns \nothing; ensures \result == e_ulps(A,v,k); */
static double ulps(arith A, double v, double k)
{
  pair y = pair_rnd(A, v, 0.0, 2.0 * k + 1.0);
  return y.e;
}

/*@ assigns \nothing; ensures \result == p_logistic(A,a); */
static pair pair_logistic(arith A, double a)
{
  double v = r_sigmoid(a), w = 2.0 * A.k_sigmoid + 1.0, w2 = 2.0 * A.k_exp + 3.0;
  pair by_exp = pair_exp(A, pair_in(-a));
  return pair_widen(A, pair_rnd(A, v, 0.0, w > w2 ? w : w2), by_exp.e < VACUOUS ? 0.0 : v);
}

/*@ assigns \nothing; ensures \result == p_logistic_rest(A,a); */
static pair pair_logistic_rest(arith A, double a)
{
  double e = r_exp(-a);
  if (SIGMOID_SAT <= a && e <= 0.25 * A.u)
    return pair_make(1.0 - r_sigmoid(a), e);
  return pair_sub(A, pair_in(1.0), pair_logistic(A, a));
}

/*@ assigns \nothing; ensures \result == e_sigmoid(A,a); */
static double e_sigmoid(arith A, double a)
{
  pair y = pair_logistic(A, a);
  return y.e;
}

/*@ assigns \nothing; ensures \result == e_sigmoid_vjp(A,y,g); */
static double e_sigmoid_vjp(arith A, double y, double g)
{
  pair da = pair_mul3(A, pair_in(y), pair_sub(A, pair_in(1.0), pair_in(y)), pair_in(g));
  return da.e;
}

/*@ assigns \nothing; ensures \result == p_one_less_square(A,y); */
static pair pair_one_less_square(arith A, double y)
{
  pair q = pair_sub(A, pair_in(1.0), pair_rnd(A, y * y, 0.0, 2.0));
  return pair_rnd(A, q.v, q.e, 2.0);
}

/*@ assigns \nothing; ensures \result == e_tanh_vjp(A,y,g); */
static double e_tanh_vjp(arith A, double y, double g)
{
  pair q = pair_mul(A, pair_one_less_square(A, y), pair_in(g));
  pair da = pair_widen(A, q, A.eta * (2.0 + 2.0 * r_abs(y)));
  return da.e;
}

/*@ assigns \nothing; ensures \result == e_softplus_vjp(A,a,g); */
static double e_softplus_vjp(arith A, double a, double g)
{
  pair da = pair_mul(A, pair_logistic(A, a), pair_in(g));
  return da.e;
}

/*@ assigns \nothing; ensures \result == e_silu(A,a); */
static double e_silu(arith A, double a)
{
  pair y = pair_mul(A, pair_in(a), pair_logistic(A, a));
  return y.e;
}

/*@ assigns \nothing; ensures \result == p_silu_turn(A,a); */
static pair pair_silu_turn(arith A, double a)
{
  return pair_add(A, pair_in(1.0), pair_mul(A, pair_in(a), pair_logistic_rest(A, a)));
}

/*@ assigns \nothing; ensures \result == e_silu_vjp(A,a,g); */
static double e_silu_vjp(arith A, double a, double g)
{
  pair da = pair_mul3(A, pair_logistic(A, a), pair_silu_turn(A, a), pair_in(g));
  return da.e;
}

/*@ assigns \nothing; ensures \result == p_safe(A,a,eps); */
static pair pair_safe(arith A, double a, double eps)
{
  return pair_add(A, pair_rnd(A, r_softplus(a), 0.0, 2.0 * A.k_softplus + 1.0), pair_in(eps));
}

/*@ assigns \nothing; ensures \result == e_safe_log(A,a,eps); */
static double e_safe_log(arith A, double a, double eps)
{
  pair y = pair_log(A, pair_safe(A, a, eps));
  return y.e;
}

/*@ assigns \nothing; ensures \result == e_safe_log_vjp(A,a,g,eps); */
static double e_safe_log_vjp(arith A, double a, double g, double eps)
{
  pair inverse = pair_quo(A, pair_in(1.0), pair_safe(A, a, eps), 1.0);
  pair da = pair_mul3(A, pair_logistic(A, a), pair_in(g), inverse);
  return da.e;
}

/*@ assigns \nothing; ensures \result == p_gelu_in(A,a); */
static pair pair_gelu_in(arith A, double a)
{
  if (r_abs(a) < GELU_FAR) {
    pair x = pair_in(a);
    pair rise = pair_add(A, pair_in(1.0), pair_mul3(A, pair_const(A, GELU_CUBIC), x, x));
    return pair_mul3(A, pair_const(A, GELU_SCALE), x, rise);
  }
  return pair_make(gelu_in(a), 0.5 * r_abs(gelu_in(a)));
}

/*@ assigns \nothing; ensures \result == e_gelu(A,a); */
static double e_gelu(arith A, double a)
{
  pair one = pair_in(1.0), x = pair_in(a), in = pair_gelu_in(A, a);
  pair y = pair_mul3(A, pair_in(0.5), x, pair_add(A, one, pair_tanh(A, in)));
  pair exp_in = pair_exp(A, pair_make(-2.0 * in.v, 2.0 * in.e));
  pair z = pair_quo(A, x, pair_add(A, one, exp_in), 2.0);
  double worse = z.e < VACUOUS && y.e < z.e ? z.e : y.e;
  return pair_range(A, r_abs(a), worse + (2.0 * A.k_exp + 2.0) * A.eta * r_abs(a));
}

/*@ assigns \nothing; ensures \result == p_sech2(A,in); */
static pair pair_sech2(arith A, pair in)
{
  pair t = pair_tanh(A, in);
  if (pair_saturated(A, in))
    return pair_make(1.0 - t.v * t.v, 2.0 * t.e);
  pair q = pair_sub(A, pair_in(1.0), pair_mul(A, t, t));
  return pair_rnd(A, q.v, q.e, 2.0);
}

/*@ assigns \nothing; ensures \result == p_gelu_in_slope(A,a); */
static pair pair_gelu_in_slope(arith A, double a)
{
  pair x = pair_in(a), cubic3 = pair_mul(A, pair_in(3.0), pair_const(A, GELU_CUBIC));
  pair rise = pair_add(A, pair_in(1.0), pair_mul3(A, cubic3, x, x));
  return pair_mul(A, pair_const(A, GELU_SCALE), rise);
}

/*@ assigns \nothing; ensures \result == p_gelu_rest(A,a); */
static pair pair_gelu_rest(arith A, double a)
{
  pair in = pair_gelu_in(A, a), d = pair_sech2(A, in), slope = pair_gelu_in_slope(A, a);
  double by = r_mul(0.5 * a, slope.v);
  if (pair_saturated(A, in))
    return pair_make(r_mul(by, d.v), r_mul(r_abs(by), d.e));
  return pair_mul3(A, pair_mul(A, pair_in(0.5), pair_in(a)), d, slope);
}

pair pair_gelu_d(arith A, double a)
{
  pair t = pair_tanh(A, pair_gelu_in(A, a));
  pair left = pair_mul(A, pair_in(0.5), pair_add(A, pair_in(1.0), t));
  return pair_add(A, left, pair_gelu_rest(A, a));
}

/*@ assigns \nothing; ensures \result == e_gelu_vjp(A,a,g); */
static double e_gelu_vjp(arith A, double a, double g)
{
  pair da = pair_mul(A, pair_gelu_d(A, a), pair_in(g));
  return da.e;
}

void bound_exp(idx n, const double *a, arith A, double *e_y)
{
#define LOOP_OUT e_y
#define LOOP_VALUE ulps(A, r_exp(a[i]), A.k_exp)
#define LOOP_IS(j) e_ulps(A, \exp(rd{Pre}(a, j)), A.k_exp)
#include "loop.inc"
}

void bound_log(idx n, const double *a, arith A, double *e_y)
{
#define LOOP_OUT e_y
#define LOOP_VALUE ulps(A, r_log(a[i]), A.k_log)
#define LOOP_IS(j) e_ulps(A, \log(rd{Pre}(a, j)), A.k_log)
#include "loop.inc"
}

void bound_sigmoid(idx n, const double *a, arith A, double *e_y)
{
#define LOOP_OUT e_y
#define LOOP_VALUE e_sigmoid(A, a[i])
#define LOOP_IS(j) e_sigmoid(A, rd{Pre}(a, j))
#include "loop.inc"
}

void bound_tanh(idx n, const double *a, arith A, double *e_y)
{
#define LOOP_OUT e_y
#define LOOP_VALUE ulps(A, r_tanh(a[i]), A.k_tanh)
#define LOOP_IS(j) e_ulps(A, \tanh(rd{Pre}(a, j)), A.k_tanh)
#include "loop.inc"
}

void bound_softplus(idx n, const double *a, arith A, double *e_y)
{
#define LOOP_OUT e_y
#define LOOP_VALUE ulps(A, r_softplus(a[i]), A.k_softplus)
#define LOOP_IS(j) e_ulps(A, Softplus(rd{Pre}(a, j)), A.k_softplus)
#include "loop.inc"
}

void bound_silu(idx n, const double *a, arith A, double *e_y)
{
#define LOOP_OUT e_y
#define LOOP_VALUE e_silu(A, a[i])
#define LOOP_IS(j) e_silu(A, rd{Pre}(a, j))
#include "loop.inc"
}

void bound_gelu(idx n, const double *a, arith A, double *e_y)
{
#define LOOP_OUT e_y
#define LOOP_VALUE e_gelu(A, a[i])
#define LOOP_IS(j) e_gelu(A, rd{Pre}(a, j))
#include "loop.inc"
}

void bound_safe_log(idx n, double eps, const double *a, arith A, double *e_y)
{
#define LOOP_OUT e_y
#define LOOP_VALUE e_safe_log(A, a[i], eps)
#define LOOP_IS(j) e_safe_log(A, rd{Pre}(a, j), eps)
#include "loop.inc"
}

void bound_sigmoid_vjp(idx n, const double *y, const double *g, arith A, double *e_da)
{
#define LOOP_OUT e_da
#define LOOP_VALUE e_sigmoid_vjp(A, y[i], g[i])
#define LOOP_IS(j) e_sigmoid_vjp(A, rd{Pre}(y, j), rd{Pre}(g, j))
#include "loop.inc"
}

void bound_tanh_vjp(idx n, const double *y, const double *g, arith A, double *e_da)
{
#define LOOP_OUT e_da
#define LOOP_VALUE e_tanh_vjp(A, y[i], g[i])
#define LOOP_IS(j) e_tanh_vjp(A, rd{Pre}(y, j), rd{Pre}(g, j))
#include "loop.inc"
}

void bound_softplus_vjp(idx n, const double *a, const double *g, arith A, double *e_da)
{
#define LOOP_OUT e_da
#define LOOP_VALUE e_softplus_vjp(A, a[i], g[i])
#define LOOP_IS(j) e_softplus_vjp(A, rd{Pre}(a, j), rd{Pre}(g, j))
#include "loop.inc"
}

void bound_silu_vjp(idx n, const double *a, const double *g, arith A, double *e_da)
{
#define LOOP_OUT e_da
#define LOOP_VALUE e_silu_vjp(A, a[i], g[i])
#define LOOP_IS(j) e_silu_vjp(A, rd{Pre}(a, j), rd{Pre}(g, j))
#include "loop.inc"
}

void bound_gelu_vjp(idx n, const double *a, const double *g, arith A, double *e_da)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==>
        e_da[j] == e_gelu_vjp(A,rd{Pre}(a,j),rd{Pre}(g,j));
      loop assigns i, e_da[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double ai = a[i], gi = g[i];
    //@ assert inputs: ai == rd{Pre}(a,i) && gi == rd{Pre}(g,i);
    e_da[i] = e_gelu_vjp(A, ai, gi);
  }
}

void bound_safe_log_vjp(idx n, double eps, const double *a, const double *g, arith A, double *e_da)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==>
        e_da[j] == e_safe_log_vjp(A,rd{Pre}(a,j),rd{Pre}(g,j),eps);
      loop assigns i, e_da[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double ai = a[i], gi = g[i];
    //@ assert inputs: ai == rd{Pre}(a,i) && gi == rd{Pre}(g,i);
    e_da[i] = e_safe_log_vjp(A, ai, gi, eps);
  }
}
