/* conv, conv_transpose and their VJPs on the simulator: the rules of their arguments, the size that a
 * transposed one gives, every element beside the definition written with indices, to the bit, and each as
 * the transpose of the other. What holds of every op is in test_launch.c. */
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
#define CONV(...) pm_sim.conv(&d.ex, __VA_ARGS__, d.x, d.x, d.x, d.y)
#define BACK(...) pm_sim.conv_vjp(&d.ex, __VA_ARGS__, d.x, d.x, d.x, d.y, d.y + 20, d.y + 40)
  device_refused(&d, CONV(-1, 1, 1, 1, 1, S{3}, S{2}, ONES, NONE, ONES), "batch = -1", ">= 0");
  device_refused(&d, CONV(1, 0, 1, 1, 1, S{3}, S{2}, ONES, NONE, ONES), "groups = 0", "");
  device_refused(&d, CONV(1, 1, -2, 1, 1, S{3}, S{2}, ONES, NONE, ONES), "in = -2", ">= 0");
  device_refused(&d, CONV(1, 1, 1, -3, 1, S{3}, S{2}, ONES, NONE, ONES), "out = -3", ">= 0");
  device_refused(&d, CONV(1, 1, 1, 1, 0, S{3}, S{2}, ONES, NONE, ONES), "rank = 0", "from 1 to 8");
  device_refused(&d, CONV(1, 1, 1, 1, 9, ONES, ONES, ONES, NONE, ONES), "rank = 9", "from 1 to 8");
  device_refused(&d, CONV(1, 1, 1, 1, 1, NULL, S{2}, ONES, NONE, ONES), "shape = NULL",
                 "1 numbers");
  device_refused(&d, CONV(1, 1, 1, 1, 1, S{3}, S{2}, ONES, NULL, ONES), "pad = NULL", "1 numbers");
  device_refused(&d, CONV(1, 1, 1, 1, 1, S{-3}, S{2}, ONES, NONE, ONES), "shape[0] = -3", "from 0");
  device_refused(&d, CONV(1, 1, 1, 1, 1, S{3}, S{0}, ONES, NONE, ONES), "kernel[0] = 0", "from 1");
  device_refused(&d, CONV(1, 1, 1, 1, 2, S{3, 3}, S{2, 2}, S{1, 0}, NONE, ONES), "stride[1] = 0",
                 "from 1");
  device_refused(&d, CONV(1, 1, 1, 1, 1, S{3}, S{2}, ONES, S{-1}, ONES), "pad[0] = -1", "from 0");
  device_refused(&d, CONV(1, 1, 1, 1, 1, S{3}, S{2}, ONES, NONE, NONE), "dilation[0] = 0",
                 "from 1");
  device_refused(&d, CONV(8, 1, 1, 1, 1, S{huge / 4}, S{2}, ONES, NONE, ONES), "", "2^60-1");
  device_refused(&d, CONV(1, 8, huge / 4, 0, 1, S{3}, S{2}, ONES, NONE, ONES), "", "2^60-1");
  device_refused(&d, CONV(0, 1, 8, 8, 1, S{3}, S{huge / 8}, ONES, NONE, ONES), "", "2^60-1");
  device_refused(&d, CONV(1, 1, 1, 1, 1, S{3}, S{1}, ONES, S{huge - 1}, ONES), "", "2^60-1");
  device_refused(&d, BACK(2, 1, 1, 1, 1, 1, S{3}, S{2}, ONES, NONE, ONES), "accumulate = 2",
                 "0 or 1");
  device_refused(
      &d, pm_sim.conv(&d.ex, 1, 1, 1, 1, 1, S{3}, S{2}, ONES, NONE, ONES, d.y, d.x, d.x, d.y), "y",
      "x");
  /* no image, no channel to write, an axis of no cells, a window that does not fit: nothing to do */
  done(CONV(0, 1, 1, 1, 1, S{3}, S{2}, ONES, NONE, ONES));
  done(CONV(1, 2, 1, 0, 1, S{3}, S{2}, ONES, NONE, ONES));
  done(CONV(1, 1, 1, 1, 2, S{3, 0}, S{2, 2}, ONES, S{1, 5}, ONES));
  done(CONV(1, 1, 1, 1, 1, S{3}, S{4}, ONES, NONE, ONES));
  done(CONV(1, 1, 1, 1, 1, S{3}, S{2}, ONES, S{1}, S{((int64_t)1 << 32) + 1}));
  ck_assert(device_is(d.y, 0, NULL));
#undef CONV
#undef BACK
  device_end(&d);
}
END_TEST

