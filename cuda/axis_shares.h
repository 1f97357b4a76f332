/* VJPs of sum_axis and mean_axis: dx is (outer, n, inner), g (outer, inner), and all n elements of a
 * line of dx get the line's element of g, or an n-th of it.
 *   rows   inner is 1: T threads share a row, which is cut into vectors that are aligned
 *   cols   else: a thread goes down a chunk of one column, or of four */
#ifndef PM_AXIS_SHARES_H
#define PM_AXIS_SHARES_H
#include "sum_range.h"
#include "../spec/reduce.h"
#include "../spec/walk.h"

enum { SHARE_COLUMN = 16 }; /* elements of a chunk of a column, at most */

/*@ logic real LineShare(integer mean, real g, integer n) = mean != 0 ? rdiv(g,n) : g;
    // element k of y is s, or has s added
    predicate given{L0,L}(float *y, integer k, integer adds, real s) =
      \at(y[k],L) == plus(adds,\at(y[k],L0),s);
    predicate still{L0,L}(float *y, integer from, integer to) =
      \forall integer k; from <= k < to ==> \at(y[k],L) == \at(y[k],L0);
    // what is a multiple of four elements from element k
    predicate aligned_from(float *y, integer k) =
      \forall integer m; (m - k) % 4 == 0 ==> aligned16(y + m);
    lemma still_from{L0,L}: \forall float *y, integer k, n; still{L0,L}(y,k,k+n) ==>
      still{L0,L}(y+k,0,n);
    lemma perm_from: \forall float *y, integer k, m, n; 0 <= k ==> k + m <= n ==> perm(y,n) ==>
      perm(y+k,m);
    logic real part(float4 r, integer e) = e == 0 ? r.x : e == 1 ? r.y : e == 2 ? r.z : r.w; */
/*@ requires 0 < n;
    assigns \nothing;
    ensures \result == LineShare(mean,g,n); */
DEV float line_share(int mean, float g, idx n) { return mean ? over(g, (double)n) : g; }

/* dx[k .. k+W-1], W being 4 or 1. */
/*@ requires (W == 1 || W == 4) && \valid(dx + (k .. k+W-1)) && (W == 4 ==> aligned16(dx + k));
    requires \forall integer i; k <= i < k + W ==> R(dx+i) && W(dx+i);
    assigns dx[k .. k+W-1];
    ensures \forall integer i; k <= i < k + W ==> given{Pre,Post}(dx,i,adds,part(s,i-k)); */
DEV void share_put(int W, idx k, int adds, float4 s, float *RESTRICT dx)
{
  if (W == 4) {
    ST4(dx + k, adds ? plus4(LD4(dx + k), s) : s);
    //@ assert given{Pre,Here}(dx,k,adds,s.x) && given{Pre,Here}(dx,k+1,adds,s.y);
    //@ assert given{Pre,Here}(dx,k+2,adds,s.z) && given{Pre,Here}(dx,k+3,adds,s.w);
  } else
    STG(dx + k, adds ? LDG(dx + k) + s.x : s.x);
}

/* ---- rows: row p of n elements has V vectors from element `head` on. Thread t of T has vectors t,
 * t + T, t + 2T and t + 3T, thread 0 what is left before and behind the vectors as well. ---- */
