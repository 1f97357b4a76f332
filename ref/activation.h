/* Activations, their VJPs and error bounds. */
#ifndef REF_ACTIVATION_H
#define REF_ACTIVATION_H
#include "ref.h"
#include "pair.h"
#include "../spec/activation.h"

/*@ // tensors of n elements: one or two inputs and an output apart from them
    predicate Map1{L}(integer n, scalar *x, scalar *y) = In1(x,n) && Out1(y,n) && Sep(y,n,x,n);
    predicate Map2{L}(integer n, scalar *x, scalar *z, scalar *y) =
      Map1(n,x,y) && In1(z,n) && Sep(y,n,z,n);
*/

/* a, y: (n). y = exp a. */
/*@ requires Map1(n,a,y);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == \exp(\old(a[i]));
*/
void ref_exp(idx n, const double *a, double *y);

/* a, y: (n). y = ln a; of 0 it is -infinity, of a negative number NaN. */
/*@ requires Map1(n,a,y);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == \log(\old(a[i]));
*/
void ref_log(idx n, const double *a, double *y);

/* a, y: (n). y = 1/(1 + exp(-a)). */
/*@ requires Map1(n,a,y);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Sigmoid(\old(a[i]));
*/
void ref_sigmoid(idx n, const double *a, double *y);

/* a, y: (n). y = tanh a. */
/*@ requires Map1(n,a,y);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == \tanh(\old(a[i]));
*/
void ref_tanh(idx n, const double *a, double *y);

/* a, y: (n). y = ln(1 + exp a). */
/*@ requires Map1(n,a,y);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Softplus(\old(a[i]));
*/
void ref_softplus(idx n, const double *a, double *y);

/* a, y: (n). y = a sigmoid(a). */
/*@ requires Map1(n,a,y);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Silu(\old(a[i]));
*/
void ref_silu(idx n, const double *a, double *y);

/* a, y: (n). y = a/2 (1 + tanh(sqrt(2/pi) (a + 0.044715 a^3))). */
/*@ requires Map1(n,a,y);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Gelu(\old(a[i]));
*/
void ref_gelu(idx n, const double *a, double *y);

/* gelu and its derivative. */
/*@ terminates \true; assigns \nothing; ensures \result == Gelu(a); */
double r_gelu(double a);
/*@ terminates \true; assigns \nothing; ensures \result == GeluD(a); */
double r_gelu_d(double a);

/* a, y: (n). y = ln(softplus(a) + eps). */
/*@ requires Map1(n,a,y);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == SafeLog(\old(a[i]),eps);
*/
void ref_safe_log(idx n, double eps, const double *a, double *y);

/* y, g, da: (n). da = g y, y = exp a. */
/*@ requires Map2(n,y,g,da);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == ExpVjp(\old(y[i]),\old(g[i]));
*/
void ref_exp_vjp(idx n, const double *y, const double *g, double *da);

/* a, g, da: (n). da = g/a; of an a that is 0 the contract says nothing, and C what IEEE 754 does. */
/*@ requires Map2(n,a,g,da);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==>
      LogVjpAt(\old(a[i]),\old(g[i])) ==> da[i] == LogVjp(\old(a[i]),\old(g[i]));
*/
void ref_log_vjp(idx n, const double *a, const double *g, double *da);

/* y, g, da: (n). da = g y (1 - y), y = sigmoid(a). */
/*@ requires Map2(n,y,g,da);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == SigmoidVjp(\old(y[i]),\old(g[i]));
*/
void ref_sigmoid_vjp(idx n, const double *y, const double *g, double *da);

/* y, g, da: (n). da = g (1 - y^2), y = tanh a. */
/*@ requires Map2(n,y,g,da);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == TanhVjp(\old(y[i]),\old(g[i]));
*/
void ref_tanh_vjp(idx n, const double *y, const double *g, double *da);

/* a, g, da: (n). da = g sigmoid(a). */
/*@ requires Map2(n,a,g,da);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == SoftplusVjp(\old(a[i]),\old(g[i]));
*/
void ref_softplus_vjp(idx n, const double *a, const double *g, double *da);

/* a, g, da: (n). da = g sigmoid(a) (1 + a (1 - sigmoid(a))). */
/*@ requires Map2(n,a,g,da);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == SiluVjp(\old(a[i]),\old(g[i]));
*/
void ref_silu_vjp(idx n, const double *a, const double *g, double *da);

