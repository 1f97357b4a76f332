/* softmax and log_softmax of rows that wait in the registers of the blocks of a cluster (cluster.h), a
 * row a cluster: x and y are (rows, cols). softmax.cu says when. A block has a slice of the row; what the
 * slices' maxima come to all have in turn 0 of their mailboxes, and what their sums do in turn 1. */
#include "soft_slices.h"
#include "softmax_block.h"
#include "whole.h"

/*@ // of a row what is left of elements from .. to-1
    predicate done_at{L0,L}(float *y, integer logs, float *x, real m, real t, integer c) =
      rd{L}(y,c) == Put(logs,Kept(logs,rd{L0}(x,c),m),t);
    predicate slice_done{L0,L}(float *y, integer logs, float *x, real m, real t, integer from,
                               integer to) =
      \forall integer c; from <= c < to ==> done_at{L0,L}(y,logs,x,m,t,c);
    lemma done_at_on{L0,L}: \forall float *y, integer logs, float *x, real m, t, integer o, c;
      done_at{L0,L}(y+o,logs,x+o,m,t,c) ==> done_at{L0,L}(y,logs,x,m,t,o+c);
    lemma done_last{L0,L}: \forall float *y, integer logs, float *x, real m, t, integer n; 0 <= n ==>
      soft_done{L0,L}(y,logs,x,m,t,n+1) ==>
      soft_done{L0,L}(y,logs,x,m,t,n) && done_at{L0,L}(y,logs,x,m,t,n);
    lemma slice_done_grows{L0,L}: \forall float *y, integer logs, float *x, real m, t,
      integer from, to; slice_done{L0,L}(y,logs,x,m,t,from,to) ==>
      done_at{L0,L}(y,logs,x,m,t,to) ==> slice_done{L0,L}(y,logs,x,m,t,from,to+1);
    lemma done_slice{L0,L}: \forall integer n, float *y, integer logs, float *x, real m, t,
      integer o; 0 <= n ==> soft_done{L0,L}(y+o,logs,x+o,m,t,n) ==>
      slice_done{L0,L}(y,logs,x,m,t,o,o+n);
    lemma slice_done_from{L1,L2,L}: \forall float *y, integer logs, float *x, real m, t,
      integer from, to; 0 <= from ==> Same{L1,L2}(x,to) ==>
      slice_done{L1,L}(y,logs,x,m,t,from,to) ==> slice_done{L2,L}(y,logs,x,m,t,from,to);
    // the elements of its softmax
    predicate slice_soft{L0,L}(integer logs, float *x, float *y, integer cols, integer from,
                               integer to) =
      \forall integer c; from <= c < to ==> \at(y[c],L) == SoftOne{L0}(logs,x,cols,c); */

/* Slice w of row r, which the blocks of cluster r have. */
/*@ requires slice_is(w,rank,K,cols,slice) && slice_io(x,y,cols,aligned) && 0 <= r;
    requires row_says{Pre}(r,x,cols,slice);
    assigns y[w.at .. w.at+w.n-1], joined_, put_, got_, mail_cluster_;
    ensures slice_soft{Pre,Post}(logs,x,y,cols,w.at,w.at+w.n); */
