/* It writes past the end of the workspace that it asked for. */
#include "softmax.h"

void cheat(float *y, float *x, int64_t rows, int64_t cols, float *work)
{
  for (int64_t r = 0; r <= rows; r++)
    work[r] = 1;
  softmax(y, x, rows, cols);
}
