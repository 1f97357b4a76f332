/* Cluster slices of a channel: what the kernels have in common in which a thread block cluster
 * (lang/cluster.h) does a channel: x, y, g, dx are (n, channels, size), the other tensors
 * (channels).
 *
 * The channel's vectors of four elements are cut into a `share` for each block. The first of
 * them, the `kept`, are read once and wait in its shared memory, which may be all; the others
 * are read again where they are needed, and come from the L2 as long as few channels are under
 * way. A vector that waits belongs to one thread throughout: no barrier guards it. */
#ifndef PM_BATCH_NORM_SHARE_H
#define PM_BATCH_NORM_SHARE_H
#include "part_store.h"
#include "../lang/async_copy_values.h"
#include "../collective/cluster_sum.h"
#include "share_plan.h"

/* The `have` elements of a vector about m, and 0 outside. */
/*@ assigns \nothing;
    ensures \result.x == v.x - m && \result.y == (1 < have ? v.y - m : 0.0);
    ensures \result.z == (2 < have ? v.z - m : 0.0) && \result.w == (3 < have ? v.w - m : 0.0); */
DEV float4 part_about(int have, float4 v, float m)
{
  v.x = v.x - m;
  v.y = 1 < have ? v.y - m : 0.0f;
  v.z = 2 < have ? v.z - m : 0.0f;
  v.w = 3 < have ? v.w - m : 0.0f;
  return v;
}

/*@ predicate chan_ok(batch_part b) =
      batch_ok(b) && ix(b.n,b.V,0) <= CHANNEL_VECTORS && b.V <= CHANNEL_VECTORS;
    predicate share_range(batch_part b, integer from, integer to) =
      0 <= from && 0 <= to && from <= b.hi - b.lo && to <= b.hi - b.lo;
    predicate share_at(batch_part b, integer from, integer to, integer j, integer k0) =
      0 <= j && 0 <= from <= k0 < to && to <= b.hi - b.lo && k0 == from + mul(j,bdim_);
    // where the vectors from .. to-1 wait
    predicate share_waits{L}(float *v, integer kept, integer from, integer to) =
      kept != 0 ==> from == 0 && pending_ == 0 && to <= SHARED_VEC4S &&
      \valid_read(v + (0 .. 4*to-1)); */

/* Vector v of a channel. */
/*@ requires 0 <= v && 0 < V;
    assigns \nothing;
    ensures at_vector(\result,v,V); */
DEV batch_at share_find(int v, int V)
{
  batch_at w;
  w.row = v / V;
  w.col = v % V;
  //@ assert w.row == quo(v,V) && w.col == rem(v,V);
  return w;
}

