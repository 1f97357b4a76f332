/* How sigmoid and tanh come from one another: lemmas that the provers find where little else is in
 * sight, so without ref.h, and one step at a time. WP's own simplifier makes 1/exp(x) of exp(-x),
 * so what is opposite has a name of its own, n, and what is inverse too. */
#ifndef REF_LOGISTIC_H
#define REF_LOGISTIC_H
#include "positive.h"

/*@ predicate are_inverse(real e, real f) = 0.0 < e && 0.0 < f && rmul(e,f) == 1.0;
    lemma tanh_parts: \forall real u; \tanh(u) == rdiv(\sinh(u),\cosh(u));
    lemma sinh_halves: \forall real u, n; is_sum(0.0,u,n) ==>
      \sinh(u) == 0.5 * (\exp(u) - \exp(n));
    lemma cosh_halves: \forall real u, n; is_sum(0.0,u,n) ==>
      \cosh(u) == 0.5 * (\exp(u) + \exp(n));
    lemma tanh_ratio: \forall real u, n; is_sum(0.0,u,n) ==>
      \tanh(u) == rdiv(0.5 * (\exp(u) - \exp(n)),0.5 * (\exp(u) + \exp(n)));
    // fractions
    lemma crossed: \forall real p, q, b, d; is_positive(b) ==> is_positive(d) ==>
      rmul(rmul(p,b),d) == rmul(rmul(q,d),b) ==> p == q;
    lemma ratio_if: \forall real a, b, c, d; is_positive(b) ==> is_positive(d) ==>
      rmul(rdiv(a,b),b) == a ==> rmul(rdiv(c,d),d) == c ==> rmul(a,d) == rmul(c,b) ==>
      rdiv(a,b) == rdiv(c,d);
    lemma same_ratio: \forall real a, b, c, d; is_positive(b) ==> is_positive(d) ==>
      rmul(a,d) == rmul(c,b) ==> rdiv(a,b) == rdiv(c,d);
    lemma one_more: \forall real q, c; rmul(1.0 + q,c) == rmul(q,c) + c;
    lemma one_and_ratio: \forall real s, c; is_positive(c) ==> 1.0 + rdiv(s,c) == rdiv(s + c,c);
    lemma rest_of_one: \forall real s, b; is_positive(s) ==> s == 1.0 + b ==>
      1.0 - rdiv(1.0,s) == rdiv(b,s);
    lemma half_of_both: \forall real a, d; is_positive(d) ==> rdiv(0.5 * a,0.5 * d) == rdiv(a,d);
    lemma twice_of: \forall real a, d; is_positive(d) ==> rdiv(2.0 * a,d) == 2.0 * rdiv(a,d);
    // e f = 1
    lemma spread: \forall real e, f; rmul(e,1.0 + rmul(f,f)) == e + rmul(rmul(e,f),f);
    lemma spread_one: \forall real e, f; rmul(f,1.0 + e) == f + rmul(e,f);
    lemma once: \forall real f; rmul(1.0,f) == f;
    lemma squares_in_turn: \forall real e, f;
      rmul(rmul(e,e),rmul(f,f)) == rmul(rmul(e,f),rmul(e,f));
    lemma positive_square: \forall real e; is_positive(e) ==> is_positive(rmul(e,e));
    lemma inverse_squares: \forall real e, f; are_inverse(e,f) ==>
      are_inverse(rmul(e,e),rmul(f,f));
    lemma inverse: \forall real e, f; are_inverse(e,f) ==> 1.0 / e == f;
    lemma ratio_by_inverse: \forall real e, f; are_inverse(e,f) ==> rdiv(f,1.0 + f) == rdiv(1.0,1.0 + e);
    lemma by_square: \forall real e, f; rmul(e,f) == 1.0 ==>
      rmul(e,1.0 + rmul(f,f)) == rmul(1.0,e + f);
    lemma ratio_by_square: \forall real e, f; are_inverse(e,f) ==>
      rdiv(e,e + f) == rdiv(1.0,1.0 + rmul(f,f));
    lemma one_and_halves: \forall real e, f; are_inverse(e,f) ==>
      1.0 + rdiv(0.5 * (e - f),0.5 * (e + f)) == 2.0 * rdiv(e,e + f);
    // exponentials
    lemma exp_opposite: \forall real x, n; is_sum(0.0,x,n) ==> are_inverse(\exp(x),\exp(n));
    lemma sigmoid_by_opposite: \forall real x, n; is_sum(0.0,x,n) ==>
      Sigmoid(x) == rdiv(1.0,1.0 + \exp(n));
    lemma sigmoid_of_opposite: \forall real x, n; is_sum(0.0,x,n) ==>
      Sigmoid(n) == rdiv(1.0,1.0 + \exp(x));
    lemma one_and_exp: \forall real x; is_positive(1.0 + \exp(x));
    lemma rest_of_exp: \forall real x;
      1.0 - rdiv(1.0,1.0 + \exp(x)) == rdiv(\exp(x),1.0 + \exp(x));
    lemma one_less_sigmoid: \forall real x, n; is_sum(0.0,x,n) ==>
      1.0 - Sigmoid(x) == rdiv(\exp(n),1.0 + \exp(n));
    lemma sigmoid_rest: \forall real x, n; is_sum(0.0,x,n) ==> Sigmoid(n) == 1.0 - Sigmoid(x);
    lemma exp_of_double: \forall real u, n, v; is_sum(0.0,u,n) ==> is_sum(v,u,u) ==>
      are_inverse(\exp(v),rmul(\exp(n),\exp(n)));
    lemma sigmoid_by_inverse: \forall real x, f; are_inverse(\exp(x),f) ==>
      Sigmoid(x) == rdiv(1.0,1.0 + f);
    lemma sigmoid_of_double: \forall real u, n, v; is_sum(0.0,u,n) ==> is_sum(v,u,u) ==>
      Sigmoid(v) == rdiv(1.0,1.0 + rmul(\exp(n),\exp(n)));
    lemma one_and_tanh: \forall real u, n; is_sum(0.0,u,n) ==>
      1.0 + \tanh(u) == 2.0 * rdiv(\exp(u),\exp(u) + \exp(n));
    lemma tanh_by_sigmoid: \forall real u, n, v; is_sum(0.0,u,n) ==> is_sum(v,u,u) ==>
      1.0 + \tanh(u) == 2.0 * Sigmoid(v);
*/
#endif
