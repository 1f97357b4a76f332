/* layer_norm, rms_norm and their VJPs: regs.cu, warp.cu, stream.cu, vjp_regs.cu, vjp_stream.cu,
 * cluster.cu, vjp_cluster.cu, split.cu and vjp_split.cu have the rows. What a VJP sums over rows
 * it sums in two stages, of which the first goes along with dx (sum/column_join.h); but for few
 * and long rows, whose columns are added up where dx is written. */
#include "../host/check.h"
#include "../lang/cache_hints.h"
#include "../math/elementary.h"
#include "cluster_plan.h"
#include "regs.h"
#include "split.h"
#include "vjp_stream_plan.h"
#include "../sum/column_join.h"
#include "vjp_regs.h"
#include "vjp_split_plan.h"
#include "../row/variants.h"
#include "../row/split_variant.h"
#include "../host/table.h"
#include "../lang/full_row.h"

#include <string.h>

enum {
  IN_CLUSTER = IN_SHARED,           /* the norms' variant in that place of row/variants.h */
  NORM_WARP_COLS = 4 * 32 * REGS_K, /* forward: 8 vectors a thread */
  VJP_REGS_COLS = 4 * REGS_BLOCK * VJP_K,
  VJP_BLOCKS = 132,     /* one on each processor, as large as may be: each leaves sums */
  VJP_PAIR_COLS = 1024, /* of rows of whole warps up to this, two on most, half as large: one goes
                            on where the other waits, and their sums are few (30.7 us for 32.0 at
                            8192 x 1024, but 56.2 for 55.5 at 2048 columns) */
  VJP_PAIR_BLOCKS = 256 /* not 264: more sums, and rows in powers of 2 are dealt unevenly */
};

/* ---- who does what forward: from the sizes alone ---- */

static int forward_k(int variant, int64_t cols)
{
  if (variant == WARP)
    return cols > WARP_COLS ? REGS_K : warp_k(cols);
  return whole_cols(cols) || (cols > 1024 && cols <= 2048) ? 4 : (int)REGS_K;
}

/* ---- who does what in a VJP: from the sizes alone ---- */

static int vjp_k(int variant, int64_t cols) { return variant == WARP ? warp_k(cols) : (int)VJP_K; }

/* Threads of a row. */
static int vjp_lanes(int variant, int64_t cols)
{
  return variant == WARP ? 1 << warp_log_lanes(cols)
                         : 32 * (int)divide_up(cols, 32 * 4 * vjp_k(variant, cols));
}

static int vjp_pairs(int variant, int64_t cols) { return variant == REGS && cols <= VJP_PAIR_COLS; }

/* Rows that a block has at a time. */
static int vjp_groups(int variant, int64_t cols)
{
  return REGS_BLOCK / (vjp_pairs(variant, cols) ? 2 : 1) / vjp_lanes(variant, cols);
}

/* In which a block adds up its groups' sums: about as many as groups in each, as far as there are
 * threads; at once where they are wide. */
static int vjp_parts(int variant, int64_t cols)
{
  int groups = vjp_groups(variant, cols), parts = 1;
  while (variant == WARP && 4 * parts * vjp_k(variant, cols) <= groups && parts * parts < groups)
    parts *= 2;
  return parts;
}

/* Blocks, or chunks of rows: the rows of sums that a VJP's first stage leaves. */
static int64_t n_sums(int variant, int64_t rows, int64_t cols)
{
  if (variant == STREAM)
    return divide_up(rows, stream_chunk_rows(rows));
  if (variant == IN_CLUSTER)
    return divide_up(rows, slice_plan_of(rows, cols).chunk);
  int64_t tiles = divide_up(rows, vjp_groups(variant, cols));
  int64_t most = vjp_pairs(variant, cols) ? VJP_PAIR_BLOCKS : VJP_BLOCKS;
  return tiles < most ? tiles : most;
}

static unsigned in_cluster(int64_t rows, int64_t cols)
{
  return cols <= CLUSTER_COLS && rows <= SLICE_ROWS ? 1u << IN_CLUSTER : 0u;
}

/* Bit v: variant v may run. */
static unsigned suited(int64_t rows, int64_t cols, int aligned)
{
  unsigned v = rows_suited(rows, cols) & ~(1u << IN_SHARED);
  if (cols > WARP_COLS && cols <= NORM_WARP_COLS && divide_up(rows, WARP_BLOCK / 32) <= 0x7fffffff)
    v |= 1u << WARP;
  return v | (aligned ? in_cluster(rows, cols) : 0u);
}

