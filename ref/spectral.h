/* rfft, irfft, their VJPs and error bounds. x, y: (rows, n), n >= 1; z: (rows, n/2 + 1, 2). */
#ifndef REF_SPECTRAL_H
#define REF_SPECTRAL_H
#include "ref.h"
#include "pair.h"
#include "../spec/spectral.h"

/*@ predicate Fourier(integer rows, integer n) = 0 <= rows && 1 <= n <= FOURIER_MOST; */

/* z: the bins of each row of x, not normalised. */
/*@ requires Fourier(rows,n) && In2(x,rows,n) && Out2(z,rows,Spectrum(n));
    requires Sep(z,ix(rows,Spectrum(n),0),x,ix(rows,n,0));
    terminates \true;
    assigns z[0 .. ix(rows,Spectrum(n),0)-1];
    ensures \forall integer r, k, part; 0 <= r < rows ==> 0 <= k < Bins(n) ==> 0 <= part < 2 ==>
      z[ix(r,Spectrum(n),ix(k,2,part))] == Rfft{Pre}(part,x+ix(r,n,0),1,n,k);
*/
void ref_rfft(idx rows, idx n, const double *x, double *z);

/*@ requires Fourier(rows,n) && In2(g,rows,Spectrum(n)) && Out2(dx,rows,n);
    requires Sep(dx,ix(rows,n,0),g,ix(rows,Spectrum(n),0));
    terminates \true;
    assigns dx[0 .. ix(rows,n,0)-1];
    ensures \forall integer r, j; 0 <= r < rows ==> 0 <= j < n ==>
      dx[ix(r,n,j)] == RfftVjp{Pre}(g+ix(r,Spectrum(n),0),n,j);
*/
void ref_rfft_vjp(idx rows, idx n, const double *g, double *dx);

/* y: the points, over n. The imaginary parts of the edges are not looked at. */
/*@ requires Fourier(rows,n) && In2(z,rows,Spectrum(n)) && Out2(y,rows,n);
    requires Sep(y,ix(rows,n,0),z,ix(rows,Spectrum(n),0));
    terminates \true;
    assigns y[0 .. ix(rows,n,0)-1];
    ensures \forall integer r, j; 0 <= r < rows ==> 0 <= j < n ==>
      y[ix(r,n,j)] == Irfft{Pre}(z+ix(r,Spectrum(n),0),n,j);
*/
void ref_irfft(idx rows, idx n, const double *z, double *y);

/* dz: the bins of each row of g, times their weights, over n. */
/*@ requires Fourier(rows,n) && In2(g,rows,n) && Out2(dz,rows,Spectrum(n));
    requires Sep(dz,ix(rows,Spectrum(n),0),g,ix(rows,n,0));
    terminates \true;
    assigns dz[0 .. ix(rows,Spectrum(n),0)-1];
    ensures \forall integer r, k, part; 0 <= r < rows ==> 0 <= k < Bins(n) ==> 0 <= part < 2 ==>
      dz[ix(r,Spectrum(n),ix(k,2,part))] == IrfftVjp{Pre}(part,g+ix(r,n,0),1,n,k);
*/
void ref_irfft_vjp(idx rows, idx n, const double *g, double *dz);

/* Bounds. An angle, below 2 pi, is off by 4 alpha u of itself; a point times its cosine or sine is a
 * product of pairs, and an element a sum of such, by a tree of height A.h. A weight of 2 is exact. The errors of a sum, and of its quotient by n, are those of the
 * magnitudes of its terms: so the terms may be divided before they are summed. */
