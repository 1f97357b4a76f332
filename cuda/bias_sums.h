/* The sums of the columns of x, (rows, cols), in a fixed order, and x copied on the way. A pass
 * leaves out, (chunks, cols): row k is the sum of rows k*chunk .. of x, which one thread adds up
 * for its columns, from the first on. The next pass does the same to that, until one is left. */
#ifndef PM_BIAS_SUMS_H
#define PM_BIAS_SUMS_H
#include "launch_after.h"
#include "../spec/reduce.h"

enum { COPY_NONE, COPY_SET, COPY_ADD }; /* what becomes of copy: nothing, x, copy + x */

/*@ // where chunk k begins
    logic integer chunk_at(integer k, integer chunk, integer rows) =
      ix(k,chunk,0) < rows ? ix(k,chunk,0) : rows;
    lemma chunk_order: \forall integer k, l, chunk, rows; 0 <= chunk ==> k <= l ==>
      chunk_at(k,chunk,rows) <= chunk_at(l,chunk,rows);
    // what copy has where it had old and x has v
    logic real Kept(integer copies, real old, real v) =
      copies == COPY_NONE ? old : copies == COPY_ADD ? old + v : v;
    predicate sums_size{L}(float *x, float *copy, float *out, integer rows, integer cols,
                           integer chunk, integer chunks) =
      0 <= rows <= IDX_LIM && 0 < cols <= IDX_LIM && 0 < chunk <= IDX_LIM && 0 < chunks &&
      ix(chunks-1,chunk,0) <= rows <= ix(chunks,chunk,0) <= IDX_LIM &&
      reads(x,ix(rows,cols,0)) && \valid(copy + (0 .. ix(rows,cols,0)-1)) &&
      0 <= ix(chunks,cols,0) <= IDX_LIM && \valid(out + (0 .. ix(chunks,cols,0)-1)) &&
      apart(x,ix(rows,cols,0),copy,ix(rows,cols,0)) &&
      apart(x,ix(rows,cols,0),out,ix(chunks,cols,0)) &&
      apart(copy,ix(rows,cols,0),out,ix(chunks,cols,0));
    // rows lo .. hi-1 of columns from .. to-1 of copy are as they should be, all else is as it was
    predicate kept_in{L0,L}(float *copy, float *x, integer copies, integer rows, integer cols,
                            integer lo, integer hi, integer from, integer to) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> \at(copy[ix(r,cols,c)],L) ==
        (lo <= r < hi && from <= c < to
          ? Kept(copies, \at(copy[ix(r,cols,c)],L0), \at(x[ix(r,cols,c)],L0))
          : \at(copy[ix(r,cols,c)],L0));
    lemma kept_join{L0,L1,L2}: \forall float *copy, *x, integer copies, rows, cols, lo, r, from, to;
      lo <= r ==> Same{L0,L1}(x,ix(rows,cols,0)) ==>
      kept_in{L0,L1}(copy,x,copies,rows,cols,lo,r,from,to) ==>
      kept_in{L1,L2}(copy,x,copies,rows,cols,r,r+1,from,to) ==>
      kept_in{L0,L2}(copy,x,copies,rows,cols,lo,r+1,from,to);
    // rows before lo are, and columns before `to` of rows lo .. hi-1
    predicate kept_before{L0,L}(float *copy, float *x, integer copies, integer rows, integer cols,
                                integer lo, integer hi, integer to) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> \at(copy[ix(r,cols,c)],L) ==
        (r < lo || (r < hi && c < to)
          ? Kept(copies, \at(copy[ix(r,cols,c)],L0), \at(x[ix(r,cols,c)],L0))
          : \at(copy[ix(r,cols,c)],L0));
    lemma kept_step{L0,L1,L2}: \forall float *copy, *x, integer copies, rows, cols, lo, hi, from,
      to; lo <= hi ==> from <= to ==> Same{L0,L1}(x,ix(rows,cols,0)) ==>
      kept_before{L0,L1}(copy,x,copies,rows,cols,lo,hi,from) ==>
      kept_in{L1,L2}(copy,x,copies,rows,cols,lo,hi,from,to) ==>
      kept_before{L0,L2}(copy,x,copies,rows,cols,lo,hi,to);
    lemma kept_row{L0,L}: \forall float *copy, *x, integer copies, rows, cols, lo, hi, next;
      lo <= hi ==> kept_before{L0,L}(copy,x,copies,rows,cols,lo,hi,cols) ==>
      kept_before{L0,L}(copy,x,copies,rows,cols,hi,next,0);
    // of columns from .. to-1 of row k of out: the sums of chunk k, or they are added
    predicate summed{L0,L}(float *out, float *x, integer adds, integer rows, integer cols,
                           integer chunk, integer k, integer from, integer to) =
      \forall integer c; from <= c < to ==> \at(out[ix(k,cols,c)],L) ==
        plus(adds, \at(out[ix(k,cols,c)],L0),
             ColSum{L0}(x,cols,c,chunk_at(k+1,chunk,rows)) -
             ColSum{L0}(x,cols,c,chunk_at(k,chunk,rows)));
    // of the rows before k, and of row k before column `to`; the others are as they were
    predicate summed_before{L0,L}(float *out, float *x, integer adds, integer rows, integer cols,
                                  integer chunk, integer chunks, integer k, integer to) =
      \forall integer q, c; 0 <= q < chunks ==> 0 <= c < cols ==> \at(out[ix(q,cols,c)],L) ==
        (q < k || (q == k && c < to)
          ? plus(adds, \at(out[ix(q,cols,c)],L0),
                 ColSum{L0}(x,cols,c,chunk_at(q+1,chunk,rows)) -
                 ColSum{L0}(x,cols,c,chunk_at(q,chunk,rows)))
          : \at(out[ix(q,cols,c)],L0));
    predicate left{L0,L}(float *out, integer chunks, integer cols, integer k, integer from,
                         integer to) =
      \forall integer q, c; 0 <= q < chunks ==> 0 <= c < cols ==>
        (q != k || c < from || to <= c) ==> \at(out[ix(q,cols,c)],L) == \at(out[ix(q,cols,c)],L0);
    lemma col_sum_frame{L0,L}: \forall float *x, integer rows, cols, c, n; 0 <= c < cols ==>
      Same{L0,L}(x,ix(rows,cols,0)) ==> n <= rows ==>
      ColSum{L0}(x,cols,c,n) == ColSum{L}(x,cols,c,n);
    lemma chunk_sum_frame{L0,L}: \forall float *x, integer rows, cols, c, k, chunk;
      0 <= c < cols ==> Same{L0,L}(x,ix(rows,cols,0)) ==>
      ColSum{L0}(x,cols,c,chunk_at(k,chunk,rows)) == ColSum{L}(x,cols,c,chunk_at(k,chunk,rows));
    lemma summed_frame{L0,L1,L2}: \forall float *out, *x, integer adds, rows, cols, chunk, k, from,
      to; 0 <= from ==> to <= cols ==> Same{L0,L1}(x,ix(rows,cols,0)) ==>
      summed{L1,L2}(out,x,adds,rows,cols,chunk,k,from,to) ==>
      (\forall integer c; from <= c < to ==>
         \at(out[ix(k,cols,c)],L1) == \at(out[ix(k,cols,c)],L0)) ==>
      summed{L0,L2}(out,x,adds,rows,cols,chunk,k,from,to);
    lemma summed_add{L0,L1,L2}: \forall float *out, *x, integer adds, rows, cols, chunk, chunks, k,
      from, to; from <= to ==>
      summed_before{L0,L1}(out,x,adds,rows,cols,chunk,chunks,k,from) ==>
      summed{L0,L2}(out,x,adds,rows,cols,chunk,k,from,to) ==>
      left{L1,L2}(out,chunks,cols,k,from,to) ==>
      summed_before{L0,L2}(out,x,adds,rows,cols,chunk,chunks,k,to);
    lemma summed_step{L0,L1,L2}: \forall float *out, *x, integer adds, rows, cols, chunk, chunks, k,
      from, to; 0 <= from <= to <= cols ==> 0 <= k < chunks ==> Same{L0,L1}(x,ix(rows,cols,0)) ==>
      summed_before{L0,L1}(out,x,adds,rows,cols,chunk,chunks,k,from) ==>
      summed{L1,L2}(out,x,adds,rows,cols,chunk,k,from,to) ==>
      left{L1,L2}(out,chunks,cols,k,from,to) ==>
      summed_before{L0,L2}(out,x,adds,rows,cols,chunk,chunks,k,to);
    lemma summed_row{L0,L}: \forall float *out, *x, integer adds, rows, cols, chunk, chunks, k;
      summed_before{L0,L}(out,x,adds,rows,cols,chunk,chunks,k,cols) ==>
      summed_before{L0,L}(out,x,adds,rows,cols,chunk,chunks,k+1,0);
    // the sums of the chunks add up to that of all rows: what the next pass does
    lemma chunks_up{L0,L}: \forall float *out, *x, integer rows, cols, chunk, c, n;
      0 <= rows ==> 0 <= n ==>
      (\forall integer q; 0 <= q < n ==> \at(out[ix(q,cols,c)],L) ==
         ColSum{L0}(x,cols,c,chunk_at(q+1,chunk,rows)) -
         ColSum{L0}(x,cols,c,chunk_at(q,chunk,rows))) ==>
      ColSum{L}(out,cols,c,n) == ColSum{L0}(x,cols,c,chunk_at(n,chunk,rows));
    // where vector v of row r is not
    lemma quad_other: \forall integer q, c, r, v, V; 0 <= c < 4*V ==> 0 <= v < V ==>
      (q != r || c < 4*v || 4*v+4 <= c) ==>
      ix(q,4*V,c) < 4*ix(r,V,v) || 4*ix(r,V,v) + 4 <= ix(q,4*V,c);
    // what thread (k,v), or (k,c), writes of row r of copy
    predicate strip_W(integer k, integer v, integer V, integer chunk, integer rows, integer r,
                      integer e) =
      chunk_at(k,chunk,rows) <= r < chunk_at(k+1,chunk,rows) && quad_W(r,v,V,e);
    lemma race_strip: \forall integer k, v, r, l, w, s, V, chunk, rows, e; 0 <= v < V ==>
      0 <= w < V ==> 0 <= chunk ==> (k != l || v != w) ==> strip_W(k,v,V,chunk,rows,r,e) ==>
      !strip_W(l,w,V,chunk,rows,s,e);
    predicate run_W(integer k, integer c, integer cols, integer chunk, integer rows, integer r,
                    integer e) =
      chunk_at(k,chunk,rows) <= r < chunk_at(k+1,chunk,rows) && cell_W(r,c,cols,e);
    lemma race_run: \forall integer k, c, r, l, d, s, cols, chunk, rows, e; 0 <= c < cols ==>
      0 <= d < cols ==> 0 <= chunk ==> (k != l || c != d) ==> run_W(k,c,cols,chunk,rows,r,e) ==>
      !run_W(l,d,cols,chunk,rows,s,e); */

