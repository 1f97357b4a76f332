/* rfft, irfft, spectral_conv1d and their VJPs. Of a spectral_conv1d only the modes that it has are computed, ahead
 * and back, by the definition.
 *
 * What each variant of a transform buys; us on an H200, rfft of 2^22 points:
 *   fft      n log n in place of n^2 steps, and points and bins pass through memory once: a block has its rows in
 *            shared memory; 1024 rows of 4096: 29, direct 5300, cuFFT 14
 *   passes   the same of rows that are too long for that: every three passes or so read and write the workspace; 64
 *            rows of 65536: 57, cuFFT 35
 *   direct   any length, a large prime too */
#include "../lang/kernel.h"
#include "columns.h"
#include "fft.h"
#include "mix.h"

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include <inttypes.h>
#include <string.h>

#include "../host/table.h"

enum { BLOCK = 256 };
enum { FFT, PASSES, DIRECT }; /* rows of a transform */

/* An angle's roundings are those of f64. Size 1 is the length. */
static void declare_waves(pm_arith *out)
{
  out->alpha = 0x1p-27;
  out->k_sin = PM_K_SIN;
  out->k_cos = PM_K_COS;
}

static void declare_ahead(const int64_t *size, pm_arith *out)
{
  declare_waves(out);
  out->height[0] = (double)size[1];
}

/* two terms a bin */
static void declare_back(const int64_t *size, pm_arith *out)
{
  declare_waves(out);
  out->height[0] = 2.0 * (double)(size[1] / 2 + 1);
}

/* All that rounding does is counted among the errors of cosines and sines, of which a bound takes 26 alpha u. */
static void declare_fft(const int64_t *size, pm_arith *out)
{
  fft_plan p;
  declare_waves(out);
  out->height[0] = 0;
  if (fft_planned(size[1], &p))
    out->alpha = fft_error(&p) / 26;
}

/* The points of a split of the sums ahead, and how many splits there are. Positions of a wave are
 * products of 31 bits. */
enum { SPLIT_LEAST = 64, SPLIT_MOST = 128 };
static idx points_of_split(idx n)
{
  const idx each = divide_up(n, SPLIT_MOST), least = SPLIT_LEAST;
  return n >= 1 << 30 ? n : each > least ? each : least;
}
static idx splits_of(idx n) { return n > 0 ? divide_up(n, points_of_split(n)) : 1; }

/* Size 0 is the grid, 1 the width, 2 the modes; the height is that of the longest sum on the way. */
static void declare_conv(const int64_t *size, pm_arith *out)
{
  const idx splits = splits_of(size[0]), each = splits > 1 ? points_of_split(size[0]) : size[0];
  double most = (double)each + (double)(splits - 1), mixed = 2.0 * (double)size[1];
  double back = 2.0 * (double)size[2];
  declare_waves(out);
  most = mixed > most ? mixed : most;
  out->height[0] = back > most ? back : most;
}

#define FAST "n >= 16 is 2 m, or odd and m; m is a product of 2, 3, 5 and 7, m"

static const pm_kernel ROWS[] = {
    {"rfft", "fft", FAST " <= 12572", PM_CHECKED, declare_fft},
    {"rfft", "passes", FAST " <= 2^30", PM_CHECKED, declare_fft},
    {"rfft", "direct", "always", PM_CHECKED, declare_ahead},
    {"rfft_vjp", "fft", FAST " <= 12572", PM_CHECKED, declare_fft},
    {"rfft_vjp", "passes", FAST " <= 2^30", PM_CHECKED, declare_fft},
    {"rfft_vjp", "direct", "always", PM_CHECKED, declare_back},
    {"irfft", "fft", FAST " <= 12572", PM_CHECKED, declare_fft},
    {"irfft", "passes", FAST " <= 2^30", PM_CHECKED, declare_fft},
    {"irfft", "direct", "always", PM_CHECKED, declare_back},
    {"irfft_vjp", "fft", FAST " <= 12572", PM_CHECKED, declare_fft},
    {"irfft_vjp", "passes", FAST " <= 2^30", PM_CHECKED, declare_fft},
    {"irfft_vjp", "direct", "always", PM_CHECKED, declare_ahead},
    {"spectral_conv1d", "direct", "always", PM_CHECKED, declare_conv},
    {"spectral_conv1d_vjp", "direct", "always", PM_CHECKED, declare_conv},
};

