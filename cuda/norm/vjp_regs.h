/* The host's side of vjp_regs.cu: layer_norm_vjp and rms_norm_vjp of rows in registers. */
#ifndef PM_NORM_VJP_REGS_H
#define PM_NORM_VJP_REGS_H
#include "../launch.h"

enum { VJP_K = 4 }; /* vectors of a row that a lane has: x, g and the sums of both are held */

/* The arguments of both ops; what the op or `affine` leaves out is NULL. */
typedef struct vjp_call {
  int accumulate, affine;
  int64_t rows, cols;
  const float *x, *gamma, *mean, *rstd, *g;
  float *dx, *dgamma, *dbeta;
} vjp_call;

/* dx, and into the workspace `blocks` rows of sums for dgamma, then for dbeta, by as many blocks of
 * `groups` of `lanes` threads, at most 512: lanes a multiple of 32, cols <= 4 VJP_K lanes. vec:
 * every tensor is 16-byte aligned and cols a multiple of 4. */
extern "C" void LAUNCHER(norm_vjp_regs)(const pm_exec *ex, int vec, int64_t blocks, int groups,
                                        int lanes, const vjp_call *t);

/* The same for groups of 1, 2, 4, .. 32 lanes with k vectors each, 2 or 4: cols <= 4 k lanes. A
 * block adds up its groups' sums in `parts`, k parts <= groups. */
extern "C" void LAUNCHER(norm_vjp_warp)(const pm_exec *ex, int k, int vec, int64_t blocks,
                                        int groups, int lanes, int parts, const vjp_call *t);
#endif
