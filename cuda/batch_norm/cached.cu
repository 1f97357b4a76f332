/* Thread block cluster, part of the tensor cached in shared memory: batch_norm where a cluster
 * does a channel (share.h), which it reads once and in part again: x, y are (n, channels, size),
 * the other tensors (channels). */
#include "cached_out.h"

/*@ // what the threads of a block have: sums, and the places of vectors
    predicate share_lanes{L}(float *acc, batch_at *w, batch_at *begin) =
      \valid(acc + (0 .. BDIM-1)) && \valid(w + (0 .. BDIM-1)) &&
      \valid_read(begin + (0 .. BDIM-1)) &&
      \separated(w + (0 .. BDIM-1), begin + (0 .. BDIM-1)); */

/* The channel's mean and rstd, as all blocks of its cluster say of their shares: k with these. */
/*@ requires block && chan_ok(b) && at_vector(step,BDIM,b.V) && 0 <= kept <= ROOM;
    requires kept <= vectors == b.hi - b.lo && \valid_read(cells + (0 .. 4*kept-1));
    requires share_knows(cells,x,b,1,kept) && batch_in(b,x,aligned);
    requires share_lanes(acc,w,begin) && at_vectors(begin,0,BDIM,b.lo,b.V);
    requires \valid(box) && mail_cells(box) && mail_ok(rank,in_cluster) && joined_ == 0;
    requires put_ == 0 && got_ == 0 && mail_says(mail_cluster_,rank);
    requires share_is(b,share,rank,in_cluster);
    requires chan_turns{Pre}(mail_cluster_,0,x,b.n,b.channels,b.size,b.V,share,b.c);
    requires \separated(acc + (0 .. BDIM-1), box);
    requires off_mail(x,batch_all(b.n,b.channels,b.size),acc,box) && off_mail(cells,4*kept,acc,box);
    requires share_sums(acc,x,b) && share_apart(cells,1,kept,acc,BDIM);
    assigns acc[0 .. BDIM-1], w[0 .. BDIM-1], pending_, joined_, put_, got_,
            box->warps[0 .. MAIL_CELLS-1];
    ensures pending_ == 0;
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size)) && Same{Pre,Post}(cells,4*kept);
    ensures \result.gamma == k.gamma && \result.beta == k.beta;
    ensures \result.m == ChanMean{Pre}(x,b.channels,b.size,b.c,b.n);
    ensures \result.r == ChanRstd{Pre}(x,b.channels,b.size,b.c,b.n,eps); */
DEV share_shift share_know(CELLS_PARAM(cells), PER_THREAD(float, acc), PER_THREAD(batch_at, w),
                           PER_THREAD(batch_at, begin), mailbox *box, batch_part b, batch_at step,
                           int rank, int in_cluster, int kept, int vectors, int aligned, float eps,
                           share_shift k, const float *RESTRICT x GHOST_PARAMS(int share))
{
  share_zero(acc);
  //@ assert zero_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert zero_cells: Same{Pre,Here}(cells,4*kept);
  //@ assert chan_a: SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
  //@ assert to_a: Until(0,x,0.0,b,b.hi) == Until{Pre}(0,x,0.0,b,b.hi);
  //@ assert mid_a: Until(0,x,0.0,b,b.lo+kept) == Until{Pre}(0,x,0.0,b,b.lo+kept);
  share_add_rest(acc, cells, w, b, step, kept, vectors, 0, aligned, 0.0f, x);
  copy_wait();
  //@ assert rest_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert rest_cells: Same{Pre,Here}(cells,4*kept);
  //@ assert knows: share_knows(cells,x,b,1,kept);
  //@ assert chan_b: SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
  //@ assert mid_b: Until(0,x,0.0,b,b.lo+kept) == Until{Pre}(0,x,0.0,b,b.lo+kept);
  //@ assert from_b: Until(0,x,0.0,b,b.lo) == Until{Pre}(0,x,0.0,b,b.lo);
  share_add_kept(acc, cells, w, begin, b, step, kept, 0, aligned, 0.0f, x);
  mail_join(box);
  //@ assert sum_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert sum_cells: Same{Pre,Here}(cells,4*kept);
  //@ assert sum: SumR(acc,0,BDIM) == Until{Pre}(0,x,0.0,b,b.hi) - Until{Pre}(0,x,0.0,b,b.lo);
  //@ assert said: SumR(acc,0,BDIM) == Came(mail_cluster_,0,0,rank);
  const float total = share_total(acc, box, 0, rank, in_cluster GHOST_ARGS(b, kept, x, cells));
  k.m = batch_mean(total, b.n, b.size);
  //@ assert mean_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert mean_cells: Same{Pre,Here}(cells,4*kept);
  //@ assert mean: k.m == ChanMean{Pre}(x,b.channels,b.size,b.c,b.n);
  share_zero(acc);
  //@ assert again_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert again_cells: Same{Pre,Here}(cells,4*kept);
  //@ assert again: share_knows(cells,x,b,1,kept);
  //@ assert chan_c: SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
  //@ assert mid_c: Until(1,x,k.m,b,b.lo+kept) == Until{Pre}(1,x,k.m,b,b.lo+kept);
  //@ assert from_c: Until(1,x,k.m,b,b.lo) == Until{Pre}(1,x,k.m,b,b.lo);
  share_add_kept(acc, cells, w, begin, b, step, kept, 1, aligned, k.m, x);
  //@ assert half_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert chan_d: SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
  //@ assert to_d: Until(1,x,k.m,b,b.hi) == Until{Pre}(1,x,k.m,b,b.hi);
  //@ assert mid_d: Until(1,x,k.m,b,b.lo+kept) == Until{Pre}(1,x,k.m,b,b.lo+kept);
  share_add_rest(acc, cells, w, b, step, kept, vectors, 1, aligned, k.m, x);
  //@ assert dev_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert dev_cells: Same{Pre,Here}(cells,4*kept);
  //@ assert dev: SumR(acc,0,BDIM) == Until{Pre}(1,x,k.m,b,b.hi) - Until{Pre}(1,x,k.m,b,b.lo);
  //@ assert dev_said: SumR(acc,0,BDIM) == Came(mail_cluster_,0,1,rank);
  const float squares = share_total(acc, box, 1, rank, in_cluster GHOST_ARGS(b, kept, x, cells));
  k.r = batch_rstd(squares, b.n, b.size, eps);
  return k;
}

