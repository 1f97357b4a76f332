/* A case's tensors, and the reference and its bounds on them, slice by slice. */
#include "engine.h"
#include "types.h"

enum { SLICE = 1 << 18 }; /* elements of the largest tensor in a slice of a cut op */

/* ---- tensors ---- */

/* The size of the dim that the values of an index tensor run over. */
static int64_t index_limit(const dc_case *c) { return c->size[c->op->glue->index_dim]; }

/* Of an op whose indices must be in range, the first that is not, or -1. */
static int64_t first_outside(const dc_problem *p, int t)
{
  for (int64_t i = 0; p->c.op->glue->within && i < p->count[t]; i++)
    if (p->ix[t][i] < 0 || p->ix[t][i] >= index_limit(&p->c))
      return i;
  return -1;
}

static int small_power_of_two(double a)
{
  int exponent;
  double m = fabs(frexp(a, &exponent));
  return a == 0 || (m == 0.5 && exponent > -4 && exponent < 5);
}

static int all_integers(const dc_case *c)
{
  const dc_op *op = c->op;
  if (!op->glue->linear)
    return 0;
  for (int t = 0; t < op->n_in; t++) {
    dc_values v = dc_is_cotangent(op, t) ? c->cotangent : c->values;
    if (op->tensor[t].dtype == DC_F32 &&
        (c->given[t] || (v != DC_INTEGERS && v != DC_ONES && v != DC_ZEROS)))
      return 0;
  }
  for (int i = 0; i < op->n_attrs; i++)
    if (!dc_attr_is_integer(op, i) && !small_power_of_two(c->attr[i]))
      return 0;
  for (int o = 0; op->glue->terms && o < op->n_out; o++)
    if (op->glue->terms(c->size, c->attr, o) > 1 << 17 ||
        (op->glue->uses & DC_DIVIDES &&
         !small_power_of_two((double)op->glue->terms(c->size, c->attr, o))))
      return 0;
  return 1;
}

static void keep_only(const dc_case *c, int t, int64_t n, float *x)
{
  if (c->keep_hi[t] < 0)
    return;
  for (int64_t i = 0; i < n; i++)
    if (i < c->keep_lo[t] || i >= c->keep_hi[t])
      x[i] = 0;
}

static int is_tame(const float *x, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    if (isfinite(x[i]) && fabsf(x[i]) > 0x1p30f)
      return 0;
  return 1;
}

/* Of the last axis that is longer than 1. */
static int64_t row_length(const dc_case *c, int t)
{
  int64_t shape[DC_RANK];
  int rank = dc_shape(c->op, t, c->size, c->attr, shape);
  while (rank > 1 && shape[rank - 1] == 1)
    rank--;
  return rank ? shape[rank - 1] : 1;
}

static void fill_input(dc_rng *r, const dc_case *c, int t, int64_t n, float *x)
{
  const dc_glue *g = c->op->glue;
  dc_values v = dc_is_cotangent(c->op, t) ? c->cotangent : c->values;
  float kink[DC_KINK_LIST];
  if (v == DC_KINKS)
    dc_fill_kinks(r, kink, g->kinks ? g->kinks(c->attr, kink) : 0, n, x);
  else if (v == DC_MINUS_INF)
    dc_fill_minus_inf(r, n, row_length(c, t), x);
  else
    dc_fill_values(r, v, n, x);
  if (g->domain[t] != DC_POSITIVE || c->seed % 4)
    dc_confine(g->domain[t], n, x);
}

static dc_indices drawn_indices(const dc_case *c)
{
  return c->op->glue->within && c->indices == DC_IX_OUTSIDE ? DC_IX_RANDOM : c->indices;
}

static void draw_tensor(dc_problem *p, int t)
{
  const dc_case *c = &p->c;
  int64_t n = p->count[t];
  dc_rng r;
  dc_rng_seed(&r, c->seed, (uint64_t)t);
  if (t >= c->op->n_in) /* what += adds to */
    dc_fill_values(&r, p->exact ? DC_INTEGERS : DC_UNIFORM, n, p->f[t]);
  else if (c->op->tensor[t].dtype == DC_I64) {
    if (c->given[t])
      memcpy(p->ix[t], c->given[t], (size_t)n * sizeof(int64_t));
    else
      dc_fill_indices(&r, drawn_indices(c), index_limit(c), n, p->ix[t]);
  } else if (c->given[t])
    memcpy(p->f[t], c->given[t], (size_t)n * sizeof(float));
  else {
    fill_input(&r, c, t, n, p->f[t]);
    keep_only(c, t, n, p->f[t]);
  }
}

