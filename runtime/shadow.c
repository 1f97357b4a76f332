/* The shadow of the reference: which steps are looked at, the verdict, and the case that shows it. */
#include "shadow.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"
#include "../diffcheck/files/npy.h"
#include "../diffcheck/files/replay.h"

struct shadow {
  pmr_shadow o; /* ops and folder are its own copies */
  double spent;
  pmr_shadow_report report;
};

void in_shadow_close(context *c)
{
  if (!c->shadow)
    return;
  free((char *)c->shadow->o.ops);
  free((char *)c->shadow->o.folder);
  free(c->shadow);
  c->shadow = NULL;
}

/* ---- settings ---- */

/* The word at *s, and *s behind it; its length, 0 at the end. */
static size_t word(const char **s, const char **at)
{
  while (isspace((unsigned char)**s))
    ++*s;
  *at = *s;
  while (**s && !isspace((unsigned char)**s))
    ++*s;
  return (size_t)(*s - *at);
}

static bool lists(const char *ops, const char *name)
{
  const char *at;
  for (size_t n; (n = word(&ops, &at)) > 0;)
    if (strlen(name) == n && memcmp(name, at, n) == 0)
      return true;
  return false;
}

static pmr_status good_options(const pmr_shadow *o)
{
  const char *ops = o->ops ? o->ops : "", *at;
  if (o->every < 0)
    return in_fail(PMR_INVALID, "shadow: every is %lld, must not be negative", (long long)o->every);
  if (!(o->seconds >= 0))
    return in_fail(PMR_INVALID, "shadow: seconds is %g, must not be negative", o->seconds);
  for (size_t n; (n = word(&ops, &at)) > 0;) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(n < 63 ? n : 63), at);
    if (!dc_op_find(name))
      return in_fail(PMR_INVALID, "shadow: ops: '%s': there is no such op in spec/ops.def", name);
  }
  if (o->folder && strchr(o->folder, '\''))
    return in_fail(PMR_INVALID, "shadow: folder '%.200s': must have no ' in its name", o->folder);
  return PMR_OK;
}

static pmr_status set(shadow *w, const pmr_shadow *o)
{
  pmr_status s = good_options(o);
  if (s)
    return s;
  char *ops = o->ops ? strdup(o->ops) : NULL, *folder = o->folder ? strdup(o->folder) : NULL;
  if ((o->ops && !ops) || (o->folder && !folder)) {
    free(ops);
    free(folder);
    return in_fail(PMR_NO_MEMORY, "shadow: no memory for its settings");
  }
  free((char *)w->o.ops);
  free((char *)w->o.folder);
  w->o = *o;
  w->o.ops = ops;
  w->o.folder = folder;
  return PMR_OK;
}

/* ---- PROOFMARK_SHADOW: "every=100,ops=softmax+gelu,seconds=5,go_on=1,folder=DIR" ---- */

static pmr_status number(const char *key, const char *text, double *out)
{
  char *end;
  *out = strtod(text, &end);
  if (end == text || *end || !(*out >= 0 && *out < DC_WHOLE))
    return in_fail(PMR_INVALID, "PROOFMARK_SHADOW: %s=%.40s: must be a number, not negative", key,
                   text);
  return PMR_OK;
}

static pmr_status setting(char *item, pmr_shadow *o)
{
  char *value = strchr(item, '=');
  double x;
  if (value) {
    *value++ = 0;
    if (strcmp(item, "ops") == 0) {
      o->ops = value;
      for (; *value; value++)
        *value = *value == '+' ? ' ' : *value;
      return PMR_OK;
    }
    if (strcmp(item, "folder") == 0) {
      o->folder = value;
      return PMR_OK;
    }
    int which = strcmp(item, "every") == 0     ? 1
                : strcmp(item, "seconds") == 0 ? 2
                : strcmp(item, "go_on") == 0   ? 3
                                               : 0;
    pmr_status s = which ? number(item, value, &x) : PMR_OK;
    if (s)
      return s;
    if (which == 1)
      o->every = (int64_t)x;
    else if (which == 2)
      o->seconds = x;
    else if (which == 3)
      o->go_on = x != 0;
    if (which)
      return PMR_OK;
  }
  return in_fail(PMR_INVALID,
                 "PROOFMARK_SHADOW: '%.40s': must be every=N, ops=A+B, seconds=X, go_on=1 or "
                 "folder=NAME, with commas between",
                 item);
}

static pmr_status from_environment(shadow *w)
{
  const char *said = getenv("PROOFMARK_SHADOW");
  pmr_shadow o = {.every = 0};
  char *text = strdup(said ? said : ""), *rest = NULL;
  pmr_status s = text ? PMR_OK : in_fail(PMR_NO_MEMORY, "no memory for PROOFMARK_SHADOW");
  for (char *item = text ? strtok_r(text, ",", &rest) : NULL; item && !s;
       item = strtok_r(NULL, ",", &rest))
    s = setting(item, &o);
  if (!s)
    s = set(w, &o);
  free(text);
  return s;
}

