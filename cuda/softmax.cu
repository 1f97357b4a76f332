/* softmax over the last axis and its VJP: x, y, g, dx are (rows, cols).
 *
 * Both read a row, reduce it, and write it; the variants differ in where the row waits meanwhile,
 * so that it is read from memory once:
 *   warp    in the registers of a group of up to 32 lanes, 4 k elements a lane
 *   regs    in the registers of a block, 4 k elements a thread
 *   shared  in the shared memory of a block, and partly in its registers; the next row arrives
 *           while this one is worked on and written (softmax_shared.h)
 *   stream  nowhere: it is read again. Any size.
 * Which elements a lane owns does not depend on addresses, so neither do the bits. */
#include "check.h"
#include "rows.h"
#include "softmax_shared.h"
#include "table.h"

DEV float max_of(const float *v, int k)
{
  float m = -INFINITY;
  UNROLL
  for (int i = 0; i < 4 * k; i++) m = larger(m, v[i]);
  return m;
}

/* v[i] = exp(v[i] - m); their sum, in a tree of height k + 1. */
DEV float exp_all(float *v, int k, float m)
{
  float s = 0.0f;
  UNROLL
  for (int j = 0; j < k; j++) {
    float *q = v + 4 * j;
    UNROLL
    for (int i = 0; i < 4; i++) q[i] = pm_expf(q[i] - m);
    s = s + ((q[0] + q[1]) + (q[2] + q[3]));
  }
  return s;
}

DEV void scale_all(float *v, int k, float a)
{
  UNROLL
  for (int i = 0; i < 4 * k; i++) v[i] = v[i] * a;
}

DEV void pull_all(float *y, const float *g, int k, float d)
{
  UNROLL
  for (int i = 0; i < 4 * k; i++) y[i] = y[i] * (g[i] - d);
}

/* ---- warp: 2^log_lanes lanes a row ---- */

template <int K, int VEC>
KERNEL void softmax_warp(int log_lanes, idx rows, int cols, const float *RESTRICT x,
                         float *RESTRICT y)
{
  int lanes = 1 << log_lanes, lane = TID_ & (lanes - 1);
  idx row = (idx)blockIdx.x * (BDIM >> log_lanes) + (TID_ >> log_lanes);
  int have = row < rows ? cols : 0;
  float v[4 * K];
  load_row(v, x + row * cols, K, VEC, lane, lanes, have, -INFINITY);
  float m = group_max(max_of(v, K), lanes);
  float s = group_sum(exp_all(v, K, m), lanes);
  scale_all(v, K, 1.0f / s);
  store_row(y + row * cols, v, K, VEC, lane, lanes, have);
}

template <int K, int VEC>
KERNEL void softmax_vjp_warp(int log_lanes, int accumulate, idx rows, int cols,
                             const float *RESTRICT y, const float *RESTRICT g, float *RESTRICT dx)
{
  int lanes = 1 << log_lanes, lane = TID_ & (lanes - 1);
  idx row = (idx)blockIdx.x * (BDIM >> log_lanes) + (TID_ >> log_lanes), at = row * cols;
  int have = row < rows ? cols : 0;
  float v[4 * K], w[4 * K];
  load_row(v, y + at, K, VEC, lane, lanes, have, 0.0f);
  load_row(w, g + at, K, VEC, lane, lanes, have, 0.0f);
  float d = group_sum(dot_all(v, w, K), lanes);
  pull_all(v, w, K, d);
  if (accumulate) {
    load_row(w, dx + at, K, VEC, lane, lanes, have, 0.0f);
    add_all(v, w, K);
  }
  store_row(dx + at, v, K, VEC, lane, lanes, have);
}

/* ---- regs: block b does row b ---- */

template <int K, int VEC>
KERNEL void __launch_bounds__(REGS_BLOCK)
    softmax_regs(int cols, const float *RESTRICT x, float *RESTRICT y)
{
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  idx at = (idx)blockIdx.x * cols;
  float v[4 * K];
  load_row(v, x + at, K, VEC, TID_, BDIM, cols, -INFINITY);
  float m = block_max(max_of(v, K), sm);
  float s = block_sum(exp_all(v, K, m), ss);
  scale_all(v, K, 1.0f / s);
  store_row(y + at, v, K, VEC, TID_, BDIM, cols);
}

