/* Pairs of sums over the blocks of a cluster (cluster.h): of each warp of the cluster a pair goes to
 * every block, which adds them all up. */
#ifndef PM_CLUSTER_SUMS_H
#define PM_CLUSTER_SUMS_H
#include "block.h"
#include "cluster.h"
#include "lesser.h"

enum { PAIRS = CLUSTER_MOST * MAXB / 32 }; /* one of each warp of the cluster */

/*@ predicate in_cluster_of(integer rank, integer n) = 0 <= rank < n <= CLUSTER_MOST;
    // warp t / 32 of block `rank`, of warps 32-lane warps, writes this cell, of block t % 32
    predicate pair_W(integer rank, integer warps, integer t, integer k) =
      k == ix(rank,warps,t/32);
    lemma race_pair: \forall integer r, s, warps, t, u, k; 0 <= t < 32*warps ==>
      0 <= u < 32*warps ==> (r != s || t != u) ==> t % 32 == u % 32 ==>
      pair_W(r,warps,t,k) ==> !pair_W(s,warps,u,k);
    // what lane l of a warp has of the first p of n pairs
    logic real LanePairs(integer second, float2 *s, integer met, integer n, integer l, integer p) =
      p <= 0 ? 0.0 : LanePairs(second,s,met,n,l,p-32) +
        (p-32+l < n ? Put(second,s+(p-32+l),met) : 0.0);
    predicate lane_pairs{L}(float *v, integer second, float2 *s, integer met, integer n, integer p,
                            integer from, integer to) =
      \forall integer t; from <= t < to ==> v[t] == LanePairs(second,s,met,n,t%32,p);
    // every warp has the same
    predicate warp_alike{L}(float *v, integer lo, integer m) =
      \forall integer k; 0 <= k < m ==> v[lo+k] == v[k];
    lemma alike_sum{L}: \forall float *v, integer lo, m; warp_alike{L}(v,lo,m) ==> 0 <= m ==>
      SumR{L}(v,lo,lo+m) == SumR{L}(v,0,m);
    predicate alike_at{L}(float *v, integer g) = warp_alike(v,32*g,32);
    lemma of_32: \forall integer g, k; 0 <= g ==> 0 <= k < 32 ==> (32*g + k) % 32 == k;
    predicate lane_pair{L}(float *v, integer second, float2 *s, integer met, integer n, integer p,
                           integer t, integer l) = v[t] == LanePairs(second,s,met,n,l,p);
    lemma pair_lane{L}: \forall float *v, integer second, float2 *s, integer met, n, p, to, t;
      lane_pairs(v,second,s,met,n,p,0,to) ==> 0 <= t < to ==>
      lane_pair(v,second,s,met,n,p,t,t%32);
    lemma alike_lane{L}: \forall float *v, integer second, float2 *s, integer met, n, p, to, g, k;
      lane_pairs(v,second,s,met,n,p,0,to) ==> 0 <= g ==> 32*g+32 <= to ==> 0 <= k < 32 ==>
      lane_pair(v,second,s,met,n,p,32*g+k,k);
    lemma alike_cell{L}: \forall float *v, integer second, float2 *s, integer met, n, p, to, g, k;
      lane_pairs(v,second,s,met,n,p,0,to) ==> 0 <= g ==> 32*g+32 <= to ==> 0 <= k < 32 ==>
      lane_pair(v,second,s,met,n,p,k,k) && lane_pair(v,second,s,met,n,p,32*g+k,k);
    lemma alike_pairs{L}: \forall float *v, integer second, float2 *s, integer met, n, p, to, g;
      lane_pairs(v,second,s,met,n,p,0,to) ==> 0 <= g ==> 32*g+32 <= to ==> alike_at(v,g);
    lemma alike_tree{L}: \forall float *v, integer g; alike_at(v,g) ==>
      tree(v,5,g) == SumR(v,0,32);
    // what the first p of a block's pairs add up to
    logic real PutTo(integer second, float2 *s, integer met, integer p) =
      p <= 0 ? 0.0 : PutTo(second,s,met,p-1) + Put(second,s+(p-1),met);
    // what lanes 0 .. l-1 of a warp have of the first p of n pairs
    logic real LanesTo(integer second, float2 *s, integer met, integer n, integer l, integer p) =
      l <= 0 ? 0.0 : LanesTo(second,s,met,n,l-1,p) + LanePairs(second,s,met,n,l-1,p);
    lemma lanes_none: \forall integer l, second, float2 *s, integer met, n;
      LanesTo(second,s,met,n,l,0) == 0.0;
    lemma put_next: \forall integer second, float2 *s, integer met, p; 0 <= p ==>
      PutTo(second,s,met,p+1) == PutTo(second,s,met,p) + Put(second,s+p,met);
    lemma lane_more: \forall integer l, second, float2 *s, integer met, n, p, q; 0 <= l ==>
      0 <= p ==> q == p + 32 ==> LanePairs(second,s,met,n,l,q) == LanePairs(second,s,met,n,l,p) +
        (PutTo(second,s,met,lesser(p+l+1,n)) - PutTo(second,s,met,lesser(p+l,n)));
    lemma lanes_more: \forall integer l, second, float2 *s, integer met, n, p, q; 0 <= l ==>
      0 <= p ==> q == p + 32 ==> LanesTo(second,s,met,n,l,q) == LanesTo(second,s,met,n,l,p) +
        (PutTo(second,s,met,lesser(p+l,n)) - PutTo(second,s,met,lesser(p,n)));
    lemma lanes_all: \forall integer g, second, float2 *s, integer met, n; 0 <= g ==> 0 <= n ==>
      LanesTo(second,s,met,n,32,32*g) == PutTo(second,s,met,lesser(32*g,n));
    lemma lanes_sum{L}: \forall integer l, float *v, integer second, float2 *s, integer met, n, p;
      (\forall integer t; 0 <= t < l ==> v[t] == LanePairs(second,s,met,n,t,p)) ==> 0 <= l ==>
      SumR(v,0,l) == LanesTo(second,s,met,n,l,p);
    lemma lanes_are{L}: \forall float *v, integer second, float2 *s, integer met, n, p, to;
      lane_pairs(v,second,s,met,n,p,0,to) ==> 32 <= to ==> 0 <= n <= p ==> p % 32 == 0 ==>
      LanesTo(second,s,met,n,32,p) == PutTo(second,s,met,n) && SumR(v,0,32) == PutTo(second,s,met,n); */

