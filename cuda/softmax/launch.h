/* Launchers of the family's variants; softmax.cu says which runs. log_softmax where logs, else
 * softmax; VJPs of op (op.h). vec: every tensor is 16-byte aligned and, but for `shared`, cols a
 * multiple of 4. rows and cols > 0. */
#ifndef PM_SOFTMAX_LAUNCH_H
#define PM_SOFTMAX_LAUNCH_H
#include "../launch.h"
#include "../math/neg_inf.h"
#include "../row/lanes.h"

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
/*@ // what the launchers of softmax and log_softmax are given: n elements of x and of y
    predicate soft_given{L}(float *x, float *y, integer n) =
      \valid_read(x + (0 .. n-1)) && \valid(y + (0 .. n-1)) &&
      \forall integer k; 0 <= k < n ==> Lowest < x[k];
    predicate soft_checked{L}(integer rows, integer cols, integer vec, float *x, float *y) =
      0 < rows && 0 < cols && ix(rows,cols,0) <= IDX_LIM && soft_given(x,y,ix(rows,cols,0)) &&
      \separated(x + (0 .. ix(rows,cols,0)-1), y + (0 .. ix(rows,cols,0)-1)) &&
      (vec != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y)); */

enum { PULL_EACH = 1 /* words that a VJP's split leaves of a piece; the others leave SOFT_EACH */ };

/* A row a team of 2^log_lanes lanes, with k (2 or 4) vectors each: cols <= 4 k 2^log_lanes, and the
 * grid's blocks have at least as many teams as there are rows. */
/*@ requires \valid_read(ex) && soft_checked(rows,cols,vec,x,y) && 0 <= log_lanes <= 5;
    requires (k == 2 || k == 4) && cols <= 4*(k*LanesOf(log_lanes)) && block == WARP_BLOCK;
    requires 0 < grid <= 0x7fffffff && rows <= TeamsOf(log_lanes)*grid;
    assigns y[0 .. ix(rows,cols,0)-1], bdim_, blocks_, gsize_; */
ENTRY void LAUNCHER(softmax_warp)(const pm_exec *ex, int logs, int k, int vec, int log_lanes,
                                  int64_t grid, int block, int64_t rows, int64_t cols,
                                  const float *x, float *y);
#ifndef __FRAMAC__
extern "C" void LAUNCHER(masked_softmax_warp)(const pm_exec *ex, int k, int vec, int log_lanes,
                                              int64_t grid, int block, int64_t rows, int64_t cols,
                                              const float *x, const float *mask, float *y);
extern "C" void LAUNCHER(softmax_vjp_warp)(const pm_exec *ex, int op, int k, int vec, int log_lanes,
                                           int64_t grid, int block, int accumulate, int64_t rows,
                                           int64_t cols, const float *y, const float *g, float *dx);
#endif

/* A row a block of `block` threads, with k (4 or 8) vectors each: rows < 2^31, cols <= 4 k
 * block. A VJP's vec may be EVICT_LAST (lang/cache_hints.h). */
/*@ requires \valid_read(ex) && soft_checked(rows,cols,vec,x,y) && rows <= 0x7fffffff;
    requires (k == 4 || k == 8) && 32 <= block <= 512 && block % 32 == 0 && cols <= 4*(k*block);
    assigns y[0 .. ix(rows,cols,0)-1], bdim_, blocks_, gsize_; */
ENTRY void LAUNCHER(softmax_regs)(const pm_exec *ex, int logs, int k, int vec, int block,
                                  int64_t rows, int64_t cols, const float *x, float *y);
/* By any other variant: those launches are host code that the prover does not read. */
/*@ requires \valid_read(ex) && soft_checked(rows,cols,vec,x,y);
    assigns ex->work[0 .. ex->work_bytes/4-1], y[0 .. ix(rows,cols,0)-1], bdim_, blocks_, gsize_; */
ENTRY void LAUNCHER(softmax_rest)(const pm_exec *ex, int logs, int variant, int vec, int aligned,
                                  int64_t rows, int64_t cols, const float *x, float *y);
#ifndef __FRAMAC__
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
#endif
#endif
