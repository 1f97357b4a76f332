/* VJPs of the reductions over an axis: dx, (outer, n, inner), of g, (outer, inner). A line of dx is
 * cut into chunks of up to `chunk` elements, and chunk k of all lines is number k % chunks of line
 * k / chunks.
 *   rows   inner is 1: a group of up to 32 threads has a chunk
 *   cols   else: a thread goes down a chunk of one column, or of four */
#ifndef PM_REDUCE_VJP_H
#define PM_REDUCE_VJP_H
#include "join.h"

enum { SPREAD_ROW = 1024 }; /* elements of a chunk, at most */

/* What reaches the elements of a line of dx, of which g is the cotangent: g; g / n; or to those x
 * that are the line's largest, `top`, g in equal parts, and 0 to the others, NaN where there is no
 * such x. Where there is a single one, x is not needed: `only` is its position in the chunk, or -1
 * if that has it not. */
typedef struct axis_share {
  float share, rest;
  int single, only;
} axis_share;

/*@ // such counts, or -1 - position, as count_max.h leaves them
    predicate counted{L}(double *ties, integer n) = \valid_read(ties + (0 .. n-1)); */
/*@ requires \valid_read(g + line) && R(g+line) && 0 <= from <= IDX_LIM;
    requires which == AXIS_MAX ==> \valid_read(ties + line);
    assigns \nothing; */
DEV axis_share share_of(int which, idx line, idx n, idx from, const double *RESTRICT ties,
                        const float *RESTRICT g)
{
  float grad = LDG(g + line);
  axis_share s = {grad, 0.0f, 0, -1};
  if (which == AXIS_MAX) {
    double count = ties[line];
    s.single = count < 0.0;
    if (s.single) {
      double at = -1.0 - count - (double)from;
      s.only = 0.0 <= at && at < SPREAD_ROW ? (int)at : -1;
    } else
      s.share = over(grad, count), s.rest = over(0.0f, count);
  } else if (which == AXIS_MEAN)
    s.share = over(grad, (double)n);
  return s;
}

/* Which elements get the share: all of the line, the only one, or those of x that are `top`. */
enum { SPREAD_ALL, SPREAD_ONLY, SPREAD_TOP };

/* Of x, the j-th of the chunk. */
/*@ assigns \nothing; ensures \result == s.share || \result == s.rest; */
DEV float shared(int to, axis_share s, int j, float x, float top)
{
  return to == SPREAD_ALL || (to == SPREAD_ONLY ? j == s.only : x == top) ? s.share : s.rest;
}

/*@ predicate own(float *dx, integer e) = R(dx+e) && W(dx+e);
    predicate puts{L}(float *dx, integer e, integer W) =
      \valid(dx + (e .. e+W-1)) && own(dx,e) &&
      (W == 4 ==> aligned16(dx+e) && own(dx,e+1) && own(dx,e+2) && own(dx,e+3));
    predicate takes{L}(integer to, float *x, integer e, integer W) = to == SPREAD_TOP ==>
      \valid_read(x + (e .. e+W-1)) && R(x+e) &&
      (W == 4 ==> aligned16(x+e) && R(x+(e+1)) && R(x+(e+2)) && R(x+(e+3))); */
/* dx[e], which is the j-th of the chunk, or the W of dx from e on: of S lines, which is 1 or W. */
/*@ requires (W == 1 || W == 4) && (S == 1 || S == W) && 0 <= j <= SPREAD_ROW;
    requires \valid_read(s + (0 .. S-1)) && \valid_read(top + (0 .. S-1));
    requires puts(dx,e,W) && takes(to,x,e,W);
    assigns dx[e .. e+W-1]; */
