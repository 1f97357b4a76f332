/* Strided items of a lane: what the lanes of a group join where a row is dealt to them one item
 * at a time, item j to lane j modulo their number: all lanes together the whole row. */
#ifndef PM_REDUCE_LANE_ITEMS_H
#define PM_REDUCE_LANE_ITEMS_H
#include "run.h"

/*@ // of those of one lane
    logic real Own{L}(integer which, float *x, integer p, integer w, integer head, integer skip,
                      integer lane, integer lanes, integer m) =
      m <= 0 ? Begin(which)
      : rem(m-1,lanes) == lane ? Join(which, Own{L}(which,x,p,w,head,skip,lane,lanes,m-1),
                                      Item{L}(which,x,p,w,head,skip,m-1))
                               : Own{L}(which,x,p,w,head,skip,lane,lanes,m-1);
    // of those of the first k lanes
    logic real Owns{L}(integer which, float *x, integer p, integer w, integer head, integer skip,
                       integer lanes, integer m, integer k) =
      k <= 0 ? Begin(which) : Join(which, Owns{L}(which,x,p,w,head,skip,lanes,m,k-1),
                                   Own{L}(which,x,p,w,head,skip,k-1,lanes,m));
    lemma own_low{L}: \forall integer m, which, float *x, integer p, w, head, skip, lane, lanes;
      low(which,Own(which,x,p,w,head,skip,lane,lanes,m));
    lemma owns_low{L}: \forall integer k, which, float *x, integer p, w, head, skip, lanes, m;
      low(which,Owns(which,x,p,w,head,skip,lanes,m,k));
    // one more item is one lane's
    lemma own_other{L}: \forall integer which, float *x, integer p, w, head, skip, lane, lanes, m;
      0 <= m ==> rem(m,lanes) != lane ==>
      Own(which,x,p,w,head,skip,lane,lanes,m+1) == Own(which,x,p,w,head,skip,lane,lanes,m);
    lemma own_one{L}: \forall integer which, float *x, integer p, w, head, skip, lane, lanes, m;
      0 <= m ==> rem(m,lanes) == lane ==> Own(which,x,p,w,head,skip,lane,lanes,m+1) ==
      Join(which,Own(which,x,p,w,head,skip,lane,lanes,m),Item(which,x,p,w,head,skip,m));
    lemma owns_before{L}: \forall integer k, which, float *x, integer p, w, head, skip, lanes, m;
      0 <= m ==> k <= rem(m,lanes) ==>
      Owns(which,x,p,w,head,skip,lanes,m+1,k) == Owns(which,x,p,w,head,skip,lanes,m,k);
    predicate owns_item{L}(integer which, float *x, integer p, integer w, integer head,
                           integer skip, integer lanes, integer m, integer k) =
      Owns(which,x,p,w,head,skip,lanes,m+1,k) ==
      Join(which,Owns(which,x,p,w,head,skip,lanes,m,k),Item(which,x,p,w,head,skip,m));
    lemma owns_at{L}: \forall integer which, float *x, integer p, w, head, skip, lanes, m, k;
      0 <= m ==> 0 <= k ==> k == rem(m,lanes) ==> owns_item(which,x,p,w,head,skip,lanes,m,k+1);
    lemma owns_step{L}: \forall integer which, float *x, integer p, w, head, skip, lanes, m, k;
      0 <= m ==> 0 <= k ==> k != rem(m,lanes) ==> owns_item(which,x,p,w,head,skip,lanes,m,k) ==>
      owns_item(which,x,p,w,head,skip,lanes,m,k+1);
    lemma owns_after{L}: \forall integer d, which, float *x, integer p, w, head, skip, lanes, m, r;
      0 <= d ==> 0 <= m ==> 0 <= r ==> r == rem(m,lanes) ==>
      Owns(which,x,p,w,head,skip,lanes,m+1,r+1+d) ==
      Join(which,Owns(which,x,p,w,head,skip,lanes,m,r+1+d),Item(which,x,p,w,head,skip,m));
    predicate behind(integer r, integer d, integer k) = 0 <= r && 0 <= d && k == r+1+d;
    lemma owns_to{L}: \forall integer which, float *x, integer p, w, head, skip, lanes, m, r, d, k;
      0 <= m ==> r == rem(m,lanes) ==> behind(r,d,k) ==>
      owns_item(which,x,p,w,head,skip,lanes,m,k);
    lemma rem_behind: \forall integer m, n; 0 <= m ==> 0 < n ==>
      behind(rem(m,n),n-1-rem(m,n),n);
    lemma owns_more{L}: \forall integer which, float *x, integer p, w, head, skip, lanes, m;
      0 <= m ==> 0 < lanes ==> behind(rem(m,lanes),lanes-1-rem(m,lanes),lanes) &&
      owns_item(which,x,p,w,head,skip,lanes,m,lanes);
    lemma own_none{L}: \forall integer which, float *x, integer p, w, head, skip, lane, lanes;
      Own(which,x,p,w,head,skip,lane,lanes,0) == Begin(which);
    lemma join_begins: \forall integer which; Join(which,Begin(which),Begin(which)) == Begin(which);
    lemma owns_none{L}: \forall integer k, which, float *x, integer p, w, head, skip, lanes;
      Owns(which,x,p,w,head,skip,lanes,0,k) == Begin(which);
    lemma owns_all{L}: \forall integer m, which, float *x, integer p, w, head, skip, lanes;
      0 <= m ==> 0 < lanes ==> Owns(which,x,p,w,head,skip,lanes,m,lanes) ==
      Items(which,x,p,w,head,skip,m);
    // what a lane has of both
    logic real Share{L}(integer which, float *x, integer p, integer head, integer V, integer rest,
                        integer lane, integer lanes) =
      Join(which, Own{L}(which,x,p+head,4,0,0,lane,lanes,V),
           Own{L}(which,x,p,1,head,4*V,lane,lanes,rest));
    predicate shares{L0,L}(integer which, float *v, integer g, float *x, integer p, integer head,
                           integer V, integer rest, integer lanes, integer k) =
      \forall integer l; 0 <= l < k ==>
        \at(v[g+l],L) == Share{L0}(which,x,p,head,V,rest,l,lanes);
    lemma shares_fewer{L0,L}: \forall integer which, float *v, integer g, float *x, integer p,
      head, V, rest, lanes, k; shares{L0,L}(which,v,g,x,p,head,V,rest,lanes,k+1) ==>
      shares{L0,L}(which,v,g,x,p,head,V,rest,lanes,k);
    lemma shares_last{L0,L}: \forall integer which, float *v, integer g, float *x, integer p,
      head, V, rest, lanes, k; 0 <= k ==>
      shares{L0,L}(which,v,g,x,p,head,V,rest,lanes,k+1) ==>
      \at(v[g+k],L) == Share{L0}(which,x,p,head,V,rest,k,lanes);
    predicate shared_of{L0,L}(integer which, float *v, integer g, float *x, integer p, integer head,
                              integer V, integer rest, integer lanes, integer k) =
      JoinR{L}(which,v,g,k) == Join(which, Owns{L0}(which,x,p+head,4,0,0,lanes,V,k),
                                    Owns{L0}(which,x,p,1,head,4*V,lanes,rest,k));
    lemma join_four: \forall integer which, real a, b, c, d;
      Join(which,Join(which,a,b),Join(which,c,d)) == Join(which,Join(which,a,c),Join(which,b,d));
    lemma shared_0{L0,L}: \forall integer which, float *v, integer g, float *x, integer p, head, V,
      rest, lanes; shared_of{L0,L}(which,v,g,x,p,head,V,rest,lanes,0);
    lemma shared_s{L0,L}: \forall integer which, float *v, integer g, float *x, integer p, head, V,
      rest, lanes, k; 0 <= k ==>
      \at(v[g+k],L) == Share{L0}(which,x,p,head,V,rest,k,lanes) ==>
      shared_of{L0,L}(which,v,g,x,p,head,V,rest,lanes,k) ==>
      shared_of{L0,L}(which,v,g,x,p,head,V,rest,lanes,k+1);
    lemma shared_n{L0,L}: \forall integer k, which, float *v, integer g, float *x, integer p, head,
      V, rest, lanes; 0 <= k ==> shares{L0,L}(which,v,g,x,p,head,V,rest,lanes,k) ==>
      shared_of{L0,L}(which,v,g,x,p,head,V,rest,lanes,k);
    // the lanes of a group, together
    lemma group_owns{L0,L}: \forall integer which, float *v, integer g, float *x, integer p, head,
      V, rest, lanes; 0 < lanes ==> 0 <= rest ==> 0 <= V ==>
      shares{L0,L}(which,v,g,x,p,head,V,rest,lanes,lanes) ==>
      shared_of{L0,L}(which,v,g,x,p,head,V,rest,lanes,lanes) &&
      JoinR{L}(which,v,g,lanes) == Join(which, Items{L0}(which,x,p+head,4,0,0,V),
                                        Items{L0}(which,x,p,1,head,4*V,rest));
    lemma group_run{L0,L}: \forall integer which, float *v, integer g, float *x, integer p, head,
      V, rest, lanes; 0 < lanes ==> 0 <= head <= rest ==> 0 <= V ==>
      shares{L0,L}(which,v,g,x,p,head,V,rest,lanes,lanes) ==>
      run_of{L0}(which,x,p,head,V,rest) && JoinR{L}(which,v,g,lanes) == Run{L0}(which,x,p,rest+4*V);
    // where a lane's items are
    lemma rem_apart: \forall integer j, k, n; 0 <= j < k < j+n ==> rem(k,n) != rem(j,n);
    lemma own_still{L}: \forall integer which, float *x, integer p, w, head, skip, lane, lanes, j,
      m; 0 <= j < m < j+lanes ==> rem(j,lanes) == lane ==> rem(m,lanes) != rem(j,lanes) &&
      Own(which,x,p,w,head,skip,lane,lanes,m+1) == Own(which,x,p,w,head,skip,lane,lanes,m);
    lemma own_skip{L}: \forall integer d, which, float *x, integer p, w, head, skip, lane, lanes, j;
      0 <= d < lanes ==> 0 <= j ==> rem(j,lanes) == lane ==>
      Own(which,x,p,w,head,skip,lane,lanes,j+1+d) == Own(which,x,p,w,head,skip,lane,lanes,j+1);
    lemma own_before{L}: \forall integer m, which, float *x, integer p, w, head, skip, lane, lanes;
      m <= lane < lanes ==> Own(which,x,p,w,head,skip,lane,lanes,m) == Begin(which);
    lemma own_upto{L}: \forall integer which, float *x, integer p, w, head, skip, lane, lanes, j, d,
      m; behind(j,d,m) ==> d < lanes ==> rem(j,lanes) == lane ==>
      Own(which,x,p,w,head,skip,lane,lanes,j+1+d) == Own(which,x,p,w,head,skip,lane,lanes,j+1) &&
      Own(which,x,p,w,head,skip,lane,lanes,m) ==
      Join(which,Own(which,x,p,w,head,skip,lane,lanes,j),Item(which,x,p,w,head,skip,j));
    lemma own_next{L}: \forall integer which, float *x, integer p, w, head, skip, lane, lanes, j, m;
      0 <= j < m <= j + lanes ==> rem(j,lanes) == lane ==> behind(j,m-1-j,m) &&
      Own(which,x,p,w,head,skip,lane,lanes,m) ==
      Join(which,Own(which,x,p,w,head,skip,lane,lanes,j),Item(which,x,p,w,head,skip,j));
    // at an item of the lane's, and so many turns on
    predicate at_own(integer j, integer lane, integer lanes) =
      0 <= j && 0 <= lane < lanes <= 32 && rem(j,lanes) == lane;
    predicate turn_on(integer j, integer k, integer lanes) = k == j + lanes;
    lemma rem_on: \forall integer j, k, n; 0 <= j ==> 0 < n ==> turn_on(j,k,n) ==>
      rem(k,n) == rem(j,n);
    lemma own_on: \forall integer j, k, lane, lanes; at_own(j,lane,lanes) ==>
      turn_on(j,k,lanes) ==> at_own(k,lane,lanes);
    lemma ix_turn: \forall integer j, i, n; turn_on(j+ix(i,n,0),j+ix(i+1,n,0),n);
    // no other item of the lane's is below m
    predicate own_below(integer j, integer m, integer lane, integer lanes) =
      at_own(j,lane,lanes) && j < m <= j+lanes;
    lemma own_joined{L}: \forall integer which, float *x, integer p, w, head, skip, lane, lanes, j,
      m; own_below(j,m,lane,lanes) ==> Own(which,x,p,w,head,skip,lane,lanes,m) ==
      Join(which,Own(which,x,p,w,head,skip,lane,lanes,j),Item(which,x,p,w,head,skip,j));
    lemma own_begin: \forall integer lane, lanes; 0 <= lane < lanes <= 32 ==>
      at_own(lane,lane,lanes);
    // of a chunk of `len` elements from x[at] on, which W is 4 for vectors
    logic integer vecs_of(integer W, integer at, integer len) = (len - head_of(W,at,len)) / 4;
    logic real LaneShare{L}(integer W, integer which, float *x, integer at, integer len,
                            integer lane, integer lanes) =
      Share{L}(which,x,at,head_of(W,at,len),vecs_of(W,at,len),len-4*vecs_of(W,at,len),lane,lanes);
    lemma vecs_single: \forall integer at, len; head_of(1,at,len) == len && vecs_of(1,at,len) == 0;
    lemma share_none{L}: \forall integer which, float *x, integer at, len, lane, lanes;
      Share(which,x,at,len,0,len,lane,lanes) == Own(which,x,at,1,len,0,lane,lanes,len);
    lemma share_single{L}: \forall integer which, float *x, integer at, len, lane, lanes;
      LaneShare(1,which,x,at,len,lane,lanes) == Share(which,x,at,len,0,len,lane,lanes) &&
      LaneShare(1,which,x,at,len,lane,lanes) == Own(which,x,at,1,len,0,lane,lanes,len);
    lemma share_four{L}: \forall integer which, float *x, integer at, len, lane, lanes;
      LaneShare(4,which,x,at,len,lane,lanes) == Share(which,x,at,head_of(4,at,len),
        vecs_of(4,at,len),len-4*vecs_of(4,at,len),lane,lanes);
    lemma share_low{L}: \forall integer W, which, float *x, integer at, len, lane, lanes;
      low(which,LaneShare(W,which,x,at,len,lane,lanes));
    lemma vecs_in: \forall integer W, at, len; W == 1 || W == 4 ==> 0 <= at ==> 0 <= len ==>
      0 <= head_of(W,at,len) <= len-4*vecs_of(W,at,len) && 0 <= vecs_of(W,at,len);
    predicate lane_shares{L0,L}(integer W, integer which, float *v, integer g, float *x, integer at,
                                integer len, integer lanes) =
      \forall integer l; 0 <= l < lanes ==>
        \at(v[g+l],L) == LaneShare{L0}(W,which,x,at,len,l,lanes);
    lemma chunk_shares{L0,L}: \forall integer W, which, float *v, integer g, float *x, integer at,
      len, lanes; lane_shares{L0,L}(W,which,v,g,x,at,len,lanes) ==>
      shares{L0,L}(which,v,g,x,at,head_of(W,at,len),vecs_of(W,at,len),
                   len-4*vecs_of(W,at,len),lanes,lanes);
    lemma chunk_join{L0,L}: \forall integer W, which, float *v, integer g, float *x, integer at,
      len,
      lanes; W == 1 || W == 4 ==> 0 <= at ==> 0 <= len ==> 0 < lanes ==>
      lane_shares{L0,L}(W,which,v,g,x,at,len,lanes) ==>
      JoinR{L}(which,v,g,lanes) == Run{L0}(which,x,at,len); */
#endif
