/* Row reduction by groups of lanes: sums, means and maxima of the rows of x, (outer, n), to out,
 * (outer, chunks): one level, where a group of up to 32 lanes reads a chunk of a row side by
 * side. */
#ifndef PM_REDUCE_ROWS_H
#define PM_REDUCE_ROWS_H
#include "rows_spec.h"

/*@ logic integer first_group(integer b, integer lanes) = quo(ix(b,bdim_,0),lanes);
    // what a thread writes; threads are apart by race_group
    predicate rows_W(integer k, integer lane, integer e) = lane == 0 && e == k;
    lemma race_rows: \forall integer k, t, l, u, e; (k != l || t != u) ==>
      rows_W(k,t,e) ==> !rows_W(l,u,e); */
/* Thread t of block b: its group and its number in that. */
/*@ requires rows_ok(b,lanes,groups) && 0 <= t < BDIM;
    assigns \nothing;
    ensures \result.group == first_group(b,lanes)+quo(t,lanes) && \result.lane == rem(t,lanes);
    ensures 0 <= \result.lane < lanes && 0 <= \result.group <= IDX_LIM; */
DEV rows_lane_at rows_at(idx b, int t, int lanes, int groups)
{
  //@ assert turn_on(ix(b,bdim_,0),ix(b,bdim_,t),t);
  //@ assert 0 <= ix(b,bdim_,0) && ix(b,bdim_,0) % 32 == 0;
  return rows_find(b, t, lanes, groups);
}

/* out[k], by lane 0 of group k. */
/*@ requires 0 <= k && \forall integer e; rows_W(k,lane,e) ==> \valid(out + e) && W(out+e);
    assigns out[k];
    ensures but_cell{Pre,Post}(out,k,lane,1) && (lane == 0 ==> out[ix(k,1,0)] == s); */
DEV void rows_put(idx k, int lane, float s, float *RESTRICT out)
{
  //@ assert lane == 0 ==> rows_W(k,lane,k);
  //@ assert ix(k,1,0) == k;
  if (lane == 0)
    STG(out + k, s);
}

/* Thread t of block b puts what it has, where it is the first of its group. */
/*@ requires rows_ok(b,lanes,groups) && writes(out,count) && 0 <= t < BDIM;
    assigns out[0 .. count-1];
    ensures but_cell{Pre,Post}(out,first_group(b,lanes)+quo(t,lanes),rem(t,lanes),1);
    ensures rem(t,lanes) == 0 ==> first_group(b,lanes)+quo(t,lanes) < count ==>
      out[ix(first_group(b,lanes)+quo(t,lanes),1,0)] == Last(which,all,s); */
DEV void rows_leave_one(float s, int which, idx b, int t, int lanes, int groups, idx count, idx all,
                        float *RESTRICT out)
{
  rows_lane_at p = rows_at(b, t, lanes, groups);
  if (p.group < count)
    rows_put(p.group, p.lane, axis_last(which, all, s), out);
}

/*@ requires \valid(s + (0 .. BDIM-1)) && rows_ok(b,lanes,groups) && writes(out,count);
    requires \separated(s + (0 .. BDIM-1), out + (0 .. count-1));
    assigns out[0 .. count-1];
    ensures kept{Pre,Post}(out,1,first_group(b,lanes),0);
    ensures groups_put{Pre,Post}(which,all,s,out,first_group(b,lanes),lanes,count,BDIM); */
DEV void rows_leave(PER_THREAD(float, s), int which, idx b, int lanes, int groups, idx count,
                    idx all, float *RESTRICT out)
{
  /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(s,BDIM);
      loop invariant kept{Pre,Here}(out,1,first_group(b,lanes),0);
      loop invariant groups_put{Pre,Here}(which,all,s,out,first_group(b,lanes),lanes,count,t);
      loop assigns t, out[0 .. count-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    rows_leave_one(AT(s, t), which, b, t, lanes, groups, count, all, out);
    //@ assert Same{LoopCurrent,Here}(s,BDIM);
    //@ assert lane_row(first_group(b,lanes),t,lanes,first_group(b,lanes)+quo(t,lanes));
    //@ assert one: kept{LoopCurrent,Here}(out,1,first_group(b,lanes),0);
    //@ assert kept: kept{Pre,Here}(out,1,first_group(b,lanes),0);
    //@ assert old: groups_put{Pre,Here}(which,all,s,out,first_group(b,lanes),lanes,count,t);
    //@ assert new: groups_put{Pre,Here}(which,all,s,out,first_group(b,lanes),lanes,count,t+1);
  }
}