DEV void put_shares(int to, int W, int S, const axis_share *s, const float *top, idx e, int j,
                    int accumulate, const float *RESTRICT x, float *RESTRICT dx)
{
  const int next = S == 1; /* they follow one another in one line */
  if (W == 4) {
    float4 v = {0, 0, 0, 0}, d;
    if (to == SPREAD_TOP)
      v = LD4(x + e);
    d.x = shared(to, s[0], j, v.x, top[0]);
    d.y = shared(to, s[1 % S], j + next, v.y, top[1 % S]);
    d.z = shared(to, s[2 % S], j + 2 * next, v.z, top[2 % S]);
    d.w = shared(to, s[3 % S], j + 3 * next, v.w, top[3 % S]);
    ST4(dx + e, accumulate ? plus4(LD4(dx + e), d) : d);
  } else {
    float d = shared(to, s[0], j, to == SPREAD_TOP ? LDG(x + e) : 0.0f, top[0]);
    STG(dx + e, accumulate ? LDG(dx + e) + d : d);
  }
}

/* ---- rows. W 4: vectors that are aligned in dx, and what is left before and behind them one by
 * one; 1: all one by one. Thread t of `lanes` has every lanes-th, from its own number on. ---- */
/*@ // the first element of a vector, in the chunk that begins with element `at`
    logic integer head_of(integer W, integer at, integer len) =
      W == 4 ? lesser(3 * at % 4, len) : len;
    // number of the vector that element j is in, or of element j among those that are in none
    logic integer turn(integer j, integer head, integer V) =
      head <= j < head + 4*V ? (j - head) / 4 : j < head ? j : j - 4*V;
    predicate along_W(integer t, integer lanes, integer len, integer head, integer j) =
      0 <= j < len && rem(turn(j, head, (len-head)/4), lanes) == t;
    lemma rem_own: \forall integer t, n; 0 <= t < n ==> rem(t,n) == t;
    lemma rem_next: \forall integer v, n; 0 <= v ==> 0 < n ==> rem(v+n,n) == rem(v,n);
    lemma turn_vector: \forall integer v, head, V, i; 0 <= v < V ==> 0 <= i < 4 ==>
      turn(head + 4*v + i, head, V) == v;
    lemma turn_rest: \forall integer e, head, V; 0 <= head ==> 0 <= V ==>
      turn(e < head ? e : e + 4*V, head, V) == e;
    logic integer chunk_from(integer k, integer chunk, integer chunks) =
      ix(rem(k,chunks),chunk,0);
    logic integer chunk_at(integer k, integer n, integer chunk, integer chunks) =
      ix(quo(k,chunks), n, chunk_from(k,chunk,chunks));
    logic integer chunk_len(integer k, integer n, integer chunk, integer chunks) =
      lesser(chunk, n - chunk_from(k,chunk,chunks));
    // what thread t of group k writes
    predicate spread_W(integer k, integer t, integer lanes, integer n, integer chunk,
                       integer chunks, integer W, integer e) =
      along_W(t, lanes, chunk_len(k,n,chunk,chunks),
              head_of(W, chunk_at(k,n,chunk,chunks), chunk_len(k,n,chunk,chunks)),
              e - chunk_at(k,n,chunk,chunks));
    // every chunk has an element, no two share one
    predicate spread_sizes(integer outer, integer n, integer chunk, integer chunks) =
      level(outer,n,1,chunk,chunks) && ix(chunks-1,chunk,0) < n && chunk <= SPREAD_ROW;
    lemma chunk_cell: \forall integer k, n, chunk, chunks, j; 0 <= k ==> 0 < chunks ==>
      0 <= chunk ==> 0 <= j < chunk_len(k,n,chunk,chunks) ==>
      0 <= ix(rem(k,chunks),chunk,j) < n && 0 <= j < chunk &&
      chunk_at(k,n,chunk,chunks) + j == ix(quo(k,chunks), n, ix(rem(k,chunks),chunk,j));
    lemma chunk_apart: \forall integer k, l, n, chunk, chunks, i, j; 0 <= k ==> 0 <= l ==>
      0 < chunks ==> 0 <= chunk ==> 0 <= i < chunk_len(k,n,chunk,chunks) ==>
      0 <= j < chunk_len(l,n,chunk,chunks) ==>
      chunk_at(k,n,chunk,chunks) + i == chunk_at(l,n,chunk,chunks) + j ==> k == l && i == j;
    lemma chunk_inside: \forall integer outer, k, n, chunk, chunks, j; 0 < chunks ==> 0 <= chunk ==>
      0 <= k < ix(outer,chunks,0) ==> 0 <= j < chunk_len(k,n,chunk,chunks) ==>
      0 <= chunk_at(k,n,chunk,chunks) + j < ix(outer,n,0);
    lemma spread_inside: \forall integer outer, k, t, lanes, n, chunk, chunks, W, e;
      0 < chunks ==> 0 <= chunk ==> 0 <= k < ix(outer,chunks,0) ==>
      spread_W(k,t,lanes,n,chunk,chunks,W,e) ==> 0 <= e < ix(outer,n,0);
    lemma race_spread: \forall integer k, t, l, u, lanes, n, chunk, chunks, W, e; 0 <= k ==>
      0 <= l ==> 0 < chunks ==> 0 <= chunk ==> (k != l || t != u) ==>
      spread_W(k,t,lanes,n,chunk,chunks,W,e) ==> !spread_W(l,u,lanes,n,chunk,chunks,W,e);
    lemma race_group: \forall integer t, u, lanes; 0 <= t ==> 0 <= u ==> 0 < lanes ==> t != u ==>
      quo(t,lanes) != quo(u,lanes) || rem(t,lanes) != rem(u,lanes);
    // lanes of a group, and groups of a warp
    predicate group(integer lanes, integer groups) =
      (lanes == 1 && groups == 32) || (lanes == 2 && groups == 16) || (lanes == 4 && groups == 8) ||
      (lanes == 8 && groups == 4) || (lanes == 16 && groups == 2) || (lanes == 32 && groups == 1);
    logic integer THREADS = 0x7fffffffffff; // of a grid, more than there can be */

