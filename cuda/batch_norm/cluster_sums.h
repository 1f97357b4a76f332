/* Reduction pass of variant cluster, over a share that waits in its stage (cluster_ring.h). */
#ifndef PM_BATCH_NORM_CLUSTER_SUMS_H
#define PM_BATCH_NORM_CLUSTER_SUMS_H
#include "share_exchange.h"
#include "cluster_ring.h"

/* Vector w, which is cell j of thread t. */
/*@ requires block && 0 <= t < BDIM && 0 <= j && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < kept;
    requires turn_room(cells,stage,room,kept) && turn_fetched_ <= 4*(k0+t);
    requires batch_ok(b) && walk_in(b,w) && ix(w.row,b.V,w.col) == b.lo + (k0+t);
    requires cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,from,
                                 kept);
    requires from <= k0 + t;
    assigns \nothing;
    ensures norm_vec(\result,x+Row(w.row,b.channels,b.c,b.size),0.0,w.col,b.size); */
DEV float4 ring_get(ASYNC_RING_PARAM(cells), int stage, int room, int j, int k0,
                    int t GHOST_PARAMS(batch_part b, batch_walk w, int from, int kept,
                                       const float *x))
{
  /*@ assert holds: cell_holds{Here,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.c,k0+t,
                                          w.row,w.col); */
  const float4 u = RING_LOAD(cells, stage, room, j, k0, t);
  //@ assert u.x == turn_cells(cells,stage)[4*(k0+t)] && u.y == turn_cells(cells,stage)[4*(k0+t)+1];
  //@ assert u.z == turn_cells(cells,stage)[4*(k0+t)+2];
  //@ assert u.w == turn_cells(cells,stage)[4*(k0+t)+3];
  //@ assert u.x == About(x+Row(w.row,b.channels,b.c,b.size),0.0,4*w.col,b.size);
  //@ assert u.y == About(x+Row(w.row,b.channels,b.c,b.size),0.0,4*w.col+1,b.size);
  //@ assert u.z == About(x+Row(w.row,b.channels,b.c,b.size),0.0,4*w.col+2,b.size);
  //@ assert u.w == About(x+Row(w.row,b.channels,b.c,b.size),0.0,4*w.col+3,b.size);
  return u;
}

/* What vector w, which is cell j of thread t, adds to a thread's sum of elements, or of their
 * squares about m, is added to acc of thread t. */
/*@ requires block && 0 <= t < BDIM && 0 <= j && k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < kept;
    requires turn_room(cells,stage,room,kept) && turn_fetched_ == 0;
    requires batch_ok(b) && walk_in(b,w) && ix(w.row,b.V,w.col) == b.lo + (k0+t);
    requires aligned != 0 ==> b.size == 4*b.V;
    requires squares == 0 ==> is_zero(m);
    requires cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,0,kept);
    requires \valid(acc + (0 .. BDIM-1)) && turns_apart(cells,acc,BDIM);
    requires apart(acc,BDIM,x,batch_all(b.n,b.channels,b.size));
    assigns acc[t];
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures cells_same{Pre,Post}(turn_cells(cells,stage),0,kept);
    ensures SumR(acc,0,BDIM) == \old(SumR(acc,0,BDIM)) +
      (Until{Pre}(squares,x,m,b,b.lo+k0+t+1) - Until{Pre}(squares,x,m,b,b.lo+k0+t)); */
DEV void ring_add_one(PER_THREAD(float, acc), ASYNC_RING_PARAM(cells), int stage, int room, int j,
                      int k0, int t, batch_part b, batch_walk w, int squares, int aligned,
                      float m GHOST_PARAMS(int kept, const float *x))
{
  const float4 u = ring_get(cells, stage, room, j, k0, t GHOST_ARGS(b, w, 0, kept, x));
  AT(acc, t) += batch_adds(b, walk_vector(w), squares, aligned, m, u GHOST_ARGS(b.lo + k0 + t, x));
  //@ assert only{Pre,Here}(acc, t, BDIM);
}

