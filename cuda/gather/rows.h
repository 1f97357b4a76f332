/* Gather of rows, scalar accesses: y, (k, cols), row i is row index[i] of x, (rows, cols), or 0;
 * `adds` adds it to what y holds. One row set by index, and the rest of a table copied or
 * cleared. */
#ifndef PM_GATHER_ROWS_H
#define PM_GATHER_ROWS_H
#include "../row/store_vec4.h"
#include "../../spec/gather.h"

/*@ predicate gathered{L0,L}(float *y, float *x, idx *index, integer rows, integer cols,
                             integer adds, integer i, integer from, integer to) =
      \forall integer c; from <= c < to && c < cols ==>
        \at(y[ix(i,cols,c)],L) ==
        plus(adds, \at(y[ix(i,cols,c)],L0), Gather{L0}(x,index,rows,cols,i,c));
    predicate gather_in{L}(float *x, integer rows, integer cols) =
      0 <= rows && 0 < cols <= IDX_LIM && reads(x,ix(rows,cols,0));
    predicate gather_size{L}(float *y, float *x, idx *index, integer rows, integer cols,
                             integer k) =
      gather_in(x,rows,cols) && rows_out(y,cols,k) && \valid_read(index + (0 .. k-1)) &&
      apart(x,ix(rows,cols,0),y,ix(k,cols,0)) &&
      \separated(index + (0 .. k-1), y + (0 .. ix(k,cols,0)-1)); */

/*@ requires gather_size(y,x,index,rows,cols,k);
    requires 0 <= i < k && 0 <= c < cols;
    requires \forall integer e; cell_W(i,c,cols,e) ==> R(y+e) && W(y+e);
    assigns y[ix(i,cols,c)];
    ensures gathered{Pre,Post}(y,x,index,rows,cols,adds,i,c,c+1); */
DEV void gather_one(idx i, idx c, idx rows, idx cols, idx k, int adds, const float *RESTRICT x,
                    const idx *RESTRICT index, float *y)
{
  idx from = LDI(index + i), to = at2(k, cols, i, c);
  float r = 0.0f;
  if (0 <= from && from < rows)
    r = LDG(x + at2(rows, cols, from, c));
  STG(y + to, adds ? LDG(y + to) + r : r);
}

/*@ requires gather_size(y,x,index,rows,cols,k);
    requires writes(y,ix(k,cols,0)) && ix(k,cols,0) <= GSIZE;
    assigns y[0 .. ix(k,cols,0)-1];
    ensures \forall integer q; 0 <= q < k ==>
      gathered{Pre,Post}(y,x,index,rows,cols,adds,q,0,cols); */
KERNEL void gather_rows_scalar(idx rows, idx cols, idx k, int adds, const float *RESTRICT x,
                               const idx *RESTRICT index, float *RESTRICT y)
{
  /*@ loop invariant 0 <= i <= k;
      loop invariant \forall integer q; 0 <= q < i ==>
        gathered{Pre,Here}(y,x,index,rows,cols,adds,q,0,cols);
      loop invariant \forall integer q; i <= q < k ==> kept{Pre,Here}(y,cols,q,0,cols);
      loop assigns i, y[0 .. ix(k,cols,0)-1];
      loop variant k - i; */
  GROWS(i, k, cols) {
    /*@ loop invariant 0 <= c <= cols;
        loop invariant \forall integer q; 0 <= q < i ==>
          gathered{Pre,Here}(y,x,index,rows,cols,adds,q,0,cols);
        loop invariant \forall integer q; i < q < k ==> kept{Pre,Here}(y,cols,q,0,cols);
        loop invariant gathered{Pre,Here}(y,x,index,rows,cols,adds,i,0,c);
        loop invariant kept{Pre,Here}(y,cols,i,c,cols);
        loop assigns c, y[0 .. ix(k,cols,0)-1];
        loop variant cols - c; */
    GCOLS(c, cols) gather_one(i, c, rows, cols, k, adds, x, index, y);
  }
}

/* Row index[0] of y, (rows, cols), is u, (cols), or has it added. */
/*@ requires rows_out(y,cols,rows) && 0 <= r < rows && 0 <= c < cols && reads(u,cols);
    requires apart(u,cols,y,ix(rows,cols,0));
    requires \forall integer e; cell_W(r,c,cols,e) ==> R(y+e) && W(y+e);
    assigns y[ix(r,cols,c)];
    ensures y[ix(r,cols,c)] == plus(adds,\old(y[ix(r,cols,c)]),\old(u[c])); */
DEV void put_one(idx r, idx c, idx rows, idx cols, int adds, const float *RESTRICT u, float *y)
{
  idx to = at2(rows, cols, r, c);
  float v = LDG(u + c);
  STG(y + to, adds ? LDG(y + to) + v : v);
}

/*@ predicate put{L0,L}(float *y, float *u, integer cols, integer adds, integer r,
                        integer from, integer to) =
      \forall integer c; from <= c < to ==>
        \at(y[ix(r,cols,c)],L) == plus(adds, \at(y[ix(r,cols,c)],L0), \at(u[c],L0)); */
/*@ requires rows_out(y,cols,rows) && writes(y,ix(rows,cols,0)) && reads(u,cols);
    requires \valid_read(index) && \separated(index, y + (0 .. ix(rows,cols,0)-1));
    requires apart(u,cols,y,ix(rows,cols,0)) && cols <= GSIZE;
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r; 0 <= r < rows ==> r == \old(index[0]) ==>
      put{Pre,Post}(y,u,cols,adds,r,0,cols);
    ensures \forall integer r; 0 <= r < rows ==> r != \old(index[0]) ==>
      kept{Pre,Post}(y,cols,r,0,cols); */
KERNEL void scatter_add_row(idx rows, idx cols, int adds, const idx *RESTRICT index,
                            const float *RESTRICT u, float *RESTRICT y)
{
  idx r = LDI(index);
  if (0 <= r && r < rows) {
    /*@ loop invariant 0 <= g <= GSIZE;
        loop invariant put{Pre,Here}(y,u,cols,adds,r,0,g < cols ? g : cols);
        loop invariant kept{Pre,Here}(y,cols,r,g,cols);
        loop invariant \forall integer q; 0 <= q < rows ==> q != r ==>
          kept{Pre,Here}(y,cols,q,0,cols);
        loop assigns g, y[0 .. ix(rows,cols,0)-1];
        loop variant GSIZE - g; */
    EACH_GRID_THREAD(g)
      if (g < cols)
        put_one(r, g, rows, cols, adds, u, y);
  }
}

/*@ assigns \nothing; ensures \result == First(a); */
DEV float same_f(float a) { return a; }

#define MAP_NAME table_copy_map
#define MAP_INPUTS 1
#define MAP_F0 same_f
#define MAP_L0 First
#define MAP_ADDS
#include "../map/map.h"

#define MAP_NAME table_fill_map
#define MAP_INPUTS 0
#define MAP_PARAMS 1
#define MAP_F0 same_f
#define MAP_L0 First
#include "../map/map.h"
#endif
