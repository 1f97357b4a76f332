/* Thread block cluster a row: softmax and log_softmax of rows in the registers of a cluster's
 * blocks (lang/cluster.h): x and y are (rows, cols). softmax.cu says when. A block has a slice of
 * the row. The exponentials are taken at once, each thread's about its own maximum
 * (lse/cluster_slice.h): what the slices add up to all blocks then have in one turn of their
 * mailboxes, where a maximum of the row that comes first costs another (1135 us for 1235 at 4096
 * x 128256, where split takes 1541). */
#include "../lse/thread_rescale.h"
#include "../lang/full_row.h"
#include "contract.h"

/*@ // the elements of its softmax
    predicate slice_soft{L0,L}(integer logs, float *x, float *y, integer cols, integer from,
                               integer to) =
      \forall integer c; from <= c < to ==> \at(y[c],L) == SoftOne{L0}(logs,x,cols,c);
    lemma done_at_on{L0,L}: \forall float *y, integer logs, float *x, real m, s, integer o, c;
      rd{L}(y+o,c) == SoftAbout(logs,rd{L0}(x+o,c),m,s) ==>
      rd{L}(y,o+c) == SoftAbout(logs,rd{L0}(x,o+c),m,s);
    predicate slice_done{L0,L}(float *y, integer logs, float *x, real m, real s, integer from,
                               integer to) =
      \forall integer c; from <= c < to ==> rd{L}(y,c) == SoftAbout(logs,rd{L0}(x,c),m,s);
    lemma done_last{L0,L}: \forall float *y, integer logs, float *x, real m, s, integer n;
      0 <= n ==>
      about_done{L0,L}(y,logs,x,m,s,n+1) ==> about_done{L0,L}(y,logs,x,m,s,n) &&
      rd{L}(y,n) == SoftAbout(logs,rd{L0}(x,n),m,s);
    lemma slice_done_grows{L0,L}: \forall float *y, integer logs, float *x, real m, s,
      integer from, to; slice_done{L0,L}(y,logs,x,m,s,from,to) ==>
      rd{L}(y,to) == SoftAbout(logs,rd{L0}(x,to),m,s) ==>
      slice_done{L0,L}(y,logs,x,m,s,from,to+1);
    lemma done_slice{L0,L}: \forall integer n, float *y, integer logs, float *x, real m, s,
      integer o; 0 <= n ==> about_done{L0,L}(y+o,logs,x+o,m,s,n) ==>
      slice_done{L0,L}(y,logs,x,m,s,o,o+n);
    lemma slice_done_soft{L0,L}: \forall float *y, integer logs, float *x, real m, s,
      integer cols, from, to; 0 <= from ==> to <= cols ==> s > 0.0 ==>
      Mass(s,m) == Whole{L0}(x,cols) ==> slice_done{L0,L}(y,logs,x,m,s,from,to) ==>
      slice_soft{L0,L}(logs,x,y,cols,from,to); */

/* Slice w of row r, which the blocks of cluster r have. */
/*@ requires slice_is(w,rank,K,cols,slice) && slice_io(x,y,cols,aligned) && 0 <= r;
    requires row_says{Pre}(r,x,cols,slice);
    assigns y[w.at .. w.at+w.n-1], joined_, put_, got_, mail_cluster_;
    ensures slice_soft{Pre,Post}(logs,x,y,cols,w.at,w.at+w.n); */
