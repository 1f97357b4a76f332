/* One case on every back end and variant: poisoned twice, on two streams, under three schedules,
 * judged element by element. */
#include "arith.h"
#include "types.h"
#include "worker.h"

/* Of dc_work: up to HALF_COST a half sum is worth another reference; from SIM_MIDDLING on
 * the simulator passes over variants. The null guard looks at the first slices of a problem. */
enum { HALF_COST = 1 << 16, SIM_MIDDLING = 100, SIM_LARGE = 1 << 16, GUARD_SLICES = 4 };
/* Up to here the run under another schedule looks for data races too, at some ten times its cost. */
enum { WATCH_COST = 1 << 16 };
/* Up to here a wrong answer is judged by a dozen other arithmetics, to say of which it is right. */
enum { HABIT_COST = 1 << 20 };
static const uint64_t OTHER_DATA = 0x9e3779b97f4a7c15u; /* in a seed */
static const size_t HUGE_BYTES = (size_t)16 << 30;

typedef struct outputs { /* of a run */
  float *f[DC_OUTPUTS];
  double *d[DC_OUTPUTS]; /* of one that a kernel gives as f64, in place of f; else NULL */
} outputs;

typedef struct bench {
  dc_lab *l;
  const dc_problem *p;
  dc_finding *f;
  dc_error *err;
  int full, loaded;  /* loaded: the one slice of a problem that has no more is in place */
  pm_arith bound_by; /* the arithmetic behind the slice's bounds, while bounded */
  int bounded, guarded;
  dc_status status; /* where the harness cannot go on */
  const char *variant[DC_VARIANTS];
  int n_variants;
  outputs out[DC_BACKENDS][2]; /* by back end: of run 0; of a repetition, one for all */
} bench;

dc_status dc_lab_open(dc_lab *l, const dc_options *o, dc_error *err)
{
  *l = (dc_lab){.o = o, .slice = {.into = o->foreign && o->foreign->accumulate != 0}};
  if (o->n_backends < 1 || o->n_backends > DC_BACKENDS)
    return dc_fail(err, DC_INVALID, "back ends: %d are given, must be 1 or %d", o->n_backends,
                   DC_BACKENDS);
  for (int i = 0; i < o->n_backends; i++) {
    l->memory[i] = dc_memory_apart(o->backend[i], o->worker[i]);
    if (l->memory[i])
      dc_memory_foreign(l->memory[i], o->foreign);
    else {
      dc_lab_close(l, NULL);
      return dc_fail(err, DC_NO_MEMORY, "no memory");
    }
  }
  return DC_OK;
}

dc_status dc_lab_close(dc_lab *l, dc_error *err)
{
  dc_status s = DC_OK, t;
  for (int i = 0; i < DC_BACKENDS; i++) {
    dc_memory_free(l->memory[i]);
    if (l->o->worker[i] && (t = dc_worker_rest(l->o->worker[i], s ? NULL : err)) != DC_OK)
      s = t;
  }
  dc_slice_free(&l->slice);
  free(l->buf);
  free(l->wide);
  *l = (dc_lab){.o = NULL};
  return s;
}

/* Grows a buffer; 0, or -1 where there is no memory. */
static int grow(void **buf, size_t *cap, size_t bytes)
{
  if (bytes <= *cap)
    return 0;
  free(*buf);
  *buf = malloc(bytes);
  *cap = *buf ? bytes : 0;
  return *buf ? 0 : -1;
}

