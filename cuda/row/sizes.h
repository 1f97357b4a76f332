/* Rows of a (rows, cols) matrix: how wide a block or a group of lanes takes them. */
#ifndef PM_ROW_SIZES_H
#define PM_ROW_SIZES_H
#include "../host/table.h"
#include "../host/device.h"

enum {
  BIG_BLOCK = 1024,
  WARP_BLOCK = 128,
  WARP_K = 4, /* vectors of 4 that a thread holds, at most */
  WARP_COLS = 32 * 4 * WARP_K,
  REGS_BLOCK = 512,
  REGS_K = 8,
  REGS_COLS = 4 * REGS_BLOCK * REGS_K
};

/* Lanes of a row's group: two vectors a lane, as long as there are enough of them. */
static inline int warp_log_lanes(int64_t cols)
{
  int log = 0;
  while (log < 5 && 8 << log < cols) log++;
  return log;
}

/* The least of 2, 4 vectors that suffices. */
static inline int warp_k(int64_t cols)
{
  int k = 2;
  while (4 * 32 * k < cols) k *= 2;
  return k;
}

/* Threads for the variants that loop over the row: up to 32 elements each, then more. */
static inline int big_block(int64_t cols)
{
  int block = 32;
  while (block < BIG_BLOCK && 32 * block < cols) block *= 2;
  return block;
}

/* Threads of a row in registers, k vectors each. */
static inline int regs_block(int64_t cols, int k)
{
  return 32 * (int)divide_up(cols, (int64_t)32 * 4 * k);
}

/* Blocks that are at work at once, `each` on a multiprocessor; fewer where there are fewer rows. */
static inline int64_t big_grid(int64_t rows, int each)
{
  int64_t grid = (int64_t)device_blocks() * each;
  return rows < grid ? rows : grid;
}
#endif
