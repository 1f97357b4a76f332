/* Split channels: what the kernels of variant parts have in common: x is (n, channels, size), a
 * channel of it n rows of V = ceil(size / 4) vectors of four elements, of which a block has a
 * part. Vector v of a channel is number v % V of row v / V. */
#ifndef PM_BATCH_NORM_PART_H
#define PM_BATCH_NORM_PART_H
#include "../math/elementary.h"
#include "../row/centered.h"
#include "../sum/tail.h"
#include "../../spec/batch_norm.h"
#include "../../spec/walk.h"

/* Where a vector is. */
typedef struct batch_at {
  idx row, col;
} batch_at;

/* What a block does: the vectors lo <= v < hi of channel c. */
typedef struct batch_part {
  idx n, channels, size, V, c, lo, hi;
} batch_part;

/*@ logic integer batch_all(integer n, integer channels, integer size) =
      ix(ix(n,channels,0),size,0);
    predicate batch_sizes(integer n, integer channels, integer size, integer V) =
      0 < n && 0 <= channels && 0 < size && 4*V-4 < size <= 4*V && ix(n,channels,0) <= IDX_LIM &&
      ix(n,size,0) <= IDX_LIM && ix(n,V,0) <= IDX_LIM && batch_all(n,channels,size) <= IDX_LIM;
    predicate batch_ok(batch_part b) =
      batch_sizes(b.n,b.channels,b.size,b.V) && 0 <= b.c < b.channels &&
      0 <= b.lo <= b.hi <= ix(b.n,b.V,0);
    predicate batch_in{L}(batch_part b, float *x, integer aligned) =
      \valid_read(x + (0 .. batch_all(b.n,b.channels,b.size)-1)) &&
      perm_r(x,batch_all(b.n,b.channels,b.size)) &&
      (aligned != 0 ==> aligned16(x) && b.size == 4*b.V);
    predicate at_vector(batch_at w, integer v, integer V) =
      0 <= w.row && 0 <= w.col < V && ix(w.row,V,w.col) == v;
    predicate at_vectors{L}(batch_at *w, integer from, integer to, integer k, integer V) =
      \forall integer t; from <= t < to ==> at_vector(w[t],k+t,V);
    lemma quo_ix: \forall integer i, j, V; 0 <= i ==> 0 <= j < V ==> quo(ix(i,V,j),V) == i;
    lemma rem_ix: \forall integer i, j, V; 0 <= i ==> 0 <= j < V ==> rem(ix(i,V,j),V) == j;
    lemma ix_next: \forall integer i, j, k, l, V;
      ix(i+k,V,j+l) == ix(i,V,j) + ix(k,V,l) &&
      ix(i+k+1,V,j+l-V) == ix(i,V,j) + ix(k,V,l);
    predicate four(integer a, integer b) = a == 4*b;
    lemma ix_four: \forall integer r, n, k, V, v; four(n,V) ==> four(k,v) ==>
      four(ix(r,n,k),ix(r,V,v));
    lemma ix_row_grows: \forall integer i, j, V; 0 <= i ==> 0 <= j < V ==> i <= ix(i,V,j);
    lemma ix_row_below: \forall integer i, j, V, n; 0 <= i ==> 0 <= j < V ==>
      ix(i,V,j) < ix(n,V,0) ==> i < n;
    // the first element of row i, and the elements of a vector
    logic integer batch_row(batch_part b, batch_at w) = Row(w.row,b.channels,b.c,b.size);
    logic integer batch_have(batch_part b, batch_at w) = lesser(4,b.size-4*w.col);

    // the sum of a channel's elements, or of their squares about m, over rows below i
    logic real ChanNorm{L}(integer squares, float *x, real m, integer channels, integer size,
                           integer c, integer i) =
      squares == 0 ? ChanSum(x,channels,size,c,i) : ChanDev(x,m,channels,size,c,i);
    // over vectors below v
    logic real Before{L}(integer squares, float *x, real m, integer channels, integer size,
                         integer c, integer V, integer v) =
      ChanNorm(squares,x,m,channels,size,c,quo(v,V)) +
        NormSum(squares,x+Row(quo(v,V),channels,c,size),m,lesser(4*rem(v,V),size));
    predicate before_is{L}(integer squares, float *x, real m, integer channels, integer size,
                           integer c, integer V, integer v, integer i, integer j) =
      Before(squares,x,m,channels,size,c,V,v) == ChanNorm(squares,x,m,channels,size,c,i) +
        NormSum(squares,x+Row(i,channels,c,size),m,lesser(4*j,size));
    lemma before_at{L}: \forall integer squares, float *x, real m, integer channels, size, c, V, v,
      i, j; 0 <= i ==> 0 <= j < V ==> v == ix(i,V,j) ==>
      before_is(squares,x,m,channels,size,c,V,v,i,j);
    lemma before_row{L}: \forall integer squares, float *x, real m, integer channels, size, c, i;
      0 <= i ==> ChanNorm(squares,x,m,channels,size,c,i+1) ==
      ChanNorm(squares,x,m,channels,size,c,i) +
        NormSum(squares,x+Row(i,channels,c,size),m,size);
    lemma before_over{L}: \forall integer squares, float *x, real m, integer channels, size, c, V,
      v, i; 0 <= i ==> 0 < V ==> 0 < size <= 4*V ==> v == ix(i+1,V,0) ==>
      before_is(squares,x,m,channels,size,c,V,v,i,V);
    lemma ix_end: \forall integer i, V; ix(i,V,V) == ix(i+1,V,0);
    lemma before_any{L}: \forall integer squares, float *x, real m, integer channels, size, c, V,
      v, i, j; 0 <= i ==> 0 <= j <= V ==> 0 < V ==> 0 < size <= 4*V ==> v == ix(i,V,j) ==>
      before_is(squares,x,m,channels,size,c,V,v,i,j);
    lemma before_0{L}: \forall integer squares, float *x, real m, integer channels, size, c, V;
      0 < V ==> 0 < size ==> Before(squares,x,m,channels,size,c,V,0) == 0.0;
    lemma before_end{L}: \forall integer squares, float *x, real m, integer channels, size, c, V,
      n; 0 < V ==> 0 <= n ==> 0 < size ==> Before(squares,x,m,channels,size,c,V,ix(n,V,0)) ==
      ChanNorm(squares,x,m,channels,size,c,n);
    lemma same_chan_below{L1,L2}: \forall float *x, integer channels, size, c, i, n;
      SameChan{L1,L2}(x,channels,size,c,n) ==> i <= n ==> SameChan{L1,L2}(x,channels,size,c,i);
    lemma same_chan_row{L1,L2}: \forall float *x, integer channels, size, c, i, n, k;
      SameChan{L1,L2}(x,channels,size,c,n) ==> 0 <= i < n ==> k <= size ==>
      Same{L1,L2}(x+Row(i,channels,c,size),k);
    lemma chan_norm_same{L1,L2}: \forall integer squares, float *x, real m, integer channels, size,
      c, i; SameChan{L1,L2}(x,channels,size,c,i) ==>
      ChanNorm{L1}(squares,x,m,channels,size,c,i) == ChanNorm{L2}(squares,x,m,channels,size,c,i);
    lemma chan_norm_frame{L1,L2}: \forall integer squares, float *x, real m, integer channels, size,
      c, i, n; SameChan{L1,L2}(x,channels,size,c,n) ==> i <= n ==>
      ChanNorm{L1}(squares,x,m,channels,size,c,i) == ChanNorm{L2}(squares,x,m,channels,size,c,i);
    lemma sum_row_frame{L1,L2}: \forall float *x, integer channels, size, c, i, n, k;
      SameChan{L1,L2}(x,channels,size,c,n) ==> 0 <= i < n ==> k <= size ==>
      Sum{L1}(x+Row(i,channels,c,size),k) == Sum{L2}(x+Row(i,channels,c,size),k);
    lemma dev_row_frame{L1,L2}: \forall float *x, real m, integer channels, size, c, i, n, k;
      SameChan{L1,L2}(x,channels,size,c,n) ==> 0 <= i < n ==> k <= size ==>
      SqDev{L1}(x+Row(i,channels,c,size),m,k) == SqDev{L2}(x+Row(i,channels,c,size),m,k);
    lemma norm_row_frame{L1,L2}: \forall integer squares, float *x, real m, integer channels, size,
      c, i, n, k; SameChan{L1,L2}(x,channels,size,c,n) ==> 0 <= i < n ==> k <= size ==>
      NormSum{L1}(squares,x+Row(i,channels,c,size),m,k) ==
      NormSum{L2}(squares,x+Row(i,channels,c,size),m,k);
    lemma before_frame{L1,L2}: \forall integer squares, float *x, real m, integer channels, size,
      c, V, v, n; 0 < size ==> 0 < V ==> 0 <= v <= ix(n,V,0) ==> 0 <= n ==>
      SameChan{L1,L2}(x,channels,size,c,n) ==>
      Before{L1}(squares,x,m,channels,size,c,V,v) == Before{L2}(squares,x,m,channels,size,c,V,v);
    // what a block's vectors below v add up to
    logic real Until{L}(integer squares, float *x, real m, batch_part b, integer v) =
      Before(squares,x,m,b.channels,b.size,b.c,b.V,v); */