/* Room for the outputs of every run; run 0 of each back end, and one repetition. */
static dc_status room(bench *t)
{
  const dc_op *op = t->p->c.op;
  dc_lab *l = t->l;
  size_t each = 0, wide = 0, runs = (size_t)l->o->n_backends + 1;
  for (int o = 0; o < op->n_out; o++) {
    const size_t n = (size_t)t->p->count[op->n_in + o] + 1;
    each += n;
    wide += dc_type_of(&t->p->c, op->n_in + o) == DC_TYPE_F64 ? n : 0;
  }
  if (grow((void **)&l->buf, &l->buf_cap, each * runs * sizeof *l->buf) ||
      grow((void **)&l->wide, &l->wide_cap, wide * runs * sizeof *l->wide))
    return dc_fail(t->err, DC_NO_MEMORY, "%s: no memory for its outputs", op->name);
  for (int b = 0; b < l->o->n_backends; b++)
    for (int run = 0; run < 2; run++) {
      const size_t k = run ? runs - 1 : (size_t)b;
      float *f = l->buf + k * each;
      double *d = wide ? l->wide + k * wide : NULL;
      for (int o = 0; o < op->n_out; o++) {
        const size_t n = (size_t)t->p->count[op->n_in + o] + 1;
        const int is_wide = dc_type_of(&t->p->c, op->n_in + o) == DC_TYPE_F64;
        t->out[b][run].f[o] = f;
        t->out[b][run].d[o] = is_wide ? d : NULL;
        f += n;
        d = is_wide ? d + n : d;
      }
    }
  return DC_OK;
}

static const pm_kernel *row(const pm_backend *b, const char *op, const char *variant)
{
  for (int i = 0; i < b->n_kernels; i++)
    if (strcmp(b->kernels[i].op, op) == 0 && strcmp(b->kernels[i].variant, variant) == 0)
      return &b->kernels[i];
  return NULL;
}

static int fault(bench *t, dc_fault kind, const char *backend, const char *variant,
                 const char *what)
{
  dc_finding *f = t->f;
  f->fault = kind;
  snprintf(f->backend, sizeof f->backend, "%s", backend);
  /* a launcher that refuses, or runs what it has no row for, leaves no name to replay */
  int known = 0;
  for (int b = 0; variant && b < t->l->o->n_backends; b++)
    known |= row(t->l->o->backend[b], t->p->c.op->name, variant) != NULL;
  snprintf(f->variant, sizeof f->variant, "%s", known ? variant : "");
  snprintf(f->what, sizeof f->what, "%s", what);
  return 1;
}

/* Of a run that did not go well: a fault, or an error where the kernel could not be started. */
static int not_run(bench *t, dc_fault kind, const char *backend, const char *variant,
                   const dc_error *why)
{
  if (kind != DC_NO_WORKER && kind != DC_NO_ROOM)
    return fault(t, kind, backend, variant, why->text);
  *t->err = *why;
  t->status = kind == DC_NO_ROOM ? DC_NO_MEMORY : DC_NO_DEVICE;
  return -1;
}

/* ---- verdict ---- */

pm_arith dc_declared(const dc_case *c, const pm_backend *b, const char *variant)
{
  int64_t size[DC_DIMS + DC_ATTRS];
  pm_arith a;
  const pm_kernel *k = row(b, c->op->name, variant);
  dc_undeclared(c->op, c->size, c->attr, &a);
  dc_kernel_size(c, size);
  if (k && k->declare)
    k->declare(size, &a);
  return a;
}

static pm_arith declared(const bench *t, const pm_backend *b, const char *variant)
{
  pm_arith a = dc_declared(&t->p->c, b, variant);
  if (t->l->o->arith)
    dc_arith_at(t->l->o->arith, t->p->c.op, t->p->c.size, t->p->c.attr, &a);
  return a;
}

static dc_fault kind_of(const dc_worst *w, char cls, int exact)
{
  if (isfinite(w->want) != isfinite(w->got) || isnan(w->want) != isnan(w->got))
    return DC_KIND_DIFFERS;
  return dc_bounded(cls) && !exact ? DC_BOUND_EXCEEDED : DC_BITS_DIFFER;
}

static const float *identity(const bench *t, const dc_band *b)
{
  const dc_op *op = t->p->c.op;
  for (int i = 0; i < op->n_in; i++)
    if (t->p->f[i] && t->p->count[i] == t->p->count[op->n_in + b->output])
      return t->p->f[i] + b->first;
  return NULL;
}

/* The null guard on a slice, with the bound of the variant that ran. The wrong answers are built
 * in the repetition's outputs, which are free by now. */
