/* Kernels that end their process: each gives a verdict, its case is made small, and what comes after goes
 * on in another process. The back end is the fake one: for the library this program is itself the
 * worker ("serve N"), for diffcheck the fake stands in a library as a GPU's. */
#include "helpers.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../diffcheck/engine/engine.h"
#include "fake_backend.h"

#define KILLED "was killed by SIGSEGV (Segmentation fault)"
#define KERNELS_PROCESS "the kernel's process "
#define BRIEF 0.5 /* seconds that one which does not end is given; any other has a minute */

/* ---- the library ---- */

typedef struct apart { /* a worker with that fault, and options that use it */
  char number[8];
  char *argv[4];
  dc_worker_how how;
  dc_options o;
} apart;

static void apart_open(apart *x, fake_fault fault, double seconds)
{
  dc_error err = {""};
  snprintf(x->number, sizeof x->number, "%d", (int)fault);
  x->argv[0] = "worker";
  x->argv[1] = "serve";
  x->argv[2] = x->number;
  x->argv[3] = NULL;
  x->how =
      (dc_worker_how){.path = "/proc/self/exe", .argv = x->argv, .begin = 30, .seconds = seconds};
  dc_options_init(&x->o);
  x->o.backend[0] = fake_backend(0, FAKE_HONEST); /* here no kernel runs */
  x->o.n_backends = 1;
  x->o.large = 0;
  x->o.worker[0] = dc_worker_new(&x->how, &err);
  ck_assert_msg(x->o.worker[0] != NULL, "%s", err.text);
}

/* Nothing that it started is left. */
static void apart_close(apart *x)
{
  dc_worker_free(x->o.worker[0]);
  ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
  ck_assert_int_eq(errno, ECHILD);
}

static const struct {
  fake_fault plant;
  dc_fault seen;
  const char *what;
} DEATHS[] = {
    {FAKE_SEGFAULTS, DC_CRASH, KERNELS_PROCESS KILLED},
    {FAKE_ABORTS, DC_CRASH, KERNELS_PROCESS "was killed by SIGABRT (Aborted)"},
    {FAKE_EXITS, DC_CRASH, KERNELS_PROCESS "ended with status 0"},
    {FAKE_LOOPS, DC_HANG, "no answer within 0.5"},
    {FAKE_STOPS, DC_HANG, "no answer within 0.5"},
    {FAKE_WRITES, DC_CRASH, KERNELS_PROCESS "wrote into its connection to the checker"},
    {FAKE_SPOILS, DC_LAUNCH, "run: the fake says no"},
    {FAKE_KILLED, DC_CRASH, KERNELS_PROCESS "was killed by SIGKILL (Killed)"},
    {FAKE_PLANS_BADLY, DC_CRASH, KERNELS_PROCESS "was killed by SIGABRT (Aborted)"},
};

START_TEST(a_death_is_a_verdict)
{
  apart x = {.number = ""};
  apart_open(&x, DEATHS[_i].plant, DEATHS[_i].seen == DC_HANG ? BRIEF : 60);
  dc_result r = aid_result("add", &x.o), after;
  const dc_failure *f = &r.failure[0];
  dc_error err = {""};
  ck_assert_int_eq(r.outcome, DC_FAIL);
  ck_assert_int_eq(r.n_failures, 1);
  ck_assert_msg(f->fault == DEATHS[_i].seen, "%s: %s", dc_fault_name(f->fault), f->what);
  ck_assert_text(f->what, DEATHS[_i].what);
  ck_assert_str_eq(f->backend, "fake");
  /* the smallest case, in every field, of the variant that died */
  ck_assert_int_gt(f->tries, 0);
  ck_assert_int_eq(f->c.size[0], 5);
  ck_assert_int_eq(f->c.values, DC_ONES);
  ck_assert_int_eq(f->c.misaligned, 0);
  ck_assert_str_eq(f->c.variant, DEATHS[_i].plant == FAKE_PLANS_BADLY ? "" : "plain");
  /* it dies again, and what comes after goes on */
  ck_assert_int_eq(dc_run_case(&f->c, &x.o, &after, &err), DC_OK);
  ck_assert_int_eq(after.outcome, DC_FAIL);
  ck_assert_int_eq(after.failure[0].fault, f->fault);
  ck_assert_int_eq(dc_run_case(&f->found, &x.o, &after, &err), DC_OK);
  ck_assert_int_eq(after.outcome, DC_FAIL);
  if (f->fault == DC_HANG) { /* time for what is honest */
    apart_close(&x);
    apart_open(&x, DEATHS[_i].plant, 60);
  }
  after = aid_result("sum", &x.o);
  ck_assert_msg(after.outcome == DC_PASS, "%s%s", after.suspicion, after.failure[0].what);
  ck_assert_int_eq(after.cases, x.o.cases);
  /* the same case passes where there is no fault */
  dc_case c = f->c;
  apart_close(&x);
  apart_open(&x, FAKE_HONEST, 60);
  ck_assert_int_eq(dc_run_case(&c, &x.o, &after, &err), DC_OK);
  ck_assert_int_eq(after.failed, 0);
  apart_close(&x);
}
END_TEST

