/* -Inf, the identity of max, which a maximum begins with. */
#ifndef PM_MATH_NEG_INF_H
#define PM_MATH_NEG_INF_H
#include "../lang/kernel.h"

#ifdef __FRAMAC__
/*@ // a contract that speaks of a maximum asks that no element is below it
    axiomatic Lowest { logic real Lowest reads \nothing; } */
/*@ assigns \nothing; ensures \result == Lowest; */
float lowest(void);
#else
DEV float lowest() { return -__builtin_huge_valf(); }
#endif
#endif
