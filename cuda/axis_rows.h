/* Sums, means and maxima of the rows of x, (outer, n), to out, (outer, chunks): one level, where a
 * group of up to 32 lanes reads a chunk of a row side by side. */
#ifndef PM_AXIS_ROWS_H
#define PM_AXIS_ROWS_H
#include "axis_cols.h"
#include "axis_dealt.h"

enum { ROWS_DEPTH = 8, ROWS_FOUR = 4, ROWS_WHOLE = 1 << 30 }; /* loads in flight */

/*@ predicate row_reads{L}(float *x, integer size) =
      0 <= size <= IDX_LIM && \valid_read(x + (0 .. size-1)) && perm_r(x,size);
    // elements of the chunk that begins at `at`
    predicate row_part(integer at, integer len, integer size) =
      0 <= at && 0 <= len && at + len <= size <= IDX_LIM;
    // vectors: the first begins at element `at`
    predicate row_quads{L}(float *x, integer at, integer V, integer size) =
      0 <= at && 0 <= V && at + 4*V <= size <= IDX_LIM && at % 4 == 0 && aligned16(x) &&
      row_reads(x,size);
    // i of a lane's elements, or vectors, from number j on
    predicate loaded{L0,L}(float *v, float *x, integer at, integer j, integer lanes, integer end,
                           integer i) =
      \forall integer q; 0 <= q < i ==> j+ix(q,lanes,0) < end ==>
        \at(v[q],L) == \at(x[at+(j+ix(q,lanes,0))],L0);
    logic real QuadOf(integer which, float4 q) =
      Join(which, Join(which,q.x,q.y), Join(which,q.z,q.w));
    predicate loaded4{L0,L}(integer which, float4 *v, float *x, integer at, integer j,
                            integer lanes, integer end, integer i) =
      \forall integer q; 0 <= q < i ==> j+ix(q,lanes,0) < end ==>
        QuadOf(which,\at(v[q],L)) == Quad{L0}(which,x,at,j+ix(q,lanes,0)); */

/* How far a lane's i-th turn is behind its first. */
/*@ requires 0 <= i < ROWS_DEPTH && 0 < lanes <= 32;
    assigns \nothing;
    ensures \result == ix(i,lanes,0) && 0 <= \result <= 7*lanes && (i < 4 ==> \result <= 3*lanes); */
DEV int rows_turn(int i, int lanes)
{
  //@ assert i == 0 || i == 1 || i == 2 || i == 3 || i == 4 || i == 5 || i == 6 || i == 7;
  //@ assert i * lanes == ix(i,lanes,0) && 0 <= i * lanes <= 7 * lanes;
  return i * lanes;
}

/* A round: the j-th element of those from `at` on and every lanes-th after it, of which those before
 * the end-th are there. All loads come first: nvcc sees to that only where it can count the rounds,
 * or nothing of asm is between them. In place of what is not there the first is loaded again. */
/*@ requires row_reads(x,size) && row_part(at,end,size) && 0 <= j < end && 0 < lanes <= 32;
    requires full != 0 ==> j + (ROWS_DEPTH-1)*lanes < end;
    requires at_own(j,lane,lanes) && s == Own(which,x,at,1,end,0,lane,lanes,j);
    assigns \nothing;
    ensures \result == Own{Pre}(which,x,at,1,end,0,lane,lanes,lesser(j+8*lanes,end));
    ensures at_own(j+8*lanes,lane,lanes); */
