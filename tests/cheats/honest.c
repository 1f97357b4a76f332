/* None: what passes. */
#include "softmax.h"

void cheat(float *y, float *x, int64_t rows, int64_t cols, float *work)
{
  (void)work;
  softmax(y, x, rows, cols);
}
