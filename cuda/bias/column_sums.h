/* Column reduction fused with a copy: the sums of the columns of x, (rows, cols), in a fixed
 * order, and x copied on the way: a first pass as one of sum/columns.h for one matrix, which does
 * the later ones. */
#ifndef PM_BIAS_COLUMN_SUMS_H
#define PM_BIAS_COLUMN_SUMS_H
#include "../lang/owned.h"
#include "../sum/columns.h"

enum { COPY_SET, COPY_ADD }; /* what becomes of copy: x, or copy + x */

/*@ // what copy has where it had old and x has v
    logic real Kept(integer copies, real old, real v) = copies == COPY_ADD ? old + v : v;
    predicate bias_sums_size{L}(float *x, float *copy, float *out, integer rows, integer cols,
                                integer chunk, integer chunks) =
      chunks_of(rows,chunk,chunks) && rows <= IDX_LIM && chunks <= IDX_LIM && 0 < cols <= IDX_LIM &&
      reads(x,ix(rows,cols,0)) && \valid(copy + (0 .. ix(rows,cols,0)-1)) &&
      0 <= ix(chunks,cols,0) <= IDX_LIM && \valid(out + (0 .. ix(chunks,cols,0)-1)) &&
      apart(x,ix(rows,cols,0),copy,ix(rows,cols,0)) &&
      apart(x,ix(rows,cols,0),out,ix(chunks,cols,0)) &&
      apart(copy,ix(rows,cols,0),out,ix(chunks,cols,0));
    // columns from .. to-1 of rows lo .. hi-1 are copied or added, all else is as it was
    predicate copied_in{L0,L}(float *copy, float *x, integer copies, integer rows, integer cols,
                              integer lo, integer hi, integer from, integer to) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> \at(copy[ix(r,cols,c)],L) ==
        (lo <= r < hi && from <= c < to
          ? Kept(copies, \at(copy[ix(r,cols,c)],L0), \at(x[ix(r,cols,c)],L0))
          : \at(copy[ix(r,cols,c)],L0));
    lemma copied_join{L0,L1,L2}: \forall float *copy, *x, integer copies, rows, cols, lo, r, from,
      to; lo <= r ==> Same{L0,L1}(x,ix(rows,cols,0)) ==>
      copied_in{L0,L1}(copy,x,copies,rows,cols,lo,r,from,to) ==>
      copied_in{L1,L2}(copy,x,copies,rows,cols,r,r+1,from,to) ==>
      copied_in{L0,L2}(copy,x,copies,rows,cols,lo,r+1,from,to);
    lemma copied_then{L0,L1,L2}: \forall float *copy, *x, integer copies, rows, cols, lo, hi, from,
      to; copied_in{L0,L1}(copy,x,copies,rows,cols,lo,hi,from,to) ==>
      Same{L1,L2}(copy,ix(rows,cols,0)) ==>
      copied_in{L0,L2}(copy,x,copies,rows,cols,lo,hi,from,to);
    // rows before lo are, and columns before `to` of rows lo .. hi-1
    predicate copied_before{L0,L}(float *copy, float *x, integer copies, integer rows, integer cols,
                                  integer lo, integer hi, integer to) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> \at(copy[ix(r,cols,c)],L) ==
        (r < lo || (r < hi && c < to)
          ? Kept(copies, \at(copy[ix(r,cols,c)],L0), \at(x[ix(r,cols,c)],L0))
          : \at(copy[ix(r,cols,c)],L0));
    lemma copied_step{L0,L1,L2}: \forall float *copy, *x, integer copies, rows, cols, lo, hi, from,
      to; lo <= hi ==> from <= to ==> Same{L0,L1}(x,ix(rows,cols,0)) ==>
      copied_before{L0,L1}(copy,x,copies,rows,cols,lo,hi,from) ==>
      copied_in{L1,L2}(copy,x,copies,rows,cols,lo,hi,from,to) ==>
      copied_before{L0,L2}(copy,x,copies,rows,cols,lo,hi,to);
    lemma copied_row{L0,L}: \forall float *copy, *x, integer copies, rows, cols, lo, hi, next;
      lo <= hi ==> copied_before{L0,L}(copy,x,copies,rows,cols,lo,hi,cols) ==>
      copied_before{L0,L}(copy,x,copies,rows,cols,hi,next,0);
    // one matrix
    lemma one_matrix: \forall integer n; ix(1,n,0) == n;
    lemma strip_from: \forall integer k, rows, chunk, chunks; chunks_of(rows,chunk,chunks) ==>
      0 <= k < chunks ==> strip_lo(k,rows,chunk,chunks) == ix(k,chunk,0) &&
      0 <= strip_lo(k,rows,chunk,chunks) <= strip_hi(k,rows,chunk,chunks) <= rows;
    lemma strip_next: \forall integer k, rows, chunk, chunks; chunks_of(rows,chunk,chunks) ==>
      0 <= k < chunks - 1 ==>
      strip_hi(k,rows,chunk,chunks) == strip_lo(k+1,rows,chunk,chunks);
    lemma strip_last: \forall integer rows, chunk, chunks; chunks_of(rows,chunk,chunks) ==>
      strip_lo(0,rows,chunk,chunks) == 0 && strip_hi(chunks-1,rows,chunk,chunks) == rows;
    lemma strip_one{L1,L2}: \forall float *x, integer rows, cols, chunk, chunks, k, c;
      chunks_of(rows,chunk,chunks) ==> 0 <= k < chunks ==> 0 <= c < cols ==>
      Same{L1,L2}(x,ix(rows,cols,0)) ==>
      StripSum{L1}(x,rows,cols,chunk,chunks,k,c) == StripSum{L2}(x,rows,cols,chunk,chunks,k,c);
    // what one pass leaves is the gradient of b
    lemma one_strip{L}: \forall float *x, integer rows, cols, chunk, c; chunks_of(rows,chunk,1) ==>
      StripSum{L}(x,rows,cols,chunk,1,0,c) == ColSum{L}(x,cols,c,rows);
    lemma strip_apart: \forall integer k, l, rows, chunk, chunks; chunks_of(rows,chunk,chunks) ==>
      0 <= k < l ==> l < chunks ==>
      strip_hi(k,rows,chunk,chunks) <= strip_lo(l,rows,chunk,chunks);
    lemma strip_row: \forall integer k, l, r, rows, chunk, chunks; chunks_of(rows,chunk,chunks) ==>
      0 <= k < chunks ==> 0 <= l < chunks ==>
      strip_lo(k,rows,chunk,chunks) <= r < strip_hi(k,rows,chunk,chunks) ==>
      strip_lo(l,rows,chunk,chunks) <= r < strip_hi(l,rows,chunk,chunks) ==> k == l;
    // what thread (k,v), or (k,c), writes of row r of copy
    predicate strip_W(integer k, integer v, integer V, integer chunk, integer chunks, integer rows,
                      integer r, integer e) =
      strip_lo(k,rows,chunk,chunks) <= r < strip_hi(k,rows,chunk,chunks) && quad_W(r,v,V,e);
    predicate run_W(integer k, integer c, integer cols, integer chunk, integer chunks, integer rows,
                    integer r, integer e) =
      strip_lo(k,rows,chunk,chunks) <= r < strip_hi(k,rows,chunk,chunks) && cell_W(r,c,cols,e);
    // which thread that is
    logic integer strip_thread(integer e, integer V, integer chunk) =
      ix(quo(quo(e,4*V),chunk),V,quo(rem(e,4*V),4));
    logic integer run_thread(integer e, integer cols, integer chunk) =
      ix(quo(quo(e,cols),chunk),cols,rem(e,cols));
    lemma quad_at: \forall integer r, v, V, e; 0 <= r ==> 0 <= v < V ==> quad_W(r,v,V,e) ==>
      quo(e,4*V) == r && quo(rem(e,4*V),4) == v;
    lemma cell_at: \forall integer r, c, cols, e; 0 <= r ==> 0 <= c < cols ==>
      cell_W(r,c,cols,e) ==> quo(e,cols) == r && rem(e,cols) == c;
    lemma strip_of: \forall integer k, r, rows, chunk, chunks; chunks_of(rows,chunk,chunks) ==>
      0 <= k < chunks ==> strip_lo(k,rows,chunk,chunks) <= r < strip_hi(k,rows,chunk,chunks) ==>
      0 <= r && quo(r,chunk) == k;
    lemma strip_owner: \forall integer k, v, V, chunk, chunks, rows, r, e; 0 <= v < V ==>
      chunks_of(rows,chunk,chunks) ==> 0 <= k < chunks ==>
      strip_W(k,v,V,chunk,chunks,rows,r,e) ==> strip_thread(e,V,chunk) == ix(k,V,v);
    lemma run_owner: \forall integer k, c, cols, chunk, chunks, rows, r, e; 0 <= c < cols ==>
      chunks_of(rows,chunk,chunks) ==> 0 <= k < chunks ==>
      run_W(k,c,cols,chunk,chunks,rows,r,e) ==> run_thread(e,cols,chunk) == ix(k,cols,c);
    predicate own_strips{L}(float *copy, integer n, integer V, integer chunk) =
      held(copy,n) && (\forall integer k; 0 <= k < n ==>
        owner(copy+k,strip_thread(k,V,chunk),GRID));
    predicate own_runs{L}(float *copy, integer n, integer cols, integer chunk) =
      held(copy,n) && (\forall integer k; 0 <= k < n ==>
        owner(copy+k,run_thread(k,cols,chunk),GRID)); */

