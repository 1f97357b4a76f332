/* An element of a normalized row, and of its gradient, with what they lose (lost.h). */
#ifndef REF_HAT_H
#define REF_HAT_H
#include "lost.h"
#include "../spec/norm.h"

/*@ requires Lossless(m); assigns \nothing; ensures \result == Hat(x,m.v,r); */
static inline double hat(double x, twice m, double r)
{
  twice d = twice_less(twice_exactly(x), m);
  return r_mul(d.v, r);
}

/*@ assigns \nothing; ensures \result.v == Hat(x,m,r) && Lossless(\result); */
static inline twice hat_twice(double x, double m, double r)
{
  twice d = twice_less(twice_exactly(x), twice_exactly(m));
  return twice_product(d, twice_exactly(r));
}

/*@ requires Lossless(mean) && Lossless(h) && Lossless(mean_h);
    assigns \nothing;
    ensures \result == NormDx(G,mean.v,h.v,mean_h.v,r);
*/
static inline double norm_dx(double G, twice mean, twice h, twice mean_h, double r)
{
  twice d = twice_less(twice_less(twice_exactly(G), mean), twice_product(h, mean_h));
  return r_mul(r, d.v);
}
#endif
