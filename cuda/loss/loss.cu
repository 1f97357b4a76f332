/* Losses and their VJPs: mse_loss over n elements; cross_entropy over the rows of x, (rows, cols),
 * with a target in each. */
#include <string.h>

#include "../host/check.h"
#include "../row/cluster_variant.h"
#include "../row/split_variant.h"
#include "launch.h"
#include "mse_vjp.h"
#include "../map/map_launch.h"
#include "rows.h"
#include "../sum/plan.h"

/* ---- the table ---- */

static void declare_mse(const int64_t *size, pm_arith *out)
{
  out->height[0] = sum_height(size[0]);
}

/* height: of the tree of a row's sum. */
static void declare_rows(int variant, double height, const int64_t *size, pm_arith *out)
{
  idx rows = size[0], cols = size[1];
  out->k_exp = PM_K_EXP;
  out->k_log = PM_K_LOG;
  out->alpha = 1;
  out->height[0] = height;
  out->height[1] = sum_height(loss_parts(variant, rows, cols));
  for (idx n = 1; variant == WARP && n < WARP_BLOCK >> loss_log_lanes(cols); n *= 2)
    out->height[1] += 1; /* of a block's rows */
}
static void declare_warp(const int64_t *size, pm_arith *out)
{
  declare_rows(WARP, loss_height(WARP, size[1], 1), size, out);
}
static void declare_regs(const int64_t *size, pm_arith *out)
{
  declare_rows(REGS, loss_height(REGS, size[1], 1), size, out);
}
static void declare_shared(const int64_t *size, pm_arith *out)
{
  declare_rows(IN_SHARED, loss_height(IN_SHARED, size[1], 1), size, out);
}
static void declare_split(const int64_t *size, pm_arith *out)
{
  declare_rows(SPLIT, soft_split_height(size[0], size[1]), size, out);
}
static void declare_cluster(const int64_t *size, pm_arith *out)
{
  declare_rows(IN_CLUSTER, about_cluster_height(size[1], 0), size, out);
}

/* Of the loss alone: one more for what exp_term and products that underflow add to a sum of at
 * least 1, less than 2^-64. */
static void alone_warp(const int64_t *size, pm_arith *out)
{
  declare_rows(WARP, loss_height(WARP, size[1], 0) + 1, size, out);
}
static void alone_regs(const int64_t *size, pm_arith *out)
{
  declare_rows(REGS, loss_height(REGS, size[1], 0) + 1, size, out);
}
static void alone_online(const int64_t *size, pm_arith *out)
{
  declare_rows(ONLINE, online_height(size[1], online_block(size[1])) + 1, size, out);
}

/* What each variant buys, in us on an H200, docs/results/h200-2026-11-26/bench.txt; of the loss
 * alone:
 *   split    13.8 for online's 920 at 1 x 4194304
 *   warp     11.0 for online's 47.7 at 65536 x 64
 *   regs     15.5 for online's 17.0 at 8192 x 1024, 37.7 for 46.7 at 8192 x 4096
 *   online   403 for split's 445 at 8192 x 50257
 * and of the gradient alone:
 *   cluster  1205 for split's 1547 at 4096 x 128256, 14.0 for 16.4 at 8 x 262144
 *   split    22.6 at 1 x 4194304, where a block alone took 3618
 *   warp     14.1 for regs' 74.9 at 65536 x 64
 *   regs     20.9 for shared's 170 at 8192 x 1024
 *   shared   869 for cluster's 1379 at 8192 x 50257 */
#define OF(op) \
  ROW_LEVELS(op, PM_SAFE, PM_VALUE, PM_SAFE, declare_warp, declare_regs, declare_shared)
static const pm_kernel ROWS[] = {
    {"mse_loss", "vec4", MAP_WHEN, PM_RACES, declare_mse},
    {"mse_loss", "scalar", "always", PM_RACES, declare_mse},
    MAP_ROWS("mse_loss_vjp", declare_none),
    SPLIT_OF("cross_entropy", PM_VALUE, declare_split),
    {"cross_entropy", "warp", "cols <= 512", PM_VALUE, alone_warp},
    {"cross_entropy", "regs", "cols <= 16384 and rows < 2^31", PM_VALUE, alone_regs},
    {"cross_entropy", "online", "always", PM_VALUE, alone_online},
    CLUSTER_OF("cross_entropy_vjp", SOFT_CLUSTER_WHEN, declare_cluster),
    SPLIT_OF("cross_entropy_vjp", PM_VALUE, declare_split),
    OF("cross_entropy_vjp"),
    CLUSTER_OF("cross_entropy_grad", SOFT_CLUSTER_WHEN, declare_cluster),
    SPLIT_OF("cross_entropy_grad", PM_VALUE, declare_split),
    OF("cross_entropy_grad"),
};

