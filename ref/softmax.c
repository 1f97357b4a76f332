#include "softmax.h"
#include "lost.h"

/*@ predicate SoftmaxRows{L1,L2}(scalar *x, scalar *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L2) == Softmax{L1}(x+ix(r,cols,0),cols,c);
    predicate VjpRows{L1,L2}(scalar *y, scalar *g, scalar *dx, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(dx[ix(r,cols,c)],L2) == SoftmaxVjp{L1}(y+ix(r,cols,0),g+ix(r,cols,0),cols,c);
    predicate SoftmaxBounds{L1,L2}(arith A, scalar *x, scalar *e, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(e[ix(r,cols,c)],L2) == SoftmaxBound{L1}(A,x+ix(r,cols,0),cols,c);
    predicate VjpBounds{L1,L2}(arith A, scalar *y, scalar *g, scalar *e, integer cols,
                               integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(e[ix(r,cols,c)],L2) == SoftmaxVjpBound{L1}(A,y+ix(r,cols,0),g+ix(r,cols,0),cols,c);
    predicate LogRows{L1,L2}(scalar *x, scalar *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L2) == LogSoftmax{L1}(x+ix(r,cols,0),cols,c);
    predicate LogVjpRows{L1,L2}(scalar *y, scalar *g, scalar *dx, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(dx[ix(r,cols,c)],L2) == LogSoftmaxVjp{L1}(y+ix(r,cols,0),g+ix(r,cols,0),cols,c);
    predicate LogBounds{L1,L2}(arith A, scalar *x, scalar *e, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(e[ix(r,cols,c)],L2) == LogSoftmaxBound{L1}(A,x+ix(r,cols,0),cols,c);
    predicate LogVjpBounds{L1,L2}(arith A, scalar *y, scalar *g, scalar *e, integer cols,
                                  integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(e[ix(r,cols,c)],L2) ==
        LogSoftmaxVjpBound{L1}(A,y+ix(r,cols,0),g+ix(r,cols,0),cols,c);
    predicate MaskedRows{L1,L2}(scalar *x, scalar *b, scalar *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L2) == MaskedSoftmax{L1}(x+ix(r,cols,0),b+ix(r,cols,0),cols,c);
    predicate MaskedVjpRows{L1,L2}(scalar *y, scalar *g, scalar *dx, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(dx[ix(r,cols,c)],L2) == MaskedSoftmaxVjp{L1}(y+ix(r,cols,0),g+ix(r,cols,0),cols,c);
    predicate MaskedBounds{L1,L2}(arith A, scalar *x, scalar *b, scalar *e, integer cols,
                                  integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(e[ix(r,cols,c)],L2) ==
        MaskedSoftmaxBound{L1}(A,x+ix(r,cols,0),b+ix(r,cols,0),cols,c);
    predicate MaskedVjpBounds{L1,L2}(arith A, scalar *y, scalar *g, scalar *e, integer cols,
                                     integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(e[ix(r,cols,c)],L2) ==
        MaskedSoftmaxVjpBound{L1}(A,y+ix(r,cols,0),g+ix(r,cols,0),cols,c);
    predicate SameRows{L1,L2}(scalar *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L2) == \at(y[ix(r,cols,c)],L1);
*/

/*@ requires 1 <= n && In1(x,n) && Out1(y,n) && Sep(y,n,x,n);
    assigns y[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> y[c] == Softmax{Pre}(x,n,c);
*/
static void softmax_row(idx n, const double *x, double *y)
{
  double m = row_max(n, x), s = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == SumExp{Pre}(x,m,i);
      loop invariant \forall integer c; 0 <= c < i ==> y[c] == \exp(\at(x[c],Pre) - m);
      loop assigns i, s, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    y[i] = r_exp(x[i] - m);
    s += y[i];
  }
  //@ assert positive: s > 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==> y[c] == Softmax{Pre}(x,n,c);
      loop invariant \forall integer c; i <= c < n ==> y[c] == \exp(\at(x[c],Pre) - m);
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = r_div(y[i], s);
}

