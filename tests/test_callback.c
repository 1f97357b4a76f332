/* dcl_run: a kernel of the caller's on drawn cases: right ones pass, of others the fault is named and replays; options,
 * failed allocations, threads. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "allocation.h"
#include "helpers.h"

#include "../diffcheck/engine/types.h"
#include "../diffcheck/library/libdiffcheck.h"

static void refused(dcl_status s, const char *words)
{
  ck_assert_int_eq(s, DCL_INVALID);
  ck_assert_text(dcl_error(), words);
}

typedef enum { RIGHT, HALF, ADDS, SETS, INPUT, PAST, STATUS, CACHED, UNORDERED } manner;
typedef struct soft { /* a softmax, or its gradient, and what it does amiss */
  manner how;
  int calls, largest, strange;
  float old[16];
} soft;

static void softmax_row(const float *x, int64_t n, float *y)
{
  float m = -INFINITY, sum = 0;
  for (int64_t i = 0; i < n; i++)
    m = x[i] > m || isnan(x[i]) ? x[i] : m;
  for (int64_t i = 0; i < n; i++)
    sum += y[i] = expf(x[i] - m);
  for (int64_t i = 0; i < n; i++)
    y[i] /= sum;
}

static int softmax(void *user, const dcl_call *c)
{
  soft *s = user;
  const int64_t rows = c->size[0], cols = c->size[1], n = rows * cols;
  float *x = c->in[0].data, *y = c->out[0].data;
  /* ck_assert would take memory, which is to fail elsewhere */
  s->strange |= c->n_in != 1 || c->n_out != 1 || c->accumulate || c->in[0].dtype != DCL_F32 ||
                c->in[0].rank != 2 || c->in[0].shape[0] != rows || c->in[0].shape[1] != cols ||
                c->out[0].elements != n;
  s->calls++;
  s->largest = cols > s->largest ? (int)cols : s->largest;
  if (s->how == STATUS)
    return 7;
  for (int64_t r = 0; r < (s->how == HALF ? rows / 2 : rows); r++)
    softmax_row(x + r * cols, cols, y + r * cols);
  if (s->how == INPUT && n)
    x[n - 1] = 3;
  if (s->how == PAST)
    y[n] = 0;
  if (s->how == UNORDERED && n)
    y[0] = nextafterf(y[0], s->calls % 2 ? 0.0f : 1.0f);
  if (s->how == CACHED && n && n <= 16) {
    if (s->calls == 1)
      memcpy(s->old, y, (size_t)n * sizeof *y);
    memcpy(y, s->old, (size_t)n * sizeof *y);
  }
  return 0;
}

/* dx (+)= y (g - sum y g). */
static int gradient(void *user, const dcl_call *c)
{
  const soft *s = user;
  const int64_t cols = c->size[1];
  const float *y = c->in[0].data, *g = c->in[1].data;
  float *dx = c->out[0].data;
  const int adds = s->how == ADDS || (s->how != SETS && c->accumulate);
  for (int64_t r = 0; r < c->size[0]; r++) {
    float dot = 0;
    for (int64_t i = r * cols; i < (r + 1) * cols; i++)
      dot += y[i] * g[i];
    for (int64_t i = r * cols; i < (r + 1) * cols; i++)
      dx[i] = (adds ? dx[i] : 0) + y[i] * (g[i] - dot);
  }
  return 0;
}

static dcl_report ran(const char *op, dcl_kernel k, soft *s, const dcl_options *o)
{
  dcl_report r = {.cases = -1};
  ck_assert_msg(!dcl_run(op, o, k, s, &r), "%s", dcl_error());
  ck_assert(!s->strange);
  return r;
}

