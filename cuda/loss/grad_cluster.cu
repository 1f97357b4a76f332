/* Thread block cluster a row: the gradient of cross entropy, and its loss where it is wanted, of
 * rows in the registers of a cluster's blocks (lang/cluster.h): x and dx are (rows, cols). A
 * block has a slice of the row, whose exponentials it takes and says as softmax/cluster.cu's do;
 * the first also leaves the row's loss, in part[row]. Where a target is out of range, of any row,
 * there is no gradient and no loss. */
#include "../lang/load_now.h"
#include "row_loss.h"
#include "grad_piece.h"
#include "grad_scale.h"
#include "../lse/thread_rescale.h"
#include "target.h"
#include "../lang/full_row.h"

/*@ // of a row that adds up to s about m: what is added to element c of dx; what becomes of that;
    // and of
    // a slice's first elements
    logic real SlopeOf(real x, real m, real s, integer hit, real scale, integer c) =
      rmul(SoftAbout(0,x,m,s) - OneHot(c,hit),scale);
    logic real Sloping{L}(integer adds, float *dx, float *x, real m, real s, integer hit,
                          real scale, integer c) =
      plus(adds,dx[c],SlopeOf(x[c],m,s,hit,scale,c));
    predicate sloping{L0,L}(float *dx, integer adds, float *x, real m, real s, integer hit,
                            real scale, integer to) =
      \forall integer c; 0 <= c < to ==> \at(dx[c],L) == Sloping{L0}(adds,dx,x,m,s,hit,scale,c);
    predicate sloped_at{L0,L}(float *dx, integer adds, float *x, real m, real s, integer hit,
                              real scale, integer k, integer n) =
      k < n ==> \at(dx[k],L) == Sloping{L0}(adds,dx,x,m,s,hit,scale,k);
    lemma sloping_next{L0,L}: \forall float *dx, integer adds, float *x, real m, s, integer hit,
      real scale, integer k, n; 0 <= k ==>
      sloping{L0,L}(dx,adds,x,m,s,hit,scale,lesser(k,n)) ==>
      sloped_at{L0,L}(dx,adds,x,m,s,hit,scale,k,n) ==>
      sloping{L0,L}(dx,adds,x,m,s,hit,scale,lesser(k+1,n));
    lemma sloping_four{L0,L}: \forall float *dx, integer adds, float *x, real m, s, integer hit,
      real scale, integer k, n; 0 <= k ==>
      sloping{L0,L}(dx,adds,x,m,s,hit,scale,lesser(k,n)) ==>
      sloped_at{L0,L}(dx,adds,x,m,s,hit,scale,k,n) ==>
      sloped_at{L0,L}(dx,adds,x,m,s,hit,scale,k+1,n) ==>
      sloped_at{L0,L}(dx,adds,x,m,s,hit,scale,k+2,n) ==>
      sloped_at{L0,L}(dx,adds,x,m,s,hit,scale,k+3,n) ==>
      sloping{L0,L}(dx,adds,x,m,s,hit,scale,lesser(k+4,n));
    // what a thread has of it is one product away
    lemma out_slope: \forall real e, by, x, m, s, integer hit, real scale, integer c;
      OutOf(0,e,m,by) == SoftAbout(0,x,m,s) ==>
      Slope(e,by,hit,scale,c) == SlopeOf(x,m,s,hit,scale,c);
    // hit is class c in the slice of n from o on, -1 where it is not there
    predicate hit_is(integer hit, integer c, integer o, integer n) =
      hit == (o <= c < o + n ? c - o : -1);
    lemma hit_one: \forall integer hit, c, o, n, i; 0 <= i < n ==> hit_is(hit,c,o,n) ==>
      OneHot(i,hit) == OneHot(o+i,c);
    lemma hit_slope: \forall real x, m, s, scale, integer hit, c, o, n, i; 0 <= i < n ==>
      hit_is(hit,c,o,n) ==> SlopeOf(x,m,s,hit,scale,i) == SlopeOf(x,m,s,c,scale,o+i);
    // s is a row's sum about m
    predicate sums_to{L}(real s, real m, float *x, integer n) =
      s > 0.0 && Mass(s,m) == Whole{L}(x,n);
    lemma slope_gradient{L}: \forall float *x, real m, s, scale, integer n, t, c; 0 <= c < n ==>
      sums_to{L}(s,m,x,n) ==>
      SlopeOf(rd{L}(x,c),m,s,t,scale,c) == RowGradient{L}(x,n,t,scale,c);
    lemma sloping_one{L}: \forall integer adds, float *dx, *x, real m, s, scale,
      integer n, o, c, i; 0 <= o + i < n ==> sums_to{L}(s,m,x,n) ==>
      plus(adds,rd{L}(dx,o+i),SlopeOf(rd{L}(x,o+i),m,s,c,scale,o+i)) ==
        Graded{L}(adds,dx,x,n,c,scale,o+i);
    lemma sloping_last{L0,L}: \forall float *dx, integer adds, float *x, real m, s, integer hit,
      real scale, integer k; 0 <= k ==> sloping{L0,L}(dx,adds,x,m,s,hit,scale,k+1) ==>
      sloping{L0,L}(dx,adds,x,m,s,hit,scale,k) &&
      rd{L}(dx,k) == Sloping{L0}(adds,dx,x,m,s,hit,scale,k);
    // the same of a slice, that begins at o, of its row's elements from .. to-1
    predicate sloped_one{L0,L}(float *dx, integer adds, float *x, real m, real s, integer hit,
                               real scale, integer o, integer i) = rd{L}(dx,i) ==
      plus(adds,rd{L0}(dx,i),SlopeOf(rd{L0}(x,i),m,s,hit,scale,i-o));
    predicate sloped_from{L0,L}(float *dx, integer adds, float *x, real m, real s, integer hit,
                                real scale, integer o, integer from, integer to) =
      \forall integer i; from <= i < to ==> rd{L}(dx,i) ==
        plus(adds,rd{L0}(dx,i),SlopeOf(rd{L0}(x,i),m,s,hit,scale,i-o));
    lemma sloping_on{L0,L}: \forall float *dx, integer adds, float *x, real m, s, integer hit,
      real scale, integer o, i; rd{L}(dx+o,i) == Sloping{L0}(adds,dx+o,x+o,m,s,hit,scale,i) ==>
      sloped_one{L0,L}(dx,adds,x,m,s,hit,scale,o,o+i);
    lemma sloped_grows{L0,L}: \forall float *dx, integer adds, float *x, real m, s, integer hit,
      real scale, integer o, from, to; sloped_from{L0,L}(dx,adds,x,m,s,hit,scale,o,from,to) ==>
      sloped_one{L0,L}(dx,adds,x,m,s,hit,scale,o,to) ==>
      sloped_from{L0,L}(dx,adds,x,m,s,hit,scale,o,from,to+1);
    lemma sloping_from{L0,L}: \forall integer k, float *dx, integer adds, float *x, real m, s,
      integer hit, real scale, integer o; 0 <= k ==>
      sloping{L0,L}(dx+o,adds,x+o,m,s,hit,scale,k) ==>
      sloped_from{L0,L}(dx,adds,x,m,s,hit,scale,o,o,o+k);
    lemma sloped_at{L0,L}: \forall float *dx, integer adds, float *x, real m, s, integer hit,
      real scale, integer o, from, to, i; from <= i < to ==>
      sloped_from{L0,L}(dx,adds,x,m,s,hit,scale,o,from,to) ==>
      sloped_one{L0,L}(dx,adds,x,m,s,hit,scale,o,i);
    predicate grades_at{L0,L}(float *dx, integer adds, float *x, integer n, integer c, real scale,
                              integer i) = rd{L}(dx,i) == Graded{L0}(adds,dx,x,n,c,scale,i);
    lemma sloped_is{L0,L}: \forall float *dx, integer adds, float *x, real m, s, integer hit,
      real scale, integer o, k, i, n, c; o <= i < o + k ==> 0 <= o ==> o + k <= n ==>
      sums_to{L0}(s,m,x,n) ==> hit_is(hit,c,o,k) ==>
      sloped_one{L0,L}(dx,adds,x,m,s,hit,scale,o,i) ==> grades_at{L0,L}(dx,adds,x,n,c,scale,i);
    lemma sloped_grades{L0,L}: \forall float *dx, integer adds, float *x, real m, s, integer hit,
      real scale, integer o, k, to, i, n, c; o <= i < to ==> to == o + k ==> 0 <= o ==> to <= n ==>
      sums_to{L0}(s,m,x,n) ==> hit_is(hit,c,o,k) ==>
      sloped_from{L0,L}(dx,adds,x,m,s,hit,scale,o,o,to) ==>
      grades_at{L0,L}(dx,adds,x,n,c,scale,i);
    lemma sloped_graded{L0,L}: \forall float *dx, integer adds, float *x, real m, s, integer hit,
      real scale, integer o, k, to, n, c; to == o + k ==> 0 <= o ==> to <= n ==>
      sums_to{L0}(s,m,x,n) ==> hit_is(hit,c,o,k) ==>
      sloped_from{L0,L}(dx,adds,x,m,s,hit,scale,o,o,to) ==>
      graded_from{L0,L}(dx,adds,x,n,c,scale,o,to); */

