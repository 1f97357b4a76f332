/* Thread block cluster a channel (share.h), cached in shared memory whole or in part:
 * batch_norm_vjp: x, g, dx are (n, channels, size), the other tensors (channels). What is kept of
 * g waits behind what is kept of x. */
#include "vjp_terms.h"
#include "walk_load.h"

enum { AGAIN = 4 /* vectors that a thread does on end where it goes backwards */ };

/* xhat of a vector of x, 0 outside. */
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

/* What vector w adds to a thread's sums. */
/*@ requires block && batch_ok(b) && 0 <= t < BDIM && (aligned != 0 ==> b.size == 4*b.V);
    requires walk_in(b,w) && chan == ix(b.c,b.size,0);
    requires kept != 0 ==> k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < to <= SHARED_VEC4S &&
      pending_ == 0 &&
      \valid_read(xs + (0 .. 4*to-1)) && \valid_read(gs + (0 .. 4*to-1));
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned);
    assigns \nothing; */
DEV batch_pair share_pair(CELLS_PARAM(xs), CELLS_PARAM(gs), int kept, int j, int k0, int t,
                          batch_part b, batch_walk w, idx chan, int aligned, float m, float r,
                          const float *RESTRICT x, const float *RESTRICT g GHOST_PARAMS(int to))
{
  const int have = walk_elements(b, w, aligned);
  float4 u = walk_take(xs, kept, j, k0, t, b, w, chan, aligned, x GHOST_ARGS(to));
  const float4 d = walk_take(gs, kept, j, k0, t, b, w, chan, aligned, g GHOST_ARGS(to));
  batch_pair sums;
  u = share_hat(have, u, m, r);
  sums.of_g = norm_four(0, d);
  sums.of_hat = batch_dot(d, u);
  return sums;
}

/* The vectors k0 + t below `to` are added to the sums of g and of g xhat. */
/*@ requires block && walk_ok(b) && step_of(b,step) && chan == ix(b.c,b.size,0);
    requires share_at(b,from,to,j,k0);
    requires whole != 0 ==> k0 + BDIM <= to;
    requires share_waits(xs,kept,from,to) && share_waits(gs,kept,from,to);
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned);
    requires \valid(sum_g + (0 .. BDIM-1)) && \valid(sum_hat + (0 .. BDIM-1));
    requires \valid(w + (0 .. BDIM-1)) && walks_at(w,0,BDIM,b.lo+k0,step);
    assigns sum_g[0 .. BDIM-1], sum_hat[0 .. BDIM-1], w[0 .. BDIM-1];
    ensures walks_at(w,0,BDIM,b.lo+k0+BDIM,step); */
DEV void share_plus_all(PER_THREAD(float, sum_g), PER_THREAD(float, sum_hat), CELLS_PARAM(xs),
                        CELLS_PARAM(gs), PER_THREAD(batch_walk, w), batch_part b, walk_step step,
                        idx chan, int j, int k0, int whole, int to, int kept, int aligned, float m,
                        float r, const float *RESTRICT x,
                        const float *RESTRICT g GHOST_PARAMS(int from))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant walks_at(w,0,t,b.lo+k0+BDIM,step);
      loop invariant walks_at(w,t,BDIM,b.lo+k0,step);
      loop assigns t, sum_g[0 .. BDIM-1], sum_hat[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert walk_at(w[t],b.lo+k0+t,step.V,step.pitch);
    //@ assert k0 + t < to ==> walk_in(b,w[t]);
    if (whole || k0 + t < to) {
      const batch_pair d =
          share_pair(xs, gs, kept, j, k0, t, b, AT(w, t), chan, aligned, m, r, x, g GHOST_ARGS(to));
      AT(sum_g, t) += d.of_g;
      AT(sum_hat, t) += d.of_hat;
    }
    //@ assert walk_at(w[t],b.lo+k0+t,step.V,step.pitch);
    AT(w, t) = walk_next(AT(w, t), step GHOST_ARGS(b, b.lo + k0 + t));
    //@ assert walk_at(w[t],b.lo+k0+BDIM+t,step.V,step.pitch);
    //@ assert walks_at(w,0,t,b.lo+k0+BDIM,step);
    //@ assert walks_at(w,t+1,BDIM,b.lo+k0,step);
  }
}