DEV float rows_round(int which, int full, float s, idx at, idx j, int lanes, idx end,
                     const float *RESTRICT x GHOST_PARAMS(idx size, int lane))
{
  float v[ROWS_DEPTH];
  /*@ loop invariant 0 <= i <= ROWS_DEPTH && loaded{Pre,Here}(&v[0],x,at,j,lanes,end,i);
      loop assigns i, v[0 .. ROWS_DEPTH-1];
      loop variant ROWS_DEPTH - i; */
  UNROLL
  for (int i = 0; i < ROWS_DEPTH; i++) {
    idx k = j + rows_turn(i, lanes);
    v[i] = LDG(x + at + (full || k < end ? k : j));
  }
  //@ assert ix(0,lanes,0) == 0 && lesser(j+ix(0,lanes,0),end) == j;
  /*@ loop invariant 0 <= i <= ROWS_DEPTH && at_own(j+ix(i,lanes,0),lane,lanes);
      loop invariant s == Own{Pre}(which,x,at,1,end,0,lane,lanes,lesser(j+ix(i,lanes,0),end));
      loop assigns i, s;
      loop variant ROWS_DEPTH - i; */
  UNROLL
  for (int i = 0; i < ROWS_DEPTH; i++) {
    //@ assert span: ix(7,lanes,0) == 7*lanes && 0 <= ix(i,lanes,0) <= ix(7,lanes,0);
    //@ assert turn: turn_on(j+ix(i,lanes,0),j+ix(i+1,lanes,0),lanes);
    //@ assert next: at_own(j+ix(i+1,lanes,0),lane,lanes);
    if (full || j + rows_turn(i, lanes) < end) {
      //@ assert item: v[i] == Item{Pre}(which,x,at,1,end,0,j+ix(i,lanes,0));
      //@ assert below: own_below(j+ix(i,lanes,0),lesser(j+ix(i+1,lanes,0),end),lane,lanes);
      s = axis_join(which, s, v[i]);
      //@ assert s == Own{Pre}(which,x,at,1,end,0,lane,lanes,lesser(j+ix(i+1,lanes,0),end));
    }
  }
  //@ assert ix(8,lanes,0) == 8*lanes;
  return s;
}

/*@ assigns \nothing; ensures \result == QuadOf(which,q); */
DEV float quad_join(int which, float4 q)
{
  return axis_join(which, axis_join(which, q.x, q.y), axis_join(which, q.z, q.w));
}

/* The same for vectors. */
/*@ requires row_quads(x,at,end,size) && 0 <= v < end && 0 < lanes <= 32;
    requires (depth == 4 || depth == 8) && (full != 0 ==> v + (depth-1)*lanes < end);
    requires at_own(v,lane,lanes) && s == Own(which,x,at,4,0,0,lane,lanes,v);
    assigns \nothing;
    ensures \result == Own{Pre}(which,x,at,4,0,0,lane,lanes,lesser(v+ix(depth,lanes,0),end));
    ensures at_own(v+ix(depth,lanes,0),lane,lanes); */
DEV float rows_round4(int which, int depth, int full, float s, idx at, idx v, int lanes, idx end,
                      const float *RESTRICT x GHOST_PARAMS(idx size, int lane))
{
  float4 q[ROWS_DEPTH];
  /*@ loop invariant 0 <= i <= depth && loaded4{Pre,Here}(which,&q[0],x,at,v,lanes,end,i);
      loop assigns i, q[0 .. ROWS_DEPTH-1];
      loop variant depth - i; */
  UNROLL
  for (int i = 0; i < depth; i++) {
    idx k = v + rows_turn(i, lanes), u = full || k < end ? k : v;
    //@ assert 0 <= u < end && (at + 4*u) % 4 == 0;
    q[i] = LD4(x + at + 4 * u);
    //@ assert QuadOf(which,q[i]) == Quad{Pre}(which,x,at,u);
  }
  //@ assert ix(0,lanes,0) == 0 && lesser(v+ix(0,lanes,0),end) == v;
  /*@ loop invariant 0 <= i <= depth && at_own(v+ix(i,lanes,0),lane,lanes);
      loop invariant s == Own{Pre}(which,x,at,4,0,0,lane,lanes,lesser(v+ix(i,lanes,0),end));
      loop assigns i, s;
      loop variant depth - i; */
  UNROLL
  for (int i = 0; i < depth; i++) {
    //@ assert span: ix(depth-1,lanes,0) == (depth-1)*lanes;
    //@ assert in: 0 <= ix(i,lanes,0) <= ix(depth-1,lanes,0);
    //@ assert turn: turn_on(v+ix(i,lanes,0),v+ix(i+1,lanes,0),lanes);
    //@ assert next: at_own(v+ix(i+1,lanes,0),lane,lanes);
    if (full || v + rows_turn(i, lanes) < end) {
      //@ assert item: QuadOf(which,q[i]) == Item{Pre}(which,x,at,4,0,0,v+ix(i,lanes,0));
      //@ assert below: own_below(v+ix(i,lanes,0),lesser(v+ix(i+1,lanes,0),end),lane,lanes);
      float one = quad_join(which, q[i]);
      //@ assert one == Item{Pre}(which,x,at,4,0,0,v+ix(i,lanes,0));
      /*@ assert own: Own{Pre}(which,x,at,4,0,0,lane,lanes,lesser(v+ix(i+1,lanes,0),end)) ==
            Join(which,Own{Pre}(which,x,at,4,0,0,lane,lanes,v+ix(i,lanes,0)),one); */
      s = axis_join(which, s, one);
      //@ assert s == Own{Pre}(which,x,at,4,0,0,lane,lanes,lesser(v+ix(i+1,lanes,0),end));
    }
  }
  return s;
}

