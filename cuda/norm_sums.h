/* dgamma and dbeta, (cols): sums over the rows of g xhat and of g, in two stages. The first leaves n
 * rows of sums of the one and behind them n of the other; the second, here, adds those up. Both in
 * an order that sizes alone decide. The second serves add_bias_vjp's tiles too, as one such sum. */
#ifndef PM_NORM_SUMS_H
#define PM_NORM_SUMS_H
#include "wide.h"

enum {
  SUMS_BLOCK = 512,
  SUMS_REGISTERS = 40, /* of a thread: a block fits beside one of norm_vjp_rows */
  SUMS_DEPTH = 9       /* rows that a thread asks for at once */
};

/* The second stage, after the launch before it: dgamma and dbeta, or each + . A block has `width`
 * columns, 16 or 32, and a power of 2 of teams, of which team j adds up rows j, j + teams, ..; the
 * blocks of dbeta, where it is wanted, stand behind the `strips` of dgamma, which is 0 where affine
 * is 0. */
KERNEL void REGISTERS_AT_MOST(SUMS_REGISTERS)
    norm_sums(int width, int strips, int affine, int accumulate, int n, idx cols, const float *sums,
              float *dgamma, float *dbeta)
{
  SHARED(float, cells, SUMS_BLOCK);
  const int teams = BDIM / width, team = TID_ / width, lane = TID_ % width;
  const int second = (int)blockIdx.x >= strips;
  const idx c = ((int)blockIdx.x - second * strips) * (idx)width + lane;
  const int rows = c < cols && (second || affine) ? n : 0;
  const idx apart = teams * cols;
  const float *from = sums + ((second ? n : 0) + team) * cols + c;
  float *to = second ? dbeta : dgamma, sum = 0.0f;
  await_launches();
  for (int r = team; r < rows; r += SUMS_DEPTH * teams) {
    float v[SUMS_DEPTH];
    UNROLL
    for (int i = 0; i < SUMS_DEPTH; i++, from += apart)
      v[i] = r + i * teams < rows ? LDG(from) : 0.0f;
    UNROLL
    for (int i = 0; i < SUMS_DEPTH; i++) sum = sum + v[i];
  }
  for (int m = width; m < 32; m *= 2) {
    float other;
    SHFL_XOR(other, sum, m);
    sum = sum + other;
  }
  cells[TID_] = sum;
  __syncthreads();
  if (TID_ < width && c < cols) {
    sum = 0.0f;
    UNROLL_BY(8)
    for (int i = TID_; i < BDIM; i += 32) sum = sum + cells[i];
    to[c] = accumulate ? to[c] + sum : sum;
  }
}

/* ---- host ---- */

static inline int sums_width(idx cols) { return cols <= 1024 ? 16 : 32; }

/* Teams: up to SUMS_DEPTH rows each, as far as a block has threads; whole warps of threads. */
static inline int sums_teams(idx n, idx cols)
{
  int width = sums_width(cols), teams = 32 / width;
  while (teams < SUMS_BLOCK / width && SUMS_DEPTH * teams < n) teams *= 2;
  return teams;
}

/* Additions above any of n rows of sums: a team's, across a warp, over the warps. */
static inline double sums_height(idx n, idx cols)
{
  int width = sums_width(cols), teams = sums_teams(n, cols);
  double height = n ? (double)divide_up(n, teams) - 1 : 0;
  for (int m = width; m < 32; m *= 2) height += 1;
  return height + teams * width / 32 - 1;
}

/* dbeta may be NULL. */
static inline void launch_sums(void *stream, int affine, int accumulate, idx n, idx cols,
                               const float *sums, float *dgamma, float *dbeta)
{
  int width = sums_width(cols), strips = (int)divide_up(cols, width);
  LAUNCH_AFTER(norm_sums, strips * (dbeta ? 2 : 1), width * sums_teams(n, cols), stream, width,
               strips, affine, accumulate, (int)n, cols, sums, dgamma, dbeta);
}
#endif