/* The vectors from .. to-1 of the share. */
/*@ requires block && walk_ok(b) && step_of(b,step) && chan == ix(b.c,b.size,0);
    requires share_range(b,from,to);
    requires share_waits(xs,kept,from,to) && share_waits(gs,kept,from,to);
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned);
    requires \valid(sum_g + (0 .. BDIM-1)) && \valid(sum_hat + (0 .. BDIM-1));
    requires \valid(w + (0 .. BDIM-1)) && walks_at(w,0,BDIM,b.lo+from,step);
    assigns sum_g[0 .. BDIM-1], sum_hat[0 .. BDIM-1], w[0 .. BDIM-1]; */
DEV void share_plus(PER_THREAD(float, sum_g), PER_THREAD(float, sum_hat), CELLS_PARAM(xs),
                    CELLS_PARAM(gs), PER_THREAD(batch_walk, w), batch_part b, walk_step step,
                    idx chan, int from, int to, int kept, int aligned, float m, float r,
                    const float *RESTRICT x, const float *RESTRICT g)
{
  const int rounds = (to - from) / BDIM;
  int k0 = from, j = 0;
  //@ assert 0 < rounds ==> rounds * bdim_ <= to - from;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= to - from;
  /*@ loop invariant 0 <= j <= k0 && from <= k0 == from + mul(j,bdim_);
      loop invariant k0 <= to || k0 == from;
      loop invariant j <= rounds || j == 0;
      loop invariant walks_at(w,0,BDIM,b.lo+k0,step);
      loop assigns j, k0, sum_g[0 .. BDIM-1], sum_hat[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == mul(j,bdim_) + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    share_plus_all(sum_g, sum_hat, xs, gs, w, b, step, chan, j, k0, 1, to, kept, aligned, m, r, x,
                   g GHOST_ARGS(from));
  }
  if (k0 < to)
    share_plus_all(sum_g, sum_hat, xs, gs, w, b, step, chan, j, k0, 0, to, kept, aligned, m, r, x,
                   g GHOST_ARGS(from));
}

/* dx of vector w, or that added to what was there. */
/*@ requires batch_ok(b) && walk_in(b,w) && chan == ix(b.c,b.size,0);
    requires batch_in(b,dx,aligned) && batch_puts(b,dx,aligned);
    assigns dx[0 .. batch_all(b.n,b.channels,b.size)-1]; */
DEV void share_pull_one(batch_part b, batch_walk w, idx chan, int accumulate, int aligned,
                        batch_pull k, float4 u, float4 d, float *RESTRICT dx)
{
  d.x = batch_dx(k, (u.x - k.m) * k.r, d.x);
  d.y = batch_dx(k, (u.y - k.m) * k.r, d.y);
  d.z = batch_dx(k, (u.z - k.m) * k.r, d.z);
  d.w = batch_dx(k, (u.w - k.m) * k.r, d.w);
  if (accumulate)
    d = plus4(walk_load(b, w, chan, aligned, dx), d);
  /*@ assert in: 0 <= chan + w.o &&
        chan + w.o + lesser(4,b.size-4*w.col) <= batch_all(b.n,b.channels,b.size); */
  walk_store(b, w, chan, aligned, d, dx);
}

/* The same of what waits or is read. */
/*@ requires block && batch_ok(b) && 0 <= t < BDIM;
    requires walk_in(b,w) && chan == ix(b.c,b.size,0);
    requires kept != 0 ==> k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < to <= SHARED_VEC4S &&
      pending_ == 0 &&
      \valid_read(xs + (0 .. 4*to-1)) && \valid_read(gs + (0 .. 4*to-1));
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned);
    requires batch_in(b,dx,aligned) && batch_puts(b,dx,aligned);
    assigns dx[0 .. batch_all(b.n,b.channels,b.size)-1]; */
DEV void share_pull_at(CELLS_PARAM(xs), CELLS_PARAM(gs), int kept, int j, int k0, int t,
                       batch_part b, batch_walk w, idx chan, int accumulate, int aligned,
                       batch_pull k, const float *RESTRICT x, const float *RESTRICT g,
                       float *RESTRICT dx GHOST_PARAMS(int to))
{
  const float4 u = walk_take(xs, kept, j, k0, t, b, w, chan, aligned, x GHOST_ARGS(to));
  const float4 d = walk_take(gs, kept, j, k0, t, b, w, chan, aligned, g GHOST_ARGS(to));
  share_pull_one(b, w, chan, accumulate, aligned, k, u, d, dx);
}

/*@ requires block && walk_ok(b) && step_of(b,step) && chan == ix(b.c,b.size,0);
    requires share_at(b,from,to,j,k0);
    requires whole != 0 ==> k0 + BDIM <= to;
    requires share_waits(xs,kept,from,to) && share_waits(gs,kept,from,to);
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned);
    requires batch_in(b,dx,aligned) && batch_puts(b,dx,aligned);
    requires \valid(w + (0 .. BDIM-1)) && walks_at(w,0,BDIM,b.lo+k0,step);
    assigns dx[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
    ensures walks_at(w,0,BDIM,b.lo+k0+BDIM,step); */
DEV void share_pull_all(CELLS_PARAM(xs), CELLS_PARAM(gs), PER_THREAD(batch_walk, w), batch_part b,
                        walk_step step, idx chan, int j, int k0, int whole, int to, int kept,
                        int accumulate, int aligned, batch_pull k, const float *RESTRICT x,
                        const float *RESTRICT g, float *RESTRICT dx GHOST_PARAMS(int from))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant walks_at(w,0,t,b.lo+k0+BDIM,step);
      loop invariant walks_at(w,t,BDIM,b.lo+k0,step);
      loop assigns t, dx[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert walk_at(w[t],b.lo+k0+t,step.V,step.pitch);
    //@ assert k0 + t < to ==> walk_in(b,w[t]);
    if (whole || k0 + t < to)
      share_pull_at(xs, gs, kept, j, k0, t, b, AT(w, t), chan, accumulate, aligned, k, x, g,
                    dx GHOST_ARGS(to));
    //@ assert walk_at(w[t],b.lo+k0+t,step.V,step.pitch);
    AT(w, t) = walk_next(AT(w, t), step GHOST_ARGS(b, b.lo + k0 + t));
    //@ assert walk_at(w[t],b.lo+k0+BDIM+t,step.V,step.pitch);
    //@ assert walks_at(w,0,t,b.lo+k0+BDIM,step);
    //@ assert walks_at(w,t+1,BDIM,b.lo+k0,step);
  }
}