/* Vector j0 + t of a slice of dx, of the exponentials e, which want the factor by. */
/*@ requires row_at(j0,t,n) && \valid(dx + (0 .. n-1)) && row_in(dx,n,aligned);
    requires \valid_read(x + (0 .. n-1)) && \separated(x + (0 .. n-1), dx + (0 .. n-1));
    requires \forall integer k; row_W(j0+t,n,k) ==> W(dx+k);
    requires out_vec(e,0,m,s,by,x,j0+t,n);
    assigns dx[4*(j0+t) .. lesser(4*(j0+t)+4,n)-1];
    ensures 4*(j0+t) < n ==> dx[4*(j0+t)] == Sloping{Pre}(adds,dx,x,m,s,hit,scale,4*(j0+t));
    ensures 4*(j0+t)+1 < n ==> dx[4*(j0+t)+1] == Sloping{Pre}(adds,dx,x,m,s,hit,scale,4*(j0+t)+1);
    ensures 4*(j0+t)+2 < n ==> dx[4*(j0+t)+2] == Sloping{Pre}(adds,dx,x,m,s,hit,scale,4*(j0+t)+2);
    ensures 4*(j0+t)+3 < n ==> dx[4*(j0+t)+3] == Sloping{Pre}(adds,dx,x,m,s,hit,scale,4*(j0+t)+3);
      */
DEV void slope_store(int j0, int t, int n, int aligned, int adds, int hit, float by, float scale,
                     float4 e, float *RESTRICT dx GHOST_PARAMS(float m, float s, const float *x))
{
  float4 u = loss_slope4(e, j0 + t, hit, by, scale);
  //@ assert of_x: 4*(j0+t) < n ==> u.x == SlopeOf(x[4*(j0+t)],m,s,hit,scale,4*(j0+t));
  //@ assert of_y: 4*(j0+t)+1 < n ==> u.y == SlopeOf(x[4*(j0+t)+1],m,s,hit,scale,4*(j0+t)+1);
  //@ assert of_z: 4*(j0+t)+2 < n ==> u.z == SlopeOf(x[4*(j0+t)+2],m,s,hit,scale,4*(j0+t)+2);
  //@ assert of_w: 4*(j0+t)+3 < n ==> u.w == SlopeOf(x[4*(j0+t)+3],m,s,hit,scale,4*(j0+t)+3);
  if (adds)
    u = plus4(row_load(j0, t, n, aligned, dx), u);
  //@ assert x: 4*(j0+t) < n ==> u.x == Sloping(adds,dx,x,m,s,hit,scale,4*(j0+t));
  //@ assert y: 4*(j0+t)+1 < n ==> u.y == Sloping(adds,dx,x,m,s,hit,scale,4*(j0+t)+1);
  //@ assert z: 4*(j0+t)+2 < n ==> u.z == Sloping(adds,dx,x,m,s,hit,scale,4*(j0+t)+2);
  //@ assert w: 4*(j0+t)+3 < n ==> u.w == Sloping(adds,dx,x,m,s,hit,scale,4*(j0+t)+3);
  row_store(j0, t, n, aligned, u, dx);
}

