/* Rows of a (rows, cols) matrix: how wide a block or a group of lanes takes them. */
#ifndef PM_ROW_SIZES_H
#define PM_ROW_SIZES_H
#include "../host/table.h"
#include "lanes.h"
#ifndef __FRAMAC__
#include "../host/device.h"
#endif

enum { BIG_BLOCK = 1024, REGS_BLOCK = 512, REGS_K = 8, REGS_COLS = 4 * REGS_BLOCK * REGS_K };

#ifndef __FRAMAC__
/* Threads for the variants that loop over the row: up to 32 elements each, then more. */
static inline int big_block(int64_t cols)
{
  int block = 32;
  while (block < BIG_BLOCK && 32 * block < cols) block *= 2;
  return block;
}

#endif

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
/* Threads of a row in registers, k vectors each. */
/*@ requires (k == 4 || k == 8) && 0 < cols <= 4*k*REGS_BLOCK;
    assigns \nothing;
    ensures 32 <= \result <= REGS_BLOCK && \result % 32 == 0 && cols <= 4*(k*\result); */
static inline int regs_block(int64_t cols, int k)
{
  return 32 * (int)divide_up(cols, (int64_t)32 * 4 * k);
}
#endif

#ifndef __FRAMAC__

/* Blocks that are at work at once, `each` on a multiprocessor; fewer where there are fewer rows. */
static inline int64_t big_grid(int64_t rows, int each)
{
  int64_t grid = (int64_t)device_blocks() * each;
  return rows < grid ? rows : grid;
}
#endif
#endif