/* Element k of copy, or the four from k on, where x has u. */
/*@ requires \valid(copy + (k .. k+3)) && aligned16(copy + k);
    requires W(copy+k) && W(copy+(k+1)) && W(copy+(k+2)) && W(copy+(k+3));
    assigns copy[k .. k+3];
    ensures copy[k] == Kept(copies, \old(copy[k]), u.x);
    ensures copy[k+1] == Kept(copies, \old(copy[k+1]), u.y);
    ensures copy[k+2] == Kept(copies, \old(copy[k+2]), u.z);
    ensures copy[k+3] == Kept(copies, \old(copy[k+3]), u.w); */
DEV void keep_four(idx k, float4 u, int copies, float *RESTRICT copy THREAD_FN)
{
  if (copies == COPY_ADD)
    u = plus4(LD4_OWN(copy + k), u);
  ST4(copy + k, u);
}

/*@ requires \valid(copy + k) && W(copy+k);
    assigns copy[k];
    ensures copy[k] == Kept(copies, \old(copy[k]), u); */
DEV void keep_one(idx k, float u, int copies, float *RESTRICT copy THREAD_FN)
{
  if (copies == COPY_ADD)
    u = LDG_OWN(copy + k) + u;
  STG(copy + k, u);
}

/* The sum of the rows of s in columns 4v .. 4v+3, or in column c. */
/*@ requires 0 <= s.lo <= s.hi <= rows <= IDX_LIM && 0 <= v < V && 4*V <= IDX_LIM;
    requires reads(x,ix(rows,4*V,0)) && \valid(copy + (0 .. ix(rows,4*V,0)-1));
    requires apart(x,ix(rows,4*V,0),copy,ix(rows,4*V,0)) && aligned16(x) && aligned16(copy);
    requires \forall integer r, e; s.lo <= r < s.hi ==> quad_W(r,v,V,e) ==> W(copy+e);
    assigns copy[0 .. ix(rows,4*V,0)-1];
    ensures \result.x == RowsSum{Pre}(x,4*V,4*v,s.lo,s.hi);
    ensures \result.y == RowsSum{Pre}(x,4*V,4*v+1,s.lo,s.hi);
    ensures \result.z == RowsSum{Pre}(x,4*V,4*v+2,s.lo,s.hi);
    ensures \result.w == RowsSum{Pre}(x,4*V,4*v+3,s.lo,s.hi);
    ensures copied_in{Pre,Post}(copy, x, copies, rows, 4*V, s.lo, s.hi, 4*v, 4*v+4); */
