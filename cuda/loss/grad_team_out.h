/* What a row of cross entropy leaves in dx, of its gradient in the registers of a team
 * (grad_team.h). */
#ifndef PM_LOSS_GRAD_TEAM_OUT_H
#define PM_LOSS_GRAD_TEAM_OUT_H
#include "grad_team.h"

/*@ // vector q of a row of dx
    predicate graded_vec{L}(float4 v, integer adds, float *dx, float *x, integer n, integer hit,
                            real scale, integer q) =
      (4*q < n ==> v.x == Graded{L}(adds,dx,x,n,hit,scale,4*q)) &&
      (4*q+1 < n ==> v.y == Graded{L}(adds,dx,x,n,hit,scale,4*q+1)) &&
      (4*q+2 < n ==> v.z == Graded{L}(adds,dx,x,n,hit,scale,4*q+2)) &&
      (4*q+3 < n ==> v.w == Graded{L}(adds,dx,x,n,hit,scale,4*q+3));
    predicate graded_vecs{L0,L}(float4 *v, integer adds, float *dx, float *x, integer n,
                                integer hit, real scale, integer from, integer to) =
      \forall integer q; from <= q < to ==>
        graded_vec{L0}(\at(v[q],L),adds,dx,x,n,hit,scale,q);
    lemma graded_vec_frame{L1,L2}: \forall float4 v, integer adds, float *dx, *x,
      integer n, hit, real scale, integer q; 0 <= q ==> Same{L1,L2}(x,n) ==> Same{L1,L2}(dx,n) ==>
      graded_vec{L1}(v,adds,dx,x,n,hit,scale,q) ==> graded_vec{L2}(v,adds,dx,x,n,hit,scale,q);
    lemma graded_vecs_frame{L1,L2,L}: \forall float4 *v, integer adds, float *dx, *x,
      integer n, hit, real scale, integer from, to; 0 <= from ==> Same{L1,L2}(x,n) ==>
      Same{L1,L2}(dx,n) ==> graded_vecs{L1,L}(v,adds,dx,x,n,hit,scale,from,to) ==>
      graded_vecs{L2,L}(v,adds,dx,x,n,hit,scale,from,to);
    lemma graded_vecs_grow{L0,L}: \forall float4 *v, integer adds, float *dx, *x,
      integer n, hit, real scale, integer from, to;
      graded_vecs{L0,L}(v,adds,dx,x,n,hit,scale,from,to) ==>
      graded_vec{L0}(\at(v[to],L),adds,dx,x,n,hit,scale,to) ==>
      graded_vecs{L0,L}(v,adds,dx,x,n,hit,scale,from,to+1);
    lemma graded_vecs_still{L0,L1,L2}: \forall float4 *v, integer adds, float *dx, *x,
      integer n, hit, real scale, integer to; to <= KMAX*MAXB ==>
      graded_vecs{L0,L1}(v,adds,dx,x,n,hit,scale,0,to) ==> but_in{L1,L2}(v,to) ==>
      graded_vecs{L0,L2}(v,adds,dx,x,n,hit,scale,0,to);
    lemma row_vec_frame{L1,L2}: \forall float4 v, float *x, integer q, n; 0 <= q ==>
      Same{L1,L2}(x,n) ==> row_vec{L1}(v,x,q,n) ==> row_vec{L2}(v,x,q,n);
    // nothing is added
    lemma slopes_graded{L0,L}: \forall float4 *v, integer adds, float *dx, *x,
      integer n, hit, real scale, integer from, to; adds == 0 ==>
      slope_vecs{L0,L}(v,x,n,hit,scale,from,to) ==>
      graded_vecs{L0,L}(v,adds,dx,x,n,hit,scale,from,to); */

/*@ requires j0 == mul(j,team) && team_at(j0,t,n) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \valid_read(x + (0 .. n-1)) && \valid_read(dx + (0 .. n-1)) && adds != 0;
    requires slope_vec(v[j0+t], x, n, hit, scale, j0 + t) && row_vec(u, dx, j0 + t, n);
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    assigns v[j0+t];
    ensures graded_vec{Pre}(v[j0+t], adds, dx, x, n, hit, scale, j0 + t);
    ensures but_in{Pre,Post}(v, j0 + t) && Same{Pre,Post}(x,n) && Same{Pre,Post}(dx,n); */
