/* The .npy loader: whatever a file holds, the outcome is a tensor or a message, and on a message
 * the output is as it was. */
#include "helpers.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../diffcheck/files/npy.h"
#include "../diffcheck/files/output.h"

#define GOOD "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }"

static const npy untouched = {.type = NPY_I8, .rank = 7, .count = -5, .data = (void *)8};

static bool parse(const char *text, npy *out, char *message)
{
  *out = untouched;
  message[0] = 0;
  return npy_parse(text, strlen(text), out, message);
}

/* A header that must be refused, with a word that the message must hold. */
static void refused(const char *text, const char *part)
{
  char message[NPY_MESSAGE];
  npy a;
  ck_assert_msg(!parse(text, &a, message), "accepted: %s", text);
  ck_assert_text(message, part);
  ck_assert_int_eq(memcmp(&a, &untouched, sizeof a), 0);
}

START_TEST(header_good)
{
  static const struct {
    const char *text;
    npy_type type;
    int rank;
    int64_t count;
  } good[] = {
      {GOOD, NPY_F4, 2, 12},
      {"{'descr':'<f8','fortran_order':False,'shape':()}", NPY_F8, 0, 1},
      {"{'shape': (5,), 'fortran_order': False, 'descr': '<i4'}  \n", NPY_I4, 1, 5},
      {"{\"descr\": \"<i8\", \"fortran_order\": False, \"shape\": (2, 0, 3)}", NPY_I8, 3, 0},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,2)}", NPY_F4, 8, 2},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 0)}", NPY_F4, 2, 0},
  };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    char message[NPY_MESSAGE];
    npy a;
    ck_assert_msg(parse(good[i].text, &a, message), "%s: %s", good[i].text, message);
    ck_assert_int_eq(a.type, good[i].type);
    ck_assert_int_eq(a.rank, good[i].rank);
    ck_assert_int_eq(a.count, good[i].count);
  }
}
END_TEST

START_TEST(header_refused)
{
#define H(descr, order, shape) \
  "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape "}"
  refused("", "'{'");
  refused("[]", "'{'");
  refused("{}", "descr");
  refused(H("'>f4'", "False", "(3,)"), "'>f4'");
  refused(H("'|V2'", "False", "(3,)"), "bfloat16 comes as safetensors");
  refused(H("'|O'", "False", "(3,)"), "'|O'");
  refused(H("[('a', '<f4')]", "False", "(3,)"), "descr");
  refused(H("'<f4'", "0", "(3, 4)"), "fortran_order");
  refused(H("'<f4'", "False", "(-1,)"), "negative");
  refused(H("'<f4'", "False", "(3)"), "(n,)");
  refused(H("'<f4'", "False", "(3 4)"), "','");
  refused(H("'<f4'", "False", "(3.5,)"), "','");
  refused(H("'<f4'", "False", "(x,)"), "whole number");
  refused(H("'<f4'", "False", "3"), "'('");
  refused(H("'<f4'", "False", "(3,"), "whole number");
  refused(H("'<f4'", "False", "(99999999999999999999,)"), "63 bits");
  refused(H("'<f4'", "False", "(4294967296, 4294967296)"), "2^60");
  refused(H("'<f4'", "False", "(1152921504606846976,)"), "2^60");
  refused(H("'<f4'", "False", "(1,1,1,1,1,1,1,1,1)"), "rank");
  refused("{'descr': '<f4', 'shape': (3,)}", "fortran_order");
  refused("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", "twice");
  refused("{'descr': '<f4', 'evil': 1, 'fortran_order': False, 'shape': (3,)}", "evil");
  refused(GOOD " import os", "closing brace");
  refused("{'descr': '<f4', 'fortran_order': False 'shape': (3,)}", "','");
  refused("{'descr': '<f4", "closing quote");
  refused("{'de\\x41scr': '<f4'}", "ASCII");
  refused("{'a_key_of_far_more_than_thirty_one_characters': 1}", "longer");
}
END_TEST

/* Each byte of a good header replaced by each other byte: no crash, and what is accepted keeps
 * the rules. */
START_TEST(header_fuzzed)
{
  size_t n = strlen(GOOD);
  int accepted = 0, rejected = 0;
  for (size_t at = 0; at < n; at++)
    for (int byte = 0; byte < 256; byte++) {
      char text[] = GOOD, message[NPY_MESSAGE] = "";
      npy a = untouched;
      text[at] = (char)byte;
      if (npy_parse(text, n, &a, message)) {
        int64_t count = 1;
        accepted++;
        ck_assert_int_ge(a.rank, 0);
        ck_assert_int_le(a.rank, NPY_RANK);
        for (int d = 0; d < a.rank; d++) {
          ck_assert_int_ge(a.shape[d], 0);
          count *= a.shape[d];
        }
        ck_assert_int_eq(a.count, count);
      } else {
        rejected++;
        ck_assert_int_ne(message[0], 0);
        ck_assert_int_eq(memcmp(&a, &untouched, sizeof a), 0);
      }
    }
  ck_assert_int_gt(accepted, (int)n); /* each byte once as it was, digits, blanks, types */
  ck_assert_int_gt(rejected, accepted);
}
END_TEST

