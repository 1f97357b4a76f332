#include "reduce.h"

void ref_sum(idx n, const double *x, double *y)
{
  double s = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == Sum{Pre}(x,i);
      loop assigns i, s;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    s += x[i];
  y[0] = s;
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

void bound_sum(idx n, const double *x, arith A, double *e_y)
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
  pair sum = pair_sum(A, sv, sa, 0.0, A.h);
  e_y[0] = sum.e;
}