/*@ requires block && walk_ok(b) && step_of(b,step) && chan == ix(b.c,b.size,0);
    requires share_range(b,from,to);
    requires share_waits(xs,kept,from,to) && share_waits(gs,kept,from,to);
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned);
    requires batch_in(b,dx,aligned) && batch_puts(b,dx,aligned);
    requires \valid(w + (0 .. BDIM-1)) && walks_at(w,0,BDIM,b.lo+from,step);
    assigns dx[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1]; */
DEV void share_pull(CELLS_PARAM(xs), CELLS_PARAM(gs), PER_THREAD(batch_walk, w), batch_part b,
                    walk_step step, idx chan, int from, int to, int kept, int accumulate,
                    int aligned, batch_pull k, const float *RESTRICT x, const float *RESTRICT g,
                    float *RESTRICT dx)
{
  const int rounds = (to - from) / BDIM;
  int k0 = from, j = 0;
  //@ assert 0 < rounds ==> rounds * bdim_ <= to - from;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= to - from;
  /*@ loop invariant 0 <= j <= k0 && from <= k0 == from + mul(j,bdim_);
      loop invariant k0 <= to || k0 == from;
      loop invariant j <= rounds || j == 0;
      loop invariant walks_at(w,0,BDIM,b.lo+k0,step);
      loop assigns j, k0, dx[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == mul(j,bdim_) + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    share_pull_all(xs, gs, w, b, step, chan, j, k0, 1, to, kept, accumulate, aligned, k, x, g,
                   dx GHOST_ARGS(from));
  }
  if (k0 < to)
    share_pull_all(xs, gs, w, b, step, chan, j, k0, 0, to, kept, accumulate, aligned, k, x, g,
                   dx GHOST_ARGS(from));
}

/* Where the last of the pieces of `each` begins that `rest` vectors are cut into. */
/*@ requires 0 < rest && 0 < each;
    assigns \nothing;
    ensures 0 <= \result < rest; */
DEV int share_last(int rest, int each)
{
  const int over = (rest - 1) % each;
  //@ assert 0 <= over <= rest - 1;
  return rest - 1 - over;
}

/* dx of what does not wait, what was read last first: it is in the L2 still. */
/*@ requires block && walk_ok(b) && step_of(b,step) && chan == ix(b.c,b.size,0);
    requires 0 <= kept <= vectors <= b.hi - b.lo;
    requires batch_in(b,x,aligned) && batch_in(b,g,aligned);
    requires batch_in(b,dx,aligned) && batch_puts(b,dx,aligned);
    assigns dx[0 .. batch_all(b.n,b.channels,b.size)-1]; */
DEV void share_pull_again(CELLS_PARAM(xs), batch_part b, walk_step step, idx chan, int kept,
                          int vectors, int accumulate, int aligned, batch_pull k,
                          const float *RESTRICT x, const float *RESTRICT g, float *RESTRICT dx)
{
  PRIVATE(batch_walk, w);
  const int each = AGAIN * BDIM, rest = vectors - kept;
  /*@ loop invariant rest == 0 ==> from == kept - 1;
      loop invariant rest != 0 ==> kept - each <= from < vectors;
      loop invariant from <= vectors;
      loop assigns from, w[0 .. BDIM-1], dx[0 .. batch_all(b.n,b.channels,b.size)-1];
      loop variant from - kept + each; */
  for (int from = rest ? kept + share_last(rest, each) : kept - 1; kept <= from; from -= each) {
    const int to = vectors - from < each ? vectors : from + each;
    walk_begin(w, b, step, from);
    share_pull(xs, xs, w, b, step, chan, from, to, 0, accumulate, aligned, k, x, g, dx);
  }
}

/* The first block of a cluster leaves its channel's dgamma and dbeta. */
/*@ requires block && 0 <= b.c < b.channels;
    requires writes(dgamma,b.channels) && writes(dbeta,b.channels);
    assigns dgamma[0 .. b.channels-1], dbeta[0 .. b.channels-1]; */
DEV void share_grads(int rank, int accumulate, batch_part b, batch_pair all, float *RESTRICT dgamma,
                     float *RESTRICT dbeta)
{
  //@ assert W(dgamma+b.c) && W(dbeta+b.c) && R(dgamma+b.c) && R(dbeta+b.c);
  batch_grad(rank == 0, accumulate, all.of_hat, dgamma + b.c);
  batch_grad(rank == 0, accumulate, all.of_g, dbeta + b.c);
}

/*@ // the tensors of a block
    predicate share_vjp_tensors{L}(batch_part b, integer aligned, float *x, float *gamma,
                                   float *mean, float *rstd, float *g, float *dx, float *dgamma,
                                   float *dbeta) =
      batch_in(b,x,aligned) && batch_in(b,g,aligned) && batch_in(b,dx,aligned) &&
      batch_puts(b,dx,aligned) && reads(gamma,b.channels) && reads(mean,b.channels) &&
      reads(rstd,b.channels) && writes(dgamma,b.channels) && writes(dbeta,b.channels); */

/* What a block does of its channel; the first of a cluster leaves dgamma and dbeta. */
/*@ requires block && walk_ok(b) && 0 <= p.kept <= SHARED_VEC4S && mail_ok(rank,p.in_cluster);
    requires share_vjp_tensors(b,aligned,x,gamma,mean,rstd,g,dx,dgamma,dbeta);
    assigns dx[0 .. batch_all(b.n,b.channels,b.size)-1], dgamma[0 .. b.channels-1],
            dbeta[0 .. b.channels-1], pending_, joined_, put_, got_, mail_cluster_; */
DEV void share_vjp_do(share_plan p, batch_part b, int rank, int accumulate, int aligned,
                      const float *RESTRICT x, const float *RESTRICT gamma,
                      const float *RESTRICT mean, const float *RESTRICT rstd,
                      const float *RESTRICT g, float *RESTRICT dx, float *RESTRICT dgamma,
                      float *RESTRICT dbeta)
{
  CELL_ARRAYS;
  SHARE_CELLS(xs, 0);
  SHARE_CELLS(gs, p.kept);
  EXCHANGE(box);
  PRIVATE(float, sum_g);
  PRIVATE(float, sum_hat);
  PRIVATE(batch_walk, begin);
  PRIVATE(batch_walk, w);
  const int vectors = (int)(b.hi - b.lo), kept = vectors < p.kept ? vectors : p.kept;
  const walk_step step = walk_step_of(b);
  const idx chan = walk_chan(b);
  const float m = LDG(mean + b.c), r = LDG(rstd + b.c);
  exchange_open(box, rank);
  walk_begin(begin, b, step, 0);
  walk_again(w, begin GHOST_ARGS(b.lo, step));
  walk_fetch(xs, w, b, step, chan, kept, aligned, x);
  walk_again(w, begin GHOST_ARGS(b.lo, step));
  walk_fetch(gs, w, b, step, chan, kept, aligned, g);
  share_zero(sum_g);
  share_zero(sum_hat);
  walk_begin(w, b, step, kept);
  share_plus(sum_g, sum_hat, xs, gs, w, b, step, chan, kept, vectors, 0, aligned, m, r, x, g);
  copy_wait();
  walk_again(w, begin GHOST_ARGS(b.lo, step));
  share_plus(sum_g, sum_hat, xs, gs, w, b, step, chan, 0, kept, 1, aligned, m, r, x, g);
  exchange_join(box);
  exchange_put(box, 0, rank, p.in_cluster, sum_g, sum_hat);
  const float2 sums = exchange_sums(box, 0, p.in_cluster);
  batch_pair all;
  all.of_g = sums.x;
  all.of_hat = sums.y;
  const batch_pull k = batch_pull_of(b, all, gamma, mean, rstd);
  share_pull_again(xs, b, step, chan, kept, vectors, accumulate, aligned, k, x, g, dx);
  walk_again(w, begin GHOST_ARGS(b.lo, step));
  share_pull(xs, gs, w, b, step, chan, 0, kept, 1, accumulate, aligned, k, x, g, dx);
  share_grads(rank, accumulate, b, all, dgamma, dbeta);
}

/* x, g, dx: (n, channels, size); V = ceil(size / 4). Each channel has p.in_cluster blocks. */
/*@ requires share_call(p,n,channels,size,V) && ix(channels,p.in_cluster,0) <= BLOCKS;
    requires ix(channels,size,0) <= WALK_PITCH;
    requires batch_tensor(x,n,channels,size,V,VEC) && batch_tensor(g,n,channels,size,V,VEC);
    requires reads(gamma,channels) && reads(mean,channels) && reads(rstd,channels);
    requires writes(dx,batch_all(n,channels,size)) && (VEC != 0 ==> aligned16(dx));
    requires writes(dgamma,channels) && writes(dbeta,channels);
    requires apart(x,batch_all(n,channels,size),dx,batch_all(n,channels,size));
    requires apart(g,batch_all(n,channels,size),dx,batch_all(n,channels,size));
    assigns dx[0 .. batch_all(n,channels,size)-1], dgamma[0 .. channels-1],
            dbeta[0 .. channels-1], pending_, joined_, put_, got_, mail_cluster_; */
TEMPLATE(int VEC)
KERNEL void THREADS_AT_MOST(MAXB)
    batch_norm_vjp_cluster(CONSTANTS(int VEC) share_plan p, int accumulate, idx n, idx channels,
                           idx size, idx V, const float *RESTRICT x, const float *RESTRICT gamma,
                           const float *RESTRICT mean, const float *RESTRICT rstd,
                           const float *RESTRICT g, float *RESTRICT dx, float *RESTRICT dgamma,
                           float *RESTRICT dbeta)
{
  /*@ loop invariant 0 <= c <= channels;
      loop assigns c, dx[0 .. batch_all(n,channels,size)-1], dgamma[0 .. channels-1],
                   dbeta[0 .. channels-1], pending_, joined_, put_, got_, mail_cluster_;
      loop variant channels - c; */
  BROWS(c, channels, p.in_cluster) {
    /*@ loop invariant 0 <= rank <= p.in_cluster;
        loop assigns rank, dx[0 .. batch_all(n,channels,size)-1], dgamma[0 .. channels-1],
                     dbeta[0 .. channels-1], pending_, joined_, put_, got_, mail_cluster_;
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
#include "launch.h"

template <int VEC>
static void launch_vjp_cluster(void *stream, share_plan p, int accumulate, const batch_vjp_call *t)
{
  LAUNCH_CLUSTERS(batch_norm_vjp_cluster<VEC>, p.in_cluster, t->channels * p.in_cluster, p.block,
                  32 * p.kept, stream, p, accumulate, t->n, t->channels, t->size, (t->size + 3) / 4,
                  t->x, t->gamma, t->mean, t->rstd, t->g, t->dx, t->dgamma, t->dbeta);
}

extern "C" void LAUNCHER(batch_norm_vjp_cluster)(const pm_exec *ex, int vec, int accumulate,
                                                 share_plan p, const batch_vjp_call *t)
{
  if (vec)
    launch_vjp_cluster<1>(ex->stream, p, accumulate, t);
  else
    launch_vjp_cluster<0>(ex->stream, p, accumulate, t);
}
#endif
