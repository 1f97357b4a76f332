/* Block a row, in registers: the gradient of cross entropy, and its loss where it is wanted
 * (lse/regs_max.h): x and dx are (rows, cols). Each row's loss goes to part[row]. */
#define ONE_WARP 1 /* see collective/block_sum.h */
#include "../lang/dependent_launch.h"
#include "row_loss.h"
#include "grad_team_out.h"
#include "grad_scale.h"

/*@ // *part, where a loss is wanted, and a row of n that part is apart from
    predicate part_of{L}(float *part, float *x, integer n) =
      part != \null ==> \valid(part) && W(part) && \separated(part, x + (0 .. n-1)); */

/* What becomes of a row in v, all targets being in range; c: its target. */
/*@ requires row_fits(K,n) && row_in(x,n,aligned) && \valid(v + (0 .. KMAX*MAXB-1));
    requires above_lowest(x,n) && pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,BDIM));
    requires row_in(dx,n,aligned) && \valid(dx + (0 .. n-1)) && perm_w(dx,n);
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires part_of(part,x,n) && part_of(part,dx,n) && apart(x,n,dx,n);
    requires part != \null ==> \separated(part, v + (0 .. KMAX*MAXB-1));
    assigns *part, dx[0 .. n-1], v[0 .. KMAX*MAXB-1];
    ensures graded_row{Pre,Post}(dx, adds, x, n, c, scale, n);
    ensures part != \null ==> *part == Left{Pre}(x,n,c); */
