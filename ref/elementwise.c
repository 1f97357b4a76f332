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

/* b where it is the larger or NaN. The sum takes no branch of its own, as that of b != b would be
 * dead code over the reals. */
/*@ assigns \nothing; ensures \result == Maximum(a,b); */
static double maximum(double a, double b) { return (a < b) + (b != b) ? b : a; }

/*@ assigns \nothing; ensures \result == Minimum(a,b); */
static double minimum(double a, double b) { return (b < a) + (b != b) ? b : a; }

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

/*@ assigns \nothing; ensures \result == QuotientDb(a,b,g); */
static double quotient_db(double a, double b, double g) { return -r_mul(r_quo(g, b), r_quo(a, b)); }

/*@ assigns \nothing; ensures \result == RsqrtVjp(y,g); */
static double rsqrt_vjp(double y, double g) { return -r_mul(r_mul(r_mul(0.5 * g, y), y), y); }

/*@ assigns \nothing; ensures \result == ReciprocalVjp(y,g); */
static double reciprocal_vjp(double y, double g) { return -r_mul(r_mul(g, y), y); }

void ref_div(idx n, const double *a, const double *b, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE r_quo(a[i], b[i])
#define LOOP_IS(j) Quotient(rd{Pre}(a, j), rd{Pre}(b, j))
#include "loop.inc"
}

void ref_div_vjp(idx n, const double *a, const double *b, const double *g, double *da, double *db)
{
#define LOOP_OUT da
#define LOOP_VALUE r_quo(g[i], b[i])
#define LOOP_IS(j) QuotientDa(rd{Pre}(a, j), rd{Pre}(b, j), rd{Pre}(g, j))
#include "loop.inc"
#define LOOP_OUT db
#define LOOP_VALUE quotient_db(a[i], b[i], g[i])
#define LOOP_IS(j) QuotientDb(rd{Pre}(a, j), rd{Pre}(b, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_axpy(idx n, double c, const double *a, const double *b, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE a[i] + r_mul(c, b[i])
#define LOOP_IS(j) Axpy(rd{Pre}(a, j), rd{Pre}(b, j), c)
#include "loop.inc"
}

void ref_axpy_vjp(idx n, double c, const double *g, double *da, double *db)
{
  ref_copy(n, g, da);
#define LOOP_OUT db
#define LOOP_VALUE scaled(g[i], c)
#define LOOP_IS(j) Scaled(rd{Pre}(g, j), c)
#include "loop.inc"
}

void ref_sqrt(idx n, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE r_sqrt(a[i])
#define LOOP_IS(j) Sqrt(rd{Pre}(a, j))
#include "loop.inc"
}

void ref_sqrt_vjp(idx n, const double *y, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE r_quo(g[i], 2.0 * y[i])
#define LOOP_IS(j) SqrtVjp(rd{Pre}(y, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_rsqrt(idx n, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE r_quo(1.0, r_sqrt(a[i]))
#define LOOP_IS(j) Rsqrt(rd{Pre}(a, j))
#include "loop.inc"
}

void ref_rsqrt_vjp(idx n, const double *y, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE rsqrt_vjp(y[i], g[i])
#define LOOP_IS(j) RsqrtVjp(rd{Pre}(y, j), rd{Pre}(g, j))
#include "loop.inc"
}

void ref_reciprocal(idx n, const double *a, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE r_quo(1.0, a[i])
#define LOOP_IS(j) Reciprocal(rd{Pre}(a, j))
#include "loop.inc"
}

void ref_reciprocal_vjp(idx n, const double *y, const double *g, double *da)
{
#define LOOP_OUT da
#define LOOP_VALUE reciprocal_vjp(y[i], g[i])
#define LOOP_IS(j) ReciprocalVjp(rd{Pre}(y, j), rd{Pre}(g, j))
#include "loop.inc"
}

/*@ assigns \nothing; ensures \result == e_axpy(A,a,b,c); */
static double e_axpy(arith A, double a, double b, double c)
{
  pair y = pair_add(A, pair_in(a), pair_mul(A, pair_in(c), pair_in(b)));
  return y.e;
}

