/* Normalizations, their VJPs and error bounds. eps > 0, and no axis that is averaged is empty. */
#ifndef REF_NORM_H
#define REF_NORM_H
#include "ref.h"
#include "norm_pair.h"
#include "../spec/norm.h"

/* x, y: (rows, cols), gamma, beta: (cols), mean, rstd: (rows). mean and the biased variance are
 * those of a row, rstd = 1 / sqrt(variance + eps), y = (x - mean) rstd gamma + beta. */
/*@ requires In2(x,rows,cols) && In1(gamma,cols) && In1(beta,cols) && 1 <= cols && eps > 0.0;
    requires Out2(y,rows,cols) && Out1(mean,rows) && Out1(rstd,rows);
    requires Sep(y,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(y,ix(rows,cols,0),gamma,cols);
    requires Sep(y,ix(rows,cols,0),beta,cols) && Sep(y,ix(rows,cols,0),mean,rows);
    requires Sep(y,ix(rows,cols,0),rstd,rows) && Sep(mean,rows,rstd,rows);
    requires Sep(mean,rows,x,ix(rows,cols,0)) && Sep(rstd,rows,x,ix(rows,cols,0));
    requires Sep(mean,rows,gamma,cols) && Sep(rstd,rows,gamma,cols);
    requires Sep(mean,rows,beta,cols) && Sep(rstd,rows,beta,cols);
    assigns y[0 .. ix(rows,cols,0)-1], mean[0 .. rows-1], rstd[0 .. rows-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      y[ix(r,cols,c)] == Normed{Pre}(1,1,x+ix(r,cols,0),gamma,beta,cols,eps,c);
    ensures \forall integer r; 0 <= r < rows ==> mean[r] == Mean{Pre}(x+ix(r,cols,0),cols);
    ensures \forall integer r; 0 <= r < rows ==> rstd[r] == Rstd{Pre}(x+ix(r,cols,0),1,cols,eps);
*/
void ref_layer_norm(idx rows, idx cols, double eps, const double *x, const double *gamma,
                    const double *beta, double *y, double *mean, double *rstd);

/* x, g, dx: (rows, cols), gamma, dgamma, dbeta: (cols), mean, rstd: (rows), those of x. With
 * G = g gamma and xhat = (x - mean) rstd, dx = rstd (G - mean of G - xhat mean of (G xhat)),
 * dgamma = sum over the rows of g xhat, dbeta = sum over the rows of g. */
/*@ requires In2(x,rows,cols) && In1(gamma,cols) && In1(mean,rows) && In1(rstd,rows);
    requires In2(g,rows,cols) && 1 <= cols;
    requires Out2(dx,rows,cols) && Out1(dgamma,cols) && Out1(dbeta,cols);
    requires Sep(dx,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(dx,ix(rows,cols,0),gamma,cols);
    requires Sep(dx,ix(rows,cols,0),mean,rows) && Sep(dx,ix(rows,cols,0),rstd,rows);
    requires Sep(dx,ix(rows,cols,0),g,ix(rows,cols,0));
    requires Sep(dgamma,cols,x,ix(rows,cols,0)) && Sep(dgamma,cols,gamma,cols);
    requires Sep(dgamma,cols,mean,rows) && Sep(dgamma,cols,rstd,rows);
    requires Sep(dgamma,cols,g,ix(rows,cols,0)) && Sep(dgamma,cols,dx,ix(rows,cols,0));
    requires Sep(dbeta,cols,g,ix(rows,cols,0)) && Sep(dbeta,cols,dx,ix(rows,cols,0));
    requires Sep(dbeta,cols,dgamma,cols);
    assigns dx[0 .. ix(rows,cols,0)-1], dgamma[0 .. cols-1], dbeta[0 .. cols-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> dx[ix(r,cols,c)] ==
      NormVjp{Pre}(1,1,x+ix(r,cols,0),gamma,rd{Pre}(mean,r),rd{Pre}(rstd,r),
                   g+ix(r,cols,0),cols,c);
    ensures \forall integer c; 0 <= c < cols ==>
      dgamma[c] == NormDgamma{Pre}(1,x,mean,rstd,g,cols,c,rows);
    ensures \forall integer c; 0 <= c < cols ==> dbeta[c] == ColSum{Pre}(g,cols,c,rows);
*/
void ref_layer_norm_vjp(idx rows, idx cols, const double *x, const double *gamma,
                        const double *mean, const double *rstd, const double *g, double *dx,
                        double *dgamma, double *dbeta);

