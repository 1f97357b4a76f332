/* Online softmax under a mask: a chunk of a row, read once by a block, which keeps the sum of the
 * exponentials about the largest open element seen, as online.h does without a mask. x is the
 * piece, b its mask; to a thread what is blocked is -Inf, whose exponential about a finite number
 * is 0. */
#ifndef PM_LSE_ONLINE_MASKED_H
#define PM_LSE_ONLINE_MASKED_H
#include "online.h"
#include "mass_masked.h"

#ifdef __FRAMAC__
#define MASKED_BOUNDS
#else /* a batch of two tensors wants the registers of half as many threads */
#define MASKED_BOUNDS __launch_bounds__(ONCE_BLOCK, 4)
#endif

/*@ predicate open_in{L}(float *x, float *b, integer n, integer aligned) =
      0 < n <= IDX_LIM && reads(x,n) && reads(b,n) && least_in(x,n) &&
      (aligned != 0 ==> n % 4 == 0 && aligned16(x) && aligned16(b));
    lemma least_none{L}: \forall float *x, integer n; least_in{L}(x,n) ==> none_lowest{L}(x,n); */

/*@ assigns \nothing; ensures \result == (b == 0.0 ? x : Lowest); */
DEV float open_val(float x, float b) { return b == 0.0f ? x : lowest(); }

/*@ requires 0 <= k && open_in(x,b,n,0);
    assigns \nothing;
    ensures \result == OpenVal(x,b,n,k); */
DEV float open_at(idx k, idx n, const float *RESTRICT x, const float *RESTRICT b)
{
  return k < n ? open_val(LDG(x + k), LDG(b + k)) : lowest();
}

/* Elements 4q .. 4q + 3. */
/*@ requires 0 <= q <= IDX_LIM && open_in(x,b,n,aligned);
    assigns \nothing;
    ensures open_vec(\result,x,b,n,q); */
DEV float4 open_load(idx q, idx n, int aligned, const float *RESTRICT x, const float *RESTRICT b)
{
  float4 v;
  if (aligned && 4 * q < n) {
    float4 w = LD4(b + 4 * q);
    v = LD4(x + 4 * q);
    v.x = open_val(v.x, w.x);
    v.y = open_val(v.y, w.y);
    v.z = open_val(v.z, w.z);
    v.w = open_val(v.w, w.w);
  } else {
    v.x = open_at(4 * q, n, x, b);
    v.y = open_at(4 * q + 1, n, x, b);
    v.z = open_at(4 * q + 2, n, x, b);
    v.w = open_at(4 * q + 3, n, x, b);
  }
  return v;
}

/* The sum of exp(v - m) over a vector: exactly 0 of what is -Inf, so that a sum is 0 only where
 * nothing above -Inf was open. */
/*@ requires at_most4(v,m);
    assigns \nothing;
    ensures Mass(\result,m) == ValExp(v.x) + ValExp(v.y) + ValExp(v.z) + ValExp(v.w); */
DEV float open_four(float4 v, float m)
{
  float a = loss_exp(v.x, m), b = loss_exp(v.y, m), c = loss_exp(v.z, m), d = loss_exp(v.w, m);
  float low = a + b, high = c + d;
  //@ assert terms: a == Term(v.x,m) && b == Term(v.y,m) && c == Term(v.z,m) && d == Term(v.w,m);
  //@ assert x: Mass(Term(v.x,m),m) == ValExp(v.x);
  //@ assert y: Mass(Term(v.y,m),m) == ValExp(v.y);
  //@ assert z: Mass(Term(v.z,m),m) == ValExp(v.z);
  //@ assert w: Mass(Term(v.w,m),m) == ValExp(v.w);
  //@ assert of: adds_to(low,a,b) && adds_to(high,c,d) && adds_to(low + high,low,high);
  //@ assert low: Mass(low,m) == Mass(a,m) + Mass(b,m);
  //@ assert high: Mass(high,m) == Mass(c,m) + Mass(d,m);
  return low + high;
}

/*@ requires 0 <= q && none_lowest(x,n) && open_vec(v,x,b,n,q) && at_most4(v,m);
    assigns \nothing;
    ensures Mass(\result,m) == VecAdds(x,b,n,q); */
DEV float open_part(float4 v, float m GHOST_PARAMS(idx q, idx n, const float *x, const float *b))
{
  return open_four(v, m);
}

