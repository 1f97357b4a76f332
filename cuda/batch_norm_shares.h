/* What the kernels have in common in which a cluster of blocks (cluster.h) does a channel: x, y, g, dx
 * are (n, channels, size), the other tensors (channels).
 *
 * The channel's vectors of four elements are cut into a `share` for each block. The first of them,
 * the `kept`, are read once and wait in its shared memory, which may be all; the others are read again
 * where they are needed, and come from the L2 as long as few channels are under way. A vector that
 * waits belongs to one thread throughout: no barrier guards it. */
#ifndef PM_BATCH_NORM_SHARES_H
#define PM_BATCH_NORM_SHARES_H
#include "batch_norm_store.h"
#include "cells.h"
#include "cluster_sums.h"
#include "ix_times.h"
#include "share_plan.h"

/*@ lemma perm_r_from: \forall float *a, integer n, o, m; 0 <= o <= n - m ==> perm_r(a,n) ==>
      perm_r(a+o,m);
    lemma perm_w_from: \forall float *a, integer n, o, m; 0 <= o <= n - m ==> perm_w(a,n) ==>
      perm_w(a+o,m); */

/* A vector of which the tensor has `have` elements, 0 outside. */
/*@ requires 1 <= have <= 4 && \valid_read(x + (0 .. have-1)) && perm_r(x,have);
    requires aligned != 0 ==> have == 4 && aligned16(x);
    assigns \nothing;
    ensures \result.x == x[0] && \result.y == (1 < have ? x[1] : 0.0);
    ensures \result.z == (2 < have ? x[2] : 0.0) && \result.w == (3 < have ? x[3] : 0.0); */
DEV float4 part_load(int have, int aligned, const float *RESTRICT x)
{
  float4 v = {0, 0, 0, 0};
  if (aligned)
    v = LD4(x);
  else
    v.x = LDG(x);
  if (!aligned && 1 < have)
    v.y = LDG(x + 1);
  if (!aligned && 2 < have)
    v.z = LDG(x + 2);
  if (!aligned && 3 < have)
    v.w = LDG(x + 3);
  return v;
}

/* The `have` elements of a vector about m, and 0 outside. */
/*@ assigns \nothing;
    ensures \result.x == v.x - m && \result.y == (1 < have ? v.y - m : 0.0);
    ensures \result.z == (2 < have ? v.z - m : 0.0) && \result.w == (3 < have ? v.w - m : 0.0); */
DEV float4 part_about(int have, float4 v, float m)
{
  v.x = v.x - m;
  v.y = 1 < have ? v.y - m : 0.0f;
  v.z = 2 < have ? v.z - m : 0.0f;
  v.w = 3 < have ? v.w - m : 0.0f;
  return v;
}

/*@ requires 1 <= have <= 4 && \valid(y + (0 .. have-1)) && perm_w(y,have);
    requires aligned != 0 ==> have == 4 && aligned16(y);
    assigns y[0 .. have-1];
    ensures y[0] == v.x && (1 < have ==> y[1] == v.y);
    ensures (2 < have ==> y[2] == v.z) && (3 < have ==> y[3] == v.w); */
DEV void part_store(int have, int aligned, float4 v, float *RESTRICT y)
{
  if (aligned)
    store4_once(y, v);
  else
    STG(y, v.x);
  if (!aligned && 1 < have)
    STG(y + 1, v.y);
  if (!aligned && 2 < have)
    STG(y + 2, v.z);
  if (!aligned && 3 < have)
    STG(y + 3, v.w);
}

/* Where a lane is: at element `at` of the tensor, in column `col` of its row. */
typedef struct chan_at {
  idx at;
  int col;
} chan_at;

/* How it gets to the vector that is BDIM further on: elements on, and on where the row ends before
 * it. */
typedef struct chan_step {
  idx leap, wrap;
  int stride, width, size;
} chan_step;