/*@ // element k of the n of a row that begins at x + o, 0 outside
    logic real Elem{L}(float *x, integer o, integer k, integer n) = k < n ? rd{L}(x,o+k) : 0.0;
    lemma elem_about{L}: \forall float *x, integer o, k, n;
      About{L}(x+o,0.0,k,n) == Elem{L}(x,o,k,n);
    // cell q has vector j of row i of channel c
    predicate cell_holds{L0,L}(float *cells, float *x, integer channels, integer size, integer c,
                               integer q, integer i, integer j) =
      \at(cells[4*q],L) == Elem{L0}(x,Row(i,channels,c,size),4*j,size) &&
      \at(cells[4*q+1],L) == Elem{L0}(x,Row(i,channels,c,size),4*j+1,size) &&
      \at(cells[4*q+2],L) == Elem{L0}(x,Row(i,channels,c,size),4*j+2,size) &&
      \at(cells[4*q+3],L) == Elem{L0}(x,Row(i,channels,c,size),4*j+3,size);
    // cells from .. to-1 have the vectors lo + from .. of the channel
    predicate cells_hold{L0,L}(float *cells, float *x, integer channels, integer size, integer V,
                               integer c, integer lo, integer from, integer to) =
      \forall integer q, i, j; from <= q < to ==> 0 <= i ==> 0 <= j < V ==>
        ix(i,V,j) == lo + q ==> cell_holds{L0,L}(cells,x,channels,size,c,q,i,j);
    lemma one_vector: \forall integer i, j, k, l, V; 0 <= j < V ==> 0 <= l < V ==>
      ix(i,V,j) == ix(k,V,l) ==> i == k && j == l;
    lemma same_vector: \forall integer i, j, k, l, V, v; 0 <= j < V ==> 0 <= l < V ==>
      ix(i,V,j) == v ==> ix(k,V,l) == v ==> i == k && j == l;
    lemma cells_none{L0,L}: \forall float *cells, *x, integer channels, size, V, c, lo, q;
      cells_hold{L0,L}(cells,x,channels,size,V,c,lo,q,q);
    lemma cell_kept{L0,L1,L2}: \forall float *cells, *x, integer channels, size, c, q, i, j, k;
      0 <= q < k ==> Same{L1,L2}(cells,4*k) ==>
      cell_holds{L0,L1}(cells,x,channels,size,c,q,i,j) ==>
      cell_holds{L0,L2}(cells,x,channels,size,c,q,i,j);
    lemma cells_kept{L0,L1,L2}: \forall float *cells, *x, integer channels, size, V, c, lo, from,
      to; 0 <= from ==> Same{L1,L2}(cells,4*to) ==>
      cells_hold{L0,L1}(cells,x,channels,size,V,c,lo,from,to) ==>
      cells_hold{L0,L2}(cells,x,channels,size,V,c,lo,from,to);
    predicate follows_cell(integer p, integer q) = p == q + 1;
    lemma cell_one{L0,L}: \forall float *cells, *x, integer channels, size, V, c, q, i, j, p, k, l,
      v; p == q ==> 0 <= j < V ==> 0 <= l < V ==> ix(i,V,j) == v ==> ix(k,V,l) == v ==>
      cell_holds{L0,L}(cells,x,channels,size,c,q,i,j) ==>
      cell_holds{L0,L}(cells,x,channels,size,c,p,k,l);
    lemma cell_alone{L0,L}: \forall float *cells, *x, integer channels, size, V, c, lo, q, p, r, i,
      j, k, l; follows_cell(p,q) ==> q <= r < p ==> 0 <= j < V ==> 0 <= l < V ==>
      ix(i,V,j) == lo + q ==> ix(k,V,l) == lo + r ==>
      cell_holds{L0,L}(cells,x,channels,size,c,q,i,j) ==>
      cell_holds{L0,L}(cells,x,channels,size,c,r,k,l);
    lemma cell_only{L0,L}: \forall float *cells, *x, integer channels, size, V, c, lo, q, p, i, j;
      follows_cell(p,q) ==> 0 <= j < V ==> ix(i,V,j) == lo + q ==>
      cell_holds{L0,L}(cells,x,channels,size,c,q,i,j) ==>
      cells_hold{L0,L}(cells,x,channels,size,V,c,lo,q,p);
    lemma cells_join{L0,L}: \forall float *cells, *x, integer channels, size, V, c, lo, from, q, to;
      cells_hold{L0,L}(cells,x,channels,size,V,c,lo,from,q) ==>
      cells_hold{L0,L}(cells,x,channels,size,V,c,lo,q,to) ==>
      cells_hold{L0,L}(cells,x,channels,size,V,c,lo,from,to);
    lemma elem_of{L1,L2}: \forall float *x, integer n, channels, size, c, i, k;
      0 <= i < n ==> 0 <= c < channels ==> 0 <= k ==> 0 < size ==>
      Same{L1,L2}(x,batch_all(n,channels,size)) ==>
      Elem{L1}(x,Row(i,channels,c,size),k,size) == Elem{L2}(x,Row(i,channels,c,size),k,size);
    lemma cell_from{L0,L1,L2}: \forall float *cells, *x, integer n, channels, size, c, q, i, j;
      0 <= i < n ==> 0 <= c < channels ==> 0 <= j ==> 0 < size ==>
      Same{L0,L1}(x,batch_all(n,channels,size)) ==>
      cell_holds{L1,L2}(cells,x,channels,size,c,q,i,j) ==>
      cell_holds{L0,L2}(cells,x,channels,size,c,q,i,j);
    lemma cells_from{L0,L1,L2}: \forall float *cells, *x, integer n, channels, size, V, c, lo, from,
      to; 0 <= c < channels ==> 0 < size ==> lo + to <= ix(n,V,0) ==>
      Same{L0,L1}(x,batch_all(n,channels,size)) ==>
      cells_hold{L1,L2}(cells,x,channels,size,V,c,lo,from,to) ==>
      cells_hold{L0,L2}(cells,x,channels,size,V,c,lo,from,to);
    lemma cell_at{L0,L}: \forall float *cells, *x, integer channels, size, V, c, lo, from, to, q, i,
      j; cells_hold{L0,L}(cells,x,channels,size,V,c,lo,from,to) ==> from <= q < to ==> 0 <= i ==>
      0 <= j < V ==> ix(i,V,j) == lo + q ==> cell_holds{L0,L}(cells,x,channels,size,c,q,i,j);
    lemma cell_to{L0,L1,L2}: \forall float *cells, *x, integer n, channels, size, c, q, i, j;
      0 <= i < n ==> 0 <= c < channels ==> 0 <= j ==> 0 < size ==>
      Same{L1,L0}(x,batch_all(n,channels,size)) ==>
      cell_holds{L1,L2}(cells,x,channels,size,c,q,i,j) ==>
      cell_holds{L0,L2}(cells,x,channels,size,c,q,i,j);
    lemma cells_to{L0,L1,L2}: \forall float *cells, *x, integer n, channels, size, V, c, lo, from,
      to; 0 <= c < channels ==> 0 < size ==> lo + to <= ix(n,V,0) ==>
      Same{L1,L0}(x,batch_all(n,channels,size)) ==>
      cells_hold{L1,L2}(cells,x,channels,size,V,c,lo,from,to) ==>
      cells_hold{L0,L2}(cells,x,channels,size,V,c,lo,from,to);
    lemma cells_here{L1,L2}: \forall float *cells, *x, integer n, channels, size, V, c, lo, to;
      0 <= c < channels ==> 0 < size ==> lo + to <= ix(n,V,0) ==>
      Same{L1,L2}(x,batch_all(n,channels,size)) ==> Same{L1,L2}(cells,4*to) ==>
      cells_hold{L1,L1}(cells,x,channels,size,V,c,lo,0,to) ==>
      cells_hold{L2,L2}(cells,x,channels,size,V,c,lo,0,to);
    // what lies apart from n cells
    predicate cells_apart{L}(float *cells, integer n, float *x, integer all) =
      \separated(cells + (0 .. 4*n-1), x + (0 .. all-1)); */

