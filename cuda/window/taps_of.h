/* The taps of an output that read cells, in row-major order: along each axis they are neighbours, so that
 * the whole is a product of runs. Instantiated by inclusion, by taps.h. */
#include "index.h"

/*@ requires -INDEX_MOST <= ix(a,b,0) <= INDEX_MOST; assigns \nothing; ensures \result == ix(a,b,0); */
DEV INDEX WINDOW_(times)(INDEX a, INDEX b)
{
  //@ assert a * b == ix(a,b,0);
  return a * b;
}

/*@ requires 0 <= n && 0 < d && 0 <= shift < 64;
    requires WINDOW_NARROW ==> quotients(magic,shift,d);
    assigns \nothing;
    ensures \result == quo(n,d); */
DEV INDEX WINDOW_(quotient)(INDEX n, INDEX d, unsigned magic, int shift)
{
#if WINDOW_NARROW
  (void)d;
  //@ assert 0 <= n * magic <= 0x7fffffff * 0xffffffff;
  //@ assert (n * magic) >> shift == n / d && 0 <= n / d <= n;
  return (int)(((unsigned long long)(unsigned)n * magic) >> shift);
#else
  (void)magic, (void)shift;
  return n / d;
#endif
}

/* The cells that an output reads along an axis: the place of the first, how many, and the first's tap. */
typedef struct WINDOW_(window_cells) {
  INDEX first, count, low;
} WINDOW_(window_cells);

/*@ requires Axis(n,k,s,p,d) && 0 <= i < Windows(n,k,s,p,d) && n + 2*p + d <= INDEX_MOST;
    assigns \nothing;
    ensures 0 <= \result.low && 0 <= \result.count;
    ensures 0 < \result.count ==> \result.low + \result.count <= k &&
      \result.first == ix(i,s,0) + ix(\result.low,d,0) - p;
    ensures \forall integer v; 0 <= v < k ==> (0 <= ix(i,s,0) + ix(v,d,0) - p < n <==>
      \result.low <= v < \result.low + \result.count); */
DEV WINDOW_(window_cells) WINDOW_(cells_of)(INDEX n, INDEX k, INDEX s, INDEX p, INDEX d, INDEX i)
{
  //@ assert 0 <= Span(k,d) <= n + 2*p - 1;
  //@ assert i <= quo(n + 2*p - 1 - Span(k,d), s);
  //@ assert ix(i,s,0) <= ix(quo(n + 2*p - 1 - Span(k,d), s),s,0) <= n + 2*p - 1 - Span(k,d);
  //@ assert 0 <= ix(i,s,0);
  INDEX base = WINDOW_(times)(i, s) - p, low = 0, high = k;
  if (base < 0)
    low = d == 1 ? -base : (d - 1 - base) / d;
  //@ assert low: \forall integer v; 0 <= v < k ==> (0 <= base + ix(v,d,0) <==> low <= v);
  //@ assert 0 <= low && base + ix(low,d,0) < INDEX_MOST && 0 <= ix(low,d,0) <= INDEX_MOST;
  if (base + WINDOW_(times)(k - 1, d) >= n)
    high = base >= n ? 0 : d == 1 ? n - base : (n - 1 - base) / d + 1;
  //@ assert high: \forall integer v; 0 <= v < k ==> (base + ix(v,d,0) < n <==> v < high);
  //@ assert 0 <= high <= k;
  INDEX count = high > low ? high - low : 0;
  WINDOW_(window_cells) part = {base + WINDOW_(times)(low, d), count, low};
  return part;
}

/* The runs of all axes. jump: what a tap more along an axis is in cells, 0 where there is but one, and
 * tap_jump in the numbers of taps. */
typedef struct WINDOW_(window_taps) {
  INDEX count[WINDOW_RANK], jump[WINDOW_RANK], tap_jump[WINDOW_RANK], first, tap;
  int some; /* 0: no tap reads a cell */
} WINDOW_(window_taps);

/* A tap on its way: how far it is from the first along each axis but the last, its cell, its number. */
typedef struct WINDOW_(window_at) {
  INDEX at[WINDOW_RANK], place, tap;
  int left; /* 0: there is none */
} WINDOW_(window_at);