/* Of cross entropy: with a gradient a flag for each block of targets; with a loss the sums that the
 * rows leave, and those of their mean; what pieces of rows leave that may be split. Sized for the
 * variant that needs most. */
static idx flag_words(idx rows, int has_dx)
{
  return has_dx ? (targets_blocks(rows) + 3) / 4 * 4 : 0;
}

static idx loss_words(idx rows, int has_loss)
{
  return has_loss ? (rows + 3) / 4 * 4 + sum_parts(rows) : 0;
}

static size_t rows_workspace(idx rows, idx cols, int has_loss, int has_dx)
{
  idx words = flag_words(rows, has_dx) + loss_words(rows, has_loss);
  return (size_t)words * sizeof(float) + split_workspace(rows, cols, SOFT_EACH);
}

static size_t workspace(const char *op, const int64_t *size)
{
  if (!strcmp(op, "mse_loss"))
    return (size_t)sum_parts(size[0]) * sizeof(float);
  if (!strncmp(op, "cross_entropy", 13) && size[0] <= PM_MAX_ELEMENTS)
    return rows_workspace(size[0], size[1], strcmp(op, "cross_entropy_vjp") != 0,
                          strcmp(op, "cross_entropy") != 0);
  return 0;
}

/* ---- launchers ---- */