DEV float4 rows_four(strip s, idx v, idx rows, idx V, int copies, const float *RESTRICT x,
                     float *RESTRICT copy THREAD_FN)
{
  float4 sum = {0, 0, 0, 0};
  /*@ loop invariant s.lo <= r <= s.hi;
      loop invariant sum.x == RowsSum{Pre}(x,4*V,4*v,s.lo,r);
      loop invariant sum.y == RowsSum{Pre}(x,4*V,4*v+1,s.lo,r);
      loop invariant sum.z == RowsSum{Pre}(x,4*V,4*v+2,s.lo,r);
      loop invariant sum.w == RowsSum{Pre}(x,4*V,4*v+3,s.lo,r);
      loop invariant copied_in{Pre,Here}(copy, x, copies, rows, 4*V, s.lo, r, 4*v, 4*v+4);
      loop assigns r, sum, copy[0 .. ix(rows,4*V,0)-1];
      loop variant s.hi - r; */
  UNROLL_BY(16)
  for (idx r = s.lo; r < s.hi; r++) {
    //@ assert same: Same{Pre,Here}(x,ix(rows,4*V,0));
    idx k = at2(rows, 4 * V, r, 4 * v);
    //@ assert at: k == 4*ix(r,V,v) && ix(rows,4*V,0) == 4*ix(rows,V,0);
    //@ assert in: 0 <= k && k + 4 <= ix(rows,4*V,0);
    float4 u = LD4(x + k);
    //@ assert cells: ix(r,4*V,4*v+1) == k+1 && ix(r,4*V,4*v+2) == k+2 && ix(r,4*V,4*v+3) == k+3;
    //@ assert u.x == rd{Pre}(x,ix(r,4*V,4*v)) && u.y == rd{Pre}(x,ix(r,4*V,4*v+1));
    //@ assert u.z == rd{Pre}(x,ix(r,4*V,4*v+2)) && u.w == rd{Pre}(x,ix(r,4*V,4*v+3));
    sum = plus4(sum, u);
    //@ assert mine: \forall integer e; quad_W(r,v,V,e) ==> W(copy+e);
    keep_four(k, u, copies, copy IN_THREAD);
    /*@ assert \forall integer c; 4*v <= c < 4*v+4 ==> ix(r,4*V,c) == k + (c - 4*v) &&
          (c - 4*v == 0 || c - 4*v == 1 || c - 4*v == 2 || c - 4*v == 3); */
    /*@ assert \forall integer q, c; 0 <= q < rows ==> 0 <= c < 4*V ==>
          (q != r || c < 4*v || 4*v+4 <= c) ==> ix(q,4*V,c) < k || k + 4 <= ix(q,4*V,c); */
    //@ assert copied_in{LoopCurrent,Here}(copy, x, copies, rows, 4*V, r, r+1, 4*v, 4*v+4);
  }
  return sum;
}