/*@ // what goes with the last m axes
    predicate WINDOW_(strides)(window w, WINDOW_(window_taps) r, integer m) =
      \forall integer e; w.rank - m <= e < w.rank ==>
        r.tap_jump[e] == Taps(w,w.rank-e-1) && 1 <= r.count[e] <= w.kernel[e] &&
        (1 < r.count[e] ==> r.jump[e] == ix(w.dilation[e],Cells(w,w.rank-e-1),0));
    predicate WINDOW_(firsts)(window w, integer t, WINDOW_(window_taps) r, integer m) =
      \forall integer j; 1 <= j <= m ==>
        run(w,t,j,Tap(w,r.tap,j),r.count[w.rank-j]) && lead(w,t,r.tap,j);
    predicate WINDOW_(stands)(window w, integer t, WINDOW_(window_taps) r, WINDOW_(window_at) a) =
      0 <= a.tap < w.taps && TapRest(w,a.tap,w.rank) == 0 && 0 <= a.place == Cell(w,t,a.tap) &&
      standing(w,t,a.tap,1,a.at[w.rank-1],r.count[w.rank-1]) &&
      (\forall integer j; 1 <= j <= w.rank ==> a.at[w.rank-j] == 0 ==> lead(w,t,a.tap,j)) &&
      \forall integer e; 0 <= e < w.rank ==>
        standing(w,t,a.tap,w.rank-e,a.at[e],r.count[e]);
    predicate WINDOW_(indexed)(window w, integer R, integer t) =
      w.rank == R && Window(w) && fits(w,INDEX_MOST) && 0 <= t < w.outs; */

/* Of output k of a line; R: the axes. */
/*@ requires WINDOW_(indexed)(w,R,k);
    requires WINDOW_NARROW ==> divided(w,by);
    requires \forall integer e; 0 <= e < R ==> 0 <= by.shift[e] < 64;
    assigns \nothing;
    ensures \result.some == 0 ==> padded(w,k,0,w.taps);
    ensures \result.some != 0 ==> WINDOW_(strides)(w,\result,R);
    ensures \result.some != 0 ==> WINDOW_(firsts)(w,k,\result,R);
    ensures \result.some != 0 ==> 0 <= \result.tap < w.taps &&
      0 <= \result.first == Cell(w,k,\result.tap); */