/*@ predicate chan_ok(batch_part b) =
      batch_ok(b) && ix(b.n,b.V,0) <= CHANNEL_VECTORS && b.channels <= 0x7fffffff;
    predicate chan_is(chan_at w, integer v, batch_part b) =
      w.col == 4*rem(v,b.V) && w.at == ix(ix(quo(v,b.V),b.channels,b.c),b.size,w.col);
    predicate chan_steps(chan_step p, batch_part b) =
      p.stride == 4*rem(bdim_,b.V) && p.width == 4*b.V && p.size == b.size &&
      p.leap == ix(ix(quo(bdim_,b.V),b.channels,0),b.size,p.stride) &&
      p.wrap == ix(b.channels,b.size,0) - p.width &&
      0 <= p.leap <= IDX_LIM && p.wrap <= IDX_LIM;
    // the lanes from .. to-1 that are below hi, lane t at vector k + t
    predicate chan_all{L}(chan_at *w, integer from, integer to, integer k, integer hi,
                          batch_part b) =
      \forall integer t; from <= t < to ==> k + t < hi ==> chan_is(w[t],b.lo+k+t,b);
    // s is what the lemmas below are about: the provers meet them where it is said
    predicate plus_is(integer s, integer u, integer v) = s == u + v;
    lemma quo_next: \forall integer s, u, v, V; plus_is(s,u,v) ==> 0 <= u ==> 0 <= v ==> 0 < V ==>
      rem(u,V) + rem(v,V) < V ==>
      quo(s,V) == quo(u,V) + quo(v,V) && rem(s,V) == rem(u,V) + rem(v,V);
    lemma quo_over: \forall integer s, u, v, V; plus_is(s,u,v) ==> 0 <= u ==> 0 <= v ==> 0 < V ==>
      V <= rem(u,V) + rem(v,V) ==>
      quo(s,V) == quo(u,V) + quo(v,V) + 1 && rem(s,V) == rem(u,V) + rem(v,V) - V;
    lemma chan_next: \forall integer r, i, k, channels, c, size, s, j, l; plus_is(r,i,k) ==>
      plus_is(s,j,l) ==> ix(ix(r,channels,c),size,s) ==
        ix(ix(i,channels,c),size,j) + ix(ix(k,channels,0),size,l);
    lemma chan_over: \forall integer r, i, channels, c, size, s, j, width; plus_is(r,i,1) ==>
      plus_is(j,s,width) ==> ix(ix(r,channels,c),size,s) ==
        ix(ix(i,channels,c),size,j) + (ix(channels,size,0) - width);
    lemma chan_inside: \forall integer i, n, channels, c, size, j, k; 0 <= i < n ==>
      0 <= c < channels ==> 0 <= j ==> 0 <= k ==> j + k <= size ==>
      0 <= ix(ix(i,channels,c),size,j) <= batch_all(n,channels,size) - k;
    lemma chan_four: \forall integer r, size, V, j; size == 4*V ==> ix(r,size,4*j) % 4 == 0;
    // threads of a cluster share no vector: block `rank` has `share` of them from rank share on
    predicate share_lane(integer rank, integer share, integer k, integer t, integer B, integer v) =
      v == ix(rank,share,ix(k,B,t)) && ix(k,B,t) < share;
    lemma race_share: \forall integer share, B, r, k, t, s, l, u, v; 0 <= t < B ==>
      0 <= u < B ==> 0 <= k ==> 0 <= l ==> (r != s || t != u) ==>
      share_lane(r,share,k,t,B,v) ==> !share_lane(s,share,l,u,B,v); */

/* Vector v of the channel. */
/*@ requires chan_ok(b) && 0 <= v < ix(b.n,b.V,0);
    assigns \nothing;
    ensures chan_is(\result,v,b); */
DEV chan_at chan_find(int v, batch_part b)
{
  chan_at w;
  const int V = (int)b.V, row = v / V;
  //@ assert V == b.V;
  w.col = 4 * (v % V);
  //@ assert row == quo(v,b.V) && w.col == 4*rem(v,b.V) && 0 <= row < b.n && 0 <= w.col < b.size;
  //@ assert b.n * b.channels == ix(b.n,b.channels,0) && 0 <= ix(b.n,b.channels,0);
  const idx r = at2(b.n, b.channels, row, b.c);
  w.at = at2(b.n * b.channels, b.size, r, w.col);
  return w;
}