static const float values[12] = {0, -0.0f, 1, -1, 0x1p-149f, 3.5f, 1e38f, -7, 8, 9, 10, 11};
static const int64_t shape34[] = {3, 4};

static char *good_file(const char *path, size_t *n)
{
  char message[NPY_MESSAGE] = "";
  ck_assert_msg(npy_write(path, NPY_F4, 2, shape34, values, message), "%s", message);
  return aid_read(path, n);
}

static void file_refused(const char *path, int64_t max_bytes, const char *part)
{
  char message[NPY_MESSAGE] = "";
  npy a = untouched;
  ck_assert_msg(!npy_read(path, max_bytes, &a, message), "accepted where \"%s\" was due", part);
  ck_assert_text(message, path);
  ck_assert_text(message, part);
  ck_assert_int_eq(memcmp(&a, &untouched, sizeof a), 0);
}

START_TEST(round_trip)
{
  static const double f8[] = {0.1, -1e300, 5e-324};
  static const int32_t i4[] = {-2147483647 - 1, 0, 2147483647};
  static const int64_t i8[] = {INT64_MIN, 0, INT64_MAX}, one[] = {3}, none[] = {2, 0};
  static const struct {
    npy_type type;
    int rank;
    const int64_t *shape;
    const void *data;
    size_t bytes;
  } all[] = {
      {NPY_F4, 2, shape34, values, sizeof values},
      {NPY_F8, 1, one, f8, sizeof f8},
      {NPY_I4, 1, one, i4, sizeof i4},
      {NPY_I8, 1, one, i8, sizeof i8},
      {NPY_F4, 0, NULL, values + 5, 4},
      {NPY_F4, 2, none, values, 0},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const char *path = aid_path("round.npy");
    char message[NPY_MESSAGE] = "";
    npy a;
    ck_assert_msg(npy_write(path, all[i].type, all[i].rank, all[i].shape, all[i].data, message),
                  "%s", message);
    ck_assert_msg(npy_read(path, 1 << 20, &a, message), "%s", message);
    ck_assert_int_eq(a.type, all[i].type);
    ck_assert_int_eq(a.rank, all[i].rank);
    for (int d = 0; d < a.rank; d++)
      ck_assert_int_eq(a.shape[d], all[i].shape[d]);
    ck_assert_uint_eq((size_t)a.count * npy_size(a.type), all[i].bytes);
    ck_assert_int_eq(memcmp(a.data, all[i].data, all[i].bytes), 0);
    npy_free(&a);
    ck_assert_ptr_null(a.data);
  }
}
END_TEST

/* NumPy's own layout, byte by byte: the data begin at a multiple of 64. */
START_TEST(format_is_numpys)
{
  size_t n, length;
  char *bytes = good_file(aid_path("layout.npy"), &n);
  ck_assert_int_eq(memcmp(bytes, "\x93NUMPY\x01\x00", 8), 0);
  length = (unsigned char)bytes[8] | (size_t)(unsigned char)bytes[9] << 8;
  ck_assert_uint_eq((10 + length) % 64, 0);
  ck_assert_int_eq(bytes[9 + length], '\n');
  ck_assert_uint_eq(n, 10 + length + sizeof values);
  ck_assert_int_eq(memcmp(bytes + 10 + length, values, sizeof values), 0);
  ck_assert_int_eq(memcmp(bytes + 10, GOOD, strlen(GOOD)), 0);
  free(bytes);
}
END_TEST

START_TEST(truncated_at_every_byte)
{
  size_t n;
  const char *path = aid_path("cut.npy");
  char *bytes = good_file(path, &n);
  for (size_t cut = 0; cut < n; cut++) {
    aid_write(path, bytes, cut);
    file_refused(path, 1 << 20, cut == 0 ? "0 of 8" : "ends after");
  }
  free(bytes);
}
END_TEST

START_TEST(oversized)
{
  size_t n;
  const char *path = aid_path("over.npy");
  char *bytes = good_file(path, &n), *more = malloc(n + 1);
  memcpy(more, bytes, n);
  more[n] = 0;
  aid_write(path, more, n + 1);
  file_refused(path, 1 << 20, "more than the 48 bytes");
  aid_write(path, bytes, n);
  file_refused(path, 47, "at most 47");
  free(bytes);
  free(more);
}
END_TEST

