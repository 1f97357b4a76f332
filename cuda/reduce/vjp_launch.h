/* VJPs of the reductions over an axis (launch.h): dx, (outer, n, inner), of g, (outer, inner).
 * That of the maximum counts first how many elements of each line are the largest: a group of
 * lanes or a block does both for a row that it keeps, or finds in the caches; any other line is
 * counted by the levels of a reduction. */
#ifndef PM_REDUCE_VJP_LAUNCH_H
#define PM_REDUCE_VJP_LAUNCH_H
#include "launch.h"
#include "vjp.h"
#include "vjp_max_rows.h"

/* Elements of a chunk of a column, at most; of four columns of the maximum. */
enum { SPREAD_COLUMN = 16, SPREAD_FOUR = 8 };

/* vec: dx, and x where there is one, is 16-byte aligned. No size is 0. */
template <int Which>
static void axis_vjp_launch(pm_check *c, const pm_exec *ex, idx outer, idx n, idx inner, int vec,
                            int accumulate, const float *x, const float *y, const double *ties,
                            const float *g, float *dx)
{
  idx most = SPREAD_ROW;
  if (inner > 1 && inner < AXIS_WARP)
    most = 1; /* columns of few lanes: neighbours write side by side */
  else if (inner > 1)
    most = Which == AXIS_MAX && vec && inner % 4 == 0 ? SPREAD_FOUR : SPREAD_COLUMN;
  idx chunk = n < most ? n : most;
  idx chunks = colsum_chunks(n, chunk);
  int log = reduce_log_lanes(chunk, 0);
  vec = vec && (inner == 1 ? chunk >= 4 : inner % 4 == 0);
  idx width = vec ? inner / 4 : inner;
  unsigned blocks =
      pm_blocks(c, inner == 1 ? outer * chunks << log : outer * chunks * width, REDUCE_BLOCK);
  if (!blocks)
    return;
  if (inner == 1 && vec)
    LAUNCH((reduce_vjp_rows<Which, 4>), blocks, REDUCE_BLOCK, ex->stream, 1 << log, 32 >> log,
           outer, n, chunk, chunks, accumulate, x, y, ties, g, dx);
  else if (inner == 1)
    LAUNCH((reduce_vjp_rows<Which, 1>), blocks, REDUCE_BLOCK, ex->stream, 1 << log, 32 >> log,
           outer, n, chunk, chunks, accumulate, x, y, ties, g, dx);
  else if (vec)
    LAUNCH((reduce_vjp_cols<Which, 4>), blocks, REDUCE_BLOCK, ex->stream, outer, n, width, chunk,
           chunks, accumulate, x, y, ties, g, dx);
  else
    LAUNCH((reduce_vjp_cols<Which, 1>), blocks, REDUCE_BLOCK, ex->stream, outer, n, width, chunk,
           chunks, accumulate, x, y, ties, g, dx);
}

/* The ties of each line of x, as count_max.h counts them: (outer, inner), and behind it what
 * levels leave. */
static inline size_t ties_bytes(idx outer, idx inner)
{
  return ((size_t)(outer * inner) * sizeof(double) + 15) / 16 * 16;
}

static inline size_t ties_workspace(idx outer, idx n, idx inner)
{
  return ties_bytes(outer, inner) + axis_workspace(outer, n, inner, sizeof(double));
}

static inline void ties_launch(pm_check *c, const pm_exec *ex, idx outer, idx n, idx inner, int vec,
                               const float *x, const float *y)
{
  double *ties = (double *)ex->work;
  count_launch(c, ex, outer, n, inner, vec && (inner == 1 || inner % 4 == 0),
               (char *)ex->work + ties_bytes(outer, inner), x, y, ties);
}

/* As many lanes as have two vectors each, up to a block. */
static inline int ties_log_lanes(idx n)
{
  int log = 0;
  while (log < 8 && (idx)8 << log < n) log++;
  return log;
}

/* n <= TIES_ROW. vec: n is a multiple of 4, x and dx are 16-byte aligned. */
static inline void ties_rows_launch(pm_check *c, const pm_exec *ex, idx rows, idx n, int vec,
                                    int accumulate, const float *x, const float *y, const float *g,
                                    float *dx)
{
  int log = ties_log_lanes(n), block = log > 5 ? 1 << log : REDUCE_BLOCK;
  unsigned blocks = pm_blocks(c, rows << log, block);
  if (blocks && vec)
    LAUNCH(max_axis_vjp_rows<4>, blocks, block, ex->stream, 1 << log, 32 >> log, (idx)blocks, rows,
           (int)n, accumulate, x, y, g, dx);
  else if (blocks)
    LAUNCH(max_axis_vjp_rows<1>, blocks, block, ex->stream, 1 << log, 32 >> log, (idx)blocks, rows,
           (int)n, accumulate, x, y, g, dx);
}
#endif