DEV void loss_plus_at(PER_THREADK(float4, v), int j, int j0, int t,
                      float4 u TEAM_FN GHOST_PARAMS(int adds, int hit, float scale, int n,
                                                    const float *x, const float *dx))
{
  u = plus4(u, TEAM_REG(v, j, j0, t));
  //@ assert with: graded_vec(u, adds, dx, x, n, hit, scale, j0 + t);
  team_keep(v, j, j0, t, u IN_TEAM);
}

/* old has what is in dx. */
/*@ requires team_fits(K,team,n) && \valid_read(x + (0 .. n-1)) && \valid_read(dx + (0 .. n-1));
    requires adds != 0 && \valid(v + (0 .. KMAX*MAXB-1));
    requires \valid_read(old + (0 .. KMAX*MAXB-1));
    requires slope_vecs{Pre,Pre}(v, x, n, hit, scale, 0, mul(K,team));
    requires row_vecs{Pre,Pre}(old, dx, n, 0, mul(K,team));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), old + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures graded_vecs{Pre,Post}(v, adds, dx, x, n, hit, scale, 0, mul(K,team)); */
DEV void loss_plus(PER_THREADK(float4, v), PER_THREADK(float4, old),
                   int K TEAM_FN GHOST_PARAMS(int adds, int hit, float scale, int n, const float *x,
                                              const float *dx))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant graded_vecs{Pre,Here}(v, adds, dx, x, n, hit, scale, 0, j0);
      loop invariant slope_vecs{Pre,Here}(v, x, n, hit, scale, j0, mul(K,team));
      loop invariant Same{Pre,Here}(x,n) && Same{Pre,Here}(dx,n);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team) && mul(K,team) <= mul(KMAX,team);
    //@ assert most: mul(K,team) <= KMAX*MAXB;
    /*@ loop invariant 0 <= t <= team;
        loop invariant graded_vecs{Pre,Here}(v, adds, dx, x, n, hit, scale, 0, j0 + t);
        loop invariant slope_vecs{Pre,Here}(v, x, n, hit, scale, j0 + t, mul(K,team));
        loop invariant Same{Pre,Here}(x,n) && Same{Pre,Here}(dx,n);
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert slope_vec{Pre}(v[j0+t], x, n, hit, scale, j0 + t);
      //@ assert apart: \separated(old + (j0 + t), v + (0 .. KMAX*MAXB-1));
      //@ assert same: same_vec{Pre,Here}(old, j0 + t);
      //@ assert row_vec{Pre}(old[j0+t], dx, j0 + t, n);
      //@ assert Same{Pre,Here}(x,n) && Same{Pre,Here}(dx,n);
      //@ assert slope_vec(v[j0+t], x, n, hit, scale, j0 + t);
      //@ assert row_vec(old[j0+t], dx, j0 + t, n);
      loss_plus_at(v, j, j0, t,
                   TEAM_REG(old, j, j0, t) IN_TEAM GHOST_ARGS(adds, hit, scale, n, x, dx));
      //@ assert row: Same{LoopCurrent,Pre}(x,n) && Same{LoopCurrent,Pre}(dx,n);
      //@ assert but: but_in{LoopCurrent,Here}(v, j0 + t);
      //@ assert made: graded_vec{LoopCurrent}(v[j0+t], adds, dx, x, n, hit, scale, j0 + t);
      //@ assert this: graded_vec{Pre}(v[j0+t], adds, dx, x, n, hit, scale, j0 + t);
      //@ assert old: graded_vecs{Pre,Here}(v, adds, dx, x, n, hit, scale, 0, j0 + t);
      //@ assert new: graded_vecs{Pre,Here}(v, adds, dx, x, n, hit, scale, 0, j0 + t + 1);
      //@ assert rest: slope_vecs{Pre,Here}(v, x, n, hit, scale, j0 + t + 1, mul(K,team));
    }
  }
}

/*@ requires team_fits(K,team,n) && \valid(dx + (0 .. n-1)) && perm_w(dx,n);
    requires aligned != 0 ==> aligned16(dx) && n % 4 == 0;
    requires \valid_read(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    requires graded_vecs{Pre,Pre}(v, adds, dx, x, n, hit, scale, 0, mul(K,team));
    assigns dx[0 .. n-1];
    ensures graded_row{Pre,Post}(dx, adds, x, n, hit, scale, n); */