/* One that closes its connection and goes on is waited for a while, so it is not shrunk here. */
START_TEST(a_closed_connection)
{
  apart x = {.number = ""};
  apart_open(&x, FAKE_CLOSES, 60);
  x.o.shrink_tries = 0;
  dc_result r = aid_result("add", &x.o);
  ck_assert_int_eq(r.failure[0].fault, DC_CRASH);
  ck_assert_text(r.failure[0].what, "closed its connection");
  apart_close(&x);
}
END_TEST

/* Without it the process ends, or the rest of it fails: what the worker is for. */
START_TEST(in_process_nothing_is_caught)
{
  dc_options o;
  int status;
  dc_options_init(&o);
  o.backend[0] = fake_backend(0, FAKE_ABORTS);
  o.n_backends = 1;
  pid_t child = fork();
  if (child == 0) {
    aid_result("add", &o);
    _exit(0);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  o.backend[0] = fake_backend(0, FAKE_SPOILS);
  ck_assert_int_eq(aid_result("add", &o).outcome, DC_FAIL);
  ck_assert_int_eq(aid_result("sum", &o).outcome, DC_FAIL);
}
END_TEST

/* What a kernel does beside its work without harm is no fault of it. */
START_TEST(odd_and_honest)
{
  static const fake_fault odd[] = {FAKE_HONEST, FAKE_KILLED_ONCE, FAKE_FORKS, FAKE_READS};
  const char *mark = aid_path("once");
  apart x = {.number = ""};
  setenv("PM_FAKE_ONCE", mark, 1);
  apart_open(&x, odd[_i], 60);
  x.o.cases = 20;
  dc_result r = aid_result("add", &x.o);
  ck_assert_msg(r.outcome == DC_PASS, "%s%s", r.suspicion, r.failure[0].what);
  ck_assert_int_eq(access(mark, F_OK) == 0, odd[_i] == FAKE_KILLED_ONCE);
  apart_close(&x);
}
END_TEST

/* The guards see what they see in one process. */
static const struct {
  fake_fault plant;
  dc_fault seen;
  const char *what;
} GUARDED[] = {
    {FAKE_LAST_BIT, DC_BITS_DIFFER, "y"},
    {FAKE_WRITES_PAST, DC_RED_ZONE, "past the end of y"},
    {FAKE_WRITES_BEFORE, DC_RED_ZONE, "before the start of y"},
    {FAKE_CHANGES_INPUT, DC_INPUT_CHANGED, "input b was changed at element 0"},
    {FAKE_READS_OUTPUT, DC_STALE, "what memory held before"},
    {FAKE_READS_WORK, DC_STALE, "what memory held before"},
    {FAKE_UNORDERED, DC_UNORDERED, "another schedule"},
    {FAKE_RACES, DC_LAUNCH, "run: the fake says no"},
    {FAKE_REFUSES, DC_LAUNCH, "launch: the fake says no"},
    {FAKE_NAMELESS, DC_LAUNCH, "no row in the table"},
    {FAKE_UPLOAD_FAILS, DC_LAUNCH, "upload: the fake says no"},
    {FAKE_DOWNLOAD_FAILS, DC_LAUNCH, "download: the fake says no"},
    {FAKE_NO_MEMORY, DC_LAUNCH, "no memory"},
    {FAKE_UNSUITED, DC_NO_VARIANT, "no variant"},
};

START_TEST(guards_see_as_much)
{
  apart x = {.number = ""};
  apart_open(&x, GUARDED[_i].plant, 60);
  dc_result r = aid_result("add", &x.o);
  ck_assert_int_eq(r.outcome, DC_FAIL);
  const dc_failure *f = &r.failure[0];
  ck_assert_msg(f->fault == GUARDED[_i].seen, "%s: %s", dc_fault_name(f->fault), f->what);
  ck_assert_text(f->what, GUARDED[_i].what);
  apart_close(&x);
}
END_TEST

/* The simulator gives in a worker what it gives here, in place and watched runs among it. */
START_TEST(the_simulator_is_the_same)
{
  static const char *const ops[] = {"layer_norm_vjp", "sgd_step", "gather_rows"};
  apart x = {.number = ""};
  apart_open(&x, FAKE_HONEST, 600);
  x.argv[2] = "sim";
  x.o.backend[0] = &pm_sim;
  x.o.cases = 12;
  for (int i = 0; i < 3; i++) {
    dc_options here = x.o;
    here.worker[0] = NULL;
    dc_result a = aid_result(ops[i], &x.o), b = aid_result(ops[i], &here);
    ck_assert_msg(a.outcome == DC_PASS, "%s: %s%s", ops[i], a.suspicion, a.failure[0].what);
    ck_assert_int_eq(a.runs, b.runs);
    ck_assert_int_eq(a.elements, b.elements);
    ck_assert_int_eq(a.vacuous, b.vacuous);
    ck_assert_int_eq(a.exact, b.exact);
    ck_assert_int_eq(a.worst.index, b.worst.index);
    ck_assert_double_eq(a.worst.ratio, b.worst.ratio);
    ck_assert_mem_eq(&a.guards, &b.guards, sizeof a.guards);
    for (int v = 0; v < a.n_variants; v++)
      ck_assert_int_eq(a.variant[v].cases, b.variant[v].cases);
  }
  apart_close(&x);
}
END_TEST

/* ---- a worker that is ended from outside, or that there is none of ---- */

static struct {
  dc_worker *w;
  int first, last; /* pids */
  const char *gone;
} victim;

static int kill_it(void *arg, const dc_result *so_far, const dc_case *last)
{
  (void)arg, (void)last;
  victim.last = dc_worker_pid(victim.w);
  ck_assert_int_gt(victim.last, 0);
  if (so_far->cases != 3)
    return 0;
  victim.first = victim.last;
  if (victim.gone)
    ck_assert_int_eq(unlink(victim.gone), 0);
  ck_assert_int_eq(kill(victim.first, SIGKILL), 0);
  return 0;
}

START_TEST(killed_from_outside)
{
  apart x = {.number = ""};
  apart_open(&x, FAKE_HONEST, 60);
  victim.w = x.o.worker[0];
  x.o.progress = kill_it;
  x.o.cases = 20;
  dc_result r = aid_result("add", &x.o);
  ck_assert_msg(r.outcome == DC_PASS, "%s%s", r.suspicion, r.failure[0].what);
  ck_assert_int_eq(r.cases, 20);
  ck_assert_int_ne(victim.first, victim.last);
  apart_close(&x);
}
END_TEST

/* No verdict, but an error: none of the kernels is to blame. */
START_TEST(no_other_can_be_started)
{
  char here[4096];
  apart x = {.number = ""};
  dc_result r;
  dc_error err = {""};
  ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
  ck_assert_int_gt(n, 0);
  here[n] = 0;
  victim.gone = aid_path("program");
  ck_assert_int_eq(symlink(here, victim.gone), 0);
  apart_open(&x, FAKE_HONEST, 60);
  dc_worker_free(x.o.worker[0]);
  x.how.path = victim.gone;
  victim.w = x.o.worker[0] = dc_worker_new(&x.how, &err);
  x.o.progress = kill_it;
  ck_assert_int_eq(dc_run(dc_op_find("add"), &x.o, &r, &err), DC_NO_DEVICE);
  ck_assert_text(err.text, "a worker, worker serve 0, cannot be started: No such file");
  ck_assert_int_eq(r.cases, 3);
  ck_assert_int_eq(r.failed, 0);
  apart_close(&x);
}
END_TEST

START_TEST(none_can_be_started)
{
  static const struct {
    const char *path, *argument;
    fake_fault fault;
    double seconds;
    const char *why;
  } none[] = {
      {"/no/such/program", "serve", FAKE_HONEST, 30, "No such file"},
      {"/bin/true", "serve", FAKE_HONEST, 30, "ended with status 0"},
      {"/bin/sleep", "60", FAKE_HONEST, 0.2, "no answer within 0.2 s"},
      {"/proc/self/exe", "serve", FAKE_DIES_AT_START, 30, "was killed by SIGABRT"},
      {"/proc/self/exe", "serve", FAKE_NO_DEVICE, 30, "the fake says no"},
      {"/proc/self/exe", "babble", FAKE_HONEST, 30, "it does not speak as a worker does"},
  };
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    apart x = {.number = ""};
    dc_result r;
    dc_error err = {""};
    apart_open(&x, none[i].fault, 60);
    dc_worker_free(x.o.worker[0]);
    x.how.path = none[i].path;
    x.how.begin = none[i].seconds;
    x.argv[1] = (char *)(uintptr_t)none[i].argument;
    if (none[i].path[5] == 's')
      x.argv[2] = NULL;
    x.o.worker[0] = dc_worker_new(&x.how, &err);
    ck_assert_int_eq(dc_worker_begin(x.o.worker[0], NULL, &err), DC_NO_DEVICE);
    ck_assert_text(err.text, none[i].why);
    ck_assert_int_eq(dc_run(dc_op_find("add"), &x.o, &r, &err), DC_NO_DEVICE);
    ck_assert_text(err.text, none[i].why);
    ck_assert_int_eq(r.cases, 0);
    apart_close(&x);
  }
}
END_TEST