/* What a block does of its channel; the first of a cluster leaves mean and rstd. */
/*@ requires block && chan_ok(b) && 0 <= p.kept <= ROOM && share_is(b,p.share,rank,p.in_cluster);
    requires share_tensors(b,aligned,x,gamma,beta,y,mean,rstd);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(b.n,b.channels,b.size),b.channels);
    requires chan_turns{Pre}(b.c,0,x,b.n,b.channels,b.size,b.V,p.share,b.c);
    assigns y[0 .. batch_all(b.n,b.channels,b.size)-1], mean[0 .. b.channels-1],
            rstd[0 .. b.channels-1], pending_, joined_, put_, got_, mail_cluster_;
    ensures share_left{Pre,Post}(x,gamma,beta,y,mean,rstd,b.n,b.channels,b.size,b.V,eps,b.c,b.lo,
                                 b.hi,rank);
    ensures share_else{Pre,Post}(y,mean,rstd,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi,rank);
    ensures chan_inputs{Pre,Post}(x,gamma,beta,b.n,b.channels,b.size); */
DEV void batch_share_do(share_plan p, batch_part b, int rank, int aligned, float eps,
                        const float *RESTRICT x, const float *RESTRICT gamma,
                        const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
                        float *RESTRICT rstd)
{
  CELL_ARRAYS;
  SHARE_CELLS(cells, 0);
  EXCHANGE(box);
  PRIVATE(float, acc);
  PRIVATE(batch_at, begin);
  PRIVATE(batch_at, w);
  const int vectors = (int)(b.hi - b.lo), kept = vectors < p.kept ? vectors : p.kept;
  const batch_at step = share_find(BDIM, (int)b.V);
  share_shift k;
  k.gamma = LDG(gamma + b.c);
  k.beta = LDG(beta + b.c);
  mail_promise(box, rank, b.c);
  share_begin(begin, b, 0);
  share_again(w, begin GHOST_ARGS(b.lo, b.V));
  //@ assert off: cells_apart(&cells[0],kept,x,batch_all(b.n,b.channels,b.size));
  share_fetch(cells, w, b, step, kept, aligned, x);
  //@ ghost L1: ;
  //@ assert fetched: chan_inputs{Pre,L1}(x,gamma,beta,b.n,b.channels,b.size);
  //@ assert fetched_y: Same{Pre,L1}(y,batch_all(b.n,b.channels,b.size));
  //@ assert fetched_s: Same{Pre,L1}(mean,b.channels) && Same{Pre,L1}(rstd,b.channels);
  //@ assert knows: share_knows(&cells[0],x,b,1,kept);
  //@ assert says: chan_turns(b.c,0,x,b.n,b.channels,b.size,b.V,p.share,b.c);
  k = share_know(cells, acc, w, begin, box, b, step, rank, p.in_cluster, kept, vectors, aligned,
                 eps, k, x GHOST_ARGS(p.share));
  //@ ghost L2: ;
  //@ assert gammas: Same{L1,L2}(gamma,b.channels);
  //@ assert betas: Same{L1,L2}(beta,b.channels);
  //@ assert know: chan_inputs{L1,L2}(x,gamma,beta,b.n,b.channels,b.size);
  //@ assert know_y: Same{L1,L2}(y,batch_all(b.n,b.channels,b.size));
  //@ assert know_s: Same{L1,L2}(mean,b.channels) && Same{L1,L2}(rstd,b.channels);
  //@ assert know_cells: Same{L1,L2}(&cells[0],4*kept);
  //@ assert still: share_knows(&cells[0],x,b,1,kept);
  //@ assert same: chan_inputs{Pre,L2}(x,gamma,beta,b.n,b.channels,b.size);
  //@ assert shift: shift_of(k,x,gamma,beta,b,eps);
  share_finish(cells, w, begin, b, step, rank, kept, vectors, aligned, k, x, y, mean,
               rstd GHOST_ARGS(eps, gamma, beta));
  /*@ assert left: share_left{L2,Here}(x,gamma,beta,y,mean,rstd,b.n,b.channels,b.size,b.V,eps,b.c,
                                       b.lo,b.hi,rank); */
  /*@ assert else: share_else{L2,Here}(y,mean,rstd,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi,
                                       rank); */
  //@ assert same_y: Same{Pre,L2}(y,batch_all(b.n,b.channels,b.size));
  //@ assert same_s: Same{Pre,L2}(mean,b.channels) && Same{Pre,L2}(rstd,b.channels);
}

