/* batch_norm where a cluster of blocks does a channel (batch_norm_shares.h), which it reads once and in
 * part again: x, y are (n, channels, size), the other tensors (channels). */
#include "batch_norm_shift.h"
#include "batch_norm_values.h"

/*@ // what a block knows of the vectors that wait below `to`
    predicate share_knows{L}(float *cells, float *x, batch_part b, integer kept, integer to) =
      kept != 0 ==> cells_hold{L,L}(cells,x,b.channels,b.size,b.V,b.c,b.lo,0,to);
    // and that they lie apart from what is written
    predicate share_apart{L}(float *cells, integer kept, integer to, float *a, integer n) =
      kept != 0 ==> cells_apart(cells,to,a,n);
    // the lanes' sums, apart from the tensor
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
DEV float4 share_get(LANE_CELLS(cells), int kept, int j, int k0, int t, batch_part b, batch_at w,
                     int aligned, const float *RESTRICT x GHOST_PARAMS(int to))
{
  //@ assert kept != 0 ==> cells_hold{Here,Here}(cells,x,b.channels,b.size,b.V,b.c,b.lo,0,to);
  //@ assert ix(w.row,b.V,w.col) == b.lo + (k0 + t);
  //@ assert kept != 0 ==> cell_holds{Here,Here}(cells,x,b.channels,b.size,b.c,k0+t,w.row,w.col);
  return share_take(cells, kept, j, k0, t, b, w, aligned, x GHOST_ARGS(to));
}

/* What vector w adds to a sum of the elements, or of their squares about m, is added to acc of lane t. */
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
DEV void share_add_one(LANE(float, acc), LANE_CELLS(cells), int kept, int j, int k0, int t,
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
DEV void share_add_all(LANE(float, acc), LANE_CELLS(cells), LANE(batch_at, w), batch_part b,
                       batch_at step, int j, int k0, int whole, int to, int kept, int squares,
                       int aligned, float m, const float *RESTRICT x GHOST_PARAMS(int from))
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
  LANES(t) {
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
DEV void share_add(LANE(float, acc), LANE_CELLS(cells), LANE(batch_at, w), batch_part b,
                   batch_at step, int from, int to, int kept, int squares, int aligned, float m,
                   const float *RESTRICT x)
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
DEV void share_put_one(LANE_CELLS(cells), int kept, int j, int k0, int t, batch_part b, batch_at w,
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
DEV void share_put_at(LANE_CELLS(cells), int kept, int j, int k0, int t, batch_part b, batch_at w,
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
DEV void share_put_all(LANE_CELLS(cells), LANE(batch_at, w), batch_part b, batch_at step, int j,
                       int k0, int whole, int to, int kept, int aligned, share_shift k,
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
  LANES(t) {
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
DEV void share_put(LANE_CELLS(cells), LANE(batch_at, w), batch_part b, batch_at step, int from,
                   int to, int kept, int aligned, share_shift k, const float *RESTRICT x,
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
DEV void share_add_kept(LANE(float, acc), LANE_CELLS(cells), LANE(batch_at, w),
                        LANE(batch_at, begin), batch_part b, batch_at step, int kept, int squares,
                        int aligned, float m, const float *RESTRICT x)
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
DEV void share_add_rest(LANE(float, acc), LANE_CELLS(cells), LANE(batch_at, w), batch_part b,
                        batch_at step, int kept, int vectors, int squares, int aligned, float m,
                        const float *RESTRICT x)
{
  share_begin(w, b, kept);
  share_add(acc, cells, w, b, step, kept, vectors, 0, squares, aligned, m, x);
}

/* The sum over the cluster of its lanes' acc. The tensor, and what waits of it, stay. */
/*@ requires block && in_cluster_of(rank,in_cluster) && 1 <= met_ && away_ == 0;
    requires \valid(pairs + (0 .. PAIRS-1)) && pairs_met(pairs,PAIRS,met_);
    requires \valid(acc + (0 .. BDIM-1));
    requires \separated(acc + (0 .. BDIM-1), pairs + (0 .. PAIRS-1));
    requires share_sums(acc,x,b) && share_apart(cells,1,kept,acc,BDIM);
    requires \separated(x + (0 .. batch_all(b.n,b.channels,b.size)-1), pairs + (0 .. PAIRS-1));
    requires \separated(cells + (0 .. 4*kept-1), pairs + (0 .. PAIRS-1));
    assigns acc[0 .. BDIM-1], pairs[0 .. PAIRS-1], met_, away_;
    ensures met_ == \old(met_) + 1 && away_ == 0;
    ensures Same{Pre,Post}(x,batch_all(b.n,b.channels,b.size));
    ensures Same{Pre,Post}(cells,4*kept); */
DEV float share_total(LANE(float, acc), float2 *pairs, int rank,
                      int in_cluster GHOST_PARAMS(batch_part b, int kept, const float *x,
                                                  const float *cells))
{
  PRIVATE(float, none);
  share_zero(none);
  //@ assert none_x: Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert none_cells: Same{Pre,Here}(cells,4*kept);
  /*@ assert apart_x: \forall integer i; 0 <= i < batch_all(b.n,b.channels,b.size) ==>
        \separated(x+i, acc + (0 .. BDIM-1)) && \separated(x+i, &none[0] + (0 .. BDIM-1)) &&
        \separated(x+i, pairs + (0 .. PAIRS-1)); */
  /*@ assert apart_cells: \forall integer i; 0 <= i < 4*kept ==>
        \separated(cells+i, acc + (0 .. BDIM-1)) && \separated(cells+i, &none[0] + (0 .. BDIM-1)) &&
        \separated(cells+i, pairs + (0 .. PAIRS-1)); */
  //@ ghost L1: ;
  const float2 s = cluster_sums(acc, none, pairs, rank, in_cluster);
  //@ assert sum_x: Same{L1,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert sum_cells: Same{L1,Here}(cells,4*kept);
  return s.x;
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
DEV void share_leave(LANE_CELLS(cells), LANE(batch_at, w), LANE(batch_at, begin), batch_part b,
                     batch_at step, int kept, int vectors, int aligned, share_shift k,
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

/* What a block does of its channel; the first of a cluster leaves mean and rstd. */
/*@ requires block && chan_ok(b) && 0 <= p.kept <= ROOM && in_cluster_of(rank,p.in_cluster);
    requires share_tensors(b,aligned,x,gamma,beta,y,mean,rstd) && batch_apart(b,x,y);
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
  //@ assert share_knows(&cells[0],x,b,1,kept);
  //@ ghost L1: ;
  share_zero(acc);
  share_add_rest(acc, cells, w, b, step, kept, vectors, 0, aligned, 0.0f, x);
  copy_wait();
  //@ assert Same{L1,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert Same{L1,Here}(&cells[0],4*kept);
  //@ assert share_knows(&cells[0],x,b,1,kept);
  share_add_kept(acc, cells, w, begin, b, step, kept, 0, aligned, 0.0f, x);
  cluster_wait();
  //@ assert Same{L1,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert Same{L1,Here}(&cells[0],4*kept);
  //@ assert share_knows(&cells[0],x,b,1,kept);
  //@ ghost L2: ;
  k.m = batch_mean(share_total(acc, sums, rank, p.in_cluster GHOST_ARGS(b, kept, x, &cells[0])),
                   b.n, b.size);
  //@ assert Same{L2,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert Same{L2,Here}(&cells[0],4*kept);
  share_zero(acc);
  //@ assert Same{L2,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert Same{L2,Here}(&cells[0],4*kept);
  //@ assert share_knows(&cells[0],x,b,1,kept);
  share_add_kept(acc, cells, w, begin, b, step, kept, 1, aligned, k.m, x);
  share_add_rest(acc, cells, w, b, step, kept, vectors, 1, aligned, k.m, x);
  //@ assert Same{L2,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert Same{L2,Here}(&cells[0],4*kept);
  //@ assert share_knows(&cells[0],x,b,1,kept);
  //@ ghost L3: ;
  k.r = batch_rstd(share_total(acc, squares, rank, p.in_cluster GHOST_ARGS(b, kept, x, &cells[0])),
                   b.n, b.size, eps);
  //@ assert Same{L3,Here}(x,batch_all(b.n,b.channels,b.size));
  //@ assert Same{L3,Here}(&cells[0],4*kept);
  //@ assert share_knows(&cells[0],x,b,1,kept);
  share_leave(cells, w, begin, b, step, kept, vectors, aligned, k, x, y);
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
      //@ assert batch_in(b,x,VEC) && batch_puts(b,y,VEC) && batch_apart(b,x,y);
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
