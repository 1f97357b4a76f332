/* Buffers. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static pmr_status no_out(void)
{
  return in_fail(PMR_INVALID, "out is NULL: it must point to a pmr_buffer");
}

/* A null byte is 0 in every type. */
static pmr_status clear(context *c, thing *b)
{
  size_t bytes = (size_t)b->count * pmr_dtype_bytes(b->dtype);
  void *host = calloc(bytes ? bytes : 1, 1);
  pmr_status s = host ? in_upload(c, b->s, b->from, host, bytes)
                      : in_fail(PMR_NO_MEMORY, "zero: no memory on the host for %zu bytes", bytes);
  free(host);
  return s;
}

pmr_status pmr_buffer_new(pmr_context h, pmr_dtype dtype, int64_t count, pmr_buffer *out)
{
  context *c;
  thing *t = NULL;
  if (!out)
    return no_out();
  pmr_status s = in_begin(h, &c);
  if (s)
    return s;
  s = in_new(c, A_BUFFER, dtype, count, "buffer", &t);
  if (!s)
    s = clear(c, t);
  return in_end(c, in_give(c, s, t, out));
}

/* Whether elements first, first + stride, .. lie within b. */
static pmr_status within(const thing *b, int64_t first, int64_t count, int64_t stride)
{
  int64_t last;
  if (first < 0 || count < 0)
    return in_fail(PMR_INVALID, "slice: first is %lld and count %lld, must not be negative",
                   (long long)first, (long long)count);
  if (stride < 1)
    return in_fail(PMR_INVALID, "slice: stride is %lld, must be at least 1", (long long)stride);
  if (count == 0 && first <= b->count)
    return PMR_OK;
  if (__builtin_mul_overflow(count - 1, stride, &last) ||
      __builtin_add_overflow(last, first, &last) || last >= b->count)
    return in_fail(PMR_INVALID,
                   "slice: %lld elements from %lld on at a stride of %lld: the buffer has %lld",
                   (long long)count, (long long)first, (long long)stride, (long long)b->count);
  return PMR_OK;
}

static pmr_status view(context *c, const thing *b, int64_t first, int64_t count, pmr_buffer *out)
{
  size_t each = pmr_dtype_bytes(b->dtype);
  thing *t = in_thing_over(A_BUFFER, b->s, b->dtype, b->from + (size_t)first * each, count);
  if (!t)
    return PMR_NO_MEMORY;
  t->is_view = 1;
  return in_give(c, PMR_OK, t, out);
}

pmr_status pmr_buffer_view(pmr_buffer h, int64_t first, int64_t count, pmr_buffer *out)
{
  return pmr_buffer_slice(h, first, count, 1, 0, out);
}

static pmr_status strided(context *c, const thing *b, int64_t first, int64_t count, int64_t stride,
                          pmr_buffer *out)
{
  size_t each = pmr_dtype_bytes(b->dtype);
  thing *t = NULL;
  void *host = NULL;
  pmr_status s = in_fetch(c, b, "slice", &host);
  if (!s)
    s = in_new(c, A_BUFFER, b->dtype, count, "slice", &t);
  for (int64_t i = 0; !s && i < count; i++) /* to the front: what is read is never before it */
    memmove((char *)host + (size_t)i * each, (char *)host + (size_t)(first + i * stride) * each,
            each);
  if (!s)
    s = in_upload(c, t->s, 0, host, (size_t)count * each);
  free(host);
  return in_give(c, s, t, out);
}

pmr_status pmr_buffer_slice(pmr_buffer h, int64_t first, int64_t count, int64_t stride, int copy,
                            pmr_buffer *out)
{
  context *c;
  thing *b;
  if (!out)
    return no_out();
  pmr_status s = in_begin_thing(h, A_BUFFER, "buffer", &c, &b);
  if (s)
    return s;
  s = within(b, first, count, stride);
  if (!s && stride == 1 && !copy)
    return in_end(c, view(c, b, first, count, out));
  if (!s && !copy)
    s = in_fail(PMR_INVALID,
                "slice: stride is %lld: a view has its elements side by side; copy = 1 "
                "copies them",
                (long long)stride);
  return in_end(c, s ? s : strided(c, b, first, count, stride, out));
}

pmr_status pmr_buffer_clone(pmr_buffer h, pmr_buffer *out)
{
  context *c;
  thing *b;
  if (!out)
    return no_out();
  pmr_status s = in_begin_thing(h, A_BUFFER, "buffer", &c, &b);
  if (s)
    return s;
  return in_end(c, strided(c, b, 0, b->count, 1, out));
}

