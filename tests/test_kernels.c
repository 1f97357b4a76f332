/* Kernels of a shared library, as other projects have them (tests/kernels): how they are called, what the
 * caller does for them, how they are found, and what of all that is refused. */
#include "helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_backend.h"

static const char *library(const char *name)
{
  static char path[4][4096];
  static int next;
  char in[64];
  snprintf(in, sizeof in, "tests/kernels/%s.so", name);
  return aid_program(path[next++ % 4], sizeof path[0], in);
}

#define PLAIN library("plain")
#define CPP library("overloaded")
#define KERNEL(lib, call) "--kernel", lib, "--call", call
static const char *number(int n)
{
  static char text[16];
  snprintf(text, sizeof text, "%d", n);
  return text;
}
#define FAKE(fault) number(fault)
#define QUICK "-q", "--cases", "48"

/* ---- calls ---- */

static const struct {
  int status;
  const char *op, *lib, *call, *more[4];
} CALLS[] = {
    {0, "softmax", "plain", "softmax_forward(i32 4, y, x, i32 rows, i32 cols, i32 256)", {NULL}},
    {1, "softmax", "plain", "softmax_forward(i32 5, y, x, i32 rows, i32 cols, i32 256)", {NULL}},
    {1, "softmax", "plain", "softmax_forward(i32 4, y, x, i32 cols, i32 rows, i32 256)", {NULL}},
    {0,
     "layer_norm",
     "plain",
     "layernorm_forward(y,mean,rstd,x,gamma,beta,i32 1,i32 rows,i32 cols)",
     {"--set", "eps=1e-5"}},
    {1,
     "layer_norm",
     "plain",
     "layernorm_forward(y,mean,rstd,x,gamma,beta,i32 1,i32 rows,i32 cols)",
     {"--set", "eps=1e-2"}},
    /* it adds to what is there: said so, left to the caller, and not known */
    {0,
     "layer_norm_vjp",
     "plain",
     "layernorm_backward(inout dx, inout dgamma, inout dbeta, g, x, gamma, mean, rstd, i32 rows, "
     "i32 cols)",
     {NULL}},
    {0,
     "layer_norm_vjp",
     "plain",
     "layernorm_backward(zeroed dx, zeroed dgamma, zeroed dbeta, g, x, gamma, mean, rstd, i32 "
     "rows, "
     "i32 cols)",
     {NULL}},
    {1,
     "layer_norm_vjp",
     "plain",
     "layernorm_backward(dx, zeroed dgamma, zeroed dbeta, g, x, gamma, mean, rstd, i32 rows, "
     "i32 cols)",
     {NULL}},
    {0, "mul_vjp", "plain", "mul_backward(da, db, a, b, g, i64 n, i32 accumulate)", {NULL}},
    {0, "mul_vjp", "plain", "mul_backward(da, db, a, b, g, i64 n, i32 0)", {NULL}},
    {1, "mul_vjp", "plain", "mul_backward(inout da, inout db, a, b, g, i64 n, i32 0)", {NULL}},
    /* a result in its input's place */
    {0, "add", "plain", "add_into(inout a, b, i64 n)", {NULL}},
    {1, "add", "plain", "add_into(a, y, i64 n)", {NULL}},
    /* a workspace, cleared or not */
    {0, "sum", "plain", "sum_by_parts(x, y, zeroed work(4*4), i64 n)", {NULL}},
    {1, "sum", "plain", "sum_by_parts(x, y, work(16), i64 n)", {NULL}},
    {1, "sum", "plain", "sum_by_parts(x, y, zeroed work(4*2), i64 n)", {NULL}},
    {0, "sum", "plain", "sum_any_order(x, y, i64 n)", {"--unordered"}},
    {1, "sum", "plain", "sum_any_order(x, y, i64 n)", {NULL}},
    /* numbers of every type */
    {0,
     "scale",
     "plain",
     "scale_all(i32 min(2, 3) * max(2, 1), i64 n, u32 n, u64 3*n - 1, f32 c, f64 c, f32 0.5f, "
     "f64 0.1, null, stream, a, y)",
     {NULL}},
    {1,
     "scale",
     "plain",
     "scale_all(i32 4, i64 n, u32 n, u64 3*n - 1, f32 c, f64 c, f32 0.5, f64 0.1, a, stream, a, y)",
     {NULL}},
    /* what only some cases suit: n = 0 has no 3n - 1 in u64, and is left out */
    {0, "relu", "plain", "relu_by_four(y, a, i64 n)", {"--where", "n % 4 == 0"}},
    {1, "relu", "plain", "relu_by_four(y, a, i64 n)", {"--where", "n % 2 == 0"}},
    {0, "relu", "plain", "relu_by_four(y, a, i64 n)", {"--where", "aligned && n % 4 == 0"}},
    {0,
     "relu",
     "plain",
     "relu_by_four(y, a, i64 n)",
     {"--where", "n > 0 && 8 / n * n == 8 && n > 3"}},
    /* indices of 32 bits */
    {0,
     "gather_rows",
     "plain",
     "gather_rows32(y, x, i32 idx, i64 rows, i64 cols, i64 k, i32 0)",
     {NULL}},
    {1,
     "gather_rows",
     "plain",
     "gather_rows32(y, x, i32 idx, i64 rows, i64 cols, i64 k, i32 1)",
     {NULL}},
    {1,
     "gather_rows",
     "plain",
     "gather_rows32(y, x, i32 idx, i64 rows, i64 cols, i64 k, i32 2)",
     {NULL}},
    {1,
     "gather_rows",
     "plain",
     "gather_rows32(y, x, idx, i64 rows, i64 cols, i64 k, i32 0)",
     {NULL}},
    /* C++ */
    {0, "neg", "overloaded", "mine::negate(y, a, i64 n)", {NULL}},
    {0, "neg", "overloaded", "mine::instance<float>(y, a, i64 n)", {NULL}},
    {0, "neg", "overloaded", "_ZN4mine5twiceEPfPKfl(y, a, i64 n)", {NULL}},
    {1, "neg", "overloaded", "_ZN4mine5twiceEPfPKfi(y, a, i32 n)", {NULL}},
};

