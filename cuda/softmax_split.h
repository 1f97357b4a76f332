/* The host's side of rows that are split: which are, and softmax and log_softmax, softmax_split.cu. */
#ifndef PM_SOFTMAX_SPLIT_H
#define PM_SOFTMAX_SPLIT_H
#include "once_height.h"
#include "row_split.h"

/* An op that has the variant has it before the others, as variant -1. */
enum {
  SPLIT = -1,
  SPLIT_FEW = 16 /* rows that go faster by pieces also where one fits in shared memory */
};
#define SPLIT_OF(op, declare)                  \
  {                                            \
    op, "split", SPLIT_WHEN, PM_VALUE, declare \
  }

/* Bit 0: the rows may be split, and it pays where one is asked to choose; those of the other variants
 * come behind. */
static inline unsigned with_split(const pm_exec *ex, unsigned suited, int64_t rows, int64_t cols,
                                  int pays)
{
  return suited << 1 | (splits(rows, cols) && (ex->variant || pays) ? 1u : 0u);
}

/* Of ops whose rows else wait in shared memory, or are read twice. */
static inline int split_pays(int64_t rows, int64_t cols)
{
  return cols > SLOT_COLS || rows <= SPLIT_FEW;
}

/* Roundings of an element's term behind that of its own exponential: in its piece, then the change to
 * the row's maximum, and the sum over the pieces. One more as in declare_alone. */
static inline double soft_split_height(int64_t rows, int64_t cols)
{
  double joins = (double)divide_up(split_pieces(rows, cols), SPLIT_BLOCK);
  return once_height(split_chunk(rows, cols), SPLIT_BLOCK) + (2 * PM_K_EXP + 2) + joins +
         block_height(SPLIT_BLOCK) + 1;
}

/* work: 2 rows pieces floats; vec: x and y are 16-byte aligned and cols a multiple of 4. */
extern "C" void LAUNCHER(softmax_split)(void *stream, int logs, int vec, int64_t rows, int64_t cols,
                                        const float *x, float *work, float *y);
#endif