START_TEST(a_right_kernel_passes)
{
  soft s = {.how = RIGHT};
  dcl_options o;
  dcl_usual(&o);
  ck_assert_int_eq(o.cases, 200);
  o.cases = 64;
  dcl_report r = ran("softmax", softmax, &s, &o);
  ck_assert_msg(r.outcome == DCL_PASS, "%s", r.text);
  ck_assert(r.cases == 64 && r.failed == 0 && r.skipped == 0 && r.n_failures == 0);
  ck_assert_int_eq(r.runs, s.calls);
  ck_assert_int_eq(r.runs, 4 * 64); /* three on its data, one on other data */
  ck_assert(r.worst > 0 && r.worst <= 1 && r.elements > 10000 && s.largest > 512);
  ck_assert_text(r.worst_line, "softmax rows=");
  ck_assert_text(r.text, "softmax: pass\n64 cases");
  r = ran("softmax_vjp", gradient, &s, &o);
  ck_assert_msg(r.outcome == DCL_PASS, "%s", r.text);
  s.how = UNORDERED;
  o.fixed = "rows=2 cols=5 values=uniform";
  o.cases = 5;
  o.unordered = 1;
  r = ran("softmax", softmax, &s, &o);
  ck_assert_msg(r.outcome == DCL_PASS && r.cases == 5, "%s", r.text);
}
END_TEST

static const struct {
  manner how;
  const char *op, *fixed, *kind, *words;
} WRONGS[] = {
    {HALF, "softmax", "", "stale", "it depends on what memory held before"},
    {HALF, "softmax", "misaligned=3", "stale", "y["},
    {ADDS, "softmax_vjp", "accumulate=0", "stale", "dx["},
    {SETS, "softmax_vjp", "accumulate=1", "bound", "dx[0,0] = "},
    {INPUT, "softmax", "values=uniform", "input-changed", "input x was changed at element 0"},
    {PAST, "softmax", "", "red-zone", "byte 0 past the end of y"},
    {STATUS, "softmax", "", "launch", "the kernel returned 7"},
    {CACHED, "softmax", "rows=2 cols=3 values=uniform", "other-data", "it gives the old result"},
    {UNORDERED, "softmax", "cols=5 values=uniform", "order", "y["},
};

START_TEST(wrong_kernels_are_named)
{
  const char *words = WRONGS[_i].words;
  soft s = {.how = WRONGS[_i].how};
  dcl_kernel k = strcmp(WRONGS[_i].op, "softmax") ? gradient : softmax;
  dcl_options o;
  dcl_case again;
  dcl_usual(&o);
  o.fixed = WRONGS[_i].fixed;
  dcl_report r = ran(WRONGS[_i].op, k, &s, &o);
  ck_assert_int_eq(r.outcome, DCL_FAIL);
  ck_assert(r.failed == 1 && r.n_failures == 1);
  ck_assert_msg(strcmp(r.failure[0].kind, WRONGS[_i].kind) == 0, "%s", r.text);
  ck_assert_text(r.failure[0].what, words);
  ck_assert_text(r.text, words);
  ck_assert_text(r.text, r.failure[0].line);
  /* the line alone says it again, and as it was drawn too */
  ck_assert_msg(!dcl_case_read(r.failure[0].line, &again), "%s", dcl_error());
  dcl_case_free(again);
  for (int found = 0; found < 2; found++) {
    soft fresh = {.how = WRONGS[_i].how};
    dcl_options one;
    dcl_usual(&one);
    one.line = found ? r.failure[0].found : r.failure[0].line;
    dcl_report twice = ran(WRONGS[_i].op, k, &fresh, &one);
    ck_assert(twice.cases == 1 && twice.failed == 1);
    ck_assert_msg(strcmp(twice.failure[0].kind, WRONGS[_i].kind) == 0, "%s", twice.text);
  }
}
END_TEST

static int half_exp(void *user, const dcl_call *c)
{
  const uint16_t *a = c->in[0].data;
  uint16_t *y = c->out[0].data;
  int *odd = user;
  ck_assert(c->in[0].dtype == DCL_BF16 && c->out[0].dtype == DCL_BF16);
  *odd += (uintptr_t)a % 16 == 2;
  for (int64_t i = 0; i < c->out[0].elements; i++) {
    const uint32_t bits = (uint32_t)a[i] << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    y[i] = dc_brain_of(exp((double)x));
  }
  return 0;
}

START_TEST(types_and_places)
{
  int odd = 0;
  dcl_options o;
  dcl_report r;
  dcl_usual(&o);
  o.fixed = "types=a:bf16:y:bf16 misaligned=1";
  o.cases = 20;
  ck_assert_msg(!dcl_run("exp", &o, half_exp, &odd, &r), "%s", dcl_error());
  ck_assert_msg(r.outcome == DCL_PASS && r.cases == 20, "%s", r.text);
  ck_assert_int_eq(odd, (int)r.runs);
  ck_assert_text(r.worst_line, "types=a:bf16:y:bf16");
}
END_TEST

