/* Thread-local softmax statistics: the exponentials of what a block's threads hold in registers,
 * K vectors each (row/regs.h), about the largest that the thread holds: they can be taken as soon
 * as the thread's own loads are in, and what the block adds up to is known with one look at its
 * largest. A vector's element may be -Inf, where a row ends or an element is blocked: that adds
 * 0. mass.h says why sums about different maxima add up. */
#ifndef PM_LSE_THREAD_EXPS_H
#define PM_LSE_THREAD_EXPS_H
#include "online_masked.h"
#include "../row/regs_padded.h"

/*@ // what vector q adds, of exponentials; vectors 0 .. n-1; the first j of thread t's; and threads
    // 0 .. t-1
    logic real HeldExp(float4 v) = ValExp(v.x) + ValExp(v.y) + ValExp(v.z) + ValExp(v.w);
    logic real HeldAt{L}(float4 *v, integer q) = HeldExp(v[q]);
    logic real HeldVecs{L}(float4 *v, integer n) =
      n <= 0 ? 0.0 : HeldVecs{L}(v,n-1) + HeldAt{L}(v,n-1);
    logic real HeldLane{L}(float4 *v, integer B, integer t, integer j) =
      j <= 0 ? 0.0 : HeldLane{L}(v,B,t,j-1) + HeldAt{L}(v,ix(j-1,B,t));
    logic real HeldLanes{L}(float4 *v, integer B, integer t, integer j) =
      t <= 0 ? 0.0 : HeldLanes{L}(v,B,t-1,j) + HeldLane{L}(v,B,t-1,j);
    // the largest of OnceLeast and of vectors 0 .. n-1: nothing is above it, and it is one of them
    predicate in_vecs(integer q, integer n) = 0 <= q < n;
    predicate held_under{L}(float4 *v, real m, integer n) =
      \forall integer q; in_vecs(q,n) ==> at_most4(v[q],m);
    predicate held_some{L}(float4 *v, real m, integer n) =
      \exists integer q; 0 <= q < n && one_of(m,v[q]);
    predicate is_held{L}(float4 *v, real m, integer n) = m == OnceLeast || held_some{L}(v,m,n);
    predicate held_top{L}(float4 *v, real m, integer n) =
      OnceLeast <= m && held_under{L}(v,m,n) && is_held{L}(v,m,n);
    // what is left in the place of v: its exponential about m, or itself
    logic real Held(integer keeps, real v, real m) = keeps != 0 ? Term(v,m) : v;
    predicate held_vec(float4 e, float4 v, integer keeps, real m) =
      e.x == Held(keeps,v.x,m) && e.y == Held(keeps,v.y,m) && e.z == Held(keeps,v.z,m) &&
      e.w == Held(keeps,v.w,m);
    predicate held_at{L0,L}(float4 *v, integer keeps, real m, integer q) =
      held_vec(\at(v[q],L),\at(v[q],L0),keeps,m);
    // of lane t, vectors 0 .. j-1; and of lanes 0 .. t-1
    predicate lane_held{L0,L}(float4 *v, integer keeps, real m, integer B, integer t, integer j) =
      \forall integer i; 0 <= i < j ==> held_at{L0,L}(v,keeps,m,ix(i,B,t));
    predicate lanes_held{L0,L}(float4 *v, integer keeps, float *m, integer B, integer t,
                               integer K) =
      \forall integer u, i; 0 <= u < t ==> 0 <= i < K ==>
        held_at{L0,L}(v,keeps,rd{L}(m,u),ix(i,B,u)); */

/*@ // a thread's vectors
    predicate lane_in{L}(float4 *v, integer K, integer t) =
      block && 0 <= t < bdim_ && 0 < K <= KMAX && \valid(v + (0 .. KMAX*MAXB-1)) &&
      Lowest < OnceLeast;
    predicate lane_under{L}(float4 *v, real m, integer B, integer t, integer j) =
      \forall integer i; 0 <= i < j ==> at_most4(v[ix(i,B,t)],m);
    predicate lane_some{L}(float4 *v, real m, integer B, integer t, integer j) =
      \exists integer i; 0 <= i < j && one_of(m,v[ix(i,B,t)]);
    predicate is_lanes{L}(float4 *v, real m, integer B, integer t, integer j) =
      m == OnceLeast || lane_some{L}(v,m,B,t,j);
    lemma is_lanes_next{L}: \forall float4 *v, real m, m1, integer B, t, j; 0 <= j ==>
      is_lanes{L}(v,m,B,t,j) ==> (m1 == m || one_of(m1,v[ix(j,B,t)])) ==>
      is_lanes{L}(v,m1,B,t,j+1);
    lemma is_lanes_held{L}: \forall float4 *v, real m, integer B, t, j; 0 <= t < B ==>
      is_lanes{L}(v,m,B,t,j) ==> is_held{L}(v,m,ix(j,B,0));
    lemma ix_most: \forall integer i, B, u; 0 <= i < KMAX ==> 0 <= u < B ==> B <= MAXB ==>
      0 <= ix(i,B,u) < KMAX*MAXB;
    lemma ix_other: \forall integer i, j, B, u, t; 0 <= u < B ==> 0 <= t < B ==>
      (i != j || u != t) ==> ix(i,B,u) != ix(j,B,t); */

