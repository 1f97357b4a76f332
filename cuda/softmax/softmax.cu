/* softmax over the last axis, log_softmax, masked_softmax, and their VJPs: x, mask, y, g, dx are
 * (rows, cols).
 *
 * All read a row, reduce it, and write it. The variants differ in where the row waits meanwhile
 * (row/variants.h), so that it is read from memory once; all are proven, in units of their own.
 * Which elements a thread owns does not depend on addresses, so neither do the bits. */
#include "../host/check.h"
#include "../row/split.h"
#include "../row/variants.h"
#include "../row/cluster_variant.h"
#include "../row/split_variant.h"
#include "launch.h"
#include "../host/table.h"
#include "../lang/full_row.h"

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
#ifndef __FRAMAC__
#include "../lang/cache_hints.h"
#include "../math/elementary.h"
#include "../lse/split_plan.h"
#include "op.h"
#include "vjp_cluster_plan.h"

#include <string.h>
#endif

/* ---- the table ---- */

/* Vectors a thread of a row in registers: REGS_K, the most, of one tensor that is aligned, but
 * for lengths of which lang/full_row.h makes more (17.4 us for 18.1 at 8192 x 1024; 65.2 for
 * 64.9 at 4096 columns). A mask or a cotangent needs as many beside them. */
/*@ requires 0 < cols <= REGS_COLS;
    assigns \nothing;
    ensures (\result == 4 || \result == 8) && cols <= 4*\result*REGS_BLOCK; */
static int plain_k(int64_t cols) { return whole_cols(cols) && cols != 4096 ? 4 : REGS_K; }
/*@ requires 0 < cols <= REGS_COLS;
    assigns \nothing;
    ensures (\result == 4 || \result == 8) && cols <= 4*\result*REGS_BLOCK; */
static int vjp_k(int64_t cols) { return cols <= 4 * 4 * REGS_BLOCK ? 4 : REGS_K; }
/*@ requires 0 < cols <= REGS_COLS;
    assigns \nothing;
    ensures (\result == 4 || \result == 8) && cols <= 4*\result*REGS_BLOCK; */
static int masked_k(int64_t cols)
{
  return cols <= 32 * 4 * REGS_K && !whole_cols(cols) ? REGS_K : vjp_k(cols);
}

#ifndef __FRAMAC__
static void declare_height(double height, pm_arith *out)
{
  out->k_exp = PM_K_EXP;
  out->k_log = PM_K_LOG;
  out->alpha = 1;
  out->height[0] = height;
}
static void declare(int variant, int k, const int64_t *size, pm_arith *out)
{
  declare_height(row_height(variant, size[1], k), out);
}
static void declare_warp(const int64_t *size, pm_arith *out)
{
  declare(WARP, warp_k(size[1]), size, out);
}
static void declare_regs(const int64_t *size, pm_arith *out) { declare(REGS, REGS_K, size, out); }
static void declare_masked_regs(const int64_t *size, pm_arith *out)
{
  declare(REGS, masked_k(size[1]), size, out);
}
static void declare_vjp_regs(const int64_t *size, pm_arith *out)
{
  declare(REGS, vjp_k(size[1]), size, out);
}
static void declare_shared(const int64_t *size, pm_arith *out) { declare(IN_SHARED, 0, size, out); }
static void declare_split(const int64_t *size, pm_arith *out)
{
  declare_height(soft_split_height(size[0], size[1]), out);
}
static void declare_cluster(const int64_t *size, pm_arith *out)
{
  declare_height(about_cluster_height(size[1], 0), out);
}
static void declare_log_cluster(const int64_t *size, pm_arith *out)
{
  declare_height(about_cluster_height(size[1], 1), out);
}
static void declare_vjp_cluster(const int64_t *size, pm_arith *out)
{
  declare_height(pull_cluster_height(size[1]), out);
}
static void declare_vjp_split(const int64_t *size, pm_arith *out)
{
  declare_height(split_height(size[0], size[1]), out);
}

/* What each variant buys, in us of softmax (its VJP) on an H200,
 * docs/results/h200-2026-11-26/bench.txt:
 *   cluster  1142 for split's 1544 at 4096 x 128256 (1586 for 2401); 10.9 for 13.8 at 8 x 262144
 *   split    18.8 at 1 x 4194304, where a block alone took 3743 (20.5, 2374)
 *   warp     11.0 for regs' 69.7 at 65536 x 64 (14.5 for 43.5)
 *   regs     17.5 for shared's 126 at 8192 x 1024 (24.7 for 302); masked_softmax 25.6 for 212
 *   shared   863 for cluster's 1349 at 8192 x 50257 (1329 for split's 2383); masked 1260 for 1870 */
