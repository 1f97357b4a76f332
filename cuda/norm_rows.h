/* layer_norm and rms_norm (CENTERED 1 and 0) and their VJPs, row by row: x, y, g, dx are
 * (rows, cols), gamma, beta (cols), mean, rstd (rows). gamma may be NULL: ones.
 *
 *   _rows     a row waits in the registers of `lanes` threads, up to 32 or the block, 4 K elements
 *             each; a block has tiles of BDIM / lanes rows
 *   _stream   a row is read again for each pass over it; a block does rows b, b + GRID, ..
 *
 * The variance is taken about the mean in a second pass. A VJP also sums g xhat and g over the rows
 * of a block, for dgamma and dbeta, and leaves them as row b of `sums` and of another (GRID, cols)
 * behind it. */
#ifndef PM_NORM_ROWS_H
#define PM_NORM_ROWS_H
#include "math.h"
#include "rows.h"

/* Over the lanes of a row; s is used where they are a whole block. */
DEV float row_sum(float v, int lanes, float *s)
{
  return lanes > 32 ? block_sum(v, s) : group_sum(v, lanes);
}

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

/* Vector number `at` of gamma. */
DEV void load_gamma(float *w, const float *gamma, int vec, int at, int cols)
{
  w[0] = w[1] = w[2] = w[3] = 1.0f;
  if (gamma)
    load_row(w, gamma, 1, vec, at, 0, cols, 0.0f);
}

/* y = v r gamma + beta */
template <int CENTERED>
DEV void put_normed(float *y, const float *v, float r, const float *gamma, const float *beta, int k,
                    int vec, int first, int step, int cols)
{
  UNROLL
  for (int j = 0; j < k; j++) {
    int at = first + j * step;
    float q[4], w[4], b[4];
    load_gamma(w, gamma, vec, at, cols);
    if (CENTERED)
      load_row(b, beta, 1, vec, at, 0, cols, 0.0f);
    UNROLL
    for (int i = 0; i < 4; i++) {
      q[i] = v[4 * j + i] * r * w[i];
      if (CENTERED)
        q[i] = q[i] + b[i];
    }
    store_row(y, q, 1, vec, at, 0, cols);
  }
}

