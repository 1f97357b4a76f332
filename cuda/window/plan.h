/* Windows of a call, checked and made ready for a kernel. Host code. */
#ifndef PM_WINDOW_PLAN_H
#define PM_WINDOW_PLAN_H
#include <inttypes.h>

#include "../../spec/window.h"
#include "../host/table.h"
#include "runs.h"
#include "taps.h"

/* rank numbers each, in host memory. shape: the cells; where there is an output padding, of a transposed
 * convolution, the outputs. */
typedef struct window_call {
  int rank;
  const int64_t *shape, *kernel, *stride, *pad, *dilation, *output_pad;
} window_call;

/* The axes of a window, those of one cell and one tap left out, and the counts of a line. */
typedef struct window_plan {
  window_axes<idx> axes;
  window_axes<int> narrow; /* the same, where it can be */
  int rank, is_narrow;
  idx cells, outs, taps;
  window spec; /* the same as the specification has it, and what divides by its outputs */
  window_magic by;
} window_plan;

static inline idx common_divisor(idx a, idx b)
{
  while (b) {
    idx r = a % b;
    a = b, b = r;
  }
  return a;
}

/* Most taps that read for one output, or `back` one cell. kernel and stride: WINDOW_RANK sizes and
 * attributes of the catalogue; the dilations are 2 WINDOW_RANK behind the strides. */
static inline double window_taps(const int64_t *kernel, const int64_t *stride, int back)
{
  double terms = 1;
  for (int e = 0; e < WINDOW_RANK; e++) {
    idx s = stride[e];
    idx every = back && s > 0 ? s / common_divisor(s, stride[2 * WINDOW_RANK + e]) : 1;
    terms *= (double)divide_up(kernel[e], every);
  }
  return terms;
}

/* One attribute of axis e is not from `least` to `most`. */
static inline void window_within(pm_check *c, const char *name, int e, int64_t v, int64_t least,
                                 int64_t most)
{
  if (c->status == PM_OK && (v < least || v > most))
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op,
                        "%s[%d] = %" PRId64 ": must be from %" PRId64 " to %" PRId64, name, e, v,
                        least, most);
}

/* The cells of axis e from the outputs that there are. */
static inline idx window_transposed(pm_check *c, const window_call *p, int e)
{
  idx s = p->stride[e], d = p->dilation[e], o = p->output_pad[e], n;
  window_within(c, "output_pad", e, o, 0, (s > d ? s : d) - 1);
  if (c->status != PM_OK)
    return 0;
  n = window_spread(p->shape[e], p->kernel[e], s, p->pad[e], d, o);
  if (n < 0)
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op,
                        "pad[%d] = %" PRId64 ": the output must have from 1 to %" PRId64
                        " elements along this axis",
                        e, p->pad[e], (int64_t)WINDOW_MOST);
  return n;
}

/* half_pad: no padding is more than half of its window. */
static inline window_plan plan_window(pm_check *c, const window_call *p, int half_pad)
{
  window_plan t = {};
  int64_t cells[WINDOW_RANK], outs[WINDOW_RANK];
  if (c->status == PM_OK && (p->rank < 1 || p->rank > WINDOW_RANK))
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op, "rank = %d: must be from 1 to %d", p->rank, WINDOW_RANK);
  const int64_t *const lists[] = {p->shape, p->kernel, p->stride, p->pad, p->dilation};
  const char *const names[] = {"shape", "kernel", "stride", "pad", "dilation"};
  for (int i = 0; i < 5 && c->status == PM_OK; i++)
    if (!lists[i])
      c->status =
          pm_fail(PM_BAD_ARGUMENT, c->op, "%s = NULL: must point to %d numbers", names[i], p->rank);
  for (int e = 0; e < p->rank && c->status == PM_OK; e++) {
    window_within(c, "shape", e, p->shape[e], 0, WINDOW_MOST);
    window_within(c, "kernel", e, p->kernel[e], 1, WINDOW_MOST);
    window_within(c, "stride", e, p->stride[e], 1, WINDOW_MOST);
    window_within(c, "pad", e, p->pad[e], 0, half_pad ? p->kernel[e] / 2 : WINDOW_MOST);
    window_within(c, "dilation", e, p->dilation[e], 1, WINDOW_MOST);
    if (c->status != PM_OK)
      break;
    cells[e] = outs[e] = p->shape[e];
    if (p->output_pad)
      cells[e] = window_transposed(c, p, e);
    else
      outs[e] = window_out(p->shape[e], p->kernel[e], p->stride[e], p->pad[e], p->dilation[e]);
  }
  if (c->status != PM_OK)
    return t;
  t.cells = pm_shape(c, "rank", p->rank, p->output_pad ? "the output's shape" : "shape", cells);
  t.outs = pm_shape(c, "rank", p->rank, p->output_pad ? "shape" : "the output's shape", outs);
  t.taps = pm_shape(c, "rank", p->rank, "kernel", p->kernel);
  for (int e = 0; e < p->rank && c->status == PM_OK; e++) {
    idx every = common_divisor(p->stride[e], p->dilation[e]);
    if (cells[e] != 1 || outs[e] != 1 || p->kernel[e] != 1 || p->pad[e] != 0)
      t.axes.a[t.rank++] = {
          cells[e],  outs[e],        p->kernel[e],         p->stride[e],
          p->pad[e], p->dilation[e], p->stride[e] / every, p->dilation[e] / every};
  }
  return t;
}

