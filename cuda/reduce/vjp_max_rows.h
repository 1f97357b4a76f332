/* VJP of the maximum along rows: dx and x are (rows, n), y and g (rows). `lanes` threads have a
 * row, a block where they are more than a warp; they count the elements that are y and keep
 * those of their first four turns. W elements at a time, 4 or 1: thread t of the row has every
 * lanes-th vector, from its own number on. */
#ifndef PM_REDUCE_VJP_MAX_ROWS_H
#define PM_REDUCE_VJP_MAX_ROWS_H
#include "vjp.h"

enum { TIES_HELD = 4, TIES_ROW = 1 << 16 };

/* A thread's row, its number among the row's threads, and the row's vectors: none, where there is
 * no such row. */
typedef struct ties_lane {
  idx row, at;
  int lane, have;
} ties_lane;

/*@ predicate ties_sizes(integer rows, integer n, integer lanes, integer groups, integer W) =
      block && 0 <= rows <= IDX_LIM && 0 < n <= TIES_ROW && ix(rows,n,0) <= IDX_LIM &&
      (group(lanes,groups) || 32 < lanes == bdim_) && (W == 1 || W == 4) && (W == 4 ==> n % 4 == 0);
    predicate ties_lane_ok(ties_lane p, integer rows, integer n, integer lanes, integer W) =
      0 <= p.lane < lanes <= MAXB && 0 <= p.row && 0 < n <= TIES_ROW && (W == 1 || W == 4) &&
      (p.have == 0 || (p.row < rows && p.at == ix(p.row,n,0) && 0 <= p.at &&
                       p.at + n <= ix(rows,n,0) <= IDX_LIM && n == wide(W,p.have) &&
                       (W == 4 ==> p.at % 4 == 0)));
    // what a thread writes
    predicate ties_W(integer row, integer lane, integer lanes, integer n, integer W, integer e) =
      along_W(lane, lanes, n, W == 4 ? 0 : n, e - ix(row,n,0));
    lemma race_ties: \forall integer q, t, r, u, lanes, n, W, e; (q != r || t != u) ==>
      ties_W(q,t,lanes,n,W,e) ==> !ties_W(r,u,lanes,n,W,e);
    predicate ties_own(float *dx, integer row, integer lane, integer lanes, integer n,
                       integer W) =
      \forall integer e; ties_W(row,lane,lanes,n,W,e) ==> own(dx,e);
    lemma ties_inside: \forall integer row, rows, t, lanes, n, W, e; 0 <= row < rows ==>
      ties_W(row,t,lanes,n,W,e) ==> 0 <= e < ix(rows,n,0);
    lemma ties_owns: \forall float *dx, integer row, rows, t, lanes, n, W; 0 <= row < rows ==>
      perm(dx,ix(rows,n,0)) ==> ties_own(dx,row,t,lanes,n,W);
    lemma quo_whole: \forall integer b, n, t; 0 <= b ==> 0 <= t < n ==>
      quo(ix(b,n,t),n) == b && rem(ix(b,n,t),n) == t;
    predicate ties_turns(integer t, integer n) =
      rem(t,n) == t && rem(t+n,n) == t && rem(t+2*n,n) == t && rem(t+3*n,n) == t &&
      rem(t+4*n,n) == t;
    lemma turns_of: \forall integer t, n; 0 <= t < n ==> ties_turns(t,n); */

/*@ predicate ties_is(ties_lane p, integer b, integer t, integer rows, integer n, integer lanes,
                      integer W) =
      ties_lane_ok(p,rows,n,lanes,W) && p.row == quo(ix(b,bdim_,t),lanes) &&
      p.lane == rem(ix(b,bdim_,t),lanes);
    predicate ties_lanes{L}(ties_lane *p, integer b, integer rows, integer n, integer lanes,
                            integer W, integer to) =
      \forall integer t; 0 <= t < to ==> ties_is(p[t],b,t,rows,n,lanes,W);
    predicate ties_kept{L1,L2}(ties_lane *p, integer to) =
      \forall integer t; 0 <= t < to ==> 
        \at(p[t].row,L1) == \at(p[t].row,L2) && \at(p[t].at,L1) == \at(p[t].at,L2) &&
        \at(p[t].lane,L1) == \at(p[t].lane,L2) && \at(p[t].have,L1) == \at(p[t].have,L2); */
