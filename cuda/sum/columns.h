/* Column reduction, first pass: column sums of each of `outer` matrices (rows, cols), one behind
 * another, in a fixed order: every thread adds up to `chunk` rows of its columns, from the first
 * on; the chunks' sums are matrices again, summed in the same way until each has one row. */
#ifndef PM_SUM_COLUMNS_H
#define PM_SUM_COLUMNS_H
#include "../lang/owned.h"
#include "../math/index_product.h"
#include "../lang/dependent_launch.h"
#include "../../spec/reduce.h"
#include "../../spec/walk.h"

/*@ // the sum of rows lo .. hi-1 of column c
    logic real RowsSum{L}(float *x, integer cols, integer c, integer lo, integer hi) =
      hi <= lo ? 0.0 : RowsSum{L}(x,cols,c,lo,hi-1) + x[ix(hi-1,cols,c)];
    lemma rows_sum_same{L1,L2}: \forall float *x, integer n, cols, c, lo, hi; 0 <= lo ==>
      0 <= c < cols ==> ix(hi,cols,0) <= n ==> Same{L1,L2}(x,n) ==>
      RowsSum{L1}(x,cols,c,lo,hi) == RowsSum{L2}(x,cols,c,lo,hi);
    lemma rows_sum_cols{L}: \forall float *x, integer cols, c, n;
      RowsSum{L}(x,cols,c,0,n) == ColSum{L}(x,cols,c,n);
    // the rows of x that row k of out is the sum of
    logic integer strip_lo(integer k, integer rows, integer chunk, integer chunks) =
      ix(quo(k,chunks),rows,0) + ix(rem(k,chunks),chunk,0);
    logic integer strip_hi(integer k, integer rows, integer chunk, integer chunks) =
      strip_lo(k,rows,chunk,chunks) + chunk < ix(quo(k,chunks)+1,rows,0)
        ? strip_lo(k,rows,chunk,chunks) + chunk : ix(quo(k,chunks)+1,rows,0);
    logic real StripSum{L}(float *x, integer rows, integer cols, integer chunk, integer chunks,
                           integer k, integer c) =
      RowsSum{L}(x,cols,c,strip_lo(k,rows,chunk,chunks),strip_hi(k,rows,chunk,chunks));
    predicate chunks_of(integer rows, integer chunk, integer chunks) =
      0 <= rows && 0 < chunk <= IDX_LIM && 0 < chunks && ix(chunks-1,chunk,0) <= rows &&
      rows <= ix(chunks,chunk,0);
    lemma strip_range: \forall integer k, outer, rows, chunk, chunks; chunks_of(rows,chunk,
      chunks) ==>
      0 <= k < ix(outer,chunks,0) ==>
      0 <= strip_lo(k,rows,chunk,chunks) <= strip_hi(k,rows,chunk,chunks) <= ix(outer,rows,0);
    lemma strip_same{L1,L2}: \forall float *x, integer outer, rows, cols, chunk, chunks, k, c;
      chunks_of(rows,chunk,chunks) ==> 0 <= k < ix(outer,chunks,0) ==> 0 <= c < cols ==>
      Same{L1,L2}(x,ix(ix(outer,rows,0),cols,0)) ==>
      StripSum{L1}(x,rows,cols,chunk,chunks,k,c) == StripSum{L2}(x,rows,cols,chunk,chunks,k,c);
    // columns from .. to-1 of row k of out: a strip's sums, or they are added
    predicate summed{L0,L}(float *out, float *x, integer adds, integer rows, integer cols,
                           integer chunk, integer chunks, integer k, integer from, integer to) =
      \forall integer c; from <= c < to ==> \at(out[ix(k,cols,c)],L) ==
        plus(adds, \at(out[ix(k,cols,c)],L0), StripSum{L0}(x,rows,cols,chunk,chunks,k,c));
    predicate summed_rows{L0,L}(float *out, float *x, integer adds, integer rows, integer cols,
                                integer chunk, integer chunks, integer n) =
      \forall integer q, c; 0 <= q < n ==> 0 <= c < cols ==> \at(out[ix(q,cols,c)],L) ==
        plus(adds, \at(out[ix(q,cols,c)],L0), StripSum{L0}(x,rows,cols,chunk,chunks,q,c));
    // elements from .. n-1 are as they were
    predicate as_was{L0,L}(float *a, integer from, integer n) =
      \forall integer e; from <= e < n ==> \at(a[e],L) == \at(a[e],L0);
    predicate colsum_size{L}(float *x, float *out, integer outer, integer rows, integer cols,
                             integer chunk, integer chunks) =
      0 < outer && chunks_of(rows,chunk,chunks) && 0 < cols <= IDX_LIM &&
      ix(outer,rows,0) <= IDX_LIM && ix(outer,chunks,0) <= IDX_LIM &&
      reads(x,ix(ix(outer,rows,0),cols,0)) && 0 <= ix(ix(outer,chunks,0),cols,0) <= IDX_LIM &&
      \valid(out + (0 .. ix(ix(outer,chunks,0),cols,0)-1)) &&
      apart(x,ix(ix(outer,rows,0),cols,0),out,ix(ix(outer,chunks,0),cols,0)); */