/*@ requires 0 <= v <= 2*IDX_LIM && 0 < V <= IDX_LIM;
    assigns \nothing;
    ensures at_vector(\result,v,V); */
DEV batch_at batch_find(idx v, idx V)
{
  batch_at w;
  w.row = v / V;
  w.col = v % V;
  //@ assert w.row == quo(v,V) && w.col == rem(v,V);
  return w;
}

/* The vector that is as far from w as `step` is from vector 0. */
/*@ requires 0 < V <= IDX_LIM && at_vector(w,v,V) && 0 <= v <= 2*IDX_LIM;
    requires at_vector(step,k,V) && 0 <= k <= MAXB;
    assigns \nothing;
    ensures at_vector(\result,v+k,V); */
DEV batch_at batch_next(batch_at w, batch_at step, idx V GHOST_PARAMS(idx v, idx k))
{
  //@ assert w.row <= v && step.row <= k;
  //@ ghost batch_at a = w;
  /*@ assert ix(a.row+step.row,V,a.col+step.col) == v + k &&
        ix(a.row+step.row+1,V,a.col+step.col-V) == v + k; */
  w.row += step.row;
  w.col += step.col;
  if (w.col >= V) {
    w.col -= V;
    w.row += 1;
  }
  return w;
}

/* Where vector w of the block's channel begins. */
/*@ requires batch_ok(b) && 0 <= w.row < b.n && 0 <= w.col < b.V;
    assigns \nothing;
    ensures \result == batch_row(b,w) + 4*w.col;
    ensures 0 <= batch_row(b,w) && batch_row(b,w) + b.size <= batch_all(b.n,b.channels,b.size);
    ensures b.size == 4*b.V ==> \result % 4 == 0; */