/* The group that thread t is in: a division that is a shift. */
/*@ requires 0 <= t <= THREADS && group(lanes,groups);
    assigns \nothing;
    ensures \result == quo(t,lanes); */
DEV idx lane_group(idx t, int groups GHOST_PARAMS(int lanes))
{
  uint64_t u = (uint64_t)t, m = (uint64_t)groups;
  //@ assert u == t && m == groups;
  //@ assert m == 32 ==> u * m == u * 32 && u * m / 32 == quo(t,1);
  //@ assert m == 16 ==> u * m == u * 16 && u * m / 32 == quo(t,2);
  //@ assert m == 8 ==> u * m == u * 8 && u * m / 32 == quo(t,4);
  //@ assert m == 4 ==> u * m == u * 4 && u * m / 32 == quo(t,8);
  //@ assert m == 2 ==> u * m == u * 2 && u * m / 32 == quo(t,16);
  //@ assert m == 1 ==> u * m == u * 1 && u * m / 32 == quo(t,32);
  //@ assert 0 <= u * m <= 32 * THREADS && u * m / 32 == quo(t,lanes);
  return (idx)(u * m / 32);
}

/* A chunk of a line, from element `at` of dx on. */
/*@ requires (W == 1 || W == 4) && 0 <= at <= IDX_LIM && 0 <= len <= SPREAD_ROW;
    requires 0 <= t < lanes <= 32 && \valid(dx + (at .. at+len-1));
    requires W == 4 ==> aligned16(dx);
    requires to == SPREAD_TOP ==> \valid_read(x + (at .. at+len-1)) &&
      (W == 4 ==> aligned16(x)) && \forall integer e; at <= e < at + len ==> R(x+e);
    requires \forall integer e; along_W(t,lanes,len,head_of(W,at,len),e-at) ==> own(dx,e);
    assigns dx[at .. at+len-1]; */
