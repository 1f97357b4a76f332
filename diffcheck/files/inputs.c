#include "inputs.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/engine.h"
#include "convert.h"
#include "tensor_file.h"

typedef struct {
  const dc_op *op;
  dc_fixed fixed;
  const char *from[DC_DIMS]; /* who fixed a size, for messages */
  int flags;
  int64_t max_bytes;
  inputs in;
  char *message;
} binding;

__attribute__((format(printf, 2, 3))) static dc_status refuse(binding *b, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(b->message, FILE_MESSAGE, format, args);
  va_end(args);
  return DC_INVALID;
}

/* ---- shapes ---- */

/* The dims of axis 0, 1, … of a tensor under the attributes that are fixed. */
static int axis_dim(const dc_tensor *t, const dc_fixed *f, int axis)
{
  int swapped = t->swap >= 0 && axis >= t->rank - 2 && f->attr[t->swap] == 1;
  return t->dim[swapped ? 2 * t->rank - 3 - axis : axis];
}

/* Where dim stands in a tensor's shape, or -1. */
static int place(const dc_tensor *t, int dim)
{
  for (int i = 0; i < t->rank; i++)
    if (t->dim[i] == dim)
      return i;
  return -1;
}

/* Whether every tensor of the op is made of its dims in their order, or holds one of them, or none;
 * one has all of them; and no index runs over `dim`. */
static bool on_axes(const dc_op *op, int dim)
{
  bool whole = false;
  for (int t = 0; t < op->n_in + op->n_out; t++) {
    const dc_tensor *x = &op->tensor[t];
    if (x->swap >= 0 || (x->rank > 1 && x->rank != op->n_dims) ||
        (x->dtype == DC_I64 && op->glue->index_dim == dim))
      return false;
    for (int i = 0; x->rank > 1 && i < x->rank; i++)
      if (x->dim[i] != i)
        return false;
    whole |= x->rank == op->n_dims;
  }
  return whole && !op->glue->view && !op->glue->shape;
}

static int several_axes(const dc_op *op)
{
  if (op->n_dims == 1)
    return 0;
  if (op->n_dims == 2 && on_axes(op, 0)) /* the op is over the last axis */
    return 0;
  return op->n_dims == 3 && on_axes(op, 2) ? 2 : -1;
}

/* Whether two shapes differ in axes of size 1 alone. */
static bool alike(int rank, const int64_t *shape, int other_rank, const int64_t *other)
{
  int i = 0, k = 0;
  for (;;) {
    while (i < rank && shape[i] == 1)
      i++;
    while (k < other_rank && other[k] == 1)
      k++;
    if (i == rank || k == other_rank)
      return i == rank && k == other_rank;
    if (shape[i++] != other[k++])
      return false;
  }
}

/* "(2, 3, cols)" of a tensor in whose place something else was found. */
static char *wanted(const binding *b, const dc_tensor *t, char text[NPY_SHAPE_TEXT + 160])
{
  char *p = text;
  int axes = 0;
  *p++ = '(';
  for (int d = 0; d < t->rank; d++) {
    int dim = axis_dim(t, &b->fixed, d);
    if (dim == b->in.several && b->in.rank >= 0)
      for (int i = 0; i < b->in.rank; i++)
        p += sprintf(p, "%s%" PRId64, axes++ ? ", " : "", b->in.shape[i]);
    else
      p += sprintf(p, "%s%s%s", axes++ ? ", " : "", dim == b->in.several ? ".." : "",
                   b->op->dim[dim]);
  }
  strcpy(p, ")");
  return text;
}

static dc_status misshapen(binding *b, const dc_tensor *t, const npy *a)
{
  char found[NPY_SHAPE_TEXT], want[NPY_SHAPE_TEXT + 160];
  bool beside = b->in.rank >= 0 && place(t, b->in.several) >= 0;
  return refuse(b, "shape %s: %s of %s is %s%s%.200s", npy_shape(found, a->rank, a->shape), t->name,
                b->op->name, wanted(b, t, want), beside ? " beside " : "",
                beside ? b->from[b->in.several] : "");
}

static dc_status set_dim(binding *b, const dc_tensor *t, const char *file, const npy *a, int dim,
                         int64_t size)
{
  char found[NPY_SHAPE_TEXT];
  if (b->fixed.size[dim] >= 0 && b->fixed.size[dim] != size)
    return refuse(b, "shape %s: %s of %s has %s = %" PRId64 ", and it is %" PRId64 " from %.100s",
                  npy_shape(found, a->rank, a->shape), t->name, b->op->name, b->op->dim[dim], size,
                  b->fixed.size[dim], b->from[dim]);
  b->fixed.size[dim] = size;
  b->from[dim] = file;
  return DC_OK;
}

