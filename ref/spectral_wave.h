/* What the transforms, what stands on them, and their bounds share: the cosine or sine of a part of a
 * turn, its way along a sum, a bin of points, and what it adds to one. */
#ifndef REF_SPECTRAL_WAVE_H
#define REF_SPECTRAL_WAVE_H
#include "lost.h"
#include "spectral.h"

/*@ lemma quarters_range: \forall integer n, m; 0 <= m < n ==> 0 <= WaveQuarters(n,m) <= 4;
*/

/*@ requires 0 <= m < n <= FOURIER_MOST;
    assigns \nothing;
    ensures \result == Wave(part,n,m); */
static inline double wave(int part, idx n, idx m)
{
  idx q = (4 * m + n / 2) / n;
  //@ assert quarters: q == WaveQuarters(n,m) && 0 <= q <= 4;
  double x = r_div((double)(4 * m - q * n), (double)n) * QUARTER_TURN;
  //@ assert q * n == ix(q,n,0);
  //@ assert rest: x == WaveRest(n,m);
  idx k = q + (part ? 0 : 1);
  double s = k % 2 == 0 ? r_sin(x) : r_cos(x);
  return k % 4 < 2 ? s : -s;
}

/*@ requires 0 <= m < n && 0 <= s < n <= FOURIER_MOST;
    assigns \nothing;
    ensures \forall integer p; 0 <= p ==> m == Phase(n,s,p) ==> \result == Phase(n,s,p+1);
    ensures 0 <= \result < n; */
static inline idx next(idx n, idx s, idx m) { return m < n - s ? m + s : m - (n - s); }

/*@ requires 0 <= k <= n;
    assigns \nothing; ensures \result <==> EdgeBin(n,k); ensures \result == 0 || \result == 1; */
static inline int edge(idx n, idx k) { return k == 0 || n - k == k; }

/*@ requires 1 <= n <= FOURIER_MOST; assigns \nothing; ensures \result == Bins(n); */
static inline idx bins(idx n) { return n / 2 + 1; }

/*@ requires 1 <= n <= FOURIER_MOST; assigns \nothing; ensures \result == Spectrum(n); */
static inline idx spectrum(idx n) { return size2(bins(n), 2); }

/*@ assigns \nothing; ensures \result == SizeOf(abs,v); */
static inline double size_of(int abs, double v) { return abs ? r_abs(v) : v; }

/*@ predicate Strided{L}(scalar *x, integer step, integer at, integer n) =
      1 <= n <= FOURIER_MOST && 0 <= at < step && ix(n,step,0) <= IDX_LIM &&
      \valid_read(x + (0 .. ix(n,step,0)-1));
*/

/*@ requires Strided(x,step,at,n) && 0 <= s < n;
    assigns \nothing;
    ensures \result == WaveSum(abs,part,x,step,at,n,s,n); */
static inline double wave_sum(int abs, int part, const double *x, idx step, idx at, idx n, idx s)
{
  double sum = 0.0, lost = 0.0;
  idx m = 0;
  /*@ loop invariant 0 <= j <= n && m == Phase(n,s,j) && 0 <= m < n;
      loop invariant sum == WaveSum(abs,part,x,step,at,n,s,j) && is_zero(lost);
      loop assigns j, m, sum, lost;
      loop variant n - j; */
  for (idx j = 0; j < n; j++) {
    double t = size_of(abs, r_mul(x[at2(n, step, j, at)], wave(part, n, m)));
    lost += lost_sum(sum, t);
    sum += t;
    m = next(n, s, m);
  }
  return sum + r_kept(lost);
}

/* Bin k of the points, or with scaled what irfft's VJP makes of it. */
/*@ requires Strided(x,step,at,n) && 0 <= k < Bins(n);
    assigns \nothing;
    ensures scaled == 0 ==> \result == Rfft(part,x,step,at,n,k);
    ensures scaled != 0 ==> \result == IrfftVjp(part,x,step,at,n,k); */