/*@ axiomatic BoundWave {
      logic pair p_wave(arith A, integer part, integer n, integer m) reads \nothing;
      axiom p_wave_def: \forall arith A, integer part, n, m; p_wave(A,part,n,m) ==
        p_rnd(A, Wave(part,n,m), \min(26.0 * A.alpha * A.u, 2.0),
              2.0 * \max(A.k_sin, A.k_cos) + 1.0);
      // w x, w exact, times it
      logic real e_wave(arith A, real w, real x, integer part, integer n, integer m) reads \nothing;
      axiom e_wave_def: \forall arith A, real w, x, integer part, n, m;
        e_wave(A,w,x,part,n,m) == p_mul(A, p_make(rmul(w,x),0.0), p_wave(A,part,n,m)).e;
      // of a sum: of the magnitudes of its terms and of their errors
      logic real e_waves(arith A, real sizes, real errors, real h) reads \nothing;
      axiom e_waves_def: \forall arith A, real sizes, errors, h;
        e_waves(A,sizes,errors,h) == p_sum(A,sizes,sizes,errors,h).e;
      // over n
      logic real e_waves_over(arith A, real sizes, real errors, real h, integer n) reads \nothing;
      axiom e_waves_over_def: \forall arith A, real sizes, errors, h, integer n;
        e_waves_over(A,sizes,errors,h,n) ==
        p_quo(A, p_sum(A,sizes,sizes,errors,h), p_make((real)n,0.0), 2.0).e;
    }
    logic real WaveErrors{L}(arith A, real w, integer part, scalar *x, integer step, integer n,
                             integer s, integer p) =
      p <= 0 ? 0.0 : WaveErrors{L}(A,w,part,x,step,n,s,p-1) +
        e_wave(A,w,x[ix(p-1,step,0)],part,n,Phase(n,s,p-1));
    lemma wave_errors_frame{L1,L2}: \forall arith A, real w, integer part, scalar *x,
      integer step, n, s, p;
      (\forall integer j; 0 <= j < p ==>
        \at(x[ix(j,step,0)],L1) == \at(x[ix(j,step,0)],L2)) ==>
      WaveErrors{L1}(A,w,part,x,step,n,s,p) == WaveErrors{L2}(A,w,part,x,step,n,s,p);
    logic real RfftBound{L}(arith A, integer part, scalar *x, integer step, integer n,
                            integer k) =
      part != 0 && EdgeBin(n,k) ? 0.0
      : e_waves(A, WaveSum{L}(1,part,x,step,n,k,n), WaveErrors{L}(A,1.0,part,x,step,n,k,n), A.h);
    logic real IrfftVjpBound{L}(arith A, integer part, scalar *g, integer step, integer n,
                                integer k) =
      part != 0 && EdgeBin(n,k) ? 0.0
      : e_waves_over(A, rmul(BinWeight(n,k), WaveSum{L}(1,part,g,step,n,k,n)),
                     WaveErrors{L}(A,BinWeight(n,k),part,g,step,n,k,n), A.h, n);

    logic real FoldWeight(integer fold, integer n, integer k) =
      fold != 0 ? BinWeight(n,k) : 1.0;
    logic real BackSize(integer fold, real re, real im, integer n, integer k, integer m) =
      rmul(FoldWeight(fold,n,k), \abs(rmul(re, Wave(0,n,m))) +
             (EdgeBin(n,k) ? 0.0 : \abs(rmul(im, Wave(1,n,m)))));
    logic real BackError(arith A, integer fold, real re, real im, integer n, integer k,
                         integer m) =
      e_wave(A,FoldWeight(fold,n,k),re,0,n,m) +
      (EdgeBin(n,k) ? 0.0 : e_wave(A,FoldWeight(fold,n,k),im,1,n,m));
    logic real BackSizes{L}(integer fold, scalar *z, integer n, integer j, integer p) =
      p <= 0 ? 0.0 : BackSizes{L}(fold,z,n,j,p-1) +
        BackSize(fold,z[ix(p-1,2,0)],z[ix(p-1,2,1)],n,p-1,Phase(n,j,p-1));
    logic real BackErrors{L}(arith A, integer fold, scalar *z, integer n, integer j, integer p) =
      p <= 0 ? 0.0 : BackErrors{L}(A,fold,z,n,j,p-1) +
        BackError(A,fold,z[ix(p-1,2,0)],z[ix(p-1,2,1)],n,p-1,Phase(n,j,p-1));
    lemma back_sizes_frame{L1,L2}: \forall integer fold, scalar *z, integer n, j, p;
      Same{L1,L2}(z,ix(p,2,0)) ==>
      BackSizes{L1}(fold,z,n,j,p) == BackSizes{L2}(fold,z,n,j,p);
    lemma back_errors_frame{L1,L2}: \forall arith A, integer fold, scalar *z, integer n, j, p;
      Same{L1,L2}(z,ix(p,2,0)) ==>
      BackErrors{L1}(A,fold,z,n,j,p) == BackErrors{L2}(A,fold,z,n,j,p);
    logic real IrfftBound{L}(arith A, scalar *z, integer n, integer j) =
      e_waves_over(A, BackSizes{L}(1,z,n,j,Bins(n)), BackErrors{L}(A,1,z,n,j,Bins(n)), A.h, n);
    logic real RfftVjpBound{L}(arith A, scalar *g, integer n, integer j) =
      e_waves(A, BackSizes{L}(0,g,n,j,Bins(n)), BackErrors{L}(A,0,g,n,j,Bins(n)), A.h);
*/

