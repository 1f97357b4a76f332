/* Column reduction: sums, means and maxima of x, (outer, n, inner), over its middle axis: one
 * level, where a thread goes down a chunk of one column, or of four. */
#ifndef PM_REDUCE_COLS_H
#define PM_REDUCE_COLS_H
#include "join.h"
#include "../lang/dependent_launch.h"

/*@ // rows before k of out, and row k before column `to`, are what is left of x
    predicate left_row{L0,L}(integer which, integer all, float *x, float *out, integer n,
                             integer inner, integer chunk, integer chunks, integer k,
                             integer from, integer to) =
      \forall integer c; from <= c < to ==> \at(out[ix(k,inner,c)],L) ==
        Left{L0}(which,all,x,n,inner,chunk,chunks,k,c);
    // the same where one of each line is left
    predicate axis_lines{L0,L}(integer which, integer all, float *x, float *out, integer outer,
                               integer n, integer inner) =
      \forall integer o, i; 0 <= o < outer ==> 0 <= i < inner ==>
        \at(out[ix(o,inner,i)],L) == Line{L0}(which,all,x,n,inner,o,i);
    predicate left_rows{L0,L}(integer which, integer all, float *x, float *out, integer n,
                              integer inner, integer chunk, integer chunks, integer m) =
      \forall integer k, c; 0 <= k < m ==> 0 <= c < inner ==> \at(out[ix(k,inner,c)],L) ==
        Left{L0}(which,all,x,n,inner,chunk,chunks,k,c);
    // row k before column `to`, and the rows before, are as they were
    predicate kept{L1,L2}(float *out, integer inner, integer k, integer to) =
      (\forall integer q, c; 0 <= q < k ==> 0 <= c < inner ==>
         \at(out[ix(q,inner,c)],L1) == \at(out[ix(q,inner,c)],L2)) &&
      (\forall integer c; 0 <= c < to ==>
         \at(out[ix(k,inner,c)],L1) == \at(out[ix(k,inner,c)],L2));
    // row k from `from` to `to` is new, the rest is kept
    lemma left_more{L0,L1,L2}: \forall integer which, all, float *x, *out, integer outer, n, inner,
      chunk, chunks, k, from, to; level(outer,n,inner,chunk,chunks) ==>
      ix(ix(outer,n,0),inner,0) <= IDX_LIM ==> Same{L0,L1}(x,ix(ix(outer,n,0),inner,0)) ==>
      0 <= k < ix(outer,chunks,0) ==> 0 <= from <= to <= inner ==>
      left_row{L0,L1}(which,all,x,out,n,inner,chunk,chunks,k,0,from) ==>
      left_row{L1,L2}(which,all,x,out,n,inner,chunk,chunks,k,from,to) ==>
      kept{L1,L2}(out,inner,k,from) ==>
      left_row{L0,L2}(which,all,x,out,n,inner,chunk,chunks,k,0,to);
    lemma left_still{L0,L1,L2}: \forall integer which, all, float *x, *out, integer n, inner,
      chunk, chunks, k, to;
      left_rows{L0,L1}(which,all,x,out,n,inner,chunk,chunks,k) ==> kept{L1,L2}(out,inner,k,to) ==>
      left_rows{L0,L2}(which,all,x,out,n,inner,chunk,chunks,k);
    lemma one_left{L0,L}: \forall integer which, all, float *x, *out, integer outer, n, inner,
      chunk;
      level(outer,n,inner,chunk,1) ==> known{L0}(which,x,n,ix(ix(outer,n,0),inner,0)) ==>
      left_rows{L0,L}(which,all,x,out,n,inner,chunk,1,ix(outer,1,0)) ==>
      axis_lines{L0,L}(which,all,x,out,outer,n,inner); */

/* The join of elements lo .. hi-1 of the line from `at` on, and of the three beside it: from
 * 4*v. */
/*@ requires reads(x,size) && within(pitch,at,lo,hi,size);
    assigns \nothing;
    ensures \result == Part(which,x,pitch,at,lo,hi); */
DEV float cols_one(int which, idx at, idx pitch, idx lo, idx hi,
                   const float *RESTRICT x GHOST_PARAMS(idx size))
{
  float s = axis_begin(which);
  /*@ loop invariant lo <= j <= hi && s == Part(which,x,pitch,at,lo,j);
      loop assigns j, s;
      loop variant hi - j; */
  UNROLL_BY(8)
  for (idx j = lo; j < hi; j++) {
    //@ assert 0 <= ix(j,pitch,at) < size;
    s = axis_join(which, s, LDG(x + axis_at(at, j, pitch)));
  }
  return s;
}

/*@ requires reads(x,4*size) && aligned16(x) && within(width,v,lo,hi,size);
    assigns \nothing;
    ensures \result.x == Part(which,x,4*width,4*v,lo,hi);
    ensures \result.y == Part(which,x,4*width,4*v+1,lo,hi);
    ensures \result.z == Part(which,x,4*width,4*v+2,lo,hi);
    ensures \result.w == Part(which,x,4*width,4*v+3,lo,hi); */
