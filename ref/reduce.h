/* Reductions, their VJPs and error bounds. */
#ifndef REF_REDUCE_H
#define REF_REDUCE_H
#include "ref.h"
#include "pair.h"
#include "../spec/reduce.h"

/* x: (n), y: (1). y = sum of x; of none it is 0. */
/*@ requires In1(x,n) && Out1(y,1) && Sep(y,1,x,n);
    terminates \true;
    assigns y[0];
    ensures y[0] == Sum{Pre}(x,n);
*/
void ref_sum(idx n, const double *x, double *y);

/* g: (1), dx: (n). dx[i] = g. */
/*@ requires In1(g,1) && Out1(dx,n) && Sep(dx,n,g,1);
    terminates \true;
    assigns dx[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> dx[i] == \old(g[0]);
*/
void ref_sum_vjp(idx n, const double *g, double *dx);

/* x: (n), y: (1). y = (sum of x) / n. */
/*@ requires In1(x,n) && Out1(y,1) && Sep(y,1,x,n);
    terminates \true;
    assigns y[0];
    ensures y[0] == rdiv(Sum{Pre}(x,n), n);
*/
void ref_mean(idx n, const double *x, double *y);

/* g: (1), dx: (n). dx[i] = g / n. */
/*@ requires In1(g,1) && Out1(dx,n) && Sep(dx,n,g,1);
    terminates \true;
    assigns dx[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> dx[i] == rdiv(\old(g[0]), n);
*/
void ref_mean_vjp(idx n, const double *g, double *dx);

/* e_y: (1), for a summation tree of height A.h. */
/*@ requires In1(x,n) && Out1(e_y,1) && Sep(e_y,1,x,n);
    terminates \true;
    assigns e_y[0];
    ensures e_y[0] == p_sum(A, Sum{Pre}(x,n), SumAbs{Pre}(x,n), 0.0, A.h).e;
*/
void bound_sum(idx n, const double *x, arith A, double *e_y);

/* The sum's error, then one division by n, which is exact. */
/*@ requires In1(x,n) && Out1(e_y,1) && Sep(e_y,1,x,n);
    terminates \true;
    assigns e_y[0];
    ensures e_y[0] ==
      p_quo(A, p_sum(A, Sum{Pre}(x,n), SumAbs{Pre}(x,n), 0.0, A.h), p_make(n,0.0), 1.0).e;
*/
void bound_mean(idx n, const double *x, arith A, double *e_y);

/* ---- over an axis: a tensor is seen around it as (outer, n, inner), what is left of it as
 * (outer, inner) ---- */

/*@ logic integer Elements(integer outer, integer n, integer inner) = ix(ix(outer,n,0),inner,0);
    predicate Around(integer outer, integer n, integer inner) =
      0 <= outer && 0 <= n <= IDX_LIM && 0 <= inner && ix(outer,n,0) <= IDX_LIM &&
      Elements(outer,n,inner) <= IDX_LIM && ix(outer,inner,0) <= IDX_LIM;
    predicate Reduces{L}(scalar *x, scalar *y, integer outer, integer n, integer inner) =
      Around(outer,n,inner) && \valid_read(x + (0 .. Elements(outer,n,inner)-1)) &&
      \valid(y + (0 .. ix(outer,inner,0)-1)) &&
      Sep(y,ix(outer,inner,0),x,Elements(outer,n,inner));
    predicate Spreads{L}(scalar *g, scalar *dx, integer outer, integer n, integer inner) =
      Around(outer,n,inner) && \valid_read(g + (0 .. ix(outer,inner,0)-1)) &&
      \valid(dx + (0 .. Elements(outer,n,inner)-1)) &&
      Sep(dx,Elements(outer,n,inner),g,ix(outer,inner,0));
*/

/* x: (outer, n, inner), y: (outer, inner). y[o,i] = sum over j of x[o,j,i]; of none it is 0. */
/*@ requires Reduces(x,y,outer,n,inner);
    terminates \true;
    assigns y[0 .. ix(outer,inner,0)-1];
    ensures \forall integer o, i; 0 <= o < outer ==> 0 <= i < inner ==>
      y[ix(o,inner,i)] == AxisSum{Pre}(x,n,inner,o,i,n);
*/
void ref_sum_axis(idx outer, idx n, idx inner, const double *x, double *y);

/* g: (outer, inner), dx: (outer, n, inner). dx[o,j,i] = g[o,i]. */
/*@ requires Spreads(g,dx,outer,n,inner);
    terminates \true;
    assigns dx[0 .. Elements(outer,n,inner)-1];
    ensures \forall integer o, j, i; 0 <= o < outer ==> 0 <= j < n ==> 0 <= i < inner ==>
      dx[along(n,inner,o,j,i)] == \old(g[ix(o,inner,i)]);
*/
void ref_sum_axis_vjp(idx outer, idx n, idx inner, const double *g, double *dx);

