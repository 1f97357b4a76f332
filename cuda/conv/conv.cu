/* Convolutions over windows of any rank up to 8, transposed ones, and their VJPs. x is (batch, groups,
 * in, size..), y (batch, groups, out, windows..), w (groups, out, in, taps..); a transposed convolution
 * writes what that reads, and reads what that writes.
 *
 * Strict order: a thread has one element of a result, which is one chain of fused multiply-adds from 0
 * on, then one addition of the bias. Of y, and of a transposed one's dx: by channels of the group, then
 * by taps; of dx, and of a transposed one's y: by channels, then by outputs; of dw: by images, then by
 * outputs. All row-major. db adds up in a fixed order (cuda/sum/any_axes.h). */
#include "../math/elementary.h"
#include "../sum/any_axes.h"
#include "../window/runs.h"

#ifndef __FRAMAC__
/* What a result has of channels: those of a group that are written and read, and the elements of a
 * line of each. */
typedef struct conv_sides {
  idx groups, to, from, n, m, taps;
} conv_sides;

/* Element i of channel a of group q of all images. Side 0 of the windows is read for `back` == 0,
 * else side 1: w is (groups, out, in, taps). */
template <int R, class I>
DEV float conv_of(const window_axes<I> &axes, const conv_sides &s, int back, idx q, idx a, I i,
                  const float *RESTRICT z, const float *RESTRICT w)
{
  float v = 0;
  idx g = q % s.groups;
  window_runs<R, I> runs;
  if (!window_runs_of(axes, back ? OF_CELL : OF_OUT, i, runs))
    return v;
  for (idx b = 0; b < s.from; b++) {
    const float *line = z + (q * s.from + b) * s.m;
    idx kernel = back ? (g * s.from + b) * s.to + a : (g * s.to + a) * s.from + b;
    const float *taps = w + kernel * s.taps;
    window_walk(runs, [&](I at, I u) { v = PM_FMA(LDG(line + at), LDG(taps + u), v); });
  }
  return v;
}

/* y: (lines, n), a line a channel of an image; of z and w, plus b of the channel where there is one. */
TEMPLATE(int R, class I)
KERNEL void conv_direct(CONSTANTS(int R) window_axes<I> axes, conv_sides s, int back, int adds,
                        idx lines, const float *RESTRICT z, const float *RESTRICT w,
                        const float *RESTRICT b, float *RESTRICT y)
{
  GROWS(l, lines, s.n) {
    GCOLS(i, s.n) {
      float v = conv_of<R>(axes, s, back, l / s.to, l % s.to, (I)i, z, w), *to = y + (l * s.n + i);
      if (b)
        v += LDG(b + l % (s.groups * s.to));
      STG(to, adds ? LDG(to) + v : v);
    }
  }
}

/* The gradient of tap u of the kernel of channels o and i of group g. */
template <int R, class I>
DEV float conv_weight_of(const window_axes<I> &axes, const conv_sides &s, idx batch, idx g, idx o,
                         idx i, I u, const float *RESTRICT x, const float *RESTRICT dy)
{
  float v = 0;
  window_runs<R, I> runs;
  if (!window_runs_of(axes, OF_TAP, u, runs))
    return v;
  for (idx q = g; q < batch * s.groups; q += s.groups) {
    const float *cells = x + (q * s.from + i) * s.m, *outs = dy + (q * s.to + o) * s.n;
    window_walk(runs, [&](I j, I t) { v = PM_FMA(LDG(cells + j), LDG(outs + t), v); });
  }
  return v;
}

/* dw: (kernels, taps); x has the cells, dy the outputs. */
TEMPLATE(int R, class I)
KERNEL void conv_weights(CONSTANTS(int R) window_axes<I> axes, conv_sides s, int adds, idx batch,
                         idx kernels, const float *RESTRICT x, const float *RESTRICT dy,
                         float *RESTRICT dw)
{
  GROWS(k, kernels, s.taps) {
    GCOLS(u, s.taps) {
      idx o = k / s.from;
      float v = conv_weight_of<R>(axes, s, batch, o / s.to, o % s.to, k % s.from, (I)u, x, dy);
      float *to = dw + (k * s.taps + u);
      STG(to, adds ? LDG(to) + v : v);
    }
  }
}

