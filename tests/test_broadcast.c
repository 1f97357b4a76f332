/* broadcast_to on the simulator: its shapes' rules, and NumPy's corner cases. What holds of every op's
 * arguments is in test_launch.c. */
#include "aid.h"

#include <string.h>

#include "../diffcheck/engine.h"

enum { N = 64 };
#define POISON 12345.0f

typedef struct device {
  float *x, *y, *work; /* (N) each; x is 0, 1, 2, .. */
  pm_exec ex;
} device;

static device begin(void)
{
  ck_assert_int_eq(pm_sim.init(), PM_OK);
  device d = {pm_sim.alloc(N * sizeof(float)),
              pm_sim.alloc(N * sizeof(float)),
              pm_sim.alloc(N * sizeof(float)),
              {0}};
  ck_assert(d.x && d.y && d.work);
  for (int i = 0; i < N; i++) {
    d.x[i] = (float)i;
    d.y[i] = POISON;
  }
  d.ex.work = d.work;
  d.ex.work_bytes = N * sizeof(float);
  return d;
}

static void end(device *d)
{
  pm_sim.free(d->x);
  pm_sim.free(d->y);
  pm_sim.free(d->work);
}

/* y begins with these, and nothing behind them was written. */
static int is(const float *y, int n, const float *want)
{
  for (int i = 0; i < n; i++)
    if (y[i] != want[i])
      return 0;
  for (int i = n; i < N; i++)
    if (y[i] != POISON)
      return 0;
  return 1;
}

static void refused(const device *d, pm_status s, const char *part, const char *and)
{
  ck_assert_int_eq(s, PM_BAD_ARGUMENT);
  ck_assert_text(pm_sim.error(), part);
  ck_assert_text(pm_sim.error(), and);
  ck_assert(is(d->y, 0, NULL));
}

static pm_status to(device *d, int x_rank, const int64_t *x_shape, int rank, const int64_t *shape)
{
  return pm_sim.broadcast_to(&d->ex, x_rank, x_shape, rank, shape, d->x, d->y);
}

static pm_status vjp(device *d, int x_rank, const int64_t *x_shape, int rank, const int64_t *shape)
{
  return pm_sim.broadcast_to_vjp(&d->ex, 0, x_rank, x_shape, rank, shape, d->x, d->y);
}
#define S (const int64_t[])

START_TEST(shapes_that_do_not_go_together)
{
  device d = begin();
  refused(&d, to(&d, 1, S{3}, 1, S{4}), "x_shape[0] = 3", "must be 1 or shape[0] = 4");
  refused(&d, vjp(&d, 1, S{3}, 1, S{4}), "x_shape[0] = 3", "must be 1 or shape[0] = 4");
  refused(&d, to(&d, 2, S{2, 3}, 3, S{2, 3, 3}), "x_shape[0] = 2", "must be 1 or shape[1] = 3");
  refused(&d, to(&d, 1, S{0}, 1, S{2}), "x_shape[0] = 0", "must be 1 or shape[0] = 2");
  refused(&d, to(&d, 1, S{2}, 1, S{0}), "x_shape[0] = 2", "must be 1 or shape[0] = 0");
  refused(&d, to(&d, 1, S{4}, 1, S{1}), "x_shape[0] = 4", "must be 1 or shape[0] = 1");
  refused(&d, to(&d, 2, S{1, 3}, 1, S{3}), "x_rank = 2", "at most rank = 1");
  refused(&d, vjp(&d, 2, S{1, 3}, 1, S{3}), "x_rank = 2", "at most rank = 1");
  end(&d);
}
END_TEST