static int padded(void *user, const dcl_call *c)
{
  int *apart = user;
  const dcl_buffer *x = &c->in[0], *b = &c->in[1], *y = &c->out[0];
  *apart += x->stride > x->shape[1] && y->stride > y->shape[1];
  for (int64_t i = 0; i < x->shape[0]; i++)
    for (int64_t k = 0; k < x->shape[1]; k++)
      ((float *)y->data)[i * y->stride + k] =
          ((const float *)x->data)[i * x->stride + k] + ((const float *)b->data)[k];
  return 0;
}

static int deaf(void *user, const dcl_call *c)
{
  dcl_buffer x = c->in[0], in[2] = {x, c->in[1]};
  dcl_call dense = *c;
  in[0].stride = x.shape[1];
  dense.in = in;
  return padded(user, &dense);
}

START_TEST(rows_that_lie_apart)
{
  int apart = 0, gap = 0;
  dcl_options o;
  dcl_report r;
  dcl_case c;
  dcl_usual(&o);
  o.fixed = "strided=x:y";
  o.cases = 40;
  ck_assert_msg(!dcl_run("add_bias", &o, padded, &apart, &r), "%s", dcl_error());
  ck_assert_msg(r.outcome == DCL_PASS && r.cases == 40 && apart > 40, "%d: %s", apart, r.text);
  ck_assert_msg(!dcl_run("add_bias", &o, deaf, &apart, &r), "%s", dcl_error());
  ck_assert_int_eq(r.outcome, DCL_FAIL);
  ck_assert_text(r.failure[0].line, " gap=x:1");
  ck_assert_int_eq(dcl_case_read(r.failure[0].line, &c), DCL_OK);
  ck_assert_int_eq(dcl_case_gap(c, 0, &gap), DCL_OK);
  ck_assert_int_eq(gap, 1);
  refused(dcl_case_gap(c, 9, &gap), "tensor 9");
  dcl_case_free(c);
  o = (dcl_options){.cases = 1, .failures = 1, .line = r.failure[0].line};
  dcl_report again;
  ck_assert_msg(!dcl_run("add_bias", &o, deaf, &apart, &again), "%s", dcl_error());
  ck_assert_int_eq(again.outcome, DCL_FAIL);
  ck_assert_msg(!dcl_run("add_bias", &o, padded, &apart, &again), "%s", dcl_error());
  ck_assert_int_eq(again.outcome, DCL_PASS);
}
END_TEST

static int small(void *user, const dcl_call *c)
{
  (void)user;
  ck_assert(c->in[0].data == NULL && c->out[0].data == NULL);
  return c->size[1] <= 8;
}

static int none(void *user, const dcl_call *c) { return (void)user, (void)c, 0; }

START_TEST(cases_that_it_takes)
{
  soft s = {.how = RIGHT};
  dcl_options o;
  dcl_usual(&o);
  o.takes = small;
  o.cases = 100;
  dcl_report r = ran("softmax", softmax, &s, &o);
  ck_assert_msg(r.outcome == DCL_PASS, "%s", r.text);
  ck_assert(r.cases > 10 && r.skipped > 10 && r.cases + r.skipped == 100 && s.largest <= 8);
  o.takes = none;
  r = ran("softmax", softmax, &s, &o);
  ck_assert(r.outcome == DCL_FAIL && r.cases == 0 && r.skipped == 100);
  ck_assert_text(r.text, "no case was run");
  o.takes = NULL;
  o.failures = 6;
  s.how = HALF;
  r = ran("softmax", softmax, &s, &o);
  ck_assert(r.failed == 6 && r.n_failures == DCL_FAILURES && r.cases >= 6);
  ck_assert_text(r.text, "and 2 more failing cases");
  o.tries = 0;
  r = ran("softmax", softmax, &s, &o);
  ck_assert_str_eq(r.failure[0].line, r.failure[0].found);
}
END_TEST

