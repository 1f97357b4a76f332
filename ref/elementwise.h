/* Elementwise ops, their VJPs and error bounds. */
#ifndef REF_ELEMENTWISE_H
#define REF_ELEMENTWISE_H
#include "ref.h"
#include "pair.h"
#include "../spec/elementwise.h"

/* a, b, y: (n). y = a + b. */
/*@ requires In1(a,n) && In1(b,n) && Out1(y,n) && Sep(y,n,a,n) && Sep(y,n,b,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == \old(a[i]) + \old(b[i]);
*/
void ref_add(idx n, const double *a, const double *b, double *y);

/* g, da, db: (n). da = g, db = g. */
/*@ requires In1(g,n) && Out1(da,n) && Out1(db,n);
    requires Sep(da,n,g,n) && Sep(db,n,g,n) && Sep(da,n,db,n);
    terminates \true;
    assigns da[0 .. n-1], db[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == \old(g[i]);
    ensures \forall integer i; 0 <= i < n ==> db[i] == \old(g[i]);
*/
void ref_add_vjp(idx n, const double *g, double *da, double *db);

/* a, b, y: (n). */
/*@ requires In1(a,n) && In1(b,n) && Out1(y,n);
    requires Sep(y,n,a,n) && Sep(y,n,b,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Minus(\old(a[i]),\old(b[i]));
*/
void ref_sub(idx n, const double *a, const double *b, double *y);

/* g, da, db: (n). */
/*@ requires In1(g,n) && Out1(da,n) && Out1(db,n);
    requires Sep(da,n,g,n) && Sep(db,n,g,n) && Sep(da,n,db,n);
    terminates \true;
    assigns da[0 .. n-1], db[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == First(\old(g[i]));
    ensures \forall integer i; 0 <= i < n ==> db[i] == Neg(\old(g[i]));
*/
void ref_sub_vjp(idx n, const double *g, double *da, double *db);

/* a, b, y: (n). */
/*@ requires In1(a,n) && In1(b,n) && Out1(y,n);
    requires Sep(y,n,a,n) && Sep(y,n,b,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Times(\old(a[i]),\old(b[i]));
*/
void ref_mul(idx n, const double *a, const double *b, double *y);

/* a, b, g, da, db: (n). */
/*@ requires In1(a,n) && In1(b,n) && In1(g,n) && Out1(da,n) && Out1(db,n);
    requires Sep(da,n,a,n) && Sep(da,n,b,n) && Sep(da,n,g,n) && Sep(db,n,a,n) && Sep(db,n,b,n) &&
             Sep(db,n,g,n) && Sep(da,n,db,n);
    terminates \true;
    assigns da[0 .. n-1], db[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == TimesDa(\old(a[i]),\old(b[i]),\old(g[i]));
    ensures \forall integer i; 0 <= i < n ==> db[i] == TimesDb(\old(a[i]),\old(b[i]),\old(g[i]));
*/
void ref_mul_vjp(idx n, const double *a, const double *b, const double *g, double *da, double *db);

/* a, y: (n). */
/*@ requires In1(a,n) && Out1(y,n);
    requires Sep(y,n,a,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Scaled(\old(a[i]),c);
*/
void ref_scale(idx n, double c, const double *a, double *y);

/* g, da: (n). */
/*@ requires In1(g,n) && Out1(da,n);
    requires Sep(da,n,g,n);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == Scaled(\old(g[i]),c);
*/
void ref_scale_vjp(idx n, double c, const double *g, double *da);

/* a, y: (n). */
/*@ requires In1(a,n) && Out1(y,n);
    requires Sep(y,n,a,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Neg(\old(a[i]));
*/
void ref_neg(idx n, const double *a, double *y);

/* g, da: (n). */
/*@ requires In1(g,n) && Out1(da,n);
    requires Sep(da,n,g,n);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == Neg(\old(g[i]));
*/
void ref_neg_vjp(idx n, const double *g, double *da);

/* a, y: (n). */
/*@ requires In1(a,n) && Out1(y,n);
    requires Sep(y,n,a,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Abs(\old(a[i]));
*/
void ref_abs(idx n, const double *a, double *y);

/* a, g, da: (n). */
/*@ requires In1(a,n) && In1(g,n) && Out1(da,n);
    requires Sep(da,n,a,n) && Sep(da,n,g,n);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == AbsVjp(\old(a[i]),\old(g[i]));
*/
void ref_abs_vjp(idx n, const double *a, const double *g, double *da);

/* a, y: (n). */
/*@ requires In1(a,n) && Out1(y,n);
    requires Sep(y,n,a,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Clamp(\old(a[i]),lo,hi);
*/
void ref_clamp(idx n, double lo, double hi, const double *a, double *y);

/* a, g, da: (n). */
/*@ requires In1(a,n) && In1(g,n) && Out1(da,n);
    requires Sep(da,n,a,n) && Sep(da,n,g,n);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == ClampVjp(\old(a[i]),\old(g[i]),lo,hi);
*/
void ref_clamp_vjp(idx n, double lo, double hi, const double *a, const double *g, double *da);

/* a, b, y: (n). */
/*@ requires In1(a,n) && In1(b,n) && Out1(y,n);
    requires Sep(y,n,a,n) && Sep(y,n,b,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Maximum(\old(a[i]),\old(b[i]));
*/
void ref_maximum(idx n, const double *a, const double *b, double *y);

