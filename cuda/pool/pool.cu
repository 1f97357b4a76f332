/* Pools over windows of any rank up to 8, and their VJPs: a thread has one element of the result and
 * sums in row-major order, so the same inputs give the same bits. */
#include "forward.h"
#include "../math/elementary.h"
#include "../math/neg_inf.h"

#ifndef __FRAMAC__
#include "../window/runs.h"

/* The mean of g over the outputs that read cell k. */
template <int R, class I>
DEV float pool_mean_back_of(const window_axes<I> &w, I k, double taps, const float *RESTRICT g)
{
  float s = 0;
  window_each<R>(w, OF_CELL, k, [&](I at, I) { s += LDG(g + at); });
  return over(s, taps);
}

/* R: axes of a window, I: of indices. */
TEMPLATE(int R, class I)
KERNEL void pool_mean_back(CONSTANTS(int R) window_axes<I> w, int adds, window_lines of, idx outs,
                           double taps, const float *RESTRICT g, float *RESTRICT dx)
{
  EACH_GRID_THREAD(at) {
    idx l = window_line_of<I>(of, at), k = at - l * of.n;
    if (l < of.lines) {
      float v = pool_mean_back_of<R>(w, (I)k, taps, g + l * outs), *to = dx + at;
      STG(to, adds ? LDG(to) + v : v);
    }
  }
}

/* The first of the largest cells that output k reads, NaN above all numbers; tap -1: it reads none. */
template <int R, class I>
DEV float pool_max_of(const window_axes<I> &w, I k, I &tap, const float *RESTRICT x)
{
  float most = lowest();
  tap = -1;
  window_each<R>(w, OF_OUT, k, [&](I at, I u) {
    float v = LDG(x + at);
    if (tap < 0 || v > most || (v != v && most == most))
      most = v, tap = u;
  });
  return most;
}

TEMPLATE(int R, class I)
KERNEL void pool_max(CONSTANTS(int R) window_axes<I> w, window_lines of, idx cells,
                     const float *RESTRICT x, float *RESTRICT y, float *RESTRICT tap)
{
  EACH_GRID_THREAD(at) {
    idx l = window_line_of<I>(of, at), k = at - l * of.n;
    if (l < of.lines) {
      I u;
      STG(y + at, pool_max_of<R>(w, (I)k, u, x + l * cells));
      STG(tap + at, (float)u);
    }
  }
}

/* The sum of g over the outputs whose tap, by its number, reads cell k. */
template <int R, class I>
DEV float pool_taken_of(const window_axes<I> &w, I k, const float *RESTRICT tap,
                        const float *RESTRICT g)
{
  float s = 0;
  window_each<R>(w, OF_CELL, k, [&](I at, I u) {
    if (LDG(tap + at) == (float)u)
      s += LDG(g + at);
  });
  return s;
}

TEMPLATE(int R, class I)
KERNEL void pool_max_back(CONSTANTS(int R) window_axes<I> w, int adds, window_lines of, idx outs,
                          const float *RESTRICT tap, const float *RESTRICT g, float *RESTRICT dx)
{
  EACH_GRID_THREAD(at) {
    idx l = window_line_of<I>(of, at), k = at - l * of.n;
    if (l < of.lines) {
      float v = pool_taken_of<R>(w, (I)k, tap + l * outs, g + l * outs);
      float *to = dx + at;
      STG(to, adds ? LDG(to) + v : v);
    }
  }
}

/* exp(beta (v - m)); of equal infinities too it is 1. */
DEV float smooth_weight(float beta, float v, float m)
{
  return pm_expf(v == m ? 0.0f : beta * (v - m));
}

/* Output k: a first pass over its cells finds the pivot, a second adds up. `taps` counts those that read
 * padding, which is 0, as well: they are added last, in one product. */
template <int R, class I>
DEV float pool_smooth_of(const window_axes<I> &w, I k, float beta, idx taps,
                         const float *RESTRICT x)
{
  window_runs<R, I> runs;
  int some = window_runs_of(w, OF_OUT, k, runs);
  idx padded = taps - (some ? window_met(runs) : 0);
  float m = padded ? 0.0f : beta < 0 ? -lowest() : lowest(), s = 0;
  if (some)
    window_walk(runs, [&](I at, I) {
      float v = LDG(x + at);
      m = (beta < 0 ? v < m : v > m) ? v : m;
    });
  if (some)
    window_walk(runs, [&](I at, I) { s += smooth_weight(beta, LDG(x + at), m); });
  if (padded)
    s = PM_FMA((float)padded, smooth_weight(beta, 0.0f, m), s);
  return m + pm_logf(s) / beta;
}

