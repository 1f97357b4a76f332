/* Specification of partial softmax statistics: what the blocks of a cluster exchange of a row cut
 * into slices (row/split.h): each of its slice the maximum and the sum of the exponentials about
 * that, in one turn of their mailboxes (lang/cluster_exchange.h); and what that comes to. */
#ifndef PM_LSE_CLUSTER_SPEC_H
#define PM_LSE_CLUSTER_SPEC_H
#include "../lang/cluster_exchange.h"
#include "mass.h"
#include "../row/regs.h"
#include "../row/split.h"

/*@ // what came in a turn from blocks 0 .. n-1, as a sum of exponentials
    logic real CameMass(integer k, integer turn, integer n) = n <= 0 ? 0.0 :
      CameMass(k,turn,n-1) + Mass(Came(k,1,turn,n-1),Came(k,0,turn,n-1)); */

/*@ // what the blocks of cluster k say of row x of cols elements: block p of slice p
    predicate says_part{L}(integer k, float *x, integer o, integer m, integer p) =
      Came(k,0,0,p) == RowMax{L}(x+o,m) && Came(k,1,0,p) == SumExp{L}(x+o,Came(k,0,0,p),m);
    predicate says_about{L}(integer k, float *x, integer cols, integer slice, integer p) =
      says_part{L}(k,x,PieceAt(p,cols,slice),PieceLen(p,cols,slice),p);
    predicate row_says{L}(integer k, float *x, integer cols, integer slice) =
      \forall integer p; 0 <= p < CLUSTER_MOST ==> says_about{L}(k,x,cols,slice,p);
    lemma says_at{L}: \forall integer k, float *x, integer cols, slice, p; 0 <= p < CLUSTER_MOST ==>
      row_says{L}(k,x,cols,slice) ==> says_about{L}(k,x,cols,slice,p);
    // m elements from o on, which end at e
    predicate part_ends(integer o, integer m, integer e, integer n) =
      0 <= o && 1 <= m && e == o + m && e <= n;
    lemma part_says{L}: \forall integer k, float *x, integer o, m, p; says_part{L}(k,x,o,m,p) ==>
      Mass(Came(k,1,0,p),Came(k,0,0,p)) == Whole{L}(x+o,m);
    lemma part_whole{L}: \forall float *x, integer o, m, e, n; part_ends(o,m,e,n) ==>
      Whole{L}(x,e) == Whole{L}(x,o) + Whole{L}(x+o,m);
    lemma part_mass{L}: \forall integer k, float *x, integer o, m, e, n, p; part_ends(o,m,e,n) ==>
      says_part{L}(k,x,o,m,p) ==>
      Whole{L}(x,e) == Whole{L}(x,o) + Mass(Came(k,1,0,p),Came(k,0,0,p));
    // a slice on
    lemma piece_long: \forall integer cols, slice, p; 0 <= p < CLUSTER_MOST ==>
      row_split(cols,slice,CLUSTER_MOST) ==>
      part_ends(PieceAt(p,cols,slice),PieceLen(p,cols,slice),PieceAt(p+1,cols,slice),cols);
    lemma piece_from: \forall integer cols, slice; row_split(cols,slice,CLUSTER_MOST) ==>
      PieceAt(0,cols,slice) == 0;
    lemma says_next{L}: \forall integer k, float *x, integer cols, slice, p;
      row_split(cols,slice,CLUSTER_MOST) ==> row_says{L}(k,x,cols,slice) ==>
      0 <= p < CLUSTER_MOST ==> Whole{L}(x,PieceAt(p+1,cols,slice)) ==
      Whole{L}(x,PieceAt(p,cols,slice)) + Mass(Came(k,1,0,p),Came(k,0,0,p));
    lemma came_none{L}: \forall integer k, float *x, integer cols, slice;
      row_split(cols,slice,CLUSTER_MOST) ==> CameMass(k,0,0) == Whole{L}(x,PieceAt(0,cols,slice));
    lemma came_step{L}: \forall integer n, k, float *x, integer cols, slice; 0 <= n ==>
      n < CLUSTER_MOST ==> row_split(cols,slice,CLUSTER_MOST) ==> row_says{L}(k,x,cols,slice) ==>
      CameMass(k,0,n) == Whole{L}(x,PieceAt(n,cols,slice)) ==>
      CameMass(k,0,n+1) == Whole{L}(x,PieceAt(n+1,cols,slice));
    lemma came_to{L}: \forall integer n, k, float *x, integer cols, slice; 0 <= n ==>
      n <= CLUSTER_MOST ==> row_split(cols,slice,CLUSTER_MOST) ==> row_says{L}(k,x,cols,slice) ==>
      CameMass(k,0,n) == Whole{L}(x,PieceAt(n,cols,slice));
    lemma came_row{L}: \forall integer k, float *x, integer cols, slice;
      row_split(cols,slice,CLUSTER_MOST) ==> row_says{L}(k,x,cols,slice) ==>
      CameMass(k,0,CLUSTER_MOST) == Whole{L}(x,cols);
    lemma whole_pos{L}: \forall float *x, integer n; 1 <= n ==> 0.0 < Whole{L}(x,n);
    lemma mass_pos: \forall real s, m; 0.0 < Mass(s,m) ==> 0.0 < s;
    // and what is not written stays
    lemma part_of{L1,L2}: \forall integer k, float *x, integer o, m, p; 1 <= m ==>
      Same{L1,L2}(x+o,m) ==> says_part{L1}(k,x,o,m,p) ==> says_part{L2}(k,x,o,m,p);
    lemma part_same{L1,L2}: \forall float *x, integer o, m, e, n; part_ends(o,m,e,n) ==>
      Same{L1,L2}(x,n) ==> Same{L1,L2}(x+o,m);
    lemma part_stays{L1,L2}: \forall integer k, float *x, integer o, m, e, n, p;
      part_ends(o,m,e,n) ==> Same{L1,L2}(x,n) ==> says_part{L1}(k,x,o,m,p) ==>
      says_part{L2}(k,x,o,m,p);
    lemma says_about_frame{L1,L2}: \forall integer k, float *x, integer cols, slice, p;
      row_split(cols,slice,CLUSTER_MOST) ==> 0 <= p < CLUSTER_MOST ==> Same{L1,L2}(x,cols) ==>
      says_about{L1}(k,x,cols,slice,p) ==> says_about{L2}(k,x,cols,slice,p);
    lemma row_says_at{L1,L2}: \forall integer k, float *x, integer cols, slice, p;
      0 <= p < CLUSTER_MOST ==> row_split(cols,slice,CLUSTER_MOST) ==> Same{L1,L2}(x,cols) ==>
      row_says{L1}(k,x,cols,slice) ==> says_about{L2}(k,x,cols,slice,p);
    lemma row_says_frame{L1,L2}: \forall integer k, float *x, integer cols, slice;
      row_split(cols,slice,CLUSTER_MOST) ==> Same{L1,L2}(x,cols) ==>
      row_says{L1}(k,x,cols,slice) ==> row_says{L2}(k,x,cols,slice); */
#endif
