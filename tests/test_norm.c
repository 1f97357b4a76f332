/* Normalizations on the simulator: their rules, and rows whose result is known by hand. */
#include "device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 15 };

static pm_exec ex;
static float *x, *gamma_, *beta, *g, *y, *mean, *rstd, *dgamma, *dbeta, *work;

static void with_room(size_t n)
{
  memset(&ex, 0, sizeof ex);
  x = filled(n, 0), gamma_ = filled(n, 1), beta = filled(n, 0), g = filled(n, 0);
  y = filled(n, POISON), mean = filled(n, POISON), rstd = filled(n, POISON);
  dgamma = filled(n, POISON), dbeta = filled(n, POISON), work = filled(4 * n, 0);
  ex.work = work;
  ex.work_bytes = 4 * n * sizeof *work;
}

static void setup(void) { with_room(ROOM); }

static void teardown(void)
{
  float *all[] = {x, gamma_, beta, g, y, mean, rstd, dgamma, dbeta, work};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    pm_sim.free(all[i]);
}

static pm_status layer(int64_t rows, int64_t cols, float eps)
{
  return pm_sim.layer_norm(&ex, rows, cols, eps, x, gamma_, beta, y, mean, rstd);
}

static pm_status rms(int64_t rows, int64_t cols, int affine, float eps, const float *scale)
{
  return pm_sim.rms_norm(&ex, rows, cols, affine, eps, x, scale, y, rstd);
}

static pm_status layer_back(int accumulate, int64_t rows, int64_t cols)
{
  return pm_sim.layer_norm_vjp(&ex, accumulate, rows, cols, x, gamma_, mean, rstd, g, y, dgamma,
                               dbeta);
}

static pm_status rms_back(int accumulate, int64_t rows, int64_t cols, int affine,
                          const float *scale)
{
  return pm_sim.rms_norm_vjp(&ex, accumulate, rows, cols, affine, x, scale, rstd, g, y, dgamma);
}

/* Refused in these words, and no output is touched. */
static void refused(pm_status s, const char *part, const char *and)
{
  float *out[] = {y, mean, rstd, dgamma, dbeta};
  refused_with(s, part, and);
  for (size_t o = 0; o < sizeof out / sizeof *out; o++)
    ck_assert(poisoned(out[o], ROOM));
}

static int near(double a, double b, double within) { return fabs(a - b) <= within; }

START_TEST(an_eps_that_is_none)
{
  static const float bad[] = {0, -1e-5f, NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 5; i++) {
    refused(layer(2, 4, bad[i]), "eps", "> 0");
    refused(rms(2, 4, 1, bad[i], gamma_), "eps", "> 0");
  }
}
END_TEST

START_TEST(an_average_over_nothing)
{
  refused(layer(2, 0, 1e-5f), "cols = 0", ">= 1");
  refused(layer(0, 0, 1e-5f), "cols = 0", ">= 1");
  refused(rms(2, 0, 1, 1e-5f, gamma_), "cols = 0", ">= 1");
  refused(layer_back(0, 2, 0), "cols = 0", ">= 1");
  refused(rms_back(0, 2, 0, 1, gamma_), "cols = 0", ">= 1");
}
END_TEST

START_TEST(gamma_is_optional)
{
  for (int i = 0; i < 8; i++)
    x[i] = (float)(i + 1), g[i] = 1;
  refused(rms(2, 4, 2, 1e-5f, gamma_), "affine = 2", "0 or 1");
  refused(rms(2, 4, 1, 1e-5f, NULL), "gamma = NULL", "");
  refused(rms_back(0, 2, 4, 1, NULL), "gamma = NULL", "");
  done(rms(2, 4, 0, 1e-5f, NULL));
  float bare[8];
  memcpy(bare, y, sizeof bare);
  done(rms(2, 4, 1, 1e-5f, gamma_)); /* ones */
  ck_assert(memcmp(bare, y, sizeof bare) == 0);
  done(rms_back(0, 2, 4, 0, NULL));
  ck_assert(dgamma[0] == 0 && dgamma[3] == 0 && dgamma[4] == POISON);
  dgamma[1] = 7;
  done(rms_back(1, 2, 4, 0, NULL));
  ck_assert(dgamma[0] == 0 && dgamma[1] == 7);
}
END_TEST