/*@ assigns \nothing;
    ensures top <= \result && at_most4(v,\result) && (\result == top || one_of(\result,v)); */
DEV float thread_larger(float top, float4 v)
{
  return larger(top, larger(larger(v.x, v.y), larger(v.z, v.w)));
}

/* The largest of what thread t holds. */
/*@ requires lane_in(v,K,t);
    assigns \nothing;
    ensures OnceLeast <= \result && lane_under(v,\result,BDIM,t,K);
    ensures is_lanes(v,\result,BDIM,t,K); */
DEV float thread_top(PER_THREADK(float4, v), int K, int t)
{
  float m = ONCE_LEAST;
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant OnceLeast <= m && lane_under(v,m,BDIM,t,j) && is_lanes(v,m,BDIM,t,j);
      loop assigns j, j0, m;
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert next: mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    //@ assert at: ix(j,BDIM,t) == j0 + t && 0 <= j0 + t < KMAX*MAXB;
    float top = thread_larger(m, REG(v, j, j0, t));
    //@ assert is: is_lanes(v,top,BDIM,t,j+1);
    m = top;
    //@ assert this: at_most4(v[ix(j,BDIM,t)],m);
  }
  return m;
}

/* exp(v - m). */
/*@ requires at_most4(v,m);
    assigns \nothing;
    ensures held_vec(\result,v,1,m); */
DEV float4 thread_exp4(float4 v, float m)
{
  v.x = loss_exp(v.x, m);
  v.y = loss_exp(v.y, m);
  v.z = loss_exp(v.z, m);
  v.w = loss_exp(v.w, m);
  return v;
}

/* The sum of e, exp(v - m). */
/*@ requires held_vec(e,v,1,m);
    assigns \nothing;
    ensures Mass(\result,m) == HeldExp(v); */
DEV float thread_four(float4 e GHOST_PARAMS(float4 v, float m))
{
  float low = e.x + e.y, high = e.z + e.w;
  //@ assert x: Mass(Term(v.x,m),m) == ValExp(v.x);
  //@ assert y: Mass(Term(v.y,m),m) == ValExp(v.y);
  //@ assert z: Mass(Term(v.z,m),m) == ValExp(v.z);
  //@ assert w: Mass(Term(v.w,m),m) == ValExp(v.w);
  //@ assert of: adds_to(low,e.x,e.y) && adds_to(high,e.z,e.w) && adds_to(low + high,low,high);
  //@ assert low: Mass(low,m) == Mass(e.x,m) + Mass(e.y,m);
  //@ assert high: Mass(high,m) == Mass(e.z,m) + Mass(e.w,m);
  return low + high;
}

/* Vector j0 + t of thread t. */
/*@ requires lane_in(v,KMAX,t) && 0 <= j < KMAX && j0 == mul(j,BDIM) && 0 <= j0 + t < KMAX*MAXB;
    requires at_most4(v[j0+t],m);
    assigns v[j0+t];
    ensures Mass(\result,m) == HeldAt{Pre}(v,j0+t) && held_at{Pre,Post}(v,keeps,m,j0+t); */
DEV float thread_vec(PER_THREADK(float4, v), int j, int j0, int t, int keeps, float m)
{
  float4 was = REG(v, j, j0, t), e = thread_exp4(was, m);
  if (keeps)
    REG(v, j, j0, t) = e;
  //@ assert held: held_at{Pre,Here}(v,keeps,m,j0+t);
  return thread_four(e GHOST_ARGS(was, m));
}