/* Elements of as many rows as a block has whole ones of vectors. */
/*@ requires block && 0 < V && 0 < size <= 4*V && 0 <= channels <= 0x7fffffff;
    requires V <= CHANNEL_VECTORS;
    assigns \nothing;
    ensures \result == ix(ix(quo(bdim_,V),channels,0),size,0) && 0 <= \result <= 0x80000000000; */
DEV idx chan_leap(int V, int size, idx channels)
{
  const int rows = BDIM / V;
  //@ assert rows == quo(bdim_,V) && 0 <= rows;
  //@ assert ix(rows,V,rem(bdim_,V)) == bdim_ && 0 <= rem(bdim_,V);
  //@ assert rows * V == ix(rows,V,0) && rows * V <= bdim_;
  //@ assert rows * size <= rows * (4*V) && 0 <= rows * size;
  //@ assert rows * (4*V) == 4 * (rows * V) && rows * size <= 4*MAXB;
  //@ assert (rows * size) * channels <= 4*MAXB * channels && 0 <= (rows * size) * channels;
  //@ assert ix(ix(rows,channels,0),size,0) == rows * channels * size;
  //@ assert rows * channels * size == rows * size * channels;
  return rows * size * channels;
}

/*@ requires block && chan_ok(b);
    assigns \nothing;
    ensures chan_steps(\result,b); */
DEV chan_step chan_stepping(batch_part b)
{
  chan_step p;
  const int V = (int)b.V;
  //@ assert b.V <= ix(b.n,b.V,0) && V == b.V;
  //@ assert b.channels <= ix(b.n,b.channels,0);
  //@ assert ix(b.channels,b.size,0) <= ix(ix(b.n,b.channels,0),b.size,0);
  p.size = (int)b.size;
  p.width = 4 * V;
  p.stride = 4 * (BDIM % V);
  //@ assert p.stride == 4*rem(bdim_,b.V) && 0 <= p.stride <= 4*MAXB;
  p.leap = chan_leap(V, p.size, b.channels) + p.stride;
  p.wrap = ix_times(b.channels, b.size) - p.width;
  return p;
}

/* The vector that is BDIM on from vector v. */
/*@ requires block && chan_ok(b) && chan_steps(p,b) && chan_is(w,v,b) && 0 <= v < ix(b.n,b.V,0);
    assigns \nothing;
    ensures chan_is(\result,v+bdim_,b); */
DEV chan_at chan_on(chan_at w, chan_step p GHOST_PARAMS(batch_part b, int v))
{
  //@ assert 0 <= quo(v,b.V) < b.n && 0 <= rem(v,b.V) < b.V && 0 <= rem(bdim_,b.V) < b.V;
  //@ assert plus_is(v+bdim_,v,bdim_);
  //@ assert plus_is(quo(v,b.V)+quo(bdim_,b.V),quo(v,b.V),quo(bdim_,b.V));
  //@ assert plus_is(quo(v,b.V)+quo(bdim_,b.V)+1,quo(v,b.V)+quo(bdim_,b.V),1);
  //@ assert plus_is(w.col+p.stride,w.col,p.stride);
  //@ assert plus_is(w.col+p.stride,w.col+p.stride-p.width,p.width);
  /*@ assert ix(ix(quo(v,b.V)+quo(bdim_,b.V),b.channels,b.c),b.size,w.col+p.stride) ==
        w.at + p.leap; */
  /*@ assert ix(ix(quo(v,b.V)+quo(bdim_,b.V)+1,b.channels,b.c),b.size,w.col+p.stride-p.width) ==
        w.at + p.leap + p.wrap; */
  //@ assert 0 <= w.at <= batch_all(b.n,b.channels,b.size);
  w.col += p.stride;
  w.at += p.leap;
  if (w.col >= p.width) {
    w.col -= p.width;
    w.at += p.wrap;
  }
  return w;
}

