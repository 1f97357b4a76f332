/* What the lanes of a group join where a chunk of a row is dealt to them, and where that is put:
 * lane l of a block, whose first group is number `first`, is of group first + l / lanes. */
#ifndef PM_REDUCE_ROWS_SPEC_H
#define PM_REDUCE_ROWS_SPEC_H
#include "narrow_spec.h"

/*@ predicate lane_row(integer first, integer l, integer lanes, integer k) =
      k == first+quo(l,lanes);
    // a block begins with a group
    lemma lane_on_1: \forall integer a, l, T; turn_on(a,T,l) ==> 0 <= a ==> 0 <= l ==> a % 32 ==
      0 ==>
      quo(T,1) == quo(a,1)+quo(l,1) && rem(T,1) == rem(l,1);
    lemma lane_on_2: \forall integer a, l, T; turn_on(a,T,l) ==> 0 <= a ==> 0 <= l ==> a % 32 ==
      0 ==>
      quo(T,2) == quo(a,2)+quo(l,2) && rem(T,2) == rem(l,2);
    lemma lane_on_4: \forall integer a, l, T; turn_on(a,T,l) ==> 0 <= a ==> 0 <= l ==> a % 32 ==
      0 ==>
      quo(T,4) == quo(a,4)+quo(l,4) && rem(T,4) == rem(l,4);
    lemma lane_on_8: \forall integer a, l, T; turn_on(a,T,l) ==> 0 <= a ==> 0 <= l ==> a % 32 ==
      0 ==>
      quo(T,8) == quo(a,8)+quo(l,8) && rem(T,8) == rem(l,8);
    lemma lane_on_16: \forall integer a, l, T; turn_on(a,T,l) ==> 0 <= a ==> 0 <= l ==>
      a % 32 == 0 ==> quo(T,16) == quo(a,16)+quo(l,16) && rem(T,16) == rem(l,16);
    lemma lane_on_32: \forall integer a, l, T; turn_on(a,T,l) ==> 0 <= a ==> 0 <= l ==>
      a % 32 == 0 ==> quo(T,32) == quo(a,32)+quo(l,32) && rem(T,32) == rem(l,32);
    lemma lane_on: \forall integer a, l, T, lanes, groups; group(lanes,groups) ==> turn_on(a,T,
      l) ==>
      0 <= a ==> 0 <= l ==> a % 32 == 0 ==>
      quo(T,lanes) == quo(a,lanes)+quo(l,lanes) && rem(T,lanes) == rem(l,lanes);
    lemma block_turn: \forall integer b, n, t; turn_on(ix(b,n,0),ix(b,n,t),t);
    lemma block_step: \forall integer b, c, n; turn_on(b,c,1) ==> turn_on(ix(b,n,0),ix(c,n,0),n);
    predicate covers(integer count, integer lanes, integer blocks, integer n) =
      0 < lanes && ix(count,lanes,0) <= ix(blocks,n,0);
    lemma groups_all: \forall integer count, blocks, n, lanes; covers(count,lanes,blocks,n) ==>
      count <= quo(ix(blocks,n,0),lanes);
    lemma group_first: \forall integer b, n, lanes; 0 <= b ==> 0 <= n ==> 0 < lanes ==>
      0 <= ix(b,n,0) && 0 <= quo(ix(b,n,0),lanes);
    // lane u is the j-th of the group that l is in
    predicate group_lane(integer l, integer u, integer lanes, integer j) =
      turn_on(group_of(l,lanes),u,j);
    lemma group_digits: \forall integer l, u, lanes, j; 0 <= l ==> 0 <= j < lanes ==>
      group_lane(l,u,lanes,j) ==> ix(quo(l,lanes),lanes,j) == u && 0 <= quo(l,lanes) &&
      quo(u,lanes) == quo(l,lanes) && rem(u,lanes) == j;
    lemma room_1: \forall integer l, u, t, j; 0 <= l < t ==> 0 <= j < 1 ==>
      group_lane(l,u,1,j) ==> group_of(l,1) == 1*(l/1) && 0 <= u < t;
    lemma room_2: \forall integer l, u, t, j; 0 <= l < t ==> t % 32 == 0 ==> 0 <= j < 2 ==>
      group_lane(l,u,2,j) ==> group_of(l,2) == 2*(l/2) && 0 <= u < t;
    lemma room_4: \forall integer l, u, t, j; 0 <= l < t ==> t % 32 == 0 ==> 0 <= j < 4 ==>
      group_lane(l,u,4,j) ==> group_of(l,4) == 4*(l/4) && 0 <= u < t;
    lemma room_8: \forall integer l, u, t, j; 0 <= l < t ==> t % 32 == 0 ==> 0 <= j < 8 ==>
      group_lane(l,u,8,j) ==> group_of(l,8) == 8*(l/8) && 0 <= u < t;
    lemma room_16: \forall integer l, u, t, j; 0 <= l < t ==> t % 32 == 0 ==> 0 <= j < 16 ==>
      group_lane(l,u,16,j) ==> group_of(l,16) == 16*(l/16) && 0 <= u < t;
    lemma room_32: \forall integer l, u, t, j; 0 <= l < t ==> t % 32 == 0 ==> 0 <= j < 32 ==>
      group_lane(l,u,32,j) ==> group_of(l,32) == 32*(l/32) && 0 <= u < t;
    lemma group_room: \forall integer l, u, t, j, lanes, groups; group(lanes,groups) ==>
      0 <= l < t ==> t % 32 == 0 ==> 0 <= j < lanes ==> group_lane(l,u,lanes,j) ==> 0 <= u < t; */

