/* The host's side of rows that are split (split.h), as a variant of an op. */
#ifndef PM_ROW_SPLIT_VARIANT_H
#define PM_ROW_SPLIT_VARIANT_H
#include "../launch.h"
#include "split.h"
#include "variants.h"

/* An op that has the variant has it before the others, as variant -1. */
enum {
  SPLIT = -1,
  SPLIT_FEW = 16 /* rows that go faster by pieces also where one fits in shared memory */
};
#define SPLIT_OF(op, level, declare)        \
  {                                         \
    op, "split", SPLIT_WHEN, level, declare \
  }

/* Bit 0: a variant before the others can run, and it pays where one is asked to choose; those of
 * the others come behind. */
/*@ requires \valid_read(ex) && suited <= 0xffff;
    assigns \nothing;
    ensures 2*suited <= \result <= 2*suited + 1; */
static inline unsigned with_first(const pm_exec *ex, unsigned suited, int can, int pays)
{
  return 2 * suited + (can && (ex->variant || pays) ? 1u : 0u);
}
/*@ requires \valid_read(ex) && suited <= 0xffff && 0 <= rows && 0 <= cols;
    assigns \nothing;
    ensures 2*suited <= \result <= 2*suited + 1; */
static inline unsigned with_split(const pm_exec *ex, unsigned suited, int64_t rows, int64_t cols,
                                  int pays)
{
  return with_first(ex, suited, splits(rows, cols), pays);
}

/* Of ops whose rows else wait in shared memory, an error where there are too many rows for any
 * variant: so many that they cannot be split, of more elements than a block holds. */
/*@ requires \valid(c) && \valid_read(ex) && 0 <= rows && (suited == 0 ==> 0 < cols);
    assigns c->status;
    ensures worse(c->status,\old(c->status)); */
static inline void some_suited(pm_check *c, const pm_exec *ex, unsigned suited, int64_t rows,
                               int64_t cols)
{
  if (c->status == PM_OK && !suited && !ex->variant)
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op,
                        "rows = %lld: of cols = %lld a call takes at most %lld: make several",
                        (long long)rows, (long long)cols, (long long)split_most(rows, cols));
}

/* Of ops whose rows else wait in shared memory, or are read twice. */
/*@ assigns \nothing; */
static inline int split_pays(int64_t rows, int64_t cols)
{
  return cols > BUFFER_COLS || rows <= SPLIT_FEW;
}

#ifndef __FRAMAC__
/* Roundings that an element's part goes through on its way into its piece's sum: its thread's
 * chain and the block's levels. Where threads take elements one by one, which is the longer
 * chain. */
static inline double split_chunk_height(int64_t rows, int64_t cols)
{
  return (double)divide_up(split_chunk(rows, cols), SPLIT_BLOCK) + block_height(SPLIT_BLOCK);
}

/* And into its row's: the chain over the sums of the pieces, and the levels again. */
static inline double split_height(int64_t rows, int64_t cols)
{
  double sums = (double)divide_up(split_chunks(rows, cols), SPLIT_BLOCK);
  return split_chunk_height(rows, cols) + sums + block_height(SPLIT_BLOCK);
}
#endif
#endif
