/* Cross entropy and its gradient of narrow rows, which wait in the registers of 1, 2, 4, .. 32 lanes
 * (team_padded.h): x and dx are (rows, cols). The sum of the losses of block b's rows goes to part[b].
 * loss.cu says when. */
#include "launch_after.h"
#include "loss_exps.h"
#include "loss_scale.h"
#include "loss_slopes.h"
#include "team_block.h"
#include "team_padded.h"

/* The first lane has the row's loss, the others nothing. */
/*@ assigns \nothing;
    ensures t == 0 && hit >= 0 ==> \result == \log(s) - (xt - m);
    ensures t != 0 || hit < 0 ==> \result == 0.0; */
DEV float narrow_loss(int t, int hit, float s, float xt, float m)
{
  return t == 0 && hit >= 0 ? loss_of(s, xt, m) : 0.0f;
}

/* One row. The target is asked for before the row and looked at behind its maximum: no load waits
 * for another. */
/*@ requires few(team) && team_fits(K,team,n) && row_in(x,n,aligned) && above_lowest(x,n);
    requires 0 < n ==> \valid_read(target);
    requires \valid(loss + (0 .. team-1)) && \valid(out + (0 .. team-1));
    requires \separated(loss + (0 .. team-1), x + (0 .. n-1));
    requires \separated(out + (0 .. team-1), x + (0 .. n-1));
    assigns loss[0 .. team-1], out[0 .. team-1]; */
DEV void narrow_row_loss(int K, int aligned, int n, const float *RESTRICT x,
                         const idx *RESTRICT target, LANE(float, loss), LANE(int, out) TEAM_FN)
{
  PRIVATEK(float4, v);
  PRIVATE(float, xt);
  idx c = n ? ask_index(target) : 0;
  narrow_load_all(v, K, n, aligned, x IN_TEAM);
  //@ assert Same{Pre,Here}(x,n) && above_lowest(x,n);
  //@ assert pad_vecs{Here,Here}(&v[0], x, n, 0, mul(K,team));
  float m = narrow_max(v, K IN_TEAM GHOST_ARGS(n, x));
  int hit = loss_hit(c, n);
  /*@ loop invariant 0 <= t <= team;
      loop assigns t, xt[0 .. team-1];
      loop variant team - t; */
  TEAM_LANES(t) AT(xt, t) = loss_at(t, 1, hit, x GHOST_ARGS(n));
  //@ assert above: Same{Pre,Here}(x,n) && above_lowest(x,n) && is_top_of(m,x,n);
  //@ assert held: pad_vecs{Here,Here}(&v[0], x, n, 0, mul(K,team));
  float s = loss_sum(v, K, 0, m IN_TEAM GHOST_ARGS(n, x));
  /*@ loop invariant 0 <= t <= team;
      loop assigns t, loss[0 .. team-1], out[0 .. team-1];
      loop variant team - t; */
  TEAM_LANES(t)
  {
    AT(loss, t) = narrow_loss(t, hit, s, AT(xt, t), m);
    AT(out, t) = n && hit < 0;
  }
}

/*@ predicate loss_of_rows{L}(float *x, idx *target, integer rows, integer cols) =
      0 <= rows <= IDX_LIM && reads(x,ix(rows,cols,0)) && above_lowest(x,ix(rows,cols,0)) &&
      \valid_read(target + (0 .. rows-1)); */
/* Row r, where there is one. */
/*@ requires few(team) && team_fits(K,team,cols) && 0 < cols && 0 <= r;
    requires loss_of_rows(x,target,rows,cols);
    requires aligned != 0 ==> cols % 4 == 0 && aligned16(x);
    requires \valid(loss + (0 .. team-1)) && \valid(out + (0 .. team-1));
    requires \separated(loss + (0 .. team-1), x + (0 .. ix(rows,cols,0)-1));
    requires \separated(out + (0 .. team-1), x + (0 .. ix(rows,cols,0)-1));
    assigns loss[0 .. team-1], out[0 .. team-1]; */
DEV void narrow_nth_loss(int K, int aligned, idx r, idx rows, int cols, const float *RESTRICT x,
                         const idx *RESTRICT target, LANE(float, loss), LANE(int, out) TEAM_FN)
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
  //@ assert aligned: aligned != 0 ==> aligned16(x+o);
  //@ assert perm_row: perm_r(x+o,n);
  //@ assert in: row_in(x+o,n,aligned);
  //@ assert above: above_lowest(x+o,n);
  narrow_row_loss(K, aligned, n, x + o, target + at, loss, out IN_TEAM);
}

