/* Thread block cluster a row: masked_softmax of rows in the registers of a cluster's blocks
 * (lang/cluster.h): x, b (the mask) and y are (rows, cols). softmax.cu says when. A block has a
 * slice of the row, of which each thread takes the exponentials about the largest open element that
 * it holds (lse/thread_exps.h); what the slices come to all have in turn 0 of their mailboxes
 * (masked_cluster_spec.h). What is blocked is -Inf there, and so is what lies outside the row. */
#include "masked_cluster_spec.h"
#include "masked_out.h"
#include "../lse/thread_rescale.h"
#include "../lang/full_row.h"
#include "masked_load.h"
#include "contract_masked.h"

/*@ // what waits: exponentials about a thread's m, of a vector and of all
    predicate waits_vec{L}(float4 e, real m, float *x, float *b, integer n, integer q) =
      \exists float4 v; open_vec{L}(v,x,b,n,q) && held_vec(e,v,1,m);
    predicate waits_vecs{L0,L}(float4 *v, float *m, integer B, integer K, float *x, float *b,
                               integer n) =
      \forall integer j, t; 0 <= j < K ==> 0 <= t < B ==>
        waits_vec{L0}(\at(v[ix(j,B,t)],L),rd{L}(m,t),x,b,n,ix(j,B,t));
    lemma waits_one{L}: \forall float *x, *b, integer n, q, real m, float4 e, v;
      open_vec{L}(v,x,b,n,q) ==> held_vec(e,v,1,m) ==> waits_vec{L}(e,m,x,b,n,q);
    lemma waits_all{L0,L1,L}: \forall float4 *v, float *m, integer B, K, float *x, *b, integer n;
      open_vecs{L0,L1}(v,x,b,n,0,ix(K,B,0)) ==> lanes_held{L1,L}(v,1,m,B,B,K) ==>
      waits_vecs{L0,L}(v,m,B,K,x,b,n);
    lemma waits_kept{L0,L1,L2}: \forall float4 *v, float *m, integer B, K, float *x, *b, integer n;
      K <= KMAX ==> lanes_still{L1,L2}(v,B,0) ==> Same{L1,L2}(m,B) ==>
      waits_vecs{L0,L1}(v,m,B,K,x,b,n) ==> waits_vecs{L0,L2}(v,m,B,K,x,b,n);
    lemma waits_vec_frame{L1,L2}: \forall float4 e, real m, float *x, *b, integer n, q; 0 <= q ==>
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> waits_vec{L1}(e,m,x,b,n,q) ==>
      waits_vec{L2}(e,m,x,b,n,q);
    lemma waits_frame{L1,L2,L}: \forall float4 *v, float *m, integer B, K, float *x, *b, integer n;
      0 <= B ==> Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> waits_vecs{L1,L}(v,m,B,K,x,b,n) ==>
      waits_vecs{L2,L}(v,m,B,K,x,b,n); */

/* A slice, or a row: m becomes the threads' maxima, v the exponentials about those. */
/*@ requires row_fits(K,n) && row_in(x,n,aligned) && row_in(b,n,aligned) && least_in(x,n);
    requires \valid(v + (0 .. KMAX*MAXB-1)) && \valid(m + (0 .. BDIM-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), b + (0 .. n-1));
    requires \separated(m + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(m + (0 .. BDIM-1), b + (0 .. n-1));
    requires \separated(m + (0 .. BDIM-1), v + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1], m[0 .. BDIM-1];
    ensures \result.m == OpenMost{Pre}(x,b,n);
    ensures Mass(\result.s,\result.m) == OpenWhole{Pre}(x,b,n);
    ensures once_under(m,\result.m,BDIM) && waits_vecs{Pre,Post}(v,m,BDIM,K,x,b,n); */
DEV once_sum open_exps(PER_THREAD(float, m), PER_THREADK(float4, v), int K, int n, int aligned,
                       const float *RESTRICT x, const float *RESTRICT b)
{
  PRIVATE(float, s);
  //@ assert none: none_lowest{Pre}(x,n) && Lowest < OnceLeast;
  open_held_all(v, K, n, aligned, x, b);
  //@ ghost L1: ;
  //@ assert size: mul(K,BDIM) == ix(K,BDIM,0) && n <= 4*ix(K,BDIM,0);
  //@ assert held: open_vecs{Pre,L1}(v,x,b,n,0,ix(K,BDIM,0));
  once_sum sum = block_exps(m, s, v, K, 1);
  //@ assert top: held_top{L1}(v,sum.m,ix(K,BDIM,0));
  //@ assert most: sum.m == OpenMost{Pre}(x,b,n);
  //@ assert whole: Mass(sum.s,sum.m) == OpenWhole{Pre}(x,b,n);
  //@ assert waits: waits_vecs{Pre,Here}(v,m,BDIM,K,x,b,n);
  return sum;
}

