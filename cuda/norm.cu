/* layer_norm, rms_norm and their VJPs (norm_rows.h). What a VJP sums over rows it sums in two
 * stages: each block or chunk of rows by itself, then those sums, in an order that sizes alone
 * decide. */
#include "check.h"
#include "axis_sum.h"
#include "norm_rows.h"
#include "table.h"

#include <string.h>

enum { WARP, REGS, STREAM };
enum {
  VJP_REGS_K = 4, /* x, g and the sums of both are held */
  VJP_REGS_COLS = 4 * REGS_BLOCK * VJP_REGS_K,
  WARP_BLOCKS = 1056, /* of a VJP: 8, and 2 of the larger ones, on each of 132 processors */
  REGS_BLOCKS = 264
};

/* ---- who does what: from the sizes alone ---- */

static int vjp_regs_k(int64_t cols) { return cols <= 4 * REGS_BLOCK * 2 ? 2 : VJP_REGS_K; }

static int vjp_regs_block(int64_t cols)
{
  return 32 * (int)divide_up(cols, 32 * 4 * vjp_regs_k(cols));
}

static int warp_groups(int64_t cols) { return WARP_BLOCK >> warp_log_lanes(cols); }

/* Blocks, or chunks of rows: the rows of sums that a VJP's first stage leaves. */
static int64_t n_sums(int variant, int64_t rows, int64_t cols)
{
  int64_t tiles = variant == WARP ? divide_up(rows, warp_groups(cols)) : rows;
  int64_t most = variant == WARP ? WARP_BLOCKS : REGS_BLOCKS;
  if (variant == STREAM)
    return rows ? colsum_chunks(rows, colsum_chunk(rows, cols)) : 0;
  return tiles < most ? tiles : most;
}

static axis_plan second_stage(int64_t sums, int64_t cols)
{
  const idx size[] = {sums, cols};
  const int kept[] = {0, 1};
  return sums > 1 ? axis_sum_plan(2, size, kept) : axis_copy_plan(sums, cols);
}

static size_t whole16(size_t bytes) { return (bytes + 15) / 16 * 16; }

static size_t sums_bytes(int64_t sums, int64_t cols)
{
  return whole16((size_t)(2 * sums * cols) * sizeof(float));
}

static size_t variant_bytes(int variant, int64_t rows, int64_t cols)
{
  int64_t sums = n_sums(variant, rows, cols);
  axis_plan plan = second_stage(sums, cols);
  return sums_bytes(sums, cols) + plan.bytes[0] + plan.bytes[1];
}

/* Bit v: variant v may run. */
static unsigned suited(int vjp, int64_t cols)
{
  const int64_t most = vjp ? (int64_t)VJP_REGS_COLS : (int64_t)REGS_COLS;
  return 1u << STREAM | (cols <= most ? 1u << REGS : 0u) | (cols <= WARP_COLS ? 1u << WARP : 0u);
}

/* Of whichever variant runs. */
static size_t vjp_bytes(int64_t rows, int64_t cols)
{
  size_t most = 0;
  for (int v = WARP; v <= STREAM; v++) {
    size_t bytes = suited(1, cols) >> v & 1 ? variant_bytes(v, rows, cols) : 0;
    most = bytes > most ? bytes : most;
  }
  return most;
}

static size_t workspace(const char *op, const int64_t *size)
{
  int vjp = !strcmp(op, "layer_norm_vjp") || !strcmp(op, "rms_norm_vjp");
  return vjp && size[1] > 0 ? vjp_bytes(size[0], size[1]) : 0;
}

/* ---- what is declared ---- */

/* Additions above an element of a row. */
static double row_height(int variant, int vjp, int64_t cols)
{
  if (variant == WARP)
    return warp_k(cols) + 1 + 5;
  if (variant == REGS)
    return (vjp ? vjp_regs_k(cols) : regs_k(cols)) + 1 + BLOCK_SUM_HEIGHT;
  return (double)divide_up(cols, big_block(cols)) + BLOCK_SUM_HEIGHT;
}

/* Above an element of a column: the rows of a block or chunk, its groups, the second stage. */
static double column_height(int variant, int64_t rows, int64_t cols)
{
  int64_t sums = n_sums(variant, rows, cols), groups = variant == WARP ? warp_groups(cols) : 1;
  int64_t each = sums ? divide_up(divide_up(rows, groups), sums) : 0;
  axis_plan plan = second_stage(sums, cols);
  return (double)(each + groups - 1) + axis_height(&plan);
}

