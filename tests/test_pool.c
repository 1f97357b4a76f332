/* avg_pool, max_pool, smooth_max_pool and their VJPs on the simulator: the rules of their arguments, how many windows
 * there are, every element beside the definition written with indices, and avg_pool's VJP as the transpose. What holds
 * of every op is in test_launch.c. */
#include "../ref/window.h"
#include "device.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define S (const int64_t[])
#define ONES \
  S { 1, 1, 1, 1, 1, 1, 1, 1, 1 }
#define NONE \
  S { 0, 0, 0, 0, 0, 0, 0, 0, 0 }

START_TEST(arguments)
{
  device d = device_begin();
  const int64_t huge = (int64_t)1 << 60;
#define POOL(...) pm_sim.avg_pool(&d.ex, __VA_ARGS__, d.x, d.y)
  device_refused(&d, POOL(-1, 1, S{3}, S{2}, ONES, NONE, ONES), "lines = -1", ">= 0");
  device_refused(&d, POOL(1, 0, S{3}, S{2}, ONES, NONE, ONES), "rank = 0", "from 1 to 8");
  device_refused(&d, POOL(1, 9, ONES, ONES, ONES, NONE, ONES), "rank = 9", "from 1 to 8");
  device_refused(&d, POOL(1, 1, NULL, S{2}, ONES, NONE, ONES), "shape = NULL", "1 numbers");
  device_refused(&d, POOL(1, 1, S{3}, NULL, ONES, NONE, ONES), "kernel = NULL", "1 numbers");
  device_refused(&d, POOL(1, 1, S{3}, S{2}, NULL, NONE, ONES), "stride = NULL", "1 numbers");
  device_refused(&d, POOL(1, 1, S{3}, S{2}, ONES, NULL, ONES), "pad = NULL", "1 numbers");
  device_refused(&d, POOL(1, 1, S{3}, S{2}, ONES, NONE, NULL), "dilation = NULL", "1 numbers");
  device_refused(&d, POOL(1, 1, S{-3}, S{2}, ONES, NONE, ONES), "shape[0] = -3", "from 0");
  device_refused(&d, POOL(1, 2, S{3, huge}, S{2, 2}, ONES, NONE, ONES), "shape[1]", "from 0");
  device_refused(&d, POOL(1, 1, S{3}, S{0}, ONES, NONE, ONES), "kernel[0] = 0", "from 1");
  device_refused(&d, POOL(1, 2, S{3, 3}, S{2, 2}, S{1, 0}, NONE, ONES), "stride[1] = 0", "from 1");
  device_refused(&d, POOL(1, 1, S{3}, S{2}, S{-1}, NONE, ONES), "stride[0] = -1", "from 1");
  device_refused(&d, POOL(1, 1, S{3}, S{2}, ONES, S{-1}, ONES), "pad[0] = -1", "from 0 to 1");
  device_refused(&d, POOL(1, 1, S{3}, S{3}, ONES, S{2}, ONES), "pad[0] = 2", "from 0 to 1");
  device_refused(&d, POOL(1, 1, S{3}, S{2}, ONES, NONE, NONE), "dilation[0] = 0", "from 1");
  device_refused(&d, POOL(1, 2, S{huge / 2, 4}, S{2, 2}, ONES, NONE, ONES), "shape", "2^60-1");
  device_refused(&d, POOL(4, 1, S{huge / 2}, S{2}, ONES, NONE, ONES), "lines", "");
  device_refused(&d, POOL(1, 2, S{3, 3}, S{huge / 2, 4}, ONES, NONE, ONES), "kernel", "2^60-1");
  device_refused(&d, pm_sim.avg_pool(&d.ex, 1, 1, S{3}, S{2}, ONES, NONE, ONES, d.y, d.y), "y",
                 "x");
  device_refused(&d, pm_sim.avg_pool_vjp(&d.ex, 2, 1, 1, S{3}, S{2}, ONES, NONE, ONES, d.x, d.y),
                 "accumulate = 2", "0 or 1");
  /* no lines, an axis of no cells, a window that does not fit: nothing to do */
  done(POOL(0, 1, S{3}, S{2}, ONES, NONE, ONES));
  done(POOL(2, 2, S{3, 0}, S{2, 2}, ONES, S{1, 1}, ONES));
  done(POOL(2, 1, S{3}, S{4}, ONES, NONE, ONES));
  done(POOL(2, 1, S{3}, S{2}, ONES, S{1}, S{((int64_t)1 << 32) + 1}));
  ck_assert(device_is(d.y, 0, NULL));
#undef POOL
  device_end(&d);
}
END_TEST

