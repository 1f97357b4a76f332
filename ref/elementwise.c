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
