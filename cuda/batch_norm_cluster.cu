/* batch_norm where a cluster of blocks does a channel (batch_norm_shares.h), which it reads once and in
 * part again: x, y are (n, channels, size), the other tensors (channels). */
#include "batch_norm_shift.h"

/* What vector w adds to a lane's sum of elements, or of their squares about m. */
/*@ requires block && batch_ok(b) && 0 <= t < BDIM && (aligned != 0 ==> b.size == 4*b.V);
    requires 0 <= w.row < b.n && 0 <= w.col < b.V;
    requires kept != 0 ==> k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < to && pending_ == 0 &&
      \valid_read(cells + (0 .. to-1));
    requires kept == 0 ==> batch_in(b,x,aligned);
    assigns \nothing; */
DEV float share_term(LANE_CELLS(cells), int kept, int j, int k0, int t, batch_part b, batch_at w,
                     int squares, int aligned, float m,
                     const float *RESTRICT x GHOST_PARAMS(int to))
{
  float4 u = share_take(cells, kept, j, k0, t, b, w, aligned, x GHOST_ARGS(to));
  if (squares)
    u = part_about(batch_elements(b, w, aligned), u, m);
  return norm_four(squares, u);
}

/* The vectors k0 + t below `to` are added to acc, or their squares about m. */
/*@ requires block && chan_ok(b) && at_vector(step,BDIM,b.V) && share_at(b,from,to,j,k0);
    requires whole != 0 ==> k0 + BDIM <= to;
    requires share_waits(cells,kept,from,to) && batch_in(b,x,aligned);
    requires \valid(acc + (0 .. BDIM-1));
    requires \valid(w + (0 .. BDIM-1)) && at_vectors(w,0,BDIM,b.lo+k0,b.V);
    assigns acc[0 .. BDIM-1], w[0 .. BDIM-1];
    ensures at_vectors(w,0,BDIM,b.lo+k0+BDIM,b.V); */
DEV void share_add_all(LANE(float, acc), LANE_CELLS(cells), LANE(batch_at, w), batch_part b,
                       batch_at step, int j, int k0, int whole, int to, int kept, int squares,
                       int aligned, float m, const float *RESTRICT x GHOST_PARAMS(int from))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(w,0,t,b.lo+k0+BDIM,b.V);
      loop invariant at_vectors(w,t,BDIM,b.lo+k0,b.V);
      loop assigns t, acc[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert at_vector(w[t],b.lo+k0+t,b.V);
    //@ assert k0 + t < to ==> 0 <= w[t].row < b.n;
    if (whole || k0 + t < to)
      AT(acc, t) +=
          share_term(cells, kept, j, k0, t, b, AT(w, t), squares, aligned, m, x GHOST_ARGS(to));
    //@ assert at_vector(w[t],b.lo+k0+t,b.V);
    AT(w, t) = batch_next(AT(w, t), step, b.V GHOST_ARGS(b.lo + k0 + t, BDIM));
    //@ assert at_vector(w[t],b.lo+k0+BDIM+t,b.V);
    //@ assert at_vectors(w,0,t,b.lo+k0+BDIM,b.V);
    //@ assert at_vectors(w,t+1,BDIM,b.lo+k0,b.V);
  }
}

/* The vectors from .. to-1 of the share. */
/*@ requires block && chan_ok(b) && at_vector(step,BDIM,b.V) && share_range(b,from,to);
    requires share_waits(cells,kept,from,to) && batch_in(b,x,aligned);
    requires \valid(acc + (0 .. BDIM-1));
    requires \valid(w + (0 .. BDIM-1)) && at_vectors(w,0,BDIM,b.lo+from,b.V);
    assigns acc[0 .. BDIM-1], w[0 .. BDIM-1]; */
