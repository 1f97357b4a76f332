/* What softmax, log_softmax and cross_entropy have in common, of one row. */
#include "lost.h"
#include "positive.h"
#include "softmax.h"

double row_max(idx n, const double *x)
{
  double m = x[0];
  /*@ loop invariant 1 <= i <= n;
      loop invariant m == RowMax{Pre}(x,i);
      loop assigns i, m;
      loop variant n - i;
  */
  for (idx i = 1; i < n; i++)
    if (x[i] > m)
      m = x[i];
  return m;
}

double log_sum_exp(idx n, const double *x, double m)
{
  double s = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == SumExp{Pre}(x,m,i) && is_zero(lost);
      loop assigns i, s, lost;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double e = r_exp(x[i] - m);
    lost += lost_sum(s, e);
    s += e;
  }
  double l = r_log(s), rest = r_mul(r_kept(lost), r_exp(-l));
  //@ assert none: is_zero(rest);
  return l + r_log1p(rest);
}

/*@ lemma exp_log: \forall real s; is_positive(s) ==> \exp(\log(s)) == s;
    lemma exp_less_log: \forall real a, d, s; is_positive(s) ==> is_sum(a,d,\log(s)) ==>
      rmul(\exp(d),s) == \exp(a);
    lemma quotient_of_exp: \forall real a, d, s; is_positive(s) ==> is_sum(a,d,\log(s)) ==>
      Expm1(d) == rdiv(\exp(a),s) - 1.0;
*/

double softmax_less_one(idx n, const double *x, idx t)
{
  double m = row_max(n, x), l = log_sum_exp(n, x, m), a = x[t] - m;
  //@ assert positive: is_positive(SumExp{Pre}(x,m,n));
  //@ assert parts: is_sum(a,a - l,\log(SumExp{Pre}(x,m,n)));
  return r_expm1(a - l);
}
