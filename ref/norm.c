#include "norm.h"
#include "hat.h"

/*@ predicate NormRows{L1,L2}(integer centered, integer affine, scalar *x, scalar *gamma,
                              scalar *beta, scalar *y, integer cols, real eps, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==> \at(y[ix(r,cols,c)],L2) ==
        Normed{L1}(centered,affine,x+ix(r,cols,0),gamma,beta,cols,eps,c);
    predicate MeanRows{L1,L2}(scalar *x, scalar *mean, integer cols, integer n) =
      \forall integer r; 0 <= r < n ==> \at(mean[r],L2) == Mean{L1}(x+ix(r,cols,0),cols);
    predicate RstdRows{L1,L2}(integer centered, scalar *x, scalar *rstd, integer cols, real eps,
                              integer n) =
      \forall integer r; 0 <= r < n ==>
        \at(rstd[r],L2) == Rstd{L1}(x+ix(r,cols,0),centered,cols,eps);
    predicate DxRows{L1,L2}(integer centered, integer affine, scalar *x, scalar *gamma,
                            scalar *mean, scalar *rstd, scalar *g, scalar *dx, integer cols,
                            integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==> \at(dx[ix(r,cols,c)],L2) ==
        NormVjp{L1}(centered,affine,x+ix(r,cols,0),gamma,Either{L1}(mean,centered,0.0,r),
                    rd{L1}(rstd,r),g+ix(r,cols,0),cols,c);
    predicate Dgammas{L1,L2}(integer centered, integer affine, scalar *x, scalar *mean,
                             scalar *rstd, scalar *g, scalar *dgamma, integer rows, integer cols,
                             integer n) =
      \forall integer c; 0 <= c < n ==> \at(dgamma[c],L2) ==
        (affine == 0 ? 0.0 : NormDgamma{L1}(centered,x,mean,rstd,g,cols,c,rows));
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
    ensures \result.v == Center{Pre}(x,centered,n) && Lossless(\result);
*/
static twice row_center(int centered, idx n, const double *x)
{
  double s = 0.0, lost = 0.0;
  if (centered == 0)
    return twice_exactly(0.0);
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == Sum{Pre}(x,i) && is_zero(lost);
      loop assigns i, s, lost;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    lost += lost_sum(s, x[i]);
    s += x[i];
  }
  return twice_quotient(twice_of(s, lost), twice_exactly((double)n));
}

/*@ requires 1 <= n && In1(x,n);
    assigns \nothing;
    ensures \result == MeanSq{Pre}(x,m,n);
*/
static double row_mean_sq(idx n, const double *x, double m)
{
  double s = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == SqDev{Pre}(x,m,i);
      loop assigns i, s;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    s += r_mul(x[i] - m, x[i] - m);
  return r_div(s, (double)n);
}

/*@ requires 0.0 <= v && 0.0 < eps;
    assigns \nothing;
    ensures \result == InvRoot(v,eps);
*/
static double inv_root(double v, double eps)
{
  double root = r_sqrt(v + eps);
  //@ assert positive: root > 0.0;
  return r_div(1.0, root);
}

/*@ requires 1 <= n && In1(x,n) && eps > 0.0 && m == Center(x,centered,n);
    assigns \nothing;
    ensures \result == Rstd{Pre}(x,centered,n,eps);
*/
static double row_rstd(int centered, idx n, const double *x, double m, double eps)
{
  double v = row_mean_sq(n, x, m);
  (void)centered;
  //@ assert nonneg: 0.0 <= v;
  return inv_root(v, eps);
}

/*@ requires 1 <= n && In1(x,n) && In1(gamma,n) && (centered == 0 || In1(beta,n)) && Out1(y,n);
    requires Sep(y,n,x,n) && Sep(y,n,gamma,n) && (centered == 0 || Sep(y,n,beta,n));
    requires m.v == Center(x,centered,n) && Lossless(m) && r == Rstd(x,centered,n,eps);
    assigns y[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==>
      y[c] == Normed{Pre}(centered,affine,x,gamma,beta,n,eps,c);
*/
static void norm_row(int centered, int affine, idx n, double eps, const double *x,
                     const double *gamma, const double *beta, twice m, double r, double *y)
{
  (void)eps;
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==>
        y[c] == Normed{Pre}(centered,affine,x,gamma,beta,n,eps,c);
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = r_mul(hat(x[i], m, r), either(gamma, affine, 1.0, i)) + either(beta, centered, 0.0, i);
}