/*@ // of a row's slice of n from o on: the elements of its masked softmax, c and those before it
    predicate share_at{L0}(real v, float *x, float *b, integer cols, integer o, integer c) =
      v == MaskedSoftmax{L0}(x,b,cols,o+c);
    predicate slice_open{L0,L}(float *y, float *x, float *b, integer cols, integer o, integer to) =
      \forall integer c; 0 <= c < to ==> share_at{L0}(rd{L}(y,c),x,b,cols,o,c);
    // what waits in vector q, times f, is what is to be written
    predicate share_in{L0}(real e, real f, float *x, float *b, integer cols, integer o, integer c,
                           integer n) = c < n ==> share_at{L0}(rmul(e,f),x,b,cols,o,c);
    predicate share_vec{L0}(float4 e, real f, float *x, float *b, integer cols, integer o,
      integer q,
                            integer n) =
      share_in{L0}(e.x,f,x,b,cols,o,4*q,n) && share_in{L0}(e.y,f,x,b,cols,o,4*q+1,n) &&
      share_in{L0}(e.z,f,x,b,cols,o,4*q+2,n) && share_in{L0}(e.w,f,x,b,cols,o,4*q+3,n);
    predicate share_lane{L0,L}(float4 *v, float *f, integer B, integer j, integer t, float *x,
                               float *b, integer cols, integer o, integer n) =
      share_vec{L0}(\at(v[ix(j,B,t)],L),rd{L}(f,t),x,b,cols,o,ix(j,B,t),n);
    predicate share_vecs{L0,L}(float4 *v, float *f, integer B, integer K, float *x, float *b,
                               integer cols, integer o, integer n) =
      \forall integer j, t; 0 <= j < K ==> 0 <= t < B ==>
        share_lane{L0,L}(v,f,B,j,t,x,b,cols,o,n);
    lemma share_lane_kept{L0,L1,L2}: \forall float4 *v, float *f, integer B, j, t, float *x, *b,
      integer cols, o, n; 0 <= j < KMAX ==> 0 <= t < B ==> lanes_still{L1,L2}(v,B,0) ==>
      Same{L1,L2}(f,B) ==> share_lane{L0,L1}(v,f,B,j,t,x,b,cols,o,n) ==>
      share_lane{L0,L2}(v,f,B,j,t,x,b,cols,o,n);
    lemma slice_open_kept{L0,L1,L2}: \forall float *y, *x, *b, integer cols, o, to;
      Same{L1,L2}(y,to) ==> slice_open{L0,L1}(y,x,b,cols,o,to) ==>
      slice_open{L0,L2}(y,x,b,cols,o,to);
    lemma slice_open_next{L0,L}: \forall float *y, *x, *b, integer cols, o, to, k;
      slice_open{L0,L}(y,x,b,cols,o,to) ==>
      (\forall integer c; to <= c < k ==> share_at{L0}(rd{L}(y,c),x,b,cols,o,c)) ==>
      slice_open{L0,L}(y,x,b,cols,o,k); */

/* Of a slice y of n, what waits in v and belongs to threads with factors f. */
/*@ requires row_fits(K,n) && \valid(y + (0 .. n-1)) && perm_w(y,n);
    requires aligned != 0 ==> aligned16(y) && n % 4 == 0;
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && \valid_read(f + (0 .. BDIM-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires \separated(f + (0 .. BDIM-1), y + (0 .. n-1));
    requires share_vecs{Pre,Pre}(v,f,BDIM,K,x,b,cols,o,n);
    assigns y[0 .. n-1];
    ensures slice_open{Pre,Post}(y,x,b,cols,o,n); */
