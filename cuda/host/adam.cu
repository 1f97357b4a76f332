#include "../adam.h"

#include <inttypes.h>

#include "check.h"

#define REFUSE(...) pm_fail(PM_BAD_ARGUMENT, "bias_correction", __VA_ARGS__)

/* 1 - beta^t, t >= 1. No step cancels: from 1 - beta^k to 1 - beta^2k and to 1 - beta^(k+1) what is
 * added up is positive, and the error of either is not larger than that of the step before, and a
 * few roundings. */
static double rest(double beta, int64_t t)
{
  double x = 0;
  for (int bit = 62; bit >= 0; bit--) {
    x = x * (2 - x);
    if (t >> bit & 1)
      x = x + (1 - beta) * (1 - x);
  }
  return x;
}

extern "C" pm_status pm_bias_correction(float beta, int64_t t, float *correction)
{
  if (!(beta >= 0 && beta < 1))
    return REFUSE("beta = %.9g: must be >= 0 and < 1", (double)beta);
  if (t < 1)
    return REFUSE("t = %" PRId64 ": must be >= 1", t);
  if (!correction)
    return REFUSE("correction = NULL: must point to a float");
  *correction = (float)(1 / rest(beta, t));
  return PM_OK;
}
