/* A row's maximum and the sum of its exponentials, from those of what it is cut into. */
#ifndef PM_ROW_CUT_H
#define PM_ROW_CUT_H
#include "kernel.h"
#include "../spec/softmax.h"

/*@ // n elements from o on; the steps are there for the provers
    logic real Top(real a, real b) = \max(a,b);
    logic real ExpOn{L}(float *x, real m, integer i) = \exp(rd{L}(x,i) - m);
    logic real SumTo{L}(float *x, real m, integer n) =
      n <= 0 ? 0.0 : SumTo{L}(x,m,n-1) + ExpOn{L}(x,m,n-1);
    logic real SumAt{L}(float *x, real m, integer o, integer n) =
      n <= 0 ? 0.0 : SumAt{L}(x,m,o,n-1) + ExpOn{L}(x,m,o+n-1);
    lemma sum_to_step{L}: \forall float *x, real m, integer n; 0 < n ==>
      SumTo{L}(x,m,n) == SumTo{L}(x,m,n-1) + ExpOn{L}(x,m,n-1);
    lemma sum_at_step{L}: \forall float *x, real m, integer o, n; 0 <= n ==>
      SumAt{L}(x,m,o,n+1) == SumAt{L}(x,m,o,n) + ExpOn{L}(x,m,o+n);
    lemma sum_at{L}: \forall integer n, float *x, real m, integer o; 0 <= n ==> 0 <= o ==>
      SumAt{L}(x,m,o,n) == SumTo{L}(x,m,o+n) - SumTo{L}(x,m,o);
    lemma exp_on_at{L}: \forall float *x, real m, integer o, i;
      ExpOn{L}(x+o,m,i) == ExpOn{L}(x,m,o+i);
    lemma sum_from{L}: \forall integer n, float *x, real m, integer o; 0 <= n ==>
      SumTo{L}(x+o,m,n) == SumAt{L}(x,m,o,n);
    lemma sum_exp_step{L}: \forall float *x, real m, integer n; 0 < n ==>
      SumExp{L}(x,m,n) == SumExp{L}(x,m,n-1) + ExpOn{L}(x,m,n-1);
    lemma sum_to{L}: \forall integer n, float *x, real m; 0 <= n ==>
      SumTo{L}(x,m,n) == SumExp{L}(x,m,n); */

