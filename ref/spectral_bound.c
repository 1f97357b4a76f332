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

/*@ requires Strided(x,step,at,n) && 0 <= s < n;
    assigns \nothing;
    ensures \result == WaveErrors(A,w,part,x,step,at,n,s,n); */
static double wave_errors(arith A, double w, int part, const double *x, idx step, idx at, idx n,
                          idx s)
{
  double sum = 0.0;
  idx m = 0;
  /*@ loop invariant 0 <= j <= n && m == Phase(n,s,j) && 0 <= m < n;
      loop invariant sum == WaveErrors(A,w,part,x,step,at,n,s,j);
      loop assigns j, m, sum;
      loop variant n - j; */
  for (idx j = 0; j < n; j++) {
    sum += wave_error(A, w, x[at2(n, step, j, at)], part, n, m);
    m = next(n, s, m);
  }
  return sum;
}

/*@ requires Strided(x,step,at,n) && 0 <= k < Bins(n);
    assigns \nothing;
    ensures scaled == 0 ==> \result == RfftBound(A,part,x,step,at,n,k);
    ensures scaled != 0 ==> \result == IrfftVjpBound(A,part,x,step,at,n,k); */
static double ahead_error(int scaled, arith A, int part, const double *x, idx step, idx at, idx n,
                          idx k)
{
  int at_edge = edge(n, k);
  if (part && at_edge)
    return 0.0;
  double w = scaled && !at_edge ? 2.0 : 1.0;
  double sizes = wave_sum(1, part, x, step, at, n, k);
  double errors = wave_errors(A, w, part, x, step, at, n, k);
  return scaled ? waves_over_error(A, r_mul(w, sizes), errors, A.h, n)
                : waves_error(A, sizes, errors, A.h);
}

/*@ logic real AheadBound{L}(integer scaled, arith A, integer part, scalar *x, integer n,
                             integer k) =
      scaled != 0 ? IrfftVjpBound{L}(A,part,x,1,0,n,k) : RfftBound{L}(A,part,x,1,0,n,k);
    lemma row_errors_frame{L1,L2}: \forall arith A, real w, integer part, scalar *x, integer n, s;
      Same{L1,L2}(x,n) ==>
      WaveErrors{L1}(A,w,part,x,1,0,n,s,n) == WaveErrors{L2}(A,w,part,x,1,0,n,s,n);
    lemma ahead_bound_frame{L1,L2}: \forall integer scaled, arith A, integer part, scalar *x,
      integer n, k; Same{L1,L2}(x,n) ==>
      AheadBound{L1}(scaled,A,part,x,n,k) == AheadBound{L2}(scaled,A,part,x,n,k);
*/

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
#define LOOP_VALUE ahead_error(scaled, A, (int)(c % 2), x + o, 1, 0, n, c / 2)
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

/* ---- spectral_conv1d ---- */

/*@ assigns \nothing; ensures \result == e_times(A,w,x); */
static double times_error(arith A, double w, pair x)
{
  pair t = pair_mul(A, pair_in(w), x);
  return t.e;
}

/*@ assigns \nothing; ensures \result == e_share(A,w,a,t); */
static double share(arith A, double w, pair a, pair t)
{
  pair p = pair_mul(A, pair_make(r_mul(w, a.v), r_mul(w, a.e)), t);
  return p.e < VACUOUS ? p.e + r_mul(pair_gam(A.u, A.h), pair_mag(p)) : VACUOUS;
}

/*@ assigns \nothing; ensures \result == p_shares(A,all); */
static pair shares(arith A, double all)
{
  double gam = pair_gam(A.u, A.h), sizes = 0.0;
  if (0.0 < gam)
    sizes = r_div(all, gam);
  return pair_make(sizes, pair_range(A, sizes, all));
}

/*@ assigns \nothing; ensures \result == e_shares_over(A,all,n); */
static double shares_over_error(arith A, double all, idx n)
{
  pair y = pair_quo(A, shares(A, all), pair_in((double)n), 2.0);
  return y.e;
}

