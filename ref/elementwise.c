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
