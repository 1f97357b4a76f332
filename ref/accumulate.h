/* Copying, and the accumulation of a gradient into a buffer that already holds one. */
#ifndef REF_ACCUMULATE_H
#define REF_ACCUMULATE_H
#include "ref.h"
#include "pair.h"

/* x, y: (n). y = x. */
/*@ requires In1(x,n) && Out1(y,n) && Sep(y,n,x,n);
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == \old(x[i]);
*/
void ref_copy(idx n, const double *x, double *y);

/* v, out: (n). out += v. */
/*@ requires In1(v,n) && Out1(out,n) && Sep(out,n,v,n);
    assigns out[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> out[i] == \old(out[i]) + \old(v[i]);
*/
void ref_accumulate(idx n, const double *v, double *out);

/* old, v, e: (n). On entry e[i] is the error of v[i], on return that of old[i] + v[i], the sum
 * of the buffer's content before and the gradient, rounded once. */
/*@ requires In1(old,n) && In1(v,n) && Out1(e,n) && \valid_read(ar);
    requires Sep(e,n,old,n) && Sep(e,n,v,n) && \separated(e + (0 .. n-1), ar);
    assigns e[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==>
      e[i] == p_add(\old(*ar), p_make(\old(old[i]),0.0), p_make(\old(v[i]),\old(e[i]))).e;
*/
void bound_accumulate(idx n, const double *old, const double *v, const arith *ar, double *e);
#endif