/* Host memory of count elements of that type, made of elements of another. */
static pmr_status converted(pmr_dtype from, const void *x, pmr_dtype to, int64_t count,
                            const char *what, void **out)
{
  size_t bytes;
  pmr_status s = in_bytes(to, count, &bytes);
  if (s)
    return s;
  void *y = malloc(bytes ? bytes : 1);
  if (!y)
    return in_fail(PMR_NO_MEMORY, "%s: no memory on the host for %zu bytes", what, bytes);
  s = in_convert_all(from, x, to, y, count, what);
  if (s)
    free(y);
  else
    *out = y;
  return s;
}

/* Whether data can be all elements of t, on the host. */
static pmr_status on_host(const thing *t, pmr_dtype dtype, const void *data, int64_t count,
                          const char *what)
{
  if (!pmr_dtype_bytes(dtype))
    return in_fail(PMR_INVALID, "%s: dtype %d: there is no such type", what, (int)dtype);
  if (count != t->count)
    return in_fail(PMR_INVALID, "%s: count is %lld, and it has %lld elements", what,
                   (long long)count, (long long)t->count);
  if (!data && count)
    return in_fail(PMR_INVALID, "%s: data is NULL", what);
  return PMR_OK;
}

pmr_status in_put(context *c, thing *t, pmr_dtype dtype, const void *data, int64_t count,
                  const char *what)
{
  void *host = NULL;
  pmr_status s = on_host(t, dtype, data, count, what);
  if (!s)
    s = converted(dtype, data, t->dtype, count, what, &host);
  if (!s)
    s = in_upload(c, t->s, t->from, host, (size_t)count * pmr_dtype_bytes(t->dtype));
  free(host);
  return s;
}

pmr_status in_get(context *c, const thing *t, pmr_dtype dtype, void *data, int64_t count,
                  const char *what)
{
  void *host = NULL, *y = NULL;
  pmr_status s = on_host(t, dtype, data, count, what);
  if (!s)
    s = in_fetch(c, t, what, &host);
  if (!s)
    s = converted(t->dtype, host, dtype, count, what, &y);
  if (!s && count)
    memcpy(data, y, (size_t)count * pmr_dtype_bytes(dtype));
  free(host);
  free(y);
  return s;
}

pmr_status pmr_buffer_cast(pmr_buffer h, pmr_dtype dtype, pmr_buffer *out)
{
  context *c;
  thing *b, *t = NULL;
  void *host = NULL;
  if (!out)
    return no_out();
  pmr_status s = in_begin_thing(h, A_BUFFER, "buffer", &c, &b);
  if (s)
    return s;
  s = in_new(c, A_BUFFER, dtype, b->count, "cast", &t);
  if (!s)
    s = in_fetch(c, b, "cast", &host);
  if (!s)
    s = in_put(c, t, b->dtype, host, b->count, "cast");
  free(host);
  return in_end(c, in_give(c, s, t, out));
}

pmr_status pmr_buffer_zero(pmr_buffer h)
{
  context *c;
  thing *b;
  pmr_status s = in_begin_thing(h, A_BUFFER, "buffer", &c, &b);
  if (s)
    return s;
  return in_end(c, clear(c, b));
}

pmr_status pmr_buffer_write_rows(pmr_buffer h, int64_t cols, int64_t start, pmr_buffer rows)
{
  context *c;
  thing *b, *r;
  void *host = NULL;
  int64_t first = 0, end;
  pmr_status s = in_begin_thing(h, A_BUFFER, "buffer", &c, &b);
  if (s)
    return s;
  s = in_thing(c, rows, A_BUFFER, "rows", &r);
  if (!s && r->dtype != b->dtype)
    s = in_fail(PMR_INVALID, "write_rows: rows is %s and the buffer %s, must be the same",
                pmr_dtype_name(r->dtype), pmr_dtype_name(b->dtype));
  if (!s && (cols < 1 || b->count % cols || r->count % cols))
    s = in_fail(PMR_INVALID,
                "write_rows: cols is %lld: both %lld and %lld elements must be whole rows of them",
                (long long)cols, (long long)b->count, (long long)r->count);
  if (!s && (start < 0 || __builtin_mul_overflow(start, cols, &first) ||
             __builtin_add_overflow(first, r->count, &end) || end > b->count))
    s = in_fail(PMR_INVALID, "write_rows: %lld rows from row %lld on: the buffer has %lld",
                (long long)(r->count / cols), (long long)start, (long long)(b->count / cols));
  if (!s)
    s = in_fetch(c, r, "write_rows", &host);
  if (!s) {
    size_t each = pmr_dtype_bytes(b->dtype);
    s = in_upload(c, b->s, b->from + (size_t)first * each, host, (size_t)r->count * each);
  }
  free(host);
  return in_end(c, s);
}