/* x, y: (rows, cols), gamma: (cols), rstd: (rows). rstd = 1 / sqrt(mean of x^2 + eps),
 * y = x rstd gamma; where affine is 0, ones stand for gamma. */
/*@ requires In2(x,rows,cols) && In1(gamma,cols) && 1 <= cols && eps > 0.0;
    requires Out2(y,rows,cols) && Out1(rstd,rows);
    requires Sep(y,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(y,ix(rows,cols,0),gamma,cols);
    requires Sep(y,ix(rows,cols,0),rstd,rows);
    requires Sep(rstd,rows,x,ix(rows,cols,0)) && Sep(rstd,rows,gamma,cols);
    assigns y[0 .. ix(rows,cols,0)-1], rstd[0 .. rows-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      y[ix(r,cols,c)] == Normed{Pre}(0,affine,x+ix(r,cols,0),gamma,gamma,cols,eps,c);
    ensures \forall integer r; 0 <= r < rows ==> rstd[r] == Rstd{Pre}(x+ix(r,cols,0),0,cols,eps);
*/
void ref_rms_norm(idx rows, idx cols, int affine, double eps, const double *x, const double *gamma,
                  double *y, double *rstd);

/* x, g, dx: (rows, cols), gamma, dgamma: (cols), rstd: (rows), that of x. With G = g gamma and
 * xhat = x rstd, dx = rstd (G - xhat mean of (G xhat)), dgamma = sum over the rows of g xhat; where
 * affine is 0, ones stand for gamma, and dgamma is 0. */
/*@ requires In2(x,rows,cols) && In1(gamma,cols) && In1(rstd,rows) && In2(g,rows,cols);
    requires 1 <= cols && Out2(dx,rows,cols) && Out1(dgamma,cols);
    requires Sep(dx,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(dx,ix(rows,cols,0),gamma,cols);
    requires Sep(dx,ix(rows,cols,0),rstd,rows) && Sep(dx,ix(rows,cols,0),g,ix(rows,cols,0));
    requires Sep(dgamma,cols,x,ix(rows,cols,0)) && Sep(dgamma,cols,gamma,cols);
    requires Sep(dgamma,cols,rstd,rows) && Sep(dgamma,cols,g,ix(rows,cols,0));
    requires Sep(dgamma,cols,dx,ix(rows,cols,0));
    assigns dx[0 .. ix(rows,cols,0)-1], dgamma[0 .. cols-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> dx[ix(r,cols,c)] ==
      NormVjp{Pre}(0,affine,x+ix(r,cols,0),gamma,0.0,rd{Pre}(rstd,r),g+ix(r,cols,0),cols,c);
    ensures \forall integer c; 0 <= c < cols ==> dgamma[c] ==
      (affine == 0 ? 0.0 : NormDgamma{Pre}(0,x,rstd,rstd,g,cols,c,rows));
*/
void ref_rms_norm_vjp(idx rows, idx cols, int affine, const double *x, const double *gamma,
                      const double *rstd, const double *g, double *dx, double *dgamma);