/*@ logic integer vec_owner(integer v, integer T) =
      v < T ? v : v < 2*T ? v - T : v < 3*T ? v - 2*T : v - 3*T;
    logic integer owner(integer c, integer head, integer V, integer T) =
      head <= c < head + 4*V ? vec_owner((c - head)/4, T) : 0;
    predicate share_W(integer q, integer t, integer n, integer head, integer V, integer T,
                      integer k) =
      0 <= k - ix(q,n,0) < n && owner(k - ix(q,n,0), head, V, T) == t;
    lemma race_share: \forall integer q, t, r, u, n, h, V, i, W, T, k; q != r || t != u ==>
      (q == r ==> h == i && V == W) ==> share_W(q,t,n,h,V,T,k) ==> !share_W(r,u,n,i,W,T,k);
    predicate row_cut(integer n, integer head, integer V, integer T) =
      0 < n <= IDX_LIM && 0 <= head && 0 <= V && head + 4*V <= n && 0 < T <= IDX_LIM && V <= 4*T;
    // what the threads below t have done to a row
    predicate row_state{L0,L}(float *p, integer n, integer head, integer V, integer T, integer t,
                              integer adds, real s) =
      \forall integer c; 0 <= c < n ==>
        (owner(c,head,V,T) < t ? given{L0,L}(p,c,adds,s) : \at(p[c],L) == \at(p[c],L0));
    predicate row_own(float *p, integer n, integer head, integer V, integer T, integer t) =
      \forall integer c; 0 <= c < n ==> owner(c,head,V,T) == t ==> R(p+c) && W(p+c);
    lemma owner_range: \forall integer n, head, V, T, c; row_cut(n,head,V,T) ==> 0 <= c < n ==>
      0 <= owner(c,head,V,T) < T;
    predicate row_given{L0,L}(float *p, integer n, integer adds, real s) =
      \forall integer c; 0 <= c < n ==> given{L0,L}(p,c,adds,s);
    lemma row_begins{L0,L}: \forall float *p, integer n, head, V, T, adds, real s;
      row_cut(n,head,V,T) ==> still{L0,L}(p,0,n) ==> row_state{L0,L}(p,n,head,V,T,0,adds,s);
    lemma row_ends{L0,L}: \forall float *p, integer n, head, V, T, adds, real s;
      row_cut(n,head,V,T) ==> row_state{L0,L}(p,n,head,V,T,T,adds,s) ==>
      row_given{L0,L}(p,n,adds,s);
    lemma row_owns: \forall float *p, integer n, head, V, T, t; perm(p,n) ==>
      row_own(p,n,head,V,T,t); */
/* Vector v of the row, if it has as many. */
/*@ requires row_cut(n,head,V,T) && 0 <= v <= 4*T && \valid(p + (0 .. n-1));
    requires 0 < V ==> aligned_from(p,head);
    requires v < V ==> \forall integer c; head + 4*v <= c < head + 4*v + 4 ==> R(p+c) && W(p+c);
    assigns p[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==>
      (v < V && head + 4*v <= c < head + 4*v + 4 ? given{Pre,Post}(p,c,adds,s)
                                                 : p[c] == \old(p[c])); */
DEV void row_vector(idx v, idx n, idx head, idx V, idx T, int adds, float s, float *RESTRICT p)
{
  float4 all = {s, s, s, s};
  (void)n, (void)T;
  if (v < V) {
    //@ assert 4*v % 4 == 0 && aligned16(p + (head + 4*v));
    share_put(4, head + 4 * v, adds, all, p);
    //@ assert \forall integer e; part(all,e) == s;
    /*@ assert \forall integer c; head + 4*v <= c < head + 4*v + 4 ==>
          given{Pre,Here}(p,c,adds,s); */
  }
}

/* Elements from .. to-1 of the row, one by one. */
/*@ requires 0 <= from <= to <= n <= IDX_LIM && \valid(p + (0 .. n-1));
    requires \forall integer c; from <= c < to ==> R(p+c) && W(p+c);
    assigns p[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==>
      (from <= c < to ? given{Pre,Post}(p,c,adds,s) : p[c] == \old(p[c])); */
DEV void row_few(idx from, idx to, idx n, int adds, float s, float *RESTRICT p)
{
  float4 all = {s, s, s, s};
  (void)n;
  /*@ loop invariant from <= k <= to;
      loop invariant \forall integer c; 0 <= c < n ==>
        (from <= c < k ? given{Pre,Here}(p,c,adds,s) : p[c] == \at(p[c],Pre));
      loop assigns k, p[0 .. n-1];
      loop variant to - k; */
  for (idx k = from; k < to; k++) share_put(1, k, adds, all, p);
}

/*@ requires row_cut(n,head,V,T) && 0 <= t < T && \valid(p + (0 .. n-1));
    requires (0 < V ==> aligned_from(p,head)) && row_own(p,n,head,V,T,t);
    assigns p[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==>
      (owner(c,head,V,T) == t ? given{Pre,Post}(p,c,adds,s) : p[c] == \old(p[c])); */
DEV void row_thread(idx t, idx n, idx head, idx V, idx T, int adds, float s, float *RESTRICT p)
{
  row_vector(t, n, head, V, T, adds, s, p);
  row_vector(t + T, n, head, V, T, adds, s, p);
  row_vector(t + 2 * T, n, head, V, T, adds, s, p);
  row_vector(t + 3 * T, n, head, V, T, adds, s, p);
  if (t == 0) {
    row_few(0, head, n, adds, s, p);
    row_few(head + 4 * V, n, n, adds, s, p);
  }
}

