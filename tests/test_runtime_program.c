/* Programs on the runtime: the first one of docs/runtime.md, built outside of the tree with the archive that
 * `make install` lays down (tests/install.sh has the shared library); and the digits, with data good and bad. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime.h"

/* Where the build is, from the root of the tree, in which suites run: "build", "build/asan". */
static void build_folder(char *build, size_t size)
{
  char root[4096];
  ck_assert_ptr_nonnull(realpath(".", root));
  aid_program(build, size, "diffcheck");
  ck_assert_msg(strncmp(build, root, strlen(root)) == 0, "%s is not below %s", build, root);
  *strrchr(build, '/') = 0;
  memmove(build, build + strlen(root) + 1, strlen(build) - strlen(root));
}

/* The text between ```c and ``` of the page. */
static void first_program(const char *to)
{
  char *page = aid_read("docs/runtime.md", NULL), *from = strstr(page, "```c\n"), *end;
  ck_assert_ptr_nonnull(from);
  from += strlen("```c\n");
  ck_assert_ptr_nonnull(end = strstr(from, "```\n"));
  aid_write(to, from, (size_t)(end - from));
  free(page);
}

static char *shell(int status, const char *format, ...)
{
  char command[8192], *out, *err;
  va_list args;
  va_start(args, format);
  vsnprintf(command, sizeof command, format, args);
  va_end(args);
  int got = aid_run(&out, &err, "sh", "-c", command, NULL);
  ck_assert_msg(got == status, "%s: exit %d: %s%s", command, got, out, err);
  if (status == 0) {
    free(err);
    return out;
  }
  free(out);
  return err;
}

START_TEST(the_first_program)
{
  static const char *const backends[] = {"ref", "sim", "shadow:sim"};
  char build[4200], prefix[600];
  build_folder(build, sizeof build);
  first_program(aid_path("first.c"));
  snprintf(prefix, sizeof prefix, "%s", aid_path("installed"));
  free(shell(0, "make -s --no-print-directory B='%s' %s PREFIX='%s' install", build,
             strstr(build, "asan") ? "SAN=1 OPT=-O1" : "", prefix));
  /* no folder of the tree is looked into */
  free(shell(
      0,
      "cd '%s' && PKG_CONFIG_PATH=lib/pkgconfig gcc -std=c11 -Wall -Wextra -Werror %s "
      "'%s' $(PKG_CONFIG_PATH=lib/pkgconfig pkg-config --cflags proofmark) lib/libproofmark.a "
      "$(PKG_CONFIG_PATH=lib/pkgconfig pkg-config --libs-only-l --static proofmark | "
      "sed 's/-lproofmark//') -o first",
      prefix, strstr(build, "asan") ? "-fsanitize=address,undefined" : "", aid_path("first.c")));
  for (int i = 0; i < 3; i++) {
    char *out = shell(0, "PROOFMARK_BACKEND=%s '%s/first'", backends[i], prefix);
    ck_assert_str_eq(out, "y = 3.00 x + -1.00\n");
    free(out);
  }
  free(shell(0, "make -s --no-print-directory B='%s' %s PREFIX='%s' uninstall", build,
             strstr(build, "asan") ? "SAN=1 OPT=-O1" : "", prefix));
  char *left = shell(0, "find '%s' -type f ! -name first", prefix);
  ck_assert_str_eq(left, "");
  free(left);
}
END_TEST

/* Ten shapes, and noise. */
static const char *digits(int lines, const char *last)
{
  const char *path = aid_path("digits.csv");
  FILE *f = fopen(path, "w");
  unsigned s = 7;
  ck_assert_ptr_nonnull(f);
  for (int n = 0; n < lines; n++) {
    int d = (n + n / 5) % 10; /* each fifth line is kept back: of all digits */
    for (int i = 0; i < 64; i++) {
      s = s * 1103515245u + 12345u;
      fprintf(f, "%d,", (int)(s >> 16 & 3) + ((i * (d + 1) + d) % 11 < 4 ? 12 : 0));
    }
    fprintf(f, "%d\n", d);
  }
  fputs(last, f);
  fclose(f);
  return path;
}

START_TEST(digits_are_learned)
{
  char program[4200], *ref, *sim, *shadow;
  const char *data = digits(400, "");
  aid_program(program, sizeof program, "digits");
  ref = shell(0, "PROOFMARK_BACKEND=ref '%s' --epochs 6 '%s'", program, data);
  ck_assert_text(ref, "320 to learn from, 80 kept back; back end ref (reference)");
  ck_assert_text(ref, "epoch 6: loss 0.0");
  ck_assert_text(ref, "100.0% (80 of 80)");
  sim = shell(0, "PROOFMARK_BACKEND=sim '%s' --epochs 6 '%s'", program, data);
  ck_assert_str_eq(strchr(ref, '\n'), strchr(sim, '\n')); /* to four places */
  shadow = shell(0, "PROOFMARK_BACKEND=shadow:sim '%s' --epochs 2 '%s'", program, data);
  ck_assert_text(shadow, " 0 outside of their bounds");
  free(ref);
  free(sim);
  free(shadow);
}
END_TEST

/* On the reference: the simulator changes stacks under valgrind's feet. What C++ keeps to its end is no loss. */
START_TEST(no_byte_is_lost)
{
  char program[4200];
  aid_program(program, sizeof program, "digits");
  if (strstr(program, "asan")) /* which sees to it itself */
    return;
  free(shell(0,
             "valgrind -q --leak-check=full --errors-for-leak-kinds=definite,indirect,possible "
             "--error-exitcode=9 "
             "'%s' --epochs 1 '%s'",
             program, digits(100, "")));
}
END_TEST

START_TEST(digits_refused)
{
  static const struct {
    int lines;
    const char *last, *words;
  } bad[] = {{100, "1,2,3\n", "digits.csv:101: must be 64 whole numbers"},
             {79, "", "must have at least 80 digits"},
             {0, "", "must have at least 80 digits"},
             {0, "17,\n", "digits.csv:1: must be 64"},
             {0, "99999999999999999999,", "digits.csv:1: must be 64"}};
  char program[4200], *err;
  aid_program(program, sizeof program, "digits");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    err = shell(2, "'%s' '%s'", program, digits(bad[i].lines, bad[i].last));
    ck_assert_text(err, bad[i].words);
    free(err);
  }
  static const char *const said[][2] = {{"'%s' /nowhere/digits.csv", "No such file"},
                                        {"'%s'", "DATA is missing"},
                                        {"'%s' --epochs 0 x", "must be from 1 to 1000"},
                                        {"'%s' --seed -1 x", "must be from 0"}};
  for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
    err = shell(2, said[i][0], program);
    ck_assert_text(err, said[i][1]);
    free(err);
  }
  err = shell(2, "PROOFMARK_BACKEND=gpu '%s' '%s'", program, digits(100, ""));
  ck_assert_text(err, "back end 'gpu': must be ref, sim");
  free(err);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("runtime_program");
  TCase *t = tcase_create("program");
  tcase_set_timeout(t, 120);
  suite_add_tcase(s, t);
  tcase_add_test(t, the_first_program);
  tcase_add_test(t, digits_are_learned);
  tcase_add_test(t, no_byte_is_lost);
  tcase_add_test(t, digits_refused);
  return aid_main(s);
}