/* -------------------------------------------------- the table */
#include "../window/plan.h"

enum { BLOCK = 256, RANK = WINDOW_RANK };
/* where the dims and integer attributes of the catalogue are, the latter behind all dims */
enum { BATCH, GROUPS, CHANNELS_IN, CHANNELS_OUT, AT_SHAPE, AT_KERNEL = AT_SHAPE + RANK };
enum { AT_STRIDE = AT_KERNEL + RANK + 1, AT_PAD = AT_STRIDE + RANK };
enum { AT_DILATION = AT_PAD + RANK, AT_OUTPUT_PAD = AT_DILATION + RANK };

/* The elements of a line of x and of y; 0 where there are none. */
static void extents(const int64_t *size, int transposed, idx *x, idx *y)
{
  *x = *y = 1;
  for (int e = 0; e < RANK; e++) {
    idx n = size[AT_SHAPE + e], k = size[AT_KERNEL + e], s = size[AT_STRIDE + e];
    idx p = size[AT_PAD + e], d = size[AT_DILATION + e], to = 0;
    if (s > 0 && d > 0)
      to = transposed ? window_spread(n, k, s, p, d, size[AT_OUTPUT_PAD + e])
                      : window_out(n, k, s, p, d);
    *x *= n;
    *y *= to > 0 ? to : 0;
  }
}

/* db: the sum over batch and line of (batch, channels, n). */
static axis_plan bias_plan(idx batch, idx channels, idx n)
{
  const idx size[] = {batch, channels, n};
  const int kept[] = {0, 1, 0};
  if (batch == 0 || channels == 0 || n == 0 || (batch == 1 && n == 1))
    return axis_copy_plan(batch == 1 && n == 1, channels);
  return axis_sum_plan(3, size, kept);
}

static void declare_of(const int64_t *size, pm_arith *out, int back)
{
  out->height[0] =
      (double)size[CHANNELS_IN] * window_taps(size + AT_KERNEL, size + AT_STRIDE, back);
}
static void declare_conv(const int64_t *size, pm_arith *out) { declare_of(size, out, 0); }
static void declare_transposed(const int64_t *size, pm_arith *out) { declare_of(size, out, 1); }

/* transposed: x has the outputs of the windows, and g their cells. */
static void declare_back(const int64_t *size, pm_arith *out, int transposed)
{
  idx x, y;
  extents(size, transposed, &x, &y);
  const axis_plan db = bias_plan(size[BATCH], size[GROUPS] * size[CHANNELS_OUT], y);
  out->height[0] =
      (double)size[CHANNELS_OUT] * window_taps(size + AT_KERNEL, size + AT_STRIDE, !transposed);
  out->height[1] = (double)size[BATCH] * (double)(transposed ? x : y);
  if (axis_height(&db) > out->height[1])
    out->height[1] = axis_height(&db);
}
static void declare_conv_vjp(const int64_t *size, pm_arith *out) { declare_back(size, out, 0); }
static void declare_transposed_vjp(const int64_t *size, pm_arith *out)
{
  declare_back(size, out, 1);
}

static const pm_kernel ROWS[] = {
    {"conv", "direct", "always", PM_CHECKED, declare_conv},
    {"conv_vjp", "direct", "always", PM_CHECKED, declare_conv_vjp},
    {"conv_transpose", "direct", "always", PM_CHECKED, declare_transposed},
    {"conv_transpose_vjp", "direct", "always", PM_CHECKED, declare_transposed_vjp},
};

static size_t workspace(const char *op, const int64_t *size)
{
  idx x, y;
  int transposed = strcmp(op, "conv_transpose_vjp") == 0;
  if (!transposed && strcmp(op, "conv_vjp") != 0)
    return 0;
  extents(size, transposed, &x, &y);
  axis_plan db = bias_plan(size[BATCH], size[GROUPS] * size[CHANNELS_OUT], y);
  return db.bytes[0] + db.bytes[1];
}