/* {1, 3}: mean 2, variance 1, not 2; with eps 3 rstd is 1/2. */
START_TEST(by_hand)
{
  x[0] = 1, x[1] = 3, x[2] = -5, x[3] = -3;
  gamma_[1] = 4, beta[0] = 10;
  done(layer(2, 2, 3));
  ck_assert(mean[0] == 2 && mean[1] == -4 && mean[2] == POISON);
  ck_assert(rstd[0] == 0.5f && rstd[1] == 0.5f && rstd[2] == POISON);
  ck_assert(y[0] == 9.5f && y[1] == 2 && y[2] == 9.5f && y[3] == 2 && y[4] == POISON);
  /* {1, 7}: mean square 25; with eps 11 rstd is 1/6 */
  x[0] = 1, x[1] = 7;
  done(rms(1, 2, 1, 11, gamma_));
  ck_assert(near(rstd[0], 1 / 6.0, 1e-8) && near(y[0], 1 / 6.0, 1e-7) &&
            near(y[1], 28 / 6.0, 1e-6));
}
END_TEST

/* G = {2, 4}, xhat = {-1/2, 1/2}: dx = 1/2 (G - 3 - xhat 1/2), dgamma = g xhat, dbeta = g. */
START_TEST(gradient_by_hand)
{
  x[0] = 1, x[1] = 3, mean[0] = 2, rstd[0] = 0.5f;
  g[0] = 2, g[1] = 1, gamma_[1] = 4;
  done(layer_back(0, 1, 2));
  ck_assert(y[0] == -0.375f && y[1] == 0.375f && y[2] == POISON);
  ck_assert(dgamma[0] == -1 && dgamma[1] == 0.5f && dgamma[2] == POISON);
  ck_assert(dbeta[0] == 2 && dbeta[1] == 1 && dbeta[2] == POISON);
  done(layer_back(1, 1, 2));
  ck_assert(y[0] == -0.75f && y[1] == 0.75f && dgamma[0] == -2 && dbeta[1] == 2);
  /* without a mean: xhat = {1/2, 3/2}, mean of G xhat 7/2 */
  done(rms_back(0, 1, 2, 1, gamma_));
  ck_assert(y[0] == 0.125f && y[1] == -0.625f && dgamma[0] == 1 && dgamma[1] == 1.5f);
}
END_TEST

/* A far mean, a small spread: a variance as E x^2 - (E x)^2 has no digit left of it. */
START_TEST(offset_rows)
{
  static const int cols[] = {8, 64, 500, 640, 1024, 2048, 4096, 8192, 10000};
  for (int k = 0; k < 9; k++) {
    for (int c = 0; c < cols[k]; c++)
      x[c] = 10000 + (float)(c % 2 ? 1 : -1), gamma_[c] = 1, beta[c] = 0;
    done(layer(1, cols[k], 1e-5f));
    ck_assert_msg(mean[0] == 10000 && near(rstd[0], 1, 1e-5), "cols = %d", cols[k]);
    for (int c = 0; c < cols[k]; c++)
      ck_assert(near(y[c], c % 2 ? 1 : -1, 1e-4));
  }
}
END_TEST

/* A mean so large that 0 less it, times rstd, overflows: what fills a vector or a block past the row's end has no
 * part in the sums over it. */
START_TEST(what_lies_past_a_row)
{
  static const struct {
    const char *variant;
    int cols;
  } ALL[] = {{"warp", 5}, {"regs", 1001}, {"cluster", 20001}, {"stream", 77}, {"split", 32001}};
  const int n = ALL[_i].cols;
  for (int c = 0; c < n; c++)
    x[c] = 1e37f, g[c] = 1;
  mean[0] = 1e37f, rstd[0] = 300;
  ex.variant = ALL[_i].variant;
  done(layer_back(0, 1, n));
  for (int c = 0; c < n; c++)
    ck_assert_msg(y[c] == 0 && dgamma[c] == 0 && dbeta[c] == 1, "%s: dx[%d] is %g", ex.variant, c,
                  (double)y[c]);
}
END_TEST