/*@ // of vectors, those of lanes from t on, and of lane t those from j on, are as they were
    predicate lane_still{L1,L2}(float4 *v, integer B, integer t, integer j) =
      \forall integer i; j <= i < KMAX ==> \at(v[ix(i,B,t)],L1) == \at(v[ix(i,B,t)],L2);
    predicate lanes_still{L1,L2}(float4 *v, integer B, integer t) =
      \forall integer u, i; t <= u < B ==> 0 <= i < KMAX ==>
        \at(v[ix(i,B,u)],L1) == \at(v[ix(i,B,u)],L2);
    // and so are those of all threads but t
    predicate lanes_but{L1,L2}(float4 *v, integer B, integer t) =
      \forall integer u, i; 0 <= u < B ==> u != t ==> 0 <= i < KMAX ==>
        \at(v[ix(i,B,u)],L1) == \at(v[ix(i,B,u)],L2);
    predicate vec_same{L1,L2}(float4 *v, integer q) = \at(v[q],L1) == \at(v[q],L2);
    predicate vec_but{L1,L2}(float4 *v, integer at) =
      \forall integer q; 0 <= q < KMAX*MAXB ==> q != at ==> \at(v[q],L1) == \at(v[q],L2);
    lemma held_lane_same{L1,L2}: \forall integer j, float4 *v, integer B, t;
      (\forall integer i; 0 <= i < j ==> HeldAt{L1}(v,ix(i,B,t)) == HeldAt{L2}(v,ix(i,B,t))) ==>
      HeldLane{L1}(v,B,t,j) == HeldLane{L2}(v,B,t,j);
    lemma held_lane_still{L1,L2}: \forall float4 *v, integer B, t, j; j <= KMAX ==>
      lane_still{L1,L2}(v,B,t,0) ==> HeldLane{L1}(v,B,t,j) == HeldLane{L2}(v,B,t,j);
    lemma still_lane{L1,L2}: \forall float4 *v, integer B, t; 0 <= t < B ==>
      lanes_still{L1,L2}(v,B,t) ==> lane_still{L1,L2}(v,B,t,0);
    lemma is_lanes_still{L1,L2}: \forall float4 *v, real m, integer B, t, j; j <= KMAX ==>
      lane_still{L1,L2}(v,B,t,0) ==> is_lanes{L2}(v,m,B,t,j) ==> is_lanes{L1}(v,m,B,t,j);
    lemma lane_held_still{L0,L1,L}: \forall float4 *v, integer keeps, real m, integer B, t, j;
      j <= KMAX ==> lane_still{L0,L1}(v,B,t,0) ==> lane_held{L1,L}(v,keeps,m,B,t,j) ==>
      lane_held{L0,L}(v,keeps,m,B,t,j);
    lemma lane_under_still{L1,L2}: \forall float4 *v, real m, integer B, t, j; j <= KMAX ==>
      lane_still{L1,L2}(v,B,t,0) ==> lane_under{L2}(v,m,B,t,j) ==> lane_under{L1}(v,m,B,t,j);
    lemma but_still{L0,L1,L2}: \forall float4 *v, integer B, t; 0 <= t < B ==>
      lanes_still{L0,L1}(v,B,t) ==> lanes_but{L1,L2}(v,B,t) ==> lanes_still{L0,L2}(v,B,t+1); */

/* The sum of the exponentials of what thread t holds about m, its largest; `keeps`: they stay in
 * place. */
/*@ requires lane_in(v,K,t) && lane_under(v,m,BDIM,t,K);
    assigns v[0 .. KMAX*MAXB-1];
    ensures Mass(\result,m) == HeldLane{Pre}(v,BDIM,t,K);
    ensures lane_held{Pre,Post}(v,keeps,m,BDIM,t,K) && lanes_but{Pre,Post}(v,BDIM,t); */
DEV float thread_sum(PER_THREADK(float4, v), int K, int t, int keeps, float m)
{
  float s = 0.0f;
  //@ assert none: Mass(s,m) == 0.0;
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant Mass(s,m) == HeldLane{Pre}(v,BDIM,t,j);
      loop invariant lane_held{Pre,Here}(v,keeps,m,BDIM,t,j);
      loop invariant lane_still{Pre,Here}(v,BDIM,t,j) && lanes_but{Pre,Here}(v,BDIM,t);
      loop assigns j, j0, s, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert next: mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    //@ assert at: ix(j,BDIM,t) == j0 + t && 0 <= j0 + t < KMAX*MAXB;
    //@ assert was: vec_same{Pre,Here}(v,j0+t);
    //@ assert adds: HeldAt(v,j0+t) == HeldAt{Pre}(v,ix(j,BDIM,t));
    //@ assert under: at_most4(v[j0+t],m);
    float part = thread_vec(v, j, j0, t, keeps, m);
    float sum = s + part;
    //@ assert of: adds_to(sum,s,part);
    //@ assert mass: Mass(sum,m) == HeldLane{Pre}(v,BDIM,t,j+1);
    //@ assert but: vec_but{LoopCurrent,Here}(v,j0+t);
    /*@ assert others: \forall integer u, i; 0 <= u < BDIM ==> 0 <= i < KMAX ==>
          (i != j || u != t) ==> ix(i,BDIM,u) != j0 + t && 0 <= ix(i,BDIM,u) < KMAX*MAXB; */
    //@ assert new: held_at{Pre,Here}(v,keeps,m,ix(j,BDIM,t));
    //@ assert old: lane_held{Pre,Here}(v,keeps,m,BDIM,t,j);
    s = sum;
  }
  return s;
}

