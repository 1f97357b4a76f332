/* Kernels of others in place of ours: which steps they run on, what the shadow finds of them, what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

enum { ROWS = 3, COLS = 5 };

/* The path of a file of descriptions; %s is the library of tests/kernels of that name. */
static const char *described(const char *name, const char *library, const char *format)
{
  char at[4096], text[8192], to[64];
  const char *path;
  aid_program(at, sizeof at, library);
  /* A file has one to three kernels; what is left over of the arguments is ignored. */
  // cppcheck-suppress wrongPrintfScanfArgNum
  snprintf(text, sizeof text, format, at, at, at);
  snprintf(to, sizeof to, "%s.kernel", name);
  path = aid_path(to);
  aid_write(path, text, strlen(text));
  return path;
}

#define THIRD(right)                         \
  "kernel: mine\nop: softmax\nlibrary: %s\n" \
  "call: softmax_third(y, x, i32 rows, i32 cols, i32 " right ")\n"
static const char *third(void) { return described("third", "tests/kernels/faulty.so", THIRD("0")); }
static const char *right(void) { return described("right", "tests/kernels/faulty.so", THIRD("1")); }

static pmr_tensor ramp(pmr_context c, int rows, int cols)
{
  float x[64];
  for (int i = 0; i < rows * cols; i++)
    x[i] = sinf((float)i);
  return f32(c, x, 2, rows, cols);
}

static void ran(pmr_context c, int i, const char *op, int64_t ran, int64_t left)
{
  pmr_kernel_info k;
  OK(pmr_kernel_about(c, i, &k));
  ck_assert_str_eq(k.op, op);
  ck_assert_int_eq(k.ran, ran);
  ck_assert_int_eq(k.left, left);
}

START_TEST(the_shadow_finds_what_is_wrong)
{
  pmr_context c = opened(2);
  pmr_tensor x = ramp(c, ROWS, COLS), y = op1(c, "softmax", x, NULL, NULL), z = NULL;
  pmr_shadow_report r;
  char said[512], folder[512];
  snprintf(folder, sizeof folder, "%s", third());
  *strrchr(folder, '/') = 0;
  OK(pmr_shadow_set(c, &(pmr_shadow){.folder = folder}));
  OK(pmr_kernels(c, third()));
  FAILS(PMR_DIVERGED, "step 2, softmax (mine on sim): y[2] is ",
        pmr_call(c, "softmax", PMR_IN(x), NULL, &z, 1));
  OK(pmr_shadow_about(c, &r));
  ck_assert_int_eq(r.diverged, 1);
  ck_assert_str_eq(r.first.variant, "mine");
  ck_assert_text(r.first.replay, "variant=mine");
  snprintf(said, sizeof said, "--kernels '%s'", third());
  ck_assert_text(r.first.replay, said);
  /* what it prints shows it again */
  char dc[4096], *out = aid_shell(1, "cd / && PATH=$(dirname %s):$PATH %s -q",
                                  aid_program(dc, sizeof dc, "diffcheck"), r.first.replay);
  free(out);
  ran(c, 0, "softmax", 1, 0);
  OK(pmr_free(y));
  OK(pmr_free(x));
  closed(c);
}
END_TEST

START_TEST(what_is_right_passes)
{
  pmr_context c = opened(2), ours = opened(1);
  float mine[ROWS * COLS], want[ROWS * COLS];
  pmr_tensor x = ramp(c, ROWS, COLS), w = ramp(ours, ROWS, COLS), y, z;
  OK(pmr_kernels(c, right()));
  y = op1(c, "softmax", x, NULL, NULL);
  z = op1(ours, "softmax", w, NULL, NULL);
  OK(pmr_to_host(y, PMR_F32, mine, ROWS * COLS));
  OK(pmr_to_host(z, PMR_F32, want, ROWS * COLS));
  for (int i = 0; i < ROWS * COLS; i++)
    ck_assert(fabsf(mine[i] - want[i]) < 1e-6f);
  ran(c, 0, "softmax", 1, 0);
  OK(pmr_free(x));
  OK(pmr_free(y));
  closed(c);
  OK(pmr_free(w));
  OK(pmr_free(z));
  closed(ours);
}
END_TEST

