/* What a row leaves where a block has it, or blocks share it: its elements, and its statistics. */
#ifndef PM_NORM_ROW_H
#define PM_NORM_ROW_H
#include "block.h"
#include "norm_vectors.h"

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

/* Element c of a row of y. */
/*@ requires 0 <= c < n && reads(x,n) && (affine != 0 ==> reads(gamma,n));
    requires centered != 0 ==> reads(beta,n);
    assigns \nothing;
    ensures \result == NormOne(centered,affine,x,gamma,beta,s.mean,s.rstd,c); */
DEV float row_one(int centered, int affine, idx c, norm_stats s, const float *RESTRICT x,
                  const float *RESTRICT gamma, const float *RESTRICT beta GHOST_PARAMS(idx n))
{
  float v = (LDG(x + c) - s.mean) * s.rstd;
  //@ assert v == Hat(x[c],s.mean,s.rstd);
  float w = affine ? LDG(gamma + c) : 1.0f, b = centered ? LDG(beta + c) : 0.0f;
  //@ assert w == Either(gamma,affine,1.0,c);
  //@ assert b == Either(beta,centered,0.0,c);
  v = v * w;
  //@ assert v == rmul(Hat(x[c],s.mean,s.rstd), Either(gamma,affine,1.0,c));
  return centered ? v + b : v;
}

/*@ requires 0 < n;
    assigns \nothing;
    ensures \result == rdiv(total,(real)n); */
DEV float row_mean(float total, idx n) { return total / (float)n; }

/*@ requires 0 < n;
    assigns \nothing;
    ensures \result == InvRoot(rdiv(squares,(real)n), eps); */
DEV float row_rstd(float squares, idx n, float eps)
{
  return 1.0f / pm_sqrtf(squares / (float)n + eps);
}
#endif
