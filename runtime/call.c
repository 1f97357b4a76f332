/* Calls of ops by name: what the catalogue asks of tensors and attributes, outputs, the tape. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"
#include "../diffcheck/files/inputs.h"
#include "internal.h"

_Static_assert((int)PMR_RANK == NPY_RANK, "the rank of a tensor is that of a file's");

typedef struct call {
  context *c;
  const dc_op *op;
  thing *in[DC_TENSORS], *out[DC_OUTPUTS];
  bool made[DC_OUTPUTS]; /* else given */
  int n_out;             /* that the caller wants */
  dc_fixed fixed;
  inputs bound;
  int own_rank; /* of shape entries, for an op without inputs; -1: none */
  step s;
} call;

/* ---- arguments ---- */

static pmr_status take_inputs(call *k, const pmr_tensor *in, int n_in)
{
  const dc_op *op = k->op;
  if (n_in != op->n_in)
    return in_fail(PMR_INVALID, "%s: %d inputs are given, must be %d", op->name, n_in, op->n_in);
  if (n_in && !in)
    return in_fail(PMR_INVALID, "%s: its inputs are NULL", op->name);
  for (int t = 0; t < n_in; t++) {
    char what[48];
    pmr_dtype want = op->tensor[t].dtype == DC_I64 ? PMR_I64 : PMR_F32;
    snprintf(what, sizeof what, "%s: %s", op->name, op->tensor[t].name);
    pmr_status s = in_thing(k->c, in[t], A_TENSOR, what, &k->in[t]);
    if (s)
      return s;
    if (k->in[t]->dtype != want)
      return in_fail(PMR_INVALID, "%s is %s, must be %s", what, pmr_dtype_name(k->in[t]->dtype),
                     pmr_dtype_name(want));
  }
  return PMR_OK;
}

static pmr_status whole(const call *k, const pmr_attr *a, int64_t *out)
{
  if (!(a->value == rint(a->value) && fabs(a->value) < DC_WHOLE))
    return in_fail(PMR_INVALID, "%s: %s is %.9g, must be a whole number below 2^53", k->op->name,
                   a->name, a->value);
  *out = (int64_t)a->value;
  return PMR_OK;
}

static pmr_status append(const call *k, const pmr_attr *a, int *n, int64_t *list)
{
  *n = *n < 0 ? 0 : *n;
  if (*n == PMR_RANK)
    return in_fail(PMR_INVALID, "%s: %s has more than %d entries", k->op->name, a->name, PMR_RANK);
  return whole(k, a, &list[(*n)++]);
}

static pmr_status twice(const call *k, const char *name)
{
  return in_fail(PMR_INVALID, "%s: %s is given twice", k->op->name, name);
}

pmr_status in_attr(const dc_op *op, int attr, double value, double *out)
{
  if (isnan(value))
    return in_fail(PMR_INVALID, "%s: %s is NaN", op->name, op->attr[attr]);
  *out = dc_attr_is_integer(op, attr) ? value : (double)(float)value;
  return PMR_OK;
}

static pmr_status take_attr(call *k, const pmr_attr *a)
{
  const dc_op *op = k->op;
  dc_fixed *f = &k->fixed;
  for (int d = 0; d < op->n_dims; d++)
    if (strcmp(a->name, op->dim[d]) == 0) {
      if (f->size[d] >= 0)
        return twice(k, a->name);
      pmr_status s = whole(k, a, &f->size[d]);
      return !s && f->size[d] < 0 ? in_fail(PMR_INVALID, "%s: %s is %lld, must not be negative",
                                            op->name, a->name, (long long)f->size[d])
                                  : s;
    }
  for (int i = 0; i < op->n_attrs; i++)
    if (strcmp(a->name, op->attr[i]) == 0) {
      if (!isnan(f->attr[i]))
        return twice(k, a->name);
      return in_attr(op, i, a->value, &f->attr[i]);
    }
  if (op->glue->view && strcmp(a->name, "axis") == 0)
    return f->view.axis != INT64_MIN ? twice(k, a->name) : whole(k, a, &f->view.axis);
  if (op->glue->view && strcmp(a->name, "axes") == 0)
    return append(k, a, &f->view.n_axes, f->view.axes);
  if ((op->glue->view || op->n_in == 0) && strcmp(a->name, "shape") == 0)
    return append(k, a, &f->view.n_to, f->view.to);
  return in_fail(PMR_INVALID, "%s: '%.40s' is none of its attributes and sizes", op->name, a->name);
}

