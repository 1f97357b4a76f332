/* Column reduction of tall matrices by vectors: sums, means and maxima of x, (outer, n, inner),
 * over its middle axis: one level, where a block has up to 4*lanes columns of a chunk. Its
 * threads are `teams` teams of `lanes`, a lane of which has four columns: a team takes every
 * teams-th row, and then the first joins what all have. */
#ifndef PM_REDUCE_TALL_H
#define PM_REDUCE_TALL_H
#include "cols.h"
#include "../lang/shared_vec4.h"

/*@ // the join of so many rows, from row `from` on, every teams-th
    logic real Turns{L}(integer which, float *x, integer pitch, integer at, integer from,
                        integer teams, integer turns) =
      turns <= 0 ? Begin(which)
                 : Join(which, Turns{L}(which,x,pitch,at,from,teams,turns-1),
                        x[ix(from + ix(turns-1,teams,0),pitch,at)]);
    // of len rows dealt to teams, those that team q gets; and their join
    logic integer turns_of(integer len, integer teams, integer q) =
      quo(len,teams) + (q < rem(len,teams) ? 1 : 0);
    logic real TeamPart{L}(integer which, float *x, integer pitch, integer at, integer lo,
                           integer len, integer teams, integer q) =
      Turns{L}(which,x,pitch,at,lo+q,teams,turns_of(len,teams,q));
    // the join of what the first m teams have
    logic real Teams{L}(integer which, float *x, integer pitch, integer at, integer lo, integer len,
                        integer teams, integer m) =
      m <= 0 ? Begin(which)
             : Join(which, Teams{L}(which,x,pitch,at,lo,len,teams,m-1),
                    TeamPart{L}(which,x,pitch,at,lo,len,teams,m-1));
    lemma turns_more: \forall integer len, teams, q; 0 <= len ==> 0 <= q < teams ==>
      turns_of(len+1,teams,q) == turns_of(len,teams,q) + (q == rem(len,teams) ? 1 : 0);
    lemma turns_last: \forall integer len, teams; 0 <= len ==> 0 < teams ==>
      rem(len,teams) + ix(turns_of(len,teams,rem(len,teams)),teams,0) == len;
    lemma turns_none: \forall integer teams, q; 0 <= q < teams ==> turns_of(0,teams,q) == 0;
    // a team's turns are over when its next row is behind the last
    lemma turns_over: \forall integer len, teams, q, r; 0 <= len ==> 0 <= q < teams ==> 0 <= r ==>
      len <= ix(r,teams,q) ==> (0 < r ==> ix(r-1,teams,q) < len) ==> r == turns_of(len,teams,q);
    lemma turns_in: \forall integer len, teams, q, i; 0 <= len ==> 0 <= q < teams ==>
      0 <= i < turns_of(len,teams,q) ==> 0 <= ix(i,teams,q) < len;
    lemma begin_join: \forall integer which;
      Join(which,Begin(which),Begin(which)) == Begin(which);
    lemma team_none{L}: \forall integer which, float *x, integer pitch, at, lo, teams, q;
      0 <= q < teams ==> TeamPart(which,x,pitch,at,lo,0,teams,q) == Begin(which);
    lemma teams_none{L}: \forall integer m, which, float *x, integer pitch, at, lo, teams;
      0 <= m ==> m <= teams ==> Teams(which,x,pitch,at,lo,0,teams,m) == Begin(which);
    lemma team_more{L}: \forall integer which, float *x, integer pitch, at, lo, len, teams, q;
      0 <= len ==> 0 <= q < teams ==>
      TeamPart(which,x,pitch,at,lo,len+1,teams,q) ==
        (q == rem(len,teams) ? Join(which, TeamPart(which,x,pitch,at,lo,len,teams,q),
                                    x[ix(lo+len,pitch,at)])
                             : TeamPart(which,x,pitch,at,lo,len,teams,q));
    lemma join_swap: \forall integer which, real a, b, c;
      Join(which,Join(which,a,b),c) == Join(which,Join(which,a,c),b);
    lemma join_along: \forall integer which, real a, b, c;
      Join(which,a,Join(which,b,c)) == Join(which,Join(which,a,b),c);
    // one row more is one more to the teams up to the one that it is dealt to
    predicate one_more{L}(integer which, float *x, integer pitch, integer at, integer lo,
                          integer len, integer teams, integer m) =
      Teams{L}(which,x,pitch,at,lo,len+1,teams,m) ==
        (rem(len,teams) < m ? Join(which, Teams{L}(which,x,pitch,at,lo,len,teams,m),
                                   x[ix(lo+len,pitch,at)])
                            : Teams{L}(which,x,pitch,at,lo,len,teams,m));
    lemma one_more_next{L}: \forall integer which, float *x, integer pitch, at, lo, len, teams, m,
      after; 0 <= m < teams ==> 0 <= len ==> after == m+1 ==>
      one_more(which,x,pitch,at,lo,len,teams,m) ==> one_more(which,x,pitch,at,lo,len,teams,after);
    lemma teams_more{L}: \forall integer m, which, float *x, integer pitch, at, lo, len, teams;
      0 <= m ==> 0 <= len ==> m <= teams ==> 0 < teams ==>
      one_more(which,x,pitch,at,lo,len,teams,m);
    // all teams have all rows
    lemma teams_all{L}: \forall integer len, which, float *x, integer pitch, at, lo, teams;
      0 <= len ==> 0 < teams ==>
      Teams(which,x,pitch,at,lo,len,teams,teams) == Part(which,x,pitch,at,lo,lo+len);
    lemma teams_part{L}: \forall integer which, float *x, integer pitch, at, lo, hi, teams;
      lo <= hi ==> 0 < teams ==>
      Teams(which,x,pitch,at,lo,hi-lo,teams,teams) == Part(which,x,pitch,at,lo,hi);
    lemma turns_frame{L1,L2}: \forall integer r, which, float *x, integer pitch, at, lo, hi, size,
      from, teams; 0 <= r ==> within(pitch,at,lo,hi,size) ==> Same{L1,L2}(x,size) ==>
      lo <= from ==> 0 < teams ==> (0 < r ==> from + ix(r-1,teams,0) < hi) ==>
      Turns{L1}(which,x,pitch,at,from,teams,r) == Turns{L2}(which,x,pitch,at,from,teams,r);
    lemma team_frame{L1,L2}: \forall integer which, float *x, integer pitch, at, lo, hi, size,
      teams, q; within(pitch,at,lo,hi,size) ==> Same{L1,L2}(x,size) ==> 0 <= q < teams ==>
      TeamPart{L1}(which,x,pitch,at,lo,hi-lo,teams,q) ==
      TeamPart{L2}(which,x,pitch,at,lo,hi-lo,teams,q);
    // columns from .. to-1 of row q of share, (teams, width), are what team q has of the columns
    // from column `at` of x on
    predicate taken{L0,L}(float *share, integer width, integer which, float *x, integer pitch,
                          integer at, integer lo, integer hi, integer teams, integer q,
                          integer from, integer to) =
      \forall integer c; from <= c < to ==> \at(share[ix(q,width,c)],L) ==
        TeamPart{L0}(which,x,pitch,at+c,lo,hi-lo,teams,q);
    predicate taken_rows{L0,L}(float *share, integer width, integer which, float *x, integer pitch,
                               integer at, integer lo, integer hi, integer teams, integer m,
                               integer to) =
      \forall integer q, c; 0 <= q < m ==> 0 <= c < to ==> \at(share[ix(q,width,c)],L) ==
        TeamPart{L0}(which,x,pitch,at+c,lo,hi-lo,teams,q);
    lemma taken_kept{L0,L1,L2}: \forall float *share, integer width, which, float *x, integer pitch,
      at, lo, hi, teams, q, to, end; 0 <= q ==> 0 <= width ==> ix(q,width,to) <= end ==>
      Same{L1,L2}(share,end) ==>
      taken{L0,L1}(share,width,which,x,pitch,at,lo,hi,teams,q,0,to) ==>
      taken{L0,L2}(share,width,which,x,pitch,at,lo,hi,teams,q,0,to);
    lemma rows_kept{L0,L1,L2}: \forall float *share, integer width, which, float *x, integer pitch,
      at, lo, hi, teams, m, to, end; 0 <= to <= width ==> ix(m,width,0) <= end ==>
      Same{L1,L2}(share,end) ==>
      taken_rows{L0,L1}(share,width,which,x,pitch,at,lo,hi,teams,m,to) ==>
      taken_rows{L0,L2}(share,width,which,x,pitch,at,lo,hi,teams,m,to);
    lemma taken_next{L0,L}: \forall float *share, integer width, which, float *x, integer pitch, at,
      lo, hi, teams, m, to, after; after == m+1 ==>
      taken_rows{L0,L}(share,width,which,x,pitch,at,lo,hi,teams,m,to) ==>
      taken{L0,L}(share,width,which,x,pitch,at,lo,hi,teams,m,0,to) ==>
      taken_rows{L0,L}(share,width,which,x,pitch,at,lo,hi,teams,after,to);
    lemma taken_step{L0,L}: \forall float *share, integer width, which, float *x, integer pitch, at,
      lo, hi, teams, q, from, c, to; to == c+1 ==>
      \at(share[ix(q,width,c)],L) == TeamPart{L0}(which,x,pitch,at+c,lo,hi-lo,teams,q) ==>
      taken{L0,L}(share,width,which,x,pitch,at,lo,hi,teams,q,from,c) ==>
      taken{L0,L}(share,width,which,x,pitch,at,lo,hi,teams,q,from,to);
    // column c of share, of that width, is what the teams have of column `at` of x
    predicate held{L0,L}(float *share, integer width, integer c, integer which, float *x,
                         integer pitch, integer at, integer lo, integer hi, integer teams) =
      \forall integer q; 0 <= q < teams ==> \at(share[ix(q,width,c)],L) ==
        TeamPart{L0}(which,x,pitch,at,lo,hi-lo,teams,q);
    lemma held_taken{L0,L}: \forall float *share, integer width, which, float *x, integer pitch, at,
      lo, hi, teams, c, to; 0 <= c < to ==>
      taken_rows{L0,L}(share,width,which,x,pitch,at,lo,hi,teams,teams,to) ==>
      held{L0,L}(share,width,c,which,x,pitch,at+c,lo,hi,teams);
    lemma held_teams{L0,L}: \forall integer m, float *share, integer width, c, which, float *x,
      integer pitch, at, lo, hi, teams; 0 <= m ==> m <= teams ==>
      held{L0,L}(share,width,c,which,x,pitch,at,lo,hi,teams) ==>
      Part{L}(which,share,width,c,0,m) == Teams{L0}(which,x,pitch,at,lo,hi-lo,teams,m);
    lemma held_joins{L0,L}: \forall float *share, integer width, c, which, float *x,
      integer pitch, at, lo, hi, teams; 0 < teams ==> lo <= hi ==>
      held{L0,L}(share,width,c,which,x,pitch,at,lo,hi,teams) ==>
      Part{L}(which,share,width,c,0,teams) == Part{L0}(which,x,pitch,at,lo,hi);
    // so what its rows join to are the joins of x
    lemma share_joins{L0,L}: \forall float *share, integer width, which, float *x, integer pitch,
      at, lo, hi, teams, c, to; 0 < teams ==> lo <= hi ==> 0 <= c < to ==>
      taken_rows{L0,L}(share,width,which,x,pitch,at,lo,hi,teams,teams,to) ==>
      held{L0,L}(share,width,c,which,x,pitch,at+c,lo,hi,teams) &&
      Part{L}(which,share,width,c,0,teams) == Part{L0}(which,x,pitch,at+c,lo,hi);
    // columns from .. to-1 of row k of out, (.., inner), are what the rows of share, whose column 0
    // is their column `first`, join to; and that is what rows lo .. hi-1 of x do, of a line that
    // begins at row m
    predicate drained{L0,L}(float *out, float *share, integer width, integer which, integer all,
                            integer teams, integer k, integer inner, integer first, integer from,
                            integer to) =
      \forall integer c; from <= c < to ==> \at(out[ix(k,inner,c)],L) ==
        Last(which, all, Part{L0}(which,share,width,c-first,0,teams));
    predicate joined{L0,L}(float *share, integer width, integer which, float *x, integer inner,
                           integer m, integer lo, integer hi, integer teams, integer first,
                           integer to) =
      \forall integer c; first <= c < to ==> Part{L}(which,share,width,c-first,0,teams) ==
        Part{L0}(which,x,inner,ix(m,inner,c),lo,hi);
    lemma drained_step{L0,L}: \forall float *out, *share, integer width, which, all, teams, k,
      inner, first, from, c, to; to == c+1 ==> \at(out[ix(k,inner,c)],L) ==
        Last(which,all,Part{L0}(which,share,width,c-first,0,teams)) ==>
      drained{L0,L}(out,share,width,which,all,teams,k,inner,first,from,c) ==>
      drained{L0,L}(out,share,width,which,all,teams,k,inner,first,from,to);
    lemma drained_row{L0,L1,L}: \forall float *out, *share, integer width, which, all, teams,
      float *x, integer n, inner, chunk, chunks, k, m, lo, hi, first, to;
      m == ix(quo(k,chunks),n,0) ==> lo == ix(rem(k,chunks),chunk,0) ==>
      hi == lesser(lo+chunk,n) ==>
      joined{L0,L1}(share,width,which,x,inner,m,lo,hi,teams,first,to) ==>
      drained{L1,L}(out,share,width,which,all,teams,k,inner,first,first,to) ==>
      left_row{L0,L}(which,all,x,out,n,inner,chunk,chunks,k,first,to);
    // vectors v .. v+count-1 of line o, which are those from `at` on of its row 0
    predicate line_at(integer outer, integer n, integer width, integer o, integer v, integer count,
                      integer at) =
      0 <= o < outer && 0 <= v && v+count <= width <= IDX_LIM &&
      ix(ix(outer,n,0),width,0) <= IDX_LIM && at == ix(ix(o,n,0),width,v);
    lemma line_lanes: \forall integer outer, n, width, o, v, count, at, lo, hi, u;
      line_at(outer,n,width,o,v,count,at) ==> 0 <= lo <= hi <= n ==> n <= IDX_LIM ==>
      at <= u < at+count ==> u == ix(ix(o,n,0),width,v+(u-at)) &&
      within(width,u,lo,hi,ix(ix(outer,n,0),width,0));
    lemma row_fits: \forall integer k, m, width, v; 0 <= k < m ==> 0 <= v <= width ==>
      0 <= ix(k,width,v) <= ix(m,width,0) + v - width;
    // where a block's share is
    predicate share_ok{L}(float *share, integer teams, integer lanes) =
      0 < teams <= MAXB && 0 < lanes <= MAXB && ix(teams,lanes,0) == bdim_ && block &&
      \valid(share + (0 .. 4*MAXB-1)) && aligned16(share);
    // what a block of `count` vectors writes of row k of out, (.., 4*width), from 4*v on
    predicate tall_W(integer k, integer v, integer count, integer width, integer e) =
      4*ix(k,width,v) <= e < 4*ix(k,width,v) + 4*count;
    lemma race_tall: \forall integer k, g, m, l, h, i, width, lanes, e; 0 <= g ==> 0 <= h ==>
      0 < m <= lanes ==> 0 < i <= lanes ==> ix(g,lanes,0) + m <= width ==>
      ix(h,lanes,0) + i <= width ==> (k != l || g != h) ==>
      tall_W(k,ix(g,lanes,0),m,width,e) ==> !tall_W(l,ix(h,lanes,0),i,width,e);
    lemma share_in: \forall integer teams, lanes, q, l; ix(teams,lanes,0) <= MAXB ==>
      0 <= q < teams ==> 0 <= l < lanes ==> 0 <= ix(q,lanes,l) < MAXB;
    lemma share_line: \forall integer teams, lanes, c; ix(teams,lanes,0) <= MAXB ==>
      0 < teams ==> 0 < lanes ==> 0 <= c < 4*lanes ==> within(4*lanes,c,0,teams,4*MAXB); */