void ref_softmax(idx rows, idx cols, const double *x, double *y)
{
#define ROWS_OUT y
#define ROWS_ARE(n) SoftmaxRows{Pre, Here}(x, y, cols, n)
#define ROWS_CALL(o) softmax_row(cols, x + o, y + o)
#define ROWS_SAME(o) Same{L0, Pre}(x + o, cols)
#define ROWS_IS(L, o) Softmax{L}(x + o, cols, c)
#include "softmax_rows.inc"
}

/*@ requires In1(y,n) && In1(g,n) && Out1(dx,n) && Sep(dx,n,y,n) && Sep(dx,n,g,n);
    assigns dx[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> dx[c] == SoftmaxVjp{Pre}(y,g,n,c);
*/
static void softmax_vjp_row(idx n, const double *y, const double *g, double *dx)
{
  double s = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == RowDot{Pre}(g,y,i) && is_zero(lost);
      loop assigns i, s, lost;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double gy = r_mul(g[i], y[i]);
    lost += lost_sum(s, gy);
    s += gy;
  }
  lost = r_kept(lost);
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==> dx[c] == SoftmaxVjp{Pre}(y,g,n,c);
      loop assigns i, dx[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    dx[i] = r_mul(y[i], g[i] - s - lost);
}

void ref_softmax_vjp(idx rows, idx cols, const double *y, const double *g, double *dx){
#define ROWS_OUT dx
#define ROWS_ARE(n) VjpRows{Pre, Here}(y, g, dx, cols, n)
#define ROWS_CALL(o) softmax_vjp_row(cols, y + o, g + o, dx + o)
#define ROWS_SAME(o) Same{L0, Pre}(y + o, cols) && Same{L0, Pre}(g + o, cols)
#define ROWS_IS(L, o) SoftmaxVjp{L}(y + o, g + o, cols, c)
#include "softmax_rows.inc"
}

pair pair_shifted_exp(arith A, double d)
{
  if (d == 0.0)
    return pair_in(1.0);
  if (d < -EXP_FAR)
    return pair_make(r_exp(d), r_mul(2.0 * A.k_exp + 2.0, A.eta));
  return pair_exp(A, pair_make(d, r_mul(A.alpha, r_mul(A.u, r_abs(d)) + A.eta)));
}

/*@ assigns \nothing; ensures \result == e_softmax(A,d,value,error); */
static double softmax_error(arith A, double d, double value, double error)
{
  pair y = pair_quo(A, pair_shifted_exp(A, d), pair_sum(A, value, value, error, A.h), 2.0);
  return y.e;
}

/*@ requires 1 <= n && In1(x,n) && Out1(e,n) && Sep(e,n,x,n);
    assigns e[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> e[c] == SoftmaxBound{Pre}(A,x,n,c);
*/
static void bound_softmax_row(idx n, const double *x, arith A, double *e)
{
  double m = row_max(n, x), value = 0.0, error = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant value == ExpValue{Pre}(A,x,m,i) && error == ExpError{Pre}(A,x,m,i);
      loop assigns i, value, error;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    pair t = pair_shifted_exp(A, x[i] - m);
    value += t.v;
    error += t.e;
  }
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==> e[c] == SoftmaxBound{Pre}(A,x,n,c);
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    e[i] = softmax_error(A, x[i] - m, value, error);
}

void bound_softmax(idx rows, idx cols, const double *x, arith A, double *e_y)
{
#define ROWS_OUT e_y
#define ROWS_ARE(n) SoftmaxBounds{Pre, Here}(A, x, e_y, cols, n)
#define ROWS_CALL(o) bound_softmax_row(cols, x + o, A, e_y + o)
#define ROWS_SAME(o) Same{L0, Pre}(x + o, cols)
#define ROWS_IS(L, o) SoftmaxBound{L}(A, x + o, cols, c)
#include "softmax_rows.inc"
}

