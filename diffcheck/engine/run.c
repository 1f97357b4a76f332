/* Runs: many cases of an op, what they showed together, and the outcome. */
#include "engine.h"
#include "rows.h"
#include "types.h"

void dc_options_init(dc_options *o)
{
  *o = (dc_options){
      .seed = 1, .cases = 200, .large = 100, .limit_bytes = (size_t)4 << 30, .shrink_tries = 300};
  dc_fixed_init(&o->fixed);
}

static void begin(dc_result *r, const dc_op *op, const dc_options *o)
{
  const char *name[DC_VARIANTS] = {NULL};
  *r = (dc_result){.op = op};
  if (o->n_backends > 0 && o->n_backends <= DC_BACKENDS)
    r->n_variants = dc_variants(o, op, name);
  for (int i = 0; i < r->n_variants; i++)
    r->variant[i].variant = name[i];
  r->worst = (dc_worst){.output = -1, .index = -1, .ratio = -1};
  for (int k = 0; k <= DC_N_VALUES; k++)
    r->by_class[k].ratio = -1;
}

static void add_guards(dc_guards *to, const dc_guards *from)
{
  for (int k = 0; k < DC_N_NULLS; k++) {
    to->rejected[k] += from->rejected[k];
    to->accepted[k] += from->accepted[k];
    to->absent[k] += from->absent[k];
  }
}

static void add_class(dc_by_class *to, const dc_finding *f)
{
  to->cases++;
  to->failed += f->fault != DC_NO_FAULT;
  to->elements += f->verdict.elements;
  to->vacuous += f->verdict.vacuous;
  if (f->verdict.worst.output >= 0 && f->verdict.worst.ratio > to->ratio)
    to->ratio = f->verdict.worst.ratio;
}

static void add_finding(dc_result *r, const dc_case *c, const dc_finding *f)
{
  r->cases++;
  r->runs += f->runs;
  r->elements += f->verdict.elements;
  r->vacuous += f->verdict.vacuous;
  r->vacuous_cases += 2 * f->verdict.vacuous > f->verdict.elements;
  r->weak += f->weak;
  r->exact += f->exact;
  r->adjoint += f->adjoint;
  r->differences += f->differences;
  r->compared += f->compared;
  for (int i = 0, fours = dc_case_fours(c); i < r->n_variants; i++) {
    r->variant[i].cases += f->variants >> i & 1;
    r->variant[i].fours += fours && (f->variants >> i & 1);
  }
  add_guards(&r->guards, &f->guards);
  add_class(&r->by_class[dc_class_of(c)], f);
  if (f->verdict.worst.output >= 0 && f->verdict.worst.ratio > r->worst.ratio) {
    r->worst = f->verdict.worst;
    r->worst_case = *c;
  }
}

static dc_status known_variant(const dc_op *op, const dc_options *o, const char *variant,
                               dc_error *err)
{
  if (!variant[0])
    return DC_OK;
  for (int b = 0; b < o->n_backends; b++)
    for (int i = 0; i < o->backend[b]->n_kernels; i++)
      if (strcmp(o->backend[b]->kernels[i].op, op->name) == 0 &&
          strcmp(o->backend[b]->kernels[i].variant, variant) == 0)
        return DC_OK;
  return dc_fail(err, DC_INVALID, "variant: %s has no kernel called '%s'", op->name, variant);
}

static void add_failure(dc_lab *l, dc_result *r, const dc_case *c, const dc_finding *found)
{
  const int room = sizeof r->failure / sizeof *r->failure;
  r->failed++;
  if (r->n_failures == room)
    return;
  dc_failure *x = &r->failure[r->n_failures++];
  dc_finding f = *found;
  *x = (dc_failure){.c = *c, .found = *c, .found_output = -1};
  if (f.verdict.failed > 0) {
    x->found_around = f.around;
    x->found_output = f.verdict.worst.output;
  }
  if (l->o->shrink_tries > 0)
    x->tries = dc_shrink(l, &x->c, &f, l->o->shrink_tries);
  if (!x->c.variant[0])
    memcpy(x->c.variant, f.variant, sizeof x->c.variant);
  x->fault = f.fault;
  snprintf(x->backend, sizeof x->backend, "%s", f.backend);
  if (found->habit[0])
    snprintf(x->what, sizeof x->what, "%.100s; %.200s", f.what, found->habit);
  else
    snprintf(x->what, sizeof x->what, "%s", f.what);
  x->worst = f.verdict.worst;
  x->around = f.around;
  if (f.verdict.failed == 0) {
    x->worst.output = -1;
    x->around.rank = 0;
  }
}

static void conclude(dc_result *r)
{
  const int64_t judged = r->cases - r->failed;
  r->outcome = DC_PASS;
  if (r->failed || r->cases == 0) {
    r->outcome = DC_FAIL;
    if (r->cases == 0)
      snprintf(r->suspicion, sizeof r->suspicion, "no case was run");
  } else if (r->elements == 0) { /* nothing checked is nothing passed */
    r->outcome = DC_SUSPECT;
    snprintf(r->suspicion, sizeof r->suspicion,
             "no element was checked: no output of the %lld cases has any", (long long)r->cases);
  } else if (2 * r->vacuous_cases > judged) {
    r->outcome = DC_SUSPECT;
    snprintf(r->suspicion, sizeof r->suspicion,
             "%lld of %lld cases are mostly vacuous: the bound or the generator is wrong",
             (long long)r->vacuous_cases, (long long)judged);
  } else
    for (int k = 0; k < DC_N_NULLS; k++) {
      int hard = k == DC_NULL_ZERO || k == DC_NULL_NUDGE;
      if (r->guards.accepted[k] > (hard ? 0 : r->guards.rejected[k])) {
        r->outcome = DC_SUSPECT;
        snprintf(r->suspicion, sizeof r->suspicion,
                 "null guard: %s accepted %lld times, rejected %lld times",
                 dc_null_name((dc_null)k), (long long)r->guards.accepted[k],
                 (long long)r->guards.rejected[k]);
      }
    }
}

