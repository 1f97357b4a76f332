/* Kernels as other projects have them, in their own orders and with their own habits, for test_kernels. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* what llm.c's callers pass */
void softmax_forward(int kernel, float *out, const float *in, int n, int c, int block);
void layernorm_forward(float *out, float *mean, float *rstd, const float *in, const float *weight,
                       const float *bias, int b, int t, int c);
void layernorm_backward(float *din, float *dweight, float *dbias, const float *dout,
                        const float *in, const float *weight, const float *mean, const float *rstd,
                        int rows, int c);
/* numbers of every type */
void scale_all(int32_t four, int64_t n, uint32_t n32, uint64_t n64, float c, double c64, float half,
               double tenth, void *none, void *stream, const float *a, float *y);
/* what only some cases suit */
void relu_by_four(float *y, const float *x, int64_t n);
/* what the caller has to do, or to know */
void mul_backward(float *da, float *db, const float *a, const float *b, const float *g, int64_t n,
                  int add);
void add_into(float *a, const float *b, int64_t n);
void sum_by_parts(const float *x, float *y, float *part, int64_t n);
/* indices of 32 bits; with `spoil`: changed, or the word before them */
void gather_rows32(float *y, const float *x, int32_t *index, int64_t rows, int64_t cols, int64_t k,
                   int spoil);
/* a little off, now and then */
void sum_any_order(const float *x, float *y, int64_t n);

void softmax_forward(int kernel, float *out, const float *in, int n, int c, int block)
{
  if (kernel != 4 || block != 256)
    return;
  for (int i = 0; i < n; i++) {
    const float *x = in + (size_t)i * (size_t)c;
    float *y = out + (size_t)i * (size_t)c, most = -INFINITY, sum = 0;
    for (int k = 0; k < c; k++)
      most = x[k] > most || isnan(x[k]) ? x[k] : most;
    for (int k = 0; k < c; k++)
      sum += y[k] = expf(x[k] - most);
    for (int k = 0; k < c; k++)
      y[k] /= sum;
  }
}

void layernorm_forward(float *out, float *mean, float *rstd, const float *in, const float *weight,
                       const float *bias, int b, int t, int c)
{
  for (int64_t i = 0; i < (int64_t)b * t; i++) {
    const float *x = in + i * c;
    float m = 0, v = 0;
    for (int k = 0; k < c; k++)
      m += x[k];
    m /= (float)c;
    for (int k = 0; k < c; k++)
      v += (x[k] - m) * (x[k] - m);
    const float s = 1.0f / sqrtf(v / (float)c + 1e-5f);
    for (int k = 0; k < c; k++)
      out[i * c + k] = s * (x[k] - m) * weight[k] + bias[k];
    mean[i] = m;
    rstd[i] = s;
  }
}

void layernorm_backward(float *din, float *dweight, float *dbias, const float *dout,
                        const float *in, const float *weight, const float *mean, const float *rstd,
                        int rows, int c)
{
  for (int64_t i = 0; i < rows; i++) {
    float dmean = 0, dmean_x = 0;
    for (int k = 0; k < c; k++) {
      const float norm = (in[i * c + k] - mean[i]) * rstd[i], d = weight[k] * dout[i * c + k];
      dmean += d;
      dmean_x += d * norm;
      dbias[k] += dout[i * c + k];
      dweight[k] += norm * dout[i * c + k];
    }
    dmean /= (float)c;
    dmean_x /= (float)c;
    for (int k = 0; k < c; k++) {
      const float norm = (in[i * c + k] - mean[i]) * rstd[i];
      din[i * c + k] += (weight[k] * dout[i * c + k] - dmean - norm * dmean_x) * rstd[i];
    }
  }
}

void scale_all(int32_t four, int64_t n, uint32_t n32, uint64_t n64, float c, double c64, float half,
               double tenth, void *none, void *stream, const float *a, float *y)
{
  if (four != 4 || n32 != (uint32_t)n || n64 != (uint64_t)n * 3 - 1 || (double)c != c64 ||
      half != 0.5f || tenth != 0.1 || none || stream)
    return;
  for (int64_t i = 0; i < n; i++)
    y[i] = c * a[i];
}

void relu_by_four(float *y, const float *x, int64_t n)
{
  for (int64_t i = 0; i < n / 4 * 4; i++)
    y[i] = x[i] < 0 ? 0 : x[i];
}

void mul_backward(float *da, float *db, const float *a, const float *b, const float *g, int64_t n,
                  int add)
{
  for (int64_t i = 0; i < n; i++) {
    da[i] = g[i] * b[i] + (add ? da[i] : 0);
    db[i] = g[i] * a[i] + (add ? db[i] : 0);
  }
}

void add_into(float *a, const float *b, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    a[i] += b[i];
}

void sum_by_parts(const float *x, float *y, float *part, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    part[i % 4] += x[i];
  *y = part[0] + part[1] + (part[2] + part[3]);
}

void sum_any_order(const float *x, float *y, int64_t n)
{
  static bool backward;
  float s = 0;
  backward = !backward;
  for (int64_t i = 0; i < n; i++)
    s += x[backward ? n - 1 - i : i];
  *y = s;
}

void gather_rows32(float *y, const float *x, int32_t *index, int64_t rows, int64_t cols, int64_t k,
                   int spoil)
{
  for (int64_t i = 0; i < k; i++)
    for (int64_t c = 0; c < cols; c++)
      y[i * cols + c] = index[i] >= 0 && index[i] < rows ? x[index[i] * cols + c] : 0;
  if (spoil && k > 2)
    index[spoil == 1 ? 2 : -1] = 0;
}