/*@ // the words of the threads
    predicate lanes_words{L}(float4 *v, float *m, float *s) =
      once_lanes{L}(m,s) && \separated(s + (0 .. bdim_-1), m + (0 .. bdim_-1)) &&
      \separated(m + (0 .. bdim_-1), v + (0 .. KMAX*MAXB-1)) &&
      \separated(s + (0 .. bdim_-1), v + (0 .. KMAX*MAXB-1));
    predicate lanes_from{L}(float *m, integer t) = \forall integer u; 0 <= u < t ==>
      OnceLeast <= m[u];
    lemma from_above{L}: \forall float *m, integer t; Lowest < OnceLeast ==> lanes_from{L}(m,t) ==>
      lanes_above{L}(m,t);
    lemma from_max{L}: \forall float *m, integer t; 1 <= t ==> lanes_from{L}(m,t) ==>
      OnceLeast <= RowMax{L}(m,t);
    predicate lanes_under{L0,L}(float4 *v, float *m, integer B, integer t, integer K) =
      \forall integer u, i; 0 <= u < t ==> 0 <= i < K ==>
        at_most4(\at(v[ix(i,B,u)],L0),rd{L}(m,u));
    predicate lanes_are_held{L0,L}(float4 *v, float *m, integer t, integer n) =
      \forall integer u; 0 <= u < t ==> is_held{L0}(v,rd{L}(m,u),n);
    lemma lanes_under_next{L0,L}: \forall float4 *v, float *m, integer B, t, K; 0 <= t ==>
      lanes_under{L0,L}(v,m,B,t,K) ==> lane_under{L0}(v,rd{L}(m,t),B,t,K) ==>
      lanes_under{L0,L}(v,m,B,t+1,K);
    lemma lanes_held_next{L0,L}: \forall float4 *v, integer keeps, float *m, integer B, t, K;
      0 <= t ==> lanes_held{L0,L}(v,keeps,m,B,t,K) ==>
      lane_held{L0,L}(v,keeps,rd{L}(m,t),B,t,K) ==> lanes_held{L0,L}(v,keeps,m,B,t+1,K);
    lemma lanes_under_kept{L0,L1,L2}: \forall float4 *v, float *m, integer B, t, K;
      Same{L1,L2}(m,t) ==> lanes_under{L0,L1}(v,m,B,t,K) ==> lanes_under{L0,L2}(v,m,B,t,K);
    lemma lanes_are_held_kept{L0,L1,L2}: \forall float4 *v, float *m, integer t, n;
      Same{L1,L2}(m,t) ==> lanes_are_held{L0,L1}(v,m,t,n) ==> lanes_are_held{L0,L2}(v,m,t,n);
    lemma lanes_held_kept{L0,L1,L2}: \forall float4 *v, integer keeps, float *m, integer B, t, K;
      t <= B ==> K <= KMAX ==> Same{L1,L2}(m,t) ==> lanes_but{L1,L2}(v,B,t) ==>
      lanes_held{L0,L1}(v,keeps,m,B,t,K) ==> lanes_held{L0,L2}(v,keeps,m,B,t,K); */

/* What thread t holds. */
/*@ requires lane_in(v,K,t) && lanes_words(v,m,s);
    assigns v[0 .. KMAX*MAXB-1], m[t], s[t];
    ensures OnceLeast <= m[t] && Mass(s[t],m[t]) == HeldLane{Pre}(v,BDIM,t,K);
    ensures lane_under{Pre}(v,m[t],BDIM,t,K) && is_lanes{Pre}(v,m[t],BDIM,t,K);
    ensures lane_held{Pre,Post}(v,keeps,m[t],BDIM,t,K) && lanes_but{Pre,Post}(v,BDIM,t); */
DEV void thread_exps(PER_THREAD(float, m), PER_THREAD(float, s), PER_THREADK(float4, v), int K,
                     int t, int keeps)
{
  float top = thread_top(v, K, t);
  float sum = thread_sum(v, K, t, keeps, top);
  //@ ghost L1: ;
  AT(m, t) = top;
  AT(s, t) = sum;
  //@ assert same: lanes_still{L1,Here}(v,BDIM,0);
  //@ assert held: lane_held{Pre,Here}(v,keeps,top,BDIM,t,K);
}