/* Element k of copy, or the four from k on, where x has u. */
/*@ requires \valid(copy + (k .. k+3)) && aligned16(copy + k);
    requires \forall integer e; k <= e < k+4 ==> R(copy+e) && W(copy+e);
    assigns copy[k .. k+3];
    ensures copy[k] == Kept(copies, \old(copy[k]), u.x);
    ensures copy[k+1] == Kept(copies, \old(copy[k+1]), u.y);
    ensures copy[k+2] == Kept(copies, \old(copy[k+2]), u.z);
    ensures copy[k+3] == Kept(copies, \old(copy[k+3]), u.w); */
DEV void keep_four(idx k, float4 u, int copies, float *RESTRICT copy)
{
  if (copies == COPY_ADD)
    u = plus4(LD4(copy + k), u);
  if (copies != COPY_NONE)
    ST4(copy + k, u);
}

/*@ requires \valid(copy + k) && R(copy+k) && W(copy+k);
    assigns copy[k];
    ensures copy[k] == Kept(copies, \old(copy[k]), u); */
DEV void keep_one(idx k, float u, int copies, float *RESTRICT copy)
{
  if (copies == COPY_ADD)
    u = LDG(copy + k) + u;
  if (copies != COPY_NONE)
    STG(copy + k, u);
}

