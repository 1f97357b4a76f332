/* Movement of elements: transpose2d, permute, swap_adjacent and their VJPs. */
#include "planes.h"
#include "walk.h"

/*@ assigns \nothing; ensures \result == Moved(a); */
DEV float moved(float a) { return a; }

#define MAP_NAME permute_map
#define MAP_INPUTS 1
#define MAP_F0 moved
#define MAP_L0 Moved
#define MAP_ADDS
#include "../map/map.h"

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include <inttypes.h>

#include "../map/map_launch.h"
#include "squares.h"

#define BY4 "rows and cols multiples of 4, both tensors 16-byte aligned"
#define IN_ORDER "the axes of size other than 1 in their order"
#define PLANES "the axes merging into (planes, rows, cols) of which the last two are exchanged"
#define TURNED4 "the last axis of either tensor another, both multiples of 4, both tensors aligned"
#define RUNS "the last axis staying last, merged a multiple of 4, both tensors 16-byte aligned"
#define PERMUTE_ROWS(op)                                     \
  {op, "copy", IN_ORDER, PM_VALUE, declare_none},            \
      {op, "vec4", PLANES ", " BY4, PM_VALUE, declare_none}, \
      {op, "tile", PLANES, PM_VALUE, declare_none},          \
      {op, "squares", TURNED4, PM_CHECKED, declare_none},    \
      {op, "rows", RUNS, PM_VALUE, declare_none},            \
  {                                                          \
    op, "walk", "always", PM_VALUE, declare_none             \
  }

static const pm_kernel ROWS[] = {
    {"transpose2d", "vec4", BY4, PM_VALUE, declare_none},
    {"transpose2d", "tile", "always", PM_VALUE, declare_none},
    {"transpose2d_vjp", "vec4", BY4, PM_VALUE, declare_none},
    {"transpose2d_vjp", "tile", "always", PM_VALUE, declare_none},
    PERMUTE_ROWS("permute"),
    PERMUTE_ROWS("permute_vjp"),
    PERMUTE_ROWS("swap_adjacent"),
    PERMUTE_ROWS("swap_adjacent_vjp"),
};

enum { BLOCK = SQUARES_DOWN * SQUARES_ACROSS };

static int by4(idx rows, idx cols, const float *x, const float *y)
{
  return rows % 4 == 0 && cols % 4 == 0 && pm_aligned16(x) && pm_aligned16(y);
}

/* x: (planes, rows, cols), none of them 0. */
static void transpose(pm_check *c, pm_exec *ex, int four, int accumulate, idx planes, idx rows,
                      idx cols, const float *x, float *y)
{
  idx down = divide_up(rows, four ? 4 * SQUARES_DOWN : TILE);
  idx across = divide_up(cols, four ? 4 * SQUARES_ACROSS : TILE), per = down * across;
  unsigned blocks = pm_blocks(c, planes * per, 1);
  if (blocks && four)
    LAUNCH(transpose_vec4, blocks, BLOCK, ex->stream, planes, rows * cols, per, rows / 4, cols / 4,
           accumulate, x, y);
  else if (blocks)
    LAUNCH(transpose_tile, blocks, BLOCK, ex->stream, planes, rows * cols, per, rows, cols, down,
           across, accumulate, x, y);
}

/* y = x transposed, or y + that; x is (rows, cols). Everything is checked but the variant. */
static pm_status transpose2d(pm_check *c, pm_exec *ex, int accumulate, idx rows, idx cols,
                             const float *x, float *y)
{
  int variant = PM_PICK(c, ex, ROWS, by4(rows, cols, x, y) ? 3u : 2u);
  if (variant >= 0 && rows && cols)
    transpose(c, ex, variant == 0, accumulate, 1, rows, cols, x, y);
  return pm_launched(c);
}

extern "C" pm_status LAUNCHER(transpose2d)(pm_exec *ex, int64_t rows, int64_t cols, const float *x,
                                           float *y)
{
  pm_check c = pm_begin("transpose2d", ex);
  idx n;
  pm_size(&c, "rows", rows);
  pm_size(&c, "cols", cols);
  n = pm_times(&c, "rows", rows, "cols", cols);
  pm_in(&c, "x", x, n, sizeof *x);
  pm_out(&c, "y", y, n, sizeof *y);
  return pm_checked(&c) == PM_OK ? transpose2d(&c, ex, 0, rows, cols, x, y) : c.status;
}

