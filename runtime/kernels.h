/* Kernels of others, in place of ours. */
#ifndef PM_RUNTIME_KERNELS_H
#define PM_RUNTIME_KERNELS_H
#include "../diffcheck/engine/engine.h"
#include "internal.h"

typedef struct other other;

/* Those that PROOFMARK_KERNELS names, where the context has a device. */
pmr_status kernels_open(context *c);
void kernels_close(context *c);
/* The one that the step is for, and counts it; NULL: ours. The context's lock is held. */
other *kernels_of(context *c, const step *s);
/* The one that a step of this case would be for, which is not counted. */
other *kernels_for_case(const context *c, const dc_case *k);
size_t kernels_workspace(const other *x, const dc_case *k);
/* Under the device's lock. */
pmr_status kernels_launch(const context *c, const other *x, pm_exec *ex, const dc_args *a,
                          const dc_case *k);
const char *kernels_file(const other *x); /* that describes it */
/* How exact it is, as its description says. */
pm_arith kernels_declared(const other *x, const dc_case *k);
#endif
