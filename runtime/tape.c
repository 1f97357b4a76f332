/* The tape, and the reverse sweep over it: that of proofs/theory/Tape.v. Calls stand in the order in
 * which they were made, and read what was made before them; the sweep goes from the last to the first,
 * and adds to the cotangent of each variable what every operand place of it gives, in the order of
 * places. Where there is nothing to give a call is passed over: over the reals its VJP, linear in the
 * cotangent, gives 0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"
#include "internal.h"

static const dc_op *vjp_of(const dc_op *op)
{
  char name[64];
  snprintf(name, sizeof name, "%s_vjp", op->name);
  const dc_op *v = dc_op_find(name);
  return v && strcmp(v->forward, op->name) == 0 ? v : NULL;
}

/* The VJP's output for input t of op, or -1: no gradient goes there. */
static int gradient_of(const dc_op *op, const dc_op *vjp, int t)
{
  char name[20];
  snprintf(name, sizeof name, "d%s", op->tensor[t].name);
  int at = dc_tensor_find(vjp, name);
  return at < vjp->n_in ? -1 : at;
}

static bool wants(const thing *t) { return t->leaf || t->made_by; }

pmr_status in_recordable(const context *c, const dc_op *op, thing *const *in, bool *record)
{
  *record = false;
  for (int t = 0; t < op->n_in && !c->no_grad; t++)
    *record |= wants(in[t]);
  if (!*record)
    return PMR_OK;
  const dc_op *vjp = vjp_of(op);
  if (!vjp)
    return in_fail(PMR_GRADIENT,
                   "%s has no VJP, and an input keeps gradients: detach it, or use pmr_no_grad",
                   op->name);
  for (int t = 0; t < op->n_in; t++) {
    const thing *x = in[t];
    const char *name = op->tensor[t].name;
    if (!wants(x))
      continue;
    if (gradient_of(op, vjp, t) < 0)
      return in_fail(PMR_GRADIENT, "%s: there is no gradient to %s, which keeps one: detach it",
                     op->name, name);
    if (x->made_by && x->output > 0)
      return in_fail(
          PMR_GRADIENT,
          "%s: %s is output %d of %s (%s:%d), through which there is no gradient: detach it",
          op->name, name, x->output, x->made_by->op->name, x->made_by->file, x->made_by->line);
  }
  return PMR_OK;
}

static void save(node *n, int t, thing *x) { n->value[t] = (saved){x, x->s->version}; }

/* What the VJP reads: inputs, and outputs under another reference, as they refer to the node. With `all`, what
 * in_sweep's visitor may read beside: the other inputs. */
static pmr_status save_values(node *n, bool all, thing *const *in, thing *const *out)
{
  for (int t = 0; t < n->op->n_in && all; t++) {
    in[t]->refs++;
    save(n, t, in[t]);
  }
  for (int v = 0; v < n->vjp->n_in; v++) {
    if (dc_is_cotangent(n->vjp, v))
      continue;
    int t = dc_tensor_find(n->op, n->vjp->tensor[v].name);
    if (t < 0)
      return in_fail(PMR_GRADIENT, "%s reads %s, which %s has not", n->vjp->name,
                     n->vjp->tensor[v].name, n->op->name);
    if (n->value[t].t)
      continue;
    if (t < n->op->n_in) {
      in[t]->refs++;
      save(n, t, in[t]);
      continue;
    }
    const thing *y = out[t - n->op->n_in];
    thing *twin = in_thing_over(A_TENSOR, y->s, y->dtype, y->from, y->count);
    if (!twin)
      return PMR_NO_MEMORY;
    in_shape(twin, y->rank, y->shape);
    save(n, t, twin);
  }
  return PMR_OK;
}