/* On steps that it may not run on, ours do. */
START_TEST(which_steps)
{
  static const char FILE[] =
      "kernel: by_four\nop: relu\nlibrary: %s\ncall: relu_by_four(y, a, i64 n)\nwhere: n %% 4 == "
      "0\n"
      "kernel: parts\nop: sum\nlibrary: %s\ncall: sum_by_parts(x, y, zeroed work(16), i64 n)\n"
      "kernel: back\nop: mul_vjp\nlibrary: %s\n"
      "call: mul_backward(zeroed da, zeroed db, a, b, g, i64 n, i32 1)\n";
  static const float X[8] = {-1, 2, -3, 4, -5, 6, -7, 8}, RELU[8] = {0, 2, 0, 4, 0, 6, 0, 8};
  static const float EIGHT[1] = {20}, SEVEN[1] = {12};
  for (int backend = 1; backend < N_BACKENDS; backend++) {
    pmr_context c = opened(backend);
    pmr_tensor x = f32(c, X, 1, 8), few = f32(c, X, 1, 7), y, z, s, t;
    OK(pmr_kernels(c, described("several", "tests/kernels/plain.so", FILE)));
    y = op1(c, "relu", x, NULL, NULL);
    z = op1(c, "relu", few, NULL, NULL);
    s = op1(c, "sum", y, NULL, NULL);
    t = op1(c, "sum", z, NULL, NULL);
    is(y, RELU, 8);
    is(z, RELU, 7);
    is(s, EIGHT, 1);
    is(t, SEVEN, 1);
    OK(pmr_requires_grad(x, 1));
    OK(pmr_release(s));
    OK(pmr_release(y));
    y = op1(c, "mul", x, x, NULL);
    s = op1(c, "sum", y, NULL, NULL);
    OK(pmr_backward(s, NULL));
    float twice[8];
    for (int i = 0; i < 8; i++)
      twice[i] = 2 * X[i];
    grad_is(x, twice, 8);
    ran(c, 0, "relu", 1, 1);
    ran(c, 1, "sum", 3, 0);
    ran(c, 2, "mul_vjp", 1, 0);
    pmr_kernel_info k;
    FAILS(PMR_INVALID, "kernel 3: there are 3", pmr_kernel_about(c, 3, &k));
    FAILS(PMR_INVALID, "kernel -1: there are 3", pmr_kernel_about(c, -1, &k));
    FAILS(PMR_INVALID, "out is NULL", pmr_kernel_about(c, 0, NULL));
    pmr_tensor all[] = {x, few, y, z, s, t};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
      OK(pmr_release(all[i]));
    closed(c);
  }
}
END_TEST

/* A value that it has fixed is that of the steps that it runs on. */
START_TEST(fixed_values)
{
  static const char FILE[] = "kernel: third\nop: scale\nlibrary: %s\nset: c=3\n"
                             "call: scale_third(y, a, f32 3, i64 n, work(4), null)\n";
  static const float X[3] = {1, 2, 3}, TWO[3] = {2, 4, 6}, WRONG[3] = {3, 6, 10};
  pmr_context c = opened(1);
  pmr_tensor x = f32(c, X, 1, 3), y, z;
  OK(pmr_kernels(c, described("fixed", "tests/kernels/faulty.so", FILE)));
  y = op1(c, "scale", x, NULL, PMR_ATTRS({"c", 2}));
  z = op1(c, "scale", x, NULL, PMR_ATTRS({"c", 3}));
  is(y, TWO, 3);
  is(z, WRONG, 3);
  ran(c, 0, "scale", 1, 1);
  OK(pmr_free(x));
  OK(pmr_free(y));
  OK(pmr_free(z));
  closed(c);
}
END_TEST

/* In a session, which remembers steps and not kernels. */
START_TEST(in_a_session)
{
  pmr_context c = opened(1);
  pmr_session s;
  pmr_tensor x = ramp(c, ROWS, COLS), y;
  float ours[ROWS * COLS], mine[ROWS * COLS];
  OK(pmr_session_begin(c));
  y = op1(c, "softmax", x, NULL, NULL);
  OK(pmr_session_end(c, &s));
  OK(pmr_to_host(y, PMR_F32, ours, ROWS * COLS));
  OK(pmr_kernels(c, third()));
  OK(pmr_session_run(s));
  OK(pmr_to_host(y, PMR_F32, mine, ROWS * COLS));
  ck_assert(fabsf(mine[2] - 2 * ours[2]) < 1e-6f);
  ran(c, 0, "softmax", 1, 0);
  OK(pmr_session_release(s));
  OK(pmr_release(x));
  OK(pmr_release(y));
  closed(c);
}
END_TEST