void ref_layer_norm(idx rows, idx cols, double eps, const double *x, const double *gamma,
                    const double *beta, double *y, double *mean, double *rstd)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant NormRows{Pre,Here}(1,1,x,gamma,beta,y,cols,eps,r);
      loop invariant MeanRows{Pre,Here}(x,mean,cols,r);
      loop invariant RstdRows{Pre,Here}(1,x,rstd,cols,eps,r);
      loop assigns r, y[0 .. ix(rows,cols,0)-1], mean[0 .. rows-1], rstd[0 .. rows-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    //@ ghost L0: ;
    idx o = at2(rows, cols, r, 0);
    //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
    //@ assert same: Same{L0,Pre}(x+o,cols) && Same{L0,Pre}(gamma,cols) && Same{L0,Pre}(beta,cols);
    twice m = row_center(1, cols, x + o);
    double s = row_rstd(1, cols, x + o, m.v, eps);
    norm_row(1, 1, cols, eps, x + o, gamma, beta, m, s, y + o);
    /*@ assert frame: \forall integer c; 0 <= c < cols ==>
          Normed{L0}(1,1,x+o,gamma,beta,cols,eps,c) ==
          Normed{Pre}(1,1,x+o,gamma,beta,cols,eps,c); */
    /*@ assert new: \forall integer c; 0 <= c < cols ==>
          y[ix(r,cols,c)] == Normed{Pre}(1,1,x+ix(r,cols,0),gamma,beta,cols,eps,c); */
    //@ assert old: SameRows{L0,Here}(y,cols,r);
    //@ assert all: NormRows{Pre,Here}(1,1,x,gamma,beta,y,cols,eps,r+1);
    //@ ghost L1: ;
    mean[r] = m.v;
    rstd[r] = s;
    //@ assert flat: Same{L1,Here}(y,ix(rows,cols,0));
    //@ assert kept: SameRows{L1,Here}(y,cols,r+1);
    //@ assert means: Same{L0,Here}(mean,r);
    //@ assert rstds: Same{L0,Here}(rstd,r);
    //@ assert mean: mean[r] == Mean{Pre}(x+ix(r,cols,0),cols);
    //@ assert rstd: rstd[r] == Rstd{Pre}(x+ix(r,cols,0),1,cols,eps);
  }
}

void ref_rms_norm(idx rows, idx cols, int affine, double eps, const double *x, const double *gamma,
                  double *y, double *rstd)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant NormRows{Pre,Here}(0,affine,x,gamma,gamma,y,cols,eps,r);
      loop invariant RstdRows{Pre,Here}(0,x,rstd,cols,eps,r);
      loop assigns r, y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    //@ ghost L0: ;
    idx o = at2(rows, cols, r, 0);
    //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
    //@ assert same: Same{L0,Pre}(x+o,cols) && Same{L0,Pre}(gamma,cols);
    double s = row_rstd(0, cols, x + o, 0.0, eps);
    norm_row(0, affine, cols, eps, x + o, gamma, gamma, twice_exactly(0.0), s, y + o);
    /*@ assert frame: \forall integer c; 0 <= c < cols ==>
          Normed{L0}(0,affine,x+o,gamma,gamma,cols,eps,c) ==
          Normed{Pre}(0,affine,x+o,gamma,gamma,cols,eps,c); */
    rstd[r] = s;
    //@ assert rstd: rstd[r] == Rstd{Pre}(x+ix(r,cols,0),0,cols,eps);
    /*@ assert new: \forall integer c; 0 <= c < cols ==>
          y[ix(r,cols,c)] == Normed{Pre}(0,affine,x+ix(r,cols,0),gamma,gamma,cols,eps,c); */
    //@ assert old: SameRows{L0,Here}(y,cols,r);
  }
}

/* ---- gradients ---- */

/*@ requires In1(g,n) && In1(gamma,n) && 0 <= c < n;
    assigns \nothing;
    ensures \result == Pulled{Pre}(g,gamma,affine,c);
*/
static double pulled(idx n, const double *g, const double *gamma, int affine, idx c)
{
  (void)n;
  return r_mul(g[c], either(gamma, affine, 1.0, c));
}

