/* The elementary functions: the C library's, trusted to be within 1 ulp (2 for tanh). Their contracts
 * in ref.h speak of the real functions; the rounding is the reference's own. And C's ^. */
#include "random.h"
#include "ref.h"
#include <math.h>

double r_exp(double x) { return exp(x); }

double r_expm1(double x) { return expm1(x); }

double r_log(double x) { return log(x); }

double r_log1p(double x) { return log1p(x); }

double r_tanh(double x) { return tanh(x); }

double r_erf(double x) { return erf(x); }

double r_sin(double x) { return sin(x); }

double r_cos(double x) { return cos(x); }

double r_sqrt(double x) { return sqrt(x); }

uint32_t r_xor(uint32_t a, uint32_t b) { return a ^ b; }
