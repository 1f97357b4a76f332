/* Rounding, to the end of a graph: each element's own bound, times the cotangent that it has. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/arith.h"
#include "kernels.h"

#define SLACK (1 + 0x1p-20) /* for the sums themselves, which are of f64 */

typedef struct propagation {
  const dc_arith *arith; /* in place of what kernels declare; NULL: that */
  pmr_propagated sum;
} propagation;

/* ---- the arithmetic ---- */

/* Of kernels any of which may run; those that round to the same formats are joined. */
typedef struct ariths {
  pm_arith of[PM_N_FORMATS * PM_N_FORMATS];
  int n;
} ariths;

static void take(ariths *all, const pm_arith *one)
{
  for (int i = 0; i < all->n; i++)
    if (dc_arith_join(&all->of[i], one))
      return;
  all->of[all->n++] = *one;
}

/* Of every variant of ours that may run: which one does may hang on the device. */
static void of_ours(const context *c, const dc_case *k, ariths *all)
{
  const pm_backend *b = c->device ? c->device : &pm_sim;
  in_device_lock(); /* the simulator is asked */
  for (int i = 0; i < b->n_kernels; i++) {
    const pm_kernel *row = &b->kernels[i];
    if (strcmp(row->op, k->op->name) != 0 ||
        strncmp(row->when, PM_BY_NAME, strlen(PM_BY_NAME)) == 0 || !dc_suits(k, row->variant))
      continue;
    const pm_arith one = dc_declared(k, b, row->variant);
    take(all, &one);
  }
  in_device_unlock();
  if (!all->n)
    dc_undeclared(k->op, k->size, k->attr, &all->of[all->n++]);
}

static void declared(const context *c, const propagation *w, const dc_case *k, ariths *all)
{
  const other *its = kernels_for_case(c, k);
  all->n = 0;
  if (its)
    all->of[all->n++] = kernels_declared(its, k);
  else
    of_ours(c, k, all);
  for (int i = 0; w->arith && i < all->n; i++)
    dc_arith_at(w->arith, k->op, k->size, k->attr, &all->of[i]);
}

/* ---- one call ---- */

static double times(double cotangent, double e)
{
  double x = e < VACUOUS ? fabs(cotangent) * e : INFINITY;
  return isnan(x) ? INFINITY : x;
}

/* How far element i may be off: on a device, and on the reference. Rounding is taken as relative, so that it changes
 * little where the value does. */
static void local(const dc_band *b, const double *own, int64_t i, double *device, double *ref)
{
  const double v = b->v[i];
  double want, e;
  dc_allowed(b, i, &want, &e);
  if (!isfinite(v)) {
    *device = *ref = e == 0 ? 0 : INFINITY;
    return;
  }
  const double half = b->cls == 'E' ? fabs((double)(float)v - v) : 0x1p-24 * fabs(v) + 0x1p-150;
  *device = dc_bounded(b->cls) ? e : e + half + (b->cls == 'E' ? 0 : dc_stored_error(b, fabs(v)));
  *ref = half + (own ? own[i] : 0);
}

/* Of kernels of that arithmetic: most[i] is what element i may be off at the least from now on. */
static dc_status widen(const dc_problem *p, const pm_arith *a, const float *cotangent,
                       double *reference, double *most, dc_error *err)
{
  dc_slice s = {.mem = NULL};
  dc_status st = DC_OK;
  *reference = 0;
  for (int64_t k = 0, n = dc_n_slices(p); k < n && !st; k++) {
    dc_band b;
    st = dc_slice_load(&s, p, k, err);
    if (!st)
      st = dc_slice_bound(&s, p, a, err);
    if (st)
      break;
    dc_slice_band(&s, p, 0, &b);
    for (int64_t i = 0; i < b.count; i++) {
      double device, ref, *to = &most[b.first + i];
      local(&b, s.own[0], i, &device, &ref);
      *to = fmax(*to, device < VACUOUS ? device : INFINITY);
      *reference += times(cotangent[b.first + i], ref);
    }
  }
  dc_slice_free(&s);
  return st;
}