static void guard_slice(bench *t, int backend)
{
  const dc_problem *p = t->p;
  dc_slice *s = &t->l->slice;
  dc_case part = p->c;
  memcpy(part.size, s->size, sizeof part.size);
  const int cheap = dc_work(&part) <= HALF_COST;
  for (int o = 0; o < p->c.op->n_out; o++) {
    dc_band b;
    dc_slice_band(s, p, o, &b);
    if (b.count == 0)
      continue;
    const double *half = cheap ? dc_slice_half(s, p, o) : NULL;
    t->f->weak |= dc_guard(&b, identity(t, &b), half, t->out[backend][1].f[o], &t->f->guards);
  }
}

static void look_around(bench *t, const dc_worst *w, const outputs *got)
{
  const dc_case *c = &t->p->c;
  int64_t shape[DC_RANK];
  dc_band b;
  dc_slice_band(&t->l->slice, t->p, w->output, &b);
  int rank = dc_shape(c->op, c->op->n_in + w->output, c->size, c->attr, shape);
  const double *wide = got->d[w->output];
  dc_around_make(&b, rank, shape, w->index, wide ? NULL : got->f[w->output], wide, &t->f->around);
}

static void tell_habit(const bench *t, const pm_arith *a, const outputs *got)
{
  outputs x = *got;
  for (int o = 0; o < t->p->c.op->n_out; o++)
    x.f[o] = x.d[o] ? NULL : x.f[o];
  dc_habit(t->p, a, x.f, x.d, t->f->habit);
}

/* Judges what run 0 of a back end gave; 1 when it fails, -1 on an error of the harness. */
static int judge(bench *t, int backend, const char *variant)
{
  const dc_problem *p = t->p;
  const dc_op *op = p->c.op;
  dc_slice *s = &t->l->slice;
  pm_arith a = declared(t, t->l->o->backend[backend], variant);
  int64_t n = dc_n_slices(p);
  outputs *got = &t->out[backend][0];
  dc_verdict v;
  dc_verdict_init(&v);
  for (int64_t k = 0; k < n && v.failed == 0; k++) {
    if (!t->loaded && dc_slice_load(s, p, k, t->err))
      return -1;
    t->loaded = n == 1;
    if (n > 1 || !t->bounded || memcmp(&a, &t->bound_by, sizeof a) != 0) {
      if (dc_slice_bound(s, p, &a, t->err))
        return -1;
      t->bound_by = a;
      t->bounded = 1;
    }
    for (int o = 0; o < op->n_out; o++) {
      dc_band b;
      dc_slice_band(s, p, o, &b);
      if (got->d[o])
        dc_judge_wide(&b, got->d[o] + b.first, &v);
      else
        dc_judge(&b, got->f[o] + b.first, &v);
    }
    if (t->full && !t->guarded && k < GUARD_SLICES)
      guard_slice(t, backend);
  }
  t->guarded = 1;
  dc_verdict *sum = &t->f->verdict;
  sum->elements += v.elements;
  sum->vacuous += v.vacuous;
  sum->failed += v.failed;
  if (v.failed || v.worst.ratio > sum->worst.ratio)
    sum->worst = v.worst;
  if (!v.failed)
    return 0;
  look_around(t, &v.worst, got);
  char what[DC_TEXT];
  if (t->full && dc_work(&p->c) <= HABIT_COST)
    tell_habit(t, &a, got);
  snprintf(what, sizeof what, "%s: %lld of %lld elements are wrong",
           dc_out(op, v.worst.output)->name, (long long)v.failed, (long long)v.elements);
  return fault(t, kind_of(&v.worst, op->classes[v.worst.output], p->exact),
               t->l->o->backend[backend]->name, variant, what);
}

/* ---- runs ---- */