DEV WINDOW_(window_taps) WINDOW_(taps_of)(int R, window w, window_magic by, INDEX k)
{
  WINDOW_(window_taps) r;
  INDEX rest = k, step = 1, tap_step = 1;
  r.first = r.tap = 0;
  r.some = 0;
  //@ assert tapped(w) && opened(w) && Windowed(w) && \forall integer e; 0 <= e < w.rank ==> 1 <= w.size[e];
  /*@ loop invariant -1 <= e < R && 0 <= rest == OutRest(w,k,w.rank-e-1) && rest <= k && r.some == 0;
      loop invariant step == Cells(w,w.rank-e-1) && tap_step == Taps(w,w.rank-e-1);
      loop invariant 0 <= r.tap < tap_step && 0 <= r.first == Source(w,k,r.tap,w.rank-e-1);
      loop invariant r.first < step;
      loop invariant WINDOW_(strides)(w,r,w.rank-e-1);
      loop invariant WINDOW_(firsts)(w,k,r,w.rank-e-1);
      loop assigns e, rest, step, tap_step, r;
      loop variant e; */
  UNROLL for (int e = R - 1; e >= 0; e--)
  {
    INDEX own = (INDEX)w.out[e];
    //@ assert own: own == w.out[e] && 1 <= own;
    //@ assert axis: OutRest(w,k,w.rank-e) == quo(OutRest(w,k,w.rank-e-1),w.out[e]);
    //@ assert axis: Out(w,k,w.rank-e) == rem(OutRest(w,k,w.rank-e-1),w.out[e]);
    //@ assert rest: rest == OutRest(w,k,w.rank-e-1);
    //@ assert rest: OutRest(w,k,w.rank-e) == quo(rest,own);
    //@ assert rest: 0 <= quo(rest,own) <= rest;
    //@ assert rest: OutRest(w,k,w.rank-e) == quo(rest,own);
    //@ assert top: e == 0 ==> OutRest(w,k,w.rank-e) == 0;
    //@ assert out: Out(w,k,w.rank-e) == rem(rest,own) == rest - ix(quo(rest,own),own,0);
    INDEX above = e ? WINDOW_(quotient)(rest, own, by.magic[e], by.shift[e]) : 0;
    INDEX i = rest - WINDOW_(times)(above, own);
    //@ assert above: above == quo(rest,own);
    //@ assert index: i == Out(w,k,w.rank-e) && 0 <= i < own;
    WINDOW_(window_cells) part =
        WINDOW_(cells_of)((INDEX)w.size[e], (INDEX)w.kernel[e], (INDEX)w.stride[e],
                          (INDEX)w.pad[e], (INDEX)w.dilation[e], i);
    /*@ assert place: \forall integer v; Place(w,e,i,v) ==
          ix(i,w.stride[e],0) + ix(v,w.dilation[e],0) - w.pad[e]; */
    /*@ assert met: \forall integer v; met(w,k,w.rank-e,v) <==>
          0 <= Place(w,e,Out(w,k,w.rank-e),v) < w.size[e]; */
    /*@ assert met: \forall integer v; met(w,k,w.rank-e,v) <==> 0 <= Place(w,e,i,v) < w.size[e]; */
    /*@ assert met: \forall integer v; 0 <= v < w.kernel[e] ==>
          (0 <= Place(w,e,i,v) < w.size[e] <==> part.low <= v < part.low + part.count); */
    /*@ assert met: \forall integer v; 0 <= v < w.kernel[e] ==>
          (met(w,k,w.rank-e,v) <==> part.low <= v < part.low + part.count); */
    //@ assert none: part.count == 0 ==> blank(w,k,w.rank-e,w.kernel[e]);
    //@ assert none: part.count == 0 ==> padded(w,k,0,w.taps);
    if (part.count == 0)
      return r;
    //@ assert run: run(w,k,w.rank-e,part.low,part.count);
    //@ assert step: tap_step == Taps(w,w.rank-e-1) && 0 <= ix(part.low,tap_step,0);
    //@ assert step: ix(part.low,tap_step,0) == ix(part.low,Taps(w,w.rank-e-1),0);
    //@ assert known: tapped(w) && 0 <= w.rank-e-1 <= w.rank && 0 <= r.tap;
    //@ assert raised: raised(w,w.rank-e-1,part.low,r.tap,r.tap+ix(part.low,tap_step,0));
    //@ assert taps: r.tap+ix(part.low,tap_step,0) < Taps(w,w.rank-e);
    //@ assert taps: w.taps == Taps(w,w.rank) && Taps(w,w.rank-e) <= Taps(w,w.rank);
    //@ assert taps: tap_step <= Taps(w,w.rank);
    //@ assert taps: tap_step == Taps(w,w.rank-e-1);
    //@ assert taps: Taps(w,w.rank-e) == ix(w.kernel[e],Taps(w,w.rank-e-1),0);
    //@ assert taps: Taps(w,w.rank-e) == ix(w.kernel[e],tap_step,0);
    //@ assert cells: Cells(w,w.rank-e) == ix(w.size[e],step,0);
    //@ assert room: w.cells == Cells(w,w.rank) && step <= ix(w.size[e],step,0);
    //@ assert room: Cells(w,w.rank-e) <= Cells(w,w.rank);
    //@ assert room: step <= Cells(w,w.rank-e) <= w.cells;
    //@ assert digit: Tap(w,r.tap+ix(part.low,tap_step,0),w.rank-e) == part.low;
    //@ assert same: Source(w,k,r.tap+ix(part.low,tap_step,0),w.rank-e-1) == r.first;
    //@ assert met: met(w,k,w.rank-e,part.low);
    //@ assert met: met(w,k,w.rank-e,Tap(w,r.tap+ix(part.low,tap_step,0),w.rank-e));
    //@ assert place: part.first == Place(w,e,Out(w,k,w.rank-e),part.low);
    //@ assert source: Source(w,k,r.tap+ix(part.low,tap_step,0),w.rank-e) == ix(part.first,step,r.first) && 0 <= Source(w,k,r.tap+ix(part.low,tap_step,0),w.rank-e);
    //@ assert jump: 1 < part.count ==> 0 <= ix(w.dilation[e],step,0) <= w.cells;
    /*@ assert before: \forall integer j; 1 <= j <= w.rank-e-1 ==>
          Tap(w,r.tap+ix(part.low,tap_step,0),j) == Tap(w,r.tap,j); */
    /*@ assert before: \forall integer j; 1 <= j <= w.rank-e-1 ==>
          run(w,k,j,Tap(w,r.tap+ix(part.low,tap_step,0),j),r.count[w.rank-j]) && lead(w,k,r.tap+ix(part.low,tap_step,0),j); */
    //@ assert lead: run(w,k,w.rank-e,Tap(w,r.tap+ix(part.low,tap_step,0),w.rank-e),part.count) && lead(w,k,r.tap+ix(part.low,tap_step,0),w.rank-e);
    rest = above;
    r.count[e] = part.count;
    r.jump[e] = WINDOW_(times)(part.count > 1 ? (INDEX)w.dilation[e] : 0, step);
    r.tap_jump[e] = tap_step;
    r.first += WINDOW_(times)(part.first, step);
    r.tap += WINDOW_(times)(part.low, tap_step);
    step = WINDOW_(times)((INDEX)w.size[e], step);
    tap_step = WINDOW_(times)((INDEX)w.kernel[e], tap_step);
    //@ assert steps: step == Cells(w,w.rank-e) && tap_step == Taps(w,w.rank-e);
    //@ assert now: r.first == Source(w,k,r.tap,w.rank-e) && Tap(w,r.tap,w.rank-e) == part.low;
    /*@ assert before: \forall integer j; 1 <= j <= w.rank-e-1 ==>
          run(w,k,j,Tap(w,r.tap,j),r.count[w.rank-j]) && lead(w,k,r.tap,j); */
    //@ assert here: run(w,k,w.rank-e,Tap(w,r.tap,w.rank-e),r.count[e]) && lead(w,k,r.tap,w.rank-e);
    //@ assert jumps: WINDOW_(strides)(w,r,w.rank-e);
    //@ assert firsts: WINDOW_(firsts)(w,k,r,w.rank-e);
  }
  //@ assert whole: tap_step == w.taps && r.first == Cell(w,k,r.tap);
  //@ assert ends: WINDOW_(strides)(w,r,R) && WINDOW_(firsts)(w,k,r,R);
  r.some = 1;
  return r;
}

