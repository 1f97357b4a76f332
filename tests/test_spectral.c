/* rfft, irfft, spectral_conv1d and their VJPs on the simulator: the rules of their arguments, lengths whose cosines
 * and sines are 0 and 1, where no bit may be off, every element beside the definition, and the VJPs as transposes.
 * What holds of every op is in test_launch.c. */
#include "device.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586476925286766559L

static pm_exec ex;
static float *x, *z, *y, *back, *wre, *wim, *dwre, *dwim;

enum { MOST = 4096 };

static void setup(void)
{
  float **all[] = {&x, &z, &y, &back, &wre, &wim, &dwre, &dwim};
  ck_assert_int_eq(pm_sim.init(), PM_OK);
  memset(&ex, 0, sizeof ex);
  for (int i = 0; i < 8; i++)
    *all[i] = filled(MOST, POISON);
  ex.work_bytes = MOST * sizeof(float);
  ex.work = filled(MOST, POISON);
}

static void teardown(void)
{
  float *all[] = {x, z, y, back, wre, wim, dwre, dwim, ex.work};
  for (int i = 0; i < 9; i++)
    pm_sim.free(all[i]);
}

static void whole(float *to, int n)
{
  for (int i = 0; i < n; i++)
    to[i] = (float)(rand() % 17 - 8);
}

static void some(float *to, int n)
{
  for (int i = 0; i < n; i++)
    to[i] = (float)rand() / (float)RAND_MAX - 0.5f;
}

static double dot(const float *a, const float *b, int n)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += (double)a[i] * b[i];
  return s;
}

START_TEST(arguments)
{
  device d = device_begin();
  const int64_t past = ((int64_t)1 << 53) + 1, huge = (int64_t)1 << 60;
  device_refused(&d, pm_sim.rfft(&d.ex, 1, 0, d.x, d.y), "n = 0", "from 1 to 2^53");
  device_refused(&d, pm_sim.rfft(&d.ex, 1, -3, d.x, d.y), "n = -3", "from 1 to 2^53");
  device_refused(&d, pm_sim.rfft(&d.ex, 0, past, d.x, d.y), "n = 9007199254740993", "2^53");
  device_refused(&d, pm_sim.rfft(&d.ex, -1, 4, d.x, d.y), "rows = -1", ">= 0");
  device_refused(&d, pm_sim.rfft(&d.ex, huge, 4, d.x, d.y), "rows", "n");
  device_refused(&d, pm_sim.rfft(&d.ex, 1, 4, d.x, d.x), "z", "x");
  device_refused(&d, pm_sim.irfft(&d.ex, 1, 0, d.x, d.y), "n = 0", "from 1 to 2^53");
  device_refused(&d, pm_sim.irfft(&d.ex, 1, 4, d.y, d.y), "y", "z");
  device_refused(&d, pm_sim.rfft_vjp(&d.ex, 2, 1, 4, d.x, d.y), "accumulate = 2", "0 or 1");
  device_refused(&d, pm_sim.irfft_vjp(&d.ex, -1, 1, 4, d.x, d.y), "accumulate = -1", "0 or 1");
  d.ex.work_bytes = 31;
  device_refused(&d, pm_sim.rfft(&d.ex, 1, 4, d.x, d.y), "work", "32");
  d.ex.work_bytes = DEVICE_N * sizeof(float);
#define CONV(grid, width, modes) \
  pm_sim.spectral_conv1d(&d.ex, grid, width, modes, d.x, d.x, d.x, d.y)
  device_refused(&d, CONV(4, 2, 4), "modes = 4", "at most grid/2 + 1 = 3");
  device_refused(&d, CONV(5, 2, 4), "modes = 4", "at most grid/2 + 1 = 3");
  device_refused(&d, CONV(4, 2, -1), "modes = -1", ">= 0");
  device_refused(&d, CONV(4, -2, 1), "width = -2", ">= 0");
  device_refused(&d, CONV(0, 2, 0), "grid = 0", "from 1 to 2^53");
  device_refused(&d, CONV(4, huge / 2, 1), "width", "");
  device_refused(&d, pm_sim.spectral_conv1d(&d.ex, 4, 1, 1, d.x, NULL, d.x, d.y), "wre", "NULL");
  device_refused(&d, pm_sim.spectral_conv1d(&d.ex, 4, 1, 1, d.x, d.x, d.y, d.y), "y", "wim");
  /* no rows, no columns: nothing to do, and no workspace */
  d.ex.work_bytes = 0, d.ex.work = NULL;
  done(pm_sim.rfft(&d.ex, 0, 4, d.x, d.y));
  done(CONV(4, 0, 3));
#undef CONV
  ck_assert(device_is(d.y, 0, NULL));
  ck_assert_uint_eq(pm_sim.workspace("rfft", (int64_t[]){1, 5}), 40);
  ck_assert_uint_eq(pm_sim.workspace("irfft_vjp", (int64_t[]){1, INT64_MAX}), 0);
  ck_assert_uint_eq(pm_sim.workspace("spectral_conv1d", (int64_t[]){8, 3, 2}), 4 * (16 + 48));
  ck_assert_uint_eq(pm_sim.workspace("spectral_conv1d", (int64_t[]){129, 3, 2}),
                    4 * (260 + 36 + 3 * 12));
  ck_assert_uint_eq(
      pm_sim.workspace("spectral_conv1d", (int64_t[]){INT64_MAX, INT64_MAX, INT64_MAX}), 0);
  device_end(&d);
}
END_TEST