DEV idx batch_offset(batch_part b, batch_at w)
{
  //@ assert b.n * b.channels == ix(b.n,b.channels,0) && 0 <= ix(b.n,b.channels,0);
  idx row = at2(b.n, b.channels, w.row, b.c);
  //@ assert 0 <= row < ix(b.n,b.channels,0) && row == ix(w.row,b.channels,b.c);
  //@ assert ix(row+1,b.size,0) <= ix(ix(b.n,b.channels,0),b.size,0);
  //@ assert four(4*w.col,w.col) && (b.size == 4*b.V ==> four(b.size,b.V));
  //@ assert b.size == 4*b.V ==> four(ix(row,b.size,4*w.col),ix(row,b.V,w.col));
  return at2(b.n * b.channels, b.size, row, 4 * w.col);
}

/* Elements of vector w: all four, except at the end of a row. */
/*@ requires batch_ok(b) && 0 <= w.col < b.V && (aligned != 0 ==> b.size == 4*b.V);
    assigns \nothing;
    ensures \result == batch_have(b,w) && 1 <= \result <= 4; */
DEV int batch_elements(batch_part b, batch_at w, int aligned)
{
  return aligned || b.size - 4 * w.col > 4 ? 4 : (int)(b.size - 4 * w.col);
}

/*@ requires batch_ok(b) && batch_in(b,x,aligned) && 0 <= w.row < b.n && 0 <= w.col < b.V;
    assigns \nothing;
    ensures norm_vec(\result, x+batch_row(b,w), 0.0, w.col, b.size); */
