/* When the VJPs go by a cluster of blocks, vjp_cluster.cu, and with how many vectors a thread. */
#ifndef PM_SOFTMAX_VJP_CLUSTER_PLAN_H
#define PM_SOFTMAX_VJP_CLUSTER_PLAN_H
#include "../row/cluster_variant.h"

enum {
  PULL_K = 4, /* vectors a thread of each of the two tensors */
  PULL_MORE_K = 6,
  PULL_BLOCK = 512, /* threads of which two blocks fit on a multiprocessor, with as many vectors */
  PULL_CLUSTER_COLS = SOFT_CLUSTER * 4 * PULL_K * MAXB
};
#define PULL_CLUSTER_WHEN "16384 < cols <= 131072 and rows <= 2^27"

/* Rows that a cluster can have. */
static inline int pull_clusters(int64_t rows, int64_t cols)
{
  return soft_clusters(rows, cols) && cols <= PULL_CLUSTER_COLS;
}

/* Of rows by whole vectors, where there are enough of them: 1576 us for split's 2401 at 4096 x
 * 128256, 7.5 for 9.4 at 8 rows; 3725 for 3036 at 4096 x 128255. */
static inline unsigned with_pull_cluster(const pm_exec *ex, unsigned suited, int64_t rows,
                                         int64_t cols, int vec)
{
  return with_first(ex, suited, pull_clusters(rows, cols), cluster_pays(rows, cols, vec));
}

/* Vectors a thread of a slice: more where two blocks then still fit. */
static inline int pull_cluster_k(int64_t slice)
{
  return slice > 4 * PULL_K * PULL_BLOCK && slice <= 4 * PULL_MORE_K * PULL_BLOCK ? PULL_MORE_K
                                                                                  : PULL_K;
}

static inline double pull_cluster_height(int64_t cols)
{
  return cluster_height(cols, pull_cluster_k(soft_slice(cols)));
}
#endif