/* Output padding is below the stride or below the dilation, and the output has elements. */
START_TEST(output_padding)
{
  device d = device_begin();
  const int64_t huge = (int64_t)1 << 60;
#define CONV(...) pm_sim.conv_transpose(&d.ex, 1, 1, 1, 1, 1, __VA_ARGS__, d.x, d.x + 1, d.x, d.y)
  device_refused(&d, CONV(S{2}, S{2}, ONES, NONE, ONES, NULL), "output_pad = NULL", "1 numbers");
  device_refused(&d, CONV(S{2}, S{2}, ONES, NONE, ONES, S{1}), "output_pad[0] = 1", "from 0 to 0");
  device_refused(&d, CONV(S{2}, S{2}, S{3}, NONE, ONES, S{3}), "output_pad[0] = 3", "from 0 to 2");
  device_refused(&d, CONV(S{2}, S{2}, S{3}, NONE, S{5}, S{5}), "output_pad[0] = 5", "from 0 to 4");
  device_refused(&d, CONV(S{2}, S{2}, S{3}, NONE, ONES, S{-1}), "output_pad[0] = -1", "from 0");
  device_refused(&d, CONV(S{2}, S{2}, ONES, S{2}, ONES, NONE), "pad[0] = 2", "from 1 to");
  device_refused(&d, CONV(S{huge / 2}, S{2}, S{3}, NONE, ONES, NONE), "", "from 1 to");
  device_refused(&d, CONV(S{3}, S{huge - 1}, ONES, NONE, S{huge - 1}, NONE), "", "from 1 to");
  /* 0, 1 by 1, 2 and the bias 0: (0, 1, 2), then padded, then cut */
  done(CONV(S{2}, S{2}, ONES, NONE, ONES, NONE));
  ck_assert(device_is(d.y, 3, (float[]){0, 1, 2}));
  done(CONV(S{2}, S{2}, S{2}, NONE, ONES, S{1}));
  ck_assert(device_is(d.y, 5, (float[]){0, 0, 1, 2, 0}));
  done(CONV(S{2}, S{2}, S{2}, S{1}, ONES, S{1}));
  ck_assert(d.y[0] == 0 && d.y[1] == 1 && d.y[2] == 2);
  done(CONV(S{2}, S{2}, ONES, NONE, S{4}, S{3})); /* past the stride: a window more would fit */
  ck_assert(device_is(d.y, 9, (float[]){0, 1, 0, 0, 0, 2, 0, 0, 0}));
  /* no windows: no cells */
  done(pm_sim.conv_transpose(&d.ex, 1, 1, 1, 1, 1, S{0}, S{2}, S{3}, NONE, ONES, S{2}, NULL, d.x,
                             d.x, NULL));
#undef CONV
  device_end(&d);
}
END_TEST

/* What a VJP needs of sizes that no tensor has: nothing, and no number overflows on the way. */
START_TEST(room)
{
  int64_t size[64];
  for (int low = 0; low < 2; low++) {
    for (int i = 0; i < 64; i++)
      size[i] = low ? INT64_MIN : INT64_MAX;
    ck_assert_uint_eq(pm_sim.workspace("conv", size), 0);
    ck_assert_uint_eq(pm_sim.workspace("conv_vjp", size), 0);
    ck_assert_uint_eq(pm_sim.workspace("conv_transpose_vjp", size), 0);
  }
}
END_TEST

/* The size is the least with so many windows, and the output padding; at the limits, where sums and
 * products of 64 bits would overflow. */
START_TEST(sizes)
{
  const idx most = WINDOW_MOST, half = most / 2;
  for (idx m = 0; m < 6; m++)
    for (idx k = 1; k < 5; k++)
      for (idx s = 1; s < 5; s++)
        for (idx p = 0; p < 3; p++)
          for (idx w = 1; w < 4; w++)
            for (idx o = 0; o < 3; o++) {
              idx n = 0;
              while (n < 64 && m > 0 && (m - 1) * s + (k - 1) * w > n - 1 + 2 * p)
                n++;
              idx want = (m - 1) * s + (k - 1) * w + 1 + o - 2 * p,
                  got = window_spread(m, k, s, p, w, o);
              ck_assert_int_eq(got, m == 0 ? 0 : want < 1 ? -1 : want);
              if (m > 0 && n > 0 && o == 0)
                ck_assert_int_eq(got, n);
              if (m > 0 && got > 0)
                ck_assert_int_eq(window_out(got, k, s, p, w), m + o / s);
            }
  ck_assert_int_eq(window_spread(most, 1, 1, 0, 1, 0), most);
  ck_assert_int_eq(window_spread(most, 1, 1, 0, 1, 1), -1);
  ck_assert_int_eq(window_spread(most, 2, 1, 0, 1, 0), -1);
  ck_assert_int_eq(window_spread(most, 3, 1, 1, 1, 0), most);
  ck_assert_int_eq(window_spread(1, most, 1, 0, 1, 0), most);
  ck_assert_int_eq(window_spread(1, most, most, most, most, most - 1), -1);
  ck_assert_int_eq(window_spread(most, most, most, most, most, most), -1);
  ck_assert_int_eq(window_spread(2, 1, most, half, 1, 0), 2);
  ck_assert_int_eq(window_spread(2, 1, most, most, 1, 0), -1);
  ck_assert_int_eq(window_spread(1, 1, 1, 0, 1, most), -1);
  ck_assert_int_eq(window_spread(0, most, most, most, most, most), 0);
}
END_TEST

