/* Pools over windows of any rank up to 8, and their VJPs: a thread has one element of the result and
 * sums in row-major order, so the same inputs give the same bits. */
#include "../math/divide.h"
#include "../math/neg_inf.h"
#include "runs.h"

#ifndef __FRAMAC__
/* The mean of what element k of a line reads. */
template <int R, class I>
DEV float pool_mean_of(const pool_axes<I> &w, int back, I k, double taps, const float *RESTRICT x)
{
  float s = 0;
  pool_each<R>(w, back, k, [&](I at, I) { s += LDG(x + at); });
  return over(s, taps);
}

/* y: (lines, n) of x: (lines, m); R: axes of a window, I: of indices. */
TEMPLATE(int R, class I)
KERNEL void pool_mean(CONSTANTS(int R) pool_axes<I> w, int back, int adds, idx lines, idx m, idx n,
                      double taps, const float *RESTRICT x, float *RESTRICT y)
{
  GROWS(l, lines, n) {
    GCOLS(k, n) {
      float v = pool_mean_of<R>(w, back, (I)k, taps, x + l * m), *to = y + (l * n + k);
      STG(to, adds ? LDG(to) + v : v);
    }
  }
}

/* The first of the largest cells that output k reads, NaN above all numbers; tap -1: it reads none. */
template <int R, class I>
DEV float pool_max_of(const pool_axes<I> &w, I k, I &tap, const float *RESTRICT x)
{
  float most = lowest();
  tap = -1;
  pool_each<R>(w, 0, k, [&](I at, I u) {
    float v = LDG(x + at);
    if (tap < 0 || v > most || (v != v && most == most))
      most = v, tap = u;
  });
  return most;
}

TEMPLATE(int R, class I)
KERNEL void pool_max(CONSTANTS(int R) pool_axes<I> w, idx lines, idx cells, idx outs,
                     const float *RESTRICT x, float *RESTRICT y, float *RESTRICT tap)
{
  GROWS(l, lines, outs) {
    GCOLS(k, outs) {
      I u;
      STG(y + (l * outs + k), pool_max_of<R>(w, (I)k, u, x + l * cells));
      STG(tap + (l * outs + k), (float)u);
    }
  }
}

/* The sum of g over the outputs whose tap, by its number, reads cell k. */
template <int R, class I>
DEV float pool_taken_of(const pool_axes<I> &w, I k, const float *RESTRICT tap,
                        const float *RESTRICT g)
{
  float s = 0;
  pool_each<R>(w, 1, k, [&](I at, I u) {
    if (LDG(tap + at) == (float)u)
      s += LDG(g + at);
  });
  return s;
}

