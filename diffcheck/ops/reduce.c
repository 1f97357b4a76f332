/* sum and mean, of all elements and over an axis, max_axis, and their VJPs. */
#include "../../ref/reduce.h"
#include "glue.h"

/* ---- of all elements ---- */

TERMS(all) { return size[0]; }

REFERENCE(sum) { ref_sum(N(0), X(0), y[0]); }
BOUND(sum) { bound_sum(N(0), X(0), A, e[0]); }
LAUNCH(sum) { return b->sum(ex, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_sum = {BOUNDED(sum), LINEAR, .terms = all_terms,
                             .reduced = {{0, 0}, {0, -1}}};

REFERENCE(sum_vjp) { ref_sum_vjp(N(0), X(0), y[0]); }
LAUNCH(sum_vjp) { return b->sum_vjp(ex, c->accumulate, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_sum_vjp = {EXACT(sum_vjp), LINEAR, EACH};

REFERENCE(mean) { ref_mean(N(0), X(0), y[0]); }
BOUND(mean) { bound_mean(N(0), X(0), A, e[0]); }
LAUNCH(mean) { return b->mean(ex, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_mean = {BOUNDED(mean), DIVIDES, .terms = all_terms,
                              .reduced = {{0, 0}, {0, -1}}};

/* The first dim is a divisor: no slice of it is a problem of its own. */
REFERENCE(mean_vjp) { ref_mean_vjp(N(0), X(0), y[0]); }
LAUNCH(mean_vjp) { return b->mean_vjp(ex, c->accumulate, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_mean_vjp = {EXACT(mean_vjp), DIVIDES, NO_SUM};

/* ---- over an axis: outer n inner ---- */

TERMS(axis) { return size[1]; }

/* Often with no outer or no inner axis: rows and columns have kernels of their own. */
static void axis_draw(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  int64_t which = dc_rng_below(r, 4);
  (void)attr;
  if (want.kind == DC_WIDTH || want.kind == DC_ODD) /* a row, or a row of columns */
    want.at = want.kind == DC_ODD && want.which % 2 ? 2 : 1;
  dc_draw_sizes(r, want, 3, size);
  if (want.kind != DC_USUAL && want.kind != DC_LARGE) {
    if (want.at == 1) {
      size[0] *= size[2];
      size[2] = 1;
    }
    return;
  }
  if (which < 2) {
    int side = which ? 0 : 2;
    size[1] *= size[side];
    size[side] = 1;
  }
  if (!which && dc_rng_below(r, 6) == 0) { /* and rows that a block has to itself */
    size[0] = 1 + dc_rng_below(r, 4);
    size[1] = 1024 + 4 * dc_rng_below(r, 769);
  }
  if (which == 1 && dc_rng_below(r, 2)) { /* columns that teams share: many, or long ones */
    int many = (int)dc_rng_below(r, 2);
    size[0] = 1 + many * dc_rng_below(r, 2);
    size[1] = many ? 33 + dc_rng_below(r, 64) : 257 + dc_rng_below(r, 1280);
    size[2] = many ? 132 + 4 * dc_rng_below(r, 64) : 32 + 4 * dc_rng_below(r, 5);
  }
}

#define ALONG .cut = 1, .draw = axis_draw
#define AXIS_SUM ALONG, .view = dc_view_reduce, .terms = axis_terms, .reduced = {{0, 1}, {0, -1}}
#define AXIS_SPREAD ALONG, NO_SUM, .view = dc_view_spread

REFERENCE(sum_axis) { ref_sum_axis(N(0), N(1), N(2), X(0), y[0]); }
BOUND(sum_axis) { bound_sum_axis(N(0), N(1), N(2), X(0), A, e[0]); }
LAUNCH(sum_axis) { return b->sum_axis(ex, N(0), N(1), N(2), IN(0), OUT(1)); }
const dc_glue dc_glue_sum_axis = {BOUNDED(sum_axis), LINEAR, AXIS_SUM};

REFERENCE(sum_axis_vjp) { ref_sum_axis_vjp(N(0), N(1), N(2), X(0), y[0]); }
LAUNCH(sum_axis_vjp) { return b->sum_axis_vjp(ex, c->accumulate, N(0), N(1), N(2), IN(0), OUT(1)); }
const dc_glue dc_glue_sum_axis_vjp = {EXACT(sum_axis_vjp), LINEAR, AXIS_SPREAD};

REFERENCE(mean_axis) { ref_mean_axis(N(0), N(1), N(2), X(0), y[0]); }
BOUND(mean_axis) { bound_mean_axis(N(0), N(1), N(2), X(0), A, e[0]); }
LAUNCH(mean_axis) { return b->mean_axis(ex, N(0), N(1), N(2), IN(0), OUT(1)); }
const dc_glue dc_glue_mean_axis = {BOUNDED(mean_axis), DIVIDES, AXIS_SUM};

REFERENCE(mean_axis_vjp) { ref_mean_axis_vjp(N(0), N(1), N(2), X(0), y[0]); }
LAUNCH(mean_axis_vjp)
{
  return b->mean_axis_vjp(ex, c->accumulate, N(0), N(1), N(2), IN(0), OUT(1));
}
const dc_glue dc_glue_mean_axis_vjp = {EXACT(mean_axis_vjp), DIVIDES, AXIS_SPREAD};

/* ---- max_axis ---- */

static const char *some(const int64_t *size, const double *attr)
{
  (void)attr;
  return size[1] == 0 && size[0] > 0 && size[2] > 0
             ? dc_why("n must be at least 1: nothing has no largest element")
             : NULL;
}

/* Lifts the largest element of each line off the others. */
static void lone_largest(const int64_t *size, const double *attr, double *const *x)
{
  int64_t n = size[1], inner = size[2];
  (void)attr;
  for (int64_t o = 0; o < size[0]; o++)
    for (int64_t i = 0; i < inner; i++) {
      double *line = x[0] + o * n * inner + i;
      int64_t top = 0;
      for (int64_t j = 1; j < n; j++)
        top = line[j * inner] > line[top * inner] ? j : top;
      if (n > 0)
        line[top * inner] += 0.0625;
    }
}

/* Often nothing is above zero: zeros behind the end of a line would be its largest. */
static void below_zero(const int64_t *size, float *const *f)
{
  int64_t n = size[0] * size[1] * size[2];
  if (n > 0 && f[0][0] < 0)
    for (int64_t k = 0; k < n; k++)
      f[0][k] = -fabsf(f[0][k]);
}

/* The VJP is stated over y = max_axis(x). */
static void largest(const int64_t *size, float *const *f)
{
  int64_t n = size[1], inner = size[2];
  for (int64_t o = 0; o < size[0]; o++)
    for (int64_t i = 0; i < inner && n > 0; i++) {
      const float *line = f[0] + o * n * inner + i;
      float m = line[0];
      for (int64_t j = 1; j < n; j++) {
        float v = line[j * inner];
        m = m == v && v == 0 ? m + v : v > m || isnan(v) ? v : m;
      }
      f[1][o * inner + i] = m;
    }
}

REFERENCE(max_axis) { ref_max_axis(N(0), N(1), N(2), X(0), y[0]); }
LAUNCH(max_axis) { return b->max_axis(ex, N(0), N(1), N(2), IN(0), OUT(1)); }
const dc_glue dc_glue_max_axis = {EXACT(max_axis),        ALONG,         NO_SUM,
                                  .view = dc_view_reduce, .check = some, .smooth = lone_largest,
                                  .adjust = below_zero};

REFERENCE(max_axis_vjp) { ref_max_axis_vjp(N(0), N(1), N(2), X(0), X(1), X(2), y[0]); }
LAUNCH(max_axis_vjp)
{
  return b->max_axis_vjp(ex, c->accumulate, N(0), N(1), N(2), IN(0), IN(1), IN(2), OUT(3));
}
const dc_glue dc_glue_max_axis_vjp = {
    EXACT(max_axis_vjp), DIVIDES,          ALONG, NO_SUM, .view = dc_view_max_vjp,
    .check = some,       .adjust = largest};