/* The axes in 32 bits: no place along an axis, no position in a line and no tap is past them. */
static inline int narrow_axes(window_plan *t)
{
  const idx most = 0x7fffffff;
  if (t->cells > most || t->outs > most || t->taps > most)
    return 0;
  for (int e = 0; e < t->rank; e++) {
    const window_axis<idx> *a = &t->axes.a[e];
    idx last = (a->kernel - 1) * (a->dilation < most ? a->dilation : most);
    if (a->stride > most || a->dilation > most || last > most || a->pad > most ||
        a->size + 2 * a->pad + last + a->dilation > most || a->stride + a->pad > most ||
        (a->out > 1 ? a->out * a->stride : a->stride) > most)
      return 0;
    t->narrow.a[e] = {(int)a->size,
                      (int)a->out,
                      (int)a->kernel,
                      (int)a->stride,
                      (int)a->pad,
                      (int)a->dilation,
                      (int)a->every_tap,
                      (int)a->every_out,
                      window_divides(a->size),
                      window_divides(a->out),
                      window_divides(a->kernel),
                      window_divides(a->stride)};
  }
  return 1;
}

static inline void window_divide(window_magic *by, int e, idx of)
{
  window_divisor d = window_divides(of);
  by->magic[e] = d.magic, by->shift[e] = d.shift;
}

/* Axes of one cell and one tap are put in front, up to a number that kernels have an instance for. */
static inline void fill_axes(window_plan *t)
{
  int rank = t->rank <= 1 ? 1 : t->rank <= 3 ? t->rank : WINDOW_RANK;
  for (int e = rank - 1; e >= 0; e--) {
    int from = e - (rank - t->rank);
    t->axes.a[e] = from >= 0 ? t->axes.a[from] : window_axis<idx>{1, 1, 1, 1, 0, 1, 1, 1};
  }
  t->rank = rank;
  t->is_narrow = narrow_axes(t);
  t->spec.rank = rank, t->spec.cells = t->cells, t->spec.outs = t->outs, t->spec.taps = t->taps;
  for (int e = 0; e < rank; e++) {
    const window_axis<idx> *a = &t->axes.a[e];
    t->spec.size[e] = a->size, t->spec.out[e] = a->out, t->spec.kernel[e] = a->kernel;
    t->spec.stride[e] = a->stride, t->spec.pad[e] = a->pad, t->spec.dilation[e] = a->dilation;
    window_divide(&t->by, e, a->out);
  }
  window_divide(&t->by, WINDOW_RANK, t->outs);
}

/* The threads of an instance, whose indices are narrow no more where there are 2^31 of them. */
static inline window_lines window_threads(window_plan *t, idx lines, idx n)
{
  const idx most = 0x7fffffff - 1024; /* a last block's threads are counted too */
  t->is_narrow = t->is_narrow && (n == 0 || lines <= most / n);
  return {lines, n, window_divides(n)};
}

/* A kernel's instance by rank and width of indices; p: a window_plan. */
#define WINDOW_OF(R, p, kernel, blocks, ...)                                        \
  do                                                                                \
    if ((p).is_narrow)                                                              \
      LAUNCH((kernel<R, int>), blocks, BLOCK, ex->stream, (p).narrow, __VA_ARGS__); \
    else                                                                            \
      LAUNCH((kernel<R, idx>), blocks, BLOCK, ex->stream, (p).axes, __VA_ARGS__);   \
  while (0)
#define WINDOW_LAUNCH(p, kernel, blocks, ...)                 \
  do                                                          \
    if ((p).rank == 1)                                        \
      WINDOW_OF(1, p, kernel, blocks, __VA_ARGS__);           \
    else if ((p).rank == 2)                                   \
      WINDOW_OF(2, p, kernel, blocks, __VA_ARGS__);           \
    else if ((p).rank == 3)                                   \
      WINDOW_OF(3, p, kernel, blocks, __VA_ARGS__);           \
    else                                                      \
      WINDOW_OF(WINDOW_RANK, p, kernel, blocks, __VA_ARGS__); \
  while (0)
/* The same of a kernel that takes the window as the specification has it. */
#define TAPS_OF(R, p, kernel, blocks, ...)                                                      \
  do                                                                                            \
    if ((p).is_narrow)                                                                          \
      LAUNCH((kernel<R, 1>), blocks, BLOCK, ex->stream, (p).spec, (p).by, __VA_ARGS__);         \
    else                                                                                        \
      LAUNCH((kernel<R, 0>), blocks, BLOCK, ex->stream, (p).spec, (p).by, __VA_ARGS__);         \
  while (0)
#define TAPS_LAUNCH(p, kernel, blocks, ...)                 \
  do                                                        \
    if ((p).rank == 1)                                      \
      TAPS_OF(1, p, kernel, blocks, __VA_ARGS__);           \
    else if ((p).rank == 2)                                 \
      TAPS_OF(2, p, kernel, blocks, __VA_ARGS__);           \
    else if ((p).rank == 3)                                 \
      TAPS_OF(3, p, kernel, blocks, __VA_ARGS__);           \
    else                                                    \
      TAPS_OF(WINDOW_RANK, p, kernel, blocks, __VA_ARGS__); \
  while (0)
#endif
