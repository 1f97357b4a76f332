/* Reduction pass of variant cached: sums of a block's share of a channel (share.h), of which the
 * first vectors wait and the others are read again. */
#ifndef PM_BATCH_NORM_CACHED_SUMS_H
#define PM_BATCH_NORM_CACHED_SUMS_H
#include "share_exchange.h"

/*@ // what a block knows of the vectors that wait below `to`
    predicate share_knows{L}(float *cells, float *x, batch_part b, integer kept, integer to) =
      kept != 0 ==> cells_hold{L,L}(cells,x,b.channels,b.size,b.V,b.c,b.lo,0,to);
    // and that they lie apart from what is written
    predicate share_apart{L}(float *cells, integer kept, integer to, float *a, integer n) =
      kept != 0 ==> cells_apart(cells,to,a,n);
    // the threads' sums, apart from the tensor
    predicate share_sums{L}(float *acc, float *x, batch_part b) = \valid(acc + (0 .. BDIM-1)) &&
      \separated(acc + (0 .. BDIM-1), x + (0 .. batch_all(b.n,b.channels,b.size)-1)); */

/* Vector w of the share, from where it waits or from x. */
/*@ requires block && chan_ok(b) && 0 <= t < BDIM && 0 <= w.row < b.n;
    requires 0 <= k0 && at_vector(w,b.lo+k0+t,b.V) && batch_in(b,x,aligned);
    requires kept != 0 ==> k0 == mul(j,bdim_) && k0 + t < to <= ROOM && pending_ == 0 &&
      \valid_read(cells + (0 .. 4*to-1));
    requires share_knows(cells,x,b,kept,to);
    assigns \nothing;
    ensures norm_vec(\result,x+batch_row(b,w),0.0,w.col,b.size); */
DEV float4 share_get(CELLS_PARAM(cells), int kept, int j, int k0, int t, batch_part b, batch_at w,
                     int aligned, const float *RESTRICT x GHOST_PARAMS(int to))
{
  //@ assert kept != 0 ==> cells_hold{Here,Here}(cells,x,b.channels,b.size,b.V,b.c,b.lo,0,to);
  //@ assert ix(w.row,b.V,w.col) == b.lo + (k0 + t);
  //@ assert kept != 0 ==> cell_holds{Here,Here}(cells,x,b.channels,b.size,b.c,k0+t,w.row,w.col);
  return share_take(cells, kept, j, k0, t, b, w, aligned, x GHOST_ARGS(to));
}

/* What vector w adds to a sum of the elements, or of their squares about m, is added to acc of
 * thread t. */
/*@ requires block && chan_ok(b) && 0 <= t < BDIM && 0 <= w.row < b.n;
    requires 0 <= k0 && at_vector(w,b.lo+k0+t,b.V) && batch_in(b,x,aligned);
    requires kept != 0 ==> k0 == mul(j,bdim_) && k0 + t < to <= ROOM && pending_ == 0 &&
      \valid_read(cells + (0 .. 4*to-1));
    requires share_knows(cells,x,b,kept,to) && (squares == 0 ==> is_zero(m));
    requires \valid(acc + (0 .. BDIM-1));
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. batch_all(b.n,b.channels,b.size)-1));
    requires kept != 0 ==> \separated(cells + (0 .. 4*to-1), acc + (0 .. BDIM-1));
    assigns acc[t];
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures kept != 0 ==> Same{Pre,Post}(cells,4*to);
    ensures SumR(acc,0,BDIM) == \old(SumR(acc,0,BDIM)) +
      (Until{Pre}(squares,x,m,b,b.lo+k0+t+1) - Until{Pre}(squares,x,m,b,b.lo+k0+t)); */
DEV void share_add_one(PER_THREAD(float, acc), CELLS_PARAM(cells), int kept, int j, int k0, int t,
                       batch_part b, batch_at w, int squares, int aligned, float m,
                       const float *RESTRICT x GHOST_PARAMS(int to))
{
  const float4 u = share_get(cells, kept, j, k0, t, b, w, aligned, x GHOST_ARGS(to));
  AT(acc, t) += batch_adds(b, w, squares, aligned, m, u GHOST_ARGS(b.lo + k0 + t, x));
  //@ assert only{Pre,Here}(acc, t, BDIM);
}

