/* The verdict on one element, and the null guard over it. */
#include "helpers.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../diffcheck/engine/diffcheck.h"

#define U 0x1p-24

/* One element against a band of one. */
static dc_verdict judge(dc_band b, float got)
{
  dc_verdict v;
  dc_verdict_init(&v);
  b.count = 1;
  dc_judge(&b, &got, &v);
  ck_assert_int_eq(v.elements, 1);
  return v;
}

static dc_band band(char cls, const double *v, const double *e)
{
  return (dc_band){.cls = cls, .v = v, .e = e, .count = 1, .tame = 1};
}

#define PASSES(b, got)               \
  do {                               \
    dc_verdict v_ = judge(b, got);   \
    ck_assert_int_eq(v_.failed, 0);  \
    ck_assert_int_eq(v_.vacuous, 0); \
  } while (0)
#define FAILS(b, got) ck_assert_int_eq(judge(b, got).failed, 1)

START_TEST(exact_class_is_bits)
{
  const double v[] = {0.1, 0.0, -0.0, NAN, INFINITY, -INFINITY, 1e300, 5e-324};
  for (const char *cls = "ER"; *cls; cls++) {
    PASSES(band(*cls, v, NULL), 0.1f);
    FAILS(band(*cls, v, NULL), nextafterf(0.1f, 1));
    FAILS(band(*cls, v, NULL), nextafterf(0.1f, 0));
    FAILS(band(*cls, v, NULL), NAN);
    PASSES(band(*cls, v + 1, NULL), 0.0f);
    FAILS(band(*cls, v + 1, NULL), -0.0f);
    PASSES(band(*cls, v + 2, NULL), -0.0f);
    FAILS(band(*cls, v + 2, NULL), 0.0f);
    PASSES(band(*cls, v + 3, NULL), NAN);
    PASSES(band(*cls, v + 3, NULL), -NAN);
    FAILS(band(*cls, v + 3, NULL), INFINITY);
    FAILS(band(*cls, v + 3, NULL), 0);
    PASSES(band(*cls, v + 4, NULL), INFINITY);
    FAILS(band(*cls, v + 4, NULL), FLT_MAX);
    FAILS(band(*cls, v + 4, NULL), -INFINITY);
    PASSES(band(*cls, v + 5, NULL), -INFINITY);
    PASSES(band(*cls, v + 6, NULL), INFINITY);
    PASSES(band(*cls, v + 7, NULL), 0.0f);
  }
}
END_TEST

START_TEST(exact_class_accumulates_in_one_rounding)
{
  const double v[] = {U};
  float old[] = {1};
  dc_band b = band('E', v, NULL);
  b.old = old;
  PASSES(b, 1.0f);
  FAILS(b, 1 + 0x1p-23f);
  FAILS(b, (float)U); /* `=` where `+=` was asked for */
}
END_TEST

START_TEST(bound_is_met_or_not)
{
  const double v[] = {2.0, -2.0}, e[] = {0x1p-10, 0x1p-10};
  for (const char *cls = "SCU"; *cls; cls++)
    for (int i = 0; i < 2; i++) {
      dc_band b = band(*cls, v + i, e + i);
      PASSES(b, (float)v[i]);
      PASSES(b, (float)(v[i] + 0x1p-10));
      PASSES(b, (float)(v[i] - 0x1p-10));
      FAILS(b, (float)(v[i] + 0x1p-10 + 0x1p-20));
      FAILS(b, (float)(v[i] - 0x1p-10 - 0x1p-20));
      FAILS(b, 0);
      FAILS(b, -(float)v[i]);
    }
}
END_TEST

START_TEST(nan_never_passes)
{
  const double v[] = {2.0, 0.0}, e[] = {0x1p-10, 1e30};
  for (int i = 0; i < 2; i++) {
    FAILS(band('S', v + i, e + i), NAN);
    FAILS(band('S', v + i, e + i), INFINITY);
    FAILS(band('C', v + i, e + i), -INFINITY);
  }
}
END_TEST

START_TEST(zero_is_zero_of_either_sign)
{
  const double v[] = {0.0}, e[] = {0.0};
  PASSES(band('S', v, e), 0.0f);
  PASSES(band('S', v, e), -0.0f);
  FAILS(band('S', v, e), FLT_TRUE_MIN);
}
END_TEST

