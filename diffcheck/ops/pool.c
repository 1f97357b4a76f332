/* avg_pool and its VJP. */
#include "../../ref/pool.h"
#include "windows.h"

#define LISTS                           \
  WINDOW_LISTS(stride, c->attr, STRIDE) \
  WINDOW_LISTS(pad, c->attr, PAD)       \
  WINDOW_LISTS(dilation, c->attr, DILATION)
#define WINDOW_ARGS \
  N(LINES), (int)INTEGER(AXES), c->size + SIZE, c->size + KERNEL, stride, pad, dilation
#define LAYOUT_X "(lines, n0, ..), or (lines n0, n1, ..) of rank 8"
#define LAYOUT_Y "(lines, windows along each axis ..), the first two in one of rank 8"

static int64_t taps_of(const int64_t *size) { return product(size + KERNEL, RANK); }

REFERENCE(avg_pool) { ref_avg_pool(N(LINES), window_of(c->size, c->attr), X(0), y[0]); }
BOUND(avg_pool) { bound_avg_pool(N(LINES), window_of(c->size, c->attr), X(0), A, e[0]); }
LAUNCH(avg_pool)
{
  LISTS
  return b->avg_pool(ex, WINDOW_ARGS, IN(0), OUT(1));
}
TERMS(avg_pool)
{
  (void)output;
  return taps_of(size);
}
const dc_glue dc_glue_avg_pool = {BOUNDED(avg_pool),
                                  EACH,
                                  LINEAR,
                                  DIVIDES,
                                  WINDOWED,
                                  .terms = avg_pool_terms,
                                  .view = window_view,
                                  .layout = {LAYOUT_X, LAYOUT_Y}};

REFERENCE(avg_pool_vjp) { ref_avg_pool_vjp(N(LINES), window_of(c->size, c->attr), X(0), y[0]); }
BOUND(avg_pool_vjp) { bound_avg_pool_vjp(N(LINES), window_of(c->size, c->attr), X(0), A, e[0]); }
LAUNCH(avg_pool_vjp)
{
  LISTS
  return b->avg_pool_vjp(ex, c->accumulate, WINDOW_ARGS, IN(0), OUT(1));
}
TERMS(avg_pool_vjp)
{
  (void)output;
  return taps_of(size);
}
const dc_glue dc_glue_avg_pool_vjp = {BOUNDED(avg_pool_vjp),
                                      EACH,
                                      LINEAR,
                                      DIVIDES,
                                      WINDOWED,
                                      .terms = avg_pool_vjp_terms,
                                      .view = window_view_vjp,
                                      .layout = {LAYOUT_Y, LAYOUT_X}};
