/* Online softmax (one pass, rescaled): a chunk of a row, read once by a block, which keeps the
 * sum of the exponentials about the largest element seen: that of the variant `online` of cross
 * entropy, whose pieces are rows, and of rows that are split.
 *
 * A thread keeps the maximum m of what it has seen and the sum s of exp(x - m), and where m
 * grows takes s to the new one: s exp(m - m'). Where it stays that product is exact, exp(0)
 * being 1. What this adds to the roundings of the sum is in online_height.h. */
#ifndef PM_LSE_ONLINE_H
#define PM_LSE_ONLINE_H
#include "../lang/load_now.h"
#include "team_sum.h"
#include "online_plan.h"
#include "mass.h"

/* m starts below: finite, so that exp(-Inf - m) is 0. */
#define ONCE_LEAST -3.4028234663852886e38f
#ifdef __FRAMAC__
#define ONLINE_BOUNDS
#else
#define ONLINE_BOUNDS __launch_bounds__(ONCE_BLOCK, 8)
#endif

/* Elements before the first aligned vector of a row that begins at element o of x. */
/*@ requires 0 <= o && (aligned != 0 ==> aligned16(x));
    assigns \nothing;
    ensures 0 <= \result < 4 && (aligned != 0 ==> aligned16(x + (o + \result))); */
DEV int online_head(idx o, int aligned GHOST_PARAMS(const float *x))
{
  int over = aligned ? (int)(o % 4) : 0;
  int head = over ? 4 - over : 0;
  //@ assert aligned != 0 ==> (o + head) % 4 == 0;
  return head;
}

/*@ predicate once_vecs{L}(float *in, integer n, integer aligned) =
      0 <= n && reads(in,4*n) && (aligned != 0 ==> aligned16(in));
    predicate once_held{L}(float4 v, float *in, integer k) =
      v.x == in[4*k] && v.y == in[4*k+1] && v.z == in[4*k+2] && v.w == in[4*k+3];
    predicate once_none(float4 v) =
      v.x == Lowest && v.y == Lowest && v.z == Lowest && v.w == Lowest;
    predicate once_got{L}(float4 v, float *in, integer n, integer k) =
      (k < n ==> once_held{L}(v,in,k)) && (n <= k ==> once_none(v)); */
/* Vector k of n. */
/*@ requires 0 <= k && once_vecs(in,n,aligned);
    assigns \nothing;
    ensures once_got(\result,in,n,k); */
DEV float4 online_load(idx k, idx n, int aligned, const float *RESTRICT in)
{
  float low = lowest();
  float4 v = {low, low, low, low};
  if (k < n && aligned) {
    v = LD4(in + 4 * k);
  } else if (k < n) {
    v.x = LDG(in + 4 * k);
    v.y = LDG(in + 4 * k + 1);
    v.z = LDG(in + 4 * k + 2);
    v.w = LDG(in + 4 * k + 3);
  }
  return v;
}

/*@ predicate one_of(real m, float4 v) = m == v.x || m == v.y || m == v.z || m == v.w; */
/* The largest of m and four vectors. */
/*@ assigns \nothing;
    ensures m <= \result && at_most4(v0,\result) && at_most4(v1,\result) && at_most4(v2,\result);
    ensures at_most4(v3,\result);
    ensures \result == m || one_of(\result,v0) || one_of(\result,v1) || one_of(\result,v2) ||
      one_of(\result,v3); */
DEV float online_top(float m, float4 v0, float4 v1, float4 v2, float4 v3)
{
  float top = larger_vec(larger_vec(m, v0), v1);
  return larger_vec(larger_vec(top, v2), v3);
}

/*@ lemma term_mass: \forall real v, m; Lowest < v ==> Mass(Term(v,m),m) == \exp(v);
    predicate above4(float4 v) = Lowest < v.x && Lowest < v.y && Lowest < v.z && Lowest < v.w; */
/* The sum of exp(x - top) over vector k, where it is one of n. */
/*@ requires at_most4(v,top) && (k < n ==> above4(v));
    assigns \nothing;
    ensures Mass(\result,top) ==
      (k < n ? \exp(v.x) + \exp(v.y) + \exp(v.z) + \exp(v.w) : 0.0); */
DEV float online_part(idx k, idx n, float4 v, float top)
{
  float sum = k < n ? exp_terms4(v, top) : 0.0f;
  /*@ assert of: k < n ==> adds_to(sum,Term(v.x,top)+Term(v.y,top)+Term(v.z,top),Term(v.w,top)) &&
        adds_to(Term(v.x,top)+Term(v.y,top)+Term(v.z,top),Term(v.x,top)+Term(v.y,top),Term(v.z,
          top)) &&
        adds_to(Term(v.x,top)+Term(v.y,top),Term(v.x,top),Term(v.y,top)); */
  return sum;
}

