/* Losses, their VJPs, and their error bounds. */
#ifndef REF_LOSS_H
#define REF_LOSS_H
#include "ref.h"
#include "pair.h"
#include "softmax.h"
#include "../spec/loss.h"

/* a, t: (n), y: (1). y = mean of (a - t)^2; of none it is NaN. */
/*@ requires In1(a,n) && In1(t,n) && Out1(y,1) && Sep(y,1,a,n) && Sep(y,1,t,n);
    terminates \true;
    assigns y[0];
    ensures y[0] == Mse{Pre}(a,t,n);
*/
void ref_mse_loss(idx n, const double *a, const double *t, double *y);

/* a, t, da, dt: (n), g: (1). da = g 2/n (a - t), dt = -da. */
/*@ requires In1(a,n) && In1(t,n) && In1(g,1) && Out1(da,n) && Out1(dt,n);
    requires Sep(da,n,a,n) && Sep(da,n,t,n) && Sep(da,n,g,1) && Sep(da,n,dt,n);
    requires Sep(dt,n,a,n) && Sep(dt,n,t,n) && Sep(dt,n,g,1);
    terminates \true;
    assigns da[0 .. n-1], dt[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==>
      da[i] == MseDa(\old(g[0]),\old(a[i]),\old(t[i]),rdiv(2.0,n));
    ensures \forall integer i; 0 <= i < n ==>
      dt[i] == MseDt(\old(g[0]),\old(a[i]),\old(t[i]),rdiv(2.0,n));
*/
void ref_mse_loss_vjp(idx n, const double *a, const double *t, const double *g, double *da,
                      double *dt);

/*@ predicate InTargets{L}(int64_t *target, integer rows, integer cols) =
      0 <= rows <= IDX_LIM && \valid_read(target + (0 .. rows-1)) && Targets{L}(target,rows,cols);
    predicate SepTargets{L}(scalar *a, integer n, int64_t *target, integer rows) =
      \separated(a + (0 .. n-1), target + (0 .. rows-1));
*/

/* x: (rows, cols), target: (rows), y: (1). y = mean over r of -log softmax(x[r])[target[r]]; of no
 * rows it is NaN. */
/*@ requires In2(x,rows,cols) && InTargets(target,rows,cols) && Out1(y,1);
    requires Sep(y,1,x,ix(rows,cols,0)) && SepTargets(y,1,target,rows);
    terminates \true;
    assigns y[0];
    ensures y[0] == CrossEntropy{Pre}(x,target,rows,cols);
*/
void ref_cross_entropy(idx rows, idx cols, const double *x, const int64_t *target, double *y);

/* x, dx: (rows, cols), target: (rows), g: (1).
 * dx[r,c] = g (softmax(x[r])[c] - (1 where c = target[r])) / rows. */
/*@ requires In2(x,rows,cols) && InTargets(target,rows,cols) && In1(g,1) && Out2(dx,rows,cols);
    requires Sep(dx,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(dx,ix(rows,cols,0),g,1);
    requires SepTargets(dx,ix(rows,cols,0),target,rows);
    terminates \true;
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> dx[ix(r,cols,c)] ==
      RowGradient{Pre}(x+ix(r,cols,0),cols,Target{Pre}(target,r),rdiv(\old(g[0]),rows),c);
*/
void ref_cross_entropy_vjp(idx rows, idx cols, const double *x, const int64_t *target,
                           const double *g, double *dx);

/* Both of the above, for g = 1: y: (1), dx: (rows, cols). */
/*@ requires In2(x,rows,cols) && InTargets(target,rows,cols) && Out1(y,1) && Out2(dx,rows,cols);
    requires Sep(y,1,x,ix(rows,cols,0)) && SepTargets(y,1,target,rows);
    requires Sep(dx,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(dx,ix(rows,cols,0),y,1);
    requires SepTargets(dx,ix(rows,cols,0),target,rows);
    terminates \true;
    assigns y[0], dx[0 .. ix(rows,cols,0)-1];
    ensures y[0] == CrossEntropy{Pre}(x,target,rows,cols);
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> dx[ix(r,cols,c)] ==
      RowGradient{Pre}(x+ix(r,cols,0),cols,Target{Pre}(target,r),rdiv(1.0,rows),c);
*/
void ref_cross_entropy_grad(idx rows, idx cols, const double *x, const int64_t *target, double *y,
                            double *dx);