/* Bounds: what a row comes to, by the nodes of norm_pair.h. */
/*@ logic pair CenterPair{L}(arith A, scalar *x, integer centered, integer n) =
      p_center(A, centered, Sum{L}(x,n), SumAbs{L}(x,n), n);
    logic pair RstdPair{L}(arith A, scalar *x, integer centered, integer n, real eps) =
      p_rstd(A, MeanSq{L}(x,Center{L}(x,centered,n),n), CenterPair{L}(A,x,centered,n).e, eps, n,
             A.h + (centered == 0 ? 3.0 : 5.0));
    logic real NormedBound{L}(arith A, integer centered, integer affine, scalar *x, scalar *gamma,
                              scalar *beta, integer n, real eps, integer c) =
      p_normed(A, centered, x[c], CenterPair{L}(A,x,centered,n), RstdPair{L}(A,x,centered,n,eps),
               Either{L}(gamma,affine,1.0,c), Either{L}(beta,centered,0.0,c)).e;

    logic real AbsPulled{L}(scalar *g, scalar *gamma, integer affine, integer n) =
      n <= 0 ? 0.0 : AbsPulled{L}(g,gamma,affine,n-1) + \abs(Pulled{L}(g,gamma,affine,n-1));
    // G xhat at i as a pair; the sums over i < n of its value, its magnitude, its error
    logic pair HatPair{L}(arith A, integer centered, integer affine, scalar *x, scalar *gamma,
                          real m, real r, scalar *g, integer i) =
      p_pulled_hat(A, centered, g[i], Either{L}(gamma,affine,1.0,i), x[i], m, r);
    logic real HatValue{L}(arith A, integer centered, integer affine, scalar *x, scalar *gamma,
                           real m, real r, scalar *g, integer n) =
      n <= 0 ? 0.0 : HatValue{L}(A,centered,affine,x,gamma,m,r,g,n-1) +
                     HatPair{L}(A,centered,affine,x,gamma,m,r,g,n-1).v;
    logic real HatAbs{L}(arith A, integer centered, integer affine, scalar *x, scalar *gamma,
                         real m, real r, scalar *g, integer n) =
      n <= 0 ? 0.0 : HatAbs{L}(A,centered,affine,x,gamma,m,r,g,n-1) +
                     \abs(HatPair{L}(A,centered,affine,x,gamma,m,r,g,n-1).v);
    logic real HatError{L}(arith A, integer centered, integer affine, scalar *x, scalar *gamma,
                           real m, real r, scalar *g, integer n) =
      n <= 0 ? 0.0 : HatError{L}(A,centered,affine,x,gamma,m,r,g,n-1) +
                     HatPair{L}(A,centered,affine,x,gamma,m,r,g,n-1).e;
    logic pair MeanHatPair{L}(arith A, integer centered, integer affine, scalar *x, scalar *gamma,
                              real m, real r, scalar *g, integer n) =
      p_mean_hat(A, HatValue{L}(A,centered,affine,x,gamma,m,r,g,n),
                 HatAbs{L}(A,centered,affine,x,gamma,m,r,g,n),
                 HatError{L}(A,centered,affine,x,gamma,m,r,g,n), n);
    logic real NormVjpBound{L}(arith A, integer centered, integer affine, scalar *x, scalar *gamma,
                               real m, real r, scalar *g, integer n, integer c) =
      p_norm_dx(A, centered, g[c], Either{L}(gamma,affine,1.0,c), x[c], m, r,
                p_mean_pulled(A, centered, SumPulled{L}(g,gamma,affine,n),
                              AbsPulled{L}(g,gamma,affine,n), n),
                MeanHatPair{L}(A,centered,affine,x,gamma,m,r,g,n)).e;

    // g xhat at (r,c) as a pair; the sums over r < rows
    logic pair ColPair{L}(arith A, integer centered, scalar *x, scalar *mean, scalar *rstd,
                          scalar *g, integer cols, integer c, integer r) =
      p_hat(A, centered, g[ix(r,cols,c)], x[ix(r,cols,c)], Either{L}(mean,centered,0.0,r), rstd[r]);
    logic real ColValue{L}(arith A, integer centered, scalar *x, scalar *mean, scalar *rstd,
                           scalar *g, integer cols, integer c, integer rows) =
      rows <= 0 ? 0.0 : ColValue{L}(A,centered,x,mean,rstd,g,cols,c,rows-1) +
                        ColPair{L}(A,centered,x,mean,rstd,g,cols,c,rows-1).v;
    logic real ColAbs{L}(arith A, integer centered, scalar *x, scalar *mean, scalar *rstd,
                         scalar *g, integer cols, integer c, integer rows) =
      rows <= 0 ? 0.0 : ColAbs{L}(A,centered,x,mean,rstd,g,cols,c,rows-1) +
                        \abs(ColPair{L}(A,centered,x,mean,rstd,g,cols,c,rows-1).v);
    logic real ColError{L}(arith A, integer centered, scalar *x, scalar *mean, scalar *rstd,
                           scalar *g, integer cols, integer c, integer rows) =
      rows <= 0 ? 0.0 : ColError{L}(A,centered,x,mean,rstd,g,cols,c,rows-1) +
                        ColPair{L}(A,centered,x,mean,rstd,g,cols,c,rows-1).e;
    // of a sum over the rows, in a tree of height A.h2
    logic real DgammaBound{L}(arith A, integer centered, scalar *x, scalar *mean, scalar *rstd,
                              scalar *g, integer cols, integer c, integer rows) =
      p_sum(A, ColValue{L}(A,centered,x,mean,rstd,g,cols,c,rows),
            ColAbs{L}(A,centered,x,mean,rstd,g,cols,c,rows),
            ColError{L}(A,centered,x,mean,rstd,g,cols,c,rows), A.h2).e;

    lemma center_pair_frame{L1,L2}: \forall arith A, scalar *x, integer centered, n;
      Same{L1,L2}(x,n) ==> CenterPair{L1}(A,x,centered,n) == CenterPair{L2}(A,x,centered,n);
    lemma rstd_pair_frame{L1,L2}: \forall arith A, scalar *x, integer centered, n, real eps;
      Same{L1,L2}(x,n) ==> RstdPair{L1}(A,x,centered,n,eps) == RstdPair{L2}(A,x,centered,n,eps);
    lemma normed_bound_frame{L1,L2}: \forall arith A, integer centered, affine, scalar *x, *gamma,
      *beta, integer n, real eps, integer c; 0 <= c < n ==> Same{L1,L2}(x,n) ==>
      Same{L1,L2}(gamma,n) ==> Same{L1,L2}(beta,n) ==>
      NormedBound{L1}(A,centered,affine,x,gamma,beta,n,eps,c) ==
      NormedBound{L2}(A,centered,affine,x,gamma,beta,n,eps,c);
    lemma abs_pulled_frame{L1,L2}: \forall scalar *g, *gamma, integer affine, n;
      Same{L1,L2}(g,n) ==> Same{L1,L2}(gamma,n) ==>
      AbsPulled{L1}(g,gamma,affine,n) == AbsPulled{L2}(g,gamma,affine,n);
    lemma hat_value_frame{L1,L2}: \forall arith A, integer centered, affine, scalar *x, *gamma,
      real m, r, scalar *g, integer n;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(gamma,n) ==> Same{L1,L2}(g,n) ==>
      HatValue{L1}(A,centered,affine,x,gamma,m,r,g,n) ==
      HatValue{L2}(A,centered,affine,x,gamma,m,r,g,n);
    lemma hat_abs_frame{L1,L2}: \forall arith A, integer centered, affine, scalar *x, *gamma,
      real m, r, scalar *g, integer n;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(gamma,n) ==> Same{L1,L2}(g,n) ==>
      HatAbs{L1}(A,centered,affine,x,gamma,m,r,g,n) ==
      HatAbs{L2}(A,centered,affine,x,gamma,m,r,g,n);
    lemma hat_error_frame{L1,L2}: \forall arith A, integer centered, affine, scalar *x, *gamma,
      real m, r, scalar *g, integer n;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(gamma,n) ==> Same{L1,L2}(g,n) ==>
      HatError{L1}(A,centered,affine,x,gamma,m,r,g,n) ==
      HatError{L2}(A,centered,affine,x,gamma,m,r,g,n);
    lemma norm_vjp_bound_frame{L1,L2}: \forall arith A, integer centered, affine, scalar *x, *gamma,
      real m, r, scalar *g, integer n, c; 0 <= c < n ==>
      Same{L1,L2}(x,n) ==> Same{L1,L2}(gamma,n) ==> Same{L1,L2}(g,n) ==>
      NormVjpBound{L1}(A,centered,affine,x,gamma,m,r,g,n,c) ==
      NormVjpBound{L2}(A,centered,affine,x,gamma,m,r,g,n,c);
*/

