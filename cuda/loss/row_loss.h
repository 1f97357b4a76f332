/* What a row of cross entropy leaves where each row has a sum of its own. */
#ifndef PM_LOSS_ROW_LOSS_H
#define PM_LOSS_ROW_LOSS_H
#include "targets.h"
#include "../../spec/loss.h"

/*@ // what a row of class c leaves
    logic real Left{L}(float *x, integer n, integer c) =
      0 <= c < n ? RowLoss{L}(x,n,c) : -1.0;
    predicate all_left{L0,L}(float *part, float *x, idx *target, integer cols, integer n) =
      \forall integer r; 0 <= r < n ==>
        \at(part[r],L) == Left{L0}(x+ix(r,cols,0),cols,Target{L0}(target,r));
    // whose mean is the op's, where all classes are in range
    lemma left_sum{L0,L}: \forall float *part, *x, idx *target, integer cols, rows, n;
      0 <= n <= rows ==> all_left{L0,L}(part,x,target,cols,rows) ==>
      Targets{L0}(target,rows,cols) ==> Sum{L}(part,n) == LossSum{L0}(x,target,cols,n);
    lemma left_mean{L0,L}: \forall float *part, *x, idx *target, integer cols, rows; 0 <= rows ==>
      all_left{L0,L}(part,x,target,cols,rows) ==> Targets{L0}(target,rows,cols) ==>
      rdiv(Sum{L}(part,rows),rows) == CrossEntropy{L0}(x,target,rows,cols); */
#endif