/* Of the `len` elements from `at` on every lanes-th, from the lane's own on. */
/*@ requires row_reads(x,size) && row_part(at,len,size) && 0 <= lane < lanes <= 32;
    assigns \nothing;
    ensures \result == Own{Pre}(which,x,at,1,len,0,lane,lanes,len);
    ensures \result == LaneShare{Pre}(1,which,x,at,len,lane,lanes); */
DEV float rows_lane(int which, idx at, idx len, int lane, int lanes,
                    const float *RESTRICT x GHOST_PARAMS(idx size))
{
  float s = axis_begin(which);
  idx j = lane;
  /*@ loop invariant 0 <= j <= len + ROWS_DEPTH*lanes && at_own(j,lane,lanes);
      loop invariant s == Own(which,x,at,1,len,0,lane,lanes,lesser(j,len));
      loop assigns j, s;
      loop variant len - j; */
  for (; j + (ROWS_DEPTH - 1) * lanes < len; j += ROWS_DEPTH * lanes)
    s = rows_round(which, 1, s, at, j, lanes, len, x GHOST_ARGS(size, lane));
  if (j < len)
    s = rows_round(which, 0, s, at, j, lanes, len, x GHOST_ARGS(size, lane));
  return s;
}

/* The same by vectors that are aligned, and what is left before and behind them one by one. */
/*@ requires row_reads(x,size) && row_part(at,len,size) && 0 <= lane < lanes <= 32;
    requires aligned16(x);
    assigns \nothing;
    ensures \result == LaneShare{Pre}(4,which,x,at,len,lane,lanes); */
DEV float rows_lane4(int which, idx at, idx len, int lane, int lanes,
                     const float *RESTRICT x GHOST_PARAMS(idx size))
{
  float s = axis_begin(which);
  idx head = (idx)((uint64_t)at * 3 % 4), v = lane, V, rest;
  head = head < len ? head : len;
  V = (len - head) / 4;
  rest = len - 4 * V;
  //@ assert 0 < V ==> row_quads(x,at+head,V,size);
  //@ assert head == head_of(4,at,len) && V == vecs_of(4,at,len) && rest == len - 4*V;
  /*@ loop invariant 0 <= v <= V + ROWS_DEPTH*lanes && at_own(v,lane,lanes);
      loop invariant s == Own(which,x,at+head,4,0,0,lane,lanes,lesser(v,V));
      loop assigns v, s;
      loop variant V - v; */
  for (; v + (ROWS_DEPTH - 1) * lanes < V; v += ROWS_DEPTH * lanes) {
    //@ assert ix(8,lanes,0) == 8*lanes;
    s = rows_round4(which, ROWS_DEPTH, 1, s, at + head, v, lanes, V, x GHOST_ARGS(size, lane));
  }
  //@ assert ix(8,lanes,0) == 8*lanes;
  if (v < V)
    s = rows_round4(which, ROWS_DEPTH, 0, s, at + head, v, lanes, V, x GHOST_ARGS(size, lane));
  //@ assert vectors: s == Own(which,x,at+head,4,0,0,lane,lanes,V);
  /*@ loop invariant 0 <= e <= rest + lanes && at_own(e,lane,lanes);
      loop invariant s == Join(which, Own(which,x,at+head,4,0,0,lane,lanes,V),
                               Own(which,x,at,1,head,4*V,lane,lanes,lesser(e,rest)));
      loop assigns e, s;
      loop variant rest - e; */
  for (idx e = lane; e < rest; e += lanes) {
    //@ assert turn: turn_on(e,e+lanes,lanes) && at_own(e+lanes,lane,lanes);
    //@ assert below: own_below(e,lesser(e+lanes,rest),lane,lanes);
    float one = LDG(x + at + (e < head ? e : e + 4 * V));
    //@ assert one == Single(x,at,head,4*V,e);
    //@ assert item: one == Item(which,x,at,1,head,4*V,e);
    /*@ assert own: Own(which,x,at,1,head,4*V,lane,lanes,lesser(e+lanes,rest)) ==
          Join(which,Own(which,x,at,1,head,4*V,lane,lanes,e),one); */
    s = axis_join(which, s, one);
    /*@ assert both: s == Join(which, Own(which,x,at+head,4,0,0,lane,lanes,V),
                               Own(which,x,at,1,head,4*V,lane,lanes,lesser(e+lanes,rest))); */
  }
  //@ assert s == Share(which,x,at,head,V,rest,lane,lanes);
  return s;
}

