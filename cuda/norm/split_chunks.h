/* Partial moments of a chunk of a row about any value, sum and sum of squares: what
 * split_chunks.cu takes of each chunk of a row that is split (row/split.h). */
#ifndef PM_NORM_SPLIT_CHUNKS_H
#define PM_NORM_SPLIT_CHUNKS_H
#include "row_scalar.h"
#include "../row/split.h"
#include "../row/split_steps.h"

/*@ // sum over i < n of x[i] - m, or of its squares
    logic real DevSum{L}(integer squares, float *x, real m, integer n) =
      n <= 0 ? 0.0 : DevSum{L}(squares,x,m,n-1) + NormTerm(squares,x[n-1] - m);
    lemma dev_frame{L1,L2}: \forall integer n, squares, float *x, real m; Same{L1,L2}(x,n) ==>
      DevSum{L1}(squares,x,m,n) == DevSum{L2}(squares,x,m,n);
    lemma dev_sum{L}: \forall integer n, float *x; DevSum{L}(0,x,0.0,n) == Sum{L}(x,n);
    lemma dev_squares{L}: \forall integer n, float *x, real m; DevSum{L}(1,x,m,n) == SqDev{L}(x,m,
      n);
    // (by DevFrom: one induction each)
    logic real DevFrom{L}(integer squares, float *x, real m, integer o, integer n) =
      n <= 0 ? 0.0 : DevFrom{L}(squares,x,m,o,n-1) + NormTerm(squares,x[o+n-1] - m);
    lemma dev_from{L}: \forall integer n, squares, float *x, real m, integer o; 0 <= o ==>
      0 <= n ==>
      DevFrom(squares,x,m,o,n) == DevSum(squares,x,m,o+n) - DevSum(squares,x,m,o);
    lemma dev_part{L}: \forall integer n, squares, float *x, real m, integer o; 0 <= n ==>
      DevSum(squares,x+o,m,n) == DevFrom(squares,x,m,o,n);
    lemma dev_shift{L}: \forall integer squares, float *x, real m, integer o, n; 0 <= o ==>
      0 <= n ==> DevSum(squares,x+o,m,n) == DevSum(squares,x,m,o+n) - DevSum(squares,x,m,o); */

/*@ predicate dev_in{L}(float *x, integer n, integer vec) =
      0 < n <= IDX_LIM && reads(x,n) && (vec != 0 ==> n % 4 == 0 && aligned16(x));
    logic real DevTo{L}(integer squares, float *x, real m, integer vec, integer i) =
      DevSum(squares,x,m,StepAt(vec,i));
    lemma dev_less_frame{L1,L2}: \forall integer squares, float *x, real m, integer k, n; k <= n ==>
      Same{L1,L2}(x,n) ==> DevSum{L1}(squares,x,m,k) == DevSum{L2}(squares,x,m,k);
    lemma dev_to_frame{L1,L2}: \forall integer squares, float *x, real m, integer vec, i, n;
      StepAt(vec,i) <= n ==> Same{L1,L2}(x,n) ==>
      DevTo{L1}(squares,x,m,vec,i) == DevTo{L2}(squares,x,m,vec,i);
    // what one element adds, and four
    logic real DevAt{L}(integer squares, float *x, real m, integer k) =
      NormTerm(squares,x[k] - m);
    logic real DevFour{L}(integer squares, float *x, real m, integer k) =
      DevAt(squares,x,m,k) + DevAt(squares,x,m,k+1) + DevAt(squares,x,m,k+2) +
      DevAt(squares,x,m,k+3);
    lemma dev_next{L}: \forall integer squares, float *x, real m, integer k, j; 0 <= k ==>
      behind(k,1,j) ==> DevSum(squares,x,m,j) == DevSum(squares,x,m,k) + DevAt(squares,x,m,k);
    lemma dev_fours{L}: \forall integer squares, float *x, real m, integer k, j; 0 <= k ==>
      behind(k,4,j) ==> DevSum(squares,x,m,j) == DevSum(squares,x,m,k) + DevFour(squares,x,m,k); */

/* What step i adds to the sum. */
/*@ requires dev_in(x,n,vec) && split_step(vec,i,n);
    assigns \nothing;
    ensures \result == DevTo(squares,x,m,vec,i+1) - DevTo(squares,x,m,vec,i); */
DEV float dev_step(int squares, int vec, idx i, float m, const float *x GHOST_PARAMS(idx n))
{
  //@ assert to: behind(StepAt(vec,i), vec != 0 ? 4 : 1, StepAt(vec,i+1));
  if (vec) {
    float4 u = LD4(x + 4 * i);
    u.x = u.x - m;
    u.y = u.y - m;
    u.z = u.z - m;
    u.w = u.w - m;
    float four = norm_four(squares, u);
    //@ assert four: four == DevFour(squares,x,m,StepAt(vec,i));
    return four;
  }
  return norm_one(squares, LDG(x + i) - m);
}