START_TEST(bad_options)
{
  soft s = {.how = RIGHT};
  dcl_report r = {.cases = 77};
  dcl_options usual, o;
  dcl_usual(&usual);
#define WRONG(field, value, words) \
  o = usual;                       \
  o.field = value;                 \
  refused(dcl_run("softmax", &o, softmax, &s, &r), words)
  WRONG(cases, 0, "cases 0: must be 1 or more");
  WRONG(first, -1, "first -1");
  WRONG(first, INT64_MAX, "past the last number");
  WRONG(failures, 0, "failures 0");
  WRONG(tries, -1, "tries -1");
  WRONG(seconds, -1, "seconds -1");
  WRONG(seconds, NAN, "seconds nan");
  WRONG(fixed, "row=1", "did you mean rows");
  WRONG(fixed, "variant=warp", "has no variants");
  WRONG(fixed, "types=x:i32", "x");
  WRONG(arith, "cuda,exq=1", "exq");
  WRONG(line, "softmax rows=1", "cols is missing");
  WRONG(line, "exp n=1", "is a case of exp, not of softmax");
  usual.line = "softmax rows=1 cols=1";
  WRONG(fixed, "rows=1", "line is a case");
  refused(dcl_run("sofmax", NULL, softmax, &s, &r), "did you mean softmax");
  refused(dcl_run("softmax", NULL, NULL, &s, &r), "kernel: none is given");
  dcl_usual(&o);
  o.fixed = "rows=4000000000 cols=4000000000";
  ck_assert_int_eq(dcl_run("softmax", &o, softmax, &s, &r), DCL_TOO_BIG);
  ck_assert(s.calls == 0 && r.cases == 77);
}
END_TEST

START_TEST(a_run_without_memory)
{
  int64_t n = 0;
  int none_left = 0;
  for (int came = 1; came; n++) {
    soft s = {.how = RIGHT};
    dcl_report r = {.cases = 77};
    dcl_options o;
    dcl_usual(&o);
    o.fixed = "rows=3 cols=5 values=uniform";
    o.cases = 2;
    allocation_fail(n);
    dcl_status status = dcl_run("softmax", &o, softmax, &s, &r);
    came = allocation_failed();
    allocation_fail(-1);
    none_left += status == DCL_NO_MEMORY;
    if (status)
      ck_assert_msg(status == DCL_NO_MEMORY && r.cases == 77 && dcl_error()[0], "%d: %s", (int)n,
                    dcl_error());
    else
      ck_assert_msg(r.outcome == DCL_PASS && r.cases == 2, "allocation %d: %s", (int)n, r.text);
  }
  ck_assert_int_gt(none_left, 10);
}
END_TEST

static void *in_a_thread(void *manner_of)
{
  soft s = {.how = *(const manner *)manner_of};
  dcl_report *r = malloc(sizeof *r);
  dcl_options o;
  dcl_usual(&o);
  o.cases = 40;
  if (!r || dcl_run("softmax", &o, softmax, &s, r)) {
    free(r);
    return NULL;
  }
  return r;
}

START_TEST(runs_in_threads)
{
  static const manner HOW[] = {RIGHT, HALF, STATUS, RIGHT};
  static const dcl_outcome WANT[] = {DCL_PASS, DCL_FAIL, DCL_FAIL, DCL_PASS};
  pthread_t id[4];
  dcl_report *r[4];
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(pthread_create(&id[i], NULL, in_a_thread, (void *)&HOW[i]), 0);
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(pthread_join(id[i], (void **)&r[i]), 0);
    ck_assert_msg(r[i] && r[i]->outcome == WANT[i], "%d: %s", i, r[i] ? r[i]->text : "none");
  }
  ck_assert_str_eq(r[0]->text, r[3]->text);
  ck_assert_str_eq(r[2]->failure[0].kind, "launch");
  for (int i = 0; i < 4; i++)
    free(r[i]);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("callback");
  TCase *t = tcase_create("callback");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, a_right_kernel_passes);
  tcase_add_loop_test(t, wrong_kernels_are_named, 0, sizeof WRONGS / sizeof WRONGS[0]);
  tcase_add_test(t, types_and_places);
  tcase_add_test(t, rows_that_lie_apart);
  tcase_add_test(t, cases_that_it_takes);
  tcase_add_test(t, bad_options);
  tcase_add_test(t, a_run_without_memory);
  tcase_add_test(t, runs_in_threads);
  return aid_main(s);
}