/*@ assigns \nothing; ensures \result == e_complex(A,a,b,c,d); */
static double complex_error(arith A, pair a, pair b, pair c, pair d)
{
  pair ab = pair_mul(A, a, b), cd = pair_mul(A, c, d);
  pair sum = pair_add(A, pair_make(r_abs(ab.v), ab.e), pair_make(r_abs(cd.v), cd.e));
  return sum.e;
}

/*@ requires Columns(x,n,width,c) && 0 <= k < Bins(n);
    assigns \nothing;
    ensures \result == ColumnPair(A,back,part,x,n,width,k,c); */
static pair column_pair(arith A, int back, int part, const double *x, idx n, idx width, idx k,
                        idx c)
{
  return pair_make(column(back, part, x, n, width, k, c),
                   ahead_error(back, A, part, x, width, c, n, k));
}

/*@ requires Mixing(x,wre,wim,n,width,modes) && 0 <= k < modes && 0 <= o < width;
    assigns \nothing;
    ensures \result == MixedPair(A,back,part,x,wre,wim,n,width,k,o); */
static pair mixed_pair(arith A, int back, int part, const double *x, const double *wre,
                       const double *wim, idx n, idx width, idx modes, idx k, idx o)
{
  double sizes = 0.0, errors = 0.0;
  int other = part ? 0 : 1;
  /*@ loop invariant 0 <= p <= width;
      loop invariant sizes == MixedSizes(back,part,x,wre,wim,n,width,k,o,p);
      loop invariant errors == MixedErrors(A,back,part,x,wre,wim,n,width,k,o,p);
      loop assigns p, sizes, errors;
      loop variant width - p; */
  for (idx p = 0; p < width; p++) {
    idx at = back ? weight_at(modes, width, k, o, p) : weight_at(modes, width, k, p, o);
    pair own = column_pair(A, back, part, x, n, width, k, p);
    pair cross = column_pair(A, back, other, x, n, width, k, p);
    //@ assert place: at == MixedAt(back,width,k,o,p);
    sizes += r_abs(r_mul(wre[at], own.v)) + r_abs(r_mul(wim[at], cross.v));
    errors += times_error(A, wre[at], own) + times_error(A, wim[at], cross);
  }
  return pair_sum(A, mixed(back, part, x, wre, wim, n, width, modes, k, o), sizes, errors, A.h);
}

/*@ requires 0 <= m < n <= FOURIER_MOST && 0 <= k < Bins(n);
    assigns \nothing;
    ensures \result == BinShare(A,fold,re,im,n,k,m); */
static double bin_share(arith A, int fold, pair re, pair im, idx n, idx k, idx m)
{
  double w = fold_weight(fold, n, k), e = share(A, w, re, pair_wave(A, 0, n, m));
  if (!edge(n, k))
    e += share(A, w, im, pair_wave(A, 1, n, m));
  return e;
}

/* Adds to column o what bin k has for it. */
/*@ requires 1 <= n <= FOURIER_MOST && Out2(e,n,width) && 0 <= o < width && 0 <= k < Bins(n);
    assigns e[0 .. ix(n,width,0)-1];
    ensures \forall integer j; 0 <= j < n ==> e[ix(j,width,o)] ==
      \at(e[ix(j,width,o)],Pre) + BinShare(A,fold,re,im,n,k,Phase(n,j,k));
    ensures OtherColumns{Pre,Post}(e,n,width,o); */
static void add_share(arith A, int fold, pair re, pair im, idx n, idx width, idx k, idx o,
                      double *e)
{
  idx m = 0;
  /*@ loop invariant 0 <= j <= n && 0 <= m < n && m == Phase(n,k,j);
      loop invariant \forall integer s; 0 <= s < j ==> e[ix(s,width,o)] ==
        \at(e[ix(s,width,o)],Pre) + BinShare(A,fold,re,im,n,k,Phase(n,s,k));
      loop invariant \forall integer s; j <= s < n ==>
        e[ix(s,width,o)] == \at(e[ix(s,width,o)],Pre);
      loop invariant OtherColumns{Pre,Here}(e,n,width,o);
      loop assigns j, m, e[0 .. ix(n,width,0)-1];
      loop variant n - j; */
  for (idx j = 0; j < n; j++) {
    //@ assert swap: m == Phase(n,j,k);
    double t = bin_share(A, fold, re, im, n, k, m);
    e[at2(n, width, j, o)] += t;
    m = next(n, k, m);
  }
}