/*@ requires r.some != 0 ==> Window(w) && WINDOW_(strides)(w,r,w.rank) &&
      WINDOW_(firsts)(w,t,r,w.rank) && 0 <= r.tap < w.taps && 0 <= r.first == Cell(w,t,r.tap);
    assigns \nothing;
    ensures r.some == 0 ==> \result.left == 0;
    ensures \result.left == r.some && \result.tap == r.tap && \result.place == r.first;
    ensures r.some != 0 ==> \result.at[w.rank-1] == 0;
    ensures r.some != 0 ==> padded(w,t,0,\result.tap);
    ensures r.some != 0 ==> WINDOW_(stands)(w,t,r,\result); */
DEV WINDOW_(window_at) WINDOW_(tap_first)(WINDOW_(window_taps) r GHOST_PARAMS(window w, idx t))
{
  //@ assert rest: r.some != 0 ==> TapRest(w,r.tap,w.rank) == 0;
  //@ assert leads: r.some != 0 ==> leads(w,t,r.tap,w.rank);
  //@ assert padded: r.some != 0 ==> padded(w,t,0,r.tap);
  WINDOW_(window_at) a = {{0}, r.first, r.tap, r.some};
  //@ assert zero: \forall integer i; 0 <= i < WINDOW_RANK ==> a.at[i] == 0;
  //@ assert stand: r.some != 0 ==> run(w,t,1,Tap(w,r.tap,1),r.count[w.rank-1]);
  //@ assert stand: r.some != 0 ==> standing(w,t,r.tap,1,0,r.count[w.rank-1]);
  /*@ assert stand: r.some != 0 ==> \forall integer j; 1 <= j <= w.rank ==>
        standing(w,t,a.tap,j,a.at[w.rank-j],r.count[w.rank-j]); */
  return a;
}

