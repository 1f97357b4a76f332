/* Guarded tail: what the threads of a block add up one element at a time. */
#ifndef PM_SUM_TAIL_H
#define PM_SUM_TAIL_H
#include "../collective/block_sum.h"

//@ logic integer least(integer a, integer b) = a < b ? a : b;
/* The elements from .. n-1. */
/*@ requires block && 0 <= from <= n && reads(x,n);
    requires \valid(acc + (0 .. BDIM-1)) && \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == \old(SumR(acc, 0, BDIM)) + SumR{Pre}(x, from, n); */
DEV void sum_add_rest(PER_THREAD(float, acc), idx from, idx n, const float *RESTRICT x)
{
  /*@ loop invariant from <= k0 <= n + BDIM;
      loop invariant SumR(acc, 0, BDIM) ==
        \at(SumR(acc, 0, BDIM),Pre) + SumR{Pre}(x, from, least(k0,n));
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant n - k0; */
  for (idx k0 = from; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) ==
          \at(SumR(acc, 0, BDIM),Pre) + SumR{Pre}(x, from, least(k0 + t,n));
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < n) {
        AT(acc, t) += LDG(x + k0 + t);
        //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
        /*@ assert acc[t] == \at(acc[t],LoopCurrent) +
              (SumR{Pre}(x, from, k0 + t + 1) - SumR{Pre}(x, from, k0 + t)); */
      }
  }
}
#endif
