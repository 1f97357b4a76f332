/* What the VJPs of softmax, log_softmax and masked_softmax make of a row: each element has a
 * part of the row's sum, and that sum makes its cotangent of it. op says which of the three it
 * is (op.h). y, g and dx are rows of n elements. */
#ifndef PM_SOFTMAX_VJP_ROW_H
#define PM_SOFTMAX_VJP_ROW_H
#include "../math/elementary.h"
#include "../row/regs.h"
#include "contract_vjp.h"

/*@ // an element's part of the row's sum, and the cotangent that the sum makes of it. Under a mask
    // what is left out is 0: over the reals that is softmax's
    logic real PullPart(integer op, real y, real g) = op == LOG ? g : rmul(g,y);
    logic real Pulled(integer op, real y, real g, real s) =
      op == LOG ? g - rmul(\exp(y),s) : rmul(y,g - s);
    logic real PullSum{L}(integer op, float *y, float *g, integer n) =
      op == LOG ? Sum{L}(g,n) : RowDot{L}(g,y,n);
    lemma pull_sum_0{L}: \forall integer op, float *y, *g; is_zero(PullSum(op,y,g,0));
    lemma pull_sum_frame{L1,L2}: \forall integer op, float *y, *g, integer n;
      Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==> PullSum{L1}(op,y,g,n) == PullSum{L2}(op,y,g,n);
    lemma pull_part_0: \forall integer op; is_zero(PullPart(op,0.0,0.0));
    predicate pull_adds{L}(integer op, float *y, float *g, integer k, integer n) =
      PullSum(op,y,g,lesser(k+1,n)) ==
        PullSum(op,y,g,lesser(k,n)) + PullPart(op,Cell(y,k,n),Cell(g,k,n));
    lemma pull_add{L}: \forall integer op, float *y, *g, integer k, n; 0 <= k ==>
      pull_adds(op,y,g,k,n);
    predicate pull_in{L}(float *y, float *g, integer n) =
      \valid_read(y + (0 .. n-1)) && \valid_read(g + (0 .. n-1));
    // element c of a row of dx, and the first `to` of them
    logic real PulledOne{L}(integer op, integer adds, float *y, float *g, float *dx, real s,
                            integer c) =
      plus(adds,dx[c],Pulled(op,y[c],g[c],s));
    predicate pulled_row{L0,L}(float *dx, integer op, integer adds, float *y, float *g, real s,
                               integer to) =
      \forall integer c; 0 <= c < to ==> \at(dx[c],L) == PulledOne{L0}(op,adds,y,g,dx,s,c);
    lemma pulled_row_frame{L1,L2,L}: \forall float *dx, integer op, adds, float *y, *g, real s,
      integer n; Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==> Same{L1,L2}(dx,n) ==>
      pulled_row{L1,L}(dx,op,adds,y,g,s,n) ==> pulled_row{L2,L}(dx,op,adds,y,g,s,n);
    predicate left_row{L0,L}(float *dx, integer from, integer n) =
      \forall integer c; from <= c < n ==> \at(dx[c],L) == \at(dx[c],L0);
    lemma live_pulled: \forall real y, d; if_live(y,rmul(y,d)) == rmul(y,d);
    lemma masked_is{L}: \forall float *y, *g, integer n, c;
      MaskedSoftmaxVjp(y,g,n,c) == SoftmaxVjp(y,g,n,c);
    lemma row_vjp{L}: \forall integer op, float *y, *g, real s, integer n, c;
      s == PullSum(op,y,g,n) ==> Pulled(op,y[c],g[c],s) == RowVjp(op,y,g,n,c);
    // what of dx still stands
    predicate rows_left{L1,L2}(float *dx, integer cols, integer from, integer n) =
      \forall integer r, c; from <= r < n ==> 0 <= c < cols ==>
        \at(dx[ix(r,cols,c)],L2) == \at(dx[ix(r,cols,c)],L1);
    predicate pull_same{L1,L2}(float *y, float *g, float *dx, integer cols, integer r) =
      Same{L1,L2}(y+ix(r,cols,0),cols) && Same{L1,L2}(g+ix(r,cols,0),cols) &&
      \forall integer c; 0 <= c < cols ==> \at(dx[ix(r,cols,c)],L2) == \at(dx[ix(r,cols,c)],L1);
    lemma pulled_at_frame{L1,L2,L}: \forall integer op, adds, float *y, *g, *dx, integer cols, r;
      pull_same{L1,L2}(y,g,dx,cols,r) ==> pulled_at{L1,L}(op,adds,y,g,dx,cols,r) ==>
      pulled_at{L2,L}(op,adds,y,g,dx,cols,r);
    lemma pull_rows_kept{L0,L1,L2}: \forall integer op, adds, float *y, *g, *dx, integer cols, n;
      same_rows{L1,L2}(dx,cols,n) ==> pull_rows{L0,L1}(op,adds,y,g,dx,cols,n) ==>
      pull_rows{L0,L2}(op,adds,y,g,dx,cols,n);
    lemma rows_left_more{L0,L1,L2}: \forall float *dx, integer cols, from, n;
      rows_left{L0,L1}(dx,cols,from,n) ==> rows_left{L1,L2}(dx,cols,from+1,n) ==>
      rows_left{L0,L2}(dx,cols,from+1,n);
    predicate pull_tensors{L}(float *y, float *g, float *dx, integer rows, integer cols,
                              integer aligned) =
      reads(y,ix(rows,cols,0)) && reads(g,ix(rows,cols,0)) && writes(dx,ix(rows,cols,0)) &&
      apart(y,ix(rows,cols,0),dx,ix(rows,cols,0)) && apart(g,ix(rows,cols,0),dx,ix(rows,cols,0)) &&
      (aligned != 0 ==> cols % 4 == 0 && aligned16(y) && aligned16(g) && aligned16(dx)); */

/* An element's part of the row's sum: y g, or g. Under a mask g does not count where y is 0. */
/*@ assigns \nothing; ensures \result == PullPart(op,y,g); */
DEV float pull_part(int op, float y, float g)
{
  if (op == LOG)
    return g;
  return op == MASKED && y == 0.0f ? 0.0f : y * g;
}

/* The cotangent of an element: y (g - s), or g - e^y s. */
/*@ assigns \nothing; ensures \result == Pulled(op,y,g,s); */
DEV float pull_one(int op, float y, float g, float s)
{
  if (op == LOG)
    return g - pm_expf(y) * s;
  return op == MASKED && y == 0.0f ? 0.0f : y * (g - s);
}

/*@ assigns \nothing;
    ensures \result == PullPart(op,v.x,w.x) + PullPart(op,v.y,w.y) + PullPart(op,v.z,w.z) +
                       PullPart(op,v.w,w.w); */
DEV float pull_four(int op, float4 v, float4 w)
{
  return (pull_part(op, v.x, w.x) + pull_part(op, v.y, w.y)) +
         (pull_part(op, v.z, w.z) + pull_part(op, v.w, w.w));
}

/*@ assigns \nothing;
    ensures \result.x == Pulled(op,v.x,w.x,s) && \result.y == Pulled(op,v.y,w.y,s);
    ensures \result.z == Pulled(op,v.z,w.z,s) && \result.w == Pulled(op,v.w,w.w,s); */
DEV float4 pull_vec(int op, float4 v, float4 w, float s)
{
  v.x = pull_one(op, v.x, w.x, s);
  v.y = pull_one(op, v.y, w.y, s);
  v.z = pull_one(op, v.z, w.z, s);
  v.w = pull_one(op, v.w, w.w, s);
  return v;
}
#endif
