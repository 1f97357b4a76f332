/* The host's side of stream.cu: softmax and log_softmax of rows of any size. */
#ifndef PM_SOFTMAX_STREAM_H
#define PM_SOFTMAX_STREAM_H
#include "../launch.h"

/* log_softmax where logs, else softmax; by `grid` blocks of `block` threads, none without a row. */
extern "C" void LAUNCHER(softmax_stream)(const pm_exec *ex, int logs, int64_t grid, int block,
                                         int64_t rows, int64_t cols, const float *x, float *y);
#endif
