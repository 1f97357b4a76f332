/* batch_norm_vjp where a cluster of blocks does a channel (batch_norm_shares.h): x, g, dx are
 * (n, channels, size), the other tensors (channels). What is kept of g waits behind what is kept of
 * x. */
#include "batch_norm_pull.h"
#include "batch_norm_shares.h"

enum { AGAIN = 4 /* vectors that a thread does on end where it goes backwards */ };

/*@ // where the vectors from .. to-1 wait
    predicate share_cells{L}(cell_ *x, cell_ *g, integer kept, integer from, integer to) =
      kept != 0 ==> from == 0 && pending_ == 0 && \valid_read(x + (0 .. to-1)) &&
        \valid_read(g + (0 .. to-1)); */

/* xhat of what part_load gave, 0 outside. */
/*@ assigns \nothing; */
DEV float4 share_hat(int have, float4 u, float m, float r)
{
  u = part_about(have, u, m);
  u.x = u.x * r;
  u.y = u.y * r;
  u.z = u.z * r;
  u.w = u.w * r;
  return u;
}

/* The vectors k0 + t below `to` are added to the sums of g and of g xhat. */
/*@ requires block && chan_ok(b) && chan_steps(p,b) && share_at(b,from,to,j,k0);
    requires whole != 0 ==> k0 + BDIM <= to;
    requires share_cells(xs,gs,kept,from,to) && batch_in(b,x,aligned) && batch_in(b,g,aligned);
    requires \valid(sum_g + (0 .. BDIM-1)) && \valid(sum_hat + (0 .. BDIM-1));
    requires \valid(w + (0 .. BDIM-1)) && chan_all(w,0,BDIM,k0,to,b);
    requires \separated(sum_g + (0 .. BDIM-1), sum_hat + (0 .. BDIM-1), w + (0 .. BDIM-1));
    assigns sum_g[0 .. BDIM-1], sum_hat[0 .. BDIM-1], w[0 .. BDIM-1];
    ensures chan_all(w,0,BDIM,k0+BDIM,to,b); */
DEV void share_plus_all(LANE(float, sum_g), LANE(float, sum_hat), LANE_CELLS(xs), LANE_CELLS(gs),
                        LANE(chan_at, w), batch_part b, chan_step p, int j, int k0, int whole,
                        int to, int kept, int aligned, float m, float r, const float *RESTRICT x,
                        const float *RESTRICT g GHOST_PARAMS(int from))
{
  (void)b;
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant chan_all(w,0,t,k0+BDIM,to,b);
      loop invariant chan_all(w,t,BDIM,k0,to,b);
      loop assigns t, sum_g[0 .. BDIM-1], sum_hat[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    if (whole || k0 + t < to) {
      //@ assert chan_is(w[t],b.lo+k0+t,b);
      int have = chan_have(AT(w, t), p, aligned GHOST_ARGS(b, (int)b.lo + k0 + t));
      float4 u = share_take(xs, kept, j, k0, t, AT(w, t), p, aligned,
                            x GHOST_ARGS(b, (int)b.lo + k0 + t, to));
      float4 d = share_take(gs, kept, j, k0, t, AT(w, t), p, aligned,
                            g GHOST_ARGS(b, (int)b.lo + k0 + t, to));
      u = share_hat(have, u, m, r);
      AT(sum_g, t) += norm_four(0, d);
      AT(sum_hat, t) += batch_dot(d, u);
      AT(w, t) = chan_on(AT(w, t), p GHOST_ARGS(b, (int)b.lo + k0 + t));
    }
    //@ assert k0 + BDIM + t < to ==> chan_is(w[t],b.lo+k0+BDIM+t,b);
    //@ assert chan_all(w,0,t,k0+BDIM,to,b);
    //@ assert chan_all(w,t+1,BDIM,k0,to,b);
  }
}

