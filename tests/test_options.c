/* The command line keeps its word: what is typed is taken, or refused before anything is written. */
#include "helpers.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../diffcheck/engine/diffcheck.h"

static const float values[6] = {1, 2, 3, 4, 5, 6};
static const int64_t shape23[] = {2, 3};

static const char *tensor23(const char *name)
{
  return aid_tensor(name, NPY_F4, 2, shape23, values);
}

/* A folder of this test's own. */
static const char *folder(void)
{
  const char *path = aid_path("folder");
  mkdir(path, 0700);
  return path;
}

static const char *within(const char *name)
{
  static char path[8][300];
  static int next;
  next = (next + 1) % 8;
  snprintf(path[next], sizeof path[next], "%s/%s", folder(), name);
  return path[next];
}

static int entries(void)
{
  DIR *d = opendir(folder());
  int n = -2; /* . and .. */
  ck_assert_ptr_nonnull(d);
  while (readdir(d))
    n++;
  closedir(d);
  return n;
}

static char *errors(int status, ...)
{
  char *err = NULL;
  va_list args;
  va_start(args, status);
  int rc = aid_vrun(NULL, &err, "diffcheck", args);
  va_end(args);
  ck_assert_msg(rc == status, "exit %d, stderr: %s", rc, err);
  return err;
}
#define ERRORS(status, ...) errors(status, __VA_ARGS__, NULL)

/* ---- --set ---- */

START_TEST(decimals_are_rounded)
{
  static const float row[3] = {1, 1, 1};
  static const int64_t s3[] = {3};
  const char *x = tensor23("x.npy"), *one = aid_tensor("one.npy", NPY_F4, 1, s3, row);
  static const char *const set[][2] = {{"eps=1e-5", "eps=1e-5 is taken as 9.99999975e-06"},
                                       {"eps=0.1", "eps=0.1 is taken as 0.100000001"},
                                       {"eps=0.3", "eps=0.3 is taken as 0.300000012"}};
  for (int i = 0; i < 3; i++) {
    char *err = ERRORS(0, "eval", "layer_norm", x, one, one, "--set", set[i][0]);
    ck_assert_text(err, set[i][1]);
    free(err);
  }
  char *err = ERRORS(0, "eval", "layer_norm", x, one, one, "--set", "eps=0.25");
  ck_assert_str_eq(err, "");
  free(err);
  err =
      ERRORS(0, "run", "--backend", "sim", "-q", "--cases", "2", "layer_norm", "--set", "eps=0.1");
  char *first = strstr(err, "is taken as");
  ck_assert_ptr_nonnull(first);
  ck_assert_ptr_null(strstr(first + 1, "is taken as")); /* said once */
  free(err);
  REFUSED("eps=1e39", "must be a number", "eval", "layer_norm", x, one, one, "--set", "eps=1e39");
}
END_TEST

START_TEST(sets_add_up)
{
  char *out = OUTPUT(0, "explain", "softmax", "--set", "cols=600", "--set", "rows=7");
  ck_assert_text(out, "rows=7 cols=600");
  free(out);
  const char *x = tensor23("x.npy");
  REFUSED("--set: rows=3", "rows is given twice", "run", "softmax", "--set", "rows=2,rows=3");
  REFUSED("--set: rows=3", "rows is given twice", "run", "softmax", "--set", "rows=2", "--set",
          "rows=3");
  REFUSED("c=2", "c is given twice", "eval", "scale", x, "--set", "c=1,c=2");
  REFUSED("values=ones", "values is given twice", "run", "softmax", "--set",
          "values=zeros,values=ones");
  REFUSED("variant=regs", "variant is given twice", "run", "softmax", "--variant", "warp", "--set",
          "variant=regs");
  REFUSED("axis=1", "axis is given twice", "eval", "sum_axis", x, "--set", "axis=0,axis=1");
}
END_TEST

