/* The host's side of regs.cu, warp.cu and stream.cu: layer_norm and rms_norm of rows
 * in registers, or nowhere. */
#ifndef PM_NORM_REGS_H
#define PM_NORM_REGS_H
#include "../launch.h"

/* The arguments of both ops; what the op or `affine` leaves out is NULL. */
typedef struct norm_call {
  int64_t rows, cols;
  float eps;
  const float *x, *gamma, *beta;
  float *y, *mean, *rstd;
} norm_call;

/* A row a block of `block` threads, with k (4 or 8) vectors each: rows < 2^31, cols <= 4 k
 * block. vec: every tensor is 16-byte aligned and cols a multiple of 4; or EVICT_LAST
 * (lang/cache_hints.h), if so. */
extern "C" void LAUNCHER(norm_regs)(const pm_exec *ex, int k, int vec, int block,
                                    const norm_call *t);

/* A row a group of 2^log_lanes lanes, up to 32, with k (2, 4 or 8) vectors each:
 * cols <= 4 k 2^log_lanes, and ceil(rows / (128 / 2^log_lanes)) < 2^31. */
extern "C" void LAUNCHER(norm_warp)(const pm_exec *ex, int k, int vec, int log_lanes,
                                    const norm_call *t);

/* A row a block of `block` threads, up to 1024. */
extern "C" void LAUNCHER(norm_stream)(const pm_exec *ex, int block, const norm_call *t);
#endif