/*@ assigns \nothing;
    ensures \result.x == Join(which,a.x,b.x) && \result.y == Join(which,a.y,b.y);
    ensures \result.z == Join(which,a.z,b.z) && \result.w == Join(which,a.w,b.w); */
DEV float4 join4(int which, float4 a, float4 b)
{
  a.x = axis_join(which, a.x, b.x);
  a.y = axis_join(which, a.y, b.y);
  a.z = axis_join(which, a.z, b.z);
  a.w = axis_join(which, a.w, b.w);
  return a;
}

/* Of rows lo .. hi-1 of x, (.., 4*width), every teams-th from lo + q on: four columns, which in
 * row 0 begin at 4*v. */
/*@ requires reads(x,4*size) && aligned16(x) && within(width,v,lo,hi,size);
    requires 0 <= q < teams <= MAXB;
    assigns \nothing;
    ensures \result.x == TeamPart(which,x,4*width,4*v,lo,hi-lo,teams,q);
    ensures \result.y == TeamPart(which,x,4*width,4*v+1,lo,hi-lo,teams,q);
    ensures \result.z == TeamPart(which,x,4*width,4*v+2,lo,hi-lo,teams,q);
    ensures \result.w == TeamPart(which,x,4*width,4*v+3,lo,hi-lo,teams,q); */