template <int K, int VEC>
KERNEL void __launch_bounds__(REGS_BLOCK)
    softmax_vjp_regs(int accumulate, int cols, const float *RESTRICT y, const float *RESTRICT g,
                     float *RESTRICT dx)
{
  SHARED(float, ss, 32);
  idx at = (idx)blockIdx.x * cols;
  float v[4 * K], w[4 * K];
  load_row(v, y + at, K, VEC, TID_, BDIM, cols, 0.0f);
  load_row(w, g + at, K, VEC, TID_, BDIM, cols, 0.0f);
  float d = block_sum(dot_all(v, w, K), ss);
  pull_all(v, w, K, d);
  if (accumulate) {
    load_row(w, dx + at, K, VEC, TID_, BDIM, cols, 0.0f);
    add_all(v, w, K);
  }
  store_row(dx + at, v, K, VEC, TID_, BDIM, cols);
}

/* ---- stream: blocks b, b + GRID, ... ---- */

KERNEL void softmax_stream(idx rows, idx cols, const float *RESTRICT x, float *RESTRICT y)
{
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  for (idx row = blockIdx.x; row < rows; row += gridDim.x) {
    const float *in = x + row * cols;
    float *out = y + row * cols;
    float m = -INFINITY, s = 0.0f;
    for (idx c = TID_; c < cols; c += BDIM) m = larger(m, in[c]);
    m = block_max(m, sm);
    for (idx c = TID_; c < cols; c += BDIM) s = s + pm_expf(in[c] - m);
    s = 1.0f / block_sum(s, ss);
    for (idx c = TID_; c < cols; c += BDIM) out[c] = pm_expf(in[c] - m) * s;
  }
}

KERNEL void softmax_vjp_stream(int accumulate, idx rows, idx cols, const float *RESTRICT y,
                               const float *RESTRICT g, float *RESTRICT dx)
{
  SHARED(float, ss0, 32);
  SHARED(float, ss1, 32);
  int odd = 0;
  for (idx row = blockIdx.x; row < rows; row += gridDim.x, odd ^= 1) {
    idx at = row * cols;
    float d = 0.0f;
    for (idx c = TID_; c < cols; c += BDIM) d = d + y[at + c] * g[at + c];
    d = block_sum(d, odd ? ss1 : ss0);
    for (idx c = TID_; c < cols; c += BDIM) {
      float e = y[at + c] * (g[at + c] - d);
      dx[at + c] = accumulate ? dx[at + c] + e : e;
    }
  }
}

/* ---- the table ---- */

enum { WARP, REGS, IN_SHARED, STREAM };

/* Slots of 4 that a row of `shared` has, wherever it begins. */
static int64_t slots_at_most(int64_t cols) { return (cols + 34) / 4; }

static void declare(int variant, const int64_t *size, pm_arith *out)
{
  double chain = (double)divide_up(size[1], big_block(size[1]));
  if (variant == WARP)
    chain = warp_k(size[1]) + 1 - (BLOCK_SUM_HEIGHT - 5);
  else if (variant == REGS)
    chain = regs_k(size[1]) + 1;
  else if (variant == IN_SHARED)
    chain = (double)divide_up(slots_at_most(size[1]), big_block(size[1])) + 1;
  out->k_exp = PM_K_EXP;
  out->alpha = 1;
  out->height[0] = chain + BLOCK_SUM_HEIGHT;
}
static void declare_warp(const int64_t *size, pm_arith *out) { declare(WARP, size, out); }
static void declare_regs(const int64_t *size, pm_arith *out) { declare(REGS, size, out); }
static void declare_shared(const int64_t *size, pm_arith *out) { declare(IN_SHARED, size, out); }
static void declare_stream(const int64_t *size, pm_arith *out) { declare(STREAM, size, out); }

#define OF(op)                                                                 \
  {op, "warp", "cols <= 512", PM_CHECKED, declare_warp},                       \
      {op, "regs", "cols <= 16384 and rows < 2^31", PM_CHECKED, declare_regs}, \
      {op, "shared", "cols <= 57856", PM_CHECKED, declare_shared},             \
  {                                                                            \
    op, "stream", "always", PM_CHECKED, declare_stream                         \
  }
static const pm_kernel ROWS[] = {OF("softmax"), OF("softmax_vjp")};

/* Bit v: variant v may run. */
static unsigned suited(int64_t rows, int64_t cols)
{
  unsigned v = 1u << STREAM;
  if (cols <= WARP_COLS && divide_up(rows, WARP_BLOCK >> warp_log_lanes(cols)) <= 0x7fffffff)
    v |= 1u << WARP;
  if (cols <= REGS_COLS && rows <= 0x7fffffff)
    v |= 1u << REGS;
  if (cols <= SHARED_COLS)
    v |= 1u << IN_SHARED;
  return v;
}

