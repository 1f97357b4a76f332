/* Split rows, second launch: cross entropy (row/split.h), behind lse/split_chunks.cu: x and dx
 * are (rows, cols).
 *
 *   cross_entropy_split_out       the loss alone: a block adds up what the pieces of its row have
 *                                 left
 *   cross_entropy_grad_split_out  the gradient: a block does so too, and writes its own piece of
 *                                 dx; that
 *                                 of a row's first piece also leaves its loss, where it is wanted
 *
 * A row's loss goes to part[row]. Where a target is out of range, of any row, there is no
 * gradient. */
#include "../lang/dependent_launch.h"
#include "grad_row.h"
#include "row_loss.h"
#include "grad_piece.h"
#include "grad_scale.h"
#include "../row/split_steps.h"
#include "../lse/softmax_of_mass.h"
#include "../lse/split_chunks.h"
#include "contract.h"

/*@ // element c of a row, about m: its gradient
    logic real SlopeAbout(real x, real m, real by, integer hit, real scale, integer c) =
      Slope(ExpAbout(x,m),by,hit,scale,c);
    lemma any_slope{L}: \forall float *x, integer n, hit, c, real m, s, by, scale; 0 <= c < n ==>
      s > 0.0 ==> Mass(s,m) == Whole{L}(x,n) ==> by == rdiv(1.0,s) ==>
      SlopeAbout(x[c],m,by,hit,scale,c) == RowGradient{L}(x,n,hit,scale,c); */

/*@ assigns \nothing; ensures \result == SlopeAbout(x,m,by,hit,scale,c); */
DEV float slope_one(float x, idx c, idx hit, float m, float by, float scale)
{
  return gradient_of(pm_expf(x - m), by, c == hit, scale);
}

/*@ requires 0 <= c <= IDX_LIM;
    assigns \nothing;
    ensures \result.x == SlopeAbout(v.x,m,by,hit,scale,c);
    ensures \result.y == SlopeAbout(v.y,m,by,hit,scale,c+1);
    ensures \result.z == SlopeAbout(v.z,m,by,hit,scale,c+2);
    ensures \result.w == SlopeAbout(v.w,m,by,hit,scale,c+3); */
DEV float4 slope_four(float4 v, idx c, idx hit, float m, float by, float scale)
{
  v.x = slope_one(v.x, c, hit, m, by, scale);
  v.y = slope_one(v.y, c + 1, hit, m, by, scale);
  v.z = slope_one(v.z, c + 2, hit, m, by, scale);
  v.w = slope_one(v.w, c + 3, hit, m, by, scale);
  return v;
}

/*@ logic real Sloped{L}(integer adds, float *dx, float *x, real m, real by, integer hit,
  real scale,
                         integer c) = plus(adds,dx[c],SlopeAbout(x[c],m,by,hit,scale,c));
    predicate sloped{L0,L}(float *dx, integer adds, float *x, real m, real by, integer hit,
                           real scale, integer from, integer to) =
      \forall integer c; from <= c < to ==> \at(dx[c],L) == Sloped{L0}(adds,dx,x,m,by,hit,scale,c);
    lemma sloped_next{L0,L}: \forall float *dx, integer adds, float *x, real m, by, integer hit,
      real scale, integer from, k, k1; k1 == k + 1 ==>
      sloped{L0,L}(dx,adds,x,m,by,hit,scale,from,k) ==>
      \at(dx[k],L) == Sloped{L0}(adds,dx,x,m,by,hit,scale,k) ==>
      sloped{L0,L}(dx,adds,x,m,by,hit,scale,from,k1); */
/* The elements of a step that begins at c. */
/*@ requires spread_io(x,dx,n,n,vec) && 0 <= c && c + StepAt(vec,1) <= n;
    requires vec != 0 ==> c % 4 == 0;
    assigns dx[c .. c+StepAt(vec,1)-1];
    ensures sloped{Pre,Post}(dx,adds,x,m,by,hit,scale,c,c+StepAt(vec,1)); */
