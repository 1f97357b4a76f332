/* libdiffcheck: the catalogue, drawn and given cases, reference and verdict, and every refusal and failed
 * allocation an answer that leaves what the caller passed as it was. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "allocation.h"
#include "helpers.h"

#include "../diffcheck/engine/types.h"
#include "../diffcheck/library/libdiffcheck.h"

static int op_number(const char *name)
{
  dcl_op op;
  for (int i = 0; i < dcl_n_ops(); i++)
    if (!dcl_op_about(i, &op) && strcmp(op.name, name) == 0)
      return i;
  ck_abort_msg("no op %s", name);
  return -1;
}

static void refused(dcl_status s, const char *words)
{
  ck_assert_int_eq(s, DCL_INVALID);
  ck_assert_text(dcl_error(), words);
}

START_TEST(catalogue)
{
  dcl_op op;
  dcl_tensor t;
  dcl_attr a;
  const char *name;
  int told, i = op_number("layer_norm"), spread = op_number("sum_axis_vjp");
  ck_assert_int_eq(dcl_version(), DCL_VERSION);
  ck_assert_int_eq(dcl_op_about(i, &op), DCL_OK);
  ck_assert_int_eq(op.n_in, 3);
  ck_assert_int_eq(op.n_out, 3);
  ck_assert_str_eq(op.forward, "layer_norm");
  ck_assert(op.has_values && !op.is_vjp);
  ck_assert_int_eq(dcl_tensor_about(i, 1, &t), DCL_OK);
  ck_assert_str_eq(t.name, "gamma");
  ck_assert_str_eq(t.shape, "(cols)");
  ck_assert_int_eq(t.dtype, DCL_F32);
  ck_assert_int_eq(dcl_attr_about(i, 0, &a), DCL_OK);
  ck_assert_str_eq(a.name, "eps");
  ck_assert(!a.whole && a.usual > 0 && a.least <= a.usual && a.usual <= a.most);
  ck_assert_int_eq(dcl_size_about(i, 0, &name, &told), DCL_OK);
  ck_assert(strcmp(name, "rows") == 0 && told);
  ck_assert_int_eq(dcl_size_about(spread, 1, &name, &told), DCL_OK);
  ck_assert(strcmp(name, "n") == 0 && !told);
  ck_assert_str_eq(dcl_values_name(0), "uniform");
  int n = 0;
  for (; dcl_values_name(n); n++)
    ck_assert_str_ne(dcl_values_name(n), "ones");
  ck_assert_int_gt(n, 10);
  refused(dcl_op_about(dcl_n_ops(), &op), "there are");
  refused(dcl_op_about(-1, &op), "op -1");
  refused(dcl_tensor_about(i, 6, &t), "has 6");
  refused(dcl_attr_about(i, 1, &a), "has 1");
  refused(dcl_size_about(i, 2, &name, &told), "has 2");
}
END_TEST

START_TEST(drawn_and_read_again)
{
  dcl_case c, again, other;
  char line[DCL_LINE], second[DCL_LINE];
  dcl_case_info about;
  int rank;
  int64_t shape[DCL_RANK], size;
  const void *x, *y;
  ck_assert_int_eq(dcl_case_draw("softmax", "rows=3 cols=5 values=ties", 7, 4, &c), DCL_OK);
  ck_assert_int_eq(dcl_case_line(c, line), DCL_OK);
  ck_assert_text(line, "softmax rows=3 cols=5 values=ties");
  ck_assert_int_eq(dcl_case_about(c, &about), DCL_OK);
  ck_assert_int_eq(about.op, op_number("softmax"));
  ck_assert_str_eq(about.values, "ties");
  ck_assert_int_eq(dcl_case_size(c, 1, &size), DCL_OK);
  ck_assert_int_eq(size, 5);
  ck_assert_int_eq(dcl_case_tensor(c, 0, &rank, shape, &x), DCL_OK);
  ck_assert(rank == 2 && shape[0] == 3 && shape[1] == 5 && x);
  ck_assert_int_eq(dcl_case_read(line, &again), DCL_OK);
  ck_assert_int_eq(dcl_case_line(again, second), DCL_OK);
  ck_assert_str_eq(line, second);
  ck_assert_int_eq(dcl_case_tensor(again, 0, &rank, shape, &y), DCL_OK);
  ck_assert_mem_eq(x, y, 15 * sizeof(float));
  ck_assert_int_eq(dcl_case_draw("softmax", "rows=3 cols=5 values=ties", 8, 4, &other), DCL_OK);
  ck_assert_int_eq(dcl_case_tensor(other, 0, &rank, shape, &y), DCL_OK);
  ck_assert_mem_ne(x, y, 15 * sizeof(float));
  ck_assert_int_eq(dcl_case_tensor(c, 1, &rank, shape, &y), DCL_OK);
  ck_assert(rank == 2 && shape[1] == 5 && !y);
  refused(dcl_case_tensor(c, 2, &rank, shape, &y), "has 2");
  refused(dcl_case_size(c, 2, &size), "has 2");
  dcl_case_free(c);
  dcl_case_free(again);
  dcl_case_free(other);
  dcl_case_free(NULL);
}
END_TEST

/* exp on x, as y, in that type of number. */
static dcl_outcome exp_of(const float *x, dcl_dtype type, const void *y, const char *arith,
                          dcl_verdict *v)
{
  dcl_case c;
  dcl_array in = {.dtype = DCL_F32, .rank = 1, .shape = {2}, .data = x};
  dcl_array got = {.dtype = type, .rank = 1, .shape = {2}, .data = y};
  ck_assert_msg(!dcl_case_given("exp", &in, 1, NULL, &c), "%s", dcl_error());
  ck_assert_msg(!dcl_case_judge(c, arith, &got, 1, 1, v), "%s", dcl_error());
  dcl_case_free(c);
  return v->outcome;
}