/*@ assigns \nothing; ensures \result == e_div_vjp(A,a,b,g); */
static double e_div_vjp(arith A, double a, double b, double g)
{
  pair by = pair_in(b), y = pair_quo(A, pair_in(a), by, 1.0);
  pair db = pair_mul(A, pair_quo(A, pair_in(g), by, 1.0), y);
  return db.e;
}

/*@ assigns \nothing; ensures \result == e_rsqrt(A,a); */
static double e_rsqrt(arith A, double a)
{
  pair y = pair_rnd(A, r_quo(1.0, r_sqrt(a)), 0.0, 2.0 * A.k_rsqrt + 1.0);
  return y.e;
}

/*@ assigns \nothing; ensures \result == e_rsqrt_vjp(A,y,g); */
static double e_rsqrt_vjp(arith A, double y, double g)
{
  pair x = pair_in(y), half = pair_mul(A, pair_in(0.5), pair_in(g));
  pair da = pair_mul(A, pair_mul(A, pair_mul(A, half, x), x), x);
  da = pair_widen(A, da, A.eta * (8.0 * (1.0 + r_abs(g)) * (1.0 + r_abs(y)) * (1.0 + r_abs(y))));
  return da.e;
}

/*@ assigns \nothing; ensures \result == e_reciprocal_vjp(A,y,g); */
static double e_reciprocal_vjp(arith A, double y, double g)
{
  pair x = pair_in(y), da = pair_mul3(A, pair_in(g), x, x);
  return da.e;
}

void bound_axpy(idx n, double c, const double *a, const double *b, arith A, double *e_y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==>
        e_y[j] == e_axpy(A,rd{Pre}(a,j),rd{Pre}(b,j),c);
      loop assigns i, e_y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double ai = a[i], bi = b[i];
    //@ assert inputs: ai == rd{Pre}(a,i) && bi == rd{Pre}(b,i);
    e_y[i] = e_axpy(A, ai, bi, c);
  }
}

void bound_div_vjp(idx n, const double *a, const double *b, const double *g, arith A, double *e_db)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==>
        e_db[j] == e_div_vjp(A,rd{Pre}(a,j),rd{Pre}(b,j),rd{Pre}(g,j));
      loop assigns i, e_db[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double ai = a[i], bi = b[i], gi = g[i];
    //@ assert inputs: ai == rd{Pre}(a,i) && bi == rd{Pre}(b,i) && gi == rd{Pre}(g,i);
    e_db[i] = e_div_vjp(A, ai, bi, gi);
  }
}

void bound_rsqrt(idx n, const double *a, arith A, double *e_y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==>
        e_y[j] == e_rsqrt(A,rd{Pre}(a,j));
      loop assigns i, e_y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double ai = a[i];
    //@ assert inputs: ai == rd{Pre}(a,i);
    e_y[i] = e_rsqrt(A, ai);
  }
}

void bound_rsqrt_vjp(idx n, const double *y, const double *g, arith A, double *e_da)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==>
        e_da[j] == e_rsqrt_vjp(A,rd{Pre}(y,j),rd{Pre}(g,j));
      loop assigns i, e_da[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double yi = y[i], gi = g[i];
    //@ assert inputs: yi == rd{Pre}(y,i) && gi == rd{Pre}(g,i);
    e_da[i] = e_rsqrt_vjp(A, yi, gi);
  }
}

void bound_reciprocal_vjp(idx n, const double *y, const double *g, arith A, double *e_da)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==>
        e_da[j] == e_reciprocal_vjp(A,rd{Pre}(y,j),rd{Pre}(g,j));
      loop assigns i, e_da[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double yi = y[i], gi = g[i];
    //@ assert inputs: yi == rd{Pre}(y,i) && gi == rd{Pre}(g,i);
    e_da[i] = e_reciprocal_vjp(A, yi, gi);
  }
}
