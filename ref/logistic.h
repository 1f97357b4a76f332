/* How sigmoid and tanh come from one another: lemmas that the provers find where little else is in
 * sight, so without ref.h. */
#ifndef REF_LOGISTIC_H
#define REF_LOGISTIC_H
#ifndef REF_H
typedef double scalar;
#endif
#include "../spec/real.h"

/*@ // a predicate: WP's own simplifier drops the lemma 0.0 < \exp(x), and the provers need it
    predicate is_positive(real x) = 0.0 < x;
    // likewise: a sum of two by a name, by which the provers find it
    predicate is_sum(real a, real b, real c) = a == b + c;
    lemma rest_of_one: \forall real s, b; is_positive(s) ==> s == 1.0 + b ==>
      1.0 - rdiv(1.0,s) == rdiv(b,s);
    lemma ratio_by_inverse: \forall real e, f; is_positive(e) ==> is_positive(f) ==>
      rmul(e,f) == 1.0 ==> rdiv(f,1.0 + f) == rdiv(1.0,1.0 + e);
    lemma ratio_by_square: \forall real e, f; is_positive(e) ==> is_positive(f) ==>
      rmul(e,f) == 1.0 ==> rdiv(e,e + f) == rdiv(1.0,1.0 + rmul(f,f));
    lemma one_and_ratio: \forall real s, c; is_positive(c) ==> 1.0 + rdiv(s,c) == rdiv(s + c,c);
    lemma ratio_to_half: \forall real a, d; is_positive(d) ==>
      rdiv(a,0.5 * d) == 2.0 * rdiv(a,d);
    lemma exp_positive: \forall real x; is_positive(\exp(x));
    lemma exp_inverse: \forall real x; rmul(\exp(x),\exp(-x)) == 1.0;
    lemma exp_of_sum: \forall real a, b, c; is_sum(a,b,c) ==> \exp(a) == rmul(\exp(b),\exp(c));
    lemma one_less_sigmoid: \forall real x;
      1.0 - Sigmoid(x) == rdiv(\exp(-x),1.0 + \exp(-x));
    lemma sigmoid_of_opposite: \forall real x; Sigmoid(-x) == rdiv(1.0,1.0 + \exp(x));
    lemma sigmoid_rest: \forall real x; Sigmoid(-x) == 1.0 - Sigmoid(x);
    lemma tanh_ratio: \forall real u; \tanh(u) ==
      rdiv(0.5 * (\exp(u) - \exp(-u)), 0.5 * (\exp(u) + \exp(-u)));
    lemma one_and_tanh: \forall real u; 1.0 + \tanh(u) == 2.0 * rdiv(\exp(u),\exp(u) + \exp(-u));
    lemma tanh_by_exp: \forall real u, v; is_sum(v,-u,-u) ==>
      1.0 + \tanh(u) == 2.0 * rdiv(1.0,1.0 + \exp(v));
    lemma tanh_by_sigmoid: \forall real u, v; is_sum(v,u,u) ==> is_sum(-v,-u,-u) ==>
      1.0 + \tanh(u) == 2.0 * Sigmoid(v);
*/
#endif