extern "C" pm_status LAUNCHER(transpose2d_vjp)(pm_exec *ex, int accumulate, int64_t rows,
                                               int64_t cols, const float *g, float *dx)
{
  pm_check c = pm_begin("transpose2d_vjp", ex);
  idx n;
  pm_flag(&c, "accumulate", accumulate);
  pm_size(&c, "rows", rows);
  pm_size(&c, "cols", cols);
  n = pm_times(&c, "rows", rows, "cols", cols);
  pm_in(&c, "g", g, n, sizeof *g);
  pm_out(&c, "dx", dx, n, sizeof *dx);
  return pm_checked(&c) == PM_OK ? transpose2d(&c, ex, accumulate, cols, rows, g, dx) : c.status;
}

/* ---- permutations: axis e of y is axis axis[e] of x ---- */

typedef struct permutation {
  int rank;
  idx size[PM_MAX_RANK]; /* of x */
  int axis[PM_MAX_RANK];
} permutation;

/* The same movement without axes of size 1, and with one axis for those that stay side by side. */
static permutation merged(const permutation *p)
{
  permutation m = {};
  int before[PM_MAX_RANK], head[PM_MAX_RANK], last = -1;
  for (int d = 0; d < p->rank; d++) { /* the axis of x before d that is not of size 1 */
    before[d] = last;
    last = p->size[d] == 1 ? last : d;
  }
  last = -1;
  for (int e = 0; e < p->rank; e++) {
    int d = p->axis[e];
    if (p->size[d] == 1)
      continue;
    if (last < 0 || before[d] != last)
      head[m.rank++] = d;
    last = d;
  }
  /* Axis e of the merged y begins at axis head[e] of x, and ends where the next head stands. */
  for (int e = 0; e < m.rank; e++) {
    for (int f = 0; f < m.rank; f++) m.axis[e] += head[f] < head[e];
    m.size[m.axis[e]] = 1;
  }
  for (int d = 0, at = -1; d < p->rank; d++) {
    for (int e = 0; e < m.rank; e++) at = head[e] == d ? m.axis[e] : at;
    if (at >= 0)
      m.size[at] *= p->size[d];
  }
  return m;
}

/* The first n axes of y, where the index of each counts its axis of x in units of `unit`. */
static walk walk_of(const permutation *p, int n, idx unit)
{
  walk w = {};
  w.n = n;
  for (int e = 0; e < n; e++) {
    w.size[e] = p->size[p->axis[e]];
    w.step[e] = 1;
    for (int d = p->axis[e] + 1; d < p->rank; d++) w.step[e] *= p->size[d];
    w.step[e] /= unit;
  }
  return w;
}

/* x and y hold the n elements of p. Everything is checked but the variant. */
static pm_status permute(pm_check *c, pm_exec *ex, int accumulate, const permutation *given, idx n,
                         const float *x, float *y)
{
  enum { ENOUGH = 16 }; /* rows and cols, for a transpose to pay */
  enum { COPY, TURN, TILED, SQUARE, RUN, WALK };
  permutation none = {}, p = merged(n ? given : &none);
  int r = p.rank, aligned = pm_aligned16(x) && pm_aligned16(y);
  int turned = r == 2 ? p.axis[0] == 1 : r == 3 && p.axis[0] == 0 && p.axis[1] == 2;
  int stays = r > 0 && p.axis[r - 1] == r - 1;
  idx planes = r == 3 ? p.size[0] : 1, rows = turned ? p.size[r - 2] : 0;
  idx cols = turned ? p.size[r - 1] : 0, len = stays ? p.size[r - 1] : 1;
  int pays = ex->variant || (rows >= ENOUGH && cols >= ENOUGH);
  int square =
      r > 1 && !stays && aligned && p.size[r - 1] % 4 == 0 && p.size[p.axis[r - 1]] % 4 == 0;
  unsigned suited = 1u << WALK | (r < 2) << COPY | (stays && len % 4 == 0 && aligned) << RUN |
                    square << SQUARE | (turned && pays) << TILED |
                    (turned && pays && by4(rows, cols, x, y)) << TURN;
  int variant = PM_PICK(c, ex, ROWS, suited);
  if (variant < 0 || n == 0)
    return c->status;
  if (variant == COPY) {
    map_grid grid = map_threads(c, n, MAP_SHARE1, aligned);
    if (grid.blocks)
      LAUNCH(permute_map, grid.blocks, MAP_BLOCK, ex->stream, n, grid.V, accumulate, 0.0f, 0.0f, x,
             (const float *)NULL, (const float *)NULL, y, (float *)NULL);
  } else if (variant == TURN || variant == TILED) {
    transpose(c, ex, variant == TURN, accumulate, planes, rows, cols, x, y);
  } else if (variant == SQUARE) {
    squares s = squares_of(r, p.size, p.axis);
    unsigned blocks = pm_blocks(c, squares_blocks(&s), 1);
    if (blocks)
      LAUNCH(permute_squares, blocks, SQUARES_BLOCK, ex->stream, s, accumulate, x, y);
  } else {
    idx unit = variant == RUN ? 4 : 1;
    unsigned blocks = pm_blocks(c, n / unit, BLOCK);
    walk w = walk_of(&p, stays ? r - 1 : r, unit);
    if (blocks && variant == RUN)
      LAUNCH(permute_walk_vec4, blocks, BLOCK, ex->stream, w, n / len, len / 4, accumulate, x, y);
    else if (blocks)
      LAUNCH(permute_walk_scalar, blocks, BLOCK, ex->stream, w, n / len, len, accumulate, x, y);
  }
  return pm_launched(c);
}