/*@ assigns \nothing; ensures \result == e_softmax_vjp(A,y,g,dot,abs,n); */
static double softmax_vjp_error(arith A, double y, double g, double dot, double abs, idx n)
{
  pair py = pair_in(y), pg = pair_in(g), s = pair_dot(A, dot, abs, (double)n, A.h);
  pair one = pair_mul(A, py, pair_sub(A, pg, s));
  pair two = pair_sub(A, pair_mul(A, py, pg), pair_mul(A, py, s));
  return one.e > two.e ? one.e : two.e;
}

/*@ requires In1(y,n) && In1(g,n) && Out1(e,n) && Sep(e,n,y,n) && Sep(e,n,g,n);
    assigns e[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> e[c] == SoftmaxVjpBound{Pre}(A,y,g,n,c);
*/
static void bound_softmax_vjp_row(idx n, const double *y, const double *g, arith A, double *e)
{
  double dot = 0.0, abs = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant dot == RowDot{Pre}(g,y,i) && abs == RowAbs{Pre}(g,y,i);
      loop assigns i, dot, abs;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double gy = r_mul(g[i], y[i]);
    dot += gy;
    abs += r_abs(gy);
  }
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==> e[c] == SoftmaxVjpBound{Pre}(A,y,g,n,c);
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    e[i] = softmax_vjp_error(A, y[i], g[i], dot, abs, n);
}

void bound_softmax_vjp(idx rows, idx cols, const double *y, const double *g, arith A, double *e_dx)
{
#define ROWS_OUT e_dx
#define ROWS_ARE(n) VjpBounds{Pre, Here}(A, y, g, e_dx, cols, n)
#define ROWS_CALL(o) bound_softmax_vjp_row(cols, y + o, g + o, A, e_dx + o)
#define ROWS_SAME(o) Same{L0, Pre}(y + o, cols) && Same{L0, Pre}(g + o, cols)
#define ROWS_IS(L, o) SoftmaxVjpBound{L}(A, y + o, g + o, cols, c)
#include "softmax_rows.inc"
}

/* ---- log_softmax ---- */

/*@ requires 1 <= n && In1(x,n) && Out1(y,n) && Sep(y,n,x,n);
    assigns y[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> y[c] == LogSoftmax{Pre}(x,n,c);
*/
static void log_softmax_row(idx n, const double *x, double *y)
{
  double m = row_max(n, x), l = log_sum_exp(n, x, m);
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==> y[c] == LogSoftmax{Pre}(x,n,c);
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = x[i] - m - l;
}

void ref_log_softmax(idx rows, idx cols, const double *x, double *y)
{
#define ROWS_OUT y
#define ROWS_ARE(n) LogRows{Pre, Here}(x, y, cols, n)
#define ROWS_CALL(o) log_softmax_row(cols, x + o, y + o)
#define ROWS_SAME(o) Same{L0, Pre}(x + o, cols)
#define ROWS_IS(L, o) LogSoftmax{L}(x + o, cols, c)
#include "softmax_rows.inc"
}

/* g - exp(y) s, s having lost `lost`; where that cancels, with all that was lost. */
/*@ requires is_zero(lost); assigns \nothing; ensures \result == g - rmul(\exp(y),s); */
static double log_softmax_dx(double y, double g, double s, double lost)
{
  double e = r_exp(y), part = r_mul(e, s), dx = g - part;
  if (r_abs(dx) < 0x1p-8 * r_abs(part)) {
    twice p = {e, r_exp_lost(y)}, sum = {s, lost};
    twice less = twice_less(twice_exactly(g), twice_product(p, sum));
    return less.v;
  }
  return dx - r_mul(e, lost);
}

/*@ requires In1(y,n) && In1(g,n) && Out1(dx,n) && Sep(dx,n,y,n) && Sep(dx,n,g,n);
    assigns dx[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> dx[c] == LogSoftmaxVjp{Pre}(y,g,n,c);
*/
static void log_softmax_vjp_row(idx n, const double *y, const double *g, double *dx)
{
  double s = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == Sum{Pre}(g,i) && is_zero(lost);
      loop assigns i, s, lost;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    lost += lost_sum(s, g[i]);
    s += g[i];
  }
  lost = r_kept(lost);
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==> dx[c] == LogSoftmaxVjp{Pre}(y,g,n,c);
      loop assigns i, dx[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    dx[i] = log_softmax_dx(y[i], g[i], s, lost);
}

