/* rfft, irfft and their VJPs, by the definition: for short lengths. Of long ones a fast transform
 * takes a fraction of the time (n log n in place of n^2); there is none here yet. */
#include "../lang/kernel.h"
#include "wave.h"

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include <inttypes.h>
#include <string.h>

#include "../host/table.h"

enum { BLOCK = 256 };

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

static const pm_kernel ROWS[] = {
    {"rfft", "direct", "always", PM_CHECKED, declare_ahead},
    {"rfft_vjp", "direct", "always", PM_CHECKED, declare_back},
    {"irfft", "direct", "always", PM_CHECKED, declare_back},
    {"irfft_vjp", "direct", "always", PM_CHECKED, declare_ahead},
};

/* Of the cosines and sines of the n parts of a turn. */
static size_t wave_bytes(idx n) { return (size_t)n * 2 * sizeof(float); }

static size_t workspace(const char *op, const int64_t *size)
{
  (void)op;
  return size[1] > 0 && size[1] <= PM_MAX_ELEMENTS / 2 ? wave_bytes(size[1]) : 0;
}

/* n from 1 to 2^53. */
static void points(pm_check *c, const char *name, idx n)
{
  if (c->status == PM_OK && (n < 1 || n > FOURIER_MOST))
    c->status =
        pm_fail(PM_BAD_ARGUMENT, c->op, "%s = %" PRId64 ": must be from 1 to 2^53", name, n);
}

static void fill_waves(pm_check *c, pm_exec *ex, idx n)
{
  unsigned blocks = pm_blocks(c, n, BLOCK);
  if (blocks)
    LAUNCH(spectral_wave, blocks, BLOCK, ex->stream, n, (float *)ex->work);
}

/* ahead: from rows of n points at `from` to rows of n/2 + 1 bins, else back; whole: weighed by the
 * bins that each stands for, and over n. */
static pm_status transform(const char *op, pm_exec *ex, int ahead, int whole, int accumulate,
                           idx rows, idx n, const char *from_name, const float *from,
                           const char *to_name, float *to)
{
  pm_check c = pm_begin(op, ex);
  pm_flag(&c, "accumulate", accumulate);
  pm_size(&c, "rows", rows);
  points(&c, "n", n);
  idx bins = n / 2 + 1, size_x = pm_times(&c, "rows", rows, "n", n),
      size_z = pm_times(&c, "rows", rows, "the numbers of a spectrum", 2 * bins);
  spectral_rows at_x = {n, 1}, at_z = {2 * bins, 2};
  pm_in(&c, from_name, from, ahead ? size_x : size_z, sizeof *from);
  pm_out(&c, to_name, to, ahead ? size_z : size_x, sizeof *to);
  pm_work(&c, c.status == PM_OK && rows ? wave_bytes(n) : 0);
  if (pm_checked(&c) != PM_OK || PM_PICK(&c, ex, ROWS, 1u) < 0 || !rows)
    return pm_launched(&c);
  unsigned blocks = pm_blocks(&c, ahead ? rows * bins : rows * n, BLOCK);
  if (blocks)
    fill_waves(&c, ex, n);
  if (blocks && ahead)
    LAUNCH(spectral_ahead, blocks, BLOCK, ex->stream, rows, n, bins, whole, accumulate, at_x, at_z,
           (const float *)ex->work, from, to);
  else if (blocks)
    LAUNCH(spectral_back, blocks, BLOCK, ex->stream, rows, n, bins, whole, accumulate, at_z, at_x,
           (const float *)ex->work, from, to);
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

PM_FAMILY(spectral, ROWS, workspace);
#endif