DEV void share_along(int to, int W, axis_share s, float top, idx at, int len, int t, int lanes,
                     int accumulate, const float *RESTRICT x, float *RESTRICT dx)
{
  int head = W == 4 ? (int)((uint64_t)at * 3 % 4) : len;
  head = head < len ? head : len;
  int V = (len - head) / 4, rest = len - 4 * V;
  //@ assert head == head_of(W,at,len) && 0 <= head <= len && 0 <= V <= len;
  //@ assert 0 < V ==> W == 4 && (at + head) % 4 == 0;
  /*@ loop invariant 0 <= v <= V + lanes && rem(v,lanes) == t;
      loop assigns v, dx[at .. at+len-1];
      loop variant V - v; */
  UNROLL_BY(4)
  for (int v = t; v < V; v += lanes) {
    //@ assert (at + head + 4*v) % 4 == 0;
    //@ assert turn(head+4*v,head,V) == v && turn(head+4*v+1,head,V) == v;
    //@ assert turn(head+4*v+2,head,V) == v && turn(head+4*v+3,head,V) == v;
    //@ assert along_W(t,lanes,len,head,head+4*v) && along_W(t,lanes,len,head,head+4*v+1);
    //@ assert along_W(t,lanes,len,head,head+4*v+2) && along_W(t,lanes,len,head,head+4*v+3);
    //@ assert own(dx,at+head+4*v) && own(dx,at+head+4*v+1);
    //@ assert own(dx,at+head+4*v+2) && own(dx,at+head+4*v+3);
    //@ assert aligned16(dx+(at+head+4*v));
    //@ assert puts(dx,at+head+4*v,4);
    //@ assert takes(to,x,at+head+4*v,4);
    put_shares(to, 4, 1, &s, &top, at + head + 4 * v, head + 4 * v, accumulate, x, dx);
  }
  /*@ loop invariant 0 <= e <= rest + lanes && rem(e,lanes) == t;
      loop assigns e, dx[at .. at+len-1];
      loop variant rest - e; */
  for (int e = t; e < rest; e += lanes) {
    int j = e < head ? e : e + 4 * V;
    //@ assert 0 <= j < len && turn(j,head,V) == e;
    //@ assert puts(dx,at+j,1);
    put_shares(to, 1, 1, &s, &top, at + j, j, accumulate, x, dx);
  }
}

/* What all threads share: the tensors of lines in chunks. */
/*@ predicate spread_in{L}(integer which, integer W, float *x, float *y, double *ties, float *g,
                            float *dx, integer lines, integer all) =
      (W == 1 || W == 4) && (W == 4 ==> aligned16(dx)) && lines <= IDX_LIM &&
      \valid_read(g + (0 .. lines-1)) && perm_r(g,lines) && \valid(dx + (0 .. all-1)) &&
      (which == AXIS_MAX ==> counted(ties,lines) && reads(y,lines) && reads(x,all) &&
        (W == 4 ==> aligned16(x))); */
/* Thread t of group k. */
/*@ requires spread_sizes(outer,n,chunk,chunks) && 0 <= t < lanes <= 32;
    requires spread_in(which,W,x,y,ties,g,dx,outer,ix(outer,n,0)) && 0 <= k < ix(outer,chunks,0);
    requires \forall integer e; spread_W(k,t,lanes,n,chunk,chunks,W,e) ==> own(dx,e);
    assigns dx[0 .. ix(outer,n,0)-1]; */
DEV void share_row(int which, int W, idx k, int t, int lanes, idx n, idx chunk, idx chunks,
                   int accumulate, const float *RESTRICT x, const float *RESTRICT y,
                   const double *RESTRICT ties, const float *RESTRICT g,
                   float *RESTRICT dx GHOST_PARAMS(idx outer))
{
  idx o = axis_line(k, chunks), from = axis_chunk(k, o, chunks, chunk);
  int len = (int)(chunk < n - from ? chunk : n - from);
  //@ assert 0 <= o < outer && 0 <= from <= n && len == chunk_len(k,n,chunk,chunks);
  //@ assert ix(o,n,from) + len <= ix(o+1,n,0) <= ix(outer,n,0) && 0 <= ix(o,n,0);
  idx at = axis_at(from, o, n);
  //@ assert at == chunk_at(k,n,chunk,chunks) && 0 <= at && at + len <= ix(outer,n,0);
  const axis_share s = share_of(which, o, n, from, ties, g);
  //@ assert which == AXIS_MAX ==> \valid_read(x + (at .. at+len-1));
  //@ assert which == AXIS_MAX ==> perm_r(x,ix(outer,n,0));
  //@ assert which == AXIS_MAX ==> \forall integer e; at <= e < at + len ==> R(x+e);
  if (which != AXIS_MAX)
    share_along(SPREAD_ALL, W, s, 0.0f, at, len, t, lanes, accumulate, x, dx);
  else if (s.single)
    share_along(SPREAD_ONLY, W, s, 0.0f, at, len, t, lanes, accumulate, x, dx);
  else
    share_along(SPREAD_TOP, W, s, LDG(y + o), at, len, t, lanes, accumulate, x, dx);
}