/* A thread's group, and its number in that. */
typedef struct rows_lane_at {
  idx group;
  int lane;
} rows_lane_at;

/*@ predicate rows_ok(integer b, integer lanes, integer groups) =
      block && 0 <= b <= 0x7fffffff && group(lanes,groups);
    // rows of out that groups have whose first thread is below number T
    predicate left_to{L0,L}(integer which, integer all, float *x, float *out, integer n,
                            integer chunk, integer chunks, integer count, integer lanes,
                            integer T) =
      \forall integer k; 0 <= k < count ==> ix(k,lanes,0) < T ==>
        \at(out[k],L) == Left{L0}(which,all,x,n,1,chunk,chunks,k,0);
    // what thread T has of its group's chunk
    logic real Taken{L}(integer W, integer which, float *x, integer T, integer lanes, integer n,
                        integer chunk, integer chunks, integer count) =
      quo(T,lanes) < count
        ? LaneShare{L}(W,which,x,chunk_at(quo(T,lanes),n,chunk,chunks),
                       chunk_len(quo(T,lanes),n,chunk,chunks),rem(T,lanes),lanes)
        : Begin(which);
    predicate taken{L0,L}(integer W, integer which, float *s, float *x, integer from, integer lanes,
                          integer n, integer chunk, integer chunks, integer count, integer t) =
      \forall integer l; 0 <= l < t ==>
        \at(s[l],L) == Taken{L0}(W,which,x,from+l,lanes,n,chunk,chunks,count);
    // and, with its group's, that group's
    predicate grouped{L0,L}(integer which, float *s, float *x, integer from, integer lanes,
                            integer n, integer chunk, integer chunks, integer count, integer t) =
      \forall integer l; 0 <= l < t ==> rem(from+l,lanes) == 0 ==> quo(from+l,lanes) < count ==>
        \at(s[l],L) == Run{L0}(which,x,chunk_at(quo(from+l,lanes),n,chunk,chunks),
                               chunk_len(quo(from+l,lanes),n,chunk,chunks));
    lemma taken_lows{L0,L}: \forall integer W, which, float *s, float *x, integer from, lanes, n,
      chunk, chunks, count, t; taken{L0,L}(W,which,s,x,from,lanes,n,chunk,chunks,count,t) ==>
      lows{L}(which,s,t);
    // threads of a group
    predicate first_of(integer T, integer lanes, integer k) =
      0 <= T && 0 < lanes <= 32 && rem(T,lanes) == 0 && k == quo(T,lanes);
    lemma mate_quo: \forall integer T, U, lanes; 0 <= T <= U < T+lanes ==> rem(T,lanes) == 0 ==>
      quo(U,lanes) == quo(T,lanes) && rem(U,lanes) == U-T;
    lemma first_1: \forall integer l; 0 <= l ==> rem(l,1) == 0 ==> group_of(l,1) == l;
    lemma whole_1: \forall integer from, l; 0 <= from ==> 0 <= l ==> from % 32 == 0 ==>
      rem(from+l,1) == rem(l,1);
    lemma first_2: \forall integer l; 0 <= l ==> rem(l,2) == 0 ==> group_of(l,2) == l;
    lemma whole_2: \forall integer from, l; 0 <= from ==> 0 <= l ==> from % 32 == 0 ==>
      rem(from+l,2) == rem(l,2);
    lemma first_4: \forall integer l; 0 <= l ==> rem(l,4) == 0 ==> group_of(l,4) == l;
    lemma whole_4: \forall integer from, l; 0 <= from ==> 0 <= l ==> from % 32 == 0 ==>
      rem(from+l,4) == rem(l,4);
    lemma first_8: \forall integer l; 0 <= l ==> rem(l,8) == 0 ==> group_of(l,8) == l;
    lemma whole_8: \forall integer from, l; 0 <= from ==> 0 <= l ==> from % 32 == 0 ==>
      rem(from+l,8) == rem(l,8);
    lemma first_16: \forall integer l; 0 <= l ==> rem(l,16) == 0 ==> group_of(l,16) == l;
    lemma whole_16: \forall integer from, l; 0 <= from ==> 0 <= l ==> from % 32 == 0 ==>
      rem(from+l,16) == rem(l,16);
    lemma first_32: \forall integer l; 0 <= l ==> rem(l,32) == 0 ==> group_of(l,32) == l;
    lemma whole_32: \forall integer from, l; 0 <= from ==> 0 <= l ==> from % 32 == 0 ==>
      rem(from+l,32) == rem(l,32);
    // of a block whose first thread is number `from`
    predicate block_at(integer from, integer lanes, integer groups) =
      0 <= from && from % 32 == 0 && group(lanes,groups);
    lemma first_of_group: \forall integer from, l, lanes, groups; block_at(from,lanes,groups) ==>
      0 <= l ==> rem(from+l,lanes) == rem(l,lanes) && (rem(l,lanes) == 0 ==> group_of(l,lanes) == l);
    // the lanes of a group have its chunk among them
    lemma taken_mate{L0,L}: \forall integer W, which, float *s, float *x, integer from, lanes, n,
      chunk, chunks, count, t, l, m; 0 <= from ==> 0 <= l <= m < l+lanes ==> m < t ==>
      rem(from+l,lanes) == 0 ==> quo(from+l,lanes) < count ==>
      taken{L0,L}(W,which,s,x,from,lanes,n,chunk,chunks,count,t) ==>
      quo(from+m,lanes) == quo(from+l,lanes) && rem(from+m,lanes) == m-l &&
      \at(s[m],L) == LaneShare{L0}(W,which,x,chunk_at(quo(from+l,lanes),n,chunk,chunks),
                        chunk_len(quo(from+l,lanes),n,chunk,chunks),m-l,lanes);
    lemma taken_shares{L0,L}: \forall integer W, which, float *s, float *x, integer from, lanes, n,
      chunk, chunks, count, t, l; 0 <= from ==> 0 <= l ==> l+lanes <= t ==> 0 < lanes ==>
      rem(from+l,lanes) == 0 ==> quo(from+l,lanes) < count ==>
      taken{L0,L}(W,which,s,x,from,lanes,n,chunk,chunks,count,t) ==>
      lane_shares{L0,L}(W,which,s,l,x,chunk_at(quo(from+l,lanes),n,chunk,chunks),
                        chunk_len(quo(from+l,lanes),n,chunk,chunks),lanes);
    // what a thread writes; threads are apart by race_group
    predicate rows_W(integer k, integer lane, integer e) = lane == 0 && e == k;
    lemma race_rows: \forall integer k, t, l, u, e; (k != l || t != u) ==>
      rows_W(k,t,e) ==> !rows_W(l,u,e); */