extern "C" pm_status LAUNCHER(mse_loss)(pm_exec *ex, int64_t n, const float *a, const float *t,
                                        float *y)
{
  pm_check c = pm_begin("mse_loss", ex);
  pm_size(&c, "n", n);
  pm_in(&c, "a", a, n, sizeof *a);
  pm_in(&c, "t", t, n, sizeof *t);
  pm_out(&c, "y", y, 1, sizeof *y);
  pm_work(&c, c.status == PM_OK ? workspace("mse_loss", &n) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  int v = PM_PICK(&c, ex, ROWS, pm_aligned16(a) && pm_aligned16(t) ? 3u : 2u);
  if (v >= 0)
    LAUNCHER(mse_loss_mean)(ex->stream, n, v == 0, a, t, (float *)ex->work, y);
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(mse_loss_vjp)(pm_exec *ex, int accumulate, int64_t n, const float *a,
                                            const float *t, const float *g, float *da, float *dt)
{
  pm_check c = pm_begin("mse_loss_vjp", ex);
  map_grid grid;
  pm_flag(&c, "accumulate", accumulate);
  pm_size(&c, "n", n);
  pm_in(&c, "a", a, n, sizeof *a);
  pm_in(&c, "t", t, n, sizeof *t);
  pm_in(&c, "g", g, 1, sizeof *g);
  pm_out(&c, "da", da, n, sizeof *da);
  pm_out(&c, "dt", dt, n, sizeof *dt);
  int aligned = pm_aligned16(a) && pm_aligned16(t) && pm_aligned16(da) && pm_aligned16(dt);
  grid = map_plan(&c, ex, ROWS, sizeof ROWS / sizeof *ROWS, n, MAP_SHARE2, aligned);
  if (grid.blocks)
    LAUNCH(mse_loss_vjp_map, grid.blocks, MAP_BLOCK, ex->stream, n, grid.V, accumulate,
           2.0f / (float)n, 0.0f, g, a, t, da, dt);
  return pm_launched(&c);
}

/* loss: NULL where the op has no such output, dx: where it has no gradient (`grad` is 0) or no
 * elements; g: NULL for 1. The tensors that the op has are checked but for x and target. */
static pm_status cross_entropy(pm_check *c, pm_exec *ex, int64_t rows, int64_t cols, const float *x,
                               const int64_t *target, const float *g, float *loss, int accumulate,
                               int grad, float *dx)
{
  int64_t n = pm_times(c, "rows", rows, "cols", cols);
  pm_in(c, "x", x, n, sizeof *x);
  pm_in(c, "target", target, rows, sizeof *target);
  pm_status_word(c);
  pm_work(c, c->status == PM_OK ? rows_workspace(rows, cols, loss != NULL, grad) : 0);
  if (pm_checked(c) != PM_OK)
    return c->status;
  unsigned suited = grad ? rows_kept(rows, cols) : loss_suited(rows, cols);
  int pays = grad ? split_pays(rows, cols) : rows <= ONCE_ROWS;
  int vec = cols % 4 == 0 && pm_aligned16(x) && pm_aligned16(dx);
  unsigned fit = with_split(ex, suited, rows, cols, pays);
  if (grad)
    fit = with_cluster(ex, fit, rows, cols, vec);
  some_suited(c, ex, fit, rows, cols);
  int v = PM_PICK(c, ex, ROWS, fit) - (grad ? 2 : 1);
  if (c->status != PM_OK)
    return c->status;
  float *bad = (float *)ex->work, *part = bad + flag_words(rows, grad);
  float *work = part + (rows + 3) / 4 * 4;
  loss_call call = {target, {NULL, 0}, loss ? part : NULL, g, 1.0f / (float)rows, dx, accumulate};
  if (rows > 0 && grad)
    call.flags = LAUNCHER(cross_entropy_targets)(ex->stream, rows, cols, target, bad, ex->status);
  if (rows > 0 && v == IN_CLUSTER) {
    LAUNCHER(cross_entropy_grad_cluster)(ex->stream, vec, rows, cols, x, &call);
  } else if (rows > 0 && v == SPLIT) {
    float *pieces = part + loss_words(rows, loss != NULL);
    LAUNCHER(cross_entropy_split)(ex->stream, vec, rows, cols, x, pieces, &call);
  } else if (rows > 0 && !grad && v == ONLINE) {
    launch_online(ex->stream, rows, cols, x, call);
  } else if (rows > 0)
    launch_rows(v, ex->stream, rows, cols, x, call);
  if (loss)
    LAUNCHER(cross_entropy_mean)
  (ex->stream, rows > 0 ? loss_parts(v, rows, cols) : 0, rows, part, work, loss, ex->status);
  return pm_launched(c);
}

/* There is a target in range only where there are classes. */
static void check_classes(pm_check *c, int64_t rows, int64_t cols)
{
  pm_size(c, "rows", rows);
  pm_size(c, "cols", cols);
  if (c->status == PM_OK && rows > 0 && cols == 0)
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op, "cols = 0: must be >= 1 where there are rows");
}

extern "C" pm_status LAUNCHER(cross_entropy)(pm_exec *ex, int64_t rows, int64_t cols,
                                             const float *x, const int64_t *target, float *loss)
{
  pm_check c = pm_begin("cross_entropy", ex);
  check_classes(&c, rows, cols);
  pm_out(&c, "loss", loss, 1, sizeof *loss);
  return cross_entropy(&c, ex, rows, cols, x, target, NULL, loss, 0, 0, NULL);
}

extern "C" pm_status LAUNCHER(cross_entropy_vjp)(pm_exec *ex, int accumulate, int64_t rows,
                                                 int64_t cols, const float *x,
                                                 const int64_t *target, const float *g, float *dx)
{
  pm_check c = pm_begin("cross_entropy_vjp", ex);
  pm_flag(&c, "accumulate", accumulate);
  check_classes(&c, rows, cols);
  pm_in(&c, "g", g, 1, sizeof *g);
  pm_out(&c, "dx", dx, pm_times(&c, "rows", rows, "cols", cols), sizeof *dx);
  return cross_entropy(&c, ex, rows, cols, x, target, g, NULL, accumulate, 1, dx);
}

extern "C" pm_status LAUNCHER(cross_entropy_grad)(pm_exec *ex, int64_t rows, int64_t cols,
                                                  const float *x, const int64_t *target,
                                                  float *loss, float *dx)
{
  pm_check c = pm_begin("cross_entropy_grad", ex);
  check_classes(&c, rows, cols);
  pm_out(&c, "loss", loss, 1, sizeof *loss);
  pm_out(&c, "dx", dx, pm_times(&c, "rows", rows, "cols", cols), sizeof *dx);
  return cross_entropy(&c, ex, rows, cols, x, target, NULL, loss, 0, 1, dx);
}

PM_FAMILY(loss, ROWS, workspace);
