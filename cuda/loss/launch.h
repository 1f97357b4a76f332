/* Launchers of the family's variants; rows.h and loss.cu say which runs. Those of cross entropy
 * have a gradient where call->dx is not NULL, and then come behind the launch of
 * cross_entropy_targets; a row's loss goes to call->part[row], where it is wanted. vec: x and dx
 * are 16-byte aligned and, but for `shared` and `online`, cols a multiple of 4. rows and cols >
 * 0. */
#ifndef PM_LOSS_LAUNCH_H
#define PM_LOSS_LAUNCH_H
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

/* A row a team of 2^log_lanes lanes, with k (2 or 4) vectors each: cols <= 4 k 2^log_lanes, and
 * the grid's blocks, of which block b leaves the sum of its losses in part[b], have as many
 * teams as there are rows. */
extern "C" void LAUNCHER(cross_entropy_warp)(void *stream, int k, int vec, int log_lanes,
                                             int64_t grid, int block, int64_t rows, int64_t cols,
                                             const float *x, const loss_call *call);
/* A row a block of `block` threads, with k (4 or 8) vectors each: rows < 2^31, cols <= 4 k
 * block. The loss alone; and the gradient. */
extern "C" void LAUNCHER(cross_entropy_regs)(void *stream, int k, int vec, int block, int64_t rows,
                                             int64_t cols, const float *x, const loss_call *call);
extern "C" void LAUNCHER(cross_entropy_grad_regs)(void *stream, int k, int vec, int block,
                                                  int64_t rows, int64_t cols, const float *x,
                                                  const loss_call *call);
/* The gradient, by `blocks` blocks; cols <= BUFFER_COLS. */
extern "C" void LAUNCHER(cross_entropy_grad_shared)(void *stream, int vec, int64_t blocks,
                                                    int block, int64_t rows, int64_t cols,
                                                    const float *x, const loss_call *call);
/* The gradient of rows for which soft_clusters holds (row/cluster_variant.h). */
extern "C" void LAUNCHER(cross_entropy_grad_cluster)(void *stream, int vec, int64_t rows,
                                                     int64_t cols, const float *x,
                                                     const loss_call *call);
/* Of rows for which splits holds (row/split.h). work: SOFT_EACH floats a piece. */
extern "C" void LAUNCHER(cross_entropy_split)(void *stream, int vec, int64_t rows, int64_t cols,
                                              const float *x, float *work, const loss_call *call);
/* The loss alone; a block of `grid` has rows / grid rows or one more. */
extern "C" void LAUNCHER(cross_entropy_online)(void *stream, int vec, int64_t grid, int block,
                                               int64_t rows, int64_t cols, const float *x,
                                               const loss_call *call);
/* y = the sum over n elements, by count; work: sum_parts(n) floats. Where an element is REFUSED
 * *status says so and y is not written. a is 16-byte aligned. */
extern "C" void LAUNCHER(cross_entropy_mean)(void *stream, int64_t n, int64_t count, const float *a,
                                             float *work, float *y, int *status);

/* y = the mean of (a - t)^2 over n elements; work: sum_parts(n) floats. `aligned`: a and t are
 * 16-byte aligned. */
extern "C" void LAUNCHER(mse_loss_mean)(void *stream, int64_t n, int aligned, const float *a,
                                        const float *t, float *work, float *y);
#endif
