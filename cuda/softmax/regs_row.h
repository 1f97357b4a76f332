/* Of a row in the registers of a block (row/regs.h) what softmax and log_softmax ask: its
 * maximum, what is kept of its elements, and the sum of the exponentials. */
#ifndef PM_SOFTMAX_REGS_ROW_H
#define PM_SOFTMAX_REGS_ROW_H
#include "../lang/owned.h"
#include "../collective/block_max.h"
#include "../math/elementary.h"
#include "../row/regs.h"
#include "row.h"

/* The largest of top and of the elements of vector j0 + t. */
/*@ requires block && t < BDIM && row_at(j0,t,n) && (aligned != 0 ==> n % 4 == 0);
    assigns \nothing;
    ensures top <= \result;
    ensures 4*(j0+t) < n ==> v.x <= \result;
    ensures 4*(j0+t)+1 < n ==> v.y <= \result;
    ensures 4*(j0+t)+2 < n ==> v.z <= \result;
    ensures 4*(j0+t)+3 < n ==> v.w <= \result;
    ensures \result == top || (4*(j0+t) < n && \result == v.x) ||
      (4*(j0+t)+1 < n && \result == v.y) || (4*(j0+t)+2 < n && \result == v.z) ||
      (4*(j0+t)+3 < n && \result == v.w); */
DEV float soft_larger(int j0, int t, int n, int aligned, float top, float4 v)
{
  if (aligned || row_full(j0, n)) {
    float m = larger(larger(v.x, v.y), larger(v.z, v.w));
    return larger(top, !aligned || row_has(j0, t, 0, n, aligned) ? m : top);
  }
  v.x = row_has(j0, t, 0, n, aligned) ? v.x : top;
  v.y = row_has(j0, t, 1, n, aligned) ? v.y : top;
  v.z = row_has(j0, t, 2, n, aligned) ? v.z : top;
  v.w = row_has(j0, t, 3, n, aligned) ? v.w : top;
  return larger(top, larger(larger(v.x, v.y), larger(v.z, v.w)));
}

/*@ requires row_fits(K,n) && row_in(x,n,aligned) && \valid_read(v + (0 .. KMAX*MAXB-1));
    requires row_vecs{Pre,Pre}(v, x, n, 0, mul(K,BDIM));
    requires \valid(top + (0 .. BDIM-1)) && some_of{Pre,Pre}(top, BDIM, x, n);
    requires \separated(top + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(top + (0 .. BDIM-1), v + (0 .. KMAX*MAXB-1));
    assigns top[0 .. BDIM-1];
    ensures RowMax(top, BDIM) == RowMax{Pre}(x, n); */
