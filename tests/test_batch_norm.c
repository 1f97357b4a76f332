/* batch_norm on the simulator: its rules, and channels whose result is known by hand. */
#include "device.h"

#include <math.h>
#include <string.h>

enum { ROOM = 1 << 16 };

static pm_exec ex;
static float *x, *gamma_, *beta, *g, *y, *mean, *rstd, *dgamma, *dbeta, *work;

static void setup(void)
{
  memset(&ex, 0, sizeof ex);
  x = filled(ROOM, 0), gamma_ = filled(ROOM, 1), beta = filled(ROOM, 0), g = filled(ROOM, 0);
  y = filled(ROOM, POISON), mean = filled(ROOM, POISON), rstd = filled(ROOM, POISON);
  dgamma = filled(ROOM, POISON), dbeta = filled(ROOM, POISON), work = filled(ROOM, 0);
  ex.work = work;
  ex.work_bytes = ROOM * sizeof *work;
}

static void teardown(void)
{
  float *all[] = {x, gamma_, beta, g, y, mean, rstd, dgamma, dbeta, work};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    pm_sim.free(all[i]);
}

static pm_status forward(int64_t n, int64_t channels, int64_t size, float eps)
{
  return pm_sim.batch_norm(&ex, n, channels, size, eps, x, gamma_, beta, y, mean, rstd);
}

static pm_status back(int accumulate, int64_t n, int64_t channels, int64_t size)
{
  return pm_sim.batch_norm_vjp(&ex, accumulate, n, channels, size, x, gamma_, mean, rstd, g, y,
                               dgamma, dbeta);
}

/* Refused in these words, and no output is touched. */
static void refused(pm_status s, const char *part, const char *and)
{
  float *out[] = {y, mean, rstd, dgamma, dbeta};
  refused_with(s, part, and);
  for (size_t o = 0; o < sizeof out / sizeof *out; o++)
    ck_assert(poisoned(out[o], ROOM));
}

START_TEST(an_eps_that_is_none)
{
  static const float bad[] = {0, -1e-5f, NAN, INFINITY};
  for (int i = 0; i < 4; i++)
    refused(forward(2, 3, 4, bad[i]), "eps", "> 0");
}
END_TEST

START_TEST(an_empty_channel)
{
  refused(forward(0, 3, 4, 1e-5f), "n = 0", ">= 1");
  refused(forward(2, 3, 0, 1e-5f), "size = 0", ">= 1");
  refused(back(0, 0, 3, 4), "n = 0", ">= 1");
  refused(back(0, 2, 0, 0), "size = 0", ">= 1");
}
END_TEST

/* (C,H,W): one n. Channel 0 is {1, 3}, channel 1 {-5, -3}: variance 1, with eps 3 rstd is 1/2. */
START_TEST(by_hand)
{
  x[0] = 1, x[1] = 3, x[2] = -5, x[3] = -3;
  gamma_[1] = 4, beta[0] = 10;
  done(forward(1, 2, 2, 3));
  ck_assert(mean[0] == 2 && mean[1] == -4 && mean[2] == POISON);
  ck_assert(rstd[0] == 0.5f && rstd[1] == 0.5f && rstd[2] == POISON);
  ck_assert(y[0] == 9.5f && y[1] == 10.5f && y[2] == -2 && y[3] == 2 && y[4] == POISON);
  g[0] = 2, g[1] = 4, g[2] = 1, g[3] = 1;
  /* channel 0: mean of g 3, of g xhat 1/2; channel 1: 1 and 0 */
  done(back(0, 1, 2, 2));
  ck_assert(dbeta[0] == 6 && dbeta[1] == 2 && dgamma[0] == 1 && dgamma[1] == 0);
  ck_assert(y[0] == -0.375f && y[1] == 0.375f && y[2] == 0 && y[3] == 0 && y[4] == POISON);
  done(back(1, 1, 2, 2));
  ck_assert(dbeta[0] == 12 && dgamma[0] == 2 && y[0] == -0.75f && dgamma[2] == POISON);
}
END_TEST