/* cos and sin of jk/n turns, n 1, 2 or 4 */
static int turned(int part, int n, int jk)
{
  static const int sine[] = {0, 1, 0, -1};
  return sine[(4 / n * jk + !part) % 4];
}

/* Integers in, integers out: to the bit. */
START_TEST(lattice)
{
  const int lengths[] = {1, 2, 4}, n = lengths[_i], bins = n / 2 + 1, rows = 5;
  whole(x, rows * n);
  done(pm_sim.rfft(&ex, rows, n, x, z));
  for (int r = 0; r < rows; r++)
    for (int k = 0; k < bins; k++) {
      int re = 0, im = 0;
      for (int j = 0; j < n; j++) {
        re += (int)x[r * n + j] * turned(0, n, j * k);
        im -= (int)x[r * n + j] * turned(1, n, j * k);
      }
      ck_assert(z[2 * (r * bins + k)] == (float)re && z[2 * (r * bins + k) + 1] == (float)im);
    }
  ck_assert(poisoned(z + 2 * rows * bins, MOST - 2 * rows * bins));
  done(pm_sim.irfft(&ex, rows, n, z, y));
  ck_assert_mem_eq(y, x, (size_t)(rows * n) * sizeof *x);
  whole(z, 2 * rows * bins);
  done(pm_sim.rfft_vjp(&ex, 0, rows, n, z, y));
  for (int i = 0; i < rows * n; i++)
    back[i] = 3;
  done(pm_sim.rfft_vjp(&ex, 1, rows, n, z, back));
  for (int r = 0; r < rows; r++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int k = 0; k < bins; k++)
        s += (int)z[2 * (r * bins + k)] * turned(0, n, j * k) -
             (int)z[2 * (r * bins + k) + 1] * turned(1, n, j * k);
      ck_assert(y[r * n + j] == (float)s && back[r * n + j] == (float)(s + 3));
    }
  done(pm_sim.irfft_vjp(&ex, 0, rows, n, x, z));
  for (int r = 0; r < rows; r++)
    for (int k = 0; k < bins; k++) {
      int re = 0, im = 0, w = k == 0 || 2 * k == n ? 1 : 2;
      for (int j = 0; j < n; j++) {
        re += (int)x[r * n + j] * turned(0, n, j * k);
        im -= (int)x[r * n + j] * turned(1, n, j * k);
      }
      ck_assert(z[2 * (r * bins + k)] == (float)(w * re) / (float)n);
      ck_assert(z[2 * (r * bins + k) + 1] == (float)(w * im) / (float)n);
    }
}
END_TEST

static const int LENGTHS[] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 16, 31, 32, 63, 64, 100, 255, 256};
enum { N_LENGTHS = sizeof LENGTHS / sizeof *LENGTHS };

