#include "spectral_wave.h"

/* ---- ahead: from points to bins ---- */

/*@ logic real Ahead{L}(integer scaled, integer part, scalar *x, integer n, integer k) =
      scaled != 0 ? IrfftVjp{L}(part,x,1,0,n,k) : Rfft{L}(part,x,1,0,n,k);
    lemma ahead_frame{L1,L2}: \forall integer scaled, part, scalar *x, integer n, k;
      Same{L1,L2}(x,n) ==> Ahead{L1}(scaled,part,x,n,k) == Ahead{L2}(scaled,part,x,n,k);
*/

/*@ requires Fourier(rows,n) && In2(x,rows,n) && Out2(z,rows,Spectrum(n));
    requires Sep(z,ix(rows,Spectrum(n),0),x,ix(rows,n,0));
    assigns z[0 .. ix(rows,Spectrum(n),0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < Spectrum(n) ==>
      z[ix(r,Spectrum(n),c)] == Ahead{Pre}(scaled,PartOf(c),x+ix(r,n,0),n,BinOf(c)); */
static void ahead_rows(int scaled, idx rows, idx n, const double *x, double *z)
{
  idx all = spectrum(n);
#define LOOP_OUT z
#define LOOP_COLS all
#define LOOP_FROM x
#define LOOP_IN n
#define LOOP_VALUE ahead(scaled, (int)(c % 2), x + o, 1, 0, n, c / 2)
#define LOOP_IS(L, r, c) Ahead{L}(scaled, PartOf(c), x + ix(r, n, 0), n, BinOf(c))
#include "spectral_rows.inc"
}

void ref_rfft(idx rows, idx n, const double *x, double *z) { ahead_rows(0, rows, n, x, z); }

void ref_irfft_vjp(idx rows, idx n, const double *g, double *dz) { ahead_rows(1, rows, n, g, dz); }

/* ---- back: from bins to points ---- */

/*@ requires 0 <= j < n <= FOURIER_MOST && In2(z,Bins(n),2);
    assigns \nothing;
    ensures \result == BackSum(fold,z,n,j,Bins(n)); */
static double back_sum(int fold, const double *z, idx n, idx j)
{
  double sum = 0.0, lost = 0.0;
  idx m = 0, all = bins(n);
  /*@ loop invariant 0 <= k <= all && m == Phase(n,j,k) && 0 <= m < n;
      loop invariant sum == BackSum(fold,z,n,j,k) && is_zero(lost);
      loop assigns k, m, sum, lost;
      loop variant all - k; */
  for (idx k = 0; k < all; k++) {
    double t = back_term(fold, z[at2(all, 2, k, 0)], z[at2(all, 2, k, 1)], n, k, m);
    lost += lost_sum(sum, t);
    sum += t;
    m = next(n, j, m);
  }
  return sum + r_kept(lost);
}

/*@ logic real Back{L}(integer fold, scalar *z, integer n, integer j) =
      fold != 0 ? Irfft{L}(z,n,j) : RfftVjp{L}(z,n,j);
    lemma back_frame{L1,L2}: \forall integer fold, scalar *z, integer n, j;
      Same{L1,L2}(z,Spectrum(n)) ==> Back{L1}(fold,z,n,j) == Back{L2}(fold,z,n,j);
*/

/*@ requires 0 <= j < n <= FOURIER_MOST && In2(z,Bins(n),2);
    assigns \nothing;
    ensures \result == Back(fold,z,n,j); */
static double back(int fold, const double *z, idx n, idx j)
{
  double sum = back_sum(fold != 0, z, n, j);
  return fold ? r_div(sum, (double)n) : sum;
}

/*@ requires Fourier(rows,n) && In2(z,rows,Spectrum(n)) && Out2(y,rows,n);
    requires Sep(y,ix(rows,n,0),z,ix(rows,Spectrum(n),0));
    assigns y[0 .. ix(rows,n,0)-1];
    ensures \forall integer r, j; 0 <= r < rows ==> 0 <= j < n ==>
      y[ix(r,n,j)] == Back{Pre}(fold,z+ix(r,Spectrum(n),0),n,j); */
static void back_rows(int fold, idx rows, idx n, const double *z, double *y)
{
  idx all = spectrum(n);
#define LOOP_OUT y
#define LOOP_COLS n
#define LOOP_FROM z
#define LOOP_IN all
#define LOOP_VALUE back(fold, z + o, n, c)
#define LOOP_IS(L, r, c) Back{L}(fold, z + ix(r, all, 0), n, c)
#include "spectral_rows.inc"
}

