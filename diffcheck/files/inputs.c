#include "inputs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/engine.h"

typedef struct {
  const dc_op *op;
  dc_fixed fixed;
  const char *from[DC_DIMS]; /* who fixed a size, for messages */
  inputs in;
  dc_error *err;
} binding;

/* The dims of axis 0, 1, … of a tensor under the attributes that are fixed. */
static int axis_dim(const dc_tensor *t, const dc_fixed *f, int axis)
{
  int swapped = t->swap >= 0 && t->rank == 2 && f->attr[t->swap] == 1;
  return t->dim[swapped ? 1 - axis : axis];
}

static dc_status set_dim(binding *b, const dc_tensor *t, const char *file, const npy *a, int dim,
                         int64_t size)
{
  char found[NPY_SHAPE_TEXT];
  if (b->fixed.size[dim] >= 0 && b->fixed.size[dim] != size)
    return dc_fail(b->err, DC_INVALID,
                   "%.60s: shape %.60s: %s of %s has %s = %" PRId64 ", and it is %" PRId64
                   " from %.60s",
                   file, npy_shape(found, a->rank, a->shape), t->name, b->op->name, b->op->dim[dim],
                   size, b->fixed.size[dim], b->from[dim]);
  b->fixed.size[dim] = size;
  b->from[dim] = file;
  return DC_OK;
}

/* Of an op over n elements: any shape, and the same one throughout. */
static dc_status bind_flat(binding *b, const dc_tensor *t, const char *file, const npy *a)
{
  char found[NPY_SHAPE_TEXT], first[NPY_SHAPE_TEXT];
  inputs *in = &b->in;
  if (in->rank >= 0 &&
      (in->rank != a->rank || memcmp(in->shape, a->shape, (size_t)a->rank * sizeof *a->shape) != 0))
    return dc_fail(b->err, DC_INVALID, "%.60s: shape %.60s: must be that of %.60s, %.60s", file,
                   npy_shape(found, a->rank, a->shape), b->from[t->dim[0]],
                   npy_shape(first, in->rank, in->shape));
  in->rank = a->rank;
  memcpy(in->shape, a->shape, sizeof in->shape);
  return set_dim(b, t, file, a, t->dim[0], a->count);
}

static dc_status bind_shape(binding *b, const dc_tensor *t, const char *file, const npy *a)
{
  char found[NPY_SHAPE_TEXT], wanted[120] = "";
  for (int d = 0; d < t->rank; d++)
    snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%s%s", d ? ", " : "",
             b->op->dim[axis_dim(t, &b->fixed, d)]);
  npy_shape(found, a->rank, a->shape);
  if (b->op->glue->view) {
    int i = (int)(t - b->op->tensor);
    b->in.view.rank[i] = a->rank;
    memcpy(b->in.view.shape[i], a->shape, sizeof a->shape);
    return DC_OK;
  }
  /* One element may come as () or (1,). */
  if (t->rank == 0 && a->rank == 1 && a->shape[0] == 1)
    return DC_OK;
  if (t->rank == 1 && b->op->n_dims == 1)
    return bind_flat(b, t, file, a);
  if (a->rank != t->rank)
    return dc_fail(b->err, DC_INVALID, "%.80s: shape %.60s: %s of %s is (%s), of rank %d", file,
                   found, t->name, b->op->name, wanted, t->rank);
  dc_status status = DC_OK;
  for (int d = 0; d < t->rank && !status; d++)
    status = set_dim(b, t, file, a, axis_dim(t, &b->fixed, d), a->shape[d]);
  return status;
}

/* Takes the data over as float or int64_t. */
static dc_status convert(binding *b, const dc_tensor *t, const char *file, npy *a, void **data,
                         int *rounded)
{
  int real = a->type == NPY_F4 || a->type == NPY_F8;
  if (t->dtype == DC_I64 ? real : !real)
    return dc_fail(b->err, DC_INVALID, "%.120s: dtype %s: %s of %s must be %s", file,
                   npy_name(a->type), t->name, b->op->name,
                   t->dtype == DC_I64 ? "int32 or int64" : "float32 or float64");
  if (a->type == NPY_F8)
    *rounded = npy_narrow(a);
  if (a->type == NPY_I4) {
    int64_t *wide = malloc((size_t)(a->count ? a->count : 1) * sizeof *wide);
    if (!wide)
      return DC_NO_MEMORY;
    for (int64_t i = 0; i < a->count; i++)
      wide[i] = ((const int32_t *)a->data)[i];
    npy_free(a);
    a->data = wide;
  }
  *data = a->data;
  a->data = NULL;
  return DC_OK;
}

static dc_status one(binding *b, int t, const char *file, int64_t max_bytes)
{
  char message[NPY_MESSAGE];
  const dc_tensor *tensor = &b->op->tensor[t];
  int rounded = 0;
  npy a;
  if (!npy_read(file, max_bytes, &a, message))
    return dc_fail(b->err, DC_INVALID, "%.238s", message);
  dc_status status = bind_shape(b, tensor, file, &a);
  if (!status)
    status = convert(b, tensor, file, &a, &b->in.data[t], &rounded);
  if (rounded)
    b->in.rounded |= 1 << t;
  npy_free(&a);
  return status;
}

/* Sizes and attributes of an op that is stated on a view, once every input is read. */
static dc_status bind_view(binding *b, char *const *file, int n)
{
  const dc_op *op = b->op;
  int64_t size[DC_DIMS];
  for (int t = 0; t < op->n_in; t++)
    if (t >= n || !b->in.data[t])
      return dc_fail(b->err, DC_INVALID,
                     "%.60s: %s of %s is not given: either all of its inputs "
                     "come from files or none",
                     file[0], op->tensor[t].name, op->name);
  memcpy(size, b->fixed.size, sizeof size);
  const char *why = op->glue->view(&b->in.view, size, b->fixed.attr);
  if (why)
    return dc_fail(b->err, DC_INVALID, "%.60s: %.180s", file[0], why);
  for (int d = 0; d < op->n_dims; d++)
    if (b->fixed.size[d] >= 0 && b->fixed.size[d] != size[d])
      return dc_fail(b->err, DC_INVALID,
                     "%.60s: %s of %s is %" PRId64 ", and %" PRId64 " from the command line",
                     file[0], op->dim[d], op->name, size[d], b->fixed.size[d]);
  memcpy(b->fixed.size, size, sizeof size);
  return DC_OK;
}

dc_status inputs_read(const dc_op *op, char *const *file, int n, int64_t max_bytes, dc_fixed *f,
                      inputs *out, dc_error *err)
{
  binding b = {.op = op, .fixed = *f, .err = err, .in = {.rank = -1, .view = f->view}};
  dc_status status = DC_OK;
  if (n > op->n_in)
    return dc_fail(err, DC_INVALID, "%.120s: one file too many: %s has %d input%s", file[op->n_in],
                   op->name, op->n_in, op->n_in == 1 ? "" : "s");
  for (int d = 0; d < op->n_dims; d++)
    b.from[d] = "the command line";
  for (int t = 0; t < op->n_in; t++) {
    int swap = op->tensor[t].swap;
    if (swap >= 0 && isnan(b.fixed.attr[swap]))
      b.fixed.attr[swap] = 0;
  }
  for (int t = 0; t < n && !status; t++)
    if (strcmp(file[t], "-") != 0)
      status = one(&b, t, file[t], max_bytes);
  if (!status && n > 0 && op->glue->view)
    status = bind_view(&b, file, n);
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
