/* Shrinking: a failing case is made smaller while it still fails: sizes, then attributes and
 * flags, then values towards small integers and zeros. */
#include "worker.h"

typedef struct shrinker {
  dc_lab *l;
  dc_case *best;
  dc_finding *f;
  int tries, limit;
  double until;
} shrinker;

/* Faults that may stand for each other while shrinking: all that name a wrong element. */
static int alike(dc_fault a, dc_fault b)
{
  const unsigned element = 1u << DC_BOUND_EXCEEDED | 1u << DC_BITS_DIFFER | 1u << DC_KIND_DIFFERS;
  return a == b || ((element >> a & 1) && (element >> b & 1));
}

/* Takes the candidate where it fails as well; 1 when it did. */
static int attempt(shrinker *s, const dc_case *candidate)
{
  dc_finding f;
  if (s->tries >= s->limit || dc_now() > s->until || dc_case_same(candidate, s->best) ||
      dc_case_check(candidate, s->l->o->limit_bytes, NULL))
    return 0;
  s->tries++;
  if (dc_check_case(s->l, candidate, 0, &f, NULL) || !alike(f.fault, s->f->fault))
    return 0;
  *s->best = *candidate;
  *s->f = f;
  return 1;
}

static int has_given(const dc_case *c)
{
  for (int t = 0; t < c->op->n_in; t++)
    if (c->given[t])
      return 1;
  return 0;
}

/* The op's own simpler cases: an axis fewer. */
static int shrink_shape(shrinker *s)
{
  int any = 0;
  for (int k = 0; s->best->op->glue->simpler; k++) {
    dc_case c = *s->best;
    if (!s->best->op->glue->simpler(k, c.size, c.attr))
      break;
    if (attempt(s, &c)) {
      any = 1;
      k = -1;
    }
  }
  return any;
}

/* An integer attribute towards its default: at once, else by halving the way. */
static int shrink_integer(shrinker *s, int i)
{
  int any = 0;
  const dc_op *op = s->best->op;
  double low = op->glue->attr_default[i];
  while (op->glue->attr[i] == DC_ATTR_INTEGER && s->best->attr[i] > low + 1) {
    dc_case c = *s->best;
    c.attr[i] = floor(low + (s->best->attr[i] - low) / 2);
    if (attempt(s, &c))
      any = 1;
    else
      low = c.attr[i];
  }
  return any;
}

/* The smallest size of a dim that fails: 0 and 1 at once, else by halving, then one by one. */
static int shrink_size(shrinker *s, int dim)
{
  int any = 0;
  int64_t low = 0;
  for (int64_t n = 0; n < 2 && n < s->best->size[dim]; n++) {
    dc_case c = *s->best;
    c.size[dim] = n;
    if (attempt(s, &c))
      return 1;
    low = n;
  }
  while (s->best->size[dim] > low + 1) {
    dc_case c = *s->best;
    c.size[dim] = low + (s->best->size[dim] - low) / 2;
    if (attempt(s, &c))
      any = 1;
    else
      low = c.size[dim];
  }
  return any;
}

static int shrink_sizes(shrinker *s)
{
  int any = shrink_shape(s);
  for (int i = 0; i < s->best->op->n_dims; i++)
    any |= shrink_size(s, i);
  return any;
}

static int shrink_flags(shrinker *s)
{
  int any = 0;
  const dc_op *op = s->best->op;
  for (int i = 0; i < op->n_attrs; i++) {
    dc_case c = *s->best;
    c.attr[i] = op->glue->attr_default[i];
    any |= attempt(s, &c);
    any |= shrink_integer(s, i);
  }
  dc_case c = *s->best;
  c.accumulate = 0;
  any |= attempt(s, &c);
  for (int t = 0; t < op->n_in + op->n_out; t++) {
    c = *s->best;
    c.misaligned &= ~(1u << t);
    any |= attempt(s, &c);
    for (int gap = 0; gap < 2 && gap < s->best->gap[t]; gap++) {
      c = *s->best;
      c.gap[t] = gap;
      any |= attempt(s, &c);
    }
  }
  return any;
}

