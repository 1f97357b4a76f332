/* Memory, and what refers to it. */
#include <stdlib.h>
#include <string.h>

#include "session.h"

/* ---- storage ---- */

/* The simulator gives memory back at once, so that a sanitizer sees who uses it later; a GPU, which
 * would wait for all of its work each time, keeps some of it for the next tensor. */
static bool keeps(const context *c) { return c->device && !c->device->rest; }

/* What was kept that is large enough and not a quarter too large; NULL: nothing. Work on it is done
 * before what is launched from now on: a context has one stream. */
static storage *take_kept(context *c, size_t bytes)
{
  for (storage **p = &c->kept; *p; p = &(*p)->next)
    if ((*p)->room >= bytes && (*p)->room - bytes <= bytes / 4 + 256) {
      storage *s = *p;
      *p = s->next;
      return s;
    }
  return NULL;
}

void in_free_kept(context *c)
{
  while (c->kept) {
    storage *s = c->kept;
    c->kept = s->next;
    c->device->free(s->at);
    free(s);
  }
}

static storage *new_storage(context *c, size_t bytes)
{
  storage *s = malloc(sizeof *s);
  if (!s)
    return NULL;
  if (c->device) {
    in_device_lock();
    s->at = c->device->alloc(bytes ? bytes : 1);
    if (!s->at && c->kept) {
      in_free_kept(c);
      s->at = c->device->alloc(bytes ? bytes : 1);
    }
    in_device_unlock();
  } else
    s->at = malloc(bytes ? bytes : 1);
  s->room = bytes;
  if (s->at)
    return s;
  free(s);
  return NULL;
}

pmr_status in_storage(context *c, size_t bytes, const char *what, storage **out)
{
  storage *s = take_kept(c, bytes);
  if (!s)
    s = new_storage(c, bytes);
  if (!s)
    return in_fail(PMR_NO_MEMORY, "%s: no memory on %s for %zu bytes", what, c->name, bytes);
  s->refs = 1;
  s->bytes = bytes;
  s->version = 0;
  s->indices = false;
  s->seen = (seen){.end = 0};
  s->noted_by = 0;
  s->next = NULL;
  c->bytes += bytes;
  *out = s;
  return PMR_OK;
}

void in_storage_drop(context *c, storage *s)
{
  if (--s->refs)
    return;
  c->bytes -= s->bytes;
  if (keeps(c)) {
    s->next = c->kept;
    c->kept = s;
    return;
  }
  if (c->device) {
    in_device_lock();
    c->device->free(s->at);
    in_device_unlock();
  } else
    free(s->at);
  free(s);
}

/* Where it has a stream of its own, copies are on it, among its kernels, and nothing else is waited for. Kernels of
 * others need not be there: they find what was uploaded, and are done before a download. */
static pmr_status copied(context *c, void *to, const void *from, size_t bytes, bool up)
{
  const pm_backend *d = c->device;
  const pm_streams *on = c->stream ? d->streams : NULL;
  const char *doing = up ? "upload" : "download";
  pmr_status r = d->rest || (on && !c->others) ? PMR_OK : in_wait(c, "sync");
  if (r)
    return r;
  if (on) {
    r = in_device_status(
        c, up ? on->upload(c->stream, to, from, bytes) : on->download(c->stream, to, from, bytes),
        doing);
    return r || !up || !c->others ? r : in_wait(c, "sync");
  }
  in_device_lock();
  r = in_device_status(c, up ? d->upload(to, from, bytes) : d->download(to, from, bytes), doing);
  in_device_unlock();
  return r;
}

pmr_status in_upload(context *c, storage *s, size_t at, const void *from, size_t bytes)
{
  in_written(s, at, from, bytes);
  if (!c->device) {
    if (bytes)
      memmove(s->at + at, from, bytes);
    return PMR_OK;
  }
  const pmr_status r = copied(c, s->at + at, from, bytes, true);
  if (r)
    in_unknown(s);
  return r;
}

pmr_status in_download(context *c, const storage *s, size_t at, void *to, size_t bytes)
{
  if (c->device)
    return copied(c, to, s->at + at, bytes, false);
  if (bytes)
    memcpy(to, s->at + at, bytes);
  return PMR_OK;
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

thing *in_thing_over(kind k, storage *s, pmr_dtype d, size_t from, int64_t count)
{
  thing *t = calloc(1, sizeof *t);
  if (!t) {
    in_fail(PMR_NO_MEMORY, "no memory for a %s", in_kind(k));
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
  s->indices = d == PMR_I64;
  thing *t = in_thing_over(k, s, d, 0, count);
  in_storage_drop(c, s);
  if (!t)
    return PMR_NO_MEMORY;
  *out = t;
  return PMR_OK;
}

static void free_node(context *c, node *n)
{
  *(n->after ? &n->after->before : &c->last) = n->before;
  if (n->before)
    n->before->after = n->after;
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
  session_free(c, t->plan);
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
