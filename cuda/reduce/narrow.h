/* Warp tile over a narrow axis: sums, means and maxima of x, (outer, n, inner), over its middle
 * axis, where inner is below 32: one level, where a warp has a chunk of a line of rows. Its lanes
 * are teams of one lane a column; team j takes every teams-th row from the j-th on. */
#ifndef PM_REDUCE_NARROW_H
#define PM_REDUCE_NARROW_H
#include "narrow_spec.h"
#include "../lang/shuffle_down.h"

/*@ // i of a team's elements of a column, from number j on
    predicate col_loaded{L0,L}(float *v, float *x, integer at, integer pitch, integer j,
                               integer teams, integer end, integer i) =
      \forall integer q; 0 <= q < i ==> j+ix(q,teams,0) < end ==>
        \at(v[q],L) == \at(x[ix(j+ix(q,teams,0),pitch,at)],L0);
    // the join of a team's elements of those below j
    predicate col_own{L0}(integer which, real s, float *x, integer at, integer pitch, integer lo,
                          integer team, integer teams, integer j) =
      s == Own{L0}(which,x,at,0,lo,pitch,team,teams,j-lo); */

/* A round as of rows_load.h, down a column: elements are `pitch` apart. */
/*@ requires reads(x,size) && within(pitch,at,j,end,size) && 0 <= j < end && 0 < teams <= 32;
    requires full != 0 ==> j + (ROWS_DEPTH-1)*teams < end;
    requires 0 <= lo <= j && at_own(j-lo,team,teams);
    requires col_own(which,s,x,at,pitch,lo,team,teams,j);
    assigns \nothing;
    ensures col_own{Pre}(which,\result,x,at,pitch,lo,team,teams,lesser(j+8*teams,end));
    ensures at_own(j+8*teams-lo,team,teams); */
DEV float narrow_round(int which, int full, float s, idx at, idx pitch, idx j, int teams, idx end,
                       const float *RESTRICT x GHOST_PARAMS(idx size, idx lo, int team))
{
  float v[ROWS_DEPTH];
  /*@ loop invariant 0 <= i <= ROWS_DEPTH;
      loop invariant col_loaded{Pre,Here}(&v[0],x,at,pitch,j,teams,end,i);
      loop assigns i, v[0 .. ROWS_DEPTH-1];
      loop variant ROWS_DEPTH - i; */
  UNROLL
  for (int i = 0; i < ROWS_DEPTH; i++) {
    idx k = j + rows_turn(i, teams);
    k = full || k < end ? k : j;
    //@ assert j <= k < end;
    //@ assert 0 <= ix(k,pitch,at) < size;
    v[i] = LDG(x + axis_at(at, k, pitch));
  }
  //@ assert ix(0,teams,0) == 0 && lesser(j+ix(0,teams,0),end) == j;
  /*@ loop invariant 0 <= i <= ROWS_DEPTH && at_own(j-lo+ix(i,teams,0),team,teams);
      loop invariant col_own{Pre}(which,s,x,at,pitch,lo,team,teams,
                                  lesser(j+ix(i,teams,0),end));
      loop assigns i, s;
      loop variant ROWS_DEPTH - i; */
  UNROLL
  for (int i = 0; i < ROWS_DEPTH; i++) {
    //@ assert span: ix(7,teams,0) == 7*teams && 0 <= ix(i,teams,0) <= ix(7,teams,0);
    //@ assert turn: turn_on(j-lo+ix(i,teams,0),j-lo+ix(i+1,teams,0),teams);
    //@ assert next: at_own(j-lo+ix(i+1,teams,0),team,teams);
    if (full || j + rows_turn(i, teams) < end) {
      //@ assert item: v[i] == Item{Pre}(which,x,at,0,lo,pitch,j-lo+ix(i,teams,0));
      /*@ assert below: own_below(j-lo+ix(i,teams,0),lesser(j+ix(i+1,teams,0),end)-lo,team,
                                  teams); */
      //@ assert at: lesser(j+ix(i,teams,0),end)-lo == j-lo+ix(i,teams,0);
      //@ assert had: s == Own{Pre}(which,x,at,0,lo,pitch,team,teams,j-lo+ix(i,teams,0));
      s = axis_join(which, s, v[i]);
      /*@ assert has: s ==
            Own{Pre}(which,x,at,0,lo,pitch,team,teams,lesser(j+ix(i+1,teams,0),end)-lo); */
      //@ assert col_own{Pre}(which,s,x,at,pitch,lo,team,teams,lesser(j+ix(i+1,teams,0),end));
    }
  }
  //@ assert ix(8,teams,0) == 8*teams;
  return s;
}

