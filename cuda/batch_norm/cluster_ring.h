/* Producer side of the cp.async ring: shares of channels (share.h) on their way into a stage
 * (lang/async_ring.h): vector q of a share waits in cell q of its stage. */
#ifndef PM_BATCH_NORM_CLUSTER_RING_H
#define PM_BATCH_NORM_CLUSTER_RING_H
#include "walk.h"
#include "../lang/async_ring.h"

#define CLUSTER_CHANNELS 0x3fffffff /* so that an int counts a block's sums */

/*@ // cells for `kept` vectors in the stage that has its turn
    predicate turn_room{L}(float *v, integer stage, integer room, integer kept) =
      \valid(v + (0 .. 4*RING_MOST*SHARED_VEC4S-1)) && turn_stages(turn_depth_,room) &&
      turn_ == stage && turn_way_ == 0 && kept <= room;
    predicate turns_apart{L}(float *v, float *a, integer n) =
      \separated(v + (0 .. 4*RING_MOST*SHARED_VEC4S-1), a + (0 .. n-1));
    // cells from .. to-1 are as they were, and all of the other stages
    predicate cells_same{L1,L2}(float *v, integer from, integer to) =
      \forall integer i; 4*from <= i < 4*to ==> \at(v[i],L1) == \at(v[i],L2);
    predicate turn_else{L1,L2}(float *v, integer s) =
      \forall integer i; 0 <= i < 4*RING_MOST*SHARED_VEC4S ==>
        i < 4*SHARED_VEC4S*s || 4*SHARED_VEC4S*s + 4*SHARED_VEC4S <= i ==> \at(v[i],L1) == \at(v[i],
          L2);
    lemma cells_stay{L0,L1,L2}: \forall float *cells, *x, integer channels, size, V, c, lo, from,
      to; cells_same{L1,L2}(cells,from,to) ==>
      cells_hold{L0,L1}(cells,x,channels,size,V,c,lo,from,to) ==>
      cells_hold{L0,L2}(cells,x,channels,size,V,c,lo,from,to);
    // the share of channel c waits in stage s, if there is that channel
    predicate turn_holds{L}(float *v, integer s, float *x, batch_part b, integer c, integer kept) =
      c < b.channels ==>
        cells_hold{L,L}(turn_cells(v,s),x,b.channels,b.size,b.V,c,b.lo,0,kept);
    // the vectors' numbers, and where they are
    lemma walk_vector_at: \forall batch_walk w, batch_at at, integer v, V, pitch;
      walk_at(w,v,V,pitch) ==> at.row == w.row ==> at.col == w.col ==> at_vector(at,v,V); */

/* Element i of a vector that has `have` into cell j of thread t, or 0. */
/*@ requires block && 0 <= t < BDIM && 0 <= j && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < room;
    requires turn_room(cells,stage,room,room) && turn_fetched_ <= 4*(k0+t) + i && 0 <= i < 4;
    requires i < have ==> \valid_read(x + i) && R(x+i);
    assigns cells[4*SHARED_VEC4S*stage + 4*(k0+t) + i], turn_fetched_;
    ensures turn_fetched_ == 4*(k0+t) + i + 1;
    ensures cells[4*SHARED_VEC4S*stage + 4*(k0+t) + i] == (i < have ? rd{Pre}(x,i) : 0.0); */
DEV void ring_fetch_cell(ASYNC_RING_PARAM(cells), int stage, int room, int j, int k0, int t, int i,
                         int have, const float *RESTRICT x)
{
  if (i < have)
    RING_FETCH1(cells, stage, room, i, x + i, j, k0, t);
  else
    RING_BLANK1(cells, stage, room, i, j, k0, t);
}

