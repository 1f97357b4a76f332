#include "safetensors.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 8, DEPTH = 3 }; /* {"x": {"shape": [3]}} is as deep as it goes */

static const struct {
  const char *name;
  int type; /* npy_type, -1: none of ours */
  int bits;
} DTYPES[] = {{"F32", NPY_F4, 32}, {"F64", NPY_F8, 64}, {"F16", NPY_F2, 16}, {"BF16", NPY_BF, 16},
              {"I8", NPY_I1, 8},   {"I16", NPY_I2, 16}, {"I32", NPY_I4, 32}, {"I64", NPY_I8, 64},
              {"U8", NPY_U1, 8},   {"U16", NPY_U2, 16}, {"U32", NPY_U4, 32}, {"U64", NPY_U8, 64},
              {"BOOL", NPY_B1, 8}, {"F8_E4M3", -1, 8},  {"F8_E5M2", -1, 8},  {"C64", -1, 64}};
enum { N_DTYPES = sizeof DTYPES / sizeof DTYPES[0] };

/* Deeper text than the format has would make the parser recurse for nothing. */
static bool shallow(const char *text, size_t n, char *message)
{
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < n; i++)
    if (quoted) {
      quoted = text[i] != '"';
      i += text[i] == '\\';
    } else if (text[i] == '"')
      quoted = true;
    else if (text[i] == '{' || text[i] == '[') {
      if (++depth > DEPTH)
        return file_fail(message, "header: byte %zu: is nested more than %d deep", i, DEPTH);
    } else if (text[i] == '}' || text[i] == ']')
      depth--;
  return true;
}

static bool read_shape(const json_t *list, npy *a, char *message)
{
  size_t i;
  const json_t *size;
  if (!json_is_array(list))
    return file_fail(message, "shape: must be a list of whole numbers");
  if (json_array_size(list) > NPY_RANK)
    return file_fail(message, "shape: rank %zu: must be at most %d", json_array_size(list),
                     NPY_RANK);
  json_array_foreach(list, i, size)
  {
    if (!json_is_integer(size) || json_integer_value(size) < 0)
      return file_fail(message, "shape: dimension %zu must be a whole number from 0", i);
    a->shape[a->rank++] = json_integer_value(size);
  }
  return npy_size_up(a, message);
}

static bool read_place(const json_t *list, int64_t begin, int64_t end, safetensor *t, char *message)
{
  const json_t *from = json_array_get(list, 0), *to = json_array_get(list, 1);
  if (json_array_size(list) != 2 || !json_is_integer(from) || !json_is_integer(to))
    return file_fail(message, "data_offsets: must be two whole numbers");
  json_int_t a = json_integer_value(from), b = json_integer_value(to);
  if (a < 0 || b < a || b > end - begin)
    return file_fail(message,
                     "data_offsets [%" JSON_INTEGER_FORMAT ", %" JSON_INTEGER_FORMAT
                     "]: must be in order and within the %" PRId64 " bytes of data",
                     a, b, end - begin);
  t->offset = begin + a;
  t->bytes = b - a;
  return true;
}

/* What `entry` says of tensor t; the data are the file's bytes from begin to end. */
static bool read_tensor(json_t *entry, int64_t begin, int64_t end, safetensor *t, char *message)
{
  static const char *const KEYS[] = {"dtype", "shape", "data_offsets"};
  const char *key, *dtype = json_string_value(json_object_get(entry, "dtype"));
  json_t *value;
  int d = 0;
  if (!json_is_object(entry))
    return file_fail(message, "must be an object of dtype, shape and data_offsets");
  json_object_foreach(
      entry, key,
      value) if (strcmp(key, KEYS[0]) != 0 && strcmp(key, KEYS[1]) != 0 &&
                 strcmp(key, KEYS[2]) !=
                     0) return file_fail(message,
                                         "key '%.40s': must be dtype, shape or data_offsets", key);
  for (int k = 0; k < 3; k++)
    if (!json_object_get(entry, KEYS[k]))
      return file_fail(message, "key '%s' is missing", KEYS[k]);
  if (!dtype || strlen(dtype) >= sizeof t->dtype)
    return file_fail(message, "dtype: must be a word of fewer than %zu letters", sizeof t->dtype);
  strcpy(t->dtype, dtype);
  if (!read_shape(json_object_get(entry, "shape"), &t->tensor, message) ||
      !read_place(json_object_get(entry, "data_offsets"), begin, end, t, message))
    return false;
  while (d < N_DTYPES && strcmp(DTYPES[d].name, dtype) != 0)
    d++;
  t->known = d < N_DTYPES && DTYPES[d].type >= 0;
  if (t->known)
    t->tensor.type = (npy_type)DTYPES[d].type;
  if (d < N_DTYPES && t->tensor.count * (DTYPES[d].bits / 8) != t->bytes)
    return file_fail(message,
                     "%" PRId64 " bytes: its shape and dtype %s call for %" PRId64 " of them",
                     t->bytes, dtype, t->tensor.count * (DTYPES[d].bits / 8));
  return true;
}