pmr_status in_record(context *c, const step *s, thing *const *in, thing *const *out)
{
  const dc_op *op = s->c.op;
  node *n = calloc(1, sizeof *n);
  if (!n)
    return in_fail(PMR_NO_MEMORY, "%s: no memory for its place on the tape", op->name);
  n->refs = 1;
  n->before = c->last;
  if (c->last)
    c->last->after = n;
  c->last = n;
  n->op = op;
  n->vjp = vjp_of(op);
  n->file = s->file;
  n->line = s->line;
  memcpy(n->size, s->c.size, sizeof n->size);
  memcpy(n->attr, s->c.attr, sizeof n->attr);
  for (int t = 0; t < op->n_in; t++)
    if (wants(in[t])) {
      n->input[t] = in[t];
      in[t]->refs++;
    }
  pmr_status r = save_values(n, c->keep_inputs, in, out);
  for (int o = 0; o < op->n_out && !r; o++) {
    out[o]->made_by = n;
    out[o]->output = o;
    n->refs++;
  }
  in_drop_node(c, n);
  return r;
}

pmr_status in_writable(const context *c, const thing *t, const char *what)
{
  if (t->made_by)
    return in_fail(
        PMR_GRADIENT,
        "%s would be written in place, and is on the tape as made by %s (%s:%d): write to "
        "a copy, or detach it",
        what, t->made_by->op->name, t->made_by->file, t->made_by->line);
  if (t->leaf && !c->no_grad)
    return in_fail(PMR_GRADIENT,
                   "%s would be written in place, and keeps gradients: do it between "
                   "pmr_no_grad(c, 1) and pmr_no_grad(c, 0)",
                   what);
  return PMR_OK;
}

/* ---- the sweep ---- */

typedef struct sweep {
  context *c;
  int64_t waiting; /* calls that have a cotangent, and have not been gone through */
  thing *leaves;   /* that have got a gradient */
  in_visitor *visit;
  void *arg; /* of that; NULL visit: gradients are what is wanted */
} sweep;

/* One of the runtime's own steps: op over n elements. */
static pmr_status elementwise(context *c, const char *op, thing *a, thing *b, int64_t n,
                              const node *by, thing **out)
{
  step s = {.file = by ? by->file : "backward", .line = by ? by->line : 0};
  thing *y;
  pmr_status r = in_new(c, A_TENSOR, PMR_F32, n, op, &y);
  int at = 0;
  if (r)
    return r;
  dc_case_init(&s.c, dc_op_find(op));
  s.c.size[0] = n;
  if (a)
    s.t[at++] = a;
  if (b)
    s.t[at++] = b;
  s.t[at] = y;
  r = in_step(c, &s);
  if (r)
    in_drop(c, y);
  else
    *out = y;
  return r;
}

/* Adds g, of which it takes the reference, to the cotangent of x. */
static pmr_status deliver(sweep *w, thing *x, thing *g, const node *by)
{
  thing **sum = x->made_by ? &x->made_by->sum : &x->sum, *more = NULL;
  pmr_status s = PMR_OK;
  if (!x->made_by && w->visit) {
    in_drop(w->c, g);
    return PMR_OK;
  }
  if (!x->made_by && !x->sum) { /* it starts from the gradient that x has */
    x->refs++;
    x->next_swept = w->leaves;
    w->leaves = x;
    x->sum = x->grad;
    if (x->grad)
      x->grad->refs++;
  }
  if (!*sum) {
    in_shape(g, x->rank, x->shape);
    *sum = g;
    w->waiting += x->made_by != NULL;
    return PMR_OK;
  }
  s = elementwise(w->c, "add", *sum, g, x->count, by, &more);
  in_drop(w->c, g);
  if (s)
    return s;
  in_shape(more, x->rank, x->shape);
  in_drop(w->c, *sum);
  *sum = more;
  return PMR_OK;
}

pmr_status in_as_it_was(const node *n, int t, const char *what)
{
  const saved *x = &n->value[t];
  if (x->t->s->version == x->version)
    return PMR_OK;
  return in_fail(PMR_GRADIENT,
                 "%s (%s:%d): its %s needs %s as it was, and it has been written in place since",
                 n->op->name, n->file, n->line, what, n->op->tensor[t].name);
}