/* `have` elements into cell j of thread t. */
/*@ requires block && 0 <= t < BDIM && 0 <= j && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < room;
    requires turn_room(cells,stage,room,room) && turn_fetched_ <= 4*(k0+t) && 1 <= have <= 4;
    requires \valid_read(x + (0 .. have-1)) && R(x) && (1 < have ==> R(x+1));
    requires (2 < have ==> R(x+2)) && (3 < have ==> R(x+3));
    requires aligned != 0 ==> have == 4 && aligned16(x);
    requires turns_apart(cells,x,have);
    assigns cells[4*SHARED_VEC4S*stage + 4*(k0+t) .. 4*SHARED_VEC4S*stage + 4*(k0+t) + 3],
            turn_fetched_;
    ensures turn_fetched_ == 4*(k0+t) + 4;
    ensures cells[4*SHARED_VEC4S*stage + 4*(k0+t)] == rd{Pre}(x,0);
    ensures cells[4*SHARED_VEC4S*stage + 4*(k0+t)+1] == (1 < have ? rd{Pre}(x,1) : 0.0);
    ensures cells[4*SHARED_VEC4S*stage + 4*(k0+t)+2] == (2 < have ? rd{Pre}(x,2) : 0.0);
    ensures cells[4*SHARED_VEC4S*stage + 4*(k0+t)+3] == (3 < have ? rd{Pre}(x,3) : 0.0); */
DEV void ring_fetch_have(ASYNC_RING_PARAM(cells), int stage, int room, int j, int k0, int t,
                         int have, int aligned, const float *RESTRICT x)
{
  if (aligned) {
    RING_FETCH4(cells, stage, room, x, j, k0, t);
  } else {
    RING_FETCH1(cells, stage, room, 0, x, j, k0, t);
    //@ assert Same{Pre,Here}(x,have);
    ring_fetch_cell(cells, stage, room, j, k0, t, 1, have, x);
    //@ assert Same{Pre,Here}(x,have);
    ring_fetch_cell(cells, stage, room, j, k0, t, 2, have, x);
    //@ assert Same{Pre,Here}(x,have);
    ring_fetch_cell(cells, stage, room, j, k0, t, 3, have, x);
    //@ assert cells[4*SHARED_VEC4S*stage + 4*(k0+t)] == rd{Pre}(x,0);
    //@ assert cells[4*SHARED_VEC4S*stage + 4*(k0+t)+1] == (1 < have ? rd{Pre}(x,1) : 0.0);
    //@ assert cells[4*SHARED_VEC4S*stage + 4*(k0+t)+2] == (2 < have ? rd{Pre}(x,2) : 0.0);
    //@ assert cells[4*SHARED_VEC4S*stage + 4*(k0+t)+3] == (3 < have ? rd{Pre}(x,3) : 0.0);
  }
}

/* Vector w of the channel that begins at element `chan` into cell j of thread t. */
/*@ requires block && 0 <= t < BDIM && 0 <= j && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < room;
    requires turn_room(cells,stage,room,room) && turn_fetched_ <= 4*(k0+t);
    requires batch_ok(b) && walk_in(b,w) && chan == ix(b.c,b.size,0) && batch_in(b,x,aligned);
    requires turns_apart(cells,x,batch_all(b.n,b.channels,b.size));
    assigns cells[4*SHARED_VEC4S*stage + 4*(k0+t) .. 4*SHARED_VEC4S*stage + 4*(k0+t) + 3],
            turn_fetched_;
    ensures turn_fetched_ == 4*(k0+t) + 4;
    ensures cell_holds{Pre,Post}(turn_cells(cells,stage),x,b.channels,b.size,b.c,k0+t,w.row,
                                 w.col); */
DEV void ring_fetch_one(ASYNC_RING_PARAM(cells), int stage, int room, int j, int k0, int t,
                        batch_part b, batch_walk w, idx chan, int aligned, const float *RESTRICT x)
{
  const idx o = walk_offset(w, chan GHOST_ARGS(b));
  const int have = walk_elements(b, w, aligned);
  //@ assert 0 <= o && o + have <= batch_all(b.n,b.channels,b.size);
  //@ assert aligned != 0 ==> aligned16(x+o);
  ring_fetch_have(cells, stage, room, j, k0, t, have, aligned, x + o);
}