TEMPLATE(int R, class I)
KERNEL void pool_smooth(CONSTANTS(int R) window_axes<I> w, float beta, idx taps, window_lines of,
                        idx cells, const float *RESTRICT x, float *RESTRICT y)
{
  EACH_GRID_THREAD(at) {
    idx l = window_line_of<I>(of, at), k = at - l * of.n;
    if (l < of.lines)
      STG(y + at, pool_smooth_of<R>(w, (I)k, beta, taps, x + l * cells));
  }
}

/* What comes back to a cell, whose value is v, from the outputs that read it. */
template <int R, class I>
DEV float pool_smooth_back_of(const window_axes<I> &w, I k, float beta, float v,
                              const float *RESTRICT y, const float *RESTRICT g)
{
  float s = 0;
  window_each<R>(w, OF_CELL, k,
                 [&](I at, I) { s = PM_FMA(LDG(g + at), smooth_weight(beta, v, LDG(y + at)), s); });
  return s;
}

TEMPLATE(int R, class I)
KERNEL void pool_smooth_back(CONSTANTS(int R) window_axes<I> w, float beta, int adds,
                             window_lines of, idx outs, const float *RESTRICT x,
                             const float *RESTRICT y, const float *RESTRICT g, float *RESTRICT dx)
{
  EACH_GRID_THREAD(at) {
    idx l = window_line_of<I>(of, at), k = at - l * of.n;
    if (l < of.lines) {
      float v = pool_smooth_back_of<R>(w, (I)k, beta, LDG(x + at), y + l * outs, g + l * outs);
      float *to = dx + at;
      STG(to, adds ? LDG(to) + v : v);
    }
  }
}

/* -------------------------------------------------- launchers */
#include "../window/plan.h"

enum { BLOCK = 256, RANK = WINDOW_RANK, AT_KERNEL = 9, AT_STRIDE = 18 };