START_TEST(verdicts)
{
  dcl_verdict v;
  const float x[] = {0, 1}, right[] = {1, 2.7182817f}, wrong[] = {1, 2.71829f}, nan2[] = {1, NAN};
  const double wide[] = {1, 2.718281828459045};
  const uint16_t half[] = {0x3c00, 0x4170}; /* 1, 2.71875 */
  ck_assert_int_eq(exp_of(x, DCL_F32, right, NULL, &v), DCL_PASS);
  ck_assert_text(v.text, "exp: pass\ny: 2 elements, 0 failed");
  ck_assert_int_eq(exp_of(x, DCL_F64, wide, NULL, &v), DCL_PASS);
  ck_assert_int_eq(exp_of(x, DCL_F16, half, NULL, &v), DCL_PASS);
  ck_assert_text(v.text, " to f16");
  ck_assert_int_eq(exp_of(x, DCL_F16, half, "ieee,out=f32", &v), DCL_FAIL);
  ck_assert_int_eq(exp_of(x, DCL_F32, nan2, NULL, &v), DCL_FAIL);
  ck_assert_int_eq(exp_of(x, DCL_F32, wrong, NULL, &v), DCL_FAIL);
  ck_assert(v.elements == 2 && v.failed == 1 && v.output == 0 && v.index == 1);
  ck_assert(v.got == (double)wrong[1] && fabs(v.want - M_E) < 1e-15 && v.error > v.bound);
  ck_assert_text(v.text, "wrong: y[1] = 2.71829009, want 2.71828183");
}
END_TEST

