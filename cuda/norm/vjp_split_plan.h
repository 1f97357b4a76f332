/* How vjp_split.cu cuts up a matrix of few and long rows, beyond row/split.h. */
#ifndef PM_NORM_VJP_SPLIT_PLAN_H
#define PM_NORM_VJP_SPLIT_PLAN_H

enum {
  VJP_SPLIT_ROWS = 64, /* at most: every block has what is known of all of them */
  SPREAD_DEPTH = 4     /* rows that a thread has on their way */
};

/* ---- host ---- */

#ifndef __FRAMAC__
#include "vjp_regs.h"
#include "../row/split.h"
#include "../row/variants.h"
#include "../host/table.h"

enum {
  VJP_SPLIT_MOST = 24, /* rows for which it runs by itself, */
  VJP_SPLIT_FEW = 4,   /* and those for which it does where a cluster would hold them */
  SPREAD_BLOCK = 256,  /* threads, */
  SPREAD_NARROW = 128, /* or where there would be too few blocks */
  SPREAD_BLOCKS = 512,
  SPREAD_EACH = 2 /* vectors of a thread */
};
static_assert(SPREAD_DEPTH <= KMAX, "REG has so many");

#define VJP_SPLIT_WHEN                      \
  "cols > 16384 and rows <= 64; by itself " \
  "for rows <= 24 where cols > 53248 or rows <= 4"

static inline int vjp_splits(int64_t rows, int64_t cols)
{
  return splits(rows, cols) && rows <= VJP_SPLIT_ROWS;
}

/* Where none is named; `held`: columns that a cluster holds. */
static inline int vjp_split_pays(int64_t rows, int64_t cols, int64_t held)
{
  return rows <= VJP_SPLIT_FEW || (rows <= VJP_SPLIT_MOST && cols > held);
}

static inline int64_t vjp_split_words(int64_t rows, int64_t cols)
{
  return vjp_splits(rows, cols) ? 2 * rows * split_chunks(rows, cols) : 0;
}

/* Threads of a block that goes down the rows, and its steps (row/split_steps.h), of so many in
 * all. */
static inline int vjp_split_block(int64_t steps)
{
  return steps < (int64_t)SPREAD_BLOCK * SPREAD_BLOCKS ? SPREAD_NARROW : SPREAD_BLOCK;
}
static inline int64_t vjp_split_stretch(int64_t steps)
{
  int64_t block = vjp_split_block(steps), each = steps / (block * SPREAD_BLOCKS);
  return block * (each < 1 ? 1 : each < SPREAD_EACH ? each : (int64_t)SPREAD_EACH);
}

/* Additions above an element of a row: its thread's, most where it takes elements one by one; the
 * warp's, the block's; a lane's pieces, the warp's. */
static inline double vjp_split_height(int64_t rows, int64_t cols)
{
  double elements = (double)divide_up(split_chunk(rows, cols), SPLIT_BLOCK);
  double pieces = (double)divide_up(split_chunks(rows, cols), 32);
  return elements - 1 + 5 + SPLIT_BLOCK / 32 - 1 + pieces - 1 + 5;
}

/* dx, dgamma and dbeta, of rows for which vjp_splits. vec: every tensor, dgamma and dbeta too, is
 * 16-byte aligned and cols a multiple of 4. Workspace: vjp_split_words. */
extern "C" void LAUNCHER(norm_vjp_split)(const pm_exec *ex, int vec, const vjp_call *t);
#endif
#endif
