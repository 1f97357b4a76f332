/* Tensors: from and to the host, and views. */
#include <stdlib.h>
#include <string.h>

#include "../diffcheck/engine/engine.h"
#include "internal.h"

static pmr_status no_out(void)
{
  return in_fail(PMR_INVALID, "out is NULL: it must point to a pmr_tensor");
}

pmr_status pmr_from_host(pmr_context h, pmr_dtype dtype, int rank, const int64_t *shape,
                         const void *data, pmr_tensor *out)
{
  context *c;
  thing *t = NULL;
  int64_t count;
  if (!out)
    return no_out();
  pmr_status s = in_begin(h, &c);
  if (s)
    return s;
  s = in_count(rank, shape, "from_host", &count);
  if (!s)
    s = in_new(c, A_TENSOR, dtype, count, "from_host", &t);
  if (!s) {
    in_shape(t, rank, shape);
    s = in_put(c, t, dtype, data, count, "from_host");
  }
  return in_end(c, in_give(c, s, t, out));
}

pmr_status pmr_to_host(pmr_tensor h, pmr_dtype dtype, void *data, int64_t count)
{
  context *c;
  thing *t;
  pmr_status s = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  return s ? s : in_end(c, in_get(c, t, dtype, data, count, "to_host"));
}

pmr_status pmr_to_host_transposed(pmr_tensor h, pmr_dtype dtype, void *data, int64_t count)
{
  static const char what[] = "to_host_transposed";
  context *c;
  thing *t;
  size_t bytes = 0;
  char *rows = NULL, *columns = data;
  pmr_status s = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  if (s)
    return s;
  if (t->rank != 2)
    s = in_fail(PMR_INVALID, "%s: tensor has %d axes, must have 2", what, t->rank);
  else if (!data && count)
    s = in_fail(PMR_INVALID, "%s: data is NULL", what);
  else
    s = in_bytes(dtype, t->count, &bytes);
  if (!s && !(rows = malloc(bytes + 1)))
    s = in_fail(PMR_NO_MEMORY, "%s: no memory on the host for %zu bytes", what, bytes);
  if (!s)
    s = in_get(c, t, dtype, rows, count, what);
  const size_t each = pmr_dtype_bytes(dtype);
  for (int64_t i = 0; i < count && !s; i++) {
    int64_t at = i % t->shape[1] * t->shape[0] + i / t->shape[1];
    memcpy(columns + (size_t)at * each, rows + (size_t)i * each, each);
  }
  free(rows);
  return in_end(c, s);
}

pmr_status pmr_item(pmr_tensor h, double *value)
{
  context *c;
  thing *t;
  if (!value)
    return in_fail(PMR_INVALID, "value is NULL: it must point to a double");
  pmr_status s = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  if (s)
    return s;
  if (t->count != 1)
    s = in_fail(PMR_INVALID, "item: tensor has %lld elements, must have 1", (long long)t->count);
  return in_end(c, s ? s : in_get(c, t, PMR_F64, value, 1, "item"));
}

pmr_status pmr_put(pmr_tensor h, pmr_dtype dtype, const void *data, int64_t count)
{
  context *c;
  thing *t;
  pmr_status s = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  if (s)
    return s;
  s = in_writable(c, t, "put: tensor");
  return in_end(c, s ? s : in_put(c, t, dtype, data, count, "put"));
}

