/* Means of what the rows of cross entropy leave, dealt to blocks as sums are (sum/plan.h). Where an
 * element is REFUSED so is the sum. */
#include "../lang/dependent_launch.h"
#include "targets.h"
#include "../sum/vectors.h"

#define MEAN_DEPTH 8 /* loads that a thread has in flight */

/*@ predicate fine{L}(float *x, integer lo, integer hi) =
      \forall integer i; lo <= i < hi ==> x[i] >= 0.0;
    predicate fine4(float4 v) = v.x >= 0.0 && v.y >= 0.0 && v.z >= 0.0 && v.w >= 0.0;
    lemma fine_join{L}: \forall float *x, integer lo, m, hi; lo <= m <= hi ==>
      (fine{L}(x,lo,hi) <==> fine{L}(x,lo,m) && fine{L}(x,m,hi));
    lemma fine_next{L}: \forall float *x, integer lo, k; lo <= k ==>
      (fine{L}(x,lo,k+1) <==> fine{L}(x,lo,k) && rd{L}(x,k) >= 0.0);
    lemma fine_same{L1,L2}: \forall float *x, integer lo, hi, n; 0 <= lo ==> hi <= n ==>
      Same{L1,L2}(x,n) ==> (fine{L1}(x,lo,hi) <==> fine{L2}(x,lo,hi));
    predicate sum_fine{L}(float *x, integer lo, integer k) = SumR{L}(x,lo,lo+k) >= 0.0;
    lemma fine_sums{L}: \forall integer k, float *x, integer lo; 0 <= k ==>
      (\forall integer i; 0 <= i < k ==> x[lo+i] >= 0.0) ==> SumR{L}(x,lo,lo+k) >= 0.0;
    lemma fine_from{L}: \forall float *x, integer lo, k; 0 <= k ==> fine{L}(x,lo,lo+k) ==>
      sum_fine{L}(x,lo,k);
    lemma fine_sum{L}: \forall float *x, integer lo, hi; fine{L}(x,lo,hi) ==>
      sum_fine{L}(x,lo,hi-lo) && SumR{L}(x,lo,hi) >= 0.0;
    // of vectors q .. r-1, there being none from hi on
    predicate vecs_fine{L}(float *x, integer q, integer r, integer hi) =
      fine{L}(x, 4*least(q,hi), 4*least(r,hi));
    lemma vec_fine{L}: \forall float *x, float4 v, integer q, hi; 0 <= q ==>
      vector{L}(v,x,q,hi) ==> (fine4(v) <==> vecs_fine{L}(x,q,q+1,hi));
    lemma vecs_join{L}: \forall float *x, integer q, r, s, hi; q <= r <= s ==>
      (vecs_fine{L}(x,q,s,hi) <==> vecs_fine{L}(x,q,r,hi) && vecs_fine{L}(x,r,s,hi));
    lemma vecs_same{L1,L2}: \forall float *x, integer q, r, hi; 0 <= q ==> 0 <= hi ==>
      Same{L1,L2}(x,4*hi) ==> (vecs_fine{L1}(x,q,r,hi) <==> vecs_fine{L2}(x,q,r,hi));
    lemma vec_sum_same{L1,L2}: \forall float *x, integer q, hi; Same{L1,L2}(x,4*hi) ==>
      VecSum{L1}(x,0,q,hi) == VecSum{L2}(x,0,q,hi);
    logic real Gain{L}(float *x, integer q, integer r, integer hi) =
      VecSum{L}(x,0,r,hi) - VecSum{L}(x,0,q,hi);
    lemma vec_gain{L}: \forall float *x, float4 v, integer q, hi; 0 <= q ==>
      vector{L}(v,x,q,hi) ==> v.x + v.y + v.z + v.w == Gain{L}(x,q,q+1,hi);
    lemma gain_all{L}: \forall float *x, integer q, r, hi; 0 <= q <= r ==> q <= hi ==>
      Gain{L}(x,q,r,hi) == VecSum{L}(x,q,r,hi);
    // of vectors q .. q+i-1, q+b .. q+b+i-1, .., MEAN_DEPTH times
    predicate strips_fine{L}(float *x, integer q, integer b, integer i, integer hi) =
      vecs_fine{L}(x,q,q+i,hi) && vecs_fine{L}(x,q+b,q+b+i,hi) &&
      vecs_fine{L}(x,q+2*b,q+2*b+i,hi) && vecs_fine{L}(x,q+3*b,q+3*b+i,hi) &&
      vecs_fine{L}(x,q+4*b,q+4*b+i,hi) && vecs_fine{L}(x,q+5*b,q+5*b+i,hi) &&
      vecs_fine{L}(x,q+6*b,q+6*b+i,hi) && vecs_fine{L}(x,q+7*b,q+7*b+i,hi);
    logic real Strips{L}(float *x, integer q, integer b, integer i, integer hi) =
      Gain{L}(x,q,q+i,hi) + Gain{L}(x,q+b,q+b+i,hi) + Gain{L}(x,q+2*b,q+2*b+i,hi) +
      Gain{L}(x,q+3*b,q+3*b+i,hi) + Gain{L}(x,q+4*b,q+4*b+i,hi) +
      Gain{L}(x,q+5*b,q+5*b+i,hi) + Gain{L}(x,q+6*b,q+6*b+i,hi) + Gain{L}(x,q+7*b,q+7*b+i,hi);
    lemma strips_fine_same{L1,L2}: \forall float *x, integer q, b, i, hi; 0 <= q ==> 0 <= b ==>
      0 <= hi ==> Same{L1,L2}(x,4*hi) ==>
      (strips_fine{L1}(x,q,b,i,hi) <==> strips_fine{L2}(x,q,b,i,hi));
    lemma strips_same{L1,L2}: \forall float *x, integer q, b, i, hi; Same{L1,L2}(x,4*hi) ==>
      Strips{L1}(x,q,b,i,hi) == Strips{L2}(x,q,b,i,hi);
    lemma strips_fine_none{L}: \forall float *x, integer q, b, hi; strips_fine{L}(x,q,b,0,hi);
    lemma strips_none{L}: \forall float *x, integer q, b, hi; Strips{L}(x,q,b,0,hi) == 0.0;
    lemma strips_fine_next{L}: \forall float *x, integer q, b, i, hi; 0 <= i ==>
      (strips_fine{L}(x,q,b,i+1,hi) <==>
        strips_fine{L}(x,q,b,i,hi) && strips_fine{L}(x,q+i,b,1,hi));
    lemma strips_next{L}: \forall float *x, integer q, b, i, hi;
      Strips{L}(x,q,b,i+1,hi) == Strips{L}(x,q,b,i,hi) + Strips{L}(x,q+i,b,1,hi);
    lemma strips_fine_all{L}: \forall float *x, integer q, b, hi; 0 <= b ==>
      (strips_fine{L}(x,q,b,b,hi) <==> vecs_fine{L}(x,q,q+8*b,hi));
    lemma strips_all{L}: \forall float *x, integer q, b, hi;
      Strips{L}(x,q,b,b,hi) == Gain{L}(x,q,q+8*b,hi); */

