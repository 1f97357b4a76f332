/* The gradient of a row of cross entropy in the registers of a team (row/team_regs.h): first
 * they hold its exponentials, then its gradient. */
#ifndef PM_LOSS_GRAD_TEAM_H
#define PM_LOSS_GRAD_TEAM_H
#include "grad_row.h"
#include "target.h"
#include "../lse/team_sum.h"
#include "../row/team_load.h"

/*@ // vector q of a row's exponentials; where a team has no row, nothing is known of them
    predicate exp_vec{L}(float4 e, float *x, real m, integer q, integer n) =
      0 < n ==> e.x == ExpAt(x,m,4*q,n) && e.y == ExpAt(x,m,4*q+1,n) &&
                e.z == ExpAt(x,m,4*q+2,n) && e.w == ExpAt(x,m,4*q+3,n);
    predicate exp_vecs{L0,L}(float4 *v, float *x, real m, integer n, integer from, integer to) =
      \forall integer q; from <= q < to ==> exp_vec{L0}(\at(v[q],L),x,m,q,n);
    lemma exp_at_frame{L1,L2}: \forall float *x, real m, integer k, n; 0 <= k ==>
      Same{L1,L2}(x,n) ==> ExpAt{L1}(x,m,k,n) == ExpAt{L2}(x,m,k,n);
    lemma exp_vec_frame{L1,L2}: \forall float4 e, float *x, real m, integer q, n; 0 <= q ==>
      Same{L1,L2}(x,n) ==> exp_vec{L1}(e,x,m,q,n) ==> exp_vec{L2}(e,x,m,q,n);
    lemma exp_vecs_frame{L1,L2,L}: \forall float4 *v, float *x, real m, integer n, from, to;
      0 <= from ==> Same{L1,L2}(x,n) ==> exp_vecs{L1,L}(v,x,m,n,from,to) ==>
      exp_vecs{L2,L}(v,x,m,n,from,to);
    lemma exp_vecs_grow{L0,L}: \forall float4 *v, float *x, real m, integer n, from, to;
      exp_vecs{L0,L}(v,x,m,n,from,to) ==> exp_vec{L0}(\at(v[to],L),x,m,to,n) ==>
      exp_vecs{L0,L}(v,x,m,n,from,to+1);
    lemma pad_vecs_rest{L0,L1,L2}: \forall float4 *v, float *x, integer n, from, to;
      0 <= from ==> to <= KMAX*MAXB ==> pad_vecs{L0,L1}(v,x,n,from,to) ==>
      but_in{L1,L2}(v,from) ==> pad_vecs{L0,L2}(v,x,n,from+1,to);
    lemma exp_vecs_rest{L0,L1,L2}: \forall float4 *v, float *x, real m, integer n, from, to;
      0 <= from ==> to <= KMAX*MAXB ==> exp_vecs{L0,L1}(v,x,m,n,from,to) ==>
      but_in{L1,L2}(v,from) ==> exp_vecs{L0,L2}(v,x,m,n,from+1,to);
    lemma exp_vecs_still{L0,L1,L2}: \forall float4 *v, float *x, real m, integer n, to;
      to <= KMAX*MAXB ==> exp_vecs{L0,L1}(v,x,m,n,0,to) ==> but_in{L1,L2}(v,to) ==>
      exp_vecs{L0,L2}(v,x,m,n,0,to); */

/*@ assigns \nothing;
    ensures at_most4(v,m) ==> \result.x == Term(v.x,m) && \result.y == Term(v.y,m) &&
      \result.z == Term(v.z,m) && \result.w == Term(v.w,m); */
DEV float4 loss_exp4(float4 v, float m)
{
  v.x = loss_exp(v.x, m);
  v.y = loss_exp(v.y, m);
  v.z = loss_exp(v.z, m);
  v.w = loss_exp(v.w, m);
  return v;
}

/* Of vector q of a row. */
/*@ requires 0 <= q && 0 <= n && \valid_read(x + (0 .. n-1)) && above_lowest(x,n);
    requires pad_vec(v, x, q, n) && is_top_of(m,x,n);
    assigns \nothing;
    ensures exp_vec(\result, x, m, q, n); */