DEV float4 tall_along(int which, int teams, int q, idx v, idx width, idx lo, idx hi,
                      const float *RESTRICT x GHOST_PARAMS(idx size))
{
  float b = axis_begin(which);
  float4 s = {b, b, b, b};
  //@ ghost idx r = 0;
  /*@ loop invariant j == lo + ix(r,teams,q) && 0 <= r && 0 <= ix(r,teams,q);
      loop invariant 0 < r ==> ix(r-1,teams,q) < hi - lo;
      loop invariant s.x == Turns(which,x,4*width,4*v,lo+q,teams,r);
      loop invariant s.y == Turns(which,x,4*width,4*v+1,lo+q,teams,r);
      loop invariant s.z == Turns(which,x,4*width,4*v+2,lo+q,teams,r);
      loop invariant s.w == Turns(which,x,4*width,4*v+3,lo+q,teams,r);
      loop assigns j, s, r;
      loop variant hi - j; */
  UNROLL_BY(4)
  for (idx j = lo + q; j < hi; j += teams) {
    //@ assert in: 0 <= ix(j,width,v) < size;
    //@ assert row: j == lo + q + ix(r,teams,0);
    //@ assert x: ix(j,4*width,4*v) == 4*ix(j,width,v);
    //@ assert y: ix(j,4*width,4*v+1) == 4*ix(j,width,v)+1;
    //@ assert z: ix(j,4*width,4*v+2) == 4*ix(j,width,v)+2;
    //@ assert w: ix(j,4*width,4*v+3) == 4*ix(j,width,v)+3;
    s = join4(which, s, LD4(x + 4 * axis_at(v, j, width)));
    //@ ghost r++;
    //@ assert next: ix(r,teams,q) == ix(r-1,teams,q) + teams;
  }
  //@ assert over: r == turns_of(hi-lo,teams,q);
  return s;
}