START_TEST(values)
{
  device d = device_begin();
  done(pm_sim.avg_pool(&d.ex, 1, 1, S{4}, S{2}, S{2}, NONE, ONES, d.x, d.y));
  ck_assert(device_is(d.y, 2, (float[]){0.5f, 2.5f}));
  device_end(&d);
  d = device_begin(); /* padding counts */
  done(pm_sim.avg_pool(&d.ex, 2, 1, S{3}, S{2}, ONES, S{1}, ONES, d.x, d.y));
  ck_assert(device_is(d.y, 8, (float[]){0, 0.5f, 1.5f, 1, 1.5f, 3.5f, 4.5f, 2.5f}));
  device_end(&d);
  d = device_begin(); /* two axes; the taps of a column are two rows apart */
  done(pm_sim.avg_pool(&d.ex, 1, 2, S{3, 3}, S{2, 2}, ONES, NONE, S{2, 1}, d.x, d.y));
  ck_assert(device_is(d.y, 2, (float[]){3.5f, 4.5f}));
  device_end(&d);
  d = device_begin(); /* a cell that no window reads, and one that two read */
  done(pm_sim.avg_pool_vjp(&d.ex, 0, 1, 1, S{6}, S{2}, S{2}, NONE, S{2}, d.x, d.y));
  ck_assert(device_is(d.y, 6, (float[]){0, 0, 0.5f, 0, 0.5f, 0}));
  done(pm_sim.avg_pool_vjp(&d.ex, 1, 1, 1, S{6}, S{2}, S{2}, NONE, S{2}, d.x, d.y));
  ck_assert(device_is(d.y, 6, (float[]){0, 0, 1, 0, 1, 0}));
  device_end(&d);
  d = device_begin(); /* a window of all axes; NaN and infinities */
  d.x[1] = INFINITY, d.x[5] = NAN, d.x[9] = -INFINITY, d.x[10] = INFINITY;
  done(pm_sim.avg_pool(&d.ex, 4, 2, S{2, 2}, S{2, 2}, ONES, NONE, ONES, d.x, d.y));
  ck_assert(isinf(d.y[0]) && d.y[0] > 0 && isnan(d.y[1]) && isnan(d.y[2]) && d.y[3] == 13.5f);
  device_end(&d);
}
END_TEST

