/* The engine against a back end with one planted fault at a time: each is seen, named, shrunk to
 * the smallest case and replayed. An honest back end passes. */
#include "helpers.h"

#include <math.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"
#include "../diffcheck/files/replay.h"
#include "fake_backend.h"

static dc_options options(fake_fault fault)
{
  dc_options o;
  dc_options_init(&o);
  o.backend[0] = fake_backend(0, fault);
  o.n_backends = 1;
  o.cases = 200;
  o.large = 0;
  return o;
}

static const struct {
  const char *op;
  fake_fault plant;
  dc_fault seen;
  const char *what; /* words of the report */
} FAULTS[] = {
    {"add", FAKE_LAST_BIT, DC_BITS_DIFFER, "y"},
    {"add", FAKE_NAN_LOST, DC_KIND_DIFFERS, "y"},
    {"add", FAKE_MISALIGNED, DC_BITS_DIFFER, "y"},
    {"add", FAKE_WRITES_PAST, DC_RED_ZONE, "past the end of y"},
    {"add", FAKE_WRITES_BEFORE, DC_RED_ZONE, "before the start of y"},
    {"add", FAKE_CHANGES_INPUT, DC_INPUT_CHANGED, "input b was changed at element 0"},
    {"add", FAKE_READS_OUTPUT, DC_STALE, "what memory held before"},
    {"add", FAKE_READS_WORK, DC_STALE, "what memory held before"},
    {"add", FAKE_UNORDERED, DC_UNORDERED, "another schedule"},
    {"add", FAKE_REFUSES, DC_LAUNCH, "the fake says no"},
    {"add", FAKE_NAMELESS, DC_LAUNCH, "no row in the table"},
    {"add", FAKE_SYNC_FAILS, DC_LAUNCH, "the fake says no"},
    {"add", FAKE_RACES, DC_LAUNCH, "the fake says no"},
    {"add", FAKE_UPLOAD_FAILS, DC_LAUNCH, "upload"},
    {"add", FAKE_DOWNLOAD_FAILS, DC_LAUNCH, "download"},
    {"add", FAKE_NO_MEMORY, DC_LAUNCH, "no memory"},
    {"add", FAKE_UNSUITED, DC_NO_VARIANT, "no variant"},
    {"add_vjp", FAKE_ASSIGNS, DC_BITS_DIFFER, "d"},
    {"add_bias", FAKE_CORNER, DC_BITS_DIFFER, "y"},
    {"sum", FAKE_LAST_TERM, DC_BOUND_EXCEEDED, "y"},
    {"sum", FAKE_NAN, DC_KIND_DIFFERS, "y"},
    {"transpose2d_vjp", FAKE_TRANSPOSES_NOT, DC_ADJOINT, "<y, g>"},
};

START_TEST(planted_fault_is_seen)
{
  dc_options o = options(FAULTS[_i].plant);
  dc_result r = aid_result(FAULTS[_i].op, &o);
  ck_assert_int_eq(r.outcome, DC_FAIL);
  ck_assert_int_eq(r.failed, 1);
  ck_assert_int_eq(r.n_failures, 1);
  const dc_failure *f = &r.failure[0];
  int element = FAULTS[_i].seen == DC_BITS_DIFFER || FAULTS[_i].seen == DC_BOUND_EXCEEDED ||
                FAULTS[_i].seen == DC_KIND_DIFFERS;
  /* a wrong element of integers is a wrong bit, whatever it was found as */
  if (element)
    ck_assert(f->fault == DC_BITS_DIFFER || f->fault == DC_BOUND_EXCEEDED ||
              f->fault == DC_KIND_DIFFERS);
  else
    ck_assert_msg(f->fault == FAULTS[_i].seen, "seen as %s: %s", dc_fault_name(f->fault), f->what);
  ck_assert_text(f->what, FAULTS[_i].what);
  ck_assert_str_eq(f->backend, "fake");
  ck_assert_int_eq(f->worst.output >= 0, element);
  ck_assert_int_gt(f->tries, 0);

  /* what the replay line says fails again, in the same way */
  dc_result again;
  dc_error err = {""};
  ck_assert_int_eq(dc_run_case(&f->c, &o, &again, &err), DC_OK);
  ck_assert_int_eq(again.outcome, DC_FAIL);
  ck_assert_int_eq(again.failure[0].fault, f->fault);
  ck_assert_int_eq(dc_run_case(&f->found, &o, &again, &err), DC_OK);
  ck_assert_int_eq(again.outcome, DC_FAIL);

  /* and passes once the fault is gone */
  o = options(FAKE_HONEST);
  ck_assert_int_eq(dc_run_case(&f->c, &o, &again, &err), DC_OK);
  ck_assert_int_ne(again.outcome, DC_FAIL);
  ck_assert_int_eq(again.failed, 0);
}
END_TEST

