/* The host's side of mean.cu: y = the sum over n elements, by count; work: sum_parts(n) floats.
 * Where an element is REFUSED *status says so and y is not written. a is 16-byte aligned. */
#ifndef PM_LOSS_MEAN_H
#define PM_LOSS_MEAN_H
#include "../lang/kernel.h"
#include "../launch.h"

extern "C" void LAUNCHER(loss_mean)(void *stream, int64_t n, int64_t count, const float *a,
                                    float *work, float *y, int *status);
#endif