/* Drawn values become such as their tensor's type has; the caller's must be so. */
static dc_status fit_all(dc_problem *p, int n_tensors, dc_error *err)
{
  const dc_case *c = &p->c;
  for (int t = 0; t < n_tensors; t++) {
    const dc_type type = dc_type_of(c, t);
    void *values = p->f[t] ? (void *)p->f[t] : (void *)p->ix[t];
    if (t >= c->op->n_in || !c->given[t])
      dc_type_fit(type, values, p->count[t]);
    const int64_t bad = dc_type_misfit(type, values, p->count[t]);
    if (bad >= 0)
      return dc_fail(err, DC_INVALID, "%s: %s[%lld] is no number that %s has: round it first",
                     c->op->name, c->op->tensor[t].name, (long long)bad, dc_type_name(type));
  }
  return DC_OK;
}

dc_status dc_problem_make(dc_problem *p, const dc_case *c, dc_error *err)
{
  const dc_op *op = c->op;
  *p = (dc_problem){.c = *c, .tame = 1, .exact = all_integers(c)};
  dc_status s = dc_case_check(c, 0, err);
  if (s)
    return s;
  int n_tensors = op->n_in + (c->accumulate ? op->n_out : 0);
  for (int t = 0; t < op->n_in + op->n_out; t++)
    p->count[t] = dc_count(op, t, c->size, c->attr);
  for (int t = 0; t < n_tensors; t++) {
    size_t n = (size_t)p->count[t] + 1;
    if (op->tensor[t].dtype == DC_I64)
      p->ix[t] = malloc(n * sizeof(int64_t));
    else
      p->f[t] = malloc(n * sizeof(float));
    if (!p->ix[t] && !p->f[t]) {
      dc_problem_free(p);
      return dc_fail(err, DC_NO_MEMORY, "%s: no memory for %s of %lld elements", op->name,
                     op->tensor[t].name, (long long)n - 1);
    }
    draw_tensor(p, t);
    int64_t bad = p->ix[t] ? first_outside(p, t) : -1;
    if (bad >= 0) {
      dc_fail(err, DC_INVALID, "%s: %s[%lld] is %lld, must be from 0 to %lld", op->name,
              op->tensor[t].name, (long long)bad, (long long)p->ix[t][bad],
              (long long)index_limit(c) - 1);
      dc_problem_free(p);
      return DC_INVALID;
    }
  }
  if (op->glue->adjust && !c->given[0])
    op->glue->adjust(c->size, p->f);
  if (op->glue->settle && !c->given[0])
    op->glue->settle(c->size, c->attr, p->f);
  s = fit_all(p, n_tensors, err);
  if (s) {
    dc_problem_free(p);
    return s;
  }
  for (int t = 0; t < n_tensors; t++)
    if (p->f[t] && !is_tame(p->f[t], p->count[t]))
      p->tame = 0;
  for (int i = 0; i < op->n_attrs; i++)
    if (!dc_attr_is_integer(op, i) && fabs(c->attr[i]) > 128)
      p->tame = 0;
  return DC_OK;
}

void dc_problem_free(dc_problem *p)
{
  for (int t = 0; t < DC_TENSORS; t++) {
    free(p->f[t]);
    free(p->ix[t]);
    p->f[t] = NULL;
    p->ix[t] = NULL;
  }
}

/* ---- arithmetic ---- */

void dc_undeclared(const dc_op *op, const int64_t *size, const double *attr, pm_arith *out)
{
  *out = (pm_arith){
#define ULPS(name, undeclared) .k_##name = undeclared,
#include "../../spec/elementary.def"
      .alpha = 2.25};
  for (int o = 0; o < op->n_out || o < 2; o++) {
    int64_t n = op->glue->terms ? op->glue->terms(size, attr, o) : 1;
    double *height = &out->height[o > 0];
    *height = fmax(*height, n > 1 ? (double)(n - 1) : 0);
  }
}

