/* Error bounds of the normalizations. */
#include "norm.h"

/*@ predicate NormedBounds{L1,L2}(arith A, integer centered, integer affine, scalar *x,
                                  scalar *gamma, scalar *beta, scalar *e, integer cols, real eps,
                                  integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==> \at(e[ix(r,cols,c)],L2) ==
        NormedBound{L1}(A,centered,affine,x+ix(r,cols,0),gamma,beta,cols,eps,c);
    predicate MeanBounds{L1,L2}(arith A, scalar *x, scalar *e, integer cols, integer n) =
      \forall integer r; 0 <= r < n ==>
        \at(e[r],L2) == CenterPair{L1}(A,x+ix(r,cols,0),1,cols).e;
    predicate RstdBounds{L1,L2}(arith A, integer centered, scalar *x, scalar *e, integer cols,
                                real eps, integer n) =
      \forall integer r; 0 <= r < n ==>
        \at(e[r],L2) == RstdPair{L1}(A,x+ix(r,cols,0),centered,cols,eps).e;
    predicate DxBounds{L1,L2}(arith A, integer centered, integer affine, scalar *x, scalar *gamma,
                              scalar *mean, scalar *rstd, scalar *g, scalar *e, integer cols,
                              integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==> \at(e[ix(r,cols,c)],L2) ==
        NormVjpBound{L1}(A,centered,affine,x+ix(r,cols,0),gamma,Either{L1}(mean,centered,0.0,r),
                         rd{L1}(rstd,r),g+ix(r,cols,0),cols,c);
    predicate DgammaBounds{L1,L2}(arith A, integer centered, integer affine, scalar *x,
                                  scalar *mean, scalar *rstd, scalar *g, scalar *e, integer rows,
                                  integer cols, integer n) =
      \forall integer c; 0 <= c < n ==> \at(e[c],L2) ==
        (affine == 0 ? 0.0 : DgammaBound{L1}(A,centered,x,mean,rstd,g,cols,c,rows));
    predicate SameRows{L1,L2}(scalar *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L2) == \at(y[ix(r,cols,c)],L1);
*/

/* ---- a row ---- */

/*@ requires present == 0 || \valid_read(a + c);
    assigns \nothing;
    ensures \result == Either{Pre}(a,present,otherwise,c);
*/
static double either(const double *a, int present, double otherwise, idx c)
{
  return present == 0 ? otherwise : a[c];
}

/*@ requires 1 <= n && In1(x,n);
    assigns \nothing;
    ensures \result == CenterPair{Pre}(A,x,centered,n);
*/
static pair row_center(int centered, idx n, const double *x, arith A)
{
  double sum = 0.0, abs = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant sum == Sum{Pre}(x,i);
      loop invariant abs == SumAbs{Pre}(x,i);
      loop assigns i, sum, abs;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    sum += x[i];
    abs += r_abs(x[i]);
  }
  return pair_center(A, centered, sum, abs, n);
}

/*@ requires 1 <= n && In1(x,n);
    assigns \nothing;
    ensures \result == MeanSq{Pre}(x,Center{Pre}(x,centered,n),n);
*/
static double row_mean_sq(int centered, idx n, const double *x)
{
  double m = 0.0, s = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant m == Sum{Pre}(x,i);
      loop assigns i, m;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    m += x[i];
  m = centered == 0 ? 0.0 : r_div(m, (double)n);
  //@ assert center: m == Center{Pre}(x,centered,n);
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == SqDev{Pre}(x,m,i);
      loop assigns i, s;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    s += r_mul(x[i] - m, x[i] - m);
  return r_div(s, (double)n);
}

/*@ requires 1 <= n && In1(x,n) && d == CenterPair(A,x,centered,n).e;
    assigns \nothing;
    ensures \result == RstdPair{Pre}(A,x,centered,n,eps);
*/
static pair row_rstd(int centered, idx n, const double *x, double d, double eps, arith A)
{
  double v = row_mean_sq(centered, n, x), w = A.h + (centered == 0 ? 3.0 : 5.0);
  return pair_rstd(A, v, d, eps, n, w);
}