/* The simplest class that fails as well, tried in order; field is the class's place in a case. */
static int simplify(shrinker *s, size_t field, const int *simpler, int n)
{
  for (int i = 0; i < n; i++) {
    dc_case c = *s->best;
    int *class = (int *)((char *)&c + field);
    if (*class == simpler[i])
      return 0;
    *class = simpler[i];
    if (attempt(s, &c))
      return 1;
  }
  return 0;
}

static int shrink_classes(shrinker *s)
{
  static const int values[] = {DC_ONES, DC_INTEGERS, DC_UNIFORM};
  static const int indices[] = {DC_IX_SORTED, DC_IX_RANDOM};
  const dc_op *op = s->best->op;
  int any = 0;
  if (dc_has_values(op))
    any |= simplify(s, offsetof(dc_case, values), values, 3);
  if (op->is_vjp)
    any |= simplify(s, offsetof(dc_case, cotangent), values, 3);
  if (dc_index_tensor(op) >= 0)
    any |= simplify(s, offsetof(dc_case, indices), indices, 2);
  return any;
}

/* The shortest run of elements of an input outside which it can be 0. */
static void shrink_kept(shrinker *s, int t)
{
  int64_t n = dc_count(s->best->op, t, s->best->size, s->best->attr);
  if (n < 1)
    return;
  dc_case c = *s->best;
  c.keep_lo[t] = c.keep_hi[t] = 0;
  if (attempt(s, &c))
    return;
  c = *s->best;
  c.keep_lo[t] = 0;
  c.keep_hi[t] = n;
  int64_t step = (n + 1) / 2;
  for (;;) {
    dc_case d = c;
    d.keep_hi[t] -= step;
    if (d.keep_hi[t] > d.keep_lo[t] && attempt(s, &d)) {
      c = d;
      continue;
    }
    d = c;
    d.keep_lo[t] += step;
    if (d.keep_lo[t] < d.keep_hi[t] && attempt(s, &d)) {
      c = d;
      continue;
    }
    if (step == 1 || s->tries >= s->limit)
      return;
    step /= 2;
  }
}

/* A launch that gives no answer costs all the time that it may take, so while shrinking that is short.
 * What is left must then give none in the full time either. */
static void hurry(const dc_lab *l, double seconds)
{
  for (int b = 0; b < l->o->n_backends; b++)
    if (l->o->worker[b])
      dc_worker_hurry(l->o->worker[b], seconds);
}

static void shrink(shrinker *s)
{
  const dc_case *c = s->best;
  if (s->f->variant[0] && !c->variant[0]) { /* one variant is enough */
    dc_case only = *c;
    snprintf(only.variant, sizeof only.variant, "%s", s->f->variant);
    attempt(s, &only);
  }
  /* the caller's own tensors have their sizes and values */
  if (!has_given(c))
    while (shrink_sizes(s))
      ;
  if (shrink_flags(s) && !has_given(c))
    shrink_sizes(s); /* a part of an axis: its start, then the axis */
  if (!has_given(c)) {
    if (shrink_classes(s))
      shrink_sizes(s);
    for (int t = 0; t < c->op->n_in; t++)
      if (c->op->tensor[t].dtype == DC_F32)
        shrink_kept(s, t);
  }
}

int dc_shrink(dc_lab *l, dc_case *c, dc_finding *f, int tries)
{
  const int hangs = f->fault == DC_HANG;
  const dc_case found = *c;
  const dc_finding first = *f;
  shrinker s = {.l = l, .best = c, .f = f, .limit = tries, .until = dc_now() + (hangs ? 30 : 20)};
  hurry(l, hangs ? 1 : 5);
  shrink(&s);
  hurry(l, 0);
  if (hangs && !dc_case_same(c, &found) &&
      (dc_check_case(l, c, 0, f, NULL) || f->fault != DC_HANG)) {
    *c = found;
    *f = first;
  }
  return s.tries;
}