DEV void share_store_all(PER_THREADK(float4, v), PER_THREAD(float, f), int K, int n, int aligned,
                         float *RESTRICT y GHOST_PARAMS(const float *x, const float *b, idx cols,
                                                        idx o))
{
  //@ assert away: \forall integer q; 0 <= q < KMAX*MAXB ==> \separated(v + q, y + (0 .. n-1));
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant slice_open{Pre,Here}(y,x,b,cols,o,lesser(4*j0,n));
      loop invariant lanes_still{Pre,Here}(v,BDIM,0) && Same{Pre,Here}(f,BDIM);
      loop assigns j, j0, y[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert next: mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    //@ assert most: j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant slice_open{Pre,Here}(y,x,b,cols,o,lesser(4*(j0+t),n));
        loop invariant lanes_still{Pre,Here}(v,BDIM,0) && Same{Pre,Here}(f,BDIM);
        loop assigns t, y[0 .. n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert at: ix(j,BDIM,t) == j0 + t && 0 <= j0 + t < KMAX*MAXB;
      //@ assert fits: 0 <= j < K && K <= KMAX && 0 <= t < BDIM;
      //@ assert still: lanes_still{Pre,Here}(v,BDIM,0) && Same{Pre,Here}(f,BDIM);
      //@ assert lane_pre: share_lane{Pre,Pre}(v,f,BDIM,j,t,x,b,cols,o,n);
      //@ assert lane: share_lane{Pre,Here}(v,f,BDIM,j,t,x,b,cols,o,n);
      //@ assert mine: share_vec{Pre}(v[j0+t],f[t],x,b,cols,o,j0+t,n);
      float4 u = out_four(0, REG(v, j, j0, t), 0.0f, AT(f, t));
      //@ assert x: 4*(j0+t) < n ==> share_at{Pre}(u.x,x,b,cols,o,4*(j0+t));
      //@ assert y: 4*(j0+t)+1 < n ==> share_at{Pre}(u.y,x,b,cols,o,4*(j0+t)+1);
      //@ assert z: 4*(j0+t)+2 < n ==> share_at{Pre}(u.z,x,b,cols,o,4*(j0+t)+2);
      //@ assert w: 4*(j0+t)+3 < n ==> share_at{Pre}(u.w,x,b,cols,o,4*(j0+t)+3);
      row_store(j0, t, n, aligned, u, y);
      //@ assert also_v: lanes_still{LoopCurrent,Here}(v,BDIM,0);
      //@ assert also_f: Same{LoopCurrent,Here}(f,BDIM);
      //@ assert also_y: Same{LoopCurrent,Here}(y,lesser(4*(j0+t),n));
      //@ assert old: slice_open{Pre,Here}(y,x,b,cols,o,lesser(4*(j0+t),n));
      //@ assert put_x: 4*(j0+t) < n ==> rd(y,4*(j0+t)) == u.x;
      //@ assert put_y: 4*(j0+t)+1 < n ==> rd(y,4*(j0+t)+1) == u.y;
      //@ assert put_z: 4*(j0+t)+2 < n ==> rd(y,4*(j0+t)+2) == u.z;
      //@ assert put_w: 4*(j0+t)+3 < n ==> rd(y,4*(j0+t)+3) == u.w;
      /*@ assert four: \forall integer c; lesser(4*(j0+t),n) <= c < lesser(4*(j0+t+1),n) ==>
            share_at{Pre}(rd(y,c),x,b,cols,o,c); */
    }
  }
}

