/* What a row of cross entropy leaves where each row has a sum of its own. */
#ifndef PM_LOSS_LEFT_H
#define PM_LOSS_LEFT_H
#include "loss_held.h"

/*@ // what a row of class c leaves
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
#endif
