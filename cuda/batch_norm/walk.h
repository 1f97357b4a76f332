/* Strided iteration over a channel's vectors (part.h) by additions alone, no division. */
#ifndef PM_BATCH_NORM_WALK_H
#define PM_BATCH_NORM_WALK_H
#include "share.h"
#include "walk_pitch.h"

#define WALK_LIM 0x1fffffffffffffff /* more than there are before any vector of a way */

/* A vector, and its first element behind the channel's first. */
typedef struct batch_walk {
  idx row, col, o;
} batch_walk;

/* To the vector that is BDIM further: as far as `by` is from vector 0. V: vectors of a row; pitch:
 * elements from a row to the next; wrap: what there is between them. */
typedef struct walk_step {
  batch_walk by;
  int V;
  idx pitch, wrap;
} walk_step;

/*@ // vector v
    predicate walk_at(batch_walk w, integer v, integer V, integer pitch) =
      0 <= w.row && 0 <= w.col < V && ix(w.row,V,w.col) == v && w.o == ix(w.row,pitch,4*w.col);
    predicate walks_at{L}(batch_walk *w, integer from, integer to, integer k, walk_step s) =
      \forall integer t; from <= t < to ==> walk_at(w[t],k+t,s.V,s.pitch);
    predicate walk_ok(batch_part b) = chan_ok(b) && ix(b.channels,b.size,0) <= WALK_PITCH;
    // the step in b's channel
    predicate step_of(batch_part b, walk_step s) =
      s.V == b.V && s.pitch == ix(b.channels,b.size,0) && s.wrap == s.pitch - 4*s.V &&
      walk_at(s.by,bdim_,s.V,s.pitch);
    predicate walk_in(batch_part b, batch_walk w) =
      0 <= w.row < b.n && 0 <= w.col < b.V &&
      w.o == ix(w.row,ix(b.channels,b.size,0),4*w.col);
    lemma ix_far: \forall integer m, k, V; ix(m+k,V,0) == ix(m,V,0) + ix(k,V,0);
    lemma ix_row_most: \forall integer i, j, V, m; 0 <= i ==> 0 <= j < V ==>
      ix(i,V,j) <= ix(m,V,0) ==> i <= m;
    lemma pitch_all: \forall integer n, channels, size;
      ix(ix(n,channels,0),size,0) == ix(n,ix(channels,size,0),0);
    lemma chan_place: \forall integer i, channels, c, size, k;
      ix(ix(i,channels,c),size,k) == ix(c,size,0) + ix(i,ix(channels,size,0),k);
    predicate ix_nexts(integer i, integer k, integer j, integer l, integer V, integer pitch) =
      ix(i+k,V,j+l) == ix(i,V,j) + ix(k,V,l) && ix(i+k+1,V,j+l-V) == ix(i,V,j) + ix(k,V,l) &&
      ix(i+k,pitch,4*(j+l)) == ix(i,pitch,4*j) + ix(k,pitch,4*l) &&
      ix(i+k+1,pitch,4*(j+l-V)) == ix(i,pitch,4*j) + ix(k,pitch,4*l) + pitch - 4*V;
    lemma ix_next_row: \forall integer i, k, j, l, V, pitch; ix_nexts(i,k,j,l,V,pitch); */

/* The place of a vector of a row that is not far behind the last. */
/*@ requires 0 <= row <= n + 2*MAXB && 0 <= col <= CHANNEL_VECTORS && 0 <= n <= CHANNEL_VECTORS;
    requires 0 <= pitch <= WALK_PITCH && ix(n,pitch,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == ix(row,pitch,4*col) && 0 <= \result <= WALK_LIM; */
DEV idx walk_place(idx row, idx col, idx pitch GHOST_PARAMS(idx n))
{
  //@ assert 0 <= ix(row,pitch,0) <= ix(n+2*MAXB,pitch,0);
  //@ assert ix(n+2*MAXB,pitch,0) == ix(n,pitch,0) + ix(2*MAXB,pitch,0);
  //@ assert ix(2*MAXB,pitch,0) == 2*MAXB*pitch;
  //@ assert row*pitch == ix(row,pitch,0) && ix(row,pitch,4*col) == ix(row,pitch,0) + 4*col;
  return row * pitch + 4 * col;
}

/* Vector v of a channel. */
/*@ requires block && walk_ok(b) && V == b.V && pitch == ix(b.channels,b.size,0);
    requires 0 <= v <= ix(b.n,b.V,0) + MAXB;
    assigns \nothing;
    ensures walk_at(\result,v,V,pitch); */
