/* Strided window copy: the kernel of everything that joins, cuts out and writes over parts of a
 * tensor. y is (outer, width); columns lo .. hi-1 of it come from x, the others from z, each a
 * tensor of as many rows with a pitch of its own, or are 0. */
#ifndef PM_SLICE_WINDOW_H
#define PM_SLICE_WINDOW_H
#include "../lang/kernel.h"
#include "../../spec/slice.h"

/* Column c of y is column c + shift of a tensor of `pitch` columns, or 0 where there is none. */
typedef struct part {
  int there;
  idx pitch, shift;
} part;

/* Columns of y, those that come from x, and from where; in floats, or in vectors of four. */
typedef struct frame {
  idx width, lo, hi;
  part in, around;
} frame;

/*@ logic real Part{L}(float *x, integer there, integer pitch, integer shift, integer o,
                       integer c) = there != 0 ? x[ix(o,pitch,c+shift)] : 0.0;
    logic real Window{L}(float *x, float *z, integer lo, integer hi, integer in, integer P,
                         integer s, integer around, integer Q, integer t, integer o, integer c) =
      lo <= c < hi ? Part(x,in,P,s,o,c) : Part(z,around,Q,t,o,c);
    predicate part_reads{L}(float *x, float *y, integer outer, integer width, integer there,
                            integer pitch) =
      there != 0 ==> 0 <= pitch <= IDX_LIM && reads(x,ix(outer,pitch,0)) &&
        apart(x,ix(outer,pitch,0),y,ix(outer,width,0));
    predicate window_size{L}(float *x, float *z, float *y, integer outer, integer width,
                             integer lo, integer hi, integer in, integer P, integer s,
                             integer around, integer Q, integer t) =
      0 <= outer && 0 < width <= IDX_LIM && 0 <= lo <= hi <= width &&
      0 <= ix(outer,width,0) <= IDX_LIM && \valid(y + (0 .. ix(outer,width,0)-1)) &&
      part_reads(x,y,outer,width,in,P) && part_reads(z,y,outer,width,around,Q) &&
      (in != 0 ==> 0 <= lo + s && hi + s <= P) &&
      (around != 0 ==> -IDX_LIM <= t <= IDX_LIM && (0 < lo ==> 0 <= t && lo + t <= Q) &&
        (hi < width ==> 0 <= hi + t && width + t <= Q));
    // every cell before (o,c), in order of rows, and nothing else
    predicate windowed{L0,L}(float *y, integer outer, integer width, integer adds, float *x,
                             float *z, integer lo, integer hi, integer in, integer P, integer s,
                             integer around, integer Q, integer t, integer o, integer c) =
      \forall integer q, d; 0 <= q < outer ==> 0 <= d < width ==>
        \at(y[ix(q,width,d)],L) == (q < o || (q == o && d < c)
          ? plus(adds, \at(y[ix(q,width,d)],L0), Window{L0}(x,z,lo,hi,in,P,s,around,Q,t,q,d))
          : \at(y[ix(q,width,d)],L0));
    // cells from .. to-1 of row o
    predicate window_done{L0,L}(float *y, integer width, integer adds, float *x, float *z,
                                integer lo, integer hi, integer in, integer P, integer s,
                                integer around, integer Q, integer t, integer o, integer from,
                                integer to) =
      \forall integer d; from <= d < to ==> \at(y[ix(o,width,d)],L) ==
        plus(adds, \at(y[ix(o,width,d)],L0), Window{L0}(x,z,lo,hi,in,P,s,around,Q,t,o,d)); */
#define FRAME(U)                                                                    \
  (U) * f.lo, (U)*f.hi, f.in.there, (U)*f.in.pitch, (U)*f.in.shift, f.around.there, \
      (U)*f.around.pitch, (U)*f.around.shift

/* ---- vec4: the frame counts vectors of four ---- */

/*@ requires p.there != 0 ==> 0 <= v + p.shift < p.pitch && -IDX_LIM <= p.shift <= IDX_LIM;
    requires 0 <= o < outer && 0 <= v <= IDX_LIM;
    requires p.there != 0 ==> reads(x,ix(outer,4*p.pitch,0)) && aligned16(x);
    requires p.there != 0 ==> p.pitch <= IDX_LIM;
    assigns \nothing;
    ensures \result.x == Part(x, p.there, 4*p.pitch, 4*p.shift, o, 4*v);
    ensures \result.y == Part(x, p.there, 4*p.pitch, 4*p.shift, o, 4*v+1);
    ensures \result.z == Part(x, p.there, 4*p.pitch, 4*p.shift, o, 4*v+2);
    ensures \result.w == Part(x, p.there, 4*p.pitch, 4*p.shift, o, 4*v+3); */
