/* Cluster all-reduce of partial softmax statistics (maximum, sum), each block's about a maximum
 * of its own: in one turn of their mailboxes a block says its maximum and its sum about that, and
 * all of it is known about the largest. */
#ifndef PM_LSE_CLUSTER_COMBINE_H
#define PM_LSE_CLUSTER_COMBINE_H
#include "cluster_spec.h"
#include "../collective/cluster_sum.h"
#include "online_masked.h"
#include "../collective/team.h"

/*@ // whether what came in a turn is above -Inf, and m above all of it
    predicate came_above(integer k, integer turn, integer n) =
      \forall integer p; 0 <= p < n ==> Lowest < Came(k,0,turn,p);
    predicate came_under(integer k, integer turn, real m, integer n) =
      \forall integer p; 0 <= p < n ==> Came(k,0,turn,p) <= m;
    // a thread each has what came
    predicate came_at{L}(float *m, integer k, integer second, integer turn, integer n) =
      \forall integer p; 0 <= p < n ==> m[p] == Came(k,second,turn,p);
    lemma came_mass{L}: \forall integer n, float *m, *s, integer k, turn; 0 <= n ==>
      (\forall integer p; 0 <= p < n ==>
        Mass(rd{L}(s,p),rd{L}(m,p)) == Mass(Came(k,1,turn,p),Came(k,0,turn,p))) ==>
      MassTo{L}(m,s,n) == CameMass(k,turn,n);
    lemma came_lanes{L}: \forall integer n, float *m, *s, integer k, turn; 0 <= n ==>
      came_at{L}(m,k,0,turn,n) ==> came_at{L}(s,k,1,turn,n) ==>
      MassTo{L}(m,s,n) == CameMass(k,turn,n);
    lemma came_tops{L}: \forall float *m, integer k, turn, n; came_at{L}(m,k,0,turn,n) ==>
      came_above(k,turn,n) ==> once_under{L}(m,RowMax{L}(m,n),n);
    lemma came_unders{L}: \forall float *m, real top, integer k, turn, n;
      came_at{L}(m,k,0,turn,n) ==> once_under{L}(m,top,n) ==> came_under(k,turn,top,n); */

/* Every block of the cluster gets what this one adds up to, which is the same at all threads. */
/*@ requires block && 0 <= turn && mail_ok(rank,in_cluster) && mail_at(turn);
    requires mail_may(mail_cluster_,rank,turn,a.m,a.s);
    assigns put_;
    ensures put_ == turn + 1; */
DEV void exchange_gather_mass(mailbox *box, int turn, int rank, int in_cluster, once_sum a)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t;
      loop variant BDIM - t; */
  FIRST_WARP EACH_THREAD(t) exchange_post_one(t, box, turn, rank, in_cluster, a.m, a.s);
  exchange_expect(box, turn, in_cluster);
}

/*@ // the lanes of a team
    predicate about_lanes{L}(float *m, float *s, integer n) =
      0 < n <= MAXB && \valid(m + (0 .. n-1)) && \valid(s + (0 .. n-1)) &&
      \separated(m + (0 .. n-1), s + (0 .. n-1)); */
/* The sums s at top. */
/*@ requires about_lanes(m,s,team) && once_under(m,top,team);
    assigns s[0 .. team-1];
    ensures Mass(SumR(s,0,team),top) == \old(MassTo(m,s,team)); */
DEV void mass_rescale(PER_THREAD(float, m), PER_THREAD(float, s), float top TEAM_FN)
{
  /*@ loop invariant 0 <= t <= team && rest_same{Pre,Here}(s,t,team);
      loop invariant Mass(SumR(s,0,t),top) == MassTo{Pre}(m,s,t);
      loop assigns t, s[0 .. team-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t)
  {
    //@ assert same_m: rd(m,t) == rd{Pre}(m,t);
    //@ assert same_s: rd(s,t) == rd{Pre}(s,t);
    online_rescale(m, s, t, top);
    //@ assert mine: Mass(s[t],top) == Mass(rd{Pre}(s,t),rd{Pre}(m,t));
    //@ assert old: Same{LoopCurrent,Here}(s,t);
    //@ assert sum: SumR(s,0,t) == \at(SumR(s,0,t),LoopCurrent);
    //@ assert adds: adds_to(SumR(s,0,t+1),SumR(s,0,t),s[t]);
    //@ assert next: Mass(SumR(s,0,t+1),top) == Mass(SumR(s,0,t),top) + Mass(s[t],top);
    //@ assert others: rest_same{LoopCurrent,Here}(s,t+1,team);
    //@ assert rest: rest_same{Pre,Here}(s,t+1,team);
  }
}

/* What the blocks said: a lane has a block's, and all groups of so many lanes add up the same. */
/*@ requires 0 <= turn && \valid_read(box) && put_ == turn + 1 && got_ == turn;
    requires came_above(mail_cluster_,turn,CLUSTER_MOST);
    assigns got_;
    ensures got_ == turn + 1 && came_under(mail_cluster_,turn,\result.m,CLUSTER_MOST);
    ensures Mass(\result.s,\result.m) == CameMass(mail_cluster_,turn,CLUSTER_MOST); */
DEV once_sum exchange_mass(mailbox *box, int turn)
{
  SHARED(float, w, 32);
  PRIVATE(float, m);
  PRIVATE(float, s);
  PRIVATE(float, all);
  WARP_TEAM(3);
  once_sum sum;
  //@ assert team: team == CLUSTER_MOST;
  exchange_await(box, turn);
  /*@ loop invariant 0 <= t <= team && came_at(&m[0],mail_cluster_,0,turn,t);
      loop invariant came_at(&s[0],mail_cluster_,1,turn,t);
      loop invariant came_at(&all[0],mail_cluster_,0,turn,t);
      loop assigns t, m[0 .. MAXB-1], s[0 .. MAXB-1], all[0 .. MAXB-1];
      loop variant team - t; */
  EACH_TEAM_THREAD(t)
  {
    const float2 came = exchange_get(box, turn, t);
    AT(m, t) = came.x;
    AT(all, t) = came.x;
    AT(s, t) = came.y;
    //@ assert old_m: came_at(&m[0],mail_cluster_,0,turn,t);
    //@ assert old_s: came_at(&s[0],mail_cluster_,1,turn,t);
    //@ assert old_all: came_at(&all[0],mail_cluster_,0,turn,t);
  }
  //@ assert under_all: once_under(&all[0],RowMax(&all[0],team),team);
  //@ assert under: once_under(&m[0],RowMax(&all[0],team),team);
  sum.m = team_max(all, 0, w IN_TEAM);
  //@ assert still_m: came_at(&m[0],mail_cluster_,0,turn,team);
  //@ assert still_s: came_at(&s[0],mail_cluster_,1,turn,team);
  //@ assert top: once_under(&m[0],sum.m,team);
  //@ assert came: came_under(mail_cluster_,turn,sum.m,team);
  //@ assert mass: MassTo(&m[0],&s[0],team) == CameMass(mail_cluster_,turn,team);
  mass_rescale(m, s, sum.m IN_TEAM);
  //@ assert moved: Mass(SumR(&s[0],0,team),sum.m) == CameMass(mail_cluster_,turn,team);
  sum.s = team_sum(s, 0, w IN_TEAM);
  return sum;
}
#endif
