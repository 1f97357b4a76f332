/* Phases in which each thread has cells of shared memory to itself, for owned.h. For Frama-C alone.
 *
 *   pairs_(s, n)   cells k and n + k of the array s, which has twice n, are of thread k */
#ifndef PM_LANG_OWNED_CELLS_H
#define PM_LANG_OWNED_CELLS_H
#include "owned.h"
#ifdef __FRAMAC__
/*@ requires is_shared(s,2*n); assigns \nothing;
    ensures \forall integer k; 0 <= k < n ==>
      own_in(s+k,\result) == k && own_in(s+(n+k),\result) == k; */
int pairs_(float *s, int n);
#endif
#endif