START_TEST(honest_back_end_passes)
{
  static const char *const ops[] = {"add", "add_vjp",     "add_bias",
                                    "sum", "transpose2d", "transpose2d_vjp"};
  for (int i = 0; i < 6; i++) {
    dc_options o = options(FAKE_HONEST);
    dc_result r = aid_result(ops[i], &o);
    ck_assert_msg(r.outcome == DC_PASS, "%s: %s%s", ops[i], r.suspicion, r.failure[0].what);
    ck_assert_int_eq(r.cases, 200);
    ck_assert_int_eq(r.failed, 0);
    ck_assert_int_eq(r.n_failures, 0);
    ck_assert_int_ge(r.runs, 600); /* three of each case */
    ck_assert_int_ge(r.elements, 200);
    ck_assert_int_lt(r.vacuous, r.elements / 2);
    ck_assert_int_gt(r.exact, 0);
    ck_assert_int_gt(r.guards.rejected[DC_NULL_ZERO], 50);
    ck_assert_int_gt(r.guards.rejected[DC_NULL_NUDGE], 100);
    ck_assert_int_eq(r.guards.accepted[DC_NULL_NUDGE], 0);
    ck_assert(r.worst.ratio <= 1);
    ck_assert_int_eq(strncmp(r.op->name, ops[i], 32), 0);
  }
}
END_TEST

/* The smallest case, in every field. */
START_TEST(shrinks_to_the_smallest_sum)
{
  dc_options o = options(FAKE_LAST_TERM);
  dc_result r = aid_result("sum", &o);
  const dc_case *c = &r.failure[0].c;
  ck_assert_int_eq(c->size[0], 6);
  ck_assert_int_eq(c->values, DC_ONES);
  ck_assert_int_eq(c->misaligned, 0);
  ck_assert_int_eq(c->keep_lo[0], 5);
  ck_assert_int_eq(c->keep_hi[0], 6);
  ck_assert_str_eq(c->variant, "plain");
  ck_assert_int_eq(r.failure[0].worst.index, 0);
  ck_assert_double_eq(r.failure[0].worst.want, 1);
  ck_assert_double_eq(r.failure[0].worst.got, 0);
}
END_TEST

START_TEST(shrinks_both_dims)
{
  dc_options o = options(FAKE_CORNER);
  dc_result r = aid_result("add_bias", &o);
  const dc_failure *f = &r.failure[0];
  ck_assert_int_eq(f->c.size[0], 3);
  ck_assert_int_eq(f->c.size[1], 4);
  ck_assert_int_eq(f->worst.index, 2 * 4 + 3);
  ck_assert_double_eq(f->worst.err, 1);
  ck_assert_int_gt(f->found.size[0] * f->found.size[1], 12);
}
END_TEST

START_TEST(shrinks_flags)
{
  dc_options o = options(FAKE_MISALIGNED);
  dc_result r = aid_result("add", &o);
  ck_assert_int_eq(r.failure[0].c.size[0], 1);
  ck_assert_int_eq(r.failure[0].c.misaligned, 1); /* a alone, which the fault needs */
  o = options(FAKE_ASSIGNS);
  r = aid_result("add_vjp", &o);
  ck_assert_int_eq(r.failure[0].c.size[0], 1);
  ck_assert_int_eq(r.failure[0].c.accumulate, 1);
  ck_assert_int_eq(r.failure[0].c.misaligned, 0);
}
END_TEST

