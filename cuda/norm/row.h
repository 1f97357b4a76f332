/* Output and statistics of a row: its elements, and its statistics, which a block puts. */
#ifndef PM_NORM_ROW_H
#define PM_NORM_ROW_H
#include "../collective/block_sum.h"
#include "row_vec4.h"

/*@ predicate norm_done{L0,L}(float *y, integer centered, integer affine, float *x, float *gamma,
                              float *beta, real m, real r, integer from, integer to) =
      \forall integer c; from <= c < to ==>
        \at(y[c],L) == NormOne{L0}(centered,affine,x,gamma,beta,m,r,c); */

typedef struct norm_stats {
  float mean, rstd;
} norm_stats;

/*@ requires block && 0 <= r && \valid(rstd + r) && W(rstd+r);
    requires centered != 0 ==> \valid(mean + r) && W(mean+r) && \separated(mean + r, rstd + r);
    assigns rstd[r], mean[r .. r + if_there(centered,1) - 1];
    ensures rstd[r] == s.rstd;
    ensures centered != 0 ==> mean[r] == s.mean; */
DEV void norm_put(int centered, idx r, norm_stats s, float *RESTRICT mean, float *RESTRICT rstd)
{
  if (centered)
    block_put(s.mean, mean + r);
  block_put(s.rstd, rstd + r);
}
#endif
