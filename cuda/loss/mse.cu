/* mse_loss: the squares (a - t)^2 over vectors of a and t, dealt to blocks and added up as sums are
 * (sum/block_range.h). */
#include "../sum/block_range.h"
#include "../../spec/loss.h"

/*@ logic real Square(real a, real t) = rmul(a - t, a - t);
    lemma square_0: \forall real a, t; is_zero(a) ==> is_zero(t) ==> is_zero(Square(a,t));
    lemma squares_next{L}: \forall float *a, *t, integer k; 0 <= k ==>
      SquareSum{L}(a,t,k+1) == SquareSum{L}(a,t,k) + Square(a[k],t[k]);
    lemma squares_same{L1,L2}: \forall float *a, *t, integer n; Same{L1,L2}(a,n) ==>
      Same{L1,L2}(t,n) ==> SquareSum{L1}(a,t,n) == SquareSum{L2}(a,t,n);
    lemma same_below{L1,L2}: \forall float *a, integer m, n; m <= n ==> Same{L1,L2}(a,n) ==>
      Same{L1,L2}(a,m);
    lemma squares_within{L1,L2}: \forall float *a, *t, integer m, n; m <= n ==>
      Same{L1,L2}(a,n) ==> Same{L1,L2}(t,n) ==> SquareSum{L1}(a,t,m) == SquareSum{L2}(a,t,m);
    lemma squares_four{L}: \forall float *a, *t, integer k; 0 <= k ==>
      SquareSum{L}(a,t,k+4) == SquareSum{L}(a,t,k) + (Square(a[k],t[k]) +
        Square(a[k+1],t[k+1]) + Square(a[k+2],t[k+2]) + Square(a[k+3],t[k+3]));
    lemma squares_quad{L}: \forall float *a, *t, integer q, r; 0 <= q ==> r == q + 1 ==>
      SquareSum{L}(a,t,4*r) == SquareSum{L}(a,t,4*q) + (Square(a[4*q],t[4*q]) +
        Square(a[4*q+1],t[4*q+1]) + Square(a[4*q+2],t[4*q+2]) + Square(a[4*q+3],t[4*q+3]));
    // (a - t)^2 of elements lo .. hi-1
    logic real Squares{L}(float *a, float *t, integer lo, integer hi) =
      SquareSum{L}(a,t,hi) - SquareSum{L}(a,t,lo);
    // those of the vectors before q, and of vector q, there being none from hi on
    logic real Before{L}(float *a, float *t, integer q, integer hi) =
      q < hi ? SquareSum{L}(a,t,4*q) : SquareSum{L}(a,t,4*hi);
    logic real Gain{L}(float *a, float *t, integer q, integer hi) =
      Before{L}(a,t,q+1,hi) - Before{L}(a,t,q,hi);
    lemma before_same{L1,L2}: \forall float *a, *t, integer q, hi; Same{L1,L2}(a,4*hi) ==>
      Same{L1,L2}(t,4*hi) ==> Before{L1}(a,t,q,hi) == Before{L2}(a,t,q,hi);
    lemma before_at{L}: \forall float *a, *t, integer q, hi; q <= hi ==>
      Before{L}(a,t,q,hi) == SquareSum{L}(a,t,4*q);
    lemma before_end{L}: \forall float *a, *t, integer q, hi; hi <= q ==>
      Before{L}(a,t,q,hi) == SquareSum{L}(a,t,4*hi);
    lemma before_step{L}: \forall float *a, *t, integer q, hi; 0 <= q < hi ==>
      Before{L}(a,t,q+1,hi) == Before{L}(a,t,q,hi) +
        (Square(a[4*q],t[4*q]) + Square(a[4*q+1],t[4*q+1]) + Square(a[4*q+2],t[4*q+2]) +
         Square(a[4*q+3],t[4*q+3]));
    logic real FourSquares(float4 v, float4 w) =
      Square(v.x,w.x) + Square(v.y,w.y) + Square(v.z,w.z) + Square(v.w,w.w);
    lemma four_squares{L}: \forall float *a, *t, float4 v, w, integer q, hi; 0 <= q ==>
      vector{L}(v,a,q,hi) ==> vector{L}(w,t,q,hi) ==> FourSquares(v,w) == Gain{L}(a,t,q,hi); */
