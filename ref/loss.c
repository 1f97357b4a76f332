#include "loss.h"

/* s / n, and NaN for none. */
/*@ requires n == 0 ==> s == 0.0;
    assigns \nothing;
    ensures \result == rdiv(s,n);
*/
static double mean_of(double s, idx n)
{
  if (n == 0)
    return r_quo(s, 0.0);
  return r_div(s, (double)n);
}

void ref_mse_loss(idx n, const double *a, const double *t, double *y)
{
  double s = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == SquareSum{Pre}(a,t,i);
      loop assigns i, s;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    s += r_mul(a[i] - t[i], a[i] - t[i]);
  y[0] = mean_of(s, n);
}

/*@ assigns \nothing; ensures \result == MseDa(g,a,t,c); */
static double mse_da(double g, double a, double t, double c) { return r_mul(r_mul(c, g), a - t); }

/*@ assigns \nothing; ensures \result == MseDt(g,a,t,c); */
static double mse_dt(double g, double a, double t, double c) { return r_mul(r_mul(c, g), t - a); }

void ref_mse_loss_vjp(idx n, const double *a, const double *t, const double *g, double *da,
                      double *dt)
{
  if (n == 0)
    return;
  double c = r_div(2.0, (double)n);
#define LOOP_OUT da
#define LOOP_VALUE mse_da(g[0], a[i], t[i], c)
#define LOOP_IS(j) MseDa(rd{Pre}(g, 0), rd{Pre}(a, j), rd{Pre}(t, j), rdiv(2.0, n))
#include "loop.inc"
#define LOOP_OUT dt
#define LOOP_VALUE mse_dt(g[0], a[i], t[i], c)
#define LOOP_IS(j) MseDt(rd{Pre}(g, 0), rd{Pre}(a, j), rd{Pre}(t, j), rdiv(2.0, n))
#include "loop.inc"
}

/*@ predicate GradientRows{L1,L2}(scalar *x, int64_t *target, real scale, scalar *dx, integer cols,
                                  integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==> \at(dx[ix(r,cols,c)],L2) ==
        RowGradient{L1}(x+ix(r,cols,0),cols,Target{L1}(target,r),scale,c);
    predicate GradientBounds{L1,L2}(arith A, scalar *x, int64_t *target, real g, integer rows,
                                    scalar *e, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==> \at(e[ix(r,cols,c)],L2) ==
        RowGradientBound{L1}(A,x+ix(r,cols,0),cols,Target{L1}(target,r),g,rows,c);
    predicate SameRows{L1,L2}(scalar *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L2) == \at(y[ix(r,cols,c)],L1);
*/

/*@ requires 0 <= t < n && In1(x,n);
    assigns \nothing;
    ensures \result == RowLoss{Pre}(x,n,t);
*/
static double row_loss(idx n, const double *x, idx t)
{
  double m = row_max(n, x);
  return log_sum_exp(n, x, m) - (x[t] - m);
}

