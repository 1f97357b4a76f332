/* batch_norm where a channel is cut into parts, a block each (batch_norm_forward.h): x, y are
 * (n, channels, size), the other tensors (channels). Three launches: what a block sums it leaves in
 * the workspace, (channels, parts), and every block of the next launch adds up its channel's parts,
 * all in the same order. Sums; squares about the mean; y. */
#include "batch_norm_store.h"

/* The mean that the sums of the channel's parts give, where `squares`; else 0. */
/*@ requires block && batch_ok(b) && 0 < parts;
    requires squares != 0 ==> reads(sums,ix(b.channels,parts,0));
    assigns \nothing;
    ensures squares == 0 ==> \result == 0.0;
    ensures squares != 0 ==> \result ==
      rdiv(SumR{Pre}(sums,ix(b.c,parts,0),ix(b.c+1,parts,0)), (real)ix(b.n,b.size,0)); */
DEV float batch_center(int squares, batch_part b, idx parts, const float *RESTRICT sums)
{
  float m = 0.0f;
  //@ assert 0 < ix(b.n,b.size,0);
  if (squares)
    m = batch_mean(batch_sum(b, parts, sums), b.n, b.size);
  return m;
}

/* out: (channels, parts). The parts' sums, or where SQUARES those of the squares about the mean. */
/*@ requires block && batch_sizes(n,channels,size,V) && parts_ok(n,V,chunk,parts);
    requires ix(channels,parts,0) <= BLOCKS && batch_tensor(x,n,channels,size,V,VEC);
    requires writes(out,ix(channels,parts,0));
    requires apart(x,batch_all(n,channels,size),out,ix(channels,parts,0));
    requires SQUARES != 0 ==> reads(sums,ix(channels,parts,0)) &&
      apart(sums,ix(channels,parts,0),out,ix(channels,parts,0));
    assigns out[0 .. ix(channels,parts,0)-1]; */
TEMPLATE(int SQUARES, int VEC)
KERNEL void batch_sums(CONSTANTS(int SQUARES, int VEC) idx n, idx channels, idx size, idx V,
                       idx chunk, idx parts, const float *RESTRICT x, const float *RESTRICT sums,
                       float *RESTRICT out)
{
  /*@ loop invariant 0 <= c <= channels;
      loop assigns c, out[0 .. ix(channels,parts,0)-1];
      loop variant channels - c; */
  BROWS(c, channels, parts) {
    /*@ loop invariant 0 <= p <= parts;
        loop assigns p, out[0 .. ix(channels,parts,0)-1];
        loop variant parts - p; */
    BCOLS(p, parts) {
      batch_part b = batch_part_of(n, channels, size, V, chunk, c, p GHOST_ARGS(parts));
      float m = batch_center(SQUARES, b, parts, sums);
      float v = batch_range(b, SQUARES, VEC, m, x);
      //@ assert 0 <= ix(c,parts,p) < ix(channels,parts,0);
      batch_leave(v, channels, parts, c, p, out GHOST_ARGS(SQUARES, n, size, x, sums));
    }
  }
}

/*@ assigns \nothing; ensures \result == Hat(x,m,r); */
DEV float hat_of(float x, float m, float r) { return (x - m) * r; }

/*@ assigns \nothing; ensures \result == Shifted(x,m,r,gamma,beta); */
DEV float shifted(float x, float m, float r, float gamma, float beta)
{
  return hat_of(x, m, r) * gamma + beta;
}

/* Vector w of the block's channel. */
/*@ requires batch_ok(b) && batch_in(b,x,aligned) && 0 <= w.row < b.n && 0 <= w.col < b.V;
    requires batch_puts(b,y,aligned) && batch_apart(b,x,y);
    assigns y[batch_row(b,w)+4*w.col .. batch_row(b,w)+4*w.col+batch_have(b,w)-1];
    ensures y[batch_row(b,w)+4*w.col] ==
      Shifted(rd{Pre}(x,batch_row(b,w)+4*w.col),m,r,gamma,beta);
    ensures 4*w.col+1 < b.size ==> y[batch_row(b,w)+4*w.col+1] ==
      Shifted(rd{Pre}(x,batch_row(b,w)+4*w.col+1),m,r,gamma,beta);
    ensures 4*w.col+2 < b.size ==> y[batch_row(b,w)+4*w.col+2] ==
      Shifted(rd{Pre}(x,batch_row(b,w)+4*w.col+2),m,r,gamma,beta);
    ensures 4*w.col+3 < b.size ==> y[batch_row(b,w)+4*w.col+3] ==
      Shifted(rd{Pre}(x,batch_row(b,w)+4*w.col+3),m,r,gamma,beta); */