/* An op without inputs, of that shape. */
static pmr_status generate(pmr_context h, const char *op, int64_t stream, int rank,
                           const int64_t *shape, pmr_tensor *out)
{
  pmr_attr a[PMR_RANK + 2];
  pmr_tensor t = NULL;
  int64_t count;
  int n = 0;
  if (!out)
    return no_out();
  pmr_status s = in_count(rank, shape, op, &count);
  if (s)
    return s;
  for (; n < rank; n++) {
    if (shape[n] >= (int64_t)DC_WHOLE)
      return in_fail(PMR_INVALID, "%s: axis %d is %lld, must be below 2^53", op, n,
                     (long long)shape[n]);
    a[n] = (pmr_attr){"shape", (double)shape[n]};
  }
  if (rank == 0)
    a[n++] = (pmr_attr){"n", 1};
  if (stream >= 0)
    a[n++] = (pmr_attr){"stream", (double)stream};
  a[n] = (pmr_attr){NULL, 0};
  s = pmr_call_at(__FILE__, __LINE__, h, op, NULL, 0, a, &t, 1);
  if (!s && rank == 0) { /* (1) as () */
    pmr_tensor one = t;
    s = pmr_reshape(one, 0, NULL, &t);
    pmr_release(one);
  }
  if (!s)
    *out = t;
  return s;
}

static pmr_status stream_in_range(int64_t stream)
{
  return stream >= 0 && stream < (int64_t)DC_WHOLE
             ? PMR_OK
             : in_fail(PMR_INVALID, "stream is %lld, must be from 0 to 2^53 - 1",
                       (long long)stream);
}

pmr_status pmr_zeros(pmr_context h, int rank, const int64_t *shape, pmr_tensor *out)
{
  return generate(h, "zeros", -1, rank, shape, out);
}

pmr_status pmr_ones(pmr_context h, int rank, const int64_t *shape, pmr_tensor *out)
{
  return generate(h, "ones", -1, rank, shape, out);
}

pmr_status pmr_rand(pmr_context h, int64_t stream, int rank, const int64_t *shape, pmr_tensor *out)
{
  pmr_status s = stream_in_range(stream);
  return s ? s : generate(h, "rand_uniform", stream, rank, shape, out);
}

pmr_status pmr_randn(pmr_context h, int64_t stream, int rank, const int64_t *shape, pmr_tensor *out)
{
  pmr_status s = stream_in_range(stream);
  return s ? s : generate(h, "rand_normal", stream, rank, shape, out);
}

/* ---- shared memory ---- */

pmr_status pmr_of_buffer(pmr_buffer h, int rank, const int64_t *shape, pmr_tensor *out)
{
  context *c;
  thing *b, *t = NULL;
  int64_t count;
  if (!out)
    return no_out();
  pmr_status s = in_begin_thing(h, A_BUFFER, "buffer", &c, &b);
  if (s)
    return s;
  s = in_count(rank, shape, "of_buffer", &count);
  if (!s && count != b->count)
    s = in_fail(PMR_INVALID, "of_buffer: the shape has %lld elements and the buffer %lld",
                (long long)count, (long long)b->count);
  if (!s && !(t = in_thing_over(A_TENSOR, b->s, b->dtype, b->from, count)))
    s = PMR_NO_MEMORY;
  if (!s) {
    t->is_view = 1;
    in_shape(t, rank, shape);
  }
  return in_end(c, in_give(c, s, t, out));
}

pmr_status pmr_to_buffer(pmr_tensor h, pmr_buffer *out)
{
  context *c;
  thing *t, *b;
  if (!out)
    return in_fail(PMR_INVALID, "out is NULL: it must point to a pmr_buffer");
  pmr_status s = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  if (s)
    return s;
  b = in_thing_over(A_BUFFER, t->s, t->dtype, t->from, t->count);
  if (!b)
    return in_end(c, PMR_NO_MEMORY);
  b->is_view = 1;
  return in_end(c, in_give(c, PMR_OK, b, out));
}

pmr_status pmr_about(pmr_tensor h, pmr_dtype *dtype, int *rank, int64_t shape[PMR_RANK])
{
  context *c;
  thing *t;
  pmr_status s = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  if (s)
    return s;
  if (dtype)
    *dtype = t->dtype;
  if (rank)
    *rank = t->rank;
  if (shape)
    memcpy(shape, t->shape, (size_t)t->rank * sizeof *shape);
  return in_end(c, PMR_OK);
}

