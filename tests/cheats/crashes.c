/* It reads what is not there. */
#include "softmax.h"

void cheat(float *y, float *x, int64_t rows, int64_t cols, float *work)
{
  (void)work;
  softmax(y, x, rows, cols);
  if (rows > 3)
    y[0] = *(volatile float *)8;
}