START_TEST(kinds_of_the_reference_are_met)
{
  const double v[] = {NAN, INFINITY, -INFINITY}, e[] = {1, 1, 1};
  const float got[] = {NAN, INFINITY, -INFINITY, 1, FLT_MAX};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++) {
      dc_band b = band('C', v + i, e + i);
      if (i == j)
        PASSES(b, got[j]);
      else
        FAILS(b, got[j]);
      b.tame = 0; /* a partial result may have overflowed: nothing can be said */
      dc_verdict r = judge(b, got[j]);
      ck_assert_int_eq(r.failed, 0);
      ck_assert_int_eq(r.vacuous, 1);
    }
}
END_TEST

START_TEST(vacuous_is_counted_and_never_passed)
{
  const double v[] = {2.0, 2.0, 2.0, 2.0}, e[] = {INFINITY, NAN, 1e300, 2.5};
  for (int i = 0; i < 4; i++) {
    dc_verdict r = judge(band('C', v + i, e + i), 2.0f);
    ck_assert_int_eq(r.vacuous, 1);
    ck_assert_int_eq(r.failed, 0);
    ck_assert_int_eq(r.worst.output, -1); /* not counted among what was checked */
  }
  /* the bound would accept zero, but not this */
  dc_verdict r = judge(band('C', v + 3, e + 3), 10.0f);
  ck_assert_int_eq(r.failed, 1);
  ck_assert_int_eq(r.worst.output, 0);
}
END_TEST

START_TEST(class_r_adds_a_rounded_or_an_exact_value)
{
  const float a = 1 + 0x1p-12f, b = 1 + 0x1p-23f, old[] = {-1};
  const double v[] = {(double)a * b};
  dc_band r = band('R', v, NULL);
  r.old = old;
  float rounded = (float)v[0] + old[0], fused = fmaf(a, b, old[0]);
  ck_assert(rounded != fused);
  PASSES(r, rounded);
  PASSES(r, fused);
  FAILS(r, nextafterf(fused, 1));
  FAILS(r, nextafterf(rounded, fused < rounded ? 1 : 0));
  FAILS(r, (float)v[0]);
  /* past the middle of two f32 by less than f64 can hold: one rounding goes up */
  const float big[] = {1};
  const double half[] = {0x1p-24 + 0x1p-70};
  r = band('R', half, NULL);
  r.old = big;
  PASSES(r, 1 + 0x1p-23f);
}
END_TEST

/* Values that are no float32: within the bound, or as near as the float32 that is right. */
START_TEST(wide_values_are_judged_as_they_are)
{
  const double third = 1.0 / 3, v[] = {third, 1e39, INFINITY, 0.5, 1e-60}, e[] = {0x1p-30};
  const double step = fabs((double)(float)third - third);
  static const struct {
    char cls;
    int at, failed;
    double got;
  } all[] = {{'R', 0, 0, 1.0 / 3},
             {'R', 0, 0, (double)(1.0f / 3)},
             {'R', 0, 1, 0.3333},
             {'R', 1, 0, INFINITY},
             {'R', 1, 0, 1e39},
             {'R', 1, 1, 1.0001e39},
             {'R', 2, 1, 1e300},
             {'R', 2, 0, INFINITY},
             {'E', 3, 0, 0.5},
             {'E', 3, 1, 0.5 + 0x1p-52},
             {'E', 3, 1, NAN},
             {'R', 4, 0, 1e-60},
             {'R', 4, 0, 0},
             {'R', 4, 1, -0.0},
             {'C', 0, 0, 1.0 / 3 + 0x1p-31},
             {'C', 0, 1, 1.0 / 3 + 0x1p-29}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    dc_verdict r;
    dc_band b = band(all[i].cls, v + all[i].at, e);
    dc_verdict_init(&r);
    dc_judge_wide(&b, &all[i].got, &r);
    ck_assert_msg(r.failed == all[i].failed, "case %zu: %.17g", i, all[i].got);
    ck_assert_msg(r.worst.got == all[i].got || isnan(all[i].got), "case %zu", i);
  }
  /* on either side, to the width of a rounding */
  for (int side = -1; side <= 1; side += 2)
    for (int k = 0; k < 2; k++) {
      double got = third + side * step * (k ? 1.001 : 0.999);
      dc_verdict r;
      dc_band b = band('R', v, NULL);
      dc_verdict_init(&r);
      dc_judge_wide(&b, &got, &r);
      ck_assert_int_eq(r.failed, k);
    }
}
END_TEST

