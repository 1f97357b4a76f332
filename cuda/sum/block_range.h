/* Block reduction of a range, by vectors: vectors of an array in the registers of its threads,
 * several at a time, what is no whole vector behind them, and then across the threads. And the
 * last launch of a mean, which divides. */
#ifndef PM_SUM_BLOCK_RANGE_H
#define PM_SUM_BLOCK_RANGE_H
#include "../lang/owned.h"
#include "../lang/dependent_launch.h"
#include "../math/divide.h"
#include "vectors.h"

#define SUM_DEPTH 4 /* loads that a thread has in flight */

/* SUM_DEPTH vectors of each thread, from vector k0 on; whole: all of them are there, and
 * aligned. */
/*@ requires block && sum_reads(x,4*hi,hi,aligned) && 0 <= k0 <= IDX_LIM;
    requires \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. 4*hi-1));
    requires whole != 0 ==> aligned != 0 && k0 + SUM_DEPTH*BDIM <= hi;
    assigns v[0 .. KMAX*MAXB-1];
    ensures vectors{Pre,Post}(v, x, k0, hi, SUM_DEPTH*BDIM); */
DEV void sum_load_all(PER_THREADK(float4, v), idx k0, idx hi, int aligned, int whole,
                      const float *RESTRICT x)
{
  /*@ loop invariant 0 <= j <= SUM_DEPTH && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant vectors{Pre,Here}(v, x, k0, hi, j0) && Same{Pre,Here}(x,4*hi);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant SUM_DEPTH - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < SUM_DEPTH; j++, j0 += BDIM) {
    //@ assert mul(SUM_DEPTH, BDIM) == SUM_DEPTH*BDIM && j0 + BDIM <= SUM_DEPTH*BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant vectors{Pre,Here}(v, x, k0, hi, j0 + t) && Same{Pre,Here}(x,4*hi);
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float4 u =
          whole ? sum_vector(k0 + j0 + t, x GHOST_ARGS(hi)) : sum_load(k0 + j0 + t, hi, aligned, x);
      //@ assert vector{Pre}(u, x, k0 + j0 + t, hi);
      REG(v, j, j0, t) = u;
      //@ assert vector{Pre}(v[j0+t], x, k0 + j0 + t, hi);
      //@ assert vectors{Pre,Here}(v, x, k0, hi, j0 + t);
    }
  }
  //@ assert mul(SUM_DEPTH, BDIM) == SUM_DEPTH*BDIM;
}

/*@ requires block && 0 <= k0 < hi && sum_reads(x,4*hi,hi,0);
    requires \valid_read(v + (0 .. KMAX*MAXB-1));
    requires vectors{Pre,Pre}(v, x, k0, hi, SUM_DEPTH*BDIM);
    requires \valid(acc + (0 .. BDIM-1)) && \separated(acc + (0 .. BDIM-1), x + (0 .. 4*hi-1));
    requires \separated(acc + (0 .. BDIM-1), v + (0 .. KMAX*MAXB-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) ==
      \old(SumR(acc, 0, BDIM)) + VecSum{Pre}(x, k0, k0 + SUM_DEPTH*BDIM, hi); */
DEV void sum_add_all(PER_THREAD(float, acc),
                     PER_THREADK(float4, v) GHOST_PARAMS(idx k0, idx hi, const float *x))
{
  /*@ loop invariant 0 <= j <= SUM_DEPTH && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant SumR(acc, 0, BDIM) ==
        \at(SumR(acc, 0, BDIM),Pre) + VecSum{Pre}(x, k0, k0 + j0, hi);
      loop assigns j, j0, acc[0 .. BDIM-1];
      loop variant SUM_DEPTH - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < SUM_DEPTH; j++, j0 += BDIM) {
    //@ assert mul(SUM_DEPTH, BDIM) == SUM_DEPTH*BDIM && j0 + BDIM <= SUM_DEPTH*BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) ==
          \at(SumR(acc, 0, BDIM),Pre) + VecSum{Pre}(x, k0, k0 + j0 + t, hi);
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float4 u = REG(v, j, j0, t);
      //@ assert vector{Pre}(u, x, k0 + j0 + t, hi);
      AT(acc, t) += (u.x + u.y) + (u.z + u.w);
      //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
      /*@ assert (u.x + u.y) + (u.z + u.w) ==
            VecSum{Pre}(x, k0, k0 + j0 + t + 1, hi) - VecSum{Pre}(x, k0, k0 + j0 + t, hi); */
      /*@ assert acc[t] == \at(acc[t],LoopCurrent) +
            (VecSum{Pre}(x, k0, k0 + j0 + t + 1, hi) - VecSum{Pre}(x, k0, k0 + j0 + t, hi)); */
    }
  }
  //@ assert mul(SUM_DEPTH, BDIM) == SUM_DEPTH*BDIM;
}