/*@ // a thread's own words
    predicate open_words{L}(float *m, float *s, integer t, float *x, float *b, integer n) =
      \valid(m + t) && \valid(s + t) && \separated(m + t, s + t) && Lowest < m[t] &&
      \separated(m + t, x + (0 .. n-1)) && \separated(s + t, x + (0 .. n-1)) &&
      \separated(m + t, b + (0 .. n-1)) && \separated(s + t, b + (0 .. n-1));
    // what thread t adds in a batch that begins at vector q
    logic real BatchAdds{L}(float *x, float *b, integer n, integer q, integer B) =
      VecAdds{L}(x,b,n,q) + VecAdds{L}(x,b,n,q+B) + VecAdds{L}(x,b,n,q+2*B) +
      VecAdds{L}(x,b,n,q+3*B); */

/* Vectors q, q + BDIM, .., as many as a thread has in flight. */
/*@ requires block && 0 <= q <= IDX_LIM && q + 3*BDIM <= IDX_LIM && open_in(x,b,n,aligned);
    requires open_words(m,s,t,x,b,n);
    assigns m[t], s[t];
    ensures \old(m[t]) <= m[t];
    ensures Mass(s[t],m[t]) == \old(Mass(s[t],m[t])) + BatchAdds{Pre}(x,b,n,q,BDIM); */
DEV void open_batch(PER_THREAD(float, m), PER_THREAD(float, s), int t, idx q, idx n, int aligned,
                    const float *RESTRICT x, const float *RESTRICT b)
{
  idx q1 = q + BDIM, q2 = q + 2 * BDIM, q3 = q + 3 * BDIM;
  float4 v0 = open_load(q, n, aligned, x, b), v1 = open_load(q1, n, aligned, x, b);
  float4 v2 = open_load(q2, n, aligned, x, b), v3 = open_load(q3, n, aligned, x, b);
  float top = online_top(AT(m, t), v0, v1, v2, v3);
  float p0 = open_part(v0, top GHOST_ARGS(q, n, x, b));
  float p1 = open_part(v1, top GHOST_ARGS(q1, n, x, b));
  float p2 = open_part(v2, top GHOST_ARGS(q2, n, x, b));
  float p3 = open_part(v3, top GHOST_ARGS(q3, n, x, b));
  float part = (p0 + p1) + (p2 + p3);
  //@ assert of: adds_to(p0+p1,p0,p1) && adds_to(p2+p3,p2,p3) && adds_to(part,p0+p1,p2+p3);
  //@ assert four: Mass(part,top) == Mass(p0,top) + Mass(p1,top) + Mass(p2,top) + Mass(p3,top);
  //@ assert batch: Mass(part,top) == BatchAdds(x,b,n,q,BDIM);
  online_add(m, s, t, top, part);
}

