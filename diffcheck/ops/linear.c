/* linear and its VJP. */
#include "../../ref/linear.h"
#include "glue.h"

REFERENCE(linear) { ref_linear(N(0), N(1), N(2), X(0), X(1), X(2), y[0]); }
BOUND(linear) { bound_linear(N(0), N(1), N(2), X(0), X(1), X(2), A, e[0]); }
LAUNCH(linear) { return b->linear(ex, N(0), N(1), N(2), IN(0), IN(1), IN(2), OUT(3)); }
/* b is a term as well */
TERMS(linear) { return size[1] + 1; }
const dc_glue dc_glue_linear = {
    BOUNDED(linear), .uses = DC_FACTORS,           .terms = linear_terms,
    .linear = 2,     .reduced = {{0, 1}, {0, -1}}, .added = 1 + 2};

REFERENCE(linear_vjp) { ref_linear_vjp(N(0), N(1), N(2), X(0), X(1), X(2), y[0], y[1], y[2]); }
BOUND(linear_vjp) { bound_linear_vjp(N(0), N(1), N(2), X(0), X(1), X(2), A, e[0], e[1], e[2]); }
LAUNCH(linear_vjp)
{
  return b->linear_vjp(ex, c->accumulate, N(0), N(1), N(2), IN(0), IN(1), IN(2), OUT(3), OUT(4),
                       OUT(5));
}
TERMS(linear_vjp) { return output == 0 ? size[2] : size[0]; }
const dc_glue dc_glue_linear_vjp = {BOUNDED(linear_vjp), .uses = DC_FACTORS,
                                    .terms = linear_vjp_terms, .linear = 2,
                                    .reduced = {{2, 1}, {2, 0}, {2, 0}}};
