/* rfft, irfft, spectral_conv1d, and their VJPs. */
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

enum { LONG = 1026, PAST = 1 << 30 };

static void swap(int64_t *a, int64_t *b)
{
  int64_t c = *a;
  *a = *b;
  *b = c;
}

/* Time grows with the square of the length: where an extent makes it long, rows are many instead, and a
 * usual one is shortened. Of lengths the least, powers of two and their neighbours, primes, products of 2, 3,
 * 5 and 7, odd and even, and twice a prime. */
static void fourier_draw(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  static const int64_t lengths[] = {1,  1,  2,  2,  3,   4,   4,   5,   6,   7,
                                    8,  9,  16, 18, 21,  28,  31,  32,  34,  45,
                                    48, 64, 81, 97, 100, 128, 147, 210, 255, 1024};
  const int usual = want.kind == DC_USUAL;
  (void)attr;
  dc_draw_sizes(r, want, 2, size);
  if (want.kind == DC_PAST) { /* two numbers a row are in the spectrum */
    size[ROWS] = PAST + 1 + dc_rng_below(r, 1 << 20), size[POINTS] = 1;
    return;
  }
  if (usual && dc_rng_below(r, 2))
    size[POINTS] = lengths[dc_rng_below(r, sizeof lengths / sizeof *lengths)];
  if (!usual && size[POINTS] >= LONG)
    swap(&size[ROWS], &size[POINTS]);
  if (size[POINTS] >= LONG)
    size[POINTS] = LONG / 2 + size[POINTS] % (LONG / 2);
  while (size[ROWS] > 1 && size[POINTS] > 4 &&
         size[ROWS] * size[POINTS] * size[POINTS] > 1 << (usual ? 15 : 19))
    size[ROWS] /= 2;
}

#define POINTS_LAYOUT "(rows, n)"
#define BINS_LAYOUT "(rows, n/2+1, 2)"
#define FOURIER \
  .cut = 1, NO_SUM, DIVIDES, .check = some_points, .draw = fourier_draw, .complex_last = 1
#define AHEAD \
  FOURIER, .shape = ahead_shape, .view = ahead_view, .layout = {POINTS_LAYOUT, BINS_LAYOUT}
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

/* ---- spectral_conv1d ---- */

enum { GRID, WIDTH, MODES }; /* dims */

static const char *some_modes(const int64_t *size, const double *attr)
{
  (void)attr;
  if (size[GRID] < 1 || size[GRID] > FOURIER_MOST)
    return dc_why("grid = %lld: must be from 1 to 2^53", (long long)size[GRID]);
  if (size[MODES] > size[GRID] / 2 + 1)
    return dc_why("modes = %lld: must be at most grid/2 + 1 = %lld", (long long)size[MODES],
                  (long long)size[GRID] / 2 + 1);
  return NULL;
}

/* Modes at both ends, none among them. Of a long grid, as which every extent comes, few columns and
 * modes; of one past 2^31 none, for time's sake. */
static void conv_draw(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  static const int64_t grids[] = {1,  2,  2,  3,  4,  4,   5,   7,    8,    9,
                                  16, 17, 31, 32, 64, 100, 129, 1023, 1024, 1025};
  const int usual = want.kind == DC_USUAL;
  const int64_t most = usual ? 1 << 13 : 1 << 17;
  (void)attr;
  if (want.kind == DC_PAST) {
    size[GRID] = 2 * (int64_t)PAST + 1 + dc_rng_below(r, 1 << 20), size[WIDTH] = 1, size[MODES] = 0;
    return;
  }
  dc_draw_sizes(r, want, 3, size);
  if (usual && dc_rng_below(r, 8))
    size[GRID] = grids[dc_rng_below(r, sizeof grids / sizeof *grids)];
  for (int d = WIDTH; d <= MODES; d++)
    if (size[d] > size[GRID] && size[d] > 64)
      swap(&size[GRID], &size[d]);
  if (size[GRID] < 1)
    size[GRID] = 1;
  int64_t bins = size[GRID] / 2 + 1;
  if (size[MODES] > bins || dc_rng_below(r, 3) == 0)
    size[MODES] = dc_rng_below(r, 2) ? bins : 1 + dc_rng_below(r, bins);
  while (size[WIDTH] > 1 && size[GRID] * size[WIDTH] * size[WIDTH] > most)
    size[WIDTH] /= 2;
  int64_t room = most / (size[GRID] * (size[WIDTH] ? size[WIDTH] * size[WIDTH] : 1));
  if (size[MODES] > 1 && size[MODES] > room)
    size[MODES] = room > 1 ? room : 1;
}

TERMS(conv)
{
  int64_t most = size[GRID];
  (void)output;
  most = 2 * size[WIDTH] > most ? 2 * size[WIDTH] : most;
  return 2 * size[MODES] > most ? 2 * size[MODES] : most;
}

#define CONV NO_SUM, DIVIDES, .check = some_modes, .draw = conv_draw, .terms = conv_terms

REFERENCE(spectral_conv1d) { ref_spectral_conv1d(N(0), N(1), N(2), X(0), X(1), X(2), y[0]); }
BOUND(spectral_conv1d) { bound_spectral_conv1d(N(0), N(1), N(2), X(0), X(1), X(2), A, e[0]); }
LAUNCH(spectral_conv1d)
{
  return b->spectral_conv1d(ex, N(0), N(1), N(2), IN(0), IN(1), IN(2), OUT(3));
}
const dc_glue dc_glue_spectral_conv1d = {BOUNDED(spectral_conv1d), CONV};

REFERENCE(spectral_conv1d_vjp)
{
  ref_spectral_conv1d_vjp(N(0), N(1), N(2), X(0), X(1), X(2), X(3), y[0], y[1], y[2]);
}
BOUND(spectral_conv1d_vjp)
{
  bound_spectral_conv1d_vjp(N(0), N(1), N(2), X(0), X(1), X(2), X(3), A, e[0], e[1], e[2]);
}
LAUNCH(spectral_conv1d_vjp)
{
  return b->spectral_conv1d_vjp(ex, c->accumulate, N(0), N(1), N(2), IN(0), IN(1), IN(2), IN(3),
                                OUT(4), OUT(5), OUT(6));
}
const dc_glue dc_glue_spectral_conv1d_vjp = {BOUNDED(spectral_conv1d_vjp), CONV};
