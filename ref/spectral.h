/* rfft, irfft, spectral_conv1d, their VJPs and error bounds. x, y: (rows, n), n >= 1; z: (rows,
 * n/2 + 1, 2). */
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
      z[ix(r,Spectrum(n),ix(k,2,part))] == Rfft{Pre}(part,x+ix(r,n,0),1,0,n,k);
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
      dz[ix(r,Spectrum(n),ix(k,2,part))] == IrfftVjp{Pre}(part,g+ix(r,n,0),1,0,n,k);
*/
void ref_irfft_vjp(idx rows, idx n, const double *g, double *dz);

/* ---- spectral_conv1d: x, y, g, dx (grid, width), wre, wim, dwre, dwim (modes, width, width) ---- */
/*@ predicate Modes(integer grid, integer width, integer modes) =
      1 <= grid <= FOURIER_MOST && 0 <= modes <= Bins(grid) && 0 <= width &&
      ix(modes,width,0) <= IDX_LIM;
    logic integer WeightLines(integer modes, integer width) = ix(modes,width,0);
    logic integer Weights(integer modes, integer width) = ix(WeightLines(modes,width),width,0);
*/

/* y: each column is the transform back of the first modes of all columns' transforms, mixed. */
/*@ requires Modes(grid,width,modes) && In2(x,grid,width) && Out2(y,grid,width);
    requires In2(wre,WeightLines(modes,width),width) && In2(wim,WeightLines(modes,width),width);
    requires Sep(y,ix(grid,width,0),x,ix(grid,width,0));
    requires Sep(y,ix(grid,width,0),wre,Weights(modes,width));
    requires Sep(y,ix(grid,width,0),wim,Weights(modes,width));
    terminates \true;
    assigns y[0 .. ix(grid,width,0)-1];
    ensures \forall integer j, o; 0 <= j < grid ==> 0 <= o < width ==>
      y[ix(j,width,o)] == SpectralConv{Pre}(x,wre,wim,grid,width,modes,j,o);
*/
void ref_spectral_conv1d(idx grid, idx width, idx modes, const double *x, const double *wre,
                         const double *wim, double *y);

/*@ requires Modes(grid,width,modes) && In2(x,grid,width) && In2(g,grid,width);
    requires In2(wre,WeightLines(modes,width),width) && In2(wim,WeightLines(modes,width),width);
    requires Out2(dx,grid,width) && Out2(dwre,WeightLines(modes,width),width);
    requires Out2(dwim,WeightLines(modes,width),width);
    requires Sep(dx,ix(grid,width,0),x,ix(grid,width,0));
    requires Sep(dx,ix(grid,width,0),g,ix(grid,width,0));
    requires Sep(dx,ix(grid,width,0),wre,Weights(modes,width));
    requires Sep(dx,ix(grid,width,0),wim,Weights(modes,width));
    requires Sep(dx,ix(grid,width,0),dwre,Weights(modes,width));
    requires Sep(dx,ix(grid,width,0),dwim,Weights(modes,width));
    requires Sep(dwre,Weights(modes,width),x,ix(grid,width,0));
    requires Sep(dwre,Weights(modes,width),g,ix(grid,width,0));
    requires Sep(dwre,Weights(modes,width),wre,Weights(modes,width));
    requires Sep(dwre,Weights(modes,width),wim,Weights(modes,width));
    requires Sep(dwre,Weights(modes,width),dwim,Weights(modes,width));
    requires Sep(dwim,Weights(modes,width),x,ix(grid,width,0));
    requires Sep(dwim,Weights(modes,width),g,ix(grid,width,0));
    requires Sep(dwim,Weights(modes,width),wre,Weights(modes,width));
    requires Sep(dwim,Weights(modes,width),wim,Weights(modes,width));
    terminates \true;
    assigns dx[0 .. ix(grid,width,0)-1], dwre[0 .. Weights(modes,width)-1],
            dwim[0 .. Weights(modes,width)-1];
    ensures \forall integer j, i; 0 <= j < grid ==> 0 <= i < width ==>
      dx[ix(j,width,i)] == SpectralDx{Pre}(g,wre,wim,grid,width,modes,j,i);
    ensures \forall integer k, i, o; 0 <= k < modes ==> 0 <= i < width ==> 0 <= o < width ==>
      dwre[WeightAt(width,k,i,o)] == SpectralDw{Pre}(0,x,g,grid,width,k,i,o);
    ensures \forall integer k, i, o; 0 <= k < modes ==> 0 <= i < width ==> 0 <= o < width ==>
      dwim[WeightAt(width,k,i,o)] == SpectralDw{Pre}(1,x,g,grid,width,k,i,o);
*/
void ref_spectral_conv1d_vjp(idx grid, idx width, idx modes, const double *x, const double *wre,
                             const double *wim, const double *g, double *dx, double *dwre,
                             double *dwim);

