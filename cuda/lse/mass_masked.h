/* The invariant of online softmax under a mask: the sum of the exponentials of a row's open
 * elements, of which threads and chunks have parts, each at its own maximum: mass.h says why that
 * adds up over the reals. x is the row, b its mask. */
#ifndef PM_LSE_MASS_MASKED_H
#define PM_LSE_MASS_MASKED_H
#include "exp_term.h"
#include "mass.h"

/*@ // element i's exponential, and that of the first n
    logic real OpenOf{L}(float *x, float *b, integer i) = if_open(b[i],\exp(x[i]));
    logic real OpenWhole{L}(float *x, float *b, integer n) =
      n <= 0 ? 0.0 : OpenWhole{L}(x,b,n-1) + OpenOf{L}(x,b,n-1);
    lemma open_of_nonneg{L}: \forall float *x, *b, integer i; 0.0 <= OpenOf{L}(x,b,i);
    lemma open_of_frame{L1,L2}: \forall float *x, *b, integer i, n; 0 <= i < n ==>
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> OpenOf{L1}(x,b,i) == OpenOf{L2}(x,b,i);
    lemma open_whole_same{L1,L2}: \forall integer n, float *x, *b;
      (\forall integer i; 0 <= i < n ==> OpenOf{L1}(x,b,i) == OpenOf{L2}(x,b,i)) ==>
      OpenWhole{L1}(x,b,n) == OpenWhole{L2}(x,b,n);
    lemma open_whole_to{L1,L2}: \forall float *x, *b, integer k, n; k <= n ==> Same{L1,L2}(x,n) ==>
      Same{L1,L2}(b,n) ==> OpenWhole{L1}(x,b,k) == OpenWhole{L2}(x,b,k);
    lemma open_whole_frame{L1,L2}: \forall float *x, *b, integer n; Same{L1,L2}(x,n) ==>
      Same{L1,L2}(b,n) ==> OpenWhole{L1}(x,b,n) == OpenWhole{L2}(x,b,n);
    // n elements from o on
    logic real OpenFrom{L}(float *x, float *b, integer o, integer n) =
      n <= 0 ? 0.0 : OpenFrom{L}(x,b,o,n-1) + OpenOf{L}(x,b,o+n-1);
    lemma open_of_shift{L}: \forall float *x, *b, integer o, i;
      OpenOf{L}(x+o,b+o,i) == OpenOf{L}(x,b,o+i);
    lemma open_of_from{L}: \forall integer n, float *x, *b, integer o; 0 <= n ==>
      OpenWhole{L}(x+o,b+o,n) == OpenFrom{L}(x,b,o,n);
    lemma open_from_is{L}: \forall integer n, float *x, *b, integer o; 0 <= n ==> 0 <= o ==>
      OpenFrom{L}(x,b,o,n) == OpenWhole{L}(x,b,o+n) - OpenWhole{L}(x,b,o);
    lemma open_shift{L}: \forall integer n, float *x, *b, integer o; 0 <= o ==> 0 <= n ==>
      OpenWhole{L}(x+o,b+o,n) == OpenWhole{L}(x,b,o+n) - OpenWhole{L}(x,b,o);
    lemma open_whole_nonneg{L}: \forall integer n, float *x, *b; 0.0 <= OpenWhole{L}(x,b,n);
    lemma open_whole_has{L}: \forall integer n, float *x, *b, integer i; 0 <= i ==> i < n ==>
      OpenOf{L}(x,b,i) <= OpenWhole{L}(x,b,n);
    lemma open_whole_pos{L}: \forall integer n, float *x, *b, integer i; 0 <= i ==> i < n ==>
      b[i] == 0.0 ==> 0.0 < OpenWhole{L}(x,b,n); */

/*@ // element k for a thread, which takes what is blocked or past the row's n for -Inf; what it
    // adds; and
    // those of the first k elements that a row of n has
    logic real OpenVal{L}(float *x, float *b, integer n, integer k) =
      k < n && b[k] == 0.0 ? x[k] : Lowest;
    logic real ValExp(real v) = v > Lowest ? \exp(v) : 0.0;
    logic real OpenTo{L}(float *x, float *b, integer n, integer k) =
      OpenWhole{L}(x,b,lesser(k,n));
    predicate open_vec{L}(float4 v, float *x, float *b, integer n, integer q) =
      v.x == OpenVal{L}(x,b,n,4*q) && v.y == OpenVal{L}(x,b,n,4*q+1) &&
      v.z == OpenVal{L}(x,b,n,4*q+2) && v.w == OpenVal{L}(x,b,n,4*q+3);
    logic real VecAdds{L}(float *x, float *b, integer n, integer q) =
      OpenTo{L}(x,b,n,4*q+4) - OpenTo{L}(x,b,n,4*q);
    predicate none_lowest{L}(float *x, integer n) = \forall integer i; 0 <= i < n ==> Lowest < x[i];
    lemma val_mass: \forall real v, m; Mass(Term(v,m),m) == ValExp(v);
    lemma open_val_adds{L}: \forall float *x, *b, integer n, k; 0 <= k ==> none_lowest{L}(x,n) ==>
      OpenTo{L}(x,b,n,k+1) == OpenTo{L}(x,b,n,k) + ValExp(OpenVal{L}(x,b,n,k));
    lemma open_vec_adds{L}: \forall float4 v, float *x, *b, integer n, q; 0 <= q ==>
      none_lowest{L}(x,n) ==> open_vec{L}(v,x,b,n,q) ==>
      ValExp(v.x) + ValExp(v.y) + ValExp(v.z) + ValExp(v.w) == VecAdds{L}(x,b,n,q);
    lemma open_to_end{L}: \forall float *x, *b, integer n, k; n <= k ==>
      OpenTo{L}(x,b,n,k) == OpenWhole{L}(x,b,n);
    lemma open_to_frame{L1,L2}: \forall float *x, *b, integer n, k; Same{L1,L2}(x,n) ==>
      Same{L1,L2}(b,n) ==> OpenTo{L1}(x,b,n,k) == OpenTo{L2}(x,b,n,k);
    lemma vec_adds_frame{L1,L2}: \forall float *x, *b, integer n, q; Same{L1,L2}(x,n) ==>
      Same{L1,L2}(b,n) ==> VecAdds{L1}(x,b,n,q) == VecAdds{L2}(x,b,n,q); */
#endif
