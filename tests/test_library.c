/* libdiffcheck: the catalogue, drawn and given cases, reference and verdict, and every refusal and failed
 * allocation an answer that leaves what the caller passed as it was. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "allocation.h"
#include "helpers.h"

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
  return aid_main(s);
}
