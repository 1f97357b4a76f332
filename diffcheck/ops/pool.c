/* avg_pool, max_pool, smooth_max_pool and their VJPs. */
#include "../../ref/pool_smooth.h"
#include "glue.h"

/* A tensor's axes are the lines and those of the window; of eight of the latter the first stands with
 * the lines in one, as tensors have at most eight. */
enum { LINES = 0, SIZE = 1 };
#include "windows.h"

static const char *refuse_pool(const int64_t *size, const double *attr)
{
  const char *why = refuse_window(size, attr);
  for (int e = 0; !why && e < RANK; e++) {
    long long k = size[KERNEL + e], p = (long long)attr[PAD + e];
    if (p > k / 2)
      why = dc_why("p%d is %lld, must be at most k%d / 2 = %lld", e, p, e, k / 2);
  }
  return why;
}

/* (lines, a[0], .., a[rank-1]) */
static int line_shape(int64_t lines, int rank, const int64_t *a, int64_t *shape)
{
  int joined = rank == RANK;
  shape[0] = lines;
  if (joined && __builtin_mul_overflow(lines, a[0], &shape[0]))
    shape[0] = -1;
  memcpy(shape + 1, a + joined, (size_t)(rank - joined) * sizeof *a);
  return 1 + rank - joined;
}

static int window_shape(const dc_op *op, int tensor, const int64_t *size, const double *attr,
                        int64_t *shape)
{
  int of_x = strchr(op->tensor[tensor].name, 'x') != NULL; /* x, dx; y, g */
  window w = window_of(size, attr);
  return line_shape(size[LINES], (int)attr[AXES], of_x ? w.size : w.out, shape);
}

/* Of files: of x, or of g where k and n say what x is. Of eight axes the first stands with the lines,
 * whose number is to be given. */
static const char *window_sizes(dc_view *v, int64_t *size, double *attr)
{
  int joined = attr[AXES] == RANK && v->rank[0] == RANK, rank = v->rank[0] - 1 + joined;
  if (rank < 1)
    return dc_why("rank %d: must be at least 2, the lines and the axes of the windows", v->rank[0]);
  if (joined && size[LINES] < 1)
    return dc_why("lines is missing: the first of 8 axes stands with the lines, give them by "
                  "--set lines=..");
  if (joined && v->shape[0][0] % size[LINES] != 0)
    return dc_why("lines is %lld, must divide the first size, %lld", (long long)size[LINES],
                  (long long)v->shape[0][0]);
  attr[AXES] = rank;
  if (!joined)
    size[LINES] = v->shape[0][0];
  for (int e = 0; e < RANK; e++) {
    static const double usual[] = {1, 0, 1};
    if (e < rank && size[KERNEL + e] < 0)
      return dc_why("k%d is missing: give it by --set k%d=..", e, e);
    if (e >= rank)
      size[SIZE + e] = size[KERNEL + e] = 1;
    for (int i = 0; i < 3; i++)
      if (isnan(attr[STRIDE + i * RANK + e]))
        attr[STRIDE + i * RANK + e] = usual[i];
  }
  return NULL;
}

/* Of the first tensor, along an axis of the windows. */
static int64_t along(const dc_view *v, const int64_t *size, const double *attr, int e)
{
  int joined = attr[AXES] == RANK;
  return !joined ? v->shape[0][1 + e] : e ? v->shape[0][e] : v->shape[0][0] / size[LINES];
}

static const char *window_output(dc_view *v, int output, const int64_t *size, const double *attr,
                                 int of_x)
{
  const char *why = refuse_pool(size, attr);
  if (why)
    return why;
  window w = window_of(size, attr);
  v->rank[output] =
      line_shape(size[LINES], (int)attr[AXES], of_x ? w.size : w.out, v->shape[output]);
  return NULL;
}

static const char *window_view(dc_view *v, int64_t *size, double *attr)
{
  const char *why = window_sizes(v, size, attr);
  for (int e = 0; !why && e < (int)attr[AXES]; e++)
    size[SIZE + e] = along(v, size, attr, e);
  return why ? why : window_output(v, 1, size, attr, 0);
}

/* Of g, tensor 0; dx is tensor `output`. */
static const char *window_view_back(dc_view *v, int output, int64_t *size, double *attr)
{
  const char *why = window_sizes(v, size, attr);
  for (int e = 0; !why && e < (int)attr[AXES]; e++)
    if (size[SIZE + e] < 0)
      return dc_why("n%d is missing: give it by --set n%d=..", e, e);
  if (!why)
    why = window_output(v, output, size, attr, 1);
  if (why)
    return why;
  window w = window_of(size, attr);
  for (int e = 0; e < w.rank; e++)
    if (along(v, size, attr, e) != w.out[e])
      return dc_why("there are %lld elements along axis %d of the windows, must be %lld",
                    (long long)along(v, size, attr, e), e, (long long)w.out[e]);
  return NULL;
}

static const char *window_view_vjp(dc_view *v, int64_t *size, double *attr)
{
  return window_view_back(v, 1, size, attr);
}

static void draw_pool(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  int rank = draw_axes_number(r);
  dc_draw_sizes(r, want, 1 + rank, size);
  draw_axes(r, want, rank, want.kind == DC_USUAL ? 256 : want.kind == DC_PAST ? 2 : 16, size, attr);
}