/*@ assigns \nothing; ensures \result == Square(a,t); */
DEV float square_of(float a, float t)
{
  float d = a - t;
  return d * d;
}

/*@ assigns \nothing; ensures \result == FourSquares(v,w); */
DEV float square_four(float4 v, float4 w)
{
  return (square_of(v.x, w.x) + square_of(v.y, w.y)) + (square_of(v.z, w.z) + square_of(v.w, w.w));
}

/* acc, and what vectors q, q + BDIM, .. of a thread add to it: all loads come before the
 * arithmetic. */
/*@ requires block && sum_reads(a,4*hi,hi,aligned) && sum_reads(t,4*hi,hi,aligned);
    requires 0 <= q <= IDX_LIM + MAXB;
    assigns \nothing;
    ensures \result == acc + Gain(a,t,q,hi) + Gain(a,t,q+BDIM,hi) + Gain(a,t,q+2*BDIM,hi) +
                       Gain(a,t,q+3*BDIM,hi); */
DEV float square_thread(float acc, idx q, idx hi, int aligned, const float *RESTRICT a,
                        const float *RESTRICT t)
{
  idx q1 = q + BDIM, q2 = q + 2 * BDIM, q3 = q + 3 * BDIM;
  float4 v = sum_load(q, hi, aligned, a), w = sum_load(q, hi, aligned, t);
  float4 v1 = sum_load(q1, hi, aligned, a), w1 = sum_load(q1, hi, aligned, t);
  float4 v2 = sum_load(q2, hi, aligned, a), w2 = sum_load(q2, hi, aligned, t);
  float4 v3 = sum_load(q3, hi, aligned, a), w3 = sum_load(q3, hi, aligned, t);
  //@ assert FourSquares(v,w) == Gain(a,t,q,hi);
  //@ assert FourSquares(v1,w1) == Gain(a,t,q+BDIM,hi);
  //@ assert FourSquares(v2,w2) == Gain(a,t,q+2*BDIM,hi);
  //@ assert FourSquares(v3,w3) == Gain(a,t,q+3*BDIM,hi);
  acc += square_four(v, w);
  acc += square_four(v1, w1);
  acc += square_four(v2, w2);
  acc += square_four(v3, w3);
  return acc;
}

/*@ requires \valid(acc + (0 .. BDIM-1)) && 0 <= i < BDIM;
    assigns acc[i];
    ensures acc[i] == v && only{Pre,Post}(acc, i, BDIM); */
DEV void thread_put(int i, PER_THREAD(float, acc), float v) { AT(acc, i) = v; }

/* The vectors k0 .. of all threads. */
/*@ requires block && 0 <= k0 < hi;
    requires sum_reads(a,4*hi,hi,aligned);
    requires sum_reads(t,4*hi,hi,aligned);
    requires \valid(acc + (0 .. BDIM-1)) && \separated(acc + (0 .. BDIM-1), a + (0 .. 4*hi-1));
    requires \separated(acc + (0 .. BDIM-1), t + (0 .. 4*hi-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) ==
      \old(SumR(acc, 0, BDIM)) + (Before{Pre}(a,t,k0+4*BDIM,hi) - Before{Pre}(a,t,k0,hi)); */
