/* Persistent thread block clusters with a multistage cp.async ring: batch_norm where clusters
 * (lang/cluster.h) take channels by a grid stride: x, y are (n, channels, size), the other
 * tensors (channels). A block's share of a channel (share.h) waits in its shared memory, and so
 * may that of the cluster's next channel (lang/async_ring.h): a vector that is written makes room
 * for one that is yet to come. Of a share that is larger the rest is read again where it is
 * needed, as blocks read parts (part.h). */
#include "cluster_out.h"
#include "part_out.h"

/*@ // cluster k has the channels k, k + clusters, ..; in turns 2i and 2i + 1 its blocks say what
    // their shares of number i of them add up to
    predicate turns_say{L}(integer clusters, float *x, integer n, integer channels, integer size,
                           integer V, integer share) =
      \forall integer c; 0 <= c < channels ==>
        chan_turns{L}(rem(c,clusters),2*quo(c,clusters),x,n,channels,size,V,share,c);
    lemma turns_say_frame{L1,L2}: \forall integer clusters, float *x, integer n, channels, size, V,
      share; batch_sizes(n,channels,size,V) ==> 0 < share ==>
      Same{L1,L2}(x,batch_all(n,channels,size)) ==>
      turns_say{L1}(clusters,x,n,channels,size,V,share) ==>
      turns_say{L2}(clusters,x,n,channels,size,V,share);
    lemma turns_say_of{L}: \forall integer k, turn, clusters, float *x, integer n, channels, size,
      V, share, c; turns_say(clusters,x,n,channels,size,V,share) ==> 0 <= c < channels ==>
      rem(c,clusters) == k ==> turn == 2*quo(c,clusters) ==>
      chan_turns(k,turn,x,n,channels,size,V,share,c);
    lemma quo_first: \forall integer k, clusters; 0 <= k < clusters ==> quo(k,clusters) == 0;
    lemma quo_next: \forall integer c, clusters; 0 <= c ==> 0 < clusters ==>
      quo(c+clusters,clusters) == quo(c,clusters) + 1;
    // what a block has of its own lies apart from a tensor
    predicate own_apart{L}(float *cells, float *warps, float *a, integer n) =
      turns_apart(cells,a,n) && \separated(warps + (0 .. MAIL_CELLS-1), a + (0 .. n-1)) &&
      (\forall integer i; 0 <= i < n ==>
        \separated(a + i, cells + (0 .. 4*RING_MOST*SHARED_VEC4S-1))) &&
      (\forall integer i; 0 <= i < 4*RING_MOST*SHARED_VEC4S ==>
        \separated(cells + i, a + (0 .. n-1)));
    predicate turns_own{L}(float *cells, float *warps, float *x, float *gamma, float *beta,
                           float *y, float *mean, float *rstd, integer all, integer channels) =
      turns_apart(cells,warps,MAIL_CELLS) && own_apart(cells,warps,x,all) &&
      own_apart(cells,warps,gamma,channels) && own_apart(cells,warps,beta,channels) &&
      own_apart(cells,warps,y,all) && own_apart(cells,warps,mean,channels) &&
      own_apart(cells,warps,rstd,channels);
    // the first shares, of which there are `depth`: of channel c, and of the cluster's next
    predicate turns_hold{L}(float *v, integer stage, integer depth, float *x, batch_part b,
                            integer c, integer clusters, integer kept) =
      turn_holds(v,stage,x,b,c,kept) &&
      (1 < depth ==> turn_holds(v,turn_next(stage,depth),x,b,c+clusters,kept));
    lemma turn_holds_on{L1,L2}: \forall float *v, integer s, float *x, batch_part b, integer c,
      kept; batch_ok(b) ==> 0 <= c ==> kept <= b.hi - b.lo ==>
      cells_same{L1,L2}(turn_cells(v,s),0,kept) ==>
      Same{L1,L2}(x,batch_all(b.n,b.channels,b.size)) ==>
      turn_holds{L1}(v,s,x,b,c,kept) ==> turn_holds{L2}(v,s,x,b,c,kept);
    lemma turn_other: \forall integer s, t, depth; 0 <= s < depth <= RING_MOST ==> 1 < depth ==>
      t == turn_next(s,depth) ==> 0 <= t < depth && t != s && turn_next(t,depth) == s;
    lemma else_same{L1,L2}: \forall float *v, integer s, t, kept; 0 <= s < RING_MOST ==>
      0 <= t < RING_MOST ==> t != s ==> kept <= SHARED_VEC4S ==> turn_else{L1,L2}(v,s) ==>
      cells_same{L1,L2}(turn_cells(v,t),0,kept); */

/* The first shares, of channels c, c + clusters, .., one for each stage. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept) && kept <= room;
    requires 0 < clusters <= CLUSTER_CHANNELS && 1 <= depth <= RING_MOST && depth == turn_depth_;
    requires \valid(cells + (0 .. 4*RING_MOST*SHARED_VEC4S-1)) && turn_stages(depth,room);
    requires turns_sent_ == 0 && turn_free(0,0) && turn_fetched_ == 0 && batch_in(b,x,aligned);
    requires turns_apart(cells,x,batch_all(b.n,b.channels,b.size)) && 0 <= c <= CLUSTER_CHANNELS;
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns cells[0 .. 4*RING_MOST*SHARED_VEC4S-1], turn_fetched_, turn_, turns_sent_, turn_way_;
    ensures turns_sent(0) && turn_fetched_ == 0;
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures turns_hold(cells,0,depth,x,b,c,clusters,kept); */
DEV void cluster_fetch(ASYNC_RING_PARAM(cells), PER_THREAD(batch_walk, begin), int depth, int room,
                       batch_part b, walk_step s, idx c, idx clusters, int kept, int aligned,
                       const float *RESTRICT x)
{
  idx ahead = c;
  /*@ loop invariant 0 <= i <= depth && turns_sent_ == i && turn_fetched_ == 0;
      loop invariant ahead == c + (i == 0 ? 0 : i == 1 ? clusters : 2*clusters);
      loop invariant turn_ == turn_next(i-1,depth) && turn_way_ == (i < depth ? 0 : 1);
      loop invariant same: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant first: 0 < i ==> turn_holds(cells,0,x,b,c,kept);
      loop invariant second: 1 < i ==> turn_holds(cells,1,x,b,c+clusters,kept);
      loop assigns i, ahead, cells[0 .. 4*RING_MOST*SHARED_VEC4S-1], turn_fetched_, turn_,
                   turns_sent_, turn_way_;
      loop variant depth - i; */
  UNROLL
  for (int i = 0; i < depth; i++) {
    if (ahead < b.channels) {
      const batch_part q = part_of_channel(b, ahead);
      //@ assert step_of(q,s) && batch_in(q,x,aligned);
      ring_fetch(cells, begin, i, room, q, s, walk_chan(q), kept, aligned, x);
    }
    //@ assert on: Same{LoopCurrent,Here}(x,batch_all(b.n,b.channels,b.size));
    //@ assert else: turn_else{LoopCurrent,Here}(cells,i);
    //@ assert new: turn_holds(cells,i,x,b,ahead,kept);
    //@ assert still: 0 < i ==> cells_same{LoopCurrent,Here}(turn_cells(cells,0),0,kept);
    //@ assert old: 0 < i ==> turn_holds(cells,0,x,b,c,kept);
    ring_send(i);
    ahead += clusters;
  }
}