/* The vectors k0 + t below `to` are added to acc, or their squares about m. */
/*@ requires block && chan_ok(b) && at_vector(step,BDIM,b.V) && share_at(b,from,to,j,k0);
    requires whole != 0 ==> k0 + BDIM <= to;
    requires share_waits(cells,kept,from,to) && batch_in(b,x,aligned);
    requires share_knows(cells,x,b,kept,to) && (squares == 0 ==> is_zero(m));
    requires share_sums(acc,x,b) && share_apart(cells,kept,to,acc,BDIM);
    requires \valid(w + (0 .. BDIM-1)) && at_vectors(w,0,BDIM,b.lo+k0,b.V);
    assigns acc[0 .. BDIM-1], w[0 .. BDIM-1];
    ensures SumR(acc,0,BDIM) == \old(SumR(acc,0,BDIM)) +
      (Until{Pre}(squares,x,m,b,b.lo+lesser(k0+BDIM,to)) - Until{Pre}(squares,x,m,b,b.lo+k0));
    ensures at_vectors(w,0,BDIM,b.lo+k0+BDIM,b.V); */
DEV void share_add_all(PER_THREAD(float, acc), CELLS_PARAM(cells), PER_THREAD(batch_at, w),
                       batch_part b, batch_at step, int j, int k0, int whole, int to, int kept,
                       int squares, int aligned, float m,
                       const float *RESTRICT x GHOST_PARAMS(int from))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(w,0,t,b.lo+k0+BDIM,b.V);
      loop invariant at_vectors(w,t,BDIM,b.lo+k0,b.V);
      loop invariant Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
      loop invariant kept != 0 ==> Same{Pre,Here}(cells,4*to);
      loop invariant SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
        (Until{Pre}(squares,x,m,b,b.lo+lesser(k0+t,to)) - Until{Pre}(squares,x,m,b,b.lo+k0));
      loop assigns t, acc[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert at_vector(w[t],b.lo+k0+t,b.V);
    //@ assert k0 + t < to ==> 0 <= w[t].row < b.n;
    //@ assert share_knows(cells,x,b,kept,to);
    //@ assert to <= k0 + t ==> lesser(k0+t+1,to) == lesser(k0+t,to);
    if (whole || k0 + t < to) {
      //@ assert Until(squares,x,m,b,b.lo+k0+t) == Until{Pre}(squares,x,m,b,b.lo+k0+t);
      //@ assert Until(squares,x,m,b,b.lo+k0+t+1) == Until{Pre}(squares,x,m,b,b.lo+k0+t+1);
      share_add_one(acc, cells, kept, j, k0, t, b, AT(w, t), squares, aligned, m, x GHOST_ARGS(to));
      //@ assert Same{LoopCurrent,Here}(x,batch_all(b.n,b.channels,b.size));
      //@ assert Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      //@ assert kept != 0 ==> Same{Pre,Here}(cells,4*to);
      //@ assert lesser(k0+t,to) == k0+t && lesser(k0+t+1,to) == k0+t+1;
      /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),LoopCurrent) +
            (Until{Pre}(squares,x,m,b,b.lo+k0+t+1) - Until{Pre}(squares,x,m,b,b.lo+k0+t)); */
      /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
            (Until{Pre}(squares,x,m,b,b.lo+k0+t+1) - Until{Pre}(squares,x,m,b,b.lo+k0)); */
      /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
            (Until{Pre}(squares,x,m,b,b.lo+lesser(k0+t+1,to)) -
             Until{Pre}(squares,x,m,b,b.lo+k0)); */
    }
    /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
          (Until{Pre}(squares,x,m,b,b.lo+lesser(k0+t+1,to)) - Until{Pre}(squares,x,m,b,b.lo+k0)); */
    //@ assert at_vector(w[t],b.lo+k0+t,b.V);
    AT(w, t) = batch_next(AT(w, t), step, b.V GHOST_ARGS(b.lo + k0 + t, BDIM));
    //@ assert at_vector(w[t],b.lo+k0+BDIM+t,b.V);
    //@ assert at_vectors(w,0,t,b.lo+k0+BDIM,b.V);
    //@ assert at_vectors(w,t+1,BDIM,b.lo+k0,b.V);
  }
}

/* The vectors from .. to-1 of the share. */
/*@ requires block && chan_ok(b) && at_vector(step,BDIM,b.V) && share_range(b,from,to);
    requires from <= to;
    requires share_waits(cells,kept,from,to) && batch_in(b,x,aligned);
    requires share_knows(cells,x,b,kept,to) && (squares == 0 ==> is_zero(m));
    requires share_sums(acc,x,b) && share_apart(cells,kept,to,acc,BDIM);
    requires \valid(w + (0 .. BDIM-1)) && at_vectors(w,0,BDIM,b.lo+from,b.V);
    assigns acc[0 .. BDIM-1], w[0 .. BDIM-1];
    ensures SumR(acc,0,BDIM) == \old(SumR(acc,0,BDIM)) +
      (Until{Pre}(squares,x,m,b,b.lo+to) - Until{Pre}(squares,x,m,b,b.lo+from)); */