/* A tensor with a dim that stands for several axes: what the other dims leave of its shape is theirs,
 * and the same wherever that dim is. Rows alone, of which the others are a row each, may have them in
 * one axis, and axes of size 1 beside them. */
static dc_status bind_several(binding *b, const dc_tensor *t, const char *file, const npy *a)
{
  inputs *in = &b->in;
  int at = place(t, in->several), rank = a->rank - (t->rank - 1);
  const int64_t *axes = a->shape + at;
  bool lone = t->rank == 1 && b->op->n_dims > 1;
  int64_t size = 1;
  dc_status status = DC_OK;
  if (rank < 0 || rank > NPY_RANK - (lone ? b->op->n_dims - 1 : 0))
    return misshapen(b, t, a);
  bool fits = in->rank < 0 ||
              (rank == in->rank && memcmp(axes, in->shape, (size_t)rank * sizeof *axes) == 0);
  if (!fits && lone)
    fits = alike(rank, axes, in->rank, in->shape) ||
           (rank == 1 && axes[0] == b->fixed.size[in->several]);
  if (!fits)
    return misshapen(b, t, a);
  for (int i = 0; i < rank && size; i++)
    size = axes[i] ? size : 0;
  for (int i = 0; i < rank && size; i++)
    if (__builtin_mul_overflow(size, axes[i], &size))
      return refuse(b, "shape: %s must be below 2^63", b->op->dim[in->several]);
  if (in->rank < 0) {
    in->rank = rank;
    memcpy(in->shape, axes, (size_t)rank * sizeof *axes);
  }
  for (int d = 0; d < t->rank && !status; d++)
    status =
        set_dim(b, t, file, a, t->dim[d], d == at ? size : a->shape[d < at ? d : d + rank - 1]);
  return status;
}

static dc_status bind_shape(binding *b, const dc_tensor *t, const char *file, const npy *a)
{
  const int64_t one = 1;
  if (b->op->glue->view) {
    int i = (int)(t - b->op->tensor);
    b->in.view.rank[i] = a->rank;
    memcpy(b->in.view.shape[i], a->shape, sizeof a->shape);
    return DC_OK;
  }
  /* One element may come as () or (1,), and cols of an op on rows as (1, cols). */
  if (t->rank == 0 && alike(a->rank, a->shape, 1, &one))
    return DC_OK;
  if (b->in.several >= 0 && place(t, b->in.several) >= 0)
    return bind_several(b, t, file, a);
  if (b->in.several >= 0 && t->rank == 1 && alike(a->rank, a->shape, 1, &a->count))
    return set_dim(b, t, file, a, t->dim[0], a->count);
  if (a->rank != t->rank)
    return misshapen(b, t, a);
  dc_status status = DC_OK;
  for (int d = 0; d < t->rank && !status; d++)
    status = set_dim(b, t, file, a, axis_dim(t, &b->fixed, d), a->shape[d]);
  return status;
}

int inputs_shape(const dc_op *op, const inputs *in, int tensor, const int64_t *size,
                 const double *attr, int64_t shape[NPY_RANK])
{
  const dc_tensor *t = &op->tensor[tensor];
  int n = 0;
  if (op->glue->view && in->view.rank[tensor] >= 0) {
    memcpy(shape, in->view.shape[tensor], sizeof in->view.shape[tensor]);
    return in->view.rank[tensor];
  }
  if (in->several < 0 || in->rank < 0 || place(t, in->several) < 0)
    return dc_shape(op, tensor, size, attr, shape);
  for (int d = 0; d < t->rank; d++)
    if (t->dim[d] != in->several)
      shape[n++] = size[t->dim[d]];
    else
      for (int i = 0; i < in->rank; i++)
        shape[n++] = in->shape[i];
  return n;
}

/* ---- values ---- */

static bool takes(const dc_op *op, int t, npy_type type)
{
  if (op->tensor[t].dtype == DC_I64)
    return npy_is_integer(type);
  return npy_is_real(type) || (t < op->n_in && op->glue->domain[t] == DC_MASK);
}

static bool refuse_type(const dc_op *op, int t, npy_type type, char *message)
{
  bool mask = t < op->n_in && op->glue->domain[t] == DC_MASK;
  return file_fail(message, "dtype %s: %s of %s must be %s", npy_name(type), op->tensor[t].name,
                   op->name,
                   op->tensor[t].dtype == DC_I64 ? "an integer type, int8 to uint64"
                   : mask ? "bool, an integer type, or float16, bfloat16, float32 or float64"
                          : "float32 or float64, float16 or bfloat16");
}

