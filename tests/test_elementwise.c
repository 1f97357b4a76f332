/* Elementwise ops on the simulator: the rules of their attributes, and the corner cases that PyTorch
 * decides. What holds of every op's arguments is in test_launch.c. */
#include "aid.h"

#include <math.h>
#include <string.h>

#include "../diffcheck/engine.h"

enum { N = 5 };
#define POISON 12345.0f

typedef struct device {
  float *a, *b, *g, *y, *z; /* (N) each */
  pm_exec ex;
} device;

static float *filled(float x)
{
  float *p = pm_sim.alloc(N * sizeof *p);
  ck_assert_ptr_nonnull(p);
  for (int i = 0; i < N; i++)
    p[i] = x;
  return p;
}

static device begin(float a, float b, float g)
{
  ck_assert_int_eq(pm_sim.init(), PM_OK);
  return (device){filled(a), filled(b), filled(g), filled(POISON), filled(POISON), {0}};
}

static void end(device *d)
{
  float *all[] = {d->a, d->b, d->g, d->y, d->z};
  for (int i = 0; i < 5; i++)
    pm_sim.free(all[i]);
}

/* All N elements of y are x, of the same sign; NaN is any NaN. */
static int is(const float *y, float x)
{
  for (int i = 0; i < N; i++)
    if (isnan(x) ? !isnan(y[i]) : y[i] != x || signbit(y[i]) != signbit(x))
      return 0;
  return 1;
}

static void refused(const device *d, pm_status s, const char *part, const char *and)
{
  ck_assert_int_eq(s, PM_BAD_ARGUMENT);
  ck_assert_text(pm_sim.error(), part);
  ck_assert_text(pm_sim.error(), and);
  ck_assert(is(d->y, POISON));
}

START_TEST(clamp_limits)
{
  static const float bad[][2] = {{1, -1}, {NAN, 1}, {-1, NAN}, {NAN, NAN}, {INFINITY, -INFINITY}};
  device d = begin(3, 0, 1);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    refused(&d, pm_sim.clamp(&d.ex, N, bad[i][0], bad[i][1], d.a, d.y), "clamp: lo = ", "hi = ");
    refused(&d, pm_sim.clamp_vjp(&d.ex, 0, N, bad[i][0], bad[i][1], d.a, d.g, d.y),
            "clamp_vjp: lo = ", "hi = ");
  }
  ck_assert_int_eq(pm_sim.clamp(&d.ex, N, 2, 2, d.a, d.y), PM_OK);
  ck_assert(is(d.y, 2));
  ck_assert_int_eq(pm_sim.clamp(&d.ex, N, -INFINITY, INFINITY, d.a, d.y), PM_OK);
  ck_assert(is(d.y, 3));
  end(&d);
}
END_TEST

/* A factor may be any number. */
START_TEST(scale_by_anything)
{
  static const float factor[] = {0, -0.0f, INFINITY, -INFINITY, NAN, 0x1p-149f};
  device d = begin(3, 0, -3);
  for (size_t i = 0; i < sizeof factor / sizeof *factor; i++) {
    ck_assert_int_eq(pm_sim.scale(&d.ex, N, factor[i], d.a, d.y), PM_OK);
    ck_assert(is(d.y, factor[i] * 3));
    ck_assert_int_eq(pm_sim.scale_vjp(&d.ex, 0, N, factor[i], d.g, d.y), PM_OK);
    ck_assert(is(d.y, factor[i] * -3));
  }
  end(&d);
}
END_TEST

/* Of one input a: y, and da of the cotangent 3; lo = -1, hi = 1. */
static const struct {
  float a, relu, relu_da, abs, abs_da, clamp, clamp_da;
} one[] = {
    {NAN, NAN, 3, NAN, 0, NAN, 0},
    {INFINITY, INFINITY, 3, INFINITY, 3, 1, 0},
    {-INFINITY, 0, 0, INFINITY, -3, -1, 0},
    {0, 0, 0, 0, 0, 0, 3},
    {-0.0f, -0.0f, 0, 0, 0, -0.0f, 3},
    {1, 1, 3, 1, 3, 1, 3},
    {-1, 0, 0, 1, -3, -1, 3},
    {0x1p-149f, 0x1p-149f, 3, 0x1p-149f, 3, 0x1p-149f, 3},
    {0x1.000002p0f, 0x1.000002p0f, 3, 0x1.000002p0f, 3, 1, 0},
};

