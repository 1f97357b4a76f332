/* Activations on the simulator: eps of safe_log, and what infinities, zeros and the largest numbers
 * give. What holds of every op's arguments is in test_launch.c. */
#include "device.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../ref/activation.h"

enum { N = 5 };
#define TINY 0x1p-149f

typedef struct tensors {
  float *a, *g, *y; /* (N) each */
  pm_exec ex;
} tensors;

static tensors begin(float a, float g)
{
  return (tensors){filled(N, a), filled(N, g), filled(N, POISON), {0}};
}

static void end(tensors *d)
{
  pm_sim.free(d->a);
  pm_sim.free(d->g);
  pm_sim.free(d->y);
}

/* All N elements of y are x; NaN is any NaN. */
static int is(const float *y, float x)
{
  for (int i = 0; i < N; i++)
    if (isnan(x) ? !isnan(y[i]) : y[i] != x)
      return 0;
  return 1;
}

START_TEST(eps_of_safe_log)
{
  static const float bad[] = {0, -0.0f, -1, -TINY, INFINITY, -INFINITY, NAN};
  tensors d = begin(1, 1);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ck_assert_int_eq(pm_sim.safe_log(&d.ex, N, bad[i], d.a, d.y), PM_BAD_ARGUMENT);
    ck_assert_text(pm_sim.error(), "safe_log: eps = ");
    ck_assert_text(pm_sim.error(), "must be > 0 and finite");
    ck_assert_int_eq(pm_sim.safe_log_vjp(&d.ex, 1, N, bad[i], d.a, d.g, d.y), PM_BAD_ARGUMENT);
    ck_assert_text(pm_sim.error(), "safe_log_vjp: eps = ");
    ck_assert(is(d.y, POISON));
  }
  ck_assert_int_eq(pm_sim.safe_log(&d.ex, N, TINY, d.a, d.y), PM_OK);
  ck_assert_int_eq(pm_sim.safe_log(&d.ex, N, FLT_MAX, d.a, d.y), PM_OK);
  end(&d);
}
END_TEST

/* Of an input a: y of each op, as PyTorch's CUDA kernels give it. */
static const struct {
  float a, exp, log, sigmoid, tanh, softplus, silu, gelu;
} corner[] = {
    {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
    {INFINITY, INFINITY, INFINITY, 1, 1, INFINITY, INFINITY, INFINITY},
    {-INFINITY, 0, NAN, 0, -1, 0, NAN, NAN},
    {FLT_MAX, INFINITY, 128 * 0x1.62e43p-1f, 1, 1, FLT_MAX, FLT_MAX, FLT_MAX},
    {-FLT_MAX, 0, NAN, 0, -1, 0, 0, 0},
    {0, 1, -INFINITY, 0.5f, 0, 0x1.62e43p-1f, 0, 0},
    {-0.0f, 1, -INFINITY, 0.5f, 0, 0x1.62e43p-1f, 0, 0},
    {100, INFINITY, 0x1.26bb1cp2f, 1, 1, 100, 100, 100},
    {-200, 0, NAN, 0, -1, 0, 0, 0},
    {TINY, 1, -149 * 0x1.62e43p-1f, 0.5f, TINY, 0x1.62e43p-1f, 0, 0},
};

/* y is x, or within two units in its last place. */
static int near(const float *y, float x)
{
  if (isnan(x) || isinf(x) || x == 0)
    return is(y, x);
  for (int i = 0; i < N; i++)
    if (!(fabsf(y[i] - x) <= fabsf(x) * 0x1p-22f))
      return 0;
  return 1;
}

START_TEST(corners)
{
  tensors d = begin(corner[_i].a, 1);
#define GIVES(op)                                         \
  ck_assert_int_eq(pm_sim.op(&d.ex, N, d.a, d.y), PM_OK); \
  ck_assert_msg(near(d.y, corner[_i].op), #op " of %g is %g", (double)corner[_i].a, (double)d.y[0])
  GIVES(exp);
  GIVES(log);
  GIVES(sigmoid);
  GIVES(tanh);
  GIVES(softplus);
  GIVES(silu);
  GIVES(gelu);
  end(&d);
}
END_TEST

/* safe_log where softplus vanishes beside eps, and eps beside softplus. */
START_TEST(corners_of_safe_log)
{
  static const float a[] = {NAN, INFINITY, -INFINITY, -FLT_MAX, FLT_MAX, 100};
  static const float y[] = {
      NAN, INFINITY, -2 * 0x1.62e43p-1f, -2 * 0x1.62e43p-1f, 128 * 0x1.62e43p-1f, 0x1.26e404p2f};
  static const float da[] = {NAN, 0, 0, 0, 1 / FLT_MAX, 1 / 100.25f};
  for (size_t i = 0; i < sizeof a / sizeof *a; i++) {
    tensors d = begin(a[i], 1);
    ck_assert_int_eq(pm_sim.safe_log(&d.ex, N, 0.25f, d.a, d.y), PM_OK);
    ck_assert_msg(near(d.y, y[i]), "safe_log of %g is %a", (double)a[i], (double)d.y[0]);
    ck_assert_int_eq(pm_sim.safe_log_vjp(&d.ex, 0, N, 0.25f, d.a, d.g, d.y), PM_OK);
    ck_assert_msg(near(d.y, da[i]), "safe_log_vjp of %g is %a", (double)a[i], (double)d.y[0]);
    end(&d);
  }
}
END_TEST

/* gelu' where its slope leaves the range of f32: tanh is 1 there, and the bound says something. And
 * where a kernel may have 0 because tanh is -1 in f32 before it is over the reals. */
START_TEST(far_out)
{
  static const arith A = {.u = 0x1p-24,
                          .eta = 0x1p-150,
                          .big = FLT_MAX,
#define ULPS(name, undeclared) .k_##name = undeclared,
#include "../spec/elementary.def"
                          .alpha = 2.25};
  static const double far[] = {1e19, 1e20, -1e20, FLT_MAX, -FLT_MAX, 20, -20}, g = 3;
  for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
    double da, e;
    ref_gelu_vjp(1, &far[i], &g, &da);
    bound_gelu_vjp(1, &far[i], &g, A, &e);
    ck_assert_double_eq_tol(da, far[i] > 0 ? 3 : 0, 0x1p-200);
    ck_assert_msg(e < 0x1p-20, "the bound at %g is %g", far[i], e);
  }
  for (double a = -7.5; a < -5.5; a += 0.0625) {
    double da, e;
    ref_gelu_vjp(1, &a, &g, &da);
    bound_gelu_vjp(1, &a, &g, A, &e);
    ck_assert_msg(e >= fabs(da), "the bound at %g is %g, and 0 is off by %g", a, e, fabs(da));
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("activation");
  TCase *t = tcase_create("attributes and corners");
  suite_add_tcase(s, t);
  tcase_add_test(t, eps_of_safe_log);
  tcase_add_loop_test(t, corners, 0, sizeof corner / sizeof *corner);
  tcase_add_test(t, corners_of_safe_log);
  tcase_add_test(t, far_out);
  return aid_main(s);
}
