/* Kernels in files: what such a file says, hostile ones, a folder as a suite, and one that is begun. */
#include "helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../diffcheck/foreign/description.h"

static const char WHOLE[] = "# two of them\n"
                            "kernel: four\r\n"
                            "  op : relu  \n"
                            "library: plain.so\n"
                            "call: relu_by_four(y, a, i64 n)\n"
                            "where: n % 4 == 0 && n != 8:\n"
                            "set: values=uniform\n"
                            "arith: cuda,zero_sign=any\n"
                            "unordered: no\n"
                            "\n"
                            "kernel: six\n"
                            "op: sum\n"
                            "library: /abs/plain.so\n"
                            "call: sum_by_parts(x, y, zeroed work(16), i64 n)\n"
                            "on: cuda";

START_TEST(a_file_is_read)
{
  description *list = NULL;
  int n = 0;
  dc_error err = {""};
  char text[DESCRIPTION_TEXT];
  ck_assert_int_eq(description_read("f", "dir", WHOLE, strlen(WHOLE), &list, &n, &err), DC_OK);
  ck_assert_int_eq(n, 2);
  ck_assert_str_eq(list[0].kernel, "four");
  ck_assert_str_eq(list[0].op, "relu");
  ck_assert_str_eq(list[0].library, "dir/plain.so");
  ck_assert_str_eq(list[0].where, "n % 4 == 0 && n != 8:");
  ck_assert_str_eq(list[0].arith, "cuda,zero_sign=any");
  ck_assert_str_eq(list[1].library, "/abs/plain.so");
  ck_assert_str_eq(list[1].on, "cuda");
  /* written, it reads back as the same */
  description *again = NULL;
  int m = 0;
  description_write(&list[0], text);
  ck_assert_int_eq(description_read("f", NULL, text, strlen(text), &again, &m, &err), DC_OK);
  ck_assert_int_eq(m, 1);
  again[0].line = list[0].line; /* which is not written */
  ck_assert_mem_eq(&again[0], &list[0], sizeof list[0]);
  free(again);
  free(list);
}
END_TEST

#define KERNEL "kernel: k\nop: relu\nlibrary: l\ncall: f(y, a)\n"
static const struct {
  const char *text, *part, *and;
} HOSTILE[] = {
    {"", "no kernel", "kernel: NAME"},
    {"# nothing\n\n", "no kernel", "kernel: NAME"},
    {"op: relu\n", "f:1", "before the first kernel"},
    {"kernel: a b\n", "f:1", "one word"},
    {"kernel: it's\n", "f:1", "one word"},
    {"kernel: 0123456789012345678901234567890123\n", "f:1", "longer than 31"},
    {"kernel:\n", "f:1", "missing"},
    {"kernel\n", "f:1", "KEY: VALUE"},
    {KERNEL "call: g(y)\n", "f:5", "given twice"},
    {KERNEL "wehre: n > 1\n", "f:5: 'wehre'", "known: kernel, op"},
    {KERNEL "where: \033[2J\n", "f:5", "control character"},
    {KERNEL "on: gpu\n", "on 'gpu'", "cpu or cuda"},
    {KERNEL "unordered: maybe\n", "unordered 'maybe'", "yes or no"},
    {KERNEL KERNEL, "kernel 'k'", "another of that name"},
    {"kernel: k\nop: relu\n", "k", "either library and call"},
    {"kernel: k\nop: relu\nlibrary: l\n", "call", "missing beside library"},
    {"kernel: k\nop: relu\nsource: l\n", "launch", "missing beside source"},
    {KERNEL "source: s.cu\nlaunch: k<<<1, 1>>>(y, a)\n", "k", "either library and call"},
    {"kernel: k\nop: relu\nsource: s.ptx\nlaunch: k<<<1, 1>>>(y, a)\n", "source s.ptx",
     "cuda alone"},
    {"kernel: k\nop: rleu\nlibrary: l\ncall: f(y)\n", "op 'rleu'", "unknown"},
    {"kernel: k\nlibrary: l\ncall: f(y)\n", "op is missing", "k"},
};