/* a, b, g, da, db: (n). */
/*@ requires In1(a,n) && In1(b,n) && In1(g,n) && Out1(da,n) && Out1(db,n);
    requires Sep(da,n,a,n) && Sep(da,n,b,n) && Sep(da,n,g,n) && Sep(db,n,a,n) && Sep(db,n,b,n) &&
             Sep(db,n,g,n) && Sep(da,n,db,n);
    terminates \true;
    assigns da[0 .. n-1], db[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == IfLarger(\old(a[i]),\old(b[i]),\old(g[i]));
    ensures \forall integer i; 0 <= i < n ==> db[i] == IfSmaller(\old(a[i]),\old(b[i]),\old(g[i]));
*/
void ref_maximum_vjp(idx n, const double *a, const double *b, const double *g, double *da,
                     double *db);

/* a, b, y: (n). */
/*@ requires In1(a,n) && In1(b,n) && Out1(y,n);
    requires Sep(y,n,a,n) && Sep(y,n,b,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Minimum(\old(a[i]),\old(b[i]));
*/
void ref_minimum(idx n, const double *a, const double *b, double *y);

/* a, b, g, da, db: (n). */
/*@ requires In1(a,n) && In1(b,n) && In1(g,n) && Out1(da,n) && Out1(db,n);
    requires Sep(da,n,a,n) && Sep(da,n,b,n) && Sep(da,n,g,n) && Sep(db,n,a,n) && Sep(db,n,b,n) &&
             Sep(db,n,g,n) && Sep(da,n,db,n);
    terminates \true;
    assigns da[0 .. n-1], db[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == IfSmaller(\old(a[i]),\old(b[i]),\old(g[i]));
    ensures \forall integer i; 0 <= i < n ==> db[i] == IfLarger(\old(a[i]),\old(b[i]),\old(g[i]));
*/
void ref_minimum_vjp(idx n, const double *a, const double *b, const double *g, double *da,
                     double *db);

/* a, y: (n). */
/*@ requires In1(a,n) && Out1(y,n);
    requires Sep(y,n,a,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Relu(\old(a[i]));
*/
void ref_relu(idx n, const double *a, double *y);

/* a, g, da: (n). */
/*@ requires In1(a,n) && In1(g,n) && Out1(da,n);
    requires Sep(da,n,a,n) && Sep(da,n,g,n);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == ReluVjp(\old(a[i]),\old(g[i]));
*/
void ref_relu_vjp(idx n, const double *a, const double *g, double *da);

/* a, y: (n). y = a/2 (1 + tanh(sqrt(2/pi) (a + 0.044715 a^3))). */
/*@ requires In1(a,n) && Out1(y,n) && Sep(y,n,a,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Gelu(\old(a[i]));
*/
void ref_gelu(idx n, const double *a, double *y);

/* a, g, da: (n). da = g gelu'(a). */
/*@ requires In1(a,n) && In1(g,n) && Out1(da,n) && Sep(da,n,a,n) && Sep(da,n,g,n);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == GeluVjp(\old(a[i]),\old(g[i]));
*/
void ref_gelu_vjp(idx n, const double *a, const double *g, double *da);

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
    // D = 1/2 (1 + t) + 1/2 a (1 - t^2) in', each product in any association and the half inside or
    // outside of the sum; the derivative is D times g
    axiomatic BoundGeluSlope {
      logic pair p_gelu_d(arith A, real a) reads \nothing;
      axiom p_gelu_d_def: \forall arith A, real a; p_gelu_d(A,a) ==
        p_add(A, p_mul(A, p_make(0.5,0.0),
                       p_add(A, p_make(1.0,0.0), p_tanh(A, p_gelu_in(A,a)))),
              p_mul3(A, p_mul(A, p_make(0.5,0.0), p_make(a,0.0)), p_sech2(A, p_gelu_in(A,a)),
                     p_gelu_in_slope(A,a)));
    }
    axiomatic BoundGeluVjp {
      logic real e_gelu_vjp(arith A, real a, real g) reads \nothing;
      axiom e_gelu_vjp_def: \forall arith A, real a, g;
        e_gelu_vjp(A,a,g) == p_mul(A, p_gelu_d(A,a), p_make(g,0.0)).e;
    }
*/

/* a, e_y: (n). Inputs of which |a| exceeds half the largest number are vacuous. */
/*@ requires In1(a,n) && Out1(e_y,n) && Sep(e_y,n,a,n);
    terminates \true;
    assigns e_y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_y[i] == e_gelu(A,\old(a[i]));
*/
void bound_gelu(idx n, const double *a, arith A, double *e_y);

/* a, g, e_da: (n). Inputs whose |a|^3 overflows are vacuous: there infinity may meet a zero. */
/*@ requires In1(a,n) && In1(g,n) && Out1(e_da,n) && Sep(e_da,n,a,n) && Sep(e_da,n,g,n);
    terminates \true;
    assigns e_da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==>
      e_da[i] == e_gelu_vjp(A,\old(a[i]),\old(g[i]));
*/
void bound_gelu_vjp(idx n, const double *a, const double *g, arith A, double *e_da);
#endif
