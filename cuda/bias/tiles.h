/* Tiled copy with a column reduction: x, (rows, cols), copied, and the sums of its columns, by
 * tiles: a copy is fast where neighbours in memory move at the same time, so a thread has two
 * rows of a tile and not a long strip of them. */
#ifndef PM_BIAS_TILES_H
#define PM_BIAS_TILES_H
#include "column_sums.h"
#include "../sum/column_join.h"

enum {
  TILE_WARPS = 32,
  TILE_BLOCK = 32 * TILE_WARPS,
  TILE_ROWS = 2 * TILE_WARPS, /* two a warp */
  TILE_COLS = 4 * 32,         /* four a thread */
  TILES_MOST = 2048           /* below one another */
};

/* part, (rows by TILE_ROWS, 4V): row k is the sums of the k-th TILE_ROWS rows. */
template <int COPIES>
KERNEL void __launch_bounds__(TILE_BLOCK)
    add_bias_vjp_tiles(idx rows, idx V, idx across, const float *RESTRICT x, float *RESTRICT copy,
                       float *RESTRICT part)
{
  SHARED(float, sums, TILE_WARPS *TILE_COLS);
  idx down = blockIdx.x / across, left = (blockIdx.x - down * across) * TILE_COLS;
  idx v = left / 4 + TID_ % 32, r = down * TILE_ROWS + TID_ / 32;
  int one = v < V && r < rows, two = v < V && r + TILE_WARPS < rows;
  idx k = 4 * (r * V + v), next = k + 4 * TILE_WARPS * V;
  float4 a = {0, 0, 0, 0}, b = {0, 0, 0, 0};
  if (one)
    a = LD4(x + k);
  if (two)
    b = LD4(x + next);
  if (one)
    keep_four(k, a, COPIES, copy);
  if (two)
    keep_four(next, b, COPIES, copy);
  STS4(sums + 4 * TID_, plus4(a, b));
  __syncthreads();
  if (TID_ < TILE_COLS && left + TID_ < 4 * V) {
    float s = sums[TID_];
    UNROLL
    for (int w = 1; w < TILE_WARPS; w++) s = s + sums[w * TILE_COLS + TID_];
    part[down * 4 * V + left + TID_] = s;
  }
}

/* ---- host ---- */

static inline int bias_tiles_suit(idx rows, idx cols)
{
  return rows >= TILE_ROWS && rows <= (idx)TILES_MOST * TILE_ROWS && cols >= TILE_COLS;
}

/* Additions above any element: those of its tile, then those of what joins the tiles. */
static inline double bias_tiles_height(idx rows, idx cols)
{
  idx down = divide_up(rows, TILE_ROWS);
  return TILE_WARPS + sums_height(down, cols);
}

static inline size_t bias_tiles_workspace(idx rows, idx cols)
{
  return (size_t)divide_up(rows, TILE_ROWS) * (size_t)cols * sizeof(float);
}

/* copy = x and out = the sums, or both added to. */
static inline void bias_tiles_launch(pm_check *c, const pm_exec *ex, int accumulate, idx rows,
                                     idx cols, const float *x, float *copy, float *out)
{
  idx across = divide_up(cols, TILE_COLS), down = divide_up(rows, TILE_ROWS);
  unsigned blocks = pm_blocks(c, across * down, 1);
  float *part = (float *)ex->work;
  if (!blocks)
    return;
  if (accumulate)
    LAUNCH(add_bias_vjp_tiles<COPY_ADD>, blocks, TILE_BLOCK, ex->stream, rows, cols / 4, across, x,
           copy, part);
  else
    LAUNCH(add_bias_vjp_tiles<COPY_SET>, blocks, TILE_BLOCK, ex->stream, rows, cols / 4, across, x,
           copy, part);
  LAUNCHER(column_join)(ex->stream, 1, accumulate, down, cols, part, out, NULL);
}
#endif
