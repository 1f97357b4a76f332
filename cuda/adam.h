/* The bias corrections that adam_step and adamw_step take. */
#ifndef PM_ADAM_H
#define PM_ADAM_H
#include "launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1/(1 - beta^t), to f32's accuracy at any step t from 1 on; beta from 0 to 1, 1 excluded. On an
 * error *correction stays as it is. */
pm_status pm_bias_correction(float beta, int64_t t, float *correction);

#ifdef __cplusplus
}
#endif
#endif
