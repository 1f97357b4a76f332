/* Reductions beyond spec/real.h's Sum. x is (rows, cols) where a column is spoken of. Around an axis
 * it is (outer, n, inner), and line (o,i) of it the elements (o,j,i) for j < n. */
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
    // where element (o,j,i) is
    logic integer along(integer n, integer inner, integer o, integer j, integer i) =
      ix(ix(o,n,j),inner,i);
    // sum, sum of magnitudes and largest of the first k elements of line (o,i)
    logic real AxisSum{L}(scalar *x, integer n, integer inner, integer o, integer i, integer k) =
      k <= 0 ? 0.0 : AxisSum{L}(x,n,inner,o,i,k-1) + x[along(n,inner,o,k-1,i)];
    logic real AxisSumAbs{L}(scalar *x, integer n, integer inner, integer o, integer i,
                             integer k) =
      k <= 0 ? 0.0 : AxisSumAbs{L}(x,n,inner,o,i,k-1) + \abs(x[along(n,inner,o,k-1,i)]);
    logic real AxisMax{L}(scalar *x, integer n, integer inner, integer o, integer i, integer k) =
      k <= 1 ? x[along(n,inner,o,0,i)]
             : \max(AxisMax{L}(x,n,inner,o,i,k-1), x[along(n,inner,o,k-1,i)]);
    // how many of the first k elements of line (o,i) are y
    logic integer Ties{L}(scalar *x, real y, integer n, integer inner, integer o, integer i,
                          integer k) =
      k <= 0 ? 0 : Ties{L}(x,y,n,inner,o,i,k-1) + (x[along(n,inner,o,k-1,i)] == y ? 1 : 0);
    // part of a cotangent g that reaches an element x of a line whose largest, y, it has `ties` times
    logic real TieShare(real x, real y, real g, integer ties) = rdiv(x == y ? g : 0.0, ties);

    lemma along_range: \forall integer outer, n, inner, o, j, i; 0 <= o < outer ==> 0 <= j < n ==>
      0 <= i < inner ==> 0 <= along(n,inner,o,j,i) < ix(ix(outer,n,0),inner,0);
    lemma along_inj: \forall integer n, inner, o, j, i, o2, j2, i2; 0 <= j < n ==> 0 <= i < inner ==>
      0 <= j2 < n ==> 0 <= i2 < inner ==> along(n,inner,o,j,i) == along(n,inner,o2,j2,i2) ==>
      o == o2 && j == j2 && i == i2;
    predicate SameLine{L1,L2}(scalar *x, integer n, integer inner, integer o, integer i,
                              integer k) =
      \forall integer j; 0 <= j < k ==>
        \at(x[along(n,inner,o,j,i)],L1) == \at(x[along(n,inner,o,j,i)],L2);
    lemma axis_sum_frame{L1,L2}: \forall scalar *x, integer n, inner, o, i, k;
      SameLine{L1,L2}(x,n,inner,o,i,k) ==>
      AxisSum{L1}(x,n,inner,o,i,k) == AxisSum{L2}(x,n,inner,o,i,k);
    lemma axis_sum_abs_frame{L1,L2}: \forall scalar *x, integer n, inner, o, i, k;
      SameLine{L1,L2}(x,n,inner,o,i,k) ==>
      AxisSumAbs{L1}(x,n,inner,o,i,k) == AxisSumAbs{L2}(x,n,inner,o,i,k);
    lemma axis_max_frame{L1,L2}: \forall scalar *x, integer n, inner, o, i, k; 1 <= k ==>
      SameLine{L1,L2}(x,n,inner,o,i,k) ==>
      AxisMax{L1}(x,n,inner,o,i,k) == AxisMax{L2}(x,n,inner,o,i,k);
    lemma ties_frame{L1,L2}: \forall scalar *x, real y, integer n, inner, o, i, k;
      SameLine{L1,L2}(x,n,inner,o,i,k) ==>
      Ties{L1}(x,y,n,inner,o,i,k) == Ties{L2}(x,y,n,inner,o,i,k);
*/
#endif
