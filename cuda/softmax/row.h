/* What softmax and log_softmax keep of a row that waits in registers, and what they write of it,
 * whichever team has it (collective/team.h). */
#ifndef PM_SOFTMAX_ROW_H
#define PM_SOFTMAX_ROW_H
#include "../math/elementary.h"
#include "../row/team_regs.h"
#include "../row/thread_max.h"
#include "../lse/soft_one.h"

/*@ lemma over_one: \forall real e, s, t; s > 0.0 ==> t == rdiv(1.0,s) ==>
      rmul(e,t) == rdiv(e,s); */
/*@ // what is kept of an element x of a row whose maximum is m, and what of it is written
    logic real Kept(integer logs, real x, real m) = logs == 0 ? \exp(x - m) : x - m;
    logic real Put(integer logs, real v, real t) = logs == 0 ? rmul(v,t) : v - t;
    // from what is kept of a row of n: element k's part of the sum
    logic real Part(integer logs, real v, integer k, integer n) =
      k < n ? (logs == 0 ? v : \exp(v)) : 0.0;
    logic real Closing(integer logs, real s) = logs == 0 ? rdiv(1.0,s) : \log(s);
    predicate kept_vec{L}(float4 v, integer logs, float *x, real m, integer q, integer n) =
      (4*q < n ==> v.x == Kept(logs,x[4*q],m)) && (4*q+1 < n ==> v.y == Kept(logs,x[4*q+1],m)) &&
      (4*q+2 < n ==> v.z == Kept(logs,x[4*q+2],m)) && (4*q+3 < n ==> v.w == Kept(logs,x[4*q+3],m));
    predicate kept_vecs{L0,L}(float4 *v, integer logs, float *x, real m, integer n, integer from,
                              integer to) =
      \forall integer q; from <= q < to ==> kept_vec{L0}(\at(v[q],L), logs, x, m, q, n);
    lemma kept_vecs_grow{L0,L}: \forall float4 *v, integer logs, float *x, real m,
      integer n, from, to; kept_vecs{L0,L}(v,logs,x,m,n,from,to) ==>
      kept_vec{L0}(\at(v[to],L),logs,x,m,to,n) ==> kept_vecs{L0,L}(v,logs,x,m,n,from,to+1);
    lemma kept_vecs_frame{L1,L2,L}: \forall float4 *v, integer logs, float *x, real m,
      integer n, from, to; 0 <= from ==> Same{L1,L2}(x,n) ==>
      kept_vecs{L1,L}(v,logs,x,m,n,from,to) ==> kept_vecs{L2,L}(v,logs,x,m,n,from,to);
    // the sum of the exponentials of those of the first k elements that a row of n has
    logic real ExpAt{L}(float *x, real m, integer k, integer n) = k < n ? \exp(x[k] - m) : 0.0;
    logic real ExpSum{L}(float *x, real m, integer k, integer n) =
      k <= 0 ? 0.0 : ExpSum{L}(x,m,k-1,n) + ExpAt{L}(x,m,k-1,n);
    lemma part_at{L}: \forall float *x, real v, m, integer logs, k, n;
      (k < n ==> v == Kept(logs,x[k],m)) ==> Part(logs,v,k,n) == ExpAt(x,m,k,n);
    lemma exp_sum_in{L}: \forall float *x, real m, integer n, k; k <= n ==>
      ExpSum{L}(x,m,k,n) == SumExp{L}(x,m,k);
    lemma exp_sum_all{L}: \forall float *x, real m, integer n, k; 0 <= n <= k ==>
      ExpSum{L}(x,m,k,n) == SumExp{L}(x,m,n);
    lemma exp_sum_frame{L1,L2}: \forall integer k, n, float *x, real m; Same{L1,L2}(x,n) ==>
      0 <= n ==> ExpSum{L1}(x,m,k,n) == ExpSum{L2}(x,m,k,n);
    lemma exp_sum_4{L}: \forall float *x, real m, integer n, k; 0 <= k ==>
      ExpSum{L}(x,m,k+4,n) == ExpSum{L}(x,m,k,n) +
        (ExpAt{L}(x,m,k,n) + ExpAt{L}(x,m,k+1,n) + ExpAt{L}(x,m,k+2,n) + ExpAt{L}(x,m,k+3,n));
    predicate vec_below{L}(float4 v, float *x, integer q, integer n) =
      (4*q < n ==> v.x <= RowMax{L}(x,n)) && (4*q+1 < n ==> v.y <= RowMax{L}(x,n)) &&
      (4*q+2 < n ==> v.z <= RowMax{L}(x,n)) && (4*q+3 < n ==> v.w <= RowMax{L}(x,n));
    lemma vec_is_below{L}: \forall float4 v, float *x, integer q, n; 0 <= q ==>
      row_vec{L}(v,x,q,n) ==> vec_below{L}(v,x,q,n);
    lemma soft_one{L}: \forall integer logs, float *x, real m, s, t, integer n, c;
      m == RowMax{L}(x,n) ==> s == SumExp{L}(x,m,n) ==> s > 0.0 ==> t == Closing(logs,s) ==>
      Put(logs,Kept(logs,x[c],m),t) == SoftOne{L}(logs,x,n,c);
    predicate soft_done{L0,L}(float *y, integer logs, float *x, real m, real t, integer n) =
      \forall integer c; 0 <= c < n ==> \at(y[c],L) == Put(logs,Kept(logs,\at(x[c],L0),m),t); */