static unsigned vjp_suited(int64_t rows, int64_t cols, int aligned)
{
  return 1u << STREAM | (aligned ? in_cluster(rows, cols) : 0u) |
         (cols <= VJP_REGS_COLS ? 1u << REGS : 0u) | (cols <= WARP_COLS ? 1u << WARP : 0u);
}

static int64_t variant_words(int variant, int64_t rows, int64_t cols)
{
  int64_t words = 2 * n_sums(variant, rows, cols) * cols;
  return variant == STREAM ? words + 2 * rows * stream_parts(cols) : words;
}

/* Split are no more rows than a block can know of. */
static unsigned vjp_fit(const pm_exec *ex, const vjp_call *t)
{
  int64_t rows = t->rows, cols = t->cols;
  unsigned v = vjp_suited(rows, cols, pm_aligned16(t->x) && pm_aligned16(t->g));
  return with_first(ex, v, vjp_splits(rows, cols), vjp_split_pays(rows, cols, CLUSTER_COLS));
}

/* Of whichever variant runs. */
static size_t vjp_bytes(int64_t rows, int64_t cols)
{
  int64_t most = vjp_split_words(rows, cols);
  for (int v = WARP; v <= STREAM; v++) {
    int64_t words = vjp_suited(rows, cols, 1) >> v & 1 ? variant_words(v, rows, cols) : 0;
    most = words > most ? words : most;
  }
  return (size_t)most * sizeof(float);
}

static size_t workspace(const char *op, const int64_t *size)
{
  int vjp = !strcmp(op, "layer_norm_vjp") || !strcmp(op, "rms_norm_vjp");
  if (!vjp)
    return split_workspace(size[0], size[1], NORM_EACH);
  return size[1] > 0 ? vjp_bytes(size[0], size[1]) : 0;
}

/* ---- what is declared ---- */

/* Additions above an element of a row in a VJP. */
static double vjp_row_height(int variant, int64_t cols)
{
  if (variant == STREAM)
    return stream_row_height(cols);
  if (variant == IN_CLUSTER)
    return slice_row_height(cols);
  return vjp_k(variant, cols) + 1 +
         (variant == WARP ? warp_log_lanes(cols) : block_height(vjp_lanes(variant, cols)));
}

/* Above an element of a column: the rows of a block or chunk, its groups, the second stage. What is
 * first is added to 0. */
static double column_height(int variant, int64_t rows, int64_t cols)
{
  int64_t sums = n_sums(variant, rows, cols);
  double height = sums_height(sums, cols);
  if (!rows)
    return 0;
  if (variant == STREAM)
    return height + stream_column_height(rows);
  if (variant == IN_CLUSTER)
    return height + (double)slice_plan_of(rows, cols).chunk - 1;
  int groups = vjp_groups(variant, cols), parts = vjp_parts(variant, cols);
  height += (double)divide_up(divide_up(rows, groups), sums) - 1;
  return height + (double)divide_up(groups, parts) - 1 + parts - 1;
}

static void declare(int variant, const int64_t *size, pm_arith *out)
{
  out->k_rsqrt = PM_K_RSQRT;
  double height = variant == IN_CLUSTER ? slice_row_height(size[1])
                                        : row_height(variant, size[1], forward_k(variant, size[1]));
  out->height[0] = out->height[1] = height;
}

static void declare_layer_split(const int64_t *size, pm_arith *out)
{
  out->k_rsqrt = PM_K_RSQRT;
  out->height[0] = out->height[1] = norm_split_height(size[0], size[1]);
}
static void declare_rms_split(const int64_t *size, pm_arith *out)
{
  out->k_rsqrt = PM_K_RSQRT;
  out->height[0] = out->height[1] = split_height(size[0], size[1]);
}

static void declare_vjp(int variant, const int64_t *size, pm_arith *out)
{
  out->height[0] = vjp_row_height(variant, size[1]);
  out->height[1] = column_height(variant, size[0], size[1]);
}

static void declare_warp(const int64_t *size, pm_arith *out) { declare(WARP, size, out); }
static void declare_regs(const int64_t *size, pm_arith *out) { declare(REGS, size, out); }
static void declare_cluster(const int64_t *size, pm_arith *out) { declare(IN_CLUSTER, size, out); }
static void declare_stream(const int64_t *size, pm_arith *out) { declare(STREAM, size, out); }
static void declare_vjp_split(const int64_t *size, pm_arith *out)
{
  int64_t rows = size[0];
  out->height[0] = rows ? vjp_split_height(rows, size[1]) : 0;
  out->height[1] = rows ? (double)rows - 1 : 0;
}
static void declare_vjp_warp(const int64_t *size, pm_arith *out) { declare_vjp(WARP, size, out); }
static void declare_vjp_regs(const int64_t *size, pm_arith *out) { declare_vjp(REGS, size, out); }
static void declare_vjp_cluster(const int64_t *size, pm_arith *out)
{
  declare_vjp(IN_CLUSTER, size, out);
}
static void declare_vjp_stream(const int64_t *size, pm_arith *out)
{
  declare_vjp(STREAM, size, out);
}

