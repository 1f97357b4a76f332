/* Warp (or part of one) a row, in registers: softmax and log_softmax of narrow rows, which wait
 * in those of 1, 2, 4, .. 32 lanes of a warp (row/team_regs.h): x and y are (rows, cols). Outside
 * the row its vectors hold -Inf. softmax.cu says when. */
#include "../lang/owned.h"
#include "../row/regs_padded.h"
#include "row.h"
#include "contract.h"

#ifdef __FRAMAC__
/*@ // exp(v - m), and nothing of what is outside
    logic real PadExp(real v, real m) = v > Lowest ? \exp(v - m) : 0.0; */
/*@ assigns \nothing; ensures v <= Lowest || v <= m ==> \result == PadExp(v,m); */
float pad_exp(float v, float m);
#else
DEV float pad_exp(float v, float m) { return pm_expf_down(v - m); }
#endif

#include "../row/team_padded.h"

/*@ // no element is above m: what pad_exp wants of them
    predicate narrow_under{L}(float *x, real m, integer n) =
      \forall integer k; 0 <= k < n ==> x[k] <= m;
    lemma narrow_under_frame{L1,L2}: \forall float *x, real m, integer n; Same{L1,L2}(x,n) ==>
      narrow_under{L1}(x,m,n) ==> narrow_under{L2}(x,m,n);
    lemma narrow_under_max{L}: \forall float *x, real m, integer n; m == RowMax{L}(x,n) ==>
      narrow_under{L}(x,m,n); */
/*@ lemma pad_exp_at{L}: \forall float *x, real m, integer k, n; above_lowest(x,n) ==> 0 <= k ==>
      PadExp(Padded(x,k,n),m) == ExpAt(x,m,k,n);
    predicate exp_vec{L}(float4 e, float *x, real m, integer q, integer n) =
      e.x == ExpAt(x,m,4*q,n) && e.y == ExpAt(x,m,4*q+1,n) && e.z == ExpAt(x,m,4*q+2,n) &&
      e.w == ExpAt(x,m,4*q+3,n);
    lemma exp_vec_frame{L1,L2}: \forall float4 e, float *x, real m, integer q, n; 0 <= q ==>
      Same{L1,L2}(x,n) ==> exp_vec{L1}(e,x,m,q,n) ==> exp_vec{L2}(e,x,m,q,n);
    // what is kept of element k, of which e is the exponential
    logic real KeptOr(integer logs, real v, real e, real m) = logs == 0 ? e : v - m;
    lemma kept_or{L}: \forall integer logs, float *x, real m, integer k, n; k < n ==>
      KeptOr(logs,Padded(x,k,n),ExpAt(x,m,k,n),m) == Kept(logs,x[k],m); */

/* The exponentials of vector q of a row. */
/*@ requires 0 <= q && narrow_in(x,n) && pad_vec(v, x, q, n) && narrow_under(x, m, n);
    assigns \nothing;
    ensures exp_vec(\result, x, m, q, n); */
DEV float4 narrow_exps(float4 v, float m GHOST_PARAMS(int q, int n, const float *x))
{
  float4 e = {pad_exp(v.x, m), pad_exp(v.y, m), pad_exp(v.z, m), pad_exp(v.w, m)};
  //@ assert e.x == PadExp(Padded(x,4*q,n),m) && e.y == PadExp(Padded(x,4*q+1,n),m);
  //@ assert e.z == PadExp(Padded(x,4*q+2,n),m) && e.w == PadExp(Padded(x,4*q+3,n),m);
  return e;
}

/* What is kept of v: e, or for the logarithm the differences that e is of. */
/*@ requires 0 <= q && narrow_in(x,n) && pad_vec(v, x, q, n) && exp_vec(e, x, m, q, n);
    assigns \nothing;
    ensures kept_vec(\result, logs, x, m, q, n); */
