/* layer_norm and rms_norm (CENTERED 1 and 0) and their VJPs, row by row: x, y, g, dx are
 * (rows, cols), gamma, beta (cols), mean, rstd (rows). gamma may be NULL: ones. Where a row waits
 * says row_variants.h; norm_shared.h has those that wait in shared memory.
 *
 * The variance is taken about the mean in a second pass. The VJP of rows in registers also sums
 * g xhat and g over the rows of a block, for dgamma and dbeta, and leaves them as row b of `sums` and
 * of another (GRID, cols) behind it (norm_sums.h). */
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

/* Vector number `at` of gamma. */
DEV void load_gamma(float *w, const float *gamma, int vec, int at, int cols)
{
  w[0] = w[1] = w[2] = w[3] = 1.0f;
  if (gamma)
    load_row(w, gamma, 1, vec, at, 0, cols, 0.0f);
}

/* v = v r gamma + beta, of which w and b have the vectors */
template <int CENTERED> DEV void scale_row(float *v, float r, const float *w, const float *b, int k)
{
  UNROLL
  for (int i = 0; i < 4 * k; i++) {
    v[i] = v[i] * r * w[i];
    if (CENTERED)
      v[i] = v[i] + b[i];
  }
}

/* Vector number `at` of a row that is not read soon. */
DEV void put_vector(float *y, const float *v, int vec, int at, int cols)
{
  if (!vec)
    store_row(y, v, 1, 0, at, 0, cols);
  else if (4 * at < cols)
    store4_once(y + 4 * at, make_float4(v[0], v[1], v[2], v[3]));
}

DEV void load_gammas(float *w, const float *gamma, int k, int vec, int first, int step, int cols)
{
  UNROLL
  for (int j = 0; j < k; j++) load_gamma(w + 4 * j, gamma, vec, first + j * step, cols);
}

/* A row waits in the registers of `lanes` threads, up to 32: block b does rows b groups ... gamma
 * and beta are read along with x. */
