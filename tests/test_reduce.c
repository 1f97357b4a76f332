/* mean and the reductions over an axis on the simulator: their arguments, and corner cases by hand.
 * What holds of every op's arguments is in test_launch.c. */
#include "device.h"

#include <math.h>
#include <string.h>

/* x in d->x, y and g behind it in the same buffer. */
enum { Y_AT = 32, G_AT = 48 };

static pm_status max_back(device *d, int accumulate, int64_t outer, int64_t n, int64_t inner)
{
  return pm_sim.max_axis_vjp(&d->ex, accumulate, outer, n, inner, d->x, d->x + Y_AT, d->x + G_AT,
                             d->y);
}

static void put(float *to, int n, const float *from) { memcpy(to, from, (size_t)n * sizeof *to); }
#define F (const float[])

START_TEST(sizes_that_are_none)
{
  device d = device_begin();
  pm_exec *ex = &d.ex;
  device_refused(&d, pm_sim.mean(ex, -1, d.x, d.y), "mean: n = -1", ">= 0");
  device_refused(&d, pm_sim.mean_vjp(ex, 0, -1, d.x, d.y), "mean_vjp: n = -1", ">= 0");
  device_refused(&d, pm_sim.mean_vjp(ex, 2, 4, d.x, d.y), "accumulate = 2", "0 or 1");
  device_refused(&d, pm_sim.sum_axis(ex, -2, 3, 1, d.x, d.y), "outer = -2", ">= 0");
  device_refused(&d, pm_sim.mean_axis(ex, 2, -3, 1, d.x, d.y), "n = -3", ">= 0");
  device_refused(&d, pm_sim.max_axis(ex, 2, 3, -1, d.x, d.y), "inner = -1", ">= 0");
  int64_t far = (int64_t)1 << 31;
  device_refused(&d, pm_sim.sum_axis(ex, far, 1, far, d.x, d.y), "outer", "inner");
  device_refused(&d, pm_sim.mean_axis_vjp(ex, 0, far, far, 1, d.x, d.y), "outer * inner", "n");
  device_refused(&d, pm_sim.sum_axis(ex, 2, 3, 1, NULL, d.y), "x = NULL", "");
  device_refused(&d, pm_sim.sum_axis(ex, 2, 3, 1, d.y, d.y), "y", "x");
  device_refused(&d, pm_sim.max_axis(ex, 2, 0, 3, d.x, d.y), "n = 0", "at least 1");
  device_refused(&d, max_back(&d, 0, 1, 0, 1), "n = 0", "at least 1");
  d.ex.work_bytes = 8;
  device_refused(&d, max_back(&d, 0, 2, 3, 1), "work", "16");
  device_end(&d);
}
END_TEST

START_TEST(means)
{
  device d = device_begin();
  ck_assert_int_eq(pm_sim.mean(&d.ex, 6, d.x, d.y), PM_OK);
  ck_assert(device_is(d.y, 1, F{2.5f}));
  ck_assert_int_eq(pm_sim.mean(&d.ex, 0, NULL, d.y), PM_OK);
  ck_assert(isnan(d.y[0]));
  d.x[0] = 1;
  ck_assert_int_eq(pm_sim.mean_vjp(&d.ex, 0, 3, d.x, d.y), PM_OK);
  ck_assert(device_is(d.y, 3, F{1 / 3.0f, 1 / 3.0f, 1 / 3.0f}));
  ck_assert_int_eq(pm_sim.mean_vjp(&d.ex, 1, 3, d.x, d.y), PM_OK);
  ck_assert(device_is(d.y, 3, F{2 / 3.0f, 2 / 3.0f, 2 / 3.0f}));
  device_end(&d);
}
END_TEST

