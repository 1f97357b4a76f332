/* How vjp_stream.cu cuts up a matrix. */
#ifndef PM_NORM_VJP_STREAM_PLAN_H
#define PM_NORM_VJP_STREAM_PLAN_H

enum {
  PART_ROWS = 2,
  STRIP_BLOCK = 256,
  STRIP_WARPS = 8,
  PART_EACH = 8,    /* columns of a thread in a part */
  PART_COLS = 2048, /* of a block there */
  STRIP_ROWS = 64,  /* of which a block has the sums at a time */
  STRIP_TEAMS = 4,  /* of a block, one below another */
  TEAMS_BLOCK = 1024,
  TEAM_ROWS = 16,   /* of STRIP_ROWS */
  STRIP_LANES = 16, /* that add up the parts of one of them */
  STRIP_DEPTH = 4,  /* rows that a thread has on their way */
  CHUNKS = 1024     /* of rows, at most */
};

/* ---- host ---- */

#ifndef __FRAMAC__
#include "vjp_regs.h"
#include "../host/table.h"

static_assert(STRIP_BLOCK == 32 * STRIP_WARPS && PART_COLS == PART_EACH * STRIP_BLOCK &&
                  TEAMS_BLOCK == STRIP_TEAMS * STRIP_BLOCK &&
                  STRIP_ROWS == STRIP_TEAMS * TEAM_ROWS && TEAMS_BLOCK == STRIP_ROWS * STRIP_LANES,
              "they are one another's products");

static inline idx stream_chunk_rows(idx rows)
{
  idx least = divide_up(rows, CHUNKS);
  return least < STRIP_ROWS ? (idx)STRIP_ROWS : least;
}

static inline idx stream_parts(idx cols) { return divide_up(cols, PART_COLS); }

/* Additions above an element of a row: its thread's, the warp's, the block's, the parts'. */
static inline double stream_row_height(idx cols)
{
  double height = PART_EACH - 1 + 5 + STRIP_WARPS - 1;
  height += (double)divide_up(stream_parts(cols), STRIP_LANES) - 1;
  for (int n = 1; n < STRIP_LANES; n *= 2) height += 1;
  return height;
}

/* Above one of a column in a row of sums: its team's rows, the teams. */
static inline double stream_column_height(idx rows)
{
  return (double)(divide_up(stream_chunk_rows(rows), STRIP_ROWS) * TEAM_ROWS - 1 + STRIP_TEAMS - 1);
}

/* dx, and into the workspace 2 rows of sums for each chunk, or 1 without mean; behind 2 of each a
 * pair for each part of a row. */
extern "C" void LAUNCHER(norm_vjp_stream)(const pm_exec *ex, const vjp_call *t);
#endif
#endif
