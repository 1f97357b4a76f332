/* The runtime's contexts and buffers: conversions, views, owners, what is refused, threads, memory
 * that runs out. */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

/* ---- conversions ---- */

static void convert(pmr_context c, pmr_dtype from, const void *x, pmr_dtype to, void *y, int64_t n)
{
  pmr_buffer b;
  OK(pmr_buffer_new(c, to, n, &b));
  OK(pmr_buffer_put(b, from, x, n));
  OK(pmr_buffer_read(b, 0, y, (size_t)n * pmr_dtype_bytes(to)));
  OK(pmr_buffer_release(b));
}

/* What the bits of a 16-bit format mean: digits of the fraction, bias of the exponent. */
static double meaning(uint16_t w, int digits, int bias)
{
  int e = (w & 0x7fff) >> digits, most = (0x7fff >> digits), f = w & ((1 << digits) - 1);
  double x = e == most ? (f ? NAN : INFINITY)
             : e       ? ldexp(f + (1 << digits), e - bias - digits)
                       : ldexp(f, 1 - bias - digits);
  return w & 0x8000 ? -x : x;
}

static const struct {
  pmr_dtype type;
  int digits, bias;
} HALVES[] = {{PMR_F16, 10, 15}, {PMR_BF16, 7, 127}};

/* All 65536 of each: to f64, f32 and back. */
START_TEST(every_half_is_its_number)
{
  static uint16_t all[65536], back[65536];
  static double wide[65536];
  static float single[65536];
  pmr_context c = opened(_i % N_BACKENDS);
  int h = _i / N_BACKENDS;
  pmr_buffer b;
  for (int i = 0; i < 65536; i++)
    all[i] = (uint16_t)i;
  OK(pmr_buffer_new(c, HALVES[h].type, 65536, &b));
  OK(pmr_buffer_write(b, 0, all, sizeof all));
  OK(pmr_buffer_get(b, PMR_F64, wide, 65536));
  OK(pmr_buffer_get(b, PMR_F32, single, 65536));
  OK(pmr_buffer_release(b));
  for (int i = 0; i < 65536; i++) {
    double want = meaning((uint16_t)i, HALVES[h].digits, HALVES[h].bias);
    ck_assert(isnan(want) ? isnan(wide[i]) && isnan(single[i])
                          : wide[i] == want && (double)single[i] == want &&
                                signbit(wide[i]) == signbit(want));
  }
  convert(c, PMR_F64, wide, HALVES[h].type, back, 65536);
  for (int i = 0; i < 65536; i++)
    if (isnan(wide[i]))
      ck_assert(isnan(meaning(back[i], HALVES[h].digits, HALVES[h].bias)));
    else
      ck_assert_uint_eq(back[i], i);
  convert(c, PMR_F32, single, HALVES[h].type, back, 65536);
  for (int i = 0; i < 65536; i++)
    ck_assert(isnan(wide[i]) || back[i] == i);
  closed(c);
}
END_TEST

/* Between each two neighbours: the middle goes to the even one, what is beside it to the nearer. */
START_TEST(every_half_is_rounded_to)
{
  enum { MOST = 0x8000 };
  static double x[3 * MOST];
  static uint16_t want[3 * MOST], got[3 * MOST];
  pmr_context c = opened(0);
  int digits = HALVES[_i].digits, bias = HALVES[_i].bias, n = 0;
  int infinity = 0x7fff >> digits << digits;
  for (int w = 0; w < infinity; w++) {
    double low = meaning((uint16_t)w, digits, bias);
    /* the infinite one stands where the next number would */
    double high = w + 1 == infinity ? low + (low - meaning((uint16_t)(w - 1), digits, bias))
                                    : meaning((uint16_t)(w + 1), digits, bias);
    double middle = (low + high) / 2;
    x[n] = nextafter(middle, 0), want[n++] = (uint16_t)w;
    x[n] = middle, want[n++] = (uint16_t)(w % 2 ? w + 1 : w);
    x[n] = nextafter(middle, INFINITY), want[n++] = (uint16_t)(w + 1);
  }
  convert(c, PMR_F64, x, HALVES[_i].type, got, n);
  for (int i = 0; i < n; i++)
    ck_assert_msg(got[i] == want[i], "%a: %04x, not %04x", x[i], got[i], want[i]);
  for (int i = 0; i < n; i++)
    x[i] = -x[i];
  convert(c, PMR_F64, x, HALVES[_i].type, got, n);
  for (int i = 0; i < n; i++)
    ck_assert_uint_eq(got[i], want[i] | 0x8000);
  closed(c);
}
END_TEST