/* What does not wait of the share. */
/*@ requires walk_ok(b) && 0 <= kept <= b.hi - b.lo;
    assigns \nothing;
    ensures walk_ok(\result) && \result.n == b.n && \result.channels == b.channels;
    ensures \result.size == b.size && \result.V == b.V && \result.c == b.c;
    ensures \result.lo == b.lo + kept && \result.hi == b.hi; */
DEV batch_part share_rest(batch_part b, int kept)
{
  b.lo += kept;
  return b;
}

/* It is added to the threads' sums, unless all waits. */
/*@ requires block && walk_ok(b) && 0 <= kept <= b.hi - b.lo;
    requires (all != 0 ==> kept == b.hi - b.lo) && batch_in(b,x,aligned);
    requires squares == 0 ==> is_zero(m);
    requires \valid(acc + (0 .. BDIM-1));
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. batch_all(b.n,b.channels,b.size)-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc,0,BDIM) == \old(SumR(acc,0,BDIM)) +
      (Until{Pre}(squares,x,m,b,b.hi) - Until{Pre}(squares,x,m,b,b.lo+kept)); */
DEV void share_add_rest(PER_THREAD(float, acc), batch_part b, int kept, int all, int squares,
                        int aligned, float m, const float *RESTRICT x)
{
  if (!all && kept < b.hi - b.lo)
    batch_add_range(acc, share_rest(b, kept), squares, aligned, m, x);
}

/* The sum of a channel, or of the squares about m, as the blocks of the cluster say in a turn; the
 * first adds up the rest while what waits is on its way. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_is(b,share,rank,in_cluster);
    requires share_range(b,0,kept) && (all != 0 ==> kept == b.hi - b.lo) && kept <= room;
    requires \valid(cells + (0 .. 4*RING_MOST*SHARED_VEC4S-1)) && turn_stages(depth,room);
    requires turn_fetched_ == 0 && turn_ == stage;
    requires squares == 0 ? turns_sent(stage) : turn_way_ == 0;
    requires share_mail(box,rank,in_cluster,turn) && 0 <= turn;
    requires turns_apart(cells,x,batch_all(b.n,b.channels,b.size));
    requires \separated(&box->warps[0] + (0 .. MAIL_CELLS-1),
                        x + (0 .. batch_all(b.n,b.channels,b.size)-1));
    requires batch_in(b,x,aligned);
    requires cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,0,kept);
    requires chan_says{Pre}(mail_cluster_,turn,squares,x,b.n,b.channels,b.size,b.V,share,b.c);
    requires m == ChanCenter{Pre}(squares,x,b.channels,b.size,b.c,b.n);
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns box->warps[0 .. MAIL_CELLS-1], put_, got_, turn_way_;
    ensures mail_at(turn+1) && turn_way_ == 0;
    ensures \result == ChanTotal{Pre}(squares,x,b.channels,b.size,b.c,b.n); */
DEV float cluster_total(ASYNC_RING_PARAM(cells), PER_THREAD(batch_walk, begin), mailbox *box,
                        int turn, int rank, int in_cluster, int stage, int depth, int room,
                        batch_part b, walk_step s, int kept, int all, int squares, int aligned,
                        float m, const float *RESTRICT x GHOST_PARAMS(int share))
{
  PRIVATE(float, acc);
  share_zero(acc);
  //@ assert zero_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert zero_chan: SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
  //@ assert zero_cells: cells_same{Pre,Here}(turn_cells(cells,stage),0,kept);
  //@ assert to_a: Until(squares,x,m,b,b.hi) == Until{Pre}(squares,x,m,b,b.hi);
  //@ assert mid_a: Until(squares,x,m,b,b.lo+kept) == Until{Pre}(squares,x,m,b,b.lo+kept);
  if (!squares) {
    share_add_rest(acc, b, kept, all, 0, aligned, m, x);
    ring_wait(stage, depth);
  }
  //@ assert rest_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert rest_chan: SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
  //@ assert rest_cells: cells_same{Pre,Here}(turn_cells(cells,stage),0,kept);
  /*@ assert rest_sum: SumR(&acc[0],0,BDIM) == (squares == 0 ?
        Until{Pre}(squares,x,m,b,b.hi) - Until{Pre}(squares,x,m,b,b.lo+kept) : 0.0); */
  //@ assert mid_b: Until(squares,x,m,b,b.lo+kept) == Until{Pre}(squares,x,m,b,b.lo+kept);
  //@ assert from_b: Until(squares,x,m,b,b.lo) == Until{Pre}(squares,x,m,b,b.lo);
  /*@ assert held: cells_hold{Here,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,0,
                                         kept); */
  ring_add(acc, cells, begin, stage, room, b, s, kept, squares, aligned, m GHOST_ARGS(x));
  //@ assert kept_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert kept_chan: SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
  //@ assert to_c: Until(squares,x,m,b,b.hi) == Until{Pre}(squares,x,m,b,b.hi);
  //@ assert mid_c: Until(squares,x,m,b,b.lo+kept) == Until{Pre}(squares,x,m,b,b.lo+kept);
  /*@ assert kept_sum: SumR(&acc[0],0,BDIM) == (squares == 0 ? Until{Pre}(squares,x,m,b,b.hi) :
        Until{Pre}(squares,x,m,b,b.lo+kept)) - Until{Pre}(squares,x,m,b,b.lo); */
  if (squares)
    share_add_rest(acc, b, kept, all, squares, aligned, m, x);
  /*@ assert sum: SumR(&acc[0],0,BDIM) ==
        Until{Pre}(squares,x,m,b,b.hi) - Until{Pre}(squares,x,m,b,b.lo); */
  //@ assert said: SumR(&acc[0],0,BDIM) == Came(mail_cluster_,0,turn,rank);
  return share_total(acc, box, turn, rank, in_cluster GHOST_ARGS(b, 0, x, cells));
}

