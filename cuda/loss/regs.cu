/* Block a row, in registers: cross entropy (lse/regs_max.h): x is (rows, cols). Each row's loss
 * goes to part[row]. grad_regs.cu has those with a gradient. */
#define ONE_WARP 1 /* see collective/block_sum.h */
#include "target.h"
#include "../lse/team_sum.h"
#include "row_loss.h"
#include "contract.h"

/* One row. The target is asked for before the row and looked at behind its maximum: no load waits
 * for another. */
/*@ requires row_fits(K,n) && row_in(x,n,aligned) && \valid_read(target) && above_lowest(x,n);
    requires \valid(part) && W(part) && \separated(part, x + (0 .. n-1));
    requires \separated(part, target);
    assigns *part;
    ensures *part == Left{Pre}(x,n,\old(*target)); */
DEV void loss_row(int K, int aligned, int n, const float *RESTRICT x, const idx *RESTRICT target,
                  float *RESTRICT part)
{
  BLOCK_TEAM;
  PRIVATEK(float4, v);
  PRIVATE(float, xt);
  idx c = load_now_index(target);
  padded_load_row(v, K, n, aligned, x);
  //@ assert Same{Pre,Here}(x,n);
  //@ assert above_lowest(x,n) && RowMax{Pre}(x,n) == RowMax(x,n);
  //@ assert pad_vecs{Here,Here}(&v[0], x, n, 0, mul(K,BDIM));
  float m = regs_max(v, K GHOST_ARGS(n, x));
  int hit = loss_hit(c, n);
  //@ assert m == RowMax{Pre}(x,n);
  /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(x,n);
      loop invariant pad_vecs{Pre,Here}(&v[0], x, n, 0, mul(K,BDIM));
      loop invariant 0 < t ==> hit >= 0 ==> xt[0] == rd{Pre}(x,hit);
      loop assigns t, xt[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(xt, t) = loss_at(t, 1, hit, x GHOST_ARGS(n));
  //@ assert above_lowest(x,n) && RowMax{Pre}(x,n) == RowMax(x,n);
  //@ assert pad_vecs{Here,Here}(&v[0], x, n, 0, mul(K,BDIM));
  //@ assert SumExp{Pre}(x,m,n) == SumExp(x,m,n);
  float s = team_exp_sum(v, K, 1, m IN_TEAM GHOST_ARGS(n, x));
  //@ assert s == SumExp{Pre}(x,m,n);
  //@ assert hit >= 0 ==> \log(s) - (xt[0] - m) == RowLoss{Pre}(x,n,hit);
  loss_leave_all(xt, hit, s, m, part);
}

/* Block r does row r, with K vectors a thread; VEC: x is 16-byte aligned and cols a multiple of
 * 4. */
/*@ requires row_fits(K,cols) && 0 <= rows <= IDX_LIM && ix(rows,1,0) <= BLOCKS;
    requires reads(x,ix(rows,cols,0)) && writes(part,rows) && \valid_read(target + (0 .. rows-1));
    requires above_lowest(x,ix(rows,cols,0)) && apart(x,ix(rows,cols,0),part,rows);
    requires \separated(target + (0 .. rows-1), part + (0 .. rows-1));
    requires VEC != 0 ==> cols % 4 == 0 && aligned16(x);
    assigns part[0 .. rows-1];
    ensures all_left{Pre,Post}(part,x,target,cols,rows);
    ensures losses_left{Pre,Post}(part,rows,x,target,cols,rows); */
TEMPLATE(int K, int VEC)
KERNEL void THREADS_AT_MOST(512)
    cross_entropy_regs(CONSTANTS(int K, int VEC) idx rows, int cols, const float *RESTRICT x,
                       const idx *RESTRICT target, float *RESTRICT part)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant all_left{Pre,Here}(part,x,target,cols,r);
      loop assigns r, part[0 .. rows-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    idx o = at2(rows, cols, r, 0);
    //@ assert 0 <= o && o + cols <= ix(rows,cols,0);
    //@ assert VEC != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
    //@ assert VEC != 0 ==> o % 4 == 0;
    //@ assert perm_row: perm_r(x+o,cols);
    //@ assert in: row_in(x+o,cols,VEC);
    //@ assert above_all: above_lowest(x,ix(rows,cols,0));
    //@ assert above_row: above_lowest(x+o,cols);
    //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert row: Same{Pre,Here}(x+o,cols);
    //@ assert left: Left(x+o,cols,Target(target,r)) == Left{Pre}(x+o,cols,Target{Pre}(target,r));
    loss_row(K, VEC, cols, x + o, target + r, part + r);
    //@ assert one: part[r] == Left{Pre}(x+ix(r,cols,0),cols,Target{Pre}(target,r));
    //@ assert old: all_left{Pre,Here}(part,x,target,cols,r);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "launch.h"

template <int K, int VEC>
static void launch_regs(void *stream, int block, int64_t rows, int w, const float *x,
                        const loss_call *call)
{
  LAUNCH((cross_entropy_regs<K, VEC>), rows, block, stream, rows, w, x, call->target, call->part);
}

extern "C" void LAUNCHER(cross_entropy_regs)(void *stream, int k, int vec, int block, int64_t rows,
                                             int64_t cols, const float *x, const loss_call *call)
{
  int w = (int)cols;
  if (k == 4 && vec)
    launch_regs<4, 1>(stream, block, rows, w, x, call);
  else if (k == 4)
    launch_regs<4, 0>(stream, block, rows, w, x, call);
  else if (vec)
    launch_regs<8, 1>(stream, block, rows, w, x, call);
  else
    launch_regs<8, 0>(stream, block, rows, w, x, call);
}
#endif