DEV float4 narrow_kept(int logs, float4 v, float4 e,
                       float m GHOST_PARAMS(int q, int n, const float *x))
{
  //@ assert 4*q < n ==> KeptOr(logs,v.x,e.x,m) == Kept(logs,x[4*q],m);
  //@ assert 4*q+1 < n ==> KeptOr(logs,v.y,e.y,m) == Kept(logs,x[4*q+1],m);
  //@ assert 4*q+2 < n ==> KeptOr(logs,v.z,e.z,m) == Kept(logs,x[4*q+2],m);
  //@ assert 4*q+3 < n ==> KeptOr(logs,v.w,e.w,m) == Kept(logs,x[4*q+3],m);
  v.x = logs ? v.x - m : e.x;
  v.y = logs ? v.y - m : e.y;
  v.z = logs ? v.z - m : e.z;
  v.w = logs ? v.w - m : e.w;
  return v;
}

/*@ requires 0 <= t < team <= MAXB && 0 <= q && narrow_in(x,n) && exp_vec(e, x, m, q, n);
    requires \valid(acc + (0 .. team-1));
    requires \separated(acc + (0 .. team-1), x + (0 .. n-1));
    assigns acc[t];
    ensures only{Pre,Post}(acc, t, team) && Same{Pre,Post}(x,n);
    ensures acc[t] == \old(acc[t]) + (ExpSum{Pre}(x,m,4*q+4,n) - ExpSum{Pre}(x,m,4*q,n)); */
DEV void narrow_add(PER_THREAD(float, acc), int t,
                    float4 e TEAM_FN GHOST_PARAMS(int q, int n, float m, const float *x))
{
  AT(acc, t) += (e.x + e.y) + (e.z + e.w);
}

/*@ predicate but_in{L1,L2}(float4 *v, integer at) =
      \forall integer q; 0 <= q < KMAX*MAXB ==> q != at ==> \at(v[q],L1) == \at(v[q],L2);
    lemma pad_vecs_rest{L0,L1,L2}: \forall float4 *v, float *x, integer n, from, to;
      0 <= from ==> to <= KMAX*MAXB ==> pad_vecs{L0,L1}(v,x,n,from,to) ==>
      but_in{L1,L2}(v,from) ==> pad_vecs{L0,L2}(v,x,n,from+1,to);
    lemma kept_vecs_still{L0,L1,L2}: \forall float4 *v, integer logs, float *x, real m, integer n,
      to;
      to <= KMAX*MAXB ==> kept_vecs{L0,L1}(v,logs,x,m,n,0,to) ==> but_in{L1,L2}(v,to) ==>
      kept_vecs{L0,L2}(v,logs,x,m,n,0,to); */
/*@ requires j0 == mul(j,team) && 0 <= t < team <= MAXB && team_at(j0,t,n) && narrow_in(x,n);
    requires \valid(v + (0 .. KMAX*MAXB-1)) && pad_vec(v[j0+t], x, j0 + t, n);
    requires \valid(acc + (0 .. team-1)) && narrow_under(x, m, n);
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), v + (0 .. KMAX*MAXB-1));
    assigns v[j0+t], acc[t];
    ensures kept_vec{Pre}(v[j0+t], logs, x, m, j0 + t, n);
    ensures but_in{Pre,Post}(v, j0 + t);
    ensures only{Pre,Post}(acc, t, team);
    ensures Same{Pre,Post}(x,n);
    ensures acc[t] == \old(acc[t]) +
      (ExpSum{Pre}(x,m,4*(j0+t)+4,n) - ExpSum{Pre}(x,m,4*(j0+t),n)); */