/* Fields that a command would pass over. */
START_TEST(no_field_is_ignored)
{
  const char *x = tensor23("x.npy");
  REFUSED("--set: values", "run takes it", "eval", "softmax", x, "--set", "values=ones");
  REFUSED("--set: values", "run takes it", "judge", "softmax", x, "--got", x, "--set",
          "values=ones");
  REFUSED("--set: misaligned", "run takes it", "explain", "softmax", "--set", "misaligned=1");
  REFUSED("--set: variant", "--backend sim", "eval", "softmax", x, "--set", "variant=warp");
  free(OUTPUT(0, "eval", "softmax", x, "--backend", "sim", "--set", "variant=warp"));
  REFUSED("--set: variant", "run takes it", "explain", "softmax", "--set", "variant=warp");
  REFUSED("--set: axis", "eval and judge take it", "run", "sum_axis", "--set", "axis=1");
  REFUSED("--set: cotangent", "none is a gradient", "run", "softmax", "--set", "cotangent=ones");
  REFUSED("--set: indices", "has indices", "run", "softmax", "--set", "indices=sorted");
  free(OUTPUT(0, "run", "add", "add_vjp", "--backend", "sim", "--cases", "2", "-q", "--set",
              "cotangent=integers"));
  REFUSED("--set: shape", "eval and judge take it", "explain", "broadcast_to", "--set",
          "shape=1:2");
}
END_TEST

/* ---- options ---- */

START_TEST(options_of_other_commands)
{
  const char *x = tensor23("x.npy");
  REFUSED("option '--set': list does not take it", "run, eval, judge, explain, bench", "list",
          "--set", "n=3");
  REFUSED("option '--cases': eval does not take it", "taken by: run", "eval", "sum", x,
          "--cases=3");
  REFUSED("option '-q': explain does not take it", "taken by: run, replay", "explain", "sum", "-q");
  REFUSED("--dtype f8", "--backend sim writes float32", "eval", "sum", x, "--backend", "sim",
          "--dtype", "f8");
  REFUSED("--compile", "--no-peers", "bench", "sum", "--compile", "--no-peers");
  REFUSED("--force", "sim", "bench", "sum", "--force");
  REFUSED("n is given twice", "n=3", "bench", "sum", "--backend", "sim", "--force", "--set", "n=2",
          "--set", "n=3");
  REFUSED("'--HANG'", "unrecognized", "--HANG");
  REFUSED("'--HANG'", "unrecognized", "run", "--HANG=1", "sum");
  REFUSED("'--program-name'", "unrecognized", "run", "--program-name=x", "sum");
  REFUSED("'--cases'", "value is missing", "run", "sum", "--cases");
  REFUSED("'--quiet'", "takes no value", "run", "sum", "--quiet=yes");
  REFUSED("'--s'", "more than one", "run", "sum", "--s=1");
  char *out =
      OUTPUT(0, "run", "--backend=sim", "--cas=1", "-q", "--", "add"); /* as getopt has it */
  ck_assert_text(out, "1 passed");
  free(out);
}
END_TEST

START_TEST(options_given_twice)
{
  const char *x = tensor23("x.npy");
  REFUSED("'--bound'", "given twice", "eval", "sum", x, "--bound", within("a"), "--bound",
          within("b"));
  REFUSED("'--arith'", "given twice", "judge", "sum", x, "--arith", "height=1", "--arith", "exp=2");
  REFUSED("'--seed': '2'", "given twice", "run", "sum", "--seed", "1", "--seed=2");
  REFUSED("'-o'", "given twice", "run", "sum", "-o", within("a"), "-o", within("b"));
  REFUSED("'--output'", "given twice", "run", "sum", "-o", within("a"), "--output", within("b"));
  ck_assert_int_eq(entries(), 0);
}
END_TEST

START_TEST(did_you_mean)
{
  const char *x = tensor23("x.npy");
  REFUSED("op 'sofmax'", "did you mean softmax?", "run", "sofmax");
  REFUSED("op 'matmul_vpj'", "did you mean matmul_vjp?", "explain", "matmul_vpj");
  REFUSED("op 'gellu'", "did you mean gelu?", "eval", "gellu", x);
  REFUSED("op 'layernorm'", "did you mean layer_norm?", "list", "layernorm");
  REFUSED("op 'sofmax'", "did you mean softmax?", "replay", "sofmax rows=1 cols=1");
  REFUSED("op 'sofmax'", "did you mean softmax?", "bench", "sofmax");
  REFUSED("command 'evla'", "did you mean eval?", "evla");
  REFUSED("'--csaes'", "did you mean --cases?", "run", "sum", "--csaes=3");
  REFUSED("values=uniforms", "did you mean uniform?", "run", "sum", "--set", "values=uniforms");
  REFUSED("--format 'json'", "did you mean jsonl?", "run", "sum", "--format", "json");
  REFUSED("--backend 'cudda'", "did you mean cuda?", "run", "sum", "--backend", "cudda");
  REFUSED("--set: 'col'", "did you mean cols?", "run", "softmax", "--set", "col=3");
  REFUSED("--set: variant 'wrap'", "did you mean warp?", "eval", "softmax", x, "--backend", "sim",
          "--set", "variant=wrap");
  REFUSED("--variant 'wrap'", "did you mean warp?", "run", "softmax", "--backend", "sim",
          "--variant", "wrap");
  char *err = ERRORS(2, "run", "qqqqqq");
  ck_assert_ptr_null(strstr(err, "did you mean"));
  free(err);
}
END_TEST