/* Takes the data over as float or int64_t. */
static bool convert(binding *b, int t, npy *a, void **data)
{
  bool good;
  if (!takes(b->op, t, a->type))
    return refuse_type(b->op, t, a->type, b->message);
  if (a->type == NPY_F8 && b->flags & INPUTS_EXACT) {
    int64_t i = npy_no_float(a);
    if (i >= 0)
      return file_fail(b->message,
                       "dtype float64: element %" PRId64 " of %s is %.17g, must be a float32: a "
                       "kernel read another number",
                       i, b->op->tensor[t].name, ((const double *)a->data)[i]);
  }
  if (a->type == NPY_F8) {
    b->in.rounded |= npy_narrow(a) << t;
    good = true;
  } else if (npy_is_real(a->type))
    good = npy_widen(a, b->message);
  else if (b->op->tensor[t].dtype == DC_I64)
    good = npy_integers(a, b->message);
  else
    good = npy_mask(a, b->message);
  if (good) {
    *data = a->data;
    a->data = NULL;
  }
  return good;
}

static dc_status one(binding *b, int t, tensor_file *from, bool alone, const char *file)
{
  const dc_tensor *tensor = &b->op->tensor[t];
  npy a;
  if (!tensor_file_take(from, b->op, t, alone, b->max_bytes, &a, b->message))
    return DC_INVALID;
  dc_status status = bind_shape(b, tensor, file, &a);
  if (!status && !convert(b, t, &a, &b->in.data[t]))
    status = DC_INVALID;
  if (status) {
    if (!alone)
      file_in(tensor->name, b->message);
    file_in(file, b->message);
  }
  npy_free(&a);
  return status;
}

/* Sizes and attributes of an op that is stated on a view, once every input's shape is known. */
static dc_status bind_view(binding *b, const char *who)
{
  const dc_op *op = b->op;
  int64_t size[DC_DIMS];
  memcpy(size, b->fixed.size, sizeof size);
  const char *why = op->glue->view(&b->in.view, size, b->fixed.attr);
  if (why)
    return refuse(b, "%.240s: %s", who, why);
  for (int d = 0; d < op->n_dims; d++)
    if (b->fixed.size[d] >= 0 && b->fixed.size[d] != size[d])
      return refuse(b, "%.240s: %s of %s is %" PRId64 ", and %" PRId64 " from %.100s", who,
                    op->dim[d], op->name, size[d], b->fixed.size[d], b->from[d]);
  memcpy(b->fixed.size, size, sizeof size);
  return DC_OK;
}

static dc_status all_given(binding *b, const char *who)
{
  const dc_op *op = b->op;
  for (int t = 0; t < op->n_in; t++)
    if (!b->in.data[t])
      return refuse(
          b, "%.240s: %s of %s is not given: either all of its inputs come from files or none", who,
          op->tensor[t].name, op->name);
  return DC_OK;
}

/* Every file that is given, or one that has every input under its name. */
static dc_status read_files(binding *b, char *const *file, int n)
{
  const dc_op *op = b->op;
  dc_status status = DC_OK;
  bool set = false;
  for (int t = 0; t < n && !status; t++) {
    if (strcmp(file[t], "-") == 0)
      continue;
    tensor_file *from = tensor_file_open(file[t], b->message);
    if (!from)
      return DC_INVALID;
    set = n == 1 && op->n_in > 1 && tensor_file_is_set(from);
    if (!set && n < op->n_in && b->flags & INPUTS_ALL) {
      tensor_file_close(from);
      break;
    }
    for (int k = t; k < (set ? op->n_in : t + 1) && !status; k++)
      status = one(b, k, from, !set, file[t]);
    tensor_file_close(from);
  }
  if (!status && !set && n < op->n_in && b->flags & INPUTS_ALL)
    return refuse(b, "FILE of input %s is missing: %s has %d input%s", op->tensor[n].name, op->name,
                  op->n_in, op->n_in == 1 ? "" : "s");
  return status;
}

static binding begin(const dc_op *op, const dc_fixed *f, int flags, const char *who, char *message)
{
  binding b = {.op = op,
               .fixed = *f,
               .flags = flags,
               .message = message,
               .in = {.several = several_axes(op), .rank = -1, .view = f->view}};
  for (int d = 0; d < op->n_dims; d++)
    b.from[d] = who;
  for (int t = 0; t < op->n_in + op->n_out; t++)
    b.in.view.rank[t] = -1;
  for (int t = 0; t < op->n_in; t++) {
    int swap = op->tensor[t].swap;
    if (swap >= 0 && isnan(b.fixed.attr[swap]))
      b.fixed.attr[swap] = 0;
  }
  return b;
}

