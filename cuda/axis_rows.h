/* Sums, means and maxima of the rows of x, (outer, n): one level, where a group of up to 32 lanes
 * reads a chunk of a row side by side. */
#ifndef PM_AXIS_ROWS_H
#define PM_AXIS_ROWS_H
#include "axis_groups.h"
#include "launch_after.h"

enum { AXIS_DEPTH = 8 }; /* loads in flight */

/*@ // lane's elements of the first `end` of those from `at` on: those before j are in s
    predicate lane_in{L}(float *x, integer size, integer at, integer lane, integer lanes,
                         integer end) =
      reads(x,size) && 0 <= at && 0 <= end && at + end <= size && 0 <= lane < lanes <= 32; */

/* A round: AXIS_DEPTH elements, the j-th and every lanes-th after it, of which those before the
 * end-th are there. All loads come first: nvcc sees to that only where it can count the rounds, or
 * nothing of asm is between them. In place of what is not there the first is loaded again. */
/*@ requires lane_in(x,size,at,lane,lanes,end) && 0 <= j < end && rem(j,lanes) == lane;
    requires full != 0 ==> j + (AXIS_DEPTH-1)*lanes < end;
    requires s == Share(which,x,at,lanes,lane,lane+1,j);
    assigns \nothing;
    ensures \result == Share(which,x,at,lanes,lane,lane+1,lesser(j+AXIS_DEPTH*lanes,end));
    ensures rem(j+AXIS_DEPTH*lanes,lanes) == lane; */
DEV float rows_round(int which, int full, float s, idx at, idx j, int lanes, idx end,
                     const float *RESTRICT x GHOST_PARAMS(int lane, idx size))
{
  float v[AXIS_DEPTH];
  //@ assert mul(AXIS_DEPTH,lanes) == AXIS_DEPTH*lanes;
  /*@ loop invariant 0 <= i <= AXIS_DEPTH && q == j + mul(i,lanes) && 0 <= mul(i,lanes) <= 32*i;
      loop invariant full != 0 ==> q - lanes < end;
      loop invariant \forall integer c; 0 <= c < i ==> (full != 0 || j + mul(c,lanes) < end) ==>
        v[c] == x[at + (j + mul(c,lanes))];
      loop assigns i, q, v[0 .. AXIS_DEPTH-1];
      loop variant AXIS_DEPTH - i; */
  UNROLL
  for (idx i = 0, q = j; i < AXIS_DEPTH; i++, q += lanes) {
    //@ assert mul(i,lanes) + lanes <= mul(AXIS_DEPTH,lanes);
    v[i] = LDG(x + at + (full || q < end ? q : j));
  }
  /*@ loop invariant 0 <= i <= AXIS_DEPTH && q == j + mul(i,lanes) && 0 <= mul(i,lanes) <= 32*i;
      loop invariant rem(q,lanes) == lane;
      loop invariant s == Share(which,x,at,lanes,lane,lane+1,lesser(q,end));
      loop assigns i, q, s;
      loop variant AXIS_DEPTH - i; */
  UNROLL
  for (idx i = 0, q = j; i < AXIS_DEPTH; i++, q += lanes) {
    //@ assert mul(i,lanes) + lanes <= mul(AXIS_DEPTH,lanes);
    //@ assert rem(q+lanes,lanes) == lane;
    if (full || q < end) {
      //@ assert v[i] == x[at+q];
      //@ assert skips(which,x,at,lanes,lane,q,lesser(q+lanes,end)-q-1);
      s = axis_join(which, s, v[i]);
      //@ assert q+1+(lesser(q+lanes,end)-q-1) == lesser(q+lanes,end);
      //@ assert s == Share(which,x,at,lanes,lane,lane+1,lesser(q+lanes,end));
    }
  }
  return s;
}

/* The join of a lane's elements of the `end` from `at` on. */
/*@ requires lane_in(x,size,at,lane,lanes,end);
    assigns \nothing;
    ensures \result == Share(which,x,at,lanes,lane,lane+1,end); */