/* Block b does rows b*TEAMS_EACH .., a team of 2^log_lanes lanes a row, with K vectors a lane. VEC: x
 * is 16-byte aligned and cols a multiple of 4. */
/*@ requires block && 0 <= log_lanes <= 5 && team_fits(K,TeamOf(log_lanes),cols) && 0 < cols;
    requires loss_of_rows(x,target,rows,cols) && writes(part,blocks) && ix(blocks,1,0) <= BLOCKS;
    requires rows <= ix(blocks,bdim_/TeamOf(log_lanes),0) <= IDX_LIM;
    requires apart(x,ix(rows,cols,0),part,blocks);
    requires \separated(target + (0 .. rows-1), part + (0 .. blocks-1));
    requires VEC != 0 ==> cols % 4 == 0 && aligned16(x);
    assigns part[0 .. blocks-1]; */
TEMPLATE(int K, int VEC)
KERNEL void loss_warp(CONSTANTS(int K, int VEC) int log_lanes, idx rows, idx blocks, int cols,
                      const float *RESTRICT x, const idx *RESTRICT target, float *RESTRICT part)
{
  LANES_TEAM(log_lanes);
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, part[0 .. blocks-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    SHARED(float, s, 32);
    PRIVATE(float, loss);
    PRIVATE(int, out);
    //@ assert fill: ix(BDIM/team,team,0) == BDIM && 0 < BDIM/team <= BDIM;
    /*@ loop invariant 0 <= g <= BDIM/team;
        loop assigns g, loss[0 .. BDIM-1], out[0 .. BDIM-1];
        loop variant BDIM/team - g; */
    BLOCK_TEAMS(g)
    {
      //@ assert next: ix(g+1,team,0) == ix(g,team,0) + team && 0 <= ix(g,team,0);
      //@ assert last: ix(g+1,team,0) <= BDIM;
      //@ assert row: ix(blocks,BDIM/team,0) <= IDX_LIM;
      idx r = at2(blocks, TEAMS_EACH, b, g);
      //@ assert above_all: above_lowest(x,ix(rows,cols,0));
      narrow_nth_loss(K, VEC, r, rows, cols, x, target, TEAM_PART(loss, g),
                      TEAM_PART(out, g) IN_TEAM);
    }
    int refused = block_or(out);
    float sum = block_sum(loss, s);
    block_put(refused ? REFUSED : sum, part + b);
  }
}

/* ---- with the gradient ---- */

/* What becomes of a row in v, all targets being in range; c: its target; tells: its loss is wanted. */
/*@ requires few(team) && team_fits(K,team,n) && row_in(x,n,aligned) && above_lowest(x,n);
    requires \valid(v + (0 .. KMAX*MAXB-1)) && pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,team));
    requires row_in(dx,n,aligned) && \valid(dx + (0 .. n-1)) && perm_w(dx,n) && apart(x,n,dx,n);
    requires \separated(v + (0 .. KMAX*MAXB-1), dx + (0 .. n-1));
    requires \separated(v + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \valid(loss + (0 .. team-1)) && \separated(loss + (0 .. team-1), x + (0 .. n-1));
    requires \separated(loss + (0 .. team-1), dx + (0 .. n-1));
    requires \separated(loss + (0 .. team-1), v + (0 .. KMAX*MAXB-1));
    assigns loss[0 .. team-1], dx[0 .. n-1], v[0 .. KMAX*MAXB-1]; */
DEV void narrow_held(LANEK(float4, v), int K, int aligned, int n, int adds, int tells, float scale,
                     idx c, const float *RESTRICT x, LANE(float, loss), float *dx TEAM_FN)
{
  PRIVATE(float, xt);
  float m = narrow_max(v, K IN_TEAM GHOST_ARGS(n, x));
  int hit = loss_hit(c, n);
  /*@ loop invariant 0 <= t <= team;
      loop assigns t, xt[0 .. team-1];
      loop variant team - t; */
  TEAM_LANES(t) AT(xt, t) = loss_at(t, tells, hit, x GHOST_ARGS(n));
  float s = loss_exp_all(v, K, 0, m IN_TEAM);
  /*@ loop invariant 0 <= t <= team;
      loop assigns t, loss[0 .. team-1];
      loop variant team - t; */
  TEAM_LANES(t) AT(loss, t) = narrow_loss(t, tells ? hit : -1, s, AT(xt, t), m);
  loss_slope(v, K, hit, 1.0f / s, scale IN_TEAM);
  loss_put(v, K, n, aligned, adds, dx IN_TEAM);
}