/* What y is to be made with. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_is(b,share,rank,in_cluster);
    requires share_range(b,0,kept) && (all != 0 ==> kept == b.hi - b.lo) && kept <= room;
    requires \valid(cells + (0 .. 4*RING_MOST*SHARED_VEC4S-1)) && turn_stages(depth,room);
    requires turns_sent(stage) && turn_fetched_ == 0;
    requires share_mail(box,rank,in_cluster,turn) && 0 <= turn < 2*CLUSTER_CHANNELS;
    requires share_tensors(b,aligned,x,gamma,beta,y,mean,rstd);
    requires turns_own(cells,&box->warps[0],x,gamma,beta,y,mean,rstd,
                       batch_all(b.n,b.channels,b.size),b.channels);
    requires cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,0,kept);
    requires chan_turns{Pre}(mail_cluster_,turn,x,b.n,b.channels,b.size,b.V,share,b.c);
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns box->warps[0 .. MAIL_CELLS-1], put_, got_, turn_way_;
    ensures mail_at(turn+2) && turn_way_ == 0 && shift_of{Pre}(\result,x,gamma,beta,b,eps);
    ensures chan_inputs{Pre,Post}(x,gamma,beta,b.n,b.channels,b.size);
    ensures Same{Pre,Post}(y,batch_all(b.n,b.channels,b.size));
    ensures Same{Pre,Post}(mean,b.channels) && Same{Pre,Post}(rstd,b.channels);
    ensures cells_same{Pre,Post}(cells,0,RING_MOST*SHARED_VEC4S); */
DEV share_shift cluster_shift(ASYNC_RING_PARAM(cells), PER_THREAD(batch_walk, begin), mailbox *box,
                              int stage, int depth, int room, int turn, int rank, int in_cluster,
                              batch_part b, walk_step s, int kept, int all, int aligned, float eps,
                              const float *RESTRICT x, const float *RESTRICT gamma,
                              const float *RESTRICT beta GHOST_PARAMS(int share, const float *y,
                                                                      const float *mean,
                                                                      const float *rstd))
{
  share_shift k;
  k.gamma = LDG(gamma + b.c);
  k.beta = LDG(beta + b.c);
  k.m = batch_mean(cluster_total(cells, begin, box, turn, rank, in_cluster, stage, depth, room, b,
                                 s, kept, all, 0, aligned, 0.0f, x GHOST_ARGS(share)),
                   b.n, b.size);
  //@ assert mean: k.m == ChanMean{Pre}(x,b.channels,b.size,b.c,b.n);
  //@ assert first_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert first_cells: cells_same{Pre,Here}(turn_cells(cells,stage),0,kept);
  /*@ assert held: cells_hold{Here,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,0,
                                         kept); */
  //@ assert says: chan_turns(mail_cluster_,turn,x,b.n,b.channels,b.size,b.V,share,b.c);
  //@ assert center: k.m == ChanCenter(1,x,b.channels,b.size,b.c,b.n);
  //@ ghost L1: ;
  k.r = batch_rstd(cluster_total(cells, begin, box, turn + 1, rank, in_cluster, stage, depth, room,
                                 b, s, kept, all, 1, aligned, k.m, x GHOST_ARGS(share)),
                   b.n, b.size, eps);
  //@ assert back: Same{Pre,L1}(x,batch_all(b.n,b.channels,b.size));
  //@ assert rstd: k.r == ChanRstd{Pre}(x,b.channels,b.size,b.c,b.n,eps);
  //@ assert xs: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert gammas: Same{Pre,Here}(gamma,b.channels);
  //@ assert betas: Same{Pre,Here}(beta,b.channels);
  return k;
}

/* The block's share of y, and what stays as it is. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept);
    requires all != 0 ==> kept == b.hi - b.lo;
    requires turn_room(cells,stage,room,kept) && turn_fetched_ == 0;
    requires 0 <= later <= 3*CLUSTER_CHANNELS;
    requires share_tensors(b,aligned,x,gamma,beta,y,mean,rstd);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(b.n,b.channels,b.size),b.channels);
    requires turns_own(cells,&box->warps[0],x,gamma,beta,y,mean,rstd,
                       batch_all(b.n,b.channels,b.size),b.channels);
    requires cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,0,kept);
    requires shift_of{Pre}(k,x,gamma,beta,b,eps);
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns cells[4*SHARED_VEC4S*stage .. 4*SHARED_VEC4S*stage + 4*SHARED_VEC4S - 1], turn_fetched_,
            y[0 .. batch_all(b.n,b.channels,b.size)-1];
    ensures chan_put{Pre,Post}(x,gamma,beta,y,b.n,b.channels,b.size,b.V,eps,b.c,b.lo,b.hi);
    ensures rest_same{Pre,Post}(y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi);
    ensures chan_inputs{Pre,Post}(x,gamma,beta,b.n,b.channels,b.size);
    ensures Same{Pre,Post}(mean,b.channels) && Same{Pre,Post}(rstd,b.channels);
    ensures turn_holds(cells,stage,x,b,later,kept) && turn_else{Pre,Post}(cells,stage); */
