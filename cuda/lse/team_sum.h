/* The sum of the exponentials of a row in the registers of a team (row/team_regs.h). */
#ifndef PM_LSE_TEAM_SUM_H
#define PM_LSE_TEAM_SUM_H
#include "regs_max.h"
#include "../row/team_regs.h"

/*@ // the sum of the exponentials of those of the first k elements that a row of n has
    logic real ExpAt{L}(float *x, real m, integer k, integer n) = k < n ? \exp(x[k] - m) : 0.0;
    logic real ExpSum{L}(float *x, real m, integer k, integer n) =
      k <= 0 ? 0.0 : ExpSum{L}(x,m,k-1,n) + ExpAt{L}(x,m,k-1,n);
    // of a row that has elements, its maximum
    predicate is_top_of{L}(real m, float *x, integer n) = 0 < n ==> m == RowMax{L}(x,n);
    lemma top_of_frame{L1,L2}: \forall real m, float *x, integer n; Same{L1,L2}(x,n) ==>
      is_top_of{L1}(m,x,n) ==> is_top_of{L2}(m,x,n);
    lemma term_at{L}: \forall float *x, real v, m, integer k, n; 0 <= k ==>
      above_lowest{L}(x,n) ==> v == Padded{L}(x,k,n) ==> Term(v,m) == ExpAt{L}(x,m,k,n);
    lemma exp_sum_in{L}: \forall float *x, real m, integer n, k; k <= n ==>
      ExpSum{L}(x,m,k,n) == SumExp{L}(x,m,k);
    lemma exp_sum_all{L}: \forall float *x, real m, integer n, k; 0 <= n <= k ==>
      ExpSum{L}(x,m,k,n) == SumExp{L}(x,m,n);
    lemma exp_sum_frame{L1,L2}: \forall integer k, n, float *x, real m; Same{L1,L2}(x,n) ==>
      0 <= n ==> ExpSum{L1}(x,m,k,n) == ExpSum{L2}(x,m,k,n);
    lemma exp_sum_4{L}: \forall float *x, real m, integer n, k; 0 <= k ==>
      ExpSum{L}(x,m,k+4,n) == ExpSum{L}(x,m,k,n) +
        (ExpAt{L}(x,m,k,n) + ExpAt{L}(x,m,k+1,n) + ExpAt{L}(x,m,k+2,n) + ExpAt{L}(x,m,k+3,n)); */

/*@ assigns \nothing;
    ensures at_most4(v,m) ==>
      \result == Term(v.x,m) + Term(v.y,m) + Term(v.z,m) + Term(v.w,m); */
DEV float exp_terms4(float4 v, float m)
{
  return (loss_term(v.x, m) + loss_term(v.y, m)) + (loss_term(v.z, m) + loss_term(v.w, m));
}

/* Thread t adds vector q of the row. */
/*@ requires 0 <= t < team <= MAXB && 0 <= q && 0 <= n && \valid_read(x + (0 .. n-1));
    requires pad_vec(v, x, q, n) && above_lowest(x,n) && is_top_of(m,x,n);
    requires \valid(acc + (0 .. team-1)) && \separated(acc + (0 .. team-1), x + (0 .. n-1));
    assigns acc[t];
    ensures only{Pre,Post}(acc, t, team);
    ensures 0 < n ==> acc[t] ==
      \old(acc[t]) + (ExpSum{Pre}(x,m,4*q+4,n) - ExpSum{Pre}(x,m,4*q,n)); */
DEV void exp_sum_add(PER_THREAD(float, acc), int t, float4 v,
                     float m TEAM_FN GHOST_PARAMS(int q, int n, const float *x))
{
  //@ assert 0 < n ==> at_most4(v,m);
  //@ assert a: Term(v.x,m) == ExpAt(x,m,4*q,n);
  //@ assert b: Term(v.y,m) == ExpAt(x,m,4*q+1,n);
  //@ assert c: Term(v.z,m) == ExpAt(x,m,4*q+2,n);
  //@ assert d: Term(v.w,m) == ExpAt(x,m,4*q+3,n);
  AT(acc, t) += exp_terms4(v, m);
}