START_TEST(as_it_is_called)
{
  char *out = NULL, *err = NULL;
  const char *const *m = CALLS[_i].more;
  int rc = aid_run(&out, &err, "diffcheck", "run", CALLS[_i].op, QUICK,
                   KERNEL(library(CALLS[_i].lib), CALLS[_i].call), m[0], m[0] ? m[1] : NULL, NULL);
  ck_assert_msg(rc == CALLS[_i].status, "%s: exit %d: %s%s", CALLS[_i].call, rc, out, err);
  ck_assert_text(out, rc ? "1 failed" : "1 passed");
  free(out);
  free(err);
}
END_TEST

/* The replay line holds all that it needs, and --set and --arith stay what they are. */
START_TEST(a_line_replays)
{
  char line[8192], program[4096], *err;
  char *out = OUTPUT(1, "run", "relu", QUICK, KERNEL(PLAIN, "relu_by_four(y, a, i64 n)"), "--where",
                     "n > 4", "--arith", "cuda,zero_sign=any");
  const char *from = strstr(out, "diffcheck replay '");
  ck_assert_ptr_nonnull(from);
  ck_assert_text(from, " --where 'n > 4' --arith cuda,zero_sign=any");
  aid_program(program, sizeof program, "diffcheck");
  snprintf(line, sizeof line, "exec '%s'%.*s", program, (int)strcspn(from + 9, "\n"), from + 9);
  free(out);
  ck_assert_int_eq(aid_run(&out, &err, "sh", "-c", line, NULL), 1);
  ck_assert_text(out, "relu n=5 "); /* the smallest that it takes */
  ck_assert_text(out, "1 failed");
  free(out);
  free(err);
}
END_TEST

