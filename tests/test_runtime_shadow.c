/* The shadow: a fault planted in one kernel of many is found, at its step, its element and the line that
 * called it; the case that is written replays; which steps are looked at; bad settings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../runtime/internal.h"
#include "runtime.h"

/* The simulator with a kernel that is wrong from its second launch on, at element 3. */
static pm_backend faulty;
static int launches;

static pm_status wrong_gelu_vjp(pm_exec *ex, int accumulate, int64_t n, const float *a,
                                const float *g, float *da)
{
  pm_status s = pm_sim.gelu_vjp(ex, accumulate, n, a, g, da);
  if (s == PM_OK && ++launches > 1 && n > 5) {
    da[3] *= 1.00001f;
    da[5] += 1; /* more, and not the first */
  }
  return s;
}

/* twice the step, in place */
static pm_status wrong_sgd(pm_exec *ex, int64_t n, float lr, const float *p, const float *g,
                           float *q)
{
  return pm_sim.sgd_step(ex, n, 2 * lr, p, g, q);
}

static pmr_context planted(void)
{
  pmr_context h = opened(2);
  context *c;
  launches = 0;
  faulty = pm_sim;
  faulty.gelu_vjp = wrong_gelu_vjp;
  faulty.sgd_step = wrong_sgd;
  OK(in_begin(h, &c));
  c->device = &faulty;
  in_end(c, PMR_OK);
  return h;
}

/* x -> gelu -> sum, swept; *line: of the call. */
static pmr_status pass(pmr_context c, pmr_tensor x, int *line)
{
  pmr_tensor y = NULL, z = NULL;
  *line = __LINE__ + 1;
  pmr_status s = pmr_call(c, "gelu", PMR_IN(x), NULL, &y, 1);
  s = s ? s : pmr_call(c, "sum", PMR_IN(y), NULL, &z, 1);
  s = s ? s : pmr_backward(z, NULL);
  if (y)
    OK(pmr_release(y));
  if (z)
    OK(pmr_release(z));
  return s;
}

static pmr_tensor ramp(pmr_context c)
{
  float x[8];
  for (int i = 0; i < 8; i++)
    x[i] = 0.3f * (float)i - 1;
  pmr_tensor t = f32(c, x, 1, 8);
  OK(pmr_requires_grad(t, 1));
  return t;
}

START_TEST(a_planted_fault_is_found)
{
  pmr_context c = planted();
  pmr_tensor x = ramp(c), g, same;
  pmr_shadow_report r;
  int line;
  OK(pass(c, x, &line)); /* steps 1 to 5: gelu, sum, ones, sum_vjp, gelu_vjp */
  OK(pmr_grad(x, &g));
  FAILS(PMR_DIVERGED, "step 10, gelu_vjp", pass(c, x, &line));
  char where[64];
  snprintf(where, sizeof where, "test_runtime_shadow.c:%d: step", line);
  ck_assert_text(pmr_error(), where);
  ck_assert_text(pmr_error(), "da[3] is");
  OK(pmr_shadow_about(c, &r));
  ck_assert_int_eq(r.steps, 10);
  ck_assert_int_eq(r.looked_at, 10);
  ck_assert_int_eq(r.diverged, 1);
  ck_assert_str_eq(r.first.op, "gelu_vjp");
  ck_assert_str_eq(r.first.tensor, "da");
  ck_assert_int_eq(r.first.step, 10);
  ck_assert_int_eq(r.first.element, 3);
  ck_assert_int_eq(r.first.line, line);
  ck_assert(fabs(r.first.value - r.first.want) > r.first.bound && r.first.bound > 0);
  ck_assert_text(r.first.replay, "diffcheck replay 'gelu_vjp n=8 ");
  OK(pmr_grad(x, &same)); /* as it was before the sweep that failed */
  ck_assert_ptr_eq(g, same);
  OK(pmr_release(g));
  OK(pmr_release(same));
  OK(pmr_free(x));
  closed(c);
}
END_TEST

