/* A row in the registers of a block, as regs.h has it, but outside the row its vectors hold -Inf:
 * neither a maximum nor a sum of exponentials then asks where the row ends. */
#ifndef PM_ROW_REGS_PADDED_H
#define PM_ROW_REGS_PADDED_H
#include "../math/neg_inf.h"
#include "regs.h"

/*@ // element k of a row of n as its vector holds it
    logic real Padded{L}(float *x, integer k, integer n) = k < n ? x[k] : Lowest;
    predicate above_lowest{L}(float *x, integer n) =
      \forall integer k; 0 <= k < n ==> Lowest < x[k];
    predicate pad_vec{L}(float4 v, float *x, integer q, integer n) =
      v.x == Padded(x,4*q,n) && v.y == Padded(x,4*q+1,n) && v.z == Padded(x,4*q+2,n) &&
      v.w == Padded(x,4*q+3,n);
    predicate pad_vecs{L0,L}(float4 *v, float *x, integer n, integer from, integer to) =
      \forall integer q; from <= q < to ==> pad_vec{L0}(\at(v[q],L), x, q, n);
    lemma pad_vecs_frame{L1,L2,L}: \forall float4 *v, float *x, integer n, from, to; 0 <= from ==>
      Same{L1,L2}(x,n) ==> pad_vecs{L1,L}(v,x,n,from,to) ==> pad_vecs{L2,L}(v,x,n,from,to);
    lemma above_frame{L1,L2}: \forall float *x, integer n; Same{L1,L2}(x,n) ==>
      above_lowest{L1}(x,n) ==> above_lowest{L2}(x,n); */

/* Vector j0 + t of a row of n; `whole`: it has every vector of every thread. */
/*@ requires row_in(x,n,aligned) && row_at(j0,t,n);
    requires whole != 0 ==> aligned != 0 && 4*(j0+t)+3 < n;
    assigns \nothing;
    ensures pad_vec(\result, x, j0 + t, n); */
DEV float4 padded_load(int j0, int t, int n, int aligned, int whole, const float *RESTRICT x)
{
  float low = lowest();
  float4 v = {low, low, low, low};
  const float *at = x + 4 * t;
  if (aligned) {
    if (whole || row_has(j0, t, 0, n, aligned))
      v = LD4(at + 4 * j0);
  } else {
    if (row_has(j0, t, 0, n, aligned))
      v.x = LDG(at + 4 * j0);
    if (row_has(j0, t, 1, n, aligned))
      v.y = LDG(at + 4 * j0 + 1);
    if (row_has(j0, t, 2, n, aligned))
      v.z = LDG(at + 4 * j0 + 2);
    if (row_has(j0, t, 3, n, aligned))
      v.w = LDG(at + 4 * j0 + 3);
  }
  return v;
}

/*@ requires row_fits(K,n) && row_in(x,n,aligned) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires whole != 0 ==> aligned != 0 && n == 4*mul(K,BDIM);
    assigns v[0 .. KMAX*MAXB-1];
    ensures pad_vecs{Pre,Post}(v, x, n, 0, mul(K,BDIM)); */
DEV void padded_load_all(PER_THREADK(float4, v), int K, int n, int aligned, int whole,
                         const float *RESTRICT x)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant pad_vecs{Pre,Here}(v, x, n, 0, j0);
      loop invariant Same{Pre,Here}(x,n);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    //@ assert j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant pad_vecs{Pre,Here}(v, x, n, 0, j0 + t);
        loop invariant Same{Pre,Here}(x,n);
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float4 u = padded_load(j0, t, n, aligned, whole, x);
      //@ assert pad_vec{Pre}(u, x, j0 + t, n) && j0 + t < KMAX*MAXB;
      REG(v, j, j0, t) = u;
      //@ assert Same{LoopCurrent,Here}(x,n);
      //@ assert pad_vec{Pre}(v[j0+t], x, j0 + t, n);
      //@ assert pad_vecs{Pre,Here}(v, x, n, 0, j0 + t);
    }
  }
}

/* Vectors of all threads. */
/*@ requires block && 0 < K <= KMAX;
    assigns \nothing;
    ensures \result == mul(K,BDIM) && 0 < \result <= KMAX*MAXB; */
DEV int row_vectors(int K)
{
  //@ assert mul(K,BDIM) == K*BDIM;
  //@ assert lo: mul(0,BDIM) + BDIM <= mul(K,BDIM);
  //@ assert hi: mul(K,BDIM) <= mul(KMAX,BDIM);
  return K * BDIM;
}

/* The row; all of a thread's loads come first, and none asks where the row ends if it need not. */
/*@ requires row_fits(K,n) && row_in(x,n,aligned) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures pad_vecs{Pre,Post}(v, x, n, 0, mul(K,BDIM)); */
DEV void padded_load_row(PER_THREADK(float4, v), int K, int n, int aligned, const float *RESTRICT x)
{
  if (aligned && n == 4 * row_vectors(K))
    padded_load_all(v, K, n, 1, 1, x);
  else
    padded_load_all(v, K, n, aligned, 0, x);
}
#endif