DEV void cluster_put(ASYNC_RING_PARAM(cells), PER_THREAD(batch_walk, begin), int stage, int room,
                     batch_part b, walk_step s, idx later, int kept, int all, int aligned,
                     share_shift k, const float *RESTRICT x,
                     float *RESTRICT y GHOST_PARAMS(float eps, const float *gamma,
                                                    const float *beta, const float *mean,
                                                    const float *rstd, mailbox *box))
{
  //@ assert stages: 0 <= stage < RING_MOST;
  /*@ assert off_g: \forall integer i; 0 <= i < b.channels ==>
        \separated(gamma + i, cells + (0 .. 4*RING_MOST*SHARED_VEC4S-1)); */
  /*@ assert off_gy: \forall integer i; 0 <= i < b.channels ==>
        \separated(gamma + i, y + (0 .. batch_all(b.n,b.channels,b.size)-1)); */
  /*@ assert off_b: \forall integer i; 0 <= i < b.channels ==>
        \separated(beta + i, cells + (0 .. 4*RING_MOST*SHARED_VEC4S-1)); */
  /*@ assert off_by: \forall integer i; 0 <= i < b.channels ==>
        \separated(beta + i, y + (0 .. batch_all(b.n,b.channels,b.size)-1)); */
  /*@ assert off_m: \forall integer i; 0 <= i < b.channels ==>
        \separated(mean + i, cells + (0 .. 4*RING_MOST*SHARED_VEC4S-1)); */
  /*@ assert off_my: \forall integer i; 0 <= i < b.channels ==>
        \separated(mean + i, y + (0 .. batch_all(b.n,b.channels,b.size)-1)); */
  /*@ assert off_r: \forall integer i; 0 <= i < b.channels ==>
        \separated(rstd + i, cells + (0 .. 4*RING_MOST*SHARED_VEC4S-1)); */
  /*@ assert off_ry: \forall integer i; 0 <= i < b.channels ==>
        \separated(rstd + i, y + (0 .. batch_all(b.n,b.channels,b.size)-1)); */
  /*@ assert off_c: \forall integer i; 0 <= i < 4*RING_MOST*SHARED_VEC4S ==>
        \separated(cells + i, y + (0 .. batch_all(b.n,b.channels,b.size)-1)); */
  ring_put(cells, begin, stage, room, b, s, later, kept, aligned, k, x, y);
  //@ ghost L1: ;
  if (!all && kept < b.hi - b.lo) {
    batch_put_range(share_rest(b, kept), aligned, k.m, k.r, k.gamma, k.beta, x, y);
    //@ assert again: Same{L1,Here}(x,batch_all(b.n,b.channels,b.size));
    /*@ assert first: put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.lo+kept,k.m,
                                            k.r,k.gamma,k.beta); */
    /*@ assert more: put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+kept,b.hi,k.m,
                                           k.r,k.gamma,k.beta); */
    //@ assert cells: cells_same{L1,Here}(cells,0,RING_MOST*SHARED_VEC4S);
    //@ assert stage: cells_same{L1,Here}(turn_cells(cells,stage),0,kept);
  }
  //@ assert same: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert rest: rest_same{Pre,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi);
  //@ assert held: turn_holds(cells,stage,x,b,later,kept);
  //@ assert gammas: Same{Pre,Here}(gamma,b.channels);
  //@ assert betas: Same{Pre,Here}(beta,b.channels);
  //@ assert put: chan_put{Pre,Here}(x,gamma,beta,y,b.n,b.channels,b.size,b.V,eps,b.c,b.lo,b.hi);
}

/* What a block leaves of b's channel, while the share of the channel `later` begins to arrive. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept);
    requires all != 0 ==> kept == b.hi - b.lo;
    requires turn_room(cells,stage,room,kept) && turn_fetched_ == 0;
    requires turns_sent_ == turn_depth_ && 0 <= later <= 3*CLUSTER_CHANNELS;
    requires share_tensors(b,aligned,x,gamma,beta,y,mean,rstd);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(b.n,b.channels,b.size),b.channels);
    requires turns_own(cells,&box->warps[0],x,gamma,beta,y,mean,rstd,
                       batch_all(b.n,b.channels,b.size),b.channels);
    requires cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,0,kept);
    requires shift_of{Pre}(k,x,gamma,beta,b,eps);
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns cells[4*SHARED_VEC4S*stage .. 4*SHARED_VEC4S*stage + 4*SHARED_VEC4S - 1],
            turn_fetched_, turn_, turns_sent_, turn_way_,
            y[0 .. batch_all(b.n,b.channels,b.size)-1], mean[0 .. b.channels-1],
            rstd[0 .. b.channels-1];
    ensures turns_sent(turn_next(stage,turn_depth_)) && turn_fetched_ == 0;
    ensures share_left{Pre,Post}(x,gamma,beta,y,mean,rstd,b.n,b.channels,b.size,b.V,eps,b.c,b.lo,
                                 b.hi,rank);
    ensures share_else{Pre,Post}(y,mean,rstd,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi,rank);
    ensures chan_inputs{Pre,Post}(x,gamma,beta,b.n,b.channels,b.size);
    ensures turn_holds(cells,stage,x,b,later,kept) && turn_else{Pre,Post}(cells,stage); */
