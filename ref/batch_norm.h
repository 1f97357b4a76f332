/* batch_norm, its VJP and error bounds. eps > 0, and no channel is empty. */
#ifndef REF_BATCH_NORM_H
#define REF_BATCH_NORM_H
#include "ref.h"
#include "norm_pair.h"
#include "../spec/batch_norm.h"

/*@ predicate Sizes3(integer n, integer channels, integer size) =
      1 <= n && 0 <= channels && 1 <= size && 1 <= ix(n,size,0) <= IDX_LIM &&
      ix(n,channels,0) <= IDX_LIM && ix(ix(n,channels,0),size,0) <= IDX_LIM;
    logic integer Count3(integer n, integer channels, integer size) =
      ix(ix(n,channels,0),size,0);
    logic integer At3(integer i, integer channels, integer c, integer size, integer s) =
      ix(ix(i,channels,c),size,s);
    // all of y[0 .. n-1] but y[o .. o+k-1] is the same
    predicate SameBeside{L1,L2}(scalar *y, integer n, integer o, integer k) =
      \forall integer i; 0 <= i < n ==> (i < o || o + k <= i) ==>
        \at(y[i],L2) == \at(y[i],L1);
    // every row but `row` is the same
    predicate SameOthers{L1,L2}(scalar *y, integer rows, integer size, integer row) =
      \forall integer r, s; 0 <= r < rows ==> 0 <= s < size ==> r != row ==>
        \at(y[ix(r,size,s)],L2) == \at(y[ix(r,size,s)],L1);
    lemma beside_row: \forall integer r, row, size, s; 0 <= s < size ==> r != row ==>
      ix(r,size,s) < ix(row,size,0) || ix(row,size,0) + size <= ix(r,size,s);
    lemma same_others{L1,L2}: \forall scalar *y, integer rows, size, row;
      SameBeside{L1,L2}(y,ix(rows,size,0),ix(row,size,0),size) ==>
      SameOthers{L1,L2}(y,rows,size,row);
    // every channel but c is the same
    predicate SameChans{L1,L2}(scalar *y, integer n, integer channels, integer size, integer c) =
      \forall integer j, k, s; 0 <= j < n ==> 0 <= k < channels ==> 0 <= s < size ==> k != c ==>
        \at(y[At3(j,channels,k,size,s)],L2) == \at(y[At3(j,channels,k,size,s)],L1);
*/

/* x, y: (n, channels, size), gamma, beta, mean, rstd: (channels). mean and the biased variance are
 * those of a channel, rstd = 1 / sqrt(variance + eps), y = (x - mean) rstd gamma + beta. */
/*@ requires Sizes3(n,channels,size) && eps > 0.0;
    requires In2(x,ix(n,channels,0),size) && In1(gamma,channels) && In1(beta,channels);
    requires Out2(y,ix(n,channels,0),size) && Out1(mean,channels) && Out1(rstd,channels);
    requires Sep(y,Count3(n,channels,size),x,Count3(n,channels,size));
    requires Sep(y,Count3(n,channels,size),gamma,channels);
    requires Sep(y,Count3(n,channels,size),beta,channels);
    requires Sep(y,Count3(n,channels,size),mean,channels);
    requires Sep(y,Count3(n,channels,size),rstd,channels) && Sep(mean,channels,rstd,channels);
    requires Sep(mean,channels,x,Count3(n,channels,size));
    requires Sep(rstd,channels,x,Count3(n,channels,size));
    requires Sep(mean,channels,gamma,channels) && Sep(mean,channels,beta,channels);
    requires Sep(rstd,channels,gamma,channels) && Sep(rstd,channels,beta,channels);
    assigns y[0 .. Count3(n,channels,size)-1], mean[0 .. channels-1], rstd[0 .. channels-1];
    ensures \forall integer i, c, s; 0 <= i < n ==> 0 <= c < channels ==> 0 <= s < size ==>
      y[At3(i,channels,c,size,s)] ==
      Shifted(rd{Pre}(x,At3(i,channels,c,size,s)), ChanMean{Pre}(x,channels,size,c,n),
              ChanRstd{Pre}(x,channels,size,c,n,eps), rd{Pre}(gamma,c), rd{Pre}(beta,c));
    ensures \forall integer c; 0 <= c < channels ==>
      mean[c] == ChanMean{Pre}(x,channels,size,c,n);
    ensures \forall integer c; 0 <= c < channels ==>
      rstd[c] == ChanRstd{Pre}(x,channels,size,c,n,eps);
*/
void ref_batch_norm(idx n, idx channels, idx size, double eps, const double *x, const double *gamma,
                    const double *beta, double *y, double *mean, double *rstd);

