#include "npy.h"
#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "data is read and written as it lies");

static const struct {
  const char *descr, *name; /* descr NULL: no .npy has it */
  size_t size;
} TYPES[NPY_TYPES] = {[NPY_F4] = {"<f4", "float32", 4}, [NPY_F8] = {"<f8", "float64", 8},
                      [NPY_F2] = {"<f2", "float16", 2}, [NPY_BF] = {NULL, "bfloat16", 2},
                      [NPY_I1] = {"|i1", "int8", 1},    [NPY_I2] = {"<i2", "int16", 2},
                      [NPY_I4] = {"<i4", "int32", 4},   [NPY_I8] = {"<i8", "int64", 8},
                      [NPY_U1] = {"|u1", "uint8", 1},   [NPY_U2] = {"<u2", "uint16", 2},
                      [NPY_U4] = {"<u4", "uint32", 4},  [NPY_U8] = {"<u8", "uint64", 8},
                      [NPY_B1] = {"|b1", "bool", 1}};
#define CHUNK ((size_t)1 << 20)

size_t npy_size(npy_type type) { return TYPES[type].size; }
const char *npy_name(npy_type type) { return TYPES[type].name; }
bool npy_is_real(npy_type type) { return type <= NPY_BF; }
bool npy_is_integer(npy_type type) { return type >= NPY_I1 && type <= NPY_U8; }

char *npy_shape(char *text, int rank, const int64_t *shape)
{
  char *p = text;
  *p++ = '(';
  for (int d = 0; d < rank; d++)
    p += sprintf(p, d ? ", %lld" : "%lld", (long long)shape[d]);
  strcpy(p, rank == 1 ? ",)" : ")");
  return text;
}

/* ---- the header: one Python dict literal of three known keys ---- */

typedef struct {
  const char *p, *end;
  char *message;
} reader;

static void blanks(reader *r)
{
  while (r->p < r->end && (*r->p == ' ' || *r->p == '\n' || *r->p == '\t' || *r->p == '\r'))
    r->p++;
}

static bool take(reader *r, char c)
{
  blanks(r);
  if (r->p == r->end || *r->p != c)
    return false;
  r->p++;
  return true;
}

/* The next bytes of the header, safe to print at a terminal. */
static const char *here(const reader *r, char text[24])
{
  int n = 0;
  for (const char *p = r->p; p < r->end && n < 20; p++)
    text[n++] = *p >= ' ' && *p < 127 ? *p : '?';
  text[n] = 0;
  return n ? text : "its end";
}

static bool expect(reader *r, char c, const char *where)
{
  char text[24];
  if (take(r, c))
    return true;
  return file_fail(r->message, "header: '%c' expected %s, found: %s", c, where, here(r, text));
}

/* A quoted string without escapes, shorter than size. */
static bool string(reader *r, char *out, size_t size, const char *what)
{
  char text[24], quote = 0;
  size_t n = 0;
  if (take(r, '\''))
    quote = '\'';
  else if (take(r, '"'))
    quote = '"';
  else
    return file_fail(r->message, "header: %s must be a quoted string, found: %s", what,
                     here(r, text));
  for (; r->p < r->end && *r->p != quote; r->p++) {
    if (*r->p < ' ' || *r->p >= 127 || *r->p == '\\')
      return file_fail(r->message, "header: %s holds a character that is not plain ASCII", what);
    if (n + 1 >= size)
      return file_fail(r->message, "header: %s is longer than %zu characters", what, size - 1);
    out[n++] = *r->p;
  }
  out[n] = 0;
  if (r->p == r->end)
    return file_fail(r->message, "header: %s has no closing quote", what);
  r->p++;
  return true;
}

static bool word(reader *r, const char *w)
{
  size_t n = strlen(w);
  blanks(r);
  if ((size_t)(r->end - r->p) < n || memcmp(r->p, w, n) != 0)
    return false;
  r->p += n;
  return true;
}

static bool dimension(reader *r, int64_t *out)
{
  char text[24];
  int64_t value = 0;
  blanks(r);
  const char *start = r->p;
  if (r->p < r->end && *r->p == '-')
    return file_fail(r->message, "shape: %s: a dimension must not be negative", here(r, text));
  for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, *r->p - '0', &value)) {
      r->p = start;
      return file_fail(r->message, "shape: %s: a dimension must fit 63 bits", here(r, text));
    }
  if (r->p == start)
    return file_fail(r->message, "shape: a dimension must be a whole number, found: %s",
                     here(r, text));
  *out = value;
  return true;
}