/* Shapes as above. */
/*@ requires In2(x,rows,cols) && In1(gamma,cols) && In1(beta,cols) && 1 <= cols && eps > 0.0;
    requires Out2(e_y,rows,cols) && Out1(e_mean,rows) && Out1(e_rstd,rows);
    requires Sep(e_y,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(e_y,ix(rows,cols,0),gamma,cols);
    requires Sep(e_y,ix(rows,cols,0),beta,cols) && Sep(e_y,ix(rows,cols,0),e_mean,rows);
    requires Sep(e_y,ix(rows,cols,0),e_rstd,rows) && Sep(e_mean,rows,e_rstd,rows);
    requires Sep(e_mean,rows,x,ix(rows,cols,0)) && Sep(e_rstd,rows,x,ix(rows,cols,0));
    requires Sep(e_mean,rows,gamma,cols) && Sep(e_rstd,rows,gamma,cols);
    requires Sep(e_mean,rows,beta,cols) && Sep(e_rstd,rows,beta,cols);
    assigns e_y[0 .. ix(rows,cols,0)-1], e_mean[0 .. rows-1], e_rstd[0 .. rows-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      e_y[ix(r,cols,c)] == NormedBound{Pre}(A,1,1,x+ix(r,cols,0),gamma,beta,cols,eps,c);
    ensures \forall integer r; 0 <= r < rows ==>
      e_mean[r] == CenterPair{Pre}(A,x+ix(r,cols,0),1,cols).e;
    ensures \forall integer r; 0 <= r < rows ==>
      e_rstd[r] == RstdPair{Pre}(A,x+ix(r,cols,0),1,cols,eps).e;
*/
void bound_layer_norm(idx rows, idx cols, double eps, const double *x, const double *gamma,
                      const double *beta, arith A, double *e_y, double *e_mean, double *e_rstd);

