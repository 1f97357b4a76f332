/* add, gelu and their VJPs. */
#include "../../ref/elementwise.h"
#include "glue.h"

REFERENCE(add) { ref_add(N(0), X(0), X(1), y[0]); }
LAUNCH(add) { return b->add(ex, N(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_add = {.policy = POLICY_EXACT,
                             .reference = add_reference,
                             .launch = add_launch,
                             .cut = 1,
                             .linear = 1,
                             .reduced = DC_NO_SUM};

REFERENCE(add_vjp) { ref_add_vjp(N(0), X(0), y[0], y[1]); }
LAUNCH(add_vjp) { return b->add_vjp(ex, c->accumulate, N(0), IN(0), OUT(1), OUT(2)); }
const dc_glue dc_glue_add_vjp = {.policy = POLICY_EXACT,
                                 .reference = add_vjp_reference,
                                 .launch = add_vjp_launch,
                                 .cut = 1,
                                 .linear = 1,
                                 .reduced = DC_NO_SUM};

REFERENCE(gelu) { ref_gelu(N(0), X(0), y[0]); }
BOUND(gelu) { bound_gelu(N(0), X(0), A, e[0]); }
LAUNCH(gelu) { return b->gelu(ex, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_gelu = {.policy = POLICY_BOUND,
                              .reference = gelu_reference,
                              .bound = gelu_bound,
                              .launch = gelu_launch,
                              .cut = 1,
                              .reduced = DC_NO_SUM};

REFERENCE(gelu_vjp) { ref_gelu_vjp(N(0), X(0), X(1), y[0]); }
BOUND(gelu_vjp) { bound_gelu_vjp(N(0), X(0), X(1), A, e[0]); }
LAUNCH(gelu_vjp) { return b->gelu_vjp(ex, c->accumulate, N(0), IN(0), IN(1), OUT(2)); }
/* An infinite g times a derivative that is 0 but for rounding may be either infinity, or NaN. */
const dc_glue dc_glue_gelu_vjp = {.policy =
                                      "Where the reference is NaN or infinite the result must "
                                      "not be finite; the sign of zero is free; an element "
                                      "that can leave the f32 range on the way is vacuous.",
                                  .loose = 1,
                                  .reference = gelu_vjp_reference,
                                  .bound = gelu_vjp_bound,
                                  .launch = gelu_vjp_launch,
                                  .cut = 1,
                                  .reduced = DC_NO_SUM};