/* Of s, the sum at m: at to. */
/*@ requires Lowest < m <= to;
    assigns \nothing;
    ensures Mass(\result,to) == Mass(s,m); */
DEV float online_moved(float s, float m, float to)
{
  float by = loss_term(m, to);
  //@ assert by: by == \exp(m-to);
  float moved = s * by;
  //@ assert times: moved == rmul(s,\exp(m-to));
  //@ assert by_less: apart_by(m-to,m,to);
  //@ assert mass: Mass(rmul(s,\exp(m-to)),to) == Mass(s,m);
  return moved;
}

/* The thread's m becomes top >= m, and s takes `part`, a sum of exp(x - top). */
/*@ requires \valid(m + t) && \valid(s + t) && \separated(m + t, s + t) && Lowest < m[t] <= top;
    assigns m[t], s[t];
    ensures m[t] == top && Mass(s[t],top) == \old(Mass(s[t],m[t])) + Mass(part,top); */
DEV void online_add(PER_THREAD(float, m), PER_THREAD(float, s), int t, float top, float part)
{
  float moved = online_moved(AT(s, t), AT(m, t), top);
  float sum = moved + part;
  //@ assert was: Mass(moved,top) == \at(Mass(s[t],m[t]),Pre);
  //@ assert adds: adds_to(sum,moved,part);
  //@ assert mass: Mass(sum,top) == Mass(moved,top) + Mass(part,top);
  AT(s, t) = sum;
  AT(m, t) = top;
}

/*@ // a thread's own words
    predicate once_words{L}(float *m, float *s, integer t) =
      \valid(m + t) && \valid(s + t) && \separated(m + t, s + t) && Lowest < m[t];
    predicate once_apart{L}(float *m, float *s, integer t, float *in, integer n) =
      \separated(m + t, in + (0 .. n-1)) && \separated(s + t, in + (0 .. n-1));
    // a maximum grows, to an element
    predicate once_grown{L0,L}(real old, real m, float *in, integer n) =
      old <= m && (m == old || some{L0}(m,in,n));
    lemma grown_on{L0,L1,L2}: \forall real old, mid, m, float *in, integer n; Same{L0,L1}(in,n) ==>
      once_grown{L0,L1}(old,mid,in,n) ==> once_grown{L1,L2}(mid,m,in,n) ==>
      once_grown{L0,L2}(old,m,in,n);
    lemma got_above{L}: \forall float4 v, float *in, integer n, k; 0 <= k < n ==>
      once_got{L}(v,in,n,k) ==> above_lowest{L}(in,4*n) ==> above4(v);
    lemma got_some{L}: \forall float4 v, float *in, integer n, k, real old, m; 0 <= k ==>
      once_got{L}(v,in,n,k) ==> Lowest < old <= m ==> one_of(m,v) ==> some{L}(m,in,4*n);
    lemma got_exp{L}: \forall float4 v, float *in, integer n, k; 0 <= k < n ==>
      once_got{L}(v,in,n,k) ==>
      \exp(v.x) + \exp(v.y) + \exp(v.z) + \exp(v.w) == VecExp{L}(in,n,k); */

/* The part of vector k. */
/*@ requires 0 <= k && once_got(v,in,n,k) && above_lowest(in,4*n) && at_most4(v,top);
    assigns \nothing;
    ensures Mass(\result,top) == VecExp(in,n,k); */
DEV float online_vec_part(idx k, idx n, float4 v, float top GHOST_PARAMS(const float *in))
{
  //@ assert above: k < n ==> above4(v);
  return online_part(k, n, v, top);
}

/* Vectors k, k + BDIM, .., as many as a thread has in flight. */
/*@ requires block && 0 <= t < BDIM && 0 <= k < n && once_vecs(in,n,aligned);
    requires once_words(m,s,t) && once_apart(m,s,t,in,4*n) && above_lowest(in,4*n);
    assigns m[t], s[t];
    ensures once_grown{Pre,Post}(\old(m[t]),m[t],in,4*n) && rd{Pre}(in,4*k) <= m[t];
    ensures Mass(s[t],m[t]) == \old(Mass(s[t],m[t])) +
      (VecExp{Pre}(in,n,k) + VecExp{Pre}(in,n,k+BDIM) + VecExp{Pre}(in,n,k+2*BDIM) +
       VecExp{Pre}(in,n,k+3*BDIM)); */
