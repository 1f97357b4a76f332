/* Windows over the cells of a tensor, of any rank up to WINDOW_RANK: for pools and convolutions. All
 * is row-major. An output t has a window of taps u; index e of the cell that tap u of output t reads
 * is t[e] stride[e] + u[e] dilation[e] - pad[e], and a tap whose cell is not there reads padding.
 *
 * The sizes of the outputs are computed here, by the one function that references, launchers and
 * the checker share. */
#ifndef SPEC_WINDOW_H
#define SPEC_WINDOW_H
#include "walk.h"

#define WINDOW_RANK 8
#define WINDOW_MOST 0x0fffffffffffffff /* of a size or an attribute: sums of eight are below 2^63 */

typedef struct window {
  idx rank;              /* axes, 1 .. WINDOW_RANK; behind them nothing is read */
  idx cells, outs, taps; /* of the input, of the output, of a window: products over the axes */
  idx size[WINDOW_RANK], out[WINDOW_RANK], kernel[WINDOW_RANK];
  idx stride[WINDOW_RANK], pad[WINDOW_RANK], dilation[WINDOW_RANK];
} window;

/*@ // how far the last tap of a window is from the first
    logic integer Span(integer k, integer d) = ix(k-1,d,0);
    // windows along an axis: none where it has no cell, or a window does not fit
    logic integer Windows(integer n, integer k, integer s, integer p, integer d) =
      n <= 0 || n + 2*p - 1 < Span(k,d) ? 0 : quo(n + 2*p - 1 - Span(k,d), s) + 1;
    predicate Axis(integer n, integer k, integer s, integer p, integer d) =
      0 <= n <= WINDOW_MOST && 1 <= k <= WINDOW_MOST && 1 <= s <= WINDOW_MOST &&
      0 <= p <= WINDOW_MOST && 1 <= d <= WINDOW_MOST;
    lemma quo_times: \forall integer r, s; 0 <= r ==> 1 <= s ==>
      ix(quo(r,s),s,0) <= r < ix(quo(r,s),s,0) + s;
    lemma quo_covers: \forall integer r, j, d; 0 <= r ==> 1 <= d ==> j <= quo(r,d) ==>
      ix(j,d,0) <= r;
    lemma quo_falls_short: \forall integer r, j, d; 0 <= r ==> 1 <= d ==> quo(r,d) < j ==>
      r < ix(j,d,0);
    lemma ix_nonnegative: \forall integer j, d; 0 <= j ==> 0 <= d ==> 0 <= ix(j,d,0);
    lemma ix_at_least: \forall integer m, n; 1 <= m ==> 0 <= n ==> n <= ix(m,n,0);
    // the cells along an axis that m windows reach, without padding, and o more: the size that a
    // transposed convolution gives to m of them; below 1: padding leaves none
    logic integer Spread(integer m, integer k, integer s, integer p, integer d, integer o) =
      m <= 0 ? 0 : ix(m-1,s,0) + Span(k,d) + 1 + o - 2*p;
    // all m of them are windows of such an axis, and there are no others where o is below the stride
    lemma spread_windows: \forall integer m, k, s, p, d, o; Axis(m,k,s,p,d) ==> 0 <= o ==>
      (m == 0 || 1 <= Spread(m,k,s,p,d,o)) ==> m <= Windows(Spread(m,k,s,p,d,o),k,s,p,d);
    lemma spread_all: \forall integer m, k, s, p, d, o; Axis(m,k,s,p,d) ==> 0 <= o < s ==>
      (m == 0 || 1 <= Spread(m,k,s,p,d,o)) ==> m == Windows(Spread(m,k,s,p,d,o),k,s,p,d);
    lemma windows_least: \forall integer n, k, s, p, d; Axis(n,k,s,p,d) ==>
      0 <= Windows(n,k,s,p,d) <= n + 2*p;

    // products over the last m axes
    logic integer Cells(window w, integer m) =
      m <= 0 ? 1 : ix(w.size[w.rank-m], Cells(w,m-1), 0);
    logic integer Outs(window w, integer m) =
      m <= 0 ? 1 : ix(w.out[w.rank-m], Outs(w,m-1), 0);
    logic integer Taps(window w, integer m) =
      m <= 0 ? 1 : ix(w.kernel[w.rank-m], Taps(w,m-1), 0);
    // a window of which there are `out` outputs along the axes, all or the first of them
    predicate Placed(window w) =
      1 <= w.rank <= WINDOW_RANK && 0 <= w.cells <= IDX_LIM && 0 <= w.outs <= IDX_LIM &&
      1 <= w.taps <= IDX_LIM && w.cells == Cells(w,w.rank) && w.outs == Outs(w,w.rank) &&
      w.taps == Taps(w,w.rank) &&
      \forall integer e; 0 <= e < w.rank ==>
        Axis(w.size[e],w.kernel[e],w.stride[e],w.pad[e],w.dilation[e]) &&
        0 <= w.out[e] <= Windows(w.size[e],w.kernel[e],w.stride[e],w.pad[e],w.dilation[e]);
    predicate Window(window w) = Placed(w) &&
      \forall integer e; 0 <= e < w.rank ==>
        w.out[e] == Windows(w.size[e],w.kernel[e],w.stride[e],w.pad[e],w.dilation[e]);
    // there are windows along every axis
    predicate Windowed(window w) = \forall integer e; 0 <= e < w.rank ==> 1 <= w.out[e];
    lemma outs_empty: \forall integer m, e, window w; 0 <= w.rank - m <= e < w.rank ==>
      w.out[e] == 0 ==> Outs(w,m) == 0;
    lemma cells_empty: \forall integer m, e, window w; 0 <= w.rank - m <= e < w.rank ==>
      w.size[e] == 0 ==> Cells(w,m) == 0;
    lemma whole_cells: \forall integer e, window w; Placed(w) ==> 0 < w.cells ==>
      0 <= e < w.rank ==> 1 <= w.size[e];
    lemma windowed: \forall window w; Placed(w) ==> 0 < w.outs ==> Windowed(w);

    lemma whole_outs: \forall integer e, window w; Placed(w) ==> 0 < w.outs ==>
      0 <= e < w.rank ==> 1 <= w.size[e];

    // t and u without their last m indices; these indices, along axis e
    logic integer OutRest(window w, integer t, integer m) =
      m <= 0 ? t : quo(OutRest(w,t,m-1), w.out[w.rank-m]);
    logic integer TapRest(window w, integer u, integer m) =
      m <= 0 ? u : quo(TapRest(w,u,m-1), w.kernel[w.rank-m]);
    logic integer Place(window w, integer e, integer i, integer v) =
      ix(i,w.stride[e],0) + ix(v,w.dilation[e],0) - w.pad[e];
    // along axis rank-m, the place that tap u of output t reads
    logic integer PlaceOf(window w, integer t, integer u, integer m) =
      Place(w, w.rank-m, rem(OutRest(w,t,m-1),w.out[w.rank-m]),
            rem(TapRest(w,u,m-1),w.kernel[w.rank-m]));
    // the cell that it reads, in the last m axes; -1 where that is padding
    logic integer Source(window w, integer t, integer u, integer m) =
      m <= 0 ? 0
      : Source(w,t,u,m-1) < 0 || PlaceOf(w,t,u,m) < 0 || w.size[w.rank-m] <= PlaceOf(w,t,u,m) ? -1
      : ix(PlaceOf(w,t,u,m), Cells(w,m-1), Source(w,t,u,m-1));
    logic integer Cell(window w, integer t, integer u) = Source(w,t,u,w.rank);
    lemma source_range: \forall integer m, t, u, window w;
      Source(w,t,u,m) == -1 || 0 <= Source(w,t,u,m) < Cells(w,m);
    lemma cells_pos: \forall integer m, window w; m <= w.rank ==>
      (\forall integer e; 0 <= e < w.rank ==> 1 <= w.size[e]) ==> 1 <= Cells(w,m);
    lemma cells_grow: \forall integer n, m, window w; 0 <= m <= n <= w.rank ==>
      (\forall integer e; 0 <= e < w.rank ==> 1 <= w.size[e]) ==> Cells(w,m) <= Cells(w,n);
*/

