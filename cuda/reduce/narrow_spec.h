/* What the lanes of a warp join where the rows of its chunk are dealt to teams of one lane a
 * column: all teams together the whole column. Lanes of the same column are as far apart as
 * there are columns. */
#ifndef PM_REDUCE_NARROW_SPEC_H
#define PM_REDUCE_NARROW_SPEC_H
#include "narrow_out.h"

/*@ // what team t has of column c of chunk k
    logic real TeamPart{L}(integer which, float *x, integer n, integer inner, integer chunk,
                           integer chunks, integer k, integer c, integer t, integer teams) =
      Own{L}(which,x,ix(ix(quo(k,chunks),n,0),inner,c),0,ix(rem(k,chunks),chunk,0),inner,t,teams,
             lesser(ix(rem(k,chunks),chunk,0)+chunk,n)-ix(rem(k,chunks),chunk,0));
    // what lane l takes of a block whose warps have chunks `first` and on, of `count`
    logic real TeamTaken{L}(integer which, float *x, integer first, integer l, integer w, integer n,
                            integer chunk, integer chunks, integer count) =
      first+quo(l,32) < count && quo(rem(l,32),w) < quo(32,w)
        ? TeamPart{L}(which,x,n,w,chunk,chunks,first+quo(l,32),rem(rem(l,32),w),quo(rem(l,32),w),
                      quo(32,w))
        : Begin(which);
    predicate lane_at(integer l, integer w, integer q, integer c) =
      quo(rem(l,32),w) == q && rem(rem(l,32),w) == c;
    lemma team_taken_is{L}: \forall integer which, float *x, integer first, l, w, n, chunk, chunks,
      count, k, c, q; warp_row(first,l,k) ==> lane_at(l,w,q,c) ==> k < count ==> q < quo(32,w) ==>
      TeamTaken(which,x,first,l,w,n,chunk,chunks,count) ==
      TeamPart(which,x,n,w,chunk,chunks,k,c,q,quo(32,w));
    // a team's elements of a column, where x is the same
    lemma col_item_frame{L1,L2}: \forall integer which, float *x, integer at, lo, hi, pitch, j,
      size;
      0 <= j < hi-lo ==> within(pitch,at,lo,hi,size) ==> Same{L1,L2}(x,size) ==>
      Item{L1}(which,x,at,0,lo,pitch,j) == Item{L2}(which,x,at,0,lo,pitch,j);
    lemma own_frame_s{L1,L2}: \forall integer which, float *x, integer at, lo, pitch, team, teams,
      m;
      0 <= m ==> Item{L1}(which,x,at,0,lo,pitch,m) == Item{L2}(which,x,at,0,lo,pitch,m) ==>
      Own{L1}(which,x,at,0,lo,pitch,team,teams,m) == Own{L2}(which,x,at,0,lo,pitch,team,teams,m) ==>
      Own{L1}(which,x,at,0,lo,pitch,team,teams,m+1) ==
      Own{L2}(which,x,at,0,lo,pitch,team,teams,m+1);
    lemma own_frame{L1,L2}: \forall integer m, which, float *x, integer at, lo, hi, pitch, team,
      teams, size; m <= hi-lo ==> within(pitch,at,lo,hi,size) ==> Same{L1,L2}(x,size) ==>
      Own{L1}(which,x,at,0,lo,pitch,team,teams,m) == Own{L2}(which,x,at,0,lo,pitch,team,teams,m);
    // what the first t teams have of it
    logic real TeamParts{L}(integer which, float *x, integer n, integer inner, integer chunk,
                            integer chunks, integer k, integer c, integer t, integer teams) =
      Owns{L}(which,x,ix(ix(quo(k,chunks),n,0),inner,c),0,ix(rem(k,chunks),chunk,0),inner,teams,
              lesser(ix(rem(k,chunks),chunk,0)+chunk,n)-ix(rem(k,chunks),chunk,0),t);
    lemma team_parts_0{L}: \forall integer which, float *x, integer n, inner, chunk, chunks, k, c,
      teams; TeamParts(which,x,n,inner,chunk,chunks,k,c,0,teams) == Begin(which);
    lemma team_parts_s{L}: \forall integer which, float *x, integer n, inner, chunk, chunks, k, c,
      t,
      teams; 0 <= t ==> TeamParts(which,x,n,inner,chunk,chunks,k,c,t+1,teams) ==
      Join(which,TeamParts(which,x,n,inner,chunk,chunks,k,c,t,teams),
           TeamPart(which,x,n,inner,chunk,chunks,k,c,t,teams));
    lemma team_part_low{L}: \forall integer which, float *x, integer n, inner, chunk, chunks, k, c,
      t, teams; low(which,TeamPart(which,x,n,inner,chunk,chunks,k,c,t,teams));
    // chunk k of all: where it is in its line
    predicate chunk_in(integer outer, integer n, integer inner, integer chunk, integer chunks,
                       integer k, integer c, integer lo, integer hi) =
      lo == ix(rem(k,chunks),chunk,0) && hi == lesser(lo+chunk,n) &&
      0 <= lo <= hi <= n && 0 <= quo(k,chunks) < outer &&
      within(inner,ix(ix(quo(k,chunks),n,0),inner,c),lo,hi,ix(ix(outer,n,0),inner,0));
    lemma chunk_begin: \forall integer n, chunk, chunks, r; 0 <= r < chunks ==> 0 <= chunk ==>
      ix(chunks-1,chunk,0) <= n ==> 0 <= ix(r,chunk,0) <= n;
    lemma chunk_within: \forall integer outer, n, inner, chunk, chunks, k, c;
      level(outer,n,inner,chunk,chunks) ==> ix(ix(outer,n,0),inner,0) <= IDX_LIM ==>
      0 <= k < ix(outer,chunks,0) ==> 0 <= c < inner ==>
      chunk_in(outer,n,inner,chunk,chunks,k,c,ix(rem(k,chunks),chunk,0),
               lesser(ix(rem(k,chunks),chunk,0)+chunk,n));
    lemma chunk_part{L}: \forall integer which, float *x, integer outer, n, inner, chunk, chunks, k,
      c, lo, hi, teams; 0 < teams ==> chunk_in(outer,n,inner,chunk,chunks,k,c,lo,hi) ==>
      TeamParts(which,x,n,inner,chunk,chunks,k,c,teams,teams) ==
      Part(which,x,inner,ix(ix(quo(k,chunks),n,0),inner,c),lo,hi);
    lemma chunk_left{L}: \forall integer which, all, float *x, integer outer, n, inner, chunk,
      chunks, k, c, teams; 0 < teams ==>
      chunk_in(outer,n,inner,chunk,chunks,k,c,ix(rem(k,chunks),chunk,0),
               lesser(ix(rem(k,chunks),chunk,0)+chunk,n)) ==>
      Left(which,all,x,n,inner,chunk,chunks,k,c) ==
      Last(which,all,TeamParts(which,x,n,inner,chunk,chunks,k,c,teams,teams));
    lemma team_part_same{L1,L2}: \forall integer which, float *x, integer outer, n, inner, chunk,
      chunks, k, c, lo, hi, t, teams; chunk_in(outer,n,inner,chunk,chunks,k,c,lo,hi) ==>
      Same{L1,L2}(x,ix(ix(outer,n,0),inner,0)) ==>
      TeamPart{L1}(which,x,n,inner,chunk,chunks,k,c,t,teams) ==
      TeamPart{L2}(which,x,n,inner,chunk,chunks,k,c,t,teams);
    lemma team_part_frame{L1,L2}: \forall integer which, float *x, integer outer, n, inner, chunk,
      chunks, k, c, t, teams; level(outer,n,inner,chunk,chunks) ==>
      ix(ix(outer,n,0),inner,0) <= IDX_LIM ==> Same{L1,L2}(x,ix(ix(outer,n,0),inner,0)) ==>
      0 <= k < ix(outer,chunks,0) ==> 0 <= c < inner ==>
      chunk_in(outer,n,inner,chunk,chunks,k,c,ix(rem(k,chunks),chunk,0),
               lesser(ix(rem(k,chunks),chunk,0)+chunk,n)) &&
      TeamPart{L1}(which,x,n,inner,chunk,chunks,k,c,t,teams) ==
      TeamPart{L2}(which,x,n,inner,chunk,chunks,k,c,t,teams); */

