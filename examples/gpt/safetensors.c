/* The safetensors format, by jansson. */
#include "safetensors.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_MOST = 100000000 }; /* as the format's own library has it */

struct st_file {
  FILE *f;
  char *path;
  json_t *header;
  st_tensor *t;
  size_t n, data; /* tensors; where the data begins */
};

__attribute__((format(printf, 3, 4))) static int fail(char *message, const char *path,
                                                      const char *format, ...)
{
  va_list args;
  int n = snprintf(message, ST_MESSAGE, "%.200s: ", path);
  va_start(args, format);
  vsnprintf(message + n, ST_MESSAGE - (size_t)n, format, args);
  va_end(args);
  return -1;
}

static size_t element(const char *dtype)
{
  static const struct {
    const char *name;
    size_t bytes;
  } all[] = {{"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1},
             {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},
             {"U32", 4},  {"F32", 4}, {"F64", 8}, {"I64", 8},     {"U64", 8}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(dtype, all[i].name) == 0)
      return all[i].bytes;
  return 0;
}

/* count and bytes, from dtype and shape; 0: they are too many. */
static int measure(st_tensor *t)
{
  t->count = 1;
  for (int i = 0; i < t->rank; i++)
    if (__builtin_mul_overflow(t->count, t->shape[i], &t->count))
      return 0;
  return !__builtin_mul_overflow((size_t)t->count, element(t->dtype), &t->bytes) &&
         t->bytes <= (size_t)INT64_MAX;
}

/* ---- read ---- */

static int64_t whole(const json_t *v)
{
  return json_is_integer(v) && json_integer_value(v) >= 0 ? (int64_t)json_integer_value(v) : -1;
}

static int take_tensor(st_file *f, const char *name, const json_t *v, char *message)
{
  st_tensor *t = &f->t[f->n];
  const json_t *shape = json_object_get(v, "shape"), *at = json_object_get(v, "data_offsets");
  *t = (st_tensor){.name = name, .dtype = json_string_value(json_object_get(v, "dtype"))};
  if (!t->dtype || !element(t->dtype))
    return fail(message, f->path, "'%.100s': its dtype is '%.20s', which the format has not", name,
                t->dtype ? t->dtype : "");
  if (!json_is_array(shape) || json_array_size(shape) > ST_RANK)
    return fail(message, f->path, "'%.100s': shape must be a list of at most %d sizes", name,
                (int)ST_RANK);
  t->rank = (int)json_array_size(shape);
  for (int i = 0; i < t->rank; i++)
    if ((t->shape[i] = whole(json_array_get(shape, (size_t)i))) < 0)
      return fail(message, f->path, "'%.100s': shape must have whole numbers from 0 on", name);
  if (!measure(t))
    return fail(message, f->path, "'%.100s': its shape has more elements than memory has", name);
  const int64_t from = whole(json_array_get(at, 0)), to = whole(json_array_get(at, 1));
  if (json_array_size(at) != 2 || from < 0 || to < from)
    return fail(message, f->path,
                "'%.100s': data_offsets must be two whole numbers, the first not above the second",
                name);
  if ((size_t)(to - from) != t->bytes)
    return fail(message, f->path,
                "'%.100s': data_offsets [%lld, %lld] have %lld bytes, its shape has %zu", name,
                (long long)from, (long long)to, (long long)(to - from), t->bytes);
  t->at = (size_t)from;
  f->n++;
  return 0;
}

static int by_place(const void *a, const void *b)
{
  const st_tensor *x = a, *y = b;
  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Without gaps, without what two tensors have, and to the end of the file. */
static int check_cover(st_file *f, size_t data_bytes, char *message)
{
  size_t at = 0;
  qsort(f->t, f->n, sizeof *f->t, by_place);
  for (size_t i = 0; i < f->n; at += f->t[i++].bytes)
    if (f->t[i].at != at)
      return fail(message, f->path,
                  "'%.100s': its data begins at %zu, must at %zu, where that before it ends",
                  f->t[i].name, f->t[i].at, at);
  if (at != data_bytes)
    return fail(message, f->path, "its tensors have %zu bytes, and %zu stand in the file", at,
                data_bytes);
  return 0;
}

static int take_header(st_file *f, const char *text, size_t n, size_t data_bytes, char *message)
{
  json_error_t e;
  const char *key;
  json_t *v;
  f->header = json_loadb(text, n, JSON_REJECT_DUPLICATES, &e);
  if (!f->header)
    return fail(message, f->path, "its header is no JSON: %.160s", e.text);
  if (!json_is_object(f->header))
    return fail(message, f->path, "its header is no JSON object");
  f->t = calloc(json_object_size(f->header) + 1, sizeof *f->t);
  if (!f->t)
    return fail(message, f->path, "no memory for its header");
  json_object_foreach(f->header, key, v)
  {
    if (strcmp(key, "__metadata__") == 0) {
      const char *k;
      json_t *s;
      if (!json_is_object(v))
        return fail(message, f->path, "__metadata__ is no object");
      json_object_foreach(v, k, s) if (!json_is_string(s)) return fail(
          message, f->path, "__metadata__: '%.100s' is no string", k);
    } else if (take_tensor(f, key, v, message))
      return -1;
  }
  return check_cover(f, data_bytes, message);
}

static int read_header(st_file *f, char *message)
{
  unsigned char head[8];
  uint64_t n = 0;
  if (fseeko(f->f, 0, SEEK_END))
    return fail(message, f->path, "%s", strerror(errno));
  const off_t length = ftello(f->f);
  if (length < 0 || fseeko(f->f, 0, SEEK_SET))
    return fail(message, f->path, "%s", strerror(errno));
  if (length < 8 || fread(head, 1, 8, f->f) != 8)
    return fail(message, f->path, "has %lld bytes, a safetensors file has 8 and a header",
                (long long)length);
  for (int i = 7; i >= 0; i--)
    n = n << 8 | head[i];
  if (n > HEADER_MOST || n > (uint64_t)length - 8)
    return fail(message, f->path, "its header has %llu bytes as it says, and %lld follow",
                (unsigned long long)n, (long long)length - 8);
  char *text = malloc((size_t)n + 1);
  if (!text)
    return fail(message, f->path, "no memory for its header");
  f->data = 8 + (size_t)n;
  int status = fread(text, 1, (size_t)n, f->f) == n
                   ? take_header(f, text, (size_t)n, (size_t)length - f->data, message)
                   : fail(message, f->path, "its header could not be read");
  free(text);
  return status;
}

int st_open(const char *path, st_file **out, char message[ST_MESSAGE])
{
  st_file *f = calloc(1, sizeof *f);
  if (!f || !(f->path = strdup(path))) {
    free(f);
    return fail(message, path, "no memory");
  }
  f->f = fopen(path, "rb");
  if (f->f ? read_header(f, message) : fail(message, path, "%s", strerror(errno))) {
    st_close(f);
    return -1;
  }
  *out = f;
  return 0;
}

void st_close(st_file *f)
{
  if (!f)
    return;
  if (f->f)
    fclose(f->f);
  json_decref(f->header);
  free(f->t);
  free(f->path);
  free(f);
}

const st_tensor *st_at(const st_file *f, size_t i) { return i < f->n ? &f->t[i] : NULL; }

const st_tensor *st_find(const st_file *f, const char *name)
{
  for (size_t i = 0; i < f->n; i++)
    if (strcmp(f->t[i].name, name) == 0)
      return &f->t[i];
  return NULL;
}

const char *st_string(const st_file *f, const char *key)
{
  return json_string_value(json_object_get(json_object_get(f->header, "__metadata__"), key));
}

int st_read(st_file *f, const st_tensor *t, void *to, char message[ST_MESSAGE])
{
  if (fseeko(f->f, (off_t)(f->data + t->at), SEEK_SET) || fread(to, 1, t->bytes, f->f) != t->bytes)
    return fail(message, f->path, "'%.100s' could not be read", t->name);
  return 0;
}

/* ---- written ---- */

/* The header, padded with blanks so that the data begins at a multiple of 8; free it. */
static char *header_of(st_tensor *t, size_t n, const st_meta *meta, size_t n_meta, size_t *length)
{
  json_t *all = json_object(), *strings = json_object();
  size_t at = 0;
  int bad = 0;
  for (size_t i = 0; i < n_meta; i++)
    bad |= json_object_set_new(strings, meta[i].key, json_string(meta[i].value));
  bad |= json_object_set_new(all, "__metadata__", strings);
  for (size_t i = 0; i < n && !bad; i++) {
    json_t *shape = json_array();
    for (int d = 0; d < t[i].rank; d++)
      bad |= json_array_append_new(shape, json_integer(t[i].shape[d]));
    bad |= !measure(&t[i]) || __builtin_add_overflow(at, t[i].bytes, &at);
    json_t *v = json_pack("{s:s, s:o, s:[I, I]}", "dtype", t[i].dtype, "shape", shape,
                          "data_offsets", (json_int_t)(at - t[i].bytes), (json_int_t)at);
    bad |= json_object_set_new(all, t[i].name, v);
  }
  char *text = bad ? NULL : json_dumps(all, JSON_COMPACT), *padded = NULL;
  if (text && (padded = realloc(text, strlen(text) + 8))) {
    *length = (strlen(padded) + 7) / 8 * 8;
    memset(padded + strlen(padded), ' ', *length - strlen(padded));
  } else
    free(text);
  json_decref(all);
  return padded;
}

static int write_data(FILE *f, const char *path, const st_tensor *t, size_t n,
                      int (*give)(void *with, size_t i, void *to), void *with, char *message)
{
  size_t most = 1;
  for (size_t i = 0; i < n; i++)
    most = t[i].bytes > most ? t[i].bytes : most;
  void *data = malloc(most);
  int status = data ? 0 : fail(message, path, "no memory for a tensor");
  for (size_t i = 0; i < n && !status; i++) {
    status = give(with, i, data);
    if (!status && fwrite(data, 1, t[i].bytes, f) != t[i].bytes)
      status = fail(message, path, "%s", strerror(errno));
  }
  free(data);
  return status;
}

int st_write(const char *path, const st_tensor *t, size_t n, const st_meta *meta, size_t n_meta,
             int (*give)(void *with, size_t i, void *to), void *with, char message[ST_MESSAGE])
{
  size_t length = 0;
  st_tensor *list = malloc((n + 1) * sizeof *list);
  char *part = malloc(strlen(path) + 6), *header = NULL;
  FILE *f = NULL;
  int status = -1;
  if (list && part) {
    memcpy(list, t, n * sizeof *list);
    header = header_of(list, n, meta, n_meta, &length);
    sprintf(part, "%s.part", path);
  }
  if (!header)
    fail(message, path, "no memory for its header");
  else if (!(f = fopen(part, "wb")))
    fail(message, part, "%s", strerror(errno));
  else {
    unsigned char head[8];
    for (int i = 0; i < 8; i++)
      head[i] = (unsigned char)((uint64_t)length >> 8 * i);
    status = fwrite(head, 1, 8, f) == 8 && fwrite(header, 1, length, f) == length
                 ? write_data(f, part, list, n, give, with, message)
                 : fail(message, part, "%s", strerror(errno));
    if (fclose(f) && !status)
      status = fail(message, part, "%s", strerror(errno));
    if (!status && rename(part, path))
      status = fail(message, path, "%s", strerror(errno));
    if (status)
      remove(part);
  }
  free(list);
  free(part);
  free(header);
  return status;
}
