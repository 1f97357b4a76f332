/* broadcast_to on the simulator: its shapes' rules, and NumPy's corner cases. What holds of every op's
 * arguments is in test_launch.c. */
#include "device.h"

#include <string.h>

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
  device d = device_begin();
  device_refused(&d, to(&d, 1, S{3}, 1, S{4}), "x_shape[0] = 3", "must be 1 or shape[0] = 4");
  device_refused(&d, vjp(&d, 1, S{3}, 1, S{4}), "x_shape[0] = 3", "must be 1 or shape[0] = 4");
  device_refused(&d, to(&d, 2, S{2, 3}, 3, S{2, 3, 3}), "x_shape[0] = 2",
                 "must be 1 or shape[1] = 3");
  device_refused(&d, to(&d, 1, S{0}, 1, S{2}), "x_shape[0] = 0", "must be 1 or shape[0] = 2");
  device_refused(&d, to(&d, 1, S{2}, 1, S{0}), "x_shape[0] = 2", "must be 1 or shape[0] = 0");
  device_refused(&d, to(&d, 1, S{4}, 1, S{1}), "x_shape[0] = 4", "must be 1 or shape[0] = 1");
  device_refused(&d, to(&d, 2, S{1, 3}, 1, S{3}), "x_rank = 2", "at most rank = 1");
  device_refused(&d, vjp(&d, 2, S{1, 3}, 1, S{3}), "x_rank = 2", "at most rank = 1");
  device_end(&d);
}
END_TEST

START_TEST(ranks_and_sizes)
{
  device d = device_begin();
  device_refused(&d, to(&d, -1, NULL, 1, S{3}), "x_rank = -1", "from 0 to 8");
  device_refused(&d, to(&d, 0, NULL, -1, S{3}), "rank = -1", "from 0 to 8");
  device_refused(&d, to(&d, 1, S{1}, 9, S{1, 1, 1, 1, 1, 1, 1, 1, 1}), "rank = 9", "from 0 to 8");
  device_refused(&d, to(&d, 1, NULL, 1, S{3}), "x_shape = NULL", "1 sizes");
  device_refused(&d, to(&d, 1, S{1}, 1, NULL), "shape = NULL", "1 sizes");
  device_refused(&d, to(&d, 1, S{1}, 2, S{2, -3}), "shape[1] = -3", ">= 0");
  device_refused(&d, vjp(&d, 1, S{-1}, 1, S{3}), "x_shape[0] = -1", ">= 0");
  device_refused(&d, to(&d, 0, NULL, 2, S{(int64_t)1 << 31, (int64_t)1 << 31}), "shape", "2^60-1");
  device_refused(&d, to(&d, 0, NULL, 3, S{INT64_MAX, INT64_MAX, 4}), "shape", "2^60-1");
  device_end(&d);
}
END_TEST

START_TEST(rows_and_columns)
{
  device d = device_begin();
  ck_assert_int_eq(to(&d, 1, S{3}, 2, S{2, 3}), PM_OK);
  ck_assert(device_is(d.y, 6, (float[]){0, 1, 2, 0, 1, 2}));
  device_end(&d);
  d = device_begin();
  ck_assert_int_eq(to(&d, 2, S{2, 1}, 2, S{2, 3}), PM_OK);
  ck_assert(device_is(d.y, 6, (float[]){0, 0, 0, 1, 1, 1}));
  device_end(&d);
  d = device_begin();
  ck_assert_int_eq(to(&d, 4, S{2, 1, 2, 1}, 4, S{2, 2, 2, 2}), PM_OK);
  ck_assert(device_is(d.y, 16, (float[]){0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3}));
  device_end(&d);
  d = device_begin();
  ck_assert_int_eq(vjp(&d, 4, S{2, 1, 2, 1}, 4, S{2, 2, 2, 2}), PM_OK);
  ck_assert(device_is(d.y, 4,
                      (float[]){0 + 1 + 4 + 5, 2 + 3 + 6 + 7, 8 + 9 + 12 + 13, 10 + 11 + 14 + 15}));
  device_end(&d);
}
END_TEST

START_TEST(scalars)
{
  device d = device_begin();
  d.x[0] = 7;
  ck_assert_int_eq(to(&d, 0, NULL, 0, NULL), PM_OK);
  ck_assert(device_is(d.y, 1, (float[]){7}));
  ck_assert_int_eq(to(&d, 0, NULL, 2, S{2, 2}), PM_OK);
  ck_assert(device_is(d.y, 4, (float[]){7, 7, 7, 7}));
  device_end(&d);
  d = device_begin();
  ck_assert_int_eq(vjp(&d, 0, NULL, 2, S{2, 3}), PM_OK);
  ck_assert(device_is(d.y, 1, (float[]){15}));
  device_end(&d);
}
END_TEST

/* Of no element the sum is 0; a size of 0 beside sizes whose product overflows is no error. */
START_TEST(nothing)
{
  device d = device_begin();
  ck_assert_int_eq(to(&d, 1, S{1}, 1, S{0}), PM_OK);
  ck_assert_int_eq(to(&d, 1, S{0}, 3, S{INT64_MAX, INT64_MAX, 0}), PM_OK);
  ck_assert(device_is(d.y, 0, NULL));
  ck_assert_int_eq(vjp(&d, 2, S{3, 1}, 3, S{0, 3, 2}), PM_OK);
  ck_assert(device_is(d.y, 3, (float[]){0, 0, 0}));
  ck_assert_int_eq(pm_sim.broadcast_to_vjp(&d.ex, 1, 1, S{3}, 2, S{0, 3}, NULL, d.x + 5), PM_OK);
  ck_assert(d.x[5] == 5 && d.x[6] == 6 && d.x[7] == 7);
  device_end(&d);
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