/* The sum of rows lo <= r < hi of columns 4v .. 4v+3, or of column c. */
/*@ requires 0 <= lo <= hi <= rows <= IDX_LIM && 0 <= v < V && 4*V <= IDX_LIM;
    requires reads(x,ix(rows,4*V,0)) && \valid(copy + (0 .. ix(rows,4*V,0)-1));
    requires apart(x,ix(rows,4*V,0),copy,ix(rows,4*V,0)) && aligned16(x) && aligned16(copy);
    requires \forall integer r, e; lo <= r < hi ==> quad_W(r,v,V,e) ==> R(copy+e) && W(copy+e);
    assigns copy[0 .. ix(rows,4*V,0)-1];
    ensures \result.x == ColSum{Pre}(x,4*V,4*v,hi) - ColSum{Pre}(x,4*V,4*v,lo);
    ensures \result.y == ColSum{Pre}(x,4*V,4*v+1,hi) - ColSum{Pre}(x,4*V,4*v+1,lo);
    ensures \result.z == ColSum{Pre}(x,4*V,4*v+2,hi) - ColSum{Pre}(x,4*V,4*v+2,lo);
    ensures \result.w == ColSum{Pre}(x,4*V,4*v+3,hi) - ColSum{Pre}(x,4*V,4*v+3,lo);
    ensures kept_in{Pre,Post}(copy, x, copies, rows, 4*V, lo, hi, 4*v, 4*v+4); */