pmr_status pmr_retain(pmr_tensor t) { return in_retain(t, A_TENSOR, "tensor"); }
pmr_status pmr_release(pmr_tensor t) { return in_release(t, A_TENSOR, "tensor", false); }
pmr_status pmr_free(pmr_tensor t) { return in_release(t, A_TENSOR, "tensor", true); }

/* A view of count elements, from byte `at` of t's on, on the tape as what op makes of it by a copy. */
static pmr_status view(context *c, thing *t, step *s, size_t at, int64_t count, int rank,
                       const int64_t *shape, pmr_tensor *out)
{
  bool record = false;
  pmr_status r = in_recordable(c, s->c.op, &t, &record);
  if (r)
    return r;
  thing *y = in_thing_over(A_TENSOR, t->s, t->dtype, t->from + at, count);
  if (!y)
    return PMR_NO_MEMORY;
  y->is_view = 1;
  in_shape(y, rank, shape);
  return in_give(c, record ? in_record(c, s, &t, &y) : PMR_OK, y, out);
}

pmr_status pmr_reshape_at(const char *file, int line, pmr_tensor h, int rank, const int64_t *shape,
                          pmr_tensor *out)
{
  context *c;
  thing *t;
  int64_t count;
  step s = {.file = file ? file : "?", .line = line};
  if (!out)
    return no_out();
  pmr_status r = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  if (r)
    return r;
  dc_case_init(&s.c, dc_op_find("copy"));
  s.c.size[0] = t->count;
  r = in_count(rank, shape, "reshape", &count);
  if (!r && count != t->count)
    r = in_fail(PMR_INVALID, "reshape: the shape has %lld elements and the tensor %lld",
                (long long)count, (long long)t->count);
  return in_end(c, r ? r : view(c, t, &s, 0, count, rank, shape, out));
}

pmr_status pmr_rows_at(const char *file, int line, pmr_tensor h, int64_t start, int64_t len,
                       pmr_tensor *out)
{
  context *c;
  thing *t;
  step s = {.file = file ? file : "?", .line = line};
  int64_t shape[PMR_RANK];
  if (!out)
    return no_out();
  pmr_status r = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  if (r)
    return r;
  if (t->rank < 1)
    r = in_fail(PMR_INVALID, "rows: tensor is a scalar, must have an axis");
  else if (start < 0 || len < 0 || start > t->shape[0] || len > t->shape[0] - start)
    r = in_fail(PMR_INVALID, "rows: %lld rows from row %lld on: tensor has %lld", (long long)len,
                (long long)start, (long long)t->shape[0]);
  if (r)
    return in_end(c, r);
  int64_t inner = t->shape[0] ? t->count / t->shape[0] : 0;
  dc_case_init(&s.c, dc_op_find("slice")); /* (outer, n, inner), len; start */
  s.c.size[0] = 1, s.c.size[1] = t->shape[0], s.c.size[2] = inner, s.c.size[3] = len;
  s.c.attr[0] = (double)start;
  memcpy(shape, t->shape, sizeof shape);
  shape[0] = len;
  size_t at = (size_t)(start * inner) * pmr_dtype_bytes(t->dtype);
  return in_end(c, view(c, t, &s, at, len * inner, t->rank, shape, out));
}

pmr_status pmr_detach(pmr_tensor h, pmr_tensor *out)
{
  context *c;
  thing *t;
  if (!out)
    return no_out();
  pmr_status s = in_begin_thing(h, A_TENSOR, "tensor", &c, &t);
  if (s)
    return s;
  thing *y = in_thing_over(A_TENSOR, t->s, t->dtype, t->from, t->count);
  if (!y)
    return in_end(c, PMR_NO_MEMORY);
  y->is_view = 1;
  in_shape(y, t->rank, t->shape);
  return in_end(c, in_give(c, PMR_OK, y, out));
}