/* Lane l of team q leaves in share what it has. */
/*@ requires reads(x,4*size) && aligned16(x) && within(width,v,lo,hi,size);
    requires share_ok(share,teams,lanes) && 0 <= q < teams && 0 <= l < lanes;
    requires \forall integer e; quad_W(q,l,lanes,e) ==> W(share+e);
    assigns share[4*ix(q,lanes,l) .. 4*ix(q,lanes,l)+3];
    ensures share[4*ix(q,lanes,l)] == TeamPart{Pre}(which,x,4*width,4*v,lo,hi-lo,teams,q);
    ensures share[4*ix(q,lanes,l)+1] == TeamPart{Pre}(which,x,4*width,4*v+1,lo,hi-lo,teams,q);
    ensures share[4*ix(q,lanes,l)+2] == TeamPart{Pre}(which,x,4*width,4*v+2,lo,hi-lo,teams,q);
    ensures share[4*ix(q,lanes,l)+3] == TeamPart{Pre}(which,x,4*width,4*v+3,lo,hi-lo,teams,q); */
DEV void tall_take(int which, int teams, int lanes, int q, int l, idx v, idx width, idx lo, idx hi,
                   const float *RESTRICT x, float *RESTRICT share PHASE_FN GHOST_PARAMS(idx size))
{
  //@ assert in: 0 <= ix(q,lanes,l) < MAXB;
  idx e = 4 * at2(teams, lanes, q, l);
  //@ assert W(share+e) && W(share+(e+1)) && W(share+(e+2)) && W(share+(e+3));
  ST_SHARED4(share + e, tall_along(which, teams, q, v, width, lo, hi, x GHOST_ARGS(size)));
}