/*@ // of the threads before T, where thread t alone has changed
    predicate lane_alone{L1,L2}(float *m, float *s, integer t, integer T) =
      \forall integer u; 0 <= u < T ==> u != t ==>
        \at(m[u],L1) == \at(m[u],L2) && \at(s[u],L1) == \at(s[u],L2);
    logic real LaneMass{L}(float *m, float *s, integer u) = Mass(s[u],m[u]);
    // the others' (by MassBut: one induction each)
    logic real ButMass{L}(float *m, float *s, integer t, integer u) =
      u == t ? 0.0 : LaneMass{L}(m,s,u);
    logic real MassBut{L}(float *m, float *s, integer t, integer T) =
      T <= 0 ? 0.0 : MassBut{L}(m,s,t,T-1) + ButMass{L}(m,s,t,T-1);
    logic real MassOf{L}(float *m, float *s, integer t, integer T) =
      t < T ? LaneMass{L}(m,s,t) : 0.0;
    predicate mass_parts{L}(float *m, float *s, integer t, integer T) =
      MassTo{L}(m,s,T) == MassBut{L}(m,s,t,T) + MassOf{L}(m,s,t,T);
    lemma mass_parts_s{L}: \forall float *m, *s, integer t, T; 0 <= t ==> 0 <= T ==>
      mass_parts{L}(m,s,t,T) ==> mass_parts{L}(m,s,t,T+1);
    lemma mass_parts_all{L}: \forall integer T, float *m, *s, integer t; 0 <= T ==> 0 <= t ==>
      mass_parts{L}(m,s,t,T);
    lemma mass_but_to{L1,L2}: \forall integer T, float *m, *s, integer t; 0 <= T ==>
      (\forall integer u; 0 <= u < T ==> ButMass{L1}(m,s,t,u) == ButMass{L2}(m,s,t,u)) ==>
      MassBut{L1}(m,s,t,T) == MassBut{L2}(m,s,t,T);
    predicate mass_others{L1,L2}(float *m, float *s, integer t, integer T) =
      \forall integer u; 0 <= u < T ==> ButMass{L1}(m,s,t,u) == ButMass{L2}(m,s,t,u);
    lemma mass_but_same{L1,L2}: \forall float *m, *s, integer t, T; 0 <= T ==>
      mass_others{L1,L2}(m,s,t,T) ==> MassBut{L1}(m,s,t,T) == MassBut{L2}(m,s,t,T);
    lemma alone_others{L1,L2}: \forall float *m, *s, integer t, T; lane_alone{L1,L2}(m,s,t,T) ==>
      mass_others{L1,L2}(m,s,t,T);
    lemma mass_alone{L1,L2}: \forall float *m, *s, integer t, T; 0 <= t < T ==>
      lane_alone{L1,L2}(m,s,t,T) ==> MassTo{L2}(m,s,T) ==
        MassTo{L1}(m,s,T) + (LaneMass{L2}(m,s,t) - LaneMass{L1}(m,s,t));
    lemma above_alone{L1,L2}: \forall integer T, t, float *m, *s; lane_alone{L1,L2}(m,s,t,T) ==>
      lanes_above{L1}(m,T) ==> Lowest < rd{L2}(m,t) ==> lanes_above{L2}(m,T);
    predicate lanes_least{L}(float *m, integer T) = \forall integer u; 0 <= u < T ==>
      m[u] == OnceLeast;
    lemma least_lanes{L}: \forall float *m, integer T; Lowest < OnceLeast ==> lanes_least{L}(m,
      T) ==>
      lanes_above{L}(m,T);
    lemma none_mass{L}: \forall integer T, float *m, *s; 0 <= T ==>
      (\forall integer u; 0 <= u < T ==> s[u] == 0.0) ==> MassTo{L}(m,s,T) == 0.0;
    lemma zeros_mass{L}: \forall float *m, *s, integer T; 0 <= T ==> zeros{L}(s,T) ==>
      MassTo{L}(m,s,T) == 0.0;
    // of vectors from k on, of which each thread before t has one
    logic real OpenSpan{L}(float *x, float *b, integer n, integer k, integer t) =
      OpenTo{L}(x,b,n,4*(k+t)) - OpenTo{L}(x,b,n,4*k);
    lemma span_none{L}: \forall float *x, *b, integer n, k; OpenSpan{L}(x,b,n,k,0) == 0.0;
    lemma span_next{L}: \forall float *x, *b, integer n, k, t;
      OpenSpan{L}(x,b,n,k,t+1) == OpenSpan{L}(x,b,n,k,t) + VecAdds{L}(x,b,n,k+t);
    logic real BatchSpan{L}(float *x, float *b, integer n, integer k, integer t, integer B) =
      OpenSpan{L}(x,b,n,k,t) + OpenSpan{L}(x,b,n,k+B,t) + OpenSpan{L}(x,b,n,k+2*B,t) +
      OpenSpan{L}(x,b,n,k+3*B,t);
    lemma batch_none{L}: \forall float *x, *b, integer n, k, B; BatchSpan{L}(x,b,n,k,0,B) == 0.0;
    lemma batch_next{L}: \forall float *x, *b, integer n, k, t, B;
      BatchSpan{L}(x,b,n,k,t+1,B) == BatchSpan{L}(x,b,n,k,t,B) + BatchAdds{L}(x,b,n,k+t,B);
    lemma batch_all{L}: \forall float *x, *b, integer n, k, B;
      BatchSpan{L}(x,b,n,k,B,B) == OpenTo{L}(x,b,n,4*(k+4*B)) - OpenTo{L}(x,b,n,4*k);
    predicate open_same{L1,L2}(float *x, float *b, integer n) =
      Same{L1,L2}(x,n) && Same{L1,L2}(b,n);
    lemma open_same_on{L0,L1,L2}: \forall float *x, *b, integer n; open_same{L0,L1}(x,b,n) ==>
      open_same{L1,L2}(x,b,n) ==> open_same{L0,L2}(x,b,n);
    // of all threads
    predicate open_lanes{L}(float *m, float *s, float *x, float *b, integer n) =
      \valid(m + (0 .. bdim_-1)) && \valid(s + (0 .. bdim_-1)) &&
      \separated(m + (0 .. bdim_-1), s + (0 .. bdim_-1)) &&
      \separated(s + (0 .. bdim_-1), m + (0 .. bdim_-1)) &&
      \separated(m + (0 .. bdim_-1), x + (0 .. n-1)) &&
      \separated(s + (0 .. bdim_-1), x + (0 .. n-1)) &&
      \separated(m + (0 .. bdim_-1), b + (0 .. n-1)) &&
      \separated(s + (0 .. bdim_-1), b + (0 .. n-1)); */