/*@ // the row: x under b, of n elements, adds up to s about `all`
    predicate adds_up{L}(float *x, float *b, integer n, real s, real all) =
      none_lowest{L}(x,n) && Mass(s,all) == OpenWhole{L}(x,b,n) && s > 0.0;
    // of a thread with its sums about m, in a row about `all`
    logic real ShareBy(real m, real all, real by) = rmul(\exp(m - all),by);
    lemma exp_moved: \forall real x, m, all, by;
      rmul(\exp(x - m),ShareBy(m,all,by)) == rmul(\exp(x - all),by);
    lemma term_is: \forall real x, m; Lowest < x ==> Term(x,m) == \exp(x - m);
    lemma moved_is: \forall real e, x, m, all, by; e == \exp(x - m) ==>
      rmul(e,ShareBy(m,all,by)) == rmul(ExpAbout(x,all),by);
    lemma term_moved: \forall real x, m, all, by; Lowest < x ==>
      rmul(Term(x,m),ShareBy(m,all,by)) == rmul(ExpAbout(x,all),by);
    lemma out_share: \forall real m, all, s; OutBy(0,m,all,s) == ShareBy(m,all,rdiv(1.0,s));
    lemma term_out: \forall real x, m, all, s; Lowest < x ==>
      rmul(Term(x,m),OutBy(0,m,all,s)) == rmul(ExpAbout(x,all),rdiv(1.0,s));
    lemma open_one_is: \forall real b, x, m, by; b == 0.0 ==>
      OpenOne(b,x,m,by) == rmul(ExpAbout(x,m),by);
    lemma open_by_sum{L}: \forall float *x, *b, integer n, c, real all, s; 0 <= c < n ==>
      adds_up{L}(x,b,n,s,all) ==> OpenOne(b[c],x[c],all,rdiv(1.0,s)) == MaskedSoftmax{L}(x,b,n,c);
    lemma share_open{L}: \forall float *x, *b, integer n, c, real m, all, s; 0 <= c < n ==>
      b[c] == 0.0 ==> adds_up{L}(x,b,n,s,all) ==>
      rmul(Term(x[c],m),OutBy(0,m,all,s)) == MaskedSoftmax{L}(x,b,n,c);
    lemma share_blocked{L}: \forall float *x, *b, integer n, c, real m, f; 0 <= c < n ==>
      b[c] != 0.0 ==> rmul(Term(Lowest,m),f) == MaskedSoftmax{L}(x,b,n,c);
    lemma val_on{L}: \forall float *x, *b, integer o, k, c; 0 <= c < k ==>
      OpenVal{L}(x+o,b+o,k,c) == (rd{L}(b,o+c) == 0.0 ? rd{L}(x,o+c) : Lowest);
    lemma share_is{L}: \forall float *x, *b, integer n, c, o, k, real m, all, s; 0 <= o ==>
      0 <= c < k ==> o + k <= n ==> adds_up{L}(x,b,n,s,all) ==>
      share_at{L}(rmul(Term(OpenVal{L}(x+o,b+o,k,c),m),OutBy(0,m,all,s)),x,b,n,o,c);
    lemma share_elem{L}: \forall float *x, *b, integer n, o, k, c, real m, all, s, e, v; 0 <= c ==>
      0 <= o ==> o + k <= n ==> adds_up{L}(x,b,n,s,all) ==> v == OpenVal{L}(x+o,b+o,k,c) ==>
      e == Held(1,v,m) ==> share_in{L}(e,OutBy(0,m,all,s),x,b,n,o,c,k);
    lemma share_held{L}: \forall float *x, *b, integer n, o, k, q, real m, all, s, float4 e, v;
      0 <= q ==> 0 <= o ==> o + k <= n ==> adds_up{L}(x,b,n,s,all) ==>
      open_vec{L}(v,x+o,b+o,k,q) ==> held_vec(e,v,1,m) ==>
      share_vec{L}(e,OutBy(0,m,all,s),x,b,n,o,q,k);
    lemma share_one{L}: \forall float *x, *b, integer n, o, k, q, real m, all, s, float4 e;
      0 <= q ==> 0 <= o ==> o + k <= n ==> adds_up{L}(x,b,n,s,all) ==>
      waits_vec{L}(e,m,x+o,b+o,k,q) ==> share_vec{L}(e,OutBy(0,m,all,s),x,b,n,o,q,k);
    lemma share_all{L0,L}: \forall float4 *v, float *m, *f, integer B, K, float *x, *b,
      integer n, o, k, real s, all; 0 <= B ==> 0 <= o ==> o + k <= n ==>
      adds_up{L0}(x,b,n,s,all) ==> waits_vecs{L0,L}(v,m,B,K,x+o,b+o,k) ==>
      lanes_by{L,L}(f,0,m,all,s,B) ==> share_vecs{L0,L}(v,f,B,K,x,b,n,o,k);
    // of a slice, and of its row
    lemma slice_open_last{L0,L}: \forall float *y, *x, *b, integer cols, o, n; 0 <= n ==>
      slice_open{L0,L}(y,x,b,cols,o,n+1) ==> slice_open{L0,L}(y,x,b,cols,o,n) &&
      share_at{L0}(rd{L}(y,n),x,b,cols,o,n);
    lemma open_from_grows{L0,L}: \forall float *x, *b, *y, integer cols, from, to;
      open_from{L0,L}(x,b,y,cols,from,to) ==> rd{L}(y,to) == MaskedSoftmax{L0}(x,b,cols,to) ==>
      open_from{L0,L}(x,b,y,cols,from,to+1);
    lemma slice_open_from{L0,L}: \forall integer n, float *y, *x, *b, integer cols, o; 0 <= n ==>
      slice_open{L0,L}(y+o,x,b,cols,o,n) ==> open_from{L0,L}(x,b,y,cols,o,o+n); */

/*@ // the slice of n from o on of a row of cols elements, which waits in v
    predicate slice_of(integer o, integer n, integer cols, integer K, integer aligned) =
      row_fits(K,n) && 0 <= o && o + n <= cols <= IDX_LIM &&
      (aligned != 0 ==> o % 4 == 0 && n % 4 == 0); */

/* A slice of a row that adds up to all, of what waits in v about the threads' m; f are for their
 * factors. */
/*@ requires slice_of(o,n,cols,K,aligned) && open_io(x,b,y,cols,cols,aligned);
    requires none_lowest(x,cols) && Mass(all.s,all.m) == OpenWhole(x,b,cols) && all.s > 0.0;
    requires once_lanes(m,f) && \separated(f + (0 .. BDIM-1), m + (0 .. BDIM-1));
    requires once_under(m,all.m,BDIM) && \valid_read(v + (0 .. KMAX*MAXB-1));
    requires waits_vecs{Pre,Pre}(v,m,BDIM,K,x+o,b+o,n);
    requires \separated(v + (0 .. KMAX*MAXB-1), y + (0 .. cols-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), f + (0 .. BDIM-1));
    requires \separated(f + (0 .. BDIM-1), y + (0 .. cols-1));
    requires \separated(f + (0 .. BDIM-1), x + (0 .. cols-1));
    requires \separated(f + (0 .. BDIM-1), b + (0 .. cols-1));
    assigns y[o .. o+n-1], f[0 .. BDIM-1];
    ensures open_from{Pre,Post}(x,b,y,cols,o,o+n) && Same{Pre,Post}(y,o); */
