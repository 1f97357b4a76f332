/* Block all-reduce: the maximum over the threads of a block, by the xor-shuffle butterfly of
 * block_sum.h; NaN where any thread has one. */
#ifndef PM_COLLECTIVE_BLOCK_MAX_H
#define PM_COLLECTIVE_BLOCK_MAX_H
#include "block_sum.h"
#include "../../spec/softmax.h"

/*@ lemma row_max_top{L}: \forall float *a, integer k, n; 0 <= k < n ==> a[k] <= RowMax{L}(a,n); */
#ifdef PROVE_BLOCK_MAX
/*@ // where it stands
    logic integer ArgMax{L}(float *a, integer n) =
      n <= 1 ? 0 : a[ArgMax{L}(a,n-1)] < a[n-1] ? n - 1 : ArgMax{L}(a,n-1);
    lemma arg_max_in{L}: \forall float *a, integer n; 1 <= n ==> 0 <= ArgMax{L}(a,n) < n;
    lemma row_max_met{L}: \forall float *a, integer n; 1 <= n ==>
      a[ArgMax{L}(a,n)] == RowMax{L}(a,n); */
#endif
/*@ // no element of a is above the maximum of b
    predicate below_max{L1,L2}(float *a, integer n, float *b, integer m) =
      \forall integer k; 0 <= k < n ==> \at(a[k],L1) <= RowMax{L2}(b,m);
    lemma row_max_below{L1,L2}: \forall float *a, *b, integer n, m; 1 <= n ==>
      below_max{L1,L2}(a,n,b,m) ==> RowMax{L1}(a,n) <= RowMax{L2}(b,m);
    predicate at_most{L1,L2}(float *a, integer n) =
      \forall integer k; 0 <= k < n ==> \at(a[k],L1) <= \at(a[k],L2);
    lemma row_max_grows{L1,L2}: \forall float *a, integer n; 1 <= n ==> at_most{L1,L2}(a,n) ==>
      RowMax{L1}(a,n) <= RowMax{L2}(a,n); */