DEV void square_add_all(PER_THREAD(float, acc), idx k0, idx hi, int aligned,
                        const float *RESTRICT a, const float *RESTRICT t)
{
  /*@ loop invariant 0 <= i <= BDIM;
      loop invariant SumR(acc, 0, BDIM) == \at(SumR(acc, 0, BDIM),Pre) +
        (Before{Pre}(a,t,k0+i,hi) - Before{Pre}(a,t,k0,hi)) +
        (Before{Pre}(a,t,k0+BDIM+i,hi) - Before{Pre}(a,t,k0+BDIM,hi)) +
        (Before{Pre}(a,t,k0+2*BDIM+i,hi) - Before{Pre}(a,t,k0+2*BDIM,hi)) +
        (Before{Pre}(a,t,k0+3*BDIM+i,hi) - Before{Pre}(a,t,k0+3*BDIM,hi));
      loop assigns i, acc[0 .. BDIM-1];
      loop variant BDIM - i; */
  EACH_THREAD(i) {
    //@ assert Same{Pre,Here}(a,4*hi);
    //@ assert Same{Pre,Here}(t,4*hi);
    float more = square_thread(AT(acc, i), k0 + i, hi, aligned, a, t);
    /*@ assert more == acc[i] + Gain{Pre}(a,t,k0+i,hi) + Gain{Pre}(a,t,k0+i+BDIM,hi) +
          Gain{Pre}(a,t,k0+i+2*BDIM,hi) + Gain{Pre}(a,t,k0+i+3*BDIM,hi); */
    thread_put(i, acc, more);
    //@ assert only{LoopCurrent,Here}(acc, i, BDIM);
  }
}

/* The elements from .. n-1, which are no whole vector. */
/*@ requires block && 0 <= from <= n && reads(a,n) && reads(t,n);
    requires \valid(acc + (0 .. BDIM-1)) && \separated(acc + (0 .. BDIM-1), a + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), t + (0 .. n-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == \old(SumR(acc, 0, BDIM)) + Squares{Pre}(a, t, from, n); */
DEV void square_add_rest(PER_THREAD(float, acc), idx from, idx n, const float *RESTRICT a,
                         const float *RESTRICT t)
{
  /*@ loop invariant from <= k0 <= n + BDIM;
      loop invariant SumR(acc, 0, BDIM) ==
        \at(SumR(acc, 0, BDIM),Pre) + Squares{Pre}(a, t, from, least(k0,n));
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant n - k0; */
  for (idx k0 = from; k0 < n; k0 += BDIM) {
    /*@ loop invariant 0 <= i <= BDIM;
        loop invariant SumR(acc, 0, BDIM) ==
          \at(SumR(acc, 0, BDIM),Pre) + Squares{Pre}(a, t, from, least(k0 + i,n));
        loop assigns i, acc[0 .. BDIM-1];
        loop variant BDIM - i; */
    EACH_THREAD(i)
      if (k0 + i < n) {
        AT(acc, i) += square_of(LDG(a + k0 + i), LDG(t + k0 + i));
        //@ assert only{LoopCurrent,Here}(acc, i, BDIM);
        /*@ assert SumR(acc, 0, BDIM) ==
              \at(SumR(acc, 0, BDIM),LoopCurrent) - \at(acc[i],LoopCurrent) + acc[i]; */
        /*@ assert acc[i] == \at(acc[i],LoopCurrent) +
              (Squares{Pre}(a, t, from, k0 + i + 1) - Squares{Pre}(a, t, from, k0 + i)); */
        //@ assert least(k0 + i,n) == k0 + i && least(k0 + i + 1,n) == k0 + i + 1;
      }
  }
}

/* The squares of vectors lo .. hi-1 and of elements from .. n-1 added up, for all threads. */
/*@ requires block && 0 <= lo <= hi && 4*hi <= n && 0 <= from <= n;
    requires sum_reads(a,n,hi,aligned) && sum_reads(t,n,hi,aligned);
    assigns \nothing;
    ensures \result == Squares{Pre}(a, t, 4*lo, 4*hi) + Squares{Pre}(a, t, from, n); */
