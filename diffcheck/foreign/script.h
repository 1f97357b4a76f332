/* A failing case as a program of its own, which shows the fault without diffcheck: the data, the call, what is
 * right and how near to it an element must be. Of a kernel in a library it is Python, with NumPy and ctypes; of one
 * in a source, CUDA with a main. It exits with 1 where the fault is there, and with 0 where it is not. */
#ifndef DIFFCHECK_SCRIPT_H
#define DIFFCHECK_SCRIPT_H
#include <stdio.h>

#include "foreign.h"

enum { SCRIPT_ELEMENTS = 1 << 16 }; /* of a case, in all its tensors */

/* ".py" or ".cu". */
const char *script_ending(const foreign *f);
/* Writes it. `replay` is what shows the case again, for a comment. DC_INVALID: why there is none: the fault is one
 * that a single call does not show, the case is too large or adds to its outputs, or the pointers are a GPU's. */
dc_status script_write(const foreign *f, const dc_failure *x, const pm_arith *declared,
                       const char *replay, FILE *out, dc_error *err);
#endif
