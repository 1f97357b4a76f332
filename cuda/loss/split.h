/* The host's side of cross entropy of rows that are split, split.cu. */
#ifndef PM_LOSS_SPLIT_H
#define PM_LOSS_SPLIT_H
#include "regs.h"
#include "../lse/split_plan.h"

/* Behind the launch of loss_targets where there is a dx; a row's loss goes to call->part[row], where it
 * is wanted. work: 2 rows split_pieces(rows, cols) floats; vec: x and dx are 16-byte aligned and cols a
 * multiple of 4. 0 < rows <= SPLIT_ROWS. */
extern "C" void LAUNCHER(loss_split)(void *stream, int vec, int64_t rows, int64_t cols,
                                     const float *x, float *work, const loss_call *call);
#endif