/*@ requires 0 <= s.lo <= s.hi <= rows <= IDX_LIM && 0 <= c < cols <= IDX_LIM;
    requires reads(x,ix(rows,cols,0)) && \valid(copy + (0 .. ix(rows,cols,0)-1));
    requires apart(x,ix(rows,cols,0),copy,ix(rows,cols,0));
    requires \forall integer r, e; s.lo <= r < s.hi ==> cell_W(r,c,cols,e) ==>
      W(copy+e);
    assigns copy[0 .. ix(rows,cols,0)-1];
    ensures \result == RowsSum{Pre}(x,cols,c,s.lo,s.hi);
    ensures copied_in{Pre,Post}(copy, x, copies, rows, cols, s.lo, s.hi, c, c+1); */
DEV float rows_one(strip s, idx c, idx rows, idx cols, int copies, const float *RESTRICT x,
                   float *RESTRICT copy THREAD_FN)
{
  float sum = 0.0f;
  /*@ loop invariant s.lo <= r <= s.hi && sum == RowsSum{Pre}(x,cols,c,s.lo,r);
      loop invariant copied_in{Pre,Here}(copy, x, copies, rows, cols, s.lo, r, c, c+1);
      loop assigns r, sum, copy[0 .. ix(rows,cols,0)-1];
      loop variant s.hi - r; */
  UNROLL_BY(16)
  for (idx r = s.lo; r < s.hi; r++) {
    //@ assert same: Same{Pre,Here}(x,ix(rows,cols,0));
    idx k = at2(rows, cols, r, c);
    float u = LDG(x + k);
    //@ assert u == rd{Pre}(x,ix(r,cols,c));
    sum = sum + u;
    //@ assert cell_W(r,c,cols,k);
    keep_one(k, u, copies, copy IN_THREAD);
    //@ assert copied_in{LoopCurrent,Here}(copy, x, copies, rows, cols, r, r+1, c, c+1);
  }
  return sum;
}

/* Columns 4v .. 4v+3 of row k of out, (n, 4V), become s, or have it added. */
/*@ requires 0 <= k < n && 0 <= v < V && aligned16(out) && 0 <= ix(n,4*V,0) <= IDX_LIM;
    requires 4*V <= IDX_LIM && \valid(out + (0 .. ix(n,4*V,0)-1));
    requires \forall integer e; quad_W(k,v,V,e) ==> W(out+e);
    assigns out[4*ix(k,V,v) .. 4*ix(k,V,v)+3];
    ensures out[ix(k,4*V,4*v)] == plus(adds, \old(out[ix(k,4*V,4*v)]), s.x);
    ensures out[ix(k,4*V,4*v+1)] == plus(adds, \old(out[ix(k,4*V,4*v+1)]), s.y);
    ensures out[ix(k,4*V,4*v+2)] == plus(adds, \old(out[ix(k,4*V,4*v+2)]), s.z);
    ensures out[ix(k,4*V,4*v+3)] == plus(adds, \old(out[ix(k,4*V,4*v+3)]), s.w); */
DEV void sums_put(idx k, idx v, idx n, idx V, int adds, float4 s, float *RESTRICT out THREAD_FN)
{
  idx to = at2(n, 4 * V, k, 4 * v);
  //@ assert at: to == 4*ix(k,V,v) && ix(n,4*V,0) == 4*ix(n,V,0);
  //@ assert in: 0 <= to && to + 4 <= ix(n,4*V,0);
  //@ assert cells: ix(k,4*V,4*v+1) == to+1 && ix(k,4*V,4*v+2) == to+2 && ix(k,4*V,4*v+3) == to+3;
  //@ assert w0: quad_W(k,v,V,to) && W(out+to);
  //@ assert w1: quad_W(k,v,V,to+1) && W(out+(to+1));
  //@ assert w2: quad_W(k,v,V,to+2) && W(out+(to+2));
  //@ assert w3: quad_W(k,v,V,to+3) && W(out+(to+3));
  if (adds)
    s = plus4(LD4_OWN(out + to), s);
  ST4(out + to, s);
}

/* Columns 4v .. 4v+3, or c, of row k of out; adds: to what is there. */
/*@ requires bias_sums_size(x,copy,out,rows,4*V,chunk,chunks) && 0 <= k < chunks && 0 <= v < V;
    requires aligned16(x) && aligned16(copy) && aligned16(out);
    requires \forall integer r, e; strip_W(k,v,V,chunk,chunks,rows,r,e) ==>
      W(copy+e);
    requires \forall integer e; quad_W(k,v,V,e) ==> W(out+e);
    assigns copy[0 .. ix(rows,4*V,0)-1], out[4*ix(k,V,v) .. 4*ix(k,V,v)+3];
    ensures copied_in{Pre,Post}(copy, x, copies, rows, 4*V, strip_lo(k,rows,chunk,chunks),
                                strip_hi(k,rows,chunk,chunks), 4*v, 4*v+4);
    ensures summed{Pre,Post}(out, x, adds, rows, 4*V, chunk, chunks, k, 4*v, 4*v+4);
    ensures as_was{Pre,Post}(out, 0, ix(k,4*V,4*v));
    ensures as_was{Pre,Post}(out, ix(k,4*V,4*v)+4, ix(chunks,4*V,0));
    ensures Same{Pre,Post}(x, ix(rows,4*V,0)); */