/* From y back to x. */
static permutation inverse(const permutation *p)
{
  permutation back = {};
  back.rank = p->rank;
  for (int e = 0; e < p->rank; e++) {
    back.size[e] = p->size[p->axis[e]];
    back.axis[p->axis[e]] = e;
  }
  return back;
}

static void take_shape(pm_check *c, int rank, const int64_t *shape, permutation *p)
{
  for (int d = 0; c->status == PM_OK && d < rank; d++) {
    p->rank = rank;
    p->size[d] = shape[d];
    p->axis[d] = d;
  }
}

static void take_axes(pm_check *c, int rank, const int64_t *axes, permutation *p)
{
  int used[PM_MAX_RANK] = {};
  if (c->status == PM_OK && rank > 0 && !axes)
    c->status = pm_fail(PM_BAD_ARGUMENT, c->op, "axes = NULL: must point to %d axes", rank);
  for (int e = 0; c->status == PM_OK && e < rank; e++) {
    idx a = axes[e];
    if (a < -rank || a >= rank) {
      c->status = pm_fail(PM_BAD_ARGUMENT, c->op, "axes[%d] = %" PRId64 ": must be from %d to %d",
                          e, a, -rank, rank - 1);
      return;
    }
    p->axis[e] = (int)(a < 0 ? a + rank : a);
    if (used[p->axis[e]]++)
      c->status = pm_fail(PM_BAD_ARGUMENT, c->op, "axes[%d] = %" PRId64 ": axis %d stands twice", e,
                          a, p->axis[e]);
  }
}

static void take_depth(pm_check *c, int rank, int64_t depth, permutation *p)
{
  if (c->status == PM_OK && depth >= 0 && depth < rank - 1) {
    p->axis[depth] = (int)depth + 1;
    p->axis[depth + 1] = (int)depth;
  }
}

/* `take` reads the axes after the shape. */
#define MOVES(op, type, arg, take)                                                            \
  extern "C" pm_status LAUNCHER(op)(pm_exec * ex, int rank, const int64_t *shape, type arg,   \
                                    const float *x, float *y)                                 \
  {                                                                                           \
    pm_check c = pm_begin(#op, ex);                                                           \
    permutation p = {};                                                                       \
    idx n = pm_shape(&c, "rank", rank, "shape", shape);                                       \
    take_shape(&c, rank, shape, &p);                                                          \
    take(&c, rank, arg, &p);                                                                  \
    pm_in(&c, "x", x, n, sizeof *x);                                                          \
    pm_out(&c, "y", y, n, sizeof *y);                                                         \
    return pm_checked(&c) == PM_OK ? permute(&c, ex, 0, &p, n, x, y) : c.status;              \
  }                                                                                           \
  extern "C" pm_status LAUNCHER(op##_vjp)(pm_exec * ex, int accumulate, int rank,             \
                                          const int64_t *shape, type arg, const float *g,     \
                                          float *dx)                                          \
  {                                                                                           \
    pm_check c = pm_begin(#op "_vjp", ex);                                                    \
    permutation p = {}, back;                                                                 \
    idx n;                                                                                    \
    pm_flag(&c, "accumulate", accumulate);                                                    \
    n = pm_shape(&c, "rank", rank, "shape", shape);                                           \
    take_shape(&c, rank, shape, &p);                                                          \
    take(&c, rank, arg, &p);                                                                  \
    back = inverse(&p);                                                                       \
    pm_in(&c, "g", g, n, sizeof *g);                                                          \
    pm_out(&c, "dx", dx, n, sizeof *dx);                                                      \
    return pm_checked(&c) == PM_OK ? permute(&c, ex, accumulate, &back, n, g, dx) : c.status; \
  }

MOVES(permute, const int64_t *, axes, take_axes)
MOVES(swap_adjacent, int64_t, depth, take_depth)

PM_FAMILY(shape, ROWS, NULL);
#endif
