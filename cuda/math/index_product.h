/* The product of two sizes, in a function of its own: few goals then meet a product. */
#ifndef PM_MATH_INDEX_PRODUCT_H
#define PM_MATH_INDEX_PRODUCT_H
#include "../lang/kernel.h"

/*@ requires 0 <= m && 0 <= n && ix(m,n,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == ix(m,n,0); */
DEV idx ix_times(idx m, idx n)
{
  //@ assert m * n == ix(m,n,0) && 0 <= ix(m,n,0);
  return m * n;
}
#endif