START_TEST(any_axis)
{
  device d = device_begin();
  ck_assert_int_eq(pm_sim.sum_axis(&d.ex, 2, 3, 2, d.x, d.y), PM_OK);
  ck_assert(device_is(d.y, 4, F{0 + 2 + 4, 1 + 3 + 5, 6 + 8 + 10, 7 + 9 + 11}));
  ck_assert_int_eq(pm_sim.mean_axis(&d.ex, 2, 3, 2, d.x, d.y), PM_OK);
  ck_assert(device_is(d.y, 4, F{2, 3, 8, 9}));
  ck_assert_int_eq(pm_sim.max_axis(&d.ex, 2, 3, 2, d.x, d.y), PM_OK);
  ck_assert(device_is(d.y, 4, F{4, 5, 10, 11}));
  device_end(&d);
  d = device_begin();
  ck_assert_int_eq(pm_sim.sum_axis_vjp(&d.ex, 0, 2, 3, 2, d.x, d.y), PM_OK);
  ck_assert(device_is(d.y, 12, F{0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3}));
  ck_assert_int_eq(pm_sim.sum_axis_vjp(&d.ex, 1, 2, 3, 2, d.x, d.y), PM_OK);
  ck_assert(device_is(d.y, 12, F{0, 2, 0, 2, 0, 2, 4, 6, 4, 6, 4, 6}));
  device_end(&d);
  d = device_begin();
  ck_assert_int_eq(pm_sim.mean_axis_vjp(&d.ex, 0, 3, 2, 1, d.x, d.y), PM_OK);
  ck_assert(device_is(d.y, 6, F{0, 0, 0.5f, 0.5f, 1, 1}));
  device_end(&d);
}
END_TEST

START_TEST(nothing)
{
  device d = device_begin();
  ck_assert_int_eq(pm_sim.sum_axis(&d.ex, 0, 3, 2, NULL, NULL), PM_OK);
  ck_assert_int_eq(pm_sim.sum_axis(&d.ex, 0, 3000, 1, NULL, NULL), PM_OK);
  ck_assert_int_eq(pm_sim.mean_axis(&d.ex, 0, INT64_MAX, 5, NULL, NULL), PM_OK);
  ck_assert_int_eq(pm_sim.max_axis(&d.ex, 2, 0, 0, NULL, NULL), PM_OK);
  ck_assert_int_eq(max_back(&d, 0, 0, 0, 5), PM_OK);
  ck_assert_int_eq(pm_sim.mean_axis_vjp(&d.ex, 0, 2, 0, 3, d.x, NULL), PM_OK);
  ck_assert(device_is(d.y, 0, NULL));
  ck_assert_int_eq(pm_sim.sum_axis(&d.ex, 2, 0, 2, NULL, d.y), PM_OK);
  ck_assert(device_is(d.y, 4, F{0, 0, 0, 0}));
  ck_assert_int_eq(pm_sim.mean_axis(&d.ex, 2, 0, 1, NULL, d.y), PM_OK);
  ck_assert(isnan(d.y[0]) && isnan(d.y[1]) && d.y[2] == 0 && d.y[4] == POISON);
  device_end(&d);
}
END_TEST

/* A NaN anywhere in the line, infinities, and zeros of both signs in either order; rows, columns of
 * a few and of many, alone and in vectors of four. In long lines, at every 57th place. */
START_TEST(largest)
{
  const int64_t inner[] = {1, 2, 33, 36}, length[] = {1, 24, 47, 70, 1028};
  const float zeros[] = {-0.0f, 0.0f};
  for (int w = 0; w < 4; w++)
    for (int k = 0; k < 5; k++) {
      int64_t n = length[k], all = n * inner[w], step = n > 70 ? 57 : 1;
      float *x = filled((int)all, -INFINITY), *y = filled((int)inner[w], POISON);
      pm_exec ex = {.work = filled(1 << 14, POISON), .work_bytes = 1 << 16};
      ck_assert_int_eq(pm_sim.max_axis(&ex, 1, n, inner[w], x, y), PM_OK);
      ck_assert(y[0] == -INFINITY && y[inner[w] - 1] == -INFINITY);
      for (int64_t at = 0; at < n; at += step) {
        float *hit = &x[at * inner[w] + inner[w] - 1];
        *hit = NAN;
        ck_assert_int_eq(pm_sim.max_axis(&ex, 1, n, inner[w], x, y), PM_OK);
        ck_assert(isnan(y[inner[w] - 1]) && (inner[w] == 1 || y[0] == -INFINITY));
        *hit = INFINITY;
        ck_assert_int_eq(pm_sim.max_axis(&ex, 1, n, inner[w], x, y), PM_OK);
        ck_assert(y[inner[w] - 1] == INFINITY);
        for (int z = 0; z < 2; z++) {
          for (int64_t i = 0; i < all; i++)
            x[i] = zeros[1 - z];
          *hit = zeros[z];
          ck_assert_int_eq(pm_sim.max_axis(&ex, 1, n, inner[w], x, y), PM_OK);
          ck_assert(y[inner[w] - 1] == 0 && !signbit(y[inner[w] - 1]) == (n > 1 || z == 1));
        }
        for (int64_t i = 0; i < all; i++)
          x[i] = -INFINITY;
      }
      pm_sim.free(x);
      pm_sim.free(y);
      pm_sim.free(ex.work);
    }
}
END_TEST