DEV float4 window_load4(part p, idx o, idx v, idx outer, const float *RESTRICT x)
{
  float4 r = {0, 0, 0, 0};
  if (p.there) {
    //@ assert ix(outer,4*p.pitch,0) == 4*ix(outer,p.pitch,0);
    idx at = 4 * at2(outer, p.pitch, o, v + p.shift);
    //@ assert at == ix(o,4*p.pitch,4*v+4*p.shift) && at + 4 <= ix(outer,4*p.pitch,0);
    //@ assert at + 1 == ix(o,4*p.pitch,4*v+1+4*p.shift);
    //@ assert at + 2 == ix(o,4*p.pitch,4*v+2+4*p.shift);
    //@ assert at + 3 == ix(o,4*p.pitch,4*v+3+4*p.shift);
    r = LD4(x + at);
  }
  return r;
}

/*@ requires window_size(x, z, y, outer, 4*f.width, FRAME(4));
    requires f.in.there != 0 ==> aligned16(x);
    requires f.around.there != 0 ==> aligned16(z);
    requires aligned16(y) && 0 <= o < outer && 0 <= v < f.width;
    requires \forall integer k; quad_W(o,v,f.width,k) ==> R(y+k) && W(y+k);
    assigns y[4*ix(o,f.width,v) .. 4*ix(o,f.width,v)+3];
    ensures window_done{Pre,Post}(y, 4*f.width, adds, x, z, FRAME(4), o, 4*v, 4*v+4); */
DEV void window_four(idx o, idx v, idx outer, frame f, int adds, const float *RESTRICT x,
                     const float *RESTRICT z, float *RESTRICT y)
{
  idx to;
  float4 r;
  //@ assert ix(outer,4*f.width,0) == 4*ix(outer,f.width,0);
  to = 4 * at2(outer, f.width, o, v);
  //@ assert to == ix(o,4*f.width,4*v) && to + 4 <= ix(outer,4*f.width,0);
  //@ assert to + 1 == ix(o,4*f.width,4*v+1) && to + 2 == ix(o,4*f.width,4*v+2);
  //@ assert to + 3 == ix(o,4*f.width,4*v+3);
  if (f.lo <= v && v < f.hi)
    r = window_load4(f.in, o, v, outer, x);
  else
    r = window_load4(f.around, o, v, outer, z);
  /*@ assert r.x == Window{Pre}(x, z, FRAME(4), o, 4*v) &&
        r.y == Window{Pre}(x, z, FRAME(4), o, 4*v+1) &&
        r.z == Window{Pre}(x, z, FRAME(4), o, 4*v+2) &&
        r.w == Window{Pre}(x, z, FRAME(4), o, 4*v+3); */
  if (adds)
    r = plus4(LD4(y + to), r);
  ST4(y + to, r);
  /*@ assert y[ix(o,4*f.width,4*v)] ==
        plus(adds, rd{Pre}(y,to), Window{Pre}(x, z, FRAME(4), o, 4*v)); */
  /*@ assert y[ix(o,4*f.width,4*v+1)] ==
        plus(adds, rd{Pre}(y,to+1), Window{Pre}(x, z, FRAME(4), o, 4*v+1)); */
  /*@ assert y[ix(o,4*f.width,4*v+2)] ==
        plus(adds, rd{Pre}(y,to+2), Window{Pre}(x, z, FRAME(4), o, 4*v+2)); */
  /*@ assert y[ix(o,4*f.width,4*v+3)] ==
        plus(adds, rd{Pre}(y,to+3), Window{Pre}(x, z, FRAME(4), o, 4*v+3)); */
  /*@ assert \forall integer d; 4*v <= d < 4*v + 4 ==>
        d == 4*v || d == 4*v + 1 || d == 4*v + 2 || d == 4*v + 3; */
}

/*@ requires window_size(x, z, y, outer, 4*f.width, FRAME(4));
    requires f.in.there != 0 ==> aligned16(x);
    requires f.around.there != 0 ==> aligned16(z);
    requires aligned16(y) && writes(y,ix(outer,4*f.width,0)) && ix(outer,f.width,0) <= GSIZE;
    assigns y[0 .. ix(outer,4*f.width,0)-1];
    ensures windowed{Pre,Post}(y, outer, 4*f.width, adds, x, z, FRAME(4), outer, 0); */
