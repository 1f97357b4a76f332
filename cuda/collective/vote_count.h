/* Block vote with a count: of the threads of a block that vote so (lang/vote.h), how many do. */
#ifndef PM_COLLECTIVE_VOTE_COUNT_H
#define PM_COLLECTIVE_VOTE_COUNT_H
#include "../lang/vote.h"

/*@ // of threads lo .. hi-1
    logic integer Votes{L}(int *v, integer lo, integer hi) =
      hi <= lo ? 0 : Votes{L}(v,lo,hi-1) + (v[hi-1] != 0 ? 1 : 0);
    lemma votes_not_below{L}: \forall integer n, int *v, integer lo; 0 <= n ==>
      0 <= Votes{L}(v,lo,lo+n);
    lemma votes_count{L}: \forall integer hi, int *v, integer lo; lo <= hi ==> 0 <= lo ==>
      0 <= Votes{L}(v,lo,hi);
    lemma votes_zero{L}: \forall integer n, int *v; 0 <= n ==>
      (\forall integer t; 0 <= t < n ==> v[t] == 0) ==> Votes{L}(v,0,n) == 0;
    lemma votes_at{L}: \forall integer n, int *v, integer t; 0 <= t ==> t < n ==>
      Votes{L}(v,0,n) == 0 ==> v[t] == 0;
    lemma votes_none{L}: \forall int *v, integer n; 0 <= n ==>
      (Votes{L}(v,0,n) == 0 <==> none_set{L}(v,n));
    lemma votes_part{L}: \forall integer n, int *v, integer o; 0 <= n ==>
      Votes{L}(v+o,0,n) == Votes{L}(v,o,o+n);
    lemma votes_split{L}: \forall integer hi, int *v, integer m; 0 <= m ==> m <= hi ==>
      Votes{L}(v,0,hi) == Votes{L}(v,0,m) + Votes{L}(v,m,hi);
    lemma votes_same{L1,L2}: \forall integer n, int *v; 0 <= n ==>
      (\forall integer t; 0 <= t < n ==> \at(v[t],L1) == \at(v[t],L2)) ==>
      Votes{L1}(v,0,n) == Votes{L2}(v,0,n);
    predicate same_votes{L1,L2}(int *v, integer n) =
      \forall integer t; 0 <= t < n ==> \at(v[t],L1) == \at(v[t],L2);
    lemma votes_frame{L1,L2}: \forall int *v, integer n; 0 <= n ==> same_votes{L1,L2}(v,n) ==>
      Votes{L1}(v,0,n) == Votes{L2}(v,0,n); */
#endif
