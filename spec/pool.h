/* Pools. x is the cells of one line, a channel of an image say, g the cotangents of its outputs. */
#ifndef SPEC_POOL_H
#define SPEC_POOL_H
#include "window.h"
/*@ // v, or |v| where abs is not 0
    logic real PoolTerm(integer abs, real v) = abs != 0 ? \abs(v) : v;
    // sum of the cells that the first n taps of output t read; padding is 0
    logic real PoolSum{L}(integer abs, scalar *x, window w, integer t, integer n) =
      n <= 0 ? 0.0
      : PoolSum{L}(abs,x,w,t,n-1)
        + (Cell(w,t,n-1) < 0 ? 0.0 : PoolTerm(abs,x[Cell(w,t,n-1)]));
    // the first of the largest cells that the first n taps of output t read, as the number of its tap;
    // -1 where all of them read padding
    logic integer MaxTap{L}(scalar *x, window w, integer t, integer n) =
      n <= 0 ? -1
      : 0 <= Cell(w,t,n-1) && (MaxTap{L}(x,w,t,n-1) < 0 ||
                               x[Cell(w,t,MaxTap{L}(x,w,t,n-1))] < x[Cell(w,t,n-1)]) ? n - 1
      : MaxTap{L}(x,w,t,n-1);
    // Back from outputs to cells: by tap only[t] of output t, or where all is not 0 by every tap.
    // sum of g[t] over the first n of these taps of output t that read cell j
    logic real PoolBackOf{L}(integer abs, integer all, scalar *only, scalar *g, window w, integer j,
                             integer t, integer n) =
      n <= 0 ? 0.0
      : PoolBackOf{L}(abs,all,only,g,w,j,t,n-1)
        + (Cell(w,t,n-1) == j && (all != 0 || only[t] == n-1) ? PoolTerm(abs,g[t]) : 0.0);
    // sum of the g of the first n outputs, once for each such tap that reads cell j
    logic real PoolBack{L}(integer abs, integer all, scalar *only, scalar *g, window w, integer j,
                           integer n) =
      n <= 0 ? 0.0
      : PoolBack{L}(abs,all,only,g,w,j,n-1) + PoolBackOf{L}(abs,all,only,g,w,j,n-1,w.taps);
    lemma pool_sum_frame{L1,L2}: \forall integer n, t, abs, scalar *x, window w;
      (\forall integer u; 0 <= u < n ==> 0 <= Cell(w,t,u) ==>
        \at(x[Cell(w,t,u)],L1) == \at(x[Cell(w,t,u)],L2)) ==>
      PoolSum{L1}(abs,x,w,t,n) == PoolSum{L2}(abs,x,w,t,n);
    lemma max_tap_range{L}: \forall integer n, t, scalar *x, window w; 0 <= n ==>
      -1 <= MaxTap{L}(x,w,t,n) < n;
    lemma max_tap_reads{L}: \forall integer n, t, scalar *x, window w;
      0 <= MaxTap{L}(x,w,t,n) ==> 0 <= Cell(w,t,MaxTap{L}(x,w,t,n));
    lemma max_tap_frame{L1,L2}: \forall integer n, t, scalar *x, window w;
      (\forall integer u; 0 <= u < n ==> 0 <= Cell(w,t,u) ==>
        \at(x[Cell(w,t,u)],L1) == \at(x[Cell(w,t,u)],L2)) ==>
      MaxTap{L1}(x,w,t,n) == MaxTap{L2}(x,w,t,n);
    lemma pool_back_of_frame{L1,L2}: \forall integer n, t, j, abs, all, scalar *only, *g, window w;
      \at(g[t],L1) == \at(g[t],L2) ==> \at(only[t],L1) == \at(only[t],L2) ==>
      PoolBackOf{L1}(abs,all,only,g,w,j,t,n) == PoolBackOf{L2}(abs,all,only,g,w,j,t,n);
    lemma pool_back_frame{L1,L2}: \forall integer n, j, abs, all, scalar *only, *g, window w;
      (\forall integer t; 0 <= t < n ==> \at(g[t],L1) == \at(g[t],L2)) ==>
      (\forall integer t; 0 <= t < n ==> \at(only[t],L1) == \at(only[t],L2)) ==>
      PoolBack{L1}(abs,all,only,g,w,j,n) == PoolBack{L2}(abs,all,only,g,w,j,n);
*/
#endif
