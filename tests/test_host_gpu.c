/* Page-locked memory and graphs as the CUDA back end uses them (cuda/host/staging.h, graphs.h), where there is no GPU:
 * against a CUDA whose copies happen as late as they may (host_gpu.h). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "helpers.h"
#include "host_gpu.h"

/* ---- copies ---- */

static void fill(unsigned char *p, size_t n, unsigned from)
{
  for (size_t i = 0; i < n; i++)
    p[i] = (unsigned char)((from + i) * 31 + (i >> 20) * 7);
}

/* What was given is read at once, whatever becomes of it, and is there for who comes after it on the stream. */
START_TEST(there_and_back)
{
  const size_t half = host_gpu_half();
  const size_t sizes[] = {0, 1, half - 1, half, half + 1, 2 * half, 2 * half + 5, 5 * half + 3};
  ck_assert_int_eq(host_gpu_staged(), 0);
  for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
    const size_t n = sizes[i / 2];
    unsigned char *from = malloc(n + 1), *device = calloc(n + 1, 1), *to = calloc(n + 1, 1);
    ck_assert(from && device && to);
    fill(from, n, (unsigned)i);
    ck_assert_int_eq(host_gpu_upload(0, device, from, n), 0);
    memset(from, 0, n);
    if (i % 2) {
      ck_assert_int_eq(host_gpu_left(0) > 0, n > 0);
      ck_assert_int_eq(host_gpu_wait(0), 0);
    }
    fill(from, n, (unsigned)i);
    ck_assert(!(i % 2) || (memcmp(device, from, n) == 0 && device[n] == 0));
    ck_assert_int_eq(host_gpu_download(0, to, device, n), 0);
    ck_assert(memcmp(to, from, n) == 0 && to[n] == 0);
    ck_assert_int_eq(host_gpu_left(0), 0);
    free(from);
    free(device);
    free(to);
  }
  host_gpu_give_back();
}
END_TEST

/* Nobody waits for what is on the other stream; small ones after each other wait when the halves are full. */
START_TEST(two_streams)
{
  enum { N = 5 };
  unsigned char from[N] = {1, 2, 3, 4, 5}, a[N], b[2] = {0}, to[N];
  ck_assert_int_eq(host_gpu_staged(), 0);
  for (int i = 0; i < N; i++) {
    ck_assert_int_eq(host_gpu_upload(0, a + i, from + i, 1), 0);
    from[i] = 0;
    ck_assert_int_eq(host_gpu_left(0), i < 2 ? i + 1 : 2);
  }
  ck_assert_int_eq(host_gpu_upload(1, b, &(char){7}, 1), 0);
  ck_assert_int_eq(host_gpu_download(1, to, b, 2), 0);
  ck_assert(to[0] == 7 && to[1] == 0);
  ck_assert_int_eq(host_gpu_left(0), 2);
  ck_assert_int_eq(host_gpu_download(0, to, a, N), 0);
  for (int i = 0; i < N; i++)
    ck_assert_int_eq(to[i], i + 1);
  host_gpu_give_back();
}
END_TEST

/* Each call of CUDA fails in turn: it is told, and the next copy is right. */
START_TEST(a_copy_fails)
{
  const size_t n = 3 * host_gpu_half() + 7;
  unsigned char *from = malloc(n), *device = malloc(n), *to = malloc(n);
  ck_assert(from && device && to);
  ck_assert_int_eq(host_gpu_staged(), 0);
  for (int up = 0, calls = 0; up < 2; up++, calls = 0) {
    for (int going = 1; going; calls++) {
      fill(from, n, 1);
      host_gpu_fail(calls);
      int e = up ? host_gpu_upload(0, device, from, n) : host_gpu_download(0, to, from, n);
      going = host_gpu_failed();
      host_gpu_fail(-1);
      ck_assert_int_eq(e != 0, going);
      ck_assert_int_eq(host_gpu_left(0) > 0, up && !going); /* an error leaves nothing */
      memset(to, 0, n);
      ck_assert_int_eq(host_gpu_upload(0, device, from, n), 0);
      memset(from, 0, n);
      ck_assert_int_eq(host_gpu_download(0, to, device, n), 0);
      fill(from, n, 1);
      ck_assert(memcmp(to, from, n) == 0);
      ck_assert_int_eq(host_gpu_wait(0), 0);
    }
    ck_assert_int_ge(calls, 12);
  }
  free(from);
  free(device);
  free(to);
  host_gpu_give_back();
}
END_TEST