dc_status inputs_bind(const dc_op *op, const int *rank, const int64_t (*shape)[NPY_RANK],
                      const char *who, dc_fixed *f, inputs *out, char *message)
{
  binding b = begin(op, f, 0, who, message);
  dc_status status = DC_OK;
  for (int t = 0; t < op->n_in && !status; t++) {
    npy a = {.rank = rank[t], .count = 1};
    memcpy(a.shape, shape[t], (size_t)a.rank * sizeof *a.shape);
    status = npy_size_up(&a, message) ? bind_shape(&b, &op->tensor[t], op->tensor[t].name, &a)
                                      : DC_INVALID;
  }
  if (!status && op->n_in > 0 && op->glue->view)
    status = bind_view(&b, op->name);
  if (status)
    return status;
  *f = b.fixed;
  *out = b.in;
  return DC_OK;
}

dc_status inputs_read(const dc_op *op, char *const *file, int n, int flags, int64_t max_bytes,
                      dc_fixed *f, inputs *out, char *message)
{
  binding b = begin(op, f, flags, "the command line", message);
  b.max_bytes = max_bytes;
  if (n > op->n_in) {
    file_fail(message, "%.240s: one file too many: %s has %d input%s", file[op->n_in], op->name,
              op->n_in, op->n_in == 1 ? "" : "s");
    return DC_INVALID;
  }
  dc_status status = read_files(&b, file, n);
  if (!status && n > 0 && op->glue->view)
    status = all_given(&b, file[0]);
  if (!status && n > 0 && op->glue->view)
    status = bind_view(&b, file[0]);
  if (status) {
    inputs_free(&b.in);
    return status;
  }
  for (int t = 0; t < op->n_in; t++)
    b.fixed.given[t] = b.in.data[t];
  *f = b.fixed;
  *out = b.in;
  return DC_OK;
}

void inputs_free(inputs *in)
{
  for (int t = 0; t < DC_TENSORS; t++)
    free(in->data[t]);
  memset(in, 0, sizeof *in);
}

/* ---- outputs ---- */

static bool take_output(const dc_case *c, const inputs *in, int o, npy *a, got *out, char *message)
{
  const dc_op *op = c->op;
  char found[NPY_SHAPE_TEXT], want[NPY_SHAPE_TEXT];
  int64_t shape[NPY_RANK], own[DC_RANK];
  int t = op->n_in + o, rank = inputs_shape(op, in, t, c->size, c->attr, shape),
      own_rank = dc_shape(op, t, c->size, c->attr, own);
  int64_t count = dc_count(op, t, c->size, c->attr);
  if (!takes(op, t, a->type))
    return refuse_type(op, t, a->type, message);
  if (a->count != count || (a->rank != 1 && !alike(a->rank, a->shape, rank, shape) &&
                            !alike(a->rank, a->shape, own_rank, own)))
    return file_fail(message, "shape %s: output %s of %s has %" PRId64 " elements here, as %s",
                     npy_shape(found, a->rank, a->shape), op->tensor[t].name, op->name, count,
                     npy_shape(want, rank, shape));
  out->type = a->type;
  if (!npy_widen(a, message))
    return false;
  if (a->type == NPY_F8 && npy_no_float(a) < 0)
    npy_narrow(a);
  if (a->type == NPY_F8)
    out->d = a->data;
  else
    out->f = a->data;
  a->data = NULL;
  return true;
}

dc_status got_read(const dc_case *c, const inputs *in, char *const *file, int n, int64_t max_bytes,
                   got out[DC_OUTPUTS], char *message)
{
  const dc_op *op = c->op;
  bool good = true, set = false;
  for (int o = 0; o < DC_OUTPUTS; o++)
    out[o] = (got){NULL, NULL, NPY_F4};
  for (int k = 0; k < n && good; k++) {
    npy a;
    tensor_file *from = tensor_file_open(file[k], message);
    if (!from) {
      good = false;
      break;
    }
    set = n == 1 && op->n_out > 1 && tensor_file_is_set(from);
    if (!set && n != op->n_out) {
      tensor_file_close(from);
      break;
    }
    for (int o = k; o < (set ? op->n_out : k + 1) && good; o++) {
      good = tensor_file_take(from, op, op->n_in + o, !set, max_bytes, &a, message);
      if (!good)
        break;
      good = take_output(c, in, o, &a, &out[o], message);
      if (!good && set)
        file_in(op->tensor[op->n_in + o].name, message);
      if (!good)
        file_in(file[k], message);
      npy_free(&a);
    }
    tensor_file_close(from);
  }
  if (good && !set && n != op->n_out)
    good = file_fail(message, "%s has %d output%s, and --got was given %d time%s", op->name,
                     op->n_out, op->n_out == 1 ? "" : "s", n, n == 1 ? "" : "s");
  if (!good)
    got_free(out);
  return good ? DC_OK : DC_INVALID;
}

void got_free(got out[DC_OUTPUTS])
{
  for (int o = 0; o < DC_OUTPUTS; o++) {
    free(out[o].f);
    free(out[o].d);
    out[o] = (got){NULL, NULL, NPY_F4};
  }
}