/* Taps that can read one cell: of those that do, all but the first are added. */
static double additions(const int64_t *size, int back)
{
  double terms = window_taps(size + AT_KERNEL, size + AT_STRIDE, back);
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

/* An exponent is rounded twice; the padded taps are a product. */
static void declare_smooth(const int64_t *size, pm_arith *out)
{
  out->k_exp = PM_K_EXP;
  out->k_log = PM_K_LOG;
  out->height[0] = window_taps(size + AT_KERNEL, size + AT_STRIDE, 0);
}
static void declare_smooth_back(const int64_t *size, pm_arith *out)
{
  out->k_exp = PM_K_EXP;
  out->height[0] = window_taps(size + AT_KERNEL, size + AT_STRIDE, 1);
}

static const pm_kernel ROWS[] = {
    {"avg_pool", "thread", "always", PM_CHECKED, declare_window},
    {"avg_pool_vjp", "thread", "always", PM_CHECKED, declare_back},
    {"max_pool", "thread", "always", PM_CHECKED, declare_none},
    {"max_pool_vjp", "thread", "always", PM_CHECKED, declare_back},
    {"smooth_max_pool", "thread", "always", PM_CHECKED, declare_smooth},
    {"smooth_max_pool_vjp", "thread", "always", PM_CHECKED, declare_smooth_back},
};

typedef struct pool_plan {
  window_plan w;
  idx in, out; /* elements */
  window_lines of;
  unsigned blocks; /* of threads that have an element each */
} pool_plan;

static pool_plan plan_pool(pm_check *c, int64_t lines, const window_call *p)
{
  pool_plan t = {};
  pm_size(c, "lines", lines);
  t.w = plan_window(c, p, 1);
  t.in = pm_times(c, "lines", lines, "the cells of a line", t.w.cells);
  t.out = pm_times(c, "lines", lines, "the outputs of a line", t.w.outs);
  return t;
}

/* Whether there is something to launch, of lines of n elements. */
static int ready(pm_check *c, pm_exec *ex, pool_plan *t, idx lines, idx n)
{
  if (pm_checked(c) != PM_OK || PM_PICK(c, ex, ROWS, 1u) < 0)
    return 0;
  fill_axes(&t->w);
  t->of = window_threads(&t->w, lines, n);
  t->blocks = pm_blocks(c, lines * n, BLOCK);
  return t->blocks > 0;
}

#define POOL(kernel, ...) WINDOW_LAUNCH(t.w, kernel, t.blocks, __VA_ARGS__)

extern "C" pm_status LAUNCHER(avg_pool)(pm_exec *ex, int64_t lines, int rank, const int64_t *shape,
                                        const int64_t *kernel, const int64_t *stride,
                                        const int64_t *pad, const int64_t *dilation, const float *x,
                                        float *y)
{
  pm_check c = pm_begin("avg_pool", ex);
  window_call p = {rank, shape, kernel, stride, pad, dilation, NULL};
  pool_plan t = plan_pool(&c, lines, &p);
  pm_in(&c, "x", x, t.in, sizeof *x);
  pm_out(&c, "y", y, t.out, sizeof *y);
  if (ready(&c, ex, &t, lines, t.w.outs))
    TAPS_LAUNCH(t.w, pool_mean, t.blocks, lines, (double)t.w.taps, x, y);

  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(avg_pool_vjp)(pm_exec *ex, int accumulate, int64_t lines, int rank,
                                            const int64_t *shape, const int64_t *kernel,
                                            const int64_t *stride, const int64_t *pad,
                                            const int64_t *dilation, const float *g, float *dx)
{
  pm_check c = pm_begin("avg_pool_vjp", ex);
  window_call p = {rank, shape, kernel, stride, pad, dilation, NULL};
  pm_flag(&c, "accumulate", accumulate);
  pool_plan t = plan_pool(&c, lines, &p);
  pm_in(&c, "g", g, t.out, sizeof *g);
  pm_out(&c, "dx", dx, t.in, sizeof *dx);
  if (ready(&c, ex, &t, lines, t.w.cells))
    POOL(pool_mean_back, accumulate, t.of, t.w.outs, (double)t.w.taps, g, dx);

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
  window_call p = {rank, shape, kernel, stride, pad, dilation, NULL};
  pool_plan t = plan_pool(&c, lines, &p);
  few_taps(&c, t.w.taps);
  pm_in(&c, "x", x, t.in, sizeof *x);
  pm_out(&c, "y", y, t.out, sizeof *y);
  pm_out(&c, "tap", tap, t.out, sizeof *tap);
  if (ready(&c, ex, &t, lines, t.w.outs))
    POOL(pool_max, t.of, t.w.cells, x, y, tap);

  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(max_pool_vjp)(pm_exec *ex, int accumulate, int64_t lines, int rank,
                                            const int64_t *shape, const int64_t *kernel,
                                            const int64_t *stride, const int64_t *pad,
                                            const int64_t *dilation, const float *tap,
                                            const float *g, float *dx)
{
  pm_check c = pm_begin("max_pool_vjp", ex);
  window_call p = {rank, shape, kernel, stride, pad, dilation, NULL};
  pm_flag(&c, "accumulate", accumulate);
  pool_plan t = plan_pool(&c, lines, &p);
  few_taps(&c, t.w.taps);
  pm_in(&c, "tap", tap, t.out, sizeof *tap);
  pm_in(&c, "g", g, t.out, sizeof *g);
  pm_out(&c, "dx", dx, t.in, sizeof *dx);
  if (ready(&c, ex, &t, lines, t.w.cells))
    POOL(pool_max_back, accumulate, t.of, t.w.outs, tap, g, dx);

  return pm_launched(&c);
}

/* beta is finite and not 0, of which there is no pool. */
static void sharpness(pm_check *c, float beta)
{
  if (c->status == PM_OK && (beta == 0 || !(beta - beta == 0)))
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op, "beta = %g: must be finite and not 0", (double)beta);
}

extern "C" pm_status LAUNCHER(smooth_max_pool)(pm_exec *ex, int64_t lines, int rank,
                                               const int64_t *shape, const int64_t *kernel,
                                               const int64_t *stride, const int64_t *pad,
                                               const int64_t *dilation, float beta, const float *x,
                                               float *y)
{
  pm_check c = pm_begin("smooth_max_pool", ex);
  window_call p = {rank, shape, kernel, stride, pad, dilation, NULL};
  pool_plan t = plan_pool(&c, lines, &p);
  sharpness(&c, beta);
  pm_in(&c, "x", x, t.in, sizeof *x);
  pm_out(&c, "y", y, t.out, sizeof *y);
  if (ready(&c, ex, &t, lines, t.w.outs))
    POOL(pool_smooth, beta, t.w.taps, t.of, t.w.cells, x, y);

  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(smooth_max_pool_vjp)(pm_exec *ex, int accumulate, int64_t lines,
                                                   int rank, const int64_t *shape,
                                                   const int64_t *kernel, const int64_t *stride,
                                                   const int64_t *pad, const int64_t *dilation,
                                                   float beta, const float *x, const float *y,
                                                   const float *g, float *dx)
{
  pm_check c = pm_begin("smooth_max_pool_vjp", ex);
  window_call p = {rank, shape, kernel, stride, pad, dilation, NULL};
  pm_flag(&c, "accumulate", accumulate);
  pool_plan t = plan_pool(&c, lines, &p);
  sharpness(&c, beta);
  pm_in(&c, "x", x, t.in, sizeof *x);
  pm_in(&c, "y", y, t.out, sizeof *y);
  pm_in(&c, "g", g, t.out, sizeof *g);
  pm_out(&c, "dx", dx, t.in, sizeof *dx);
  if (ready(&c, ex, &t, lines, t.w.cells))
    POOL(pool_smooth_back, beta, accumulate, t.of, t.w.outs, x, y, g, dx);

  return pm_launched(&c);
}

PM_FAMILY(pool, ROWS, NULL);
#endif
