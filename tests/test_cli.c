/* The program as a person runs it: exit status, words and files. */
#include "files.h"

#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../diffcheck/engine/diffcheck.h"

#define DIFFCHECK "diffcheck"

START_TEST(wrong_use)
{
  REFUSED("nonsense", "must be list, run", "nonsense");
  REFUSED("no_such_op", "unknown", "run", "no_such_op");
  REFUSED("no_such_op", "unknown", "explain", "no_such_op");
  REFUSED("no_such_op", "unknown", "eval", "no_such_op");
  REFUSED("--backend", "gpu", "run", "--backend", "gpu");
  REFUSED("--cases", "0", "run", "--cases", "0");
  REFUSED("--cases", "many", "run", "--cases", "many");
  REFUSED("--cases", "99999999999999999999", "run", "--cases", "99999999999999999999");
  REFUSED("--seed", "-4", "run", "--seed=-4");
  REFUSED("--seconds", "nan", "run", "--seconds", "nan");
  REFUSED("--format", "yaml", "run", "sum", "--format", "yaml");
  REFUSED("--set", "depth", "run", "softmax", "--set", "depth=3");
  REFUSED("rows=-1", "whole number", "run", "softmax", "--set", "rows=-1");
  REFUSED("n=99999999999999999999", "whole number", "run", "sum", "--set",
          "n=99999999999999999999");
  REFUSED("ta=2", "0 to 1", "run", "matmul", "--set", "ta=2");
  REFUSED("alpha=nan", "alpha", "run", "matmul", "--set", "alpha=nan");
  REFUSED("values=hot", "uniform", "run", "softmax", "--set", "values=hot");
  REFUSED("--variant", "nope", "run", "softmax", "--variant", "nope");
  REFUSED("-o", "/no/such/folder/x", "run", "sum", "--cases", "1", "-o", "/no/such/folder/x");
  REFUSED("LINE", "missing", "replay");
  REFUSED("no_such_op", "unknown", "replay", "no_such_op n=2");
  REFUSED("cols", "x", "replay", "softmax rows=2 cols=x");
  REFUSED("OP", "missing", "explain");
  REFUSED("OP", "missing", "eval");
  REFUSED("input x", "missing", "eval", "sum");
  REFUSED("--unknown", "unrecognized", "run", "--unknown");
}
END_TEST

START_TEST(no_arguments)
{
  char *out, *err;
  ck_assert_int_eq(aid_run(&out, &err, DIFFCHECK, NULL), 2);
  ck_assert_text(err, "Usage: diffcheck");
  free(out);
  free(err);
  out = OUTPUT(0, "--help");
  ck_assert_text(out, "Exit status");
  free(out);
  static const char *const commands[] = {"list",  "run",     "replay", "eval",
                                         "judge", "explain", "bench"};
  for (size_t i = 0; i < 2 * sizeof commands / sizeof commands[0]; i++) {
    out = OUTPUT(0, commands[i / 2], i % 2 ? "--help" : "-h");
    ck_assert_text(out, "Usage: diffcheck");
    free(out);
  }
}
END_TEST

/* A GPU that was asked for and is not there: exit 2, at once. */
START_TEST(no_gpu)
{
  if (access("/dev/nvidiactl", F_OK) == 0)
    return; /* there may be one: the GPU run checks it */
  REFUSED("--backend cuda", "cuda", "run", "--backend", "cuda");
  REFUSED("--backend all", "cuda", "run", "--backend", "all");
  REFUSED("--backend cuda", "cuda", "bench");
  REFUSED("--backend cuda", "cuda", "replay", "--backend", "cuda", "sum n=5");
}
END_TEST

