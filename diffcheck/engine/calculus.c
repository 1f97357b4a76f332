/* Second opinions on a VJP: the adjoint identity on exact integers with a back end's outputs, and
 * central differences of the reference in f64. */
#include "engine.h"

/* ---- pairing of an op with its VJP, by the names of their tensors ---- */

static const dc_op *vjp_of(const dc_op *forward)
{
  for (int i = 0; i < dc_n_ops(); i++) {
    const dc_op *op = dc_op_at(i);
    if (op->is_vjp && strcmp(op->forward, forward->name) == 0)
      return op;
  }
  return NULL;
}

/* The output of the VJP that is the gradient of a forward input, or -1. */
static int gradient_of(const dc_op *vjp, const char *input)
{
  char name[20];
  snprintf(name, sizeof name, "d%s", input);
  int t = dc_tensor_find(vjp, name);
  return t < vjp->n_in ? -1 : t - vjp->n_in;
}

static dc_values integral(dc_values v)
{
  return v == DC_INTEGERS || v == DC_ONES || v == DC_ZEROS ? v : DC_INTEGERS;
}

/* The same case of the other op of the pair, on integers. */
static dc_case partner(const dc_case *c, const dc_op *op)
{
  dc_case d;
  dc_case_init(&d, op);
  memcpy(d.size, c->size, sizeof d.size);
  memcpy(d.attr, c->attr, sizeof d.attr);
  d.seed = c->seed;
  d.values = integral(c->values);
  d.cotangent = integral(c->op->is_vjp ? c->cotangent : DC_INTEGERS);
  d.indices = c->indices;
  if (op == c->op)
    memcpy(d.variant, c->variant, sizeof d.variant);
  return d;
}

/* ---- the adjoint identity ---- */

typedef struct side {
  dc_problem p;
  float *out[DC_OUTPUTS];
} side;

static void side_free(side *s)
{
  dc_problem_free(&s->p);
  for (int o = 0; o < DC_OUTPUTS; o++)
    free(s->out[o]);
}

static dc_status side_make(side *s, const dc_case *c, dc_error *err)
{
  *s = (side){.out = {NULL}};
  dc_status st = dc_problem_make(&s->p, c, err);
  for (int o = 0; o < c->op->n_out && !st; o++) {
    s->out[o] = malloc((size_t)(s->p.count[c->op->n_in + o] + 1) * sizeof(float));
    if (!s->out[o])
      st = dc_fail(err, DC_NO_MEMORY, "%s: no memory for the adjoint identity", c->op->name);
  }
  return st;
}

/* The forward inputs that the VJP reads as well are made the same. */
static void share(const side *from, side *to)
{
  const dc_op *f = from->p.c.op, *v = to->p.c.op;
  for (int t = 0; t < f->n_in; t++) {
    int u = dc_tensor_find(v, f->tensor[t].name);
    if (u < 0 || u >= v->n_in)
      continue;
    size_t n = (size_t)from->p.count[t];
    if (f->tensor[t].dtype == DC_I64)
      memcpy(to->p.ix[u], from->p.ix[t], n * sizeof(int64_t));
    else
      memcpy(to->p.f[u], from->p.f[t], n * sizeof(float));
  }
}

/* Exact: products of integers that f64 holds, added up below 2^53. */
static double dot(const float *x, const float *y, int64_t n)
{
  double s = 0;
  for (int64_t i = 0; i < n; i++)
    s += (double)x[i] * y[i];
  return s;
}

/* Whether the side ran; the partner's own faults are left to the partner's own cases. */
static int execute(dc_lab *l, int backend, side *s, dc_finding *f)
{
  dc_error why = {""};
  const char *ran;
  dc_way way = {.variant = s->p.c.variant[0] ? s->p.c.variant : NULL, .schedule = 4};
  if (l->lost == s->p.c.op)
    return 0;
  dc_fault fault = dc_execute(l->memory[backend], &s->p, &way, s->out, &ran, &why);
  f->runs++;
  if (fault == DC_CRASH || fault == DC_HANG)
    l->lost = s->p.c.op;
  return fault == DC_NO_FAULT && ran;
}

static int identity_holds(const side *fwd, const side *vjp, dc_finding *f)
{
  const dc_op *op = fwd->p.c.op, *v = vjp->p.c.op;
  int g = dc_tensor_find(v, "g");
  double left = dot(fwd->out[0], vjp->p.f[g], fwd->p.count[op->n_in]), right = 0;
  int added = op->glue->added - 1,
      of_added = added < 0 ? -1 : gradient_of(v, op->tensor[added].name);
  if (of_added >= 0)
    left -= dot(fwd->p.f[added], vjp->out[of_added], fwd->p.count[added]);
  for (int t = 0; t < op->n_in; t++) {
    int d = gradient_of(v, op->tensor[t].name);
    if (op->tensor[t].dtype != DC_F32 || d < 0 || t == added)
      continue;
    double share_of = dot(fwd->p.f[t], vjp->out[d], fwd->p.count[t]);
    right += share_of;
    if (op->glue->linear == 2 && !(share_of == left)) {
      snprintf(f->what, sizeof f->what, "<%s, g> is %.17g, but <%s, %s> is %.17g",
               dc_out(op, 0)->name, left, op->tensor[t].name, dc_out(v, d)->name, share_of);
      return 0;
    }
  }
  if (op->glue->linear == 1 && !(left == right)) {
    snprintf(f->what, sizeof f->what, "<%s, g> is %.17g, but the inputs with their gradients %.17g",
             dc_out(op, 0)->name, left, right);
    return 0;
  }
  return 1;
}

