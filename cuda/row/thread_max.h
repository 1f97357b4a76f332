/* Thread-local partial maxima of a row. */
#ifndef PM_ROW_THREAD_MAX_H
#define PM_ROW_THREAD_MAX_H
#include "../lang/kernel.h"
#include "../../spec/softmax.h"

/*@ // each thread has an element, or the largest of some; together they are below no element seen
    predicate some_of{L0,L}(float *top, integer T, float *x, integer n) =
      \forall integer u; 0 <= u < T ==> \at(top[u],L) <= RowMax{L0}(x,n);
    predicate above{L0,L}(float *top, integer T, float *x, integer to) =
      \forall integer k; 0 <= k < to ==> \at(x[k],L0) <= RowMax{L}(top,T); */
#endif
