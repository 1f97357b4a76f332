/* diffcheck judge: right answers of other people's kernels pass, wrong ones do not, and what the data does
 * not show is said. */
#include "helpers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/files/npy.h"

static const char *vector(const char *name, int64_t n, const float *x)
{
  return aid_tensor(name, NPY_F4, 1, &n, x);
}

static const char *row(const char *name, int64_t n, const float *x)
{
  int64_t shape[] = {1, n};
  return aid_tensor(name, NPY_F4, 2, shape, x);
}

/* Runs judge with these arguments, wants the status, and words on stdout (or, of a refusal, stderr). */
static void judged(int status, const char *words, ...)
{
  char *out = NULL, *err = NULL;
  va_list args;
  va_start(args, words);
  int rc = aid_vrun(&out, &err, "diffcheck", args);
  va_end(args);
  ck_assert_msg(rc == status, "exit %d, stdout: %s, stderr: %s", rc, out, err);
  ck_assert_text(status == 2 ? err : out, words);
  if (status == 2)
    ck_assert_str_eq(out, "");
  free(out);
  free(err);
}
#define JUDGED(status, words, ...) judged(status, words, "judge", __VA_ARGS__, NULL)

START_TEST(right_where_f64_is_not)
{
  float one[] = {1, 2, 1}, three[] = {3, 3, 0}, q[] = {1.0f / 3, 2.0f / 3, INFINITY};
  JUDGED(0, "div: pass", "div", vector("a.npy", 3, one), vector("b.npy", 3, three), "--got",
         vector("q.npy", 3, q));
  q[0] = nextafterf(q[0], 1);
  JUDGED(1, "y[0]", "div", vector("a.npy", 3, one), vector("b.npy", 3, three), "--got",
         vector("q.npy", 3, q));
}
END_TEST

START_TEST(what_is_not_finite)
{
  float gone[] = {-INFINITY, -INFINITY}, nan2[] = {NAN, NAN}, zero[] = {0, 0};
  float large[] = {104, 1}, over[] = {INFINITY, 2.7182817f};
  JUDGED(0, "softmax: pass", "softmax", row("x.npy", 2, gone), "--got", row("y.npy", 2, nan2));
  JUDGED(1, "softmax: FAIL", "softmax", row("x.npy", 2, gone), "--got", row("y.npy", 2, zero));
  JUDGED(0, "relu: pass", "relu", vector("x.npy", 2, nan2), "--got", vector("y.npy", 2, nan2));
  JUDGED(0, "exp: pass", "exp", vector("x.npy", 2, large), "--got", vector("y.npy", 2, over));
}
END_TEST

/* A softmax without the last term of its sum lies within the bound of any order, and outside of that of a
 * tree as high as is declared. */
START_TEST(a_term_that_is_missing)
{
  enum { N = 50257 };
  static float x[N], y[N];
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += i < N - 1 ? exp(x[i] = (float)sin(i)) : 0 * (x[i] = 0.5f);
  for (int i = 0; i < N; i++)
    y[i] = (float)(exp(x[i]) / sum);
  JUDGED(0, "a sum without its last term would have passed on", "softmax", row("x.npy", N, x),
         "--got", row("y.npy", N, y));
  JUDGED(0, "--arith height=N narrows it", "softmax", row("x.npy", N, x), "--got",
         row("y.npy", N, y));
  JUDGED(1, "softmax: FAIL", "softmax", row("x.npy", N, x), "--got", row("y.npy", N, y), "--arith",
         "height=20,alpha=1");
}
END_TEST

/* A sum of which a twentieth is missing: any order may err as much, a pairwise one may not. */
START_TEST(a_sum_in_any_order)
{
  enum { N = 1 << 20 };
  static float x[N];
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += x[i] = 0.3f;
  float whole = (float)sum, less = (float)(0.95 * sum);
  const char *a = vector("x.npy", N, x);
  JUDGED(0, "sum: pass", "sum", a, "--got", aid_tensor("y.npy", NPY_F4, 0, NULL, &less));
  JUDGED(1, "sum: FAIL", "sum", a, "--got", aid_tensor("y.npy", NPY_F4, 0, NULL, &less), "--arith",
         "height=20");
  JUDGED(0, "sum: pass", "sum", a, "--got", aid_tensor("y.npy", NPY_F4, 0, NULL, &whole), "--arith",
         "height=20");
}
END_TEST

START_TEST(formats)
{
  float x[] = {1, 2, 3}, y[] = {1, 2, 4};
  const char *a = vector("a.npy", 3, x), *good = vector("g.npy", 3, x),
             *bad = vector("b.npy", 3, y);
  JUDGED(1, "not ok 1 - copy", "copy", a, "--got", bad, "--format", "tap");
  JUDGED(0, "ok 1 - copy", "copy", a, "--got", good, "--format", "tap");
  JUDGED(1, "<failure message=", "copy", a, "--got", bad, "--format", "junit");
  JUDGED(1, "\"verdict\":\"FAIL\"", "copy", a, "--got", bad, "--format", "jsonl");
  JUDGED(1, "\"index\":2", "copy", a, "--got", bad, "--format", "jsonl");
  JUDGED(0, "\"worst\":{\"output\":\"y\"", "copy", a, "--got", good, "--format", "jsonl");
}
END_TEST

START_TEST(wrong_use)
{
  float x[] = {1, 2, 3};
  int64_t none[] = {0}, two[] = {2};
  const char *a = vector("a.npy", 3, x), *empty = aid_tensor("e.npy", NPY_F4, 1, none, x);
  JUDGED(2, "OP is missing", "--got", a);
  JUDGED(2, "unknown", "no_such_op", a, "--got", a);
  JUDGED(2, "--got was given 0 times", "copy", a);
  JUDGED(2, "--got was given 2 times", "copy", a, "--got", a, "--got", a);
  JUDGED(2, "input x is missing", "copy", "--got", a);
  JUDGED(2, "output y of copy has 3 elements", "copy", a, "--got",
         aid_tensor("s.npy", NPY_F4, 1, two, x));
  JUDGED(2, "must be float32 or float64", "copy", a, "--got",
         aid_tensor("i.npy", NPY_I4, 1, two, x));
  JUDGED(2, "no element to judge", "copy", empty, "--got", empty);
  JUDGED(2, "key must be one of height", "sum", a, "--got", a, "--arith", "heigth=3");
  JUDGED(2, "height is given twice", "sum", a, "--got", a, "--arith", "height=3,height=4");
  JUDGED(2, "must be a number from 0", "sum", a, "--got", a, "--arith", "height=-1");
  JUDGED(2, "must be a number from 0", "sum", a, "--got", a, "--arith", "exp=nan");
  JUDGED(2, "must be text", "copy", a, "--got", a, "--format", "yaml");
}
END_TEST

int main(void)
{
  Suite *s = suite_create("judge");
  TCase *t = tcase_create("judge");
  tcase_set_timeout(t, 60);
  suite_add_tcase(s, t);
  tcase_add_test(t, right_where_f64_is_not);
  tcase_add_test(t, what_is_not_finite);
  tcase_add_test(t, a_term_that_is_missing);
  tcase_add_test(t, a_sum_in_any_order);
  tcase_add_test(t, formats);
  tcase_add_test(t, wrong_use);
  return aid_main(s);
}
