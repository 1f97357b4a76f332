/* What loss/online.cu has in common with its host's side. */
#ifndef PM_LSE_ONLINE_PLAN_H
#define PM_LSE_ONLINE_PLAN_H

enum { ONCE_BLOCK = 256, ONCE_AHEAD = 4 /* vectors that a lane has in flight */ };

#ifndef __FRAMAC__
#include "../loss/regs.h"

/* vec: x is 16-byte aligned; a block of `grid` has rows / grid rows or one more. */
extern "C" void LAUNCHER(loss_once)(void *stream, int vec, int64_t grid, int block, int64_t rows,
                                    int64_t cols, const float *x, const loss_call *call);
#endif
#endif