DEV float4 batch_load(batch_part b, batch_at w, int aligned, const float *RESTRICT x)
{
  float4 v = {0, 0, 0, 0};
  idx o = batch_offset(b, w);
  int have = batch_elements(b, w, aligned);
  if (aligned)
    v = LD4(x + o);
  else
    v.x = LDG(x + o);
  if (!aligned && 1 < have)
    v.y = LDG(x + o + 1);
  if (!aligned && 2 < have)
    v.z = LDG(x + o + 2);
  if (!aligned && 3 < have)
    v.w = LDG(x + o + 3);
  return v;
}

/* The vector about m, and 0 outside the row. */
/*@ requires batch_ok(b) && 0 <= w.col < b.V && (aligned != 0 ==> b.size == 4*b.V);
    requires norm_vec(v, x, 0.0, w.col, b.size);
    assigns \nothing;
    ensures norm_vec(\result, x, m, w.col, b.size); */
DEV float4 batch_minus(batch_part b, batch_at w, int aligned, float4 v,
                       float m GHOST_PARAMS(const float *x))
{
  int have = batch_elements(b, w, aligned);
  v.x = v.x - m;
  v.y = 1 < have ? v.y - m : 0.0f;
  v.z = 2 < have ? v.z - m : 0.0f;
  v.w = 3 < have ? v.w - m : 0.0f;
  return v;
}

/* What vector w, of which u are the elements, adds to a sum of them, or of their squares about
 * m. */
/*@ requires batch_ok(b) && 0 <= w.row < b.n && at_vector(w,v,b.V);
    requires aligned != 0 ==> b.size == 4*b.V;
    requires norm_vec(u,x+batch_row(b,w),0.0,w.col,b.size) && (squares == 0 ==> is_zero(m));
    assigns \nothing;
    ensures \result == Until(squares,x,m,b,v+1) - Until(squares,x,m,b,v); */
DEV float batch_adds(batch_part b, batch_at w, int squares, int aligned, float m,
                     float4 u GHOST_PARAMS(idx v, const float *x))
{
  if (squares)
    u = batch_minus(b, w, aligned, u, m GHOST_ARGS(x + batch_offset(b, w) - 4 * w.col));
  //@ assert norm_vec(u, x+batch_row(b,w), m, w.col, b.size);
  //@ assert ix(w.row,b.V,w.col+1) == v + 1;
  //@ assert before_is(squares,x,m,b.channels,b.size,b.c,b.V,v,w.row,w.col);
  //@ assert before_is(squares,x,m,b.channels,b.size,b.c,b.V,v+1,w.row,w.col+1);
  const float d = norm_four(squares, u);
  /*@ assert terms: d == NormTerm(squares,About(x+batch_row(b,w),m,4*w.col,b.size)) +
        NormTerm(squares,About(x+batch_row(b,w),m,4*w.col+1,b.size)) +
        NormTerm(squares,About(x+batch_row(b,w),m,4*w.col+2,b.size)) +
        NormTerm(squares,About(x+batch_row(b,w),m,4*w.col+3,b.size)); */
  /*@ assert adds: d == NormSum(squares,x+batch_row(b,w),m,lesser(4*(w.col+1),b.size)) -
        NormSum(squares,x+batch_row(b,w),m,lesser(4*w.col,b.size)); */
  return d;
}

/* The same of x's vector w. */
/*@ requires batch_ok(b) && batch_in(b,x,aligned) && 0 <= w.row < b.n && at_vector(w,v,b.V);
    requires squares == 0 ==> is_zero(m);
    assigns \nothing;
    ensures \result == Until(squares,x,m,b,v+1) - Until(squares,x,m,b,v); */
