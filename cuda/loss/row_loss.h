/* What a row of cross entropy leaves where each row has a sum of its own. */
#ifndef PM_LOSS_ROW_LOSS_H
#define PM_LOSS_ROW_LOSS_H
#include "targets.h"
#include "contract.h"

/*@ // the mean of what rows leave is the op's, where all classes are in range
    lemma left_sum{L0,L}: \forall float *part, *x, idx *target, integer cols, rows, n;
      0 <= n <= rows ==> all_left{L0,L}(part,x,target,cols,rows) ==>
      Targets{L0}(target,rows,cols) ==> Sum{L}(part,n) == LossSum{L0}(x,target,cols,n);
    lemma left_mean{L0,L}: \forall float *part, *x, idx *target, integer cols, rows; 0 <= rows ==>
      all_left{L0,L}(part,x,target,cols,rows) ==> Targets{L0}(target,rows,cols) ==>
      rdiv(Sum{L}(part,rows),rows) == CrossEntropy{L0}(x,target,rows,cols); */
#endif
