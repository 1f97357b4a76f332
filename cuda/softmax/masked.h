/* The host's side of masked_regs.cu, masked_shared.cu, masked_stream.cu and
 * masked_split.cu: masked_softmax of rows in registers, in shared memory, of any size, and of
 * rows that many blocks share. */
#ifndef PM_SOFTMAX_MASKED_H
#define PM_SOFTMAX_MASKED_H
#include "../launch.h"

/* A row a block of `block` threads, with k (4 or 8) vectors each: rows < 2^31, cols <= 4 k block.
 * vec: all tensors are 16-byte aligned and cols a multiple of 4. */
extern "C" void LAUNCHER(softmax_masked_regs)(const pm_exec *ex, int k, int vec, int block,
                                              int64_t rows, int64_t cols, const float *x,
                                              const float *mask, float *y);

/* A row a group of 2^log_lanes lanes, with k (2 or 4) vectors each: cols <= 4 k 2^log_lanes, and the
 * grid's blocks have at least as many groups as there are rows. */
extern "C" void LAUNCHER(softmax_masked_warp)(const pm_exec *ex, int k, int vec, int log_lanes,
                                              int64_t grid, int block, int64_t rows, int64_t cols,
                                              const float *x, const float *mask, float *y);

/* Whether rows of so many elements may go by blocks of `block` threads in the next. */
extern "C" int LAUNCHER(softmax_masked_slots_fit)(int64_t cols, int block);

/* By `blocks` blocks of `block` threads; cols <= 57856. vec: all tensors are 16-byte aligned. */
extern "C" void LAUNCHER(softmax_masked_slots)(const pm_exec *ex, int vec, int64_t blocks,
                                               int block, int64_t rows, int64_t cols,
                                               const float *x, const float *mask, float *y);

/* By `grid` blocks of `block` threads, none without a row. */
extern "C" void LAUNCHER(softmax_masked_stream)(const pm_exec *ex, int64_t grid, int block,
                                                int64_t rows, int64_t cols, const float *x,
                                                const float *mask, float *y);

/* work: 2 rows pieces floats; vec: all tensors are 16-byte aligned and cols a multiple of 4. */
extern "C" void LAUNCHER(softmax_masked_split)(void *stream, int vec, int64_t rows, int64_t cols,
                                               const float *x, const float *mask, float *work,
                                               float *y);
#endif