START_TEST(reference_and_bound)
{
  dcl_case c;
  double want[2] = {0}, bound[2] = {0}, *w[] = {want}, *e[] = {bound};
  const float a[] = {1, 1}, b[] = {3, 2};
  const dcl_array in[] = {{.dtype = DCL_F32, .rank = 1, .shape = {2}, .data = a},
                          {.dtype = DCL_F32, .rank = 1, .shape = {2}, .data = b}};
  ck_assert_int_eq(dcl_case_given("div", in, 2, "", &c), DCL_OK);
  ck_assert_int_eq(dcl_case_eval(c, "ieee", w, e), DCL_OK);
  ck_assert(want[0] == (double)(1.0f / 3) && bound[0] == 0 && want[1] == 0.5 && bound[1] == 0);
  ck_assert_int_eq(dcl_case_eval(c, "ieee", w, NULL), DCL_OK);
  ck_assert(want[0] == 1.0 / 3);
  ck_assert_int_eq(dcl_case_eval(c, "fast", w, e), DCL_OK);
  ck_assert(bound[0] > 0);
  ck_assert_int_eq(dcl_arith_check("triton,height=pairwise"), DCL_OK);
  ck_assert_int_eq(dcl_arith_check(NULL), DCL_OK);
  refused(dcl_arith_check("triton,heigth=1"), "heigth");
  want[0] = 7;
  refused(dcl_case_eval(c, "slow", w, e), "slow");
  ck_assert(want[0] == 7);
  dcl_case_free(c);
}
END_TEST

/* Of layer_norm only y is judged. */
START_TEST(one_output_of_three)
{
  dcl_case c;
  dcl_verdict v;
  const float x[] = {1, 3}, gamma[] = {1, 1}, beta[] = {0, 0}, y[] = {-1, 1}, mean[] = {5};
  const dcl_array in[] = {{.rank = 2, .shape = {1, 2}, .data = x},
                          {.rank = 1, .shape = {2}, .data = gamma},
                          {.rank = 1, .shape = {2}, .data = beta}};
  dcl_array got[3] = {{.rank = 2, .shape = {1, 2}, .data = y}, {.data = NULL}, {.data = NULL}};
  ck_assert_msg(!dcl_case_given("layer_norm", in, 3, "eps=1e-12", &c), "%s", dcl_error());
  ck_assert_int_eq(dcl_case_judge(c, NULL, got, 3, 1, &v), DCL_OK);
  ck_assert_int_eq(v.outcome, DCL_PASS);
  ck_assert_int_eq(v.elements, 2);
  got[1] = (dcl_array){.rank = 1, .shape = {1}, .data = mean};
  ck_assert_int_eq(dcl_case_judge(c, NULL, got, 3, 0, &v), DCL_OK);
  ck_assert(v.outcome == DCL_FAIL && v.output == 1);
  dcl_case_free(c);
}
END_TEST