/* Rows lo .. hi-1 of x. */
typedef struct strip {
  idx lo, hi;
} strip;

/* What row k of out is the sum of. */
/*@ requires 0 < outer && chunks_of(rows,chunk,chunks) && 0 <= k < ix(outer,chunks,0);
    requires ix(outer,rows,0) <= IDX_LIM && ix(outer,chunks,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result.lo == strip_lo(k,rows,chunk,chunks);
    ensures \result.hi == strip_hi(k,rows,chunk,chunks);
    ensures 0 <= \result.lo <= \result.hi <= ix(outer,rows,0); */
DEV strip colsum_strip(idx k, idx outer, idx rows, idx chunk, idx chunks)
{
  strip s;
  //@ assert range: 0 <= quo(k,chunks) < outer && 0 <= rem(k,chunks) < chunks;
  //@ assert one: outer == 1 ==> quo(k,chunks) == 0;
  idx o = outer == 1 ? 0 : k / chunks;
  //@ assert o: o == quo(k,chunks);
  //@ assert end: 0 <= ix(o,rows,0) && ix(o+1,rows,0) <= ix(outer,rows,0);
  //@ assert first: 0 <= ix(o,chunks,0) && k - ix(o,chunks,0) == rem(k,chunks);
  //@ assert along: 0 <= ix(rem(k,chunks),chunk,0) <= ix(chunks-1,chunk,0);
  idx end = ix_times(o + 1, rows);
  s.lo = ix_times(o, rows) + ix_times(k - ix_times(o, chunks), chunk);
  s.hi = s.lo + chunk < end ? s.lo + chunk : end;
  return s;
}

/* The sum of the rows of s in columns 4v .. 4v+3 of x, (rows, 4V). */
/*@ requires 0 <= s.lo <= s.hi <= rows <= IDX_LIM && 0 <= v < V && 4*V <= IDX_LIM;
    requires reads(x,ix(rows,4*V,0)) && aligned16(x);
    assigns \nothing;
    ensures \result.x == RowsSum{Pre}(x,4*V,4*v,s.lo,s.hi);
    ensures \result.y == RowsSum{Pre}(x,4*V,4*v+1,s.lo,s.hi);
    ensures \result.z == RowsSum{Pre}(x,4*V,4*v+2,s.lo,s.hi);
    ensures \result.w == RowsSum{Pre}(x,4*V,4*v+3,s.lo,s.hi); */
DEV float4 colsum_four(strip s, idx v, idx rows, idx V, const float *RESTRICT x)
{
  float4 sum = {0, 0, 0, 0};
  /*@ loop invariant s.lo <= r <= s.hi;
      loop invariant sum.x == RowsSum{Pre}(x,4*V,4*v,s.lo,r);
      loop invariant sum.y == RowsSum{Pre}(x,4*V,4*v+1,s.lo,r);
      loop invariant sum.z == RowsSum{Pre}(x,4*V,4*v+2,s.lo,r);
      loop invariant sum.w == RowsSum{Pre}(x,4*V,4*v+3,s.lo,r);
      loop assigns r, sum;
      loop variant s.hi - r; */
  UNROLL_BY(16)
  for (idx r = s.lo; r < s.hi; r++) {
    idx k = at2(rows, 4 * V, r, 4 * v);
    //@ assert k == 4*ix(r,V,v) && ix(rows,4*V,0) == 4*ix(rows,V,0) && k + 4 <= ix(rows,4*V,0);
    //@ assert ix(r,4*V,4*v+1) == k+1 && ix(r,4*V,4*v+2) == k+2 && ix(r,4*V,4*v+3) == k+3;
    sum = plus4(sum, LD4(x + k));
  }
  return sum;
}