/* All lanes: of the lanes of a team the first `count` have columns, from 4*v on. */
/*@ requires reads(x,4*size) && aligned16(x) && 0 < count <= lanes && 0 <= v && lo <= hi;
    requires \forall integer u; v <= u < v+count ==> within(width,u,lo,hi,size);
    requires \forall integer c; 4*v <= c < 4*v+4*count ==> within(4*width,c,lo,hi,4*size);
    requires share_ok(share,teams,lanes) && perm(share,4*MAXB);
    requires \separated(share + (0 .. 4*MAXB-1), x + (0 .. 4*size-1));
    assigns share[0 .. 4*MAXB-1];
    ensures \forall integer c; 0 <= c < 4*count ==>
      Part{Post}(which,share,4*lanes,c,0,teams) == Part{Pre}(which,x,4*width,4*v+c,lo,hi); */
DEV void tall_fill(int which, int teams, int lanes, idx count, idx v, idx width, idx lo, idx hi,
                   const float *RESTRICT x, float *RESTRICT share GHOST_PARAMS(idx size))
{
  /*@ loop invariant 0 <= q <= teams && Same{Pre,Here}(x,4*size);
      loop invariant
        taken_rows{Pre,Here}(share,4*lanes,which,x,4*width,4*v,lo,hi,teams,q,4*count);
      loop assigns q, share[0 .. 4*MAXB-1];
      loop variant teams - q; */
  PHASE_ROWS(q, teams, lanes) {
    /*@ loop invariant 0 <= l <= lanes && Same{Pre,Here}(x,4*size);
        loop invariant
          taken_rows{Pre,Here}(share,4*lanes,which,x,4*width,4*v,lo,hi,teams,q,4*count);
        loop invariant
          taken{Pre,Here}(share,4*lanes,which,x,4*width,4*v,lo,hi,teams,q,0,4*lesser(l,count));
        loop assigns l, share[0 .. 4*MAXB-1];
        loop variant lanes - l; */
    THREAD_COLS(l, lanes)
      if (l < count) {
        //@ assert in: 0 <= ix(q,lanes,l) < MAXB;
        //@ assert line: within(width,v+l,lo,hi,size);
        /*@ assert lines: within(4*width,4*(v+l),lo,hi,4*size) &&
              within(4*width,4*(v+l)+1,lo,hi,4*size) && within(4*width,4*(v+l)+2,lo,hi,4*size) &&
              within(4*width,4*(v+l)+3,lo,hi,4*size); */
        //@ assert end: ix(q,4*lanes,0) <= ix(q,4*lanes,4*l) == 4*ix(q,lanes,l);
        /*@ assert x: TeamPart(which,x,4*width,4*(v+l),lo,hi-lo,teams,q) ==
              TeamPart{Pre}(which,x,4*width,4*(v+l),lo,hi-lo,teams,q); */
        /*@ assert y: TeamPart(which,x,4*width,4*(v+l)+1,lo,hi-lo,teams,q) ==
              TeamPart{Pre}(which,x,4*width,4*(v+l)+1,lo,hi-lo,teams,q); */
        /*@ assert z: TeamPart(which,x,4*width,4*(v+l)+2,lo,hi-lo,teams,q) ==
              TeamPart{Pre}(which,x,4*width,4*(v+l)+2,lo,hi-lo,teams,q); */
        /*@ assert w: TeamPart(which,x,4*width,4*(v+l)+3,lo,hi-lo,teams,q) ==
              TeamPart{Pre}(which,x,4*width,4*(v+l)+3,lo,hi-lo,teams,q); */
        tall_take(which, teams, lanes, q, l, v + l, width, lo, hi, x,
                  share IN_PHASE GHOST_ARGS(size));
        //@ assert same: Same{LoopCurrent,Here}(x,4*size);
        //@ assert kept: Same{LoopCurrent,Here}(share,4*ix(q,lanes,l));
        /*@ assert rows:
              taken_rows{Pre,Here}(share,4*lanes,which,x,4*width,4*v,lo,hi,teams,q,4*count); */
        //@ assert left: taken{Pre,Here}(share,4*lanes,which,x,4*width,4*v,lo,hi,teams,q,0,4*l);
        /*@ assert cells: ix(q,4*lanes,4*l+1) == 4*ix(q,lanes,l)+1 &&
              ix(q,4*lanes,4*l+2) == 4*ix(q,lanes,l)+2 &&
              ix(q,4*lanes,4*l+3) == 4*ix(q,lanes,l)+3; */
        /*@ assert x1: share[ix(q,4*lanes,4*l)] ==
              TeamPart{Pre}(which,x,4*width,4*v+(4*l),lo,hi-lo,teams,q); */
        /*@ assert x2:
              taken{Pre,Here}(share,4*lanes,which,x,4*width,4*v,lo,hi,teams,q,0,4*l+1); */
        /*@ assert y1: share[ix(q,4*lanes,4*l+1)] ==
              TeamPart{Pre}(which,x,4*width,4*v+(4*l+1),lo,hi-lo,teams,q); */
        /*@ assert y2:
              taken{Pre,Here}(share,4*lanes,which,x,4*width,4*v,lo,hi,teams,q,0,4*l+2); */
        /*@ assert z1: share[ix(q,4*lanes,4*l+2)] ==
              TeamPart{Pre}(which,x,4*width,4*v+(4*l+2),lo,hi-lo,teams,q); */
        /*@ assert z2:
              taken{Pre,Here}(share,4*lanes,which,x,4*width,4*v,lo,hi,teams,q,0,4*l+3); */
        /*@ assert w1: share[ix(q,4*lanes,4*l+3)] ==
              TeamPart{Pre}(which,x,4*width,4*v+(4*l+3),lo,hi-lo,teams,q); */
        /*@ assert w2:
              taken{Pre,Here}(share,4*lanes,which,x,4*width,4*v,lo,hi,teams,q,0,4*l+4); */
      }
    //@ assert row: taken{Pre,Here}(share,4*lanes,which,x,4*width,4*v,lo,hi,teams,q,0,4*count);
  }
}

