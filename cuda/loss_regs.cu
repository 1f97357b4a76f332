/* Cross entropy of rows in the registers of a block (loss_held.h), a row a block: x is (rows, cols).
 * Each row's loss goes to part[row]. loss_grad.cu has those with a gradient. */
#define ONE_WARP 1 /* see block.h */
#include "loss_held.h"

/*@ // the sum of the exponentials of those of the first k elements that a row of n has
    logic real ExpAt{L}(float *x, real m, integer k, integer n) = k < n ? \exp(x[k] - m) : 0.0;
    logic real ExpSum{L}(float *x, real m, integer k, integer n) =
      k <= 0 ? 0.0 : ExpSum{L}(x,m,k-1,n) + ExpAt{L}(x,m,k-1,n);
    lemma term_at{L}: \forall float *x, real v, m, integer k, n; 0 <= k ==>
      above_lowest{L}(x,n) ==> v == Padded{L}(x,k,n) ==> Term(v,m) == ExpAt{L}(x,m,k,n);
    lemma exp_sum_in{L}: \forall float *x, real m, integer n, k; k <= n ==>
      ExpSum{L}(x,m,k,n) == SumExp{L}(x,m,k);
    lemma exp_sum_all{L}: \forall float *x, real m, integer n, k; 0 <= n <= k ==>
      ExpSum{L}(x,m,k,n) == SumExp{L}(x,m,n);
    lemma exp_sum_frame{L1,L2}: \forall integer k, n, float *x, real m; Same{L1,L2}(x,n) ==>
      0 <= n ==> ExpSum{L1}(x,m,k,n) == ExpSum{L2}(x,m,k,n);
    lemma exp_sum_4{L}: \forall float *x, real m, integer n, k; 0 <= k ==>
      ExpSum{L}(x,m,k+4,n) == ExpSum{L}(x,m,k,n) +
        (ExpAt{L}(x,m,k,n) + ExpAt{L}(x,m,k+1,n) + ExpAt{L}(x,m,k+2,n) + ExpAt{L}(x,m,k+3,n));
    // what a row of class c leaves
    logic real Left{L}(float *x, integer n, integer c) =
      0 <= c < n ? RowLoss{L}(x,n,c) : -1.0;
    predicate all_left{L0,L}(float *part, float *x, idx *target, integer cols, integer n) =
      \forall integer r; 0 <= r < n ==>
        \at(part[r],L) == Left{L0}(x+ix(r,cols,0),cols,Target{L0}(target,r));
    // whose mean is the op's, where all classes are in range
    lemma left_sum{L0,L}: \forall float *part, *x, idx *target, integer cols, rows, n;
      0 <= n <= rows ==> all_left{L0,L}(part,x,target,cols,rows) ==>
      Targets{L0}(target,rows,cols) ==> Sum{L}(part,n) == LossSum{L0}(x,target,cols,n);
    lemma left_mean{L0,L}: \forall float *part, *x, idx *target, integer cols, rows; 0 <= rows ==>
      all_left{L0,L}(part,x,target,cols,rows) ==> Targets{L0}(target,rows,cols) ==>
      rdiv(Sum{L}(part,rows),rows) == CrossEntropy{L0}(x,target,rows,cols); */

/*@ assigns \nothing;
    ensures at_most4(v,m) ==>
      \result == Term(v.x,m) + Term(v.y,m) + Term(v.z,m) + Term(v.w,m); */
DEV float loss_four(float4 v, float m)
{
  return (loss_term(v.x, m) + loss_term(v.y, m)) + (loss_term(v.z, m) + loss_term(v.w, m));
}

/* Lane t adds vector q of the row. */
/*@ requires block && 0 <= t < BDIM && 0 <= q && 0 < n && \valid_read(x + (0 .. n-1));
    requires pad_vec(v, x, q, n) && above_lowest(x,n) && m == RowMax(x,n);
    requires \valid(acc + (0 .. BDIM-1)) && \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    assigns acc[t];
    ensures only{Pre,Post}(acc, t, BDIM);
    ensures acc[t] == \old(acc[t]) + (ExpSum{Pre}(x,m,4*q+4,n) - ExpSum{Pre}(x,m,4*q,n)); */
DEV void loss_add(LANE(float, acc), int t, float4 v,
                  float m GHOST_PARAMS(int q, int n, const float *x))
{
  //@ assert at_most4(v,m);
  //@ assert a: Term(v.x,m) == ExpAt(x,m,4*q,n);
  //@ assert b: Term(v.y,m) == ExpAt(x,m,4*q+1,n);
  //@ assert c: Term(v.z,m) == ExpAt(x,m,4*q+2,n);
  //@ assert d: Term(v.w,m) == ExpAt(x,m,4*q+3,n);
  AT(acc, t) += loss_four(v, m);
}