/*@ requires 1 <= n && In1(x,n) && In1(gamma,n) && In1(beta,n) && Out1(e,n);
    requires Sep(e,n,x,n) && Sep(e,n,gamma,n) && Sep(e,n,beta,n);
    requires m == CenterPair(A,x,centered,n) && r == RstdPair(A,x,centered,n,eps);
    assigns e[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==>
      e[c] == NormedBound{Pre}(A,centered,affine,x,gamma,beta,n,eps,c);
*/
static void bound_row(int centered, int affine, idx n, double eps, const double *x,
                      const double *gamma, const double *beta, pair m, pair r, arith A, double *e)
{
  (void)eps;
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==>
        e[c] == NormedBound{Pre}(A,centered,affine,x,gamma,beta,n,eps,c);
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    pair y = pair_normed(A, centered, x[i], m, r, either(gamma, affine, 1.0, i),
                         either(beta, centered, 0.0, i));
    e[i] = y.e;
  }
}

/*@ requires In2(x,rows,cols) && 1 <= cols && Out1(e_mean,rows) && Out1(e_rstd,rows);
    requires Sep(e_mean,rows,x,ix(rows,cols,0)) && Sep(e_rstd,rows,x,ix(rows,cols,0));
    requires Sep(e_mean,rows,e_rstd,rows);
    assigns e_mean[0 .. rows-1], e_rstd[0 .. rows-1];
    ensures MeanBounds{Pre,Post}(A,x,e_mean,cols,rows);
    ensures RstdBounds{Pre,Post}(A,1,x,e_rstd,cols,eps,rows);
*/
static void bound_stats(idx rows, idx cols, double eps, const double *x, arith A, double *e_mean,
                        double *e_rstd)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant MeanBounds{Pre,Here}(A,x,e_mean,cols,r);
      loop invariant RstdBounds{Pre,Here}(A,1,x,e_rstd,cols,eps,r);
      loop assigns r, e_mean[0 .. rows-1], e_rstd[0 .. rows-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    //@ ghost L0: ;
    idx o = at2(rows, cols, r, 0);
    //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
    //@ assert same: Same{L0,Pre}(x+o,cols);
    pair m = row_center(1, cols, x + o, A), s = row_rstd(1, cols, x + o, m.e, eps, A);
    //@ assert center: m == CenterPair{Pre}(A,x+ix(r,cols,0),1,cols);
    //@ assert root: s == RstdPair{Pre}(A,x+ix(r,cols,0),1,cols,eps);
    e_mean[r] = m.e;
    e_rstd[r] = s.e;
    //@ assert means: Same{L0,Here}(e_mean,r);
    //@ assert rstds: Same{L0,Here}(e_rstd,r);
  }
}

void bound_layer_norm(idx rows, idx cols, double eps, const double *x, const double *gamma,
                      const double *beta, arith A, double *e_y, double *e_mean, double *e_rstd)
{
  bound_stats(rows, cols, eps, x, A, e_mean, e_rstd);
  /*@ loop invariant 0 <= r <= rows;
      loop invariant NormedBounds{Pre,Here}(A,1,1,x,gamma,beta,e_y,cols,eps,r);
      loop assigns r, e_y[0 .. ix(rows,cols,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    //@ ghost L0: ;
    idx o = at2(rows, cols, r, 0);
    //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
    //@ assert same_x: Same{L0,Pre}(x+o,cols);
    //@ assert same_gamma: Same{L0,Pre}(gamma,cols);
    //@ assert same_beta: Same{L0,Pre}(beta,cols);
    pair m = row_center(1, cols, x + o, A), s = row_rstd(1, cols, x + o, m.e, eps, A);
    bound_row(1, 1, cols, eps, x + o, gamma, beta, m, s, A, e_y + o);
    /*@ assert frame: \forall integer c; 0 <= c < cols ==>
          NormedBound{L0}(A,1,1,x+o,gamma,beta,cols,eps,c) ==
          NormedBound{Pre}(A,1,1,x+o,gamma,beta,cols,eps,c); */
    /*@ assert here: \forall integer c; 0 <= c < cols ==>
          e_y[o+c] == NormedBound{Pre}(A,1,1,x+o,gamma,beta,cols,eps,c); */
    //@ assert base: o == ix(r,cols,0);
    //@ assert at: \forall integer c; 0 <= c < cols ==> ix(r,cols,c) == o + c;
    /*@ assert new: \forall integer c; 0 <= c < cols ==>
          e_y[ix(r,cols,c)] == NormedBound{Pre}(A,1,1,x+ix(r,cols,0),gamma,beta,cols,eps,c); */
    //@ assert old: SameRows{L0,Here}(e_y,cols,r);
  }
}