/*@ predicate spread_apart{L}(integer which, float *x, float *y, float *g, float *dx,
                              integer lines, integer all) =
      apart(g,lines,dx,all) &&
      (which == AXIS_MAX ==> apart(x,all,dx,all) && apart(y,lines,dx,all)); */
/*@ requires spread_sizes(outer,n,chunk,chunks) && group(lanes,groups) && GSIZE <= THREADS;
    requires spread_in(WHICH,W,x,y,ties,g,dx,outer,ix(outer,n,0)) && perm(dx,ix(outer,n,0));
    requires spread_apart(WHICH,x,y,g,dx,outer,ix(outer,n,0));
    assigns dx[0 .. ix(outer,n,0)-1]; */
TEMPLATE(int WHICH, int W)
KERNEL void reduce_vjp_rows(CONSTANTS(int WHICH, int W) int lanes, int groups, idx outer, idx n,
                            idx chunk, idx chunks, int accumulate, const float *RESTRICT x,
                            const float *RESTRICT y, const double *RESTRICT ties,
                            const float *RESTRICT g, float *RESTRICT dx)
{
  idx count = ix_times(outer, chunks);
  /*@ loop invariant 0 <= t;
      loop assigns t, dx[0 .. ix(outer,n,0)-1];
      loop variant GSIZE - t; */
  EACH_GRID_THREAD(t) {
    idx k = lane_group(t, groups GHOST_ARGS(lanes));
    //@ assert ix(k,lanes,rem(t,lanes)) == t && 0 <= rem(t,lanes) < lanes && 0 <= k;
    //@ assert k * lanes == ix(k,lanes,0) && 0 <= ix(k,lanes,0) <= t;
    if (k < count) {
      share_row(WHICH, W, k, (int)(t - k * lanes), lanes, n, chunk, chunks, accumulate, x, y, ties,
                g, dx GHOST_ARGS(outer));
    }
  }
}

/* ---- cols: inner is W * width; thread (k,v) has chunk k of W columns, from W*v on ---- */
/*@ logic integer wide(integer W, integer q) = W == 4 ? 4*q : q;
    // what thread (k,v) writes in row j of its chunk
    predicate down_W(integer row, integer len, integer v, integer width, integer W, integer j,
                     integer e) =
      0 <= j < len && 0 <= e - wide(W,ix(row+j,width,v)) < W;
    predicate strip_W(integer k, integer v, integer n, integer width, integer chunk,
                      integer chunks, integer W, integer j, integer e) =
      down_W(chunk_at(k,n,chunk,chunks),chunk_len(k,n,chunk,chunks),v,width,W,j,e);
    lemma wide_inside: \forall integer row, rows, v, width, W, e; 0 <= row < rows ==>
      0 <= v < width ==> W == 1 || W == 4 ==> 0 <= e - wide(W,ix(row,width,v)) < W ==>
      0 <= e < wide(W,ix(rows,width,0));
    lemma down_inside: \forall integer row, len, rows, v, width, W, j, e; 0 <= row + j < rows ==>
      0 <= v < width ==> W == 1 || W == 4 ==> down_W(row,len,v,width,W,j,e) ==>
      0 <= e < wide(W,ix(rows,width,0));
    lemma strip_inside: \forall integer outer, k, v, n, width, chunk, chunks, W, j, e;
      0 < chunks ==> 0 <= chunk ==> 0 <= k < ix(outer,chunks,0) ==> 0 <= v < width ==>
      W == 1 || W == 4 ==> strip_W(k,v,n,width,chunk,chunks,W,j,e) ==>
      0 <= e < wide(W,ix(ix(outer,n,0),width,0));
    lemma race_strip: \forall integer k, v, l, w, n, width, chunk, chunks, W, i, j, e; 0 <= k ==>
      0 <= l ==> 0 < chunks ==> 0 <= chunk ==> 0 <= v < width ==> 0 <= w < width ==>
      W == 1 || W == 4 ==> (k != l || v != w) ==> strip_W(k,v,n,width,chunk,chunks,W,i,e) ==>
      !strip_W(l,w,n,width,chunk,chunks,W,j,e);
    lemma ix_down: \forall integer j, width, q, v; ix(j,width,ix(q,width,v)) == ix(q+j,width,v); */