KERNEL void window_vec4(idx outer, frame f, int adds, const float *RESTRICT x,
                        const float *RESTRICT z, float *RESTRICT y)
{
  /*@ loop invariant 0 <= o <= outer;
      loop invariant windowed{Pre,Here}(y, outer, 4*f.width, adds, x, z, FRAME(4), o, 0);
      loop assigns o, y[0 .. ix(outer,4*f.width,0)-1];
      loop variant outer - o; */
  GROWS(o, outer, f.width) {
    /*@ loop invariant 0 <= v <= f.width;
        loop invariant windowed{Pre,Here}(y, outer, 4*f.width, adds, x, z, FRAME(4), o, 4*v);
        loop assigns v, y[0 .. ix(outer,4*f.width,0)-1];
        loop variant f.width - v; */
    GCOLS(v, f.width) {
      /*@ assert f.in.there != 0 ==> \forall integer k; 0 <= k < ix(outer,4*f.in.pitch,0) ==>
            x[k] == rd{Pre}(x,k); */
      /*@ assert f.around.there != 0 ==> \forall integer k;
            0 <= k < ix(outer,4*f.around.pitch,0) ==> z[k] == rd{Pre}(z,k); */
      //@ assert Window{Here}(x, z, FRAME(4), o, 4*v) == Window{Pre}(x, z, FRAME(4), o, 4*v);
      //@ assert Window{Here}(x, z, FRAME(4), o, 4*v+1) == Window{Pre}(x, z, FRAME(4), o, 4*v+1);
      //@ assert Window{Here}(x, z, FRAME(4), o, 4*v+2) == Window{Pre}(x, z, FRAME(4), o, 4*v+2);
      //@ assert Window{Here}(x, z, FRAME(4), o, 4*v+3) == Window{Pre}(x, z, FRAME(4), o, 4*v+3);
      /*@ assert \forall integer d; 4*v <= d < 4*v + 4 ==>
            d == 4*v || d == 4*v + 1 || d == 4*v + 2 || d == 4*v + 3; */
      /*@ assert \forall integer d; 4*v <= d < 4*v + 4 ==>
            Window{Here}(x, z, FRAME(4), o, d) == Window{Pre}(x, z, FRAME(4), o, d); */
      /*@ assert \forall integer d; 4*v <= d < 4*v + 4 ==>
            y[ix(o,4*f.width,d)] == rd{Pre}(y,ix(o,4*f.width,d)); */
      //@ assert 4*ix(o,f.width,v) == ix(o,4*f.width,4*v);
      window_four(o, v, outer, f, adds, x, z, y);
      /*@ assert \forall integer q, d; 0 <= q < outer ==> 0 <= d < 4*f.width ==>
            (q != o || d < 4*v || 4*v + 4 <= d) ==>
            y[ix(q,4*f.width,d)] == \at(y[ix(q,4*f.width,d)],LoopCurrent); */
      //@ assert window_done{Pre,Here}(y, 4*f.width, adds, x, z, FRAME(4), o, 4*v, 4*v+4);
    }
    //@ assert windowed{Pre,Here}(y, outer, 4*f.width, adds, x, z, FRAME(4), o, 4*f.width);
  }
}

/* ---- scalar: the frame counts floats ---- */

/*@ requires p.there != 0 ==> 0 <= c + p.shift < p.pitch && -IDX_LIM <= p.shift <= IDX_LIM;
    requires 0 <= o < outer && 0 <= c <= IDX_LIM;
    requires p.there != 0 ==> reads(x,ix(outer,p.pitch,0));
    assigns \nothing;
    ensures \result == Part(x, p.there, p.pitch, p.shift, o, c); */
DEV float window_load(part p, idx o, idx c, idx outer, const float *RESTRICT x)
{
  return p.there ? LDG(x + at2(outer, p.pitch, o, c + p.shift)) : 0.0f;
}

/*@ requires window_size(x, z, y, outer, f.width, FRAME(1)) && 0 <= o < outer && 0 <= c < f.width;
    requires \forall integer k; cell_W(o,c,f.width,k) ==> R(y+k) && W(y+k);
    assigns y[ix(o,f.width,c)];
    ensures window_done{Pre,Post}(y, f.width, adds, x, z, FRAME(1), o, c, c+1); */
DEV void window_one(idx o, idx c, idx outer, frame f, int adds, const float *RESTRICT x,
                    const float *RESTRICT z, float *RESTRICT y)
{
  idx to = at2(outer, f.width, o, c);
  float r;
  if (f.lo <= c && c < f.hi)
    r = window_load(f.in, o, c, outer, x);
  else
    r = window_load(f.around, o, c, outer, z);
  //@ assert r == Window{Pre}(x, z, FRAME(1), o, c);
  STG(y + to, adds ? LDG(y + to) + r : r);
}

/*@ requires window_size(x, z, y, outer, f.width, FRAME(1));
    requires writes(y,ix(outer,f.width,0)) && ix(outer,f.width,0) <= GSIZE;
    assigns y[0 .. ix(outer,f.width,0)-1];
    ensures windowed{Pre,Post}(y, outer, f.width, adds, x, z, FRAME(1), outer, 0); */