static void declare(int variant, const int64_t *size, pm_arith *out)
{
  out->k_rsqrt = PM_K_RSQRT;
  out->height[0] = out->height[1] = row_height(variant, 0, size[1]);
}

static void declare_vjp(int variant, const int64_t *size, pm_arith *out)
{
  out->height[0] = row_height(variant, 1, size[1]);
  out->height[1] = column_height(variant, size[0], size[1]);
}

static void declare_warp(const int64_t *size, pm_arith *out) { declare(WARP, size, out); }
static void declare_regs(const int64_t *size, pm_arith *out) { declare(REGS, size, out); }
static void declare_stream(const int64_t *size, pm_arith *out) { declare(STREAM, size, out); }
static void declare_vjp_warp(const int64_t *size, pm_arith *out) { declare_vjp(WARP, size, out); }
static void declare_vjp_regs(const int64_t *size, pm_arith *out) { declare_vjp(REGS, size, out); }
static void declare_vjp_stream(const int64_t *size, pm_arith *out)
{
  declare_vjp(STREAM, size, out);
}

#define OF(op)                                                 \
  {op, "warp", "cols <= 512", PM_CHECKED, declare_warp},       \
      {op, "regs", "cols <= 16384", PM_CHECKED, declare_regs}, \
  {                                                            \
    op, "stream", "always", PM_CHECKED, declare_stream         \
  }
#define OF_VJP(op)                                                \
  {op, "warp", "cols <= 512", PM_CHECKED, declare_vjp_warp},      \
      {op, "regs", "cols <= 8192", PM_CHECKED, declare_vjp_regs}, \
  {                                                               \
    op, "stream", "always", PM_CHECKED, declare_vjp_stream        \
  }
static const pm_kernel ROWS[] = {OF("layer_norm"), OF_VJP("layer_norm_vjp"), OF("rms_norm"),
                                 OF_VJP("rms_norm_vjp")};

/* ---- launchers ---- */

/* The arguments of both ops; what the op or `affine` leaves out is NULL. */
typedef struct forward_call {
  int64_t rows, cols;
  float eps;
  const float *x, *gamma, *beta;
  float *y, *mean, *rstd;
} forward_call;

typedef struct vjp_call {
  int accumulate, affine;
  int64_t rows, cols;
  const float *x, *gamma, *mean, *rstd, *g;
  float *dx, *dgamma, *dbeta;
} vjp_call;

static int64_t check_sizes(pm_check *c, int64_t rows, int64_t cols)
{
  pm_size(c, "rows", rows);
  pm_size(c, "cols", cols);
  pm_filled(c, "cols", cols);
  return pm_times(c, "rows", rows, "cols", cols);
}

/* 16-byte accesses fit. An absent tensor does not matter. */
static int vec_suits(int64_t cols, const float *a, const float *b, const float *c, const float *d)
{
  return cols % 4 == 0 && pm_aligned16(a) && pm_aligned16(b) && pm_aligned16(c) && pm_aligned16(d);
}

/* Blocks for that many tiles; the loops take what is over. */
static int64_t tile_grid(int64_t tiles, int block)
{
  return big_grid(tiles, 2048 / block < 32 ? 2048 / block : 32);
}

template <int CENTERED> static void launch_forward(const pm_exec *ex, int v, const forward_call *t)
{
  int w = (int)t->cols, vec = vec_suits(t->cols, t->x, t->gamma, t->beta, t->y);
  if (v == STREAM) {
    LAUNCH(norm_stream<CENTERED>, big_grid(t->rows, 2), big_block(t->cols), ex->stream, t->rows,
           t->cols, t->eps, t->x, t->gamma, t->beta, t->y, t->mean, t->rstd);
    return;
  }
  int block = v == WARP ? WARP_BLOCK : regs_block(t->cols);
  int lanes = v == WARP ? 1 << warp_log_lanes(t->cols) : block;
  int64_t grid = tile_grid(divide_up(t->rows, block / lanes), block);
#define RUN(K, VEC)                                                                               \
  LAUNCH((norm_rows<CENTERED, K, VEC>), grid, block, ex->stream, lanes, t->rows, w, t->eps, t->x, \
         t->gamma, t->beta, t->y, t->mean, t->rstd)
  int k = v == WARP ? warp_k(t->cols) : regs_k(t->cols);
  if (k == 2) {
    WITH_VEC(RUN, 2, vec);
  } else if (k == 4) {
    WITH_VEC(RUN, 4, vec);
  } else {
    WITH_VEC(RUN, REGS_K, vec);
  }
#undef RUN
}

