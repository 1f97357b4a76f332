/* Output pass of variant cached: y of a block's share of a channel (share.h), of which the first
 * vectors wait and the others are read again. */
#ifndef PM_BATCH_NORM_CACHED_OUT_H
#define PM_BATCH_NORM_CACHED_OUT_H
#include "cached_sums.h"
#include "share_out.h"

/* Vector w of y, u being that of x. */
/*@ requires batch_ok(b) && batch_in(b,x,aligned) && 0 <= w.row < b.n && 0 <= w.col < b.V;
    requires batch_puts(b,y,aligned) && batch_apart(b,x,y);
    requires norm_vec(u,x+batch_row(b,w),0.0,w.col,b.size);
    assigns y[batch_row(b,w)+4*w.col .. batch_row(b,w)+4*w.col+batch_have(b,w)-1];
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures only_vector{Pre,Post}(y,b.channels,b.size,b.c,w.row,w.col);
    ensures y[batch_row(b,w)+4*w.col] ==
      Shifted(rd{Pre}(x,batch_row(b,w)+4*w.col),k.m,k.r,k.gamma,k.beta);
    ensures 4*w.col+1 < b.size ==> y[batch_row(b,w)+4*w.col+1] ==
      Shifted(rd{Pre}(x,batch_row(b,w)+4*w.col+1),k.m,k.r,k.gamma,k.beta);
    ensures 4*w.col+2 < b.size ==> y[batch_row(b,w)+4*w.col+2] ==
      Shifted(rd{Pre}(x,batch_row(b,w)+4*w.col+2),k.m,k.r,k.gamma,k.beta);
    ensures 4*w.col+3 < b.size ==> y[batch_row(b,w)+4*w.col+3] ==
      Shifted(rd{Pre}(x,batch_row(b,w)+4*w.col+3),k.m,k.r,k.gamma,k.beta);
    ensures vector_is{Pre,Post}(x,y,b.channels,b.size,b.c,w.row,w.col,k.m,k.r,k.gamma,k.beta); */
DEV void share_put_vector(batch_part b, batch_at w, int aligned, share_shift k, float4 u,
                          float *RESTRICT y GHOST_PARAMS(const float *x))
{
  //@ assert u.x == rd(x,batch_row(b,w)+4*w.col);
  //@ assert 4*w.col+1 < b.size ==> u.y == rd(x,batch_row(b,w)+4*w.col+1);
  //@ assert 4*w.col+2 < b.size ==> u.z == rd(x,batch_row(b,w)+4*w.col+2);
  //@ assert 4*w.col+3 < b.size ==> u.w == rd(x,batch_row(b,w)+4*w.col+3);
  u = share_shifts(u, k);
  //@ assert 0 <= batch_row(b,w) && batch_row(b,w) + b.size <= batch_all(b.n,b.channels,b.size);
  /*@ assert \forall integer k; batch_W(b.channels,b.size,b.c,w.row,w.col,k) ==>
        0 <= k - batch_row(b,w) - 4*w.col < batch_have(b,w); */
  batch_store(b, w, aligned, u, y);
}

/* Vector w of y. */
/*@ requires block && chan_ok(b) && 0 <= t < BDIM && 0 <= w.row < b.n;
    requires 0 <= k0 && at_vector(w,b.lo+k0+t,b.V) && batch_in(b,x,aligned);
    requires batch_puts(b,y,aligned) && batch_apart(b,x,y);
    requires kept != 0 ==> k0 == mul(j,bdim_) && k0 + t < to <= ROOM && pending_ == 0 &&
      \valid_read(cells + (0 .. 4*to-1));
    requires share_knows(cells,x,b,kept,to);
    assigns y[batch_row(b,w)+4*w.col .. batch_row(b,w)+4*w.col+batch_have(b,w)-1];
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures only_vector{Pre,Post}(y,b.channels,b.size,b.c,w.row,w.col);
    ensures vector_is{Pre,Post}(x,y,b.channels,b.size,b.c,w.row,w.col,k.m,k.r,k.gamma,k.beta); */
DEV void share_put_one(CELLS_PARAM(cells), int kept, int j, int k0, int t, batch_part b, batch_at w,
                       int aligned, share_shift k, const float *RESTRICT x,
                       float *RESTRICT y GHOST_PARAMS(int to))
{
  const float4 u = share_get(cells, kept, j, k0, t, b, w, aligned, x GHOST_ARGS(to));
  share_put_vector(b, w, aligned, k, u, y GHOST_ARGS(x));
}