START_TEST(no_tries_no_shrinking)
{
  dc_options o = options(FAKE_LAST_TERM);
  o.shrink_tries = 0;
  dc_result r = aid_result("sum", &o);
  ck_assert_int_eq(r.failure[0].tries, 0);
  ck_assert_int_eq(r.failure[0].c.size[0], r.failure[0].found.size[0]);
  ck_assert_int_ge(r.failure[0].c.size[0], 6);
  ck_assert_int_eq(r.failure[0].c.seed, r.failure[0].found.seed);
}
END_TEST

START_TEST(failures_are_counted_up_to_the_limit)
{
  dc_options o = options(FAKE_LAST_TERM);
  o.max_failures = 6;
  o.shrink_tries = 0;
  dc_result r = aid_result("sum", &o);
  ck_assert_int_eq(r.failed, 6);
  ck_assert_int_eq(r.n_failures, 4); /* as many as are kept */
  ck_assert_int_gt(r.cases, 6);
  ck_assert_int_lt(r.cases, 200);
}
END_TEST

START_TEST(back_ends_are_compared_bit_by_bit)
{
  dc_options o = options(FAKE_HONEST);
  o.n_backends = 2;
  o.backend[1] = fake_backend(1, FAKE_HONEST);
  dc_result r = aid_result("sum", &o);
  ck_assert_int_eq(r.outcome, DC_PASS);
  ck_assert_int_ge(r.compared, 200);
  o.backend[1] = fake_backend(1, FAKE_OTHER_ORDER); /* within every bound, but not the same */
  r = aid_result("sum", &o);
  ck_assert_int_eq(r.outcome, DC_FAIL);
  ck_assert_int_eq(r.failure[0].fault, DC_BACKENDS_DIFFER);
  ck_assert_text(r.failure[0].backend, "fake/");
  o.fixed.values = DC_INTEGERS;                   /* a lost term is beyond every bound */
  o.backend[1] = fake_backend(1, FAKE_LAST_TERM); /* the second is judged as the first is */
  r = aid_result("sum", &o);
  ck_assert_int_eq(r.failure[0].fault != DC_BACKENDS_DIFFER, 1);
  ck_assert_str_eq(r.failure[0].backend, "other");
}
END_TEST

/* ---- what is not a fault of a kernel ---- */

START_TEST(no_case_is_a_failure)
{
  dc_options o = options(FAKE_HONEST);
  o.cases = 0;
  dc_result r = aid_result("add", &o);
  ck_assert_int_eq(r.outcome, DC_FAIL);
  ck_assert_int_eq(r.failed, 0);
  ck_assert_text(r.suspicion, "no case");
}
END_TEST

static int stop_at_7(void *arg, const dc_result *so_far, const dc_case *last)
{
  ck_assert_ptr_eq(last->op, so_far->op);
  *(int64_t *)arg = so_far->cases;
  return so_far->cases == 7;
}

START_TEST(progress_can_stop_a_run)
{
  dc_options o = options(FAKE_HONEST);
  dc_result r;
  dc_error err = {""};
  int64_t seen = 0;
  o.progress = stop_at_7;
  o.arg = &seen;
  ck_assert_int_eq(dc_run(dc_op_find("add"), &o, &r, &err), DC_STOPPED);
  ck_assert_int_eq(seen, 7);
  ck_assert_int_eq(r.cases, 7);
  ck_assert_text(err.text, "7");
}
END_TEST

START_TEST(time_limit)
{
  dc_options o = options(FAKE_HONEST);
  o.cases = 1000000000;
  o.seconds = 0.2;
  double start = dc_now();
  dc_result r = aid_result("add", &o);
  ck_assert(dc_now() - start < 20);
  ck_assert_int_gt(r.cases, 0);
  ck_assert_int_lt(r.cases, 1000000000);
}
END_TEST

