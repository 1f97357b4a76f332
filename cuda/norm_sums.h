/* dgamma and dbeta, (cols): sums over the rows of g xhat and of g, in two stages. The first leaves n
 * rows of sums of the one and behind them n of the other; the second, here, adds those up. Both in
 * an order that sizes alone decide. */
#ifndef PM_NORM_SUMS_H
#define PM_NORM_SUMS_H
#include "rows.h"

enum { SUMS_BLOCK = 1024 };

/* The second stage, after the launch before it: dgamma and dbeta, or each + . A block has `width`
 * columns and a power of 2 of teams, of which team j adds up rows j, j + teams, ..; the blocks of
 * dbeta, where it is wanted, stand behind those of dgamma, which is 0 where affine is 0. */
KERNEL void norm_sums(int width, int affine, int accumulate, idx n, idx cols, const float *sums,
                      float *dgamma, float *dbeta)
{
  SHARED(float, cells, SUMS_BLOCK);
  const int teams = BDIM / width, team = TID_ / width;
  const idx strips = (cols + width - 1) / width;
  const int second = blockIdx.x >= strips;
  const idx c = (blockIdx.x - second * strips) * width + TID_ % width;
  const idx rows = second || affine ? n : 0;
  const float *from = sums + (second ? n * cols : 0);
  float *to = second ? dbeta : dgamma, sum = 0.0f;
  await_launches();
  if (c < cols) {
    UNROLL_BY(8)
    for (idx r = team; r < rows; r += teams) sum = sum + LDG(from + at2(n, cols, r, c));
  }
  cells[TID_] = sum;
  __syncthreads();
  for (int half = teams / 2; half > 0; half /= 2) {
    if (team < half)
      cells[TID_] = cells[TID_] + cells[TID_ + half * width];
    __syncthreads();
  }
  if (team == 0 && c < cols)
    to[c] = accumulate ? to[c] + cells[TID_] : cells[TID_];
}

/* ---- host ---- */

static inline int sums_width(idx cols) { return cols <= 1024 ? 8 : 32; }

/* Teams: up to 4 rows each, as far as a block has threads; whole warps of threads. */
static inline int sums_teams(idx n, idx cols)
{
  int width = sums_width(cols), teams = 32 / width;
  while (teams < SUMS_BLOCK / width && 4 * teams < n) teams *= 2;
  return teams;
}

/* Additions above any of n rows of sums. */
static inline double sums_height(idx n, idx cols)
{
  int teams = sums_teams(n, cols);
  double height = n ? (double)divide_up(n, teams) - 1 : 0;
  for (int m = 1; m < teams; m *= 2) height += 1;
  return height;
}

/* dbeta may be NULL. */
static inline void launch_sums(void *stream, int affine, int accumulate, idx n, idx cols,
                               const float *sums, float *dgamma, float *dbeta)
{
  int width = sums_width(cols);
  idx grid = divide_up(cols, width) * (dbeta ? 2 : 1);
  LAUNCH_AFTER(norm_sums, grid, width * sums_teams(n, cols), stream, width, affine, accumulate, n,
               cols, sums, dgamma, dbeta);
}
#endif