#define OF(op, level, of_shared, regs) \
  ROW_LEVELS(op, level, level, of_shared, declare_warp, regs, declare_shared)
static const pm_kernel ROWS[] = {
    CLUSTER_OF("softmax", SOFT_CLUSTER_WHEN, declare_cluster),
    SPLIT_OF("softmax", PM_VALUE, declare_split),
    OF("softmax", PM_RACES, PM_VALUE, declare_regs),
    CLUSTER_OF("softmax_vjp", PULL_CLUSTER_WHEN, declare_vjp_cluster),
    SPLIT_OF("softmax_vjp", PM_VALUE, declare_vjp_split),
    OF("softmax_vjp", PM_VALUE, PM_SAFE, declare_vjp_regs),
    CLUSTER_OF("log_softmax", SOFT_CLUSTER_WHEN, declare_log_cluster),
    SPLIT_OF("log_softmax", PM_VALUE, declare_split),
    OF("log_softmax", PM_RACES, PM_VALUE, declare_regs),
    CLUSTER_OF("log_softmax_vjp", PULL_CLUSTER_WHEN, declare_vjp_cluster),
    SPLIT_OF("log_softmax_vjp", PM_VALUE, declare_vjp_split),
    OF("log_softmax_vjp", PM_VALUE, PM_SAFE, declare_vjp_regs),
    CLUSTER_OF("masked_softmax", SOFT_CLUSTER_WHEN, declare_cluster),
    SPLIT_OF("masked_softmax", PM_VALUE, declare_split),
    OF("masked_softmax", PM_VALUE, PM_VALUE, declare_masked_regs),
    CLUSTER_OF("masked_softmax_vjp", PULL_CLUSTER_WHEN, declare_vjp_cluster),
    SPLIT_OF("masked_softmax_vjp", PM_VALUE, declare_vjp_split),
    OF("masked_softmax_vjp", PM_VALUE, PM_SAFE, declare_vjp_regs),
};

static size_t workspace(const char *op, const int64_t *size)
{
  int vjp = strstr(op, "_vjp") != NULL;
  return split_workspace(size[0], size[1], vjp ? (int)PULL_EACH : (int)SOFT_EACH);
}

#endif

/* Longer rows that are not aligned go faster in shared memory, where they are read by vectors
 * all the same: 191 to 235 us at 8192 x 8191; at 4095 columns it is 177 to 99. */
enum { UNALIGNED_REGS_COLS = 6144 };

/*@ requires \valid_read(ex) && 0 <= rows;
    assigns \nothing;
    ensures 0 <= \result <= 7 && (suits(\result,WARP) ==> warp_can(rows,cols));
    ensures suits(\result,REGS) ==> regs_can(rows,cols);
    ensures \result == 0 ==> 0 < cols; */
static unsigned forward_suited(const pm_exec *ex, int64_t rows, int64_t cols, int vec)
{
  return rows_kept_but(rows, cols, !ex->variant && !vec && cols > UNALIGNED_REGS_COLS);
}

/* The variant, from IN_CLUSTER on; below it where c->status tells why there is none. */
/*@ requires \valid(c) && \valid(ex) && 0 <= rows && 0 <= cols;
    assigns c->status;
    assigns ex->ran;
    ensures worse(c->status,\old(c->status));
    ensures \result < IN_CLUSTER ==> c->status != PM_OK;
    ensures \result == WARP ==> warp_can(rows,cols);
    ensures \result == REGS ==> regs_can(rows,cols); */
static int forward_variant(pm_check *c, pm_exec *ex, int64_t rows, int64_t cols, int vec)
{
  unsigned suited = forward_suited(ex, rows, cols, vec);
  unsigned fit = with_split(ex, suited, rows, cols, split_pays(rows, cols));
  fit = with_cluster(ex, fit, rows, cols, vec);
  //@ assert warp: suits(fit,2) <==> suits(suited,WARP);
  //@ assert regs: suits(fit,3) <==> suits(suited,REGS);
  some_suited(c, ex, fit, rows, cols);
  return PM_PICK(c, ex, ROWS, fit) - 2;
}

#ifndef __FRAMAC__
void LAUNCHER(softmax_rest)(const pm_exec *ex, int logs, int variant, int vec, int aligned,
                            int64_t rows, int64_t cols, const float *x, float *y)
{
  if (variant == IN_CLUSTER)
    LAUNCHER(softmax_cluster)(ex, logs, vec, rows, cols, x, y);
  else if (variant == SPLIT)
    LAUNCHER(softmax_split)(ex->stream, logs, vec, rows, cols, x, (float *)ex->work, y);
  else
    LAUNCHER(softmax_shared)
  (ex, logs, aligned, big_grid(rows, 1), big_block(cols), rows, cols, x, y);
}
#endif