template <int CENTERED, int K, int VEC>
KERNEL void __launch_bounds__(WARP_BLOCK)
    norm_rows(int lanes, idx rows, int cols, float eps, const float *RESTRICT x,
              const float *RESTRICT gamma, const float *RESTRICT beta, float *RESTRICT y,
              float *RESTRICT mean, float *RESTRICT rstd)
{
  const int lane = TID_ % lanes, group = TID_ / lanes, groups = BDIM / lanes;
  const idx row = (idx)blockIdx.x * groups + group, at = row * cols;
  const int have = row < rows ? cols : 0;
  float v[4 * K], w[4 * K], b[4 * K], m = 0.0f, r;
  load_row(v, x + at, K, VEC, lane, lanes, have, 0.0f);
  load_gammas(w, gamma, K, VEC, lane, lanes, have);
  if (CENTERED)
    load_row(b, beta, K, VEC, lane, lanes, have, 0.0f);
  if (CENTERED) {
    m = group_sum(sum_all(v, K), lanes) / (float)cols;
    center_row(v, m, K, lane, lanes, have);
  }
  r = rstd_of(group_sum(dot_all(v, v, K), lanes), cols, eps);
  scale_row<CENTERED>(v, r, w, b, K);
  UNROLL
  for (int j = 0; j < K; j++) put_vector(y + at, v + 4 * j, VEC, lane + j * lanes, have);
  if (lane == 0 && have) {
    rstd[row] = r;
    if (CENTERED)
      mean[row] = m;
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

DEV void times_row(float *w, const float *q, int k)
{
  UNROLL
  for (int i = 0; i < 4 * k; i++) w[i] = w[i] * q[i];
}

/* v = r (w - a - v b) */
DEV void pull_back(float *v, const float *w, float a, float b, float r, int k)
{
  UNROLL
  for (int i = 0; i < 4 * k; i++) v[i] = r * (w[i] - a - v[i] * b);
}

/* Over the lanes of each group of the block, two sums at once; s: 64 floats, used as block_sum's. */
DEV void row_sums(float *a, float *b, int lanes, float *s)
{
  const int t = TID_, warps = lanes / 32;
  int n = 1;
  *a = group_sum(*a, lanes > 32 ? 32 : lanes);
  *b = group_sum(*b, lanes > 32 ? 32 : lanes);
  if (lanes <= 32)
    return;
  while (n < warps) n *= 2;
  if (t % 32 == 0)
    s[t / 32] = *a, s[32 + t / 32] = *b;
  __syncthreads();
  const int first = t / lanes * warps, mine = t % n;
  *a = group_sum(mine < warps ? s[first + mine] : 0.0f, n);
  *b = group_sum(mine < warps ? s[32 + first + mine] : 0.0f, n);
}

/* A row on its way into the thread's own cells, from which it is taken after copy_wait(). */
DEV void fetch_row(float *cells, const float *p, int k, int vec, int first, int step, int cols)
{
  UNROLL
  for (int j = 0; j < k; j++) {
    int c = 4 * (first + j * step);
    float *to = cells + 4 * (j * BDIM + TID_);
    if (vec && c < cols) {
      copy_async4(to, p + c);
    } else if (vec) {
      STS4(to, make_float4(0.0f, 0.0f, 0.0f, 0.0f));
    } else {
      UNROLL
      for (int i = 0; i < 4; i++)
        if (c + i < cols)
          copy_async(to + i, p + c + i);
        else
          to[i] = 0.0f;
    }
  }
}

DEV void take_row(float *v, const float *cells, int k)
{
  UNROLL
  for (int j = 0; j < k; j++) {
    float4 q = LD4(cells + 4 * (j * BDIM + TID_));
    v[4 * j] = q.x, v[4 * j + 1] = q.y, v[4 * j + 2] = q.z, v[4 * j + 3] = q.w;
  }
}

/* The columns' sums of the block's groups, added in a fixed order, to out. */
DEV void leave_sums(float *out, float *sum, int k, int lanes, int cols, float *cells)
{
  const int t = TID_, threads = BDIM, wide = lanes > 32 ? lanes : 32;
  for (int m = lanes; m < 32; m *= 2) {
    UNROLL
    for (int i = 0; i < 4 * k; i++) {
      float other;
      SHFL_XOR(other, sum[i], m);
      sum[i] = sum[i] + other;
    }
  }
  __syncthreads();
  UNROLL
  for (int j = 0; j < k; j++)
    STS4(cells + 4 * (j * threads + t),
         make_float4(sum[4 * j], sum[4 * j + 1], sum[4 * j + 2], sum[4 * j + 3]));
  __syncthreads();
  for (int c = t; c < cols; c += threads) {
    int j = c / 4 / lanes, lane = c / 4 % lanes;
    float all = 0.0f;
    UNROLL_BY(4)
    for (int first = lane; first < threads; first += wide)
      all = all + cells[4 * (j * threads + first) + c % 4];
    out[c] = all;
  }
}

/* Rows in the registers of groups of `lanes` threads, a power of 2 or a multiple of 32: block b does
 * tiles b, b + GRID, .. of one row a group. The next rows arrive in shared memory meanwhile: two
 * cells for each element that a thread has in registers. */
template <int CENTERED, int K, int VEC>
KERNEL void __launch_bounds__(REGS_BLOCK, K == 2 ? 2 : 1)
    norm_vjp_rows(int lanes, int accumulate, idx rows, int cols, const float *RESTRICT x,
                  const float *RESTRICT gamma, const float *RESTRICT mean,
                  const float *RESTRICT rstd, const float *RESTRICT g, float *RESTRICT dx,
                  float *RESTRICT sums)
{
  DYNAMIC(float, cells_x);
  SHARED(float, s, 128);
  float *const cells_g = cells_x + 4 * K * BDIM;
  const int lane = TID_ % lanes, groups = BDIM / lanes;
  const idx step = (idx)gridDim.x * groups;
  idx row = (idx)blockIdx.x * groups + TID_ / lanes;
  float scale[4 * K], dgamma[4 * K], dbeta[4 * K], next_m = 0.0f, next_r = 0.0f;
  int odd = 0, have = row < rows ? cols : 0;
  others_may_start();
  UNROLL
  for (int i = 0; i < 4 * K; i++) dgamma[i] = dbeta[i] = 0.0f;
  fetch_row(cells_x, x + row * cols, K, VEC, lane, lanes, have);
  fetch_row(cells_g, g + row * cols, K, VEC, lane, lanes, have);
  load_gammas(scale, gamma, K, VEC, lane, lanes, cols);
  if (have)
    next_r = rstd[row], next_m = CENTERED ? mean[row] : 0.0f;
  for (idx tile = (idx)blockIdx.x * groups; tile < rows; tile += step, odd ^= 64) {
    const idx at = row * cols;
    const int had = have;
    const float m = next_m, r = next_r;
    float v[4 * K], w[4 * K], a = 0.0f, b;
    copy_wait();
    take_row(v, cells_x, K);
    take_row(w, cells_g, K);
    row += step;
    have = row < rows ? cols : 0;
    fetch_row(cells_x, x + row * cols, K, VEC, lane, lanes, have);
    fetch_row(cells_g, g + row * cols, K, VEC, lane, lanes, have);
    if (have)
      next_r = rstd[row], next_m = CENTERED ? mean[row] : 0.0f;
    if (CENTERED)
      center_row(v, m, K, lane, lanes, had);
    UNROLL
    for (int i = 0; i < 4 * K; i++) v[i] = v[i] * r;
    add_columns(dgamma, dbeta, v, w, K);
    times_row(w, scale, K);
    if (CENTERED)
      a = sum_all(w, K);
    b = dot_all(w, v, K);
    row_sums(&a, &b, lanes, s + odd);
    pull_back(v, w, a / (float)cols, b / (float)cols, r, K);
    if (accumulate) {
      load_row(w, dx + at, K, VEC, lane, lanes, had, 0.0f);
      add_all(v, w, K);
    }
    store_row(dx + at, v, K, VEC, lane, lanes, had);
  }
  leave_sums(sums + (idx)blockIdx.x * cols, dgamma, K, lanes, cols, cells_x);
  if (CENTERED)
    leave_sums(sums + ((idx)gridDim.x + blockIdx.x) * cols, dbeta, K, lanes, cols, cells_g);
}
#endif
