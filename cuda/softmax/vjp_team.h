/* Of a row whose y and g are in the registers of a team (row/team_regs.h) what the VJPs of softmax,
 * log_softmax and masked_softmax ask: its sum, and dx. Outside the row the vectors hold 0. */
#ifndef PM_SOFTMAX_VJP_TEAM_H
#define PM_SOFTMAX_VJP_TEAM_H
#include "vjp_row.h"
#include "../row/team_load.h"

/*@ // what vector q of the row adds
    logic real PullFour{L}(integer op, float *y, float *g, integer q, integer n) =
      PullPart(op,Cell(y,4*q,n),Cell(g,4*q,n)) + PullPart(op,Cell(y,4*q+1,n),Cell(g,4*q+1,n)) +
      PullPart(op,Cell(y,4*q+2,n),Cell(g,4*q+2,n)) + PullPart(op,Cell(y,4*q+3,n),Cell(g,4*q+3,n));
    lemma pull_add_4{L}: \forall integer op, float *y, *g, integer q, n; 0 <= q ==>
      PullSum(op,y,g,lesser(4*(q+1),n)) ==
        PullSum(op,y,g,lesser(4*q,n)) + PullFour(op,y,g,q,n);
    lemma four_of{L}: \forall integer op, float4 v, w, float *y, *g, integer q, n;
      row_vec(v,y,q,n) ==> row_vec(w,g,q,n) ==>
      PullPart(op,v.x,w.x) + PullPart(op,v.y,w.y) + PullPart(op,v.z,w.z) + PullPart(op,v.w,w.w) ==
        PullFour(op,y,g,q,n);
    // vector q of the row's cotangents
    predicate pulled_vec{L}(float4 v, integer op, float *y, float *g, real s, integer q,
                            integer n) =
      (4*q < n ==> v.x == Pulled(op,y[4*q],g[4*q],s)) &&
      (4*q+1 < n ==> v.y == Pulled(op,y[4*q+1],g[4*q+1],s)) &&
      (4*q+2 < n ==> v.z == Pulled(op,y[4*q+2],g[4*q+2],s)) &&
      (4*q+3 < n ==> v.w == Pulled(op,y[4*q+3],g[4*q+3],s));
    predicate pulled_vecs{L0,L}(float4 *v, integer op, float *y, float *g, real s, integer n,
                                integer from, integer to) =
      \forall integer q; from <= q < to ==> pulled_vec{L0}(\at(v[q],L), op, y, g, s, q, n);
    lemma pulled_vecs_frame{L1,L2,L}: \forall float4 *v, integer op, float *y, *g, real s,
      integer n, from, to; 0 <= from ==> Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==>
      pulled_vecs{L1,L}(v,op,y,g,s,n,from,to) ==> pulled_vecs{L2,L}(v,op,y,g,s,n,from,to); */

/*@ predicate pull_held{L0,L}(float4 *v, float4 *w, float *y, float *g, integer n, integer to) =
      \valid_read{L}(v + (0 .. KMAX*MAXB-1)) && \valid_read{L}(w + (0 .. KMAX*MAXB-1)) &&
      row_vecs{L0,L}(v, y, n, 0, to) && row_vecs{L0,L}(w, g, n, 0, to); */
/*@ requires team_fits(K,team,n) && pull_in(y,g,n);
    requires pull_held{Pre,Pre}(v, w, y, g, n, mul(K,team));
    requires \valid(acc + (0 .. team-1)) && SumR(acc, 0, team) == 0.0;
    requires \separated(acc + (0 .. team-1), y + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), g + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), v + (0 .. KMAX*MAXB-1));
    requires \separated(acc + (0 .. team-1), w + (0 .. KMAX*MAXB-1));
    assigns acc[0 .. team-1];
    ensures SumR(acc, 0, team) == PullSum{Pre}(op,y,g,n); */