DEV void soft_slice_row(int logs, int K, int aligned, idx r, int rank, row_piece w,
                        const float *RESTRICT x,
                        float *RESTRICT y GHOST_PARAMS(idx cols, idx slice))
{
  EXCHANGE(box);
  PRIVATEK(float4, v);
  PRIVATE(float, m);
  PRIVATE(float, by);
  const int n = (int)w.n, keeps = !logs;
  //@ assert fits: row_fits(K,n) && n == w.n;
  //@ assert perm_x: perm_r(x,cols) && perm_r(x+w.at,n);
  //@ assert perm_y: perm_w(y,cols) && perm_w(y+w.at,n);
  //@ assert in: row_in(x+w.at,n,aligned) && least_in(x+w.at,n);
  exchange_begin(box, rank, r);
  //@ assert in_0: row_in(x+w.at,n,aligned) && least_in(x+w.at,n);
  once_sum mine = slice_exps(m, v, K, keeps, n, aligned, x + w.at);
  //@ assert says: says_about{Pre}(r,x,cols,slice,rank);
  //@ assert same: Same{Pre,Here}(x,cols);
  //@ ghost L1: ;
  exchange_join(box);
  exchange_gather_mass(box, 0, rank, CLUSTER_MOST, mine);
  //@ assert above: came_above(r,0,CLUSTER_MOST);
  const once_sum all = exchange_mass(box, 0);
  //@ assert mass: Mass(all.s,all.m) == Whole{Pre}(x,cols);
  //@ assert pos: all.s > 0.0;
  //@ assert most: mine.m <= all.m;
  //@ assert under: once_under(&m[0],all.m,BDIM);
  out_by_all(by, m, logs, all.m, all.s);
  //@ ghost L2: ;
  //@ assert same_v: lanes_still{L1,L2}(&v[0],BDIM,0);
  //@ assert kept: lanes_kept{Pre,L2}(&v[0],keeps,&m[0],x+w.at,n,BDIM,K);
  //@ assert out_pre: lanes_out{Pre,L2}(&v[0],logs,all.m,all.s,&by[0],x+w.at,n,BDIM,K);
  //@ assert same_x: Same{Pre,L2}(x,cols) && Same{Pre,L2}(x+w.at,n);
  //@ assert out: lanes_out{L2,L2}(&v[0],logs,all.m,all.s,&by[0],x+w.at,n,BDIM,K);
  out_put_all(v, by, K, logs, n, aligned, all.m, y + w.at GHOST_ARGS(all.s, x + w.at));
  //@ assert done: about_done{L2,Here}(y+w.at,logs,x+w.at,all.m,all.s,n);
  //@ assert at_L2: slice_done{L2,Here}(y,logs,x,all.m,all.s,w.at,w.at+n);
  //@ assert at: slice_done{Pre,Here}(y,logs,x,all.m,all.s,w.at,w.at+w.n);
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
    requires apart(x,ix(rows,cols,0),y,ix(rows,cols,0)) && least_in(x,ix(rows,cols,0));
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
  const row_piece w = chunk_of(rank, cols, slice, CLUSTER_MOST);
  //@ assert next: ix(r+1,cols,0) == o + cols && o + cols <= ix(rows,cols,0) && 0 <= o;
  //@ assert fours: aligned != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  //@ assert four: aligned != 0 ==> o % 4 == 0;
  //@ assert aligned: aligned != 0 ==> aligned16(x+o) && aligned16(y+o);
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+o,cols);
  //@ assert perm_y: perm_r(y,ix(rows,cols,0)) && perm_w(y,ix(rows,cols,0));
  //@ assert perm_yo: perm_r(y+o,cols) && perm_w(y+o,cols);
  //@ assert least: least_in(x+o,cols);
  //@ assert io: slice_io(x+o,y+o,cols,aligned);
  //@ assert is: slice_is(w,rank,K,cols,slice);
  /*@ assert away: \forall integer k; 0 <= k < ix(rows,cols,0) ==>
        \separated(x + k, y + (o .. o+cols-1)); */
  soft_slice_row(logs, K, aligned, r, rank, w, x + o, y + o GHOST_ARGS(cols, slice));
  //@ assert rows: Same{Pre,Here}(y,o);
}

/* LOGS: log_softmax; VEC: both tensors are 16-byte aligned and cols a multiple of 4. Cluster r
 * does row r, of which its blocks say what row_says has. Up to THREADS a block, of which FIT fit
 * on a multiprocessor: where there are two, one loads while the other writes. */
/*@ requires row_split(cols,slice,CLUSTER_MOST) && row_fits(KMAX,slice);
    requires 0 <= rows <= IDX_LIM && ix(rows,CLUSTER_MOST,0) <= BLOCKS;
    requires reads(x,ix(rows,cols,0)) && writes(y,ix(rows,cols,0));
    requires apart(x,ix(rows,cols,0),y,ix(rows,cols,0)) && least_in(x,ix(rows,cols,0));
    requires VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y);
    requires \forall integer r; 0 <= r < rows ==> row_says{Pre}(r,x+ix(r,cols,0),cols,slice);
    assigns y[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
    ensures soft_rows{Pre,Post}(LOGS,x,y,cols,rows); */
TEMPLATE(int LOGS, int VEC, int THREADS, int FIT)
KERNEL void WHOLE_THREADS(0, 0, THREADS, FIT)
    softmax_cluster(CONSTANTS(int LOGS, int VEC, int THREADS, int FIT) idx rows, idx cols,
                    idx slice, const float *RESTRICT x, float *RESTRICT y)
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
      //@ assert least: least_in(x,ix(rows,cols,0));
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
  //@ assert whole: rows_soft{Pre,Here}(LOGS,x,y,cols,rows);
  /*@ assert each: \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        rd(y+ix(r,cols,0),c) == SoftOne{Pre}(LOGS,x+ix(r,cols,0),cols,c); */
  //@ assert cell: \forall integer r, c; rd(y+ix(r,cols,0),c) == rd(y,ix(r,cols,c));
  //@ assert all: soft_rows{Pre,Here}(LOGS,x,y,cols,rows);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "../row/cluster_variant.h"
#include "launch.h"

extern "C" void LAUNCHER(softmax_cluster)(const pm_exec *ex, int logs, int vec, int64_t rows,
                                          int64_t cols, const float *x, float *y)
{
  idx slice = soft_slice(cols);
  int block = regs_block(slice, KMAX);
#define RUN(LOGS, VEC, THREADS, FIT)                                                            \
  LAUNCH_CLUSTERS((softmax_cluster<LOGS, VEC, THREADS, FIT>), SOFT_CLUSTER, rows *SOFT_CLUSTER, \
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
