/* Cluster all-reduce of two sums through distributed shared memory (lang/cluster_exchange.h):
 *   exchange_put(box, turn, rank, in_cluster, a, b)   the sums over the block of the threads' a and b
 *       go to
 *                      every block of the cluster, which has in_cluster > 1 blocks and of which
 *                          this
 *                      is number `rank`; a barrier of the block, and a and b are spent
 *   exchange_sums(box, turn, in_cluster)     the sums over the cluster, the same at every thread */
#ifndef PM_COLLECTIVE_CLUSTER_SUM_H
#define PM_COLLECTIVE_CLUSTER_SUM_H
#include "block_sum.h"
#include "../lang/cluster_exchange.h"

/* FIRST_WARP f(..);    by the block's first warp alone. Frama-C lets all warps do it: of what the
 *                      others do nothing may be left
 * OPEN_PHASE(t)        PHASE without its barrier: for reading what is not written again before the
 *                      barrier of the next PHASE */
#ifdef __FRAMAC__
#define FIRST_WARP
#define OPEN_PHASE(t) PHASE(t)
#else
#define FIRST_WARP if (TID_ < 32)
#define OPEN_PHASE(t) EACH_THREAD(t)
#endif

/*@ predicate mail_ok(integer rank, integer n) = 0 <= rank < n <= CLUSTER_MOST;
    // the block has put and got the turns before this one
    predicate mail_at(integer turn) = joined_ == 1 && put_ == turn && got_ == turn;
    // where a turn's half of the cells of the block's warps begins, for the first sum
    logic integer mail_half(integer turn) = turn % 2 * (2*MAIL_WARPS);
    // warp t / 32 writes these cells in a turn, lane t reads those
    predicate mail_W(integer turn, integer t, integer k) = t % 32 == 0 &&
      (k == mail_half(turn) + t / 32 || k == mail_half(turn) + MAIL_WARPS + t / 32);
    predicate mail_R(integer turn, integer t, integer n, integer k) = 32 * (t % 32) < n &&
      (k == mail_half(turn) + t % 32 || k == mail_half(turn) + MAIL_WARPS + t % 32);
    lemma race_mail: \forall integer turn, t, u, k; 0 <= t < MAXB ==> 0 <= u < MAXB ==> t != u ==>
      mail_W(turn,t,k) ==> !mail_W(turn,u,k);
    // what a phase without a barrier reads the next phase does not write
    lemma race_mail_open: \forall integer turn, t, u, n, k; 0 <= turn ==> 0 <= t < MAXB ==>
      0 <= u < MAXB ==> n <= MAXB ==> mail_R(turn,t,n,k) ==> !mail_W(turn+1,u,k);
    // cells of one half, for the two sums
    predicate mail_two{L}(float *s, float *u) =
      \valid(s + (0 .. MAIL_WARPS-1)) && \valid(u + (0 .. MAIL_WARPS-1)) &&
      \separated(s + (0 .. MAIL_WARPS-1), u + (0 .. MAIL_WARPS-1));
    // what came in a turn from blocks 0 .. n-1, added up
    logic real CameSum(integer k, integer second, integer turn, integer n) =
      n <= 0 ? 0.0 : CameSum(k,second,turn,n-1) + Came(k,second,turn,n-1); */

/* The sums of lane t's warp go into the turn's cells, s for the first and u for the second. */
/*@ requires 0 <= t < BDIM && block && 0 <= turn && mail_two(s,u);
    requires \forall integer k; mail_W(turn,t,mail_half(turn)+k) ==> 0 <= k < MAIL_WARPS ==> W(s+k);
    requires \forall integer k; mail_W(turn,t,mail_half(turn)+MAIL_WARPS+k) ==>
      0 <= k < MAIL_WARPS ==> W(u+k);
    assigns s[t / 32], u[t / 32];
    ensures t % 32 == 0 ==> s[t / 32] == a && u[t / 32] == b;
    ensures t % 32 != 0 ==> s[t / 32] == \old(s[t / 32]) && u[t / 32] == \old(u[t / 32]); */
DEV void exchange_publish(int t, float *s, float *u, float a,
                          float b PHASE_FN GHOST_PARAMS(int turn))
{
  //@ assert first: \forall integer k; pub_W(t,k) ==> mail_W(turn,t,mail_half(turn)+k);
  //@ assert second: \forall integer k; pub_W(t,k) ==> mail_W(turn,t,mail_half(turn)+MAIL_WARPS+k);
  publish(t, s, a IN_PHASE);
  publish(t, u, b IN_PHASE);
}

