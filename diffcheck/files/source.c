#include "source.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PACKED = 1 << 16 };

struct inflation {
  z_stream z;
  int64_t packed; /* bytes of the file not read yet */
  bool ended;
  unsigned char in[PACKED];
};

bool file_fail(char *message, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(message, FILE_MESSAGE, format, args);
  va_end(args);
  return false;
}

bool file_in(const char *what, char *message)
{
  char text[FILE_MESSAGE];
  snprintf(text, sizeof text, "%s", message);
  return file_fail(message, "%.240s: %.760s", what, text);
}

void source_file(byte_source *s, FILE *f, const unsigned char *head, size_t n_head)
{
  *s = (byte_source){.file = f, .left = -1, .n_head = n_head};
  if (n_head > 0)
    memcpy(s->head, head, n_head);
}

bool source_part(byte_source *s, FILE *f, int64_t offset, int64_t size, char *message)
{
  *s = (byte_source){.file = f, .left = size};
  return fseeko(f, offset, SEEK_SET) == 0 || file_fail(message, "%s", strerror(errno));
}

bool source_member(byte_source *s, FILE *f, int64_t offset, int64_t packed, int64_t size,
                   bool deflated, uint32_t crc, char *message)
{
  if (!source_part(s, f, offset, size, message))
    return false;
  s->checked = true;
  s->want_crc = crc;
  if (!deflated)
    return true;
  s->inflation = calloc(1, sizeof *s->inflation);
  if (!s->inflation || inflateInit2(&s->inflation->z, -MAX_WBITS) != Z_OK) {
    free(s->inflation);
    s->inflation = NULL;
    return file_fail(message, "no memory to inflate it");
  }
  s->inflation->packed = packed;
  return true;
}

void source_close(byte_source *s)
{
  if (s->inflation)
    inflateEnd(&s->inflation->z);
  free(s->inflation);
  s->inflation = NULL;
}

static size_t broken(byte_source *s, const char *why)
{
  snprintf(s->error, sizeof s->error, "%s", why);
  return 0;
}

/* Up to n bytes, in pieces that zlib's counters hold; 0 where none comes. */
static size_t inflated(byte_source *s, void *to, size_t n)
{
  struct inflation *x = s->inflation;
  n = n < (size_t)1 << 30 ? n : (size_t)1 << 30;
  x->z.next_out = to;
  x->z.avail_out = (uInt)n;
  while (x->z.avail_out > 0 && !x->ended) {
    if (x->z.avail_in == 0 && x->packed > 0) {
      size_t want = x->packed < PACKED ? (size_t)x->packed : PACKED;
      if (fread(x->in, 1, want, s->file) != want)
        return broken(s, ferror(s->file) ? strerror(errno) : "the file ends within it");
      x->packed -= (int64_t)want;
      x->z.next_in = x->in;
      x->z.avail_in = (uInt)want;
    }
    int rc = inflate(&x->z, Z_NO_FLUSH);
    x->ended = rc == Z_STREAM_END;
    if (rc == Z_BUF_ERROR)
      break; /* all of the packed bytes are used */
    if (rc != Z_OK && !x->ended)
      return broken(s, rc == Z_MEM_ERROR ? "no memory to inflate it"
                       : x->z.msg        ? x->z.msg
                                         : "the deflated data make no sense");
  }
  return n - x->z.avail_out;
}

/* The last byte is there: nothing may follow it, and the CRC must be that of the archive. */
static bool whole(byte_source *s)
{
  unsigned char more;
  if (s->inflation) {
    if (inflated(s, &more, 1) > 0)
      return broken(s, "it inflates to more than the archive says");
    if (s->error[0])
      return false;
    if (!s->inflation->ended || s->inflation->z.avail_in || s->inflation->packed)
      return broken(s, "the deflated data do not end where the archive says");
  }
  if (s->checked && s->crc != s->want_crc) {
    snprintf(s->error, sizeof s->error, "CRC-32 is %08x, and the archive says %08x",
             (unsigned)s->crc, (unsigned)s->want_crc);
    return false;
  }
  return true;
}

static size_t plain(byte_source *s, unsigned char *to, size_t n)
{
  size_t held = s->n_head - s->at_head, got = held < n ? held : n;
  memcpy(to, s->head + s->at_head, got);
  s->at_head += got;
  got += fread(to + got, 1, n - got, s->file);
  if (got < n && ferror(s->file))
    broken(s, strerror(errno));
  else if (got < n && s->left >= 0)
    broken(s, "the file ends within it");
  return got;
}

size_t source_read(byte_source *s, void *to, size_t n)
{
  size_t got = 0;
  if (s->left >= 0 && (uint64_t)s->left < n)
    n = (size_t)s->left;
  while (got < n && !s->error[0]) {
    unsigned char *at = (unsigned char *)to + got;
    size_t more = s->inflation ? inflated(s, at, n - got) : plain(s, at, n - got);
    if (more == 0)
      break;
    for (size_t k = 0, part; s->checked && k < more; k += part) {
      part = more - k < (size_t)1 << 30 ? more - k : (size_t)1 << 30;
      s->crc = (uint32_t)crc32(s->crc, at + k, (uInt)part);
    }
    got += more;
    if (s->left >= 0 && (s->left -= (int64_t)more) == 0 && !whole(s))
      return got - 1; /* not one of the bytes is to be believed */
  }
  return got;
}

bool source_more(byte_source *s)
{
  unsigned char one;
  return s->left >= 0 ? s->left > 0 : source_read(s, &one, 1) > 0;
}

bool source_short(const byte_source *s, char *message, const char *what, size_t got, size_t want)
{
  if (s->error[0])
    return file_fail(message, "%s: %s", what, s->error);
  return file_fail(message, "%s: ends after %zu of %zu bytes", what, got, want);
}
