/* transpose2d, permute, swap_adjacent and their VJPs. */
#include "../../ref/shape.h"
#include "glue.h"

#define TILES .far = 1 << 21 /* 65535 tiles of 16 rows, and of 32 */

REFERENCE(transpose2d) { ref_transpose2d(N(0), N(1), X(0), y[0]); }
LAUNCH(transpose2d) { return b->transpose2d(ex, N(0), N(1), IN(0), OUT(1)); }
const dc_glue dc_glue_transpose2d = {EXACT(transpose2d), LINEAR, NO_SUM, TILES};

REFERENCE(transpose2d_vjp) { ref_transpose2d_vjp(N(0), N(1), X(0), y[0]); }
LAUNCH(transpose2d_vjp) { return b->transpose2d_vjp(ex, c->accumulate, N(0), N(1), IN(0), OUT(1)); }
const dc_glue dc_glue_transpose2d_vjp = {EXACT(transpose2d_vjp), LINEAR, NO_SUM, TILES};

/* ---- permute and swap_adjacent: axes from `rank` on have size 1 ---- */

enum { RANK = DC_RANK };

/* From -rank on an axis counts from the last. */
static void axes_of(const double *attr, int64_t *axes)
{
  int rank = (int)attr[0];
  for (int e = 0; e < rank; e++)
    axes[e] = (int64_t)attr[1 + e] + (attr[1 + e] < 0 ? rank : 0);
}

static const char *refuse_sizes(const int64_t *size, const double *attr)
{
  for (int d = (int)attr[0]; d < RANK; d++)
    if (size[d] != 1)
      return dc_why("d%d is %lld, must be 1: rank is %d", d, (long long)size[d], (int)attr[0]);
  return NULL;
}

static const char *refuse_axes(const int64_t *size, const double *attr)
{
  int rank = (int)attr[0], used = 0;
  for (int e = 0; e < RANK; e++) {
    int p = (int)attr[1 + e], axis = p < 0 ? p + rank : p;
    if (e >= rank && p != e)
      return dc_why("p%d is %d, must be %d: rank is %d", e, p, e, rank);
    if (e < rank && (axis < 0 || axis >= rank))
      return dc_why("p%d is %d, must be from %d to %d", e, p, -rank, rank - 1);
    if (e < rank && used >> axis & 1)
      return dc_why("p%d is %d: axis %d stands twice", e, p, axis);
    used |= e < rank ? 1 << axis : 0;
  }
  return refuse_sizes(size, attr);
}

static int64_t fours(int64_t size) { return size > 1 ? (size + 3) / 4 * 4 : size; }

static int any_size(dc_extent want) { return want.kind == DC_USUAL || want.kind == DC_LARGE; }

/* A third of the small ranks have sizes for accesses of 16 bytes. */
static int draw_rank(dc_rng *r, dc_extent want, int64_t *size)
{
  int rank = dc_draw_rank(r, want, size);
  if (any_size(want) && rank <= 4 && dc_rng_below(r, 3) == 0)
    for (int d = 0; d < rank; d++)
      size[d] = fours(size[d]);
  return rank;
}

/* Often a few axes change places and the others stay side by side: kernels merge those. Of four or
 * more, half are turned in any way. */
static void draw_axes(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  int rank = draw_rank(r, want, size), turns = (int)dc_rng_below(r, rank > 3 ? 6 : 4);
  attr[0] = rank;
  for (int e = 0; e < RANK; e++)
    attr[1 + e] = e;
  if (rank > 1 && turns < 3) { /* y is x from axis `from` on, `by` axes later, up to axis `to` */
    int from = (int)dc_rng_below(r, rank - 1);
    int to = from + 2 + (int)dc_rng_below(r, rank - from - 1);
    int by = 1 + (int)dc_rng_below(r, to - from - 1);
    for (int e = from; e < to; e++)
      attr[1 + e] = from + (e - from + by) % (to - from);
  }
  for (int e = rank - 1; e > 0 && turns > 2; e--) {
    int other = (int)dc_rng_below(r, e + 1);
    double axis = attr[1 + e];
    attr[1 + e] = attr[1 + other];
    attr[1 + other] = axis;
  }
  if (any_size(want) && rank > 3 &&
      dc_rng_below(r, 2)) { /* of the larger, the last axis of x and of y */
    size[rank - 1] = fours(size[rank - 1]);
    size[(int)attr[rank]] = fours(size[(int)attr[rank]]);
  }
  for (int e = 0; e < rank; e++)
    if (dc_rng_below(r, 8) == 0)
      attr[1 + e] -= rank;
}

static void draw_depth(dc_rng *r, dc_extent want, int64_t *size, double *attr)
{
  int rank = draw_rank(r, want, size);
  attr[0] = rank;
  if (dc_rng_below(r, 8)) /* else any number: the identity, in most cases */
    attr[1] = (double)(dc_rng_below(r, rank + 1) - (dc_rng_below(r, 8) == 0));
}

/* Without axis d. */
static void drop(int64_t *size, double *attr, int d)
{
  memmove(size + d, size + d + 1, (size_t)(RANK - 1 - d) * sizeof *size);
  size[RANK - 1] = 1;
  attr[0] -= 1;
}

static int simpler_axes(int k, int64_t *size, double *attr)
{
  int rank = (int)attr[0], n = 0;
  int64_t axes[RANK];
  if (k >= rank)
    return 0;
  axes_of(attr, axes);
  drop(size, attr, k);
  for (int e = 0; e < rank; e++)
    if (axes[e] != k)
      attr[1 + n++] = (double)(axes[e] - (axes[e] > k));
  attr[rank] = rank - 1;
  return 1;
}

