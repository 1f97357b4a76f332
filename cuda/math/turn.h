/* An angle, and powers, in f64: what a large position needs, of which the f32 of a product with a
 * frequency would lose all that is behind the whole turns. The cosine and the sine of it are those
 * of elementary.h, of what is left behind the quarter turns, in two floats. Fused multiply-adds are
 * spelled out, so that the simulator and the GPU give the same bits. */
#ifndef PM_MATH_TURN_H
#define PM_MATH_TURN_H
#include "elementary.h"

typedef struct pm_turn {
  float c, s;
} pm_turn;

#ifdef __FRAMAC__
/*@ requires -250 <= y <= 250; assigns \nothing; */
double pm_exp2_wide(double y);
/*@ assigns \nothing; */
pm_turn pm_turn_wide(double t);
#else
#ifdef PM_SIM
#define PM_FMA64 __builtin_fma
#else
#define PM_FMA64 __fma_rn
#endif
#define PM_MAGIC64 6755399441055744.0 /* 1.5 * 2^52 */

/* 2^y for |y| <= 250, within 4 units of f64's roundoff and what y's last bit makes of it: e^z by
 * its series, |z| <= ln 2 / 2, to the power of which what is left out is below 2^-57. */
DEV double pm_exp2_wide(double y)
{
  double n = (y + PM_MAGIC64) - PM_MAGIC64, z = (y - n) * 0.69314718055994530942, p;
  int i = (int)n, half = i / 2;
  p = 1.0 / 6227020800.0;
  p = PM_FMA64(p, z, 1.0 / 479001600.0);
  p = PM_FMA64(p, z, 1.0 / 39916800.0);
  p = PM_FMA64(p, z, 1.0 / 3628800.0);
  p = PM_FMA64(p, z, 1.0 / 362880.0);
  p = PM_FMA64(p, z, 1.0 / 40320.0);
  p = PM_FMA64(p, z, 1.0 / 5040.0);
  p = PM_FMA64(p, z, 1.0 / 720.0);
  p = PM_FMA64(p, z, 1.0 / 120.0);
  p = PM_FMA64(p, z, 1.0 / 24.0);
  p = PM_FMA64(p, z, 1.0 / 6.0);
  p = PM_FMA64(p, z, 0.5);
  p = PM_FMA64(p, z, 1.0);
  p = PM_FMA64(p, z, 1.0);
  return p * (double)pm_pow2((unsigned)half) * (double)pm_pow2((unsigned)(i - half));
}

/* Cosine and sine of r, |r| at most pi/4 and a little, and q quarter turns. The two floats of r are as
 * close to it as those of pm_quarter_near, of which proofs/float speaks. */
DEV pm_turn pm_turn_near(double r, unsigned q)
{
  pm_turn turn;
  float h = (float)r, low = (float)(r - (double)h), c = pm_cos_of(h, low), s = pm_sin_of(h, low);
  turn.c = q & 1u ? s : c;
  turn.s = q & 1u ? c : s;
  if ((q + 1u) & 2u)
    turn.c = -turn.c;
  if (q & 2u)
    turn.s = -turn.s;
  return turn;
}

/* Cosine and sine of t. Of |t| < 2^51, less n quarter turns: pi/2 is two doubles, the product with
 * the first is exact where it is taken off, and what is left is off by n 2^-107. From there on what
 * a product's rounding to f64 makes of an angle is declared to be more than a radian (alpha), and 0
 * is taken. NaN of infinities and NaN. */
DEV pm_turn pm_turn_wide(double t)
{
  double n, r;
  if (!(t > -0x1p51 && t < 0x1p51))
    t = t - t;
  n = PM_FMA64(t, 0.63661977236758134308, PM_MAGIC64) - PM_MAGIC64;
  r = PM_FMA64(n, -1.57079632679489655800, t);
  r = PM_FMA64(n, -6.12323399573676603587e-17, r);
  return pm_turn_near(r, t == t ? (unsigned)(int64_t)n : 0u);
}
#endif
#endif