pmr_status in_shadow_open(context *c)
{
  c->shadow = calloc(1, sizeof *c->shadow);
  return c->shadow ? from_environment(c->shadow)
                   : in_fail(PMR_NO_MEMORY, "no memory for the shadow");
}

static pmr_status begin(pmr_context h, context **c)
{
  pmr_status s = in_begin(h, c);
  if (!s && !(*c)->shadow)
    s = in_end(*c, in_fail(PMR_INVALID,
                           "back end %s has no shadow: open shadow, or let "
                           "PROOFMARK_BACKEND say so",
                           (*c)->name));
  return s;
}

pmr_status pmr_shadow_set(pmr_context h, const pmr_shadow *o)
{
  context *c;
  if (!o)
    return in_fail(PMR_INVALID, "shadow: its settings are NULL");
  pmr_status s = begin(h, &c);
  return s ? s : in_end(c, set(c->shadow, o));
}

pmr_status pmr_shadow_about(pmr_context h, pmr_shadow_report *out)
{
  context *c;
  if (!out)
    return in_fail(PMR_INVALID, "out is NULL: it must point to a pmr_shadow_report");
  pmr_status s = begin(h, &c);
  if (s)
    return s;
  *out = c->shadow->report;
  out->steps = (int64_t)c->steps;
  return in_end(c, PMR_OK);
}

bool shadow_wants(const shadow *w, const dc_op *op, uint64_t number)
{
  return (w->o.every < 2 || number % (uint64_t)w->o.every == 0) &&
         (!w->o.ops || lists(w->o.ops, op->name)) && (w->o.seconds == 0 || w->spent < w->o.seconds);
}

/* ---- one step ---- */

pmr_status shadow_before(context *c, const step *s, void *before[DC_TENSORS])
{
  pmr_status r = PMR_OK;
  double start = dc_now();
  for (int t = 0; t < s->c.op->n_in && !r; t++)
    r = in_fetch(c, s->t[t], "shadow", &before[t]);
  c->shadow->spent += dc_now() - start;
  return r;
}

/* The first element of a band that is wrong. */
static int64_t first_wrong(const dc_band *b, const float *got, dc_verdict *v)
{
  for (int64_t i = 0; i < b->count; i++) {
    dc_band one = dc_band_one(b, i);
    dc_verdict_init(v);
    dc_judge(&one, got + i, v);
    if (v->failed)
      return i;
  }
  return -1;
}

/* Every slice of the problem against its bounds, up to the first wrong element, which *v then is of. */
static dc_status judge(const dc_problem *p, const pm_arith *declared, float *const *got,
                       dc_verdict *v, dc_error *err)
{
  const dc_op *op = p->c.op;
  dc_slice s = {.mem = NULL};
  dc_status st = DC_OK;
  v->failed = 0;
  for (int64_t k = 0, n = dc_n_slices(p); k < n && !st && !v->failed; k++) {
    st = dc_slice_load(&s, p, k, err);
    if (!st)
      st = dc_slice_bound(&s, p, declared, err);
    for (int o = 0; o < op->n_out && !st && !v->failed; o++) {
      dc_band b;
      dc_slice_band(&s, p, o, &b);
      dc_verdict_init(v);
      dc_judge(&b, got[o] + b.first, v);
      if (v->failed)
        first_wrong(&b, got[o] + b.first, v);
    }
  }
  dc_slice_free(&s);
  return st;
}

/* ---- what is found ---- */

/* An input as a file; adds how replay is given it. */
static bool write_input(const pmr_finding *f, const char *folder, const step *s, int t,
                        const void *data, char *command, size_t room)
{
  char path[PMR_TEXT];
  const thing *x = s->t[t];
  int64_t shape[DC_RANK];
  size_t n = strlen(command);
  int rank = dc_shape(s->c.op, t, s->c.size, s->c.attr, shape);
  if ((size_t)snprintf(path, sizeof path, "%s/step%lld-%s-%s.npy", folder, (long long)f->step,
                       f->op, s->c.op->tensor[t].name) >= sizeof path)
    return false;
  FILE *file = fopen(path, "wb");
  bool good = file && npy_put(file, x->dtype == PMR_I64 ? NPY_I8 : NPY_F4, rank, shape, data);
  good &= file && fclose(file) == 0;
  return good && (size_t)snprintf(command + n, room - n, " --input '%s'", path) < room - n;
}