/*@ // every w-th of k from v[lo] on, joined
    logic real Spaced{L}(integer which, float *v, integer lo, integer w, integer k) =
      k <= 0 ? Begin(which) : Join(which, Spaced{L}(which,v,lo,w,k-1), v[ix(k-1,w,lo)]);
    lemma spaced_low{L}: \forall integer k, which, float *v, integer lo, w;
      low(which,Spaced(which,v,lo,w,k));
    lemma spaced_one{L}: \forall integer which, float *v, integer l, w; low(which,v[l]) ==>
      Spaced(which,v,l,w,1) == v[l];
    lemma ix_over: \forall integer m, k, w, l; ix(k,w,ix(m,w,l)) == ix(m+k,w,l);
    predicate spaced_at{L}(integer which, float *v, integer lo, integer w, integer m, integer k) =
      Spaced(which,v,lo,w,m+k) ==
      Join(which,Spaced(which,v,lo,w,m),Spaced(which,v,ix(m,w,lo),w,k));
    lemma spaced_at_0{L}: \forall integer which, float *v, integer lo, w, m;
      spaced_at(which,v,lo,w,m,0);
    lemma spaced_at_s{L}: \forall integer which, float *v, integer lo, w, m, k; 0 <= m ==>
      0 <= k ==> spaced_at(which,v,lo,w,m,k) ==> spaced_at(which,v,lo,w,m,k+1);
    lemma spaced_parts{L}: \forall integer k, which, float *v, integer lo, w, m; 0 <= k ==>
      0 <= m ==> spaced_at(which,v,lo,w,m,k);
    lemma spaced_both{L}: \forall integer which, float *v, integer lo, w, m, b, c; 0 <= m ==>
      0 <= b ==> turn_on(m,c,b) ==> spaced_at(which,v,lo,w,m,b) &&
      Spaced(which,v,lo,w,c) ==
      Join(which,Spaced(which,v,lo,w,m),Spaced(which,v,ix(m,w,lo),w,b));
    // of so many teams, the m first and those of m more that there are
    lemma twice_of: \forall integer m, have; 0 <= m < have ==> lesser(m,have) == m &&
      0 <= lesser(m,have-m) && turn_on(m,lesser(2*m,have),lesser(m,have-m));
    // teams of a warp, by lane l of a block: from that lane's own on
    logic integer teams_from(integer l, integer w) = quo(32,w) - quo(rem(l,32),w);
    lemma ix_digits: \forall integer a, w, c; 0 <= a ==> 0 <= c < w ==>
      quo(ix(a,w,c),w) == a && rem(ix(a,w,c),w) == c;
    lemma teams_fit: \forall integer w; 0 < w < 32 ==> 0 < quo(32,w) <= 32 &&
      ix(quo(32,w),w,0) <= 32;
    lemma lane_digits: \forall integer l, w; 0 <= l ==> 0 < w ==>
      ix(quo(rem(l,32),w),w,rem(rem(l,32),w)) == rem(l,32) && 0 <= rem(l,32) < 32 &&
      0 <= rem(rem(l,32),w) < w && 0 <= quo(rem(l,32),w);
    lemma lane_over: \forall integer l, q, w; 0 <= l ==> 0 < w ==>
      ix(q,w,rem(l,32)) == ix(quo(rem(l,32),w)+q,w,rem(rem(l,32),w));
    lemma lane_room: \forall integer l, q, w; 0 <= l ==> 0 < w < 32 ==>
      0 <= q < teams_from(l,w) ==> 0 <= ix(q,w,rem(l,32)) < 32;
    lemma warp_on: \forall integer l, d; 0 <= l ==> 0 <= d ==> rem(l,32)+d < 32 ==>
      quo(l+d,32) == quo(l,32) && rem(l+d,32) == rem(l,32)+d;
    // lane u is of the same column, q teams on
    predicate mate(integer l, integer u, integer w, integer q) =
      quo(u,32) == quo(l,32) && rem(u,32) == ix(q,w,rem(l,32)) &&
      quo(rem(u,32),w) == quo(rem(l,32),w)+q && rem(rem(u,32),w) == rem(rem(l,32),w);
    lemma lane_mate: \forall integer l, q, w; 0 <= l ==> 0 < w < 32 ==>
      0 <= q < teams_from(l,w) ==> mate(l,ix(q,w,l),w,q);
    lemma mate_in: \forall integer l, q, w, n; 0 <= l < n ==> n % 32 == 0 ==> 0 < w < 32 ==>
      0 <= q < teams_from(l,w) ==> 0 <= ix(q,w,l) < n;
    // every m-th team, m a power of 2
    predicate half(integer m) = m == 1 || m == 2 || m == 4 || m == 8 || m == 16;
    predicate heads(integer l, integer w, integer m) =
      0 < teams_from(l,w) && rem(quo(rem(l,32),w),m) == 0;
    lemma even_1: \forall integer a; 0 <= a ==> rem(a,2) == 0 ==> rem(a,1) == 0 && rem(a+1,1) == 0;
    lemma even_2: \forall integer a; 0 <= a ==> rem(a,4) == 0 ==> rem(a,2) == 0 && rem(a+2,2) == 0;
    lemma even_4: \forall integer a; 0 <= a ==> rem(a,8) == 0 ==> rem(a,4) == 0 && rem(a+4,4) == 0;
    lemma even_8: \forall integer a; 0 <= a ==> rem(a,16) == 0 ==> rem(a,8) == 0 && rem(a+8,8) == 0;
    lemma even_16: \forall integer a; 0 <= a ==> rem(a,32) == 0 ==>
      rem(a,16) == 0 && rem(a+16,16) == 0;
    predicate twofold(integer m, integer d) = (m == 1 && d == 2) || (m == 2 && d == 4) ||
      (m == 4 && d == 8) || (m == 8 && d == 16) || (m == 16 && d == 32);
    lemma half_twofold: \forall integer m; half(m) ==> twofold(m,2*m);
    lemma even_team: \forall integer a, m, d; 0 <= a ==> twofold(m,d) ==> rem(a,d) == 0 ==>
      rem(a,m) == 0;
    lemma even_next: \forall integer a, b, m, d; 0 <= a ==> twofold(m,d) ==> turn_on(a,b,m) ==>
      rem(a,d) == 0 ==> rem(b,m) == 0;
    lemma heads_half: \forall integer l, w, m; 0 <= l ==> 0 < w < 32 ==> half(m) ==>
      heads(l,w,2*m) ==> heads(l,w,m);
    lemma mate_heads: \forall integer l, u, w, m; 0 <= quo(rem(l,32),w) ==> half(m) ==>
      mate(l,u,w,m) ==> heads(l,w,2*m) ==> m < teams_from(l,w) ==> twofold(m,2*m) &&
      turn_on(quo(rem(l,32),w),quo(rem(u,32),w),m) && heads(u,w,m) &&
      teams_from(u,w) == teams_from(l,w)-m;
    lemma heads_mate: \forall integer l, w, m; 0 <= l ==> 0 < w < 32 ==> half(m) ==>
      heads(l,w,2*m) ==> m < teams_from(l,w) ==> mate(l,ix(m,w,l),w,m) && heads(ix(m,w,l),w,m) &&
      teams_from(ix(m,w,l),w) == teams_from(l,w)-m;
    // every m-th team holds the join of m teams, or of those that there are; and one step to that
    predicate teams_joined{L0,L}(integer which, float *v, integer n, integer w, integer m) =
      \forall integer l; 0 <= l < n ==> heads(l,w,m) ==>
        \at(v[l],L) == Spaced{L0}(which,v,l,w,lesser(m,teams_from(l,w)));
    predicate steps{L1,L2}(integer which, float *v, integer l, integer w, integer m) =
      \at(v[l],L2) == (rem(quo(rem(l,32),w),2*m) == 0 && m < teams_from(l,w)
        ? Join(which,\at(v[l],L1),\at(v[ix(m,w,l)],L1)) : \at(v[l],L1));
    predicate teams_step{L1,L2}(integer which, float *v, integer n, integer w, integer m) =
      \forall integer l; 0 <= l < n ==> steps{L1,L2}(which,v,l,w,m);
    lemma heads_one: \forall integer m, l, w; heads(l,w,m) ==> 0 < teams_from(l,w);
    lemma teams_none{L}: \forall integer which, float *v, integer n, w; lows{L}(which,v,n) ==>
      teams_joined{L,L}(which,v,n,w,1);
    lemma step_joins{L1,L2}: \forall integer which, float *v, integer w, m, l; heads(l,w,2*m) ==>
      m < teams_from(l,w) ==> steps{L1,L2}(which,v,l,w,m) ==>
      \at(v[l],L2) == Join(which,\at(v[l],L1),\at(v[ix(m,w,l)],L1));
    lemma step_mine{L0,L}: \forall integer which, float *v, integer n, w, m, l; 0 < w < 32 ==>
      half(m) ==> 0 <= l < n ==> heads(l,w,2*m) ==> m < teams_from(l,w) ==>
      teams_joined{L0,L}(which,v,n,w,m) ==> heads(l,w,m) &&
      \at(v[l],L) == Spaced{L0}(which,v,l,w,m);
    lemma step_mate{L0,L}: \forall integer which, float *v, integer n, w, m, l; n % 32 == 0 ==>
      0 < w < 32 ==> half(m) ==> 0 <= l < n ==> heads(l,w,2*m) ==> m < teams_from(l,w) ==>
      teams_joined{L0,L}(which,v,n,w,m) ==> 0 <= ix(m,w,l) < n && heads(ix(m,w,l),w,m) &&
      \at(v[ix(m,w,l)],L) == Spaced{L0}(which,v,ix(m,w,l),w,lesser(m,teams_from(l,w)-m));
    lemma team_joins{L0,L1,L2}: \forall integer which, float *v, integer n, w, m, l;
      n % 32 == 0 ==> 0 < w < 32 ==> half(m) ==> 0 <= l < n ==> heads(l,w,2*m) ==>
      m < teams_from(l,w) ==> teams_joined{L0,L1}(which,v,n,w,m) ==>
      steps{L1,L2}(which,v,l,w,m) ==>
      turn_on(m,lesser(2*m,teams_from(l,w)),lesser(m,teams_from(l,w)-m)) &&
      \at(v[l],L2) == Join(which,Spaced{L0}(which,v,l,w,m),
        Spaced{L0}(which,v,ix(m,w,l),w,lesser(m,teams_from(l,w)-m))) &&
      \at(v[l],L2) == Spaced{L0}(which,v,l,w,lesser(2*m,teams_from(l,w)));
    lemma team_stays{L0,L1,L2}: \forall integer which, float *v, integer n, w, m, l;
      0 < w < 32 ==> half(m) ==> 0 <= l < n ==> heads(l,w,2*m) ==> teams_from(l,w) <= m ==>
      teams_joined{L0,L1}(which,v,n,w,m) ==> steps{L1,L2}(which,v,l,w,m) ==>
      \at(v[l],L2) == Spaced{L0}(which,v,l,w,lesser(2*m,teams_from(l,w)));
    lemma team_next{L0,L1,L2}: \forall integer which, float *v, integer n, w, m, l;
      n % 32 == 0 ==> 0 < w < 32 ==> half(m) ==> 0 <= l < n ==> heads(l,w,2*m) ==>
      teams_joined{L0,L1}(which,v,n,w,m) ==> steps{L1,L2}(which,v,l,w,m) ==>
      \at(v[l],L2) == Spaced{L0}(which,v,l,w,lesser(2*m,teams_from(l,w)));
    lemma teams_more{L0,L1,L2}: \forall integer which, float *v, integer n, w, m;
      n % 32 == 0 ==> 0 < w < 32 ==> half(m) ==> teams_joined{L0,L1}(which,v,n,w,m) ==>
      teams_step{L1,L2}(which,v,n,w,m) ==> teams_joined{L0,L2}(which,v,n,w,2*m); */

