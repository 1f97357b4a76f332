/* rope and rope_vjp on the simulator: the rules of their arguments, what a turn leaves as it is,
 * angles at large positions, and the VJP beside the turn. What holds of every op is in
 * test_launch.c. */
#include "device.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BATCH = 2, SEQ = 3, HEADS = 5, DIM = 16, N = BATCH * SEQ * HEADS * DIM };

static pm_exec ex;
static float *x, *f, *y, *z;

static void setup(void)
{
  ck_assert_int_eq(pm_sim.init(), PM_OK);
  memset(&ex, 0, sizeof ex);
  x = filled(N, 0), f = filled(DIM / 2, 0), y = filled(N, POISON), z = filled(N, POISON);
  for (int i = 0; i < N; i++)
    x[i] = (float)((i * 37 % 101) - 50) / 16;
  for (int i = 0; i < DIM / 2; i++)
    f[i] = 1.0f / (float)(1 + i);
}

static void teardown(void)
{
  float *all[] = {x, f, y, z};
  for (int i = 0; i < 4; i++)
    pm_sim.free(all[i]);
}

static pm_status turn(int dim, int table, float base, int64_t first)
{
  return pm_sim.rope(&ex, BATCH, SEQ, HEADS, dim, table, base, first, x, f, y);
}

static pm_status back(int accumulate, int table, float base, int64_t first, const float *g)
{
  return pm_sim.rope_vjp(&ex, accumulate, BATCH, SEQ, HEADS, DIM, table, base, first, f, g, z);
}

static void refused(pm_status s, const char *part, const char *and)
{
  refused_with(s, part, and);
  ck_assert_int_eq(pm_sim.sync(), PM_OK);
  for (int i = 0; i < N; i++)
    ck_assert(y[i] == POISON && z[i] == POISON);
}

START_TEST(arguments)
{
  const int64_t last = ((int64_t)1 << 53) - SEQ;
  refused(turn(7, 0, 10000, 0), "head_dim = 7", "even");
  refused(turn(1, 1, 10000, 0), "head_dim = 1", "even");
  refused(turn(DIM, 2, 10000, 0), "table = 2", "0 or 1");
  refused(turn(DIM, 0, 0, 0), "base", "0");
  refused(turn(DIM, 0, -1, 0), "base", "0");
  refused(turn(DIM, 0, NAN, 0), "base", "nan");
  refused(turn(DIM, 0, INFINITY, 0), "base", "inf");
  refused(turn(DIM, 0, 10000, -1), "pos_offset = -1", ">= 0");
  refused(turn(DIM, 0, 10000, last + 1), "pos_offset", "2^53");
  refused(turn(DIM, 0, 10000, INT64_MAX), "pos_offset", "2^53");
  refused(back(2, 0, 10000, 0, x), "accumulate = 2", "0 or 1");
  refused(back(0, 0, 10000, INT64_MIN, x), "pos_offset", ">= 0");
  refused(pm_sim.rope(&ex, BATCH, SEQ, HEADS, DIM, 1, 1, 0, x, NULL, y), "inv_freq", "NULL");
  refused(pm_sim.rope(&ex, BATCH, SEQ, HEADS, DIM, 0, 1, 0, y, f, y), "y", "x");
  refused(pm_sim.rope(&ex, (int64_t)1 << 40, (int64_t)1 << 40, 1, DIM, 0, 1, 0, x, f, y), "seq",
          "");
  /* the last position that there is; a base that is not asked for, a table that is not either */
  done(turn(DIM, 0, 10000, last));
  done(turn(DIM, 1, NAN, 0));
  done(pm_sim.rope(&ex, BATCH, SEQ, HEADS, DIM, 0, 1, 0, x, NULL, y));
}
END_TEST

/* The row at b, s, h. */
static const float *row(const float *t, int b, int s, int h)
{
  return t + ((b * SEQ + s) * HEADS + h) * DIM;
}

START_TEST(position_0_is_the_identity)
{
  for (int variant = 0; variant < 2; variant++) {
    ex.variant = variant ? "scalar" : "vec4";
    for (int table = 0; table < 2; table++) {
      done(turn(DIM, table, 10000, 0));
      for (int b = 0; b < BATCH; b++)
        for (int h = 0; h < HEADS; h++)
          ck_assert_mem_eq(row(y, b, 0, h), row(x, b, 0, h), DIM * sizeof *x);
    }
  }
}
END_TEST

static const int64_t FIRST[] = {0, 1, 4096, 131072, 999997, 1000000, (int64_t)1 << 31};
enum { FIRSTS = sizeof FIRST / sizeof *FIRST };

