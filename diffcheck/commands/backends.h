/* Finds the back ends a command may use: the simulator, linked in, and the GPU, in a library of
 * its own so that diffcheck runs where there is neither driver nor nvcc. */
#ifndef DIFFCHECK_BACKENDS_H
#define DIFFCHECK_BACKENDS_H
#include "../engine/diffcheck.h"

/* Under AddressSanitizer threads of the simulator are begun and ended some ten times as slowly. */
#if defined(__SANITIZE_ADDRESS__)
#define BACKENDS_SLOWNESS 10
#else
#define BACKENDS_SLOWNESS 1
#endif

typedef struct backends {
  const pm_backend *list[DC_BACKENDS]; /* initialised, here or in a worker */
  dc_worker *worker[DC_BACKENDS];      /* NULL where they run in this process */
  char device[DC_BACKENDS][DC_TEXT];   /* its name */
  int n;
  char why_no_cuda[DC_TEXT]; /* "" when the GPU is in the list or was not wanted */
} backends;

/* choice: "sim", "cuda", "all" (both), or NULL: the simulator, and the GPU where there is one.
 * An error when a back end that was asked for cannot be had. */
dc_status backends_open(const char *choice, backends *out, dc_error *err);
/* The same, each in a process of its own (command_worker): here neither a kernel nor a driver runs.
 * seconds: how long a launch may take. */
dc_status backends_apart(const char *choice, double seconds, backends *out, dc_error *err);
/* Ends the workers. */
dc_status backends_close(backends *b, dc_error *err);
/* The kernel tables whether or not there is a device; NULL where the library is missing too. */
const pm_backend *backends_cuda(dc_error *why_not);
#endif