/* The reference's own: sums in any order, C's elementary functions. */
static arith twofold(const dc_op *op, const int64_t *size, const double *attr)
{
  pm_arith any;
  dc_undeclared(op, size, attr, &any);
  return (arith){.u = 0x1p-53,
                 .eta = 0x1p-1074,
                 .big = DBL_MAX,
#define ULPS(name, undeclared) .k_##name = undeclared,
#include "../../spec/elementary.def"
                 .alpha = 1,
                 .h = any.height[0],
                 .h2 = any.height[1]};
}

/* ---- slices ---- */

/* Whether a tensor is cut along with the first dim of its op. */
static int is_cut(const dc_op *op, int t)
{
  return op->glue->cut && op->tensor[t].rank > 0 && op->tensor[t].dim[0] == 0;
}

/* Rows of a slice: of what the first dim counts. */
static int64_t slice_rows(const dc_problem *p)
{
  const dc_op *op = p->c.op;
  int64_t rows = p->c.size[0], per = 1;
  if (!op->glue->cut || rows == 0)
    return rows;
  for (int t = 0; t < op->n_in + op->n_out; t++)
    if (is_cut(op, t) && p->count[t] / rows > per)
      per = p->count[t] / rows;
  return per >= SLICE ? 1 : SLICE / per;
}

int64_t dc_n_slices(const dc_problem *p)
{
  int64_t rows = p->c.size[0], each = slice_rows(p);
  return rows == 0 || each >= rows ? 1 : (rows - 1) / each + 1;
}

/* Whether an output is or holds a sum, so that what a part of it gives is a wrong answer. */
static int has_sum(const dc_op *op)
{
  for (int o = 0; o < op->n_out; o++)
    if (op->glue->reduced[o].dim >= 0)
      return 1;
  return op->glue->summed != NULL || op->glue->row_sum;
}

static double *take(double **at, int64_t n)
{
  double *x = *at;
  *at += n;
  return x;
}

/* Lays the slice's arrays out in one block; what cannot be had is DC_NO_MEMORY. */
static dc_status lay_out(dc_slice *s, const dc_op *op, dc_error *err)
{
  size_t need = 1 + (size_t)dc_room(op, s->size);
  for (int t = 0; t < op->n_in; t++)
    need += op->tensor[t].dtype == DC_F32 ? (size_t)s->count[t] : 0;
  for (int o = 0; o < op->n_out; o++)
    need +=
        (size_t)s->count[op->n_in + o] * (size_t)(1 + has_sum(op) + 2 * dc_bounded(op->classes[o]));
  if (need > s->cap) {
    free(s->mem);
    s->cap = 0;
    s->mem = malloc(need * sizeof *s->mem);
    if (!s->mem)
      return dc_fail(err, DC_NO_MEMORY, "%s: no memory for the reference of %zu elements", op->name,
                     need);
    s->cap = need;
  }
  double *at = s->mem;
  for (int t = 0; t < op->n_in; t++)
    s->x[t] = op->tensor[t].dtype == DC_F32 ? take(&at, s->count[t]) : NULL;
  for (int o = 0; o < op->n_out; o++) {
    int64_t n = s->count[op->n_in + o];
    s->y[o] = take(&at, n);
    s->half[o] = has_sum(op) ? take(&at, n) : NULL;
    s->own[o] = dc_bounded(op->classes[o]) ? take(&at, n) : NULL;
    s->e[o] = dc_bounded(op->classes[o]) ? take(&at, n) : NULL;
  }
  s->room = at;
  return DC_OK;
}

dc_call dc_slice_call(const dc_slice *s, const dc_problem *p)
{
  dc_call c = {.size = s->size, .attr = p->c.attr, .from = s->from, .room = s->room};
  for (int t = 0; t < p->c.op->n_in; t++) {
    c.x[t] = s->x[t];
    c.ix[t] = p->ix[t] ? p->ix[t] + s->first[t] : NULL;
  }
  return c;
}

