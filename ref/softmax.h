/* Softmax along the rows of a (rows, cols) matrix, log-softmax, softmax under a mask, their VJPs,
 * and the error bounds of all six. */
#ifndef REF_SOFTMAX_H
#define REF_SOFTMAX_H
#include "ref.h"
#include "pair.h"
#include "../spec/softmax.h"

/* x: (n). Its largest element. */
/*@ requires 1 <= n && In1(x,n);
    terminates \true;
    assigns \nothing;
    ensures \result == RowMax{Pre}(x,n);
*/
double row_max(idx n, const double *x);

/* ln of the sum of exp(x[i] - m); where one term is 1 and the others are little, that of 1 + them. */
/*@ requires In1(x,n);
    terminates \true;
    assigns \nothing;
    ensures \result == \log(SumExp{Pre}(x,m,n));
*/
double log_sum_exp(idx n, const double *x, double m);

/* softmax(x)[t] - 1, from its logarithm. */
/*@ requires 0 <= t < n && In1(x,n);
    terminates \true;
    assigns \nothing;
    ensures \result == Softmax{Pre}(x,n,t) - 1.0;
*/
double softmax_less_one(idx n, const double *x, idx t);

/* x, y: (rows, cols). y[r,c] = exp(x[r,c] - m) / sum over k of exp(x[r,k] - m), m the largest
 * element of row r. */
/*@ requires In2(x,rows,cols) && Out2(y,rows,cols);
    requires Sep(y,ix(rows,cols,0),x,ix(rows,cols,0));
    terminates \true;
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      y[ix(r,cols,c)] == Softmax{Pre}(x+ix(r,cols,0),cols,c);
*/
void ref_softmax(idx rows, idx cols, const double *x, double *y);

/* y, g, dx: (rows, cols), y the softmax of x, g the cotangent of y, dx that of x. */
/*@ requires In2(y,rows,cols) && In2(g,rows,cols) && Out2(dx,rows,cols);
    requires Sep(dx,ix(rows,cols,0),y,ix(rows,cols,0));
    requires Sep(dx,ix(rows,cols,0),g,ix(rows,cols,0));
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      dx[ix(r,cols,c)] == SoftmaxVjp{Pre}(y+ix(r,cols,0),g+ix(r,cols,0),cols,c);
*/
void ref_softmax_vjp(idx rows, idx cols, const double *y, const double *g, double *dx);

/* Bounds. d = x[c] - m is rounded once; alpha weighs that error, for exp made from exp2.
 * exp(0) is exactly 1. A quotient by the sum may be a product by its reciprocal. */
/* Below -EXP_FAR, -infinity included, exp and its computed value lie below eta, as long as the
 * rounding of d (alpha u of it) does not halve it. */
#define EXP_FAR 2000.0
/*@ axiomatic BoundShiftedExp {
      logic pair p_shifted_exp(arith A, real d) reads \nothing;
      axiom p_shifted_exp_def: \forall arith A, real d; p_shifted_exp(A,d) ==
        (d == 0.0 ? p_make(1.0,0.0)
         : d < -EXP_FAR ? p_make(\exp(d), rmul(2.0 * A.k_exp + 2.0, A.eta))
         : p_exp(A, p_make(d, rmul(A.alpha, rmul(A.u,\abs(d)) + A.eta))));
    }
*/

/* exp(d), d = x[c] - m rounded once. */
/*@ terminates \true; assigns \nothing; ensures \result == p_shifted_exp(A,d); */
pair pair_shifted_exp(arith A, double d);

