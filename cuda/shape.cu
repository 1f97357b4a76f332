/* Movement of elements: transpose2d and its VJP, one kernel for both. x is (rows, cols), y is
 * (cols, rows). */
#include "kernel.h"
#include "../spec/shape.h"

/* ---- vec4: a thread turns a 4x4 square in registers; a block 32 x 8 of them, so that a warp
 * reads whole 128-byte lines and writes whole 64-byte halves of them ---- */
#define SQUARES_DOWN 32
#define SQUARES_ACROSS 8

/* Rows 4i .. 4i+3, columns 4j .. 4j+3 of x; accumulate adds to y. */
DEV void transpose_square(idx i, idx j, idx rows, idx cols, int accumulate,
                          const float *RESTRICT x, float *RESTRICT y)
{
  idx from = at2(rows, cols, 4 * i, 4 * j), to = at2(cols, rows, 4 * j, 4 * i);
  float4 a = LD4(x + from), b = LD4(x + from + cols);
  float4 c = LD4(x + from + 2 * cols), d = LD4(x + from + 3 * cols);
  float4 p = {a.x, b.x, c.x, d.x}, q = {a.y, b.y, c.y, d.y};
  float4 r = {a.z, b.z, c.z, d.z}, s = {a.w, b.w, c.w, d.w};
  if (accumulate) {
    p = plus4(LD4(y + to), p);
    q = plus4(LD4(y + to + rows), q);
    r = plus4(LD4(y + to + 2 * rows), r);
    s = plus4(LD4(y + to + 3 * rows), s);
  }
  ST4(y + to, p);
  ST4(y + to + rows, q);
  ST4(y + to + 2 * rows, r);
  ST4(y + to + 3 * rows, s);
}

/* rows is 4*R and cols 4*C; the grid has down x across blocks. */
KERNEL void transpose_vec4(idx R, idx C, idx down, idx across, int accumulate,
                           const float *RESTRICT x, float *RESTRICT y)
{
  BROWS(bi, down, across)
    BCOLS(bj, across)
      LANE_ROWS(ty, SQUARES_DOWN, SQUARES_ACROSS)
        LANE_COLS(tx, SQUARES_ACROSS)
        {
          idx i = bi * SQUARES_DOWN + ty, j = bj * SQUARES_ACROSS + tx;
          if (i < R && j < C)
            transpose_square(i, j, 4 * R, 4 * C, accumulate, x, y);
        }
}

/* ---- tile: any shape, through a tile of shared memory; its rows are one word longer, so that
 * neither rows nor columns meet in one bank ---- */
#define TILE 32
#define PITCH 33

DEV void transpose_load(float *tile, idx i, idx j, idx rows, idx cols, const float *RESTRICT x,
                        int ty, int tx PHASE_FN)
{
  if (i + ty < rows && j + tx < cols)
    ST(&tile[ty * PITCH + tx], LDG(x + at2(rows, cols, i + ty, j + tx)));
}

DEV void transpose_store(float *tile, idx i, idx j, idx rows, idx cols, int accumulate,
                         float *RESTRICT y, int ty, int tx PHASE_FN)
{
  if (i + tx < rows && j + ty < cols) {
    idx to = at2(cols, rows, j + ty, i + tx);
    float v = LD(&tile[tx * PITCH + ty]);
    STG(y + to, accumulate ? LDG(y + to) + v : v);
  }
}

KERNEL void transpose_tile(idx rows, idx cols, idx down, idx across, int accumulate,
                           const float *RESTRICT x, float *RESTRICT y)
{
  SHARED(float, tile, TILE * PITCH);
  BROWS(bi, down, across)
    BCOLS(bj, across)
    {
      PHASE_ROWS(ty, TILE, TILE)
        LANE_COLS(tx, TILE)
          transpose_load(tile, bi * TILE, bj * TILE, rows, cols, x, ty, tx IN_PHASE);
      PHASE_ROWS(ty, TILE, TILE)
        LANE_COLS(tx, TILE)
          transpose_store(tile, bi * TILE, bj * TILE, rows, cols, accumulate, y, ty, tx IN_PHASE);
    }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "table.h"

#define VEC4 "rows and cols multiples of 4, both tensors 16-byte aligned"

static void declare_none(const int64_t *size, pm_arith *out) { (void)size, (void)out; }

static const pm_kernel ROWS[] = {
  {"transpose2d", "vec4", VEC4, PM_CHECKED, declare_none},
  {"transpose2d", "tile", "always", PM_CHECKED, declare_none},
  {"transpose2d_vjp", "vec4", VEC4, PM_CHECKED, declare_none},
  {"transpose2d_vjp", "tile", "always", PM_CHECKED, declare_none},
};

static idx ceil_div(idx n, idx by) { return n / by + (n % by != 0); }

/* y = x transposed, or y + that; x is (rows, cols). Everything is checked but the variant. */
static pm_status transpose(pm_check *c, pm_exec *ex, int accumulate, idx rows, idx cols,
                           const float *x, float *y)
{
  enum { BLOCK = 256 };
  int fits = rows % 4 == 0 && cols % 4 == 0 && pm_aligned16(x) && pm_aligned16(y);
  int variant = PM_PICK(c, ex, ROWS, fits ? 3u : 2u);
  idx down, across;
  unsigned blocks;
  if (variant < 0 || !rows || !cols)
    return c->status;
  down = variant == 0 ? ceil_div(rows, 4 * SQUARES_DOWN) : ceil_div(rows, TILE);
  across = variant == 0 ? ceil_div(cols, 4 * SQUARES_ACROSS) : ceil_div(cols, TILE);
  blocks = pm_blocks(c, down * across, 1);
  if (blocks && variant == 0)
    LAUNCH(transpose_vec4, blocks, BLOCK, ex->stream, rows / 4, cols / 4, down, across, accumulate,
           x, y);
  else if (blocks)
    LAUNCH(transpose_tile, blocks, BLOCK, ex->stream, rows, cols, down, across, accumulate, x, y);
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
  return pm_checked(&c) == PM_OK ? transpose(&c, ex, 0, rows, cols, x, y) : c.status;
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
  return pm_checked(&c) == PM_OK ? transpose(&c, ex, accumulate, cols, rows, g, dx) : c.status;
}

PM_FAMILY(shape, ROWS, NULL);
#endif