DEV void slope_put(int adds, int vec, idx c, idx hit, float m, float by, float scale,
                   const float *RESTRICT x, float *RESTRICT dx GHOST_PARAMS(idx n))
{
  //@ assert perm: perm_r(x,n) && perm_r(dx,n) && perm_w(dx,n);
  if (vec) {
    //@ assert aligned: aligned16(x+c) && aligned16(dx+c);
    float4 d = slope_four(LD4(x + c), c, hit, m, by, scale);
    ST4(dx + c, adds ? plus4(LD4(dx + c), d) : d);
    //@ assert x: dx[c] == Sloped{Pre}(adds,dx,x,m,by,hit,scale,c);
    //@ assert y: dx[c+1] == Sloped{Pre}(adds,dx,x,m,by,hit,scale,c+1);
    //@ assert z: dx[c+2] == Sloped{Pre}(adds,dx,x,m,by,hit,scale,c+2);
    //@ assert w: dx[c+3] == Sloped{Pre}(adds,dx,x,m,by,hit,scale,c+3);
    //@ assert first: sloped{Pre,Here}(dx,adds,x,m,by,hit,scale,c,c+1);
    //@ assert two: sloped{Pre,Here}(dx,adds,x,m,by,hit,scale,c,c+2);
    //@ assert three: sloped{Pre,Here}(dx,adds,x,m,by,hit,scale,c,c+3);
    //@ assert four: sloped{Pre,Here}(dx,adds,x,m,by,hit,scale,c,c+4);
  } else {
    float d = slope_one(LDG(x + c), c, hit, m, by, scale);
    STG(dx + c, adds ? LDG(dx + c) + d : d);
    //@ assert one: sloped{Pre,Here}(dx,adds,x,m,by,hit,scale,c,c+1);
  }
}

/* Elements o .. o+n-1 of a row. */
/*@ requires block && spread_io(x,dx,cols,cols,vec) && 0 <= o && 0 < n && o + n <= cols;
    requires vec != 0 ==> o % 4 == 0 && n % 4 == 0;
    assigns dx[o .. o+n-1];
    ensures sloped{Pre,Post}(dx,adds,x,m,by,hit,scale,o,o+n); */
DEV void slope_put_all(int adds, int vec, idx o, idx n, idx hit, float m, float by, float scale,
                       const float *RESTRICT x, float *RESTRICT dx GHOST_PARAMS(idx cols))
{
  idx steps = split_steps(vec, n);
  /*@ loop invariant 0 <= k0 <= steps + BDIM;
      loop invariant sloped{Pre,Here}(dx,adds,x,m,by,hit,scale,o,o+StepAt(vec,lesser(k0,steps)));
      loop invariant ungraded{Pre,Here}(dx,o+StepAt(vec,lesser(k0,steps)),o+n);
      loop assigns k0, dx[o .. o+n-1];
      loop variant steps - k0; */
  UNROLL_BY(4)
  for (idx k0 = 0; k0 < steps; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant sloped{Pre,Here}(dx,adds,x,m,by,hit,scale,o,
          o+StepAt(vec,lesser(k0+t,steps)));
        loop invariant ungraded{Pre,Here}(dx,o+StepAt(vec,lesser(k0+t,steps)),o+n);
        loop assigns t, dx[o .. o+n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < steps) {
        idx c = o + (vec ? 4 * (k0 + t) : k0 + t);
        //@ assert at: c == o + StepAt(vec,k0+t) && c + StepAt(vec,1) == o + StepAt(vec,k0+t+1);
        //@ assert in: 0 <= o <= c && c + StepAt(vec,1) <= o + n;
        //@ assert fours: vec != 0 ==> c % 4 == 0;
        //@ assert same: Same{Pre,Here}(x,cols);
        //@ assert rest: ungraded{Pre,Here}(dx,c,o+n);
        slope_put(adds, vec, c, hit, m, by, scale, x, dx GHOST_ARGS(cols));
        //@ assert put: sloped{LoopCurrent,Here}(dx,adds,x,m,by,hit,scale,c,c+StepAt(vec,1));
        //@ assert mine: sloped{Pre,Here}(dx,adds,x,m,by,hit,scale,c,c+StepAt(vec,1));
        //@ assert old: sloped{Pre,Here}(dx,adds,x,m,by,hit,scale,o,c);
        //@ assert new: sloped{Pre,Here}(dx,adds,x,m,by,hit,scale,o,c+StepAt(vec,1));
        //@ assert left: ungraded{Pre,Here}(dx,c+StepAt(vec,1),o+n);
        //@ assert here: lesser(k0+t,steps) == k0+t && lesser(k0+t+1,steps) == k0+t+1;
      }
  }
}

/* ---- rows ---- */

/* The loss of a row of class c, of what its pieces add up to. */
/*@ requires 0 < n && reads(x,n) && sums_up(all,x,n) && some(all.m,x,n) && 1.0 <= all.s;
    assigns \nothing;
    ensures \result == Left(x,n,c); */