START_TEST(refused)
{
  static const struct {
    const char *text, *words;
  } rows[] = {
      {"kernel: k\nop: softmax\nlibrary: %s\ncall: softmax_third(bf16 y, x, i32 rows, i32 cols, "
       "i32 0)\n",
       "y is of another type"},
      {"kernel: k\nop: gather_rows\nlibrary: %s\ncall: gather_third(y, x, i32 idx, i32 rows, i32 "
       "cols, i32 k)\n",
       "idx is of another type"},
      {"kernel: k\nop: relu\nlibrary: %s\ncall: relu_dies(y, inout a, i64 n)\n",
       "may change its input a"},
      {"kernel: k\nop: relu\nlibrary: %s\ncall: relu_dies(inout x, a, i64 n)\n", "x"},
      {"kernel: k\nop: relu_vjp\nlibrary: %s\ncall: relu_dies(inout da, a, i64 n)\n",
       "'zeroed' has them cleared"},
      {"kernel: k\nop: relu\nlibrary: %s\ncall: relu_lives(y, a, i64 n)\n", "relu_lives"},
      {"kernel: k\nop: relu\nlibrary: %s\ncall: relu_dies(y, a, i64 n)\non: cuda\n", "runs on sim"},
      {"kernel: k\nop: relu\nlibrary: %s\ncall: relu_dies(y, a, i64 n)\nset: m=3\n", "'m'"},
      {"kernel: k\nop: relu\nlibrary: %s\ncall: relu_dies(y, a, i64 n)\narith: abacus\n", "abacus"},
      {"kernel: k\nop: relu\nlibrary: %s\ncall: relu_dies(y, a, i64 n)\n"
       "kernel: l\nop: relu\nlibrary: %s\ncall: relu_dies(y, a, i64 n)\n",
       "l is a second one of relu, which has k"},
      {"op: relu\n", ""},
      {"kernel: k\nop: softmax\nsource: tests/plain/third.cu\nlaunch: softmax_third<<<rows, "
       "32>>>(y, x, i32 cols)\n",
       "on the simulator, plain CUDA"},
      {"kernel: k\nop: relu\nlibrary: /nowhere/%%s.so\ncall: relu_dies(y, a, i64 n)\n",
       "/nowhere"}};
  pmr_context c = opened(1), ref = opened(0), none = NULL;
  pmr_kernel_info k;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    FAILS(PMR_INVALID, rows[i].words,
          pmr_kernels(c, described("bad", "tests/kernels/faulty.so", rows[i].text)));
    FAILS(PMR_INVALID, "there are 0", pmr_kernel_about(c, 0, &k));
  }
  FAILS(PMR_INVALID, "the file is NULL", pmr_kernels(c, NULL));
  FAILS(PMR_INVALID, "/nowhere", pmr_kernels(c, "/nowhere/at.all"));
  FAILS(PMR_INVALID, "back end ref runs none", pmr_kernels(ref, third()));
  closed(ref);
  closed(c);
  setenv("PROOFMARK_KERNELS", third(), 1);
  ref = opened(0); /* has no kernels that could be others */
  c = opened(2);
  pmr_tensor x = ramp(c, ROWS, COLS), y = NULL;
  FAILS(PMR_DIVERGED, "softmax (mine on sim)", pmr_call(c, "softmax", PMR_IN(x), NULL, &y, 1));
  OK(pmr_free(x));
  closed(c);
  closed(ref);
  setenv("PROOFMARK_KERNELS", "/nowhere/at.all", 1);
  FAILS(PMR_INVALID, "/nowhere", pmr_open("sim", &none));
  ck_assert_ptr_null(none);
}
END_TEST

static pmr_status work(pmr_context c)
{
  static const int64_t SHAPE[2] = {ROWS, COLS};
  static char file[4096];
  float zero[ROWS * COLS] = {0};
  pmr_tensor x = NULL, y = NULL;
  pmr_kernel_info k;
  if (!*file)
    snprintf(file, sizeof file, "%s", aid_path("right.kernel"));
  pmr_status s = pmr_kernel_about(c, 0, &k) ? pmr_kernels(c, file) : PMR_OK;
  s = s ? s : pmr_from_host(c, PMR_F32, 2, SHAPE, zero, &x);
  s = s ? s : pmr_call(c, "softmax", PMR_IN(x), NULL, &y, 1);
  if (x)
    pmr_release(x);
  if (y)
    pmr_release(y);
  return s;
}

START_TEST(no_memory)
{
  right();
  no_memory_anywhere(1, work);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("runtime_kernels");
  TCase *t = tcase_create("kernels");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, the_shadow_finds_what_is_wrong);
  tcase_add_test(t, what_is_right_passes);
  tcase_add_test(t, which_steps);
  tcase_add_test(t, fixed_values);
  tcase_add_test(t, in_a_session);
  tcase_add_test(t, refused);
  tcase_add_test(t, no_memory);
  suite_add_tcase(s, t);
  return aid_main(s);
}