/* A library that is no back end is refused with words, not run. */
START_TEST(foreign_library)
{
  const char *path = aid_path("libpm_cuda.so");
  aid_write(path, "not a library", 13);
  setenv("PM_CUDA_LIB", path, 1);
  REFUSED("cuda", path, "run", "--backend", "cuda");
  /* a library that has no back end in it: the C library's own */
  struct link_map *libm;
  void *handle = dlopen("libm.so.6", RTLD_NOW);
  ck_assert_ptr_nonnull(handle);
  ck_assert_int_eq(dlinfo(handle, RTLD_DI_LINKMAP, &libm), 0);
  setenv("PM_CUDA_LIB", libm->l_name, 1);
  REFUSED("cuda", "pm_cuda", "run", "--backend", "cuda");
  unsetenv("PM_CUDA_LIB");
  dlclose(handle);
}
END_TEST

START_TEST(a_passing_run)
{
  char *out = OUTPUT(0, "run", "--backend", "sim", "--cases", "5", "-q", "add", "sum_vjp");
  ck_assert_text(out, "add ");
  ck_assert_text(out, "sum_vjp");
  ck_assert_text(out, "pass");
  ck_assert_text(out, "seed 1");
  ck_assert_text(out, "2 passed");
  free(out);
  char *one =
      OUTPUT(0, "run", "--backend", "sim", "--cases", "20", "-q", "--format", "jsonl", "matmul");
  char *two =
      OUTPUT(0, "run", "--backend", "sim", "--cases", "20", "-q", "--format", "jsonl", "matmul");
  char *other = OUTPUT(0, "run", "--backend", "sim", "--cases", "20", "-q", "--format", "jsonl",
                       "--seed", "2", "matmul");
  char *found[3] = {strstr(one, "worst_case"), strstr(two, "worst_case"),
                    strstr(other, "worst_case")};
  for (int i = 0; i < 3; i++) {
    ck_assert_ptr_nonnull(found[i]);
    *strstr(found[i], "guards") = 0;
  }
  ck_assert_str_eq(found[0], found[1]); /* the seed decides, nothing else does */
  ck_assert_str_ne(found[0], found[2]);
  free(one);
  free(two);
  free(other);
}
END_TEST

START_TEST(a_replay)
{
  char *out = OUTPUT(0, "replay", "--backend", "sim", "-q",
                     "softmax rows=3 cols=33 values=ties seed=17 misaligned=2");
  ck_assert_text(out, "1 cases");
  ck_assert_text(out, "pass");
  free(out);
}
END_TEST

/* ---- reports, each read by a program that knows the format ---- */

START_TEST(jsonl_is_json)
{
  const char *path = aid_path("report.jsonl");
  free(OUTPUT(0, "run", "--backend", "sim", "--cases", "5", "-q", "--format", "jsonl", "-o", path,
              "add*"));
  ck_assert_int_eq(aid_run(NULL, NULL, "python3", "-c",
                           "import json, sys\n"
                           "rows = [json.loads(l) for l in open(sys.argv[1])]\n"
                           "ops = [r for r in rows if r['event'] == 'op']\n"
                           "assert rows[0]['event'] == 'start' and rows[-1]['event'] == 'end'\n"
                           "assert rows[-1]['passed'] == len(ops) == 4, rows\n"
                           "assert all(r['verdict'] == 'pass' for r in ops)\n"
                           "assert all(r['cases'] == 5 for r in ops)\n",
                           path, NULL),
                   0);
}
END_TEST

START_TEST(junit_is_xml)
{
  const char *path = aid_path("report.xml");
  free(OUTPUT(0, "run", "--backend", "sim", "--cases", "5", "-q", "--format", "junit", "-o", path,
              "add*"));
  ck_assert_int_eq(aid_run(NULL, NULL, "python3", "-c",
                           "import sys, xml.etree.ElementTree as T\n"
                           "root = T.parse(sys.argv[1]).getroot()\n"
                           "cases = list(root.iter('testcase'))\n"
                           "assert len(cases) == 4 and root.get('failures') == '0'\n"
                           "assert int(root.find('testsuite').get('tests')) == 4\n"
                           "assert not list(root.iter('failure'))\n",
                           path, NULL),
                   0);
}
END_TEST

