/* batch_norm and its VJP: x, y, g, dx are (n, channels, size), the other tensors (channels). A
 * channel is done by one cluster, which reads it once, or in part from the L2 again (cluster.cu,
 * vjp_cluster.cu), or by many blocks (parts.cu, vjp_parts.cu). Which, and by how many, follows from
 * the sizes alone. */
#include "../host/check.h"
#include "plan.h"
#include "launch.h"
#include "../host/table.h"

#include <string.h>

enum { ONE_CLUSTER, CACHED, PARTS };
enum {
  BLOCK = 256,             /* threads, unless a part has fewer vectors */
  BLOCKS = 2112,           /* where there are fewer channels: 16 for each of 132 processors */
  LEAST = 4 * BLOCK,       /* vectors of a part, unless the channel has fewer */
  AT_ONCE = 16,            /* clusters of large blocks that 132 processors have room for */
  CACHED_VECTORS = 1 << 18 /* of a channel: the L2 does not hold more until they are read again */
};

typedef struct batch_plan {
  idx chunk, parts;
  int block;
} batch_plan;

/* Vectors of a channel. */
static int64_t vectors_of(const int64_t *size) { return size[0] * divide_up(size[2], 4); }

static batch_plan plan_of(const int64_t *size)
{
  int64_t vectors = vectors_of(size), blocks = size[1] ? BLOCKS / size[1] : 1;
  int64_t chunk = divide_up(vectors, blocks > 1 ? blocks : 1);
  batch_plan p;
  p.chunk = chunk > LEAST ? chunk : (int64_t)LEAST;
  p.parts = divide_up(vectors, p.chunk);
  p.block = 32;
  while (p.block < BLOCK && p.block < vectors) p.block *= 2;
  return p;
}

/* tensors: that a cluster keeps, 1 forward, 2 backward. */
static unsigned suited(const pm_exec *ex, int tensors, const int64_t *size)
{
  int64_t vectors = vectors_of(size);
  int busy = size[1] >= (AT_ONCE - 1) * divide_up(size[1], AT_ONCE); /* nearly all of the time */
  int cached = ex->variant ? vectors <= INT32_MAX / 4 : busy && vectors <= CACHED_VECTORS;
  unsigned ways = size[1] * size[2] <= WALK_PITCH ? ~0u : 0u;
  unsigned kept =
      (vectors <= share_vectors(tensors) ? 1u << ONE_CLUSTER : 0u) | (cached ? 1u << CACHED : 0u);
  return 1u << PARTS | (kept & ways);
}

/* The VJP over more clusters than run at once is quicker with twice the threads, unless rows are
 * not aligned: 256 x 50176 takes 43 us for 45, 4096 x 4096 takes 56 for 60. */
static share_plan shares(int variant, int tensors, const int64_t *size)
{
  share_plan p = share_plan_of(tensors, size[1], vectors_of(size), variant == ONE_CLUSTER, MAXB);
  if (variant == ONE_CLUSTER && tensors == 2 && size[2] % 4 == 0 &&
      size[1] * p.in_cluster > 2 * SHARE_BLOCKS)
    p.block = share_threads(p.share, SHARE_EACH / 2, MAXB);
  return p;
}

static size_t workspace(const char *op, const int64_t *size)
{
  (void)op;
  if (size[0] < 1 || size[1] < 1 || size[2] < 1)
    return 0;
  return (size_t)(2 * size[1] * plan_of(size).parts) * sizeof(float);
}

static void declare_cluster(int variant, int tensors, const int64_t *size, pm_arith *out)
{
  out->k_rsqrt = PM_K_RSQRT;
  out->height[0] = out->height[1] =
      variant == ONE_CLUSTER && tensors == 1
          ? cluster_share_height(cluster_plan_of(size[1], vectors_of(size)))
          : share_height(shares(variant, tensors, size));
}

/* Above an element: in its vector, along its thread, across the block; then the parts. */
static void declare_parts(const int64_t *size, pm_arith *out)
{
  batch_plan p = plan_of(size);
  int64_t vectors = vectors_of(size), chunk = p.chunk < vectors ? p.chunk : vectors;
  double height = (double)divide_up(chunk, p.block) + 2 + BLOCK_SUM_HEIGHT;
  if (p.parts > 1)
    height += (double)divide_up(p.parts, p.block) + BLOCK_SUM_HEIGHT;
  out->k_rsqrt = PM_K_RSQRT;
  out->height[0] = out->height[1] = height;
}

#define DECLARE(name, variant, tensors)                          \
  static void declare_##name(const int64_t *size, pm_arith *out) \
  {                                                              \
    declare_cluster(variant, tensors, size, out);                \
  }
DECLARE(cluster_forward, ONE_CLUSTER, 1)
DECLARE(cluster_backward, ONE_CLUSTER, 2)
DECLARE(cached_forward, CACHED, 1)
DECLARE(cached_backward, CACHED, 2)

#define WHEN_CACHED \
  "n*ceil(size/4) < 2^29; by itself up to 2^18, from 15 ceil(channels / 16) channels on"