/* Of the cosines and sines of the n parts of a turn. */
static size_t wave_bytes(idx n) { return (size_t)n * 2 * sizeof(float); }

static idx even(idx n) { return n + n % 2; }

/* Beside them three spectra of all columns, that of x, that of g, and that of the mixed one, and the
 * splits of one of them. */
static size_t conv_bytes(idx grid, idx width, idx modes)
{
  return wave_bytes(even(grid)) +
         (size_t)modes * (size_t)width * 2 * sizeof(float) * (3 + (size_t)splits_of(grid));
}

/* Whichever variant runs. */
static size_t transform_bytes(idx rows, idx n)
{
  fft_plan p;
  if (rows <= 0 || !fft_planned(n, &p))
    return wave_bytes(n);
  fft_place_rows(&p, rows);
  return fft_bytes(&p);
}

static size_t workspace(const char *op, const int64_t *size)
{
  if (strstr(op, "conv"))
    return size[0] > 0 && size[0] <= PM_MAX_ELEMENTS / 2 && size[1] >= 0 && size[2] >= 0 &&
                   (size[2] == 0 || size[1] <= PM_MAX_ELEMENTS / 1024 / size[2])
               ? conv_bytes(size[0], size[1], size[2])
               : 0;
  return size[1] > 0 && size[1] <= PM_MAX_ELEMENTS / 2 ? transform_bytes(size[0], size[1]) : 0;
}

/* n from 1 to 2^53. */
static void points(pm_check *c, const char *name, idx n)
{
  if (c->status == PM_OK && (n < 1 || n > FOURIER_MOST))
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op, "%s = %" PRId64 ": must be from 1 to 2^53", name, n);
}

static void fill_waves(pm_check *c, pm_exec *ex, idx entries, idx n)
{
  unsigned blocks = pm_blocks(c, entries, BLOCK);
  if (blocks)
    LAUNCH(spectral_wave, blocks, BLOCK, ex->stream, entries, n, (float *)ex->work);
}

/* ---- transforms of rows ---- */

typedef struct rows_call {
  int ahead, whole, adds; /* from points to bins; bins count by their weights, and all over n; += */
  idx rows, n, bins;
  const float *from;
  float *to;
} rows_call;

static void run_direct(pm_check *c, pm_exec *ex, const rows_call *t)
{
  const float *wave = (const float *)ex->work;
  unsigned blocks = pm_blocks(c, t->rows * (t->ahead ? t->bins : t->n), BLOCK);
  if (!blocks)
    return;
  fill_waves(c, ex, t->n, t->n);
  if (t->ahead)
    LAUNCH(spectral_ahead, blocks, BLOCK, ex->stream, t->rows, t->n, t->bins, t->whole, t->adds,
           wave, t->from, t->to);
  else
    LAUNCH(spectral_back, blocks, BLOCK, ex->stream, t->rows, t->n, t->bins, t->whole, t->adds,
           wave, t->from, t->to);
}

/* Threads of a block that has rows of so many numbers, eight of them each. */
static int fft_block(int size) { return size <= 2048 ? 256 : size <= 4096 ? 512 : FFT_THREADS; }

static void run_fft(pm_check *c, pm_exec *ex, const rows_call *t, const fft_plan *p)
{
  const complex_f *wave = (const complex_f *)ex->work;
  const int block = fft_block(p->size), bytes = 2 * p->each * p->pitch * (int)sizeof *wave;
  const unsigned blocks = pm_blocks(c, divide_up(p->rows, p->each), 1);
  if (blocks && t->ahead)
    LAUNCH_SHARED(spectral_fft_ahead, blocks, block, bytes, ex->stream, *p, wave, t->from, t->to);
  else if (blocks)
    LAUNCH_SHARED(spectral_fft_back, blocks, block, bytes, ex->stream, *p, wave, t->from, t->to);
}