dc_status dc_check_adjoint(dc_lab *l, int backend, const dc_problem *p, dc_finding *f,
                           dc_error *err)
{
  const dc_op *forward = dc_op_find(p->c.op->forward), *vjp = forward ? vjp_of(forward) : NULL;
  if (!vjp)
    return DC_OK;
  dc_case cf = partner(&p->c, forward), cv = partner(&p->c, vjp);
  side x, y;
  dc_status st = side_make(&x, &cf, err), sty = side_make(&y, &cv, err);
  if (!st && !sty) {
    share(&x, &y);
    if (execute(l, backend, &x, f) && execute(l, backend, &y, f)) {
      f->adjoint++;
      if (!identity_holds(&x, &y, f)) {
        f->fault = DC_ADJOINT;
        snprintf(f->backend, sizeof f->backend, "%s", l->o->backend[backend]->name);
      }
    }
  }
  side_free(&x);
  side_free(&y);
  return st ? st : sty;
}

/* ---- central differences ---- */

typedef struct probe { /* everything in f64 */
  const dc_op *forward, *vjp;
  const dc_problem *p;
  int64_t n[DC_TENSORS];                        /* elements of the forward op's tensors */
  double *x[DC_TENSORS], *d[DC_TENSORS];        /* its inputs, and a direction */
  double *at[DC_TENSORS];                       /* x + t d */
  double *y[DC_OUTPUTS], *g, *grad[DC_OUTPUTS]; /* g is the cotangent of y[0] */
  double *room;                                 /* dc_call's, of either op */
  double *mem;
} probe;

static dc_status probe_make(probe *q, const dc_problem *p, dc_error *err)
{
  const dc_op *v = p->c.op, *f = dc_op_find(v->forward);
  *q = (probe){.forward = f, .vjp = v, .p = p};
  int64_t room = dc_room(f, p->c.size), of_vjp = dc_room(v, p->c.size);
  size_t need = 1 + (size_t)(room > of_vjp ? room : of_vjp);
  for (int t = 0; t < f->n_in + f->n_out; t++) {
    q->n[t] = dc_count(f, t, p->c.size, p->c.attr);
    need += (size_t)q->n[t] * 3;
  }
  for (int o = 0; o < v->n_out; o++)
    need += (size_t)p->count[v->n_in + o];
  double *at = q->mem = malloc(need * sizeof *q->mem);
  if (!at)
    return dc_fail(err, DC_NO_MEMORY, "%s: no memory for differences", v->name);
  for (int t = 0; t < f->n_in; t++) {
    q->x[t] = at;
    q->d[t] = at + q->n[t];
    q->at[t] = at + 2 * q->n[t];
    at += 3 * q->n[t];
  }
  for (int o = 0; o < f->n_out; o++) {
    q->y[o] = at;
    at += q->n[f->n_in + o];
  }
  q->g = at;
  at += q->n[f->n_in];
  for (int o = 0; o < v->n_out; o++) {
    q->grad[o] = at;
    at += p->count[v->n_in + o];
  }
  q->room = at;
  return DC_OK;
}

/* Into the op's domain, and off the points at which it has no derivative, or one that no step of a
 * difference is small enough for. */
static void off_kinks(probe *q, int t)
{
  const dc_glue *g = q->forward->glue;
  float kink[DC_KINK_LIST + 1] = {0};
  int n = 1 + (g->kinks ? g->kinks(q->p->c.attr, kink + 1) : 0);
  for (int64_t i = 0; i < q->n[t]; i++) {
    double x = q->x[t][i];
    if (g->domain[t] == DC_POSITIVE || g->domain[t] == DC_NOT_NEGATIVE ||
        g->domain[t] == DC_PROBABILITY)
      x = fabs(x);
    if (g->domain[t] == DC_MASK && x < 0)
      x = 0;
    for (int k = 0; k < n * n; k++) /* always upwards: off one, on to the next */
      if (fabs(x - kink[k % n]) < g->away[t])
        x = kink[k % n] + g->away[t];
    q->x[t][i] = x;
  }
}

/* Whether there is anything to differentiate by. */
static int has_variables(const probe *q)
{
  for (int t = 0; t < q->forward->n_in; t++)
    if (q->forward->tensor[t].dtype == DC_F32 && q->n[t] > 0)
      return 1;
  return 0;
}