DEV void share_slice(PER_THREADK(float4, v), PER_THREAD(float, m), PER_THREAD(float, f), int K,
                     int aligned, idx o, int n, once_sum all,
                     float *RESTRICT y GHOST_PARAMS(const float *x, const float *b, idx cols))
{
  //@ assert adds: adds_up(x,b,cols,all.s,all.m);
  out_by_all(f, m, 0, all.m, all.s);
  //@ ghost L1: ;
  //@ assert same: Same{Pre,L1}(x,cols) && Same{Pre,L1}(b,cols);
  //@ assert same_m: Same{Pre,L1}(m,BDIM);
  //@ assert factors: lanes_by{L1,L1}(f,0,m,all.m,all.s,BDIM);
  //@ assert here: adds_up{L1}(x,b,cols,all.s,all.m);
  //@ assert still: lanes_still{Pre,L1}(v,BDIM,0);
  //@ assert waits_0: waits_vecs{Pre,L1}(v,m,BDIM,K,x+o,b+o,n);
  //@ assert slices: Same{Pre,L1}(x+o,n) && Same{Pre,L1}(b+o,n);
  //@ assert waits: waits_vecs{L1,L1}(v,m,BDIM,K,x+o,b+o,n);
  //@ assert shares: share_vecs{L1,L1}(v,f,BDIM,K,x,b,cols,o,n);
  //@ assert perm_y: perm_w(y,cols) && perm_w(y+o,n);
  //@ assert valid_y: \valid((y+o) + (0 .. n-1)) && row_fits(K,n);
  //@ assert aligned: aligned != 0 ==> aligned16(y+o) && n % 4 == 0;
  share_store_all(v, f, K, n, aligned, y + o GHOST_ARGS(x, b, cols, o));
  //@ assert slice: slice_open{L1,Here}(y+o,x,b,cols,o,n);
  //@ assert from: open_from{L1,Here}(x,b,y,cols,o,o+n);
  //@ assert back: Same{L1,Pre}(x,cols) && Same{L1,Pre}(b,cols);
  //@ assert before: Same{Pre,L1}(y,o);
  //@ assert first: Same{Pre,Here}(y,o);
}

/*@ // what the blocks say is above -Inf, and adds up to the row
    lemma says_open_above{L}: \forall integer k, float *x, *b, integer cols, slice;
      Lowest < OnceLeast ==> row_says_open{L}(k,x,b,cols,slice) ==>
      came_above(k,0,CLUSTER_MOST);
    logic real CameOf(integer k, integer p) = Mass(Came(k,1,0,p),Came(k,0,0,p));
    lemma came_next: \forall integer k, n; 0 <= n ==>
      CameMass(k,0,n+1) == CameMass(k,0,n) + CameOf(k,n);
    lemma says_mass{L}: \forall integer k, float *x, *b, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_says_open{L}(k,x,b,cols,slice) ==>
      CameOf(k,p) == SliceWhole{L}(x,b,cols,slice,p);
    lemma came_opens_to{L}: \forall integer n, k, float *x, *b, integer cols, slice; 0 <= n ==>
      (\forall integer p; 0 <= p < n ==> CameOf(k,p) == SliceWhole{L}(x,b,cols,slice,p)) ==>
      CameMass(k,0,n) == OpenWhole{L}(x,b,PieceAt(n,cols,slice)) -
        OpenWhole{L}(x,b,PieceAt(0,cols,slice));
    lemma came_slices{L}: \forall integer k, float *x, *b, integer cols, slice;
      row_says_open{L}(k,x,b,cols,slice) ==> CameMass(k,0,CLUSTER_MOST) ==
        OpenWhole{L}(x,b,PieceAt(CLUSTER_MOST,cols,slice)) -
        OpenWhole{L}(x,b,PieceAt(0,cols,slice));
    lemma came_whole{L}: \forall integer k, float *x, *b, integer cols, slice;
      row_split(cols,slice,CLUSTER_MOST) ==> row_says_open{L}(k,x,b,cols,slice) ==>
      CameMass(k,0,CLUSTER_MOST) == OpenWhole{L}(x,b,cols);
    // a block with the sum of its slice may say it
    predicate slice_sum{L}(once_sum a, float *x, float *b, integer cols, integer slice, integer p) =
      a.m == SliceMost{L}(x,b,cols,slice,p) && Mass(a.s,a.m) == SliceWhole{L}(x,b,cols,slice,p);
    lemma may_say{L}: \forall integer k, float *x, *b, integer cols, slice, p, once_sum a;
      0 <= p < CLUSTER_MOST ==> row_says_open{L}(k,x,b,cols,slice) ==> mail_says(k,p) ==>
      slice_sum{L}(a,x,b,cols,slice,p) ==> mail_may(k,p,0,a.m,a.s);
    lemma came_most{L}: \forall integer k, float *x, *b, integer cols, slice, p, once_sum a;
      0 <= p < CLUSTER_MOST ==> row_says_open{L}(k,x,b,cols,slice) ==>
      slice_sum{L}(a,x,b,cols,slice,p) ==> a.m == Came(k,0,0,p); */

