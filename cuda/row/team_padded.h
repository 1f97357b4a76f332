/* A row in the registers of a team (team_regs.h), outside which its vectors hold -Inf
 * (regs_padded.h); and its maximum, where the team is part of a warp. */
#ifndef PM_ROW_TEAM_PADDED_H
#define PM_ROW_TEAM_PADDED_H
#include "regs_padded.h"
#include "team_regs.h"

#include "thread_max.h"

/*@ requires team_fits(K,team,n) && row_in(x,n,aligned) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures pad_vecs{Pre,Post}(v, x, n, 0, mul(K,team)); */
DEV void narrow_load_all(PER_THREADK(float4, v), int K, int n, int aligned,
                         const float *RESTRICT x TEAM_FN)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant pad_vecs{Pre,Here}(v, x, n, 0, j0);
      loop invariant Same{Pre,Here}(x,n);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    /*@ loop invariant 0 <= t <= team;
        loop invariant pad_vecs{Pre,Here}(v, x, n, 0, j0 + t);
        loop invariant Same{Pre,Here}(x,n);
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      float4 u = team_load(j0, t, n, aligned, lowest(), x);
      //@ assert pad_vec{Pre}(u, x, j0 + t, n) && j0 + t < KMAX*MAXB;
      TEAM_REG(v, j, j0, t) = u;
      //@ assert Same{LoopCurrent,Here}(x,n);
      //@ assert pad_vec{Pre}(v[j0+t], x, j0 + t, n);
      //@ assert pad_vecs{Pre,Here}(v, x, n, 0, j0 + t);
    }
  }
}

/*@ predicate below4(float4 v, real m) = v.x <= m && v.y <= m && v.z <= m && v.w <= m;
    predicate narrow_in{L}(float *x, integer n) =
      \valid_read(x + (0 .. n-1)) && above_lowest(x,n);
    // the row's maximum; of none, what one begins with
    logic real NarrowTop{L}(float *x, integer n) = n <= 0 ? Lowest : RowMax{L}(x,n);
    lemma narrow_top_frame{L1,L2}: \forall float *x, integer n; Same{L1,L2}(x,n) ==>
      NarrowTop{L1}(x,n) == NarrowTop{L2}(x,n);
    lemma pad_below{L}: \forall float4 v, float *x, integer q, n; 0 <= q ==>
      above_lowest(x,n) ==> pad_vec(v,x,q,n) ==> below4(v,NarrowTop(x,n)); */

/* The largest of top and of v's elements. */
/*@ assigns \nothing;
    ensures top <= \result && below4(v, \result);
    ensures \forall real m; top <= m ==> below4(v, m) ==> \result <= m; */
DEV float narrow_top(float top, float4 v)
{
  return larger(larger(larger(larger(top, v.x), v.y), v.z), v.w);
}

/*@ // no lane's is above the row's; and what vector q has of the row is at most m
    predicate narrow_tops{L0,L}(float *top, integer T, float *x, integer n) =
      \forall integer u; 0 <= u < T ==> \at(top[u],L) <= NarrowTop{L0}(x,n);
    predicate narrow_seen{L}(float *x, integer q, integer n, real m) =
      (4*q < n ==> x[4*q] <= m) && (4*q+1 < n ==> x[4*q+1] <= m) &&
      (4*q+2 < n ==> x[4*q+2] <= m) && (4*q+3 < n ==> x[4*q+3] <= m); */
/*@ requires 0 <= t < team <= MAXB && team_at(j0,t,n) && narrow_in(x,n);
    requires pad_vec(v, x, j0 + t, n) && \valid(top + (0 .. team-1));
    requires top[t] <= NarrowTop(x,n);
    requires \separated(top + (0 .. team-1), x + (0 .. n-1));
    assigns top[t];
    ensures only{Pre,Post}(top, t, team) && \old(top[t]) <= top[t];
    ensures top[t] <= NarrowTop{Pre}(x,n);
    ensures narrow_seen{Pre}(x, j0 + t, n, top[t]); */
DEV void narrow_top_at(PER_THREAD(float, top), int t,
                       float4 v TEAM_FN GHOST_PARAMS(int j0, int n, const float *x))
{
  AT(top, t) = narrow_top(AT(top, t), v);
}

