/* Output pass of variant cluster, from a stage of the ring (cluster_ring.h): its vectors of y,
 * each of which makes room for one of a channel that is yet to come. */
#ifndef PM_BATCH_NORM_CLUSTER_OUT_H
#define PM_BATCH_NORM_CLUSTER_OUT_H
#include "share_out.h"
#include "cluster_sums.h"

/* Vector w, in whose cell the one of the channel `later` begins to arrive. */
/*@ requires block && 0 <= t < BDIM && 0 <= j && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < kept;
    requires turn_room(cells,stage,room,kept) && turn_fetched_ <= 4*(k0+t);
    requires walk_ok(b) && walk_in(b,w) && ix(w.row,b.V,w.col) == b.lo + (k0+t);
    requires batch_in(b,x,aligned) && turns_apart(cells,x,batch_all(b.n,b.channels,b.size));
    requires fetches != 0 ==> 0 <= later < b.channels && later_chan == ix(later,b.size,0);
    requires cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,k0+t,
                                 kept);
    assigns cells[4*SHARED_VEC4S*stage .. 4*SHARED_VEC4S*stage + 4*SHARED_VEC4S - 1], turn_fetched_;
    ensures turn_fetched_ <= 4*(k0+t) + 4;
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures cells_same{Pre,Post}(turn_cells(cells,stage),0,k0+t);
    ensures cells_same{Pre,Post}(turn_cells(cells,stage),k0+t+1,kept);
    ensures fetches != 0 ==> cells_hold{Pre,Post}(turn_cells(cells,stage),x,b.channels,b.size,b.V,
                                                  later,b.lo,k0+t,k0+t+1);
    ensures norm_vec{Pre}(\result,x+Row(w.row,b.channels,b.c,b.size),0.0,w.col,b.size); */
DEV float4 ring_swap(ASYNC_RING_PARAM(cells), int stage, int room, int j, int k0, int t,
                     batch_part b, batch_walk w, int fetches, idx later, idx later_chan,
                     int aligned, const float *RESTRICT x GHOST_PARAMS(int kept))
{
  const float4 u = ring_get(cells, stage, room, j, k0, t GHOST_ARGS(b, w, k0 + t, kept, x));
  if (fetches) {
    const batch_part q = part_of_channel(b, later);
    //@ assert walk_in(q,w);
    //@ assert batch_in(q,x,aligned);
    ring_fetch_at(cells, stage, room, j, k0, t, q, w, later_chan, aligned, x);
  }
  return u;
}

/* Vector w of y, u being that of x. */
/*@ requires walk_ok(b) && walk_in(b,w) && chan == ix(b.c,b.size,0);
    requires batch_puts(b,y,aligned) && batch_apart(b,x,y);
    requires norm_vec(u,x+Row(w.row,b.channels,b.c,b.size),0.0,w.col,b.size);
    assigns y[chan+w.o .. chan+w.o+lesser(4,b.size-4*w.col)-1];
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures only_vector{Pre,Post}(y,b.channels,b.size,b.c,w.row,w.col);
    ensures vector_is{Pre,Post}(x,y,b.channels,b.size,b.c,w.row,w.col,k.m,k.r,k.gamma,k.beta); */
DEV void ring_put_vector(batch_part b, batch_walk w, idx chan, int aligned, share_shift k, float4 u,
                         float *RESTRICT y GHOST_PARAMS(const float *x))
{
  //@ assert at: chan + w.o == Row(w.row,b.channels,b.c,b.size) + 4*w.col;
  //@ assert u.x == rd(x,chan+w.o);
  //@ assert 4*w.col+1 < b.size ==> u.y == rd(x,chan+w.o+1);
  //@ assert 4*w.col+2 < b.size ==> u.z == rd(x,chan+w.o+2);
  //@ assert 4*w.col+3 < b.size ==> u.w == rd(x,chan+w.o+3);
  u = share_shifts(u, k);
  /*@ assert in: 0 <= chan + w.o &&
        chan + w.o + lesser(4,b.size-4*w.col) <= batch_all(b.n,b.channels,b.size); */
  /*@ assert all: \forall integer i; batch_W(b.channels,b.size,b.c,w.row,w.col,i) ==>
        0 <= i - (chan + w.o) < lesser(4,b.size-4*w.col); */
  walk_store(b, w, chan, aligned, u, y);
  //@ assert y[chan+w.o] == Shifted(rd{Pre}(x,chan+w.o),k.m,k.r,k.gamma,k.beta);
  /*@ assert 4*w.col+1 < b.size ==>
        y[chan+w.o+1] == Shifted(rd{Pre}(x,chan+w.o+1),k.m,k.r,k.gamma,k.beta); */
  /*@ assert 4*w.col+2 < b.size ==>
        y[chan+w.o+2] == Shifted(rd{Pre}(x,chan+w.o+2),k.m,k.r,k.gamma,k.beta); */
  /*@ assert 4*w.col+3 < b.size ==>
        y[chan+w.o+3] == Shifted(rd{Pre}(x,chan+w.o+3),k.m,k.r,k.gamma,k.beta); */
}

