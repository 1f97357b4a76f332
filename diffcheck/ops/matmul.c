/* matmul and bmm in their four transpose forms, and their VJPs. */
#include "../../ref/matmul.h"
#include "glue.h"

#define MATMUL_ATTRS .attr = {DC_ATTR_FLAG, DC_ATTR_FLAG, DC_ATTR_REAL}, .attr_default = {0, 0, 1}

REFERENCE(matmul) { ref_matmul(N(0), N(1), N(2), FLAG(0), FLAG(1), REAL(2), X(0), X(1), y[0]); }
BOUND(matmul) { bound_matmul(N(0), N(1), N(2), FLAG(0), FLAG(1), REAL(2), X(0), X(1), A, e[0]); }
LAUNCH(matmul)
{
  return b->matmul(ex, N(0), N(1), N(2), FLAG(0), FLAG(1), (float)REAL(2), IN(0), IN(1), OUT(2));
}
TERMS(matmul) { return size[1]; }
const dc_glue dc_glue_matmul = {
    BOUNDED(matmul), .uses = DC_FACTORS,           .terms = matmul_terms,
    .linear = 2,     .reduced = {{0, 1}, {0, -1}}, MATMUL_ATTRS};

REFERENCE(matmul_vjp)
{
  ref_matmul_vjp(N(0), N(1), N(2), FLAG(0), FLAG(1), REAL(2), X(0), X(1), X(2), y[0], y[1]);
}
BOUND(matmul_vjp)
{
  bound_matmul_vjp(N(0), N(1), N(2), FLAG(0), FLAG(1), REAL(2), X(0), X(1), X(2), A, e[0], e[1]);
}
LAUNCH(matmul_vjp)
{
  return b->matmul_vjp(ex, c->accumulate, N(0), N(1), N(2), FLAG(0), FLAG(1), (float)REAL(2), IN(0),
                       IN(1), IN(2), OUT(3), OUT(4));
}
TERMS(matmul_vjp) { return output == 0 ? size[2] : size[0]; }
const dc_glue dc_glue_matmul_vjp = {BOUNDED(matmul_vjp),         .uses = DC_FACTORS,
                                    .terms = matmul_vjp_terms,   .linear = 2,
                                    .reduced = {{2, 2}, {2, 0}}, MATMUL_ATTRS};

REFERENCE(bmm) { ref_bmm(N(0), N(1), N(2), N(3), FLAG(0), FLAG(1), REAL(2), X(0), X(1), y[0]); }
BOUND(bmm) { bound_bmm(N(0), N(1), N(2), N(3), FLAG(0), FLAG(1), REAL(2), X(0), X(1), A, e[0]); }
LAUNCH(bmm)
{
  return b->bmm(ex, N(0), N(1), N(2), N(3), FLAG(0), FLAG(1), (float)REAL(2), IN(0), IN(1), OUT(2));
}
TERMS(bmm) { return size[2]; }
const dc_glue dc_glue_bmm = {BOUNDED(bmm), .uses = DC_FACTORS, .terms = bmm_terms,
                             .linear = 2,  .cut = 1,           .reduced = {{0, 2}, {0, -1}},
                             MATMUL_ATTRS};

REFERENCE(bmm_vjp)
{
  ref_bmm_vjp(N(0), N(1), N(2), N(3), FLAG(0), FLAG(1), REAL(2), X(0), X(1), X(2), y[0], y[1]);
}
BOUND(bmm_vjp)
{
  bound_bmm_vjp(N(0), N(1), N(2), N(3), FLAG(0), FLAG(1), REAL(2), X(0), X(1), X(2), A, e[0], e[1]);
}
LAUNCH(bmm_vjp)
{
  return b->bmm_vjp(ex, c->accumulate, N(0), N(1), N(2), N(3), FLAG(0), FLAG(1), (float)REAL(2),
                    IN(0), IN(1), IN(2), OUT(3), OUT(4));
}
TERMS(bmm_vjp) { return output == 0 ? size[3] : size[1]; }
const dc_glue dc_glue_bmm_vjp = {BOUNDED(bmm_vjp), .uses = DC_FACTORS, .terms = bmm_vjp_terms,
                                 .linear = 2,      .cut = 1,           .reduced = {{2, 3}, {2, 1}},
                                 MATMUL_ATTRS};