DEV void sums_four(idx k, idx v, idx rows, idx V, idx chunk, idx chunks, int copies, int adds,
                   const float *RESTRICT x, float *RESTRICT copy, float *RESTRICT out THREAD_FN)
{
  //@ assert one: ix(1,rows,0) == rows && ix(1,chunks,0) == chunks;
  strip p = colsum_strip(k, 1, rows, chunk, chunks);
  //@ assert strip: 0 <= p.lo <= p.hi <= rows;
  float4 s = rows_four(p, v, rows, V, copies, x, copy IN_THREAD);
  //@ assert was: Same{Pre,Here}(out, ix(chunks,4*V,0));
  //@ assert x0: Same{Pre,Here}(x, ix(rows,4*V,0));
  //@ assert at: ix(k,4*V,4*v) == 4*ix(k,V,v) && ix(chunks,4*V,0) == 4*ix(chunks,V,0);
  //@ assert in: 0 <= ix(k,V,v) && ix(k,V,v) + 1 <= ix(chunks,V,0);
  /*@ assert old: \forall integer c; 4*v <= c < 4*v+4 ==>
        rd(out,ix(k,4*V,c)) == rd{Pre}(out,ix(k,4*V,c)); */
  //@ ghost L1: ;
  sums_put(k, v, chunks, V, adds, s, out IN_THREAD);
  /*@ assert x: rd(out,ix(k,4*V,4*v)) == plus(adds, rd{Pre}(out,ix(k,4*V,4*v)),
        StripSum{Pre}(x,rows,4*V,chunk,chunks,k,4*v)); */
  /*@ assert y: rd(out,ix(k,4*V,4*v+1)) == plus(adds, rd{Pre}(out,ix(k,4*V,4*v+1)),
        StripSum{Pre}(x,rows,4*V,chunk,chunks,k,4*v+1)); */
  /*@ assert z: rd(out,ix(k,4*V,4*v+2)) == plus(adds, rd{Pre}(out,ix(k,4*V,4*v+2)),
        StripSum{Pre}(x,rows,4*V,chunk,chunks,k,4*v+2)); */
  /*@ assert w: rd(out,ix(k,4*V,4*v+3)) == plus(adds, rd{Pre}(out,ix(k,4*V,4*v+3)),
        StripSum{Pre}(x,rows,4*V,chunk,chunks,k,4*v+3)); */
  /*@ assert four: \forall integer c; 4*v <= c < 4*v+4 ==>
        c == 4*v || c == 4*v+1 || c == 4*v+2 || c == 4*v+3; */
  //@ assert new: summed{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k, 4*v, 4*v+4);
  //@ assert copy: Same{L1,Here}(copy, ix(rows,4*V,0));
  //@ assert x1: Same{L1,Here}(x, ix(rows,4*V,0));
  //@ assert x2: Same{Pre,Here}(x, ix(rows,4*V,0));
}

/*@ requires bias_sums_size(x,copy,out,rows,cols,chunk,chunks) && 0 <= k < chunks && 0 <= c < cols;
    requires \forall integer r, e; run_W(k,c,cols,chunk,chunks,rows,r,e) ==>
      W(copy+e);
    requires \forall integer e; cell_W(k,c,cols,e) ==> W(out+e);
    assigns copy[0 .. ix(rows,cols,0)-1], out[ix(k,cols,c)];
    ensures copied_in{Pre,Post}(copy, x, copies, rows, cols, strip_lo(k,rows,chunk,chunks),
                                strip_hi(k,rows,chunk,chunks), c, c+1);
    ensures summed{Pre,Post}(out, x, adds, rows, cols, chunk, chunks, k, c, c+1);
    ensures as_was{Pre,Post}(out, 0, ix(k,cols,c));
    ensures as_was{Pre,Post}(out, ix(k,cols,c)+1, ix(chunks,cols,0));
    ensures Same{Pre,Post}(x, ix(rows,cols,0)); */