/*@ assigns \nothing; ensures \result == 0 <==> fine4(v); */
DEV int refused4(float4 v) { return v.x < 0.0f || v.y < 0.0f || v.z < 0.0f || v.w < 0.0f; }

/*@ assigns \nothing; ensures \result == v.x + v.y + v.z + v.w; */
DEV float sum_of(float4 v) { return (v.x + v.y) + (v.z + v.w); }

/* What vectors q, q + BDIM, .. add to thread i: all loads come before the arithmetic. */
/*@ requires block && sum_reads(x,4*hi,hi,1) && 0 <= q <= IDX_LIM + MAXB && 0 <= i < BDIM;
    requires \valid(acc + (0 .. BDIM-1)) && \valid(refused + (0 .. BDIM-1));
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. 4*hi-1));
    assigns acc[i], refused[i];
    ensures only{Pre,Post}(acc, i, BDIM);
    ensures acc[i] == \old(acc[i]) + Strips{Pre}(x,q,BDIM,1,hi);
    ensures strips_fine{Pre}(x,q,BDIM,1,hi) ==> refused[i] == \old(refused[i]);
    ensures !strips_fine{Pre}(x,q,BDIM,1,hi) ==> refused[i] == 1; */
DEV void mean_thread(int i, PER_THREAD(float, acc), PER_THREAD(int, refused), idx q, idx hi,
                     const float *RESTRICT x)
{
  float4 v0 = sum_load(q, hi, 1, x), v1 = sum_load(q + BDIM, hi, 1, x);
  float4 v2 = sum_load(q + 2 * BDIM, hi, 1, x), v3 = sum_load(q + 3 * BDIM, hi, 1, x);
  float4 v4 = sum_load(q + 4 * BDIM, hi, 1, x), v5 = sum_load(q + 5 * BDIM, hi, 1, x);
  float4 v6 = sum_load(q + 6 * BDIM, hi, 1, x), v7 = sum_load(q + 7 * BDIM, hi, 1, x);
  /*@ assert fine: strips_fine(x,q,BDIM,1,hi) <==> fine4(v0) && fine4(v1) && fine4(v2) &&
        fine4(v3) && fine4(v4) && fine4(v5) && fine4(v6) && fine4(v7); */
  //@ assert g0: v0.x + v0.y + v0.z + v0.w == Gain(x,q,q+1,hi);
  //@ assert g1: v1.x + v1.y + v1.z + v1.w == Gain(x,q+BDIM,q+BDIM+1,hi);
  //@ assert g2: v2.x + v2.y + v2.z + v2.w == Gain(x,q+2*BDIM,q+2*BDIM+1,hi);
  //@ assert g3: v3.x + v3.y + v3.z + v3.w == Gain(x,q+3*BDIM,q+3*BDIM+1,hi);
  //@ assert g4: v4.x + v4.y + v4.z + v4.w == Gain(x,q+4*BDIM,q+4*BDIM+1,hi);
  //@ assert g5: v5.x + v5.y + v5.z + v5.w == Gain(x,q+5*BDIM,q+5*BDIM+1,hi);
  //@ assert g6: v6.x + v6.y + v6.z + v6.w == Gain(x,q+6*BDIM,q+6*BDIM+1,hi);
  //@ assert g7: v7.x + v7.y + v7.z + v7.w == Gain(x,q+7*BDIM,q+7*BDIM+1,hi);
  float sum = AT(acc, i) + sum_of(v0);
  sum += sum_of(v1);
  sum += sum_of(v2);
  sum += sum_of(v3);
  sum += sum_of(v4);
  sum += sum_of(v5);
  sum += sum_of(v6);
  sum += sum_of(v7);
  //@ assert all: sum == acc[i] + Strips(x,q,BDIM,1,hi);
  AT(acc, i) = sum;
  if (refused4(v0) || refused4(v1) || refused4(v2) || refused4(v3) || refused4(v4) ||
      refused4(v5) || refused4(v6) || refused4(v7))
    AT(refused, i) = 1;
}

