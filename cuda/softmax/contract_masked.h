/* What masked_softmax leaves, whichever variant runs: row r of y, and rows 0 .. n-1. x, b (the mask)
 * and y are (rows, cols). */
#ifndef PM_SOFTMAX_CONTRACT_MASKED_H
#define PM_SOFTMAX_CONTRACT_MASKED_H
#include "../lang/kernel.h"
#include "../../spec/softmax.h"

/*@ predicate masked_at{L0,L}(float *x, float *b, float *y, integer cols, integer r) =
      \forall integer c; 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L) == MaskedSoftmax{L0}(x+ix(r,cols,0),b+ix(r,cols,0),cols,c);
    predicate masked_rows{L0,L}(float *x, float *b, float *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L) == MaskedSoftmax{L0}(x+ix(r,cols,0),b+ix(r,cols,0),cols,c); */
#endif
