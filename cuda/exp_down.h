/* exp(x - m) for elements x of a row that are at most m: pm_expf_down of math.h as the provers read
 * it, and what it takes to be asked for so. */
#ifndef PM_EXP_DOWN_H
#define PM_EXP_DOWN_H
#include "math.h"
#include "../spec/softmax.h"

#ifdef __FRAMAC__
/*@ assigns \nothing; ensures x <= 0.0 ==> \result == \exp(x); */
float pm_expf_down(float x);
#endif

/*@ predicate row_under{L}(float *x, real m, integer n) =
      \forall integer k; 0 <= k < n ==> x[k] <= m;
    lemma row_under_frame{L1,L2}: \forall float *x, real m, integer n; Same{L1,L2}(x,n) ==>
      row_under{L1}(x,m,n) ==> row_under{L2}(x,m,n);
    lemma row_under_part{L}: \forall float *x, real m, integer n, o, k; 0 <= o <= n - k ==>
      row_under{L}(x,m,n) ==> row_under{L}(x+o,m,k);
    lemma row_under_max{L}: \forall float *x, real m, integer n; m == RowMax{L}(x,n) ==>
      row_under{L}(x,m,n); */
#endif