/* Slice w of row r, which the blocks of cluster r have. Where the row's sum is neither above 0
 * nor below, nothing above -Inf is open, or it is NaN: then y is made of what is read again. */
/*@ requires slice_is(w,rank,K,cols,slice) && open_io(x,b,y,cols,cols,aligned) && 0 <= r;
    requires least_in(x,cols) && row_says_open{Pre}(r,x,b,cols,slice);
    assigns y[0 .. cols-1], joined_, put_, got_, mail_cluster_;
    ensures open_from{Pre,Post}(x,b,y,cols,w.at,w.at+w.n);
    ensures Same{Pre,Post}(y,w.at); */
DEV void masked_slice(int K, int aligned, idx r, int rank, row_piece w, idx cols, idx slice,
                      const float *RESTRICT x, const float *RESTRICT b, float *RESTRICT y)
{
  EXCHANGE(box);
  PRIVATEK(float4, v);
  PRIVATE(float, m);
  PRIVATE(float, by);
  const int n = (int)w.n;
  //@ assert fits: row_fits(K,n) && n == w.n && w.at + n <= cols;
  //@ assert perm_x: perm_r(x,cols) && perm_r(x+w.at,n);
  //@ assert perm_b: perm_r(b,cols) && perm_r(b+w.at,n);
  //@ assert in: row_in(x+w.at,n,aligned) && row_in(b+w.at,n,aligned) && least_in(x+w.at,n);
  exchange_begin(box, rank, r);
  //@ assert in_0: row_in(x+w.at,n,aligned) && row_in(b+w.at,n,aligned) && least_in(x+w.at,n);
  const once_sum mine = open_exps(m, v, K, n, aligned, x + w.at, b + w.at);
  //@ ghost L1: ;
  //@ assert summed_x: Same{Pre,L1}(x,cols);
  //@ assert summed_b: Same{Pre,L1}(b,cols);
  //@ assert most: mine.m == SliceMost{Pre}(x,b,cols,slice,rank);
  //@ assert whole: Mass(mine.s,mine.m) == SliceWhole{Pre}(x,b,cols,slice,rank);
  //@ assert is: slice_sum{Pre}(mine,x,b,cols,slice,rank);
  //@ assert may: mail_may(r,rank,0,mine.m,mine.s);
  exchange_join(box);
  exchange_gather_mass(box, 0, rank, CLUSTER_MOST, mine);
  //@ assert above: came_above(r,0,CLUSTER_MOST);
  const once_sum all = exchange_mass(box, 0);
  //@ ghost L3: ;
  //@ assert mass: Mass(all.s,all.m) == OpenWhole{Pre}(x,b,cols);
  //@ assert same: Same{Pre,L3}(x,cols) && Same{Pre,L3}(b,cols);
  //@ assert here: Mass(all.s,all.m) == OpenWhole(x,b,cols);
  //@ assert first_1: Same{Pre,L1}(y,w.at);
  //@ assert first: Same{Pre,L3}(y,w.at);
  if (all.s > 0.0f) {
    //@ assert below: mine.m <= all.m;
    //@ assert under: once_under(&m[0],all.m,BDIM);
    //@ assert of: slice_of(w.at,n,cols,K,aligned);
    //@ assert none: none_lowest(x,cols);
    //@ assert still: lanes_still{L1,L3}(&v[0],BDIM,0) && Same{L1,L3}(&m[0],BDIM);
    //@ assert waits_3: waits_vecs{Pre,L3}(&v[0],&m[0],BDIM,K,x+w.at,b+w.at,n);
    //@ assert slices_3: Same{Pre,L3}(x+w.at,n) && Same{Pre,L3}(b+w.at,n);
    //@ assert waits: waits_vecs{L3,L3}(&v[0],&m[0],BDIM,K,x+w.at,b+w.at,n);
    share_slice(v, m, by, K, aligned, w.at, n, all, y GHOST_ARGS(x, b, cols));
    //@ assert shared: open_from{L3,Here}(x,b,y,cols,w.at,w.at+w.n);
    //@ assert back: Same{L3,Pre}(x,cols) && Same{L3,Pre}(b,cols);
    //@ assert share: open_from{Pre,Here}(x,b,y,cols,w.at,w.at+w.n);
    //@ assert first_3: Same{L3,Here}(y,w.at);
  } else {
    masked_split_row(all, aligned, rank, cols, slice, CLUSTER_MOST, x, b, y);
    //@ assert spread: open_from{L3,Here}(x,b,y,cols,w.at,w.at+w.n);
    //@ assert back_4: Same{L3,Pre}(x,cols) && Same{L3,Pre}(b,cols);
    //@ assert spread_0: open_from{Pre,Here}(x,b,y,cols,w.at,w.at+w.n);
    //@ assert first_4: Same{L3,Here}(y,w.at);
  }
  //@ assert first_all: Same{L3,Here}(y,w.at);
  //@ assert before: Same{Pre,Here}(y,w.at);
}

