/* The host's side of shared.cu: softmax and log_softmax of rows in shared memory. */
#ifndef PM_SOFTMAX_SHARED_H
#define PM_SOFTMAX_SHARED_H
#include "../launch.h"

/* By `blocks` blocks of `block` threads; cols <= 57856. vec: x and y are 16-byte aligned. */
extern "C" void LAUNCHER(softmax_slots)(const pm_exec *ex, int logs, int vec, int64_t blocks,
                                        int block, int64_t rows, int64_t cols, const float *x,
                                        float *y);
#endif