DEV float square_range(idx lo, idx hi, idx from, idx n, int aligned, const float *RESTRICT a,
                       const float *RESTRICT t)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  float total;
  //@ assert sum_reads(a,4*hi,hi,aligned);
  //@ assert sum_reads(t,4*hi,hi,aligned);
  /*@ loop invariant 0 <= i <= BDIM && zeros(&acc[0], i);
      loop assigns i, acc[0 .. BDIM-1];
      loop variant BDIM - i; */
  EACH_THREAD(i) AT(acc, i) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  /*@ loop invariant lo <= k0 <= hi + SUM_DEPTH*BDIM;
      loop invariant SumR(&acc[0], 0, BDIM) == Before{Pre}(a,t,k0,hi) - Before{Pre}(a,t,lo,hi);
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant hi - k0; */
  for (idx k0 = lo; k0 < hi; k0 += SUM_DEPTH * BDIM) {
    //@ assert Same{Pre,Here}(a,n);
    //@ assert Same{Pre,Here}(t,n);
    //@ assert Same{Pre,Here}(a,4*hi);
    //@ assert Same{Pre,Here}(t,4*hi);
    //@ assert Before(a,t,k0+4*BDIM,hi) == Before{Pre}(a,t,k0+4*BDIM,hi);
    //@ assert Before(a,t,k0,hi) == Before{Pre}(a,t,k0,hi);
    square_add_all(acc, k0, hi, aligned, a, t);
  }
  //@ assert Same{Pre,Here}(a,n);
  //@ assert Same{Pre,Here}(t,n);
  //@ assert Before{Pre}(a,t,lo,hi) == SquareSum{Pre}(a,t,4*lo);
  //@ assert SumR(&acc[0], 0, BDIM) == SquareSum{Pre}(a,t,4*hi) - SquareSum{Pre}(a,t,4*lo);
  //@ assert SquareSum(a,t,n) == SquareSum{Pre}(a,t,n);
  //@ assert SquareSum(a,t,from) == SquareSum{Pre}(a,t,from);
  //@ assert Squares(a, t, from, n) == Squares{Pre}(a, t, from, n);
  square_add_rest(acc, from, n, a, t);
  //@ assert SumR(&acc[0], 0, BDIM) == Squares{Pre}(a, t, 4*lo, 4*hi) + Squares{Pre}(a, t, from, n);
  total = block_sum(acc, s);
  //@ assert total == Squares{Pre}(a, t, 4*lo, 4*hi) + Squares{Pre}(a, t, from, n);
  return total;
}

/* Block b adds up the squares of vectors b*chunk .. into out[b]; the last block takes the n - 4V
 * elements behind the vectors too. */
/*@ requires block && 0 < chunk && 0 < blocks && own_firsts(out,blocks);
    requires sum_reads(a,n,V,aligned) && sum_reads(t,n,V,aligned);
    requires apart(a,n,out,blocks) && apart(t,n,out,blocks);
    requires ix(blocks,chunk,0) <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires ix(blocks-1,chunk,0) <= V <= ix(blocks,chunk,0);
    assigns out[0 .. blocks-1];
    ensures SumR(out, 0, blocks) == SquareSum{Pre}(a, t, n); */