DEV float4 loss_exps(float4 v, float m GHOST_PARAMS(int q, int n, const float *x))
{
  float4 e = loss_exp4(v, m);
  //@ assert 0 < n ==> at_most4(v,m);
  //@ assert a: 0 < n ==> e.x == ExpAt(x,m,4*q,n);
  //@ assert b: 0 < n ==> e.y == ExpAt(x,m,4*q+1,n);
  //@ assert c: 0 < n ==> e.z == ExpAt(x,m,4*q+2,n);
  //@ assert d: 0 < n ==> e.w == ExpAt(x,m,4*q+3,n);
  return e;
}

/*@ requires 0 <= t < team <= MAXB && 0 <= q && 0 <= n && \valid_read(x + (0 .. n-1));
    requires exp_vec(e, x, m, q, n) && \valid(acc + (0 .. team-1));
    requires \separated(acc + (0 .. team-1), x + (0 .. n-1));
    assigns acc[t];
    ensures only{Pre,Post}(acc, t, team) && Same{Pre,Post}(x,n);
    ensures 0 < n ==> acc[t] ==
      \old(acc[t]) + (ExpSum{Pre}(x,m,4*q+4,n) - ExpSum{Pre}(x,m,4*q,n)); */
DEV void loss_add_exps(PER_THREAD(float, acc), int t,
                       float4 e TEAM_FN GHOST_PARAMS(float m, int q, int n, const float *x))
{
  AT(acc, t) += (e.x + e.y) + (e.z + e.w);
}

/* Lane t's vector j becomes its exponentials, which acc adds up. */
/*@ requires j0 == mul(j,team) && 0 <= t < team <= MAXB && team_at(j0,t,n);
    requires \valid_read(x + (0 .. n-1)) && above_lowest(x,n) && is_top_of(m,x,n);
    requires \valid(v + (0 .. KMAX*MAXB-1)) && pad_vec(v[j0+t], x, j0 + t, n);
    requires \valid(acc + (0 .. team-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), v + (0 .. KMAX*MAXB-1));
    assigns v[j0+t], acc[t];
    ensures exp_vec{Pre}(v[j0+t], x, m, j0 + t, n) && but_in{Pre,Post}(v, j0 + t);
    ensures only{Pre,Post}(acc, t, team) && Same{Pre,Post}(x,n);
    ensures 0 < n ==> acc[t] ==
      \old(acc[t]) + (ExpSum{Pre}(x,m,4*(j0+t)+4,n) - ExpSum{Pre}(x,m,4*(j0+t),n)); */
DEV void loss_exp_at(PER_THREADK(float4, v), PER_THREAD(float, acc), int j, int j0, int t,
                     float m TEAM_FN GHOST_PARAMS(int n, const float *x))
{
  //@ assert at: 0 <= j0 + t < KMAX*MAXB;
  //@ assert aside: \forall integer q; 0 <= q < KMAX*MAXB ==> \separated(v + q, acc + t);
  float4 e = loss_exps(TEAM_REG(v, j, j0, t), m GHOST_ARGS(j0 + t, n, x));
  loss_add_exps(acc, t, e IN_TEAM GHOST_ARGS(m, j0 + t, n, x));
  //@ assert same: but_in{Pre,Here}(v, j0 + t);
  //@ assert sum: only{Pre,Here}(acc, t, team) && Same{Pre,Here}(x,n);
  /*@ assert mine: 0 < n ==> acc[t] == \at(acc[t],Pre) +
        (ExpSum{Pre}(x,m,4*(j0+t)+4,n) - ExpSum{Pre}(x,m,4*(j0+t),n)); */
  //@ ghost L1: ;
  //@ assert apart: \separated(v + (j0 + t), acc + (0 .. team-1));
  //@ assert off: \separated(v + (j0 + t), x + (0 .. n-1));
  team_keep(v, j, j0, t, e IN_TEAM);
  //@ assert rest: but_in{L1,Here}(v, j0 + t);
  //@ assert row: Same{L1,Here}(x,n);
  //@ assert sums: Same{L1,Here}(acc,team);
}