/* The first element at which two runs differ, as words; 0 when they are bit for bit the same. */
static int differ(const bench *t, const outputs *x, const outputs *y, int nan_equal,
                  const char *between, char *what)
{
  const dc_op *op = t->p->c.op;
  for (int o = 0; o < op->n_out; o++) {
    const int64_t n = t->p->count[op->n_in + o];
    const int wide = x->d[o] != NULL;
    const size_t size = wide ? sizeof(double) : sizeof(float);
    const char *a = wide ? (const char *)x->d[o] : (const char *)x->f[o];
    const char *b = wide ? (const char *)y->d[o] : (const char *)y->f[o];
    if (memcmp(a, b, (size_t)n * size) == 0)
      continue;
    for (int64_t i = 0; i < n; i++) {
      const double first = wide ? x->d[o][i] : (double)x->f[o][i];
      const double then = wide ? y->d[o][i] : (double)y->f[o][i];
      if (memcmp(a + (size_t)i * size, b + (size_t)i * size, size) == 0 ||
          (nan_equal && isnan(first) && isnan(then)))
        continue;
      snprintf(what, DC_TEXT, "%s[%lld] is %.*g, then %.*g %s", dc_out(op, o)->name, (long long)i,
               wide ? 17 : 9, first, wide ? 17 : 9, then, between);
      return 1;
    }
  }
  return 0;
}

/* The same of the repetition, which takes the place of run 0. */
static int judge_again(bench *t, int backend, const char *variant)
{
  const int full = t->full;
  const outputs first = t->out[backend][0];
  t->out[backend][0] = t->out[backend][1];
  t->out[backend][1] = first;
  t->full = 0;
  int r = judge(t, backend, variant);
  t->full = full;
  return r;
}

/* Whether an output may take the place of an input. */
static int has_place(const dc_lab *l, const dc_op *op)
{
  if (l->o->foreign) /* that is for it to say, and then it is so in every run */
    return 0;
  for (int o = 0; o < op->n_out; o++)
    if (op->glue->replaces[o])
      return 1;
  return 0;
}

/* Three runs of a variant, a fourth in place, and the verdict; 1 on a fault, -1 on an error. *ran: see dc_execute. */
static int check_variant(bench *t, int backend, const char *variant, const char **ran)
{
  static const struct {
    unsigned poison;
    int stream;
    uint64_t schedule;
    int in_place;
    dc_fault fault;
    const char *between;
  } again[] = {{0, 0, 2, 0, DC_UNORDERED, "under another schedule"},
               {1, 1, 3, 0, DC_STALE,
                "over other poison, on another stream: it depends on what memory held before"},
               {0, 0, 4, 1, DC_IN_PLACE, "in place: in the memory of the input that it replaces"}};
  int n_again = has_place(t->l, t->p->c.op) ? 3 : 2;
  const int unordered = t->l->o->foreign && t->l->o->foreign->unordered;
  const pm_backend *b = t->l->o->backend[backend];
  dc_memory *m = t->l->memory[backend];
  outputs *run = t->out[backend];
  dc_way way = {.variant = variant, .schedule = 1, .wide = run[0].d};
  char what[DC_TEXT];
  dc_error why = {""};
  dc_fault f = dc_execute(m, t->p, &way, run[0].f, ran, &why);
  if (f != DC_NO_FAULT) /* no memory, a failed upload: nothing ran, and no variant is to blame */
    return not_run(t, f, b->name, *ran, &why);
  if (!*ran)
    return 0;
  t->f->runs++;
  for (int i = 0; i < n_again; i++) {
    const char *ran_again;
    way = (dc_way){*ran,
                   again[i].poison,
                   again[i].stream,
                   again[i].schedule,
                   again[i].in_place,
                   i == 0 && dc_work(&t->p->c) <= WATCH_COST,
                   run[1].d};
    f = dc_execute(m, t->p, &way, run[1].f, &ran_again, &why);
    t->f->runs++;
    if (f == DC_NO_FAULT && !ran_again)
      return fault(t, DC_LAUNCH, b->name, *ran, "the variant ran once, then was unsuited");
    if (f != DC_NO_FAULT)
      return not_run(t, f, b->name, *ran, &why);
    if (unordered) { /* it must be right each time */
      int r = judge_again(t, backend, *ran);
      if (r)
        return r;
      continue;
    }
    /* kernels that are compiled otherwise may add the operands of a sum the other way round: another NaN */
    if (differ(t, &run[0], &run[1], way.watched, again[i].between, what))
      return fault(t, again[i].fault, b->name, *ran, what);
  }
  if (!row(b, t->p->c.op->name, *ran))
    return fault(t, DC_LAUNCH, b->name, *ran, "the variant that ran has no row in the table");
  t->f->ran++;
  for (int i = 0; i < t->n_variants; i++)
    t->f->variants |= (unsigned)(strcmp(t->variant[i], *ran) == 0) << i;
  return judge(t, backend, *ran);
}

