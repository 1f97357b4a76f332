/* JSON lines: one object at the start, one an op as it finishes, one at the end. Numbers that JSON
 * has no form for (NaN, infinities) and 64-bit seeds are strings. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "../files/replay.h"
#include "report.h"

static json_t *real(double x)
{
  return isfinite(x) ? json_real(x) : json_string(isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
}

static json_t *seed(uint64_t x) { return json_sprintf("%" PRIu64, x); }

static json_t *worst(const dc_op *op, const dc_worst *w)
{
  if (w->output < 0)
    return json_null();
  return json_pack("{s:s, s:I, s:o, s:o, s:o, s:o, s:o}", "output",
                   op->tensor[op->n_in + w->output].name, "index", (json_int_t)w->index, "want",
                   real(w->want), "got", real(w->got), "err", real(w->err), "bound", real(w->bound),
                   "ratio", real(w->ratio));
}

static void line(const report *r, json_t *object)
{
  char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
  if (text)
    fprintf(r->out, "%s\n", text);
  else
    fputs("{\"event\":\"error\",\"message\":\"no memory\"}\n", r->out);
  fflush(r->out);
  free(text);
  json_decref(object);
}

static json_t *near(const dc_near *x)
{
  if (x->at < 0)
    return json_null();
  return json_pack("[I, o, o, o, b]", (json_int_t)x->at, real(x->want), real(x->got),
                   real(x->bound), x->wrong);
}

/* By axis: the elements before it, itself and those behind, null where there is none. */
static json_t *around(const dc_around *a)
{
  json_t *axes = json_array();
  for (int d = 0; d < a->rank; d++) {
    json_t *axis = json_array();
    for (int k = 0; k <= 2 * DC_REACH; k++)
      json_array_append_new(axis, near(&a->near[d][k]));
    json_array_append_new(axes, axis);
  }
  return axes;
}

static json_t *by_class(const dc_result *x)
{
  json_t *all = json_object();
  for (int k = 0; k <= DC_N_VALUES; k++) {
    const dc_by_class *c = &x->by_class[k];
    if (c->cases)
      json_object_set_new(all, dc_class_name(k),
                          json_pack("{s:I, s:I, s:I, s:I, s:o}", "cases", (json_int_t)c->cases,
                                    "failed", (json_int_t)c->failed, "elements",
                                    (json_int_t)c->elements, "vacuous", (json_int_t)c->vacuous,
                                    "ratio", c->ratio < 0 ? json_null() : real(c->ratio)));
  }
  return all;
}

static json_t *source(const report *r, const dc_result *x)
{
  const report_source *at = r->source ? &r->source[x - r->result] : NULL;
  return at ? json_pack("{s:o, s:i}", "file", report_json(at->file), "line", at->line)
            : json_null();
}

static void begin(const report *r)
{
  json_t *backends = json_array();
  for (int i = 0; i < r->n_backends; i++)
    json_array_append_new(backends, json_pack("{s:s, s:o}", "name", r->backend[i]->name, "device",
                                              report_json(r->device[i])));
  json_t *shard =
      r->shards ? json_pack("{s:i, s:i}", "index", r->shard, "of", r->shards) : json_null();
  line(r, json_pack("{s:s, s:s, s:s, s:o, s:o, s:I, s:i, s:o, s:o, s:o, s:o, s:b}", "event",
                    "start", "version", REPORT_VERSION, "date", r->date, "command",
                    report_json(r->command), "seed", seed(r->seed), "cases", (json_int_t)r->cases,
                    "ops", r->n_ops, "backends", backends, "shard", shard, "plan",
                    report_json(r->plan), "inputs", report_json(r->inputs), "kernels", r->kernels));
}

static json_t *failure(const report *r, const dc_failure *f)
{
  char text[REPORT_TEXT], found[REPLAY_TEXT];
  char line_of[REPLAY_TEXT];
  const char *output =
      f->found_output < 0 ? NULL : f->c.op->tensor[f->c.op->n_in + f->found_output].name;
  return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:s, s:i, s:o, s:o, s:s?}", "fault",
                   dc_fault_name(f->fault), "backend", f->backend, "variant", f->c.variant,
                   "message", report_json(f->what), "worst", worst(f->c.op, &f->worst), "replay",
                   report_json(report_replay(r, &f->c, text)), "case", replay_write(&f->c, line_of),
                   "found", replay_write(&f->found, found), "shrink_steps", f->tries, "around",
                   around(&f->around), "found_around", around(&f->found_around), "found_output",
                   output);
}

static json_t *guards(const dc_guards *g)
{
  json_t *all = json_object();
  for (int k = 0; k < DC_N_NULLS; k++)
    json_object_set_new(all, dc_null_name((dc_null)k),
                        json_pack("{s:I, s:I, s:I}", "rejected", (json_int_t)g->rejected[k],
                                  "accepted", (json_int_t)g->accepted[k], "absent",
                                  (json_int_t)g->absent[k]));
  return all;
}

static json_t *variants(const dc_result *x)
{
  json_t *all = json_object();
  for (int i = 0; i < x->n_variants; i++)
    json_object_set_new(all, x->variant[i].variant,
                        json_pack("{s:I, s:I}", "cases", (json_int_t)x->variant[i].cases,
                                  "by_fours", (json_int_t)x->variant[i].fours));
  return all;
}

static void op(const report *r, const dc_result *x)
{
  char at[REPLAY_TEXT];
  json_t *failures = json_array();
  for (int k = 0; k < x->n_failures; k++)
    json_array_append_new(failures, failure(r, &x->failure[k]));
  json_t *object = json_pack(
      "{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:s, s:o, s:I, s:I, s:I, "
      "s:I, s:o, s:f, s:o, s:o}",
      "event", "op", "op", x->op->name, "verdict", report_verdict(x->outcome), "cases",
      (json_int_t)x->cases, "failed", (json_int_t)x->failed, "runs", (json_int_t)x->runs,
      "elements", (json_int_t)x->elements, "vacuous", (json_int_t)x->vacuous, "weak",
      (json_int_t)x->weak, "worst", worst(x->op, &x->worst), "worst_case",
      x->worst_case.op ? replay_write(&x->worst_case, at) : "", "guards", guards(&x->guards),
      "exact", (json_int_t)x->exact, "adjoint", (json_int_t)x->adjoint, "differences",
      (json_int_t)x->differences, "compared", (json_int_t)x->compared, "variants", variants(x),
      "seconds", x->seconds, "reason", report_json(x->suspicion), "failures", failures);
  if (object) {
    json_object_set_new(object, "vacuous_cases", json_integer((json_int_t)x->vacuous_cases));
    json_object_set_new(object, "by_class", by_class(x));
    json_object_set_new(object, "source", source(r, x));
  }
  line(r, object);
}

static void end(const report *r)
{
  report_totals t = report_total(r);
  json_t *object = json_pack("{s:s, s:i, s:i, s:i, s:i, s:I, s:I, s:I, s:I, s:f}", "event", "end",
                             "passed", t.passed, "failed", t.failed, "suspect", t.suspect,
                             "not_checked", r->n_ops - r->n_results, "cases", (json_int_t)t.cases,
                             "runs", (json_int_t)t.runs, "elements", (json_int_t)t.elements,
                             "vacuous", (json_int_t)t.vacuous, "seconds", r->seconds);
  if (object && r->stopped)
    json_object_set_new(object, "stopped", json_string(r->stopped));
  line(r, object);
}

const report_format report_jsonl = {"jsonl", begin, op, end};
