/* The largest element of what a block reads: vectors of an array in the registers of its lanes, as
 * sum/block_range.h has them, and then across the lanes. */
#ifndef PM_REDUCE_MAX_RANGE_H
#define PM_REDUCE_MAX_RANGE_H
#include "../collective/block_max.h"
#include "../math/neg_inf.h"
#include "../sum/block_range.h"

/*@ // the largest of x[lo] .. x[hi-1], and of Lowest, as SumR is their sum
    logic real MaxR{L}(float *x, integer lo, integer hi) =
      hi <= lo ? Lowest : \max(MaxR{L}(x,lo,hi-1), x[hi-1]);
    // it is not below, and not above what they are not above: by induction
    predicate topped{L}(float *x, integer lo, integer d) = Lowest <= MaxR(x,lo,lo+d) &&
      \forall integer k; lo <= k < lo+d ==> x[k] <= MaxR(x,lo,lo+d);
    lemma topped_s{L}: \forall float *x, integer lo, d; 0 <= d ==> topped(x,lo,d) ==>
      topped(x,lo,d+1);
    lemma topped_all{L}: \forall integer d, float *x, integer lo; 0 <= d ==> topped(x,lo,d);
    lemma max_topped{L}: \forall float *x, integer lo, hi; lo <= hi ==>
      topped(x,lo,hi-lo) && Lowest <= MaxR(x,lo,hi);
    lemma max_top{L}: \forall float *x, integer lo, hi, k; lo <= k < hi ==>
      topped(x,lo,hi-lo) && x[k] <= MaxR(x,lo,hi);
    predicate all_under{L}(float *x, integer lo, integer hi, real m) =
      \forall integer k; lo <= k < hi ==> x[k] <= m;
    predicate max_if{L}(float *x, integer lo, integer d, real m) =
      all_under(x,lo,lo+d,m) ==> MaxR(x,lo,lo+d) <= m;
    lemma max_if_s{L}: \forall float *x, integer lo, d, real m; Lowest <= m ==> 0 <= d ==>
      max_if(x,lo,d,m) ==> max_if(x,lo,d+1,m);
    lemma max_if_all{L}: \forall integer d, float *x, integer lo, real m; Lowest <= m ==> 0 <= d ==>
      max_if(x,lo,d,m);
    lemma max_under{L}: \forall float *x, integer lo, hi, real m; Lowest <= m ==> lo <= hi ==>
      all_under(x,lo,hi,m) ==> max_if(x,lo,hi-lo,m) && MaxR(x,lo,hi) <= m;
    lemma max_frame{L1,L2}: \forall integer hi, float *x, integer lo; 0 <= lo ==>
      Same{L1,L2}(x,hi) ==> MaxR{L1}(x,lo,hi) == MaxR{L2}(x,lo,hi);
    // the lanes have some of it each, and together all elements before `to`
    predicate some_max{L0,L}(float *acc, integer T, float *x, integer lo, integer hi) =
      \forall integer u; 0 <= u < T ==> Lowest <= \at(acc[u],L) <= MaxR{L0}(x,lo,hi);
    predicate seen{L0,L}(float *acc, integer T, float *x, integer from, integer to) =
      \forall integer k; from <= k < to ==> \at(x[k],L0) <= RowMax{L}(acc,T);
    lemma lanes_under{L0,L}: \forall integer T, float *acc, *x, integer lo, hi; 1 <= T ==>
      some_max{L0,L}(acc,T,x,lo,hi) ==> Lowest <= RowMax{L}(acc,T) <= MaxR{L0}(x,lo,hi);
    lemma seen_under{L0,L}: \forall float *acc, integer T, float *x, integer lo, hi;
      seen{L0,L}(acc,T,x,lo,hi) ==> all_under{L0}(x,lo,hi,RowMax{L}(acc,T));
    lemma max_is{L0,L}: \forall float *acc, integer T, float *x, integer lo, hi; 1 <= T ==>
      lo <= hi ==> some_max{L0,L}(acc,T,x,lo,hi) ==> seen{L0,L}(acc,T,x,lo,hi) ==>
      all_under{L0}(x,lo,hi,RowMax{L}(acc,T)) && RowMax{L}(acc,T) == MaxR{L0}(x,lo,hi); */

/*@ assigns \nothing;
    ensures top <= \result && v.x <= \result && v.y <= \result && v.z <= \result;
    ensures v.w <= \result;
    ensures \result == top || \result == v.x || \result == v.y || \result == v.z ||
      \result == v.w; */
DEV float range_larger(float top, float4 v)
{
  return larger(top, larger(larger(v.x, v.y), larger(v.z, v.w)));
}

