/* Kernels that cheat (tests/cheats): each is caught, its case is made small, and the line that is printed
 * shows it again. An honest one among them passes. */
#include "helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL "cheat(y, x, i64 rows, i64 cols, work(rows*4))"

static const struct {
  const char *name, *fault, *what; /* of the report; NULL: any element that is wrong */
} CHEATS[] = {
    {"zeros", NULL, ""},
    {"constant", NULL, ""},
    {"half", NULL, ""},
    {"positive", NULL, ""},
    {"nothing", "stale", "depends on what memory held before"},
    {"stale", "stale", "depends on what memory held before"},
    {"stale_work", "stale", "depends on what memory held before"},
    {"aligned", "stale", "depends on what memory held before"},
    {"later", "stale", "depends on what memory held before"},
    {"by_address", "other-data", "it gives the old result"},
    {"by_count", "other-data", "it gives the old result"},
    {"past", "red-zone", "past the end of y"},
    {"past_work", "red-zone", "past the end of the workspace"},
    {"input", "input-changed", "input x was changed"},
    {"tampers", "input-changed", "input x was changed"},
    {"leaves", "crash", "ended with status 0"},
    {"crashes", "crash", "SIGSEGV"},
    {"hangs", "hang", "no answer within"},
    {"answers", "launch", "it is unsuited to a case which it must take"},
    {"spies", NULL, ""},
};

static char *library(const char *name, char path[4096])
{
  char in[64];
  snprintf(in, sizeof in, "tests/cheats/%s.so", name);
  return aid_program(path, 4096, in);
}

/* "fault":"stale" of the first failure in a report of JSON lines. */
static void failed_by(const char *report, const char *fault, const char *what)
{
  static const char *const ELEMENT[] = {"bound", "bits", "kind"};
  char key[64];
  int found = 0;
  for (int i = 0; i < (fault ? 1 : 3); i++) {
    snprintf(key, sizeof key, "\"fault\":\"%s\"", fault ? fault : ELEMENT[i]);
    found |= strstr(report, key) != NULL;
  }
  ck_assert_msg(found, "no failure of kind %s in %s", fault ? fault : "element", report);
  ck_assert_text(report, what);
}

START_TEST(is_caught)
{
  char path[4096], line[512], *out, *err;
  const int hangs = strcmp(CHEATS[_i].name, "hangs") == 0; /* each of whose tries takes its time */
  const char *timeout = hangs ? "1" : "30";
  ck_assert_int_eq(aid_run(&out, &err, "diffcheck", "run", "softmax", "-q", "--cases", "40",
                           "--format", "jsonl", "--timeout", timeout, "--shrink",
                           hangs ? "3" : "300", "--kernel", library(CHEATS[_i].name, path),
                           "--call", CALL, NULL),
                   1);
  failed_by(out, CHEATS[_i].fault, CHEATS[_i].what);
#if !defined(__SANITIZE_ADDRESS__)
  ck_assert_ptr_null(strstr(err, "lies open"));
#endif
  free(err);
  /* again, from the line alone */
  const char *from = strstr(out, "diffcheck replay '"), *to;
  ck_assert_ptr_nonnull(from);
  from += strlen("diffcheck replay '");
  to = strchr(from, '\'');
  ck_assert_ptr_nonnull(to);
  snprintf(line, sizeof line, "%.*s", (int)(to - from), from);
  ck_assert_text(to, " --kernel ");
  ck_assert_text(to, " --call 'cheat(y, x, i64 rows, i64 cols, work(rows*4))'");
  char *again = OUTPUT(1, "replay", line, "--shrink", "0", "--format", "jsonl", "--timeout",
                       timeout, "--kernel", path, "--call", CALL);
  failed_by(again, CHEATS[_i].fault, CHEATS[_i].what);
  free(again);
  free(out);
}
END_TEST

START_TEST(an_honest_one_passes)
{
  char path[4096];
  char *out = OUTPUT(0, "run", "softmax", "-q", "--cases", "60", "--kernel",
                     library("honest", path), "--call", CALL);
  ck_assert_text(out, "1 passed");
  free(out);
}
END_TEST

int main(void)
{
  setenv("ASAN_OPTIONS", "handle_segv=0", 1); /* a signal is a signal, and no long report */
  Suite *s = suite_create("cheats");
  TCase *t = tcase_create("cheats");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, is_caught, 0, (int)(sizeof CHEATS / sizeof *CHEATS));
  tcase_add_test(t, an_honest_one_passes);
  return aid_main(s);
}
