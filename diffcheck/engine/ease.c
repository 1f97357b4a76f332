/* A slice's bound at a declared arithmetic. What is beyond IEEE arithmetic is turned into what the proven
 * bounds have: roundings, heights, ulps, another unit roundoff, another smallest number; or it is added to
 * them. docs/arith.md has the argument for each. */
#include "arith.h"
#include "engine.h"

#define TINY 0x1p-126     /* what is flushed is smaller */
#define LONGEST_EXP 104.0 /* from this argument on exp is 0 or overflows in f32 */

static double max(double a, double b) { return a > b ? a : b; }

static int is_reduced(const dc_op *op, int o)
{
  return op->classes[o] == 'S' || op->glue->reduced[o].dim >= 0 || op->glue->summed != NULL;
}

/* Quotients and roots: more roundings of what is divided, a sum; without one a larger unit roundoff. */
static void ease_quotients(const dc_op *op, const pm_arith *d, arith *a)
{
  double k =
      max(op->glue->uses & DC_DIVIDES ? d->k_div : 0, op->glue->uses & DC_ROOTS ? d->k_sqrt : 0);
  if (d->k_div + d->k_sqrt > 0)
    a->k_rsqrt = max(a->k_rsqrt, d->k_div + d->k_sqrt + 0.5);
  if (op->glue->terms) {
    a->h += 2 * k;
    a->h2 += 2 * k;
  } else
    a->u *= 2 * k + 1;
}

static void ease_exp(const dc_op *op, const pm_arith *d, arith *a)
{
  double more = LONGEST_EXP * d->exp_slope;
  if (op->glue->uses & DC_SHIFTS) {
    a->alpha += 2 * d->exp_slope;
    return;
  }
  if (op->glue->uses & DC_EXPS)
    return;
  a->k_exp += more;
  a->k_expm1 += more;
  a->k_sigmoid += more;
  a->k_softplus += more;
}

/* (1 + v)^2 <= (1 + u)^(2 v / u) for v >= u, by Bernoulli's inequality: so many roundings each product has more
 * if its factors are rounded to v. Tensor cores cut off the sums that they make: two roundings an addition. */
static void ease_product(const pm_arith *d, arith *a)
{
  /* hardware may cut tf32 off: twice the error */
  double v = dc_format_u(d->product) * (d->product == PM_TF32 ? 2 : 1);
  if (d->product == PM_F32)
    return;
  a->h = 2 * a->h + 2 * v / a->u;
  a->h2 = 2 * a->h2 + 2 * v / a->u;
}

/* What the proven bound is asked with. */
static arith arithmetic(const dc_op *op, const int64_t *size, const double *attr, const pm_arith *d)
{
  arith a = {.u = 0x1p-24,
             .eta = 0x1p-150,
             .big = FLT_MAX,
#define ULPS(name, undeclared) .k_##name = d->k_##name,
#include "../../spec/elementary.def"
             .alpha = d->alpha,
             .h = d->height[0],
             .h2 = d->height[1]};
  ease_quotients(op, d, &a);
  ease_exp(op, d, &a);
  if (op->glue->uses & DC_FACTORS)
    ease_product(d, &a);
  /* an operation, and, where its result is a term of a sum, the addition too */
  if (d->flush)
    a.eta = 2 * TINY;
  if (d->flush && op->glue->uses & DC_PLAIN)
    a.eta *= max(1, (double)op->glue->terms(size, attr, 0));
  return a;
}

/* ---- the shift of a row ---- */

/* Roundings that the quotient of two exponentials about the row's maximum m has, each exponent off by
 * shift u |m|: exp(t u) <= (1 + u)^(t (1 + u)), twice. */
static double shift_of(const dc_op *op, const dc_call *c, int64_t row, int64_t cols, double shift)
{
  const double *x = c->x[0] + row * cols;
  const double *mask = op->n_in > 1 && op->glue->domain[1] == DC_MASK ? c->x[1] + row * cols : NULL;
  double m = -INFINITY;
  for (int64_t i = 0; i < cols; i++)
    if (x[i] > m && (!mask || mask[i] == 0))
      m = x[i];
  return isfinite(m) ? 2 * shift * fabs(m) * (1 + 0x1p-20) : 0;
}