/* Of thread t of block b. */
/*@ requires rows_ok(b,lanes,groups) && 0 <= t < BDIM;
    assigns \nothing;
    ensures \result.group == quo(ix(b,bdim_,t),lanes) && \result.lane == rem(ix(b,bdim_,t),lanes);
    ensures 0 <= \result.lane < lanes && 0 <= \result.group <= IDX_LIM; */
DEV rows_lane_at rows_find(idx b, int t, int lanes, int groups)
{
  rows_lane_at p;
  //@ assert b * bdim_ == ix(b,bdim_,0);
  //@ assert 0 <= ix(b,bdim_,0) <= ix(0x7fffffff,bdim_,0);
  //@ assert ix(0x7fffffff,bdim_,0) == 0x7fffffff * bdim_;
  //@ assert 0 <= b * bdim_ <= 0x7fffffff * MAXB;
  idx thread = b * BDIM + t;
  //@ assert thread == ix(b,bdim_,t);
  p.group = lane_group(thread, groups GHOST_ARGS(lanes));
  //@ assert ix(p.group,lanes,rem(thread,lanes)) == thread && 0 <= rem(thread,lanes) < lanes;
  //@ assert p.group * lanes == ix(p.group,lanes,0) && 0 <= ix(p.group,lanes,0) <= thread;
  p.lane = (int)(thread - p.group * lanes);
  return p;
}

/* out[k], by lane 0 of group k. */
/*@ requires \forall integer e; rows_W(k,lane,e) ==> \valid(out + e) && W(out+e);
    assigns out[k]; */