/* What all threads see of the piece. */
/*@ requires block && open_in(x,b,n,aligned) && open_lanes(m,s,x,b,n);
    requires lanes_above(m,BDIM) && MassTo(m,s,BDIM) == 0.0;
    assigns m[0 .. BDIM-1], s[0 .. BDIM-1];
    ensures lanes_above(m,BDIM) && MassTo(m,s,BDIM) == OpenWhole{Pre}(x,b,n); */
DEV void open_all(PER_THREAD(float, m), PER_THREAD(float, s), idx n, int aligned,
                  const float *RESTRICT x, const float *RESTRICT b)
{
  idx vectors = n / 4 + (n % 4 != 0);
  /*@ assert away_x: \forall integer k; 0 <= k < n ==> \separated(x + k, m + (0 .. BDIM-1)) &&
        \separated(x + k, s + (0 .. BDIM-1)); */
  /*@ assert away_b: \forall integer k; 0 <= k < n ==> \separated(b + k, m + (0 .. BDIM-1)) &&
        \separated(b + k, s + (0 .. BDIM-1)); */
  /*@ loop invariant 0 <= k0 <= vectors + 4*BDIM && lanes_above(m,BDIM);
      loop invariant open_same{Pre,Here}(x,b,n);
      loop invariant MassTo(m,s,BDIM) == OpenTo{Pre}(x,b,n,4*k0);
      loop assigns k0, m[0 .. BDIM-1], s[0 .. BDIM-1];
      loop variant vectors - k0; */
  for (idx k0 = 0; k0 < vectors; k0 += ONCE_AHEAD * BDIM) {
    /*@ loop invariant 0 <= t <= BDIM && lanes_above(m,BDIM);
        loop invariant open_same{Pre,Here}(x,b,n);
        loop invariant MassTo(m,s,BDIM) ==
          OpenTo{Pre}(x,b,n,4*k0) + BatchSpan{Pre}(x,b,n,k0,t,BDIM);
        loop assigns t, m[0 .. BDIM-1], s[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert in: open_in(x,b,n,aligned);
      //@ assert words: open_words(m,s,t,x,b,n);
      //@ assert adds: BatchAdds(x,b,n,k0+t,BDIM) == BatchAdds{Pre}(x,b,n,k0+t,BDIM);
      //@ assert beside_m: \forall integer u; 0 <= u < BDIM ==> \separated(m + u, s + t);
      //@ assert beside_s: \forall integer u; 0 <= u < BDIM ==> \separated(s + u, m + t);
      open_batch(m, s, t, k0 + t, n, aligned, x, b);
      //@ assert same: open_same{LoopCurrent,Here}(x,b,n);
      //@ assert only_m: only{LoopCurrent,Here}(m, t, BDIM);
      //@ assert only_s: only{LoopCurrent,Here}(s, t, BDIM);
      //@ assert alone: lane_alone{LoopCurrent,Here}(m,s,t,BDIM);
      //@ assert above: Lowest < rd(m,t);
      /*@ assert mine: LaneMass(m,s,t) - \at(LaneMass(m,s,\at(t,Here)),LoopCurrent) ==
            BatchAdds{Pre}(x,b,n,k0+t,BDIM); */
      /*@ assert next: BatchSpan{Pre}(x,b,n,k0,t+1,BDIM) ==
            BatchSpan{Pre}(x,b,n,k0,t,BDIM) + BatchAdds{Pre}(x,b,n,k0+t,BDIM); */
    }
  }
}

/* The threads' sums at top. */
/*@ requires block && once_lanes(m,s) && once_under(m,top,BDIM);
    assigns s[0 .. BDIM-1];
    ensures Mass(SumR(s,0,BDIM),top) == \old(MassTo(m,s,BDIM)); */