/*@ requires 1 <= n && In1(g,n) && In1(gamma,n);
    assigns \nothing;
    ensures \result.v == MeanPulled{Pre}(g,gamma,centered,affine,n) && Lossless(\result);
*/
static twice mean_pulled(int centered, int affine, idx n, const double *g, const double *gamma)
{
  double s = 0.0, lost = 0.0;
  if (centered == 0)
    return twice_exactly(0.0);
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == SumPulled{Pre}(g,gamma,affine,i) && is_zero(lost);
      loop assigns i, s, lost;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double G = pulled(n, g, gamma, affine, i);
    lost += lost_sum(s, G);
    s += G;
  }
  return twice_quotient(twice_of(s, lost), twice_exactly((double)n));
}

/*@ requires 1 <= n && In1(g,n) && In1(gamma,n) && In1(x,n);
    assigns \nothing;
    ensures \result.v == MeanHat{Pre}(g,gamma,affine,x,m,r,n) && Lossless(\result);
*/
static twice mean_hat(int affine, idx n, const double *g, const double *gamma, const double *x,
                      double m, double r)
{
  double s = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == SumHat{Pre}(g,gamma,affine,x,m,r,i) && is_zero(lost);
      loop assigns i, s, lost;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double G = pulled(n, g, gamma, affine, i);
    twice term = twice_product(twice_exactly(G), hat_twice(x[i], m, r));
    lost += lost_sum(s, term.v) + term.lost;
    s += term.v;
  }
  return twice_quotient(twice_of(s, lost), twice_exactly((double)n));
}

