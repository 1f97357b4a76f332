/* What the forward kernels of batch_norm in which a cluster does a channel (share.h) leave. */
#ifndef PM_BATCH_NORM_SHARE_OUT_H
#define PM_BATCH_NORM_SHARE_OUT_H
#include "share_owner.h"
#include "share.h"

/* What y is made with. */
typedef struct share_shift {
  float m, r, gamma, beta;
} share_shift;

/*@ assigns \nothing; ensures \result == Shifted(x,k.m,k.r,k.gamma,k.beta); */
DEV float share_shifted(float x, share_shift k) { return (x - k.m) * k.r * k.gamma + k.beta; }

/*@ assigns \nothing;
    ensures \result.x == Shifted(u.x,k.m,k.r,k.gamma,k.beta);
    ensures \result.y == Shifted(u.y,k.m,k.r,k.gamma,k.beta);
    ensures \result.z == Shifted(u.z,k.m,k.r,k.gamma,k.beta);
    ensures \result.w == Shifted(u.w,k.m,k.r,k.gamma,k.beta); */
DEV float4 share_shifts(float4 u, share_shift k)
{
  u.x = share_shifted(u.x, k);
  u.y = share_shifted(u.y, k);
  u.z = share_shifted(u.z, k);
  u.w = share_shifted(u.w, k);
  return u;
}

/*@ // the tensors of a block
    predicate share_tensors{L}(batch_part b, integer aligned, float *x, float *gamma, float *beta,
                               float *y, float *mean, float *rstd) =
      batch_in(b,x,aligned) && batch_puts(b,y,aligned) && reads(gamma,b.channels) &&
      reads(beta,b.channels) && writes(mean,b.channels) && writes(rstd,b.channels);
    // none of the outputs lies over an input or another
    predicate chans_apart{L}(float *x, float *gamma, float *beta, float *y, float *mean,
                             float *rstd, integer all, integer channels) =
      batch_over(x,all,y,mean,rstd,all,channels) &&
      batch_over(gamma,channels,y,mean,rstd,all,channels) &&
      batch_over(beta,channels,y,mean,rstd,all,channels) &&
      batch_outs(y,mean,rstd,all,channels);
    // what a channel's y is to be made with
    predicate shift_of{L}(share_shift k, float *x, float *gamma, float *beta, batch_part b,
                          real eps) =
      k.m == ChanMean(x,b.channels,b.size,b.c,b.n) &&
      k.r == ChanRstd(x,b.channels,b.size,b.c,b.n,eps) && k.gamma == rd(gamma,b.c) &&
      k.beta == rd(beta,b.c); */

/* The first block of a cluster leaves its channel's mean and rstd. */
/*@ requires block && 0 <= b.c < b.channels && writes(mean,b.channels) && writes(rstd,b.channels);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(b.n,b.channels,b.size),b.channels);
    assigns mean[0 .. b.channels-1], rstd[0 .. b.channels-1];
    ensures rank == 0 ==> mean[b.c] == k.m && rstd[b.c] == k.r;
    ensures stats_else{Pre,Post}(mean,rstd,b.channels,b.c,rank);
    ensures chan_inputs{Pre,Post}(x,gamma,beta,b.n,b.channels,b.size);
    ensures Same{Pre,Post}(y,batch_all(b.n,b.channels,b.size)); */
DEV void share_stats(int rank, batch_part b, share_shift k, float *RESTRICT mean,
                     float *RESTRICT rstd GHOST_PARAMS(const float *x, const float *gamma,
                                                       const float *beta, const float *y))
{
  if (rank == 0) {
    //@ assert W(mean+b.c) && W(rstd+b.c);
    block_put(k.m, mean + b.c);
    block_put(k.r, rstd + b.c);
  }
}
#endif