/* Integers are rounded once: 2^53 + 1 and its like, to bf16 at a tie and beside it. */
START_TEST(integers)
{
  static const int64_t big[] = {((int64_t)1 << 62) + ((int64_t)1 << 54),     /* a tie: to even */
                                ((int64_t)1 << 62) + ((int64_t)1 << 54) + 1, /* just above it */
                                -((int64_t)1 << 62) - ((int64_t)1 << 54) - 1,
                                ((int64_t)1 << 53) + 1,
                                INT64_MAX,
                                INT64_MIN,
                                0,
                                -3};
  enum { N = sizeof big / sizeof *big };
  static const uint16_t brain[N] = {0x5e80, 0x5e81, 0xde81, 0x5a00, 0x5f00, 0xdf00, 0, 0xc040};
  static const int64_t near24[] = {16777217, 16777219, -16777217, 1};
  static const float single24[] = {16777216, 16777220, -16777216, 1};
  static const double parts[] = {-0.9, 2.9, -128.5, 200};
  static const int32_t whole[] = {0, 2, -128, 200};
  uint16_t b[N];
  float f[4];
  double d[N];
  int32_t i[4];
  pmr_context c = opened(0);
  convert(c, PMR_I64, big, PMR_BF16, b, N);
  for (int k = 0; k < N; k++)
    ck_assert_msg(b[k] == brain[k], "%lld: %04x", (long long)big[k], b[k]);
  convert(c, PMR_I64, big, PMR_F64, d, N);
  for (int k = 0; k < N; k++)
    ck_assert(d[k] == (double)big[k]);
  convert(c, PMR_I64, near24, PMR_F32, f, 4);
  ck_assert_mem_eq(f, single24, sizeof f);
  convert(c, PMR_F64, parts, PMR_I32, i, 4);
  ck_assert_mem_eq(i, whole, sizeof i);
  closed(c);
}
END_TEST

START_TEST(what_a_type_cannot_hold)
{
  static const double bad[] = {NAN, 0x1p63, -1, 256, 2147483648.0, -0x1.8p63};
  static const pmr_dtype to[] = {PMR_I64, PMR_I64, PMR_U8, PMR_U8, PMR_I32, PMR_I64};
  pmr_context c = opened(0);
  for (int k = 0; k < 6; k++) {
    double x[2] = {7, bad[k]};
    unsigned char old[16], after[16];
    pmr_buffer b;
    OK(pmr_buffer_new(c, to[k], 2, &b));
    OK(pmr_buffer_read(b, 0, old, 2 * pmr_dtype_bytes(to[k])));
    FAILS(PMR_INVALID, "element 1 is", pmr_buffer_put(b, PMR_F64, x, 2));
    OK(pmr_buffer_read(b, 0, after, 2 * pmr_dtype_bytes(to[k])));
    ck_assert_mem_eq(old, after, 2 * pmr_dtype_bytes(to[k]));
    OK(pmr_buffer_free(b));
  }
  closed(c);
}
END_TEST

/* ---- memory ---- */