DEV void batch_put_one(batch_part b, batch_at w, int aligned, float m, float r, float gamma,
                       float beta, const float *RESTRICT x, float *RESTRICT y)
{
  float4 u = batch_load(b, w, aligned, x);
  //@ assert u.x == rd(x,batch_row(b,w)+4*w.col);
  //@ assert 4*w.col+1 < b.size ==> u.y == rd(x,batch_row(b,w)+4*w.col+1);
  //@ assert 4*w.col+2 < b.size ==> u.z == rd(x,batch_row(b,w)+4*w.col+2);
  //@ assert 4*w.col+3 < b.size ==> u.w == rd(x,batch_row(b,w)+4*w.col+3);
  u.x = shifted(u.x, m, r, gamma, beta);
  u.y = shifted(u.y, m, r, gamma, beta);
  u.z = shifted(u.z, m, r, gamma, beta);
  u.w = shifted(u.w, m, r, gamma, beta);
  batch_store(b, w, aligned, u, y);
}

/* The vectors k0 + t that are below hi; then each lane goes on by BDIM. */
/*@ requires block && batch_ok(b) && batch_in(b,x,aligned) && b.lo <= k0 < b.hi;
    requires batch_puts(b,y,aligned) && batch_apart(b,x,y) && \valid(w + (0 .. BDIM-1));
    requires at_vectors(w,0,BDIM,k0,b.V) && at_vector(step,BDIM,b.V);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
    ensures at_vectors(w,0,BDIM,k0+BDIM,b.V); */
DEV void batch_put_all(LANE(batch_at, w), batch_part b, batch_at step, idx k0, int aligned, float m,
                       float r, float gamma, float beta, const float *RESTRICT x, float *RESTRICT y)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(w,0,t,k0+BDIM,b.V);
      loop invariant at_vectors(w,t,BDIM,k0,b.V);
      loop assigns t, y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert at_vector(w[t],k0+t,b.V);
    //@ assert k0 + t < b.hi ==> 0 <= w[t].row < b.n;
    if (k0 + t < b.hi)
      batch_put_one(b, AT(w, t), aligned, m, r, gamma, beta, x, y);
    AT(w, t) = batch_next(AT(w, t), step, b.V GHOST_ARGS(k0 + t, BDIM));
    //@ assert at_vector(w[t],k0+BDIM+t,b.V);
    //@ assert at_vectors(w,0,t,k0+BDIM,b.V);
    //@ assert at_vectors(w,t+1,BDIM,k0,b.V);
  }
}

/* The block's vectors of y. */
/*@ requires block && batch_ok(b) && batch_in(b,x,aligned) && b.lo < b.hi;
    requires batch_puts(b,y,aligned) && batch_apart(b,x,y);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1]; */
DEV void batch_put_range(batch_part b, int aligned, float m, float r, float gamma, float beta,
                         const float *RESTRICT x, float *RESTRICT y)
{
  PRIVATE(batch_at, w);
  //@ assert b.V <= ix(b.n,b.V,0);
  batch_at step = batch_find(BDIM, b.V);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(&w[0],0,t,b.lo,b.V);
      loop assigns t, w[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    AT(w, t) = batch_find(b.lo + t, b.V);
    //@ assert at_vector(w[t],b.lo+t,b.V);
    //@ assert at_vectors(&w[0],0,t,b.lo,b.V);
  }
  /*@ loop invariant b.lo <= k0 <= b.hi + BDIM;
      loop invariant at_vectors(&w[0],0,BDIM,k0,b.V);
      loop assigns k0, y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant b.hi - k0; */
  UNROLL_BY(4)
  for (idx k0 = b.lo; k0 < b.hi; k0 += BDIM)
    batch_put_all(w, b, step, k0, aligned, m, r, gamma, beta, x, y);
}