START_TEST(tap_is_tap)
{
  char *out = OUTPUT(0, "run", "--backend", "sim", "--cases", "5", "-q", "--format", "tap", "add*");
  int ok = 0, plan = 0;
  ck_assert_int_eq(strncmp(out, "TAP version 14\n", 15), 0);
  for (char *line = strtok(out, "\n"); line; line = strtok(NULL, "\n")) {
    plan += strcmp(line, "1..4") == 0;
    ok += strncmp(line, "ok ", 3) == 0;
    ck_assert(strncmp(line, "not ok", 6) != 0);
  }
  ck_assert_int_eq(plan, 1);
  ck_assert_int_eq(ok, 4);
  free(out);
}
END_TEST

/* Rows of 33 are never split, nor a cluster's: each report says so, and names no variant that ran. */
START_TEST(variants_not_run)
{
#define NARROW \
  "run", "--backend", "sim", "--cases", "64", "-q", "--set", "cols=33", "masked_softmax"
  const char *path = aid_path("variants.jsonl");
  char *out = OUTPUT(0, NARROW);
  ck_assert_text(out, "\nvariants that no case ran: masked_softmax cluster, split\n");
  ck_assert_text(out, "--variant NAME");
  free(out);
  out = OUTPUT(0, NARROW, "--format", "tap");
  ck_assert_text(out, "\n  not_run: \"cluster, split\"\n");
  free(out);
  out = OUTPUT(0, NARROW, "--format", "junit");
  ck_assert_text(out, "variants that no case ran: cluster, split</system-out>");
  free(out);
  free(OUTPUT(0, NARROW, "--format", "jsonl", "-o", path));
  ck_assert_int_eq(aid_run(NULL, NULL, "python3", "-c",
                           "import json, sys\n"
                           "op = json.loads(open(sys.argv[1]).readlines()[1])\n"
                           "v = op['variants']\n"
                           "none = {'cases': 0, 'by_fours': 0}\n"
                           "assert list(v) == ['cluster', 'split', 'warp', 'regs', 'shared'], v\n"
                           "assert v.pop('cluster') == none and v.pop('split') == none\n"
                           "assert all(0 < x['cases'] <= 64 for x in v.values()), v\n"
                           "assert all(x['by_fours'] == 0 for x in v.values()), v\n",
                           path, NULL),
                   0);
  out = OUTPUT(0, "run", "--backend", "sim", "--cases", "64", "-q", "sum");
  ck_assert_ptr_null(strstr(out, "variants that no case ran"));
  free(out);
}
END_TEST

/* A report that cannot be written to its end is an error, not a pass. */
START_TEST(full_disk)
{
  char *err;
  ck_assert_int_eq(aid_run(NULL, &err, DIFFCHECK, "run", "--backend", "sim", "--cases", "1", "-q",
                           "-o", "/dev/full", "add", NULL),
                   2);
  ck_assert_text(err, "/dev/full");
  free(err);
}
END_TEST

/* ---- list and explain ---- */

START_TEST(list_and_explain)
{
  char *list = OUTPUT(0, "list"), *kernels = OUTPUT(0, "list", "--kernels");
  for (int i = 0; i < dc_n_ops(); i++) {
    const char *name = dc_op_at(i)->name;
    char *text = OUTPUT(0, "explain", name);
    ck_assert_text(list, name);
    ck_assert_text(kernels, name);
    ck_assert_int_eq(strncmp(text, name, strlen(name)), 0);
    ck_assert_text(text, "Tensors");
    ck_assert_text(text, "Measured on a GPU");
    free(text);
  }
  free(list);
  free(kernels);
}
END_TEST

/* ---- eval ---- */

static const float x_values[6] = {1, 2, 3, 4, 5, 6};
static const int64_t shape23[] = {2, 3};

