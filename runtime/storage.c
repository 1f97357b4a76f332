/* Memory, and what refers to it. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* ---- storage ---- */

/* Zeros; NULL where there is no memory. The device's zeros come from here, as its back end offers no
 * fill: a null byte is 0 in every type. */
static char *zeros(context *c, size_t bytes)
{
  char *host = calloc(bytes ? bytes : 1, 1), *at = host;
  if (!c->device || !host)
    return host;
  in_device_lock();
  at = c->device->alloc(bytes ? bytes : 1);
  if (at && c->device->upload(at, host, bytes) != PM_OK) {
    c->device->free(at);
    at = NULL;
  }
  in_device_unlock();
  free(host);
  return at;
}

pmr_status in_storage(context *c, size_t bytes, const char *what, storage **out)
{
  storage *s = malloc(sizeof *s);
  char *at = s ? zeros(c, bytes) : NULL;
  if (!at) {
    free(s);
    return in_fail(PMR_NO_MEMORY, "%s: no memory on %s for %zu bytes", what, c->name, bytes);
  }
  *s = (storage){.refs = 1, .at = at, .bytes = bytes};
  c->bytes += bytes;
  *out = s;
  return PMR_OK;
}

void in_storage_drop(context *c, storage *s)
{
  if (--s->refs)
    return;
  c->bytes -= s->bytes;
  if (c->device) {
    in_device_lock();
    c->device->free(s->at);
    in_device_unlock();
  } else
    free(s->at);
  free(s);
}

pmr_status in_upload(context *c, storage *s, size_t at, const void *from, size_t bytes)
{
  s->version++;
  if (!c->device) {
    if (bytes)
      memmove(s->at + at, from, bytes);
    return PMR_OK;
  }
  in_device_lock();
  pmr_status r = in_device_status(c, c->device->upload(s->at + at, from, bytes), "upload");
  in_device_unlock();
  return r;
}

pmr_status in_download(context *c, const storage *s, size_t at, void *to, size_t bytes)
{
  if (!c->device) {
    if (bytes)
      memcpy(to, s->at + at, bytes);
    return PMR_OK;
  }
  in_device_lock();
  pmr_status r = in_device_status(c, c->device->download(to, s->at + at, bytes), "download");
  in_device_unlock();
  return r;
}

/* ---- things ---- */

size_t pmr_dtype_bytes(pmr_dtype d)
{
  static const size_t bytes[] = {4, 4, 8, 1, 2, 2, 8};
  return (unsigned)d < sizeof bytes / sizeof *bytes ? bytes[d] : 0;
}

const char *pmr_dtype_name(pmr_dtype d)
{
  static const char *const names[] = {"f32", "i32", "i64", "u8", "f16", "bf16", "f64"};
  return (unsigned)d < sizeof names / sizeof *names ? names[d] : "?";
}

pmr_status in_bytes(pmr_dtype d, int64_t count, size_t *bytes)
{
  size_t each = pmr_dtype_bytes(d);
  if (!each)
    return in_fail(PMR_INVALID, "dtype %d: there is no such type", (int)d);
  if (count < 0)
    return in_fail(PMR_INVALID, "count is %lld, must not be negative", (long long)count);
  if (count > (int64_t)((size_t)PTRDIFF_MAX / each))
    return in_fail(PMR_INVALID, "count is %lld: its bytes as %s must be below 2^63",
                   (long long)count, pmr_dtype_name(d));
  *bytes = (size_t)count * each;
  return PMR_OK;
}

pmr_status in_count(int rank, const int64_t *shape, const char *what, int64_t *count)
{
  int64_t n = 1;
  int empty = 0;
  if (rank < 0 || rank > PMR_RANK)
    return in_fail(PMR_INVALID, "%s: rank is %d, must be from 0 to %d", what, rank, PMR_RANK);
  if (rank && !shape)
    return in_fail(PMR_INVALID, "%s: shape is NULL, must have %d sizes", what, rank);
  for (int i = 0; i < rank; i++) {
    if (shape[i] < 0)
      return in_fail(PMR_INVALID, "%s: axis %d is %lld, must not be negative", what, i,
                     (long long)shape[i]);
    empty |= shape[i] == 0;
  }
  for (int i = 0; i < rank && !empty; i++)
    if (__builtin_mul_overflow(n, shape[i], &n))
      return in_fail(PMR_INVALID, "%s: its element count is beyond 2^63", what);
  *count = empty ? 0 : n;
  return PMR_OK;
}

void in_shape(thing *t, int rank, const int64_t *shape)
{
  t->rank = rank;
  for (int i = 0; i < rank; i++)
    t->shape[i] = shape[i];
}

thing *in_thing_over(context *c, kind k, storage *s, pmr_dtype d, size_t from, int64_t count)
{
  thing *t = calloc(1, sizeof *t);
  (void)c;
  if (!t) {
    in_fail(PMR_NO_MEMORY, "no memory for a %s", k == A_BUFFER ? "buffer" : "tensor");
    return NULL;
  }
  s->refs++;
  t->kind = k;
  t->refs = 1;
  t->s = s;
  t->dtype = d;
  t->from = from;
  t->count = count;
  return t;
}

pmr_status in_new(context *c, kind k, pmr_dtype d, int64_t count, const char *what, thing **out)
{
  size_t bytes;
  storage *s;
  pmr_status r = in_bytes(d, count, &bytes);
  if (!r)
    r = in_storage(c, bytes, what, &s);
  if (r)
    return r;
  thing *t = in_thing_over(c, k, s, d, 0, count);
  in_storage_drop(c, s);
  if (!t)
    return PMR_NO_MEMORY;
  *out = t;
  return PMR_OK;
}

static void free_node(context *c, node *n)
{
  for (int t = 0; t < DC_TENSORS; t++) {
    in_drop(c, n->value[t].t);
    in_drop(c, n->input[t]);
  }
  free(n);
}

/* A tape may be a million calls long: one after another, not each inside of the next. */
void in_drop_node(context *c, node *n)
{
  if (!n || --n->refs)
    return;
  n->next = c->dead;
  c->dead = n;
  if (c->reaping)
    return;
  c->reaping = true;
  while ((n = c->dead) != NULL) {
    c->dead = n->next;
    free_node(c, n);
  }
  c->reaping = false;
}

void in_drop(context *c, thing *t)
{
  if (!t || --t->refs)
    return;
  in_storage_drop(c, t->s);
  in_drop(c, t->grad);
  in_drop_node(c, t->made_by);
  free(t);
}

pmr_status in_fetch(context *c, const thing *t, const char *what, void **out)
{
  size_t bytes = (size_t)t->count * pmr_dtype_bytes(t->dtype);
  void *host = malloc(bytes ? bytes : 1);
  if (!host)
    return in_fail(PMR_NO_MEMORY, "%s: no memory on the host for %zu bytes", what, bytes);
  pmr_status s = in_download(c, t->s, t->from, host, bytes);
  if (s)
    free(host);
  else
    *out = host;
  return s;
}