DEV void share_add(LANE(float, acc), LANE_CELLS(cells), LANE(batch_at, w), batch_part b,
                   batch_at step, int from, int to, int kept, int squares, int aligned, float m,
                   const float *RESTRICT x)
{
  const int rounds = (to - from) / BDIM;
  int k0 = from, j = 0;
  //@ assert 0 < rounds ==> rounds * bdim_ <= to - from;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= to - from;
  /*@ loop invariant 0 <= j <= k0 && from <= k0 == from + mul(j,bdim_);
      loop invariant k0 <= to || k0 == from;
      loop invariant j <= rounds || j == 0;
      loop invariant at_vectors(w,0,BDIM,b.lo+k0,b.V);
      loop assigns j, k0, acc[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == mul(j,bdim_) + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    share_add_all(acc, cells, w, b, step, j, k0, 1, to, kept, squares, aligned, m,
                  x GHOST_ARGS(from));
  }
  if (k0 < to)
    share_add_all(acc, cells, w, b, step, j, k0, 0, to, kept, squares, aligned, m,
                  x GHOST_ARGS(from));
}

/* Vector w of y. */
/*@ requires block && batch_ok(b) && 0 <= t < BDIM && (aligned != 0 ==> b.size == 4*b.V);
    requires 0 <= w.row < b.n && 0 <= w.col < b.V && batch_puts(b,y,aligned);
    requires kept != 0 ==> k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < to && pending_ == 0 &&
      \valid_read(cells + (0 .. to-1));
    requires kept == 0 ==> batch_in(b,x,aligned);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1]; */
DEV void share_put_one(LANE_CELLS(cells), int kept, int j, int k0, int t, batch_part b, batch_at w,
                       int aligned, share_shift k, const float *RESTRICT x,
                       float *RESTRICT y GHOST_PARAMS(int to))
{
  const float4 u = share_take(cells, kept, j, k0, t, b, w, aligned, x GHOST_ARGS(to));
  batch_store(b, w, aligned, share_shifts(u, k), y);
}

/*@ requires block && chan_ok(b) && at_vector(step,BDIM,b.V) && share_at(b,from,to,j,k0);
    requires whole != 0 ==> k0 + BDIM <= to;
    requires share_waits(cells,kept,from,to) && batch_in(b,x,aligned) && batch_puts(b,y,aligned);
    requires \valid(w + (0 .. BDIM-1)) && at_vectors(w,0,BDIM,b.lo+k0,b.V);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
    ensures at_vectors(w,0,BDIM,b.lo+k0+BDIM,b.V); */
DEV void share_put_all(LANE_CELLS(cells), LANE(batch_at, w), batch_part b, batch_at step, int j,
                       int k0, int whole, int to, int kept, int aligned, share_shift k,
                       const float *RESTRICT x, float *RESTRICT y GHOST_PARAMS(int from))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(w,0,t,b.lo+k0+BDIM,b.V);
      loop invariant at_vectors(w,t,BDIM,b.lo+k0,b.V);
      loop assigns t, y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    //@ assert at_vector(w[t],b.lo+k0+t,b.V);
    //@ assert k0 + t < to ==> 0 <= w[t].row < b.n;
    if (whole || k0 + t < to)
      share_put_one(cells, kept, j, k0, t, b, AT(w, t), aligned, k, x, y GHOST_ARGS(to));
    //@ assert at_vector(w[t],b.lo+k0+t,b.V);
    AT(w, t) = batch_next(AT(w, t), step, b.V GHOST_ARGS(b.lo + k0 + t, BDIM));
    //@ assert at_vector(w[t],b.lo+k0+BDIM+t,b.V);
    //@ assert at_vectors(w,0,t,b.lo+k0+BDIM,b.V);
    //@ assert at_vectors(w,t+1,BDIM,b.lo+k0,b.V);
  }
}

/*@ requires block && chan_ok(b) && at_vector(step,BDIM,b.V) && share_range(b,from,to);
    requires share_waits(cells,kept,from,to) && batch_in(b,x,aligned) && batch_puts(b,y,aligned);
    requires \valid(w + (0 .. BDIM-1)) && at_vectors(w,0,BDIM,b.lo+from,b.V);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1]; */
