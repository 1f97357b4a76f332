/* What the kernels of batch_norm_vjp have in common: a vector's part of a channel's sums, and
 * what makes its dx; how a channel's dgamma and dbeta are left. */
#ifndef PM_BATCH_NORM_VJP_TERMS_H
#define PM_BATCH_NORM_VJP_TERMS_H
#include "part_store.h"

/*@ assigns \nothing;
    ensures \result == rmul(u.x,v.x) + rmul(u.y,v.y) + rmul(u.z,v.z) + rmul(u.w,v.w); */
DEV float batch_dot(float4 u, float4 v)
{
  return (u.x * v.x + u.y * v.y) + (u.z * v.z + u.w * v.w);
}

/* The sums of g and of g xhat. */
typedef struct batch_pair {
  float of_g, of_hat;
} batch_pair;

/* What a channel's dx is made with: x's mean and rstd, gamma, and the means of g and of g xhat. */
typedef struct batch_pull {
  float m, r, gamma, of_g, of_hat;
} batch_pull;

/*@ assigns \nothing;
    ensures \result == rmul(NormDx(g,k.of_g,hat,k.of_hat,k.r),k.gamma); */
DEV float batch_dx(batch_pull k, float hat, float g)
{
  return k.r * (g - k.of_g - hat * k.of_hat) * k.gamma;
}

/* *p = v, or += v, by the first thread. */
/*@ requires t == 0 ==> \valid(p) && R(p) && W(p);
    assigns *p;
    ensures *p == (t == 0 ? plus(adds,\old(*p),v) : \old(*p)); */
DEV void grad_first(int t, int adds, float *p, float v)
{
  if (t == 0)
    STG(p, adds ? LDG(p) + v : v);
}

/* *to = v, or += v, by one thread of the first block of a channel. */
/*@ requires block && (first != 0 ==> \valid(to) && R(to) && W(to));
    assigns *to;
    ensures *to == (first != 0 ? plus(adds,\old(*to),v) : \old(*to)); */
DEV void batch_grad(int first, int adds, float v, float *RESTRICT to)
{
  if (first) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant *to == (0 < t ? plus(adds,\at(*to,Pre),v) : \at(*to,Pre));
        loop assigns t, *to;
        loop variant BDIM - t; */
    EACH_THREAD(t) grad_first(t, adds, to, v);
  }
}

/* Where `all` is what the parts of the channel add up to. */
/*@ requires batch_ok(b);
    requires reads(gamma,b.channels) && reads(mean,b.channels) && reads(rstd,b.channels);
    assigns \nothing;
    ensures \result.of_g == rdiv(all.of_g,(real)ix(b.n,b.size,0));
    ensures \result.of_hat == rdiv(all.of_hat,(real)ix(b.n,b.size,0)); */
DEV batch_pull batch_pull_of(batch_part b, batch_pair all, const float *RESTRICT gamma,
                             const float *RESTRICT mean, const float *RESTRICT rstd)
{
  batch_pull k;
  //@ assert 0 < ix(b.n,b.size,0);
  k.m = LDG(mean + b.c);
  k.r = LDG(rstd + b.c);
  k.gamma = LDG(gamma + b.c);
  k.of_g = batch_mean(all.of_g, b.n, b.size);
  k.of_hat = batch_mean(all.of_hat, b.n, b.size);
  return k;
}
#endif