/*@ // sums over i < n of the value and of the error of exp(x[i] - m)
    logic real ExpValue{L}(arith A, scalar *x, real m, integer n) =
      n <= 0 ? 0.0 : ExpValue{L}(A,x,m,n-1) + p_shifted_exp(A, x[n-1] - m).v;
    logic real ExpError{L}(arith A, scalar *x, real m, integer n) =
      n <= 0 ? 0.0 : ExpError{L}(A,x,m,n-1) + p_shifted_exp(A, x[n-1] - m).e;
    // exp is not negative: the sum of values is that of magnitudes
    axiomatic BoundSoftmax {
      logic real e_softmax(arith A, real d, real value, real error) reads \nothing;
      axiom e_softmax_def: \forall arith A, real d, value, error; e_softmax(A,d,value,error) ==
        p_quo(A, p_shifted_exp(A,d), p_sum(A,value,value,error,A.h), 2.0).e;
    }
    logic real SoftmaxBound{L}(arith A, scalar *x, integer n, integer c) =
      e_softmax(A, x[c] - RowMax{L}(x,n), ExpValue{L}(A,x,RowMax{L}(x,n),n),
                ExpError{L}(A,x,RowMax{L}(x,n),n));

    // sum over i < n of |a[i] b[i]|
    logic real RowAbs{L}(scalar *a, scalar *b, integer n) =
      n <= 0 ? 0.0 : RowAbs{L}(a,b,n-1) + \abs(rmul(a[n-1],b[n-1]));
    // the larger of y (g - s) and y g - y s
    axiomatic BoundSoftmaxVjp {
      logic real e_softmax_vjp(arith A, real y, real g, real dot, real abs, integer n)
        reads \nothing;
      axiom e_softmax_vjp_def: \forall arith A, real y, g, dot, abs, integer n;
        e_softmax_vjp(A,y,g,dot,abs,n) ==
        \max(p_mul(A, p_make(y,0.0), p_sub(A, p_make(g,0.0), p_dot(A,dot,abs,n,A.h))).e,
             p_sub(A, p_mul(A, p_make(y,0.0), p_make(g,0.0)),
                   p_mul(A, p_make(y,0.0), p_dot(A,dot,abs,n,A.h))).e);
    }
    logic real SoftmaxVjpBound{L}(arith A, scalar *y, scalar *g, integer n, integer c) =
      e_softmax_vjp(A, y[c], g[c], RowDot{L}(g,y,n), RowAbs{L}(g,y,n), n);

    lemma exp_value_frame{L1,L2}: \forall arith A, scalar *x, real m, integer n;
      Same{L1,L2}(x,n) ==> ExpValue{L1}(A,x,m,n) == ExpValue{L2}(A,x,m,n);
    lemma exp_error_frame{L1,L2}: \forall arith A, scalar *x, real m, integer n;
      Same{L1,L2}(x,n) ==> ExpError{L1}(A,x,m,n) == ExpError{L2}(A,x,m,n);
    lemma row_abs_frame{L1,L2}: \forall scalar *a, *b, integer n;
      Same{L1,L2}(a,n) ==> Same{L1,L2}(b,n) ==> RowAbs{L1}(a,b,n) == RowAbs{L2}(a,b,n);
    lemma softmax_bound_frame{L1,L2}: \forall arith A, scalar *x, integer n, c; 0 <= c < n ==>
      Same{L1,L2}(x,n) ==> SoftmaxBound{L1}(A,x,n,c) == SoftmaxBound{L2}(A,x,n,c);
    lemma softmax_vjp_bound_frame{L1,L2}: \forall arith A, scalar *y, *g, integer n, c;
      0 <= c < n ==> Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==>
      SoftmaxVjpBound{L1}(A,y,g,n,c) == SoftmaxVjpBound{L2}(A,y,g,n,c);
*/

/* x, e_y: (rows, cols). */
/*@ requires In2(x,rows,cols) && Out2(e_y,rows,cols);
    requires Sep(e_y,ix(rows,cols,0),x,ix(rows,cols,0));
    assigns e_y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      e_y[ix(r,cols,c)] == SoftmaxBound{Pre}(A,x+ix(r,cols,0),cols,c);
*/
void bound_softmax(idx rows, idx cols, const double *x, arith A, double *e_y);

/* y, g, e_dx: (rows, cols). */
/*@ requires In2(y,rows,cols) && In2(g,rows,cols) && Out2(e_dx,rows,cols);
    requires Sep(e_dx,ix(rows,cols,0),y,ix(rows,cols,0));
    requires Sep(e_dx,ix(rows,cols,0),g,ix(rows,cols,0));
    assigns e_dx[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      e_dx[ix(r,cols,c)] ==
      SoftmaxVjpBound{Pre}(A,y+ix(r,cols,0),g+ix(r,cols,0),cols,c);
*/
void bound_softmax_vjp(idx rows, idx cols, const double *y, const double *g, arith A, double *e_dx);

/* ---- log_softmax ---- */