/* A slice of dx, of its exponentials in v, which want the threads' factors `by`. */
/*@ requires row_fits(K,n) && row_in(dx,n,aligned) && \valid(dx + (0 .. n-1)) && perm_w(dx,n);
    requires \valid_read(x + (0 .. n-1)) && apart(x,n,dx,n);
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && \valid_read(by + (0 .. BDIM-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    requires \separated(by + (0 .. BDIM-1), dx + (0 .. n-1));
    requires lanes_out{Pre,Pre}(v,0,m,s,by,x,n,BDIM,K);
    assigns dx[0 .. n-1];
    ensures sloping{Pre,Post}(dx, adds, x, m, s, hit, scale, n); */
DEV void slope_store_all(PER_THREADK(float4, v), PER_THREAD(float, by), int K, int n, int aligned,
                         int adds, int hit, float scale,
                         float *RESTRICT dx GHOST_PARAMS(float m, float s, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant sloping{Pre,Here}(dx, adds, x, m, s, hit, scale, lesser(4*j0,n));
      loop invariant ungraded{Pre,Here}(dx, lesser(4*j0,n), n);
      loop invariant out_same{Pre,Here}(v,by,x,n,BDIM);
      loop assigns j, j0, dx[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    //@ assert j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant sloping{Pre,Here}(dx, adds, x, m, s, hit, scale, lesser(4*(j0+t),n));
        loop invariant ungraded{Pre,Here}(dx, lesser(4*(j0+t),n), n);
        loop invariant out_same{Pre,Here}(v,by,x,n,BDIM);
        loop assigns t, dx[0 .. n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert at: ix(j,BDIM,t) == j0 + t && 0 <= j0 + t < KMAX*MAXB;
      //@ assert fits: 0 <= j < K && K <= KMAX && 0 <= t < BDIM;
      //@ assert kept: lanes_still{Pre,Here}(v,BDIM,0) && Same{Pre,Here}(by,BDIM);
      //@ assert all: lanes_out{Pre,Pre}(v,0,m,s,by,x,n,BDIM,K);
      //@ assert out_pre: out_vec{Pre}(v[ix(j,BDIM,t)],0,m,s,rd(by,t),x,ix(j,BDIM,t),n);
      //@ assert out: out_vec(v[j0+t],0,m,s,by[t],x,j0+t,n);
      /*@ assert away: \forall integer k; 0 <= k < KMAX*MAXB ==>
            \separated(v + k, dx + (0 .. n-1)); */
      slope_store(j0, t, n, aligned, adds, hit, AT(by, t), scale, REG(v, j, j0, t),
                  dx GHOST_ARGS(m, s, x));
      //@ assert same_v: lanes_still{LoopCurrent,Here}(v,BDIM,0);
      //@ assert same_by: Same{LoopCurrent,Here}(by,BDIM);
      //@ assert same_x: Same{LoopCurrent,Here}(x,n);
      //@ assert still: lanes_still{Pre,Here}(v,BDIM,0);
      //@ assert same: out_same{Pre,Here}(v,by,x,n,BDIM);
      //@ assert old: sloping{Pre,Here}(dx, adds, x, m, s, hit, scale, lesser(4*(j0+t),n));
      //@ assert x: sloped_at{Pre,Here}(dx,adds,x,m,s,hit,scale,4*(j0+t),n);
      //@ assert y: sloped_at{Pre,Here}(dx,adds,x,m,s,hit,scale,4*(j0+t)+1,n);
      //@ assert z: sloped_at{Pre,Here}(dx,adds,x,m,s,hit,scale,4*(j0+t)+2,n);
      //@ assert w: sloped_at{Pre,Here}(dx,adds,x,m,s,hit,scale,4*(j0+t)+3,n);
      //@ assert new: sloping{Pre,Here}(dx, adds, x, m, s, hit, scale, lesser(4*(j0+t)+4,n));
      //@ assert rest: ungraded{Pre,Here}(dx, lesser(4*(j0+t)+4,n), n);
    }
  }
}

/* Where in its slice w class c is, or -1. */
/*@ requires 0 <= w.at <= IDX_LIM && 0 <= w.n <= 4*KMAX*MAXB;
    assigns \nothing;
    ensures hit_is(\result,c,w.at,w.n) && \result < w.n; */
DEV int slice_hit(row_piece w, idx c) { return w.at <= c && c < w.at + w.n ? (int)(c - w.at) : -1; }

/* Slice w of row r, of class c, which waits in v, as the others do in the blocks of cluster r;
 * what the row adds up to. */
/*@ requires slice_is(w,rank,K,cols,slice) && slice_io(x,dx,cols,aligned) && 0 <= r;
    requires row_says{Pre}(r,x,cols,slice) && cols <= IDX_LIM && \valid_read(box);
    requires joined_ == 0 && put_ == 0 && got_ == 0 && mail_cluster_ == r && mail_says(r,rank);
    requires \valid(v + (0 .. KMAX*MAXB-1));
    requires pad_vecs{Pre,Pre}(v, x+w.at, w.n, 0, mul(K,BDIM));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. cols-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. cols-1));
    assigns dx[w.at .. w.at+w.n-1], v[0 .. KMAX*MAXB-1], joined_, put_, got_, mail_cluster_;
    ensures graded_from{Pre,Post}(dx,adds,x,cols,c,scale,w.at,w.at+w.n);
    ensures sums_to{Pre}(\result.s,\result.m,x,cols); */
DEV once_sum slope_slice(mailbox *box, PER_THREADK(float4, v), int K, int aligned, int adds,
                         int rank, row_piece w, idx c, float scale,
                         float *RESTRICT dx GHOST_PARAMS(const float *x, idx r, idx cols,
                                                         idx slice))
{
  PRIVATE(float, m);
  PRIVATE(float, by);
  const int n = (int)w.n, hit = slice_hit(w, c);
  //@ assert fits: row_fits(K,n) && n == w.n;
  //@ assert perm_x: perm_r(x,cols) && perm_r(x+w.at,n);
  //@ assert perm_d: perm_r(dx,cols) && perm_r(dx+w.at,n);
  //@ assert perm_w: perm_w(dx,cols) && perm_w(dx+w.at,n);
  //@ assert in: row_in(x+w.at,n,aligned) && row_in(dx+w.at,n,aligned) && least_in(x+w.at,n);
  //@ assert off_x: \separated(v + (0 .. KMAX*MAXB-1), (x+w.at) + (0 .. n-1));
  //@ assert off_dx: \separated(v + (0 .. KMAX*MAXB-1), (dx+w.at) + (0 .. n-1));
  /*@ assert away: \forall integer k; 0 <= k < cols ==>
        \separated(dx + k, v + (0 .. KMAX*MAXB-1)) && \separated(dx + k, &m[0] + (0 .. BDIM-1)); */
  const once_sum mine = held_exps(m, v, K, 1 GHOST_ARGS(n, x + w.at));
  //@ assert says: says_about{Pre}(r,x,cols,slice,rank);
  //@ assert same: Same{Pre,Here}(x,cols);
  //@ assert same_dx: Same{Pre,Here}(dx,cols);
  //@ ghost L1: ;
  exchange_join(box);
  exchange_gather_mass(box, 0, rank, CLUSTER_MOST, mine);
  //@ assert above: came_above(r,0,CLUSTER_MOST);
  const once_sum all = exchange_mass(box, 0);
  //@ assert mass: Mass(all.s,all.m) == Whole{Pre}(x,cols);
  //@ assert pos: all.s > 0.0;
  //@ assert most: mine.m <= all.m;
  //@ assert under: once_under(&m[0],all.m,BDIM);
  out_by_all(by, m, 0, all.m, all.s);
  //@ ghost L2: ;
  //@ assert same_v: lanes_still{L1,L2}(v,BDIM,0);
  //@ assert kept: lanes_kept{Pre,L2}(v,1,&m[0],x+w.at,n,BDIM,K);
  //@ assert out_pre: lanes_out{Pre,L2}(v,0,all.m,all.s,&by[0],x+w.at,n,BDIM,K);
  //@ assert same_x: Same{Pre,L2}(x,cols);
  //@ assert slice_x: Same{Pre,L2}(x+w.at,n);
  //@ assert same_d1: Same{L1,L2}(dx,cols);
  //@ assert same_d2: Same{Pre,L2}(dx,cols);
  //@ assert same_d: Same{L2,Pre}(dx,cols);
  //@ assert out: lanes_out{L2,L2}(v,0,all.m,all.s,&by[0],x+w.at,n,BDIM,K);
  slope_store_all(v, by, K, n, aligned, adds, hit, scale,
                  dx + w.at GHOST_ARGS(all.m, all.s, x + w.at));
  //@ assert done: sloping{L2,Here}(dx+w.at,adds,x+w.at,all.m,all.s,hit,scale,n);
  //@ assert sums: sums_to{L2}(all.s,all.m,x,cols);
  /*@ assert from: sloped_from{L2,Here}(dx,adds,x,all.m,all.s,hit,scale,w.at,w.at,w.at+n); */
  //@ assert hit: hit_is(hit,c,w.at,n) && 0 <= w.at && w.at + n <= cols;
  /*@ assert each: \forall integer i; w.at <= i < w.at + n ==>
        grades_at{L2,Here}(dx,adds,x,cols,c,scale,i); */
  //@ assert graded: graded_from{L2,Here}(dx,adds,x,cols,c,scale,w.at,w.at+n);
  //@ assert rest: ungraded{L2,Pre}(dx,w.at,cols);
  //@ assert put: graded_from{Pre,Here}(dx,adds,x,cols,c,scale,w.at,w.at+n);
  return all;
}

/*@ // what row r leaves, where a loss is wanted: its own, or REFUSED
    predicate told_at{L0,L}(float *part, float *bad, integer flags, float *x, idx *target,
                            integer cols, integer r) =
      (clear{L0}(bad,flags) ==>
        \at(part[r],L) == Left{L0}(x+ix(r,cols,0),cols,Target{L0}(target,r))) &&
      (!clear{L0}(bad,flags) ==> \at(part[r],L) == -1.0);
    // rows 0 .. n-1; row r when blocks 0 .. p-1 are done; row r by block p
    predicate told{L0,L}(float *part, float *bad, integer flags, float *x, idx *target,
                         integer cols, integer n) =
      part != \null ==> \forall integer r; 0 <= r < n ==>
        told_at{L0,L}(part,bad,flags,x,target,cols,r);
    predicate told_from{L0,L}(float *part, float *bad, integer flags, float *x, idx *target,
                              integer cols, integer r, integer p) =
      part != \null && 0 < p ==> told_at{L0,L}(part,bad,flags,x,target,cols,r);
    predicate told_first{L0,L}(float *part, float *bad, integer flags, float *x, idx *target,
                               integer cols, integer r, integer p) = part != \null ==>
      (p == 0 ==> told_at{L0,L}(part,bad,flags,x,target,cols,r)) &&
      (p != 0 ==> \at(part[r],L) == \at(part[r],L0));
    predicate parts_same{L1,L2}(float *part, integer r) = part != \null ==> Same{L1,L2}(part,r);
    lemma told_kept{L0,L1,L2}: \forall float *part, *bad, integer flags, float *x, idx *target,
      integer cols, n; parts_same{L1,L2}(part,n) ==> told{L0,L1}(part,bad,flags,x,target,cols,n) ==>
      told{L0,L2}(part,bad,flags,x,target,cols,n);
    lemma clear_same{L1,L2}: \forall float *bad, integer flags; Same{L1,L2}(bad,flags) ==>
      (clear{L1}(bad,flags) <==> clear{L2}(bad,flags));
    lemma left_same{L1,L2}: \forall float *x, integer n, c; Same{L1,L2}(x,n) ==>
      Left{L1}(x,n,c) == Left{L2}(x,n,c);
    lemma told_at_from{L0,L1,L2}: \forall float *part, *bad, integer flags, float *x, idx *target,
      integer cols, r; 0 < cols ==> Same{L0,L1}(x+ix(r,cols,0),cols) ==>
      Same{L0,L1}(bad,flags) ==> Target{L0}(target,r) == Target{L1}(target,r) ==>
      told_at{L1,L2}(part,bad,flags,x,target,cols,r) ==>
      told_at{L0,L2}(part,bad,flags,x,target,cols,r);
    lemma told_next{L0,L1,L2}: \forall float *part, *bad, integer flags, float *x, idx *target,
      integer cols, r, p, p1; p1 == p + 1 ==> 0 <= p ==> Same{L0,L1}(x+ix(r,cols,0),cols) ==>
      0 < cols ==> Same{L0,L1}(bad,flags) ==> Target{L0}(target,r) == Target{L1}(target,r) ==>
      told_from{L0,L1}(part,bad,flags,x,target,cols,r,p) ==>
      told_first{L1,L2}(part,bad,flags,x,target,cols,r,p) ==>
      told_from{L0,L2}(part,bad,flags,x,target,cols,r,p1);
    // a row's loss, of what it adds up to
    lemma left_is{L}: \forall float *x, integer n, c, real s, m; 0 <= c < n ==>
      sums_to{L}(s,m,x,n) ==>
      \log(s) - (rd{L}(x,c) - m) == Left{L}(x,n,c); */

/*@ predicate grad_tensors{L}(float *x, idx *target, float *bad, integer flags, float *part,
                              float *dx, integer rows, integer cols, integer aligned) =
      0 <= rows <= IDX_LIM && reads(x,ix(rows,cols,0)) && writes(dx,ix(rows,cols,0)) &&
      ix(rows,cols,0) <= IDX_LIM && \valid_read(target + (0 .. rows-1)) &&
      apart(x,ix(rows,cols,0),dx,ix(rows,cols,0)) && flags_in(bad,flags) &&
      apart(bad,flags,dx,ix(rows,cols,0)) && least_in(x,ix(rows,cols,0)) &&
      (aligned != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(dx)) &&
      (part != \null ==> writes(part,rows) && apart(x,ix(rows,cols,0),part,rows) &&
        apart(dx,ix(rows,cols,0),part,rows) && apart(bad,flags,part,rows)); */

/* Slice w of row r, of class c, unless a target is out of range; what the row leaves, of the
 * block that `tells`. bad is looked at when the slice has been asked for, the row's element when
 * that is there: no load waits for another. */
/*@ requires slice_is(w,rank,K,cols,slice) && slice_io(x,dx,cols,aligned) && 0 <= r;
    requires flags_in(bad,flags) && apart(bad,flags,dx,cols) && cols <= IDX_LIM;
    requires clear{Pre}(bad,flags) ==> row_says{Pre}(r,x,cols,slice);
    assigns dx[w.at .. w.at+w.n-1], joined_, put_, got_, mail_cluster_;
    ensures clear{Pre}(bad,flags) ==> graded_from{Pre,Post}(dx,adds,x,cols,c,scale,w.at,w.at+w.n);
    ensures clear{Pre}(bad,flags) ==> tells != 0 ==> \result == Left{Pre}(x,cols,c);
    ensures !clear{Pre}(bad,flags) ==> \result == -1.0 && Same{Pre,Post}(dx,cols); */
DEV float slope_row(int K, int aligned, int adds, idx r, int rank, row_piece w, idx c, idx cols,
                    int tells, int flags, float scale, const float *RESTRICT x, const float *bad,
                    float *RESTRICT dx GHOST_PARAMS(idx slice))
{
  EXCHANGE(box);
  PRIVATEK(float4, v);
  const int n = (int)w.n, in = tells && 0 <= c && c < cols;
  float left = REFUSED, xt = 0.0f;
  //@ assert perm: perm_r(x,cols) && perm_r(x+w.at,n);
  //@ assert in: row_fits(K,n) && row_in(x+w.at,n,aligned) && n == w.n;
  exchange_begin(box, rank, r);
  padded_load_row(v, K, n, aligned, x + w.at);
  //@ assert loaded: Same{Pre,Here}(x,cols) && Same{Pre,Here}(bad,flags);
  //@ assert loaded_d: Same{Pre,Here}(dx,cols);
  //@ assert slice_x: Same{Pre,Here}(x+w.at,n);
  //@ assert held: pad_vecs{Here,Here}(&v[0], x+w.at, n, 0, mul(K,BDIM));
  if (targets_refused(flags, bad)) {
    exchange_join(box);
    return left; // lint-ok diverge: of all threads, or of none
  }
  //@ assert clear: clear{Pre}(bad,flags);
  //@ assert says: row_says(r,x,cols,slice);
  //@ assert io: slice_io(x,dx,cols,aligned);
  //@ ghost L1: ;
  if (in)
    xt = load_now(x + c);
  //@ assert asked: in != 0 ==> xt == rd{Pre}(x,c);
  const once_sum row =
      slope_slice(box, v, K, aligned, adds, rank, w, c, scale, dx GHOST_ARGS(x, r, cols, slice));
  //@ assert graded_1: graded_from{L1,Here}(dx,adds,x,cols,c,scale,w.at,w.at+w.n);
  //@ assert back: Same{L1,Pre}(x,cols) && ungraded{L1,Pre}(dx,w.at,cols);
  //@ assert graded: graded_from{Pre,Here}(dx,adds,x,cols,c,scale,w.at,w.at+w.n);
  //@ assert sums: sums_to{Pre}(row.s,row.m,x,cols);
  //@ assert value: in != 0 ==> \log(row.s) - (xt - row.m) == Left{Pre}(x,cols,c);
  if (in)
    left = loss_of(row.s, xt, row.m);
  //@ assert left: tells != 0 ==> left == Left{Pre}(x,cols,c);
  return left;
}

/* Slice `rank` of row r, and with the first the row's loss. */
/*@ requires row_split(cols,slice,CLUSTER_MOST) && row_fits(K,slice) && 0 <= rank < CLUSTER_MOST;
    requires 0 <= r < rows && grad_tensors(x,target,bad,flags,part,dx,rows,cols,aligned);
    requires clear{Pre}(bad,flags) ==> row_says{Pre}(r,x+ix(r,cols,0),cols,slice);
    assigns part[r], dx[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
    ensures clear{Pre}(bad,flags) ==> piece_graded{Pre,Post}(dx,adds,x,0,Target{Pre}(target,r),
      scale,
      r,rank,rows,cols,slice);
    ensures !clear{Pre}(bad,flags) ==> piece_graded{Pre,Post}(dx,adds,x,1,Target{Pre}(target,r),
      scale,
      r,rank,rows,cols,slice);
    ensures told_first{Pre,Post}(part,bad,flags,x,target,cols,r,rank);
    ensures parts_same{Pre,Post}(part,r);
    ensures Same{Pre,Post}(x,ix(rows,cols,0)) && Same{Pre,Post}(bad,flags); */
DEV void slope_block(int K, int aligned, int adds, idx r, int rank, idx rows, idx cols, idx slice,
                     int flags, float scale, const float *RESTRICT x, const idx *RESTRICT target,
                     const float *bad, float *part, float *RESTRICT dx)
{
  const idx o = at2(rows, cols, r, 0), c = load_now_index(target + r);
  const row_piece w = chunk_of(rank, cols, slice, CLUSTER_MOST);
  const int tells = part && rank == 0;
  //@ assert next: ix(r+1,cols,0) == o + cols && o + cols <= ix(rows,cols,0) && 0 <= o;
  //@ assert fours: aligned != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  //@ assert four: aligned != 0 ==> o % 4 == 0;
  //@ assert aligned: aligned != 0 ==> aligned16(x+o) && aligned16(dx+o);
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+o,cols);
  //@ assert perm_d: perm_r(dx,ix(rows,cols,0)) && perm_w(dx,ix(rows,cols,0));
  //@ assert perm_do: perm_r(dx+o,cols) && perm_w(dx+o,cols);
  //@ assert least: least_in(x+o,cols);
  //@ assert io: slice_io(x+o,dx+o,cols,aligned) && apart(bad,flags,dx+o,cols);
  //@ assert is: slice_is(w,rank,K,cols,slice);
  //@ assert piece: 0 <= PieceAt(rank,cols,slice) <= PieceAt(rank+1,cols,slice) <= cols;
  //@ assert of_part: part != \null ==> perm_w(part,rows) && \valid(part+r) && W(part+r);
  /*@ assert beside: part != \null ==> \forall integer k; 0 <= k < ix(rows,cols,0) ==>
        \separated(dx + k, part + r); */
  /*@ assert beside_x: part != \null ==> \forall integer k; 0 <= k < ix(rows,cols,0) ==>
        \separated(x + k, part + r); */
  /*@ assert beside_b: part != \null ==> \forall integer k; 0 <= k < flags ==>
        \separated(bad + k, part + r); */
  /*@ assert away: \forall integer k; 0 <= k < ix(rows,cols,0) ==>
        \separated(x + k, dx + (o .. o+cols-1)); */
  /*@ assert away_b: \forall integer k; 0 <= k < flags ==>
        \separated(bad + k, dx + (o .. o+cols-1)); */
  /*@ assert away_p: part != \null ==> \forall integer k; 0 <= k < rows ==>
        \separated(part + k, dx + (o .. o+cols-1)); */
  /*@ assert away_w: part != \null ==> \forall integer k; 0 <= k < rows ==>
        \separated(part + k, (dx+o) + (w.at .. w.at+w.n-1)); */
  //@ ghost L1: ;
  const float left = slope_row(K, aligned, adds, r, rank, w, c, cols, tells, flags, scale, x + o,
                               bad, dx + o GHOST_ARGS(slice));
  //@ assert rows: Same{Pre,Here}(dx,o);
  //@ assert row_1: Same{Pre,Here}(dx+o,w.at);
  //@ assert row_2: ungraded{Pre,Here}(dx+o,w.at+w.n,cols);
  //@ assert behind: ungraded{Pre,Here}(dx,ix(r+1,cols,0),ix(rows,cols,0));
  //@ assert xs: Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(bad,flags);
  /*@ assert cells: part != \null ==> \forall integer k; 0 <= k < rows ==>
        part[k] == \at(part[k],L1); */
  //@ assert parts: part != \null ==> Same{Pre,Here}(part,rows);
  /*@ assert piece_1: clear{Pre}(bad,flags) ==>
        piece_graded{Pre,Here}(dx,adds,x,0,c,scale,r,rank,rows,cols,slice); */
  /*@ assert piece_1_none: !clear{Pre}(bad,flags) ==>
        piece_graded{Pre,Here}(dx,adds,x,1,c,scale,r,rank,rows,cols,slice); */
  //@ ghost L2: ;
  if (tells)
    block_put(left, part + r);
  //@ assert still_x: Same{L2,Here}(x,ix(rows,cols,0));
  //@ assert still_b: Same{L2,Here}(bad,flags);
  //@ assert still_d: Same{L2,Here}(dx,ix(rows,cols,0));
  //@ assert still_row: Same{L2,Here}(dx+ix(r,cols,0),cols);
  //@ assert places: 0 <= ix(r,cols,0) <= ix(r+1,cols,0) <= ix(rows,cols,0);
  /*@ assert piece_2: clear{Pre}(bad,flags) ==>
        piece_graded{Pre,Here}(dx,adds,x,0,c,scale,r,rank,rows,cols,slice); */
  /*@ assert piece_2_none: !clear{Pre}(bad,flags) ==>
        piece_graded{Pre,Here}(dx,adds,x,1,c,scale,r,rank,rows,cols,slice); */
}

