/* Nodes of the normalizations' error bounds (spec/pair.h has the rest). `centered` is 0 where 0
 * stands for the mean. */
#ifndef REF_NORM_PAIR_H
#define REF_NORM_PAIR_H
#include "pair.h"
#include "../spec/norm.h"

/*@ lemma sum_abs_frame{L1,L2}: \forall scalar *x, integer n; Same{L1,L2}(x,n) ==>
      SumAbs{L1}(x,n) == SumAbs{L2}(x,n);
    axiomatic BoundNorm {
      // n as a divisor: exact as long as every integer up to it is a number of the arithmetic
      logic pair p_count(arith A, integer n) reads \nothing;
      axiom p_count_def: \forall arith A, integer n; p_count(A,n) ==
        (n * A.u <= 1.0 ? p_make(n,0.0) : p_const(A,n));
      logic pair p_center(arith A, integer centered, real sum, real abs, integer n)
        reads \nothing;
      axiom p_center_def: \forall arith A, integer centered, real sum, abs, integer n;
        p_center(A,centered,sum,abs,n) ==
        (centered == 0 ? p_make(0.0,0.0)
         : p_quo(A, p_sum(A,sum,abs,0.0,A.h), p_count(A,n), 2.0));
      // 1 / sqrt(v + eps), v the mean square about the exact center, from a computed one that is
      // off by d: sum (x - c)^2 = sum (x - m)^2 + n (c - m)^2, so d enters squared and upwards.
      // Roundings: of the difference, twice, of its square, of the sum, two of the quotient.
      logic real p_up(arith A, real v, real d, real w) reads \nothing;
      axiom p_up_def: \forall arith A, real v, d, w;
        p_up(A,v,d,w) == d * d + p_gam(A.u,w) * (v + d * d) + 4.0 * A.eta;
      logic real p_down(arith A, real v, real w) reads \nothing;
      axiom p_down_def: \forall arith A, real v, w;
        p_down(A,v,w) == p_gam(A.u,w) * v + 4.0 * A.eta;
      logic real p_high(arith A, real v, real d, real eps, real w) reads \nothing;
      axiom p_high_def: \forall arith A, real v, d, eps, w;
        p_high(A,v,d,eps,w) == (v + p_up(A,v,d,w) + eps) * (1.0 + A.u);
      logic real p_low(arith A, real v, real eps, real w) reads \nothing;
      axiom p_low_def: \forall arith A, real v, eps, w;
        p_low(A,v,eps,w) == (v - p_down(A,v,w) + eps) * (1.0 - A.u);
      logic pair p_rstd_of(arith A, real v, real d, real eps, integer n, real w) reads \nothing;
      axiom p_rstd_of_def: \forall arith A, real v, d, eps, integer n, real w;
        p_rstd_of(A,v,d,eps,n,w) ==
        (d < VACUOUS && n * p_high(A,v,d,eps,w) <= A.big && 0.0 < p_low(A,v,eps,w) ?
           p_mono(A, InvRoot(v,eps), InvRoot(p_high(A,v,d,eps,w),0.0),
                  InvRoot(p_low(A,v,eps,w),0.0), A.k_rsqrt)
         : p_make(0.0, VACUOUS));
      // one rounding more where n is rounded before it divides
      logic pair p_rstd(arith A, real v, real d, real eps, integer n, real w) reads \nothing;
      axiom p_rstd_def: \forall arith A, real v, d, eps, integer n, real w;
        p_rstd(A,v,d,eps,n,w) == p_rstd_of(A, v, d, eps, n, n * A.u <= 1.0 ? w : w + 1.0);
      // x off its center
      logic pair p_off(arith A, integer centered, real x, pair m) reads \nothing;
      axiom p_off_def: \forall arith A, integer centered, real x, pair m; p_off(A,centered,x,m) ==
        (centered == 0 ? p_make(x,0.0) : p_sub(A, p_make(x,0.0), m));
      logic pair p_normed(arith A, integer centered, real x, pair m, pair r, real gamma, real beta)
        reads \nothing;
      axiom p_normed_def: \forall arith A, integer centered, real x, pair m, r, real gamma, beta;
        p_normed(A,centered,x,m,r,gamma,beta) ==
        (centered == 0 ? p_mul3(A, p_off(A,centered,x,m), r, p_make(gamma,0.0))
         : p_add(A, p_mul3(A, p_off(A,centered,x,m), r, p_make(gamma,0.0)), p_make(beta,0.0)));
    }

    axiomatic BoundNormVjp {
      // G xhat, in any association
      logic pair p_pulled_hat(arith A, integer centered, real g, real gamma, real x, real m, real r)
        reads \nothing;
      axiom p_pulled_hat_def: \forall arith A, integer centered, real g, gamma, x, m, r;
        p_pulled_hat(A,centered,g,gamma,x,m,r) ==
        p_mul3(A, p_mul(A, p_make(g,0.0), p_make(gamma,0.0)), p_off(A,centered,x,p_make(m,0.0)),
               p_make(r,0.0));
      logic pair p_mean_pulled(arith A, integer centered, real sum, real abs, integer n)
        reads \nothing;
      axiom p_mean_pulled_def: \forall arith A, integer centered, real sum, abs, integer n;
        p_mean_pulled(A,centered,sum,abs,n) ==
        (centered == 0 ? p_make(0.0,0.0)
         : p_quo(A, p_dot(A,sum,abs,n,A.h), p_count(A,n), 2.0));
      logic pair p_mean_hat(arith A, real value, real abs, real error, integer n) reads \nothing;
      axiom p_mean_hat_def: \forall arith A, real value, abs, error, integer n;
        p_mean_hat(A,value,abs,error,n) ==
        p_quo(A, p_sum(A,value,abs,error,A.h), p_count(A,n), 2.0);
      // a + b + c, rounded up to three times, times r, which may be distributed
      logic pair p_spread(arith A, pair a, pair b, pair c, real r) reads \nothing;
      axiom p_spread_def: \forall arith A, pair a, b, c, real r; p_spread(A,a,b,c,r) ==
        p_rnd(A, (a.v + b.v + c.v) * r,
              p_cross(p_sum(A, a.v + b.v + c.v, \abs(a.v) + \abs(b.v) + \abs(c.v),
                            a.e + b.e + c.e, 3.0), p_make(r,0.0)), 3.0);
      logic pair p_norm_dx(arith A, integer centered, real g, real gamma, real x, real m, real r,
                           pair a, pair b) reads \nothing;
      axiom p_norm_dx_def: \forall arith A, integer centered, real g, gamma, x, m, r, pair a, b;
        p_norm_dx(A,centered,g,gamma,x,m,r,a,b) ==
        p_spread(A, p_mul(A, p_make(g,0.0), p_make(gamma,0.0)), p_neg(a),
                 p_neg(p_mul3(A, p_off(A,centered,x,p_make(m,0.0)), p_make(r,0.0), b)), r);
      // g xhat, in any association
      logic pair p_hat(arith A, integer centered, real g, real x, real m, real r) reads \nothing;
      axiom p_hat_def: \forall arith A, integer centered, real g, x, m, r;
        p_hat(A,centered,g,x,m,r) ==
        p_mul3(A, p_make(g,0.0), p_off(A,centered,x,p_make(m,0.0)), p_make(r,0.0));
    }
*/

