/* Gathers and scatters with addition on the simulator: what the launchers do beside the checks that
 * tests/test_launch.c makes of every op. */
#include "helpers.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../cuda/launch.h"

enum { ROWS = 6, COLS = 5, K = 40 };

typedef struct data {
  float *x, *u, *y;
  int64_t *index;
  pm_exec ex;
} data;

static data begin(void)
{
  data d = {.ex = {.work_bytes = 4096}};
  ck_assert_int_eq(pm_sim.init(), PM_OK);
  d.x = pm_sim.alloc(ROWS * K * sizeof *d.x);
  d.u = pm_sim.alloc(ROWS * K * sizeof *d.u);
  d.y = pm_sim.alloc(ROWS * K * sizeof *d.y);
  d.index = pm_sim.alloc(K * sizeof *d.index);
  d.ex.work = pm_sim.alloc(d.ex.work_bytes);
  for (int i = 0; i < ROWS * K; i++)
    d.x[i] = (float)i, d.u[i] = 100.0f + (float)i, d.y[i] = -0.0f;
  for (int i = 0; i < K; i++)
    d.index[i] = i % ROWS;
  return d;
}

static void end(data *d)
{
  pm_sim.free(d->x);
  pm_sim.free(d->u);
  pm_sim.free(d->y);
  pm_sim.free(d->index);
  pm_sim.free(d->ex.work);
}

static void good(pm_status s)
{
  ck_assert_msg(s == PM_OK && pm_sim.sync() == PM_OK, "%s", pm_sim.error());
}

/* An index is any int64_t: outside of the table it reads 0 and adds to nothing. */
START_TEST(out_of_range)
{
  static const int64_t outside[] = {-1, ROWS, INT64_MIN, INT64_MAX, ROWS + ((int64_t)1 << 32)};
  data d = begin();
  for (int i = 0; i < 5; i++) {
    d.index[0] = outside[i];
    d.y[0] = d.y[1] = NAN;
    good(pm_sim.gather_scalar(&d.ex, ROWS, d.x, d.index, d.y));
    ck_assert(d.y[0] == 0 && isnan(d.y[1]));
    good(pm_sim.gather_row(&d.ex, ROWS, COLS, d.x, d.index, d.y));
    for (int c = 0; c < COLS; c++)
      ck_assert(d.y[c] == 0);
    good(pm_sim.scatter_add_row(&d.ex, ROWS, COLS, d.x, d.index, d.u, d.y));
    ck_assert_int_eq(memcmp(d.x, d.y, ROWS * COLS * sizeof(float)), 0);
    good(pm_sim.scatter_add_scalar(&d.ex, ROWS * COLS, d.x, d.index + 1, d.u, d.y));
    ck_assert(d.y[0] == d.x[0] && d.y[1] == d.x[1] + d.u[0]);
    good(pm_sim.gather_row_vjp(&d.ex, 1, ROWS, COLS, d.index, d.u, d.y));
    ck_assert(d.y[1] == d.x[1] + d.u[0]);
  }
  end(&d);
}
END_TEST

/* += of one index touches what the index names and not a bit of the rest. */
START_TEST(one_index_touches_one_row)
{
  data d = begin();
  d.index[0] = 2;
  good(pm_sim.gather_row_vjp(&d.ex, 1, ROWS, COLS, d.index, d.u, d.y));
  for (int i = 0; i < ROWS * COLS; i++)
    if (i / COLS == 2)
      ck_assert(d.y[i] == d.u[i % COLS]);
    else
      ck_assert(d.y[i] == 0 && signbit(d.y[i]));
  good(pm_sim.gather_row_vjp(&d.ex, 0, ROWS, COLS, d.index, d.u, d.y));
  for (int i = 0; i < ROWS * COLS; i++)
    ck_assert(i / COLS == 2 ? d.y[i] == d.u[i % COLS] : d.y[i] == 0 && !signbit(d.y[i]));
  end(&d);
}
END_TEST

