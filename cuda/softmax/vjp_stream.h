/* The host's side of vjp_stream.cu: VJPs of softmax, log_softmax and masked_softmax, any
 * rows. */
#ifndef PM_SOFTMAX_VJP_STREAM_H
#define PM_SOFTMAX_VJP_STREAM_H
#include "../launch.h"

/* Of op (op.h). At most `grid` blocks of `block` threads, each with some rows: 0 < rows. */
extern "C" void LAUNCHER(softmax_vjp_stream)(const pm_exec *ex, int op, int64_t grid, int block,
                                             int accumulate, int64_t rows, int64_t cols,
                                             const float *y, const float *g, float *dx);
#endif
