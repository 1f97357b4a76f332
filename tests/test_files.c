/* Tensors from files of every kind: right ones are read as what they are, hostile ones are refused with the
 * file, the tensor and the rule, and whatever a file holds nothing else happens. */
#include "files.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../diffcheck/files/convert.h"

static void is(const char *named, const char *op, int t, npy_type type, const void *data, size_t n)
{
  npy a = taken(named, op, t, type, data, n);
  npy_free(&a);
}

static const float F[6] = {0, -0.0f, 1, -1.5f, 0x1p-149f, 3e38f};
static const double D[2] = {1.0 / 3, 1e300};

/* ---- .npy ---- */

START_TEST(npy_of_every_type)
{
  static const struct {
    const char *descr;
    npy_type type;
    size_t size;
  } types[] = {{"<f4", NPY_F4, 4}, {"<f8", NPY_F8, 8}, {"<f2", NPY_F2, 2}, {"|b1", NPY_B1, 1},
               {"|i1", NPY_I1, 1}, {"<i2", NPY_I2, 2}, {"<i4", NPY_I4, 4}, {"<i8", NPY_I8, 8},
               {"|u1", NPY_U1, 1}, {"<u2", NPY_U2, 2}, {"<u4", NPY_U4, 4}, {"<u8", NPY_U8, 8}};
  static const unsigned char raw[24] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 250, 251, 252, 253, 254, 255};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    bytes f = {.n = 0};
    npy_file(&f, types[i].descr, "False", "(3, 1)", raw, 3 * types[i].size);
    is(save("t.npy", &f), "copy", 0, types[i].type, raw, 3 * types[i].size);
  }
}
END_TEST

/* Fortran's order, the first axis the fastest, comes as C's. */
START_TEST(npy_in_fortran_order)
{
  static const int16_t raw[] = {0, 12, 4, 16, 8,  20, 1, 13, 5, 17, 9,  21,
                                2, 14, 6, 18, 10, 22, 3, 15, 7, 19, 11, 23};
  int16_t want[24];
  bytes f = {.n = 0}, flat = {.n = 0}, none = {.n = 0};
  for (int16_t i = 0; i < 24; i++)
    want[i] = i;
  npy_file(&f, "<i2", "True", "(2, 3, 4)", raw, sizeof raw);
  npy a = taken(save("f.npy", &f), "copy", 0, NPY_I2, want, sizeof want);
  ck_assert_int_eq(a.shape[0], 2);
  ck_assert_int_eq(a.shape[2], 4);
  npy_free(&a);
  npy_file(&flat, "<i2", "True", "(24,)", raw, sizeof raw);
  is(save("f.npy", &flat), "copy", 0, NPY_I2, raw, sizeof raw);
  npy_file(&none, "<i2", "True", "(9223372036854775807, 4, 0)", raw, 0);
  is(save("f.npy", &none), "copy", 0, NPY_I2, raw, 0);
}
END_TEST

/* A pipe can be read once, from its beginning. */
START_TEST(npy_through_a_pipe)
{
  bytes f = {.n = 0};
  char path[200];
  strcpy(path, aid_path("pipe"));
  npy_file(&f, "<f4", "False", "(6,)", F, sizeof F);
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  pid_t child = fork();
  if (child == 0) {
    FILE *to = fopen(path, "wb");
    _exit(!to || fwrite(f.b, 1, f.n, to) != f.n || fclose(to) != 0);
  }
  is(path, "copy", 0, NPY_F4, F, sizeof F);
}
END_TEST

/* ---- .npz ---- */

static void two_members(archive *a, bool deflated, bool wide)
{
  bytes x = {.n = 0}, y = {.n = 0};
  *a = (archive){.n = 0};
  npy_file(&x, "<f4", "False", "(2, 3)", F, sizeof F);
  npy_file(&y, "<f8", "False", "(2,)", D, sizeof D);
  member(a, "x.npy", x.b, x.n, deflated, wide);
  member(a, "note.txt", "hello", 5, false, wide);
  member(a, "a/b:c.npy", y.b, y.n, deflated, wide);
}