START_TEST(ranks_and_sizes)
{
  device d = begin();
  refused(&d, to(&d, -1, NULL, 1, S{3}), "x_rank = -1", "from 0 to 8");
  refused(&d, to(&d, 0, NULL, -1, S{3}), "rank = -1", "from 0 to 8");
  refused(&d, to(&d, 1, S{1}, 9, S{1, 1, 1, 1, 1, 1, 1, 1, 1}), "rank = 9", "from 0 to 8");
  refused(&d, to(&d, 1, NULL, 1, S{3}), "x_shape = NULL", "1 sizes");
  refused(&d, to(&d, 1, S{1}, 1, NULL), "shape = NULL", "1 sizes");
  refused(&d, to(&d, 1, S{1}, 2, S{2, -3}), "shape[1] = -3", ">= 0");
  refused(&d, vjp(&d, 1, S{-1}, 1, S{3}), "x_shape[0] = -1", ">= 0");
  refused(&d, to(&d, 0, NULL, 2, S{(int64_t)1 << 31, (int64_t)1 << 31}), "shape", "2^60-1");
  refused(&d, to(&d, 0, NULL, 3, S{INT64_MAX, INT64_MAX, 4}), "shape", "2^60-1");
  end(&d);
}
END_TEST

START_TEST(rows_and_columns)
{
  device d = begin();
  ck_assert_int_eq(to(&d, 1, S{3}, 2, S{2, 3}), PM_OK);
  ck_assert(is(d.y, 6, (float[]){0, 1, 2, 0, 1, 2}));
  end(&d);
  d = begin();
  ck_assert_int_eq(to(&d, 2, S{2, 1}, 2, S{2, 3}), PM_OK);
  ck_assert(is(d.y, 6, (float[]){0, 0, 0, 1, 1, 1}));
  end(&d);
  d = begin();
  ck_assert_int_eq(to(&d, 4, S{2, 1, 2, 1}, 4, S{2, 2, 2, 2}), PM_OK);
  ck_assert(is(d.y, 16, (float[]){0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3}));
  end(&d);
  d = begin();
  ck_assert_int_eq(vjp(&d, 4, S{2, 1, 2, 1}, 4, S{2, 2, 2, 2}), PM_OK);
  ck_assert(
      is(d.y, 4, (float[]){0 + 1 + 4 + 5, 2 + 3 + 6 + 7, 8 + 9 + 12 + 13, 10 + 11 + 14 + 15}));
  end(&d);
}
END_TEST

START_TEST(scalars)
{
  device d = begin();
  d.x[0] = 7;
  ck_assert_int_eq(to(&d, 0, NULL, 0, NULL), PM_OK);
  ck_assert(is(d.y, 1, (float[]){7}));
  ck_assert_int_eq(to(&d, 0, NULL, 2, S{2, 2}), PM_OK);
  ck_assert(is(d.y, 4, (float[]){7, 7, 7, 7}));
  end(&d);
  d = begin();
  ck_assert_int_eq(vjp(&d, 0, NULL, 2, S{2, 3}), PM_OK);
  ck_assert(is(d.y, 1, (float[]){15}));
  end(&d);
}
END_TEST

/* Of no element the sum is 0; a size of 0 beside sizes whose product overflows is no error. */
START_TEST(nothing)
{
  device d = begin();
  ck_assert_int_eq(to(&d, 1, S{1}, 1, S{0}), PM_OK);
  ck_assert_int_eq(to(&d, 1, S{0}, 3, S{INT64_MAX, INT64_MAX, 0}), PM_OK);
  ck_assert(is(d.y, 0, NULL));
  ck_assert_int_eq(vjp(&d, 2, S{3, 1}, 3, S{0, 3, 2}), PM_OK);
  ck_assert(is(d.y, 3, (float[]){0, 0, 0}));
  ck_assert_int_eq(pm_sim.broadcast_to_vjp(&d.ex, 1, 1, S{3}, 2, S{0, 3}, NULL, d.x + 5), PM_OK);
  ck_assert(d.x[5] == 5 && d.x[6] == 6 && d.x[7] == 7);
  end(&d);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("broadcast");
  TCase *t = tcase_create("broadcast");
  suite_add_tcase(s, t);
  tcase_add_test(t, shapes_that_do_not_go_together);
  tcase_add_test(t, ranks_and_sizes);
  tcase_add_test(t, rows_and_columns);
  tcase_add_test(t, scalars);
  tcase_add_test(t, nothing);
  return aid_main(s);
}