/* *mean = m and *rstd = r, by the first block of a channel. */
/*@ requires block && (first != 0 ==> \valid(mean) && W(mean) && \valid(rstd) && W(rstd));
    requires \separated(mean,rstd);
    assigns *mean, *rstd;
    ensures first != 0 ==> *mean == m && *rstd == r;
    ensures first == 0 ==> *mean == \old(*mean) && *rstd == \old(*rstd); */
DEV void batch_stats(int first, float m, float r, float *RESTRICT mean, float *RESTRICT rstd)
{
  if (first) {
    block_put(m, mean);
    block_put(r, rstd);
  }
}

/* y, and by the first block of each channel its mean and rstd. */
/*@ requires block && batch_sizes(n,channels,size,V) && parts_ok(n,V,chunk,parts);
    requires ix(channels,parts,0) <= BLOCKS && batch_tensor(x,n,channels,size,V,VEC);
    requires reads(gamma,channels) && reads(beta,channels);
    requires reads(sums,ix(channels,parts,0)) && reads(squares,ix(channels,parts,0));
    requires writes(y,batch_all(n,channels,size)) && writes(mean,channels) && writes(rstd,channels);
    requires VEC != 0 ==> aligned16(y);
    requires apart(x,batch_all(n,channels,size),y,batch_all(n,channels,size));
    requires apart(mean,channels,rstd,channels);
    assigns y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1], rstd[0 .. channels-1]; */
TEMPLATE(int VEC)
KERNEL void batch_put(CONSTANTS(int VEC) idx n, idx channels, idx size, idx V, idx chunk, idx parts,
                      float eps, const float *RESTRICT x, const float *RESTRICT gamma,
                      const float *RESTRICT beta, const float *RESTRICT sums,
                      const float *RESTRICT squares, float *RESTRICT y, float *RESTRICT mean,
                      float *RESTRICT rstd)
{
  /*@ loop invariant 0 <= c <= channels;
      loop assigns c, y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1],
                   rstd[0 .. channels-1];
      loop variant channels - c; */
  BROWS(c, channels, parts) {
    /*@ loop invariant 0 <= p <= parts;
        loop assigns p, y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1],
                     rstd[0 .. channels-1];
        loop variant parts - p; */
    BCOLS(p, parts) {
      batch_part b = batch_part_of(n, channels, size, V, chunk, c, p GHOST_ARGS(parts));
      //@ assert batch_in(b,x,VEC);
      //@ assert batch_puts(b,y,VEC) && batch_apart(b,x,y);
      float m = batch_center(1, b, parts, sums);
      float r = batch_rstd(batch_sum(b, parts, squares), n, size, eps);
      batch_put_range(b, VEC, m, r, LDG(gamma + c), LDG(beta + c), x, y);
      batch_stats(p == 0, m, r, mean + c, rstd + c);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "batch_norm_launch.h"

template <int VEC> static void launch_batch(const pm_exec *ex, const batch_call *t)
{
  unsigned blocks = (unsigned)(t->channels * t->parts);
  idx V = (t->size + 3) / 4;
  LAUNCH((batch_sums<0, VEC>), blocks, t->block, ex->stream, t->n, t->channels, t->size, V,
         t->chunk, t->parts, t->x, (const float *)NULL, t->sums);
  LAUNCH((batch_sums<1, VEC>), blocks, t->block, ex->stream, t->n, t->channels, t->size, V,
         t->chunk, t->parts, t->x, t->sums, t->squares);
  LAUNCH((batch_put<VEC>), blocks, t->block, ex->stream, t->n, t->channels, t->size, V, t->chunk,
         t->parts, t->eps, t->x, t->gamma, t->beta, t->sums, t->squares, t->y, t->mean, t->rstd);
}

extern "C" void LAUNCHER(batch_parts)(const pm_exec *ex, int vec, const batch_call *t)
{
  if (vec)
    launch_batch<1>(ex, t);
  else
    launch_batch<0>(ex, t);
}
#endif
