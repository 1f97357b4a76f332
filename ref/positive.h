/* Exponentials, sums and quotients in words that the provers find. */
#ifndef REF_POSITIVE_H
#define REF_POSITIVE_H
#include "scalar.h"
#include "../spec/real.h"

/*@ // a predicate: WP's own simplifier drops the lemma 0.0 < \exp(x), and the provers need it
    predicate is_positive(real x) = 0.0 < x;
    lemma times_back: \forall real a, b; is_positive(b) ==> rmul(rdiv(a,b),b) == a;
    lemma ratio_is: \forall real p, a, c; is_positive(c) ==> rmul(p,c) == a ==> rdiv(a,c) == p;
    lemma exp_positive: \forall real x; is_positive(\exp(x));
    // a sum of two by a name, by which the provers find it
    predicate is_sum(real a, real b, real c) = a == b + c;
    lemma exp_of_sum: \forall real a, b, c; is_sum(a,b,c) ==> \exp(a) == rmul(\exp(b),\exp(c));
*/
#endif