START_TEST(eval_by_reference_and_kernel)
{
  const char *x = aid_tensor("x.npy", NPY_F4, 2, shape23, x_values), *y = aid_path("y.npy");
  static const char *const by[] = {"ref", "sim"};
  for (int i = 0; i < 2; i++) {
    free(OUTPUT(0, "eval", "transpose2d", "--backend", by[i], x, "-o", y));
    npy a = aid_load(y);
    ck_assert(a.rank == 2 && a.shape[0] == 3 && a.shape[1] == 2);
    static const int order[] = {0, 3, 1, 4, 2, 5};
    for (int k = 0; k < 6; k++)
      ck_assert_double_eq(a.type == NPY_F8 ? ((double *)a.data)[k] : (double)((float *)a.data)[k],
                          (double)x_values[order[k]]);
    npy_free(&a);
  }
  char *out = OUTPUT(0, "eval", "sum", x);
  ck_assert_text(out, "21");
  free(out);
}
END_TEST

/* Outputs come in the inputs' axes, and inputs from whatever file has them. */
START_TEST(eval_of_any_rank_and_file)
{
  static const int64_t s123[] = {1, 2, 3}, s3[] = {3};
  static const double wide[] = {0.1, 0.2, 0.3};
  static archive z;
  bytes f = {.n = 0};
  char *out = NULL, *err = NULL, named[300], same[300];
  const char *x = aid_tensor("x.npy", NPY_F4, 3, s123, x_values), *y = aid_path("y.npy"),
             *m = aid_path("m.npy"), *r = aid_path("r.npy"), *one = aid_path("one.npy");
  aid_tensor("one.npy", NPY_F4, 1, s3, x_values);
  free(OUTPUT(0, "eval", "layer_norm", x, one, one, "-o", y, "-o", m, "-o", r));
  npy a = aid_load(y), b = aid_load(m);
  ck_assert(a.rank == 3 && a.shape[0] == 1 && a.shape[1] == 2 && a.shape[2] == 3);
  ck_assert(b.rank == 2 && b.shape[0] == 1 && b.shape[1] == 2);
  ck_assert_double_eq(((double *)b.data)[1], 5);
  npy_free(&a);
  npy_free(&b);
  npy_file(&f, "<f8", "True", "(3, 1)", wide, sizeof wide);
  member(&z, "b.npy", f.b, f.n, true, false);
  member(&z, "a.npy", f.b, f.n, false, false);
  finish(&z, false);
  const char *npz = save("z.npz", &z.file);
  ck_assert_int_eq(aid_run(&out, &err, "diffcheck", "eval", "add", npz, NULL), 0);
  ck_assert_text(out, "y (3, 1) = 0.2000000029802322");
  ck_assert_text(err, "z.npz: float64 values of a were rounded to float32");
  ck_assert_text(err, "z.npz: float64 values of b were rounded to float32");
  free(out);
  free(err);
  snprintf(named, sizeof named, "%s:a", npz);
  snprintf(same, sizeof same, "%s", npz);
  REFUSED("z.npz", "an input is not written over", "eval", "neg", named, "-o", same);
  REFUSED("z.npz", "an input is not written over", "run", "neg", "--input", named, "-o", same);
  REFUSED("FILE of input b is missing", "add has 2 inputs", "eval", "add", named);
  REFUSED("--input", "z.npz: g of mul_vjp: no tensor 'g' is in the file: it has b, a", "run",
          "mul_vjp", "--input", npz);
  out = OUTPUT(0, "run", "add", "--backend", "sim", "-q", "--input", npz);
  ck_assert_text(out, "pass");
  free(out);
  out = OUTPUT(0, "run", "add", "--backend", "sim", "-q", "--input", "-", "--input", named);
  ck_assert_text(out, "pass");
  free(out);
}
END_TEST

START_TEST(eval_two_outputs)
{
  static const float g[] = {1, 0, 0, 1}, b[] = {1, 0, 0, 1, 1, 1};
  static const int64_t s22[] = {2, 2}, s32[] = {3, 2};
  const char *a = aid_tensor("a.npy", NPY_F4, 2, shape23, x_values);
  const char *bb = aid_tensor("b.npy", NPY_F4, 2, s32, b);
  const char *gg = aid_tensor("g.npy", NPY_F4, 2, s22, g);
  const char *da = aid_path("da.npy"), *db = aid_path("db.npy");
  free(OUTPUT(0, "eval", "matmul_vjp", a, bb, gg, "-o", da, "-o", db));
  npy p = aid_load(da), q = aid_load(db);
  static const double want_da[] = {1, 0, 1, 0, 1, 1}, want_db[] = {1, 4, 2, 5, 3, 6};
  for (int k = 0; k < 6; k++) {
    ck_assert_double_eq(((double *)p.data)[k], want_da[k]);
    ck_assert_double_eq(((double *)q.data)[k], want_db[k]);
  }
  npy_free(&p);
  npy_free(&q);
}
END_TEST