/* What a kernel has done to its process shows at the end of it. */
START_TEST(a_bad_end)
{
  apart x = {.number = ""};
  dc_result r;
  dc_error err = {""};
  apart_open(&x, FAKE_LEAVES_BADLY, 60);
  ck_assert_int_eq(dc_run(dc_op_find("sum"), &x.o, &r, &err), DC_NO_DEVICE);
  ck_assert_text(err.text, "ended with status 3 when its work was done");
  apart_close(&x);
}
END_TEST

/* ---- the command line ---- */

/* diffcheck with the fake for a GPU. */
static void as_cuda(fake_fault fault)
{
  char path[4096], number[8];
  aid_program(path, sizeof path, "tests/libfake_cuda.so");
  snprintf(number, sizeof number, "%d", (int)fault);
  setenv("PM_CUDA_LIB", path, 1);
  setenv("PM_FAKE", number, 1);
}

#define CUDA "--backend", "cuda", "-q"

static const struct {
  fake_fault plant;
  const char *fault, *what;
} SHOWN[] = {{FAKE_SEGFAULTS, "crash", KILLED},
             {FAKE_LOOPS, "hang", "no answer within 1"},
             {FAKE_SPOILS, "launch", "the fake says no"}};

START_TEST(every_report_says_it)
{
  static const char SUM[] = "\nsum ";
  const char *path = aid_path("report"), *what = SHOWN[_i].what;
  as_cuda(SHOWN[_i].plant);
  const int hangs = strcmp(SHOWN[_i].fault, "hang") == 0;
#define WAIT "--timeout", hangs ? "1" : "60"
#define CASES CUDA, "--cases", "20", WAIT, "--shrink", hangs ? "0" : "300", "add", "sum"
  char *out = OUTPUT(1, "run", CASES), *line, *end;
  ck_assert_text(out, "FAIL add on cuda, variant plain: ");
  ck_assert_text(out, what);
  ck_assert_text(out, SUM);
  ck_assert_text(out, "1 failed, 1 passed");
  line = strstr(out, "diffcheck replay '");
  ck_assert_ptr_nonnull(line);
  line += strlen("diffcheck replay '");
  end = strchr(line, '\'');
  ck_assert_ptr_nonnull(end);
  *end = 0;
  ck_assert_text(line, hangs ? "add n=" : "add n=5 ");
  char *again = OUTPUT(1, "replay", CUDA, WAIT, "--shrink", "0", line);
  ck_assert_text(again, what);
  ck_assert_text(again, "1 failed");
  free(again);
  free(out);
  out = OUTPUT(1, "run", CASES, "--format", "tap");
  ck_assert_text(out, "\nnot ok 1 - add\n");
  ck_assert_text(out, what);
  ck_assert_text(out, "\nok 2 - sum\n");
  free(out);
  free(OUTPUT(1, "run", CASES, "--format", "junit", "-o", path));
  ck_assert_int_eq(aid_run(NULL, NULL, "python3", "-c",
                           "import sys, xml.etree.ElementTree as T\n"
                           "failed = list(T.parse(sys.argv[1]).getroot().iter('failure'))\n"
                           "assert len(failed) == 1 and failed[0].get('type') == sys.argv[2]\n"
                           "assert sys.argv[3] in failed[0].get('message')\n"
                           "assert 'diffcheck replay' in failed[0].text\n",
                           path, SHOWN[_i].fault, what, NULL),
                   0);
  free(OUTPUT(1, "run", CASES, "--format", "jsonl", "-o", path));
  ck_assert_int_eq(aid_run(NULL, NULL, "python3", "-c",
                           "import json, sys\n"
                           "rows = [json.loads(l) for l in open(sys.argv[1])]\n"
                           "add, total = rows[1:3]\n"
                           "assert add['op'] == 'add' and add['verdict'] == 'FAIL'\n"
                           "f = add['failures'][0]\n"
                           "assert f['fault'] == sys.argv[2] and sys.argv[3] in f['message'], f\n"
                           "assert f['worst'] is None and 'add n=' in f['replay'], f\n"
                           "assert total['op'] == 'sum' and total['verdict'] == 'pass'\n",
                           path, SHOWN[_i].fault, what, NULL),
                   0);
#undef CASES
#undef WAIT
}
END_TEST

