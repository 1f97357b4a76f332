/* Whether an error bound grew since the last release, on a fixed sample: every bound that is wider
 * accepts more wrong kernels, and no proof nor run of a right kernel would show it.
 * test_growth --write: the figures of this tree on standard output, for docs/results/bounds.txt. */
#include "helpers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"

#define RELEASED "docs/results/bounds.txt"
enum { DRAWS = 8, ROWS = 2048 };
#define SLACK 1.001 /* libm's last digits */

/* An output of a kernel, all draws together. Vacuous: no bound, or one of 1e300 and above. */
typedef struct row {
  char name[80]; /* OP VARIANT OUTPUT */
  int64_t elements, vacuous, zeros;
  double mean, most; /* of the bounds that are neither: geometric mean, maximum */
} row;
static row rows[ROWS], released[ROWS];
static int n_rows, n_released;

/* --write runs outside of the suite. */
static void need(int good, const char *what)
{
  if (!good) {
    fprintf(stderr, "test_growth: %s\n", what);
    exit(2);
  }
}

static void add(row *r, int64_t n, const double *e)
{
  for (int64_t i = 0; i < n; i++) {
    r->elements++;
    if (!(e[i] < 1.0e300))
      r->vacuous++;
    else if (e[i] == 0)
      r->zeros++;
    else {
      r->mean += log(e[i]);
      r->most = fmax(r->most, e[i]);
    }
  }
}

/* Adds the bounds of one case for a kernel, as it declares its arithmetic. */
static void measure_case(const dc_op *op, const pm_kernel *kernel, int draw, row *at)
{
  static const dc_values VALUES[] = {DC_UNIFORM, DC_TAIL, DC_TIES, DC_OFFSET};
  dc_options o;
  dc_case c;
  dc_problem p;
  dc_error err = {""};
  double *e[DC_OUTPUTS] = {NULL};
  int64_t size[DC_DIMS + DC_ATTRS];
  pm_arith a;
  dc_options_init(&o);
  o.backend[0] = &pm_sim;
  o.n_backends = 1;
  o.large = 0;
  o.seed = 1;
  o.fixed.values = VALUES[draw % 4];
  o.fixed.cotangent = DC_UNIFORM;
  o.fixed.indices = DC_IX_RANDOM;
  o.fixed.accumulate = 0;
  snprintf(o.fixed.variant, sizeof o.fixed.variant, "%s", kernel->variant);
  dc_case_aim(&c, op, &o, draw);
  if (!dc_suits(&c, kernel->variant))
    return;
  need(dc_problem_make(&p, &c, &err) == DC_OK, err.text);
  for (int k = 0; k < op->n_out; k++)
    need((e[k] = calloc((size_t)p.count[op->n_in + k] + 1, sizeof *e[k])) != NULL, "no memory");
  dc_undeclared(op, c.size, c.attr, &a);
  dc_kernel_size(&c, size);
  if (kernel->declare)
    kernel->declare(size, &a);
  need(dc_bound(&p, &a, e, &err) == DC_OK, err.text);
  for (int k = 0; k < op->n_out; k++) {
    if (dc_bounded(op->classes[k]))
      add(at++, p.count[op->n_in + k], e[k]);
    free(e[k]);
  }
  dc_problem_free(&p);
}

/* The rows of one kernel, from `at` on; where the next one's begin. */
static row *measure_kernel(const pm_kernel *kernel, row *at)
{
  const dc_op *op = dc_op_find(kernel->op);
  row *from = at;
  for (int k = 0; op->glue->bound && k < op->n_out; k++)
    if (dc_bounded(op->classes[k])) {
      need(at < rows + ROWS, "more rows than ROWS");
      snprintf(at->name, sizeof at->name, "%.25s %.25s %.25s", op->name, kernel->variant,
               dc_out(op, k)->name);
      at++;
    }
  for (int draw = 0; at > from && draw < DRAWS; draw++)
    measure_case(op, kernel, draw, from);
  return at;
}

static void measure(void)
{
  row *at = rows;
  memset(rows, 0, sizeof rows);
  for (int k = 0; k < pm_sim.n_kernels; k++)
    at = measure_kernel(&pm_sim.kernels[k], at);
  n_rows = (int)(at - rows);
  for (row *r = rows; r < at; r++) {
    int64_t n = r->elements - r->vacuous - r->zeros;
    r->mean = n ? exp(r->mean / (double)n) : 0;
  }
}

#define FIGURES " %" PRId64 " %" PRId64 " %" PRId64
static void print(const row *r)
{
  printf("%s" FIGURES " %.6e %.6e\n", r->name, r->elements, r->vacuous, r->zeros, r->mean, r->most);
}