/*@ logic real MaxTo{L}(float *x, integer n) =
      n <= 1 ? rd{L}(x,0) : Top(MaxTo{L}(x,n-1), rd{L}(x,n-1));
    logic real MaxAt{L}(float *x, integer o, integer n) =
      n <= 1 ? rd{L}(x,o) : Top(MaxAt{L}(x,o,n-1), rd{L}(x,o+n-1));
    lemma top_on: \forall real a, b, c; Top(Top(a,b),c) == Top(a,Top(b,c));
    lemma max_to_step{L}: \forall float *x, integer n; 1 <= n ==>
      MaxTo{L}(x,n+1) == Top(MaxTo{L}(x,n), rd{L}(x,n));
    lemma max_at_step{L}: \forall float *x, integer o, n; 1 <= n ==>
      MaxAt{L}(x,o,n+1) == Top(MaxAt{L}(x,o,n), rd{L}(x,o+n));
    lemma rd_on{L}: \forall float *x, integer o, i; rd{L}(x+o,i) == rd{L}(x,o+i);
    lemma max_from_one{L}: \forall float *x, integer o; MaxTo{L}(x+o,1) == MaxAt{L}(x,o,1);
    lemma max_from_more{L}: \forall float *x, integer n, o; 1 <= n ==>
      MaxTo{L}(x+o,n) == MaxAt{L}(x,o,n) ==> MaxTo{L}(x+o,n+1) == MaxAt{L}(x,o,n+1);
    lemma max_from_all{L}: \forall integer n, float *x, integer o; 0 <= n ==>
      MaxTo{L}(x+o,n+1) == MaxAt{L}(x,o,n+1);
    lemma max_from{L}: \forall integer n, float *x, integer o; 1 <= n ==>
      MaxTo{L}(x+o,n) == MaxAt{L}(x,o,n);
    lemma max_at_one{L}: \forall float *x, integer o; 1 <= o ==>
      MaxTo{L}(x,o+1) == Top(MaxTo{L}(x,o), MaxAt{L}(x,o,1));
    lemma max_at_more{L}: \forall integer n, float *x, integer o; 1 <= n ==> 1 <= o ==>
      MaxTo{L}(x,o+n) == Top(MaxTo{L}(x,o), MaxAt{L}(x,o,n)) ==>
      MaxTo{L}(x,o+n+1) == Top(MaxTo{L}(x,o), MaxAt{L}(x,o,n+1));
    lemma max_at_from{L}: \forall integer n, float *x, integer o; 0 <= n ==> 1 <= o ==>
      MaxTo{L}(x,o+n+1) == Top(MaxTo{L}(x,o), MaxAt{L}(x,o,n+1));
    lemma max_at{L}: \forall integer n, float *x, integer o; 1 <= n ==> 1 <= o ==>
      MaxTo{L}(x,o+n) == Top(MaxTo{L}(x,o), MaxAt{L}(x,o,n));
    lemma max_to{L}: \forall integer n, float *x; 1 <= n ==> MaxTo{L}(x,n) == RowMax{L}(x,n);
    // a row that ends at e, cut at o
    predicate ends_at(integer e, integer o, integer n) = e == o + n;
    lemma max_cut{L}: \forall float *x, integer e, o, n; ends_at(e,o,n) ==> 1 <= o ==> 1 <= n ==>
      RowMax{L}(x,e) == Top(RowMax{L}(x,o), RowMax{L}(x+o,n));
    lemma sum_cut{L}: \forall float *x, real m, integer e, o, n; ends_at(e,o,n) ==> 0 <= o ==>
      0 <= n ==> SumTo{L}(x,m,e) == SumTo{L}(x,m,o) + SumExp{L}(x+o,m,n);
    // and what is not written stays
    lemma rd_same{L1,L2}: \forall float *x, integer e, i; 0 <= i < e ==> Same{L1,L2}(x,e) ==>
      rd{L1}(x,i) == rd{L2}(x,i);
    lemma exp_on_same{L1,L2}: \forall float *x, real m, integer e, i; 0 <= i < e ==>
      Same{L1,L2}(x,e) ==> ExpOn{L1}(x,m,i) == ExpOn{L2}(x,m,i);
    lemma sum_at_same{L1,L2}: \forall integer n, float *x, real m, integer o, e; 0 <= n ==>
      0 <= o ==> o + n <= e ==> Same{L1,L2}(x,e) ==> SumAt{L1}(x,m,o,n) == SumAt{L2}(x,m,o,n);
    logic real MaxFrom{L}(float *x, real v, integer o, integer n) =
      n <= 0 ? v : Top(MaxFrom{L}(x,v,o,n-1), rd{L}(x,o+n-1));
    lemma max_from_same{L1,L2}: \forall integer n, float *x, real v, integer o, e; 0 <= n ==>
      0 <= o ==> o + n <= e ==> Same{L1,L2}(x,e) ==>
      MaxFrom{L1}(x,v,o,n) == MaxFrom{L2}(x,v,o,n);
    lemma max_at_first{L}: \forall integer n, float *x, integer o; 0 <= n ==>
      MaxAt{L}(x,o,n+1) == MaxFrom{L}(x,rd{L}(x,o),o+1,n);
    lemma part_max_of{L}: \forall float *x, integer o, m; 1 <= m ==>
      RowMax{L}(x+o,m) == MaxFrom{L}(x,rd{L}(x,o),o+1,m-1);
    lemma part_max_same{L1,L2}: \forall float *x, integer n, o, m; 0 <= o <= n - m ==> 1 <= m ==>
      Same{L1,L2}(x,n) ==> RowMax{L1}(x+o,m) == RowMax{L2}(x+o,m);
    lemma part_sum_of{L}: \forall float *x, real v, integer o, m; 0 <= m ==>
      SumExp{L}(x+o,v,m) == SumAt{L}(x,v,o,m);
    lemma part_sum_same{L1,L2}: \forall float *x, real v, integer n, o, m; 0 <= o <= n - m ==>
      0 <= m ==> Same{L1,L2}(x,n) ==> SumExp{L1}(x+o,v,m) == SumExp{L2}(x+o,v,m); */
#endif