/* A launch of p's passes: from points or the workspace, to it or to points. */
static void run_group(pm_check *c, pm_exec *ex, const rows_call *t, const fft_plan *p, fft_group g,
                      const float *from, complex_f *now, complex_f *then, float *to)
{
  const complex_f *wave = (const complex_f *)ex->work;
  const unsigned blocks = pm_blocks(c, p->rows * divide_up(p->size / g.size, g.tile), 1);
  const int block = g.size > 512 ? (int)FFT_GROUP_THREADS : (int)BLOCK;
  const int bytes = 2 * g.tile * g.pitch * (int)sizeof *wave;
  if (!blocks)
    return;
  if (t->ahead && g.first == 0)
    LAUNCH_SHARED(spectral_fft_first, blocks, block, bytes, ex->stream, *p, g, wave, from, then);
  else if (!t->ahead && g.end == p->passes)
    LAUNCH_SHARED(spectral_fft_last, blocks, block, bytes, ex->stream, *p, g, wave, from, now, to);
  else
    LAUNCH_SHARED(spectral_fft_between, blocks, block, bytes, ex->stream, *p, g, wave, now, then);
}

/* So many rows at a time as the workspace has room for. */
static void run_passes(pm_check *c, pm_exec *ex, const rows_call *t, const fft_plan *whole)
{
  const complex_f *wave = (const complex_f *)ex->work;
  const idx chunk = fft_chunk(whole), pairs = whole->size / 2 + 1;
  fft_plan p = *whole;
  for (idx r = 0; r < t->rows && c->status == PM_OK; r += chunk) {
    complex_f *now = (complex_f *)ex->work + fft_turns(whole), *then = now + chunk * p.size;
    const float *from = t->from + r * (t->ahead ? t->n : 2 * t->bins);
    float *to = t->to + r * (t->ahead ? 2 * t->bins : t->n);
    p.rows = t->rows - r < chunk ? t->rows - r : chunk;
    const unsigned blocks = pm_blocks(c, p.rows * pairs, BLOCK);
    if (!t->ahead)
      LAUNCH(spectral_fft_from_bins, blocks, BLOCK, ex->stream, p, wave, from, now);
    for (int s = 0; s < p.passes;) {
      const fft_group g = fft_grouped(whole, s);
      complex_f *was = now;
      run_group(c, ex, t, &p, g, from, now, then, to);
      now = then, then = was, s = g.end;
    }
    if (t->ahead)
      LAUNCH(spectral_fft_to_bins, blocks, BLOCK, ex->stream, p, wave, from, now, to);
  }
}

