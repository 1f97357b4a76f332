/* Reductions of x, (outer, n, inner), over its middle axis, in a fixed order: the launchers.
 *
 * A level joins up to `chunk` elements of each line into one and leaves (outer, chunks, inner); the
 * next does the same to that, until one element of each line is left.
 *   rows    inner is 1: a group of up to 32 lanes reads a chunk side by side (rows.h)
 *   narrow  inner below 32: a warp reads whole rows of `inner`, as many as fit side by side
 *           (narrow.h)
 *   cols    else: a thread goes down a chunk of one column, or of four (cols.h)
 * Sums, means and maxima are joined there; count_max.h counts ties, in the same three ways. Of more
 * than 32 rows of aligned columns the teams of a block share a chunk (tall.h, tall_plan.h). */
#ifndef PM_REDUCE_LAUNCH_H
#define PM_REDUCE_LAUNCH_H
#include "rows.h"
#include "cols.h"
#include "count_max.h"
#include "narrow.h"
#include "../sum/any_axes.h"

/* ---- levels ---- */

enum { REDUCE_ROWS, REDUCE_NARROW, REDUCE_COLS, REDUCE_BLOCK = 128 };

typedef struct reduce_level {
  int how;
  idx n, chunk, chunks;
} reduce_level;

/* Elements that a group of lanes takes of each of `outer` > 0 lines: all of a few, else as many as
 * keep the machine full. */
static inline idx reduce_row_chunk(idx outer, idx n)
{
  const idx groups = (idx)1 << 13;
  idx each;
  if (n <= 2048 || outer >= groups)
    return n;
  each = n / ((groups + outer - 1) / outer) / 128 * 128 + 128;
  return each < 1024 ? 1024 : each;
}

static inline int reduce_how(idx n, idx inner)
{
  return inner == 1 ? REDUCE_ROWS : axis_narrow(n, inner) ? REDUCE_NARROW : REDUCE_COLS;
}

static inline reduce_level reduce_level_of(idx outer, idx n, idx inner, int first)
{
  reduce_level l = {reduce_how(n, inner), n, 0, 0};
  if (l.how == REDUCE_ROWS)
    l.chunk = reduce_row_chunk(outer, n);
  else if (l.how == REDUCE_NARROW)
    l.chunk = axis_narrow_chunk(outer, n, inner);
  else
    l.chunk = colsum_chunk(n, outer * inner, first);
  l.chunks = colsum_chunks(n, l.chunk);
  return l;
}

/* Eight elements a lane, or four vectors, as long as there are enough of them. */
static inline int reduce_log_lanes(idx chunk, int vec)
{
  int log = 0;
  while (log < 5 && (idx)(vec ? 16 : 8) << log < chunk) log++;
  return log;
}

/* Additions above any element, the first of each lane being to 0. */
static inline double reduce_level_height(const reduce_level *l, idx inner, int vec)
{
  double height = 0;
  idx lanes = 1, each = l->chunk;
  if (l->how == REDUCE_ROWS) {
    int log = reduce_log_lanes(l->chunk, vec);
    lanes = (idx)1 << log;
    height = log;
    if (vec) {
      idx edges = l->chunk < 6 ? l->chunk : 6, rounds = divide_up(l->chunk / 4, lanes);
      return height + (double)((rounds ? rounds + 1 : 0) + divide_up(edges, lanes));
    }
  } else if (l->how == REDUCE_NARROW) {
    lanes = AXIS_WARP / inner;
    for (idx m = 1; m < lanes; m *= 2) height += 1;
  }
  each = divide_up(each, lanes);
  return height + (double)(each > 0 ? each - 1 : 0);
}

static inline double reduce_height(idx outer, idx n, idx inner, int vec)
{
  double height = 0;
  if (outer == 0 || inner == 0)
    return height;
  for (int first_level = 1;; first_level = 0) {
    reduce_level l = reduce_level_of(outer, n, inner, first_level);
    height += reduce_level_height(&l, inner, vec);
    if (l.chunks == 1)
      return height;
    n = l.chunks;
  }
}

/* What the first level leaves, and behind it the second; later ones take turns. */
static inline size_t reduce_bytes(idx outer, const reduce_level *l, idx inner, size_t element)
{
  return l->chunks == 1 ? 0 : ((size_t)(outer * l->chunks * inner) * element + 15) / 16 * 16;
}

static inline size_t axis_workspace(idx outer, idx n, idx inner, size_t element)
{
  reduce_level first, second;
  if (outer == 0 || inner == 0)
    return 0;
  first = reduce_level_of(outer, n, inner, 1);
  second = reduce_level_of(outer, first.chunks, inner, 0);
  return reduce_bytes(outer, &first, inner, element) + reduce_bytes(outer, &second, inner, element);
}

/* The lanes of a group, and the threads of a level; vec: 16-byte accesses. */
static inline int reduce_lanes_of(const reduce_level *l, int vec)
{
  return l->how == REDUCE_ROWS ? reduce_log_lanes(l->chunk, vec) : 5;
}

static inline unsigned reduce_blocks(pm_check *c, const reduce_level *l, idx outer, idx inner,
                                     int vec, int log)
{
  idx lines = outer * l->chunks, width = vec ? inner / 4 : inner;
  return pm_blocks(c, l->how == REDUCE_COLS ? lines * width : lines << log, REDUCE_BLOCK);
}