template <int CENTERED>
static void launch_backward(const pm_exec *ex, int v, int64_t sums, const vjp_call *t)
{
  float *part = (float *)ex->work;
  int w = (int)t->cols, vec = vec_suits(t->cols, t->x, t->gamma, t->g, t->dx);
  if (v == STREAM) {
    idx chunk = colsum_chunk(t->rows, t->cols);
    enum { BLOCK = 128 };
    LAUNCH(norm_vjp_stream<CENTERED>, big_grid(t->rows, 2), big_block(t->cols), ex->stream,
           t->accumulate, t->rows, t->cols, t->x, t->gamma, t->mean, t->rstd, t->g, t->dx);
    LAUNCH(norm_columns<CENTERED>, divide_up(sums * t->cols, BLOCK), BLOCK, ex->stream, t->rows,
           t->cols, chunk, sums, t->x, t->mean, t->rstd, t->g, part);
    return;
  }
  int block = v == WARP ? WARP_BLOCK : vjp_regs_block(t->cols);
  int lanes = v == WARP ? 1 << warp_log_lanes(t->cols) : block;
#define RUN(K, VEC)                                                                        \
  LAUNCH((norm_vjp_rows<CENTERED, K, VEC>), sums, block, ex->stream, lanes, t->accumulate, \
         t->rows, w, t->x, t->gamma, t->mean, t->rstd, t->g, t->dx, part)
  int k = v == WARP ? warp_k(t->cols) : vjp_regs_k(t->cols);
  if (k == 2) {
    WITH_VEC(RUN, 2, vec);
  } else {
    WITH_VEC(RUN, VJP_REGS_K, vec);
  }
#undef RUN
}

/* dgamma and dbeta from the first stage's sums; 0 where there are none, or gamma is not there. */
static void finish(pm_check *c, const pm_exec *ex, int64_t sums, const vjp_call *t)
{
  const float *part = (const float *)ex->work;
  size_t used = sums_bytes(sums, t->cols);
  axis_plan plan = second_stage(sums, t->cols), none = second_stage(0, t->cols);
  pm_exec rest = *ex;
  rest.work = (char *)ex->work + used;
  rest.work_bytes = ex->work_bytes - used;
  axis_sum_launch(c, &rest, t->affine ? &plan : &none, pm_aligned16(t->dgamma), t->accumulate, part,
                  t->dgamma);
  if (t->dbeta)
    axis_sum_launch(c, &rest, &plan, pm_aligned16(t->dbeta), t->accumulate, part + sums * t->cols,
                    t->dbeta);
}

/* After the arguments of a forward op are listed in *c. */
static pm_status run_forward(pm_check *c, pm_exec *ex, const forward_call *t)
{
  if (pm_checked(c) != PM_OK)
    return c->status;
  int v = PM_PICK(c, ex, ROWS, suited(0, t->cols));
  if (v >= 0 && t->rows && t->mean)
    launch_forward<1>(ex, v, t);
  else if (v >= 0 && t->rows)
    launch_forward<0>(ex, v, t);
  return pm_launched(c);
}

/* After the arguments of a VJP are listed in *c. */
static pm_status run_vjp(pm_check *c, pm_exec *ex, const vjp_call *t)
{
  pm_work(c, c->status == PM_OK ? vjp_bytes(t->rows, t->cols) : 0);
  if (pm_checked(c) != PM_OK)
    return c->status;
  int v = PM_PICK(c, ex, ROWS, suited(1, t->cols));
  if (v < 0)
    return c->status;
  int64_t sums = n_sums(v, t->rows, t->cols);
  if (t->rows && t->mean)
    launch_backward<1>(ex, v, sums, t);
  else if (t->rows)
    launch_backward<0>(ex, v, sums, t);
  finish(c, ex, sums, t);
  return pm_launched(c);
}

