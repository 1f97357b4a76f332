/* Pools over windows of any rank up to 8, their VJPs and error bounds. x is (lines, size..), y
 * (lines, out..) by the axes of w: a line is a channel of an image, of a batch of them. */
#ifndef REF_POOL_H
#define REF_POOL_H
#include "window.h"
#include "pair.h"
#include "../spec/pool.h"

/*@ predicate Lines(window w, integer lines) =
      Window(w) && 0 <= lines && ix(lines,w.cells,0) <= IDX_LIM && ix(lines,w.outs,0) <= IDX_LIM;
    predicate Pools{L}(window w, integer lines, scalar *x, scalar *y) =
      Lines(w,lines) && \valid_read(x + (0 .. ix(lines,w.cells,0)-1)) &&
      \valid(y + (0 .. ix(lines,w.outs,0)-1)) &&
      Sep(y,ix(lines,w.outs,0),x,ix(lines,w.cells,0));
    predicate Unpools{L}(window w, integer lines, scalar *g, scalar *dx) =
      Lines(w,lines) && \valid_read(g + (0 .. ix(lines,w.outs,0)-1)) &&
      \valid(dx + (0 .. ix(lines,w.cells,0)-1)) &&
      Sep(dx,ix(lines,w.cells,0),g,ix(lines,w.outs,0));
    logic real AllBack{L}(integer abs, scalar *g, window w, integer j) =
      PoolBack{L}(abs,1,g,g,w,j,w.outs);
*/

/* y[l,t] = (sum of the cells that the window of output t reads) / (its taps, padding counted). */
/*@ requires Pools(w,lines,x,y);
    terminates \true;
    assigns y[0 .. ix(lines,w.outs,0)-1];
    ensures \forall integer l, t; 0 <= l < lines ==> 0 <= t < w.outs ==> y[ix(l,w.outs,t)] ==
      rdiv(PoolSum{Pre}(0,x+ix(l,w.cells,0),w,t,w.taps), w.taps);
*/
void ref_avg_pool(idx lines, window w, const double *x, double *y);

/* The sum's error, then one division by the taps, which are exact. */
/*@ requires Pools(w,lines,x,e_y);
    terminates \true;
    assigns e_y[0 .. ix(lines,w.outs,0)-1];
    ensures \forall integer l, t; 0 <= l < lines ==> 0 <= t < w.outs ==> e_y[ix(l,w.outs,t)] ==
      p_quo(A, p_sum(A, PoolSum{Pre}(0,x+ix(l,w.cells,0),w,t,w.taps),
                     PoolSum{Pre}(1,x+ix(l,w.cells,0),w,t,w.taps), 0.0, A.h),
            p_make(w.taps,0.0), 1.0).e;
*/
void bound_avg_pool(idx lines, window w, const double *x, arith A, double *e_y);

/* dx[l,j] = (sum of g over the windows that read cell j) / (the taps of a window). */
/*@ requires Unpools(w,lines,g,dx);
    terminates \true;
    assigns dx[0 .. ix(lines,w.cells,0)-1];
    ensures \forall integer l, j; 0 <= l < lines ==> 0 <= j < w.cells ==> dx[ix(l,w.cells,j)] ==
      rdiv(AllBack{Pre}(0,g+ix(l,w.outs,0),w,j), w.taps);
*/
void ref_avg_pool_vjp(idx lines, window w, const double *g, double *dx);

/* The error of a sum, and of the division of it, by the magnitudes of its terms alone: so the terms
 * may be divided before they are summed. */
/*@ requires Unpools(w,lines,g,e_dx);
    terminates \true;
    assigns e_dx[0 .. ix(lines,w.cells,0)-1];
    ensures \forall integer l, j; 0 <= l < lines ==> 0 <= j < w.cells ==> e_dx[ix(l,w.cells,j)] ==
      p_quo(A, p_sum(A, AllBack{Pre}(1,g+ix(l,w.outs,0),w,j),
                     AllBack{Pre}(1,g+ix(l,w.outs,0),w,j), 0.0, A.h),
            p_make(w.taps,0.0), 1.0).e;
*/
void bound_avg_pool_vjp(idx lines, window w, const double *g, arith A, double *e_dx);

/* y[l,t] = the largest cell that the window of output t reads, a NaN above all numbers; tap[l,t] = the
 * number of the tap that reads it, of equals, and of several NaN, the first. Padding never is the
 * largest: of a window that reads nothing else y is -Inf and tap -1. */
/*@ requires Pools(w,lines,x,y) && Pools(w,lines,x,tap);
    requires Sep(tap,ix(lines,w.outs,0),y,ix(lines,w.outs,0));
    terminates \true;
    assigns y[0 .. ix(lines,w.outs,0)-1], tap[0 .. ix(lines,w.outs,0)-1];
    ensures \forall integer l, t; 0 <= l < lines ==> 0 <= t < w.outs ==>
      0 <= MaxTap{Pre}(x+ix(l,w.cells,0),w,t,w.taps) ==> y[ix(l,w.outs,t)] ==
      rd{Pre}(x,ix(l,w.cells,0) + Cell(w,t,MaxTap{Pre}(x+ix(l,w.cells,0),w,t,w.taps)));
    ensures \forall integer l, t; 0 <= l < lines ==> 0 <= t < w.outs ==>
      tap[ix(l,w.outs,t)] == MaxTap{Pre}(x+ix(l,w.cells,0),w,t,w.taps);
*/
void ref_max_pool(idx lines, window w, const double *x, double *y, double *tap);

/* dx[l,j] = sum of g over the outputs whose tap, of that number, reads cell j. Where tap is no number
 * of a tap, or of one that reads padding, g goes nowhere. */
/*@ requires Unpools(w,lines,g,dx) && Unpools(w,lines,tap,dx);
    terminates \true;
    assigns dx[0 .. ix(lines,w.cells,0)-1];
    ensures \forall integer l, j; 0 <= l < lines ==> 0 <= j < w.cells ==> dx[ix(l,w.cells,j)] ==
      PoolBack{Pre}(0,0,tap+ix(l,w.outs,0),g+ix(l,w.outs,0),w,j,w.outs);
*/
void ref_max_pool_vjp(idx lines, window w, const double *tap, const double *g, double *dx);

/*@ requires Unpools(w,lines,g,e_dx) && Unpools(w,lines,tap,e_dx);
    terminates \true;
    assigns e_dx[0 .. ix(lines,w.cells,0)-1];
    ensures \forall integer l, j; 0 <= l < lines ==> 0 <= j < w.cells ==> e_dx[ix(l,w.cells,j)] ==
      p_sum(A, PoolBack{Pre}(1,0,tap+ix(l,w.outs,0),g+ix(l,w.outs,0),w,j,w.outs),
               PoolBack{Pre}(1,0,tap+ix(l,w.outs,0),g+ix(l,w.outs,0),w,j,w.outs), 0.0, A.h).e;
*/
void bound_max_pool_vjp(idx lines, window w, const double *tap, const double *g, arith A,
                        double *e_dx);
#endif
