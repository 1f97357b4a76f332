/* layer_norm, rms_norm and their VJPs. */
#include "../../ref/norm.h"
#include "../engine/joined.h"
#include "glue.h"

/* An average over nothing is refused. */
static const char *norm_check(const int64_t *size, const double *attr)
{
  (void)attr;
  return size[1] == 0 ? dc_why("cols = 0: must be >= 1") : NULL;
}

#define EPS_RANGE .attr_least = {0x1p-149}, .attr_most = {FLT_MAX}
#define POLICY_CENTERED                                                                      \
  "NaN and infinities of x come out as NaN throughout their row; an infinity of gamma may "  \
  "come out as NaN or as either infinity, since what it is multiplied with may round to 0; " \
  "the sign of zero is free; an element that can leave the f32 range on the way is vacuous."

REFERENCE(layer_norm) { ref_layer_norm(N(0), N(1), REAL(0), X(0), X(1), X(2), y[0], y[1], y[2]); }
BOUND(layer_norm) { bound_layer_norm(N(0), N(1), REAL(0), X(0), X(1), X(2), A, e[0], e[1], e[2]); }
LAUNCH(layer_norm)
{
  return b->layer_norm(ex, N(0), N(1), (float)REAL(0), IN(0), IN(1), IN(2), OUT(3), OUT(4), OUT(5));
}
static void layer_norm_joined(const dc_call *c, arith A, double divide, double *const *e)
{
  joined_bound(c, N(0), 1, N(1), 1, A, divide, e);
}
TERMS(layer_norm) { return size[1]; }
const dc_glue dc_glue_layer_norm = {FUNCTIONS(layer_norm),
                                    DIVIDES,
                                    .joined = layer_norm_joined,
                                    .bound = layer_norm_bound,
                                    .draw = dc_draw_rows,
                                    .policy = POLICY_CENTERED,
                                    .loose = 1,
                                    .cut = 1,
                                    .reduced = {{0, -1}, {0, 1}, {0, -1}},
                                    .terms = layer_norm_terms,
                                    .check = norm_check,
                                    .attr_default = {0x1.4f8b58p-17}, /* 1e-5 in f32 */
                                    EPS_RANGE};

/* The VJPs are stated over mean and rstd of x: they are set to those that the forward op would give
 * with this eps. */
#define ADJUST_EPS 0x1p-10

static void row_stats(const float *x, int64_t n, int centered, double *mean, double *rstd)
{
  double m = 0, v = 0;
  for (int64_t k = 0; centered && k < n; k++)
    m += x[k];
  m /= (double)n;
  for (int64_t k = 0; k < n; k++)
    v += (x[k] - m) * (x[k] - m);
  *mean = m;
  *rstd = 1 / sqrt(v / (double)n + ADJUST_EPS);
}

static void layer_norm_stats(const int64_t *size, float *const *f)
{
  for (int64_t r = 0; r < size[0]; r++) {
    double mean, rstd;
    row_stats(f[0] + r * size[1], size[1], 1, &mean, &rstd);
    f[2][r] = (float)mean;
    f[3][r] = (float)rstd;
  }
}

static void rms_norm_stats(const int64_t *size, float *const *f)
{
  for (int64_t r = 0; r < size[0]; r++) {
    double mean, rstd;
    row_stats(f[0] + r * size[1], size[1], 0, &mean, &rstd);
    f[2][r] = (float)rstd;
  }
}

REFERENCE(layer_norm_vjp)
{
  ref_layer_norm_vjp(N(0), N(1), X(0), X(1), X(2), X(3), X(4), y[0], y[1], y[2]);
}
BOUND(layer_norm_vjp)
{
  bound_layer_norm_vjp(N(0), N(1), X(0), X(1), X(2), X(3), X(4), A, e[0], e[1], e[2]);
}
LAUNCH(layer_norm_vjp)
{
  return b->layer_norm_vjp(ex, c->accumulate, N(0), N(1), IN(0), IN(1), IN(2), IN(3), IN(4), OUT(5),
                           OUT(6), OUT(7));
}
/* Of rows that are split at times more than a thread has on their way (cuda/norm/vjp_split_plan.h). */
static void draw_vjp(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  dc_draw_rows(r, want, size, attr);
  if (want.kind == DC_USUAL && size[1] > 16384 && dc_rng_below(r, 4) == 0)
    size[0] = 4 + dc_rng_below(r, 8);
}
TERMS(layer_norm_vjp) { return output == 0 ? size[1] : size[0]; }
const dc_glue dc_glue_layer_norm_vjp = {BOUNDED(layer_norm_vjp),
                                        DIVIDES,
                                        .reduced = {{0, -1}, {4, 0}, {4, 0}},
                                        .terms = layer_norm_vjp_terms,
                                        .check = norm_check,
                                        .adjust = layer_norm_stats,
                                        .draw = draw_vjp};

#define AFFINE .attr = {DC_ATTR_FLAG}
REFERENCE(rms_norm) { ref_rms_norm(N(0), N(1), FLAG(0), REAL(1), X(0), X(1), y[0], y[1]); }
BOUND(rms_norm) { bound_rms_norm(N(0), N(1), FLAG(0), REAL(1), X(0), X(1), A, e[0], e[1]); }
LAUNCH(rms_norm)
{
  return b->rms_norm(ex, N(0), N(1), FLAG(0), (float)REAL(1), IN(0), IN(1), OUT(2), OUT(3));
}
const dc_glue dc_glue_rms_norm = {BOUNDED(rms_norm),
                                  DIVIDES,
                                  .draw = dc_draw_rows,
                                  EACH,
                                  .terms = layer_norm_terms,
                                  .check = norm_check,
                                  AFFINE,
                                  .attr_default = {1, 0x1.4f8b58p-17},
                                  .attr_least = {0, 0x1p-149},
                                  .attr_most = {1, FLT_MAX}};

REFERENCE(rms_norm_vjp)
{
  ref_rms_norm_vjp(N(0), N(1), FLAG(0), X(0), X(1), X(2), X(3), y[0], y[1]);
}
BOUND(rms_norm_vjp)
{
  bound_rms_norm_vjp(N(0), N(1), FLAG(0), X(0), X(1), X(2), X(3), A, e[0], e[1]);
}
LAUNCH(rms_norm_vjp)
{
  return b->rms_norm_vjp(ex, c->accumulate, N(0), N(1), FLAG(0), IN(0), IN(1), IN(2), IN(3), OUT(4),
                         OUT(5));
}
const dc_glue dc_glue_rms_norm_vjp = {BOUNDED(rms_norm_vjp),
                                      DIVIDES,
                                      .reduced = {{0, -1}, {3, 0}, {0, -1}},
                                      .terms = layer_norm_vjp_terms,
                                      .check = norm_check,
                                      .adjust = rms_norm_stats,
                                      .draw = draw_vjp,
                                      AFFINE,
                                      .attr_default = {1}};