static void widen(dc_slice *s, const dc_problem *p, int t)
{
  const float *f = p->f[t] + s->first[t];
  for (int64_t i = 0; i < s->count[t]; i++)
    s->x[t][i] = f[i];
}

dc_status dc_slice_load(dc_slice *s, const dc_problem *p, int64_t k, dc_error *err)
{
  const dc_op *op = p->c.op;
  int64_t rows = p->c.size[0], each = slice_rows(p), from = k * each;
  int64_t n = rows - from < each ? rows - from : each;
  memcpy(s->size, p->c.size, sizeof s->size);
  s->size[0] = n;
  s->from = from;
  for (int t = 0; t < op->n_in + op->n_out; t++) {
    s->first[t] = is_cut(op, t) && rows ? p->count[t] / rows * from : 0;
    s->count[t] = dc_count(op, t, s->size, p->c.attr);
  }
  dc_status st = lay_out(s, op, err);
  if (st)
    return st;
  for (int t = 0; t < op->n_in; t++)
    if (s->x[t])
      widen(s, p, t);
  dc_call c = dc_slice_call(s, p);
  op->glue->reference(&c, s->y);
  if (op->glue->bound) {
    arith a = twofold(op, p->c.size, p->c.attr);
    op->glue->bound(&c, a, s->own);
  }
  return DC_OK;
}

/* The axis of its input that output o is a sum over, or -1. */
static int summed_axis(const dc_slice *s, const dc_problem *p, int o)
{
  const dc_op *op = p->c.op;
  int t = op->glue->reduced[o].input, dim = op->glue->reduced[o].dim, axis = 0;
  if (op->glue->summed)
    return op->glue->summed(s->size, p->c.attr, o);
  if (dim < 0)
    return -1;
  for (int i = 0; i < op->tensor[t].rank; i++)
    if (op->tensor[t].dim[i] == dim)
      axis = i;
  int last = op->tensor[t].rank - 1;
  if (axis >= last - 1 && op->tensor[t].swap >= 0 && p->c.attr[op->tensor[t].swap] != 0)
    return 2 * last - 1 - axis;
  return axis;
}

/* Output o with half of its terms left out, or with the last of them alone. */
static const double *without(dc_slice *s, const dc_problem *p, int o, int half)
{
  const dc_op *op = p->c.op;
  int t = op->glue->reduced[o].input, axis = summed_axis(s, p, o);
  int64_t shape[DC_RANK], inner = 1;
  double gone = 0;
  if (axis < 0 && !half && op->glue->row_sum) {
    t = 0;
    axis = op->tensor[0].rank - 1;
    gone = -INFINITY;
  }
  int rank = dc_shape(op, t, s->size, p->c.attr, shape);
  if (axis < 0 || shape[axis] < 2)
    return NULL;
  int64_t keep = half ? shape[axis] / 2 : shape[axis] - 1;
  for (int i = axis + 1; i < rank; i++)
    inner *= shape[i];
  for (int64_t i = 0; i < s->count[t]; i++)
    if (i / inner % shape[axis] >= keep)
      s->x[t][i] = gone;
  dc_call c = dc_slice_call(s, p);
  op->glue->reference(&c, s->half);
  widen(s, p, t);
  return s->half[o];
}

const double *dc_slice_half(dc_slice *s, const dc_problem *p, int o) { return without(s, p, o, 1); }
const double *dc_slice_but_last(dc_slice *s, const dc_problem *p, int o)
{
  return without(s, p, o, 0);
}