static pmr_status bytes_within(const thing *b, size_t offset, const void *bytes, size_t n)
{
  size_t all = (size_t)b->count * pmr_dtype_bytes(b->dtype);
  if (n && !bytes)
    return in_fail(PMR_INVALID, "bytes is NULL");
  if (offset > all || n > all - offset)
    return in_fail(PMR_INVALID, "%zu bytes from byte %zu on: the buffer has %zu", n, offset, all);
  return PMR_OK;
}

pmr_status pmr_buffer_write(pmr_buffer h, size_t offset, const void *bytes, size_t n)
{
  context *c;
  thing *b;
  pmr_status s = in_begin_thing(h, A_BUFFER, "buffer", &c, &b);
  if (s)
    return s;
  s = bytes_within(b, offset, bytes, n);
  return in_end(c, s ? s : in_upload(c, b->s, b->from + offset, bytes, n));
}

pmr_status pmr_buffer_read(pmr_buffer h, size_t offset, void *bytes, size_t n)
{
  context *c;
  thing *b;
  pmr_status s = in_begin_thing(h, A_BUFFER, "buffer", &c, &b);
  if (s)
    return s;
  s = bytes_within(b, offset, bytes, n);
  return in_end(c, s ? s : in_download(c, b->s, b->from + offset, bytes, n));
}

pmr_status pmr_buffer_put(pmr_buffer h, pmr_dtype dtype, const void *data, int64_t count)
{
  context *c;
  thing *b;
  pmr_status s = in_begin_thing(h, A_BUFFER, "buffer", &c, &b);
  return s ? s : in_end(c, in_put(c, b, dtype, data, count, "put"));
}

pmr_status pmr_buffer_get(pmr_buffer h, pmr_dtype dtype, void *data, int64_t count)
{
  context *c;
  thing *b;
  pmr_status s = in_begin_thing(h, A_BUFFER, "buffer", &c, &b);
  return s ? s : in_end(c, in_get(c, b, dtype, data, count, "get"));
}

/* ---- owners, of handles of either kind ---- */

pmr_status in_retain(const void *h, kind k, const char *what)
{
  context *c;
  thing *t;
  pmr_status s = in_begin_thing(h, k, what, &c, &t);
  if (s)
    return s;
  if (!s && t->owners == INT32_MAX / 2)
    s = in_fail(PMR_INVALID, "%s: it has %d owners already", what, t->owners);
  if (!s) {
    t->owners++;
    t->refs++;
  }
  return in_end(c, s);
}

/* alone: refused where anything else refers to the memory. */
pmr_status in_release(const void *h, kind k, const char *what, bool alone)
{
  context *c;
  thing *t;
  pmr_status s = in_begin_thing(h, k, what, &c, &t);
  if (s)
    return s;
  if (!s && alone && t->owners > 1)
    s = in_fail(PMR_IN_USE, "%s: it has %d owners: each releases it", what, t->owners);
  else if (!s && alone && (t->refs > 1 || t->s->refs > 1))
    s = in_fail(PMR_IN_USE, "%s: its memory is in use by %d more views, tensors or saved values",
                what, t->refs - 1 + t->s->refs - 1);
  if (!s) {
    if (t->owners == 1)
      in_forget_handle(c, t);
    else
      t->owners--;
    in_drop(c, t);
  }
  return in_end(c, s);
}

pmr_status pmr_buffer_retain(pmr_buffer b) { return in_retain(b, A_BUFFER, "buffer"); }
pmr_status pmr_buffer_release(pmr_buffer b) { return in_release(b, A_BUFFER, "buffer", false); }
pmr_status pmr_buffer_free(pmr_buffer b) { return in_release(b, A_BUFFER, "buffer", true); }

pmr_status pmr_buffer_about(pmr_buffer h, pmr_buffer_info *out)
{
  context *c;
  thing *b;
  if (!out)
    return in_fail(PMR_INVALID, "out is NULL: it must point to a pmr_buffer_info");
  pmr_status s = in_begin_thing(h, A_BUFFER, "buffer", &c, &b);
  if (s)
    return s;
  *out = (pmr_buffer_info){.dtype = b->dtype,
                           .count = b->count,
                           .owners = b->owners,
                           .is_view = b->is_view,
                           .sharers = b->s->refs};
  return in_end(c, PMR_OK);
}
