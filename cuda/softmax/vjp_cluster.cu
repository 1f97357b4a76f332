/* Thread block cluster a row: the VJPs of softmax, log_softmax and masked_softmax for rows in the
 * registers of a cluster's blocks (lang/cluster.h): y, g and dx are (rows, cols). softmax.cu says
 * when. A block has a slice of the row's y and g, and says what it adds to the row's sum. */
#include "../collective/cluster_gather.h"
#include "vjp_slices.h"
#include "vjp_team.h"
#include "../lang/full_row.h"

/*@ // what the blocks of cluster k say of a row of cols elements: block p what slice p adds
    predicate pull_say{L}(integer k, integer op, float *y, float *g, integer cols, integer slice,
                          integer p) =
      Came(k,0,0,p) == PullPiece{L}(op,y,g,p,cols,slice) && Came(k,1,0,p) == 0.0;
    predicate pull_says{L}(integer k, integer op, float *y, float *g, integer cols,
                           integer slice) =
      \forall integer p; 0 <= p < CLUSTER_MOST ==>
        Came(k,0,0,p) == PullPiece{L}(op,y,g,p,cols,slice) && Came(k,1,0,p) == 0.0;
    lemma pull_says_frame{L1,L2}: \forall integer k, op, float *y, *g, integer cols, slice;
      Same{L1,L2}(y,cols) ==> Same{L1,L2}(g,cols) ==> pull_says{L1}(k,op,y,g,cols,slice) ==>
      pull_says{L2}(k,op,y,g,cols,slice);
    lemma came_pull_to{L}: \forall integer n, k, op, float *y, *g, integer cols, slice; 0 <= n ==>
      0 < cols ==> (\forall integer p; 0 <= p < n ==> Came(k,0,0,p) ==
        PullUpTo{L}(op,y,g,p+1,cols,slice) - PullUpTo{L}(op,y,g,p,cols,slice)) ==>
      CameSum(k,0,0,n) == PullUpTo{L}(op,y,g,n,cols,slice);
    lemma came_pull{L}: \forall integer k, op, float *y, *g, integer cols, slice;
      row_split(cols,slice,CLUSTER_MOST) ==> pull_says{L}(k,op,y,g,cols,slice) ==>
      CameSum(k,0,0,CLUSTER_MOST) == PullSum{L}(op,y,g,cols);
    // a row of n elements, and slice p of it, which a block holds in K vectors a thread
    predicate slice_io{L}(float *y, float *g, float *dx, integer n, integer aligned) =
      reads(y,n) && reads(g,n) && writes(dx,n) && apart(y,n,dx,n) && apart(g,n,dx,n) &&
      (aligned != 0 ==> n % 4 == 0 && aligned16(y) && aligned16(g) && aligned16(dx));
    predicate slice_is(row_piece w, integer p, integer K, integer cols, integer slice) =
      row_split(cols,slice,CLUSTER_MOST) && 0 <= p < CLUSTER_MOST && block &&
      team_fits(K,bdim_,slice) && w.at == PieceAt(p,cols,slice) &&
      w.n == PieceLen(p,cols,slice) && 0 < w.n <= slice && w.at + w.n <= cols && w.at % 4 == 0 &&
      (cols % 4 == 0 ==> w.n % 4 == 0); */

/* Slice w of row r, which the blocks of cluster r have. */
/*@ requires slice_is(w,rank,K,cols,slice) && slice_io(y,g,dx,cols,aligned) && 0 <= r;
    requires pull_says{Pre}(r,op,y,g,cols,slice);
    assigns dx[w.at .. w.at+w.n-1], joined_, put_, got_, mail_cluster_;
    ensures pulled_row{Pre,Post}(dx+w.at,op,adds,y+w.at,g+w.at,PullSum{Pre}(op,y,g,cols),w.n); */