/* a, g, da: (n). da = g gelu'(a). */
/*@ requires Map2(n,a,g,da);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == GeluVjp(\old(a[i]),\old(g[i]));
*/
void ref_gelu_vjp(idx n, const double *a, const double *g, double *da);

/* a, g, da: (n). da = g sigmoid(a)/(softplus(a) + eps). */
/*@ requires Map2(n,a,g,da);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==>
      SafeLogVjpAt(\old(a[i]),\old(g[i]),eps) ==>
      da[i] == SafeLogVjp(\old(a[i]),\old(g[i]),eps);
*/
void ref_safe_log_vjp(idx n, double eps, const double *a, const double *g, double *da);

/* From here on exp(-a) is lost beside 1, where u permits, and sigmoid computed as exactly 1. */
#define SIGMOID_SAT 20.0

/*@ // a function of class U: k ulps are 2k + 1 roundings
    axiomatic BoundUlps {
      logic real e_ulps(arith A, real v, real k) reads \nothing;
      axiom e_ulps_def: \forall arith A, real v, k;
        e_ulps(A,v,k) == p_rnd(A, v, 0.0, 2.0 * k + 1.0).e;
    }
    // sigmoid by itself, or as 1/(1 + exp(-a)) or e/(1 + e), which are exp and two roundings. Where
    // exp(-a) can overflow the first of these is 0.
    axiomatic BoundSigmoid {
      logic pair p_logistic(arith A, real a) reads \nothing;
      axiom p_logistic_def: \forall arith A, real a; p_logistic(A,a) ==
        p_widen(A, p_rnd(A, Sigmoid(a), 0.0,
                         \max(2.0 * A.k_sigmoid + 1.0, 2.0 * A.k_exp + 3.0)),
                p_exp(A, p_make(-a,0.0)).e < VACUOUS ? 0.0 : Sigmoid(a));
      logic real e_sigmoid(arith A, real a) reads \nothing;
      axiom e_sigmoid_def: \forall arith A, real a; e_sigmoid(A,a) == p_logistic(A,a).e;
    }
    // 1 - sigmoid, at most exp(-a): exactly 0 where sigmoid is computed as 1
    axiomatic BoundSigmoidRest {
      logic pair p_logistic_rest(arith A, real a) reads \nothing;
      axiom p_logistic_rest_def: \forall arith A, real a; p_logistic_rest(A,a) ==
        (SIGMOID_SAT <= a && \exp(-a) <= 0.25 * A.u ?
           p_make(1.0 - Sigmoid(a), \exp(-a))
         : p_sub(A, p_make(1.0,0.0), p_logistic(A,a)));
    }
    // y (1 - y) g, in any association
    axiomatic BoundSigmoidVjp {
      logic real e_sigmoid_vjp(arith A, real y, real g) reads \nothing;
      axiom e_sigmoid_vjp_def: \forall arith A, real y, g; e_sigmoid_vjp(A,y,g) ==
        p_mul3(A, p_make(y,0.0), p_sub(A, p_make(1.0,0.0), p_make(y,0.0)), p_make(g,0.0)).e;
    }
    // (1 - y^2) g, g - g y^2, (1 - y) (1 + y) g or (g + g y) (1 - y): two roundings of y^2 and two
    // of the difference; a product with g may underflow before it meets 1 - y or 1 + y
    axiomatic BoundTanhVjp {
      logic pair p_one_less_square(arith A, real y) reads \nothing;
      axiom p_one_less_square_def: \forall arith A, real y; p_one_less_square(A,y) ==
        \let q = p_sub(A, p_make(1.0,0.0), p_rnd(A, y * y, 0.0, 2.0)); p_rnd(A, q.v, q.e, 2.0);
      logic real e_tanh_vjp(arith A, real y, real g) reads \nothing;
      axiom e_tanh_vjp_def: \forall arith A, real y, g; e_tanh_vjp(A,y,g) ==
        p_widen(A, p_mul(A, p_one_less_square(A,y), p_make(g,0.0)),
                A.eta * (2.0 + 2.0 * \abs(y))).e;
    }
    axiomatic BoundSoftplusVjp {
      logic real e_softplus_vjp(arith A, real a, real g) reads \nothing;
      axiom e_softplus_vjp_def: \forall arith A, real a, g; e_softplus_vjp(A,a,g) ==
        p_mul(A, p_logistic(A,a), p_make(g,0.0)).e;
    }
    // a times sigmoid; a / (1 + exp(-a)) rounds once less
    axiomatic BoundSilu {
      logic real e_silu(arith A, real a) reads \nothing;
      axiom e_silu_def: \forall arith A, real a;
        e_silu(A,a) == p_mul(A, p_make(a,0.0), p_logistic(A,a)).e;
    }
    // s (1 + a (1 - s)) g, in any association
    axiomatic BoundSiluVjp {
      logic pair p_silu_turn(arith A, real a) reads \nothing;
      axiom p_silu_turn_def: \forall arith A, real a; p_silu_turn(A,a) ==
        p_add(A, p_make(1.0,0.0), p_mul(A, p_make(a,0.0), p_logistic_rest(A,a)));
      logic real e_silu_vjp(arith A, real a, real g) reads \nothing;
      axiom e_silu_vjp_def: \forall arith A, real a, g; e_silu_vjp(A,a,g) ==
        p_mul3(A, p_logistic(A,a), p_silu_turn(A,a), p_make(g,0.0)).e;
    }
    // ln(softplus + eps)
    axiomatic BoundSafeLog {
      logic pair p_safe(arith A, real a, real eps) reads \nothing;
      axiom p_safe_def: \forall arith A, real a, eps; p_safe(A,a,eps) ==
        p_add(A, p_rnd(A, Softplus(a), 0.0, 2.0 * A.k_softplus + 1.0), p_make(eps,0.0));
      logic real e_safe_log(arith A, real a, real eps) reads \nothing;
      axiom e_safe_log_def: \forall arith A, real a, eps;
        e_safe_log(A,a,eps) == p_log(A, p_safe(A,a,eps)).e;
    }
    // sigmoid, g and 1/(softplus + eps), in any association
    axiomatic BoundSafeLogVjp {
      logic real e_safe_log_vjp(arith A, real a, real g, real eps) reads \nothing;
      axiom e_safe_log_vjp_def: \forall arith A, real a, g, eps; e_safe_log_vjp(A,a,g,eps) ==
        p_mul3(A, p_logistic(A,a), p_make(g,0.0),
               p_quo(A, p_make(1.0,0.0), p_safe(A,a,eps), 1.0)).e;
    }
*/

