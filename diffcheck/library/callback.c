/* The caller's kernel as one that the engine runs: its memory is the host's, and a launch is a call. */
#include <stdbool.h>

#include "../engine/arith.h"
#include "../engine/host.h"
#include "../engine/rows.h"
#include "../engine/types.h"
#include "../files/replay.h"
#include "../report/report.h"
#include "inside.h"

#define NAME "kernel" /* of the one row of its table */

typedef struct callback {
  dc_foreign f;
  pm_backend b;
  pm_kernel row;
  dcl_kernel kernel;
  int (*takes)(void *user, const dcl_call *call);
  void *user;
  int op;
} callback;

static _Thread_local char trouble[DC_TEXT]; /* of the last call: a back end is told of no kernel */

static const char *error(void) { return trouble; }

static void declare(const int64_t *size, pm_arith *out)
{
  (void)size, (void)out; /* options.arith says what there is to say */
}

typedef struct tensors {
  dcl_buffer t[DC_TENSORS];
} tensors;

/* The call at these sizes and attributes; at: where its tensors are, or NULL. */
static dcl_call call_of(const callback *x, const int64_t *size, const double *attr, int accumulate,
                        const int *gap, void *const *at, tensors *room)
{
  const dc_op *op = x->f.op;
  const dc_case c = {.op = op};
  for (int t = 0; t < op->n_in + op->n_out; t++) {
    dcl_buffer *b = &room->t[t];
    const dc_type type = x->f.type[t] ? (dc_type)x->f.type[t] : dc_type_of(&c, t);
    b->dtype = lib_type(type);
    b->rank = dc_shape(op, t, size, attr, b->shape);
    b->elements = dc_count(op, t, size, attr);
    b->stride = b->rank == 2 ? b->shape[1] + gap[t] : 0;
    b->data = at ? at[t] : NULL;
  }
  return (dcl_call){.op = x->op,
                    .n_in = op->n_in,
                    .n_out = op->n_out,
                    .size = size,
                    .attr = attr,
                    .accumulate = accumulate,
                    .in = room->t,
                    .out = room->t + op->n_in};
}

static int suits(const dc_foreign *f, const dc_case *c)
{
  const callback *x = f->self;
  tensors room;
  const dcl_call call = call_of(x, c->size, c->attr, c->accumulate, c->gap, NULL, &room);
  return !x->takes || x->takes(x->user, &call) != 0;
}

static size_t workspace(const dc_foreign *f, const dc_case *c)
{
  (void)f, (void)c; /* it has its own */
  return 0;
}

static pm_status launch(const dc_foreign *f, const pm_backend *b, pm_exec *ex, const dc_args *a)
{
  const callback *x = f->self;
  tensors room;
  const dcl_call call = call_of(x, a->size, a->attr, a->accumulate, a->gap, a->t, &room);
  (void)b;
  ex->ran = x->row.variant;
  const int status = x->kernel(x->user, &call);
  if (status)
    snprintf(trouble, sizeof trouble, "the kernel returned %d, where 0 says that all is well",
             status);
  return status ? PM_BAD_ARGUMENT : PM_OK;
}

/* Its inner pointers make it stay where it is. */
static void wrap(callback *x, const dc_op *op, const dcl_options *o, dcl_kernel kernel, void *user)
{
  x->kernel = kernel;
  x->takes = o->takes;
  x->user = user;
  for (x->op = 0; dc_op_at(x->op) != op;)
    x->op++;
  x->row = (pm_kernel){
      .op = op->name, .variant = NAME, .when = "any", .level = PM_CHECKED, .declare = declare};
  x->b = host_memory;
  x->b.kernels = &x->row;
  x->b.n_kernels = 1;
  x->b.error = error;
  x->f = (dc_foreign){.op = op,
                      .b = &x->b,
                      .accumulate = -1, /* it is told */
                      .unordered = o->unordered != 0,
                      .self = x,
                      .suits = suits,
                      .workspace = workspace,
                      .launch = launch};
  for (int k = 0; k < DC_OUTPUTS; k++)
    x->f.place[k] = -1;
}

