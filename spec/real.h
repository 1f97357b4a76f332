/* Real-valued vocabulary of the specifications: opaque products and quotients, sums, maxima.
 * `scalar` is the element type of the layer that reads the specification: double in ref/,
 * float in cuda/. The formulas are over the reals in both. */
#ifndef SPEC_REAL_H
#define SPEC_REAL_H
/*@ axiomatic Rmul {
      logic real rmul(real x, real y) reads \nothing;
      axiom rmul_def: \forall real x, y; rmul(x,y) == x * y;
    }
    axiomatic Rdiv {
      logic real rdiv(real x, real y) reads \nothing;
      axiom rdiv_def: \forall real x, y; rdiv(x,y) == x / y;
    }
    // the element at i in the state L, where \at would name a local of a later state
    logic real rd{L}(scalar *x, integer i) = x[i];
    // WP cannot print the goal x[i] == 0.0 for its provers; it can print is_zero(x[i])
    predicate is_zero(real x) = x == 0.0;
    // a[0 .. n-1] is the same in both states
    predicate Same{L1,L2}(scalar *a, integer n) =
      \forall integer i; 0 <= i < n ==> \at(a[i],L1) == \at(a[i],L2);
    // sum of x[0 .. n-1]
    logic real Sum{L}(scalar *x, integer n) = n <= 0 ? 0.0 : Sum{L}(x,n-1) + x[n-1];
    lemma sum_frame{L1,L2}: \forall scalar *x, integer n;
      (\forall integer i; 0 <= i < n ==> \at(x[i],L1) == \at(x[i],L2)) ==>
      Sum{L1}(x,n) == Sum{L2}(x,n);
*/
#endif
