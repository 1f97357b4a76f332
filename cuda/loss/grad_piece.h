/* Split rows: dx of a chunk, in the gradient of cross entropy (grad_row.h): by number
 * (row/split.h), among the blocks of the grid or of a cluster. */
#ifndef PM_LOSS_GRAD_PIECE_H
#define PM_LOSS_GRAD_PIECE_H
#include "grad_row.h"
#include "../row/split.h"

/*@ // of a row's gradient the elements from .. to-1
    predicate graded_from{L0,L}(float *dx, integer adds, float *x, integer n, integer t, real scale,
                                integer from, integer to) =
      \forall integer c; from <= c < to ==> \at(dx[c],L) == Graded{L0}(adds,dx,x,n,t,scale,c);
    lemma graded_from_frame{L1,L2,L}: \forall float *dx, integer adds, float *x, integer n, t,
      real scale, integer from, to; 0 <= from ==> to <= n ==> Same{L1,L2}(x,n) ==>
      ungraded{L1,L2}(dx,from,n) ==> graded_from{L1,L}(dx,adds,x,n,t,scale,from,to) ==>
      graded_from{L2,L}(dx,adds,x,n,t,scale,from,to);
    lemma graded_from_on{L0,L}: \forall float *dx, integer adds, float *x, integer n, t, real scale,
      integer mid, to; graded_from{L0,L}(dx,adds,x,n,t,scale,0,mid) ==>
      graded_from{L0,L}(dx,adds,x,n,t,scale,mid,to) ==>
      graded_from{L0,L}(dx,adds,x,n,t,scale,0,to);
    lemma graded_from_kept{L0,L1,L2}: \forall float *dx, integer adds, float *x, integer n, t,
      real scale, integer to; Same{L1,L2}(dx,to) ==>
      graded_from{L0,L1}(dx,adds,x,n,t,scale,0,to) ==> graded_from{L0,L2}(dx,adds,x,n,t,scale,0,to);
    lemma graded_from_all{L0,L}: \forall float *dx, integer adds, float *x, integer n, t,
      real scale;
      graded_from{L0,L}(dx,adds,x,n,t,scale,0,n) ==> graded_row{L0,L}(dx,adds,x,n,t,scale,n);
    lemma ungraded_row{L1,L2}: \forall float *a, integer o, n, k; 0 <= o ==> o + n <= k ==>
      ungraded{L1,L2}(a,o,k) ==> Same{L1,L2}(a+o,n); */

/*@ // of dx, piece p of row r of class t is written unless refused, and nothing else is
    predicate piece_graded{L1,L2}(float *dx, integer adds, float *x, integer refused, integer t,
                                  real scale, integer r, integer p, integer rows, integer cols,
                                  integer chunk) =
      (refused == 0 ==> graded_from{L1,L2}(dx+ix(r,cols,0),adds,x+ix(r,cols,0),cols,t,scale,
        PieceAt(p,cols,chunk),PieceAt(p+1,cols,chunk))) &&
      (refused != 0 ==> Same{L1,L2}(dx+ix(r,cols,0),cols)) && Same{L1,L2}(dx,ix(r,cols,0)) &&
      Same{L1,L2}(dx+ix(r,cols,0),PieceAt(p,cols,chunk)) &&
      ungraded{L1,L2}(dx+ix(r,cols,0),PieceAt(p+1,cols,chunk),cols) &&
      ungraded{L1,L2}(dx,ix(r+1,cols,0),ix(rows,cols,0));
    // what is not written since stays so
    lemma graded_part_kept{L0,L1,L2}: \forall float *dx, integer adds, float *x, integer n, t,
      real scale, integer from, to; 0 <= from ==> to <= n ==> Same{L1,L2}(dx,n) ==>
      graded_from{L0,L1}(dx,adds,x,n,t,scale,from,to) ==>
      graded_from{L0,L2}(dx,adds,x,n,t,scale,from,to);
    lemma same_since{L0,L1,L2}: \forall float *a, integer k, n; k <= n ==> Same{L1,L2}(a,n) ==>
      Same{L0,L1}(a,k) ==> Same{L0,L2}(a,k);
    lemma ungraded_since{L0,L1,L2}: \forall float *a, integer from, n; 0 <= from ==>
      Same{L1,L2}(a,n) ==> ungraded{L0,L1}(a,from,n) ==> ungraded{L0,L2}(a,from,n);
    lemma piece_graded_kept{L0,L1,L2}: \forall float *dx, integer adds, float *x,
      integer refused, t, real scale, integer r, p, rows, cols, chunk; 0 <= ix(r,cols,0) ==>
      ix(r,cols,0) <= ix(r+1,cols,0) <= ix(rows,cols,0) ==> 0 <= PieceAt(p,cols,chunk) ==>
      PieceAt(p,cols,chunk) <= PieceAt(p+1,cols,chunk) <= cols ==>
      Same{L1,L2}(dx,ix(rows,cols,0)) ==> Same{L1,L2}(dx+ix(r,cols,0),cols) ==>
      piece_graded{L0,L1}(dx,adds,x,refused,t,scale,r,p,rows,cols,chunk) ==>
      piece_graded{L0,L2}(dx,adds,x,refused,t,scale,r,p,rows,cols,chunk); */
#endif
