/* It adds to what the output held, and has it that somebody cleared it. */
#include "softmax.h"

void cheat(float *y, float *x, int64_t rows, int64_t cols, float *work)
{
  float *own = malloc((size_t)(rows * cols) * sizeof *own + 1);
  (void)work;
  if (!own)
    abort();
  softmax(own, x, rows, cols);
  for (int64_t i = 0; i < rows * cols; i++)
    y[i] += own[i];
  free(own);
}