/* Element `first` of dx is at a 16-byte boundary. */
/*@ predicate rows_done{L0,L}(float *dx, float *g, integer mean, integer adds, integer n,
                              integer rows) =
      \forall integer q, c; 0 <= q < rows ==> 0 <= c < n ==>
        given{L0,L}(dx, ix(q,n,c), adds, LineShare(mean,\at(g[q],L0),n)); */
/*@ requires 0 <= outer && 0 < n && n / 4 <= 4*T && 0 < T <= IDX_LIM && ix(outer,T,0) <= GSIZE;
    requires 0 <= first < 4 && aligned_from(dx,first) && reads(g,outer);
    requires writes(dx,ix(outer,n,0)) && apart(g,outer,dx,ix(outer,n,0)) && n <= IDX_LIM;
    assigns dx[0 .. ix(outer,n,0)-1];
    ensures rows_done{Pre,Post}(dx,g,mean,accumulate,n,outer); */
KERNEL void share_rows(idx outer, idx n, idx T, int first, int mean, int accumulate,
                       const float *RESTRICT g, float *RESTRICT dx)
{
  /*@ loop invariant 0 <= q <= outer && Same{Pre,Here}(g,outer);
      loop invariant rows_done{Pre,Here}(dx,g,mean,accumulate,n,q);
      loop invariant still{Pre,Here}(dx,ix(q,n,0),ix(outer,n,0));
      loop assigns q, dx[0 .. ix(outer,n,0)-1];
      loop variant outer - q; */
  GROWS(q, outer, T) {
    idx at = at2(outer, n, q, 0), head = 3 - (at + 3 - first) % 4;
    head = head < n ? head : n;
    idx V = (n - head) / 4;
    float s = line_share(mean, LDG(g + q), n);
    //@ assert s == LineShare(mean,rd{Pre}(g,q),n) && row_cut(n,head,V,T);
    //@ assert 0 < V ==> (at + head - first) % 4 == 0;
    //@ assert 0 < V ==> aligned_from(dx+at,head);
    //@ assert ix(q+1,n,0) == at + n && at + n <= ix(outer,n,0) && 0 <= at;
    //@ assert above: \forall integer r, c; 0 <= r < q ==> 0 <= c < n ==> 0 <= ix(r,n,c) < at;
    //@ assert still{Pre,Here}(dx,at,at+n);
    //@ assert still{Pre,Here}(dx+at,0,n);
    //@ assert perm(dx+at,n);
    /*@ loop invariant 0 <= t <= T && Same{Pre,Here}(g,outer);
        loop invariant rows_done{Pre,Here}(dx,g,mean,accumulate,n,q);
        loop invariant row_state{Pre,Here}(dx+at,n,head,V,T,t,accumulate,s);
        loop invariant still{Pre,Here}(dx,at+n,ix(outer,n,0));
        loop assigns t, dx[0 .. ix(outer,n,0)-1];
        loop variant T - t; */
    GCOLS(t, T) {
      row_thread(t, n, head, V, T, accumulate, s, dx + at);
      //@ assert still{LoopCurrent,Here}(dx,0,at);
      //@ assert rows_done{Pre,Here}(dx,g,mean,accumulate,n,q);
      //@ assert row_state{Pre,Here}(dx+at,n,head,V,T,t+1,accumulate,s);
    }
    //@ assert row_given{Pre,Here}(dx+at,n,accumulate,s);
    //@ assert \forall integer c; 0 <= c < n ==> given{Pre,Here}(dx,ix(q,n,c),accumulate,s);
  }
}

/* ---- cols: dx has outer * n rows of `inner` elements, each line n rows. Thread (k,v) of `count` by
 * `width` has chunk k of the rows, chunk_row(k) and those after it, and W columns; no chunk has
 * rows of two lines. ---- */