/* A chunk of W columns, which begins with element W*at of dx. */
/*@ requires (W == 1 || W == 4) && 0 <= len <= SPREAD_ROW && 0 <= v < width <= IDX_LIM;
    requires 0 <= row && row + len <= rows <= IDX_LIM && at == ix(row,width,v);
    requires wide(W,ix(rows,width,0)) <= IDX_LIM;
    requires \valid_read(s + (0 .. W-1)) && \valid_read(top + (0 .. W-1));
    requires \valid(dx + (0 .. wide(W,ix(rows,width,0))-1)) && (W == 4 ==> aligned16(dx));
    requires to == SPREAD_TOP ==> reads(x,wide(W,ix(rows,width,0))) && (W == 4 ==> aligned16(x));
    requires \forall integer j, e; down_W(row,len,v,width,W,j,e) ==> own(dx,e);
    assigns dx[0 .. wide(W,ix(rows,width,0))-1]; */
DEV void spread_down(int to, int W, const axis_share *s, const float *top, idx at, idx width,
                     int len, int accumulate, const float *RESTRICT x,
                     float *RESTRICT dx GHOST_PARAMS(idx row, idx rows, idx v))
{
  /*@ loop invariant 0 <= j <= len;
      loop assigns j, dx[0 .. wide(W,ix(rows,width,0))-1];
      loop variant len - j; */
  UNROLL_BY(4)
  for (int j = 0; j < len; j++) {
    //@ assert ix(j,width,at) == ix(row+j,width,v) && 0 <= ix(row,width,v);
    //@ assert 0 <= ix(row+j,width,v) < ix(rows,width,0);
    idx q = axis_at(at, j, width);
    //@ assert q == ix(row+j,width,v) && W * q == wide(W,q);
    //@ assert wide(W,q) + W <= wide(W,ix(rows,width,0));
    //@ assert down_W(row,len,v,width,W,j,wide(W,q));
    //@ assert W == 4 ==> down_W(row,len,v,width,W,j,wide(W,q)+1);
    //@ assert W == 4 ==> down_W(row,len,v,width,W,j,wide(W,q)+2);
    //@ assert W == 4 ==> down_W(row,len,v,width,W,j,wide(W,q)+3);
    //@ assert W == 4 ==> aligned16(dx+wide(W,q));
    //@ assert puts(dx,wide(W,q),W);
    //@ assert W == 4 ==> to == SPREAD_TOP ==> aligned16(x+wide(W,q));
    //@ assert takes(to,x,wide(W,q),W);
    put_shares(to, W, W, s, top, W * q, j, accumulate, x, dx);
  }
}

/* Thread (k,v). */
/*@ requires spread_sizes(outer,n,chunk,chunks) && 0 <= v < width <= IDX_LIM;
    requires spread_in(which,W,x,y,ties,g,dx,wide(W,ix(outer,width,0)),
                       wide(W,ix(ix(outer,n,0),width,0)));
    requires wide(W,ix(ix(outer,n,0),width,0)) <= IDX_LIM && 0 <= k < ix(outer,chunks,0);
    requires \forall integer j, e; strip_W(k,v,n,width,chunk,chunks,W,j,e) ==> own(dx,e);
    assigns dx[0 .. wide(W,ix(ix(outer,n,0),width,0))-1]; */
