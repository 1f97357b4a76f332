/* What norm_pieces.cu leaves of rows that are split (row_split.h): the sum of each piece, or that of
 * its squares about what the row is centered on, (rows, pieces); and what a block makes of those of
 * a row. */
#ifndef PM_NORM_PIECES_H
#define PM_NORM_PIECES_H
#include "norm_row.h"
#include "row_split.h"
#include "row_steps.h"
#include "sum_shift.h"

/*@ predicate norm_in{L}(float *x, integer n, integer squares, real m, integer vec) =
      0 < n <= IDX_LIM && reads(x,n) && (squares == 0 ==> is_zero(m)) &&
      (vec != 0 ==> n % 4 == 0 && aligned16(x));
    logic real NormTo{L}(integer squares, float *x, real m, integer vec, integer i) =
      NormSum(squares,x,m,StepAt(vec,i));
    lemma norm_less_frame{L1,L2}: \forall integer squares, float *x, real m, integer k, n; k <= n ==>
      Same{L1,L2}(x,n) ==> NormSum{L1}(squares,x,m,k) == NormSum{L2}(squares,x,m,k);
    lemma norm_to_frame{L1,L2}: \forall integer squares, float *x, real m, integer vec, i, n;
      StepAt(vec,i) <= n ==> Same{L1,L2}(x,n) ==>
      NormTo{L1}(squares,x,m,vec,i) == NormTo{L2}(squares,x,m,vec,i);
    // what one element adds, and four
    logic real NormAt{L}(integer squares, float *x, real m, integer k) =
      NormTerm(squares,x[k] - m);
    logic real NormFour{L}(integer squares, float *x, real m, integer k) =
      NormAt(squares,x,m,k) + NormAt(squares,x,m,k+1) + NormAt(squares,x,m,k+2) +
      NormAt(squares,x,m,k+3);
    lemma norm_next{L}: \forall integer squares, float *x, real m, integer k, j; 0 <= k ==>
      (squares == 0 ==> is_zero(m)) ==> behind(k,1,j) ==>
      NormSum(squares,x,m,j) == NormSum(squares,x,m,k) + NormAt(squares,x,m,k);
    lemma norm_fours{L}: \forall integer squares, float *x, real m, integer k, j; 0 <= k ==>
      (squares == 0 ==> is_zero(m)) ==> behind(k,4,j) ==>
      NormSum(squares,x,m,j) == NormSum(squares,x,m,k) + NormFour(squares,x,m,k); */

/* What step i adds to the sum. */
/*@ requires norm_in(x,n,squares,m,vec) && split_step(vec,i,n);
    assigns \nothing;
    ensures \result == NormTo(squares,x,m,vec,i+1) - NormTo(squares,x,m,vec,i); */
DEV float norm_step(int squares, int vec, idx i, float m, const float *x GHOST_PARAMS(idx n))
{
  //@ assert to: behind(StepAt(vec,i), vec != 0 ? 4 : 1, StepAt(vec,i+1));
  if (vec) {
    float4 u = LD4(x + 4 * i);
    u.x = u.x - m;
    u.y = u.y - m;
    u.z = u.z - m;
    u.w = u.w - m;
    float four = norm_four(squares, u);
    //@ assert four: four == NormFour(squares,x,m,StepAt(vec,i));
    return four;
  }
  return norm_one(squares, LDG(x + i) - m);
}

/*@ requires block && norm_in(x,n,squares,m,vec);
    requires \valid(acc + (0 .. BDIM-1)) && SumR(acc, 0, BDIM) == 0.0;
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc, 0, BDIM) == NormSum{Pre}(squares,x,m,n); */
DEV void norm_add_all(LANE(float, acc), int squares, int vec, idx n, float m, const float *x)
{
  idx steps = split_steps(vec, n);
  /*@ loop invariant 0 <= k0 <= steps + BDIM;
      loop invariant SumR(acc, 0, BDIM) == NormTo{Pre}(squares,x,m,vec,lesser(k0,steps));
      loop assigns k0, acc[0 .. BDIM-1];
      loop variant steps - k0; */
  UNROLL_BY(4)
  for (idx k0 = 0; k0 < steps; k0 += BDIM) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(acc, 0, BDIM) == NormTo{Pre}(squares,x,m,vec,lesser(k0 + t,steps));
        loop assigns t, acc[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t)
      if (k0 + t < steps) {
        //@ assert same: Same{Pre,Here}(x,n);
        //@ assert step: split_step(vec, k0 + t, n);
        float p = norm_step(squares, vec, k0 + t, m, x GHOST_ARGS(n));
        //@ assert from: NormTo(squares,x,m,vec,k0 + t) == NormTo{Pre}(squares,x,m,vec,k0 + t);
        /*@ assert to: NormTo(squares,x,m,vec,k0 + t + 1) ==
              NormTo{Pre}(squares,x,m,vec,k0 + t + 1); */
        /*@ assert part: p == NormTo{Pre}(squares,x,m,vec,k0 + t + 1) -
              NormTo{Pre}(squares,x,m,vec,k0 + t); */
        AT(acc, t) += p;
        //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
        //@ assert acc[t] == \at(acc[t],LoopCurrent) + p;
      }
  }
}