/* One more along axis e if there is one, else back to its first. */
/*@ requires 0 <= e < w.rank - 1 && Window(w) && fits(w,INDEX_MOST) && a.left == 0;
    requires WINDOW_(strides)(w,r,w.rank) && WINDOW_(stands)(w,t,r,a);
    assigns \nothing;
    ensures 0 <= \result.tap < w.taps && TapRest(w,\result.tap,w.rank) == 0;
    ensures 0 <= \result.place == Cell(w,t,\result.tap);
    ensures WINDOW_(stands)(w,t,r,\result);
    ensures \forall integer i; 0 <= i < w.rank ==> i != e ==> \result.at[i] == a.at[i];
    ensures \result.left != 0 <==> a.at[e] + 1 < r.count[e];
    ensures \result.at[e] == (\result.left != 0 ? a.at[e] + 1 : 0);
    ensures stepped(w,w.rank-e,\result.at[e]-a.at[e],a.tap,\result.tap); */
DEV WINDOW_(window_at) WINDOW_(tap_turned)(WINDOW_(window_taps) r, WINDOW_(window_at) a,
                                           int e GHOST_PARAMS(window w, idx t))
{
  WINDOW_(window_at) b = a;
  //@ assert count: 1 <= r.count[e] <= w.kernel[e] <= WINDOW_MOST;
  //@ ghost idx d = a.at[e] + 1 < r.count[e] ? 1 : 1 - r.count[e];
  //@ assert jump: r.tap_jump[e] == Taps(w,w.rank-e-1);
  //@ assert stand: standing(w,t,a.tap,w.rank-e,a.at[e],r.count[e]);
  /*@ assert digit: 0 <= a.at[e] + d < r.count[e] && 0 <= a.at[e] < r.count[e] &&
        run(w,t,w.rank-e,Tap(w,a.tap,w.rank-e)-a.at[e],r.count[e]); */
  //@ assert met: met(w,t,w.rank-e,Tap(w,a.tap,w.rank-e)+d);
  //@ assert digit: 0 <= Tap(w,a.tap,w.rank-e) + d < w.kernel[e];
  //@ assert down: -d <= Tap(w,a.tap,w.rank-e);
  //@ assert down: ix(-d,Taps(w,w.rank-e-1),0) <= a.tap;
  //@ assert reach: 0 <= a.tap + ix(d,r.tap_jump[e],0);
  //@ assert step: stepped(w,w.rank-e,d,a.tap,a.tap+ix(d,r.tap_jump[e],0));
  //@ assert rest: TapRest(w,a.tap+ix(d,r.tap_jump[e],0),w.rank) == 0;
  //@ assert below: a.tap + ix(d,r.tap_jump[e],0) < w.taps;
  /*@ assert cell: 0 <= a.place + ix(d,r.jump[e],0) == Cell(w,t,a.tap+ix(d,r.tap_jump[e],0)) &&
        Cell(w,t,a.tap+ix(d,r.tap_jump[e],0)) < w.cells; */
  //@ assert one: d == 1 ==> ix(d,r.jump[e],0) == r.jump[e] && ix(d,r.tap_jump[e],0) == r.tap_jump[e];
  b.left = ++b.at[e] < r.count[e];
  b.place += b.left ? r.jump[e] : WINDOW_(times)(1 - r.count[e], r.jump[e]);
  b.tap += b.left ? r.tap_jump[e] : WINDOW_(times)(1 - r.count[e], r.tap_jump[e]);
  b.at[e] = b.left ? b.at[e] : 0;
  /*@ assert now: b.tap == a.tap + ix(d,r.tap_jump[e],0) && b.at[e] == a.at[e] + d &&
        b.place == Cell(w,t,b.tap); */
  //@ assert moved: moved(w,a.tap,b.tap,w.rank-e,d);
  //@ assert last: Tap(w,b.tap,1) == Tap(w,a.tap,1) && b.at[w.rank-1] == a.at[w.rank-1];
  //@ assert last: standing(w,t,b.tap,1,b.at[w.rank-1],r.count[w.rank-1]);
  //@ assert here: standing(w,t,b.tap,w.rank-e,b.at[e],r.count[e]);
  /*@ assert others: \forall integer i; 0 <= i < w.rank ==> i != e ==>
        standing(w,t,b.tap,w.rank-i,b.at[i],r.count[i]); */
  //@ assert lead: b.at[e] == 0 ==> lead(w,t,b.tap,w.rank-e);
  /*@ assert leads: \forall integer j; 1 <= j <= w.rank ==> b.at[w.rank-j] == 0 ==>
        lead(w,t,b.tap,j); */
  return b;
}