/* Beside the definition in long double; there and back; <rfft x, z> = <x, rfft_vjp z>, and of irfft. */
START_TEST(definition)
{
  const int n = LENGTHS[_i], bins = n / 2 + 1, rows = 3;
  double close = 1e-6 * sqrt(n);
  some(x, rows * n);
  done(pm_sim.rfft(&ex, rows, n, x, z));
  for (int r = 0; r < rows; r++)
    for (int k = 0; k < bins; k++) {
      long double re = 0, im = 0;
      for (int j = 0; j < n; j++) {
        long double t = TURN * (long double)(j * k % n) / n;
        re += x[r * n + j] * cosl(t), im -= x[r * n + j] * sinl(t);
      }
      ck_assert(fabsl(z[2 * (r * bins + k)] - re) <= close);
      ck_assert(fabsl(z[2 * (r * bins + k) + 1] - im) <= close);
      if (k == 0 || 2 * k == n)
        ck_assert(z[2 * (r * bins + k) + 1] == 0);
    }
  done(pm_sim.irfft(&ex, rows, n, z, y));
  for (int i = 0; i < rows * n; i++)
    ck_assert(fabsf(y[i] - x[i]) <= 1e-6f);
  some(y, 2 * rows * bins);
  done(pm_sim.rfft_vjp(&ex, 0, rows, n, y, back));
  ck_assert(fabs(dot(z, y, 2 * rows * bins) - dot(x, back, rows * n)) <= 3 * close);
  done(pm_sim.irfft(&ex, rows, n, y, back));
  done(pm_sim.irfft_vjp(&ex, 0, rows, n, x, z));
  ck_assert(fabs(dot(back, x, rows * n) - dot(y, z, 2 * rows * bins)) <= 3 * close);
}
END_TEST

/* The imaginary parts of the edges have no say, and those of other bins do. */
START_TEST(edges)
{
  for (int n = 1; n <= 6; n++) {
    int bins = n / 2 + 1;
    for (int k = 0; k < bins; k++) {
      for (int i = 0; i < 2 * bins; i++)
        z[i] = (float)i;
      z[2 * k + 1] = NAN;
      done(pm_sim.irfft(&ex, 1, n, z, y));
      done(pm_sim.rfft_vjp(&ex, 0, 1, n, z, back));
      for (int j = 0; j < n; j++)
        ck_assert(!isnan(y[j]) == (k == 0 || 2 * k == n) && isnan(y[j]) == isnan(back[j]));
    }
  }
}
END_TEST

/* A bin of which twice is too large for f32 meets a cosine of 0. */
START_TEST(large)
{
  for (int i = 0; i < 6; i++)
    z[i] = i == 2 ? 0x1.8p127f : 0;
  done(pm_sim.irfft(&ex, 1, 4, z, y));
  ck_assert(y[1] == 0 && y[3] == 0);
}
END_TEST

/* ---- fast ---- */

static float *fast_x, *fast_z, *fast_y;
static pm_exec fast;

static void fast_begin(int n)
{
  ck_assert_int_eq(pm_sim.init(), PM_OK);
  fast_x = filled(3 * n + 1, POISON), fast_y = filled(3 * n + 1, POISON);
  fast_z = filled(3 * (n + 2) + 1, POISON);
  fast = (pm_exec){.work_bytes = pm_sim.workspace("rfft", (int64_t[]){3, n})};
  fast.work = filled((int64_t)(fast.work_bytes / sizeof(float)), POISON);
}
static void fast_end(void)
{
  pm_sim.free(fast_x), pm_sim.free(fast_y), pm_sim.free(fast_z), pm_sim.free(fast.work);
}

/* Lengths from 16 on of which each prime factor but one of 2 is below 11, and no others. */
START_TEST(suited)
{
  for (int n = 1; n <= 300; n++) {
    int m = n % 2 ? n : n / 2;
    for (int p = 2; p < 8; p++)
      while (m % p == 0)
        m /= p;
    fast_begin(n);
    some(fast_x, 3 * n);
    done(pm_sim.rfft(&fast, 3, n, fast_x, fast_z));
    ck_assert_str_eq(fast.ran, n >= 16 && m == 1 ? "fft" : "direct");
    fast_end();
  }
}
END_TEST

