/* Butterfly over a group of lanes: the join of a lane's value with those of its group: the
 * butterfly, so that every lane holds the result, by the same joins in the same order up to
 * swapped operands. */
#ifndef PM_REDUCE_GROUP_JOIN_H
#define PM_REDUCE_GROUP_JOIN_H
#include "vjp.h"

/*@ // where the group of m lanes begins that lane l is in
    logic integer group_of(integer l, integer m) = ix(quo(l,m),m,0);
    // the join of the k from v[lo] on
    logic real JoinR{L}(integer which, float *v, integer lo, integer k) =
      k <= 0 ? Begin(which) : Join(which, JoinR{L}(which,v,lo,k-1), v[lo+(k-1)]);
    // where the first of a join is the beginning of another, it makes no difference
    predicate low(integer which, real a) = which == AXIS_MAX ==> Lowest <= a;
    predicate lows{L}(integer which, float *v, integer n) =
      \forall integer l; 0 <= l < n ==> low(which,v[l]);
    lemma join_turned: \forall integer which, real a, b; Join(which,a,b) == Join(which,b,a);
    lemma join_moved: \forall integer which, real a, b, c;
      Join(which,Join(which,a,b),c) == Join(which,a,Join(which,b,c));
    lemma join_begun: \forall integer which, real a; low(which,a) ==>
      Join(which,a,Begin(which)) == a && Join(which,Begin(which),a) == a;
    lemma join_low: \forall integer which, real a, b; low(which,a) ==> low(which,Join(which,a,b));
    lemma joinr_low{L}: \forall integer k, which, float *v, integer lo;
      low(which,JoinR(which,v,lo,k));
    // falls into parts
    predicate joinr_at{L}(integer which, float *v, integer lo, integer m, integer k) =
      JoinR(which,v,lo,m+k) == Join(which,JoinR(which,v,lo,m),JoinR(which,v,lo+m,k));
    lemma joinr_at_0{L}: \forall integer which, float *v, integer lo, m; joinr_at(which,v,lo,m,0);
    lemma joinr_at_s{L}: \forall integer which, float *v, integer lo, m, k; 0 <= m ==> 0 <= k ==>
      joinr_at(which,v,lo,m,k) ==> joinr_at(which,v,lo,m,k+1);
    lemma joinr_parts{L}: \forall integer k, which, float *v, integer lo, m; 0 <= k ==> 0 <= m ==>
      joinr_at(which,v,lo,m,k);
    lemma joinr_one{L}: \forall integer which, float *v, integer l; low(which,v[l]) ==>
      JoinR(which,v,l,1) == v[l];
    // one step: every lane joins its partner's value
    predicate joins{L1,L2}(integer which, float *v, integer n, integer m) =
      \forall integer l; 0 <= l < n ==>
        \at(v[l],L2) == Join(which,\at(v[l],L1),\at(v[lx(l,m)],L1));
    // every lane holds the join of its group of m
    predicate joined{L0,L}(integer which, float *v, integer n, integer m) =
      \forall integer l; 0 <= l < n ==>
        \at(v[l],L) == JoinR{L0}(which,v,group_of(l,m),m);
    // of two groups, which make one, lane l is in one and its partner in the other
    predicate pair(integer l, integer m, integer n) = 0 <= lx(l,m) < n &&
      ((group_of(l,m) == group_of(l,2*m) && group_of(lx(l,m),m) == group_of(l,2*m)+m) ||
       (group_of(l,m) == group_of(l,2*m)+m && group_of(lx(l,m),m) == group_of(l,2*m)));
    lemma group_is: \forall integer l, m; group_of(l,m) == m*(l/m);
    lemma twin_2: \forall integer l; 0 <= l ==>
      (l/2 == 2*(l/4) && lx(l,2)/2 == 2*(l/4)+1 && lx(l,2) == l+2) ||
      (l/2 == 2*(l/4)+1 && lx(l,2)/2 == 2*(l/4) && lx(l,2) == l-2);
    lemma twin_4: \forall integer l; 0 <= l ==>
      (l/4 == 2*(l/8) && lx(l,4)/4 == 2*(l/8)+1 && lx(l,4) == l+4) ||
      (l/4 == 2*(l/8)+1 && lx(l,4)/4 == 2*(l/8) && lx(l,4) == l-4);
    lemma twin_8: \forall integer l; 0 <= l ==>
      (l/8 == 2*(l/16) && lx(l,8)/8 == 2*(l/16)+1 && lx(l,8) == l+8) ||
      (l/8 == 2*(l/16)+1 && lx(l,8)/8 == 2*(l/16) && lx(l,8) == l-8);
    lemma pair_1: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> pair(l,1,n);
    lemma pair_2: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> pair(l,2,n);
    lemma pair_4: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> pair(l,4,n);
    lemma pair_8: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> pair(l,8,n);
    lemma pair_16: \forall integer l, n; n % 32 == 0 ==> 0 <= l < n ==> pair(l,16,n);
    lemma joinr_pair{L}: \forall integer which, float *v, integer g, h, m; 0 <= m ==> h == g + m ==>
      joinr_at(which,v,g,m,m) &&
      JoinR(which,v,g,2*m) == Join(which,JoinR(which,v,g,m),JoinR(which,v,h,m)) &&
      JoinR(which,v,g,2*m) == Join(which,JoinR(which,v,h,m),JoinR(which,v,g,m));
    predicate groups_of(integer a, integer b, integer g, integer m) =
      (a == g && b == g+m) || (a == g+m && b == g);
    lemma joinr_two{L}: \forall integer which, float *v, integer a, b, g, m; 0 <= m ==>
      groups_of(a,b,g,m) ==> joinr_at(which,v,g,m,m) &&
      Join(which,JoinR(which,v,a,m),JoinR(which,v,b,m)) == JoinR(which,v,g,2*m);
    // what lane l joins, from groups that begin with lanes a and b
    predicate joined_of{L0,L}(integer which, float *v, integer l, integer a, integer b, integer m) =
      \at(v[l],L) == Join(which,JoinR{L0}(which,v,a,m),JoinR{L0}(which,v,b,m));
    lemma joined_by{L0,L1,L2}: \forall integer which, float *v, integer n, m, l; 0 <= l < n ==>
      0 <= lx(l,m) < n ==> joined{L0,L1}(which,v,n,m) ==> joins{L1,L2}(which,v,n,m) ==>
      joined_of{L0,L2}(which,v,l,group_of(l,m),group_of(lx(l,m),m),m);
    lemma joined_as{L0,L}: \forall integer which, float *v, integer l, a, b, g, m; 0 <= m ==>
      groups_of(a,b,g,m) ==> joined_of{L0,L}(which,v,l,a,b,m) ==>
      joinr_at{L0}(which,v,g,m,m) && \at(v[l],L) == JoinR{L0}(which,v,g,2*m);
    lemma pair_groups: \forall integer l, m, n; pair(l,m,n) ==>
      groups_of(group_of(l,m),group_of(lx(l,m),m),group_of(l,2*m),m);
    lemma joined_lane{L0,L1,L2}: \forall integer which, float *v, integer n, m, l; 0 < m ==>
      0 <= l < n ==> pair(l,m,n) ==> joined{L0,L1}(which,v,n,m) ==> joins{L1,L2}(which,v,n,m) ==>
      joined_of{L0,L2}(which,v,l,group_of(l,m),group_of(lx(l,m),m),m) &&
      groups_of(group_of(l,m),group_of(lx(l,m),m),group_of(l,2*m),m) &&
      \at(v[l],L2) == JoinR{L0}(which,v,group_of(l,2*m),2*m);
    predicate pairs(integer m, integer n) = \forall integer l; 0 <= l < n ==> pair(l,m,n);
    lemma pairs_of: \forall integer m, n; n % 32 == 0 ==>
      m == 1 || m == 2 || m == 4 || m == 8 || m == 16 ==> pairs(m,n);
    lemma joined_more{L0,L1,L2}: \forall integer which, float *v, integer n, m; 0 < m ==>
      pairs(m,n) ==> joined{L0,L1}(which,v,n,m) ==> joins{L1,L2}(which,v,n,m) ==>
      joined{L0,L2}(which,v,n,2*m);
    lemma joined_none{L}: \forall integer which, float *v, integer n; lows{L}(which,v,n) ==>
      joined{L,L}(which,v,n,1); */