/* Vector w of y, by its number. */
/*@ requires block && 0 <= t < BDIM && 0 <= j && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < kept;
    requires turn_room(cells,stage,room,kept) && turn_fetched_ <= 4*(k0+t);
    requires walk_ok(b) && walk_in(b,w) && ix(w.row,b.V,w.col) == b.lo + (k0+t);
    requires chan == ix(b.c,b.size,0);
    requires fetches != 0 ==> 0 <= later < b.channels && later_chan == ix(later,b.size,0);
    requires batch_in(b,x,aligned) && batch_puts(b,y,aligned) && batch_apart(b,x,y);
    requires turns_apart(cells,x,batch_all(b.n,b.channels,b.size));
    requires turns_apart(cells,y,batch_all(b.n,b.channels,b.size));
    requires cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,k0+t,
                                 kept);
    assigns cells[4*SHARED_VEC4S*stage .. 4*SHARED_VEC4S*stage + 4*SHARED_VEC4S - 1], turn_fetched_,
            y[0 .. batch_all(b.n,b.channels,b.size)-1];
    ensures turn_fetched_ <= 4*(k0+t) + 4;
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures cells_same{Pre,Post}(turn_cells(cells,stage),0,k0+t);
    ensures cells_same{Pre,Post}(turn_cells(cells,stage),k0+t+1,kept);
    ensures fetches != 0 ==> cells_hold{Pre,Post}(turn_cells(cells,stage),x,b.channels,b.size,b.V,
                                                  later,b.lo,k0+t,k0+t+1);
    ensures put_vectors{Pre,Post}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0+t,b.lo+k0+t+1,k.m,k.r,
                                  k.gamma,k.beta);
    ensures rest_same{Pre,Post}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0+t,b.lo+k0+t+1); */
DEV void ring_put_one(ASYNC_RING_PARAM(cells), int stage, int room, int j, int k0, int t,
                      batch_part b, batch_walk w, idx chan, int fetches, idx later, idx later_chan,
                      int aligned, share_shift k, const float *RESTRICT x,
                      float *RESTRICT y GHOST_PARAMS(int kept))
{
  const float4 u = ring_swap(cells, stage, room, j, k0, t, b, w, fetches, later, later_chan,
                             aligned, x GHOST_ARGS(kept));
  //@ ghost L1: ;
  //@ assert swapped_x: Same{Pre,L1}(x,batch_all(b.n,b.channels,b.size));
  //@ assert swapped_y: Same{Pre,L1}(y,batch_all(b.n,b.channels,b.size));
  //@ assert vec: norm_vec(u,x+Row(w.row,b.channels,b.c,b.size),0.0,w.col,b.size);
  ring_put_vector(b, w, chan, aligned, k, u, y GHOST_ARGS(x));
  //@ assert put_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert cells: cells_same{L1,Here}(turn_cells(cells,stage),0,kept);
  /*@ assert put: put_vectors{L1,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0+t,b.lo+k0+t+1,k.m,
                                       k.r,k.gamma,k.beta); */
  //@ assert rest: rest_same{L1,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0+t,b.lo+k0+t+1);
}