/* A case of many GiB is run with the launcher's choice alone. The simulator's time is short: beside
 * the launcher's choice it takes one more variant of a middling case, another one from case to
 * case, and none of a large case, where a block for each of 10^5 short rows would take it minutes.
 * A GPU runs every variant of every other case. Each variant has cases of its own besides: aim.c. */
static int passed_over(const bench *t, int backend, int variant, int n_variants)
{
  double work = dc_work(&t->p->c);
  size_t bytes;
  if (variant < 0)
    return 0;
  if (dc_case_bytes(&t->p->c, &bytes, NULL) || bytes > HUGE_BYTES)
    return 1;
  if (strcmp(t->l->o->backend[backend]->name, "sim") != 0)
    return 0;
  return work > SIM_LARGE ||
         (work > SIM_MIDDLING && t->p->c.seed % (uint64_t)n_variants != (uint64_t)variant);
}

/* One variant on every back end, and the back ends against each other. It is number i of n; -1
 * where it must run. */
static int check_everywhere(bench *t, const char *variant, int i, int n,
                            const char *ran[DC_BACKENDS])
{
  char what[DC_TEXT];
  for (int b = 0; b < t->l->o->n_backends; b++) {
    if (passed_over(t, b, i, n))
      continue;
    int r = check_variant(t, b, variant, &ran[b]);
    if (r)
      return r;
  }
  for (int b = 1; b < t->l->o->n_backends; b++) {
    if (!ran[0] || !ran[b] || strcmp(ran[0], ran[b]) != 0)
      continue;
    t->f->compared++;
    if (differ(t, &t->out[0][0], &t->out[b][0], 1, "on the other back end", what)) {
      char both[12];
      snprintf(both, sizeof both, "%s/%s", t->l->o->backend[0]->name, t->l->o->backend[b]->name);
      return fault(t, DC_BACKENDS_DIFFER, both, ran[b], what);
    }
  }
  return 0;
}

int dc_variants(const dc_options *o, const dc_op *op, const char *name[DC_VARIANTS])
{
  int n = 0;
  for (int b = 0; b < o->n_backends; b++)
    for (int i = 0; i < o->backend[b]->n_kernels; i++) {
      const pm_kernel *k = &o->backend[b]->kernels[i];
      int known = strcmp(k->op, op->name) != 0;
      for (int j = 0; j < n && !known; j++)
        known = strcmp(name[j], k->variant) == 0;
      if (!known && n < DC_VARIANTS)
        name[n++] = k->variant;
    }
  return n;
}

static int check_variants(bench *t)
{
  const dc_case *c = &t->p->c;
  const char *chosen[DC_BACKENDS] = {NULL};
  if (c->variant[0])
    return check_everywhere(t, c->variant, -1, 0, chosen);
  int r = check_everywhere(t, NULL, -1, 0, chosen);
  for (int i = 0, n = t->n_variants; i < n && !r; i++) {
    const char *ran[DC_BACKENDS] = {NULL};
    int done = 1;
    for (int b = 0; b < t->l->o->n_backends; b++)
      done &= chosen[b] && strcmp(chosen[b], t->variant[i]) == 0;
    if (!done)
      r = check_everywhere(t, t->variant[i], i, n, ran);
  }
  if (!r && !t->f->ran)
    r = fault(t, DC_NO_VARIANT, t->l->o->backend[0]->name, "", "no variant can run on this case");
  return r;
}

/* A kernel that is not ours, once more: on other data of the same sizes, at the same addresses, which one
 * that keeps its results for an address, or gives an old one from its n-th call on, does not see. t has its
 * result on the case itself, which is right. */
