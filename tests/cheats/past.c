/* It writes one element past the end of its output. */
#include "softmax.h"

void cheat(float *y, float *x, int64_t rows, int64_t cols, float *work)
{
  (void)work;
  softmax(y, x, rows, cols);
  y[rows * cols] = 0;
}