DEV float4 rows_four(idx v, idx lo, idx hi, idx rows, idx V, int copies, const float *RESTRICT x,
                     float *RESTRICT copy)
{
  float4 sum = {0, 0, 0, 0};
  /*@ loop invariant lo <= r <= hi && Same{Pre,Here}(x,ix(rows,4*V,0));
      loop invariant sum.x == ColSum{Pre}(x,4*V,4*v,r) - ColSum{Pre}(x,4*V,4*v,lo);
      loop invariant sum.y == ColSum{Pre}(x,4*V,4*v+1,r) - ColSum{Pre}(x,4*V,4*v+1,lo);
      loop invariant sum.z == ColSum{Pre}(x,4*V,4*v+2,r) - ColSum{Pre}(x,4*V,4*v+2,lo);
      loop invariant sum.w == ColSum{Pre}(x,4*V,4*v+3,r) - ColSum{Pre}(x,4*V,4*v+3,lo);
      loop invariant kept_in{Pre,Here}(copy, x, copies, rows, 4*V, lo, r, 4*v, 4*v+4);
      loop assigns r, sum, copy[0 .. ix(rows,4*V,0)-1];
      loop variant hi - r; */
  UNROLL_BY(16)
  for (idx r = lo; r < hi; r++) {
    idx k = at2(rows, 4 * V, r, 4 * v);
    //@ assert k == 4*ix(r,V,v) && ix(rows,4*V,0) == 4*ix(rows,V,0) && k + 4 <= ix(rows,4*V,0);
    float4 u = LD4(x + k);
    //@ assert ix(r,4*V,4*v+1) == k+1 && ix(r,4*V,4*v+2) == k+2 && ix(r,4*V,4*v+3) == k+3;
    //@ assert u.x == rd{Pre}(x,ix(r,4*V,4*v)) && u.y == rd{Pre}(x,ix(r,4*V,4*v+1));
    //@ assert u.z == rd{Pre}(x,ix(r,4*V,4*v+2)) && u.w == rd{Pre}(x,ix(r,4*V,4*v+3));
    sum = plus4(sum, u);
    //@ assert \forall integer e; k <= e < k+4 ==> quad_W(r,v,V,e);
    keep_four(k, u, copies, copy);
    //@ assert Same{Pre,Here}(x,ix(rows,4*V,0));
    /*@ assert \forall integer c; 4*v <= c < 4*v+4 ==> ix(r,4*V,c) == k + (c - 4*v) &&
          (c - 4*v == 0 || c - 4*v == 1 || c - 4*v == 2 || c - 4*v == 3); */
    /*@ assert \forall integer q, c; 0 <= q < rows ==> 0 <= c < 4*V ==>
          (q != r || c < 4*v || 4*v+4 <= c) ==> ix(q,4*V,c) < k || k + 4 <= ix(q,4*V,c); */
    //@ assert kept_in{LoopCurrent,Here}(copy, x, copies, rows, 4*V, r, r+1, 4*v, 4*v+4);
  }
  return sum;
}