/* The command that runs the case again. */
static void write_case(pmr_finding *f, const char *folder, const step *s, const dc_case *k,
                       const other *its, void *const *before)
{
  char line[REPLAY_TEXT], command[sizeof f->replay];
  const char *file = its ? kernels_file(its) : "";
  dc_case plain = *k;
  bool good = true;
  memset(plain.given, 0, sizeof plain.given);
  replay_write(&plain, line);
  if ((size_t)snprintf(command, sizeof command, "diffcheck replay '%s'%s%s%s", line,
                       its ? " --kernels '" : "", file, its ? "'" : "") >= sizeof command) {
    snprintf(f->replay, sizeof f->replay, "(the case takes more than %zu bytes)", sizeof command);
    return;
  }
  for (int t = 0; folder && t < k->op->n_in && good; t++)
    good = write_input(f, folder, s, t, before[t], command, sizeof command);
  if (good)
    memcpy(f->replay, command, sizeof command);
  else
    snprintf(f->replay, sizeof f->replay, "(its inputs could not be written to '%.200s')", folder);
}

/* w: of tensor t, counted as in the op. */
static pmr_status found(context *c, const step *s, const dc_case *k, int t, const other *its,
                        const dc_worst *w, void *const *before)
{
  shadow *sh = c->shadow;
  pmr_finding f = {.step = (int64_t)c->steps,
                   .element = w->index,
                   .value = w->got,
                   .want = w->want,
                   .bound = w->bound,
                   .file = s->file,
                   .line = s->line};
  snprintf(f.op, sizeof f.op, "%s", k->op->name);
  snprintf(f.variant, sizeof f.variant, "%s", k->variant);
  snprintf(f.tensor, sizeof f.tensor, "%s", k->op->tensor[t].name);
  if (sh->report.diverged++ == 0) {
    write_case(&f, sh->o.folder, s, k, its, before);
    sh->report.first = f;
  }
  if (sh->o.go_on)
    return PMR_OK;
  return in_fail(PMR_DIVERGED,
                 "%s:%d: step %lld, %s (%s on %s): %s[%lld] is %.9g, must be %.9g, give or take "
                 "%.3g",
                 f.file, f.line, (long long)f.step, f.op, f.variant, c->device->name, f.tensor,
                 (long long)f.element, f.value, f.want, f.bound);
}

/* Whether an output took the place of input t. */
static bool written_over(const step *s, int t)
{
  const dc_op *op = s->c.op;
  for (int o = 0; o < op->n_out; o++)
    if (s->t[op->n_in + o]->s == s->t[t]->s && s->t[op->n_in + o]->from == s->t[t]->from)
      return true;
  return false;
}

/* The first element of an input that the step has changed; *t: which input, -1: none was. */
static pmr_status changed_input(context *c, const step *s, void *const *before, int *which,
                                dc_worst *w)
{
  pmr_status r = PMR_OK;
  *which = -1;
  for (int t = 0; t < s->c.op->n_in && !r && *which < 0; t++) {
    size_t each = pmr_dtype_bytes(s->t[t]->dtype);
    void *after = NULL;
    if (written_over(s, t))
      continue;
    r = in_fetch(c, s->t[t], "shadow", &after);
    for (int64_t i = 0; !r && i < s->t[t]->count && *which < 0; i++)
      if (memcmp((char *)after + (size_t)i * each, (char *)before[t] + (size_t)i * each, each) !=
          0) {
        int is_real = s->t[t]->dtype == PMR_F32;
        *which = t;
        *w = (dc_worst){.index = i,
                        .want = is_real ? (double)((const float *)before[t])[i]
                                        : (double)((const int64_t *)before[t])[i],
                        .got = is_real ? (double)((const float *)after)[i]
                                       : (double)((const int64_t *)after)[i]};
      }
    free(after);
  }
  return r;
}

pmr_status shadow_after(context *c, const step *s, const other *its, const char *ran,
                        void *const *before)
{
  const dc_op *op = s->c.op;
  dc_case k = s->c;
  dc_problem p;
  dc_error err = {""};
  dc_verdict v;
  void *got[DC_OUTPUTS] = {NULL};
  double start = dc_now();
  pmr_status r = PMR_OK;
  memcpy(k.given, before, sizeof k.given);
  k.misaligned = in_misaligned(s);
  snprintf(k.variant, sizeof k.variant, "%s", ran ? ran : "");
  for (int o = 0; o < op->n_out && !r; o++)
    r = in_fetch(c, s->t[op->n_in + o], "shadow", &got[o]);
  if (!r) {
    dc_status st = dc_problem_make(&p, &k, &err);
    pm_arith declared = its ? kernels_declared(its, &k) : dc_declared(&k, c->device, k.variant);
    float *f[DC_OUTPUTS];
    for (int o = 0; o < DC_OUTPUTS; o++)
      f[o] = got[o];
    if (!st) {
      st = judge(&p, &declared, f, &v, &err);
      dc_problem_free(&p);
    }
    if (st)
      r = in_checker_status(st, "shadow: ", &err);
    else {
      c->shadow->report.looked_at++;
      int t = -1;
      if (v.failed)
        t = op->n_in + v.worst.output;
      else
        r = changed_input(c, s, before, &t, &v.worst);
      if (t >= 0)
        r = found(c, s, &k, t, its, &v.worst, before);
    }
  }
  for (int o = 0; o < op->n_out; o++)
    free(got[o]);
  c->shadow->spent += dc_now() - start;
  return r;
}