/*@ // what lane j has of chunk k, and what lane l of a block takes, of `count` chunks
    logic real RowShare{L}(integer W, integer which, float *x, integer n, integer chunk,
                           integer chunks, integer k, integer j, integer lanes) =
      LaneShare{L}(W,which,x,chunk_at(k,n,chunk,chunks),chunk_len(k,n,chunk,chunks),j,lanes);
    logic real RowTaken{L}(integer W, integer which, float *x, integer first, integer l,
                           integer lanes, integer n, integer chunk, integer chunks,
                           integer count) =
      first+quo(l,lanes) < count
        ? RowShare{L}(W,which,x,n,chunk,chunks,first+quo(l,lanes),rem(l,lanes),lanes)
        : Begin(which);
    predicate rows_taken{L0,L}(integer W, integer which, float *s, float *x, integer first,
                               integer lanes, integer n, integer chunk, integer chunks,
                               integer count, integer t) =
      \forall integer l; 0 <= l < t ==>
        \at(s[l],L) == RowTaken{L0}(W,which,x,first,l,lanes,n,chunk,chunks,count);
    lemma row_taken_is{L}: \forall integer W, which, float *x, integer first, l, lanes, n, chunk,
      chunks, count, k; lane_row(first,l,lanes,k) ==> k < count ==>
      RowTaken(W,which,x,first,l,lanes,n,chunk,chunks,count) ==
      RowShare(W,which,x,n,chunk,chunks,k,rem(l,lanes),lanes);
    lemma row_taken_low{L}: \forall integer W, which, float *x, integer first, l, lanes, n, chunk,
      chunks, count; low(which,RowTaken(W,which,x,first,l,lanes,n,chunk,chunks,count));
    lemma rows_taken_lows{L0,L}: \forall integer W, which, float *s, *x, integer first, lanes, n,
      chunk, chunks, count, t; rows_taken{L0,L}(W,which,s,x,first,lanes,n,chunk,chunks,count,t) ==>
      lows{L}(which,s,t);
    // where x is the same
    predicate items_same{L1,L2}(integer which, float *x, integer p, integer w, integer head,
                                integer skip, integer n) =
      \forall integer j; 0 <= j < n ==> Item{L1}(which,x,p,w,head,skip,j) ==
        Item{L2}(which,x,p,w,head,skip,j);
    lemma quads_same{L1,L2}: \forall integer which, float *x, integer p, head, skip, n, size;
      0 <= p ==> p+4*n <= size ==> Same{L1,L2}(x,size) ==>
      items_same{L1,L2}(which,x,p,4,head,skip,n);
    lemma singles_same{L1,L2}: \forall integer which, float *x, integer p, head, skip, n, size;
      0 <= p ==> 0 <= skip ==> p+n+skip <= size ==> Same{L1,L2}(x,size) ==>
      items_same{L1,L2}(which,x,p,1,head,skip,n);
    lemma own_same_s{L1,L2}: \forall integer which, float *x, integer p, w, head, skip, lane, lanes,
      m; 0 <= m ==> Item{L1}(which,x,p,w,head,skip,m) == Item{L2}(which,x,p,w,head,skip,m) ==>
      Own{L1}(which,x,p,w,head,skip,lane,lanes,m) == Own{L2}(which,x,p,w,head,skip,lane,lanes,m) ==>
      Own{L1}(which,x,p,w,head,skip,lane,lanes,m+1) ==
      Own{L2}(which,x,p,w,head,skip,lane,lanes,m+1);
    lemma own_same{L1,L2}: \forall integer m, which, float *x, integer p, w, head, skip, lane,
      lanes, n; m <= n ==> items_same{L1,L2}(which,x,p,w,head,skip,n) ==>
      Own{L1}(which,x,p,w,head,skip,lane,lanes,m) == Own{L2}(which,x,p,w,head,skip,lane,lanes,m);
    lemma share_frame{L1,L2}: \forall integer which, float *x, integer p, head, V, rest, lane,
      lanes, size; 0 <= p ==> 0 <= V ==> 0 <= head <= rest ==> p+rest+4*V <= size ==>
      Same{L1,L2}(x,size) ==> items_same{L1,L2}(which,x,p+head,4,0,0,V) &&
      items_same{L1,L2}(which,x,p,1,head,4*V,rest) &&
      Share{L1}(which,x,p,head,V,rest,lane,lanes) == Share{L2}(which,x,p,head,V,rest,lane,lanes);
    predicate row_in(integer at, integer len, integer size) =
      0 <= at && 0 <= len && at+len <= size;
    lemma lane_share_frame{L1,L2}: \forall integer W, which, float *x, integer at, len, lane, lanes,
      size; W == 1 || W == 4 ==> row_in(at,len,size) ==> Same{L1,L2}(x,size) ==>
      LaneShare{L1}(W,which,x,at,len,lane,lanes) == LaneShare{L2}(W,which,x,at,len,lane,lanes);
    lemma row_of: \forall integer outer, k, chunks; 0 < chunks ==> 0 <= k < ix(outer,chunks,0) ==>
      0 <= quo(k,chunks) < outer && 0 <= rem(k,chunks) < chunks;
    lemma row_room: \forall integer o, outer, n, from, len; 0 <= o < outer ==> 0 <= from ==>
      0 <= n ==> 0 <= len <= n-from ==> ix(o+1,n,0) <= ix(outer,n,0) &&
      row_in(ix(o,n,from),len,ix(outer,n,0));
    lemma row_inside: \forall integer outer, n, chunk, chunks, k; level(outer,n,1,chunk,chunks) ==>
      0 <= k < ix(outer,chunks,0) ==> 0 <= quo(k,chunks) < outer && 0 <= rem(k,chunks) < chunks &&
      0 <= ix(rem(k,chunks),chunk,0) <= n && 0 <= chunk_from(k,chunk,chunks) <= n &&
      0 <= chunk_len(k,n,chunk,chunks) <= n-chunk_from(k,chunk,chunks) &&
      row_in(chunk_at(k,n,chunk,chunks),chunk_len(k,n,chunk,chunks),ix(outer,n,0));
    lemma row_share_frame{L1,L2}: \forall integer W, which, float *x, integer k, j, lanes, outer, n,
      chunk, chunks; W == 1 || W == 4 ==> level(outer,n,1,chunk,chunks) ==>
      0 <= k < ix(outer,chunks,0) ==> Same{L1,L2}(x,ix(outer,n,0)) ==>
      RowShare{L1}(W,which,x,n,chunk,chunks,k,j,lanes) ==
      RowShare{L2}(W,which,x,n,chunk,chunks,k,j,lanes);
    lemma lane_row_range: \forall integer first, l, lanes, k; 0 <= first ==> 0 <= l ==>
      0 < lanes ==> lane_row(first,l,lanes,k) ==> 0 <= quo(l,lanes) && 0 <= k;
    lemma row_taken_frame{L1,L2}: \forall integer W, which, float *x, integer first, l, lanes,
      outer,
      n, chunk, chunks; W == 1 || W == 4 ==> level(outer,n,1,chunk,chunks) ==> 0 <= first ==>
      0 <= l ==> 0 < lanes ==> Same{L1,L2}(x,ix(outer,n,0)) ==> 0 <= quo(l,lanes) &&
      RowTaken{L1}(W,which,x,first,l,lanes,n,chunk,chunks,ix(outer,chunks,0)) ==
      RowTaken{L2}(W,which,x,first,l,lanes,n,chunk,chunks,ix(outer,chunks,0)); */