/* Values as they were when the call was made. */
static pmr_status vjp_input(const node *n, int v, thing **out)
{
  if (dc_is_cotangent(n->vjp, v)) {
    *out = n->sum;
    return PMR_OK;
  }
  int t = dc_tensor_find(n->op, n->vjp->tensor[v].name);
  *out = n->value[t].t;
  return in_as_it_was(n, t, "VJP");
}

static int named(const char *name, const char (*list)[16], int n)
{
  for (int i = 0; i < n; i++)
    if (strcmp(name, list[i]) == 0)
      return i;
  return -1;
}

/* A VJP's sizes and attributes are the call's of the same names. */
static pmr_status vjp_case(const node *n, dc_case *k)
{
  const dc_op *op = n->op, *vjp = n->vjp;
  dc_case_init(k, vjp);
  for (int d = 0; d < vjp->n_dims; d++) {
    int i = named(vjp->dim[d], op->dim, op->n_dims);
    if (i < 0)
      return in_fail(PMR_GRADIENT, "%s has %s, which %s has not", vjp->name, vjp->dim[d], op->name);
    k->size[d] = n->size[i];
  }
  for (int a = 0; a < vjp->n_attrs; a++) {
    int i = named(vjp->attr[a], op->attr, op->n_attrs);
    if (i < 0)
      return in_fail(PMR_GRADIENT, "%s has %s, which %s has not", vjp->name, vjp->attr[a],
                     op->name);
    k->attr[a] = n->attr[i];
  }
  return PMR_OK;
}

/* Whether what the call gives to those before it is of any use. */
static bool leads_on(const sweep *w, const node *n)
{
  bool on = !w->visit;
  for (int t = 0; t < n->op->n_in; t++)
    on |= n->input[t] && n->input[t]->made_by;
  return on;
}

/* One call backwards. */
static pmr_status back(sweep *w, node *n)
{
  const dc_op *vjp = n->vjp;
  step s = {.file = n->file, .line = n->line};
  pmr_status r = vjp_case(n, &s.c);
  for (int v = 0; v < vjp->n_in && !r; v++)
    r = vjp_input(n, v, &s.t[v]);
  for (int v = vjp->n_in; v < vjp->n_in + vjp->n_out && !r; v++)
    r = in_new(w->c, A_TENSOR, PMR_F32, dc_count(vjp, v, s.c.size, s.c.attr), vjp->name, &s.t[v]);
  if (!r)
    r = in_step(w->c, &s);
  for (int t = 0; t < n->op->n_in && !r; t++) {
    int v = n->input[t] ? gradient_of(n->op, vjp, t) : -1;
    if (v < 0)
      continue;
    thing *g = s.t[v];
    s.t[v] = NULL;
    r = deliver(w, n->input[t], g, n);
  }
  for (int v = vjp->n_in; v < vjp->n_in + vjp->n_out; v++)
    in_drop(w->c, s.t[v]);
  return r;
}

/* The call has given what it has to those before it. */
static void gone_through(sweep *w, node *n)
{
  in_drop(w->c, n->sum);
  n->sum = NULL;
  w->waiting--;
}

static void finish(sweep *w, bool keep)
{
  while (w->leaves) {
    thing *x = w->leaves;
    w->leaves = x->next_swept;
    thing *gone = keep ? x->grad : x->sum;
    if (keep)
      x->grad = x->sum;
    x->sum = x->next_swept = NULL;
    in_drop(w->c, gone);
    in_drop(w->c, x);
  }
}

/* The first cotangent, of its own memory. */
static pmr_status seed(context *c, const thing *t, thing *cotangent, thing **g)
{
  if (cotangent)
    return elementwise(c, "copy", cotangent, NULL, t->count, t->made_by, g);
  return elementwise(c, "ones", NULL, NULL, 1, t->made_by, g);
}