DEV void share_put(LANE_CELLS(cells), LANE(batch_at, w), batch_part b, batch_at step, int from,
                   int to, int kept, int aligned, share_shift k, const float *RESTRICT x,
                   float *RESTRICT y)
{
  const int rounds = (to - from) / BDIM;
  int k0 = from, j = 0;
  //@ assert 0 < rounds ==> rounds * bdim_ <= to - from;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= to - from;
  /*@ loop invariant 0 <= j <= k0 && from <= k0 == from + mul(j,bdim_);
      loop invariant k0 <= to || k0 == from;
      loop invariant j <= rounds || j == 0;
      loop invariant at_vectors(w,0,BDIM,b.lo+k0,b.V);
      loop assigns j, k0, y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == mul(j,bdim_) + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    share_put_all(cells, w, b, step, j, k0, 1, to, kept, aligned, k, x, y GHOST_ARGS(from));
  }
  if (k0 < to)
    share_put_all(cells, w, b, step, j, k0, 0, to, kept, aligned, k, x, y GHOST_ARGS(from));
}

/* What a block does of its channel; the first of a cluster leaves mean and rstd. */
/*@ requires block && chan_ok(b) && 0 <= p.kept <= ROOM && in_cluster_of(rank,p.in_cluster);
    requires share_tensors(b,aligned,x,gamma,beta,y,mean,rstd);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1], mean[0 .. b.channels-1],
            rstd[0 .. b.channels-1], pending_, met_, away_; */
DEV void batch_share_do(share_plan p, batch_part b, int rank, int aligned, float eps,
                        const float *RESTRICT x, const float *RESTRICT gamma,
                        const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
                        float *RESTRICT rstd)
{
  CELL_ARRAYS;
  SHARE_CELLS(cells, 0);
  PAIRS_MET(sums, PAIRS, 1);
  PAIRS_MET(squares, PAIRS, 2);
  PRIVATE(float, acc);
  PRIVATE(float, none);
  PRIVATE(batch_at, begin);
  PRIVATE(batch_at, w);
  const int vectors = (int)(b.hi - b.lo), kept = vectors < p.kept ? vectors : p.kept;
  const batch_at step = share_find(BDIM, (int)b.V);
  share_shift k;
  k.gamma = LDG(gamma + b.c);
  k.beta = LDG(beta + b.c);
  CLUSTER_BLOCK;
  cluster_arrive();
  share_begin(begin, b, 0);
  share_again(w, begin GHOST_ARGS(b.lo, b.V));
  share_fetch(cells, w, b, step, kept, aligned, x);
  share_zero(acc);
  share_begin(w, b, kept);
  share_add(acc, cells, w, b, step, kept, vectors, 0, 0, aligned, 0.0f, x);
  copy_wait();
  share_again(w, begin GHOST_ARGS(b.lo, b.V));
  share_add(acc, cells, w, b, step, 0, kept, 1, 0, aligned, 0.0f, x);
  cluster_wait();
  share_zero(none);
  k.m = batch_mean(cluster_sums(acc, none, sums, rank, p.in_cluster).x, b.n, b.size);
  share_zero(acc);
  share_again(w, begin GHOST_ARGS(b.lo, b.V));
  share_add(acc, cells, w, b, step, 0, kept, 1, 1, aligned, k.m, x);
  share_begin(w, b, kept);
  share_add(acc, cells, w, b, step, kept, vectors, 0, 1, aligned, k.m, x);
  share_zero(none);
  k.r = batch_rstd(cluster_sums(acc, none, squares, rank, p.in_cluster).x, b.n, b.size, eps);
  share_again(w, begin GHOST_ARGS(b.lo, b.V));
  share_put(cells, w, b, step, 0, kept, 1, aligned, k, x, y);
  share_begin(w, b, kept);
  share_put(cells, w, b, step, kept, vectors, 0, aligned, k, x, y);
  share_stats(rank, b, k, mean, rstd);
}

/* x, y: (n, channels, size); V = ceil(size / 4). Each channel has p.in_cluster blocks. */
/*@ requires share_call(p,n,channels,size,V) && ix(channels,p.in_cluster,0) <= BLOCKS;
    requires batch_tensor(x,n,channels,size,V,VEC) && reads(gamma,channels) && reads(beta,channels);
    requires writes(y,batch_all(n,channels,size)) && (VEC != 0 ==> aligned16(y));
    requires writes(mean,channels) && writes(rstd,channels);
    requires apart(x,batch_all(n,channels,size),y,batch_all(n,channels,size));
    assigns y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1], rstd[0 .. channels-1],
            pending_, met_, away_; */
TEMPLATE(int VEC)
KERNEL void THREADS_AT_MOST(MAXB)
    batch_cluster(CONSTANTS(int VEC) share_plan p, idx n, idx channels, idx size, idx V, float eps,
                  const float *RESTRICT x, const float *RESTRICT gamma, const float *RESTRICT beta,
                  float *RESTRICT y, float *RESTRICT mean, float *RESTRICT rstd)
{
  /*@ loop invariant 0 <= c <= channels;
      loop assigns c, y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1],
                   rstd[0 .. channels-1], pending_, met_, away_;
      loop variant channels - c; */
  BROWS(c, channels, p.in_cluster) {
    /*@ loop invariant 0 <= rank <= p.in_cluster;
        loop assigns rank, y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1],
                     rstd[0 .. channels-1], pending_, met_, away_;
        loop variant p.in_cluster - rank; */
    BCOLS(rank, p.in_cluster) {
      const batch_part b = share_of(p, n, channels, size, V, c, (int)rank);
      //@ assert batch_in(b,x,VEC) && batch_puts(b,y,VEC);
      batch_share_do(p, b, (int)rank, VEC, eps, x, gamma, beta, y, mean, rstd);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "batch_norm_launch.h"

template <int VEC> static void launch_batch_cluster(void *stream, share_plan p, const batch_call *t)
{
  LAUNCH_CLUSTERS(batch_cluster<VEC>, p.in_cluster, t->channels * p.in_cluster, p.block,
                  16 * p.kept, stream, p, t->n, t->channels, t->size, (t->size + 3) / 4, t->eps,
                  t->x, t->gamma, t->beta, t->y, t->mean, t->rstd);
}

extern "C" void LAUNCHER(batch_clusters)(const pm_exec *ex, int vec, share_plan p,
                                         const batch_call *t)
{
  if (vec)
    launch_batch_cluster<1>(ex->stream, p, t);
  else
    launch_batch_cluster<0>(ex->stream, p, t);
}
#endif