DEV float4 cols_four(int which, idx v, idx width, idx lo, idx hi,
                     const float *RESTRICT x GHOST_PARAMS(idx size))
{
  float b = axis_begin(which);
  float4 s = {b, b, b, b};
  /*@ loop invariant lo <= j <= hi;
      loop invariant s.x == Part(which,x,4*width,4*v,lo,j);
      loop invariant s.y == Part(which,x,4*width,4*v+1,lo,j);
      loop invariant s.z == Part(which,x,4*width,4*v+2,lo,j);
      loop invariant s.w == Part(which,x,4*width,4*v+3,lo,j);
      loop assigns j, s;
      loop variant hi - j; */
  UNROLL_BY(8)
  for (idx j = lo; j < hi; j++) {
    //@ assert 0 <= ix(j,width,v) < size;
    //@ assert ix(j,4*width,4*v) == 4*ix(j,width,v);
    //@ assert ix(j,4*width,4*v+1) == 4*ix(j,width,v)+1;
    //@ assert ix(j,4*width,4*v+2) == 4*ix(j,width,v)+2;
    //@ assert ix(j,4*width,4*v+3) == 4*ix(j,width,v)+3;
    float4 u = LD4(x + 4 * axis_at(v, j, width));
    s.x = axis_join(which, s.x, u.x);
    s.y = axis_join(which, s.y, u.y);
    s.z = axis_join(which, s.z, u.z);
    s.w = axis_join(which, s.w, u.w);
  }
  return s;
}

/*@ requires 0 <= q <= IDX_LIM && \valid(out + (4*q .. 4*q+3)) && aligned16(out);
    requires W(out+4*q) && W(out+(4*q+1)) && W(out+(4*q+2)) && W(out+(4*q+3));
    assigns out[4*q .. 4*q+3];
    ensures out[4*q] == s.x && out[4*q+1] == s.y && out[4*q+2] == s.z && out[4*q+3] == s.w; */
DEV void put_quad(idx q, float4 s, float *RESTRICT out) { ST4(out + 4 * q, s); }

/* Column c, or columns 4v .. 4v+3, of row k of out. */
/*@ requires level(outer,n,inner,chunk,chunks) && level_io(outer,n,inner,chunks,x,out);
    requires 0 <= k < ix(outer,chunks,0) && 0 <= c < inner;
    requires \forall integer e; cell_W(k,c,inner,e) ==> W(out+e);
    assigns out[ix(k,inner,c)];
    ensures left_row{Pre,Post}(which,all,x,out,n,inner,chunk,chunks,k,c,c+1); */
DEV void cols_put_one(int which, idx k, idx c, idx n, idx inner, idx chunk, idx chunks, idx all,
                      const float *RESTRICT x, float *RESTRICT out GHOST_PARAMS(idx outer))
{
  idx o = axis_line(k, chunks), lo = axis_chunk(k, o, chunks, chunk);
  idx hi = lo + chunk < n ? lo + chunk : n;
  //@ assert o < outer && 0 <= lo <= hi <= n;
  idx at = axis_at(c, ix_times(o, n), inner);
  //@ assert line: within(inner,at,lo,hi,ix(ix(outer,n,0),inner,0));
  float s = cols_one(which, at, inner, lo, hi, x GHOST_ARGS(ix_times(ix_times(outer, n), inner)));
  STG(out + axis_at(c, k, inner), axis_last(which, all, s));
}

/*@ requires level(outer,n,4*width,chunk,chunks) && level_io(outer,n,4*width,chunks,x,out);
    requires 0 <= k < ix(outer,chunks,0) && 0 <= v < width && aligned16(x) && aligned16(out);
    requires \forall integer e; quad_W(k,v,width,e) ==> W(out+e);
    assigns out[4*ix(k,width,v) .. 4*ix(k,width,v)+3];
    ensures left_row{Pre,Post}(which,all,x,out,n,4*width,chunk,chunks,k,4*v,4*v+4); */