/* What the threads hold: m becomes their maxima, s their sums about those; `keeps`: the
 * exponentials stay in place of what they are of. */
/*@ requires lane_in(v,K,0) && lanes_words(v,m,s);
    assigns v[0 .. KMAX*MAXB-1], m[0 .. BDIM-1], s[0 .. BDIM-1];
    ensures lanes_from(m,BDIM) && MassTo(m,s,BDIM) == HeldLanes{Pre}(v,BDIM,BDIM,K);
    ensures lanes_under{Pre,Post}(v,m,BDIM,BDIM,K);
    ensures lanes_are_held{Pre,Post}(v,m,BDIM,ix(K,BDIM,0));
    ensures lanes_held{Pre,Post}(v,keeps,m,BDIM,BDIM,K); */
DEV void threads_exps(PER_THREAD(float, m), PER_THREAD(float, s), PER_THREADK(float4, v), int K,
                      int keeps)
{
  /*@ loop invariant 0 <= t <= BDIM && lanes_from(m,t);
      loop invariant MassTo(m,s,t) == HeldLanes{Pre}(v,BDIM,t,K);
      loop invariant lanes_under{Pre,Here}(v,m,BDIM,t,K);
      loop invariant lanes_are_held{Pre,Here}(v,m,t,ix(K,BDIM,0));
      loop invariant lanes_held{Pre,Here}(v,keeps,m,BDIM,t,K) && lanes_still{Pre,Here}(v,BDIM,t);
      loop assigns t, v[0 .. KMAX*MAXB-1], m[0 .. BDIM-1], s[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert still: lane_still{Pre,Here}(v,BDIM,t,0);
    //@ assert lane: HeldLane(v,BDIM,t,K) == HeldLane{Pre}(v,BDIM,t,K);
    /*@ assert away_m: \forall integer u; 0 <= u < BDIM ==> \separated(m + u, s + t) &&
          \separated(m + u, v + (0 .. KMAX*MAXB-1)); */
    /*@ assert away_s: \forall integer u; 0 <= u < BDIM ==> \separated(s + u, m + t) &&
          \separated(s + u, v + (0 .. KMAX*MAXB-1)); */
    thread_exps(m, s, v, K, t, keeps);
    //@ assert same_m: Same{LoopCurrent,Here}(m,t);
    //@ assert same_s: Same{LoopCurrent,Here}(s,t);
    //@ assert from: OnceLeast <= m[t] && lanes_from(m,t);
    //@ assert same: MassTo(m,s,t) == \at(MassTo(m,s,\at(t,Here)),LoopCurrent);
    //@ assert under_t: lane_under{Pre}(v,m[t],BDIM,t,K);
    //@ assert under: lanes_under{Pre,Here}(v,m,BDIM,t,K);
    //@ assert is_t: is_lanes{Pre}(v,m[t],BDIM,t,K) && is_held{Pre}(v,m[t],ix(K,BDIM,0));
    //@ assert is: lanes_are_held{Pre,Here}(v,m,t,ix(K,BDIM,0));
    //@ assert held_t: lane_held{Pre,Here}(v,keeps,m[t],BDIM,t,K);
    //@ assert but: lanes_but{LoopCurrent,Here}(v,BDIM,t);
    //@ assert held: lanes_held{Pre,Here}(v,keeps,m,BDIM,t,K);
    //@ assert rest: lanes_still{Pre,Here}(v,BDIM,t+1);
  }
}