START_TEST(rows_without_a_spread)
{
  for (int c = 0; c < 96; c++)
    x[c] = 3, beta[c] = (float)c;
  done(layer(2, 48, 0.25f));
  ck_assert(rstd[0] == 2 && rstd[1] == 2);
  for (int c = 0; c < 96; c++)
    ck_assert(y[c] == (float)(c % 48));
  done(layer(96, 1, 0.25f)); /* one column: beta, whatever x */
  for (int r = 0; r < 96; r++)
    ck_assert(mean[r] == 3 && rstd[r] == 2 && y[r] == 0);
}
END_TEST

START_TEST(infinities_and_nan)
{
  static const float bad[] = {INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 3; i++) {
    for (int c = 0; c < 12; c++)
      x[c] = (float)c;
    x[1] = bad[i];
    done(layer(3, 4, 1e-5f));
    for (int c = 0; c < 12; c++)
      ck_assert(c < 4 ? isnan(y[c]) : isfinite(y[c]));
    ck_assert(isnan(rstd[0]) && !isfinite(mean[0]) && isfinite(rstd[1]));
    done(rms(3, 4, 1, 1e-5f, gamma_));
    ck_assert(isnan(y[1]) && (isnan(bad[i]) ? isnan(y[0]) : y[0] == 0) && isfinite(y[4]));
  }
}
END_TEST

START_TEST(no_rows)
{
  done(layer(0, 5, 1e-5f));
  ck_assert(y[0] == POISON && mean[0] == POISON);
  done(layer_back(0, 0, 5));
  ck_assert(y[0] == POISON);
  for (int c = 0; c < 5; c++)
    ck_assert(dgamma[c] == 0 && dbeta[c] == 0);
  dgamma[2] = 3, dbeta[4] = 5;
  done(layer_back(1, 0, 5));
  ck_assert(dgamma[2] == 3 && dbeta[4] == 5 && dgamma[5] == POISON);
}
END_TEST

/* dgamma and dbeta of integers and halves, which no order of adding rounds. */
static void sums_are_exact(const char *variant, int rows, int cols)
{
  for (int i = 0; i < rows * cols; i++)
    x[i] = (float)(i % 7), g[i] = (float)(i % 5 - 2);
  for (int r = 0; r < rows; r++)
    mean[r] = 3, rstd[r] = 0.5f;
  ex.variant = variant;
  done(layer_back(0, rows, cols));
  for (int c = 0; c < cols; c++) {
    double want = 0, sum = 0;
    for (int r = 0; r < rows; r++) {
      want += g[r * cols + c] * (x[r * cols + c] - 3.0) * 0.5;
      sum += g[r * cols + c];
    }
    ck_assert_msg(dgamma[c] == want && dbeta[c] == sum, "%s", variant);
  }
}

START_TEST(columns_of_many_rows)
{
  static const char *const variant[] = {"warp", "regs", "stream"};
  for (int v = 0; v < 3; v++)
    sums_are_exact(variant[v], 400, 24);
}
END_TEST

/* The second stage by itself (cuda/sum/column_join.h): of few and many rows, in more than one round, of
 * strips that are full and that are not. */
void pm_sim_column_join(void *stream, int affine, int accumulate, int64_t n, int64_t cols,
                        const float *sums, float *to_gamma, float *to_beta);

static void second_stage(int n, int cols)
{
  float *sums = filled((size_t)(2 * n * cols + 1), 0);
  for (int i = 0; i < 2 * n * cols; i++)
    sums[i] = (float)(i % 11 - 3);
  pm_sim_column_join(NULL, 1, 0, n, cols, sums, dgamma, dbeta);
  for (int c = 0; c < cols; c++) {
    float want[2] = {0, 0};
    for (int r = 0; r < 2 * n; r++)
      want[r >= n] += sums[r * cols + c];
    ck_assert_msg(dgamma[c] == want[0] && dbeta[c] == want[1], "n=%d cols=%d c=%d", n, cols, c);
  }
  pm_sim.free(sums);
}

