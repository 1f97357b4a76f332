/* What a walk over the taps of a window rests on: the digits of a tap's number, which are its places along
 * the axes, and what changes with one of them. For the prover alone. */
#ifndef PM_WINDOW_LAWS_H
#define PM_WINDOW_LAWS_H
#include "../lang/kernel.h"
#include "../../spec/window.h"
/*@ // along axis rank-m: the digit of tap u, the index of output t
    logic integer Tap(window w, integer u, integer m) = rem(TapRest(w,u,m-1), w.kernel[w.rank-m]);
    logic integer Out(window w, integer t, integer m) = rem(OutRest(w,t,m-1), w.out[w.rank-m]);
    // tap v of it reads a cell
    predicate met(window w, integer t, integer m, integer v) =
      0 <= Place(w,w.rank-m,Out(w,t,m),v) < w.size[w.rank-m];
    // taps from a up to b read padding
    predicate padded(window w, integer t, integer a, integer b) =
      \forall integer u; a <= u < b ==> Cell(w,t,u) < 0;
    // those along axis rank-m that read cells
    predicate run(window w, integer t, integer m, integer low, integer count) =
      0 <= low && 1 <= count && low + count <= w.kernel[w.rank-m] &&
      \forall integer v; 0 <= v < w.kernel[w.rank-m] ==> (met(w,t,m,v) <==> low <= v < low + count);
    predicate tapped(window w) = 1 <= w.rank <= WINDOW_RANK &&
      \forall integer e; 0 <= e < w.rank ==> 1 <= w.kernel[e];
    lemma ix_of_ix: \forall integer c, k, n; ix(c,ix(k,n,0),0) == ix(ix(c,k,0),n,0);
    lemma ix_sum: \forall integer a, b, n; ix(a+b,n,0) == ix(a,n,0) + ix(b,n,0);
    lemma ix_one: \forall integer n; ix(1,n,0) == n;
    lemma ix_minus: \forall integer a, n; ix(-a,n,0) == -ix(a,n,0);
    lemma ix_pos: \forall integer q, n, a; 0 <= q ==> 0 <= n ==> 0 <= a ==> 0 <= ix(q,n,a);
    lemma ix_more: \forall integer a, d, e, c, s;
      ix(a+ix(d,e,0),c,s) == ix(a,c,s) + ix(d,ix(e,c,0),0);
    lemma quo_between: \forall integer x, a, b, k; 0 < k ==> 0 <= x ==>
      ix(a,k,0) <= x < ix(b,k,0) ==> a <= quo(x,k) < b;
    lemma quo_is: \forall integer x, q, k; 0 < k ==> 0 <= x ==>
      ix(q,k,0) <= x < ix(q,k,0) + k ==> quo(x,k) == q && rem(x,k) == x - ix(q,k,0);
    lemma rem_is: \forall integer x, k; 0 < k ==> 0 <= x ==> rem(x,k) == x - ix(quo(x,k),k,0);
    lemma ix_quo_rem: \forall integer q, r, k; 0 <= r < k ==> 0 <= ix(q,k,r) ==>
      quo(ix(q,k,r),k) == q && rem(ix(q,k,r),k) == r;
    lemma shift_is: \forall integer x, c, k; 0 <= x ==> 0 < k ==>
      x + ix(c,k,0) == ix(quo(x,k)+c,k,rem(x,k));
    lemma quo_shift: \forall integer x, y, c, k; 0 <= x ==> 0 <= y ==> 0 < k ==>
      y == x + ix(c,k,0) ==> quo(y,k) == quo(x,k) + c;
    lemma rem_shift: \forall integer x, y, c, k; 0 <= x ==> 0 <= y ==> 0 < k ==>
      y == x + ix(c,k,0) ==> rem(y,k) == rem(x,k);
    lemma quo_same: \forall integer x, y, k; 0 <= x ==> 0 < k ==> 0 <= rem(x,k) + (y - x) < k ==>
      quo(y,k) == quo(x,k) && rem(y,k) == rem(x,k) + (y - x);
    lemma quo_quo_is: \forall integer x, a, b; 0 <= x ==> 0 < a ==> 0 < b ==>
      x == ix(quo(quo(x,a),b),ix(b,a,0),ix(rem(quo(x,a),b),a,rem(x,a))) &&
      0 <= ix(rem(quo(x,a),b),a,rem(x,a)) < ix(b,a,0);
    lemma quo_quo: \forall integer x, a, b; 0 <= x ==> 0 < a ==> 0 < b ==> 0 < ix(b,a,0) ==>
      quo(quo(x,a),b) == quo(x,ix(b,a,0));
    lemma taps_pos: \forall integer m, window w; tapped(w) ==> m <= w.rank ==> 1 <= Taps(w,m);
    lemma tap_rest_pos: \forall integer m, u, window w; tapped(w) ==> 0 <= u ==> m <= w.rank ==>
      0 <= TapRest(w,u,m);
    lemma tap_rest_is: \forall integer m, u, window w; tapped(w) ==> 0 <= u ==> 0 <= m <= w.rank ==>
      TapRest(w,u,m) == quo(u,Taps(w,m));
    // u between multiples of what m axes have
    lemma tap_between: \forall integer m, a, b, u, window w; tapped(w) ==> 0 <= m <= w.rank ==>
      0 <= a ==> ix(a,Taps(w,m),0) <= u < ix(b,Taps(w,m),0) ==> a <= TapRest(w,u,m) < b;
    lemma tap_least: \forall integer m, u, window w; tapped(w) ==> 0 <= m <= w.rank ==> 0 <= u ==>
      ix(TapRest(w,u,m),Taps(w,m),0) <= u < ix(TapRest(w,u,m)+1,Taps(w,m),0);
    lemma rest_none: \forall integer m, u, window w; tapped(w) ==> 0 <= m <= w.rank ==>
      0 <= u < Taps(w,m) ==> TapRest(w,u,m) == 0;
    lemma tap_reach: \forall integer m, d, u, window w; tapped(w) ==> 1 <= m <= w.rank ==> 0 <= u ==>
      d <= Tap(w,u,m) ==> ix(d,Taps(w,m-1),0) <= u;
    lemma inner_step: \forall integer k, t, i; ix(k,ix(i,t,0),0) == ix(ix(k,i,0),t,0);
    // v is a multiple of the taps of the last m axes behind u: their digits stay
    predicate raised(window w, integer m, integer c, integer u, integer v) =
      tapped(w) && 0 <= m <= w.rank && 0 <= u && 0 <= v && v == u + ix(c,Taps(w,m),0);
    lemma raised_down: \forall integer m, c, u, v, window w; raised(w,m,c,u,v) ==> 1 <= m ==>
      raised(w,m-1,ix(c,w.kernel[w.rank-m],0),u,v);
    lemma raised_rest: \forall integer m, c, u, v, window w; raised(w,m,c,u,v) ==>
      TapRest(w,v,m) == TapRest(w,u,m) + c;
    lemma raised_here: \forall integer m, c, u, v, window w; raised(w,m,c,u,v) ==> 1 <= m ==>
      Tap(w,v,m) == Tap(w,u,m);
    lemma tap_below: \forall integer m, k, c, u, v, window w; raised(w,m,c,u,v) ==>
      1 <= k <= m ==> Tap(w,v,k) == Tap(w,u,k);
    // along axis rank-m another digit: all others stay
    lemma rest_above: \forall integer k, m, u, v, window w; 0 <= m <= k <= w.rank ==>
      TapRest(w,v,m) == TapRest(w,u,m) ==> TapRest(w,v,k) == TapRest(w,u,k);
    lemma same_above: \forall integer k, m, u, v, window w; 0 <= m < k <= w.rank ==>
      TapRest(w,v,m) == TapRest(w,u,m) ==> Tap(w,v,k) == Tap(w,u,k);
    predicate moved(window w, integer u, integer v, integer m, integer d) =
      Tap(w,v,m) == Tap(w,u,m) + d &&
      \forall integer k; 1 <= k <= w.rank ==> k != m ==> Tap(w,v,k) == Tap(w,u,k);
    // v has the digits of u, but along axis rank-m d more
    predicate stepped(window w, integer m, integer d, integer u, integer v) =
      tapped(w) && 1 <= m <= w.rank && 0 <= u && 0 <= v && v == u + ix(d,Taps(w,m-1),0) &&
      0 <= Tap(w,u,m) + d < w.kernel[w.rank-m];
    lemma step_raised: \forall integer m, d, u, v, window w; stepped(w,m,d,u,v) ==>
      raised(w,m-1,d,u,v);
    lemma step_before: \forall integer m, d, u, v, window w; stepped(w,m,d,u,v) ==>
      TapRest(w,v,m-1) == TapRest(w,u,m-1) + d && 0 <= TapRest(w,u,m-1);
    lemma step_here: \forall integer m, d, u, v, window w; stepped(w,m,d,u,v) ==>
      Tap(w,v,m) == Tap(w,u,m) + d && TapRest(w,v,m) == TapRest(w,u,m);
    lemma step_inner: \forall integer k, m, d, u, v, window w; stepped(w,m,d,u,v) ==>
      1 <= k < m ==> Tap(w,v,k) == Tap(w,u,k);
    lemma step_above: \forall integer k, m, d, u, v, window w; stepped(w,m,d,u,v) ==>
      m < k <= w.rank ==> Tap(w,v,k) == Tap(w,u,k);
    lemma step_rest: \forall integer k, m, d, u, v, window w; stepped(w,m,d,u,v) ==>
      m <= k <= w.rank ==> TapRest(w,v,k) == TapRest(w,u,k);
    lemma step_below: \forall integer m, d, u, v, window w; stepped(w,m,d,u,v) ==>
      TapRest(w,u,w.rank) == 0 ==> TapRest(w,v,w.rank) == 0 && v < Taps(w,w.rank);
    lemma moves: \forall integer m, d, u, v, window w; stepped(w,m,d,u,v) ==> moved(w,u,v,m,d);
    lemma place_moves: \forall integer e, i, v, z, window w;
      Place(w,e,i,z) == Place(w,e,i,v) + ix(z-v,w.dilation[e],0);
    lemma source_unfold: \forall integer m, t, u, window w; 1 <= m ==> Source(w,t,u,m) ==
      (Source(w,t,u,m-1) < 0 || Place(w,w.rank-m,Out(w,t,m),Tap(w,u,m)) < 0 ||
       w.size[w.rank-m] <= Place(w,w.rank-m,Out(w,t,m),Tap(w,u,m)) ? -1
       : ix(Place(w,w.rank-m,Out(w,t,m),Tap(w,u,m)),Cells(w,m-1),Source(w,t,u,m-1)));
    lemma source_same: \forall integer k, t, u, v, window w; 0 <= k <= w.rank ==>
      (\forall integer j; 1 <= j <= k ==> Tap(w,v,j) == Tap(w,u,j)) ==>
      Source(w,t,v,k) == Source(w,t,u,k);
    lemma source_at: \forall integer m, t, u, window w; 1 <= m <= w.rank ==>
      met(w,t,m,Tap(w,u,m)) ==> 0 <= Source(w,t,u,m-1) ==> Source(w,t,u,m) ==
      ix(Place(w,w.rank-m,Out(w,t,m),Tap(w,u,m)),Cells(w,m-1),Source(w,t,u,m-1)) &&
      0 <= Source(w,t,u,m);
    lemma source_differ: \forall integer m, t, u, v, window w; 1 <= m <= w.rank ==>
      Source(w,t,v,m-1) == Source(w,t,u,m-1) ==> 0 <= Source(w,t,u,m) ==>
      met(w,t,m,Tap(w,v,m)) ==> 0 <= Source(w,t,v,m) &&
      Source(w,t,v,m) == Source(w,t,u,m) + ix(Place(w,w.rank-m,Out(w,t,m),Tap(w,v,m)) -
        Place(w,w.rank-m,Out(w,t,m),Tap(w,u,m)),Cells(w,m-1),0);
    lemma place_gap: \forall integer e, i, u, v, window w;
      Place(w,e,i,v) - Place(w,e,i,u) == ix(v-u,w.dilation[e],0);
    lemma place_differ: \forall integer e, i, u, v, c, window w;
      ix(Place(w,e,i,v) - Place(w,e,i,u),c,0) == ix(v-u,ix(w.dilation[e],c,0),0);
    lemma source_here: \forall integer m, d, t, u, v, window w; moved(w,u,v,m,d) ==>
      1 <= m <= w.rank ==> Source(w,t,v,m-1) == Source(w,t,u,m-1) ==>
      met(w,t,m,Tap(w,v,m)) ==> 0 <= Source(w,t,u,m) ==>
      Source(w,t,v,m) == Source(w,t,u,m) + ix(d,ix(w.dilation[w.rank-m],Cells(w,m-1),0),0) &&
      0 <= Source(w,t,v,m);
    lemma source_inner: \forall integer k, m, t, u, window w; 0 <= m <= k <= w.rank ==>
      Source(w,t,u,m) < 0 ==> Source(w,t,u,k) < 0;
    lemma source_next: \forall integer k, t, u, v, window w; 1 <= k <= w.rank ==>
      Tap(w,v,k) == Tap(w,u,k) ==> 0 <= Source(w,t,v,k-1) ==> 0 <= Source(w,t,u,k) ==>
      Source(w,t,v,k) - Source(w,t,u,k) == Source(w,t,v,k-1) - Source(w,t,u,k-1) &&
      0 <= Source(w,t,v,k) && 0 <= Source(w,t,u,k-1);
    lemma source_above: \forall integer k, m, d, t, u, v, window w; moved(w,u,v,m,d) ==>
      1 <= m <= k <= w.rank ==> 0 <= Source(w,t,v,m) ==> 0 <= Source(w,t,u,k) ==>
      Source(w,t,v,k) - Source(w,t,u,k) == Source(w,t,v,m) - Source(w,t,u,m) &&
      0 <= Source(w,t,v,k);
    lemma source_before: \forall integer k, m, d, t, u, v, window w; moved(w,u,v,m,d) ==>
      1 <= m <= k <= w.rank ==> 0 <= Source(w,t,u,k) ==>
      Source(w,t,v,m-1) == Source(w,t,u,m-1) && 0 <= Source(w,t,u,m);
    lemma source_moves: \forall integer k, m, d, t, u, v, window w; 1 <= m <= k <= w.rank ==>
      moved(w,u,v,m,d) ==> met(w,t,m,Tap(w,v,m)) ==> 0 <= Source(w,t,u,k) ==>
      Source(w,t,v,k) == Source(w,t,u,k) + ix(d,ix(w.dilation[w.rank-m],Cells(w,m-1),0),0) &&
      0 <= Source(w,t,v,k);
    lemma cell_moves: \forall integer m, d, t, u, v, window w; stepped(w,m,d,u,v) ==>
      met(w,t,m,Tap(w,u,m)+d) ==> 0 <= Cell(w,t,u) ==> 0 <= Cell(w,t,v) < Cells(w,w.rank) &&
      Cell(w,t,v) == Cell(w,t,u) + ix(d,ix(w.dilation[w.rank-m],Cells(w,m-1),0),0);
    lemma unmet_here: \forall integer m, t, u, window w; 1 <= m <= w.rank ==>
      !met(w,t,m,Tap(w,u,m)) ==> Source(w,t,u,m) < 0;
    lemma unmet: \forall integer k, m, t, u, window w; 1 <= m <= k <= w.rank ==>
      !met(w,t,m,Tap(w,u,m)) ==> Source(w,t,u,k) < 0;
    lemma some_cell: \forall integer k, t, u, window w; 0 <= k <= w.rank ==>
      (\forall integer m; 1 <= m <= k ==> met(w,t,m,Tap(w,u,m)) && 1 <= w.size[w.rank-m]) ==>
      0 <= Source(w,t,u,k);
    lemma digit_between: \forall integer x, q, a, b, k; 0 < k ==> 0 <= q ==> 0 <= a ==> b <= k ==>
      ix(q,k,a) <= x < ix(q,k,b) ==> quo(x,k) == q && a <= rem(x,k) < b;
    // of rest q, digits a up to b along axis rank-m read padding
    // of rest q along the axes before rank-m, the first tap with digit a along this one; the first with
    // the rest of u before the last m axes, and the first behind these
    logic integer Start(window w, integer m, integer q, integer a) =
      ix(ix(q,w.kernel[w.rank-m],a),Taps(w,m-1),0);
    logic integer First(window w, integer u, integer m) = ix(TapRest(w,u,m),Taps(w,m),0);
    logic integer Next(window w, integer u, integer m) = ix(TapRest(w,u,m)+1,Taps(w,m),0);
    predicate within(window w, integer m, integer q, integer a, integer b, integer u) =
      tapped(w) && 1 <= m <= w.rank && 0 <= q && 0 <= a && b <= w.kernel[w.rank-m] && 0 <= u &&
      Start(w,m,q,a) <= u < Start(w,m,q,b);
    lemma rest_within: \forall integer m, q, a, b, u, window w; within(w,m,q,a,b,u) ==>
      ix(ix(q,w.kernel[w.rank-m],a),Taps(w,m-1),0) <= u <
      ix(ix(q,w.kernel[w.rank-m],b),Taps(w,m-1),0) && 0 <= ix(q,w.kernel[w.rank-m],a);
    lemma rest_between: \forall integer m, q, a, b, u, window w; within(w,m,q,a,b,u) ==>
      ix(q,w.kernel[w.rank-m],a) <= TapRest(w,u,m-1) < ix(q,w.kernel[w.rank-m],b);
    lemma pad_digit: \forall integer m, q, a, b, u, window w; within(w,m,q,a,b,u) ==>
      a <= Tap(w,u,m) < b;
    lemma pad_cell: \forall integer m, t, u, window w; 1 <= m <= w.rank ==>
      !met(w,t,m,Tap(w,u,m)) ==> Cell(w,t,u) < 0;
    predicate dull(window w, integer t, integer m, integer a, integer b) =
      tapped(w) && 1 <= m <= w.rank && 0 <= a && b <= w.kernel[w.rank-m] &&
      \forall integer v; a <= v < b ==> !met(w,t,m,v);
    lemma dull_tap: \forall integer m, a, b, t, u, window w; dull(w,t,m,a,b) ==>
      a <= Tap(w,u,m) < b ==> !met(w,t,m,Tap(w,u,m));
    lemma pads_one: \forall integer m, q, a, b, t, u, window w; within(w,m,q,a,b,u) ==>
      dull(w,t,m,a,b) ==> Cell(w,t,u) < 0;
    lemma start_pos: \forall integer m, q, a, window w; tapped(w) ==> 1 <= m <= w.rank ==>
      0 <= q ==> 0 <= a ==> 0 <= Start(w,m,q,a);
    lemma pads_within: \forall integer m, q, a, b, t, u, window w; dull(w,t,m,a,b) ==> 0 <= q ==>
      Start(w,m,q,a) <= u < Start(w,m,q,b) ==> within(w,m,q,a,b,u) && Cell(w,t,u) < 0;
    lemma pads_at: \forall integer m, q, a, b, t, u, window w; dull(w,t,m,a,b) ==> 0 <= q ==>
      Start(w,m,q,a) <= u < Start(w,m,q,b) ==> Cell(w,t,u) < 0;
    lemma pads: \forall integer m, q, a, b, t, window w; dull(w,t,m,a,b) ==> 0 <= q ==>
      padded(w,t,Start(w,m,q,a),Start(w,m,q,b));
    // the digits of u along the last m axes are their first that read a cell
    predicate lead(window w, integer t, integer u, integer k) =
      \forall integer v; 0 <= v < Tap(w,u,k) ==> !met(w,t,k,v);
    predicate leads(window w, integer t, integer u, integer m) =
      \forall integer k; 1 <= k <= m ==> lead(w,t,u,k);
    lemma lead_same: \forall integer k, t, u, v, window w; Tap(w,v,k) == Tap(w,u,k) ==>
      lead(w,t,u,k) ==> lead(w,t,v,k);
    lemma run_leads: \forall integer k, c, t, u, window w;
      run(w,t,k,Tap(w,u,k),c) ==> lead(w,t,u,k);
    // along axis rank-k u is `at` behind the first that reads a cell
    predicate standing(window w, integer t, integer u, integer k, integer at, integer count) =
      0 <= at < count && run(w,t,k,Tap(w,u,k)-at,count) && (at == 0 ==> lead(w,t,u,k));
    lemma stand_same: \forall integer k, t, u, v, at, c, window w; Tap(w,v,k) == Tap(w,u,k) ==>
      standing(w,t,u,k,at,c) ==> standing(w,t,v,k,at,c);
    lemma stand_first: \forall integer k, t, u, c, window w; run(w,t,k,Tap(w,u,k),c) ==>
      standing(w,t,u,k,0,c);
    lemma stand_moved: \forall integer k, t, u, v, at, d, c, window w; Tap(w,v,k) == Tap(w,u,k) + d ==>
      standing(w,t,u,k,at,c) ==> 0 <= at + d < c ==> standing(w,t,v,k,at+d,c);
    lemma stand_end: \forall integer k, c, t, u, window w; tapped(w) ==> 1 <= k <= w.rank ==> 0 <= u ==>
      standing(w,t,u,k,0,c) ==> dull(w,t,k,Tap(w,u,k)+c,w.kernel[w.rank-k]);
    lemma stand_last: \forall integer k, c, t, u, window w; tapped(w) ==> 1 <= k <= w.rank ==>
      standing(w,t,u,k,c-1,c) ==> dull(w,t,k,Tap(w,u,k)+1,w.kernel[w.rank-k]);
    lemma run_last: \forall integer k, c, a, t, u, window w; tapped(w) ==> 1 <= k <= w.rank ==>
      run(w,t,k,Tap(w,u,k)-a,c) ==> a == c - 1 ==> 0 <= a ==>
      dull(w,t,k,Tap(w,u,k)+1,w.kernel[w.rank-k]);
    lemma rest_digits: \forall integer m, u, window w; tapped(w) ==> 1 <= m <= w.rank ==> 0 <= u ==>
      TapRest(w,u,m-1) == ix(TapRest(w,u,m),w.kernel[w.rank-m],Tap(w,u,m));
    lemma first_start: \forall integer m, u, window w; tapped(w) ==> 1 <= m <= w.rank ==> 0 <= u ==>
      First(w,u,m) == Start(w,m,TapRest(w,u,m),0) &&
      First(w,u,m-1) == Start(w,m,TapRest(w,u,m),Tap(w,u,m));
    lemma next_start: \forall integer m, u, window w; tapped(w) ==> 1 <= m <= w.rank ==> 0 <= u ==>
      Next(w,u,m-1) == Start(w,m,TapRest(w,u,m),Tap(w,u,m)+1) &&
      Next(w,u,m) == Start(w,m,TapRest(w,u,m),w.kernel[w.rank-m]);
    lemma leads_dull: \forall integer m, t, u, window w; tapped(w) ==> 1 <= m <= w.rank ==> 0 <= u ==>
      leads(w,t,u,m) ==> dull(w,t,m,0,Tap(w,u,m));
    lemma pads_step: \forall integer m, t, u, window w; tapped(w) ==> 1 <= m <= w.rank ==>
      0 <= u ==> leads(w,t,u,m) ==> padded(w,t,First(w,u,m),First(w,u,m-1));
    lemma pads_more: \forall integer m, t, u, window w; tapped(w) ==> 1 <= m <= w.rank ==>
      0 <= u ==> leads(w,t,u,m) ==> padded(w,t,First(w,u,m-1),u) ==> padded(w,t,First(w,u,m),u);
    lemma pads_before: \forall integer m, t, u, window w; tapped(w) ==> 0 <= m <= w.rank ==>
      0 <= u ==> leads(w,t,u,m) ==> padded(w,t,First(w,u,m),u);
    lemma next_all: \forall integer u, window w; TapRest(w,u,w.rank) == 0 ==>
      Next(w,u,w.rank) == Taps(w,w.rank);
    lemma first_least: \forall integer m, u, window w; tapped(w) ==> 0 <= m <= w.rank ==> 0 <= u ==>
      First(w,u,m) <= u < Next(w,u,m);
    // the first taps along the last m axes
    lemma rem_small: \forall integer r, k; 0 <= r < k ==> rem(r,k) == r;
    lemma raised_digit: \forall integer m, c, u, v, window w; raised(w,m,c,u,v) ==> m < w.rank ==>
      u < Taps(w,m) ==> 0 <= c < w.kernel[w.rank-(m+1)] ==>
      Tap(w,v,m+1) == c && v < Taps(w,m+1);
    lemma raised_source: \forall integer m, c, t, u, v, window w; raised(w,m,c,u,v) ==>
      Source(w,t,v,m) == Source(w,t,u,m);
    lemma run_two: \forall integer k, low, c, t, window w; run(w,t,k,low,c) ==> 1 < c ==>
      met(w,t,k,low) && met(w,t,k,low+1);
    lemma place_next: \forall integer e, i, v, window w;
      Place(w,e,i,v+1) == Place(w,e,i,v) + w.dilation[e];
    lemma met_two: \forall integer k, v, t, window w; met(w,t,k,v) ==> met(w,t,k,v+1) ==>
      w.dilation[w.rank-k] <= w.size[w.rank-k];
    lemma run_jump: \forall integer k, low, c, t, window w; run(w,t,k,low,c) ==> 1 < c ==>
      w.dilation[w.rank-k] <= w.size[w.rank-k];
    lemma cells_axis: \forall integer e, window w; 0 <= e < w.rank ==>
      Cells(w,w.rank-e) == ix(w.size[e],Cells(w,w.rank-e-1),0);
    lemma taps_axis: \forall integer e, window w; 0 <= e < w.rank ==>
      Taps(w,w.rank-e) == ix(w.kernel[e],Taps(w,w.rank-e-1),0);
    lemma out_axis: \forall integer e, t, window w; 0 <= e < w.rank ==>
      OutRest(w,t,w.rank-e) == quo(OutRest(w,t,w.rank-e-1),w.out[e]) &&
      Out(w,t,w.rank-e) == rem(OutRest(w,t,w.rank-e-1),w.out[e]);
    lemma source_axis: \forall integer e, t, u, window w; 0 <= e < w.rank ==>
      met(w,t,w.rank-e,Tap(w,u,w.rank-e)) ==> 0 <= Source(w,t,u,w.rank-e-1) ==>
      Source(w,t,u,w.rank-e) == ix(Place(w,e,Out(w,t,w.rank-e),Tap(w,u,w.rank-e)),
        Cells(w,w.rank-e-1),Source(w,t,u,w.rank-e-1)) && 0 <= Source(w,t,u,w.rank-e);
    lemma taps_none: \forall window w; Taps(w,0) == 1;
    lemma ix_unit: \forall integer n; ix(n,1,0) == n;
    lemma met_place: \forall integer e, t, v, window w;
      met(w,t,w.rank-e,v) <==> 0 <= Place(w,e,Out(w,t,w.rank-e),v) < w.size[e];
    predicate blank(window w, integer t, integer m, integer k) = tapped(w) && 1 <= m <= w.rank &&
      k == w.kernel[w.rank-m] && \forall integer v; 0 <= v < k ==> !met(w,t,m,v);
    predicate digit(window w, integer u, integer m) = 0 <= Tap(w,u,m) < w.kernel[w.rank-m];
    lemma blank_met: \forall integer m, k, t, u, window w; blank(w,t,m,k) ==> 0 <= u ==>
      !met(w,t,m,Tap(w,u,m));
    lemma blank_digit: \forall integer m, k, t, u, window w; blank(w,t,m,k) ==> 0 <= u ==>
      digit(w,u,m) && Cell(w,t,u) < 0;
    lemma blank_cell: \forall integer m, k, t, u, window w; blank(w,t,m,k) ==> 0 <= u ==>
      Cell(w,t,u) < 0;
    lemma blank_all: \forall integer m, k, n, t, window w; blank(w,t,m,k) ==> padded(w,t,0,n);
    lemma taps_grow: \forall integer n, m, window w; tapped(w) ==> 0 <= m <= n <= w.rank ==>
      Taps(w,m) <= Taps(w,n);
    predicate opened(window w) = 1 <= w.rank <= WINDOW_RANK &&
      \forall integer e; 0 <= e < w.rank ==> 1 <= w.out[e];
    lemma outs_pos: \forall integer m, window w; opened(w) ==> m <= w.rank ==> 1 <= Outs(w,m);
    lemma out_rest_pos: \forall integer m, t, window w; opened(w) ==> 0 <= t ==> m <= w.rank ==>
      0 <= OutRest(w,t,m);
    lemma out_rest_is: \forall integer m, t, window w; opened(w) ==> 0 <= t ==> 0 <= m <= w.rank ==>
      OutRest(w,t,m) == quo(t,Outs(w,m));
    lemma out_none: \forall integer t, window w; opened(w) ==> 0 <= t < Outs(w,w.rank) ==>
      OutRest(w,t,w.rank) == 0;
    // one more along axis rank-m-1, those behind it at their first
    lemma carry_on: \forall integer m, t, u, v, window w; stepped(w,m,1,u,v) ==>
      leads(w,t,v,m-1) ==> padded(w,t,Next(w,u,m-1),v) && Next(w,u,m-1) <= v;
    // none more along it
    lemma tap_range: \forall integer m, u, window w; tapped(w) ==> 1 <= m <= w.rank ==> 0 <= u ==>
      0 <= Tap(w,u,m) < w.kernel[w.rank-m] && 0 <= TapRest(w,u,m);
    lemma start_grows: \forall integer m, q, a, b, window w; tapped(w) ==> 1 <= m <= w.rank ==>
      a <= b ==> Start(w,m,q,a) <= Start(w,m,q,b);
    lemma over_later: \forall integer m, u, window w; tapped(w) ==> 1 <= m <= w.rank ==> 0 <= u ==>
      Next(w,u,m-1) <= Next(w,u,m);
    lemma carry_over: \forall integer m, t, u, window w;
      dull(w,t,m,Tap(w,u,m)+1,w.kernel[w.rank-m]) ==> 0 <= u ==>
      padded(w,t,Next(w,u,m-1),Next(w,u,m)) && Next(w,u,m-1) <= Next(w,u,m);
*/
#endif