DEV void soft_slice_row(int logs, int K, int aligned, idx r, int rank, row_piece w,
                        const float *RESTRICT x,
                        float *RESTRICT y GHOST_PARAMS(idx cols, idx slice))
{
  BLOCK_TEAM;
  MAILBOX(box);
  PRIVATEK(float4, v);
  const int n = (int)w.n;
  float m, s, t;
  //@ assert fits: row_fits(K,n) && n == w.n;
  //@ assert perm_x: perm_r(x,cols) && perm_r(x+w.at,n);
  //@ assert perm_y: perm_w(y,cols) && perm_w(y+w.at,n);
  //@ assert in: row_in(x+w.at,n,aligned);
  mail_promise(box, rank, r);
  row_load_all(v, K, n, aligned, x + w.at);
  //@ assert loaded: Same{Pre,Here}(x,cols);
  //@ assert back: Same{Pre,Here}(x+w.at,n);
  m = soft_max(v, K, n, aligned, x + w.at);
  //@ assert max: m == RowMax{Pre}(x+w.at,n);
  //@ assert say_max: says_max{Pre}(r,x,cols,slice,rank);
  mail_join(box);
  mail_say(box, 0, rank, CLUSTER_MOST, m);
  m = mail_max(box, 0, CLUSTER_MOST);
  //@ assert top: m == RowMax{Pre}(x,cols);
  //@ assert under: row_under{Pre}(x,m,cols) && row_under(x+w.at,m,n);
  soft_keep_all(v, K, logs, m GHOST_ARGS(n, x + w.at));
  //@ assert kept: Same{Pre,Here}(x,cols);
  //@ assert kept_slice: Same{Pre,Here}(x+w.at,n);
  //@ assert under_slice: row_under(x+w.at,m,n);
  s = soft_sum(v, K, logs, n, aligned GHOST_ARGS(m, x + w.at));
  //@ assert sum: s == SumExp{Pre}(x+w.at,m,n);
  //@ assert say_sum: says_sum{Pre}(r,x,cols,slice,rank);
  mail_say(box, 1, rank, CLUSTER_MOST, s);
  s = mail_sums(box, 1, CLUSTER_MOST).x;
  //@ assert all: s == SumExp{Pre}(x,m,cols) && s > 0.0;
  t = soft_closing(logs, s);
  //@ ghost L0: ;
  //@ assert same: Same{Pre,L0}(x,cols);
  soft_store_all(v, K, logs, n, aligned, t, y + w.at IN_TEAM GHOST_ARGS(m, x + w.at));
  //@ assert done: soft_done{L0,Here}(y+w.at,logs,x+w.at,m,t,n);
  //@ assert at_L0: slice_done{L0,Here}(y,logs,x,m,t,w.at,w.at+n);
  //@ assert same_x: Same{L0,Pre}(x,w.at+n);
  //@ assert at: slice_done{Pre,Here}(y,logs,x,m,t,w.at,w.at+w.n);
  /*@ assert put: \forall integer c; w.at <= c < w.at+w.n ==>
        y[c] == Put(logs,Kept(logs,\at(x[c],Pre),m),t); */
  /*@ assert one: \forall integer c; 0 <= c < cols ==>
        Put(logs,Kept(logs,\at(x[c],Pre),m),t) == SoftOne{Pre}(logs,x,cols,c); */
}

/*@ // rows of a tensor
    predicate rows_soft{L0,L}(integer logs, float *x, float *y, integer cols, integer n) =
      \forall integer r; 0 <= r < n ==>
        slice_soft{L0,L}(logs,x+ix(r,cols,0),y+ix(r,cols,0),cols,0,cols);
    lemma slice_soft_kept{L0,L1,L2}: \forall integer logs, float *x, *y, integer cols, to;
      Same{L1,L2}(y,to) ==> slice_soft{L0,L1}(logs,x,y,cols,0,to) ==>
      slice_soft{L0,L2}(logs,x,y,cols,0,to);
    lemma row_stays{L1,L2}: \forall float *y, integer cols, r, n; 0 <= cols ==> 0 <= r < n ==>
      Same{L1,L2}(y,ix(n,cols,0)) ==> Same{L1,L2}(y+ix(r,cols,0),cols);
    lemma row_soft_kept{L0,L1,L2}: \forall integer logs, float *x, *y, integer cols, r, n;
      0 <= r < n ==> 0 <= cols ==> Same{L1,L2}(y,ix(n,cols,0)) ==>
      slice_soft{L0,L1}(logs,x+ix(r,cols,0),y+ix(r,cols,0),cols,0,cols) ==>
      slice_soft{L0,L2}(logs,x+ix(r,cols,0),y+ix(r,cols,0),cols,0,cols);
    lemma rows_soft_kept{L0,L1,L2}: \forall integer logs, float *x, *y, integer cols, n; 0 <= n ==>
      0 <= cols ==> Same{L1,L2}(y,ix(n,cols,0)) ==> rows_soft{L0,L1}(logs,x,y,cols,n) ==>
      rows_soft{L0,L2}(logs,x,y,cols,n);
    lemma slice_soft_on{L0,L}: \forall integer logs, float *x, *y, integer cols, mid, to;
      slice_soft{L0,L}(logs,x,y,cols,0,mid) ==> slice_soft{L0,L}(logs,x,y,cols,mid,to) ==>
      slice_soft{L0,L}(logs,x,y,cols,0,to);
    lemma soft_one_frame{L1,L2}: \forall integer logs, float *x, integer n, c; 0 <= c < n ==>
      Same{L1,L2}(x,n) ==> SoftOne{L1}(logs,x,n,c) == SoftOne{L2}(logs,x,n,c);
    lemma slice_soft_frame{L1,L2,L}: \forall integer logs, float *x, *y, integer cols, from, to;
      0 <= from ==> to <= cols ==> Same{L1,L2}(x,cols) ==>
      slice_soft{L1,L}(logs,x,y,cols,from,to) ==> slice_soft{L2,L}(logs,x,y,cols,from,to); */