/* VEC: x and dx are 16-byte aligned and cols a multiple of 4. bad: what cross_entropy_targets
 * has left. Of THREADS and FIT softmax/cluster.cu tells. */
/*@ requires row_split(cols,slice,CLUSTER_MOST) && row_fits(KMAX,slice);
    requires ix(rows,CLUSTER_MOST,0) <= BLOCKS;
    requires grad_tensors(x,target,bad,flags,part,dx,rows,cols,VEC);
    requires \separated(target + (0 .. rows-1), dx + (0 .. ix(rows,cols,0)-1));
    requires part != \null ==> \separated(target + (0 .. rows-1), part + (0 .. rows-1));
    requires g != \null ==> \valid_read(g) && R(g) && \separated(g, dx + (0 .. ix(rows,cols,0)-1));
    requires part != \null && g != \null ==> \separated(g, part + (0 .. rows-1));
    requires clear{Pre}(bad,flags) ==>
      \forall integer r; 0 <= r < rows ==> row_says{Pre}(r,x+ix(r,cols,0),cols,slice);
    assigns part[0 .. rows-1], dx[0 .. ix(rows,cols,0)-1], joined_, put_, got_, mail_cluster_;
    ensures clear{Pre}(bad,flags) ==>
      graded_rows{Pre,Post}(adds,x,target,dx,LossScale{Pre}(g,each),cols,rows) &&
      told{Pre,Post}(part,bad,flags,x,target,cols,rows);
    ensures !clear{Pre}(bad,flags) ==>
      same_rows{Pre,Post}(dx,cols,rows) && told{Pre,Post}(part,bad,flags,x,target,cols,rows); */
