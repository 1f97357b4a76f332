/* What softmax and log_softmax (logs) leave, whichever variant runs: row r of y, and rows 0 .. n-1.
 * x and y are (rows, cols). */
#ifndef PM_SOFTMAX_CONTRACT_H
#define PM_SOFTMAX_CONTRACT_H
#include "../lse/soft_one.h"

/*@ predicate soft_at{L0,L}(integer logs, float *x, float *y, integer cols, integer r) =
      \forall integer c; 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L) == SoftOne{L0}(logs,x+ix(r,cols,0),cols,c);
    predicate soft_rows{L0,L}(integer logs, float *x, float *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L) == SoftOne{L0}(logs,x+ix(r,cols,0),cols,c); */
#endif
