/* The host's side of mse.cu: y = the mean of (a - t)^2 over n elements; work: sum_parts(n)
 * floats. `aligned`: a and t are 16-byte aligned. */
#ifndef PM_LOSS_MSE_H
#define PM_LOSS_MSE_H
#include "../launch.h"

extern "C" void LAUNCHER(loss_squares)(void *stream, int64_t n, int aligned, const float *a,
                                       const float *t, float *work, float *y);
#endif