/* Elements of the vector: all four, except at the end of a row. */
/*@ requires chan_ok(b) && chan_steps(p,b) && chan_is(w,v,b) && 0 <= v < ix(b.n,b.V,0);
    requires aligned != 0 ==> b.size == 4*b.V;
    assigns \nothing;
    ensures 1 <= \result <= 4 && (aligned != 0 ==> \result == 4);
    ensures 0 <= w.at && w.at + \result <= batch_all(b.n,b.channels,b.size);
    ensures aligned != 0 ==> w.at % 4 == 0; */
DEV int chan_have(chan_at w, chan_step p, int aligned GHOST_PARAMS(batch_part b, int v))
{
  //@ assert 0 <= quo(v,b.V) < b.n && 0 <= rem(v,b.V) < b.V;
  const int have = aligned || p.size - w.col > 4 ? 4 : p.size - w.col;
  //@ assert w.col + have <= b.size;
  //@ assert w.at == ix(ix(quo(v,b.V),b.channels,b.c),b.size,w.col) && 0 <= w.col;
  //@ assert 0 <= w.at <= batch_all(b.n,b.channels,b.size) - have;
  //@ assert w.at == ix(ix(quo(v,b.V),b.channels,b.c),b.size,4*rem(v,b.V));
  return have;
}

/*@ requires chan_ok(b) && chan_steps(p,b) && chan_is(w,v,b) && 0 <= v < ix(b.n,b.V,0);
    requires batch_in(b,x,aligned);
    assigns \nothing; */
DEV float4 chan_load(chan_at w, chan_step p, int aligned,
                     const float *RESTRICT x GHOST_PARAMS(batch_part b, int v))
{
  const int have = chan_have(w, p, aligned GHOST_ARGS(b, v));
  //@ assert perm_r(x+w.at,have);
  return part_load(have, aligned, x + w.at);
}

/*@ requires chan_ok(b) && chan_steps(p,b) && chan_is(w,v,b) && 0 <= v < ix(b.n,b.V,0);
    requires batch_puts(b,y,aligned);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1]; */
DEV void chan_store(chan_at w, chan_step p, int aligned, float4 u,
                    float *RESTRICT y GHOST_PARAMS(batch_part b, int v))
{
  const int have = chan_have(w, p, aligned GHOST_ARGS(b, v));
  //@ assert perm_w(y+w.at,have);
  part_store(have, aligned, u, y + w.at);
}

/* ---- a block's lanes: vector k0 + t of the share is lane t's ---- */

/*@ predicate share_range(batch_part b, integer from, integer to) =
      0 <= from && 0 <= to && to <= b.hi - b.lo;
    predicate share_at(batch_part b, integer from, integer to, integer j, integer k0) =
      0 <= j && 0 <= from <= k0 < to && to <= b.hi - b.lo && k0 == from + mul(j,bdim_); */

/* The lanes go to the vectors from + t below `to`. */
/*@ requires block && chan_ok(b) && share_range(b,from,to) && \valid(w + (0 .. BDIM-1));
    assigns w[0 .. BDIM-1];
    ensures chan_all(w,0,BDIM,from,to,b); */
DEV void share_begin(LANE(chan_at, w), batch_part b, int from, int to)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant chan_all(w,0,t,from,to,b);
      loop assigns t, w[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    chan_at u = {0, 0};
    if (t < to - from)
      u = chan_find((int)b.lo + from + t, b);
    AT(w, t) = u;
    //@ assert from + t < to ==> chan_is(w[t],b.lo+from+t,b);
    //@ assert chan_all(w,0,t,from,to,b);
  }
}

/*@ requires block && \valid(w + (0 .. BDIM-1)) && \valid_read(begin + (0 .. BDIM-1));
    requires \separated(w + (0 .. BDIM-1), begin + (0 .. BDIM-1));
    requires chan_all(begin,0,BDIM,from,to,b);
    assigns w[0 .. BDIM-1];
    ensures chan_all(w,0,BDIM,from,to,b); */
DEV void share_again(LANE(chan_at, w),
                     LANE(chan_at, begin) GHOST_PARAMS(batch_part b, int from, int to))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant chan_all(w,0,t,from,to,b);
      loop assigns t, w[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    AT(w, t) = AT(begin, t);
    //@ assert from + t < to ==> chan_is(w[t],b.lo+from+t,b);
    //@ assert chan_all(w,0,t,from,to,b);
  }
}