/* x, y: (rows, cols). y[r,c] = x[r,c] - m - log(sum over k of exp(x[r,k] - m)), m the largest
 * element of row r. */
/*@ requires In2(x,rows,cols) && Out2(y,rows,cols);
    requires Sep(y,ix(rows,cols,0),x,ix(rows,cols,0));
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      y[ix(r,cols,c)] == LogSoftmax{Pre}(x+ix(r,cols,0),cols,c);
*/
void ref_log_softmax(idx rows, idx cols, const double *x, double *y);

/* y, g, dx: (rows, cols), y the log-softmax of x. dx[r,c] = g[r,c] - exp(y[r,c]) sum of g[r,k]. */
/*@ requires In2(y,rows,cols) && In2(g,rows,cols) && Out2(dx,rows,cols);
    requires Sep(dx,ix(rows,cols,0),y,ix(rows,cols,0));
    requires Sep(dx,ix(rows,cols,0),g,ix(rows,cols,0));
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      dx[ix(r,cols,c)] == LogSoftmaxVjp{Pre}(y+ix(r,cols,0),g+ix(r,cols,0),cols,c);
*/
void ref_log_softmax_vjp(idx rows, idx cols, const double *y, const double *g, double *dx);

/* The bound: d = x[c] - m and the logarithm apart, so that it does not grow with m. */
/*@ axiomatic BoundLogSoftmax {
      logic real e_log_softmax(arith A, real x, real m, real value, real error) reads \nothing;
      axiom e_log_softmax_def: \forall arith A, real x, m, value, error;
        e_log_softmax(A,x,m,value,error) ==
        p_sub(A, p_sub(A, p_make(x,0.0), p_make(m,0.0)),
              p_log(A, p_sum(A,value,value,error,A.h))).e;
    }
    logic real LogSoftmaxBound{L}(arith A, scalar *x, integer n, integer c) =
      e_log_softmax(A, x[c], RowMax{L}(x,n), ExpValue{L}(A,x,RowMax{L}(x,n),n),
                    ExpError{L}(A,x,RowMax{L}(x,n),n));
    // sum of |a[i]| over i < n
    logic real RowSumAbs{L}(scalar *a, integer n) =
      n <= 0 ? 0.0 : RowSumAbs{L}(a,n-1) + \abs(a[n-1]);
    axiomatic BoundLogSoftmaxVjp {
      logic real e_log_softmax_vjp(arith A, real y, real g, real sum, real abs) reads \nothing;
      axiom e_log_softmax_vjp_def: \forall arith A, real y, g, sum, abs;
        e_log_softmax_vjp(A,y,g,sum,abs) ==
        p_sub(A, p_make(g,0.0),
              p_mul(A, p_exp(A, p_make(y,0.0)), p_sum(A,sum,abs,0.0,A.h))).e;
    }
    logic real LogSoftmaxVjpBound{L}(arith A, scalar *y, scalar *g, integer n, integer c) =
      e_log_softmax_vjp(A, y[c], g[c], Sum{L}(g,n), RowSumAbs{L}(g,n));

    lemma row_sum_abs_frame{L1,L2}: \forall scalar *g, integer n;
      Same{L1,L2}(g,n) ==> RowSumAbs{L1}(g,n) == RowSumAbs{L2}(g,n);
    lemma log_softmax_bound_frame{L1,L2}: \forall arith A, scalar *x, integer n, c;
      0 <= c < n ==> Same{L1,L2}(x,n) ==>
      LogSoftmaxBound{L1}(A,x,n,c) == LogSoftmaxBound{L2}(A,x,n,c);
    lemma log_softmax_vjp_bound_frame{L1,L2}: \forall arith A, scalar *y, *g, integer n, c;
      0 <= c < n ==> Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==>
      LogSoftmaxVjpBound{L1}(A,y,g,n,c) == LogSoftmaxVjpBound{L2}(A,y,g,n,c);
*/

/* x, e_y: (rows, cols). */
/*@ requires In2(x,rows,cols) && Out2(e_y,rows,cols);
    requires Sep(e_y,ix(rows,cols,0),x,ix(rows,cols,0));
    assigns e_y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      e_y[ix(r,cols,c)] == LogSoftmaxBound{Pre}(A,x+ix(r,cols,0),cols,c);
*/
void bound_log_softmax(idx rows, idx cols, const double *x, arith A, double *e_y);