/* -------------------------------------------------- launches */

typedef struct conv_call {
  int64_t batch, groups, in, out; /* in and out of a group, of what reads x and writes y */
  window_call window;
} conv_call;

/* transposed: what is read has the outputs of the windows. Elements of each tensor. */
typedef struct conv_plan {
  window_plan w;
  idx batch, groups, in, out, n_x, n_y;    /* n: elements of a line */
  idx channels, lines_x, lines_y, kernels; /* channels: of y */
  idx x, y, weights;
} conv_plan;

static conv_plan plan_conv(pm_check *c, const conv_call *p, int transposed)
{
  conv_plan t = {};
  pm_size(c, "batch", p->batch);
  pm_filled(c, "groups", p->groups);
  pm_size(c, "in", p->in);
  pm_size(c, "out", p->out);
  t.w = plan_window(c, &p->window, 0);
  t.batch = p->batch, t.groups = p->groups, t.in = p->in, t.out = p->out;
  t.n_x = transposed ? t.w.outs : t.w.cells;
  t.n_y = transposed ? t.w.cells : t.w.outs;
  idx all = pm_times(c, "batch", p->batch, "groups", p->groups);
  idx channels_x = pm_times(c, "groups", p->groups, "in", p->in);
  t.channels = pm_times(c, "groups", p->groups, "out", p->out);
  t.lines_x = pm_times(c, "the groups of all images", all, "in", p->in);
  t.lines_y = pm_times(c, "the groups of all images", all, "out", p->out);
  t.kernels = pm_times(c, "the channels of x", channels_x, "out", p->out);
  t.x = pm_times(c, "the channels of all images", t.lines_x, "the elements of a line of x", t.n_x);
  t.y = pm_times(c, "the channels of all images", t.lines_y, "the elements of a line of y", t.n_y);
  t.weights = pm_times(c, "kernels", t.kernels, "the taps of a kernel", t.w.taps);
  return t;
}

/* y of x, of channels and lines as t has them; back: it is the outputs of the windows that are read. */
static void convolve(pm_check *c, pm_exec *ex, const conv_plan *t, int back, const float *x,
                     const float *w, const float *b, float *y)
{
  conv_sides s = {t->groups, t->out, t->in, t->n_y, t->n_x, t->w.taps};
  unsigned blocks = pm_blocks(c, t->y, BLOCK);
  if (blocks)
    WINDOW_LAUNCH(t->w, conv_direct, blocks, s, back, 0, t->lines_y, x, w, b, y);
}

static pm_status conv(pm_check *c, pm_exec *ex, const conv_call *p, int transposed, const float *x,
                      const float *w, const float *b, float *y)
{
  conv_plan t = plan_conv(c, p, transposed);
  pm_in(c, "x", x, t.x, sizeof *x);
  pm_in(c, "w", w, t.weights, sizeof *w);
  pm_in(c, "b", b, t.channels, sizeof *b);
  pm_out(c, "y", y, t.y, sizeof *y);
  if (pm_checked(c) != PM_OK || PM_PICK(c, ex, ROWS, 1u) < 0)
    return c->status;
  fill_axes(&t.w);
  convolve(c, ex, &t, transposed, x, w, b, y);
  return pm_launched(c);
}

static void gradients(pm_check *c, pm_exec *ex, const conv_plan *t, int transposed, int adds,
                      const float *x, const float *w, const float *g, float *dx, float *dw)
{
  conv_sides s = {t->groups, t->in, t->out, t->n_x, t->n_y, t->w.taps};
  unsigned blocks = pm_blocks(c, t->x, BLOCK);
  if (blocks)
    WINDOW_LAUNCH(t->w, conv_direct, blocks, s, !transposed, adds, t->lines_x, g, w, NULL, dx);
  conv_sides both = {t->groups, t->out, t->in, t->n_y, t->n_x, t->w.taps};
  if (transposed)
    both = s;
  blocks = pm_blocks(c, t->weights, BLOCK);
  if (blocks)
    WINDOW_LAUNCH(t->w, conv_weights, blocks, both, adds, t->batch, t->kernels, transposed ? g : x,
                  transposed ? x : g, dw);
}