/*@ logic integer step_of(integer VEC) = VEC != 0 ? 4 : 1; */
/* Chunk k of all rows. */
/*@ requires level(outer,n,1,chunk,chunks) && reads(x,ix(outer,n,0)) && (VEC != 0 ==> aligned16(x));
    requires 0 <= k < ix(outer,chunks,0) && 0 <= lane < lanes <= 32;
    assigns \nothing;
    ensures \result == RowShare{Pre}(step_of(VEC),which,x,n,chunk,chunks,k,lane,lanes); */
DEV float rows_chunk(int which, int VEC, idx k, int lane, int lanes, idx n, idx chunk, idx chunks,
                     const float *RESTRICT x GHOST_PARAMS(idx outer))
{
  idx o = axis_line(k, chunks), from = axis_chunk(k, o, chunks, chunk);
  idx len = chunk < n - from ? chunk : n - from;
  //@ assert from == chunk_from(k,chunk,chunks);
  //@ assert row_in(chunk_at(k,n,chunk,chunks),chunk_len(k,n,chunk,chunks),ix(outer,n,0));
  //@ assert 0 <= o < outer && 0 <= from <= n && len == chunk_len(k,n,chunk,chunks);
  idx at = axis_at(from, o, n);
  //@ assert at == chunk_at(k,n,chunk,chunks);
  if (VEC)
    return rows_lane4(which, at, len, lane, lanes, x GHOST_ARGS(ix_times(outer, n)));
  /* With a constant the loads of a round have one address: nvcc issues all before it adds. */
  return lanes == 32 ? rows_lane(which, at, len, lane, 32, x GHOST_ARGS(ix_times(outer, n)))
                     : rows_lane(which, at, len, lane, lanes, x GHOST_ARGS(ix_times(outer, n)));
}

/* What thread t of block b has. */
/*@ requires rows_ok(b,lanes,groups) && level(outer,n,1,chunk,chunks) && 0 <= t < BDIM;
    requires reads(x,ix(outer,n,0)) && (VEC != 0 ==> aligned16(x)) && count == ix(outer,chunks,0);
    assigns \nothing;
    ensures \result == RowTaken{Pre}(step_of(VEC),which,x,first_group(b,lanes),t,lanes,n,chunk,
                                     chunks,count); */
DEV float rows_one(int which, int VEC, idx b, int t, int lanes, int groups, idx n, idx chunk,
                   idx chunks, idx count, const float *RESTRICT x GHOST_PARAMS(idx outer))
{
  rows_lane_at p = rows_at(b, t, lanes, groups);
  //@ assert lane_row(first_group(b,lanes),t,lanes,p.group);
  /*@ assert taken: p.group < count ==>
        RowTaken(step_of(VEC),which,x,first_group(b,lanes),t,lanes,n,chunk,chunks,count) ==
        RowShare(step_of(VEC),which,x,n,chunk,chunks,p.group,p.lane,lanes); */
  if (p.group < count)
    return rows_chunk(which, VEC, p.group, p.lane, lanes, n, chunk, chunks, x GHOST_ARGS(outer));
  return axis_begin(which);
}

/*@ requires rows_ok(b,lanes,groups) && level(outer,n,1,chunk,chunks);
    requires reads(x,ix(outer,n,0)) && (VEC != 0 ==> aligned16(x));
    requires count == ix(outer,chunks,0) && \valid(s + (0 .. BDIM-1));
    requires \separated(s + (0 .. BDIM-1), x + (0 .. ix(outer,n,0)-1));
    assigns s[0 .. BDIM-1];
    ensures rows_taken{Pre,Post}(step_of(VEC),which,s,x,first_group(b,lanes),lanes,n,chunk,chunks,
                                 count,BDIM); */
DEV void rows_take(PER_THREAD(float, s), int which, int VEC, idx b, int lanes, int groups, idx n,
                   idx chunk, idx chunks, idx count,
                   const float *RESTRICT x GHOST_PARAMS(idx outer))
{
  //@ assert 0 <= first_group(b,lanes);
  /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(x,ix(outer,n,0));
      loop invariant rows_taken{Pre,Here}(step_of(VEC),which,s,x,first_group(b,lanes),lanes,n,chunk,
                                          chunks,count,t);
      loop assigns t, s[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    float one =
        rows_one(which, VEC, b, t, lanes, groups, n, chunk, chunks, count, x GHOST_ARGS(outer));
    /*@ assert one: one == RowTaken{Pre}(step_of(VEC),which,x,first_group(b,lanes),t,lanes,n,chunk,
                                         chunks,count); */
    //@ assert apart: \separated(s + t, x + (0 .. ix(outer,n,0)-1));
    AT(s, t) = one;
    //@ assert Same{LoopCurrent,Here}(x,ix(outer,n,0));
    /*@ assert now: s[t] == RowTaken{Pre}(step_of(VEC),which,x,first_group(b,lanes),t,lanes,n,chunk,
                                          chunks,count); */
    /*@ assert old: rows_taken{Pre,Here}(step_of(VEC),which,s,x,first_group(b,lanes),lanes,n,chunk,
                                         chunks,count,t); */
  }
}