static pmr_status can_sweep(const thing *t, const thing *cotangent)
{
  if (!wants(t))
    return in_fail(PMR_GRADIENT,
                   "backward: tensor keeps no gradient, and nothing that it was made of does");
  if (t->made_by && t->output > 0)
    return in_fail(PMR_GRADIENT, "backward: tensor is output %d of %s (%s:%d), which has no VJP",
                   t->output, t->made_by->op->name, t->made_by->file, t->made_by->line);
  if (!cotangent && t->count != 1)
    return in_fail(PMR_INVALID,
                   "backward: tensor has %lld elements: a cotangent of its shape is needed",
                   (long long)t->count);
  if (cotangent && (cotangent->dtype != PMR_F32 || cotangent->rank != t->rank ||
                    memcmp(cotangent->shape, t->shape, (size_t)t->rank * sizeof *t->shape) != 0))
    return in_fail(PMR_INVALID, "backward: cotangent must be f32 and have the tensor's shape");
  return PMR_OK;
}

pmr_status in_sweep(context *c, thing *t, thing *cotangent, in_visitor *visit, void *arg)
{
  sweep w = {.c = c, .visit = visit, .arg = arg};
  thing *first = NULL;
  pmr_status s = can_sweep(t, cotangent);
  if (!s)
    s = seed(c, t, cotangent, &first);
  if (!s)
    s = deliver(&w, t, first, t->made_by);
  for (node *n = s ? NULL : t->made_by; n && w.waiting > 0; n = n->before)
    if (n->sum) {
      if (!s && visit)
        s = visit(c, n, arg);
      if (!s && leads_on(&w, n))
        s = back(&w, n);
      gone_through(&w, n);
    }
  finish(&w, !s);
  return s;
}

pmr_status pmr_backward(pmr_tensor h, pmr_tensor cotangent)
{
  context *c;
  thing *t, *g = NULL;
  pmr_status s = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  if (s)
    return s;
  if (cotangent)
    s = in_thing(c, cotangent, A_TENSOR, "cotangent", &g);
  return in_end(c, s ? s : in_sweep(c, t, g, NULL, NULL));
}

/* ---- gradients ---- */

pmr_status pmr_requires_grad(pmr_tensor h, int on)
{
  context *c;
  thing *t;
  pmr_status s = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  if (s)
    return s;
  if (on && t->dtype != PMR_F32)
    s = in_fail(PMR_GRADIENT, "requires_grad: tensor is %s, must be f32", pmr_dtype_name(t->dtype));
  else if (t->made_by)
    s = in_fail(PMR_GRADIENT, "requires_grad: tensor was made by %s (%s:%d): detach it first",
                t->made_by->op->name, t->made_by->file, t->made_by->line);
  else
    t->leaf = on != 0;
  return in_end(c, s);
}

pmr_status pmr_no_grad(pmr_context h, int on)
{
  context *c;
  pmr_status s = in_begin(h, &c);
  if (s)
    return s;
  if (!on && c->no_grad == 0)
    s = in_fail(PMR_INVALID, "no_grad: it is off: each off has an on before it");
  else
    c->no_grad += on ? 1 : -1;
  return in_end(c, s);
}

pmr_status pmr_keep_inputs(pmr_context h, int on)
{
  context *c;
  pmr_status s = in_begin(h, &c);
  if (s)
    return s;
  c->keep_inputs = on != 0;
  return in_end(c, s);
}

pmr_status pmr_grad(pmr_tensor h, pmr_tensor *out)
{
  context *c;
  thing *t;
  pmr_status s = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  if (s)
    return s;
  if (!out)
    s = in_fail(PMR_INVALID, "out is NULL: it must point to a pmr_tensor");
  else if (!t->grad)
    s = in_fail(PMR_GRADIENT, "grad: tensor has no gradient: %s",
                t->leaf ? "none was swept to it" : "it keeps none (pmr_requires_grad)");
  else if (t->grad->owners)
    t->grad->owners++;
  else
    s = in_make_handle(c, t->grad);
  if (!s) {
    t->grad->refs++;
    *out = in_handle(c, t->grad);
  }
  return in_end(c, s);
}

pmr_status pmr_zero_grad(pmr_tensor h)
{
  context *c;
  thing *t;
  pmr_status s = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  if (s)
    return s;
  in_drop(c, t->grad);
  t->grad = NULL;
  return in_end(c, PMR_OK);
}