/*@ assigns \nothing;
    ensures s > 0.0 ==> \result == Closing(logs,s); */
DEV float soft_closing(int logs, float s) { return logs ? pm_logf(s) : 1.0f / s; }

/*@ assigns \nothing;
    ensures \result.x == Put(logs,v.x,t) && \result.y == Put(logs,v.y,t);
    ensures \result.z == Put(logs,v.z,t) && \result.w == Put(logs,v.w,t); */
DEV float4 soft_put(int logs, float4 v, float t)
{
  v.x = logs ? v.x - t : v.x * t;
  v.y = logs ? v.y - t : v.y * t;
  v.z = logs ? v.z - t : v.z * t;
  v.w = logs ? v.w - t : v.w * t;
  return v;
}

/*@ requires team_fits(K,team,n) && \valid(y + (0 .. n-1)) && W_ROW(y, n);
    requires aligned != 0 ==> aligned16(y) && n % 4 == 0;
    requires \valid_read(x + (0 .. n-1)) && apart(x,n,y,n);
    requires \valid_read(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires kept_vecs{Pre,Pre}(v, logs, x, m, n, 0, mul(K,team));
    assigns y[0 .. n-1];
    ensures soft_done{Pre,Post}(y, logs, x, m, t1, n); */
DEV void soft_store_all(PER_THREADK(float4, v), int K, int logs, int n, int aligned, float t1,
                        float *RESTRICT y TEAM_FN GHOST_PARAMS(float m, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant soft_done{Pre,Here}(y, logs, x, m, t1, lesser(4*j0,n));
      loop assigns j, j0, y[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team);
    /*@ loop invariant 0 <= t <= team;
        loop invariant soft_done{Pre,Here}(y, logs, x, m, t1, lesser(4*(j0+t),n));
        loop assigns t, y[0 .. n-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      float4 u = soft_put(logs, TEAM_REG(v, j, j0, t), t1);
      //@ assert kept_vec{Pre}(v[j0+t], logs, x, m, j0 + t, n);
      /*@ assert x: 4*(j0+t) < n ==>
            u.x == Put(logs,Kept(logs,rd{Pre}(x,4*(j0+t)),m),t1); */
      /*@ assert y: 4*(j0+t)+1 < n ==>
            u.y == Put(logs,Kept(logs,rd{Pre}(x,4*(j0+t)+1),m),t1); */
      /*@ assert z: 4*(j0+t)+2 < n ==>
            u.z == Put(logs,Kept(logs,rd{Pre}(x,4*(j0+t)+2),m),t1); */
      /*@ assert w: 4*(j0+t)+3 < n ==>
            u.w == Put(logs,Kept(logs,rd{Pre}(x,4*(j0+t)+3),m),t1); */
      team_store(j0, t, n, aligned, u, y IN_TEAM_THREAD(t));
      //@ assert soft_done{Pre,Here}(y, logs, x, m, t1, lesser(4*(j0+t),n));
      /*@ assert 4*(j0+t) < n ==>
            y[4*(j0+t)] == Put(logs,Kept(logs,rd{Pre}(x,4*(j0+t)),m),t1); */
      /*@ assert 4*(j0+t)+1 < n ==>
            y[4*(j0+t)+1] == Put(logs,Kept(logs,rd{Pre}(x,4*(j0+t)+1),m),t1); */
      /*@ assert 4*(j0+t)+2 < n ==>
            y[4*(j0+t)+2] == Put(logs,Kept(logs,rd{Pre}(x,4*(j0+t)+2),m),t1); */
      /*@ assert 4*(j0+t)+3 < n ==>
            y[4*(j0+t)+3] == Put(logs,Kept(logs,rd{Pre}(x,4*(j0+t)+3),m),t1); */
    }
  }
}
#endif
