/* Warp and block all-reduce: sums over the lanes of a warp and the threads of a block: the
 * butterfly, so that every lane holds the result, by the same additions in the same order up to
 * swapped operands: the same bits. And what one thread of a block stores. */
#ifndef PM_COLLECTIVE_BLOCK_SUM_H
#define PM_COLLECTIVE_BLOCK_SUM_H
#include "../lang/kernel.h"
#include "butterfly.h"

/* Defined as 1 before this file is included: blocks of one warp are so frequent that block_sum
 * looks for them. The test alone costs layer_norm 4 to 7%. Both ways are proven. */
#ifdef PROVE_BLOCK
extern int one_warp_;
#define ONE_WARP one_warp_
#elif !defined(ONE_WARP)
#define ONE_WARP 0
#endif

/* The larger of two; NaN where either is. Commutative to the bit: of two zeros, their sum. */
/*@ assigns \nothing; ensures \result == (x < y ? y : x); */
DEV float larger(float x, float y)
{
#if defined(__FRAMAC__) || defined(PM_SIM)
  return x > y ? x : x < y ? y : x == y && x != 0.0f ? x : x + y;
#else
  float v;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(v) : "f"(x), "f"(y)); /* +0 is above -0 */
  return v;
#endif
}

/* v of lane l becomes v of lane l + v of lane l xor m. */
/*@ requires block && (m == 1 || m == 2 || m == 4 || m == 8 || m == 16);
    requires \valid(v + (0 .. BDIM-1));
    assigns v[0 .. BDIM-1];
    ensures bfly{Pre,Post}(v, BDIM, m); */
DEV void xor_add(PER_THREAD(float, v), int m)
{
  PRIVATE(float, d);
  SHFL_XOR(d, v, m);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant \forall integer l; 0 <= l < t ==> v[l] == \at(v[l],Pre) + d[l];
      loop invariant \forall integer l; t <= l < BDIM ==> v[l] == \at(v[l],Pre);
      loop assigns t, v[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(v, t) += AT(d, t);
}

/* v of every lane becomes the sum over its warp. */
/*@ requires block && \valid(v + (0 .. BDIM-1));
    assigns v[0 .. BDIM-1];
    ensures wst{Pre,Post}(v, BDIM, 5, 32); */
DEV void warp_sum(PER_THREAD(float, v))
{
  //@ assert wst{Pre,Here}(v, BDIM, 0, 1);
  xor_add(v, 1);
  //@ assert wst{Pre,Here}(v, BDIM, 1, 2);
  xor_add(v, 2);
  //@ assert wst{Pre,Here}(v, BDIM, 2, 4);
  xor_add(v, 4);
  //@ assert wst{Pre,Here}(v, BDIM, 3, 8);
  xor_add(v, 8);
  //@ assert wst{Pre,Here}(v, BDIM, 4, 16);
  xor_add(v, 16);
}

/*@ requires 0 <= t < MAXB && \valid(s + (0 .. 31)) && \forall integer k; pub_W(t,k) ==> WS(s+k);
    assigns s[t / 32];
    ensures t % 32 == 0 ==> s[t / 32] == v;
    ensures t % 32 != 0 ==> s[t / 32] == \old(s[t / 32]); */
DEV void publish(int t, float *s, float v PHASE_FN)
{
  if (t % 32 == 0)
    ST(&s[t / 32], v);
}

/*@ requires 0 <= t < n <= MAXB && n % 32 == 0 && \valid(s + (0 .. 31));
    requires \forall integer k; get_R(t,n,k) ==> RS(s+k);
    assigns \nothing;
    ensures \result == (32*(t % 32) < n ? s[t % 32] : none); */
DEV float published(int t, int n, float *s, float none PHASE_FN)
{
  return t % 32 < n / 32 ? LD(&s[t % 32]) : none;
}

/* The sum of v over the block; s has 32 words. */
/*@ requires block && \valid(v + (0 .. BDIM-1)) && \valid(s + (0 .. 31)) && IS_SHARED(s, 32);
    requires \separated(v + (0 .. BDIM-1), s + (0 .. 31));
    assigns v[0 .. BDIM-1], s[0 .. 31];
    ensures \result == \old(SumR(v, 0, BDIM)); */
DEV float block_sum(PER_THREAD(float, v), float *s)
#if defined(__FRAMAC__) && !defined(PROVE_BLOCK)
    ;
#else
{
  warp_sum(v);
  if (ONE_WARP && BDIM == 32) {
    //@ assert one: \forall integer l; 0 <= l < BDIM ==> v[l] == tree{Pre}(v, 5, 0);
    return UNIFORM(v); // lint-ok diverge: by the size of the block
  }
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant \forall integer k; 0 <= k && 32*k < t ==> s[k] == tree{Pre}(v, 5, k);
      loop assigns t, s[0 .. 31];
      loop variant BDIM - t; */
  PHASE_OF(t, leaders_(s, 32)) publish(t, s, AT(v, t) IN_PHASE_OF(t));
  //@ assert pubd{Pre,Here}(v, s, BDIM / 32);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant \forall integer l; 0 <= l < t ==>
        v[l] == (32*(l % 32) < BDIM ? s[l % 32] : 0.0);
      loop assigns t, v[0 .. BDIM-1];
      loop variant BDIM - t; */
  PHASE_OF(t, shown_(s, 32)) AT(v, t) = published(t, BDIM, s, 0.0f IN_PHASE_OF(t));
  //@ assert gath(v, s, BDIM / 32);
  //@ assert pubd{Pre,Here}(v, s, BDIM / 32);
  //@ assert SumR(s, 0, BDIM / 32) == SumR{Pre}(v, 0, 32 * (BDIM / 32));
  //@ assert 32 * (BDIM / 32) == BDIM;
  /*@ assert all: \forall integer g; 0 <= g < BDIM / 32 ==>
        tree(v, 5, g) == SumR{Pre}(v, 0, BDIM); */
  warp_sum(v);
  //@ assert \forall integer l; 0 <= l < BDIM ==> v[l] == SumR{Pre}(v, 0, BDIM);
  return UNIFORM(v);
}
#endif

/*@ requires t == 0 ==> \valid(p) && W(p);
    assigns *p;
    ensures *p == (t == 0 ? v : \old(*p)); */
DEV void put_first(int t, float *p, float v THREAD_FN)
{
  if (t == 0)
    STG(p, v);
}

/* *to = v, by one thread. */
/*@ requires block && \valid(to) && W_BY(to, 0);
    assigns *to;
    ensures *to == v; */
DEV void block_put(float v, float *to BLOCK_FN)
{
  /*@ loop invariant 0 <= t <= BDIM && (0 < t ==> *to == v);
      loop assigns t, *to;
      loop variant BDIM - t; */
  EACH_OWNER(t) put_first(t, to, v IN_THREAD_OF(t));
}
#endif