/* The vectors from .. to-1 of the share. */
/*@ requires block && chan_ok(b) && chan_steps(p,b) && share_range(b,from,to);
    requires share_cells(xs,gs,kept,from,to) && batch_in(b,x,aligned) && batch_in(b,g,aligned);
    requires \valid(sum_g + (0 .. BDIM-1)) && \valid(sum_hat + (0 .. BDIM-1));
    requires \valid(w + (0 .. BDIM-1)) && chan_all(w,0,BDIM,from,to,b);
    requires \separated(sum_g + (0 .. BDIM-1), sum_hat + (0 .. BDIM-1), w + (0 .. BDIM-1));
    assigns sum_g[0 .. BDIM-1], sum_hat[0 .. BDIM-1], w[0 .. BDIM-1]; */
DEV void share_plus(LANE(float, sum_g), LANE(float, sum_hat), LANE_CELLS(xs), LANE_CELLS(gs),
                    LANE(chan_at, w), batch_part b, chan_step p, int from, int to, int kept,
                    int aligned, float m, float r, const float *RESTRICT x, const float *RESTRICT g)
{
  const int rounds = (to - from) / BDIM;
  int k0 = from, j = 0;
  //@ assert 0 < rounds ==> rounds * bdim_ <= to - from;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= to - from;
  /*@ loop invariant 0 <= j <= k0 && from <= k0 == from + mul(j,bdim_);
      loop invariant k0 <= to || k0 == from;
      loop invariant j <= rounds || j == 0;
      loop invariant chan_all(w,0,BDIM,k0,to,b);
      loop assigns j, k0, sum_g[0 .. BDIM-1], sum_hat[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == mul(j,bdim_) + bdim_;
    share_plus_all(sum_g, sum_hat, xs, gs, w, b, p, j, k0, 1, to, kept, aligned, m, r, x,
                   g GHOST_ARGS(from));
  }
  if (k0 < to)
    share_plus_all(sum_g, sum_hat, xs, gs, w, b, p, j, k0, 0, to, kept, aligned, m, r, x,
                   g GHOST_ARGS(from));
}

/* dx of a vector, or that added to what was there. */
/*@ requires chan_ok(b) && chan_steps(p,b) && chan_is(w,v,b) && 0 <= v < ix(b.n,b.V,0);
    requires batch_in(b,dx,aligned) && batch_puts(b,dx,aligned);
    assigns dx[0 .. batch_all(b.n,b.channels,b.size)-1]; */
DEV void share_pull_one(chan_at w, chan_step p, int accumulate, int aligned, batch_pull k, float4 u,
                        float4 d, float *RESTRICT dx GHOST_PARAMS(batch_part b, int v))
{
  d.x = batch_dx(k, (u.x - k.m) * k.r, d.x);
  d.y = batch_dx(k, (u.y - k.m) * k.r, d.y);
  d.z = batch_dx(k, (u.z - k.m) * k.r, d.z);
  d.w = batch_dx(k, (u.w - k.m) * k.r, d.w);
  if (accumulate)
    d = plus4(chan_load(w, p, aligned, dx GHOST_ARGS(b, v)), d);
  chan_store(w, p, aligned, d, dx GHOST_ARGS(b, v));
}

/*@ requires block && chan_ok(b) && chan_steps(p,b) && share_at(b,from,to,j,k0);
    requires whole != 0 ==> k0 + BDIM <= to;
    requires share_cells(xs,gs,kept,from,to) && batch_in(b,x,aligned) && batch_in(b,g,aligned);
    requires batch_in(b,dx,aligned) && batch_puts(b,dx,aligned);
    requires \valid(w + (0 .. BDIM-1)) && chan_all(w,0,BDIM,k0,to,b);
    requires \separated(w + (0 .. BDIM-1), dx + (0 .. batch_all(b.n,b.channels,b.size)-1));
    assigns dx[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
    ensures chan_all(w,0,BDIM,k0+BDIM,to,b); */
DEV void share_pull_all(LANE_CELLS(xs), LANE_CELLS(gs), LANE(chan_at, w), batch_part b, chan_step p,
                        int j, int k0, int whole, int to, int kept, int accumulate, int aligned,
                        batch_pull k, const float *RESTRICT x, const float *RESTRICT g,
                        float *RESTRICT dx GHOST_PARAMS(int from))
{
  (void)b;
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant chan_all(w,0,t,k0+BDIM,to,b);
      loop invariant chan_all(w,t,BDIM,k0,to,b);
      loop assigns t, dx[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    if (whole || k0 + t < to) {
      //@ assert chan_is(w[t],b.lo+k0+t,b);
      float4 u = share_take(xs, kept, j, k0, t, AT(w, t), p, aligned,
                            x GHOST_ARGS(b, (int)b.lo + k0 + t, to));
      float4 d = share_take(gs, kept, j, k0, t, AT(w, t), p, aligned,
                            g GHOST_ARGS(b, (int)b.lo + k0 + t, to));
      share_pull_one(AT(w, t), p, accumulate, aligned, k, u, d,
                     dx GHOST_ARGS(b, (int)b.lo + k0 + t));
      //@ assert chan_is(w[t],b.lo+k0+t,b);
      AT(w, t) = chan_on(AT(w, t), p GHOST_ARGS(b, (int)b.lo + k0 + t));
    }
    //@ assert k0 + BDIM + t < to ==> chan_is(w[t],b.lo+k0+BDIM+t,b);
    //@ assert chan_all(w,0,t,k0+BDIM,to,b);
    //@ assert chan_all(w,t+1,BDIM,k0,to,b);
  }
}

/*@ requires block && chan_ok(b) && chan_steps(p,b) && share_range(b,from,to);
    requires share_cells(xs,gs,kept,from,to) && batch_in(b,x,aligned) && batch_in(b,g,aligned);
    requires batch_in(b,dx,aligned) && batch_puts(b,dx,aligned);
    requires \valid(w + (0 .. BDIM-1)) && chan_all(w,0,BDIM,from,to,b);
    requires \separated(w + (0 .. BDIM-1), dx + (0 .. batch_all(b.n,b.channels,b.size)-1));
    assigns dx[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1]; */
DEV void share_pull(LANE_CELLS(xs), LANE_CELLS(gs), LANE(chan_at, w), batch_part b, chan_step p,
                    int from, int to, int kept, int accumulate, int aligned, batch_pull k,
                    const float *RESTRICT x, const float *RESTRICT g, float *RESTRICT dx)
{
  const int rounds = (to - from) / BDIM;
  int k0 = from, j = 0;
  //@ assert 0 < rounds ==> rounds * bdim_ <= to - from;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= to - from;
  /*@ loop invariant 0 <= j <= k0 && from <= k0 == from + mul(j,bdim_);
      loop invariant k0 <= to || k0 == from;
      loop invariant j <= rounds || j == 0;
      loop invariant chan_all(w,0,BDIM,k0,to,b);
      loop assigns j, k0, dx[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == mul(j,bdim_) + bdim_;
    share_pull_all(xs, gs, w, b, p, j, k0, 1, to, kept, accumulate, aligned, k, x, g,
                   dx GHOST_ARGS(from));
  }
  if (k0 < to)
    share_pull_all(xs, gs, w, b, p, j, k0, 0, to, kept, accumulate, aligned, k, x, g,
                   dx GHOST_ARGS(from));
}

/* dx of what does not wait, what was read last first: it is in the L2 still. */
/*@ requires block && chan_ok(b) && chan_steps(p,b) && 0 <= kept <= vectors <= b.hi - b.lo;
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned);
    requires batch_in(b,dx,aligned) && batch_puts(b,dx,aligned);
    assigns dx[0 .. batch_all(b.n,b.channels,b.size)-1]; */
DEV void share_pull_again(LANE_CELLS(xs), batch_part b, chan_step p, int kept, int vectors,
                          int accumulate, int aligned, batch_pull k, const float *RESTRICT x,
                          const float *RESTRICT g, float *RESTRICT dx)
{
  PRIVATE(chan_at, w);
  const int each = AGAIN * BDIM, rest = vectors - kept;
  /*@ loop invariant -each <= from - kept < rest || rest == 0;
      loop invariant from <= vectors;
      loop assigns from, w[0 .. BDIM-1], dx[0 .. batch_all(b.n,b.channels,b.size)-1];
      loop variant from - kept + each; */
  for (int from = rest ? vectors - 1 - (rest - 1) % each : kept - 1; kept <= from; from -= each) {
    const int to = vectors - from < each ? vectors : from + each;
    share_begin(w, b, from, to);
    share_pull(xs, xs, w, b, p, from, to, 0, accumulate, aligned, k, x, g, dx);
  }
}

/*@ // the tensors of a block
    predicate share_vjp_tensors{L}(batch_part b, integer aligned, float *x, float *gamma,
                                   float *mean, float *rstd, float *g, float *dx, float *dgamma,
                                   float *dbeta) =
      batch_in(b,x,aligned) && batch_in(b,g,aligned) && batch_in(b,dx,aligned) &&
      batch_puts(b,dx,aligned) && reads(gamma,b.channels) && reads(mean,b.channels) &&
      reads(rstd,b.channels) && writes(dgamma,b.channels) && writes(dbeta,b.channels); */

/* What a block does of its channel; the first of a cluster leaves dgamma and dbeta. */
/*@ requires block && chan_ok(b) && 0 <= p.kept <= ROOM && in_cluster_of(rank,p.in_cluster);
    requires share_vjp_tensors(b,aligned,x,gamma,mean,rstd,g,dx,dgamma,dbeta);
    assigns dx[0 .. batch_all(b.n,b.channels,b.size)-1], dgamma[0 .. b.channels-1],
            dbeta[0 .. b.channels-1], pending_, met_, away_; */
DEV void share_vjp_do(share_plan p, batch_part b, int rank, int accumulate, int aligned,
                      const float *RESTRICT x, const float *RESTRICT gamma,
                      const float *RESTRICT mean, const float *RESTRICT rstd,
                      const float *RESTRICT g, float *RESTRICT dx, float *RESTRICT dgamma,
                      float *RESTRICT dbeta)
{
  CELL_ARRAYS;
  SHARE_CELLS(xs, 0);
  SHARE_CELLS(gs, p.kept);
  PAIRS_MET(pairs, PAIRS, 1);
  PRIVATE(float, sum_g);
  PRIVATE(float, sum_hat);
  PRIVATE(chan_at, begin);
  PRIVATE(chan_at, w);
  const int vectors = (int)(b.hi - b.lo), kept = vectors < p.kept ? vectors : p.kept;
  const chan_step step = chan_stepping(b);
  const float m = LDG(mean + b.c), r = LDG(rstd + b.c);
  CLUSTER_BLOCK;
  cluster_arrive();
  share_begin(begin, b, 0, kept);
  share_again(w, begin GHOST_ARGS(b, 0, kept));
  share_fetch(xs, w, b, step, kept, aligned, x);
  share_again(w, begin GHOST_ARGS(b, 0, kept));
  share_fetch(gs, w, b, step, kept, aligned, g);
  share_zero(sum_g);
  share_zero(sum_hat);
  share_begin(w, b, kept, vectors);
  share_plus(sum_g, sum_hat, xs, gs, w, b, step, kept, vectors, 0, aligned, m, r, x, g);
  copy_wait();
  share_again(w, begin GHOST_ARGS(b, 0, kept));
  share_plus(sum_g, sum_hat, xs, gs, w, b, step, 0, kept, 1, aligned, m, r, x, g);
  cluster_wait();
  const float2 sums = cluster_sums(sum_g, sum_hat, pairs, rank, p.in_cluster);
  batch_pair all;
  all.of_g = sums.x;
  all.of_hat = sums.y;
  const batch_pull k = batch_pull_of(b, all, gamma, mean, rstd);
  share_pull_again(xs, b, step, kept, vectors, accumulate, aligned, k, x, g, dx);
  share_again(w, begin GHOST_ARGS(b, 0, kept));
  share_pull(xs, gs, w, b, step, 0, kept, 1, accumulate, aligned, k, x, g, dx);
  batch_grad(rank == 0, accumulate, all.of_hat, dgamma + b.c);
  batch_grad(rank == 0, accumulate, all.of_g, dbeta + b.c);
}

/* x, g, dx: (n, channels, size); V = ceil(size / 4). Each channel has p.in_cluster blocks. */
/*@ requires share_call(p,n,channels,size,V) && ix(channels,p.in_cluster,0) <= BLOCKS;
    requires batch_tensor(x,n,channels,size,V,VEC) && batch_tensor(g,n,channels,size,V,VEC);
    requires reads(gamma,channels) && reads(mean,channels) && reads(rstd,channels);
    requires writes(dx,batch_all(n,channels,size)) && (VEC != 0 ==> aligned16(dx));
    requires writes(dgamma,channels) && writes(dbeta,channels);
    assigns dx[0 .. batch_all(n,channels,size)-1], dgamma[0 .. channels-1],
            dbeta[0 .. channels-1], pending_, met_, away_; */
TEMPLATE(int VEC)
KERNEL void THREADS_AT_MOST(MAXB)
    batch_vjp_cluster(CONSTANTS(int VEC) share_plan p, int accumulate, idx n, idx channels,
                      idx size, idx V, const float *RESTRICT x, const float *RESTRICT gamma,
                      const float *RESTRICT mean, const float *RESTRICT rstd,
                      const float *RESTRICT g, float *RESTRICT dx, float *RESTRICT dgamma,
                      float *RESTRICT dbeta)
{
  /*@ loop invariant 0 <= c <= channels;
      loop assigns c, dx[0 .. batch_all(n,channels,size)-1], dgamma[0 .. channels-1],
                   dbeta[0 .. channels-1], pending_, met_, away_;
      loop variant channels - c; */
  BROWS(c, channels, p.in_cluster) {
    /*@ loop invariant 0 <= rank <= p.in_cluster;
        loop assigns rank, dx[0 .. batch_all(n,channels,size)-1], dgamma[0 .. channels-1],
                     dbeta[0 .. channels-1], pending_, met_, away_;
        loop variant p.in_cluster - rank; */
    BCOLS(rank, p.in_cluster) {
      const batch_part b = share_of(p, n, channels, size, V, c, (int)rank);
      //@ assert batch_in(b,x,VEC) && batch_in(b,g,VEC) && batch_in(b,dx,VEC);
      //@ assert batch_puts(b,dx,VEC);
      share_vjp_do(p, b, (int)rank, accumulate, VEC, x, gamma, mean, rstd, g, dx, dgamma, dbeta);
    }
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "batch_norm_launch.h"

template <int VEC>
static void launch_vjp_cluster(void *stream, share_plan p, int accumulate, const batch_vjp_call *t)
{
  LAUNCH_CLUSTERS(batch_vjp_cluster<VEC>, p.in_cluster, t->channels * p.in_cluster, p.block,
                  32 * p.kept, stream, p, accumulate, t->n, t->channels, t->size, (t->size + 3) / 4,
                  t->x, t->gamma, t->mean, t->rstd, t->g, t->dx, t->dgamma, t->dbeta);
}

extern "C" void LAUNCHER(batch_vjp_clusters)(const pm_exec *ex, int vec, int accumulate,
                                             share_plan p, const batch_vjp_call *t)
{
  if (vec)
    launch_vjp_cluster<1>(ex->stream, p, accumulate, t);
  else
    launch_vjp_cluster<0>(ex->stream, p, accumulate, t);
}
#endif