START_TEST(none_to_be_had)
{
  host_gpu_fail(_i); /* two events, and the memory */
  ck_assert_int_ne(host_gpu_staged(), 0);
  host_gpu_fail(-1);
  ck_assert_int_ne(host_gpu_staged(), 0); /* it is not asked for again */
}
END_TEST

/* ---- graphs ---- */

static void launches(const pm_graph *g, int a, int b, int c)
{
  int got[9];
  host_gpu_launch(g, got);
  ck_assert(got[0] == a && got[1] == b && got[2] == c && got[3] == 0);
}

static pm_graph *of_three(void)
{
  pm_graph *g = host_gpu_graph(3);
  ck_assert_ptr_nonnull(g);
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(host_gpu_capture(g, i, 10 + i, 1 + i), 0);
  return g;
}

START_TEST(parts_take_their_places)
{
  pm_graph *g = of_three();
  ck_assert_int_eq(host_gpu_ready(g), 0);
  launches(g, 1, 2, 3);
  ck_assert_int_eq(host_gpu_capture(g, 1, 11, 7), 0);
  launches(g, 1, 2, 3); /* until it is made ready */
  ck_assert_int_eq(host_gpu_ready(g), 0);
  launches(g, 1, 7, 3);
  ck_assert_int_eq(host_gpu_instantiated(), 1);
  ck_assert_int_eq(host_gpu_updated(), 1);
  ck_assert_int_eq(host_gpu_capture(g, 2, 99, 8), 0); /* another kernel: anew */
  ck_assert_int_eq(host_gpu_capture(g, 0, 10, 9), 0);
  ck_assert_int_eq(host_gpu_capture(NULL, 0, 1, 1), 0);
  ck_assert_int_eq(host_gpu_ready(g), 0);
  launches(g, 9, 7, 8);
  ck_assert_int_eq(host_gpu_instantiated(), 2);
  ck_assert_int_eq(host_gpu_capture(g, 1, 11, 5), 0);
  ck_assert_int_eq(host_gpu_ready(g), 0);
  launches(g, 9, 5, 8);
  ck_assert_int_eq(host_gpu_instantiated(), 2);
  ck_assert_int_eq(host_gpu_updated(), 3); /* and part 0, before part 2 could not */
  host_gpu_drop(g);
  host_gpu_drop(NULL);
  ck_assert_int_eq(host_gpu_live(), 0);
}
END_TEST

/* Each call of CUDA fails in turn; what is made ready then has what was captured last, or is dropped. */
START_TEST(a_graph_fails)
{
  for (int n = 0, going = 1; going; n++) {
    pm_graph *g = of_three();
    host_gpu_fail(n);
    int e = host_gpu_ready(g);
    e = e ? e : host_gpu_capture(g, 0, 10, 4);
    e = e ? e : host_gpu_capture(g, 2, 98, 6);
    e = e ? e : host_gpu_ready(g);
    going = host_gpu_failed();
    host_gpu_fail(-1);
    ck_assert(going || !e);
    if (!e)
      launches(g, 4, 2, 6);
    ck_assert_int_eq(host_gpu_capture(g, 0, 10, 5), 0);
    ck_assert_int_eq(host_gpu_capture(g, 2, 97, 7), 0);
    ck_assert_int_eq(host_gpu_ready(g), 0);
    launches(g, 5, 2, 7);
    host_gpu_drop(g);
    ck_assert_int_eq(host_gpu_live(), 0);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("host_gpu");
  TCase *t = tcase_create("copies");
  tcase_set_timeout(t, 60);
  suite_add_tcase(s, t);
  tcase_add_test(t, there_and_back);
  tcase_add_test(t, two_streams);
  tcase_add_test(t, a_copy_fails);
  tcase_add_loop_test(t, none_to_be_had, 0, 3);
  TCase *g = tcase_create("graphs");
  suite_add_tcase(s, g);
  tcase_add_test(g, parts_take_their_places);
  tcase_add_test(g, a_graph_fails);
  return aid_main(s);
}
