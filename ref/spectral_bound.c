#include "spectral_wave.h"

/*@ requires 0 <= m < n <= FOURIER_MOST;
    assigns \nothing;
    ensures \result == p_wave(A,part,n,m); */
static pair pair_wave(arith A, int part, idx n, idx m)
{
  double off = 26.0 * A.alpha * A.u, k = A.k_sin > A.k_cos ? A.k_sin : A.k_cos;
  return pair_rnd(A, wave(part, n, m), off < 2.0 ? off : 2.0, 2.0 * k + 1.0);
}

/*@ requires 0 <= m < n <= FOURIER_MOST;
    assigns \nothing;
    ensures \result == e_wave(A,w,x,part,n,m); */
static double wave_error(arith A, double w, double x, int part, idx n, idx m)
{
  pair t = pair_mul(A, pair_in(r_mul(w, x)), pair_wave(A, part, n, m));
  return t.e;
}

/*@ assigns \nothing; ensures \result == e_waves(A,sizes,errors,h); */
static double waves_error(arith A, double sizes, double errors, double h)
{
  pair s = pair_sum(A, sizes, sizes, errors, h);
  return s.e;
}

/*@ assigns \nothing; ensures \result == e_waves_over(A,sizes,errors,h,n); */
static double waves_over_error(arith A, double sizes, double errors, double h, idx n)
{
  pair y = pair_quo(A, pair_sum(A, sizes, sizes, errors, h), pair_in((double)n), 2.0);
  return y.e;
}

/* ---- ahead ---- */

/*@ requires Strided(x,step,n) && 0 <= s < n;
    assigns \nothing;
    ensures \result == WaveErrors(A,w,part,x,step,n,s,n); */
static double wave_errors(arith A, double w, int part, const double *x, idx step, idx n, idx s)
{
  double sum = 0.0;
  idx m = 0;
  /*@ loop invariant 0 <= j <= n && m == Phase(n,s,j) && 0 <= m < n;
      loop invariant sum == WaveErrors(A,w,part,x,step,n,s,j);
      loop assigns j, m, sum;
      loop variant n - j; */
  for (idx j = 0; j < n; j++) {
    sum += wave_error(A, w, x[at2(n, step, j, 0)], part, n, m);
    m = next(n, s, m);
  }
  return sum;
}

/*@ logic real AheadBound{L}(integer scaled, arith A, integer part, scalar *x, integer n,
                             integer k) =
      scaled != 0 ? IrfftVjpBound{L}(A,part,x,1,n,k) : RfftBound{L}(A,part,x,1,n,k);
    lemma row_errors_frame{L1,L2}: \forall arith A, real w, integer part, scalar *x, integer n, s;
      Same{L1,L2}(x,n) ==>
      WaveErrors{L1}(A,w,part,x,1,n,s,n) == WaveErrors{L2}(A,w,part,x,1,n,s,n);
    lemma ahead_bound_frame{L1,L2}: \forall integer scaled, arith A, integer part, scalar *x,
      integer n, k; Same{L1,L2}(x,n) ==>
      AheadBound{L1}(scaled,A,part,x,n,k) == AheadBound{L2}(scaled,A,part,x,n,k);
*/

/*@ requires Strided(x,1,n) && 0 <= k < Bins(n);
    assigns \nothing;
    ensures \result == AheadBound(scaled,A,part,x,n,k); */
static double ahead_error(int scaled, arith A, int part, const double *x, idx n, idx k)
{
  int at_edge = edge(n, k);
  if (part && at_edge)
    return 0.0;
  double w = scaled && !at_edge ? 2.0 : 1.0;
  double sizes = wave_sum(1, part, x, 1, n, k), errors = wave_errors(A, w, part, x, 1, n, k);
  return scaled ? waves_over_error(A, r_mul(w, sizes), errors, A.h, n)
                : waves_error(A, sizes, errors, A.h);
}

/*@ requires Fourier(rows,n) && In2(x,rows,n) && Out2(e,rows,Spectrum(n));
    requires Sep(e,ix(rows,Spectrum(n),0),x,ix(rows,n,0));
    assigns e[0 .. ix(rows,Spectrum(n),0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < Spectrum(n) ==>
      e[ix(r,Spectrum(n),c)] == AheadBound{Pre}(scaled,A,PartOf(c),x+ix(r,n,0),n,BinOf(c)); */
static void bound_ahead_rows(int scaled, arith A, idx rows, idx n, const double *x, double *e)
{
  idx all = spectrum(n);
#define LOOP_OUT e
#define LOOP_COLS all
#define LOOP_FROM x
#define LOOP_IN n
#define LOOP_VALUE ahead_error(scaled, A, (int)(c % 2), x + o, n, c / 2)
#define LOOP_IS(L, r, c) AheadBound{L}(scaled, A, PartOf(c), x + ix(r, n, 0), n, BinOf(c))
#include "spectral_rows.inc"
}