DEV batch_walk walk_find(int v, int V, idx pitch GHOST_PARAMS(batch_part b))
{
  batch_walk w;
  const batch_at at = share_find(v, V);
  //@ assert ix(b.n,ix(b.channels,b.size,0),0) == batch_all(b.n,b.channels,b.size);
  //@ assert b.n <= ix(b.n,b.V,0) && 0 <= ix(b.channels,b.size,0);
  //@ assert at.row <= v && at.col <= v + V;
  //@ assert ix(b.n+MAXB,V,0) == ix(b.n,V,0) + ix(MAXB,V,0) && MAXB <= ix(MAXB,V,0);
  //@ assert ix(at.row,V,at.col) <= ix(b.n+MAXB,V,0);
  //@ assert at.row <= b.n + MAXB;
  w.row = at.row;
  w.col = at.col;
  w.o = walk_place(w.row, w.col, pitch GHOST_ARGS(b.n));
  return w;
}

/*@ requires block && walk_ok(b);
    assigns \nothing;
    ensures step_of(b,\result); */
DEV walk_step walk_step_of(batch_part b)
{
  walk_step s;
  //@ assert b.channels * b.size == ix(b.channels,b.size,0) && 0 <= ix(b.channels,b.size,0);
  s.V = (int)b.V;
  s.pitch = b.channels * b.size;
  s.wrap = s.pitch - 4 * b.V;
  s.by = walk_find(BDIM, s.V, s.pitch GHOST_ARGS(b));
  return s;
}

/*@ requires block && walk_ok(b) && step_of(b,s) && walk_at(w,v,s.V,s.pitch);
    requires 0 <= v <= ix(b.n,b.V,0) + MAXB;
    assigns \nothing;
    ensures walk_at(\result,v+bdim_,s.V,s.pitch); */
DEV batch_walk walk_next(batch_walk w, walk_step s GHOST_PARAMS(batch_part b, idx v))
{
  //@ assert w.row <= v && s.by.row <= bdim_ && s.by.col <= CHANNEL_VECTORS;
  //@ assert ix(b.n+MAXB,s.V,0) == ix(b.n,s.V,0) + ix(MAXB,s.V,0) && MAXB <= ix(MAXB,s.V,0);
  //@ assert ix(w.row,s.V,w.col) <= ix(b.n+MAXB,s.V,0);
  //@ assert w.row <= b.n + MAXB;
  //@ assert ix(b.n,ix(b.channels,b.size,0),0) == batch_all(b.n,b.channels,b.size);
  //@ assert b.n <= ix(b.n,b.V,0);
  //@ assert 0 <= ix(w.row,s.pitch,0) <= ix(b.n+2*MAXB,s.pitch,0);
  //@ assert 0 <= ix(s.by.row,s.pitch,0) <= ix(b.n+2*MAXB,s.pitch,0);
  //@ assert ix(b.n+2*MAXB,s.pitch,0) == ix(b.n,s.pitch,0) + ix(2*MAXB,s.pitch,0);
  //@ assert ix(2*MAXB,s.pitch,0) == 2*MAXB*s.pitch;
  //@ assert 0 <= w.o <= WALK_LIM && 0 <= s.by.o <= WALK_LIM;
  //@ ghost batch_walk a = w;
  //@ assert ix_nexts(a.row,s.by.row,a.col,s.by.col,s.V,s.pitch);
  w.row += s.by.row;
  w.col += s.by.col;
  w.o += s.by.o;
  if (w.col >= s.V) {
    w.col -= s.V;
    w.row += 1;
    w.o += s.wrap;
    //@ assert ix(w.row,s.V,w.col) == v + bdim_;
    //@ assert 0 <= w.col < s.V;
    //@ assert ix(w.row,s.pitch,4*w.col) == w.o;
  }
  //@ assert 0 <= w.row && 0 <= w.col < s.V;
  //@ assert ix(w.row,s.V,w.col) == v + bdim_;
  //@ assert ix(w.row,s.pitch,4*w.col) == w.o;
  return w;
}

/* ---- of one vector, of a channel that begins at element `chan` ---- */

/*@ assigns \nothing; ensures \result.row == w.row && \result.col == w.col; */
DEV batch_at walk_vector(batch_walk w)
{
  batch_at at;
  at.row = w.row;
  at.col = w.col;
  return at;
}

/*@ requires batch_ok(b);
    assigns \nothing;
    ensures \result == ix(b.c,b.size,0); */
DEV idx walk_chan(batch_part b)
{
  //@ assert ix(b.c,b.size,0) <= ix(ix(b.n,b.channels,0),b.size,0);
  return b.c * b.size;
}

/*@ requires batch_ok(b) && walk_in(b,w) && (aligned != 0 ==> b.size == 4*b.V);
    assigns \nothing;
    ensures 1 <= \result <= 4 && (aligned != 0 ==> \result == 4);
    ensures \result == lesser(4,b.size-4*w.col) && 4*w.col + \result <= b.size; */
