#include "report_read.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/engine.h"
#include "../files/replay.h"

enum { LINE_BYTES = 1 << 24, OPS = 1 << 12, COUNT_LIMIT = 1 << 30 };

typedef struct reader {
  const char *path;
  int line;
  dc_error *err;
  bool bad;
} reader;

/* The first one counts. */
__attribute__((format(printf, 2, 3))) static bool refuse(reader *r, const char *format, ...)
{
  char why[DC_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  if (!r->bad)
    dc_fail(r->err, DC_INVALID, "'%.120s': line %d: %.150s", r->path, r->line, why);
  r->bad = true;
  return false;
}

/* ---- fields; each is 0, "" or NULL once something is wrong ---- */

static int64_t whole(reader *r, const json_t *o, const char *key, int64_t least, int64_t most)
{
  const json_t *x = json_object_get(o, key);
  const json_int_t v = json_integer_value(x);
  if (!json_is_integer(x) || v < least || v > most) {
    refuse(r, "%s: must be a whole number from %" PRId64 " to %" PRId64, key, least, most);
    return 0;
  }
  return v;
}

static int64_t count(reader *r, const json_t *o, const char *key)
{
  return whole(r, o, key, 0,
               INT64_MAX >> 17); /* the sum of all that merge takes does not overflow */
}

static const char *words(reader *r, const json_t *o, const char *key)
{
  const char *text = json_string_value(json_object_get(o, key));
  if (!text)
    refuse(r, "%s: must be a text", key);
  return text ? text : "";
}

static double real(reader *r, const json_t *x, const char *key)
{
  const char *text = json_string_value(x);
  if (json_is_number(x))
    return json_number_value(x);
  if (text && strcmp(text, "nan") == 0)
    return NAN;
  if (text && strcmp(text, "inf") == 0)
    return INFINITY;
  if (text && strcmp(text, "-inf") == 0)
    return -INFINITY;
  refuse(r, "%s: must be a number, nan, inf or -inf", key);
  return 0;
}

static double real_of(reader *r, const json_t *o, const char *key)
{
  return real(r, json_object_get(o, key), key);
}

/* Number of an output of that name; -1: there is none. */
static int output(reader *r, const dc_op *op, const char *name)
{
  int t = dc_tensor_find(op, name);
  if (t >= op->n_in)
    return t - op->n_in;
  refuse(r, "'%.20s': is no output of %s", name, op->name);
  return -1;
}

static void read_case(reader *r, const dc_op *op, const json_t *o, const char *key, dc_case *c)
{
  dc_error err = {""};
  dc_case_init(c, op);
  const char *text = words(r, o, key);
  if (r->bad)
    return;
  if (replay_read(text, c, NULL, &err) || dc_case_check(c, 0, &err))
    refuse(r, "%s: %.120s", key, err.text);
  else if (c->op != op)
    refuse(r, "%s: is of %s, and not of %s", key, c->op->name, op->name);
  if (r->bad)
    dc_case_init(c, op);
}

/* Of that case; NULL: of one that is not known. */
static void read_worst(reader *r, const dc_op *op, const dc_case *c, const json_t *o, dc_worst *w)
{
  *w = (dc_worst){.output = -1, .index = -1, .ratio = -1};
  if (json_is_null(o))
    return;
  *w = (dc_worst){.output = output(r, op, words(r, o, "output")),
                  .index = count(r, o, "index"),
                  .want = real_of(r, o, "want"),
                  .got = real_of(r, o, "got"),
                  .err = real_of(r, o, "err"),
                  .bound = real_of(r, o, "bound"),
                  .ratio = real_of(r, o, "ratio")};
  if (!r->bad && w->index >= dc_count(op, op->n_in + w->output, c->size, c->attr))
    refuse(r, "index: %" PRId64 ": its case has no such element", w->index);
}

static void read_around(reader *r, const json_t *axes, dc_around *a)
{
  *a = (dc_around){.rank = 0};
  if (!json_is_array(axes) || json_array_size(axes) > DC_RANK) {
    refuse(r, "around: must be a list of at most %d axes", DC_RANK);
    return;
  }
  a->rank = (int)json_array_size(axes);
  for (int d = 0; d < a->rank && !r->bad; d++)
    for (int k = 0; k <= 2 * DC_REACH; k++) {
      const json_t *x = json_array_get(json_array_get(axes, (size_t)d), (size_t)k);
      dc_near *n = &a->near[d][k];
      n->at = -1;
      if (json_is_null(x) && k != DC_REACH)
        continue;
      const json_t *at = json_array_get(x, 0);
      if (json_array_size(x) != 5 || !json_is_integer(at) || json_integer_value(at) < 0) {
        refuse(r, "around: must have %d elements an axis", 2 * DC_REACH + 1);
        return;
      }
      *n = (dc_near){.at = json_integer_value(at),
                     .want = real(r, json_array_get(x, 1), "want"),
                     .got = real(r, json_array_get(x, 2), "got"),
                     .bound = real(r, json_array_get(x, 3), "bound"),
                     .wrong = json_is_true(json_array_get(x, 4))};
    }
}

/* ---- an op ---- */

static void read_failure(reader *r, const dc_op *op, const json_t *o, dc_failure *f)
{
  const char *fault = words(r, o, "fault"),
             *found = json_string_value(json_object_get(o, "found_output"));
  f->fault = DC_NO_FAULT;
  for (int k = 1; k < DC_N_FAULTS; k++)
    if (strcmp(fault, dc_fault_name((dc_fault)k)) == 0)
      f->fault = (dc_fault)k;
  if (f->fault == DC_NO_FAULT)
    refuse(r, "fault: '%.20s': unknown", fault);
  read_case(r, op, o, "case", &f->c);
  read_case(r, op, o, "found", &f->found);
  snprintf(f->backend, sizeof f->backend, "%s", words(r, o, "backend"));
  snprintf(f->what, sizeof f->what, "%s", words(r, o, "message"));
  f->tries = (int)whole(r, o, "shrink_steps", 0, COUNT_LIMIT);
  if (!r->bad)
    read_worst(r, op, &f->c, json_object_get(o, "worst"), &f->worst);
  read_around(r, json_object_get(o, "around"), &f->around);
  read_around(r, json_object_get(o, "found_around"), &f->found_around);
  f->found_output = found ? output(r, op, found) : -1;
}

static void read_guards(reader *r, const json_t *o, dc_guards *g)
{
  for (int k = 0; k < DC_N_NULLS; k++) {
    const json_t *x = json_object_get(o, dc_null_name((dc_null)k));
    g->rejected[k] = count(r, x, "rejected");
    g->accepted[k] = count(r, x, "accepted");
    g->absent[k] = count(r, x, "absent");
  }
}

static void read_classes(reader *r, const json_t *o, dc_result *x)
{
  for (int k = 0; k <= DC_N_VALUES; k++) {
    const json_t *c = json_object_get(o, dc_class_name(k));
    x->by_class[k].ratio = -1;
    if (!c)
      continue;
    const json_t *ratio = json_object_get(c, "ratio");
    x->by_class[k] = (dc_by_class){.cases = count(r, c, "cases"),
                                   .failed = count(r, c, "failed"),
                                   .elements = count(r, c, "elements"),
                                   .vacuous = count(r, c, "vacuous"),
                                   .ratio = json_is_null(ratio) ? -1 : real(r, ratio, "ratio")};
  }
}

static void read_variants(reader *r, json_t *o, dc_result *x)
{
  const char *name;
  json_t *v;
  json_object_foreach(o, name, v)
  {
    if (x->n_variants == DC_VARIANTS) {
      refuse(r, "variants: are more than %d", DC_VARIANTS);
      return;
    }
    x->variant[x->n_variants++] =
        (dc_ran){.variant = name, .cases = count(r, v, "cases"), .fours = count(r, v, "by_fours")};
  }
}

static void read_op(reader *r, json_t *o, dc_result *x, report_source *at)
{
  const char *name = words(r, o, "op");
  const dc_op *op = dc_op_find(name);
  json_t *failures = json_object_get(o, "failures"), *from = json_object_get(o, "source");
  const char *verdict = words(r, o, "verdict"), *where = words(r, o, "worst_case");
  if (!op) {
    refuse(r, "op: '%.40s': unknown", name);
    return;
  }
  *x = (dc_result){.op = op,
                   .cases = count(r, o, "cases"),
                   .failed = count(r, o, "failed"),
                   .runs = count(r, o, "runs"),
                   .elements = count(r, o, "elements"),
                   .vacuous = count(r, o, "vacuous"),
                   .vacuous_cases = count(r, o, "vacuous_cases"),
                   .weak = count(r, o, "weak"),
                   .exact = count(r, o, "exact"),
                   .adjoint = count(r, o, "adjoint"),
                   .differences = count(r, o, "differences"),
                   .compared = count(r, o, "compared"),
                   .seconds = real_of(r, o, "seconds"),
                   .worst = {.output = -1, .index = -1, .ratio = -1}};
  x->outcome = strcmp(verdict, "pass") == 0   ? DC_PASS
               : strcmp(verdict, "FAIL") == 0 ? DC_FAIL
                                              : DC_SUSPECT;
  snprintf(x->suspicion, sizeof x->suspicion, "%s", words(r, o, "reason"));
  if (*where) {
    read_case(r, op, o, "worst_case", &x->worst_case);
    if (!r->bad)
      read_worst(r, op, &x->worst_case, json_object_get(o, "worst"), &x->worst);
  }
  read_guards(r, json_object_get(o, "guards"), &x->guards);
  read_classes(r, json_object_get(o, "by_class"), x);
  read_variants(r, json_object_get(o, "variants"), x);
  const size_t room = sizeof x->failure / sizeof *x->failure, n = json_array_size(failures);
  if (!json_is_array(failures) || n > room || (int64_t)n > x->failed)
    refuse(r, "failures: must be a list of at most %zu, and as many as failed", room);
  for (size_t k = 0; k < n && !r->bad; k++)
    read_failure(r, op, json_array_get(failures, k), &x->failure[x->n_failures++]);
  at->file = from && !json_is_null(from) ? words(r, from, "file") : NULL;
  at->line = at->file ? (int)whole(r, from, "line", 0, COUNT_LIMIT) : 0;
}

/* ---- the whole ---- */

static void read_start(reader *r, const json_t *o, report_part *p)
{
  const json_t *shard = json_object_get(o, "shard"), *list = json_object_get(o, "backends");
  const char *seed = words(r, o, "seed");
  char *end;
  if (!json_object_get(o, "plan")) {
    refuse(r, "is of a program that is older than `diffcheck merge`: run it again");
    return;
  }
  p->version = words(r, o, "version");
  p->date = words(r, o, "date");
  p->command = words(r, o, "command");
  p->inputs = words(r, o, "inputs");
  p->plan = words(r, o, "plan");
  p->cases = count(r, o, "cases");
  p->kernels = json_is_true(json_object_get(o, "kernels"));
  errno = 0;
  p->seed = strtoull(seed, &end, 10);
  if (*seed < '0' || *seed > '9' || *end || errno)
    refuse(r, "seed: must be a whole number, as a text");
  p->shard = p->shards = 1;
  if (!json_is_null(shard)) {
    p->shards = (int)whole(r, shard, "of", 1, COUNT_LIMIT);
    p->shard = (int)whole(r, shard, "index", 1, p->shards);
  }
  p->n_ops = (int)whole(r, o, "ops", 1, OPS);
  if (!json_is_array(list) || json_array_size(list) < 1 || json_array_size(list) > DC_BACKENDS) {
    refuse(r, "backends: must be 1 or %d", DC_BACKENDS);
    return;
  }
  p->n_backends = (int)json_array_size(list);
  for (int i = 0; i < p->n_backends; i++) {
    const json_t *b = json_array_get(list, (size_t)i);
    p->backend[i].name = words(r, b, "name");
    snprintf(p->device[i], sizeof p->device[i], "%s", words(r, b, "device"));
  }
  p->result = calloc((size_t)p->n_ops, sizeof *p->result);
  p->source = calloc((size_t)p->n_ops, sizeof *p->source);
  if (!p->result || !p->source)
    refuse(r, "no memory for %d ops", p->n_ops);
}

/* A line more; *n ops have come, *ended: the last line has. */
static void read_line(reader *r, json_t *o, report_part *p, int *n, bool *ended)
{
  const char *event = words(r, o, "event");
  if (r->bad)
    return;
  if (*ended)
    refuse(r, "follows the end of the report");
  else if ((r->line == 1) != (strcmp(event, "start") == 0))
    refuse(r, "a report begins with its start, and has one");
  else if (r->line == 1)
    read_start(r, o, p);
  else if (strcmp(event, "op") == 0 && *n == p->n_ops)
    refuse(r, "has more ops than the %d that it begins with", p->n_ops);
  else if (strcmp(event, "op") == 0) {
    read_op(r, o, &p->result[*n], &p->source[*n]);
    ++*n;
  } else if (strcmp(event, "end") == 0)
    *ended = true;
  else
    refuse(r, "event: '%.20s': unknown", event);
}

bool report_part_read(const char *path, report_part *out, dc_error *err)
{
  reader r = {.path = path, .err = err};
  char *text = NULL;
  size_t room = 0;
  ssize_t length;
  int n = 0;
  bool ended = false;
  *out = (report_part){.path = path, .lines = json_array()};
  FILE *f = fopen(path, "r");
  if (!f) {
    dc_fail(err, DC_INVALID, "'%.200s': %s", path, strerror(errno));
    return false;
  }
  while (!r.bad && (length = getline(&text, &room, f)) > 0) {
    json_error_t why;
    r.line++;
    json_t *o = length <= LINE_BYTES
                    ? json_loadb(text, (size_t)length, JSON_REJECT_DUPLICATES, &why)
                    : NULL;
    if (!json_is_object(o))
      refuse(&r, "is no JSON object: must be a report of --format jsonl");
    else if (json_array_append(out->lines, o))
      refuse(&r, "no memory for it");
    else
      read_line(&r, o, out, &n, &ended);
    json_decref(o);
  }
  if (!r.bad && ferror(f))
    refuse(&r, "cannot be read");
  if (!r.bad && (!ended || n != out->n_ops))
    refuse(&r, "the report ends here, with %d of %d ops: its run did not end in order", n,
           out->n_ops);
  fclose(f);
  free(text);
  return !r.bad;
}

void report_part_free(report_part *p)
{
  free(p->result);
  free(p->source);
  json_decref(p->lines);
  *p = (report_part){.path = NULL};
}