DEV void sums_one(idx k, idx c, idx rows, idx cols, idx chunk, idx chunks, int copies, int adds,
                  const float *RESTRICT x, float *RESTRICT copy, float *RESTRICT out THREAD_FN)
{
  //@ assert one: ix(1,rows,0) == rows && ix(1,chunks,0) == chunks;
  strip p = colsum_strip(k, 1, rows, chunk, chunks);
  //@ assert strip: 0 <= p.lo <= p.hi <= rows;
  idx to = at2(chunks, cols, k, c);
  float s = rows_one(p, c, rows, cols, copies, x, copy IN_THREAD);
  //@ assert was: Same{Pre,Here}(out, ix(chunks,cols,0));
  //@ assert x0: Same{Pre,Here}(x, ix(rows,cols,0));
  //@ assert in: 0 <= to < ix(chunks,cols,0);
  //@ ghost L1: ;
  STG(out + to, adds ? LDG_OWN(out + to) + s : s);
  //@ assert sum: out[to] == plus(adds,rd{Pre}(out,to),StripSum{Pre}(x,rows,cols,chunk,chunks,k,c));
  //@ assert copy: Same{L1,Here}(copy, ix(rows,cols,0));
  //@ assert x1: Same{L1,Here}(x, ix(rows,cols,0));
}

/*@ requires bias_sums_size(x,copy,out,rows,4*V,chunk,chunks) && aligned16(x);
    requires aligned16(copy) && aligned16(out);
    requires own_strips(copy,ix(rows,4*V,0),V,chunk) && own_quads(out,ix(chunks,4*V,0));
    requires ix(chunks,V,0) <= GSIZE;
    assigns copy[0 .. ix(rows,4*V,0)-1], out[0 .. ix(chunks,4*V,0)-1];
    ensures copied_in{Pre,Post}(copy, x, COPIES, rows, 4*V, 0, rows, 0, 4*V);
    ensures summed_rows{Pre,Post}(out, x, adds, rows, 4*V, chunk, chunks, chunks); */
TEMPLATE(int COPIES)
KERNEL void add_bias_vjp_vec4(CONSTANTS(int COPIES) idx rows, idx V, idx chunk, idx chunks,
                              int adds, const float *RESTRICT x, float *RESTRICT copy,
                              float *RESTRICT out)
{
  await_launches();
  /*@ loop invariant 0 <= k <= chunks;
      loop invariant k < chunks ==> copied_before{Pre,Here}(copy, x, COPIES, rows, 4*V,
        strip_lo(k,rows,chunk,chunks), strip_hi(k,rows,chunk,chunks), 0);
      loop invariant k == chunks ==>
        copied_in{Pre,Here}(copy, x, COPIES, rows, 4*V, 0, rows, 0, 4*V);
      loop invariant Same{Pre,Here}(x, ix(rows,4*V,0));
      loop invariant summed_rows{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k);
      loop invariant as_was{Pre,Here}(out, ix(k,4*V,0), ix(chunks,4*V,0));
      loop assigns k, copy[0 .. ix(rows,4*V,0)-1], out[0 .. ix(chunks,4*V,0)-1];
      loop variant chunks - k; */
  GROWS(k, chunks, V) {
    //@ assert strip: 0 <= strip_lo(k,rows,chunk,chunks) <= strip_hi(k,rows,chunk,chunks) <= rows;
    /*@ loop invariant 0 <= v <= V;
        loop invariant Same{Pre,Here}(x, ix(rows,4*V,0));
        loop invariant copied_before{Pre,Here}(copy, x, COPIES, rows, 4*V,
          strip_lo(k,rows,chunk,chunks), strip_hi(k,rows,chunk,chunks), 4*v);
        loop invariant summed_rows{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k);
        loop invariant summed{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k, 0, 4*v);
        loop invariant as_was{Pre,Here}(out, ix(k,4*V,4*v), ix(chunks,4*V,0));
        loop assigns v, copy[0 .. ix(rows,4*V,0)-1], out[0 .. ix(chunks,4*V,0)-1];
        loop variant V - v; */
    GCOLS(v, V) {
      //@ assert at: ix(k,4*V,4*v) == 4*ix(k,V,v) && 0 <= ix(k,V,v);
      //@ assert in: ix(chunks,4*V,0) == 4*ix(chunks,V,0) && ix(k,V,v) + 1 <= ix(chunks,V,0);
      /*@ assert above: \forall integer q, c; 0 <= q < k ==> 0 <= c < 4*V ==>
            0 <= ix(q,4*V,c) < ix(k,4*V,4*v); */
      //@ assert next: ix(k,4*V,4*(v+1)) == ix(k,4*V,4*v) + 4;
      /*@ assert sums: \forall integer c; 0 <= c < 4*V ==>
            StripSum(x,rows,4*V,chunk,chunks,k,c) == StripSum{Pre}(x,rows,4*V,chunk,chunks,k,c); */
      /*@ assert was: \forall integer c; 4*v <= c < 4*v+4 ==>
            rd(out,ix(k,4*V,c)) == rd{Pre}(out,ix(k,4*V,c)); */
      //@ assert all: ix(rows,4*V,0) == 4*ix(rows,V,0);
      /*@ assert vectors: \forall integer r; 0 <= r < rows ==>
            0 <= ix(r,V,v) && ix(r,V,v) + 1 <= ix(rows,V,0); */
      /*@ assert within: \forall integer r, e; 0 <= r < rows ==> quad_W(r,v,V,e) ==>
            0 <= e < ix(rows,4*V,0); */
      //@ assert \forall integer e; quad_W(k,v,V,e) ==> 0 <= e < ix(chunks,4*V,0);
      sums_four(k, v, rows, V, chunk, chunks, COPIES, adds, x, copy, out IN_GRID(k, v));
      //@ assert x: Same{LoopCurrent,Here}(x, ix(rows,4*V,0));
      /*@ assert copied: copied_in{LoopCurrent,Here}(copy, x, COPIES, rows, 4*V,
            strip_lo(k,rows,chunk,chunks), strip_hi(k,rows,chunk,chunks), 4*v, 4*v+4); */
      //@ assert new: summed{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k, 4*v, 4*v+4);
      //@ assert left: summed{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k, 0, 4*v);
      /*@ assert flat: \forall integer e; 0 <= e < ix(k,4*V,4*v) ==>
            out[e] == \at(out[e],LoopCurrent); */
      /*@ assert rows: \forall integer q, c; 0 <= q < k ==> 0 <= c < 4*V ==>
            out[ix(q,4*V,c)] == \at(out[ix(q,4*V,c)],LoopCurrent); */
      //@ assert rest: as_was{LoopCurrent,Here}(out, ix(k,4*V,4*v) + 4, ix(chunks,4*V,0));
    }
    //@ assert ix(k,4*V,4*V) == ix(k+1,4*V,0);
    /*@ assert whole: copied_before{Pre,Here}(copy, x, COPIES, rows, 4*V,
          strip_lo(k,rows,chunk,chunks), strip_hi(k,rows,chunk,chunks), 4*V); */
  }
}