/*@ requires 1 <= n && In1(x,n) && In1(gamma,n) && In1(g,n) && Out1(dx,n);
    requires Sep(dx,n,x,n) && Sep(dx,n,gamma,n) && Sep(dx,n,g,n);
    assigns dx[0 .. n-1];
    ensures \forall integer c; 0 <= c < n ==>
      dx[c] == NormVjp{Pre}(centered,affine,x,gamma,m,r,g,n,c);
*/
static void dx_row(int centered, int affine, idx n, const double *x, const double *gamma, double m,
                   double r, const double *g, double *dx)
{
  twice a = mean_pulled(centered, affine, n, g, gamma), b = mean_hat(affine, n, g, gamma, x, m, r);
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer c; 0 <= c < i ==>
        dx[c] == NormVjp{Pre}(centered,affine,x,gamma,m,r,g,n,c);
      loop assigns i, dx[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    dx[i] = norm_dx(pulled(n, g, gamma, affine, i), a, hat_twice(x[i], m, r), b, r);
}

/* dx and dgamma of both. */
/*@ requires In2(x,rows,cols) && In1(gamma,cols) && (centered == 0 || In1(mean,rows));
    requires In1(rstd,rows) && In2(g,rows,cols) && 1 <= cols;
    requires Out2(dx,rows,cols) && Out1(dgamma,cols) && Sep(dgamma,cols,dx,ix(rows,cols,0));
    requires Sep(dx,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(dx,ix(rows,cols,0),gamma,cols);
    requires centered == 0 || Sep(dx,ix(rows,cols,0),mean,rows);
    requires Sep(dx,ix(rows,cols,0),rstd,rows) && Sep(dx,ix(rows,cols,0),g,ix(rows,cols,0));
    requires Sep(dgamma,cols,x,ix(rows,cols,0)) && Sep(dgamma,cols,g,ix(rows,cols,0));
    requires (centered == 0 || Sep(dgamma,cols,mean,rows)) && Sep(dgamma,cols,rstd,rows);
    assigns dx[0 .. ix(rows,cols,0)-1], dgamma[0 .. cols-1];
    ensures DxRows{Pre,Post}(centered,affine,x,gamma,mean,rstd,g,dx,cols,rows);
    ensures Dgammas{Pre,Post}(centered,affine,x,mean,rstd,g,dgamma,rows,cols,cols);
*/
static void norm_vjp(idx rows, idx cols, int centered, int affine, const double *x,
                     const double *gamma, const double *mean, const double *rstd, const double *g,
                     double *dx, double *dgamma)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant DxRows{Pre,Here}(centered,affine,x,gamma,mean,rstd,g,dx,cols,r);
      loop assigns r, dx[0 .. ix(rows,cols,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    //@ ghost L0: ;
    idx o = at2(rows, cols, r, 0);
    //@ assert inside: 0 <= o && o + cols <= ix(rows,cols,0);
    double m = either(mean, centered, 0.0, r), s = rstd[r];
    //@ assert center: m == Either{Pre}(mean,centered,0.0,r);
    //@ assert rstd: s == rd{Pre}(rstd,r);
    dx_row(centered, affine, cols, x + o, gamma, m, s, g + o, dx + o);
    //@ assert same: Same{L0,Pre}(x+o,cols) && Same{L0,Pre}(gamma,cols) && Same{L0,Pre}(g+o,cols);
    /*@ assert frame: \forall integer c; 0 <= c < cols ==>
          NormVjp{L0}(centered,affine,x+o,gamma,m,s,g+o,cols,c) ==
          NormVjp{Pre}(centered,affine,x+o,gamma,m,s,g+o,cols,c); */
    /*@ assert here: \forall integer c; 0 <= c < cols ==> dx[o+c] ==
          NormVjp{Pre}(centered,affine,x+o,gamma,m,s,g+o,cols,c); */
    /*@ assert cell: \forall integer c; 0 <= c < cols ==> dx[ix(r,cols,c)] == dx[o+c]; */
    /*@ assert new: \forall integer c; 0 <= c < cols ==> dx[ix(r,cols,c)] ==
          NormVjp{Pre}(centered,affine,x+ix(r,cols,0),gamma,m,s,g+ix(r,cols,0),cols,c); */
    //@ assert old: SameRows{L0,Here}(dx,cols,r);
  }
  /*@ loop invariant 0 <= c <= cols;
      loop invariant Dgammas{Pre,Here}(centered,affine,x,mean,rstd,g,dgamma,rows,cols,c);
      loop assigns c, dgamma[0 .. cols-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++) {
    double s = 0.0, lost = 0.0;
    /*@ loop invariant 0 <= r <= rows;
        loop invariant s == NormDgamma{Pre}(centered,x,mean,rstd,g,cols,c,r) && is_zero(lost);
        loop assigns r, s, lost;
        loop variant rows - r;
    */
    for (idx r = 0; r < rows; r++) {
      idx i = at2(rows, cols, r, c);
      double m = either(mean, centered, 0.0, r);
      //@ assert center: m == Either{Pre}(mean,centered,0.0,r);
      //@ assert x: x[i] == rd{Pre}(x,i);
      //@ assert g: g[i] == rd{Pre}(g,i);
      //@ assert rstd: rstd[r] == rd{Pre}(rstd,r);
      twice term = twice_product(twice_exactly(g[i]), hat_twice(x[i], m, rstd[r]));
      lost += lost_sum(s, term.v) + term.lost;
      s += term.v;
    }
    dgamma[c] = affine == 0 ? 0.0 : s + r_kept(lost);
  }
}

void ref_layer_norm_vjp(idx rows, idx cols, const double *x, const double *gamma,
                        const double *mean, const double *rstd, const double *g, double *dx,
                        double *dgamma, double *dbeta)
{
  norm_vjp(rows, cols, 1, 1, x, gamma, mean, rstd, g, dx, dgamma);
  /*@ loop invariant 0 <= c <= cols;
      loop invariant \forall integer k; 0 <= k < c ==> dbeta[k] == ColSum{Pre}(g,cols,k,rows);
      loop assigns c, dbeta[0 .. cols-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++) {
    double s = 0.0, lost = 0.0;
    /*@ loop invariant 0 <= r <= rows;
        loop invariant s == ColSum{Pre}(g,cols,c,r) && is_zero(lost);
        loop assigns r, s, lost;
        loop variant rows - r;
    */
    for (idx r = 0; r < rows; r++) {
      double v = g[at2(rows, cols, r, c)];
      lost += lost_sum(s, v);
      s += v;
    }
    dbeta[c] = s + r_kept(lost);
  }
}

void ref_rms_norm_vjp(idx rows, idx cols, int affine, const double *x, const double *gamma,
                      const double *rstd, const double *g, double *dx, double *dgamma)
{
  norm_vjp(rows, cols, 0, affine, x, gamma, rstd, rstd, g, dx, dgamma);
}
