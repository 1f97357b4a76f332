/* The angle of a pair of columns at a position, in f64, and what turns by it. */
#ifndef PM_ROPE_ANGLE_H
#define PM_ROPE_ANGLE_H
#include "../lang/kernel.h"
#include "../math/turn.h"

/*@ lemma part_times: \forall real a, b; 0.0 < b ==> rmul(rdiv(a,b),b) == a;
    lemma part_one: \forall real a, b; 0.0 <= a <= b ==> 0.0 < b ==> 0.0 <= rdiv(a,b) <= 1.0;
    lemma part_near: \forall real u, l; 0.0 <= u <= 1.0 ==> -250.0 <= l <= 250.0 ==>
      -250.0 <= rmul(u,l) <= 250.0; */

/* base^(-i/half), where log2_base is the logarithm of the base */
/*@ requires 0 <= i < half && -250 <= log2_base <= 250; assigns \nothing; */
DEV double power_of(double log2_base, idx half, idx i)
{
  double part = (double)i / (double)half;
  //@ assert part: part == rdiv((real)i,(real)half) && 0 <= part <= 1;
  //@ assert times: part * log2_base == rmul(part,log2_base);
  return pm_exp2_wide(-(part * log2_base));
}

/* The angle at position p, on the way back its negative. */
/*@ assigns \nothing; */
DEV double angle_of(int back, idx p, double f)
{
  double t = (double)p * f;
  return back ? -t : t;
}

/* Cosine and sine at position p of pair i, or where the table has its frequency f. */
/*@ requires 0 <= i < half && -250 <= log2_base <= 250; assigns \nothing; */
DEV pm_turn turn_at(int back, int table, double log2_base, idx p, idx half, idx i, float f)
{
  return pm_turn_wide(angle_of(back, p, table ? (double)f : power_of(log2_base, half, i)));
}

/*@ assigns \nothing; ensures \result == a * c - b * s; */
DEV float first_f(float a, float b, float c, float s) { return a * c - b * s; }

/*@ assigns \nothing; ensures \result == b * c + a * s; */
DEV float second_f(float a, float b, float c, float s) { return b * c + a * s; }
#endif
