/* layer_norm and rms_norm (CENTERED 1 and 0) and their VJPs, row by row: x, y, g, dx are
 * (rows, cols), gamma, beta (cols), mean, rstd (rows). gamma may be NULL: ones. Where a row waits
 * says row_variants.h; those that wait forward: norm_warp.cu, norm_regs.cu, norm_shared.h.
 *
 * The variance is taken about the mean in a second pass. The VJP of rows in a warp also sums
 * g xhat and g over the rows of a block, for dgamma and dbeta, and leaves them as row b of `sums`
 * and of another (GRID, cols) behind it (norm_sums.h). */
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

DEV void load_gammas(float *w, const float *gamma, int k, int vec, int first, int step, int cols)
{
  UNROLL
  for (int j = 0; j < k; j++) load_gamma(w + 4 * j, gamma, vec, first + j * step, cols);
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

/* v = r (w - a - v b) */
DEV void pull_back(float *v, const float *w, float a, float b, float r, int k)
{
  UNROLL
  for (int i = 0; i < 4 * k; i++) v[i] = r * (w[i] - a - v[i] * b);
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

DEV void put_row(float *cells, const float *v, int k)
{
  UNROLL
  for (int j = 0; j < k; j++)
    STS4(cells + 4 * (j * BDIM + TID_),
         make_float4(v[4 * j], v[4 * j + 1], v[4 * j + 2], v[4 * j + 3]));
}

/* w = w times a row that lies in the thread's cells. */
DEV void times_row(float *w, const float *cells, int k)
{
  UNROLL
  for (int j = 0; j < k; j++) {
    float4 q = LD4(cells + 4 * (j * BDIM + TID_));
    w[4 * j] = w[4 * j] * q.x;
    w[4 * j + 1] = w[4 * j + 1] * q.y;
    w[4 * j + 2] = w[4 * j + 2] * q.z;
    w[4 * j + 3] = w[4 * j + 3] * q.w;
  }
}

/* A row of x and one of g on their way into the thread's cells, and behind them its statistics, in
 * two of the thread's own; zeros where there is no row. */
template <int CENTERED, int K, int VEC>
DEV void fetch_both_rows(float *cells, const float *x, const float *g, const float *mean,
                         const float *rstd, idx row, idx rows, int cols, int lane, int lanes)
{
  const int have = row < rows ? cols : 0;
  float *const stats = cells + 8 * K * BDIM + TID_;
  fetch_row(cells, x + row * cols, K, VEC, lane, lanes, have);
  fetch_row(cells + 4 * K * BDIM, g + row * cols, K, VEC, lane, lanes, have);
  if (have) {
    copy_async(stats, rstd + row);
    if (CENTERED)
      copy_async(stats + BDIM, mean + row);
  } else {
    stats[0] = stats[BDIM] = 0.0f;
  }
}

/* Vector v of the columns' sums: of dgamma's, then of dbeta's. */
template <int VEC> DEV void put_sums(float *sums, float4 q, int v, int of_each, int cols)
{
  const float all[4] = {q.x, q.y, q.z, q.w};
  const int second = v >= of_each;
  store_row(sums + (second * (idx)gridDim.x + blockIdx.x) * cols, all, 1, VEC, v - second * of_each,
            0, cols);
}

/* The block's sums of the columns, from its threads': over the groups in `parts`, then over those.
 * cells: for 12 K floats of each thread. */
template <int CENTERED, int K, int VEC>
DEV void leave_sums(float *sums, const float *dgamma, const float *dbeta, int lanes, int parts,
                    int cols, float *cells)
{
  const int t = TID_, threads = BDIM, groups = threads / lanes;
  const int of_each = K * lanes, vectors = CENTERED ? 2 * of_each : of_each;
  float *const of_parts = cells + 8 * K * threads;
  put_row(cells, dgamma, K);
  if (CENTERED)
    put_row(cells + 4 * K * threads, dbeta, K);
  __syncthreads();
  for (int i = t; i < parts * vectors; i += threads) {
    const int part = i / vectors, v = i % vectors;
    const float *from = cells + 4 * (v / lanes * threads + v % lanes);
    float4 all = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    UNROLL_BY(8)
    for (int group = part; group < groups; group += parts)
      all = plus4(all, LD4(from + 4 * group * lanes));
    if (parts == 1)
      put_sums<VEC>(sums, all, v, of_each, cols);
    else
      STS4(of_parts + 4 * i, all);
  }
  if (parts == 1)
    return;
  __syncthreads();
  if (t < vectors) {
    float4 all = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    UNROLL_BY(8)
    for (int part = 0; part < parts; part++)
      all = plus4(all, LD4(of_parts + 4 * (part * vectors + t)));
    put_sums<VEC>(sums, all, t, of_each, cols);
  }
}

/* Registers of a thread: of what these leave, the blocks of the launch behind begin beside this
 * one's last rows. */
enum { VJP_REGISTERS = 104 };

/* Rows in the registers of groups of `lanes` threads, a power of 2 up to 32: block b does tiles b,
 * b + GRID, .. of one row a group. The next rows arrive in shared memory meanwhile, where
 * gamma waits too: for 12 K + 2 floats of each thread. No more than these are on their way: the
 * last ones would come early, and writing them would be all that is left to do. */
template <int CENTERED, int K, int VEC>
KERNEL void REGISTERS_AT_MOST(VJP_REGISTERS)
    norm_vjp_rows(int lanes, int parts, int accumulate, idx rows, int cols, const float *RESTRICT x,
                  const float *RESTRICT gamma, const float *RESTRICT mean,
                  const float *RESTRICT rstd, const float *RESTRICT g, float *RESTRICT dx,
                  float *RESTRICT sums)
{
  DYNAMIC(float, cells);
  float *const cells_g = cells + 4 * K * BDIM, *const stats = cells_g + 4 * K * BDIM + TID_;
  float *const scale = cells_g + (4 * K + 2) * BDIM;
  const int lane = TID_ % lanes, groups = BDIM / lanes;
  const idx step = (idx)gridDim.x * groups;
  idx row = (idx)blockIdx.x * groups + TID_ / lanes;
  float dgamma[4 * K], dbeta[4 * K];
  others_may_start();
  fetch_both_rows<CENTERED, K, VEC>(cells, x, g, mean, rstd, row, rows, cols, lane, lanes);
  load_gammas(dgamma, gamma, K, VEC, lane, lanes, cols);
  put_row(scale, dgamma, K);
  UNROLL
  for (int i = 0; i < 4 * K; i++) dgamma[i] = dbeta[i] = 0.0f;
  for (idx tile = (idx)blockIdx.x * groups; tile < rows; tile += step) {
    const idx at = row * cols;
    const int have = row < rows ? cols : 0;
    float v[4 * K], w[4 * K], a = 0.0f, b;
    copy_wait();
    take_row(v, cells, K);
    take_row(w, cells_g, K);
    const float r = stats[0], m = CENTERED ? stats[BDIM] : 0.0f;
    row += step;
    fetch_both_rows<CENTERED, K, VEC>(cells, x, g, mean, rstd, row, rows, cols, lane, lanes);
    UNROLL
    for (int i = 0; i < 4 * K; i++) v[i] = (CENTERED ? v[i] - m : v[i]) * r;
    add_columns(dgamma, dbeta, v, w, K);
    times_row(w, scale, K);
    if (CENTERED)
      a = group_sum(sum_all(w, K), lanes);
    b = group_sum(dot_all(w, v, K), lanes);
    pull_back(v, w, a / (float)cols, b / (float)cols, r, K);
    if (accumulate) {
      load_row(w, dx + at, K, VEC, lane, lanes, have, 0.0f);
      add_all(v, w, K);
    }
    store_row(dx + at, v, K, VEC, lane, lanes, have);
  }
  leave_sums<CENTERED, K, VEC>(sums, dgamma, dbeta, lanes, parts, cols, cells);
}
#endif