START_TEST(npz_by_name)
{
  static archive a;
  char named[300];
  for (int k = 0; k < 4; k++) {
    two_members(&a, k & 1, k & 2);
    finish(&a, k & 2);
    const char *path = save("z", &a.file); /* its content says what it is */
    is(path, "copy", 0, NPY_F4, F, sizeof F);
    snprintf(named, sizeof named, "%s:a/b:c", path);
    is(named, "copy", 0, NPY_F8, D, sizeof D);
    snprintf(named, sizeof named, "%s:note.txt", path);
    not_taken(named, "tensor 'note.txt' is not in the file: it has x, a/b:c", path);
    snprintf(named, sizeof named, "%s:X", path);
    not_taken(named, "tensor 'X' is not in the file", path);
    char message[NPY_MESSAGE];
    npy b;
    ck_assert(!take(path, "relu", 0, &b, message));
    ck_assert_text(message, "a of relu: no tensor 'a' is in the file: it has x, a/b:c");
  }
}
END_TEST

/* The only tensor of a file needs no name; but one that bears another's is not taken for it. */
START_TEST(npz_of_one_tensor)
{
  static archive a;
  bytes x = {.n = 0};
  char message[NPY_MESSAGE];
  npy b;
  npy_file(&x, "<f4", "False", "(6,)", F, sizeof F);
  member(&a, "arr_0.npy", x.b, x.n, true, false);
  finish(&a, false);
  is(save("one.npz", &a.file), "relu", 0, NPY_F4, F, sizeof F);
  a = (archive){.n = 0};
  member(&a, "y.npy", x.b, x.n, true, false);
  finish(&a, false);
  ck_assert(!take(save("one.npz", &a.file), "relu", 0, &b, message));
  ck_assert_text(message, "it has y");
  a = (archive){.n = 0};
  finish(&a, false);
  not_taken(save("none.npz", &a.file), "it has no tensor", "none.npz");
}
END_TEST

/* A file whose own name holds a colon goes before FILE:NAME. */
START_TEST(colons_in_names)
{
  bytes f = {.n = 0};
  char named[300];
  npy_file(&f, "<f4", "False", "(6,)", F, sizeof F);
  const char *path = save("a:b", &f);
  bytes other = {.n = 0};
  npy_file(&other, "<f8", "False", "(2,)", D, sizeof D);
  save("a", &other);
  is(path, "copy", 0, NPY_F4, F, sizeof F);
  snprintf(named, sizeof named, "%s:x", path);
  not_taken(named, "a .npy file holds one tensor", ":x");
  not_taken(aid_path("absent:x"), "No such file", "absent:x");
}
END_TEST