/* A header that promises 2^59 elements, and a header length of 4 GiB: an error at once. */
START_TEST(hostile_promises)
{
  static const char huge[] =
      "{'descr': '<f8', 'fortran_order': False, 'shape': (576460752303423488,)}";
  const char *path = aid_path("huge.npy");
  unsigned char file[200] = "\x93NUMPY\x01\x00";
  file[8] = sizeof huge - 1;
  memcpy(file + 10, huge, sizeof huge - 1);
  aid_write(path, file, 10 + sizeof huge - 1 + 16);
  file_refused(path, INT64_MAX, "ends after 16 of 4611686018427387904");
  memcpy(file, "\x93NUMPY\x02\x00\xff\xff\xff\xff", 12);
  aid_write(path, file, 100);
  file_refused(path, INT64_MAX, "header length 4294967295");
  memcpy(file, "\x93NUMPY\x04\x00", 8);
  aid_write(path, file, 100);
  file_refused(path, INT64_MAX, "format version 4.0");
}
END_TEST

START_TEST(no_such_thing)
{
  const char *path = aid_path("text.npy");
  file_refused(aid_path("absent.npy"), 100, "No such file");
  file_refused("/", 100, "/");
  aid_write(path, "PK\3\4 not numpy at all", 20);
  file_refused(path, 100, "not a .npy file");
}
END_TEST

/* Format 2.0, whose header length has four bytes, is read as 1.0 is. */
START_TEST(version_two)
{
  const char *path = aid_path("two.npy");
  char message[NPY_MESSAGE] = "";
  unsigned char file[200] = "\x93NUMPY\x02\x00";
  npy a;
  file[8] = sizeof GOOD - 1;
  memcpy(file + 12, GOOD, sizeof GOOD - 1);
  memcpy(file + 12 + sizeof GOOD - 1, values, sizeof values);
  aid_write(path, file, 12 + sizeof GOOD - 1 + sizeof values);
  ck_assert_msg(npy_read(path, 1 << 20, &a, message), "%s", message);
  ck_assert_int_eq(memcmp(a.data, values, sizeof values), 0);
  npy_free(&a);
}
END_TEST

START_TEST(write_refused)
{
  char message[NPY_MESSAGE] = "";
  ck_assert(!npy_write("/no/such/folder/x.npy", NPY_F4, 2, shape34, values, message));
  ck_assert_text(message, "/no/such/folder/x.npy");
}
END_TEST

/* A disk that is full, as a limit to what a file may hold: the old file is still there, whole, and
 * nothing is left beside it. */
START_TEST(write_is_all_or_nothing)
{
  static const double big[4096] = {1};
  static const int64_t shape[] = {4096};
  char message[NPY_MESSAGE] = "", path[300];
  const struct rlimit little = {4096, RLIM_INFINITY};
  const char *folder = aid_path("folder");
  ck_assert_int_eq(mkdir(folder, 0700), 0);
  snprintf(path, sizeof path, "%s/keep.npy", folder);
  aid_write(path, "old", 3);
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &little), 0);
  ck_assert(!npy_write(path, NPY_F8, 1, shape, big, message));
  ck_assert_text(message, "keep.npy");
  ck_assert_text(message, "cannot be written to the end");
  char *kept = aid_read(path, NULL);
  ck_assert_str_eq(kept, "old");
  free(kept);
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_int_eq(rmdir(folder), 0); /* it was the only file */
}
END_TEST

/* The second of two files cannot be put in place: the first is as it was. */
START_TEST(a_set_is_all_or_nothing)
{
  char message[OUTPUT_MESSAGE] = "", first[2][300], second[300], command[400];
  const char *a = aid_path("one"), *b = aid_path("two");
  ck_assert_int_eq(mkdir(a, 0700), 0);
  ck_assert_int_eq(mkdir(b, 0700), 0);
  snprintf(first[0], sizeof first[0], "%s/old", a);
  snprintf(first[1], sizeof first[1], "%s/new", a);
  snprintf(second, sizeof second, "%s/y", b);
  aid_write(first[0], "old", 3);
  for (int i = 0; i < 3; i++) {
    FILE *f = output_open(i < 2 ? first[i] : second, message);
    ck_assert_msg(f != NULL, "%s", message);
    fputs("text", f);
  }
  snprintf(command, sizeof command, "rm -r %s", b);
  ck_assert_int_eq(system(command), 0);
  ck_assert(!output_commit(message));
  ck_assert_text(message, second);
  char *kept = aid_read(first[0], NULL);
  ck_assert_str_eq(kept, "old");
  free(kept);
  ck_assert_int_eq(unlink(first[0]), 0);
  ck_assert_int_eq(rmdir(a), 0);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("npy");
  TCase *t = tcase_create("npy");
  suite_add_tcase(s, t);
  tcase_add_test(t, header_good);
  tcase_add_test(t, header_refused);
  tcase_add_test(t, header_fuzzed);
  tcase_add_test(t, round_trip);
  tcase_add_test(t, format_is_numpys);
  tcase_add_test(t, truncated_at_every_byte);
  tcase_add_test(t, oversized);
  tcase_add_test(t, hostile_promises);
  tcase_add_test(t, no_such_thing);
  tcase_add_test(t, version_two);
  tcase_add_test(t, write_refused);
  tcase_add_test(t, write_is_all_or_nothing);
  tcase_add_test(t, a_set_is_all_or_nothing);
  return aid_main(s);
}
