/* linear, its VJP, and their error bounds. */
#ifndef REF_LINEAR_H
#define REF_LINEAR_H
#include "matmul.h"
#include "bias.h"
#include "../spec/linear.h"

/* x: (rows, in), w: (out, in), b: (out), y: (rows, out). y = x w' + b. */
/*@ requires In2(x,rows,in) && In2(w,out,in) && In1(b,out) && Out2(y,rows,out);
    requires Sep(y,ix(rows,out,0),x,ix(rows,in,0)) && Sep(y,ix(rows,out,0),w,ix(out,in,0));
    requires Sep(y,ix(rows,out,0),b,out);
    terminates \true;
    assigns y[0 .. ix(rows,out,0)-1];
    ensures \forall integer r, o; 0 <= r < rows ==> 0 <= o < out ==>
      y[ix(r,out,o)] == Linear{Pre}(x,w,b,rows,in,out,r,o);
*/
void ref_linear(idx rows, idx in, idx out, const double *x, const double *w, const double *b,
                double *y);

/* g: (rows, out). dx = g w, dw = g' x, db[o] = sum over r of g[r,o]. */
/*@ requires In2(x,rows,in) && In2(w,out,in) && In2(g,rows,out);
    requires Out2(dx,rows,in) && Out2(dw,out,in) && Out1(db,out);
    requires Sep(dx,ix(rows,in,0),x,ix(rows,in,0)) && Sep(dx,ix(rows,in,0),w,ix(out,in,0));
    requires Sep(dx,ix(rows,in,0),g,ix(rows,out,0)) && Sep(dx,ix(rows,in,0),dw,ix(out,in,0));
    requires Sep(dx,ix(rows,in,0),db,out) && Sep(dw,ix(out,in,0),x,ix(rows,in,0));
    requires Sep(dw,ix(out,in,0),w,ix(out,in,0)) && Sep(dw,ix(out,in,0),g,ix(rows,out,0));
    requires Sep(dw,ix(out,in,0),db,out) && Sep(db,out,x,ix(rows,in,0));
    requires Sep(db,out,w,ix(out,in,0)) && Sep(db,out,g,ix(rows,out,0));
    terminates \true;
    assigns dx[0 .. ix(rows,in,0)-1], dw[0 .. ix(out,in,0)-1], db[0 .. out-1];
    ensures \forall integer r, i; 0 <= r < rows ==> 0 <= i < in ==>
      dx[ix(r,in,i)] == MatMulVjpA{Pre}(1,1.0,g,w,rows,in,out,r,i);
    ensures \forall integer o, i; 0 <= o < out ==> 0 <= i < in ==>
      dw[ix(o,in,i)] == MatMulVjpB{Pre}(0,1.0,x,g,rows,in,out,i,o);
    ensures \forall integer o; 0 <= o < out ==> db[o] == ColSum{Pre}(g,out,o,rows);
*/
void ref_linear_vjp(idx rows, idx in, idx out, const double *x, const double *w, const double *g,
                    double *dx, double *dw, double *db);

/* Bounds. The bias is one more term of the sum, at any place of its tree, and is not rounded. */
/*@ axiomatic BoundBiasedDot {
      logic real e_biased_dot(arith A, real dot, real abs, real b, integer n) reads \nothing;
      axiom e_biased_dot_def: \forall arith A, real dot, abs, b, integer n;
        e_biased_dot(A,dot,abs,b,n) ==
        p_sum(A, dot + b, abs + \abs(b), p_gam(A.u,1.0) * abs + n * A.eta, A.h).e;
    }
    logic real LinearBound{L}(arith A, scalar *x, scalar *w, scalar *b,
                              integer rows, integer in, integer out, integer r, integer o) =
      e_biased_dot(A, MatDot{L}(0,1,x,w,rows,in,out,r,o,in), MatAbs{L}(0,1,x,w,rows,in,out,r,o,in),
                   b[o], in);
*/

/* Of one element: n products and a bias. */
/*@ terminates \true; assigns \nothing; ensures \result == e_biased_dot(A,dot,abs,b,n); */
double biased_dot_error(arith A, double dot, double abs, double b, idx n);

/* e_y: (rows, out), from the tree height A.h. */
/*@ requires In2(x,rows,in) && In2(w,out,in) && In1(b,out) && Out2(e_y,rows,out);
    requires Sep(e_y,ix(rows,out,0),x,ix(rows,in,0)) && Sep(e_y,ix(rows,out,0),w,ix(out,in,0));
    requires Sep(e_y,ix(rows,out,0),b,out);
    terminates \true;
    assigns e_y[0 .. ix(rows,out,0)-1];
    ensures \forall integer r, o; 0 <= r < rows ==> 0 <= o < out ==>
      e_y[ix(r,out,o)] == LinearBound{Pre}(A,x,w,b,rows,in,out,r,o);
*/
void bound_linear(idx rows, idx in, idx out, const double *x, const double *w, const double *b,
                  arith A, double *e_y);

/* e_dx from the tree height A.h, e_dw and e_db from A.h2. */
/*@ requires In2(x,rows,in) && In2(w,out,in) && In2(g,rows,out);
    requires Out2(e_dx,rows,in) && Out2(e_dw,out,in) && Out1(e_db,out);
    requires Sep(e_dx,ix(rows,in,0),x,ix(rows,in,0)) && Sep(e_dx,ix(rows,in,0),w,ix(out,in,0));
    requires Sep(e_dx,ix(rows,in,0),g,ix(rows,out,0)) && Sep(e_dx,ix(rows,in,0),e_dw,ix(out,in,0));
    requires Sep(e_dx,ix(rows,in,0),e_db,out) && Sep(e_dw,ix(out,in,0),x,ix(rows,in,0));
    requires Sep(e_dw,ix(out,in,0),w,ix(out,in,0)) && Sep(e_dw,ix(out,in,0),g,ix(rows,out,0));
    requires Sep(e_dw,ix(out,in,0),e_db,out) && Sep(e_db,out,x,ix(rows,in,0));
    requires Sep(e_db,out,w,ix(out,in,0)) && Sep(e_db,out,g,ix(rows,out,0));
    terminates \true;
    assigns e_dx[0 .. ix(rows,in,0)-1], e_dw[0 .. ix(out,in,0)-1], e_db[0 .. out-1];
    ensures \forall integer r, i; 0 <= r < rows ==> 0 <= i < in ==>
      e_dx[ix(r,in,i)] == MatMulBound{Pre}(A,A.h,0,0,1.0,g,w,rows,out,in,r,i);
    ensures \forall integer o, i; 0 <= o < out ==> 0 <= i < in ==>
      e_dw[ix(o,in,i)] == MatMulBound{Pre}(A,A.h2,1,0,1.0,x,g,in,rows,out,i,o);
    ensures \forall integer o; 0 <= o < out ==> e_db[o] ==
      p_sum(A, ColSum{Pre}(g,out,o,rows), ColSumAbs{Pre}(g,out,o,rows), 0.0, A.h2).e;
*/
void bound_linear_vjp(idx rows, idx in, idx out, const double *x, const double *w, const double *g,
                      arith A, double *e_dx, double *e_dw, double *e_db);
#endif