DEV float split_loss(once_sum all, idx c, idx n, const float *RESTRICT x)
{
  float top = online_mass(all.s, all.m);
  if (c < 0 || c >= n)
    return REFUSED;
  //@ assert perm: perm_r(x,n);
  return loss_of(all.s, LDG(x + c), top);
}

/* Row r, of class c, leaves its loss. */
/*@ requires block && 0 <= r < rows && 0 < cols && ix(rows,cols,0) <= IDX_LIM && rows <= IDX_LIM;
    requires reads(x,ix(rows,cols,0)) && writes(part,rows) && apart(x,ix(rows,cols,0),part,rows);
    requires sums_up(all,x+ix(r,cols,0),cols) && some(all.m,x+ix(r,cols,0),cols) && 1.0 <= all.s;
    assigns part[r];
    ensures part[r] == Left{Pre}(x+ix(r,cols,0),cols,c); */
DEV void loss_nth(once_sum all, idx r, idx c, idx rows, idx cols, const float *RESTRICT x,
                  float *part)
{
  idx o = at2(rows, cols, r, 0);
  //@ assert next: ix(r+1,cols,0) == o + cols && o + cols <= ix(rows,cols,0) && 0 <= o;
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+o,cols);
  //@ assert perm_p: perm_w(part,rows) && W(part+r);
  block_put(split_loss(all, c, cols, x + o), part + r);
}

/*@ predicate join_tensors{L}(float *x, float *tops, float *sums, idx *target, integer rows,
                              integer cols, integer pieces) =
      0 <= rows <= IDX_LIM && ix(rows,cols,0) <= IDX_LIM &&
      join_in(x,ix(rows,cols,0),tops,sums,ix(rows,pieces,0)) && \valid_read(target + (0 .. rows-1));
        */
/* Block r does row r. */
/*@ requires block && row_split(cols,chunk,pieces) && ix(rows,1,0) <= BLOCKS;
    requires join_tensors(x,tops,sums,target,rows,cols,pieces) && writes(part,rows);
    requires apart(x,ix(rows,cols,0),part,rows) && apart(tops,ix(rows,pieces,0),part,rows);
    requires apart(sums,ix(rows,pieces,0),part,rows);
    requires \separated(target + (0 .. rows-1), part + (0 .. rows-1));
    requires all_pieces{Pre,Pre}(tops,sums,x,cols,chunk,pieces,rows);
    assigns part[0 .. rows-1];
    ensures all_left{Pre,Post}(part,x,target,cols,rows);
    ensures losses_left{Pre,Post}(part,rows,x,target,cols,rows); */
KERNEL void cross_entropy_split_out(idx rows, idx cols, int pieces, const float *RESTRICT x,
                                    const idx *RESTRICT target, const float *tops,
                                    const float *sums, float *RESTRICT part GHOST_PARAMS(idx chunk))
{
  await_launches();
  /*@ loop invariant 0 <= r <= rows && all_left{Pre,Here}(part,x,target,cols,r);
      loop assigns r, part[0 .. rows-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    //@ assert row: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
    //@ assert all_x: Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert all_t: Same{Pre,Here}(tops,ix(rows,pieces,0));
    //@ assert all_s: Same{Pre,Here}(sums,ix(rows,pieces,0));
    //@ assert to: Same{Pre,Here}(x+ix(r,cols,0),cols);
    //@ assert cells: pieces_kept{Pre,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),pieces);
    /*@ assert left: row_pieces{Here,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),x+ix(r,cols,0),
          cols,chunk,pieces); */
    //@ assert least: least_in(x,ix(rows,cols,0));
    once_sum all = row_join(r, rows, pieces, tops, sums GHOST_ARGS(cols, chunk, x));
    //@ assert back: Same{Here,Pre}(x+ix(r,cols,0),cols);
    //@ assert sum: sums_up(all,x+ix(r,cols,0),cols) && some(all.m,x+ix(r,cols,0),cols);
    loss_nth(all, r, LDI(target + r), rows, cols, x, part);
    //@ assert one: part[r] == Left{Pre}(x+ix(r,cols,0),cols,Target{Pre}(target,r));
    //@ assert kept: Same{LoopCurrent,Here}(part,r);
    //@ assert old: all_left{Pre,Here}(part,x,target,cols,r);
  }
}

/* ---- second launch: out ---- */

/*@ lemma sloped_graded{L0,L}: \forall float *dx, integer adds, float *x, real m, s, by, integer n,
      hit, real scale, integer from, to; 0 <= from ==> to <= n ==> s > 0.0 ==>
      Mass(s,m) == Whole{L0}(x,n) ==> by == rdiv(1.0,s) ==>
      sloped{L0,L}(dx,adds,x,m,by,hit,scale,from,to) ==>
      graded_from{L0,L}(dx,adds,x,n,hit,scale,from,to); */