static pm_status conv_back(pm_check *c, pm_exec *ex, const conv_call *p, int transposed,
                           int accumulate, const float *x, const float *w, const float *g,
                           float *dx, float *dw, float *db)
{
  pm_flag(c, "accumulate", accumulate);
  conv_plan t = plan_conv(c, p, transposed);
  axis_plan sums = {};
  if (c->status == PM_OK)
    sums = bias_plan(t.batch, t.channels, t.n_y);
  pm_in(c, "x", x, t.x, sizeof *x);
  pm_in(c, "w", w, t.weights, sizeof *w);
  pm_in(c, "g", g, t.y, sizeof *g);
  pm_out(c, "dx", dx, t.x, sizeof *dx);
  pm_out(c, "dw", dw, t.weights, sizeof *dw);
  pm_out(c, "db", db, t.channels, sizeof *db);
  pm_work(c, sums.bytes[0] + sums.bytes[1]);
  if (pm_checked(c) != PM_OK || PM_PICK(c, ex, ROWS, 1u) < 0)
    return c->status;
  fill_axes(&t.w);
  gradients(c, ex, &t, transposed, accumulate, x, w, g, dx, dw);
  if (t.channels > 0)
    axis_sum_launch(c, ex, &sums, pm_aligned16(g) && pm_aligned16(db), accumulate, g, db);
  return pm_launched(c);
}

#define CONV_PARAMS                                                                       \
  int64_t batch, int64_t groups, int64_t in, int64_t out, int rank, const int64_t *shape, \
      const int64_t *kernel, const int64_t *stride, const int64_t *pad, const int64_t *dilation
#define CONV_CALL(...)                                                                  \
  {                                                                                     \
    batch, groups, in, out, { rank, shape, kernel, stride, pad, dilation, __VA_ARGS__ } \
  }
#define CONV_READS const float *x, const float *w, const float *b, float *y
#define CONV_READS_BACK \
  const float *x, const float *w, const float *g, float *dx, float *dw, float *db

extern "C" pm_status LAUNCHER(conv)(pm_exec *ex, CONV_PARAMS, CONV_READS)
{
  pm_check c = pm_begin("conv", ex);
  conv_call p = CONV_CALL(NULL);
  return conv(&c, ex, &p, 0, x, w, b, y);
}

extern "C" pm_status LAUNCHER(conv_vjp)(pm_exec *ex, int accumulate, CONV_PARAMS, CONV_READS_BACK)
{
  pm_check c = pm_begin("conv_vjp", ex);
  conv_call p = CONV_CALL(NULL);
  return conv_back(&c, ex, &p, 0, accumulate, x, w, g, dx, dw, db);
}

/* A list that is not there would say that it is no transposed one. */
static void pads(pm_check *c, int rank, const int64_t *output_pad)
{
  if (c->status == PM_OK && !output_pad)
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op, "output_pad = NULL: must point to %d numbers", rank);
}

extern "C" pm_status LAUNCHER(conv_transpose)(pm_exec *ex, CONV_PARAMS, const int64_t *output_pad,
                                              CONV_READS)
{
  pm_check c = pm_begin("conv_transpose", ex);
  conv_call p = CONV_CALL(output_pad);
  pads(&c, rank, output_pad);
  return conv(&c, ex, &p, 1, x, w, b, y);
}

extern "C" pm_status LAUNCHER(conv_transpose_vjp)(pm_exec *ex, int accumulate, CONV_PARAMS,
                                                  const int64_t *output_pad, CONV_READS_BACK)
{
  pm_check c = pm_begin("conv_transpose_vjp", ex);
  conv_call p = CONV_CALL(output_pad);
  pads(&c, rank, output_pad);
  return conv_back(&c, ex, &p, 1, accumulate, x, w, g, dx, dw, db);
}

PM_FAMILY(conv, ROWS, workspace);
#endif