/* README's rule for files, in numpy's meaning of it. */
static int right(double yours, double want, double bound)
{
  return isinf(bound) || fabs(yours - want) <= bound || yours == want ||
         (isnan(yours) && isnan(want));
}

/* It takes what our kernels compute, where bits count and where no number comes out too, and takes
 * neither a neighbour of the right float32 nor a number in place of NaN. */
START_TEST(files_rule)
{
  static const float a[] = {1, 2, 3, 1e-40f, 3e38f, -0.0f}, b[] = {3, 7, 0, 3, 1e-5f, 1};
  static const float odd[] = {NAN, INFINITY, -INFINITY, 104, -104, 88};
  static const float none[] = {-INFINITY, -INFINITY, -INFINITY, 0, NAN, 1};
  const char *ones = aid_tensor("a.npy", NPY_F4, 2, shape23, a);
  const char *two = aid_tensor("b.npy", NPY_F4, 2, shape23, b);
  const char *odds = aid_tensor("odd.npy", NPY_F4, 2, shape23, odd);
  const char *no_row = aid_tensor("none.npy", NPY_F4, 2, shape23, none);
  const char *line[][3] = {{"div", ones, two},        {"mul", ones, two},
                           {"add", ones, odds},       {"sqrt", two, NULL},
                           {"relu", odds, NULL},      {"exp", odds, NULL},
                           {"softmax", odds, NULL},   {"softmax", no_row, NULL},
                           {"reciprocal", two, NULL}, {"mean", ones, NULL}};
  const char *want = aid_path("want.npy"), *bound = aid_path("bound.npy"), *y = aid_path("got.npy");
  for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
    int64_t checked = 0;
    free(OUTPUT(0, "eval", line[i][0], "-o", want, "--bound", bound, line[i][1], line[i][2]));
    free(OUTPUT(0, "eval", line[i][0], "--backend", "sim", "-o", y, line[i][1], line[i][2]));
    npy w = aid_load(want), e = aid_load(bound), g = aid_load(y);
    for (int64_t k = 0; k < w.count; k++) {
      double v = ((double *)w.data)[k], most = ((double *)e.data)[k];
      float got = ((float *)g.data)[k];
      ck_assert_msg(right((double)got, v, most), "%s[%d] = %g, want %g, bound %g", line[i][0],
                    (int)k, (double)got, v, most);
      if (isinf(most))
        continue;
      checked++;
      ck_assert_msg(!right(isnan(v) ? 0.0 : NAN, v, most), "%s[%d]: wrong passes", line[i][0],
                    (int)k);
      if (most == 0 && isfinite(got) && got != 0)
        ck_assert_msg(!right((double)nextafterf(got, 0), v, most), "%s[%d]: a neighbour passes",
                      line[i][0], (int)k);
    }
    ck_assert_msg(checked > 0, "%s: nothing is checked", line[i][0]);
    npy_free(&w);
    npy_free(&e);
    npy_free(&g);
  }
}
END_TEST

