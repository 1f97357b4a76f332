/* gather_rows, scatter_add_rows and their VJPs. Indices out of range read a zero row and write
 * nothing. */
#include "../../ref/gather.h"
#include "glue.h"

REFERENCE(gather_rows) { ref_gather_rows(N(0), N(1), N(2), X(0), IX(1), y[0]); }
LAUNCH(gather_rows) { return b->gather_rows(ex, N(0), N(1), N(2), IN(0), INDEX(1), OUT(2)); }
const dc_glue dc_glue_gather_rows = {.policy = POLICY_EXACT,
                                     .reference = gather_rows_reference,
                                     .launch = gather_rows_launch,
                                     .linear = 1,
                                     .reduced = DC_NO_SUM};

REFERENCE(gather_rows_vjp) { ref_gather_rows_vjp(N(0), N(1), N(2), IX(0), X(1), y[0]); }
BOUND(gather_rows_vjp) { bound_gather_rows_vjp(N(0), N(1), N(2), IX(0), X(1), A, e[0]); }
LAUNCH(gather_rows_vjp)
{
  return b->gather_rows_vjp(ex, c->accumulate, N(0), N(1), N(2), INDEX(0), IN(1), OUT(2));
}
TERMS(gather_rows_vjp)
{
  (void)output;
  return size[2];
}
const dc_glue dc_glue_gather_rows_vjp = {.policy = POLICY_BOUND,
                                         .reference = gather_rows_vjp_reference,
                                         .bound = gather_rows_vjp_bound,
                                         .launch = gather_rows_vjp_launch,
                                         .terms = gather_rows_vjp_terms,
                                         .linear = 1,
                                         .reduced = {{1, 2}, {0, -1}}};

REFERENCE(scatter_add_rows) { ref_scatter_add_rows(N(0), N(1), N(2), X(0), IX(1), X(2), y[0]); }
BOUND(scatter_add_rows) { bound_scatter_add_rows(N(0), N(1), N(2), X(0), IX(1), X(2), A, e[0]); }
LAUNCH(scatter_add_rows)
{
  return b->scatter_add_rows(ex, N(0), N(1), N(2), IN(0), INDEX(1), IN(2), OUT(3));
}
/* the row of x is a term as well */
TERMS(scatter_add_rows)
{
  (void)output;
  return size[2] + 1;
}
const dc_glue dc_glue_scatter_add_rows = {.policy = POLICY_BOUND,
                                          .reference = scatter_add_rows_reference,
                                          .bound = scatter_add_rows_bound,
                                          .launch = scatter_add_rows_launch,
                                          .terms = scatter_add_rows_terms,
                                          .linear = 1,
                                          .reduced = {{2, 2}, {0, -1}}};

REFERENCE(scatter_add_rows_vjp)
{
  ref_scatter_add_rows_vjp(N(0), N(1), N(2), IX(0), X(1), y[0], y[1]);
}
LAUNCH(scatter_add_rows_vjp)
{
  return b->scatter_add_rows_vjp(ex, c->accumulate, N(0), N(1), N(2), INDEX(0), IN(1), OUT(2),
                                 OUT(3));
}
const dc_glue dc_glue_scatter_add_rows_vjp = {.policy = POLICY_EXACT,
                                              .reference = scatter_add_rows_vjp_reference,
                                              .launch = scatter_add_rows_vjp_launch,
                                              .linear = 1,
                                              .reduced = DC_NO_SUM};