#define OF(op, when, level, way)                                \
  {op, "cluster", when, level, declare_cluster_##way},          \
      {op, "cached", WHEN_CACHED, level, declare_cached_##way}, \
  {                                                             \
    op, "parts", "always", level, declare_parts                 \
  }
/* What a variant buys, on an H200 in one run (docs/results/h200-2026-11-26), channels x elements of
 * each; parts takes all sizes:
 *   batch_norm cluster       28.4 us for cached's 41.6 and parts' 71.3 at 256 x 50176
 *   batch_norm cached        245 us for parts' 293 at 64 x 1048576, where a cluster cannot keep all
 *   batch_norm_vjp cluster   45.6 us for cached's 54.1 and parts' 71.9 at 256 x 50176
 *   batch_norm_vjp cached    327 us for parts' 329 at 64 x 1048576; 104 for 130 at 256 x 100352 */
static const pm_kernel ROWS[] = {
    OF("batch_norm", "n*ceil(size/4) <= 113152", PM_VALUE, forward),
    OF("batch_norm_vjp", "n*ceil(size/4) <= 56576", PM_SAFE, backward)};

/* The elements of a tensor (n, channels, size); no channel is empty. */
static int64_t check_sizes(pm_check *c, const int64_t *size)
{
  pm_size(c, "n", size[0]);
  pm_size(c, "channels", size[1]);
  pm_size(c, "size", size[2]);
  pm_filled(c, "n", size[0]);
  pm_filled(c, "size", size[2]);
  int64_t count = pm_times(c, "n", size[0], "size", size[2]);
  return pm_times(c, "n*size", count, "channels", size[1]);
}

/* After every argument but the workspace is listed in *c: the variant, or -1 where there is nothing
 * to do. *blocks is 0 then. */
static int begin(pm_check *c, pm_exec *ex, int tensors, const int64_t *size, unsigned *blocks)
{
  pm_work(c, c->status == PM_OK ? workspace(c->op, size) : 0);
  if (pm_checked(c) != PM_OK)
    return -1;
  int v = PM_PICK(c, ex, ROWS, suited(ex, tensors, size));
  int64_t each = v == PARTS ? plan_of(size).parts : shares(v, tensors, size).in_cluster;
  *blocks = v < 0 || !size[1] ? 0 : pm_blocks(c, size[1] * each, 1);
  return v;
}

extern "C" pm_status LAUNCHER(batch_norm)(pm_exec *ex, int64_t n, int64_t channels, int64_t size,
                                          float eps, const float *x, const float *gamma,
                                          const float *beta, float *y, float *mean, float *rstd)
{
  const int64_t sizes[] = {n, channels, size};
  pm_check c = pm_begin("batch_norm", ex);
  unsigned blocks = 0;
  int64_t all = check_sizes(&c, sizes);
  pm_positive(&c, "eps", eps);
  pm_in(&c, "x", x, all, sizeof *x);
  pm_in(&c, "gamma", gamma, channels, sizeof *gamma);
  pm_in(&c, "beta", beta, channels, sizeof *beta);
  pm_out(&c, "y", y, all, sizeof *y);
  pm_out(&c, "mean", mean, channels, sizeof *mean);
  pm_out(&c, "rstd", rstd, channels, sizeof *rstd);
  int v = begin(&c, ex, 1, sizes, &blocks),
      vec = size % 4 == 0 && pm_aligned16(x) && pm_aligned16(y);
  if (!blocks)
    return pm_launched(&c);
  batch_plan p = plan_of(sizes);
  float *sums = (float *)ex->work, *squares = sums + channels * p.parts;
  const batch_call call = {n,     channels, size, p.chunk, p.parts, p.block, eps,    x,
                           gamma, beta,     y,    mean,    rstd,    sums,    squares};
  const share_plan share =
      v == ONE_CLUSTER ? cluster_plan_of(channels, vectors_of(sizes)) : shares(v, 1, sizes);
  if (v != PARTS)
    LAUNCHER(batch_norm_cluster)(ex, vec, cluster_depth(share), share, &call);
  else
    LAUNCHER(batch_norm_parts)(ex, vec, &call);
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(batch_norm_vjp)(pm_exec *ex, int accumulate, int64_t n,
                                              int64_t channels, int64_t size, const float *x,
                                              const float *gamma, const float *mean,
                                              const float *rstd, const float *g, float *dx,
                                              float *dgamma, float *dbeta)
{
  const int64_t sizes[] = {n, channels, size};
  pm_check c = pm_begin("batch_norm_vjp", ex);
  unsigned blocks = 0;
  pm_flag(&c, "accumulate", accumulate);
  int64_t all = check_sizes(&c, sizes);
  pm_in(&c, "x", x, all, sizeof *x);
  pm_in(&c, "gamma", gamma, channels, sizeof *gamma);
  pm_in(&c, "mean", mean, channels, sizeof *mean);
  pm_in(&c, "rstd", rstd, channels, sizeof *rstd);
  pm_in(&c, "g", g, all, sizeof *g);
  pm_out(&c, "dx", dx, all, sizeof *dx);
  pm_out(&c, "dgamma", dgamma, channels, sizeof *dgamma);
  pm_out(&c, "dbeta", dbeta, channels, sizeof *dbeta);
  int v = begin(&c, ex, 2, sizes, &blocks);
  int vec = size % 4 == 0 && pm_aligned16(x) && pm_aligned16(g) && pm_aligned16(dx);
  if (!blocks)
    return pm_launched(&c);
  batch_plan p = plan_of(sizes);
  float *of_g = (float *)ex->work, *of_hat = of_g + channels * p.parts;
  const batch_vjp_call call = {n,    channels, size, p.chunk, p.parts, p.block, x,    gamma,
                               mean, rstd,     g,    dx,      dgamma,  dbeta,   of_g, of_hat};
  if (v != PARTS)
    LAUNCHER(batch_norm_vjp_cluster)(ex, vec, accumulate, shares(v, 2, sizes), &call);
  else
    LAUNCHER(batch_norm_vjp_parts)(ex, vec, accumulate, &call);
  return pm_launched(&c);
}

PM_FAMILY(batch_norm, ROWS, workspace);