/* Thread t of block b. */
/*@ requires ties_sizes(rows,n,lanes,groups,W) && 0 <= b <= 0x7fffffff && 0 <= t < BDIM;
    assigns \nothing;
    ensures ties_is(\result,b,t,rows,n,lanes,W); */
DEV ties_lane ties_find(idx b, int t, int lanes, int groups, idx rows, int n, int W)
{
  //@ assert b * bdim_ == ix(b,bdim_,0);
  /*@ assert 0 <= ix(b,bdim_,0) <= ix(0x7fffffff,bdim_,0) && ix(0x7fffffff,bdim_,0) == 0x7fffffff
        * bdim_; */
  //@ assert 0 <= b * bdim_ <= 0x7fffffff * MAXB;
  idx thread = b * BDIM + t;
  ties_lane p = {b, 0, t, 0};
  //@ assert thread == ix(b,bdim_,t);
  if (lanes <= 32) {
    p.row = lane_group(thread, groups GHOST_ARGS(lanes));
    //@ assert ix(p.row,lanes,rem(thread,lanes)) == thread && 0 <= rem(thread,lanes) < lanes;
    //@ assert p.row * lanes == ix(p.row,lanes,0) && 0 <= ix(p.row,lanes,0) <= thread;
    p.lane = (int)(thread - p.row * lanes);
  }
  //@ assert p.row == quo(ix(b,bdim_,t),lanes);
  //@ assert p.lane == rem(ix(b,bdim_,t),lanes) && 0 <= p.lane < lanes;
  if (p.row < rows) {
    //@ assert 0 <= ix(p.row,n,0) && ix(p.row+1,n,0) <= ix(rows,n,0);
    p.have = n / W;
    p.at = ix_times(p.row, n);
    //@ assert W == 4 ==> n == 4*p.have && ix(p.row,4*p.have,0) == 4*ix(p.row,p.have,0);
    //@ assert n == wide(W,p.have) && (W == 4 ==> p.at % 4 == 0);
    //@ assert 0 <= p.at && p.at + n <= ix(rows,n,0);
  }
  return p;
}

/* W elements of x from e on. */
/*@ requires (W == 1 || W == 4) && takes((integer)SPREAD_TOP,x,e,W);
    assigns \nothing; */
DEV float4 ties_load(int W, idx e, const float *RESTRICT x)
{
  float4 v = {0, 0, 0, 0};
  if (W == 4)
    v = LD4(x + e);
  else
    v.x = LDG(x + e);
  return v;
}

/* How many of them are `top`. */
/*@ assigns \nothing; ensures 0.0 <= \result <= 4.0; */
DEV float ties_in(int W, float4 v, float top)
{
  float count = v.x == top ? 1.0f : 0.0f;
  if (W == 4) {
    count += v.y == top ? 1.0f : 0.0f;
    count += v.z == top ? 1.0f : 0.0f;
    count += v.w == top ? 1.0f : 0.0f;
  }
  return count;
}

/* dx from e on: `share` where v is `top`, and `rest` elsewhere. */
/*@ requires (W == 1 || W == 4) && puts(dx,e,W);
    assigns dx[e .. e+W-1]; */
DEV void ties_put(int W, idx e, float4 v, float top, float share, float rest, int accumulate,
                  float *RESTRICT dx)
{
  float4 d = {v.x == top ? share : rest, v.y == top ? share : rest, v.z == top ? share : rest,
              v.w == top ? share : rest};
  if (W == 4)
    ST4(dx + e, accumulate ? plus4(LD4(dx + e), d) : d);
  else
    STG(dx + e, accumulate ? LDG(dx + e) + d.x : d.x);
}