/*@ requires team_fits(K,team,n) && \valid_read(x + (0 .. n-1)) && above_lowest(x,n);
    requires is_top_of(m,x,n) && \valid(v + (0 .. KMAX*MAXB-1));
    requires pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,team));
    requires \valid(acc + (0 .. team-1)) && SumR(acc, 0, team) == 0.0;
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), v + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1], acc[0 .. team-1];
    ensures exp_vecs{Pre,Post}(v, x, m, n, 0, mul(K,team));
    ensures 0 < n ==> SumR(acc, 0, team) == SumExp{Pre}(x,m,n); */
DEV void loss_exp_vecs(PER_THREADK(float4, v), PER_THREAD(float, acc), int K,
                       float m TEAM_FN GHOST_PARAMS(int n, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant exp_vecs{Pre,Here}(v, x, m, n, 0, j0);
      loop invariant pad_vecs{Pre,Here}(v, x, n, j0, mul(K,team));
      loop invariant Same{Pre,Here}(x,n);
      loop invariant 0 < n ==> SumR(acc, 0, team) == ExpSum{Pre}(x, m, 4*j0, n);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1], acc[0 .. team-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team) && mul(K,team) <= mul(KMAX,team);
    //@ assert most: mul(K,team) <= KMAX*MAXB;
    /*@ loop invariant 0 <= t <= team;
        loop invariant exp_vecs{Pre,Here}(v, x, m, n, 0, j0 + t);
        loop invariant pad_vecs{Pre,Here}(v, x, n, j0 + t, mul(K,team));
        loop invariant Same{Pre,Here}(x,n);
        loop invariant 0 < n ==> SumR(acc, 0, team) == ExpSum{Pre}(x, m, 4*(j0+t), n);
        loop assigns t, v[0 .. KMAX*MAXB-1], acc[0 .. team-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert pad_vec{Pre}(v[j0+t], x, j0 + t, n);
      //@ assert Same{Pre,Here}(x,n);
      //@ assert pad_vec(v[j0+t], x, j0 + t, n);
      //@ assert above_lowest(x,n) && is_top_of(m,x,n);
      //@ assert ExpSum(x, m, 4*(j0+t)+4, n) == ExpSum{Pre}(x, m, 4*(j0+t)+4, n);
      //@ assert ExpSum(x, m, 4*(j0+t), n) == ExpSum{Pre}(x, m, 4*(j0+t), n);
      loss_exp_at(v, acc, j, j0, t, m IN_TEAM GHOST_ARGS(n, x));
      //@ assert row: Same{LoopCurrent,Here}(x,n);
      //@ assert but: but_in{LoopCurrent,Here}(v, j0 + t);
      //@ assert this: exp_vec{Pre}(v[j0+t], x, m, j0 + t, n);
      //@ assert old: exp_vecs{Pre,Here}(v, x, m, n, 0, j0 + t);
      //@ assert new: exp_vecs{Pre,Here}(v, x, m, n, 0, j0 + t + 1);
      //@ assert rest: pad_vecs{Pre,Here}(v, x, n, j0 + t + 1, mul(K,team));
      //@ assert only: only{LoopCurrent,Here}(acc, t, team);
      /*@ assert mine: 0 < n ==> acc[t] == \at(acc[t],LoopCurrent) +
            (ExpSum{Pre}(x,m,4*(j0+t)+4,n) - ExpSum{Pre}(x,m,4*(j0+t),n)); */
      /*@ assert all: SumR(acc, 0, team) ==
            \at(SumR(acc, 0, team),LoopCurrent) - \at(acc[t],LoopCurrent) + acc[t]; */
      //@ assert now: 0 < n ==> SumR(acc, 0, team) == ExpSum{Pre}(x, m, 4*(j0+t)+4, n);
    }
  }
  //@ assert ExpSum{Pre}(x, m, 4*mul(K,team), n) == SumExp{Pre}(x, m, n);
}

