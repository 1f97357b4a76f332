#include "elementwise.h"
#include "accumulate.h"

void ref_add(idx n, const double *a, const double *b, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> y[j] == rd{Pre}(a,j) + rd{Pre}(b,j);
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = a[i] + b[i];
}

void ref_add_vjp(idx n, const double *g, double *da, double *db)
{
  ref_copy(n, g, da);
  ref_copy(n, g, db);
}

/*@ assigns \nothing; ensures \result == Minus(a,b); */
static double minus(double a, double b) { return a - b; }

/*@ assigns \nothing; ensures \result == Neg(a); */
static double neg(double a) { return -a; }

/*@ assigns \nothing; ensures \result == Times(a,b); */
static double times(double a, double b) { return a * b; }

/*@ assigns \nothing; ensures \result == TimesDa(a,b,g); */
static double times_da(double a, double b, double g)
{
  (void)a;
  return g * b;
}

/*@ assigns \nothing; ensures \result == TimesDb(a,b,g); */
static double times_db(double a, double b, double g)
{
  (void)b;
  return g * a;
}

/*@ assigns \nothing; ensures \result == Scaled(a,c); */
static double scaled(double a, double c) { return c * a; }

/*@ assigns \nothing; ensures \result == Abs(a); */
static double magnitude(double a) { return a > 0.0 ? a : 0.0 - a; }

/*@ assigns \nothing; ensures \result == AbsVjp(a,g); */
static double abs_vjp(double a, double g) { return a > 0.0 ? g : a < 0.0 ? -g : 0.0 * g; }

/*@ assigns \nothing; ensures \result == Clamp(a,lo,hi); */
static double clamp(double a, double lo, double hi) { return a < lo ? lo : a > hi ? hi : a; }

/*@ assigns \nothing; ensures \result == ClampVjp(a,g,lo,hi); */
static double clamp_vjp(double a, double g, double lo, double hi)
{
  return lo <= a && a <= hi ? g : 0.0;
}

/*@ assigns \nothing; ensures \result == Maximum(a,b); */
static double maximum(double a, double b) { return a < b || b != b ? b : a; }

/*@ assigns \nothing; ensures \result == Minimum(a,b); */
static double minimum(double a, double b) { return b < a || b != b ? b : a; }

/*@ assigns \nothing; ensures \result == IfLarger(a,b,g); */
static double if_larger(double a, double b, double g) { return a == b ? 0.5 * g : a < b ? 0.0 : g; }

/*@ assigns \nothing; ensures \result == IfSmaller(a,b,g); */
static double if_smaller(double a, double b, double g)
{
  return a == b ? 0.5 * g : a > b ? 0.0 : g;
}

/*@ assigns \nothing; ensures \result == Relu(a); */
static double relu(double a) { return a < 0.0 ? 0.0 : a; }

/*@ assigns \nothing; ensures \result == ReluVjp(a,g); */
static double relu_vjp(double a, double g) { return a <= 0.0 ? 0.0 : g; }

void ref_sub(idx n, const double *a, const double *b, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE minus(a[i], b[i])
#define LOOP_IS(j) Minus(rd{Pre}(a, j), rd{Pre}(b, j))
#include "loop.inc"
}

void ref_sub_vjp(idx n, const double *g, double *da, double *db)
{
  ref_copy(n, g, da);
#define LOOP_OUT db
#define LOOP_VALUE neg(g[i])
#define LOOP_IS(j) Neg(rd{Pre}(g, j))
#include "loop.inc"
}

void ref_mul(idx n, const double *a, const double *b, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE times(a[i], b[i])
#define LOOP_IS(j) Times(rd{Pre}(a, j), rd{Pre}(b, j))
#include "loop.inc"
}

void ref_mul_vjp(idx n, const double *a, const double *b, const double *g, double *da, double *db)
{
#define LOOP_OUT da
#define LOOP_VALUE times_da(a[i], b[i], g[i])
#define LOOP_IS(j) TimesDa(rd{Pre}(a, j), rd{Pre}(b, j), rd{Pre}(g, j))
#include "loop.inc"
#define LOOP_OUT db
#define LOOP_VALUE times_db(a[i], b[i], g[i])
#define LOOP_IS(j) TimesDb(rd{Pre}(a, j), rd{Pre}(b, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_scale(idx n, double c, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE scaled(a[i], c)
#define LOOP_IS(j) Scaled(rd{Pre}(a, j), c)
#include "loop.inc"
}

void ref_scale_vjp(idx n, double c, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE scaled(g[i], c)
#define LOOP_IS(j) Scaled(rd{Pre}(g, j), c)
#include "loop.inc"
}

void ref_neg(idx n, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE neg(a[i])
#define LOOP_IS(j) Neg(rd{Pre}(a, j))
#include "loop.inc"
}

void ref_neg_vjp(idx n, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE neg(g[i])
#define LOOP_IS(j) Neg(rd{Pre}(g, j))
#include "loop.inc"
}

void ref_abs(idx n, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE magnitude(a[i])
#define LOOP_IS(j) Abs(rd{Pre}(a, j))
#include "loop.inc"
}