START_TEST(in_this_process_too)
{
  free(OUTPUT(0, "run", "softmax", QUICK, "--in-process",
              KERNEL(PLAIN, "softmax_forward(i32 4, y, x, i32 rows, i32 cols, i32 256)")));
}
END_TEST

/* An own tensor goes in, and on the way to other data it is left out. */
START_TEST(on_your_own_tensor)
{
  const int64_t shape[] = {3, 5};
  float x[15];
  for (int i = 0; i < 15; i++)
    x[i] = (float)(i * i % 7) - 2;
  const char *file = aid_tensor("x.npy", NPY_F4, 2, shape, x);
  char *out = OUTPUT(0, "run", "softmax", "-q", "--input", file,
                     KERNEL(PLAIN, "softmax_forward(i32 4, y, x, i32 rows, i32 cols, i32 256)"));
  ck_assert_text(out, "16 cases");
  free(out);
}
END_TEST

/* ---- what is refused ---- */

#define SOFTMAX "softmax_forward(i32 4, y, x, i32 rows, i32 cols, i32 256)"
#define CALLED(op, call, part, and) REFUSED(part, and, "run", op, QUICK, KERNEL(PLAIN, call))

START_TEST(calls_that_make_no_sense)
{
  CALLED("softmax", "softmax_forward", "call: 'softmax_forward'", "NAME(ARGUMENT");
  CALLED("softmax", "(y, x)", "call", "NAME(ARGUMENT");
  CALLED("softmax", "  (y, x)", "call", "NAME(ARGUMENT");
  CALLED("softmax", "softmax_forward(y, x", "call", "')' is missing");
  CALLED("softmax", "softmax_forward(y, x) y", "'y'", "follows");
  CALLED("softmax", "softmax_forward(y,, x)", "call", "empty");
  CALLED("softmax", "softmax_forward(y, x, rows)", "'rows'", "type");
  CALLED("softmax", "softmax_forward(y, z)", "'z'", "x, y");
  CALLED("softmax", "softmax_forward(y, x, i32)", "'i32'", "missing");
  CALLED("softmax", "softmax_forward(y, x, i32 row)", "row is unknown", "rows, cols");
  CALLED("softmax", "softmax_forward(y, x, i32 rows*)", "rows*", "missing");
  CALLED("softmax", "softmax_forward(y, x, i32 (rows)", "call", "')' is missing");
  CALLED("softmax", "softmax_forward(y, x, i32 1.5)", "1.5", "whole");
  CALLED("softmax", "softmax_forward(y, x, i32 99999999999999999999)", "9999", "64 bits");
  CALLED("softmax", "softmax_forward(y, x, i32 aligned)", "aligned is unknown", "rows");
  CALLED("softmax", "softmax_forward(y, x, i32 accumulate)", "accumulate is unknown", "rows");
  CALLED("softmax", "softmax_forward(x, i32 rows)", "y is an output", "names neither");
  CALLED("softmax", "softmax_forward(zeroed x, y)", "'x'", "zeroed is said of an output");
  CALLED("softmax", "softmax_forward(inout y, x)", "inout", "no gradient");
  CALLED("softmax", "softmax_forward(y, x, work(4), work(4))", "work", "one workspace");
  CALLED("softmax", "softmax_forward(y, x, work(bytes))", "bytes is unknown", "rows");
  CALLED("gather_rows", "f(y, x, u32 idx)", "'idx'", "i64 or i32");
  CALLED("gather_rows", "f(y, i32 x, idx)", "'x'", "holds numbers");
  CALLED("gather_rows", "f(y, x, i32 idx, idx)", "'idx'", "two types");
  CALLED("layer_norm", "f(y, mean, rstd, x, i32 eps)", "'eps'", "f32 or f64");
  CALLED("mul_vjp", "f(inout da, db, a, b, g)", "inout", "zeroed");
  CALLED("softmax",
         "f(y,x,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,"
         "i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,i32 1,"
         "i32 1,i32 1,i32 1,i32 1)",
         "call", "at most 32");
}
END_TEST

