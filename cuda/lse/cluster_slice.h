/* Cluster slice of a row in a block's registers, read once: the exponentials are about each
 * thread's own maximum (thread_exps.h), and what the slice adds up to is about its own; what the
 * blocks say of theirs by their mailboxes (cluster_combine.h), and what that comes to. */
#ifndef PM_LSE_CLUSTER_SLICE_H
#define PM_LSE_CLUSTER_SLICE_H
#include "thread_exps.h"
#include "cluster_combine.h"

/*@ // of vector q of a row x of n, as a thread keeps it
    predicate kept_about{L}(float4 v, integer keeps, real m, float *x, integer q, integer n) =
      (4*q < n ==> v.x == Held(keeps,x[4*q],m)) && (4*q+1 < n ==> v.y == Held(keeps,x[4*q+1],m)) &&
      (4*q+2 < n ==> v.z == Held(keeps,x[4*q+2],m)) && (4*q+3 < n ==> v.w == Held(keeps,x[4*q+3],
        m));
    predicate lanes_kept{L0,L}(float4 *v, integer keeps, float *m, float *x, integer n, integer B,
                               integer K) =
      \forall integer u, i; 0 <= u < B ==> 0 <= i < K ==>
        kept_about{L0}(\at(v[ix(i,B,u)],L),keeps,rd{L}(m,u),x,ix(i,B,u),n);
    lemma pad_kept{L}: \forall float4 e, v, integer keeps, real m, float *x, integer q, n;
      0 <= q ==>
      pad_vec{L}(v,x,q,n) ==> held_vec(e,v,keeps,m) ==> kept_about{L}(e,keeps,m,x,q,n);
    lemma held_kept{L0,L1,L}: \forall float4 *v, integer keeps, float *m, float *x, integer n, B, K;
      0 < B ==> pad_vecs{L0,L1}(v,x,n,0,ix(K,B,0)) ==> lanes_held{L1,L}(v,keeps,m,B,B,K) ==>
      lanes_kept{L0,L}(v,keeps,m,x,n,B,K);
    lemma kept_frame{L1,L2}: \forall float4 v, integer keeps, real m, float *x, integer q, n;
      0 <= q ==> Same{L1,L2}(x,n) ==> kept_about{L1}(v,keeps,m,x,q,n) ==>
      kept_about{L2}(v,keeps,m,x,q,n);
    lemma lanes_kept_frame{L1,L2,L}: \forall float4 *v, integer keeps, float *m, *x,
      integer n, B, K; Same{L1,L2}(x,n) ==> lanes_kept{L1,L}(v,keeps,m,x,n,B,K) ==>
      lanes_kept{L2,L}(v,keeps,m,x,n,B,K);
    lemma sum_of_mass{L}: \forall float *x, real s, m, integer n; Mass(s,m) == Whole{L}(x,n) ==>
      s == SumExp{L}(x,m,n);
    lemma ix_mul: \forall integer K, B; ix(K,B,0) == mul(K,B); */

/* Of a row of n, or a slice of one, that v has: m becomes the threads' maxima; `keeps`: v the
 * exponentials about those, else it stays. */
/*@ requires row_fits(K,n) && \valid_read(x + (0 .. n-1)) && least_in(x,n);
    requires pad_vecs{Pre,Pre}(v,x,n,0,mul(K,BDIM));
    requires \valid(v + (0 .. KMAX*MAXB-1)) && \valid(m + (0 .. BDIM-1));
    requires \separated(m + (0 .. BDIM-1), v + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1], m[0 .. BDIM-1];
    ensures \result.m == RowMax{Pre}(x,n) && \result.s == SumExp{Pre}(x,\result.m,n);
    ensures once_under(m,\result.m,BDIM) && lanes_kept{Pre,Post}(v,keeps,m,x,n,BDIM,K); */
