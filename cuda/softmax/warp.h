/* The host's side of warp.cu: softmax and log_softmax of rows in the registers of lanes. */
#ifndef PM_SOFTMAX_WARP_H
#define PM_SOFTMAX_WARP_H
#include "../launch.h"

/* log_softmax where logs, else softmax. A row a group of 2^log_lanes lanes, with k (2 or 4) vectors
 * each: cols <= 4 k 2^log_lanes, and the grid's blocks have at least as many groups as there are
 * rows. vec: both tensors are 16-byte aligned and cols a multiple of 4. */
extern "C" void LAUNCHER(softmax_narrow)(const pm_exec *ex, int logs, int k, int vec, int log_lanes,
                                         int64_t grid, int block, int64_t rows, int64_t cols,
                                         const float *x, float *y);
#endif
