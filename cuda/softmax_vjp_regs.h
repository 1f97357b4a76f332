/* The host's side of softmax_vjp_regs.cu: VJPs of softmax, log_softmax and masked_softmax, rows in
 * the registers of a block. */
#ifndef PM_SOFTMAX_VJP_REGS_H
#define PM_SOFTMAX_VJP_REGS_H
#include "launch.h"

/* Of op (softmax_op.h). A row a block of `block` threads, with k (4 or 8) vectors each: rows < 2^31,
 * cols <= 4 k block. vec: all tensors are 16-byte aligned and cols a multiple of 4. */
extern "C" void LAUNCHER(softmax_vjp_regs)(const pm_exec *ex, int op, int k, int vec, int block,
                                           int accumulate, int64_t rows, int64_t cols,
                                           const float *y, const float *g, float *dx);
#endif
