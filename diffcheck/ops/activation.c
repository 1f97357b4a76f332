/* exp, log, sigmoid, tanh, softplus, silu, gelu, safe_log and their VJPs. */
#include "../../ref/activation.h"
#include "glue.h"

/* The layers of a forward op over a, and of a VJP over x (the input or the output) and g. */
#define FORWARD(op)                              \
  REFERENCE(op) { ref_##op(N(0), X(0), y[0]); }  \
  BOUND(op) { bound_##op(N(0), X(0), A, e[0]); } \
  LAUNCH(op) { return b->op(ex, N(0), IN(0), OUT(1)); }
#define GRADIENT(op)                                  \
  REFERENCE(op) { ref_##op(N(0), X(0), X(1), y[0]); } \
  LAUNCH(op) { return b->op(ex, c->accumulate, N(0), IN(0), IN(1), OUT(2)); }
#define GRADIENT_BOUND(op) \
  BOUND(op) { bound_##op(N(0), X(0), X(1), A, e[0]); }

/* One eps in four is smaller than the softplus of an argument well within e^x's range. */
static void draw_eps(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  dc_draw_sizes(r, want, 1, size);
  if (dc_rng_below(r, 4) == 0)
    attr[0] = (float)exp2(fmax(-149, -75 - 75 * fabs(dc_rng_uniform(r))));
}

#define EPS \
  .draw = draw_eps, .attr_default = {0x1p-20}, .attr_least = {0x1p-149}, .attr_most = {FLT_MAX}

/* Not kinks, but where something in f32 begins or ends: exp overflows, is subnormal, is 0; sigmoid
 * is 1, and softplus its argument. */
static int ends_of_exp(const double *attr, float list[DC_KINK_LIST])
{
  (void)attr;
  list[0] = 88.7228394f;
  list[1] = -87.3365479f;
  list[2] = -103.972084f;
  list[3] = 17.3286800f;
  return 4;
}

/* tanh is 1; the argument of gelu's tanh is. */
static int ends_of_tanh(const double *attr, float list[DC_KINK_LIST])
{
  (void)attr;
  list[0] = 9.01091385f;
  list[1] = -9.01091385f;
  list[2] = 5.12f;
  list[3] = -5.12f;
  return 4;
}

FORWARD(exp)
FORWARD(log)
FORWARD(sigmoid)
FORWARD(tanh)
FORWARD(softplus)
FORWARD(silu)
FORWARD(gelu)
GRADIENT(exp_vjp)
GRADIENT(log_vjp)
GRADIENT(sigmoid_vjp)
GRADIENT_BOUND(sigmoid_vjp)
GRADIENT(tanh_vjp)
GRADIENT_BOUND(tanh_vjp)
GRADIENT(softplus_vjp)
GRADIENT_BOUND(softplus_vjp)
GRADIENT(silu_vjp)
GRADIENT_BOUND(silu_vjp)
GRADIENT(gelu_vjp)
GRADIENT_BOUND(gelu_vjp)

const dc_glue dc_glue_exp = {BOUNDED(exp), EACH, .uses = DC_EXPS, .kinks = ends_of_exp};
const dc_glue dc_glue_exp_vjp = {EXACT(exp_vjp), EACH, .domain = {DC_POSITIVE}, .linear = 2};
const dc_glue dc_glue_log = {BOUNDED(log), EACH, .uses = DC_LOGS, .domain = {DC_POSITIVE},
                             .away = {0.5}};
const dc_glue dc_glue_log_vjp = {EXACT(log_vjp), EACH, DIVIDES, .domain = {DC_POSITIVE}};
const dc_glue dc_glue_sigmoid = {BOUNDED(sigmoid), EACH, .kinks = ends_of_exp};
const dc_glue dc_glue_sigmoid_vjp = {BOUNDED(sigmoid_vjp), EACH, .domain = {DC_PROBABILITY}};
const dc_glue dc_glue_tanh = {BOUNDED(tanh), EACH, .kinks = ends_of_tanh};
const dc_glue dc_glue_tanh_vjp = {BOUNDED(tanh_vjp), EACH, .domain = {DC_UNIT}};
const dc_glue dc_glue_softplus = {BOUNDED(softplus), EACH, .kinks = ends_of_exp};
const dc_glue dc_glue_softplus_vjp = {LOOSE(softplus_vjp), EACH, .kinks = ends_of_exp};
const dc_glue dc_glue_silu = {BOUNDED(silu), EACH, .kinks = ends_of_exp};
const dc_glue dc_glue_silu_vjp = {LOOSE(silu_vjp), EACH, .kinks = ends_of_exp};
const dc_glue dc_glue_gelu = {BOUNDED(gelu), EACH, .kinks = ends_of_tanh};
const dc_glue dc_glue_gelu_vjp = {LOOSE(gelu_vjp), EACH, .kinks = ends_of_tanh};

REFERENCE(safe_log) { ref_safe_log(N(0), REAL(0), X(0), y[0]); }
BOUND(safe_log) { bound_safe_log(N(0), REAL(0), X(0), A, e[0]); }
LAUNCH(safe_log) { return b->safe_log(ex, N(0), (float)REAL(0), IN(0), OUT(1)); }
const dc_glue dc_glue_safe_log = {BOUNDED(safe_log), EACH, .uses = DC_LOGS, .kinks = ends_of_exp,
                                  EPS};

REFERENCE(safe_log_vjp) { ref_safe_log_vjp(N(0), REAL(0), X(0), X(1), y[0]); }
BOUND(safe_log_vjp) { bound_safe_log_vjp(N(0), REAL(0), X(0), X(1), A, e[0]); }
LAUNCH(safe_log_vjp)
{
  return b->safe_log_vjp(ex, c->accumulate, N(0), (float)REAL(0), IN(0), IN(1), OUT(2));
}
const dc_glue dc_glue_safe_log_vjp = {LOOSE(safe_log_vjp), EACH, DIVIDES, .kinks = ends_of_exp,
                                      EPS};