TEMPLATE(int VEC, int THREADS, int FIT)
KERNEL void WHOLE_THREADS(0, 0, THREADS, FIT)
    cross_entropy_grad_cluster(CONSTANTS(int VEC, int THREADS, int FIT) idx rows, idx cols,
                               idx slice, int flags, int adds, float each, const float *RESTRICT x,
                               const idx *RESTRICT target, const float *bad,
                               const float *RESTRICT g, float *RESTRICT part, float *RESTRICT dx)
{
  const float scale = loss_scale(each, g);
  /*@ loop invariant 0 <= r <= rows && told{Pre,Here}(part,bad,flags,x,target,cols,r);
      loop invariant clear{Pre}(bad,flags) ==> graded_rows{Pre,Here}(adds,x,target,dx,scale,cols,r);
      loop invariant !clear{Pre}(bad,flags) ==> same_rows{Pre,Here}(dx,cols,r);
      loop invariant Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(bad,flags);
      loop invariant ungraded{Pre,Here}(dx,ix(r,cols,0),ix(rows,cols,0));
      loop assigns r, part[0 .. rows-1], dx[0 .. ix(rows,cols,0)-1], joined_, put_, got_,
        mail_cluster_;
      loop variant rows - r; */
  BROWS(r, rows, CLUSTER_MOST) {
    //@ assert row: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
    //@ assert next: ix(r+1,cols,0) == ix(r,cols,0) + cols;
    //@ assert row_d: Same{Pre,Here}(dx+ix(r,cols,0),cols);
    /*@ loop invariant 0 <= rank <= CLUSTER_MOST;
        loop invariant told{Pre,Here}(part,bad,flags,x,target,cols,r);
        loop invariant told_from{Pre,Here}(part,bad,flags,x,target,cols,r,rank);
        loop invariant clear{Pre}(bad,flags) ==> graded_rows{Pre,Here}(adds,x,target,dx,scale,cols,
          r);
        loop invariant clear{Pre}(bad,flags) ==> graded_from{Pre,Here}(dx+ix(r,cols,0),adds,x+ix(r,
          cols,0),
          cols,Target{Pre}(target,r),scale,0,PieceAt(rank,cols,slice));
        loop invariant !clear{Pre}(bad,flags) ==> same_rows{Pre,Here}(dx,cols,r);
        loop invariant !clear{Pre}(bad,flags) ==> Same{Pre,Here}(dx+ix(r,cols,0),cols);
        loop invariant Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(bad,flags);
        loop invariant ungraded{Pre,Here}(dx+ix(r,cols,0),PieceAt(rank,cols,slice),cols);
        loop invariant ungraded{Pre,Here}(dx,ix(r+1,cols,0),ix(rows,cols,0));
        loop assigns rank, part[0 .. rows-1], dx[0 .. ix(rows,cols,0)-1], joined_, put_, got_,
          mail_cluster_;
        loop variant CLUSTER_MOST - rank; */
    BCOLS(rank, CLUSTER_MOST) {
      //@ assert to: Same{Pre,Here}(x+ix(r,cols,0),cols);
      //@ assert back: Same{Here,Pre}(x+ix(r,cols,0),cols);
      //@ assert set: clear(bad,flags) <==> clear{Pre}(bad,flags);
      //@ assert says_pre: clear{Pre}(bad,flags) ==> row_says{Pre}(r,x+ix(r,cols,0),cols,slice);
      //@ assert says: clear{Pre}(bad,flags) ==> row_says(r,x+ix(r,cols,0),cols,slice);
      //@ assert least: least_in(x,ix(rows,cols,0));
      //@ assert piece: 0 <= PieceAt(rank,cols,slice) <= PieceAt(rank+1,cols,slice) <= cols;
      //@ assert rest: ungraded{Here,Pre}(dx+ix(r,cols,0),PieceAt(rank,cols,slice),cols);
      //@ assert class: Target(target,r) == Target{Pre}(target,r);
      //@ ghost L0: ;
      slope_block(KMAX, VEC, adds, r, (int)rank, rows, cols, slice, flags, scale, x, target, bad,
                  part, dx);
      //@ assert same: Same{L0,Here}(x,ix(rows,cols,0));
      //@ assert same_2: Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(bad,flags);
      /*@ assert piece_0: clear{L0}(bad,flags) ==> piece_graded{L0,Here}(dx,adds,x,0,
            Target{Pre}(target,r),scale,r,rank,rows,cols,slice); */
      /*@ assert piece_1: clear{Pre}(bad,flags) ==> piece_graded{L0,Here}(dx,adds,x,0,
            Target{Pre}(target,r),scale,r,rank,rows,cols,slice); */
      //@ assert left: ungraded{L0,Here}(dx+ix(r,cols,0),PieceAt(rank+1,cols,slice),cols);
      //@ assert left_2: ungraded{Pre,Here}(dx+ix(r,cols,0),PieceAt(rank+1,cols,slice),cols);
      //@ assert behind: ungraded{L0,Here}(dx,ix(r+1,cols,0),ix(rows,cols,0));
      //@ assert behind_2: ungraded{Pre,Here}(dx,ix(r+1,cols,0),ix(rows,cols,0));
      //@ assert losses: told{Pre,Here}(part,bad,flags,x,target,cols,r);
      //@ assert first: told_first{L0,Here}(part,bad,flags,x,target,cols,r,rank);
      //@ assert mine: told_from{Pre,Here}(part,bad,flags,x,target,cols,r,rank+1);
      /*@ assert here: clear{Pre}(bad,flags) ==> graded_from{L0,Here}(dx+ix(r,cols,0),adds,
            x+ix(r,cols,0),cols,Target{Pre}(target,r),scale,PieceAt(rank,cols,slice),
            PieceAt(rank+1,cols,slice)); */
      /*@ assert new: clear{Pre}(bad,flags) ==> graded_from{Pre,Here}(dx+ix(r,cols,0),adds,
            x+ix(r,cols,0),cols,Target{Pre}(target,r),scale,PieceAt(rank,cols,slice),
            PieceAt(rank+1,cols,slice)); */
      /*@ assert old_row: clear{Pre}(bad,flags) ==> graded_from{Pre,Here}(dx+ix(r,cols,0),adds,
            x+ix(r,cols,0),cols,Target{Pre}(target,r),scale,0,PieceAt(rank,cols,slice)); */
      /*@ assert below: \forall integer q, c; 0 <= q < r ==> 0 <= c < cols ==>
            0 <= ix(q,cols,c) < ix(r,cols,0); */
      //@ assert rows: same_rows{L0,Here}(dx,cols,r);
      /*@ assert old: clear{Pre}(bad,flags) ==>
            graded_rows{Pre,Here}(adds,x,target,dx,scale,cols,r); */
    }
    //@ assert end: PieceAt(CLUSTER_MOST,cols,slice) == cols;
    /*@ assert all: clear{Pre}(bad,flags) ==> graded_row{Pre,Here}(dx+ix(r,cols,0),adds,
          x+ix(r,cols,0),cols,Target{Pre}(target,r),scale,cols); */
    //@ assert at: clear{Pre}(bad,flags) ==> graded_at{Pre,Here}(adds,x,target,dx,scale,cols,r);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "../row/cluster_variant.h"
#include "launch.h"

template <int VEC>
static void launch_cluster(void *stream, int64_t rows, int64_t cols, const float *x,
                           const loss_call *call)
{
  idx slice = soft_slice(cols);
  int block = regs_block(slice, KMAX);
#define RUN(THREADS, FIT)                                                                  \
  LAUNCH_CLUSTERS((cross_entropy_grad_cluster<VEC, THREADS, FIT>), SOFT_CLUSTER,           \
                  rows *SOFT_CLUSTER, block, 0, stream, rows, cols, slice, call->flags.n,  \
                  call->accumulate, call->each, x, call->target, call->flags.bad, call->g, \
                  call->part, call->dx)
  if (block <= 512)
    RUN(512, 2);
  else if (block <= CLUSTER_TWO)
    RUN(CLUSTER_TWO, 2);
  else
    RUN(1024, 1);
#undef RUN
}

extern "C" void LAUNCHER(cross_entropy_grad_cluster)(void *stream, int vec, int64_t rows,
                                                     int64_t cols, const float *x,
                                                     const loss_call *call)
{
  if (vec)
    launch_cluster<1>(stream, rows, cols, x, call);
  else
    launch_cluster<0>(stream, rows, cols, x, call);
}
#endif
