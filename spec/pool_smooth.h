/* Smooth max pooling: of a window's values v, the cells that its taps read and 0 for each that reads
 * padding, ln(sum of exp(beta v)) / beta; for beta > 0 above the largest and by at most ln(taps) / beta,
 * for beta < 0 likewise below the smallest. Written with a pivot p, the largest or smallest, as
 * p + ln(sum of exp(beta (v - p))) / beta: no exponential is above 1. x, y and g are one line. */
#ifndef SPEC_POOL_SMOOTH_H
#define SPEC_POOL_SMOOTH_H
#include "window.h"
/*@ axiomatic SmoothExp {
      logic real smooth_exp(real beta, real v, real m) reads \nothing;
      axiom smooth_exp_def: \forall real beta, v, m;
        smooth_exp(beta,v,m) == \exp(rmul(beta, v - m));
    }
    // whichever of a and b has the larger product with beta
    axiomatic Farther {
      logic real farther(real beta, real a, real b) reads \nothing;
      axiom farther_def: \forall real beta, a, b;
        farther(beta,a,b) == (beta < 0.0 ? \min(a,b) : \max(a,b));
    }
    // what tap u of output t reads
    logic real TapValue{L}(scalar *x, window w, integer t, integer u) =
      Cell(w,t,u) < 0 ? 0.0 : x[Cell(w,t,u)];
    // the pivot of the first n taps, n >= 1
    logic real SmoothPivot{L}(real beta, scalar *x, window w, integer t, integer n) =
      n <= 1 ? TapValue{L}(x,w,t,0)
             : farther(beta, SmoothPivot{L}(beta,x,w,t,n-1), TapValue{L}(x,w,t,n-1));
    logic real SmoothSum{L}(real beta, scalar *x, window w, integer t, real m, integer n) =
      n <= 0 ? 0.0
             : SmoothSum{L}(beta,x,w,t,m,n-1) + smooth_exp(beta, TapValue{L}(x,w,t,n-1), m);
    logic real SmoothPool{L}(real beta, scalar *x, window w, integer t) =
      SmoothPivot{L}(beta,x,w,t,w.taps) +
      rdiv(\log(SmoothSum{L}(beta,x,w,t,SmoothPivot{L}(beta,x,w,t,w.taps),w.taps)), beta);
    // Back from outputs to cells: y is the pool of x, g its cotangent, and a tap's weight
    // exp(beta (x - y)), its part in the sum.
    // sum over the first n taps of output t that read cell j
    logic real SmoothBackOf{L}(real beta, scalar *x, scalar *y, scalar *g, window w, integer j,
                               integer t, integer n) =
      n <= 0 ? 0.0
      : SmoothBackOf{L}(beta,x,y,g,w,j,t,n-1)
        + (Cell(w,t,n-1) == j ? rmul(g[t], smooth_exp(beta,x[j],y[t])) : 0.0);
    // sum over the first n outputs
    logic real SmoothBack{L}(real beta, scalar *x, scalar *y, scalar *g, window w, integer j,
                             integer n) =
      n <= 0 ? 0.0
      : SmoothBack{L}(beta,x,y,g,w,j,n-1) + SmoothBackOf{L}(beta,x,y,g,w,j,n-1,w.taps);
    lemma smooth_exp_same: \forall real beta, v; smooth_exp(beta,v,v) == 1.0;
    lemma smooth_pivot_frame{L1,L2}: \forall integer n, t, real beta, scalar *x, window w;
      (\forall integer u; 0 <= Cell(w,t,u) ==>
        \at(x[Cell(w,t,u)],L1) == \at(x[Cell(w,t,u)],L2)) ==>
      SmoothPivot{L1}(beta,x,w,t,n) == SmoothPivot{L2}(beta,x,w,t,n);
    lemma smooth_sum_frame{L1,L2}: \forall integer n, t, real beta, m, scalar *x, window w;
      (\forall integer u; 0 <= Cell(w,t,u) ==>
        \at(x[Cell(w,t,u)],L1) == \at(x[Cell(w,t,u)],L2)) ==>
      SmoothSum{L1}(beta,x,w,t,m,n) == SmoothSum{L2}(beta,x,w,t,m,n);
    lemma smooth_pool_frame{L1,L2}: \forall integer t, real beta, scalar *x, window w;
      (\forall integer u; 0 <= Cell(w,t,u) ==>
        \at(x[Cell(w,t,u)],L1) == \at(x[Cell(w,t,u)],L2)) ==>
      SmoothPool{L1}(beta,x,w,t) == SmoothPool{L2}(beta,x,w,t);
*/
#endif