/* On error the list is as it was. */
static void not_read(const char *text, size_t n, const char *part, const char *and)
{
  description *list = NULL;
  int count = 0;
  dc_error err = {""};
  ck_assert_int_eq(description_read("g", NULL, KERNEL, strlen(KERNEL), &list, &count, &err), DC_OK);
  ck_assert_int_eq(description_read("f", NULL, text, n, &list, &count, &err), DC_INVALID);
  ck_assert_text(err.text, part);
  ck_assert_text(err.text, and);
  ck_assert_int_eq(count, 1);
  ck_assert_str_eq(list[0].kernel, "k");
  free(list);
}

START_TEST(hostile_text)
{
  not_read(HOSTILE[_i].text, strlen(HOSTILE[_i].text), HOSTILE[_i].part, HOSTILE[_i].and);
}
END_TEST

START_TEST(hostile_bytes)
{
  static char text[3 << 15];
  not_read("kernel: k\0\n", 11, "byte 0", "text");
  strcpy(text, "kernel: k\ncall: ");
  memset(text + strlen(text), 'x', 2000);
  not_read(text, strlen(text), "f:2", "longer than");
  text[0] = 0;
  for (int i = 0; i < 257; i++)
    sprintf(text + strlen(text), "kernel: k%d\nop: relu\nlibrary: l\ncall: f(y, a)\n", i);
  not_read(text, strlen(text), "more than 256", "f");
  /* cut anywhere, it is read or refused */
  for (size_t n = 0; n < strlen(WHOLE); n++) {
    description *list = NULL;
    int count = 0;
    dc_error err = {""};
    dc_status s = description_read("f", NULL, WHOLE, n, &list, &count, &err);
    ck_assert_int_eq(s == DC_OK, count > 0);
    ck_assert_int_eq(s == DC_OK, err.text[0] == 0);
    free(list);
  }
}
END_TEST

/* ---- the command ---- */

static const char *folder_of(const char *name)
{
  const char *path = aid_path(name);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  return path;
}

static void put_in(const char *folder, const char *name, const char *text)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  aid_write(path, text, strlen(text));
}

/* NAME.kernel, of a kernel of that name. */
static void describe(const char *folder, const char *name, const char *rest)
{
  char path[4096], text[8192], file[64];
  aid_program(path, sizeof path, "tests/kernels/plain.so");
  snprintf(text, sizeof text, "kernel: %s\nlibrary: %s\n%s", name, path, rest);
  snprintf(file, sizeof file, "%s.kernel", name);
  put_in(folder, file, text);
}

#define RELU "op: relu\ncall: relu_by_four(y, a, i64 n)\n"

START_TEST(a_folder_is_a_suite)
{
  const char *folder = folder_of("suite");
  describe(folder, "bad", RELU "where: n > 4\n");
  describe(folder, "good", RELU "where: n % 4 == 0\n");
  describe(folder, "sums", "op: sum\ncall: sum_by_parts(x, y, zeroed work(16), i64 n)\n");
  put_in(folder, "notes.txt", "no kernel");
  char *out = OUTPUT(1, "run", "-q", "--cases", "30", "--kernels", folder), line[512];
  ck_assert_text(out, "3 kernels of ");
  ck_assert_text(out, "relu/bad ");
  ck_assert_text(out, "relu/good ");
  ck_assert_text(out, "sum/sums ");
  ck_assert_text(out, "3 ops: 1 failed, 2 passed");
  const char *from = strstr(out, "diffcheck replay '");
  ck_assert_ptr_nonnull(from);
  ck_assert_text(from, "variant=bad");
  ck_assert_text(from, "--kernels ");
  from = strchr(from, '\'') + 1;
  snprintf(line, sizeof line, "%.*s", (int)strcspn(from, "'"), from);
  free(out);
  out = OUTPUT(1, "replay", line, "--kernels", folder);
  ck_assert_text(out, "relu n=5 ");
  free(out);
  /* of some ops alone, and in the other reports */
  out = OUTPUT(0, "run", "sum", "-q", "--cases", "30", "--kernels", folder, "--format", "tap");
  ck_assert_text(out, "ok 1 - sum/sums");
  free(out);
  out = OUTPUT(1, "run", "-q", "--cases", "30", "--kernels", folder, "--format", "junit");
  ck_assert_text(out, "name=\"relu/bad\"");
  free(out);
  out = OUTPUT(1, "run", "-q", "--cases", "30", "--kernels", folder, "--format", "jsonl");
  ck_assert_text(out, "\"variants\":{\"bad\":");
  free(out);
  /* what cannot be replayed */
  REFUSED("2 kernels", "variant=NAME", "replay", "relu n=5 seed=1", "--kernels", folder);
  REFUSED("no kernel warp", "ops that are named", "replay", "relu n=5 seed=1 variant=warp",
          "--kernels", folder);
  REFUSED("--kernels", "of the ops that are named", "run", "gelu", "--kernels", folder);
  REFUSED("--kernels", "not said again", "run", "--where", "n > 1", "--kernels", folder);
  REFUSED("--in-process", "3 kernels", "run", "--in-process", "--kernels", folder);
}
END_TEST

