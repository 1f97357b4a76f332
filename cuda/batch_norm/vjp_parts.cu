/* Split channels, a block each (part.h): batch_norm_vjp: x, g, dx are (n, channels, size), the
 * other tensors (channels). Two launches: the sums of g and of g xhat over a block's part it
 * leaves in the workspace, (channels, parts) both, and every block of the second adds up its
 * channel's parts, all in the same order; then dx. */
#include "vjp_terms.h"

/* The vector of xhat, 0 outside the row. */
/*@ requires batch_ok(b) && batch_in(b,x,aligned) && 0 <= w.row < b.n && 0 <= w.col < b.V;
    assigns \nothing; */
DEV float4 batch_hat(batch_part b, batch_at w, int aligned, float m, float r,
                     const float *RESTRICT x)
{
  float4 v = batch_load(b, w, aligned, x);
  v = batch_minus(b, w, aligned, v, m GHOST_ARGS(x + batch_offset(b, w) - 4 * w.col));
  v.x = v.x * r;
  v.y = v.y * r;
  v.z = v.z * r;
  v.w = v.w * r;
  return v;
}

/*@ requires batch_ok(b) && 0 <= w.row < b.n && 0 <= w.col < b.V;
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned);
    assigns \nothing; */
DEV batch_pair batch_plus(batch_pair sum, batch_part b, batch_at w, int aligned, float m, float r,
                          const float *RESTRICT x, const float *RESTRICT g)
{
  float4 hat = batch_hat(b, w, aligned, m, r, x), d = batch_load(b, w, aligned, g);
  sum.of_g += norm_four(0, d);
  sum.of_hat += batch_dot(d, hat);
  return sum;
}

/* The vectors k0 + t that are below hi are added to acc; then each thread goes on by BDIM. */
/*@ requires block && batch_ok(b) && b.lo <= k0 < b.hi;
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned);
    requires \valid(acc + (0 .. BDIM-1)) && \valid(w + (0 .. BDIM-1));
    requires at_vectors(w,0,BDIM,k0,b.V) && at_vector(step,BDIM,b.V);
    assigns acc[0 .. BDIM-1], w[0 .. BDIM-1];
    ensures at_vectors(w,0,BDIM,k0+BDIM,b.V); */
DEV void batch_plus_all(PER_THREAD(batch_pair, acc), PER_THREAD(batch_at, w), batch_part b,
                        batch_at step, idx k0, int aligned, float m, float r,
                        const float *RESTRICT x, const float *RESTRICT g)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(w,0,t,k0+BDIM,b.V);
      loop invariant at_vectors(w,t,BDIM,k0,b.V);
      loop assigns t, acc[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert at_vector(w[t],k0+t,b.V);
    //@ assert k0 + t < b.hi ==> 0 <= w[t].row < b.n;
    if (k0 + t < b.hi)
      AT(acc, t) = batch_plus(AT(acc, t), b, AT(w, t), aligned, m, r, x, g);
    AT(w, t) = batch_next(AT(w, t), step, b.V GHOST_ARGS(k0 + t, BDIM));
    //@ assert at_vector(w[t],k0+BDIM+t,b.V);
    //@ assert at_vectors(w,0,t,k0+BDIM,b.V);
    //@ assert at_vectors(w,t+1,BDIM,k0,b.V);
  }
}

/* The sums over the block's threads, for all of them. */
/*@ requires block && \valid_read(acc + (0 .. BDIM-1));
    assigns \nothing; */
DEV batch_pair batch_join(PER_THREAD(batch_pair, acc))
{
  SHARED(float, s, 32);
  PRIVATE(float, u);
  PRIVATE(float, v);
  batch_pair all;
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, u[0 .. BDIM-1], v[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(u, t) = AT(acc, t).of_g;
    AT(v, t) = AT(acc, t).of_hat;
  }
  all.of_g = block_sum(u, s);
  all.of_hat = block_sum(v, s);
  return all;
}

/* The sums over the block's vectors. */
/*@ requires block && batch_ok(b) && b.lo < b.hi;
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned);
    assigns \nothing; */