/* The block's warps publish the sums of their lanes. */
/*@ requires block && 0 <= turn && mail_two(s,u) && perm(s,MAIL_WARPS) && perm(u,MAIL_WARPS);
    requires \valid(a + (0 .. BDIM-1)) && \valid(b + (0 .. BDIM-1));
    requires \separated(a + (0 .. BDIM-1), b + (0 .. BDIM-1), s + (0 .. MAIL_WARPS-1));
    requires \separated(a + (0 .. BDIM-1), b + (0 .. BDIM-1), u + (0 .. MAIL_WARPS-1));
    assigns a[0 .. BDIM-1], b[0 .. BDIM-1], s[0 .. MAIL_WARPS-1], u[0 .. MAIL_WARPS-1];
    ensures SumR(s,0,BDIM/32) == SumR{Pre}(a,0,BDIM);
    ensures SumR(u,0,BDIM/32) == SumR{Pre}(b,0,BDIM); */
DEV void exchange_publish_all(float *s, float *u, PER_THREAD(float, a),
                              PER_THREAD(float, b) GHOST_PARAMS(int turn))
{
  warp_sum(a);
  //@ assert same: Same{Pre,Here}(b,BDIM);
  //@ assert sums: \forall integer k; 0 <= k < BDIM/32 ==> Same{Pre,Here}(b,32*k+32);
  //@ assert tree: \forall integer k; 0 <= k < BDIM/32 ==> tree(b,5,k) == tree{Pre}(b,5,k);
  warp_sum(b);
  //@ assert all: \forall integer l; 0 <= l < BDIM ==> b[l] == tree{Pre}(b,5,l/32);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant \forall integer k; 0 <= k && 32*k < t ==> s[k] == tree{Pre}(a,5,k);
      loop invariant \forall integer k; 0 <= k && 32*k < t ==> u[k] == tree{Pre}(b,5,k);
      loop assigns t, s[0 .. MAIL_WARPS-1], u[0 .. MAIL_WARPS-1];
      loop variant BDIM - t; */
  PHASE(t) exchange_publish(t, s, u, AT(a, t), AT(b, t) IN_PHASE GHOST_ARGS(turn));
  //@ assert 32 * (BDIM / 32) == BDIM;
  //@ assert pubd{Pre,Here}(a, s, BDIM / 32);
  //@ assert pubd{Pre,Here}(b, u, BDIM / 32);
}

/* Lane t's cells, or 0. */
/*@ requires 0 <= t < BDIM && block && 0 <= turn && mail_two(s,u);
    requires \forall integer k; mail_R(turn,t,BDIM,mail_half(turn)+k) ==> 0 <= k < MAIL_WARPS ==>
      R(s+k);
    requires \forall integer k; mail_R(turn,t,BDIM,mail_half(turn)+MAIL_WARPS+k) ==>
      0 <= k < MAIL_WARPS ==> R(u+k);
    assigns \nothing;
    ensures \result.x == (32*(t % 32) < BDIM ? s[t % 32] : 0.0);
    ensures \result.y == (32*(t % 32) < BDIM ? u[t % 32] : 0.0); */
DEV float2 exchange_published(int t, float *s, float *u PHASE_FN GHOST_PARAMS(int turn))
{
  float2 v;
  //@ assert first: \forall integer k; get_R(t,BDIM,k) ==> mail_R(turn,t,BDIM,mail_half(turn)+k);
  /*@ assert second: \forall integer k; get_R(t,BDIM,k) ==>
        mail_R(turn,t,BDIM,mail_half(turn)+MAIL_WARPS+k); */
  v.x = published(t, BDIM, s, 0.0f IN_PHASE);
  v.y = published(t, BDIM, u, 0.0f IN_PHASE);
  return v;
}

/*@ requires 0 <= t && mail_ok(rank,in_cluster) && mail_at(turn);
    requires \forall integer d; d == t ==> MW(mail_cluster_,rank,d,turn,a,b);
    assigns \nothing; */
DEV void exchange_post_one(int t, mailbox *box, int turn, int rank, int in_cluster, float a,
                           float b)
{
  const float2 v = {a, b};
  if (t < in_cluster)
    exchange_post(box, turn, rank, t, v);
}

/* What the block's warps published is added up and goes out. */
/*@ requires block && 0 <= turn && mail_ok(rank,in_cluster) && mail_at(turn);
    requires mail_two(s,u) && perm(s,MAIL_WARPS) && perm(u,MAIL_WARPS);
    requires mail_may(mail_cluster_,rank,turn,SumR(s,0,BDIM/32),SumR(u,0,BDIM/32));
    assigns \nothing; */
