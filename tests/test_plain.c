/* Kernels in plain CUDA (tests/plain) on the simulator: right ones pass, what is planted is found, and what
 * the simulator does not know is named, with its line. */
#include "helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* tests/plain/NAME of the checkout that this program is built in; owned by the aid. */
static const char *source(const char *name)
{
  static char path[4][4200];
  static int next;
  char program[4096], *at = path[next++ % 4];
  ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  ck_assert_int_gt(n, 0);
  program[n] = 0;
  for (int up = 0; up < 5; up++) {
    *strrchr(program, '/') = 0;
    snprintf(at, sizeof path[0], "%s/tests/plain/%s", program, name);
    if (access(at, R_OK) == 0)
      return at;
  }
  ck_abort_msg("no tests/plain/%s", name);
}

/* That file, with the word defined before its first line. */
static const char *with(const char *word, const char *name)
{
  char text[8192], *rest = aid_read(source(name), NULL);
  const char *path = aid_path(word);
  snprintf(text, sizeof text, "#define %s\n#line 1\n%s", word, rest);
  aid_write(path, text, strlen(text));
  free(rest);
  return path;
}

#define SOFTMAX "softmax_kernel<64><<<rows, 64, cols*4>>>(y, x, i32 cols)"
#define SHORT "cols < 20000"
#define TRANSPOSE                                                                                  \
  "transpose<16><<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(y, x, i32 rows, i32 " \
  "cols)"

static const struct {
  const char *op, *file, *launch, *where;
  int unordered;
} RIGHT[] = {
    {"softmax", "softmax.cu", SOFTMAX, SHORT, 0},
    {"relu", "many.cu", "relu4<<<min((n + 255) / 256, 8), 256>>>(y, a, i64 n)", "n > 0 && aligned",
     0},
    {"gather_rows", "many.cu", "gather<<<k, 32>>>(y, x, i32 idx, i32 rows, i32 cols)",
     "k * cols < 100000", 0},
    {"sum", "many.cu", "sum_atomic<<<n / 64 + 1, 64>>>(zeroed y, x, i32 n)", "n < 100000", 1},
    {"transpose2d", "many.cu", TRANSPOSE, "rows > 0 && cols > 0 && rows * cols < 100000", 0},
    {"neg", "many.cu", "mine::negate<<<n / 64 + 1, dim3(32, 2), 64*4>>>(y, a, i64 n)", "n < 100000",
     0},
};

START_TEST(what_is_right_passes)
{
  char *out = OUTPUT(0, "run", RIGHT[_i].op, "-q", "--cases", "40", "--source",
                     source(RIGHT[_i].file), "--launch", RIGHT[_i].launch, "--where",
                     RIGHT[_i].where, RIGHT[_i].unordered ? "--unordered" : NULL);
  ck_assert_text(out, "1 passed");
  free(out);
}
END_TEST

static const struct {
  const char *word, *file, *op, *launch, *what;
} FOUND[] = {
    {"LACKS_BARRIER", "softmax.cu", "softmax", SOFTMAX, "race in shared memory: thread"},
    {"DIVERGED", "wrong.cu", "neg", "kernel<<<n / 64 + 1, 64>>>(y, a, i32 n)",
     "waits at a barrier, line"},
    {"STALE_SHARED", "wrong.cu", "neg", "kernel<<<n / 64 + 1, 64>>>(y, a, i32 n)",
     "elements are wrong"},
    {"PAST_DYNAMIC", "wrong.cu", "neg", "kernel<<<n / 64 + 1, 64, 64*4>>>(y, a, i32 n)",
     "past the 256 of dynamic shared memory was written"},
    {"NOTHING", "wrong.cu", "neg", "kernel<<<n / 64, 64>>>(y, a, i32 n)",
     "what memory held before"},
    {"NOTHING", "wrong.cu", "neg", "kernel<<<n / 64 + 1, 2048>>>(y, a, i32 n)",
     "must hold 1 .. 1024 threads"},
    {"NOTHING", "wrong.cu", "neg", "kernel<<<n / 64 + 1, 64, 300000>>>(y, a, i32 n)",
     "300000 dynamic: must be at most"},
};

START_TEST(what_is_planted_is_found)
{
  char *out = OUTPUT(1, "run", FOUND[_i].op, "-q", "--cases", "40", "--source",
                     with(FOUND[_i].word, FOUND[_i].file), "--launch", FOUND[_i].launch, "--where",
                     strcmp(FOUND[_i].op, "neg") == 0 ? "n < 20000" : SHORT);
  ck_assert_text(out, FOUND[_i].what);
  ck_assert_text(out, " --source ");
  ck_assert_text(out, " --launch ");
  free(out);
}
END_TEST

