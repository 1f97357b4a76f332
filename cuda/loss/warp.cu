/* Warp (or part of one) a row, in registers: cross entropy and its gradient of narrow rows, which
 * wait in those of 1, 2, 4, .. 32 lanes of a warp (row/team_padded.h): x and dx are (rows, cols).
 * The sum of the losses of block b's rows goes to part[b]. rows.h says when. */
#include "../lang/dependent_launch.h"
#include "target.h"
#include "../lse/team_sum.h"
#include "grad_team_out.h"
#include "grad_scale.h"
#include "../collective/team_block.h"
#include "../row/team_padded.h"
#include "../lang/vote.h"
#include "contract.h"

/* The first lane has the row's loss, the others nothing. */
/*@ assigns \nothing;
    ensures t == 0 && hit >= 0 ==> \result == \log(s) - (xt - m);
    ensures t != 0 || hit < 0 ==> \result == 0.0; */
DEV float narrow_loss(int t, int hit, float s, float xt, float m)
{
  return t == 0 && hit >= 0 ? loss_of(s, xt, m) : 0.0f;
}

/*@ predicate loss_of_rows{L}(float *x, idx *target, integer rows, integer cols) =
      0 <= rows <= IDX_LIM && reads(x,ix(rows,cols,0)) && above_lowest(x,ix(rows,cols,0)) &&
      \valid_read(target + (0 .. rows-1)); */

/* ---- with the gradient ---- */

/* What becomes of a row in v, all targets being in range; c: its target; tells: its loss is
 * wanted. */
/*@ requires few(team) && team_fits(K,team,n) && row_in(x,n,aligned) && above_lowest(x,n);
    requires \valid(v + (0 .. KMAX*MAXB-1)) && pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,team));
    requires row_in(dx,n,aligned) && \valid(dx + (0 .. n-1)) && perm_w(dx,n) && apart(x,n,dx,n);
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \valid(loss + (0 .. team-1)) && \separated(loss + (0 .. team-1), x + (0 .. n-1));
    requires \separated(loss + (0 .. team-1), dx + (0 .. n-1));
    requires \separated(loss + (0 .. team-1), v + (0 .. KMAX*MAXB-1));
    assigns loss[0 .. team-1], dx[0 .. n-1], v[0 .. KMAX*MAXB-1];
    ensures graded_row{Pre,Post}(dx, adds, x, n, c, scale, n); */