extern "C" pm_status LAUNCHER(layer_norm)(pm_exec *ex, int64_t rows, int64_t cols, float eps,
                                          const float *x, const float *gamma, const float *beta,
                                          float *y, float *mean, float *rstd)
{
  pm_check c = pm_begin("layer_norm", ex);
  const forward_call t = {rows, cols, eps, x, gamma, beta, y, mean, rstd};
  int64_t n = check_sizes(&c, rows, cols);
  pm_positive(&c, "eps", eps);
  pm_in(&c, "x", x, n, sizeof *x);
  pm_in(&c, "gamma", gamma, cols, sizeof *gamma);
  pm_in(&c, "beta", beta, cols, sizeof *beta);
  pm_out(&c, "y", y, n, sizeof *y);
  pm_out(&c, "mean", mean, rows, sizeof *mean);
  pm_out(&c, "rstd", rstd, rows, sizeof *rstd);
  return run_forward(&c, ex, &t);
}

extern "C" pm_status LAUNCHER(layer_norm_vjp)(pm_exec *ex, int accumulate, int64_t rows,
                                              int64_t cols, const float *x, const float *gamma,
                                              const float *mean, const float *rstd, const float *g,
                                              float *dx, float *dgamma, float *dbeta)
{
  pm_check c = pm_begin("layer_norm_vjp", ex);
  const vjp_call t = {accumulate, 1, rows, cols, x, gamma, mean, rstd, g, dx, dgamma, dbeta};
  pm_flag(&c, "accumulate", accumulate);
  int64_t n = check_sizes(&c, rows, cols);
  pm_in(&c, "x", x, n, sizeof *x);
  pm_in(&c, "gamma", gamma, cols, sizeof *gamma);
  pm_in(&c, "mean", mean, rows, sizeof *mean);
  pm_in(&c, "rstd", rstd, rows, sizeof *rstd);
  pm_in(&c, "g", g, n, sizeof *g);
  pm_out(&c, "dx", dx, n, sizeof *dx);
  pm_out(&c, "dgamma", dgamma, cols, sizeof *dgamma);
  pm_out(&c, "dbeta", dbeta, cols, sizeof *dbeta);
  return run_vjp(&c, ex, &t);
}

extern "C" pm_status LAUNCHER(rms_norm)(pm_exec *ex, int64_t rows, int64_t cols, int affine,
                                        float eps, const float *x, const float *gamma, float *y,
                                        float *rstd)
{
  pm_check c = pm_begin("rms_norm", ex);
  const forward_call t = {rows, cols, eps, x, affine ? gamma : NULL, NULL, y, NULL, rstd};
  int64_t n = check_sizes(&c, rows, cols);
  pm_flag(&c, "affine", affine);
  pm_positive(&c, "eps", eps);
  pm_in(&c, "x", x, n, sizeof *x);
  pm_in(&c, "gamma", gamma, affine ? cols : 0, sizeof *gamma);
  pm_out(&c, "y", y, n, sizeof *y);
  pm_out(&c, "rstd", rstd, rows, sizeof *rstd);
  return run_forward(&c, ex, &t);
}

extern "C" pm_status LAUNCHER(rms_norm_vjp)(pm_exec *ex, int accumulate, int64_t rows, int64_t cols,
                                            int affine, const float *x, const float *gamma,
                                            const float *rstd, const float *g, float *dx,
                                            float *dgamma)
{
  pm_check c = pm_begin("rms_norm_vjp", ex);
  const vjp_call t = {accumulate, affine, rows, cols, x,      affine ? gamma : NULL,
                      NULL,       rstd,   g,    dx,   dgamma, NULL};
  pm_flag(&c, "accumulate", accumulate);
  int64_t n = check_sizes(&c, rows, cols);
  pm_flag(&c, "affine", affine);
  pm_in(&c, "x", x, n, sizeof *x);
  pm_in(&c, "gamma", gamma, affine ? cols : 0, sizeof *gamma);
  pm_in(&c, "rstd", rstd, rows, sizeof *rstd);
  pm_in(&c, "g", g, n, sizeof *g);
  pm_out(&c, "dx", dx, n, sizeof *dx);
  pm_out(&c, "dgamma", dgamma, cols, sizeof *dgamma);
  return run_vjp(&c, ex, &t);
}

PM_FAMILY(norm, ROWS, workspace);