/* One row; refused where a target is out of range, of any row. bad: what loss_targets has left,
 * looked at when the row has been asked for. */
/*@ requires block && few(team) && team_fits(K,team,n) && row_in(x,n,aligned);
    requires above_lowest(x,n) && flags_in(bad,flags) && (0 < n ==> \valid_read(target));
    requires row_in(dx,n,aligned) && \valid(dx + (0 .. n-1)) && perm_w(dx,n) && apart(x,n,dx,n);
    requires \valid(loss + (0 .. team-1)) && \separated(loss + (0 .. team-1), x + (0 .. n-1));
    requires \separated(loss + (0 .. team-1), dx + (0 .. n-1));
    assigns loss[0 .. team-1], dx[0 .. n-1]; */
DEV void narrow_row_grad(int K, int aligned, int n, int adds, int tells, int flags, float scale,
                         const float *RESTRICT x, const idx *RESTRICT target, const float *bad,
                         LANE(float, loss), float *RESTRICT dx TEAM_FN)
{
  PRIVATEK(float4, v);
  idx c = n ? ask_index(target) : 0;
  narrow_load_all(v, K, n, aligned, x IN_TEAM);
  //@ assert Same{Pre,Here}(x,n) && above_lowest(x,n);
  //@ assert pad_vecs{Here,Here}(&v[0], x, n, 0, mul(K,team));
  await_launches();
  if (!targets_refused(flags, bad))
    narrow_held(v, K, aligned, n, adds, tells, scale, c, x, loss, dx IN_TEAM);
  else {
    /*@ loop invariant 0 <= t <= team;
        loop assigns t, loss[0 .. team-1];
        loop variant team - t; */
    TEAM_LANES(t) AT(loss, t) = REFUSED;
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
                         const idx *RESTRICT target, const float *bad, LANE(float, loss),
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

/* As loss_warp; where a target is out of range, of any row, no row has a loss or a gradient. bad:
 * what loss_targets has left. VEC: x and dx are 16-byte aligned and cols a multiple of 4. */
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
KERNEL void loss_grad_warp(CONSTANTS(int K, int VEC) int log_lanes, idx rows, idx blocks, int cols,
                           int flags, int adds, float each, const float *RESTRICT x,
                           const idx *RESTRICT target, const float *bad, const float *RESTRICT g,
                           float *RESTRICT part, float *RESTRICT dx)
{
  LANES_TEAM(log_lanes);
  //@ assert apart: apart(x,ix(rows,cols,0),dx,ix(rows,cols,0));
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, part[0 .. blocks-1], dx[0 .. ix(rows,cols,0)-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    float scale = loss_scale(each, g), *to = part ? part + b : part;
    //@ assert above_all: above_lowest(x,ix(rows,cols,0));
    narrow_block_grad(K, VEC, b, blocks, rows, cols, adds, flags, scale, x, target, bad, to,
                      dx IN_TEAMS);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "loss_regs.h"

template <int K, int VEC>
static void launch_loss_warp(void *stream, int log, int64_t grid, int block, int64_t rows, int w,
                             const float *x, const loss_call *c)
{
  if (c->dx)
    LAUNCH_AFTER((loss_grad_warp<K, VEC>), grid, block, stream, log, rows, (idx)grid, w, c->flags.n,
                 c->accumulate, c->each, x, c->target, c->flags.bad, c->g, c->part, c->dx);
  else
    LAUNCH((loss_warp<K, VEC>), grid, block, stream, log, rows, (idx)grid, w, x, c->target,
           c->part);
}

extern "C" void LAUNCHER(loss_narrow)(void *stream, int k, int vec, int log_lanes, int64_t grid,
                                      int block, int64_t rows, int64_t cols, const float *x,
                                      const loss_call *call)
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