/*@ predicate ties_reads{L}(float *x, integer n, integer rows, integer W) =
      reads(x,ix(rows,n,0)) && (W == 4 ==> aligned16(x)); */
/* Vector v of the thread's row. */
/*@ requires ties_lane_ok(p,rows,n,lanes,W) && ties_reads(x,n,rows,W) && 0 <= v < p.have;
    assigns \nothing; */
DEV float4 ties_vector(ties_lane p, int v, int W,
                       const float *RESTRICT x GHOST_PARAMS(idx rows, int n, int lanes))
{
  //@ assert 0 <= p.at && p.at + wide(W,v) + W <= ix(rows,n,0);
  //@ assert W == 4 ==> aligned16(x+(p.at+4*v));
  //@ assert W * v == wide(W,v);
  //@ assert R(x+(p.at+wide(W,v)));
  //@ assert W == 4 ==> R(x+(p.at+4*v+1)) && R(x+(p.at+4*v+2)) && R(x+(p.at+4*v+3));
  //@ assert takes((integer)SPREAD_TOP,x,p.at+wide(W,v),W);
  return ties_load(W, p.at + W * v, x);
}

/*@ requires ties_lane_ok(p,rows,n,lanes,W) && 0 <= v < p.have && rem(v,lanes) == p.lane;
    requires \valid(dx + (0 .. ix(rows,n,0)-1)) && (W == 4 ==> aligned16(dx));
    requires ties_own(dx,p.row,p.lane,lanes,n,W);
    assigns dx[0 .. ix(rows,n,0)-1]; */
DEV void ties_put_vector(ties_lane p, int v, int W, float4 u, float top, float share, float rest,
                         int accumulate,
                         float *RESTRICT dx GHOST_PARAMS(idx rows, int n, int lanes))
{
  //@ assert 0 <= p.at && p.at + wide(W,v) + W <= ix(rows,n,0);
  if (W == 4) {
    //@ assert aligned16(dx+(p.at+4*v)) && (n-0)/4 == p.have;
    //@ assert turn(4*v,0,p.have) == v && turn(4*v+1,0,p.have) == v;
    //@ assert turn(4*v+2,0,p.have) == v && turn(4*v+3,0,p.have) == v;
    //@ assert along_W(p.lane,lanes,n,0,4*v) && along_W(p.lane,lanes,n,0,4*v+1);
    //@ assert along_W(p.lane,lanes,n,0,4*v+2) && along_W(p.lane,lanes,n,0,4*v+3);
    //@ assert ties_W(p.row,p.lane,lanes,n,W,p.at+4*v) && ties_W(p.row,p.lane,lanes,n,W,p.at+4*v+1);
    //@ assert ties_W(p.row,p.lane,lanes,n,W,p.at+4*v+2);
    //@ assert ties_W(p.row,p.lane,lanes,n,W,p.at+4*v+3);
    //@ assert puts(dx,p.at+4*v,4);
    ties_put(4, p.at + 4 * v, u, top, share, rest, accumulate, dx);
  } else {
    //@ assert turn(v,n,(n-n)/4) == v && along_W(p.lane,lanes,n,n,v);
    //@ assert ties_W(p.row,p.lane,lanes,n,W,p.at+v);
    //@ assert puts(dx,p.at+v,1);
    ties_put(1, p.at + v, u, top, share, rest, accumulate, dx);
  }
}

/* The vectors behind those that are held, counted to `count`; and put. */
/*@ requires ties_lane_ok(p,rows,n,lanes,W) && ties_reads(x,n,rows,W) && 0 <= p.have <= n;
    assigns \nothing; */