DEV void pull_add_all(PER_THREAD(float, acc), PER_THREADK(float4, v), PER_THREADK(float4, w), int K,
                      int op TEAM_FN GHOST_PARAMS(int n, const float *y, const float *g))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant SumR(acc, 0, team) == PullSum{Pre}(op, y, g, lesser(4*j0, n));
      loop assigns j, j0, acc[0 .. team-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team);
    /*@ loop invariant 0 <= t <= team;
        loop invariant SumR(acc, 0, team) == PullSum{Pre}(op, y, g, lesser(4*(j0+t), n));
        loop assigns t, acc[0 .. team-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert at: 0 <= j0 + t < KMAX*MAXB;
      //@ assert apart_v: \separated(v + (j0+t), acc + (0 .. team-1));
      //@ assert apart_w: \separated(w + (j0+t), acc + (0 .. team-1));
      //@ assert same_v: same_vec{Pre,Here}(v, j0 + t);
      //@ assert same_w: same_vec{Pre,Here}(w, j0 + t);
      //@ assert row_vec{Pre}(v[j0+t], y, j0 + t, n);
      //@ assert row_vec{Pre}(w[j0+t], g, j0 + t, n);
      AT(acc, t) += pull_four(op, TEAM_REG(v, j, j0, t), TEAM_REG(w, j, j0, t));
      //@ assert only{LoopCurrent,Here}(acc, t, team);
      //@ assert acc[t] == \at(acc[t],LoopCurrent) + PullFour{Pre}(op, y, g, j0 + t, n);
    }
  }
}

/* The sum of the row's parts, for all lanes. */
/*@ requires a_team(whole,team) && team_fits(K,team,n) && pull_in(y,g,n);
    requires pull_held{Pre,Pre}(v, w, y, g, n, mul(K,team));
    assigns \nothing;
    ensures \result == PullSum{Pre}(op,y,g,n); */
DEV float pull_sum(PER_THREADK(float4, v), PER_THREADK(float4, w), int K, int op,
                   int whole TEAM_FN GHOST_PARAMS(int n, const float *y, const float *g))
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= team && zeros(&acc[0], t);
      loop assigns t, acc[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, team) == 0.0;
  //@ assert Same{Pre,Here}(y,n) && Same{Pre,Here}(g,n);
  //@ assert PullSum{Pre}(op,y,g,n) == PullSum(op,y,g,n);
  //@ assert row_vecs{Pre,Here}(v, y, n, 0, mul(K,team));
  //@ assert row_vecs{Pre,Here}(w, g, n, 0, mul(K,team));
  //@ assert pull_held{Here,Here}(v, w, y, g, n, mul(K,team));
  pull_add_all(acc, v, w, K, op IN_TEAM GHOST_ARGS(n, y, g));
  return team_sum(acc, whole, s IN_TEAM);
}

/*@ requires j0 == mul(j,team) && team_at(j0,t,n) && \valid(v + (0 .. KMAX*MAXB-1));
    requires pull_in(y,g,n) && row_vec(v[j0+t], y, j0 + t, n) && row_vec(u, g, j0 + t, n);
    requires \separated(v + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), g + (0 .. n-1));
    assigns v[j0+t];
    ensures pulled_vec{Pre}(v[j0+t], op, y, g, s, j0 + t, n) && but_vec{Pre,Post}(v, j0 + t); */
DEV void pull_at(PER_THREADK(float4, v), int op, int j, int j0, int t, float4 u,
                 float s TEAM_FN GHOST_PARAMS(int n, const float *y, const float *g))
{
  TEAM_REG(v, j, j0, t) = pull_vec(op, TEAM_REG(v, j, j0, t), u, s);
}

/* Vector v, to which `adds` adds what stood there. */
/*@ requires team_at(j0,t,n) && \valid(dx + (0 .. n-1)) && pull_in(y,g,n);
    requires aligned != 0 ==> aligned16(dx) && n % 4 == 0;
    requires \forall integer k; row_W(j0+t,n,k) ==> W(dx+k);
    requires pulled_vec(v, op, y, g, s, j0 + t, n);
    requires adds != 0 ==> row_vec(old, dx, j0 + t, n);
    assigns dx[4*(j0+t) .. lesser(4*(j0+t)+4,n)-1];
    ensures 4*(j0+t) < n ==> dx[4*(j0+t)] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t));
    ensures 4*(j0+t)+1 < n ==> dx[4*(j0+t)+1] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)+1);
    ensures 4*(j0+t)+2 < n ==> dx[4*(j0+t)+2] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)+2);
    ensures 4*(j0+t)+3 < n ==> dx[4*(j0+t)+3] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)+3); */
