/* What a row's sum and its sum of squares about m are made of, four elements at a time. */
#ifndef PM_ROW_CENTERED_H
#define PM_ROW_CENTERED_H
#include "../lang/kernel.h"
#include "../collective/butterfly.h"
#include "../math/lesser.h"
#include "../../spec/norm.h"

/*@ // element k of a row of n about m, 0 outside
    logic real About{L}(float *x, real m, integer k, integer n) = k < n ? x[k] - m : 0.0;
    predicate norm_vec{L}(float4 v, float *x, real m, integer q, integer n) =
      v.x == About(x,m,4*q,n) && v.y == About(x,m,4*q+1,n) && v.z == About(x,m,4*q+2,n) &&
      v.w == About(x,m,4*q+3,n);
    // what is added up: the elements, or their squares
    logic real NormTerm(integer squares, real d) = squares == 0 ? d : rmul(d,d);
    logic real NormSum{L}(integer squares, float *x, real m, integer n) =
      squares == 0 ? Sum(x,n) : SqDev(x,m,n);
    lemma norm_sum_0{L}: \forall integer squares, float *x, real m; is_zero(NormSum(squares,x,m,0));
    lemma norm_sum_frame{L1,L2}: \forall integer squares, float *x, real m, integer n;
      Same{L1,L2}(x,n) ==> NormSum{L1}(squares,x,m,n) == NormSum{L2}(squares,x,m,n);
    predicate norm_adds{L}(integer squares, float *x, real m, integer k, integer n) =
      NormSum(squares,x,m,lesser(k+1,n)) ==
        NormSum(squares,x,m,lesser(k,n)) + NormTerm(squares,About(x,m,k,n));
    lemma norm_term_0: \forall integer squares; is_zero(NormTerm(squares,0.0));
    lemma norm_add{L}: \forall integer squares, float *x, real m, integer k, n; 0 <= k ==>
      (squares == 0 ==> is_zero(m)) ==> norm_adds(squares,x,m,k,n);
    lemma norm_add_4{L}: \forall integer squares, float *x, real m, integer q, n; 0 <= q ==>
      (squares == 0 ==> is_zero(m)) ==>
      NormSum(squares,x,m,lesser(4*(q+1),n)) == NormSum(squares,x,m,lesser(4*q,n)) +
        (NormTerm(squares,About(x,m,4*q,n)) + NormTerm(squares,About(x,m,4*q+1,n)) +
         NormTerm(squares,About(x,m,4*q+2,n)) + NormTerm(squares,About(x,m,4*q+3,n))); */

/*@ assigns \nothing;
    ensures \result == NormTerm(squares,u.x) + NormTerm(squares,u.y) + NormTerm(squares,u.z) +
                       NormTerm(squares,u.w); */
DEV float norm_four(int squares, float4 u)
{
  if (squares)
    return (u.x * u.x + u.y * u.y) + (u.z * u.z + u.w * u.w);
  return (u.x + u.y) + (u.z + u.w);
}
#endif