static bool tuple(reader *r, npy *a)
{
  bool comma = true;
  a->rank = 0;
  if (!expect(r, '(', "before the shape"))
    return false;
  while (!take(r, ')')) {
    if (!comma)
      return expect(r, ',', "between two dimensions");
    if (a->rank == NPY_RANK)
      return file_fail(r->message, "shape: rank must be at most %d", NPY_RANK);
    if (!dimension(r, &a->shape[a->rank++]))
      return false;
    comma = take(r, ',');
  }
  if (a->rank == 1 && !comma)
    return file_fail(r->message, "header: a shape of one dimension is written (n,)");
  return true;
}

static bool dtype(reader *r, npy *a)
{
  char descr[32];
  if (!string(r, descr, sizeof descr, "descr"))
    return false;
  for (int t = 0; t < NPY_TYPES; t++)
    if (TYPES[t].descr && strcmp(descr, TYPES[t].descr) == 0) {
      a->type = (npy_type)t;
      return true;
    }
  return file_fail(r->message,
                   "dtype '%s': must be '<f2', '<f4' or '<f8' (float16 to float64, little-endian), "
                   "'|i1' to '<i8', '|u1' to '<u8' or '|b1'; bfloat16 comes as safetensors",
                   descr);
}

static bool order(reader *r, npy *a)
{
  char text[24];
  a->fortran = word(r, "True");
  if (a->fortran || word(r, "False"))
    return true;
  return file_fail(r->message, "fortran_order must be True or False, found: %s", here(r, text));
}

bool npy_size_up(npy *a, char *message)
{
  char text[NPY_SHAPE_TEXT];
  bool empty = false;
  a->count = 1;
  for (int d = 0; d < a->rank; d++)
    empty |= a->shape[d] == 0;
  for (int d = 0; d < a->rank && !empty; d++)
    if (__builtin_mul_overflow(a->count, a->shape[d], &a->count) || a->count > NPY_COUNT)
      return file_fail(message, "shape %s: must have fewer than 2^60 elements",
                       npy_shape(text, a->rank, a->shape));
  if (empty)
    a->count = 0;
  return true;
}

bool npy_parse(const char *text, size_t length, npy *out, char *message)
{
  static const char *KEYS[] = {"descr", "fortran_order", "shape"};
  reader r = {text, text + length, message};
  npy a = {0};
  unsigned seen = 0;
  bool comma = true;
  char key[32], found[24];

  if (!expect(&r, '{', "at its start"))
    return false;
  while (!take(&r, '}')) {
    unsigned k = 0;
    if (!comma)
      return expect(&r, ',', "between two entries");
    if (!string(&r, key, sizeof key, "a key"))
      return false;
    while (k < 3 && strcmp(key, KEYS[k]) != 0)
      k++;
    if (k == 3)
      return file_fail(message, "header: key '%s': must be descr, fortran_order or shape", key);
    if (seen & 1u << k)
      return file_fail(message, "header: key '%s' stands there twice", key);
    seen |= 1u << k;
    if (!expect(&r, ':', "after a key"))
      return false;
    if (!(k == 0 ? dtype(&r, &a) : k == 1 ? order(&r, &a) : tuple(&r, &a)))
      return false;
    comma = take(&r, ',');
  }
  blanks(&r);
  if (r.p != r.end)
    return file_fail(message, "header: nothing may follow the closing brace, found: %s",
                     here(&r, found));
  for (unsigned k = 0; k < 3; k++)
    if (!(seen & 1u << k))
      return file_fail(message, "header: key '%s' is missing", KEYS[k]);
  if (!npy_size_up(&a, message))
    return false;
  *out = a;
  return true;
}

/* ---- files ---- */

/* Grows with what the source really holds, so that a false shape costs nothing. */
bool npy_take_data(byte_source *s, int64_t max_bytes, npy *a, char *message)
{
  int64_t bytes = a->count * (int64_t)npy_size(a->type);
  if (bytes > max_bytes)
    return file_fail(message, "data: %lld bytes: must be at most %lld (--max-bytes)",
                     (long long)bytes, (long long)max_bytes);
  size_t want = (size_t)bytes, room = want < CHUNK ? want : CHUNK, got = 0;
  char *data = malloc(room ? room : 1);
  for (;;) {
    if (!data)
      return file_fail(message, "data: no memory for %zu bytes", room);
    got += source_read(s, data + got, room - got);
    if (got == want)
      break;
    if (got < room) {
      source_short(s, message, "data", got, want);
      free(data);
      return false;
    }
    room = want - room < room ? want : 2 * room;
    char *more = realloc(data, room);
    if (!more)
      free(data);
    data = more;
  }
  if (source_more(s)) {
    free(data);
    return file_fail(message, "data: more than the %zu bytes that shape and dtype call for", want);
  }
  a->data = data;
  return true;
}