/* Whatever is typed, the terminal gets no control character back. */
START_TEST(controls_are_shown)
{
#define EVIL "a\033[31m\nb\x7f\xc2\x9b\xff"
#define SHOWN "a\\x1b[31m\\nb\\x7f\\xc2\\x9b\\xff"
  static const char *const line[][5] = {{EVIL},
                                        {"--" EVIL},
                                        {"run", EVIL},
                                        {"run", "--" EVIL},
                                        {"run", "sum", "--seed", EVIL},
                                        {"run", "sum", "--quiet=" EVIL},
                                        {"run", "softmax", "--set", EVIL "=1"},
                                        {"run", "softmax", "--set", "values=" EVIL},
                                        {"run", "sum", "--format=" EVIL},
                                        {"run", "sum", "-o", "/no/such/" EVIL},
                                        {"replay", EVIL},
                                        {"eval", "sum", EVIL},
                                        {"explain", EVIL},
                                        {"judge", "sum", EVIL, "--got", EVIL},
                                        {"list", EVIL},
                                        {"bench", EVIL}};
  for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
    char *out, *err;
    ck_assert_int_eq(aid_run(&out, &err, "diffcheck", line[i][0], line[i][1], line[i][2],
                             line[i][3], line[i][4], NULL),
                     2);
    /* blanks end a field of --set and of a line, and with them the name that is shown */
    ck_assert_text(err, i == 7 || i == 6 || i == 10 ? "a\\x1b[31m" : SHOWN);
    for (const char *p = err; *p; p++)
      ck_assert_msg((*p >= ' ' && *p < 127) || (*p == '\n' && !p[1]), "line %zu: %s", i, err);
    free(out);
    free(err);
  }
}
END_TEST

/* ---- outputs ---- */

START_TEST(each_output_has_its_file)
{
  static const float g[] = {1, 0, 0, 1, 1, 1};
  static const int64_t s22[] = {2, 2}, s32[] = {3, 2};
  const char *a = tensor23("a.npy"), *b = aid_tensor("b.npy", NPY_F4, 2, s32, values);
  const char *gg = aid_tensor("g.npy", NPY_F4, 2, s22, g);
  char dotted[400], linked[300];
  snprintf(dotted, sizeof dotted, "%s/./d.npy", folder());
  REFUSED("d.npy", "is the file of da too", "eval", "matmul_vjp", a, b, gg, "-o", within("d.npy"),
          "-o", within("d.npy"));
  REFUSED("d.npy", "is the file of da too", "eval", "matmul_vjp", a, b, gg, "-o", within("d.npy"),
          "-o", dotted);
  REFUSED("--bound", "is the file of y too", "eval", "softmax", a, "-o", within("y.npy"), "--bound",
          within("y.npy"));
  REFUSED("-o", "an input is not written over", "eval", "softmax", a, "-o", a);
  REFUSED("--bound", "an input is not written over", "eval", "softmax", a, "--bound", a);
  snprintf(linked, sizeof linked, "%s", within("hard.npy"));
  ck_assert_int_eq(link(a, linked), 0);
  REFUSED("hard.npy", "an input is not written over", "eval", "softmax", a, "-o", linked);
  ck_assert_int_eq(unlink(linked), 0);
  REFUSED("-o", "an input is not written over", "run", "softmax", "--input", a, "-o", a);
  ck_assert_int_eq(entries(), 0);
  npy kept = aid_load(a);
  ck_assert_int_eq(memcmp(kept.data, values, sizeof values), 0);
  npy_free(&kept);
}
END_TEST

