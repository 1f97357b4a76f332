/* Vector or scalar steps over a chunk of a row: of four elements where vec (the stretch is
 * 16-byte aligned and its length a multiple of 4), of one else. */
#ifndef PM_ROW_SPLIT_STEPS_H
#define PM_ROW_SPLIT_STEPS_H
#include "../lang/kernel.h"

/*@ // elements before step i, and those of it; threads have none in common
    logic integer StepAt(integer vec, integer i) = vec != 0 ? 4*i : i;
    predicate step_W(integer vec, integer i, integer k) = StepAt(vec,i) <= k < StepAt(vec,i+1);
    lemma race_step: \forall integer vec, i, j, t, u, b, k; 0 <= t < b ==> 0 <= u < b ==> t != u ==>
      step_W(vec,ix(i,b,t),k) ==> !step_W(vec,ix(j,b,u),k);
    predicate split_step(integer vec, integer i, integer n) = 0 <= i && StepAt(vec,i+1) <= n;
    // m is k + by, which no trigger finds
    predicate behind(integer k, integer by, integer m) = m == k + by; */

/* Steps of n elements. */
/*@ requires 0 < n && (vec != 0 ==> n % 4 == 0);
    assigns \nothing;
    ensures 0 < \result <= n && StepAt(vec,\result) == n; */
DEV idx split_steps(int vec, idx n) { return vec ? n / 4 : n; }
#endif