DEV float ties_count_rest(float count, ties_lane p, int lanes, int W, float top,
                          const float *RESTRICT x GHOST_PARAMS(idx rows, int n))
{
  /*@ loop invariant 0 <= v <= p.have + 5*MAXB;
      loop assigns v, count;
      loop variant p.have - v; */
  UNROLL_BY(4)
  for (int v = p.lane + TIES_HELD * lanes; v < p.have; v += lanes)
    count += ties_in(W, ties_vector(p, v, W, x GHOST_ARGS(rows, n, lanes)), top);
  return count;
}

/*@ requires ties_lane_ok(p,rows,n,lanes,W) && ties_reads(x,n,rows,W) && 0 <= p.have <= n;
    requires \valid(dx + (0 .. ix(rows,n,0)-1)) && (W == 4 ==> aligned16(dx));
    requires apart(x,ix(rows,n,0),dx,ix(rows,n,0));
    requires p.have != 0 ==> ties_own(dx,p.row,p.lane,lanes,n,W);
    assigns dx[0 .. ix(rows,n,0)-1]; */
DEV void ties_put_rest(ties_lane p, int lanes, int W, float top, float share, float rest,
                       int accumulate, const float *RESTRICT x,
                       float *RESTRICT dx GHOST_PARAMS(idx rows, int n))
{
  //@ assert ties_turns(p.lane,lanes);
  /*@ loop invariant 0 <= v <= p.have + 5*MAXB && rem(v,lanes) == p.lane;
      loop assigns v, dx[0 .. ix(rows,n,0)-1];
      loop variant p.have - v; */
  UNROLL_BY(4)
  for (int v = p.lane + TIES_HELD * lanes; v < p.have; v += lanes) {
    float4 u = ties_vector(p, v, W, x GHOST_ARGS(rows, n, lanes));
    ties_put_vector(p, v, W, u, top, share, rest, accumulate, dx GHOST_ARGS(rows, n, lanes));
  }
}

/* ---- all threads of block b: p tells where they are ---- */
/*@ predicate ties_block{L}(ties_lane *p, integer b, integer rows, integer n, integer lanes,
                            integer W) =
      block && (W == 1 || W == 4) && \valid_read(p + (0 .. bdim_-1)) &&
      ties_lanes(p,b,rows,n,lanes,W,bdim_); */
/*@ requires ties_sizes(rows,n,lanes,groups,W) && 0 <= b <= 0x7fffffff;
    requires \valid(p + (0 .. BDIM-1));
    assigns p[0 .. BDIM-1];
    ensures ties_lanes(p,b,rows,n,lanes,W,BDIM); */
DEV void ties_places(PER_THREAD(ties_lane, p), idx b, int lanes, int groups, idx rows, int n, int W)
{
  /*@ loop invariant 0 <= t <= BDIM && ties_lanes(p,b,rows,n,lanes,W,t);
      loop assigns t, p[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(p, t) = ties_find(b, t, lanes, groups, rows, n, W);
    //@ assert ties_is(p[t],b,t,rows,n,lanes,W);
    //@ assert ties_kept{LoopCurrent,Here}(p,t);
    //@ assert ties_lanes(p,b,rows,n,lanes,W,t);
  }
}

/* Each thread's y or g. */
/*@ requires ties_block(p,b,rows,n,lanes,W) && reads(y,rows) && \valid(to + (0 .. BDIM-1));
    assigns to[0 .. BDIM-1]; */
DEV void ties_given(PER_THREAD(float, to), PER_THREAD(ties_lane, p),
                    const float *RESTRICT y GHOST_PARAMS(idx b, idx rows, int n, int lanes, int W))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, to[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert ties_is(p[t],b,t,rows,n,lanes,W);
    AT(to, t) = AT(p, t).have ? LDG(y + AT(p, t).row) : 0.0f;
  }
}

/*@ requires ties_block(p,b,rows,n,lanes,W) && ties_reads(x,n,rows,W);
    requires \valid(held + (0 .. KMAX*MAXB-1));
    assigns held[0 .. KMAX*MAXB-1]; */