/* The same, by the vector's number: the others, and what waits, stay. */
/*@ requires block && chan_ok(b) && 0 <= t < BDIM && 0 <= w.row < b.n;
    requires 0 <= k0 && at_vector(w,b.lo+k0+t,b.V) && batch_in(b,x,aligned);
    requires batch_puts(b,y,aligned) && batch_apart(b,x,y);
    requires kept != 0 ==> k0 == mul(j,bdim_) && k0 + t < to <= ROOM && pending_ == 0 &&
      \valid_read(cells + (0 .. 4*to-1));
    requires share_knows(cells,x,b,kept,to);
    requires share_apart(cells,kept,to,y,batch_all(b.n,b.channels,b.size));
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1];
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures kept != 0 ==> Same{Pre,Post}(cells,4*to);
    ensures put_vectors{Pre,Post}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0+t,b.lo+k0+t+1,k.m,k.r,
                                  k.gamma,k.beta);
    ensures rest_same{Pre,Post}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0+t,b.lo+k0+t+1); */
DEV void share_put_at(CELLS_PARAM(cells), int kept, int j, int k0, int t, batch_part b, batch_at w,
                      int aligned, share_shift k, const float *RESTRICT x,
                      float *RESTRICT y GHOST_PARAMS(int to))
{
  share_put_one(cells, kept, j, k0, t, b, w, aligned, k, x, y GHOST_ARGS(to));
}

/*@ requires block && chan_ok(b) && at_vector(step,BDIM,b.V) && share_at(b,from,to,j,k0);
    requires whole != 0 ==> k0 + BDIM <= to;
    requires share_waits(cells,kept,from,to) && batch_in(b,x,aligned) && batch_puts(b,y,aligned);
    requires batch_apart(b,x,y) && share_knows(cells,x,b,kept,to);
    requires share_apart(cells,kept,to,y,batch_all(b.n,b.channels,b.size));
    requires \valid(w + (0 .. BDIM-1)) && at_vectors(w,0,BDIM,b.lo+k0,b.V);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures kept != 0 ==> Same{Pre,Post}(cells,4*to);
    ensures put_vectors{Pre,Post}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,
                                  b.lo+lesser(k0+BDIM,to),k.m,k.r,k.gamma,k.beta);
    ensures rest_same{Pre,Post}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,b.lo+lesser(k0+BDIM,to));
    ensures at_vectors(w,0,BDIM,b.lo+k0+BDIM,b.V); */
DEV void share_put_all(CELLS_PARAM(cells), PER_THREAD(batch_at, w), batch_part b, batch_at step,
                       int j, int k0, int whole, int to, int kept, int aligned, share_shift k,
                       const float *RESTRICT x, float *RESTRICT y GHOST_PARAMS(int from))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(w,0,t,b.lo+k0+BDIM,b.V);
      loop invariant at_vectors(w,t,BDIM,b.lo+k0,b.V);
      loop invariant Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant kept != 0 ==> Same{Pre,Here}(cells,4*to);
      loop invariant put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,
                                           b.lo+lesser(k0+t,to),k.m,k.r,k.gamma,k.beta);
      loop invariant rest_same{Pre,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,
                                         b.lo+lesser(k0+t,to));
      loop assigns t, y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert at_vector(w[t],b.lo+k0+t,b.V);
    //@ assert k0 + t < to ==> 0 <= w[t].row < b.n;
    //@ assert share_knows(cells,x,b,kept,to);
    if (whole || k0 + t < to)
      share_put_at(cells, kept, j, k0, t, b, AT(w, t), aligned, k, x, y GHOST_ARGS(to));
    //@ assert Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
    //@ assert kept != 0 ==> Same{Pre,Here}(cells,4*to);
    /*@ assert put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+lesser(k0+t,to),
                                     b.lo+lesser(k0+t+1,to),k.m,k.r,k.gamma,k.beta); */
    /*@ assert rest_same{LoopCurrent,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+lesser(k0+t,to),
                                           b.lo+lesser(k0+t+1,to)); */
    /*@ assert put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,
                                     b.lo+lesser(k0+t+1,to),k.m,k.r,k.gamma,k.beta); */
    //@ assert at_vector(w[t],b.lo+k0+t,b.V);
    AT(w, t) = batch_next(AT(w, t), step, b.V GHOST_ARGS(b.lo + k0 + t, BDIM));
    //@ assert at_vector(w[t],b.lo+k0+BDIM+t,b.V);
    //@ assert at_vectors(w,0,t,b.lo+k0+BDIM,b.V);
    //@ assert at_vectors(w,t+1,BDIM,b.lo+k0,b.V);
  }
}