/*@ // a number of things: rounded where it has more digits than the arithmetic
    axiomatic BoundNumber {
      logic pair p_number(arith A, real n) reads \nothing;
      axiom p_number_def: \forall arith A, real n; p_number(A,n) ==
        (n * A.u <= 1.0 ? p_make(n,0.0) : p_const(A,n));
    }
    // (a - t)^2
    axiomatic BoundSquare {
      logic pair p_square(arith A, real a, real t) reads \nothing;
      axiom p_square_def: \forall arith A, real a, t; p_square(A,a,t) ==
        p_mul(A, p_sub(A, p_make(a,0.0), p_make(t,0.0)), p_sub(A, p_make(a,0.0), p_make(t,0.0)));
    }
    // sums over i < n of the value and of the error of (a[i] - t[i])^2
    logic real SquareValue{L}(arith A, scalar *a, scalar *t, integer n) =
      n <= 0 ? 0.0 : SquareValue{L}(A,a,t,n-1) + p_square(A,a[n-1],t[n-1]).v;
    logic real SquareError{L}(arith A, scalar *a, scalar *t, integer n) =
      n <= 0 ? 0.0 : SquareError{L}(A,a,t,n-1) + p_square(A,a[n-1],t[n-1]).e;
    // the mean of n numbers that are not negative, from the sums of their values and errors
    axiomatic BoundMean {
      logic pair p_mean(arith A, real value, real error, real h, real n) reads \nothing;
      axiom p_mean_def: \forall arith A, real value, error, h, n; p_mean(A,value,error,h,n) ==
        p_quo(A, p_sum(A,value,value,error,h), p_number(A,n), 2.0);
    }
    logic real MseBound{L}(arith A, scalar *a, scalar *t, integer n) =
      p_mean(A, SquareValue{L}(A,a,t,n), SquareError{L}(A,a,t,n), A.h, n).e;
    // 2/n, g and a - t in any association; 2/n is rounded once
    axiomatic BoundMseVjp {
      logic real e_mse_vjp(arith A, real a, real t, real g, real n) reads \nothing;
      axiom e_mse_vjp_def: \forall arith A, real a, t, g, n; e_mse_vjp(A,a,t,g,n) ==
        p_mul3(A, p_quo(A, p_make(2.0,0.0), p_number(A,n), 1.0), p_make(g,0.0),
               p_sub(A, p_make(a,0.0), p_make(t,0.0))).e;
    }
*/

/* a, t: (n), e_y: (1), for a summation tree of height A.h. */
/*@ requires In1(a,n) && In1(t,n) && Out1(e_y,1) && Sep(e_y,1,a,n) && Sep(e_y,1,t,n);
    terminates \true;
    assigns e_y[0];
    ensures e_y[0] == MseBound{Pre}(A,a,t,n);
*/
void bound_mse_loss(idx n, const double *a, const double *t, arith A, double *e_y);

/* a, t: (n), g: (1), e_da, e_dt: (n). */
/*@ requires In1(a,n) && In1(t,n) && In1(g,1) && Out1(e_da,n) && Out1(e_dt,n);
    requires Sep(e_da,n,a,n) && Sep(e_da,n,t,n) && Sep(e_da,n,g,1) && Sep(e_da,n,e_dt,n);
    requires Sep(e_dt,n,a,n) && Sep(e_dt,n,t,n) && Sep(e_dt,n,g,1);
    terminates \true;
    assigns e_da[0 .. n-1], e_dt[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==>
      e_da[i] == e_mse_vjp(A,\old(a[i]),\old(t[i]),\old(g[0]),n);
    ensures \forall integer i; 0 <= i < n ==>
      e_dt[i] == e_mse_vjp(A,\old(t[i]),\old(a[i]),\old(g[0]),n);
*/
void bound_mse_loss_vjp(idx n, const double *a, const double *t, const double *g, arith A,
                        double *e_da, double *e_dt);