/* y, g, e_dx: (rows, cols). */
/*@ requires In2(y,rows,cols) && In2(g,rows,cols) && Out2(e_dx,rows,cols);
    requires Sep(e_dx,ix(rows,cols,0),y,ix(rows,cols,0));
    requires Sep(e_dx,ix(rows,cols,0),g,ix(rows,cols,0));
    assigns e_dx[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      e_dx[ix(r,cols,c)] ==
      LogSoftmaxVjpBound{Pre}(A,y+ix(r,cols,0),g+ix(r,cols,0),cols,c);
*/
void bound_log_softmax_vjp(idx rows, idx cols, const double *y, const double *g, arith A,
                           double *e_dx);

/* ---- masked_softmax ---- */

/* x, mask, y: (rows, cols); an element is blocked where its mask is not 0. y is 0 there, and the
 * softmax of the row's other elements elsewhere. */
/*@ requires In2(x,rows,cols) && In2(mask,rows,cols) && Out2(y,rows,cols);
    requires Sep(y,ix(rows,cols,0),x,ix(rows,cols,0));
    requires Sep(y,ix(rows,cols,0),mask,ix(rows,cols,0));
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      y[ix(r,cols,c)] == MaskedSoftmax{Pre}(x+ix(r,cols,0),mask+ix(r,cols,0),cols,c);
*/
void ref_masked_softmax(idx rows, idx cols, const double *x, const double *mask, double *y);

/* y, g, dx: (rows, cols), y the masked softmax of x. */
/*@ requires In2(y,rows,cols) && In2(g,rows,cols) && Out2(dx,rows,cols);
    requires Sep(dx,ix(rows,cols,0),y,ix(rows,cols,0));
    requires Sep(dx,ix(rows,cols,0),g,ix(rows,cols,0));
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      dx[ix(r,cols,c)] == MaskedSoftmaxVjp{Pre}(y+ix(r,cols,0),g+ix(r,cols,0),cols,c);
*/
void ref_masked_softmax_vjp(idx rows, idx cols, const double *y, const double *g, double *dx);

