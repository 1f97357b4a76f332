/* Cluster all-gather of one number a block (lang/cluster_exchange.h), which all its threads have,
 * such as a sum over the block. */
#ifndef PM_COLLECTIVE_CLUSTER_GATHER_H
#define PM_COLLECTIVE_CLUSTER_GATHER_H
#include "cluster_sum.h"

/* Every block of the cluster gets v, which is the same at all threads. */
/*@ requires block && 0 <= turn && mail_ok(rank,in_cluster) && mail_at(turn);
    requires mail_may(mail_cluster_,rank,turn,v,0.0);
    assigns put_;
    ensures put_ == turn + 1; */
DEV void exchange_gather(mailbox *box, int turn, int rank, int in_cluster, float v)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t;
      loop variant BDIM - t; */
  FIRST_WARP EACH_THREAD(t) exchange_post_one(t, box, turn, rank, in_cluster, v, 0.0f);
  exchange_expect(box, turn, in_cluster);
}
#endif