/*@ lemma column_errors_frame{L1,L2}: \forall arith A, real w, integer part, scalar *x,
      integer n, width, s, c; 0 <= c < width ==> Same{L1,L2}(x,ix(n,width,0)) ==>
      WaveErrors{L1}(A,w,part,x,width,c,n,s,n) == WaveErrors{L2}(A,w,part,x,width,c,n,s,n);
    lemma column_pair_frame{L1,L2}: \forall arith A, integer back, part, scalar *x,
      integer n, width, k, c; 0 <= c < width ==> Same{L1,L2}(x,ix(n,width,0)) ==>
      ColumnPair{L1}(A,back,part,x,n,width,k,c) == ColumnPair{L2}(A,back,part,x,n,width,k,c);
    lemma mixed_size{L1,L2}: \forall integer back, part, scalar *x, *wre, *wim,
      integer n, width, modes, k, o, q; 0 <= k < modes ==> 0 <= o < width ==> 0 <= q < width ==>
      SameMixed{L1,L2}(x,wre,wim,n,width,modes) ==>
      MixedSize{L1}(back,part,x,wre,wim,n,width,k,o,q) ==
      MixedSize{L2}(back,part,x,wre,wim,n,width,k,o,q);
    lemma mixed_error{L1,L2}: \forall arith A, integer back, part, scalar *x, *wre, *wim,
      integer n, width, modes, k, o, q; 0 <= k < modes ==> 0 <= o < width ==> 0 <= q < width ==>
      SameMixed{L1,L2}(x,wre,wim,n,width,modes) ==>
      MixedError{L1}(A,back,part,x,wre,wim,n,width,k,o,q) ==
      MixedError{L2}(A,back,part,x,wre,wim,n,width,k,o,q);
    lemma mixed_sizes_next{L1,L2}: \forall integer p, back, part, scalar *x, *wre, *wim,
      integer n, width, modes, k, o; 0 <= k < modes ==> 0 <= o < width ==> 0 <= p < width ==>
      SameMixed{L1,L2}(x,wre,wim,n,width,modes) ==>
      MixedSizes{L1}(back,part,x,wre,wim,n,width,k,o,p) ==
      MixedSizes{L2}(back,part,x,wre,wim,n,width,k,o,p) ==>
      MixedSizes{L1}(back,part,x,wre,wim,n,width,k,o,p+1) ==
      MixedSizes{L2}(back,part,x,wre,wim,n,width,k,o,p+1);
    lemma mixed_sizes_frame{L1,L2}: \forall integer p, back, part, scalar *x, *wre, *wim,
      integer n, width, modes, k, o; 0 <= k < modes ==> 0 <= o < width ==> p <= width ==>
      SameMixed{L1,L2}(x,wre,wim,n,width,modes) ==>
      MixedSizes{L1}(back,part,x,wre,wim,n,width,k,o,p) ==
      MixedSizes{L2}(back,part,x,wre,wim,n,width,k,o,p);
    lemma mixed_errors_next{L1,L2}: \forall integer p, arith A, integer back, part,
      scalar *x, *wre, *wim, integer n, width, modes, k, o;
      0 <= k < modes ==> 0 <= o < width ==> 0 <= p < width ==>
      SameMixed{L1,L2}(x,wre,wim,n,width,modes) ==>
      MixedErrors{L1}(A,back,part,x,wre,wim,n,width,k,o,p) ==
      MixedErrors{L2}(A,back,part,x,wre,wim,n,width,k,o,p) ==>
      MixedErrors{L1}(A,back,part,x,wre,wim,n,width,k,o,p+1) ==
      MixedErrors{L2}(A,back,part,x,wre,wim,n,width,k,o,p+1);
    lemma mixed_errors_frame{L1,L2}: \forall integer p, arith A, integer back, part,
      scalar *x, *wre, *wim, integer n, width, modes, k, o;
      0 <= k < modes ==> 0 <= o < width ==> p <= width ==>
      SameMixed{L1,L2}(x,wre,wim,n,width,modes) ==>
      MixedErrors{L1}(A,back,part,x,wre,wim,n,width,k,o,p) ==
      MixedErrors{L2}(A,back,part,x,wre,wim,n,width,k,o,p);
    lemma filtered_errors_next{L1,L2}: \forall integer m, arith A, integer back,
      scalar *x, *wre, *wim, integer n, width, modes, j, o; 0 <= m < modes ==> 0 <= o < width ==>
      SameMixed{L1,L2}(x,wre,wim,n,width,modes) ==>
      FilteredErrors{L1}(A,back,x,wre,wim,n,width,j,o,m) ==
      FilteredErrors{L2}(A,back,x,wre,wim,n,width,j,o,m) ==>
      FilteredErrors{L1}(A,back,x,wre,wim,n,width,j,o,m+1) ==
      FilteredErrors{L2}(A,back,x,wre,wim,n,width,j,o,m+1);
    lemma filtered_errors_frame{L1,L2}: \forall integer m, arith A, integer back,
      scalar *x, *wre, *wim, integer n, width, modes, j, o; m <= modes ==> 0 <= o < width ==>
      SameMixed{L1,L2}(x,wre,wim,n,width,modes) ==>
      FilteredErrors{L1}(A,back,x,wre,wim,n,width,j,o,m) ==
      FilteredErrors{L2}(A,back,x,wre,wim,n,width,j,o,m);
    // the first of the columns have m modes, the others one less
    predicate ErrorsTo{L1,L2}(arith A, integer back, scalar *x, scalar *wre, scalar *wim,
                              scalar *e, integer n, integer width, integer first, integer m) =
      \forall integer j, c; 0 <= j < n ==> 0 <= c < width ==> \at(e[ix(j,width,c)],L2) ==
        FilteredErrors{L1}(A,back,x,wre,wim,n,width,j,c,c < first ? m : m - 1);
*/