/* From |a| = GELU_FAR on tanh is +-1 whatever becomes of its argument: computed, it is within
 * half of the real one, or an infinity of its sign. */
#define GELU_FAR 20.0

/*@ // scale a (1 + cubic a^2), whose rounding also covers scale (a + cubic a^3)
    axiomatic BoundGeluIn {
      logic pair p_gelu_in(arith A, real a) reads \nothing;
      axiom p_gelu_in_def: \forall arith A, real a; p_gelu_in(A,a) ==
        (\abs(a) < GELU_FAR ?
           p_mul3(A, p_const(A,GELU_SCALE), p_make(a,0.0),
                  p_add(A, p_make(1.0,0.0),
                        p_mul3(A, p_const(A,GELU_CUBIC), p_make(a,0.0), p_make(a,0.0))))
         : p_make(GeluIn(a), 0.5 * \abs(GeluIn(a))));
    }
    // a/2 (1 + tanh in)
    axiomatic BoundGeluTanh {
      logic pair p_gelu_tanh(arith A, real a) reads \nothing;
      axiom p_gelu_tanh_def: \forall arith A, real a; p_gelu_tanh(A,a) ==
        p_mul3(A, p_make(0.5,0.0), p_make(a,0.0),
               p_add(A, p_make(1.0,0.0), p_tanh(A, p_gelu_in(A,a))));
    }
    // a / (1 + exp(-2 in)), or a times the reciprocal
    axiomatic BoundGeluSigmoid {
      logic pair p_gelu_sigmoid(arith A, real a) reads \nothing;
      axiom p_gelu_sigmoid_def: \forall arith A, real a; p_gelu_sigmoid(A,a) ==
        p_quo(A, p_make(a,0.0), p_add(A, p_make(1.0,0.0),
              p_exp(A, p_make(-2.0 * p_gelu_in(A,a).v, 2.0 * p_gelu_in(A,a).e))), 2.0);
    }
    // The larger of the two. Where exp(-2 in) overflows, the second form lies between 0 and
    // about twice the value, which the saturated first one allows for; as a e / (1 + e) with
    // e = exp(2 in), a subnormal e costs k_exp ulps and two roundings.
    axiomatic BoundGelu {
      logic real p_gelu_worse(arith A, real a) reads \nothing;
      axiom p_gelu_worse_def: \forall arith A, real a; p_gelu_worse(A,a) ==
        (p_gelu_sigmoid(A,a).e < VACUOUS ?
           \max(p_gelu_sigmoid(A,a).e, p_gelu_tanh(A,a).e) : p_gelu_tanh(A,a).e);
      logic real e_gelu(arith A, real a) reads \nothing;
      axiom e_gelu_def: \forall arith A, real a; e_gelu(A,a) ==
        p_range(A, \abs(a), p_gelu_worse(A,a) + (2.0 * A.k_exp + 2.0) * A.eta * \abs(a));
    }
    // 1 - t^2 or (1 - t) (1 + t), t = tanh in: the error of t enters both as 2 |t| e + e^2, and
    // the second has two more roundings. Where t is +-1 both are exactly 0.
    axiomatic BoundGeluSech2 {
      logic pair p_sech2(arith A, pair in) reads \nothing;
      axiom p_sech2_def: \forall arith A, pair in; p_sech2(A,in) ==
        (p_saturated(A,in) ?
           p_make(1.0 - p_tanh(A,in).v * p_tanh(A,in).v, 2.0 * p_tanh(A,in).e)
         : \let q = p_sub(A, p_make(1.0,0.0), p_mul(A, p_tanh(A,in), p_tanh(A,in)));
           p_rnd(A, q.v, q.e, 2.0));
    }
    // scale (1 + 3 cubic a^2)
    axiomatic BoundGeluInSlope {
      logic pair p_gelu_in_slope(arith A, real a) reads \nothing;
      axiom p_gelu_in_slope_def: \forall arith A, real a; p_gelu_in_slope(A,a) ==
        p_mul(A, p_const(A,GELU_SCALE), p_add(A, p_make(1.0,0.0),
              p_mul3(A, p_mul(A, p_make(3.0,0.0), p_const(A,GELU_CUBIC)),
                     p_make(a,0.0), p_make(a,0.0))));
    }
    // 1/2 a (1 - t^2) in', in any association. Where t is +-1 that is exactly 0, also where in'
    // leaves the range.
    axiomatic BoundGeluRest {
      logic pair p_gelu_rest(arith A, real a) reads \nothing;
      axiom p_gelu_rest_def: \forall arith A, real a; p_gelu_rest(A,a) ==
        (p_saturated(A, p_gelu_in(A,a)) ?
           p_make(rmul(rmul(0.5 * a, p_gelu_in_slope(A,a).v), p_sech2(A, p_gelu_in(A,a)).v),
                  rmul(\abs(rmul(0.5 * a, p_gelu_in_slope(A,a).v)),
                       p_sech2(A, p_gelu_in(A,a)).e))
         : p_mul3(A, p_mul(A, p_make(0.5,0.0), p_make(a,0.0)), p_sech2(A, p_gelu_in(A,a)),
                  p_gelu_in_slope(A,a)));
    }
    // D = 1/2 (1 + t) + 1/2 a (1 - t^2) in', each product in any association and the half inside or
    // outside of the sum; the derivative is D times g
    axiomatic BoundGeluSlope {
      logic pair p_gelu_d(arith A, real a) reads \nothing;
      axiom p_gelu_d_def: \forall arith A, real a; p_gelu_d(A,a) ==
        p_add(A, p_mul(A, p_make(0.5,0.0),
                       p_add(A, p_make(1.0,0.0), p_tanh(A, p_gelu_in(A,a)))),
              p_gelu_rest(A,a));
    }
    axiomatic BoundGeluVjp {
      logic real e_gelu_vjp(arith A, real a, real g) reads \nothing;
      axiom e_gelu_vjp_def: \forall arith A, real a, g;
        e_gelu_vjp(A,a,g) == p_mul(A, p_gelu_d(A,a), p_make(g,0.0)).e;
    }
*/

