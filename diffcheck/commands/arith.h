/* What is declared of a kernel's arithmetic at the command line, and what that leaves unseen. */
#ifndef DIFFCHECK_ARITH_H
#define DIFFCHECK_ARITH_H
#include "../engine/engine.h"

/* "height=12,exp=2": each number replaces what `out` has. An error names `argument`, the key, its value
 * and the rule; `out` is then untouched. */
dc_status arith_read(const char *argument, const char *text, pm_arith *out, dc_error *err);

/* Wrong answers, element by element. */
enum { ARITH_ZERO, ARITH_CONSTANT, ARITH_HALF, ARITH_LAST, ARITH_WRONGS };
const char *arith_wrong(int k); /* "zeros", .. */

/* Adds to count[k] the elements of b, an output of the slice, at which the wrong answer k would have been
 * taken for right, and is not right to f32's accuracy. */
void arith_blind(dc_slice *s, const dc_problem *p, const dc_band *b, int64_t count[ARITH_WRONGS]);
#endif
