/* The elementary functions: the C library's, trusted to be within 1 ulp (exp) and 2 ulp (tanh).
 * Their contracts in ref.h speak of the real functions; the rounding is the reference's own. */
#include "ref.h"
#include <math.h>

double ref_exp(double x) { return exp(x); }

double ref_tanh(double x) { return tanh(x); }
