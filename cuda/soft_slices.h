/* A row of a softmax cut into slices for the blocks of a cluster (cluster.h): what they say of it by
 * their mailboxes, in turn 0 the slices' maxima, in turn 1 the sums of their exponentials about the
 * row's maximum; and what that comes to. */
#ifndef PM_SOFT_SLICES_H
#define PM_SOFT_SLICES_H
#include "mail_say.h"
#include "row_cut.h"
#include "row_regs.h"
#include "row_split.h"

/*@ // the largest of what came in a turn from blocks 0 .. n-1
    logic real CameMax(integer k, integer turn, integer n) =
      n <= 1 ? Came(k,0,turn,0) : Top(CameMax(k,turn,n-1), Came(k,0,turn,n-1));
    // what the blocks of cluster k say of row x of cols elements: block p of slice p
    predicate says_max{L}(integer k, float *x, integer cols, integer slice, integer p) =
      Came(k,0,0,p) == RowMax{L}(x+PieceAt(p,cols,slice),PieceLen(p,cols,slice)) &&
      Came(k,1,0,p) == 0.0;
    predicate says_sum{L}(integer k, float *x, integer cols, integer slice, integer p) =
      Came(k,0,1,p) == SumExp{L}(x+PieceAt(p,cols,slice),RowMax{L}(x,cols),
                                 PieceLen(p,cols,slice)) && Came(k,1,1,p) == 0.0;
    predicate row_says{L}(integer k, float *x, integer cols, integer slice) =
      \forall integer p; 0 <= p < CLUSTER_MOST ==>
        says_max{L}(k,x,cols,slice,p) && says_sum{L}(k,x,cols,slice,p);
    // a slice on
    lemma piece_ends: \forall integer cols, slice, p; 0 <= p < CLUSTER_MOST ==>
      row_split(cols,slice,CLUSTER_MOST) ==> 0 <= PieceAt(p,cols,slice) &&
      1 <= PieceLen(p,cols,slice) && (1 <= p ==> 1 <= PieceAt(p,cols,slice)) &&
      PieceAt(p+1,cols,slice) == PieceAt(p,cols,slice) + PieceLen(p,cols,slice);
    lemma piece_first: \forall integer cols, slice; row_split(cols,slice,CLUSTER_MOST) ==>
      PieceAt(0,cols,slice) == 0 && PieceLen(0,cols,slice) == PieceAt(1,cols,slice);
    lemma piece_cuts: \forall integer cols, slice, p; 0 <= p < CLUSTER_MOST ==>
      row_split(cols,slice,CLUSTER_MOST) ==>
      ends_at(PieceAt(p+1,cols,slice),PieceAt(p,cols,slice),PieceLen(p,cols,slice));
    lemma piece_max{L}: \forall float *x, integer cols, slice, p; 1 <= p < CLUSTER_MOST ==>
      row_split(cols,slice,CLUSTER_MOST) ==> RowMax{L}(x,PieceAt(p+1,cols,slice)) ==
      Top(RowMax{L}(x,PieceAt(p,cols,slice)),
          RowMax{L}(x+PieceAt(p,cols,slice),PieceLen(p,cols,slice)));
    lemma piece_sum{L}: \forall float *x, real m, integer cols, slice, p; 0 <= p < CLUSTER_MOST ==>
      row_split(cols,slice,CLUSTER_MOST) ==> SumTo{L}(x,m,PieceAt(p+1,cols,slice)) ==
      SumTo{L}(x,m,PieceAt(p,cols,slice)) +
        SumExp{L}(x+PieceAt(p,cols,slice),m,PieceLen(p,cols,slice));
    lemma says_max_at{L}: \forall integer k, float *x, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_says{L}(k,x,cols,slice) ==>
      Came(k,0,0,p) == RowMax{L}(x+PieceAt(p,cols,slice),PieceLen(p,cols,slice));
    lemma says_sum_at{L}: \forall integer k, float *x, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_says{L}(k,x,cols,slice) ==>
      Came(k,0,1,p) ==
      SumExp{L}(x+PieceAt(p,cols,slice),RowMax{L}(x,cols),PieceLen(p,cols,slice));
    lemma says_first{L}: \forall integer k, float *x, integer cols, slice;
      row_split(cols,slice,CLUSTER_MOST) ==> row_says{L}(k,x,cols,slice) ==>
      Came(k,0,0,0) == RowMax{L}(x,PieceAt(1,cols,slice));
    lemma says_max_next{L}: \forall integer k, float *x, integer cols, slice, p;
      row_split(cols,slice,CLUSTER_MOST) ==> row_says{L}(k,x,cols,slice) ==>
      1 <= p < CLUSTER_MOST ==> RowMax{L}(x,PieceAt(p+1,cols,slice)) ==
      Top(RowMax{L}(x,PieceAt(p,cols,slice)), Came(k,0,0,p));
    lemma says_sum_next{L}: \forall integer k, float *x, integer cols, slice, p;
      row_split(cols,slice,CLUSTER_MOST) ==> row_says{L}(k,x,cols,slice) ==>
      0 <= p < CLUSTER_MOST ==> SumTo{L}(x,RowMax{L}(x,cols),PieceAt(p+1,cols,slice)) ==
      SumTo{L}(x,RowMax{L}(x,cols),PieceAt(p,cols,slice)) + Came(k,0,1,p);
    lemma piece_same{L1,L2}: \forall float *x, integer cols, slice, p; 0 <= p < CLUSTER_MOST ==>
      row_split(cols,slice,CLUSTER_MOST) ==> Same{L1,L2}(x,cols) ==>
      Same{L1,L2}(x+PieceAt(p,cols,slice),PieceLen(p,cols,slice));
    lemma came_max_to{L}: \forall integer n, k, float *x, integer cols, slice; 1 <= n ==>
      n <= CLUSTER_MOST ==> row_split(cols,slice,CLUSTER_MOST) ==> row_says{L}(k,x,cols,slice) ==>
      CameMax(k,0,n) == RowMax{L}(x,PieceAt(n,cols,slice));
    lemma came_sum_to{L}: \forall integer n, k, float *x, integer cols, slice; 0 <= n ==>
      n <= CLUSTER_MOST ==> row_split(cols,slice,CLUSTER_MOST) ==> row_says{L}(k,x,cols,slice) ==>
      CameSum(k,0,1,n) == SumTo{L}(x,RowMax{L}(x,cols),PieceAt(n,cols,slice));
    lemma came_max{L}: \forall integer k, float *x, integer cols, slice;
      row_split(cols,slice,CLUSTER_MOST) ==> row_says{L}(k,x,cols,slice) ==>
      CameMax(k,0,CLUSTER_MOST) == RowMax{L}(x,cols);
    lemma came_sum{L}: \forall integer k, float *x, integer cols, slice;
      row_split(cols,slice,CLUSTER_MOST) ==> row_says{L}(k,x,cols,slice) ==>
      CameSum(k,0,1,CLUSTER_MOST) == SumExp{L}(x,RowMax{L}(x,cols),cols);
    lemma piece_inside: \forall integer cols, slice, p; 0 <= p < CLUSTER_MOST ==>
      row_split(cols,slice,CLUSTER_MOST) ==>
      0 <= PieceAt(p,cols,slice) <= cols - PieceLen(p,cols,slice);
    lemma piece_max_same{L1,L2}: \forall float *x, integer cols, slice, p; 0 <= p < CLUSTER_MOST ==>
      row_split(cols,slice,CLUSTER_MOST) ==> Same{L1,L2}(x,cols) ==>
      RowMax{L1}(x+PieceAt(p,cols,slice),PieceLen(p,cols,slice)) ==
      RowMax{L2}(x+PieceAt(p,cols,slice),PieceLen(p,cols,slice));
    lemma split_max_same{L1,L2}: \forall float *x, integer cols, slice;
      row_split(cols,slice,CLUSTER_MOST) ==> Same{L1,L2}(x,cols) ==>
      RowMax{L1}(x,cols) == RowMax{L2}(x,cols);
    lemma piece_sum_same{L1,L2}: \forall float *x, real m, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_split(cols,slice,CLUSTER_MOST) ==> Same{L1,L2}(x,cols) ==>
      SumExp{L1}(x+PieceAt(p,cols,slice),m,PieceLen(p,cols,slice)) ==
      SumExp{L2}(x+PieceAt(p,cols,slice),m,PieceLen(p,cols,slice));
    lemma says_max_frame{L1,L2}: \forall integer k, float *x, integer cols, slice, p;
      row_split(cols,slice,CLUSTER_MOST) ==> 0 <= p < CLUSTER_MOST ==> Same{L1,L2}(x,cols) ==>
      says_max{L1}(k,x,cols,slice,p) ==> says_max{L2}(k,x,cols,slice,p);
    lemma says_sum_frame{L1,L2}: \forall integer k, float *x, integer cols, slice, p;
      row_split(cols,slice,CLUSTER_MOST) ==> 0 <= p < CLUSTER_MOST ==> Same{L1,L2}(x,cols) ==>
      says_sum{L1}(k,x,cols,slice,p) ==> says_sum{L2}(k,x,cols,slice,p);
    lemma row_says_frame{L1,L2}: \forall integer k, float *x, integer cols, slice;
      row_split(cols,slice,CLUSTER_MOST) ==> Same{L1,L2}(x,cols) ==>
      row_says{L1}(k,x,cols,slice) ==> row_says{L2}(k,x,cols,slice); */

