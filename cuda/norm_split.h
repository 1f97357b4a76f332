/* The host's side of layer_norm and rms_norm of rows that are split: norm_pieces.cu, norm_split.cu. */
#ifndef PM_NORM_SPLIT_H
#define PM_NORM_SPLIT_H
#include "norm_regs.h"
#include "row_split.h"

/* Words that norm_pieces.cu leaves of a piece: its sum, where the rows are centered, and that of its
 * squares. */
static inline int norm_each(int centered) { return centered ? 2 : 1; }

/* vec: every tensor is 16-byte aligned and cols a multiple of 4. work: rows split_pieces(rows, cols)
 * floats, norm_each times. 0 < rows <= SPLIT_ROWS. */
extern "C" void LAUNCHER(norm_split)(const pm_exec *ex, int vec, const norm_call *t, float *work);
#endif