/*@ requires block && dev_in(x,n,vec);
    requires \valid(acc + (0 .. BDIM-1)) && SumR(acc, 0, BDIM) == 0.0;
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == DevSum{Pre}(squares,x,m,n); */
DEV void dev_add_all(PER_THREAD(float, acc), int squares, int vec, idx n, float m, const float *x)
{
  idx steps = split_steps(vec, n);
  /*@ loop invariant 0 <= k0 <= steps + BDIM;
      loop invariant SumR(acc, 0, BDIM) == DevTo{Pre}(squares,x,m,vec,lesser(k0,steps));
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant steps - k0; */
  UNROLL_BY(4)
  for (idx k0 = 0; k0 < steps; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) == DevTo{Pre}(squares,x,m,vec,lesser(k0 + t,steps));
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < steps) {
        //@ assert same: Same{Pre,Here}(x,n);
        //@ assert step: split_step(vec, k0 + t, n);
        float p = dev_step(squares, vec, k0 + t, m, x GHOST_ARGS(n));
        //@ assert from: DevTo(squares,x,m,vec,k0 + t) == DevTo{Pre}(squares,x,m,vec,k0 + t);
        /*@ assert to: DevTo(squares,x,m,vec,k0 + t + 1) ==
              DevTo{Pre}(squares,x,m,vec,k0 + t + 1); */
        /*@ assert part: p == DevTo{Pre}(squares,x,m,vec,k0 + t + 1) -
              DevTo{Pre}(squares,x,m,vec,k0 + t); */
        AT(acc, t) += p;
        //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
        //@ assert acc[t] == \at(acc[t],LoopCurrent) + p;
      }
  }
}

/* The sum of n elements, or of their squares about m, for all threads. */
/*@ requires block && dev_in(x,n,vec);
    assigns \nothing;
    ensures \result == DevSum{Pre}(squares,x,m,n); */
DEV float dev_sum_of(int squares, int vec, idx n, float m, const float *x)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert zero: SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert same: Same{Pre,Here}(x,n);
  //@ assert sums: DevSum{Pre}(squares,x,m,n) == DevSum(squares,x,m,n);
  dev_add_all(acc, squares, vec, n, m, x);
  return block_sum(acc, s);
}

/* Both sums about m at once. */
typedef struct dev_pair {
  float e, q;
} dev_pair;

/*@ requires dev_in(x,n,vec) && split_step(vec,i,n);
    assigns \nothing;
    ensures \result.e == DevTo(0,x,m,vec,i+1) - DevTo(0,x,m,vec,i);
    ensures \result.q == DevTo(1,x,m,vec,i+1) - DevTo(1,x,m,vec,i); */
DEV dev_pair both_step(int vec, idx i, float m, const float *x GHOST_PARAMS(idx n))
{
  dev_pair by;
  //@ assert to: behind(StepAt(vec,i), vec != 0 ? 4 : 1, StepAt(vec,i+1));
  if (vec) {
    float4 u = LD4(x + 4 * i);
    u.x = u.x - m;
    u.y = u.y - m;
    u.z = u.z - m;
    u.w = u.w - m;
    by.e = norm_four(0, u);
    by.q = norm_four(1, u);
    //@ assert e: by.e == DevFour(0,x,m,StepAt(vec,i));
    //@ assert q: by.q == DevFour(1,x,m,StepAt(vec,i));
    return by;
  }
  by.e = norm_one(0, LDG(x + i) - m);
  by.q = norm_one(1, LDG(x + i) - m);
  return by;
}

/*@ requires block && dev_in(x,n,vec);
    requires \valid(a + (0 .. BDIM-1)) && SumR(a, 0, BDIM) == 0.0;
    requires \valid(b + (0 .. BDIM-1)) && SumR(b, 0, BDIM) == 0.0;
    requires \separated(a + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(b + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(a + (0 .. BDIM-1), b + (0 .. BDIM-1));
    assigns a[0 .. BDIM-1], b[0 .. BDIM-1];
    ensures SumR(a, 0, BDIM) == DevSum{Pre}(0,x,m,n);
    ensures SumR(b, 0, BDIM) == DevSum{Pre}(1,x,m,n); */
