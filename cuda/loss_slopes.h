/* The gradient of a row of cross entropy in the registers of a team (team_rows.h). */
#ifndef PM_LOSS_SLOPES_H
#define PM_LOSS_SLOPES_H
#include "loss_held.h"
#include "team_rows.h"

/*@ // element c of a gradient, of e = exp(x - m)
    logic real Slope(real e, real by, integer hit, real scale, integer c) =
      rmul(rmul(e,by) - OneHot(c,hit), scale);
    predicate team_has_regs(integer K, integer team) = 0 < team <= MAXB && 0 < K <= KMAX; */

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

/* v becomes the exponentials of the row in it; their sum, for all lanes. whole: they are a block's. */
/*@ requires team_has_regs(K,team) && a_team(whole,team) && \valid(v + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1]; */
DEV float loss_exp_all(LANEK(float4, v), int K, int whole, float m TEAM_FN)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= team;
      loop assigns t, acc[0 .. team-1];
      loop variant team - t; */
  TEAM_LANES(t) AT(acc, t) = 0.0f;
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, acc[0 .. team-1], v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    /*@ loop invariant 0 <= t <= team;
        loop assigns t, acc[0 .. team-1], v[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    TEAM_LANES(t)
    {
      float4 e = loss_exp4(TEAM_REG(v, j, j0, t), m);
      TEAM_REG(v, j, j0, t) = e;
      AT(acc, t) += (e.x + e.y) + (e.z + e.w);
    }
  }
  return team_sum(acc, whole, s IN_TEAM);
}

/* Vector q of the row's gradient, from its exponentials. */
/*@ requires 0 <= q < KMAX*MAXB;
    assigns \nothing;
    ensures \result.x == Slope(e.x,by,hit,scale,4*q);
    ensures \result.y == Slope(e.y,by,hit,scale,4*q+1);
    ensures \result.z == Slope(e.z,by,hit,scale,4*q+2);
    ensures \result.w == Slope(e.w,by,hit,scale,4*q+3); */
DEV float4 loss_slope4(float4 e, int q, int hit, float by, float scale)
{
  e.x = gradient_of(e.x, by, 4 * q == hit, scale);
  e.y = gradient_of(e.y, by, 4 * q + 1 == hit, scale);
  e.z = gradient_of(e.z, by, 4 * q + 2 == hit, scale);
  e.w = gradient_of(e.w, by, 4 * q + 3 == hit, scale);
  return e;
}

/* v becomes the row's gradient, of the exponentials in it. */
/*@ requires team_has_regs(K,team) && \valid(v + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void loss_slope(LANEK(float4, v), int K, int hit, float by, float scale TEAM_FN)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    /*@ loop invariant 0 <= t <= team;
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    TEAM_LANES(t)
    TEAM_REG(v, j, j0, t) = loss_slope4(TEAM_REG(v, j, j0, t), j0 + t, hit, by, scale);
  }
}

/* What is in dx. */
/*@ requires team_fits(K,team,n) && row_in(dx,n,aligned) && \valid(old + (0 .. KMAX*MAXB-1));
    requires \separated(old + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    assigns old[0 .. KMAX*MAXB-1]; */
DEV void loss_old(LANEK(float4, old), int K, int n, int aligned, const float *dx TEAM_FN)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, old[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    /*@ loop invariant 0 <= t <= team;
        loop assigns t, old[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    TEAM_LANES(t) TEAM_REG(old, j, j0, t) = team_load(j0, t, n, aligned, 0.0f, dx);
  }
}

/*@ requires team_has_regs(K,team) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \valid_read(old + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), old + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1]; */
DEV void loss_plus(LANEK(float4, v), LANEK(float4, old), int K TEAM_FN)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    /*@ loop invariant 0 <= t <= team;
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    TEAM_LANES(t)
    TEAM_REG(v, j, j0, t) = plus4(TEAM_REG(old, j, j0, t), TEAM_REG(v, j, j0, t));
  }
}

/*@ requires team_fits(K,team,n) && \valid(dx + (0 .. n-1)) && perm_w(dx,n);
    requires aligned != 0 ==> aligned16(dx) && n % 4 == 0;
    requires \valid_read(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    assigns dx[0 .. n-1]; */
DEV void loss_store(LANEK(float4, v), int K, int n, int aligned, float *RESTRICT dx TEAM_FN)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, dx[0 .. n-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    /*@ loop invariant 0 <= t <= team;
        loop assigns t, dx[0 .. n-1];
        loop variant team - t; */
    TEAM_LANES(t) team_store(j0, t, n, aligned, TEAM_REG(v, j, j0, t), dx);
  }
}

/* dx becomes what is in v, or has it added. */
/*@ requires team_fits(K,team,n) && row_in(dx,n,aligned) && \valid(dx + (0 .. n-1));
    requires perm_w(dx,n) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    assigns dx[0 .. n-1], v[0 .. KMAX*MAXB-1]; */
DEV void loss_put(LANEK(float4, v), int K, int n, int aligned, int adds, float *dx TEAM_FN)
{
  if (adds) {
    PRIVATEK(float4, old);
    loss_old(old, K, n, aligned, dx IN_TEAM);
    loss_plus(v, old, K IN_TEAM);
  }
  loss_store(v, K, n, aligned, dx IN_TEAM);
}
#endif