static dc_status sum_up(const dc_problem *p, const ariths *all, int64_t count,
                        const float *cotangent, propagation *w, double *share, dc_error *err)
{
  double reference = 0, *most = calloc((size_t)count + 1, sizeof *most);
  if (!most)
    return dc_fail(err, DC_NO_MEMORY, "%s: no memory for the bounds of %lld elements",
                   p->c.op->name, (long long)count);
  dc_status st = DC_OK;
  for (int i = 0; i < all->n && !st; i++)
    st = widen(p, &all->of[i], cotangent, &reference, most, err);
  for (int64_t i = 0; i < count && !st; i++) {
    w->sum.unbounded += !(most[i] < VACUOUS);
    *share += times(cotangent[i], most[i]);
  }
  if (!st) {
    w->sum.elements += count;
    w->sum.reference += reference;
  }
  free(most);
  return st;
}

/* The call once more as a case, with its inputs; those of k->given are to be freed. */
static pmr_status case_of(context *c, const node *n, dc_case *k, void *given[DC_TENSORS])
{
  pmr_status r = PMR_OK;
  dc_case_init(k, n->op);
  memcpy(k->size, n->size, sizeof k->size);
  memcpy(k->attr, n->attr, sizeof k->attr);
  for (int t = 0; t < n->op->n_in && !r; t++) {
    const saved *x = &n->value[t];
    if (!x->t)
      return in_fail(PMR_GRADIENT,
                     "error_bound: %s (%s:%d): its bound needs %s, which the tape does not hold: "
                     "pmr_keep_inputs(c, 1) comes before the call",
                     n->op->name, n->file, n->line, n->op->tensor[t].name);
    k->misaligned |= in_off_vector(x->t) << t;
    r = in_as_it_was(n, t, "error bound");
    if (!r)
      r = in_fetch(c, x->t, "error_bound", &given[t]);
  }
  memcpy(k->given, given, sizeof k->given);
  return r;
}

static void note(pmr_propagated *sum, const node *n, double share)
{
  sum->calls++;
  sum->device += share;
  if (sum->calls > 1 && !(share > sum->share))
    return;
  sum->share = share;
  snprintf(sum->op, sizeof sum->op, "%s", n->op->name);
  sum->file = n->file;
  sum->line = n->line;
}

static pmr_status visit(context *c, const node *n, void *arg)
{
  propagation *w = arg;
  dc_case k;
  dc_problem p;
  dc_error err = {""};
  void *given[DC_TENSORS] = {NULL}, *cotangent = NULL;
  double share = 0;
  pmr_status r = case_of(c, n, &k, given);
  if (!r)
    r = in_fetch(c, n->sum, "error_bound", &cotangent);
  if (!r) {
    ariths all;
    declared(c, w, &k, &all);
    dc_status st = dc_problem_make(&p, &k, &err);
    if (!st) {
      st = sum_up(&p, &all, n->sum->count, cotangent, w, &share, &err);
      dc_problem_free(&p);
    }
    r = in_checker_status(st, "error_bound: ", &err);
  }
  if (!r)
    note(&w->sum, n, share);
  free(cotangent);
  for (int t = 0; t < n->op->n_in; t++)
    free(given[t]);
  return r;
}

pmr_status pmr_error_bound(pmr_tensor h, const char *words, pmr_propagated *out)
{
  context *c;
  thing *t;
  dc_arith read;
  dc_error err = {""};
  propagation w = {.arith = NULL};
  if (!out)
    return in_fail(PMR_INVALID, "out is NULL: it must point to a pmr_propagated");
  if (words && dc_arith_read("arith", words, "ieee", &read, &err))
    return in_fail(PMR_INVALID, "error_bound: %.400s", err.text);
  w.arith = words ? &read : NULL;
  pmr_status s = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  if (s)
    return s;
  if (c->recording)
    s = in_fail(PMR_IN_USE, "error_bound: steps are written down, and its sweep would be among "
                            "them: pmr_session_end ends that");
  else if (t->count != 1)
    s = in_fail(PMR_INVALID, "error_bound: tensor has %lld elements, must have 1",
                (long long)t->count);
  else if (!t->made_by)
    s = in_fail(PMR_GRADIENT, "error_bound: tensor was made by no call on the tape");
  else
    s = in_sweep(c, t, NULL, visit, &w);
  if (!s) {
    *out = w.sum;
    out->device *= SLACK;
    out->reference *= SLACK;
  }
  return in_end(c, s);
}
