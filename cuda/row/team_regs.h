/* Register tile of a cooperative group: a row of n floats in the registers of a team
 * (collective/team.h), K vectors of four a thread, dealt as regs.h deals them to a block. A team
 * without a row has one of no elements. */
#ifndef PM_ROW_TEAM_REGS_H
#define PM_ROW_TEAM_REGS_H
#include "../lang/cache_hints.h"
#include "regs.h"
#include "../collective/team.h"

/*@ predicate team_fits(integer K, integer team, integer n) =
      0 < team <= MAXB && 0 < K <= KMAX && 0 <= n <= 4*mul(K,team) && n <= 4*KMAX*MAXB;
    predicate team_at(integer j0, integer t, integer n) =
      0 <= j0 && 0 <= t && j0 + t < KMAX*MAXB && 0 <= n <= 4*KMAX*MAXB;
    logic real CellOr{L}(float *x, integer k, integer n, real outside) = k < n ? x[k] : outside; */

/* Whether element i of vector j0 + t is in the row; one answer for the four where it is aligned. */
/*@ requires team_at(j0,t,n) && 0 <= i < 4 && (aligned != 0 ==> n % 4 == 0);
    assigns \nothing;
    ensures \result != 0 <==> 4*(j0+t) + i < n; */
DEV int team_has(int j0, int t, int i, int n, int aligned)
{
  return 4 * j0 + (aligned ? 0 : i) < n - 4 * t;
}

/* Vector j0 + t of a row of n. */
/*@ requires row_in(x,n,aligned) && team_at(j0,t,n);
    assigns \nothing;
    ensures \result.x == CellOr(x,4*(j0+t),n,outside);
    ensures \result.y == CellOr(x,4*(j0+t)+1,n,outside);
    ensures \result.z == CellOr(x,4*(j0+t)+2,n,outside);
    ensures \result.w == CellOr(x,4*(j0+t)+3,n,outside); */
DEV float4 team_load(int j0, int t, int n, int aligned, float outside, const float *RESTRICT x)
{
  float4 v = {outside, outside, outside, outside};
  const float *at = x + 4 * t;
  if (aligned) {
    if (team_has(j0, t, 0, n, aligned))
      v = load4_row(aligned, at + 4 * j0);
  } else {
    if (team_has(j0, t, 0, n, aligned))
      v.x = LDG(at + 4 * j0);
    if (team_has(j0, t, 1, n, aligned))
      v.y = LDG(at + 4 * j0 + 1);
    if (team_has(j0, t, 2, n, aligned))
      v.z = LDG(at + 4 * j0 + 2);
    if (team_has(j0, t, 3, n, aligned))
      v.w = LDG(at + 4 * j0 + 3);
  }
  return v;
}

/*@ requires team_at(j0,t,n) && \valid(y + (0 .. n-1));
    requires aligned != 0 ==> aligned16(y) && n % 4 == 0;
    requires \forall integer k; row_W(j0+t,n,k) ==> W(y+k);
    assigns y[4*(j0+t) .. lesser(4*(j0+t)+4,n)-1];
    ensures 4*(j0+t) < n ==> y[4*(j0+t)] == v.x;
    ensures 4*(j0+t)+1 < n ==> y[4*(j0+t)+1] == v.y;
    ensures 4*(j0+t)+2 < n ==> y[4*(j0+t)+2] == v.z;
    ensures 4*(j0+t)+3 < n ==> y[4*(j0+t)+3] == v.w; */
DEV void team_store(int j0, int t, int n, int aligned, float4 v, float *RESTRICT y THREAD_FN)
{
  float *at = y + 4 * t;
  if (aligned) {
    if (team_has(j0, t, 0, n, aligned))
      ST4(at + 4 * j0, v);
  } else {
    if (team_has(j0, t, 0, n, aligned))
      STG(at + 4 * j0, v.x);
    //@ assert 4*(j0+t) < n ==> y[4*(j0+t)] == v.x;
    if (team_has(j0, t, 1, n, aligned))
      STG(at + 4 * j0 + 1, v.y);
    //@ assert 4*(j0+t)+1 < n ==> y[4*(j0+t)+1] == v.y;
    if (team_has(j0, t, 2, n, aligned))
      STG(at + 4 * j0 + 2, v.z);
    //@ assert 4*(j0+t)+2 < n ==> y[4*(j0+t)+2] == v.z;
    if (team_has(j0, t, 3, n, aligned))
      STG(at + 4 * j0 + 3, v.w);
  }
}
#endif