DEV void cluster_leave(ASYNC_RING_PARAM(cells), PER_THREAD(batch_walk, begin), int stage, int room,
                       int rank, batch_part b, walk_step s, idx later, int kept, int all,
                       int aligned, share_shift k, const float *RESTRICT x, float *RESTRICT y,
                       float *RESTRICT mean,
                       float *RESTRICT rstd GHOST_PARAMS(float eps, const float *gamma,
                                                         const float *beta, mailbox *box))
{
  cluster_put(cells, begin, stage, room, b, s, later, kept, all, aligned, k, x,
              y GHOST_ARGS(eps, gamma, beta, mean, rstd, box));
  ring_send(stage);
  //@ ghost L1: ;
  /*@ assert off_m: \forall integer i; 0 <= i < 4*RING_MOST*SHARED_VEC4S ==>
        \separated(cells + i, mean + (0 .. b.channels-1)); */
  /*@ assert off_r: \forall integer i; 0 <= i < 4*RING_MOST*SHARED_VEC4S ==>
        \separated(cells + i, rstd + (0 .. b.channels-1)); */
  share_stats(rank, b, k, mean, rstd GHOST_ARGS(x, gamma, beta, y));
  //@ assert same2: chan_inputs{L1,Here}(x,gamma,beta,b.n,b.channels,b.size);
  //@ assert cells2: cells_same{L1,Here}(cells,0,RING_MOST*SHARED_VEC4S);
  //@ assert stage: cells_same{L1,Here}(turn_cells(cells,stage),0,kept);
  //@ assert held: turn_holds(cells,stage,x,b,later,kept);
  //@ assert else: stats_else{L1,Here}(mean,rstd,b.channels,b.c,rank);
  //@ assert else2: stats_else{Pre,Here}(mean,rstd,b.channels,b.c,rank);
  //@ assert rest: rest_same{Pre,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi);
  //@ assert put2: chan_put{Pre,Here}(x,gamma,beta,y,b.n,b.channels,b.size,b.V,eps,b.c,b.lo,b.hi);
  //@ assert stats: rank == 0 ==> stats_of{Pre,Here}(x,mean,rstd,b.n,b.channels,b.size,eps,b.c);
}

/* What a block does of b's channel, its stage being the one whose turn it is, as the block's sums
 * number `turn` and the one after it. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_is(b,share,rank,in_cluster);
    requires share_range(b,0,kept) && (all != 0 ==> kept == b.hi - b.lo) && kept <= room;
    requires \valid(cells + (0 .. 4*RING_MOST*SHARED_VEC4S-1)) && turn_stages(depth,room);
    requires turn_fetched_ == 0 && turns_sent(stage) && 0 <= later <= 3*CLUSTER_CHANNELS;
    requires share_mail(box,rank,in_cluster,turn) && 0 <= turn < 2*CLUSTER_CHANNELS;
    requires share_tensors(b,aligned,x,gamma,beta,y,mean,rstd);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(b.n,b.channels,b.size),b.channels);
    requires turns_own(cells,&box->warps[0],x,gamma,beta,y,mean,rstd,
                       batch_all(b.n,b.channels,b.size),b.channels);
    requires turn_holds{Pre}(cells,stage,x,b,b.c,kept);
    requires chan_turns{Pre}(mail_cluster_,turn,x,b.n,b.channels,b.size,b.V,share,b.c);
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns cells[0 .. 4*RING_MOST*SHARED_VEC4S-1], turn_fetched_, turn_, turns_sent_, turn_way_,
            box->warps[0 .. MAIL_CELLS-1], put_, got_,
            y[0 .. batch_all(b.n,b.channels,b.size)-1], mean[0 .. b.channels-1],
            rstd[0 .. b.channels-1];
    ensures turns_sent(turn_next(stage,depth)) && turn_fetched_ == 0 && mail_at(turn+2);
    ensures share_left{Pre,Post}(x,gamma,beta,y,mean,rstd,b.n,b.channels,b.size,b.V,eps,b.c,b.lo,
                                 b.hi,rank);
    ensures share_else{Pre,Post}(y,mean,rstd,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi,rank);
    ensures chan_inputs{Pre,Post}(x,gamma,beta,b.n,b.channels,b.size);
    ensures turn_holds(cells,stage,x,b,later,kept) && turn_else{Pre,Post}(cells,stage); */
DEV void cluster_channel(ASYNC_RING_PARAM(cells), PER_THREAD(batch_walk, begin), mailbox *box,
                         int stage, int depth, int room, int turn, int rank, int in_cluster,
                         batch_part b, walk_step s, idx later, int kept, int all, int aligned,
                         float eps, const float *RESTRICT x, const float *RESTRICT gamma,
                         const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
                         float *RESTRICT rstd GHOST_PARAMS(int share))
{
  const share_shift k =
      cluster_shift(cells, begin, box, stage, depth, room, turn, rank, in_cluster, b, s, kept, all,
                    aligned, eps, x, gamma, beta GHOST_ARGS(share, y, mean, rstd));
  //@ ghost L1: ;
  //@ assert here: cells_same{Pre,L1}(turn_cells(cells,stage),0,kept);
  //@ assert held: turn_holds(cells,stage,x,b,b.c,kept);
  //@ assert back: chan_inputs{Pre,L1}(x,gamma,beta,b.n,b.channels,b.size);
  //@ assert chan: SameChan{Pre,L1}(x,b.channels,b.size,b.c,b.n);
  //@ assert mean: k.m == ChanMean(x,b.channels,b.size,b.c,b.n);
  //@ assert rstd: k.r == ChanRstd(x,b.channels,b.size,b.c,b.n,eps);
  //@ assert shift: shift_of{L1}(k,x,gamma,beta,b,eps);
  cluster_leave(cells, begin, stage, room, rank, b, s, later, kept, all, aligned, k, x, y, mean,
                rstd GHOST_ARGS(eps, gamma, beta, box));
  /*@ assert left: share_left{L1,Here}(x,gamma,beta,y,mean,rstd,b.n,b.channels,b.size,b.V,eps,b.c,
                                       b.lo,b.hi,rank); */
  /*@ assert else: share_else{L1,Here}(y,mean,rstd,b.n,b.channels,b.size,b.V,b.c,b.lo,b.hi,
                                       rank); */
  //@ assert others: turn_else{L1,Here}(cells,stage);
  //@ assert know_y: Same{Pre,L1}(y,batch_all(b.n,b.channels,b.size));
  //@ assert know_s: Same{Pre,L1}(mean,b.channels) && Same{Pre,L1}(rstd,b.channels);
}