/* Of elements lo .. end-1 every teams-th, from the team's own on. */
/*@ requires reads(x,size) && within(pitch,at,lo,end,size) && 0 <= team < teams <= 32;
    requires 0 <= lo <= end;
    assigns \nothing;
    ensures col_own{Pre}(which,\result,x,at,pitch,lo,team,teams,end); */
DEV float narrow_along(int which, idx at, idx pitch, idx lo, idx end, int team, int teams,
                       const float *RESTRICT x GHOST_PARAMS(idx size))
{
  float s = axis_begin(which);
  idx j = lo + team;
  /*@ loop invariant lo <= j <= end + ROWS_DEPTH*teams && at_own(j-lo,team,teams);
      loop invariant col_own{Pre}(which,s,x,at,pitch,lo,team,teams,lesser(j,end));
      loop assigns j, s;
      loop variant end - j; */
  for (; j + (ROWS_DEPTH - 1) * teams < end; j += ROWS_DEPTH * teams) {
    //@ assert within(pitch,at,j,end,size);
    s = narrow_round(which, 1, s, at, pitch, j, teams, end, x GHOST_ARGS(size, lo, team));
  }
  if (j < end) {
    //@ assert within(pitch,at,j,end,size);
    s = narrow_round(which, 0, s, at, pitch, j, teams, end, x GHOST_ARGS(size, lo, team));
  }
  return s;
}

/* How many teams a warp has; and how many lanes m teams are. */
/*@ requires 0 < w < 32;
    assigns \nothing;
    ensures \result == quo(32,w) && 0 < \result <= 32; */
DEV int narrow_teams(int w)
{
  //@ assert 32 / w == quo(32,w);
  return 32 / w;
}

/*@ requires 0 < w < 32 && 0 < m < quo(32,w);
    assigns \nothing;
    ensures \result == ix(m,w,0) && 0 < \result < 32; */
DEV int narrow_wide(int m, int w)
{
  //@ assert ix(quo(32,w),w,rem(32,w)) == 32 && 0 <= rem(32,w);
  //@ assert ix(m,w,0) < ix(quo(32,w),w,0) <= 32;
  //@ assert m * w == ix(m,w,0) && m <= ix(m,w,0);
  return m * w;
}

/* What a team has of chunk k, in its column. */
/*@ requires level(outer,n,inner,chunk,chunks) && reads(x,ix(ix(outer,n,0),inner,0));
    requires 0 <= k < ix(outer,chunks,0) && 0 <= column < inner && 0 <= team < teams <= 32;
    assigns \nothing;
    ensures \result ==
      TeamPart{Pre}(which,x,n,inner,chunk,chunks,k,column,team,teams); */
DEV float narrow_chunk(int which, idx k, int column, int team, int teams, idx n, idx inner,
                       idx chunk, idx chunks, const float *RESTRICT x GHOST_PARAMS(idx outer))
{
  idx o = axis_line(k, chunks), lo = axis_chunk(k, o, chunks, chunk);
  idx end = lo + chunk < n ? lo + chunk : n;
  //@ assert 0 <= o < outer && 0 <= lo <= end <= n;
  idx at = axis_at(column, ix_times(o, n), inner);
  //@ assert line: within(inner,at,lo,end,ix(ix(outer,n,0),inner,0));
  return narrow_along(which, at, inner, lo, end, team, teams,
                      x GHOST_ARGS(ix_times(ix_times(outer, n), inner)));
}

/* What thread t of block b has. */
/*@ requires narrow_ok(b,inner) && level(outer,n,inner,chunk,chunks) && 0 <= t < BDIM;
    requires reads(x,ix(ix(outer,n,0),inner,0)) && count == ix(outer,chunks,0);
    assigns \nothing;
    ensures \result == TeamTaken{Pre}(which,x,quo(ix(b,bdim_,0),32),t,inner,n,chunk,chunks,count);
      */
DEV float narrow_one(int which, idx b, int t, idx n, idx inner, idx chunk, idx chunks, idx count,
                     const float *RESTRICT x GHOST_PARAMS(idx outer))
{
  int w = (int)inner, teams = narrow_teams(w);
  narrow_lane p = narrow_find(b, t, w);
  if (p.k < count && p.team < teams)
    return narrow_chunk(which, p.k, p.column, p.team, teams, n, inner, chunk, chunks,
                        x GHOST_ARGS(outer));
  return axis_begin(which);
}

/*@ requires narrow_ok(b,inner) && level(outer,n,inner,chunk,chunks);
    requires reads(x,ix(ix(outer,n,0),inner,0));
    requires count == ix(outer,chunks,0) && \valid(s + (0 .. BDIM-1));
    requires \separated(s + (0 .. BDIM-1), x + (0 .. ix(ix(outer,n,0),inner,0)-1));
    assigns s[0 .. BDIM-1];
    ensures team_taken{Pre,Post}(which,s,x,quo(ix(b,bdim_,0),32),inner,n,chunk,chunks,count,BDIM);
      */