/*@ // the lanes of a group have its chunk among them, and together the join of it
    lemma row_mate{L0,L}: \forall integer W, which, float *s, *x, integer first, lanes, n, chunk,
      chunks, count, t, l, u, k, j;
      rows_taken{L0,L}(W,which,s,x,first,lanes,n,chunk,chunks,count,t) ==> 0 <= u < t ==>
      0 <= l ==> 0 <= j < lanes ==> group_lane(l,u,lanes,j) ==> lane_row(first,l,lanes,k) ==>
      k < count ==> quo(u,lanes) == quo(l,lanes) && rem(u,lanes) == j &&
      lane_row(first,u,lanes,k) && \at(s[u],L) ==
      LaneShare{L0}(W,which,x,chunk_at(k,n,chunk,chunks),chunk_len(k,n,chunk,chunks),j,lanes);
    lemma row_mate_in{L0,L}: \forall integer W, which, float *s, *x, integer first, lanes, groups,
      n,
      chunk, chunks, count, t, l, u, k, j;
      rows_taken{L0,L}(W,which,s,x,first,lanes,n,chunk,chunks,count,t) ==> group(lanes,groups) ==>
      t % 32 == 0 ==> 0 <= l < t ==> 0 <= j < lanes ==> group_lane(l,u,lanes,j) ==>
      lane_row(first,l,lanes,k) ==> k < count ==> 0 <= u < t && \at(s[u],L) ==
      LaneShare{L0}(W,which,x,chunk_at(k,n,chunk,chunks),chunk_len(k,n,chunk,chunks),j,lanes);
    predicate lane_share_at{L0,L}(integer W, integer which, float *v, integer g, float *x,
                                  integer at, integer len, integer lanes, integer j) =
      \at(v[g+j],L) == LaneShare{L0}(W,which,x,at,len,j,lanes);
    predicate lanes_share_at{L0,L}(integer W, integer which, float *v, integer g, float *x,
                                   integer at, integer len, integer lanes) =
      \forall integer j; 0 <= j < lanes ==>
        lane_share_at{L0,L}(W,which,v,g,x,at,len,lanes,j);
    lemma lane_share_has{L0,L}: \forall integer W, which, float *v, integer g, float *x, integer at,
      len, lanes, j; lanes_share_at{L0,L}(W,which,v,g,x,at,len,lanes) ==> 0 <= j < lanes ==>
      lane_share_at{L0,L}(W,which,v,g,x,at,len,lanes,j) &&
      \at(v[g+j],L) == LaneShare{L0}(W,which,x,at,len,j,lanes);
    lemma lanes_share_is{L0,L}: \forall integer W, which, float *v, integer g, float *x, integer at,
      len, lanes; lanes_share_at{L0,L}(W,which,v,g,x,at,len,lanes) ==>
      lane_shares{L0,L}(W,which,v,g,x,at,len,lanes);
    lemma row_mate_at{L0,L}: \forall integer W, which, float *s, *x, integer first, lanes, groups,
      n,
      chunk, chunks, count, t, l, k, j;
      rows_taken{L0,L}(W,which,s,x,first,lanes,n,chunk,chunks,count,t) ==> group(lanes,groups) ==>
      t % 32 == 0 ==> 0 <= l < t ==> 0 <= j < lanes ==> lane_row(first,l,lanes,k) ==> k < count ==>
      group_lane(l,group_of(l,lanes)+j,lanes,j) &&
      lane_share_at{L0,L}(W,which,s,group_of(l,lanes),x,chunk_at(k,n,chunk,chunks),
                          chunk_len(k,n,chunk,chunks),lanes,j);
    lemma row_mates{L0,L}: \forall integer W, which, float *s, *x, integer first, lanes, groups, n,
      chunk, chunks, count, t, l, k;
      rows_taken{L0,L}(W,which,s,x,first,lanes,n,chunk,chunks,count,t) ==> group(lanes,groups) ==>
      t % 32 == 0 ==> 0 <= l < t ==> lane_row(first,l,lanes,k) ==> k < count ==>
      lanes_share_at{L0,L}(W,which,s,group_of(l,lanes),x,chunk_at(k,n,chunk,chunks),
                           chunk_len(k,n,chunk,chunks),lanes) &&
      lane_shares{L0,L}(W,which,s,group_of(l,lanes),x,chunk_at(k,n,chunk,chunks),
                        chunk_len(k,n,chunk,chunks),lanes);
    lemma row_run{L0,L1,L2}: \forall integer W, which, float *s, *x, integer first, lanes, groups,
      n,
      chunk, chunks, count, t, l, k; W == 1 || W == 4 ==>
      rows_taken{L0,L1}(W,which,s,x,first,lanes,n,chunk,chunks,count,t) ==>
      joined{L1,L2}(which,s,t,lanes) ==> group(lanes,groups) ==> t % 32 == 0 ==> 0 <= l < t ==>
      lane_row(first,l,lanes,k) ==> k < count ==> 0 <= chunk_at(k,n,chunk,chunks) ==>
      0 <= chunk_len(k,n,chunk,chunks) ==>
      lane_shares{L0,L1}(W,which,s,group_of(l,lanes),x,chunk_at(k,n,chunk,chunks),
                         chunk_len(k,n,chunk,chunks),lanes) &&
      \at(s[l],L2) == JoinR{L1}(which,s,group_of(l,lanes),lanes) && \at(s[l],L2) ==
      Run{L0}(which,x,chunk_at(k,n,chunk,chunks),chunk_len(k,n,chunk,chunks));
    // that is what is left of the chunk
    predicate part_is{L}(integer which, float *x, integer at, integer lo, integer p, integer m) =
      Part(which,x,1,at,lo,lo+m) == Run(which,x,p,m);
    lemma part_is_0{L}: \forall integer which, float *x, integer at, lo, p;
      part_is(which,x,at,lo,p,0);
    lemma part_where: \forall integer at, lo, hi, p, m; turn_on(at,p,lo) ==> turn_on(lo,hi,m) ==>
      at+hi == p+m;
    lemma part_step{L}: \forall integer which, float *x, integer at, lo, hi; lo <= hi ==>
      Part(which,x,1,at,lo,hi+1) == Join(which,Part(which,x,1,at,lo,hi),x[at+hi]);
    lemma part_to{L}: \forall integer which, float *x, integer at, lo, hi, to; lo <= hi ==>
      turn_on(hi,to,1) ==>
      Part(which,x,1,at,lo,hi+1) == Join(which,Part(which,x,1,at,lo,hi),x[at+hi]) &&
      Part(which,x,1,at,lo,to) == Join(which,Part(which,x,1,at,lo,hi),x[at+hi]);
    lemma part_more{L}: \forall integer which, float *x, integer at, lo, hi, to, p, m; lo <= hi ==>
      turn_on(at,p,lo) ==> turn_on(lo,hi,m) ==> turn_on(hi,to,1) ==> at+hi == p+m &&
      Part(which,x,1,at,lo,to) == Join(which,Part(which,x,1,at,lo,hi),x[at+hi]) &&
      Part(which,x,1,at,lo,to) == Join(which,Part(which,x,1,at,lo,hi),x[p+m]);
    lemma run_step{L}: \forall integer which, float *x, integer p, m; 0 <= m ==>
      Run(which,x,p,m+1) == Join(which,Run(which,x,p,m),x[p+m]);
    lemma part_is_s{L}: \forall integer which, float *x, integer at, lo, p, m; 0 <= m ==>
      turn_on(at,p,lo) ==> part_is(which,x,at,lo,p,m) ==> turn_on(lo,lo+m,m) &&
      turn_on(lo+m,lo+(m+1),1) && turn_on(m,m+1,1) &&
      Part(which,x,1,at,lo,lo+(m+1)) == Join(which,Part(which,x,1,at,lo,lo+m),x[p+m]) &&
      Run(which,x,p,m+1) == Join(which,Run(which,x,p,m),x[p+m]) &&
      part_is(which,x,at,lo,p,m+1);
    lemma part_is_n{L}: \forall integer m, which, float *x, integer at, lo, p; 0 <= m ==>
      turn_on(at,p,lo) ==> part_is(which,x,at,lo,p,m);
    lemma part_run_to{L}: \forall integer which, float *x, integer at, lo, hi, p, m; 0 <= m ==>
      turn_on(lo,hi,m) ==> turn_on(at,p,lo) ==> part_is(which,x,at,lo,p,m) &&
      Part(which,x,1,at,lo,hi) == Run(which,x,p,m);
    lemma row_ends: \forall integer k, n, chunk, chunks;
      turn_on(ix(rem(k,chunks),chunk,0),lesser(ix(rem(k,chunks),chunk,0)+chunk,n),
              chunk_len(k,n,chunk,chunks)) &&
      turn_on(ix(ix(quo(k,chunks),n,0),1,0),chunk_at(k,n,chunk,chunks),ix(rem(k,chunks),chunk,0));
    lemma run_left{L}: \forall integer which, all, float *x, integer n, chunk, chunks, k;
      0 <= chunk_len(k,n,chunk,chunks) ==>
      turn_on(ix(rem(k,chunks),chunk,0),lesser(ix(rem(k,chunks),chunk,0)+chunk,n),
              chunk_len(k,n,chunk,chunks)) &&
      turn_on(ix(ix(quo(k,chunks),n,0),1,0),chunk_at(k,n,chunk,chunks),
              ix(rem(k,chunks),chunk,0)) &&
      Part(which,x,1,ix(ix(quo(k,chunks),n,0),1,0),ix(rem(k,chunks),chunk,0),
           lesser(ix(rem(k,chunks),chunk,0)+chunk,n)) ==
      Run(which,x,chunk_at(k,n,chunk,chunks),chunk_len(k,n,chunk,chunks)) &&
      Left(which,all,x,n,1,chunk,chunks,k,0) ==
      Last(which,all,Run(which,x,chunk_at(k,n,chunk,chunks),chunk_len(k,n,chunk,chunks)));
    predicate group_left{L0,L}(integer which, integer all, float *s, float *x, integer n,
                               integer chunk, integer chunks, integer k, integer l) =
      Last(which,all,\at(s[l],L)) == Left{L0}(which,all,x,n,1,chunk,chunks,k,0);
    predicate groups_left{L0,L}(integer which, integer all, float *s, float *x, integer n,
                                integer chunk, integer chunks, integer first, integer lanes,
                                integer count, integer t) =
      \forall integer l; 0 <= l < t ==> first+quo(l,lanes) < count ==>
        group_left{L0,L}(which,all,s,x,n,chunk,chunks,first+quo(l,lanes),l);
    lemma group_is_left{L0,L1,L2}: \forall integer W, which, all, float *s, *x, integer first,
      lanes,
      groups, outer, n, chunk, chunks, count, t, l, k; W == 1 || W == 4 ==>
      level(outer,n,1,chunk,chunks) ==> count == ix(outer,chunks,0) ==>
      rows_taken{L0,L1}(W,which,s,x,first,lanes,n,chunk,chunks,count,t) ==>
      joined{L1,L2}(which,s,t,lanes) ==> group(lanes,groups) ==> t % 32 == 0 ==> 0 <= l < t ==>
      0 <= first ==> lane_row(first,l,lanes,k) ==> k < count ==> 0 <= quo(l,lanes) &&
      row_in(chunk_at(k,n,chunk,chunks),chunk_len(k,n,chunk,chunks),ix(outer,n,0)) &&
      group_left{L0,L2}(which,all,s,x,n,chunk,chunks,k,l);
    lemma groups_are_left{L0,L1,L2}: \forall integer W, which, all, float *s, *x, integer first,
      lanes, groups, outer, n, chunk, chunks, count, t; W == 1 || W == 4 ==>
      level(outer,n,1,chunk,chunks) ==> count == ix(outer,chunks,0) ==> 0 <= first ==>
      rows_taken{L0,L1}(W,which,s,x,first,lanes,n,chunk,chunks,count,t) ==>
      joined{L1,L2}(which,s,t,lanes) ==> group(lanes,groups) ==> t % 32 == 0 ==>
      groups_left{L0,L2}(which,all,s,x,n,chunk,chunks,first,lanes,count,t); */

