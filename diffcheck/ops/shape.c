/* transpose2d and its VJP. */
#include "../../ref/shape.h"
#include "glue.h"

REFERENCE(transpose2d) { ref_transpose2d(N(0), N(1), X(0), y[0]); }
LAUNCH(transpose2d) { return b->transpose2d(ex, N(0), N(1), IN(0), OUT(1)); }
const dc_glue dc_glue_transpose2d = {.policy = POLICY_EXACT,
                                     .reference = transpose2d_reference,
                                     .launch = transpose2d_launch,
                                     .linear = 1,
                                     .reduced = DC_NO_SUM};

REFERENCE(transpose2d_vjp) { ref_transpose2d_vjp(N(0), N(1), X(0), y[0]); }
LAUNCH(transpose2d_vjp) { return b->transpose2d_vjp(ex, c->accumulate, N(0), N(1), IN(0), OUT(1)); }
const dc_glue dc_glue_transpose2d_vjp = {.policy = POLICY_EXACT,
                                         .reference = transpose2d_vjp_reference,
                                         .launch = transpose2d_vjp_launch,
                                         .linear = 1,
                                         .reduced = DC_NO_SUM};