void bound_rms_norm(idx rows, idx cols, int affine, double eps, const double *x,
                    const double *gamma, arith A, double *e_y, double *e_rstd)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant NormedBounds{Pre,Here}(A,0,affine,x,gamma,gamma,e_y,cols,eps,r);
      loop invariant RstdBounds{Pre,Here}(A,0,x,e_rstd,cols,eps,r);
      loop assigns r, e_y[0 .. ix(rows,cols,0)-1], e_rstd[0 .. rows-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    //@ ghost L0: ;
    idx o = at2(rows, cols, r, 0);
    //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
    //@ assert same: Same{L0,Pre}(x+o,cols) && Same{L0,Pre}(gamma,cols);
    pair m = row_center(0, cols, x + o, A), s = row_rstd(0, cols, x + o, m.e, eps, A);
    bound_row(0, affine, cols, eps, x + o, gamma, gamma, m, s, A, e_y + o);
    /*@ assert frame: \forall integer c; 0 <= c < cols ==>
          NormedBound{L0}(A,0,affine,x+o,gamma,gamma,cols,eps,c) ==
          NormedBound{Pre}(A,0,affine,x+o,gamma,gamma,cols,eps,c); */
    e_rstd[r] = s.e;
    //@ assert rstd: e_rstd[r] == RstdPair{Pre}(A,x+ix(r,cols,0),0,cols,eps).e;
    /*@ assert new: \forall integer c; 0 <= c < cols ==> e_y[ix(r,cols,c)] ==
          NormedBound{Pre}(A,0,affine,x+ix(r,cols,0),gamma,gamma,cols,eps,c); */
    //@ assert old: SameRows{L0,Here}(e_y,cols,r);
  }
}

/* ---- gradients ---- */

/*@ requires 1 <= n && In1(g,n) && In1(gamma,n);
    assigns \nothing;
    ensures \result == p_mean_pulled(A, centered, SumPulled{Pre}(g,gamma,affine,n),
                                     AbsPulled{Pre}(g,gamma,affine,n), n);
*/
static pair row_mean_pulled(int centered, int affine, idx n, const double *gamma, const double *g,
                            arith A)
{
  double sum = 0.0, abs = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant sum == SumPulled{Pre}(g,gamma,affine,i);
      loop invariant abs == AbsPulled{Pre}(g,gamma,affine,i);
      loop assigns i, sum, abs;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double G = r_mul(g[i], either(gamma, affine, 1.0, i));
    //@ assert pulled: G == Pulled{Pre}(g,gamma,affine,i);
    sum += G;
    abs += r_abs(G);
  }
  return pair_mean_pulled(A, centered, sum, abs, n);
}

/*@ requires 1 <= n && In1(x,n) && In1(g,n) && In1(gamma,n);
    assigns \nothing;
    ensures \result == MeanHatPair{Pre}(A,centered,affine,x,gamma,m,r,g,n);
*/
static pair row_mean_hat(int centered, int affine, idx n, const double *x, const double *gamma,
                         double m, double r, const double *g, arith A)
{
  double value = 0.0, abs = 0.0, error = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant value == HatValue{Pre}(A,centered,affine,x,gamma,m,r,g,i);
      loop invariant abs == HatAbs{Pre}(A,centered,affine,x,gamma,m,r,g,i);
      loop invariant error == HatError{Pre}(A,centered,affine,x,gamma,m,r,g,i);
      loop assigns i, value, abs, error;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    pair t = pair_pulled_hat(A, centered, g[i], either(gamma, affine, 1.0, i), x[i], m, r);
    //@ assert term: t == HatPair{Pre}(A,centered,affine,x,gamma,m,r,g,i);
    value += t.v;
    abs += r_abs(t.v);
    error += t.e;
  }
  return pair_mean_hat(A, value, abs, error, n);
}

