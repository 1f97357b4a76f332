/* A row in the registers of a team (team_regs.h), outside which its vectors hold 0. */
#ifndef PM_ROW_TEAM_LOAD_H
#define PM_ROW_TEAM_LOAD_H
#include "team_regs.h"

/*@ requires team_fits(K,team,n) && row_in(x,n,aligned) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns v[0 .. KMAX*MAXB-1];
    ensures row_vecs{Pre,Post}(v, x, n, 0, mul(K,team)); */
DEV void team_load_all(PER_THREADK(float4, v), int K, int n, int aligned,
                       const float *RESTRICT x TEAM_FN)
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant row_vecs{Pre,Here}(v, x, n, 0, j0);
      loop invariant Same{Pre,Here}(x,n);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    /*@ loop invariant 0 <= t <= team;
        loop invariant row_vecs{Pre,Here}(v, x, n, 0, j0 + t);
        loop invariant Same{Pre,Here}(x,n);
        loop assigns t, v[0 .. KMAX*MAXB-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      float4 u = team_load(j0, t, n, aligned, 0.0f, x);
      //@ assert row_vec{Pre}(u, x, j0 + t, n) && j0 + t < KMAX*MAXB;
      TEAM_REG(v, j, j0, t) = u;
      //@ assert Same{LoopCurrent,Here}(x,n);
      //@ assert row_vec{Pre}(v[j0+t], x, j0 + t, n);
      //@ assert row_vecs{Pre,Here}(v, x, n, 0, j0 + t);
    }
  }
}

/*@ // a register, and all but one
    predicate same_vec{L1,L2}(float4 *v, integer q) = \at(v[q],L1) == \at(v[q],L2);
    predicate but_in{L1,L2}(float4 *v, integer at) =
      \forall integer q; 0 <= q < KMAX*MAXB ==> q != at ==> \at(v[q],L1) == \at(v[q],L2); */
/*@ requires j0 == mul(j,team) && 0 <= j0 && 0 <= t && j0 + t < KMAX*MAXB;
    requires \valid(v + (0 .. KMAX*MAXB-1));
    assigns v[j0+t];
    ensures v[j0+t] == u && but_in{Pre,Post}(v, j0 + t); */
DEV void team_keep(PER_THREADK(float4, v), int j, int j0, int t, float4 u TEAM_FN)
{
  TEAM_REG(v, j, j0, t) = u;
}
#endif