/*@ requires 0 <= s.lo <= s.hi <= rows <= IDX_LIM && 0 <= c < cols <= IDX_LIM;
    requires reads(x,ix(rows,cols,0));
    assigns \nothing;
    ensures \result == RowsSum{Pre}(x,cols,c,s.lo,s.hi); */
DEV float colsum_one(strip s, idx c, idx rows, idx cols, const float *RESTRICT x)
{
  float sum = 0.0f;
  /*@ loop invariant s.lo <= r <= s.hi && sum == RowsSum{Pre}(x,cols,c,s.lo,r);
      loop assigns r, sum;
      loop variant s.hi - r; */
  UNROLL_BY(16)
  for (idx r = s.lo; r < s.hi; r++) sum += LDG(x + at2(rows, cols, r, c));
  return sum;
}

/* Columns 4v .. 4v+3, or c, of row k of out; adds: to what is there. */
/*@ requires colsum_size(x,out,outer,rows,4*V,chunk,chunks) && aligned16(x) && aligned16(out);
    requires 0 <= k < ix(outer,chunks,0) && 0 <= v < V;
    requires \forall integer e; quad_W(k,v,V,e) ==> W(out+e);
    assigns out[4*ix(k,V,v) .. 4*ix(k,V,v)+3];
    ensures summed{Pre,Post}(out, x, adds, rows, 4*V, chunk, chunks, k, 4*v, 4*v+4); */
DEV void colsum_put_four(idx k, idx v, idx outer, idx rows, idx V, idx chunk, idx chunks, int adds,
                         const float *RESTRICT x, float *RESTRICT out THREAD_FN)
{
  strip p = colsum_strip(k, outer, rows, chunk, chunks);
  idx all = ix_times(outer, rows), n = ix_times(outer, chunks), to = at2(n, 4 * V, k, 4 * v);
  float4 s = colsum_four(p, v, all, V, x);
  //@ assert at: to == 4*ix(k,V,v) && ix(n,4*V,0) == 4*ix(n,V,0);
  //@ assert in: 0 <= to && to + 4 <= ix(n,4*V,0);
  if (adds)
    s = plus4(LD4_OWN(out + to), s);
  ST4(out + to, s);
  /*@ assert cells: ix(k,4*V,4*v) == to && ix(k,4*V,4*v+1) == to + 1 && ix(k,4*V,4*v+2) == to + 2 &&
        ix(k,4*V,4*v+3) == to + 3; */
  //@ assert x: out[to] == plus(adds,rd{Pre}(out,to),StripSum{Pre}(x,rows,4*V,chunk,chunks,k,4*v));
  /*@ assert y: out[to+1] ==
        plus(adds,rd{Pre}(out,to+1),StripSum{Pre}(x,rows,4*V,chunk,chunks,k,4*v+1)); */
  /*@ assert z: out[to+2] ==
        plus(adds,rd{Pre}(out,to+2),StripSum{Pre}(x,rows,4*V,chunk,chunks,k,4*v+2)); */
  /*@ assert w: out[to+3] ==
        plus(adds,rd{Pre}(out,to+3),StripSum{Pre}(x,rows,4*V,chunk,chunks,k,4*v+3)); */
  /*@ assert four: \forall integer c; 4*v <= c < 4*v+4 ==>
        c == 4*v || c == 4*v+1 || c == 4*v+2 || c == 4*v+3; */
}

/*@ requires colsum_size(x,out,outer,rows,cols,chunk,chunks);
    requires 0 <= k < ix(outer,chunks,0) && 0 <= c < cols;
    requires \forall integer e; cell_W(k,c,cols,e) ==> W(out+e);
    assigns out[ix(k,cols,c)];
    ensures summed{Pre,Post}(out, x, adds, rows, cols, chunk, chunks, k, c, c+1); */
DEV void colsum_put_one(idx k, idx c, idx outer, idx rows, idx cols, idx chunk, idx chunks,
                        int adds, const float *RESTRICT x, float *RESTRICT out THREAD_FN)
{
  idx all = ix_times(outer, rows), to = at2(ix_times(outer, chunks), cols, k, c);
  float s = colsum_one(colsum_strip(k, outer, rows, chunk, chunks), c, all, cols, x);
  STG(out + to, adds ? LDG_OWN(out + to) + s : s);
}