/* Piece p of a row of class hit, which adds up to all. */
/*@ requires block && row_split(cols,chunk,pieces) && 0 <= p < pieces;
    requires spread_io(x,dx,cols,cols,vec);
    requires sums_up(all,x,cols) && some(all.m,x,cols) && 1.0 <= all.s;
    assigns dx[0 .. cols-1];
    ensures refused == 0 ==> graded_from{Pre,Post}(dx,adds,x,cols,hit,scale,PieceAt(p,cols,chunk),
      PieceAt(p+1,cols,chunk));
    ensures refused != 0 ==> Same{Pre,Post}(dx,cols);
    ensures Same{Pre,Post}(dx,PieceAt(p,cols,chunk));
    ensures ungraded{Pre,Post}(dx,PieceAt(p+1,cols,chunk),cols); */
DEV void split_out_chunk(once_sum all, int refused, int adds, int vec, idx p, idx hit, idx cols,
                         idx chunk, int pieces, float scale, const float *RESTRICT x,
                         float *RESTRICT dx)
{
  row_piece w = chunk_of(p, cols, chunk, pieces);
  idx o = w.at, n = w.n;
  //@ assert fours: vec != 0 ==> o % 4 == 0 && n % 4 == 0;
  if (!refused) {
    float m = online_mass(all.s, all.m), by = 1.0f / all.s;
    //@ assert about: m == all.m && by == rdiv(1.0,all.s);
    //@ assert mass: Mass(all.s,m) == Whole{Pre}(x,cols);
    slope_put_all(adds, vec, o, n, hit, m, by, scale, x, dx GHOST_ARGS(cols));
    //@ assert before: Same{Pre,Here}(dx,o);
    //@ assert behind: ungraded{Pre,Here}(dx,o+n,cols);
    //@ assert put: sloped{Pre,Here}(dx,adds,x,m,by,hit,scale,o,o+n);
    //@ assert graded: graded_from{Pre,Here}(dx,adds,x,cols,hit,scale,o,o+n);
  }
}

/*@ predicate spread_tensors{L}(float *x, float *bad, integer flags, float *dx, float *tops,
                                float *sums, integer rows, integer cols, integer pieces,
                                integer vec) =
      writes(dx,ix(rows,cols,0)) && apart(x,ix(rows,cols,0),dx,ix(rows,cols,0)) &&
      apart(tops,ix(rows,pieces,0),dx,ix(rows,cols,0)) && flags_in(bad,flags) &&
      apart(sums,ix(rows,pieces,0),dx,ix(rows,cols,0)) && apart(bad,flags,dx,ix(rows,cols,0)) &&
      (vec != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(dx));
    predicate spread_parts{L}(float *part, float *x, float *bad, integer flags, float *dx,
                              float *tops, float *sums, integer rows, integer cols,
                              integer pieces) =
      part != \null ==> writes(part,rows) && apart(x,ix(rows,cols,0),part,rows) &&
        apart(dx,ix(rows,cols,0),part,rows) && apart(tops,ix(rows,pieces,0),part,rows) &&
        apart(sums,ix(rows,pieces,0),part,rows) && apart(bad,flags,part,rows);
    // of the losses what is left before row r, and of that row's before piece p
    predicate parts_left{L0,L}(float *part, float *x, idx *target, integer cols, integer n) =
      part != \null ==> all_left{L0,L}(part,x,target,cols,n);
    predicate part_from{L0,L}(float *part, float *x, idx *target, integer cols, integer r,
                              integer p) =
      part != \null && 0 < p ==>
        \at(part[r],L) == Left{L0}(x+ix(r,cols,0),cols,Target{L0}(target,r));
    predicate parts_same{L1,L2}(float *part, integer r) = part != \null ==> Same{L1,L2}(part,r);
    predicate part_first{L0,L}(float *part, float *x, idx *target, integer cols, integer r,
                               integer p) = part != \null ==> \at(part[r],L) ==
      (p == 0 ? Left{L0}(x+ix(r,cols,0),cols,Target{L0}(target,r)) : \at(part[r],L0));
    lemma parts_left_kept{L0,L1,L2}: \forall float *part, *x, idx *target, integer cols, n;
      parts_same{L1,L2}(part,n) ==> parts_left{L0,L1}(part,x,target,cols,n) ==>
      parts_left{L0,L2}(part,x,target,cols,n);
    lemma part_from_next{L0,L1,L2}: \forall float *part, *x, idx *target, integer cols, r, p, p1;
      p1 == p + 1 ==> 0 <= p ==> Same{L0,L1}(x+ix(r,cols,0),cols) ==> 0 < cols ==>
      Target{L0}(target,r) == Target{L1}(target,r) ==>
      part_from{L0,L1}(part,x,target,cols,r,p) ==> part_first{L1,L2}(part,x,target,cols,r,p) ==>
      part_from{L0,L2}(part,x,target,cols,r,p1); */