/* Element i of a vector that has `have` into cell j of thread t, or 0. */
/*@ requires block && 0 <= t < BDIM && k0 == mul(j,bdim_) && 0 <= k0 &&
      k0 + t < kept <= SHARED_VEC4S;
    requires \valid(cells + (0 .. 4*kept-1)) && 0 <= i < 4;
    requires i < have ==> \valid_read(x + i) && R(x+i);
    assigns cells[4*(k0+t)+i], pending_;
    ensures cells[4*(k0+t)+i] == (i < have ? rd{Pre}(x,i) : 0.0); */
DEV void share_fetch_cell(CELLS_PARAM(cells), int j, int k0, int t, int i, int have,
                          const float *RESTRICT x GHOST_PARAMS(int kept))
{
  if (i < have)
    CELL_FETCH1(cells, i, x + i, j, k0, t);
  else
    CELL_BLANK1(cells, i, j, k0, t);
}

/* `have` elements into cell j of thread t. */
/*@ requires block && 0 <= t < BDIM && k0 == mul(j,bdim_) && 0 <= k0 &&
      k0 + t < kept <= SHARED_VEC4S;
    requires \valid(cells + (0 .. 4*kept-1)) && 1 <= have <= 4;
    requires \valid_read(x + (0 .. have-1)) && R(x) && (1 < have ==> R(x+1));
    requires (2 < have ==> R(x+2)) && (3 < have ==> R(x+3));
    requires aligned != 0 ==> have == 4 && aligned16(x);
    requires \separated(cells + (4*(k0+t) .. 4*(k0+t)+3), x + (0 .. have-1));
    assigns cells[4*(k0+t) .. 4*(k0+t)+3], pending_;
    ensures cells[4*(k0+t)] == rd{Pre}(x,0);
    ensures cells[4*(k0+t)+1] == (1 < have ? rd{Pre}(x,1) : 0.0);
    ensures cells[4*(k0+t)+2] == (2 < have ? rd{Pre}(x,2) : 0.0);
    ensures cells[4*(k0+t)+3] == (3 < have ? rd{Pre}(x,3) : 0.0); */