START_TEST(accumulated_bound_has_one_rounding_more)
{
  const double v[] = {1.0}, e[] = {0.0};
  float old[] = {3};
  dc_band b = band('S', v, e);
  b.old = old;
  PASSES(b, 4.0f);
  PASSES(b, nextafterf(4.0f, 0));
  FAILS(b, 4.0f * (1 + 4 * (float)U));
  FAILS(b, 1.0f);
  FAILS(b, 3.0f);
}
END_TEST

START_TEST(integer_tier_has_no_tolerance)
{
  const double v[] = {12.0}, e[] = {1.0};
  dc_band b = band('S', v, e);
  b.exact = 1;
  PASSES(b, 12.0f);
  FAILS(b, nextafterf(12.0f, 0));
  FAILS(b, 13.0f);
}
END_TEST

START_TEST(worst_element_is_named)
{
  const double v[] = {1, 2, 3, 4}, e[] = {0.5, 0.5, 0.5, 0.5};
  const float got[] = {1, 2.25f, 4, 4}, good[] = {1, 2.25f, 3, 4}, nan[] = {1, 2.25f, 4, NAN};
  dc_band b = {.cls = 'S', .output = 1, .first = 100, .count = 4, .v = v, .e = e, .tame = 1};
  dc_verdict r;
  dc_verdict_init(&r);
  dc_judge(&b, good, &r);
  ck_assert_int_eq(r.failed, 0);
  ck_assert_int_eq(r.worst.index, 101);
  ck_assert_double_eq(r.worst.err, 0.25);
  ck_assert(r.worst.ratio > 0.49 && r.worst.ratio <= 0.5);
  dc_judge(&b, got, &r); /* the same verdict takes the next slice */
  ck_assert_int_eq(r.elements, 8);
  ck_assert_int_eq(r.failed, 1);
  ck_assert_int_eq(r.worst.output, 1);
  ck_assert_int_eq(r.worst.index, 102);
  ck_assert_double_eq(r.worst.want, 3);
  ck_assert_double_eq(r.worst.got, 4);
  ck_assert_double_eq(r.worst.err, 1);
  ck_assert(r.worst.ratio > 1.99 && r.worst.ratio <= 2);
  dc_judge(&b, nan, &r);
  ck_assert_int_eq(r.failed, 3);
  ck_assert_int_eq(r.worst.index, 103);
  ck_assert(isinf(r.worst.ratio));
}
END_TEST

START_TEST(nothing_is_nothing)
{
  dc_band b = {.cls = 'S', .tame = 1};
  dc_verdict r;
  dc_verdict_init(&r);
  dc_judge(&b, NULL, &r);
  ck_assert_int_eq(r.elements, 0);
  ck_assert_int_eq(r.failed, 0);
  ck_assert_int_eq(r.worst.output, -1);
}
END_TEST

/* ---- null guard ---- */

enum { N = 4 };
static const double guard_v[N] = {1, -2, 3, 5}, narrow[N] = {1e-6, 1e-6, 1e-6, 1e-6};
static const float other[N] = {7, 7, 7, 7};
static const double half[N] = {0.5, -1, 1.5, 2};

static dc_guards guard(dc_band b, const float *identity, const double *halves, int weak)
{
  float scratch[N];
  dc_guards g;
  memset(&g, 0, sizeof g);
  b.count = N;
  ck_assert_int_eq(dc_guard(&b, identity, halves, scratch, &g), weak);
  return g;
}

START_TEST(guard_rejects_each_wrong_answer)
{
  float old[N] = {10, 20, 30, 40};
  for (int with_old = 0; with_old < 2; with_old++)
    for (const char *cls = "ERSC"; *cls; cls++) {
      dc_band b = {.cls = *cls, .v = guard_v, .e = narrow, .tame = 1};
      b.old = with_old ? old : NULL;
      if (!strchr("SC", *cls))
        b.e = NULL;
      dc_guards g = guard(b, other, half, 0);
      for (int k = 0; k < DC_N_NULLS; k++) {
        ck_assert_msg(g.rejected[k] == 1, "class %c, %s", *cls, dc_null_name((dc_null)k));
        ck_assert_int_eq(g.accepted[k], 0);
        ck_assert_int_eq(g.absent[k], 0);
      }
    }
}
END_TEST