/*@ requires block && walk_ok(b) && step_of(b,s) && share_at(b,0,kept,j,k0);
    requires whole != 0 ==> k0 + BDIM <= kept;
    requires turn_room(cells,stage,room,kept) && turn_fetched_ <= 4*k0;
    requires chan == ix(b.c,b.size,0);
    requires fetches != 0 ==> 0 <= later < b.channels && later_chan == ix(later,b.size,0);
    requires batch_in(b,x,aligned) && batch_puts(b,y,aligned) && batch_apart(b,x,y);
    requires turns_apart(cells,x,batch_all(b.n,b.channels,b.size));
    requires turns_apart(cells,y,batch_all(b.n,b.channels,b.size));
    requires cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,k0,kept);
    requires \valid(w + (0 .. BDIM-1)) && walks_at(w,0,BDIM,b.lo+k0,s);
    assigns cells[4*SHARED_VEC4S*stage .. 4*SHARED_VEC4S*stage + 4*SHARED_VEC4S - 1],
            w[0 .. BDIM-1], turn_fetched_, y[0 .. batch_all(b.n,b.channels,b.size)-1];
    ensures walks_at(w,0,BDIM,b.lo+k0+BDIM,s) && turn_fetched_ <= 4*(k0+BDIM);
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures cells_same{Pre,Post}(turn_cells(cells,stage),0,k0);
    ensures cells_same{Pre,Post}(turn_cells(cells,stage),lesser(k0+BDIM,kept),kept);
    ensures fetches != 0 ==> cells_hold{Pre,Post}(turn_cells(cells,stage),x,b.channels,b.size,b.V,
                                                  later,b.lo,k0,lesser(k0+BDIM,kept));
    ensures put_vectors{Pre,Post}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,
                                  b.lo+lesser(k0+BDIM,kept),k.m,k.r,k.gamma,k.beta);
    ensures rest_same{Pre,Post}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,
                                b.lo+lesser(k0+BDIM,kept)); */
DEV void ring_put_all(ASYNC_RING_PARAM(cells), PER_THREAD(batch_walk, w), int stage, int room,
                      batch_part b, walk_step s, idx chan, int fetches, idx later, idx later_chan,
                      int j, int k0, int whole, int kept, int aligned, share_shift k,
                      const float *RESTRICT x, float *RESTRICT y)
{
  /*@ loop invariant 0 <= t <= BDIM && turn_fetched_ <= 4*(k0+t);
      loop invariant walks_at(w,0,t,b.lo+k0+BDIM,s);
      loop invariant walks_at(w,t,BDIM,b.lo+k0,s);
      loop invariant same: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant before: cells_same{Pre,Here}(turn_cells(cells,stage),0,k0);
      loop invariant after: cells_same{Pre,Here}(turn_cells(cells,stage),lesser(k0+t,kept),kept);
      loop invariant later: fetches != 0 ==> cells_hold{Pre,Here}(turn_cells(cells,stage),x,
        b.channels,b.size,b.V,later,b.lo,k0,lesser(k0+t,kept));
      loop invariant put: put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,
        b.lo+lesser(k0+t,kept),k.m,k.r,k.gamma,k.beta);
      loop invariant rest: rest_same{Pre,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,
        b.lo+lesser(k0+t,kept));
      loop assigns t, cells[4*SHARED_VEC4S*stage .. 4*SHARED_VEC4S*stage + 4*SHARED_VEC4S - 1],
                   w[0 .. BDIM-1], turn_fetched_, y[0 .. batch_all(b.n,b.channels,b.size)-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    //@ assert k0 + t < kept ==> walk_in(b,w[t]);
    //@ assert kept <= k0 + t ==> lesser(k0+t+1,kept) == lesser(k0+t,kept);
    if (whole || k0 + t < kept) {
      //@ assert here: lesser(k0+t,kept) == k0+t && lesser(k0+t+1,kept) == k0+t+1;
      /*@ assert rest_pre: cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,
                                               b.lo,k0+t,kept); */
      /*@ assert rest_now: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,
                                                b.c,b.lo,k0+t,kept); */
      //@ assert back: Same{Here,Pre}(x,batch_all(b.n,b.channels,b.size));
      /*@ assert rest_here: cells_hold{Here,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,
                                                  b.c,b.lo,k0+t,kept); */
      ring_put_one(cells, stage, room, j, k0, t, b, AT(w, t), chan, fetches, later, later_chan,
                   aligned, k, x, y GHOST_ARGS(kept));
      //@ assert still: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      //@ assert below: cells_same{LoopCurrent,Here}(turn_cells(cells,stage),k0,k0+t);
      //@ assert under: cells_same{LoopCurrent,Here}(turn_cells(cells,stage),0,k0);
      //@ assert above: cells_same{LoopCurrent,Here}(turn_cells(cells,stage),k0+t+1,kept);
      //@ assert over: cells_same{Pre,Here}(turn_cells(cells,stage),k0+t+1,kept);
      /*@ assert came: fetches != 0 ==> cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,
            b.size,b.V,later,b.lo,k0,k0+t); */
      /*@ assert come: fetches != 0 ==> cells_hold{LoopCurrent,Here}(turn_cells(cells,stage),x,
            b.channels,b.size,b.V,later,b.lo,k0+t,k0+t+1); */
      /*@ assert comes: fetches != 0 ==> cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,
            b.size,b.V,later,b.lo,k0+t,k0+t+1); */
      /*@ assert both: fetches != 0 ==> cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,
            b.size,b.V,later,b.lo,k0,k0+t+1); */
      /*@ assert one: put_vectors{LoopCurrent,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0+t,
            b.lo+k0+t+1,k.m,k.r,k.gamma,k.beta); */
    }
    //@ assert mine: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
    /*@ assert put: put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+lesser(k0+t,kept),
                                          b.lo+lesser(k0+t+1,kept),k.m,k.r,k.gamma,k.beta); */
    /*@ assert rest: rest_same{LoopCurrent,Here}(y,b.n,b.channels,b.size,b.V,b.c,
                                                 b.lo+lesser(k0+t,kept),
                                                 b.lo+lesser(k0+t+1,kept)); */
    /*@ assert puts: put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,
                                           b.lo+lesser(k0+t+1,kept),k.m,k.r,k.gamma,k.beta); */
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    AT(w, t) = walk_next(AT(w, t), s GHOST_ARGS(b, b.lo + k0 + t));
    //@ assert walk_at(w[t],b.lo+k0+BDIM+t,s.V,s.pitch);
    //@ assert walks_at(w,0,t,b.lo+k0+BDIM,s);
    //@ assert walks_at(w,t+1,BDIM,b.lo+k0,s);
  }
}