START_TEST(too_long_and_too_deep)
{
  char call[3000] = "softmax_forward(y, x, i32 ";
  size_t n = strlen(call);
  memset(call + n, '(', 500);
  snprintf(call + n + 500, sizeof call - n - 500, "1)");
  CALLED("softmax", call, "call", "missing");
  memset(call + n, '-', 500);
  CALLED("softmax", call, "call", "64 deep");
  memset(call + n, '1', 2000);
  call[n + 2000] = 0;
  CALLED("softmax", call, "--call", "longer than");
}
END_TEST

START_TEST(libraries_that_are_none)
{
  const char *text = aid_path("text.so"), *cut = aid_path("cut.so");
  size_t n;
  char *whole = aid_read(PLAIN, &n);
#define FROM(file, part, and) REFUSED(part, and, "run", "softmax", QUICK, KERNEL(file, SOFTMAX))
  aid_write(text, "not a library at all, but long enough to hold a header, one would think..", 73);
  FROM("/no/such/library.so", "/no/such/library.so", "No such file");
  FROM("/tmp", "/tmp", "must be a shared library");
  FROM(text, text, "no shared library");
  aid_write(cut, whole, 50);
  FROM(cut, cut, "no shared library");
  aid_write(cut, whole, n / 2); /* its table of sections is at its end */
  FROM(cut, cut, "table of symbols");
  /* damaged: whatever the byte, no crash of ours; a file that still loads may run */
  for (size_t at = 0; at < 64; at++) {
    char *out = NULL, *err = NULL, was = whole[at];
    whole[at] = (char)~was;
    aid_write(cut, whole, n);
    whole[at] = was;
    int rc = aid_run(&out, &err, "diffcheck", "run", "softmax", "-q", "--cases", "1",
                     KERNEL(cut, SOFTMAX), NULL);
    ck_assert_msg(rc == 2 || rc == 0, "byte %zu: exit %d: %s%s", at, rc, out, err);
    free(out);
    free(err);
  }
  whole[18] = 40; /* the machine: 32-bit ARM */
  aid_write(cut, whole, n);
  FROM(cut, "another machine", "40");
  free(whole);
}
END_TEST

START_TEST(functions_that_are_not_there)
{
  CALLED("softmax", "softmax_foward(y, x, i32 rows, i32 cols)", "no function 'softmax_foward'",
         "softmax_forward");
  REFUSED("2 functions mine::twice", "_ZN4mine5twiceEPfPKfl", "run", "neg", QUICK,
          KERNEL(CPP, "mine::twice(y, a, i64 n)"));
  REFUSED("no function 'twice'", "mine::twice(float*, float const*, long)", "run", "neg", QUICK,
          KERNEL(CPP, "twice(y, a, i64 n)"));
}
END_TEST

START_TEST(options_that_do_not_go_together)
{
  REFUSED("--kernel", "2 ops", "run", "softmax", "relu", KERNEL(PLAIN, SOFTMAX));
  REFUSED("--kernel", "0 ops", "run", KERNEL(PLAIN, SOFTMAX));
  REFUSED("call", "missing", "run", "softmax", "--kernel", PLAIN);
  REFUSED("library", "missing", "run", "softmax", "--call", SOFTMAX);
  REFUSED("either library and call", "source", "run", "softmax", "--where", "rows > 1");
  REFUSED("on 'gpu'", "cpu or cuda", "run", "softmax", "--on", "gpu", KERNEL(PLAIN, SOFTMAX));
  REFUSED("--backend 'sim'", "--on", "run", "softmax", "--backend", "sim", KERNEL(PLAIN, SOFTMAX));
  REFUSED("--variant 'warp'", "yours", "run", "softmax", "--variant", "warp",
          KERNEL(PLAIN, SOFTMAX));
  REFUSED("where", "row is unknown", "run", "softmax", "--where", "row > 1",
          KERNEL(PLAIN, SOFTMAX));
  REFUSED("where", "follows", "run", "softmax", "--where", "rows > 1 cols", KERNEL(PLAIN, SOFTMAX));
  REFUSED("--call 'softmax_forward", "one line", "run", "softmax",
          KERNEL(PLAIN, "softmax_forward(y, x)\nlibrary: other.so"));
  REFUSED("--where ''", "missing", "run", "softmax", "--where", "", KERNEL(PLAIN, SOFTMAX));
  REFUSED("worker", "run and replay", "worker", "kernel", "op: softmax", "");
}
END_TEST