extern "C" pm_status LAUNCHER(softmax)(pm_exec *ex, int64_t rows, int64_t cols, const float *x,
                                       float *y)
{
  pm_check c = pm_begin("softmax", ex);
  pm_size(&c, "rows", rows);
  pm_size(&c, "cols", cols);
  int64_t n = pm_times(&c, "rows", rows, "cols", cols);
  pm_in(&c, "x", x, n, sizeof *x);
  pm_out(&c, "y", y, n, sizeof *y);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  int v = PM_PICK(&c, ex, ROWS, suited(rows, cols));
  if (v < 0 || !n)
    return c.status;
  int w = (int)cols, aligned = pm_aligned16(x) && pm_aligned16(y);
  int vec = cols % 4 == 0 && aligned;
  if (v == WARP) {
    int log = warp_log_lanes(cols), k = warp_k(cols);
    int64_t grid = divide_up(rows, WARP_BLOCK >> log);
#define RUN(K, VEC) LAUNCH((softmax_warp<K, VEC>), grid, WARP_BLOCK, ex->stream, log, rows, w, x, y)
    if (k == 2) {
      WITH_VEC(RUN, 2, vec);
    } else {
      WITH_VEC(RUN, WARP_K, vec);
    }
#undef RUN
  } else if (v == REGS) {
#define RUN(K, VEC) LAUNCH((softmax_regs<K, VEC>), rows, regs_block(cols), ex->stream, w, x, y)
    if (regs_k(cols) == 4) {
      WITH_VEC(RUN, 4, vec);
    } else {
      WITH_VEC(RUN, REGS_K, vec);
    }
#undef RUN
  } else if (v == IN_SHARED) {
#define RUN(K, VEC)                                                                                \
  LAUNCH_SHARED(softmax_shared<VEC>, big_grid(rows, 1), big_block(cols), 16 * slots_at_most(cols), \
                ex->stream, rows, w, x, y)
    WITH_VEC(RUN, 0, aligned);
#undef RUN
  } else
    LAUNCH(softmax_stream, big_grid(rows, 2), big_block(cols), ex->stream, rows, cols, x, y);
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(softmax_vjp)(pm_exec *ex, int accumulate, int64_t rows, int64_t cols,
                                           const float *y, const float *g, float *dx)
{
  pm_check c = pm_begin("softmax_vjp", ex);
  pm_flag(&c, "accumulate", accumulate);
  pm_size(&c, "rows", rows);
  pm_size(&c, "cols", cols);
  int64_t n = pm_times(&c, "rows", rows, "cols", cols);
  pm_in(&c, "y", y, n, sizeof *y);
  pm_in(&c, "g", g, n, sizeof *g);
  pm_out(&c, "dx", dx, n, sizeof *dx);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  int v = PM_PICK(&c, ex, ROWS, suited(rows, cols));
  if (v < 0 || !n)
    return c.status;
  int w = (int)cols, aligned = pm_aligned16(y) && pm_aligned16(g) && pm_aligned16(dx);
  int vec = cols % 4 == 0 && aligned;
  if (v == WARP) {
    int log = warp_log_lanes(cols), k = warp_k(cols);
    int64_t grid = divide_up(rows, WARP_BLOCK >> log);
#define RUN(K, VEC)                                                                                \
  LAUNCH((softmax_vjp_warp<K, VEC>), grid, WARP_BLOCK, ex->stream, log, accumulate, rows, w, y, g, \
         dx)
    if (k == 2) {
      WITH_VEC(RUN, 2, vec);
    } else {
      WITH_VEC(RUN, WARP_K, vec);
    }
#undef RUN
  } else if (v == REGS) {
#define RUN(K, VEC) \
  LAUNCH((softmax_vjp_regs<K, VEC>), rows, regs_block(cols), ex->stream, accumulate, w, y, g, dx)
    if (regs_k(cols) == 4) {
      WITH_VEC(RUN, 4, vec);
    } else {
      WITH_VEC(RUN, REGS_K, vec);
    }
#undef RUN
  } else if (v == IN_SHARED) {
#define RUN(K, VEC)                                                          \
  LAUNCH_SHARED(softmax_vjp_shared<VEC>, big_grid(rows, 1), big_block(cols), \
                16 * slots_at_most(cols), ex->stream, accumulate, rows, w, y, g, dx)
    WITH_VEC(RUN, 0, aligned);
#undef RUN
  } else
    LAUNCH(softmax_vjp_stream, big_grid(rows, 2), big_block(cols), ex->stream, accumulate, rows,
           cols, y, g, dx);
  return pm_launched(&c);
}

PM_FAMILY(softmax, ROWS, NULL);