/*@ requires 0 <= lo <= hi <= rows <= IDX_LIM && 0 <= c < cols <= IDX_LIM;
    requires reads(x,ix(rows,cols,0)) && \valid(copy + (0 .. ix(rows,cols,0)-1));
    requires apart(x,ix(rows,cols,0),copy,ix(rows,cols,0));
    requires \forall integer r, e; lo <= r < hi ==> cell_W(r,c,cols,e) ==> R(copy+e) && W(copy+e);
    assigns copy[0 .. ix(rows,cols,0)-1];
    ensures \result == ColSum{Pre}(x,cols,c,hi) - ColSum{Pre}(x,cols,c,lo);
    ensures kept_in{Pre,Post}(copy, x, copies, rows, cols, lo, hi, c, c+1); */
DEV float rows_one(idx c, idx lo, idx hi, idx rows, idx cols, int copies, const float *RESTRICT x,
                   float *RESTRICT copy)
{
  float sum = 0.0f;
  /*@ loop invariant lo <= r <= hi && Same{Pre,Here}(x,ix(rows,cols,0));
      loop invariant sum == ColSum{Pre}(x,cols,c,r) - ColSum{Pre}(x,cols,c,lo);
      loop invariant kept_in{Pre,Here}(copy, x, copies, rows, cols, lo, r, c, c+1);
      loop assigns r, sum, copy[0 .. ix(rows,cols,0)-1];
      loop variant hi - r; */
  UNROLL_BY(16)
  for (idx r = lo; r < hi; r++) {
    idx k = at2(rows, cols, r, c);
    float u = LDG(x + k);
    //@ assert u == rd{Pre}(x,ix(r,cols,c));
    sum = sum + u;
    //@ assert cell_W(r,c,cols,k);
    keep_one(k, u, copies, copy);
    //@ assert Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert kept_in{LoopCurrent,Here}(copy, x, copies, rows, cols, r, r+1, c, c+1);
  }
  return sum;
}

/* Columns 4v .. 4v+3, or c, of row k of out; adds: to what is there. */
/*@ requires sums_size(x,copy,out,rows,4*V,chunk,chunks) && 0 <= k < chunks && 0 <= v < V;
    requires aligned16(x) && aligned16(copy) && aligned16(out);
    requires \forall integer r, e; strip_W(k,v,V,chunk,rows,r,e) ==> R(copy+e) && W(copy+e);
    requires \forall integer e; quad_W(k,v,V,e) ==> R(out+e) && W(out+e);
    assigns copy[0 .. ix(rows,4*V,0)-1], out[4*ix(k,V,v) .. 4*ix(k,V,v)+3];
    ensures kept_in{Pre,Post}(copy, x, copies, rows, 4*V, chunk_at(k,chunk,rows),
                              chunk_at(k+1,chunk,rows), 4*v, 4*v+4);
    ensures summed{Pre,Post}(out, x, adds, rows, 4*V, chunk, k, 4*v, 4*v+4); */
