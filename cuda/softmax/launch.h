/* Launchers of the family's variants; softmax.cu says which runs. log_softmax where logs, else
 * softmax; VJPs of op (op.h). vec: every tensor is 16-byte aligned and, but for `shared`, cols a
 * multiple of 4. rows and cols > 0. */
#ifndef PM_SOFTMAX_LAUNCH_H
#define PM_SOFTMAX_LAUNCH_H
#include "../launch.h"

enum { PULL_EACH = 1 /* words that a VJP's split leaves of a piece; the others leave SOFT_EACH */ };

/* A row a team of 2^log_lanes lanes, with k (2 or 4) vectors each: cols <= 4 k 2^log_lanes, and the
 * grid's blocks have at least as many teams as there are rows. */
extern "C" void LAUNCHER(softmax_warp)(const pm_exec *ex, int logs, int k, int vec, int log_lanes,
                                       int64_t grid, int block, int64_t rows, int64_t cols,
                                       const float *x, float *y);
extern "C" void LAUNCHER(masked_softmax_warp)(const pm_exec *ex, int k, int vec, int log_lanes,
                                              int64_t grid, int block, int64_t rows, int64_t cols,
                                              const float *x, const float *mask, float *y);
extern "C" void LAUNCHER(softmax_vjp_warp)(const pm_exec *ex, int op, int k, int vec, int log_lanes,
                                           int64_t grid, int block, int accumulate, int64_t rows,
                                           int64_t cols, const float *y, const float *g, float *dx);

/* A row a block of `block` threads, with k (4 or 8) vectors each: rows < 2^31, cols <= 4 k
 * block. A VJP's vec may be EVICT_LAST (lang/cache_hints.h). */
extern "C" void LAUNCHER(softmax_regs)(const pm_exec *ex, int logs, int k, int vec, int block,
                                       int64_t rows, int64_t cols, const float *x, float *y);
extern "C" void LAUNCHER(masked_softmax_regs)(const pm_exec *ex, int k, int vec, int block,
                                              int64_t rows, int64_t cols, const float *x,
                                              const float *mask, float *y);
extern "C" void LAUNCHER(softmax_vjp_regs)(const pm_exec *ex, int op, int k, int vec, int block,
                                           int accumulate, int64_t rows, int64_t cols,
                                           const float *y, const float *g, float *dx);

/* By `blocks` blocks of `block` threads, no more than there are rows; cols <= BUFFER_COLS. */
extern "C" void LAUNCHER(softmax_shared)(const pm_exec *ex, int logs, int vec, int64_t blocks,
                                         int block, int64_t rows, int64_t cols, const float *x,
                                         float *y);
extern "C" void LAUNCHER(masked_softmax_shared)(const pm_exec *ex, int vec, int64_t blocks,
                                                int block, int64_t rows, int64_t cols,
                                                const float *x, const float *mask, float *y);
extern "C" void LAUNCHER(softmax_vjp_shared)(const pm_exec *ex, int op, int vec, int64_t blocks,
                                             int block, int accumulate, int64_t rows, int64_t cols,
                                             const float *y, const float *g, float *dx);

/* Of rows for which soft_clusters holds (row/cluster_variant.h), a VJP's pull_clusters
 * (vjp_cluster_plan.h). */
extern "C" void LAUNCHER(softmax_cluster)(const pm_exec *ex, int logs, int vec, int64_t rows,
                                          int64_t cols, const float *x, float *y);
extern "C" void LAUNCHER(masked_softmax_cluster)(const pm_exec *ex, int vec, int64_t rows,
                                                 int64_t cols, const float *x, const float *mask,
                                                 float *y);
extern "C" void LAUNCHER(softmax_vjp_cluster)(const pm_exec *ex, int op, int vec, int accumulate,
                                              int64_t rows, int64_t cols, const float *y,
                                              const float *g, float *dx);

/* Of rows for which splits holds (row/split.h). work: SOFT_EACH or PULL_EACH floats a piece. */
extern "C" void LAUNCHER(softmax_split)(void *stream, int logs, int vec, int64_t rows, int64_t cols,
                                        const float *x, float *work, float *y);
extern "C" void LAUNCHER(masked_softmax_split)(void *stream, int vec, int64_t rows, int64_t cols,
                                               const float *x, const float *mask, float *work,
                                               float *y);
extern "C" void LAUNCHER(softmax_vjp_split)(const pm_exec *ex, int op, int vec, int accumulate,
                                            int64_t rows, int64_t cols, float *work, const float *y,
                                            const float *g, float *dx);
#endif