static inline double ahead(int scaled, int part, const double *x, idx step, idx at, idx n, idx k)
{
  int at_edge = edge(n, k);
  double sum = 0.0;
  if (!part || !at_edge)
    sum = wave_sum(0, part != 0, x, step, at, n, k);
  if (part)
    sum = -sum;
  //@ assert bin: sum == Rfft(part,x,step,at,n,k);
  return scaled ? r_div(r_mul(at_edge ? 1.0 : 2.0, sum), (double)n) : sum;
}

/* What a bin adds to a point. */
/*@ requires 0 <= m < n <= FOURIER_MOST && 0 <= k < Bins(n);
    assigns \nothing;
    ensures \result == BackTerm(fold,re,im,n,k,m); */
static inline double back_term(int fold, double re, double im, idx n, idx k, idx m)
{
  double t = r_mul(re, wave(0, n, m));
  if (edge(n, k))
    return t;
  return r_mul(fold ? 2.0 : 1.0, t - r_mul(im, wave(1, n, m)));
}

/*@ lemma row_sum_frame{L1,L2}: \forall integer abs, part, scalar *x, integer n, s;
      Same{L1,L2}(x,n) ==> WaveSum{L1}(abs,part,x,1,0,n,s,n) == WaveSum{L2}(abs,part,x,1,0,n,s,n);
    // the value at c of a spectrum: of which part of which bin
    logic integer PartOf(integer c) = rem(c,2);
    logic integer BinOf(integer c) = quo(c,2);
*/
/* ---- spectral_conv1d ---- */

/*@ assigns \nothing; ensures \result == ComplexProduct(conj,part,ar,ai,br,bi); */
static inline double complex_product(int conj, int part, double ar, double ai, double br, double bi)
{
  double first = r_mul(ar, part ? bi : br), second = r_mul(ai, part ? br : bi);
  return (part != 0) == (conj != 0) ? first - second : first + second;
}

/*@ predicate Columns{L}(scalar *x, integer n, integer width, integer c) =
      1 <= n <= FOURIER_MOST && 0 <= c < width && In2(x,n,width);
*/

/*@ requires Columns(x,n,width,c) && 0 <= k < Bins(n);
    assigns \nothing;
    ensures \result == Column(back,part,x,n,width,k,c); */
static inline double column(int back, int part, const double *x, idx n, idx width, idx k, idx c)
{
  return ahead(back, part, x, width, c, n, k);
}

/*@ predicate Mixing{L}(scalar *x, scalar *wre, scalar *wim, integer n, integer width,
                        integer modes) =
      Modes(n,width,modes) && In2(x,n,width) && In2(wre,WeightLines(modes,width),width) &&
      In2(wim,WeightLines(modes,width),width);
    // of what is mixed all is as it was
    predicate SameMixed{L1,L2}(scalar *x, scalar *wre, scalar *wim, integer n, integer width,
                               integer modes) =
      Same{L1,L2}(x,ix(n,width,0)) && Same{L1,L2}(wre,Weights(modes,width)) &&
      Same{L1,L2}(wim,Weights(modes,width));
*/

/*@ requires 0 <= k < modes && 0 <= i < width && 0 <= o < width;
    requires 0 <= modes && Weights(modes,width) <= IDX_LIM && ix(modes,width,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == WeightAt(width,k,i,o) && 0 <= \result < Weights(modes,width); */
static inline idx weight_at(idx modes, idx width, idx k, idx i, idx o)
{
  idx line = at2(modes, width, k, i);
  return at2(size2(modes, width), width, line, o);
}

/*@ requires Mixing(x,wre,wim,n,width,modes) && 0 <= k < modes && 0 <= o < width;
    assigns \nothing;
    ensures \result == Mixed(back,part,x,wre,wim,n,width,k,o,width); */
static inline double mixed(int back, int part, const double *x, const double *wre,
                           const double *wim, idx n, idx width, idx modes, idx k, idx o)
{
  double sum = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= p <= width && is_zero(lost);
      loop invariant sum == Mixed(back,part,x,wre,wim,n,width,k,o,p);
      loop assigns p, sum, lost;
      loop variant width - p; */
  for (idx p = 0; p < width; p++) {
    idx at = back ? weight_at(modes, width, k, o, p) : weight_at(modes, width, k, p, o);
    double re = column(back, 0, x, n, width, k, p), im = column(back, 1, x, n, width, k, p);
    //@ assert place: at == MixedAt(back,width,k,o,p);
    double t = complex_product(back, part, wre[at], wim[at], re, im);
    lost += lost_sum(sum, t);
    sum += t;
  }
  return sum + r_kept(lost);
}

