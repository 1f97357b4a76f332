/* The sum of a stretch of a row, from the sums up to where it begins and ends. */
#ifndef PM_SUM_SHIFT_H
#define PM_SUM_SHIFT_H
#include "kernel.h"
#include "../spec/reduce.h"

/*@ lemma sum_shift{L}: \forall integer n, float *x, integer o; 0 <= o ==> 0 <= n ==>
      Sum(x+o,n) == Sum(x,o+n) - Sum(x,o); */
#endif