void ref_abs_vjp(idx n, const double *a, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE abs_vjp(a[i], g[i])
#define LOOP_IS(j) AbsVjp(rd{Pre}(a, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_clamp(idx n, double lo, double hi, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE clamp(a[i], lo, hi)
#define LOOP_IS(j) Clamp(rd{Pre}(a, j), lo, hi)
#include "loop.inc"
}

void ref_clamp_vjp(idx n, double lo, double hi, const double *a, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE clamp_vjp(a[i], g[i], lo, hi)
#define LOOP_IS(j) ClampVjp(rd{Pre}(a, j), rd{Pre}(g, j), lo, hi)
#include "loop.inc"
}

void ref_maximum(idx n, const double *a, const double *b, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE maximum(a[i], b[i])
#define LOOP_IS(j) Maximum(rd{Pre}(a, j), rd{Pre}(b, j))
#include "loop.inc"
}

void ref_maximum_vjp(idx n, const double *a, const double *b, const double *g, double *da,
                     double *db)
{
#define LOOP_OUT da
#define LOOP_VALUE if_larger(a[i], b[i], g[i])
#define LOOP_IS(j) IfLarger(rd{Pre}(a, j), rd{Pre}(b, j), rd{Pre}(g, j))
#include "loop.inc"
#define LOOP_OUT db
#define LOOP_VALUE if_smaller(a[i], b[i], g[i])
#define LOOP_IS(j) IfSmaller(rd{Pre}(a, j), rd{Pre}(b, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_minimum(idx n, const double *a, const double *b, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE minimum(a[i], b[i])
#define LOOP_IS(j) Minimum(rd{Pre}(a, j), rd{Pre}(b, j))
#include "loop.inc"
}

void ref_minimum_vjp(idx n, const double *a, const double *b, const double *g, double *da,
                     double *db)
{
#define LOOP_OUT da
#define LOOP_VALUE if_smaller(a[i], b[i], g[i])
#define LOOP_IS(j) IfSmaller(rd{Pre}(a, j), rd{Pre}(b, j), rd{Pre}(g, j))
#include "loop.inc"
#define LOOP_OUT db
#define LOOP_VALUE if_larger(a[i], b[i], g[i])
#define LOOP_IS(j) IfLarger(rd{Pre}(a, j), rd{Pre}(b, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_relu(idx n, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE relu(a[i])
#define LOOP_IS(j) Relu(rd{Pre}(a, j))
#include "loop.inc"
}

void ref_relu_vjp(idx n, const double *a, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE relu_vjp(a[i], g[i])
#define LOOP_IS(j) ReluVjp(rd{Pre}(a, j), rd{Pre}(g, j))
#include "loop.inc"
}

/*@ assigns \nothing; ensures \result == GeluIn(a); */
static double gelu_in(double a) { return GELU_SCALE * (a + GELU_CUBIC * a * a * a); }

/*@ assigns \nothing; ensures \result == Gelu(a); */
static double gelu(double a) { return 0.5 * a * (1.0 + r_tanh(gelu_in(a))); }

/*@ assigns \nothing; ensures \result == GeluD(a); */
static double gelu_d(double a)
{
  double t = r_tanh(gelu_in(a));
  double slope = GELU_SCALE * (1.0 + 3.0 * GELU_CUBIC * a * a);
  return 0.5 * (1.0 + t) + 0.5 * a * (1.0 - t * t) * slope;
}

void ref_gelu(idx n, const double *a, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> y[j] == Gelu(rd{Pre}(a,j));
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = gelu(a[i]);
}

void ref_gelu_vjp(idx n, const double *a, const double *g, double *da)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==>
        da[j] == GeluVjp(rd{Pre}(a,j),rd{Pre}(g,j));
      loop assigns i, da[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    da[i] = r_mul(g[i], gelu_d(a[i]));
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

/*@ assigns \nothing; ensures \result == p_gelu_d(A,a); */
static pair pair_gelu_d(arith A, double a)
{
  pair one = pair_in(1.0), half = pair_in(0.5), x = pair_in(a), in = pair_gelu_in(A, a);
  pair cubic3 = pair_mul(A, pair_in(3.0), pair_const(A, GELU_CUBIC));
  pair rise = pair_add(A, one, pair_mul3(A, cubic3, x, x));
  pair slope = pair_mul(A, pair_const(A, GELU_SCALE), rise);
  pair left = pair_mul(A, half, pair_add(A, one, pair_tanh(A, in)));
  pair right = pair_mul3(A, pair_mul(A, half, x), pair_sech2(A, in), slope);
  return pair_add(A, left, right);
}

/*@ assigns \nothing; ensures \result == e_gelu_vjp(A,a,g); */
static double e_gelu_vjp(arith A, double a, double g)
{
  pair da = pair_mul(A, pair_gelu_d(A, a), pair_in(g));
  return da.e;
}

void bound_gelu(idx n, const double *a, arith A, double *e_y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> e_y[j] == e_gelu(A,rd{Pre}(a,j));
      loop assigns i, e_y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double ai = a[i];
    //@ assert input: ai == rd{Pre}(a,i);
    e_y[i] = e_gelu(A, ai);
  }
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