DEV float batch_term(batch_part b, batch_at w, int squares, int aligned, float m,
                     const float *RESTRICT x GHOST_PARAMS(idx v))
{
  const float4 u = batch_load(b, w, aligned, x);
  return batch_adds(b, w, squares, aligned, m, u GHOST_ARGS(v, x));
}

/* The vectors k0 + t that are below hi are added to acc; then each thread goes on by BDIM. */
/*@ requires block && batch_ok(b) && batch_in(b,x,aligned) && b.lo <= k0 < b.hi;
    requires (squares == 0 ==> is_zero(m)) && (whole != 0 ==> k0 + BDIM <= b.hi);
    requires \valid(acc + (0 .. BDIM-1)) && \valid(w + (0 .. BDIM-1));
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. batch_all(b.n,b.channels,b.size)-1));
    requires at_vectors(w,0,BDIM,k0,b.V) && at_vector(step,BDIM,b.V);
    assigns acc[0 .. BDIM-1], w[0 .. BDIM-1];
    ensures SumR(acc,0,BDIM) == \old(SumR(acc,0,BDIM)) +
      (Until{Pre}(squares,x,m,b,lesser(k0+BDIM,b.hi)) - Until{Pre}(squares,x,m,b,k0));
    ensures at_vectors(w,0,BDIM,k0+BDIM,b.V); */
DEV void batch_add_all(PER_THREAD(float, acc), PER_THREAD(batch_at, w), batch_part b, batch_at step,
                       idx k0, int whole, int squares, int aligned, float m,
                       const float *RESTRICT x)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(w,0,t,k0+BDIM,b.V);
      loop invariant at_vectors(w,t,BDIM,k0,b.V);
      loop invariant Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
      loop invariant SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
        (Until{Pre}(squares,x,m,b,lesser(k0+t,b.hi)) - Until{Pre}(squares,x,m,b,k0));
      loop assigns t, acc[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert at_vector(w[t],k0+t,b.V);
    if (whole || k0 + t < b.hi) {
      //@ assert w[t].row < b.n;
      //@ assert Until(squares,x,m,b,k0+t) == Until{Pre}(squares,x,m,b,k0+t);
      //@ assert Until(squares,x,m,b,k0+t+1) == Until{Pre}(squares,x,m,b,k0+t+1);
      float d = batch_term(b, AT(w, t), squares, aligned, m, x GHOST_ARGS(k0 + t));
      /*@ assert d == Until{Pre}(squares,x,m,b,k0+t+1) - Until{Pre}(squares,x,m,b,k0+t); */
      AT(acc, t) += d;
      //@ assert Same{LoopCurrent,Here}(x,batch_all(b.n,b.channels,b.size));
      //@ assert Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      //@ assert only{LoopCurrent,Here}(acc, t, BDIM);
      /*@ assert acc[t] == \at(acc[t],LoopCurrent) +
            (Until{Pre}(squares,x,m,b,k0+t+1) - Until{Pre}(squares,x,m,b,k0+t)); */
      /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),LoopCurrent) +
            (Until{Pre}(squares,x,m,b,k0+t+1) - Until{Pre}(squares,x,m,b,k0+t)); */
      /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
            (Until{Pre}(squares,x,m,b,k0+t+1) - Until{Pre}(squares,x,m,b,k0)); */
      //@ assert lesser(k0+t+1,b.hi) == k0+t+1;
    }
    /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
          (Until{Pre}(squares,x,m,b,lesser(k0+t+1,b.hi)) - Until{Pre}(squares,x,m,b,k0)); */
    AT(w, t) = batch_next(AT(w, t), step, b.V GHOST_ARGS(k0 + t, BDIM));
    //@ assert at_vector(w[t],k0+BDIM+t,b.V);
    //@ assert at_vectors(w,0,t,k0+BDIM,b.V);
    //@ assert at_vectors(w,t+1,BDIM,k0,b.V);
  }
}