DEV float rows_lane(int which, idx at, int lane, int lanes, idx end,
                    const float *RESTRICT x GHOST_PARAMS(idx size))
{
  float s = axis_begin(which);
  idx j = lane;
  //@ assert rem(j,lanes) == lane;
  /*@ loop invariant lane <= j <= end + AXIS_DEPTH*lanes && rem(j,lanes) == lane;
      loop invariant s == Share(which,x,at,lanes,lane,lane+1,lesser(j,end));
      loop assigns j, s;
      loop variant end - j; */
  for (; j + (AXIS_DEPTH - 1) * lanes < end; j += AXIS_DEPTH * lanes)
    s = rows_round(which, 1, s, at, j, lanes, end, x GHOST_ARGS(lane, size));
  if (j < end)
    s = rows_round(which, 0, s, at, j, lanes, end, x GHOST_ARGS(lane, size));
  return s;
}

/* The group of a thread, and which of its lanes the thread is. */
/*@ requires lanes_are(log,lanes) && 0 <= t;
    assigns \nothing;
    ensures \result == quo(t,lanes); */
DEV int rows_group(int t, int log GHOST_PARAMS(int lanes))
{
  //@ assert log == 0 ==> (t >> log) == t / 1;
  //@ assert log == 1 ==> (t >> log) == t / 2;
  //@ assert log == 2 ==> (t >> log) == t / 4;
  //@ assert log == 3 ==> (t >> log) == t / 8;
  //@ assert log == 4 ==> (t >> log) == t / 16;
  //@ assert log == 5 ==> (t >> log) == t / 32;
  return t >> log;
}

/*@ requires lanes_are(log,lanes) && 0 <= t;
    assigns \nothing;
    ensures \result == rem(t,lanes); */
DEV int rows_lane_of(int t, int lanes GHOST_PARAMS(int log))
{
  //@ assert lanes == 1 ==> (t & (lanes - 1)) == t % 1;
  //@ assert lanes == 2 ==> (t & (lanes - 1)) == t % 2;
  //@ assert lanes == 4 ==> (t & (lanes - 1)) == t % 4;
  //@ assert lanes == 8 ==> (t & (lanes - 1)) == t % 8;
  //@ assert lanes == 16 ==> (t & (lanes - 1)) == t % 16;
  //@ assert lanes == 32 ==> (t & (lanes - 1)) == t % 32;
  return t & (lanes - 1);
}

/*@ // chunk k of all rows: where it begins in x, and its elements
    logic integer row_from(integer n, integer chunk, integer chunks, integer k) =
      ix(quo(k,chunks),n,0) + ix(rem(k,chunks),chunk,0);
    logic integer row_len(integer n, integer chunk, integer chunks, integer k) =
      lesser(chunk, n - ix(rem(k,chunks),chunk,0)); */
/* What a lane has of chunk k, which may not be there. */
/*@ requires level(outer,n,1,chunk,chunks) && reads(x,ix(outer,n,0)) && 0 <= k <= IDX_LIM;
    requires lines == ix(outer,chunks,0) && 0 <= lane < lanes <= 32;
    assigns \nothing;
    ensures k < lines ==> \result == Share(which, x, row_from(n,chunk,chunks,k), lanes, lane, lane+1,
                                           row_len(n,chunk,chunks,k)); */
DEV float rows_part(int which, idx k, int lane, int lanes, idx lines, idx n, idx chunk, idx chunks,
                    const float *RESTRICT x GHOST_PARAMS(idx outer))
{
  float s = axis_begin(which);
  if (k < lines) {
    idx o = axis_line(k, chunks), from = axis_chunk(k, o, chunks, chunk);
    idx len = chunk < n - from ? chunk : n - from;
    //@ assert 0 <= o < outer && 0 <= from <= n && 0 <= len;
    //@ assert 0 <= ix(o,n,0) && ix(o,n,0) + n <= ix(outer,n,0);
    s = rows_lane(which, axis_times(o, n) + from, lane, lanes, len,
                  x GHOST_ARGS(axis_times(outer, n)));
  }
  return s;
}
#endif