DEV void online_batch(PER_THREAD(float, m), PER_THREAD(float, s), int t, idx k, idx n, int aligned,
                      const float *RESTRICT in)
{
  idx k1 = k + BDIM, k2 = k + 2 * BDIM, k3 = k + 3 * BDIM;
  float4 v0 = online_load(k, n, aligned, in), v1 = online_load(k1, n, aligned, in);
  float4 v2 = online_load(k2, n, aligned, in), v3 = online_load(k3, n, aligned, in);
  float top = online_top(AT(m, t), v0, v1, v2, v3);
  //@ assert first: in[4*k] <= top;
  //@ assert some0: one_of(top,v0) ==> some(top,in,4*n);
  //@ assert some1: one_of(top,v1) ==> some(top,in,4*n);
  //@ assert some2: one_of(top,v2) ==> some(top,in,4*n);
  //@ assert some3: one_of(top,v3) ==> some(top,in,4*n);
  //@ assert some: once_grown{Pre,Here}(m[t],top,in,4*n);
  float p0 = online_vec_part(k, n, v0, top GHOST_ARGS(in));
  float p1 = online_vec_part(k1, n, v1, top GHOST_ARGS(in));
  float p2 = online_vec_part(k2, n, v2, top GHOST_ARGS(in));
  float p3 = online_vec_part(k3, n, v3, top GHOST_ARGS(in));
  float part = (p0 + p1) + (p2 + p3);
  //@ assert of: adds_to(p0+p1,p0,p1) && adds_to(p2+p3,p2,p3) && adds_to(part,p0+p1,p2+p3);
  //@ assert four: Mass(part,top) == Mass(p0,top) + Mass(p1,top) + Mass(p2,top) + Mass(p3,top);
  online_add(m, s, t, top, part);
}

/* Vectors t, t + BDIM, .. of n. */
/*@ requires block && 0 <= t < BDIM && once_vecs(in,n,aligned);
    requires once_words(m,s,t) && once_apart(m,s,t,in,4*n) && above_lowest(in,4*n);
    assigns m[t], s[t];
    ensures once_grown{Pre,Post}(\old(m[t]),m[t],in,4*n) && (t < n ==> rd{Pre}(in,4*t) <= m[t]);
    ensures Mass(s[t],m[t]) == \old(Mass(s[t],m[t])) + LaneSum{Pre}(in,n,BDIM,t,n); */
DEV void online_vectors(PER_THREAD(float, m), PER_THREAD(float, s), int t, idx n, int aligned,
                        const float *RESTRICT in)
{
  //@ ghost idx j = 0;
  /*@ loop invariant 0 <= j && k == ix(j,BDIM,t) && t <= k;
      loop invariant once_grown{Pre,Here}(\at(m[t],Pre),m[t],in,4*n);
      loop invariant t < k ==> rd{Pre}(in,4*t) <= m[t];
      loop invariant Mass(s[t],m[t]) ==
        \at(Mass(s[t],m[t]),Pre) + LaneSum{Pre}(in,n,BDIM,t,j);
      loop assigns k, j, m[t], s[t];
      loop variant n - k; */
  for (idx k = t; k < n; k += ONCE_AHEAD * BDIM) {
    //@ assert same: Same{Pre,Here}(in,4*n);
    //@ assert above: above_lowest(in,4*n);
    //@ assert j1: ix(j+1,BDIM,t) == k + BDIM && ix(j+2,BDIM,t) == k + 2*BDIM;
    //@ assert j3: ix(j+3,BDIM,t) == k + 3*BDIM && ix(j+4,BDIM,t) == k + 4*BDIM;
    //@ assert v0: VecExp(in,n,k) == VecExp{Pre}(in,n,k);
    //@ assert v1: VecExp(in,n,k+BDIM) == VecExp{Pre}(in,n,k+BDIM);
    //@ assert v2: VecExp(in,n,k+2*BDIM) == VecExp{Pre}(in,n,k+2*BDIM);
    //@ assert v3: VecExp(in,n,k+3*BDIM) == VecExp{Pre}(in,n,k+3*BDIM);
    /*@ assert four: LaneSum{Pre}(in,n,BDIM,t,j+4) == LaneSum{Pre}(in,n,BDIM,t,j) +
          (VecExp{Pre}(in,n,ix(j,BDIM,t)) + VecExp{Pre}(in,n,ix(j+1,BDIM,t)) +
           VecExp{Pre}(in,n,ix(j+2,BDIM,t)) + VecExp{Pre}(in,n,ix(j+3,BDIM,t))); */
    /*@ assert next: LaneSum{Pre}(in,n,BDIM,t,j+4) == LaneSum{Pre}(in,n,BDIM,t,j) +
          (VecExp{Pre}(in,n,k) + VecExp{Pre}(in,n,k+BDIM) + VecExp{Pre}(in,n,k+2*BDIM) +
           VecExp{Pre}(in,n,k+3*BDIM)); */
    //@ assert at: 0 <= 4*k < 4*n;
    //@ assert first: rd(in,4*k) == rd{Pre}(in,4*k);
    online_batch(m, s, t, k, n, aligned, in);
    //@ assert grown: once_grown{LoopCurrent,Here}(\at(m[t],LoopCurrent),m[t],in,4*n);
    //@ assert all: once_grown{Pre,Here}(\at(m[t],Pre),m[t],in,4*n);
    //@ assert now: rd{Pre}(in,4*k) <= m[t];
    //@ assert past: t < k ==> rd{Pre}(in,4*t) <= \at(m[t],LoopCurrent) <= m[t];
    //@ assert then: rd{Pre}(in,4*t) <= m[t];
    /*@ assert mass: Mass(s[t],m[t]) == \at(Mass(s[t],m[t]),LoopCurrent) +
          (VecExp{Pre}(in,n,k) + VecExp{Pre}(in,n,k+BDIM) + VecExp{Pre}(in,n,k+2*BDIM) +
           VecExp{Pre}(in,n,k+3*BDIM)); */
    //@ assert sum: Mass(s[t],m[t]) == \at(Mass(s[t],m[t]),Pre) + LaneSum{Pre}(in,n,BDIM,t,j+4);
    //@ ghost j += 4;
  }
  //@ assert wide: n <= ix(n,BDIM,t);
  //@ assert end: LaneSum{Pre}(in,n,BDIM,t,j) == LaneSum{Pre}(in,n,BDIM,t,n);
}