/* What a kernel prints does not get into a report. */
START_TEST(a_kernel_that_prints)
{
  char *out, *err;
  as_cuda(FAKE_PRINTS);
  ck_assert_int_eq(
      aid_run(&out, &err, "diffcheck", "run", CUDA, "--cases", "3", "--format", "tap", "add", NULL),
      0);
  ck_assert_ptr_null(strstr(out, "prints"));
  ck_assert_text(err, "a kernel prints");
  free(out);
  free(err);
}
END_TEST

START_TEST(in_process_by_wish)
{
  as_cuda(FAKE_ABORTS);
  ck_assert_int_eq(
      aid_run(NULL, NULL, "diffcheck", "run", CUDA, "--in-process", "--cases", "20", "add", NULL),
      1000 + SIGABRT);
  as_cuda(FAKE_HONEST);
  free(OUTPUT(0, "run", CUDA, "--in-process", "--cases", "20", "add"));
  free(OUTPUT(0, "replay", CUDA, "--in-process", "add n=5 seed=3"));
}
END_TEST

START_TEST(words_of_refusal)
{
  char program[4096], line[8192], *err;
  REFUSED("--timeout", "positive", "run", "--timeout", "0", "add");
  REFUSED("--timeout", "soon", "run", "--timeout", "soon", "add");
  REFUSED("--timeout", "--in-process", "run", "--in-process", "--timeout", "3", "add");
  REFUSED("worker", "run and replay", "worker");
  REFUSED("worker", "run and replay", "worker", "sim"); /* by hand: nobody speaks to it */
  as_cuda(FAKE_NO_DEVICE);
  REFUSED("--backend cuda", "the fake says no", "run", "--backend", "cuda", "add");
  as_cuda(FAKE_DIES_AT_START);
  REFUSED("--backend cuda", "killed by SIGABRT", "run", "--backend", "cuda", "add");
  /* too few files may be open */
  aid_program(program, sizeof program, "diffcheck");
  snprintf(line, sizeof line, "ulimit -n 12; exec '%s' run --backend sim add", program);
  ck_assert_int_eq(aid_run(NULL, &err, "sh", "-c", line, NULL), 2);
  ck_assert_text(err, "back end sim: a worker");
  free(err);
}
END_TEST

