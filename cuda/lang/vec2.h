/* Global access of two floats, 8-byte aligned.
 *   LD2(p), ST2(p, v)   load and store of them in one access */
#ifndef PM_LANG_VEC2_H
#define PM_LANG_VEC2_H
#include "kernel.h"

DEV float2 LD2(const float *p) { return *(const float2 *)p; } // lint-ok vector: the vocabulary
DEV void ST2(float *p, float2 v) { __stwb((float2 *)p, v); }  // lint-ok vector: the vocabulary
#endif