START_TEST(largest)
{
  device d = device_begin();
  float *tap = filled(DEVICE_N, POISON);
#define POOL(...) pm_sim.max_pool(&d.ex, __VA_ARGS__, d.x, d.y, tap)
  device_refused(&d, POOL(1, 1, S{3}, S{3}, ONES, S{2}, ONES), "pad[0] = 2", "from 0 to 1");
  device_refused(&d, POOL(1, 1, S{3}, S{(1 << 24) + 1}, ONES, NONE, ONES), "taps", "2^24");
  device_refused(&d, pm_sim.max_pool(&d.ex, 1, 1, S{3}, S{2}, ONES, NONE, ONES, d.x, d.y, d.y),
                 "tap", "y");
  d.x[0] = -1, d.x[1] = -2, d.x[2] = -2; /* padding, which is 0, is not the largest */
  done(POOL(1, 1, S{3}, S{2}, ONES, S{1}, ONES));
  ck_assert(device_is(d.y, 4, (float[]){-1, -1, -2, -2}));
  ck_assert(device_is(tap, 4, (float[]){1, 0, 0, 0}));
  d.x[0] = 3, d.x[1] = 3, d.x[2] = NAN, d.x[3] = 4, d.x[4] = NAN, d.x[5] = INFINITY;
  done(POOL(3, 1, S{2}, S{2}, ONES, NONE, ONES)); /* a tie; NaN first, and behind a number */
  ck_assert(d.y[0] == 3 && isnan(d.y[1]) && isnan(d.y[2]));
  ck_assert(tap[0] == 0 && tap[1] == 0 && tap[2] == 0);
  done(POOL(1, 2, S{2, 3}, S{2, 3}, ONES, NONE, ONES));
  ck_assert(isnan(d.y[0]) && tap[0] == 2);
  d.x[0] = -0.0f, d.x[1] = 0, d.x[2] = -INFINITY, d.x[3] = -INFINITY;
  done(POOL(2, 1, S{2}, S{2}, ONES, NONE, ONES));
  ck_assert(d.y[0] == 0 && signbit(d.y[0]) && d.y[1] == -INFINITY && tap[0] == 0 && tap[1] == 0);
  done(POOL(1, 1, S{3}, S{2}, ONES, S{1}, S{4})); /* both taps read padding */
  ck_assert(d.y[0] == -INFINITY && tap[0] == -1);
#undef POOL
  /* what is no tap's number, or that of padding, goes nowhere */
  tap[0] = 1, tap[1] = 0, tap[2] = 0.5f, tap[3] = NAN, tap[4] = 2, tap[5] = -1;
  for (int i = 0; i < 6; i++)
    d.x[i] = (float)(1 << i), d.y[i] = 0;
  done(pm_sim.max_pool_vjp(&d.ex, 0, 1, 1, S{5}, S{2}, ONES, S{1}, ONES, tap, d.x, d.y));
  ck_assert(d.y[0] == 1 + 2 && d.y[1] == 0 && d.y[2] == 0 && d.y[3] == 0 && d.y[4] == 0);
  pm_sim.free(tap);
  device_end(&d);
}
END_TEST

/* ln(sum of exp(beta v)) / beta: by hand, at the ends of f32, and what is refused. */
START_TEST(smooth)
{
  device d = device_begin();
#define POOL(beta, ...) pm_sim.smooth_max_pool(&d.ex, __VA_ARGS__, beta, d.x, d.y)
  device_refused(&d, POOL(0.0f, 1, 1, S{3}, S{2}, ONES, NONE, ONES), "beta = 0", "not 0");
  device_refused(&d, POOL(-0.0f, 1, 1, S{3}, S{2}, ONES, NONE, ONES), "beta = -0", "not 0");
  device_refused(&d, POOL(NAN, 1, 1, S{3}, S{2}, ONES, NONE, ONES), "beta", "finite");
  device_refused(&d, POOL(-INFINITY, 1, 1, S{3}, S{2}, ONES, NONE, ONES), "beta = -inf", "finite");
  device_refused(&d, POOL(1.0f, 1, 1, S{3}, S{3}, ONES, S{2}, ONES), "pad[0] = 2", "from 0 to 1");
  device_refused(&d,
                 pm_sim.smooth_max_pool_vjp(&d.ex, 0, 1, 1, S{3}, S{2}, ONES, NONE, ONES, 0.0f, d.x,
                                            d.x, d.x, d.y),
                 "beta = 0", "not 0");
  const float ln2 = 0.693147182f, far = 3e38f;
  d.x[0] = 5, d.x[1] = 5, d.x[2] = far, d.x[3] = -far, d.x[4] = -far, d.x[5] = -far;
  done(POOL(4.0f, 3, 1, S{2}, S{2}, ONES, NONE, ONES)); /* of n equals: ln(n) / beta more */
  ck_assert(device_is(d.y, 3, (float[]){5 + ln2 / 4, far, -far}));
  done(POOL(-1000.0f, 3, 1, S{2}, S{2}, ONES, NONE, ONES));
  ck_assert(device_is(d.y, 3, (float[]){5 - ln2 / 1000, -far, -far}));
  d.x[0] = -200,
  d.x[1] = -200; /* padding is 0: far above, or for beta < 0 far below of no weight */
  done(POOL(1.0f, 1, 1, S{2}, S{2}, S{2}, S{1}, ONES));
  ck_assert(d.y[0] == 0 && d.y[1] == 0);
  done(POOL(-1.0f, 1, 1, S{2}, S{2}, S{2}, S{1}, ONES));
  ck_assert(d.y[0] == -200 && d.y[1] == -200);
  done(POOL(1.0f, 1, 1, S{3}, S{2}, ONES, S{1}, S{4})); /* all taps read padding */
  ck_assert(d.y[0] == ln2);
  d.x[0] = INFINITY, d.x[1] = INFINITY, d.x[2] = -INFINITY, d.x[3] = -INFINITY, d.x[4] = NAN;
  done(POOL(1.0f, 4, 1, S{2}, S{2}, ONES, NONE, ONES));
  ck_assert(d.y[0] == INFINITY && d.y[1] == -INFINITY && isnan(d.y[2]) && isfinite(d.y[3]));
  done(POOL(1.0f, 1, 1, S{3}, S{2}, S{2}, S{1}, ONES)); /* beside padding */
  ck_assert(d.y[0] == INFINITY && d.y[1] == INFINITY);
#undef POOL
  device_end(&d);
}
END_TEST

