/* Views, and what the general suites do not ask of the launchers of parts of tensors. */
#include "device.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../cuda/view.h"

enum { ROOM = 4096 };

static pm_exec ex;
static float *x, *u, *y;

static void setup(void)
{
  ck_assert_int_eq(pm_sim.init(), PM_OK);
  memset(&ex, 0, sizeof ex);
  float **all[] = {&x, &u, &y};
  for (int i = 0; i < 3; i++) {
    *all[i] = pm_sim.alloc(ROOM * sizeof(float));
    ck_assert_ptr_nonnull(*all[i]);
    for (int k = 0; k < ROOM; k++)
      (*all[i])[k] = (float)(10000 * (i + 1) + k);
  }
}

static void teardown(void)
{
  pm_sim.free(x);
  pm_sim.free(u);
  pm_sim.free(y);
}

/* The call is refused with these words, and y is as it was. */
static void refused(pm_status s, const char *part, const char *and)
{
  refused_with(s, part, and);
  ck_assert_int_eq(pm_sim.sync(), PM_OK);
  for (int k = 0; k < ROOM; k++)
    ck_assert(y[k] == (float)(30000 + k));
}

static const int64_t FAR[] = {INT64_MAX, INT64_MAX - 4, INT64_MIN, -1, 5};

START_TEST(part_of_an_axis)
{
  for (int i = 0; i < 5; i++) {
    refused(pm_sim.slice(&ex, 2, 8, 3, 4, FAR[i], x, y), "start", FAR[i] < 0 ? ">= 0" : "n = 8");
    refused(pm_sim.slice_vjp(&ex, 0, 2, 8, 3, 4, FAR[i], u, y), "start",
            FAR[i] < 0 ? ">= 0" : "n = 8");
    refused(pm_sim.write_rows(&ex, 8, 3, 4, FAR[i], x, u, y), "start",
            FAR[i] < 0 ? ">= 0" : "rows = 8");
    refused(pm_sim.write_rows_vjp(&ex, 0, 8, 3, 4, FAR[i], u, y, y + 64), "start",
            FAR[i] < 0 ? ">= 0" : "rows = 8");
    refused(pm_sim.write_rows(&ex, 8, 3, 4, FAR[i], y, u, y), "start",
            FAR[i] < 0 ? ">= 0" : "rows = 8");
  }
  refused(pm_sim.slice(&ex, 2, 8, 3, INT64_MAX, INT64_MAX, x, y), "start + len", "n = 8");
  refused(pm_sim.slice(&ex, 2, 8, 3, 9, 0, x, y), "len = 9", "n = 8");
  refused(pm_sim.write_rows(&ex, 8, 3, INT64_MAX, 1, x, u, y), "start + k", "rows = 8");
  /* an end that is just reached, and nothing at the end */
  refused(pm_sim.slice(&ex, 1, 8, 1, 0, 9, x, y), "start = 9", "n = 8");
  done(pm_sim.slice(&ex, 1, 8, 1, 0, 8, x, y));
  done(pm_sim.slice(&ex, 1, 8, 1, 4, 4, x, y));
}
END_TEST

START_TEST(joined_sizes)
{
  refused(pm_sim.concat(&ex, 1, INT64_MAX, INT64_MAX, 0, x, u, y), "na + nb", "2^60-1");
  refused(pm_sim.concat(&ex, 0, INT64_MAX, 1, 0, x, u, y), "na + nb", "2^60-1");
  refused(pm_sim.concat(&ex, (int64_t)1 << 30, (int64_t)1 << 30, 0, 1, x, u, y), "outer", "2^60-1");
}
END_TEST

/* y == x: rows of u are written, nothing else is; with vectors and without. */
START_TEST(rows_in_place)
{
  int rows = 9, cols = _i ? 8 : 7, start = 4, k = 3;
  done(pm_sim.write_rows(&ex, rows, cols, k, start, y, u, y));
  ck_assert_str_eq(ex.ran, _i ? "vec4" : "scalar");
  for (int i = 0; i < ROOM; i++) {
    int r = i / cols;
    float want = r >= start && r < start + k ? u[i - start * cols] : (float)(30000 + i);
    ck_assert_msg(y[i] == want, "y[%d] = %g, must be %g", i, y[i], want);
  }
}
END_TEST

START_TEST(rows_in_place_of_nothing)
{
  refused(pm_sim.write_rows(&ex, 9, 7, 3, 4, NULL, u, NULL), "x = NULL", "");
  refused(pm_sim.write_rows(&ex, 9, 7, 3, 4, y, y + 8, y), "overlap", "u");
  refused(pm_sim.write_rows(&ex, 9, 7, 3, 4, y + 1, u, y), "overlap", "x");
  done(pm_sim.write_rows(&ex, 9, 0, 3, 4, NULL, NULL, NULL));
  done(pm_sim.write_rows(&ex, 9, 7, 0, 9, y, NULL, y));
}
END_TEST