DEV void share_column(int which, int W, idx k, idx v, idx n, idx width, idx chunk, idx chunks,
                      int accumulate, const float *RESTRICT x, const float *RESTRICT y,
                      const double *RESTRICT ties, const float *RESTRICT g,
                      float *RESTRICT dx GHOST_PARAMS(idx outer))
{
  idx o = axis_line(k, chunks), from = axis_chunk(k, o, chunks, chunk);
  int len = (int)(chunk < n - from ? chunk : n - from), single = 1;
  //@ assert 0 <= o < outer && 0 <= from < n && len == chunk_len(k,n,chunk,chunks);
  //@ assert 0 <= ix(o,n,0) && ix(o+1,n,0) <= ix(outer,n,0);
  //@ assert from < n && 0 < len && ix(o,n,from) + len <= ix(o+1,n,0);
  idx row = axis_at(from, o, n);
  //@ assert row == chunk_at(k,n,chunk,chunks) && 0 <= row && row + len <= ix(outer,n,0);
  //@ assert 0 <= ix(o,width,v) < ix(outer,width,0);
  //@ assert row < ix(outer,n,0);
  //@ assert 0 <= ix(row,width,v) < ix(ix(outer,n,0),width,0);
  idx c = axis_at(v, o, width), at = axis_at(v, row, width);
  //@ assert W * c == wide(W,c);
  //@ assert wide(W,c) + W <= wide(W,ix(outer,width,0));
  axis_share s[4];
  float top[4] = {0, 0, 0, 0};
  /*@ loop invariant 0 <= i <= W;
      loop assigns i, single, s[0 .. 3];
      loop variant W - i; */
  UNROLL
  for (int i = 0; i < W; i++) {
    s[i] = share_of(which, W * c + i, n, from, ties, g);
    single = single && s[i].single;
  }
  if (which != AXIS_MAX)
    spread_down(SPREAD_ALL, W, s, top, at, width, len, accumulate, x,
                dx GHOST_ARGS(row, ix_times(outer, n), v));
  else if (single)
    spread_down(SPREAD_ONLY, W, s, top, at, width, len, accumulate, x,
                dx GHOST_ARGS(row, ix_times(outer, n), v));
  else {
    /*@ loop invariant 0 <= i <= W;
        loop assigns i, top[0 .. 3];
        loop variant W - i; */
    UNROLL
    for (int i = 0; i < W; i++) top[i] = LDG(y + W * c + i);
    spread_down(SPREAD_TOP, W, s, top, at, width, len, accumulate, x,
                dx GHOST_ARGS(row, ix_times(outer, n), v));
  }
}

/*@ requires spread_sizes(outer,n,chunk,chunks) && 0 < width <= IDX_LIM;
    requires spread_in(WHICH,W,x,y,ties,g,dx,wide(W,ix(outer,width,0)),
                       wide(W,ix(ix(outer,n,0),width,0)));
    requires wide(W,ix(ix(outer,n,0),width,0)) <= IDX_LIM && ix(ix(outer,chunks,0),width,
      0) <= GSIZE;
    requires perm(dx,wide(W,ix(ix(outer,n,0),width,0)));
    requires spread_apart(WHICH,x,y,g,dx,wide(W,ix(outer,width,0)),
                          wide(W,ix(ix(outer,n,0),width,0)));
    assigns dx[0 .. wide(W,ix(ix(outer,n,0),width,0))-1]; */
TEMPLATE(int WHICH, int W)
KERNEL void reduce_vjp_cols(CONSTANTS(int WHICH, int W) idx outer, idx n, idx width, idx chunk,
                            idx chunks, int accumulate, const float *RESTRICT x,
                            const float *RESTRICT y, const double *RESTRICT ties,
                            const float *RESTRICT g, float *RESTRICT dx)
{
  idx count = ix_times(outer, chunks);
  /*@ loop invariant 0 <= k <= count;
      loop assigns k, dx[0 .. wide(W,ix(ix(outer,n,0),width,0))-1];
      loop variant count - k; */
  GROWS(k, count, width)
    /*@ loop invariant 0 <= v <= width;
        loop assigns v, dx[0 .. wide(W,ix(ix(outer,n,0),width,0))-1];
        loop variant width - v; */
    GCOLS(v, width) {
      share_column(WHICH, W, k, v, n, width, chunk, chunks, accumulate, x, y, ties, g,
                   dx GHOST_ARGS(outer));
    }
}
#endif