/* Sizes and attributes of the case, from the inputs' shapes and what was given. */
static pmr_status bind(call *k)
{
  const dc_op *op = k->op;
  int rank[DC_TENSORS] = {0};
  int64_t shape[DC_TENSORS][NPY_RANK], n;
  double given[DC_ATTRS];
  char message[FILE_MESSAGE] = "";
  k->own_rank = -1;
  if (op->n_in == 0 && k->fixed.view.n_to >= 0) { /* of n elements, in any shape */
    pmr_status s = in_count(k->fixed.view.n_to, k->fixed.view.to, op->name, &n);
    if (s)
      return s;
    if (k->fixed.size[0] >= 0 && k->fixed.size[0] != n)
      return in_fail(PMR_INVALID, "%s: %s is %lld, and shape has %lld elements", op->name,
                     op->dim[0], (long long)k->fixed.size[0], (long long)n);
    k->fixed.size[0] = n;
    k->own_rank = k->fixed.view.n_to;
  }
  for (int t = 0; t < op->n_in; t++) {
    rank[t] = k->in[t]->rank;
    memcpy(shape[t], k->in[t]->shape, sizeof k->in[t]->shape);
  }
  memcpy(given, k->fixed.attr, sizeof given);
  if (inputs_bind(op, rank, shape, "its attributes", &k->fixed, &k->bound, message))
    return in_fail(PMR_INVALID, "%s: %.400s", op->name, message);
  for (int i = 0; i < op->n_attrs; i++) /* a list of axes says it too */
    if (!isnan(given[i]) && given[i] != k->fixed.attr[i])
      return in_fail(PMR_INVALID, "%s: %s is %g, and %g from its axes and shapes", op->name,
                     op->attr[i], given[i], k->fixed.attr[i]);
  int open = dc_case_fixed(&k->s.c, op, &k->fixed);
  if (open >= 0)
    return in_fail(PMR_INVALID, "%s: no input says what %s is: give it as an attribute", op->name,
                   op->dim[open]);
  dc_error err = {""};
  if (dc_case_check(&k->s.c, 0, &err))
    return in_fail(PMR_INVALID, "%.400s", err.text);
  return PMR_OK;
}

/* ---- outputs ---- */

static bool overlap(const thing *a, const thing *b)
{
  size_t na = (size_t)a->count * pmr_dtype_bytes(a->dtype);
  size_t nb = (size_t)b->count * pmr_dtype_bytes(b->dtype);
  return a->s == b->s && na && nb && a->from < b->from + nb && b->from < a->from + na;
}

/* An output that is given: of the right shape, free to be written, apart from all but the input
 * whose place it may take. */
static pmr_status given_output(call *k, int o, int rank, const int64_t *shape, int64_t count)
{
  const dc_op *op = k->op;
  const thing *t = k->out[o];
  const char *name = dc_out(op, o)->name;
  char what[48], found[NPY_SHAPE_TEXT], want[NPY_SHAPE_TEXT];
  snprintf(what, sizeof what, "%s: %s", op->name, name);
  if (t->dtype != PMR_F32)
    return in_fail(PMR_INVALID, "%s is %s, must be f32", what, pmr_dtype_name(t->dtype));
  if (t->count != count)
    return in_fail(PMR_INVALID, "%s has the shape %s, must have %s", what,
                   npy_shape(found, t->rank, t->shape), npy_shape(want, rank, shape));
  for (int i = 0; i < op->n_in; i++) {
    bool place = op->glue->replaces[o] == i + 1 && k->in[i]->s == t->s &&
                 k->in[i]->from == t->from && k->in[i]->count == t->count;
    if (!place && overlap(t, k->in[i]))
      return in_fail(PMR_INVALID, "%s overlaps the input %s%s", what, op->tensor[i].name,
                     op->glue->replaces[o] == i + 1 ? ": it may be all of it, or none" : "");
  }
  for (int p = 0; p < o; p++)
    if (k->out[p] && overlap(t, k->out[p]))
      return in_fail(PMR_INVALID, "%s overlaps the output %s", what, dc_out(op, p)->name);
  return in_writable(k->c, t, what);
}

