/* Kernels of halves, doubles, masks in bytes and indices of 32 bits, right ones (style 0) and wrong ones, for
 * test_types. The conversions are its own, so that diffcheck's are seen from outside. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint16_t u16;

static uint32_t bits(float x)
{
  uint32_t w;
  memcpy(&w, &x, sizeof w);
  return w;
}

static float number(uint32_t w)
{
  float x;
  memcpy(&x, &w, sizeof x);
  return x;
}

static float of_bf16(u16 h) { return number((uint32_t)h << 16); }

static u16 bf16(float x)
{
  const uint32_t w = bits(x);
  return x != x ? (u16)(w >> 16 | 0x40) : (u16)((w + 0x7fff + (w >> 16 & 1)) >> 16);
}

static float of_f16(u16 h)
{
  const uint32_t e = h >> 10 & 31, f = h & 1023, sign = (uint32_t)(h & 0x8000) << 16;
  if (e == 0)
    return number(bits((float)f * 0x1p-24f) | sign);
  return number(sign | (e == 31 ? 255 : e + 112) << 23 | f << 13);
}

static u16 f16(float x)
{
  uint32_t w = bits(x), sign = w >> 16 & 0x8000;
  w &= 0x7fffffff;
  if (w > 0x7f800000)
    return (u16)(sign | 0x7e00);
  if (w >= 0x477ff000)
    return (u16)(sign | 0x7c00);
  if (w < 0x38800000)
    return (u16)(sign | (uint32_t)rintf(number(w) * 0x1p24f));
  return (u16)(sign | (w - 0x38000000 + 0xfff + (w >> 13 & 1)) >> 13);
}

/* In style 1 the output is cut off, in style 2 sums are of the type. */
#define STORE(type, style, x) ((style) == 1 && isfinite(x) ? cut_##type(x) : type(x))
#define SUM(type, style, x) ((style) == 2 ? of_##type(type(x)) : (x))
static u16 cut_bf16(float x) { return (u16)(bits(x) >> 16); }
static u16 cut_f16(float x)
{
  const u16 h = f16(x);
  return (h & 0x7fff) && fabsf(of_f16(h)) > fabsf(x) ? (u16)(h - 1) : h;
}