template <int CENTERED, int K, int VEC>
KERNEL void __launch_bounds__(REGS_BLOCK)
    norm_rows(int lanes, idx rows, int cols, float eps, const float *RESTRICT x,
              const float *RESTRICT gamma, const float *RESTRICT beta, float *RESTRICT y,
              float *RESTRICT mean, float *RESTRICT rstd)
{
  SHARED(float, s0, 32);
  SHARED(float, s1, 32);
  const int lane = TID_ % lanes, group = TID_ / lanes, groups = BDIM / lanes;
  int odd = 0;
  for (idx tile = blockIdx.x; tile * groups < rows; tile += gridDim.x, odd ^= 1) {
    idx row = tile * groups + group, at = row * cols;
    int have = row < rows ? cols : 0;
    float v[4 * K], m = 0.0f, r;
    load_row(v, x + at, K, VEC, lane, lanes, have, 0.0f);
    if (CENTERED) {
      m = row_sum(sum_all(v, K), lanes, s0) / (float)cols;
      center_row(v, m, K, lane, lanes, have);
    }
    r = rstd_of(row_sum(dot_all(v, v, K), lanes, CENTERED || odd ? s1 : s0), cols, eps);
    put_normed<CENTERED>(y + at, v, r, gamma, beta, K, VEC, lane, lanes, have);
    if (lane == 0 && have) {
      rstd[row] = r;
      if (CENTERED)
        mean[row] = m;
    }
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

/* ---- the VJPs ---- */

/* Of a lane's columns: v = xhat, w = g: their sums over the rows. */
DEV void add_columns(float *dgamma, float *dbeta, const float *v, const float *w, int k)
{
  UNROLL
  for (int i = 0; i < 4 * k; i++) {
    dgamma[i] = dgamma[i] + w[i] * v[i];
    dbeta[i] = dbeta[i] + w[i];
  }
}

DEV void times_gamma(float *w, const float *gamma, int k, int vec, int first, int step, int cols)
{
  UNROLL
  for (int j = 0; j < k; j++) {
    float q[4];
    load_gamma(q, gamma, vec, first + j * step, cols);
    UNROLL
    for (int i = 0; i < 4; i++) w[4 * j + i] = w[4 * j + i] * q[i];
  }
}

/* v = r (w - a - v b) */
DEV void pull_back(float *v, const float *w, float a, float b, float r, int k)
{
  UNROLL
  for (int i = 0; i < 4 * k; i++) v[i] = r * (w[i] - a - v[i] * b);
}

/* The columns' sums of the block's groups become those of group 0, in the groups' order. */
DEV void add_groups(float *sum, int k, int lanes, float *cells)
{
  const int t = TID_, threads = BDIM;
  __syncthreads();
  UNROLL
  for (int i = 0; i < 4 * k; i++) cells[i * threads + t] = sum[i];
  __syncthreads();
  if (t < lanes)
    for (int other = lanes; other < threads; other += lanes) {
      UNROLL
      for (int i = 0; i < 4 * k; i++) sum[i] = sum[i] + cells[i * threads + other + t];
    }
}

template <int CENTERED, int K, int VEC>
KERNEL void __launch_bounds__(REGS_BLOCK)
    norm_vjp_rows(int lanes, int accumulate, idx rows, int cols, const float *RESTRICT x,
                  const float *RESTRICT gamma, const float *RESTRICT mean,
                  const float *RESTRICT rstd, const float *RESTRICT g, float *RESTRICT dx,
                  float *RESTRICT sums)
{
  SHARED(float, s0, 32);
  SHARED(float, s1, 32);
  SHARED(float, cells, 4 * K * WARP_BLOCK);
  const int lane = TID_ % lanes, group = TID_ / lanes, groups = BDIM / lanes;
  float dgamma[4 * K], dbeta[4 * K];
  int odd = 0;
  UNROLL
  for (int i = 0; i < 4 * K; i++) dgamma[i] = dbeta[i] = 0.0f;
  for (idx tile = blockIdx.x; tile * groups < rows; tile += gridDim.x, odd ^= 1) {
    idx row = tile * groups + group, at = row * cols;
    int have = row < rows ? cols : 0;
    float v[4 * K], w[4 * K], a = 0.0f, b, r = have ? rstd[row] : 0.0f;
    load_row(v, x + at, K, VEC, lane, lanes, have, 0.0f);
    load_row(w, g + at, K, VEC, lane, lanes, have, 0.0f);
    if (CENTERED)
      center_row(v, have ? mean[row] : 0.0f, K, lane, lanes, have);
    UNROLL
    for (int i = 0; i < 4 * K; i++) v[i] = v[i] * r;
    add_columns(dgamma, dbeta, v, w, K);
    times_gamma(w, gamma, K, VEC, lane, lanes, have);
    if (CENTERED)
      a = row_sum(sum_all(w, K), lanes, s0) / (float)cols;
    b = row_sum(dot_all(w, v, K), lanes, CENTERED || odd ? s1 : s0) / (float)cols;
    pull_back(v, w, a, b, r, K);
    if (accumulate) {
      load_row(w, dx + at, K, VEC, lane, lanes, have, 0.0f);
      add_all(v, w, K);
    }
    store_row(dx + at, v, K, VEC, lane, lanes, have);
  }
  if (groups > 1) {
    add_groups(dgamma, K, lanes, cells);
    if (CENTERED)
      add_groups(dbeta, K, lanes, cells);
  }
  int have = group == 0 ? cols : 0;
  store_row(sums + (idx)blockIdx.x * cols, dgamma, K, VEC, lane, lanes, have);
  if (CENTERED)
    store_row(sums + ((idx)gridDim.x + blockIdx.x) * cols, dbeta, K, VEC, lane, lanes, have);
}

/* dx alone. */
template <int CENTERED>
KERNEL void norm_vjp_stream(int accumulate, idx rows, idx cols, const float *RESTRICT x,
                            const float *RESTRICT gamma, const float *RESTRICT mean,
                            const float *RESTRICT rstd, const float *RESTRICT g, float *RESTRICT dx)
{
  SHARED(float, s0, 32);
  SHARED(float, s1, 32);
  int odd = 0;
  for (idx row = blockIdx.x; row < rows; row += gridDim.x, odd ^= 1) {
    idx at = row * cols;
    float m = CENTERED ? mean[row] : 0.0f, r = rstd[row], a = 0.0f, b = 0.0f;
    for (idx c = TID_; c < cols; c += BDIM) {
      float w = g[at + c] * (gamma ? gamma[c] : 1.0f);
      a = a + w;
      b = b + w * ((x[at + c] - m) * r);
    }
    a = CENTERED ? block_sum(a, s0) / (float)cols : 0.0f;
    b = block_sum(b, CENTERED || odd ? s1 : s0) / (float)cols;
    for (idx c = TID_; c < cols; c += BDIM) {
      float w = g[at + c] * (gamma ? gamma[c] : 1.0f);
      float d = r * (w - a - (x[at + c] - m) * r * b);
      dx[at + c] = accumulate ? dx[at + c] + d : d;
    }
  }
}

/* Row k of the sums is that of rows k*chunk ..; the second half of them is of g. */
template <int CENTERED>
KERNEL void norm_columns(idx rows, idx cols, idx chunk, idx chunks, const float *RESTRICT x,
                         const float *RESTRICT mean, const float *RESTRICT rstd,
                         const float *RESTRICT g, float *RESTRICT sums)
{
  GROWS(k, chunks, cols)
    GCOLS(c, cols) {
      idx lo = k * chunk, hi = lo + chunk < rows ? lo + chunk : rows;
      float dgamma = 0.0f, dbeta = 0.0f;
      UNROLL_BY(4)
      for (idx r = lo; r < hi; r++) {
        idx at = at2(rows, cols, r, c);
        float w = LDG(g + at);
        dgamma = dgamma + w * ((LDG(x + at) - (CENTERED ? LDG(mean + r) : 0.0f)) * LDG(rstd + r));
        dbeta = dbeta + w;
      }
      STG(sums + at2(chunks, cols, k, c), dgamma);
      if (CENTERED)
        STG(sums + at2(2 * chunks, cols, chunks + k, c), dbeta);
    }
}
#endif