/*@ // threads have all vectors
    lemma ix_of: \forall integer q, B; 0 < B ==> 0 <= q ==> 0 <= q % B < B && ix(q / B,B,q % B) ==
      q;
    lemma ix_below: \forall integer i, B, u, K; 0 <= u < B ==> ix(i,B,u) < ix(K,B,0) ==> i < K;
    lemma ix_above_0: \forall integer i, B, u; 0 <= u < B ==> 0 <= ix(i,B,u) ==> 0 <= i;
    predicate has_lane(integer q, integer B, integer K, integer i, integer u) =
      0 <= i < K && 0 <= u < B && ix(i,B,u) == q;
    lemma lane_has: \forall integer q, B, K; 0 < B ==> in_vecs(q,ix(K,B,0)) ==>
      has_lane(q,B,K,q / B,q % B);
    lemma at_most4_up: \forall float4 v, real a, b; at_most4(v,a) ==> a <= b ==> at_most4(v,b);
    lemma under_at_top{L0,L}: \forall float4 *v, float *m, real top, integer B, K, i, u;
      0 <= i < K ==> 0 <= u < B ==> lanes_under{L0,L}(v,m,B,B,K) ==> once_under{L}(m,top,B) ==>
      at_most4(\at(v[ix(i,B,u)],L0),top);
    lemma held_of_lane{L0,L}: \forall float4 *v, float *m, real top, integer B, K, q, i, u;
      has_lane(q,B,K,i,u) ==> lanes_under{L0,L}(v,m,B,B,K) ==> once_under{L}(m,top,B) ==>
      at_most4(\at(v[q],L0),top);
    lemma held_of_lanes{L0,L}: \forall float4 *v, float *m, real top, integer B, K; 0 < B ==>
      lanes_under{L0,L}(v,m,B,B,K) ==> once_under{L}(m,top,B) ==>
      held_under{L0}(v,top,ix(K,B,0));
    lemma top_is_held{L0,L}: \forall float4 *v, float *m, integer t, n; 1 <= t ==>
      lanes_are_held{L0,L}(v,m,t,n) ==> is_held{L0}(v,RowMax{L}(m,t),n);
    lemma held_vecs_step{L}: \forall float4 *v, integer n; 0 <= n ==>
      HeldVecs{L}(v,n+1) == HeldVecs{L}(v,n) + HeldAt{L}(v,n);
    lemma held_round{L}: \forall integer t, float4 *v, integer B, j; 0 <= t ==> 0 < j ==> 0 < B ==>
      HeldLanes{L}(v,B,t,j) == HeldLanes{L}(v,B,t,j-1) +
        (HeldVecs{L}(v,ix(j-1,B,t)) - HeldVecs{L}(v,ix(j-1,B,0)));
    lemma held_none{L}: \forall integer t, float4 *v, integer B; HeldLanes{L}(v,B,t,0) == 0.0;
    lemma held_all{L}: \forall integer j, float4 *v, integer B; 0 <= j ==> 0 < B ==>
      HeldLanes{L}(v,B,B,j) == HeldVecs{L}(v,ix(j,B,0)); */

