/* Pools over windows of any rank up to 8, and their VJPs: a thread has one element of the result and
 * sums in row-major order, so the same inputs give the same bits. */
#include "../math/divide.h"
#include "runs.h"

#ifndef __FRAMAC__
/* The mean of what element k of a line reads. */
template <int R>
DEV float pool_mean_of(const pool_axes &w, int back, idx k, double taps, const float *RESTRICT x)
{
  float s = 0;
  pool_each<R>(w, back, k, [&](idx at, idx) { s += LDG(x + at); });
  return over(s, taps);
}

/* y: (lines, n) of x: (lines, m); R: axes of a window. */
TEMPLATE(int R)
KERNEL void pool_mean(CONSTANTS(int R) pool_axes w, int back, int adds, idx lines, idx m, idx n,
                      double taps, const float *RESTRICT x, float *RESTRICT y)
{
  GROWS(l, lines, n) {
    GCOLS(k, n) {
      float v = pool_mean_of<R>(w, back, k, taps, x + l * m), *to = y + (l * n + k);
      STG(to, adds ? LDG(to) + v : v);
    }
  }
}

/* -------------------------------------------------- launchers */
#include <inttypes.h>

#include "../../spec/window.h"
#include "../host/table.h"

enum { BLOCK = 256, RANK = WINDOW_RANK };
/* where the sizes and integer attributes of the catalogue begin, by axis */
enum { AT_KERNEL = 9, AT_STRIDE = 18, AT_DILATION = 34 };

static idx common_divisor(idx a, idx b)
{
  while (b) {
    idx r = a % b;
    a = b, b = r;
  }
  return a;
}

/* Taps that can read one cell: of those that do, all but the first are added. */
static double additions(const int64_t *size, int back)
{
  double terms = 1;
  for (int e = 0; e < RANK; e++) {
    idx stride = size[AT_STRIDE + e];
    idx every = back ? stride / common_divisor(stride, size[AT_DILATION + e]) : 1;
    terms *= (double)divide_up(size[AT_KERNEL + e], every);
  }
  return terms > 1 ? terms - 1 : 0;
}

static void declare_window(const int64_t *size, pm_arith *out)
{
  out->height[0] = additions(size, 0);
}
static void declare_back(const int64_t *size, pm_arith *out)
{
  out->height[0] = additions(size, 1);
}

static const pm_kernel ROWS[] = {
    {"avg_pool", "thread", "always", PM_CHECKED, declare_window},
    {"avg_pool_vjp", "thread", "always", PM_CHECKED, declare_back},
};

typedef struct pool_call {
  int64_t lines;
  int rank;
  const int64_t *shape, *kernel, *stride, *pad, *dilation;
} pool_call;

/* One attribute of axis e is not from `least` to `most`. */
static void within(pm_check *c, const char *name, int e, int64_t v, int64_t least, int64_t most)
{
  if (c->status == PM_OK && (v < least || v > most))
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op,
                        "%s[%d] = %" PRId64 ": must be from %" PRId64 " to %" PRId64, name, e, v,
                        least, most);
}

/* The window of a call, its axes of one cell and one tap left out; counts of a line. */
typedef struct pool_plan {
  pool_axes w;
  int rank;
  idx cells, outs, taps;
} pool_plan;

