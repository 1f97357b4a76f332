/* Partial sums of split rows in the VJPs of softmax, log_softmax and masked_softmax
 * (row/split.h): what a piece adds to its row's sum, and its part of dx. */
#ifndef PM_SOFTMAX_VJP_SLICES_H
#define PM_SOFTMAX_VJP_SLICES_H
#include "../row/split.h"
#include "../row/split_steps.h"
#include "vjp_row.h"

/*@ // what a piece adds to its row's sum: that of the piece as a row of its own
    logic real PullUpTo{L}(integer op, float *y, float *g, integer p, integer cols,
                           integer chunk) = PullSum(op,y,g,PieceAt(p,cols,chunk));
    logic real PullPiece{L}(integer op, float *y, float *g, integer p, integer cols,
                            integer chunk) =
      PullUpTo(op,y,g,p+1,cols,chunk) - PullUpTo(op,y,g,p,cols,chunk);
    lemma sum_shift{L}: \forall integer n, float *x, integer o; 0 <= o ==> 0 <= n ==>
      Sum(x+o,n) == Sum(x,o+n) - Sum(x,o);
    // (by DotFrom: one induction each)
    logic real DotFrom{L}(float *a, float *b, integer o, integer n) =
      n <= 0 ? 0.0 : DotFrom{L}(a,b,o,n-1) + rmul(a[o+n-1],b[o+n-1]);
    lemma dot_from{L}: \forall integer n, float *x, *y, integer o; 0 <= o ==> 0 <= n ==>
      DotFrom(x,y,o,n) == RowDot(x,y,o+n) - RowDot(x,y,o);
    lemma dot_part{L}: \forall integer n, float *x, *y, integer o; 0 <= n ==>
      RowDot(x+o,y+o,n) == DotFrom(x,y,o,n);
    lemma dot_shift{L}: \forall integer n, float *x, *y, integer o; 0 <= o ==> 0 <= n ==>
      RowDot(x+o,y+o,n) == RowDot(x,y,o+n) - RowDot(x,y,o);
    lemma pull_shift{L}: \forall integer op, float *y, *g, integer o, n; 0 <= o ==> 0 <= n ==>
      PullSum(op,y+o,g+o,n) == PullSum(op,y,g,o+n) - PullSum(op,y,g,o);
    lemma pieces_none{L}: \forall integer op, float *y, *g, integer cols, chunk; 0 < cols ==>
      PullUpTo(op,y,g,0,cols,chunk) == 0.0;
    lemma pull_less_frame{L1,L2}: \forall integer op, float *y, *g, integer k, n; k <= n ==>
      Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==> PullSum{L1}(op,y,g,k) == PullSum{L2}(op,y,g,k);
    lemma up_to_frame{L1,L2}: \forall integer op, float *y, *g, integer p, cols, chunk;
      Same{L1,L2}(y,cols) ==> Same{L1,L2}(g,cols) ==>
      PullUpTo{L1}(op,y,g,p,cols,chunk) == PullUpTo{L2}(op,y,g,p,cols,chunk);
    lemma piece_frame{L1,L2}: \forall integer op, float *y, *g, integer p, cols, chunk;
      Same{L1,L2}(y,cols) ==> Same{L1,L2}(g,cols) ==>
      PullPiece{L1}(op,y,g,p,cols,chunk) == PullPiece{L2}(op,y,g,p,cols,chunk); */

/*@ predicate cells_same{L1,L2}(float *dx, integer cols, integer r, integer from, integer to) =
      \forall integer c; from <= c < to ==> \at(dx[ix(r,cols,c)],L2) == \at(dx[ix(r,cols,c)],L1);
    // elements from .. to-1 of row r of dx
    predicate spread_row{L0,L}(integer op, integer adds, float *y, float *g, float *dx,
                               integer cols, integer r, integer from, integer to) =
      \forall integer c; from <= c < to ==>
        \at(dx[ix(r,cols,c)],L) == plus(adds,\at(dx[ix(r,cols,c)],L0),
                                        RowVjp{L0}(op,y+ix(r,cols,0),g+ix(r,cols,0),cols,c));
    lemma spread_row_frame{L1,L2,L}: \forall integer op, adds, float *y, *g, *dx, integer cols, r,
      from, to; 0 <= from ==> to <= cols ==> Same{L1,L2}(y+ix(r,cols,0),cols) ==>
      Same{L1,L2}(g+ix(r,cols,0),cols) ==> cells_same{L1,L2}(dx,cols,r,from,to) ==>
      spread_row{L1,L}(op,adds,y,g,dx,cols,r,from,to) ==>
      spread_row{L2,L}(op,adds,y,g,dx,cols,r,from,to);
    predicate pulled_cell{L0,L}(float *dx, integer op, integer adds, float *y, float *g, real s,
                                integer k) = \at(dx[k],L) == PulledOne{L0}(op,adds,y,g,dx,s,k);
    lemma cell_of{L0,L}: \forall float *dx, integer op, adds, float *y, *g, real s, integer n, c;
      0 <= c < n ==> pulled_row{L0,L}(dx,op,adds,y,g,s,n) ==>
      pulled_cell{L0,L}(dx,op,adds,y,g,s,c);
    lemma cell_moved{L0,L}: \forall float *dx, integer op, adds, float *y, *g, real s,
      integer at, c, k; behind(at,c,k) ==> pulled_cell{L0,L}(dx+at,op,adds,y+at,g+at,s,c) ==>
      pulled_cell{L0,L}(dx,op,adds,y,g,s,k);
    lemma row_cell{L0,L}: \forall float *dx, integer op, adds, float *y, *g, real s,
      integer at, n, c, k; 0 <= c < n ==> behind(at,c,k) ==>
      pulled_row{L0,L}(dx+at,op,adds,y+at,g+at,s,n) ==> pulled_cell{L0,L}(dx,op,adds,y,g,s,k);
    predicate pulled_cells{L0,L}(float *dx, integer op, integer adds, float *y, float *g, real s,
                                 integer cols, integer r, integer from, integer to) =
      \forall integer c; from <= c < to ==>
        pulled_cell{L0,L}(dx,op,adds,y,g,s,ix(r,cols,c));
    lemma cell_at{L}: \forall float *x, integer r, cols, c;
      rd(x+ix(r,cols,0),c) == x[ix(r,cols,c)];
    lemma cells_spread{L0,L}: \forall integer op, adds, float *y, *g, *dx, real s, integer cols, r,
      from, to; s == PullSum{L0}(op,y+ix(r,cols,0),g+ix(r,cols,0),cols) ==>
      pulled_cells{L0,L}(dx,op,adds,y,g,s,cols,r,from,to) ==>
      spread_row{L0,L}(op,adds,y,g,dx,cols,r,from,to); */
#endif