/* x, g, dx: (n, channels, size), gamma, mean, rstd, dgamma, dbeta: (channels), mean and rstd those
 * of x. With xhat = (x - mean) rstd, dbeta = sum of g, dgamma = sum of g xhat in a channel,
 * dx = gamma rstd (g - mean of g - xhat mean of (g xhat)). */
/*@ requires Sizes3(n,channels,size);
    requires In2(x,ix(n,channels,0),size) && In2(g,ix(n,channels,0),size);
    requires In1(gamma,channels) && In1(mean,channels) && In1(rstd,channels);
    requires Out2(dx,ix(n,channels,0),size) && Out1(dgamma,channels) && Out1(dbeta,channels);
    requires Sep(dx,Count3(n,channels,size),x,Count3(n,channels,size));
    requires Sep(dx,Count3(n,channels,size),g,Count3(n,channels,size));
    requires Sep(dx,Count3(n,channels,size),gamma,channels);
    requires Sep(dx,Count3(n,channels,size),mean,channels);
    requires Sep(dx,Count3(n,channels,size),rstd,channels);
    requires Sep(dx,Count3(n,channels,size),dgamma,channels);
    requires Sep(dx,Count3(n,channels,size),dbeta,channels);
    requires Sep(dgamma,channels,x,Count3(n,channels,size));
    requires Sep(dgamma,channels,g,Count3(n,channels,size));
    requires Sep(dbeta,channels,x,Count3(n,channels,size));
    requires Sep(dbeta,channels,g,Count3(n,channels,size));
    requires Sep(dgamma,channels,gamma,channels) && Sep(dgamma,channels,mean,channels);
    requires Sep(dgamma,channels,rstd,channels) && Sep(dbeta,channels,gamma,channels);
    requires Sep(dbeta,channels,mean,channels) && Sep(dbeta,channels,rstd,channels);
    requires Sep(dgamma,channels,dbeta,channels);
    assigns dx[0 .. Count3(n,channels,size)-1], dgamma[0 .. channels-1], dbeta[0 .. channels-1];
    ensures \forall integer i, c, s; 0 <= i < n ==> 0 <= c < channels ==> 0 <= s < size ==>
      dx[At3(i,channels,c,size,s)] ==
      BatchDx(rd{Pre}(g,At3(i,channels,c,size,s)), rd{Pre}(x,At3(i,channels,c,size,s)),
              rd{Pre}(mean,c), rd{Pre}(rstd,c), rd{Pre}(gamma,c),
              ChanHat{Pre}(g,x,rd{Pre}(mean,c),rd{Pre}(rstd,c),channels,size,c,n),
              ChanSum{Pre}(g,channels,size,c,n), (real)ix(n,size,0));
    ensures \forall integer c; 0 <= c < channels ==> dgamma[c] ==
      ChanHat{Pre}(g,x,rd{Pre}(mean,c),rd{Pre}(rstd,c),channels,size,c,n);
    ensures \forall integer c; 0 <= c < channels ==> dbeta[c] == ChanSum{Pre}(g,channels,size,c,n);
*/
void ref_batch_norm_vjp(idx n, idx channels, idx size, const double *x, const double *gamma,
                        const double *mean, const double *rstd, const double *g, double *dx,
                        double *dgamma, double *dbeta);