/* The vectors k0 + t below `kept` are added to acc, or their squares about m. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_at(b,0,kept,j,k0);
    requires whole != 0 ==> k0 + BDIM <= kept;
    requires turn_room(cells,stage,room,kept) && turn_fetched_ == 0;
    requires (aligned != 0 ==> b.size == 4*b.V) && (squares == 0 ==> is_zero(m));
    requires cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,0,kept);
    requires \valid(acc + (0 .. BDIM-1)) && turns_apart(cells,acc,BDIM);
    requires apart(acc,BDIM,x,batch_all(b.n,b.channels,b.size));
    requires \valid(w + (0 .. BDIM-1)) && walks_at(w,0,BDIM,b.lo+k0,s);
    assigns acc[0 .. BDIM-1], w[0 .. BDIM-1];
    ensures SumR(acc,0,BDIM) == \old(SumR(acc,0,BDIM)) +
      (Until{Pre}(squares,x,m,b,b.lo+lesser(k0+BDIM,kept)) - Until{Pre}(squares,x,m,b,b.lo+k0));
    ensures walks_at(w,0,BDIM,b.lo+k0+BDIM,s); */
DEV void ring_add_all(PER_THREAD(float, acc), ASYNC_RING_PARAM(cells), PER_THREAD(batch_walk, w),
                      int stage, int room, batch_part b, walk_step s, int j, int k0, int whole,
                      int kept, int squares, int aligned, float m GHOST_PARAMS(const float *x))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant walks_at(w,0,t,b.lo+k0+BDIM,s);
      loop invariant walks_at(w,t,BDIM,b.lo+k0,s);
      loop invariant Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
      loop invariant cells_same{Pre,Here}(turn_cells(cells,stage),0,kept);
      loop invariant SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
        (Until{Pre}(squares,x,m,b,b.lo+lesser(k0+t,kept)) - Until{Pre}(squares,x,m,b,b.lo+k0));
      loop assigns t, acc[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    //@ assert k0 + t < kept ==> walk_in(b,w[t]);
    //@ assert kept <= k0 + t ==> lesser(k0+t+1,kept) == lesser(k0+t,kept);
    if (whole || k0 + t < kept) {
      /*@ assert held: cells_hold{Here,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,
                                             b.lo,0,kept); */
      //@ assert Until(squares,x,m,b,b.lo+k0+t) == Until{Pre}(squares,x,m,b,b.lo+k0+t);
      //@ assert Until(squares,x,m,b,b.lo+k0+t+1) == Until{Pre}(squares,x,m,b,b.lo+k0+t+1);
      ring_add_one(acc, cells, stage, room, j, k0, t, b, AT(w, t), squares, aligned,
                   m GHOST_ARGS(kept, x));
      //@ assert Same{LoopCurrent,Here}(x,batch_all(b.n,b.channels,b.size));
      //@ assert Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      //@ assert cells_same{Pre,Here}(turn_cells(cells,stage),0,kept);
      //@ assert lesser(k0+t,kept) == k0+t && lesser(k0+t+1,kept) == k0+t+1;
      /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),LoopCurrent) +
            (Until{Pre}(squares,x,m,b,b.lo+k0+t+1) - Until{Pre}(squares,x,m,b,b.lo+k0+t)); */
      /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
            (Until{Pre}(squares,x,m,b,b.lo+k0+t+1) - Until{Pre}(squares,x,m,b,b.lo+k0)); */
      /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
            (Until{Pre}(squares,x,m,b,b.lo+lesser(k0+t+1,kept)) -
             Until{Pre}(squares,x,m,b,b.lo+k0)); */
    }
    /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
          (Until{Pre}(squares,x,m,b,b.lo+lesser(k0+t+1,kept)) -
           Until{Pre}(squares,x,m,b,b.lo+k0)); */
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    AT(w, t) = walk_next(AT(w, t), s GHOST_ARGS(b, b.lo + k0 + t));
    //@ assert walk_at(w[t],b.lo+k0+BDIM+t,s.V,s.pitch);
    //@ assert walks_at(w,0,t,b.lo+k0+BDIM,s);
    //@ assert walks_at(w,t+1,BDIM,b.lo+k0,s);
  }
}