static pm_status transform(const char *op, pm_exec *ex, int ahead, int whole, int accumulate,
                           idx rows, idx n, const char *from_name, const float *from,
                           const char *to_name, float *to)
{
  pm_check c = pm_begin(op, ex);
  pm_flag(&c, "accumulate", accumulate);
  pm_size(&c, "rows", rows);
  points(&c, "n", n);
  idx bins = c.status == PM_OK ? n / 2 + 1 : 0, size_x = pm_times(&c, "rows", rows, "n", n),
      size_z = pm_times(&c, "rows", rows, "the numbers of a spectrum", 2 * bins);
  rows_call t = {ahead, whole, accumulate, rows, n, bins, from, to};
  pm_in(&c, from_name, from, ahead ? size_x : size_z, sizeof *from);
  pm_out(&c, to_name, to, ahead ? size_z : size_x, sizeof *to);
  fft_plan p;
  const int fast = fft_planned(n, &p);
  fft_place_rows(&p, rows);
  pm_work(&c, c.status != PM_OK || !rows ? 0 : fast ? fft_bytes(&p) : wave_bytes(n));
  if (pm_checked(&c) != PM_OK)
    return c.status;
  const int v =
      PM_PICK(&c, ex, ROWS, 1u << DIRECT | (fast ? 1u << PASSES | (p.each > 0) << FFT : 0u));
  if (v < 0 || !rows)
    return pm_launched(&c);
  if (v == DIRECT)
    run_direct(&c, ex, &t);
  else {
    p.whole = whole, p.adds = accumulate;
    p.pairs = (((uintptr_t)from | (uintptr_t)to) & 7) == 0;
    p.out = (whole ? (float)(1.0 / (double)n) : 1.0f) * (ahead && !p.odd ? 0.5f : 1.0f) / FFT_SCALE;
    const idx entries = fft_turns(&p);
    LAUNCH(spectral_fft_turns, pm_blocks(&c, entries, BLOCK), BLOCK, ex->stream, p, entries,
           (float *)ex->work);
    if (v == FFT)
      run_fft(&c, ex, &t, &p);
    else
      run_passes(&c, ex, &t, &p);
  }
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(rfft)(pm_exec *ex, int64_t rows, int64_t n, const float *x, float *z)
{
  return transform("rfft", ex, 1, 0, 0, rows, n, "x", x, "z", z);
}

extern "C" pm_status LAUNCHER(rfft_vjp)(pm_exec *ex, int accumulate, int64_t rows, int64_t n,
                                        const float *g, float *dx)
{
  return transform("rfft_vjp", ex, 0, 0, accumulate, rows, n, "g", g, "dx", dx);
}

extern "C" pm_status LAUNCHER(irfft)(pm_exec *ex, int64_t rows, int64_t n, const float *z, float *y)
{
  return transform("irfft", ex, 0, 1, 0, rows, n, "z", z, "y", y);
}

extern "C" pm_status LAUNCHER(irfft_vjp)(pm_exec *ex, int accumulate, int64_t rows, int64_t n,
                                         const float *g, float *dz)
{
  return transform("irfft_vjp", ex, 1, 1, accumulate, rows, n, "g", g, "dz", dz);
}

/* ---- spectral_conv1d ---- */

typedef struct conv_plan {
  idx grid, width, modes;
  idx points, bins, weights; /* elements of x, bins of all columns, elements of wre */
  float *wave, *of_x, *of_g, *mixed, *part;
} conv_plan;

/* Of the arguments; the workspace is not there yet. */
static conv_plan plan_conv(pm_check *c, int accumulate, idx grid, idx width, idx modes)
{
  conv_plan t = {grid, width, modes, 0, 0, 0, NULL, NULL, NULL, NULL, NULL};
  pm_flag(c, "accumulate", accumulate);
  points(c, "grid", grid);
  pm_size(c, "width", width);
  pm_size(c, "modes", modes);
  if (c->status == PM_OK && modes > grid / 2 + 1)
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op,
                "modes = %" PRId64 ": must be at most grid/2 + 1 = %" PRId64, modes, grid / 2 + 1);
  t.points = pm_times(c, "grid", grid, "width", width);
  t.bins = pm_times(c, "modes", modes, "width", width);
  t.weights = pm_times(c, "width", width, "modes * width", t.bins);
  return t;
}

/* Whether there is something to launch, once all tensors are noted; fills the table of waves. */
static int conv_ready(pm_check *c, pm_exec *ex, conv_plan *t)
{
  pm_work(c, c->status == PM_OK && t->width ? conv_bytes(t->grid, t->width, t->modes) : 0);
  if (pm_checked(c) != PM_OK || PM_PICK(c, ex, ROWS, 1u) < 0 || !t->width)
    return 0;
  if (!pm_blocks(c, t->points, BLOCK) || (t->modes && !pm_blocks(c, t->weights, BLOCK)))
    return 0;
  t->wave = (float *)ex->work;
  t->of_x = t->wave + 2 * even(t->grid);
  t->of_g = t->of_x + 2 * t->bins;
  t->mixed = t->of_g + 2 * t->bins;
  t->part = t->mixed + 2 * t->bins;
  fill_waves(c, ex, even(t->grid), t->grid);
  return 1;
}