DEV void cols_put_four(int which, idx k, idx v, idx n, idx width, idx chunk, idx chunks, idx all,
                       const float *RESTRICT x, float *RESTRICT out GHOST_PARAMS(idx outer))
{
  idx o = axis_line(k, chunks), lo = axis_chunk(k, o, chunks, chunk);
  idx hi = lo + chunk < n ? lo + chunk : n;
  //@ assert o < outer && 0 <= lo <= hi <= n;
  idx at = axis_at(v, ix_times(o, n), width);
  //@ assert line: within(width,at,lo,hi,ix(ix(outer,n,0),width,0));
  //@ assert all: ix(ix(outer,n,0),4*width,0) == 4*ix(ix(outer,n,0),width,0);
  //@ assert at: 4*at == ix(ix(o,n,0),4*width,4*v);
  //@ assert to: 4*ix(k,width,v) == ix(k,4*width,4*v);
  //@ assert ix(ix(outer,chunks,0),4*width,0) == 4*ix(ix(outer,chunks,0),width,0);
  //@ assert 0 <= ix(k,width,v) < ix(ix(outer,chunks,0),width,0) <= IDX_LIM;
  float4 s = cols_four(which, at, width, lo, hi, x GHOST_ARGS(ix_times(ix_times(outer, n), width)));
  s.x = axis_last(which, all, s.x);
  s.y = axis_last(which, all, s.y);
  s.z = axis_last(which, all, s.z);
  s.w = axis_last(which, all, s.w);
  //@ assert s.x == Left(which,all,x,n,4*width,chunk,chunks,k,4*v);
  //@ assert ix(ix(o,n,0),4*width,4*v+1) == 4*at + 1;
  //@ assert s.y == Left(which,all,x,n,4*width,chunk,chunks,k,4*v+1);
  //@ assert ix(ix(o,n,0),4*width,4*v+2) == 4*at + 2;
  //@ assert s.z == Left(which,all,x,n,4*width,chunk,chunks,k,4*v+2);
  //@ assert ix(ix(o,n,0),4*width,4*v+3) == 4*at + 3;
  //@ assert s.w == Left(which,all,x,n,4*width,chunk,chunks,k,4*v+3);
  put_quad(axis_at(v, k, width), s, out);
  /*@ assert cells: \forall integer c; 4*v <= c < 4*v+4 ==>
        ix(k,4*width,c) == 4*ix(k,width,v) + (c-4*v) &&
        (c == 4*v || c == 4*v+1 || c == 4*v+2 || c == 4*v+3); */
}

/* x to out; `inner` is W * width. all: as of axis_last. */
/*@ requires (W == 1 || W == 4) && 0 < width <= IDX_LIM;
    requires level(outer,n,W*width,chunk,chunks) && level_io(outer,n,W*width,chunks,x,out);
    requires ix(ix(outer,chunks,0),width,0) <= GSIZE;
    requires W == 4 ==> aligned16(x) && aligned16(out);
    assigns out[0 .. ix(ix(outer,chunks,0),W*width,0)-1];
    ensures left_rows{Pre,Post}(WHICH,all,x,out,n,W*width,chunk,chunks,ix(outer,chunks,0));
    ensures chunks == 1 && known{Pre}(WHICH,x,n,ix(ix(outer,n,0),W*width,0)) ==>
      axis_lines{Pre,Post}(WHICH,all,x,out,outer,n,W*width); */
TEMPLATE(int WHICH, int W)
KERNEL void reduce_cols(CONSTANTS(int WHICH, int W) idx outer, idx n, idx width, idx chunk,
                        idx chunks, idx all, const float *RESTRICT x, float *RESTRICT out)
{
  await_launches();
  idx lines = ix_times(outer, chunks);
  /*@ loop invariant 0 <= k <= lines && Same{Pre,Here}(x,ix(ix(outer,n,0),W*width,0));
      loop invariant left_rows{Pre,Here}(WHICH,all,x,out,n,W*width,chunk,chunks,k);
      loop assigns k, out[0 .. ix(ix(outer,chunks,0),W*width,0)-1];
      loop variant lines - k; */
  GROWS(k, lines, width)
    /*@ loop invariant 0 <= v <= width && Same{Pre,Here}(x,ix(ix(outer,n,0),W*width,0));
        loop invariant left_rows{Pre,Here}(WHICH,all,x,out,n,W*width,chunk,chunks,k);
        loop invariant left_row{Pre,Here}(WHICH,all,x,out,n,W*width,chunk,chunks,k,0,W*v);
        loop assigns v, out[0 .. ix(ix(outer,chunks,0),W*width,0)-1];
        loop variant width - v; */
    GCOLS(v, width) {
      if (W == 4) {
        //@ assert ix(ix(outer,chunks,0),4*width,0) == 4*ix(ix(outer,chunks,0),width,0);
        //@ assert ix(k,4*width,4*v) == 4*ix(k,width,v) && ix(k,width,v) < ix(lines,width,0);
        cols_put_four(WHICH, k, v, n, width, chunk, chunks, all, x, out GHOST_ARGS(outer));
        //@ assert kept{LoopCurrent,Here}(out,4*width,k,4*v);
        //@ assert left_rows{Pre,Here}(WHICH,all,x,out,n,4*width,chunk,chunks,k);
        //@ assert left_row{Pre,Here}(WHICH,all,x,out,n,4*width,chunk,chunks,k,0,4*v+4);
      } else {
        //@ assert 0 <= ix(k,width,v) < ix(lines,width,0);
        cols_put_one(WHICH, k, v, n, width, chunk, chunks, all, x, out GHOST_ARGS(outer));
        //@ assert kept{LoopCurrent,Here}(out,width,k,v);
        //@ assert left_rows{Pre,Here}(WHICH,all,x,out,n,width,chunk,chunks,k);
        //@ assert left_row{Pre,Here}(WHICH,all,x,out,n,width,chunk,chunks,k,0,v+1);
      }
    }
}
#endif
