/* Cluster all-reduce of a channel's sums: what the blocks exchange (collective/cluster_sum.h),
 * and what that adds up to: block `rank` has up to `share` vectors from part_at(n,V,share,rank)
 * on. */
#ifndef PM_BATCH_NORM_SHARE_EXCHANGE_H
#define PM_BATCH_NORM_SHARE_EXCHANGE_H
#include "share.h"
#include "part_spec.h"

/*@ // what a block's share adds to its channel's sum, or to that of the squares about the mean
    logic real ShareSum{L}(integer squares, float *x, integer n, integer channels, integer size,
                           integer V, integer share, integer c, integer at) =
      BeforePart(squares,x,n,channels,size,V,share,c,at+1) -
        BeforePart(squares,x,n,channels,size,V,share,c,at);
    predicate chan_says{L}(integer k, integer turn, integer squares, float *x, integer n,
                           integer channels, integer size, integer V, integer share, integer c) =
      \forall integer at; 0 <= at < CLUSTER_MOST ==>
        Came(k,0,turn,at) == ShareSum(squares,x,n,channels,size,V,share,c,at) &&
        is_zero(Came(k,1,turn,at));
    // in two turns
    predicate chan_turns{L}(integer k, integer turn, float *x, integer n, integer channels,
                            integer size, integer V, integer share, integer c) =
      chan_says(k,turn,0,x,n,channels,size,V,share,c) &&
      chan_says(k,turn+1,1,x,n,channels,size,V,share,c);
    lemma came_shares{L}: \forall integer m, k, turn, squares, float *x, integer n, channels, size,
      V, share, c; 0 <= m <= CLUSTER_MOST ==>
      (\forall integer at; 0 <= at < CLUSTER_MOST ==>
        Came(k,0,turn,at) == ShareSum(squares,x,n,channels,size,V,share,c,at)) ==>
      CameSum(k,0,turn,m) == BeforePart(squares,x,n,channels,size,V,share,c,m) -
        BeforePart(squares,x,n,channels,size,V,share,c,0);
    // the shares of so many blocks are the channel
    predicate shares_all(integer n, integer V, integer share, integer in_cluster) =
      0 < in_cluster <= CLUSTER_MOST && 0 < share && ix(n,V,0) <= ix(in_cluster,share,0);
    lemma shares_end: \forall integer n, V, share, in_cluster;
      shares_all(n,V,share,in_cluster) ==> part_at(n,V,share,in_cluster) == ix(n,V,0);
    lemma before_share_end{L}: \forall integer squares, float *x, integer n, channels, size, V,
      share, in_cluster, c; batch_sizes(n,channels,size,V) ==>
      shares_all(n,V,share,in_cluster) ==>
      BeforePart(squares,x,n,channels,size,V,share,c,in_cluster) ==
      ChanTotal(squares,x,channels,size,c,n);
    lemma came_total{L}: \forall integer k, turn, squares, float *x, integer n, channels, size, V,
      share, in_cluster, c; batch_sizes(n,channels,size,V) ==>
      shares_all(n,V,share,in_cluster) ==>
      chan_says(k,turn,squares,x,n,channels,size,V,share,c) ==>
      CameSum(k,0,turn,in_cluster) == ChanTotal(squares,x,channels,size,c,n);
    lemma says_frame{L1,L2}: \forall integer k, turn, squares, float *x, integer n, channels, size,
      V, share, c; batch_sizes(n,channels,size,V) ==> 0 <= c < channels ==> 0 < share ==>
      Same{L1,L2}(x,batch_all(n,channels,size)) ==>
      chan_says{L1}(k,turn,squares,x,n,channels,size,V,share,c) ==>
      chan_says{L2}(k,turn,squares,x,n,channels,size,V,share,c);
    lemma turns_frame{L1,L2}: \forall integer k, turn, float *x, integer n, channels, size, V,
      share, c; batch_sizes(n,channels,size,V) ==> 0 <= c < channels ==> 0 < share ==>
      Same{L1,L2}(x,batch_all(n,channels,size)) ==>
      chan_turns{L1}(k,turn,x,n,channels,size,V,share,c) ==>
      chan_turns{L2}(k,turn,x,n,channels,size,V,share,c);
    // b has the share of block `rank`
    predicate share_is(batch_part b, integer share, integer rank, integer in_cluster) =
      shares_all(b.n,b.V,share,in_cluster) && 0 <= rank < in_cluster &&
      b.lo == part_at(b.n,b.V,share,rank) && b.hi == part_at(b.n,b.V,share,rank+1);
    lemma share_said{L}: \forall batch_part b, integer k, turn, squares, float *x, real m,
      integer share, rank, in_cluster; share_is(b,share,rank,in_cluster) ==>
      m == ChanCenter(squares,x,b.channels,b.size,b.c,b.n) ==>
      chan_says(k,turn,squares,x,b.n,b.channels,b.size,b.V,share,b.c) ==>
      Came(k,0,turn,rank) == Until(squares,x,m,b,b.hi) - Until(squares,x,m,b,b.lo);
    // a block's mailbox before a turn
    predicate share_mail{L}(mailbox *box, integer rank, integer in_cluster, integer turn) =
      \valid(box) && mail_cells(box) && mail_ok(rank,in_cluster) && mail_at(turn) &&
      mail_says(mail_cluster_,rank);
    // n elements that lie apart from it, and from the threads' sums
    predicate off_mail{L}(float *p, integer n, float *acc, mailbox *box) =
      \forall integer i; 0 <= i < n ==> \separated(p + i, acc + (0 .. BDIM-1)) &&
        \separated(p + i, &box->warps[0] + (0 .. MAIL_CELLS-1)); */