DEV void pull_slice_row(int op, int K, int aligned, int adds, idx r, int rank, row_piece w,
                        const float *RESTRICT y, const float *RESTRICT g,
                        float *RESTRICT dx GHOST_PARAMS(idx cols, idx slice))
{
  BLOCK_TEAM;
  EXCHANGE(box);
  PRIVATEK(float4, v);
  PRIVATEK(float4, u);
  const int n = (int)w.n;
  float s;
  //@ assert fits: team_fits(K,team,n) && n == w.n && a_team(1,team);
  //@ assert perm_y: perm_r(y,cols) && perm_r(y+w.at,n);
  //@ assert perm_g: perm_r(g,cols) && perm_r(g+w.at,n);
  //@ assert perm_dx: perm_r(dx,cols) && perm_w(dx,cols);
  //@ assert perm_out: perm_r(dx+w.at,n) && perm_w(dx+w.at,n);
  //@ assert in_y: row_in(y+w.at,n,aligned);
  //@ assert in_g: row_in(g+w.at,n,aligned);
  //@ assert out: pull_out(dx+w.at,y+w.at,g+w.at,n,aligned);
  exchange_begin(box, rank, r);
  team_load_all(v, K, n, aligned, y + w.at IN_TEAM);
  //@ ghost L0: ;
  //@ assert same_0: Same{Pre,L0}(y+w.at,n) && Same{Pre,L0}(g+w.at,n);
  team_load_all(u, K, n, aligned, g + w.at IN_TEAM);
  //@ ghost L1: ;
  //@ assert same_1: Same{Pre,L1}(y+w.at,n) && Same{Pre,L1}(g+w.at,n);
  //@ assert v: row_vecs{Pre,L1}(&v[0], y+w.at, n, 0, mul(K,team));
  //@ assert u: row_vecs{Pre,L1}(&u[0], g+w.at, n, 0, mul(K,team));
  //@ assert held: pull_held{L1,L1}(&v[0], &u[0], y+w.at, g+w.at, n, mul(K,team));
  s = pull_sum(v, u, K, op, 1 IN_TEAM GHOST_ARGS(n, y + w.at, g + w.at));
  //@ assert sum: s == PullSum{Pre}(op,y+w.at,g+w.at,n);
  //@ assert piece: s == PullPiece{Pre}(op,y,g,rank,cols,slice);
  //@ assert say: pull_say{Pre}(r,op,y,g,cols,slice,rank);
  exchange_join(box);
  exchange_gather(box, 0, rank, CLUSTER_MOST, s);
  s = exchange_sums(box, 0, CLUSTER_MOST).x;
  //@ assert all: s == PullSum{Pre}(op,y,g,cols);
  //@ ghost L2: ;
  //@ assert same_2: Same{L1,L2}(y+w.at,n) && Same{L1,L2}(g+w.at,n);
  //@ assert back: Same{L2,Pre}(y+w.at,n) && Same{L2,Pre}(g+w.at,n) && Same{L2,Pre}(dx+w.at,n);
  //@ assert still: pull_held{L2,L2}(&v[0], &u[0], y+w.at, g+w.at, n, mul(K,team));
  pull_put(v, u, K, op, n, aligned, adds, s, dx + w.at IN_TEAM GHOST_ARGS(y + w.at, g + w.at));
  //@ assert put: pulled_row{L2,Here}(dx+w.at, op, adds, y+w.at, g+w.at, s, n);
  //@ assert put_pre: pulled_row{Pre,Here}(dx+w.at, op, adds, y+w.at, g+w.at, s, n);
}

/* Slice `rank` of row r of the tensors. */
/*@ requires row_split(cols,slice,CLUSTER_MOST) && block && team_fits(K,bdim_,slice);
    requires 0 <= rank < CLUSTER_MOST && 0 <= r < rows && pull_tensors(y,g,dx,rows,cols,aligned);
    requires ix(rows,cols,0) <= IDX_LIM;
    requires pull_says{Pre}(r,op,y+ix(r,cols,0),g+ix(r,cols,0),cols,slice);
    assigns dx[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
    ensures spread_row{Pre,Post}(op,adds,y,g,dx,cols,r,PieceAt(rank,cols,slice),
                                 PieceAt(rank+1,cols,slice));
    ensures same_rows{Pre,Post}(dx,cols,r) && rows_left{Pre,Post}(dx,cols,r+1,rows);
    ensures cells_same{Pre,Post}(dx,cols,r,0,PieceAt(rank,cols,slice));
    ensures cells_same{Pre,Post}(dx,cols,r,PieceAt(rank+1,cols,slice),cols); */
