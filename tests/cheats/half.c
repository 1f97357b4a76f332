/* The second half of the rows is a copy of the first, as if nobody looked there. */
#include "softmax.h"

void cheat(float *y, float *x, int64_t rows, int64_t cols, float *work)
{
  const int64_t half = (rows + 1) / 2;
  (void)work;
  softmax(y, x, half, cols);
  memcpy(y + half * cols, y, (size_t)((rows - half) * cols) * sizeof *y);
}