/* Channels b.c, b.c + clusters, .., of which as many as there are stages are on their way. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_is(b,share,rank,in_cluster);
    requires share_range(b,0,kept) && (all != 0 ==> kept == b.hi - b.lo) && kept <= room;
    requires turn_fetched_ == 0;
    requires b.channels <= CLUSTER_CHANNELS && b.c < clusters <= CLUSTER_CHANNELS;
    requires b.c == mail_cluster_;
    requires \valid(cells + (0 .. 4*RING_MOST*SHARED_VEC4S-1)) && turn_stages(depth,room);
    requires turns_sent(0) && share_mail(box,rank,in_cluster,0);
    requires share_tensors(b,aligned,x,gamma,beta,y,mean,rstd);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(b.n,b.channels,b.size),b.channels);
    requires turns_own(cells,&box->warps[0],x,gamma,beta,y,mean,rstd,
                       batch_all(b.n,b.channels,b.size),b.channels);
    requires turns_hold{Pre}(cells,0,depth,x,b,b.c,clusters,kept);
    requires turns_say{Pre}(clusters,x,b.n,b.channels,b.size,b.V,share);
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns cells[0 .. 4*RING_MOST*SHARED_VEC4S-1], turn_fetched_, turn_, turns_sent_, turn_way_,
            box->warps[0 .. MAIL_CELLS-1], put_, got_,
            y[0 .. batch_all(b.n,b.channels,b.size)-1], mean[0 .. b.channels-1],
            rstd[0 .. b.channels-1];
    ensures owned_left{Pre,Post}(x,gamma,beta,y,mean,rstd,b.n,b.channels,b.size,b.V,eps,b.lo,b.hi,
                                 rank,b.c,clusters,b.channels);
    ensures owned_else{Pre,Post}(y,mean,rstd,b.n,b.channels,b.size,b.V,b.lo,b.hi,rank,b.c,
                                 clusters);
    ensures chan_inputs{Pre,Post}(x,gamma,beta,b.n,b.channels,b.size); */
DEV void cluster_channels(ASYNC_RING_PARAM(cells), PER_THREAD(batch_walk, begin), mailbox *box,
                          int depth, int room, int rank, int in_cluster, batch_part b, walk_step s,
                          idx clusters, int kept, int all, int aligned, float eps,
                          const float *RESTRICT x, const float *RESTRICT gamma,
                          const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
                          float *RESTRICT rstd GHOST_PARAMS(int share))
{
  const idx ahead = depth < 2 ? clusters : 2 * clusters;
  int turn = 0, stage = 0;
  //@ assert begin: rem(b.c,clusters) == b.c && quo(b.c,clusters) == 0;
  /*@ loop invariant b.c <= c <= b.channels + clusters && 0 <= turn <= 2*c;
      loop invariant mine: rem(c,clusters) == b.c && turn == 2*quo(c,clusters);
      loop invariant turns_sent(stage) && turn_stages(depth,room) && turn_fetched_ == 0;
      loop invariant mail_at(turn);
      loop invariant hold: turns_hold(cells,stage,depth,x,b,c,clusters,kept);
      loop invariant same: chan_inputs{Pre,Here}(x,gamma,beta,b.n,b.channels,b.size);
      loop invariant left: owned_left{Pre,Here}(x,gamma,beta,y,mean,rstd,b.n,b.channels,b.size,b.V,
        eps,b.lo,b.hi,rank,b.c,clusters,c);
      loop invariant else: owned_else{Pre,Here}(y,mean,rstd,b.n,b.channels,b.size,b.V,b.lo,b.hi,
        rank,b.c,clusters);
      loop assigns c, turn, stage, cells[0 .. 4*RING_MOST*SHARED_VEC4S-1], turn_fetched_, turn_,
                   turns_sent_, turn_way_, box->warps[0 .. MAIL_CELLS-1], put_, got_,
                   y[0 .. batch_all(b.n,b.channels,b.size)-1], mean[0 .. b.channels-1],
                   rstd[0 .. b.channels-1];
      loop variant b.channels - c; */
  for (idx c = b.c; c < b.channels; c += clusters) {
    const batch_part q = part_of_channel(b, c);
    //@ assert step_of(q,s);
    //@ assert share_tensors(q,aligned,x,gamma,beta,y,mean,rstd);
    //@ assert is: share_is(q,share,rank,in_cluster);
    /*@ assert says_pre: chan_turns{Pre}(mail_cluster_,turn,x,b.n,b.channels,b.size,b.V,share,c); */
    //@ assert says: chan_turns(mail_cluster_,turn,x,b.n,b.channels,b.size,b.V,share,c);
    //@ assert has: turn_holds(cells,stage,x,q,c,kept);
    //@ assert next: 1 < depth ==> turn_holds(cells,turn_next(stage,depth),x,b,c+clusters,kept);
    cluster_channel(cells, begin, box, stage, depth, room, turn, rank, in_cluster, q, s, c + ahead,
                    kept, all, aligned, eps, x, gamma, beta, y, mean, rstd GHOST_ARGS(share));
    //@ assert on: chan_inputs{LoopCurrent,Here}(x,gamma,beta,b.n,b.channels,b.size);
    //@ assert came: turn_holds(cells,stage,x,b,c+ahead,kept);
    //@ assert others: turn_else{LoopCurrent,Here}(cells,stage);
    /*@ assert other: 1 < depth ==>
          cells_same{LoopCurrent,Here}(turn_cells(cells,turn_next(stage,depth)),0,kept); */
    //@ assert still: 1 < depth ==> turn_holds(cells,turn_next(stage,depth),x,b,c+clusters,kept);
    //@ assert holds: turns_hold(cells,turn_next(stage,depth),depth,x,b,c+clusters,clusters,kept);
    /*@ assert now: share_left{LoopCurrent,Here}(x,gamma,beta,y,mean,rstd,b.n,b.channels,b.size,b.V,
                                                 eps,c,b.lo,b.hi,rank); */
    /*@ assert new: share_left{Pre,Here}(x,gamma,beta,y,mean,rstd,b.n,b.channels,b.size,b.V,eps,c,
                                         b.lo,b.hi,rank); */
    /*@ assert off: share_else{LoopCurrent,Here}(y,mean,rstd,b.n,b.channels,b.size,b.V,c,b.lo,b.hi,
                                                 rank); */
    /*@ assert old: owned_left{Pre,Here}(x,gamma,beta,y,mean,rstd,b.n,b.channels,b.size,b.V,eps,
                                         b.lo,b.hi,rank,b.c,clusters,c); */
    //@ assert follows: owned_next(c+clusters,c,b.c,clusters);
    //@ assert quo_on: quo(c+clusters,clusters) == quo(c,clusters) + 1;
    //@ assert rem_on: rem(c+clusters,clusters) == rem(c,clusters);
    turn += 2;
    stage = stage + 1 < depth ? stage + 1 : 0;
  }
}