START_TEST(harness_errors)
{
  dc_options o = options(FAKE_HONEST);
  dc_result r;
  dc_error err = {""};
  o.n_backends = 0;
  ck_assert_int_eq(dc_run(dc_op_find("add"), &o, &r, &err), DC_INVALID);
  ck_assert_text(err.text, "back ends");
  o.n_backends = DC_BACKENDS + 1;
  ck_assert_int_eq(dc_run(dc_op_find("add"), &o, &r, &err), DC_INVALID);
  o.n_backends = 1;
  strcpy(o.fixed.variant, "absent");
  ck_assert_int_eq(dc_run(dc_op_find("add"), &o, &r, &err), DC_INVALID);
  ck_assert_text(err.text, "absent");
  o = options(FAKE_HONEST);
  o.limit_bytes = 1;
  ck_assert_int_eq(dc_run(dc_op_find("add"), &o, &r, &err), DC_TOO_BIG);
  ck_assert_text(err.text, "limit");
  ck_assert_int_eq(dc_run(dc_op_find("add"), &o, &r, NULL), DC_TOO_BIG); /* no words wanted */
}
END_TEST

/* ---- an op whose reference or bound is wrong: the checker checks itself ---- */

static dc_glue other_glue;
static dc_op other_op;

static const dc_op *op_with(const char *name)
{
  other_op = *dc_op_find(name);
  other_glue = *other_op.glue;
  other_op.glue = &other_glue;
  return &other_op;
}

static const dc_glue *real_glue;
static double factor;

static void scaled_reference(const dc_call *c, double *const *y)
{
  real_glue->reference(c, y);
  y[0][0] *= factor;
}

START_TEST(wrong_vjp_formula_is_seen)
{
  static const char *const ops[] = {"add_vjp",    "gelu_vjp",        "add_bias_vjp",
                                    "sum_vjp",    "softmax_vjp",     "transpose2d_vjp",
                                    "matmul_vjp", "gather_rows_vjp", "scatter_add_rows_vjp"};
  for (int i = 0; i < 9; i++)
    for (int wrong = 0; wrong < 2; wrong++) {
      const dc_op *op = op_with(ops[i]);
      dc_case c;
      dc_problem p;
      dc_error err = {""};
      dc_finding f = {.fault = DC_NO_FAULT};
      real_glue = dc_op_find(ops[i])->glue;
      factor = wrong ? 1 + 1e-3 : 1;
      other_glue.reference = scaled_reference;
      dc_case_init(&c, op);
      for (int d = 0; d < op->n_dims; d++)
        c.size[d] = 3 + d;
      ck_assert_msg(dc_problem_make(&p, &c, &err) == DC_OK, "%s", err.text);
      ck_assert_int_eq(dc_check_difference(&p, &f, &err), DC_OK);
      ck_assert_int_eq(f.differences, 1);
      ck_assert_msg((f.fault == DC_DIFFERENCE) == wrong, "%s, %s formula: %s %s", ops[i],
                    wrong ? "wrong" : "right", dc_fault_name(f.fault), f.what);
      dc_problem_free(&p);
    }
}
END_TEST

/* The maximum of a window all of whose cells are padding is -Inf whatever x is: it has no part in the quotient. */
START_TEST(differences_at_what_is_infinite)
{
  dc_error note = {""}, err = {""};
  dc_finding f = {.fault = DC_NO_FAULT};
  dc_problem p;
  dc_case c;
  ck_assert_int_eq(replay_read("max_pool_vjp n0=2 k0=2 rank=1 p0=1 d0=3 seed=1", &c, &note, &err),
                   DC_OK);
  ck_assert_msg(dc_problem_make(&p, &c, &err) == DC_OK, "%s", err.text);
  ck_assert_int_eq(dc_check_difference(&p, &f, &err), DC_OK);
  ck_assert_int_eq(f.differences, 1);
  ck_assert_msg(f.fault == DC_NO_FAULT, "%s", f.what);
  dc_problem_free(&p);
}
END_TEST

/* Right in memory of its own, wrong where y is a; which an op that allows it is tried with. */
START_TEST(fault_in_place_is_seen)
{
  dc_options o = options(FAKE_CLEARS_FIRST);
  dc_result r;
  dc_error err = {""};
  const dc_op *op = op_with("add");
  ck_assert_int_eq(dc_run(op, &o, &r, &err), DC_OK);
  ck_assert_int_eq(r.outcome, DC_PASS);
  other_glue.replaces[0] = 1;
  ck_assert_int_eq(dc_run(op, &o, &r, &err), DC_OK);
  ck_assert_int_eq(r.outcome, DC_FAIL);
  ck_assert_int_eq(r.failure[0].fault, DC_IN_PLACE);
  ck_assert_text(r.failure[0].what, "in place");
  o = options(FAKE_HONEST);
  ck_assert_int_eq(dc_run(op, &o, &r, &err), DC_OK);
  ck_assert_int_eq(r.outcome, DC_PASS);
  ck_assert_int_ge(r.runs, 800); /* four of each case */
}
END_TEST

