/* Kernels that are not ours, as run and replay take them: one by --kernel and --call, or --source and
 * --launch; or those that files describe, by --kernels. */
#ifndef DIFFCHECK_KERNELS_H
#define DIFFCHECK_KERNELS_H
#include <argp.h>
#include <stdbool.h>

#include "../foreign/foreign.h"
#include "backends.h"

typedef struct kernel {
  foreign *f;
  backends found;              /* its one back end, and its worker; n 0: none yet */
  char text[DESCRIPTION_TEXT]; /* that its worker is told */
  char *argv[6];
} kernel;

typedef struct kernels {
  description typed; /* what the options say of one */
  const char *from;  /* a file of descriptions, or a folder of such */
  int given;         /* options of these */
  kernel *list;
  int n;
} kernels;

/* The options; their input is a struct kernels of zeros. */
extern const struct argp kernels_argp;

/* What is described, of these ops (n_ops 0: of any) and, where it is not "", of that name. Libraries are
 * looked at, and none is loaded. DC_OK, and then n > 0. */
dc_status kernels_read(kernels *k, const dc_op *const *op, int n_ops, const char *name,
                       dc_error *err);
/* Starts the kernel's worker, which loads it, seconds being what a launch may take; 0: it is loaded into
 * this process. */
dc_status kernels_start(kernel *k, double seconds, dc_error *err);
/* What a replay needs beside its line, " --kernel 'a b.so' --call ..", or NULL: no memory. Free it. */
char *kernels_typed(const kernels *k);
void kernels_free(kernels *k);

/* The worker of a kernel: diffcheck worker kernel TEXT BUILT, the library of one that has a source, or "".
 * The exit status. */
int kernels_serve(const char *text, const char *built);
#endif