/* ---- one run ---- */

typedef struct run {
  const dcl_options *o;
  callback x;
  dc_options options;
  dc_arith means;
  dc_case one; /* of options.line */
  dc_result now, all;
  int64_t skipped;
  dcl_report report;
} run;

static dcl_status check_options(const dc_op *op, const dcl_options *o, dcl_kernel kernel)
{
  if (!kernel)
    return lib_fail(DCL_INVALID, "%s: kernel: none is given", op->name);
  if (o->cases < 1)
    return lib_fail(DCL_INVALID, "cases %lld: must be 1 or more", (long long)o->cases);
  if (o->first < 0 || o->first > INT64_MAX - o->cases)
    return lib_fail(DCL_INVALID, "first %lld: must not be negative, nor past the last number",
                    (long long)o->first);
  if (o->failures < 1)
    return lib_fail(DCL_INVALID, "failures %d: must be 1 or more", o->failures);
  if (o->tries < 0)
    return lib_fail(DCL_INVALID, "tries %d: must not be negative", o->tries);
  if (!(o->seconds >= 0))
    return lib_fail(DCL_INVALID, "seconds %g: must not be negative", o->seconds);
  if (o->line && o->fixed && o->fixed[0])
    return lib_fail(DCL_INVALID, "fixed: says how to draw, and line is a case that is drawn");
  return DCL_OK;
}

/* What is fixed, or the one case; and the arithmetic. */
static dcl_status prepare(run *r, const dc_op *op)
{
  const dcl_options *o = r->o;
  dc_error err = {""};
  dc_options_init(&r->options);
  dc_status s =
      o->line ? replay_read(o->line, &r->one, NULL, &err)
              : replay_fix("fixed", o->fixed ? o->fixed : "", op, &r->options.fixed, NULL, &err);
  if (!s && r->options.fixed.variant[0])
    return lib_fail(DCL_INVALID, "fixed: variant=%s: a kernel of the caller's has no variants",
                    r->options.fixed.variant);
  if (!s && o->line && r->one.op != op)
    return lib_fail(DCL_INVALID, "line: is a case of %s, not of %s", r->one.op->name, op->name);
  if (!s)
    s = dc_arith_read("arith", o->arith ? o->arith : "", "cuda", &r->means, &err);
  if (s)
    return lib_passed_on(s, err.text);
  r->options.backend[0] = &r->x.b;
  r->options.n_backends = 1;
  r->options.limit_bytes = LIB_LIMIT;
  r->options.shrink_tries = o->tries;
  r->options.foreign = &r->x.f;
  r->options.arith = &r->means;
  const int *gap = o->line ? r->one.gap : r->options.fixed.gap;
  r->x.f.strided = r->options.fixed.strided;
  for (int t = 0; t < DC_TENSORS; t++)
    r->x.f.strided |= (unsigned)(gap[t] > 0) << t;
  memcpy(r->x.f.type, o->line ? r->one.type : r->options.fixed.type, sizeof r->x.f.type);
  return DCL_OK;
}

static void add(run *r)
{
  if (r->now.cases == 0)
    r->skipped++;
  else if (r->all.cases == 0)
    r->all = r->now;
  else
    dc_result_add(&r->all, &r->now);
}

static dcl_status all_cases(run *r, const dc_op *op)
{
  dc_error err = {""};
  dc_case c = r->one;
  dc_status s = DC_OK;
  const double start = dc_now();
  const int64_t n = r->o->line ? 1 : r->o->cases;
  for (int64_t i = 0; i < n && !s && r->all.failed < r->o->failures; i++) {
    if (i > 0 && r->o->seconds > 0 && dc_now() - start > r->o->seconds)
      break;
    if (!r->o->line)
      dc_case_draw(&c, op, &r->options.fixed, r->o->seed, r->o->first + i, LIB_LARGE);
    c.variant[0] = 0; /* there is but one */
    s = dc_run_case(&c, &r->options, &r->now, &err);
    if (!s)
      add(r);
  }
  return lib_passed_on(s, err.text);
}

