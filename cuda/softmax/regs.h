/* The host's side of regs.cu: softmax and log_softmax of rows in the registers of a block. */
#ifndef PM_SOFTMAX_REGS_H
#define PM_SOFTMAX_REGS_H
#include "../launch.h"

/* log_softmax where logs, else softmax. A row a block of `block` threads, with k (4 or 8) vectors
 * each: rows < 2^31, cols <= 4 k block. vec: both tensors are 16-byte aligned and cols a multiple of
 * 4. */
extern "C" void LAUNCHER(softmax_regs)(const pm_exec *ex, int logs, int k, int vec, int block,
                                       int64_t rows, int64_t cols, const float *x, float *y);
#endif
