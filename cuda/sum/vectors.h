/* Guarded vector loads: a vector of an array, or zeros; and what vectors add up to. */
#ifndef PM_SUM_VECTORS_H
#define PM_SUM_VECTORS_H
#include "tail.h"

/*@ // v is vector q of x, or zeros from hi on
    predicate vector{L}(float4 v, float *x, integer q, integer hi) =
      q < hi ? v.x == x[4*q] && v.y == x[4*q+1] && v.z == x[4*q+2] && v.w == x[4*q+3]
             : is_zero(v.x) && is_zero(v.y) && is_zero(v.z) && is_zero(v.w);
    predicate vectors{L0,L}(float4 *v, float *x, integer k0, integer hi, integer n) =
      \forall integer c; 0 <= c < n ==> vector{L0}(\at(v[c],L), x, k0 + c, hi);
    // what vectors lo .. q-1 add up to, those from hi on being zeros
    logic real VecSum{L}(float *x, integer lo, integer q, integer hi) =
      SumR{L}(x, 4*lo, 4*least(q,hi));
    lemma vec_step{L}: \forall float *x, integer lo, q, hi; 0 <= lo <= q < hi ==>
      VecSum{L}(x,lo,q+1,hi) ==
        VecSum{L}(x,lo,q,hi) + (x[4*q] + x[4*q+1] + x[4*q+2] + x[4*q+3]);
    lemma vec_end{L}: \forall float *x, integer lo, q, hi; hi <= q ==>
      VecSum{L}(x,lo,q+1,hi) == VecSum{L}(x,lo,q,hi);
    lemma vec_join{L}: \forall float *x, integer lo, k, q, hi; 0 <= lo <= k <= q ==> k <= hi ==>
      VecSum{L}(x,lo,q,hi) == VecSum{L}(x,lo,k,hi) + VecSum{L}(x,k,q,hi);
    predicate sum_reads{L}(float *x, integer n, integer V, integer aligned) =
      reads(x,n) && 0 <= 4*V <= n && (aligned != 0 ==> aligned16(x)); */
/* Vector q of hi. */
/*@ requires sum_reads(x,4*hi,hi,1) && 0 <= q < hi;
    assigns \nothing;
    ensures vector(\result, x, q, hi); */
DEV float4 sum_vector(idx q, const float *RESTRICT x GHOST_PARAMS(idx hi))
{
  return load4_streaming(x + 4 * q);
}

/* Vector q, or zeros where there are no more than hi. */
/*@ requires sum_reads(x,4*hi,hi,aligned) && 0 <= q <= 2*IDX_LIM;
    assigns \nothing;
    ensures vector(\result, x, q, hi); */
DEV float4 sum_load(idx q, idx hi, int aligned, const float *RESTRICT x)
{
  float4 v = {0, 0, 0, 0};
  if (q < hi && aligned)
    v = sum_vector(q, x GHOST_ARGS(hi));
  else if (q < hi) {
    v.x = LDG(x + 4 * q);
    v.y = LDG(x + 4 * q + 1);
    v.z = LDG(x + 4 * q + 2);
    v.w = LDG(x + 4 * q + 3);
  }
  return v;
}
#endif
