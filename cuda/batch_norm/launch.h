/* The host's side of parts.cu and vjp_parts.cu, channels in parts, and of
 * cluster.cu and vjp_cluster.cu, a cluster for each channel. */
#ifndef PM_BATCH_NORM_LAUNCH_H
#define PM_BATCH_NORM_LAUNCH_H
#include "../launch.h"
#include "share_plan.h"

/* sums and squares: (channels, parts). */
typedef struct batch_call {
  int64_t n, channels, size, chunk, parts;
  int block;
  float eps;
  const float *x, *gamma, *beta;
  float *y, *mean, *rstd, *sums, *squares;
} batch_call;

/* channels * parts < 2^31 blocks of `block` threads, part p having the vectors p chunk .. of its
 * channel, none of them empty. vec: x and y are 16-byte aligned and size is a multiple of 4. */
extern "C" void LAUNCHER(batch_norm_parts)(const pm_exec *ex, int vec, const batch_call *t);

/* Likewise, but clusters of p.in_cluster blocks take turns at channels, which times p.in_cluster
 * are < 2^31. Where p.kept is p.share they have their shares of `depth` channels at once. Of *t
 * nothing of parts. */
extern "C" void LAUNCHER(batch_norm_cluster)(const pm_exec *ex, int vec, int depth, share_plan p,
                                             const batch_call *t);

/* of_g and of_hat: (channels, parts). */
typedef struct batch_vjp_call {
  int64_t n, channels, size, chunk, parts;
  int block;
  const float *x, *gamma, *mean, *rstd, *g;
  float *dx, *dgamma, *dbeta, *of_g, *of_hat;
} batch_vjp_call;

/* Likewise; vec: x, g and dx. Clusters: channels * p.in_cluster blocks. */
extern "C" void LAUNCHER(batch_norm_vjp_parts)(const pm_exec *ex, int vec, int accumulate,
                                               const batch_vjp_call *t);
extern "C" void LAUNCHER(batch_norm_vjp_cluster)(const pm_exec *ex, int vec, int accumulate,
                                                 share_plan p, const batch_vjp_call *t);
#endif