/* Bounds. An angle, below 2 pi, is off by 4 alpha u of itself; a point times its cosine or sine is a
 * product of pairs, and an element a sum of such, by a tree of height A.h. A weight of 2 is exact. The
 * errors of a sum, and of its quotient by n, are those of the magnitudes of its terms: so the terms
 * may be divided before they are summed. */
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
    logic real WaveErrors{L}(arith A, real w, integer part, scalar *x, integer step, integer at, integer n,
                             integer s, integer p) =
      p <= 0 ? 0.0 : WaveErrors{L}(A,w,part,x,step,at,n,s,p-1) +
        e_wave(A,w,x[ix(p-1,step,at)],part,n,Phase(n,s,p-1));
    lemma wave_errors_frame{L1,L2}: \forall arith A, real w, integer part, scalar *x,
      integer step, at, n, s, p;
      (\forall integer j; 0 <= j < p ==>
        \at(x[ix(j,step,at)],L1) == \at(x[ix(j,step,at)],L2)) ==>
      WaveErrors{L1}(A,w,part,x,step,at,n,s,p) == WaveErrors{L2}(A,w,part,x,step,at,n,s,p);
    logic real RfftBound{L}(arith A, integer part, scalar *x, integer step, integer at, integer n,
                            integer k) =
      part != 0 && EdgeBin(n,k) ? 0.0
      : e_waves(A, WaveSum{L}(1,part,x,step,at,n,k,n), WaveErrors{L}(A,1.0,part,x,step,at,n,k,n), A.h);
    logic real IrfftVjpBound{L}(arith A, integer part, scalar *g, integer step, integer at, integer n,
                                integer k) =
      part != 0 && EdgeBin(n,k) ? 0.0
      : e_waves_over(A, rmul(BinWeight(n,k), WaveSum{L}(1,part,g,step,at,n,k,n)),
                     WaveErrors{L}(A,BinWeight(n,k),part,g,step,at,n,k,n), A.h, n);

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

/* Of spectral_conv1d every sum on the way has a tree of height A.h. What is added up at last, over the
 * modes, are terms that have an error each, added up in one number: a term's own, and its part of what
 * the tree rounds, gamma times its magnitude. So the magnitudes do not exceed that number over gamma. */
