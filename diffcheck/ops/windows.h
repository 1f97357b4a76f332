/* Windows of a case: what pools have of it, axis by axis. A tensor's axes are the lines and those of
 * the window; of eight of the latter the first stands with the lines in one, as tensors have at most
 * eight. */
#ifndef DIFFCHECK_OPS_WINDOWS_H
#define DIFFCHECK_OPS_WINDOWS_H
#include "../../ref/window.h"
#include "glue.h"

enum { RANK = DC_RANK };
enum { LINES = 0, SIZE = 1, KERNEL = SIZE + RANK };                        /* dims */
enum { AXES = 0, STRIDE = 1, PAD = STRIDE + RANK, DILATION = PAD + RANK }; /* attributes */

/* The product of n sizes, or -1 where that is no size of a tensor. */
static int64_t product(const int64_t *size, int n)
{
  int64_t all = 1;
  int over = 0;
  for (int i = 0; i < n; i++)
    if (size[i] == 0)
      return 0;
  for (int i = 0; i < n && !over; i++)
    over = __builtin_mul_overflow(all, size[i], &all) || all > WINDOW_MOST;
  return over ? -1 : all;
}

/* Sizes, strides, paddings and dilations are in their ranges. */
static window window_of(const int64_t *size, const double *attr)
{
  window w = {.rank = (idx)attr[AXES]};
  for (int e = 0; e < RANK; e++) {
    w.size[e] = size[SIZE + e];
    w.kernel[e] = size[KERNEL + e];
    w.stride[e] = (idx)attr[STRIDE + e];
    w.pad[e] = (idx)attr[PAD + e];
    w.dilation[e] = (idx)attr[DILATION + e];
    w.out[e] = window_out(w.size[e], w.kernel[e], w.stride[e], w.pad[e], w.dilation[e]);
  }
  w.cells = product(w.size, RANK);
  w.outs = product(w.out, RANK);
  w.taps = product(w.kernel, RANK);
  return w;
}

static const char *refuse_window(const int64_t *size, const double *attr)
{
  for (int e = 0; e < RANK; e++) {
    long long n = size[SIZE + e], k = size[KERNEL + e], p = (long long)attr[PAD + e];
    if (e >= (int)attr[AXES] &&
        (n != 1 || k != 1 || attr[STRIDE + e] != 1 || p != 0 || attr[DILATION + e] != 1))
      return dc_why(
          "axis %d has n%d = %lld, k%d = %lld, s%d = %g, p%d = %lld and d%d = %g, must have "
          "1, 1, 1, 0 and 1: rank is %d",
          e, e, n, e, k, e, attr[STRIDE + e], e, p, e, attr[DILATION + e], (int)attr[AXES]);
    if (k < 1)
      return dc_why("k%d is %lld, must be at least 1", e, k);
    if (n > WINDOW_MOST || k > WINDOW_MOST)
      return dc_why("n%d is %lld and k%d is %lld, must be below 2^60", e, n, e, k);
    if (p > k / 2)
      return dc_why("p%d is %lld, must be at most k%d / 2 = %lld", e, p, e, k / 2);
  }
  window w = window_of(size, attr);
  if (w.cells < 0 || w.outs < 0 || w.taps < 0)
    return dc_why("the cells, outputs or taps of a window are 2^60 or more");
  return NULL;
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
  const char *why = refuse_window(size, attr);
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

/* Small windows, now and then as large as the axis and larger, strides past them, paddings at their
 * limit, dilations that no window has room for. */
static void draw_axis(dc_rng *r, int64_t n, int64_t taps_left, window *w, int e)
{
  static const int64_t kernels[] = {1, 2, 2, 3, 3, 3, 4, 5}, strides[] = {1, 1, 1, 2, 2, 3, 4, 7};
  static const int64_t dilations[] = {1, 1, 1, 1, 1, 2, 2, 3};
  int64_t k = kernels[dc_rng_below(r, 8)], rare = dc_rng_below(r, 40);
  w->stride[e] = strides[dc_rng_below(r, 8)];
  w->dilation[e] = dilations[dc_rng_below(r, 8)];
  if (rare < 4 && n <= 64)
    k = n + rare - 1;
  k = k < 1 ? 1 : k > taps_left ? taps_left : k;
  w->kernel[e] = k;
  w->pad[e] = dc_rng_below(r, 3) ? dc_rng_below(r, k / 2 + 1) : k / 2;
  if (dc_rng_below(r, 10) == 0)
    w->stride[e] = k;
  if (rare == 10)
    w->dilation[e] = ((int64_t)1 << 32) + 1;
  if (rare == 11)
    w->stride[e] = ((int64_t)1 << 32) + 1;
}

static void draw_window(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  static const int ranks[] = {1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 5, 6, 7, 8};
  int rank = ranks[dc_rng_below(r, 16)];
  int64_t taps = want.kind == DC_USUAL ? 256 : want.kind == DC_PAST ? 2 : 16;
  window w;
  dc_draw_sizes(r, want, 1 + rank, size);
  attr[AXES] = rank;
  for (int e = 0; e < RANK; e++) {
    w.kernel[e] = w.stride[e] = w.dilation[e] = 1, w.pad[e] = 0;
    if (e < rank)
      draw_axis(r, size[SIZE + e], taps, &w, e);
    else
      size[SIZE + e] = 1;
    if (want.kind == DC_PAST) /* with padding a short axis may have twice as many outputs */
      w.pad[e] = 0;
    taps /= w.kernel[e];
    size[KERNEL + e] = w.kernel[e];
    attr[STRIDE + e] = (double)w.stride[e];
    attr[PAD + e] = (double)w.pad[e];
    attr[DILATION + e] = (double)w.dilation[e];
  }
}

/* Without axis k. */
static int simpler_window(int k, int64_t *size, double *attr)
{
  int rank = (int)attr[AXES];
  if (rank < 2 || k >= rank)
    return 0;
  for (int i = 0; i < 2; i++) {
    int64_t *s = size + (i ? KERNEL : SIZE);
    memmove(s + k, s + k + 1, (size_t)(RANK - 1 - k) * sizeof *s);
    s[RANK - 1] = 1;
  }
  for (int i = 0; i < 3; i++) {
    double *a = attr + STRIDE + i * RANK;
    memmove(a + k, a + k + 1, (size_t)(RANK - 1 - k) * sizeof *a);
    a[RANK - 1] = i != 1;
  }
  attr[AXES] -= 1;
  return 1;
}

/* The lists that a launcher takes. */
#define WINDOW_LISTS(list, attr, from) \
  int64_t list[RANK];                  \
  for (int e_ = 0; e_ < RANK; e_++)    \
    list[e_] = (int64_t)(attr)[(from) + e_];

#define EIGHT(v) v, v, v, v, v, v, v, v
#define WINDOWED                                                            \
  .shape = window_shape, .draw = draw_window, .simpler = simpler_window,    \
  .attr = {DC_ATTR_INTEGER, EIGHT(DC_ATTR_INTEGER), EIGHT(DC_ATTR_INTEGER), \
           EIGHT(DC_ATTR_INTEGER)},                                         \
  .attr_default = {2, EIGHT(1), EIGHT(0), EIGHT(1)},                        \
  .attr_least = {1, EIGHT(1), EIGHT(0), EIGHT(1)},                          \
  .attr_most = {RANK, EIGHT(DC_WHOLE - 1), EIGHT(DC_WHOLE - 1), EIGHT(DC_WHOLE - 1)}
#endif