/*@ predicate cluster_in{L}(float *x, float *b, float *y, integer rows, integer cols, integer vec) =
      0 <= rows <= IDX_LIM && open_io(x,b,y,ix(rows,cols,0),cols,vec) &&
      least_in(x,ix(rows,cols,0));
    lemma masked_rows_next{L0,L}: \forall float *x, *b, *y, integer cols, n;
      rows_masked{L0,L}(x,b,y,cols,n) ==>
      open_from{L0,L}(x+ix(n,cols,0),b+ix(n,cols,0),y+ix(n,cols,0),cols,0,cols) ==>
      rows_masked{L0,L}(x,b,y,cols,n+1); */

/* Slice `rank` of row r of a tensor. */
/*@ requires row_split(cols,slice,CLUSTER_MOST) && row_fits(K,slice) && 0 <= rank < CLUSTER_MOST;
    requires 0 <= r < rows && cluster_in(x,b,y,rows,cols,aligned);
    requires row_says_open{Pre}(r,x+ix(r,cols,0),b+ix(r,cols,0),cols,slice);
    assigns y[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
    ensures open_from{Pre,Post}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),cols,
                                PieceAt(rank,cols,slice),PieceAt(rank+1,cols,slice));
    ensures Same{Pre,Post}(y,ix(r,cols,0));
    ensures Same{Pre,Post}(y+ix(r,cols,0),PieceAt(rank,cols,slice));
    ensures Same{Pre,Post}(x,ix(rows,cols,0)) && Same{Pre,Post}(b,ix(rows,cols,0)); */
DEV void masked_slice_at(int K, int aligned, idx r, int rank, idx rows, idx cols, idx slice,
                         const float *RESTRICT x, const float *RESTRICT b, float *RESTRICT y)
{
  const idx o = at2(rows, cols, r, 0);
  const row_piece w = chunk_of(rank, cols, slice, CLUSTER_MOST);
  //@ assert next: ix(r+1,cols,0) == o + cols && o + cols <= ix(rows,cols,0) && 0 <= o;
  //@ assert fours: aligned != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  //@ assert four: aligned != 0 ==> o % 4 == 0;
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+o,cols);
  //@ assert perm_b: perm_r(b,ix(rows,cols,0)) && perm_r(b+o,cols);
  //@ assert perm_y: perm_r(y,ix(rows,cols,0)) && perm_w(y,ix(rows,cols,0));
  //@ assert perm_yo: perm_r(y+o,cols) && perm_w(y+o,cols);
  //@ assert io: open_io(x+o,b+o,y+o,cols,cols,aligned);
  //@ assert least: least_in(x+o,cols);
  //@ assert is: slice_is(w,rank,K,cols,slice);
  /*@ assert away: \forall integer k; 0 <= k < ix(rows,cols,0) ==>
        \separated(x + k, y + (o .. o+cols-1)) && \separated(b + k, y + (o .. o+cols-1)); */
  masked_slice(K, aligned, r, rank, w, cols, slice, x + o, b + o, y + o);
  //@ assert rows: Same{Pre,Here}(y,o);
}

/* VEC: all tensors are 16-byte aligned and cols a multiple of 4. Cluster r does row r, of which
 * its blocks say what row_says_open has. Up to THREADS a block, of which FIT fit on a
 * multiprocessor. */
/*@ requires row_split(cols,slice,CLUSTER_MOST) && row_fits(KMAX,slice);
    requires ix(rows,CLUSTER_MOST,0) <= BLOCKS && cluster_in(x,b,y,rows,cols,VEC);
    requires \forall integer r; 0 <= r < rows ==>
      row_says_open{Pre}(r,x+ix(r,cols,0),b+ix(r,cols,0),cols,slice);
    assigns y[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
    ensures masked_rows{Pre,Post}(x,b,y,cols,rows); */