/* Slice `rank` of row r of a tensor. */
/*@ requires row_split(cols,slice,CLUSTER_MOST) && row_fits(K,slice) && 0 <= rank < CLUSTER_MOST;
    requires 0 <= r < rows <= IDX_LIM && ix(rows,cols,0) <= IDX_LIM;
    requires reads(x,ix(rows,cols,0)) && writes(y,ix(rows,cols,0));
    requires apart(x,ix(rows,cols,0),y,ix(rows,cols,0));
    requires aligned != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y);
    requires row_says{Pre}(r,x+ix(r,cols,0),cols,slice);
    assigns y[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
    ensures slice_soft{Pre,Post}(logs,x+ix(r,cols,0),y+ix(r,cols,0),cols,PieceAt(rank,cols,slice),
                                 PieceAt(rank+1,cols,slice));
    ensures Same{Pre,Post}(y,ix(r,cols,0));
    ensures Same{Pre,Post}(y+ix(r,cols,0),PieceAt(rank,cols,slice));
    ensures Same{Pre,Post}(x,ix(rows,cols,0)); */
DEV void soft_slice_at(int logs, int K, int aligned, idx r, int rank, idx rows, idx cols, idx slice,
                       const float *RESTRICT x, float *RESTRICT y)
{
  const idx o = at2(rows, cols, r, 0);
  const row_piece w = piece_of(rank, cols, slice, CLUSTER_MOST);
  //@ assert next: ix(r+1,cols,0) == o + cols && o + cols <= ix(rows,cols,0) && 0 <= o;
  //@ assert fours: aligned != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  //@ assert four: aligned != 0 ==> o % 4 == 0;
  //@ assert aligned: aligned != 0 ==> aligned16(x+o) && aligned16(y+o);
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+o,cols);
  //@ assert perm_y: perm_r(y,ix(rows,cols,0)) && perm_w(y,ix(rows,cols,0));
  //@ assert perm_yo: perm_r(y+o,cols) && perm_w(y+o,cols);
  //@ assert io: slice_io(x+o,y+o,cols,aligned);
  //@ assert is: slice_is(w,rank,K,cols,slice);
  /*@ assert away: \forall integer k; 0 <= k < ix(rows,cols,0) ==>
        \separated(x + k, y + (o .. o+cols-1)); */
  soft_slice_row(logs, K, aligned, r, rank, w, x + o, y + o GHOST_ARGS(cols, slice));
  //@ assert rows: Same{Pre,Here}(y,o);
}

/* LOGS: log_softmax; VEC: both tensors are 16-byte aligned and cols a multiple of 4. Cluster r does row
 * r, of which its blocks say what row_says has. Up to THREADS a block, of which FIT fit on a
 * multiprocessor: where there are two, one loads while the other writes (1408 us for 2039 at
 * 4096 x 151936). */
/*@ requires row_split(cols,slice,CLUSTER_MOST) && row_fits(KMAX,slice);
    requires 0 <= rows <= IDX_LIM && ix(rows,CLUSTER_MOST,0) <= BLOCKS;
    requires reads(x,ix(rows,cols,0)) && writes(y,ix(rows,cols,0));
    requires apart(x,ix(rows,cols,0),y,ix(rows,cols,0));
    requires VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y);
    requires \forall integer r; 0 <= r < rows ==> row_says{Pre}(r,x+ix(r,cols,0),cols,slice);
    assigns y[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
    ensures rows_soft{Pre,Post}(LOGS,x,y,cols,rows); */