DEV batch_pair batch_pair_range(batch_part b, int aligned, float m, float r,
                                const float *RESTRICT x, const float *RESTRICT g)
{
  PRIVATE(batch_pair, acc);
  PRIVATE(batch_at, w);
  //@ assert b.V <= ix(b.n,b.V,0);
  batch_at step = batch_find(BDIM, b.V);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(&w[0],0,t,b.lo,b.V);
      loop assigns t, acc[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(acc, t).of_g = 0.0f;
    AT(acc, t).of_hat = 0.0f;
    AT(w, t) = batch_find(b.lo + t, b.V);
    //@ assert at_vector(w[t],b.lo+t,b.V);
    //@ assert at_vectors(&w[0],0,t,b.lo,b.V);
  }
  /*@ loop invariant b.lo <= k0 <= b.hi + BDIM;
      loop invariant at_vectors(&w[0],0,BDIM,k0,b.V);
      loop assigns k0, acc[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant b.hi - k0; */
  UNROLL_BY(4)
  for (idx k0 = b.lo; k0 < b.hi; k0 += BDIM)
    batch_plus_all(acc, w, b, step, k0, aligned, m, r, x, g);
  return batch_join(acc);
}

/*@ // what both launches ask of the tensors that they read
    predicate batch_vjp_in{L}(float *x, float *mean, float *rstd, float *g, integer n,
                              integer channels, integer size, integer V, integer aligned) =
      batch_tensor(x,n,channels,size,V,aligned) && batch_tensor(g,n,channels,size,V,aligned) &&
      reads(mean,channels) && reads(rstd,channels);
    // what is written lies apart from them
    predicate batch_vjp_apart{L}(float *x, float *mean, float *rstd, float *g, float *out,
                                 integer all, integer channels, integer k) =
      apart(x,all,out,k) && apart(g,all,out,k) && apart(mean,channels,out,k) &&
      apart(rstd,channels,out,k); */

/* of_g, of_hat: (channels, parts) */
/*@ requires block && batch_sizes(n,channels,size,V) && parts_ok(n,V,chunk,parts);
    requires ix(channels,parts,0) <= BLOCKS && batch_vjp_in(x,mean,rstd,g,n,channels,size,V,VEC);
    requires writes(of_g,ix(channels,parts,0)) && writes(of_hat,ix(channels,parts,0));
    requires apart(of_g,ix(channels,parts,0),of_hat,ix(channels,parts,0));
    requires batch_vjp_apart(x,mean,rstd,g,of_g,batch_all(n,channels,size),channels,
                             ix(channels,parts,0));
    requires batch_vjp_apart(x,mean,rstd,g,of_hat,batch_all(n,channels,size),channels,
                             ix(channels,parts,0));
    assigns of_g[0 .. ix(channels,parts,0)-1], of_hat[0 .. ix(channels,parts,0)-1]; */
TEMPLATE(int VEC)
KERNEL void batch_norm_vjp_parts_sums(CONSTANTS(int VEC) idx n, idx channels, idx size, idx V,
                                      idx chunk, idx parts, const float *RESTRICT x,
                                      const float *RESTRICT mean, const float *RESTRICT rstd,
                                      const float *RESTRICT g, float *RESTRICT of_g,
                                      float *RESTRICT of_hat)
{
  /*@ loop invariant 0 <= c <= channels;
      loop assigns c, of_g[0 .. ix(channels,parts,0)-1], of_hat[0 .. ix(channels,parts,0)-1];
      loop variant channels - c; */
  BROWS(c, channels, parts) {
    /*@ loop invariant 0 <= p <= parts;
        loop assigns p, of_g[0 .. ix(channels,parts,0)-1], of_hat[0 .. ix(channels,parts,0)-1];
        loop variant parts - p; */
    BCOLS(p, parts) {
      batch_part b = batch_part_of(n, channels, size, V, chunk, c, p GHOST_ARGS(parts));
      //@ assert batch_in(b,x,VEC) && batch_in(b,g,VEC);
      batch_pair all = batch_pair_range(b, VEC, LDG(mean + c), LDG(rstd + c), x, g);
      //@ assert 0 <= ix(c,parts,p) < ix(channels,parts,0);
      batch_leave(all.of_g, channels, parts, c, p, of_g GHOST_ARGS(0, n, size, x, x));
      batch_leave(all.of_hat, channels, parts, c, p, of_hat GHOST_ARGS(0, n, size, x, x));
    }
  }
}