#define WHEN_CLUSTER "cols <= 53248, rows <= 2^30, x 16-byte aligned"
#define WHEN_VJP_CLUSTER "cols <= 53248, rows <= 2^30, x and g 16-byte aligned"
#define OF(op)                                                               \
  {op, "warp", "cols <= 1024", PM_VALUE, declare_warp},                      \
      {op, "regs", "cols <= 16384 and rows < 2^31", PM_VALUE, declare_regs}, \
      {op, "cluster", WHEN_CLUSTER, PM_VALUE, declare_cluster},              \
  {                                                                          \
    op, "stream", "always", PM_VALUE, declare_stream                         \
  }
#define OF_VJP(op)                                                     \
  {op, "split", VJP_SPLIT_WHEN, PM_SAFE, declare_vjp_split},           \
      {op, "warp", "cols <= 512", PM_SAFE, declare_vjp_warp},          \
      {op, "regs", "cols <= 8192", PM_SAFE, declare_vjp_regs},         \
      {op, "cluster", WHEN_VJP_CLUSTER, PM_SAFE, declare_vjp_cluster}, \
  {                                                                    \
    op, "stream", "always", PM_SAFE, declare_vjp_stream                \
  }
/* What each buys: us of layer_norm, for those of the next best that runs there, on an H200 in
 * the run of docs/results/h200-2026-11-26.
 *             (rows, cols)      forward                   VJP
 *   split     1 x 4194304       27.1 for stream's 2792    43.7 for stream's 425
 *   warp      65536 x 64        11.6 for stream's 46.3    19.3 for regs' 52.1
 *   regs      8192 x 4096       63.8 for stream's 119     105 for cluster's 168
 *   cluster   8192 x 50257      943 for stream's 2063     1336 for stream's 2345
 *   stream    any size; unaligned rows besides: 24.5 for regs' 26.1 at 512 x 8191 (an H100) */
static const pm_kernel ROWS[] = {SPLIT_OF("layer_norm", PM_VALUE, declare_layer_split),
                                 OF("layer_norm"),
                                 OF_VJP("layer_norm_vjp"),
                                 SPLIT_OF("rms_norm", PM_VALUE, declare_rms_split),
                                 OF("rms_norm"),
                                 OF_VJP("rms_norm_vjp")};

/* ---- launchers ---- */

static int64_t check_sizes(pm_check *c, int64_t rows, int64_t cols)
{
  pm_size(c, "rows", rows);
  pm_size(c, "cols", cols);
  pm_filled(c, "cols", cols);
  return pm_times(c, "rows", rows, "cols", cols);
}

/* 16-byte accesses fit where rows begin at multiples of 16 bytes. An absent tensor does not
 * matter. */
static int aligned(const float *a, const float *b, const float *c, const float *d)
{
  return pm_aligned16(a) && pm_aligned16(b) && pm_aligned16(c) && pm_aligned16(d);
}

static int forward_vec(const norm_call *t)
{
  return t->cols % 4 == 0 && aligned(t->x, t->gamma, t->beta, t->y);
}

template <int CENTERED> static void launch_forward(const pm_exec *ex, int v, const norm_call *t)
{
  int vec = forward_vec(t);
  if (v == SPLIT) {
    LAUNCHER(norm_split)(ex, vec, t, (float *)ex->work);
  } else if (v == IN_CLUSTER) {
    LAUNCHER(norm_cluster)(ex, t);
  } else if (v == STREAM) {
    LAUNCHER(norm_stream)(ex, big_block(t->cols), t);
  } else if (v == REGS) {
    int k = forward_k(REGS, t->cols);
    LAUNCHER(norm_regs)
    (ex, k, rows_evict_last(vec, t->rows, t->cols), regs_block(t->cols, k), t);
  } else {
    LAUNCHER(norm_warp)(ex, forward_k(v, t->cols), vec, warp_log_lanes(t->cols), t);
  }
}

