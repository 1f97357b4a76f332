/* linear on the simulator: its strict order to the bit, empty dims, and what is refused. What holds of
 * every op's arguments is in test_launch.c. */
#include "device.h"

#include <math.h>
#include <string.h>

/* One chain of fused multiply-adds in the order of the inner index, then b. */
static void strict(int rows, int in, int out, const char *variant)
{
  float *x = numbered(rows * in, 1), *w = numbered(out * in, 5), *b = numbered(out, 9);
  float *y = filled(rows * out + 1, POISON);
  pm_exec ex = {.variant = variant};
  done(pm_sim.linear(&ex, rows, in, out, x, w, b, y));
  for (int r = 0; r < rows; r++)
    for (int o = 0; o < out; o++) {
      float chain = 0;
      for (int i = 0; i < in; i++)
        chain = fmaf(x[r * in + i], w[o * in + i], chain);
      chain = chain + b[o];
      ck_assert_msg(memcmp(&chain, y + r * out + o, sizeof chain) == 0,
                    "%d x %d x %d, %s: y[%d,%d] = %a, must be %a", rows, in, out, ex.ran, r, o,
                    (double)y[r * out + o], (double)chain);
    }
  ck_assert(poisoned(y + rows * out, 1));
  pm_sim.free(x);
  pm_sim.free(w);
  pm_sim.free(b);
  pm_sim.free(y);
}

START_TEST(one_chain_then_the_bias)
{
  static const int size[][3] = {{1, 1, 1},    {1, 0, 3},    {3, 0, 1},   {1, 67, 31},
                                {7, 13, 1},   {1, 64, 32},  {8, 64, 32}, {9, 65, 33},
                                {16, 36, 32}, {17, 31, 36}, {40, 64, 8}, {41, 33, 31},
                                {63, 32, 65}, {65, 68, 36}, {128, 20, 4}};
  for (size_t i = 0; i < sizeof size / sizeof *size; i++)
    strict(size[i][0], size[i][1], size[i][2], NULL);
  strict(132, 20, 124, "tile128");
  strict(4, 4, 132, "tile128");
}
END_TEST

/* x = (2, 3) of 0 .. 5, w the same, b = 0, 1; and g = 0 .. 3. */
START_TEST(by_hand)
{
  device d = device_begin();
  done(pm_sim.linear(&d.ex, 2, 3, 2, d.x, d.x, d.x, d.y));
  ck_assert(device_is(d.y, 4, (float[]){0 + 1 + 4, 0 + 4 + 10 + 1, 0 + 4 + 10, 9 + 16 + 25 + 1}));
  device_end(&d);
  d = device_begin();
  done(pm_sim.linear_vjp(&d.ex, 0, 2, 3, 2, d.x, d.x, d.x, d.y, d.y + 6, d.y + 12));
  ck_assert(device_is(d.y, 14,
                      (float[]){3, 4, 5, 9, 14, 19,  /* dx */
                                6, 8, 10, 9, 13, 17, /* dw */
                                2, 4}));
  for (int i = 0; i < 14; i++)
    d.y[i] = 100;
  done(pm_sim.linear_vjp(&d.ex, 1, 2, 3, 2, d.x, d.x, d.x, d.y, d.y + 6, d.y + 12));
  ck_assert(device_is(
      d.y, 14, (float[]){103, 104, 105, 109, 114, 119, 106, 108, 110, 109, 113, 117, 102, 104}));
  device_end(&d);
}
END_TEST

/* Of no inner index y is b, of no row there is nothing but zeros in dw and db. */
START_TEST(nothing)
{
  device d = device_begin();
  done(pm_sim.linear(&d.ex, 2, 0, 3, NULL, NULL, d.x + 4, d.y));
  ck_assert(device_is(d.y, 6, (float[]){4, 5, 6, 4, 5, 6}));
  device_end(&d);
  d = device_begin();
  done(pm_sim.linear(&d.ex, 0, 3, 2, NULL, d.x, d.x, NULL));
  done(pm_sim.linear(&d.ex, 2, 3, 0, d.x, NULL, NULL, NULL));
  done(pm_sim.linear_vjp(&d.ex, 0, 0, 2, 3, NULL, d.x, NULL, NULL, d.y, d.y + 6));
  ck_assert(device_is(d.y, 9, (float[]){0, 0, 0, 0, 0, 0, 0, 0, 0}));
  done(pm_sim.linear_vjp(&d.ex, 1, 0, 2, 3, NULL, d.x, NULL, NULL, d.x + 10, d.x + 20));
  ck_assert(d.x[10] == 10 && d.x[15] == 15 && d.x[20] == 20 && d.x[22] == 22);
  device_end(&d);
}
END_TEST

START_TEST(refusals)
{
  device d = device_begin();
  const int64_t half = (int64_t)1 << 31, tall[] = {1 << 20, 1, 1};
  device_refused(&d, pm_sim.linear(&d.ex, -1, 2, 2, d.x, d.x, d.x, d.y), "rows = -1", ">= 0");
  device_refused(&d, pm_sim.linear(&d.ex, 2, 2, -2, d.x, d.x, d.x, d.y), "out = -2", ">= 0");
  device_refused(&d, pm_sim.linear(&d.ex, half, half, 1, d.x, d.x, d.x, d.y), "rows*in", "2^60-1");
  device_refused(&d, pm_sim.linear(&d.ex, 1, half, half, d.x, d.x, d.x, d.y), "out*in", "2^60-1");
  device_refused(&d, pm_sim.linear(&d.ex, 2, 2, 2, d.x, d.x, NULL, d.y), "b = NULL", "");
  device_refused(&d, pm_sim.linear(&d.ex, 2, 2, 2, d.x, d.y + 3, d.x, d.y), "w", "y");
  device_refused(&d, pm_sim.linear_vjp(&d.ex, 2, 1, 1, 1, d.x, d.x, d.x, d.y, d.y + 1, d.y + 2),
                 "accumulate = 2", "");
  device_refused(&d, pm_sim.linear_vjp(&d.ex, 0, 1, 1, 1, d.x, d.x, d.x, d.y, d.y, d.y + 2), "dx",
                 "dw");
  ck_assert_uint_gt(pm_sim.workspace("linear_vjp", tall), DEVICE_N * sizeof(float));
  device_refused(&d,
                 pm_sim.linear_vjp(&d.ex, 0, tall[0], 1, 1, d.x, d.x, d.x, d.y, d.y + 1, d.y + 2),
                 "work", "");
  device_end(&d);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("linear");
  TCase *t = tcase_create("linear");
  suite_add_tcase(s, t);
  tcase_set_timeout(t, 60);
  tcase_add_test(t, one_chain_then_the_bias);
  tcase_add_test(t, by_hand);
  tcase_add_test(t, nothing);
  tcase_add_test(t, refusals);
  return aid_main(s);
}