static pmr_status make_outputs(call *k, bool record)
{
  const dc_op *op = k->op;
  for (int o = 0; o < op->n_out; o++) {
    int64_t shape[NPY_RANK], count = dc_count(op, op->n_in + o, k->s.c.size, k->s.c.attr);
    int rank = inputs_shape(op, &k->bound, op->n_in + o, k->s.c.size, k->s.c.attr, shape);
    pmr_status s;
    if (k->own_rank >= 0) {
      rank = k->own_rank;
      memcpy(shape, k->fixed.view.to, sizeof shape);
    }
    if (k->out[o]) {
      s = record
              ? in_fail(PMR_GRADIENT,
                        "%s: %s is given to be written, which the tape cannot follow: leave it to "
                        "be made, or use pmr_no_grad or pmr_detach",
                        op->name, dc_out(op, o)->name)
              : given_output(k, o, rank, shape, count);
      if (s)
        return s;
      continue;
    }
    s = in_new(k->c, A_TENSOR, PMR_F32, count, op->name, &k->out[o]);
    if (s)
      return s;
    k->made[o] = true;
    in_shape(k->out[o], rank, shape);
  }
  return PMR_OK;
}

/* Handles for the new outputs that are wanted; all or none. */
static pmr_status hand_over(call *k, pmr_tensor *out)
{
  pmr_status s = PMR_OK;
  int done = 0;
  for (; done < k->n_out && !s; done++)
    if (k->made[done])
      s = in_make_handle(k->c, k->out[done]);
  for (int o = 0; s && o < done - 1; o++)
    if (k->made[o])
      in_forget_handle(k->c, k->out[o]);
  for (int o = 0; !s && o < k->n_out; o++)
    if (k->made[o]) {
      out[o] = in_handle(k->c, k->out[o]);
      k->made[o] = false; /* the handle's */
    }
  return s;
}

static pmr_status run(call *k, const pmr_tensor *in, int n_in, const pmr_attr *attrs,
                      pmr_tensor *out, int n_out)
{
  const dc_op *op = k->op;
  bool record = false;
  pmr_status s = take_inputs(k, in, n_in);
  dc_fixed_init(&k->fixed);
  for (const pmr_attr *a = attrs; !s && a && a->name; a++)
    s = take_attr(k, a);
  if (!s && (n_out < 1 || n_out > op->n_out || !out))
    s = in_fail(PMR_INVALID, "%s: %d outputs are asked for, must be from 1 to %d", op->name,
                out ? n_out : 0, op->n_out);
  for (int o = 0; !s && o < n_out; o++)
    if (out[o])
      s = in_thing(k->c, out[o], A_TENSOR, dc_out(op, o)->name, &k->out[o]);
  k->n_out = n_out;
  if (!s)
    s = bind(k);
  if (!s)
    s = in_recordable(k->c, op, k->in, &record);
  if (!s)
    s = make_outputs(k, record);
  for (int t = 0; t < op->n_in; t++)
    k->s.t[t] = k->in[t];
  for (int o = 0; o < op->n_out; o++)
    k->s.t[op->n_in + o] = k->out[o];
  if (!s)
    s = in_step(k->c, &k->s);
  if (!s && record)
    s = in_record(k->c, &k->s, k->in, k->out);
  if (!s)
    s = hand_over(k, out);
  for (int o = 0; o < op->n_out; o++)
    if (k->made[o])
      in_drop(k->c, k->out[o]);
  return s;
}

pmr_status pmr_call_at(const char *file, int line, pmr_context h, const char *name,
                       const pmr_tensor *in, int n_in, const pmr_attr *attrs, pmr_tensor *out,
                       int n_out)
{
  call k = {.s = {.file = file ? file : "?", .line = line}};
  pmr_status s = in_begin(h, &k.c);
  if (s)
    return s;
  k.op = dc_op_find(name);
  s = k.op ? run(&k, in, n_in, attrs, out, n_out)
           : in_fail(PMR_INVALID, "op '%.40s': there is no such op in spec/ops.def",
                     name ? name : "(null)");
  return in_end(k.c, s);
}
