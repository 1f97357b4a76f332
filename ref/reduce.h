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

/* e_y: (1), for a summation tree of height A.h. */
/*@ requires In1(x,n) && Out1(e_y,1) && Sep(e_y,1,x,n);
    terminates \true;
    assigns e_y[0];
    ensures e_y[0] == p_sum(A, Sum{Pre}(x,n), SumAbs{Pre}(x,n), 0.0, A.h).e;
*/
void bound_sum(idx n, const double *x, arith A, double *e_y);
#endif