static void read_released(void)
{
  char line[256], a[32], b[32], c[32];
  FILE *file = fopen(RELEASED, "r");
  ck_assert_msg(file != NULL, RELEASED ": cannot be read");
  for (n_released = 0; fgets(line, sizeof line, file) && n_released < ROWS;) {
    row *r = &released[n_released];
    if (line[0] == '#')
      continue;
    ck_assert_msg(sscanf(line, "%31s %31s %31s %" SCNd64 " %" SCNd64 " %" SCNd64 " %lf %lf", a, b,
                         c, &r->elements, &r->vacuous, &r->zeros, &r->mean, &r->most) == 8,
                  RELEASED ": not a row: %s", line);
    snprintf(r->name, sizeof r->name, "%.25s %.25s %.25s", a, b, c);
    n_released++;
  }
  fclose(file);
}

/* What grew, in words; "" where nothing did. */
static const char *grown(const row *was, const row *is)
{
  static char text[320];
  double worst = fmax(was->mean > 0  ? is->mean / was->mean
                      : is->mean > 0 ? INFINITY
                                     : 1,
                      was->most > 0  ? is->most / was->most
                      : is->most > 0 ? INFINITY
                                     : 1);
  text[0] = 0;
  if (is->elements != was->elements)
    snprintf(text, sizeof text, "%s: the sample has %" PRId64 " elements, not %" PRId64, is->name,
             is->elements, was->elements);
  else if (is->vacuous > was->vacuous)
    snprintf(text, sizeof text,
             "%s: %" PRId64 " elements of the sample have no bound, of which there were %" PRId64,
             is->name, is->vacuous, was->vacuous);
  else if (is->zeros < was->zeros)
    snprintf(text, sizeof text,
             "%s: %" PRId64 " elements of the sample are exact, of which there were %" PRId64,
             is->name, is->zeros, was->zeros);
  else if (worst > SLACK)
    snprintf(text, sizeof text, "%s: the bound grew %.3g x on the sample", is->name, worst);
  if (text[0])
    snprintf(text + strlen(text), sizeof text - strlen(text),
             " since the last release (" RELEASED "; if that is meant: test_growth --write)");
  return text;
}

static const row *find(const row *list, int n, const char *name)
{
  for (int i = 0; i < n; i++)
    if (strcmp(list[i].name, name) == 0)
      return &list[i];
  return NULL;
}

START_TEST(no_bound_grew)
{
  int wrong = 0;
  measure();
  read_released();
  ck_assert_int_gt(n_rows, 100);
  for (int i = 0; i < n_rows; i++) {
    const row *was = find(released, n_released, rows[i].name);
    const char *what = was ? grown(was, &rows[i]) : "";
    if (!was)
      printf("%s: not in " RELEASED ": test_growth --write\n", rows[i].name);
    if (what[0])
      printf("%s\n", what);
    else if (was && (rows[i].mean * SLACK < was->mean || rows[i].most * SLACK < was->most))
      printf("%s: the bound shrank to %.3g of what it was: a note\n", rows[i].name,
             fmin(rows[i].mean / was->mean, rows[i].most / was->most));
    wrong += !was || what[0];
  }
  for (int i = 0; i < n_released; i++)
    if (!find(rows, n_rows, released[i].name)) {
      printf("%s: in " RELEASED ", but there is no such bound: test_growth --write\n",
             released[i].name);
      wrong++;
    }
  fflush(stdout);
  ck_assert_msg(wrong == 0, "%d lines above differ from " RELEASED, wrong);
}
END_TEST

START_TEST(what_grows_is_named_and_nothing_else)
{
  const row was = {"silu each y", 100, 3, 5, 1e-7, 1e-6};
  row is = was;
  ck_assert_str_eq(grown(&was, &is), "");
  is.mean = 8 * was.mean;
  ck_assert_text(grown(&was, &is), "silu each y: the bound grew 8 x on the sample");
  is = was, is.most = 1.0011 * was.most;
  ck_assert_text(grown(&was, &is), "the bound grew");
  is = was, is.most = 1.0009 * was.most, is.mean = 0.5 * was.mean;
  ck_assert_str_eq(grown(&was, &is), "");
  is = was, is.vacuous = 4;
  ck_assert_text(grown(&was, &is), "4 elements of the sample have no bound");
  is = was, is.zeros = 4;
  ck_assert_text(grown(&was, &is), "4 elements of the sample are exact");
  is = was, is.elements = 99;
  ck_assert_text(grown(&was, &is), "99 elements");
}
END_TEST

int main(int argc, char **argv)
{
  if (argc == 2 && strcmp(argv[1], "--write") == 0) {
    printf(
        "# Error bounds on a fixed sample, as of the last release (tests/test_growth.c, which\n"
        "# fails where one is wider): op, kernel, output, elements; of these without a bound, and\n"
        "# exact; geometric mean and maximum of the others. build/tests/test_growth --write\n");
    measure();
    for (int i = 0; i < n_rows; i++)
      print(&rows[i]);
    return 0;
  }
  Suite *s = suite_create("growth");
  TCase *t = tcase_create("bounds");
  tcase_add_test(t, no_bound_grew);
  tcase_add_test(t, what_grows_is_named_and_nothing_else);
  tcase_set_timeout(t, 240);
  suite_add_tcase(s, t);
  return aid_main(s);
}