/*@ // Cross entropy. Of a row: its largest element m, the sums of value and error of exp(x[i] - m).
    axiomatic BoundRowLoss {
      logic pair p_row_loss(arith A, real xt, real m, real value, real error) reads \nothing;
      axiom p_row_loss_def: \forall arith A, real xt, m, value, error;
        p_row_loss(A,xt,m,value,error) ==
        p_sub(A, p_log(A, p_sum(A,value,value,error,A.h)),
              p_sub(A, p_make(xt,0.0), p_make(m,0.0)));
    }
    logic pair RowLossPair{L}(arith A, scalar *x, integer n, integer t) =
      p_row_loss(A, x[t], RowMax{L}(x,n), ExpValue{L}(A,x,RowMax{L}(x,n),n),
                 ExpError{L}(A,x,RowMax{L}(x,n),n));
    // sums of value and error of the first n rows' losses
    logic real LossValue{L}(arith A, scalar *x, int64_t *target, integer cols, integer n) =
      n <= 0 ? 0.0 : LossValue{L}(A,x,target,cols,n-1)
                     + RowLossPair{L}(A,x+ix(n-1,cols,0),cols,target[n-1]).v;
    logic real LossError{L}(arith A, scalar *x, int64_t *target, integer cols, integer n) =
      n <= 0 ? 0.0 : LossError{L}(A,x,target,cols,n-1)
                     + RowLossPair{L}(A,x+ix(n-1,cols,0),cols,target[n-1]).e;
    // A.h is the height along a row, A.h2 that across the rows
    logic real CrossEntropyBound{L}(arith A, scalar *x, int64_t *target, integer rows,
                                    integer cols) =
      p_mean(A, LossValue{L}(A,x,target,cols,rows), LossError{L}(A,x,target,cols,rows), A.h2,
             rows).e;
    // softmax less 1 at the target (hit), g and 1/rows in any association
    axiomatic BoundRowGradient {
      logic pair p_probability(arith A, real d, real value, real error) reads \nothing;
      axiom p_probability_def: \forall arith A, real d, value, error;
        p_probability(A,d,value,error) ==
        p_quo(A, p_shifted_exp(A,d), p_sum(A,value,value,error,A.h), 2.0);
      logic real e_row_gradient(arith A, pair p, integer hit, real g, real rows) reads \nothing;
      axiom e_row_gradient_def: \forall arith A, pair p, integer hit, real g, rows;
        e_row_gradient(A,p,hit,g,rows) ==
        p_mul3(A, hit != 0 ? p_sub(A, p, p_make(1.0,0.0)) : p, p_make(g,0.0),
               p_quo(A, p_make(1.0,0.0), p_number(A,rows), 1.0)).e;
    }
    logic real RowGradientBound{L}(arith A, scalar *x, integer n, integer t, real g, real rows,
                                   integer c) =
      e_row_gradient(A, p_probability(A, x[c] - RowMax{L}(x,n),
                                      ExpValue{L}(A,x,RowMax{L}(x,n),n),
                                      ExpError{L}(A,x,RowMax{L}(x,n),n)),
                     c == t ? 1 : 0, g, rows);
    lemma row_gradient_bound_frame{L1,L2}: \forall arith A, scalar *x, integer n, t, real g, rows,
                                           integer c; 0 <= c < n ==> Same{L1,L2}(x,n) ==>
      RowGradientBound{L1}(A,x,n,t,g,rows,c) == RowGradientBound{L2}(A,x,n,t,g,rows,c);
*/

/* x: (rows, cols), target: (rows), e_y: (1). */
/*@ requires In2(x,rows,cols) && InTargets(target,rows,cols) && Out1(e_y,1);
    requires Sep(e_y,1,x,ix(rows,cols,0)) && SepTargets(e_y,1,target,rows);
    terminates \true;
    assigns e_y[0];
    ensures e_y[0] == CrossEntropyBound{Pre}(A,x,target,rows,cols);
*/
void bound_cross_entropy(idx rows, idx cols, const double *x, const int64_t *target, arith A,
                         double *e_y);

/* x, e_dx: (rows, cols), target: (rows), g: (1). */
/*@ requires In2(x,rows,cols) && InTargets(target,rows,cols) && In1(g,1) && Out2(e_dx,rows,cols);
    requires Sep(e_dx,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(e_dx,ix(rows,cols,0),g,1);
    requires SepTargets(e_dx,ix(rows,cols,0),target,rows);
    terminates \true;
    assigns e_dx[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> e_dx[ix(r,cols,c)] ==
      RowGradientBound{Pre}(A,x+ix(r,cols,0),cols,Target{Pre}(target,r),\old(g[0]),rows,c);
*/
void bound_cross_entropy_vjp(idx rows, idx cols, const double *x, const int64_t *target,
                             const double *g, arith A, double *e_dx);

/* e_y: (1), e_dx: (rows, cols). */
/*@ requires In2(x,rows,cols) && InTargets(target,rows,cols) && Out1(e_y,1) && Out2(e_dx,rows,cols);
    requires Sep(e_y,1,x,ix(rows,cols,0)) && SepTargets(e_y,1,target,rows);
    requires Sep(e_dx,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(e_dx,ix(rows,cols,0),e_y,1);
    requires SepTargets(e_dx,ix(rows,cols,0),target,rows);
    terminates \true;
    assigns e_y[0], e_dx[0 .. ix(rows,cols,0)-1];
    ensures e_y[0] == CrossEntropyBound{Pre}(A,x,target,rows,cols);
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> e_dx[ix(r,cols,c)] ==
      RowGradientBound{Pre}(A,x+ix(r,cols,0),cols,Target{Pre}(target,r),1.0,rows,c);
*/
void bound_cross_entropy_grad(idx rows, idx cols, const double *x, const int64_t *target, arith A,
                              double *e_y, double *e_dx);
#endif
