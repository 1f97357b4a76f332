#include "shape.h"

void ref_transpose2d(idx rows, idx cols, const double *x, double *y)
{
  /*@ loop invariant 0 <= c <= cols;
      loop invariant \forall integer r, s; 0 <= r < rows ==> 0 <= s < c ==>
        y[ix(s,rows,r)] == rd{Pre}(x,ix(r,cols,s));
      loop assigns c, y[0 .. ix(cols,rows,0)-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++) {
    /*@ loop invariant 0 <= r <= rows;
        loop invariant \forall integer q, s; 0 <= q < rows ==> 0 <= s < c ==>
          y[ix(s,rows,q)] == rd{Pre}(x,ix(q,cols,s));
        loop invariant \forall integer q; 0 <= q < r ==>
          y[ix(c,rows,q)] == rd{Pre}(x,ix(q,cols,c));
        loop assigns r, y[0 .. ix(cols,rows,0)-1];
        loop variant rows - r;
    */
    for (idx r = 0; r < rows; r++)
      y[at2(cols, rows, c, r)] = x[at2(rows, cols, r, c)];
  }
}

void ref_transpose2d_vjp(idx rows, idx cols, const double *g, double *dx)
{
  ref_transpose2d(cols, rows, g, dx);
}