/* gelu'(a) as a pair. */
/*@ terminates \true; assigns \nothing; ensures \result == p_gelu_d(A,a); */
pair pair_gelu_d(arith A, double a);

/* a, e_y: (n). */
/*@ requires Map1(n,a,e_y);
    terminates \true;
    assigns e_y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_y[i] == e_ulps(A,\exp(\old(a[i])),A.k_exp);
*/
void bound_exp(idx n, const double *a, arith A, double *e_y);

/* a, e_y: (n). */
/*@ requires Map1(n,a,e_y);
    terminates \true;
    assigns e_y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_y[i] == e_ulps(A,\log(\old(a[i])),A.k_log);
*/
void bound_log(idx n, const double *a, arith A, double *e_y);

/* a, e_y: (n). */
/*@ requires Map1(n,a,e_y);
    terminates \true;
    assigns e_y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_y[i] == e_sigmoid(A,\old(a[i]));
*/
void bound_sigmoid(idx n, const double *a, arith A, double *e_y);

/* a, e_y: (n). */
/*@ requires Map1(n,a,e_y);
    terminates \true;
    assigns e_y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_y[i] == e_ulps(A,\tanh(\old(a[i])),A.k_tanh);
*/
void bound_tanh(idx n, const double *a, arith A, double *e_y);

