/* The host's side of masked_cluster.cu: masked_softmax of rows in the registers of a cluster of
 * blocks. */
#ifndef PM_SOFTMAX_MASKED_CLUSTER_H
#define PM_SOFTMAX_MASKED_CLUSTER_H
#include "../launch.h"

/* Of rows for which soft_clusters holds (row/cluster_variant.h). vec: all tensors are 16-byte aligned and cols
 * a multiple of 4. */
extern "C" void LAUNCHER(softmax_masked_cluster)(const pm_exec *ex, int vec, int64_t rows,
                                                 int64_t cols, const float *x, const float *mask,
                                                 float *y);
#endif
