/* Elementwise arithmetic and its VJPs. */
#include "../../ref/elementwise.h"
#include "glue.h"

REFERENCE(add) { ref_add(N(0), X(0), X(1), y[0]); }
LAUNCH(add) { return b->add(ex, N(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_add = {EXACT(add), LINEAR, EACH};

REFERENCE(add_vjp) { ref_add_vjp(N(0), X(0), y[0], y[1]); }
LAUNCH(add_vjp) { return b->add_vjp(ex, c->accumulate, N(0), IN(0), OUT(1), OUT(2)); }
const dc_glue dc_glue_add_vjp = {EXACT(add_vjp), LINEAR, EACH};

#define AWAY 0.05 /* of kinks, for finite differences */
#define CLAMP_ATTRS .attr_default = {-1, 1}, .check = ordered, .kinks = lo_and_hi

static const char *ordered(const int64_t *size, const double *attr)
{
  (void)size;
  return attr[0] <= attr[1] ? NULL
                            : dc_why("lo = %g, hi = %g: lo must be at most hi", attr[0], attr[1]);
}

static int lo_and_hi(const double *attr, float list[DC_KINK_LIST])
{
  list[0] = (float)attr[0];
  list[1] = (float)attr[1];
  return 2;
}

/* Moves b off a. */
static void apart(const int64_t *size, const double *attr, double *const *x)
{
  (void)attr;
  for (int64_t i = 0; i < size[0]; i++)
    if (fabs(x[0][i] - x[1][i]) < AWAY)
      x[1][i] = x[0][i] + 2 * AWAY;
}

REFERENCE(sub) { ref_sub(N(0), X(0), X(1), y[0]); }
LAUNCH(sub) { return b->sub(ex, N(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_sub = {EXACT(sub), LINEAR, EACH};

REFERENCE(sub_vjp) { ref_sub_vjp(N(0), X(0), y[0], y[1]); }
LAUNCH(sub_vjp) { return b->sub_vjp(ex, c->accumulate, N(0), IN(0), OUT(1), OUT(2)); }
const dc_glue dc_glue_sub_vjp = {EXACT(sub_vjp), LINEAR, EACH};

REFERENCE(mul) { ref_mul(N(0), X(0), X(1), y[0]); }
LAUNCH(mul) { return b->mul(ex, N(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_mul = {EXACT(mul), EACH, .linear = 2};

REFERENCE(mul_vjp) { ref_mul_vjp(N(0), X(0), X(1), X(2), y[0], y[1]); }
LAUNCH(mul_vjp) { return b->mul_vjp(ex, c->accumulate, N(0), IN(0), IN(1), IN(2), OUT(3), OUT(4)); }
const dc_glue dc_glue_mul_vjp = {EXACT(mul_vjp), EACH};

REFERENCE(scale) { ref_scale(N(0), REAL(0), X(0), y[0]); }
LAUNCH(scale) { return b->scale(ex, N(0), (float)REAL(0), IN(0), OUT(1)); }
const dc_glue dc_glue_scale = {EXACT(scale), LINEAR, EACH, .attr_default = {1}};

REFERENCE(scale_vjp) { ref_scale_vjp(N(0), REAL(0), X(0), y[0]); }
LAUNCH(scale_vjp) { return b->scale_vjp(ex, c->accumulate, N(0), (float)REAL(0), IN(0), OUT(1)); }
const dc_glue dc_glue_scale_vjp = {EXACT(scale_vjp), LINEAR, EACH, .attr_default = {1}};

#define FAR 0.2 /* of a pole */

REFERENCE(div) { ref_div(N(0), X(0), X(1), y[0]); }
LAUNCH(div) { return b->div(ex, N(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_div = {EXACT(div), EACH, DIVIDES, .away = {0, FAR}};

REFERENCE(div_vjp) { ref_div_vjp(N(0), X(0), X(1), X(2), y[0], y[1]); }
BOUND(div_vjp) { bound_div_vjp(N(0), X(0), X(1), X(2), A, e[1]); }
LAUNCH(div_vjp) { return b->div_vjp(ex, c->accumulate, N(0), IN(0), IN(1), IN(2), OUT(3), OUT(4)); }
const dc_glue dc_glue_div_vjp = {BOUNDED(div_vjp), EACH, DIVIDES};

REFERENCE(axpy) { ref_axpy(N(0), REAL(0), X(0), X(1), y[0]); }
BOUND(axpy) { bound_axpy(N(0), REAL(0), X(0), X(1), A, e[0]); }
LAUNCH(axpy) { return b->axpy(ex, N(0), (float)REAL(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_axpy = {BOUNDED(axpy), LINEAR, EACH, .attr_default = {1}};

REFERENCE(axpy_vjp) { ref_axpy_vjp(N(0), REAL(0), X(0), y[0], y[1]); }
LAUNCH(axpy_vjp)
{
  return b->axpy_vjp(ex, c->accumulate, N(0), (float)REAL(0), IN(0), OUT(1), OUT(2));
}
const dc_glue dc_glue_axpy_vjp = {EXACT(axpy_vjp), LINEAR, EACH, .attr_default = {1}};

REFERENCE(sqrt) { ref_sqrt(N(0), X(0), y[0]); }
LAUNCH(sqrt) { return b->sqrt(ex, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_sqrt = {EXACT(sqrt), EACH, .uses = DC_ROOTS, .domain = {DC_POSITIVE},
                              .away = {FAR}};

REFERENCE(sqrt_vjp) { ref_sqrt_vjp(N(0), X(0), X(1), y[0]); }
LAUNCH(sqrt_vjp) { return b->sqrt_vjp(ex, c->accumulate, N(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_sqrt_vjp = {EXACT(sqrt_vjp), EACH, DIVIDES, .domain = {DC_POSITIVE}};

REFERENCE(rsqrt) { ref_rsqrt(N(0), X(0), y[0]); }
BOUND(rsqrt) { bound_rsqrt(N(0), X(0), A, e[0]); }
LAUNCH(rsqrt) { return b->rsqrt(ex, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_rsqrt = {BOUNDED(rsqrt), EACH, .domain = {DC_POSITIVE}, .away = {FAR}};

REFERENCE(rsqrt_vjp) { ref_rsqrt_vjp(N(0), X(0), X(1), y[0]); }
BOUND(rsqrt_vjp) { bound_rsqrt_vjp(N(0), X(0), X(1), A, e[0]); }
LAUNCH(rsqrt_vjp) { return b->rsqrt_vjp(ex, c->accumulate, N(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_rsqrt_vjp = {LOOSE(rsqrt_vjp), EACH, .domain = {DC_POSITIVE}};

REFERENCE(reciprocal) { ref_reciprocal(N(0), X(0), y[0]); }
LAUNCH(reciprocal) { return b->reciprocal(ex, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_reciprocal = {EXACT(reciprocal), EACH, DIVIDES, .away = {FAR}};

REFERENCE(reciprocal_vjp) { ref_reciprocal_vjp(N(0), X(0), X(1), y[0]); }
BOUND(reciprocal_vjp) { bound_reciprocal_vjp(N(0), X(0), X(1), A, e[0]); }
LAUNCH(reciprocal_vjp) { return b->reciprocal_vjp(ex, c->accumulate, N(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_reciprocal_vjp = {LOOSE(reciprocal_vjp), EACH};

REFERENCE(neg) { ref_neg(N(0), X(0), y[0]); }
LAUNCH(neg) { return b->neg(ex, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_neg = {EXACT(neg), LINEAR, EACH};

REFERENCE(neg_vjp) { ref_neg_vjp(N(0), X(0), y[0]); }
LAUNCH(neg_vjp) { return b->neg_vjp(ex, c->accumulate, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_neg_vjp = {EXACT(neg_vjp), LINEAR, EACH};

REFERENCE(abs) { ref_abs(N(0), X(0), y[0]); }
LAUNCH(abs) { return b->abs(ex, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_abs = {EXACT(abs), EACH, .away = {AWAY}};

REFERENCE(abs_vjp) { ref_abs_vjp(N(0), X(0), X(1), y[0]); }
LAUNCH(abs_vjp) { return b->abs_vjp(ex, c->accumulate, N(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_abs_vjp = {EXACT(abs_vjp), EACH};

REFERENCE(clamp) { ref_clamp(N(0), REAL(0), REAL(1), X(0), y[0]); }
LAUNCH(clamp) { return b->clamp(ex, N(0), (float)REAL(0), (float)REAL(1), IN(0), OUT(1)); }
const dc_glue dc_glue_clamp = {EXACT(clamp), EACH, CLAMP_ATTRS, .away = {AWAY}};

REFERENCE(clamp_vjp) { ref_clamp_vjp(N(0), REAL(0), REAL(1), X(0), X(1), y[0]); }
LAUNCH(clamp_vjp)
{
  return b->clamp_vjp(ex, c->accumulate, N(0), (float)REAL(0), (float)REAL(1), IN(0), IN(1),
                      OUT(2));
}
const dc_glue dc_glue_clamp_vjp = {EXACT(clamp_vjp), EACH, CLAMP_ATTRS};

REFERENCE(maximum) { ref_maximum(N(0), X(0), X(1), y[0]); }
LAUNCH(maximum) { return b->maximum(ex, N(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_maximum = {EXACT(maximum), EACH, .smooth = apart};

REFERENCE(maximum_vjp) { ref_maximum_vjp(N(0), X(0), X(1), X(2), y[0], y[1]); }
LAUNCH(maximum_vjp)
{
  return b->maximum_vjp(ex, c->accumulate, N(0), IN(0), IN(1), IN(2), OUT(3), OUT(4));
}
const dc_glue dc_glue_maximum_vjp = {EXACT(maximum_vjp), EACH};

REFERENCE(minimum) { ref_minimum(N(0), X(0), X(1), y[0]); }
LAUNCH(minimum) { return b->minimum(ex, N(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_minimum = {EXACT(minimum), EACH, .smooth = apart};

REFERENCE(minimum_vjp) { ref_minimum_vjp(N(0), X(0), X(1), X(2), y[0], y[1]); }
LAUNCH(minimum_vjp)
{
  return b->minimum_vjp(ex, c->accumulate, N(0), IN(0), IN(1), IN(2), OUT(3), OUT(4));
}
const dc_glue dc_glue_minimum_vjp = {EXACT(minimum_vjp), EACH};

REFERENCE(relu) { ref_relu(N(0), X(0), y[0]); }
LAUNCH(relu) { return b->relu(ex, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_relu = {EXACT(relu), EACH, .away = {AWAY}};

REFERENCE(relu_vjp) { ref_relu_vjp(N(0), X(0), X(1), y[0]); }
LAUNCH(relu_vjp) { return b->relu_vjp(ex, c->accumulate, N(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_relu_vjp = {EXACT(relu_vjp), EACH};
