/* What a lane reads of a chunk of a row, of which a group of up to 32 lanes has each every lanes-th
 * element or vector, and joins of that: a sum or a maximum. */
#ifndef PM_REDUCE_ROWS_LOAD_H
#define PM_REDUCE_ROWS_LOAD_H
#include "cols.h"
#include "lane_items.h"

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
    ensures \result == ix(i,lanes,0) && 0 <= \result <= 7*lanes && (i < 4 ==> \result <= 3*lanes);
      */
DEV int rows_turn(int i, int lanes)
{
  //@ assert i == 0 || i == 1 || i == 2 || i == 3 || i == 4 || i == 5 || i == 6 || i == 7;
  //@ assert i * lanes == ix(i,lanes,0) && 0 <= i * lanes <= 7 * lanes;
  return i * lanes;
}

/* A round: the j-th element of those from `at` on and every lanes-th after it, of which those
 * before the end-th are there. All loads come first: nvcc sees to that only where it can count
 * the rounds, or nothing of asm is between them. In place of what is not there the first is
 * loaded again. */
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

/*@ predicate four_of(integer at, integer len, integer head, integer V, integer rest) =
      head == head_of(4,at,len) && V == vecs_of(4,at,len) && rest == len-4*V;
    lemma share_four_of{L}: \forall integer which, float *x, integer at, len, head, V, rest, lane,
      lanes; four_of(at,len,head,V,rest) ==> LaneShare(4,which,x,at,len,lane,lanes) ==
      Share(which,x,at,head,V,rest,lane,lanes); */
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
    //@ assert e < head ==> one == x[at+e];
    //@ assert head <= e ==> one == x[at+e+4*V];
    //@ assert single: one == Single(x,at,head,4*V,e);
    //@ assert item: one == Item(which,x,at,1,head,4*V,e);
    /*@ assert own: Own(which,x,at,1,head,4*V,lane,lanes,lesser(e+lanes,rest)) ==
          Join(which,Own(which,x,at,1,head,4*V,lane,lanes,e),one); */
    s = axis_join(which, s, one);
    /*@ assert both: s == Join(which, Own(which,x,at+head,4,0,0,lane,lanes,V),
                               Own(which,x,at,1,head,4*V,lane,lanes,lesser(e+lanes,rest))); */
  }
  //@ assert s == Share(which,x,at,head,V,rest,lane,lanes);
  //@ assert four_of(at,len,head,V,rest);
  /*@ assert share: LaneShare(4,which,x,at,len,lane,lanes) ==
        Share(which,x,at,head,V,rest,lane,lanes); */
  return s;
}

/*@ lemma head_none: \forall integer at, len; 0 <= at ==> at % 4 == 0 ==> 0 <= len ==>
      head_of(4,at,len) == 0;
    lemma vecs_whole: \forall integer at, V; head_of(4,at,4*V) == 0 ==> vecs_of(4,at,4*V) == V;
    lemma share_no_rest{L}: \forall integer which, float *x, integer at, V, lane, lanes;
      Own(which,x,at,1,0,4*V,lane,lanes,0) == Begin(which) &&
      low(which,Own(which,x,at,4,0,0,lane,lanes,V)) &&
      Share(which,x,at,0,V,0,lane,lanes) == Own(which,x,at,4,0,0,lane,lanes,V);
    lemma share_vectors{L}: \forall integer which, float *x, integer at, V, lane, lanes;
      head_of(4,at,4*V) == 0 ==> vecs_of(4,at,4*V) == V ==>
      LaneShare(4,which,x,at,4*V,lane,lanes) == Share(which,x,at,0,V,0,lane,lanes);
    lemma share_whole{L}: \forall integer which, float *x, integer at, V, lane, lanes; 0 <= V ==>
      at % 4 == 0 ==> 0 <= at ==> head_of(4,at,4*V) == 0 && vecs_of(4,at,4*V) == V &&
      LaneShare(4,which,x,at,4*V,lane,lanes) == Share(which,x,at,0,V,0,lane,lanes) &&
      LaneShare(4,which,x,at,4*V,lane,lanes) == Own(which,x,at,4,0,0,lane,lanes,V);
    predicate vector_of(integer at, integer u, integer e) = e == at+4*u;
    lemma vector_even: \forall integer at, u, e; at % 4 == 0 ==> vector_of(at,u,e) ==> e % 4 == 0;
      */
/* Of a row of V vectors from x[at] on, whole, every lanes-th from the lane's own on: in rounds
 * of four, for which the registers of a block leave room for 15 more, and with 32-bit numbers.
 * The rounds stand in the loop: of a function of its own nvcc unrolls no round. */