#if !defined(__FRAMAC__) || defined(PROVE_BLOCK_MAX) || defined(PROVE_TEAM)
/*@ // what thread k had is at most what the threads of its group of m have
    predicate tops{L0,L}(float *v, integer n, integer m) =
      \forall integer l, k; 0 <= l < n ==> 0 <= k < n ==> l / m == k / m ==>
        \at(v[k],L0) <= \at(v[l],L);
    predicate under{L0,L}(float *v, integer n) =
      \forall integer l; 0 <= l < n ==> \at(v[l],L) <= RowMax{L0}(v,n);
    // one step: the larger of a thread's and its partner's
    logic real Larger(real x, real y) = x < y ? y : x;
    predicate mfly{L1,L2}(float *v, integer n, integer m) = \forall integer l; 0 <= l < n ==>
      \at(v[l],L2) == Larger(\at(v[l],L1), \at(v[lx(l,m)],L1));
    lemma mate_1: \forall integer l, k; 0 <= l ==> 0 <= k ==> l / 2 == k / 2 ==>
      l / 1 == k / 1 || lx(l,1) / 1 == k / 1;
    lemma mate_2: \forall integer l, k; 0 <= l ==> 0 <= k ==> l / 4 == k / 4 ==>
      l / 2 == k / 2 || lx(l,2) / 2 == k / 2;
    lemma mate_4: \forall integer l, k; 0 <= l ==> 0 <= k ==> l / 8 == k / 8 ==>
      l / 4 == k / 4 || lx(l,4) / 4 == k / 4;
    lemma mate_8: \forall integer l, k; 0 <= l ==> 0 <= k ==> l / 16 == k / 16 ==>
      l / 8 == k / 8 || lx(l,8) / 8 == k / 8;
    lemma mate_16: \forall integer l, k; 0 <= l ==> 0 <= k ==> l / 32 == k / 32 ==>
      l / 16 == k / 16 || lx(l,16) / 16 == k / 16;
    lemma mate_in_1: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> 0 <= lx(l,1) < n;
    lemma mate_in_2: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> 0 <= lx(l,2) < n;
    lemma mate_in_4: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> 0 <= lx(l,4) < n;
    lemma mate_in_8: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> 0 <= lx(l,8) < n;
    lemma mate_in_16: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> 0 <= lx(l,16) < n;
    lemma top_1{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==>
      tops{L0,L1}(v,n,1) ==> mfly{L1,L2}(v,n,1) ==> tops{L0,L2}(v,n,2);
    lemma top_2{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==>
      tops{L0,L1}(v,n,2) ==> mfly{L1,L2}(v,n,2) ==> tops{L0,L2}(v,n,4);
    lemma top_4{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==>
      tops{L0,L1}(v,n,4) ==> mfly{L1,L2}(v,n,4) ==> tops{L0,L2}(v,n,8);
    lemma top_8{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==>
      tops{L0,L1}(v,n,8) ==> mfly{L1,L2}(v,n,8) ==> tops{L0,L2}(v,n,16);
    lemma top_16{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==>
      tops{L0,L1}(v,n,16) ==> mfly{L1,L2}(v,n,16) ==> tops{L0,L2}(v,n,32);
    lemma under_1{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==> under{L0,L1}(v,n) ==>
      mfly{L1,L2}(v,n,1) ==> under{L0,L2}(v,n);
    lemma under_2{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==> under{L0,L1}(v,n) ==>
      mfly{L1,L2}(v,n,2) ==> under{L0,L2}(v,n);
    lemma under_4{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==> under{L0,L1}(v,n) ==>
      mfly{L1,L2}(v,n,4) ==> under{L0,L2}(v,n);
    lemma under_8{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==> under{L0,L1}(v,n) ==>
      mfly{L1,L2}(v,n,8) ==> under{L0,L2}(v,n);
    lemma under_16{L0,L1,L2}: \forall float *v, integer n; n % 32 == 0 ==> under{L0,L1}(v,n) ==>
      mfly{L1,L2}(v,n,16) ==> under{L0,L2}(v,n);
    // where there is one warp
    predicate top_of_all{L0,L}(float *v, integer n) =
      \forall integer l, k; 0 <= l < n ==> 0 <= k < n ==> \at(v[k],L0) <= \at(v[l],L);
    lemma of_one_warp: \forall integer l, k; 0 <= l < 32 ==> 0 <= k < 32 ==> l / 32 == k / 32;
    lemma top_at{L0,L}: \forall float *v, integer n, l, k; tops{L0,L}(v,n,32) ==> 0 <= l < n ==>
      0 <= k < n ==> l / 32 == k / 32 ==> \at(v[k],L0) <= \at(v[l],L);
    lemma top_of_one{L0,L}: \forall float *v, integer n; n <= 32 ==> tops{L0,L}(v,n,32) ==>
      top_of_all{L0,L}(v,n);
    lemma first_of: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==>
      0 <= 32*(l/32) < n && (32*(l/32)) / 32 == l / 32;
    predicate is_top{L0,L}(float *v, integer n) =
      \forall integer l; 0 <= l < n ==> \at(v[l],L) == RowMax{L0}(v,n);
    lemma both_ways{L0,L}: \forall float *v, integer n; 1 <= n ==> top_of_all{L0,L}(v,n) ==>
      under{L0,L}(v,n) ==> is_top{L0,L}(v,n);
    predicate top_of_first{L0,L}(float *v, integer n) =
      \forall integer k; 0 <= k < n ==> \at(v[k],L0) <= \at(v[32*(k/32)],L);
    lemma tops_first{L0,L}: \forall float *v, integer n; n % 32 == 0 ==> tops{L0,L}(v,n,32) ==>
      top_of_first{L0,L}(v,n);
    // warp l / 32 has what warp w published in its lane w
    lemma lane_of: \forall integer l, w, n; n % 32 == 0 ==> n <= MAXB ==> 0 <= l < n ==>
      0 <= w ==> 32*w < n ==> 0 <= 32*(l/32) + w < n && (32*(l/32) + w) / 32 == l / 32 &&
      (32*(l/32) + w) % 32 == w; */
#endif

#if !defined(__FRAMAC__) || defined(PROVE_BLOCK_MAX)
/* v of lane l becomes the larger of v of l and v of l xor m. */
/*@ requires block && (m == 1 || m == 2 || m == 4 || m == 8 || m == 16);
    requires \valid(v + (0 .. BDIM-1));
    assigns v[0 .. BDIM-1];
    ensures mfly{Pre,Post}(v, BDIM, m); */