/* SUM_DEPTH vectors of each lane, from vector k0 on, those of them that there are; whole: all. */
/*@ requires block && 0 <= lo <= k0 < hi && sum_reads(x,4*hi,hi,0);
    requires whole != 0 ==> k0 + SUM_DEPTH*BDIM <= hi;
    requires \valid_read(v + (0 .. KMAX*MAXB-1));
    requires vectors{Pre,Pre}(v, x, k0, hi, SUM_DEPTH*BDIM);
    requires \valid(acc + (0 .. BDIM-1)) && \separated(acc + (0 .. BDIM-1), x + (0 .. 4*hi-1));
    requires \separated(acc + (0 .. BDIM-1), v + (0 .. KMAX*MAXB-1));
    requires some_max{Pre,Pre}(acc, BDIM, x, 4*lo, 4*hi) && seen{Pre,Pre}(acc, BDIM, x, 4*lo, 4*k0);
    assigns acc[0 .. BDIM-1];
    ensures some_max{Pre,Post}(acc, BDIM, x, 4*lo, 4*hi);
    ensures seen{Pre,Post}(acc, BDIM, x, 4*lo, 4*least(k0+SUM_DEPTH*BDIM,hi)); */
DEV void max_add_all(PER_THREAD(float, acc), PER_THREADK(float4, v), idx k0, idx hi,
                     int whole GHOST_PARAMS(idx lo, const float *x))
{
  /*@ loop invariant 0 <= j <= SUM_DEPTH && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant some_max{Pre,Here}(acc, BDIM, x, 4*lo, 4*hi);
      loop invariant seen{Pre,Here}(acc, BDIM, x, 4*lo, 4*least(k0+j0,hi));
      loop assigns j, j0, acc[0 .. BDIM-1];
      loop variant SUM_DEPTH - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < SUM_DEPTH; j++, j0 += BDIM) {
    //@ assert mul(SUM_DEPTH, BDIM) == SUM_DEPTH*BDIM && j0 + BDIM <= SUM_DEPTH*BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant some_max{Pre,Here}(acc, BDIM, x, 4*lo, 4*hi);
        loop invariant seen{Pre,Here}(acc, BDIM, x, 4*lo, 4*least(k0+j0+t,hi));
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (whole || k0 + j0 + t < hi) {
        float4 u = REG(v, j, j0, t);
        //@ assert vector{Pre}(u, x, k0 + j0 + t, hi);
        AT(acc, t) = range_larger(AT(acc, t), u);
        //@ assert some: Lowest <= acc[t] <= MaxR{Pre}(x, 4*lo, 4*hi);
        //@ assert only: only{LoopCurrent,Here}(acc, t, BDIM);
        //@ assert grows: at_most{LoopCurrent,Here}(acc, BDIM);
        //@ assert max: \at(RowMax(acc, BDIM),LoopCurrent) <= RowMax(acc, BDIM);
        //@ assert one: acc[t] <= RowMax(acc, BDIM);
        //@ assert old: seen{Pre,Here}(acc, BDIM, x, 4*lo, 4*(k0+j0+t));
        //@ assert new: seen{Pre,Here}(acc, BDIM, x, 4*(k0+j0+t), 4*(k0+j0+t)+4);
      }
  }
  //@ assert mul(SUM_DEPTH, BDIM) == SUM_DEPTH*BDIM;
}

/* The largest of vectors lo .. hi-1, for all lanes; NaN where any element is. */
/*@ requires block && 0 <= lo <= hi && sum_reads(x,4*hi,hi,1);
    assigns \nothing;
    ensures \result == MaxR{Pre}(x, 4*lo, 4*hi); */
DEV float max_range(idx lo, idx hi, const float *RESTRICT x)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && \forall integer u; 0 <= u < t ==> acc[u] == Lowest;
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = lowest();
  /*@ loop invariant lo <= k0 <= hi + SUM_DEPTH*BDIM && Same{Pre,Here}(x,4*hi);
      loop invariant some_max{Pre,Here}(&acc[0], BDIM, x, 4*lo, 4*hi);
      loop invariant seen{Pre,Here}(&acc[0], BDIM, x, 4*lo, 4*least(k0,hi));
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant hi - k0; */
  for (idx k0 = lo; k0 < hi; k0 += SUM_DEPTH * BDIM) {
    PRIVATEK(float4, v);
    int whole = k0 + SUM_DEPTH * BDIM <= hi;
    if (whole)
      sum_load_all(v, k0, hi, 1, 1, x);
    else
      sum_load_all(v, k0, hi, 1, 0, x);
    //@ assert same: Same{Pre,Here}(x,4*hi) && Same{LoopCurrent,Here}(&acc[0],BDIM);
    //@ assert vecs: vectors{Here,Here}(&v[0], x, k0, hi, SUM_DEPTH*BDIM);
    //@ assert of: MaxR(x, 4*lo, 4*hi) == MaxR{Pre}(x, 4*lo, 4*hi);
    //@ assert max: RowMax(&acc[0], BDIM) == \at(RowMax(&acc[0], BDIM),LoopCurrent);
    //@ assert some: some_max{Here,Here}(&acc[0], BDIM, x, 4*lo, 4*hi);
    //@ assert seen: seen{Here,Here}(&acc[0], BDIM, x, 4*lo, 4*k0);
    max_add_all(acc, v, k0, hi, whole GHOST_ARGS(lo, x));
  }
  //@ assert all: RowMax(&acc[0], BDIM) == MaxR{Pre}(x, 4*lo, 4*hi);
  return block_max(acc, s);
}
#endif
