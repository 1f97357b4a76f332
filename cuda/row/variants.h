/* The variants of a row op: where a row of a (rows, cols) matrix waits between the two times that
 * a kernel needs it:
 *   warp    in the registers of a team of up to 32 lanes, 4 k elements a lane
 *   regs    in the registers of a block, 4 k elements a thread
 *   shared  in the shared memory of a block, and partly in its registers; the next row arrives
 *           while this one is worked on and written (lang/row_buffer.h)
 *   stream  nowhere: it is read again. Any size; of the norms alone.
 * Long rows are shared by many blocks besides: split.h. */
#ifndef PM_ROW_VARIANTS_H
#define PM_ROW_VARIANTS_H
#include "sizes.h"
#include "../lang/row_buffer.h"

enum { WARP, REGS, IN_SHARED, STREAM };

#ifndef __FRAMAC__
/* Levels that block_sum adds, for a block of so many threads. */
static inline int block_height(int threads)
{
  int height = 5;
  for (int n = 32; n < threads; n *= 2) height++;
  return height;
}

/* Height of the tree of a sum along a row; of k vectors a thread in registers or a lane of a warp. */
static inline double row_height(int variant, int64_t cols, int k)
{
  int block = big_block(cols);
  if (variant == WARP)
    return k + 1 + warp_log_lanes(cols);
  if (variant == REGS)
    return k + 1 + block_height(regs_block(cols, k));
  if (variant == IN_SHARED)
    return (double)divide_up(buffer_vec4s_at_most(cols), block) + 1 + block_height(block);
  return (double)divide_up(cols, block) + block_height(block);
}

#endif

/* An op's rows of the kernel table: three levels, then three functions that declare. */
#define ROW_LEVELS(op, of_warp, of_regs, of_shared, warp, regs, shared) \
  {op, "warp", "cols <= 512", of_warp, warp},                           \
      {op, "regs", "cols <= 16384 and rows < 2^31", of_regs, regs},     \
  {                                                                     \
    op, "shared", "cols <= 57856", of_shared, shared                    \
  }

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
/*@ predicate warp_can(integer rows, integer cols) = cols <= WARP_COLS &&
      DivideUp(rows,TeamsOf(LogLanes(cols))) <= 0x7fffffff;
    predicate regs_can(integer rows, integer cols) = cols <= REGS_COLS && rows <= 0x7fffffff; */
/* Bit v: variant v may run, of those that keep a row; regs where it is not ruled out. */
/*@ requires 0 <= rows;
    assigns \nothing;
    ensures 0 <= \result <= 7 && (suits(\result,WARP) ==> warp_can(rows,cols));
    ensures suits(\result,REGS) ==> regs_can(rows,cols);
    ensures \result == 0 ==> 0 < cols; */
static inline unsigned rows_kept_but(int64_t rows, int64_t cols, int no_regs)
{
  int warp = cols <= WARP_COLS && divide_up(rows, warp_teams(warp_log_lanes(cols))) <= 0x7fffffff;
  int regs = !no_regs && cols <= REGS_COLS && rows <= 0x7fffffff;
  return (warp ? 1u << WARP : 0u) + (regs ? 1u << REGS : 0u) +
         (cols <= BUFFER_COLS ? 1u << IN_SHARED : 0u);
}
#endif

#ifndef __FRAMAC__
static inline unsigned rows_kept(int64_t rows, int64_t cols)
{
  return rows_kept_but(rows, cols, 0);
}

/* And of all. */
static inline unsigned rows_suited(int64_t rows, int64_t cols)
{
  return rows_kept(rows, cols) | 1u << STREAM;
}
#endif
#endif