/* No GPU: an error, whether the library of ours is there or not. */
START_TEST(no_device)
{
  setenv("PM_CUDA_LIB", "/no/such/libpm_cuda.so", 1);
  REFUSED("libpm_cuda.so", "nvcc builds it", "run", "softmax", "--on", "cuda",
          KERNEL(PLAIN, SOFTMAX));
}
END_TEST

/* A device, which is a fake one here: its memory, streams and errors are what the kernel has. */
START_TEST(on_a_device)
{
  char fake[4096];
  setenv("PM_CUDA_LIB", aid_program(fake, sizeof fake, "tests/libfake_cuda.so"), 1);
  char *out = OUTPUT(0, "run", "softmax", QUICK, "--on", "cuda", KERNEL(PLAIN, SOFTMAX));
  ck_assert_text(out, "back ends: cuda (softmax_forward of ");
  ck_assert_text(out, ", on ");
  free(out);
  out = OUTPUT(1, "run", "relu", QUICK, "--on", "cuda", KERNEL(PLAIN, "relu_by_four(y, a, i64 n)"));
  ck_assert_text(out, "FAIL relu on cuda");
  ck_assert_text(out, " --on cuda");
  free(out);
  setenv("PM_FAKE", FAKE(FAKE_NO_DEVICE), 1);
  REFUSED("the fake says no", "", "run", "softmax", "--on", "cuda", KERNEL(PLAIN, SOFTMAX));
  setenv("PM_FAKE", FAKE(FAKE_DOWNLOAD_FAILS), 1);
  out = OUTPUT(1, "run", "softmax", QUICK, "--on", "cuda", KERNEL(PLAIN, SOFTMAX));
  ck_assert_text(out, "download: the fake says no");
  free(out);
}
END_TEST

/* What no case suits was not checked, and does not pass. */
START_TEST(nothing_was_checked)
{
  char *out = OUTPUT(1, "run", "softmax", QUICK, "--where", "rows < 0", KERNEL(PLAIN, SOFTMAX));
  ck_assert_text(out, "no case was run");
  free(out);
  out = OUTPUT(1, "run", "softmax", QUICK, "--where", "1 / 0 == 1", KERNEL(PLAIN, SOFTMAX));
  ck_assert_text(out, "no case was run");
  free(out);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("kernels");
  TCase *t = tcase_create("calls");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, as_it_is_called, 0, (int)(sizeof CALLS / sizeof *CALLS));
  tcase_add_test(t, a_line_replays);
  tcase_add_test(t, in_this_process_too);
  tcase_add_test(t, on_your_own_tensor);
  t = tcase_create("refused");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, calls_that_make_no_sense);
  tcase_add_test(t, too_long_and_too_deep);
  tcase_add_test(t, libraries_that_are_none);
  tcase_add_test(t, functions_that_are_not_there);
  tcase_add_test(t, options_that_do_not_go_together);
  tcase_add_test(t, no_device);
  tcase_add_test(t, on_a_device);
  tcase_add_test(t, nothing_was_checked);
  return aid_main(s);
}
