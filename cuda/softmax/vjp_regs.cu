/* Warp or block a row, in registers: the VJPs of softmax, log_softmax and masked_softmax of a
 * team's rows (row/team_regs.h), y's and g's: y, g and dx are (rows, cols). Outside the row the
 * vectors hold 0. softmax.cu says when. */
#define ONE_WARP 1 /* see collective/block_sum.h */
#include "vjp_team.h"

/* One row. */
/*@ requires a_team(whole,team) && team_fits(K,team,n);
    requires row_in(y,n,aligned) && row_in(g,n,aligned);
    requires pull_out(dx,y,g,n,aligned);
    assigns dx[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==>
      dx[c] == plus(adds,\at(dx[c],Pre),RowVjp{Pre}(op,y,g,n,c)); */
DEV void pull_row(int op, int K, int aligned, int whole, int adds, int n, const float *RESTRICT y,
                  const float *RESTRICT g, float *RESTRICT dx TEAM_FN)
{
  PRIVATEK(float4, v);
  PRIVATEK(float4, w);
  float s;
  team_load_all(v, K, n, aligned, y IN_TEAM);
  //@ assert Same{Pre,Here}(y,n) && Same{Pre,Here}(g,n);
  //@ ghost L0: ;
  team_load_all(w, K, n, aligned, g IN_TEAM);
  //@ assert Same{L0,Here}(y,n) && Same{L0,Here}(g,n);
  //@ assert v: row_vecs{Pre,Here}(&v[0], y, n, 0, mul(K,team));
  //@ assert w: row_vecs{Pre,Here}(&w[0], g, n, 0, mul(K,team));
  //@ assert pull_held{Here,Here}(&v[0], &w[0], y, g, n, mul(K,team));
  s = pull_sum(v, w, K, op, whole IN_TEAM GHOST_ARGS(n, y, g));
  //@ assert s == PullSum{Pre}(op,y,g,n);
  //@ ghost L1: ;
  //@ assert Same{Pre,L1}(y,n) && Same{Pre,L1}(g,n) && Same{Pre,L1}(dx,n);
  //@ assert Same{L1,Pre}(y,n) && Same{L1,Pre}(g,n) && Same{L1,Pre}(dx,n);
  pull_put(v, w, K, op, n, aligned, adds, s, dx IN_TEAM GHOST_ARGS(y, g));
  //@ assert stored: pulled_row{L1,Here}(dx, op, adds, y, g, s, n);
  //@ assert row: pulled_row{Pre,Here}(dx, op, adds, y, g, s, n);
  /*@ assert all: \forall integer c; 0 <= c < n ==>
        dx[c] == plus(adds,\at(dx[c],Pre),Pulled(op,\at(y[c],Pre),\at(g[c],Pre),s)); */
}

/* Row r, where there is one. */
/*@ requires a_team(whole,team) && team_fits(K,team,cols) && 0 < cols && 0 <= r && 0 <= rows;
    requires pull_tensors(y,g,dx,rows,cols,aligned);
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures r < rows ==> pulled_at{Pre,Post}(op,adds,y,g,dx,cols,r);
    ensures same_rows{Pre,Post}(dx,cols,lesser(r,rows));
    ensures rows_left{Pre,Post}(dx,cols,r+1,rows); */