/* The vectors k0 .. of all threads. */
/*@ requires block && sum_reads(x,4*hi,hi,1) && 0 <= k0 < hi;
    requires \valid(acc + (0 .. BDIM-1)) && \valid(refused + (0 .. BDIM-1));
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. 4*hi-1));
    assigns acc[0 .. BDIM-1], refused[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) ==
      \old(SumR(acc, 0, BDIM)) + Gain{Pre}(x, k0, k0 + MEAN_DEPTH*BDIM, hi);
    ensures none_set(refused, BDIM) <==>
      none_set{Pre}(refused, BDIM) && vecs_fine{Pre}(x, k0, k0 + MEAN_DEPTH*BDIM, hi); */
DEV void mean_add_all(PER_THREAD(float, acc), PER_THREAD(int, refused), idx k0, idx hi,
                      const float *RESTRICT x)
{
  /*@ loop invariant 0 <= i <= BDIM;
      loop invariant SumR(acc, 0, BDIM) ==
        \at(SumR(acc, 0, BDIM),Pre) + Strips{Pre}(x, k0, BDIM, i, hi);
      loop invariant none_set(refused, BDIM) <==>
        none_set{Pre}(refused, BDIM) && strips_fine{Pre}(x, k0, BDIM, i, hi);
      loop assigns i, acc[0 .. BDIM-1], refused[0 .. BDIM-1];
      loop variant BDIM - i; */
  EACH_THREAD(i) {
    //@ assert Same{Pre,Here}(x, 4*hi);
    //@ assert Strips(x, k0 + i, BDIM, 1, hi) == Strips{Pre}(x, k0 + i, BDIM, 1, hi);
    /*@ assert strips_fine(x, k0 + i, BDIM, 1, hi) <==>
          strips_fine{Pre}(x, k0 + i, BDIM, 1, hi); */
    mean_thread(i, acc, refused, k0 + i, hi, x);
    //@ assert only{LoopCurrent,Here}(acc, i, BDIM);
    /*@ assert fine: strips_fine{Pre}(x, k0 + i, BDIM, 1, hi) ==>
          (none_set(refused, BDIM) <==> none_set{LoopCurrent}(refused, BDIM)); */
    /*@ assert other: !strips_fine{Pre}(x, k0 + i, BDIM, 1, hi) ==>
          refused[i] == 1 && !none_set(refused, BDIM); */
    /*@ assert SumR(acc, 0, BDIM) ==
          \at(SumR(acc, 0, BDIM),LoopCurrent) + Strips{Pre}(x, k0 + i, BDIM, 1, hi); */
  }
}

