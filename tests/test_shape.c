/* permute and swap_adjacent on the simulator: the rules of their axes, and small movements by hand.
 * What holds of every op's arguments is in test_launch.c. */
#include "device.h"

#include <string.h>

static pm_status permute(device *d, int rank, const int64_t *shape, const int64_t *axes)
{
  return pm_sim.permute(&d->ex, rank, shape, axes, d->x, d->y);
}

static pm_status back(device *d, int rank, const int64_t *shape, const int64_t *axes)
{
  return pm_sim.permute_vjp(&d->ex, 0, rank, shape, axes, d->x, d->y);
}

static pm_status swap(device *d, int rank, const int64_t *shape, int64_t depth)
{
  return pm_sim.swap_adjacent(&d->ex, rank, shape, depth, d->x, d->y);
}
#define S (const int64_t[])

START_TEST(axes_that_are_none)
{
  device d = device_begin();
  device_refused(&d, permute(&d, 2, S{2, 3}, S{0, 2}), "axes[1] = 2", "from -2 to 1");
  device_refused(&d, permute(&d, 2, S{2, 3}, S{-3, 1}), "axes[0] = -3", "from -2 to 1");
  device_refused(&d, permute(&d, 2, S{2, 3}, S{INT64_MIN, 1}), "axes[0] = -9223372036854775808",
                 "-2");
  device_refused(&d, back(&d, 2, S{2, 3}, S{0, INT64_MAX}), "axes[1] = 9223372036854775807",
                 "-2 to 1");
  device_refused(&d, permute(&d, 3, S{2, 3, 4}, S{0, 1, 1}), "axes[2] = 1", "axis 1 stands twice");
  device_refused(&d, permute(&d, 3, S{2, 3, 4}, S{1, 0, -2}), "axes[2] = -2",
                 "axis 1 stands twice");
  device_refused(&d, back(&d, 2, S{0, 3}, S{1, 1}), "axes[1] = 1", "axis 1 stands twice");
  device_refused(&d, permute(&d, 2, S{2, 3}, NULL), "axes = NULL", "2 axes");
  device_end(&d);
}
END_TEST

START_TEST(ranks_and_sizes)
{
  device d = device_begin();
  device_refused(&d, permute(&d, -1, NULL, NULL), "rank = -1", "from 0 to 8");
  device_refused(&d, permute(&d, 9, S{1, 1, 1, 1, 1, 1, 1, 1, 1}, S{0, 1, 2, 3, 4, 5, 6, 7, 8}),
                 "rank = 9", "from 0 to 8");
  device_refused(&d, swap(&d, 1, NULL, 0), "shape = NULL", "1 sizes");
  device_refused(&d, swap(&d, 2, S{2, -3}, 0), "shape[1] = -3", ">= 0");
  device_refused(&d, permute(&d, 2, S{(int64_t)1 << 31, (int64_t)1 << 31}, S{1, 0}), "shape",
                 "2^60-1");
  device_end(&d);
}
END_TEST