/* The join of what the teams have left of the four columns of their lanes l. */
/*@ requires share_ok(share,teams,lanes) && 0 <= l < lanes;
    requires \forall integer q, e; 0 <= q < teams ==> quad_W(q,l,lanes,e) ==> R(share+e);
    assigns \nothing;
    ensures \result.x == Part(which,share,4*lanes,4*l,0,teams);
    ensures \result.y == Part(which,share,4*lanes,4*l+1,0,teams);
    ensures \result.z == Part(which,share,4*lanes,4*l+2,0,teams);
    ensures \result.w == Part(which,share,4*lanes,4*l+3,0,teams); */
DEV float4 tall_join(int which, int teams, int lanes, int l, const float *share PHASE_FN)
{
  float b = axis_begin(which);
  float4 s = {b, b, b, b};
  /*@ loop invariant 0 <= q <= teams;
      loop invariant s.x == Part(which,share,4*lanes,4*l,0,q);
      loop invariant s.y == Part(which,share,4*lanes,4*l+1,0,q);
      loop invariant s.z == Part(which,share,4*lanes,4*l+2,0,q);
      loop invariant s.w == Part(which,share,4*lanes,4*l+3,0,q);
      loop assigns q, s;
      loop variant teams - q; */
  UNROLL
  for (int q = 0; q < teams; q++) {
    //@ assert in: 0 <= ix(q,lanes,l) < MAXB;
    idx e = 4 * at2(teams, lanes, q, l);
    //@ assert own: \forall integer d; quad_W(q,l,lanes,d) ==> R(share+d);
    //@ assert R(share+e) && R(share+(e+1)) && R(share+(e+2)) && R(share+(e+3));
    //@ assert x: ix(q,4*lanes,4*l) == e && ix(q,4*lanes,4*l+1) == e+1;
    //@ assert z: ix(q,4*lanes,4*l+2) == e+2 && ix(q,4*lanes,4*l+3) == e+3;
    s = join4(which, s, LD_SHARED4(share + e));
  }
  return s;
}

/* The same to columns 4v .. 4v+3 of row k of out. */
/*@ requires share_ok(share,teams,lanes) && 0 <= l < lanes;
    requires \forall integer q, e; 0 <= q < teams ==> quad_W(q,l,lanes,e) ==> R(share+e);
    requires 0 <= k && 0 <= v < width && 0 <= ix(k,width,v) <= IDX_LIM && aligned16(out);
    requires \valid(out + (4*ix(k,width,v) .. 4*ix(k,width,v)+3));
    requires \forall integer e; quad_W(k,v,width,e) ==> W(out+e);
    assigns out[4*ix(k,width,v) .. 4*ix(k,width,v)+3];
    ensures out[4*ix(k,width,v)] ==
      Last(which,all,Part{Pre}(which,share,4*lanes,4*l,0,teams));
    ensures out[4*ix(k,width,v)+1] ==
      Last(which,all,Part{Pre}(which,share,4*lanes,4*l+1,0,teams));
    ensures out[4*ix(k,width,v)+2] ==
      Last(which,all,Part{Pre}(which,share,4*lanes,4*l+2,0,teams));
    ensures out[4*ix(k,width,v)+3] ==
      Last(which,all,Part{Pre}(which,share,4*lanes,4*l+3,0,teams)); */
DEV void tall_put(int which, int teams, int lanes, int l, idx k, idx v, idx width, idx all,
                  const float *share, float *RESTRICT out PHASE_FN)
{
  float4 s = tall_join(which, teams, lanes, l, share IN_PHASE);
  s.x = axis_last(which, all, s.x);
  s.y = axis_last(which, all, s.y);
  s.z = axis_last(which, all, s.z);
  s.w = axis_last(which, all, s.w);
  put_quad(axis_at(v, k, width), s, out);
}

