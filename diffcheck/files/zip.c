#include "zip.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LOCAL = 30, ENTRY = 46, END = 22, LOCATOR = 20, END64 = 56, COMMENT = 65535 };
enum { STORED = 0, DEFLATED = 8 };
enum { ENCRYPTED = 1, PATCHED = 1 << 5, STRONGLY = 1 << 6, MASKED = 1 << 13 };

static uint64_t number(const unsigned char *p, int bytes)
{
  uint64_t v = 0;
  for (int i = bytes - 1; i >= 0; i--)
    v = v << 8 | p[i];
  return v;
}

/* n bytes at `offset`, which the caller has checked to lie within the file. */
static bool bytes_at(FILE *f, int64_t offset, void *to, size_t n, char *message)
{
  if (fseeko(f, offset, SEEK_SET) != 0)
    return file_fail(message, "%s", strerror(errno));
  if (fread(to, 1, n, f) != n)
    return file_fail(message, "%s", ferror(f) ? strerror(errno) : "the file ends too early");
  return true;
}

typedef struct directory {
  uint64_t entries, size, offset; /* as the end record says */
  int64_t end;                    /* where that record begins: the directory must end there */
} directory;

/* Where there are more or larger members than the end record has room for. */
static bool read_end64(FILE *f, int64_t end, directory *d, char *message)
{
  unsigned char locator[LOCATOR], b[END64];
  if (end < LOCATOR + END64 || !bytes_at(f, end - LOCATOR, locator, LOCATOR, message) ||
      memcmp(locator, "PK\6\7", 4) != 0)
    return file_fail(message, "zip: the end record points to a zip64 record, and there is none");
  uint64_t at = number(locator + 8, 8);
  if (at > (uint64_t)(end - LOCATOR - END64))
    return file_fail(message, "zip: zip64 record at %" PRIu64 ": must lie before byte %" PRId64, at,
                     end - LOCATOR - END64 + 1);
  if (!bytes_at(f, (int64_t)at, b, END64, message))
    return false;
  if (memcmp(b, "PK\6\6", 4) != 0 || number(b + 4, 8) != (uint64_t)(end - LOCATOR) - at - 12)
    return file_fail(message, "zip: the zip64 record at %" PRIu64 " is none", at);
  if (number(locator + 4, 4) || number(locator + 16, 4) != 1 || number(b + 16, 4) ||
      number(b + 20, 4) || number(b + 24, 8) != number(b + 32, 8))
    return file_fail(message, "zip: spans several disks: must be one file");
  *d = (directory){number(b + 32, 8), number(b + 40, 8), number(b + 48, 8), (int64_t)at};
  return true;
}

static bool read_end(FILE *f, int64_t length, directory *d, char *message)
{
  int64_t most = length < END + COMMENT ? length : END + COMMENT, at = most - END;
  unsigned char *tail = malloc((size_t)most + 1);
  bool good = tail ? bytes_at(f, length - most, tail, (size_t)most, message)
                   : file_fail(message, "zip: no memory");
  while (good && at >= 0 &&
         (memcmp(tail + at, "PK\5\6", 4) != 0 ||
          (int64_t)number(tail + at + 20, 2) != most - END - at))
    at--;
  if (good && at < 0)
    good = file_fail(message, "zip: no end record: the file is cut short, or goes on after it");
  if (good) {
    const unsigned char *b = tail + at;
    *d = (directory){number(b + 10, 2), number(b + 12, 4), number(b + 16, 4), length - most + at};
    if (d->entries == 0xffff || d->size == 0xffffffff || d->offset == 0xffffffff)
      good = read_end64(f, d->end, d, message);
    else if (number(b + 4, 2) || number(b + 6, 2) || number(b + 8, 2) != d->entries)
      good = file_fail(message, "zip: spans several disks: must be one file");
  }
  free(tail);
  return good;
}

