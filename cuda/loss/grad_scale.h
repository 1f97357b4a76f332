/* What the gradient of a mean over rows is multiplied with. */
#ifndef PM_LOSS_GRAD_SCALE_H
#define PM_LOSS_GRAD_SCALE_H
#include "../lang/kernel.h"

/* The mean's cotangent, 1 where there is no g, over the number of rows; each: 1 / rows. */
//@ logic real LossScale{L}(float *g, real each) = g == \null ? each : rmul(g[0],each);
/*@ requires g != \null ==> \valid_read(g) && R(g);
    assigns \nothing;
    ensures \result == LossScale(g,each); */
DEV float loss_scale(float each, const float *RESTRICT g) { return g ? LDG(g) * each : each; }
#endif