DEV int walk_elements(batch_part b, batch_walk w, int aligned)
{
  return batch_elements(b, walk_vector(w), aligned);
}

/* Where vector w of the tensor begins. */
/*@ requires batch_ok(b) && walk_in(b,w) && chan == ix(b.c,b.size,0);
    assigns \nothing;
    ensures \result == chan + w.o == Row(w.row,b.channels,b.c,b.size) + 4*w.col;
    ensures 0 <= \result && \result - 4*w.col + b.size <= batch_all(b.n,b.channels,b.size);
    ensures b.size == 4*b.V ==> \result % 4 == 0; */
DEV idx walk_offset(batch_walk w, idx chan GHOST_PARAMS(batch_part b))
{
  //@ assert ix(ix(w.row,b.channels,b.c),b.size,4*w.col) == chan + w.o;
  //@ assert 0 <= ix(w.row,b.channels,b.c) < ix(b.n,b.channels,0);
  //@ assert 0 <= ix(ix(w.row,b.channels,b.c),b.size,0);
  //@ assert ix(ix(w.row,b.channels,b.c)+1,b.size,0) <= ix(ix(b.n,b.channels,0),b.size,0);
  //@ assert four(4*w.col,w.col) && (b.size == 4*b.V ==> four(b.size,b.V));
  /*@ assert b.size == 4*b.V ==> four(ix(ix(w.row,b.channels,b.c),b.size,4*w.col),
                                      ix(ix(w.row,b.channels,b.c),b.V,w.col)); */
  return chan + w.o;
}

/*@ requires batch_ok(b) && walk_in(b,w) && chan == ix(b.c,b.size,0);
    requires batch_puts(b,y,aligned);
    assigns y[chan+w.o .. chan+w.o+lesser(4,b.size-4*w.col)-1];
    ensures y[chan+w.o] == v.x && (4*w.col+1 < b.size ==> y[chan+w.o+1] == v.y);
    ensures 4*w.col+2 < b.size ==> y[chan+w.o+2] == v.z;
    ensures 4*w.col+3 < b.size ==> y[chan+w.o+3] == v.w; */
DEV void walk_store(batch_part b, batch_walk w, idx chan, int aligned, float4 v, float *RESTRICT y)
{
  const int have = walk_elements(b, w, aligned);
  const idx o = walk_offset(w, chan GHOST_ARGS(b));
  //@ assert 0 <= o && o + have <= batch_all(b.n,b.channels,b.size);
  //@ assert aligned != 0 ==> aligned16(y+o);
  if (aligned)
    store4_streaming(y + o, v);
  else
    STG(y + o, v.x);
  if (!aligned && 1 < have)
    STG(y + o + 1, v.y);
  if (!aligned && 2 < have)
    STG(y + o + 2, v.z);
  if (!aligned && 3 < have)
    STG(y + o + 3, v.w);
}

/* ---- a block's threads: vector k0 + t of the share is thread t's ---- */

/* The threads go to the vectors from + t. */
/*@ requires block && walk_ok(b) && step_of(b,s) && 0 <= from <= b.hi - b.lo;
    requires \valid(w + (0 .. BDIM-1));
    assigns w[0 .. BDIM-1];
    ensures walks_at(w,0,BDIM,b.lo+from,s); */
DEV void walk_begin(PER_THREAD(batch_walk, w), batch_part b, walk_step s, int from)
{
  const int lo = (int)b.lo + from;
  //@ assert lo == b.lo + from && 0 <= lo <= ix(b.n,b.V,0) <= CHANNEL_VECTORS;
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant walks_at(w,0,t,lo,s);
      loop assigns t, w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(w, t) = walk_find(lo + t, s.V, s.pitch GHOST_ARGS(b));
    //@ assert walk_at(w[t],lo+t,s.V,s.pitch);
    //@ assert walks_at(w,0,t,lo,s);
  }
}

/* The threads go to where `begin` is. */
/*@ requires block && \valid(w + (0 .. BDIM-1)) && \valid_read(begin + (0 .. BDIM-1));
    requires \separated(w + (0 .. BDIM-1), begin + (0 .. BDIM-1));
    requires walks_at(begin,0,BDIM,k,s);
    assigns w[0 .. BDIM-1];
    ensures walks_at(w,0,BDIM,k,s); */
DEV void walk_again(PER_THREAD(batch_walk, w),
                    PER_THREAD(batch_walk, begin) GHOST_PARAMS(idx k, walk_step s))
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant walks_at(w,0,t,k,s);
      loop assigns t, w[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    AT(w, t) = AT(begin, t);
    //@ assert walk_at(begin[t],k+t,s.V,s.pitch);
    //@ assert walk_at(w[t],k+t,s.V,s.pitch);
    //@ assert walks_at(w,0,t,k,s);
  }
}
#endif
