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
#endif