/* The sum over the cluster of its threads' acc, each block of which puts what it said. The tensor,
 * and what waits of it, stay. */
/*@ requires block && share_mail(box,rank,in_cluster,turn) && 0 <= turn;
    requires SumR(acc,0,BDIM) == Came(mail_cluster_,0,turn,rank);
    requires is_zero(Came(mail_cluster_,1,turn,rank));
    requires \valid(acc + (0 .. BDIM-1)) && \separated(acc + (0 .. BDIM-1), box);
    requires off_mail(x,batch_all(b.n,b.channels,b.size),acc,box) && off_mail(cells,4*kept,acc,box);
    assigns acc[0 .. BDIM-1], box->warps[0 .. MAIL_CELLS-1], put_, got_;
    ensures mail_at(turn+1) && \result == CameSum(mail_cluster_,0,turn,in_cluster);
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size)) && Same{Pre,Post}(cells,4*kept); */
DEV float share_total(PER_THREAD(float, acc), mailbox *box, int turn, int rank,
                      int in_cluster GHOST_PARAMS(batch_part b, int kept, const float *x,
                                                  const float *cells))
{
  PRIVATE(float, none);
  share_zero(none);
  //@ assert none_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert none_cells: Same{Pre,Here}(cells,4*kept);
  //@ assert none_acc: Same{Pre,Here}(acc,BDIM);
  //@ assert sum: SumR(acc,0,BDIM) == Came(mail_cluster_,0,turn,rank);
  //@ assert zero: SumR(&none[0],0,BDIM) == Came(mail_cluster_,1,turn,rank);
  /*@ assert apart_x: \forall integer i; 0 <= i < batch_all(b.n,b.channels,b.size) ==>
        \separated(x + i, &none[0] + (0 .. BDIM-1)); */
  /*@ assert apart_cells: \forall integer i; 0 <= i < 4*kept ==>
        \separated(cells + i, &none[0] + (0 .. BDIM-1)); */
  //@ ghost L1: ;
  exchange_put(box, turn, rank, in_cluster, acc, none);
  //@ assert put_x: Same{L1,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert put_cells: Same{L1,Here}(cells,4*kept);
  return exchange_sums(box, turn, in_cluster).x;
}
#endif