/*@ predicate team_taken{L0,L}(integer which, float *s, float *x, integer first, integer w,
                               integer n, integer chunk, integer chunks, integer count,
                               integer t) =
      \forall integer l; 0 <= l < t ==>
        \at(s[l],L) == TeamTaken{L0}(which,x,first,l,w,n,chunk,chunks,count);
    lemma team_taken_low{L}: \forall integer which, float *x, integer first, l, w, n, chunk, chunks,
      count; low(which,TeamTaken(which,x,first,l,w,n,chunk,chunks,count));
    lemma team_taken_lows{L0,L}: \forall integer which, float *s, float *x, integer first, w, n,
      chunk, chunks, count, t; team_taken{L0,L}(which,s,x,first,w,n,chunk,chunks,count,t) ==>
      lows{L}(which,s,t);
    lemma team_taken_frame{L1,L2}: \forall integer which, float *x, integer first, l, w, outer, n,
      chunk, chunks; level(outer,n,w,chunk,chunks) ==> ix(ix(outer,n,0),w,0) <= IDX_LIM ==>
      Same{L1,L2}(x,ix(ix(outer,n,0),w,0)) ==> 0 <= first ==> 0 <= l ==>
      TeamTaken{L1}(which,x,first,l,w,n,chunk,chunks,ix(outer,chunks,0)) ==
      TeamTaken{L2}(which,x,first,l,w,n,chunk,chunks,ix(outer,chunks,0));
    // lane l is of the first team: it and those of its column behind it
    predicate team_shares{L0,L}(integer which, float *v, integer l, float *x, integer n, integer w,
                                integer chunk, integer chunks, integer k, integer c,
                                integer teams) =
      \forall integer q; 0 <= q < teams ==> \at(v[ix(q,w,l)],L) ==
        TeamPart{L0}(which,x,n,w,chunk,chunks,k,c,q,teams);
    lemma first_team: \forall integer a, w; 0 <= a < w ==> quo(a,w) == 0 && rem(a,w) == a;
    lemma rem_none: \forall integer m; 0 < m ==> rem(0,m) == 0;
    lemma first_heads: \forall integer l, w, m; 0 < w < 32 ==> 0 < m ==> 0 <= l ==>
      rem(l,32) < w ==> quo(rem(l,32),w) == 0 && teams_from(l,w) == quo(32,w) && heads(l,w,m);
    lemma mate_at: \forall integer l, u, w, q, first, k; mate(l,u,w,q) ==> quo(rem(l,32),w) == 0 ==>
      warp_row(first,l,k) ==> warp_row(first,u,k) && lane_at(u,w,q,rem(rem(l,32),w));
    lemma taken_mate_share{L0,L}: \forall integer which, float *s, *x, integer first, w, n, chunk,
      chunks, count, t, l, u, k, q;
      team_taken{L0,L}(which,s,x,first,w,n,chunk,chunks,count,t) ==> 0 <= u < t ==>
      mate(l,u,w,q) ==> warp_row(first,l,k) ==> k < count ==> q < quo(32,w) ==>
      quo(rem(l,32),w) == 0 ==> warp_row(first,u,k) && lane_at(u,w,q,rem(rem(l,32),w)) &&
      \at(s[u],L) == TeamTaken{L0}(which,x,first,u,w,n,chunk,chunks,count) && \at(s[u],L) ==
      TeamPart{L0}(which,x,n,w,chunk,chunks,k,rem(rem(l,32),w),q,quo(32,w));
    lemma taken_share{L0,L}: \forall integer which, float *s, *x, integer first, w, n, chunk,
      chunks, count, t, l, k, q; team_taken{L0,L}(which,s,x,first,w,n,chunk,chunks,count,t) ==>
      t % 32 == 0 ==> 0 < w < 32 ==> 0 <= l < t ==> rem(l,32) < w ==> warp_row(first,l,k) ==>
      k < count ==> 0 <= q < quo(32,w) ==> 0 <= rem(l,32) && teams_from(l,w) == quo(32,w) &&
      quo(rem(l,32),w) == 0 && rem(rem(l,32),w) == rem(l,32) && mate(l,ix(q,w,l),w,q) &&
      0 <= ix(q,w,l) < t &&
      \at(s[ix(q,w,l)],L) == TeamPart{L0}(which,x,n,w,chunk,chunks,k,rem(l,32),q,quo(32,w));
    lemma team_taken_shares{L0,L}: \forall integer which, float *s, float *x, integer first, w, n,
      chunk, chunks, count, t, l, k; t % 32 == 0 ==> 0 < w < 32 ==> 0 <= l < t ==>
      rem(l,32) < w ==> warp_row(first,l,k) ==> k < count ==>
      team_taken{L0,L}(which,s,x,first,w,n,chunk,chunks,count,t) ==>
      team_shares{L0,L}(which,s,l,x,n,w,chunk,chunks,k,rem(l,32),quo(32,w));
    lemma team_spaced{L0,L}: \forall integer t, which, float *v, integer l, float *x, integer n, w,
      chunk, chunks, k, c, teams; 0 <= t <= teams ==>
      team_shares{L0,L}(which,v,l,x,n,w,chunk,chunks,k,c,teams) ==>
      Spaced{L}(which,v,l,w,t) == TeamParts{L0}(which,x,n,w,chunk,chunks,k,c,t,teams);
    // such lanes then have what is left of the column
    predicate lane_left{L0,L}(integer which, integer all, float *s, float *x, integer n, integer w,
                              integer chunk, integer chunks, integer k, integer l) =
      Last(which,all,\at(s[l],L)) == Left{L0}(which,all,x,n,w,chunk,chunks,k,rem(l,32));
    predicate lanes_left{L0,L}(integer which, integer all, float *s, float *x, integer n, integer w,
                               integer chunk, integer chunks, integer first, integer count,
                               integer t) =
      \forall integer l; 0 <= l < t ==> rem(l,32) < w ==> first+quo(l,32) < count ==>
        lane_left{L0,L}(which,all,s,x,n,w,chunk,chunks,first+quo(l,32),l);
    lemma lane_spaced{L0,L}: \forall integer which, float *s, integer n, w, m, l;
      teams_joined{L0,L}(which,s,n,w,m) ==> 0 < w < 32 ==> quo(32,w) <= m ==> 0 <= l < n ==>
      rem(l,32) < w ==> 0 < quo(32,w) && heads(l,w,m) && teams_from(l,w) == quo(32,w) &&
      \at(s[l],L) == Spaced{L0}(which,s,l,w,quo(32,w));
    lemma lane_parts{L0,L1,L2}: \forall integer which, float *s, *x, integer n, w, chunk, chunks,
      first, count, t, m, l, k; 0 < w < 32 ==>
      team_taken{L0,L1}(which,s,x,first,w,n,chunk,chunks,count,t) ==>
      teams_joined{L1,L2}(which,s,t,w,m) ==> quo(32,w) <= m ==> t % 32 == 0 ==>
      0 <= l < t ==> rem(l,32) < w ==> warp_row(first,l,k) ==> k < count ==>
      team_shares{L0,L1}(which,s,l,x,n,w,chunk,chunks,k,rem(l,32),quo(32,w)) &&
      \at(s[l],L2) == Spaced{L1}(which,s,l,w,quo(32,w)) && 0 < quo(32,w) &&
      \at(s[l],L2) == TeamParts{L0}(which,x,n,w,chunk,chunks,k,rem(l,32),quo(32,w),quo(32,w));
    lemma parts_left{L}: \forall integer which, all, float *x, integer outer, n, w, chunk, chunks,
      k,
      c, teams; level(outer,n,w,chunk,chunks) ==> ix(ix(outer,n,0),w,0) <= IDX_LIM ==>
      0 <= k < ix(outer,chunks,0) ==> 0 <= c < w ==> 0 < teams ==>
      chunk_in(outer,n,w,chunk,chunks,k,c,ix(rem(k,chunks),chunk,0),
               lesser(ix(rem(k,chunks),chunk,0)+chunk,n)) &&
      Left(which,all,x,n,w,chunk,chunks,k,c) ==
      Last(which,all,TeamParts(which,x,n,w,chunk,chunks,k,c,teams,teams));
    lemma row_range: \forall integer first, l, k; 0 <= first ==> 0 <= l ==> warp_row(first,l,k) ==>
      0 <= k && 0 <= rem(l,32);
    lemma lane_is_left{L0,L1,L2}: \forall integer which, all, float *s, *x, integer outer, n, w,
      chunk, chunks, first, count, t, m, l, k; level(outer,n,w,chunk,chunks) ==>
      ix(ix(outer,n,0),w,0) <= IDX_LIM ==> 0 < w < 32 ==> count == ix(outer,chunks,0) ==>
      team_taken{L0,L1}(which,s,x,first,w,n,chunk,chunks,count,t) ==>
      teams_joined{L1,L2}(which,s,t,w,m) ==> quo(32,w) <= m ==> t % 32 == 0 ==> 0 <= first ==>
      0 <= l < t ==> rem(l,32) < w ==> warp_row(first,l,k) ==> k < count ==>
      0 <= rem(l,32) && 0 <= k && 0 < quo(32,w) &&
      \at(s[l],L2) == TeamParts{L0}(which,x,n,w,chunk,chunks,k,rem(l,32),quo(32,w),quo(32,w)) &&
      lane_left{L0,L2}(which,all,s,x,n,w,chunk,chunks,k,l);
    lemma lanes_are_left{L0,L1,L2}: \forall integer which, all, float *s, *x, integer outer, n, w,
      chunk, chunks, first, count, t, m; level(outer,n,w,chunk,chunks) ==>
      ix(ix(outer,n,0),w,0) <= IDX_LIM ==> 0 < w < 32 ==> count == ix(outer,chunks,0) ==>
      quo(32,w) <= m ==> t % 32 == 0 ==> 0 <= first ==>
      team_taken{L0,L1}(which,s,x,first,w,n,chunk,chunks,count,t) ==>
      teams_joined{L1,L2}(which,s,t,w,m) ==>
      lanes_left{L0,L2}(which,all,s,x,n,w,chunk,chunks,first,count,t); */