KERNEL void mse_loss_blocks(idx n, idx V, idx chunk, idx blocks, int aligned,
                            const float *RESTRICT a, const float *RESTRICT t, float *RESTRICT out)
{
  await_launches();
  others_may_start();
  /*@ loop invariant 0 <= b <= blocks && Same{Pre,Here}(a,n) && Same{Pre,Here}(t,n);
      loop invariant SumR(out, 0, b) ==
        (b < blocks ? Squares{Pre}(a, t, 0, 4*ix(b,chunk,0)) : Squares{Pre}(a, t, 0, n));
      loop assigns b, out[0 .. blocks-1];
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    idx lo = at2(blocks, chunk, b, 0), hi = V - lo < chunk ? V : lo + chunk;
    //@ assert b < blocks - 1 ==> ix(b+1,chunk,0) == lo + chunk && lo + chunk <= V;
    //@ assert 0 <= lo <= hi <= V;
    float sum = square_range(lo, hi, b == blocks - 1 ? 4 * V : n, n, aligned, a, t);
    //@ assert SquareSum(a, t, 4*lo) == SquareSum{Pre}(a, t, 4*lo);
    //@ assert SquareSum(a, t, 4*hi) == SquareSum{Pre}(a, t, 4*hi);
    //@ assert Squares(a, t, 4*lo, 4*hi) == Squares{Pre}(a, t, 4*lo, 4*hi);
    //@ assert vectors: SquareSum(a, t, 4*V) == SquareSum{Pre}(a, t, 4*V);
    //@ assert all: SquareSum(a, t, n) == SquareSum{Pre}(a, t, n);
    //@ assert rest: Squares(a, t, 4*V, n) == Squares{Pre}(a, t, 4*V, n);
    //@ assert b < blocks - 1 ==> sum == Squares{Pre}(a, t, 4*lo, 4*hi);
    block_put(sum, out + b IN_BLOCK_OF(b));
    //@ assert Same{LoopCurrent,Here}(a,n);
    //@ assert Same{LoopCurrent,Here}(t,n);
    //@ assert Same{Pre,Here}(a,n);
    //@ assert Same{Pre,Here}(t,n);
    //@ assert SumR(out, 0, b) == Squares{Pre}(a, t, 0, 4*lo);
    //@ assert b < blocks - 1 ==> hi == ix(b+1,chunk,0);
    //@ assert b < blocks - 1 ==> out[b] == Squares{Pre}(a, t, 4*lo, 4*hi);
    /*@ assert b == blocks - 1 ==>
          hi == V && out[b] == Squares{Pre}(a, t, 4*lo, 4*V) + Squares{Pre}(a, t, 4*V, n); */
    /*@ assert Squares{Pre}(a, t, 0, 4*lo) + Squares{Pre}(a, t, 4*lo, 4*hi) ==
               Squares{Pre}(a, t, 0, 4*hi); */
    /*@ assert Squares{Pre}(a, t, 0, 4*V) + Squares{Pre}(a, t, 4*V, n) ==
               Squares{Pre}(a, t, 0, n); */
    //@ assert SumR(out, 0, b+1) == SumR(out, 0, b) + out[b];
  }
}

/* One block: out[0] = (all squares added up) / count. */
/*@ requires block && sum_reads(a,n,V,aligned) && sum_reads(t,n,V,aligned);
    requires own_firsts(out,1) && apart(a,n,out,1) && apart(t,n,out,1) && BLOCKS == 1;
    assigns out[0];
    ensures out[0] == rdiv(SquareSum{Pre}(a,t,n), count); */
KERNEL void mse_loss_mean(idx n, idx V, int aligned, double count, const float *RESTRICT a,
                          const float *RESTRICT t, float *RESTRICT out)
{
  await_launches();
  float total = square_range(0, V, 4 * V, n, aligned, a, t);
  /*@ assert Squares{Pre}(a, t, 0, 4*V) + Squares{Pre}(a, t, 4*V, n) ==
             Squares{Pre}(a, t, 0, n); */
  block_put(over(total, count), out IN_ONE_BLOCK);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launches */
#include "launch.h"
#include "../sum/plan.h"

extern "C" void LAUNCHER(mse_loss_mean)(void *stream, int64_t n, int aligned, const float *a,
                                        const float *t, float *work, float *y)
{
  idx V = n / 4, chunk = sum_chunk(V), blocks = sum_n_blocks(V, chunk);
  if (blocks == 1) {
    LAUNCH_AFTER(mse_loss_mean, 1, SUM_BLOCK, stream, n, V, aligned, (double)n, a, t, y);
    return;
  }
  LAUNCH_AFTER(mse_loss_blocks, blocks, SUM_BLOCK, stream, n, V, chunk, blocks, aligned, a, t,
               work);
  LAUNCH_AFTER(mean_block, 1, SUM_BLOCK, stream, blocks, blocks / 4, 1, (double)n, work, y);
}
#endif
