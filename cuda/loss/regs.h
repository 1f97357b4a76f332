/* The host's side of cross entropy of rows in registers, of a block in regs.cu and grad_regs.cu,
 * of lanes in warp.cu; of rows in shared memory, in grad_shared.cu; and of rows that wait
 * nowhere, in grad_stream.cu. */
#ifndef PM_LOSS_REGS_H
#define PM_LOSS_REGS_H
#include "targets.h"

typedef struct loss_call {
  const int64_t *target; /* (rows) */
  target_flags flags;
  float *part;    /* NULL: no loss is wanted */
  const float *g; /* (1), or NULL: 1 */
  float each;     /* 1 / rows */
  float *dx;      /* (rows, cols), or NULL: no gradient is wanted */
  int accumulate;
} loss_call;

/* A row a block of `block` threads, with k (4 or 8) vectors each: rows < 2^31, cols <= 4 k block.
 * vec: x and dx are 16-byte aligned and cols a multiple of 4. */
extern "C" void LAUNCHER(loss_alone)(void *stream, int k, int vec, int block, int64_t rows,
                                     int64_t cols, const float *x, const loss_call *call);
/* A row a group of 2^log_lanes lanes, with k (2 or 4) vectors each: cols <= 4 k 2^log_lanes, and the
 * grid's blocks, of which block b leaves the sum of its losses in part[b], have as many groups as
 * there are rows. With dx, behind the launch of loss_targets. */
extern "C" void LAUNCHER(loss_narrow)(void *stream, int k, int vec, int log_lanes, int64_t grid,
                                      int block, int64_t rows, int64_t cols, const float *x,
                                      const loss_call *call);
/* With dx, behind the launch of loss_targets. */
extern "C" void LAUNCHER(loss_grad)(void *stream, int k, int vec, int block, int64_t rows,
                                    int64_t cols, const float *x, const loss_call *call);
/* With dx, likewise, by `blocks` blocks; cols <= 57856. vec: x and dx are 16-byte aligned. */
extern "C" void LAUNCHER(loss_slots)(void *stream, int vec, int64_t blocks, int block, int64_t rows,
                                     int64_t cols, const float *x, const loss_call *call);
/* With dx, likewise; a block of `grid` has rows / grid rows or one more. */
extern "C" void LAUNCHER(loss_stream)(void *stream, int64_t grid, int block, int64_t rows,
                                      int64_t cols, const float *x, const loss_call *call);
/* Without dx: vec: x is 16-byte aligned; a block of `grid` has rows / grid rows or one more. */
extern "C" void LAUNCHER(loss_once)(void *stream, int vec, int64_t grid, int block, int64_t rows,
                                    int64_t cols, const float *x, const loss_call *call);
#endif