DEV void share_add(PER_THREAD(float, acc), CELLS_PARAM(cells), PER_THREAD(batch_at, w),
                   batch_part b, batch_at step, int from, int to, int kept, int squares,
                   int aligned, float m, const float *RESTRICT x)
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
      loop invariant SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
      loop invariant share_knows(cells,x,b,kept,to);
      loop invariant SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
        (Until{Pre}(squares,x,m,b,b.lo+k0) - Until{Pre}(squares,x,m,b,b.lo+from));
      loop assigns j, k0, acc[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == mul(j,bdim_) + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    //@ assert Until(squares,x,m,b,b.lo+k0) == Until{Pre}(squares,x,m,b,b.lo+k0);
    //@ assert Until(squares,x,m,b,b.lo+k0+BDIM) == Until{Pre}(squares,x,m,b,b.lo+k0+BDIM);
    //@ assert lesser(k0+BDIM,to) == k0+BDIM;
    share_add_all(acc, cells, w, b, step, j, k0, 1, to, kept, squares, aligned, m,
                  x GHOST_ARGS(from));
    //@ assert Same{LoopCurrent,Here}(x,batch_all(b.n,b.channels,b.size));
    //@ assert Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
    //@ assert kept != 0 ==> Same{LoopCurrent,Here}(cells,4*to);
    //@ assert share_knows(cells,x,b,kept,to);
  }
  if (k0 < to) {
    //@ assert Until(squares,x,m,b,b.lo+k0) == Until{Pre}(squares,x,m,b,b.lo+k0);
    //@ assert Until(squares,x,m,b,b.lo+to) == Until{Pre}(squares,x,m,b,b.lo+to);
    //@ assert lesser(k0+BDIM,to) == to;
    share_add_all(acc, cells, w, b, step, j, k0, 0, to, kept, squares, aligned, m,
                  x GHOST_ARGS(from));
    /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
          (Until{Pre}(squares,x,m,b,b.lo+to) - Until{Pre}(squares,x,m,b,b.lo+from)); */
  } else {
    //@ assert k0 == to;
    /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
          (Until{Pre}(squares,x,m,b,b.lo+to) - Until{Pre}(squares,x,m,b,b.lo+from)); */
  }
}

/* ---- what waits of a share, and the rest ---- */

/*@ requires block && chan_ok(b) && at_vector(step,BDIM,b.V) && share_range(b,0,kept);
    requires share_waits(cells,1,0,kept) && batch_in(b,x,aligned);
    requires share_knows(cells,x,b,1,kept) && (squares == 0 ==> is_zero(m));
    requires share_sums(acc,x,b) && share_apart(cells,1,kept,acc,BDIM);
    requires \valid(w + (0 .. BDIM-1)) && \valid_read(begin + (0 .. BDIM-1));
    requires \separated(w + (0 .. BDIM-1), begin + (0 .. BDIM-1));
    requires at_vectors(begin,0,BDIM,b.lo,b.V);
    assigns acc[0 .. BDIM-1], w[0 .. BDIM-1];
    ensures SumR(acc,0,BDIM) == \old(SumR(acc,0,BDIM)) +
      (Until{Pre}(squares,x,m,b,b.lo+kept) - Until{Pre}(squares,x,m,b,b.lo)); */
DEV void share_add_kept(PER_THREAD(float, acc), CELLS_PARAM(cells), PER_THREAD(batch_at, w),
                        PER_THREAD(batch_at, begin), batch_part b, batch_at step, int kept,
                        int squares, int aligned, float m, const float *RESTRICT x)
{
  share_again(w, begin GHOST_ARGS(b.lo, b.V));
  share_add(acc, cells, w, b, step, 0, kept, 1, squares, aligned, m, x);
}

/*@ requires block && chan_ok(b) && at_vector(step,BDIM,b.V);
    requires 0 <= kept <= vectors == b.hi - b.lo && batch_in(b,x,aligned);
    requires share_sums(acc,x,b) && \valid(w + (0 .. BDIM-1)) && (squares == 0 ==> is_zero(m));
    assigns acc[0 .. BDIM-1], w[0 .. BDIM-1];
    ensures SumR(acc,0,BDIM) == \old(SumR(acc,0,BDIM)) +
      (Until{Pre}(squares,x,m,b,b.hi) - Until{Pre}(squares,x,m,b,b.lo+kept)); */
DEV void share_add_rest(PER_THREAD(float, acc), CELLS_PARAM(cells), PER_THREAD(batch_at, w),
                        batch_part b, batch_at step, int kept, int vectors, int squares,
                        int aligned, float m, const float *RESTRICT x)
{
  share_begin(w, b, kept);
  share_add(acc, cells, w, b, step, kept, vectors, 0, squares, aligned, m, x);
}
#endif