void ref_log_softmax_vjp(idx rows, idx cols, const double *y, const double *g, double *dx)
{
#define ROWS_OUT dx
#define ROWS_ARE(n) LogVjpRows{Pre, Here}(y, g, dx, cols, n)
#define ROWS_CALL(o) log_softmax_vjp_row(cols, y + o, g + o, dx + o)
#define ROWS_SAME(o) Same{L0, Pre}(y + o, cols) && Same{L0, Pre}(g + o, cols)
#define ROWS_IS(L, o) LogSoftmaxVjp{L}(y + o, g + o, cols, c)
#include "softmax_rows.inc"
}

/*@ assigns \nothing; ensures \result == e_log_softmax(A,x,m,value,error); */
static double log_softmax_error(arith A, double x, double m, double value, double error)
{
  pair d = pair_sub(A, pair_in(x), pair_in(m));
  pair y = pair_sub(A, d, pair_log(A, pair_sum(A, value, value, error, A.h)));
  return y.e;
}

/*@ requires 1 <= n && In1(x,n) && Out1(e,n) && Sep(e,n,x,n);
    assigns e[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> e[c] == LogSoftmaxBound{Pre}(A,x,n,c);
*/
static void bound_log_softmax_row(idx n, const double *x, arith A, double *e)
{
  double m = row_max(n, x), value = 0.0, error = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant value == ExpValue{Pre}(A,x,m,i) && error == ExpError{Pre}(A,x,m,i);
      loop assigns i, value, error;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    pair t = pair_shifted_exp(A, x[i] - m);
    value += t.v;
    error += t.e;
  }
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==> e[c] == LogSoftmaxBound{Pre}(A,x,n,c);
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    e[i] = log_softmax_error(A, x[i], m, value, error);
}

void bound_log_softmax(idx rows, idx cols, const double *x, arith A, double *e_y)
{
#define ROWS_OUT e_y
#define ROWS_ARE(n) LogBounds{Pre, Here}(A, x, e_y, cols, n)
#define ROWS_CALL(o) bound_log_softmax_row(cols, x + o, A, e_y + o)
#define ROWS_SAME(o) Same{L0, Pre}(x + o, cols)
#define ROWS_IS(L, o) LogSoftmaxBound{L}(A, x + o, cols, c)
#include "softmax_rows.inc"
}

/*@ assigns \nothing; ensures \result == e_log_softmax_vjp(A,y,g,sum,abs); */
static double log_softmax_vjp_error(arith A, double y, double g, double sum, double abs)
{
  pair p = pair_exp(A, pair_in(y));
  pair dx = pair_sub(A, pair_in(g), pair_mul(A, p, pair_sum(A, sum, abs, 0.0, A.h)));
  return dx.e;
}

/*@ requires In1(y,n) && In1(g,n) && Out1(e,n) && Sep(e,n,y,n) && Sep(e,n,g,n);
    assigns e[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> e[c] == LogSoftmaxVjpBound{Pre}(A,y,g,n,c);
*/
static void bound_log_softmax_vjp_row(idx n, const double *y, const double *g, arith A, double *e)
{
  double sum = 0.0, abs = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant sum == Sum{Pre}(g,i) && abs == RowSumAbs{Pre}(g,i);
      loop assigns i, sum, abs;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    sum += g[i];
    abs += r_abs(g[i]);
  }
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==> e[c] == LogSoftmaxVjpBound{Pre}(A,y,g,n,c);
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    e[i] = log_softmax_vjp_error(A, y[i], g[i], sum, abs);
}

void bound_log_softmax_vjp(idx rows, idx cols, const double *y, const double *g, arith A,
                           double *e_dx)
{
#define ROWS_OUT e_dx
#define ROWS_ARE(n) LogVjpBounds{Pre, Here}(A, y, g, e_dx, cols, n)
#define ROWS_CALL(o) bound_log_softmax_vjp_row(cols, y + o, g + o, A, e_dx + o)
#define ROWS_SAME(o) Same{L0, Pre}(y + o, cols) && Same{L0, Pre}(g + o, cols)
#define ROWS_IS(L, o) LogSoftmaxVjpBound{L}(A, y + o, g + o, cols, c)
#include "softmax_rows.inc"
}