/* Noted, and gone on with; the case stands in files, and replays (here on kernels that are right). */
START_TEST(gone_on_and_replayed)
{
  pmr_context c = planted();
  pmr_tensor x = ramp(c);
  pmr_shadow_report r;
  char folder[512], command[1200], *out, *err;
  int line;
  snprintf(folder, sizeof folder, "%s", aid_path("x"));
  *strrchr(folder, '/') = 0;
  OK(pmr_shadow_set(c, &(pmr_shadow){.go_on = 1, .folder = folder}));
  for (int i = 0; i < 3; i++)
    OK(pass(c, x, &line));
  OK(pmr_shadow_about(c, &r));
  ck_assert_int_eq(r.diverged, 2);
  ck_assert_int_eq(r.first.step, 10);
  aid_program(command, sizeof command, "diffcheck");
  ck_assert_text(r.first.replay, "--input");
  strncat(command, r.first.replay + strlen("diffcheck"), sizeof command - strlen(command) - 1);
  strncat(command, " --backend sim", sizeof command - strlen(command) - 1);
  int status = aid_run(&out, &err, "sh", "-c", command, NULL);
  ck_assert_msg(status == 0, "%s: %s%s", command, out, err);
  ck_assert_text(out, "gelu_vjp");
  free(out);
  free(err);
  OK(pmr_free(x));
  closed(c);
}
END_TEST

/* An input that is written in place is judged as it was. */
START_TEST(in_place_steps)
{
  static const float p[4] = {1, 2, 3, 4};
  pmr_context c = planted(), good = opened(2);
  pmr_tensor x = f32(c, p, 1, 4), g = f32(c, p, 1, 4), q = x;
  FAILS(PMR_DIVERGED, "sgd_step",
        pmr_call(c, "sgd_step", PMR_IN(x, g), PMR_ATTRS({"lr", 0.5}), &q, 1));
  OK(pmr_free(x));
  OK(pmr_free(g));
  x = f32(good, p, 1, 4), g = f32(good, p, 1, 4), q = x;
  OK(pmr_call(good, "sgd_step", PMR_IN(x, g), PMR_ATTRS({"lr", 0.5}), &q, 1));
  OK(pmr_free(x));
  OK(pmr_free(g));
  closed(c);
  closed(good);
}
END_TEST

START_TEST(chosen_steps)
{
  static const struct {
    pmr_shadow o;
    int64_t looked_at;
  } rows[] = {{{.every = 2}, 7},       {{.every = 1}, 15},
              {{.every = 100}, 0},     {{.ops = "  gelu  sum"}, 6},
              {{.ops = "sum_vjp"}, 3}, {{.ops = "gelu", .every = 2}, 1},
              {{.seconds = 1e-12}, 1}, {{.seconds = 1000}, 15}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    pmr_context c = opened(2);
    pmr_tensor x = ramp(c);
    pmr_shadow_report r;
    int line;
    OK(pmr_shadow_set(c, &rows[i].o));
    for (int k = 0; k < 3; k++) {
      OK(pass(c, x, &line));
      OK(pmr_zero_grad(x));
    }
    OK(pmr_shadow_about(c, &r));
    ck_assert_int_eq(r.steps, 15);
    ck_assert_msg(r.looked_at == rows[i].looked_at, "row %d: %d", (int)i, (int)r.looked_at);
    ck_assert_int_eq(r.diverged, 0);
    OK(pmr_free(x));
    closed(c);
  }
}
END_TEST

