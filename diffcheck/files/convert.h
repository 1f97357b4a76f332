/* Values of a file as kernels and verdicts take them. */
#ifndef DIFFCHECK_CONVERT_H
#define DIFFCHECK_CONVERT_H
#include "npy.h"

/* float16 and bfloat16 as the float32 that each of them is; another type is left as it is. */
bool npy_widen(npy *a, char *message);
/* The first element of float64 data that is no float32 number; -1: there is none. */
int64_t npy_no_float(const npy *a);
/* float64 data as float32, in place; whether a value was rounded, NaN apart. */
bool npy_narrow(npy *a);
/* Integers as int64; false where one is beyond it. */
bool npy_integers(npy *a, char *message);
/* bool and integers as float32: 0, or 1 where a value is not 0. */
bool npy_mask(npy *a, char *message);
#endif
