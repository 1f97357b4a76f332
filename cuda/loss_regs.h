/* The host's side of loss_regs.cu and loss_grad.cu: cross entropy of rows in the registers of a block. */
#ifndef PM_LOSS_REGS_H
#define PM_LOSS_REGS_H
#include "loss_targets.h"

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
/* With dx, behind the launch of loss_targets. */
extern "C" void LAUNCHER(loss_grad)(void *stream, int k, int vec, int block, int64_t rows,
                                    int64_t cols, const float *x, const loss_call *call);
#endif
