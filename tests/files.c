#include "files.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "../diffcheck/files/tensor_file.h"

void put(bytes *to, const void *from, size_t n)
{
  ck_assert_uint_le(to->n + n, FILES_ROOM);
  memcpy(to->b + to->n, from, n);
  to->n += n;
}

void put_number(bytes *to, uint64_t value, int n)
{
  for (int i = 0; i < n; i++, value >>= 8)
    put(to, (unsigned char[]){(unsigned char)value}, 1);
}

void patch(bytes *at, size_t offset, uint64_t value, int n)
{
  for (int i = 0; i < n; i++, value >>= 8)
    at->b[offset + (size_t)i] = (unsigned char)value;
}

void npy_file(bytes *to, const char *descr, const char *order, const char *shape, const void *data,
              size_t n)
{
  char header[200];
  int length =
      snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n",
               descr, order, shape);
  put(to, "\x93NUMPY\x01\x00", 8);
  put_number(to, (uint64_t)length, 2);
  put(to, header, (size_t)length);
  put(to, data, n);
}

static void header(bytes *to, archive *a, const char *name, size_t n, bool deflated, size_t packed,
                   bool wide, bool local)
{
  size_t length = strlen(name);
  put(to, local ? "PK\3\4" : "PK\1\2", 4);
  put_number(to, 45, local ? 2 : 4);
  put_number(to, 0, 2);
  put_number(to, deflated ? 8 : 0, 2);
  put_number(to, 0, 4);
  put_number(to, a->crc, 4);
  put_number(to, wide ? 0xffffffff : packed, 4);
  put_number(to, wide ? 0xffffffff : n, 4);
  put_number(to, length, 2);
  put_number(to, wide ? local ? 20 : 28 : 0, 2);
  if (!local) {
    put_number(to, 0, 10);
    put_number(to, wide ? 0xffffffff : a->local, 4);
  }
  put(to, name, length);
  if (wide) {
    put_number(to, 1, 2);
    put_number(to, local ? 16 : 24, 2);
    put_number(to, n, 8);
    put_number(to, packed, 8);
    if (!local)
      put_number(to, a->local, 8);
  }
}

void member(archive *a, const char *name, const void *data, size_t n, bool deflated, bool wide)
{
  static unsigned char small[FILES_ROOM];
  size_t packed = n;
  if (deflated) {
    z_stream z = {.next_in = (void *)(uintptr_t)data,
                  .avail_in = (uInt)n,
                  .next_out = small,
                  .avail_out = FILES_ROOM};
    ck_assert_int_eq(deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    packed = z.total_out;
    deflateEnd(&z);
  }
  a->crc = (uint32_t)crc32(0, data, (uInt)n);
  a->local = a->file.n;
  header(&a->file, a, name, n, deflated, packed, wide, true);
  put(&a->file, deflated ? small : data, packed);
  header(&a->directory, a, name, n, deflated, packed, wide, false);
  a->n++;
}

size_t finish(archive *a, bool wide)
{
  size_t at = a->file.n;
  bytes *f = &a->file;
  put(f, a->directory.b, a->directory.n);
  if (wide) {
    size_t end = f->n;
    put(f, "PK\6\6", 4);
    put_number(f, 44, 8);
    put_number(f, 45, 4);
    put_number(f, 0, 8);
    put_number(f, (uint64_t)a->n, 8);
    put_number(f, (uint64_t)a->n, 8);
    put_number(f, a->directory.n, 8);
    put_number(f, at, 8);
    put(f, "PK\6\7", 4);
    put_number(f, 0, 4);
    put_number(f, end, 8);
    put_number(f, 1, 4);
  }
  put(f, "PK\5\6", 4);
  put_number(f, 0, 4);
  put_number(f, wide ? 0xffff : (uint64_t)a->n, 2);
  put_number(f, wide ? 0xffff : (uint64_t)a->n, 2);
  put_number(f, wide ? 0xffffffff : a->directory.n, 4);
  put_number(f, wide ? 0xffffffff : at, 4);
  put_number(f, 0, 2);
  return at;
}

void safe_file(bytes *to, const char *json, const void *data, size_t n)
{
  to->n = 0;
  put_number(to, strlen(json), 8);
  put(to, json, strlen(json));
  put(to, data, n);
}

const char *save(const char *name, const bytes *file)
{
  const char *path = aid_path(name);
  aid_write(path, file->b, file->n);
  return path;
}

static const npy untouched = {.type = NPY_U8, .rank = 7, .count = -5, .data = (void *)8};

bool take(const char *named, const char *op, int t, npy *out, char *message)
{
  message[0] = 0;
  *out = untouched;
  tensor_file *f = tensor_file_open(named, message);
  bool good = f && tensor_file_take(f, dc_op_find(op), t, true, FILES_LIMIT, out, message);
  tensor_file_close(f);
  if (good) {
    uint64_t count = 1; /* of no elements it may wrap round on the way */
    for (int d = 0; d < out->rank; d++)
      count *= (uint64_t)out->shape[d];
    ck_assert_uint_eq((uint64_t)out->count, count);
    ck_assert_ptr_nonnull(out->data);
    ck_assert(!out->fortran);
  } else {
    ck_assert_int_ne(message[0], 0);
    ck_assert_int_eq(memcmp(out, &untouched, sizeof *out), 0);
  }
  return good;
}

npy taken(const char *named, const char *op, int t, npy_type type, const void *data, size_t n)
{
  char message[NPY_MESSAGE];
  npy a;
  ck_assert_msg(take(named, op, t, &a, message), "%s: %s", named, message);
  ck_assert_int_eq(a.type, type);
  ck_assert_uint_eq((size_t)a.count * npy_size(a.type), n);
  ck_assert_int_eq(memcmp(a.data, data, n), 0);
  return a;
}

void not_taken(const char *named, const char *part, const char *and)
{
  char message[NPY_MESSAGE];
  npy a;
  ck_assert_msg(!take(named, "copy", 0, &a, message), "accepted where \"%s\" was due", part);
  ck_assert_text(message, part);
  ck_assert_text(message, and);
}