/* s of lane l becomes its join with s of lane l xor m. */
/*@ requires block && (m == 1 || m == 2 || m == 4 || m == 8 || m == 16);
    requires \valid(s + (0 .. BDIM-1));
    assigns s[0 .. BDIM-1];
    ensures joins{Pre,Post}(which,s,BDIM,m); */
DEV void xor_join(PER_THREAD(float, s), int which, int m)
{
  PRIVATE(float, d);
  SHFL_XOR(d, s, m);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant \forall integer l; 0 <= l < t ==> s[l] == Join(which,\at(s[l],Pre),d[l]);
      loop invariant \forall integer l; t <= l < BDIM ==> s[l] == \at(s[l],Pre);
      loop assigns t, s[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(s, t) = axis_join(which, AT(s, t), AT(d, t));
}

/* And so on, so that s of every lane becomes the join of its group. */
/*@ requires block && group(lanes,groups) && \valid(s + (0 .. BDIM-1)) && lows(which,s,BDIM);
    assigns s[0 .. BDIM-1];
    ensures joined{Pre,Post}(which,s,BDIM,lanes); */
DEV void group_join(PER_THREAD(float, s), int which, int lanes GHOST_PARAMS(int groups))
{
  /*@ loop invariant m == 1 || m == 2 || m == 4 || m == 8 || m == 16 || m == 32;
      loop invariant m <= lanes && joined{Pre,Here}(which,s,BDIM,m);
      loop assigns m, s[0 .. BDIM-1];
      loop variant lanes - m; */
  for (int m = 1; m < lanes; m *= 2) {
    //@ assert pairs(m,BDIM);
    xor_join(s, which, m);
    //@ assert joined{Pre,Here}(which,s,BDIM,2*m);
  }
}
#endif
