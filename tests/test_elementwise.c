/* Elementwise ops on the simulator: the rules of their attributes, and the corner cases that PyTorch
 * decides. What holds of every op's arguments is in test_launch.c. */
#include "device.h"

#include <math.h>
#include <string.h>

enum { N = 5 };

typedef struct tensors {
  float *a, *b, *g, *y, *z; /* (N) each */
  pm_exec ex;
} tensors;

static tensors begin(float a, float b, float g)
{
  return (tensors){filled(N, a),      filled(N, b),      filled(N, g),
                   filled(N, POISON), filled(N, POISON), {0}};
}

static void end(tensors *d)
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

static void refused(const tensors *d, pm_status s, const char *part, const char *and)
{
  refused_with(s, part, and);
  ck_assert(is(d->y, POISON));
}

START_TEST(clamp_limits)
{
  static const float bad[][2] = {{1, -1}, {NAN, 1}, {-1, NAN}, {NAN, NAN}, {INFINITY, -INFINITY}};
  tensors d = begin(3, 0, 1);
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
  tensors d = begin(3, 0, -3);
  for (size_t i = 0; i < sizeof factor / sizeof *factor; i++) {
    ck_assert_int_eq(pm_sim.scale(&d.ex, N, factor[i], d.a, d.y), PM_OK);
    ck_assert(is(d.y, factor[i] * 3));
    ck_assert_int_eq(pm_sim.scale_vjp(&d.ex, 0, N, factor[i], d.g, d.y), PM_OK);
    ck_assert(is(d.y, factor[i] * -3));
    ck_assert_int_eq(pm_sim.axpy(&d.ex, N, factor[i], d.b, d.a, d.y), PM_OK);
    ck_assert(is(d.y, 0 + factor[i] * 3));
    ck_assert_int_eq(pm_sim.axpy_vjp(&d.ex, 0, N, factor[i], d.g, d.y, d.z), PM_OK);
    ck_assert(is(d.y, -3) && is(d.z, factor[i] * -3));
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
  tensors d = begin(one[_i].a, 0, 3);
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

/* Quotients and roots follow IEEE 754: sqrt, rsqrt, reciprocal of a. */
static const struct {
  float a, sqrt, rsqrt, reciprocal;
} root[] = {
    {0, 0, INFINITY, INFINITY},
    {-0.0f, -0.0f, -INFINITY, -INFINITY},
    {4, 2, 0.5f, 0.25f},
    {-4, NAN, NAN, -0.25f},
    {INFINITY, INFINITY, 0, 0},
    {-INFINITY, NAN, NAN, -0.0f},
    {NAN, NAN, NAN, NAN},
    {0x1p-148f, 0x1p-74f, 0x1p74f, INFINITY},
    {0x1p126f, 0x1p63f, 0x1p-63f, 0x1p-126f},
    {-0x1p127f, NAN, NAN, -0x1p-127f},
};

START_TEST(of_roots)
{
  tensors d = begin(root[_i].a, 0, 3);
  ck_assert_int_eq(pm_sim.sqrt(&d.ex, N, d.a, d.y), PM_OK);
  ck_assert(is(d.y, root[_i].sqrt));
  ck_assert_int_eq(pm_sim.rsqrt(&d.ex, N, d.a, d.y), PM_OK);
  ck_assert(is(d.y, root[_i].rsqrt));
  ck_assert_int_eq(pm_sim.reciprocal(&d.ex, N, d.a, d.y), PM_OK);
  ck_assert(is(d.y, root[_i].reciprocal));
  end(&d);
}
END_TEST

/* g / (2 y), where 2 y overflows or g / 2 is no number of f32. */
static const struct {
  float y, g, da;
} slope[] = {
    {0, 3, INFINITY},
    {-0.0f, 3, -INFINITY},
    {0, 0, NAN},
    {INFINITY, 3, 0},
    {INFINITY, INFINITY, NAN},
    {0x1p127f, 0x1p127f, 0.5f},
    {0x1p127f, 0x1p-10f, 0x1p-138f},
    {-0x1.8p127f, 0x1.8p127f, -0.5f},
    {0x1p-100f, 0x1p-149f, 0x1p-50f},
    {0.25f, 3 * 0x1p-149f, 6 * 0x1p-149f},
    {0x1p127f, 0x1p-149f, 0},
};

START_TEST(of_sqrt_vjp)
{
  tensors d = begin(slope[_i].y, 0, slope[_i].g);
  ck_assert_int_eq(pm_sim.sqrt_vjp(&d.ex, 0, N, d.a, d.g, d.y), PM_OK);
  ck_assert(is(d.y, slope[_i].da));
  end(&d);
}
END_TEST

/* a / b, and its gradients for the cotangent 3. */
static const struct {
  float a, b, y, da, db;
} ratio[] = {
    {1, 0, INFINITY, INFINITY, -INFINITY},
    {1, -0.0f, -INFINITY, -INFINITY, -INFINITY},
    {0, 0, NAN, INFINITY, NAN},
    {6, INFINITY, 0, 0, -0.0f},
    {INFINITY, INFINITY, NAN, 0, NAN},
    {6, -2, -3, -1.5f, -4.5f},
    {0x1p100f, 0x1p-100f, INFINITY, 0x1.8p101f, -INFINITY},
};

START_TEST(of_ratios)
{
  tensors d = begin(ratio[_i].a, ratio[_i].b, 3);
  ck_assert_int_eq(pm_sim.div(&d.ex, N, d.a, d.b, d.y), PM_OK);
  ck_assert(is(d.y, ratio[_i].y));
  ck_assert_int_eq(pm_sim.div_vjp(&d.ex, 0, N, d.a, d.b, d.g, d.y, d.z), PM_OK);
  ck_assert(is(d.y, ratio[_i].da) && is(d.z, ratio[_i].db));
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
  tensors d = begin(two[_i].a, two[_i].b, 3);
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
  tcase_add_loop_test(t, of_roots, 0, sizeof root / sizeof *root);
  tcase_add_loop_test(t, of_sqrt_vjp, 0, sizeof slope / sizeof *slope);
  tcase_add_loop_test(t, of_ratios, 0, sizeof ratio / sizeof *ratio);
  tcase_add_loop_test(t, of_two_inputs, 0, sizeof two / sizeof *two);
  return aid_main(s);
}