DEV void sums_four(idx k, idx v, idx rows, idx V, idx chunk, idx chunks, int copies, int adds,
                   const float *RESTRICT x, float *RESTRICT copy, float *RESTRICT out)
{
  idx lo = at2(chunks, chunk, k, 0), hi = rows - lo < chunk ? rows : lo + chunk;
  //@ assert ix(k,chunk,0) <= ix(chunks-1,chunk,0) && ix(k+1,chunk,0) == lo + chunk;
  //@ assert lo == chunk_at(k,chunk,rows) && hi == chunk_at(k+1,chunk,rows);
  idx to = at2(chunks, 4 * V, k, 4 * v);
  //@ assert to == 4*ix(k,V,v) && ix(chunks,4*V,0) == 4*ix(chunks,V,0);
  //@ assert 0 <= to && to + 4 <= ix(chunks,4*V,0);
  float4 s = rows_four(v, lo, hi, rows, V, copies, x, copy);
  if (adds)
    s = plus4(LD4(out + to), s);
  ST4(out + to, s);
  /*@ assert \forall integer c; 4*v <= c < 4*v+4 ==> ix(k,4*V,c) == to + (c - 4*v) &&
        (c == 4*v || c == 4*v+1 || c == 4*v+2 || c == 4*v+3); */
}

/*@ requires sums_size(x,copy,out,rows,cols,chunk,chunks) && 0 <= k < chunks && 0 <= c < cols;
    requires \forall integer r, e; run_W(k,c,cols,chunk,rows,r,e) ==> R(copy+e) && W(copy+e);
    requires \forall integer e; cell_W(k,c,cols,e) ==> R(out+e) && W(out+e);
    assigns copy[0 .. ix(rows,cols,0)-1], out[ix(k,cols,c)];
    ensures kept_in{Pre,Post}(copy, x, copies, rows, cols, chunk_at(k,chunk,rows),
                              chunk_at(k+1,chunk,rows), c, c+1);
    ensures summed{Pre,Post}(out, x, adds, rows, cols, chunk, k, c, c+1); */
DEV void sums_one(idx k, idx c, idx rows, idx cols, idx chunk, idx chunks, int copies, int adds,
                  const float *RESTRICT x, float *RESTRICT copy, float *RESTRICT out)
{
  idx lo = at2(chunks, chunk, k, 0), hi = rows - lo < chunk ? rows : lo + chunk;
  //@ assert ix(k,chunk,0) <= ix(chunks-1,chunk,0) && ix(k+1,chunk,0) == lo + chunk;
  //@ assert lo == chunk_at(k,chunk,rows) && hi == chunk_at(k+1,chunk,rows);
  idx to = at2(chunks, cols, k, c);
  float s = rows_one(c, lo, hi, rows, cols, copies, x, copy);
  STG(out + to, adds ? LDG(out + to) + s : s);
}

/*@ requires sums_size(x,copy,out,rows,4*V,chunk,chunks) && 0 < V && ix(chunks,V,0) <= GSIZE;
    requires aligned16(x) && aligned16(copy) && aligned16(out);
    requires perm(copy,ix(rows,4*V,0)) && perm(out,ix(chunks,4*V,0));
    assigns copy[0 .. ix(rows,4*V,0)-1], out[0 .. ix(chunks,4*V,0)-1];
    ensures kept_in{Pre,Post}(copy, x, COPIES, rows, 4*V, 0, rows, 0, 4*V);
    ensures \forall integer q; 0 <= q < chunks ==>
      summed{Pre,Post}(out, x, adds, rows, 4*V, chunk, q, 0, 4*V);
    ensures adds == 0 ==> \forall integer c; 0 <= c < 4*V ==>
      ColSum(out,4*V,c,chunks) == ColSum{Pre}(x,4*V,c,rows); */