/* v becomes the exponentials of the row in it; their sum, for all lanes. whole: they are a
 * block's. */
/*@ requires team_fits(K,team,n) && a_team(whole,team) && \valid_read(x + (0 .. n-1));
    requires above_lowest(x,n) && is_top_of(m,x,n);
    requires \valid(v + (0 .. KMAX*MAXB-1)) && pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,team));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures exp_vecs{Pre,Post}(v, x, m, n, 0, mul(K,team));
    ensures 0 < n ==> \result == SumExp{Pre}(x,m,n); */
DEV float loss_exp_all(PER_THREADK(float4, v), int K, int whole,
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
  //@ ghost L0: ;
  loss_exp_vecs(v, acc, K, m IN_TEAM GHOST_ARGS(n, x));
  //@ assert exp_vecs{L0,Here}(v, x, m, n, 0, mul(K,team));
  //@ assert exp_vecs{Pre,Here}(v, x, m, n, 0, mul(K,team));
  return team_sum(acc, whole, s IN_TEAM);
}

/*@ // vector q of a row's gradient, and of it with what was there
    predicate slope_vec{L}(float4 v, float *x, integer n, integer hit, real scale, integer q) =
      (4*q < n ==> v.x == RowGradient{L}(x,n,hit,scale,4*q)) &&
      (4*q+1 < n ==> v.y == RowGradient{L}(x,n,hit,scale,4*q+1)) &&
      (4*q+2 < n ==> v.z == RowGradient{L}(x,n,hit,scale,4*q+2)) &&
      (4*q+3 < n ==> v.w == RowGradient{L}(x,n,hit,scale,4*q+3));
    predicate slope_vecs{L0,L}(float4 *v, float *x, integer n, integer hit, real scale,
                               integer from, integer to) =
      \forall integer q; from <= q < to ==> slope_vec{L0}(\at(v[q],L),x,n,hit,scale,q);
    lemma slope_vec_frame{L1,L2}: \forall float4 v, float *x, integer n, hit, real scale,
      integer q; 0 <= q ==> Same{L1,L2}(x,n) ==> slope_vec{L1}(v,x,n,hit,scale,q) ==>
      slope_vec{L2}(v,x,n,hit,scale,q);
    lemma slope_vecs_grow{L0,L}: \forall float4 *v, float *x, integer n, hit, real scale,
      integer from, to; slope_vecs{L0,L}(v,x,n,hit,scale,from,to) ==>
      slope_vec{L0}(\at(v[to],L),x,n,hit,scale,to) ==>
      slope_vecs{L0,L}(v,x,n,hit,scale,from,to+1);
    lemma slope_vecs_frame{L1,L2,L}: \forall float4 *v, float *x, integer n, hit, real scale,
      integer from, to; 0 <= from ==> Same{L1,L2}(x,n) ==>
      slope_vecs{L1,L}(v,x,n,hit,scale,from,to) ==> slope_vecs{L2,L}(v,x,n,hit,scale,from,to);
    lemma slope_vecs_rest{L0,L1,L2}: \forall float4 *v, float *x, integer n, hit, real scale,
      integer from, to; 0 <= from ==> to <= KMAX*MAXB ==>
      slope_vecs{L0,L1}(v,x,n,hit,scale,from,to) ==> but_in{L1,L2}(v,from) ==>
      slope_vecs{L0,L2}(v,x,n,hit,scale,from+1,to);
    lemma slope_vecs_still{L0,L1,L2}: \forall float4 *v, float *x, integer n, hit, real scale,
      integer to; to <= KMAX*MAXB ==> slope_vecs{L0,L1}(v,x,n,hit,scale,0,to) ==>
      but_in{L1,L2}(v,to) ==> slope_vecs{L0,L2}(v,x,n,hit,scale,0,to); */

/*@ // 1 by the sum of a row's exponentials
    predicate is_by{L}(real by, real m, float *x, integer n) =
      0 < n ==> m == RowMax{L}(x,n) && by == rdiv(1.0,SumExp{L}(x,m,n));
    lemma by_frame{L1,L2}: \forall real by, m, float *x, integer n; Same{L1,L2}(x,n) ==>
      is_by{L1}(by,m,x,n) ==> is_by{L2}(by,m,x,n); */
