/* --arith as commands take it. */
#ifndef DIFFCHECK_ARITH_H
#define DIFFCHECK_ARITH_H
#include <stdio.h>

#include "../engine/arith.h"
#include "../engine/engine.h"
#include "../report/judged.h"

#define ARITH_ARG "PROFILE,KEY=VALUE,..."
#define ARITH_HELP                                                                            \
  "what the kernel's arithmetic is known to be: a profile (ieee, cuda, fast, triton, tf32, "  \
  "bf16, f16; default cuda), then keys in place of the profile's: height=N, pairwise, "       \
  "sequential, blocks:N or any (roundings on the longest way through a sum), height2=.. (of " \
  "the outputs after the first), exp=X, log=X, .. (ulps), div=X, sqrt=X, alpha=X, shift=X, "  \
  "variance=, out=, product=, ftz=, atomics=, zero_sign=; explain OP --arith shows what they are"

/* On stdout, a line a key: its value at the sizes of c, and what it means; then the profiles. */
void arith_show(const dc_case *c, const dc_arith *means, const char *typed, int width);
#endif