/*@ requires team_fits(K,team,n) && narrow_in(x,n) && \valid_read(v + (0 .. KMAX*MAXB-1));
    requires pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,team));
    requires \valid(top + (0 .. team-1)) && narrow_tops{Pre,Pre}(top, team, x, n);
    requires \separated(top + (0 .. team-1), x + (0 .. n-1));
    requires \separated(top + (0 .. team-1), v + (0 .. KMAX*MAXB-1));
    assigns top[0 .. team-1];
    ensures 0 < n ==> RowMax(top, team) == RowMax{Pre}(x, n); */
DEV void narrow_max_all(PER_THREAD(float, top), PER_THREADK(float4, v),
                        int K TEAM_FN GHOST_PARAMS(int n, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant narrow_tops{Pre,Here}(top, team, x, n);
      loop invariant above{Pre,Here}(top, team, x, lesser(4*j0, n));
      loop assigns j, j0, top[0 .. team-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team);
    /*@ loop invariant 0 <= t <= team;
        loop invariant narrow_tops{Pre,Here}(top, team, x, n);
        loop invariant above{Pre,Here}(top, team, x, lesser(4*(j0+t), n));
        loop assigns t, top[0 .. team-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert pad_vec{Pre}(v[j0+t], x, j0 + t, n);
      //@ assert Same{Pre,Here}(x,n);
      //@ assert pad_vec(v[j0+t], x, j0 + t, n);
      //@ assert NarrowTop{Pre}(x,n) == NarrowTop(x,n);
      //@ assert above_lowest(x,n);
      narrow_top_at(top, t, TEAM_REG(v, j, j0, t) IN_TEAM GHOST_ARGS(j0, n, x));
      //@ assert only: only{LoopCurrent,Here}(top, t, team);
      //@ assert grows: at_most{LoopCurrent,Here}(top, team);
      //@ assert max: \at(RowMax(top, team),LoopCurrent) <= RowMax(top, team);
      //@ assert one: top[t] <= RowMax(top, team);
      //@ assert mine: top[t] <= NarrowTop{Pre}(x,n);
      //@ assert some: narrow_tops{Pre,Here}(top, team, x, n);
      //@ assert seen: narrow_seen{Pre}(x, j0 + t, n, RowMax(top, team));
      //@ assert old: above{Pre,Here}(top, team, x, lesser(4*(j0+t), n));
    }
  }
  //@ assert all: above{Pre,Here}(top, team, x, n);
  //@ assert tops: 0 < n ==> some_of{Pre,Here}(top, team, x, n);
  //@ assert at_most: 0 < n ==> RowMax(top, team) <= RowMax{Pre}(x, n);
  //@ assert at_least: 0 < n ==> RowMax{Pre}(x, n) <= RowMax(top, team);
}

/* The maximum of the row that is in v, for all lanes. */
/*@ requires few(team) && team_fits(K,team,n) && narrow_in(x,n);
    requires \valid_read(v + (0 .. KMAX*MAXB-1));
    requires pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,team));
    assigns \nothing;
    ensures 0 < n ==> \result == RowMax{Pre}(x, n); */
DEV float narrow_max(PER_THREADK(float4, v), int K TEAM_FN GHOST_PARAMS(int n, const float *x))
{
  SHARED(float, s, 32);
  PRIVATE(float, top);
  /*@ loop invariant 0 <= t <= team;
      loop invariant \forall integer u; 0 <= u < t ==> top[u] == Lowest;
      loop assigns t, top[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t) AT(top, t) = lowest();
  //@ assert Same{Pre,Here}(x,n) && (0 < n ==> RowMax{Pre}(x, n) == RowMax(x, n));
  //@ assert 0 < n ==> Lowest < x[0] <= RowMax(x, n);
  //@ assert NarrowTop{Pre}(x,n) == NarrowTop(x,n) && Lowest <= NarrowTop(x,n);
  //@ assert pad_vecs{Pre,Here}(v, x, n, 0, mul(K,team));
  //@ assert pad_vecs{Here,Here}(v, x, n, 0, mul(K,team));
  //@ assert above_lowest(x,n);
  narrow_max_all(top, v, K IN_TEAM GHOST_ARGS(n, x));
  return team_max(top, 0, s IN_TEAM);
}
#endif