/* Every element beside the C library's functions in long double, at positions up to 10^6 and past
 * it: within a few units of f32 of what the pair is long. */
START_TEST(angles)
{
  for (int table = 0; table < 2; table++) {
    done(turn(DIM, table, 10000, FIRST[_i]));
    for (int b = 0; b < BATCH; b++)
      for (int s = 0; s < SEQ; s++)
        for (int h = 0; h < HEADS; h++)
          for (int i = 0; i < DIM / 2; i++) {
            const float *from = row(x, b, s, h), *to = row(y, b, s, h);
            long double w = table ? f[i] : powl(10000, -2.0L * i / DIM);
            long double t = (long double)(FIRST[_i] + s) * w, p = from[i], q = from[i + DIM / 2];
            long double close = 4e-7L * hypotl(p, q);
            ck_assert(fabsl(to[i] - (p * cosl(t) - q * sinl(t))) <= close);
            ck_assert(fabsl(to[i + DIM / 2] - (q * cosl(t) + p * sinl(t))) <= close);
          }
  }
}
END_TEST

/* The length of a pair stays; turned back it is what it was; <rope(x), g> = <x, rope_vjp(g)>. */
START_TEST(turned_back)
{
  double left = 0, right = 0;
  done(turn(DIM, 0, 500000, FIRST[_i]));
  for (int r = 0; r < N / DIM; r++)
    for (int i = 0; i < DIM / 2; i++) {
      const float *from = x + r * DIM + i, *to = y + r * DIM + i;
      double was = hypot(from[0], from[DIM / 2]), is = hypot(to[0], to[DIM / 2]);
      ck_assert(fabs(is - was) <= 3e-7 * was);
    }
  done(back(0, 0, 500000, FIRST[_i], y));
  for (int i = 0; i < N; i++)
    ck_assert(fabsf(z[i] - x[i]) <= 4e-6f);
  done(back(0, 0, 500000, FIRST[_i], x));
  for (int i = 0; i < N; i++) {
    left += (double)y[i] * x[i];
    right += (double)x[i] * z[i];
  }
  ck_assert(fabs(left - right) <= 1e-4);
  for (int i = 0; i < N; i++)
    z[i] = 1;
  done(back(1, 0, 500000, FIRST[_i], y));
  for (int i = 0; i < N; i++)
    ck_assert(fabsf(z[i] - (x[i] + 1)) <= 5e-6f);
}
END_TEST

/* (batch, heads, seq, dim) is batch times heads of one head: the same rows, elsewhere. */
START_TEST(heads_before_steps)
{
  done(turn(DIM, 0, 10000, 7));
  for (int b = 0; b < BATCH; b++)
    for (int h = 0; h < HEADS; h++) {
      float *in = filled(SEQ * DIM, 0), *out = filled(SEQ * DIM, 0);
      for (int s = 0; s < SEQ; s++)
        memcpy(in + s * DIM, row(x, b, s, h), DIM * sizeof *x);
      done(pm_sim.rope(&ex, 1, SEQ, 1, DIM, 0, 10000, 7, in, f, out));
      for (int s = 0; s < SEQ; s++)
        ck_assert_mem_eq(out + s * DIM, row(y, b, s, h), DIM * sizeof *x);
      pm_sim.free(in);
      pm_sim.free(out);
    }
}
END_TEST

/* A table's frequencies that are no angles: NaN where they are, and of more than 2^51 anything that
 * keeps the length. */
START_TEST(frequencies_of_any_size)
{
  const float odd[] = {INFINITY, NAN, -INFINITY, 3e38f, -3e38f, 1e16f, 0, -0.0f};
  memcpy(f, odd, sizeof odd);
  done(turn(DIM, 1, 1, 1000000));
  for (int i = 0; i < DIM / 2; i++) {
    double is = hypot(y[i], y[i + DIM / 2]), was = hypot(x[i], x[i + DIM / 2]);
    ck_assert(i < 3 ? isnan(y[i]) && isnan(y[i + DIM / 2]) : fabs(is - was) <= 3e-7 * was);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("rope");
  TCase *t = tcase_create("rope");
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, arguments);
  tcase_add_test(t, position_0_is_the_identity);
  tcase_add_loop_test(t, angles, 0, FIRSTS);
  tcase_add_loop_test(t, turned_back, 0, FIRSTS);
  tcase_add_test(t, heads_before_steps);
  tcase_add_test(t, frequencies_of_any_size);
  suite_add_tcase(suite, t);
  return aid_main(suite);
}