/* All lanes: the first `count` of a team have columns, in out from 4v on. */
/*@ requires share_ok(share,teams,lanes) && perm(share,4*MAXB) && 0 < count <= lanes;
    requires 0 <= k && 0 <= v && v+count <= width && aligned16(out);
    requires 0 <= ix(k,width,v) && ix(k,width,v)+count <= IDX_LIM;
    requires \valid(out + (4*ix(k,width,v) .. 4*ix(k,width,v)+4*count-1));
    requires \separated(share + (0 .. 4*MAXB-1),
                        out + (4*ix(k,width,v) .. 4*ix(k,width,v)+4*count-1));
    requires \forall integer e; tall_W(k,v,count,width,e) ==> W(out+e);
    assigns out[4*ix(k,width,v) .. 4*ix(k,width,v)+4*count-1];
    ensures drained{Pre,Post}(out,share,4*lanes,which,all,teams,k,4*width,4*v,4*v,4*v+4*count); */
DEV void tall_drain(int which, int teams, int lanes, idx count, idx k, idx v, idx width, idx all,
                    const float *share, float *RESTRICT out)
{
  /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(share,4*MAXB);
      loop invariant drained{Pre,Here}(out,share,4*lanes,which,all,teams,k,4*width,4*v,4*v,
                                       4*v+4*lesser(t,count));
      loop assigns t, out[4*ix(k,width,v) .. 4*ix(k,width,v)+4*count-1];
      loop variant BDIM - t; */
  PHASE(t)
    if (t < count) {
      //@ assert at: ix(k,width,v+t) == ix(k,width,v) + t;
      //@ assert to: ix(k,4*width,4*(v+t)) == 4*ix(k,width,v) + 4*t;
      //@ assert own: \forall integer e; quad_W(k,v+t,width,e) ==> W(out+e);
      /*@ assert share: \forall integer c; 0 <= c < 4*lanes ==>
            Part(which,share,4*lanes,c,0,teams) == Part{Pre}(which,share,4*lanes,c,0,teams); */
      /*@ assert before: \forall integer c; 4*v <= c < 4*v+4*t ==>
            ix(k,4*width,c) < 4*ix(k,width,v) + 4*t; */
      tall_put(which, teams, lanes, t, k, v + t, width, all, share, out IN_PHASE);
      /*@ assert left: drained{Pre,Here}(out,share,4*lanes,which,all,teams,k,4*width,4*v,4*v,
                                         4*v+4*t); */
      /*@ assert cells: ix(k,4*width,4*v+(4*t+1)) == 4*ix(k,width,v) + 4*t + 1 &&
            ix(k,4*width,4*v+(4*t+2)) == 4*ix(k,width,v) + 4*t + 2 &&
            ix(k,4*width,4*v+(4*t+3)) == 4*ix(k,width,v) + 4*t + 3; */
      /*@ assert x1: out[ix(k,4*width,4*v+(4*t))] ==
            Last(which,all,Part{Pre}(which,share,4*lanes,4*t,0,teams)); */
      /*@ assert x2: drained{Pre,Here}(out,share,4*lanes,which,all,teams,k,4*width,4*v,4*v,
                                       4*v+(4*t+1)); */
      /*@ assert y1: out[ix(k,4*width,4*v+(4*t+1))] ==
            Last(which,all,Part{Pre}(which,share,4*lanes,4*t+1,0,teams)); */
      /*@ assert y2: drained{Pre,Here}(out,share,4*lanes,which,all,teams,k,4*width,4*v,4*v,
                                       4*v+(4*t+2)); */
      /*@ assert z1: out[ix(k,4*width,4*v+(4*t+2))] ==
            Last(which,all,Part{Pre}(which,share,4*lanes,4*t+2,0,teams)); */
      /*@ assert z2: drained{Pre,Here}(out,share,4*lanes,which,all,teams,k,4*width,4*v,4*v,
                                       4*v+(4*t+3)); */
      /*@ assert w1: out[ix(k,4*width,4*v+(4*t+3))] ==
            Last(which,all,Part{Pre}(which,share,4*lanes,4*t+3,0,teams)); */
      /*@ assert w2: drained{Pre,Here}(out,share,4*lanes,which,all,teams,k,4*width,4*v,4*v,
                                       4*v+(4*t+4)); */
    }
}

/* A block's columns of row k of out: `count` vectors, from 4v on. */
/*@ requires level(outer,n,4*width,chunk,chunks) && level_io(outer,n,4*width,chunks,x,out);
    requires 0 <= k < ix(outer,chunks,0) && aligned16(x) && aligned16(out);
    requires 0 < count <= lanes && 0 <= v && v+count <= width;
    requires share_ok(share,teams,lanes) && perm(share,4*MAXB);
    requires apart(share,4*MAXB,x,ix(ix(outer,n,0),4*width,0));
    requires apart(share,4*MAXB,out,ix(ix(outer,chunks,0),4*width,0));
    requires \forall integer e; tall_W(k,v,count,width,e) ==> W(out+e);
    assigns share[0 .. 4*MAXB-1], out[4*ix(k,width,v) .. 4*ix(k,width,v)+4*count-1];
    ensures left_row{Pre,Post}(which,all,x,out,n,4*width,chunk,chunks,k,4*v,4*v+4*count); */
