/* batch_norm and its VJP. */
#include "../../ref/batch_norm.h"
#include "../engine/joined.h"
#include "glue.h"

static const char *batch_check(const int64_t *size, const double *attr)
{
  (void)attr;
  return size[0] == 0   ? dc_why("n = 0: must be >= 1")
         : size[2] == 0 ? dc_why("size = 0: must be >= 1")
                        : NULL;
}

/* A matrix whose rows are those of all channels. */
static void batch_draw(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  int64_t n = dc_rng_below(r, 2) ? 1 : dc_draw_small(r);
  (void)attr;
  if (want.at == 0 || (want.sim && (want.kind == DC_FAR || want.kind == DC_MANY)))
    want.at = 2; /* what n stands for as well: a channel is all of its n times size elements */
  want.at -= want.at >= 0;
  dc_draw_sizes(r, want, 2, size + 1);
  if (want.kind == DC_MANY && want.which % 2) {
    size[0] = size[2];
    size[2] = 1;
    return;
  }
  size[0] = n;
  size[1] = (size[1] + n - 1) / n;
  if (want.kind == DC_USUAL &&
      dc_rng_below(r, 16) == 0) { /* a block goes over each channel in steps */
    size[0] = 2 + dc_rng_below(r, 8);
    size[1] = 1 + dc_rng_below(r, 3);
    size[2] = 500 + dc_rng_below(r, 600);
  }
}

#define POLICY_CENTERED                                                                   \
  "NaN and infinities of x come out as NaN throughout their channel; an infinity of "     \
  "gamma may come out as NaN or as either infinity, since what it is multiplied with "    \
  "may round to 0; the sign of zero is free; an element that can leave the f32 range on " \
  "the way is vacuous."

REFERENCE(batch_norm)
{
  ref_batch_norm(N(0), N(1), N(2), REAL(0), X(0), X(1), X(2), y[0], y[1], y[2]);
}
BOUND(batch_norm)
{
  bound_batch_norm(N(0), N(1), N(2), REAL(0), X(0), X(1), X(2), A, e[0], e[1], e[2]);
}
LAUNCH(batch_norm)
{
  return b->batch_norm(ex, N(0), N(1), N(2), (float)REAL(0), IN(0), IN(1), IN(2), OUT(3), OUT(4),
                       OUT(5));
}
static void batch_norm_joined(const dc_call *c, arith A, double divide, double *const *e)
{
  joined_bound(c, N(1), N(0), N(2), 0, A, divide, e);
}
TERMS(batch_norm) { return size[0] * size[2]; }
const dc_glue dc_glue_batch_norm = {FUNCTIONS(batch_norm),
                                    DIVIDES,
                                    .joined = batch_norm_joined,
                                    .bound = batch_norm_bound,
                                    .policy = POLICY_CENTERED,
                                    .loose = 1,
                                    NO_SUM,
                                    .terms = batch_norm_terms,
                                    .check = batch_check,
                                    .draw = batch_draw,
                                    .attr_default = {0x1.4f8b58p-17}, /* 1e-5 in f32 */
                                    .attr_least = {0x1p-149},
                                    .attr_most = {FLT_MAX}};

/* The VJP is stated over mean and rstd of x: they are set to those that the forward op would give
 * with this eps. */
#define ADJUST_EPS 0x1p-10

static void batch_stats(const int64_t *size, float *const *f)
{
  int64_t count = size[0] * size[2], n = size[1] * size[2];
  for (int64_t c = 0; c < size[1]; c++) {
    double m = 0, v = 0;
    for (int64_t k = 0; k < count; k++)
      m += f[0][k / size[2] * n + c * size[2] + k % size[2]];
    m /= (double)count;
    for (int64_t k = 0; k < count; k++) {
      double d = f[0][k / size[2] * n + c * size[2] + k % size[2]] - m;
      v += d * d;
    }
    f[2][c] = (float)m;
    f[3][c] = (float)(1 / sqrt(v / (double)count + ADJUST_EPS));
  }
}

REFERENCE(batch_norm_vjp)
{
  ref_batch_norm_vjp(N(0), N(1), N(2), X(0), X(1), X(2), X(3), X(4), y[0], y[1], y[2]);
}
BOUND(batch_norm_vjp)
{
  bound_batch_norm_vjp(N(0), N(1), N(2), X(0), X(1), X(2), X(3), X(4), A, e[0], e[1], e[2]);
}
LAUNCH(batch_norm_vjp)
{
  return b->batch_norm_vjp(ex, c->accumulate, N(0), N(1), N(2), IN(0), IN(1), IN(2), IN(3), IN(4),
                           OUT(5), OUT(6), OUT(7));
}
const dc_glue dc_glue_batch_norm_vjp = {BOUNDED(batch_norm_vjp),
                                        DIVIDES,
                                        .reduced = {{0, -1}, {0, -1}, {4, 0}},
                                        .terms = batch_norm_terms,
                                        .check = batch_check,
                                        .draw = batch_draw,
                                        .adjust = batch_stats};