DEV void pull_store(int j0, int t, int n, int aligned, int adds, float4 v, float4 old,
                    float *RESTRICT dx GHOST_PARAMS(int op, float s, const float *y,
                                                    const float *g))
{
  if (adds)
    v = plus4(old, v);
  //@ assert x: 4*(j0+t) < n ==> v.x == PulledOne(op,adds,y,g,dx,s,4*(j0+t));
  //@ assert y: 4*(j0+t)+1 < n ==> v.y == PulledOne(op,adds,y,g,dx,s,4*(j0+t)+1);
  //@ assert z: 4*(j0+t)+2 < n ==> v.z == PulledOne(op,adds,y,g,dx,s,4*(j0+t)+2);
  //@ assert w: 4*(j0+t)+3 < n ==> v.w == PulledOne(op,adds,y,g,dx,s,4*(j0+t)+3);
  team_store(j0, t, n, aligned, v, dx);
}

/*@ predicate pull_out{L}(float *dx, float *y, float *g, integer n, integer aligned) =
      \valid(dx + (0 .. n-1)) && perm(dx,n) && (aligned != 0 ==> aligned16(dx) && n % 4 == 0) &&
      pull_in(y,g,n) && apart(y,n,dx,n) && apart(g,n,dx,n); */
/* v has the row's cotangents, w what stood in dx where `adds`. */
/*@ requires team_fits(K,team,n) && pull_out(dx,y,g,n,aligned);
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && \valid_read(w + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    requires \separated(w + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    requires pulled_vecs{Pre,Pre}(v, op, y, g, s, n, 0, mul(K,team));
    requires adds != 0 ==> row_vecs{Pre,Pre}(w, dx, n, 0, mul(K,team));
    assigns dx[0 .. n-1];
    ensures pulled_row{Pre,Post}(dx, op, adds, y, g, s, n); */
DEV void pull_store_all(PER_THREADK(float4, v), PER_THREADK(float4, w), int K, int n, int aligned,
                        int adds,
                        float *RESTRICT dx TEAM_FN GHOST_PARAMS(int op, float s, const float *y,
                                                                const float *g))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant pulled_row{Pre,Here}(dx, op, adds, y, g, s, lesser(4*j0,n));
      loop invariant left_row{Pre,Here}(dx, lesser(4*j0,n), n);
      loop assigns j, j0, dx[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team);
    /*@ loop invariant 0 <= t <= team;
        loop invariant pulled_row{Pre,Here}(dx, op, adds, y, g, s, lesser(4*(j0+t),n));
        loop invariant left_row{Pre,Here}(dx, lesser(4*(j0+t),n), n);
        loop assigns t, dx[0 .. n-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert pulled_vec{Pre}(v[j0+t], op, y, g, s, j0 + t, n);
      //@ assert Same{Pre,Here}(y,n) && Same{Pre,Here}(g,n);
      //@ assert pulled_vec(v[j0+t], op, y, g, s, j0 + t, n);
      //@ assert at: 0 <= j0 + t < KMAX*MAXB;
      //@ assert apart_w: \separated(w + (j0+t), dx + (0 .. n-1));
      //@ assert same_w: same_vec{Pre,Here}(w, j0 + t);
      //@ assert adds != 0 ==> row_vec{Pre}(w[j0+t], dx, j0 + t, n);
      //@ assert adds != 0 ==> row_vec(w[j0+t], dx, j0 + t, n);
      pull_store(j0, t, n, aligned, adds, TEAM_REG(v, j, j0, t), TEAM_REG(w, j, j0, t),
                 dx GHOST_ARGS(op, s, y, g));
      //@ assert old: pulled_row{Pre,Here}(dx, op, adds, y, g, s, lesser(4*(j0+t),n));
      /*@ assert x: 4*(j0+t) < n ==>
            dx[4*(j0+t)] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)); */
      /*@ assert y: 4*(j0+t)+1 < n ==>
            dx[4*(j0+t)+1] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)+1); */
      /*@ assert z: 4*(j0+t)+2 < n ==>
            dx[4*(j0+t)+2] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)+2); */
      /*@ assert w: 4*(j0+t)+3 < n ==>
            dx[4*(j0+t)+3] == PulledOne{Pre}(op,adds,y,g,dx,s,4*(j0+t)+3); */
      //@ assert left: left_row{Pre,Here}(dx, lesser(4*(j0+t)+4,n), n);
    }
  }
}

/*@ lemma row_vecs_rest{L0,L1,L2}: \forall float4 *v, float *x, integer n, from, to;
      row_vecs{L0,L1}(v,x,n,from,to) ==> but_vec{L1,L2}(v,from) ==>
      row_vecs{L0,L2}(v,x,n,from+1,to); */