TEMPLATE(int R, class I)
KERNEL void pool_max_back(CONSTANTS(int R) pool_axes<I> w, int adds, idx lines, idx cells, idx outs,
                          const float *RESTRICT tap, const float *RESTRICT g, float *RESTRICT dx)
{
  GROWS(l, lines, cells) {
    GCOLS(k, cells) {
      float v = pool_taken_of<R>(w, (I)k, tap + l * outs, g + l * outs);
      float *to = dx + (l * cells + k);
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
    idx every = back && stride > 0 ? stride / common_divisor(stride, size[AT_DILATION + e]) : 1;
    terms *= (double)divide_up(size[AT_KERNEL + e], every);
  }
  return terms > 1 ? terms - 1 : 0;
}

static void declare_none(const int64_t *size, pm_arith *out) { (void)size, (void)out; }
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
    {"max_pool", "thread", "always", PM_CHECKED, declare_none},
    {"max_pool_vjp", "thread", "always", PM_CHECKED, declare_back},
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

/* The window of a call, its axes of one cell and one tap left out; counts of a line, and of all. */
typedef struct pool_plan {
  pool_axes<idx> w;
  pool_axes<int> narrow; /* the same, where it can be */
  int rank, is_narrow;
  idx cells, outs, taps, in, out;
  unsigned blocks; /* of threads that have an element each */
} pool_plan;

static pool_plan plan_pool(pm_check *c, const pool_call *p)
{
  pool_plan t = {};
  int64_t out[RANK];
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
  t.in = pm_times(c, "lines", p->lines, "the cells of a line", t.cells);
  t.out = pm_times(c, "lines", p->lines, "the outputs of a line", t.outs);
  return t;
}

/* The axes in 32 bits: no place along an axis, no position in a line and no tap is past them. */
static int narrowed(pool_plan *t)
{
  const idx most = 0x7fffffff;
  if (t->cells > most || t->outs > most || t->taps > most)
    return 0;
  for (int e = 0; e < t->rank; e++) {
    const pool_axis<idx> *a = &t->w.a[e];
    idx last = (a->kernel - 1) * (a->dilation < most ? a->dilation : most);
    if (a->stride > most || a->dilation > most || last > most ||
        a->size + 2 * a->pad + last + a->dilation > most ||
        (a->out > 1 ? a->out * a->stride : a->stride) > most)
      return 0;
    t->narrow.a[e] = {(int)a->size, (int)a->out,      (int)a->kernel,    (int)a->stride,
                      (int)a->pad,  (int)a->dilation, (int)a->every_tap, (int)a->every_out};
  }
  return 1;
}

/* Whether there is something to launch: axes of one cell and one tap are put in front, up to a number
 * that kernels have an instance for. */
static int ready(pm_check *c, pm_exec *ex, pool_plan *t, idx threads)
{
  int rank = t->rank <= 1 ? 1 : t->rank <= 3 ? t->rank : RANK;
  if (pm_checked(c) != PM_OK || PM_PICK(c, ex, ROWS, 1u) < 0)
    return 0;
  for (int e = rank - 1; e >= 0; e--) {
    int from = e - (rank - t->rank);
    t->w.a[e] = from >= 0 ? t->w.a[from] : pool_axis<idx>{1, 1, 1, 1, 0, 1, 1, 1};
  }
  t->rank = rank;
  t->is_narrow = narrowed(t);
  t->blocks = pm_blocks(c, threads, BLOCK);
  return t->blocks > 0;
}

#define POOL_OF(R, kernel, ...)                                                     \
  do                                                                                \
    if (t.is_narrow)                                                                \
      LAUNCH((kernel<R, int>), t.blocks, BLOCK, ex->stream, t.narrow, __VA_ARGS__); \
    else                                                                            \
      LAUNCH((kernel<R, idx>), t.blocks, BLOCK, ex->stream, t.w, __VA_ARGS__);      \
  while (0)
#define POOL(kernel, ...)            \
  if (t.rank == 1)                   \
    POOL_OF(1, kernel, __VA_ARGS__); \
  else if (t.rank == 2)              \
    POOL_OF(2, kernel, __VA_ARGS__); \
  else if (t.rank == 3)              \
    POOL_OF(3, kernel, __VA_ARGS__); \
  else                               \
    POOL_OF(RANK, kernel, __VA_ARGS__)

extern "C" pm_status LAUNCHER(avg_pool)(pm_exec *ex, int64_t lines, int rank, const int64_t *shape,
                                        const int64_t *kernel, const int64_t *stride,
                                        const int64_t *pad, const int64_t *dilation, const float *x,
                                        float *y)
{
  pm_check c = pm_begin("avg_pool", ex);
  pool_call p = {lines, rank, shape, kernel, stride, pad, dilation};
  pool_plan t = plan_pool(&c, &p);
  pm_in(&c, "x", x, t.in, sizeof *x);
  pm_out(&c, "y", y, t.out, sizeof *y);
  if (ready(&c, ex, &t, t.out)) {
    POOL(pool_mean, 0, 0, lines, t.cells, t.outs, (double)t.taps, x, y);
  }
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(avg_pool_vjp)(pm_exec *ex, int accumulate, int64_t lines, int rank,
                                            const int64_t *shape, const int64_t *kernel,
                                            const int64_t *stride, const int64_t *pad,
                                            const int64_t *dilation, const float *g, float *dx)
{
  pm_check c = pm_begin("avg_pool_vjp", ex);
  pool_call p = {lines, rank, shape, kernel, stride, pad, dilation};
  pm_flag(&c, "accumulate", accumulate);
  pool_plan t = plan_pool(&c, &p);
  pm_in(&c, "g", g, t.out, sizeof *g);
  pm_out(&c, "dx", dx, t.in, sizeof *dx);
  if (ready(&c, ex, &t, t.in)) {
    POOL(pool_mean, 1, accumulate, lines, t.outs, t.cells, (double)t.taps, g, dx);
  }
  return pm_launched(&c);
}

/* A tap's number is a float. */
static void few_taps(pm_check *c, idx taps)
{
  if (c->status == PM_OK && taps > 1 << 24)
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op, "kernel has %" PRId64 " taps: must be at most 2^24", taps);
}

extern "C" pm_status LAUNCHER(max_pool)(pm_exec *ex, int64_t lines, int rank, const int64_t *shape,
                                        const int64_t *kernel, const int64_t *stride,
                                        const int64_t *pad, const int64_t *dilation, const float *x,
                                        float *y, float *tap)
{
  pm_check c = pm_begin("max_pool", ex);
  pool_call p = {lines, rank, shape, kernel, stride, pad, dilation};
  pool_plan t = plan_pool(&c, &p);
  few_taps(&c, t.taps);
  pm_in(&c, "x", x, t.in, sizeof *x);
  pm_out(&c, "y", y, t.out, sizeof *y);
  pm_out(&c, "tap", tap, t.out, sizeof *tap);
  if (ready(&c, ex, &t, t.out)) {
    POOL(pool_max, lines, t.cells, t.outs, x, y, tap);
  }
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(max_pool_vjp)(pm_exec *ex, int accumulate, int64_t lines, int rank,
                                            const int64_t *shape, const int64_t *kernel,
                                            const int64_t *stride, const int64_t *pad,
                                            const int64_t *dilation, const float *tap,
                                            const float *g, float *dx)
{
  pm_check c = pm_begin("max_pool_vjp", ex);
  pool_call p = {lines, rank, shape, kernel, stride, pad, dilation};
  pm_flag(&c, "accumulate", accumulate);
  pool_plan t = plan_pool(&c, &p);
  few_taps(&c, t.taps);
  pm_in(&c, "tap", tap, t.out, sizeof *tap);
  pm_in(&c, "g", g, t.out, sizeof *g);
  pm_out(&c, "dx", dx, t.in, sizeof *dx);
  if (ready(&c, ex, &t, t.in)) {
    POOL(pool_max_back, accumulate, lines, t.cells, t.outs, tap, g, dx);
  }
  return pm_launched(&c);
}

PM_FAMILY(pool, ROWS, NULL);
#endif