/*@ // which no finite float is below
    logic real OnceLeast = -3.4028234663852886e38;
    predicate least_in{L}(float *x, integer n) =
      Lowest < OnceLeast && \forall integer i; 0 <= i < n ==> OnceLeast <= x[i];
    predicate once_row{L}(float *in, integer n, integer head, integer aligned) =
      0 < n && reads(in,n) && 0 <= head < 4 && (aligned != 0 ==> aligned16(in+head)) &&
      least_in(in,n);
    lemma least_above{L}: \forall float *x, integer n; least_in{L}(x,n) ==> above_lowest{L}(x,n);
    lemma least_part{L}: \forall float *x, integer n, o, m; 0 <= o ==> o + m <= n ==>
      least_in{L}(x,n) ==> least_in{L}(x+o,m);
    lemma least_frame{L1,L2}: \forall float *x, integer n; Same{L1,L2}(x,n) ==>
      least_in{L1}(x,n) ==> least_in{L2}(x,n); */
/* Up to 3 elements before the vectors and as many behind them, one a thread: the thread's
 * number. */
/*@ requires 0 <= t < MAXB && 0 <= head < 4 && 0 <= vectors <= IDX_LIM;
    assigns \nothing;
    ensures 0 <= \result && \result == EdgeOf(head,vectors,t); */
DEV idx online_edge(int t, int head, idx vectors) { return t < head ? t : t + 4 * vectors; }

/*@ requires 0 <= edge && reads(in,n);
    assigns \nothing;
    ensures edge < n ==> \result == in[edge]; */
DEV float online_at(idx edge, idx n, const float *RESTRICT in)
{
  return edge < n ? LDG(in + edge) : lowest();
}

/*@ requires once_words(m,s,t) && (edge < n ==> Lowest < e);
    assigns m[t], s[t];
    ensures \old(m[t]) <= m[t] && (edge < n ==> e <= m[t]);
    ensures m[t] == \old(m[t]) || (edge < n && m[t] == e);
    ensures Mass(s[t],m[t]) == \old(Mass(s[t],m[t])) + (edge < n ? \exp(e) : 0.0); */
DEV void online_add_edge(PER_THREAD(float, m), PER_THREAD(float, s), int t, idx edge, idx n,
                         float e)
{
  if (edge < n) {
    float top = larger(AT(m, t), e);
    float part = loss_term(e, top);
    //@ assert part: Mass(part,top) == \exp(e);
    online_add(m, s, t, top, part);
  }
}

/* Of the first thread, the element that is hit. */
/*@ requires reads(in,n);
    assigns \nothing;
    ensures t == 0 && 0 <= c < n ==> \result == in[c]; */
DEV float online_hit(int t, idx c, idx n, const float *RESTRICT in)
{
  return t == 0 && 0 <= c && c < n ? load_now(in + c) : 0.0f;
}

/*@ requires \valid_read(m + t) && \valid(s + t) && \separated(m + t, s + t);
    requires Lowest < m[t] <= top;
    assigns s[t];
    ensures Mass(s[t],top) == \old(Mass(s[t],m[t])); */
DEV void online_rescale(PER_THREAD(float, m), PER_THREAD(float, s), int t, float top)
{
  AT(s, t) = online_moved(AT(s, t), AT(m, t), top);
}

/*@ // what a maximum is
    predicate is_seen{L}(real v, float *in, integer n) = v == OnceLeast || some{L}(v,in,n);
    lemma some_shift{L}: \forall real v, float *in, integer n, head, V; once_parts(n,head,V) ==>
      some{L}(v,in+head,4*V) ==> some{L}(v,in,n);
    lemma least_shift{L}: \forall float *in, integer n, head, V; once_parts(n,head,V) ==>
      least_in{L}(in,n) ==> above_lowest{L}(in+head,4*V); */