TEMPLATE(int COPIES)
KERNEL void bias_sums_vec4(CONSTANTS(int COPIES) idx rows, idx V, idx chunk, idx chunks, int adds,
                           const float *RESTRICT x, float *RESTRICT copy, float *RESTRICT out)
{
  await_launches();
  /*@ loop invariant 0 <= k <= chunks && Same{Pre,Here}(x,ix(rows,4*V,0));
      loop invariant kept_before{Pre,Here}(copy, x, COPIES, rows, 4*V, chunk_at(k,chunk,rows),
                                           chunk_at(k+1,chunk,rows), 0);
      loop invariant summed_before{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k, 0);
      loop assigns k, copy[0 .. ix(rows,4*V,0)-1], out[0 .. ix(chunks,4*V,0)-1];
      loop variant chunks - k; */
  GROWS(k, chunks, V) {
    //@ assert 0 <= chunk_at(k,chunk,rows) <= chunk_at(k+1,chunk,rows) <= rows;
    /*@ loop invariant 0 <= v <= V && Same{Pre,Here}(x,ix(rows,4*V,0));
        loop invariant kept_before{Pre,Here}(copy, x, COPIES, rows, 4*V, chunk_at(k,chunk,rows),
                                             chunk_at(k+1,chunk,rows), 4*v);
        loop invariant summed_before{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k, 4*v);
        loop assigns v, copy[0 .. ix(rows,4*V,0)-1], out[0 .. ix(chunks,4*V,0)-1];
        loop variant V - v; */
    GCOLS(v, V) {
      //@ assert ix(rows,4*V,0) == 4*ix(rows,V,0) && ix(chunks,4*V,0) == 4*ix(chunks,V,0);
      /*@ assert \forall integer r, e; strip_W(k,v,V,chunk,rows,r,e) ==>
            0 <= e < ix(rows,4*V,0); */
      //@ assert \forall integer e; quad_W(k,v,V,e) ==> 0 <= e < ix(chunks,4*V,0);
      sums_four(k, v, rows, V, chunk, chunks, COPIES, adds, x, copy, out);
      //@ assert Same{Pre,Here}(x,ix(rows,4*V,0));
      //@ assert left{LoopCurrent,Here}(out, chunks, 4*V, k, 4*v, 4*v+4);
    }
    /*@ assert kept_before{Pre,Here}(copy, x, COPIES, rows, 4*V, chunk_at(k,chunk,rows),
                                     chunk_at(k+1,chunk,rows), 4*V); */
    //@ assert summed_before{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k, 4*V);
  }
  //@ assert chunk_at(chunks,chunk,rows) == rows;
}

/*@ requires sums_size(x,copy,out,rows,cols,chunk,chunks) && ix(chunks,cols,0) <= GSIZE;
    requires perm(copy,ix(rows,cols,0)) && perm(out,ix(chunks,cols,0));
    assigns copy[0 .. ix(rows,cols,0)-1], out[0 .. ix(chunks,cols,0)-1];
    ensures kept_in{Pre,Post}(copy, x, COPIES, rows, cols, 0, rows, 0, cols);
    ensures \forall integer q; 0 <= q < chunks ==>
      summed{Pre,Post}(out, x, adds, rows, cols, chunk, q, 0, cols);
    ensures adds == 0 ==> \forall integer c; 0 <= c < cols ==>
      ColSum(out,cols,c,chunks) == ColSum{Pre}(x,cols,c,rows); */
