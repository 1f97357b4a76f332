/* The nodes of spec/pair.h, and the bounds of ref/ that are formulas of them, that theorems of
 * proofs/link are about (as carrier.c does for the ops). */
#include "ref/ref.h"
#include "ref/pair.h"
/*@ axiomatic Met {
      predicate met(real x) reads \nothing;
      predicate met_pair(pair p) reads \nothing;
    }
    lemma carrier{L}: \forall arith A, pair p, q, t, real a, b, c, d;
      met_pair(p_const(A,a)) && met_pair(p_neg(p)) && met_pair(p_add(A,p,q)) &&
      met_pair(p_sub(A,p,q)) && met_pair(p_mul(A,p,q)) && met_pair(p_mul3(A,p,q,t)) &&
      met_pair(p_quo(A,p,q,a)) && met_pair(p_exp(A,p)) && met_pair(p_tanh(A,p)) &&
      met_pair(p_sqrt(A,p)) && met_pair(p_log(A,p)) && met_pair(p_log1p(A,p)) &&
      met_pair(p_expm1(A,p)) && met_pair(p_erf(A,p)) && met_pair(p_sigmoid(A,p)) &&
      met_pair(p_softplus(A,p)) && met_pair(p_sin(A,p)) && met_pair(p_cos(A,p));
*/