/*@ requires j0 == mul(j,team) && team_at(j0,t,n) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \valid_read(x + (0 .. n-1)) && is_by(by,m,x,n);
    requires exp_vec(v[j0+t], x, m, j0 + t, n);
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[j0+t];
    ensures slope_vec{Pre}(v[j0+t], x, n, hit, scale, j0 + t) && but_in{Pre,Post}(v, j0 + t);
    ensures Same{Pre,Post}(x,n); */
DEV void loss_slope_at(PER_THREADK(float4, v), int hit, int j, int j0, int t, float by,
                       float scale TEAM_FN GHOST_PARAMS(float m, int n, const float *x))
{
  float4 u = loss_slope4(TEAM_REG(v, j, j0, t), j0 + t, hit, by, scale);
  //@ assert x: 4*(j0+t) < n ==> u.x == RowGradient(x,n,hit,scale,4*(j0+t));
  //@ assert y: 4*(j0+t)+1 < n ==> u.y == RowGradient(x,n,hit,scale,4*(j0+t)+1);
  //@ assert z: 4*(j0+t)+2 < n ==> u.z == RowGradient(x,n,hit,scale,4*(j0+t)+2);
  //@ assert w: 4*(j0+t)+3 < n ==> u.w == RowGradient(x,n,hit,scale,4*(j0+t)+3);
  team_keep(v, j, j0, t, u IN_TEAM);
}

/* v becomes the row's gradient, of the exponentials in it. */
/*@ requires team_fits(K,team,n) && \valid_read(x + (0 .. n-1)) && is_by(by,m,x,n);
    requires \valid(v + (0 .. KMAX*MAXB-1)) && exp_vecs{Pre,Pre}(v, x, m, n, 0, mul(K,team));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures slope_vecs{Pre,Post}(v, x, n, hit, scale, 0, mul(K,team)); */
DEV void loss_slope(PER_THREADK(float4, v), int K, int hit, float by,
                    float scale TEAM_FN GHOST_PARAMS(float m, int n, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant slope_vecs{Pre,Here}(v, x, n, hit, scale, 0, j0);
      loop invariant exp_vecs{Pre,Here}(v, x, m, n, j0, mul(K,team));
      loop invariant Same{Pre,Here}(x,n);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team) && mul(K,team) <= mul(KMAX,team);
    //@ assert most: mul(K,team) <= KMAX*MAXB;
    /*@ loop invariant 0 <= t <= team;
        loop invariant slope_vecs{Pre,Here}(v, x, n, hit, scale, 0, j0 + t);
        loop invariant exp_vecs{Pre,Here}(v, x, m, n, j0 + t, mul(K,team));
        loop invariant Same{Pre,Here}(x,n);
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert exp_vec{Pre}(v[j0+t], x, m, j0 + t, n);
      //@ assert Same{Pre,Here}(x,n);
      //@ assert exp_vec(v[j0+t], x, m, j0 + t, n) && is_by(by,m,x,n);
      loss_slope_at(v, hit, j, j0, t, by, scale IN_TEAM GHOST_ARGS(m, n, x));
      //@ assert row: Same{LoopCurrent,Here}(x,n) && Same{LoopCurrent,Pre}(x,n);
      //@ assert but: but_in{LoopCurrent,Here}(v, j0 + t);
      //@ assert made: slope_vec{LoopCurrent}(v[j0+t], x, n, hit, scale, j0 + t);
      //@ assert this: slope_vec{Pre}(v[j0+t], x, n, hit, scale, j0 + t);
      //@ assert old: slope_vecs{Pre,Here}(v, x, n, hit, scale, 0, j0 + t);
      //@ assert new: slope_vecs{Pre,Here}(v, x, n, hit, scale, 0, j0 + t + 1);
      //@ assert rest: exp_vecs{Pre,Here}(v, x, m, n, j0 + t + 1, mul(K,team));
    }
  }
}
#endif
