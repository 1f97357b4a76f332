/* Launcher of the second pass of a column reduction, dgamma and dbeta, (cols): sums over the rows
 * of g xhat and of g, in two stages. The first leaves n rows of sums of the one and behind them n
 * of the other; the second, column_join.cu, adds those up. Both in an order that sizes alone
 * decide. The second serves add_bias_vjp's tiles too, as one such sum. */
#ifndef PM_SUM_COLUMN_JOIN_H
#define PM_SUM_COLUMN_JOIN_H

enum {
  SUMS_BLOCK = 512,
  SUMS_REGISTERS = 40, /* of a thread: a block fits beside one of norm_vjp_rows */
  SUMS_DEPTH = 9,      /* rows that a thread asks for at once */
  SUMS_ROWS = 1 << 24  /* n, at most */
};

/* ---- host ---- */

#ifndef __FRAMAC__
#include "../host/table.h"

static inline int sums_width(idx cols) { return cols <= 1024 ? 16 : 32; }

/* Teams: up to SUMS_DEPTH rows each, as far as a block has threads; whole warps of threads. Team j
 * adds up rows j, j + teams, .. of as many columns as it is wide. */
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

/* The second stage, after the launch before it: dgamma and dbeta, or each + . dgamma is 0 where
 * affine is 0; dbeta may be NULL. */
extern "C" void LAUNCHER(column_join)(void *stream, int affine, int accumulate, int64_t n,
                                      int64_t cols, const float *sums, float *dgamma, float *dbeta);
#endif
#endif