/* Each refusal leaves an output file that was there as it was. */
START_TEST(eval_refused)
{
  static const double wide[] = {1e300, 0, 0, 0, 0, 0};
  static const int64_t s6[] = {6}, s5[] = {5}, s32[] = {3, 2}, s22[] = {2, 2};
  const char *x = aid_tensor("x.npy", NPY_F4, 2, shape23, x_values);
  const char *flat = aid_tensor("flat.npy", NPY_F4, 1, s6, x_values);
  const char *five = aid_tensor("five.npy", NPY_F4, 1, s5, x_values);
  const char *whole = aid_tensor("whole.npy", NPY_I8, 1, (const int64_t[]){3}, wide);
  const char *t32 = aid_tensor("t32.npy", NPY_F4, 2, s32, x_values);
  const char *t22 = aid_tensor("t22.npy", NPY_F4, 2, s22, x_values);
  char keep[200];
  strcpy(keep, aid_path("keep.npy"));
  aid_write(keep, "keep", 4);
  REFUSED("/no/such.npy", "No such file", "eval", "sum", "/no/such.npy", "-o", keep);
  REFUSED(keep, ".npy", "eval", "sum", keep, "-o", keep);
  REFUSED("x.npy", "", "eval", "softmax", flat, x, "-o", keep);                 /* too many */
  REFUSED("flat.npy", "(rows, cols)", "eval", "transpose2d", flat, "-o", keep); /* rank */
  REFUSED("five.npy", "", "eval", "add", flat, five, "-o", keep);               /* sizes disagree */
  REFUSED("t22.npy", "", "eval", "matmul", x, t22, "-o", keep);           /* inner dimension */
  REFUSED("whole.npy", "", "eval", "sum", whole, "-o", keep);             /* integers for floats */
  REFUSED("flat.npy", "int", "eval", "gather_rows", x, flat, "-o", keep); /* floats for integers */
  REFUSED("rows", "", "eval", "softmax", "--set", "rows=5", x, "-o", keep);
  REFUSED("--backend", "tpu", "eval", "sum", "--backend", "tpu", x, "-o", keep);
  REFUSED("--dtype", "f2", "eval", "sum", "--dtype", "f2", x, "-o", keep);
  REFUSED("--max-bytes", "", "eval", "sum", "--max-bytes", "1", x, "-o", keep);
  REFUSED("-o", "", "eval", "matmul_vjp", x, t32, t22, "-o", keep, "-o", keep, "-o", keep);
  char *kept = aid_read(keep, NULL);
  ck_assert_str_eq(kept, "keep");
  free(kept);
}
END_TEST

/* ---- run on the user's own tensors ---- */

START_TEST(run_on_given_tensors)
{
  const char *x = aid_tensor("x.npy", NPY_F4, 2, shape23, x_values);
  char *out = OUTPUT(0, "run", "softmax", "--backend", "sim", "-q", "--input", x);
  ck_assert_text(out, "pass");
  free(out);
  REFUSED("--input", "one op", "run", "--input", x);
  REFUSED("absent.npy", "No such file", "run", "softmax", "--input", "absent.npy");
  REFUSED("--input", "", "run", "sum", "--input", x, "--input", x);
}
END_TEST

START_TEST(quiet_is_quiet)
{
  char *out, *err;
  ck_assert_int_eq(
      aid_run(&out, &err, DIFFCHECK, "run", "--backend", "sim", "--cases", "2", "-q", "add", NULL),
      0);
  ck_assert_str_eq(err, "");
  free(out);
  free(err);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("cli");
  TCase *t = tcase_create("cli");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, wrong_use);
  tcase_add_test(t, no_arguments);
  tcase_add_test(t, no_gpu);
  tcase_add_test(t, foreign_library);
  tcase_add_test(t, a_passing_run);
  tcase_add_test(t, a_replay);
  tcase_add_test(t, jsonl_is_json);
  tcase_add_test(t, junit_is_xml);
  tcase_add_test(t, tap_is_tap);
  tcase_add_test(t, variants_not_run);
  tcase_add_test(t, full_disk);
  tcase_add_test(t, list_and_explain);
  tcase_add_test(t, eval_by_reference_and_kernel);
  tcase_add_test(t, eval_of_any_rank_and_file);
  tcase_add_test(t, eval_two_outputs);
  tcase_add_test(t, files_rule);
  tcase_add_test(t, eval_refused);
  tcase_add_test(t, run_on_given_tensors);
  tcase_add_test(t, quiet_is_quiet);
  return aid_main(s);
}