/*@ requires In2(x,rows,cols) && In1(gamma,cols) && In1(mean,rows) && In1(rstd,rows);
    requires In2(g,rows,cols) && 1 <= cols;
    requires Out2(e_dx,rows,cols) && Out1(e_dgamma,cols) && Out1(e_dbeta,cols);
    requires Sep(e_dx,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(e_dx,ix(rows,cols,0),gamma,cols);
    requires Sep(e_dx,ix(rows,cols,0),mean,rows) && Sep(e_dx,ix(rows,cols,0),rstd,rows);
    requires Sep(e_dx,ix(rows,cols,0),g,ix(rows,cols,0));
    requires Sep(e_dgamma,cols,x,ix(rows,cols,0)) && Sep(e_dgamma,cols,gamma,cols);
    requires Sep(e_dgamma,cols,mean,rows) && Sep(e_dgamma,cols,rstd,rows);
    requires Sep(e_dgamma,cols,g,ix(rows,cols,0)) && Sep(e_dgamma,cols,e_dx,ix(rows,cols,0));
    requires Sep(e_dbeta,cols,g,ix(rows,cols,0)) && Sep(e_dbeta,cols,e_dx,ix(rows,cols,0));
    requires Sep(e_dbeta,cols,e_dgamma,cols);
    assigns e_dx[0 .. ix(rows,cols,0)-1], e_dgamma[0 .. cols-1], e_dbeta[0 .. cols-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> e_dx[ix(r,cols,c)] ==
      NormVjpBound{Pre}(A,1,1,x+ix(r,cols,0),gamma,rd{Pre}(mean,r),rd{Pre}(rstd,r),
                        g+ix(r,cols,0),cols,c);
    ensures \forall integer c; 0 <= c < cols ==>
      e_dgamma[c] == DgammaBound{Pre}(A,1,x,mean,rstd,g,cols,c,rows);
    ensures \forall integer c; 0 <= c < cols ==> e_dbeta[c] ==
      p_sum(A, ColSum{Pre}(g,cols,c,rows), ColSumAbs{Pre}(g,cols,c,rows), 0.0, A.h2).e;
*/
void bound_layer_norm_vjp(idx rows, idx cols, const double *x, const double *gamma,
                          const double *mean, const double *rstd, const double *g, arith A,
                          double *e_dx, double *e_dgamma, double *e_dbeta);

