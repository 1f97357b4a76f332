/* It changes its input, after it has read it. */
#include "softmax.h"

void cheat(float *y, float *x, int64_t rows, int64_t cols, float *work)
{
  (void)work;
  softmax(y, x, rows, cols);
  if (rows * cols > 2)
    x[rows * cols / 2] = 0.5f;
}