DEV void narrow_step(PER_THREADK(float4, v), PER_THREAD(float, acc), int logs, int j, int j0, int t,
                     float m TEAM_FN GHOST_PARAMS(int n, const float *x))
{
  //@ assert at: 0 <= j0 + t < KMAX*MAXB;
  float4 u = TEAM_REG(v, j, j0, t), e = narrow_exps(u, m GHOST_ARGS(j0 + t, n, x));
  u = narrow_kept(logs, u, e, m GHOST_ARGS(j0 + t, n, x));
  narrow_add(acc, t, e IN_TEAM GHOST_ARGS(j0 + t, n, m, x));
  //@ assert but_in{Pre,Here}(v, j0 + t);
  /*@ assert sum: acc[t] == \at(acc[t],Pre) +
        (ExpSum{Pre}(x,m,4*(j0+t)+4,n) - ExpSum{Pre}(x,m,4*(j0+t),n)); */
  //@ ghost L1: ;
  TEAM_REG(v, j, j0, t) = u;
  //@ assert rest: but_in{L1,Here}(v, j0 + t);
  //@ assert x: Same{L1,Here}(x,n);
  //@ assert still: Same{L1,Here}(acc,team);
}

/* What is kept of the row; acc adds up its exponentials. */
/*@ requires team_fits(K,team,n) && narrow_in(x,n) && \valid(v + (0 .. KMAX*MAXB-1));
    requires \valid(acc + (0 .. team-1)) && SumR(acc, 0, team) == 0.0;
    requires pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,team)) && narrow_under{Pre}(x, m, n);
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. team-1), v + (0 .. KMAX*MAXB-1));
    assigns v[0 .. KMAX*MAXB-1], acc[0 .. team-1];
    ensures kept_vecs{Pre,Post}(v, logs, x, m, n, 0, mul(K,team));
    ensures SumR(acc, 0, team) == SumExp{Pre}(x,m,n); */
DEV void narrow_keep_all(PER_THREADK(float4, v), PER_THREAD(float, acc), int K, int logs,
                         float m TEAM_FN GHOST_PARAMS(int n, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, team) && 0 <= j0 <= j*MAXB;
      loop invariant kept_vecs{Pre,Here}(v, logs, x, m, n, 0, j0);
      loop invariant pad_vecs{Pre,Here}(v, x, n, j0, mul(K,team));
      loop invariant Same{Pre,Here}(x,n);
      loop invariant SumR(acc, 0, team) == ExpSum{Pre}(x, m, 4*j0, n);
      loop assigns j, j0, v[0 .. KMAX*MAXB-1], acc[0 .. team-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += team) {
    //@ assert mul(j+1, team) == j0 + team && j0 + team <= (j+1)*MAXB;
    //@ assert j0 + team <= mul(K,team) && mul(K,team) <= mul(KMAX,team);
    //@ assert most: mul(K,team) <= KMAX*MAXB;
    /*@ loop invariant 0 <= t <= team;
        loop invariant kept_vecs{Pre,Here}(v, logs, x, m, n, 0, j0 + t);
        loop invariant pad_vecs{Pre,Here}(v, x, n, j0 + t, mul(K,team));
        loop invariant Same{Pre,Here}(x,n);
        loop invariant SumR(acc, 0, team) == ExpSum{Pre}(x, m, 4*(j0+t), n);
        loop assigns t, v[0 .. KMAX*MAXB-1], acc[0 .. team-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t)
    {
      //@ assert pad_vec{Pre}(v[j0+t], x, j0 + t, n);
      //@ assert Same{Pre,Here}(x,n);
      //@ assert pad_vec(v[j0+t], x, j0 + t, n);
      //@ assert above_lowest(x,n);
      //@ assert narrow_under(x, m, n);
      //@ assert ExpSum(x, m, 4*(j0+t)+4, n) == ExpSum{Pre}(x, m, 4*(j0+t)+4, n);
      //@ assert ExpSum(x, m, 4*(j0+t), n) == ExpSum{Pre}(x, m, 4*(j0+t), n);
      narrow_step(v, acc, logs, j, j0, t, m IN_TEAM GHOST_ARGS(n, x));
      //@ assert Same{LoopCurrent,Here}(x,n);
      //@ assert but_in{LoopCurrent,Here}(v, j0 + t);
      //@ assert kept_vec{Pre}(v[j0+t], logs, x, m, j0 + t, n);
      //@ assert kept_vecs{Pre,Here}(v, logs, x, m, n, 0, j0 + t);
      //@ assert kept_vecs{Pre,Here}(v, logs, x, m, n, 0, j0 + t + 1);
      //@ assert pad_vecs{Pre,Here}(v, x, n, j0 + t + 1, mul(K,team));
      //@ assert only{LoopCurrent,Here}(acc, t, team);
      /*@ assert mine: acc[t] == \at(acc[t],LoopCurrent) +
            (ExpSum{Pre}(x,m,4*(j0+t)+4,n) - ExpSum{Pre}(x,m,4*(j0+t),n)); */
      /*@ assert all: SumR(acc, 0, team) ==
            \at(SumR(acc, 0, team),LoopCurrent) - \at(acc[t],LoopCurrent) + acc[t]; */
      //@ assert now: SumR(acc, 0, team) == ExpSum{Pre}(x, m, 4*(j0+t)+4, n);
    }
  }
  //@ assert ExpSum{Pre}(x, m, 4*mul(K,team), n) == SumExp{Pre}(x, m, n);
}