/* x, y: (n, channels, size); V = ceil(size / 4). Each channel has p.in_cluster blocks, of which
 * number `at` says as Came(c,0,turn,at) what its share adds to the channel's sum, in turn 0, and to
 * that of the squares about the mean, in turn 1. */
/*@ requires share_call(p,n,channels,size,V) && ix(channels,p.in_cluster,0) <= BLOCKS;
    requires batch_tensor(x,n,channels,size,V,VEC) && reads(gamma,channels) && reads(beta,channels);
    requires writes(y,batch_all(n,channels,size)) && (VEC != 0 ==> aligned16(y));
    requires writes(mean,channels) && writes(rstd,channels);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(n,channels,size),channels);
    requires \forall integer c; 0 <= c < channels ==>
      chan_turns{Pre}(c,0,x,n,channels,size,V,p.share,c);
    assigns y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1], rstd[0 .. channels-1],
            pending_, joined_, put_, got_, mail_cluster_;
    ensures batch_y{Pre,Post}(x,gamma,beta,y,n,channels,size,eps);
    ensures stats_are{Pre,Post}(x,mean,rstd,n,channels,size,eps,channels); */
TEMPLATE(int VEC)
KERNEL void THREADS_AT_MOST(MAXB)
    batch_cluster(CONSTANTS(int VEC) share_plan p, idx n, idx channels, idx size, idx V, float eps,
                  const float *RESTRICT x, const float *RESTRICT gamma, const float *RESTRICT beta,
                  float *RESTRICT y, float *RESTRICT mean, float *RESTRICT rstd)
{
  /*@ loop invariant 0 <= c <= channels;
      loop invariant same: chan_inputs{Pre,Here}(x,gamma,beta,n,channels,size);
      loop invariant done: clusters_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,c,
                                                   channels);
      loop assigns c, y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1],
                   rstd[0 .. channels-1], pending_, joined_, put_, got_, mail_cluster_;
      loop variant channels - c; */
  BROWS(c, channels, p.in_cluster) {
    /*@ loop invariant 0 <= rank <= p.in_cluster;
        loop invariant same: chan_inputs{Pre,Here}(x,gamma,beta,n,channels,size);
        loop invariant done: clusters_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,
                                                     c,channels);
        loop invariant parts: cluster_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,
                                                     part_at(n,V,p.share,rank),rank,c,channels);
        loop assigns rank, y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1],
                     rstd[0 .. channels-1], pending_, joined_, put_, got_, mail_cluster_;
        loop variant p.in_cluster - rank; */
    BCOLS(rank, p.in_cluster) {
      const batch_part b = share_of(p, n, channels, size, V, c, (int)rank);
      //@ assert tensors: share_tensors(b,VEC,x,gamma,beta,y,mean,rstd);
      //@ assert is: share_is(b,p.share,rank,p.in_cluster);
      //@ assert says: chan_turns{Pre}(c,0,x,n,channels,size,V,p.share,c);
      //@ assert says_here: chan_turns(c,0,x,n,channels,size,V,p.share,c);
      batch_share_do(p, b, (int)rank, VEC, eps, x, gamma, beta, y, mean, rstd);
      //@ assert same: chan_inputs{Pre,Here}(x,gamma,beta,n,channels,size);
      /*@ assert left: share_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,c,b.lo,
                                            b.hi,rank); */
      /*@ assert owned: owned_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,b.lo,
                                             b.hi,rank,c,channels,channels); */
      /*@ assert else: owned_else{LoopCurrent,Here}(y,mean,rstd,n,channels,size,V,b.lo,b.hi,rank,c,
                                                    channels); */
      /*@ assert kept: cluster_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,b.lo,
                                              rank,c,channels); */
      /*@ assert joined: owned_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,0,b.hi,
                                              0,c,channels,channels); */
      /*@ assert done: clusters_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,c,
                                               channels); */
    }
    //@ assert end: part_at(n,V,p.share,p.in_cluster) == ix(n,V,0);
    /*@ assert whole: owned_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,0,
                                           ix(n,V,0),0,c,channels,channels); */
    /*@ assert next: clusters_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,c+1,
                                             channels); */
  }
  /*@ assert all: clusters_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,channels,
                                          channels); */
  //@ assert put: chans_put{Pre,Here}(x,gamma,beta,y,n,channels,size,V,eps,channels);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "launch.h"

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
