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

/* a, b, y: (n). y = a / b. */
/*@ requires In1(a,n) && In1(b,n) && Out1(y,n);
    requires Sep(y,n,a,n) && Sep(y,n,b,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Quotient(\old(a[i]),\old(b[i]));
*/
void ref_div(idx n, const double *a, const double *b, double *y);

/* a, b, g, da, db: (n). da = g / b, db = -g a / b^2. */
/*@ requires In1(a,n) && In1(b,n) && In1(g,n) && Out1(da,n) && Out1(db,n);
    requires Sep(da,n,a,n) && Sep(da,n,b,n) && Sep(da,n,g,n) && Sep(db,n,a,n) && Sep(db,n,b,n) &&
             Sep(db,n,g,n) && Sep(da,n,db,n);
    terminates \true;
    assigns da[0 .. n-1], db[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == QuotientDa(\old(a[i]),\old(b[i]),\old(g[i]));
    ensures \forall integer i; 0 <= i < n ==> db[i] == QuotientDb(\old(a[i]),\old(b[i]),\old(g[i]));
*/
void ref_div_vjp(idx n, const double *a, const double *b, const double *g, double *da, double *db);

/* a, b, y: (n). y = a + c b. */
/*@ requires In1(a,n) && In1(b,n) && Out1(y,n);
    requires Sep(y,n,a,n) && Sep(y,n,b,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Axpy(\old(a[i]),\old(b[i]),c);
*/
void ref_axpy(idx n, double c, const double *a, const double *b, double *y);

/* g, da, db: (n). da = g, db = c g. */
/*@ requires In1(g,n) && Out1(da,n) && Out1(db,n);
    requires Sep(da,n,g,n) && Sep(db,n,g,n) && Sep(da,n,db,n);
    terminates \true;
    assigns da[0 .. n-1], db[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == AxpyDa(\old(g[i]),c);
    ensures \forall integer i; 0 <= i < n ==> db[i] == Scaled(\old(g[i]),c);
*/
void ref_axpy_vjp(idx n, double c, const double *g, double *da, double *db);

/* a, y: (n). */
/*@ requires In1(a,n) && Out1(y,n);
    requires Sep(y,n,a,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Sqrt(\old(a[i]));
*/
void ref_sqrt(idx n, const double *a, double *y);

/* y, g, da: (n). da = g / (2 y). */
/*@ requires In1(y,n) && In1(g,n) && Out1(da,n);
    requires Sep(da,n,y,n) && Sep(da,n,g,n);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == SqrtVjp(\old(y[i]),\old(g[i]));
*/
void ref_sqrt_vjp(idx n, const double *y, const double *g, double *da);

/* a, y: (n). */
/*@ requires In1(a,n) && Out1(y,n);
    requires Sep(y,n,a,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Rsqrt(\old(a[i]));
*/
void ref_rsqrt(idx n, const double *a, double *y);

/* y, g, da: (n). da = -g y^3 / 2. */
/*@ requires In1(y,n) && In1(g,n) && Out1(da,n);
    requires Sep(da,n,y,n) && Sep(da,n,g,n);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == RsqrtVjp(\old(y[i]),\old(g[i]));
*/
void ref_rsqrt_vjp(idx n, const double *y, const double *g, double *da);

/* a, y: (n). */
/*@ requires In1(a,n) && Out1(y,n);
    requires Sep(y,n,a,n);
    terminates \true;
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == Reciprocal(\old(a[i]));
*/
void ref_reciprocal(idx n, const double *a, double *y);

/* y, g, da: (n). da = -g y^2. */
/*@ requires In1(y,n) && In1(g,n) && Out1(da,n);
    requires Sep(da,n,y,n) && Sep(da,n,g,n);
    terminates \true;
    assigns da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> da[i] == ReciprocalVjp(\old(y[i]),\old(g[i]));
*/
void ref_reciprocal_vjp(idx n, const double *y, const double *g, double *da);

