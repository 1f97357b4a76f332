/* The elementary functions of the kernels: special values as C99 has them, and a fixed sample of
 * arguments against f64 within the declared ulps (scripts/sweep_math.cu takes every argument). */
#include "helpers.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../cuda/host/elementary.h"

#define SMALLEST 0x1p-149f

static double r_sigmoid(double x) { return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)); }
static double r_softplus(double x) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }

static const struct {
  const char *name;
  double (*f)(double), low, high; /* the range */
} real[] = {{"exp", exp, 0, INFINITY},
            {"expm1", expm1, -1, INFINITY},
            {"log", log, -INFINITY, INFINITY},
            {"log1p", log1p, -INFINITY, INFINITY},
            {"tanh", tanh, -1, 1},
            {"erf", erf, -1, 1},
            {"sigmoid", r_sigmoid, 0, 1},
            {"softplus", r_softplus, 0, INFINITY},
            {"softplus_short", r_softplus, 0, INFINITY},
            {"sigmoid_short", r_sigmoid, 0, 1},
            {"sin", sin, -1, 1},
            {"cos", cos, -1, 1}};
enum { FUNCTIONS = sizeof real / sizeof *real };

static const struct {
  const char *name;
  float x, y;
} special[] = {
    {"exp", 0, 1},
    {"exp", -0.0f, 1},
    {"exp", INFINITY, INFINITY},
    {"exp", -INFINITY, 0},
    {"exp", 89, INFINITY},
    {"exp", FLT_MAX, INFINITY},
    {"exp", -103, SMALLEST},
    {"exp", -104, 0},
    {"exp", -FLT_MAX, 0},
    {"exp", NAN, NAN},
    {"exp", SMALLEST, 1},
    {"expm1", 0, 0},
    {"expm1", -0.0f, -0.0f},
    {"expm1", SMALLEST, SMALLEST},
    {"expm1", -SMALLEST, -SMALLEST},
    {"expm1", INFINITY, INFINITY},
    {"expm1", -INFINITY, -1},
    {"expm1", -FLT_MAX, -1},
    {"expm1", 89, INFINITY},
    {"expm1", NAN, NAN},
    {"log", 1, 0},
    {"log", 0, -INFINITY},
    {"log", -0.0f, -INFINITY},
    {"log", INFINITY, INFINITY},
    {"log", -INFINITY, NAN},
    {"log", -SMALLEST, NAN},
    {"log", NAN, NAN},
    {"log1p", 0, 0},
    {"log1p", -0.0f, -0.0f},
    {"log1p", SMALLEST, SMALLEST},
    {"log1p", -SMALLEST, -SMALLEST},
    {"log1p", -1, -INFINITY},
    {"log1p", -1.0000001f, NAN},
    {"log1p", INFINITY, INFINITY},
    {"log1p", -INFINITY, NAN},
    {"log1p", NAN, NAN},
    {"tanh", 0, 0},
    {"tanh", -0.0f, -0.0f},
    {"tanh", SMALLEST, SMALLEST},
    {"tanh", -SMALLEST, -SMALLEST},
    {"tanh", INFINITY, 1},
    {"tanh", -INFINITY, -1},
    {"tanh", 20, 1},
    {"tanh", NAN, NAN},
    {"erf", 0, 0},
    {"erf", -0.0f, -0.0f},
    {"erf", SMALLEST, SMALLEST},
    {"erf", INFINITY, 1},
    {"erf", -INFINITY, -1},
    {"erf", 5, 1},
    {"erf", NAN, NAN},
    {"sigmoid", 0, 0.5f},
    {"sigmoid", -0.0f, 0.5f},
    {"sigmoid", INFINITY, 1},
    {"sigmoid_short", INFINITY, 1},
    {"sigmoid", -INFINITY, 0},
    {"sigmoid_short", -INFINITY, 0},
    {"sigmoid", FLT_MAX, 1},
    {"sigmoid", -103, SMALLEST},
    {"sigmoid", -104, 0},
    {"sigmoid", NAN, NAN},
    {"sigmoid_short", NAN, NAN},
    {"softplus", INFINITY, INFINITY},
    {"softplus_short", INFINITY, INFINITY},
    {"softplus", -INFINITY, 0},
    {"softplus_short", -INFINITY, 0},
    {"softplus", FLT_MAX, FLT_MAX},
    {"softplus", 100, 100},
    {"softplus", -103, SMALLEST},
    {"softplus", -104, 0},
    {"softplus", NAN, NAN},
    {"softplus_short", NAN, NAN},
    {"sin", 0, 0},
    {"sin", -0.0f, -0.0f},
    {"sin", SMALLEST, SMALLEST},
    {"sin", -SMALLEST, -SMALLEST},
    {"sin", INFINITY, NAN},
    {"sin", -INFINITY, NAN},
    {"sin", NAN, NAN},
    {"cos", 0, 1},
    {"cos", -0.0f, 1},
    {"cos", SMALLEST, 1},
    {"cos", INFINITY, NAN},
    {"cos", -INFINITY, NAN},
    {"cos", NAN, NAN},
};

