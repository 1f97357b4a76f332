/* Division by a count: a quotient of reals, divided once, also where the divisor is no float. */
#ifndef PM_MATH_DIVIDE_H
#define PM_MATH_DIVIDE_H
#include "../lang/kernel.h"

/*@ assigns \nothing; ensures \result == rdiv(s,n); */
DEV float over(float s, double n) { return n <= 16777216.0 ? s / (float)n : (float)(s / n); }
#endif
