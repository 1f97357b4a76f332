/* PM_FMA as the prover reads it too: a times b plus c, for nvcc and the simulator rounded once. */
#ifndef PM_MATH_FUSED_H
#define PM_MATH_FUSED_H
#include "elementary.h"
#ifdef __FRAMAC__
#define PM_FMA fma_
/*@ assigns \nothing; ensures \result == rmul(a,b) + c; */
float fma_(float a, float b, float c);
#endif
#endif