/* Vectors from .. to-1 of the share of y. */
/*@ requires block && chan_ok(b) && at_vector(step,BDIM,b.V) && share_range(b,from,to);
    requires from <= to;
    requires share_waits(cells,kept,from,to) && batch_in(b,x,aligned) && batch_puts(b,y,aligned);
    requires batch_apart(b,x,y) && share_knows(cells,x,b,kept,to);
    requires share_apart(cells,kept,to,y,batch_all(b.n,b.channels,b.size));
    requires \valid(w + (0 .. BDIM-1)) && at_vectors(w,0,BDIM,b.lo+from,b.V);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures put_vectors{Pre,Post}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+from,b.lo+to,k.m,k.r,
                                  k.gamma,k.beta);
    ensures rest_same{Pre,Post}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+from,b.lo+to); */
DEV void share_put(CELLS_PARAM(cells), PER_THREAD(batch_at, w), batch_part b, batch_at step,
                   int from, int to, int kept, int aligned, share_shift k, const float *RESTRICT x,
                   float *RESTRICT y)
{
  const int rounds = (to - from) / BDIM;
  int k0 = from, j = 0;
  //@ assert 0 < rounds ==> rounds * bdim_ <= to - from;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= to - from;
  //@ assert to - from < rounds * bdim_ + bdim_;
  //@ assert to - from < mul(rounds,bdim_) + bdim_;
  /*@ loop invariant 0 <= j <= k0 && from <= k0 == from + mul(j,bdim_);
      loop invariant k0 <= to || k0 == from;
      loop invariant j <= rounds || j == 0;
      loop invariant at_vectors(w,0,BDIM,b.lo+k0,b.V);
      loop invariant Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant kept != 0 ==> Same{Pre,Here}(cells,4*to);
      loop invariant put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+from,b.lo+k0,
                                           k.m,k.r,k.gamma,k.beta);
      loop invariant rest_same{Pre,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+from,b.lo+k0);
      loop assigns j, k0, y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == mul(j,bdim_) + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    //@ assert share_knows(cells,x,b,kept,to);
    //@ assert lesser(k0+BDIM,to) == k0+BDIM;
    share_put_all(cells, w, b, step, j, k0, 1, to, kept, aligned, k, x, y GHOST_ARGS(from));
    //@ assert Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
    //@ assert kept != 0 ==> Same{Pre,Here}(cells,4*to);
    /*@ assert rest_same{LoopCurrent,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,
                                           b.lo+k0+BDIM); */
    /*@ assert put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,b.lo+k0+BDIM,k.m,
                                     k.r,k.gamma,k.beta); */
    /*@ assert put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+from,b.lo+k0+BDIM,
                                     k.m,k.r,k.gamma,k.beta); */
  }
  //@ ghost L1: ;
  if (k0 < to) {
    //@ assert share_knows(cells,x,b,kept,to);
    //@ assert lesser(k0+BDIM,to) == to;
    share_put_all(cells, w, b, step, j, k0, 0, to, kept, aligned, k, x, y GHOST_ARGS(from));
    //@ assert Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
    //@ assert rest_same{L1,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,b.lo+to);
    /*@ assert put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,b.lo+to,k.m,k.r,
                                     k.gamma,k.beta); */
  }
}

/* The block's share of y. */
/*@ requires block && chan_ok(b) && at_vector(step,BDIM,b.V);
    requires 0 <= kept <= vectors == b.hi - b.lo && batch_in(b,x,aligned);
    requires share_waits(cells,1,0,kept) && share_knows(cells,x,b,1,kept);
    requires batch_puts(b,y,aligned) && batch_apart(b,x,y);
    requires share_apart(cells,1,kept,y,batch_all(b.n,b.channels,b.size));
    requires \valid(w + (0 .. BDIM-1)) && \valid_read(begin + (0 .. BDIM-1));
    requires \separated(w + (0 .. BDIM-1), begin + (0 .. BDIM-1));
    requires at_vectors(begin,0,BDIM,b.lo,b.V);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1];
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures put_vectors{Pre,Post}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi,k.m,k.r,k.gamma,
                                  k.beta);
    ensures rest_same{Pre,Post}(y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi); */
