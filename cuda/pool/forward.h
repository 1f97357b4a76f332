/* Pools over windows of any rank up to 8: a thread has one output and reads its cells in row-major order,
 * so the same inputs give the same bits. x: (lines, cells), y: (lines, outs). */
#ifndef PM_POOL_FORWARD_H
#define PM_POOL_FORWARD_H
#include "../lang/owned.h"
#include "../../spec/pool.h"
#include "../math/divide.h"
#include "../window/taps.h"

/*@ lemma pool_sum_padded{L}: \forall integer b, a, t, abs, float *x, window w; 0 <= a <= b ==>
      padded(w,t,a,b) ==> PoolSum{L}(abs,x,w,t,b) == PoolSum{L}(abs,x,w,t,a);
    predicate follows(integer m, integer n) = 0 <= n && m == n + 1;
    lemma pool_sum_more{L}: \forall integer m, n, t, float *x, window w; follows(m,n) ==>
      0 <= Cell(w,t,n) ==> PoolSum{L}(0,x,w,t,m) == PoolSum{L}(0,x,w,t,n) + x[Cell(w,t,n)];
    lemma line_place: \forall integer k, c, lines, cells, outs; 0 < outs ==> 0 <= k < ix(lines,outs,0) ==>
      0 <= c < cells ==> 0 <= ix(quo(k,outs),cells,0) + c < ix(lines,cells,0); */
#define WINDOW_NARROW 1
#include "forward_of.h"
#undef WINDOW_NARROW
#define WINDOW_NARROW 0
#include "forward_of.h"
#undef WINDOW_NARROW

/*@ predicate pool_size(window w, integer R, integer narrow, window_magic by, integer lines) =
      w.rank == R && Window(w) && 0 < w.outs && 0 <= lines &&
      (narrow != 0 ==> fits(w,0x7fffffff) && divided(w,by) && gsize_ <= 0x7fffffff);
    // thread g writes [g, pool_end(g))
    logic integer pool_end(integer g, integer n) = g < n ? g + 1 : g;
    // the mean that output k of all lines is
    logic real PoolMean{L}(float *x, window w, integer k) = rdiv(
      PoolSum{L}(0,x+ix(quo(k,w.outs),w.cells,0),w,rem(k,w.outs),w.taps), w.taps);
    lemma cell_below: \forall integer t, u, window w; Window(w) ==> 0 <= Cell(w,t,u) ==>
      Cell(w,t,u) < w.cells;
    lemma line_frame{L1,L2}: \forall integer t, float *x, window w; Window(w) ==>
      (\forall integer c; 0 <= c < w.cells ==> rd{L1}(x,c) == rd{L2}(x,c)) ==>
      PoolSum{L1}(0,x,w,t,w.taps) == PoolSum{L2}(0,x,w,t,w.taps); */

/* Output `at` of all lines, if there is one. */
/*@ requires pool_size(w,R,NARROW,by,lines) && taps == w.taps && 0 <= at < GSIZE;
    requires reads(x,ix(lines,w.cells,0)) && own_cells(y,ix(lines,w.outs,0));
    requires apart(x,ix(lines,w.cells,0),y,ix(lines,w.outs,0));
    requires at < ix(lines,w.outs,0) ==> W(y+at);
    assigns y[at .. pool_end(at,ix(lines,w.outs,0))-1];
    ensures at < ix(lines,w.outs,0) ==> y[at] == PoolMean{Pre}(x,w,at); */
DEV void pool_mean_at(int R, int NARROW, window w, window_magic by, idx lines, double taps, idx at,
                      const float *RESTRICT x, float *RESTRICT y THREAD_FN)
{
  idx l = NARROW ? quotient_narrow((int)at, (int)w.outs, by.magic[WINDOW_RANK],
                                   by.shift[WINDOW_RANK])
                 : quotient_wide(at, w.outs, 0, 0);
  idx k = at - times_wide(l, w.outs);
  //@ assert place: l == quo(at,w.outs) && 0 <= l <= at && k == rem(at,w.outs) && 0 <= k < w.outs;
  //@ assert in: l < lines <==> at < ix(lines,w.outs,0);
  if (l < lines) {
    //@ assert line: 0 <= ix(l,w.cells,0) && ix(l,w.cells,0) + w.cells <= ix(lines,w.cells,0);
    const float *line = x + times_wide(l, w.cells);
    //@ assert reads: reads(line,w.cells);
    float s = NARROW ? pool_sum_of_narrow(R, w, by, (int)k, line) : pool_sum_of_wide(R, w, by, k, line);
    STG(y + at, over(s, taps));
  }
}

/*@ requires pool_size(w,R,NARROW,by,lines) && taps == w.taps;
    requires reads(x,ix(lines,w.cells,0)) && own_cells(y,ix(lines,w.outs,0));
    requires apart(x,ix(lines,w.cells,0),y,ix(lines,w.outs,0)) && ix(lines,w.outs,0) <= GSIZE;
    assigns y[0 .. ix(lines,w.outs,0)-1];
    ensures \forall integer l, t; 0 <= l < lines ==> 0 <= t < w.outs ==> y[ix(l,w.outs,t)] ==
      rdiv(PoolSum{Pre}(0,x+ix(l,w.cells,0),w,t,w.taps), w.taps); */
TEMPLATE(int R, int NARROW)
KERNEL void pool_mean(CONSTANTS(int R, int NARROW) window w, window_magic by, idx lines,
                      double taps, const float *RESTRICT x, float *RESTRICT y)
{
  /*@ loop invariant 0 <= at <= GSIZE;
      loop invariant \forall integer k; 0 <= k < at ==> k < ix(lines,w.outs,0) ==>
        y[k] == PoolMean{Pre}(x,w,k);
      loop assigns at, y[0 .. ix(lines,w.outs,0)-1];
      loop variant GSIZE - at; */
  EACH_GRID_THREAD(at) {
    //@ assert same: \forall integer c; 0 <= c < ix(lines,w.cells,0) ==> x[c] == rd{Pre}(x,c);
    /*@ assert in: at < ix(lines,w.outs,0) ==> \forall integer c; 0 <= c < w.cells ==>
          0 <= ix(quo(at,w.outs),w.cells,0) + c < ix(lines,w.cells,0); */
    /*@ assert line: at < ix(lines,w.outs,0) ==> \forall integer c; 0 <= c < w.cells ==>
          rd(x+ix(quo(at,w.outs),w.cells,0),c) == rd{Pre}(x+ix(quo(at,w.outs),w.cells,0),c); */
    //@ assert frame: at < ix(lines,w.outs,0) ==> PoolMean{Here}(x,w,at) == PoolMean{Pre}(x,w,at);
    pool_mean_at(R, NARROW, w, by, lines, taps, at, x, y IN_GRID_THREAD(at));
    //@ assert new: at < ix(lines,w.outs,0) ==> y[at] == PoolMean{Pre}(x,w,at);
    /*@ assert old: \forall integer k; 0 <= k < at ==> k < ix(lines,w.outs,0) ==>
          y[k] == \at(y[k],LoopCurrent); */
  }
}
#endif
