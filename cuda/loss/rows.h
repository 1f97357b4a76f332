/* The host's side of cross entropy along the rows of x, (rows, cols): for each row its maximum m
 * and the sum s of exp(x - m), then its loss, log s - (x[target] - m), and dx, the softmax less
 * 1 at the target, in any combination. The variants are those of row/variants.h that keep a row,
 * and cluster and split; for the loss alone of rows that do not fit in registers there is
 * online.cu. `warp` leaves the sum of a block's losses in part[block], the others a row's in
 * part[row]. */
#ifndef PM_LOSS_ROWS_H
#define PM_LOSS_ROWS_H
#include "../lse/online_height.h"
#include "../lse/split_plan.h"
#include "launch.h"
#include "../row/variants.h"

/* The arguments are checked, rows > 0. */

/* What a row costs beside its elements is dear here: more of it in fewer threads than elsewhere, as
 * far as dx leaves room. */
static inline int loss_warp_k(idx cols) { return cols <= 8 ? 2 : WARP_K; }

static inline int loss_log_lanes(idx cols)
{
  int log = 0;
  while (4 * loss_warp_k(cols) << log < cols) log++;
  return log;
}

static inline int loss_regs_k(idx cols, int has_dx)
{
  return cols > 32 * 4 * REGS_K && cols <= (has_dx ? 4096 : 2047) ? 4 : REGS_K;
}

static inline double loss_height(int variant, idx cols, int has_dx)
{
  if (variant == WARP)
    return loss_warp_k(cols) + 1 + loss_log_lanes(cols);
  return row_height(variant, cols, loss_regs_k(cols, has_dx));
}

/* Sums that a variant leaves in part. */
static inline idx loss_parts(int variant, idx rows, idx cols)
{
  return variant == WARP ? divide_up(rows, WARP_BLOCK >> loss_log_lanes(cols)) : rows;
}

/* The first launch of a loss alone; else it comes behind that of the targets, for which warp and
 * regs wait themselves. */
static inline void launch_rows(int variant, void *stream, idx rows, idx cols, const float *x,
                               const loss_call &call)
{
  int aligned = pm_aligned16(x) && pm_aligned16(call.dx);
  int vec = cols % 4 == 0 && aligned;
  if (variant == WARP) {
    LAUNCHER(cross_entropy_warp)
    (stream, loss_warp_k(cols), vec, loss_log_lanes(cols), loss_parts(WARP, rows, cols), WARP_BLOCK,
     rows, cols, x, &call);
  } else if (variant == REGS) {
    int k = loss_regs_k(cols, call.dx != NULL), block = regs_block(cols, k);
    if (call.dx)
      LAUNCHER(cross_entropy_grad_regs)(stream, k, vec, block, rows, cols, x, &call);
    else
      LAUNCHER(cross_entropy_regs)(stream, k, vec, block, rows, cols, x, &call);
  } else {
    LAUNCHER(cross_entropy_grad_shared)
    (stream, aligned, big_grid(rows, 1), big_block(cols), rows, cols, x, &call);
  }
}

/* ---- the loss alone, by online softmax ---- */

enum {
  ONLINE = 2,     /* its number among the variants of the loss */
  ONCE_ROWS = 256 /* more are as many blocks as read as fast as memory allows */
};

static inline int online_block(idx cols)
{
  int block = 32;
  while (block < ONCE_BLOCK && 4 * ONCE_AHEAD * block < cols) block *= 2;
  return block;
}

/* Bit v: variant v of the loss alone may run: warp, regs, online. */
static inline unsigned loss_suited(idx rows, idx cols)
{
  return (rows_kept(rows, cols) & (1u << WARP | 1u << REGS)) | 1u << ONLINE;
}

static inline void launch_online(void *stream, idx rows, idx cols, const float *x,
                                 const loss_call &call)
{
  idx grid = rows < 0x7fffffff ? rows : 0x7fffffff;
  LAUNCHER(cross_entropy_online)
  (stream, pm_aligned16(x), grid, online_block(cols), rows, cols, x, &call);
}
#endif
