/* Windows of a case, axis by axis: what pools and convolutions have of them. Whoever includes this says
 * before what place n0 has among its dims: enum { SIZE = .. }. */
#ifndef DIFFCHECK_OPS_WINDOWS_H
#define DIFFCHECK_OPS_WINDOWS_H
#include "../../ref/window.h"
#include "glue.h"

enum { RANK = DC_RANK, KERNEL = SIZE + RANK };
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
  }
  window w = window_of(size, attr);
  if (w.cells < 0 || w.outs < 0 || w.taps < 0)
    return dc_why("the cells, outputs or taps of a window are 2^60 or more");
  return NULL;
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

static int draw_axes_number(dc_rng *r)
{
  static const int ranks[] = {1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 5, 6, 7, 8};
  return ranks[dc_rng_below(r, 16)];
}

/* The windows over the first `rank` axes, whose sizes are drawn; at most so many taps. */
static void draw_axes(dc_rng *r, dc_extent want, int rank, int64_t taps, int64_t *size,
                      double *attr)
{
  window w;
  attr[AXES] = rank;
  for (int e = 0; e < RANK; e++) {
    w.kernel[e] = w.stride[e] = w.dilation[e] = 1, w.pad[e] = 0;
    if (e < rank)
      draw_axis(r, size[SIZE + e], taps, &w, e);
    else
      size[SIZE + e] = 1;
    const int64_t span = (w.kernel[e] - 1) * w.dilation[e];
    if (want.kind != DC_USUAL && 2 * w.pad[e] > span) /* beside what is wide is nothing wider */
      w.pad[e] = span / 2;
    if (want.kind == DC_WIDTH || (want.kind != DC_USUAL && dc_rng_below(r, 2))) { /* as wide */
      w.stride[e] = w.dilation[e] = 1;
      w.kernel[e] -= w.kernel[e] % 2 == 0;
      w.pad[e] = w.kernel[e] / 2;
    }
    if (want.kind == DC_PAST) {
      w.pad[e] = 0;
      w.dilation[e] = 1;
      if (w.kernel[e] > size[SIZE + e])
        w.kernel[e] = 1;
    }
    taps /= w.kernel[e];
    size[KERNEL + e] = w.kernel[e];
    attr[STRIDE + e] = (double)w.stride[e];
    attr[PAD + e] = (double)w.pad[e];
    attr[DILATION + e] = (double)w.dilation[e];
  }
}

/* Without axis k; so many attributes an axis. */
static inline int without_axis(int k, int lists, int64_t *size, double *attr)
{
  int rank = (int)attr[AXES];
  if (rank < 2 || k >= rank)
    return 0;
  for (int i = 0; i < 2; i++) {
    int64_t *s = size + (i ? KERNEL : SIZE);
    memmove(s + k, s + k + 1, (size_t)(RANK - 1 - k) * sizeof *s);
    s[RANK - 1] = 1;
  }
  for (int i = 0; i < lists; i++) {
    double *a = attr + STRIDE + i * RANK;
    memmove(a + k, a + k + 1, (size_t)(RANK - 1 - k) * sizeof *a);
    a[RANK - 1] = i == 0 || i == 2;
  }
  attr[AXES] -= 1;
  return 1;
}

static int simpler_window(int k, int64_t *size, double *attr)
{
  return without_axis(k, 3, size, attr);
}

/* The lists that a launcher takes. */
#define WINDOW_LISTS(list, attr, from) \
  int64_t list[RANK];                  \
  for (int e_ = 0; e_ < RANK; e_++)    \
    list[e_] = (int64_t)(attr)[(from) + e_];

#define EIGHT(v) v, v, v, v, v, v, v, v
/* Of the windows, and of what an op has behind them; of nothing: no text. */
#define WINDOW_ATTRIBUTES_AND(kinds, usual, least, most)                    \
  .attr = {DC_ATTR_INTEGER, EIGHT(DC_ATTR_INTEGER), EIGHT(DC_ATTR_INTEGER), \
           EIGHT(DC_ATTR_INTEGER), kinds},                                  \
  .attr_default = {2, EIGHT(1), EIGHT(0), EIGHT(1), usual},                 \
  .attr_least = {1, EIGHT(1), EIGHT(0), EIGHT(1), least},                   \
  .attr_most = {RANK, EIGHT(DC_WHOLE - 1), EIGHT(DC_WHOLE - 1), EIGHT(DC_WHOLE - 1), most}
#define WINDOW_ATTRIBUTES .simpler = simpler_window, WINDOW_ATTRIBUTES_AND(, , , )
#endif