static pool_plan plan_pool(pm_check *c, const pool_call *p)
{
  pool_plan t = {};
  int64_t out[RANK];
  t.cells = t.outs = t.taps = 0;
  pm_size(c, "lines", p->lines);
  if (c->status == PM_OK && (p->rank < 1 || p->rank > RANK))
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op, "rank = %d: must be from 1 to %d", p->rank, RANK);
  const int64_t *const lists[] = {p->shape, p->kernel, p->stride, p->pad, p->dilation};
  const char *const names[] = {"shape", "kernel", "stride", "pad", "dilation"};
  for (int i = 0; i < 5 && c->status == PM_OK; i++)
    if (!lists[i])
      c->status =
          pm_fail(PM_BAD_ARGUMENT, c->op, "%s = NULL: must point to %d numbers", names[i], p->rank);
  for (int e = 0; e < p->rank && c->status == PM_OK; e++) {
    within(c, "shape", e, p->shape[e], 0, WINDOW_MOST);
    within(c, "kernel", e, p->kernel[e], 1, WINDOW_MOST);
    within(c, "stride", e, p->stride[e], 1, WINDOW_MOST);
    within(c, "pad", e, p->pad[e], 0, p->kernel[e] / 2);
    within(c, "dilation", e, p->dilation[e], 1, WINDOW_MOST);
    if (c->status == PM_OK)
      out[e] = window_out(p->shape[e], p->kernel[e], p->stride[e], p->pad[e], p->dilation[e]);
  }
  if (c->status != PM_OK)
    return t;
  t.cells = pm_shape(c, "rank", p->rank, "shape", p->shape);
  t.outs = pm_shape(c, "rank", p->rank, "the output's shape", out);
  t.taps = pm_shape(c, "rank", p->rank, "kernel", p->kernel);
  for (int e = 0; e < p->rank && c->status == PM_OK; e++) {
    idx every = common_divisor(p->stride[e], p->dilation[e]);
    if (p->shape[e] != 1 || p->kernel[e] != 1)
      t.w.a[t.rank++] = {p->shape[e], out[e],         p->kernel[e],         p->stride[e],
                         p->pad[e],   p->dilation[e], p->stride[e] / every, p->dilation[e] / every};
  }
  return t;
}

/* Axes of one cell and one tap in front, up to `rank` of them. */
static void pad_plan(pool_plan *t, int rank)
{
  for (int e = rank - 1; e >= 0; e--) {
    int from = e - (rank - t->rank);
    t->w.a[e] = from >= 0 ? t->w.a[from] : pool_axis{1, 1, 1, 1, 0, 1, 1, 1};
  }
  t->rank = rank;
}

static pm_status pool(const char *op, pm_exec *ex, int accumulate, int back, const pool_call *p,
                      const char *x_name, const char *y_name, const float *x, float *y)
{
  pm_check c = pm_begin(op, ex);
  idx m, n;
  unsigned blocks;
  pm_flag(&c, "accumulate", accumulate);
  pool_plan t = plan_pool(&c, p);
  idx in = pm_times(&c, "lines", p->lines, "the cells of a line", t.cells);
  idx out = pm_times(&c, "lines", p->lines, "the outputs of a line", t.outs);
  pm_in(&c, x_name, x, back ? out : in, sizeof *x);
  pm_out(&c, y_name, y, back ? in : out, sizeof *y);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  m = back ? t.outs : t.cells, n = back ? t.cells : t.outs;
  if (PM_PICK(&c, ex, ROWS, 1u) < 0)
    return c.status;
  blocks = pm_blocks(&c, back ? in : out, BLOCK);
  pad_plan(&t, t.rank <= 1 ? 1 : t.rank <= 3 ? t.rank : RANK);
#define POOL(R)                                                                          \
  LAUNCH(pool_mean<R>, blocks, BLOCK, ex->stream, t.w, back, accumulate, p->lines, m, n, \
         (double)t.taps, x, y)
  if (blocks && t.rank == 1)
    POOL(1);
  else if (blocks && t.rank == 2)
    POOL(2);
  else if (blocks && t.rank == 3)
    POOL(3);
  else if (blocks)
    POOL(RANK);
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(avg_pool)(pm_exec *ex, int64_t lines, int rank, const int64_t *shape,
                                        const int64_t *kernel, const int64_t *stride,
                                        const int64_t *pad, const int64_t *dilation, const float *x,
                                        float *y)
{
  pool_call p = {lines, rank, shape, kernel, stride, pad, dilation};
  return pool("avg_pool", ex, 0, 0, &p, "x", "y", x, y);
}

extern "C" pm_status LAUNCHER(avg_pool_vjp)(pm_exec *ex, int accumulate, int64_t lines, int rank,
                                            const int64_t *shape, const int64_t *kernel,
                                            const int64_t *stride, const int64_t *pad,
                                            const int64_t *dilation, const float *g, float *dx)
{
  pool_call p = {lines, rank, shape, kernel, stride, pad, dilation};
  return pool("avg_pool_vjp", ex, accumulate, 1, &p, "g", "dx", g, dx);
}

PM_FAMILY(pool, ROWS, NULL);
#endif