static uint32_t bits(float x)
{
  uint32_t b;
  memcpy(&b, &x, sizeof b);
  return x == x ? b : 0x7fc00000u;
}

static float from_bits(uint32_t b)
{
  float x;
  memcpy(&x, &b, sizeof x);
  return x;
}

static const pm_elementary *ours(const char *name)
{
  const pm_elementary *e = pm_sim_elementary;
  while (e->f && strcmp(e->name, name) != 0)
    e++;
  ck_assert_msg(e->f != NULL, "no function %s", name);
  return e;
}

START_TEST(special_values)
{
  for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
    float y = ours(special[i].name)->f(special[i].x);
    ck_assert_msg(bits(y) == bits(special[i].y), "%s(%a) = %a, not %a", special[i].name,
                  (double)special[i].x, (double)y, (double)special[i].y);
  }
}
END_TEST

/* The spacing of floats at v, v finite; that of the smallest at 0. */
static double ulp(double v)
{
  int e;
  frexp(v, &e);
  return ldexp(1, v == 0 || e < -125 ? -149 : e - 24);
}

/* One argument out of each 4096 neighbours, the same ones in every run. */
static float sample(uint32_t i) { return from_bits(i << 12 | (i * 2654435761u >> 20)); }

/* Whether y is right for the real value v and the declared k; *off: its error in ulps. */
static int is_right(int f, float y, double v, double k, double *off)
{
  *off = 0;
  if (isnan(v))
    return isnan(y);
  if (fabs(v) >= 0x1.ffffffp127) /* halfway from the largest to what overflows */
    return y == (v > 0 ? INFINITY : -INFINITY);
  *off = fabs((double)y - v) / ulp(v);
  return *off <= k + 0.5 && (double)y >= real[f].low && (double)y <= real[f].high &&
         !signbit(y) == !signbit((float)v);
}

START_TEST(sample_is_within_the_declared_ulps)
{
  const pm_elementary *e = ours(real[_i].name);
  for (uint32_t i = 0; i < 1u << 20; i++) {
    float x = sample(i), y = e->f(x);
    double off;
    if (!is_right(_i, y, real[_i].f((double)x), e->k, &off))
      ck_abort_msg("%s(%a) = %a, %.3f ulp off", e->name, (double)x, (double)y, off);
  }
}
END_TEST

START_TEST(exp_down_has_the_bits_of_exp)
{
  const pm_elementary *e = ours("exp");
  for (uint32_t i = 0; i < 1u << 20; i++) {
    float x = sample(i);
    if (!(x > 0) && bits(pm_sim_expf_down(x)) != bits(e->f(x)))
      ck_abort_msg("at %a", (double)x);
  }
}
END_TEST

