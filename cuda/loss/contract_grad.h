/* What the gradient of cross entropy leaves, whichever variant runs and whether a loss comes with it:
 * row r of dx, and rows 0 .. n-1, where all classes are in range. x and dx are (rows, cols), target
 * (rows); scale is what a row's gradient is multiplied with, and what dx has is added where `adds`. */
#ifndef PM_LOSS_CONTRACT_GRAD_H
#define PM_LOSS_CONTRACT_GRAD_H
#include "../lang/kernel.h"
#include "../../spec/loss.h"

/*@ predicate graded_at{L0,L}(integer adds, float *x, idx *target, float *dx, real scale,
                              integer cols, integer r) =
      \forall integer c; 0 <= c < cols ==> \at(dx[ix(r,cols,c)],L) ==
        plus(adds,\at(dx[ix(r,cols,c)],L0),
             RowGradient{L0}(x+ix(r,cols,0),cols,Target{L0}(target,r),scale,c));
    predicate graded_rows{L0,L}(integer adds, float *x, idx *target, float *dx, real scale,
                                integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==> \at(dx[ix(r,cols,c)],L) ==
        plus(adds,\at(dx[ix(r,cols,c)],L0),
             RowGradient{L0}(x+ix(r,cols,0),cols,Target{L0}(target,r),scale,c)); */
#endif