/*@ // a group's first lane puts it in row k of out
    predicate group_put{L0,L}(integer which, integer all, float *s, float *out, integer k,
                              integer l) =
      \at(out[ix(k,1,0)],L) == Last(which,all,\at(s[l],L0));
    predicate groups_put{L0,L}(integer which, integer all, float *s, float *out, integer first,
                               integer lanes, integer count, integer t) =
      \forall integer l; 0 <= l < t ==> rem(l,lanes) == 0 ==> first+quo(l,lanes) < count ==>
        group_put{L0,L}(which,all,s,out,first+quo(l,lanes),l);
    lemma group_put_kept{L0,L1,L2}: \forall integer which, all, float *s, *out, integer first,
      lanes,
      l, t, k, r; 0 <= l ==> 0 <= t ==> 0 < lanes ==> l != t ==> rem(l,lanes) == 0 ==>
      lane_row(first,t,lanes,k) ==> lane_row(first,l,lanes,r) ==>
      but_cell{L1,L2}(out,k,rem(t,lanes),1) ==> group_put{L0,L1}(which,all,s,out,r,l) ==>
      (quo(l,lanes) != quo(t,lanes) || rem(l,lanes) != rem(t,lanes)) &&
      \at(out[ix(r,1,0)],L1) == \at(out[ix(r,1,0)],L2) && group_put{L0,L2}(which,all,s,out,r,l);
    lemma groups_put_old{L0,L1,L2}: \forall integer which, all, float *s, *out, integer first,
      lanes,
      count, t, k; 0 <= t ==> 0 < lanes ==> lane_row(first,t,lanes,k) ==>
      but_cell{L1,L2}(out,k,rem(t,lanes),1) ==>
      groups_put{L0,L1}(which,all,s,out,first,lanes,count,t) ==>
      groups_put{L0,L2}(which,all,s,out,first,lanes,count,t);
    lemma groups_put_new{L0,L}: \forall integer which, all, float *s, *out, integer first, lanes,
      count, t; (rem(t,lanes) == 0 ==> first+quo(t,lanes) < count ==>
          group_put{L0,L}(which,all,s,out,first+quo(t,lanes),t)) ==>
      groups_put{L0,L}(which,all,s,out,first,lanes,count,t) ==>
      groups_put{L0,L}(which,all,s,out,first,lanes,count,t+1);
    lemma first_kept{L1,L2}: \forall float *out, integer first, lanes, t, k; 0 <= t ==>
      0 < lanes ==> lane_row(first,t,lanes,k) ==> but_cell{L1,L2}(out,k,rem(t,lanes),1) ==>
      0 <= quo(t,lanes) && kept{L1,L2}(out,1,first,0);
    lemma kept_on{L0,L1,L2}: \forall float *out, integer w, k; kept{L0,L1}(out,w,k,0) ==>
      kept{L1,L2}(out,w,k,0) ==> kept{L0,L2}(out,w,k,0);
    // what they put is what is left of x
    lemma group_begin: \forall integer first, t, k, lanes; first <= k < first+quo(t,lanes) ==>
      0 <= t ==> 0 < lanes ==> 0 <= ix(k-first,lanes,0) < t && rem(ix(k-first,lanes,0),lanes) ==
        0 &&
      quo(ix(k-first,lanes,0),lanes) == k-first;
    lemma group_left_at{L0,L}: \forall integer which, all, float *s, *x, integer n, chunk, chunks,
      first, lanes, count, t, l, k; lane_row(first,l,lanes,k) ==> 0 <= l < t ==> k < count ==>
      groups_left{L0,L}(which,all,s,x,n,chunk,chunks,first,lanes,count,t) ==>
      group_left{L0,L}(which,all,s,x,n,chunk,chunks,k,l);
    lemma group_put_at{L0,L}: \forall integer which, all, float *s, *out, integer first, lanes,
      count, t, l, k; lane_row(first,l,lanes,k) ==> 0 <= l < t ==> rem(l,lanes) == 0 ==>
      k < count ==> groups_put{L0,L}(which,all,s,out,first,lanes,count,t) ==>
      group_put{L0,L}(which,all,s,out,k,l);
    lemma row_left{L0,L1,L2}: \forall integer which, all, float *s, *x, *out, integer n, chunk,
      chunks, first, lanes, count, t, l, k;
      groups_left{L0,L1}(which,all,s,x,n,chunk,chunks,first,lanes,count,t) ==>
      groups_put{L1,L2}(which,all,s,out,first,lanes,count,t) ==> 0 <= l < t ==>
      rem(l,lanes) == 0 ==> lane_row(first,l,lanes,k) ==> k < count ==>
      group_left{L0,L1}(which,all,s,x,n,chunk,chunks,k,l) &&
      group_put{L1,L2}(which,all,s,out,k,l) &&
      \at(out[ix(k,1,0)],L2) == Left{L0}(which,all,x,n,1,chunk,chunks,k,0);
    lemma row_cell_left{L0,L1,L2}: \forall integer which, all, float *s, *x, *out, integer n, chunk,
      chunks, first, lanes, count, t, k;
      groups_left{L0,L1}(which,all,s,x,n,chunk,chunks,first,lanes,count,t) ==>
      groups_put{L1,L2}(which,all,s,out,first,lanes,count,t) ==> 0 <= t ==> 0 < lanes ==>
      first <= k < first+quo(t,lanes) ==> k < count ==>
      lane_row(first,ix(k-first,lanes,0),lanes,k) && rem(ix(k-first,lanes,0),lanes) == 0 &&
      0 <= ix(k-first,lanes,0) < t &&
      \at(out[ix(k,1,0)],L2) == Left{L0}(which,all,x,n,1,chunk,chunks,k,0);
    lemma groups_rows_left{L0,L1,L2}: \forall integer which, all, float *s, *x, *out, integer n,
      chunk, chunks, first, lanes, count, t;
      groups_left{L0,L1}(which,all,s,x,n,chunk,chunks,first,lanes,count,t) ==>
      groups_put{L1,L2}(which,all,s,out,first,lanes,count,t) ==> 0 <= t ==> 0 < lanes ==>
      block_left{L0,L2}(which,all,x,out,n,1,chunk,chunks,first,first+quo(t,lanes),count); */

