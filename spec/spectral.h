/* The Fourier transform of n real points to n/2 + 1 complex numbers, its bins, and back. Bin 0, and
 * n/2 where n is even, are the edges: they are real, and stand for themselves, any other for two. A
 * spectrum z is (n/2 + 1, 2): of each bin the real part (part 0), then the imaginary one. */
#ifndef SPEC_SPECTRAL_H
#define SPEC_SPECTRAL_H
#include "reduce.h"
#include "walk.h"

#define FOURIER_MOST 0x20000000000000       /* points: 2^53, all of them numbers of f64 */
#define QUARTER_TURN 1.57079632679489661923 /* pi/2 */

/*@ // Of m/n turns, 0 <= m < n, the nearest quarter is taken off in integers: what is left is at most
    // an eighth, and of a whole number of quarters nothing.
    axiomatic Wave {
      logic integer WaveQuarters(integer n, integer m) reads \nothing;
      axiom wave_quarters_def: \forall integer n, m;
        WaveQuarters(n,m) == quo(4*m + n/2, n);
      logic real WaveRest(integer n, integer m) reads \nothing;
      axiom wave_rest_def: \forall integer n, m; WaveRest(n,m) ==
        rdiv((real)(4*m - ix(WaveQuarters(n,m),n,0)), (real)n) * QUARTER_TURN;
      // part 0: the cosine of m/n turns; 1: the sine
      logic real Wave(integer part, integer n, integer m) reads \nothing;
      axiom wave_def: \forall integer part, n, m; Wave(part,n,m) ==
        (\let k = WaveQuarters(n,m) + (part != 0 ? 0 : 1); \let x = WaveRest(n,m);
         k % 4 == 0 ? \sin(x) : k % 4 == 1 ? \cos(x) : k % 4 == 2 ? -\sin(x) : -\cos(x));
    }
    // p times s/n turns, whole turns taken off
    logic integer Phase(integer n, integer s, integer p) = rem(ix(p,s,0),n);
    lemma rem_is: \forall integer k, n, q, r; 0 <= k ==> 0 < n ==> 0 <= r < n ==> k == ix(q,n,r) ==>
      rem(k,n) == r;
    lemma phase_first: \forall integer n, s; 0 < n ==> Phase(n,s,0) == 0;
    lemma phase_swap: \forall integer n, s, p; Phase(n,s,p) == Phase(n,p,s);
    lemma phase_range: \forall integer n, s, p; 0 < n ==> 0 <= s ==> 0 <= p ==>
      0 <= Phase(n,s,p) < n;
    lemma phase_next: \forall integer n, s, p; 0 <= s < n ==> 0 <= p ==> Phase(n,s,p+1) ==
      (Phase(n,s,p) + s < n ? Phase(n,s,p) + s : Phase(n,s,p) + s - n);

    axiomatic Bins {
      logic integer Bins(integer n) reads \nothing;
      axiom bins_def: \forall integer n; Bins(n) == n/2 + 1;
    }
    lemma bins_range: \forall integer n; 1 <= n ==> 1 <= Bins(n) <= n;
    logic integer Spectrum(integer n) = ix(Bins(n),2,0);
    lemma bin_place: \forall integer m, k, part; 0 <= k < m ==> 0 <= part < 2 ==>
      0 <= ix(k,2,part) < ix(m,2,0) && quo(ix(k,2,part),2) == k && rem(ix(k,2,part),2) == part;
    lemma bin_of: \forall integer m, c; 0 <= m ==> 0 <= c < ix(m,2,0) ==>
      0 <= quo(c,2) < m && 0 <= rem(c,2) < 2;
    logic boolean EdgeBin(integer n, integer k) = k == 0 || 2*k == n;
    logic real BinWeight(integer n, integer k) = EdgeBin(n,k) ? 1.0 : 2.0;

    // v, or |v| where abs is not 0
    logic real SizeOf(integer abs, real v) = abs != 0 ? \abs(v) : v;
    // sum over j < p of x[at + j step] times the cosine or sine of j s/n turns
    logic real WaveSum{L}(integer abs, integer part, scalar *x, integer step, integer at, integer n, integer s,
                          integer p) =
      p <= 0 ? 0.0 : WaveSum{L}(abs,part,x,step,at,n,s,p-1) +
        SizeOf(abs, rmul(x[ix(p-1,step,at)], Wave(part,n,Phase(n,s,p-1))));
    // bin k of the transform: its real part, or where part is not 0 the imaginary one
    logic real Rfft{L}(integer part, scalar *x, integer step, integer at, integer n, integer k) =
      part == 0 ? WaveSum{L}(0,0,x,step,at,n,k,n)
      : EdgeBin(n,k) ? 0.0 : -WaveSum{L}(0,1,x,step,at,n,k,n);
    logic real IrfftVjp{L}(integer part, scalar *g, integer step, integer at, integer n, integer k) =
      rdiv(rmul(BinWeight(n,k), Rfft{L}(part,g,step,at,n,k)), (real)n);

    // what bin k, re + i im, adds at m/n turns of it; fold: as one that stands for two
    logic real BackTerm(integer fold, real re, real im, integer n, integer k, integer m) =
      EdgeBin(n,k) ? rmul(re, Wave(0,n,m))
      : rmul(fold != 0 ? 2.0 : 1.0, rmul(re, Wave(0,n,m)) - rmul(im, Wave(1,n,m)));
    // point j, of the first p bins
    logic real BackSum{L}(integer fold, scalar *z, integer n, integer j, integer p) =
      p <= 0 ? 0.0 : BackSum{L}(fold,z,n,j,p-1) +
        BackTerm(fold,z[ix(p-1,2,0)],z[ix(p-1,2,1)],n,p-1,Phase(n,j,p-1));
    logic real Irfft{L}(scalar *z, integer n, integer j) =
      rdiv(BackSum{L}(1,z,n,j,Bins(n)), (real)n);
    logic real RfftVjp{L}(scalar *g, integer n, integer j) = BackSum{L}(0,g,n,j,Bins(n));

    lemma ix_alone: \forall integer j; ix(j,1,0) == j;
    lemma wave_sum_frame{L1,L2}: \forall integer abs, part, scalar *x, integer step, at, n, s, p;
      (\forall integer j; 0 <= j < p ==>
        \at(x[ix(j,step,at)],L1) == \at(x[ix(j,step,at)],L2)) ==>
      WaveSum{L1}(abs,part,x,step,at,n,s,p) == WaveSum{L2}(abs,part,x,step,at,n,s,p);
    lemma back_sum_frame{L1,L2}: \forall integer fold, scalar *z, integer n, j, p;
      Same{L1,L2}(z,ix(p,2,0)) ==>
      BackSum{L1}(fold,z,n,j,p) == BackSum{L2}(fold,z,n,j,p);

    // ---- spectral_conv1d: x is (grid, width), W (modes, width, width): of a mode, from, to
    // a b, or where conj is not 0 the conjugate of a times b: real part, imaginary part
    logic real ComplexProduct(integer conj, integer part, real ar, real ai, real br, real bi) =
      part == 0 ? (conj != 0 ? rmul(ar,br) + rmul(ai,bi) : rmul(ar,br) - rmul(ai,bi))
                : (conj != 0 ? rmul(ar,bi) - rmul(ai,br) : rmul(ar,bi) + rmul(ai,br));
    // bin k of column c; back: of a cotangent, as irfft's VJP has it
    logic real Column{L}(integer back, integer part, scalar *x, integer n, integer width, integer k,
                         integer c) =
      back != 0 ? IrfftVjp{L}(part,x,width,c,n,k) : Rfft{L}(part,x,width,c,n,k);
    // where the weight from i to o is
    logic integer WeightAt(integer width, integer k, integer i, integer o) = along(width,width,k,i,o);
    // what column q gives to bin k of column o; back: by W's conjugate, transposed
    logic integer MixedAt(integer back, integer width, integer k, integer o, integer q) =
      back != 0 ? WeightAt(width,k,o,q) : WeightAt(width,k,q,o);
    logic real MixedTerm{L}(integer back, integer part, scalar *x, scalar *wre, scalar *wim,
                            integer n, integer width, integer k, integer o, integer q) =
      ComplexProduct(back, part, wre[MixedAt(back,width,k,o,q)], wim[MixedAt(back,width,k,o,q)],
                     Column{L}(back,0,x,n,width,k,q), Column{L}(back,1,x,n,width,k,q));
    // sum over the first p columns
    logic real Mixed{L}(integer back, integer part, scalar *x, scalar *wre, scalar *wim, integer n,
                        integer width, integer k, integer o, integer p) =
      p <= 0 ? 0.0 : Mixed{L}(back,part,x,wre,wim,n,width,k,o,p-1) +
                     MixedTerm{L}(back,part,x,wre,wim,n,width,k,o,p-1);
    // point j of column o, of the first m modes
    logic real Filtered{L}(integer back, scalar *x, scalar *wre, scalar *wim, integer n,
                           integer width, integer j, integer o, integer m) =
      m <= 0 ? 0.0 : Filtered{L}(back,x,wre,wim,n,width,j,o,m-1) +
        BackTerm(back != 0 ? 0 : 1, Mixed{L}(back,0,x,wre,wim,n,width,m-1,o,width),
                 Mixed{L}(back,1,x,wre,wim,n,width,m-1,o,width), n, m-1, Phase(n,j,m-1));
    logic real SpectralConv{L}(scalar *x, scalar *wre, scalar *wim, integer n, integer width,
                               integer modes, integer j, integer o) =
      rdiv(Filtered{L}(0,x,wre,wim,n,width,j,o,modes), (real)n);
    logic real SpectralDx{L}(scalar *g, scalar *wre, scalar *wim, integer n, integer width,
                             integer modes, integer j, integer i) =
      Filtered{L}(1,g,wre,wim,n,width,j,i,modes);
    logic real SpectralDw{L}(integer part, scalar *x, scalar *g, integer n, integer width,
                             integer k, integer i, integer o) =
      ComplexProduct(1, part, Column{L}(0,0,x,n,width,k,i), Column{L}(0,1,x,n,width,k,i),
                     Column{L}(1,0,g,n,width,k,o), Column{L}(1,1,g,n,width,k,o));
*/
#endif