START_TEST(short_logarithms_have_the_bits_of_log)
{
  const pm_elementary *e = ours("log");
  for (uint32_t i = 0; i < 1u << 20; i++) {
    float x = sample(i), y = e->f(x);
    int normal = x >= FLT_MIN && x <= FLT_MAX;
    if (!(x <= 0) && bits(pm_sim_log_positive(x)) != bits(y))
      ck_abort_msg("positive, at %a", (double)x);
    if (normal && bits(pm_sim_log_finite(x)) != bits(y))
      ck_abort_msg("finite, at %a", (double)x);
    if (normal && bits(pm_sim_log_normal(x)) != bits(y))
      ck_abort_msg("normal, at %a", (double)x);
  }
  ck_assert(pm_sim_log_positive(INFINITY) == INFINITY && isnan(pm_sim_log_positive(NAN)));
  ck_assert(pm_sim_log_normal(INFINITY) == INFINITY && isnan(pm_sim_log_normal(NAN)));
}
END_TEST

/* The arguments of the sample, and many around -87, where the one form stops to follow e^x. */
START_TEST(softplus_and_has_the_bits_of_the_sum)
{
  const pm_elementary *e = ours("softplus_short");
  const float y[] = {0x1p-100f, 0x1.8p-100f, 0x1p-60f, 0x1p-20f, 1, FLT_MAX};
  for (uint32_t i = 0; i < 1u << 20; i++) {
    float x = i % 2 ? sample(i) : -86 - (float)i * 0x1p-18f, z = y[i / 2 % 6];
    float sum = e->f(x) + z, got = pm_sim_softplus_and(x, z);
    if (isnan(sum) ? !isnan(got) : bits(got) != bits(sum))
      ck_abort_msg("at %a and %a", (double)x, (double)z);
  }
}
END_TEST

/* A million arguments from the largest on down, and as many of all magnitudes. */
START_TEST(near_sin_and_cos_have_the_bits_of_sin_and_cos)
{
  const uint32_t most = bits(0.7853982f);
  for (uint32_t i = 0; i < 1u << 21; i++) {
    uint32_t to = i % 2 ? i / 2 : (uint32_t)(((uint64_t)i * most) >> 21);
    float x = from_bits((most - to) | (i / 2 % 2) << 31);
    if (bits(pm_sim_sin_near(x)) != bits(ours("sin")->f(x)))
      ck_abort_msg("sin at %a", (double)x);
    if (bits(pm_sim_cos_near(x)) != bits(ours("cos")->f(x)))
      ck_abort_msg("cos at %a", (double)x);
  }
}
END_TEST

/* Far arguments of sin and cos: the quadrant comes from bits of 2/pi that no float constant has. */
START_TEST(far_arguments_are_reduced)
{
  const float x[] = {0x1p20f,
                     1048576.1f,
                     0x1p31f,
                     0x1p62f,
                     1e10f,
                     1e22f,
                     0x1p127f,
                     FLT_MAX,
                     /* the float nearest to a multiple of pi/2 */ 0x1.f37c8ap95f};
  for (size_t i = 0; i < 2 * sizeof x / sizeof *x; i++) {
    float v = i & 1 ? -x[i / 2] : x[i / 2];
    double s = sin((double)v), c = cos((double)v);
    ck_assert_msg(fabs((double)ours("sin")->f(v) - s) <= ulp(s), "sin(%a)", (double)v);
    ck_assert_msg(fabs((double)ours("cos")->f(v) - c) <= ulp(c), "cos(%a)", (double)v);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("math");
  TCase *t = tcase_create("elementary");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, special_values);
  tcase_add_loop_test(t, sample_is_within_the_declared_ulps, 0, FUNCTIONS);
  tcase_add_test(t, exp_down_has_the_bits_of_exp);
  tcase_add_test(t, short_logarithms_have_the_bits_of_log);
  tcase_add_test(t, softplus_and_has_the_bits_of_the_sum);
  tcase_add_test(t, near_sin_and_cos_have_the_bits_of_sin_and_cos);
  tcase_add_test(t, far_arguments_are_reduced);
  return aid_main(s);
}
