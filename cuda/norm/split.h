/* The host's side of layer_norm and rms_norm of rows that are split: split_chunks.cu, split.cu. */
#ifndef PM_NORM_SPLIT_H
#define PM_NORM_SPLIT_H
#include "regs.h"
#include "../row/split_variant.h"

/* Words that split_chunks.cu leaves of a piece. */
enum { NORM_EACH = 3 };

/* Roundings of a centered row's sums, behind those of split_height: four where a piece is joined
 * (split_join.h); and once more those of a piece, as in its e there are sums of x - c, which add
 * up to as much as twice what the elements do. */
static inline double norm_split_height(int64_t rows, int64_t cols)
{
  return split_height(rows, cols) + split_chunk_height(rows, cols) + 4;
}

/* vec: every tensor is 16-byte aligned and cols a multiple of 4. work: rows split_chunks(rows,
 * cols) floats, NORM_EACH times. 0 < rows <= SPLIT_ROWS. */
extern "C" void LAUNCHER(norm_split)(const pm_exec *ex, int vec, const norm_call *t, float *work);
#endif
