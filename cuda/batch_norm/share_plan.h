/* How a channel of batch_norm is cut up over the blocks of a cluster (share.h). */
#ifndef PM_BATCH_NORM_SHARE_PLAN_H
#define PM_BATCH_NORM_SHARE_PLAN_H
#include "../lang/shared_size.h"

/* Blocks of a cluster; vectors of a block's share, and of these the first that wait in shared
 * memory; threads of a block. */
typedef struct share_plan {
  int in_cluster, share, kept, block;
} share_plan;

enum { CHANNEL_VECTORS = 0x1fffffff /* of a channel, at most */ };
#endif