DEV void open_close(PER_THREAD(float, m), PER_THREAD(float, s), float top)
{
  /*@ loop invariant 0 <= t <= BDIM && rest_same{Pre,Here}(s,t,BDIM);
      loop invariant Mass(SumR(s,0,t),top) == MassTo{Pre}(m,s,t);
      loop assigns t, s[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert same_m: rd(m,t) == rd{Pre}(m,t);
    //@ assert same_s: rd(s,t) == rd{Pre}(s,t);
    online_rescale(m, s, t, top);
    //@ assert mine: Mass(s[t],top) == Mass(rd{Pre}(s,t),rd{Pre}(m,t));
    //@ assert old: Same{LoopCurrent,Here}(s,t);
    //@ assert sum: SumR(s,0,t) == \at(SumR(s,0,\at(t,Here)),LoopCurrent);
    //@ assert adds: adds_to(SumR(s,0,t+1),SumR(s,0,t),s[t]);
    //@ assert next: Mass(SumR(s,0,t+1),top) == Mass(SumR(s,0,t),top) + Mass(s[t],top);
    //@ assert rest: rest_same{Pre,Here}(s,t+1,BDIM);
  }
}

/* Of n elements and their mask; the words w have been used by no thread since the last barrier. */
/*@ requires block && open_in(x,b,n,aligned) && \valid(w + (0 .. 31)) && perm(w,32);
    requires \separated(x + (0 .. n-1), w + (0 .. 31)) && \separated(b + (0 .. n-1), w + (0 .. 31));
    assigns w[0 .. 31];
    ensures Lowest < \result.m && Mass(\result.s,\result.m) == OpenWhole{Pre}(x,b,n); */
DEV once_sum masked_chunk(idx n, int aligned, const float *RESTRICT x, const float *RESTRICT b,
                          float *w)
{
  PRIVATE(float, m);
  PRIVATE(float, s);
  PRIVATE(float, all);
  once_sum sum;
  //@ assert least: Lowest < OnceLeast;
  /*@ loop invariant 0 <= t <= BDIM && lanes_least(&m[0],t) && zeros(&s[0],t);
      loop assigns t, m[0 .. BDIM-1], s[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(m, t) = ONCE_LEAST;
    //@ assert one: m[t] == OnceLeast;
    AT(s, t) = 0.0f;
    //@ assert old: lanes_least(&m[0],t) && m[t] == OnceLeast;
  }
  //@ assert begin: lanes_above(&m[0],BDIM);
  //@ assert none: MassTo(&m[0],&s[0],BDIM) == 0.0;
  //@ assert same: Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n);
  open_all(m, s, n, aligned, x, b);
  //@ assert whole: MassTo(&m[0],&s[0],BDIM) == OpenWhole{Pre}(x,b,n);
  //@ ghost L1: ;
  /*@ loop invariant 0 <= t <= BDIM && lanes_copied(&m[0],&all[0],t);
      loop assigns t, all[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(all, t) = AT(m, t);
    //@ assert one: all[t] == m[t];
    //@ assert same_m: Same{LoopCurrent,Here}(&m[0],BDIM);
    //@ assert old: lanes_copied(&m[0],&all[0],t);
  }
  //@ assert above_m: Same{L1,Here}(&m[0],BDIM) && lanes_above(&m[0],BDIM);
  //@ assert above: lanes_above(&all[0],BDIM);
  //@ assert all_under: once_under(&all[0],RowMax(&all[0],BDIM),BDIM);
  //@ assert under_all: once_under(&m[0],RowMax(&all[0],BDIM),BDIM);
  //@ ghost L2: ;
  sum.m = online_most(all, w GHOST_ARGS(m, s, n, x));
  //@ assert top: sum.m == \at(RowMax(&all[0],BDIM),L2);
  //@ assert same_m: Same{L1,Here}(&m[0],BDIM) && Same{L2,Here}(&m[0],BDIM);
  //@ assert same_s: Same{L1,Here}(&s[0],BDIM);
  //@ assert under: once_under(&m[0],sum.m,BDIM);
  //@ assert still: MassTo(&m[0],&s[0],BDIM) == OpenWhole{Pre}(x,b,n);
  open_close(m, s, sum.m);
  //@ assert mass: Mass(SumR(&s[0],0,BDIM),sum.m) == OpenWhole{Pre}(x,b,n);
  sum.s = block_sum(s, w);
  return sum;
}
#endif