void bound_rfft(idx rows, idx n, const double *x, arith A, double *e_z)
{
  bound_ahead_rows(0, A, rows, n, x, e_z);
}

void bound_irfft_vjp(idx rows, idx n, const double *g, arith A, double *e_dz)
{
  bound_ahead_rows(1, A, rows, n, g, e_dz);
}

/* ---- back ---- */

/*@ requires 0 <= k < Bins(n) && 1 <= n <= FOURIER_MOST;
    assigns \nothing;
    ensures \result == FoldWeight(fold,n,k); */
static double fold_weight(int fold, idx n, idx k) { return fold && !edge(n, k) ? 2.0 : 1.0; }

/*@ requires 0 <= m < n <= FOURIER_MOST && 0 <= k < Bins(n);
    assigns \nothing;
    ensures \result == BackSize(fold,re,im,n,k,m); */
static double back_size(int fold, double re, double im, idx n, idx k, idx m)
{
  double size = r_abs(r_mul(re, wave(0, n, m)));
  if (!edge(n, k))
    size += r_abs(r_mul(im, wave(1, n, m)));
  return r_mul(fold_weight(fold, n, k), size);
}

/*@ requires 0 <= m < n <= FOURIER_MOST && 0 <= k < Bins(n);
    assigns \nothing;
    ensures \result == BackError(A,fold,re,im,n,k,m); */
static double back_error(arith A, int fold, double re, double im, idx n, idx k, idx m)
{
  double w = fold_weight(fold, n, k), e = wave_error(A, w, re, 0, n, m);
  if (!edge(n, k))
    e += wave_error(A, w, im, 1, n, m);
  return e;
}

/*@ logic real BackBound{L}(integer fold, arith A, scalar *z, integer n, integer j) =
      fold != 0 ? IrfftBound{L}(A,z,n,j) : RfftVjpBound{L}(A,z,n,j);
    lemma back_bound_frame{L1,L2}: \forall integer fold, arith A, scalar *z, integer n, j;
      Same{L1,L2}(z,Spectrum(n)) ==> BackBound{L1}(fold,A,z,n,j) == BackBound{L2}(fold,A,z,n,j);
*/

/*@ requires 0 <= j < n <= FOURIER_MOST && In2(z,Bins(n),2);
    assigns \nothing;
    ensures \result == BackBound(fold,A,z,n,j); */
static double back_bound(int fold, arith A, const double *z, idx n, idx j)
{
  double sizes = 0.0, errors = 0.0;
  idx m = 0, all = bins(n);
  int folds = fold != 0;
  /*@ loop invariant 0 <= k <= all && m == Phase(n,j,k) && 0 <= m < n;
      loop invariant sizes == BackSizes(folds,z,n,j,k);
      loop invariant errors == BackErrors(A,folds,z,n,j,k);
      loop assigns k, m, sizes, errors;
      loop variant all - k; */
  for (idx k = 0; k < all; k++) {
    double re = z[at2(all, 2, k, 0)], im = z[at2(all, 2, k, 1)];
    sizes += back_size(folds, re, im, n, k, m);
    errors += back_error(A, folds, re, im, n, k, m);
    m = next(n, j, m);
  }
  return fold ? waves_over_error(A, sizes, errors, A.h, n) : waves_error(A, sizes, errors, A.h);
}

/*@ requires Fourier(rows,n) && In2(z,rows,Spectrum(n)) && Out2(e,rows,n);
    requires Sep(e,ix(rows,n,0),z,ix(rows,Spectrum(n),0));
    assigns e[0 .. ix(rows,n,0)-1];
    ensures \forall integer r, j; 0 <= r < rows ==> 0 <= j < n ==>
      e[ix(r,n,j)] == BackBound{Pre}(fold,A,z+ix(r,Spectrum(n),0),n,j); */
static void bound_back_rows(int fold, arith A, idx rows, idx n, const double *z, double *e)
{
  idx all = spectrum(n);
#define LOOP_OUT e
#define LOOP_COLS n
#define LOOP_FROM z
#define LOOP_IN all
#define LOOP_VALUE back_bound(fold, A, z + o, n, c)
#define LOOP_IS(L, r, c) BackBound{L}(fold, A, z + ix(r, all, 0), n, c)
#include "spectral_rows.inc"
}

void bound_irfft(idx rows, idx n, const double *z, arith A, double *e_y)
{
  bound_back_rows(1, A, rows, n, z, e_y);
}

void bound_rfft_vjp(idx rows, idx n, const double *g, arith A, double *e_dx)
{
  bound_back_rows(0, A, rows, n, g, e_dx);
}