/* ---- Ctrl-C, or worse, while a kernel does not end ---- */

START_TEST(no_worker_outlives_the_checker)
{
  static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
  const struct timespec nap = {.tv_nsec = 10000000}, busy = {.tv_sec = 1};
  char program[4096];
  int status;
  as_cuda(FAKE_LOOPS);
  aid_program(program, sizeof program, "diffcheck");
  prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans come to us */
  pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
      _exit(126);
    execl(program, program, "run", "--backend", "cuda", "-q", "--timeout", "1000", "add", NULL);
    _exit(127);
  }
  nanosleep(&busy, NULL);
  ck_assert_int_eq(waitpid(-1, &status, WNOHANG), 0);
  double start = dc_now();
  kill(child, signals[_i]);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(dc_now() - start < 1);
  if (signals[_i] == SIGKILL)
    ck_assert(WIFSIGNALED(status));
  else
    ck_assert_int_eq(WEXITSTATUS(status), 128 + signals[_i]);
  pid_t orphan = 0;
  while (orphan == 0 && dc_now() - start < 10) {
    nanosleep(&nap, NULL);
    orphan = waitpid(-1, &status, WNOHANG);
  }
  ck_assert_int_gt(orphan, 0); /* the worker, which did not outlive it */
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  ck_assert_int_eq(waitpid(-1, &status, WNOHANG), -1);
}
END_TEST