START_TEST(sums_of_sums)
{
  static const int n[] = {0, 1, 9, 132, 256, 513}, cols[] = {1, 64, 513, 516, 1024, 2052};
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++)
      second_stage(n[i], cols[k]);
}
END_TEST

/* 290 rows of sums, where the second stage takes 288 at once. */
START_TEST(sums_in_two_rounds) { sums_are_exact("stream", 290 * 64, 1); }
END_TEST

/* So many that a cluster adds up two chunks, one after the other. */
START_TEST(sums_of_chunks) { sums_are_exact("cluster", 60 * 128 + 1, 1); }
END_TEST

/* Rows that are split: more than a thread has on their way, and than a block has warps; columns of
 * which a thread has two steps. */
START_TEST(sums_of_split_rows)
{
  teardown();
  with_room(1 << 19);
  sums_are_exact("split", 12, 16400);
  sums_are_exact("split", 11, 16401);
  sums_are_exact("split", 1, (1 << 18) + 3);
}
END_TEST

/* Rows that are split, whose halves lie far apart, so that a piece's mean is not the row's. */
static void split_row_is(const float *row, int cols, double m, float root)
{
  double squares = 0;
  for (int c = 0; c < cols; c++)
    squares += (row[c] - m) * (row[c] - m);
  ck_assert(near(root, 1 / sqrt(squares / cols + 8), 1e-6));
  for (int c = 0; c < cols; c++)
    ck_assert_msg(near(y[row - x + c], (row[c] - m) * root * gamma_[c] + beta[c], 1e-3), "%d", c);
}

static void split_rows_are(int rows, int cols)
{
  for (int c = 0; c < cols; c++)
    gamma_[c] = (float)(1 + c % 3), beta[c] = (float)(c % 2);
  for (int i = 0; i < rows * cols; i++)
    x[i] = (float)(1000 * (i / cols) + (i % cols < cols / 2 ? -6 : 5) + i % 3);
  ex.variant = "split";
  done(layer(rows, cols, 8));
  for (int r = 0; r < rows; r++) {
    double m = 0;
    for (int c = 0; c < cols; c++)
      m += (double)x[r * cols + c] / cols;
    ck_assert(near(mean[r], m, 1e-3));
    split_row_is(x + r * cols, cols, mean[r], rstd[r]);
  }
  done(rms(rows, cols, 1, 8, gamma_));
  memset(beta, 0, (size_t)cols * sizeof *beta);
  for (int r = 0; r < rows; r++)
    split_row_is(x + r * cols, cols, 0, rstd[r]);
}

START_TEST(split_rows)
{
  teardown();
  with_room(1 << 16);
  split_rows_are(3, 16400);
  split_rows_are(3, 16401);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("norm");
  TCase *t = tcase_create("norm");
  tcase_set_timeout(t, 60);
  suite_add_tcase(s, t);
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, an_eps_that_is_none);
  tcase_add_test(t, an_average_over_nothing);
  tcase_add_test(t, gamma_is_optional);
  tcase_add_test(t, by_hand);
  tcase_add_test(t, gradient_by_hand);
  tcase_add_test(t, offset_rows);
  tcase_add_loop_test(t, what_lies_past_a_row, 0, 5);
  tcase_add_test(t, rows_without_a_spread);
  tcase_add_test(t, infinities_and_nan);
  tcase_add_test(t, no_rows);
  tcase_add_test(t, columns_of_many_rows);
  tcase_add_test(t, sums_of_sums);
  tcase_add_test(t, sums_in_two_rounds);
  tcase_add_test(t, sums_of_chunks);
  tcase_add_test(t, sums_of_split_rows);
  tcase_add_test(t, split_rows);
  return aid_main(s);
}