/*@ predicate chunked(integer n, integer chunk, integer chunks) =
      0 < n <= IDX_LIM && 0 < chunk && 0 < chunks && ix(chunks-1,chunk,0) < n <= ix(chunks,chunk,0);
    logic integer chunk_from(integer k, integer chunk, integer chunks) =
      ix(rem(k,chunks),chunk,0);
    logic integer chunk_len(integer k, integer n, integer chunk, integer chunks) =
      least(chunk, n - chunk_from(k,chunk,chunks));
    logic integer chunk_row(integer k, integer n, integer chunk, integer chunks) =
      ix(quo(k,chunks), n, chunk_from(k,chunk,chunks));
    lemma quo_of: \forall integer o, n, j; 0 <= o ==> 0 <= j < n ==>
      quo(ix(o,n,j),n) == o && rem(ix(o,n,j),n) == j;
    lemma quo_next: \forall integer k, n; 0 <= k ==> 0 < n ==>
      (rem(k,n) + 1 < n ==> quo(k+1,n) == quo(k,n) && rem(k+1,n) == rem(k,n) + 1) &&
      (rem(k,n) + 1 == n ==> quo(k+1,n) == quo(k,n) + 1 && rem(k+1,n) == 0);
    lemma quo_1: \forall integer k; 0 <= k ==> quo(k,1) == k && rem(k,1) == 0;
    lemma chunk_inside: \forall integer k, n, chunk, chunks; 0 <= k ==>
      chunked(n,chunk,chunks) ==> 0 <= chunk_from(k,chunk,chunks) < n;
    lemma chunk_last: \forall integer k, n, chunk, chunks; 0 <= k ==>
      chunked(n,chunk,chunks) ==> rem(k,chunks) + 1 == chunks ==>
      chunk_len(k,n,chunk,chunks) == n - chunk_from(k,chunk,chunks);
    lemma chunk_whole: \forall integer k, n, chunk, chunks; 0 <= k ==>
      chunked(n,chunk,chunks) ==> rem(k,chunks) + 1 < chunks ==>
      chunk_len(k,n,chunk,chunks) == chunk;
    lemma chunk_next: \forall integer k, n, chunk, chunks; 0 <= k ==> chunked(n,chunk,chunks) ==>
      chunk_row(k+1,n,chunk,chunks) ==
        chunk_row(k,n,chunk,chunks) + chunk_len(k,n,chunk,chunks);
    lemma chunk_begin: \forall integer n, chunk, chunks; chunked(n,chunk,chunks) ==>
      chunk_row(0,n,chunk,chunks) == 0;
    lemma chunk_end: \forall integer outer, n, chunk, chunks; 0 <= outer ==>
      chunked(n,chunk,chunks) ==> chunk_row(ix(outer,chunks,0),n,chunk,chunks) == ix(outer,n,0);
    lemma chunk_line: \forall integer k, q, n, chunk, chunks; 0 <= k ==>
      chunked(n,chunk,chunks) ==> chunk_row(k,n,chunk,chunks) <= q ==>
      q < chunk_row(k,n,chunk,chunks) + chunk_len(k,n,chunk,chunks) ==>
      quo(q,n) == quo(k,chunks);
    lemma chunk_order: \forall integer k, l, n, chunk, chunks; 0 <= k < l ==>
      chunked(n,chunk,chunks) ==> chunk_row(k,n,chunk,chunks) + chunk_len(k,n,chunk,chunks) <=
        chunk_row(l,n,chunk,chunks);
    // the cells of columns c .. c+W-1 in rows q .. q+len-1
    predicate strip_W(integer q, integer len, integer c, integer W, integer inner, integer r,
                      integer i, integer e) =
      q <= r < q + len && c <= i < c + W && 0 <= i < inner && e == ix(r,inner,i);
    lemma race_strip: \forall integer q, len, c, p, m, d, W, inner, r, i, s, j, e;
      q + len <= p || p + m <= q || c + W <= d || d + W <= c ==>
      strip_W(q,len,c,W,inner,r,i,e) ==> !strip_W(p,m,d,W,inner,s,j,e);
    // what thread (q,c) has done when it is through with its first j rows
    predicate strip_state{L0,L}(float *dx, integer inner, integer q, integer len, integer j,
                                integer c, integer W, integer adds, float4 s) =
      \forall integer r, i; q <= r < q + len ==> 0 <= i < inner ==>
        (r < q + j && c <= i < c + W ? given{L0,L}(dx, ix(r,inner,i), adds, part(s,i-c))
                                     : \at(dx[ix(r,inner,i)],L) == \at(dx[ix(r,inner,i)],L0));
    predicate strip_own(float *dx, integer inner, integer q, integer len, integer c,
                        integer W) =
      \forall integer r, i, e; strip_W(q,len,c,W,inner,r,i,e) ==> R(dx+e) && W(dx+e);
    logic integer wide(integer W, integer v) = W == 4 ? 4*v : v; */
/*@ requires (W == 1 || W == 4) && 0 < width && inner == wide(W,width) && 0 <= v < width;
    requires 0 <= q && 0 < len && q + len <= rows && ix(rows,inner,0) <= IDX_LIM;
    requires \valid(dx + (0 .. ix(rows,inner,0)-1)) && (W == 4 ==> aligned16(dx));
    requires strip_own(dx,inner,q,len,wide(W,v),W);
    assigns dx[ix(q,inner,0) .. ix(q+len,inner,0)-1];
    ensures strip_state{Pre,Post}(dx,inner,q,len,len,wide(W,v),W,adds,s); */
