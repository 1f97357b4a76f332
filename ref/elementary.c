/* Sigmoid and softplus in forms that overflow for no argument. */
#include "lost.h"

/*@ // a predicate: WP's own simplifier drops the lemma 0.0 < \exp(x), and the provers need it
    predicate is_positive(real x) = 0.0 < x;
    lemma exp_positive: \forall real x; is_positive(\exp(x));
    lemma inverse_positive: \forall real x; 0.0 < x ==> 0.0 < 1.0 / x;
    lemma exp_split: \forall real x; 1.0 + \exp(x) == \exp(x) * (1.0 + \exp(-x));
    lemma log_product: \forall real a, b; 0.0 < a ==> 0.0 < b ==>
      \log(a * b) == \log(a) + \log(b);
    lemma log_shift: \forall real x, b; 0.0 < b ==> \log(\exp(x) * b) == x + \log(b);
*/

double r_sigmoid(double x)
{
  double e = r_exp(-x);
  //@ assert is_positive(\exp(x));
  //@ assert 0.0 < e;
  return r_div(1.0, 1.0 + e);
}

double r_softplus(double x)
{
  double e;
  if (x <= 0.0)
    return r_log1p(r_exp(x));
  e = r_exp(-x);
  //@ assert is_positive(\exp(x));
  //@ assert 0.0 < 1.0 + e;
  //@ assert \log(\exp(x) * (1.0 + e)) == x + \log(1.0 + e);
  //@ assert 1.0 + \exp(x) == \exp(x) * (1.0 + e);
  return x + r_log1p(e);
}

/* By how much 1 + exp(x) is not exp(y), y being the result, over exp(y). */
double r_softplus_lost(double x)
{
  double y = r_softplus(x), e = r_exp(x), back = r_exp(y);
  //@ assert is_positive(\exp(x));
  //@ assert back == 1.0 + e;
  double off = (e - (back - 1.0)) + (r_exp_lost(x) - r_exp_lost(y));
  //@ assert is_zero(off);
  return r_div(off, back);
}