TEMPLATE(int COPIES)
KERNEL void bias_sums_scalar(CONSTANTS(int COPIES) idx rows, idx cols, idx chunk, idx chunks,
                             int adds, const float *RESTRICT x, float *RESTRICT copy,
                             float *RESTRICT out)
{
  await_launches();
  /*@ loop invariant 0 <= k <= chunks && Same{Pre,Here}(x,ix(rows,cols,0));
      loop invariant kept_before{Pre,Here}(copy, x, COPIES, rows, cols, chunk_at(k,chunk,rows),
                                           chunk_at(k+1,chunk,rows), 0);
      loop invariant summed_before{Pre,Here}(out, x, adds, rows, cols, chunk, chunks, k, 0);
      loop assigns k, copy[0 .. ix(rows,cols,0)-1], out[0 .. ix(chunks,cols,0)-1];
      loop variant chunks - k; */
  GROWS(k, chunks, cols) {
    //@ assert 0 <= chunk_at(k,chunk,rows) <= chunk_at(k+1,chunk,rows) <= rows;
    /*@ loop invariant 0 <= c <= cols && Same{Pre,Here}(x,ix(rows,cols,0));
        loop invariant kept_before{Pre,Here}(copy, x, COPIES, rows, cols, chunk_at(k,chunk,rows),
                                             chunk_at(k+1,chunk,rows), c);
        loop invariant summed_before{Pre,Here}(out, x, adds, rows, cols, chunk, chunks, k, c);
        loop assigns c, copy[0 .. ix(rows,cols,0)-1], out[0 .. ix(chunks,cols,0)-1];
        loop variant cols - c; */
    GCOLS(c, cols) {
      //@ assert \forall integer r, e; run_W(k,c,cols,chunk,rows,r,e) ==> 0 <= e < ix(rows,cols,0);
      sums_one(k, c, rows, cols, chunk, chunks, COPIES, adds, x, copy, out);
      //@ assert Same{Pre,Here}(x,ix(rows,cols,0));
      //@ assert left{LoopCurrent,Here}(out, chunks, cols, k, c, c+1);
    }
    /*@ assert kept_before{Pre,Here}(copy, x, COPIES, rows, cols, chunk_at(k,chunk,rows),
                                     chunk_at(k+1,chunk,rows), cols); */
    //@ assert summed_before{Pre,Here}(out, x, adds, rows, cols, chunk, chunks, k, cols);
  }
  //@ assert chunk_at(chunks,chunk,rows) == rows;
}

#ifndef __FRAMAC__
#include "table.h"

/* Rows that one thread adds up: all of a few, else as many as leave a first pass in whole waves of
 * a large GPU. A later pass finds its rows in the cache. */
static inline idx bias_chunk(idx rows, idx cols, int first)
{
  const idx threads = 132 * 512;
  idx vectors = cols / 4 + 1, all = rows / threads * vectors + rows % threads * vectors / threads;
  return rows <= (first ? 32 : 64) ? rows + (rows == 0) : all < 15 ? 16 : all + 1;
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
    rows = divide_up(rows, chunk);
  }
}

/* The sums of the first pass and of the second; later ones take turns. */
static inline size_t bias_sums_workspace(idx rows, idx cols)
{
  idx first = divide_up(rows, bias_chunk(rows, cols, 1));
  idx second = divide_up(first, bias_chunk(first, cols, 0));
  return first <= 1 ? 0 : (size_t)(first + (second == 1 ? 0 : second)) * (size_t)cols * 4;
}

/* One pass; 16-byte accesses where vec4 is not 0. */
template <int COPIES>
static inline void bias_pass(pm_check *c, const pm_exec *ex, int vec4, int adds, idx rows, idx cols,
                             idx chunk, idx chunks, const float *x, float *copy, float *out)
{
  enum { BLOCK = 128 };
  idx width = vec4 ? cols / 4 : cols;
  unsigned blocks = pm_blocks(c, chunks * width, BLOCK);
  if (blocks && vec4)
    LAUNCH_AFTER(bias_sums_vec4<COPIES>, blocks, BLOCK, ex->stream, rows, width, chunk, chunks,
                 adds, x, copy, out);
  else if (blocks)
    LAUNCH_AFTER(bias_sums_scalar<COPIES>, blocks, BLOCK, ex->stream, rows, width, chunk, chunks,
                 adds, x, copy, out);
}

/* All passes: copy = x and out = the sums, or both added to. */
static inline void bias_sums_launch(pm_check *c, const pm_exec *ex, int vec4, int accumulate,
                                    idx rows, idx cols, const float *x, float *copy, float *out)
{
  const idx enough = (idx)1 << 18; /* columns that keep the machine busy four by four */
  float *work[2] = {(float *)ex->work, NULL};
  for (int pass = 0;; pass++) {
    idx chunk = bias_chunk(rows, cols, pass == 0),
        chunks = rows > chunk ? divide_up(rows, chunk) : 1;
    float *to = chunks == 1 ? out : work[pass % 2];
    int adds = chunks == 1 && accumulate;
    if (pass)
      bias_pass<COPY_NONE>(c, ex, vec4 && chunks * cols >= enough, adds, rows, cols, chunk, chunks,
                           x, copy, to);
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