static void bound_shifted(const dc_slice *s, const dc_op *op, const dc_call *c, arith a,
                          double shift, double *const *e)
{
  int64_t rows = s->size[0], cols = s->size[1];
  double h = a.h, most = 0;
  if (!op->glue->cut) { /* rows hang together */
    for (int64_t r = 0; r < rows; r++)
      most = max(most, shift_of(op, c, r, cols, shift));
    a.h += most;
    op->glue->bound(c, a, e);
    return;
  }
  for (int64_t r = 0; r < rows; r++) {
    int64_t size[DC_DIMS];
    double *out[DC_OUTPUTS] = {NULL};
    dc_call one = *c;
    memcpy(size, c->size, sizeof size);
    size[0] = 1;
    one.size = size;
    one.from = c->from + r;
    for (int t = 0; t < op->n_in; t++)
      one.x[t] = c->x[t] ? c->x[t] + r * (s->count[t] / rows) : NULL;
    for (int o = 0; o < op->n_out; o++)
      out[o] = e[o] ? e[o] + r * (s->count[op->n_in + o] / rows) : NULL;
    a.h = h + shift_of(op, c, r, cols, shift);
    op->glue->bound(&one, a, out);
  }
}

/* ---- the bound of one reading of the inputs ---- */

static void each_larger(int64_t n, double *e, const double *other)
{
  for (int64_t i = 0; i < n; i++)
    if (!isnan(e[i]) && !(other[i] <= e[i]))
      e[i] = other[i];
}

static void bound(const dc_slice *s, const dc_problem *p, const dc_call *c, double *const *e,
                  double *const *scratch)
{
  const dc_op *op = p->c.op;
  const pm_arith *d = &s->declared;
  arith a = arithmetic(op, p->c.size, p->c.attr, d);
  if (op->glue->uses & DC_SHIFTS && d->shift > 0)
    bound_shifted(s, op, c, a, d->shift, e);
  else
    op->glue->bound(c, a, e);
  if (d->joined && op->glue->joined) {
    op->glue->joined(c, a, d->k_div, scratch);
    for (int o = 0; o < op->n_out; o++)
      if (e[o])
        each_larger(s->count[op->n_in + o], e[o], scratch[o]);
  }
}

/* ---- what is added ---- */

static void add(int64_t n, double *e, double more)
{
  for (int64_t i = 0; i < n; i++)
    e[i] += more;
}

/* f16 has no numbers below 2^-24, and none above 65504: a factor may be off by 2^-25, and what it is multiplied
 * with counts. The reference, with that for the one factor and magnitudes for the other, sums it up. */
static void add_f16(dc_slice *s, const dc_op *op, const dc_call *c, double *const *scratch)
{
  int last = op->n_in - 1;
  double *turned[DC_TENSORS] = {NULL};
  dc_call k = *c;
  size_t need = 0;
  for (int t = 0; t < op->n_in; t++)
    need += (size_t)s->count[t];
  double *mem = malloc((need + 1) * sizeof *mem), *at = mem;
  int beyond = mem == NULL;
  for (int t = 0; t < op->n_in && mem; t++) {
    k.x[t] = turned[t] = at;
    at += s->count[t];
    for (int64_t i = 0; i < s->count[t]; i++)
      beyond |= fabs(c->x[t][i]) > dc_format_big(PM_F16);
  }
  for (int turn = 0; turn < 2 && mem && !beyond; turn++) {
    for (int t = 0; t < op->n_in; t++)
      for (int64_t i = 0; i < s->count[t]; i++)
        turned[t][i] = (t == last) == turn ? 0x1p-25 : fabs(c->x[t][i]) + 0x1p-25;
    op->glue->reference(&k, scratch);
    for (int o = 0; o < op->n_out; o++)
      for (int64_t i = 0; i < s->count[op->n_in + o]; i++)
        s->e[o][i] += fabs(scratch[o][i]) * (1 + 0x1p-9);
  }
  for (int o = 0; o < op->n_out && beyond; o++)
    add(s->count[op->n_in + o], s->e[o], VACUOUS);
  free(mem);
}