/* What both fast variants give is the same to the bit, aligned or not, and near what the definition gives. */
START_TEST(variants)
{
  static const char *const names[] = {"fft", "passes"};
  static const int lengths[] = {16,  18,  20,  21,  24,  28,  30,  32,  40,  42,
                                49,  50,  63,  64,  70,  81,  98,  125, 126, 128,
                                144, 147, 210, 256, 315, 320, 343, 512, 1000};
  for (int i = 0; i < (int)(sizeof lengths / sizeof *lengths); i++) {
    const int n = lengths[i], points = 3 * n, numbers = 3 * 2 * (n / 2 + 1);
    fast_begin(n);
    float *want = filled(numbers, POISON), *first = filled(numbers, POISON);
    for (int op = 0; op < 4; op++) {
      const int ahead = op == 0 || op == 3, many = ahead ? numbers : points;
      some(ahead ? fast_x : fast_z, (ahead ? points : numbers) + 1);
      for (int run = 0; run < 4; run++) { /* the definition; fft; passes; fft, at odd addresses */
        float *from = (ahead ? fast_x : fast_z) + (run == 3), *to = ahead ? fast_z : fast_y;
        fast.variant = run ? names[run == 2] : "direct";
        if (run == 3)
          memmove(from, from - 1, (size_t)(ahead ? points : numbers) * sizeof *from);
        if (op == 0)
          done(pm_sim.rfft(&fast, 3, n, from, to));
        else if (op == 1)
          done(pm_sim.rfft_vjp(&fast, 0, 3, n, from, to));
        else if (op == 2)
          done(pm_sim.irfft(&fast, 3, n, from, to));
        else
          done(pm_sim.irfft_vjp(&fast, 0, 3, n, from, to));
        if (run < 2)
          memcpy(run ? first : want, to, (size_t)many * sizeof *to);
        else
          ck_assert_mem_eq(to, first, (size_t)many * sizeof *to);
      }
      const float close = op < 2 ? 2e-6f * sqrtf((float)n) : 2e-6f / sqrtf((float)n);
      for (int k = 0; k < many; k++)
        ck_assert(fabsf(first[k] - want[k]) <= close);
    }
    pm_sim.free(want), pm_sim.free(first);
    fast_end();
  }
}
END_TEST

/* Rows that are too long for shared memory: a wave is one bin, and comes back. */
START_TEST(long_rows)
{
  static const int lengths[] = {1 << 15, 3 * 5 * 7 * 135, 25200};
  const int n = lengths[_i], k = 1234 % (n / 2), bins = n / 2 + 1;
  fast_begin(n);
  for (int j = 0; j < n; j++) {
    double t = 6.283185307179586 * (double)((long)k * j % n) / n;
    fast_x[j] = (float)cos(t), fast_x[n + j] = (float)sin(t), fast_x[2 * n + j] = j == 5;
  }
  done(pm_sim.rfft(&fast, 3, n, fast_x, fast_z));
  ck_assert_str_eq(fast.ran, "passes");
  for (int b = 0; b < bins; b++) {
    double t = 6.283185307179586 * (double)(5L * b % n) / n, half = n / 2.0;
    ck_assert(fabs(fast_z[2 * b] - (b == k ? half : 0)) < 0.02);
    ck_assert(fabs(fast_z[2 * b + 1]) < 0.02);
    ck_assert(fabs(fast_z[2 * (bins + b)]) < 0.02);
    ck_assert(fabs(fast_z[2 * (bins + b) + 1] + (b == k ? half : 0)) < 0.02);
    ck_assert(fabs(fast_z[2 * (2 * bins + b)] - cos(t)) < 1e-5);
    ck_assert(fabs(fast_z[2 * (2 * bins + b) + 1] + sin(t)) < 1e-5);
  }
  done(pm_sim.irfft(&fast, 3, n, fast_z, fast_y));
  for (int i = 0; i < 3 * n; i++)
    ck_assert(fabsf(fast_y[i] - fast_x[i]) < 1e-5f);
  fast_end();
}
END_TEST

/* ---- spectral_conv1d ---- */