#define KERNEL "kernel<<<n / 64 + 1, 64>>>(y, a, i32 n)"
static const struct {
  const char *word, *launch, *part, *and;
} REFUSED_ARE[] = {
    {"UNKNOWN_NAME", KERNEL, "line 17", "'__nanosleep' was not declared"},
    {"HALF", KERNEL, "HALF", "cuda_fp16.h: No such file"},
    {"HALF_A_WARP", KERNEL, "not known to the simulator", "a warp mask without some"},
    {"NOTHING", "kernels<<<n, 64>>>(y, a, i32 n)", "'kernels'", "declared"},
    {"NOTHING", "kernel<<<n, 64>>>(y, a, i64 n)", "argument 3 of kernel is i64", "takes i32"},
    {"NOTHING", "kernel<<<n, 64>>>(y, a)", "2 arguments are given", "takes 3"},
    {"NOTHING", "kernel(y, a, i32 n)", "launch", "NAME<<<BLOCKS"},
    {"NOTHING", "kernel<<<n>>>(y, a, i32 n)", "launch", "NAME<<<BLOCKS"},
    {"NOTHING", "kernel<<<n, dim3(1,2,3,4)>>>(y, a, i32 n)", "dim3", "three"},
    {"NOTHING", "kernel<<<m, 64>>>(y, a, i32 n)", "m is unknown", "n"},
    {"NOTHING", "kernel<<<n, 64>>>(y, a, i32 n", "launch", "')' is missing"},
};

START_TEST(what_is_not_known_is_named)
{
  char *err;
  int rc =
      aid_run(NULL, &err, "diffcheck", "run", "neg", "-q", "--cases", "8", "--source",
              with(REFUSED_ARE[_i].word, "wrong.cu"), "--launch", REFUSED_ARE[_i].launch, NULL);
  ck_assert_msg(rc == 2, "exit %d: %s", rc, err);
  ck_assert_text(err, REFUSED_ARE[_i].part);
  ck_assert_text(err, REFUSED_ARE[_i].and);
  free(err);
}
END_TEST

START_TEST(files_that_are_none)
{
  const char *binary = aid_path("binary.cu");
  aid_write(binary, "int a;\0int b;", 13);
#define FROM(file, part, and) \
  REFUSED(part, and, "run", "neg", "-q", "--source", file, "--launch", KERNEL)
  FROM("/no/such.cu", "/no/such.cu", "No such file");
  FROM("/tmp", "/tmp", "must be a file of source");
  FROM(binary, binary, "byte 0");
  setenv("PM_CXX", "/no/such/compiler", 1);
  FROM(source("many.cu"), "/no/such/compiler", "PM_CXX");
  unsetenv("PM_CXX");
  setenv("PM_HEADERS", "/no/such/checkout", 1);
  FROM(source("many.cu"), "/no/such/checkout", "PM_HEADERS");
  unsetenv("PM_HEADERS");
  const char *outer = aid_path("outer.cu");
  char text[5000];
  snprintf(text, sizeof text, "#include \"%s\"\n", source("softmax.cu"));
  aid_write(outer, text, strlen(text));
  REFUSED("undefined symbol: row", "declared in that file itself", "run", "softmax", "--source",
          outer, "--launch", SOFTMAX);
}
END_TEST

/* Nothing is left of what was compiled. */
START_TEST(nothing_is_left)
{
  const char *folder = aid_path("tmp");
  char line[9000];
  snprintf(line, sizeof line, "mkdir '%s'", folder);
  ck_assert_int_eq(system(line), 0);
  setenv("TMPDIR", folder, 1);
  free(OUTPUT(0, "run", "neg", "-q", "--cases", "8", "--source", with("NOTHING", "wrong.cu"),
              "--launch", KERNEL));
  FROM(with("HALF", "wrong.cu"), "cuda_fp16.h", "No such file");
  REFUSED("i64", "takes i32", "run", "neg", "-q", "--source", with("NOTHING", "wrong.cu"),
          "--launch", "kernel<<<n, 64>>>(y, a, i64 n)");
  REFUSED("seed", "", "replay", "neg n=5 seed=x", "--source", with("NOTHING", "wrong.cu"),
          "--launch", KERNEL);
  /* nor where it is ended from outside, compiling or checking */
  for (int i = 1; i <= 3; i++) {
    char program[4096];
    aid_program(program, sizeof program, "diffcheck");
    snprintf(line, sizeof line,
             "'%.4000s' run neg -q --cases 100000 --source '%s' --launch '" KERNEL
             "' >/dev/null 2>&1 & sleep %d.5; kill $!; wait $!",
             program, source("wrong.cu"), i - 1);
    ck_assert_int_eq(aid_run(NULL, NULL, "sh", "-c", line, NULL), 128 + 15);
  }
  snprintf(line, sizeof line, "rmdir '%s'", folder); /* which is empty */
  ck_assert_int_eq(system(line), 0);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("plain");
  TCase *t = tcase_create("plain");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 300);
  tcase_add_loop_test(t, what_is_right_passes, 0, (int)(sizeof RIGHT / sizeof *RIGHT));
  tcase_add_loop_test(t, what_is_planted_is_found, 0, (int)(sizeof FOUND / sizeof *FOUND));
  tcase_add_loop_test(t, what_is_not_known_is_named, 0,
                      (int)(sizeof REFUSED_ARE / sizeof *REFUSED_ARE));
  tcase_add_test(t, files_that_are_none);
  tcase_add_test(t, nothing_is_left);
  return aid_main(s);
}
