/* The host's side of cross entropy of rows in the registers of a cluster of blocks, grad_cluster.cu. */
#ifndef PM_LOSS_GRAD_CLUSTER_H
#define PM_LOSS_GRAD_CLUSTER_H
#include "regs.h"
#include "../row/cluster_variant.h"

/* Behind the launch of loss_targets; a row's loss goes to call->part[row], where it is wanted. Of rows
 * for which soft_clusters holds, with dx; vec: x and dx are 16-byte aligned and cols a multiple of 4. */
extern "C" void LAUNCHER(loss_cluster)(void *stream, int vec, int64_t rows, int64_t cols,
                                       const float *x, const loss_call *call);
#endif
