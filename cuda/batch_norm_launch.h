/* The host's side of batch_parts.cu: batch_norm of channels in parts. */
#ifndef PM_BATCH_NORM_LAUNCH_H
#define PM_BATCH_NORM_LAUNCH_H
#include "launch.h"

/* sums and squares: (channels, parts). */
typedef struct batch_call {
  int64_t n, channels, size, chunk, parts;
  int block;
  float eps;
  const float *x, *gamma, *beta;
  float *y, *mean, *rstd, *sums, *squares;
} batch_call;

/* channels * parts < 2^31 blocks of `block` threads, part p having the vectors p chunk .. of its
 * channel, none of them empty. vec: x and y are 16-byte aligned and size is a multiple of 4. */
extern "C" void LAUNCHER(batch_parts)(const pm_exec *ex, int vec, const batch_call *t);
#endif