/* Row r leaves its loss with its first piece, where it is wanted. */
/*@ requires block && 0 <= r < rows && 0 < cols && ix(rows,cols,0) <= IDX_LIM && rows <= IDX_LIM;
    requires reads(x,ix(rows,cols,0)) && 0 <= p && \valid_read(target + (0 .. rows-1));
    requires sums_up(all,x+ix(r,cols,0),cols) && some(all.m,x+ix(r,cols,0),cols) && 1.0 <= all.s;
    requires spread_parts(part,x,bad,flags,dx,tops,sums,rows,cols,pieces);
    assigns part[r];
    ensures part_first{Pre,Post}(part,x,target,cols,r,p) && parts_same{Pre,Post}(part,r);
    ensures spread_same{Pre,Post}(x,tops,sums,ix(rows,cols,0),ix(rows,pieces,0));
    ensures Same{Pre,Post}(dx,ix(rows,cols,0)); */
DEV void first_nth(once_sum all, idx r, idx p, idx rows, idx cols, const float *RESTRICT x,
                   const idx *RESTRICT target,
                   float *part GHOST_PARAMS(int pieces, const float *dx, const float *tops,
                                            const float *sums, const float *bad, int flags))
{
  /*@ assert away_t: part != \null ==> \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(tops + k, part + r); */
  /*@ assert away_s: part != \null ==> \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(sums + k, part + r); */
  if (part && p == 0) {
    loss_nth(all, r, LDI(target + r), rows, cols, x, part);
    //@ assert same_x: Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert same_d: Same{Pre,Here}(dx,ix(rows,cols,0));
    //@ assert same_t: Same{Pre,Here}(tops,ix(rows,pieces,0));
    //@ assert same_s: Same{Pre,Here}(sums,ix(rows,pieces,0));
  }
}

/* Piece p of row r: its gradient. */
/*@ requires block && row_split(cols,chunk,pieces) && 0 <= p < pieces && 0 <= r < rows <= IDX_LIM;
    requires spread_io(x,dx,ix(rows,cols,0),cols,vec);
    requires apart(tops,ix(rows,pieces,0),dx,ix(rows,cols,0));
    requires apart(sums,ix(rows,pieces,0),dx,ix(rows,cols,0));
    requires part != \null ==> \valid_read(part + (0 .. rows-1)) && apart(dx,ix(rows,cols,0),part,
      rows);
    requires sums_up(all,x+ix(r,cols,0),cols) && some(all.m,x+ix(r,cols,0),cols) && 1.0 <= all.s;
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures piece_graded{Pre,Post}(dx,adds,x,refused,hit,scale,r,p,rows,cols,chunk);
    ensures spread_same{Pre,Post}(x,tops,sums,ix(rows,cols,0),ix(rows,pieces,0));
    ensures part != \null ==> Same{Pre,Post}(part,rows); */
DEV void split_out_nth(once_sum all, int refused, int adds, int vec, idx r, idx p, idx hit,
                       idx rows, idx cols, idx chunk, int pieces, float scale,
                       const float *RESTRICT x,
                       float *RESTRICT dx GHOST_PARAMS(const float *tops, const float *sums,
                                                       const float *part))
{
  idx o = at2(rows, cols, r, 0);
  //@ assert next: ix(r+1,cols,0) == o + cols && o + cols <= ix(rows,cols,0) && 0 <= o;
  //@ assert fours: vec != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
  //@ assert four: vec != 0 ==> o % 4 == 0;
  //@ assert perm_x: perm_r(x,ix(rows,cols,0)) && perm_r(x+o,cols);
  //@ assert perm_d: perm_r(dx,ix(rows,cols,0)) && perm_w(dx,ix(rows,cols,0));
  //@ assert perm_do: perm_r(dx+o,cols) && perm_w(dx+o,cols);
  //@ assert io: spread_io(x+o,dx+o,cols,cols,vec);
  //@ assert piece: 0 <= PieceAt(p,cols,chunk) <= PieceAt(p+1,cols,chunk) <= cols;
  /*@ assert away_x: \forall integer k; 0 <= k < ix(rows,cols,0) ==>
        \separated(x + k, dx + (o .. o+cols-1)); */
  /*@ assert away_t: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(tops + k, dx + (o .. o+cols-1)); */
  /*@ assert away_s: \forall integer k; 0 <= k < ix(rows,pieces,0) ==>
        \separated(sums + k, dx + (o .. o+cols-1)); */
  /*@ assert away_p: part != \null ==> \forall integer k; 0 <= k < rows ==>
        \separated(part + k, dx + (o .. o+cols-1)); */
  split_out_chunk(all, refused, adds, vec, p, hit, cols, chunk, pieces, scale, x + o, dx + o);
  //@ assert rows: Same{Pre,Here}(dx,o);
  //@ assert behind: ungraded{Pre,Here}(dx,ix(r+1,cols,0),ix(rows,cols,0));
  //@ assert kept: refused != 0 ==> Same{Pre,Here}(dx+o,cols);
}