/* Block `rank` of the cluster that does channels b.c, b.c + clusters, .. */
/*@ requires block && walk_ok(b) && b.channels <= CLUSTER_CHANNELS && b.c < clusters;
    requires clusters <= CLUSTER_CHANNELS && share_is(b,p.share,rank,p.in_cluster);
    requires (all != 0 ==> b.hi - b.lo <= p.kept) && 0 <= p.kept;
    requires ix(depth,p.kept,0) <= turn_cells_ <= SHARED_VEC4S && 1 <= depth <= RING_MOST;
    requires share_tensors(b,aligned,x,gamma,beta,y,mean,rstd);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(b.n,b.channels,b.size),b.channels);
    requires turns_say{Pre}(clusters,x,b.n,b.channels,b.size,b.V,p.share);
    assigns turn_depth_, turn_room_, turn_, turns_sent_, turn_way_, turn_fetched_, joined_, put_,
            got_, mail_cluster_,
            y[0 .. batch_all(b.n,b.channels,b.size)-1], mean[0 .. b.channels-1],
            rstd[0 .. b.channels-1];
    ensures owned_left{Pre,Post}(x,gamma,beta,y,mean,rstd,b.n,b.channels,b.size,b.V,eps,b.lo,b.hi,
                                 rank,b.c,clusters,b.channels);
    ensures owned_else{Pre,Post}(y,mean,rstd,b.n,b.channels,b.size,b.V,b.lo,b.hi,rank,b.c,
                                 clusters);
    ensures chan_inputs{Pre,Post}(x,gamma,beta,b.n,b.channels,b.size); */
DEV void cluster_block(share_plan p, batch_part b, int rank, idx clusters, int depth, int all,
                       int aligned, float eps, const float *RESTRICT x, const float *RESTRICT gamma,
                       const float *RESTRICT beta, float *RESTRICT y, float *RESTRICT mean,
                       float *RESTRICT rstd)
{
  ASYNC_RING(cells, depth, p.kept);
  EXCHANGE(box);
  PRIVATE(batch_walk, begin);
  const int vectors = (int)(b.hi - b.lo), kept = vectors < p.kept ? vectors : p.kept;
  const walk_step s = walk_step_of(b);
  /*@ assert own: turns_own(&cells[0],&box[0].warps[0],x,gamma,beta,y,mean,rstd,
                            batch_all(b.n,b.channels,b.size),b.channels); */
  exchange_begin(box, rank, b.c);
  walk_begin(begin, b, s, 0);
  cluster_fetch(cells, begin, depth, p.kept, b, s, b.c, clusters, kept, aligned, x);
  exchange_join(box);
  //@ ghost L1: ;
  //@ assert gammas: Same{Pre,L1}(gamma,b.channels);
  //@ assert betas: Same{Pre,L1}(beta,b.channels);
  //@ assert same: chan_inputs{Pre,L1}(x,gamma,beta,b.n,b.channels,b.size);
  //@ assert outs: Same{Pre,L1}(y,batch_all(b.n,b.channels,b.size));
  //@ assert outs_m: Same{Pre,L1}(mean,b.channels);
  //@ assert outs_r: Same{Pre,L1}(rstd,b.channels);
  //@ assert says: turns_say(clusters,x,b.n,b.channels,b.size,b.V,p.share);
  cluster_channels(cells, begin, box, depth, p.kept, rank, p.in_cluster, b, s, clusters, kept, all,
                   aligned, eps, x, gamma, beta, y, mean, rstd GHOST_ARGS(p.share));
  /*@ assert left: owned_left{L1,Here}(x,gamma,beta,y,mean,rstd,b.n,b.channels,b.size,b.V,eps,b.lo,
                                       b.hi,rank,b.c,clusters,b.channels); */
  /*@ assert else: owned_else{L1,Here}(y,mean,rstd,b.n,b.channels,b.size,b.V,b.lo,b.hi,rank,b.c,
                                       clusters); */
}

/* x, y: (n, channels, size); V = ceil(size / 4). ALL: p.kept is p.share. Block `at` of cluster k
 * says as Came(k,0,turn,at) what its share of a channel adds to the channel's sum, and one turn
 * later to that of the squares about the mean. */
/*@ requires share_call(p,n,channels,size,V) && ix(channels,size,0) <= WALK_PITCH;
    requires ALL != 0 ==> p.share <= p.kept;
    requires 0 < clusters <= channels <= CLUSTER_CHANNELS && ix(clusters,p.in_cluster,0) <= BLOCKS;
    requires 1 <= DEPTH <= RING_MOST && ix(DEPTH,p.kept,0) <= turn_cells_ <= SHARED_VEC4S;
    requires batch_tensor(x,n,channels,size,V,VEC) && reads(gamma,channels) && reads(beta,channels);
    requires writes(y,batch_all(n,channels,size)) && (VEC != 0 ==> aligned16(y));
    requires writes(mean,channels) && writes(rstd,channels);
    requires chans_apart(x,gamma,beta,y,mean,rstd,batch_all(n,channels,size),channels);
    requires turns_say{Pre}(clusters,x,n,channels,size,V,p.share);
    assigns turn_depth_, turn_room_, turn_, turns_sent_, turn_way_, turn_fetched_, joined_, put_,
            got_, mail_cluster_, y[0 .. batch_all(n,channels,size)-1], mean[0 .. channels-1],
            rstd[0 .. channels-1];
    ensures batch_y{Pre,Post}(x,gamma,beta,y,n,channels,size,eps);
    ensures stats_are{Pre,Post}(x,mean,rstd,n,channels,size,eps,channels); */
