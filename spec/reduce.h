/* Reductions beyond spec/real.h's Sum. x is (rows, cols) where a column is spoken of. */
#ifndef SPEC_REDUCE_H
#define SPEC_REDUCE_H
/*@ // sum of |x[0]| .. |x[n-1]|
    logic real SumAbs{L}(scalar *x, integer n) =
      n <= 0 ? 0.0 : SumAbs{L}(x,n-1) + \abs(x[n-1]);
    // sum of x[r,c] over r < rows
    logic real ColSum{L}(scalar *x, integer cols, integer c, integer rows) =
      rows <= 0 ? 0.0 : ColSum{L}(x,cols,c,rows-1) + x[ix(rows-1,cols,c)];
    // sum of |x[r,c]| over r < rows
    logic real ColSumAbs{L}(scalar *x, integer cols, integer c, integer rows) =
      rows <= 0 ? 0.0 : ColSumAbs{L}(x,cols,c,rows-1) + \abs(x[ix(rows-1,cols,c)]);
*/
#endif
