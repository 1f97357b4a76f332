/* Real-valued vocabulary of the specifications: opaque products and quotients, elementary
 * functions, sums, maxima.
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
    // Elementary functions that the provers have no name for. Erf is not defined here: it is only
    // compared with itself.
    axiomatic Expm1 {
      logic real Expm1(real x) reads \nothing;
      axiom expm1_def: \forall real x; Expm1(x) == \exp(x) - 1.0;
    }
    axiomatic Log1p {
      logic real Log1p(real x) reads \nothing;
      axiom log1p_def: \forall real x; Log1p(x) == \log(1.0 + x);
    }
    axiomatic Sigmoid {
      logic real Sigmoid(real x) reads \nothing;
      axiom sigmoid_def: \forall real x; Sigmoid(x) == rdiv(1.0, 1.0 + \exp(-x));
    }
    axiomatic Softplus {
      logic real Softplus(real x) reads \nothing;
      axiom softplus_def: \forall real x; Softplus(x) == \log(1.0 + \exp(x));
    }
    axiomatic Erf {
      logic real Erf(real x) reads \nothing;
    }
    // of an op that passes on what it is given
    logic real First(real a) = a;
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
