/* Sums over a cluster by its mailboxes (mailbox.h):
 *   mail_put(box, turn, rank, in_cluster, a, b)   the sums over the block of the lanes' a and b go to
 *                      every block of the cluster, which has in_cluster > 1 blocks and of which this
 *                      is number `rank`; a barrier of the block, and a and b are spent
 *   mail_sums(box, turn, in_cluster)     the sums over the cluster, the same at every thread */
#ifndef PM_MAIL_SUMS_H
#define PM_MAIL_SUMS_H
#include "block.h"
#include "mailbox.h"

/* FIRST_WARP f(..);    by the block's first warp alone. Frama-C lets all warps do it: of what the
 *                      others do nothing may be left
 * OPEN_PHASE(t)        PHASE without its barrier: for reading what is not written again before the
 *                      barrier of the next PHASE */
#ifdef __FRAMAC__
#define FIRST_WARP
#define OPEN_PHASE(t) PHASE(t)
#else
#define FIRST_WARP if (TID_ < 32)
#define OPEN_PHASE(t) LANES(t)
#endif

/*@ predicate mail_ok(integer rank, integer n) = 0 <= rank < n <= CLUSTER_MOST;
    // the block has put and got the turns before this one
    predicate mail_at(integer turn) = joined_ == 1 && put_ == turn && got_ == turn;
    // warp t / 32 writes this cell in a turn, lane t reads that
    predicate mail_W(integer turn, integer t, integer k) =
      t % 32 == 0 && k == turn % 2 * 32 + t / 32;
    predicate mail_R(integer turn, integer t, integer n, integer k) =
      k == turn % 2 * 32 + t % 32 && 32 * (t % 32) < n;
    lemma race_mail: \forall integer turn, t, u, k; 0 <= t < MAXB ==> 0 <= u < MAXB ==> t != u ==>
      mail_W(turn,t,k) ==> !mail_W(turn,u,k);
    // what a phase without a barrier reads the next phase does not write
    lemma race_mail_open: \forall integer turn, t, u, n, k; 0 <= turn ==> 0 <= t < MAXB ==>
      0 <= u < MAXB ==> n <= MAXB ==> mail_R(turn,t,n,k) ==> !mail_W(turn+1,u,k); */

/*@ requires 0 <= t < BDIM && block && 0 <= turn && \valid(box);
    requires \forall integer k; mail_W(turn,t,k) ==> 0 <= k < 2*MAXB/32 ==> W2(&box->warps[k]);
    assigns box->warps[0 .. 2*MAXB/32-1]; */
DEV void mail_publish(int t, int turn, mailbox *box, float a, float b PHASE_FN)
{
  const float2 v = {a, b};
  if (t % 32 == 0)
    ST_PAIR(&box->warps[turn % 2 * 32 + t / 32], v);
}

/*@ requires 0 <= t < BDIM && block && 0 <= turn && \valid_read(box);
    requires \forall integer k; mail_R(turn,t,BDIM,k) ==> 0 <= k < 2*MAXB/32 ==>
      R2(&box->warps[k]);
    assigns \nothing; */
DEV float2 mail_published(int t, int turn, const mailbox *box PHASE_FN)
{
  float2 v = {0.0f, 0.0f};
  if (t % 32 < BDIM / 32)
    v = LD_PAIR(&box->warps[turn % 2 * 32 + t % 32]);
  return v;
}

/*@ requires 0 <= t && mail_ok(rank,in_cluster) && mail_at(turn);
    requires \forall integer d; d == t ==> MW(rank,d,turn);
    assigns \nothing; */
DEV void mail_post_one(int t, mailbox *box, int turn, int rank, int in_cluster, float a, float b)
{
  const float2 v = {a, b};
  if (t < in_cluster)
    mail_post(box, turn, rank, t, v);
}

/* What the block's warps published is added up and goes out. */
/*@ requires block && 0 <= turn && mail_ok(rank,in_cluster) && mail_at(turn) && mail_of(rank);
    requires \valid(box) && mail_cells(box);
    assigns \nothing; */
DEV void mail_post_sums(mailbox *box, int turn, int rank, int in_cluster)
{
  PRIVATE(float, a);
  PRIVATE(float, b);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant BDIM - t; */
  OPEN_PHASE(t)
  {
    const float2 v = mail_published(t, turn, box IN_PHASE);
    AT(a, t) = v.x;
    AT(b, t) = v.y;
  }
  warp_sum(a);
  warp_sum(b);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t;
      loop variant BDIM - t; */
  LANES(t) mail_post_one(t, box, turn, rank, in_cluster, AT(a, t), AT(b, t));
}

/*@ requires block && 0 <= turn && mail_ok(rank,in_cluster) && mail_at(turn) && mail_of(rank);
    requires \valid(box) && mail_cells(box);
    requires \valid(a + (0 .. BDIM-1)) && \valid(b + (0 .. BDIM-1));
    requires \separated(a + (0 .. BDIM-1), b + (0 .. BDIM-1), box);
    assigns a[0 .. BDIM-1], b[0 .. BDIM-1], box->warps[0 .. 2*MAXB/32-1], put_;
    ensures put_ == turn + 1; */
DEV void mail_put(mailbox *box, int turn, int rank, int in_cluster, LANE(float, a), LANE(float, b))
{
  warp_sum(a);
  warp_sum(b);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, box->warps[0 .. 2*MAXB/32-1];
      loop variant BDIM - t; */
  PHASE(t) mail_publish(t, turn, box, AT(a, t), AT(b, t) IN_PHASE);
  FIRST_WARP mail_post_sums(box, turn, rank, in_cluster);
  mail_expect(box, turn, in_cluster);
}

/*@ requires 0 <= turn && 0 < in_cluster <= CLUSTER_MOST && \valid_read(box);
    requires put_ == turn + 1 && got_ == turn;
    assigns got_;
    ensures got_ == turn + 1; */
DEV float2 mail_sums(mailbox *box, int turn, int in_cluster)
{
  mail_await(box, turn);
  float2 sum = mail_get(box, turn, 0);
  /*@ loop invariant 1 <= k <= in_cluster;
      loop assigns k, sum;
      loop variant in_cluster - k; */
  for (int k = 1; k < in_cluster; k++) {
    const float2 v = mail_get(box, turn, k);
    sum.x += v.x;
    sum.y += v.y;
  }
  return sum;
}
#endif