/*@ // all elements but those of column o are as they were
    predicate OtherColumns{L1,L2}(scalar *y, integer n, integer width, integer o) =
      \forall integer j, c; 0 <= j < n ==> 0 <= c < width ==> c != o ==>
        \at(y[ix(j,width,c)],L1) == \at(y[ix(j,width,c)],L2);
*/

/*@ lemma column_sum_frame{L1,L2}: \forall integer abs, part, scalar *x, integer n, width, s, c;
      0 <= c < width ==> Same{L1,L2}(x,ix(n,width,0)) ==>
      WaveSum{L1}(abs,part,x,width,c,n,s,n) == WaveSum{L2}(abs,part,x,width,c,n,s,n);
    lemma column_frame{L1,L2}: \forall integer back, part, scalar *x, integer n, width, k, c;
      0 <= c < width ==> Same{L1,L2}(x,ix(n,width,0)) ==>
      Column{L1}(back,part,x,n,width,k,c) == Column{L2}(back,part,x,n,width,k,c);
    lemma weight_in: \forall integer modes, width, k, i, o; 0 <= k < modes ==> 0 <= i < width ==>
      0 <= o < width ==> 0 <= WeightAt(width,k,i,o) < Weights(modes,width);
    lemma weight_line: \forall integer width, k, i, modes; 0 <= k < modes ==> 0 <= i < width ==>
      0 <= ix(k,width,i) < ix(modes,width,0) && quo(ix(k,width,i),width) == k &&
      rem(ix(k,width,i),width) == i;
    lemma mixed_in: \forall integer modes, back, width, k, o, q; 0 <= k < modes ==>
      0 <= o < width ==> 0 <= q < width ==> 0 <= MixedAt(back,width,k,o,q) < Weights(modes,width);
    lemma mixed_weight{L1,L2}: \forall scalar *w, integer modes, back, width, k, o, q;
      0 <= k < modes ==> 0 <= o < width ==> 0 <= q < width ==>
      Same{L1,L2}(w,Weights(modes,width)) ==>
      \at(w[MixedAt(back,width,k,o,q)],L1) == \at(w[MixedAt(back,width,k,o,q)],L2);
    lemma mixed_term{L1,L2}: \forall integer back, part, scalar *x, *wre, *wim,
      integer n, width, modes, k, o, q; 0 <= k < modes ==> 0 <= o < width ==> 0 <= q < width ==>
      SameMixed{L1,L2}(x,wre,wim,n,width,modes) ==>
      MixedTerm{L1}(back,part,x,wre,wim,n,width,k,o,q) ==
      MixedTerm{L2}(back,part,x,wre,wim,n,width,k,o,q);
    lemma mixed_next{L1,L2}: \forall integer p, back, part, scalar *x, *wre, *wim,
      integer n, width, modes, k, o; 0 <= k < modes ==> 0 <= o < width ==> 0 <= p < width ==>
      SameMixed{L1,L2}(x,wre,wim,n,width,modes) ==>
      Mixed{L1}(back,part,x,wre,wim,n,width,k,o,p) ==
      Mixed{L2}(back,part,x,wre,wim,n,width,k,o,p) ==>
      Mixed{L1}(back,part,x,wre,wim,n,width,k,o,p+1) ==
      Mixed{L2}(back,part,x,wre,wim,n,width,k,o,p+1);
    lemma mixed_frame{L1,L2}: \forall integer p, back, part, scalar *x, *wre, *wim,
      integer n, width, modes, k, o; 0 <= k < modes ==> 0 <= o < width ==> p <= width ==>
      SameMixed{L1,L2}(x,wre,wim,n,width,modes) ==>
      Mixed{L1}(back,part,x,wre,wim,n,width,k,o,p) ==
      Mixed{L2}(back,part,x,wre,wim,n,width,k,o,p);
*/
#endif
