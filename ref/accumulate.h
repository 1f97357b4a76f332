/* Copying, and the accumulation of a gradient into a buffer that already holds one. */
#ifndef REF_ACCUMULATE_H
#define REF_ACCUMULATE_H
#include "ref.h"
#include "pair.h"

/* x, y: (n). y = x. */
/*@ requires In1(x,n) && Out1(y,n) && Sep(y,n,x,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == \old(x[i]);
*/
void ref_copy(idx n, const double *x, double *y);

/* v, out: (n). out += v. */
/*@ requires In1(v,n) && Out1(out,n) && Sep(out,n,v,n);
    terminates \true;
    assigns out[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> out[i] == \old(out[i]) + \old(v[i]);
*/
void ref_accumulate(idx n, const double *v, double *out);

/*@ axiomatic BoundAccumulate {
      // the error of old + v where v has error e
      logic real e_accumulated(arith A, real old, real v, real e) reads \nothing;
      axiom e_accumulated_def: \forall arith A, real old, v, e;
        e_accumulated(A,old,v,e) == p_add(A, p_make(old,0.0), p_make(v,e)).e;
    }
*/

/* old, v, e: (n). On entry e[i] is the error of v[i], on return that of old[i] + v[i], the sum
 * of the buffer's content before and the gradient, rounded once. */
/*@ requires In1(old,n) && In1(v,n) && Out1(e,n);
    requires Sep(e,n,old,n) && Sep(e,n,v,n);
    terminates \true;
    assigns e[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==>
      e[i] == e_accumulated(A,\old(old[i]),\old(v[i]),\old(e[i]));
*/
void bound_accumulate(idx n, const double *old, const double *v, arith A, double *e);
#endif