/* The block's vectors, or their squares about m, are added to acc. */
/*@ requires block && batch_ok(b) && batch_in(b,x,aligned) && b.lo < b.hi;
    requires squares == 0 ==> is_zero(m);
    requires \valid(acc + (0 .. BDIM-1));
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. batch_all(b.n,b.channels,b.size)-1));
    assigns acc[0 .. BDIM-1];
    ensures SumR(acc,0,BDIM) == \old(SumR(acc,0,BDIM)) +
      (Until{Pre}(squares,x,m,b,b.hi) - Until{Pre}(squares,x,m,b,b.lo)); */
DEV void batch_add_range(PER_THREAD(float, acc), batch_part b, int squares, int aligned, float m,
                         const float *RESTRICT x)
{
  PRIVATE(batch_at, w);
  //@ assert b.V <= ix(b.n,b.V,0);
  batch_at step = batch_find(BDIM, b.V);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant at_vectors(&w[0],0,t,b.lo,b.V);
      loop assigns t, w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(w, t) = batch_find(b.lo + t, b.V);
    //@ assert at_vector(w[t],b.lo+t,b.V);
    //@ assert at_vectors(&w[0],0,t,b.lo,b.V);
  }
  const idx rounds = (b.hi - b.lo) / BDIM;
  idx k0 = b.lo, j = 0;
  //@ assert 0 < rounds ==> rounds * bdim_ <= b.hi - b.lo;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= b.hi - b.lo;
  //@ assert b.hi - b.lo < rounds * bdim_ + bdim_;
  //@ assert b.hi - b.lo < mul(rounds,bdim_) + bdim_;
  /*@ loop invariant 0 <= j <= rounds && k0 == b.lo + mul(j,bdim_) && b.lo <= k0 <= b.hi;
      loop invariant at_vectors(&w[0],0,BDIM,k0,b.V);
      loop invariant Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
      loop invariant SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
      loop invariant SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
        (Until{Pre}(squares,x,m,b,k0) - Until{Pre}(squares,x,m,b,b.lo));
      loop assigns j, k0, acc[0 .. BDIM-1], w[0 .. BDIM-1];
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == mul(j,bdim_) + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    //@ assert 0 < BDIM && b.lo <= k0 < b.hi && lesser(k0+BDIM,b.hi) == k0+BDIM;
    //@ assert Until(squares,x,m,b,k0) == Until{Pre}(squares,x,m,b,k0);
    //@ assert Until(squares,x,m,b,k0+BDIM) == Until{Pre}(squares,x,m,b,k0+BDIM);
    batch_add_all(acc, w, b, step, k0, 1, squares, aligned, m, x);
    //@ assert at_vectors(&w[0],0,BDIM,k0+BDIM,b.V);
    //@ assert Same{LoopCurrent,Here}(x,batch_all(b.n,b.channels,b.size));
    //@ assert Same{Pre,Here}(x,batch_all(b.n,b.channels,b.size));
  }
  if (k0 < b.hi) {
    //@ assert lesser(k0+BDIM,b.hi) == b.hi;
    //@ assert Until(squares,x,m,b,k0) == Until{Pre}(squares,x,m,b,k0);
    //@ assert Until(squares,x,m,b,b.hi) == Until{Pre}(squares,x,m,b,b.hi);
    batch_add_all(acc, w, b, step, k0, 0, squares, aligned, m, x);
    /*@ assert SumR(acc,0,BDIM) == \at(SumR(acc,0,BDIM),Pre) +
          (Until{Pre}(squares,x,m,b,b.hi) - Until{Pre}(squares,x,m,b,b.lo)); */
  }
}

/* The sum of the block's vectors, or of their squares about m, for all threads. */
/*@ requires block && batch_ok(b) && batch_in(b,x,aligned) && b.lo < b.hi;
    requires squares == 0 ==> is_zero(m);
    assigns \nothing;
    ensures \result == Until{Pre}(squares,x,m,b,b.hi) - Until{Pre}(squares,x,m,b,b.lo); */
