/* What rounding takes from a sum, a product or a quotient, so that it can be put back where terms
 * cancel. Over the reals it is nothing, and that is all that the contracts here say of it: what is
 * put back leaves the meaning of the reference as it is. */
#ifndef REF_LOST_H
#define REF_LOST_H
#include "ref.h"

/* What a + b loses, all of it (Knuth). */
/*@ assigns \nothing; ensures is_zero(\result); */
static inline double lost_sum(double a, double b)
{
  double s = a + b, part = s - a;
  return (a - (s - part)) + (b - part);
}

/* A number and what it has lost: together about twice the digits. */
typedef struct twice {
  double v, lost;
} twice;

/*@ predicate Lossless(twice a) = is_zero(a.lost); */

/* v + rest, rest being little beside v. That may be NaN, of infinities: then v stands as it is. */
/*@ requires is_zero(rest); assigns \nothing; ensures \result.v == v && Lossless(\result); */
static inline twice twice_of(double v, double rest)
{
  double little = r_kept(rest);
  twice a = {v + little, r_kept(lost_sum(v, little))};
  return a;
}

/*@ requires Lossless(a) && Lossless(b);
    assigns \nothing;
    ensures \result.v == a.v + b.v && Lossless(\result);
*/
static inline twice twice_sum(twice a, twice b)
{
  return twice_of(a.v + b.v, lost_sum(a.v, b.v) + (a.lost + b.lost));
}

/*@ requires Lossless(a) && Lossless(b);
    assigns \nothing;
    ensures \result.v == a.v - b.v && Lossless(\result);
*/
static inline twice twice_less(twice a, twice b)
{
  return twice_of(a.v - b.v, lost_sum(a.v, -b.v) + (a.lost - b.lost));
}

/*@ requires Lossless(a) && Lossless(b);
    assigns \nothing;
    ensures \result.v == rmul(a.v,b.v) && Lossless(\result);
*/
static inline twice twice_product(twice a, twice b)
{
  double p = r_mul(a.v, b.v);
  return twice_of(p, r_fma(a.v, b.v, -p) + (r_mul(a.v, b.lost) + r_mul(a.lost, b.v)));
}

/*@ requires Lossless(a) && Lossless(b) && b.v != 0.0;
    assigns \nothing;
    ensures \result.v == rdiv(a.v,b.v) && Lossless(\result);
*/
static inline twice twice_quotient(twice a, twice b)
{
  double q = r_div(a.v, b.v), rest = r_fma(-q, b.v, a.v) + (a.lost - r_mul(q, b.lost));
  //@ assert none: is_zero(rest);
  return twice_of(q, r_div(rest, b.v));
}

/*@ assigns \nothing; ensures \result.v == v && Lossless(\result); */
static inline twice twice_exactly(double v)
{
  twice a = {v, 0.0};
  return a;
}
#endif
