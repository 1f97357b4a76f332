/* What the transforms and their bounds share: the cosine or sine of a part of a turn, its way along a
 * sum, and sums of points. */
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

/*@ predicate Strided{L}(scalar *x, integer step, integer n) =
      1 <= n <= FOURIER_MOST && 1 <= step && ix(n,step,0) <= IDX_LIM &&
      \valid_read(x + (0 .. ix(n-1,step,0)));
    lemma strided: \forall integer j, n, step; 0 <= j < n ==> 1 <= step ==>
      0 <= ix(j,step,0) <= ix(n-1,step,0);
*/

/*@ requires Strided(x,step,n) && 0 <= s < n;
    assigns \nothing;
    ensures \result == WaveSum(abs,part,x,step,n,s,n); */
static inline double wave_sum(int abs, int part, const double *x, idx step, idx n, idx s)
{
  double sum = 0.0, lost = 0.0;
  idx m = 0;
  /*@ loop invariant 0 <= j <= n && m == Phase(n,s,j) && 0 <= m < n;
      loop invariant sum == WaveSum(abs,part,x,step,n,s,j) && is_zero(lost);
      loop assigns j, m, sum, lost;
      loop variant n - j; */
  for (idx j = 0; j < n; j++) {
    double t = size_of(abs, r_mul(x[at2(n, step, j, 0)], wave(part, n, m)));
    lost += lost_sum(sum, t);
    sum += t;
    m = next(n, s, m);
  }
  return sum + r_kept(lost);
}

/*@ lemma row_same{L1,L2}: \forall scalar *x, integer rows, n, r; 0 <= r < rows ==> 0 <= n ==>
      Same{L1,L2}(x,ix(rows,n,0)) ==> Same{L1,L2}(x+ix(r,n,0),n);
    lemma row_sum_frame{L1,L2}: \forall integer abs, part, scalar *x, integer n, s;
      Same{L1,L2}(x,n) ==> WaveSum{L1}(abs,part,x,1,n,s,n) == WaveSum{L2}(abs,part,x,1,n,s,n);
    // the value at c of a spectrum: of which part of which bin
    logic integer PartOf(integer c) = rem(c,2);
    logic integer BinOf(integer c) = quo(c,2);
*/
#endif