/* Bounds, by the nodes of norm_pair.h. Every sum's tree has height A.h. */
/*@ logic real ChanAbs{L}(scalar *x, integer channels, integer size, integer c, integer n) =
      n <= 0 ? 0.0 : ChanAbs{L}(x,channels,size,c,n-1) +
                     SumAbs{L}(x+Row(n-1,channels,c,size),size);
    logic pair ChanMeanPair{L}(arith A, scalar *x, integer channels, integer size, integer c,
                               integer n) =
      p_center(A, 1, ChanSum{L}(x,channels,size,c,n), ChanAbs{L}(x,channels,size,c,n),
               ix(n,size,0));
    logic pair ChanRstdPair{L}(arith A, scalar *x, integer channels, integer size, integer c,
                               integer n, real eps) =
      p_rstd(A, ChanVar{L}(x,channels,size,c,n), ChanMeanPair{L}(A,x,channels,size,c,n).e, eps,
             ix(n,size,0), A.h + 5.0);

    // g xhat at i of a row as a pair; the sums over i < n of its value, its magnitude, its error
    logic pair RowPair{L}(arith A, scalar *x, real m, real r, scalar *g, integer i) =
      p_hat(A, 1, g[i], x[i], m, r);
    logic real RowValue{L}(arith A, scalar *x, real m, real r, scalar *g, integer n) =
      n <= 0 ? 0.0 : RowValue{L}(A,x,m,r,g,n-1) + RowPair{L}(A,x,m,r,g,n-1).v;
    logic real RowAbs{L}(arith A, scalar *x, real m, real r, scalar *g, integer n) =
      n <= 0 ? 0.0 : RowAbs{L}(A,x,m,r,g,n-1) + \abs(RowPair{L}(A,x,m,r,g,n-1).v);
    logic real RowError{L}(arith A, scalar *x, real m, real r, scalar *g, integer n) =
      n <= 0 ? 0.0 : RowError{L}(A,x,m,r,g,n-1) + RowPair{L}(A,x,m,r,g,n-1).e;
    // the same over the first n rows of a channel
    logic real ChanValue{L}(arith A, scalar *x, real m, real r, scalar *g, integer channels,
                            integer size, integer c, integer n) =
      n <= 0 ? 0.0 : ChanValue{L}(A,x,m,r,g,channels,size,c,n-1) +
        RowValue{L}(A,x+Row(n-1,channels,c,size),m,r,g+Row(n-1,channels,c,size),size);
    logic real ChanHatAbs{L}(arith A, scalar *x, real m, real r, scalar *g, integer channels,
                             integer size, integer c, integer n) =
      n <= 0 ? 0.0 : ChanHatAbs{L}(A,x,m,r,g,channels,size,c,n-1) +
        RowAbs{L}(A,x+Row(n-1,channels,c,size),m,r,g+Row(n-1,channels,c,size),size);
    logic real ChanError{L}(arith A, scalar *x, real m, real r, scalar *g, integer channels,
                            integer size, integer c, integer n) =
      n <= 0 ? 0.0 : ChanError{L}(A,x,m,r,g,channels,size,c,n-1) +
        RowError{L}(A,x+Row(n-1,channels,c,size),m,r,g+Row(n-1,channels,c,size),size);
    logic pair DgammaPair{L}(arith A, scalar *x, real m, real r, scalar *g, integer channels,
                             integer size, integer c, integer n) =
      p_sum(A, ChanValue{L}(A,x,m,r,g,channels,size,c,n),
            ChanHatAbs{L}(A,x,m,r,g,channels,size,c,n),
            ChanError{L}(A,x,m,r,g,channels,size,c,n), A.h);
    logic pair DbetaPair{L}(arith A, scalar *g, integer channels, integer size, integer c,
                            integer n) =
      p_sum(A, ChanSum{L}(g,channels,size,c,n), ChanAbs{L}(g,channels,size,c,n), 0.0, A.h);
    // a and b are the means. Lost where gamma is multiplied first, by r or by a term: of that a
    // product may underflow, and is multiplied with the rest
    axiomatic GammaLost {
      logic real p_gamma_lost(arith A, real g, real off, real r, pair a, pair b) reads \nothing;
      axiom p_gamma_lost_def: \forall arith A, real g, off, r, pair a, b;
        p_gamma_lost(A,g,off,r,a,b) ==
        A.eta * (4.0 * (1.0 + \abs(r) + \abs(g) + \abs(p_mag(a)) +
                        \abs(rmul(rmul(off,r),p_mag(b)))));
    }
    axiomatic BoundBatchDx {
      logic pair p_batch_dx(arith A, real g, real x, real m, real r, real gamma, pair dgamma,
                            pair dbeta, integer count) reads \nothing;
      axiom p_batch_dx_def: \forall arith A, real g, x, m, r, gamma, pair dgamma, dbeta,
        integer count; p_batch_dx(A,g,x,m,r,gamma,dgamma,dbeta,count) ==
        p_widen(A, p_mul(A, p_norm_dx(A, 1, g, 1.0, x, m, r, p_quo(A, dbeta, p_count(A,count), 2.0),
                                      p_quo(A, dgamma, p_count(A,count), 2.0)),
                         p_make(gamma,0.0)),
                p_gamma_lost(A, g, x - m, r, p_quo(A, dbeta, p_count(A,count), 2.0),
                             p_quo(A, dgamma, p_count(A,count), 2.0)));
    }
    lemma chan_abs_frame{L1,L2}: \forall scalar *x, integer channels, size, c, n;
      SameChan{L1,L2}(x,channels,size,c,n) ==>
      ChanAbs{L1}(x,channels,size,c,n) == ChanAbs{L2}(x,channels,size,c,n);
    lemma row_value_frame{L1,L2}: \forall arith A, scalar *x, real m, r, scalar *g, integer n;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(g,n) ==>
      RowValue{L1}(A,x,m,r,g,n) == RowValue{L2}(A,x,m,r,g,n);
    lemma chan_value_frame{L1,L2}: \forall arith A, scalar *x, real m, r, scalar *g,
      integer channels, size, c, n; SameChan{L1,L2}(x,channels,size,c,n) ==>
      SameChan{L1,L2}(g,channels,size,c,n) ==>
      ChanValue{L1}(A,x,m,r,g,channels,size,c,n) == ChanValue{L2}(A,x,m,r,g,channels,size,c,n);
    lemma row_abs_frame{L1,L2}: \forall arith A, scalar *x, real m, r, scalar *g, integer n;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(g,n) ==>
      RowAbs{L1}(A,x,m,r,g,n) == RowAbs{L2}(A,x,m,r,g,n);
    lemma chan_hat_abs_frame{L1,L2}: \forall arith A, scalar *x, real m, r, scalar *g,
      integer channels, size, c, n; SameChan{L1,L2}(x,channels,size,c,n) ==>
      SameChan{L1,L2}(g,channels,size,c,n) ==>
      ChanHatAbs{L1}(A,x,m,r,g,channels,size,c,n) == ChanHatAbs{L2}(A,x,m,r,g,channels,size,c,n);
    lemma row_error_frame{L1,L2}: \forall arith A, scalar *x, real m, r, scalar *g, integer n;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(g,n) ==>
      RowError{L1}(A,x,m,r,g,n) == RowError{L2}(A,x,m,r,g,n);
    lemma chan_error_frame{L1,L2}: \forall arith A, scalar *x, real m, r, scalar *g,
      integer channels, size, c, n; SameChan{L1,L2}(x,channels,size,c,n) ==>
      SameChan{L1,L2}(g,channels,size,c,n) ==>
      ChanError{L1}(A,x,m,r,g,channels,size,c,n) == ChanError{L2}(A,x,m,r,g,channels,size,c,n);
*/