/* `have` elements into cell j of lane t. */
/*@ requires block && 0 <= t < BDIM && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < kept;
    requires \valid(cells + (0 .. kept-1)) && 1 <= have <= 4;
    requires \valid_read(x + (0 .. have-1)) && perm_r(x,have);
    requires aligned != 0 ==> have == 4 && aligned16(x);
    assigns cells[k0+t], pending_; */
DEV void share_fetch_have(LANE_CELLS(cells), int j, int k0, int t, int have, int aligned,
                          const float *RESTRICT x GHOST_PARAMS(int kept))
{
  if (aligned) {
    FETCH4(cells, x, j, k0, t);
  } else {
    FETCH1(cells, 0, x, j, k0, t);
    if (1 < have)
      FETCH1(cells, 1, x + 1, j, k0, t);
    else
      BLANK1(cells, 1, j, k0, t);
    if (2 < have)
      FETCH1(cells, 2, x + 2, j, k0, t);
    else
      BLANK1(cells, 2, j, k0, t);
    if (3 < have)
      FETCH1(cells, 3, x + 3, j, k0, t);
    else
      BLANK1(cells, 3, j, k0, t);
  }
}

/* Vector v into cell j of lane t. */
/*@ requires block && 0 <= t < BDIM && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < kept;
    requires \valid(cells + (0 .. kept-1)) && batch_in(b,x,aligned);
    requires chan_ok(b) && chan_steps(p,b) && chan_is(w,v,b) && 0 <= v < ix(b.n,b.V,0);
    assigns cells[k0+t], pending_; */
DEV void share_fetch_one(LANE_CELLS(cells), int j, int k0, int t, chan_at w, chan_step p,
                         int aligned,
                         const float *RESTRICT x GHOST_PARAMS(batch_part b, int v, int kept))
{
  const int have = chan_have(w, p, aligned GHOST_ARGS(b, v));
  //@ assert perm_r(x+w.at,have);
  share_fetch_have(cells, j, k0, t, have, aligned, x + w.at GHOST_ARGS(kept));
}

/*@ requires block && chan_ok(b) && chan_steps(p,b) && share_at(b,0,kept,j,k0);
    requires whole != 0 ==> k0 + BDIM <= kept;
    requires \valid(cells + (0 .. kept-1)) && batch_in(b,x,aligned);
    requires \valid(w + (0 .. BDIM-1)) && chan_all(w,0,BDIM,k0,kept,b);
    requires \separated(cells + (0 .. kept-1), w + (0 .. BDIM-1));
    assigns cells[0 .. kept-1], w[0 .. BDIM-1], pending_;
    ensures chan_all(w,0,BDIM,k0+BDIM,kept,b); */
DEV void share_fetch_all(LANE_CELLS(cells), LANE(chan_at, w), batch_part b, chan_step p, int j,
                         int k0, int whole, int kept, int aligned, const float *RESTRICT x)
{
  (void)b;
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant chan_all(w,0,t,k0+BDIM,kept,b);
      loop invariant chan_all(w,t,BDIM,k0,kept,b);
      loop assigns t, cells[0 .. kept-1], w[0 .. BDIM-1], pending_;
      loop variant BDIM - t; */
  LANES(t) {
    if (whole || k0 + t < kept) {
      //@ assert k0 + t < kept && b.lo + k0 + t < ix(b.n,b.V,0);
      //@ assert chan_is(w[t],b.lo+k0+t,b);
      share_fetch_one(cells, j, k0, t, AT(w, t), p, aligned,
                      x GHOST_ARGS(b, (int)b.lo + k0 + t, kept));
      AT(w, t) = chan_on(AT(w, t), p GHOST_ARGS(b, (int)b.lo + k0 + t));
    }
    //@ assert k0 + BDIM + t < kept ==> chan_is(w[t],b.lo+k0+BDIM+t,b);
    //@ assert chan_all(w,0,t,k0+BDIM,kept,b);
    //@ assert chan_all(w,t+1,BDIM,k0,kept,b);
  }
}