/*@ requires Fourier(rows,n) && In2(x,rows,n) && Out2(e_z,rows,Spectrum(n));
    requires Sep(e_z,ix(rows,Spectrum(n),0),x,ix(rows,n,0));
    terminates \true;
    assigns e_z[0 .. ix(rows,Spectrum(n),0)-1];
    ensures \forall integer r, k, part; 0 <= r < rows ==> 0 <= k < Bins(n) ==> 0 <= part < 2 ==>
      e_z[ix(r,Spectrum(n),ix(k,2,part))] == RfftBound{Pre}(A,part,x+ix(r,n,0),1,n,k);
*/
void bound_rfft(idx rows, idx n, const double *x, arith A, double *e_z);

/*@ requires Fourier(rows,n) && In2(g,rows,Spectrum(n)) && Out2(e_dx,rows,n);
    requires Sep(e_dx,ix(rows,n,0),g,ix(rows,Spectrum(n),0));
    terminates \true;
    assigns e_dx[0 .. ix(rows,n,0)-1];
    ensures \forall integer r, j; 0 <= r < rows ==> 0 <= j < n ==>
      e_dx[ix(r,n,j)] == RfftVjpBound{Pre}(A,g+ix(r,Spectrum(n),0),n,j);
*/
void bound_rfft_vjp(idx rows, idx n, const double *g, arith A, double *e_dx);

/*@ requires Fourier(rows,n) && In2(z,rows,Spectrum(n)) && Out2(e_y,rows,n);
    requires Sep(e_y,ix(rows,n,0),z,ix(rows,Spectrum(n),0));
    terminates \true;
    assigns e_y[0 .. ix(rows,n,0)-1];
    ensures \forall integer r, j; 0 <= r < rows ==> 0 <= j < n ==>
      e_y[ix(r,n,j)] == IrfftBound{Pre}(A,z+ix(r,Spectrum(n),0),n,j);
*/
void bound_irfft(idx rows, idx n, const double *z, arith A, double *e_y);

/*@ requires Fourier(rows,n) && In2(g,rows,n) && Out2(e_dz,rows,Spectrum(n));
    requires Sep(e_dz,ix(rows,Spectrum(n),0),g,ix(rows,n,0));
    terminates \true;
    assigns e_dz[0 .. ix(rows,Spectrum(n),0)-1];
    ensures \forall integer r, k, part; 0 <= r < rows ==> 0 <= k < Bins(n) ==> 0 <= part < 2 ==>
      e_dz[ix(r,Spectrum(n),ix(k,2,part))] == IrfftVjpBound{Pre}(A,part,g+ix(r,n,0),1,n,k);
*/
void bound_irfft_vjp(idx rows, idx n, const double *g, arith A, double *e_dz);
#endif
