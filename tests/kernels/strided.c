/* Kernels of rows that lie apart, right ones and others, by `style`; the last two arguments of each say how far. */
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { RIGHT, DEAF, BETWEEN, CLEARS, LAST };

static void softmax_row(float *y, const float *x, int cols)
{
  float most = -INFINITY, sum = 0;
  for (int c = 0; c < cols; c++)
    most = x[c] > most ? x[c] : most;
  for (int c = 0; c < cols; c++)
    sum += y[c] = expf(x[c] - most);
  for (int c = 0; c < cols; c++)
    y[c] /= sum;
}

void softmax(float *y, const float *x, int rows, int cols, int style, int ys, int xs);
void softmax(float *y, const float *x, int rows, int cols, int style, int ys, int xs)
{
  for (int r = 0; r < rows; r++) {
    softmax_row(y + (int64_t)r * ys, x + (int64_t)r * (style == DEAF ? cols : xs), cols);
    if (style == BETWEEN && ys > cols && r + 1 < rows)
      y[r * ys + cols] = 0;
    if (style == LAST && cols > 1) /* a fault that has nothing to do with strides */
      y[r * ys + cols - 1] *= 1.5f;
  }
  if (style == CLEARS && xs > cols && rows > 1)
    ((float *)(uintptr_t)x)[xs - 1] = 0;
}

/* In place: rows of a, and of b. */
void add_bias(float *x, const float *b, int rows, int cols, int64_t xs);
void add_bias(float *x, const float *b, int rows, int cols, int64_t xs)
{
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++)
      x[r * xs + c] += b[c];
}

/* dx (+)= y (g - sum y g), of tensors with three strides. */
void softmax_vjp(float *dx, const float *y, const float *g, int rows, int cols, int add, int dxs,
                 int ys, int gs);
void softmax_vjp(float *dx, const float *y, const float *g, int rows, int cols, int add, int dxs,
                 int ys, int gs)
{
  for (int r = 0; r < rows; r++, dx += dxs, y += ys, g += gs) {
    float dot = 0;
    for (int c = 0; c < cols; c++)
      dot += y[c] * g[c];
    for (int c = 0; c < cols; c++)
      dx[c] = (add ? dx[c] : 0) + y[c] * (g[c] - dot);
  }
}

/* Rows of 16 bits or of bytes, which are copied as they are. */
#define COPY(type)                                                                           \
  void transpose_##type(type *y, const type *x, int rows, int cols, int64_t ys, int64_t xs); \
  void transpose_##type(type *y, const type *x, int rows, int cols, int64_t ys, int64_t xs)  \
  {                                                                                          \
    for (int r = 0; r < rows; r++)                                                           \
      for (int c = 0; c < cols; c++)                                                         \
        y[c * ys + r] = x[r * xs + c];                                                       \
  }
COPY(uint16_t)
COPY(double)

void masked(float *y, const float *x, const uint8_t *mask, int rows, int cols, int64_t ms);
void masked(float *y, const float *x, const uint8_t *mask, int rows, int cols, int64_t ms)
{
  for (int r = 0; r < rows; r++, x += cols, y += cols, mask += ms) {
    float most = -INFINITY, sum = 0;
    for (int c = 0; c < cols; c++)
      most = !mask[c] && x[c] > most ? x[c] : most;
    for (int c = 0; c < cols; c++)
      sum += y[c] = mask[c] ? 0 : expf(x[c] - most);
    for (int c = 0; c < cols; c++)
      y[c] = mask[c] ? 0 : y[c] / sum;
  }
}