static int check_other_data(bench *t)
{
  const dc_op *op = t->p->c.op;
  dc_problem other;
  dc_case c = t->p->c;
  const char *ran;
  char what[DC_TEXT];
  dc_error why = {""};
  memset(c.given, 0, sizeof c.given);
  c.seed ^= OTHER_DATA;
  if (c.values == DC_ZEROS || c.values == DC_EQUAL || c.values == DC_ONES)
    c.values = DC_UNIFORM; /* which are the same data every time */
  for (int i = 0; i < op->n_in; i++) {
    c.keep_lo[i] = 0;
    c.keep_hi[i] = -1;
  }
  if ((t->status = dc_problem_make(&other, &c, t->err)) != DC_OK)
    return -1;
  bench u = *t;
  dc_finding seen = {.fault = DC_NO_FAULT};
  dc_verdict_init(&seen.verdict);
  dc_way way = {.variant = t->l->o->foreign->b->kernels[0].variant, .schedule = 1};
  u.p = &other;
  u.f = &seen;
  u.full = u.loaded = u.bounded = 0;
  u.out[0][0] = t->out[0][1];
  u.out[0][1] = t->out[0][0];
  way.wide = u.out[0][0].d;
  dc_fault f = dc_execute(t->l->memory[0], &other, &way, u.out[0][0].f, &ran, &why);
  t->f->runs++;
  int r =
      f != DC_NO_FAULT ? not_run(t, f, t->l->o->backend[0]->name, ran, &why) : judge(&u, 0, ran);
  t->status = u.status ? u.status : t->status;
  if (f == DC_NO_FAULT && r > 0) {
    int old = !differ(&u, &u.out[0][0], &u.out[0][1], 1, "", what);
    snprintf(what, sizeof what, "right, and then wrong on other data at the same addresses%s",
             old ? ": it gives the old result" : "");
    t->f->verdict.worst = seen.verdict.worst;
    t->f->around = seen.around;
    t->f->verdict.failed = 1;
    fault(t, DC_OTHER_DATA, t->l->o->backend[0]->name, ran, what);
  }
  dc_problem_free(&other);
  return r;
}

/* Sizes on which two more tensors of each kind are no burden. */
static int worth_adjoint(const dc_problem *p)
{
  int64_t n = 0;
  for (int t = 0; t < p->c.op->n_in + p->c.op->n_out; t++)
    n += p->count[t];
  return p->exact && n <= 1 << 24;
}

/* Sizes on which the reference's derivative is worth a few more references. */
static int worth_difference(const dc_case *c)
{
  for (int t = 0; t < c->op->n_in; t++)
    if (c->given[t])
      return 0;
  return c->op->is_vjp && c->values == DC_UNIFORM && c->cotangent == DC_UNIFORM &&
         dc_work(c) <= 4096;
}

dc_status dc_check_case(dc_lab *l, const dc_case *c, int full, dc_finding *f, dc_error *err)
{
  dc_problem p;
  dc_error scratch = {""};
  *f = (dc_finding){.fault = DC_NO_FAULT};
  dc_verdict_init(&f->verdict);
  const dc_foreign *foreign = l->o->foreign;
  dc_status st = dc_case_check(c, l->o->limit_bytes, err);
  if (!st && foreign && !foreign->suits(foreign, c)) /* it need not take the case */
    return DC_OK;
  if (!st)
    st = dc_problem_make(&p, c, err);
  if (st)
    return st;
  bench t = {.l = l, .p = &p, .f = f, .err = err ? err : &scratch, .full = full};
  t.n_variants = dc_variants(l->o, c->op, t.variant);
  st = room(&t);
  int r = st ? 0 : check_variants(&t);
  if (!st && !r && foreign && f->ran)
    r = check_other_data(&t);
  if (r < 0)
    st = t.status ? t.status : DC_NO_MEMORY;
  f->exact = !st && !r && f->ran && p.exact;
  if (f->exact && !foreign && worth_adjoint(&p)) { /* which asks the other op's kernels too */
    for (int b = 0; b < l->o->n_backends && !st && f->fault == DC_NO_FAULT; b++)
      st = dc_check_adjoint(l, b, &p, f, err);
  }
  if (!st && f->fault == DC_NO_FAULT && f->ran && worth_difference(c))
    st = dc_check_difference(&p, f, err);
  dc_problem_free(&p);
  return st;
}