DEV void ties_hold(PER_THREADK(float4, held), PER_THREAD(ties_lane, p), int lanes, int W,
                   const float *RESTRICT x GHOST_PARAMS(idx b, idx rows, int n))
{
  /*@ loop invariant 0 <= j <= TIES_HELD && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, held[0 .. KMAX*MAXB-1];
      loop variant TIES_HELD - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < TIES_HELD; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, held[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert ties_is(p[t],b,t,rows,n,lanes,W);
      //@ assert j == 0 || j == 1 || j == 2 || j == 3;
      int v = AT(p, t).lane + j * lanes;
      if (v < AT(p, t).have)
        REG(held, j, j0, t) = ties_vector(AT(p, t), v, W, x GHOST_ARGS(rows, n, lanes));
    }
  }
}

/* Each thread's count. */
/*@ requires ties_block(p,b,rows,n,lanes,W) && ties_reads(x,n,rows,W);
    requires \valid(held + (0 .. KMAX*MAXB-1)) && \valid(top + (0 .. BDIM-1));
    requires \valid(count + (0 .. BDIM-1));
    assigns count[0 .. BDIM-1]; */
DEV void ties_count_all(PER_THREAD(float, count), PER_THREADK(float4, held), PER_THREAD(float, top),
                        PER_THREAD(ties_lane, p), int lanes, int W,
                        const float *RESTRICT x GHOST_PARAMS(idx b, idx rows, int n))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, count[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(count, t) = 0.0f;
  /*@ loop invariant 0 <= j <= TIES_HELD && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, count[0 .. BDIM-1];
      loop variant TIES_HELD - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < TIES_HELD; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, count[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert ties_is(p[t],b,t,rows,n,lanes,W);
      //@ assert j == 0 || j == 1 || j == 2 || j == 3;
      if (AT(p, t).lane + j * lanes < AT(p, t).have)
        AT(count, t) += ties_in(W, REG(held, j, j0, t), AT(top, t));
    }
  }
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, count[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert ties_is(p[t],b,t,rows,n,lanes,W);
    AT(count, t) =
        ties_count_rest(AT(count, t), AT(p, t), lanes, W, AT(top, t), x GHOST_ARGS(rows, n));
  }
}

/* The counts of a row's threads, for each of them. */
/*@ requires block && (group(lanes,groups) || 32 < lanes == BDIM);
    requires \valid(count + (0 .. BDIM-1));
    assigns count[0 .. BDIM-1]; */
DEV void ties_join(PER_THREAD(float, count), int lanes GHOST_PARAMS(int groups))
{
  SHARED(float, s, 32);
  if (lanes > 32) {
    float all = block_sum(count, s);
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, count[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) AT(count, t) = all;
  } else
    /*@ loop invariant m == 1 || m == 2 || m == 4 || m == 8 || m == 16 || m == 32;
        loop assigns m, count[0 .. BDIM-1];
        loop variant lanes - m; */
    for (int m = 1; m < lanes; m *= 2) xor_add(count, m);
}

/* What each thread puts at a tie, and elsewhere. */
/*@ requires block && \valid(share + (0 .. BDIM-1)) && \valid(rest + (0 .. BDIM-1));
    requires \valid(grad + (0 .. BDIM-1)) && \valid(count + (0 .. BDIM-1));
    assigns share[0 .. BDIM-1], rest[0 .. BDIM-1]; */
DEV void ties_share(PER_THREAD(float, share), PER_THREAD(float, rest), PER_THREAD(float, grad),
                    PER_THREAD(float, count))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, share[0 .. BDIM-1], rest[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(share, t) = over(AT(grad, t), (double)AT(count, t));
    AT(rest, t) = over(0.0f, (double)AT(count, t));
  }
}

/*@ predicate ties_writes{L}(float *dx, integer n, integer rows, integer W) =
      writes(dx,ix(rows,n,0)) && (W == 4 ==> aligned16(dx)); */
/*@ requires ties_block(p,b,rows,n,lanes,W);
    requires ties_reads(x,n,rows,W) && ties_writes(dx,n,rows,W);
    requires apart(x,ix(rows,n,0),dx,ix(rows,n,0));
    requires \valid(held + (0 .. KMAX*MAXB-1)) && \valid(top + (0 .. BDIM-1));
    requires \valid(share + (0 .. BDIM-1)) && \valid(rest + (0 .. BDIM-1));
    assigns dx[0 .. ix(rows,n,0)-1]; */
DEV void ties_put_all(PER_THREADK(float4, held), PER_THREAD(float, top), PER_THREAD(float, share),
                      PER_THREAD(float, rest), PER_THREAD(ties_lane, p), int lanes, int W,
                      int accumulate, const float *RESTRICT x,
                      float *RESTRICT dx GHOST_PARAMS(idx b, idx rows, int n))
{
  /*@ loop invariant 0 <= j <= TIES_HELD && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, dx[0 .. ix(rows,n,0)-1];
      loop variant TIES_HELD - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < TIES_HELD; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, dx[0 .. ix(rows,n,0)-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert ties_is(p[t],b,t,rows,n,lanes,W);
      //@ assert j == 0 || j == 1 || j == 2 || j == 3;
      int v = AT(p, t).lane + j * lanes;
      if (v < AT(p, t).have) {
        //@ assert ties_turns(p[t].lane,lanes);
        //@ assert rem(v,lanes) == p[t].lane;
        //@ assert 0 <= p[t].row < rows && perm(dx,ix(rows,n,0));
        //@ assert ties_own(dx,p[t].row,p[t].lane,lanes,n,W);
        ties_put_vector(AT(p, t), v, W, REG(held, j, j0, t), AT(top, t), AT(share, t), AT(rest, t),
                        accumulate, dx GHOST_ARGS(rows, n, lanes));
      }
    }
  }
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, dx[0 .. ix(rows,n,0)-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert ties_is(p[t],b,t,rows,n,lanes,W);
    ties_put_rest(AT(p, t), lanes, W, AT(top, t), AT(share, t), AT(rest, t), accumulate, x,
                  dx GHOST_ARGS(rows, n));
  }
}

/*@ requires ties_sizes(rows,n,lanes,groups,W) && 0 <= blocks <= 0x7fffffff;
    requires ix(blocks,1,0) <= BLOCKS && reads(y,rows) && reads(g,rows);
    requires ties_reads(x,n,rows,W) && ties_writes(dx,n,rows,W);
    requires apart(x,ix(rows,n,0),dx,ix(rows,n,0)) && apart(y,rows,dx,ix(rows,n,0));
    requires apart(g,rows,dx,ix(rows,n,0));
    assigns dx[0 .. ix(rows,n,0)-1]; */
TEMPLATE(int W)
KERNEL void max_axis_vjp_rows(CONSTANTS(int W) int lanes, int groups, idx blocks, idx rows, int n,
                              int accumulate, const float *RESTRICT x, const float *RESTRICT y,
                              const float *RESTRICT g, float *RESTRICT dx)
{
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, dx[0 .. ix(rows,n,0)-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    PRIVATE(ties_lane, p);
    PRIVATE(float, top);
    PRIVATE(float, grad);
    PRIVATE(float, count);
    PRIVATE(float, share);
    PRIVATE(float, rest);
    PRIVATEK(float4, held);
    ties_places(p, b, lanes, groups, rows, n, W);
    ties_given(top, p, y GHOST_ARGS(b, rows, n, lanes, W));
    ties_given(grad, p, g GHOST_ARGS(b, rows, n, lanes, W));
    ties_hold(held, p, lanes, W, x GHOST_ARGS(b, rows, n));
    ties_count_all(count, held, top, p, lanes, W, x GHOST_ARGS(b, rows, n));
    ties_join(count, lanes GHOST_ARGS(groups));
    ties_share(share, rest, grad, count);
    ties_put_all(held, top, share, rest, p, lanes, W, accumulate, x, dx GHOST_ARGS(b, rows, n));
  }
}
#endif
