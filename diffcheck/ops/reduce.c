/* sum and its VJP. */
#include "../../ref/reduce.h"
#include "glue.h"

REFERENCE(sum) { ref_sum(N(0), X(0), y[0]); }
BOUND(sum) { bound_sum(N(0), X(0), A, e[0]); }
LAUNCH(sum) { return b->sum(ex, N(0), IN(0), OUT(1)); }
TERMS(sum)
{
  (void)output;
  return size[0];
}
const dc_glue dc_glue_sum = {BOUNDED(sum), LINEAR, .terms = sum_terms,
                             .reduced = {{0, 0}, {0, -1}}};

REFERENCE(sum_vjp) { ref_sum_vjp(N(0), X(0), y[0]); }
LAUNCH(sum_vjp) { return b->sum_vjp(ex, c->accumulate, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_sum_vjp = {EXACT(sum_vjp), LINEAR, EACH};