/* softmax, or log_softmax. */
/*@ requires ex == \null || \valid(ex) && \valid(ex->work + (0 .. ex->work_bytes/4-1));
    requires 0 <= rows && 0 <= cols && ix(rows,cols,0) <= IDX_LIM ==>
      soft_given(x,y,ix(rows,cols,0));
    assigns ex->ran;
    assigns ex->work[0 .. ex->work_bytes/4-1], y[0 .. ix(rows,cols,0)-1], bdim_, blocks_, gsize_; */
static pm_status forward(const char *op, int logs, pm_exec *ex, int64_t rows, int64_t cols,
                         const float *x, float *y)
{
  pm_check c = pm_begin(op, ex);
  idx n;
  pm_size(&c, "rows", rows);
  pm_size(&c, "cols", cols);
  n = pm_times(&c, "rows", rows, "cols", cols);
  pm_in(&c, "x", x, n, sizeof *x);
  pm_out(&c, "y", y, n, sizeof *y);
  //@ assert mine: c.ex == ex && ex->work == \at(ex->work,Pre);
  //@ assert bytes: ex->work_bytes == \at(ex->work_bytes,Pre);
  //@ assert noted: c.status == PM_OK ==> 0 < n ==> noted(&c,0,x,n,0) && noted(&c,1,y,n,1);
  //@ assert room: inside(&c) && c.n <= 2 && (c.status == PM_OK ==> \valid_read(c.ex));
  pm_work(&c, c.status == PM_OK ? split_workspace(rows, cols, SOFT_EACH) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  //@ assert some: 0 < n ==> 0 < rows && 0 < cols;
  //@ assert apart: 0 < n ==> apart(x,n,y,n);
  int aligned = pm_aligned16(x) && pm_aligned16(y);
  int vec = cols % 4 == 0 && aligned;
  int v = forward_variant(&c, ex, rows, cols, vec);
  if (v < IN_CLUSTER || !n)
    return c.status;
  //@ assert checked: soft_checked(rows,cols,vec,x,y);
  if (v == WARP) {
    int log = warp_log_lanes(cols), k = warp_k(cols);
    int64_t grid = divide_up(rows, warp_teams(log));
    //@ assert has: 0 < TeamsOf(log) && rows <= TeamsOf(log)*DivideUp(rows,TeamsOf(log));
    //@ assert grid: 0 < grid <= 0x7fffffff && rows <= TeamsOf(log)*grid;
    LAUNCHER(softmax_warp)(ex, logs, k, vec, log, grid, WARP_BLOCK, rows, cols, x, y);
  } else if (v == REGS) {
    int k = vec ? plain_k(cols) : masked_k(cols);
    LAUNCHER(softmax_regs)(ex, logs, k, vec, regs_block(cols, k), rows, cols, x, y);
  } else {
    LAUNCHER(softmax_rest)(ex, logs, v, vec, aligned, rows, cols, x, y);
  }
  return pm_launched(&c);
}

/*@ requires ex == \null || \valid(ex) && \valid(ex->work + (0 .. ex->work_bytes/4-1));
    requires 0 <= rows && 0 <= cols && ix(rows,cols,0) <= IDX_LIM ==>
      soft_given(x,y,ix(rows,cols,0));
    assigns ex->ran;
    assigns ex->work[0 .. ex->work_bytes/4-1], y[0 .. ix(rows,cols,0)-1], bdim_, blocks_, gsize_; */
ENTRY pm_status LAUNCHER(softmax)(pm_exec *ex, int64_t rows, int64_t cols, const float *x, float *y)
{
  return forward("softmax", 0, ex, rows, cols, x, y);
}

/*@ requires ex == \null || \valid(ex) && \valid(ex->work + (0 .. ex->work_bytes/4-1));
    requires 0 <= rows && 0 <= cols && ix(rows,cols,0) <= IDX_LIM ==>
      soft_given(x,y,ix(rows,cols,0));
    assigns ex->ran;
    assigns ex->work[0 .. ex->work_bytes/4-1], y[0 .. ix(rows,cols,0)-1], bdim_, blocks_, gsize_; */
ENTRY pm_status LAUNCHER(log_softmax)(pm_exec *ex, int64_t rows, int64_t cols, const float *x,
                                      float *y)
{
  return forward("log_softmax", 1, ex, rows, cols, x, y);
}
#endif

#ifndef __FRAMAC__
extern "C" pm_status LAUNCHER(masked_softmax)(pm_exec *ex, int64_t rows, int64_t cols,
                                              const float *x, const float *mask, float *y)
{
  pm_check c = pm_begin("masked_softmax", ex);
  pm_size(&c, "rows", rows);
  pm_size(&c, "cols", cols);
  int64_t n = pm_times(&c, "rows", rows, "cols", cols);
  pm_in(&c, "x", x, n, sizeof *x);
  pm_in(&c, "mask", mask, n, sizeof *mask);
  pm_out(&c, "y", y, n, sizeof *y);
  pm_work(&c, c.status == PM_OK ? split_workspace(rows, cols, SOFT_EACH) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  int aligned = pm_aligned16(x) && pm_aligned16(y) && pm_aligned16(mask);
  int vec = cols % 4 == 0 && aligned;
  int v = forward_variant(&c, ex, rows, cols, vec);
  if (v < IN_CLUSTER || !n)
    return c.status;
  if (v == IN_CLUSTER) {
    LAUNCHER(masked_softmax_cluster)(ex, vec, rows, cols, x, mask, y);
  } else if (v == SPLIT) {
    LAUNCHER(masked_softmax_split)
    (ex->stream, vec, rows, cols, x, mask, (float *)ex->work, y);
  } else if (v == WARP) {
    int log = warp_log_lanes(cols), k = warp_k(cols);
    int64_t grid = divide_up(rows, warp_teams(log));
    LAUNCHER(masked_softmax_warp)(ex, k, vec, log, grid, WARP_BLOCK, rows, cols, x, mask, y);
  } else if (v == REGS) {
    int k = masked_k(cols);
    LAUNCHER(masked_softmax_regs)(ex, k, vec, regs_block(cols, k), rows, cols, x, mask, y);
  } else {
    LAUNCHER(masked_softmax_shared)
    (ex, aligned, big_grid(rows, 1), big_block(cols), rows, cols, x, mask, y);
  }
  return pm_launched(&c);
}

template <int OP>
static pm_status backward(const char *op, pm_exec *ex, int accumulate, int64_t rows, int64_t cols,
                          const float *y, const float *g, float *dx)
{
  pm_check c = pm_begin(op, ex);
  pm_flag(&c, "accumulate", accumulate);
  pm_size(&c, "rows", rows);
  pm_size(&c, "cols", cols);
  int64_t n = pm_times(&c, "rows", rows, "cols", cols);
  pm_in(&c, "y", y, n, sizeof *y);
  pm_in(&c, "g", g, n, sizeof *g);
  pm_out(&c, "dx", dx, n, sizeof *dx);
  pm_work(&c, c.status == PM_OK ? split_workspace(rows, cols, PULL_EACH) : 0);
  if (pm_checked(&c) != PM_OK)
    return c.status;
  int aligned = pm_aligned16(y) && pm_aligned16(g) && pm_aligned16(dx);
  int vec = cols % 4 == 0 && aligned;
  unsigned fit = with_split(ex, rows_kept(rows, cols), rows, cols, split_pays(rows, cols));
  fit = with_pull_cluster(ex, fit, rows, cols, vec);
  some_suited(&c, ex, fit, rows, cols);
  int v = PM_PICK(&c, ex, ROWS, fit) - 2;
  if (c.status != PM_OK || !n)
    return c.status;
  if (v == IN_CLUSTER) {
    LAUNCHER(softmax_vjp_cluster)(ex, OP, vec, accumulate, rows, cols, y, g, dx);
  } else if (v == SPLIT) {
    LAUNCHER(softmax_vjp_split)
    (ex, OP, vec, accumulate, rows, cols, (float *)ex->work, y, g, dx);
  } else if (v == WARP) {
    int log = warp_log_lanes(cols), k = warp_k(cols);
    int64_t grid = divide_up(rows, warp_teams(log));
    LAUNCHER(softmax_vjp_warp)
    (ex, OP, k, vec, log, grid, WARP_BLOCK, accumulate, rows, cols, y, g, dx);
  } else if (v == REGS) {
    int k = vjp_k(cols);
    LAUNCHER(softmax_vjp_regs)
    (ex, OP, k, rows_evict_last(vec, rows, cols), regs_block(cols, k), accumulate, rows, cols, y, g,
     dx);
  } else {
    LAUNCHER(softmax_vjp_shared)
    (ex, OP, aligned, big_grid(rows, 1), big_block(cols), accumulate, rows, cols, y, g, dx);
  }
  return pm_launched(&c);
}

#define BACKWARD(name, OP)                                                                      \
  extern "C" pm_status LAUNCHER(name)(pm_exec * ex, int accumulate, int64_t rows, int64_t cols, \
                                      const float *y, const float *g, float *dx)                \
  {                                                                                             \
    return backward<OP>(#name, ex, accumulate, rows, cols, y, g, dx);                           \
  }
BACKWARD(softmax_vjp, SOFT)
BACKWARD(log_softmax_vjp, LOG)
BACKWARD(masked_softmax_vjp, MASKED)

PM_FAMILY(softmax, ROWS, workspace);
#endif
