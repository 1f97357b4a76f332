/* Targets out of range: then no output is written, and no host waits to know. An op with a gradient
 * looks at all targets in its first launch, which leaves a flag a block in the workspace: the
 * launch after it writes no gradient where one is set. A loss depends on what the rows leave: in
 * place of a loss, or of a sum of losses, REFUSED. */
#ifndef PM_LOSS_TARGETS_H
#define PM_LOSS_TARGETS_H
#include "launch.h"
#include "wide.h"

enum {
  TARGETS_BLOCK = 256,
  TARGETS_EACH = 1024, /* targets of a block, at least */
  TARGETS_FLAGS = 128  /* blocks, at most: a warp reads all their flags */
};

typedef struct target_flags {
  const int *bad; /* (n) */
  int n;
} target_flags;

static const target_flags NO_FLAGS = {NULL, 0};

/* No loss is negative: log s >= 0, as one term of s is exp(0), and x[target] <= m. */
#define REFUSED -1.0f

/* Block b looks at targets b*each .. and sets bad[b]. */
KERNEL void loss_targets(idx rows, idx cols, idx each, const idx *RESTRICT target, int *bad,
                         int *status)
{
  idx lo = (idx)blockIdx.x * each, hi = rows - lo < each ? rows : lo + each;
  int outside = 0;
  others_may_start();
  for (idx r = lo + TID_; r < hi; r += BDIM) {
    idx t = LDI(target + r);
    outside |= t < 0 || t >= cols;
  }
  outside = __syncthreads_or(outside);
  if (TID_ == 0) {
    bad[blockIdx.x] = outside;
    if (outside && status)
      *status = PM_BAD_ARGUMENT;
  }
}

/* Whether any target was bad: the same in every warp. */
DEV int targets_refused(target_flags f)
{
  int any = 0;
  for (int i = TID_ % 32; i < f.n; i += 32) any |= f.bad[i];
  return __any_sync(0xffffffffu, any);
}

/* ---- host ---- */

static inline idx targets_each(idx rows)
{
  idx each = rows / TARGETS_FLAGS + 1;
  return each < TARGETS_EACH ? (idx)TARGETS_EACH : each;
}

static inline int targets_blocks(idx rows)
{
  return rows > 0 ? (int)((rows - 1) / targets_each(rows) + 1) : 0;
}

static inline target_flags launch_targets(void *stream, idx rows, idx cols, const idx *target,
                                          int *bad, int *status)
{
  target_flags flags = {bad, targets_blocks(rows)};
  LAUNCH(loss_targets, flags.n, TARGETS_BLOCK, stream, rows, cols, targets_each(rows), target, bad,
         status);
  return flags;
}
#endif
