/* Exponentials are positive, in words that the provers find. */
#ifndef REF_POSITIVE_H
#define REF_POSITIVE_H
/*@ // a predicate: WP's own simplifier drops the lemma 0.0 < \exp(x), and the provers need it
    predicate is_positive(real x) = 0.0 < x;
    lemma exp_positive: \forall real x; is_positive(\exp(x));
*/
#endif