/* The largest of what the blocks said. */
/*@ requires 0 <= turn && 0 < in_cluster <= CLUSTER_MOST && \valid_read(box);
    requires put_ == turn + 1 && got_ == turn;
    assigns got_;
    ensures got_ == turn + 1 && \result == CameMax(mail_cluster_,turn,in_cluster); */
DEV float mail_max(mailbox *box, int turn, int in_cluster)
{
  mail_await(box, turn);
  float m = mail_get(box, turn, 0).x;
  /*@ loop invariant 1 <= k <= in_cluster && m == CameMax(mail_cluster_,turn,k);
      loop assigns k, m;
      loop variant in_cluster - k; */
  for (int k = 1; k < in_cluster; k++) m = larger(m, mail_get(box, turn, k).x);
  return m;
}

/*@ // a row of n elements, and slice p of it, which a block holds in K vectors a thread
    predicate slice_io{L}(float *x, float *y, integer n, integer aligned) =
      reads(x,n) && writes(y,n) && apart(x,n,y,n) &&
      (aligned != 0 ==> n % 4 == 0 && aligned16(x) && aligned16(y));
    predicate slice_is(row_piece w, integer p, integer K, integer cols, integer slice) =
      row_split(cols,slice,CLUSTER_MOST) && 0 <= p < CLUSTER_MOST && row_fits(K,slice) &&
      w.at == PieceAt(p,cols,slice) && w.n == PieceLen(p,cols,slice) && 0 < w.n <= slice &&
      w.at + w.n <= cols && w.at % 4 == 0 && (cols % 4 == 0 ==> w.n % 4 == 0); */
#endif