/* The elements from .. n-1, which are no whole vector. */
/*@ requires block && 0 <= from <= n && reads(x,n);
    requires \valid(acc + (0 .. BDIM-1)) && \valid(refused + (0 .. BDIM-1));
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    assigns acc[0 .. BDIM-1], refused[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == \old(SumR(acc, 0, BDIM)) + SumR{Pre}(x, from, n);
    ensures none_set(refused, BDIM) <==> none_set{Pre}(refused, BDIM) && fine{Pre}(x, from, n); */
DEV void mean_add_rest(PER_THREAD(float, acc), PER_THREAD(int, refused), idx from, idx n,
                       const float *RESTRICT x)
{
  /*@ loop invariant from <= k0 <= n + BDIM;
      loop invariant SumR(acc, 0, BDIM) ==
        \at(SumR(acc, 0, BDIM),Pre) + SumR{Pre}(x, from, least(k0,n));
      loop invariant none_set(refused, BDIM) <==>
        none_set{Pre}(refused, BDIM) && fine{Pre}(x, from, least(k0,n));
      loop assigns k0, acc[0 .. BDIM-1], refused[0 .. BDIM-1];
      loop variant n - k0; */
  UNROLL_BY(1)
  for (idx k0 = from; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) ==
          \at(SumR(acc, 0, BDIM),Pre) + SumR{Pre}(x, from, least(k0 + t,n));
        loop invariant none_set(refused, BDIM) <==>
          none_set{Pre}(refused, BDIM) && fine{Pre}(x, from, least(k0 + t,n));
        loop assigns t, acc[0 .. BDIM-1], refused[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < n) {
        float u = LDG(x + k0 + t);
        //@ assert u == rd{Pre}(x, k0 + t);
        AT(acc, t) += u;
        if (u < 0.0f)
          AT(refused, t) = 1;
        //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
        /*@ assert acc[t] == \at(acc[t],LoopCurrent) +
              (SumR{Pre}(x, from, k0 + t + 1) - SumR{Pre}(x, from, k0 + t)); */
        /*@ assert SumR(acc, 0, BDIM) ==
              \at(SumR(acc, 0, BDIM),LoopCurrent) - \at(acc[t],LoopCurrent) + acc[t]; */
        //@ assert least(k0 + t,n) == k0 + t && least(k0 + t + 1,n) == k0 + t + 1;
        //@ assert none_set(refused, BDIM) <==> none_set{LoopCurrent}(refused, BDIM) && u >= 0.0;
        /*@ assert fine{Pre}(x, from, k0 + t + 1) <==>
              fine{Pre}(x, from, k0 + t) && rd{Pre}(x, k0 + t) >= 0.0; */
      }
  }
}