/*@ requires row_fits(K,n) && \valid_read(x + (0 .. n-1)) && above_lowest(x,n);
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,BDIM));
    requires m == RowMax(x,n) && \valid(acc + (0 .. BDIM-1)) && SumR(acc, 0, BDIM) == 0.0;
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), v + (0 .. KMAX*MAXB-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == SumExp{Pre}(x,m,n); */
DEV void loss_add_all(LANE(float, acc), LANEK(float4, v), int K,
                      float m GHOST_PARAMS(int n, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j, BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant SumR(acc, 0, BDIM) == ExpSum{Pre}(x, m, 4*j0, n);
      loop assigns j, j0, acc[0 .. BDIM-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1, BDIM) == j0 + BDIM && j0 + BDIM <= (j+1)*MAXB;
    //@ assert j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) == ExpSum{Pre}(x, m, 4*(j0+t), n);
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t) {
      //@ assert pad_vec{Pre}(v[j0+t], x, j0 + t, n);
      //@ assert Same{Pre,Here}(x,n);
      //@ assert pad_vec(v[j0+t], x, j0 + t, n);
      //@ assert above_lowest(x,n) && m == RowMax(x,n);
      //@ assert ExpSum(x, m, 4*(j0+t)+4, n) == ExpSum{Pre}(x, m, 4*(j0+t)+4, n);
      //@ assert ExpSum(x, m, 4*(j0+t), n) == ExpSum{Pre}(x, m, 4*(j0+t), n);
      loss_add(acc, t, REG(v, j, j0, t), m GHOST_ARGS(j0 + t, n, x));
      //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
      /*@ assert SumR(acc, 0, BDIM) == \at(SumR(acc, 0, BDIM),LoopCurrent) +
            (ExpSum{Pre}(x,m,4*(j0+t)+4,n) - ExpSum{Pre}(x,m,4*(j0+t),n)); */
    }
  }
  //@ assert ExpSum{Pre}(x, m, 4*mul(K,BDIM), n) == SumExp{Pre}(x, m, n);
}

/* The sum of the exponentials of the row in v, for all lanes. */
/*@ requires row_fits(K,n) && \valid_read(x + (0 .. n-1)) && above_lowest(x,n);
    requires \valid_read(v + (0 .. KMAX*MAXB-1)) && pad_vecs{Pre,Pre}(v, x, n, 0, mul(K,BDIM));
    requires m == RowMax(x,n);
    assigns \nothing;
    ensures \result == SumExp{Pre}(x,m,n); */
DEV float loss_sum(LANEK(float4, v), int K, float m GHOST_PARAMS(int n, const float *x))
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert Same{Pre,Here}(x,n) && SumExp{Pre}(x,m,n) == SumExp(x,m,n);
  //@ assert above_lowest(x,n) && RowMax{Pre}(x,n) == RowMax(x,n);
  //@ assert pad_vecs{Pre,Here}(v, x, n, 0, mul(K,BDIM));
  //@ assert pad_vecs{Here,Here}(v, x, n, 0, mul(K,BDIM));
  loss_add_all(acc, v, K, m GHOST_ARGS(n, x));
  return block_sum(acc, s);
}

/* *part becomes what lane 0 leaves. */
/*@ requires block && \valid(part) && W(part) && \valid_read(xt + (0 .. BDIM-1));
    requires \separated(part, xt + (0 .. BDIM-1));
    assigns *part;
    ensures *part == (hit >= 0 ? \log(s) - (\old(xt[0]) - m) : -1.0); */
DEV void loss_leave_all(LANE(float, xt), int hit, float s, float m, float *part)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant 0 < t ==> *part == (hit >= 0 ? \log(s) - (\at(xt[0],Pre) - m) : -1.0);
      loop assigns t, *part;
      loop variant BDIM - t; */
  LANES(t) loss_leave(t, hit, s, AT(xt, t), m, part);
}

/* One row. The target is asked for before the row and looked at behind its maximum: no load waits
 * for another. */
/*@ requires row_fits(K,n) && row_in(x,n,aligned) && \valid_read(target) && above_lowest(x,n);
    requires \valid(part) && W(part) && \separated(part, x + (0 .. n-1));
    requires \separated(part, target);
    assigns *part;
    ensures *part == Left{Pre}(x,n,\old(*target)); */