/* The rows that groups of block b have. */
/*@ requires rows_ok(b,lanes,groups) && level(outer,n,1,chunk,chunks);
    requires reads(x,ix(outer,n,0)) && (VEC != 0 ==> aligned16(x)) && count == ix(outer,chunks,0);
    requires writes(out,count) && apart(x,ix(outer,n,0),out,count);
    assigns out[0 .. count-1];
    ensures kept{Pre,Post}(out,1,first_group(b,lanes),0);
    ensures block_left{Pre,Post}(which,all,x,out,n,1,chunk,chunks,first_group(b,lanes),
                                 first_group(b+1,lanes),count); */
DEV void rows_block(int which, int VEC, idx b, int lanes, int groups, idx n, idx chunk, idx chunks,
                    idx count, idx all, const float *RESTRICT x,
                    float *RESTRICT out GHOST_PARAMS(idx outer))
{
  PRIVATE(float, s);
  rows_take(s, which, VEC, b, lanes, groups, n, chunk, chunks, count, x GHOST_ARGS(outer));
  //@ assert lows(which,&s[0],BDIM);
  //@ assert 0 <= first_group(b,lanes);
  //@ ghost Taken: ;
  group_join(s, which, lanes GHOST_ARGS(groups));
  /*@ assert taken: rows_taken{Pre,Taken}(step_of(VEC),which,&s[0],x,first_group(b,lanes),lanes,n,
                                          chunk,chunks,count,BDIM); */
  /*@ assert left: groups_left{Pre,Here}(which,all,&s[0],x,n,chunk,chunks,first_group(b,lanes),
    lanes,
                                         count,BDIM); */
  //@ assert kept{Pre,Here}(out,1,first_group(b,lanes),0);
  rows_leave(s, which, b, lanes, groups, count, all, out);
  //@ assert turn_on(b,b+1,1) && group(lanes,groups);
  //@ assert to: first_group(b+1,lanes) == first_group(b,lanes)+quo(bdim_,lanes);
}

/* all: of what the line's join is the last level, or -1. */
/*@ requires level(outer,n,1,chunk,chunks) && 0 <= blocks <= 0x7fffffff && block;
    requires ix(blocks,1,0) <= BLOCKS && group(lanes,groups);
    requires ix(ix(outer,chunks,0),lanes,0) <= ix(blocks,BDIM,0);
    requires reads(x,ix(outer,n,0)) && (VEC != 0 ==> aligned16(x));
    requires writes(out,ix(outer,chunks,0)) && apart(x,ix(outer,n,0),out,ix(outer,chunks,0));
    assigns out[0 .. ix(outer,chunks,0)-1];
    ensures left_rows{Pre,Post}(WHICH,all,x,out,n,1,chunk,chunks,ix(outer,chunks,0));
    ensures chunks == 1 && known{Pre}(WHICH,x,n,ix(outer,n,0)) ==>
      axis_lines{Pre,Post}(WHICH,all,x,out,outer,n,1); */
TEMPLATE(int WHICH, int VEC)
KERNEL void reduce_rows(CONSTANTS(int WHICH, int VEC) int lanes, int groups, idx blocks, idx outer,
                        idx n, idx chunk, idx chunks, idx all, const float *RESTRICT x,
                        float *RESTRICT out)
{
  await_launches();
  idx count = ix_times(outer, chunks);
  //@ assert ix(ix(outer,n,0),1,0) == ix(outer,n,0);
  //@ assert ix(0,bdim_,0) == 0 && quo(0,lanes) == 0;
  /*@ loop invariant 0 <= b <= blocks && Same{Pre,Here}(x,ix(outer,n,0));
      loop invariant block_left{Pre,Here}(WHICH,all,x,out,n,1,chunk,chunks,0,first_group(b,lanes),
                                          count);
      loop assigns b, out[0 .. ix(outer,chunks,0)-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    rows_block(WHICH, VEC, b, lanes, groups, n, chunk, chunks, count, all, x,
               out GHOST_ARGS(outer));
    //@ assert Same{LoopCurrent,Here}(x,ix(outer,n,0));
    /*@ assert more: block_left{Pre,Here}(WHICH,all,x,out,n,1,chunk,chunks,0,first_group(b+1,lanes),
                                          count); */
  }
  //@ assert covers(count,lanes,blocks,bdim_);
  //@ assert all: count <= quo(ix(blocks,bdim_,0),lanes);
  //@ assert left: left_rows{Pre,Here}(WHICH,all,x,out,n,1,chunk,chunks,count);
}