/*@ axiomatic BoundOpenExp {
      logic real v_open_exp(arith A, real b, real x, real m) reads \nothing;
      axiom v_open_exp_def: \forall arith A, real b, x, m; v_open_exp(A,b,x,m) ==
        (b == 0.0 ? p_shifted_exp(A, x - m).v : 0.0);
      logic real e_open_exp(arith A, real b, real x, real m) reads \nothing;
      axiom e_open_exp_def: \forall arith A, real b, x, m; e_open_exp(A,b,x,m) ==
        (b == 0.0 ? p_shifted_exp(A, x - m).e : 0.0);
    }
    // ExpValue and ExpError over the open i < n
    logic real OpenValue{L}(arith A, scalar *x, scalar *b, real m, integer n) =
      n <= 0 ? 0.0 : OpenValue{L}(A,x,b,m,n-1) + v_open_exp(A,b[n-1],x[n-1],m);
    logic real OpenError{L}(arith A, scalar *x, scalar *b, real m, integer n) =
      n <= 0 ? 0.0 : OpenError{L}(A,x,b,m,n-1) + e_open_exp(A,b[n-1],x[n-1],m);
    // softmax's, of the open elements; a blocked one is exactly 0
    logic real OpenBound{L}(arith A, scalar *x, scalar *b, real m, integer n, integer c) =
      if_open(b[c],
              e_softmax(A, x[c] - m, OpenValue{L}(A,x,b,m,n), OpenError{L}(A,x,b,m,n)));
    logic real MaskedSoftmaxBound{L}(arith A, scalar *x, scalar *b, integer n, integer c) =
      OpenBound{L}(A,x,b,OpenMax{L}(x,b,n),n,c);
    // sum of |a[i] b[i]| over the i < n at which b is not 0
    logic real LiveAbs{L}(scalar *a, scalar *b, integer n) =
      n <= 0 ? 0.0 : LiveAbs{L}(a,b,n-1) + if_live(b[n-1], \abs(rmul(a[n-1],b[n-1])));
    logic real MaskedSoftmaxVjpBound{L}(arith A, scalar *y, scalar *g, integer n, integer c) =
      if_live(y[c], e_softmax_vjp(A, y[c], g[c], LiveDot{L}(g,y,n), LiveAbs{L}(g,y,n), n));

    // both at once, apart from Same: that brings every lemma of the family into an induction
    predicate SameBoth{L1,L2}(scalar *x, scalar *b, integer n) =
      \forall integer i; 0 <= i < n ==>
        \at(x[i],L1) == \at(x[i],L2) && \at(b[i],L1) == \at(b[i],L2);
    lemma live_abs_frame{L1,L2}: \forall scalar *a, *b, integer n;
      SameBoth{L1,L2}(a,b,n) ==> LiveAbs{L1}(a,b,n) == LiveAbs{L2}(a,b,n);
    lemma open_value_frame{L1,L2}: \forall arith A, scalar *x, *b, real m, integer n;
      SameBoth{L1,L2}(x,b,n) ==>
      OpenValue{L1}(A,x,b,m,n) == OpenValue{L2}(A,x,b,m,n);
    lemma open_error_frame{L1,L2}: \forall arith A, scalar *x, *b, real m, integer n;
      SameBoth{L1,L2}(x,b,n) ==>
      OpenError{L1}(A,x,b,m,n) == OpenError{L2}(A,x,b,m,n);
    lemma same_both{L1,L2}: \forall scalar *x, *b, integer n;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> SameBoth{L1,L2}(x,b,n);
    lemma open_sums_frame{L1,L2}: \forall arith A, scalar *x, *b, real m, integer n;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==>
      OpenValue{L1}(A,x,b,m,n) == OpenValue{L2}(A,x,b,m,n) &&
      OpenError{L1}(A,x,b,m,n) == OpenError{L2}(A,x,b,m,n);
    lemma live_sum_frame{L1,L2}: \forall scalar *a, *b, integer n;
      Same{L1,L2}(a,n) ==> Same{L1,L2}(b,n) ==> LiveAbs{L1}(a,b,n) == LiveAbs{L2}(a,b,n);
    lemma open_bound_frame{L1,L2}: \forall arith A, scalar *x, *b, real m, integer n, c;
      0 <= c < n ==> Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==>
      OpenBound{L1}(A,x,b,m,n,c) == OpenBound{L2}(A,x,b,m,n,c);
    lemma masked_softmax_bound_frame{L1,L2}: \forall arith A, scalar *x, *b, integer n, c;
      0 <= c < n ==> Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==>
      MaskedSoftmaxBound{L1}(A,x,b,n,c) == MaskedSoftmaxBound{L2}(A,x,b,n,c);
    lemma masked_softmax_vjp_bound_frame{L1,L2}: \forall arith A, scalar *y, *g, integer n, c;
      0 <= c < n ==> Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==>
      MaskedSoftmaxVjpBound{L1}(A,y,g,n,c) == MaskedSoftmaxVjpBound{L2}(A,y,g,n,c);
*/

/* x, mask, e_y: (rows, cols). */
/*@ requires In2(x,rows,cols) && In2(mask,rows,cols) && Out2(e_y,rows,cols);
    requires Sep(e_y,ix(rows,cols,0),x,ix(rows,cols,0));
    requires Sep(e_y,ix(rows,cols,0),mask,ix(rows,cols,0));
    assigns e_y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      e_y[ix(r,cols,c)] ==
      MaskedSoftmaxBound{Pre}(A,x+ix(r,cols,0),mask+ix(r,cols,0),cols,c);
*/
void bound_masked_softmax(idx rows, idx cols, const double *x, const double *mask, arith A,
                          double *e_y);

/* y, g, e_dx: (rows, cols). */
/*@ requires In2(y,rows,cols) && In2(g,rows,cols) && Out2(e_dx,rows,cols);
    requires Sep(e_dx,ix(rows,cols,0),y,ix(rows,cols,0));
    requires Sep(e_dx,ix(rows,cols,0),g,ix(rows,cols,0));
    assigns e_dx[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      e_dx[ix(r,cols,c)] ==
      MaskedSoftmaxVjpBound{Pre}(A,y+ix(r,cols,0),g+ix(r,cols,0),cols,c);
*/
void bound_masked_softmax_vjp(idx rows, idx cols, const double *y, const double *g, arith A,
                              double *e_dx);
#endif
