/* --arith: right implementations of other people pass under the profile that they are of, faults are found, and
 * what is said wrongly is refused. PM_CASES=N takes N cases of each; PM_TABLE=1 prints the table of docs/arith.md. */
#include "helpers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/arith.h"
#include "right.h"

static int64_t cases(void)
{
  const char *n = getenv("PM_CASES");
  return n ? atoll(n) : 60;
}

/* Cases in which an element is refused. */
static int64_t refused(const right *x, const char *by, int64_t n, int64_t *blind, dc_verdict *worst,
                       int64_t *at)
{
  int64_t count = 0;
  *blind = 0;
  for (int64_t i = 0; i < n; i++) {
    dc_verdict v = right_case(x, i, by);
    *blind += 2 * v.vacuous > v.elements;
    if (v.failed && !count++) {
      *worst = v;
      *at = i;
    }
  }
  return count;
}

START_TEST(right_ones_pass)
{
  const right *x = &RIGHTS[_i];
  dc_verdict v = {.worst = {.output = -1}};
  int64_t blind, at = 0, n = cases(), k = refused(x, x->means, n, &blind, &v, &at);
  ck_assert_msg(k == 0,
                "%s by %s: %ld of %ld cases refused; case %ld: output %d [%ld] = %g, want %g, "
                "error %g, bound %g",
                x->name, x->means, (long)k, (long)n, (long)at, v.worst.output, (long)v.worst.index,
                v.worst.got, v.worst.want, v.worst.err, v.worst.bound);
  ck_assert_msg(blind < n, "%s: nothing was judged", x->name);
}
END_TEST

START_TEST(faults_are_found)
{
  const right *x = &FAULTS[_i];
  dc_verdict v;
  int64_t blind, at, n = cases(), k = refused(x, x->when, n, &blind, &v, &at);
  ck_assert_msg(2 * k > n, "%s by %s: found in %ld of %ld cases", x->name, x->when, (long)k,
                (long)n);
}
END_TEST

/* What our kernels declare is IEEE arithmetic, and no profile comes between it and their bounds. */
START_TEST(ours_are_ieee)
{
  dc_error err;
  dc_arith ieee;
  ck_assert_int_eq(dc_arith_read("--arith", "ieee", "cuda", &ieee, &err), DC_OK);
  for (int i = 0; i < pm_sim.n_kernels; i++) {
    const pm_kernel *row = &pm_sim.kernels[i];
    const dc_op *op = dc_op_find(row->op);
    int64_t size[DC_DIMS + DC_ATTRS];
    double attr[DC_ATTRS];
    pm_arith a, plain, same;
    for (int d = 0; d < DC_DIMS + DC_ATTRS; d++)
      size[d] = 5;
    for (int d = 0; d < DC_ATTRS; d++)
      attr[d] = 5;
    dc_undeclared(op, size, attr, &a);
    if (row->declare)
      row->declare(size, &a);
    plain = same = a;
    plain.k_div = plain.k_sqrt = plain.exp_slope = plain.log_error = plain.shift = 0;
    plain.stored = plain.product = PM_F32;
    plain.joined = plain.flush = plain.atomics = plain.any_zero = 0;
    dc_arith_at(&ieee, op, size, attr, &same);
    ck_assert_msg(memcmp(&a, &plain, sizeof a) == 0, "%s %s", row->op, row->variant);
    ck_assert_msg(memcmp(&a, &same, sizeof a) == 0, "%s %s", row->op, row->variant);
  }
}
END_TEST

/* Of two that differ in one key the joined one has the larger value, and the others as they were, in either order;
 * of two that round to other formats none is looser in all. */
START_TEST(the_looser_of_two)
{
  static const int64_t size[DC_DIMS + DC_ATTRS] = {5, 5, 5};
  static const double attr[DC_ATTRS] = {0};
  const dc_op *op = dc_op_find("softmax");
  char value[DC_ARITH_TEXT], text[64];
  const char *key, *words;
  int refused = 0, k = 0;
  for (pm_arith a; (key = dc_arith_key(k, &(pm_arith){.alpha = 0}, value, &words)); k++) {
    static const char *const values[] = {"7", "0.5", "bf16", "welford", "on", "flush", "any"};
    dc_arith x = {.profile = -1};
    dc_error err;
    pm_arith b, want;
    for (size_t i = 0; i < sizeof values / sizeof *values && x.profile < 0; i++) {
      snprintf(text, sizeof text, "%s=%s", key, values[i]);
      if (strncmp(key, "height", 6) || i != 6)
        dc_arith_read("arith", text, "ieee", &x, &err);
    }
    ck_assert_msg(x.profile == 0, "no value for %s", key);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    dc_arith_at(&x, op, size, attr, &b);
    want = b;
    ck_assert_msg(memcmp(&a, &b, sizeof a) != 0, "%s", text);
    if (!strcmp(key, "out") || !strcmp(key, "product")) {
      refused += !dc_arith_join(&a, &b) && !a.stored && !a.product;
      continue;
    }
    ck_assert_int_eq(dc_arith_join(&a, &b), 1);
    ck_assert_msg(memcmp(&a, &want, sizeof a) == 0, "%s", text);
    memset(&a, 0, sizeof a);
    ck_assert_int_eq(dc_arith_join(&b, &a), 1);
    ck_assert_msg(memcmp(&b, &want, sizeof a) == 0, "%s", text);
  }
  ck_assert_int_eq(refused, 2);
  ck_assert_uint_eq((size_t)k, sizeof(pm_arith) / sizeof(double));
}
END_TEST

