/* What the library's parts share. */
#ifndef DIFFCHECK_INSIDE_H
#define DIFFCHECK_INSIDE_H
#include "../engine/engine.h"
#include "libdiffcheck.h"

enum { LIB_LARGE = 100 };           /* one case in so many */
#define LIB_LIMIT ((size_t)4 << 30) /* bytes of a case */

/* Leaves the words for dcl_error; returns the status. */
__attribute__((format(printf, 2, 3))) dcl_status lib_fail(dcl_status s, const char *format, ...);
/* The same of what the engine says. */
dcl_status lib_passed_on(dc_status s, const char *text);
/* NULL: there is no such op, and lib_fail has said so. */
const dc_op *lib_op(const char *name);
dcl_dtype lib_type(dc_type type);
#endif