/* From the first tap along the last axis to the next such that reads a cell. */
/*@ requires w.rank == R && Window(w) && fits(w,INDEX_MOST);
    requires WINDOW_(strides)(w,r,R) && WINDOW_(stands)(w,t,r,a) && a.at[R-1] == 0;
    assigns \nothing;
    ensures \result.left == 0 ==> padded(w,t,a.tap+r.count[R-1],w.taps) &&
      a.tap + r.count[R-1] <= w.taps;
    ensures \result.left != 0 ==> WINDOW_(stands)(w,t,r,\result) && \result.at[R-1] == 0 &&
      padded(w,t,a.tap+r.count[R-1],\result.tap) && a.tap + r.count[R-1] <= \result.tap; */
DEV WINDOW_(window_at) WINDOW_(tap_next)(int R, WINDOW_(window_taps) r,
                                         WINDOW_(window_at) a GHOST_PARAMS(window w, idx t))
{
  WINDOW_(window_at) b = a;
  b.left = 0;
  //@ assert last: w.rank == R && standing(w,t,a.tap,1,0,r.count[w.rank-1]);
  //@ assert last: dull(w,t,1,Tap(w,a.tap,1)+r.count[w.rank-1],w.kernel[w.rank-1]);
  //@ assert row: a.tap + r.count[R-1] == Start(w,1,TapRest(w,a.tap,1),Tap(w,a.tap,1)+r.count[R-1]);
  //@ assert end: padded(w,t,a.tap+r.count[R-1],Next(w,a.tap,1)) && a.tap+r.count[R-1] <= Next(w,a.tap,1);
  /*@ loop invariant -1 <= e <= R - 2 && WINDOW_(stands)(w,t,r,b) && b.at[R-1] == 0;
      loop invariant b.left == 0 ==> \forall integer i; e < i < R ==> b.at[i] == 0;
      loop invariant b.left == 0 ==> a.tap + r.count[R-1] <= Next(w,b.tap,R-1-e) &&
        padded(w,t,a.tap+r.count[R-1],Next(w,b.tap,R-1-e));
      loop invariant b.left != 0 ==> a.tap + r.count[R-1] <= b.tap &&
        padded(w,t,a.tap+r.count[R-1],b.tap);
      loop assigns e, b;
      loop variant e; */
  UNROLL for (int e = R - 2; e >= 0; e--) if (!b.left)
  {
    //@ ghost idx u = b.tap;
    b = WINDOW_(tap_turned)(r, b, e GHOST_ARGS(w, t));
    //@ assert zero: \forall integer i; e < i < w.rank ==> b.at[i] == 0;
    //@ assert zero: \forall integer k; 1 <= k <= w.rank-e-1 ==> b.at[w.rank-k] == 0;
    //@ assert leads: leads(w,t,b.tap,w.rank-e-1);
    //@ assert stepped: b.left != 0 ==> stepped(w,w.rank-e,1,u,b.tap);
    //@ assert on: b.left != 0 ==> padded(w,t,Next(w,u,w.rank-e-1),b.tap) && Next(w,u,w.rank-e-1) <= b.tap;
    //@ assert rest: Next(w,b.tap,w.rank-e) == Next(w,u,w.rank-e);
    //@ assert last: b.left == 0 ==> dull(w,t,w.rank-e,Tap(w,u,w.rank-e)+1,w.kernel[e]);
    /*@ assert over: b.left == 0 ==> padded(w,t,Next(w,u,w.rank-e-1),Next(w,u,w.rank-e)) &&
          Next(w,u,w.rank-e-1) <= Next(w,u,w.rank-e); */
  }
  //@ assert all: Next(w,b.tap,w.rank) == w.taps;
  return b;
}