TEMPLATE(int VEC, int THREADS, int FIT)
KERNEL void WHOLE_THREADS(0, 0, THREADS, FIT)
    masked_softmax_cluster(CONSTANTS(int VEC, int THREADS, int FIT) idx rows, idx cols, idx slice,
                           const float *RESTRICT x, const float *RESTRICT b, float *RESTRICT y)
{
  /*@ loop invariant 0 <= r <= rows && rows_masked{Pre,Here}(x,b,y,cols,r);
      loop invariant Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(b,ix(rows,cols,0));
      loop assigns r, y[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
      loop variant rows - r; */
  BROWS(r, rows, CLUSTER_MOST) {
    /*@ loop invariant 0 <= rank <= CLUSTER_MOST && rows_masked{Pre,Here}(x,b,y,cols,r);
        loop invariant open_from{Pre,Here}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),cols,0,
                                           PieceAt(rank,cols,slice));
        loop invariant Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(b,ix(rows,cols,0));
        loop assigns rank, y[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
        loop variant CLUSTER_MOST - rank; */
    BCOLS(rank, CLUSTER_MOST) {
      //@ assert row: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
      //@ assert to: Same{Pre,Here}(x+ix(r,cols,0),cols);
      //@ assert to_b: Same{Pre,Here}(b+ix(r,cols,0),cols);
      //@ assert least: least_in(x,ix(rows,cols,0));
      //@ assert says_pre: row_says_open{Pre}(r,x+ix(r,cols,0),b+ix(r,cols,0),cols,slice);
      //@ assert says: row_says_open(r,x+ix(r,cols,0),b+ix(r,cols,0),cols,slice);
      //@ assert piece: 0 <= PieceAt(rank,cols,slice) <= PieceAt(rank+1,cols,slice) <= cols;
      masked_slice_at(KMAX, VEC, r, (int)rank, rows, cols, slice, x, b, y);
      //@ assert step_x: Same{LoopCurrent,Here}(x,ix(rows,cols,0));
      //@ assert step_b: Same{LoopCurrent,Here}(b,ix(rows,cols,0));
      //@ assert all_x: Same{Pre,Here}(x,ix(rows,cols,0));
      //@ assert all_b: Same{Pre,Here}(b,ix(rows,cols,0));
      //@ assert back: Same{LoopCurrent,Pre}(x+ix(r,cols,0),cols);
      //@ assert back_b: Same{LoopCurrent,Pre}(b+ix(r,cols,0),cols);
      /*@ assert here: open_from{LoopCurrent,Here}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),
        cols,
            PieceAt(rank,cols,slice),PieceAt(rank+1,cols,slice)); */
      /*@ assert new: open_from{Pre,Here}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),cols,
            PieceAt(rank,cols,slice),PieceAt(rank+1,cols,slice)); */
      //@ assert kept_rows: Same{LoopCurrent,Here}(y,ix(r,cols,0));
      //@ assert kept_row: Same{LoopCurrent,Here}(y+ix(r,cols,0),PieceAt(rank,cols,slice));
      //@ assert old: rows_masked{Pre,Here}(x,b,y,cols,r);
      /*@ assert old_row: open_from{Pre,Here}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),cols,0,
            PieceAt(rank,cols,slice)); */
    }
    //@ assert end: PieceAt(CLUSTER_MOST,cols,slice) == cols;
    /*@ assert row_all: open_from{Pre,Here}(x+ix(r,cols,0),b+ix(r,cols,0),y+ix(r,cols,0),cols,0,
          cols); */
    //@ assert rows_all: rows_masked{Pre,Here}(x,b,y,cols,r+1);
  }
  //@ assert whole: rows_masked{Pre,Here}(x,b,y,cols,rows);
  /*@ assert each: \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        rd(y+ix(r,cols,0),c) == MaskedSoftmax{Pre}(x+ix(r,cols,0),b+ix(r,cols,0),cols,c); */
  //@ assert place: \forall integer r, c; ix(r,cols,c) == ix(r,cols,0) + c;
  /*@ assert cell: \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        y[ix(r,cols,c)] == rd(y+ix(r,cols,0),c); */
  //@ assert all: masked_rows{Pre,Here}(x,b,y,cols,rows);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "../row/cluster_variant.h"
#include "launch.h"

extern "C" void LAUNCHER(masked_softmax_cluster)(const pm_exec *ex, int vec, int64_t rows,
                                                 int64_t cols, const float *x, const float *mask,
                                                 float *y)
{
  idx slice = soft_slice(cols);
  int block = regs_block(slice, KMAX);
#define RUN(VEC, THREADS, FIT)                                                                   \
  LAUNCH_CLUSTERS((masked_softmax_cluster<VEC, THREADS, FIT>), SOFT_CLUSTER, rows *SOFT_CLUSTER, \
                  block, 0, ex->stream, rows, cols, slice, x, mask, y)
#define RUN_FIT(VEC)             \
  if (block <= 512)              \
    RUN(VEC, 512, 2);            \
  else if (block <= CLUSTER_TWO) \
    RUN(VEC, CLUSTER_TWO, 2);    \
  else                           \
    RUN(VEC, 1024, 1)
  if (vec) {
    RUN_FIT(1);
  } else {
    RUN_FIT(0);
  }
#undef RUN_FIT
#undef RUN
}
#endif
