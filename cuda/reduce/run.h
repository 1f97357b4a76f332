/* Reduction of a contiguous run: the join of its elements, and of what it falls into: vectors of
 * four, and the elements before and behind them. */
#ifndef PM_REDUCE_RUN_H
#define PM_REDUCE_RUN_H
#include "group_join.h"

/*@ // the join of the m elements from x[p] on
    logic real Run{L}(integer which, float *x, integer p, integer m) =
      m <= 0 ? Begin(which) : Join(which, Run{L}(which,x,p,m-1), x[p+(m-1)]);
    lemma join_last: \forall integer which, real a, b, c;
      Join(which,a,Join(which,b,c)) == Join(which,Join(which,a,b),c);
    lemma join_swap: \forall integer which, real a, b, c;
      Join(which,Join(which,a,b),c) == Join(which,Join(which,a,c),b);
    // of a chunk of a row
    lemma ix_by_one: \forall integer j, a; ix(j,1,a) == j+a;
    lemma part_one{L}: \forall integer which, float *x, integer at, lo, hi; lo < hi ==>
      Part(which,x,1,at,lo,hi) == Join(which,Part(which,x,1,at,lo,hi-1),x[at+(hi-1)]);
    lemma part_run{L}: \forall integer m, which, float *x, integer at, lo; 0 <= m ==>
      Part(which,x,1,at,lo,lo+m) == Run(which,x,at+lo,m);
    // vector j of those from x[p] on
    logic real Quad{L}(integer which, float *x, integer p, integer j) =
      Join(which, Join(which,x[p+4*j],x[p+4*j+1]), Join(which,x[p+4*j+2],x[p+4*j+3]));
    // a run falls into runs, and is the join of its vectors
    predicate run_at{L}(integer which, float *x, integer p, integer m, integer k) =
      Run(which,x,p,m+k) == Join(which,Run(which,x,p,m),Run(which,x,p+m,k));
    lemma run_low{L}: \forall integer m, which, float *x, integer p; low(which,Run(which,x,p,m));
    lemma run_at_0{L}: \forall integer which, float *x, integer p, m; run_at(which,x,p,m,0);
    lemma run_at_s{L}: \forall integer which, float *x, integer p, m, k; 0 <= m ==> 0 <= k ==>
      run_at(which,x,p,m,k) ==> run_at(which,x,p,m,k+1);
    lemma run_parts{L}: \forall integer k, which, float *x, integer p, m; 0 <= k ==> 0 <= m ==>
      run_at(which,x,p,m,k);
    lemma run_four{L}: \forall integer which, float *x, integer p, j; 0 <= j ==>
      Run(which,x,p,4*j+4) == Join(which,Run(which,x,p,4*j),Quad(which,x,p,j));
    // item j: that; or (w is 0) element head+j of those from x[p] on that are `skip` apart; or an
    // element, of which those from number `head` on are `skip` further on
    logic real Single{L}(float *x, integer p, integer head, integer skip, integer j) =
      j < head ? x[p+j] : x[p+j+skip];
    logic real Item{L}(integer which, float *x, integer p, integer w, integer head, integer skip,
                       integer j) =
      w == 0 ? x[ix(head+j,skip,p)]
      : w == 4 ? Quad{L}(which,x,p,j) : Single{L}(x,p,head,skip,j);
    // the join of the first m items
    logic real Items{L}(integer which, float *x, integer p, integer w, integer head, integer skip,
                        integer m) =
      m <= 0 ? Begin(which) : Join(which, Items{L}(which,x,p,w,head,skip,m-1),
                                   Item{L}(which,x,p,w,head,skip,m-1));
    lemma items_column{L}: \forall integer m, which, float *x, integer p, lo, pitch; 0 <= m ==>
      Items(which,x,p,0,lo,pitch,m) == Part(which,x,pitch,p,lo,lo+m);
    lemma items_quads{L}: \forall integer m, which, float *x, integer p, head, skip; 0 <= m ==>
      Items(which,x,p,4,head,skip,m) == Run(which,x,p,4*m);
    lemma items_head{L}: \forall integer m, which, float *x, integer p, head, skip; m <= head ==>
      Items(which,x,p,1,head,skip,m) == Run(which,x,p,m);
    lemma items_tail{L}: \forall integer k, which, float *x, integer p, head, skip; 0 <= k ==>
      0 <= head ==> Items(which,x,p,1,head,skip,head+k) ==
      Join(which,Run(which,x,p,head),Run(which,x,p+head+skip,k));
    lemma items_from{L}: \forall integer which, float *x, integer p, head, skip, m;
      0 <= head <= m ==> Items(which,x,p,1,head,skip,m) ==
      Join(which,Run(which,x,p,head),Run(which,x,p+head+skip,m-head));
    lemma run_from{L}: \forall integer which, float *x, integer p, m, n; 0 <= m <= n ==>
      run_at(which,x,p,m,n-m) &&
      Run(which,x,p,n) == Join(which,Run(which,x,p,m),Run(which,x,p+m,n-m));
    lemma join_turn: \forall integer which, real a, b, c;
      Join(which,a,Join(which,b,c)) == Join(which,b,Join(which,a,c));
    // a run is the join of V vectors of it, from number h on, and of the `rest`
    lemma run_inner{L}: \forall integer which, float *x, integer q, V, n; 0 <= V ==> 4*V <= n ==>
      Items(which,x,q,4,0,0,V) == Run(which,x,q,4*V) && run_at(which,x,q,4*V,n-4*V) &&
      Run(which,x,q,n) == Join(which,Items(which,x,q,4,0,0,V),Run(which,x,q+4*V,n-4*V));
    predicate run_of{L}(integer which, float *x, integer p, integer h, integer V, integer rest) =
      Run(which,x,p,rest+4*V) ==
      Join(which,Items(which,x,p+h,4,0,0,V),Items(which,x,p,1,h,4*V,rest));
    lemma run_vectors{L}: \forall integer which, float *x, integer p, h, V, rest; 0 <= V ==>
      0 <= h <= rest ==> run_at(which,x,p,h,rest+4*V-h) &&
      Run(which,x,p+h,rest+4*V-h) ==
        Join(which,Items(which,x,p+h,4,0,0,V),Run(which,x,p+h+4*V,rest-h)) &&
      run_of(which,x,p,h,V,rest); */
#endif