/* The block's share of y, while that of the channel `later`, if there is one, begins to arrive. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept);
    requires turn_room(cells,stage,room,kept) && turn_fetched_ == 0;
    requires 0 <= later <= 3*CLUSTER_CHANNELS;
    requires batch_in(b,x,aligned) && batch_puts(b,y,aligned) && batch_apart(b,x,y);
    requires turns_apart(cells,x,batch_all(b.n,b.channels,b.size));
    requires turns_apart(cells,y,batch_all(b.n,b.channels,b.size));
    requires cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,0,kept);
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns cells[4*SHARED_VEC4S*stage .. 4*SHARED_VEC4S*stage + 4*SHARED_VEC4S - 1], turn_fetched_,
            y[0 .. batch_all(b.n,b.channels,b.size)-1];
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures turn_holds(cells,stage,x,b,later,kept);
    ensures put_vectors{Pre,Post}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.lo+kept,k.m,k.r,k.gamma,
                                  k.beta);
    ensures rest_same{Pre,Post}(y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.lo+kept); */
DEV void ring_put(ASYNC_RING_PARAM(cells), PER_THREAD(batch_walk, begin), int stage, int room,
                  batch_part b, walk_step s, idx later, int kept, int aligned, share_shift k,
                  const float *RESTRICT x, float *RESTRICT y)
{
  PRIVATE(batch_walk, w);
  const int rounds = kept / BDIM, fetches = later < b.channels;
  const idx chan = walk_chan(b), later_chan = fetches ? walk_chan(part_of_channel(b, later)) : 0;
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
      loop invariant same: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant after: cells_same{Pre,Here}(turn_cells(cells,stage),k0,kept);
      loop invariant later: fetches != 0 ==> cells_hold{Pre,Here}(turn_cells(cells,stage),x,
        b.channels,b.size,b.V,later,b.lo,0,k0);
      loop invariant put: put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.lo+k0,k.m,
        k.r,k.gamma,k.beta);
      loop invariant rest: rest_same{Pre,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.lo+k0);
      loop assigns j, k0,
                   cells[4*SHARED_VEC4S*stage .. 4*SHARED_VEC4S*stage + 4*SHARED_VEC4S - 1],
                   w[0 .. BDIM-1], turn_fetched_, y[0 .. batch_all(b.n,b.channels,b.size)-1];
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == k0 + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    //@ assert to: lesser(k0+BDIM,kept) == k0+BDIM;
    /*@ assert rest_pre: cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,
                                             b.lo,k0,kept); */
    /*@ assert rest_now: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,
                                              b.lo,k0,kept); */
    //@ assert back: Same{Here,Pre}(x,batch_all(b.n,b.channels,b.size));
    /*@ assert rest_here: cells_hold{Here,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,
                                                b.lo,k0,kept); */
    ring_put_all(cells, w, stage, room, b, s, chan, fetches, later, later_chan, j, k0, 1, kept,
                 aligned, k, x, y);
    //@ assert still: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
    //@ assert below: cells_same{LoopCurrent,Here}(turn_cells(cells,stage),0,k0);
    //@ assert above: cells_same{LoopCurrent,Here}(turn_cells(cells,stage),k0+BDIM,kept);
    //@ assert over: cells_same{Pre,Here}(turn_cells(cells,stage),k0+BDIM,kept);
    /*@ assert came: fetches != 0 ==> cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,
          b.size,b.V,later,b.lo,0,k0); */
    /*@ assert come: fetches != 0 ==> cells_hold{LoopCurrent,Here}(turn_cells(cells,stage),x,
          b.channels,b.size,b.V,later,b.lo,k0,k0+BDIM); */
    /*@ assert comes: fetches != 0 ==> cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,
          b.size,b.V,later,b.lo,k0,k0+BDIM); */
    /*@ assert both: fetches != 0 ==> cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,
          b.size,b.V,later,b.lo,0,k0+BDIM); */
    /*@ assert rest: rest_same{LoopCurrent,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,
                                                 b.lo+k0+BDIM); */
    /*@ assert one: put_vectors{LoopCurrent,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,
                                                  b.lo+k0+BDIM,k.m,k.r,k.gamma,k.beta); */
    /*@ assert put: put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,b.lo+k0+BDIM,
                                          k.m,k.r,k.gamma,k.beta); */
    /*@ assert puts: put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.lo+k0+BDIM,k.m,
                                           k.r,k.gamma,k.beta); */
  }
  //@ ghost L1: ;
  if (k0 < kept) {
    //@ assert to: lesser(k0+BDIM,kept) == kept;
    /*@ assert rest_pre: cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,
                                             b.lo,k0,kept); */
    /*@ assert rest_now: cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,
                                              b.lo,k0,kept); */
    //@ assert back: Same{Here,Pre}(x,batch_all(b.n,b.channels,b.size));
    /*@ assert rest_here: cells_hold{Here,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,
                                                b.lo,k0,kept); */
    ring_put_all(cells, w, stage, room, b, s, chan, fetches, later, later_chan, j, k0, 0, kept,
                 aligned, k, x, y);
    //@ assert still: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
    //@ assert below: cells_same{L1,Here}(turn_cells(cells,stage),0,k0);
    /*@ assert came: fetches != 0 ==> cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,
          b.size,b.V,later,b.lo,0,k0); */
    /*@ assert come: fetches != 0 ==> cells_hold{L1,Here}(turn_cells(cells,stage),x,b.channels,
          b.size,b.V,later,b.lo,k0,kept); */
    /*@ assert comes: fetches != 0 ==> cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,
          b.size,b.V,later,b.lo,k0,kept); */
    /*@ assert both: fetches != 0 ==> cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,
          b.size,b.V,later,b.lo,0,kept); */
    //@ assert rest: rest_same{L1,Here}(y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,b.lo+kept);
    /*@ assert one: put_vectors{L1,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,b.lo+kept,k.m,
                                         k.r,k.gamma,k.beta); */
    /*@ assert put: put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo+k0,b.lo+kept,k.m,
                                          k.r,k.gamma,k.beta); */
    /*@ assert puts: put_vectors{Pre,Here}(x,y,b.n,b.channels,b.size,b.V,b.c,b.lo,b.lo+kept,k.m,
                                           k.r,k.gamma,k.beta); */
  }
  //@ assert end: Same{Here,Pre}(x,batch_all(b.n,b.channels,b.size));
  /*@ assert all: fetches != 0 ==> cells_hold{Pre,Here}(turn_cells(cells,stage),x,b.channels,b.size,
        b.V,later,b.lo,0,kept); */
}
#endif
