/* What a row that is split (row/split.h) leaves of a chunk, and what that costs in roundings. */
#ifndef PM_LSE_SPLIT_PLAN_H
#define PM_LSE_SPLIT_PLAN_H
#include "online_height.h"
#include "../row/split.h"

/* Roundings of an element's term behind that of its own exponential: in its piece, then the
 * change to the row's maximum, and the sum over the pieces. One more as in declare_alone. */
static inline double soft_split_height(int64_t rows, int64_t cols)
{
  double joins = (double)divide_up(split_chunks(rows, cols), SPLIT_BLOCK);
  return online_height(split_chunk(rows, cols), SPLIT_BLOCK) + (2 * PM_K_EXP + 2) + joins +
         block_height(SPLIT_BLOCK) + 1;
}
#endif