DEV once_sum held_exps(PER_THREAD(float, m), PER_THREADK(float4, v), int K,
                       int keeps GHOST_PARAMS(int n, const float *x))
{
  PRIVATE(float, s);
  //@ assert pads: pad_vecs{Pre,Pre}(v,x,n,0,ix(K,BDIM,0));
  //@ assert above: above_lowest{Pre}(x,n);
  //@ assert long: 1 <= n <= 4*ix(K,BDIM,0);
  once_sum sum = block_exps(m, s, v, K, keeps);
  //@ assert top: held_top{Pre}(v,sum.m,ix(K,BDIM,0));
  //@ assert max: sum.m == RowMax{Pre}(x,n);
  //@ assert mass: Mass(sum.s,sum.m) == Whole{Pre}(x,n);
  //@ assert kept: lanes_kept{Pre,Here}(v,keeps,m,x,n,BDIM,K);
  return sum;
}

/* The same of a row that is yet to be read. */
/*@ requires row_fits(K,n) && row_in(x,n,aligned) && least_in(x,n);
    requires \valid(v + (0 .. KMAX*MAXB-1)) && \valid(m + (0 .. BDIM-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(m + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(m + (0 .. BDIM-1), v + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1], m[0 .. BDIM-1];
    ensures \result.m == RowMax{Pre}(x,n) && \result.s == SumExp{Pre}(x,\result.m,n);
    ensures once_under(m,\result.m,BDIM) && lanes_kept{Pre,Post}(v,keeps,m,x,n,BDIM,K); */
DEV once_sum slice_exps(PER_THREAD(float, m), PER_THREADK(float4, v), int K, int keeps, int n,
                        int aligned, const float *RESTRICT x)
{
  padded_load_row(v, K, n, aligned, x);
  //@ ghost L0: ;
  //@ assert same: Same{Pre,L0}(x,n);
  //@ assert pads: pad_vecs{L0,L0}(v,x,n,0,mul(K,BDIM));
  //@ assert least: least_in(x,n);
  once_sum sum = held_exps(m, v, K, keeps GHOST_ARGS(n, x));
  //@ assert max: sum.m == RowMax{Pre}(x,n) && sum.s == SumExp{Pre}(x,sum.m,n);
  //@ assert kept: lanes_kept{Pre,Here}(v,keeps,m,x,n,BDIM,K);
  return sum;
}

/*@ // what a block says is above what no float is below
    lemma part_least{L}: \forall float *x, integer o, m, e, n; part_ends(o,m,e,n) ==>
      least_in{L}(x,n) ==> Lowest < RowMax{L}(x+o,m);
    lemma part_above{L}: \forall integer k, float *x, integer o, m, e, n, p; part_ends(o,m,e,n) ==>
      least_in{L}(x,n) ==> says_part{L}(k,x,o,m,p) ==> Lowest < Came(k,0,0,p);
    lemma says_about_above{L}: \forall integer k, float *x, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_split(cols,slice,CLUSTER_MOST) ==> least_in{L}(x,cols) ==>
      says_about{L}(k,x,cols,slice,p) ==> Lowest < Came(k,0,0,p);
    lemma says_above_at{L}: \forall integer k, float *x, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_split(cols,slice,CLUSTER_MOST) ==> least_in{L}(x,cols) ==>
      row_says{L}(k,x,cols,slice) ==> Lowest < Came(k,0,0,p);
    lemma says_above{L}: \forall integer k, float *x, integer cols, slice;
      row_split(cols,slice,CLUSTER_MOST) ==> least_in{L}(x,cols) ==>
      row_says{L}(k,x,cols,slice) ==> came_above(k,0,CLUSTER_MOST); */

/*@ // a row of n elements, and slice p of it, which a block holds in K vectors a thread
    predicate slice_io{L}(float *x, float *y, integer n, integer aligned) =
      reads(x,n) && writes(y,n) && apart(x,n,y,n) && least_in(x,n) &&
      (aligned != 0 ==> n % 4 == 0 && aligned16(x) && aligned16(y));
    predicate slice_is(row_piece w, integer p, integer K, integer cols, integer slice) =
      row_split(cols,slice,CLUSTER_MOST) && 0 <= p < CLUSTER_MOST && row_fits(K,slice) &&
      w.at == PieceAt(p,cols,slice) && w.n == PieceLen(p,cols,slice) && 0 < w.n <= slice &&
      w.at + w.n <= cols && w.at % 4 == 0 && (cols % 4 == 0 ==> w.n % 4 == 0); */
#endif
