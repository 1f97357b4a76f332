/* What each family's .cu gives the back end beside its launchers: the rows of the kernel table,
 * in order of preference, and the workspace of its ops. */
#ifndef PM_HOST_TABLE_H
#define PM_HOST_TABLE_H
#include "check.h"
#include "../lang/kernel.h"

typedef struct pm_family {
  const pm_kernel *rows;
  int n;
  size_t (*workspace)(const char *op, const int64_t *size); /* NULL: no op needs any */
} pm_family;

#define PM_FAMILIES(F) \
  F(elementwise)       \
  F(activation)        \
  F(bias)              \
  F(reduce)            \
  F(softmax)           \
  F(loss)              \
  F(norm)              \
  F(batch_norm)        \
  F(shape) F(broadcast) F(matmul) F(gather) F(random) F(slice) F(optimizer)
#define PM_DECLARE_FAMILY(f) extern "C" const pm_family LAUNCHER(family_##f);
PM_FAMILIES(PM_DECLARE_FAMILY)
#undef PM_DECLARE_FAMILY

static inline int64_t divide_up(int64_t a, int64_t b) { return a / b + (a % b != 0); }

#pragma GCC visibility push(hidden)
/* The variant of c->op that runs: the one asked for or else the first that is suited; bit i of
 * `suited` speaks of the op's row i, and its last row suits always unless asked for by name. Sets
 * ex->ran. -1 where c->status tells why none runs. */
int pm_pick(pm_check *c, pm_exec *ex, const pm_kernel *rows, int n, unsigned suited);
/* Blocks for that many threads; an error where a grid cannot have as many. */
unsigned pm_blocks(pm_check *c, int64_t threads, int block);
/* c->status, or what the runtime says of the launches just made. */
pm_status pm_launched(const pm_check *c);
#pragma GCC visibility pop
#define PM_PICK(c, ex, rows, suited) pm_pick(c, ex, rows, (int)(sizeof rows / sizeof *rows), suited)

/* The last line of a family's .cu. */
#define PM_FAMILY(f, rows, workspace)                                                         \
  extern "C" const pm_family LAUNCHER(family_##f) = {rows, (int)(sizeof rows / sizeof *rows), \
                                                     workspace}
#endif