/* What waits of the share, or its squares about m, is added to the threads' sums. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept);
    requires turn_room(cells,stage,room,kept) && turn_fetched_ == 0;
    requires (aligned != 0 ==> b.size == 4*b.V) && (squares == 0 ==> is_zero(m));
    requires cells_hold{Pre,Pre}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,b.lo,0,kept);
    requires \valid(acc + (0 .. BDIM-1)) && turns_apart(cells,acc,BDIM);
    requires apart(acc,BDIM,x,batch_all(b.n,b.channels,b.size));
    requires \valid_read(begin + (0 .. BDIM-1)) && walks_at(begin,0,BDIM,b.lo,s);
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc,0,BDIM) == \old(SumR(acc,0,BDIM)) +
      (Until{Pre}(squares,x,m,b,b.lo+kept) - Until{Pre}(squares,x,m,b,b.lo)); */
DEV void ring_add(PER_THREAD(float, acc), ASYNC_RING_PARAM(cells), PER_THREAD(batch_walk, begin),
                  int stage, int room, batch_part b, walk_step s, int kept, int squares,
                  int aligned, float m GHOST_PARAMS(const float *x))
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
      loop invariant walks_at(&w[0],0,BDIM,b.lo+k0,s);
      loop invariant Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
      loop invariant cells_same{Pre,Here}(turn_cells(cells,stage),0,kept);
      loop invariant SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
        (Until{Pre}(squares,x,m,b,b.lo+k0) - Until{Pre}(squares,x,m,b,b.lo));
      loop assigns j, k0, acc[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == k0 + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    //@ assert Until(squares,x,m,b,b.lo+k0) == Until{Pre}(squares,x,m,b,b.lo+k0);
    //@ assert Until(squares,x,m,b,b.lo+k0+BDIM) == Until{Pre}(squares,x,m,b,b.lo+k0+BDIM);
    //@ assert lesser(k0+BDIM,kept) == k0+BDIM;
    /*@ assert held: cells_hold{Here,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,
                                           b.lo,0,kept); */
    ring_add_all(acc, cells, w, stage, room, b, s, j, k0, 1, kept, squares, aligned,
                 m GHOST_ARGS(x));
    //@ assert Same{LoopCurrent,Here}(x,batch_all(b.n,b.channels,b.size));
    //@ assert Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
    //@ assert cells_same{LoopCurrent,Here}(turn_cells(cells,stage),0,kept);
  }
  if (k0 < kept) {
    //@ assert Until(squares,x,m,b,b.lo+k0) == Until{Pre}(squares,x,m,b,b.lo+k0);
    //@ assert Until(squares,x,m,b,b.lo+kept) == Until{Pre}(squares,x,m,b,b.lo+kept);
    //@ assert lesser(k0+BDIM,kept) == kept;
    /*@ assert held: cells_hold{Here,Here}(turn_cells(cells,stage),x,b.channels,b.size,b.V,b.c,
                                           b.lo,0,kept); */
    ring_add_all(acc, cells, w, stage, room, b, s, j, k0, 0, kept, squares, aligned,
                 m GHOST_ARGS(x));
    /*@ assert rest: SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
          (Until{Pre}(squares,x,m,b,b.lo+kept) - Until{Pre}(squares,x,m,b,b.lo)); */
  } else {
    //@ assert k0 == kept;
    /*@ assert none: SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
          (Until{Pre}(squares,x,m,b,b.lo+kept) - Until{Pre}(squares,x,m,b,b.lo)); */
  }
}
#endif
