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