/* Sizes and offset that their 32 bits do not hold, in the entry's extra field of kind 1. */
static bool widen(const unsigned char *extra, size_t n, uint64_t value[3])
{
  while (n >= 4) {
    size_t kind = (size_t)number(extra, 2), size = (size_t)number(extra + 2, 2);
    extra += 4, n -= 4;
    if (size > n)
      return false;
    for (int i = 0; kind == 1 && i < 3; i++)
      if (value[i] == 0xffffffff) {
        if (size < 8)
          return false;
        value[i] = number(extra, 8);
        extra += 8, n -= 8, size -= 8;
      }
    if (kind == 1)
      return true;
    extra += size, n -= size;
  }
  return true; /* 0xffffffff is then what it says */
}

/* One entry at p, of `room` bytes; returns what it takes, 0 after a message. */
static size_t read_entry(const unsigned char *p, size_t room, int64_t limit, zip_member *m,
                         char *message)
{
  if (room < ENTRY || memcmp(p, "PK\1\2", 4) != 0)
    return file_fail(message, "zip: the central directory does not hold what it says");
  unsigned flags = (unsigned)number(p + 8, 2), method = (unsigned)number(p + 10, 2);
  size_t name = (size_t)number(p + 28, 2), extra = (size_t)number(p + 30, 2),
         all = ENTRY + name + extra + (size_t)number(p + 32, 2);
  uint64_t value[3] = {number(p + 24, 4), number(p + 20, 4), number(p + 42, 4)};
  if (all > room)
    return file_fail(message, "zip: the central directory does not hold what it says");
  if (memchr(p + ENTRY, 0, name) || !(m->name = strndup((const char *)p + ENTRY, name)))
    return file_fail(message, "zip: a member's name holds a zero byte, or there is no memory");
  if (flags & (ENCRYPTED | PATCHED | STRONGLY | MASKED))
    return file_fail(message, "%.100s: is encrypted or a patch: must be neither", m->name);
  if (method != STORED && method != DEFLATED)
    return file_fail(message, "%.100s: compression method %u: must be 0 (stored) or 8 (deflated)",
                     m->name, method);
  if (!widen(p + ENTRY + name, extra, value))
    return file_fail(message, "%.100s: its zip64 field is cut short", m->name);
  m->deflated = method == DEFLATED;
  m->crc = (uint32_t)number(p + 16, 4);
  if (value[0] > INT64_MAX / 2 || value[1] > (uint64_t)limit || value[2] > (uint64_t)limit)
    return file_fail(message,
                     "%.100s: %" PRIu64 " bytes at %" PRIu64 ": must lie before byte %" PRId64,
                     m->name, value[1], value[2], limit);
  if (!m->deflated && value[0] != value[1])
    return file_fail(message,
                     "%.100s: is stored, with %" PRIu64 " bytes, and in the file they are %" PRIu64,
                     m->name, value[0], value[1]);
  m->size = (int64_t)value[0];
  m->packed = (int64_t)value[1];
  m->local = (int64_t)value[2];
  return all;
}

/* Where the bytes begin: after the local header, which must be this member's. */
static bool find_data(FILE *f, int64_t limit, zip_member *m, char *message)
{
  unsigned char b[LOCAL];
  size_t n = strlen(m->name);
  char *name = malloc(n + 1);
  bool good = limit - m->local >= LOCAL && name && bytes_at(f, m->local, b, LOCAL, message) &&
              memcmp(b, "PK\3\4", 4) == 0 && number(b + 26, 2) == n &&
              number(b + 8, 2) == (m->deflated ? DEFLATED : STORED) &&
              limit - m->local - LOCAL >= (int64_t)n && fread(name, 1, n, f) == n &&
              memcmp(name, m->name, n) == 0;
  free(name);
  if (!good)
    return file_fail(message, "%.100s: its header at %" PRId64 " is not the one of the directory",
                     m->name, m->local);
  m->data = m->local + LOCAL + (int64_t)n + (int64_t)number(b + 28, 2);
  if (m->data > limit || m->packed > limit - m->data)
    return file_fail(message,
                     "%.100s: %" PRId64 " bytes at %" PRId64 ": must lie before byte %" PRId64,
                     m->name, m->packed, m->data, limit);
  return true;
}

