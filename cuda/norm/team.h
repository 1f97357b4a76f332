/* Statistics of a row in the registers of a cooperative group (a team, row/team_regs.h), its
 * sums, and the row about its mean: what layer_norm and rms_norm do with rows in the registers of
 * a block and of some lanes. Outside the row its vectors are 0. */
#ifndef PM_NORM_TEAM_H
#define PM_NORM_TEAM_H
#include "row.h"
#include "../row/team_regs.h"

/*@ predicate norm_vecs{L0,L}(float4 *v, float *x, real m, integer n, integer from, integer to) =
      \forall integer q; from <= q < to ==> norm_vec{L0}(\at(v[q],L), x, m, q, n);
    lemma norm_vecs_frame{L1,L2,L}: \forall float4 *v, float *x, real m, integer n, from, to;
      0 <= from ==> Same{L1,L2}(x,n) ==> norm_vecs{L1,L}(v,x,m,n,from,to) ==>
      norm_vecs{L2,L}(v,x,m,n,from,to); */

/*@ requires team_fits(K,team,n) && row_in(x,n,aligned) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures norm_vecs{Pre,Post}(v, x, 0.0, n, 0, mul(K,team)); */
DEV void norm_load_all(PER_THREADK(float4, v), int K, int n, int aligned,
                       const float *RESTRICT x TEAM_FN)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant norm_vecs{Pre,Here}(v, x, 0.0, n, 0, j0);
      loop invariant Same{Pre,Here}(x,n);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    /*@ loop invariant 0 <= t <= team;
        loop invariant norm_vecs{Pre,Here}(v, x, 0.0, n, 0, j0 + t);
        loop invariant Same{Pre,Here}(x,n);
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      float4 u = team_load(j0, t, n, aligned, 0.0f, x);
      //@ assert norm_vec{Pre}(u, x, 0.0, j0 + t, n) && j0 + t < KMAX*MAXB;
      TEAM_REG(v, j, j0, t) = u;
      //@ assert Same{LoopCurrent,Here}(x,n);
      //@ assert norm_vec{Pre}(v[j0+t], x, 0.0, j0 + t, n);
      //@ assert norm_vecs{Pre,Here}(v, x, 0.0, n, 0, j0 + t);
    }
  }
}

/*@ requires team_fits(K,team,n) && (squares == 0 ==> is_zero(m)) && \valid_read(x + (0 .. n-1));
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && \valid(acc + (0 .. team-1));
    requires norm_vecs{Pre,Pre}(v, x, m, n, 0, mul(K,team)) && SumR(acc, 0, team) == 0.0;
    requires \separated(acc + (0 .. team-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), v + (0 .. KMAX*MAXB-1));
    assigns acc[0 .. team-1];
    ensures SumR(acc, 0, team) == NormSum{Pre}(squares,x,m,n); */
DEV void norm_add_all(PER_THREAD(float, acc), PER_THREADK(float4, v), int K,
                      int squares TEAM_FN GHOST_PARAMS(int n, float m, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant SumR(acc, 0, team) == NormSum{Pre}(squares, x, m, lesser(4*j0, n));
      loop assigns j, j0, acc[0 .. team-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team);
    /*@ loop invariant 0 <= t <= team;
        loop invariant SumR(acc, 0, team) == NormSum{Pre}(squares, x, m, lesser(4*(j0+t), n));
        loop assigns t, acc[0 .. team-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert norm_vec{Pre}(v[j0+t], x, m, j0 + t, n);
      AT(acc, t) += norm_four(squares, TEAM_REG(v, j, j0, t));
      //@ assert only{LoopCurrent,Here}(acc, t, team);
      /*@ assert acc[t] == \at(acc[t],LoopCurrent) +
            (NormSum{Pre}(squares, x, m, lesser(4*(j0+t+1), n)) -
             NormSum{Pre}(squares, x, m, lesser(4*(j0+t), n))); */
    }
  }
}

/* The sum of the row that is in v, or of its squares, for all lanes. whole: the team is the
 * block. */
/*@ requires a_team(whole,team) && team_fits(K,team,n) && (squares == 0 ==> is_zero(m));
    requires \valid_read(x + (0 .. n-1)) && \valid_read(v + (0 .. KMAX*MAXB-1));
    requires norm_vecs{Pre,Pre}(v, x, m, n, 0, mul(K,team));
    assigns \nothing;
    ensures \result == NormSum{Pre}(squares,x,m,n); */