/* Weights of 1 from each channel to itself give the modes that there are: all of x where these are all. */
START_TEST(identity)
{
  for (int grid = 1; grid <= 9; grid++) {
    const int width = 3, bins = grid / 2 + 1;
    some(x, grid * width);
    for (int i = 0; i < bins * width * width; i++)
      wre[i] = i / width % width == i % width, wim[i] = 0;
    done(pm_sim.spectral_conv1d(&ex, grid, width, bins, x, wre, wim, y));
    for (int i = 0; i < grid * width; i++)
      ck_assert(fabsf(y[i] - x[i]) <= 1e-6f);
    done(pm_sim.spectral_conv1d(&ex, grid, width, 1, x, wre, wim, y)); /* the mean */
    for (int c = 0; c < width; c++) {
      double mean = 0;
      for (int j = 0; j < grid; j++)
        mean += x[j * width + c] / grid;
      for (int j = 0; j < grid; j++)
        ck_assert(fabs(y[j * width + c] - mean) <= 1e-6);
    }
    done(pm_sim.spectral_conv1d(&ex, grid, width, 0, x, NULL, NULL, y));
    for (int i = 0; i < grid * width; i++)
      ck_assert(y[i] == 0);
  }
}
END_TEST

/* From one channel to another, by a mode alone: a weight of i is a quarter of a wave earlier. */
START_TEST(channels)
{
  enum { GRID = 8, WIDTH = 2, MODES = 3 };
  for (int i = 0; i < MODES * WIDTH * WIDTH; i++)
    wre[i] = wim[i] = 0;
  wim[(2 * WIDTH + 1) * WIDTH + 0] = 3; /* mode 2, from channel 1 to channel 0 */
  for (int j = 0; j < GRID; j++)
    x[j * WIDTH] = 100, x[j * WIDTH + 1] = (float)(j % 4 == 0) - (float)(j % 4 == 2);
  done(pm_sim.spectral_conv1d(&ex, GRID, WIDTH, MODES, x, wre, wim, y));
  for (int j = 0; j < GRID; j++) { /* 3 Re(i e^(i pi j/2)) */
    const float want[] = {0, -3, 0, 3};
    ck_assert(fabsf(y[j * WIDTH] - want[j % 4]) <= 1e-6f && y[j * WIDTH + 1] == 0);
  }
}
END_TEST

/* Linear in x and in the weights: both gradients give what g gives of y; += adds. */
START_TEST(adjoint)
{
  const int grids[] = {1, 2, 3, 6, 7, 16}, grid = grids[_i];
  for (int width = 1; width <= 3; width++)
    for (int modes = 1; modes <= grid / 2 + 1; modes++) {
      const int nx = grid * width, nw = modes * width * width;
      some(x, nx), some(z, nx), some(wre, nw), some(wim, nw);
      done(pm_sim.spectral_conv1d(&ex, grid, width, modes, x, wre, wim, y));
      double forth = dot(y, z, nx), close = 1e-5 * (1 + fabs(forth));
      done(
          pm_sim.spectral_conv1d_vjp(&ex, 0, grid, width, modes, x, wre, wim, z, back, dwre, dwim));
      ck_assert(fabs(dot(x, back, nx) - forth) <= close);
      ck_assert(fabs(dot(wre, dwre, nw) + dot(wim, dwim, nw) - forth) <= close);
      float was = back[0], dw = dwim[nw - 1];
      done(
          pm_sim.spectral_conv1d_vjp(&ex, 1, grid, width, modes, x, wre, wim, z, back, dwre, dwim));
      ck_assert(back[0] == 2 * was && dwim[nw - 1] == 2 * dw);
    }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("spectral");
  TCase *t = tcase_create("spectral");
  tcase_set_timeout(t, 60);
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, arguments);
  tcase_add_loop_test(t, lattice, 0, 3);
  tcase_add_loop_test(t, definition, 0, N_LENGTHS);
  tcase_add_test(t, edges);
  tcase_add_test(t, large);
  tcase_add_test(t, suited);
  tcase_add_test(t, variants);
  tcase_add_loop_test(t, long_rows, 0, 3);
  tcase_add_test(t, identity);
  tcase_add_test(t, channels);
  tcase_add_loop_test(t, adjoint, 0, 6);
  suite_add_tcase(suite, t);
  return aid_main(suite);
}