/* The sum of n elements, or of their squares about m, for all lanes. */
/*@ requires block && norm_in(x,n,squares,m,vec);
    assigns \nothing;
    ensures \result == NormSum{Pre}(squares,x,m,n); */
DEV float norm_sum(int squares, int vec, idx n, float m, const float *x)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(acc, t) = 0.0f;
  //@ assert zero: SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert same: Same{Pre,Here}(x,n);
  //@ assert sums: NormSum{Pre}(squares,x,m,n) == NormSum(squares,x,m,n);
  norm_add_all(acc, squares, vec, n, m, x);
  return block_sum(acc, s);
}

/*@ // what the pieces before piece p add up to, and what piece p adds
    logic real NormUpTo{L}(integer squares, float *x, real m, integer p, integer cols,
                           integer chunk) = NormSum(squares,x,m,PieceAt(p,cols,chunk));
    logic real NormPiece{L}(integer squares, float *x, real m, integer p, integer cols,
                            integer chunk) =
      NormUpTo(squares,x,m,p+1,cols,chunk) - NormUpTo(squares,x,m,p,cols,chunk);
    // (by SquaresFrom: one induction each)
    logic real SquaresFrom{L}(float *x, real m, integer o, integer n) =
      n <= 0 ? 0.0 : SquaresFrom{L}(x,m,o,n-1) + rmul(x[o+n-1] - m, x[o+n-1] - m);
    lemma squares_from{L}: \forall integer n, float *x, real m, integer o; 0 <= o ==> 0 <= n ==>
      SquaresFrom(x,m,o,n) == SqDev(x,m,o+n) - SqDev(x,m,o);
    lemma squares_part{L}: \forall integer n, float *x, real m, integer o; 0 <= n ==>
      SqDev(x+o,m,n) == SquaresFrom(x,m,o,n);
    lemma squares_shift{L}: \forall float *x, real m, integer o, n; 0 <= o ==> 0 <= n ==>
      SqDev(x+o,m,n) == SqDev(x,m,o+n) - SqDev(x,m,o);
    lemma norm_shift{L}: \forall integer squares, float *x, real m, integer o, n; 0 <= o ==>
      0 <= n ==> NormSum(squares,x+o,m,n) == NormSum(squares,x,m,o+n) - NormSum(squares,x,m,o);
    // part has what pieces 0 .. k-1 of a row add
    predicate norm_parts{L0,L}(float *part, integer squares, float *x, real m, integer cols,
                               integer chunk, integer k) =
      \forall integer p; 0 <= p < k ==>
        \at(part[p],L) == NormPiece{L0}(squares,x,m,p,cols,chunk);
    lemma norm_up_to_0{L}: \forall integer squares, float *x, real m, integer cols, chunk;
      0 < cols ==> NormUpTo(squares,x,m,0,cols,chunk) == 0.0;
    lemma norm_parts_add{L0,L}: \forall integer k, float *part, integer squares, float *x, real m,
      integer cols, chunk; 0 <= k ==> 0 < cols ==>
      (\forall integer p; 0 <= p < k ==> \at(part[p],L) ==
        NormUpTo{L0}(squares,x,m,p+1,cols,chunk) - NormUpTo{L0}(squares,x,m,p,cols,chunk)) ==>
      Sum{L}(part,k) == NormUpTo{L0}(squares,x,m,k,cols,chunk);
    lemma norm_parts_all{L0,L}: \forall float *part, integer squares, float *x, real m,
      integer cols, chunk, pieces; row_split(cols,chunk,pieces) ==>
      norm_parts{L0,L}(part,squares,x,m,cols,chunk,pieces) ==>
      Sum{L}(part,pieces) == NormSum{L0}(squares,x,m,cols);
    lemma norm_up_to_frame{L1,L2}: \forall integer squares, float *x, real m, integer p, cols,
      chunk; Same{L1,L2}(x,cols) ==>
      NormUpTo{L1}(squares,x,m,p,cols,chunk) == NormUpTo{L2}(squares,x,m,p,cols,chunk);
    lemma norm_piece_frame{L1,L2}: \forall integer squares, float *x, real m, integer p, cols,
      chunk; Same{L1,L2}(x,cols) ==>
      NormPiece{L1}(squares,x,m,p,cols,chunk) == NormPiece{L2}(squares,x,m,p,cols,chunk);
    lemma norm_parts_frame{L1,L2,L}: \forall float *part, integer squares, float *x, real m,
      integer cols, chunk, k; Same{L1,L2}(x,cols) ==>
      norm_parts{L1,L}(part,squares,x,m,cols,chunk,k) ==>
      norm_parts{L2,L}(part,squares,x,m,cols,chunk,k);
    lemma norm_parts_kept{L0,L1,L2}: \forall float *part, integer squares, float *x, real m,
      integer cols, chunk, k; Same{L1,L2}(part,k) ==>
      norm_parts{L0,L1}(part,squares,x,m,cols,chunk,k) ==>
      norm_parts{L0,L2}(part,squares,x,m,cols,chunk,k);
    lemma cell_at{L}: \forall float *x, integer r, cols, c;
      rd(x+ix(r,cols,0),c) == x[ix(r,cols,c)];
    lemma center_frame{L1,L2}: \forall float *x, integer centered, n; Same{L1,L2}(x,n) ==>
      Center{L1}(x,centered,n) == Center{L2}(x,centered,n); */