/* y's vectors become dx's. */
/*@ requires team_fits(K,team,n) && pull_in(y,g,n) && \valid(v + (0 .. KMAX*MAXB-1));
    requires pull_held{Pre,Pre}(v, w, y, g, n, mul(K,team));
    requires \separated(v + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), g + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), w + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures pulled_vecs{Pre,Post}(v, op, y, g, s, n, 0, mul(K,team)); */
DEV void pull_all(PER_THREADK(float4, v), PER_THREADK(float4, w), int K, int op,
                  float s TEAM_FN GHOST_PARAMS(int n, const float *y, const float *g))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant pulled_vecs{Pre,Here}(v, op, y, g, s, n, 0, j0);
      loop invariant row_vecs{Pre,Here}(v, y, n, j0, mul(K,team));
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team);
    /*@ loop invariant 0 <= t <= team;
        loop invariant pulled_vecs{Pre,Here}(v, op, y, g, s, n, 0, j0 + t);
        loop invariant row_vecs{Pre,Here}(v, y, n, j0 + t, mul(K,team));
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert row_vec{Pre}(v[j0+t], y, j0 + t, n);
      //@ assert same_vec{Pre,Here}(w, j0 + t);
      //@ assert row_vec{Pre}(w[j0+t], g, j0 + t, n);
      //@ assert Same{Pre,Here}(y,n) && Same{Pre,Here}(g,n);
      //@ assert row_vec(v[j0+t], y, j0 + t, n) && row_vec(w[j0+t], g, j0 + t, n);
      pull_at(v, op, j, j0, t, TEAM_REG(w, j, j0, t), s IN_TEAM GHOST_ARGS(n, y, g));
      //@ assert but_vec{LoopCurrent,Here}(v, j0 + t);
      //@ assert pulled_vec{Pre}(v[j0+t], op, y, g, s, j0 + t, n);
      //@ assert pulled_vecs{Pre,Here}(v, op, y, g, s, n, 0, j0 + t);
      //@ assert row_vecs{Pre,Here}(v, y, n, j0 + t + 1, mul(K,team));
    }
  }
}

/* What the sum s makes of the row of which v and w have y and g; what stood in dx comes into w. */
/*@ requires team_fits(K,team,n) && pull_out(dx,y,g,n,aligned);
    requires \valid(v + (0 .. KMAX*MAXB-1)) && \valid(w + (0 .. KMAX*MAXB-1));
    requires pull_held{Pre,Pre}(v, w, y, g, n, mul(K,team));
    requires \separated(v + (0 .. KMAX*MAXB-1), w + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), g + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    requires \separated(w + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires \separated(w + (0 .. KMAX*MAXB-1), g + (0 .. n-1));
    requires \separated(w + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1], w[0 .. KMAX*MAXB-1], dx[0 .. n-1];
    ensures pulled_row{Pre,Post}(dx, op, adds, y, g, s, n); */
DEV void pull_put(PER_THREADK(float4, v), PER_THREADK(float4, w), int K, int op, int n, int aligned,
                  int adds, float s,
                  float *RESTRICT dx TEAM_FN GHOST_PARAMS(const float *y, const float *g))
{
  pull_all(v, w, K, op, s IN_TEAM GHOST_ARGS(n, y, g));
  //@ ghost L2: ;
  //@ assert Same{Pre,L2}(y,n) && Same{Pre,L2}(g,n) && Same{Pre,L2}(dx,n);
  //@ assert made: pulled_vecs{Pre,L2}(v, op, y, g, s, n, 0, mul(K,team));
  //@ assert pulled: pulled_vecs{L2,L2}(v, op, y, g, s, n, 0, mul(K,team));
  if (adds)
    team_load_all(w, K, n, aligned, dx IN_TEAM);
  //@ ghost L3: ;
  //@ assert Same{L2,L3}(y,n) && Same{L2,L3}(g,n) && Same{L2,L3}(dx,n);
  //@ assert kept: pulled_vecs{L2,L3}(v, op, y, g, s, n, 0, mul(K,team));
  //@ assert here: pulled_vecs{L3,L3}(v, op, y, g, s, n, 0, mul(K,team));
  pull_store_all(v, w, K, n, aligned, adds, dx IN_TEAM GHOST_ARGS(op, s, y, g));
  //@ assert Same{L3,Pre}(y,n) && Same{L3,Pre}(g,n) && Same{L3,Pre}(dx,n);
  //@ assert stored: pulled_row{L3,Here}(dx, op, adds, y, g, s, n);
}
#endif