START_TEST(settings)
{
  static const struct {
    const char *said, *words;
  } bad[] = {{"every=-1", "every=-1"},
             {"every", "must be every=N"},
             {"sometimes=1", "must be every=N"},
             {"seconds=soon", "seconds=soon"},
             {"ops=gelu+mish", "'mish': there is no such op"},
             {"every=1,folder=it's", "must have no '"}};
  pmr_context c = opened(1), s = opened(2), none = NULL;
  pmr_shadow_report r;
  FAILS(PMR_INVALID, "back end sim has no shadow", pmr_shadow_about(c, &r));
  FAILS(PMR_INVALID, "back end sim has no shadow", pmr_shadow_set(c, &(pmr_shadow){0}));
  FAILS(PMR_INVALID, "every is -1", pmr_shadow_set(s, &(pmr_shadow){.every = -1}));
  FAILS(PMR_INVALID, "seconds is", pmr_shadow_set(s, &(pmr_shadow){.seconds = -1}));
  FAILS(PMR_INVALID, "seconds is", pmr_shadow_set(s, &(pmr_shadow){.seconds = NAN}));
  FAILS(PMR_INVALID, "'mish'", pmr_shadow_set(s, &(pmr_shadow){.ops = "gelu mish"}));
  FAILS(PMR_INVALID, "settings are NULL", pmr_shadow_set(s, NULL));
  FAILS(PMR_INVALID, "out is NULL", pmr_shadow_about(s, NULL));
  closed(c);
  closed(s);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    setenv("PROOFMARK_SHADOW", bad[i].said, 1);
    FAILS(PMR_INVALID, bad[i].words, pmr_open("shadow:sim", &none));
  }
  setenv("PROOFMARK_SHADOW", "every=2,ops=gelu+sum,seconds=100,go_on=1,folder=/nowhere", 1);
  s = planted();
  pmr_tensor x = ramp(s);
  int line;
  OK(pass(s, x, &line));
  OK(pass(s, x, &line));
  OK(pmr_shadow_about(s, &r));
  ck_assert_int_eq(r.looked_at, 2); /* sum is step 2, gelu step 6 */
  OK(pmr_shadow_set(s, &(pmr_shadow){.go_on = 1, .folder = "/nowhere"}));
  OK(pass(s, x, &line));
  OK(pmr_shadow_about(s, &r));
  ck_assert_int_eq(r.diverged, 1);
  ck_assert_text(r.first.replay, "could not be written to '/nowhere'");
  OK(pmr_free(x));
  closed(s);
}
END_TEST

/* A device as a GPU is one to the runtime: its memory is kept for the next tensor. */
static int given;
static void *counted(size_t bytes)
{
  given++;
  return pm_sim.alloc(bytes);
}

static void *spent(size_t bytes) { return given++ < 0 ? pm_sim.alloc(bytes) : NULL; }

START_TEST(kept_memory)
{
  pmr_context h = opened(1);
  context *c;
  int line, first = 0;
  faulty = pm_sim;
  faulty.rest = NULL;
  faulty.alloc = counted;
  given = 0;
  OK(in_begin(h, &c));
  c->device = &faulty;
  in_end(c, PMR_OK);
  pmr_tensor x = ramp(h);
  for (int i = 0; i < 4; i++) {
    OK(pass(h, x, &line));
    OK(pmr_zero_grad(x));
    first = i < 2 ? given : first; /* by then there was the most of it */
  }
  ck_assert_int_gt(first, 3);
  ck_assert_int_eq(given, first);
  /* what is kept is given back where the device has no more: and then there is some */
  pmr_buffer b = NULL, big = NULL;
  OK(pmr_buffer_new(h, PMR_F32, 1000, &b));
  OK(pmr_buffer_free(b));
  faulty.alloc = spent;
  given = -1; /* one more */
  OK(pmr_buffer_new(h, PMR_F32, 4000, &big));
  given = 0;
  FAILS(PMR_NO_MEMORY, "no memory on sim for 80000 bytes", pmr_buffer_new(h, PMR_F32, 20000, &b));
  OK(in_begin(h, &c));
  ck_assert_ptr_null(c->kept);
  in_end(c, PMR_OK);
  OK(pmr_buffer_free(big));
  OK(pmr_free(x));
  closed(h);
}
END_TEST

static pmr_status work(pmr_context c)
{
  static const float x0[4] = {1, 2, 3, 4};
  static const int64_t four = 4;
  pmr_tensor x = NULL, y = NULL;
  pmr_status s = pmr_shadow_set(c, &(pmr_shadow){.ops = "gelu", .folder = "."});
  s = s ? s : pmr_from_host(c, PMR_F32, 1, &four, x0, &x);
  s = s ? s : pmr_call(c, "gelu", PMR_IN(x), NULL, &y, 1);
  if ((x && pmr_release(x)) || (y && pmr_release(y)))
    return PMR_HANDLE;
  return s;
}

START_TEST(no_memory) { no_memory_anywhere(2, work); }
END_TEST

int main(void)
{
  Suite *s = suite_create("runtime_shadow");
  TCase *t = tcase_create("shadow");
  tcase_set_timeout(t, 60);
  suite_add_tcase(s, t);
  tcase_add_test(t, a_planted_fault_is_found);
  tcase_add_test(t, gone_on_and_replayed);
  tcase_add_test(t, in_place_steps);
  tcase_add_test(t, chosen_steps);
  tcase_add_test(t, settings);
  tcase_add_test(t, kept_memory);
  tcase_add_test(t, no_memory);
  return aid_main(s);
}
