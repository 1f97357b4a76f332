/* Losses: a mean over n elements, or over the rows of a (rows, cols) matrix. */
#ifndef SPEC_LOSS_H
#define SPEC_LOSS_H
#include "softmax.h"

/*@ // sum of (a[i] - t[i])^2 over i < n
    logic real SquareSum{L}(scalar *a, scalar *t, integer n) =
      n <= 0 ? 0.0 : SquareSum{L}(a,t,n-1) + rmul(a[n-1] - t[n-1], a[n-1] - t[n-1]);
    logic real Mse{L}(scalar *a, scalar *t, integer n) = rdiv(SquareSum{L}(a,t,n), n);
    // an element's part of the gradients, for the cotangent g and c = 2 / n
    logic real MseDa(real g, real a, real t, real c) = rmul(rmul(c,g), a - t);
    logic real MseDt(real g, real a, real t, real c) = rmul(rmul(c,g), t - a);

    // Cross entropy: target[r], 0 <= target[r] < cols, is the class of row r.
    logic integer Target{L}(int64_t *target, integer r) = target[r];
    predicate Targets{L}(int64_t *target, integer rows, integer cols) =
      \forall integer r; 0 <= r < rows ==> 0 <= target[r] < cols;
    // loss of the row x[0 .. n-1] of class t: - log softmax(x)[t]
    logic real RowLoss{L}(scalar *x, integer n, integer t) =
      \log(SumExp{L}(x,RowMax{L}(x,n),n)) - (x[t] - RowMax{L}(x,n));
    // sum of the first n rows' losses
    logic real LossSum{L}(scalar *x, int64_t *target, integer cols, integer n) =
      n <= 0 ? 0.0
             : LossSum{L}(x,target,cols,n-1) + RowLoss{L}(x+ix(n-1,cols,0),cols,target[n-1]);
    logic real CrossEntropy{L}(scalar *x, int64_t *target, integer rows, integer cols) =
      rdiv(LossSum{L}(x,target,cols,rows), rows);
    logic real OneHot(integer c, integer t) = c == t ? 1.0 : 0.0;
    // element c of the row's cotangent; scale is the loss's cotangent by the number of rows
    logic real RowGradient{L}(scalar *x, integer n, integer t, real scale, integer c) =
      rmul(scale, Softmax{L}(x,n,c) - OneHot(c,t));

    lemma row_gradient_frame{L1,L2}: \forall scalar *x, integer n, t, real scale, integer c;
      0 <= c < n ==> Same{L1,L2}(x,n) ==>
      RowGradient{L1}(x,n,t,scale,c) == RowGradient{L2}(x,n,t,scale,c);
*/
#endif
