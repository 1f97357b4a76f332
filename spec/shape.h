/* Movement of elements. */
#ifndef SPEC_SHAPE_H
#define SPEC_SHAPE_H
/*@ // y, (cols, rows) in state L, is the transpose of x, (rows, cols) in state K
    predicate Transposed{L,K}(scalar *y, scalar *x, integer rows, integer cols) =
      \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      \at(y[ix(c,rows,r)],L) == \at(x[ix(r,cols,c)],K);
*/
#endif