/* The same, by the vector's number; the other cells, and the tensor, stay. */
/*@ requires block && 0 <= t < BDIM && 0 <= j && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < room;
    requires turn_room(cells,stage,room,room) && turn_fetched_ <= 4*(k0+t);
    requires batch_ok(b) && walk_in(b,w) && chan == ix(b.c,b.size,0) && batch_in(b,x,aligned);
    requires ix(w.row,b.V,w.col) == b.lo + (k0+t);
    requires turns_apart(cells,x,batch_all(b.n,b.channels,b.size));
    assigns cells[4*SHARED_VEC4S*stage .. 4*SHARED_VEC4S*stage + 4*SHARED_VEC4S - 1], turn_fetched_;
    ensures turn_fetched_ == 4*(k0+t) + 4;
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures cells_same{Pre,Post}(turn_cells(cells,stage),0,k0+t);
    ensures cells_same{Pre,Post}(turn_cells(cells,stage),k0+t+1,room);
    ensures cells_hold{Pre,Post}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,k0+t,
                                 k0+t+1); */
DEV void ring_fetch_at(ASYNC_RING_PARAM(cells), int stage, int room, int j, int k0, int t,
                       batch_part b, batch_walk w, idx chan, int aligned, const float *RESTRICT x)
{
  ring_fetch_one(cells, stage, room, j, k0, t, b, w, chan, aligned, x);
  /*@ assert cell_holds{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.c,k0+t,w.row,
                                  w.col); */
  //@ assert follows_cell(k0+t+1,k0+t);
}

/*@ requires block && walk_ok(b) && step_of(b,s) && share_at(b,0,kept,j,k0);
    requires whole != 0 ==> k0 + BDIM <= kept;
    requires turn_room(cells,stage,room,kept) && turn_fetched_ <= 4*k0;
    requires chan == ix(b.c,b.size,0) && batch_in(b,x,aligned);
    requires turns_apart(cells,x,batch_all(b.n,b.channels,b.size));
    requires \valid(w + (0 .. BDIM-1)) && walks_at(w,0,BDIM,b.lo+k0,s);
    assigns cells[4*SHARED_VEC4S*stage .. 4*SHARED_VEC4S*stage + 4*SHARED_VEC4S - 1],
            w[0 .. BDIM-1], turn_fetched_;
    ensures walks_at(w,0,BDIM,b.lo+k0+BDIM,s) && turn_fetched_ <= 4*(k0+BDIM);
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures cells_same{Pre,Post}(turn_cells(cells,stage),0,k0);
    ensures cells_hold{Pre,Post}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,k0,
                                 lesser(k0+BDIM,kept)); */
DEV void ring_fetch_all(ASYNC_RING_PARAM(cells), PER_THREAD(batch_walk, w), int stage, int room,
                        batch_part b, walk_step s, idx chan, int j, int k0, int whole, int kept,
                        int aligned, const float *RESTRICT x)
{
  /*@ loop invariant 0 <= t <= BDIM && turn_fetched_ <= 4*(k0+t);
      loop invariant walks_at(w,0,t,b.lo+k0+BDIM,s);
      loop invariant walks_at(w,t,BDIM,b.lo+k0,s);
      loop invariant Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant cells_same{Pre,Here}(turn_cells(cells,stage),0,k0);
      loop invariant cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,
        k0,lesser(k0+t,kept));
      loop assigns t, cells[4*SHARED_VEC4S*stage .. 4*SHARED_VEC4S*stage + 4*SHARED_VEC4S - 1],
                   w[0 .. BDIM-1], turn_fetched_;
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    //@ assert k0 + t < kept ==> walk_in(b,w[t]);
    if (whole || k0 + t < kept) {
      /*@ assert old: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,
                                           k0,k0+t); */
      ring_fetch_at(cells, stage, room, j, k0, t, b, AT(w, t), chan, aligned, x);
      //@ assert same: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      //@ assert below: cells_same{LoopCurrent,Here}(turn_cells(cells,stage),k0,k0+t);
      //@ assert before: cells_same{Pre,Here}(turn_cells(cells,stage),0,k0);
      /*@ assert kept: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,
                                            b.lo,k0,k0+t); */
      /*@ assert now: cells_hold{LoopCurrent,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,
                                                   b.c,b.lo,k0+t,k0+t+1); */
      /*@ assert new: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,
                                           k0+t,k0+t+1); */
      /*@ assert both: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,
                                            b.lo,k0,k0+t+1); */
    }
    /*@ assert all: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,
                                         k0,lesser(k0+t+1,kept)); */
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    AT(w, t) = walk_next(AT(w, t), s GHOST_ARGS(b, b.lo + k0 + t));
    //@ assert walk_at(w[t],b.lo+k0+BDIM+t,s.V,s.pitch);
    //@ assert walks_at(w,0,t,b.lo+k0+BDIM,s);
    //@ assert walks_at(w,t+1,BDIM,b.lo+k0,s);
  }
}