DEV float norm_sum(PER_THREADK(float4, v), int K, int squares,
                   int whole TEAM_FN GHOST_PARAMS(int n, float m, const float *x))
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= team && zeros(&acc[0], t);
      loop assigns t, acc[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, team) == 0.0;
  //@ assert Same{Pre,Here}(x,n) && NormSum{Pre}(squares,x,m,n) == NormSum(squares,x,m,n);
  norm_add_all(acc, v, K, squares IN_TEAM GHOST_ARGS(n, m, x));
  return team_sum(acc, whole, s IN_TEAM);
}

/*@ requires team_fits(K,team,n) && \valid(v + (0 .. KMAX*MAXB-1)) && \valid_read(x + (0 .. n-1));
    requires norm_vecs{Pre,Pre}(v, x, 0.0, n, 0, mul(K,team));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures norm_vecs{Pre,Post}(v, x, m, n, 0, mul(K,team)); */
DEV void norm_center_all(PER_THREADK(float4, v), int K, int n,
                         float m TEAM_FN GHOST_PARAMS(const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant norm_vecs{Pre,Here}(v, x, m, n, 0, j0);
      loop invariant norm_vecs{Pre,Here}(v, x, 0.0, n, j0, mul(K,team));
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team);
    /*@ loop invariant 0 <= t <= team;
        loop invariant norm_vecs{Pre,Here}(v, x, m, n, 0, j0 + t);
        loop invariant norm_vecs{Pre,Here}(v, x, 0.0, n, j0 + t, mul(K,team));
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      float4 u = norm_minus(j0 + t, n, TEAM_REG(v, j, j0, t), m);
      //@ assert norm_vec{Pre}(v[j0+t], x, 0.0, j0 + t, n);
      //@ assert norm_vec{Pre}(u, x, m, j0 + t, n);
      TEAM_REG(v, j, j0, t) = u;
      //@ assert norm_vec{Pre}(v[j0+t], x, m, j0 + t, n);
      //@ assert norm_vecs{Pre,Here}(v, x, m, n, 0, j0 + t);
      //@ assert norm_vecs{Pre,Here}(v, x, 0.0, n, j0 + t + 1, mul(K,team));
    }
  }
}

/* The mean and rstd of the row that is in v, which is about its mean then; a row of no elements,
 * where one has cols, has none. */
/*@ requires a_team(whole,team) && team_fits(K,team,n) && 0 < cols;
    requires \valid(v + (0 .. KMAX*MAXB-1)) && \valid_read(x + (0 .. n-1));
    requires norm_vecs{Pre,Pre}(v, x, 0.0, n, 0, mul(K,team));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures norm_vecs{Pre,Post}(v, x, \result.mean, n, 0, mul(K,team));
    ensures n == cols ==> \result.mean == Center{Pre}(x,centered,n);
    ensures n == cols ==> \result.rstd == Rstd{Pre}(x,centered,n,eps); */
DEV norm_stats norm_about(PER_THREADK(float4, v), int K, int centered, int whole, int n, int cols,
                          float eps TEAM_FN GHOST_PARAMS(const float *x))
{
  norm_stats s;
  s.mean = 0.0f;
  if (centered) {
    s.mean = norm_mean(norm_sum(v, K, 0, whole IN_TEAM GHOST_ARGS(n, 0.0f, x)), cols);
    //@ assert n == cols ==> s.mean == Center{Pre}(x,centered,n);
    norm_center_all(v, K, n, s.mean IN_TEAM GHOST_ARGS(x));
  }
  //@ assert mean: n == cols ==> s.mean == Center{Pre}(x,centered,n);
  //@ assert about: norm_vecs{Pre,Here}(v, x, s.mean, n, 0, mul(K,team));
  //@ assert same: Same{Pre,Here}(x,n);
  //@ assert here: norm_vecs{Here,Here}(v, x, s.mean, n, 0, mul(K,team));
  s.rstd = norm_rstd(norm_sum(v, K, 1, whole IN_TEAM GHOST_ARGS(n, s.mean, x)), cols, eps);
  return s;
}
#endif