KERNEL void window_scalar(idx outer, frame f, int adds, const float *RESTRICT x,
                          const float *RESTRICT z, float *RESTRICT y)
{
  /*@ loop invariant 0 <= o <= outer;
      loop invariant windowed{Pre,Here}(y, outer, f.width, adds, x, z, FRAME(1), o, 0);
      loop assigns o, y[0 .. ix(outer,f.width,0)-1];
      loop variant outer - o; */
  GROWS(o, outer, f.width) {
    /*@ loop invariant 0 <= c <= f.width;
        loop invariant windowed{Pre,Here}(y, outer, f.width, adds, x, z, FRAME(1), o, c);
        loop assigns c, y[0 .. ix(outer,f.width,0)-1];
        loop variant f.width - c; */
    GCOLS(c, f.width) {
      //@ assert Window{Here}(x, z, FRAME(1), o, c) == Window{Pre}(x, z, FRAME(1), o, c);
      //@ assert y[ix(o,f.width,c)] == rd{Pre}(y,ix(o,f.width,c));
      window_one(o, c, outer, f, adds, x, z, y);
      /*@ assert \forall integer q, d; 0 <= q < outer ==> 0 <= d < f.width ==>
            (q != o || d != c) ==> y[ix(q,f.width,d)] == \at(y[ix(q,f.width,d)],LoopCurrent); */
      //@ assert window_done{Pre,Here}(y, f.width, adds, x, z, FRAME(1), o, c, c+1);
    }
    //@ assert windowed{Pre,Here}(y, outer, f.width, adds, x, z, FRAME(1), o, f.width);
  }
}

/* ---- what a frame makes, op by op: widths and pitches of (outer, n, inner) are n*inner ---- */
/*@ lemma window_concat{L}: \forall float *a, *b, integer na, nb, inner, o, c;
      Window(a, b, 0, ix(na,inner,0), 1, ix(na,inner,0), 0, 1, ix(nb,inner,0), -ix(na,inner,0),
             o, c) == Concat(a,b,na,nb,inner,o,c) || c < 0;
    lemma window_slice{L}: \forall float *x, *z, integer n, inner, len, start, o, c;
      0 <= c < ix(len,inner,0) ==>
      Window(x, z, 0, ix(len,inner,0), 1, ix(n,inner,0), ix(start,inner,0), 0, 0, 0, o, c) ==
        Slice(x,n,inner,start,o,c);
    lemma window_pad{L}: \forall float *g, *z, integer inner, len, start, o, c;
      Window(g, z, ix(start,inner,0), ix(start+len,inner,0), 1, ix(len,inner,0),
             -ix(start,inner,0), 0, 0, 0, o, c) == Pad(g,inner,len,start,o,c);
    lemma window_row: \forall integer r, start, cols, c;
      ix(r,cols,c) - ix(start,cols,0) == ix(r-start,cols,c);
    lemma window_rows_in{L}: \forall float *x, *u, integer rows, cols, k, start, r, c;
      0 <= start ==> start + k <= rows ==> start <= r < start + k ==> 0 <= c < cols ==>
      Window(u, x, ix(start,cols,0), ix(start+k,cols,0), 1, ix(k,cols,0), -ix(start,cols,0),
             1, ix(rows,cols,0), 0, 0, ix(r,cols,c)) == u[ix(r-start,cols,c)];
    lemma window_rows_out{L}: \forall float *x, *u, integer rows, cols, k, start, r, c;
      0 <= start ==> start + k <= rows ==> (0 <= r < start || start + k <= r < rows) ==>
      0 <= c < cols ==>
      Window(u, x, ix(start,cols,0), ix(start+k,cols,0), 1, ix(k,cols,0), -ix(start,cols,0),
             1, ix(rows,cols,0), 0, 0, ix(r,cols,c)) == x[ix(r,cols,c)];
    lemma window_rows{L}: \forall float *x, *u, integer rows, cols, k, start, r, c;
      0 <= start ==> start + k <= rows ==> 0 <= r < rows ==> 0 <= c < cols ==>
      Window(u, x, ix(start,cols,0), ix(start+k,cols,0), 1, ix(k,cols,0), -ix(start,cols,0),
             1, ix(rows,cols,0), 0, 0, ix(r,cols,c)) == WriteRows(x,u,cols,k,start,r,c);
    lemma window_zero_rows{L}: \forall float *g, *u, integer rows, cols, k, start, r, c;
      0 <= start ==> start + k <= rows ==> 0 <= r < rows ==> 0 <= c < cols ==>
      Window(u, g, ix(start,cols,0), ix(start+k,cols,0), 0, 0, 0, 1, ix(rows,cols,0), 0, 0,
             ix(r,cols,c)) == ZeroRows(g,cols,k,start,r,c); */
#endif