DEV void xor_max(PER_THREAD(float, v), int m)
{
  PRIVATE(float, d);
  SHFL_XOR(d, v, m);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant \forall integer l; 0 <= l < t ==> v[l] == Larger(\at(v[l],Pre), d[l]);
      loop invariant \forall integer l; t <= l < BDIM ==> v[l] == \at(v[l],Pre);
      loop assigns t, v[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(v, t) = larger(AT(v, t), AT(d, t));
}

/* v of every lane becomes the maximum over its warp. */
/*@ requires block && \valid(v + (0 .. BDIM-1));
    assigns v[0 .. BDIM-1];
    ensures tops{Pre,Post}(v, BDIM, 32);
    ensures under{Pre,Post}(v, BDIM); */
DEV void warp_max(PER_THREAD(float, v))
{
  //@ assert tops{Pre,Here}(v, BDIM, 1);
  //@ assert under{Pre,Here}(v, BDIM);
  xor_max(v, 1);
  //@ assert tops{Pre,Here}(v, BDIM, 2);
  //@ assert under{Pre,Here}(v, BDIM);
  xor_max(v, 2);
  //@ assert tops{Pre,Here}(v, BDIM, 4);
  //@ assert under{Pre,Here}(v, BDIM);
  xor_max(v, 4);
  //@ assert tops{Pre,Here}(v, BDIM, 8);
  //@ assert under{Pre,Here}(v, BDIM);
  xor_max(v, 8);
  //@ assert tops{Pre,Here}(v, BDIM, 16);
  //@ assert under{Pre,Here}(v, BDIM);
  xor_max(v, 16);
}
#endif

/* The maximum of v over the block; s has 32 words. */
/*@ requires block && \valid(v + (0 .. BDIM-1)) && \valid(s + (0 .. 31)) && IS_SHARED(s, 32);
    requires \separated(v + (0 .. BDIM-1), s + (0 .. 31));
    assigns v[0 .. BDIM-1], s[0 .. 31];
    ensures \result == \old(RowMax(v, BDIM)); */
DEV float block_max(PER_THREAD(float, v), float *s)
#if defined(__FRAMAC__) && !defined(PROVE_BLOCK_MAX)
    ;
#else
{
  warp_max(v);
  if (BDIM == 32) {
    //@ assert each: top_of_all{Pre,Here}(v, BDIM);
    //@ assert one: is_top{Pre,Here}(v, BDIM);
    return UNIFORM(v); // lint-ok diverge: by the size of the block
  }
  //@ ghost L1: ;
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant \forall integer k; 0 <= k && 32*k < t ==> s[k] == v[32*k];
      loop assigns t, s[0 .. 31];
      loop variant BDIM - t; */
  PHASE_OF(t, leaders_(s, 32)) publish(t, s, AT(v, t) IN_PHASE_OF(t));
  //@ assert of: \forall integer k; 0 <= k < BDIM ==> 0 <= 32*(k/32) < BDIM;
  //@ assert first: top_of_first{Pre,L1}(v, BDIM);
  //@ assert held: \forall integer k; 0 <= k < BDIM ==> \at(v[k],Pre) <= s[k/32];
  //@ assert low: \forall integer k; 0 <= k && 32*k < BDIM ==> s[k] <= RowMax{Pre}(v, BDIM);
  // a lane that no warp has published for keeps its own
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant \forall integer l; 0 <= l < t ==>
        v[l] == (32*(l % 32) < BDIM ? s[l % 32] : \at(v[l],L1));
      loop invariant \forall integer l; t <= l < BDIM ==> v[l] == \at(v[l],L1);
      loop assigns t, v[0 .. BDIM-1];
      loop variant BDIM - t; */
  PHASE_OF(t, shown_(s, 32)) AT(v, t) = published(t, BDIM, s, AT(v, t) IN_PHASE_OF(t));
  //@ assert under{Pre,Here}(v, BDIM);
  //@ assert held2: \forall integer k; 0 <= k < BDIM ==> \at(v[k],Pre) <= s[k/32];
  //@ assert max: RowMax(v, BDIM) <= RowMax{Pre}(v, BDIM);
  //@ ghost L2: ;
  warp_max(v);
  //@ assert held3: \forall integer k; 0 <= k < BDIM ==> \at(v[k],Pre) <= s[k/32];
  /*@ assert cell: \forall integer l, w; 0 <= l < BDIM ==> 0 <= w ==> 32*w < BDIM ==>
        s[w] == \at(v[32*(l/32) + w],L2) && \at(v[32*(l/32) + w],L2) <= v[l] && s[w] <= v[l]; */
  /*@ assert theirs: \forall integer l, k; 0 <= l < BDIM ==> 0 <= k < BDIM ==>
        s[k/32] <= v[l]; */
  //@ assert lane: top_of_all{Pre,Here}(v, BDIM);
  //@ assert under{Pre,Here}(v, BDIM);
  //@ assert all: is_top{Pre,Here}(v, BDIM);
  return UNIFORM(v);
}
#endif
#endif
