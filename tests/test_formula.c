/* Formulas over sizes: what they are worth, and what is none. */
#include "helpers.h"

#include <string.h>

#include "../diffcheck/foreign/formula.h"

static const formula_scope SCOPE = {
    .n = 4, .name = {"rows", "cols", "n", "ro"}, .value = {6, 33, INT64_MAX, 1}};

static const struct {
  const char *text;
  int64_t value;
} WORTH[] = {
    {"7", 7},
    {" rows ", 6},
    {"rows*cols", 198},
    {"rows * (cols + 1) / 4", 51},
    {"2 + 3 * 4 - 6 / 4 % 5", 13},
    {"20 - 3 - 2", 15},
    {"64 / 4 / 2", 8},
    {"-rows", -6},
    {"--rows", 6},
    {"-7 / 2", -3},
    {"-7 % 3", -1},
    {"cols % 4 == 1 && rows > 5", 1},
    {"cols % 4 == 0 || rows >= 7", 0},
    {"1 || 0 && 0", 1},
    {"!(rows == 6)", 0},
    {"!rows == 0", 1},
    {"rows != 6", 0},
    {"rows < cols", 1},
    {"rows <= 6", 1},
    {"3 > 2 > 1", 0},
    {"min(rows, cols) + max(rows, cols)", 39},
    {"max(min(1, 2), min(rows, ro))", 1},
    {"(cols + 31) / 32 * 32", 64},
    {"9223372036854775807", INT64_MAX},
    {"-9223372036854775807 - 1", INT64_MIN},
    {"n", INT64_MAX},
    /* what is passed over needs no value */
    {"rows == 0 && 1 / 0", 0},
    {"rows == 6 || n * n", 1},
    {"0 && (1 / 0 || 1 / 0)", 0},
};

START_TEST(what_they_are_worth)
{
  int64_t v = 0;
  dc_error err = {""};
  ck_assert_msg(formula_value(WORTH[_i].text, &SCOPE, &v, &err) == DC_OK, "%s", err.text);
  ck_assert_msg(v == WORTH[_i].value, "%s is %lld", WORTH[_i].text, (long long)v);
  ck_assert_int_eq(formula_check(WORTH[_i].text, &SCOPE, &err), DC_OK);
}
END_TEST

/* Forms that have no value here, though they may elsewhere. */
static const struct {
  const char *text, *why;
} WITHOUT[] = {
    {"n + 1", "overflows"},
    {"n * 2", "overflows"},
    {"-n - 2", "overflows"},
    {"-(-n - 1)", "overflows"},
    {"(-n - 1) / -1", "overflows"},
    {"(-n - 1) % -1", "overflows"},
    {"1 / (rows - 6)", "divides by 0"},
    {"1 % 0", "divides by 0"},
    {"rows == 6 && 1 / 0", "divides by 0"},
    {"0 || n * n", "overflows"},
};

START_TEST(without_a_value)
{
  int64_t v = 77;
  dc_error err = {""};
  ck_assert_int_eq(formula_value(WITHOUT[_i].text, &SCOPE, &v, &err), DC_TOO_BIG);
  ck_assert_text(err.text, WITHOUT[_i].why);
  ck_assert_int_eq(v, 77);
  ck_assert_int_eq(formula_check(WITHOUT[_i].text, &SCOPE, &err), DC_OK);
}
END_TEST

static const struct {
  const char *text, *why;
} NONE[] = {
    {"", "missing at its end"},
    {"rows +", "missing at its end"},
    {"rows cols", "'cols' follows"},
    {"row", "row is unknown; known: rows, cols, n, ro"},
    {"rowss", "unknown"},
    {"rows * * 2", "no name and no number"},
    {"(rows", "')' is missing"},
    {"rows)", "follows"},
    {"min(rows)", "',' is missing"},
    {"min(rows, cols", "')' is missing"},
    {"min", "'(' is missing"},
    {"9223372036854775808", "64 bits"},
    {"1.5", "whole ones"},
    {"2rows", "whole ones"},
    {"rows = 6", "follows"},
    {"rows & 6", "follows"},
    {"rows << 2", "no name and no number"},
    {"a_name_that_is_longer_than_any_name_of_a_size", "unknown"},
    {"\"rows\"", "no name and no number"},
    {"rows == 0 && nonsense", "nonsense is unknown"}, /* though it is passed over */
};

START_TEST(what_is_none)
{
  int64_t v = 77;
  dc_error err = {""};
  ck_assert_int_eq(formula_value(NONE[_i].text, &SCOPE, &v, &err), DC_INVALID);
  ck_assert_text(err.text, NONE[_i].why);
  ck_assert_int_eq(v, 77);
  ck_assert_int_eq(formula_check(NONE[_i].text, &SCOPE, NULL), DC_INVALID);
}
END_TEST

/* Any bytes are read to their end, or refused, in bounded depth. */
START_TEST(any_bytes)
{
  static const char LETTERS[] = "rowscn019 ()+-*/%<>=!&|,min\x80\x01";
  uint32_t state = 1;
  int64_t v;
  for (int i = 0; i < 10000; i++) {
    char text[24];
    int n = i % 23;
    for (int k = 0; k < n; k++) {
      state = state * 1664525u + 1013904223u;
      text[k] = LETTERS[(state >> 16) % (sizeof LETTERS - 1)];
    }
    text[n] = 0;
    dc_error err = {""};
    dc_status s = formula_value(text, &SCOPE, &v, &err);
    ck_assert_int_eq(s == DC_OK, err.text[0] == 0);
    if (s == DC_OK || s == DC_TOO_BIG) /* its form is one */
      ck_assert_msg(formula_check(text, &SCOPE, NULL) == DC_OK, "'%s'", text);
    else
      ck_assert_msg(formula_check(text, &SCOPE, NULL) != DC_OK, "'%s'", text);
  }
}
END_TEST

START_TEST(names_that_it_speaks_of)
{
  ck_assert_int_eq(formula_names("rows*cols", "rows"), 1);
  ck_assert_int_eq(formula_names("rows*cols", "cols"), 1);
  ck_assert_int_eq(formula_names("rows*cols", "row"), 0);
  ck_assert_int_eq(formula_names("rows*cols", "col"), 0);
  ck_assert_int_eq(formula_names("arows + 1", "rows"), 0);
  ck_assert_int_eq(formula_names("", "rows"), 0);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("formula");
  TCase *t = tcase_create("formula");
  suite_add_tcase(s, t);
  tcase_add_loop_test(t, what_they_are_worth, 0, (int)(sizeof WORTH / sizeof *WORTH));
  tcase_add_loop_test(t, without_a_value, 0, (int)(sizeof WITHOUT / sizeof *WITHOUT));
  tcase_add_loop_test(t, what_is_none, 0, (int)(sizeof NONE / sizeof *NONE));
  tcase_add_test(t, any_bytes);
  tcase_add_test(t, names_that_it_speaks_of);
  return aid_main(s);
}