/* What the thread sees of the row. */
/*@ requires block && 0 <= t < BDIM && 0 <= vectors <= IDX_LIM && once_row(in,n,head,aligned);
    requires once_parts(n,head,vectors) && once_vecs(in+head,vectors,aligned);
    requires \valid(m + t) && \valid(s + t) && \separated(m + t, s + t);
    requires once_apart(m,s,t,in,n);
    assigns m[t], s[t];
    ensures Lowest < m[t] && is_seen{Pre}(m[t],in,n) && (t == 0 ==> rd{Pre}(in,0) <= m[t]);
    ensures Mass(s[t],m[t]) == LaneWhole{Pre}(in,n,head,vectors,BDIM,t); */
DEV void online_thread(PER_THREAD(float, m), PER_THREAD(float, s), int t, idx n, int head,
                       idx vectors, int aligned, const float *RESTRICT in)
{
  idx edge = online_edge(t, head, vectors);
  float e = online_at(edge, n, in);
  //@ assert element: edge < n ==> Lowest < e && some(e,in,n);
  AT(m, t) = ONCE_LEAST;
  AT(s, t) = 0.0f;
  //@ assert least: m[t] == OnceLeast && Lowest < m[t];
  //@ assert none: Mass(s[t],m[t]) == 0.0;
  //@ assert row: Same{Pre,Here}(in,n);
  //@ assert vecs: Same{Pre,Here}(in+head,4*vectors);
  //@ assert above: above_lowest(in+head,4*vectors);
  //@ assert apart: once_apart(m,s,t,in+head,4*vectors);
  /*@ assert lane: LaneSum(in+head,vectors,BDIM,t,vectors) ==
        LaneSum{Pre}(in+head,vectors,BDIM,t,vectors); */
  //@ ghost L0: ;
  online_vectors(m, s, t, vectors, aligned, in + head);
  //@ assert grown: once_grown{L0,Here}(OnceLeast,m[t],in+head,4*vectors);
  //@ assert seen: is_seen{L0}(m[t],in,n);
  //@ assert seen_pre: is_seen{Pre}(m[t],in,n);
  //@ assert first: t == 0 && head == 0 && 0 < vectors ==> rd{Pre}(in,0) <= m[t];
  //@ assert or_edge: t == 0 ==> (head == 0 && 0 < vectors) || edge == 0;
  online_add_edge(m, s, t, edge, n, e);
}

/*@ predicate lanes_once{L0,L}(float *m, float *acc, float *in, integer n, integer head, integer V,
                               integer B, integer t) =
      \forall integer u; 0 <= u < t ==> Lowest < \at(m[u],L) &&
        Mass(\at(acc[u],L),\at(m[u],L)) == LaneWhole{L0}(in,n,head,V,B,u);
    predicate lanes_seen{L0,L}(float *m, float *in, integer n, integer t) =
      \forall integer u; 0 <= u < t ==> is_seen{L0}(\at(m[u],L),in,n);
    predicate lanes_copied{L}(float *m, float *all, integer t) =
      \forall integer u; 0 <= u < t ==> all[u] == m[u];
    // of the threads
    predicate once_lanes{L}(float *m, float *acc) =
      \valid(m + (0 .. bdim_-1)) && \valid(acc + (0 .. bdim_-1)) &&
      \separated(m + (0 .. bdim_-1), acc + (0 .. bdim_-1)); */
/* What all threads see; `all` becomes what m is. */
/*@ requires block && 0 <= vectors <= IDX_LIM && once_row(in,n,head,aligned);
    requires once_parts(n,head,vectors) && once_vecs(in+head,vectors,aligned);
    requires once_lanes(m,acc) && \valid(all + (0 .. BDIM-1));
    requires \separated(all + (0 .. BDIM-1), m + (0 .. BDIM-1));
    requires \separated(all + (0 .. BDIM-1), acc + (0 .. BDIM-1));
    requires \separated(m + (0 .. BDIM-1), in + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), in + (0 .. n-1));
    requires \separated(all + (0 .. BDIM-1), in + (0 .. n-1));
    assigns m[0 .. BDIM-1], acc[0 .. BDIM-1], all[0 .. BDIM-1];
    ensures lanes_once{Pre,Post}(m,acc,in,n,head,vectors,BDIM,BDIM);
    ensures lanes_seen{Pre,Post}(m,in,n,BDIM) && rd{Pre}(in,0) <= m[0];
    ensures lanes_copied(m,all,BDIM); */