/* One field of a good archive changed, of its end record, a directory's entry or a local header. */
START_TEST(npz_with_one_field_changed)
{
  enum { LOCAL, ENTRY, END };
  static const struct {
    int part, bytes;
    size_t at;
    uint64_t value;
    const char *rule;
  } plants[] = {
      {ENTRY, 2, 8, 1, "encrypted"},
      {ENTRY, 2, 10, 12, "compression method 12: must be 0 (stored) or 8 (deflated)"},
      {ENTRY, 4, 16, 0xdeadbeef, "the archive says deadbeef"},
      {ENTRY, 4, 20, 7, "and in the file they are 7"},
      {ENTRY, 4, 24, 0xfffffffe, "with 4294967294 bytes"},
      {ENTRY, 4, 42, 1, "is not the one of the directory"},
      {ENTRY, 4, 42, 0x7fffffff, "must lie before byte"},
      {ENTRY, 2, 28, 60000, "does not hold what it says"},
      {ENTRY, 1, 46, 0, "zero byte"},
      {ENTRY, 1, 0, 'Q', "does not hold what it says"},
      {LOCAL, 1, 30, 'z', "is not the one of the directory"},
      {LOCAL, 2, 28, 60000, "must lie before byte"},
      {LOCAL, 2, 8, 8, "is not the one of the directory"},
      {LOCAL, 1, 120, 99, "CRC-32"},
      {END, 2, 4, 1, "several disks"},
      {END, 2, 8, 2, "several disks"},
      {END, 4, 12, 0x7fffffff, "a central directory of 1 entries in 2147483647 bytes"},
      {END, 4, 12, 11, "a central directory of 1 entries in 11 bytes"},
      {END, 4, 16, 3, "must end at byte"},
      {END, 4, 16, 0xffffffff, "zip64 record, and there is none"},
      {END, 2, 20, 1, "no end record"},
  };
  for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
    static archive a;
    bytes x = {.n = 0};
    a = (archive){.n = 0};
    npy_file(&x, "<f4", "False", "(2, 3)", F, sizeof F);
    member(&a, "x.npy", x.b, x.n, false, false);
    size_t at = finish(&a, false);
    size_t base = plants[i].part == LOCAL ? 0 : plants[i].part == ENTRY ? at : at + a.directory.n;
    patch(&a.file, base + plants[i].at, plants[i].value, plants[i].bytes);
    not_taken(save("plant.npz", &a.file), plants[i].rule, "plant.npz");
  }
}
END_TEST

START_TEST(npz_members_that_overlap)
{
  static archive a;
  bytes x = {.n = 0}, outer = {.n = 0};
  npy_file(&x, "<f4", "False", "(6,)", F, sizeof F);
  member(&a, "x.npy", x.b, x.n, false, false);
  member(&a, "x.npy", x.b, x.n, false, false);
  finish(&a, false);
  not_taken(save("twice.npz", &a.file), "x.npy: stands in the archive twice", "twice.npz");
  /* the second lies within the first, whole, as in archives that inflate beyond measure */
  a = (archive){.n = 0};
  member(&a, "i.npy", x.b, x.n, false, false);
  outer = a.file;
  a.file.n = 0;
  member(&a, "o.npy", outer.b, outer.n, false, false);
  patch(&a.directory, 42, 30 + 5, 4);
  finish(&a, false);
  not_taken(save("nested.npz", &a.file), "i.npy: begins at 35, within o.npy", "nested.npz");
}
END_TEST

START_TEST(npz_that_inflates_otherwise)
{
  static archive a;
  static float zeros[1 << 14];
  static bytes big;
  bytes x = {.n = 0};
  /* what the header calls for is read, and no more */
  big.n = 0;
  npy_file(&big, "<f4", "False", "(3,)", zeros, sizeof zeros / 2);
  member(&a, "x.npy", big.b, big.n, true, false);
  finish(&a, false);
  not_taken(save("more.npz", &a.file), "x.npy: data: more than the 12 bytes", "more.npz");
  big.n = 0;
  npy_file(&big, "<f4", "False", "(4611686018427387,)", zeros, sizeof zeros / 2);
  a = (archive){.n = 0};
  member(&a, "x.npy", big.b, big.n, true, false);
  finish(&a, false);
  not_taken(save("huge.npz", &a.file), "data: 18446744073709548 bytes: must be at most 1048576",
            "huge.npz");
  /* the directory says a byte less, a byte more, fewer packed bytes, more of them */
  for (int k = 0; k < 4; k++) {
    static const char *const rules[] = {"inflates to more", "more than the 24", "", ""};
    x.n = 0;
    npy_file(&x, "<f4", "False", "(6,)", F, sizeof F);
    a = (archive){.n = 0};
    member(&a, "x.npy", x.b, x.n, true, false);
    size_t packed = a.file.n - 35;
    put_number(&a.file, 0, 1);
    size_t at = finish(&a, false);
    patch(&a.file, at + (k < 2 ? 24 : 20),
          k < 2 ? x.n - 1 + 2 * (size_t)k : packed - 1 + 2 * ((size_t)k - 2), 4);
    not_taken(save("other.npz", &a.file), rules[k], "other.npz: x.npy: ");
  }
  /* no deflated data at all */
  a = (archive){.n = 0};
  member(&a, "x.npy", x.b, x.n, true, false);
  memset(a.file.b + 35, 0xff, 10);
  finish(&a, false);
  not_taken(save("bad.npz", &a.file), "invalid block type", "bad.npz");
}
END_TEST