/* What is kept of the row that is in v, and the sum of its exponentials, for all lanes. */
/*@ requires few(team) && team_fits(K,team,n) && narrow_in(x,n);
    requires \valid(v + (0 .. KMAX*MAXB-1)) && pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,team));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1)) && narrow_under{Pre}(x, m, n);
    assigns v[0 .. KMAX*MAXB-1];
    ensures kept_vecs{Pre,Post}(v, logs, x, m, n, 0, mul(K,team));
    ensures \result == SumExp{Pre}(x,m,n); */
DEV float narrow_sum(PER_THREADK(float4, v), int K, int logs,
                     float m TEAM_FN GHOST_PARAMS(int n, const float *x))
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= team && zeros(&acc[0], t);
      loop assigns t, acc[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, team) == 0.0;
  //@ assert Same{Pre,Here}(x,n) && above_lowest(x,n);
  //@ assert SumExp{Pre}(x,m,n) == SumExp(x,m,n);
  //@ assert pad_vecs{Pre,Here}(v, x, n, 0, mul(K,team));
  //@ assert pad_vecs{Here,Here}(v, x, n, 0, mul(K,team));
  //@ assert narrow_under(x, m, n);
  //@ ghost L0: ;
  narrow_keep_all(v, acc, K, logs, m IN_TEAM GHOST_ARGS(n, x));
  //@ assert kept_vecs{L0,Here}(v, logs, x, m, n, 0, mul(K,team));
  //@ assert kept_vecs{Pre,Here}(v, logs, x, m, n, 0, mul(K,team));
  return team_sum(acc, 0, s IN_TEAM);
}

/* One row. */
/*@ requires few(team) && team_fits(K,team,n) && row_in(x,n,aligned) && above_lowest(x,n);
    requires \valid(y + (0 .. n-1)) && W_ROW(y, n);
    requires (aligned != 0 ==> aligned16(y)) && apart(x,n,y,n);
    assigns y[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> y[c] == SoftOne{Pre}(logs,x,n,c); */
DEV void narrow_row(int logs, int K, int aligned, int n, const float *RESTRICT x,
                    float *RESTRICT y TEAM_FN)
{
  PRIVATEK(float4, v);
  float m, s, t;
  narrow_load_all(v, K, n, aligned, x IN_TEAM);
  //@ assert Same{Pre,Here}(x,n) && above_lowest(x,n);
  //@ assert pad_vecs{Here,Here}(&v[0], x, n, 0, mul(K,team));
  m = narrow_max(v, K IN_TEAM GHOST_ARGS(n, x));
  //@ assert 0 < n ==> m == RowMax{Pre}(x,n);
  //@ assert narrow_under(x, m, n);
  s = narrow_sum(v, K, logs, m IN_TEAM GHOST_ARGS(n, x));
  //@ assert Same{Pre,Here}(x,n);
  //@ assert kept_vecs{Here,Here}(&v[0], logs, x, m, n, 0, mul(K,team));
  //@ assert s == SumExp{Pre}(x,m,n) && (0 < n ==> s > 0.0);
  t = soft_closing(logs, s);
  //@ ghost L0: ;
  soft_store_all(v, K, logs, n, aligned, t, y IN_TEAM GHOST_ARGS(m, x));
  //@ assert Same{Pre,L0}(x,n);
  /*@ assert here: \forall integer c; 0 <= c < n ==>
        y[c] == Put(logs,Kept(logs,\at(x[c],Pre),m),t); */
  /*@ assert one: \forall integer c; 0 <= c < n ==>
        Put(logs,Kept(logs,\at(x[c],Pre),m),t) == SoftOne{Pre}(logs,x,n,c); */
}