/* How many windows there are, counted one by one; at the limits, where sums and products of 64 bits
 * would overflow. */
START_TEST(windows)
{
  const idx most = WINDOW_MOST, half = most / 2;
  for (idx n = 0; n < 12; n++)
    for (idx k = 1; k < 7; k++)
      for (idx s = 1; s < 5; s++)
        for (idx p = 0; p < 4; p++)
          for (idx w = 1; w < 5; w++) {
            idx count = 0;
            for (idx at = -p; n > 0 && at + (k - 1) * w < n + p; at += s)
              count++;
            ck_assert_int_eq(window_out(n, k, s, p, w), count);
          }
  ck_assert_int_eq(window_out(most, 1, 1, most, 1), 3 * most);
  ck_assert_int_eq(window_out(most, most, 1, half, 1), 2 * half + 1);
  ck_assert_int_eq(window_out(most, most, 1, half, most), 0);
  ck_assert_int_eq(window_out(most, 2, 1, 0, most), 0);
  ck_assert_int_eq(window_out(most, 2, 1, 0, most - 1), 1);
  ck_assert_int_eq(window_out(most, 1, most, 0, most), 1);
  ck_assert_int_eq(window_out(1, ((idx)1 << 32) + 1, 1, 0, (idx)1 << 32), 0);
}
END_TEST

/* ---- beside the definition: index by index, of tensors of any rank ---- */

enum { CELLS = 4096, RANK = 8 };
typedef struct problem {
  int lines, rank;
  int64_t size[RANK], kernel[RANK], stride[RANK], pad[RANK], dilation[RANK], out[RANK];
  int64_t cells, outs, taps;
} problem;

static int64_t below(int64_t n) { return rand() % n; }

/* Taps are a power of two, so that a quotient by them is exact. */
static problem drawn(int rank)
{
  problem p = {.lines = 1 + (int)below(3), .rank = rank, .cells = 1, .outs = 1, .taps = 1};
  for (int e = 0; e < rank; e++) {
    p.kernel[e] = 1 << below(p.taps < 32 ? 3 : 1);
    p.size[e] = 1 + below(rank > 3 ? 3 : 9);
    p.stride[e] = 1 + below(4);
    p.pad[e] = below(p.kernel[e] / 2 + 1);
    p.dilation[e] = 1 + below(3);
    p.out[e] = window_out(p.size[e], p.kernel[e], p.stride[e], p.pad[e], p.dilation[e]);
    p.cells *= p.size[e], p.outs *= p.out[e], p.taps *= p.kernel[e];
  }
  return p;
}

/* The next multi-index in row-major order; 0 after the last. */
static int next(int rank, const int64_t *size, int64_t *at)
{
  for (int e = rank - 1; e >= 0; e--) {
    if (++at[e] < size[e])
      return 1;
    at[e] = 0;
  }
  return 0;
}

