/* add_bias and its VJP. */
#include "../../ref/bias.h"
#include "glue.h"

REFERENCE(add_bias) { ref_add_bias(N(0), N(1), X(0), X(1), y[0]); }
LAUNCH(add_bias) { return b->add_bias(ex, N(0), N(1), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_add_bias = {.policy = POLICY_EXACT,
                                  .reference = add_bias_reference,
                                  .launch = add_bias_launch,
                                  .cut = 1,
                                  .linear = 1,
                                  .reduced = DC_NO_SUM};

/* db adds up the rows: it cannot be cut along them. */
REFERENCE(add_bias_vjp) { ref_add_bias_vjp(N(0), N(1), X(0), y[0], y[1]); }
BOUND(add_bias_vjp) { bound_add_bias_vjp(N(0), N(1), X(0), A, e[1]); }
LAUNCH(add_bias_vjp)
{
  return b->add_bias_vjp(ex, c->accumulate, N(0), N(1), IN(0), OUT(1), OUT(2));
}
TERMS(add_bias_vjp) { return output == 1 ? size[0] : 1; }
const dc_glue dc_glue_add_bias_vjp = {.policy = POLICY_BOUND,
                                      .reference = add_bias_vjp_reference,
                                      .bound = add_bias_vjp_bound,
                                      .launch = add_bias_vjp_launch,
                                      .terms = add_bias_vjp_terms,
                                      .linear = 1,
                                      .reduced = {{0, -1}, {0, 0}}};
