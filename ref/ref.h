/* What every reference function shares: index type, checked index arithmetic, opaque products,
 * elementary functions, shape predicates. f64 and row-major throughout. */
#ifndef REF_H
#define REF_H
#include <stdint.h>

typedef int64_t idx;
#define IDX_LIM 0x3fffffffffffffff /* largest element count of a tensor */

#include "scalar.h"
#include "../spec/index.h"
#include "../spec/real.h"

/*@ requires 0 <= i < m && 0 <= j < n && ix(m,n,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == ix(i,n,j);
*/
static inline idx at2(idx m, idx n, idx i, idx j)
{
  (void)m;
  return i * n + j;
}

/*@ requires 0 <= m && 0 <= n && ix(m,n,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == ix(m,n,0);
*/
static inline idx size2(idx m, idx n) { return m * n; }

/*@ assigns \nothing; ensures \result == rmul(x,y); */
static inline double r_mul(double x, double y) { return x * y; }

/*@ requires y != 0.0; assigns \nothing; ensures \result == rdiv(x,y); */
static inline double r_div(double x, double y) { return x / y; }

/* x / y. Of a y that is 0 the contract says nothing, and C does what IEEE 754 says. */
/*@ assigns \nothing; ensures \result == rdiv(x,y); */
static inline double r_quo(double x, double y) { return x / y; }

/* Elementary functions: C's, under the contract of the real function they round. Outside its domain
 * (log and sqrt of a negative number) the real function is some number that nothing is known of, and
 * C's result a NaN. */
/*@ terminates \true; assigns \nothing; ensures \result == \exp(x); */
double r_exp(double x);
/*@ terminates \true; assigns \nothing; ensures \result == Expm1(x); */
double r_expm1(double x);
/*@ terminates \true; assigns \nothing; ensures \result == \log(x); */
double r_log(double x);
/*@ terminates \true; assigns \nothing; ensures \result == Log1p(x); */
double r_log1p(double x);
/*@ terminates \true; assigns \nothing; ensures \result == \tanh(x); */
double r_tanh(double x);
/*@ terminates \true; assigns \nothing; ensures \result == Erf(x); */
double r_erf(double x);
/*@ terminates \true; assigns \nothing; ensures \result == \sin(x); */
double r_sin(double x);
/*@ terminates \true; assigns \nothing; ensures \result == \cos(x); */
double r_cos(double x);
/*@ terminates \true; assigns \nothing; ensures \result == \sqrt(x); */
double r_sqrt(double x);
/* x y + z, rounded once. */
/*@ terminates \true; assigns \nothing; ensures \result == rmul(x,y) + z; */
double r_fma(double x, double y, double z);
/* x, but 0 in place of an infinity or NaN, which over the reals x is not. */
/*@ terminates \true; assigns \nothing; ensures \result == x; */
double r_kept(double x);
/* What r_exp(x) lost to rounding (lost.h). */
/*@ terminates \true; assigns \nothing; ensures is_zero(\result); */
double r_exp_lost(double x);

/* Proven, from the above (elementary.c). */
/*@ terminates \true; assigns \nothing; ensures \result == Sigmoid(x); */
double r_sigmoid(double x);
/*@ terminates \true; assigns \nothing; ensures \result == Softplus(x); */
double r_softplus(double x);
/* What it lost, where |x| is at most 50. */
/*@ terminates \true; assigns \nothing; ensures is_zero(\result); */
double r_softplus_lost(double x);

/*@ predicate In1{L}(scalar *a, integer n) = 0 <= n <= IDX_LIM && \valid_read(a + (0 .. n-1));
    predicate Out1{L}(scalar *a, integer n) = 0 <= n <= IDX_LIM && \valid(a + (0 .. n-1));
    predicate In2{L}(scalar *a, integer m, integer n) =
      0 <= m && 0 <= n && ix(m,n,0) <= IDX_LIM && \valid_read(a + (0 .. ix(m,n,0)-1));
    predicate Out2{L}(scalar *a, integer m, integer n) =
      0 <= m && 0 <= n && ix(m,n,0) <= IDX_LIM && \valid(a + (0 .. ix(m,n,0)-1));
    predicate Sep{L}(scalar *a, integer n, scalar *b, integer k) =
      \separated(a + (0 .. n-1), b + (0 .. k-1));
*/
#endif
