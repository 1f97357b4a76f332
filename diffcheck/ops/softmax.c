/* softmax and its VJP. */
#include "../../ref/softmax.h"
#include "glue.h"

REFERENCE(softmax) { ref_softmax(N(0), N(1), X(0), y[0]); }
/* The bound is stated over finite inputs. An input of -Inf has the part 0 in its row's sum, as one
 * has that lies far below all others; rows with +Inf or NaN are NaN and need no bound. */
BOUND(softmax)
{
  int64_t n = N(0) * N(1), masked = 0;
  double low = 0;
  for (int64_t i = 0; i < n; i++) {
    masked += X(0)[i] == -INFINITY;
    low = isfinite(X(0)[i]) && X(0)[i] < low ? X(0)[i] : low;
  }
  double *finite = masked ? malloc((size_t)n * sizeof *finite) : NULL;
  for (int64_t i = 0; finite && i < n; i++)
    finite[i] = X(0)[i] == -INFINITY ? 2 * low - 2000 : X(0)[i];
  bound_softmax(N(0), N(1), finite ? finite : X(0), A, e[0]);
  free(finite);
}
LAUNCH(softmax) { return b->softmax(ex, N(0), N(1), IN(0), OUT(1)); }
TERMS(softmax)
{
  (void)output;
  return size[1];
}
const dc_glue dc_glue_softmax = {FUNCTIONS(softmax), .bound = softmax_bound, EACH,
                                 .policy = POLICY_BOUND " A row with all -Inf is NaN.",
                                 .terms = softmax_terms};

/* The VJP is stated over y = softmax(x): the drawn tensor is taken for x, row by row. */
static void softmax_rows(const int64_t *size, float *const *f)
{
  for (int64_t r = 0; r < size[0]; r++) {
    float *row = f[0] + r * size[1], max = -INFINITY;
    double sum = 0;
    for (int64_t k = 0; k < size[1]; k++)
      max = row[k] > max ? row[k] : max;
    for (int64_t k = 0; k < size[1]; k++)
      sum += exp((double)row[k] - max);
    for (int64_t k = 0; k < size[1]; k++)
      row[k] = (float)(exp((double)row[k] - max) / sum);
  }
}

REFERENCE(softmax_vjp) { ref_softmax_vjp(N(0), N(1), X(0), X(1), y[0]); }
BOUND(softmax_vjp) { bound_softmax_vjp(N(0), N(1), X(0), X(1), A, e[0]); }
LAUNCH(softmax_vjp) { return b->softmax_vjp(ex, c->accumulate, N(0), N(1), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_softmax_vjp = {BOUNDED(softmax_vjp), EACH, .terms = softmax_terms,
                                     .adjust = softmax_rows};