START_TEST(gradient_of_the_largest)
{
  device d = device_begin();
  put(d.x, 6, F{3, 1, 3, 3, 2, -1});
  put(d.x + Y_AT, 1, F{3});
  put(d.x + G_AT, 1, F{1});
  ck_assert_int_eq(max_back(&d, 0, 1, 6, 1), PM_OK);
  ck_assert(device_is(d.y, 6, F{1 / 3.0f, 0, 1 / 3.0f, 1 / 3.0f, 0, 0}));
  ck_assert_int_eq(max_back(&d, 1, 1, 6, 1), PM_OK);
  ck_assert(device_is(d.y, 6, F{2 / 3.0f, 0, 2 / 3.0f, 2 / 3.0f, 0, 0}));
  /* two columns: a tie of zeros of both signs, and of infinities */
  put(d.x, 6, F{0, INFINITY, -0.0f, 1, -1, INFINITY});
  put(d.x + Y_AT, 2, F{0, INFINITY});
  put(d.x + G_AT, 2, F{-4, 6});
  ck_assert_int_eq(max_back(&d, 0, 1, 3, 2), PM_OK);
  ck_assert(device_is(d.y, 6, F{-2, 3, -2, 0, 0, 3}));
  /* a line with a NaN is NaN throughout, the other is not */
  put(d.x, 4, F{1, NAN, 5, 7});
  put(d.x + Y_AT, 2, F{NAN, 7});
  ck_assert_int_eq(max_back(&d, 0, 2, 2, 1), PM_OK);
  ck_assert(isnan(d.y[0]) && isnan(d.y[1]) && d.y[2] == 0 && d.y[3] == 6);
  device_end(&d);
}
END_TEST

/* Lines of many chunks, with a single largest element, two far apart, three side by side, none. */
START_TEST(ties_of_long_lines)
{
  const int64_t size[][3] = {
      {4, 70000, 1}, {1, 300001, 1}, {1, 20000, 4}, {2, 5000, 40}, {3, 999, 6}};
  const char *variant[] = {"vec4", "scalar"};
  for (int k = 0; k < 10; k++) {
    int64_t outer = size[k / 2][0], n = size[k / 2][1], inner = size[k / 2][2],
            left = outer * inner;
    float *x = filled((int)(left * n), 1), *y = filled((int)left, 2), *g = filled((int)left, 3);
    float *dx = filled((int)(left * n), POISON);
    size_t bytes = pm_sim.workspace("max_axis_vjp", size[k / 2]);
    pm_exec ex = {.work = pm_sim.alloc(bytes), .work_bytes = bytes, .variant = variant[k % 2]};
    for (int64_t l = 0; l < left; l++) {
      float *line = x + l / inner * n * inner + l % inner;
      int64_t kind = (l / 5 + l) % 4, at[] = {n * 2 / 3, 1, n - 1, n / 2, n / 2 + 1, n / 2 + 2};
      for (int64_t i = kind * (kind + 1) / 2; kind < 3 && i < (kind + 1) * (kind + 2) / 2; i++)
        line[at[i] * inner] = 2;
      y[l] = kind < 3 ? 2 : NAN;
    }
    for (int accumulate = 0; accumulate < 2; accumulate++) {
      ck_assert_int_eq(pm_sim.max_axis_vjp(&ex, accumulate, outer, n, inner, x, y, g, dx), PM_OK);
      for (int64_t i = 0; i < left * n; i++) {
        int64_t l = i / inner / n * inner + i % inner, kind = (l / 5 + l) % 4;
        float part = x[i] == 2 ? 3 / (float)(kind + 1) : 0;
        ck_assert(kind < 3 ? dx[i] == part + (float)accumulate * part : isnan(dx[i]));
      }
    }
    for (float **p = (float *[]){x, y, g, dx, ex.work, NULL}; *p; p++)
      pm_sim.free(*p);
  }
}
END_TEST