static int by_place(const void *a, const void *b)
{
  const zip_member *x = a, *y = b;
  return (x->local > y->local) - (x->local < y->local);
}

static int by_name(const void *a, const void *b)
{
  return strcmp(((const zip_member *)a)->name, ((const zip_member *)b)->name);
}

/* No two share a byte, or a name. Leaves them in the order in which they lie. */
static bool apart(zip *z, char *message)
{
  qsort(z->member, (size_t)z->n, sizeof *z->member, by_name);
  for (int i = 1; i < z->n; i++)
    if (by_name(&z->member[i - 1], &z->member[i]) == 0)
      return file_fail(message, "%.100s: stands in the archive twice", z->member[i].name);
  qsort(z->member, (size_t)z->n, sizeof *z->member, by_place);
  for (int i = 1; i < z->n; i++) {
    const zip_member *a = &z->member[i - 1], *b = &z->member[i];
    if (b->local < a->data + a->packed)
      return file_fail(message,
                       "%.100s: begins at %" PRId64 ", within %.100s, which ends at %" PRId64,
                       b->name, b->local, a->name, a->data + a->packed);
  }
  return true;
}

static bool read_directory(FILE *f, const directory *d, const unsigned char *text, zip *z,
                           char *message)
{
  size_t at = 0;
  z->member = calloc((size_t)d->entries + 1, sizeof *z->member);
  if (!z->member)
    return file_fail(message, "zip: no memory for %" PRIu64 " members", d->entries);
  for (uint64_t i = 0; i < d->entries; i++) {
    zip_member *m = &z->member[z->n++];
    size_t n = read_entry(text + at, (size_t)d->size - at, (int64_t)d->offset, m, message);
    if (n == 0 || !find_data(f, (int64_t)d->offset, m, message))
      return false;
    at += n;
  }
  if (at != d->size)
    return file_fail(message, "zip: the central directory holds more than its %" PRIu64 " entries",
                     d->entries);
  return apart(z, message);
}

bool zip_open(FILE *f, zip *out, char *message)
{
  directory d = {0};
  zip z = {NULL, 0};
  if (fseeko(f, 0, SEEK_END) != 0)
    return file_fail(message, "%s: a zip archive is read from its end", strerror(errno));
  if (!read_end(f, ftello(f), &d, message))
    return false;
  if (d.size > ZIP_DIRECTORY || d.entries > d.size / ENTRY)
    return file_fail(message,
                     "zip: a central directory of %" PRIu64 " entries in %" PRIu64
                     " bytes: must be %d bytes at most, and %d an entry at least",
                     d.entries, d.size, ZIP_DIRECTORY, ENTRY);
  if (d.offset > (uint64_t)d.end || d.size != (uint64_t)d.end - d.offset)
    return file_fail(message,
                     "zip: a central directory of %" PRIu64 " bytes at %" PRIu64
                     ": must end at byte %" PRId64 ", where the end record begins",
                     d.size, d.offset, d.end);
  unsigned char *text = malloc((size_t)d.size + 1);
  bool good = text ? bytes_at(f, (int64_t)d.offset, text, (size_t)d.size, message) &&
                         read_directory(f, &d, text, &z, message)
                   : file_fail(message, "zip: no memory for %" PRIu64 " bytes", d.size);
  free(text);
  if (!good) {
    zip_close(&z);
    return false;
  }
  *out = z;
  return true;
}

void zip_close(zip *z)
{
  for (int i = 0; i < z->n; i++)
    free(z->member[i].name);
  free(z->member);
  *z = (zip){NULL, 0};
}