/* ---- beside the definition: index by index, of tensors of any rank ---- */

enum { CELLS = 4096, MEETS = 1 << 16, RANK = 8 };
typedef struct problem {
  int batch, groups, in, out; /* of a group, on the sides of cells and of outputs */
  int rank, transposed;
  int64_t size[RANK], kernel[RANK], stride[RANK], pad[RANK], dilation[RANK], more[RANK],
      outs_of[RANK];
  int64_t cells, outs, taps;
  int64_t cell[MEETS]; /* that tap u of output t reads: t taps + u; -1: padding */
} problem;

static int64_t below(int64_t n) { return rand() % n; }

/* 0: too large, or no output of a transposed one. */
static int drawn(problem *p, int rank, int transposed)
{
  *p = (problem){.batch = 1 + (int)below(2),
                 .groups = 1 + (int)below(3),
                 .in = 1 + (int)below(3),
                 .out = 1 + (int)below(3),
                 .rank = rank,
                 .transposed = transposed};
  p->cells = p->outs = p->taps = 1;
  for (int e = 0; e < rank; e++) {
    int64_t k = 1 + below(p->taps < 16 ? 4 : 2), n = 1 + below(rank > 3 ? 3 : 9), s = 1 + below(4);
    int64_t w = 1 + below(3), d = below(k + 2), o = below(s > w ? s : w);
    p->kernel[e] = k, p->stride[e] = s, p->dilation[e] = w, p->pad[e] = d, p->more[e] = o;
    p->size[e] = transposed ? (n - 1) * s + (k - 1) * w + 1 + o - 2 * d : n;
    p->outs_of[e] = transposed ? n : window_out(n, k, s, d, w);
    if (p->size[e] < 1)
      return 0;
    p->cells *= p->size[e], p->outs *= p->outs_of[e], p->taps *= k;
    if (p->cells > CELLS || p->outs > CELLS)
      return 0;
  }
  int lines = p->batch * p->groups;
  return lines * p->in * p->cells <= CELLS && lines * p->out * p->outs <= CELLS &&
         p->groups * p->in * p->out * p->taps <= CELLS && p->outs * p->taps <= MEETS / 16;
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

static void meets(problem *p)
{
  int64_t t[RANK] = {0}, *to = p->cell;
  if (p->outs == 0)
    return;
  do {
    int64_t u[RANK] = {0};
    do {
      int64_t cell = 0;
      for (int e = 0; e < p->rank && cell >= 0; e++) {
        int64_t c = t[e] * p->stride[e] + u[e] * p->dilation[e] - p->pad[e];
        cell = c < 0 || c >= p->size[e] ? -1 : cell * p->size[e] + c;
      }
      *to++ = cell;
    } while (next(p->rank, p->kernel, u));
  } while (next(p->rank, p->outs_of, t));
}

/* Where the line of a channel of a group begins, on the side of cells and of outputs; its kernel. */
static int64_t cells_at(const problem *p, int q, int i)
{
  return ((int64_t)q * p->in + i) * p->cells;
}
static int64_t outs_at(const problem *p, int q, int o)
{
  return ((int64_t)q * p->out + o) * p->outs;
}
static int64_t taps_at(const problem *p, int q, int o, int i)
{
  return (((int64_t)(q % p->groups) * p->out + o) * p->in + i) * p->taps;
}

/* y, of the outputs, from x, of the cells, by channels and then taps; then the bias where there is one. */
static void forth(const problem *p, const float *x, const float *w, const float *b, float *y)
{
  for (int q = 0; q < p->batch * p->groups; q++)
    for (int o = 0; o < p->out; o++)
      for (int64_t t = 0; t < p->outs; t++) {
        float v = 0;
        for (int i = 0; i < p->in; i++)
          for (int64_t u = 0; u < p->taps; u++)
            if (p->cell[t * p->taps + u] >= 0)
              v = fmaf(x[cells_at(p, q, i) + p->cell[t * p->taps + u]], w[taps_at(p, q, o, i) + u],
                       v);
        y[outs_at(p, q, o) + t] = b ? v + b[q % p->groups * p->out + o] : v;
      }
}

/* x, of the cells, from y, by channels and then outputs. */
static void back(const problem *p, const float *y, const float *w, const float *b, float *x)
{
  for (int q = 0; q < p->batch * p->groups; q++)
    for (int i = 0; i < p->in; i++)
      for (int64_t j = 0; j < p->cells; j++) {
        float v = 0;
        for (int o = 0; o < p->out; o++)
          for (int64_t m = 0; m < p->outs * p->taps; m++)
            if (p->cell[m] == j)
              v = fmaf(y[outs_at(p, q, o) + m / p->taps], w[taps_at(p, q, o, i) + m % p->taps], v);
        x[cells_at(p, q, i) + j] = b ? v + b[q % p->groups * p->in + i] : v;
      }
}

static void weights(const problem *p, const float *x, const float *y, float *dw)
{
  for (int g = 0; g < p->groups; g++)
    for (int o = 0; o < p->out; o++)
      for (int i = 0; i < p->in; i++)
        for (int64_t u = 0; u < p->taps; u++) {
          float v = 0;
          for (int q = g; q < p->batch * p->groups; q += p->groups)
            for (int64_t t = 0; t < p->outs; t++)
              if (p->cell[t * p->taps + u] >= 0)
                v = fmaf(x[cells_at(p, q, i) + p->cell[t * p->taps + u]], y[outs_at(p, q, o) + t],
                         v);
          dw[taps_at(p, g, o, i) + u] = v;
        }
}

typedef struct tensors {
  float *x, *w, *b, *g, *y, *dx, *dw, *db, *want, *work;
} tensors;

/* Integers, by which sums in any order are exact, or numbers by which another order has other bits. */
static void fill(float *v, int whole, int from)
{
  for (int i = 0; i < CELLS; i++)
    v[i] = whole ? (float)(below(17) - 8) : (float)(((from + i) * 7919 + 13) % 1009 - 504) / 37.0f;
}

static void same(const char *what, const problem *p, const float *got, const float *want, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    ck_assert_msg(memcmp(got + i, want + i, sizeof *got) == 0,
                  "%s[%lld] of rank %d, transposed %d: %a, must be %a", what, (long long)i, p->rank,
                  p->transposed, (double)got[i], (double)want[i]);
}

static double product(const float *a, const float *b, int64_t n)
{
  double s = 0;
  for (int64_t i = 0; i < n; i++)
    s += (double)a[i] * b[i];
  return s;
}

static void compare(const problem *p, const tensors *t, int whole)
{
  pm_exec ex = {.work = t->work, .work_bytes = CELLS * sizeof(float)};
  const int lines = p->batch * p->groups, v = p->transposed, in = v ? p->out : p->in;
  const int out = v ? p->in : p->out;
  const int64_t nx = lines * in * (v ? p->outs : p->cells),
                ny = lines * out * (v ? p->cells : p->outs);
  const int64_t nw = p->groups * p->in * p->out * p->taps, line = v ? p->cells : p->outs;
  fill(t->x, whole, 1), fill(t->w, whole, 5), fill(t->b, whole, 9), fill(t->g, whole, 3);
#define SIZES p->batch, p->groups, in, out, p->rank
#define WINDOW p->kernel, p->stride, p->pad, p->dilation
  if (v) {
    done(pm_sim.conv_transpose(&ex, SIZES, p->outs_of, WINDOW, p->more, t->x, t->w, t->b, t->y));
    done(pm_sim.conv_transpose_vjp(&ex, 0, SIZES, p->outs_of, WINDOW, p->more, t->x, t->w, t->g,
                                   t->dx, t->dw, t->db));
  } else {
    done(pm_sim.conv(&ex, SIZES, p->size, WINDOW, t->x, t->w, t->b, t->y));
    done(pm_sim.conv_vjp(&ex, 0, SIZES, p->size, WINDOW, t->x, t->w, t->g, t->dx, t->dw, t->db));
  }
  (v ? back : forth)(p, t->x, t->w, t->b, t->want);
  same("y", p, t->y, t->want, ny);
  (v ? forth : back)(p, t->g, t->w, NULL, t->want);
  same("dx", p, t->dx, t->want, nx);
  weights(p, v ? t->g : t->x, v ? t->x : t->g, t->want);
  same("dw", p, t->dw, t->want, nw);
  if (!whole)
    return;
  double biased = 0;
  for (int c = 0; c < p->groups * out; c++) {
    float sum = 0;
    for (int q = 0; q < p->batch; q++)
      for (int64_t i = 0; i < line; i++)
        sum += t->g[((int64_t)q * p->groups * out + c) * line + i];
    ck_assert_msg(t->db[c] == sum, "db[%d]: %g, must be %g", c, (double)t->db[c], (double)sum);
    biased += (double)t->b[c] * sum;
  }
  /* the adjoint identities, exact over integers */
  double all = product(t->y, t->g, ny) - biased;
  ck_assert(all == product(t->dx, t->x, nx) && all == product(t->dw, t->w, nw));
}

START_TEST(definition)
{
  tensors t = {filled(CELLS, 0), filled(CELLS, 0), filled(CELLS, 0), filled(CELLS, 0),
               filled(CELLS, 0), filled(CELLS, 0), filled(CELLS, 0), filled(CELLS, 0),
               filled(CELLS, 0), filled(CELLS, 0)};
  problem *p = malloc(sizeof *p);
  ck_assert_ptr_nonnull(p);
  srand(1);
  for (int tried = 0, none = 0; tried < 60;) {
    if (!drawn(p, _i, tried % 2) || (p->outs == 0 && none > 8))
      continue;
    none += p->outs == 0;
    tried++;
    meets(p);
    compare(p, &t, 1);
    compare(p, &t, 0);
  }
  free(p);
  for (int i = 0; i < 10; i++)
    pm_sim.free(((float **)&t)[i]);
}
END_TEST

/* Channels as in a matrix product: a window of one cell; one channel a group; gradients that add. */
START_TEST(channels)
{
  device d = device_begin();
  /* x = (1, 2 channels, 2 cells), w = (3, 2, 1) of 4 .. 9, b = 0, 1, 2 */
  done(pm_sim.conv(&d.ex, 1, 1, 2, 3, 1, S{2}, ONES, ONES, NONE, ONES, d.x, d.x + 4, d.x, d.y));
  ck_assert(device_is(d.y, 6, (float[]){10, 19, 15, 28, 20, 37}));
  device_end(&d);
  d = device_begin(); /* depthwise: each channel by its own taps */
  done(pm_sim.conv(&d.ex, 2, 2, 1, 1, 1, S{2}, S{2}, ONES, NONE, ONES, d.x, d.x + 1, d.x, d.y));
  ck_assert(device_is(d.y, 4, (float[]){2, 19, 14, 47}));
  device_end(&d);
  d = device_begin();
  for (int i = 0; i < 9; i++)
    d.y[i] = 100;
  done(pm_sim.conv_vjp(&d.ex, 1, 1, 2, 1, 1, 1, S{2}, S{2}, ONES, NONE, ONES, d.x, d.x + 1, d.x + 5,
                       d.y, d.y + 4, d.y + 8));
  ck_assert(d.y[0] == 105 && d.y[1] == 110 && d.y[2] == 118 && d.y[3] == 124);
  ck_assert(d.y[4] == 100 && d.y[5] == 105 && d.y[6] == 112 && d.y[7] == 118 && d.y[8] == 105);
  device_end(&d);
  d = device_begin(); /* of no channel to read y is b, and of no image the gradients are zeros */
  done(pm_sim.conv(&d.ex, 1, 1, 0, 2, 1, S{3}, S{2}, ONES, NONE, ONES, NULL, NULL, d.x + 7, d.y));
  ck_assert(device_is(d.y, 4, (float[]){7, 7, 8, 8}));
  device_end(&d);
  d = device_begin();
  done(pm_sim.conv_vjp(&d.ex, 0, 0, 1, 2, 1, 1, S{3}, S{2}, ONES, NONE, ONES, NULL, d.x, NULL, NULL,
                       d.y, d.y + 4));
  ck_assert(device_is(d.y, 5, (float[]){0, 0, 0, 0, 0}));
  device_end(&d);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("conv");
  TCase *t = tcase_create("conv");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, arguments);
  tcase_add_test(t, output_padding);
  tcase_add_test(t, sizes);
  tcase_add_test(t, room);
  tcase_add_test(t, channels);
  tcase_add_loop_test(t, definition, 1, RANK + 1);
  suite_add_tcase(suite, t);
  return aid_main(suite);
}