/*@ // of a row x of n that they hold (row/regs_padded.h): all that it adds up to, and its maximum
    lemma pad_exp{L}: \forall float *x, real v, integer k, n; 0 <= k ==> above_lowest{L}(x,n) ==>
      v == Padded{L}(x,k,n) ==> ValExp(v) == EdgeExp{L}(x,n,k);
    lemma row_to_4{L}: \forall float *x, integer n, k; 0 <= k ==> RowTo{L}(x,n,k+4) ==
      RowTo{L}(x,n,k) + (EdgeExp{L}(x,n,k) + EdgeExp{L}(x,n,k+1) + EdgeExp{L}(x,n,k+2) +
                         EdgeExp{L}(x,n,k+3));
    logic real FourAdds{L}(float *x, integer n, integer q) = EdgeExp{L}(x,n,4*q) +
      EdgeExp{L}(x,n,4*q+1) + EdgeExp{L}(x,n,4*q+2) + EdgeExp{L}(x,n,4*q+3);
    logic real FoursTo{L}(float *x, integer n, integer k) =
      k <= 0 ? 0.0 : FoursTo{L}(x,n,k-1) + FourAdds{L}(x,n,k-1);
    lemma pad_adds{L}: \forall float4 v, float *x, integer q, n; 0 <= q ==> above_lowest{L}(x,n) ==>
      pad_vec{L}(v,x,q,n) ==> HeldExp(v) == FourAdds{L}(x,n,q);
    lemma pad_at{L0,L}: \forall float4 *v, float *x, integer n, to, q; in_vecs(q,to) ==>
      pad_vecs{L0,L}(v,x,n,0,to) ==> pad_vec{L0}(\at(v[q],L),x,q,n);
    lemma held_at_adds{L0,L}: \forall float4 *v, float *x, integer n, to, q; in_vecs(q,to) ==>
      above_lowest{L0}(x,n) ==> pad_vecs{L0,L}(v,x,n,0,to) ==>
      HeldAt{L}(v,q) == FourAdds{L0}(x,n,q);
    lemma held_vecs_to{L0,L}: \forall integer k, float4 *v, float *x, integer n; 0 <= k ==>
      (\forall integer q; 0 <= q < k ==> HeldAt{L}(v,q) == FourAdds{L0}(x,n,q)) ==>
      HeldVecs{L}(v,k) == FoursTo{L0}(x,n,k);
    lemma fours_to{L}: \forall integer k, float *x, integer n; 0 <= k ==>
      FoursTo{L}(x,n,k) == RowTo{L}(x,n,4*k);
    lemma held_fours{L0,L}: \forall float4 *v, float *x, integer n, k; 0 <= k ==>
      above_lowest{L0}(x,n) ==> pad_vecs{L0,L}(v,x,n,0,k) ==>
      HeldVecs{L}(v,k) == FoursTo{L0}(x,n,k);
    lemma held_row_to{L0,L}: \forall integer k, float4 *v, float *x, integer n; 0 <= k ==>
      above_lowest{L0}(x,n) ==> pad_vecs{L0,L}(v,x,n,0,k) ==>
      HeldVecs{L}(v,k) == RowTo{L0}(x,n,4*k);
    lemma held_row{L0,L}: \forall float4 *v, float *x, integer n, k; 0 <= n <= 4*k ==>
      above_lowest{L0}(x,n) ==> pad_vecs{L0,L}(v,x,n,0,k) ==> HeldVecs{L}(v,k) == Whole{L0}(x,n);
    predicate row_under{L}(float *x, real m, integer n) = \forall integer k; 0 <= k < n ==>
      rd{L}(x,k) <= m;
    lemma row_max_under{L}: \forall integer n, float *x, real m; 0 <= n ==>
      row_under{L}(x,m,n+1) ==> RowMax{L}(x,n+1) <= m;
    predicate has_four(integer k, integer q) = 0 <= q && 4*q <= k < 4*q + 4;
    lemma four_of: \forall integer k; 0 <= k ==> has_four(k,k / 4);
    predicate one_of_four(integer k, integer q) =
      k == 4*q || k == 4*q + 1 || k == 4*q + 2 || k == 4*q + 3;
    lemma four_cases: \forall integer k, q; has_four(k,q) ==> one_of_four(k,q);
    lemma pad_under{L}: \forall float4 v, float *x, real m, integer k, n, q; 0 <= k < n ==>
      one_of_four(k,q) ==> pad_vec{L}(v,x,q,n) ==> at_most4(v,m) ==> rd{L}(x,k) <= m;
    lemma four_in: \forall integer k, n, to, q; 0 <= k < n ==> n <= 4*to ==> has_four(k,q) ==>
      in_vecs(q,to);
    lemma under_at{L}: \forall float4 *v, real m, integer n, q; in_vecs(q,n) ==>
      held_under{L}(v,m,n) ==> at_most4(v[q],m);
    lemma held_row_one{L0,L}: \forall float4 *v, float *x, real m, integer n, to, k, q;
      0 <= k < n ==> one_of_four(k,q) ==> in_vecs(q,to) ==> pad_vecs{L0,L}(v,x,n,0,to) ==>
      held_under{L}(v,m,to) ==> rd{L0}(x,k) <= m;
    lemma held_row_at{L0,L}: \forall float4 *v, float *x, real m, integer n, to, k, q; n <= 4*to ==>
      0 <= k < n ==> has_four(k,q) ==> pad_vecs{L0,L}(v,x,n,0,to) ==> held_under{L}(v,m,to) ==>
      rd{L0}(x,k) <= m;
    lemma held_row_under{L0,L}: \forall float4 *v, float *x, real m, integer n, k; n <= 4*k ==>
      pad_vecs{L0,L}(v,x,n,0,k) ==> held_under{L}(v,m,k) ==> row_under{L0}(x,m,n);
    lemma pad_some{L}: \forall float4 v, float *x, real m, integer n, q; 0 <= q ==> Lowest < m ==>
      pad_vec{L}(v,x,q,n) ==> one_of(m,v) ==> some{L}(m,x,n);
    lemma held_row_some{L0,L}: \forall float4 *v, float *x, real m, integer n, k; Lowest < m ==>
      pad_vecs{L0,L}(v,x,n,0,k) ==> held_some{L}(v,m,k) ==> some{L0}(m,x,n);
    lemma some_is_max{L}: \forall float *x, real m, integer n; 1 <= n ==> row_under{L}(x,m,n) ==>
      some{L}(m,x,n) ==> m == RowMax{L}(x,n);
    lemma held_row_top{L0,L}: \forall float4 *v, float *x, real m, integer n, k; 1 <= n <= 4*k ==>
      least_in{L0}(x,n) ==> pad_vecs{L0,L}(v,x,n,0,k) ==> held_top{L}(v,m,k) ==>
      m == RowMax{L0}(x,n); */