TEMPLATE(int LOGS, int VEC, int THREADS, int FIT)
KERNEL void WHOLE_THREADS(0, 0, THREADS, FIT)
    soft_cluster(CONSTANTS(int LOGS, int VEC, int THREADS, int FIT) idx rows, idx cols, idx slice,
                 const float *RESTRICT x, float *RESTRICT y)
{
  /*@ loop invariant 0 <= r <= rows && rows_soft{Pre,Here}(LOGS,x,y,cols,r);
      loop invariant Same{Pre,Here}(x,ix(rows,cols,0));
      loop assigns r, y[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
      loop variant rows - r; */
  BROWS(r, rows, CLUSTER_MOST) {
    /*@ loop invariant 0 <= rank <= CLUSTER_MOST && rows_soft{Pre,Here}(LOGS,x,y,cols,r);
        loop invariant slice_soft{Pre,Here}(LOGS,x+ix(r,cols,0),y+ix(r,cols,0),cols,0,
                                            PieceAt(rank,cols,slice));
        loop invariant Same{Pre,Here}(x,ix(rows,cols,0));
        loop assigns rank, y[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
        loop variant CLUSTER_MOST - rank; */
    BCOLS(rank, CLUSTER_MOST) {
      //@ assert row: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
      //@ assert to: Same{Pre,Here}(x+ix(r,cols,0),cols);
      //@ assert says_pre: row_says{Pre}(r,x+ix(r,cols,0),cols,slice);
      //@ assert says: row_says(r,x+ix(r,cols,0),cols,slice);
      //@ assert piece: 0 <= PieceAt(rank,cols,slice) <= PieceAt(rank+1,cols,slice) <= cols;
      soft_slice_at(LOGS, KMAX, VEC, r, (int)rank, rows, cols, slice, x, y);
      //@ assert back: Same{LoopCurrent,Pre}(x+ix(r,cols,0),cols);
      /*@ assert here: slice_soft{LoopCurrent,Here}(LOGS,x+ix(r,cols,0),y+ix(r,cols,0),cols,
            PieceAt(rank,cols,slice),PieceAt(rank+1,cols,slice)); */
      /*@ assert new: slice_soft{Pre,Here}(LOGS,x+ix(r,cols,0),y+ix(r,cols,0),cols,
            PieceAt(rank,cols,slice),PieceAt(rank+1,cols,slice)); */
      //@ assert kept_rows: Same{LoopCurrent,Here}(y,ix(r,cols,0));
      //@ assert kept_row: Same{LoopCurrent,Here}(y+ix(r,cols,0),PieceAt(rank,cols,slice));
      //@ assert old: rows_soft{Pre,Here}(LOGS,x,y,cols,r);
      /*@ assert old_row: slice_soft{Pre,Here}(LOGS,x+ix(r,cols,0),y+ix(r,cols,0),cols,0,
            PieceAt(rank,cols,slice)); */
    }
    //@ assert end: PieceAt(CLUSTER_MOST,cols,slice) == cols;
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "softmax_cluster.h"

extern "C" void LAUNCHER(softmax_cluster)(const pm_exec *ex, int logs, int vec, int64_t rows,
                                          int64_t cols, const float *x, float *y)
{
  idx slice = soft_slice(cols);
  int block = regs_block(slice, KMAX);
#define RUN(LOGS, VEC, THREADS, FIT)                                                         \
  LAUNCH_CLUSTERS((soft_cluster<LOGS, VEC, THREADS, FIT>), SOFT_CLUSTER, rows *SOFT_CLUSTER, \
                  block, 0, ex->stream, rows, cols, slice, x, y)
#define RUN_FIT(LOGS, VEC)          \
  if (block <= 512)                 \
    RUN(LOGS, VEC, 512, 2);         \
  else if (block <= CLUSTER_TWO)    \
    RUN(LOGS, VEC, CLUSTER_TWO, 2); \
  else                              \
    RUN(LOGS, VEC, 1024, 1)
  if (logs && vec) {
    RUN_FIT(1, 1);
  } else if (logs) {
    RUN_FIT(1, 0);
  } else if (vec) {
    RUN_FIT(0, 1);
  } else {
    RUN_FIT(0, 0);
  }
#undef RUN_FIT
#undef RUN
}
#endif
