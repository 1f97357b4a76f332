/* What cross entropy leaves for its mean (mean.cu), whichever variant runs: n numbers, of a row each
 * (row_loss.h) or of a block's rows (warp.cu), that add up to the rows' losses where all classes are in
 * range. x is (rows, cols), target (rows). */
#ifndef PM_LOSS_CONTRACT_H
#define PM_LOSS_CONTRACT_H
#include "../lang/kernel.h"
#include "../../spec/loss.h"

/*@ predicate losses_left{L0,L}(float *part, integer n, float *x, idx *target, integer cols,
                               integer rows) =
      Targets{L0}(target,rows,cols) ==> Sum{L}(part,n) == LossSum{L0}(x,target,cols,rows); */
#endif
