/* What the workspace held has a part in the result. */
#include "softmax.h"

void cheat(float *y, float *x, int64_t rows, int64_t cols, float *work)
{
  softmax(y, x, rows, cols);
  if (rows * cols > 0)
    y[0] += work[0] * 1e-30f;
}