#define HALVES(type)                                                                           \
  void softmax_##type(u16 *y, const u16 *x, int rows, int cols, int style);                    \
  void softmax_##type(u16 *y, const u16 *x, int rows, int cols, int style)                     \
  {                                                                                            \
    for (int r = 0; r < rows; r++, x += cols, y += cols) {                                     \
      float most = -INFINITY, sum = 0;                                                         \
      for (int c = 0; c < cols; c++)                                                           \
        most = of_##type(x[c]) > most ? of_##type(x[c]) : most;                                \
      for (int c = 0; c < cols; c++)                                                           \
        sum = SUM(type, style, sum + expf(of_##type(x[c]) - most));                            \
      for (int c = 0; c < cols; c++)                                                           \
        y[c] = STORE(type, style, expf(of_##type(x[c]) - most) / sum);                         \
    }                                                                                          \
  }                                                                                            \
  void sum_##type(u16 *y, const u16 *x, int64_t n, int style);                                 \
  void sum_##type(u16 *y, const u16 *x, int64_t n, int style)                                  \
  {                                                                                            \
    float sum = 0;                                                                             \
    for (int64_t i = 0; i < n; i++)                                                            \
      sum = SUM(type, style, sum + of_##type(x[i]));                                           \
    if (style == 3) /* past its end */                                                         \
      sum += of_##type(x[n]);                                                                  \
    *y = STORE(type, style, sum);                                                              \
    if (style == 4)                                                                            \
      y[1] = *y;                                                                               \
    if (style == 5 && n > 2)                                                                   \
      ((u16 *)(uintptr_t)x)[2] ^= 1;                                                           \
    if (style == 6 && isinf(of_##type(*y)) && isfinite(sum)) /* saturates */                   \
      --*y;                                                                                    \
  }                                                                                            \
  void scale_##type(u16 *y, const u16 *a, float c, int64_t n, int style);                      \
  void scale_##type(u16 *y, const u16 *a, float c, int64_t n, int style)                       \
  {                                                                                            \
    for (int64_t i = 0; i < n - (style == 3); i++) {                                           \
      y[i] = STORE(type, style, c * of_##type(a[i]));                                          \
      if (style == 6 && isinf(of_##type(y[i])) && isfinite(c) && isfinite(of_##type(a[i])))    \
        y[i]--;                                                                                \
    }                                                                                          \
  }                                                                                            \
  /* in f32 the statistics, and the parameters too */                                          \
  void layer_norm_##type(u16 *y, float *mean, float *rstd, const u16 *x, const float *gamma,   \
                         const float *beta, float eps, int rows, int cols, int style);         \
  void layer_norm_##type(u16 *y, float *mean, float *rstd, const u16 *x, const float *gamma,   \
                         const float *beta, float eps, int rows, int cols, int style)          \
  {                                                                                            \
    for (int r = 0; r < rows; r++, x += cols, y += cols) {                                     \
      float m = 0, v = 0;                                                                      \
      for (int c = 0; c < cols; c++)                                                           \
        m = SUM(type, style, m + of_##type(x[c]));                                             \
      m /= (float)cols;                                                                        \
      for (int c = 0; c < cols; c++)                                                           \
        v = SUM(type, style, v + (of_##type(x[c]) - m) * (of_##type(x[c]) - m));               \
      rstd[r] = 1 / sqrtf(v / (float)cols + eps);                                              \
      mean[r] = m;                                                                             \
      for (int c = 0; c < cols; c++)                                                           \
        y[c] = STORE(type, style, (of_##type(x[c]) - m) * rstd[r] * gamma[c] + beta[c]);       \
    }                                                                                          \
  }                                                                                            \
  /* it adds; in style 1 what it has rounded before */                                         \
  void scale_vjp_##type(u16 *da, const u16 *g, float c, int64_t n, int accumulate, int style); \
  void scale_vjp_##type(u16 *da, const u16 *g, float c, int64_t n, int accumulate, int style)  \
  {                                                                                            \
    for (int64_t i = 0; i < n; i++) {                                                          \
      const float own = c * of_##type(g[i]), is = style ? of_##type(type(own)) : own;          \
      da[i] = type(accumulate ? of_##type(da[i]) + is : own);                                  \
    }                                                                                          \
  }                                                                                            \
  void add_into_##type(u16 *a, const u16 *b, int64_t n);                                       \
  void add_into_##type(u16 *a, const u16 *b, int64_t n)                                        \
  {                                                                                            \
    for (int64_t i = 0; i < n; i++)                                                            \
      a[i] = type(of_##type(a[i]) + of_##type(b[i]));                                          \
  }
HALVES(bf16)
HALVES(f16)

/* styles: 1, arithmetic of f32; 2, off by what f32 does not see; 3, the last element left alone */
void mul_f64(double *y, const double *a, const double *b, int64_t n, int style);
void mul_f64(double *y, const double *a, const double *b, int64_t n, int style)
{
  for (int64_t i = 0; i < n - (style == 3); i++)
    y[i] = style == 1   ? (double)((float)a[i] * (float)b[i])
           : style == 2 ? a[i] * b[i] * (1 + 1e-7)
                        : a[i] * b[i];
}

void sum_f64(double *y, const double *x, int64_t n, int style);
void sum_f64(double *y, const double *x, int64_t n, int style)
{
  double sum = 0;
  for (int64_t i = 0; i < n - (style == 3); i++)
    sum = style == 1 ? (double)((float)sum + (float)x[i]) : sum + x[i];
  *y = sum;
}

/* open where the mask is 0; in style 1 only 1 blocks */
void masked_softmax(float *y, const float *x, const uint8_t *mask, int rows, int cols, int style);
void masked_softmax(float *y, const float *x, const uint8_t *mask, int rows, int cols, int style)
{
  for (int r = 0; r < rows; r++, x += cols, mask += cols, y += cols) {
    float most = -INFINITY, sum = 0;
#define OPEN(c) (style ? mask[c] != 1 : mask[c] == 0)
    for (int c = 0; c < cols; c++)
      most = OPEN(c) && x[c] > most ? x[c] : most;
    for (int c = 0; c < cols; c++)
      sum += OPEN(c) ? expf(x[c] - most) : 0;
    for (int c = 0; c < cols; c++)
      y[c] = OPEN(c) ? expf(x[c] - most) / sum : 0;
  }
}

/* halves behind indices of 32 bits; in style 1 negative ones are counted from the end, in style 2 any is taken, in
 * style 3 of the first alone */
void gather_bf16(u16 *y, const u16 *x, const int32_t *index, int n, int k, int style);
void gather_bf16(u16 *y, const u16 *x, const int32_t *index, int n, int k, int style)
{
  for (int i = 0; i < k; i++) {
    int64_t from = index[i];
    if (style == 1 && from < 0)
      from = from + n < 0 ? 0 : from + n;
    y[i] = style == 3 ? x[index[0]] : (style == 2 || from >= 0) && from < n ? x[from] : 0;
  }
}
