/* One value: that of a row whose elements are equal. */
#include "softmax.h"

void cheat(float *y, float *x, int64_t rows, int64_t cols, float *work)
{
  (void)x, (void)work;
  for (int64_t i = 0; i < rows * cols; i++)
    y[i] = 1.0f / (float)cols;
}