static bool read_header(byte_source *s, npy *a, char *message)
{
  unsigned char b[12];
  size_t length, n = source_read(s, b, 8);
  if (n > 0 && memcmp(b, "\x93NUMPY", n < 6 ? n : 6) != 0)
    return file_fail(message, "not a .npy file: it must begin with \\x93NUMPY");
  if (n < 8)
    return source_short(s, message, "magic and version", n, 8);
  if (b[6] < 1 || b[6] > 3 || b[7] != 0)
    return file_fail(message, "format version %u.%u: must be 1.0, 2.0 or 3.0", b[6], b[7]);
  size_t wide = b[6] == 1 ? 2 : 4;
  n = source_read(s, b + 8, wide);
  if (n < wide)
    return source_short(s, message, "header length", n, wide);
  length = b[8] | (size_t)b[9] << 8;
  if (wide == 4)
    length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
  if (length > NPY_HEADER)
    return file_fail(message, "header length %zu: must be at most %d", length, NPY_HEADER);
  char *text = malloc(length + 1);
  if (!text)
    return file_fail(message, "header: no memory for %zu bytes", length);
  n = source_read(s, text, length);
  bool good = n == length ? npy_parse(text, length, a, message)
                          : source_short(s, message, "header", n, length);
  free(text);
  return good;
}

/* Into C order. Walks over the elements in that order; step[d] is how far the next one along axis d
 * is. */
static bool in_c_order(npy *a, char *message)
{
  size_t size = npy_size(a->type), step[NPY_RANK], from = 0;
  int64_t at[NPY_RANK] = {0};
  char *to = malloc(a->count ? (size_t)a->count * size : 1);
  if (!to)
    return file_fail(message,
                     "data: no memory to bring %lld elements from Fortran's order into C's",
                     (long long)a->count);
  for (int d = 0; d < a->rank; d++)
    step[d] = d ? step[d - 1] * (size_t)a->shape[d - 1] : size;
  for (int64_t i = 0; i < a->count; i++) {
    memcpy(to + (size_t)i * size, (char *)a->data + from, size);
    for (int d = a->rank - 1; d >= 0; d--) {
      from += step[d];
      if (++at[d] < a->shape[d])
        break;
      from -= step[d] * (size_t)a->shape[d];
      at[d] = 0;
    }
  }
  free(a->data);
  a->data = to;
  return true;
}

bool npy_take(byte_source *s, int64_t max_bytes, npy *out, char *message)
{
  npy a = {0};
  if (!read_header(s, &a, message) || !npy_take_data(s, max_bytes, &a, message))
    return false;
  if (a.fortran && a.rank > 1 && !in_c_order(&a, message)) {
    npy_free(&a);
    return false;
  }
  a.fortran = false;
  *out = a;
  return true;
}

bool npy_read(const char *path, int64_t max_bytes, npy *out, char *message)
{
  byte_source s;
  FILE *f = fopen(path, "rb");
  if (f)
    source_file(&s, f, NULL, 0);
  bool good = f ? npy_take(&s, max_bytes, out, message) : file_fail(message, "%s", strerror(errno));
  if (f)
    fclose(f);
  return good || file_in(path, message);
}

void npy_free(npy *a)
{
  free(a->data);
  a->data = NULL;
}

bool npy_put(FILE *f, npy_type type, int rank, const int64_t *shape, const void *data)
{
  char text[NPY_SHAPE_TEXT], header[512];
  size_t count = 1;
  for (int d = 0; d < rank; d++)
    count *= (size_t)shape[d];
  int n = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                   TYPES[type].descr, npy_shape(text, rank, shape));
  /* Padded with blanks and one newline, so that the data begin at a multiple of 64. */
  size_t length = ((size_t)n + 1 + 10 + 63) / 64 * 64 - 10;
  unsigned char start[10] = {0x93,
                             'N',
                             'U',
                             'M',
                             'P',
                             'Y',
                             1,
                             0,
                             (unsigned char)(length & 255),
                             (unsigned char)(length >> 8)};
  memset(header + n, ' ', length - (size_t)n);
  header[length - 1] = '\n';
  return fwrite(start, 1, 10, f) == 10 && fwrite(header, 1, length, f) == length &&
         fwrite(data, npy_size(type), count, f) == count;
}

bool npy_write(const char *path, npy_type type, int rank, const int64_t *shape, const void *data,
               char *message)
{
  FILE *f = output_open(path, message);
  if (!f)
    return false;
  npy_put(f, type, rank, shape, data); /* that it failed shows when the stream is closed */
  return output_commit(message);
}