/*@ axiomatic BoundMixed {
      logic real e_times(arith A, real w, pair x) reads \nothing;
      axiom e_times_def: \forall arith A, real w, pair x;
        e_times(A,w,x) == p_mul(A, p_make(w,0.0), x).e;
      // a term, w a times a cosine or sine, w exact
      logic real e_share(arith A, real w, pair a, pair t) reads \nothing;
      axiom e_share_def: \forall arith A, real w, pair a, t; e_share(A,w,a,t) ==
        (\let p = p_mul(A, p_make(rmul(w,a.v), rmul(w,a.e)), t);
         p.e < VACUOUS ? p.e + rmul(p_gam(A.u,A.h), p_mag(p)) : VACUOUS);
      logic pair p_shares(arith A, real all) reads \nothing;
      axiom p_shares_def: \forall arith A, real all; p_shares(A,all) ==
        (\let sizes = 0.0 < p_gam(A.u,A.h) ? rdiv(all,p_gam(A.u,A.h)) : 0.0;
         p_make(sizes, p_range(A,sizes,all)));
      logic real e_shares_over(arith A, real all, integer n) reads \nothing;
      axiom e_shares_over_def: \forall arith A, real all, integer n; e_shares_over(A,all,n) ==
        p_quo(A, p_shares(A,all), p_make((real)n,0.0), 2.0).e;
      // a sum of two products, of pairs
      logic real e_complex(arith A, pair a, pair b, pair c, pair d) reads \nothing;
      axiom e_complex_def: \forall arith A, pair a, b, c, d; e_complex(A,a,b,c,d) ==
        p_add(A, p_make(\abs(p_mul(A,a,b).v), p_mul(A,a,b).e),
                 p_make(\abs(p_mul(A,c,d).v), p_mul(A,c,d).e)).e;
    }
    logic pair ColumnPair{L}(arith A, integer back, integer part, scalar *x, integer n,
                             integer width, integer k, integer c) =
      p_make(Column{L}(back,part,x,n,width,k,c),
             back != 0 ? IrfftVjpBound{L}(A,part,x,width,c,n,k) : RfftBound{L}(A,part,x,width,c,n,k));
    // the part of a bin that the imaginary part of a weight meets
    logic integer Other(integer part) = part != 0 ? 0 : 1;
    logic real MixedSize{L}(integer back, integer part, scalar *x, scalar *wre, scalar *wim,
                            integer n, integer width, integer k, integer o, integer q) =
      \abs(rmul(wre[MixedAt(back,width,k,o,q)], Column{L}(back,part,x,n,width,k,q))) +
      \abs(rmul(wim[MixedAt(back,width,k,o,q)], Column{L}(back,Other(part),x,n,width,k,q)));
    logic real MixedSizes{L}(integer back, integer part, scalar *x, scalar *wre, scalar *wim,
                             integer n, integer width, integer k, integer o, integer p) =
      p <= 0 ? 0.0 : MixedSizes{L}(back,part,x,wre,wim,n,width,k,o,p-1) +
                     MixedSize{L}(back,part,x,wre,wim,n,width,k,o,p-1);
    logic real MixedError{L}(arith A, integer back, integer part, scalar *x, scalar *wre,
                             scalar *wim, integer n, integer width, integer k, integer o,
                             integer q) =
      e_times(A, wre[MixedAt(back,width,k,o,q)], ColumnPair{L}(A,back,part,x,n,width,k,q)) +
      e_times(A, wim[MixedAt(back,width,k,o,q)], ColumnPair{L}(A,back,Other(part),x,n,width,k,q));
    logic real MixedErrors{L}(arith A, integer back, integer part, scalar *x, scalar *wre,
                              scalar *wim, integer n, integer width, integer k, integer o,
                              integer p) =
      p <= 0 ? 0.0 : MixedErrors{L}(A,back,part,x,wre,wim,n,width,k,o,p-1) +
                     MixedError{L}(A,back,part,x,wre,wim,n,width,k,o,p-1);
    logic pair MixedPair{L}(arith A, integer back, integer part, scalar *x, scalar *wre,
                            scalar *wim, integer n, integer width, integer k, integer o) =
      p_sum(A, Mixed{L}(back,part,x,wre,wim,n,width,k,o,width),
            MixedSizes{L}(back,part,x,wre,wim,n,width,k,o,width),
            MixedErrors{L}(A,back,part,x,wre,wim,n,width,k,o,width), A.h);
    logic real BinShare(arith A, integer fold, pair re, pair im, integer n, integer k, integer m) =
      e_share(A,FoldWeight(fold,n,k),re,p_wave(A,0,n,m)) +
      (EdgeBin(n,k) ? 0.0 : e_share(A,FoldWeight(fold,n,k),im,p_wave(A,1,n,m)));
    logic real FilteredErrors{L}(arith A, integer back, scalar *x, scalar *wre, scalar *wim,
                                 integer n, integer width, integer j, integer o, integer m) =
      m <= 0 ? 0.0 : FilteredErrors{L}(A,back,x,wre,wim,n,width,j,o,m-1) +
        BinShare(A, back != 0 ? 0 : 1, MixedPair{L}(A,back,0,x,wre,wim,n,width,m-1,o),
                 MixedPair{L}(A,back,1,x,wre,wim,n,width,m-1,o), n, m-1, Phase(n,j,m-1));
    logic real SpectralConvBound{L}(arith A, scalar *x, scalar *wre, scalar *wim, integer n,
                                    integer width, integer modes, integer j, integer o) =
      e_shares_over(A, FilteredErrors{L}(A,0,x,wre,wim,n,width,j,o,modes), n);
    logic real SpectralDxBound{L}(arith A, scalar *g, scalar *wre, scalar *wim, integer n,
                                  integer width, integer modes, integer j, integer i) =
      p_shares(A, FilteredErrors{L}(A,1,g,wre,wim,n,width,j,i,modes)).e;
    logic real SpectralDwBound{L}(arith A, integer part, scalar *x, scalar *g, integer n,
                                  integer width, integer k, integer i, integer o) =
      e_complex(A, ColumnPair{L}(A,0,0,x,n,width,k,i),
                   ColumnPair{L}(A,1,part != 0 ? 1 : 0,g,n,width,k,o),
                   ColumnPair{L}(A,0,1,x,n,width,k,i),
                   ColumnPair{L}(A,1,Other(part),g,n,width,k,o));
*/