/*@ predicate soft_same{L1,L2}(float *x, integer cols, integer r) =
      Same{L1,L2}(x+ix(r,cols,0),cols);
    lemma soft_at_frame{L1,L2,L}: \forall integer logs, float *x, *y, integer cols, r;
      soft_same{L1,L2}(x,cols,r) ==> soft_at{L1,L}(logs,x,y,cols,r) ==>
      soft_at{L2,L}(logs,x,y,cols,r);
    lemma soft_at_kept{L0,L1,L2}: \forall integer logs, float *x, *y, integer cols, n;
      same_rows{L1,L2}(y,cols,n) ==> soft_rows{L0,L1}(logs,x,y,cols,n) ==>
      soft_rows{L0,L2}(logs,x,y,cols,n);
    predicate soft_tensors{L}(float *x, float *y, integer rows, integer cols, integer aligned) =
      reads(x,ix(rows,cols,0)) && 0 <= ix(rows,cols,0) <= IDX_LIM &&
      \valid(y + (0 .. ix(rows,cols,0)-1)) &&
      above_lowest(x,ix(rows,cols,0)) && apart(x,ix(rows,cols,0),y,ix(rows,cols,0)) &&
      (aligned != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(y)); */

/* Row r, where there is one. */
/*@ requires few(team) && team_fits(K,team,cols) && 0 < cols && 0 <= r && 0 <= rows;
    requires soft_tensors(x,y,rows,cols,aligned) && 0 <= first_ <= MAXB;
    requires r < rows ==> dealt_row(y+ix(r,cols,0),cols,team,mb_,first_);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures r < rows ==> soft_at{Pre,Post}(logs,x,y,cols,r);
    ensures same_rows{Pre,Post}(y,cols,lesser(r,rows)); */