/*@ // of rows 0 .. n-1 of a tensor, each about what it is centered on
    predicate norm_parts_rows{L0,L}(float *part, integer squares, integer centered, float *x,
                                    integer cols, integer chunk, integer pieces, integer n) =
      \forall integer r; 0 <= r < n ==> norm_parts{L0,L}(part+ix(r,pieces,0),squares,
        x+ix(r,cols,0),Center{L0}(x+ix(r,cols,0),centered,cols),cols,chunk,pieces);
    predicate split_of{L}(float *part, integer rows, integer cols, integer chunk, integer pieces) =
      0 <= rows && row_split(cols,chunk,pieces) && ix(rows,cols,0) <= IDX_LIM &&
      ix(rows,pieces,0) <= IDX_LIM && reads(part,ix(rows,pieces,0)); */

/* What the pieces of row r add up to, for all lanes. */
/*@ requires block && 0 <= r < rows && split_of(part,rows,cols,chunk,pieces);
    requires norm_parts{Pre,Pre}(part+ix(r,pieces,0),squares,x+ix(r,cols,0),m,cols,chunk,pieces);
    assigns \nothing;
    ensures \result == NormSum{Pre}(squares,x+ix(r,cols,0),m,cols); */
DEV float norm_row_sum(idx r, idx rows, idx pieces,
                       const float *part GHOST_PARAMS(int squares, float m, idx cols, idx chunk,
                                                      const float *x))
{
  idx q = at2(rows, pieces, r, 0);
  //@ assert next: ix(r+1,pieces,0) == q + pieces && ix(r+1,pieces,0) <= ix(rows,pieces,0);
  //@ assert perm: perm_r(part,ix(rows,pieces,0)) && perm_r(part+q,pieces);
  //@ assert all: Sum(part+q,pieces) == NormSum(squares,x+ix(r,cols,0),m,cols);
  return norm_sum(0, 0, pieces, 0.0f, part + q);
}

/*@ requires block && 0 <= r < rows && split_of(sums,rows,cols,chunk,pieces);
    requires norm_parts{Pre,Pre}(sums+ix(r,pieces,0),0,x+ix(r,cols,0),0.0,cols,chunk,pieces);
    assigns \nothing;
    ensures \result == Mean{Pre}(x+ix(r,cols,0),cols); */
DEV float norm_row_mean(idx r, idx rows, idx cols, idx pieces,
                        const float *sums GHOST_PARAMS(idx chunk, const float *x))
{
  return row_mean(norm_row_sum(r, rows, pieces, sums GHOST_ARGS(0, 0.0f, cols, chunk, x)), cols);
}

#ifndef __FRAMAC__
#include "norm_regs.h"

/* Into part, (rows, split_pieces(rows, cols)), the sum of each piece of t->x; its squares, about the
 * rows' means where `sums` has the sums of their pieces. vec: x is 16-byte aligned and cols a
 * multiple of 4. */
extern "C" void LAUNCHER(norm_pieces)(const pm_exec *ex, int squares, int vec, const norm_call *t,
                                      const float *sums, float *part);
#endif
#endif