/* out[0] = sum / divisor, or what stands for a sum that is refused; by one thread. */
/*@ requires t == 0 ==> \valid(out) && W(out);
    requires t == 0 && status != \null ==> \valid(status);
    requires status != \null ==> \separated(status,out);
    assigns *out, *status;
    ensures t == 0 && refused == 0 ==> *out == rdiv(sum,divisor);
    ensures t == 0 && refused != 0 && last == 0 ==> *out == -1.0;
    ensures t != 0 || (refused != 0 && last != 0) ==> *out == \old(*out); */
DEV void mean_leave(int t, int refused, int last, float sum, float divisor, float *out, int *status)
{
  if (t == 0) {
    if (!refused)
      STG(out, sum / divisor);
    else if (!last)
      STG(out, REFUSED);
    else if (status)
      refuse_status(status);
  }
}

/*@ requires block && \valid(out) && W(out);
    requires status != \null ==> \valid(status) && \separated(status,out);
    assigns *out, *status;
    ensures refused == 0 ==> *out == rdiv(sum,divisor);
    ensures refused != 0 ==> *out == (last == 0 ? -1.0 : \old(*out)); */
DEV void mean_leave_all(int refused, int last, float sum, float divisor, float *out, int *status)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant t == 0 ==> *out == \at(*out,Pre);
      loop invariant 0 < t && refused == 0 ==> *out == rdiv(sum,divisor);
      loop invariant 0 < t && refused != 0 ==> *out == (last == 0 ? -1.0 : \at(*out,Pre));
      loop assigns t, *out, *status;
      loop variant BDIM - t; */
  EACH_THREAD(t) mean_leave(t, refused, last, sum, divisor, out, status);
}

/* Of vectors lo .. hi-1 and elements from .. n-1: their sum by `divisor` to out[0]. */
/*@ requires block && 0 <= lo <= hi && 4*hi <= n && 0 <= from <= n && sum_reads(x,n,hi,1);
    requires \valid(out) && W(out) && \separated(out, x + (0 .. n-1));
    requires status != \null ==> \valid(status) && \separated(status,out) &&
      \separated(status, x + (0 .. n-1));
    assigns *out, *status;
    ensures fine{Pre}(x,4*lo,4*hi) && fine{Pre}(x,from,n) ==>
      *out == rdiv(SumR{Pre}(x,4*lo,4*hi) + SumR{Pre}(x,from,n), divisor);
    ensures !(fine{Pre}(x,4*lo,4*hi) && fine{Pre}(x,from,n)) ==>
      *out == (last == 0 ? -1.0 : \old(*out)); */
