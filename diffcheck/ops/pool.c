/* avg_pool, max_pool and their VJPs. */
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
                                  .check = refuse_window,
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
                                      .check = refuse_window,
                                      .terms = avg_pool_vjp_terms,
                                      .view = window_view_vjp,
                                      .layout = {LAYOUT_Y, LAYOUT_X}};

/* ---- max_pool ---- */

/* A tap's number is an f32. */
static const char *few_taps(const int64_t *size, const double *attr)
{
  const char *why = refuse_window(size, attr);
  if (why || taps_of(size) <= 1 << 24)
    return why;
  return dc_why("a window has %lld taps, must have at most 2^24", (long long)taps_of(size));
}

/* No two elements are equal, or nearly so. */
static void far_apart(const int64_t *size, const double *attr, double *const *x)
{
  window w = window_of(size, attr);
  int64_t n = size[LINES] * w.cells;
  for (int64_t i = 0; i < n; i++)
    x[0][i] = 0.15 * (double)n * fmod((double)i * 0.6180339887498949, 1.0);
}

static void as_tensor(dc_view *v, int to, int from)
{
  v->rank[to] = v->rank[from];
  memcpy(v->shape[to], v->shape[from], sizeof v->shape[to]);
}

static const char *max_view(dc_view *v, int64_t *size, double *attr)
{
  const char *why = window_view(v, size, attr);
  if (!why)
    as_tensor(v, 2, 1);
  return why;
}

static const char *max_view_vjp(dc_view *v, int64_t *size, double *attr)
{
  if (v->rank[0] != v->rank[1] ||
      memcmp(v->shape[0], v->shape[1], (size_t)v->rank[0] * sizeof v->shape[0][0]) != 0)
    return dc_why("tap and g must have the same shape");
  return window_view_back(v, 2, size, attr);
}

REFERENCE(max_pool) { ref_max_pool(N(LINES), window_of(c->size, c->attr), X(0), y[0], y[1]); }
LAUNCH(max_pool)
{
  LISTS
  return b->max_pool(ex, WINDOW_ARGS, IN(0), OUT(1), OUT(2));
}
const dc_glue dc_glue_max_pool = {EXACT(max_pool),
                                  EACH,
                                  WINDOWED,
                                  .check = few_taps,
                                  .view = max_view,
                                  .smooth = far_apart,
                                  .layout = {LAYOUT_X, LAYOUT_Y, LAYOUT_Y}};

REFERENCE(max_pool_vjp)
{
  ref_max_pool_vjp(N(LINES), window_of(c->size, c->attr), X(0), X(1), y[0]);
}
BOUND(max_pool_vjp)
{
  bound_max_pool_vjp(N(LINES), window_of(c->size, c->attr), X(0), X(1), A, e[0]);
}
LAUNCH(max_pool_vjp)
{
  LISTS
  return b->max_pool_vjp(ex, c->accumulate, WINDOW_ARGS, IN(0), IN(1), OUT(2));
}
TERMS(max_pool_vjp)
{
  (void)output;
  return taps_of(size);
}
const dc_glue dc_glue_max_pool_vjp = {BOUNDED(max_pool_vjp),
                                      EACH,
                                      WINDOWED,
                                      .check = few_taps,
                                      .terms = max_pool_vjp_terms,
                                      .view = max_view_vjp,
                                      .domain = {DC_SMALL_WHOLE},
                                      .layout = {LAYOUT_Y, LAYOUT_Y, LAYOUT_X}};