DEV void loss_store(PER_THREADK(float4, v), int K, int n, int aligned,
                    float *RESTRICT dx TEAM_FN GHOST_PARAMS(int adds, int hit, float scale,
                                                            const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant graded_row{Pre,Here}(dx, adds, x, n, hit, scale, lesser(4*j0,n));
      loop assigns j, j0, dx[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team);
    /*@ loop invariant 0 <= t <= team;
        loop invariant graded_row{Pre,Here}(dx, adds, x, n, hit, scale, lesser(4*(j0+t),n));
        loop assigns t, dx[0 .. n-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert held: graded_vec{Pre}(v[j0+t], adds, dx, x, n, hit, scale, j0 + t);
      team_store(j0, t, n, aligned, TEAM_REG(v, j, j0, t), dx);
      //@ assert old: graded_row{Pre,Here}(dx, adds, x, n, hit, scale, lesser(4*(j0+t),n));
      /*@ assert x: 4*(j0+t) < n ==>
            dx[4*(j0+t)] == Graded{Pre}(adds,dx,x,n,hit,scale,4*(j0+t)); */
      /*@ assert y: 4*(j0+t)+1 < n ==>
            dx[4*(j0+t)+1] == Graded{Pre}(adds,dx,x,n,hit,scale,4*(j0+t)+1); */
      /*@ assert z: 4*(j0+t)+2 < n ==>
            dx[4*(j0+t)+2] == Graded{Pre}(adds,dx,x,n,hit,scale,4*(j0+t)+2); */
      /*@ assert w: 4*(j0+t)+3 < n ==>
            dx[4*(j0+t)+3] == Graded{Pre}(adds,dx,x,n,hit,scale,4*(j0+t)+3); */
    }
  }
}

/* dx becomes what is in v, or has it added. */
/*@ requires team_fits(K,team,n) && row_in(dx,n,aligned) && \valid(dx + (0 .. n-1));
    requires perm_w(dx,n) && \valid_read(x + (0 .. n-1)) && apart(x,n,dx,n);
    requires \valid(v + (0 .. KMAX*MAXB-1));
    requires slope_vecs{Pre,Pre}(v, x, n, hit, scale, 0, mul(K,team));
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns dx[0 .. n-1], v[0 .. KMAX*MAXB-1];
    ensures graded_row{Pre,Post}(dx, adds, x, n, hit, scale, n); */
DEV void loss_put(PER_THREADK(float4, v), int K, int n, int aligned, int adds,
                  float *dx TEAM_FN GHOST_PARAMS(int hit, float scale, const float *x))
{
  if (adds) {
    PRIVATEK(float4, old);
    team_load_all(old, K, n, aligned, dx IN_TEAM);
    //@ assert Same{Pre,Here}(x,n) && Same{Pre,Here}(dx,n);
    //@ assert held: slope_vecs{Pre,Here}(v, x, n, hit, scale, 0, mul(K,team));
    //@ assert here: slope_vecs{Here,Here}(v, x, n, hit, scale, 0, mul(K,team));
    //@ assert old: row_vecs{Here,Here}(&old[0], dx, n, 0, mul(K,team));
    //@ ghost L0: ;
    loss_plus(v, old, K IN_TEAM GHOST_ARGS(adds, hit, scale, n, x, dx));
    //@ assert Same{L0,Here}(x,n) && Same{L0,Here}(dx,n);
    //@ assert plus: graded_vecs{L0,Here}(v, adds, dx, x, n, hit, scale, 0, mul(K,team));
  }
  //@ assert still: Same{Pre,Here}(x,n) && Same{Pre,Here}(dx,n);
  //@ assert made: graded_vecs{Here,Here}(v, adds, dx, x, n, hit, scale, 0, mul(K,team));
  //@ ghost L1: ;
  loss_store(v, K, n, aligned, dx IN_TEAM GHOST_ARGS(adds, hit, scale, x));
  //@ assert same: Same{L1,Pre}(x,n) && Same{L1,Pre}(dx,n);
  //@ assert put: graded_row{L1,Here}(dx, adds, x, n, hit, scale, n);
}
#endif
