/* __shfl_down_sync of a double. Two readings, as in kernel.h; outside PHASE and EACH_THREAD.
 *   SHFL_DOWN_D(d, v, m)   d of lane l = v of lane l + m of its warp, or its own v where there is
 *                          none */
#ifndef PM_LANG_SHUFFLE_DOWN_F64_H
#define PM_LANG_SHUFFLE_DOWN_F64_H
#include "kernel.h"

#ifdef __FRAMAC__
/*@ requires 0 < m < 32 && block;
    requires \valid(d + (0 .. bdim_-1)) && \valid_read(v + (0 .. bdim_-1));
    requires \separated(d + (0 .. bdim_-1), v + (0 .. bdim_-1));
    assigns d[0 .. bdim_-1];
    ensures \forall integer l; 0 <= l < bdim_ ==> d[l] == v[l % 32 + m < 32 ? l + m : l]; */
void shfl_down_d_(double *d, const double *v, int m);
#define SHFL_DOWN_D(d, v, m) shfl_down_d_(d, v, m)
#else
#define SHFL_DOWN_D(d, v, m) (d) = __shfl_down_sync(0xffffffffu, v, (unsigned)(m))
#endif
#endif