/* One pass: out, (outer, chunks, cols), row k of a matrix is the sum of its rows k*chunk .. in x;
 * where `adds` is not 0 it is added to out. */
/*@ requires colsum_size(x,out,outer,rows,4*V,chunk,chunks) && aligned16(x) && aligned16(out);
    requires own_quads(out,ix(ix(outer,chunks,0),4*V,0)) && ix(ix(outer,chunks,0),V,0) <= GSIZE;
    assigns out[0 .. ix(ix(outer,chunks,0),4*V,0)-1];
    ensures summed_rows{Pre,Post}(out, x, adds, rows, 4*V, chunk, chunks, ix(outer,chunks,0)); */
KERNEL void column_sums_vec4(idx outer, idx rows, idx V, idx chunk, idx chunks, int adds,
                             const float *RESTRICT x, float *RESTRICT out)
{
  await_launches();
  idx n = ix_times(outer, chunks);
  //@ assert ix(n,4*V,0) == 4*ix(n,V,0);
  /*@ loop invariant 0 <= k <= n;
      loop invariant summed_rows{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k);
      loop invariant as_was{Pre,Here}(out, ix(k,4*V,0), ix(n,4*V,0));
      loop assigns k, out[0 .. ix(n,4*V,0)-1];
      loop variant n - k; */
  GROWS(k, n, V) {
    /*@ loop invariant 0 <= v <= V;
        loop invariant summed_rows{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k);
        loop invariant summed{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k, 0, 4*v);
        loop invariant as_was{Pre,Here}(out, ix(k,4*V,4*v), ix(n,4*V,0));
        loop assigns v, out[0 .. ix(n,4*V,0)-1];
        loop variant V - v; */
    GCOLS(v, V) {
      //@ assert at: ix(k,4*V,4*v) == 4*ix(k,V,v) && 0 <= ix(k,V,v) && ix(k,V,v) + 1 <= ix(n,V,0);
      /*@ assert above: \forall integer q, c; 0 <= q < k ==> 0 <= c < 4*V ==>
            ix(q,4*V,c) < ix(k,4*V,4*v); */
      //@ assert next: ix(k,4*V,4*(v+1)) == ix(k,4*V,4*v) + 4;
      //@ assert x: Same{Pre,Here}(x, ix(ix(outer,rows,0),4*V,0));
      /*@ assert sums: \forall integer c; 0 <= c < 4*V ==>
            StripSum(x,rows,4*V,chunk,chunks,k,c) == StripSum{Pre}(x,rows,4*V,chunk,chunks,k,c); */
      /*@ assert was: \forall integer c; 4*v <= c < 4*v+4 ==>
            rd(out,ix(k,4*V,c)) == rd{Pre}(out,ix(k,4*V,c)); */
      colsum_put_four(k, v, outer, rows, V, chunk, chunks, adds, x, out IN_GRID(k, v));
      //@ assert new: summed{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k, 4*v, 4*v+4);
      //@ assert left: summed{Pre,Here}(out, x, adds, rows, 4*V, chunk, chunks, k, 0, 4*v);
      /*@ assert rows: \forall integer q, c; 0 <= q < k ==> 0 <= c < 4*V ==>
            out[ix(q,4*V,c)] == \at(out[ix(q,4*V,c)],LoopCurrent); */
      //@ assert rest: as_was{LoopCurrent,Here}(out, ix(k,4*V,4*v) + 4, ix(n,4*V,0));
    }
    //@ assert ix(k,4*V,4*V) == ix(k+1,4*V,0);
  }
}

/*@ requires colsum_size(x,out,outer,rows,cols,chunk,chunks);
    requires own_cells(out,ix(ix(outer,chunks,0),cols,0)) && ix(ix(outer,chunks,0),cols,0) <= GSIZE;
    assigns out[0 .. ix(ix(outer,chunks,0),cols,0)-1];
    ensures summed_rows{Pre,Post}(out, x, adds, rows, cols, chunk, chunks, ix(outer,chunks,0)); */
