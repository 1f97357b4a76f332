/* A term of a sum of exponentials about a maximum, and what cross entropy makes of the sum. */
#ifndef PM_LSE_EXP_TERM_H
#define PM_LSE_EXP_TERM_H
#include "../math/neg_inf.h"
#include "../math/elementary.h"
#include "../../spec/loss.h"

#ifdef __FRAMAC__
/*@ // exp(v - m), and nothing of -Inf
    logic real Term(real v, real m) = v > Lowest ? \exp(v - m) : 0.0; */
/*@ assigns \nothing; ensures v <= m ==> \result == Term(v,m); */
float loss_exp(float v, float m);
/*@ assigns \nothing; ensures v <= m ==> \result == Term(v,m); */
float loss_term(float v, float m);
#else
/* pm_expf_down(x) as a term of a sum that is at least 1, in an instruction less: where x < -87, any
 * number from 0 to 2^-125. */
DEV float exp_term(float x)
{
  float t, p, low;
  x = pm_at_least(x, -87.0f);
  p = pm_exp_parts(x, &t, &low);
  return p * __uint_as_float((__float_as_uint(t) << 23) + (127u << 23));
}

/* exp(v - m) where v <= m, and as a term of such a sum. */
DEV float loss_exp(float v, float m) { return pm_expf_down(v - m); }
DEV float loss_term(float v, float m) { return exp_term(v - m); }
#endif

/* A row's loss, of the sum of its exponentials, its element at the target and its maximum. */
/*@ assigns \nothing; ensures \result == \log(s) - (xt - m); */
DEV float loss_of(float s, float xt, float m) { return pm_logf(s) - (xt - m); }

/* Of e = exp(x - m), `by` being 1 / s; hit: the element is the target's. */
/*@ assigns \nothing;
    ensures \result == rmul(rmul(e,by) - (hit != 0 ? 1.0 : 0.0), scale); */
DEV float gradient_of(float e, float by, int hit, float scale)
{
  return (e * by - (hit ? 1.0f : 0.0f)) * scale;
}
#endif