/* The cell that tap u of output t reads; -1 where that is padding. */
static int64_t cell_of(const problem *p, const int64_t *t, const int64_t *u)
{
  int64_t cell = 0;
  for (int e = 0; e < p->rank && cell >= 0; e++) {
    int64_t c = t[e] * p->stride[e] + u[e] * p->dilation[e] - p->pad[e];
    cell = c < 0 || c >= p->size[e] ? -1 : cell * p->size[e] + c;
  }
  return cell;
}

/* y += sum over the taps of x, or back: x += that of y. */
static void define(const problem *p, int back, float *x, float *y)
{
  int64_t t[RANK] = {0}, at = 0;
  if (p->outs == 0)
    return;
  do {
    int64_t u[RANK] = {0};
    do {
      int64_t cell = cell_of(p, t, u);
      if (cell >= 0 && back)
        x[cell] += y[at];
      else if (cell >= 0)
        y[at] += x[cell];
    } while (next(p->rank, p->kernel, u));
    at++;
  } while (next(p->rank, p->out, t));
}

/* The largest of x, the first of equals, and the number of its tap; back: x += y where `tap` says. */
static void define_max(const problem *p, int back, float *x, float *y, float *tap)
{
  int64_t t[RANK] = {0}, at = 0;
  if (p->outs == 0)
    return;
  do {
    int64_t u[RANK] = {0}, n = 0;
    y[at] = back ? y[at] : -INFINITY;
    tap[at] = back ? tap[at] : -1;
    do {
      int64_t cell = cell_of(p, t, u);
      if (back && cell >= 0 && tap[at] == (float)n)
        x[cell] += y[at];
      if (!back && cell >= 0 && (tap[at] < 0 || x[cell] > y[at]))
        y[at] = x[cell], tap[at] = (float)n;
      n++;
    } while (next(p->rank, p->kernel, u));
    at++;
  } while (next(p->rank, p->out, t));
}

/* x has many ties. */
static void compare_max(const problem *p, float *x, float *y, float *got, float *want)
{
  pm_exec ex = {0};
  int64_t nx = p->lines * p->cells, ny = p->lines * p->outs;
  float *tap = filled(CELLS, 0), *want_tap = filled(CELLS, 0);
  done(pm_sim.max_pool(&ex, p->lines, p->rank, p->size, p->kernel, p->stride, p->pad, p->dilation,
                       x, got, tap));
  for (int l = 0; l < p->lines; l++)
    define_max(p, 0, x + l * p->cells, want + l * p->outs, want_tap + l * p->outs);
  for (int64_t i = 0; i < ny; i++)
    ck_assert(got[i] == want[i] && tap[i] == want_tap[i]);
  memset(want, 0, (size_t)nx * sizeof *want);
  done(pm_sim.max_pool_vjp(&ex, 0, p->lines, p->rank, p->size, p->kernel, p->stride, p->pad,
                           p->dilation, tap, y, got));
  for (int l = 0; l < p->lines; l++)
    define_max(p, 1, want + l * p->cells, y + l * p->outs, tap + l * p->outs);
  for (int64_t i = 0; i < nx; i++)
    ck_assert(got[i] == want[i]);
  pm_sim.free(tap), pm_sim.free(want_tap);
}

/* ln(sum of exp(beta x)) / beta, in f64; back: x += y by exp(beta (x - pooled)). */
static void define_smooth(const problem *p, double beta, int back, const float *x, float *pooled,
                          const float *y, double *dx)
{
  int64_t t[RANK] = {0}, at = 0;
  if (p->outs == 0)
    return;
  do {
    int64_t u[RANK] = {0};
    double sum = 0;
    do {
      int64_t cell = cell_of(p, t, u);
      double v = cell < 0 ? 0 : x[cell];
      if (back && cell >= 0)
        dx[cell] += y[at] * exp(beta * (v - pooled[at]));
      sum += exp(beta * v);
    } while (next(p->rank, p->kernel, u));
    if (!back)
      pooled[at] = (float)(log(sum) / beta);
    at++;
  } while (next(p->rank, p->out, t));
}

