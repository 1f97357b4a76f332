/* The runtime on devices that fail in one way each (tests/fake_backend.h): a status, words, nothing left
 * behind, and a context that is as good as before; in the shadow, the element. And a library of a GPU. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../runtime/internal.h"
#include "fake_backend.h"
#include "runtime.h"

static pmr_context on_fake(fake_fault fault, int shadowed)
{
  pmr_context h = opened(shadowed ? 2 : 1);
  context *c;
  OK(in_begin(h, &c));
  c->device = fake_backend(0, fault);
  in_end(c, PMR_OK);
  return h;
}

static const float X[24] = {1,  2,  NAN, 4,  5,  6,  7,  8,  9,  10,
                            11, 12, 13,  14, 15, 16, 17, 18, 19, 20};

/* add of 6, add_bias of (4, 5), sum of 6, one after the other. */
static pmr_status steps(pmr_context c)
{
  pmr_tensor t[6] = {NULL};
  pmr_status s = pmr_from_host(c, PMR_F32, 1, (const int64_t[]){6}, X, &t[0]);
  s = s ? s : pmr_from_host(c, PMR_F32, 2, (const int64_t[]){4, 5}, X, &t[1]);
  s = s ? s : pmr_from_host(c, PMR_F32, 1, (const int64_t[]){5}, &X[3], &t[2]);
  s = s ? s : pmr_call(c, "add", PMR_IN(t[0], t[0]), NULL, &t[3], 1);
  s = s ? s : pmr_call(c, "add_bias", PMR_IN(t[1], t[2]), NULL, &t[4], 1);
  s = s ? s : pmr_call(c, "sum", PMR_IN(t[2]), NULL, &t[5], 1);
  for (int i = 0; i < 6; i++)
    if (t[i])
      OK(pmr_release(t[i]));
  return s;
}

