#include "reduce.h"
#include "lost.h"

void ref_sum(idx n, const double *x, double *y)
{
  double s = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == Sum{Pre}(x,i) && is_zero(lost);
      loop assigns i, s, lost;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    lost += lost_sum(s, x[i]);
    s += x[i];
  }
  y[0] = s + r_kept(lost);
}

void ref_sum_vjp(idx n, const double *g, double *dx)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> dx[j] == rd{Pre}(g,0);
      loop assigns i, dx[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    dx[i] = g[0];
}

void ref_mean(idx n, const double *x, double *y)
{
  ref_sum(n, x, y);
  y[0] = r_quo(y[0], (double)n);
}

void ref_mean_vjp(idx n, const double *g, double *dx)
{
#define LOOP_OUT dx
#define LOOP_VALUE r_quo(g[0], (double)n)
#define LOOP_IS(j) rdiv(rd{Pre}(g, 0), n)
#include "loop.inc"
}

/* x: (n). */
/*@ requires In1(x,n);
    assigns \nothing;
    ensures \result == p_sum(A, Sum(x,n), SumAbs(x,n), 0.0, A.h);
*/
static pair sum_pair(idx n, const double *x, arith A)
{
  double sv = 0.0, sa = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant sv == Sum{Pre}(x,i) && sa == SumAbs{Pre}(x,i);
      loop assigns i, sv, sa;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    sv += x[i];
    sa += r_abs(x[i]);
  }
  return pair_sum(A, sv, sa, 0.0, A.h);
}

void bound_sum(idx n, const double *x, arith A, double *e_y)
{
  pair sum = sum_pair(n, x, A);
  e_y[0] = sum.e;
}

void bound_mean(idx n, const double *x, arith A, double *e_y)
{
  pair mean = pair_quo(A, sum_pair(n, x, A), pair_in((double)n), 1.0);
  e_y[0] = mean.e;
}

/* ---- line (o,i) of x, (outer, n, inner) ---- */

/*@ predicate Line{L}(scalar *x, integer outer, integer n, integer inner, integer o, integer i) =
      Around(outer,n,inner) && \valid_read(x + (0 .. Elements(outer,n,inner)-1)) &&
      0 <= o < outer && 0 <= i < inner;
*/

/*@ requires Around(outer,n,inner) && 0 <= o < outer && 0 <= j < n && 0 <= i < inner;
    assigns \nothing;
    ensures \result == along(n,inner,o,j,i);
    ensures 0 <= \result < Elements(outer,n,inner);
*/
static idx along_at(idx outer, idx n, idx inner, idx o, idx j, idx i)
{
  return at2(size2(outer, n), inner, at2(outer, n, o, j), i);
}

/*@ requires Line(x,outer,n,inner,o,i);
    assigns \nothing;
    ensures \result == AxisSum(x,n,inner,o,i,n);
*/
static double line_sum(idx outer, idx n, idx inner, idx o, idx i, const double *x)
{
  double s = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= j <= n;
      loop invariant s == AxisSum{Pre}(x,n,inner,o,i,j) && is_zero(lost);
      loop assigns j, s, lost;
      loop variant n - j;
  */
  for (idx j = 0; j < n; j++) {
    double v = x[along_at(outer, n, inner, o, j, i)];
    lost += lost_sum(s, v);
    s += v;
  }
  return s + r_kept(lost);
}

/*@ requires Line(x,outer,n,inner,o,i);
    assigns \nothing;
    ensures \result == p_sum(A, AxisSum(x,n,inner,o,i,n), AxisSumAbs(x,n,inner,o,i,n), 0.0, A.h);
*/
static pair line_pair(idx outer, idx n, idx inner, idx o, idx i, const double *x, arith A)
{
  double sv = 0.0, sa = 0.0;
  /*@ loop invariant 0 <= j <= n;
      loop invariant sv == AxisSum{Pre}(x,n,inner,o,i,j);
      loop invariant sa == AxisSumAbs{Pre}(x,n,inner,o,i,j);
      loop assigns j, sv, sa;
      loop variant n - j;
  */
  for (idx j = 0; j < n; j++) {
    double v = x[along_at(outer, n, inner, o, j, i)];
    sv += v;
    sa += r_abs(v);
  }
  return pair_sum(A, sv, sa, 0.0, A.h);
}

/* The larger, a NaN above all numbers, and +0 above -0. */
/*@ assigns \nothing; ensures \result == \max(a,b); */
static double larger(double a, double b)
{
  if (a == b && b == 0.0)
    return a + b;
  return (b > a) + (b != b) ? b : a;
}

/*@ requires Line(x,outer,n,inner,o,i) && 1 <= n;
    assigns \nothing;
    ensures \result == AxisMax(x,n,inner,o,i,n);
*/
static double line_max(idx outer, idx n, idx inner, idx o, idx i, const double *x)
{
  double m = x[along_at(outer, n, inner, o, 0, i)];
  /*@ loop invariant 1 <= j <= n;
      loop invariant m == AxisMax{Pre}(x,n,inner,o,i,j);
      loop assigns j, m;
      loop variant n - j;
  */
  for (idx j = 1; j < n; j++)
    m = larger(m, x[along_at(outer, n, inner, o, j, i)]);
  return m;
}