/*@ requires 0 <= n; terminates \true; assigns \nothing; ensures \result == p_count(A,n); */
pair pair_count(arith A, idx n);

/*@ requires 0 <= n;
    terminates \true;
    assigns \nothing;
    ensures \result == p_center(A,centered,sum,abs,n); */
pair pair_center(arith A, int centered, double sum, double abs, idx n);

/*@ requires 0 <= n;
    terminates \true;
    assigns \nothing;
    ensures \result == p_rstd(A,v,d,eps,n,w); */
pair pair_rstd(arith A, double v, double d, double eps, idx n, double w);

/*@ terminates \true; assigns \nothing; ensures \result == p_off(A,centered,x,m); */
pair pair_off(arith A, int centered, double x, pair m);

/*@ terminates \true; assigns \nothing; ensures \result == p_normed(A,centered,x,m,r,gamma,beta); */
pair pair_normed(arith A, int centered, double x, pair m, pair r, double gamma, double beta);

/*@ terminates \true;
    assigns \nothing;
    ensures \result == p_pulled_hat(A,centered,g,gamma,x,m,r); */
pair pair_pulled_hat(arith A, int centered, double g, double gamma, double x, double m, double r);

/*@ requires 0 <= n;
    terminates \true;
    assigns \nothing;
    ensures \result == p_mean_pulled(A,centered,sum,abs,n); */
pair pair_mean_pulled(arith A, int centered, double sum, double abs, idx n);

/*@ requires 0 <= n;
    terminates \true;
    assigns \nothing;
    ensures \result == p_mean_hat(A,value,abs,error,n); */
pair pair_mean_hat(arith A, double value, double abs, double error, idx n);

/*@ terminates \true;
    assigns \nothing;
    ensures \result == p_norm_dx(A,centered,g,gamma,x,m,r,a,b); */
pair pair_norm_dx(arith A, int centered, double g, double gamma, double x, double m, double r,
                  pair a, pair b);

/*@ terminates \true; assigns \nothing; ensures \result == p_hat(A,centered,g,x,m,r); */
pair pair_hat(arith A, int centered, double g, double x, double m, double r);
#endif