/* Where row i of channel c begins. */
/*@ requires Sizes3(n,channels,size) && 0 <= i < n && 0 <= c < channels;
    terminates \true;
    assigns \nothing;
    ensures \result == Row(i,channels,c,size);
    ensures 0 <= \result && \result + size <= Count3(n,channels,size);
*/
idx chan_row(idx n, idx channels, idx size, idx i, idx c);

/*@ requires Sizes3(n,channels,size) && In2(x,ix(n,channels,0),size) && 0 <= c < channels;
    terminates \true;
    assigns \nothing;
    ensures \result == ChanVar{Pre}(x,channels,size,c,n);
    ensures \result >= 0.0;
*/
double chan_var(idx n, idx channels, idx size, const double *x, idx c);

/* Shapes as above. */
/*@ requires Sizes3(n,channels,size) && eps > 0.0;
    requires In2(x,ix(n,channels,0),size) && In1(gamma,channels) && In1(beta,channels);
    requires Out2(e_y,ix(n,channels,0),size) && Out1(e_mean,channels) && Out1(e_rstd,channels);
    requires Sep(e_y,Count3(n,channels,size),x,Count3(n,channels,size));
    requires Sep(e_y,Count3(n,channels,size),gamma,channels);
    requires Sep(e_y,Count3(n,channels,size),beta,channels);
    requires Sep(e_y,Count3(n,channels,size),e_mean,channels);
    requires Sep(e_y,Count3(n,channels,size),e_rstd,channels);
    requires Sep(e_mean,channels,e_rstd,channels);
    requires Sep(e_mean,channels,x,Count3(n,channels,size));
    requires Sep(e_rstd,channels,x,Count3(n,channels,size));
    requires Sep(e_mean,channels,gamma,channels) && Sep(e_mean,channels,beta,channels);
    requires Sep(e_rstd,channels,gamma,channels) && Sep(e_rstd,channels,beta,channels);
    assigns e_y[0 .. Count3(n,channels,size)-1], e_mean[0 .. channels-1], e_rstd[0 .. channels-1];
    ensures \forall integer i, c, s; 0 <= i < n ==> 0 <= c < channels ==> 0 <= s < size ==>
      e_y[At3(i,channels,c,size,s)] ==
      p_normed(A, 1, rd{Pre}(x,At3(i,channels,c,size,s)),
               ChanMeanPair{Pre}(A,x,channels,size,c,n),
               ChanRstdPair{Pre}(A,x,channels,size,c,n,eps), rd{Pre}(gamma,c), rd{Pre}(beta,c)).e;
    ensures \forall integer c; 0 <= c < channels ==>
      e_mean[c] == ChanMeanPair{Pre}(A,x,channels,size,c,n).e;
    ensures \forall integer c; 0 <= c < channels ==>
      e_rstd[c] == ChanRstdPair{Pre}(A,x,channels,size,c,n,eps).e;
*/
void bound_batch_norm(idx n, idx channels, idx size, double eps, const double *x,
                      const double *gamma, const double *beta, arith A, double *e_y, double *e_mean,
                      double *e_rstd);

