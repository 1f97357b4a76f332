/* concat, slice, write_rows, copy and their VJPs; fill, zeros and ones. */
#include "../../ref/slice.h"
#include "../../ref/accumulate.h"
#include "glue.h"

/* ---- concat: outer na nb inner ---- */

enum { A, B, JOINED }; /* the tensors of the forward op */

static int concat_shape(int tensor, const int64_t *size, int64_t *shape)
{
  int64_t na = size[1], nb = size[2];
  shape[0] = size[0];
  shape[1] = tensor == A ? na : tensor == B ? nb : na > INT64_MAX - nb ? INT64_MAX : na + nb;
  shape[2] = size[3];
  return 3;
}

static int concat_forward_shape(const dc_op *op, int tensor, const int64_t *size,
                                const double *attr, int64_t *shape)
{
  (void)op, (void)attr;
  return concat_shape(tensor, size, shape);
}

static int concat_vjp_shape(const dc_op *op, int tensor, const int64_t *size, const double *attr,
                            int64_t *shape)
{
  (void)op, (void)attr;
  return concat_shape(tensor == 0 ? JOINED : tensor == 1 ? A : B, size, shape);
}

static const char *concat_check(const int64_t *size, const double *attr)
{
  (void)attr;
  return size[1] >= ((int64_t)1 << 60) - size[2] ? dc_why("na + nb must be at most 2^60-1") : NULL;
}

/* Often one size that is cut in two, often by fours, so that vectors are met with inner = 1 too. */
static void concat_draw(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  int64_t n;
  (void)attr;
  dc_draw_sizes(r, want, 3, size);
  size[3] = size[2];
  n = size[1];
  if (dc_rng_below(r, 2) && n >= 8) {
    n -= n % 4;
    size[1] = 4 * dc_rng_below(r, n / 4 + 1);
  } else
    size[1] = dc_rng_below(r, n + 1);
  size[2] = n - size[1];
}

#define LAYOUT_A "(outer, na, inner)"
#define LAYOUT_B "(outer, nb, inner)"
#define LAYOUT_JOINED "(outer, na + nb, inner)"