DEV void online_all(PER_THREAD(float, m), PER_THREAD(float, acc), PER_THREAD(float, all), idx n,
                    int head, idx vectors, int aligned, const float *RESTRICT in)
{
  /*@ assert away: \forall integer k; 0 <= k < n ==> \separated(in + k, m + (0 .. BDIM-1)) &&
        \separated(in + k, acc + (0 .. BDIM-1)) && \separated(in + k, all + (0 .. BDIM-1)); */
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant lanes_once{Pre,Here}(m,acc,in,n,head,vectors,BDIM,t);
      loop invariant lanes_seen{Pre,Here}(m,in,n,t) && (0 < t ==> rd{Pre}(in,0) <= m[0]);
      loop invariant lanes_copied(m,all,t);
      loop assigns t, m[0 .. BDIM-1], acc[0 .. BDIM-1], all[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert same: Same{Pre,Here}(in,n);
    //@ assert least: least_in(in,n);
    //@ assert row: reads(in,n) && once_row(in,n,head,aligned);
    /*@ assert whole: LaneWhole(in,n,head,vectors,BDIM,t) ==
          LaneWhole{Pre}(in,n,head,vectors,BDIM,t); */
    online_thread(m, acc, t, n, head, vectors, aligned, in);
    AT(all, t) = AT(m, t);
    //@ assert seen: is_seen{Pre}(m[t],in,n);
    //@ assert mine: Mass(acc[t],m[t]) == LaneWhole{Pre}(in,n,head,vectors,BDIM,t);
    //@ assert first: rd(in,0) == rd{Pre}(in,0);
    //@ assert old: lanes_once{Pre,Here}(m,acc,in,n,head,vectors,BDIM,t);
    //@ assert old_seen: lanes_seen{Pre,Here}(m,in,n,t);
    //@ assert old_all: lanes_copied(m,all,t);
  }
}

/*@ logic real MassTo{L}(float *m, float *acc, integer t) =
      t <= 0 ? 0.0 : MassTo{L}(m,acc,t-1) + Mass(acc[t-1],m[t-1]);
    predicate rest_same{L1,L2}(float *acc, integer t, integer B) =
      \forall integer u; t <= u < B ==> \at(acc[u],L1) == \at(acc[u],L2);
    predicate once_under{L}(float *m, real top, integer t) =
      \forall integer u; 0 <= u < t ==> Lowest < m[u] <= top; */
/* The threads' sums at `top`; and of the first thread, the element that is hit. */
/*@ requires block && reads(in,n) && once_lanes(m,acc) && \valid(xt + (0 .. BDIM-1));
    requires once_under(m,top,BDIM);
    requires \separated(xt + (0 .. BDIM-1), m + (0 .. BDIM-1));
    requires \separated(xt + (0 .. BDIM-1), acc + (0 .. BDIM-1));
    requires \separated(xt + (0 .. BDIM-1), in + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), in + (0 .. n-1));
    assigns xt[0 .. BDIM-1], acc[0 .. BDIM-1];
    ensures Mass(SumR(acc,0,BDIM),top) == \old(MassTo(m,acc,BDIM));
    ensures 0 <= c < n ==> xt[0] == rd{Pre}(in,c); */