/* The share of a channel is on its way into the stage whose turn it is. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept);
    requires turn_room(cells,stage,room,kept) && turn_fetched_ <= 0;
    requires chan == ix(b.c,b.size,0) && batch_in(b,x,aligned);
    requires turns_apart(cells,x,batch_all(b.n,b.channels,b.size));
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns cells[4*SHARED_VEC4S*stage .. 4*SHARED_VEC4S*stage + 4*SHARED_VEC4S - 1], turn_fetched_;
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures turn_holds(cells,stage,x,b,b.c,kept); */
DEV void ring_fetch(ASYNC_RING_PARAM(cells), PER_THREAD(batch_walk, begin), int stage, int room,
                    batch_part b, walk_step s, idx chan, int kept, int aligned,
                    const float *RESTRICT x)
{
  PRIVATE(batch_walk, w);
  const int rounds = kept / BDIM;
  int k0 = 0, j = 0;
  walk_again(w, begin GHOST_ARGS(b.lo, s));
  //@ assert 0 < rounds ==> rounds * bdim_ <= kept;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= kept;
  //@ assert kept < rounds * bdim_ + bdim_;
  //@ assert kept < mul(rounds,bdim_) + bdim_;
  /*@ loop invariant 0 <= j <= k0 && k0 == mul(j,bdim_);
      loop invariant k0 <= kept || k0 == 0;
      loop invariant j <= rounds || j == 0;
      loop invariant walks_at(&w[0],0,BDIM,b.lo+k0,s) && turn_fetched_ <= 4*k0;
      loop invariant Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,
        0,k0);
      loop assigns j, k0,
                   cells[4*SHARED_VEC4S*stage .. 4*SHARED_VEC4S*stage + 4*SHARED_VEC4S - 1],
                   w[0 .. BDIM-1], turn_fetched_;
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == k0 + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    ring_fetch_all(cells, w, stage, room, b, s, chan, j, k0, 1, kept, aligned, x);
    //@ assert same: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
    /*@ assert kept: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,
                                          0,k0); */
    /*@ assert now: cells_hold{LoopCurrent,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,
                                                 b.c,b.lo,k0,k0+BDIM); */
    /*@ assert new: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,
                                         k0,k0+BDIM); */
    /*@ assert both: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,
                                          0,k0+BDIM); */
  }
  //@ ghost L1: ;
  if (k0 < kept) {
    ring_fetch_all(cells, w, stage, room, b, s, chan, j, k0, 0, kept, aligned, x);
    /*@ assert kept: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,
                                          0,k0); */
    /*@ assert now: cells_hold{L1,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,
                                        k0,kept); */
    /*@ assert new: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,
                                         k0,kept); */
    /*@ assert both: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,
                                          0,kept); */
  }
  //@ assert back: Same{Here,Pre}(x,batch_all(b.n,b.channels,b.size));
  /*@ assert all: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,0,
                                       kept); */
}

/* The same part of channel c. */
/*@ requires walk_ok(b) && 0 <= c < b.channels;
    assigns \nothing;
    ensures walk_ok(\result) && \result.n == b.n && \result.channels == b.channels;
    ensures \result.size == b.size && \result.V == b.V && \result.c == c;
    ensures \result.lo == b.lo && \result.hi == b.hi; */
DEV batch_part part_of_channel(batch_part b, idx c)
{
  b.c = c;
  return b;
}
#endif
