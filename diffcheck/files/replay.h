/* Cases as text: what a failure prints, `replay` reads, and --set takes.
 *   softmax rows=3 cols=33 values=ties seed=17 misaligned=2 accumulate=1 variant=warp keep=x:4:9
 * An op, then key=value fields in any order; a field not named has its simplest value. Of an op over
 * lists of sizes (dc_is_terse) a size not named is 1. Of a kernel that is not ours also types=x:bf16:y:bf16
 * and gap=x:3:y:1, the elements between two rows. */
#ifndef DIFFCHECK_REPLAY_H
#define DIFFCHECK_REPLAY_H
#include "../engine/diffcheck.h"

#define REPLAY_TEXT 1024

/* The case as one line, without tensors of the caller's own; returns text (REPLAY_TEXT bytes). */
char *replay_write(const dc_case *c, char *text);
/* The sizes and attributes alone, "rows=3 cols=33 ta=1". */
char *replay_size(const dc_op *op, const int64_t *size, const double *attr, char *text);

/* Reads a line. On error *c is untouched. Sizes are checked against the op, not against memory.
 * Here and below a number that is no float32 is rounded to one, and *note says so where it is not
 * NULL. */
dc_status replay_read(const char *line, dc_case *c, dc_error *note, dc_error *err);

/* Reads fields separated by commas or blanks into what is fixed of a run of this op: its dims and
 * attributes, values, cotangent, indices, accumulate, misaligned, variant, types, gap, and
 * strided=x:y: of which tensors the gap is to be drawn. What *f fixes already is
 * not fixed again, but an error. `argument` is named in errors. */
dc_status replay_fix(const char *argument, const char *fields, const dc_op *op, dc_fixed *f,
                     dc_error *note, dc_error *err);
#endif
