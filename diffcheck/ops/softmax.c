/* softmax, log_softmax, masked_softmax, and their VJPs. */
#include "../../ref/softmax.h"
#include "glue.h"

TERMS(softmax) { return size[1]; }

/* The bounds are stated over finite inputs. An input of -Inf has the part 0 in its row's sum, as
 * one has that lies far below all others; rows with +Inf or NaN are NaN and need no bound. Returns
 * x, or a copy without -Inf in *own, to be freed. */
static const double *without_inf(int64_t n, const double *x, double **own)
{
  int64_t infinite = 0;
  double low = 0;
  *own = NULL;
  for (int64_t i = 0; i < n; i++) {
    infinite += x[i] == -INFINITY;
    low = isfinite(x[i]) && x[i] < low ? x[i] : low;
  }
  if (infinite)
    *own = malloc((size_t)n * sizeof **own);
  for (int64_t i = 0; *own && i < n; i++)
    (*own)[i] = x[i] == -INFINITY ? 2 * low - 2000 : x[i];
  return *own ? *own : x;
}

/* The VJPs are stated over the output y: the drawn tensor is taken for x, row by row, and of
 * masked_softmax what lies below -1/2 for blocked. */
typedef enum { SOFTMAX, LOG_SOFTMAX, MASKED_SOFTMAX } rule;
static void rows_of(rule of, const int64_t *size, float *row)
{
  for (int64_t r = 0; r < size[0]; r++, row += size[1]) {
    float max = -INFINITY;
    double sum = 0;
    for (int64_t k = 0; k < size[1]; k++) {
      if (of == MASKED_SOFTMAX && row[k] < -0.5f)
        row[k] = -INFINITY;
      max = row[k] > max ? row[k] : max;
    }
    for (int64_t k = 0; k < size[1]; k++)
      sum += exp((double)row[k] - max);
    for (int64_t k = 0; k < size[1]; k++) {
      double d = (double)row[k] - max;
      int blocked = of == MASKED_SOFTMAX && row[k] == -INFINITY;
      row[k] = blocked ? 0 : (float)(of == LOG_SOFTMAX ? d - log(sum) : exp(d) / sum);
    }
  }
}
static void softmax_rows(const int64_t *size, float *const *f) { rows_of(SOFTMAX, size, f[0]); }
static void log_rows(const int64_t *size, float *const *f) { rows_of(LOG_SOFTMAX, size, f[0]); }
static void masked_rows(const int64_t *size, float *const *f)
{
  rows_of(MASKED_SOFTMAX, size, f[0]);
}

REFERENCE(softmax) { ref_softmax(N(0), N(1), X(0), y[0]); }
BOUND(softmax)
{
  double *own;
  bound_softmax(N(0), N(1), without_inf(N(0) * N(1), X(0), &own), A, e[0]);
  free(own);
}
LAUNCH(softmax) { return b->softmax(ex, N(0), N(1), IN(0), OUT(1)); }
const dc_glue dc_glue_softmax = {FUNCTIONS(softmax),
                                 .uses = DC_DIVIDES | DC_SHIFTS,
                                 .bound = softmax_bound,
                                 EACH,
                                 .row_sum = 1,
                                 .draw = dc_draw_rows,
                                 .policy = POLICY_BOUND " A row with all -Inf is NaN.",
                                 .terms = softmax_terms};

REFERENCE(softmax_vjp) { ref_softmax_vjp(N(0), N(1), X(0), X(1), y[0]); }
BOUND(softmax_vjp) { bound_softmax_vjp(N(0), N(1), X(0), X(1), A, e[0]); }
LAUNCH(softmax_vjp) { return b->softmax_vjp(ex, c->accumulate, N(0), N(1), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_softmax_vjp = {BOUNDED(softmax_vjp), EACH, .terms = softmax_terms,
                                     .adjust = softmax_rows, .draw = dc_draw_rows};

REFERENCE(log_softmax) { ref_log_softmax(N(0), N(1), X(0), y[0]); }
BOUND(log_softmax)
{
  double *own;
  bound_log_softmax(N(0), N(1), without_inf(N(0) * N(1), X(0), &own), A, e[0]);
  free(own);
}
LAUNCH(log_softmax) { return b->log_softmax(ex, N(0), N(1), IN(0), OUT(1)); }
const dc_glue dc_glue_log_softmax = {FUNCTIONS(log_softmax),
                                     .uses = DC_LOGS | DC_SHIFTS,
                                     .bound = log_softmax_bound,
                                     EACH,
                                     .row_sum = 1,
                                     .draw = dc_draw_rows,
                                     .policy = POLICY_BOUND " A row with all -Inf is NaN.",
                                     .terms = softmax_terms};

REFERENCE(log_softmax_vjp) { ref_log_softmax_vjp(N(0), N(1), X(0), X(1), y[0]); }
BOUND(log_softmax_vjp) { bound_log_softmax_vjp(N(0), N(1), X(0), X(1), A, e[0]); }
LAUNCH(log_softmax_vjp)
{
  return b->log_softmax_vjp(ex, c->accumulate, N(0), N(1), IN(0), IN(1), OUT(2));
}
const dc_glue dc_glue_log_softmax_vjp = {LOOSE(log_softmax_vjp), EACH,
                                         .uses = DC_PLAIN,       .terms = softmax_terms,
                                         .adjust = log_rows,     .draw = dc_draw_rows};

REFERENCE(masked_softmax) { ref_masked_softmax(N(0), N(1), X(0), X(1), y[0]); }
BOUND(masked_softmax)
{
  double *own;
  bound_masked_softmax(N(0), N(1), without_inf(N(0) * N(1), X(0), &own), X(1), A, e[0]);
  free(own);
}
LAUNCH(masked_softmax) { return b->masked_softmax(ex, N(0), N(1), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_masked_softmax = {
    FUNCTIONS(masked_softmax),
    .uses = DC_DIVIDES | DC_SHIFTS,
    .bound = masked_softmax_bound,
    EACH,
    .row_sum = 1,
    .draw = dc_draw_rows,
    .policy = POLICY_BOUND " What is blocked is exactly 0, whatever stands there; a row whose open "
                           "elements are all -Inf is NaN.",
    .terms = softmax_terms,
    .domain = {DC_ANY, DC_MASK}};

REFERENCE(masked_softmax_vjp) { ref_masked_softmax_vjp(N(0), N(1), X(0), X(1), y[0]); }
BOUND(masked_softmax_vjp) { bound_masked_softmax_vjp(N(0), N(1), X(0), X(1), A, e[0]); }
LAUNCH(masked_softmax_vjp)
{
  return b->masked_softmax_vjp(ex, c->accumulate, N(0), N(1), IN(0), IN(1), OUT(2));
}
const dc_glue dc_glue_masked_softmax_vjp = {FUNCTIONS(masked_softmax_vjp),
                                            .bound = masked_softmax_vjp_bound,
                                            EACH,
                                            .policy = POLICY_BOUND
                                            " Where y is 0 the result is exactly 0, whatever g is.",
                                            .terms = softmax_terms,
                                            .adjust = masked_rows,
                                            .draw = dc_draw_rows};
