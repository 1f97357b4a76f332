/* The loss of cross entropy by online softmax (lse/online.h) along the rows of x, (rows, cols),
 * each of which is read once and waits nowhere: rows of any length. A block has a row, or
 * several (row/even_share.h); a row's loss goes to part[row]. */
#include "target.h"
#include "../lse/regs_max.h"
#include "row_loss.h"
#include "../lse/online.h"
#include "../row/even_share.h"
#include "contract.h"

/* One row of class c, the words s having been used by no thread since the last barrier. */
/*@ requires block && once_row(in,n,head,aligned) && \valid(part) && W(part);
    requires \valid(s + (0 .. 31)) && perm(s,32) && \separated(part, s + (0 .. 31));
    requires \separated(in + (0 .. n-1), s + (0 .. 31)) && \separated(in + (0 .. n-1), part);
    assigns *part, s[0 .. 31];
    ensures *part == Left{Pre}(in,n,c); */
DEV void online_do(idx n, int head, int aligned, idx c, const float *RESTRICT in, float *part,
                   float *s)
{
  PRIVATE(float, xt);
  once_sum all = online_chunk(xt, n, head, aligned, c, in, s);
  //@ assert hit: 0 <= c < n ==> xt[0] == rd{Pre}(in,c);
  //@ assert large: 1.0 <= all.s;
  float top = online_mass(all.s, all.m);
  //@ assert loss: 0 <= c < n ==> \log(all.s) - (xt[0] - top) == RowLoss{Pre}(in,n,c);
  loss_leave_all(xt, 0 <= c && c < n ? 0 : -1, all.s, top, part);
}

/*@ predicate once_tensors{L}(float *x, float *part, integer rows, integer cols, integer aligned) =
      0 < cols <= IDX_LIM && reads(x,ix(rows,cols,0)) && writes(part,rows) &&
      apart(x,ix(rows,cols,0),part,rows) && (aligned != 0 ==> aligned16(x)) &&
      least_in(x,ix(rows,cols,0)); */
/*@ requires block && once_tensors(x,part,rows,cols,aligned) && 0 <= r < rows;
    requires \valid_read(target + (0 .. rows-1)) && \valid(s + (0 .. 31)) && perm(s,32);
    requires \separated(x + (0 .. ix(rows,cols,0)-1), s + (0 .. 31));
    requires \separated(part + (0 .. rows-1), s + (0 .. 31));
    assigns part[r], s[0 .. 31];
    ensures Same{Pre,Post}(x,ix(rows,cols,0));
    ensures part[r] == Left{Pre}(x+ix(r,cols,0),cols,Target{Pre}(target,r)); */
DEV void online_nth(idx r, idx rows, idx cols, int aligned, const float *RESTRICT x,
                    const idx *RESTRICT target, float *RESTRICT part, float *s)
{
  idx o = at2(rows, cols, r, 0);
  //@ assert last: ix(r+1,cols,0) == o + cols && ix(r+1,cols,0) <= ix(rows,cols,0) && 0 <= o;
  int head = online_head(o, aligned GHOST_ARGS(x));
  //@ assert perm_x: perm_r(x,ix(rows,cols,0));
  //@ assert perm_p: perm_w(part,rows) && \valid(part+r);
  //@ assert perm_row: perm_r(x+o,cols) && W(part+r);
  //@ assert reads: reads(x+o,cols);
  //@ assert least: least_in(x+o,cols);
  //@ assert in: once_row(x+o,cols,head,aligned);
  idx c = load_now_index(target + r);
  /*@ assert away: \forall integer k; 0 <= k < ix(rows,cols,0) ==>
        \separated(x + k, part + r) && \separated(x + k, s + (0 .. 31)); */
  online_do(cols, head, aligned, c, x + o, part + r, s);
  //@ assert same: Same{Pre,Here}(x,ix(rows,cols,0));
}

/*@ lemma left_frame{L1,L2}: \forall float *x, integer n, c; 0 < n ==> Same{L1,L2}(x,n) ==>
      Left{L1}(x,n,c) == Left{L2}(x,n,c);
    lemma left_row{L1,L2}: \forall float *x, integer cols, r, rows; 0 <= cols ==> 0 <= r < rows ==>
      Same{L1,L2}(x,ix(rows,cols,0)) ==> Same{L1,L2}(x+ix(r,cols,0),cols); */
/* VEC: x is 16-byte aligned. */
/*@ requires block && once_tensors(x,part,rows,cols,VEC) && \valid_read(target + (0 .. rows-1));
    requires 0 < blocks <= IDX_LIM && ix(blocks,1,0) <= BLOCKS && dealt(rows,blocks,share,more);
    requires \separated(target + (0 .. rows-1), part + (0 .. rows-1));
    assigns part[0 .. rows-1];
    ensures all_left{Pre,Post}(part,x,target,cols,rows);
    ensures losses_left{Pre,Post}(part,rows,x,target,cols,rows); */
TEMPLATE(int VEC)
KERNEL void ONLINE_BOUNDS cross_entropy_online(CONSTANTS(int VEC) idx rows, idx cols, idx blocks,
                                               idx share, idx more, const float *RESTRICT x,
                                               const idx *RESTRICT target, float *RESTRICT part)
{
  SHARED(float, s, 32);
  /*@ loop invariant 0 <= b <= blocks;
      loop invariant all_left{Pre,Here}(part,x,target,cols,RowsBefore(b,share,more));
      loop invariant Same{Pre,Here}(x,ix(rows,cols,0));
      loop assigns b, part[0 .. rows-1], s[0 .. 31];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    idx to = rows_before(b + 1, share, more GHOST_ARGS(rows, blocks));
    /*@ loop invariant 0 <= r <= to && RowsBefore(b,share,more) <= r;
        loop invariant all_left{Pre,Here}(part,x,target,cols,r);
        loop invariant Same{Pre,Here}(x,ix(rows,cols,0));
        loop assigns r, part[0 .. rows-1], s[0 .. 31];
        loop variant rows - r; */
    for (idx r = rows_before(b, share, more GHOST_ARGS(rows, blocks)); r < to; r++) {
      //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0));
      //@ assert least: least_in(x,ix(rows,cols,0));
      //@ assert tensors: once_tensors(x,part,rows,cols,VEC);
      //@ assert row: Same{Pre,Here}(x+ix(r,cols,0),cols);
      /*@ assert left: Left(x+ix(r,cols,0),cols,Target(target,r)) ==
            Left{Pre}(x+ix(r,cols,0),cols,Target{Pre}(target,r)); */
      online_nth(r, rows, cols, VEC, x, target, part, s);
      //@ assert one: part[r] == Left{Pre}(x+ix(r,cols,0),cols,Target{Pre}(target,r));
      //@ assert old: all_left{Pre,Here}(part,x,target,cols,r);
      //@ assert same: Same{LoopCurrent,Here}(x,ix(rows,cols,0));
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "launch.h"

extern "C" void LAUNCHER(cross_entropy_online)(void *stream, int vec, int64_t grid, int block,
                                               int64_t rows, int64_t cols, const float *x,
                                               const loss_call *call)
{
  if (vec)
    LAUNCH((cross_entropy_online<1>), grid, block, stream, rows, cols, (idx)grid, rows / grid,
           rows % grid, x, call->target, call->part);
  else
    LAUNCH((cross_entropy_online<0>), grid, block, stream, rows, cols, (idx)grid, rows / grid,
           rows % grid, x, call->target, call->part);
}
#endif