/* A level of a reduction; all: of what its join is the last one, or -1. */
template <int Which>
static void reduce_level_launch(pm_check *c, const pm_exec *ex, const reduce_level *l, idx outer,
                                idx inner, int vec, idx all, const float *x, float *out)
{
  int log = reduce_lanes_of(l, vec);
  unsigned blocks = reduce_blocks(c, l, outer, inner, vec, log);
  void *on = ex->stream;
  if (!blocks)
    return;
  if (l->how == REDUCE_ROWS && vec && l->chunks == 1 && 0 < l->n && l->n % 4 == 0 &&
      l->n <= ROWS_WHOLE)
    LAUNCH(reduce_rows_full<Which>, blocks, REDUCE_BLOCK, on, 1 << log, 32 >> log, (idx)blocks,
           outer, (int)(l->n / 4), all, x, out);
  else if (l->how == REDUCE_ROWS && vec)
    LAUNCH_AFTER((reduce_rows<Which, 1>), blocks, REDUCE_BLOCK, on, 1 << log, 32 >> log,
                 (idx)blocks, outer, l->n, l->chunk, l->chunks, all, x, out);
  else if (l->how == REDUCE_ROWS)
    LAUNCH_AFTER((reduce_rows<Which, 0>), blocks, REDUCE_BLOCK, on, 1 << log, 32 >> log,
                 (idx)blocks, outer, l->n, l->chunk, l->chunks, all, x, out);
  else if (l->how == REDUCE_NARROW)
    LAUNCH_AFTER(reduce_narrow<Which>, blocks, REDUCE_BLOCK, on, (idx)blocks, outer, l->n, inner,
                 l->chunk, l->chunks, all, x, out);
  else if (vec)
    LAUNCH_AFTER((reduce_cols<Which, 4>), blocks, REDUCE_BLOCK, on, outer, l->n, inner / 4,
                 l->chunk, l->chunks, all, x, out);
  else
    LAUNCH_AFTER((reduce_cols<Which, 1>), blocks, REDUCE_BLOCK, on, outer, l->n, inner, l->chunk,
                 l->chunks, all, x, out);
}

/* A level of a count: of x, or of parts where there are any. */
static inline void count_level_launch(pm_check *c, const pm_exec *ex, const reduce_level *l,
                                      idx outer, idx inner, int vec, const float *x, const float *y,
                                      const double *part, double *out)
{
  vec = vec && !part;
  int log = reduce_lanes_of(l, vec);
  unsigned blocks = reduce_blocks(c, l, outer, inner, vec, log);
  if (!blocks)
    return;
#define COUNT_GROUPS(PARTS, VEC)                                                                \
  LAUNCH_AFTER((max_axis_count_groups<PARTS, VEC>), blocks, REDUCE_BLOCK, ex->stream, 1 << log, \
               32 >> log, (idx)blocks, outer, l->n, inner, l->chunk, l->chunks, x, y, part, out)
#define COUNT_COLS(PARTS, W)                                                                   \
  LAUNCH_AFTER((max_axis_count_cols<PARTS, W>), blocks, REDUCE_BLOCK, ex->stream, outer, l->n, \
               inner / W, l->chunk, l->chunks, x, y, part, out)
  if (l->how == REDUCE_COLS) {
    if (part)
      COUNT_COLS(1, 1);
    else if (vec)
      COUNT_COLS(0, 4);
    else
      COUNT_COLS(0, 1);
  } else if (part)
    COUNT_GROUPS(1, 0);
  else if (vec && l->how == REDUCE_ROWS)
    COUNT_GROUPS(0, 1);
  else
    COUNT_GROUPS(0, 0);
#undef COUNT_GROUPS
#undef COUNT_COLS
}

/* The levels that leave one element of each line in out: level(l, from, to), where `from` is what
 * the level before has left, NULL at the first. work: axis_workspace bytes. */
template <class T, class F>
static void axis_levels(pm_check *c, idx outer, idx n, idx inner, void *work, T *out, F level)
{
  reduce_level l = reduce_level_of(outer, n, inner, 1);
  T *room[2] = {(T *)work, NULL}, *left = l.chunks == 1 ? out : room[0];
  room[1] = room[0] + reduce_bytes(outer, &l, inner, sizeof(T)) / sizeof(T);
  level(&l, (const T *)NULL, left);
  for (int turn = 1; l.chunks != 1 && c->status == PM_OK; turn ^= 1) {
    const T *from = left;
    l = reduce_level_of(outer, l.chunks, inner, 0);
    left = l.chunks == 1 ? out : room[turn];
    level(&l, from, left);
  }
}

/* out, (outer, inner), of x, (outer, n, inner); no size but n is 0. vec: x is 16-byte aligned, and
 * inner 1 or a multiple of 4. work: axis_workspace bytes. */
template <int Which>
static void axis_launch(pm_check *c, const pm_exec *ex, idx outer, idx n, idx inner, int vec,
                        void *work, const float *x, float *out)
{
  axis_levels(c, outer, n, inner, work, out,
              [=](const reduce_level *l, const float *from, float *to) {
                int wide = !from || l->how != REDUCE_COLS || colsum_wide(outer * l->chunks * inner);
                reduce_level_launch<Which>(c, ex, l, outer, inner, vec && wide,
                                           l->chunks == 1 ? n : -1, from ? from : x, to);
              });
}

/* The same of the count of those that are the line's element of y, (outer, inner). */
static inline void count_launch(pm_check *c, const pm_exec *ex, idx outer, idx n, idx inner,
                                int vec, void *work, const float *x, const float *y, double *out)
{
  axis_levels(c, outer, n, inner, work, out,
              [=](const reduce_level *l, const double *from, double *to) {
                count_level_launch(c, ex, l, outer, inner, vec, x, y, from, to);
              });
}
#endif
