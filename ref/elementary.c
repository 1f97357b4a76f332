/* Sigmoid and softplus in forms that overflow for no argument. */
#include "halves.h"
#include "lost.h"
#include "positive.h"

/*@ lemma inverse_positive: \forall real x; 0.0 < x ==> 0.0 < 1.0 / x;
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

double r_sigmoid_lost(double x)
{
  double e = r_exp(-x), all = 1.0 + e;
  //@ assert is_positive(\exp(x));
  //@ assert 0.0 < e;
  twice below = {all, lost_sum(1.0, e) + r_exp_lost(-x)};
  twice y = twice_quotient(twice_exactly(1.0), below);
  //@ assert all: y.v == Sigmoid(x);
  return (y.v - r_sigmoid(x)) + y.lost;
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