/* ---- masked_softmax: b is the mask ---- */

/*@ assigns \nothing; ensures \result != 0 <==> is_zero(x); */
static int zero(double x) { return x == 0.0; }

/*@ requires In1(x,n) && In1(b,n);
    assigns \nothing;
    ensures \result == OpenMax{Pre}(x,b,n);
*/
static double open_max(idx n, const double *x, const double *b)
{
  double m = 0.0;
  idx opens = 0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant 0 <= opens <= i && opens == Opens{Pre}(b,i);
      loop invariant m == OpenMax{Pre}(x,b,i);
      loop assigns i, m, opens;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    if (zero(b[i])) {
      if (opens == 0 || x[i] > m)
        m = x[i];
      opens++;
    }
  return m;
}

/*@ requires In1(x,n) && In1(b,n) && Out1(y,n) && Sep(y,n,x,n) && Sep(y,n,b,n);
    assigns y[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> y[c] == MaskedSoftmax{Pre}(x,b,n,c);
*/
static void masked_softmax_row(idx n, const double *x, const double *b, double *y)
{
  double m = open_max(n, x, b), s = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == OpenSumExp{Pre}(x,b,m,i) && s >= 0.0;
      loop invariant \forall integer c; 0 <= c < i ==> is_zero(\at(b[c],Pre)) ==> s > 0.0;
      loop invariant \forall integer c; 0 <= c < i ==> is_zero(\at(b[c],Pre)) ==>
        y[c] == \exp(\at(x[c],Pre) - m);
      loop assigns i, s, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    if (zero(b[i])) {
      y[i] = r_exp(x[i] - m);
      s += y[i];
    }
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==> y[c] == MaskedSoftmax{Pre}(x,b,n,c);
      loop invariant \forall integer c; i <= c < n ==> is_zero(\at(b[c],Pre)) ==>
        y[c] == \exp(\at(x[c],Pre) - m);
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    if (zero(b[i]))
      y[i] = r_div(y[i], s);
    else
      y[i] = 0.0;
}

void ref_masked_softmax(idx rows, idx cols, const double *x, const double *mask, double *y)
{
#define ROWS_OUT y
#define ROWS_ARE(n) MaskedRows{Pre, Here}(x, mask, y, cols, n)
#define ROWS_CALL(o) masked_softmax_row(cols, x + o, mask + o, y + o)
#define ROWS_SAME(o) Same{L0, Pre}(x + o, cols) && Same{L0, Pre}(mask + o, cols)
#define ROWS_IS(L, o) MaskedSoftmax{L}(x + o, mask + o, cols, c)
#include "softmax_rows.inc"
}

/*@ requires In1(y,n) && In1(g,n) && Out1(dx,n) && Sep(dx,n,y,n) && Sep(dx,n,g,n);
    assigns dx[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> dx[c] == MaskedSoftmaxVjp{Pre}(y,g,n,c);
*/
static void masked_softmax_vjp_row(idx n, const double *y, const double *g, double *dx)
{
  double s = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == LiveDot{Pre}(g,y,i) && is_zero(lost);
      loop assigns i, s, lost;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    if (!zero(y[i])) {
      double gy = r_mul(g[i], y[i]);
      lost += lost_sum(s, gy);
      s += gy;
    }
  lost = r_kept(lost);
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==> dx[c] == MaskedSoftmaxVjp{Pre}(y,g,n,c);
      loop assigns i, dx[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double here = y[i], there = g[i];
    //@ assert here == rd{Pre}(y,i) && there == rd{Pre}(g,i);
    if (!zero(here))
      dx[i] = r_mul(here, there - s - lost);
    else
      dx[i] = 0.0;
    //@ assert dx[i] == MaskedSoftmaxVjp{Pre}(y,g,n,i);
  }
}