/*@ requires Mixing(x,wre,wim,n,width,modes) && Out2(e,n,width);
    requires Sep(e,ix(n,width,0),x,ix(n,width,0));
    requires Sep(e,ix(n,width,0),wre,Weights(modes,width));
    requires Sep(e,ix(n,width,0),wim,Weights(modes,width));
    assigns e[0 .. ix(n,width,0)-1];
    ensures ErrorsTo{Pre,Post}(A,back,x,wre,wim,e,n,width,width,modes); */
static void filter_errors(arith A, int back, idx n, idx width, idx modes, const double *x,
                          const double *wre, const double *wim, double *e)
{
#define FILTER_OUT e
#define FILTER_TYPE pair
#define FILTER_PART(p) mixed_pair(A, back, p, x, wre, wim, n, width, modes, k, o)
#define FILTER_PART_IS(L, p) MixedPair{L}(A, back, p, x, wre, wim, n, width, k, o)
#define FILTER_ADD add_share(A, !back, re, im, n, width, k, o, e)
#define FILTER_TO(L, first, m) ErrorsTo{Pre, L}(A, back, x, wre, wim, e, n, width, first, m)
#define FILTER_IS(j, o, m) FilteredErrors{Pre}(A, back, x, wre, wim, n, width, j, o, m)
#include "spectral_filter.inc"
}

/* What has been added up becomes the bound; over: over n. */
/*@ requires Out1(e,size) && 1 <= n;
    assigns e[0 .. size-1];
    ensures \forall integer i; 0 <= i < size ==> e[i] ==
      (over != 0 ? e_shares_over(A,\at(e[i],Pre),n) : p_shares(A,\at(e[i],Pre)).e); */
static void end_shares(arith A, int over, idx n, idx size, double *e)
{
  /*@ loop invariant 0 <= i <= size;
      loop invariant \forall integer s; 0 <= s < i ==> e[s] ==
        (over != 0 ? e_shares_over(A,\at(e[s],Pre),n) : p_shares(A,\at(e[s],Pre)).e);
      loop invariant \forall integer s; i <= s < size ==> e[s] == \at(e[s],Pre);
      loop assigns i, e[0 .. size-1];
      loop variant size - i; */
  for (idx i = 0; i < size; i++) {
    pair s = shares(A, e[i]);
    e[i] = over ? shares_over_error(A, e[i], n) : s.e;
  }
}