DEV void pull_nth(int op, int K, int aligned, int whole, int adds, idx r, idx rows, int cols,
                  const float *RESTRICT y, const float *RESTRICT g, float *RESTRICT dx TEAM_FN)
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
  //@ assert aligned: aligned != 0 ==> aligned16(y+o) && aligned16(g+o) && aligned16(dx+o);
  //@ assert perm_all: perm_r(y,ix(rows,cols,0)) && perm_r(g,ix(rows,cols,0));
  //@ assert perm_dx: perm_r(dx,ix(rows,cols,0)) && perm_w(dx,ix(rows,cols,0));
  //@ assert perm_row: perm_r(y+o,n) && perm_r(g+o,n) && perm_r(dx+o,n) && perm_w(dx+o,n);
  //@ assert in: row_in(y+o,n,aligned) && row_in(g+o,n,aligned);
  //@ assert out: pull_out(dx+o,y+o,g+o,n,aligned);
  //@ ghost L0: ;
  pull_row(op, K, aligned, whole, adds, n, y + o, g + o, dx + o IN_TEAM);
  /*@ assert here: \forall integer c; 0 <= c < n ==>
        dx[o+c] == plus(adds,\at(dx[o+c],L0),RowVjp{L0}(op,y+o,g+o,n,c)); */
  //@ assert cell: r < rows ==> \forall integer c; 0 <= c < cols ==> ix(r,cols,c) == o+c;
  //@ assert new: r < rows ==> pulled_at{Pre,Here}(op,adds,y,g,dx,cols,r);
}

/* Block r does row r, with K vectors a thread. VEC: all tensors are 16-byte aligned and cols a
 * multiple of 4. */