/* ---- safetensors ---- */

#define S(...) "{" __VA_ARGS__ "}"
#define T(name, dtype, shape, from, to)                                                            \
  "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":[" shape "],\"data_offsets\":[" from "," to "]" \
  "}"

START_TEST(safetensors_by_name)
{
  static const char json[] =
      S("\"__metadata__\":{\"format\":\"pt\"}," T("b", "BF16", "2,3", "24", "36") "," T(
          "x", "F32", "6", "0", "24") "," T("h.0:w", "I64", "", "36",
                                            "44") "," T("f8", "F8_E4M3", "4", "44", "48")) "   ";
  static unsigned char data[48];
  static const struct {
    const char *dtype, *end;
    npy_type type;
  } types[] = {{"F32", "12", NPY_F4}, {"F64", "24", NPY_F8}, {"F16", "6", NPY_F2},
               {"BF16", "6", NPY_BF}, {"I8", "3", NPY_I1},   {"I16", "6", NPY_I2},
               {"I32", "12", NPY_I4}, {"I64", "24", NPY_I8}, {"U8", "3", NPY_U1},
               {"U16", "6", NPY_U2},  {"U32", "12", NPY_U4}, {"U64", "24", NPY_U8},
               {"BOOL", "3", NPY_B1}};
  bytes f;
  char named[300], header[200];
  for (size_t i = 0; i < sizeof data; i++)
    data[i] = (unsigned char)(7 * i);
  safe_file(&f, json, data, sizeof data);
  const char *path = save("s", &f);
  is(path, "copy", 0, NPY_F4, data, 24);
  snprintf(named, sizeof named, "%s:b", path);
  npy a = taken(named, "copy", 0, NPY_BF, data + 24, 12);
  ck_assert_int_eq(a.rank, 2);
  npy_free(&a);
  snprintf(named, sizeof named, "%s:h.0:w", path);
  is(named, "copy", 0, NPY_I8, data + 36, 8);
  snprintf(named, sizeof named, "%s:f8", path);
  not_taken(named, "f8: dtype F8_E4M3: must be F16, BF16", path);
  snprintf(named, sizeof named, "%s:__metadata__", path);
  not_taken(named, "is not in the file: it has x, b, h.0:w, f8", path);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    snprintf(header, sizeof header, S(T("x", "%s", "3,1", "0", "%s")), types[i].dtype,
             types[i].end);
    safe_file(&f, header, data, (size_t)atoi(types[i].end));
    is(save("s", &f), "copy", 0, types[i].type, data, f.n - 8 - strlen(header));
  }
}
END_TEST

