/* The nodes of the error bounds in C (spec/pair.h gives their meaning). One arithmetic serves
 * every node of a bound: the kernel's in f32, or the reference's own in f64. */
#ifndef REF_PAIR_H
#define REF_PAIR_H
#include "ref.h"
#include "../spec/pair.h"

/*@ terminates \true; assigns \nothing; ensures \result == \abs(x); */
static inline double r_abs(double x) { return x < 0.0 ? -x : x; }

/*@ terminates \true; assigns \nothing; ensures \result == p_make(v,e); */
pair pair_make(double v, double e);

/* An exact number: an input, or a constant that needs no rounding. */
/*@ terminates \true; assigns \nothing; ensures \result == p_make(v,0.0); */
pair pair_in(double v);

/*@ terminates \true; assigns \nothing; ensures \result == p_gam(u,m); */
double pair_gam(double u, double m);

/*@ terminates \true; assigns \nothing; ensures \result == p_range(A,m,e); */
double pair_range(arith A, double m, double e);

/*@ terminates \true; assigns \nothing; ensures \result == p_rnd(A,v,e0,w); */
pair pair_rnd(arith A, double v, double e0, double w);

/*@ terminates \true; assigns \nothing; ensures \result == p_const(A,c); */
pair pair_const(arith A, double c);

/*@ terminates \true; assigns \nothing; ensures \result == p_neg(a); */
pair pair_neg(pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_add(A,a,b); */
pair pair_add(arith A, pair a, pair b);

/*@ terminates \true; assigns \nothing; ensures \result == p_sub(A,a,b); */
pair pair_sub(arith A, pair a, pair b);

/*@ terminates \true; assigns \nothing; ensures \result == p_cross(a,b); */
double pair_cross(pair a, pair b);

/*@ terminates \true; assigns \nothing; ensures \result == p_mul(A,a,b); */
pair pair_mul(arith A, pair a, pair b);

/*@ terminates \true; assigns \nothing; ensures \result == p_mag(a); */
double pair_mag(pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_widen(A,a,x); */
pair pair_widen(arith A, pair a, double x);

/*@ terminates \true; assigns \nothing; ensures \result == p_mul3(A,a,b,c); */
pair pair_mul3(arith A, pair a, pair b, pair c);

/*@ terminates \true; assigns \nothing; ensures \result == p_quo(A,a,b,w); */
pair pair_quo(arith A, pair a, pair b, double w);

/* exp(0) is exactly 1: a caller whose argument is exactly 0 takes pair_in(1). */
/*@ terminates \true; assigns \nothing; ensures \result == p_exp(A,a); */
pair pair_exp(arith A, pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_mono(A,v,low,high,k); */
pair pair_mono(arith A, double v, double low, double high, double k);

/*@ terminates \true; assigns \nothing; ensures \result == p_tail(a); */
double pair_tail(pair a);

/*@ terminates \true; assigns \nothing; ensures \result == 1 <==> p_saturated(A,a);
    ensures \result == 0 || \result == 1; */
int pair_saturated(arith A, pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_tanh(A,a); */
pair pair_tanh(arith A, pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_sqrt(A,a); */
pair pair_sqrt(arith A, pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_log(A,a); */
pair pair_log(arith A, pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_log1p(A,a); */
pair pair_log1p(arith A, pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_expm1(A,a); */
pair pair_expm1(arith A, pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_erf(A,a); */
pair pair_erf(arith A, pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_sigmoid(A,a); */
pair pair_sigmoid(arith A, pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_softplus(A,a); */
pair pair_softplus(arith A, pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_sin(A,a); */
pair pair_sin(arith A, pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_cos(A,a); */
pair pair_cos(arith A, pair a);

/*@ terminates \true; assigns \nothing; ensures \result == p_sum(A,sv,sa,se,h); */
pair pair_sum(arith A, double sv, double sa, double se, double h);

/*@ terminates \true; assigns \nothing; ensures \result == p_dot(A,sv,sa,n,h); */
pair pair_dot(arith A, double sv, double sa, double n, double h);

#endif