/*@ requires block && team_fits(K,bdim_,cols) && 0 < cols && 0 <= rows <= IDX_LIM;
    requires ix(rows,1,0) <= BLOCKS && pull_tensors(y,g,dx,rows,cols,VEC);
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures pull_rows{Pre,Post}(OP,accumulate,y,g,dx,cols,rows); */
TEMPLATE(int OP, int K, int VEC)
KERNEL void THREADS_AT_MOST(512)
    softmax_vjp_regs(CONSTANTS(int OP, int K, int VEC) int accumulate, idx rows, int cols,
                     const float *RESTRICT y, const float *RESTRICT g, float *RESTRICT dx)
{
  BLOCK_TEAM;
  /*@ loop invariant 0 <= r <= rows;
      loop invariant pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
      loop invariant rows_left{Pre,Here}(dx,cols,r,rows);
      loop assigns r, dx[0 .. ix(rows,cols,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    //@ assert all: Same{Pre,Here}(y,ix(rows,cols,0)) && Same{Pre,Here}(g,ix(rows,cols,0));
    //@ assert next: 0 <= ix(r,cols,0) && ix(r+1,cols,0) == ix(r,cols,0) + cols;
    //@ assert inside: ix(r+1,cols,0) <= ix(rows,cols,0);
    //@ assert row: pull_same{LoopCurrent,Pre}(y,g,dx,cols,r);
    pull_nth(OP, K, VEC, 1, accumulate, r, rows, cols, y, g, dx IN_TEAM);
    //@ assert value: pulled_at{LoopCurrent,Here}(OP,accumulate,y,g,dx,cols,r);
    //@ assert new: pulled_at{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
    //@ assert old: pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
    //@ assert left: rows_left{Pre,Here}(dx,cols,r+1,rows);
  }
}

/* A team of 2^log_lanes lanes a row, with K vectors a lane. */
/*@ requires block && 0 <= log_lanes <= 5 && team_fits(K,TeamOf(log_lanes),cols) && 0 < cols;
    requires 0 <= rows <= IDX_LIM && rows <= ix(BLOCKS,bdim_/TeamOf(log_lanes),0);
    requires pull_tensors(y,g,dx,rows,cols,VEC);
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures pull_rows{Pre,Post}(OP,accumulate,y,g,dx,cols,rows); */
TEMPLATE(int OP, int K, int VEC)
KERNEL void softmax_vjp_warp(CONSTANTS(int OP, int K, int VEC) int log_lanes, int accumulate,
                             idx rows, int cols, const float *RESTRICT y, const float *RESTRICT g,
                             float *RESTRICT dx)
{
  WARP_TEAM(log_lanes);
  /*@ loop invariant 0 <= r <= all_ && rows <= all_;
      loop invariant pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,lesser(r,rows));
      loop invariant rows_left{Pre,Here}(dx,cols,r,rows);
      loop assigns r, dx[0 .. ix(rows,cols,0)-1];
      loop variant all_ - r; */
  TEAMS(r, rows)
  {
    //@ assert all: Same{Pre,Here}(y,ix(rows,cols,0)) && Same{Pre,Here}(g,ix(rows,cols,0));
    //@ assert next: 0 <= ix(r,cols,0) && ix(r+1,cols,0) == ix(r,cols,0) + cols;
    //@ assert inside: r < rows ==> ix(r+1,cols,0) <= ix(rows,cols,0);
    //@ assert row: r < rows ==> pull_same{LoopCurrent,Pre}(y,g,dx,cols,r);
    pull_nth(OP, K, VEC, 0, accumulate, r, rows, cols, y, g, dx IN_TEAM);
    //@ assert value: r < rows ==> pulled_at{LoopCurrent,Here}(OP,accumulate,y,g,dx,cols,r);
    //@ assert new: r < rows ==> pulled_at{Pre,Here}(OP,accumulate,y,g,dx,cols,r);
    //@ assert old: pull_rows{Pre,Here}(OP,accumulate,y,g,dx,cols,lesser(r,rows));
    //@ assert left: rows_left{Pre,Here}(dx,cols,r+1,rows);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "launch.h"

#define VJP_RUN(kernel, k, grid, block, ...)                            \
  do {                                                                  \
    if (vec)                                                            \
      LAUNCH((kernel<OP, k, 1>), grid, block, ex->stream, __VA_ARGS__); \
    else                                                                \
      LAUNCH((kernel<OP, k, 0>), grid, block, ex->stream, __VA_ARGS__); \
  } while (0)

template <int OP>
static void launch_vjp_regs(const pm_exec *ex, int k, int vec, int block, int accumulate,
                            int64_t rows, int w, const float *y, const float *g, float *dx)
{
  if (vec == EVICT_LAST && k == 4)
    LAUNCH((softmax_vjp_regs<OP, 4, EVICT_LAST>), rows, block, ex->stream, accumulate, rows, w, y,
           g, dx);
  else if (vec == EVICT_LAST)
    LAUNCH((softmax_vjp_regs<OP, 8, EVICT_LAST>), rows, block, ex->stream, accumulate, rows, w, y,
           g, dx);
  else if (k == 4)
    VJP_RUN(softmax_vjp_regs, 4, rows, block, accumulate, rows, w, y, g, dx);
  else
    VJP_RUN(softmax_vjp_regs, 8, rows, block, accumulate, rows, w, y, g, dx);
}

template <int OP>
static void launch_vjp_warp(const pm_exec *ex, int k, int vec, int log_lanes, int64_t grid,
                            int block, int accumulate, int64_t rows, int w, const float *y,
                            const float *g, float *dx)
{
  if (k == 2)
    VJP_RUN(softmax_vjp_warp, 2, grid, block, log_lanes, accumulate, rows, w, y, g, dx);
  else
    VJP_RUN(softmax_vjp_warp, 4, grid, block, log_lanes, accumulate, rows, w, y, g, dx);
}

extern "C" void LAUNCHER(softmax_vjp_regs)(const pm_exec *ex, int op, int k, int vec, int block,
                                           int accumulate, int64_t rows, int64_t cols,
                                           const float *y, const float *g, float *dx)
{
  int w = (int)cols;
#define RUN(OP) launch_vjp_regs<OP>(ex, k, vec, block, accumulate, rows, w, y, g, dx)
  WITH_OP(RUN, op);
#undef RUN
}

extern "C" void LAUNCHER(softmax_vjp_warp)(const pm_exec *ex, int op, int k, int vec, int log_lanes,
                                           int64_t grid, int block, int accumulate, int64_t rows,
                                           int64_t cols, const float *y, const float *g, float *dx)
{
  int w = (int)cols;
#define RUN(OP) \
  launch_vjp_warp<OP>(ex, k, vec, log_lanes, grid, block, accumulate, rows, w, y, g, dx)
  WITH_OP(RUN, op);
#undef RUN
}
#endif
