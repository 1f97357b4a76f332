/* What each family's .cu gives the back end beside its launchers: the rows of the kernel table,
 * in order of preference, and the workspace of its ops. */
#ifndef PM_TABLE_H
#define PM_TABLE_H
#include "kernel.h"
#include "launch.h"

typedef struct pm_family {
  const pm_kernel *rows;
  int n;
  size_t (*workspace)(const char *op, const int64_t *size); /* NULL: no op needs any */
} pm_family;

#define PM_FAMILIES(F) F(elementwise) F(reduce) F(softmax) F(shape) F(matmul) F(gather)
#define PM_DECLARE_FAMILY(f) extern "C" const pm_family LAUNCHER(family_##f);
PM_FAMILIES(PM_DECLARE_FAMILY)
#undef PM_DECLARE_FAMILY

/* The last line of a family's .cu. */
#define PM_FAMILY(f, rows, workspace)                                                              \
  extern "C" const pm_family LAUNCHER(family_##f) = {rows, (int)(sizeof rows / sizeof *rows),      \
                                                     workspace}
#endif
