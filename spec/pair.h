/* Error pairs, the algebra of the accuracy bounds: a pair (v, e) stands for every computed number
 * c with |c - v| <= e, where v is the real value. One opaque function a kind of node, each with
 * one defining equation; an op's bound is its formula over them (ref/F.h).
 * All roundings are to nearest, so an IEEE operation has one, a k-ulp function 2k + 1 of them. */
#ifndef SPEC_PAIR_H
#define SPEC_PAIR_H

typedef struct {
  double v, e;
} pair;

/* An arithmetic as a kernel declares it. */
typedef struct {
  double u, eta, big; /* unit roundoff, half the smallest subnormal, largest finite number */
#define ULPS(name, undeclared) double k_##name; /* its ulps */
#include "elementary.def"
  double alpha; /* weight of the argument error of exp, in units of u |argument| */
  double h, h2; /* height of the summation tree behind output 0 and 1 */
} arith;

/* e >= VACUOUS: nothing is known, the element cannot be checked. It survives every node. */
#define VACUOUS 1.0e300
/* |tanh x| is 1 in floating point from here on, where u permits (p_saturated). */
#define TANH_SAT 10.0

/*@ axiomatic PairMake {
      logic pair p_make(real v, real e) reads \nothing;
      axiom p_make_def: \forall real v, e; p_make(v,e).v == v && p_make(v,e).e == e;
    }
    // |prod of m factors (1 + d), |d| <= u, or their inverses, - 1|
    axiomatic PairGam {
      logic real p_gam(real u, real m) reads \nothing;
      axiom p_gam_def: \forall real u, m; p_gam(u,m) ==
        (m <= 0.0 ? 0.0 : (m * u < 1.0 ? rdiv(m * u, 1.0 - m * u) : VACUOUS));
    }
    // e where numbers up to m + e can be represented
    axiomatic PairRange {
      logic real p_range(arith A, real m, real e) reads \nothing;
      axiom p_range_def: \forall arith A, real m, e; p_range(A,m,e) ==
        (m + e <= A.big && e < VACUOUS ? e : VACUOUS);
    }
    // carried error e0, then w roundings
    axiomatic PairRnd {
      logic pair p_rnd(arith A, real v, real e0, real w) reads \nothing;
      axiom p_rnd_def: \forall arith A, real v, e0, w; p_rnd(A,v,e0,w) ==
        p_make(v, p_range(A, \abs(v), e0 + p_gam(A.u,w) * (\abs(v) + e0) + w * A.eta));
    }
    // a constant, rounded once
    axiomatic PairConst {
      logic pair p_const(arith A, real c) reads \nothing;
      axiom p_const_def: \forall arith A, real c; p_const(A,c) == p_rnd(A, c, 0.0, 1.0);
    }
    axiomatic PairNeg {
      logic pair p_neg(pair a) reads \nothing;
      axiom p_neg_def: \forall pair a; p_neg(a) == p_make(-a.v, a.e);
    }
    axiomatic PairAdd {
      logic pair p_add(arith A, pair a, pair b) reads \nothing;
      axiom p_add_def: \forall arith A, pair a, b;
        p_add(A,a,b) == p_rnd(A, a.v + b.v, a.e + b.e, 1.0);
    }
    axiomatic PairSub {
      logic pair p_sub(arith A, pair a, pair b) reads \nothing;
      axiom p_sub_def: \forall arith A, pair a, b;
        p_sub(A,a,b) == p_rnd(A, a.v - b.v, a.e + b.e, 1.0);
    }
    // error that two factors carry into their product
    axiomatic PairCross {
      logic real p_cross(pair a, pair b) reads \nothing;
      axiom p_cross_def: \forall pair a, b; p_cross(a,b) ==
        (a.e < VACUOUS && b.e < VACUOUS ?
           \abs(a.v) * b.e + \abs(b.v) * a.e + a.e * b.e : VACUOUS);
    }
    axiomatic PairMul {
      logic pair p_mul(arith A, pair a, pair b) reads \nothing;
      axiom p_mul_def: \forall arith A, pair a, b;
        p_mul(A,a,b) == p_rnd(A, a.v * b.v, p_cross(a,b), 1.0);
    }
    // largest magnitude that a pair stands for
    axiomatic PairMag {
      logic real p_mag(pair a) reads \nothing;
      axiom p_mag_def: \forall pair a; p_mag(a) == \abs(a.v) + a.e;
    }
    // the same value with x more of error
    axiomatic PairWiden {
      logic pair p_widen(arith A, pair a, real x) reads \nothing;
      axiom p_widen_def: \forall arith A, pair a, real x;
        p_widen(A,a,x) == p_make(a.v, p_range(A, \abs(a.v), a.e + x));
    }
    // a product of three in any association: each partial product is in range, and may underflow
    axiomatic PairMul3 {
      logic pair p_mul3(arith A, pair a, pair b, pair c) reads \nothing;
      axiom p_mul3_def: \forall arith A, pair a, b, c; p_mul3(A,a,b,c) ==
        (p_mag(a) * p_mag(b) <= A.big && p_mag(a) * p_mag(c) <= A.big &&
         p_mag(b) * p_mag(c) <= A.big ?
           p_widen(A, p_rnd(A, a.v * b.v * c.v, p_cross(p_make(a.v * b.v, p_cross(a,b)), c), 2.0),
                   A.eta * (p_mag(a) + p_mag(b) + p_mag(c)))
         : p_make(a.v * b.v * c.v, VACUOUS));
    }
    // a / b in w roundings; w >= 2 also covers a * fl(1 / b), whose second factor may underflow
    axiomatic PairQuo {
      logic boolean p_divides(arith A, pair a, pair b, real w) reads \nothing;
      axiom p_divides_def: \forall arith A, pair a, b, real w; p_divides(A,a,b,w) <==>
        a.e < VACUOUS && b.e < VACUOUS && b.v != 0.0 && 0.0 < \abs(b.v) - b.e &&
        (w < 2.0 || 1.0 <= A.big * (\abs(b.v) - b.e));
      logic pair p_ratio(arith A, pair a, pair b, real w) reads \nothing;
      axiom p_ratio_def: \forall arith A, pair a, b, real w; p_ratio(A,a,b,w) ==
        p_rnd(A, rdiv(a.v,b.v),
              rdiv(a.e + \abs(rdiv(a.v,b.v)) * b.e, \abs(b.v) - b.e), w);
      logic pair p_quo(arith A, pair a, pair b, real w) reads \nothing;
      axiom p_quo_def: \forall arith A, pair a, b, real w; p_quo(A,a,b,w) ==
        (p_divides(A,a,b,w) ?
           p_widen(A, p_ratio(A,a,b,w), w < 2.0 ? 0.0 : A.eta * p_mag(a))
         : p_make(0.0, VACUOUS));
    }
    // exp is increasing and convex: it changes most at the upper end
    axiomatic PairExp {
      logic pair p_exp(arith A, pair a) reads \nothing;
      axiom p_exp_def: \forall arith A, pair a; p_exp(A,a) ==
        (a.e < VACUOUS ?
           p_rnd(A, \exp(a.v), \exp(a.v + a.e) - \exp(a.v), 2.0 * A.k_exp + 1.0)
         : p_make(0.0, VACUOUS));
    }
    // a monotone function within k ulps: v is its value, low and high are those at the ends of the
    // argument's range
    axiomatic PairMono {
      logic pair p_mono(arith A, real v, real low, real high, real k) reads \nothing;
      axiom p_mono_def: \forall arith A, real v, low, high, k; p_mono(A,v,low,high,k) ==
        p_rnd(A, v, \max(\abs(high - v), \abs(low - v)), 2.0 * k + 1.0);
    }
    // Everywhere in a, tanh is within u/4 of 1 or -1 and computed as exactly that, and
    // 1 - |tanh| <= 2 exp(-2 |argument|).
    axiomatic PairTanh {
      logic real p_tail(pair a) reads \nothing;
      axiom p_tail_def: \forall pair a; p_tail(a) == 2.0 * \exp(-2.0 * (\abs(a.v) - a.e));
      logic boolean p_saturated(arith A, pair a) reads \nothing;
      axiom p_saturated_def: \forall arith A, pair a; p_saturated(A,a) <==>
        a.e < VACUOUS && TANH_SAT <= \abs(a.v) - a.e && p_tail(a) <= 0.25 * A.u;
      logic pair p_tanh(arith A, pair a) reads \nothing;
      axiom p_tanh_def: \forall arith A, pair a; p_tanh(A,a) ==
        (p_saturated(A,a) ? p_make(\tanh(a.v), p_tail(a))
         : a.e < VACUOUS ?
           p_mono(A, \tanh(a.v), \tanh(a.v - a.e), \tanh(a.v + a.e), A.k_tanh)
         : p_make(0.0, VACUOUS));
    }
    // increasing functions; without a bound where the argument can leave the domain. The square root
    // is correctly rounded.
    axiomatic PairSqrt {
      logic pair p_sqrt(arith A, pair a) reads \nothing;
      axiom p_sqrt_def: \forall arith A, pair a; p_sqrt(A,a) ==
        (a.e < VACUOUS && 0.0 <= a.v - a.e ?
           p_mono(A, \sqrt(a.v), \sqrt(a.v - a.e), \sqrt(a.v + a.e), 0.0)
         : p_make(0.0, VACUOUS));
    }
    axiomatic PairLog {
      logic pair p_log(arith A, pair a) reads \nothing;
      axiom p_log_def: \forall arith A, pair a; p_log(A,a) ==
        (a.e < VACUOUS && 0.0 < a.v - a.e ?
           p_mono(A, \log(a.v), \log(a.v - a.e), \log(a.v + a.e), A.k_log)
         : p_make(0.0, VACUOUS));
    }
    axiomatic PairLog1p {
      logic pair p_log1p(arith A, pair a) reads \nothing;
      axiom p_log1p_def: \forall arith A, pair a; p_log1p(A,a) ==
        (a.e < VACUOUS && -1.0 < a.v - a.e ?
           p_mono(A, Log1p(a.v), Log1p(a.v - a.e), Log1p(a.v + a.e), A.k_log1p)
         : p_make(0.0, VACUOUS));
    }
    axiomatic PairExpm1 {
      logic pair p_expm1(arith A, pair a) reads \nothing;
      axiom p_expm1_def: \forall arith A, pair a; p_expm1(A,a) ==
        (a.e < VACUOUS ?
           p_mono(A, Expm1(a.v), Expm1(a.v - a.e), Expm1(a.v + a.e), A.k_expm1)
         : p_make(0.0, VACUOUS));
    }
    axiomatic PairErf {
      logic pair p_erf(arith A, pair a) reads \nothing;
      axiom p_erf_def: \forall arith A, pair a; p_erf(A,a) ==
        (a.e < VACUOUS ?
           p_mono(A, Erf(a.v), Erf(a.v - a.e), Erf(a.v + a.e), A.k_erf)
         : p_make(0.0, VACUOUS));
    }
    axiomatic PairSigmoid {
      logic pair p_sigmoid(arith A, pair a) reads \nothing;
      axiom p_sigmoid_def: \forall arith A, pair a; p_sigmoid(A,a) ==
        (a.e < VACUOUS ?
           p_mono(A, Sigmoid(a.v), Sigmoid(a.v - a.e), Sigmoid(a.v + a.e), A.k_sigmoid)
         : p_make(0.0, VACUOUS));
    }
    axiomatic PairSoftplus {
      logic pair p_softplus(arith A, pair a) reads \nothing;
      axiom p_softplus_def: \forall arith A, pair a; p_softplus(A,a) ==
        (a.e < VACUOUS ?
           p_mono(A, Softplus(a.v), Softplus(a.v - a.e), Softplus(a.v + a.e), A.k_softplus)
         : p_make(0.0, VACUOUS));
    }
    // sin and cos change by no more than their argument, and by 2
    axiomatic PairSin {
      logic pair p_sin(arith A, pair a) reads \nothing;
      axiom p_sin_def: \forall arith A, pair a; p_sin(A,a) ==
        (a.e < VACUOUS ? p_rnd(A, \sin(a.v), \min(a.e, 2.0), 2.0 * A.k_sin + 1.0)
         : p_make(0.0, VACUOUS));
    }
    axiomatic PairCos {
      logic pair p_cos(arith A, pair a) reads \nothing;
      axiom p_cos_def: \forall arith A, pair a; p_cos(A,a) ==
        (a.e < VACUOUS ? p_rnd(A, \cos(a.v), \min(a.e, 2.0), 2.0 * A.k_cos + 1.0)
         : p_make(0.0, VACUOUS));
    }
    // a sum whose tree has height h: sv = sum of v, sa = sum of |v|, se = sum of e
    axiomatic PairSum {
      logic pair p_sum(arith A, real sv, real sa, real se, real h) reads \nothing;
      axiom p_sum_def: \forall arith A, real sv, sa, se, h; p_sum(A,sv,sa,se,h) ==
        p_make(sv, p_range(A, sa, se + p_gam(A.u,h) * (sa + se)));
    }
    // a sum of n products: each is rounded once, by u |ab| + eta, before it is summed
    axiomatic PairDot {
      logic pair p_dot(arith A, real sv, real sa, real n, real h) reads \nothing;
      axiom p_dot_def: \forall arith A, real sv, sa, n, h; p_dot(A,sv,sa,n,h) ==
        p_sum(A, sv, sa, p_gam(A.u,1.0) * sa + n * A.eta, h);
    }
*/
#endif