/* Lines of so many elements that several groups, chunks and levels share one. */
START_TEST(long_lines)
{
  const int64_t size[][3] = {{1, 300000, 1}, {3, 20011, 1}, {1, 20000, 3},
                             {2, 5000, 40},  {3, 600, 44},  {2, 300, 132}};
  for (int k = 0; k < 6; k++) {
    int64_t outer = size[k][0], n = size[k][1], inner = size[k][2], left = outer * inner;
    float *x = filled((int)(left * n), 1), *y = filled((int)left, POISON);
    size_t bytes = pm_sim.workspace("max_axis_vjp", size[k]);
    ck_assert(bytes > pm_sim.workspace("sum_axis", size[k]));
    ck_assert(pm_sim.workspace("sum_axis", size[k]) > 0);
    pm_exec ex = {.work = pm_sim.alloc(bytes), .work_bytes = bytes};
    ck_assert_int_eq(pm_sim.sum_axis(&ex, outer, n, inner, x, y), PM_OK);
    for (int64_t i = 0; i < left; i++)
      ck_assert(y[i] == (float)n);
    ck_assert_int_eq(pm_sim.mean_axis(&ex, outer, n, inner, x, y), PM_OK);
    for (int64_t i = 0; i < left; i++)
      ck_assert(y[i] == 1);
    x[(left - 1) / inner * n * inner + (n - 1) * inner + inner - 1] = 2;
    ck_assert_int_eq(pm_sim.max_axis(&ex, outer, n, inner, x, y), PM_OK);
    for (int64_t i = 0; i < left; i++)
      ck_assert(y[i] == (i == left - 1 ? 2 : 1));
    float *g = filled((int)left, (float)n), *dx = filled((int)(left * n), POISON);
    ck_assert_int_eq(pm_sim.max_axis_vjp(&ex, 0, outer, n, inner, x, y, g, dx), PM_OK);
    ck_assert(dx[0] == (left == 1 ? 0 : 1) && dx[left * n - 1] == (float)n);
    for (float **p = (float *[]){x, y, g, dx, ex.work, NULL}; *p; p++)
      pm_sim.free(*p);
  }
}
END_TEST

/* 2^24 + 1, which no float is: what is left of the sum's 2^24 is less than 1. */
START_TEST(a_count_that_is_no_float)
{
  const int64_t n = ((int64_t)1 << 24) + 1, size[] = {1, n, 1};
  float *x = filled((int)n, 1), y = POISON;
  size_t bytes = pm_sim.workspace("mean_axis", size);
  pm_exec ex = {.work = pm_sim.alloc(bytes), .work_bytes = bytes};
  ck_assert_int_eq(pm_sim.mean_axis(&ex, 1, n, 1, x, &y), PM_OK);
  ck_assert(y == 1 - 0x1p-24f);
  bytes = pm_sim.workspace("mean", &n);
  ck_assert(bytes <= ex.work_bytes);
  ck_assert_int_eq(pm_sim.mean(&ex, n, x, &y), PM_OK);
  ck_assert(y == 1 - 0x1p-24f);
  pm_sim.free(x);
  pm_sim.free(ex.work);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("reduce");
  TCase *t = tcase_create("reduce");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 60);
  tcase_add_test(t, sizes_that_are_none);
  tcase_add_test(t, means);
  tcase_add_test(t, any_axis);
  tcase_add_test(t, nothing);
  tcase_add_test(t, largest);
  tcase_add_test(t, gradient_of_the_largest);
  tcase_add_test(t, ties_of_long_lines);
  tcase_add_test(t, long_lines);
  tcase_add_test(t, a_count_that_is_no_float);
  return aid_main(s);
}