DEV void rows_put(idx k, int lane, float s, float *RESTRICT out)
{
  //@ assert lane == 0 ==> rows_W(k,lane,k);
  if (lane == 0)
    STG(out + k, s);
}

/*@ requires \valid(s + (0 .. BDIM-1)) && rows_ok(b,lanes,groups) && writes(out,count);
    assigns out[0 .. count-1]; */
DEV void rows_leave(LANE(float, s), int which, idx b, int lanes, int groups, idx count, idx all,
                    float *RESTRICT out)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, out[0 .. count-1];
      loop variant BDIM - t; */
  LANES(t) {
    rows_lane_at p = rows_find(b, t, lanes, groups);
    if (p.group < count)
      rows_put(p.group, p.lane, axis_last(which, all, AT(s, t)), out);
  }
}

/* Chunk k of all rows. */
/*@ requires level(outer,n,1,chunk,chunks) && reads(x,ix(outer,n,0)) && (VEC != 0 ==> aligned16(x));
    requires 0 <= k < ix(outer,chunks,0) && 0 <= lane < lanes <= 32;
    assigns \nothing;
    ensures low(which,\result); */
DEV float rows_chunk(int which, int VEC, idx k, int lane, int lanes, idx n, idx chunk, idx chunks,
                     const float *RESTRICT x GHOST_PARAMS(idx outer))
{
  idx o = axis_line(k, chunks), from = axis_chunk(k, o, chunks, chunk);
  idx len = chunk < n - from ? chunk : n - from;
  //@ assert 0 <= o < outer && 0 <= from <= n && 0 <= len;
  //@ assert 0 <= ix(o,n,0) && ix(o+1,n,0) <= ix(outer,n,0);
  //@ assert ix(o,n,from) + len <= ix(o+1,n,0);
  idx at = axis_at(from, o, n);
  if (VEC)
    return rows_lane4(which, at, len, lane, lanes, x GHOST_ARGS(ix_times(outer, n)));
  /* With a constant the loads of a round have one address: nvcc issues all before it adds. */
  return lanes == 32 ? rows_lane(which, at, len, lane, 32, x GHOST_ARGS(ix_times(outer, n)))
                     : rows_lane(which, at, len, lane, lanes, x GHOST_ARGS(ix_times(outer, n)));
}

/*@ requires rows_ok(b,lanes,groups) && level(outer,n,1,chunk,chunks);
    requires reads(x,ix(outer,n,0)) && (VEC != 0 ==> aligned16(x));
    requires count == ix(outer,chunks,0) && \valid(s + (0 .. BDIM-1));
    assigns s[0 .. BDIM-1];
    ensures lows(which,s,BDIM); */