static void add_to(dc_slice *s, const dc_problem *p, const dc_call *c, double *const *scratch)
{
  const dc_op *op = p->c.op;
  const pm_arith *d = &s->declared;
  for (int o = 0; o < op->n_out; o++) {
    int64_t n = s->count[op->n_in + o];
    if (!s->e[o])
      continue;
    /* each term, and the sum after it, may be flushed */
    if ((d->flush || d->atomics) && is_reduced(op, o) && op->glue->terms)
      add(n, s->e[o], (double)op->glue->terms(p->c.size, p->c.attr, o) * 2 * TINY * (1 + 0x1p-10));
    if (o == 0 && op->glue->uses & DC_LOGS)
      add(n, s->e[o], d->log_error * (1 + 0x1p-10));
  }
  if (op->glue->uses & DC_EXPS)
    for (int64_t i = 0; i < s->count[op->n_in]; i++)
      s->e[0][i] +=
          pair_gam(0x1p-24, 2 * d->exp_slope * fabs(c->x[0][i])) * s->y[0][i] * (1 + 0x1p-20);
  if (op->glue->uses & DC_FACTORS && d->product == PM_F16)
    add_f16(s, op, c, scratch);
}

/* ---- inputs that are flushed ---- */

/* Whether an input has a subnormal number. */
static int subnormal(const dc_slice *s, int n_in)
{
  for (int t = 0; t < n_in; t++)
    for (int64_t i = 0; s->x[t] && i < s->count[t]; i++)
      if (s->x[t][i] != 0 && fabs(s->x[t][i]) < TINY)
        return 1;
  return 0;
}

/* An instruction that flushes takes a subnormal input for 0, one that moves or compares it may not: a
 * kernel's number is right by either reading of its inputs. */
static dc_status flush_inputs(dc_slice *s, const dc_problem *p, double *const *scratch,
                              dc_error *err)
{
  const dc_op *op = p->c.op;
  dc_call c = dc_slice_call(s, p);
  size_t need = 0;
  for (int t = 0; t < op->n_in; t++)
    need += s->x[t] ? (size_t)s->count[t] : 0;
  double *mem = malloc((need + 1) * sizeof *mem), *at = mem;
  if (!mem)
    return dc_fail(err, DC_NO_MEMORY, "%s: no memory for its inputs, flushed", op->name);
  for (int t = 0; t < op->n_in; t++) {
    c.x[t] = s->x[t] ? at : NULL;
    for (int64_t i = 0; s->x[t] && i < s->count[t]; i++)
      *at++ = fabs(s->x[t][i]) < TINY ? copysign(0, s->x[t][i]) : s->x[t][i];
  }
  size_t n = 1;
  double *kept[DC_OUTPUTS] = {NULL};
  for (int o = 0; o < op->n_out; o++)
    n += (size_t)s->count[op->n_in + o];
  double *bounds = malloc(n * sizeof *bounds);
  if (!bounds) {
    free(mem);
    return dc_fail(err, DC_NO_MEMORY, "%s: no memory for a second bound", op->name);
  }
  at = bounds;
  for (int o = 0; o < op->n_out; o++) {
    kept[o] = s->e[o] ? at : NULL;
    at += s->count[op->n_in + o];
  }
  if (op->glue->bound)
    bound(s, p, &c, kept, scratch);
  op->glue->reference(&c, s->flushed);
  for (int o = 0; o < op->n_out; o++)
    for (int64_t i = 0; kept[o] && i < s->count[op->n_in + o]; i++) {
      double e = fabs(s->flushed[o][i] - s->y[o][i]) + kept[o][i];
      if (isfinite(s->y[o][i]) && !isnan(s->e[o][i]) && !(e <= s->e[o][i]))
        s->e[o][i] = e < VACUOUS ? e : VACUOUS;
    }
  free(bounds);
  free(mem);
  return DC_OK;
}