START_TEST(values)
{
  float far[] = {INFINITY, -0.0f, NAN, 0x1p-149f};
  for (int i = 0; i < 4; i++) {
    done(pm_sim.fill(&ex, 100, far[i], y));
    for (int k = 0; k < 100; k++)
      ck_assert_mem_eq(y + k, far + i, sizeof *far);
  }
  done(pm_sim.ones(&ex, 101, y));
  done(pm_sim.zeros(&ex, 99, y));
  for (int k = 0; k < 99; k++)
    ck_assert(y[k] == 0 && !signbit(y[k]));
  ck_assert(y[99] == 1 && y[100] == 1 && y[101] == 30101);
}
END_TEST

/* A tensor of rank 4 along each axis, from either end. */
START_TEST(axes)
{
  const int64_t shape[] = {2, 3, 5, 7}, before[] = {1, 2, 6, 30}, after[] = {105, 35, 7, 1};
  int64_t outer, n, inner;
  for (int axis = -4; axis < 4; axis++) {
    int at = (axis + 4) % 4;
    done(pm_axis_view(4, shape, axis, &outer, &n, &inner));
    ck_assert_int_eq(outer, before[at]);
    ck_assert_int_eq(n, shape[at]);
    ck_assert_int_eq(inner, after[at]);
  }
}
END_TEST

START_TEST(bad_axes)
{
  const int64_t good[] = {2, 3}, negative[] = {2, -3}, zero[] = {INT64_MAX, 0, 2};
  int64_t outer = 11, n = 12, inner = 13;
  refused(pm_axis_view(2, good, 2, &outer, &n, &inner), "axis = 2", "rank 2");
  refused(pm_axis_view(2, good, -3, &outer, &n, &inner), "axis = -3", "rank 2");
  refused(pm_axis_view(2, good, INT32_MIN, &outer, &n, &inner), "axis", "rank 2");
  refused(pm_axis_view(0, NULL, 0, &outer, &n, &inner), "axis = 0", "rank 0");
  refused(pm_axis_view(9, good, 0, &outer, &n, &inner), "rank = 9", "8");
  refused(pm_axis_view(-1, good, 0, &outer, &n, &inner), "rank = -1", "8");
  refused(pm_axis_view(2, NULL, 0, &outer, &n, &inner), "shape = NULL", "2 sizes");
  refused(pm_axis_view(2, negative, 0, &outer, &n, &inner), "shape[1] = -3", ">= 0");
  refused(pm_axis_view(3, zero, 1, &outer, &n, &inner), "shape[0]", "2^60-1");
  refused(pm_axis_view(2, good, 0, NULL, &n, &inner), "outer = NULL", "");
  refused(pm_axis_view(2, good, 0, &outer, NULL, &inner), "n = NULL", "");
  refused(pm_axis_view(2, good, 0, &outer, &n, NULL), "inner = NULL", "");
  ck_assert(outer == 11 && n == 12 && inner == 13);
}
END_TEST

START_TEST(reshapes)
{
  const int64_t a[] = {4, 6}, b[] = {2, 3, 4}, c[] = {5, 5}, none[] = {0, 7},
                huge[] = {1L << 31, 1L << 31};
  const int64_t one[] = {1, 1, 1};
  done(pm_reshape_check(2, a, 3, b));
  done(pm_reshape_check(3, one, 0, NULL));
  refused(pm_reshape_check(2, a, 2, c), "25 elements", "must be 24");
  refused(pm_reshape_check(2, none, 2, c), "25 elements", "must be 0");
  refused(pm_reshape_check(2, huge, 2, c), "shape[1]", "2^60-1");
  refused(pm_reshape_check(2, a, 9, c), "new_rank = 9", "");
  refused(pm_reshape_check(2, a, 2, NULL), "new_shape = NULL", "");
}
END_TEST

int main(void)
{
  Suite *s = suite_create("slice");
  TCase *t = tcase_create("parts");
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, part_of_an_axis);
  tcase_add_test(t, joined_sizes);
  tcase_add_loop_test(t, rows_in_place, 0, 2);
  tcase_add_test(t, rows_in_place_of_nothing);
  tcase_add_test(t, values);
  tcase_add_test(t, axes);
  tcase_add_test(t, bad_axes);
  tcase_add_test(t, reshapes);
  suite_add_tcase(s, t);
  return aid_main(s);
}