static void compare_smooth(const problem *p, double beta, const float *x, const float *y,
                           float *got, float *want)
{
  pm_exec ex = {0};
  int64_t nx = p->lines * p->cells, ny = p->lines * p->outs;
  double *dx = calloc((size_t)nx + 1, sizeof *dx);
  done(pm_sim.smooth_max_pool(&ex, p->lines, p->rank, p->size, p->kernel, p->stride, p->pad,
                              p->dilation, (float)beta, x, got));
  for (int l = 0; l < p->lines; l++)
    define_smooth(p, beta, 0, x + l * p->cells, want + l * p->outs, NULL, NULL);
  for (int64_t i = 0; i < ny; i++)
    ck_assert_msg(fabs((double)got[i] - want[i]) <= 1e-5, "y[%d] is %g, must be %g", (int)i,
                  (double)got[i], (double)want[i]);
  done(pm_sim.smooth_max_pool_vjp(&ex, 0, p->lines, p->rank, p->size, p->kernel, p->stride, p->pad,
                                  p->dilation, (float)beta, x, want, y, got));
  for (int l = 0; l < p->lines; l++)
    define_smooth(p, beta, 1, x + l * p->cells, want + l * p->outs, y + l * p->outs,
                  dx + l * p->cells);
  for (int64_t i = 0; i < nx; i++)
    ck_assert_msg(fabs(got[i] - dx[i]) <= 1e-3, "dx[%d] is %g, must be %g", (int)i, (double)got[i],
                  dx[i]);
  free(dx);
}

static void compare(const problem *p, float *x, float *y, float *got, float *want)
{
  pm_exec ex = {0};
  int64_t nx = p->lines * p->cells, ny = p->lines * p->outs;
  double forth = 0, back = 0;
  for (int64_t i = 0; i < nx; i++)
    x[i] = (float)(below(17) - 8);
  memset(want, 0, (size_t)ny * sizeof *want);
  done(pm_sim.avg_pool(&ex, p->lines, p->rank, p->size, p->kernel, p->stride, p->pad, p->dilation,
                       x, got));
  for (int l = 0; l < p->lines; l++)
    define(p, 0, x + l * p->cells, want + l * p->outs);
  for (int64_t i = 0; i < ny; i++)
    ck_assert(got[i] == want[i] / (float)p->taps);
  for (int64_t i = 0; i < ny; i++) {
    y[i] = (float)(below(17) - 8);
    forth += (double)got[i] * y[i];
  }
  memset(want, 0, (size_t)nx * sizeof *want);
  done(pm_sim.avg_pool_vjp(&ex, 0, p->lines, p->rank, p->size, p->kernel, p->stride, p->pad,
                           p->dilation, y, got));
  for (int l = 0; l < p->lines; l++)
    define(p, 1, want + l * p->cells, y + l * p->outs);
  for (int64_t i = 0; i < nx; i++) {
    ck_assert(got[i] == want[i] / (float)p->taps);
    back += (double)got[i] * x[i];
  }
  ck_assert(forth == back);
}

START_TEST(definition)
{
  float *x = filled(CELLS, 0), *y = filled(CELLS, 0), *got = filled(CELLS, 0);
  float *want = filled(CELLS, 0);
  int tried = 0, none = 0;
  srand(1);
  while (tried < 150) {
    problem p = drawn(_i);
    if (p.lines * p.cells > CELLS || p.lines * p.outs > CELLS || p.outs * p.taps > 1 << 16 ||
        (p.outs == 0 && none > 15))
      continue;
    none += p.outs == 0;
    tried++;
    compare(&p, x, y, got, want);
    compare_max(&p, x, y, got, want);
    compare_smooth(&p, tried % 2 ? 1.5 : -0.5, x, y, got, want);
  }
  pm_sim.free(x), pm_sim.free(y), pm_sim.free(got), pm_sim.free(want);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("pool");
  TCase *t = tcase_create("pool");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, arguments);
  tcase_add_test(t, values);
  tcase_add_test(t, largest);
  tcase_add_test(t, smooth);
  tcase_add_test(t, windows);
  tcase_add_loop_test(t, definition, 1, RANK + 1);
  suite_add_tcase(suite, t);
  return aid_main(suite);
}