DEV void pull_slice_at(int op, int K, int aligned, int adds, idx r, int rank, idx rows, idx cols,
                       idx slice, const float *RESTRICT y, const float *RESTRICT g,
                       float *RESTRICT dx)
{
  const idx o = at2(rows, cols, r, 0);
  const row_piece w = chunk_of(rank, cols, slice, CLUSTER_MOST);
  //@ assert next: ix(r+1,cols,0) == o + cols && o + cols <= ix(rows,cols,0) && 0 <= o;
  //@ assert fours: aligned != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  //@ assert four: aligned != 0 ==> o % 4 == 0;
  //@ assert aligned_y: aligned != 0 ==> aligned16(y+o) && aligned16(g+o);
  //@ assert aligned_dx: aligned != 0 ==> aligned16(dx+o);
  //@ assert perm_y: perm_r(y,ix(rows,cols,0)) && perm_r(y+o,cols);
  //@ assert perm_g: perm_r(g,ix(rows,cols,0)) && perm_r(g+o,cols);
  //@ assert perm_dx: perm_r(dx,ix(rows,cols,0)) && perm_w(dx,ix(rows,cols,0));
  //@ assert perm_dxo: perm_r(dx+o,cols) && perm_w(dx+o,cols);
  //@ assert io: slice_io(y+o,g+o,dx+o,cols,aligned);
  //@ assert is: slice_is(w,rank,K,cols,slice);
  /*@ assert below: \forall integer q, c; 0 <= q < r ==> 0 <= c < cols ==>
        0 <= ix(q,cols,c) < ix(r,cols,0); */
  /*@ assert above: \forall integer q, c; r < q < rows ==> 0 <= c < cols ==>
        ix(r,cols,0) + cols <= ix(q,cols,c) < ix(rows,cols,0); */
  //@ assert cell: \forall integer c; ix(r,cols,c) == ix(r,cols,0) + c;
  //@ ghost L0: ;
  pull_slice_row(op, K, aligned, adds, r, rank, w, y + o, g + o, dx + o GHOST_ARGS(cols, slice));
  //@ assert same: same_rows{L0,Here}(dx,cols,r);
  //@ assert left: rows_left{L0,Here}(dx,cols,r+1,rows);
  //@ assert to: cells_same{L0,Here}(dx,cols,r,0,PieceAt(rank,cols,slice));
  //@ assert behind: cells_same{L0,Here}(dx,cols,r,PieceAt(rank+1,cols,slice),cols);
  /*@ assert put: pulled_row{L0,Here}(dx+(o+w.at),op,adds,y+(o+w.at),g+(o+w.at),
        PullSum{L0}(op,y+o,g+o,cols),w.n); */
  //@ assert places: \forall integer c; behind(o+w.at,c-w.at,ix(r,cols,c));
  /*@ assert cells: pulled_cells{L0,Here}(dx,op,adds,y,g,PullSum{L0}(op,y+o,g+o,cols),cols,r,
        PieceAt(rank,cols,slice),PieceAt(rank+1,cols,slice)); */
}

/* K vectors of y and as many of g a thread. VEC: all tensors are 16-byte aligned and cols a
 * multiple of 4. Cluster r does row r, of which its blocks say what pull_says has. Up to THREADS
 * a block, of which FIT fit on a multiprocessor: where there are two, one loads while the other
 * writes. */
/*@ requires block && row_split(cols,slice,CLUSTER_MOST) && team_fits(K,bdim_,slice);
    requires 0 <= rows <= IDX_LIM && ix(rows,CLUSTER_MOST,0) <= BLOCKS;
    requires ix(rows,cols,0) <= IDX_LIM && pull_tensors(y,g,dx,rows,cols,VEC);
    requires \forall integer r; 0 <= r < rows ==>
      pull_says{Pre}(r,OP,y+ix(r,cols,0),g+ix(r,cols,0),cols,slice);
    assigns dx[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
    ensures pull_rows{Pre,Post}(OP,accumulate,y,g,dx,cols,rows); */