/*@ requires 1 <= n && In1(x,n) && In1(gamma,n) && In1(g,n) && Out1(e,n);
    requires Sep(e,n,x,n) && Sep(e,n,gamma,n) && Sep(e,n,g,n);
    assigns e[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==>
      e[c] == NormVjpBound{Pre}(A,centered,affine,x,gamma,m,r,g,n,c);
*/
static void bound_dx_row(int centered, int affine, idx n, const double *x, const double *gamma,
                         double m, double r, const double *g, arith A, double *e)
{
  pair a = row_mean_pulled(centered, affine, n, gamma, g, A);
  pair b = row_mean_hat(centered, affine, n, x, gamma, m, r, g, A);
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==>
        e[c] == NormVjpBound{Pre}(A,centered,affine,x,gamma,m,r,g,n,c);
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    pair dx = pair_norm_dx(A, centered, g[i], either(gamma, affine, 1.0, i), x[i], m, r, a, b);
    e[i] = dx.e;
  }
}

/*@ requires In2(x,rows,cols) && In1(gamma,cols) && (centered == 0 || In1(mean,rows));
    requires In1(rstd,rows) && In2(g,rows,cols) && 1 <= cols && Out2(e,rows,cols) && 0 <= r < rows;
    requires Sep(e,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(e,ix(rows,cols,0),gamma,cols);
    requires Sep(e,ix(rows,cols,0),g,ix(rows,cols,0));
    assigns e[ix(r,cols,0) .. ix(r,cols,0)+cols-1];
    ensures \forall integer c; 0 <= c < cols ==> e[ix(r,cols,c)] ==
      NormVjpBound{Pre}(A,centered,affine,x+ix(r,cols,0),gamma,Either{Pre}(mean,centered,0.0,r),
                        rd{Pre}(rstd,r),g+ix(r,cols,0),cols,c);
*/
static void bound_dx_at(idx rows, idx cols, idx r, int centered, int affine, const double *x,
                        const double *gamma, const double *mean, const double *rstd,
                        const double *g, arith A, double *e)
{
  idx o = at2(rows, cols, r, 0);
  //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
  double m = either(mean, centered, 0.0, r), s = rstd[r];
  bound_dx_row(centered, affine, cols, x + o, gamma, m, s, g + o, A, e + o);
}

