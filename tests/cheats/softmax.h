/* An honest softmax, for cheats to begin with. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline void softmax(float *y, const float *x, int64_t rows, int64_t cols)
{
  for (int64_t r = 0; r < rows; r++, x += cols, y += cols) {
    float most = -INFINITY, sum = 0;
    for (int64_t c = 0; c < cols; c++)
      most = x[c] > most || x[c] != x[c] ? x[c] : most;
    for (int64_t c = 0; c < cols; c++)
      sum += y[c] = expf(x[c] - most);
    for (int64_t c = 0; c < cols; c++)
      y[c] /= sum;
  }
}

void cheat(float *y, float *x, int64_t rows, int64_t cols, float *work);