/*@ requires In2(x,rows,cols) && InTargets(target,rows,cols);
    assigns \nothing;
    ensures \result == CrossEntropy{Pre}(x,target,rows,cols);
*/
static double mean_loss(idx rows, idx cols, const double *x, const int64_t *target)
{
  double s = 0.0;
  /*@ loop invariant 0 <= r <= rows;
      loop invariant s == LossSum{Pre}(x,target,cols,r);
      loop assigns r, s;
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    idx o = at2(rows, cols, r, 0);
    //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
    s += row_loss(cols, x + o, target[r]);
  }
  return mean_of(s, rows);
}

void ref_cross_entropy(idx rows, idx cols, const double *x, const int64_t *target, double *y)
{
  y[0] = mean_loss(rows, cols, x, target);
}

/*@ requires 0 <= t < n && In1(x,n) && Out1(dx,n) && Sep(dx,n,x,n);
    assigns dx[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> dx[c] == RowGradient{Pre}(x,n,t,scale,c);
*/
static void row_gradient(idx n, const double *x, idx t, double scale, double *dx)
{
  double hit = softmax_less_one(n, x, t);
  ref_softmax(1, n, x, dx);
  //@ assert \forall integer c; 0 <= c < n ==> dx[ix(0,n,c)] == Softmax{Pre}(x+ix(0,n,0),n,c);
  //@ assert \forall integer c; 0 <= c < n ==> dx[c] == Softmax{Pre}(x,n,c);
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==> dx[c] == RowGradient{Pre}(x,n,t,scale,c);
      loop invariant \forall integer c; i <= c < n ==> dx[c] == Softmax{Pre}(x,n,c);
      loop assigns i, dx[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    dx[i] = r_mul(scale, i == t ? hit : dx[i]);
}

/*@ requires In2(x,rows,cols) && InTargets(target,rows,cols) && Out2(dx,rows,cols);
    requires Sep(dx,ix(rows,cols,0),x,ix(rows,cols,0));
    requires SepTargets(dx,ix(rows,cols,0),target,rows);
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures GradientRows{Pre,Post}(x,target,scale,dx,cols,rows);
*/
static void gradient(idx rows, idx cols, const double *x, const int64_t *target, double scale,
                     double *dx)
{
#define ROWS_OUT dx
#define ROWS_ARE(n) GradientRows{Pre, Here}(x, target, scale, dx, cols, n)
#define ROWS_CALL(o) row_gradient(cols, x + o, target[r], scale, dx + o)
#define ROWS_SAME(o) Same{L0, Pre}(x + o, cols)
#define ROWS_IS(L, o) RowGradient{L}(x + o, cols, Target{Pre}(target, r), scale, c)
#include "softmax_rows.inc"
}

void ref_cross_entropy_vjp(idx rows, idx cols, const double *x, const int64_t *target,
                           const double *g, double *dx)
{
  if (rows > 0)
    gradient(rows, cols, x, target, r_div(g[0], (double)rows), dx);
}

void ref_cross_entropy_grad(idx rows, idx cols, const double *x, const int64_t *target, double *y,
                            double *dx)
{
  double loss = mean_loss(rows, cols, x, target);
  if (rows > 0)
    gradient(rows, cols, x, target, r_div(1.0, (double)rows), dx);
  y[0] = loss;
}

/* ---- bounds ---- */

/*@ assigns \nothing; ensures \result == p_number(A,n); */
static pair pair_number(arith A, idx n)
{
  double count = (double)n;
  return count * A.u <= 1.0 ? pair_in(count) : pair_const(A, count);
}

/*@ assigns \nothing; ensures \result == p_square(A,a,t); */
static pair pair_square(arith A, double a, double t)
{
  pair d = pair_sub(A, pair_in(a), pair_in(t));
  return pair_mul(A, d, d);
}

/*@ assigns \nothing; ensures \result == p_mean(A,value,error,h,n); */
static pair pair_mean(arith A, double value, double error, double h, idx n)
{
  return pair_quo(A, pair_sum(A, value, value, error, h), pair_number(A, n), 2.0);
}

void bound_mse_loss(idx n, const double *a, const double *t, arith A, double *e_y)
{
  double value = 0.0, error = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant value == SquareValue{Pre}(A,a,t,i);
      loop invariant error == SquareError{Pre}(A,a,t,i);
      loop assigns i, value, error;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    pair s = pair_square(A, a[i], t[i]);
    value += s.v;
    error += s.e;
  }
  pair mean = pair_mean(A, value, error, A.h, n);
  e_y[0] = mean.e;
}

/*@ assigns \nothing; ensures \result == e_mse_vjp(A,a,t,g,n); */
static double mse_vjp_error(arith A, double a, double t, double g, idx n)
{
  pair c = pair_quo(A, pair_in(2.0), pair_number(A, n), 1.0);
  pair d = pair_mul3(A, c, pair_in(g), pair_sub(A, pair_in(a), pair_in(t)));
  return d.e;
}

void bound_mse_loss_vjp(idx n, const double *a, const double *t, const double *g, arith A,
                        double *e_da, double *e_dt)
{
#define LOOP_OUT e_da
#define LOOP_VALUE mse_vjp_error(A, a[i], t[i], g[0], n)
#define LOOP_IS(j) e_mse_vjp(A, rd{Pre}(a, j), rd{Pre}(t, j), rd{Pre}(g, 0), n)
#include "loop.inc"
#define LOOP_OUT e_dt
#define LOOP_VALUE mse_vjp_error(A, t[i], a[i], g[0], n)
#define LOOP_IS(j) e_mse_vjp(A, rd{Pre}(t, j), rd{Pre}(a, j), rd{Pre}(g, 0), n)
#include "loop.inc"
}

/* ---- bounds of cross entropy ---- */

/* The sums of value and error of exp(x[i] - m), as a pair. */
/*@ requires In1(x,n);
    assigns \nothing;
    ensures \result == p_make(ExpValue{Pre}(A,x,m,n), ExpError{Pre}(A,x,m,n));
*/
static pair exp_sum(idx n, const double *x, double m, arith A)
{
  double value = 0.0, error = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant value == ExpValue{Pre}(A,x,m,i);
      loop invariant error == ExpError{Pre}(A,x,m,i);
      loop assigns i, value, error;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    pair t = pair_shifted_exp(A, x[i] - m);
    value += t.v;
    error += t.e;
  }
  return pair_make(value, error);
}