DEV void narrow_take(PER_THREAD(float, s), int which, idx b, idx n, idx inner, idx chunk,
                     idx chunks, idx count, const float *RESTRICT x GHOST_PARAMS(idx outer))
{
  /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(x,ix(ix(outer,n,0),inner,0));
      loop invariant team_taken{Pre,Here}(which,s,x,quo(ix(b,bdim_,0),32),inner,n,chunk,chunks,
                                          count,t);
      loop assigns t, s[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    float one = narrow_one(which, b, t, n, inner, chunk, chunks, count, x GHOST_ARGS(outer));
    /*@ assert one: one ==
          TeamTaken{Pre}(which,x,quo(ix(b,bdim_,0),32),t,inner,n,chunk,chunks,count); */
    //@ assert apart: \separated(s + t, x + (0 .. ix(ix(outer,n,0),inner,0)-1));
    AT(s, t) = one;
    //@ assert Same{LoopCurrent,Here}(x,ix(ix(outer,n,0),inner,0));
    /*@ assert now: s[t] ==
          TeamTaken{Pre}(which,x,quo(ix(b,bdim_,0),32),t,inner,n,chunk,chunks,count); */
    /*@ assert old: team_taken{Pre,Here}(which,s,x,quo(ix(b,bdim_,0),32),inner,n,chunk,chunks,
                                         count,t); */
  }
}

/* s of lane t of a (2*m)-th team becomes its join with s of the m-th team behind, where there is
 * one; d is what SHFL_DOWN brought. */
/*@ requires narrow_ok(b,w) && 0 <= t < BDIM && half(m) && m < quo(32,w);
    assigns \nothing;
    ensures \result == (rem(quo(rem(t,32),w),2*m) == 0 && m < teams_from(t,w) ? Join(which,s,
      d) : s);
*/
DEV float down_one(int which, idx b, int t, int m, int w, float s, float d)
{
  int team = narrow_find(b, t, w).team;
  //@ assert team % (2*m) == rem(team,2*m);
  return team % (2 * m) == 0 && team + m < narrow_teams(w) ? axis_join(which, s, d) : s;
}

/*@ // what SHFL_DOWN brings from the m-th team behind
    predicate brought{L0,L}(float *d, float *s, integer n, integer w, integer m) =
      \forall integer l; 0 <= l < n ==> m < teams_from(l,w) ==>
        \at(d[l],L) == \at(s[ix(m,w,l)],L0);
    lemma brought_from: \forall integer l, w, m; 0 <= l ==> 0 < w < 32 ==>
      0 <= m < teams_from(l,w) ==> 0 <= ix(m,w,rem(l,32)) < 32 &&
      l % 32 + ix(m,w,0) < 32 && ix(m,w,l) == l + ix(m,w,0);
    predicate reaches(integer n, integer w, integer m, integer wide) =
      \forall integer l; 0 <= l < n ==> m < teams_from(l,w) ==>
        l % 32 + wide < 32 && ix(m,w,l) == l + wide;
    lemma all_reach: \forall integer n, w, m; 0 < w < 32 ==> 0 <= m ==>
      reaches(n,w,m,ix(m,w,0)); */
/*@ requires narrow_ok(b,w) && half(m) && m < quo(32,w) && \valid(s + (0 .. BDIM-1));
    assigns s[0 .. BDIM-1];
    ensures teams_step{Pre,Post}(which,s,BDIM,w,m); */