/* As a worker: the fake, the simulator, or something that is none. */
static int serve(const char *how, const char *what)
{
  if (strcmp(how, "babble") == 0)
    return write(3, what, strlen(what)) < 0 || pause();
  return dc_serve(strcmp(what, "sim") == 0 ? &pm_sim : fake_backend(0, (fake_fault)atoi(what)), "");
}

int main(int argc, char **argv)
{
  if (argc == 3)
    return serve(argv[1], argv[2]);
  setenv("ASAN_OPTIONS", "handle_segv=0", 1); /* a signal is a signal, and no long report */
  Suite *s = suite_create("workers");
  TCase *t = tcase_create("library");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, a_death_is_a_verdict, 0, (int)(sizeof DEATHS / sizeof *DEATHS));
  tcase_add_test(t, a_closed_connection);
  tcase_add_test(t, in_process_nothing_is_caught);
  tcase_add_loop_test(t, odd_and_honest, 0, 4);
  tcase_add_loop_test(t, guards_see_as_much, 0, (int)(sizeof GUARDED / sizeof *GUARDED));
  tcase_add_test(t, the_simulator_is_the_same);
  tcase_add_test(t, killed_from_outside);
  tcase_add_test(t, no_other_can_be_started);
  tcase_add_test(t, none_can_be_started);
  tcase_add_test(t, a_bad_end);
  t = tcase_create("command");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, every_report_says_it, 0, (int)(sizeof SHOWN / sizeof *SHOWN));
  tcase_add_test(t, a_kernel_that_prints);
  tcase_add_test(t, in_process_by_wish);
  tcase_add_test(t, words_of_refusal);
  tcase_add_loop_test(t, no_worker_outlives_the_checker, 0, 3);
  return aid_main(s);
}