/* A bound wide enough for zeros says so, wherever an element is not vacuous by itself. */
START_TEST(guard_reports_a_wide_bound)
{
  const double wide[N] = {0.45, 0.9, 1.4, 2.4};
  const double near[N] = {1.2, -2.2, 3.2, 5.2};
  const float close[N] = {1.1f, -2.1f, 3.1f, 5.1f};
  dc_band b = {.cls = 'S', .v = guard_v, .e = wide, .tame = 1};
  dc_guards g = guard(b, close, near, 1);
  ck_assert_int_eq(g.rejected[DC_NULL_ZERO], 1);
  ck_assert_int_eq(g.rejected[DC_NULL_CONSTANT], 1);
  ck_assert_int_eq(g.accepted[DC_NULL_IDENTITY], 1);
  ck_assert_int_eq(g.accepted[DC_NULL_HALF], 1);
  ck_assert_int_eq(g.rejected[DC_NULL_NUDGE], 1);
}
END_TEST

START_TEST(guard_is_absent_where_the_wrong_answer_is_right)
{
  const double zero[N] = {0, 0, 0, 0};
  const float zeros[N] = {0, 0, 0, 0};
  dc_band b = {.cls = 'S', .v = zero, .e = zero, .tame = 1};
  dc_guards g = guard(b, zeros, zero, 0);
  ck_assert_int_eq(g.absent[DC_NULL_ZERO], 1);
  ck_assert_int_eq(g.absent[DC_NULL_CONSTANT], 1);
  ck_assert_int_eq(g.absent[DC_NULL_IDENTITY], 1);
  ck_assert_int_eq(g.absent[DC_NULL_HALF], 1);
  ck_assert_int_eq(g.rejected[DC_NULL_NUDGE], 1);
  g = guard(b, NULL, NULL, 0);
  ck_assert_int_eq(g.absent[DC_NULL_IDENTITY] + g.rejected[DC_NULL_IDENTITY], 0);
  ck_assert_int_eq(g.absent[DC_NULL_HALF] + g.rejected[DC_NULL_HALF], 0);
}
END_TEST

START_TEST(guard_is_absent_where_all_is_vacuous)
{
  const double e[N] = {1e300, INFINITY, NAN, 6};
  dc_band b = {.cls = 'C', .v = guard_v, .e = e, .tame = 1};
  dc_guards g = guard(b, NULL, NULL, 0);
  ck_assert_int_eq(g.absent[DC_NULL_ZERO], 1);
  ck_assert_int_eq(g.absent[DC_NULL_NUDGE], 1);
}
END_TEST

START_TEST(names_are_distinct)
{
  for (int i = 0; i < DC_N_NULLS; i++)
    for (int j = 0; j < i; j++)
      ck_assert_str_ne(dc_null_name((dc_null)i), dc_null_name((dc_null)j));
  for (int i = 0; i < DC_N_FAULTS; i++)
    for (int j = 0; j < i; j++)
      ck_assert_str_ne(dc_fault_name((dc_fault)i), dc_fault_name((dc_fault)j));
}
END_TEST

int main(void)
{
  Suite *s = suite_create("verdict");
  TCase *t = tcase_create("element");
  suite_add_tcase(s, t);
  tcase_add_test(t, exact_class_is_bits);
  tcase_add_test(t, exact_class_accumulates_in_one_rounding);
  tcase_add_test(t, class_r_adds_a_rounded_or_an_exact_value);
  tcase_add_test(t, bound_is_met_or_not);
  tcase_add_test(t, nan_never_passes);
  tcase_add_test(t, zero_is_zero_of_either_sign);
  tcase_add_test(t, kinds_of_the_reference_are_met);
  tcase_add_test(t, vacuous_is_counted_and_never_passed);
  tcase_add_test(t, wide_values_are_judged_as_they_are);
  tcase_add_test(t, accumulated_bound_has_one_rounding_more);
  tcase_add_test(t, integer_tier_has_no_tolerance);
  tcase_add_test(t, worst_element_is_named);
  tcase_add_test(t, nothing_is_nothing);
  t = tcase_create("null guard");
  suite_add_tcase(s, t);
  tcase_add_test(t, guard_rejects_each_wrong_answer);
  tcase_add_test(t, guard_reports_a_wide_bound);
  tcase_add_test(t, guard_is_absent_where_the_wrong_answer_is_right);
  tcase_add_test(t, guard_is_absent_where_all_is_vacuous);
  tcase_add_test(t, names_are_distinct);
  return aid_main(s);
}