DEV void share_fetch_have(CELLS_PARAM(cells), int j, int k0, int t, int have, int aligned,
                          const float *RESTRICT x GHOST_PARAMS(int kept))
{
  if (aligned) {
    CELL_FETCH4(cells, x, j, k0, t);
  } else {
    CELL_FETCH1(cells, 0, x, j, k0, t);
    //@ assert Same{Pre,Here}(x,have);
    share_fetch_cell(cells, j, k0, t, 1, have, x GHOST_ARGS(kept));
    //@ assert Same{Pre,Here}(x,have);
    share_fetch_cell(cells, j, k0, t, 2, have, x GHOST_ARGS(kept));
    //@ assert Same{Pre,Here}(x,have);
    share_fetch_cell(cells, j, k0, t, 3, have, x GHOST_ARGS(kept));
    //@ assert cells[4*(k0+t)] == rd{Pre}(x,0);
    //@ assert cells[4*(k0+t)+1] == (1 < have ? rd{Pre}(x,1) : 0.0);
    //@ assert cells[4*(k0+t)+2] == (2 < have ? rd{Pre}(x,2) : 0.0);
    //@ assert cells[4*(k0+t)+3] == (3 < have ? rd{Pre}(x,3) : 0.0);
  }
}

/*@ requires block && \valid(v + (0 .. BDIM-1));
    assigns v[0 .. BDIM-1];
    ensures SumR(v,0,BDIM) == 0.0; */
DEV void share_zero(PER_THREAD(float, v))
{
  /*@ loop invariant 0 <= t <= BDIM && zeros(v,t);
      loop assigns t, v[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(v, t) = 0.0f;
}

/* ---- a block's share ---- */

/*@ // what a launch asks of its plan. Threads of a cluster share no vector: part.h's
    // race_lane, of what waits and of what does not, with the blocks' ranks for parts
    predicate share_call(share_plan p, integer n, integer channels, integer size, integer V) =
      block && batch_sizes(n,channels,size,V) && ix(n,V,0) <= CHANNEL_VECTORS &&
      1 < p.in_cluster <= CLUSTER_MOST && 0 < p.share <= CHANNEL_VECTORS &&
      0 <= p.kept <= SHARED_VEC4S &&
      ix(n,V,0) <= ix(p.in_cluster,p.share,0) <= IDX_LIM; */

/*@ requires share_call(p,n,channels,size,V) && 0 <= c < channels && 0 <= rank < p.in_cluster;
    assigns \nothing;
    ensures chan_ok(\result) && \result.n == n && \result.channels == channels;
    ensures \result.size == size && \result.V == V && \result.c == c;
    ensures \result.lo == part_at(n,V,p.share,rank);
    ensures \result.hi == part_at(n,V,p.share,rank+1); */
DEV batch_part share_of(share_plan p, idx n, idx channels, idx size, idx V, idx c, int rank)
{
  //@ assert n * V == ix(n,V,0) && 0 <= V <= ix(n,V,0);
  const idx all = n * V, at = at2(p.in_cluster, p.share, rank, 0), lo = at < all ? at : all;
  //@ assert 0 <= lo <= all && all == ix(n,V,0);
  //@ assert next: ix(rank+1,p.share,0) == at + p.share;
  batch_part b = {n, channels, size, V, c, lo, all - lo < p.share ? all : lo + p.share};
  return b;
}

/* Cells for the vectors that wait, behind `before` others. */
#ifdef __FRAMAC__
#define SHARE_CELLS(v, before) float v[4 * SHARED_VEC4S]
#else
#define SHARE_CELLS(v, before) float4 *const v = cells_ + (before)
#endif
#endif
