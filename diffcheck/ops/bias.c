/* add_bias and its VJP. */
#include "../../ref/bias.h"
#include "glue.h"

REFERENCE(add_bias) { ref_add_bias(N(0), N(1), X(0), X(1), y[0]); }
LAUNCH(add_bias) { return b->add_bias(ex, N(0), N(1), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_add_bias = {EXACT(add_bias), LINEAR, EACH};

/* Now and then some tiles of 64 rows by 128 columns, or a flat row of them. */
static void tiles_draw(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  (void)attr;
  dc_draw_sizes(r, want, 2, size);
  if (want.kind == DC_USUAL && dc_rng_below(r, 8) == 0) {
    size[0] = 64 + dc_rng_below(r, 70);
    size[1] = dc_rng_below(r, 8) ? 128 + 4 * dc_rng_below(r, 20) : 2048;
  }
}

/* db adds up the rows: it cannot be cut along them. */
REFERENCE(add_bias_vjp) { ref_add_bias_vjp(N(0), N(1), X(0), y[0], y[1]); }
BOUND(add_bias_vjp) { bound_add_bias_vjp(N(0), N(1), X(0), A, e[1]); }
LAUNCH(add_bias_vjp)
{
  return b->add_bias_vjp(ex, c->accumulate, N(0), N(1), IN(0), OUT(1), OUT(2));
}
TERMS(add_bias_vjp) { return output == 1 ? size[0] : 1; }
const dc_glue dc_glue_add_bias_vjp = {BOUNDED(add_bias_vjp), LINEAR, .terms = add_bias_vjp_terms,
                                      .draw = tiles_draw, .reduced = {{0, -1}, {0, 0}}};
