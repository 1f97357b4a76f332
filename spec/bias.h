/* add_bias is a sum of two elements and needs no formula of its own; the gradient of b is ColSum. */
#ifndef SPEC_BIAS_H
#define SPEC_BIAS_H
#include "reduce.h"
#endif
