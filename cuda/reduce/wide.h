/* Sums, means and maxima of the rows of x, (rows, 4 V), to out, (rows): a block has a row, and its
 * lanes read that side by side. */
#ifndef PM_REDUCE_WIDE_H
#define PM_REDUCE_WIDE_H
#include "cols.h"
#include "max_range.h"

/*@ // a row's line is the row
    lemma part_sumr{L}: \forall integer k, which, float *x, integer at; which != AXIS_MAX ==>
      0 <= k ==> Part(which,x,1,at,0,k) == SumR(x,at,at+k);
    lemma part_maxr{L}: \forall integer k, which, float *x, integer at; which == AXIS_MAX ==>
      0 <= k ==> Part(which,x,1,at,0,k) == MaxR(x,at,at+k);
    lemma row_frame{L1,L2}: \forall integer which, float *x, integer at, k; 0 <= at ==> 0 <= k ==>
      at+k <= IDX_LIM ==> Same{L1,L2}(x,at+k) ==>
      Part{L1}(which,x,1,at,0,k) == Part{L2}(which,x,1,at,0,k);
    lemma row_known{L}: \forall integer which, float *x, integer rows, n, r;
      known(which,x,n,ix(rows,n,0)) ==> 0 <= r < rows ==> which == AXIS_MAX ==>
      1 <= n && Lowest <= x[along(n,1,r,0,0)];
    lemma row_sum{L}: \forall integer which, float *x, integer n, r; which != AXIS_MAX ==>
      Part(which,x,1,ix(r,n,0),0,n) == AxisSum(x,n,1,r,0,n);
    lemma row_max{L}: \forall integer which, float *x, integer n, r; which == AXIS_MAX ==> 1 <= n ==>
      Lowest <= x[along(n,1,r,0,0)] ==> Part(which,x,1,ix(r,n,0),0,n) == AxisMax(x,n,1,r,0,n);
    lemma row_line{L}: \forall integer which, all, float *x, integer rows, n, r;
      known(which,x,n,ix(rows,n,0)) ==> 0 <= r < rows ==>
      Last(which,all,Part(which,x,1,ix(r,n,0),0,n)) == Line(which,all,x,n,1,r,0);
    lemma line_put{L0,L}: \forall integer which, all, float *x, *out, integer n, r;
      (\forall integer o; 0 <= o < r ==> \at(out[o],L) == Line{L0}(which,all,x,n,1,o,0)) ==>
      axis_lines{L0,L}(which,all,x,out,r,n,1); */

/* The join of vectors lo .. hi-1, for all lanes. */
/*@ requires block && 0 <= lo <= hi && sum_reads(x,4*hi,hi,1);
    assigns \nothing;
    ensures \result == Part{Pre}(which,x,1,4*lo,0,4*(hi-lo)); */
DEV float wide_range(int which, idx lo, idx hi, const float *RESTRICT x)
{
  return which == AXIS_MAX ? max_range(lo, hi, x) : sum_range(lo, hi, 4 * hi, 4 * hi, 1, x);
}

/*@ requires block && 0 <= rows <= IDX_LIM && 0 < V && ix(rows,1,0) <= BLOCKS;
    requires reads(x,ix(rows,4*V,0)) && aligned16(x) && ix(rows,4*V,0) <= IDX_LIM;
    requires writes(out,rows) && apart(x,ix(rows,4*V,0),out,rows);
    assigns out[0 .. rows-1];
    ensures known{Pre}(WHICH,x,4*V,ix(rows,4*V,0)) ==>
      axis_lines{Pre,Post}(WHICH,all,x,out,rows,4*V,1); */
TEMPLATE(int WHICH)
KERNEL void axis_wide(CONSTANTS(int WHICH) idx rows, idx V, idx all, const float *RESTRICT x,
                      float *RESTRICT out)
{
  /*@ loop invariant 0 <= r <= rows && Same{Pre,Here}(x,ix(rows,4*V,0));
      loop invariant known{Pre}(WHICH,x,4*V,ix(rows,4*V,0)) ==> \forall integer o; 0 <= o < r ==>
        out[o] == Line{Pre}(WHICH,all,x,4*V,1,o,0);
      loop assigns r, out[0 .. rows-1];
      loop variant rows - r; */
  BROWS(r, rows, 1) {
    idx lo = at2(rows, V, r, 0), hi = lo + V;
    //@ assert lo: 4*lo == ix(r,4*V,0) && 0 <= lo;
    //@ assert hi: 4*hi == ix(r+1,4*V,0) && ix(r+1,4*V,0) <= ix(rows,4*V,0);
    float join = wide_range(WHICH, lo, hi, x);
    //@ assert here: join == Part(WHICH,x,1,4*lo,0,4*V);
    //@ assert join: join == Part{Pre}(WHICH,x,1,ix(r,4*V,0),0,4*V);
    block_put(axis_last(WHICH, all, join), out + r);
    //@ assert same: Same{LoopCurrent,Here}(x,ix(rows,4*V,0));
    /*@ assert one: known{Pre}(WHICH,x,4*V,ix(rows,4*V,0)) ==>
          out[r] == Line{Pre}(WHICH,all,x,4*V,1,r,0); */
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- host */
#include "../sum/plan.h"

/* Rows that are long enough for a block, and of one round of loads or enough to keep the machine
 * full. */
static inline int axis_wide_suits(idx outer, idx n)
{
  return n % 4 == 0 && n >= 1024 && (n <= 16 * SUM_BLOCK || outer >= 2048) && outer <= 0x7fffffff;
}

/* Threads of a row: four vectors each, of a row that is long more. */
static inline int axis_wide_block(idx n)
{
  int block = 32;
  while (block < SUM_BLOCK && 16 * block < n) block *= 2;
  return block;
}

/* Additions above an element: 2 in its vector, along its lane, the first to 0, and the block's. */
static inline double axis_wide_height(idx n)
{
  int block = axis_wide_block(n);
  double height = 2 + (double)((n / 4 + block - 1) / block) - 1;
  for (int lanes = 1; lanes < block; lanes *= 2) height++;
  return height;
}

template <int Which>
static void axis_wide_launch(const pm_exec *ex, idx rows, idx n, const float *x, float *out)
{
  LAUNCH(axis_wide<Which>, rows, axis_wide_block(n), ex->stream, rows, n / 4, n, x, out);
}
#endif
#endif
