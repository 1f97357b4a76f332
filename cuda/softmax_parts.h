/* What softmax, log_softmax and masked_softmax differ in: each element is entered, then kept, of which
 * the row's sum of exp(x - m) is taken, then put. OP says which of the three it is. */
#ifndef PM_SOFTMAX_PARTS_H
#define PM_SOFTMAX_PARTS_H
#include "math.h"
#include "softmax_op.h"
#include "wide.h"

/* A blocked element is this NaN until the row's sum is taken, and -0, which no exponential is,
 * after that. A maximum skips it, and a sum does not change by it. x's own NaNs are another. */
#define BLOCKED 0x7fc0b10cu
DEV float entered(float x, float mask)
{
  return mask != 0.0f ? __uint_as_float(BLOCKED) : x == x ? x : NAN;
}

/* What is kept of an element v, given d = v - m; *e: its part of the sum. */
template <int OP> DEV float kept(float v, float d, float e)
{
  if (OP == LOG)
    return d;
  return OP == MASKED && __float_as_uint(v) == BLOCKED ? -0.0f : e;
}
template <int OP> DEV float summed(float keeps, float e) { return OP == MASKED ? keeps : e; }

/* Of the row: what its elements are put with. */
template <int OP> DEV float closing(float s) { return OP == LOG ? pm_logf(s) : 1.0f / s; }
template <int OP> DEV float put(float keeps, float t)
{
  if (OP == LOG)
    return keeps - t;
  return OP == MASKED && __float_as_uint(keeps) == 0x80000000u ? 0.0f : keeps * t;
}
#endif