/* The channel is the middle axis: the same rows, given as one matrix or as many. */
START_TEST(many_of_a_batch)
{
  enum { N = 3, CHANNELS = 5, SIZE = 4 };
  for (int i = 0; i < N * CHANNELS * SIZE; i++)
    x[i] = (float)(i / SIZE % CHANNELS * 10 + (i % 2 ? 1 : -1));
  done(forward(N, CHANNELS, SIZE, 3));
  for (int c = 0; c < CHANNELS; c++)
    ck_assert(mean[c] == (float)(10 * c) && rstd[c] == 0.5f);
  for (int i = 0; i < N * CHANNELS * SIZE; i++)
    ck_assert(y[i] == (i % 2 ? 0.5f : -0.5f));
}
END_TEST

/* A far mean, a small spread, in one block and in several. */
START_TEST(offset_channels)
{
  static const int size[] = {1, 7, 64, 5000, 20000, 50000};
  for (int k = 0; k < 6; k++) {
    int n = size[k] == 1 ? 40 : 1;
    for (int i = 0; i < n * size[k]; i++)
      x[i] = 10000 + (float)(i % 2 ? 1 : -1);
    done(forward(n, 1, size[k], 1e-5f));
    if (size[k] % 2 == 0 || n > 1)
      ck_assert(mean[0] == 10000 && fabs(rstd[0] - 1) < 1e-5 && fabs(y[1] - 1) < 1e-4);
    else
      ck_assert(fabs(rstd[0] - 1) < 0.1);
  }
}
END_TEST

/* More elements than a block has registers and shared memory for: some of them are read again. */
START_TEST(more_than_is_held)
{
  enum { CHANNELS = 65, SIZE = 100002, ALL = CHANNELS * SIZE };
  float *wide_x = filled(ALL, 0), *wide_g = filled(ALL, 0), *wide_y = filled(ALL, POISON);
  for (int i = 0; i < ALL; i++) {
    wide_x[i] = (float)(i / SIZE + (i % 2 ? 1 : -1));
    wide_g[i] = (float)(i % 2 ? 3 : 1);
  }
  done(pm_sim.batch_norm(&ex, 1, CHANNELS, SIZE, 3, wide_x, gamma_, beta, wide_y, mean, rstd));
  for (int c = 0; c < CHANNELS; c++)
    ck_assert(fabsf(mean[c] - (float)c) < 1e-5f && fabsf(rstd[c] - 0.5f) < 1e-5f);
  int wrong = 0;
  for (int i = 0; i < ALL; i++)
    wrong += !(fabsf(wide_y[i] - (i % 2 ? 0.5f : -0.5f)) < 1e-4f);
  for (int c = 0; c < CHANNELS; c++)
    mean[c] = (float)c, rstd[c] = 1;
  done(pm_sim.batch_norm_vjp(&ex, 0, 1, CHANNELS, SIZE, wide_x, gamma_, mean, rstd, wide_g, wide_y,
                             dgamma, dbeta));
  for (int c = 0; c < CHANNELS; c++)
    ck_assert(dgamma[c] == SIZE && dbeta[c] == 2 * SIZE);
  for (int i = 0; i < ALL; i++) /* g is 2 + xhat */
    wrong += wide_y[i] != 0;
  ck_assert_int_eq(wrong, 0);
  pm_sim.free(wide_x), pm_sim.free(wide_g), pm_sim.free(wide_y);
}
END_TEST

START_TEST(infinities_and_nan)
{
  static const float bad[] = {INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 3; i++) {
    for (int c = 0; c < 12; c++)
      x[c] = (float)c;
    x[1] = bad[i];
    done(forward(1, 3, 4, 1e-5f));
    for (int c = 0; c < 12; c++)
      ck_assert(c < 4 ? isnan(y[c]) : isfinite(y[c]));
  }
}
END_TEST

START_TEST(no_channels)
{
  done(forward(2, 0, 3, 1e-5f));
  done(back(0, 2, 0, 3));
  ck_assert(y[0] == POISON && mean[0] == POISON && dgamma[0] == POISON);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("batch_norm");
  TCase *t = tcase_create("batch_norm");
  suite_add_tcase(s, t);
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, an_eps_that_is_none);
  tcase_add_test(t, an_empty_channel);
  tcase_add_test(t, by_hand);
  tcase_add_test(t, many_of_a_batch);
  tcase_add_test(t, offset_channels);
  tcase_add_test(t, more_than_is_held);
  tcase_add_test(t, infinities_and_nan);
  tcase_add_test(t, no_channels);
  return aid_main(s);
}