TEMPLATE(int OP, int K, int VEC, int THREADS, int FIT)
KERNEL void WHOLE_THREADS(0, 0, THREADS, FIT)
    softmax_vjp_cluster(CONSTANTS(int OP, int K, int VEC, int THREADS, int FIT) int accumulate,
                        idx rows, idx cols, idx slice, const float *RESTRICT y,
                        const float *RESTRICT g, float *RESTRICT dx)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
      loop invariant rows_left{Pre,Here}(dx,cols,r,rows);
      loop assigns r, dx[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
      loop variant rows - r; */
  BROWS(r, rows, CLUSTER_MOST) {
    //@ assert row: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
    /*@ loop invariant 0 <= rank <= CLUSTER_MOST;
        loop invariant pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
        loop invariant rows_left{Pre,Here}(dx,cols,r+1,rows);
        loop invariant spread_row{Pre,Here}(OP,accumulate,y,g,dx,cols,r,0,
                                            PieceAt(rank,cols,slice));
        loop invariant cells_same{Pre,Here}(dx,cols,r,PieceAt(rank,cols,slice),cols);
        loop assigns rank, dx[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
        loop variant CLUSTER_MOST - rank; */
    BCOLS(rank, CLUSTER_MOST) {
      //@ assert all_y: Same{Pre,Here}(y,ix(rows,cols,0));
      //@ assert all_g: Same{Pre,Here}(g,ix(rows,cols,0));
      //@ assert same_y: Same{Pre,Here}(y+ix(r,cols,0),cols);
      //@ assert same_g: Same{Pre,Here}(g+ix(r,cols,0),cols);
      //@ assert says_pre: pull_says{Pre}(r,OP,y+ix(r,cols,0),g+ix(r,cols,0),cols,slice);
      //@ assert says: pull_says(r,OP,y+ix(r,cols,0),g+ix(r,cols,0),cols,slice);
      //@ assert to: 0 <= PieceAt(rank,cols,slice) <= PieceAt(rank+1,cols,slice) <= cols;
      //@ assert old_y: Same{Here,Pre}(y+ix(r,cols,0),cols);
      //@ assert old_g: Same{Here,Pre}(g+ix(r,cols,0),cols);
      /*@ assert old_dx: cells_same{Here,Pre}(dx,cols,r,PieceAt(rank,cols,slice),
                                              PieceAt(rank+1,cols,slice)); */
      pull_slice_at(OP, K, VEC, accumulate, r, (int)rank, rows, cols, slice, y, g, dx);
      //@ assert rest: cells_same{LoopCurrent,Here}(dx,cols,r,PieceAt(rank+1,cols,slice),cols);
      //@ assert after: cells_same{Pre,Here}(dx,cols,r,PieceAt(rank+1,cols,slice),cols);
      /*@ assert value: spread_row{LoopCurrent,Here}(OP,accumulate,y,g,dx,cols,r,
            PieceAt(rank,cols,slice),PieceAt(rank+1,cols,slice)); */
      /*@ assert new: spread_row{Pre,Here}(OP,accumulate,y,g,dx,cols,r,PieceAt(rank,cols,slice),
            PieceAt(rank+1,cols,slice)); */
      /*@ assert before: spread_row{Pre,Here}(OP,accumulate,y,g,dx,cols,r,0,
            PieceAt(rank,cols,slice)); */
      //@ assert old: pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
    }
    //@ assert whole: PieceAt(CLUSTER_MOST,cols,slice) == cols;
    //@ assert pulled: pulled_at{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "launch.h"
#include "vjp_cluster_plan.h"

template <int OP, int VEC>
static void launch_cluster(const pm_exec *ex, int accumulate, int64_t rows, int64_t cols,
                           const float *y, const float *g, float *dx)
{
  idx slice = soft_slice(cols);
  int k = pull_cluster_k(slice), block = regs_block(slice, k);
#define RUN(K, THREADS, FIT)                                                                     \
  LAUNCH_CLUSTERS((softmax_vjp_cluster<OP, K, VEC, THREADS, FIT>), SOFT_CLUSTER,                 \
                  rows *SOFT_CLUSTER, block, 0, ex->stream, accumulate, rows, cols, slice, y, g, \
                  dx)
  if (k == PULL_MORE_K)
    RUN(PULL_MORE_K, PULL_BLOCK, VEC ? 2 : 1);
  else if (block <= PULL_BLOCK)
    RUN(PULL_K, PULL_BLOCK, 2);
  else
    RUN(PULL_K, MAXB, 1);
#undef RUN
}

extern "C" void LAUNCHER(softmax_vjp_cluster)(const pm_exec *ex, int op, int vec, int accumulate,
                                              int64_t rows, int64_t cols, const float *y,
                                              const float *g, float *dx)
{
#define RUN(OP)                                                    \
  do {                                                             \
    if (vec)                                                       \
      launch_cluster<OP, 1>(ex, accumulate, rows, cols, y, g, dx); \
    else                                                           \
      launch_cluster<OP, 0>(ex, accumulate, rows, cols, y, g, dx); \
  } while (0)
  WITH_OP(RUN, op);
#undef RUN
}
#endif