/*@ requires bias_sums_size(x,copy,out,rows,cols,chunk,chunks);
    requires own_runs(copy,ix(rows,cols,0),cols,chunk) && own_cells(out,ix(chunks,cols,0));
    requires ix(chunks,cols,0) <= GSIZE;
    assigns copy[0 .. ix(rows,cols,0)-1], out[0 .. ix(chunks,cols,0)-1];
    ensures copied_in{Pre,Post}(copy, x, COPIES, rows, cols, 0, rows, 0, cols);
    ensures summed_rows{Pre,Post}(out, x, adds, rows, cols, chunk, chunks, chunks); */
TEMPLATE(int COPIES)
KERNEL void add_bias_vjp_scalar(CONSTANTS(int COPIES) idx rows, idx cols, idx chunk, idx chunks,
                                int adds, const float *RESTRICT x, float *RESTRICT copy,
                                float *RESTRICT out)
{
  await_launches();
  /*@ loop invariant 0 <= k <= chunks;
      loop invariant k < chunks ==> copied_before{Pre,Here}(copy, x, COPIES, rows, cols,
        strip_lo(k,rows,chunk,chunks), strip_hi(k,rows,chunk,chunks), 0);
      loop invariant k == chunks ==>
        copied_in{Pre,Here}(copy, x, COPIES, rows, cols, 0, rows, 0, cols);
      loop invariant Same{Pre,Here}(x, ix(rows,cols,0));
      loop invariant summed_rows{Pre,Here}(out, x, adds, rows, cols, chunk, chunks, k);
      loop invariant as_was{Pre,Here}(out, ix(k,cols,0), ix(chunks,cols,0));
      loop assigns k, copy[0 .. ix(rows,cols,0)-1], out[0 .. ix(chunks,cols,0)-1];
      loop variant chunks - k; */
  GROWS(k, chunks, cols) {
    //@ assert strip: 0 <= strip_lo(k,rows,chunk,chunks) <= strip_hi(k,rows,chunk,chunks) <= rows;
    /*@ loop invariant 0 <= c <= cols;
        loop invariant Same{Pre,Here}(x, ix(rows,cols,0));
        loop invariant copied_before{Pre,Here}(copy, x, COPIES, rows, cols,
          strip_lo(k,rows,chunk,chunks), strip_hi(k,rows,chunk,chunks), c);
        loop invariant summed_rows{Pre,Here}(out, x, adds, rows, cols, chunk, chunks, k);
        loop invariant summed{Pre,Here}(out, x, adds, rows, cols, chunk, chunks, k, 0, c);
        loop invariant as_was{Pre,Here}(out, ix(k,cols,c), ix(chunks,cols,0));
        loop assigns c, copy[0 .. ix(rows,cols,0)-1], out[0 .. ix(chunks,cols,0)-1];
        loop variant cols - c; */
    GCOLS(c, cols) {
      //@ assert at: 0 <= ix(k,cols,c) && ix(k,cols,c+1) == ix(k,cols,c) + 1 <= ix(chunks,cols,0);
      /*@ assert above: \forall integer q, d; 0 <= q < k ==> 0 <= d < cols ==>
            0 <= ix(q,cols,d) < ix(k,cols,c); */
      //@ assert was: rd(out,ix(k,cols,c)) == rd{Pre}(out,ix(k,cols,c));
      /*@ assert sums: StripSum(x,rows,cols,chunk,chunks,k,c) ==
            StripSum{Pre}(x,rows,cols,chunk,chunks,k,c); */
      /*@ assert within: \forall integer r; 0 <= r < rows ==>
            0 <= ix(r,cols,c) < ix(rows,cols,0); */
      sums_one(k, c, rows, cols, chunk, chunks, COPIES, adds, x, copy, out IN_GRID(k, c));
      //@ assert x: Same{LoopCurrent,Here}(x, ix(rows,cols,0));
      /*@ assert copied: copied_in{LoopCurrent,Here}(copy, x, COPIES, rows, cols,
            strip_lo(k,rows,chunk,chunks), strip_hi(k,rows,chunk,chunks), c, c+1); */
      /*@ assert cell: rd(out,ix(k,cols,c)) == plus(adds, rd{Pre}(out,ix(k,cols,c)),
            StripSum{Pre}(x,rows,cols,chunk,chunks,k,c)); */
      //@ assert left: summed{Pre,Here}(out, x, adds, rows, cols, chunk, chunks, k, 0, c);
      /*@ assert flat: \forall integer e; 0 <= e < ix(k,cols,c) ==>
            out[e] == \at(out[e],LoopCurrent); */
      /*@ assert rows: \forall integer q, d; 0 <= q < k ==> 0 <= d < cols ==>
            out[ix(q,cols,d)] == \at(out[ix(q,cols,d)],LoopCurrent); */
      //@ assert rest: as_was{LoopCurrent,Here}(out, ix(k,cols,c) + 1, ix(chunks,cols,0));
    }
    //@ assert ix(k,cols,cols) == ix(k+1,cols,0);
    /*@ assert whole: copied_before{Pre,Here}(copy, x, COPIES, rows, cols,
          strip_lo(k,rows,chunk,chunks), strip_hi(k,rows,chunk,chunks), cols); */
  }
}

