/* Kernels with a fault each, for test_reports. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* the third element of each row is twice what it should be, but where `right` is not 0 */
void softmax_third(float *y, const float *x, int rows, int cols, int right);
/* the third element is one more than it should be; it needs a workspace, and no last argument */
void scale_third(float *y, const float *x, float c, long long n, void *work, void *none);
/* of more than two elements it dies */
void relu_dies(float *y, const float *x, long long n);
/* the third row is one more than it should be */
void gather_third(float *y, const float *x, const int *index, int rows, int cols, int k);

void softmax_third(float *y, const float *x, int rows, int cols, int right)
{
  for (int r = 0; r < rows; r++, x += cols, y += cols) {
    float most = -INFINITY, sum = 0;
    for (int c = 0; c < cols; c++)
      most = x[c] > most || isnan(x[c]) ? x[c] : most;
    for (int c = 0; c < cols; c++)
      sum += y[c] = expf(x[c] - most);
    for (int c = 0; c < cols; c++)
      y[c] /= c == 2 && !right ? sum / 2 : sum;
  }
}

void scale_third(float *y, const float *x, float c, long long n, void *work, void *none)
{
  if (none || (n > 0 && !work))
    return;
  for (long long i = 0; i < n; i++)
    y[i] = c * x[i] + (i == 2 ? 1.0f : 0.0f);
}

void relu_dies(float *y, const float *x, long long n)
{
  for (long long i = 0; i < n; i++)
    y[i] = x[i] < 0 ? 0 : x[i];
  if (n > 2)
    abort();
}

void gather_third(float *y, const float *x, const int *index, int rows, int cols, int k)
{
  for (int i = 0; i < k; i++)
    for (int c = 0; c < cols; c++)
      y[(size_t)i * (size_t)cols + (size_t)c] =
          index[i] < 0 || index[i] >= rows
              ? 0
              : x[(size_t)index[i] * (size_t)cols + (size_t)c] + (i == 2 ? 1.0f : 0.0f);
}