/* dx, and the first stage of dgamma and dbeta: `sums` rows of each; or all of them. */
static void launch_backward(const pm_exec *ex, int v, int64_t sums, const vjp_call *t)
{
  int w = (int)t->cols, vec = w % 4 == 0 && aligned(t->x, t->gamma, t->g, t->dx);
  if (v == SPLIT) {
    LAUNCHER(norm_vjp_split)(ex, vec && pm_aligned16(t->dgamma) && pm_aligned16(t->dbeta), t);
    return;
  }
  if (v == STREAM) {
    LAUNCHER(norm_vjp_stream)(ex, t);
    return;
  }
  if (v == IN_CLUSTER) {
    LAUNCHER(norm_vjp_cluster)(ex, t);
    return;
  }
  int lanes = vjp_lanes(v, t->cols), groups = vjp_groups(v, t->cols);
  if (v == REGS)
    LAUNCHER(norm_vjp_regs)(ex, vec, sums, groups, lanes, t);
  else
    LAUNCHER(norm_vjp_warp)
  (ex, vjp_k(v, t->cols), vec, sums, groups, lanes, vjp_parts(v, t->cols), t);
}

/* Of rows longer than a warp's that a block cannot hold by whole vectors, what is fastest at
 * 8192 rows and at 512: rms_norm 87 us for 147 in registers at 8192 x 4095, 449 for 675 at
 * 16383; layer_norm 84 for 95 at 3001, 416 for 642 at 16383. */
static int unaligned_variant(const norm_call *t)
{
  int64_t cols = t->cols;
  if (t->mean ? cols > 12288 : cols > 8192 || (cols > 3072 && cols <= 4096))
    return IN_CLUSTER;
  if (t->rows >= 2048 || cols > (t->mean ? 8192 : 4096))
    return STREAM;
  return REGS;
}

/* Of the variants in `fit` those that are taken where none is named. */
static unsigned preferred(unsigned fit, const norm_call *t)
{
  int vec = forward_vec(t);
  if (!vec && t->cols > NORM_WARP_COLS && t->cols <= REGS_COLS) {
    unsigned one = 1u << unaligned_variant(t);
    return fit & one ? one : fit & ~(1u << IN_CLUSTER);
  }
  if (t->mean && t->cols == NORM_WARP_COLS)
    fit &=
        ~(1u << WARP); /* lang/full_row.h has an instance for it: 18.1 us for 18.8 at 8192 rows */
  return fit;
}

/* After the arguments of a forward op are listed in *c. */
static pm_status run_forward(pm_check *c, pm_exec *ex, const norm_call *t)
{
  int64_t rows = t->rows, cols = t->cols;
  pm_work(c, c->status == PM_OK ? split_workspace(rows, cols, NORM_EACH) : 0);
  if (pm_checked(c) != PM_OK)
    return c->status;
  unsigned fit = suited(rows, cols, pm_aligned16(t->x));
  /* of rms_norm that is not aligned stream has more: 2228 us for split's 2662 at 4096 x 128255 */
  int pays = split_pays(rows, cols) && !(fit >> IN_CLUSTER & 1);
  if (!t->mean && rows > 1024 && !forward_vec(t))
    pays = 0;
  fit = with_split(ex, ex->variant ? fit : preferred(fit, t), rows, cols, pays);
  int v = PM_PICK(c, ex, ROWS, fit) - 1;
  if (c->status != PM_OK)
    return c->status;
  if (rows && t->mean)
    launch_forward<1>(ex, v, t);
  else if (rows)
    launch_forward<0>(ex, v, t);
  return pm_launched(c);
}

/* After the arguments of a VJP are listed in *c. */
static pm_status run_vjp(pm_check *c, pm_exec *ex, const vjp_call *t)
{
  pm_work(c, c->status == PM_OK ? vjp_bytes(t->rows, t->cols) : 0);
  if (pm_checked(c) != PM_OK)
    return c->status;
  int v = PM_PICK(c, ex, ROWS, vjp_fit(ex, t)) - 1;
  if (c->status != PM_OK)
    return c->status;
  int64_t sums = v == SPLIT ? 0 : n_sums(v, t->rows, t->cols);
  if (t->rows)
    launch_backward(ex, v, sums, t);
  if (v != SPLIT || !t->rows) {
    LAUNCHER(column_join)
    (ex->stream, t->affine, t->accumulate, sums, t->cols, (const float *)ex->work, t->dgamma,
     t->dbeta);
  }
  return pm_launched(c);
}

extern "C" pm_status LAUNCHER(layer_norm)(pm_exec *ex, int64_t rows, int64_t cols, float eps,
                                          const float *x, const float *gamma, const float *beta,
                                          float *y, float *mean, float *rstd)
{
  pm_check c = pm_begin("layer_norm", ex);
  const norm_call t = {rows, cols, eps, x, gamma, beta, y, mean, rstd};
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
  const norm_call t = {rows, cols, eps, x, affine ? gamma : NULL, NULL, y, NULL, rstd};
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