/* Room for another value of each output element, twice. */
static dc_status room(dc_slice *s, const dc_op *op, double *scratch[DC_OUTPUTS], dc_error *err)
{
  size_t need = 1;
  for (int o = 0; o < op->n_out; o++)
    need += 2 * (size_t)s->count[op->n_in + o];
  if (need > s->more_cap) {
    free(s->more);
    s->more_cap = 0;
    s->more = malloc(need * sizeof *s->more);
    if (!s->more)
      return dc_fail(err, DC_NO_MEMORY, "%s: no memory for a second bound of %zu elements",
                     op->name, need);
    s->more_cap = need;
  }
  double *at = s->more;
  for (int o = 0; o < op->n_out; o++) {
    scratch[o] = at;
    s->flushed[o] = at + s->count[op->n_in + o];
    at += 2 * s->count[op->n_in + o];
  }
  return DC_OK;
}

dc_status dc_slice_bound(dc_slice *s, const dc_problem *p, const pm_arith *declared, dc_error *err)
{
  const dc_op *op = p->c.op;
  double *scratch[DC_OUTPUTS] = {NULL};
  if (declared)
    s->declared = *declared;
  else
    dc_undeclared(op, p->c.size, p->c.attr, &s->declared);
  for (int i = 0; i < 2 && s->into && p->c.accumulate; i++)
    s->declared.height[i]++; /* it is a term more */
  const pm_arith *d = &s->declared;
  dc_call c = dc_slice_call(s, p);
  for (int o = 0; o < op->n_out; o++)
    s->flushed[o] = NULL;
  if ((d->joined && op->glue->joined) || d->flush || d->product == PM_F16) {
    dc_status status = room(s, op, scratch, err);
    if (status)
      return status;
  }
  if (op->glue->bound) {
    bound(s, p, &c, s->e, scratch);
    add_to(s, p, &c, scratch);
  }
  if (d->flush && subnormal(s, op->n_in)) {
    dc_status status = flush_inputs(s, p, scratch, err);
    if (status)
      return status;
  } else
    for (int o = 0; o < op->n_out; o++)
      s->flushed[o] = NULL;
  for (int o = 0; o < op->n_out; o++)
    for (int64_t i = 0; s->e[o] && i < s->count[op->n_in + o]; i++)
      s->e[o][i] += s->own[o][i];
  return DC_OK;
}

dc_status dc_slice_judge(dc_slice *s, const dc_problem *p, int64_t k, const pm_arith *declared,
                         float *const *f, double *const *d, dc_verdict *v, dc_error *err)
{
  dc_status status = dc_slice_load(s, p, k, err);
  if (!status)
    status = dc_slice_bound(s, p, declared, err);
  for (int o = 0; o < p->c.op->n_out && !status; o++) {
    dc_band b;
    dc_slice_band(s, p, o, &b);
    if (f[o])
      dc_judge(&b, f[o] + b.first, &v[o]);
    else if (d[o])
      dc_judge_wide(&b, d[o] + b.first, &v[o]);
  }
  return status;
}

dc_status dc_allow(const dc_problem *p, const pm_arith *declared, double *const *want,
                   double *const *e, dc_error *err)
{
  dc_slice s = {.mem = NULL};
  dc_status status = DC_OK;
  for (int64_t k = 0; k < dc_n_slices(p) && !status; k++) {
    status = dc_slice_load(&s, p, k, err);
    if (!status && e)
      status = dc_slice_bound(&s, p, declared, err);
    for (int o = 0; o < p->c.op->n_out && !status; o++) {
      dc_band b;
      dc_slice_band(&s, p, o, &b);
      for (int64_t i = 0; i < b.count; i++) {
        want[o][b.first + i] = b.v[i];
        if (e)
          dc_allowed(&b, i, &want[o][b.first + i], &e[o][b.first + i]);
      }
    }
  }
  dc_slice_free(&s);
  return status;
}