START_TEST(wrong_use)
{
  dcl_case c = NULL;
  dcl_verdict v = {.elements = 77};
  const float x[] = {1, 2, 3, 4, 5, 6, 7, 8}; /* as many as the largest shape that is said */
  const double fine[] = {0.1, 0, 0, 0};
  dcl_array in = {.dtype = DCL_F32, .rank = 2, .shape = {2, 2}, .data = x}, got = in;
  refused(dcl_case_draw("sofmax", NULL, 1, 0, &c), "did you mean softmax");
  refused(dcl_case_draw(NULL, NULL, 1, 0, &c), "none is given");
  refused(dcl_case_draw("softmax", "rows=-1", 1, 0, &c), "rows=-1");
  refused(dcl_case_draw("softmax", "row=1", 1, 0, &c), "did you mean rows");
  refused(dcl_case_draw("softmax", NULL, 1, -1, &c), "must not be negative");
  refused(dcl_case_read("softmax rows=1", &c), "cols is missing");
  refused(dcl_case_read(NULL, &c), "empty");
  ck_assert_int_eq(dcl_case_draw("softmax", "rows=4000000000 cols=4000000000", 1, 0, &c),
                   DCL_TOO_BIG);
  refused(dcl_case_given("softmax", &in, 2, NULL, &c), "has 1 input, and 2 are given");
  refused(dcl_case_given("softmax", &in, 1, "values=ties", &c), "nothing is drawn");
  in.rank = 9;
  refused(dcl_case_given("softmax", &in, 1, NULL, &c), "9 axes");
  in.rank = 2;
  in.shape[0] = -2;
  refused(dcl_case_given("softmax", &in, 1, NULL, &c), "axis 0 of x");
  in.shape[0] = INT64_MAX;
  refused(dcl_case_given("softmax", &in, 1, NULL, &c), "x");
  in.shape[0] = 2;
  in.dtype = (dcl_dtype)99;
  refused(dcl_case_given("softmax", &in, 1, NULL, &c), "type 99");
  in.dtype = DCL_I32;
  refused(dcl_case_given("softmax", &in, 1, NULL, &c), "int32");
  in.dtype = DCL_F64;
  in.data = fine;
  refused(dcl_case_given("softmax", &in, 1, NULL, &c), "must be a float32");
  in.data = NULL;
  refused(dcl_case_given("softmax", &in, 1, NULL, &c), "no data");
  ck_assert_ptr_null(c);
  refused(dcl_case_line(c, (char[DCL_LINE]){0}), "none is given");
  in = got;
  ck_assert_int_eq(dcl_case_given("softmax", &in, 1, NULL, &c), DCL_OK);
  got.shape[0] = 4;
  refused(dcl_case_judge(c, NULL, &got, 1, 0, &v), "shape (4, 2)");
  got = in;
  got.dtype = DCL_I64;
  refused(dcl_case_judge(c, NULL,
                         &(dcl_array){.dtype = DCL_U8, .rank = 2, .shape = {2, 2}, .data = x}, 1, 0,
                         &v),
          "uint8");
  refused(dcl_case_judge(c, NULL, &in, 2, 0, &v), "has 1 output");
  refused(dcl_case_judge(c, "cuda,exp", &in, 1, 0, &v), "exp");
  ck_assert_int_eq(v.elements, 77);
  dcl_case_free(c);
}
END_TEST

START_TEST(no_memory)
{
  const float x[] = {1, 2};
  dcl_array in = {.dtype = DCL_F32, .rank = 2, .shape = {1, 2}, .data = x};
  const float y[] = {0.26894143f, 0.73105860f};
  dcl_array got = {.dtype = DCL_F32, .rank = 2, .shape = {1, 2}, .data = y};
  int64_t n = 0;
  for (int came = 1; came; n++) {
    dcl_case c = NULL;
    dcl_verdict v = {.elements = 77};
    allocation_fail(n);
    dcl_status s = dcl_case_given("softmax", &in, 1, NULL, &c);
    if (!s)
      s = dcl_case_judge(c, NULL, &got, 1, 1, &v);
    came = allocation_failed();
    allocation_fail(-1);
    ck_assert_msg(came ? s != DCL_OK && v.elements == 77 : s == DCL_OK && v.outcome == DCL_PASS,
                  "allocation %d: status %d", (int)n, (int)s);
    dcl_case_free(c);
  }
  ck_assert_int_gt(n, 5);
}
END_TEST

/* ---- kernels of the caller's ---- */

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
  Suite *s = suite_create("library");
  TCase *t = tcase_create("library");
  suite_add_tcase(s, t);
  tcase_add_test(t, catalogue);
  tcase_add_test(t, drawn_and_read_again);
  tcase_add_test(t, verdicts);
  tcase_add_test(t, reference_and_bound);
  tcase_add_test(t, one_output_of_three);
  tcase_add_test(t, wrong_use);
  tcase_add_test(t, no_memory);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, a_right_kernel_passes);
  tcase_add_loop_test(t, wrong_kernels_are_named, 0, sizeof WRONGS / sizeof WRONGS[0]);
  tcase_add_test(t, types_and_places);
  tcase_add_test(t, cases_that_it_takes);
  tcase_add_test(t, bad_options);
  tcase_add_test(t, a_run_without_memory);
  tcase_add_test(t, runs_in_threads);
  return aid_main(s);
}