void bound_spectral_conv1d(idx grid, idx width, idx modes, const double *x, const double *wre,
                           const double *wim, arith A, double *e_y)
{
  filter_errors(A, 0, grid, width, modes, x, wre, wim, e_y);
  end_shares(A, 1, grid, size2(grid, width), e_y);
}

/*@ predicate WeighedBounds{L1,L2}(arith A, integer part, scalar *x, scalar *g, scalar *e, integer n,
                                   integer width, integer lines) =
      \forall integer l, o; 0 <= l < lines ==> 0 <= o < width ==> \at(e[ix(l,width,o)],L2) ==
        SpectralDwBound{L1}(A,part,x,g,n,width,quo(l,width),rem(l,width),o);
    lemma dw_bound_frame{L1,L2}: \forall arith A, integer part, scalar *x, *g,
      integer n, width, k, i, o; 0 <= i < width ==> 0 <= o < width ==>
      Same{L1,L2}(x,ix(n,width,0)) ==> Same{L1,L2}(g,ix(n,width,0)) ==>
      SpectralDwBound{L1}(A,part,x,g,n,width,k,i,o) ==
      SpectralDwBound{L2}(A,part,x,g,n,width,k,i,o);
*/

/*@ requires Modes(n,width,modes) && In2(x,n,width) && In2(g,n,width);
    requires Out2(e,WeightLines(modes,width),width);
    requires Sep(e,Weights(modes,width),x,ix(n,width,0));
    requires Sep(e,Weights(modes,width),g,ix(n,width,0));
    assigns e[0 .. Weights(modes,width)-1];
    ensures \forall integer k, i, o; 0 <= k < modes ==> 0 <= i < width ==> 0 <= o < width ==>
      e[WeightAt(width,k,i,o)] == SpectralDwBound{Pre}(A,part,x,g,n,width,k,i,o); */
static void weigh_errors(arith A, int part, idx n, idx width, idx modes, const double *x,
                         const double *g, double *e)
{
#define WEIGH_OUT e
#define WEIGH_VALUE                                                 \
  complex_error(A, column_pair(A, 0, 0, x, n, width, k, i),         \
                column_pair(A, 1, part ? 1 : 0, g, n, width, k, o), \
                column_pair(A, 0, 1, x, n, width, k, i),            \
                column_pair(A, 1, part ? 0 : 1, g, n, width, k, o))
#define WEIGH_IS(L, o) SpectralDwBound{L}(A, part, x, g, n, width, k, i, o)
#define WEIGH_TO(L, l) WeighedBounds{Pre, L}(A, part, x, g, e, n, width, l)
#include "spectral_weigh.inc"
}

void bound_spectral_conv1d_vjp(idx grid, idx width, idx modes, const double *x, const double *wre,
                               const double *wim, const double *g, arith A, double *e_dx,
                               double *e_dwre, double *e_dwim)
{
  weigh_errors(A, 0, grid, width, modes, x, g, e_dwre);
  //@ assert same: Same{Pre,Here}(x,ix(grid,width,0)) && Same{Pre,Here}(g,ix(grid,width,0));
  /*@ assert kept: Same{Pre,Here}(wre,Weights(modes,width)) &&
        Same{Pre,Here}(wim,Weights(modes,width)); */
  /*@ assert first: \forall integer k, i, o; 0 <= k < modes ==> 0 <= i < width ==>
        0 <= o < width ==> SpectralDwBound{Here}(A,1,x,g,grid,width,k,i,o) ==
        SpectralDwBound{Pre}(A,1,x,g,grid,width,k,i,o); */
  weigh_errors(A, 1, grid, width, modes, x, g, e_dwim);
  //@ assert still: SameMixed{Pre,Here}(g,wre,wim,grid,width,modes);
  /*@ assert mixing: \forall integer j, i; 0 <= j < grid ==> 0 <= i < width ==>
        FilteredErrors{Here}(A,1,g,wre,wim,grid,width,j,i,modes) ==
        FilteredErrors{Pre}(A,1,g,wre,wim,grid,width,j,i,modes); */
  filter_errors(A, 1, grid, width, modes, g, wre, wim, e_dx);
  end_shares(A, 0, grid, size2(grid, width), e_dx);
}