static double first_of(const char *path)
{
  npy a = aid_load(path);
  double v = ((const double *)a.data)[0];
  npy_free(&a);
  return v;
}

/* --arith where it is taken: eval's bound, run's verdict, explain's table. */
START_TEST(commands)
{
  enum { N = 2000 };
  float x[N];
  int64_t n = N;
  char *told;
  char wide[200], narrow[200];
  for (int i = 0; i < N; i++)
    x[i] = (float)sin(i) + 1;
  const char *a = aid_tensor("x.npy", NPY_F4, 1, &n, x);
  snprintf(wide, sizeof wide, "%s", aid_path("wide.npy"));
  snprintf(narrow, sizeof narrow, "%s", aid_path("narrow.npy"));
  ck_assert_int_eq(aid_run(NULL, &told, "diffcheck", "eval", "sum", a, "--bound", wide, NULL), 0);
  ck_assert_text(told, "--arith height=pairwise, blocks:N or a number narrows it");
  free(told);
  free(OUTPUT(0, "eval", "sum", a, "--bound", narrow, "--arith", "height=pairwise"));
  ck_assert_double_lt(first_of(narrow) * 50, first_of(wide));
  free(OUTPUT(0, "eval", "sum", a, "--bound", wide, "--arith", "out=bf16"));
  ck_assert_double_gt(first_of(wide), 0x1p-9 * N);
  REFUSED("--arith 'ieee'", "give --bound FILE too", "eval", "sum", a, "--arith", "ieee");
  REFUSED("--arith 'gpu'", "a profile: ieee, cuda", "run", "sum", "--arith", "gpu");
  char *out = OUTPUT(1, "run", "sum", "-q", "--backend", "sim", "--cases", "8", "--shrink", "0",
                     "--set", "n=100,values=uniform", "--arith", "height=0");
  ck_assert_text(out, "FAIL");
  free(out);
  free(OUTPUT(0, "run", "sum", "-q", "--backend", "sim", "--cases", "8", "--set",
              "n=100,values=uniform", "--arith", "cuda"));
  out = OUTPUT(1, "run", "exp", "-q", "--backend", "sim", "--cases", "5", "--arith", "exp=0");
  ck_assert_text(out, "right for a kernel that takes the GPU's approximate exp and log");
  free(out);
  out = OUTPUT(0, "explain", "sum", "--set", "n=1000", "--arith", "fast,height=blocks:10");
  ck_assert_text(out, "height     108");
  ck_assert_text(out, "ftz        on");
  ck_assert_text(out, "a kernel of that arithmetic: y within");
  free(out);
}
END_TEST

START_TEST(table)
{
  static const char *const BY[] = {"ieee", "cuda", "fast", "triton", "tf32", "bf16", "f16"};
  enum { N = sizeof BY / sizeof BY[0] };
  int64_t n = cases(), blind, at;
  dc_verdict v;
  if (!getenv("PM_TABLE"))
    return;
  for (int kind = 0; kind < 2; kind++) {
    const right *all = kind ? FAULTS : RIGHTS;
    printf("\n| %s | `--arith` | |", kind ? "fault" : "implementation");
    for (int b = 0; b < N; b++)
      printf(" %s |", BY[b]);
    printf("\n|---|---|---|");
    for (int b = 0; b < N; b++)
      printf("---|");
    for (int i = 0; i < (kind ? N_FAULTS : N_RIGHTS); i++) {
      const char *by = kind ? all[i].when : all[i].means;
      printf("\n| %s | `%s` | %ld |", all[i].name, by,
             (long)refused(&all[i], by, n, &blind, &v, &at));
      for (int b = 0; b < N; b++)
        printf(" %ld |", (long)refused(&all[i], BY[b], n, &blind, &v, &at));
      fflush(stdout);
    }
    puts("");
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("arith");
  TCase *t = tcase_create("arith");
  tcase_set_timeout(t, getenv("PM_CASES") ? 36000 : 120);
  suite_add_tcase(s, t);
  tcase_add_loop_test(t, right_ones_pass, 0, N_RIGHTS);
  tcase_add_loop_test(t, faults_are_found, 0, N_FAULTS);
  tcase_add_test(t, ours_are_ieee);
  tcase_add_test(t, the_looser_of_two);
  tcase_add_test(t, commands);
  tcase_add_test(t, table);
  return aid_main(s);
}