REFERENCE(concat) { ref_concat(N(0), N(1), N(2), N(3), X(0), X(1), y[0]); }
LAUNCH(concat) { return b->concat(ex, N(0), N(1), N(2), N(3), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_concat = {EXACT(concat),
                                LINEAR,
                                NO_SUM,
                                .view = dc_view_concat,
                                .shape = concat_forward_shape,
                                .check = concat_check,
                                .draw = concat_draw,
                                .layout = {LAYOUT_A, LAYOUT_B, LAYOUT_JOINED}};

REFERENCE(concat_vjp) { ref_concat_vjp(N(0), N(1), N(2), N(3), X(0), y[0], y[1]); }
LAUNCH(concat_vjp)
{
  return b->concat_vjp(ex, c->accumulate, N(0), N(1), N(2), N(3), IN(0), OUT(1), OUT(2));
}
const dc_glue dc_glue_concat_vjp = {EXACT(concat_vjp),
                                    LINEAR,
                                    NO_SUM,
                                    .view = dc_view_concat_vjp,
                                    .shape = concat_vjp_shape,
                                    .check = concat_check,
                                    .draw = concat_draw,
                                    .layout = {LAYOUT_JOINED, LAYOUT_A, LAYOUT_B}};

/* ---- a part of an axis of n: len from start on ---- */

static const char *part_check(const char *len_name, int64_t len, int64_t start, const char *n_name,
                              int64_t n)
{
  return len > n || start > n - len
             ? dc_why("start + %s must be at most %s: %lld + %lld, %lld", len_name, n_name,
                      (long long)start, (long long)len, (long long)n)
             : NULL;
}

/* All of the axis, none of it, its beginning, its end, anything; multiples of four often, so that
 * vectors are met with inner = 1 too. */
static void part_draw(dc_rng *r, int64_t n, int64_t *len, double *start)
{
  int64_t step = dc_rng_below(r, 2) && n >= 4 ? 4 : 1, from = 0;
  *len = n;
  if (dc_rng_below(r, 8)) {
    *len = dc_rng_below(r, n / step + 1) * step;
    from = dc_rng_below(r, 4)   ? dc_rng_below(r, (n - *len) / step + 1) * step
           : dc_rng_below(r, 2) ? n - *len
                                : 0;
  }
  *start = (double)from;
}

/* Only the part; half of it; from 0 on. */
static int part_simpler(int k, int64_t *n, int64_t *len, double *start)
{
  int64_t old_n = *n, old_len = *len;
  double old_start = *start;
  if (k == 0)
    *n = *len, *start = 0;
  else if (k == 1)
    *n -= *len / 2, *len -= *len / 2;
  else if (k == 2)
    *n -= (int64_t)*start, *start = 0;
  return k < 3 && (*n != old_n || *len != old_len || *start != old_start);
}

/* ---- slice: outer n inner len; start ---- */

static const char *slice_check(const int64_t *size, const double *attr)
{
  return part_check("len", size[3], (int64_t)attr[0], "n", size[1]);
}

static void slice_draw(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  dc_draw_sizes(r, want, 3, size);
  part_draw(r, size[1], &size[3], &attr[0]);
}

static int slice_simpler(int k, int64_t *size, double *attr)
{
  return part_simpler(k, &size[1], &size[3], &attr[0]);
}

REFERENCE(slice) { ref_slice(N(0), N(1), N(2), N(3), INTEGER(0), X(0), y[0]); }
LAUNCH(slice) { return b->slice(ex, N(0), N(1), N(2), N(3), INTEGER(0), IN(0), OUT(1)); }
const dc_glue dc_glue_slice = {EXACT(slice),
                               LINEAR,
                               NO_SUM,
                               .view = dc_view_slice,
                               .attr = {DC_ATTR_INTEGER},
                               .check = slice_check,
                               .draw = slice_draw,
                               .simpler = slice_simpler};

REFERENCE(slice_vjp) { ref_slice_vjp(N(0), N(1), N(2), N(3), INTEGER(0), X(0), y[0]); }
LAUNCH(slice_vjp)
{
  return b->slice_vjp(ex, c->accumulate, N(0), N(1), N(2), N(3), INTEGER(0), IN(0), OUT(1));
}
const dc_glue dc_glue_slice_vjp = {EXACT(slice_vjp),
                                   LINEAR,
                                   NO_SUM,
                                   .view = dc_view_slice_vjp,
                                   .attr = {DC_ATTR_INTEGER},
                                   .check = slice_check,
                                   .draw = slice_draw,
                                   .simpler = slice_simpler};

/* ---- write_rows: rows cols k; start ---- */

static const char *write_rows_check(const int64_t *size, const double *attr)
{
  return part_check("k", size[2], (int64_t)attr[0], "rows", size[0]);
}

static void write_rows_draw(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  dc_draw_sizes(r, want, 2, size);
  part_draw(r, size[0], &size[2], &attr[0]);
}

static int write_rows_simpler(int k, int64_t *size, double *attr)
{
  return part_simpler(k, &size[0], &size[2], &attr[0]);
}

REFERENCE(write_rows) { ref_write_rows(N(0), N(1), N(2), INTEGER(0), X(0), X(1), y[0]); }
LAUNCH(write_rows) { return b->write_rows(ex, N(0), N(1), N(2), INTEGER(0), IN(0), IN(1), OUT(2)); }
const dc_glue dc_glue_write_rows = {EXACT(write_rows),
                                    LINEAR,
                                    NO_SUM,
                                    .replaces = {1},
                                    .attr = {DC_ATTR_INTEGER},
                                    .check = write_rows_check,
                                    .draw = write_rows_draw,
                                    .simpler = write_rows_simpler};

REFERENCE(write_rows_vjp) { ref_write_rows_vjp(N(0), N(1), N(2), INTEGER(0), X(0), y[0], y[1]); }
LAUNCH(write_rows_vjp)
{
  return b->write_rows_vjp(ex, c->accumulate, N(0), N(1), N(2), INTEGER(0), IN(0), OUT(1), OUT(2));
}
const dc_glue dc_glue_write_rows_vjp = {EXACT(write_rows_vjp),
                                        LINEAR,
                                        NO_SUM,
                                        .attr = {DC_ATTR_INTEGER},
                                        .check = write_rows_check,
                                        .draw = write_rows_draw,
                                        .simpler = write_rows_simpler};

/* ---- of n elements ---- */

REFERENCE(copy) { ref_copy(N(0), X(0), y[0]); }
LAUNCH(copy) { return b->copy(ex, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_copy = {EXACT(copy), LINEAR, EACH};

REFERENCE(copy_vjp) { ref_copy_vjp(N(0), X(0), y[0]); }
LAUNCH(copy_vjp) { return b->copy_vjp(ex, c->accumulate, N(0), IN(0), OUT(1)); }
const dc_glue dc_glue_copy_vjp = {EXACT(copy_vjp), LINEAR, EACH};

#define POLICY_SAME "every bit counts; there is no input."

REFERENCE(fill) { ref_fill(N(0), REAL(0), y[0]); }
LAUNCH(fill) { return b->fill(ex, N(0), (float)REAL(0), OUT(0)); }
const dc_glue dc_glue_fill = {FUNCTIONS(fill),           EACH,
                              .policy = POLICY_SAME,     .attr = {DC_ATTR_REAL},
                              .attr_least = {-INFINITY}, .attr_most = {INFINITY}};

REFERENCE(zeros) { ref_zeros(N(0), y[0]); }
LAUNCH(zeros) { return b->zeros(ex, N(0), OUT(0)); }
const dc_glue dc_glue_zeros = {FUNCTIONS(zeros), EACH, .policy = POLICY_SAME};

REFERENCE(ones) { ref_ones(N(0), y[0]); }
LAUNCH(ones) { return b->ones(ex, N(0), OUT(0)); }
const dc_glue dc_glue_ones = {FUNCTIONS(ones), EACH, .policy = POLICY_SAME};
