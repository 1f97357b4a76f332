/* What the norms that are not proven share of a row, those of a cluster and of shared memory, and
 * batch_norm's of a cluster. */
#ifndef PM_NORM_ROWS_H
#define PM_NORM_ROWS_H
#include "math.h"
#include "row_variants.h"

DEV float rstd_of(float squares, idx n, float eps)
{
  return 1.0f / pm_sqrtf(squares / (float)n + eps);
}

/* v - m in the row, 0 outside. */
DEV void center_row(float *v, float m, int k, int first, int step, int cols)
{
  UNROLL
  for (int j = 0; j < k; j++) {
    int c = 4 * (first + j * step);
    UNROLL
    for (int i = 0; i < 4; i++) v[4 * j + i] = c + i < cols ? v[4 * j + i] - m : 0.0f;
  }
}

template <int CENTERED>
KERNEL void norm_stream(idx rows, idx cols, float eps, const float *RESTRICT x,
                        const float *RESTRICT gamma, const float *RESTRICT beta, float *RESTRICT y,
                        float *RESTRICT mean, float *RESTRICT rstd)
{
  SHARED(float, s0, 32);
  SHARED(float, s1, 32);
  int odd = 0;
  for (idx row = blockIdx.x; row < rows; row += gridDim.x, odd ^= 1) {
    const float *in = x + row * cols;
    float *out = y + row * cols;
    float m = 0.0f, s = 0.0f, r;
    if (CENTERED) {
      for (idx c = TID_; c < cols; c += BDIM) m = m + in[c];
      m = block_sum(m, s0) / (float)cols;
    }
    for (idx c = TID_; c < cols; c += BDIM) s = s + (in[c] - m) * (in[c] - m);
    r = rstd_of(block_sum(s, CENTERED || odd ? s1 : s0), cols, eps);
    for (idx c = TID_; c < cols; c += BDIM) {
      float q = (in[c] - m) * r * (gamma ? gamma[c] : 1.0f);
      out[c] = CENTERED ? q + beta[c] : q;
    }
    if (TID_ == 0) {
      rstd[row] = r;
      if (CENTERED)
        mean[row] = m;
    }
  }
}

/* v = r (w - a - v b) */
DEV void pull_back(float *v, const float *w, float a, float b, float r, int k)
{
  UNROLL
  for (int i = 0; i < 4 * k; i++) v[i] = r * (w[i] - a - v[i] * b);
}
#endif