DEV void mean_range(idx lo, idx hi, idx from, idx n, float divisor, int last,
                    const float *RESTRICT x, float *out, int *status)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  PRIVATE(int, refused);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t) && none_set(&refused[0], t);
      loop assigns t, acc[0 .. BDIM-1], refused[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(acc, t) = 0.0f;
    AT(refused, t) = 0;
  }
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert sum_reads(x,4*hi,hi,1);
  /*@ loop invariant lo <= k0 <= hi + MEAN_DEPTH*BDIM;
      loop invariant SumR(&acc[0], 0, BDIM) == Gain{Pre}(x, lo, k0, hi);
      loop invariant none_set(&refused[0], BDIM) <==> vecs_fine{Pre}(x, lo, k0, hi);
      loop assigns k0, acc[0 .. BDIM-1], refused[0 .. BDIM-1];
      loop variant hi - k0; */
  for (idx k0 = lo; k0 < hi; k0 += MEAN_DEPTH * BDIM) {
    //@ assert Same{Pre,Here}(x,n);
    //@ assert Same{Pre,Here}(x,4*hi);
    //@ assert Gain(x, k0, k0 + MEAN_DEPTH*BDIM, hi) == Gain{Pre}(x, k0, k0 + MEAN_DEPTH*BDIM, hi);
    /*@ assert vecs_fine(x, k0, k0 + MEAN_DEPTH*BDIM, hi) <==>
          vecs_fine{Pre}(x, k0, k0 + MEAN_DEPTH*BDIM, hi); */
    mean_add_all(acc, refused, k0, hi, x);
  }
  //@ assert Same{Pre,Here}(x,n);
  //@ assert SumR(&acc[0], 0, BDIM) == SumR{Pre}(x, 4*lo, 4*hi);
  //@ assert none_set(&refused[0], BDIM) <==> fine{Pre}(x, 4*lo, 4*hi);
  //@ assert SumR(x, from, n) == SumR{Pre}(x, from, n);
  //@ assert fine(x, from, n) <==> fine{Pre}(x, from, n);
  mean_add_rest(acc, refused, from, n, x);
  //@ assert SumR(&acc[0], 0, BDIM) == SumR{Pre}(x, 4*lo, 4*hi) + SumR{Pre}(x, from, n);
  //@ assert none_set(&refused[0], BDIM) <==> fine{Pre}(x, 4*lo, 4*hi) && fine{Pre}(x, from, n);
  int none = block_or(refused);
  //@ assert none == 0 <==> fine{Pre}(x, 4*lo, 4*hi) && fine{Pre}(x, from, n);
  float sum = block_sum(acc, s);
  //@ assert sum == SumR{Pre}(x, 4*lo, 4*hi) + SumR{Pre}(x, from, n);
  //@ assert old: *out == \at(*out,Pre);
  mean_leave_all(none, last, sum, divisor, out, status);
  //@ assert refused: none != 0 ==> *out == (last == 0 ? -1.0 : \at(*out,Pre));
}

//@ logic integer upto(integer b, integer m, integer c, integer n) = b < m ? 4*ix(b,c,0) : n;
/* out[b] = the sum over block b's part of n elements, by `divisor`. Block b does vectors b*chunk
 * .., the last block the n - 4V elements behind the V vectors as well. `last`: where a sum is
 * refused it is not written, and *status says so. */
/*@ requires block && 0 < chunk && 0 < blocks && sum_reads(x,n,V,1) && writes(out,blocks);
    requires apart(x,n,out,blocks) && ix(blocks,chunk,0) <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires ix(blocks-1,chunk,0) <= V <= ix(blocks,chunk,0);
    requires status != \null ==> \valid(status) && \separated(status, out + (0 .. blocks-1)) &&
      \separated(status, x + (0 .. n-1));
    assigns out[0 .. blocks-1], *status;
    ensures blocks == 1 && fine{Pre}(x,0,n) ==> out[0] == rdiv(SumR{Pre}(x,0,n), divisor);
    ensures blocks == 1 && last != 0 && !fine{Pre}(x,0,n) ==> out[0] == \old(out[0]);
    ensures divisor == 1.0 && fine{Pre}(x,0,n) ==>
      fine(out,0,blocks) && SumR(out,0,blocks) == SumR{Pre}(x,0,n);
    ensures last == 0 && !fine{Pre}(x,0,n) ==> !fine(out,0,blocks); */