/*@ requires 0 <= t < BDIM && block && in_cluster_of(rank,in_cluster);
    requires \valid(pairs + (0 .. PAIRS-1)) && 1 <= met_ && away_ == 0;
    requires \forall integer k, d; pair_W(rank,BDIM/32,t,k) ==> 0 <= k < PAIRS ==>
      0 <= d < CLUSTER_MOST ==> d == t % 32 ==> PW(pairs+k,d,met_);
    assigns pairs[0 .. PAIRS-1]; */
DEV void put_pair(int t, float2 *pairs, int rank, int in_cluster, float a, float b)
{
  const int warps = BDIM / 32;
  float2 v = {a, b};
  //@ assert rank * warps == ix(rank,warps,0) && ix(rank+1,warps,0) <= ix(CLUSTER_MOST,warps,0);
  //@ assert 0 <= t/32 < warps && ix(CLUSTER_MOST,warps,0) == CLUSTER_MOST * warps <= PAIRS;
  if (t % 32 < in_cluster)
    put_peer(pairs + rank * warps + t / 32, t % 32, v);
}

/* The sums over each warp of its lanes' pairs, to every block of the cluster. */
/*@ requires block && in_cluster_of(rank,in_cluster) && \valid(pairs + (0 .. PAIRS-1));
    requires 1 <= met_ && away_ == 0 && pairs_met(pairs,PAIRS,met_);
    requires \valid(a + (0 .. BDIM-1)) && \valid(b + (0 .. BDIM-1));
    requires \separated(a + (0 .. BDIM-1), b + (0 .. BDIM-1), pairs + (0 .. PAIRS-1));
    assigns a[0 .. BDIM-1], b[0 .. BDIM-1], pairs[0 .. PAIRS-1]; */
DEV void put_pairs(LANE(float, a), LANE(float, b), float2 *pairs, int rank, int in_cluster)
{
  warp_sum(a);
  warp_sum(b);
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, pairs[0 .. PAIRS-1];
      loop variant BDIM - t; */
  LANES(t) put_pair(t, pairs, rank, in_cluster, AT(a, t), AT(b, t));
}

/* Pair p of n, or zeros. */
/*@ requires 0 <= p && n <= PAIRS && \valid_read(pairs + (0 .. PAIRS-1));
    requires 1 <= met_ && pairs_met(pairs,PAIRS,met_-1);
    assigns \nothing;
    ensures \result.x == (p < n ? Put(0,pairs+p,met_) : 0.0);
    ensures \result.y == (p < n ? Put(1,pairs+p,met_) : 0.0); */
DEV float2 pair_at(int p, int n, const float2 *pairs)
{
  float2 v = {0.0f, 0.0f};
  if (p < n)
    v = get_pair(pairs + p);
  return v;
}

/* Pair p0 + t % 32 is added to every lane's. */
/*@ requires block && 0 <= p0 < n <= PAIRS && p0 % 32 == 0 && \valid_read(pairs + (0 .. PAIRS-1));
    requires 1 <= met_ && pairs_met(pairs,PAIRS,met_-1);
    requires \valid(a + (0 .. BDIM-1)) && \valid(b + (0 .. BDIM-1));
    requires \separated(a + (0 .. BDIM-1), b + (0 .. BDIM-1));
    requires lane_pairs(a,0,pairs,met_,n,p0,0,BDIM) && lane_pairs(b,1,pairs,met_,n,p0,0,BDIM);
    assigns a[0 .. BDIM-1], b[0 .. BDIM-1];
    ensures lane_pairs(a,0,pairs,met_,n,p0+32,0,BDIM);
    ensures lane_pairs(b,1,pairs,met_,n,p0+32,0,BDIM); */
