/* Rows by vectors of four, and what is left over is left. */
#include "softmax.h"

void cheat(float *y, float *x, int64_t rows, int64_t cols, float *work)
{
  float *row = malloc((size_t)cols * sizeof *row + 1);
  (void)work;
  if (!row)
    abort();
  for (int64_t r = 0; r < rows; r++) {
    softmax(row, x + r * cols, 1, cols);
    memcpy(y + r * cols, row, (size_t)(cols / 4 * 4) * sizeof *y);
  }
  free(row);
}