/* The forward op's inputs: those that the VJP shares, else drawn; then the directions and g. */
static void probe_fill(probe *q)
{
  const dc_problem *p = q->p;
  dc_rng r;
  dc_rng_seed(&r, p->c.seed, 1000);
  for (int t = 0; t < q->forward->n_in; t++) {
    int u = dc_tensor_find(q->vjp, q->forward->tensor[t].name);
    int fixed = gradient_of(q->vjp, q->forward->tensor[t].name) < 0;
    const float *from = u >= 0 && u < q->vjp->n_in ? p->f[u] : NULL;
    for (int64_t i = 0; i < q->n[t]; i++) {
      q->x[t][i] = from ? from[i] : dc_rng_uniform(&r);
      q->d[t][i] = dc_rng_uniform(&r);
      if (fixed) /* nothing is said of what its change does */
        q->d[t][i] = 0;
    }
    off_kinks(q, t);
  }
  if (q->forward->glue->smooth)
    q->forward->glue->smooth(p->c.size, p->c.attr, q->x);
  const float *g = p->f[dc_tensor_find(q->vjp, "g")];
  for (int64_t i = 0; i < q->n[q->forward->n_in]; i++)
    q->g[i] = g[i];
}

/* The forward op's attributes: what the VJP does not take, as the eps of a normalization that it
 * meets in rstd alone, is 1, since no step is small enough for one near 0. */
static void forward_attrs(const probe *q, double *attr)
{
  for (int i = 0; i < q->forward->n_attrs; i++) {
    attr[i] = 1;
    for (int j = 0; j < q->vjp->n_attrs; j++)
      if (strcmp(q->forward->attr[i], q->vjp->attr[j]) == 0)
        attr[i] = q->p->c.attr[j];
  }
}

static void forward_at(probe *q, double t)
{
  const dc_problem *p = q->p;
  double attr[DC_ATTRS] = {0};
  dc_call c = {.size = p->c.size, .attr = attr, .room = q->room};
  forward_attrs(q, attr);
  for (int k = 0; k < q->forward->n_in; k++) {
    for (int64_t i = 0; i < q->n[k]; i++)
      q->at[k][i] = q->x[k][i] + t * q->d[k][i];
    c.x[k] = q->at[k];
    int u = dc_tensor_find(q->vjp, q->forward->tensor[k].name);
    if (q->forward->tensor[k].dtype == DC_I64)
      c.ix[k] = p->ix[u];
  }
  q->forward->glue->reference(&c, q->y);
}

/* <y(x + t d), g>; *scale: the sum of its absolute terms. What is infinite there, as the maximum of a window in
 * which there is nothing, stays so, and has no part. */
static double loss(probe *q, double t, double *scale)
{
  double s = 0, a = 0;
  forward_at(q, t);
  for (int64_t i = 0; i < q->n[q->forward->n_in]; i++) {
    if (isinf(q->y[0][i]))
      continue;
    s += q->y[0][i] * q->g[i];
    a += fabs(q->y[0][i] * q->g[i]) + fabs(q->g[i]);
  }
  *scale = a;
  return s;
}

/* <d, VJP(x, g)>, adding its absolute terms to *scale. */
static double slope(probe *q, double *scale)
{
  const dc_problem *p = q->p;
  dc_call c = {.size = p->c.size, .attr = p->c.attr, .room = q->room};
  double s = 0;
  forward_at(q, 0); /* leaves x in at, and y */
  for (int u = 0; u < q->vjp->n_in; u++) {
    int t = dc_tensor_find(q->forward, q->vjp->tensor[u].name);
    if (q->vjp->tensor[u].dtype == DC_I64)
      c.ix[u] = p->ix[u];
    else
      c.x[u] = dc_is_cotangent(q->vjp, u) ? q->g
               : t >= q->forward->n_in    ? q->y[t - q->forward->n_in]
                                          : q->at[t];
  }
  q->vjp->glue->reference(&c, q->grad);
  for (int t = 0; t < q->forward->n_in; t++) {
    int o = gradient_of(q->vjp, q->forward->tensor[t].name);
    for (int64_t i = 0; o >= 0 && i < q->n[t]; i++) {
      s += q->d[t][i] * q->grad[o][i];
      *scale += fabs(q->d[t][i] * q->grad[o][i]);
    }
  }
  return s;
}

dc_status dc_check_difference(const dc_problem *p, dc_finding *f, dc_error *err)
{
  const double h = 1e-3;
  probe q;
  dc_status st = probe_make(&q, p, err);
  if (st || !has_variables(&q)) {
    free(q.mem);
    return st;
  }
  probe_fill(&q);
  double scale, a2 = loss(&q, -2 * h, &scale), a1 = loss(&q, -h, &scale);
  double b1 = loss(&q, h, &scale), b2 = loss(&q, 2 * h, &scale);
  double difference = (8 * (b1 - a1) - (b2 - a2)) / (12 * h), derivative = slope(&q, &scale);
  f->differences++;
  /* the stencil's error is of order h^4, its rounding 1e-16/h */
  if (!(fabs(difference - derivative) <= 1e-8 * scale)) {
    f->fault = DC_DIFFERENCE;
    snprintf(f->backend, sizeof f->backend, "ref");
    snprintf(f->what, sizeof f->what, "<d, VJP> is %.12g, but the difference quotient %.12g",
             derivative, difference);
  }
  free(q.mem);
  return DC_OK;
}