START_TEST(views_and_slices)
{
  static const int32_t x[6] = {0, 1, 2, 3, 4, 5};
  int32_t y[6];
  pmr_context c = opened(_i);
  pmr_buffer b, v, w, s, k;
  pmr_buffer_info about;
  OK(pmr_buffer_new(c, PMR_I32, 6, &b));
  OK(pmr_buffer_put(b, PMR_I32, x, 6));
  OK(pmr_buffer_view(b, 2, 3, &v));
  OK(pmr_buffer_view(v, 1, 2, &w));
  OK(pmr_buffer_slice(b, 1, 3, 2, 1, &s));
  FAILS(PMR_INVALID, "stride is 2: a view", pmr_buffer_slice(b, 1, 3, 2, 0, &k));
  OK(pmr_buffer_clone(v, &k));
  FAILS(PMR_IN_USE, "in use", pmr_buffer_free(b));
  OK(pmr_buffer_release(b)); /* the views have the memory now */
  OK(pmr_buffer_get(w, PMR_I32, y, 2));
  ck_assert_int_eq(y[0], 3);
  ck_assert_int_eq(y[1], 4);
  OK(pmr_buffer_get(s, PMR_I32, y, 3));
  ck_assert_int_eq(y[2], 5);
  OK(pmr_buffer_zero(w));
  OK(pmr_buffer_get(v, PMR_I32, y, 3));
  ck_assert(y[0] == 2 && y[1] == 0 && y[2] == 0);
  OK(pmr_buffer_get(k, PMR_I32, y, 3));
  ck_assert(y[0] == 2 && y[1] == 3 && y[2] == 4);
  OK(pmr_buffer_about(w, &about));
  ck_assert(about.is_view && about.sharers == 2 && about.count == 2 && about.dtype == PMR_I32);
  FAILS(PMR_HANDLE, "released or never made", pmr_buffer_zero(b));
  OK(pmr_buffer_release(v));
  OK(pmr_buffer_free(w)); /* the last of them */
  OK(pmr_buffer_release(s));
  OK(pmr_buffer_release(k));
  closed(c);
}
END_TEST

START_TEST(rows)
{
  static const float x[4] = {1, 2, 3, 4};
  float y[6];
  pmr_context c = opened(_i);
  pmr_buffer b, r, other;
  OK(pmr_buffer_new(c, PMR_F32, 6, &b));
  OK(pmr_buffer_new(c, PMR_F32, 4, &r));
  OK(pmr_buffer_put(r, PMR_F32, x, 4));
  OK(pmr_buffer_write_rows(b, 2, 1, r));
  OK(pmr_buffer_get(b, PMR_F32, y, 6));
  ck_assert(y[0] == 0 && y[1] == 0 && y[2] == 1 && y[5] == 4);
  FAILS(PMR_INVALID, "2 rows from row 2 on", pmr_buffer_write_rows(b, 2, 2, r));
  FAILS(PMR_INVALID, "the buffer has 3", pmr_buffer_write_rows(b, 2, INT64_MAX, r));
  FAILS(PMR_INVALID, "from row -1", pmr_buffer_write_rows(b, 2, -1, r));
  FAILS(PMR_INVALID, "cols is 4", pmr_buffer_write_rows(b, 4, 0, r));
  FAILS(PMR_INVALID, "cols is 0", pmr_buffer_write_rows(b, 0, 0, r));
  OK(pmr_buffer_cast(r, PMR_F16, &other));
  FAILS(PMR_INVALID, "rows is f16", pmr_buffer_write_rows(b, 2, 0, other));
  OK(pmr_buffer_write_rows(b, 2, 0, r)); /* and within one memory: */
  OK(pmr_buffer_release(other));
  OK(pmr_buffer_view(b, 0, 4, &other));
  OK(pmr_buffer_write_rows(b, 2, 1, other));
  OK(pmr_buffer_get(b, PMR_F32, y, 6));
  ck_assert(y[0] == 1 && y[2] == 1 && y[3] == 2 && y[4] == 3 && y[5] == 4);
  OK(pmr_buffer_release(other));
  OK(pmr_buffer_release(b));
  OK(pmr_buffer_release(r));
  closed(c);
}
END_TEST

