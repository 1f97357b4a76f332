/* The host's side of vjp_regs.cu: VJPs of softmax, log_softmax and masked_softmax, rows in
 * registers. Of op (op.h); vec: all tensors are 16-byte aligned and cols a multiple of 4. */
#ifndef PM_SOFTMAX_VJP_REGS_H
#define PM_SOFTMAX_VJP_REGS_H
#include "../launch.h"

/* A row a block of `block` threads, with k (4 or 8) vectors each: rows < 2^31, cols <= 4 k block. vec may
 * be EVICT_LAST (lang/cache_hints.h). */
extern "C" void LAUNCHER(softmax_vjp_regs)(const pm_exec *ex, int op, int k, int vec, int block,
                                           int accumulate, int64_t rows, int64_t cols,
                                           const float *y, const float *g, float *dx);

/* A row a group of 2^log_lanes lanes, with k (2 or 4) vectors each: cols <= 4 k 2^log_lanes, and the
 * grid's blocks have at least as many groups as there are rows. */
extern "C" void LAUNCHER(softmax_vjp_warp)(const pm_exec *ex, int op, int k, int vec, int log_lanes,
                                           int64_t grid, int block, int accumulate, int64_t rows,
                                           int64_t cols, const float *y, const float *g, float *dx);
#endif