DEV void exchange_post_sums(mailbox *box, float *s, float *u, int turn, int rank, int in_cluster)
{
  PRIVATE(float, a);
  PRIVATE(float, b);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant \forall integer l; 0 <= l < t ==>
        a[l] == (32*(l % 32) < BDIM ? s[l % 32] : 0.0);
      loop invariant \forall integer l; 0 <= l < t ==>
        b[l] == (32*(l % 32) < BDIM ? u[l % 32] : 0.0);
      loop assigns t, a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant BDIM - t; */
  OPEN_PHASE(t)
  {
    const float2 v = exchange_published(t, s, u IN_PHASE GHOST_ARGS(turn));
    AT(a, t) = v.x;
    AT(b, t) = v.y;
  }
  //@ assert 32 * (BDIM / 32) == BDIM;
  //@ assert gath(&a[0], s, BDIM / 32) && gath(&b[0], u, BDIM / 32);
  //@ assert \forall integer g; 0 <= g < BDIM / 32 ==> tree(&a[0],5,g) == SumR{Pre}(s,0,BDIM/32);
  warp_sum(a);
  //@ assert all_a: \forall integer l; 0 <= l < BDIM ==> a[l] == SumR{Pre}(s,0,BDIM/32);
  //@ assert gath_b: gath(&b[0], u, BDIM / 32);
  //@ assert same: Same{Pre,Here}(u,BDIM / 32);
  //@ assert sum: SumR(u,0,BDIM/32) == SumR{Pre}(u,0,BDIM/32);
  /*@ assert tree_b: \forall integer g; 0 <= g < BDIM / 32 ==>
        tree(&b[0],5,g) == SumR{Pre}(u,0,BDIM/32); */
  warp_sum(b);
  //@ assert \forall integer l; 0 <= l < BDIM ==> a[l] == SumR{Pre}(s,0,BDIM/32);
  //@ assert all_b: \forall integer l; 0 <= l < BDIM ==> b[l] == SumR{Pre}(u,0,BDIM/32);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t;
      loop variant BDIM - t; */
  EACH_THREAD(t) exchange_post_one(t, box, turn, rank, in_cluster, AT(a, t), AT(b, t));
}

/* Where among the cells the sums of the block's warps begin: the first (0) or the second (1) of
 * a turn. */
/*@ requires 0 <= turn && 0 <= second <= 1;
    assigns \nothing;
    ensures \result == mail_half(turn) + MAIL_WARPS*second;
    ensures 0 <= \result <= MAIL_CELLS - MAIL_WARPS; */
DEV int exchange_warps(int turn, int second)
{
  int at = 0;
  //@ assert halves: turn % 2 == 0 || turn % 2 == 1;
  if (turn % 2)
    at += 2 * MAIL_WARPS;
  if (second)
    at += MAIL_WARPS;
  return at;
}

/*@ requires block && 0 <= turn && mail_ok(rank,in_cluster) && mail_at(turn);
    requires mail_may(mail_cluster_,rank,turn,SumR(a,0,BDIM),SumR(b,0,BDIM));
    requires \valid(box) && mail_cells(box);
    requires \valid(a + (0 .. BDIM-1)) && \valid(b + (0 .. BDIM-1));
    requires \separated(a + (0 .. BDIM-1), b + (0 .. BDIM-1), box);
    assigns a[0 .. BDIM-1], b[0 .. BDIM-1], box->warps[0 .. MAIL_CELLS-1], put_;
    ensures put_ == turn + 1; */
DEV void exchange_put(mailbox *box, int turn, int rank, int in_cluster, PER_THREAD(float, a),
                      PER_THREAD(float, b))
{
  float *s = box->warps + exchange_warps(turn, 0), *u = box->warps + exchange_warps(turn, 1);
  //@ assert two: mail_two(s,u);
  //@ assert first: perm(s,MAIL_WARPS);
  //@ assert second: perm(u,MAIL_WARPS);
  exchange_publish_all(s, u, a, b GHOST_ARGS(turn));
  FIRST_WARP exchange_post_sums(box, s, u, turn, rank, in_cluster);
  exchange_expect(box, turn, in_cluster);
}

/*@ requires 0 <= turn && 0 < in_cluster <= CLUSTER_MOST && \valid_read(box);
    requires put_ == turn + 1 && got_ == turn;
    assigns got_;
    ensures got_ == turn + 1;
    ensures \result.x == CameSum(mail_cluster_,0,turn,in_cluster);
    ensures \result.y == CameSum(mail_cluster_,1,turn,in_cluster); */
DEV float2 exchange_sums(mailbox *box, int turn, int in_cluster)
{
  exchange_await(box, turn);
  float2 sum = exchange_get(box, turn, 0);
  /*@ loop invariant 1 <= k <= in_cluster;
      loop invariant sum.x == CameSum(mail_cluster_,0,turn,k);
      loop invariant sum.y == CameSum(mail_cluster_,1,turn,k);
      loop assigns k, sum;
      loop variant in_cluster - k; */
  for (int k = 1; k < in_cluster; k++) {
    const float2 v = exchange_get(box, turn, k);
    sum.x += v.x;
    sum.y += v.y;
  }
  return sum;
}
#endif