/* Piece p of row r: its gradient, and the row's loss where it is due (first_nth). */
/*@ requires block && row_split(cols,chunk,pieces) && 0 <= p < pieces && 0 <= r < rows <= IDX_LIM;
    requires spread_io(x,dx,ix(rows,cols,0),cols,vec);
    requires \valid_read(target + (0 .. rows-1));
    requires apart(tops,ix(rows,pieces,0),dx,ix(rows,cols,0));
    requires apart(sums,ix(rows,pieces,0),dx,ix(rows,cols,0));
    requires sums_up(all,x+ix(r,cols,0),cols) && some(all.m,x+ix(r,cols,0),cols) && 1.0 <= all.s;
    requires spread_parts(part,x,bad,flags,dx,tops,sums,rows,cols,pieces);
    assigns part[r], dx[0 .. ix(rows,cols,0)-1];
    ensures piece_graded{Pre,Post}(dx,adds,x,refused,Target{Pre}(target,r),scale,r,p,rows,cols,
      chunk);
    ensures spread_same{Pre,Post}(x,tops,sums,ix(rows,cols,0),ix(rows,pieces,0));
    ensures part_first{Pre,Post}(part,x,target,cols,r,p) && parts_same{Pre,Post}(part,r); */
DEV void split_out_both(once_sum all, int refused, int adds, int vec, idx r, idx p, idx rows,
                        idx cols, idx chunk, int pieces, float scale, const float *RESTRICT x,
                        const idx *RESTRICT target, float *part,
                        float *RESTRICT dx GHOST_PARAMS(const float *tops, const float *sums,
                                                        const float *bad, int flags))
{
  //@ assert next: ix(r+1,cols,0) == ix(r,cols,0) + cols && ix(r+1,cols,0) <= ix(rows,cols,0);
  //@ assert from: 0 <= ix(r,cols,0);
  //@ assert piece: 0 <= PieceAt(p,cols,chunk) <= PieceAt(p+1,cols,chunk) <= cols;
  first_nth(all, r, p, rows, cols, x, target, part GHOST_ARGS(pieces, dx, tops, sums, bad, flags));
  //@ assert same_d: Same{Here,Pre}(dx,ix(rows,cols,0)) && Same{Here,Pre}(dx+ix(r,cols,0),cols);
  //@ assert same_x: Same{Here,Pre}(x,ix(rows,cols,0)) && Same{Here,Pre}(x+ix(r,cols,0),cols);
  //@ assert sums: sums_up(all,x+ix(r,cols,0),cols) && some(all.m,x+ix(r,cols,0),cols);
  //@ ghost L1: ;
  split_out_nth(all, refused, adds, vec, r, p, LDI(target + r), rows, cols, chunk, pieces, scale, x,
                dx GHOST_ARGS(tops, sums, part));
  //@ assert parts: part != \null ==> Same{L1,Here}(part,rows);
  /*@ assert graded: refused == 0 ==> graded_from{Pre,Here}(dx+ix(r,cols,0),adds,x+ix(r,cols,0),
    cols,
        Target{Pre}(target,r),scale,PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk)); */
  //@ assert kept_1: refused != 0 ==> Same{L1,Here}(dx+ix(r,cols,0),cols);
  //@ assert kept: refused != 0 ==> Same{Pre,Here}(dx+ix(r,cols,0),cols);
  //@ assert before: Same{Pre,Here}(dx,ix(r,cols,0));
  //@ assert row: Same{Pre,Here}(dx+ix(r,cols,0),PieceAt(p,cols,chunk));
  //@ assert rest: ungraded{Pre,Here}(dx+ix(r,cols,0),PieceAt(p+1,cols,chunk),cols);
  //@ assert behind: ungraded{Pre,Here}(dx,ix(r+1,cols,0),ix(rows,cols,0));
}