/*@ requires row_quads(x,at,V,size) && V <= ROWS_WHOLE / 4 && 0 <= lane < lanes <= 32;
    assigns \nothing;
    ensures \result == Own{Pre}(which,x,at,4,0,0,lane,lanes,V);
    ensures \result == LaneShare{Pre}(4,which,x,at,4*V,lane,lanes); */
DEV float rows_whole(int which, idx at, int V, int lane, int lanes,
                     const float *RESTRICT x GHOST_PARAMS(idx size))
{
  float s = axis_begin(which);
  const int step = ROWS_FOUR * lanes;
  //@ assert 0 < step <= 4*32 && step == 4*lanes;
  /*@ loop invariant 0 <= v <= V + step && at_own(v,lane,lanes);
      loop invariant s == Own{Pre}(which,x,at,4,0,0,lane,lanes,lesser(v,V));
      loop assigns v, s;
      loop variant V - v; */
  for (int v = lane; v < V; v += step) {
    float4 q[ROWS_FOUR];
    /*@ loop invariant 0 <= i <= ROWS_FOUR && loaded4{Pre,Here}(which,&q[0],x,at,v,lanes,V,i);
        loop assigns i, q[0 .. ROWS_FOUR-1];
        loop variant ROWS_FOUR - i; */
    UNROLL
    for (int i = 0; i < ROWS_FOUR; i++) {
      int k = v + rows_turn(i, lanes), u = k < V ? k : v;
      //@ assert u: 0 <= u < V && (u == k || u == v);
      //@ assert even: at % 4 == 0 && vector_of(at,u,at+4*u) && (at + 4*u) % 4 == 0;
      //@ assert apart: \forall integer j; 0 <= j < i ==> \separated(&q[j], &q[i]);
      q[i] = LD4(x + at + 4 * u);
      //@ assert quad: QuadOf(which,q[i]) == Quad{Pre}(which,x,at,u);
      //@ assert k == v + ix(i,lanes,0) && (k < V ==> u == k);
      //@ assert others: loaded4{Pre,Here}(which,&q[0],x,at,v,lanes,V,i);
    }
    //@ assert ix(0,lanes,0) == 0 && lesser(v+ix(0,lanes,0),V) == v;
    /*@ loop invariant 0 <= i <= ROWS_FOUR && at_own(v+ix(i,lanes,0),lane,lanes);
        loop invariant s == Own{Pre}(which,x,at,4,0,0,lane,lanes,lesser(v+ix(i,lanes,0),V));
        loop assigns i, s;
        loop variant ROWS_FOUR - i; */
    UNROLL
    for (int i = 0; i < ROWS_FOUR; i++) {
      //@ assert span: ix(3,lanes,0) == 3*lanes && 0 <= ix(i,lanes,0) <= ix(3,lanes,0);
      //@ assert turn: turn_on(v+ix(i,lanes,0),v+ix(i+1,lanes,0),lanes);
      //@ assert next: at_own(v+ix(i+1,lanes,0),lane,lanes);
      if (v + rows_turn(i, lanes) < V) {
        //@ assert item: QuadOf(which,q[i]) == Item{Pre}(which,x,at,4,0,0,v+ix(i,lanes,0));
        //@ assert below: own_below(v+ix(i,lanes,0),lesser(v+ix(i+1,lanes,0),V),lane,lanes);
        //@ assert so_far: s == Own{Pre}(which,x,at,4,0,0,lane,lanes,v+ix(i,lanes,0));
        float one = quad_join(which, q[i]);
        //@ assert one == Item{Pre}(which,x,at,4,0,0,v+ix(i,lanes,0));
        /*@ assert own: Own{Pre}(which,x,at,4,0,0,lane,lanes,lesser(v+ix(i+1,lanes,0),V)) ==
              Join(which,Own{Pre}(which,x,at,4,0,0,lane,lanes,v+ix(i,lanes,0)),one); */
        s = axis_join(which, s, one);
        //@ assert s == Own{Pre}(which,x,at,4,0,0,lane,lanes,lesser(v+ix(i+1,lanes,0),V));
      }
    }
    //@ assert ix(4,lanes,0) == 4*lanes;
  }
  return s;
}

/* A thread's group, and its number in that. */
typedef struct rows_lane_at {
  idx group;
  int lane;
} rows_lane_at;

/*@ predicate rows_ok(integer b, integer lanes, integer groups) =
      block && 0 <= b <= 0x7fffffff && group(lanes,groups); */
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
#endif