/* ---- rows of 4V elements, each of one chunk ---- */

/* What thread t of block b has. */
/*@ requires rows_ok(b,lanes,groups) && 0 <= rows && 0 < V <= ROWS_WHOLE / 4 && 0 <= t < BDIM;
    requires reads(x,ix(rows,4*V,0)) && aligned16(x) && rows <= IDX_LIM;
    assigns \nothing;
    ensures \result == RowTaken{Pre}(4,which,x,first_group(b,lanes),t,lanes,4*V,4*V,1,rows); */
DEV float whole_one(int which, idx b, int t, int lanes, int groups, idx rows, int V,
                    const float *RESTRICT x)
{
  rows_lane_at p = rows_at(b, t, lanes, groups);
  if (p.group >= rows)
    return axis_begin(which);
  //@ assert lane_row(first_group(b,lanes),t,lanes,p.group);
  /*@ assert taken: RowTaken(4,which,x,first_group(b,lanes),t,lanes,4*V,4*V,1,rows) ==
        RowShare(4,which,x,4*V,4*V,1,p.group,p.lane,lanes); */
  //@ assert ix(rows,4*V,0) == 4*ix(rows,V,0);
  //@ assert 0 <= ix(p.group,V,0) && ix(p.group,V,0) + V <= ix(rows,V,0);
  idx at = 4 * ix_times(p.group, V);
  //@ assert at % 4 == 0;
  //@ assert 0 <= at && at + 4*V <= 4*ix(rows,V,0) <= IDX_LIM;
  //@ assert row_quads(x,at,V,4*ix(rows,V,0));
  //@ assert ix(p.group,4*V,0) == 4*ix(p.group,V,0);
  //@ assert at == chunk_at(p.group,4*V,4*V,1) && 4*V == chunk_len(p.group,4*V,4*V,1);
  /*@ assert share: RowShare(4,which,x,4*V,4*V,1,p.group,p.lane,lanes) ==
        LaneShare(4,which,x,at,4*V,p.lane,lanes); */
  return rows_whole(which, at, V, p.lane, lanes, x GHOST_ARGS(4 * ix_times(rows, V)));
}

/*@ requires rows_ok(b,lanes,groups) && 0 <= rows <= IDX_LIM && 0 < V <= ROWS_WHOLE / 4;
    requires reads(x,ix(rows,4*V,0)) && aligned16(x) && \valid(s + (0 .. BDIM-1));
    requires \separated(s + (0 .. BDIM-1), x + (0 .. ix(rows,4*V,0)-1));
    assigns s[0 .. BDIM-1];
    ensures rows_taken{Pre,Post}(4,which,s,x,first_group(b,lanes),lanes,4*V,4*V,1,rows,BDIM); */
DEV void rows_take_whole(PER_THREAD(float, s), int which, idx b, int lanes, int groups, idx rows,
                         int V, const float *RESTRICT x)
{
  //@ assert 0 <= first_group(b,lanes);
  //@ assert whole: level(rows,4*V,1,4*V,1) && ix(rows,1,0) == rows;
  /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(x,ix(rows,4*V,0));
      loop invariant rows_taken{Pre,Here}(4,which,s,x,first_group(b,lanes),lanes,4*V,4*V,1,rows,t);
      loop assigns t, s[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    float one = whole_one(which, b, t, lanes, groups, rows, V, x);
    //@ assert one: one == RowTaken{Pre}(4,which,x,first_group(b,lanes),t,lanes,4*V,4*V,1,rows);
    //@ assert apart: \separated(s + t, x + (0 .. ix(rows,4*V,0)-1));
    AT(s, t) = one;
    //@ assert Same{LoopCurrent,Here}(x,ix(rows,4*V,0));
    //@ assert now: s[t] == RowTaken{Pre}(4,which,x,first_group(b,lanes),t,lanes,4*V,4*V,1,rows);
    //@ assert others: \forall integer l; 0 <= l < t ==> s[l] == \at(s[l],LoopCurrent);
    /*@ assert old: rows_taken{Pre,Here}(4,which,s,x,first_group(b,lanes),lanes,4*V,4*V,1,rows,t);
      */
  }
}

