#include "inputs.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npy.h"

typedef struct {
  const dc_op *op;
  dc_fixed fixed;
  const char *from[DC_DIMS]; /* who fixed a size, for messages */
  dc_error *err;
} binding;

__attribute__((format(printf, 2, 3))) static dc_status bad(dc_error *err, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(err->text, sizeof err->text, format, args);
  va_end(args);
  return DC_INVALID;
}

/* The dims of axis 0, 1, … of a tensor under the attributes that are fixed. */
static int axis_dim(const dc_tensor *t, const dc_fixed *f, int axis)
{
  int swapped = t->swap >= 0 && t->rank == 2 && f->attr[t->swap] == 1;
  return t->dim[swapped ? 1 - axis : axis];
}

static dc_status bind_shape(binding *b, const dc_tensor *t, const char *file, const npy *a)
{
  char found[NPY_SHAPE_TEXT], wanted[120] = "";
  for (int d = 0; d < t->rank; d++)
    snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%s%s", d ? ", " : "",
             b->op->dim[axis_dim(t, &b->fixed, d)]);
  npy_shape(found, a->rank, a->shape);
  /* One element may come as () or (1,). */
  if (t->rank == 0 && a->rank == 1 && a->shape[0] == 1)
    return DC_OK;
  if (a->rank != t->rank)
    return bad(b->err, "%.80s: shape %.60s: %s of %s is (%s), of rank %d", file, found, t->name,
               b->op->name, wanted, t->rank);
  for (int d = 0; d < t->rank; d++) {
    int dim = axis_dim(t, &b->fixed, d);
    if (b->fixed.size[dim] >= 0 && b->fixed.size[dim] != a->shape[d])
      return bad(b->err, "%.60s: shape %.60s: %s is (%s), and %s is %" PRId64 " from %.60s", file,
                 found, t->name, wanted, b->op->dim[dim], b->fixed.size[dim], b->from[dim]);
    b->fixed.size[dim] = a->shape[d];
    b->from[dim] = file;
  }
  return DC_OK;
}

/* Takes the data over as float or int64_t. */
static dc_status convert(binding *b, const dc_tensor *t, const char *file, npy *a, void **data,
                         int *rounded)
{
  int real = a->type == NPY_F4 || a->type == NPY_F8;
  if (t->dtype == DC_I64 ? real : !real)
    return bad(b->err, "%.120s: dtype %s: %s of %s must be %s", file, npy_name(a->type), t->name,
               b->op->name, t->dtype == DC_I64 ? "int32 or int64" : "float32 or float64");
  if (a->type == NPY_F8) {
    /* In place: element i of the narrower type never reaches past element i of the wider. */
    for (int64_t i = 0; i < a->count; i++) {
      double wide;
      memcpy(&wide, (char *)a->data + 8 * i, 8);
      float narrow = (float)wide;
      *rounded |= !isnan(wide) && (double)narrow != wide;
      memcpy((char *)a->data + 4 * i, &narrow, 4);
    }
  }
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

static dc_status one(binding *b, int t, const char *file, int64_t max_bytes, inputs *in)
{
  char message[NPY_MESSAGE];
  const dc_tensor *tensor = &b->op->tensor[t];
  int rounded = 0;
  npy a;
  if (!npy_read(file, max_bytes, &a, message))
    return bad(b->err, "%.238s", message);
  dc_status status = bind_shape(b, tensor, file, &a);
  if (!status)
    status = convert(b, tensor, file, &a, &in->data[t], &rounded);
  if (rounded)
    in->rounded |= 1 << t;
  npy_free(&a);
  return status;
}

dc_status inputs_read(const dc_op *op, char *const *file, int n, int64_t max_bytes, dc_fixed *f,
                      inputs *out, dc_error *err)
{
  binding b = {.op = op, .fixed = *f, .err = err};
  inputs in = {0};
  dc_status status = DC_OK;
  if (n > op->n_in)
    return bad(err, "%.120s: one file too many: %s has %d input%s", file[op->n_in], op->name,
               op->n_in, op->n_in == 1 ? "" : "s");
  for (int d = 0; d < op->n_dims; d++)
    b.from[d] = "the command line";
  for (int t = 0; t < op->n_in; t++) {
    int swap = op->tensor[t].swap;
    if (swap >= 0 && isnan(b.fixed.attr[swap]))
      b.fixed.attr[swap] = 0;
  }
  for (int t = 0; t < n && !status; t++)
    if (strcmp(file[t], "-") != 0)
      status = one(&b, t, file[t], max_bytes, &in);
  if (status) {
    inputs_free(&in);
    return status;
  }
  for (int t = 0; t < op->n_in; t++)
    b.fixed.given[t] = in.data[t];
  *f = b.fixed;
  *out = in;
  return DC_OK;
}

void inputs_free(inputs *in)
{
  for (int t = 0; t < DC_TENSORS; t++)
    free(in->data[t]);
  memset(in, 0, sizeof *in);
}