START_TEST(folders_that_are_none)
{
  const char *empty = folder_of("empty"), *bad = folder_of("wrong");
  REFUSED("--kernels", "no file *.kernel", "run", "--kernels", empty);
  REFUSED("/no/such", "No such file", "run", "--kernels", "/no/such");
  describe(bad, "first", RELU);
  put_in(bad, "second.kernel", "kernel: k\nop: relu\nlibrary: none.so\ncall: f(y, a)\n");
  REFUSED("kernel k", "none.so: No such file", "run", "--kernels", bad);
  put_in(bad, "second.kernel", "kernel: first\nop: relu\nlibrary: none.so\ncall: f(y, a)\n");
  REFUSED("second.kernel", "another of that name", "run", "--kernels", bad);
  put_in(bad, "second.kernel", "kernel: k\nop: relu\nlibrary: first.kernel\ncall: f(y, a)\n");
  REFUSED("first.kernel", "no shared library", "run", "--kernels", bad);
  describe(bad, "second", RELU "arith: cuda,expp=1\n");
  REFUSED("kernel second", "expp", "run", "--kernels", bad);
  describe(bad, "second", RELU "set: m=1\n");
  REFUSED("set", "'m'", "run", "--kernels", bad);
}
END_TEST

/* What is begun by `new` compiles, and is found to compute nothing yet. */
START_TEST(one_is_begun)
{
  static const char *const OPS[] = {"softmax", "layer_norm_vjp", "gather_rows", "clamp", "matmul"};
  const char *folder = folder_of("new");
  char source[512], library[512], kernel[512];
  for (size_t i = 0; i < sizeof OPS / sizeof *OPS; i++) {
    free(OUTPUT(0, "new", OPS[i], "--folder", folder));
    snprintf(source, sizeof source, "%s/%s.c", folder, OPS[i]);
    snprintf(library, sizeof library, "%s/lib%s.so", folder, OPS[i]);
    snprintf(kernel, sizeof kernel, "%s/%s.kernel", folder, OPS[i]);
    ck_assert_int_eq(aid_run(NULL, NULL, "cc", "-Wall", "-Werror", "-shared", "-fPIC", "-o",
                             library, source, NULL),
                     0);
    char *out = OUTPUT(1, "run", "-q", "--cases", "20", "--kernels", kernel);
    ck_assert_text(out, "what memory held before");
    free(out);
    /* and stays as it is */
    char *before = aid_read(source, NULL);
    REFUSED(".kernel", "stays as it is", "new", OPS[i], "--folder", folder);
    ck_assert_int_eq(unlink(kernel), 0);
    REFUSED(".c", "stays as it is", "new", OPS[i], "--folder", folder);
    ck_assert_int_ne(access(kernel, F_OK), 0); /* both, or neither */
    char *after = aid_read(source, NULL);
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
  }
  REFUSED("op 'sofmax'", "softmax", "new", "sofmax");
  REFUSED("OP is missing", "list", "new");
  REFUSED("'relu'", "one OP", "new", "softmax", "relu");
  REFUSED("/no/such/softmax.kernel", "No such file", "new", "softmax", "--folder", "/no/such");
}
END_TEST

int main(void)
{
  Suite *s = suite_create("descriptions");
  TCase *t = tcase_create("text");
  suite_add_tcase(s, t);
  tcase_add_test(t, a_file_is_read);
  tcase_add_loop_test(t, hostile_text, 0, (int)(sizeof HOSTILE / sizeof *HOSTILE));
  tcase_add_test(t, hostile_bytes);
  t = tcase_create("command");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, a_folder_is_a_suite);
  tcase_add_test(t, folders_that_are_none);
  tcase_add_test(t, one_is_begun);
  return aid_main(s);
}