DEV void soft_max_all(PER_THREAD(float, top), PER_THREADK(float4, v), int K, int n,
                      int aligned GHOST_PARAMS(const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant some_of{Pre,Here}(top, BDIM, x, n);
      loop invariant above{Pre,Here}(top, BDIM, x, lesser(4*j0, n));
      loop assigns j, j0, top[0 .. BDIM-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant some_of{Pre,Here}(top, BDIM, x, n);
        loop invariant above{Pre,Here}(top, BDIM, x, lesser(4*(j0+t), n));
        loop assigns t, top[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert row_vec{Pre}(v[j0+t], x, j0 + t, n);
      //@ assert vec_below{Pre}(v[j0+t], x, j0 + t, n);
      AT(top, t) = soft_larger(j0, t, n, aligned, AT(top, t), REG(v, j, j0, t));
      //@ assert some: top[t] <= RowMax{Pre}(x, n);
      //@ assert only: only{LoopCurrent,Here}(top, t, BDIM);
      //@ assert grows: at_most{LoopCurrent,Here}(top, BDIM);
      //@ assert max: \at(RowMax(top, BDIM),LoopCurrent) <= RowMax(top, BDIM);
      //@ assert one: top[t] <= RowMax(top, BDIM);
      //@ assert x: 4*(j0+t) < n ==> rd{Pre}(x,4*(j0+t)) <= top[t];
      //@ assert y: 4*(j0+t)+1 < n ==> rd{Pre}(x,4*(j0+t)+1) <= top[t];
      //@ assert z: 4*(j0+t)+2 < n ==> rd{Pre}(x,4*(j0+t)+2) <= top[t];
      //@ assert w: 4*(j0+t)+3 < n ==> rd{Pre}(x,4*(j0+t)+3) <= top[t];
      //@ assert old: above{Pre,Here}(top, BDIM, x, lesser(4*(j0+t), n));
    }
  }
  //@ assert above{Pre,Here}(top, BDIM, x, n);
  //@ assert RowMax(top, BDIM) <= RowMax{Pre}(x, n);
  //@ assert RowMax{Pre}(x, n) <= RowMax(top, BDIM);
}

/* The maximum of the row that is in v, for all threads. */
/*@ requires row_fits(K,n) && row_in(x,n,aligned) && \valid_read(v + (0 .. KMAX*MAXB-1));
    requires row_vecs{Pre,Pre}(v, x, n, 0, mul(K,BDIM));
    assigns \nothing;
    ensures \result == RowMax{Pre}(x, n); */
DEV float soft_max(PER_THREADK(float4, v), int K, int n, int aligned, const float *RESTRICT x)
{
  SHARED(float, s, 32);
  PRIVATE(float, top);
  /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(x,n);
      loop invariant \forall integer u; 0 <= u < t ==> top[u] == \at(x[0],Pre);
      loop assigns t, top[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(top, t) = LDG(x);
  //@ assert Same{Pre,Here}(x,n) && RowMax{Pre}(x, n) == RowMax(x, n);
  //@ assert x[0] <= RowMax(x, n);
  //@ assert row_vecs{Pre,Here}(v, x, n, 0, mul(K,BDIM));
  //@ assert row_vecs{Here,Here}(v, x, n, 0, mul(K,BDIM));
  soft_max_all(top, v, K, n, aligned GHOST_ARGS(x));
  return block_max(top, s);
}

/*@ assigns \nothing;
    ensures \result.x == Kept(logs,v.x,m) && \result.y == Kept(logs,v.y,m);
    ensures \result.z == Kept(logs,v.z,m) && \result.w == Kept(logs,v.w,m); */
DEV float4 soft_kept(int logs, float4 v, float m)
{
  v.x = v.x - m;
  v.y = v.y - m;
  v.z = v.z - m;
  v.w = v.w - m;
  if (!logs) {
    v.x = pm_expf(v.x);
    v.y = pm_expf(v.y);
    v.z = pm_expf(v.z);
    v.w = pm_expf(v.w);
  }
  return v;
}

/*@ requires j0 == mul(j,BDIM) && row_at(j0,t,n) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \valid_read(x + (0 .. n-1)) && row_vec(v[j0+t], x, j0 + t, n);
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[j0+t];
    ensures kept_vec{Pre}(v[j0+t], logs, x, m, j0 + t, n) && but_vec{Pre,Post}(v, j0 + t); */
DEV void soft_keep(PER_THREADK(float4, v), int logs, int j, int j0, int t,
                   float m GHOST_PARAMS(int n, const float *x))
{
  REG(v, j, j0, t) = soft_kept(logs, REG(v, j, j0, t), m);
}

/*@ requires row_fits(K,n) && \valid(v + (0 .. KMAX*MAXB-1)) && \valid_read(x + (0 .. n-1));
    requires row_vecs{Pre,Pre}(v, x, n, 0, mul(K,BDIM));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures kept_vecs{Pre,Post}(v, logs, x, m, n, 0, mul(K,BDIM)); */
DEV void soft_keep_all(PER_THREADK(float4, v), int K, int logs,
                       float m GHOST_PARAMS(int n, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant kept_vecs{Pre,Here}(v, logs, x, m, n, 0, j0);
      loop invariant row_vecs{Pre,Here}(v, x, n, j0, mul(K,BDIM));
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    //@ assert j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant kept_vecs{Pre,Here}(v, logs, x, m, n, 0, j0 + t);
        loop invariant row_vecs{Pre,Here}(v, x, n, j0 + t, mul(K,BDIM));
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert row_vec{Pre}(v[j0+t], x, j0 + t, n);
      //@ assert Same{Pre,Here}(x,n);
      //@ assert row_vec(v[j0+t], x, j0 + t, n);
      soft_keep(v, logs, j, j0, t, m GHOST_ARGS(n, x));
      //@ assert but_vec{LoopCurrent,Here}(v, j0 + t);
      //@ assert kept_vec{Pre}(v[j0+t], logs, x, m, j0 + t, n);
      //@ assert kept_vecs{Pre,Here}(v, logs, x, m, n, 0, j0 + t);
      //@ assert row_vecs{Pre,Here}(v, x, n, j0 + t + 1, mul(K,BDIM));
    }
  }
}

/*@ assigns \nothing;
    ensures \result.x == (logs == 0 ? v.x : \exp(v.x));
    ensures \result.y == (logs == 0 ? v.y : \exp(v.y));
    ensures \result.z == (logs == 0 ? v.z : \exp(v.z));
    ensures \result.w == (logs == 0 ? v.w : \exp(v.w)); */
DEV float4 soft_exp(int logs, float4 v)
{
  if (logs) {
    v.x = pm_expf(v.x);
    v.y = pm_expf(v.y);
    v.z = pm_expf(v.z);
    v.w = pm_expf(v.w);
  }
  return v;
}

/* What vector j0 + t adds to the sum. */
/*@ requires block && t < BDIM && row_at(j0,t,n) && (aligned != 0 ==> n % 4 == 0);
    assigns \nothing;
    ensures \result ==
      Part(logs,v.x,4*(j0+t),n) + Part(logs,v.y,4*(j0+t)+1,n) +
      Part(logs,v.z,4*(j0+t)+2,n) + Part(logs,v.w,4*(j0+t)+3,n); */
DEV float soft_four(int logs, int j0, int t, int n, int aligned, float4 v)
{
  v = soft_exp(logs, v);
  if (aligned || row_full(j0, n)) {
    float s = (v.x + v.y) + (v.z + v.w);
    return !aligned || row_has(j0, t, 0, n, aligned) ? s : 0.0f;
  }
  v.x = row_has(j0, t, 0, n, aligned) ? v.x : 0.0f;
  v.y = row_has(j0, t, 1, n, aligned) ? v.y : 0.0f;
  v.z = row_has(j0, t, 2, n, aligned) ? v.z : 0.0f;
  v.w = row_has(j0, t, 3, n, aligned) ? v.w : 0.0f;
  return (v.x + v.y) + (v.z + v.w);
}

/*@ requires block && row_at(j0,t,n) && (aligned != 0 ==> n % 4 == 0);
    requires \valid_read(x + (0 .. n-1));
    requires kept_vec(v, logs, x, m, j0 + t, n) && \valid(acc + (0 .. BDIM-1)) && t < BDIM;
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    assigns acc[t];
    ensures only{Pre,Post}(acc, t, BDIM);
    ensures acc[t] == \old(acc[t]) +
      (ExpSum{Pre}(x,m,4*(j0+t)+4,n) - ExpSum{Pre}(x,m,4*(j0+t),n)); */
DEV void soft_add(PER_THREAD(float, acc), int logs, int j0, int t, int n, int aligned,
                  float4 v GHOST_PARAMS(float m, const float *x))
{
  //@ assert a: Part(logs,v.x,4*(j0+t),n) == ExpAt(x,m,4*(j0+t),n);
  //@ assert b: Part(logs,v.y,4*(j0+t)+1,n) == ExpAt(x,m,4*(j0+t)+1,n);
  //@ assert c: Part(logs,v.z,4*(j0+t)+2,n) == ExpAt(x,m,4*(j0+t)+2,n);
  //@ assert d: Part(logs,v.w,4*(j0+t)+3,n) == ExpAt(x,m,4*(j0+t)+3,n);
  AT(acc, t) += soft_four(logs, j0, t, n, aligned, v);
}

/*@ requires row_fits(K,n) && (aligned != 0 ==> n % 4 == 0) && \valid_read(x + (0 .. n-1));
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && \valid(acc + (0 .. BDIM-1));
    requires kept_vecs{Pre,Pre}(v, logs, x, m, n, 0, mul(K,BDIM)) && SumR(acc, 0, BDIM) == 0.0;
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), v + (0 .. KMAX*MAXB-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == SumExp{Pre}(x,m,n); */
DEV void soft_add_all(PER_THREAD(float, acc), PER_THREADK(float4, v), int K, int logs, int n,
                      int aligned GHOST_PARAMS(float m, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant SumR(acc, 0, BDIM) == ExpSum{Pre}(x, m, 4*j0, n);
      loop assigns j, j0, acc[0 .. BDIM-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) == ExpSum{Pre}(x, m, 4*(j0+t), n);
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert kept_vec{Pre}(v[j0+t], logs, x, m, j0 + t, n);
      //@ assert Same{Pre,Here}(x,n);
      //@ assert kept_vec(v[j0+t], logs, x, m, j0 + t, n);
      //@ assert ExpSum(x, m, 4*(j0+t)+4, n) == ExpSum{Pre}(x, m, 4*(j0+t)+4, n);
      //@ assert ExpSum(x, m, 4*(j0+t), n) == ExpSum{Pre}(x, m, 4*(j0+t), n);
      soft_add(acc, logs, j0, t, n, aligned, REG(v, j, j0, t) GHOST_ARGS(m, x));
      //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
      /*@ assert SumR(acc, 0, BDIM) == \at(SumR(acc, 0, BDIM),LoopCurrent) +
            (ExpSum{Pre}(x,m,4*(j0+t)+4,n) - ExpSum{Pre}(x,m,4*(j0+t),n)); */
    }
  }
  //@ assert ExpSum{Pre}(x, m, 4*mul(K,BDIM), n) == SumExp{Pre}(x, m, n);
}

/* The sum of the row's exponentials, for all threads. */
/*@ requires row_fits(K,n) && (aligned != 0 ==> n % 4 == 0) && \valid_read(x + (0 .. n-1));
    requires \valid_read(v + (0 .. KMAX*MAXB-1));
    requires kept_vecs{Pre,Pre}(v, logs, x, m, n, 0, mul(K,BDIM));
    assigns \nothing;
    ensures \result == SumExp{Pre}(x,m,n); */
DEV float soft_sum(PER_THREADK(float4, v), int K, int logs, int n,
                   int aligned GHOST_PARAMS(float m, const float *x))
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert Same{Pre,Here}(x,n) && SumExp{Pre}(x,m,n) == SumExp(x,m,n);
  //@ assert kept_vecs{Pre,Here}(v, logs, x, m, n, 0, mul(K,BDIM));
  //@ assert kept_vecs{Here,Here}(v, logs, x, m, n, 0, mul(K,BDIM));
  soft_add_all(acc, v, K, logs, n, aligned GHOST_ARGS(m, x));
  return block_sum(acc, s);
}
#endif