KERNEL void column_sums_scalar(idx outer, idx rows, idx cols, idx chunk, idx chunks, int adds,
                               const float *RESTRICT x, float *RESTRICT out)
{
  await_launches();
  idx n = ix_times(outer, chunks);
  /*@ loop invariant 0 <= k <= n;
      loop invariant summed_rows{Pre,Here}(out, x, adds, rows, cols, chunk, chunks, k);
      loop invariant as_was{Pre,Here}(out, ix(k,cols,0), ix(n,cols,0));
      loop assigns k, out[0 .. ix(n,cols,0)-1];
      loop variant n - k; */
  GROWS(k, n, cols) {
    /*@ loop invariant 0 <= c <= cols;
        loop invariant summed_rows{Pre,Here}(out, x, adds, rows, cols, chunk, chunks, k);
        loop invariant summed{Pre,Here}(out, x, adds, rows, cols, chunk, chunks, k, 0, c);
        loop invariant as_was{Pre,Here}(out, ix(k,cols,c), ix(n,cols,0));
        loop assigns c, out[0 .. ix(n,cols,0)-1];
        loop variant cols - c; */
    GCOLS(c, cols) {
      //@ assert at: 0 <= ix(k,cols,c) && ix(k,cols,c+1) == ix(k,cols,c) + 1 <= ix(n,cols,0);
      /*@ assert above: \forall integer q, d; 0 <= q < k ==> 0 <= d < cols ==>
            ix(q,cols,d) < ix(k,cols,c); */
      //@ assert was: rd(out,ix(k,cols,c)) == rd{Pre}(out,ix(k,cols,c));
      //@ assert x: Same{Pre,Here}(x, ix(ix(outer,rows,0),cols,0));
      /*@ assert sums: StripSum(x,rows,cols,chunk,chunks,k,c) ==
            StripSum{Pre}(x,rows,cols,chunk,chunks,k,c); */
      colsum_put_one(k, c, outer, rows, cols, chunk, chunks, adds, x, out IN_GRID(k, c));
      /*@ assert cell: rd(out,ix(k,cols,c)) == plus(adds, rd{Pre}(out,ix(k,cols,c)),
            StripSum{Pre}(x,rows,cols,chunk,chunks,k,c)); */
      //@ assert left: summed{Pre,Here}(out, x, adds, rows, cols, chunk, chunks, k, 0, c);
      /*@ assert rows: \forall integer q, d; 0 <= q < k ==> 0 <= d < cols ==>
            out[ix(q,cols,d)] == \at(out[ix(q,cols,d)],LoopCurrent); */
      //@ assert rest: as_was{LoopCurrent,Here}(out, ix(k,cols,c) + 1, ix(n,cols,0));
    }
    //@ assert ix(k,cols,cols) == ix(k+1,cols,0);
  }
}

#ifndef __FRAMAC__
#include "../host/table.h"

/* ---- host ---- */

/* Rows that one thread adds up, > 0: all of a few, else as many as leave a first pass that many
 * threads. A later pass finds its rows in the cache. cols: of all matrices together. */
static inline idx rows_chunk(idx rows, idx cols, int first, idx threads)
{
  idx vectors = cols / 4 + 1, chunk = rows / threads * vectors + rows % threads * vectors / threads;
  return rows <= (first ? 32 : 64) ? rows + (rows == 0) : chunk < 15 ? 16 : chunk + 1;
}

/* As many as keep the machine full. */
static inline idx colsum_chunk(idx rows, idx cols, int first)
{
  return rows_chunk(rows, cols, first, (idx)1 << 17);
}

static inline idx colsum_chunks(idx rows, idx chunk)
{
  return rows ? rows / chunk + (rows % chunk != 0) : 1;
}

/* Whether that many columns keep the machine busy where a thread does four. */
static inline int colsum_wide(idx cols) { return cols >= (idx)1 << 18; }

/* The kernel of one pass; 16-byte accesses where vec4 is not 0. */
static inline void colsum_pass(pm_check *c, const pm_exec *ex, int vec4, int adds, idx outer,
                               idx rows, idx cols, idx chunk, idx chunks, const float *x,
                               float *out)
{
  enum { BLOCK = 128 };
  idx width = vec4 ? cols / 4 : cols;
  unsigned blocks = pm_blocks(c, outer * chunks * width, BLOCK);
  if (blocks && vec4)
    LAUNCH_AFTER(column_sums_vec4, blocks, BLOCK, ex->stream, outer, rows, width, chunk, chunks,
                 adds, x, out);
  else if (blocks)
    LAUNCH_AFTER(column_sums_scalar, blocks, BLOCK, ex->stream, outer, rows, width, chunk, chunks,
                 adds, x, out);
}
#endif
#endif