START_TEST(sizes_that_cannot_be)
{
  char byte = 0;
  pmr_context c = opened(0);
  pmr_buffer b, none = NULL;
  OK(pmr_buffer_new(c, PMR_U8, 0, &b));
  OK(pmr_buffer_write(b, 0, NULL, 0));
  FAILS(PMR_INVALID, "the buffer has 0", pmr_buffer_write(b, 0, &byte, 1));
  FAILS(PMR_INVALID, "the buffer has 0", pmr_buffer_read(b, SIZE_MAX, &byte, 1));
  FAILS(PMR_INVALID, "must not be negative", pmr_buffer_new(c, PMR_F32, -1, &none));
  FAILS(PMR_INVALID, "below 2^63", pmr_buffer_new(c, PMR_F64, INT64_MAX, &none));
  FAILS(PMR_NO_MEMORY, "no memory", pmr_buffer_new(c, PMR_U8, INT64_MAX / 2, &none));
  FAILS(PMR_INVALID, "no such type", pmr_buffer_new(c, (pmr_dtype)7, 1, &none));
  FAILS(PMR_INVALID, "no such type", pmr_buffer_put(b, (pmr_dtype)-1, &byte, 0));
  FAILS(PMR_INVALID, "the buffer has 0", pmr_buffer_slice(b, 1, 1, 1, 1, &none));
  FAILS(PMR_INVALID, "the buffer has 0",
        pmr_buffer_slice(b, INT64_MAX, INT64_MAX, INT64_MAX, 1, &none));
  FAILS(PMR_INVALID, "first is -1", pmr_buffer_slice(b, -1, 0, 1, 0, &none));
  FAILS(PMR_INVALID, "count -1", pmr_buffer_slice(b, 0, -1, 1, 0, &none));
  FAILS(PMR_INVALID, "must be at least 1", pmr_buffer_slice(b, 0, 0, 0, 1, &none));
  FAILS(PMR_INVALID, "count is 3", pmr_buffer_put(b, PMR_U8, &byte, 3));
  FAILS(PMR_INVALID, "out is NULL", pmr_buffer_clone(b, NULL));
  ck_assert_ptr_null(none);
  OK(pmr_buffer_free(b));
  closed(c);
}
END_TEST

/* ---- handles ---- */

START_TEST(handles_that_are_not)
{
  pmr_context c = opened(0), d = opened(0);
  pmr_buffer b, other;
  pmr_tensor t;
  int64_t one = 1;
  float x = 2;
  OK(pmr_buffer_new(c, PMR_F32, 1, &b));
  OK(pmr_buffer_new(d, PMR_F32, 1, &other));
  OK(pmr_from_host(c, PMR_F32, 1, &one, &x, &t));
  FAILS(PMR_HANDLE, "buffer is NULL", pmr_buffer_zero(NULL));
  FAILS(PMR_HANDLE, "must be a buffer", pmr_buffer_zero((pmr_buffer)t));
  FAILS(PMR_HANDLE, "must be a tensor", pmr_retain((pmr_tensor)b));
  FAILS(PMR_HANDLE, "another context", pmr_buffer_write_rows(b, 1, 0, other));
  FAILS(PMR_HANDLE, "no such handle", pmr_close((pmr_context)b));
  FAILS(PMR_HANDLE, "no such handle", pmr_buffer_zero((pmr_buffer)c));
  FAILS(PMR_HANDLE, "no such handle", pmr_sync((pmr_context)b));
  FAILS(PMR_HANDLE, "no such handle", pmr_sync((pmr_context)&x));
  FAILS(PMR_HANDLE, "no such handle", pmr_buffer_zero((pmr_buffer)&x));
  OK(pmr_buffer_retain(b));
  FAILS(PMR_IN_USE, "2 owners", pmr_buffer_free(b));
  OK(pmr_buffer_release(b));
  OK(pmr_buffer_free(b));
  FAILS(PMR_HANDLE, "no such handle", pmr_buffer_release(b));
  pmr_buffer again;
  OK(pmr_buffer_new(c, PMR_F32, 1, &again)); /* in its place */
  FAILS(PMR_HANDLE, "no such handle", pmr_buffer_release(b));
  OK(pmr_close(d)); /* with all that is in it */
  FAILS(PMR_HANDLE, "no such handle", pmr_buffer_zero(other));
  FAILS(PMR_HANDLE, "no such handle", pmr_close(d));
  d = opened(0);
  FAILS(PMR_HANDLE, "no such handle", pmr_buffer_zero(other));
  closed(d);
  OK(pmr_buffer_release(again));
  OK(pmr_free(t));
  closed(c);
}
END_TEST

