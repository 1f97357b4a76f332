/* The host's side of softmax_cluster.cu: softmax and log_softmax of rows in the registers of a cluster
 * of blocks. */
#ifndef PM_SOFTMAX_CLUSTER_H
#define PM_SOFTMAX_CLUSTER_H
#include "mailbox.h"
#include "row_variants.h"

enum {
  SOFT_CLUSTER = CLUSTER_MOST, /* blocks of a row */
  SOFT_CLUSTER_COLS = SOFT_CLUSTER * 4 * KMAX * MAXB,
  SOFT_CLUSTER_ROWS = 1 << 27
};
#define SOFT_CLUSTER_WHEN "16384 < cols <= 262144 and rows <= 2^27"

/* Rows that a cluster can have: so long that every block has elements. */
static inline int soft_clusters(int64_t rows, int64_t cols)
{
  return cols > REGS_COLS && cols <= SOFT_CLUSTER_COLS && rows <= SOFT_CLUSTER_ROWS;
}

/* Elements of a block's slice of a row, of which the last may have fewer. */
static inline int64_t soft_slice(int64_t cols)
{
  return 4 * divide_up(divide_up(cols, 4), SOFT_CLUSTER);
}

/* Roundings of an element's term on its way into its row's sum: in its thread, its block, and of the
 * blocks' sums. */
static inline double soft_cluster_height(int64_t cols)
{
  return KMAX + 1 + block_height(regs_block(soft_slice(cols), KMAX)) + SOFT_CLUSTER - 1;
}

/* log_softmax where logs, else softmax, of rows for which soft_clusters holds. vec: both tensors are
 * 16-byte aligned and cols a multiple of 4. */
extern "C" void LAUNCHER(softmax_cluster)(const pm_exec *ex, int logs, int vec, int64_t rows,
                                          int64_t cols, const float *x, float *y);
#endif