START_TEST(safetensors_refused)
{
  static const struct {
    const char *json;
    size_t data;
    const char *rule;
  } plants[] = {
      {S(T("x", "F32", "3", "0", "12") "," T("y", "F32", "3", "8", "20")), 20,
       "y: begins at byte 8 of the data: must begin at 12"},
      {S(T("x", "F32", "3", "0", "12") "," T("y", "F32", "3", "16", "28")), 28, "must begin at 12"},
      {S(T("x", "F32", "3", "0", "12")), 13,
       "13 bytes: the tensors take 12, must take all of them"},
      {S(T("x", "F32", "3", "0", "12")), 11,
       "x: data_offsets [0, 12]: must be in order and within the 11 bytes"},
      {S(T("x", "F32", "3", "12", "0")), 12, "must be in order"},
      {S(T("x", "F32", "3", "-12", "0")), 12, "must be in order"},
      {S(T("x", "F32", "3", "0", "9223372036854775807")), 12, "must be in order"},
      {S(T("x", "F32", "3", "0", "9223372036854775808")), 12, "header: byte"},
      {S(T("x", "F32", "4", "0", "12")), 12, "12 bytes: its shape and dtype F32 call for 16"},
      {S(T("x", "F32", "-3", "0", "12")), 12, "dimension 0 must be a whole number"},
      {S(T("x", "F32", "3.0", "0", "12")), 12, "dimension 0 must be a whole number"},
      {S(T("x", "F32", "4294967296,4294967296", "0", "0")), 0, "2^60"},
      {S(T("x", "F32", "1,1,1,1,1,1,1,1,3", "0", "12")), 12, "rank 9: must be at most 8"},
      {S(T("x", "F33", "3", "0", "12")), 12, "dtype F33: must be"},
      {S(T("x", "A_TYPE_OF_MANY_LETTERS", "3", "0", "12")), 12, "fewer than 16 letters"},
      {S(T("x", "F32", "3", "0", "12") "," T("x", "F32", "3", "0", "12")), 12, "duplicate"},
      {S("\"x\":{\"dtype\":\"F32\",\"shape\":[3]}"), 12, "key 'data_offsets' is missing"},
      {S("\"x\":{\"dtype\":32,\"shape\":[3],\"data_offsets\":[0,12]}"), 12,
       "dtype: must be a word"},
      {S("\"x\":{\"dtype\":\"F32\",\"shape\":3,\"data_offsets\":[0,12]}"), 12,
       "shape: must be a list"},
      {S("\"x\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0]}"), 12, "two whole numbers"},
      {S("\"x\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,12],\"evil\":1}"), 12,
       "key 'evil': must be dtype"},
      {S("\"x\":[]"), 12, "must be an object"},
      {S("\"x\\u0000y\":{}"), 12, "header: byte"},
      {S("\"x\":{\"dtype\":[[[["), 12, "nested more than 3 deep"},
      {"{not json}", 0, "header: byte"},
      {"{}", 0, "it has no tensor"},
      {"[]", 0, "must begin as .npy does"},
  };
  static const unsigned char data[32];
  bytes f;
  for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
    safe_file(&f, plants[i].json, data, plants[i].data);
    not_taken(save("plant.safetensors", &f), plants[i].rule, "plant.safetensors: ");
  }
  static const uint64_t lengths[] = {0, 29, (1 << 24) + 1, UINT64_MAX};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    safe_file(&f, "{}", data, 26);
    patch(&f, 0, lengths[i], 8);
    not_taken(save("plant.safetensors", &f), "header",
              i == 1 ? "ends after 28 of 29" : "must be from 1 to");
  }
}
END_TEST

START_TEST(what_is_none_of_them)
{
  bytes f = {.n = 0};
  not_taken(save("empty.npz", &f), "is empty", "empty.npz");
  put(&f, "hello, world", 12);
  not_taken(save("text.npz", &f), "must begin as .npy does", "text.npz");
  not_taken("/", "Is a directory", "/: ");
  not_taken(aid_path("absent"), "No such file", "absent");
}
END_TEST

/* ---- a little fuzzing ---- */

/* Every cut and, at every byte, several others in its place: a tensor or a message. Returns how many are
 * taken. */