/* The sum of s over the block; of m nothing is touched. */
/*@ requires block && once_lanes(m,s) && \valid(w + (0 .. 31)) && perm(w,32);
    requires \separated(s + (0 .. BDIM-1), w + (0 .. 31));
    requires \separated(m + (0 .. BDIM-1), w + (0 .. 31));
    assigns s[0 .. BDIM-1], w[0 .. 31];
    ensures \result == \old(SumR(s,0,BDIM)) && Same{Pre,Post}(m,BDIM); */
DEV float threads_total(PER_THREAD(float, s), float *w GHOST_PARAMS(const float *m))
{
  return block_sum(s, w);
}

/* From the threads' maxima and sums the block's. */
/*@ requires block && once_lanes(m,s) && lanes_above(m,BDIM);
    assigns s[0 .. BDIM-1];
    ensures \result.m == RowMax{Pre}(m,BDIM) && once_under(m,\result.m,BDIM);
    ensures Mass(\result.s,\result.m) == \old(MassTo(m,s,BDIM)); */
DEV once_sum threads_join(PER_THREAD(float, m), PER_THREAD(float, s))
{
  SHARED(float, w, 32);
  PRIVATE(float, all);
  once_sum sum;
  /*@ loop invariant 0 <= t <= BDIM && lanes_copied(m,&all[0],t);
      loop assigns t, all[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(all, t) = AT(m, t);
    //@ assert one: all[t] == m[t];
    //@ assert same_m: Same{LoopCurrent,Here}(m,BDIM);
    //@ assert old: lanes_copied(m,&all[0],t);
  }
  //@ assert above: Same{Pre,Here}(m,BDIM) && lanes_above(&all[0],BDIM);
  //@ assert same: Same{Pre,Here}(s,BDIM);
  //@ assert all_under: once_under(&all[0],RowMax(&all[0],BDIM),BDIM);
  //@ assert under_all: once_under(m,RowMax(&all[0],BDIM),BDIM);
  //@ assert max: RowMax(&all[0],BDIM) == RowMax{Pre}(m,BDIM);
  //@ assert masses_0: MassTo(m,s,BDIM) == MassTo{Pre}(m,s,BDIM);
  //@ ghost L0: ;
  sum.m = online_most(all, w GHOST_ARGS(m, s, 0, m));
  //@ assert same_m: Same{L0,Here}(m,BDIM);
  //@ assert same_s: Same{L0,Here}(s,BDIM);
  //@ assert under: once_under(m,sum.m,BDIM);
  //@ assert masses_1: MassTo(m,s,BDIM) == MassTo{L0}(m,s,BDIM);
  //@ assert masses: MassTo(m,s,BDIM) == MassTo{Pre}(m,s,BDIM);
  open_close(m, s, sum.m);
  //@ assert under_1: once_under(m,sum.m,BDIM);
  //@ assert mass: Mass(SumR(s,0,BDIM),sum.m) == MassTo{Pre}(m,s,BDIM);
  //@ ghost L1: ;
  sum.s = threads_total(s, w GHOST_ARGS(m));
  //@ assert end: Same{L1,Here}(m,BDIM);
  //@ assert under_end: once_under(m,sum.m,BDIM);
  return sum;
}

/* What the block's threads hold, as threads_exps has it: m becomes their maxima, s is spent; and
 * what it all comes to. */
/*@ requires lane_in(v,K,0) && lanes_words(v,m,s);
    assigns v[0 .. KMAX*MAXB-1], m[0 .. BDIM-1], s[0 .. BDIM-1];
    ensures held_top{Pre}(v,\result.m,ix(K,BDIM,0)) && once_under(m,\result.m,BDIM);
    ensures Mass(\result.s,\result.m) == HeldVecs{Pre}(v,ix(K,BDIM,0));
    ensures lanes_held{Pre,Post}(v,keeps,m,BDIM,BDIM,K); */
DEV once_sum block_exps(PER_THREAD(float, m), PER_THREAD(float, s), PER_THREADK(float4, v), int K,
                        int keeps)
{
  threads_exps(m, s, v, K, keeps);
  //@ ghost L1: ;
  once_sum sum = threads_join(m, s);
  //@ assert same_m: Same{L1,Here}(m,BDIM);
  //@ assert same_v: lanes_still{L1,Here}(v,BDIM,0);
  //@ assert under: lanes_under{Pre,Here}(v,m,BDIM,BDIM,K);
  //@ assert held: lanes_held{Pre,Here}(v,keeps,m,BDIM,BDIM,K);
  //@ assert top: held_under{Pre}(v,sum.m,ix(K,BDIM,0));
  //@ assert is: is_held{Pre}(v,sum.m,ix(K,BDIM,0));
  //@ assert above: OnceLeast <= sum.m;
  return sum;
}
#endif