#define WINDOWED WINDOW_ATTRIBUTES, .shape = window_shape, .draw = draw_pool
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
TERMS(avg_pool) { return taps_of(size); }
const dc_glue dc_glue_avg_pool = {BOUNDED(avg_pool),
                                  EACH,
                                  LINEAR,
                                  DIVIDES,
                                  WINDOWED,
                                  .check = refuse_pool,
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
TERMS(avg_pool_vjp) { return taps_of(size); }
const dc_glue dc_glue_avg_pool_vjp = {BOUNDED(avg_pool_vjp),
                                      EACH,
                                      LINEAR,
                                      DIVIDES,
                                      WINDOWED,
                                      .check = refuse_pool,
                                      .terms = avg_pool_vjp_terms,
                                      .view = window_view_vjp,
                                      .layout = {LAYOUT_Y, LAYOUT_X}};

/* ---- max_pool ---- */

/* A tap's number is an f32. */
static const char *few_taps(const int64_t *size, const double *attr)
{
  const char *why = refuse_pool(size, attr);
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
TERMS(max_pool_vjp) { return taps_of(size); }
const dc_glue dc_glue_max_pool_vjp = {BOUNDED(max_pool_vjp),
                                      EACH,
                                      WINDOWED,
                                      .check = few_taps,
                                      .terms = max_pool_vjp_terms,
                                      .view = max_view_vjp,
                                      .domain = {DC_SMALL_WHOLE},
                                      .layout = {LAYOUT_Y, LAYOUT_Y, LAYOUT_X}};

/* ---- smooth_max_pool ---- */

enum { BETA = DILATION + RANK };

static const char *refuse_smooth(const int64_t *size, const double *attr)
{
  if (attr[BETA] == 0)
    return dc_why("beta is 0, must be another number: of 0 there is no such pool");
  return refuse_pool(size, attr);
}

/* As sharp as people have it, for once a hundred times more or less so, and of both signs. */
static void draw_smooth(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  static const float betas[] = {1, 1, 2, 5, 10, 0.5f, 0.1f, 100, 1000, 0.001f};
  draw_pool(r, want, size, attr);
  attr[BETA] = betas[dc_rng_below(r, 10)] * (dc_rng_below(r, 4) ? 1.0f : -1.0f);
}

/* x and g say all: tensor 2 is g. */
static const char *smooth_view_vjp(dc_view *v, int64_t *size, double *attr)
{
  dc_view x = *v;
  const char *why = window_view(&x, size, attr);
  for (int t = 1; t < 3 && !why; t++)
    if (v->rank[t] != x.rank[1] ||
        memcmp(v->shape[t], x.shape[1], (size_t)v->rank[t] * sizeof v->shape[t][0]) != 0)
      why = dc_why("%s must have the shape that the windows of x have", t == 1 ? "y" : "g");
  if (!why)
    as_tensor(v, 3, 0);
  return why;
}

/* y is that of x. */
static void pooled(const int64_t *size, const double *attr, float *const *f)
{
  window w = window_of(size, attr);
  const int64_t cells = size[LINES] * w.cells, outs = size[LINES] * w.outs;
  double *x = malloc((size_t)(cells + 1) * sizeof *x), *y = malloc((size_t)(outs + 1) * sizeof *y);
  if (x && y) {
    for (int64_t i = 0; i < cells; i++)
      x[i] = f[0][i];
    ref_smooth_max_pool(size[LINES], w, attr[BETA], x, y);
    for (int64_t i = 0; i < outs; i++)
      f[1][i] = (float)y[i];
  }
  free(x);
  free(y);
}

#define SMOOTH .simpler = simpler_window, WINDOW_ATTRIBUTES_AND(DC_ATTR_REAL, 1, 0, 0)

REFERENCE(smooth_max_pool)
{
  ref_smooth_max_pool(N(LINES), window_of(c->size, c->attr), REAL(BETA), X(0), y[0]);
}
BOUND(smooth_max_pool)
{
  bound_smooth_max_pool(N(LINES), window_of(c->size, c->attr), REAL(BETA), X(0), A, e[0]);
}
LAUNCH(smooth_max_pool)
{
  LISTS
  return b->smooth_max_pool(ex, WINDOW_ARGS, (float)REAL(BETA), IN(0), OUT(1));
}
TERMS(smooth_max_pool) { return taps_of(size); }
const dc_glue dc_glue_smooth_max_pool = {BOUNDED(smooth_max_pool),
                                         EACH,
                                         DIVIDES,
                                         SMOOTH,
                                         .shape = window_shape,
                                         .draw = draw_smooth,
                                         .check = refuse_smooth,
                                         .terms = smooth_max_pool_terms,
                                         .view = window_view,
                                         .layout = {LAYOUT_X, LAYOUT_Y}};

REFERENCE(smooth_max_pool_vjp)
{
  ref_smooth_max_pool_vjp(N(LINES), window_of(c->size, c->attr), REAL(BETA), X(0), X(1), X(2),
                          y[0]);
}
BOUND(smooth_max_pool_vjp)
{
  bound_smooth_max_pool_vjp(N(LINES), window_of(c->size, c->attr), REAL(BETA), X(0), X(1), X(2), A,
                            e[0]);
}
LAUNCH(smooth_max_pool_vjp)
{
  LISTS
  return b->smooth_max_pool_vjp(ex, c->accumulate, WINDOW_ARGS, (float)REAL(BETA), IN(0), IN(1),
                                IN(2), OUT(3));
}
TERMS(smooth_max_pool_vjp) { return taps_of(size); }
const dc_glue dc_glue_smooth_max_pool_vjp = {LOOSE(smooth_max_pool_vjp),
                                             EACH,
                                             SMOOTH,
                                             .shape = window_shape,
                                             .draw = draw_smooth,
                                             .check = refuse_smooth,
                                             .settle = pooled,
                                             .terms = smooth_max_pool_vjp_terms,
                                             .view = smooth_view_vjp,
                                             .layout = {LAYOUT_X, LAYOUT_Y, LAYOUT_Y, LAYOUT_X}};