/* Windows along an axis of n cells. */
/*@ requires Axis(n,k,s,p,d);
    terminates \true;
    assigns \nothing;
    ensures \result == Windows(n,k,s,p,d) && 0 <= \result <= n + 2*p; */
static inline idx window_out(idx n, idx k, idx s, idx p, idx d)
{
  idx room = n + 2 * p - 1, span;
  //@ assert n != 0 ==> 0 <= room && room / d == quo(room,d);
  if (n == 0 || k - 1 > room / d)
    return 0;
  //@ assert k - 1 <= quo(room,d) && 0 <= Span(k,d) <= room;
  //@ assert (k-1) * d == Span(k,d);
  span = (k - 1) * d;
  //@ assert 0 <= quo(room-span,s) <= room - span && (room - span) / s == quo(room-span,s);
  return (room - span) / s + 1;
}

/*@ requires 0 <= a && 0 <= b && ix(a,b,0) <= 4 * WINDOW_MOST;
    terminates \true;
    assigns \nothing;
    ensures \result == ix(a,b,0); */
static inline idx window_times(idx a, idx b) { return a * b; }

/* Cells along an axis that a transposed convolution gives to m windows and an output padding of o; -1:
 * there are none, or more than a size may be. */
/*@ requires Axis(m,k,s,p,d) && 0 <= o <= WINDOW_MOST;
    terminates \true;
    assigns \nothing;
    ensures \result == (m == 0 || 1 <= Spread(m,k,s,p,d,o) <= WINDOW_MOST ? Spread(m,k,s,p,d,o) : -1);
*/
static inline idx window_spread(idx m, idx k, idx s, idx p, idx d, idx o)
{
  idx room = WINDOW_MOST + 2 * p - 1 - o, reach, n;
  if (m == 0)
    return 0;
  //@ assert 0 <= room ==> room / d == quo(room,d);
  if (room < 0 || k - 1 > room / d)
    return -1;
  //@ assert k - 1 <= quo(room,d) && 0 <= Span(k,d) <= room;
  reach = window_times(k - 1, d);
  //@ assert (room - reach) / s == quo(room-reach,s);
  if (m - 1 > (room - reach) / s)
    return -1;
  //@ assert m - 1 <= quo(room-reach,s) && 0 <= ix(m-1,s,0) <= room - reach;
  reach += window_times(m - 1, s);
  //@ assert reach == ix(m-1,s,0) + Span(k,d) && 0 <= reach <= room;
  n = reach + 1 + o - 2 * p;
  return n < 1 ? -1 : n;
}
#endif
