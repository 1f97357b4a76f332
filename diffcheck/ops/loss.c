/* Losses and their VJPs. */
#include "../../ref/loss.h"
#include "glue.h"

REFERENCE(mse_loss) { ref_mse_loss(N(0), X(0), X(1), y[0]); }
BOUND(mse_loss) { bound_mse_loss(N(0), X(0), X(1), A, e[0]); }
LAUNCH(mse_loss) { return b->mse_loss(ex, N(0), IN(0), IN(1), OUT(2)); }
TERMS(mse_loss) { return size[0]; }
const dc_glue dc_glue_mse_loss = {BOUNDED(mse_loss), DIVIDES, .terms = mse_loss_terms,
                                  .reduced = {{0, 0}, {0, -1}}};

REFERENCE(mse_loss_vjp) { ref_mse_loss_vjp(N(0), X(0), X(1), X(2), y[0], y[1]); }
BOUND(mse_loss_vjp) { bound_mse_loss_vjp(N(0), X(0), X(1), X(2), A, e[0], e[1]); }
LAUNCH(mse_loss_vjp)
{
  return b->mse_loss_vjp(ex, c->accumulate, N(0), IN(0), IN(1), IN(2), OUT(3), OUT(4));
}
const dc_glue dc_glue_mse_loss_vjp = {BOUNDED(mse_loss_vjp), DIVIDES, NO_SUM};

/* ---- cross entropy: along a row, then across the rows ---- */

TERMS(cross_entropy) { return size[output == 0]; }

static const char *has_classes(const int64_t *size, const double *attr)
{
  (void)attr;
  return size[0] > 0 && size[1] == 0 ? dc_why("cols is 0, must be at least 1 where there are rows")
                                     : NULL;
}

#define IN_RANGE " Targets are in range: others are refused."
#define TARGETS                                                                                    \
  .terms = cross_entropy_terms, .trees = {"along a row", "across the rows"}, .check = has_classes, \
  .index_dim = 1, .within = 1, .draw = dc_draw_rows

REFERENCE(cross_entropy) { ref_cross_entropy(N(0), N(1), X(0), IX(1), y[0]); }
BOUND(cross_entropy) { bound_cross_entropy(N(0), N(1), X(0), IX(1), A, e[0]); }
LAUNCH(cross_entropy) { return b->cross_entropy(ex, N(0), N(1), IN(0), INDEX(1), OUT(2)); }
const dc_glue dc_glue_cross_entropy = {
    FUNCTIONS(cross_entropy),        .uses = DC_DIVIDES | DC_LOGS | DC_SHIFTS,
    .bound = cross_entropy_bound,    TARGETS,
    .policy = POLICY_BOUND IN_RANGE, .reduced = {{0, 0}, {0, -1}}};

REFERENCE(cross_entropy_vjp) { ref_cross_entropy_vjp(N(0), N(1), X(0), IX(1), X(2), y[0]); }
BOUND(cross_entropy_vjp) { bound_cross_entropy_vjp(N(0), N(1), X(0), IX(1), X(2), A, e[0]); }
LAUNCH(cross_entropy_vjp)
{
  return b->cross_entropy_vjp(ex, c->accumulate, N(0), N(1), IN(0), INDEX(1), IN(2), OUT(3));
}
/* An infinite g is multiplied by a probability that may be 0 in f32. */
const dc_glue dc_glue_cross_entropy_vjp = {.uses = DC_DIVIDES | DC_SHIFTS,
                                           FUNCTIONS(cross_entropy_vjp),
                                           .bound = cross_entropy_vjp_bound,
                                           TARGETS,
                                           NO_SUM,
                                           .loose = 1,
                                           .policy = POLICY_LOOSE IN_RANGE};

REFERENCE(cross_entropy_grad) { ref_cross_entropy_grad(N(0), N(1), X(0), IX(1), y[0], y[1]); }
BOUND(cross_entropy_grad) { bound_cross_entropy_grad(N(0), N(1), X(0), IX(1), A, e[0], e[1]); }
LAUNCH(cross_entropy_grad)
{
  return b->cross_entropy_grad(ex, N(0), N(1), IN(0), INDEX(1), OUT(2), OUT(3));
}
const dc_glue dc_glue_cross_entropy_grad = {.uses = DC_DIVIDES | DC_LOGS | DC_SHIFTS,
                                            FUNCTIONS(cross_entropy_grad),
                                            .bound = cross_entropy_grad_bound,
                                            TARGETS,
                                            .policy = POLICY_BOUND IN_RANGE,
                                            .reduced = {{0, 0}, {0, -1}, {0, -1}}};