START_TEST(links_and_read_only_files_stay)
{
  const char *x = tensor23("x.npy"), *kept = aid_path("kept");
  char link_to[300];
  aid_write(kept, "kept", 4);
  snprintf(link_to, sizeof link_to, "%s", within("link"));
  ck_assert_int_eq(symlink(kept, link_to), 0);
  REFUSED("link", "symbolic link", "eval", "softmax", x, "-o", link_to);
  REFUSED("link", "symbolic link", "run", "sum", "-o", link_to);
  ck_assert_int_eq(unlink(link_to), 0);
  ck_assert_int_eq(symlink("/no/such/file", link_to), 0);
  REFUSED("link", "symbolic link", "eval", "softmax", x, "-o", link_to);
  ck_assert_int_eq(chmod(kept, 0444), 0);
  REFUSED("kept", "read-only", "eval", "softmax", x, "-o", kept);
  REFUSED("kept", "read-only", "run", "sum", "-o", kept);
  REFUSED("kept", "read-only", "eval", "softmax", x, "-o", within("y.npy"), "--bound", kept);
  REFUSED("folder", "is a folder", "eval", "softmax", x, "-o", folder());
  REFUSED("-o ''", "needs a name", "eval", "softmax", x, "-o", "");
  char *text = aid_read(kept, NULL);
  ck_assert_str_eq(text, "kept");
  free(text);
  ck_assert_int_eq(entries(), 1); /* the link */
}
END_TEST

/* The second of two outputs fails: the first is not there either, and an old one is as it was. */
START_TEST(all_outputs_or_none)
{
  const char *x = tensor23("x.npy"), *y = within("y.npy");
  char *err = ERRORS(2, "eval", "softmax", x, "-o", y, "--bound", "/dev/full");
  ck_assert_text(err, "/dev/full");
  ck_assert_text(err, "No space left");
  free(err);
  ck_assert_int_eq(entries(), 0);
  aid_write(y, "old", 3);
  ck_assert_int_eq(chmod(y, 0640), 0);
  free(ERRORS(2, "eval", "softmax", x, "-o", y, "--bound", "/dev/full"));
  char *old = aid_read(y, NULL);
  ck_assert_str_eq(old, "old");
  free(old);
  ck_assert_int_eq(entries(), 1);
  free(ERRORS(0, "eval", "softmax", x, "-o", y, "--bound", within("e.npy")));
  struct stat st;
  ck_assert_int_eq(stat(y, &st), 0);
  ck_assert_int_eq(st.st_mode & 0777, 0640); /* as the file that it replaced */
  npy a = aid_load(y);
  ck_assert_int_eq(a.count, 6);
  npy_free(&a);
  ck_assert_int_eq(entries(), 2);
}
END_TEST

START_TEST(dash_is_standard_output)
{
  static const float g[] = {1, 0, 0, 1};
  static const int64_t s22[] = {2, 2};
  const char *x = tensor23("x.npy"), *gg = aid_tensor("g.npy", NPY_F4, 2, s22, g);
  char program[4096], command[9000];
  aid_program(program, sizeof program, "diffcheck");
  snprintf(command, sizeof command, "%s eval transpose2d %s -o - | cat > %s", program, x,
           within("y.npy"));
  ck_assert_int_eq(system(command), 0);
  npy a = aid_load(within("y.npy"));
  ck_assert(a.rank == 2 && a.shape[0] == 3 && ((double *)a.data)[1] == 4);
  npy_free(&a);
  REFUSED("-o '-'", "2 outputs", "eval", "matmul_vjp", x, x, gg, "--set", "tb=1", "-o", "-");
  REFUSED("--bound '-'", "-o FILE", "eval", "softmax", x, "--bound", "-");
  REFUSED("--bound '-'", "-o has it", "eval", "softmax", x, "--bound", "-", "-o", "-");
  REFUSED("-o '-'", "give a file", "bench", "sum", "--backend", "sim", "--force", "-o", "-");
  char *out = OUTPUT(0, "run", "--backend", "sim", "-q", "--cases", "2", "add", "-o", "-");
  ck_assert_text(out, "1 passed");
  free(out);
  ck_assert_int_eq(access("-", F_OK), -1);
  /* nobody reads it: an error, and the bound is not written either */
  snprintf(command, sizeof command,
           "%s eval rand_uniform --set n=1000000 -o - --bound %s 2>%s | true; exit $PIPESTATUS",
           program, within("e.npy"), aid_path("said"));
  int status = aid_run(NULL, NULL, "bash", "-c", command, NULL);
  ck_assert_int_eq(status, 2);
  ck_assert_int_eq(access(within("e.npy"), F_OK), -1);
}
END_TEST