DEV void online_close(PER_THREAD(float, m), PER_THREAD(float, acc), PER_THREAD(float, xt), idx c,
                      idx n, float top, const float *RESTRICT in)
{
  /*@ loop invariant 0 <= t <= BDIM && rest_same{Pre,Here}(acc,t,BDIM);
      loop invariant Mass(SumR(acc,0,t),top) == MassTo{Pre}(m,acc,t);
      loop invariant 0 < t ==> 0 <= c < n ==> xt[0] == rd{Pre}(in,c);
      loop assigns t, xt[0 .. BDIM-1], acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert reads: reads(in,n);
    //@ assert hit: 0 <= c < n ==> rd(in,c) == rd{Pre}(in,c);
    //@ assert same_m: rd(m,t) == rd{Pre}(m,t);
    //@ assert same_acc: rd(acc,t) == rd{Pre}(acc,t);
    AT(xt, t) = online_hit(t, c, n, in);
    //@ assert its: 0 <= c < n ==> xt[0] == rd{Pre}(in,c);
    //@ assert rest_xt: rest_same{Pre,Here}(acc,t,BDIM);
    //@ assert still: rd(m,t) == rd{Pre}(m,t) && rd(acc,t) == rd{Pre}(acc,t);
    //@ assert old_xt: Same{LoopCurrent,Here}(acc,t);
    online_rescale(m, acc, t, top);
    //@ assert mine: Mass(acc[t],top) == Mass(rd{Pre}(acc,t),rd{Pre}(m,t));
    //@ assert old: Same{LoopCurrent,Here}(acc,t);
    //@ assert sum: SumR(acc,0,t) == \at(SumR(acc,0,t),LoopCurrent);
    //@ assert adds: adds_to(SumR(acc,0,t+1),SumR(acc,0,t),acc[t]);
    //@ assert next: Mass(SumR(acc,0,t+1),top) == Mass(SumR(acc,0,t),top) + Mass(acc[t],top);
    //@ assert rest: rest_same{Pre,Here}(acc,t+1,BDIM);
  }
}

/*@ // where a maximum stands, as in collective/block_max.h
    logic integer TopAt{L}(float *m, integer t) =
      t <= 1 ? 0 : m[TopAt{L}(m,t-1)] < m[t-1] ? t - 1 : TopAt{L}(m,t-1);
    lemma top_in{L}: \forall float *m, integer t; 1 <= t ==> 0 <= TopAt{L}(m,t) < t;
    lemma top_met{L}: \forall float *m, integer t; 1 <= t ==> m[TopAt{L}(m,t)] == RowMax{L}(m,t);
    lemma top_is_seen{L0,L}: \forall float *m, *in, integer n, t; 1 <= t ==>
      lanes_seen{L0,L}(m,in,n,t) ==> is_seen{L0}(RowMax{L}(m,t),in,n);
    lemma copied_seen{L0,L}: \forall float *m, *all, *in, integer n, t; lanes_copied{L}(m,all,t) ==>
      lanes_seen{L0,L}(m,in,n,t) ==> lanes_seen{L0,L}(all,in,n,t);
    lemma seen_is_some{L}: \forall real v, float *in, integer n; 0 < n ==> least_in{L}(in,n) ==>
      is_seen{L}(v,in,n) ==> rd{L}(in,0) <= v ==> some{L}(v,in,n);
    lemma mass_to{L0,L}: \forall integer t, float *m, *acc, *in, integer n, head, V, B; 0 <= t ==>
      (\forall integer u; 0 <= u < t ==>
        Mass(rd{L}(acc,u),rd{L}(m,u)) == LaneWhole{L0}(in,n,head,V,B,u)) ==>
      MassTo{L}(m,acc,t) == LanesWhole{L0}(in,n,head,V,B,t);
    lemma mass_to_lanes{L0,L}: \forall float *m, *acc, *in, integer n, head, V, B, t; 0 <= t ==>
      lanes_once{L0,L}(m,acc,in,n,head,V,B,t) ==>
      MassTo{L}(m,acc,t) == LanesWhole{L0}(in,n,head,V,B,t);
    predicate lanes_above{L}(float *m, integer t) = \forall integer u; 0 <= u < t ==> Lowest < m[u];
    lemma under_top{L}: \forall float *all, integer t; lanes_above{L}(all,t) ==>
      once_under{L}(all,RowMax{L}(all,t),t);
    lemma copied_above{L}: \forall float *m, *all, integer t; lanes_copied{L}(m,all,t) ==>
      lanes_above{L}(m,t) ==> lanes_above{L}(all,t);
    lemma top_first{L}: \forall float *m, real v, integer t; 1 <= t ==> v <= rd{L}(m,0) ==>
      v <= RowMax{L}(m,t);
    lemma copied_under{L}: \forall float *m, *all, real top, integer t; lanes_copied{L}(m,all,t) ==>
      once_under{L}(all,top,t) ==> once_under{L}(m,top,t);
    lemma once_under_frame{L1,L2}: \forall float *m, real top, integer t; Same{L1,L2}(m,t) ==>
      once_under{L1}(m,top,t) ==> once_under{L2}(m,top,t);
    lemma mass_to_frame{L1,L2}: \forall integer t, float *m, *acc; 0 <= t ==>
      (\forall integer u; 0 <= u < t ==>
        Mass(rd{L1}(acc,u),rd{L1}(m,u)) == Mass(rd{L2}(acc,u),rd{L2}(m,u))) ==>
      MassTo{L1}(m,acc,t) == MassTo{L2}(m,acc,t);
    lemma mass_to_same{L1,L2}: \forall float *m, *acc, integer t; 0 <= t ==> Same{L1,L2}(m,t) ==>
      Same{L1,L2}(acc,t) ==> MassTo{L1}(m,acc,t) == MassTo{L2}(m,acc,t); */

/* The largest of the threads' maxima, of which `all` has a copy. */
/*@ requires block && \valid(all + (0 .. BDIM-1)) && \valid(s + (0 .. 31)) && perm(s,32);
    requires \separated(all + (0 .. BDIM-1), s + (0 .. 31));
    requires \separated(m + (0 .. BDIM-1), all + (0 .. BDIM-1));
    requires \separated(m + (0 .. BDIM-1), s + (0 .. 31));
    requires \separated(acc + (0 .. BDIM-1), all + (0 .. BDIM-1));
    requires \separated(acc + (0 .. BDIM-1), s + (0 .. 31));
    requires \separated(in + (0 .. n-1), all + (0 .. BDIM-1));
    requires \separated(in + (0 .. n-1), s + (0 .. 31));
    assigns all[0 .. BDIM-1], s[0 .. 31];
    ensures \result == \old(RowMax(all,BDIM)) && Same{Pre,Post}(m,BDIM);
    ensures Same{Pre,Post}(acc,BDIM) && Same{Pre,Post}(in,n); */
DEV float online_most(PER_THREAD(float, all),
                      float *s GHOST_PARAMS(const float *m, const float *acc, idx n,
                                            const float *in))
{
  return block_max(all, s);
}

/* The maximum of the elements whose exponentials about `top` add up to sum: -Inf where the sum
 * is less than 1, which it is of none but elements that all are -Inf. */
/*@ assigns \nothing;
    ensures sum < 0.5 ==> \result == Lowest;
    ensures 0.5 <= sum ==> \result == top; */
DEV float online_mass(float sum, float top) { return sum < 0.5f ? lowest() : top; }

/* A piece's largest element and the sum of the exponentials about it. */
typedef struct once_sum {
  float m, s;
} once_sum;
//@ predicate sums_up{L}(once_sum a, float *in, integer n) = Mass(a.s,a.m) == Whole{L}(in,n);

/* Of n elements; and of the first thread, the element c, where there is one. The words s have
 * been used by no thread since the last barrier. */
/*@ requires block && once_row(in,n,head,aligned) && \valid(xt + (0 .. BDIM-1));
    requires \valid(s + (0 .. 31)) && perm(s,32) && \separated(in + (0 .. n-1), s + (0 .. 31));
    requires \separated(xt + (0 .. BDIM-1), s + (0 .. 31));
    requires \separated(xt + (0 .. BDIM-1), in + (0 .. n-1));
    assigns xt[0 .. BDIM-1], s[0 .. 31];
    ensures sums_up{Pre}(\result,in,n) && some{Pre}(\result.m,in,n) && 1.0 <= \result.s;
    ensures 0 <= c < n ==> xt[0] == rd{Pre}(in,c); */
DEV once_sum online_chunk(PER_THREAD(float, xt), idx n, int head, int aligned, idx c,
                          const float *RESTRICT in, float *s)
{
  PRIVATE(float, m);
  PRIVATE(float, acc);
  PRIVATE(float, all);
  once_sum sum;
  idx vectors = n > head ? (n - head) / 4 : 0;
  //@ assert most: 0 <= vectors <= IDX_LIM && once_parts(n,head,vectors);
  //@ assert perm: perm_r(in,n) && (0 < vectors ==> head + 4*vectors <= n);
  //@ assert perm_vecs: \forall integer k; 0 <= k < 4*vectors ==> R(in+(head+k));
  //@ assert vecs: once_vecs(in+head,vectors,aligned);
  online_all(m, acc, all, n, head, vectors, aligned, in);
  //@ ghost L1: ;
  //@ assert same: Same{Pre,Here}(in,n);
  //@ assert above: lanes_above(&m[0],BDIM) && lanes_above(&all[0],BDIM);
  //@ assert all_under: once_under(&all[0],RowMax(&all[0],BDIM),BDIM);
  //@ assert under_all: once_under(&m[0],RowMax(&all[0],BDIM),BDIM);
  //@ assert seen_all: lanes_seen{Pre,Here}(&all[0],in,n,BDIM);
  //@ assert seen: is_seen{Pre}(RowMax(&all[0],BDIM),in,n);
  //@ assert first_m: rd{Pre}(in,0) <= m[0];
  //@ assert first_all: rd{Pre}(in,0) <= rd(&all[0],0);
  //@ assert first: rd{Pre}(in,0) <= RowMax(&all[0],BDIM);
  //@ assert some: some{Pre}(RowMax(&all[0],BDIM),in,n);
  //@ assert masses: MassTo(&m[0],&acc[0],BDIM) == LanesWhole{Pre}(in,n,head,vectors,BDIM,BDIM);
  //@ assert whole: MassTo(&m[0],&acc[0],BDIM) == Whole{Pre}(in,n);
  sum.m = online_most(all, s GHOST_ARGS(m, acc, n, in));
  //@ assert top: sum.m == \at(RowMax(&all[0],BDIM),L1) && some{Pre}(sum.m,in,n);
  //@ assert same_m: Same{L1,Here}(&m[0],BDIM);
  //@ assert same_acc: Same{L1,Here}(&acc[0],BDIM);
  //@ assert under: once_under(&m[0],sum.m,BDIM);
  //@ assert still: MassTo(&m[0],&acc[0],BDIM) == Whole{Pre}(in,n);
  //@ assert reads: reads(in,n);
  //@ assert in_1: Same{L1,Here}(in,n);
  //@ assert in: Same{Pre,Here}(in,n);
  online_close(m, acc, xt, c, n, sum.m, in);
  //@ assert mass: Mass(SumR(&acc[0],0,BDIM),sum.m) == Whole{Pre}(in,n);
  //@ assert hit: 0 <= c < n ==> xt[0] == rd{Pre}(in,c);
  /*@ assert apart: \separated(&xt[0], s + (0 .. 31)) && \separated(&xt[0], &acc[0] + (0 ..
        BDIM-1)); */
  //@ ghost L2: ;
  sum.s = block_sum(acc, s);
  //@ assert same_xt: xt[0] == \at(xt[0],L2);
  //@ assert sum: Mass(sum.s,sum.m) == Whole{Pre}(in,n);
  //@ assert large: 1.0 <= sum.s;
  return sum;
}
#endif
