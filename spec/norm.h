/* Normalizations. layer_norm and rms_norm work on the rows of a (rows, cols) matrix: the functions
 * below speak of one row of n elements; row r of x begins at x + ix(r, cols, 0). `centered` is 1
 * for layer_norm, 0 for rms_norm, which takes 0 for the mean and adds no beta; `affine` is 0 where
 * ones stand for gamma. */
#ifndef SPEC_NORM_H
#define SPEC_NORM_H
#include "reduce.h"
/*@ // a vector that takes part, or a constant in its place
    logic real Either{L}(scalar *a, integer present, real otherwise, integer c) =
      present == 0 ? otherwise : a[c];

    // sum of (x[i] - m)^2 over i < n
    logic real SqDev{L}(scalar *x, real m, integer n) =
      n <= 0 ? 0.0 : SqDev{L}(x,m,n-1) + rmul(x[n-1] - m, x[n-1] - m);
    logic real Mean{L}(scalar *x, integer n) = rdiv(Sum{L}(x,n), (real)n);
    // what the row is centered on
    logic real Center{L}(scalar *x, integer centered, integer n) =
      centered == 0 ? 0.0 : Mean{L}(x,n);
    // about the mean this is the biased variance
    logic real MeanSq{L}(scalar *x, real m, integer n) = rdiv(SqDev{L}(x,m,n), (real)n);
    logic real InvRoot(real v, real eps) = rdiv(1.0, \sqrt(v + eps));
    logic real Rstd{L}(scalar *x, integer centered, integer n, real eps) =
      InvRoot(MeanSq{L}(x,Center{L}(x,centered,n),n), eps);
    logic real Hat(real x, real m, real r) = rmul(x - m, r);
    // element c of the normalized row
    logic real Normed{L}(integer centered, integer affine, scalar *x, scalar *gamma, scalar *beta,
                         integer n, real eps, integer c) =
      rmul(Hat(x[c], Center{L}(x,centered,n), Rstd{L}(x,centered,n,eps)),
           Either{L}(gamma,affine,1.0,c)) + Either{L}(beta,centered,0.0,c);

    // The gradient, over the mean m and the rstd r that the forward op gave. G = g gamma.
    logic real Pulled{L}(scalar *g, scalar *gamma, integer affine, integer c) =
      rmul(g[c], Either{L}(gamma,affine,1.0,c));
    // sum of G[i] over i < n
    logic real SumPulled{L}(scalar *g, scalar *gamma, integer affine, integer n) =
      n <= 0 ? 0.0 : SumPulled{L}(g,gamma,affine,n-1) + Pulled{L}(g,gamma,affine,n-1);
    // sum of G[i] xhat[i] over i < n
    logic real SumHat{L}(scalar *g, scalar *gamma, integer affine, scalar *x, real m, real r,
                         integer n) =
      n <= 0 ? 0.0 : SumHat{L}(g,gamma,affine,x,m,r,n-1) +
                     rmul(Pulled{L}(g,gamma,affine,n-1), Hat(x[n-1],m,r));
    logic real MeanPulled{L}(scalar *g, scalar *gamma, integer centered, integer affine,
                             integer n) =
      centered == 0 ? 0.0 : rdiv(SumPulled{L}(g,gamma,affine,n), (real)n);
    logic real MeanHat{L}(scalar *g, scalar *gamma, integer affine, scalar *x, real m, real r,
                          integer n) = rdiv(SumHat{L}(g,gamma,affine,x,m,r,n), (real)n);
    logic real NormDx(real G, real mean, real hat, real mean_hat, real r) =
      rmul(r, G - mean - rmul(hat, mean_hat));
    // element c of the row's cotangent
    logic real NormVjp{L}(integer centered, integer affine, scalar *x, scalar *gamma, real m,
                          real r, scalar *g, integer n, integer c) =
      NormDx(Pulled{L}(g,gamma,affine,c), MeanPulled{L}(g,gamma,centered,affine,n),
             Hat(x[c],m,r), MeanHat{L}(g,gamma,affine,x,m,r,n), r);
    // sum of g[r,c] xhat[r,c] over r < rows: the cotangent of gamma[c]
    logic real NormDgamma{L}(integer centered, scalar *x, scalar *mean, scalar *rstd, scalar *g,
                             integer cols, integer c, integer rows) =
      rows <= 0 ? 0.0 : NormDgamma{L}(centered,x,mean,rstd,g,cols,c,rows-1) +
        rmul(g[ix(rows-1,cols,c)],
             Hat(x[ix(rows-1,cols,c)], Either{L}(mean,centered,0.0,rows-1), rstd[rows-1]));

    lemma square_nonneg: \forall real a; rmul(a,a) >= 0.0;
    lemma sq_dev_nonneg{L}: \forall scalar *x, real m, integer n; SqDev{L}(x,m,n) >= 0.0;
    lemma mean_sq_nonneg{L}: \forall scalar *x, real m, integer n; 1 <= n ==>
      MeanSq{L}(x,m,n) >= 0.0;
    lemma root_pos: \forall real v, eps; v >= 0.0 ==> eps > 0.0 ==> \sqrt(v + eps) > 0.0;
    lemma mean_frame{L1,L2}: \forall scalar *x, integer n; Same{L1,L2}(x,n) ==>
      Mean{L1}(x,n) == Mean{L2}(x,n);
    lemma sq_dev_frame{L1,L2}: \forall scalar *x, real m, integer n; Same{L1,L2}(x,n) ==>
      SqDev{L1}(x,m,n) == SqDev{L2}(x,m,n);
    lemma rstd_frame{L1,L2}: \forall scalar *x, integer centered, n, real eps;
      Same{L1,L2}(x,n) ==> Rstd{L1}(x,centered,n,eps) == Rstd{L2}(x,centered,n,eps);
    lemma normed_frame{L1,L2}: \forall integer centered, affine, scalar *x, *gamma, *beta,
      integer n, real eps, integer c; 0 <= c < n ==> Same{L1,L2}(x,n) ==>
      Same{L1,L2}(gamma,n) ==> Same{L1,L2}(beta,n) ==>
      Normed{L1}(centered,affine,x,gamma,beta,n,eps,c) ==
      Normed{L2}(centered,affine,x,gamma,beta,n,eps,c);
    lemma sum_pulled_frame{L1,L2}: \forall scalar *g, *gamma, integer affine, n;
      Same{L1,L2}(g,n) ==> Same{L1,L2}(gamma,n) ==>
      SumPulled{L1}(g,gamma,affine,n) == SumPulled{L2}(g,gamma,affine,n);
*/
#ifndef READING_KERNELS /* no kernel's proof needs these */
/*@ lemma sum_hat_frame{L1,L2}: \forall scalar *g, *gamma, integer affine, scalar *x, real m, r,
      integer n; Same{L1,L2}(g,n) ==> Same{L1,L2}(gamma,n) ==> Same{L1,L2}(x,n) ==>
      SumHat{L1}(g,gamma,affine,x,m,r,n) == SumHat{L2}(g,gamma,affine,x,m,r,n);
    lemma norm_vjp_frame{L1,L2}: \forall integer centered, affine, scalar *x, *gamma, real m, r,
      scalar *g, integer n, c; 0 <= c < n ==>
      Same{L1,L2}(x,n) ==> Same{L1,L2}(gamma,n) ==> Same{L1,L2}(g,n) ==>
      NormVjp{L1}(centered,affine,x,gamma,m,r,g,n,c) ==
      NormVjp{L2}(centered,affine,x,gamma,m,r,g,n,c);
*/
#endif
#endif