/*@ // by a product and a sum, or both in one
    axiomatic BoundAxpy {
      logic real e_axpy(arith A, real a, real b, real c) reads \nothing;
      axiom e_axpy_def: \forall arith A, real a, b, c; e_axpy(A,a,b,c) ==
        p_add(A, p_make(a,0.0), p_mul(A, p_make(c,0.0), p_make(b,0.0))).e;
    }
    // (g/b) (a/b)
    axiomatic BoundDivVjp {
      logic real e_div_vjp(arith A, real a, real b, real g) reads \nothing;
      axiom e_div_vjp_def: \forall arith A, real a, b, g; e_div_vjp(A,a,b,g) ==
        p_mul(A, p_quo(A, p_make(g,0.0), p_make(b,0.0), 1.0),
              p_quo(A, p_make(a,0.0), p_make(b,0.0), 1.0)).e;
    }
    axiomatic BoundRsqrt {
      logic real e_rsqrt(arith A, real a) reads \nothing;
      axiom e_rsqrt_def: \forall arith A, real a; e_rsqrt(A,a) ==
        p_rnd(A, rdiv(1.0, \sqrt(a)), 0.0, 2.0 * A.k_rsqrt + 1.0).e;
    }
    // g/2 y y y, from the left, where no partial product leaves the range of the first and the last;
    // and what is lost where in another association one underflows, times the factors left
    axiomatic BoundRsqrtVjp {
      logic real e_rsqrt_vjp(arith A, real y, real g) reads \nothing;
      axiom e_rsqrt_vjp_def: \forall arith A, real y, g; e_rsqrt_vjp(A,y,g) ==
        p_widen(A, p_mul(A, p_mul(A, p_mul(A, p_mul(A, p_make(0.5,0.0), p_make(g,0.0)),
                                           p_make(y,0.0)), p_make(y,0.0)), p_make(y,0.0)),
                A.eta * (8.0 * (1.0 + \abs(g)) * (1.0 + \abs(y)) * (1.0 + \abs(y)))).e;
    }
    // g y y, in any association
    axiomatic BoundReciprocalVjp {
      logic real e_reciprocal_vjp(arith A, real y, real g) reads \nothing;
      axiom e_reciprocal_vjp_def: \forall arith A, real y, g; e_reciprocal_vjp(A,y,g) ==
        p_mul3(A, p_make(g,0.0), p_make(y,0.0), p_make(y,0.0)).e;
    }
*/

/* a, b, e_y: (n). */
/*@ requires In1(a,n) && In1(b,n) && Out1(e_y,n);
    requires Sep(e_y,n,a,n) && Sep(e_y,n,b,n);
    terminates \true;
    assigns e_y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_y[i] == e_axpy(A,\old(a[i]),\old(b[i]),c);
*/
void bound_axpy(idx n, double c, const double *a, const double *b, arith A, double *e_y);

/* a, b, g, e_db: (n). */
/*@ requires In1(a,n) && In1(b,n) && In1(g,n) && Out1(e_db,n);
    requires Sep(e_db,n,a,n) && Sep(e_db,n,b,n) && Sep(e_db,n,g,n);
    terminates \true;
    assigns e_db[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_db[i] == e_div_vjp(A,\old(a[i]),\old(b[i]),\old(g[i]));
*/
void bound_div_vjp(idx n, const double *a, const double *b, const double *g, arith A, double *e_db);

/* a, e_y: (n). */
/*@ requires In1(a,n) && Out1(e_y,n);
    requires Sep(e_y,n,a,n);
    terminates \true;
    assigns e_y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_y[i] == e_rsqrt(A,\old(a[i]));
*/
void bound_rsqrt(idx n, const double *a, arith A, double *e_y);

/* y, g, e_da: (n). */
/*@ requires In1(y,n) && In1(g,n) && Out1(e_da,n);
    requires Sep(e_da,n,y,n) && Sep(e_da,n,g,n);
    terminates \true;
    assigns e_da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_da[i] == e_rsqrt_vjp(A,\old(y[i]),\old(g[i]));
*/
void bound_rsqrt_vjp(idx n, const double *y, const double *g, arith A, double *e_da);

/* y, g, e_da: (n). */
/*@ requires In1(y,n) && In1(g,n) && Out1(e_da,n);
    requires Sep(e_da,n,y,n) && Sep(e_da,n,g,n);
    terminates \true;
    assigns e_da[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e_da[i] == e_reciprocal_vjp(A,\old(y[i]),\old(g[i]));
*/
void bound_reciprocal_vjp(idx n, const double *y, const double *g, arith A, double *e_da);

#endif