/* ---- what it showed ---- */

static void tell_failure(const dc_failure *from, dcl_failure *to)
{
  char element[REPORT_TEXT], what[sizeof to->what];
  dc_case c = from->c, found = from->found;
  c.variant[0] = found.variant[0] = 0;
  to->kind = dc_fault_name(from->fault);
  replay_write(&c, to->line);
  replay_write(&found, to->found);
  report_element(from, element);
  snprintf(what, sizeof what, "%s%s%.800s", from->what, element[0] ? ": " : "", element);
  memcpy(to->what, what, sizeof what); /* apart: *from and *to are of one struct */
}

static void in_words(dcl_report *x, const char *op)
{
  FILE *f = fmemopen(x->text, sizeof x->text, "w");
  x->text[0] = '\0';
  if (!f)
    return;
  fprintf(f, "%s: %s\n", op, report_verdict((dc_outcome)x->outcome));
  fprintf(f, "%lld cases, %lld not taken, %lld runs, %lld elements", (long long)x->cases,
          (long long)x->skipped, (long long)x->runs, (long long)x->elements);
  if (x->worst >= 0)
    fprintf(f, ", error/bound at most %.3g", x->worst);
  fputc('\n', f);
  for (int i = 0; i < x->n_failures; i++)
    fprintf(f, "%s: %s\n  %s\n", x->failure[i].kind, x->failure[i].what, x->failure[i].line);
  if (x->failed > x->n_failures)
    fprintf(f, "and %lld more failing cases\n", (long long)(x->failed - x->n_failures));
  if (x->why[0])
    fprintf(f, "%s\n", x->why);
  fclose(f); /* what does not fit is left out: the text is cut */
  x->text[sizeof x->text - 1] = '\0';
}

static void tell(run *r, const dc_op *op)
{
  dcl_report *x = &r->report;
  const dc_result *all = &r->all;
  *x = (dcl_report){.outcome = all->cases ? (dcl_outcome)all->outcome : DCL_FAIL,
                    .cases = all->cases,
                    .skipped = r->skipped,
                    .failed = all->failed,
                    .runs = all->runs,
                    .elements = all->elements,
                    .vacuous = all->vacuous,
                    .worst = -1};
  if (all->cases && all->worst.output >= 0) {
    dc_case c = all->worst_case;
    c.variant[0] = 0;
    x->worst = all->worst.ratio;
    replay_write(&c, x->worst_line);
  }
  for (; x->n_failures < all->n_failures && x->n_failures < DCL_FAILURES; x->n_failures++)
    tell_failure(&all->failure[x->n_failures], &x->failure[x->n_failures]);
  snprintf(x->why, sizeof x->why, "%s",
           all->cases ? all->suspicion
                      : "no case was run: takes refused all that were drawn; fixed can name sizes");
  in_words(x, op->name);
}

void dcl_usual(dcl_options *out)
{
  *out = (dcl_options){.seed = 1, .cases = 200, .failures = 1, .tries = 300};
}

dcl_status dcl_run(const char *name, const dcl_options *options, dcl_kernel kernel, void *user,
                   dcl_report *out)
{
  dcl_options usual;
  const dc_op *op = lib_op(name);
  if (!op)
    return DCL_INVALID;
  dcl_usual(&usual);
  const dcl_options *o = options ? options : &usual;
  dcl_status s = check_options(op, o, kernel);
  if (s)
    return s;
  run *r = calloc(1, sizeof *r);
  if (!r)
    return lib_fail(DCL_NO_MEMORY, "no memory for a run");
  r->o = o;
  wrap(&r->x, op, o, kernel, user);
  s = prepare(r, op);
  if (!s)
    s = all_cases(r, op);
  if (!s) {
    tell(r, op);
    *out = r->report;
  }
  free(r);
  return s;
}