DEV void share_down(int W, idx v, idx width, idx q, int len, idx rows, idx inner, int adds,
                    float4 s, float *RESTRICT dx)
{
  idx c = W == 4 ? 4 * v : v, at = at2(rows, inner, q, c);
  (void)width;
  //@ assert W == 4 ==> at == 4*ix(q,width,v);
  /*@ loop invariant 0 <= j <= len && at == ix(q+j,inner,c) && (W == 4 ==> at % 4 == 0);
      loop invariant strip_state{Pre,Here}(dx,inner,q,len,j,c,W,adds,s);
      loop assigns j, at, dx[ix(q,inner,0) .. ix(q+len,inner,0)-1];
      loop variant len - j; */
  UNROLL_BY(4)
  for (int j = 0; j < len; j++, at += inner) {
    //@ assert ix(q,inner,0) <= ix(q+j,inner,0) <= at && at + W <= ix(q+j+1,inner,0);
    //@ assert ix(q+j+1,inner,0) <= ix(q+len,inner,0) <= ix(rows,inner,0);
    //@ assert W == 4 ==> aligned16(dx + at);
    //@ assert \forall integer i; c <= i < c + W ==> ix(q+j,inner,i) == at + (i - c);
    //@ assert \forall integer e; at <= e < at + W ==> e == ix(q+j,inner,c+(e-at));
    //@ assert \forall integer e; at <= e < at + W ==> R(dx+e) && W(dx+e);
    share_put(W, at, adds, s, dx);
    /*@ assert \forall integer r, i; q <= r < q + len ==> 0 <= i < inner ==>
          (r != q + j || i < c || c + W <= i) ==> ix(r,inner,i) < at || at + W <= ix(r,inner,i); */
  }
}

/* The shares of W neighbouring lines, from element `at` of g on. */
/*@ requires (W == 1 || W == 4) && 0 < n && 0 <= at <= IDX_LIM && \valid_read(g + (at .. at+W-1));
    requires \forall integer i; at <= i < at + W ==> R(g+i);
    assigns \nothing;
    ensures \forall integer i; 0 <= i < W ==> part(\result,i) == LineShare(mean,g[at+i],n); */
DEV float4 line_shares(int W, int mean, idx n, idx at, const float *RESTRICT g)
{
  float4 s = {0, 0, 0, 0};
  s.x = line_share(mean, LDG(g + at), n);
  if (W == 4) {
    s.y = line_share(mean, LDG(g + at + 1), n);
    s.z = line_share(mean, LDG(g + at + 2), n);
    s.w = line_share(mean, LDG(g + at + 3), n);
  }
  return s;
}

/*@ // rows below `rows`; rows q .. q+len-1, of line o, in columns below c
    predicate lines_done{L0,L}(float *dx, float *g, integer mean, integer adds, integer n,
                               integer inner, integer rows) =
      \forall integer r, i; 0 <= r < rows ==> 0 <= i < inner ==>
        given{L0,L}(dx, ix(r,inner,i), adds,
                    LineShare(mean,\at(g[ix(quo(r,n),inner,i)],L0),n));
    predicate chunk_state{L0,L}(float *dx, float *g, integer mean, integer adds, integer n,
                                integer inner, integer o, integer q, integer len, integer c) =
      \forall integer r, i; q <= r < q + len ==> 0 <= i < inner ==>
        (i < c ? given{L0,L}(dx, ix(r,inner,i), adds,
                             LineShare(mean,\at(g[ix(o,inner,i)],L0),n))
               : \at(dx[ix(r,inner,i)],L) == \at(dx[ix(r,inner,i)],L0)); */
/*@ requires (W == 1 || W == 4) && chunked(n,chunk,chunks) && chunk <= 0x7fffffff && 0 <= outer;
    requires 0 < width && inner == wide(W,width) && inner <= IDX_LIM;
    requires ix(chunks,chunk,0) <= IDX_LIM && rows == ix(outer,n,0) <= IDX_LIM;
    requires count == ix(outer,chunks,0) <= IDX_LIM && ix(count,width,0) <= GSIZE;
    requires reads(g,ix(outer,inner,0)) && writes(dx,ix(rows,inner,0));
    requires apart(g,ix(outer,inner,0),dx,ix(rows,inner,0)) && (W == 4 ==> aligned16(dx));
    assigns dx[0 .. ix(rows,inner,0)-1];
    ensures lines_done{Pre,Post}(dx,g,mean,accumulate,n,inner,ix(outer,n,0)); */