/* The rows that groups of block b have. */
/*@ requires rows_ok(b,lanes,groups) && 0 <= rows <= IDX_LIM && 0 < V <= ROWS_WHOLE / 4;
    requires reads(x,ix(rows,4*V,0)) && aligned16(x);
    requires writes(out,rows) && apart(x,ix(rows,4*V,0),out,rows);
    assigns out[0 .. rows-1];
    ensures kept{Pre,Post}(out,1,first_group(b,lanes),0);
    ensures block_left{Pre,Post}(which,all,x,out,4*V,1,4*V,1,first_group(b,lanes),
                                 first_group(b+1,lanes),rows); */
DEV void whole_block(int which, idx b, int lanes, int groups, idx rows, int V, idx all,
                     const float *RESTRICT x, float *RESTRICT out)
{
  PRIVATE(float, s);
  rows_take_whole(s, which, b, lanes, groups, rows, V, x);
  //@ assert lows(which,&s[0],BDIM);
  //@ assert 0 <= first_group(b,lanes);
  //@ assert whole: level(rows,4*V,1,4*V,1) && ix(rows,1,0) == rows;
  //@ ghost Taken: ;
  group_join(s, which, lanes GHOST_ARGS(groups));
  /*@ assert taken: rows_taken{Pre,Taken}(4,which,&s[0],x,first_group(b,lanes),lanes,4*V,4*V,1,rows,
                                          BDIM); */
  /*@ assert left: groups_left{Pre,Here}(which,all,&s[0],x,4*V,4*V,1,first_group(b,lanes),lanes,
                                         rows,BDIM); */
  //@ assert kept{Pre,Here}(out,1,first_group(b,lanes),0);
  rows_leave(s, which, b, lanes, groups, rows, all, out);
  //@ assert turn_on(b,b+1,1) && group(lanes,groups);
  //@ assert to: first_group(b+1,lanes) == first_group(b,lanes)+quo(bdim_,lanes);
}

/*@ requires 0 <= rows <= IDX_LIM && 0 < V <= ROWS_WHOLE / 4 && 0 <= blocks <= 0x7fffffff && block;
    requires ix(blocks,1,0) <= BLOCKS && group(lanes,groups);
    requires ix(rows,lanes,0) <= ix(blocks,BDIM,0);
    requires reads(x,ix(rows,4*V,0)) && aligned16(x);
    requires writes(out,rows) && apart(x,ix(rows,4*V,0),out,rows);
    assigns out[0 .. rows-1];
    ensures left_rows{Pre,Post}(WHICH,all,x,out,4*V,1,4*V,1,rows);
    ensures known{Pre}(WHICH,x,4*V,ix(rows,4*V,0)) ==>
      axis_lines{Pre,Post}(WHICH,all,x,out,rows,4*V,1); */
TEMPLATE(int WHICH)
KERNEL void reduce_rows_full(CONSTANTS(int WHICH) int lanes, int groups, idx blocks, idx rows,
                             int V, idx all, const float *RESTRICT x, float *RESTRICT out)
{
  //@ assert whole: level(rows,4*V,1,4*V,1) && ix(rows,1,0) == rows;
  //@ assert ix(ix(rows,4*V,0),1,0) == ix(rows,4*V,0);
  //@ assert ix(0,bdim_,0) == 0 && quo(0,lanes) == 0;
  /*@ loop invariant 0 <= b <= blocks && Same{Pre,Here}(x,ix(rows,4*V,0));
      loop invariant block_left{Pre,Here}(WHICH,all,x,out,4*V,1,4*V,1,0,first_group(b,lanes),rows);
      loop assigns b, out[0 .. rows-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    whole_block(WHICH, b, lanes, groups, rows, V, all, x, out);
    //@ assert Same{LoopCurrent,Here}(x,ix(rows,4*V,0));
    /*@ assert more: block_left{Pre,Here}(WHICH,all,x,out,4*V,1,4*V,1,0,first_group(b+1,lanes),
                                          rows); */
  }
  //@ assert covers(rows,lanes,blocks,bdim_);
  //@ assert all: rows <= quo(ix(blocks,bdim_,0),lanes);
  //@ assert left: left_rows{Pre,Here}(WHICH,all,x,out,4*V,1,4*V,1,rows);
}
#endif