/* The sum of vectors lo .. hi-1 and of elements from .. n-1, for all threads. */
/*@ requires block && 0 <= lo <= hi && 4*hi <= n && 0 <= from <= n && sum_reads(x,n,hi,aligned);
    assigns \nothing;
    ensures \result == SumR{Pre}(x, 4*lo, 4*hi) + SumR{Pre}(x, from, n); */
DEV float sum_range(idx lo, idx hi, idx from, idx n, int aligned, const float *RESTRICT x)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  float total;
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  /*@ loop invariant lo <= k0 <= hi + SUM_DEPTH*BDIM && Same{Pre,Here}(x,n);
      loop invariant SumR(&acc[0], 0, BDIM) == VecSum{Pre}(x, lo, k0, hi);
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant hi - k0; */
  for (idx k0 = lo; k0 < hi; k0 += SUM_DEPTH * BDIM) {
    PRIVATEK(float4, v);
    if (aligned && k0 + SUM_DEPTH * BDIM <= hi)
      sum_load_all(v, k0, hi, aligned, 1, x);
    else
      sum_load_all(v, k0, hi, aligned, 0, x);
    //@ assert Same{Pre,Here}(x,n);
    //@ assert Same{LoopCurrent,Here}(&acc[0], BDIM);
    //@ assert SumR(&acc[0], 0, BDIM) == VecSum{Pre}(x, lo, k0, hi);
    //@ assert Same{Pre,Here}(x, 4*least(k0 + SUM_DEPTH*BDIM,hi));
    /*@ assert VecSum(x, k0, k0 + SUM_DEPTH*BDIM, hi) ==
               VecSum{Pre}(x, k0, k0 + SUM_DEPTH*BDIM, hi); */
    sum_add_all(acc, v GHOST_ARGS(k0, hi, x));
  }
  //@ assert Same{Pre,Here}(x,n) && SumR(&acc[0], 0, BDIM) == SumR{Pre}(x, 4*lo, 4*hi);
  //@ assert SumR(x, from, n) == SumR{Pre}(x, from, n);
  sum_add_rest(acc, from, n, x);
  //@ assert SumR(&acc[0], 0, BDIM) == SumR{Pre}(x, 4*lo, 4*hi) + SumR{Pre}(x, from, n);
  total = block_sum(acc, s);
  //@ assert total == SumR{Pre}(x, 4*lo, 4*hi) + SumR{Pre}(x, from, n);
  return total;
}

/* One block: out[0] = (sum of x[0 .. n-1]) / count. */
/*@ requires block && sum_reads(x,n,V,aligned) && own_firsts(out,1) && apart(x,n,out,1);
    requires BLOCKS == 1;
    assigns out[0];
    ensures out[0] == rdiv(Sum{Pre}(x,n), count); */
KERNEL void mean_block(idx n, idx V, int aligned, double count, const float *RESTRICT x,
                       float *RESTRICT out)
{
  await_launches();
  float total = sum_range(0, V, 4 * V, n, aligned, x);
  //@ assert SumR{Pre}(x, 0, 4*V) + SumR{Pre}(x, 4*V, n) == SumR{Pre}(x, 0, n);
  block_put(over(total, count), out IN_ONE_BLOCK);
}
#endif