/*@ lemma cell_in_block: \forall integer first, n, k, c, w; first <= k < first+quo(n,32) ==>
      n % 32 == 0 ==> 0 <= n ==> 0 <= c < w < 32 ==> 0 <= ix(k-first,32,c) < n &&
      quo(ix(k-first,32,c),32) == k-first && rem(ix(k-first,32,c),32) == c;
    // what lanes put is what is left of x
    lemma lane_left_at{L0,L}: \forall integer which, all, float *s, *x, integer n, w, chunk, chunks,
      first, count, t, l, k; warp_row(first,l,k) ==> 0 <= l < t ==> rem(l,32) < w ==> k < count ==>
      lanes_left{L0,L}(which,all,s,x,n,w,chunk,chunks,first,count,t) ==>
      lane_left{L0,L}(which,all,s,x,n,w,chunk,chunks,k,l);
    lemma lane_put_at{L0,L}: \forall integer which, all, float *s, *out, integer w, first, count, t,
      l, k; warp_row(first,l,k) ==> 0 <= l < t ==> rem(l,32) < w ==> k < count ==>
      lanes_put{L0,L}(which,all,s,out,w,first,count,t) ==>
      lane_put{L0,L}(which,all,s,out,w,k,l);
    lemma lane_row{L0,L1,L2}: \forall integer which, all, float *s, *x, *out, integer n, w, chunk,
      chunks, first, count, t, l, k;
      lanes_left{L0,L1}(which,all,s,x,n,w,chunk,chunks,first,count,t) ==>
      lanes_put{L1,L2}(which,all,s,out,w,first,count,t) ==> 0 <= l < t ==> rem(l,32) < w ==>
      warp_row(first,l,k) ==> k < count ==> lane_left{L0,L1}(which,all,s,x,n,w,chunk,chunks,k,l) &&
      lane_put{L1,L2}(which,all,s,out,w,k,l) && \at(out[ix(k,w,rem(l,32))],L2) ==
      Left{L0}(which,all,x,n,w,chunk,chunks,k,rem(l,32));
    // rows of a block
    predicate block_left{L0,L}(integer which, integer all, float *x, float *out, integer n,
                               integer w, integer chunk, integer chunks, integer from, integer to,
                               integer count) =
      \forall integer k, c; from <= k < to ==> k < count ==> 0 <= c < w ==>
        \at(out[ix(k,w,c)],L) == Left{L0}(which,all,x,n,w,chunk,chunks,k,c);
    lemma cell_left{L0,L1,L2}: \forall integer which, all, float *s, *x, *out, integer n, w, chunk,
      chunks, first, count, t, k, c;
      lanes_left{L0,L1}(which,all,s,x,n,w,chunk,chunks,first,count,t) ==>
      lanes_put{L1,L2}(which,all,s,out,w,first,count,t) ==> t % 32 == 0 ==> 0 <= t ==> w < 32 ==>
      first <= k < first+quo(t,32) ==> k < count ==> 0 <= c < w ==>
      warp_row(first,ix(k-first,32,c),k) && rem(ix(k-first,32,c),32) == c &&
      0 <= ix(k-first,32,c) < t &&
      \at(out[ix(k,w,c)],L2) == Left{L0}(which,all,x,n,w,chunk,chunks,k,c);
    lemma rows_left{L0,L1,L2}: \forall integer which, all, float *s, *x, *out, integer n, w, chunk,
      chunks, first, count, t;
      lanes_left{L0,L1}(which,all,s,x,n,w,chunk,chunks,first,count,t) ==>
      lanes_put{L1,L2}(which,all,s,out,w,first,count,t) ==> t % 32 == 0 ==> 0 <= t ==> w < 32 ==>
      block_left{L0,L2}(which,all,x,out,n,w,chunk,chunks,first,first+quo(t,32),count);
    lemma block_left_more{L0,L1,L2}: \forall integer which, all, float *x, *out, integer outer, n,
      w,
      chunk, chunks, first, to, count; level(outer,n,w,chunk,chunks) ==>
      ix(ix(outer,n,0),w,0) <= IDX_LIM ==> Same{L0,L1}(x,ix(ix(outer,n,0),w,0)) ==>
      count == ix(outer,chunks,0) ==> 0 <= first ==>
      block_left{L0,L1}(which,all,x,out,n,w,chunk,chunks,0,first,count) ==>
      block_left{L1,L2}(which,all,x,out,n,w,chunk,chunks,first,to,count) ==>
      kept{L1,L2}(out,w,first,0) ==>
      block_left{L0,L2}(which,all,x,out,n,w,chunk,chunks,0,to,count);
    lemma block_left_all{L0,L}: \forall integer which, all, float *x, *out, integer n, w, chunk,
      chunks, to, count; block_left{L0,L}(which,all,x,out,n,w,chunk,chunks,0,to,count) ==>
      count <= to ==> left_rows{L0,L}(which,all,x,out,n,w,chunk,chunks,count); */
#endif