/* VEC: x and dx are 16-byte aligned and cols a multiple of 4. bad: what cross_entropy_targets
 * has left. */
/*@ requires block && row_split(cols,chunk,pieces) && ix(rows,pieces,0) <= BLOCKS;
    requires join_tensors(x,tops,sums,target,rows,cols,pieces);
    requires spread_tensors(x,bad,flags,dx,tops,sums,rows,cols,pieces,VEC);
    requires spread_parts(part,x,bad,flags,dx,tops,sums,rows,cols,pieces);
    requires \separated(target + (0 .. rows-1), dx + (0 .. ix(rows,cols,0)-1));
    requires part != \null ==> \separated(target + (0 .. rows-1), part + (0 .. rows-1));
    requires g != \null ==> \valid_read(g) && R(g) && \separated(g, dx + (0 .. ix(rows,cols,0)-1));
    requires part != \null && g != \null ==> \separated(g, part + (0 .. rows-1));
    requires all_pieces{Pre,Pre}(tops,sums,x,cols,chunk,pieces,rows);
    assigns part[0 .. rows-1], dx[0 .. ix(rows,cols,0)-1];
    ensures clear{Pre}(bad,flags) ==>
      graded_rows{Pre,Post}(adds,x,target,dx,LossScale{Pre}(g,each),cols,rows);
    ensures !clear{Pre}(bad,flags) ==> same_rows{Pre,Post}(dx,cols,rows);
    ensures parts_left{Pre,Post}(part,x,target,cols,rows); */
