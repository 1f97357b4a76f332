/* The elementary functions: the C library's, trusted to be within 1 ulp (2 for tanh). Their contracts
 * in ref.h speak of the real functions; the rounding is the reference's own. And C's ^. */
#include "halves.h"
#include "lost.h"
#include "random.h"
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

double r_fma(double x, double y, double z) { return fma(x, y, z); }

double r_kept(double x) { return isfinite(x) ? x : 0.0; }

/* ---- what exp loses, by exp in two floats ---- */

/* ln 2 in parts, the first short enough for 2^11 times it to be exact. */
#define LN2_0 0x1.62e42fefa38p-1
#define LN2_1 0x1.ef35793c7673p-45
#define LN2_2 0x1.f97b57a079a19p-103

double r_exp_lost(double x)
{
  if (!(fabs(x) < 700.0))
    return 0.0;
  int n = (int)rint(x / LN2_0);
  twice r = twice_sum(twice_exactly(x - n * LN2_0),
                      twice_product(twice_exactly(-n), (twice){LN2_1, LN2_2}));
  r.v = ldexp(r.v, -10), r.lost = ldexp(r.lost, -10);
  twice y = twice_exactly(0.0); /* exp(r) - 1, by its series */
  for (int k = 9; k > 0; k--) {
    y = twice_product(twice_sum(twice_exactly(1.0), y), r);
    y = twice_quotient(y, twice_exactly(k));
  }
  for (int k = 0; k < 10; k++) /* exp(2 r) - 1 = (2 + y) y */
    y = twice_product(twice_sum(twice_exactly(2.0), y), y);
  y = twice_sum(twice_exactly(1.0), y);
  return ldexp((y.v - ldexp(exp(x), -n)) + y.lost, n);
}

double r_gelu_scale_lost(void) { return -0x1.cbc091d91b886p-55; }

double r_gelu_cubic_lost(void) { return 0x1.441355475a31ap-59; }

uint32_t r_xor(uint32_t a, uint32_t b) { return a ^ b; }
