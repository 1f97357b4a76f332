/* Gathers, scatters with addition, and their VJPs: k rows, one row, k elements, one element. Indices
 * out of range read zeros and write nothing. */
#include "../../ref/gather.h"
#include "glue.h"

/* The calls of gatherSUFFIX, scatter_addSUFFIX and their VJPs; the dims are `sizes`. */
#define ARGS(...) __VA_ARGS__
#define CALLS(suffix, sizes)                                                                       \
  REFERENCE(gather##suffix) { ref_gather##suffix(ARGS sizes, X(0), IX(1), y[0]); }                 \
  LAUNCH(gather##suffix) { return b->gather##suffix(ex, ARGS sizes, IN(0), INDEX(1), OUT(2)); }    \
  REFERENCE(gather##suffix##_vjp) { ref_gather##suffix##_vjp(ARGS sizes, IX(0), X(1), y[0]); }     \
  BOUND(gather##suffix##_vjp) { bound_gather##suffix##_vjp(ARGS sizes, IX(0), X(1), A, e[0]); }    \
  LAUNCH(gather##suffix##_vjp)                                                                     \
  {                                                                                                \
    return b->gather##suffix##_vjp(ex, c->accumulate, ARGS sizes, INDEX(0), IN(1), OUT(2));        \
  }                                                                                                \
  REFERENCE(scatter_add##suffix) { ref_scatter_add##suffix(ARGS sizes, X(0), IX(1), X(2), y[0]); } \
  LAUNCH(scatter_add##suffix)                                                                      \
  {                                                                                                \
    return b->scatter_add##suffix(ex, ARGS sizes, IN(0), INDEX(1), IN(2), OUT(3));                 \
  }                                                                                                \
  REFERENCE(scatter_add##suffix##_vjp)                                                             \
  {                                                                                                \
    ref_scatter_add##suffix##_vjp(ARGS sizes, IX(0), X(1), y[0], y[1]);                            \
  }                                                                                                \
  LAUNCH(scatter_add##suffix##_vjp)                                                                \
  {                                                                                                \
    return b->scatter_add##suffix##_vjp(ex, c->accumulate, ARGS sizes, INDEX(0), IN(1), OUT(2),    \
                                        OUT(3));                                                   \
  }
CALLS(_rows, (N(0), N(1), N(2)))
CALLS(_row, (N(0), N(1)))
CALLS(, (N(0), N(1)))
CALLS(_scalar, (N(0)))

BOUND(scatter_add_rows) { bound_scatter_add_rows(N(0), N(1), N(2), X(0), IX(1), X(2), A, e[0]); }
BOUND(scatter_add) { bound_scatter_add(N(0), N(1), X(0), IX(1), X(2), A, e[0]); }

/* What an element is the sum of: the op's indices, and with own the element of x. */
#define SUM_OF(op, k, own) \
  TERMS(op)                \
  {                        \
    (void)output;          \
    return size[k] + own;  \
  }
SUM_OF(gather_rows_vjp, 2, 0)
SUM_OF(scatter_add_rows, 2, 1)
SUM_OF(gather_vjp, 1, 0)
SUM_OF(scatter_add, 1, 1)

#define SUM(op, in, k) .terms = op##_terms, .reduced = {{in, k}, {0, -1}}

const dc_glue dc_glue_gather_rows = {EXACT(gather_rows), LINEAR, NO_SUM};
const dc_glue dc_glue_gather_rows_vjp = {BOUNDED(gather_rows_vjp), LINEAR,
                                         SUM(gather_rows_vjp, 1, 2)};
const dc_glue dc_glue_scatter_add_rows = {BOUNDED(scatter_add_rows), LINEAR,
                                          SUM(scatter_add_rows, 2, 2)};
const dc_glue dc_glue_scatter_add_rows_vjp = {EXACT(scatter_add_rows_vjp), LINEAR, NO_SUM};
const dc_glue dc_glue_gather_row = {EXACT(gather_row), LINEAR, NO_SUM};
const dc_glue dc_glue_gather_row_vjp = {BOUNDED(gather_row_vjp), LINEAR, NO_SUM};
const dc_glue dc_glue_scatter_add_row = {EXACT(scatter_add_row), LINEAR, NO_SUM};
const dc_glue dc_glue_scatter_add_row_vjp = {EXACT(scatter_add_row_vjp), LINEAR, NO_SUM};
const dc_glue dc_glue_gather = {EXACT(gather), LINEAR, NO_SUM};
const dc_glue dc_glue_gather_vjp = {BOUNDED(gather_vjp), LINEAR, SUM(gather_vjp, 1, 1)};
const dc_glue dc_glue_scatter_add = {BOUNDED(scatter_add), LINEAR, SUM(scatter_add, 2, 1)};
const dc_glue dc_glue_scatter_add_vjp = {EXACT(scatter_add_vjp), LINEAR, NO_SUM};
const dc_glue dc_glue_gather_scalar = {EXACT(gather_scalar), LINEAR, NO_SUM};
const dc_glue dc_glue_gather_scalar_vjp = {BOUNDED(gather_scalar_vjp), LINEAR, NO_SUM};
const dc_glue dc_glue_scatter_add_scalar = {EXACT(scatter_add_scalar), LINEAR, NO_SUM};
const dc_glue dc_glue_scatter_add_scalar_vjp = {EXACT(scatter_add_scalar_vjp), LINEAR, NO_SUM};