TEMPLATE(int W)
KERNEL void share_cols(CONSTANTS(int W) idx outer, idx n, idx inner, idx width, idx chunk,
                       idx chunks, idx count, idx rows, int mean, int accumulate,
                       const float *RESTRICT g, float *RESTRICT dx)
{
  //@ assert chunk_row(0,n,chunk,chunks) == 0 && chunk_row(count,n,chunk,chunks) == rows;
  /*@ loop invariant 0 <= k <= count && Same{Pre,Here}(g,ix(outer,inner,0));
      loop invariant 0 <= chunk_row(k,n,chunk,chunks) <= rows;
      loop invariant lines_done{Pre,Here}(dx,g,mean,accumulate,n,inner,
                                          chunk_row(k,n,chunk,chunks));
      loop invariant still{Pre,Here}(dx,ix(chunk_row(k,n,chunk,chunks),inner,0),
                                     ix(rows,inner,0));
      loop assigns k, dx[0 .. ix(rows,inner,0)-1];
      loop variant count - k; */
  GROWS(k, count, width) {
    idx o = chunks == 1 ? k : k / chunks, h = chunks == 1 ? 0 : k % chunks;
    //@ assert o == quo(k,chunks) && h == rem(k,chunks);
    //@ assert 0 <= h < chunks && 0 <= o < outer;
    idx from = at2(chunks, chunk, h, 0);
    //@ assert from == chunk_from(k,chunk,chunks) && 0 <= from < n;
    int len = (int)(chunk < n - from ? chunk : n - from);
    idx q = at2(outer, n, o, from);
    //@ assert len == chunk_len(k,n,chunk,chunks) && q == chunk_row(k,n,chunk,chunks);
    //@ assert q + len == chunk_row(k+1,n,chunk,chunks);
    //@ assert ix(o,n,from) + len <= ix(o+1,n,0) <= ix(outer,n,0);
    //@ assert q + len <= rows && ix(q+len,inner,0) <= ix(rows,inner,0) && 0 <= ix(q,inner,0);
    /*@ assert above: \forall integer r, i; 0 <= r < q ==> 0 <= i < inner ==>
          0 <= ix(r,inner,i) < ix(q,inner,0); */
    /*@ assert in_chunk: \forall integer r, i; q <= r < q + len ==> 0 <= i < inner ==>
          ix(q,inner,0) <= ix(r,inner,i) < ix(q+len,inner,0); */
    //@ assert chunk_state{Pre,Here}(dx,g,mean,accumulate,n,inner,o,q,len,0);
    /*@ loop invariant 0 <= v <= width && Same{Pre,Here}(g,ix(outer,inner,0));
        loop invariant lines_done{Pre,Here}(dx,g,mean,accumulate,n,inner,q);
        loop invariant chunk_state{Pre,Here}(dx,g,mean,accumulate,n,inner,o,q,len,wide(W,v));
        loop invariant still{Pre,Here}(dx,ix(q+len,inner,0),ix(rows,inner,0));
        loop assigns v, dx[0 .. ix(rows,inner,0)-1];
        loop variant width - v; */
    GCOLS(v, width) {
      idx c = W == 4 ? 4 * v : v, at = at2(outer, inner, o, c);
      //@ assert 0 <= at && at + W <= ix(o+1,inner,0) <= ix(outer,inner,0);
      float4 s = line_shares(W, mean, n, at, g);
      /*@ assert \forall integer i; c <= i < c + W ==>
            part(s,i-c) == LineShare(mean,rd{Pre}(g,ix(o,inner,i)),n); */
      share_down(W, v, width, q, len, rows, inner, accumulate, s, dx);
      //@ assert still{LoopCurrent,Here}(dx,0,ix(q,inner,0));
      //@ assert lines_done{Pre,Here}(dx,g,mean,accumulate,n,inner,q);
      //@ assert chunk_state{Pre,Here}(dx,g,mean,accumulate,n,inner,o,q,len,c+W);
    }
    //@ assert \forall integer r; q <= r < q + len ==> quo(r,n) == o;
    //@ assert lines_done{Pre,Here}(dx,g,mean,accumulate,n,inner,q+len);
  }
}
#endif