DEV void down_join(PER_THREAD(float, s), int which, idx b, int m, int w)
{
  PRIVATE(float, d);
  int wide = narrow_wide(m, w);
  //@ assert reaches(BDIM,w,m,wide);
  SHFL_DOWN(d, s, wide);
  //@ assert brought{Pre,Here}(&d[0],s,BDIM,w,m);
  /*@ loop invariant 0 <= t <= BDIM && brought{Pre,Here}(&d[0],s,BDIM,w,m);
      loop invariant \forall integer l; 0 <= l < t ==> steps{Pre,Here}(which,s,l,w,m);
      loop invariant \forall integer l; t <= l < BDIM ==> s[l] == \at(s[l],Pre);
      loop assigns t, s[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(s, t) = down_one(which, b, t, m, w, AT(s, t), AT(d, t));
    //@ assert steps{Pre,Here}(which,s,t,w,m);
  }
}

/* Every column's first lane has the join of its teams. */
/*@ requires narrow_ok(b,w) && \valid(s + (0 .. BDIM-1)) && lows(which,s,BDIM);
    assigns s[0 .. BDIM-1];
    ensures teams_joined{Pre,Post}(which,s,BDIM,w,32); */
DEV void narrow_join(PER_THREAD(float, s), int which, idx b, int w)
{
  int teams = narrow_teams(w);
  /*@ loop invariant (half(m) || m == 32) && teams_joined{Pre,Here}(which,s,BDIM,w,m);
      loop assigns m, s[0 .. BDIM-1];
      loop variant teams - m; */
  for (int m = 1; m < teams; m *= 2) {
    down_join(s, which, b, m, w);
    //@ assert teams_joined{Pre,Here}(which,s,BDIM,w,2*m);
  }
}

/* The rows that warps of block b have. */
/*@ requires narrow_ok(b,inner) && level(outer,n,inner,chunk,chunks);
    requires level_io(outer,n,inner,chunks,x,out) && count == ix(outer,chunks,0);
    assigns out[0 .. ix(ix(outer,chunks,0),inner,0)-1];
    ensures kept{Pre,Post}(out,inner,quo(ix(b,bdim_,0),32),0);
    ensures block_left{Pre,Post}(which,all,x,out,n,inner,chunk,chunks,quo(ix(b,bdim_,0),32),
                                 quo(ix(b+1,bdim_,0),32),count); */
DEV void narrow_block(int which, idx b, idx n, idx inner, idx chunk, idx chunks, idx count, idx all,
                      const float *RESTRICT x, float *RESTRICT out GHOST_PARAMS(idx outer))
{
  PRIVATE(float, s);
  narrow_take(s, which, b, n, inner, chunk, chunks, count, x GHOST_ARGS(outer));
  //@ assert lows(which,&s[0],BDIM);
  //@ assert 0 <= quo(ix(b,bdim_,0),32) && quo(32,inner) <= 32;
  //@ ghost Taken: ;
  //@ assert (int)inner == inner;
  narrow_join(s, which, b, (int)inner);
  //@ assert teams_joined{Taken,Here}(which,&s[0],BDIM,inner,32);
  /*@ assert taken: team_taken{Pre,Taken}(which,&s[0],x,quo(ix(b,bdim_,0),32),inner,n,chunk,
                                          chunks,count,BDIM); */
  /*@ assert left: lanes_left{Pre,Here}(which,all,&s[0],x,n,inner,chunk,chunks,quo(ix(b,bdim_,0),
    32),
                                        count,BDIM); */
  //@ assert kept{Pre,Here}(out,inner,quo(ix(b,bdim_,0),32),0);
  narrow_leave(s, which, b, inner, count, all, out);
  //@ assert turn_on(b,b+1,1);
  //@ assert to: quo(ix(b+1,bdim_,0),32) == quo(ix(b,bdim_,0),32)+quo(bdim_,32);
}

/* all: of what the line's join is the last level, or -1. */
/*@ requires level(outer,n,inner,chunk,chunks) && inner < 32 && 0 <= blocks <= 0x7fffffff && block;
    requires level_io(outer,n,inner,chunks,x,out) && ix(blocks,1,0) <= BLOCKS;
    requires ix(ix(outer,chunks,0),32,0) <= ix(blocks,BDIM,0);
    assigns out[0 .. ix(ix(outer,chunks,0),inner,0)-1];
    ensures left_rows{Pre,Post}(WHICH,all,x,out,n,inner,chunk,chunks,ix(outer,chunks,0));
    ensures chunks == 1 && known{Pre}(WHICH,x,n,ix(ix(outer,n,0),inner,0)) ==>
      axis_lines{Pre,Post}(WHICH,all,x,out,outer,n,inner); */
TEMPLATE(int WHICH)
KERNEL void reduce_narrow(CONSTANTS(int WHICH) idx blocks, idx outer, idx n, idx inner, idx chunk,
                          idx chunks, idx all, const float *RESTRICT x, float *RESTRICT out)
{
  await_launches();
  idx count = ix_times(outer, chunks);
  //@ assert ix(0,bdim_,0) == 0 && quo(0,32) == 0;
  /*@ loop invariant 0 <= b <= blocks && Same{Pre,Here}(x,ix(ix(outer,n,0),inner,0));
      loop invariant block_left{Pre,Here}(WHICH,all,x,out,n,inner,chunk,chunks,0,
                                          quo(ix(b,bdim_,0),32),count);
      loop assigns b, out[0 .. ix(ix(outer,chunks,0),inner,0)-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    narrow_block(WHICH, b, n, inner, chunk, chunks, count, all, x, out GHOST_ARGS(outer));
    //@ assert Same{LoopCurrent,Here}(x,ix(ix(outer,n,0),inner,0));
  }
  //@ assert all: count <= quo(ix(blocks,bdim_,0),32);
}
#endif