START_TEST(of_one_input)
{
  device d = begin(one[_i].a, 0, 3);
  ck_assert_int_eq(pm_sim.relu(&d.ex, N, d.a, d.y), PM_OK);
  ck_assert(is(d.y, one[_i].relu));
  ck_assert_int_eq(pm_sim.relu_vjp(&d.ex, 0, N, d.a, d.g, d.y), PM_OK);
  ck_assert(is(d.y, one[_i].relu_da));
  ck_assert_int_eq(pm_sim.abs(&d.ex, N, d.a, d.y), PM_OK);
  ck_assert(is(d.y, one[_i].abs));
  ck_assert_int_eq(pm_sim.abs_vjp(&d.ex, 0, N, d.a, d.g, d.y), PM_OK);
  ck_assert(is(d.y, one[_i].abs_da));
  ck_assert_int_eq(pm_sim.clamp(&d.ex, N, -1, 1, d.a, d.y), PM_OK);
  ck_assert(is(d.y, one[_i].clamp));
  ck_assert_int_eq(pm_sim.clamp_vjp(&d.ex, 0, N, -1, 1, d.a, d.g, d.y), PM_OK);
  ck_assert(is(d.y, one[_i].clamp_da));
  end(&d);
}
END_TEST

/* Of two: the larger, the smaller, and the larger one's da and db of the cotangent 3. */
static const struct {
  float a, b, max, min, da, db;
} two[] = {
    {1, 2, 2, 1, 0, 3},
    {2, 1, 2, 1, 3, 0},
    {2, 2, 2, 2, 1.5f, 1.5f},
    {0, -0.0f, 0, 0, 1.5f, 1.5f}, /* equals: the first of them */
    {INFINITY, INFINITY, INFINITY, INFINITY, 1.5f, 1.5f},
    {-INFINITY, INFINITY, INFINITY, -INFINITY, 0, 3},
    {NAN, 1, NAN, NAN, 3, 3},
    {1, NAN, NAN, NAN, 3, 3},
    {NAN, INFINITY, NAN, NAN, 3, 3},
    {-INFINITY, NAN, NAN, NAN, 3, 3},
};

START_TEST(of_two_inputs)
{
  device d = begin(two[_i].a, two[_i].b, 3);
  int ordered = two[_i].a == two[_i].a && two[_i].b == two[_i].b;
  ck_assert_int_eq(pm_sim.maximum(&d.ex, N, d.a, d.b, d.y), PM_OK);
  ck_assert(is(d.y, two[_i].max));
  ck_assert_int_eq(pm_sim.minimum(&d.ex, N, d.a, d.b, d.y), PM_OK);
  ck_assert(is(d.y, two[_i].min));
  ck_assert_int_eq(pm_sim.maximum_vjp(&d.ex, 0, N, d.a, d.b, d.g, d.y, d.z), PM_OK);
  ck_assert(is(d.y, two[_i].da) && is(d.z, two[_i].db));
  ck_assert_int_eq(pm_sim.minimum_vjp(&d.ex, 0, N, d.a, d.b, d.g, d.y, d.z), PM_OK);
  ck_assert(is(d.y, ordered ? two[_i].db : 3) && is(d.z, ordered ? two[_i].da : 3));
  end(&d);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("elementwise");
  TCase *t = tcase_create("attributes and corners");
  suite_add_tcase(s, t);
  tcase_add_test(t, clamp_limits);
  tcase_add_test(t, scale_by_anything);
  tcase_add_loop_test(t, of_one_input, 0, sizeof one / sizeof *one);
  tcase_add_loop_test(t, of_two_inputs, 0, sizeof two / sizeof *two);
  return aid_main(s);
}