START_TEST(back_ends)
{
  pmr_context c = NULL;
  const char *name, *device;
  unsetenv("PROOFMARK_BACKEND");
  OK(pmr_open(NULL, &c));
  OK(pmr_backend(c, &name, &device));
  ck_assert_str_eq(name, "ref");
  ck_assert_str_eq(device, "reference");
  closed(c);
  setenv("PROOFMARK_BACKEND", "sim", 1);
  OK(pmr_open(NULL, &c));
  OK(pmr_backend(c, &name, &device));
  ck_assert_str_eq(name, "sim");
  ck_assert_str_eq(device, "simulator");
  OK(pmr_sync(c));
  closed(c);
  c = NULL;
  setenv("PROOFMARK_BACKEND", "simulator", 1);
  FAILS(PMR_INVALID, "back end 'simulator': must be ref", pmr_open(NULL, &c));
  FAILS(PMR_INVALID, "back end 'gpu'", pmr_open("gpu", &c));
  setenv("PM_CUDA_LIB", "/nowhere/lib.so", 1);
  FAILS(PMR_NO_DEVICE, "no GPU to run on", pmr_open("cuda", &c));
  FAILS(PMR_INVALID, "out is NULL", pmr_open("ref", NULL));
  ck_assert_ptr_null(c);
  OK(pmr_open("shadow", &c)); /* without a GPU, of the simulator */
  OK(pmr_backend(c, NULL, &device));
  ck_assert_str_eq(device, "simulator");
  closed(c);
}
END_TEST

START_TEST(many_contexts)
{
  pmr_context c[255], more = NULL;
  for (int i = 0; i < 255; i++)
    OK(pmr_open("ref", &c[i]));
  FAILS(PMR_NO_MEMORY, "close one", pmr_open("ref", &more));
  for (int i = 0; i < 255; i++)
    closed(c[i]);
}
END_TEST

/* ---- threads ---- */

typedef struct shared {
  pmr_context c;
  pmr_buffer b;
  int worse;
} shared;

static void *owner(void *arg)
{
  shared *s = arg;
  for (int i = 0; i < 400; i++) {
    pmr_buffer v = NULL, k = NULL;
    float x[4] = {1, 2, 3, 4};
    int bad = pmr_buffer_retain(s->b) || pmr_buffer_view(s->b, 0, 4, &v) ||
              pmr_buffer_clone(v, &k) || pmr_buffer_put(k, PMR_F32, x, 4) ||
              pmr_buffer_get(k, PMR_F32, x, 4) || pmr_buffer_release(v) || pmr_buffer_free(k) ||
              pmr_buffer_release(s->b) || x[3] != 4;
    if (bad)
      s->worse++;
  }
  return NULL;
}

