/* Optimizer steps on the simulator: the rules of their attributes, the bias corrections, steps by
 * hand, and steps in place. What holds of every op's arguments is in test_launch.c. */
#include "device.h"

#include <math.h>
#include <string.h>

#include "../cuda/adam.h"

enum { N = 7 }; /* a vector and a rest */

typedef struct tensors {
  float *p, *g, *m, *v, *q, *r, *s; /* (N) each */
  pm_exec ex;
} tensors;

/* The attributes of adamw_step; adam_step has no decay. */
typedef struct numbers {
  float lr, beta1, beta2, eps, decay, c1, c2;
} numbers;

static const numbers GOOD = {0.5f, 0.5f, 0.75f, 1, 0.25f, 2, 4}; /* t = 1 */

static tensors begin(float p, float g, float m, float v)
{
  return (tensors){filled(N, p),      filled(N, g),      filled(N, m),      filled(N, v),
                   filled(N, POISON), filled(N, POISON), filled(N, POISON), {0}};
}

static void end(tensors *d)
{
  float *all[] = {d->p, d->g, d->m, d->v, d->q, d->r, d->s};
  for (int i = 0; i < 7; i++)
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

static pm_status adam(tensors *d, numbers a)
{
  return pm_sim.adam_step(&d->ex, N, a.lr, a.beta1, a.beta2, a.eps, a.c1, a.c2, d->p, d->g, d->m,
                          d->v, d->q, d->r, d->s);
}

static pm_status adamw(tensors *d, numbers a)
{
  return pm_sim.adamw_step(&d->ex, N, a.lr, a.beta1, a.beta2, a.eps, a.decay, a.c1, a.c2, d->p,
                           d->g, d->m, d->v, d->q, d->r, d->s);
}

static void refused(const tensors *d, pm_status s, const char *part, const char *and)
{
  refused_with(s, part, and);
  ck_assert(is(d->q, POISON) && is(d->r, POISON) && is(d->s, POISON));
}

/* Each attribute with what it may not be. */
static const struct {
  size_t at;
  const char *name, *rule;
  float bad[6];
} RULES[] = {
    {offsetof(numbers, lr),
     "lr = ",
     ">= 0 and finite",
     {-1, NAN, INFINITY, -INFINITY, -0x1p-149f, -1}},
    {offsetof(numbers, beta1), "beta1 = ", "< 1", {1, -0x1p-149f, NAN, INFINITY, -1, 2}},
    {offsetof(numbers, beta2), "beta2 = ", "< 1", {1, -0x1p-149f, NAN, -INFINITY, -1, 2}},
    {offsetof(numbers, eps),
     "eps = ",
     "> 0 and finite",
     {0, -0.0f, -1e-8f, NAN, INFINITY, -INFINITY}},
    {offsetof(numbers, decay),
     "weight_decay = ",
     ">= 0 and finite",
     {-1, NAN, INFINITY, -INFINITY, -0x1p-149f, -2}},
    /* of t = 0 it is infinite, of a negative t at most 0 */
    {offsetof(numbers, c1), "c1 = ", "t >= 1", {INFINITY, 0, -1, NAN, 0x1.fffffep-1f, -INFINITY}},
    {offsetof(numbers, c2), "c2 = ", "t >= 1", {INFINITY, 0, -1, NAN, 0x1.fffffep-1f, -INFINITY}},
};

START_TEST(attributes)
{
  tensors d = begin(1, 1, 0, 0);
  for (int i = 0; i < 6; i++) {
    numbers a = GOOD;
    memcpy((char *)&a + RULES[_i].at, &RULES[_i].bad[i], sizeof(float));
    refused(&d, adamw(&d, a), RULES[_i].name, RULES[_i].rule);
    if (RULES[_i].at != offsetof(numbers, decay))
      refused(&d, adam(&d, a), RULES[_i].name, RULES[_i].rule);
    if (RULES[_i].at == offsetof(numbers, lr))
      refused(&d, pm_sim.sgd_step(&d.ex, N, a.lr, d.p, d.g, d.q), RULES[_i].name, RULES[_i].rule);
  }
  end(&d);
}
END_TEST

/* The ends of what is allowed. */
START_TEST(attributes_at_their_limits)
{
  tensors d = begin(3, 1, 5, 2);
  numbers a = {0, 0, 0, 0x1p-149f, 0, 1, 1};
  ck_assert_int_eq(adamw(&d, a), PM_OK);
  ck_assert(is(d.q, 3) && is(d.r, 1) && is(d.s, 1)); /* nothing is kept of m and v, p stays */
  a.beta1 = a.beta2 = 0x1.fffffep-1f;
  ck_assert_int_eq(adam(&d, a), PM_OK);
  ck_assert(is(d.q, 3) && is(d.r, 0x1.3ffffep2f) && is(d.s, 2));
  end(&d);
}
END_TEST

/* p, g, m, v and q, m', v' by GOOD's numbers: m' = m/2 + g/2, v' = 3v/4 + g^2/4,
 * q = 7p/8 - m'/(2 sqrt(v') + 1), and q + p/8 without the decay. */
static const struct {
  float p, g, m, v, q, m_next, v_next;
} steps[] = {
    {8, 2, 0, 0, 7 - 1.0f / 3, 1, 1},
    {8, 4, 6, 0, 6, 5, 4},
    {-8, 4, -10, 16, -7 + 3 / 9.0f, -3, 16},
    {8, 0, 0, 0, 7, 0, 0}, /* no gradient: the decay alone */
    {0, 0, 0, 4, 0, 0, 3},
    {8, NAN, 6, 1, NAN, NAN, NAN},
    {8, INFINITY, 6, 1, NAN, INFINITY, INFINITY},
    {8, 2, 0, INFINITY, 7, 1, INFINITY},
    {INFINITY, 2, 0, 0, INFINITY, 1, 1},
    {8, 2, -INFINITY, 0, INFINITY, -INFINITY, 1},
    {8, 0, 0, NAN, NAN, 0, NAN},
};

START_TEST(a_step)
{
  tensors d = begin(steps[_i].p, steps[_i].g, steps[_i].m, steps[_i].v);
  for (int again = 0; again < 2; again++) {
    numbers a = GOOD;
    if (again)
      a.decay = 0;
    ck_assert_int_eq(adamw(&d, a), PM_OK);
    float q = steps[_i].q + (again ? steps[_i].p / 8 : 0);
    for (int i = 0; i < N; i++)
      ck_assert_msg(isnan(q)   ? isnan(d.q[i])
                    : isinf(q) ? d.q[i] == q
                               : fabsf(d.q[i] - q) <= 1e-6f,
                    "q[%d] is %.9g, must be %.9g", i, d.q[i], q);
    ck_assert(is(d.r, steps[_i].m_next) && is(d.s, steps[_i].v_next));
  }
  /* without a decay adam_step and adamw_step are the same */
  float *q = d.q;
  d.q = filled(N, POISON);
  ck_assert_int_eq(adam(&d, GOOD), PM_OK);
  ck_assert_mem_eq(d.q, q, N * sizeof *q);
  pm_sim.free(q);
  end(&d);
}
END_TEST

/* Of t = 1, and of zero means, m' c1 = g and v' c2 = g^2: every parameter moves by lr. */
START_TEST(first_step_is_lr)
{
  tensors d = begin(1, 0x1p-20f, 0, 0);
  numbers a = {0x1p-10f, 0.9f, 0.999f, 0x1p-80f, 0, 0, 0};
  ck_assert_int_eq(pm_bias_correction(a.beta1, 1, &a.c1), PM_OK);
  ck_assert_int_eq(pm_bias_correction(a.beta2, 1, &a.c2), PM_OK);
  ck_assert_int_eq(adam(&d, a), PM_OK);
  for (int i = 0; i < N; i++)
    ck_assert(fabsf(d.q[i] - (1 - 0x1p-10f)) <= 0x1p-24f);
  end(&d);
}
END_TEST

static const struct {
  float beta;
  int64_t t;
  double want;
} corrections[] = {
    {0, 1, 1},
    {0, INT64_MAX, 1},
    {0.5f, 1, 2},
    {0.5f, 2, 4 / 3.0},
    {0.5f, 1000, 1},
    {0x1.fffffep-1f, 1, 0x1p24},
    {0x1.fffffep-1f, 2, 0x1p23 * (1 + 0x1p-25)},
    {0x1.fffffep-1f, INT64_MAX, 1},
};

START_TEST(bias_corrections)
{
  float c = 0;
  ck_assert_int_eq(pm_bias_correction(corrections[_i].beta, corrections[_i].t, &c), PM_OK);
  ck_assert_msg(c == (float)corrections[_i].want, "%.9g, must be %.9g", c, corrections[_i].want);
}
END_TEST

START_TEST(bad_corrections)
{
  static const float bad[] = {1, -0x1p-149f, NAN, 2, -1, INFINITY};
  static const int64_t early[] = {0, -1, INT64_MIN};
  float c = 17;
  for (int i = 0; i < 6; i++)
    refused_with(pm_bias_correction(bad[i], 1, &c), "beta = ", "< 1");
  for (int i = 0; i < 3; i++)
    refused_with(pm_bias_correction(0.9f, early[i], &c), "t = ", ">= 1");
  refused_with(pm_bias_correction(0.9f, 1, NULL), "correction = NULL", "");
  ck_assert(c == 17);
}
END_TEST

/* Outputs in place of inputs: the same bits, by vectors and one by one. Only where each replaces
 * its own input, and all of it. */
START_TEST(in_place)
{
  static const char *const variants[] = {"vec4", "scalar"};
  tensors d = begin(1, 0.25f, 3, 2), e = begin(1, 0.25f, 3, 2);
  for (int i = 0; i < N; i++)
    d.g[i] = e.g[i] = (float)(i - 3);
  d.ex.variant = e.ex.variant = variants[_i];
  ck_assert_int_eq(adamw(&d, GOOD), PM_OK);
  ck_assert_int_eq(pm_sim.adamw_step(&e.ex, N, GOOD.lr, GOOD.beta1, GOOD.beta2, GOOD.eps,
                                     GOOD.decay, GOOD.c1, GOOD.c2, e.p, e.g, e.m, e.v, e.p, e.m,
                                     e.v),
                   PM_OK);
  ck_assert_mem_eq(d.q, e.p, N * sizeof(float));
  ck_assert_mem_eq(d.r, e.m, N * sizeof(float));
  ck_assert_mem_eq(d.s, e.v, N * sizeof(float));
  ck_assert_int_eq(pm_sim.sgd_step(&d.ex, N, 0.5f, d.p, d.g, d.q), PM_OK);
  ck_assert_int_eq(pm_sim.sgd_step(&d.ex, N, 0.5f, d.p, d.g, d.p), PM_OK);
  ck_assert_mem_eq(d.q, d.p, N * sizeof(float));
  end(&d);
  end(&e);
}
END_TEST

START_TEST(in_another_place)
{
  tensors d = begin(1, 1, 1, 1);
  tensors e = d;
  e.q = d.m;
  refused(&d, adam(&e, GOOD), "q = ", "overlaps");
  e = d, e.r = d.p;
  refused(&d, adam(&e, GOOD), "m_next = ", "overlaps");
  e = d, e.s = d.g;
  refused(&d, adam(&e, GOOD), "v_next = ", "overlaps");
  e = d, e.q = e.r = d.m;
  refused(&d, adam(&e, GOOD), "overlaps", "");
  e = d, e.p = e.q = NULL;
  refused(&d, adam(&e, GOOD), "p = NULL", "");
  refused(&d, pm_sim.sgd_step(&d.ex, N - 1, 1, d.p, d.g, d.p + 1), "q = ", "overlaps");
  refused(&d, pm_sim.sgd_step(&d.ex, N, 1, d.p, d.g, d.g), "q = ", "overlaps");
  ck_assert(is(d.p, 1) && is(d.g, 1) && is(d.m, 1) && is(d.v, 1));
  ck_assert_int_eq(pm_sim.sgd_step(&d.ex, 0, 1, NULL, NULL, NULL), PM_OK);
  end(&d);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("optimizer");
  TCase *t = tcase_create("steps");
  suite_add_tcase(s, t);
  tcase_add_loop_test(t, attributes, 0, sizeof RULES / sizeof *RULES);
  tcase_add_test(t, attributes_at_their_limits);
  tcase_add_loop_test(t, a_step, 0, sizeof steps / sizeof *steps);
  tcase_add_test(t, first_step_is_lr);
  tcase_add_loop_test(t, bias_corrections, 0, sizeof corrections / sizeof *corrections);
  tcase_add_test(t, bad_corrections);
  tcase_add_loop_test(t, in_place, 0, 2);
  tcase_add_test(t, in_another_place);
  return aid_main(s);
}