static int fuzz(const bytes *good)
{
  static const unsigned char others[] = {0, 0xff, 0x80, '"', '9', 1};
  char message[NPY_MESSAGE], path[40];
  int accepted = 0, fd = memfd_create("fuzz", 0);
  npy a;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  for (size_t cut = 0; cut < good->n; cut++) {
    ck_assert_msg(!take(path, "copy", 0, &a, message), "cut at %zu: accepted", cut);
    ck_assert_int_eq(pwrite(fd, good->b + cut, 1, (off_t)cut), 1);
  }
  for (size_t at = 0; at < good->n; at++) {
    for (size_t k = 0; k < sizeof others + 1; k++) {
      unsigned char other = k < sizeof others ? others[k] : good->b[at] ^ 1;
      ck_assert_int_eq(pwrite(fd, &other, 1, (off_t)at), 1);
      if (take(path, "copy", 0, &a, message)) {
        accepted += other != good->b[at];
        npy_free(&a);
      }
    }
    ck_assert_int_eq(pwrite(fd, good->b + at, 1, (off_t)at), 1);
  }
  close(fd);
  return accepted;
}

START_TEST(fuzzed_npy)
{
  bytes f = {.n = 0};
  npy_file(&f, "<f4", "True", "(2, 3)", F, sizeof F);
  ck_assert_int_gt(fuzz(&f), 24); /* every byte of the data may be another */
}
END_TEST

START_TEST(fuzzed_npz)
{
  static archive a;
  for (int k = 0; k < 4; k++) {
    bytes x = {.n = 0};
    a = (archive){.n = 0};
    npy_file(&x, "<f4", "False", "(2, 3)", F, sizeof F);
    member(&a, "x.npy", x.b, x.n, k & 1, k & 2);
    finish(&a, k & 2);
    int accepted = fuzz(&a.file);
    ck_assert_int_gt(accepted, 20); /* versions and dates are nobody's business */
    /* what the CRC covers may not change; a deflated stream's last byte may have bits that say nothing */
    bytes f = a.file;
    size_t first = k & 2 ? 55 : 35, end = f.n - a.directory.n - (k & 2 ? 98 : 22);
    for (size_t at = first; at < end; at++) {
      char message[NPY_MESSAGE];
      npy b;
      f.b[at] ^= 4;
      if (take(save("bit", &f), "copy", 0, &b, message)) {
        ck_assert_msg((k & 1) && at == end - 1, "byte %zu: accepted", at);
        ck_assert_int_eq(memcmp(b.data, F, sizeof F), 0);
        npy_free(&b);
      }
      f.b[at] ^= 4;
    }
  }
}
END_TEST

START_TEST(fuzzed_safetensors)
{
  static const unsigned char data[26];
  bytes f;
  safe_file(&f, S(T("x", "F32", "2,3", "0", "24") "," T("y", "I8", "2", "24", "26")), data, 26);
  ck_assert_int_gt(fuzz(&f), 26);
}
END_TEST

/* ---- values ---- */

static npy of(npy_type type, int64_t n, const void *data)
{
  npy a = {.type = type,
           .rank = 1,
           .shape = {n},
           .count = n,
           .data = malloc((size_t)n * npy_size(type))};
  memcpy(a.data, data, (size_t)n * npy_size(type));
  return a;
}

