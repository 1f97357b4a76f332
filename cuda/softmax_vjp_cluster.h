/* The host's side of softmax_vjp_cluster.cu: VJPs of softmax, log_softmax and masked_softmax, rows in
 * the registers of a cluster of blocks. */
#ifndef PM_SOFTMAX_VJP_CLUSTER_H
#define PM_SOFTMAX_VJP_CLUSTER_H
#include "softmax_cluster.h"

enum {
  PULL_K = 4, /* vectors a thread of each of the two tensors */
  PULL_CLUSTER_COLS = SOFT_CLUSTER * 4 * PULL_K * MAXB
};
#define PULL_CLUSTER_WHEN "16384 < cols <= 131072 and rows <= 2^27"

/* Rows that a cluster can have. */
static inline int pull_clusters(int64_t rows, int64_t cols)
{
  return soft_clusters(rows, cols) && cols <= PULL_CLUSTER_COLS;
}

static inline int pull_cluster_block(int64_t slice) { return regs_block(slice, PULL_K); }

/* Roundings of an element's part on its way into its row's sum: as soft_cluster_height. */
static inline double pull_cluster_height(int64_t cols)
{
  return PULL_K + 1 + block_height(pull_cluster_block(soft_slice(cols))) + SOFT_CLUSTER - 1;
}

/* Of op (softmax_op.h), of rows for which pull_clusters holds. vec: y, g and dx are 16-byte aligned and
 * cols a multiple of 4. */
extern "C" void LAUNCHER(softmax_vjp_cluster)(const pm_exec *ex, int op, int vec, int accumulate,
                                              int64_t rows, int64_t cols, const float *y,
                                              const float *g, float *dx);
#endif