/*@ requires team_fits(K,team,n) && \valid_read(x + (0 .. n-1)) && above_lowest(x,n);
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,team));
    requires is_top_of(m,x,n);
    requires \valid(acc + (0 .. team-1)) && SumR(acc, 0, team) == 0.0;
    requires \separated(acc + (0 .. team-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), v + (0 .. KMAX*MAXB-1));
    assigns acc[0 .. team-1];
    ensures 0 < n ==> SumR(acc, 0, team) == SumExp{Pre}(x,m,n); */
DEV void exp_sum_add_all(PER_THREAD(float, acc), PER_THREADK(float4, v), int K,
                         float m TEAM_FN GHOST_PARAMS(int n, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant 0 < n ==> SumR(acc, 0, team) == ExpSum{Pre}(x, m, 4*j0, n);
      loop assigns j, j0, acc[0 .. team-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team) && mul(K,team) <= mul(KMAX,team);
    //@ assert most: mul(K,team) <= KMAX*MAXB;
    /*@ loop invariant 0 <= t <= team;
        loop invariant 0 < n ==> SumR(acc, 0, team) == ExpSum{Pre}(x, m, 4*(j0+t), n);
        loop assigns t, acc[0 .. team-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert at: 0 <= j0 + t < mul(K,team);
      //@ assert all: pad_vecs{Pre,Here}(v, x, n, 0, mul(K,team));
      //@ assert held: pad_vec{Pre}(v[j0+t], x, j0 + t, n);
      //@ assert Same{Pre,Here}(x,n);
      //@ assert pad_vec(v[j0+t], x, j0 + t, n);
      //@ assert above_lowest(x,n) && is_top_of(m,x,n);
      //@ assert ExpSum(x, m, 4*(j0+t)+4, n) == ExpSum{Pre}(x, m, 4*(j0+t)+4, n);
      //@ assert ExpSum(x, m, 4*(j0+t), n) == ExpSum{Pre}(x, m, 4*(j0+t), n);
      exp_sum_add(acc, t, TEAM_REG(v, j, j0, t), m IN_TEAM GHOST_ARGS(j0 + t, n, x));
      //@ assert only{LoopCurrent,Here}(acc, t, team);
      /*@ assert 0 < n ==> SumR(acc, 0, team) == \at(SumR(acc, 0, team),LoopCurrent) +
            (ExpSum{Pre}(x,m,4*(j0+t)+4,n) - ExpSum{Pre}(x,m,4*(j0+t),n)); */
    }
  }
  //@ assert 0 <= n ==> ExpSum{Pre}(x, m, 4*mul(K,team), n) == SumExp{Pre}(x, m, n);
}

/* The sum of the exponentials of the row in v, for all threads; whole: they are a block's. */
/*@ requires team_fits(K,team,n) && \valid_read(x + (0 .. n-1)) && above_lowest(x,n);
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,team));
    requires is_top_of(m,x,n) && a_team(whole,team);
    assigns \nothing;
    ensures 0 < n ==> \result == SumExp{Pre}(x,m,n); */
DEV float team_exp_sum(PER_THREADK(float4, v), int K, int whole,
                       float m TEAM_FN GHOST_PARAMS(int n, const float *x))
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= team && zeros(&acc[0], t);
      loop assigns t, acc[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, team) == 0.0;
  //@ assert Same{Pre,Here}(x,n) && SumExp{Pre}(x,m,n) == SumExp(x,m,n);
  //@ assert above_lowest(x,n) && is_top_of(m,x,n);
  //@ assert pad_vecs{Pre,Here}(v, x, n, 0, mul(K,team));
  //@ assert pad_vecs{Here,Here}(v, x, n, 0, mul(K,team));
  exp_sum_add_all(acc, v, K, m IN_TEAM GHOST_ARGS(n, x));
  return team_sum(acc, whole, s IN_TEAM);
}
#endif