/* z: the modes of each column of x. */
static void conv_ahead(pm_check *c, pm_exec *ex, const conv_plan *t, int whole, const float *x,
                       float *z)
{
  idx splits = splits_of(t->grid), threads = splits * divide_up(t->width, COLUMNS) * t->modes;
  unsigned blocks = pm_blocks(c, threads, BLOCK), adds = pm_blocks(c, t->bins, BLOCK);
  if (blocks)
    LAUNCH(spectral_ahead_columns, blocks, BLOCK, ex->stream, t->width, t->grid, t->modes, splits,
           points_of_split(t->grid), t->wave, x, t->part);
  if (blocks && adds)
    LAUNCH(spectral_add_splits, adds, BLOCK, ex->stream, t->width, t->grid, t->modes, splits, whole,
           t->part, z);
}

/* z mixed, and from there to y. */
static void conv_back(pm_check *c, pm_exec *ex, const conv_plan *t, int back, int accumulate,
                      const float *wre, const float *wim, const float *z, float *y)
{
  unsigned blocks = pm_blocks(c, divide_up(t->width, COLUMNS) * t->grid, BLOCK);
  if (t->modes)
    LAUNCH(spectral_mix, pm_blocks(c, t->bins, BLOCK), BLOCK, ex->stream, back, t->modes, t->width,
           wre, wim, z, t->mixed);
  if (blocks)
    LAUNCH(spectral_back_columns, blocks, BLOCK, ex->stream, t->width, t->grid, t->modes, !back,
           accumulate, t->wave, t->mixed, y);
}

extern "C" pm_status LAUNCHER(spectral_conv1d)(pm_exec *ex, int64_t grid, int64_t width,
                                               int64_t modes, const float *x, const float *wre,
                                               const float *wim, float *y)
{
  pm_check c = pm_begin("spectral_conv1d", ex);
  conv_plan t = plan_conv(&c, 0, grid, width, modes);
  pm_in(&c, "x", x, t.points, sizeof *x);
  pm_in(&c, "wre", wre, t.weights, sizeof *wre);
  pm_in(&c, "wim", wim, t.weights, sizeof *wim);
  pm_out(&c, "y", y, t.points, sizeof *y);
  if (conv_ready(&c, ex, &t)) {
    if (modes)
      conv_ahead(&c, ex, &t, 0, x, t.of_x);
    conv_back(&c, ex, &t, 0, 0, wre, wim, t.of_x, y);
  }
  return pm_launched(&c);
}

extern "C" pm_status LAUNCHER(spectral_conv1d_vjp)(pm_exec *ex, int accumulate, int64_t grid,
                                                   int64_t width, int64_t modes, const float *x,
                                                   const float *wre, const float *wim,
                                                   const float *g, float *dx, float *dwre,
                                                   float *dwim)
{
  pm_check c = pm_begin("spectral_conv1d_vjp", ex);
  conv_plan t = plan_conv(&c, accumulate, grid, width, modes);
  pm_in(&c, "x", x, t.points, sizeof *x);
  pm_in(&c, "wre", wre, t.weights, sizeof *wre);
  pm_in(&c, "wim", wim, t.weights, sizeof *wim);
  pm_in(&c, "g", g, t.points, sizeof *g);
  pm_out(&c, "dx", dx, t.points, sizeof *dx);
  pm_out(&c, "dwre", dwre, t.weights, sizeof *dwre);
  pm_out(&c, "dwim", dwim, t.weights, sizeof *dwim);
  if (conv_ready(&c, ex, &t)) {
    if (modes) {
      conv_ahead(&c, ex, &t, 0, x, t.of_x);
      conv_ahead(&c, ex, &t, 1, g, t.of_g);
      LAUNCH(spectral_mix_weights, pm_blocks(&c, t.weights, BLOCK), BLOCK, ex->stream, modes, width,
             accumulate, t.of_x, t.of_g, dwre, dwim);
    }
    conv_back(&c, ex, &t, 1, accumulate, wre, wim, t.of_g, dx);
  }
  return pm_launched(&c);
}

PM_FAMILY(spectral, ROWS, workspace);
#endif
