/* The host's side of shared.cu: layer_norm and rms_norm of rows in shared memory. */
#ifndef PM_NORM_SHARED_H
#define PM_NORM_SHARED_H
#include "regs.h"

/* By `blocks` blocks of `block` threads; cols <= 57856. vec: every tensor is 16-byte aligned. */
extern "C" void LAUNCHER(norm_slots)(const pm_exec *ex, int vec, int64_t blocks, int block,
                                     const norm_call *t);
#endif