DEV void both_add_all(PER_THREAD(float, a), PER_THREAD(float, b), int vec, idx n, float m,
                      const float *x)
{
  idx steps = split_steps(vec, n);
  /*@ loop invariant 0 <= k0 <= steps + BDIM;
      loop invariant SumR(a, 0, BDIM) == DevTo{Pre}(0,x,m,vec,lesser(k0,steps));
      loop invariant SumR(b, 0, BDIM) == DevTo{Pre}(1,x,m,vec,lesser(k0,steps));
      loop assigns k0, a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant steps - k0; */
  UNROLL_BY(4)
  for (idx k0 = 0; k0 < steps; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(a, 0, BDIM) == DevTo{Pre}(0,x,m,vec,lesser(k0 + t,steps));
        loop invariant SumR(b, 0, BDIM) == DevTo{Pre}(1,x,m,vec,lesser(k0 + t,steps));
        loop assigns t, a[0 .. BDIM-1], b[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (k0 + t < steps) {
        //@ assert same: Same{Pre,Here}(x,n);
        //@ assert step: split_step(vec, k0 + t, n);
        dev_pair by = both_step(vec, k0 + t, m, x GHOST_ARGS(n));
        //@ assert from: DevTo(0,x,m,vec,k0 + t) == DevTo{Pre}(0,x,m,vec,k0 + t);
        //@ assert to: DevTo(0,x,m,vec,k0 + t + 1) == DevTo{Pre}(0,x,m,vec,k0 + t + 1);
        //@ assert from_q: DevTo(1,x,m,vec,k0 + t) == DevTo{Pre}(1,x,m,vec,k0 + t);
        //@ assert to_q: DevTo(1,x,m,vec,k0 + t + 1) == DevTo{Pre}(1,x,m,vec,k0 + t + 1);
        AT(a, t) += by.e;
        AT(b, t) += by.q;
        //@ assert only_a: only{LoopCurrent,Here}(a, t, BDIM);
        //@ assert only_b: only{LoopCurrent,Here}(b, t, BDIM);
        //@ assert in_a: a[t] == \at(a[t],LoopCurrent) + by.e;
        //@ assert in_b: b[t] == \at(b[t],LoopCurrent) + by.q;
      }
  }
}

/* The sums of n elements about m and of their squares, for all threads. */
/*@ requires block && dev_in(x,n,vec);
    assigns \nothing;
    ensures \result.e == DevSum{Pre}(0,x,m,n) && \result.q == DevSum{Pre}(1,x,m,n); */
DEV dev_pair both_of(int vec, idx n, float m, const float *x)
{
  SHARED(float, s, 32);
  SHARED(float, r, 32);
  PRIVATE(float, a);
  PRIVATE(float, b);
  dev_pair of;
  /*@ loop invariant 0 <= t <= BDIM && zeros(&a[0], t) && zeros(&b[0], t);
      loop assigns t, a[0 .. BDIM-1], b[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(a, t) = 0.0f;
    AT(b, t) = 0.0f;
  }
  //@ assert zero: SumR(&a[0], 0, BDIM) == 0.0 && SumR(&b[0], 0, BDIM) == 0.0;
  //@ assert same: Same{Pre,Here}(x,n);
  //@ assert sums: DevSum{Pre}(0,x,m,n) == DevSum(0,x,m,n);
  //@ assert squares: DevSum{Pre}(1,x,m,n) == DevSum(1,x,m,n);
  both_add_all(a, b, vec, n, m, x);
  //@ assert other: SumR(&b[0], 0, BDIM) == DevSum{Pre}(1,x,m,n);
  of.e = block_sum(a, s);
  //@ assert still: SumR(&b[0], 0, BDIM) == DevSum{Pre}(1,x,m,n);
  of.q = block_sum(b, r);
  return of;
}

/*@ // what the pieces before piece p add up to, and what piece p adds
    logic real DevUpTo{L}(integer squares, float *x, real m, integer p, integer cols,
                          integer chunk) = DevSum(squares,x,m,PieceAt(p,cols,chunk));
    logic real DevPiece{L}(integer squares, float *x, real m, integer p, integer cols,
                           integer chunk) =
      DevUpTo(squares,x,m,p+1,cols,chunk) - DevUpTo(squares,x,m,p,cols,chunk);
    lemma up_to_0{L}: \forall integer squares, float *x, real m, integer cols, chunk; 0 < cols ==>
      DevUpTo(squares,x,m,0,cols,chunk) == 0.0;
    lemma up_to_frame{L1,L2}: \forall integer squares, float *x, real m, integer p, cols, chunk;
      Same{L1,L2}(x,cols) ==>
      DevUpTo{L1}(squares,x,m,p,cols,chunk) == DevUpTo{L2}(squares,x,m,p,cols,chunk);
    lemma dev_piece_frame{L1,L2}: \forall integer squares, float *x, real m, integer p, cols, chunk;
      Same{L1,L2}(x,cols) ==>
      DevPiece{L1}(squares,x,m,p,cols,chunk) == DevPiece{L2}(squares,x,m,p,cols,chunk);
    lemma cell_at{L}: \forall float *x, integer r, cols, c;
      rd(x+ix(r,cols,0),c) == x[ix(r,cols,c)]; */

#endif
