/* The elementary functions: the C library's, trusted to be within 1 ulp (2 for tanh). Their contracts
 * in ref.h speak of the real functions; the rounding is the reference's own. */
#include "ref.h"
#include <math.h>

double ref_exp(double x) { return exp(x); }

double ref_expm1(double x) { return expm1(x); }

double ref_log(double x) { return log(x); }

double ref_log1p(double x) { return log1p(x); }

double ref_tanh(double x) { return tanh(x); }

double ref_erf(double x) { return erf(x); }

double ref_sin(double x) { return sin(x); }

double ref_cos(double x) { return cos(x); }

double ref_sqrt(double x) { return sqrt(x); }