/*@ requires 0 <= t < n && In1(x,n);
    assigns \nothing;
    ensures \result == RowLossPair{Pre}(A,x,n,t);
*/
static pair row_loss_pair(idx n, const double *x, idx t, arith A)
{
  double m = row_max(n, x);
  pair s = exp_sum(n, x, m, A), d = pair_sub(A, pair_in(x[t]), pair_in(m));
  return pair_sub(A, pair_log(A, pair_sum(A, s.v, s.v, s.e, A.h)), d);
}

/*@ requires In2(x,rows,cols) && InTargets(target,rows,cols);
    assigns \nothing;
    ensures \result == CrossEntropyBound{Pre}(A,x,target,rows,cols);
*/
static double mean_loss_error(idx rows, idx cols, const double *x, const int64_t *target, arith A)
{
  double value = 0.0, error = 0.0;
  /*@ loop invariant 0 <= r <= rows;
      loop invariant value == LossValue{Pre}(A,x,target,cols,r);
      loop invariant error == LossError{Pre}(A,x,target,cols,r);
      loop assigns r, value, error;
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    idx o = at2(rows, cols, r, 0);
    //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
    pair loss = row_loss_pair(cols, x + o, target[r], A);
    value += loss.v;
    error += loss.e;
  }
  pair mean = pair_mean(A, value, error, A.h2, rows);
  return mean.e;
}

void bound_cross_entropy(idx rows, idx cols, const double *x, const int64_t *target, arith A,
                         double *e_y)
{
  e_y[0] = mean_loss_error(rows, cols, x, target, A);
}

/*@ assigns \nothing; ensures \result == p_probability(A,d,value,error); */
static pair pair_probability(arith A, double d, double value, double error)
{
  return pair_quo(A, pair_shifted_exp(A, d), pair_sum(A, value, value, error, A.h), 2.0);
}

/*@ assigns \nothing; ensures \result == e_row_gradient(A,p,hit,g,rows); */
static double row_gradient_error(arith A, pair p, int hit, double g, idx rows)
{
  pair each = pair_quo(A, pair_in(1.0), pair_number(A, rows), 1.0);
  pair d = hit ? pair_sub(A, p, pair_in(1.0)) : p;
  pair dx = pair_mul3(A, d, pair_in(g), each);
  return dx.e;
}

/*@ requires 0 <= t < n && In1(x,n) && Out1(e,n) && Sep(e,n,x,n);
    assigns e[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> e[c] == RowGradientBound{Pre}(A,x,n,t,g,rows,c);
*/
static void bound_row_gradient(idx n, const double *x, idx t, double g, idx rows, arith A,
                               double *e)
{
  double m = row_max(n, x);
  pair s = exp_sum(n, x, m, A);
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==>
        e[c] == RowGradientBound{Pre}(A,x,n,t,g,rows,c);
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    e[i] = row_gradient_error(A, pair_probability(A, x[i] - m, s.v, s.e), i == t, g, rows);
}

/*@ requires In2(x,rows,cols) && InTargets(target,rows,cols) && Out2(e,rows,cols);
    requires Sep(e,ix(rows,cols,0),x,ix(rows,cols,0));
    requires SepTargets(e,ix(rows,cols,0),target,rows);
    assigns e[0 .. ix(rows,cols,0)-1];
    ensures GradientBounds{Pre,Post}(A,x,target,g,rows,e,cols,rows);
*/
static void gradient_error(idx rows, idx cols, const double *x, const int64_t *target, double g,
                           arith A, double *e)
{
#define ROWS_OUT e
#define ROWS_ARE(n) GradientBounds{Pre, Here}(A, x, target, g, rows, e, cols, n)
#define ROWS_CALL(o) bound_row_gradient(cols, x + o, target[r], g, rows, A, e + o)
#define ROWS_SAME(o) Same{L0, Pre}(x + o, cols)
#define ROWS_IS(L, o) RowGradientBound{L}(A, x + o, cols, Target{Pre}(target, r), g, rows, c)
#include "softmax_rows.inc"
}

void bound_cross_entropy_vjp(idx rows, idx cols, const double *x, const int64_t *target,
                             const double *g, arith A, double *e_dx)
{
  gradient_error(rows, cols, x, target, g[0], A, e_dx);
}

void bound_cross_entropy_grad(idx rows, idx cols, const double *x, const int64_t *target, arith A,
                              double *e_y, double *e_dx)
{
  double loss = mean_loss_error(rows, cols, x, target, A);
  gradient_error(rows, cols, x, target, 1.0, A, e_dx);
  e_y[0] = loss;
}
