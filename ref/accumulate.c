#include "accumulate.h"

void ref_copy(idx n, const double *x, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> y[j] == rd{Pre}(x,j);
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = x[i];
}

void ref_accumulate(idx n, const double *v, double *out)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> out[j] == rd{Pre}(out,j) + rd{Pre}(v,j);
      loop invariant \forall integer j; i <= j < n ==> out[j] == rd{Pre}(out,j);
      loop assigns i, out[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    out[i] += v[i];
}

/*@ assigns \nothing; ensures \result == e_accumulated(A,old,v,e); */
static double accumulated(arith A, double old, double v, double e)
{
  pair sum = pair_add(A, pair_in(old), pair_make(v, e));
  return sum.e;
}

void bound_accumulate(idx n, const double *old, const double *v, arith A, double *e)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> e[j] ==
        e_accumulated(A,rd{Pre}(old,j),rd{Pre}(v,j),rd{Pre}(e,j));
      loop invariant \forall integer j; i <= j < n ==> e[j] == rd{Pre}(e,j);
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    e[i] = accumulated(A, old[i], v[i], e[i]);
}
