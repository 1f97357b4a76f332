/* layer_norm, rms_norm and their VJPs where a row is cut up among a cluster of blocks
 * (cluster_slice.h): the sizes, and the host's side of cluster.cu and vjp_cluster.cu. */
#ifndef PM_NORM_CLUSTER_PLAN_H
#define PM_NORM_CLUSTER_PLAN_H
enum {
  ROW_CLUSTER = 8,     /* blocks of a row */
  SLICE_ROWS = 1 << 30 /* of a matrix, at most: they are counted in turns of the mailbox */
};

/* ---- host ---- */

#ifndef __FRAMAC__
#include "../lang/cluster_exchange.h"
#include "regs.h"
#include "vjp_regs.h"
#include "../host/table.h"

enum {
  ROW_CLUSTERS = 15,   /* of so many blocks at once, on an H200; */
  BESIDE = 4,          /* of narrow rows so many times that */
  CHUNK_OF_ROWS = 128, /* that one thread adds up, unless there are very many */
  NARROW_EACH = 8,
  NARROW_BLOCK = 64,
  MIDDLE_BLOCK = 320,
  WIDE_EACH = 13,
  WIDE_BLOCK = 512,
  CLUSTER_COLS = ROW_CLUSTER * WIDE_EACH * WIDE_BLOCK
};

static inline int slice_width(idx cols) { return (int)divide_up(cols, ROW_CLUSTER); }

/* Cells of a slice in a stage, as slice_of (cluster_slice.h) has them. */
static inline int slice_room(int width) { return (width + 9) / 4 * 4; }

/* Threads of a block: NARROW_BLOCK, MIDDLE_BLOCK or WIDE_BLOCK. */
static inline int slice_block(idx cols)
{
  int width = slice_width(cols);
  if (width <= NARROW_EACH * NARROW_BLOCK)
    return NARROW_BLOCK;
  return width <= NARROW_EACH * MIDDLE_BLOCK ? MIDDLE_BLOCK : WIDE_BLOCK;
}

/* Clusters that are at work at once. */
static inline idx row_clusters(idx cols)
{
  return slice_block(cols) == WIDE_BLOCK ? ROW_CLUSTERS : BESIDE * ROW_CLUSTERS;
}

static inline double slice_row_height(idx cols)
{
  return (slice_block(cols) == WIDE_BLOCK ? WIDE_EACH : NARROW_EACH) - 1 +
         exchange_height(ROW_CLUSTER);
}

/* Rows of a cluster, whole chunks, and of a chunk. */
typedef struct slice_plan {
  idx each, chunk;
} slice_plan;

static inline slice_plan slice_plan_of(idx rows, idx cols)
{
  idx each = divide_up(rows, row_clusters(cols)), chunks = divide_up(each, CHUNK_OF_ROWS);
  slice_plan p;
  chunks = chunks < 8 ? chunks : 8;
  p.chunk = chunks ? divide_up(each, chunks) : 1;
  p.each = chunks * p.chunk;
  return p;
}

/* run(EACH, BLOCK) for these columns. */
#define WITH_SLICE(run, cols)                 \
  if (slice_block(cols) == NARROW_BLOCK)      \
    run(NARROW_EACH, NARROW_BLOCK);           \
  else if (slice_block(cols) == MIDDLE_BLOCK) \
    run(NARROW_EACH, MIDDLE_BLOCK);           \
  else                                        \
    run(WIDE_EACH, WIDE_BLOCK)

/* x is 16-byte aligned, cols <= CLUSTER_COLS and rows <= SLICE_ROWS. */
extern "C" void LAUNCHER(norm_cluster)(const pm_exec *ex, const norm_call *t);

/* The same of x and g; dx, and into the workspace a row of sums for each chunk, for dgamma, then
 * for dbeta. */
extern "C" void LAUNCHER(norm_vjp_cluster)(const pm_exec *ex, const vjp_call *t);
#endif
#endif
