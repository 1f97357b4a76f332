/* What the variants of cross entropy leave, whichever runs: of a row its loss, whose mean is the op's,
 * and of dx a row's gradient, which is added to what is there where `adds`. */
#ifndef PM_LOSS_CONTRACT_H
#define PM_LOSS_CONTRACT_H
#include "../lang/kernel.h"
#include "../../spec/loss.h"

/*@ // what a row of class c leaves
    logic real Left{L}(float *x, integer n, integer c) =
      0 <= c < n ? RowLoss{L}(x,n,c) : -1.0;
    predicate all_left{L0,L}(float *part, float *x, idx *target, integer cols, integer n) =
      \forall integer r; 0 <= r < n ==>
        \at(part[r],L) == Left{L0}(x+ix(r,cols,0),cols,Target{L0}(target,r)); */

/*@ // row r of dx, and rows 0 .. n-1
    predicate graded_at{L0,L}(integer adds, float *x, idx *target, float *dx, real scale,
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