/* Eight of them share a buffer, on three contexts at once; then the owners are as before. */
START_TEST(threads)
{
  enum { N = 9 };
  pthread_t id[N];
  shared s[N];
  pmr_buffer_info about;
  for (int i = 0; i < N; i++) {
    if (i >= N_BACKENDS) {
      s[i] = s[i % N_BACKENDS];
      continue;
    }
    s[i] = (shared){.c = opened(i)};
    OK(pmr_buffer_new(s[i].c, PMR_F32, 4, &s[i].b));
  }
  for (int i = 0; i < N; i++)
    ck_assert_int_eq(pthread_create(&id[i], NULL, owner, &s[i]), 0);
  for (int i = 0; i < N; i++) {
    pthread_join(id[i], NULL);
    ck_assert_int_eq(s[i].worse, 0);
  }
  for (int i = 0; i < N_BACKENDS; i++) {
    OK(pmr_buffer_about(s[i].b, &about));
    ck_assert(about.owners == 1 && about.sharers == 1);
    OK(pmr_buffer_free(s[i].b));
    closed(s[i].c);
  }
}
END_TEST

static void *until_closed(void *arg)
{
  shared *s = arg;
  pmr_status r;
  while ((r = pmr_buffer_zero(s->b)) == PMR_OK)
    ;
  s->worse = r != PMR_HANDLE;
  return NULL;
}

START_TEST(closed_under_way)
{
  pthread_t id[4];
  shared s[4];
  pmr_context c = opened(1);
  pmr_buffer b;
  OK(pmr_buffer_new(c, PMR_F32, 1000, &b));
  for (int i = 0; i < 4; i++) {
    s[i] = (shared){.c = c, .b = b};
    ck_assert_int_eq(pthread_create(&id[i], NULL, until_closed, &s[i]), 0);
  }
  OK(pmr_close(c));
  for (int i = 0; i < 4; i++) {
    pthread_join(id[i], NULL);
    ck_assert_int_eq(s[i].worse, 0);
  }
}
END_TEST

/* ---- no memory ---- */

static pmr_status work(pmr_context c)
{
  static const double x[4] = {1, 2, 3, 4};
  pmr_buffer made[5] = {NULL};
  pmr_status s = pmr_buffer_new(c, PMR_F32, 4, &made[0]);
  s = s ? s : pmr_buffer_put(made[0], PMR_F64, x, 4);
  s = s ? s : pmr_buffer_view(made[0], 1, 2, &made[1]);
  s = s ? s : pmr_buffer_slice(made[0], 0, 2, 2, 1, &made[2]);
  s = s ? s : pmr_buffer_cast(made[1], PMR_BF16, &made[3]);
  s = s ? s : pmr_buffer_clone(made[3], &made[4]);
  s = s ? s : pmr_buffer_write_rows(made[0], 2, 1, made[1]);
  s = s ? s : pmr_buffer_zero(made[1]);
  /* no assertion here: libcheck allocates */
  for (int i = 0; i < 5; i++)
    if (made[i] && pmr_buffer_release(made[i]))
      return PMR_HANDLE;
  return s;
}

START_TEST(no_memory) { no_memory_anywhere(_i, work); }
END_TEST

int main(void)
{
  Suite *s = suite_create("runtime_buffers");
  TCase *t = tcase_create("buffers");
  tcase_set_timeout(t, 60);
  suite_add_tcase(s, t);
  tcase_add_loop_test(t, every_half_is_its_number, 0, 2 * N_BACKENDS);
  tcase_add_loop_test(t, every_half_is_rounded_to, 0, 2);
  tcase_add_test(t, integers);
  tcase_add_test(t, what_a_type_cannot_hold);
  tcase_add_loop_test(t, views_and_slices, 0, N_BACKENDS);
  tcase_add_loop_test(t, rows, 0, N_BACKENDS);
  tcase_add_test(t, sizes_that_cannot_be);
  tcase_add_test(t, handles_that_are_not);
  tcase_add_test(t, back_ends);
  tcase_add_test(t, many_contexts);
  tcase_add_test(t, threads);
  tcase_add_test(t, closed_under_way);
  tcase_add_loop_test(t, no_memory, 0, N_BACKENDS);
  return aid_main(s);
}
