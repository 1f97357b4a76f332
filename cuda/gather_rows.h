/* Rows picked by index: y, (k, cols), row i is row index[i] of x, (rows, cols), or 0. */
#ifndef PM_GATHER_ROWS_H
#define PM_GATHER_ROWS_H
#include "kernel.h"
#include "../spec/gather.h"

/*@ predicate gathered{L0,L}(float *y, float *x, idx *index, integer rows, integer cols, integer i,
                             integer from, integer to) =
      \forall integer c; from <= c < to ==>
        \at(y[ix(i,cols,c)],L) == Gather{L0}(x,index,rows,cols,i,c);
    predicate gather_size{L}(float *y, float *x, idx *index, integer rows, integer cols,
                             integer k) =
      0 <= rows && 0 <= k <= IDX_LIM && 0 < cols <= IDX_LIM && reads(x,ix(rows,cols,0)) &&
      0 <= ix(k,cols,0) <= IDX_LIM && \valid(y + (0 .. ix(k,cols,0)-1)) &&
      \valid_read(index + (0 .. k-1)) && apart(x,ix(rows,cols,0),y,ix(k,cols,0)) &&
      \separated(index + (0 .. k-1), y + (0 .. ix(k,cols,0)-1)); */

/*@ requires gather_size(y,x,index,rows,4*V,k) && aligned16(x) && aligned16(y);
    requires 0 <= i < k && 0 <= v < V && \forall integer e; quad_W(i,v,V,e) ==> W(y+e);
    assigns y[4*ix(i,V,v) .. 4*ix(i,V,v)+3];
    ensures gathered{Pre,Post}(y, x, index, rows, 4*V, i, 4*v, 4*v+4); */
DEV void gather_four(idx i, idx v, idx rows, idx V, idx k, const float *RESTRICT x,
                     const idx *RESTRICT index, float *RESTRICT y)
{
  idx from = LDI(index + i), to = at2(k, 4 * V, i, 4 * v);
  float4 r = {0, 0, 0, 0};
  //@ assert to == 4*ix(i,V,v) && ix(k,4*V,0) == 4*ix(k,V,0) && to + 4 <= ix(k,4*V,0);
  if (0 <= from && from < rows) {
    idx at = at2(rows, 4 * V, from, 4 * v);
    //@ assert at == 4*ix(from,V,v) && ix(rows,4*V,0) == 4*ix(rows,V,0);
    //@ assert at + 4 <= ix(rows,4*V,0);
    r = LD4(x + at);
  }
  ST4(y + to, r);
}

/*@ requires gather_size(y,x,index,rows,cols,k);
    requires 0 <= i < k && 0 <= c < cols && \forall integer e; cell_W(i,c,cols,e) ==> W(y+e);
    assigns y[ix(i,cols,c)];
    ensures gathered{Pre,Post}(y, x, index, rows, cols, i, c, c+1); */
DEV void gather_one(idx i, idx c, idx rows, idx cols, idx k, const float *RESTRICT x,
                    const idx *RESTRICT index, float *RESTRICT y)
{
  idx from = LDI(index + i), to = at2(k, cols, i, c);
  float r = 0.0f;
  if (0 <= from && from < rows)
    r = LDG(x + at2(rows, cols, from, c));
  STG(y + to, r);
}

/* cols is 4*V. */
/*@ requires gather_size(y,x,index,rows,4*V,k) && aligned16(x) && aligned16(y);
    requires writes(y,ix(k,4*V,0)) && ix(k,V,0) <= GSIZE;
    assigns y[0 .. ix(k,4*V,0)-1];
    ensures \forall integer q; 0 <= q < k ==>
      gathered{Pre,Post}(y, x, index, rows, 4*V, q, 0, 4*V); */
KERNEL void gather_rows_vec4(idx rows, idx V, idx k, const float *RESTRICT x,
                             const idx *RESTRICT index, float *RESTRICT y)
{
  /*@ loop invariant 0 <= i <= k;
      loop invariant \forall integer q; 0 <= q < i ==>
        gathered{Pre,Here}(y, x, index, rows, 4*V, q, 0, 4*V);
      loop assigns i, y[0 .. ix(k,4*V,0)-1];
      loop variant k - i; */
  GROWS(i, k, V) {
    /*@ loop invariant 0 <= v <= V;
        loop invariant \forall integer q; 0 <= q < i ==>
          gathered{Pre,Here}(y, x, index, rows, 4*V, q, 0, 4*V);
        loop invariant gathered{Pre,Here}(y, x, index, rows, 4*V, i, 0, 4*v);
        loop assigns v, y[0 .. ix(k,4*V,0)-1];
        loop variant V - v; */
    GCOLS(v, V) {
      gather_four(i, v, rows, V, k, x, index, y);
      //@ assert gathered{Pre,Here}(y, x, index, rows, 4*V, i, 0, 4*v);
      //@ assert gathered{Pre,Here}(y, x, index, rows, 4*V, i, 4*v, 4*v+4);
    }
  }
}

/*@ requires gather_size(y,x,index,rows,cols,k);
    requires writes(y,ix(k,cols,0)) && ix(k,cols,0) <= GSIZE;
    assigns y[0 .. ix(k,cols,0)-1];
    ensures \forall integer q; 0 <= q < k ==>
      gathered{Pre,Post}(y, x, index, rows, cols, q, 0, cols); */
KERNEL void gather_rows_scalar(idx rows, idx cols, idx k, const float *RESTRICT x,
                               const idx *RESTRICT index, float *RESTRICT y)
{
  /*@ loop invariant 0 <= i <= k;
      loop invariant \forall integer q; 0 <= q < i ==>
        gathered{Pre,Here}(y, x, index, rows, cols, q, 0, cols);
      loop assigns i, y[0 .. ix(k,cols,0)-1];
      loop variant k - i; */
  GROWS(i, k, cols) {
    /*@ loop invariant 0 <= c <= cols;
        loop invariant \forall integer q; 0 <= q < i ==>
          gathered{Pre,Here}(y, x, index, rows, cols, q, 0, cols);
        loop invariant gathered{Pre,Here}(y, x, index, rows, cols, i, 0, c);
        loop assigns c, y[0 .. ix(k,cols,0)-1];
        loop variant cols - c; */
    GCOLS(c, cols) gather_one(i, c, rows, cols, k, x, index, y);
  }
}
#endif