TEMPLATE(int VEC, int DEPTH, int ALL)
KERNEL void THREADS_AND_BLOCKS(ALL ? RING_BLOCK : MAXB, DEPTH)
    batch_norm_cluster(CONSTANTS(int VEC, int DEPTH, int ALL) share_plan p, idx clusters, idx n,
                       idx channels, idx size, idx V, float eps, const float *RESTRICT x,
                       const float *RESTRICT gamma, const float *RESTRICT beta, float *RESTRICT y,
                       float *RESTRICT mean, float *RESTRICT rstd)
{
  /*@ loop invariant 0 <= k <= clusters;
      loop invariant same: chan_inputs{Pre,Here}(x,gamma,beta,n,channels,size);
      loop invariant done: clusters_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,k,
                                                   clusters);
      loop assigns k, turn_depth_, turn_room_, turn_, turns_sent_, turn_way_, turn_fetched_,
                   joined_, put_, got_, mail_cluster_, y[0 .. batch_all(n,channels,size)-1],
                   mean[0 .. channels-1], rstd[0 .. channels-1];
      loop variant clusters - k; */
  BROWS(k, clusters, p.in_cluster) {
    /*@ loop invariant 0 <= rank <= p.in_cluster;
        loop invariant same: chan_inputs{Pre,Here}(x,gamma,beta,n,channels,size);
        loop invariant done: clusters_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,
                                                     k,clusters);
        loop invariant parts: cluster_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,
                                                     part_at(n,V,p.share,rank),rank,k,clusters);
        loop assigns rank, turn_depth_, turn_room_, turn_, turns_sent_, turn_way_, turn_fetched_,
                     joined_, put_, got_, mail_cluster_, y[0 .. batch_all(n,channels,size)-1],
                     mean[0 .. channels-1], rstd[0 .. channels-1];
        loop variant p.in_cluster - rank; */
    BCOLS(rank, p.in_cluster) {
      const batch_part b = share_of(p, n, channels, size, V, k, (int)rank);
      //@ assert tensors: share_tensors(b,VEC,x,gamma,beta,y,mean,rstd);
      //@ assert all: shares_all(n,V,p.share,p.in_cluster);
      //@ assert is: share_is(b,p.share,rank,p.in_cluster);
      //@ assert says: turns_say(clusters,x,n,channels,size,V,p.share);
      cluster_block(p, b, (int)rank, clusters, DEPTH, ALL, VEC, eps, x, gamma, beta, y, mean, rstd);
      //@ assert on: chan_inputs{LoopCurrent,Here}(x,gamma,beta,n,channels,size);
      //@ assert same: chan_inputs{Pre,Here}(x,gamma,beta,n,channels,size);
      /*@ assert now: owned_left{LoopCurrent,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,
                                                   b.lo,b.hi,rank,k,clusters,channels); */
      /*@ assert owned: owned_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,b.lo,
                                             b.hi,rank,k,clusters,channels); */
      /*@ assert else: owned_else{LoopCurrent,Here}(y,mean,rstd,n,channels,size,V,b.lo,b.hi,rank,k,
                                                    clusters); */
      /*@ assert kept: cluster_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,b.lo,
                                              rank,k,clusters); */
      /*@ assert joined: owned_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,0,b.hi,
                                              0,k,clusters,channels); */
      /*@ assert done: clusters_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,k,
                                               clusters); */
    }
    //@ assert end: part_at(n,V,p.share,p.in_cluster) == ix(n,V,0);
    /*@ assert whole: owned_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,0,
                                           ix(n,V,0),0,k,clusters,channels); */
    /*@ assert next: clusters_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,k+1,
                                             clusters); */
  }
  /*@ assert all: clusters_left{Pre,Here}(x,gamma,beta,y,mean,rstd,n,channels,size,V,eps,clusters,
                                          clusters); */
  //@ assert put: chans_put{Pre,Here}(x,gamma,beta,y,n,channels,size,V,eps,channels);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "launch.h"

template <int VEC, int DEPTH, int ALL>
static void launch_cluster(void *stream, share_plan p, const batch_call *t)
{
  const int bytes = 16 * DEPTH * p.kept;
  const idx room =
      clusters_at_once((batch_norm_cluster<VEC, DEPTH, ALL>), p.in_cluster, p.block, bytes);
  const idx clusters = t->channels < room ? t->channels : room;
  LAUNCH_CLUSTERS((batch_norm_cluster<VEC, DEPTH, ALL>), p.in_cluster, clusters * p.in_cluster,
                  p.block, bytes, stream, p, clusters, t->n, t->channels, t->size,
                  (t->size + 3) / 4, t->eps, t->x, t->gamma, t->beta, t->y, t->mean, t->rstd);
}

template <int VEC>
static void launch_cluster_of(void *stream, int depth, share_plan p, const batch_call *t)
{
  if (p.kept < p.share)
    launch_cluster<VEC, 1, 0>(stream, p, t);
  else if (depth == 2)
    launch_cluster<VEC, 2, 1>(stream, p, t);
  else
    launch_cluster<VEC, 1, 1>(stream, p, t);
}

/* depth: stages, where all of a share waits. */
extern "C" void LAUNCHER(batch_norm_cluster)(const pm_exec *ex, int vec, int depth, share_plan p,
                                             const batch_call *t)
{
  if (vec)
    launch_cluster_of<1>(ex->stream, depth, p, t);
  else
    launch_cluster_of<0>(ex->stream, depth, p, t);
}
#endif
