/* The host's side of vjp_split.cu: VJPs of softmax, log_softmax and masked_softmax, rows
 * that are split. */
#ifndef PM_SOFTMAX_VJP_SPLIT_H
#define PM_SOFTMAX_VJP_SPLIT_H
#include "../launch.h"
#include "../row/split.h"

/* Words that a piece leaves. */
enum { PULL_EACH = 1 };

/* Of op (op.h). vec: y, g and dx are 16-byte aligned and cols a multiple of 4. part:
 * rows split_pieces(rows, cols) floats of workspace. 0 < rows <= SPLIT_ROWS. */
extern "C" void LAUNCHER(softmax_vjp_split)(const pm_exec *ex, int op, int vec, int accumulate,
                                            int64_t rows, int64_t cols, float *part, const float *y,
                                            const float *g, float *dx);
#endif