void dc_result_add(dc_result *to, const dc_result *from)
{
  const int room = sizeof to->failure / sizeof *to->failure;
  char why[DC_TEXT];
  to->cases += from->cases;
  to->failed += from->failed;
  to->runs += from->runs;
  to->elements += from->elements;
  to->vacuous += from->vacuous;
  to->vacuous_cases += from->vacuous_cases;
  to->weak += from->weak;
  to->exact += from->exact;
  to->adjoint += from->adjoint;
  to->differences += from->differences;
  to->compared += from->compared;
  to->seconds += from->seconds;
  add_guards(&to->guards, &from->guards);
  for (int k = 0; k <= DC_N_VALUES; k++) {
    dc_by_class *a = &to->by_class[k];
    const dc_by_class *b = &from->by_class[k];
    a->cases += b->cases;
    a->failed += b->failed;
    a->elements += b->elements;
    a->vacuous += b->vacuous;
    a->ratio = fmax(a->ratio, b->ratio);
  }
  for (int i = 0; i < from->n_variants; i++)
    for (int k = 0; k < to->n_variants; k++)
      if (strcmp(to->variant[k].variant, from->variant[i].variant) == 0) {
        to->variant[k].cases += from->variant[i].cases;
        to->variant[k].fours += from->variant[i].fours;
      }
  if (from->worst.output >= 0 && from->worst.ratio > to->worst.ratio) {
    to->worst = from->worst;
    to->worst_case = from->worst_case;
  }
  for (int k = 0; k < from->n_failures && to->n_failures < room; k++)
    to->failure[to->n_failures++] = from->failure[k];
  snprintf(why, sizeof why, "%s", to->cases ? "" : from->suspicion);
  to->suspicion[0] = 0;
  conclude(to);
  if (*why) /* whoever ran none says why */
    snprintf(to->suspicion, sizeof to->suspicion, "%s", why);
}

/* One case into the result. *ran: 0 where the one variant that was asked for is unsuited. */
static dc_status one_case(dc_lab *l, const dc_case *given, dc_result *r, int *ran, dc_error *err)
{
  dc_finding f;
  dc_case its = *given;
  const dc_case *c = &its;
  dc_status s = dc_types_take(its.op, l->o->foreign, its.type, err);
  if (!s)
    s = dc_gaps_take(its.op, l->o->foreign, 0, its.gap, err);
  if (!s)
    s = dc_check_case(l, c, 1, &f, err);
  if (s)
    return s;
  *ran = f.ran > 0 || f.fault != DC_NO_FAULT;
  if (!*ran)
    return DC_OK;
  add_finding(r, c, &f);
  if (f.fault != DC_NO_FAULT)
    add_failure(l, r, c, &f);
  return DC_OK;
}

dc_status dc_run(const dc_op *op, const dc_options *o, dc_result *out, dc_error *err)
{
  dc_lab l;
  double start = dc_now();
  int most = o->max_failures > 0 ? o->max_failures : 1, ran;
  begin(out, op, o);
  dc_status s = known_variant(op, o, o->fixed.variant, err);
  if (!s)
    s = dc_lab_open(&l, o, err);
  if (s)
    return s;
  for (int64_t i = 0; i < o->cases && !s && out->failed < most; i++) {
    dc_case c;
    if (o->seconds > 0 && dc_now() - start > o->seconds)
      break;
    dc_case_aim(&c, op, o, o->first + i);
    s = one_case(&l, &c, out, &ran, err);
    out->seconds = dc_now() - start;
    if (!s && o->progress && o->progress(o->arg, out, &c))
      s = dc_fail(err, DC_STOPPED, "%s: stopped after %lld cases", op->name, (long long)out->cases);
  }
  dc_status closed = dc_lab_close(&l, s ? NULL : err);
  conclude(out);
  if (o->foreign && out->cases == 0)
    snprintf(
        out->suspicion, sizeof out->suspicion,
        "no case was run: none that was drawn is one that the kernel takes, as --where and the "
        "call say; --set fixes sizes");
  return s ? s : closed;
}

dc_status dc_run_case(const dc_case *c, const dc_options *o, dc_result *out, dc_error *err)
{
  dc_lab l;
  double start = dc_now();
  int ran = 0;
  begin(out, c->op, o);
  dc_status s = known_variant(c->op, o, c->variant, err);
  if (!s)
    s = dc_lab_open(&l, o, err);
  if (s)
    return s;
  s = one_case(&l, c, out, &ran, err);
  dc_status closed = dc_lab_close(&l, s ? NULL : err);
  if (!s)
    s = closed;
  out->seconds = dc_now() - start;
  conclude(out);
  if (!s && !ran)
    snprintf(out->suspicion, sizeof out->suspicion, "variant %s cannot run on this case",
             c->variant);
  return s;
}