/* The variant for narrow rows says how narrow; the workspace is that of the sizes. */
START_TEST(narrow_rows)
{
  static const int64_t narrow[] = {ROWS, 4, K}, wide[] = {ROWS, COLS, K}, elements[] = {ROWS, K};
  data d = begin();
  ck_assert_uint_eq(pm_sim.workspace("gather_rows_vjp", narrow), 8 * (ROWS + K));
  ck_assert_uint_eq(pm_sim.workspace("scatter_add_rows", wide), 8 * (ROWS + K));
  /* entries of 16 bytes, three words for the one bucket, two more, and those of long lists */
  ck_assert_uint_eq(pm_sim.workspace("scatter_add", elements), 16 * K + 4 * (5 + K / 33));
  ck_assert_uint_eq(pm_sim.workspace("gather_row_vjp", wide), 0);
  ck_assert_uint_eq(pm_sim.workspace("scatter_add_scalar", elements), 0);
  good(pm_sim.gather_rows_vjp(&d.ex, 0, ROWS, 4, K, d.index, d.u, d.y));
  ck_assert_str_eq(d.ex.ran, "thin");
  good(pm_sim.gather_rows_vjp(&d.ex, 0, ROWS, COLS, K, d.index, d.u, d.y));
  ck_assert_str_eq(d.ex.ran, "scalar");
  d.ex.variant = "thin";
  ck_assert_int_eq(pm_sim.gather_rows_vjp(&d.ex, 0, ROWS, COLS, K, d.index, d.u, d.y), PM_UNSUITED);
  ck_assert_text(pm_sim.error(), "cols <= 4");
  end(&d);
}
END_TEST

/* The same bits under every schedule, and of elements in both variants, where the terms' order
 * matters: lists of every length that the kernels treat apart. */
START_TEST(sums_do_not_depend_on_the_schedule)
{
  enum { N = 150, MOST = 700 };
  static const int hot[] = {1, 8, 9, 32, 33, 500};
  static float first[4 * N];
  for (int h = 0; h < 6; h++)
    for (int cols = 1; cols <= 4; cols += 3) {
      pm_exec ex = {.work_bytes = 16 * (N + MOST)};
      int64_t *index = pm_sim.alloc(MOST * sizeof *index);
      float *u = pm_sim.alloc(4 * MOST * sizeof *u), *y = pm_sim.alloc(4 * N * sizeof *y);
      ex.work = pm_sim.alloc(ex.work_bytes);
      for (int i = 0; i < MOST; i++)
        index[i] = i % 7 == 0 && i / 7 < hot[h] ? 77 : i * 31 % N;
      for (int i = 0; i < 4 * MOST; i++)
        u[i] = ldexpf((float)(i % 13 - 6), i % 29 - 14);
      for (int s = 0; s < 5; s++) {
        pm_sim.shuffle((uint64_t)s);
        good(pm_sim.gather_rows_vjp(&ex, 0, N, cols, MOST, index, u, y));
        if (s == 0)
          memcpy(first, y, sizeof first);
        ck_assert_int_eq(memcmp(first, y, (size_t)(N * cols) * sizeof *y), 0);
        if (cols == 1) {
          memset(y, 0, N * sizeof *y);
          ex.variant = "buckets";
          good(pm_sim.gather_vjp(&ex, 0, N, MOST, index, u, y));
          ck_assert_int_eq(memcmp(first, y, N * sizeof *y), 0);
          ex.variant = NULL;
        }
      }
      pm_sim.free(index);
      pm_sim.free(u);
      pm_sim.free(y);
      pm_sim.free(ex.work);
    }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("gather");
  TCase *t = tcase_create("gather");
  tcase_add_test(t, out_of_range);
  tcase_add_test(t, one_index_touches_one_row);
  tcase_add_test(t, narrow_rows);
  tcase_add_test(t, sums_do_not_depend_on_the_schedule);
  suite_add_tcase(s, t);
  return aid_main(s);
}