/*@ requires Fourier(rows,n) && In2(x,rows,n) && Out2(e_z,rows,Spectrum(n));
    requires Sep(e_z,ix(rows,Spectrum(n),0),x,ix(rows,n,0));
    terminates \true;
    assigns e_z[0 .. ix(rows,Spectrum(n),0)-1];
    ensures \forall integer r, k, part; 0 <= r < rows ==> 0 <= k < Bins(n) ==> 0 <= part < 2 ==>
      e_z[ix(r,Spectrum(n),ix(k,2,part))] == RfftBound{Pre}(A,part,x+ix(r,n,0),1,0,n,k);
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
      e_dz[ix(r,Spectrum(n),ix(k,2,part))] == IrfftVjpBound{Pre}(A,part,g+ix(r,n,0),1,0,n,k);
*/
void bound_irfft_vjp(idx rows, idx n, const double *g, arith A, double *e_dz);
/*@ requires Modes(grid,width,modes) && In2(x,grid,width) && Out2(e_y,grid,width);
    requires In2(wre,WeightLines(modes,width),width) && In2(wim,WeightLines(modes,width),width);
    requires Sep(e_y,ix(grid,width,0),x,ix(grid,width,0));
    requires Sep(e_y,ix(grid,width,0),wre,Weights(modes,width));
    requires Sep(e_y,ix(grid,width,0),wim,Weights(modes,width));
    terminates \true;
    assigns e_y[0 .. ix(grid,width,0)-1];
    ensures \forall integer j, o; 0 <= j < grid ==> 0 <= o < width ==>
      e_y[ix(j,width,o)] == SpectralConvBound{Pre}(A,x,wre,wim,grid,width,modes,j,o);
*/
void bound_spectral_conv1d(idx grid, idx width, idx modes, const double *x, const double *wre,
                           const double *wim, arith A, double *e_y);

/*@ requires Modes(grid,width,modes) && In2(x,grid,width) && In2(g,grid,width);
    requires In2(wre,WeightLines(modes,width),width) && In2(wim,WeightLines(modes,width),width);
    requires Out2(e_dx,grid,width) && Out2(e_dwre,WeightLines(modes,width),width);
    requires Out2(e_dwim,WeightLines(modes,width),width);
    requires Sep(e_dx,ix(grid,width,0),x,ix(grid,width,0));
    requires Sep(e_dx,ix(grid,width,0),g,ix(grid,width,0));
    requires Sep(e_dx,ix(grid,width,0),wre,Weights(modes,width));
    requires Sep(e_dx,ix(grid,width,0),wim,Weights(modes,width));
    requires Sep(e_dx,ix(grid,width,0),e_dwre,Weights(modes,width));
    requires Sep(e_dx,ix(grid,width,0),e_dwim,Weights(modes,width));
    requires Sep(e_dwre,Weights(modes,width),x,ix(grid,width,0));
    requires Sep(e_dwre,Weights(modes,width),g,ix(grid,width,0));
    requires Sep(e_dwre,Weights(modes,width),wre,Weights(modes,width));
    requires Sep(e_dwre,Weights(modes,width),wim,Weights(modes,width));
    requires Sep(e_dwre,Weights(modes,width),e_dwim,Weights(modes,width));
    requires Sep(e_dwim,Weights(modes,width),x,ix(grid,width,0));
    requires Sep(e_dwim,Weights(modes,width),g,ix(grid,width,0));
    requires Sep(e_dwim,Weights(modes,width),wre,Weights(modes,width));
    requires Sep(e_dwim,Weights(modes,width),wim,Weights(modes,width));
    terminates \true;
    assigns e_dx[0 .. ix(grid,width,0)-1], e_dwre[0 .. Weights(modes,width)-1],
            e_dwim[0 .. Weights(modes,width)-1];
    ensures \forall integer j, i; 0 <= j < grid ==> 0 <= i < width ==>
      e_dx[ix(j,width,i)] == SpectralDxBound{Pre}(A,g,wre,wim,grid,width,modes,j,i);
    ensures \forall integer k, i, o; 0 <= k < modes ==> 0 <= i < width ==> 0 <= o < width ==>
      e_dwre[WeightAt(width,k,i,o)] == SpectralDwBound{Pre}(A,0,x,g,grid,width,k,i,o);
    ensures \forall integer k, i, o; 0 <= k < modes ==> 0 <= i < width ==> 0 <= o < width ==>
      e_dwim[WeightAt(width,k,i,o)] == SpectralDwBound{Pre}(A,1,x,g,grid,width,k,i,o);
*/
void bound_spectral_conv1d_vjp(idx grid, idx width, idx modes, const double *x, const double *wre,
                               const double *wim, const double *g, arith A, double *e_dx,
                               double *e_dwre, double *e_dwim);
#endif