TEMPLATE(int VEC)
KERNEL void cross_entropy_grad_split_out(CONSTANTS(int VEC) idx rows, idx cols, idx chunk,
                                         int pieces, int flags, int adds, float each,
                                         const float *RESTRICT x, const idx *RESTRICT target,
                                         const float *bad, const float *RESTRICT g,
                                         const float *tops, const float *sums, float *RESTRICT part,
                                         float *RESTRICT dx)
{
  await_launches();
  int refused = targets_refused(flags, bad);
  float scale = loss_scale(each, g);
  /*@ loop invariant 0 <= r <= rows && parts_left{Pre,Here}(part,x,target,cols,r);
      loop invariant refused == 0 ==> graded_rows{Pre,Here}(adds,x,target,dx,scale,cols,r);
      loop invariant refused != 0 ==> same_rows{Pre,Here}(dx,cols,r);
      loop invariant spread_same{Pre,Here}(x,tops,sums,ix(rows,cols,0),ix(rows,pieces,0));
      loop invariant ungraded{Pre,Here}(dx,ix(r,cols,0),ix(rows,cols,0));
      loop assigns r, part[0 .. rows-1], dx[0 .. ix(rows,cols,0)-1];
      loop variant rows - r; */
  BROWS(r, rows, pieces) {
    //@ assert row: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
    //@ assert next: ix(r+1,cols,0) == ix(r,cols,0) + cols;
    //@ assert row_d: Same{Pre,Here}(dx+ix(r,cols,0),cols);
    /*@ loop invariant 0 <= p <= pieces && parts_left{Pre,Here}(part,x,target,cols,r);
        loop invariant part_from{Pre,Here}(part,x,target,cols,r,p);
        loop invariant refused == 0 ==> graded_rows{Pre,Here}(adds,x,target,dx,scale,cols,r);
        loop invariant refused == 0 ==> graded_from{Pre,Here}(dx+ix(r,cols,0),adds,x+ix(r,cols,0),
          cols,Target{Pre}(target,r),scale,0,PieceAt(p,cols,chunk));
        loop invariant refused != 0 ==> same_rows{Pre,Here}(dx,cols,r);
        loop invariant refused != 0 ==> Same{Pre,Here}(dx+ix(r,cols,0),cols);
        loop invariant spread_same{Pre,Here}(x,tops,sums,ix(rows,cols,0),ix(rows,pieces,0));
        loop invariant ungraded{Pre,Here}(dx+ix(r,cols,0),PieceAt(p,cols,chunk),cols);
        loop invariant ungraded{Pre,Here}(dx,ix(r+1,cols,0),ix(rows,cols,0));
        loop assigns p, part[0 .. rows-1], dx[0 .. ix(rows,cols,0)-1];
        loop variant pieces - p; */
    BCOLS(p, pieces) {
      //@ assert to: Same{Pre,Here}(x+ix(r,cols,0),cols);
      //@ assert cells: pieces_kept{Pre,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),pieces);
      /*@ assert left: row_pieces{Here,Here}(tops+ix(r,pieces,0),sums+ix(r,pieces,0),x+ix(r,cols,0),
            cols,chunk,pieces); */
      //@ assert least: least_in(x,ix(rows,cols,0));
      once_sum all = row_join(r, rows, pieces, tops, sums GHOST_ARGS(cols, chunk, x));
      //@ assert back: Same{Here,Pre}(x+ix(r,cols,0),cols);
      //@ assert sum: sums_up(all,x+ix(r,cols,0),cols) && some(all.m,x+ix(r,cols,0),cols);
      //@ assert piece: 0 <= PieceAt(p,cols,chunk) <= PieceAt(p+1,cols,chunk) <= cols;
      //@ assert rest: ungraded{Here,Pre}(dx+ix(r,cols,0),PieceAt(p,cols,chunk),cols);
      //@ ghost L0: ;
      split_out_both(all, refused, adds, VEC, r, p, rows, cols, chunk, pieces, scale, x, target,
                     part, dx GHOST_ARGS(tops, sums, bad, flags));
      //@ assert same: spread_same{L0,Here}(x,tops,sums,ix(rows,cols,0),ix(rows,pieces,0));
      //@ assert same_2: spread_same{Pre,Here}(x,tops,sums,ix(rows,cols,0),ix(rows,pieces,0));
      //@ assert losses: parts_left{Pre,Here}(part,x,target,cols,r);
      //@ assert first: part_first{L0,Here}(part,x,target,cols,r,p);
      //@ assert mine: part_from{Pre,Here}(part,x,target,cols,r,p+1);
      /*@ assert here: refused == 0 ==> graded_from{L0,Here}(dx+ix(r,cols,0),adds,
            x+ix(r,cols,0),cols,Target{Pre}(target,r),scale,PieceAt(p,cols,chunk),
            PieceAt(p+1,cols,chunk)); */
      /*@ assert new: refused == 0 ==> graded_from{Pre,Here}(dx+ix(r,cols,0),adds,x+ix(r,cols,0),
            cols,Target{Pre}(target,r),scale,PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk)); */
      /*@ assert old_row: refused == 0 ==> graded_from{Pre,Here}(dx+ix(r,cols,0),adds,
            x+ix(r,cols,0),cols,Target{Pre}(target,r),scale,0,PieceAt(p,cols,chunk)); */
      /*@ assert below: \forall integer q, c; 0 <= q < r ==> 0 <= c < cols ==>
            0 <= ix(q,cols,c) < ix(r,cols,0); */
      //@ assert rows: same_rows{L0,Here}(dx,cols,r);
      //@ assert old: refused == 0 ==> graded_rows{Pre,Here}(adds,x,target,dx,scale,cols,r);
    }
    //@ assert end: PieceAt(pieces,cols,chunk) == cols;
    /*@ assert all: refused == 0 ==> graded_row{Pre,Here}(dx+ix(r,cols,0),adds,x+ix(r,cols,0),cols,
          Target{Pre}(target,r),scale,cols); */
    //@ assert at: refused == 0 ==> graded_at{Pre,Here}(adds,x,target,dx,scale,cols,r);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "launch.h"

template <int VEC>
static void launch_split_out(void *stream, int64_t rows, int64_t cols, const float *x,
                             const float *work, const loss_call *call)
{
  idx n = rows * split_chunks(rows, cols);
  LAUNCH_AFTER((cross_entropy_grad_split_out<VEC>), n, SPLIT_BLOCK, stream, rows, cols,
               split_chunk(rows, cols), (int)split_chunks(rows, cols), call->flags.n,
               call->accumulate, call->each, x, call->target, call->flags.bad, call->g, work,
               work + n, call->part, call->dx);
}

extern "C" void LAUNCHER(cross_entropy_split)(void *stream, int vec, int64_t rows, int64_t cols,
                                              const float *x, float *work, const loss_call *call)
{
  idx n = rows * split_chunks(rows, cols);
  LAUNCHER(lse_split_chunks)(stream, vec, rows, cols, x, work);
  if (!call->dx)
    LAUNCH_AFTER((cross_entropy_split_out), rows, SPLIT_BLOCK, stream, rows, cols,
                 (int)split_chunks(rows, cols), x, call->target, (const float *)work,
                 (const float *)work + n, call->part);
  else if (vec)
    launch_split_out<1>(stream, rows, cols, x, work, call);
  else
    launch_split_out<0>(stream, rows, cols, x, work, call);
}
#endif