static int simpler_depth(int k, int64_t *size, double *attr)
{
  if (k >= (int)attr[0])
    return 0;
  drop(size, attr, k);
  attr[1] -= k < attr[1];
  return 1;
}

static int permuted_shape(const dc_op *op, int tensor, const int64_t *size, const double *attr,
                          int64_t *shape)
{
  int of_x = strchr(op->tensor[tensor].name, 'x') != NULL, rank = (int)attr[0]; /* x, dx; y, g */
  int64_t axes[RANK];
  axes_of(attr, axes);
  for (int e = 0; e < rank; e++)
    shape[e] = size[of_x ? e : axes[e]];
  return rank;
}

static int swapped_shape(const dc_op *op, int tensor, const int64_t *size, const double *attr,
                         int64_t *shape)
{
  int of_x = strchr(op->tensor[tensor].name, 'x') != NULL, rank = (int)attr[0];
  memcpy(shape, size, (size_t)rank * sizeof *shape);
  if (!of_x && attr[1] >= 0 && attr[1] < rank - 1) {
    shape[(int)attr[1]] = size[(int)attr[1] + 1];
    shape[(int)attr[1] + 1] = size[(int)attr[1]];
  }
  return rank;
}

#define PERMUTES                                                                                \
  .shape = permuted_shape, .check = refuse_axes, .draw = draw_axes, .simpler = simpler_axes,    \
  .attr = {DC_ATTR_INTEGER, DC_ATTR_INTEGER, DC_ATTR_INTEGER, DC_ATTR_INTEGER, DC_ATTR_INTEGER, \
           DC_ATTR_INTEGER, DC_ATTR_INTEGER, DC_ATTR_INTEGER, DC_ATTR_INTEGER},                 \
  .attr_default = {RANK, 0, 1, 2, 3, 4, 5, 6, 7},                                               \
  .attr_least = {0, -RANK, -RANK, -RANK, -RANK, -RANK, -RANK, -RANK, -RANK},                    \
  .attr_most = {RANK,     RANK - 1, RANK - 1, RANK - 1, RANK - 1,                               \
                RANK - 1, RANK - 1, RANK - 1, RANK - 1},                                        \
  LINEAR, NO_SUM, TILES
#define SWAPS                                                                                  \
  .shape = swapped_shape, .check = refuse_sizes, .draw = draw_depth, .simpler = simpler_depth, \
  .attr = {DC_ATTR_INTEGER, DC_ATTR_INTEGER}, .attr_default = {RANK, 0},                       \
  .attr_least = {0, -DC_WHOLE}, .attr_most = {RANK, DC_WHOLE}, LINEAR, NO_SUM, TILES
#define PERMUTED_LAYOUT "(d[p0], d[p1], ..)"
#define SWAPPED_LAYOUT "(.., d[depth+1], d[depth], ..)"

REFERENCE(permute)
{
  int64_t axes[RANK];
  axes_of(c->attr, axes);
  ref_permute(INTEGER(0), c->size, axes, X(0), y[0]);
}
static void given_axes(const double *attr, int64_t *axes)
{
  for (int e = 0; e < RANK; e++)
    axes[e] = (int64_t)attr[1 + e];
}
LAUNCH(permute)
{
  int64_t axes[RANK];
  given_axes(c->attr, axes);
  return b->permute(ex, (int)INTEGER(0), c->size, axes, IN(0), OUT(1));
}
const dc_glue dc_glue_permute = {EXACT(permute), PERMUTES, .layout = {NULL, PERMUTED_LAYOUT},
                                 .view = dc_view_permute};

REFERENCE(permute_vjp)
{
  int64_t axes[RANK];
  axes_of(c->attr, axes);
  ref_permute_vjp(INTEGER(0), c->size, axes, X(0), y[0]);
}
LAUNCH(permute_vjp)
{
  int64_t axes[RANK];
  given_axes(c->attr, axes);
  return b->permute_vjp(ex, c->accumulate, (int)INTEGER(0), c->size, axes, IN(0), OUT(1));
}
const dc_glue dc_glue_permute_vjp = {
    EXACT(permute_vjp), PERMUTES, .layout = {PERMUTED_LAYOUT, NULL}, .view = dc_view_permute_vjp};

REFERENCE(swap_adjacent) { ref_swap_adjacent(INTEGER(0), c->size, INTEGER(1), X(0), y[0]); }
LAUNCH(swap_adjacent)
{
  return b->swap_adjacent(ex, (int)INTEGER(0), c->size, INTEGER(1), IN(0), OUT(1));
}
const dc_glue dc_glue_swap_adjacent = {EXACT(swap_adjacent), SWAPS,
                                       .layout = {NULL, SWAPPED_LAYOUT}, .view = dc_view_swap};

REFERENCE(swap_adjacent_vjp) { ref_swap_adjacent_vjp(INTEGER(0), c->size, INTEGER(1), X(0), y[0]); }
LAUNCH(swap_adjacent_vjp)
{
  return b->swap_adjacent_vjp(ex, c->accumulate, (int)INTEGER(0), c->size, INTEGER(1), IN(0),
                              OUT(1));
}
const dc_glue dc_glue_swap_adjacent_vjp = {
    EXACT(swap_adjacent_vjp), SWAPS, .layout = {SWAPPED_LAYOUT, NULL}, .view = dc_view_swap_vjp};