DEV void tall_chunk(int which, int teams, int lanes, idx count, idx k, idx v, idx n, idx width,
                    idx chunk, idx chunks, idx all, const float *RESTRICT x, float *RESTRICT share,
                    float *RESTRICT out GHOST_PARAMS(idx outer))
{
  //@ assert to: 0 <= ix(k,width,v);
  //@ assert fits: ix(k,width,v) <= ix(ix(outer,chunks,0),width,0) + v - width;
  //@ assert end: ix(k,width,v)+count <= ix(ix(outer,chunks,0),width,0);
  idx o = axis_line(k, chunks), lo = axis_chunk(k, o, chunks, chunk);
  idx hi = lo + chunk < n ? lo + chunk : n;
  //@ assert o < outer && 0 <= lo <= hi <= n;
  idx at = axis_at(v, ix_times(o, n), width);
  //@ assert at: at == ix(ix(o,n,0),width,v) && 4*at == ix(ix(o,n,0),4*width,4*v);
  //@ assert all: ix(ix(outer,n,0),4*width,0) == 4*ix(ix(outer,n,0),width,0);
  //@ assert line: line_at(outer,n,width,o,v,count,at);
  //@ assert line4: line_at(outer,n,4*width,o,4*v,4*count,4*at);
  //@ assert left: ix(ix(outer,chunks,0),4*width,0) == 4*ix(ix(outer,chunks,0),width,0);
  tall_fill(which, teams, lanes, count, at, width, lo, hi, x,
            share GHOST_ARGS(ix_times(ix_times(outer, n), width)));
  /*@ assert joined: joined{Pre,Here}(share,4*lanes,which,x,4*width,ix(o,n,0),lo,hi,teams,4*v,
                                      4*v+4*count); */
  tall_drain(which, teams, lanes, count, k, v, width, all, share, out);
}

/* x to out, `across` blocks a chunk; all: as of axis_last. */
/*@ requires 0 < width <= IDX_LIM && level(outer,n,4*width,chunk,chunks);
    requires level_io(outer,n,4*width,chunks,x,out) && aligned16(x) && aligned16(out);
    requires 0 < across && ix(across-1,lanes,0) < width <= ix(across,lanes,0) <= IDX_LIM;
    requires ix(ix(outer,chunks,0),across,0) <= BLOCKS;
    requires 0 < TEAMS <= MAXB && 0 < lanes <= MAXB && ix(TEAMS,lanes,0) == BDIM && block;
    assigns out[0 .. ix(ix(outer,chunks,0),4*width,0)-1];
    ensures left_rows{Pre,Post}(WHICH,all,x,out,n,4*width,chunk,chunks,ix(outer,chunks,0));
    ensures chunks == 1 && known{Pre}(WHICH,x,n,ix(ix(outer,n,0),4*width,0)) ==>
      axis_lines{Pre,Post}(WHICH,all,x,out,outer,n,4*width); */
TEMPLATE(int WHICH, int TEAMS)
KERNEL void reduce_tall(CONSTANTS(int WHICH, int TEAMS) idx outer, idx n, idx width, idx chunk,
                        idx chunks, int lanes, idx across, idx all, const float *RESTRICT x,
                        float *RESTRICT out)
{
  SHARED_VEC4(share, MAXB);
  await_launches();
  idx lines = ix_times(outer, chunks);
  /*@ loop invariant 0 <= k <= lines && Same{Pre,Here}(x,ix(ix(outer,n,0),4*width,0));
      loop invariant left_rows{Pre,Here}(WHICH,all,x,out,n,4*width,chunk,chunks,k);
      loop assigns k, share[0 .. 4*MAXB-1], out[0 .. ix(ix(outer,chunks,0),4*width,0)-1];
      loop variant lines - k; */
  BROWS(k, lines, across)
    /*@ loop invariant 0 <= g <= across && Same{Pre,Here}(x,ix(ix(outer,n,0),4*width,0));
        loop invariant left_rows{Pre,Here}(WHICH,all,x,out,n,4*width,chunk,chunks,k);
        loop invariant left_row{Pre,Here}(WHICH,all,x,out,n,4*width,chunk,chunks,k,0,
                                          4*lesser(ix(g,lanes,0),width));
        loop assigns g, share[0 .. 4*MAXB-1], out[0 .. ix(ix(outer,chunks,0),4*width,0)-1];
        loop variant across - g; */
    BCOLS(g, across) {
      idx v = at2(across, lanes, g, 0), count = lanes < width - v ? lanes : width - v;
      //@ assert some: ix(g,lanes,0) <= ix(across-1,lanes,0) && 0 < count;
      //@ assert next: lesser(ix(g+1,lanes,0),width) == v + count;
      //@ assert left: ix(ix(outer,chunks,0),4*width,0) == 4*ix(ix(outer,chunks,0),width,0);
      /*@ assert to: ix(k,4*width,4*v) == 4*ix(k,width,v) && 0 <= ix(k,width,v) &&
            ix(k,width,v)+count <= ix(lines,width,0); */
      tall_chunk(WHICH, TEAMS, lanes, count, k, v, n, width, chunk, chunks, all, x, share,
                 out GHOST_ARGS(outer));
      //@ assert same: Same{LoopCurrent,Here}(x,ix(ix(outer,n,0),4*width,0));
      //@ assert kept: kept{LoopCurrent,Here}(out,4*width,k,4*v);
      //@ assert rows: left_rows{Pre,Here}(WHICH,all,x,out,n,4*width,chunk,chunks,k);
      /*@ assert row: left_row{Pre,Here}(WHICH,all,x,out,n,4*width,chunk,chunks,k,0,
                                         4*v+4*count); */
    }
}
#endif
