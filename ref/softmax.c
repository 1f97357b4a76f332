#include "softmax.h"

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
    predicate SameRows{L1,L2}(scalar *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L2) == \at(y[ix(r,cols,c)],L1);
*/

double row_max(idx n, const double *x)
{
  double m = x[0];
  /*@ loop invariant 1 <= i <= n;
      loop invariant m == RowMax{Pre}(x,i);
      loop assigns i, m;
      loop variant n - i;
  */
  for (idx i = 1; i < n; i++)
    if (x[i] > m)
      m = x[i];
  return m;
}

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
  if (cols == 0)
    return;
  /*@ loop invariant 0 <= r <= rows;
      loop invariant SoftmaxRows{Pre,Here}(x,y,cols,r);
      loop assigns r, y[0 .. ix(rows,cols,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    //@ ghost L0: ;
    idx o = at2(rows, cols, r, 0);
    //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
    softmax_row(cols, x + o, y + o);
    //@ assert same: Same{L0,Pre}(x+o,cols);
    /*@ assert frame: \forall integer c; 0 <= c < cols ==>
          Softmax{L0}(x+o,cols,c) == Softmax{Pre}(x+o,cols,c); */
    /*@ assert new: \forall integer c; 0 <= c < cols ==>
          y[ix(r,cols,c)] == Softmax{Pre}(x+ix(r,cols,0),cols,c); */
    //@ assert old: SameRows{L0,Here}(y,cols,r);
  }
}

/*@ requires In1(y,n) && In1(g,n) && Out1(dx,n) && Sep(dx,n,y,n) && Sep(dx,n,g,n);
    assigns dx[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==> dx[c] == SoftmaxVjp{Pre}(y,g,n,c);
*/
static void softmax_vjp_row(idx n, const double *y, const double *g, double *dx)
{
  double s = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == RowDot{Pre}(g,y,i);
      loop assigns i, s;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    s += r_mul(g[i], y[i]);
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==> dx[c] == SoftmaxVjp{Pre}(y,g,n,c);
      loop assigns i, dx[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    dx[i] = r_mul(y[i], g[i] - s);
}

void ref_softmax_vjp(idx rows, idx cols, const double *y, const double *g, double *dx)
{
  if (cols == 0)
    return;
  /*@ loop invariant 0 <= r <= rows;
      loop invariant VjpRows{Pre,Here}(y,g,dx,cols,r);
      loop assigns r, dx[0 .. ix(rows,cols,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    //@ ghost L0: ;
    idx o = at2(rows, cols, r, 0);
    //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
    softmax_vjp_row(cols, y + o, g + o, dx + o);
    //@ assert same: Same{L0,Pre}(y+o,cols) && Same{L0,Pre}(g+o,cols);
    /*@ assert frame: \forall integer c; 0 <= c < cols ==>
          SoftmaxVjp{L0}(y+o,g+o,cols,c) == SoftmaxVjp{Pre}(y+o,g+o,cols,c); */
    /*@ assert new: \forall integer c; 0 <= c < cols ==>
          dx[ix(r,cols,c)] == SoftmaxVjp{Pre}(y+ix(r,cols,0),g+ix(r,cols,0),cols,c); */
    //@ assert old: SameRows{L0,Here}(dx,cols,r);
  }
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
  if (cols == 0)
    return;
  /*@ loop invariant 0 <= r <= rows;
      loop invariant SoftmaxBounds{Pre,Here}(A,x,e_y,cols,r);
      loop assigns r, e_y[0 .. ix(rows,cols,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    //@ ghost L0: ;
    idx o = at2(rows, cols, r, 0);
    //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
    bound_softmax_row(cols, x + o, A, e_y + o);
    //@ assert same: Same{L0,Pre}(x+o,cols);
    /*@ assert frame: \forall integer c; 0 <= c < cols ==>
          SoftmaxBound{L0}(A,x+o,cols,c) == SoftmaxBound{Pre}(A,x+o,cols,c); */
    /*@ assert new: \forall integer c; 0 <= c < cols ==>
          e_y[ix(r,cols,c)] == SoftmaxBound{Pre}(A,x+ix(r,cols,0),cols,c); */
    //@ assert old: SameRows{L0,Here}(e_y,cols,r);
  }
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
  if (cols == 0)
    return;
  /*@ loop invariant 0 <= r <= rows;
      loop invariant VjpBounds{Pre,Here}(A,y,g,e_dx,cols,r);
      loop assigns r, e_dx[0 .. ix(rows,cols,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    //@ ghost L0: ;
    idx o = at2(rows, cols, r, 0);
    //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
    bound_softmax_vjp_row(cols, y + o, g + o, A, e_dx + o);
    //@ assert same: Same{L0,Pre}(y+o,cols) && Same{L0,Pre}(g+o,cols);
    /*@ assert frame: \forall integer c; 0 <= c < cols ==>
          SoftmaxVjpBound{L0}(A,y+o,g+o,cols,c) == SoftmaxVjpBound{Pre}(A,y+o,g+o,cols,c); */
    /*@ assert new: \forall integer c; 0 <= c < cols ==>
          e_dx[ix(r,cols,c)] == SoftmaxVjpBound{Pre}(A,y+ix(r,cols,0),g+ix(r,cols,0),cols,c); */
    //@ assert old: SameRows{L0,Here}(e_dx,cols,r);
  }
}