DEV void loss_held(PER_THREADK(float4, v), int K, int aligned, int n, int adds, float scale, idx c,
                   const float *RESTRICT x, float *part, float *dx)
{
  BLOCK_TEAM;
  PRIVATE(float, xt);
  int tells = part ? 1 : 0;
  float m = regs_max(v, K GHOST_ARGS(n, x));
  int hit = loss_hit(c, n);
  //@ assert max: m == RowMax{Pre}(x,n);
  /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(x,n);
      loop invariant pad_vecs{Pre,Here}(v, x, n, 0, mul(K,BDIM));
      loop invariant 0 < t ==> tells != 0 ==> hit >= 0 ==> xt[0] == rd{Pre}(x,hit);
      loop assigns t, xt[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(xt, t) = loss_at(t, tells, hit, x GHOST_ARGS(n));
  //@ assert above: above_lowest(x,n) && is_top_of(m,x,n);
  //@ assert held: pad_vecs{Here,Here}(v, x, n, 0, mul(K,BDIM));
  //@ assert sum: SumExp{Pre}(x,m,n) == SumExp(x,m,n);
  //@ ghost L0: ;
  float s = loss_exp_all(v, K, 1, m IN_TEAM GHOST_ARGS(n, x)), by = 1.0f / s;
  //@ assert total: s == SumExp{Pre}(x,m,n) && by == rdiv(1.0,s);
  //@ assert row: Same{L0,Here}(x,n) && Same{Pre,Here}(x,n);
  //@ assert exps: exp_vecs{L0,Here}(v, x, m, n, 0, mul(K,BDIM));
  //@ assert value: hit >= 0 ==> tells != 0 ==> \log(s) - (xt[0] - m) == RowLoss{Pre}(x,n,hit);
  //@ ghost L1: ;
  if (tells)
    loss_leave_all(xt, hit, s, m, part);
  //@ assert told: part != \null ==> *part == Left{Pre}(x,n,c);
  //@ assert row_1: Same{L1,Here}(x,n) && Same{Pre,Here}(x,n) && Same{L0,Here}(x,n);
  //@ assert out_1: Same{Pre,Here}(dx,n);
  //@ assert most: mul(K,BDIM) <= mul(KMAX,BDIM) && mul(KMAX,BDIM) <= KMAX*MAXB;
  //@ assert still: but_in{L1,Here}(v, -1);
  //@ assert exps_1: exp_vecs{L0,Here}(v, x, m, n, 0, mul(K,BDIM));
  //@ assert exps_2: exp_vecs{Here,Here}(v, x, m, n, 0, mul(K,BDIM));
  //@ assert by: is_by(by,m,x,n);
  //@ ghost L2: ;
  loss_slope(v, K, hit, by, scale IN_TEAM GHOST_ARGS(m, n, x));
  //@ assert row_2: Same{L2,Here}(x,n);
  //@ assert out_2: Same{L2,Here}(dx,n);
  //@ assert from: Same{Pre,Here}(x,n) && Same{Pre,Here}(dx,n);
  //@ assert slopes: slope_vecs{L2,Here}(v, x, n, hit, scale, 0, mul(K,BDIM));
  //@ assert slopes_2: slope_vecs{Here,Here}(v, x, n, hit, scale, 0, mul(K,BDIM));
  //@ ghost L3: ;
  loss_put(v, K, n, aligned, adds, dx IN_TEAM GHOST_ARGS(hit, scale, x));
  //@ assert back: Same{L3,Pre}(x,n) && Same{L3,Pre}(dx,n);
  //@ assert put: graded_row{L3,Here}(dx, adds, x, n, hit, scale, n);
  //@ assert put_2: graded_row{Pre,Here}(dx, adds, x, n, hit, scale, n);
}

/* One row; where a target is out of range, of any row, it has no gradient and no loss. bad: what
 * cross_entropy_targets has left, looked at when the row has been asked for. */
/*@ requires row_fits(K,n) && row_in(x,n,aligned) && above_lowest(x,n) && \valid_read(target);
    requires row_in(dx,n,aligned) && \valid(dx + (0 .. n-1)) && perm_w(dx,n);
    requires flags_in(bad,flags) && apart(bad,flags,dx,n) && apart(x,n,dx,n);
    requires part_of(part,x,n) && part_of(part,dx,n) && part_of(part,bad,flags);
    assigns *part, dx[0 .. n-1];
    ensures clear{Pre}(bad,flags) ==>
      graded_row{Pre,Post}(dx, adds, x, n, \old(*target), scale, n) &&
      (part != \null ==> *part == Left{Pre}(x,n,\old(*target)));
    ensures !clear{Pre}(bad,flags) ==>
      Same{Pre,Post}(dx,n) && (part != \null ==> *part == -1.0); */
DEV void loss_grad_row(int K, int aligned, int n, int flags, int adds, float scale,
                       const float *RESTRICT x, const idx *RESTRICT target, const float *bad,
                       float *part, float *dx)
{
  PRIVATEK(float4, v);
  idx c = load_now_index(target);       // lint-ok await: so is target
  padded_load_row(v, K, n, aligned, x); // lint-ok await: and x
  //@ assert row: Same{Pre,Here}(x,n) && Same{Pre,Here}(dx,n) && Same{Here,Pre}(bad,flags);
  //@ assert above: above_lowest(x,n);
  //@ assert held: pad_vecs{Here,Here}(&v[0], x, n, 0, mul(K,BDIM));
  //@ assert left: Left(x,n,c) == Left{Pre}(x,n,c);
  //@ ghost L0: ;
  await_launches();
  if (!targets_refused(flags, bad)) {
    //@ assert clear: clear{Pre}(bad,flags);
    loss_held(v, K, aligned, n, adds, scale, c, x, part, dx);
    //@ assert back: Same{L0,Pre}(x,n) && Same{L0,Pre}(dx,n);
    //@ assert put: graded_row{L0,Here}(dx, adds, x, n, c, scale, n);
    //@ assert put_2: graded_row{Pre,Here}(dx, adds, x, n, c, scale, n);
  } else if (part)
    block_put(REFUSED, part);
}

/*@ predicate grad_tensors{L}(float *x, idx *target, float *bad, integer flags, float *dx,
                              integer rows, integer cols, integer aligned) =
      0 <= rows <= IDX_LIM && reads(x,ix(rows,cols,0)) && above_lowest(x,ix(rows,cols,0)) &&
      \valid_read(target + (0 .. rows-1)) && flags_in(bad,flags) && writes(dx,ix(rows,cols,0)) &&
      apart(x,ix(rows,cols,0),dx,ix(rows,cols,0)) && apart(bad,flags,dx,ix(rows,cols,0)) &&
      (aligned != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(dx));
    predicate grad_parts{L}(float *part, float *x, float *bad, integer flags, float *dx,
                            integer rows, integer cols) =
      part != \null ==> writes(part,rows) && apart(x,ix(rows,cols,0),part,rows) &&
        apart(bad,flags,part,rows) && apart(dx,ix(rows,cols,0),part,rows);
    // what row r leaves where a loss is wanted: its own, or REFUSED
    predicate part_left{L0,L}(float *part, float *x, idx *target, integer cols, integer r) =
      part != \null ==>
        \at(part[r],L) == Left{L0}(x+ix(r,cols,0),cols,Target{L0}(target,r));
    predicate part_refused{L}(float *part, integer r) = part != \null ==> part[r] == -1.0; */

/* Row r. */
/*@ requires row_fits(K,cols) && 0 <= r < rows && grad_parts(part,x,bad,flags,dx,rows,cols);
    requires grad_tensors(x,target,bad,flags,dx,rows,cols,aligned);
    assigns part[r], dx[0 .. ix(rows,cols,0)-1];
    ensures clear{Pre}(bad,flags) ==>
      graded_at{Pre,Post}(adds,x,target,dx,scale,cols,r) &&
      part_left{Pre,Post}(part,x,target,cols,r);
    ensures !clear{Pre}(bad,flags) ==>
      same_rows{Pre,Post}(dx,cols,r+1) && part_refused(part,r);
    ensures same_rows{Pre,Post}(dx,cols,r);
    ensures ungraded{Pre,Post}(dx,ix(r+1,cols,0),ix(rows,cols,0));
    ensures Same{Pre,Post}(x,ix(rows,cols,0)) && Same{Pre,Post}(bad,flags);
    ensures part != \null ==> Same{Pre,Post}(part,r); */
DEV void loss_grad_nth(int K, int aligned, idx r, idx rows, int cols, int flags, int adds,
                       float scale, const float *RESTRICT x, const idx *RESTRICT target,
                       const float *bad, float *part, float *dx)
{
  idx o = at2(rows, cols, r, 0);
  //@ assert next: ix(r+1,cols,0) == o + cols && o + cols <= ix(rows,cols,0) && 0 <= o;
  //@ assert fours: aligned != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  //@ assert four: aligned != 0 ==> o % 4 == 0;
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(dx,ix(rows,cols,0));
  //@ assert perm_d: perm_w(dx,ix(rows,cols,0));
  //@ assert perm_row: perm_r(x+o,cols) && perm_r(dx+o,cols) && perm_w(dx+o,cols);
  //@ assert in: row_in(x+o,cols,aligned) && row_in(dx+o,cols,aligned);
  //@ assert above_row: above_lowest(x+o,cols);
  //@ assert of_part: part != \null ==> perm_w(part,rows) && \valid(part+r) && W(part+r);
  /*@ assert away: \forall integer k; 0 <= k < ix(rows,cols,0) ==>
        \separated(x + k, dx + (o .. o + cols - 1)) &&
        (part != \null ==> \separated(x + k, part + r)); */
  /*@ assert beside: \forall integer k; 0 <= k < ix(rows,cols,0) ==> part != \null ==>
        \separated(dx + k, part + r); */
  //@ ghost L0: ;
  loss_grad_row(K, aligned, cols, flags, adds, scale, x + o, target + r, bad,
                part ? part + r : part, dx + o);
  //@ assert xs: Same{L0,Here}(x,ix(rows,cols,0));
  //@ assert flags: Same{L0,Here}(bad,flags);
  /*@ assert put: clear{Pre}(bad,flags) ==>
        graded_row{L0,Here}(dx+o,adds,x+o,cols,Target{L0}(target,r),scale,cols); */
  /*@ assert new: clear{Pre}(bad,flags) ==>
        graded_at{Pre,Here}(adds,x,target,dx,scale,cols,r); */
  //@ assert told: clear{Pre}(bad,flags) ==> part_left{Pre,Here}(part,x,target,cols,r);
  //@ assert before: Same{L0,Here}(dx,o);
  /*@ assert behind: \forall integer k; o + cols <= k < ix(rows,cols,0) ==>
        dx[k] == \at(dx[k],L0); */
  //@ assert same: same_rows{Pre,Here}(dx,cols,r);
  //@ assert kept: !clear{Pre}(bad,flags) ==> Same{Pre,Here}(dx+ix(r,cols,0),cols);
  //@ assert rest: ungraded{Pre,Here}(dx,ix(r+1,cols,0),ix(rows,cols,0));
}

/*@ // all of them
    predicate parts_left{L0,L}(float *part, float *x, idx *target, integer cols, integer n) =
      part != \null ==> all_left{L0,L}(part,x,target,cols,n);
    predicate parts_refused{L}(float *part, integer n) =
      part != \null ==> \forall integer r; 0 <= r < n ==> part[r] == -1.0; */

/* Block r does row r. VEC: x and dx are 16-byte aligned and cols a multiple of 4. */
/*@ requires row_fits(K,cols) && ix(rows,1,0) <= BLOCKS;
    requires grad_tensors(x,target,bad,flags,dx,rows,cols,VEC);
    requires grad_parts(part,x,bad,flags,dx,rows,cols);
    requires \separated(target + (0 .. rows-1), dx + (0 .. ix(rows,cols,0)-1));
    requires part != \null ==> \separated(target + (0 .. rows-1), part + (0 .. rows-1));
    requires g != \null ==> \valid_read(g) && R(g) && \separated(g, dx + (0 .. ix(rows,cols,0)-1));
    requires part != \null && g != \null ==> \separated(g, part + (0 .. rows-1));
    assigns part[0 .. rows-1], dx[0 .. ix(rows,cols,0)-1];
    ensures clear{Pre}(bad,flags) ==>
      graded_rows{Pre,Post}(adds,x,target,dx,LossScale{Pre}(g,each),cols,rows) &&
      parts_left{Pre,Post}(part,x,target,cols,rows);
    ensures !clear{Pre}(bad,flags) ==>
      same_rows{Pre,Post}(dx,cols,rows) && parts_refused(part,rows); */
TEMPLATE(int K, int VEC)
KERNEL void THREADS_AT_MOST(512)
    cross_entropy_grad_regs(CONSTANTS(int K, int VEC) idx rows, int cols, int flags, int adds,
                            float each, const float *RESTRICT x, const idx *RESTRICT target,
                            const float *bad, const float *RESTRICT g, float *RESTRICT part,
                            float *RESTRICT dx)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant clear{Pre}(bad,flags) ==>
        graded_rows{Pre,Here}(adds,x,target,dx,LossScale{Pre}(g,each),cols,r);
      loop invariant clear{Pre}(bad,flags) ==> parts_left{Pre,Here}(part,x,target,cols,r);
      loop invariant !clear{Pre}(bad,flags) ==> same_rows{Pre,Here}(dx,cols,r);
      loop invariant !clear{Pre}(bad,flags) ==> parts_refused(part,r);
      loop invariant ungraded{Pre,Here}(dx,ix(r,cols,0),ix(rows,cols,0));
      loop invariant Same{Pre,Here}(x,ix(rows,cols,0)) && Same{Pre,Here}(bad,flags);
      loop assigns r, part[0 .. rows-1], dx[0 .. ix(rows,cols,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    float scale = loss_scale(each, g); // lint-ok await: g is an input
    //@ assert scale: scale == LossScale{Pre}(g,each);
    //@ assert above: above_lowest(x,ix(rows,cols,0));
    //@ assert set: clear(bad,flags) <==> clear{Pre}(bad,flags);
    //@ assert next: ix(r+1,cols,0) == ix(r,cols,0) + cols && 0 <= ix(r,cols,0);
    //@ assert inside: ix(r+1,cols,0) <= ix(rows,cols,0);
    //@ assert row: ungraded_at{LoopCurrent,Pre}(x,target,dx,cols,r);
    //@ assert mine: Same{LoopCurrent,Pre}(x+ix(r,cols,0),cols);
    loss_grad_nth(K, VEC, r, rows, cols, flags, adds, scale, x, target, bad, part, dx);
    /*@ assert value: clear{Pre}(bad,flags) ==>
          graded_at{LoopCurrent,Here}(adds,x,target,dx,scale,cols,r); */
    /*@ assert new: clear{Pre}(bad,flags) ==>
          graded_at{Pre,Here}(adds,x,target,dx,LossScale{Pre}(g,each),cols,r); */
    /*@ assert old: clear{Pre}(bad,flags) ==>
          graded_rows{Pre,Here}(adds,x,target,dx,LossScale{Pre}(g,each),cols,r); */
    //@ assert rest: ungraded{Pre,Here}(dx,ix(r+1,cols,0),ix(rows,cols,0));
    //@ assert one: clear{Pre}(bad,flags) ==> part_left{Pre,Here}(part,x,target,cols,r);
    //@ assert parts: part != \null ==> Same{LoopCurrent,Here}(part,r);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "launch.h"

template <int K, int VEC>
static void launch_regs(void *stream, int block, int64_t rows, int w, const float *x,
                        const loss_call *call)
{
  LAUNCH_AFTER((cross_entropy_grad_regs<K, VEC>), rows, block, stream, rows, w, call->flags.n,
               call->accumulate, call->each, x, call->target, call->flags.bad, call->g, call->part,
               call->dx);
}

extern "C" void LAUNCHER(cross_entropy_grad_regs)(void *stream, int k, int vec, int block,
                                                  int64_t rows, int64_t cols, const float *x,
                                                  const loss_call *call)
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