/*@ requires Sizes3(n,channels,size);
    requires In2(x,ix(n,channels,0),size) && In2(g,ix(n,channels,0),size);
    requires In1(gamma,channels) && In1(mean,channels) && In1(rstd,channels);
    requires Out2(e_dx,ix(n,channels,0),size) && Out1(e_dgamma,channels) && Out1(e_dbeta,channels);
    requires Sep(e_dx,Count3(n,channels,size),x,Count3(n,channels,size));
    requires Sep(e_dx,Count3(n,channels,size),g,Count3(n,channels,size));
    requires Sep(e_dx,Count3(n,channels,size),gamma,channels);
    requires Sep(e_dx,Count3(n,channels,size),mean,channels);
    requires Sep(e_dx,Count3(n,channels,size),rstd,channels);
    requires Sep(e_dx,Count3(n,channels,size),e_dgamma,channels);
    requires Sep(e_dx,Count3(n,channels,size),e_dbeta,channels);
    requires Sep(e_dgamma,channels,x,Count3(n,channels,size));
    requires Sep(e_dgamma,channels,g,Count3(n,channels,size));
    requires Sep(e_dbeta,channels,x,Count3(n,channels,size));
    requires Sep(e_dbeta,channels,g,Count3(n,channels,size));
    requires Sep(e_dgamma,channels,gamma,channels) && Sep(e_dgamma,channels,mean,channels);
    requires Sep(e_dgamma,channels,rstd,channels) && Sep(e_dbeta,channels,gamma,channels);
    requires Sep(e_dbeta,channels,mean,channels) && Sep(e_dbeta,channels,rstd,channels);
    requires Sep(e_dgamma,channels,e_dbeta,channels);
    assigns e_dx[0 .. Count3(n,channels,size)-1], e_dgamma[0 .. channels-1],
            e_dbeta[0 .. channels-1];
    ensures \forall integer i, c, s; 0 <= i < n ==> 0 <= c < channels ==> 0 <= s < size ==>
      e_dx[At3(i,channels,c,size,s)] ==
      p_batch_dx(A, rd{Pre}(g,At3(i,channels,c,size,s)), rd{Pre}(x,At3(i,channels,c,size,s)),
                 rd{Pre}(mean,c), rd{Pre}(rstd,c), rd{Pre}(gamma,c),
                 DgammaPair{Pre}(A,x,rd{Pre}(mean,c),rd{Pre}(rstd,c),g,channels,size,c,n),
                 DbetaPair{Pre}(A,g,channels,size,c,n), ix(n,size,0)).e;
    ensures \forall integer c; 0 <= c < channels ==> e_dgamma[c] ==
      DgammaPair{Pre}(A,x,rd{Pre}(mean,c),rd{Pre}(rstd,c),g,channels,size,c,n).e;
    ensures \forall integer c; 0 <= c < channels ==>
      e_dbeta[c] == DbetaPair{Pre}(A,g,channels,size,c,n).e;
*/
void bound_batch_norm_vjp(idx n, idx channels, idx size, const double *x, const double *gamma,
                          const double *mean, const double *rstd, const double *g, arith A,
                          double *e_dx, double *e_dgamma, double *e_dbeta);
#endif