START_TEST(halves)
{
  static const uint16_t h[] = {0,      0x8000, 1,      0x8001, 0x03ff, 0x0400,
                               0x3c00, 0xbe00, 0x7bff, 0x7c00, 0xfc00, 0x3555};
  static const float want[] = {0, -0.0f, 0x1p-24f, -0x1p-24f, 1023 * 0x1p-24f, 0x1p-14f,
                               1, -1.5f, 65504,    INFINITY,  -INFINITY,       0x1.554p-2f};
  static const uint16_t b[] = {0x3f80, 0x8000, 0x0001, 0x7f7f, 0xff80, 0x7fc0};
  char message[NPY_MESSAGE];
  npy a = of(NPY_F2, 12, h);
  ck_assert(npy_widen(&a, message));
  ck_assert_int_eq(memcmp(a.data, want, sizeof want), 0);
  npy_free(&a);
  a = of(NPY_BF, 6, b);
  ck_assert(npy_widen(&a, message));
  ck_assert_int_eq(a.type, NPY_F4);
  for (int i = 0; i < 6; i++) {
    uint32_t w = (uint32_t)b[i] << 16;
    ck_assert_int_eq(memcmp((char *)a.data + 4 * i, &w, 4), 0);
  }
  npy_free(&a);
  /* every float16 but the NaNs, against the sum of its parts */
  for (uint32_t w = 0; w < 65536; w++) {
    uint16_t one = (uint16_t)w;
    int e = one >> 10 & 31, f = one & 1023;
    double x = e == 31 ? INFINITY : e ? ldexp(1024 + f, e - 25) : ldexp(f, -24);
    a = of(NPY_F2, 1, &one);
    ck_assert(npy_widen(&a, message));
    float y = *(float *)a.data;
    npy_free(&a);
    if (e == 31 && f)
      ck_assert(isnan(y));
    else
      ck_assert((double)y == (one >> 15 ? -x : x) && !signbit(y) == !(one >> 15));
  }
}
END_TEST

START_TEST(integers_and_masks)
{
  static const int8_t i1[] = {-128, 0, 127};
  static const uint8_t u1[] = {255, 0, 2};
  static const uint16_t u2[] = {65535, 0, 1};
  static const uint32_t u4[] = {4294967295u, 0, 1};
  static const uint64_t u8[] = {INT64_MAX, 0, 1}, over[] = {0, (uint64_t)1 << 63};
  static const struct {
    npy_type type;
    const void *data;
    int64_t first;
  } all[] = {{NPY_I1, i1, -128},
             {NPY_U1, u1, 255},
             {NPY_U2, u2, 65535},
             {NPY_U4, u4, 4294967295},
             {NPY_U8, u8, INT64_MAX}};
  char message[NPY_MESSAGE] = "";
  npy a;
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    a = of(all[k].type, 3, all[k].data);
    ck_assert(npy_integers(&a, message));
    ck_assert_int_eq(((int64_t *)a.data)[0], all[k].first);
    ck_assert_int_eq(((int64_t *)a.data)[1], 0);
    npy_free(&a);
    a = of(all[k].type, 3, all[k].data);
    ck_assert(npy_mask(&a, message));
    ck_assert(((float *)a.data)[0] == 1 && ((float *)a.data)[1] == 0 && ((float *)a.data)[2] == 1);
    npy_free(&a);
  }
  a = of(NPY_U8, 2, over);
  ck_assert(!npy_integers(&a, message));
  ck_assert_text(message, "element 1 is 9223372036854775808: must be below 2^63");
  npy_free(&a);
  a = of(NPY_B1, 3, u1);
  ck_assert(!npy_mask(&a, message));
  ck_assert_text(message, "element 0 is 255: a bool must be 0 or 1");
  npy_free(&a);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("files");
  TCase *t = tcase_create("files");
  tcase_set_timeout(t, 60);
  suite_add_tcase(s, t);
  tcase_add_test(t, npy_of_every_type);
  tcase_add_test(t, npy_in_fortran_order);
  tcase_add_test(t, npy_through_a_pipe);
  tcase_add_test(t, npz_by_name);
  tcase_add_test(t, npz_of_one_tensor);
  tcase_add_test(t, colons_in_names);
  tcase_add_test(t, npz_with_one_field_changed);
  tcase_add_test(t, npz_members_that_overlap);
  tcase_add_test(t, npz_that_inflates_otherwise);
  tcase_add_test(t, safetensors_by_name);
  tcase_add_test(t, safetensors_refused);
  tcase_add_test(t, what_is_none_of_them);
  tcase_add_test(t, fuzzed_npy);
  tcase_add_test(t, fuzzed_npz);
  tcase_add_test(t, fuzzed_safetensors);
  tcase_add_test(t, halves);
  tcase_add_test(t, integers_and_masks);
  return aid_main(s);
}