DEV void share_leave(CELLS_PARAM(cells), PER_THREAD(batch_at, w), PER_THREAD(batch_at, begin),
                     batch_part b, batch_at step, int kept, int vectors, int aligned, share_shift k,
                     const float *RESTRICT x, float *RESTRICT y)
{
  //@ assert share_range(b,0,kept) && share_range(b,kept,vectors);
  share_again(w, begin GHOST_ARGS(b.lo, b.V));
  share_put(cells, w, b, step, 0, kept, 1, aligned, k, x, y);
  //@ ghost L1: ;
  /*@ assert put_vectors{Pre,L1}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.lo+kept,k.m,k.r,k.gamma,
                                 k.beta); */
  //@ assert rest_same{Pre,L1}(y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.lo+kept);
  //@ assert Same{Pre,L1}(x,batch_all(b.n,b.channels,b.size));
  share_begin(w, b, kept);
  //@ assert Same{L1,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ ghost L2: ;
  share_put(cells, w, b, step, kept, vectors, 0, aligned, k, x, y);
  //@ assert Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert rest_same{L1,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+kept,b.hi);
  /*@ assert put_vectors{L2,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+kept,b.hi,k.m,k.r,k.gamma,
                                  k.beta); */
  /*@ assert put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+kept,b.hi,k.m,k.r,
                                   k.gamma,k.beta); */
}

/* The same and, by the first block of a cluster, the channel's statistics. */
/*@ requires block && chan_ok(b) && at_vector(step,BDIM,b.V);
    requires 0 <= kept <= vectors == b.hi - b.lo && share_waits(cells,1,0,kept);
    requires share_knows(cells,x,b,1,kept) && shift_of(k,x,gamma,beta,b,eps);
    requires share_tensors(b,aligned,x,gamma,beta,y,mean,rstd);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(b.n,b.channels,b.size),b.channels);
    requires share_apart(cells,1,kept,y,batch_all(b.n,b.channels,b.size));
    requires \valid(w + (0 .. BDIM-1)) && \valid_read(begin + (0 .. BDIM-1));
    requires \separated(w + (0 .. BDIM-1), begin + (0 .. BDIM-1));
    requires at_vectors(begin,0,BDIM,b.lo,b.V);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1], w[0 .. BDIM-1], mean[0 .. b.channels-1],
            rstd[0 .. b.channels-1];
    ensures share_left{Pre,Post}(x,gamma,beta,y,mean,rstd,b.n,b.channels,b.size,b.V,eps,b.c,b.lo,
                                 b.hi,rank);
    ensures share_else{Pre,Post}(y,mean,rstd,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi,rank);
    ensures chan_inputs{Pre,Post}(x,gamma,beta,b.n,b.channels,b.size); */
DEV void
share_finish(CELLS_PARAM(cells), PER_THREAD(batch_at, w), PER_THREAD(batch_at, begin), batch_part b,
             batch_at step, int rank, int kept, int vectors, int aligned, share_shift k,
             const float *RESTRICT x, float *RESTRICT y, float *RESTRICT mean,
             float *RESTRICT rstd GHOST_PARAMS(float eps, const float *gamma, const float *beta))
{
  share_leave(cells, w, begin, b, step, kept, vectors, aligned, k, x, y);
  //@ ghost L1: ;
  //@ assert gammas: Same{Pre,L1}(gamma,b.channels);
  //@ assert betas: Same{Pre,L1}(beta,b.channels);
  //@ assert same: chan_inputs{Pre,L1}(x,gamma,beta,b.n,b.channels,b.size);
  //@ assert means: Same{Pre,L1}(mean,b.channels);
  //@ assert rstds: Same{Pre,L1}(rstd,b.channels);
  /*@ assert put: chan_put{Pre,L1}(x,gamma,beta,y,b.n,b.channels,b.size,b.V,eps,b.c,b.lo,b.hi); */
  share_stats(rank, b, k, mean, rstd GHOST_ARGS(x, gamma, beta, y));
  //@ assert same2: chan_inputs{L1,Here}(x,gamma,beta,b.n,b.channels,b.size);
  //@ assert else: stats_else{L1,Here}(mean,rstd,b.channels,b.c,rank);
  //@ assert else2: stats_else{Pre,Here}(mean,rstd,b.channels,b.c,rank);
  //@ assert rest: rest_same{Pre,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi);
  /*@ assert put2: chan_put{Pre,Here}(x,gamma,beta,y,b.n,b.channels,b.size,b.V,eps,b.c,b.lo,
                                      b.hi); */
  //@ assert stats: rank == 0 ==> stats_of{Pre,Here}(x,mean,rstd,b.n,b.channels,b.size,eps,b.c);
}
#endif