DEV float batch_range(batch_part b, int squares, int aligned, float m, const float *RESTRICT x)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert SameChan{Pre,Here}(x,b.channels,b.size,b.c,b.n);
  //@ assert Until(squares,x,m,b,b.hi) == Until{Pre}(squares,x,m,b,b.hi);
  //@ assert Until(squares,x,m,b,b.lo) == Until{Pre}(squares,x,m,b,b.lo);
  batch_add_range(acc, b, squares, aligned, m, x);
  /*@ assert SumR(&acc[0],0,BDIM) ==
        Until{Pre}(squares,x,m,b,b.hi) - Until{Pre}(squares,x,m,b,b.lo); */
  return block_sum(acc, s);
}

/* The sum of part[from .. to-1], for all threads. */
/*@ requires block && 0 <= from <= to <= IDX_LIM && \valid_read(part + (0 .. to-1));
    requires perm_r(part,to);
    assigns \nothing;
    ensures \result == SumR{Pre}(part,from,to); */
DEV float batch_total(idx from, idx to, const float *RESTRICT part)
{
  SHARED(float, s, 32);
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert Same{Pre,Here}(part,to) && SumR(part,from,to) == SumR{Pre}(part,from,to);
  sum_add_rest(acc, from, to, part);
  //@ assert SumR(&acc[0],0,BDIM) == SumR{Pre}(part,from,to);
  return block_sum(acc, s);
}

/* How a channel is cut up: part p has the vectors p chunk .. */
/*@ predicate parts_ok(integer n, integer V, integer chunk, integer parts) =
      0 < chunk <= IDX_LIM && 0 < parts && 0 < ix(n,V,0) &&
      0 <= ix(parts-1,chunk,0) < ix(n,V,0) <= ix(parts,chunk,0);
    // the vectors before part p
    logic integer part_at(integer n, integer V, integer chunk, integer p) =
      lesser(ix(p,chunk,0),ix(n,V,0));
    // threads of a launch share no vector: block p of a channel has k0 + t, t < B, k0 = ix(k,B,0)
    predicate part_lane(integer p, integer chunk, integer k, integer t, integer B, integer v) =
      v == ix(p,chunk,ix(k,B,t)) && ix(k,B,t) < chunk;
    lemma race_lane: \forall integer chunk, B, p, k, t, q, l, u, v; 0 <= t < B ==> 0 <= u < B ==>
      0 <= k ==> 0 <= l ==> (p != q || t != u) ==>
      part_lane(p,chunk,k,t,B,v) ==> !part_lane(q,chunk,l,u,B,v); */
/*@ requires batch_sizes(n,channels,size,V) && parts_ok(n,V,chunk,parts);
    requires 0 <= c < channels && 0 <= p < parts;
    assigns \nothing;
    ensures \result.n == n && \result.channels == channels && \result.size == size;
    ensures \result.V == V && \result.c == c;
    ensures \result.lo == part_at(n,V,chunk,p) && \result.hi == part_at(n,V,chunk,p+1);
    ensures batch_ok(\result) && \result.lo < \result.hi; */
DEV batch_part batch_part_of(idx n, idx channels, idx size, idx V, idx chunk, idx c,
                             idx p GHOST_PARAMS(idx parts))
{
  //@ assert n * V == ix(n,V,0) && p * chunk == ix(p,chunk,0);
  //@ assert 0 <= ix(p,chunk,0) <= ix(parts-1,chunk,0) && ix(p+1,chunk,0) == ix(p,chunk,0) + chunk;
  idx vectors = n * V, lo = p * chunk;
  batch_part b = {n, channels, size, V, c, lo, vectors - lo < chunk ? vectors : lo + chunk};
  return b;
}

/*@ requires 0 < n && 0 < size && 0 < ix(n,size,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == rdiv(total,(real)ix(n,size,0)); */
DEV float batch_mean(float total, idx n, idx size)
{
  //@ assert n * size == ix(n,size,0);
  return total / (float)(n * size);
}

/*@ requires 0 < n && 0 < size && 0 < ix(n,size,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == InvRoot(rdiv(total,(real)ix(n,size,0)), eps); */
DEV float batch_rstd(float total, idx n, idx size, float eps)
{
  return 1.0f / pm_sqrtf(batch_mean(total, n, size) + eps);
}
#endif