START_TEST(three_axes)
{
  device d = device_begin();
  ck_assert_int_eq(permute(&d, 3, S{2, 2, 3}, S{0, 2, 1}), PM_OK); /* (a, c, b) */
  ck_assert(device_is(d.y, 12, (float[]){0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11}));
  ck_assert_int_eq(permute(&d, 3, S{2, 2, 3}, S{1, 2, 0}), PM_OK); /* (b, c, a) */
  ck_assert(device_is(d.y, 12, (float[]){0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11}));
  ck_assert_int_eq(permute(&d, 3, S{2, 2, 3}, S{-1, 0, -2}), PM_OK); /* (c, a, b) */
  ck_assert(device_is(d.y, 12, (float[]){0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}));
  ck_assert_int_eq(back(&d, 3, S{2, 2, 3}, S{2, 0, 1}), PM_OK); /* (2, 2, 3) from (3, 2, 2) */
  ck_assert(device_is(d.y, 12, (float[]){0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
  device_end(&d);
}
END_TEST

/* Which variant runs is decided by what is left when axes are merged. */
START_TEST(merged_axes)
{
  device d = device_begin();
  ck_assert_int_eq(permute(&d, 4, S{1, 4, 1, 8}, S{2, 1, 0, 3}), PM_OK);
  ck_assert_str_eq(d.ex.ran, "copy");
  ck_assert_int_eq(permute(&d, 3, S{2, 4, 8}, S{1, 0, 2}), PM_OK);
  ck_assert_str_eq(d.ex.ran, "rows");
  ck_assert(d.y[0] == 0 && d.y[8] == 32 && d.y[16] == 8 && d.y[63] == 63);
  ck_assert_int_eq(permute(&d, 3, S{2, 4, 7}, S{1, 0, 2}), PM_OK);
  ck_assert_str_eq(d.ex.ran, "walk");
  d.ex.variant = "vec4";
  ck_assert_int_eq(permute(&d, 4, S{2, 2, 4, 4}, S{0, 1, 3, 2}), PM_OK);
  ck_assert(d.y[1] == 4 && d.y[4] == 1 && d.y[16] == 16 && d.y[17] == 20);
  ck_assert_int_eq(permute(&d, 3, S{2, 4, 8}, S{1, 0, 2}), PM_UNSUITED);
  d.ex.variant = "tile";
  ck_assert_int_eq(permute(&d, 4, S{2, 3, 2, 2}, S{3, 0, 1, 2}), PM_OK);
  ck_assert_int_eq(permute(&d, 3, S{2, 3, 4}, S{2, 1, 0}), PM_UNSUITED);
  device_end(&d);
}
END_TEST

START_TEST(depths)
{
  device d = device_begin();
  ck_assert_int_eq(swap(&d, 3, S{2, 2, 3}, 0), PM_OK);
  ck_assert(device_is(d.y, 12, (float[]){0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11}));
  ck_assert_int_eq(swap(&d, 3, S{2, 2, 3}, 1), PM_OK);
  ck_assert(device_is(d.y, 12, (float[]){0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11}));
  ck_assert_int_eq(pm_sim.swap_adjacent_vjp(&d.ex, 0, 3, S{2, 2, 3}, 1, d.x, d.y), PM_OK);
  ck_assert(device_is(d.y, 12, (float[]){0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11}));
  static const int64_t none[] = {-1, 2, 3, INT64_MAX, INT64_MIN};
  for (int i = 0; i < 5; i++) { /* the identity */
    memset(d.y, 0, 4 * sizeof *d.y);
    ck_assert_int_eq(swap(&d, 3, S{2, 2, 1}, none[i]), PM_OK);
    ck_assert(d.y[0] == 0 && d.y[1] == 1 && d.y[2] == 2 && d.y[3] == 3);
    ck_assert_str_eq(d.ex.ran, "copy");
  }
  device_end(&d);
}
END_TEST

START_TEST(scalars_and_nothing)
{
  device d = device_begin();
  ck_assert_int_eq(permute(&d, 2, S{0, 3}, S{1, 0}), PM_OK);
  ck_assert_int_eq(permute(&d, 3, S{INT64_MAX, 0, INT64_MAX}, S{2, 1, 0}), PM_OK);
  ck_assert_int_eq(pm_sim.permute(&d.ex, 2, S{0, 3}, S{1, 0}, NULL, NULL), PM_OK);
  ck_assert(device_is(d.y, 0, NULL));
  d.x[0] = 7;
  ck_assert_int_eq(permute(&d, 0, NULL, NULL), PM_OK);
  ck_assert(device_is(d.y, 1, (float[]){7}));
  device_end(&d);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("shape");
  TCase *t = tcase_create("shape");
  suite_add_tcase(s, t);
  tcase_add_test(t, axes_that_are_none);
  tcase_add_test(t, ranks_and_sizes);
  tcase_add_test(t, three_axes);
  tcase_add_test(t, merged_axes);
  tcase_add_test(t, depths);
  tcase_add_test(t, scalars_and_nothing);
  return aid_main(s);
}