DEV void rows_take(LANE(float, s), int which, int VEC, idx b, int lanes, int groups, idx n,
                   idx chunk, idx chunks, idx count,
                   const float *RESTRICT x GHOST_PARAMS(idx outer))
{
  /*@ loop invariant 0 <= t <= BDIM && lows(which,s,t);
      loop assigns t, s[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    rows_lane_at p = rows_find(b, t, lanes, groups);
    AT(s, t) = p.group < count ? rows_chunk(which, VEC, p.group, p.lane, lanes, n, chunk, chunks,
                                            x GHOST_ARGS(outer))
                               : axis_begin(which);
  }
}

/* all: of what the line's join is the last level, or -1. */
/*@ requires level(outer,n,1,chunk,chunks) && 0 <= blocks <= 0x7fffffff && block;
    requires ix(blocks,1,0) <= BLOCKS && group(lanes,groups);
    requires reads(x,ix(outer,n,0)) && (VEC != 0 ==> aligned16(x));
    requires writes(out,ix(outer,chunks,0)) && apart(x,ix(outer,n,0),out,ix(outer,chunks,0));
    assigns out[0 .. ix(outer,chunks,0)-1]; */
TEMPLATE(int WHICH, int VEC)
KERNEL void axis_rows(CONSTANTS(int WHICH, int VEC) int lanes, int groups, idx blocks, idx outer,
                      idx n, idx chunk, idx chunks, idx all, const float *RESTRICT x,
                      float *RESTRICT out)
{
  await_launches();
  idx count = ix_times(outer, chunks);
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, out[0 .. ix(outer,chunks,0)-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    PRIVATE(float, s);
    rows_take(s, WHICH, VEC, b, lanes, groups, n, chunk, chunks, count, x GHOST_ARGS(outer));
    group_join(s, WHICH, lanes GHOST_ARGS(groups));
    rows_leave(s, WHICH, b, lanes, groups, count, all, out);
  }
}

/* ---- a row of 4V elements whole: rounds of four vectors, for which the registers of a block leave
 * room for 15 more, and 32-bit numbers ---- */

/*@ requires row_quads(x,at,V,size) && V <= ROWS_WHOLE / 4 && 0 <= lane < lanes <= 32;
    assigns \nothing;
    ensures low(which,\result); */
DEV float rows_whole(int which, idx at, int V, int lane, int lanes,
                     const float *RESTRICT x GHOST_PARAMS(idx size))
{
  float s = axis_begin(which);
  const int step = ROWS_FOUR * lanes;
  //@ assert 0 < step <= 4*32;
  /*@ loop invariant 0 <= v <= V + step && low(which,s);
      loop assigns v, s;
      loop variant V - v; */
  for (int v = lane; v < V; v += step) {
    float4 q[ROWS_FOUR];
    /*@ loop invariant 0 <= i <= ROWS_FOUR;
        loop assigns i, q[0 .. ROWS_FOUR-1];
        loop variant ROWS_FOUR - i; */
    UNROLL
    for (int i = 0; i < ROWS_FOUR; i++) {
      int k = v + rows_turn(i, lanes), u = k < V ? k : v;
      //@ assert 0 <= u < V && (at + 4*u) % 4 == 0;
      q[i] = LD4(x + at + 4 * u);
    }
    /*@ loop invariant 0 <= i <= ROWS_FOUR && low(which,s);
        loop assigns i, s;
        loop variant ROWS_FOUR - i; */
    UNROLL
    for (int i = 0; i < ROWS_FOUR; i++) {
      if (v + rows_turn(i, lanes) < V)
        s = axis_join(
            which, s,
            axis_join(which, axis_join(which, q[i].x, q[i].y), axis_join(which, q[i].z, q[i].w)));
    }
  }
  return s;
}

/*@ requires rows_ok(b,lanes,groups) && 0 <= rows && 0 < V <= ROWS_WHOLE / 4;
    requires reads(x,4*ix(rows,V,0)) && aligned16(x) && \valid(s + (0 .. BDIM-1));
    assigns s[0 .. BDIM-1];
    ensures lows(which,s,BDIM); */
DEV void rows_take_whole(LANE(float, s), int which, idx b, int lanes, int groups, idx rows, int V,
                         const float *RESTRICT x)
{
  /*@ loop invariant 0 <= t <= BDIM && lows(which,s,t);
      loop assigns t, s[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    rows_lane_at p = rows_find(b, t, lanes, groups);
    AT(s, t) = axis_begin(which);
    if (p.group < rows) {
      //@ assert 0 <= ix(p.group,V,0) && ix(p.group,V,0) + V <= ix(rows,V,0);
      idx at = 4 * ix_times(p.group, V);
      //@ assert at % 4 == 0;
      //@ assert 0 <= at && at + 4*V <= 4*ix(rows,V,0) <= IDX_LIM;
      //@ assert row_quads(x,at,V,4*ix(rows,V,0));
      AT(s, t) = rows_whole(which, at, V, p.lane, lanes, x GHOST_ARGS(4 * ix_times(rows, V)));
    }
  }
}

/*@ requires 0 <= rows && 0 < V <= ROWS_WHOLE / 4 && 0 <= blocks <= 0x7fffffff && block;
    requires ix(blocks,1,0) <= BLOCKS && group(lanes,groups);
    requires reads(x,4*ix(rows,V,0)) && aligned16(x);
    requires writes(out,rows) && apart(x,4*ix(rows,V,0),out,rows);
    assigns out[0 .. rows-1]; */
TEMPLATE(int WHICH)
KERNEL void axis_whole(CONSTANTS(int WHICH) int lanes, int groups, idx blocks, idx rows, int V,
                       idx all, const float *RESTRICT x, float *RESTRICT out)
{
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, out[0 .. rows-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    PRIVATE(float, s);
    rows_take_whole(s, WHICH, b, lanes, groups, rows, V, x);
    group_join(s, WHICH, lanes GHOST_ARGS(groups));
    rows_leave(s, WHICH, b, lanes, groups, rows, all, out);
  }
}
#endif
