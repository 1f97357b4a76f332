/* The nodes of the error bounds against brute force: f32 numbers are drawn from the operands'
 * pairs, the node's operation is done in f32, and the result must lie within the node's pair of
 * the real value, which long double gives. Each node is also near enough to sharp. */
#include "helpers.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "../ref/accumulate.h"
#include "../ref/pair.h"

static const arith A = {.u = 0x1p-24,
                        .eta = 0x1p-150,
                        .big = FLT_MAX,
#define ULPS(name, undeclared) .k_##name = 2,
#include "../spec/elementary.def"
                        .alpha = 1,
                        .h = 1,
                        .h2 = 1};

static uint64_t state = 1;

static uint64_t draw(void)
{
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static double unit(void) { return (double)(draw() >> 11) * 0x1p-53; } /* [0, 1) */
static int below(int n) { return (int)(draw() % (uint64_t)n); }
static double sign(void) { return draw() & 1 ? 1 : -1; }

/* A pair whose value has an exponent within +-span, and no error, or some ulps, or a large one. */
static pair any(int span)
{
  double v = sign() * ldexp(1 + unit(), below(2 * span + 1) - span);
  double wide[] = {0, 3 * A.u * fabs(v), unit() * 1e-3 * fabs(v), unit() * 0.5 * fabs(v)};
  int k = below(4);
  if (k == 0)
    v = (float)v;
  return pair_make(v, wide[k] + (k ? 0x1p-149 : 0));
}

/* An f32 number that the pair stands for. The ends are drawn more often than chance would. */
static float member(pair a)
{
  int k = below(4);
  double x = k == 0 ? a.v - a.e : k == 1 ? a.v + a.e : a.v + (2 * unit() - 1) * a.e;
  float c = (float)x;
  if (!(fabs((double)c - a.v) <= a.e))
    c = nextafterf(c, (float)(c > a.v ? -INFINITY : INFINITY));
  return c;
}

static int stands_for(pair a, float c) { return fabs((double)c - a.v) <= a.e; }

/* The largest error over bound met, over every draw of a node. */
typedef struct sharp {
  double worst;
  int checked, vacuous;
} sharp;

static void within(sharp *s, pair p, long double real, float c)
{
  if (p.e >= VACUOUS) {
    s->vacuous++;
    return;
  }
  double err = (double)fabsl(c - real);
  s->checked++;
  /* long double has the real value to half a unit of its own */
  ck_assert_msg(err <= p.e * (1 + 0x1p-20) + 0x1p-64 * (double)fabsl(real),
                "%a is %a from %La: bound %a", (double)c, err, real, p.e);
  if (p.e > 0 && err / p.e > s->worst)
    s->worst = err / p.e;
}

#define DRAWS 50000

/* Every node is checked on most draws and reaches `least` of its bound on some. */
static void settle(sharp s, double least)
{
  ck_assert_int_gt(s.checked, DRAWS / 2);
  ck_assert_msg(s.worst >= least, "at most %g of the bound is met", s.worst);
}

START_TEST(constant_negation)
{
  sharp s = {0};
  for (int i = 0; i < DRAWS; i++) {
    double v = sign() * ldexp(1 + unit(), below(290) - 160);
    within(&s, pair_const(A, v), v, (float)v);
    pair a = any(100), n = pair_neg(a);
    ck_assert_double_eq(n.v, -a.v);
    ck_assert_double_eq(n.e, a.e);
  }
  settle(s, 0.99);
}
END_TEST

START_TEST(sum_and_difference_of_two)
{
  sharp s = {0}, d = {0};
  for (int i = 0; i < DRAWS; i++) {
    int span = i % 2 ? 2 : 140;
    pair a = any(span), b = any(span);
    float x = member(a), y = member(b);
    if (!stands_for(a, x) || !stands_for(b, y))
      continue;
    within(&s, pair_add(A, a, b), (long double)a.v + b.v, x + y);
    within(&d, pair_sub(A, a, b), (long double)a.v - b.v, x - y);
  }
  settle(s, 0.9);
  settle(d, 0.9);
}
END_TEST

START_TEST(product)
{
  sharp s = {0}, t = {0};
  for (int i = 0; i < DRAWS; i++) {
    int span = i % 2 ? 2 : 60;
    pair a = any(span), b = any(span), c = any(span);
    float x = member(a), y = member(b), z = member(c);
    if (!stands_for(a, x) || !stands_for(b, y) || !stands_for(c, z))
      continue;
    long double real = (long double)a.v * b.v;
    within(&s, pair_mul(A, a, b), real, x * y);
    pair p = pair_mul3(A, a, b, c);
    within(&t, p, real * c.v, x * y * z);
    within(&t, p, real * c.v, x * (y * z));
    within(&t, p, real * c.v, x * z * y);
  }
  settle(s, 0.9);
  settle(t, 0.9);
}
END_TEST

START_TEST(fused_product_sum)
{
  sharp s = {0};
  for (int i = 0; i < DRAWS; i++) {
    pair a = any(20), b = any(20), c = any(20);
    float x = member(a), y = member(b), z = member(c);
    if (stands_for(a, x) && stands_for(b, y) && stands_for(c, z))
      within(&s, pair_add(A, pair_mul(A, a, b), c), (long double)a.v * b.v + c.v, fmaf(x, y, z));
  }
  settle(s, 0.5);
}
END_TEST

START_TEST(quotient)
{
  sharp one = {0}, two = {0};
  for (int i = 0; i < DRAWS; i++) {
    int span = i % 2 ? 2 : 120;
    pair a = any(span), b = any(span);
    float x = member(a), y = member(b);
    if (!stands_for(a, x) || !stands_for(b, y))
      continue;
    long double real = (long double)a.v / b.v;
    within(&one, pair_quo(A, a, b, 1), real, x / y);
    within(&two, pair_quo(A, a, b, 2), real, x / y);
    within(&two, pair_quo(A, a, b, 2), real, x * (1 / y));
  }
  settle(one, 0.9);
  settle(two, 0.6);
}
END_TEST

/* A function within k ulp of the rounded result, as the declaration has it. */
static float off(float rounded, int k)
{
  for (int i = below(k + 1); i > 0; i--)
    rounded = nextafterf(rounded, INFINITY);
  for (int i = below(k + 1); i > 0; i--)
    rounded = nextafterf(rounded, -INFINITY);
  return rounded;
}

START_TEST(exponential)
{
  sharp s = {0};
  for (int i = 0; i < DRAWS; i++) {
    double v = sign() * ldexp(1 + unit(), below(12) - 6);
    pair a = pair_make(v, below(2) ? unit() * 0x1p-20 * fabs(v) : unit() * 0.3);
    float x = member(a);
    if (stands_for(a, x))
      within(&s, pair_exp(A, a), expl(v), off((float)expl(x), 2));
  }
  settle(s, 0.6);
}
END_TEST

START_TEST(hyperbolic_tangent)
{
  sharp s = {0};
  int saturated = 0;
  for (int i = 0; i < DRAWS; i++) {
    double v = sign() * ldexp(1 + unit(), below(14) - 8);
    pair a = pair_make(v, below(2) ? unit() * 0x1p-20 * fabs(v) : unit() * 0.3);
    float x = member(a), y = (float)tanhl(x);
    if (!stands_for(a, x))
      continue;
    /* at most 1, and 1 from 10 on, is asked of every tanh */
    y = fabsf(x) >= (float)TANH_SAT ? copysignf(1, x) : fmaxf(-1, fminf(1, off(y, 2)));
    saturated += pair_saturated(A, a);
    within(&s, pair_tanh(A, a), tanhl(v), y);
  }
  settle(s, 0.6);
  ck_assert_int_gt(saturated, 1000);
}
END_TEST

#define VACUOUS_IS(p) ck_assert_msg((p).e >= VACUOUS, "%s has e = %g", #p, (p).e)

static long double sqrt_(long double x) { return sqrtl(x); }
static long double sigmoid_(long double x) { return 1 / (1 + expl(-x)); }
static long double softplus_(long double x) { return x > 40 ? x : log1pl(expl(x)); }

/* The nodes of one function: node, real value, ulps, and the smallest argument. */
static const struct {
  const char *name;
  pair (*node)(arith, pair);
  long double (*real)(long double);
  int ulps;
  double from;
} FUNCTION[] = {
    {"sqrt", pair_sqrt, sqrt_, 0, 0},
    {"log", pair_log, logl, 2, 0x1p-149},
    {"log1p", pair_log1p, log1pl, 2, -1 + 0x1p-24},
    {"expm1", pair_expm1, expm1l, 2, -INFINITY},
    {"erf", pair_erf, erfl, 2, -INFINITY},
    {"sigmoid", pair_sigmoid, sigmoid_, 2, -INFINITY},
    {"softplus", pair_softplus, softplus_, 2, -INFINITY},
    {"sin", pair_sin, sinl, 2, -INFINITY},
    {"cos", pair_cos, cosl, 2, -INFINITY},
};

START_TEST(elementary_functions)
{
  sharp s = {0};
  for (int i = 0; i < DRAWS; i++) {
    double v = sign() * ldexp(1 + unit(), below(14) - 8);
    double wide[] = {0, unit() * 0x1p-20 * fabs(v), unit() * 0.3, unit() * 4};
    pair a = pair_make(v < FUNCTION[_i].from ? -v : v, wide[below(4)]);
    float x = member(a);
    if (stands_for(a, x) && (double)x >= FUNCTION[_i].from)
      within(&s, FUNCTION[_i].node(A, a), FUNCTION[_i].real(a.v),
             off((float)FUNCTION[_i].real(x), FUNCTION[_i].ulps));
  }
  settle(s, 0.6);
  VACUOUS_IS(FUNCTION[_i].node(A, pair_in(NAN)));
  VACUOUS_IS(FUNCTION[_i].node(A, pair_make(1, VACUOUS)));
  if (FUNCTION[_i].from > -INFINITY)
    VACUOUS_IS(FUNCTION[_i].node(A, pair_make(FUNCTION[_i].from, 0x1p-20)));
}
END_TEST

/* Adds the n terms up in a random tree, into the first one. */
static void add_up(float *node, int *height, int n)
{
  while (n > 1) {
    int p = below(n), q = below(n - 1);
    if (q >= p)
      q++;
    node[p] += node[q];
    height[p] = 1 + (height[p] > height[q] ? height[p] : height[q]);
    node[q] = node[--n];
    height[q] = height[n];
  }
}

/* n terms added up in a random tree; its height is what is declared. */
START_TEST(sum_of_any_tree)
{
  enum { MOST = 40 };
  sharp s = {0};
  for (int i = 0; i < DRAWS; i++) {
    float node[MOST];
    int height[MOST], n = 1 + below(MOST);
    int span = i % 2 ? 1 : 30;
    long double real = 0;
    double sv = 0, sa = 0, se = 0;
    for (int j = 0; j < n; j++) {
      pair a = any(span);
      node[j] = member(a);
      if (!stands_for(a, node[j]))
        a = pair_in(node[j]);
      height[j] = 0;
      real += a.v, sv += a.v, sa += fabs(a.v), se += a.e;
    }
    add_up(node, height, n);
    within(&s, pair_sum(A, sv, sa, se, height[0]), real, node[0]);
  }
  settle(s, 0.5);
}
END_TEST

/* Products of f32 numbers added up in a random tree, fused or not. */
START_TEST(dot_of_any_tree)
{
  enum { MOST = 40 };
  sharp s = {0};
  for (int i = 0; i < DRAWS; i++) {
    float node[MOST];
    int height[MOST], n = 1 + below(MOST), span = i % 3 == 0 ? 70 : 1;
    long double real = 0, magnitude = 0;
    for (int j = 0; j < n; j++) {
      float a = (float)any(span).v, b = (float)any(span).v;
      node[j] = a * b;
      height[j] = 0;
      real += (long double)a * b;
      magnitude += fabsl((long double)a * b);
      if (j > 0 && below(4) == 0) { /* into the sum of the one before, in one rounding */
        node[j] = fmaf(a, b, node[j - 1]);
        height[j] = height[j - 1] + 1;
        node[j - 1] = 0;
        height[j - 1] = 0;
      }
    }
    add_up(node, height, n);
    within(&s, pair_dot(A, (double)real, (double)magnitude, n, height[0]), real, node[0]);
  }
  settle(s, 0.4);
}
END_TEST

START_TEST(vacuous_survives_every_node)
{
  pair bad = pair_make(1, VACUOUS), ok = pair_in(1), zero = pair_in(0);
  VACUOUS_IS(pair_neg(bad));
  VACUOUS_IS(pair_add(A, bad, ok));
  VACUOUS_IS(pair_add(A, ok, bad));
  VACUOUS_IS(pair_sub(A, bad, bad));
  VACUOUS_IS(pair_mul(A, bad, zero));
  VACUOUS_IS(pair_mul(A, zero, bad));
  VACUOUS_IS(pair_mul3(A, zero, bad, zero));
  VACUOUS_IS(pair_mul3(A, zero, zero, bad));
  VACUOUS_IS(pair_quo(A, bad, ok, 1));
  VACUOUS_IS(pair_quo(A, zero, bad, 2));
  VACUOUS_IS(pair_exp(A, bad));
  VACUOUS_IS(pair_exp(A, pair_make(-1e5, VACUOUS)));
  VACUOUS_IS(pair_tanh(A, bad));
  VACUOUS_IS(pair_rnd(A, 0, VACUOUS, 1));
  VACUOUS_IS(pair_sum(A, 0, 0, VACUOUS, 0));
}
END_TEST

START_TEST(what_cannot_be_known_is_vacuous)
{
  pair big = pair_in(FLT_MAX), half = pair_in(FLT_MAX / 2);
  VACUOUS_IS(pair_add(A, big, big));
  ck_assert_double_lt(pair_add(A, half, pair_in(1)).e, VACUOUS);
  VACUOUS_IS(pair_mul(A, big, pair_in(2)));
  VACUOUS_IS(pair_mul3(A, big, big, pair_in(0))); /* a partial product overflows: Inf * 0 */
  VACUOUS_IS(pair_exp(A, pair_in(89)));
  VACUOUS_IS(pair_quo(A, pair_in(1), pair_in(0), 1));
  VACUOUS_IS(pair_quo(A, pair_in(1), pair_make(1, 1), 1)); /* the divisor may be 0 */
  VACUOUS_IS(pair_quo(A, pair_in(1), pair_make(1, 2), 1));
  VACUOUS_IS(pair_quo(A, pair_in(0), pair_in(0x1p-149), 2)); /* 1/b overflows */
  VACUOUS_IS(pair_sum(A, 0, 2.0 * FLT_MAX, 0, 3));
  VACUOUS_IS(pair_sum(A, 1, 1, 0, 0x1p24));
  VACUOUS_IS(pair_const(A, 1e39));
  double odd[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++) {
    VACUOUS_IS(pair_add(A, pair_in(odd[i]), pair_in(1)));
    VACUOUS_IS(pair_mul(A, pair_in(odd[i]), pair_in(1)));
    VACUOUS_IS(pair_sum(A, odd[i], fabs(odd[i]), 0, 1));
  }
  VACUOUS_IS(pair_exp(A, pair_in(NAN)));
  VACUOUS_IS(pair_tanh(A, pair_in(NAN)));
}
END_TEST

START_TEST(gamma_is_of_m_roundings)
{
  ck_assert_double_eq(pair_gam(A.u, 0), 0);
  ck_assert_double_eq(pair_gam(A.u, -3), 0);
  ck_assert(fabs(pair_gam(A.u, 1) - 0x1p-24) < 0x1p-47);
  ck_assert(pair_gam(A.u, 2) > 2 * A.u);
  ck_assert_double_ge(pair_gam(A.u, 0x1p24), VACUOUS);
  ck_assert_double_lt(pair_gam(A.u, 0x1p23), 1.01);
}
END_TEST

START_TEST(accumulation_adds)
{
  double v[] = {1, 2, 3}, out[] = {10, 20, 30, 40};
  ref_accumulate(3, v, out);
  ck_assert(out[0] == 11 && out[1] == 22 && out[2] == 33 && out[3] == 40);
  ref_accumulate(0, v, out);
  ck_assert_double_eq(out[0], 11);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("pair");
  TCase *t = tcase_create("nodes");
  suite_add_tcase(s, t);
  tcase_add_test(t, constant_negation);
  tcase_add_test(t, sum_and_difference_of_two);
  tcase_add_test(t, product);
  tcase_add_test(t, fused_product_sum);
  tcase_add_test(t, quotient);
  tcase_add_test(t, exponential);
  tcase_add_test(t, hyperbolic_tangent);
  tcase_add_loop_test(t, elementary_functions, 0, (int)(sizeof FUNCTION / sizeof *FUNCTION));
  tcase_add_test(t, sum_of_any_tree);
  tcase_add_test(t, dot_of_any_tree);
  tcase_add_test(t, vacuous_survives_every_node);
  tcase_add_test(t, what_cannot_be_known_is_vacuous);
  tcase_add_test(t, gamma_is_of_m_roundings);
  tcase_add_test(t, accumulation_adds);
  return aid_main(s);
}