void ref_irfft(idx rows, idx n, const double *z, double *y) { back_rows(1, rows, n, z, y); }

void ref_rfft_vjp(idx rows, idx n, const double *g, double *dx) { back_rows(0, rows, n, g, dx); }

/* ---- spectral_conv1d ---- */

/* Adds to column o what bin k has for it. */
/*@ requires 1 <= n <= FOURIER_MOST && Out2(y,n,width) && 0 <= o < width && 0 <= k < Bins(n);
    assigns y[0 .. ix(n,width,0)-1];
    ensures \forall integer j; 0 <= j < n ==> y[ix(j,width,o)] ==
      \at(y[ix(j,width,o)],Pre) + BackTerm(fold,re,im,n,k,Phase(n,j,k));
    ensures OtherColumns{Pre,Post}(y,n,width,o); */
static void add_bin(int fold, double re, double im, idx n, idx width, idx k, idx o, double *y)
{
  idx m = 0;
  /*@ loop invariant 0 <= j <= n && 0 <= m < n && m == Phase(n,k,j);
      loop invariant \forall integer s; 0 <= s < j ==> y[ix(s,width,o)] ==
        \at(y[ix(s,width,o)],Pre) + BackTerm(fold,re,im,n,k,Phase(n,s,k));
      loop invariant \forall integer s; j <= s < n ==>
        y[ix(s,width,o)] == \at(y[ix(s,width,o)],Pre);
      loop invariant OtherColumns{Pre,Here}(y,n,width,o);
      loop assigns j, m, y[0 .. ix(n,width,0)-1];
      loop variant n - j; */
  for (idx j = 0; j < n; j++) {
    //@ assert swap: m == Phase(n,j,k);
    double t = back_term(fold, re, im, n, k, m);
    y[at2(n, width, j, o)] += t;
    m = next(n, k, m);
  }
}

/*@ lemma filtered_next{L1,L2}: \forall integer m, back, scalar *x, *wre, *wim,
      integer n, width, modes, j, o; 0 <= m < modes ==> 0 <= o < width ==>
      SameMixed{L1,L2}(x,wre,wim,n,width,modes) ==>
      Filtered{L1}(back,x,wre,wim,n,width,j,o,m) == Filtered{L2}(back,x,wre,wim,n,width,j,o,m) ==>
      Filtered{L1}(back,x,wre,wim,n,width,j,o,m+1) == Filtered{L2}(back,x,wre,wim,n,width,j,o,m+1);
    lemma filtered_frame{L1,L2}: \forall integer m, back, scalar *x, *wre, *wim,
      integer n, width, modes, j, o; m <= modes ==> 0 <= o < width ==>
      SameMixed{L1,L2}(x,wre,wim,n,width,modes) ==>
      Filtered{L1}(back,x,wre,wim,n,width,j,o,m) == Filtered{L2}(back,x,wre,wim,n,width,j,o,m);
    // the first of the columns have m modes, the others one less
    predicate FilteredTo{L1,L2}(integer back, scalar *x, scalar *wre, scalar *wim, scalar *y,
                                integer n, integer width, integer first, integer m) =
      \forall integer j, c; 0 <= j < n ==> 0 <= c < width ==> \at(y[ix(j,width,c)],L2) ==
        Filtered{L1}(back,x,wre,wim,n,width,j,c,c < first ? m : m - 1);
*/

/*@ requires Mixing(x,wre,wim,n,width,modes) && Out2(y,n,width);
    requires Sep(y,ix(n,width,0),x,ix(n,width,0));
    requires Sep(y,ix(n,width,0),wre,Weights(modes,width));
    requires Sep(y,ix(n,width,0),wim,Weights(modes,width));
    assigns y[0 .. ix(n,width,0)-1];
    ensures FilteredTo{Pre,Post}(back,x,wre,wim,y,n,width,width,modes); */
static void filter(int back, idx n, idx width, idx modes, const double *x, const double *wre,
                   const double *wim, double *y)
{
#define FILTER_OUT y
#define FILTER_TYPE double
#define FILTER_PART(p) mixed(back, p, x, wre, wim, n, width, modes, k, o)
#define FILTER_PART_IS(L, p) Mixed{L}(back, p, x, wre, wim, n, width, k, o, width)
#define FILTER_ADD add_bin(!back, re, im, n, width, k, o, y)
#define FILTER_TO(L, first, m) FilteredTo{Pre, L}(back, x, wre, wim, y, n, width, first, m)
#define FILTER_IS(j, o, m) Filtered{Pre}(back, x, wre, wim, n, width, j, o, m)
#include "spectral_filter.inc"
}