DEV void narrow_held(PER_THREADK(float4, v), int K, int aligned, int n, int adds, int tells,
                     float scale, idx c, const float *RESTRICT x, PER_THREAD(float, loss),
                     float *dx TEAM_FN)
{
  PRIVATE(float, xt);
  float m = narrow_max(v, K IN_TEAM GHOST_ARGS(n, x));
  int hit = loss_hit(c, n);
  //@ assert max: 0 < n ==> m == RowMax{Pre}(x,n);
  /*@ loop invariant 0 <= t <= team && Same{Pre,Here}(x,n) && Same{Pre,Here}(dx,n);
      loop invariant pad_vecs{Pre,Here}(v, x, n, 0, mul(K,team));
      loop assigns t, xt[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t) AT(xt, t) = loss_at(t, tells, hit, x GHOST_ARGS(n));
  //@ assert above: above_lowest(x,n) && is_top_of(m,x,n);
  //@ assert held: pad_vecs{Here,Here}(v, x, n, 0, mul(K,team));
  //@ assert sum: SumExp{Pre}(x,m,n) == SumExp(x,m,n);
  //@ ghost L0: ;
  float s = loss_exp_all(v, K, 0, m IN_TEAM GHOST_ARGS(n, x)), by = 1.0f / s;
  //@ assert total: 0 < n ==> s == SumExp{Pre}(x,m,n) && by == rdiv(1.0,s);
  //@ assert row: Same{L0,Here}(x,n) && Same{Pre,Here}(x,n) && Same{Pre,Here}(dx,n);
  //@ assert exps: exp_vecs{L0,Here}(v, x, m, n, 0, mul(K,team));
  //@ assert most: mul(K,team) <= mul(KMAX,team) && mul(KMAX,team) <= KMAX*MAXB;
  //@ ghost L1: ;
  /*@ loop invariant 0 <= t <= team;
      loop invariant Same{L1,Here}(x,n) && Same{L1,Here}(dx,n) && but_in{L1,Here}(v, -1);
      loop assigns t, loss[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t) AT(loss, t) = narrow_loss(t, tells ? hit : -1, s, AT(xt, t), m);
  //@ assert row_1: Same{Pre,Here}(x,n) && Same{L0,Here}(x,n) && Same{Pre,Here}(dx,n);
  //@ assert exps_1: exp_vecs{L0,Here}(v, x, m, n, 0, mul(K,team));
  //@ assert exps_2: exp_vecs{Here,Here}(v, x, m, n, 0, mul(K,team));
  //@ assert by: is_by(by,m,x,n);
  //@ ghost L2: ;
  loss_slope(v, K, hit, by, scale IN_TEAM GHOST_ARGS(m, n, x));
  //@ assert row_2: Same{L2,Here}(x,n) && Same{L2,Here}(dx,n);
  //@ assert from: Same{Pre,Here}(x,n) && Same{Pre,Here}(dx,n);
  //@ assert slopes: slope_vecs{L2,Here}(v, x, n, hit, scale, 0, mul(K,team));
  //@ assert slopes_2: slope_vecs{Here,Here}(v, x, n, hit, scale, 0, mul(K,team));
  //@ ghost L3: ;
  loss_put(v, K, n, aligned, adds, dx IN_TEAM GHOST_ARGS(hit, scale, x));
  //@ assert back: Same{L3,Pre}(x,n) && Same{L3,Pre}(dx,n);
  //@ assert put: graded_row{L3,Here}(dx, adds, x, n, hit, scale, n);
  //@ assert put_2: graded_row{Pre,Here}(dx, adds, x, n, hit, scale, n);
}

/* One row; refused where a target is out of range, of any row. bad: what cross_entropy_targets
 * has left, looked at when the row has been asked for. */
/*@ requires block && few(team) && team_fits(K,team,n) && row_in(x,n,aligned);
    requires above_lowest(x,n) && flags_in(bad,flags) && (0 < n ==> \valid_read(target));
    requires row_in(dx,n,aligned) && \valid(dx + (0 .. n-1)) && perm_w(dx,n) && apart(x,n,dx,n);
    requires \valid(loss + (0 .. team-1)) && \separated(loss + (0 .. team-1), x + (0 .. n-1));
    requires \separated(loss + (0 .. team-1), dx + (0 .. n-1));
    assigns loss[0 .. team-1], dx[0 .. n-1]; */
DEV void narrow_row_grad(int K, int aligned, int n, int adds, int tells, int flags, float scale,
                         const float *RESTRICT x, const idx *RESTRICT target, const float *bad,
                         PER_THREAD(float, loss), float *RESTRICT dx TEAM_FN)
{
  PRIVATEK(float4, v);
  idx c = n ? load_now_index(target) : 0;       // lint-ok await: so is target
  narrow_load_all(v, K, n, aligned, x IN_TEAM); // lint-ok await: and x
  //@ assert Same{Pre,Here}(x,n) && above_lowest(x,n);
  //@ assert pad_vecs{Here,Here}(&v[0], x, n, 0, mul(K,team));
  await_launches();
  if (!targets_refused(flags, bad))
    narrow_held(v, K, aligned, n, adds, tells, scale, c, x, loss, dx IN_TEAM);
  else {
    /*@ loop invariant 0 <= t <= team;
        loop assigns t, loss[0 .. team-1];
        loop variant team - t; */
    EACH_TEAM_THREAD(t) AT(loss, t) = REFUSED;
  }
}

/*@ predicate grad_of_rows{L}(float *x, float *bad, integer flags, float *dx, integer rows,
                              integer cols) =
      flags_in(bad,flags) && writes(dx,ix(rows,cols,0)) && apart(bad,flags,dx,ix(rows,cols,0)) &&
      apart(x,ix(rows,cols,0),dx,ix(rows,cols,0)); */
/* Row r, where there is one. */
/*@ requires block && few(team) && team_fits(K,team,cols) && 0 < cols && 0 <= r;
    requires loss_of_rows(x,target,rows,cols) && grad_of_rows(x,bad,flags,dx,rows,cols);
    requires aligned != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(dx);
    requires \valid(loss + (0 .. team-1));
    requires \separated(loss + (0 .. team-1), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(loss + (0 .. team-1), dx + (0 .. ix(rows,cols,0)-1));
    assigns loss[0 .. team-1], dx[0 .. ix(rows,cols,0)-1]; */
DEV void narrow_nth_grad(int K, int aligned, idx r, idx rows, int cols, int adds, int tells,
                         int flags, float scale, const float *RESTRICT x,
                         const idx *RESTRICT target, const float *bad, PER_THREAD(float, loss),
                         float *RESTRICT dx TEAM_FN)
{
  int n = 0;
  idx o = 0, at = 0;
  if (r < rows) {
    n = cols;
    at = r;
    o = at2(rows, cols, r, 0);
    //@ assert last: ix(r+1,cols,0) == ix(r,cols,0) + cols && ix(r+1,cols,0) <= ix(rows,cols,0);
    //@ assert quads: aligned != 0 ==> cols == 4*(cols/4);
    //@ assert quad: aligned != 0 ==> ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  }
  //@ assert inside: 0 <= o && o + n <= ix(rows,cols,0);
  //@ assert fours: aligned != 0 ==> o % 4 == 0 && n % 4 == 0;
  //@ assert aligned: aligned != 0 ==> aligned16(x+o) && aligned16(dx+o);
  //@ assert perm_row: perm_r(x+o,n) && perm_r(dx+o,n) && perm_w(dx+o,n);
  //@ assert in: row_in(x+o,n,aligned) && row_in(dx+o,n,aligned);
  //@ assert above: above_lowest(x+o,n);
  narrow_row_grad(K, aligned, n, adds, tells, flags, scale, x + o, target + at, bad, loss,
                  dx + o IN_TEAM);
}

/* Rows b*TEAMS_EACH ..; `to`: where the sum of their losses goes, if it is wanted. */
/*@ requires block && few(team) && team_fits(K,team,cols) && 0 < cols && 0 <= b < blocks;
    requires loss_of_rows(x,target,rows,cols) && grad_of_rows(x,bad,flags,dx,rows,cols);
    requires ix(blocks,bdim_/team,0) <= IDX_LIM;
    requires aligned != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(dx);
    requires to != \null ==> \valid(to) && W(to);
    assigns *to, dx[0 .. ix(rows,cols,0)-1]; */
DEV void narrow_block_grad(int K, int aligned, idx b, idx blocks, idx rows, int cols, int adds,
                           int flags, float scale, const float *RESTRICT x,
                           const idx *RESTRICT target, const float *bad, float *RESTRICT to,
                           float *RESTRICT dx TEAMS_FN)
{
  SHARED(float, s, 32);
  PRIVATE(float, loss);
  int tells = to ? 1 : 0;
  //@ assert fill: ix(BDIM/team,team,0) == BDIM && 0 < BDIM/team <= BDIM;
  /*@ loop invariant 0 <= g <= BDIM/team;
      loop assigns g, loss[0 .. BDIM-1], dx[0 .. ix(rows,cols,0)-1];
      loop variant BDIM/team - g; */
  BLOCK_TEAMS(g)
  {
    //@ assert next: ix(g+1,team,0) == ix(g,team,0) + team && 0 <= ix(g,team,0);
    //@ assert last: ix(g+1,team,0) <= BDIM;
    idx r = at2(blocks, TEAMS_EACH, b, g);
    //@ assert above_all: above_lowest(x,ix(rows,cols,0));
    narrow_nth_grad(K, aligned, r, rows, cols, adds, tells, flags, scale, x, target, bad,
                    TEAM_PART(loss, g), dx IN_TEAM);
  }
  if (to)
    block_put(block_sum(loss, s), to);
}

/* As cross_entropy_warp; where a target is out of range, of any row, no row has a loss or a
 * gradient. bad: what cross_entropy_targets has left. VEC: x and dx are 16-byte aligned and cols
 * a multiple of 4. */
/*@ requires block && 0 <= log_lanes <= 5 && team_fits(K,TeamOf(log_lanes),cols) && 0 < cols;
    requires loss_of_rows(x,target,rows,cols) && grad_of_rows(x,bad,flags,dx,rows,cols);
    requires rows <= ix(blocks,bdim_/TeamOf(log_lanes),0) <= IDX_LIM && 0 <= blocks;
    requires ix(blocks,1,0) <= BLOCKS;
    requires \separated(target + (0 .. rows-1), dx + (0 .. ix(rows,cols,0)-1));
    requires g != \null ==> \valid_read(g) && R(g) && \separated(g, dx + (0 .. ix(rows,cols,0)-1));
    requires part != \null ==> writes(part,blocks) && apart(x,ix(rows,cols,0),part,blocks) &&
      apart(bad,flags,part,blocks) && apart(dx,ix(rows,cols,0),part,blocks) &&
      \separated(target + (0 .. rows-1), part + (0 .. blocks-1));
    requires part != \null && g != \null ==> \separated(g, part + (0 .. blocks-1));
    requires VEC != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(dx);
    assigns part[0 .. blocks-1], dx[0 .. ix(rows,cols,0)-1]; */
TEMPLATE(int K, int VEC)
KERNEL void cross_entropy_grad_warp(CONSTANTS(int K, int VEC) int log_lanes, idx rows, idx blocks,
                                    int cols, int flags, int adds, float each,
                                    const float *RESTRICT x, const idx *RESTRICT target,
                                    const float *bad, const float *RESTRICT g, float *RESTRICT part,
                                    float *RESTRICT dx)
{
  WARP_TEAM(log_lanes);
  //@ assert apart: apart(x,ix(rows,cols,0),dx,ix(rows,cols,0));
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, part[0 .. blocks-1], dx[0 .. ix(rows,cols,0)-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    float scale = loss_scale(each, g), *to = part ? part + b : part; // lint-ok await: g is an input
    //@ assert above_all: above_lowest(x,ix(rows,cols,0));
    narrow_block_grad(K, VEC, b, blocks, rows, cols, adds, flags, scale, x, target, bad, to,
                      dx IN_TEAMS);
  }
}

/* ---- the loss alone ---- */

#include "../collective/vote_count.h" /* here: what is above would see its lemmas */

/*@ // what a row of class c adds to its block's sum
    logic real Told{L}(float *x, integer n, integer c) = 0 <= c < n ? RowLoss{L}(x,n,c) : 0.0;
    lemma told_frame{L1,L2}: \forall float *x, integer n, c; Same{L1,L2}(x,n) ==>
      Told{L1}(x,n,c) == Told{L2}(x,n,c); */

/* What a row of n leaves with its lanes. */
/*@ requires few(team) && \valid(loss + (0 .. team-1)) && \valid(out + (0 .. team-1));
    requires \valid_read(xt + (0 .. team-1));
    requires \separated(loss + (0 .. team-1), xt + (0 .. team-1));
    assigns loss[0 .. team-1], out[0 .. team-1];
    ensures SumR(loss, 0, team) == (hit >= 0 ? \log(s) - (\old(xt[0]) - m) : 0.0);
    ensures Votes(out, 0, team) == 0 <==> n == 0 || hit >= 0; */
DEV void narrow_leave(int n, int hit, float s, float m, PER_THREAD(float, xt),
                      PER_THREAD(float, loss), PER_THREAD(int, out) TEAM_FN)
{
  /*@ loop invariant 0 <= t <= team;
      loop invariant SumR(loss, 0, t) ==
        (0 < t && hit >= 0 ? \log(s) - (\at(xt[0],Pre) - m) : 0.0);
      loop invariant n == 0 || hit >= 0 ==> none_set(out, t);
      loop invariant n != 0 && hit < 0 && 0 < t ==> out[0] == 1;
      loop assigns t, loss[0 .. team-1], out[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t)
  {
    AT(loss, t) = narrow_loss(t, hit, s, AT(xt, t), m);
    //@ assert lane: loss[t] == (t == 0 && hit >= 0 ? \log(s) - (\at(xt[0],Pre) - m) : 0.0);
    //@ assert same: Same{LoopCurrent,Here}(loss, t);
    //@ assert before: SumR(loss, 0, t) == \at(SumR(loss, 0, t),LoopCurrent);
    AT(out, t) = n && hit < 0;
  }
  //@ assert none: n == 0 || hit >= 0 ==> none_set(out, team);
  //@ assert some: n != 0 && hit < 0 ==> !none_set(out, team);
}

/* One row. The target is asked for before the row and looked at behind its maximum: no load waits
 * for another. */
/*@ requires few(team) && team_fits(K,team,n) && row_in(x,n,aligned) && above_lowest(x,n);
    requires 0 < n ==> \valid_read(target);
    requires \valid(loss + (0 .. team-1)) && \valid(out + (0 .. team-1));
    requires \separated(loss + (0 .. team-1), x + (0 .. n-1));
    requires \separated(out + (0 .. team-1), x + (0 .. n-1));
    assigns loss[0 .. team-1], out[0 .. team-1];
    ensures 0 < n ==> SumR(loss, 0, team) == Told{Pre}(x,n,\old(*target));
    ensures n == 0 ==> SumR(loss, 0, team) == 0.0;
    ensures Votes(out, 0, team) == 0 <==> n == 0 || 0 <= \old(*target) < n; */
DEV void narrow_row_loss(int K, int aligned, int n, const float *RESTRICT x,
                         const idx *RESTRICT target, PER_THREAD(float, loss),
                         PER_THREAD(int, out) TEAM_FN)
{
  PRIVATEK(float4, v);
  PRIVATE(float, xt);
  idx c = n ? load_now_index(target) : 0;
  narrow_load_all(v, K, n, aligned, x IN_TEAM);
  //@ assert Same{Pre,Here}(x,n) && above_lowest(x,n);
  //@ assert pad_vecs{Here,Here}(&v[0], x, n, 0, mul(K,team));
  float m = narrow_max(v, K IN_TEAM GHOST_ARGS(n, x));
  int hit = loss_hit(c, n);
  //@ assert most: 0 < n ==> m == RowMax{Pre}(x,n);
  /*@ loop invariant 0 <= t <= team && Same{Pre,Here}(x,n);
      loop invariant pad_vecs{Pre,Here}(&v[0], x, n, 0, mul(K,team));
      loop invariant 0 < t ==> hit >= 0 ==> xt[0] == rd{Pre}(x,hit);
      loop assigns t, xt[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t) AT(xt, t) = loss_at(t, 1, hit, x GHOST_ARGS(n));
  //@ assert above: above_lowest(x,n) && is_top_of(m,x,n);
  //@ assert held: pad_vecs{Here,Here}(&v[0], x, n, 0, mul(K,team));
  //@ assert sum: SumExp{Pre}(x,m,n) == SumExp(x,m,n);
  float s = team_exp_sum(v, K, 0, m IN_TEAM GHOST_ARGS(n, x));
  //@ assert total: 0 < n ==> s == SumExp{Pre}(x,m,n);
  //@ assert hit: hit >= 0 <==> 0 <= c < n;
  //@ assert value: hit >= 0 ==> \log(s) - (xt[0] - m) == RowLoss{Pre}(x,n,hit);
  //@ assert told: (hit >= 0 ? \log(s) - (xt[0] - m) : 0.0) == Told{Pre}(x,n,c);
  narrow_leave(n, hit, s, m, xt, loss, out IN_TEAM);
}

/*@ // what row r of `rows` adds, where there is one, and whether its class is out of range; and
    // what
    // the first n rows do
    logic real ToldAt{L}(float *x, idx *target, integer cols, integer rows, integer r) =
      r < rows ? Told{L}(x+ix(r,cols,0),cols,Target{L}(target,r)) : 0.0;
    logic integer OutAt{L}(idx *target, integer cols, integer rows, integer r) =
      r < rows && !(0 <= Target{L}(target,r) < cols) ? 1 : 0; */
/* Row r, where there is one. */
/*@ requires few(team) && team_fits(K,team,cols) && 0 < cols && 0 <= r;
    requires loss_of_rows(x,target,rows,cols);
    requires aligned != 0 ==> cols % 4 == 0 && aligned16(x);
    requires \valid(loss + (0 .. team-1)) && \valid(out + (0 .. team-1));
    requires \separated(loss + (0 .. team-1), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(out + (0 .. team-1), x + (0 .. ix(rows,cols,0)-1));
    assigns loss[0 .. team-1], out[0 .. team-1];
    ensures SumR(loss, 0, team) == ToldAt{Pre}(x,target,cols,rows,r);
    ensures Votes(out, 0, team) == 0 <==> OutAt{Pre}(target,cols,rows,r) == 0; */
DEV void narrow_nth_loss(int K, int aligned, idx r, idx rows, int cols, const float *RESTRICT x,
                         const idx *RESTRICT target, PER_THREAD(float, loss),
                         PER_THREAD(int, out) TEAM_FN)
{
  int n = 0;
  idx o = 0, at = 0;
  if (r < rows) {
    n = cols;
    at = r;
    o = at2(rows, cols, r, 0);
    //@ assert last: ix(r+1,cols,0) == ix(r,cols,0) + cols && ix(r+1,cols,0) <= ix(rows,cols,0);
    //@ assert quads: aligned != 0 ==> cols == 4*(cols/4);
    //@ assert quad: aligned != 0 ==> ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  }
  //@ assert inside: 0 <= o && o + n <= ix(rows,cols,0);
  //@ assert mine: r < rows ==> o == ix(r,cols,0) && n == cols && at == r;
  //@ assert none: r >= rows ==> n == 0;
  //@ assert fours: aligned != 0 ==> o % 4 == 0 && n % 4 == 0;
  //@ assert aligned: aligned != 0 ==> aligned16(x+o);
  //@ assert perm_row: perm_r(x+o,n);
  //@ assert in: row_in(x+o,n,aligned);
  //@ assert above: above_lowest(x+o,n);
  narrow_row_loss(K, aligned, n, x + o, target + at, loss, out IN_TEAM);
  //@ assert told: r < rows ==> SumR(loss, 0, team) == Told{Pre}(x+o,cols,Target{Pre}(target,r));
  //@ assert vote: r < rows ==> (Votes(out, 0, team) == 0 <==> 0 <= Target{Pre}(target,r) < cols);
}

/*@ lemma part_sum{L}: \forall integer n, float *a, integer o; 0 <= n ==>
      SumR{L}(a+o,0,n) == SumR{L}(a,o,o+n); */

/* Row r, by team g of the block; the teams before it have left theirs. */
/*@ requires block && few(team) && team_fits(K,team,cols) && 0 < cols && 0 <= r;
    requires loss_of_rows(x,target,rows,cols) && 0 <= g < bdim_/team;
    requires aligned != 0 ==> cols % 4 == 0 && aligned16(x);
    requires \valid(loss + (0 .. BDIM-1)) && \valid(out + (0 .. BDIM-1));
    requires \separated(loss + (0 .. BDIM-1), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(out + (0 .. BDIM-1), x + (0 .. ix(rows,cols,0)-1));
    assigns loss[0 .. BDIM-1], out[0 .. BDIM-1];
    ensures SumR(loss, 0, ix(g+1,team,0)) ==
      \old(SumR(loss, 0, ix(g,team,0))) + ToldAt{Pre}(x,target,cols,rows,r);
    ensures Votes(out, 0, ix(g+1,team,0)) == 0 <==>
      \old(Votes(out, 0, ix(g,team,0))) == 0 && OutAt{Pre}(target,cols,rows,r) == 0; */
DEV void narrow_team_loss(int K, int aligned, idx r, idx rows, int cols, const float *RESTRICT x,
                          const idx *RESTRICT target, PER_THREAD(float, loss),
                          PER_THREAD(int, out) TEAM_FN GHOST_PARAMS(int g))
{
  //@ assert fill: ix(BDIM/team,team,0) == BDIM && 0 < BDIM/team <= BDIM;
  //@ assert next: ix(g+1,team,0) == ix(g,team,0) + team && 0 <= ix(g,team,0);
  //@ assert last: ix(g+1,team,0) <= BDIM;
  narrow_nth_loss(K, aligned, r, rows, cols, x, target, TEAM_PART(loss, g),
                  TEAM_PART(out, g) IN_TEAM);
  //@ assert told: SumR(loss+ix(g,team,0), 0, team) == ToldAt{Pre}(x,target,cols,rows,r);
  //@ assert same: Same{Pre,Here}(loss, ix(g,team,0));
  //@ assert old: SumR(loss, 0, ix(g,team,0)) == \at(SumR(loss, 0, ix(g,team,0)),Pre);
  /*@ assert mine: SumR(loss, ix(g,team,0), ix(g,team,0)+team) ==
        ToldAt{Pre}(x,target,cols,rows,r); */
  /*@ assert both: SumR(loss, 0, ix(g,team,0)+team) ==
        SumR(loss, 0, ix(g,team,0)) + SumR(loss, ix(g,team,0), ix(g,team,0)+team); */
  /*@ assert vote: Votes(out+ix(g,team,0), 0, team) == 0 <==>
        OutAt{Pre}(target,cols,rows,r) == 0; */
  //@ assert same_votes: same_votes{Pre,Here}(out, ix(g,team,0));
  //@ assert votes: Votes(out, 0, ix(g,team,0)) == \at(Votes(out, 0, ix(g,team,0)),Pre);
  /*@ assert my_vote: Votes(out, ix(g,team,0), ix(g,team,0)+team) ==
        Votes(out+ix(g,team,0), 0, team); */
  /*@ assert both_votes: Votes(out, 0, ix(g,team,0)+team) ==
        Votes(out, 0, ix(g,team,0)) + Votes(out, ix(g,team,0), ix(g,team,0)+team); */
  //@ assert counts: 0 <= Votes(out, 0, ix(g,team,0));
  //@ assert count: 0 <= Votes(out, ix(g,team,0), ix(g,team,0)+team);
}

/*@ logic real ToldSum{L}(float *x, idx *target, integer cols, integer rows, integer n) =
      n <= 0 ? 0.0
             : ToldSum{L}(x,target,cols,rows,n-1) + ToldAt{L}(x,target,cols,rows,n-1);
    logic integer Outs{L}(idx *target, integer cols, integer rows, integer n) =
      n <= 0 ? 0 : Outs{L}(target,cols,rows,n-1) + OutAt{L}(target,cols,rows,n-1);
    predicate same_targets{L1,L2}(idx *target, integer n) =
      \forall integer r; 0 <= r < n ==> Target{L1}(target,r) == Target{L2}(target,r);
    predicate told_same{L1,L2}(float *x, idx *target, integer cols, integer rows) =
      0 <= cols && Same{L1,L2}(x,ix(rows,cols,0)) && same_targets{L1,L2}(target,rows);
    lemma told_row{L1,L2}: \forall float *x, integer cols, r, rows; 0 <= cols ==>
      0 <= r < rows ==> Same{L1,L2}(x,ix(rows,cols,0)) ==> Same{L1,L2}(x+ix(r,cols,0),cols);
    lemma told_at_same{L1,L2}: \forall float *x, idx *target, integer cols, rows, r; 0 <= r ==>
      told_same{L1,L2}(x,target,cols,rows) ==>
      ToldAt{L1}(x,target,cols,rows,r) == ToldAt{L2}(x,target,cols,rows,r);
    lemma out_at_same{L1,L2}: \forall float *x, idx *target, integer cols, rows, r; 0 <= r ==>
      told_same{L1,L2}(x,target,cols,rows) ==>
      OutAt{L1}(target,cols,rows,r) == OutAt{L2}(target,cols,rows,r); */

/* What the rows of block b leave with its lanes. */
/*@ requires block && few(team) && team_fits(K,team,cols) && 0 < cols;
    requires loss_of_rows(x,target,rows,cols) && 0 <= b < blocks;
    requires ix(blocks,bdim_/team,0) <= IDX_LIM;
    requires aligned != 0 ==> cols % 4 == 0 && aligned16(x);
    requires \valid(loss + (0 .. BDIM-1)) && \valid(out + (0 .. BDIM-1));
    requires \separated(loss + (0 .. BDIM-1), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(out + (0 .. BDIM-1), x + (0 .. ix(rows,cols,0)-1));
    assigns loss[0 .. BDIM-1], out[0 .. BDIM-1];
    ensures SumR(loss, 0, BDIM) ==
      ToldSum{Pre}(x,target,cols,rows,ix(b+1,BDIM/team,0)) -
      ToldSum{Pre}(x,target,cols,rows,ix(b,BDIM/team,0));
    ensures Votes(out, 0, BDIM) == 0 <==>
      Outs{Pre}(target,cols,rows,ix(b+1,BDIM/team,0)) ==
      Outs{Pre}(target,cols,rows,ix(b,BDIM/team,0)); */
DEV void narrow_all_losses(int K, int aligned, idx b, idx blocks, idx rows, int cols,
                           const float *RESTRICT x, const idx *RESTRICT target,
                           PER_THREAD(float, loss), PER_THREAD(int, out) TEAMS_FN)
{
  //@ assert fill: ix(BDIM/team,team,0) == BDIM && 0 < BDIM/team <= BDIM;
  //@ assert row: ix(blocks,BDIM/team,0) <= IDX_LIM;
  idx lo = at2(blocks, TEAMS_EACH, b, 0);
  //@ assert to: ix(b+1,BDIM/team,0) == lo + BDIM/team && ix(0,team,0) == 0;
  //@ assert most: 0 <= lo && lo + BDIM/team <= IDX_LIM;
  /*@ loop invariant 0 <= g <= BDIM/team;
      loop invariant SumR(loss, 0, ix(g,team,0)) ==
        ToldSum{Pre}(x,target,cols,rows,lo+g) - ToldSum{Pre}(x,target,cols,rows,lo);
      loop invariant Outs{Pre}(target,cols,rows,lo) <= Outs{Pre}(target,cols,rows,lo+g);
      loop invariant Votes(out, 0, ix(g,team,0)) == 0 <==>
        Outs{Pre}(target,cols,rows,lo+g) == Outs{Pre}(target,cols,rows,lo);
      loop assigns g, loss[0 .. BDIM-1], out[0 .. BDIM-1];
      loop variant BDIM/team - g; */
  BLOCK_TEAMS(g)
  {
    idx r = lo + g;
    //@ assert all_told: told_same{Pre,Here}(x,target,cols,rows);
    //@ assert above_all: above_lowest(x,ix(rows,cols,0));
    //@ assert told: ToldAt(x,target,cols,rows,r) == ToldAt{Pre}(x,target,cols,rows,r);
    //@ assert said: OutAt(target,cols,rows,r) == OutAt{Pre}(target,cols,rows,r);
    narrow_team_loss(K, aligned, r, rows, cols, x, target, loss, out IN_TEAM GHOST_ARGS(g));
    /*@ assert sums: SumR(loss, 0, ix(g+1,team,0)) ==
          \at(SumR(loss, 0, ix(g,team,0)),LoopCurrent) + ToldAt{Pre}(x,target,cols,rows,r); */
    /*@ assert votes: Votes(out, 0, ix(g+1,team,0)) == 0 <==>
          \at(Votes(out, 0, ix(g,team,0)),LoopCurrent) == 0 &&
          OutAt{Pre}(target,cols,rows,r) == 0; */
    /*@ assert next: ToldSum{Pre}(x,target,cols,rows,r+1) ==
          ToldSum{Pre}(x,target,cols,rows,r) + ToldAt{Pre}(x,target,cols,rows,r); */
    /*@ assert next_out: Outs{Pre}(target,cols,rows,r+1) ==
          Outs{Pre}(target,cols,rows,r) + OutAt{Pre}(target,cols,rows,r); */
    //@ assert one: 0 <= OutAt{Pre}(target,cols,rows,r);
  }
  /*@ assert sums: SumR(loss, 0, ix(BDIM/team,team,0)) ==
        ToldSum{Pre}(x,target,cols,rows,lo+BDIM/team) - ToldSum{Pre}(x,target,cols,rows,lo); */
  /*@ assert votes: Votes(out, 0, ix(BDIM/team,team,0)) == 0 <==>
        Outs{Pre}(target,cols,rows,lo+BDIM/team) == Outs{Pre}(target,cols,rows,lo); */
  //@ assert full: ix(BDIM/team,team,0) == BDIM;
}

/*@ // what a block of rows lo .. hi-1 leaves
    predicate block_told{L}(real v, float *x, idx *target, integer cols, integer rows, integer lo,
                            integer hi) =
      (Outs{L}(target,cols,rows,hi) == Outs{L}(target,cols,rows,lo) ==>
        v == ToldSum{L}(x,target,cols,rows,hi) - ToldSum{L}(x,target,cols,rows,lo)) &&
      (Outs{L}(target,cols,rows,hi) != Outs{L}(target,cols,rows,lo) ==> v == -1.0); */

/* Block b does rows b*TEAMS_EACH .., with K vectors a lane. */
/*@ requires block && few(team) && team_fits(K,team,cols) && 0 < cols && 0 <= b < blocks;
    requires loss_of_rows(x,target,rows,cols) && ix(blocks,bdim_/team,0) <= IDX_LIM;
    requires aligned != 0 ==> cols % 4 == 0 && aligned16(x);
    requires \valid(to) && W(to) && \separated(to, x + (0 .. ix(rows,cols,0)-1));
    assigns *to;
    ensures block_told{Pre}(*to,x,target,cols,rows,ix(b,bdim_/team,0),ix(b+1,bdim_/team,0)); */
DEV void narrow_block_loss(int K, int aligned, idx b, idx blocks, idx rows, int cols,
                           const float *RESTRICT x, const idx *RESTRICT target,
                           float *RESTRICT to TEAMS_FN)
{
  SHARED(float, s, 32);
  PRIVATE(float, loss);
  PRIVATE(int, out);
  narrow_all_losses(K, aligned, b, blocks, rows, cols, x, target, loss, out IN_TEAMS);
  /*@ assert sums: SumR(&loss[0], 0, BDIM) ==
        ToldSum{Pre}(x,target,cols,rows,ix(b+1,BDIM/team,0)) -
        ToldSum{Pre}(x,target,cols,rows,ix(b,BDIM/team,0)); */
  /*@ assert votes: Votes(&out[0], 0, BDIM) == 0 <==>
        Outs{Pre}(target,cols,rows,ix(b+1,BDIM/team,0)) ==
        Outs{Pre}(target,cols,rows,ix(b,BDIM/team,0)); */
  int refused = block_or(out);
  //@ assert none: refused == 0 <==> none_set(&out[0], BDIM);
  //@ assert no_vote: refused == 0 <==> Votes(&out[0], 0, BDIM) == 0;
  float sum = block_sum(loss, s);
  /*@ assert sum: sum == ToldSum{Pre}(x,target,cols,rows,ix(b+1,BDIM/team,0)) -
        ToldSum{Pre}(x,target,cols,rows,ix(b,BDIM/team,0)); */
  block_put(refused ? REFUSED : sum, to);
}

/*@ lemma told_sum_frame{L1,L2}: \forall integer n, float *x, idx *target, integer cols, rows;
      0 <= n ==> (\forall integer r; 0 <= r < n ==>
        ToldAt{L1}(x,target,cols,rows,r) == ToldAt{L2}(x,target,cols,rows,r)) ==>
      ToldSum{L1}(x,target,cols,rows,n) == ToldSum{L2}(x,target,cols,rows,n);
    lemma told_sum_same{L1,L2}: \forall float *x, idx *target, integer cols, rows, n;
      told_same{L1,L2}(x,target,cols,rows) ==>
      ToldSum{L1}(x,target,cols,rows,n) == ToldSum{L2}(x,target,cols,rows,n);
    lemma outs_frame{L1,L2}: \forall integer n, idx *target, integer cols, rows; 0 <= n ==>
      (\forall integer r; 0 <= r < n ==>
        OutAt{L1}(target,cols,rows,r) == OutAt{L2}(target,cols,rows,r)) ==>
      Outs{L1}(target,cols,rows,n) == Outs{L2}(target,cols,rows,n);
    lemma outs_same{L1,L2}: \forall float *x, idx *target, integer cols, rows, n;
      told_same{L1,L2}(x,target,cols,rows) ==>
      Outs{L1}(target,cols,rows,n) == Outs{L2}(target,cols,rows,n);
    lemma block_told_same{L1,L2}: \forall real v, float *x, idx *target, integer cols, rows, lo, hi;
      told_same{L1,L2}(x,target,cols,rows) ==> block_told{L1}(v,x,target,cols,rows,lo,hi) ==>
      block_told{L2}(v,x,target,cols,rows,lo,hi);
    // all blocks, of `each` rows
    predicate blocks_told{L0,L}(float *part, float *x, idx *target, integer cols, integer rows,
                                integer each, integer n) =
      \forall integer b; 0 <= b < n ==>
        block_told{L0}(\at(part[b],L),x,target,cols,rows,ix(b,each,0),ix(b+1,each,0)); */

/* A team of 2^log_lanes lanes a row; VEC: x is 16-byte aligned and cols a multiple of 4. */
/*@ requires block && 0 <= log_lanes <= 5 && team_fits(K,TeamOf(log_lanes),cols) && 0 < cols;
    requires loss_of_rows(x,target,rows,cols) && writes(part,blocks) && ix(blocks,1,0) <= BLOCKS;
    requires rows <= ix(blocks,bdim_/TeamOf(log_lanes),0) <= IDX_LIM;
    requires apart(x,ix(rows,cols,0),part,blocks);
    requires \separated(target + (0 .. rows-1), part + (0 .. blocks-1));
    requires VEC != 0 ==> cols % 4 == 0 && aligned16(x);
    assigns part[0 .. blocks-1];
    ensures blocks_told{Pre,Post}(part,x,target,cols,rows,bdim_/TeamOf(log_lanes),blocks);
    ensures losses_left{Pre,Post}(part,blocks,x,target,cols,rows); */
TEMPLATE(int K, int VEC)
KERNEL void cross_entropy_warp(CONSTANTS(int K, int VEC) int log_lanes, idx rows, idx blocks,
                               int cols, const float *RESTRICT x, const idx *RESTRICT target,
                               float *RESTRICT part)
{
  WARP_TEAM(log_lanes);
  /*@ loop invariant 0 <= b <= blocks;
      loop invariant blocks_told{Pre,Here}(part,x,target,cols,rows,bdim_/team,b);
      loop assigns b, part[0 .. blocks-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    //@ assert there: told_same{Pre,Here}(x,target,cols,rows);
    //@ assert back: told_same{Here,Pre}(x,target,cols,rows);
    //@ assert above: above_lowest(x,ix(rows,cols,0));
    //@ assert perm: perm_w(part,blocks);
    //@ assert word: \valid(part+b) && W(part+b);
    narrow_block_loss(K, VEC, b, blocks, rows, cols, x, target, part + b IN_TEAMS);
    /*@ assert now: block_told{LoopCurrent}(part[b],x,target,cols,rows,ix(b,BDIM/team,0),
                                            ix(b+1,BDIM/team,0)); */
    /*@ assert one: block_told{Pre}(part[b],x,target,cols,rows,ix(b,BDIM/team,0),
                                    ix(b+1,BDIM/team,0)); */
    //@ assert same: Same{LoopCurrent,Here}(part,b);
    //@ assert old: blocks_told{Pre,Here}(part,x,target,cols,rows,bdim_/team,b);
  }
}

/*@ // the blocks' mean is the op's, where all classes are in range
    lemma told_past{L}: \forall integer n, float *x, idx *target, integer cols, rows; 0 <= rows ==>
      rows <= n ==> ToldSum{L}(x,target,cols,rows,n) == ToldSum{L}(x,target,cols,rows,rows);
    lemma told_all{L}: \forall integer n, float *x, idx *target, integer cols, rows; n <= rows ==>
      Targets{L}(target,rows,cols) ==>
      ToldSum{L}(x,target,cols,rows,n) == LossSum{L}(x,target,cols,n);
    lemma outs_none{L}: \forall integer n, idx *target, integer cols, rows; 0 <= n ==>
      Targets{L}(target,rows,cols) ==> Outs{L}(target,cols,rows,n) == 0;
    lemma no_outs{L}: \forall idx *target, integer cols, rows, n;
      Targets{L}(target,rows,cols) ==> Outs{L}(target,cols,rows,n) == 0;
    predicate steps{L0,L}(float *part, float *x, idx *target, integer cols, integer rows,
                          integer each, integer n) =
      \forall integer b; 0 <= b < n ==>
        rd{L}(part,b) == ToldSum{L0}(x,target,cols,rows,ix(b+1,each,0)) -
          ToldSum{L0}(x,target,cols,rows,ix(b,each,0));
    lemma told_steps{L0,L}: \forall float *part, *x, idx *target, integer cols, rows, each, n;
      Targets{L0}(target,rows,cols) ==> blocks_told{L0,L}(part,x,target,cols,rows,each,n) ==>
      steps{L0,L}(part,x,target,cols,rows,each,n);
    lemma steps_sum{L0,L}: \forall integer n, float *part, *x, idx *target,
                                   integer cols, rows, each; 0 <= n ==>
      (\forall integer b; 0 <= b < n ==>
        rd{L}(part,b) == ToldSum{L0}(x,target,cols,rows,ix(b+1,each,0)) -
          ToldSum{L0}(x,target,cols,rows,ix(b,each,0))) ==>
      Sum{L}(part,n) == ToldSum{L0}(x,target,cols,rows,ix(n,each,0)) -
        ToldSum{L0}(x,target,cols,rows,ix(0,each,0));
    lemma no_steps{L}: \forall float *x, idx *target, integer cols, rows, each;
      ToldSum{L}(x,target,cols,rows,ix(0,each,0)) == 0.0;
    lemma all_steps{L0,L}: \forall float *part, *x, idx *target, integer cols, rows, each, n;
      0 <= n ==> steps{L0,L}(part,x,target,cols,rows,each,n) ==>
      Sum{L}(part,n) == ToldSum{L0}(x,target,cols,rows,ix(n,each,0));
    lemma blocks_sum{L0,L}: \forall float *part, *x, idx *target, integer cols, rows, each, n;
      0 <= n ==> 0 <= rows <= ix(n,each,0) ==> Targets{L0}(target,rows,cols) ==>
      blocks_told{L0,L}(part,x,target,cols,rows,each,n) ==>
      steps{L0,L}(part,x,target,cols,rows,each,n) &&
      Sum{L}(part,n) == ToldSum{L0}(x,target,cols,rows,ix(n,each,0)) &&
      Sum{L}(part,n) == ToldSum{L0}(x,target,cols,rows,rows) &&
      Sum{L}(part,n) == LossSum{L0}(x,target,cols,rows);
    lemma blocks_mean{L0,L}: \forall float *part, *x, idx *target, integer cols, rows, each, n;
      0 <= n ==> 0 <= rows <= ix(n,each,0) ==> Targets{L0}(target,rows,cols) ==>
      blocks_told{L0,L}(part,x,target,cols,rows,each,n) ==>
      rdiv(Sum{L}(part,n),rows) == CrossEntropy{L0}(x,target,rows,cols); */

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "launch.h"

template <int K, int VEC>
static void launch_loss_warp(void *stream, int log, int64_t grid, int block, int64_t rows, int w,
                             const float *x, const loss_call *c)
{
  if (c->dx)
    LAUNCH_AFTER((cross_entropy_grad_warp<K, VEC>), grid, block, stream, log, rows, (idx)grid, w,
                 c->flags.n, c->accumulate, c->each, x, c->target, c->flags.bad, c->g, c->part,
                 c->dx);
  else
    LAUNCH((cross_entropy_warp<K, VEC>), grid, block, stream, log, rows, (idx)grid, w, x, c->target,
           c->part);
}

extern "C" void LAUNCHER(cross_entropy_warp)(void *stream, int k, int vec, int log_lanes,
                                             int64_t grid, int block, int64_t rows, int64_t cols,
                                             const float *x, const loss_call *call)
{
  int w = (int)cols;
  if (k == 2 && vec)
    launch_loss_warp<2, 1>(stream, log_lanes, grid, block, rows, w, x, call);
  else if (k == 2)
    launch_loss_warp<2, 0>(stream, log_lanes, grid, block, rows, w, x, call);
  else if (vec)
    launch_loss_warp<4, 1>(stream, log_lanes, grid, block, rows, w, x, call);
  else
    launch_loss_warp<4, 0>(stream, log_lanes, grid, block, rows, w, x, call);
}
#endif