void ref_masked_softmax_vjp(idx rows, idx cols, const double *y, const double *g, double *dx)
{
#define ROWS_OUT dx
#define ROWS_ARE(n) MaskedVjpRows{Pre, Here}(y, g, dx, cols, n)
#define ROWS_CALL(o) masked_softmax_vjp_row(cols, y + o, g + o, dx + o)
#define ROWS_SAME(o) Same{L0, Pre}(y + o, cols) && Same{L0, Pre}(g + o, cols)
#define ROWS_IS(L, o) MaskedSoftmaxVjp{L}(y + o, g + o, cols, c)
#include "softmax_rows.inc"
}

/*@ requires In1(x,n) && In1(b,n) && Out1(e,n) && Sep(e,n,x,n) && Sep(e,n,b,n);
    assigns e[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> e[c] == MaskedSoftmaxBound{Pre}(A,x,b,n,c);
*/
static void bound_masked_softmax_row(idx n, const double *x, const double *b, arith A, double *e)
{
  double m = open_max(n, x, b), value = 0.0, error = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant value == OpenValue{Pre}(A,x,b,m,i) && error == OpenError{Pre}(A,x,b,m,i);
      loop assigns i, value, error;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    if (zero(b[i])) {
      pair t = pair_shifted_exp(A, x[i] - m);
      value += t.v;
      error += t.e;
    }
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==> e[c] == MaskedSoftmaxBound{Pre}(A,x,b,n,c);
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    if (zero(b[i]))
      e[i] = softmax_error(A, x[i] - m, value, error);
    else
      e[i] = 0.0;
    //@ assert here: e[i] == MaskedSoftmaxBound{Pre}(A,x,b,n,i);
    //@ assert frame: \forall integer c; 0 <= c < i ==> e[c] == \at(e[c],LoopCurrent);
  }
}

void bound_masked_softmax(idx rows, idx cols, const double *x, const double *mask, arith A,
                          double *e_y)
{
#define ROWS_OUT e_y
#define ROWS_ARE(n) MaskedBounds{Pre, Here}(A, x, mask, e_y, cols, n)
#define ROWS_CALL(o) bound_masked_softmax_row(cols, x + o, mask + o, A, e_y + o)
#define ROWS_SAME(o) Same{L0, Pre}(x + o, cols) && Same{L0, Pre}(mask + o, cols)
#define ROWS_IS(L, o) MaskedSoftmaxBound{L}(A, x + o, mask + o, cols, c)
#include "softmax_rows.inc"
}

/*@ requires In1(y,n) && In1(g,n) && Out1(e,n) && Sep(e,n,y,n) && Sep(e,n,g,n);
    assigns e[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> e[c] == MaskedSoftmaxVjpBound{Pre}(A,y,g,n,c);
*/
static void bound_masked_softmax_vjp_row(idx n, const double *y, const double *g, arith A,
                                         double *e)
{
  double dot = 0.0, abs = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant dot == LiveDot{Pre}(g,y,i) && abs == LiveAbs{Pre}(g,y,i);
      loop assigns i, dot, abs;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    if (!zero(y[i])) {
      double gy = r_mul(g[i], y[i]);
      dot += gy;
      abs += r_abs(gy);
    }
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==>
        e[c] == MaskedSoftmaxVjpBound{Pre}(A,y,g,n,c);
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    if (!zero(y[i]))
      e[i] = softmax_vjp_error(A, y[i], g[i], dot, abs, n);
    else
      e[i] = 0.0;
}

void bound_masked_softmax_vjp(idx rows, idx cols, const double *y, const double *g, arith A,
                              double *e_dx)
{
#define ROWS_OUT e_dx
#define ROWS_ARE(n) MaskedVjpBounds{Pre, Here}(A, y, g, e_dx, cols, n)
#define ROWS_CALL(o) bound_masked_softmax_vjp_row(cols, y + o, g + o, A, e_dx + o)
#define ROWS_SAME(o) Same{L0, Pre}(y + o, cols) && Same{L0, Pre}(g + o, cols)
#define ROWS_IS(L, o) MaskedSoftmaxVjpBound{L}(A, y + o, g + o, cols, c)
#include "softmax_rows.inc"
}