/* Vector w of the block's channel. */
/*@ requires batch_ok(b) && 0 <= w.row < b.n && 0 <= w.col < b.V;
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned) && batch_in(b,dx,aligned);
    requires batch_puts(b,dx,aligned);
    assigns dx[batch_row(b,w)+4*w.col .. batch_row(b,w)+4*w.col+batch_have(b,w)-1]; */
DEV void batch_pull_one(batch_part b, batch_at w, int accumulate, int aligned, batch_pull k,
                        const float *RESTRICT x, const float *RESTRICT g, float *RESTRICT dx)
{
  float4 hat = batch_hat(b, w, aligned, k.m, k.r, x), d = batch_load(b, w, aligned, g);
  d.x = batch_dx(k, hat.x, d.x);
  d.y = batch_dx(k, hat.y, d.y);
  d.z = batch_dx(k, hat.z, d.z);
  d.w = batch_dx(k, hat.w, d.w);
  if (accumulate)
    d = plus4(batch_load(b, w, aligned, dx), d);
  batch_store(b, w, aligned, d, dx);
}

/* The vectors k0 + t that are below hi; then each thread goes on by BDIM. */
/*@ requires block && batch_ok(b) && b.lo <= k0 < b.hi;
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned) && batch_in(b,dx,aligned);
    requires batch_puts(b,dx,aligned) && \valid(w + (0 .. BDIM-1));
    requires at_vectors(w,0,BDIM,k0,b.V) && at_vector(step,BDIM,b.V);
    assigns dx[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
    ensures at_vectors(w,0,BDIM,k0+BDIM,b.V); */
DEV void batch_pull_all(PER_THREAD(batch_at, w), batch_part b, batch_at step, idx k0,
                        int accumulate, int aligned, batch_pull k, const float *RESTRICT x,
                        const float *RESTRICT g, float *RESTRICT dx)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(w,0,t,k0+BDIM,b.V);
      loop invariant at_vectors(w,t,BDIM,k0,b.V);
      loop assigns t, dx[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert at_vector(w[t],k0+t,b.V);
    //@ assert k0 + t < b.hi ==> 0 <= w[t].row < b.n;
    if (k0 + t < b.hi)
      batch_pull_one(b, AT(w, t), accumulate, aligned, k, x, g, dx);
    AT(w, t) = batch_next(AT(w, t), step, b.V GHOST_ARGS(k0 + t, BDIM));
    //@ assert at_vector(w[t],k0+BDIM+t,b.V);
    //@ assert at_vectors(w,0,t,k0+BDIM,b.V);
    //@ assert at_vectors(w,t+1,BDIM,k0,b.V);
  }
}

/* The block's vectors of dx. */
/*@ requires block && batch_ok(b) && b.lo < b.hi;
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned) && batch_in(b,dx,aligned);
    requires batch_puts(b,dx,aligned);
    assigns dx[0 .. batch_all(b.n,b.channels,b.size)-1]; */
DEV void batch_pull_range(batch_part b, int accumulate, int aligned, batch_pull k,
                          const float *RESTRICT x, const float *RESTRICT g, float *RESTRICT dx)
{
  PRIVATE(batch_at, w);
  //@ assert b.V <= ix(b.n,b.V,0);
  batch_at step = batch_find(BDIM, b.V);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(&w[0],0,t,b.lo,b.V);
      loop assigns t, w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(w, t) = batch_find(b.lo + t, b.V);
    //@ assert at_vector(w[t],b.lo+t,b.V);
    //@ assert at_vectors(&w[0],0,t,b.lo,b.V);
  }
  /*@ loop invariant b.lo <= k0 <= b.hi + BDIM;
      loop invariant at_vectors(&w[0],0,BDIM,k0,b.V);
      loop assigns k0, dx[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant b.hi - k0; */
  UNROLL_BY(2)
  for (idx k0 = b.lo; k0 < b.hi; k0 += BDIM)
    batch_pull_all(w, b, step, k0, accumulate, aligned, k, x, g, dx);
}

