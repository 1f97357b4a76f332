/* The maximum of a row in the registers of a block, padded with -Inf (row/regs_padded.h). */
#ifndef PM_LSE_REGS_MAX_H
#define PM_LSE_REGS_MAX_H
#include "../collective/block_max.h"
#include "exp_term.h"
#include "../row/regs_padded.h"
#include "../row/thread_max.h"

/*@ predicate at_most4(float4 v, real m) = v.x <= m && v.y <= m && v.z <= m && v.w <= m;
    predicate at_top{L0,L}(float *top, integer T, float *x, integer k, integer n) =
      k < n ==> \at(x[k],L0) <= RowMax{L}(top,T);
    lemma above_next{L0,L}: \forall float *top, integer T, float *x, integer k, n; 0 <= k ==>
      above{L0,L}(top,T,x,lesser(k,n)) ==> at_top{L0,L}(top,T,x,k,n) ==>
      above{L0,L}(top,T,x,lesser(k+1,n));
    lemma above_4{L0,L}: \forall float *top, integer T, float *x, integer k, n; 0 <= k ==>
      above{L0,L}(top,T,x,lesser(k,n)) ==> at_top{L0,L}(top,T,x,k,n) ==>
      at_top{L0,L}(top,T,x,k+1,n) ==> at_top{L0,L}(top,T,x,k+2,n) ==>
      at_top{L0,L}(top,T,x,k+3,n) ==> above{L0,L}(top,T,x,lesser(k+4,n));
    lemma lowest_below{L}: \forall float *x, integer n; 1 <= n ==> above_lowest{L}(x,n) ==>
      Lowest < RowMax{L}(x,n);
    lemma pad_is_below{L}: \forall float *x, integer k, n; 0 <= k ==> 1 <= n ==>
      above_lowest{L}(x,n) ==> Padded{L}(x,k,n) <= RowMax{L}(x,n);
    lemma vec_is_below{L}: \forall float4 v, float *x, integer q, n; 0 <= q ==> 1 <= n ==>
      above_lowest{L}(x,n) ==> pad_vec{L}(v,x,q,n) ==> at_most4(v,RowMax{L}(x,n)); */

/*@ assigns \nothing;
    ensures top <= \result && v.x <= \result && v.y <= \result && v.z <= \result;
    ensures v.w <= \result;
    ensures \result == top || \result == v.x || \result == v.y || \result == v.z ||
      \result == v.w; */
DEV float larger_vec(float top, float4 v)
{
  return larger(larger(larger(larger(top, v.x), v.y), v.z), v.w);
}

/*@ requires row_fits(K,n) && \valid_read(x + (0 .. n-1)) && above_lowest(x,n);
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,BDIM));
    requires \valid(top + (0 .. BDIM-1)) && some_of{Pre,Pre}(top, BDIM, x, n);
    requires \separated(top + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(top + (0 .. BDIM-1), v + (0 .. KMAX*MAXB-1));
    assigns top[0 .. BDIM-1];
    ensures RowMax(top, BDIM) == RowMax{Pre}(x, n); */
DEV void regs_max_all(PER_THREAD(float, top), PER_THREADK(float4, v),
                      int K GHOST_PARAMS(int n, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant some_of{Pre,Here}(top, BDIM, x, n);
      loop invariant above{Pre,Here}(top, BDIM, x, lesser(4*j0, n));
      loop assigns j, j0, top[0 .. BDIM-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    //@ assert j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant some_of{Pre,Here}(top, BDIM, x, n);
        loop invariant above{Pre,Here}(top, BDIM, x, lesser(4*(j0+t), n));
        loop assigns t, top[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert pad_vec{Pre}(v[j0+t], x, j0 + t, n);
      //@ assert at_most4(v[j0+t], RowMax{Pre}(x, n));
      AT(top, t) = larger_vec(AT(top, t), REG(v, j, j0, t));
      //@ assert some: top[t] <= RowMax{Pre}(x, n);
      //@ assert only: only{LoopCurrent,Here}(top, t, BDIM);
      //@ assert grows: at_most{LoopCurrent,Here}(top, BDIM);
      //@ assert max: \at(RowMax(top, BDIM),LoopCurrent) <= RowMax(top, BDIM);
      //@ assert one: top[t] <= RowMax(top, BDIM);
      //@ assert x: at_top{Pre,Here}(top, BDIM, x, 4*(j0+t), n);
      //@ assert y: at_top{Pre,Here}(top, BDIM, x, 4*(j0+t)+1, n);
      //@ assert z: at_top{Pre,Here}(top, BDIM, x, 4*(j0+t)+2, n);
      //@ assert w: at_top{Pre,Here}(top, BDIM, x, 4*(j0+t)+3, n);
      //@ assert old: above{Pre,Here}(top, BDIM, x, lesser(4*(j0+t), n));
      //@ assert new: above{Pre,Here}(top, BDIM, x, lesser(4*(j0+t)+4, n));
    }
  }
  //@ assert above{Pre,Here}(top, BDIM, x, n);
  //@ assert RowMax(top, BDIM) <= RowMax{Pre}(x, n);
  //@ assert RowMax{Pre}(x, n) <= RowMax(top, BDIM);
}

/* The maximum of the row in v, for all threads. */
/*@ requires row_fits(K,n) && \valid_read(x + (0 .. n-1)) && above_lowest(x,n);
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,BDIM));
    assigns \nothing;
    ensures \result == RowMax{Pre}(x, n); */
DEV float regs_max(PER_THREADK(float4, v), int K GHOST_PARAMS(int n, const float *x))
{
  SHARED(float, s, 32);
  PRIVATE(float, top);
  /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(x,n);
      loop invariant \forall integer u; 0 <= u < t ==> top[u] == Lowest;
      loop assigns t, top[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(top, t) = lowest();
  //@ assert Same{Pre,Here}(x,n) && RowMax{Pre}(x, n) == RowMax(x, n);
  //@ assert above_lowest(x,n) && Lowest < RowMax(x, n);
  //@ assert pad_vecs{Pre,Here}(v, x, n, 0, mul(K,BDIM));
  //@ assert pad_vecs{Here,Here}(v, x, n, 0, mul(K,BDIM));
  regs_max_all(top, v, K GHOST_ARGS(n, x));
  return block_max(top, s);
}
#endif
