/* The host's side of vjp_shared.cu: VJPs of softmax, log_softmax and masked_softmax, rows in
 * the slots of a block (lang/row_buffer.h). */
#ifndef PM_SOFTMAX_VJP_SHARED_H
#define PM_SOFTMAX_VJP_SHARED_H
#include "../launch.h"

/* Of op (op.h): rows and cols > 0, cols <= 57856, the grid's blocks of `block` threads no more
 * than there are rows. vec: all tensors are 16-byte aligned. */
extern "C" void LAUNCHER(softmax_vjp_shared)(const pm_exec *ex, int op, int vec, int64_t blocks,
                                             int block, int accumulate, int64_t rows, int64_t cols,
                                             const float *y, const float *g, float *dx);
#endif