static int by_place(const void *a, const void *b)
{
  const safetensor *x = a, *y = b;
  return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset)
                                : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* One after another, from the header to the end of the file. */
static bool fill(safetensors *s, int64_t begin, int64_t end, char *message)
{
  int64_t at = begin;
  if (s->n > 0)
    qsort(s->tensor, (size_t)s->n, sizeof *s->tensor, by_place);
  for (int i = 0; i < s->n; at = s->tensor[i].offset + s->tensor[i].bytes, i++)
    if (s->tensor[i].offset != at)
      return file_fail(message,
                       "%.100s: begins at byte %" PRId64 " of the data: must begin at %" PRId64
                       ", where the tensor before it ends",
                       s->tensor[i].name, s->tensor[i].offset - begin, at - begin);
  return at == end ||
         file_fail(message,
                   "data: %" PRId64 " bytes: the tensors take %" PRId64 ", must take all of them",
                   end - begin, at - begin);
}

static bool read_header(const char *text, size_t n, int64_t end, safetensors *s, char *message)
{
  json_error_t error;
  const char *name;
  json_t *entry;
  bool good = true;
  if (text[0] != '{')
    return file_fail(message, "header: must begin with '{'");
  if (!shallow(text, n, message))
    return false;
  json_t *header = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
  if (!header)
    return file_fail(message, "header: byte %d: %s", error.position, error.text);
  s->tensor = calloc(json_object_size(header) + 1, sizeof *s->tensor);
  if (!s->tensor)
    good = file_fail(message, "header: no memory for %zu tensors", json_object_size(header));
  json_object_foreach(header, name, entry)
  {
    if (!good)
      break;
    if (strcmp(name, "__metadata__") == 0)
      continue;
    safetensor *t = &s->tensor[s->n++];
    t->name = strdup(name);
    good = t->name
               ? read_tensor(entry, LENGTH + (int64_t)n, end, t, message) || file_in(name, message)
               : file_fail(message, "header: no memory");
  }
  json_decref(header);
  return good && fill(s, LENGTH + (int64_t)n, end, message);
}

bool safetensors_open(FILE *f, safetensors *out, char *message)
{
  unsigned char b[LENGTH];
  uint64_t n = 0;
  safetensors s = {NULL, 0};
  if (fseeko(f, 0, SEEK_END) != 0)
    return file_fail(message, "%s: safetensors are read from a file that can be gone through twice",
                     strerror(errno));
  int64_t end = ftello(f);
  rewind(f);
  if (fread(b, 1, LENGTH, f) != LENGTH)
    return file_fail(message, "header length: ends after %" PRId64 " of %d bytes", end, LENGTH);
  for (int i = LENGTH - 1; i >= 0; i--)
    n = n << 8 | b[i];
  if (n == 0 || n > SAFETENSORS_HEADER)
    return file_fail(message, "header length %" PRIu64 ": must be from 1 to %d", n,
                     SAFETENSORS_HEADER);
  if (n > (uint64_t)(end - LENGTH))
    return file_fail(message, "header: ends after %" PRId64 " of %" PRIu64 " bytes", end - LENGTH,
                     n);
  char *text = malloc(n);
  bool good = text ? fread(text, 1, n, f) == n || file_fail(message, "header: %s", strerror(errno))
                   : file_fail(message, "header: no memory for %" PRIu64 " bytes", n);
  good = good && read_header(text, n, end, &s, message);
  free(text);
  if (!good) {
    safetensors_close(&s);
    return false;
  }
  *out = s;
  return true;
}

bool safetensors_take(FILE *f, const safetensor *t, int64_t max_bytes, npy *out, char *message)
{
  byte_source s;
  npy a = t->tensor;
  if (!t->known)
    return file_fail(message, "dtype %s: must be F16, BF16, F32, F64, I8 to I64, U8 to U64 or BOOL",
                     t->dtype);
  if (!source_part(&s, f, t->offset, t->bytes, message) ||
      !npy_take_data(&s, max_bytes, &a, message))
    return false;
  *out = a;
  return true;
}

void safetensors_close(safetensors *s)
{
  for (int i = 0; i < s->n; i++)
    free(s->tensor[i].name);
  free(s->tensor);
  *s = (safetensors){NULL, 0};
}