/* dx, and by the first block of each channel its dgamma and dbeta. */
/*@ requires block && batch_sizes(n,channels,size,V) && parts_ok(n,V,chunk,parts);
    requires ix(channels,parts,0) <= BLOCKS && batch_vjp_in(x,mean,rstd,g,n,channels,size,V,VEC);
    requires reads(gamma,channels);
    requires reads(of_g,ix(channels,parts,0)) && reads(of_hat,ix(channels,parts,0));
    requires writes(dx,batch_all(n,channels,size)) && (VEC != 0 ==> aligned16(dx));
    requires writes(dgamma,channels) && writes(dbeta,channels);
    requires batch_vjp_apart(x,mean,rstd,g,dx,batch_all(n,channels,size),channels,
                             batch_all(n,channels,size));
    requires batch_vjp_apart(x,mean,rstd,g,dgamma,batch_all(n,channels,size),channels,channels);
    requires batch_vjp_apart(x,mean,rstd,g,dbeta,batch_all(n,channels,size),channels,channels);
    requires apart(dgamma,channels,dbeta,channels);
    assigns dx[0 .. batch_all(n,channels,size)-1], dgamma[0 .. channels-1],
            dbeta[0 .. channels-1]; */
TEMPLATE(int VEC)
KERNEL void batch_norm_vjp_parts_out(CONSTANTS(int VEC) int accumulate, idx n, idx channels,
                                     idx size, idx V, idx chunk, idx parts, const float *RESTRICT x,
                                     const float *RESTRICT gamma, const float *RESTRICT mean,
                                     const float *RESTRICT rstd, const float *RESTRICT g,
                                     const float *RESTRICT of_g, const float *RESTRICT of_hat,
                                     float *RESTRICT dx, float *RESTRICT dgamma,
                                     float *RESTRICT dbeta)
{
  /*@ loop invariant 0 <= c <= channels;
      loop assigns c, dx[0 .. batch_all(n,channels,size)-1], dgamma[0 .. channels-1],
                   dbeta[0 .. channels-1];
      loop variant channels - c; */
  BROWS(c, channels, parts) {
    /*@ loop invariant 0 <= p <= parts;
        loop assigns p, dx[0 .. batch_all(n,channels,size)-1], dgamma[0 .. channels-1],
                     dbeta[0 .. channels-1];
        loop variant parts - p; */
    BCOLS(p, parts) {
      batch_part b = batch_part_of(n, channels, size, V, chunk, c, p GHOST_ARGS(parts));
      //@ assert batch_in(b,x,VEC) && batch_in(b,g,VEC) && batch_in(b,dx,VEC);
      //@ assert batch_puts(b,dx,VEC);
      batch_pair all;
      all.of_g = batch_sum(b, parts, of_g);
      all.of_hat = batch_sum(b, parts, of_hat);
      batch_pull k = batch_pull_of(b, all, gamma, mean, rstd);
      batch_pull_range(b, accumulate, VEC, k, x, g, dx);
      batch_grad(p == 0, accumulate, all.of_hat, dgamma + c);
      batch_grad(p == 0, accumulate, all.of_g, dbeta + c);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "launch.h"

template <int VEC>
static void launch_batch_vjp(const pm_exec *ex, int accumulate, const batch_vjp_call *t)
{
  unsigned blocks = (unsigned)(t->channels * t->parts);
  idx V = (t->size + 3) / 4;
  LAUNCH((batch_norm_vjp_parts_sums<VEC>), blocks, t->block, ex->stream, t->n, t->channels, t->size,
         V, t->chunk, t->parts, t->x, t->mean, t->rstd, t->g, t->of_g, t->of_hat);
  LAUNCH((batch_norm_vjp_parts_out<VEC>), blocks, t->block, ex->stream, accumulate, t->n,
         t->channels, t->size, V, t->chunk, t->parts, t->x, t->gamma, t->mean, t->rstd, t->g,
         t->of_g, t->of_hat, t->dx, t->dgamma, t->dbeta);
}

extern "C" void LAUNCHER(batch_norm_vjp_parts)(const pm_exec *ex, int vec, int accumulate,
                                               const batch_vjp_call *t)
{
  if (vec)
    launch_batch_vjp<1>(ex, accumulate, t);
  else
    launch_batch_vjp<0>(ex, accumulate, t);
}
#endif