/*@ // from a block to the next, and over all of them
    lemma group_next: \forall integer b, c, n, lanes, groups; group(lanes,groups) ==>
      turn_on(b,c,1) ==> 0 <= b ==> 0 <= n ==> n % 32 == 0 ==>
      turn_on(ix(b,n,0),ix(c,n,0),n) && 0 <= ix(b,n,0) && ix(b,n,0) % 32 == 0 &&
      quo(ix(c,n,0),lanes) == quo(ix(b,n,0),lanes)+quo(n,lanes);
    lemma row_block_more{L0,L1,L2}: \forall integer which, all, float *x, *out, integer outer, n,
      chunk, chunks, first, to, count; level(outer,n,1,chunk,chunks) ==>
      Same{L0,L1}(x,ix(outer,n,0)) ==> count == ix(outer,chunks,0) ==> 0 <= first ==>
      block_left{L0,L1}(which,all,x,out,n,1,chunk,chunks,0,first,count) ==>
      block_left{L1,L2}(which,all,x,out,n,1,chunk,chunks,first,to,count) ==>
      kept{L1,L2}(out,1,first,0) ==> ix(ix(outer,n,0),1,0) == ix(outer,n,0) &&
      block_left{L0,L2}(which,all,x,out,n,1,chunk,chunks,0,to,count);
    lemma row_lines{L0,L}: \forall integer which, all, float *x, *out, integer outer, n, chunk;
      level(outer,n,1,chunk,1) ==> known{L0}(which,x,n,ix(outer,n,0)) ==>
      left_rows{L0,L}(which,all,x,out,n,1,chunk,1,ix(outer,1,0)) ==>
      ix(ix(outer,n,0),1,0) == ix(outer,n,0) && axis_lines{L0,L}(which,all,x,out,outer,n,1);
    // rows of one chunk
    lemma whole_level: \forall integer rows, n; 0 <= rows <= IDX_LIM ==> 0 <= n <= IDX_LIM ==>
      ix(rows,n,0) <= IDX_LIM ==> ix(0,n,0) == 0 && ix(1,n,0) == n && ix(rows,1,0) == rows &&
      level(rows,n,1,n,1);
    lemma whole_chunk: \forall integer k, n; 0 <= k ==> 0 <= n ==> quo(k,1) == k && rem(k,1) == 0 &&
      ix(0,n,0) == 0 && chunk_at(k,n,n,1) == ix(k,n,0) && chunk_len(k,n,n,1) == n; */
#endif