/* ---- what counts as checked ---- */

START_TEST(nothing_checked_is_no_pass)
{
  static const int64_t none[] = {0, 3};
  const char *x = aid_tensor("x.npy", NPY_F4, 2, none, values);
  char *out = OUTPUT(1, "run", "softmax", "--backend", "sim", "-q", "--input", x);
  ck_assert_text(out, "no element was checked");
  ck_assert_text(out, "1 suspect, 0 passed");
  free(out);
  free(OUTPUT(1, "run", "softmax", "--backend", "sim", "-q", "--set", "rows=0", "--cases", "3"));
  out = OUTPUT(1, "replay", "--backend", "sim", "-q", "--format", "tap", "add n=0");
  ck_assert_text(out, "not ok 1 - add");
  free(out);
}
END_TEST

/* ---- list and explain ---- */

START_TEST(list_by_pattern)
{
  char *out = OUTPUT(0, "list", "softmax*", "gelu");
  ck_assert_text(out, "\nsoftmax ");
  ck_assert_text(out, "\nsoftmax_vjp ");
  ck_assert_text(out, "\ngelu ");
  ck_assert_ptr_null(strstr(out, "\nlog_softmax"));
  ck_assert_ptr_null(strstr(out, "\ngelu_vjp"));
  free(out);
  out = OUTPUT(0, "list", "--kernels", "gelu");
  ck_assert_text(out, "\ngelu ");
  ck_assert_ptr_null(strstr(out, "\nadd "));
  free(out);
}
END_TEST

/* However long a name is, two blanks stand between it and the next column. */
START_TEST(columns_are_apart)
{
  char *list = OUTPUT(0, "list"), *kernels = OUTPUT(0, "list", "--kernels");
  for (int i = 0; i < dc_n_ops(); i++) {
    const dc_op *op = dc_op_at(i);
    char row[100];
    snprintf(row, sizeof row, "\n%s  ", op->name);
    ck_assert_text(list, row);
    ck_assert_text(kernels, row);
  }
  for (int k = 0; k < pm_sim.n_kernels; k++) {
    char cell[100];
    snprintf(cell, sizeof cell, "  %s  ", pm_sim.kernels[k].variant);
    ck_assert_text(kernels, cell);
  }
  free(list);
  free(kernels);
}
END_TEST

START_TEST(explain_at_sizes)
{
  char *out = OUTPUT(0, "explain", "softmax", "--set", "cols=50257");
  ck_assert_text(out, "\n    cluster: y within");
  ck_assert_ptr_null(strstr(out, "\n    warp: y within"));
  ck_assert_text(out, "\n  cluster ");
  ck_assert_ptr_null(strstr(out, "\n  warp "));
  ck_assert_text(out, "\n  cannot run there: warp, regs\n");
  free(out);
  out = OUTPUT(0, "explain", "softmax");
  ck_assert_text(out, "\n  warp ");
  ck_assert_text(out, "\n  cluster ");
  free(out);
}
END_TEST

START_TEST(defaults_are_shown)
{
  char *out = OUTPUT(0, "explain", "layer_norm");
  ck_assert_text(out, "; default 1e-05\n");
  free(out);
  out = OUTPUT(0, "explain", "matmul");
  ck_assert_text(out, "ta     0 or 1; default 0\n");
  ck_assert_text(out, "alpha  a number; default 1\n");
  free(out);
}
END_TEST

/* ---- Ctrl-C ---- */

/* In a case that takes minutes, by a signal and by the key: status 130 within a second, no file, no
 * half a line of progress and no colour left. */