/* a, e_y: (n). */
/*@ requires Map1(n,a,e_y);
    terminates \true;
    assigns e_y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_y[i] == e_ulps(A,Softplus(\old(a[i])),A.k_softplus);
*/
void bound_softplus(idx n, const double *a, arith A, double *e_y);

/* a, e_y: (n). */
/*@ requires Map1(n,a,e_y);
    terminates \true;
    assigns e_y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_y[i] == e_silu(A,\old(a[i]));
*/
void bound_silu(idx n, const double *a, arith A, double *e_y);

/* a, e_y: (n). Inputs of which |a| exceeds half the largest number are vacuous. */
/*@ requires Map1(n,a,e_y);
    terminates \true;
    assigns e_y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_y[i] == e_gelu(A,\old(a[i]));
*/
void bound_gelu(idx n, const double *a, arith A, double *e_y);

/* a, e_y: (n). */
/*@ requires Map1(n,a,e_y);
    terminates \true;
    assigns e_y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_y[i] == e_safe_log(A,\old(a[i]),eps);
*/
void bound_safe_log(idx n, double eps, const double *a, arith A, double *e_y);

/* y, g, e_da: (n). */
/*@ requires Map2(n,y,g,e_da);
    terminates \true;
    assigns e_da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_da[i] == e_sigmoid_vjp(A,\old(y[i]),\old(g[i]));
*/
void bound_sigmoid_vjp(idx n, const double *y, const double *g, arith A, double *e_da);

/* y, g, e_da: (n). */
/*@ requires Map2(n,y,g,e_da);
    terminates \true;
    assigns e_da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_da[i] == e_tanh_vjp(A,\old(y[i]),\old(g[i]));
*/
void bound_tanh_vjp(idx n, const double *y, const double *g, arith A, double *e_da);

/* a, g, e_da: (n). */
/*@ requires Map2(n,a,g,e_da);
    terminates \true;
    assigns e_da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_da[i] == e_softplus_vjp(A,\old(a[i]),\old(g[i]));
*/
void bound_softplus_vjp(idx n, const double *a, const double *g, arith A, double *e_da);

/* a, g, e_da: (n). */
/*@ requires Map2(n,a,g,e_da);
    terminates \true;
    assigns e_da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_da[i] == e_silu_vjp(A,\old(a[i]),\old(g[i]));
*/
void bound_silu_vjp(idx n, const double *a, const double *g, arith A, double *e_da);

/* a, g, e_da: (n). Inputs whose |a|^3 overflows are vacuous: there infinity may meet a zero. */
/*@ requires Map2(n,a,g,e_da);
    terminates \true;
    assigns e_da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_da[i] == e_gelu_vjp(A,\old(a[i]),\old(g[i]));
*/
void bound_gelu_vjp(idx n, const double *a, const double *g, arith A, double *e_da);

/* a, g, e_da: (n). */
/*@ requires Map2(n,a,g,e_da);
    terminates \true;
    assigns e_da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==>
      e_da[i] == e_safe_log_vjp(A,\old(a[i]),\old(g[i]),eps);
*/
void bound_safe_log_vjp(idx n, double eps, const double *a, const double *g, arith A, double *e_da);
#endif