/* Faults that a back end tells of. */
START_TEST(told)
{
  static const struct {
    fake_fault fault;
    pmr_status status;
    const char *words;
  } rows[] = {{FAKE_REFUSES, PMR_INVALID, "add on sim: the fake says no"},
              {FAKE_UNSUITED, PMR_INVALID, "add on sim: the fake says no"},
              {FAKE_SYNC_FAILS, PMR_DEVICE, "the fake says no"},
              {FAKE_UPLOAD_FAILS, PMR_DEVICE, "upload on sim: the fake says no"},
              {FAKE_NO_MEMORY, PMR_NO_MEMORY, "from_host: no memory on sim for 24 bytes"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    pmr_context c = on_fake(rows[i].fault, 0);
    FAILS(rows[i].status, rows[i].words, steps(c));
    fake_backend(0, FAKE_HONEST);
    OK(steps(c));
    closed(c);
  }
}
END_TEST

START_TEST(told_later)
{
  pmr_context c = on_fake(FAKE_DOWNLOAD_FAILS, 0), d = on_fake(FAKE_HONEST, 0);
  pmr_tensor x = f32(c, X, 1, 2);
  float got[2] = {7, 7};
  fake_backend(0, FAKE_DOWNLOAD_FAILS);
  FAILS(PMR_DEVICE, "download on sim: the fake says no", pmr_to_host(x, PMR_F32, got, 2));
  ck_assert(got[0] == 7 && got[1] == 7);
  fake_backend(0, FAKE_SYNC_FAILS);
  FAILS(PMR_DEVICE, "sync on sim: the fake says no", pmr_to_host(x, PMR_F32, got, 2));
  FAILS(PMR_DEVICE, "sync on sim: the fake says no", pmr_sync(c));
  fake_backend(0, FAKE_HONEST);
  OK(pmr_to_host(x, PMR_F32, got, 2));
  OK(pmr_sync(c));
  OK(pmr_release(x));
  closed(c);
  fake_backend(0, FAKE_SYNC_FAILS);
  FAILS(PMR_DEVICE, "closing on sim", pmr_close(d));
  FAILS(PMR_HANDLE, "no such handle", pmr_close(d)); /* it is closed all the same */
}
END_TEST

/* Faults that nobody tells of: the shadow does. */
START_TEST(found)
{
  static const struct {
    fake_fault fault;
    const char *op, *tensor;
    int64_t step, element;
  } rows[] = {{FAKE_LAST_BIT, "add", "y", 1, 5},      {FAKE_NAN_LOST, "add", "y", 1, 2},
              {FAKE_CORNER, "add_bias", "y", 2, 13},  {FAKE_NAN, "sum", "y", 3, 0},
              {FAKE_CHANGES_INPUT, "add", "a", 1, 0}, {FAKE_HONEST, NULL, NULL, 0, 0},
              {FAKE_OTHER_ORDER, NULL, NULL, 0, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    pmr_context c = on_fake(rows[i].fault, 1);
    pmr_shadow_report r;
    pmr_status s = steps(c);
    OK(pmr_shadow_about(c, &r));
    ck_assert_msg(s == (rows[i].op ? PMR_DIVERGED : PMR_OK), "row %d: %s", (int)i, pmr_error());
    ck_assert_int_eq(r.diverged, rows[i].op != NULL);
    if (rows[i].op) {
      ck_assert_str_eq(r.first.op, rows[i].op);
      ck_assert_str_eq(r.first.tensor, rows[i].tensor);
      ck_assert_int_eq(r.first.step, rows[i].step);
      ck_assert_msg(r.first.element == rows[i].element, "row %d: %d", (int)i, (int)r.first.element);
      ck_assert_str_eq(r.first.variant, "plain");
    }
    fake_backend(0, FAKE_HONEST);
    OK(steps(c));
    closed(c);
  }
}
END_TEST

/* "cuda" is what the library of a GPU offers. */
START_TEST(a_library)
{
  char path[4200];
  const char *name, *device;
  pmr_context c = NULL;
  aid_program(path, sizeof path, "tests/libfake_cuda.so");
  setenv("PM_CUDA_LIB", path, 1);
  setenv("PM_FAKE", "0", 1);
  OK(pmr_open("cuda", &c));
  OK(pmr_backend(c, &name, &device));
  ck_assert_str_eq(name, "cuda");
  ck_assert_str_eq(device, "a fake");
  OK(steps(c));
  OK(pmr_close(c));
  OK(pmr_open("shadow", &c));
  OK(pmr_backend(c, &name, &device));
  ck_assert_str_eq(device, "a fake"); /* a GPU, where there is one */
  OK(steps(c));
  OK(pmr_close(c));
}
END_TEST

static pmr_context on_library(fake_fault f, pmr_status s, const char *words)
{
  char path[4200], number[12];
  pmr_context c = NULL;
  aid_program(path, sizeof path, "tests/libfake_cuda.so");
  snprintf(number, sizeof number, "%d", (int)f);
  setenv("PM_CUDA_LIB", path, 1);
  setenv("PM_FAKE", number, 1);
  if (s)
    FAILS(s, words, pmr_open("cuda", &c));
  else
    OK(pmr_open("cuda", &c));
  return c;
}

/* One that has streams: what goes wrong on the context's own. */
START_TEST(on_its_stream)
{
  static const struct {
    fake_fault fault;
    const char *words;
  } rows[] = {{FAKE_UPLOAD_FAILS, "upload on cuda: the fake says no"},
              {FAKE_DOWNLOAD_FAILS, "download on cuda: the fake says no"},
              {FAKE_SYNC_FAILS, "sync on cuda: the fake says no"},
              {FAKE_SYNC_FAILS, "closing on cuda: the fake says no"}};
  pmr_tensor x = NULL;
  float y[2];
  pmr_context c = on_library(rows[_i].fault, PMR_OK, "");
  pmr_status s = pmr_from_host(c, PMR_F32, 1, (const int64_t[]){2}, X, &x);
  s = s ? s : pmr_to_host(x, PMR_F32, y, 2);
  s = s || _i == 3 ? s : pmr_sync(c);
  if (x)
    OK(pmr_release(x));
  if (_i == 3)
    s = pmr_close(c);
  ck_assert_int_eq(s, PMR_DEVICE);
  ck_assert_text(pmr_error(), rows[_i].words);
  if (_i < 2)
    closed(c);
  else if (_i == 2)
    FAILS(PMR_DEVICE, rows[3].words, pmr_close(c));
}
END_TEST

START_TEST(without_a_stream)
{
  ck_assert_ptr_null(on_library(FAKE_NO_STREAM, PMR_NO_MEMORY, "no memory on cuda for a stream"));
}
END_TEST

START_TEST(a_library_without_a_device)
{
  pmr_context c = on_library(FAKE_NO_DEVICE, PMR_NO_DEVICE, "no GPU to run on: the fake says no");
  FAILS(PMR_NO_DEVICE, "no GPU to run on", pmr_open("shadow:cuda", &c));
  ck_assert_ptr_null(c);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("runtime_device");
  TCase *t = tcase_create("device");
  tcase_set_timeout(t, 60);
  suite_add_tcase(s, t);
  tcase_add_test(t, told);
  tcase_add_test(t, told_later);
  tcase_add_test(t, found);
  tcase_add_test(t, a_library);
  tcase_add_loop_test(t, on_its_stream, 0, 4);
  tcase_add_test(t, without_a_stream);
  tcase_add_test(t, a_library_without_a_device);
  return aid_main(s);
}
