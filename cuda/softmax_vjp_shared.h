/* The host's side of softmax_vjp_shared.cu: VJPs of softmax, log_softmax and masked_softmax, rows in
 * the shared memory of a block. */
#ifndef PM_SOFTMAX_VJP_SHARED_H
#define PM_SOFTMAX_VJP_SHARED_H
#include "launch.h"

/* Of op (softmax_op.h). At most `grid` blocks of `block` threads, each with some rows: 0 < rows,
 * cols <= 57856. vec: all tensors are 16-byte aligned. */
extern "C" void LAUNCHER(softmax_vjp_shared)(const pm_exec *ex, int op, int vec, int64_t grid,
                                             int block, int accumulate, int64_t rows, int64_t cols,
                                             const float *y, const float *g, float *dx);
#endif
