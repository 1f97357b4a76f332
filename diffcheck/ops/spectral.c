/* rfft, irfft, and their VJPs. */
#include "../../ref/spectral.h"
#include "glue.h"

enum { ROWS, POINTS }; /* dims */

static const char *some_points(const int64_t *size, const double *attr)
{
  (void)attr;
  if (size[POINTS] < 1 || size[POINTS] > FOURIER_MOST)
    return dc_why("n = %lld: must be from 1 to 2^53", (long long)size[POINTS]);
  return NULL;
}

/* of x, y, dx and the cotangents of y */
static int real_shape(const int64_t *size, int64_t *shape)
{
  shape[0] = size[ROWS], shape[1] = size[POINTS];
  return 2;
}

/* of z, dz and the cotangents of z */
static int bins_shape(const int64_t *size, int64_t *shape)
{
  shape[0] = size[ROWS], shape[1] = size[POINTS] / 2 + 1, shape[2] = 2;
  return 3;
}

static int ahead_shape(const dc_op *op, int tensor, const int64_t *size, const double *attr,
                       int64_t *shape)
{
  (void)op, (void)attr;
  return tensor == 0 ? real_shape(size, shape) : bins_shape(size, shape);
}

static int back_shape(const dc_op *op, int tensor, const int64_t *size, const double *attr,
                      int64_t *shape)
{
  (void)op, (void)attr;
  return tensor == 0 ? bins_shape(size, shape) : real_shape(size, shape);
}

static const char *ahead_view(dc_view *v, int64_t *size, double *attr)
{
  if (v->rank[0] != 2)
    return dc_why("rank %d: must be 2, (rows, n)", v->rank[0]);
  size[ROWS] = v->shape[0][0], size[POINTS] = v->shape[0][1];
  v->rank[1] = bins_shape(size, v->shape[1]);
  return some_points(size, attr);
}

/* As many bins as two lengths have: an even one, unless --set n says which. */
static const char *back_view(dc_view *v, int64_t *size, double *attr)
{
  if (v->rank[0] != 3 || v->shape[0][2] != 2)
    return dc_why("the spectrum must be (rows, n/2+1, 2): real part, imaginary part");
  int64_t bins = v->shape[0][1];
  size[ROWS] = v->shape[0][0];
  if (size[POINTS] < 0)
    size[POINTS] = bins == 1 ? 1 : 2 * (bins - 1);
  if (size[POINTS] / 2 + 1 != bins)
    return dc_why("n = %lld: has %lld bins, and the spectrum %lld", (long long)size[POINTS],
                  (long long)size[POINTS] / 2 + 1, (long long)bins);
  v->rank[1] = real_shape(size, v->shape[1]);
  return some_points(size, attr);
}

/* Time grows with the square of the length. Of lengths the least, powers of two and their
 * neighbours, odd ones, primes. */
static void fourier_draw(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  static const int64_t lengths[] = {1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 9, 16, 31, 32, 64, 97, 128, 255};
  (void)attr;
  dc_draw_sizes(r, want, 2, size);
  if (want.kind == DC_USUAL && dc_rng_below(r, 2))
    size[POINTS] = lengths[dc_rng_below(r, sizeof lengths / sizeof *lengths)];
  while (size[ROWS] > 1 && size[POINTS] > 0 && size[ROWS] > (1 << 20) / size[POINTS] / size[POINTS])
    size[ROWS] /= 2;
}

#define POINTS_LAYOUT "(rows, n)"
#define BINS_LAYOUT "(rows, n/2+1, 2)"
#define FOURIER .cut = 1, NO_SUM, DIVIDES, .check = some_points, .draw = fourier_draw
#define AHEAD FOURIER, .shape = ahead_shape, .view = ahead_view, .layout = {POINTS_LAYOUT, BINS_LAYOUT}
#define BACK FOURIER, .shape = back_shape, .view = back_view, .layout = {BINS_LAYOUT, POINTS_LAYOUT}

TERMS(ahead)
{
  (void)output;
  return size[POINTS];
}
TERMS(back)
{
  (void)output;
  return 2 * (size[POINTS] / 2 + 1);
}

REFERENCE(rfft) { ref_rfft(N(0), N(1), X(0), y[0]); }
BOUND(rfft) { bound_rfft(N(0), N(1), X(0), A, e[0]); }
LAUNCH(rfft) { return b->rfft(ex, N(0), N(1), IN(0), OUT(1)); }
const dc_glue dc_glue_rfft = {BOUNDED(rfft), AHEAD, .terms = ahead_terms};

REFERENCE(rfft_vjp) { ref_rfft_vjp(N(0), N(1), X(0), y[0]); }
BOUND(rfft_vjp) { bound_rfft_vjp(N(0), N(1), X(0), A, e[0]); }
LAUNCH(rfft_vjp) { return b->rfft_vjp(ex, c->accumulate, N(0), N(1), IN(0), OUT(1)); }
const dc_glue dc_glue_rfft_vjp = {BOUNDED(rfft_vjp), BACK, .terms = back_terms};

REFERENCE(irfft) { ref_irfft(N(0), N(1), X(0), y[0]); }
BOUND(irfft) { bound_irfft(N(0), N(1), X(0), A, e[0]); }
LAUNCH(irfft) { return b->irfft(ex, N(0), N(1), IN(0), OUT(1)); }
const dc_glue dc_glue_irfft = {BOUNDED(irfft), BACK, .terms = back_terms};

REFERENCE(irfft_vjp) { ref_irfft_vjp(N(0), N(1), X(0), y[0]); }
BOUND(irfft_vjp) { bound_irfft_vjp(N(0), N(1), X(0), A, e[0]); }
LAUNCH(irfft_vjp) { return b->irfft_vjp(ex, c->accumulate, N(0), N(1), IN(0), OUT(1)); }
const dc_glue dc_glue_irfft_vjp = {BOUNDED(irfft_vjp), AHEAD, .terms = ahead_terms};