DEV void add_pairs(LANE(float, a), LANE(float, b), int p0, int n, const float2 *pairs)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant lane_pairs(a,0,pairs,met_,n,p0+32,0,t);
      loop invariant lane_pairs(a,0,pairs,met_,n,p0,t,BDIM);
      loop invariant lane_pairs(b,1,pairs,met_,n,p0+32,0,t);
      loop invariant lane_pairs(b,1,pairs,met_,n,p0,t,BDIM);
      loop assigns t, a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    float2 v = pair_at(p0 + t % 32, n, pairs);
    AT(a, t) += v.x;
    AT(b, t) += v.y;
    //@ assert a[t] == LanePairs(0,pairs,met_,n,t%32,p0+32);
    //@ assert b[t] == LanePairs(1,pairs,met_,n,t%32,p0+32);
  }
}

/* What all lanes of all warps have alike, added up over a warp. */
/*@ requires block && lane_pairs(v,second,s,met,n,p,0,BDIM) && \valid(v + (0 .. BDIM-1));
    requires 0 <= n <= p && p % 32 == 0;
    assigns v[0 .. BDIM-1];
    ensures \result == PutTo(second,s,met,n); */
DEV float pairs_sum(LANE(float, v) GHOST_PARAMS(int second, float2 *s, int met, int n, int p))
{
  //@ assert \forall integer g; 0 <= g ==> 32*g+32 <= BDIM ==> alike_at(v,g);
  //@ assert \forall integer g; 0 <= g ==> 32*g+32 <= BDIM ==> tree(v,5,g) == SumR(v,0,32);
  warp_sum(v);
  //@ assert \forall integer l; 0 <= l < BDIM ==> 0 <= l/32 && 32*(l/32)+32 <= BDIM;
  //@ assert \forall integer l; 0 <= l < BDIM ==> v[l] == tree{Pre}(v,5,l/32);
  //@ assert \forall integer l; 0 <= l < BDIM ==> v[l] == SumR{Pre}(v,0,32);
  return UNIFORM(v);
}

/* The sums over the cluster, the same for all lanes, once its blocks have met. */
/*@ requires block && 0 < in_cluster <= CLUSTER_MOST && \valid_read(pairs + (0 .. PAIRS-1));
    requires 1 <= met_ && pairs_met(pairs,PAIRS,met_-1);
    assigns \nothing; */
DEV float2 sum_pairs(float2 *pairs, int in_cluster)
{
  const int warps = BDIM / 32;
  //@ assert in_cluster * warps == ix(in_cluster,warps,0) && 0 <= warps <= 32;
  //@ assert 0 <= ix(in_cluster,warps,0) <= ix(CLUSTER_MOST,warps,0);
  //@ assert ix(CLUSTER_MOST,warps,0) == CLUSTER_MOST * warps && CLUSTER_MOST * warps <= PAIRS;
  const int n = in_cluster * warps;
  PRIVATE(float, a);
  PRIVATE(float, b);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant lane_pairs(&a[0],0,pairs,met_,n,0,0,t);
      loop invariant lane_pairs(&b[0],1,pairs,met_,n,0,0,t);
      loop assigns t, a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    AT(a, t) = 0.0f;
    AT(b, t) = 0.0f;
    //@ assert lane_pairs(&a[0],0,pairs,met_,n,0,0,t);
    //@ assert lane_pairs(&b[0],1,pairs,met_,n,0,0,t);
  }
  int p0 = 0;
  /*@ loop invariant 0 <= p0 <= n + 31 && p0 % 32 == 0;
      loop invariant lane_pairs(&a[0],0,pairs,met_,n,p0,0,BDIM);
      loop invariant lane_pairs(&b[0],1,pairs,met_,n,p0,0,BDIM);
      loop assigns p0, a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant n - p0; */
  for (; p0 < n; p0 += 32) add_pairs(a, b, p0, n, pairs);
  float2 sum = {0.0f, 0.0f};
  sum.x = pairs_sum(a GHOST_ARGS(0, pairs, met_, n, p0));
  sum.y = pairs_sum(b GHOST_ARGS(1, pairs, met_, n, p0));
  return sum;
}

/* The sums over the cluster of its lanes' pairs. */
/*@ requires block && in_cluster_of(rank,in_cluster) && \valid(pairs + (0 .. PAIRS-1));
    requires 1 <= met_ && away_ == 0 && pairs_met(pairs,PAIRS,met_);
    requires \valid(a + (0 .. BDIM-1)) && \valid(b + (0 .. BDIM-1));
    requires \separated(a + (0 .. BDIM-1), b + (0 .. BDIM-1), pairs + (0 .. PAIRS-1));
    assigns a[0 .. BDIM-1], b[0 .. BDIM-1], pairs[0 .. PAIRS-1], met_, away_;
    ensures met_ == \old(met_) + 1 && away_ == 0; */
DEV float2 cluster_sums(LANE(float, a), LANE(float, b), float2 *pairs, int rank, int in_cluster)
{
  put_pairs(a, b, pairs, rank, in_cluster);
  cluster_arrive();
  cluster_wait();
  return sum_pairs(pairs, in_cluster);
}
#endif