START_TEST(ctrl_c)
{
  static const char SCRIPT[] =
      "import os, pty, select, signal, subprocess, sys, time\n"
      "program, big, folder = sys.argv[1:]\n"
      "size = '--set=m=3000,k=3000,n=3000'\n"
      "lines = [['run', 'matmul', '--backend', 'sim', '--cases', '2', '-o', folder + '/a', size],\n"
      "         ['eval', 'matmul', big, big, '-o', folder + '/a', '--bound', folder + '/b'],\n"
      "         ['replay', 'matmul m=3000 k=3000 n=3000', '--backend', 'sim'],\n"
      "         ['bench', 'softmax', '--backend', 'sim', '--force', '--reps', '99999']]\n"
      "def back():\n"
      "    signal.signal(signal.SIGINT, signal.default_int_handler)\n"
      "for line in lines:\n"
      "    p = subprocess.Popen([program] + line, preexec_fn=back, stdout=subprocess.PIPE,\n"
      "                         stderr=subprocess.PIPE)\n"
      "    time.sleep(0.7)\n"
      "    assert p.poll() is None, (line, p.communicate())\n"
      "    start = time.time()\n"
      "    p.send_signal(signal.SIGINT)\n"
      "    try:\n"
      "        out, err = p.communicate(timeout=5)\n"
      "    finally:\n"
      "        p.kill()\n"
      "    took = time.time() - start\n"
      "    assert p.returncode == 130 and b'interrupted' in err, (line, p.returncode, err)\n"
      "    assert took < 1, (line, took)\n"
      "    assert os.listdir(folder) == [], (line, os.listdir(folder))\n"
      "os.environ['TERM'] = 'xterm'\n"
      "pid, fd = pty.fork()\n"
      "if pid == 0:\n"
      "    back()\n"
      "    os.execv(program, [program, 'run', 'add', 'matmul', '--backend', 'sim', '--seconds', "
      "'60',\n"
      "                       '--cases', '99999999'])\n"
      "time.sleep(1)\n"
      "os.write(fd, b'\\x03')\n"
      "shown, start = b'', time.time()\n"
      "while True:\n"
      "    try:\n"
      "        more = os.read(fd, 65536)\n"
      "    except OSError:\n"
      "        break\n"
      "    if not more:\n"
      "        break\n"
      "    shown += more\n"
      "assert time.time() - start < 1, time.time() - start\n"
      "assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 130\n"
      "assert b'op 1 of 2' in shown, shown\n"
      "after = shown[shown.rindex(b' s\\x1b[K') + 5:] if b' s\\x1b[K' in shown else shown\n"
      "assert b'\\r\\x1b[K' in after and b'interrupted' in after, shown\n"
      "assert b'\\x1b[' not in shown or shown.rindex(b'\\x1b[') == shown.rindex(b'\\x1b[K') or\\\n"
      "    shown[shown.rindex(b'\\x1b['):].startswith(b'\\x1b[0m'), shown\n";
  static const int64_t s[] = {3000, 3000};
  float *zero = calloc(3000 * 3000, sizeof *zero);
  char program[4096];
  char *err;
  ck_assert_ptr_nonnull(zero);
  const char *big = aid_tensor("big.npy", NPY_F4, 2, s, zero);
  free(zero);
  int status = aid_run(NULL, &err, "python3", "-c", SCRIPT,
                       aid_program(program, sizeof program, "diffcheck"), big, folder(), NULL);
  ck_assert_msg(status == 0, "%s", err);
  free(err);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("options");
  TCase *t = tcase_create("options");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, decimals_are_rounded);
  tcase_add_test(t, sets_add_up);
  tcase_add_test(t, no_field_is_ignored);
  tcase_add_test(t, options_of_other_commands);
  tcase_add_test(t, options_given_twice);
  tcase_add_test(t, did_you_mean);
  tcase_add_test(t, controls_are_shown);
  tcase_add_test(t, each_output_has_its_file);
  tcase_add_test(t, links_and_read_only_files_stay);
  tcase_add_test(t, all_outputs_or_none);
  tcase_add_test(t, dash_is_standard_output);
  tcase_add_test(t, nothing_checked_is_no_pass);
  tcase_add_test(t, list_by_pattern);
  tcase_add_test(t, columns_are_apart);
  tcase_add_test(t, explain_at_sizes);
  tcase_add_test(t, defaults_are_shown);
  tcase_add_test(t, ctrl_c);
  return aid_main(s);
}