/*@ requires Line(x,outer,n,inner,o,i);
    assigns \nothing;
    ensures \result == Ties(x,y,n,inner,o,i,n);
*/
static idx line_ties(idx outer, idx n, idx inner, idx o, idx i, const double *x, double y)
{
  idx ties = 0;
  /*@ loop invariant 0 <= ties <= j <= n;
      loop invariant ties == Ties{Pre}(x,y,n,inner,o,i,j);
      loop assigns j, ties;
      loop variant n - j;
  */
  for (idx j = 0; j < n; j++)
    if (x[along_at(outer, n, inner, o, j, i)] == y)
      ties++;
  return ties;
}

/*@ assigns \nothing; ensures \result == TieShare(x,y,g,ties); */
static double tie_share(double x, double y, double g, idx ties)
{
  return r_quo(x == y ? g : 0.0, (double)ties);
}

void ref_sum_axis(idx outer, idx n, idx inner, const double *x, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE line_sum(outer, n, inner, o, i, x)
#define LOOP_IS(o, i) AxisSum{Pre}(x, n, inner, o, i, n)
#include "reduce_axis.inc"
}

void ref_sum_axis_vjp(idx outer, idx n, idx inner, const double *g, double *dx)
{
#define LOOP_LINE
#define LOOP_VALUE g[k]
#define LOOP_IS(o, j, i) rd{Pre}(g, ix(o, inner, i))
#include "spread_axis.inc"
}

void bound_sum_axis(idx outer, idx n, idx inner, const double *x, arith A, double *e_y)
{
#define LOOP_OUT e_y
#define LOOP_VALUE line_pair(outer, n, inner, o, i, x, A).e
#define LOOP_IS(o, i) \
  p_sum(A, AxisSum{Pre}(x, n, inner, o, i, n), AxisSumAbs{Pre}(x, n, inner, o, i, n), 0.0, A.h).e
#include "reduce_axis.inc"
}

void ref_mean_axis(idx outer, idx n, idx inner, const double *x, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE r_quo(line_sum(outer, n, inner, o, i, x), (double)n)
#define LOOP_IS(o, i) rdiv(AxisSum{Pre}(x, n, inner, o, i, n), n)
#include "reduce_axis.inc"
}

void ref_mean_axis_vjp(idx outer, idx n, idx inner, const double *g, double *dx)
{
#define LOOP_LINE
#define LOOP_VALUE r_quo(g[k], (double)n)
#define LOOP_IS(o, j, i) rdiv(rd{Pre}(g, ix(o, inner, i)), n)
#include "spread_axis.inc"
}

void bound_mean_axis(idx outer, idx n, idx inner, const double *x, arith A, double *e_y)
{
#define LOOP_OUT e_y
#define LOOP_VALUE pair_quo(A, line_pair(outer, n, inner, o, i, x, A), pair_in((double)n), 1.0).e
#define LOOP_IS(o, i)                                                                            \
  p_quo(A,                                                                                       \
        p_sum(A, AxisSum{Pre}(x, n, inner, o, i, n), AxisSumAbs{Pre}(x, n, inner, o, i, n), 0.0, \
              A.h),                                                                              \
        p_make(n, 0.0), 1.0)                                                                     \
      .e
#include "reduce_axis.inc"
}

void ref_max_axis(idx outer, idx n, idx inner, const double *x, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE line_max(outer, n, inner, o, i, x)
#define LOOP_IS(o, i) AxisMax{Pre}(x, n, inner, o, i, n)
#include "reduce_axis.inc"
}

void ref_max_axis_vjp(idx outer, idx n, idx inner, const double *x, const double *y,
                      const double *g, double *dx)
{
#define LOOP_LINE              \
  double yk = y[k], gk = g[k]; \
  idx ties = line_ties(outer, n, inner, o, i, x, yk);
#define LOOP_VALUE tie_share(x[at], yk, gk, ties)
#define LOOP_IS(o, j, i)                                                      \
  TieShare(rd{Pre}(x, along(n, inner, o, j, i)), rd{Pre}(y, ix(o, inner, i)), \
           rd{Pre}(g, ix(o, inner, i)),                                       \
           Ties{Pre}(x, rd{Pre}(y, ix(o, inner, i)), n, inner, o, i, n))
#define LOOP_X x
#define LOOP_KNOWN                                                          \
  yk == rd{Pre}(y, ix(o, inner, i)) && gk == rd{Pre}(g, ix(o, inner, i)) && \
      ties == Ties{Pre}(x, rd{Pre}(y, ix(o, inner, i)), n, inner, o, i, n)
#include "spread_axis.inc"
}