/*@ requires In2(x,rows,cols) && In1(gamma,cols) && 1 <= cols && eps > 0.0;
    requires Out2(e_y,rows,cols) && Out1(e_rstd,rows);
    requires Sep(e_y,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(e_y,ix(rows,cols,0),gamma,cols);
    requires Sep(e_y,ix(rows,cols,0),e_rstd,rows);
    requires Sep(e_rstd,rows,x,ix(rows,cols,0)) && Sep(e_rstd,rows,gamma,cols);
    assigns e_y[0 .. ix(rows,cols,0)-1], e_rstd[0 .. rows-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      e_y[ix(r,cols,c)] == NormedBound{Pre}(A,0,affine,x+ix(r,cols,0),gamma,gamma,cols,eps,c);
    ensures \forall integer r; 0 <= r < rows ==>
      e_rstd[r] == RstdPair{Pre}(A,x+ix(r,cols,0),0,cols,eps).e;
*/
void bound_rms_norm(idx rows, idx cols, int affine, double eps, const double *x,
                    const double *gamma, arith A, double *e_y, double *e_rstd);

/*@ requires In2(x,rows,cols) && In1(gamma,cols) && In1(rstd,rows) && In2(g,rows,cols);
    requires 1 <= cols && Out2(e_dx,rows,cols) && Out1(e_dgamma,cols);
    requires Sep(e_dx,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(e_dx,ix(rows,cols,0),gamma,cols);
    requires Sep(e_dx,ix(rows,cols,0),rstd,rows) && Sep(e_dx,ix(rows,cols,0),g,ix(rows,cols,0));
    requires Sep(e_dgamma,cols,x,ix(rows,cols,0)) && Sep(e_dgamma,cols,gamma,cols);
    requires Sep(e_dgamma,cols,rstd,rows) && Sep(e_dgamma,cols,g,ix(rows,cols,0));
    requires Sep(e_dgamma,cols,e_dx,ix(rows,cols,0));
    assigns e_dx[0 .. ix(rows,cols,0)-1], e_dgamma[0 .. cols-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==> e_dx[ix(r,cols,c)] ==
      NormVjpBound{Pre}(A,0,affine,x+ix(r,cols,0),gamma,0.0,rd{Pre}(rstd,r),g+ix(r,cols,0),cols,c);
    ensures \forall integer c; 0 <= c < cols ==> e_dgamma[c] ==
      (affine == 0 ? 0.0 : DgammaBound{Pre}(A,0,x,rstd,rstd,g,cols,c,rows));
*/
void bound_rms_norm_vjp(idx rows, idx cols, int affine, const double *x, const double *gamma,
                        const double *rstd, const double *g, arith A, double *e_dx,
                        double *e_dgamma);
#endif