/* The share's vectors below `kept` are on their way into its cells. */
/*@ requires block && chan_ok(b) && chan_steps(p,b) && share_range(b,0,kept);
    requires \valid(cells + (0 .. kept-1)) && batch_in(b,x,aligned);
    requires \valid(w + (0 .. BDIM-1)) && chan_all(w,0,BDIM,0,kept,b);
    requires \separated(cells + (0 .. kept-1), w + (0 .. BDIM-1));
    assigns cells[0 .. kept-1], w[0 .. BDIM-1], pending_; */
DEV void share_fetch(LANE_CELLS(cells), LANE(chan_at, w), batch_part b, chan_step p, int kept,
                     int aligned, const float *RESTRICT x)
{
  const int rounds = kept / BDIM;
  int k0 = 0, j = 0;
  //@ assert 0 < rounds ==> rounds * bdim_ <= kept;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= kept;
  /*@ loop invariant 0 <= j <= k0 && k0 == mul(j,bdim_);
      loop invariant k0 <= kept || k0 == 0;
      loop invariant j <= rounds || j == 0;
      loop invariant chan_all(w,0,BDIM,k0,kept,b);
      loop assigns j, k0, cells[0 .. kept-1], w[0 .. BDIM-1], pending_;
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == k0 + bdim_;
    share_fetch_all(cells, w, b, p, j, k0, 1, kept, aligned, x);
  }
  if (k0 < kept)
    share_fetch_all(cells, w, b, p, j, k0, 0, kept, aligned, x);
}

/* Vector v, which waits in cell j of lane t or is read. */
/*@ requires block && chan_ok(b) && chan_steps(p,b) && 0 <= t < BDIM;
    requires kept != 0 ==> k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < n && pending_ == 0 &&
      \valid_read(cells + (0 .. n-1));
    requires kept == 0 ==> chan_is(w,v,b) && 0 <= v < ix(b.n,b.V,0) && batch_in(b,x,aligned);
    assigns \nothing; */
DEV float4 share_take(LANE_CELLS(cells), int kept, int j, int k0, int t, chan_at w, chan_step p,
                      int aligned, const float *RESTRICT x GHOST_PARAMS(batch_part b, int v, int n))
{
  if (kept)
    return TAKE(cells, j, k0, t);
  return chan_load(w, p, aligned, x GHOST_ARGS(b, v));
}
/*@ requires block && \valid(v + (0 .. BDIM-1)); assigns v[0 .. BDIM-1]; */
DEV void share_zero(LANE(float, v))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, v[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(v, t) = 0.0f;
}

/* ---- a block's share ---- */

/*@ // what a launch asks of its plan
    predicate share_call(share_plan p, integer n, integer channels, integer size, integer V) =
      block && batch_sizes(n,channels,size,V) && ix(n,V,0) <= CHANNEL_VECTORS &&
      channels <= 0x7fffffff && 1 < p.in_cluster <= CLUSTER_MOST &&
      0 < p.share <= CHANNEL_VECTORS && 0 <= p.kept <= ROOM; */

/*@ requires share_call(p,n,channels,size,V) && 0 <= c < channels && 0 <= rank < p.in_cluster;
    assigns \nothing;
    ensures chan_ok(\result) && \result.n == n && \result.channels == channels;
    ensures \result.size == size && \result.V == V && \result.c == c; */
DEV batch_part share_of(share_plan p, idx n, idx channels, idx size, idx V, idx c, int rank)
{
  //@ assert n * V == ix(n,V,0) && 0 <= ix(n,V,0) && 0 <= rank * p.share <= 7 * CHANNEL_VECTORS;
  const idx all = n * V, at = (idx)rank * p.share, lo = at < all ? at : all;
  batch_part b = {n, channels, size, V, c, lo, all - lo < p.share ? all : lo + p.share};
  return b;
}

/* Cells for the vectors that wait, behind `before` others. */
#ifdef __FRAMAC__
#define SHARE_CELLS(v, before) cell_ v[ROOM]
#else
#define SHARE_CELLS(v, before) float4 *const v = cells_ + (before)
#endif
#endif