/* dx and dgamma of both. */
/*@ requires In2(x,rows,cols) && In1(gamma,cols) && (centered == 0 || In1(mean,rows));
    requires In1(rstd,rows) && In2(g,rows,cols) && 1 <= cols;
    requires Out2(e_dx,rows,cols) && Out1(e_dgamma,cols);
    requires Sep(e_dgamma,cols,e_dx,ix(rows,cols,0));
    requires Sep(e_dx,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(e_dx,ix(rows,cols,0),gamma,cols);
    requires centered == 0 || Sep(e_dx,ix(rows,cols,0),mean,rows);
    requires Sep(e_dx,ix(rows,cols,0),rstd,rows) && Sep(e_dx,ix(rows,cols,0),g,ix(rows,cols,0));
    requires Sep(e_dgamma,cols,x,ix(rows,cols,0)) && Sep(e_dgamma,cols,g,ix(rows,cols,0));
    requires (centered == 0 || Sep(e_dgamma,cols,mean,rows)) && Sep(e_dgamma,cols,rstd,rows);
    assigns e_dx[0 .. ix(rows,cols,0)-1], e_dgamma[0 .. cols-1];
    ensures DxBounds{Pre,Post}(A,centered,affine,x,gamma,mean,rstd,g,e_dx,cols,rows);
    ensures DgammaBounds{Pre,Post}(A,centered,affine,x,mean,rstd,g,e_dgamma,rows,cols,cols);
*/
static void bound_vjp(idx rows, idx cols, int centered, int affine, const double *x,
                      const double *gamma, const double *mean, const double *rstd, const double *g,
                      arith A, double *e_dx, double *e_dgamma)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant DxBounds{Pre,Here}(A,centered,affine,x,gamma,mean,rstd,g,e_dx,cols,r);
      loop assigns r, e_dx[0 .. ix(rows,cols,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    //@ ghost L0: ;
    //@ assert inside: 0 <= ix(r,cols,0) && ix(r,cols,0) + cols <= ix(rows,cols,0);
    bound_dx_at(rows, cols, r, centered, affine, x, gamma, mean, rstd, g, A, e_dx);
    //@ assert same_x: Same{L0,Pre}(x+ix(r,cols,0),cols);
    //@ assert same_g: Same{L0,Pre}(g+ix(r,cols,0),cols);
    //@ assert same_gamma: Same{L0,Pre}(gamma,cols);
    //@ assert center: Either{L0}(mean,centered,0.0,r) == Either{Pre}(mean,centered,0.0,r);
    //@ assert rstd: rd{L0}(rstd,r) == rd{Pre}(rstd,r);
    /*@ assert frame: \forall integer c; 0 <= c < cols ==>
          NormVjpBound{L0}(A,centered,affine,x+ix(r,cols,0),gamma,Either{L0}(mean,centered,0.0,r),
                           rd{L0}(rstd,r),g+ix(r,cols,0),cols,c) ==
          NormVjpBound{Pre}(A,centered,affine,x+ix(r,cols,0),gamma,
                            Either{Pre}(mean,centered,0.0,r),rd{Pre}(rstd,r),g+ix(r,cols,0),
                            cols,c); */
    /*@ assert new: \forall integer c; 0 <= c < cols ==> e_dx[ix(r,cols,c)] ==
          NormVjpBound{Pre}(A,centered,affine,x+ix(r,cols,0),gamma,
                            Either{Pre}(mean,centered,0.0,r),rd{Pre}(rstd,r),g+ix(r,cols,0),
                            cols,c); */
    //@ assert old: SameRows{L0,Here}(e_dx,cols,r);
  }
  /*@ loop invariant 0 <= c <= cols;
      loop invariant DgammaBounds{Pre,Here}(A,centered,affine,x,mean,rstd,g,e_dgamma,rows,cols,c);
      loop assigns c, e_dgamma[0 .. cols-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++) {
    double value = 0.0, abs = 0.0, error = 0.0;
    /*@ loop invariant 0 <= r <= rows;
        loop invariant value == ColValue{Pre}(A,centered,x,mean,rstd,g,cols,c,r);
        loop invariant abs == ColAbs{Pre}(A,centered,x,mean,rstd,g,cols,c,r);
        loop invariant error == ColError{Pre}(A,centered,x,mean,rstd,g,cols,c,r);
        loop assigns r, value, abs, error;
        loop variant rows - r;
    */
    for (idx r = 0; r < rows; r++) {
      idx i = at2(rows, cols, r, c);
      double m = either(mean, centered, 0.0, r);
      //@ assert center: m == Either{Pre}(mean,centered,0.0,r);
      //@ assert x: x[i] == rd{Pre}(x,i);
      //@ assert g: g[i] == rd{Pre}(g,i);
      //@ assert rstd: rstd[r] == rd{Pre}(rstd,r);
      pair t = pair_hat(A, centered, g[i], x[i], m, rstd[r]);
      //@ assert term: t == ColPair{Pre}(A,centered,x,mean,rstd,g,cols,c,r);
      value += t.v;
      abs += r_abs(t.v);
      error += t.e;
    }
    pair sum = pair_sum(A, value, abs, error, A.h2);
    e_dgamma[c] = affine == 0 ? 0.0 : sum.e;
  }
}

void bound_layer_norm_vjp(idx rows, idx cols, const double *x, const double *gamma,
                          const double *mean, const double *rstd, const double *g, arith A,
                          double *e_dx, double *e_dgamma, double *e_dbeta)
{
  bound_vjp(rows, cols, 1, 1, x, gamma, mean, rstd, g, A, e_dx, e_dgamma);
  /*@ loop invariant 0 <= c <= cols;
      loop invariant \forall integer k; 0 <= k < c ==> e_dbeta[k] ==
        p_sum(A, ColSum{Pre}(g,cols,k,rows), ColSumAbs{Pre}(g,cols,k,rows), 0.0, A.h2).e;
      loop assigns c, e_dbeta[0 .. cols-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++) {
    double value = 0.0, abs = 0.0;
    /*@ loop invariant 0 <= r <= rows;
        loop invariant value == ColSum{Pre}(g,cols,c,r);
        loop invariant abs == ColSumAbs{Pre}(g,cols,c,r);
        loop assigns r, value, abs;
        loop variant rows - r;
    */
    for (idx r = 0; r < rows; r++) {
      double t = g[at2(rows, cols, r, c)];
      value += t;
      abs += r_abs(t);
    }
    pair sum = pair_sum(A, value, abs, 0.0, A.h2);
    e_dbeta[c] = sum.e;
  }
}

void bound_rms_norm_vjp(idx rows, idx cols, int affine, const double *x, const double *gamma,
                        const double *rstd, const double *g, arith A, double *e_dx,
                        double *e_dgamma)
{
  bound_vjp(rows, cols, 0, affine, x, gamma, rstd, rstd, g, A, e_dx, e_dgamma);
}
