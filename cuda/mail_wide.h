/* Sums over a cluster by its mailboxes (mailbox.h), for kernels with the sums of wide.h:
 *   mail_put(box, turn, in_cluster, v)   the sums over the block of the pairs v go to every block of
 *                      the cluster, which has in_cluster > 1 blocks; a barrier of the block
 *   mail_sums(box, turn, in_cluster)     the sums over the cluster, the same at every thread. That
 *                      they are there says nothing of what else the others wrote. */
#ifndef PM_MAIL_WIDE_H
#define PM_MAIL_WIDE_H
#include "mailbox.h"
#include "wide.h"

DEV void mail_put(mailbox *box, int turn, int in_cluster, float2 v)
{
  const int lane = TID_ % 32, warps = BDIM / 32, rank = (int)(blockIdx.x % in_cluster);
  float2 *const of_warps = box->warps + (turn & 1) * (MAXB / 32);
  v.x = group_sum(v.x, 32);
  v.y = group_sum(v.y, 32);
  if (lane == 0)
    of_warps[TID_ / 32] = v;
  __syncthreads();
  if (TID_ < 32) {
    v = lane < warps ? of_warps[lane] : make_float2(0.0f, 0.0f);
    v.x = group_sum(v.x, 32);
    v.y = group_sum(v.y, 32);
    if (lane < in_cluster)
      mail_post(box, turn, rank, lane, v);
  }
  mail_expect(box, turn, in_cluster);
}

DEV float2 mail_sums(mailbox *box, int turn, int in_cluster)
{
  const float2 *blocks = box->blocks + (turn & 1) * CLUSTER_MOST;
  mail_await(box, turn);
  float2 sum = blocks[0];
  for (int k = 1; k < in_cluster; k++) sum.x = sum.x + blocks[k].x, sum.y = sum.y + blocks[k].y;
  return sum;
}
#endif