static double width;

static void wide_bound(const dc_call *c, arith A, double *const *e)
{
  double v[2], *y[DC_OUTPUTS] = {&v[0], &v[1]};
  real_glue->reference(c, y);
  e[0][0] = A.u == 0x1p-24 ? width * fabs(v[0]) : 0; /* the kernel's, or the reference's own */
}

START_TEST(wide_bound_is_suspect)
{
  static const double widths[] = {INFINITY, 2};
  for (int i = 0; i < 2; i++) {
    dc_options o = options(FAKE_HONEST);
    dc_result r;
    dc_error err = {""};
    const dc_op *op = op_with("sum");
    real_glue = dc_op_find("sum")->glue;
    width = widths[i];
    other_glue.bound = wide_bound;
    other_glue.linear = 0; /* no integer tier, which needs no bound */
    o.fixed.values = DC_UNIFORM;
    ck_assert_int_eq(dc_run(op, &o, &r, &err), DC_OK);
    ck_assert_int_eq(r.failed, 0);
    ck_assert_msg(r.outcome == DC_SUSPECT, "bound of %g |v|: outcome %d", width, r.outcome);
    ck_assert_int_ne(r.suspicion[0], 0);
    ck_assert_int_gt(r.vacuous_cases, 100);
  }
}
END_TEST

/* Not vacuous, but now and then half a sum gets through: said, case by case. */
START_TEST(weak_bound_is_counted)
{
  dc_options o = options(FAKE_HONEST);
  dc_result r;
  dc_error err = {""};
  const dc_op *op = op_with("sum");
  real_glue = dc_op_find("sum")->glue;
  width = 0.45;
  other_glue.bound = wide_bound;
  other_glue.linear = 0;
  o.fixed.values = DC_UNIFORM;
  ck_assert_int_eq(dc_run(op, &o, &r, &err), DC_OK);
  ck_assert_int_gt(r.weak, 10);
  ck_assert_int_gt(r.guards.accepted[DC_NULL_HALF], 10);
  ck_assert_int_eq(r.guards.accepted[DC_NULL_ZERO], 0);
}
END_TEST

START_TEST(nan_bound_is_no_pass)
{
  dc_options o = options(FAKE_HONEST);
  dc_result r;
  dc_error err = {""};
  const dc_op *op = op_with("sum");
  real_glue = dc_op_find("sum")->glue;
  width = NAN;
  other_glue.bound = wide_bound;
  other_glue.linear = 0;
  ck_assert_int_eq(dc_run(op, &o, &r, &err), DC_OK);
  ck_assert_int_eq(r.outcome, DC_SUSPECT);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("engine");
  TCase *t = tcase_create("faults");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, planted_fault_is_seen, 0, (int)(sizeof FAULTS / sizeof *FAULTS));
  tcase_add_test(t, honest_back_end_passes);
  tcase_add_test(t, shrinks_to_the_smallest_sum);
  tcase_add_test(t, shrinks_both_dims);
  tcase_add_test(t, shrinks_flags);
  tcase_add_test(t, no_tries_no_shrinking);
  tcase_add_test(t, failures_are_counted_up_to_the_limit);
  tcase_add_test(t, back_ends_are_compared_bit_by_bit);
  t = tcase_create("harness");
  suite_add_tcase(s, t);
  tcase_add_test(t, no_case_is_a_failure);
  tcase_add_test(t, progress_can_stop_a_run);
  tcase_add_test(t, time_limit);
  tcase_add_test(t, harness_errors);
  tcase_add_test(t, wrong_vjp_formula_is_seen);
  tcase_add_test(t, differences_at_what_is_infinite);
  tcase_add_test(t, wide_bound_is_suspect);
  tcase_add_test(t, fault_in_place_is_seen);
  tcase_add_test(t, weak_bound_is_counted);
  tcase_add_test(t, nan_bound_is_no_pass);
  return aid_main(s);
}
