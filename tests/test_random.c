/* Philox against the published vectors of Random123 (tests/kat_vectors, philox4x32 10), in the
 * reference and in the kernels' text; the stream's independence of how it is split, of alignment
 * and of the variant; the distributions; bad arguments. */
#include "helpers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../cuda/launch.h"
#include "../ref/random.h"
#define DEV static inline
#define UNROLL
#define PM_SIM
#define GHOST_PARAMS(...)
#include "../cuda/random/philox.h"

START_TEST(published_vectors)
{
  static const uint32_t kat[3][10] = {
      {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
      {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
       0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
      {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
       0x94fdcceb, 0x5001e420, 0x24126ea1},
  };
  for (int i = 0; i < 3; i++) {
    const uint32_t *c = kat[i], *k = kat[i] + 4, *want = kat[i] + 6;
    uint32_t out[4];
    philox_words b = philox(c[0], c[1], c[2], c[3], philox_schedule(k[0], k[1]));
    philox4x32(c, k, out);
    ck_assert(!memcmp(out, want, sizeof out));
    ck_assert(b.x == want[0] && b.y == want[1] && b.z == want[2] && b.w == want[3]);
  }
}
END_TEST

/* y = n elements of the simulator's rand_uniform; y may be unaligned. */
static void uniform(int64_t n, uint64_t seed, uint64_t offset, const char *variant, float *y)
{
  pm_exec ex = {.variant = variant};
  ck_assert_msg(pm_sim.rand_uniform(&ex, n, seed, offset, y) == PM_OK, "%s", pm_sim.error());
  ck_assert_int_eq(pm_sim.sync(), PM_OK);
}

enum { N = 1031 };
static const uint64_t OFFSETS[] = {0, 1, 2, 3, 4, 4294967295u, 17179869183u, UINT64_MAX - N + 1};

START_TEST(simulator_is_the_reference)
{
  _Alignas(16) float y[N + 8];
  static double want[N];
  for (size_t o = 0; o < sizeof OFFSETS / sizeof *OFFSETS; o++)
    for (int shift = 0; shift < 4; shift++) {
      uint64_t seed = o % 2 ? 0x0123456789abcdef : 0xfedcba9876543210;
      ref_rand_uniform(N, seed, OFFSETS[o], want);
      memset(y, 0xff, sizeof y);
      uniform(N, seed, OFFSETS[o], shift % 2 ? "scalar" : NULL, y + shift);
      for (int i = 0; i < N; i++)
        ck_assert_double_eq(y[shift + i], want[i]);
      ck_assert(isnan(y[shift + N]) && (!shift || isnan(y[shift - 1])));
    }
}
END_TEST

START_TEST(split_anywhere)
{
  float whole[N], parts[N];
  uniform(N, 7, 5, NULL, whole);
  for (int64_t cut = 0; cut <= N; cut += 13) {
    uniform(cut, 7, 5, NULL, parts);
    uniform(N - cut, 7, 5 + (uint64_t)cut, NULL, parts + cut);
    ck_assert(!memcmp(whole, parts, sizeof whole));
  }
}
END_TEST

/* 2^18 numbers of one seed: the limits are about five standard deviations. */
START_TEST(distribution)
{
  enum { MANY = 1 << 18, CELLS = 1024 };
  float *y = malloc(MANY * sizeof *y);
  int count[CELLS] = {0};
  double sum = 0, square = 0, lag = 0, chi = 0, expect = (double)MANY / CELLS;
  ck_assert_ptr_nonnull(y);
  uniform(MANY, 1, 0, NULL, y);
  for (int i = 0; i < MANY; i++) {
    double d = y[i] - 0.5;
    ck_assert(y[i] >= 0 && y[i] < 1 && ldexpf(y[i], 24) == floorf(ldexpf(y[i], 24)));
    sum += d;
    square += d * d;
    lag += i ? d * (y[i - 1] - 0.5) : 0;
    count[(int)(y[i] * CELLS)]++;
  }
  for (int i = 0; i < CELLS; i++)
    chi += (count[i] - expect) * (count[i] - expect) / expect;
  ck_assert_double_lt(fabs(sum / MANY), 5 * sqrt(1.0 / 12 / MANY));
  ck_assert_double_lt(fabs(square / MANY - 1.0 / 12), 5 * sqrt(1.0 / 180 / MANY));
  ck_assert_double_lt(fabs(lag / MANY), 5 * (1.0 / 12) / sqrt(MANY));
  ck_assert_double_lt(fabs(chi - (CELLS - 1)), 5 * sqrt(2.0 * (CELLS - 1)));
  free(y);
}
END_TEST

static void normal(int64_t n, uint64_t seed, uint64_t offset, float *y)
{
  pm_exec ex = {0};
  ck_assert_msg(pm_sim.rand_normal(&ex, n, seed, offset, y) == PM_OK, "%s", pm_sim.error());
  ck_assert_int_eq(pm_sim.sync(), PM_OK);
}

/* The formula with the whole angle, in C's own functions. */
static double box_muller(uint64_t seed, uint64_t q)
{
  const double turn = 6.283185307179586477;
  double u = (random_word(seed, q / 2 * 2) / 256 + 1) * 0x1p-24;
  double t = (random_word(seed, q / 2 * 2 + 1) / 256) * 0x1p-24;
  return sqrt(-2 * log(u)) * (q % 2 ? sin(turn * t) : cos(turn * t));
}

START_TEST(normal_is_box_muller)
{
  float y[N], rest[N];
  static double want[N];
  for (size_t o = 0; o < sizeof OFFSETS / sizeof *OFFSETS; o++) {
    normal(N, 11, OFFSETS[o], y);
    normal(N - 5, 11, OFFSETS[o] + 5, rest);
    ck_assert(!memcmp(y + 5, rest, (N - 5) * sizeof *y));
    ref_rand_normal(N, 11, OFFSETS[o], want);
    for (int i = 0; i < N; i++) {
      ck_assert_double_lt(fabs(want[i] - box_muller(11, OFFSETS[o] + (uint64_t)i)), 1e-14);
      ck_assert_double_lt(fabs(y[i] - want[i]), 3e-6);
    }
  }
}
END_TEST

/* Moments to the fourth, neighbours, and the share below each hundredth of the distribution. */
START_TEST(normal_distribution)
{
  enum { MANY = 1 << 18 };
  float *y = malloc(MANY * sizeof *y);
  double sum = 0, square = 0, cube = 0, fourth = 0, lag = 0, chi = 0, expect = MANY / 100.0;
  int count[100] = {0};
  ck_assert_ptr_nonnull(y);
  normal(MANY, 1, 0, y);
  for (int i = 0; i < MANY; i++) {
    double v = y[i];
    ck_assert_double_lt(fabs(v), 5.8);
    sum += v;
    square += v * v;
    cube += v * v * v;
    fourth += v * v * v * v;
    lag += i ? v * y[i - 1] : 0;
    count[(int)(50 * erfc(-v / sqrt(2)))]++;
  }
  for (int i = 0; i < 100; i++)
    chi += (count[i] - expect) * (count[i] - expect) / expect;
  ck_assert_double_lt(fabs(sum / MANY), 5 * sqrt(1.0 / MANY));
  ck_assert_double_lt(fabs(square / MANY - 1), 5 * sqrt(2.0 / MANY));
  ck_assert_double_lt(fabs(cube / MANY), 5 * sqrt(15.0 / MANY));
  ck_assert_double_lt(fabs(fourth / MANY - 3), 5 * sqrt(96.0 / MANY));
  ck_assert_double_lt(fabs(lag / MANY), 5 * sqrt(1.0 / MANY));
  ck_assert_double_lt(fabs(chi - 99), 5 * sqrt(2.0 * 99));
  free(y);
}
END_TEST

START_TEST(bernoulli_is_uniform_below_p)
{
  static const float P[] = {0, 0x1p-149f, 0x1p-24f, 0.3f, 0.5f, 0x1.fffffep-1f, 1};
  float u[N], y[N];
  uniform(N, 3, 2, NULL, u);
  for (size_t k = 0; k < sizeof P / sizeof *P; k++) {
    pm_exec ex = {0};
    ck_assert_int_eq(pm_sim.bernoulli(&ex, N, 3, 2, P[k], y), PM_OK);
    for (int i = 0; i < N; i++)
      ck_assert(y[i] == (P[k] == 1 ? 1 : P[k] == 0 ? 0 : u[i] < P[k]));
  }
}
END_TEST

START_TEST(bad_arguments)
{
  static const struct {
    int64_t n;
    uint64_t offset;
    float p;
    const char *words;
  } bad[] = {
      {-1, 0, 0.5f, "n = -1"},    {2, UINT64_MAX, 0.5f, "offset + n"},
      {1, 0, -0x1p-149f, "p = "}, {1, 0, 1.0000001f, "p = "},
      {1, 0, NAN, "p = nan"},     {1, 0, INFINITY, "p = inf"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    pm_exec ex = {0};
    float y[2] = {-1, -1};
    ck_assert_int_eq(pm_sim.bernoulli(&ex, bad[i].n, 0, bad[i].offset, bad[i].p, y),
                     PM_BAD_ARGUMENT);
    ck_assert_msg(strstr(pm_sim.error(), bad[i].words) != NULL, "%s", pm_sim.error());
    ck_assert(y[0] == -1 && y[1] == -1);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("random");
  TCase *all = tcase_create("all");
  tcase_add_test(all, published_vectors);
  tcase_add_test(all, simulator_is_the_reference);
  tcase_add_test(all, split_anywhere);
  tcase_add_test(all, distribution);
  tcase_add_test(all, normal_is_box_muller);
  tcase_add_test(all, normal_distribution);
  tcase_add_test(all, bernoulli_is_uniform_below_p);
  tcase_add_test(all, bad_arguments);
  suite_add_tcase(suite, all);
  return aid_main(suite);
}