void dc_slice_band(const dc_slice *s, const dc_problem *p, int o, dc_band *b)
{
  const dc_op *op = p->c.op;
  int t = op->n_in + o;
  const int64_t format = dc_type_format(dc_type_of(&p->c, t));
  *b = (dc_band){.cls = op->classes[o],
                 .output = o,
                 .first = s->first[t],
                 .count = s->count[t],
                 .v = s->y[o],
                 .e = s->e[o],
                 .old = p->f[t] ? p->f[t] + s->first[t] : NULL,
                 .exact = p->exact && dc_bounded(op->classes[o]),
                 .tame = p->tame,
                 .loose = op->glue->loose,
                 .ulps = op->classes[o] != 'R'         ? 0
                         : op->glue->uses & DC_DIVIDES ? s->declared.k_div
                         : op->glue->uses & DC_ROOTS   ? s->declared.k_sqrt
                                                       : 0,
                 .stored = format != PM_F32 ? format : s->declared.stored,
                 .typed = format != PM_F32,
                 .wide = dc_type_of(&p->c, t) == DC_TYPE_F64,
                 .flush = s->declared.flush != 0,
                 .lost = s->declared.flush || s->declared.atomics ? 0x1p-125 : 0x1p-150,
                 .into = p->c.accumulate && s->into ? dc_height(&s->declared, o) : 0,
                 .any_zero = s->declared.any_zero != 0,
                 .flushed = s->flushed[o]};
}

void dc_slice_free(dc_slice *s)
{
  free(s->mem);
  free(s->more);
  *s = (dc_slice){.mem = NULL};
}

/* ---- the whole problem ---- */

static dc_status whole(const dc_problem *p, const pm_arith *declared, int bounds,
                       double *const *out, dc_error *err)
{
  const dc_op *op = p->c.op;
  dc_slice s = {.mem = NULL};
  dc_status st = DC_OK;
  for (int64_t k = 0, n = dc_n_slices(p); k < n && !st; k++) {
    st = dc_slice_load(&s, p, k, err);
    if (st)
      break;
    if (bounds)
      st = dc_slice_bound(&s, p, declared, err);
    for (int o = 0; o < op->n_out && !st; o++) {
      const double *from = bounds ? s.e[o] : s.y[o];
      if (from && s.count[op->n_in + o])
        memcpy(out[o] + s.first[op->n_in + o], from, (size_t)s.count[op->n_in + o] * sizeof *from);
    }
  }
  dc_slice_free(&s);
  return st;
}

dc_status dc_reference(const dc_problem *p, double *const *out, dc_error *err)
{
  return whole(p, NULL, 0, out, err);
}

dc_status dc_bound(const dc_problem *p, const pm_arith *declared, double *const *e, dc_error *err)
{
  return whole(p, declared, 1, e, err);
}

static dc_status eval_reference(const dc_problem *p, float *const *out, dc_error *err)
{
  const dc_op *op = p->c.op;
  dc_slice s = {.mem = NULL};
  dc_status st = DC_OK;
  for (int64_t k = 0, n = dc_n_slices(p); k < n && !st; k++) {
    st = dc_slice_load(&s, p, k, err);
    for (int o = 0; o < op->n_out && !st; o++) {
      dc_band b;
      dc_slice_band(&s, p, o, &b);
      for (int64_t i = 0; i < b.count; i++)
        out[o][b.first + i] = (float)(b.old ? (double)b.old[i] + b.v[i] : b.v[i]);
    }
  }
  dc_slice_free(&s);
  return st;
}

dc_status dc_eval(const dc_case *c, const pm_backend *b, const float *const *old, float *const *out,
                  dc_error *err)
{
  dc_problem p;
  dc_status st = dc_problem_make(&p, c, err);
  if (st)
    return st;
  for (int o = 0; c->accumulate && o < c->op->n_out; o++) {
    int t = c->op->n_in + o;
    for (int64_t i = 0; i < p.count[t]; i++)
      p.f[t][i] = old && old[o] ? old[o][i] : 0;
  }
  if (!b)
    st = eval_reference(&p, out, err);
  else {
    dc_memory *m = dc_memory_new(b);
    dc_way way = {.variant = c->variant[0] ? c->variant : NULL};
    const char *ran = NULL;
    dc_error why = {""};
    dc_fault f = m ? dc_execute(m, &p, &way, out, &ran, &why) : DC_NO_FAULT;
    if (!m)
      st = dc_fail(err, DC_NO_MEMORY, "%s: no memory on %s", c->op->name, b->name);
    else if (f != DC_NO_FAULT || !ran)
      st = dc_fail(err, DC_INVALID, "%s on %s: %s", c->op->name, b->name,
                   ran ? why.text : "no variant can run on these sizes");
    dc_memory_free(m);
  }
  dc_problem_free(&p);
  return st;
}
