/* The reference against values of more than a hundred bits (reference_values.tsv, which
 * reference_values.py writes): within 2^-40 of each that is a normal f32, within 2^-166 of each
 * that is less. And what it gives of NaN, infinities and the like. */
#include "helpers.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/diffcheck.h"
#include "../ref/ref.h"

#define TABLE "tests/reference_values.tsv"
#define RELATIVE 0x1p-40
#define NORMAL 0x1p-126

static int right(double got, double want)
{
  if (isnan(want))
    return isnan(got);
  if (isinf(want))
    return got == want;
  return fabs(got - want) <= RELATIVE * fmax(fabs(want), NORMAL);
}

/* The elements of a tensor, cut off the front of *text; free them. */
static double *elements(char **text, int64_t count)
{
  double *x = malloc((size_t)(count + 1) * sizeof *x);
  char *part = strsep(text, ";");
  ck_assert_ptr_nonnull(part);
  for (int64_t i = 0; i < count; i++) {
    char *end;
    x[i] = strtod(part, &end);
    ck_assert_msg(end != part, "element %lld of %lld is missing", (long long)i, (long long)count);
    part = end;
  }
  ck_assert_msg(part[strspn(part, " ")] == 0, "more than %lld elements: %s", (long long)count,
                part);
  return x;
}

/* A tensor as a case is given it. */
static void *as_given(dc_dtype type, const double *x, int64_t count)
{
  void *mem = malloc((size_t)(count + 1) * sizeof(int64_t));
  int64_t *ix = mem;
  float *f = mem;
  for (int64_t i = 0; i < count; i++)
    if (type == DC_I64)
      ix[i] = (int64_t)x[i];
    else
      f[i] = (float)x[i];
  return mem;
}

/* One line of the table: op, sizes, attributes, inputs, outputs. Counts the elements. */
static void check_line(char *line, int number, int64_t *checked)
{
  char *field[5];
  for (int i = 0; i < 5; i++) {
    field[i] = strsep(&line, "\t\n");
    ck_assert_msg(field[i] != NULL, "line %d has %d fields", number, i);
  }
  const dc_op *op = dc_op_find(field[0]);
  ck_assert_msg(op != NULL, "line %d: no op %s", number, field[0]);
  dc_case c;
  dc_case_init(&c, op);
  for (int i = 0; i < op->n_dims; i++)
    c.size[i] = strtoll(field[1], &field[1], 10);
  for (int i = 0; i < op->n_attrs; i++)
    c.attr[i] = strtod(field[2], &field[2]);
  void *given[DC_TENSORS] = {NULL};
  double *want[DC_OUTPUTS] = {NULL}, *got[DC_OUTPUTS] = {NULL};
  for (int t = 0; t < op->n_in; t++) {
    int64_t count = dc_count(op, t, c.size, c.attr);
    double *x = elements(&field[3], count);
    c.given[t] = given[t] = as_given(op->tensor[t].dtype, x, count);
    free(x);
  }
  for (int o = 0; o < op->n_out; o++) {
    int64_t count = dc_count(op, op->n_in + o, c.size, c.attr);
    want[o] = elements(&field[4], count);
    got[o] = calloc((size_t)count + 1, sizeof *got[o]);
  }
  dc_problem p;
  dc_error err;
  ck_assert_msg(dc_problem_make(&p, &c, &err) == DC_OK, "line %d: %s", number, err.text);
  ck_assert_msg(dc_reference(&p, got, &err) == DC_OK, "line %d: %s", number, err.text);
  for (int o = 0; o < op->n_out; o++)
    for (int64_t i = 0; i < dc_count(op, op->n_in + o, c.size, c.attr); i++, ++*checked)
      ck_assert_msg(right(got[o][i], want[o][i]),
                    "line %d: %s: %s[%lld] is %a, must be %a: off by %g of it, at most 2^-40",
                    number, op->name, op->tensor[op->n_in + o].name, (long long)i, got[o][i],
                    want[o][i], fabs(got[o][i] - want[o][i]) / fabs(want[o][i]));
  dc_problem_free(&p);
  for (int t = 0; t < DC_TENSORS; t++)
    free(given[t]);
  for (int o = 0; o < op->n_out; o++) {
    free(want[o]);
    free(got[o]);
  }
}

/* All lines of an op. What computes nothing needs none. */
START_TEST(values)
{
  const dc_op *op = dc_op_at(_i);
  size_t name = strlen(op->name), room = 0;
  int64_t checked = 0;
  char *line = NULL;
  FILE *f = fopen(TABLE, "r");
  ck_assert_msg(f != NULL, TABLE ": cannot be read");
  for (int number = 1; getline(&line, &room, f) > 0; number++)
    if (!strncmp(line, op->name, name) && line[name] == '\t')
      check_line(line, number, &checked);
  free(line);
  fclose(f);
  ck_assert_msg(checked || strspn(op->classes, "E") == strlen(op->classes),
                "no value of %s in " TABLE, op->name);
}
END_TEST

/* exp with what it loses, against long double, whose last bit but one that is. */
START_TEST(what_exp_loses)
{
  for (int i = -6900; i <= 6900; i++) {
    double x = i * 0x1.999999999999ap-4;
    long double all = (long double)r_exp(x) + r_exp_lost(x), want = expl(x);
    ck_assert_msg(fabsl(all - want) <= 0x1p-62L * want, "exp(%a) and what it loses is %La", x, all);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("reference");
  TCase *t = tcase_create("values");
  suite_add_tcase(s, t);
  tcase_add_test(t, what_exp_loses);
  tcase_add_loop_test(t, values, 0, dc_n_ops());
  return aid_main(s);
}
