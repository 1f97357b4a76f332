/* Optimizer steps: p, its gradient, for Adam its two running means. */
#include "../../ref/optimizer.h"
#include "glue.h"

#define LR 0x1.0624dep-10 /* 0.001 as f32, as the defaults below are theirs */
#define BETA1 0x1.ccccccp-1
#define BETA2 0x1.ff7ceep-1
#define EPS 0x1.5798eep-27
#define BELOW_ONE 0x1.fffffep-1
#define LEAST 0x1p-149

/* The bias correction of step t, as pm_bias_correction gives it. */
static double correction(double beta, double t)
{
  return (double)(float)(-1 / expm1(t * log(beta)));
}

static double rate_of(dc_rng *r)
{
  static const double rate[] = {LR, LR, 0x1p-7, 0.125, 1, 0};
  return dc_rng_below(r, 3) ? rate[dc_rng_below(r, 6)] : (double)(float)fabs(dc_rng_uniform(r));
}

static double beta_of(dc_rng *r)
{
  static const double beta[] = {BETA1, BETA2, 0, 0.5, 0x1.fae148p-1, BELOW_ONE};
  return dc_rng_below(r, 4) ? beta[dc_rng_below(r, 6)] : (double)(float)fabs(dc_rng_uniform(r));
}

/* Steps: the first, early ones, those from which the corrections are 1. */
static double step_of(dc_rng *r)
{
  switch (dc_rng_below(r, 4)) {
  case 0:
    return 1;
  case 1:
    return (double)(2 + dc_rng_below(r, 20));
  case 2:
    return (double)(1 + dc_rng_below(r, 100000));
  default:
    return 1e9;
  }
}

/* attr: lr, beta1, beta2, eps; c: where c1 and c2 stand. */
static void adam_draw(dc_rng *r, dc_extent want, int64_t *size, double *attr, int c)
{
  static const double eps[] = {EPS, EPS, 0x1p-7, 1, 0x1p-40};
  double t = step_of(r);
  dc_draw_sizes(r, want, 1, size);
  attr[0] = rate_of(r);
  attr[1] = beta_of(r);
  attr[2] = beta_of(r);
  attr[3] = eps[dc_rng_below(r, 5)];
  attr[c] = correction(attr[1], t);
  attr[c + 1] = correction(attr[2], t);
}

static void adam_step_draw(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  adam_draw(r, want, size, attr, 4);
}

static void adamw_step_draw(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  adam_draw(r, want, size, attr, 5);
  attr[4] = dc_rng_below(r, 4) ? 0x1.47ae14p-7 : rate_of(r);
}

REFERENCE(sgd_step) { ref_sgd_step(N(0), REAL(0), X(0), X(1), y[0]); }
BOUND(sgd_step) { bound_sgd_step(N(0), REAL(0), X(0), X(1), A, e[0]); }
LAUNCH(sgd_step) { return b->sgd_step(ex, N(0), (float)REAL(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_sgd_step = {
    BOUNDED(sgd_step),      LINEAR,         EACH, .attr_default = {1}, .attr_least = {0},
    .attr_most = {FLT_MAX}, .replaces = {1}};

#define BEFORE_C REAL(0), REAL(1), REAL(2), REAL(3)
#define BEFORE_C_F (float)REAL(0), (float)REAL(1), (float)REAL(2), (float)REAL(3)
#define INPUTS X(0), X(1), X(2), X(3)
#define TENSORS IN(0), IN(1), IN(2), IN(3), OUT(4), OUT(5), OUT(6)
#define ADAM_GLUE                                                                           \
  EACH, .uses = DC_DIVIDES | DC_ROOTS, .domain = {DC_ANY, DC_ANY, DC_ANY, DC_NOT_NEGATIVE}, \
        .replaces = {1, 3, 4}

REFERENCE(adam_step) { ref_adam_step(N(0), BEFORE_C, REAL(4), REAL(5), INPUTS, y[0], y[1], y[2]); }
BOUND(adam_step) { bound_adam_step(N(0), BEFORE_C, REAL(4), REAL(5), INPUTS, A, e[0], e[1], e[2]); }
LAUNCH(adam_step)
{
  return b->adam_step(ex, N(0), BEFORE_C_F, (float)REAL(4), (float)REAL(5), TENSORS);
}
const dc_glue dc_glue_adam_step = {
    BOUNDED(adam_step),
    ADAM_GLUE,
    .draw = adam_step_draw,
    .attr_default = {LR, BETA1, BETA2, EPS, 1, 1},
    .attr_least = {0, 0, 0, LEAST, 1, 1},
    .attr_most = {FLT_MAX, BELOW_ONE, BELOW_ONE, FLT_MAX, FLT_MAX, FLT_MAX}};

REFERENCE(adamw_step)
{
  ref_adamw_step(N(0), BEFORE_C, REAL(4), REAL(5), REAL(6), INPUTS, y[0], y[1], y[2]);
}
BOUND(adamw_step)
{
  bound_adamw_step(N(0), BEFORE_C, REAL(4), REAL(5), REAL(6), INPUTS, A, e[0], e[1], e[2]);
}
LAUNCH(adamw_step)
{
  return b->adamw_step(ex, N(0), BEFORE_C_F, (float)REAL(4), (float)REAL(5), (float)REAL(6),
                       TENSORS);
}
const dc_glue dc_glue_adamw_step = {
    BOUNDED(adamw_step),
    ADAM_GLUE,
    .draw = adamw_step_draw,
    .attr_default = {LR, BETA1, BETA2, EPS, 0x1.47ae14p-7, 1, 1},
    .attr_least = {0, 0, 0, LEAST, 0, 1, 1},
    .attr_most = {FLT_MAX, BELOW_ONE, BELOW_ONE, FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX}};