KERNEL void cross_entropy_mean(idx n, idx V, idx chunk, idx blocks, float divisor, int last,
                               const float *RESTRICT x, float *RESTRICT out, int *status)
{
  await_launches();
  /*@ loop invariant 0 <= b <= blocks && Same{Pre,Here}(x,n);
      loop invariant b == 0 ==> out[0] == \at(out[0],Pre);
      loop invariant b == 1 && blocks == 1 && fine{Pre}(x,0,n) ==>
        out[0] == rdiv(SumR{Pre}(x,0,n), divisor);
      loop invariant b == 1 && blocks == 1 && last != 0 && !fine{Pre}(x,0,n) ==>
        out[0] == \at(out[0],Pre);
      loop invariant divisor == 1.0 && fine{Pre}(x,0,upto(b,blocks,chunk,n)) ==>
        fine(out,0,b) && SumR(out,0,b) == SumR{Pre}(x,0,upto(b,blocks,chunk,n));
      loop invariant last == 0 && !fine{Pre}(x,0,upto(b,blocks,chunk,n)) ==> !fine(out,0,b);
      loop assigns b, out[0 .. blocks-1], *status;
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    idx lo = at2(blocks, chunk, b, 0), hi = V - lo < chunk ? V : lo + chunk;
    //@ assert b < blocks - 1 ==> ix(b+1,chunk,0) == lo + chunk && lo + chunk <= V;
    //@ assert 0 <= lo <= hi <= V;
    //@ ghost idx from = b == blocks - 1 ? 4 * V : n;
    //@ assert sum: SumR(x, 4*lo, 4*hi) == SumR{Pre}(x, 4*lo, 4*hi);
    //@ assert sum_rest: SumR(x, from, n) == SumR{Pre}(x, from, n);
    //@ assert is_fine: fine(x, 4*lo, 4*hi) <==> fine{Pre}(x, 4*lo, 4*hi);
    //@ assert is_fine_rest: fine(x, from, n) <==> fine{Pre}(x, from, n);
    /*@ assert sum_to: SumR{Pre}(x, 0, 4*lo) + (SumR{Pre}(x, 4*lo, 4*hi) + SumR{Pre}(x, from, n)) ==
          SumR{Pre}(x, 0, upto(b+1,blocks,chunk,n)); */
    /*@ assert fine_to: fine{Pre}(x, 0, upto(b+1,blocks,chunk,n)) <==>
          fine{Pre}(x, 0, 4*lo) && fine{Pre}(x, 4*lo, 4*hi) && fine{Pre}(x, from, n); */
    mean_range(lo, hi, b == blocks - 1 ? 4 * V : n, n, divisor, last, x, out + b, status);
    //@ assert Same{LoopCurrent,Here}(x,n);
    //@ assert same: Same{LoopCurrent,Here}(out,b);
    //@ assert sums: SumR(out, 0, b) == \at(SumR(out, 0, b),LoopCurrent);
    //@ assert fines: fine(out, 0, b) <==> fine{LoopCurrent}(out, 0, b);
    //@ assert all: SumR(out, 0, b+1) == SumR(out, 0, b) + out[b];
    //@ assert all_fine: fine(out, 0, b+1) <==> fine(out, 0, b) && out[b] >= 0.0;
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "launch.h"
#include "../sum/plan.h"

extern "C" void LAUNCHER(cross_entropy_mean)(void *stream, int64_t n, int64_t count, const float *a,
                                             float *work, float *y, int *status)
{
  idx V = n / 4, chunk = sum_chunk(V), blocks = sum_n_blocks(V, chunk);
  float by = (float)count;
  if (blocks > 1) {
    LAUNCH_AFTER(cross_entropy_mean, blocks, SUM_BLOCK, stream, n, V, chunk, blocks, 1.0f, 0, a,
                 work, status);
    a = work, n = blocks, V = blocks / 4, chunk = V + 1;
  }
  LAUNCH_AFTER(cross_entropy_mean, 1, SUM_BLOCK, stream, n, V, chunk, (idx)1, by, 1, a, y, status);
}
#endif