void ref_spectral_conv1d(idx grid, idx width, idx modes, const double *x, const double *wre,
                         const double *wim, double *y)
{
  filter(0, grid, width, modes, x, wre, wim, y);
  //@ ghost L0: ;
  idx all = size2(grid, width);
  /*@ loop invariant 0 <= i <= all;
      loop invariant \forall integer s; 0 <= s < i ==> y[s] == rdiv(\at(y[s],L0), (real)grid);
      loop invariant \forall integer s; i <= s < all ==> y[s] == \at(y[s],L0);
      loop assigns i, y[0 .. ix(grid,width,0)-1];
      loop variant all - i; */
  for (idx i = 0; i < all; i++)
    y[i] = r_div(y[i], (double)grid);
}

/*@ predicate Weighed{L1,L2}(integer part, scalar *x, scalar *g, scalar *dw, integer n,
                             integer width, integer lines) =
      \forall integer l, o; 0 <= l < lines ==> 0 <= o < width ==> \at(dw[ix(l,width,o)],L2) ==
        SpectralDw{L1}(part,x,g,n,width,quo(l,width),rem(l,width),o);
    lemma dw_frame{L1,L2}: \forall integer part, scalar *x, *g, integer n, width, k, i, o;
      0 <= i < width ==> 0 <= o < width ==> Same{L1,L2}(x,ix(n,width,0)) ==>
      Same{L1,L2}(g,ix(n,width,0)) ==>
      SpectralDw{L1}(part,x,g,n,width,k,i,o) == SpectralDw{L2}(part,x,g,n,width,k,i,o);
*/

/*@ requires Modes(n,width,modes) && In2(x,n,width) && In2(g,n,width);
    requires Out2(dw,WeightLines(modes,width),width);
    requires Sep(dw,Weights(modes,width),x,ix(n,width,0));
    requires Sep(dw,Weights(modes,width),g,ix(n,width,0));
    assigns dw[0 .. Weights(modes,width)-1];
    ensures \forall integer k, i, o; 0 <= k < modes ==> 0 <= i < width ==> 0 <= o < width ==>
      dw[WeightAt(width,k,i,o)] == SpectralDw{Pre}(part,x,g,n,width,k,i,o); */
static void weigh(int part, idx n, idx width, idx modes, const double *x, const double *g,
                  double *dw)
{
#define WEIGH_OUT dw
#define WEIGH_VALUE                                                                          \
  complex_product(1, part, column(0, 0, x, n, width, k, i), column(0, 1, x, n, width, k, i), \
                  column(1, 0, g, n, width, k, o), column(1, 1, g, n, width, k, o))
#define WEIGH_IS(L, o) SpectralDw{L}(part, x, g, n, width, k, i, o)
#define WEIGH_TO(L, l) Weighed{Pre, L}(part, x, g, dw, n, width, l)
#include "spectral_weigh.inc"
}

void ref_spectral_conv1d_vjp(idx grid, idx width, idx modes, const double *x, const double *wre,
                             const double *wim, const double *g, double *dx, double *dwre,
                             double *dwim)
{
  weigh(0, grid, width, modes, x, g, dwre);
  //@ assert same: Same{Pre,Here}(x,ix(grid,width,0)) && Same{Pre,Here}(g,ix(grid,width,0));
  //@ assert kept: Same{Pre,Here}(wre,Weights(modes,width)) && Same{Pre,Here}(wim,Weights(modes,width));
  /*@ assert first: \forall integer k, i, o; 0 <= k < modes ==> 0 <= i < width ==>
        0 <= o < width ==> SpectralDw{Here}(1,x,g,grid,width,k,i,o) ==
        SpectralDw{Pre}(1,x,g,grid,width,k,i,o); */
  weigh(1, grid, width, modes, x, g, dwim);
  //@ assert still: SameMixed{Pre,Here}(g,wre,wim,grid,width,modes);
  /*@ assert mixing: \forall integer j, i; 0 <= j < grid ==> 0 <= i < width ==>
        Filtered{Here}(1,g,wre,wim,grid,width,j,i,modes) ==
        Filtered{Pre}(1,g,wre,wim,grid,width,j,i,modes); */
  filter(1, grid, width, modes, g, wre, wim, dx);
}