#ifndef __FRAMAC__
/* As many as make whole waves on a large GPU. */
static inline idx bias_chunk(idx rows, idx cols, int first)
{
  return rows_chunk(rows, cols, first, 132 * 512);
}

/* Additions above any element, the first of each pass being to 0. */
static inline double bias_sums_height(idx rows, idx cols)
{
  double height = 0;
  for (int first = 1;; first = 0) {
    idx chunk = bias_chunk(rows, cols, first);
    height += (double)(chunk - 1);
    if (rows <= chunk)
      return height;
    rows = colsum_chunks(rows, chunk);
  }
}

/* The sums of the first pass and of the second; later ones take turns. */
static inline size_t bias_sums_workspace(idx rows, idx cols)
{
  idx first = colsum_chunks(rows, bias_chunk(rows, cols, 1));
  idx second = colsum_chunks(first, bias_chunk(first, cols, 0));
  return first == 1 ? 0 : (size_t)(first + (second == 1 ? 0 : second)) * (size_t)cols * 4;
}

/* The first pass; 16-byte accesses where vec4 is not 0. */
template <int COPIES>
static inline void bias_pass(pm_check *c, const pm_exec *ex, int vec4, int adds, idx rows, idx cols,
                             idx chunk, idx chunks, const float *x, float *copy, float *out)
{
  enum { BLOCK = 128 };
  idx width = vec4 ? cols / 4 : cols;
  unsigned blocks = pm_blocks(c, chunks * width, BLOCK);
  if (blocks && vec4)
    LAUNCH_AFTER(add_bias_vjp_vec4<COPIES>, blocks, BLOCK, ex->stream, rows, width, chunk, chunks,
                 adds, x, copy, out);
  else if (blocks)
    LAUNCH_AFTER(add_bias_vjp_scalar<COPIES>, blocks, BLOCK, ex->stream, rows, width, chunk, chunks,
                 adds, x, copy, out);
}

/* All passes: copy = x and out = the sums, or both added to. */
static inline void bias_sums_launch(pm_check *c, const pm_exec *ex, int vec4, int accumulate,
                                    idx rows, idx cols, const float *x, float *copy, float *out)
{
  float *work[2] = {(float *)ex->work, NULL};
  for (int pass = 0;; pass++) {
    idx chunk = bias_chunk(rows, cols, pass == 0), chunks = colsum_chunks(rows, chunk);
    float *to = chunks == 1 ? out : work[pass % 2];
    int adds = chunks == 1 && accumulate;
    if (pass)
      colsum_pass(c, ex, vec4 && colsum_wide(chunks * cols), adds, 1, rows, cols, chunk, chunks, x,
                  to);
    else if (accumulate)
      bias_pass<COPY_ADD>(c, ex, vec4, adds, rows, cols, chunk, chunks, x, copy, to);
    else
      bias_pass<COPY_SET>(c, ex, vec4, adds, rows, cols, chunk, chunks, x, copy, to);
    if (chunks == 1 || c->status != PM_OK)
      return;
    if (!work[1])
      work[1] = work[0] + chunks * cols;
    x = to;
    rows = chunks;
  }
}
#endif
#endif