DEV void narrow_nth(int logs, int K, int aligned, idx r, idx rows, int cols,
                    const float *RESTRICT x, float *RESTRICT y TEAM_FN)
{
  int n = 0;
  idx o = 0;
  if (r < rows) {
    n = cols;
    o = at2(rows, cols, r, 0);
    //@ assert last: ix(r+1,cols,0) == ix(r,cols,0) + cols && ix(r+1,cols,0) <= ix(rows,cols,0);
    //@ assert quads: aligned != 0 ==> cols == 4*(cols/4);
    //@ assert quad: aligned != 0 ==> ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  }
  //@ assert inside: 0 <= o && o + n <= ix(rows,cols,0);
  //@ assert mine: r < rows ==> o == ix(r,cols,0) && n == cols;
  //@ assert fours: aligned != 0 ==> o % 4 == 0 && n % 4 == 0;
  //@ assert aligned: aligned != 0 ==> aligned16(x+o) && aligned16(y+o);
  //@ assert perm_all: perm_r(x,ix(rows,cols,0));
  //@ assert perm_row: perm_r(x+o,n);
  //@ assert owners: dealt_row(y+o,n,team,mb_,first_);
  //@ assert row_mine: has_row(y+o,n,team,mb_,first_);
  //@ assert in: row_in(x+o,n,aligned);
  //@ assert above: above_lowest(x+o,n);
  narrow_row(logs, K, aligned, n, x + o, y + o IN_TEAM);
  /*@ assert here: \forall integer c; 0 <= c < n ==>
        y[o+c] == SoftOne{Pre}(logs,x+o,n,c); */
  //@ assert cell: r < rows ==> \forall integer c; 0 <= c < cols ==> ix(r,cols,c) == o+c;
  //@ assert new: r < rows ==> soft_at{Pre,Here}(logs,x,y,cols,r);
}

/* A team of 2^log_lanes lanes a row, with K vectors a lane. LOGS: log_softmax; VEC: both tensors
 * are 16-byte aligned and cols a multiple of 4. */
/*@ requires block && 0 <= log_lanes <= 5 && team_fits(K,TeamOf(log_lanes),cols) && 0 < cols;
    requires 0 <= rows <= IDX_LIM && rows <= ix(BLOCKS,bdim_/TeamOf(log_lanes),0);
    requires soft_tensors(x,y,rows,cols,VEC) && own_team_rows(y,rows,cols,TeamOf(log_lanes));
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures soft_rows{Pre,Post}(LOGS,x,y,cols,rows); */
TEMPLATE(int LOGS, int K, int VEC)
KERNEL void softmax_warp(CONSTANTS(int LOGS, int K, int VEC) int log_lanes, idx rows, int cols,
                         const float *RESTRICT x, float *RESTRICT y)
{
  WARP_TEAM(log_lanes);
  /*@ loop invariant 0 <= r <= all_ && rows <= all_;
      loop invariant soft_rows{Pre,Here}(LOGS,x,y,cols,lesser(r,rows));
      loop assigns r, y[0 .. ix(rows,cols,0)-1];
      loop variant all_ - r; */
  TEAMS(r, rows)
  {
    //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert next: 0 <= ix(r,cols,0) && ix(r+1,cols,0) == ix(r,cols,0) + cols;
    //@ assert inside: r < rows ==> ix(r+1,cols,0) <= ix(rows,cols,0);
    //@ assert row: r < rows ==> soft_same{Pre,Here}(x,cols,r);
    narrow_nth(LOGS, K, VEC, r, rows, cols, x, y IN_TEAM_OF(r));
    //@ assert value: r < rows ==> soft_at{LoopCurrent,Here}(LOGS,x,y,cols,r);
    //@ assert same: r < rows ==> soft_same{LoopCurrent,Pre}(x,cols,r);
    //@ assert new: r < rows ==> soft_at{Pre,Here}(LOGS,x,y,cols,r);
    //@ assert old: soft_rows{Pre,Here}(LOGS,x,y,cols,lesser(r,rows));
  }
}

#if !defined __FRAMAC__ || defined PROVE_LAUNCHERS
/* -------------------------------------------------- launchers */
#include "launch.h"

void LAUNCHER(softmax_warp)(const pm_exec *ex, int logs, int k, int vec, int log_lanes,
                            int64_t grid, int block, int64_t rows, int64_t cols, const float *x,
                            float *y)
{
  int w = (int)cols;
  unsigned blocks = (unsigned)grid;
#define RUN(LOGS, K, VEC) \
  LAUNCH_OF(softmax_warp, (LOGS, K, VEC), blocks, block, ex->stream, log_lanes, rows, w, x, y)
#define WITH_VEC(LOGS, K) \
  if (vec)                \
    RUN(LOGS, K, 1);      \
  else                    \
    RUN(LOGS, K, 0)
  //@ assert grid: blocks == grid && w == cols;
  //@ assert lanes: LanesOf(log_lanes) == TeamOf(log_lanes);
  //@ assert teams: TeamsOf(log_lanes) == block / TeamOf(log_lanes) > 0;
  //@ assert rows: ix(blocks,block / TeamOf(log_lanes),0) == blocks * TeamsOf(log_lanes);
  //@ assert fits: mul(k,TeamOf(log_lanes)) == k*TeamOf(log_lanes);
  if (logs && k == 2) {
    WITH_VEC(1, 2);
  } else if (logs) {
    WITH_VEC(1, 4);
  } else if (k == 2) {
    WITH_VEC(0, 2);
  } else {
    WITH_VEC(0, 4);
  }
#undef WITH_VEC
#undef RUN
}
#endif
