/* --arith as commands take it, and what a declared arithmetic leaves unseen. */
#ifndef DIFFCHECK_ARITH_H
#define DIFFCHECK_ARITH_H
#include <stdio.h>

#include "../engine/arith.h"
#include "../engine/engine.h"
#include "../files/inputs.h"

#define ARITH_FOREIGN "cuda" /* the profile of kernels that are not ours */
#define ARITH_ARG "PROFILE,KEY=VALUE,..."
#define ARITH_HELP                                                                            \
  "what the kernel's arithmetic is known to be: a profile (ieee, cuda, fast, triton, tf32, "  \
  "bf16, f16; default cuda), then keys in place of the profile's: height=N, pairwise, "       \
  "sequential, blocks:N or any (roundings on the longest way through a sum), height2=.. (of " \
  "the outputs after the first), exp=X, log=X, .. (ulps), div=X, sqrt=X, alpha=X, shift=X, "  \
  "variance=, out=, product=, ftz=, atomics=, zero_sign=; explain OP --arith shows what they are"

/* Wrong answers, element by element. */
enum { ARITH_ZERO, ARITH_CONSTANT, ARITH_HALF, ARITH_LAST, ARITH_WRONGS };
const char *arith_wrong(int k); /* "zeros", .. */

/* Judges the outputs of a kernel of that arithmetic, adding to v, by output, and to blind, by output and wrong
 * answer, the elements at which the wrong answer would have been taken for right, and is not right to f32's
 * accuracy. */
dc_status arith_judge(const dc_problem *p, const pm_arith *a, float *const *f, double *const *d,
                      dc_verdict *v, int64_t (*blind)[ARITH_WRONGS], dc_error *err);

/* On stdout, a line a key: its value at the sizes of c, and what it means; then the profiles. */
void arith_show(const dc_case *c, const dc_arith *means, const char *typed, int width);
#endif