/* x: (outer, n, inner), e_y: (outer, inner), for summation trees of height A.h. */
/*@ requires Reduces(x,e_y,outer,n,inner);
    terminates \true;
    assigns e_y[0 .. ix(outer,inner,0)-1];
    ensures \forall integer o, i; 0 <= o < outer ==> 0 <= i < inner ==> e_y[ix(o,inner,i)] ==
      p_sum(A, AxisSum{Pre}(x,n,inner,o,i,n), AxisSumAbs{Pre}(x,n,inner,o,i,n), 0.0, A.h).e;
*/
void bound_sum_axis(idx outer, idx n, idx inner, const double *x, arith A, double *e_y);

/* x: (outer, n, inner), y: (outer, inner). y[o,i] = (sum over j of x[o,j,i]) / n. */
/*@ requires Reduces(x,y,outer,n,inner);
    terminates \true;
    assigns y[0 .. ix(outer,inner,0)-1];
    ensures \forall integer o, i; 0 <= o < outer ==> 0 <= i < inner ==>
      y[ix(o,inner,i)] == rdiv(AxisSum{Pre}(x,n,inner,o,i,n), n);
*/
void ref_mean_axis(idx outer, idx n, idx inner, const double *x, double *y);

/* g: (outer, inner), dx: (outer, n, inner). dx[o,j,i] = g[o,i] / n. */
/*@ requires Spreads(g,dx,outer,n,inner);
    terminates \true;
    assigns dx[0 .. Elements(outer,n,inner)-1];
    ensures \forall integer o, j, i; 0 <= o < outer ==> 0 <= j < n ==> 0 <= i < inner ==>
      dx[along(n,inner,o,j,i)] == rdiv(\old(g[ix(o,inner,i)]), n);
*/
void ref_mean_axis_vjp(idx outer, idx n, idx inner, const double *g, double *dx);

/* x: (outer, n, inner), e_y: (outer, inner). The sum's error, then one division by n. */
/*@ requires Reduces(x,e_y,outer,n,inner);
    terminates \true;
    assigns e_y[0 .. ix(outer,inner,0)-1];
    ensures \forall integer o, i; 0 <= o < outer ==> 0 <= i < inner ==> e_y[ix(o,inner,i)] ==
      p_quo(A, p_sum(A, AxisSum{Pre}(x,n,inner,o,i,n), AxisSumAbs{Pre}(x,n,inner,o,i,n), 0.0, A.h),
            p_make(n,0.0), 1.0).e;
*/
void bound_mean_axis(idx outer, idx n, idx inner, const double *x, arith A, double *e_y);

/* x: (outer, n, inner), y: (outer, inner). y[o,i] = largest of x[o,j,i] over j. A NaN is larger than
 * any number, and +0 larger than -0, so that the order of the elements does not matter. */
/*@ requires Reduces(x,y,outer,n,inner) && 1 <= n;
    terminates \true;
    assigns y[0 .. ix(outer,inner,0)-1];
    ensures \forall integer o, i; 0 <= o < outer ==> 0 <= i < inner ==>
      y[ix(o,inner,i)] == AxisMax{Pre}(x,n,inner,o,i,n);
*/
void ref_max_axis(idx outer, idx n, idx inner, const double *x, double *y);

/* x, dx: (outer, n, inner), y, g: (outer, inner), y = max_axis(x). The elements of a line that are
 * its largest have g in equal parts, the others 0. A line with a NaN has no element equal to y: the
 * quotient by their number, 0, makes all of it NaN. */
/*@ requires Spreads(g,dx,outer,n,inner) && Spreads(y,dx,outer,n,inner);
    requires \valid_read(x + (0 .. Elements(outer,n,inner)-1));
    requires Sep(dx,Elements(outer,n,inner),x,Elements(outer,n,inner));
    terminates \true;
    assigns dx[0 .. Elements(outer,n,inner)-1];
    ensures \forall integer o, j, i; 0 <= o < outer ==> 0 <= j < n ==> 0 <= i < inner ==>
      dx[along(n,inner,o,j,i)] ==
      TieShare(\old(x[along(n,inner,o,j,i)]), \old(y[ix(o,inner,i)]), \old(g[ix(o,inner,i)]),
               Ties{Pre}(x,\old(y[ix(o,inner,i)]),n,inner,o,i,n));
*/
void ref_max_axis_vjp(idx outer, idx n, idx inner, const double *x, const double *y,
                      const double *g, double *dx);
#endif