DEV void loss_row(int K, int aligned, int n, const float *RESTRICT x, const idx *RESTRICT target,
                  float *RESTRICT part)
{
  PRIVATEK(float4, v);
  PRIVATE(float, xt);
  idx c = ask_index(target);
  padded_load_row(v, K, n, aligned, x);
  //@ assert Same{Pre,Here}(x,n);
  //@ assert above_lowest(x,n) && RowMax{Pre}(x,n) == RowMax(x,n);
  //@ assert pad_vecs{Here,Here}(&v[0], x, n, 0, mul(K,BDIM));
  float m = loss_max(v, K GHOST_ARGS(n, x));
  int hit = loss_hit(c, n);
  //@ assert m == RowMax{Pre}(x,n);
  /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(x,n);
      loop invariant pad_vecs{Pre,Here}(&v[0], x, n, 0, mul(K,BDIM));
      loop invariant 0 < t ==> hit >= 0 ==> xt[0] == rd{Pre}(x,hit);
      loop assigns t, xt[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(xt, t) = loss_at(t, 1, hit, x GHOST_ARGS(n));
  //@ assert above_lowest(x,n) && RowMax{Pre}(x,n) == RowMax(x,n);
  //@ assert pad_vecs{Here,Here}(&v[0], x, n, 0, mul(K,BDIM));
  //@ assert SumExp{Pre}(x,m,n) == SumExp(x,m,n);
  float s = loss_sum(v, K, m GHOST_ARGS(n, x));
  //@ assert s == SumExp{Pre}(x,m,n);
  //@ assert hit >= 0 ==> \log(s) - (xt[0] - m) == RowLoss{Pre}(x,n,hit);
  loss_leave_all(xt, hit, s, m, part);
}

/* Block r does row r, with K vectors a thread; VEC: x is 16-byte aligned and cols a multiple of 4. */
/*@ requires row_fits(K,cols) && 0 <= rows <= IDX_LIM && ix(rows,1,0) <= BLOCKS;
    requires reads(x,ix(rows,cols,0)) && writes(part,rows) && \valid_read(target + (0 .. rows-1));
    requires above_lowest(x,ix(rows,cols,0)) && apart(x,ix(rows,cols,0),part,rows);
    requires \separated(target + (0 .. rows-1), part + (0 .. rows-1));
    requires VEC != 0 ==> cols % 4 == 0 && aligned16(x);
    assigns part[0 .. rows-1];
    ensures all_left{Pre,Post}(part,x,target,cols,rows); */
TEMPLATE(int K, int VEC)
KERNEL void THREADS_AT_MOST(512)
    loss_alone(CONSTANTS(int K, int VEC) idx rows, int cols, const float *RESTRICT x,
               const idx *RESTRICT target, float *RESTRICT part)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant all_left{Pre,Here}(part,x,target,cols,r);
      loop assigns r, part[0 .. rows-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    idx o = at2(rows, cols, r, 0);
    //@ assert 0 <= o && o + cols <= ix(rows,cols,0);
    //@ assert VEC != 0 ==> cols == 4*(cols/4) && ix(r,4*(cols/4),0) == 4*ix(r,cols/4,0);
    //@ assert VEC != 0 ==> o % 4 == 0;
    //@ assert perm_row: perm_r(x+o,cols);
    //@ assert in: row_in(x+o,cols,VEC);
    //@ assert all: Same{Pre,Here}(x,ix(rows,cols,0));
    //@ assert row: Same{Pre,Here}(x+o,cols);
    //@ assert above_all: above_lowest(x,ix(rows,cols,0));
    //@ assert above_row: above_lowest(x+o,cols);
    //@ assert left: Left(x+o,cols,Target(target,r)) == Left{Pre}(x+o,cols,Target{Pre}(target,r));
    loss_row(K, VEC, cols, x + o, target + r, part + r);
    //@ assert one: part[r] == Left{Pre}(x+ix(r,cols,0),cols,Target{Pre}(target,r));
    //@ assert old: all_left{Pre,Here}(part,x,target,cols,r);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "loss_regs.h"

template <int K, int VEC>
static void launch_loss_alone(void *stream, int block, int64_t rows, int w, const float *x,
                              const loss_call *call)
{
  LAUNCH((loss_alone<K, VEC>), rows, block, stream, rows, w, x, call->target, call->part);
}

extern "C" void LAUNCHER(loss_alone)(void *stream, int k, int vec, int block, int64_t rows,
                                     int64_t cols, const float *x, const loss_call *call)
{
  int w = (int)cols;
  if (k == 4 && vec)
    launch_loss_alone<4, 1>(stream, block, rows, w, x, call);
  else if (k == 4)
    launch_loss_alone<4, 0>(stream, block, rows, w, x, call);
  else if (vec)
    launch_loss_alone<8, 1>(stream, block, rows, w, x, call);
  else
    launch_loss_alone<8, 0>(stream, block, rows, w, x, call);
}
#endif
