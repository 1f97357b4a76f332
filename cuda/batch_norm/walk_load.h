/* Loads of strided iteration (walk.h): what threads read, from the tensor or from cells where
 * they wait (lang/async_copy.h), of a channel that begins at element `chan`. */
#ifndef PM_BATCH_NORM_WALK_LOAD_H
#define PM_BATCH_NORM_WALK_LOAD_H
#include "walk.h"

/*@ requires batch_ok(b) && walk_in(b,w) && chan == ix(b.c,b.size,0) && batch_in(b,x,aligned);
    assigns \nothing; */
DEV float4 walk_load(batch_part b, batch_walk w, idx chan, int aligned, const float *RESTRICT x)
{
  float4 v = {0, 0, 0, 0};
  const idx o = walk_offset(w, chan GHOST_ARGS(b));
  const int have = walk_elements(b, w, aligned);
  //@ assert 0 <= o && o + have <= batch_all(b.n,b.channels,b.size);
  //@ assert aligned != 0 ==> aligned16(x+o);
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

/* Vector w into cell j of thread t. */
/*@ requires block && 0 <= t < BDIM && k0 == mul(j,bdim_) && 0 <= k0 &&
      k0 + t < kept <= SHARED_VEC4S;
    requires \valid(cells + (0 .. 4*kept-1)) && batch_in(b,x,aligned);
    requires cells_apart(cells,kept,x,batch_all(b.n,b.channels,b.size));
    requires batch_ok(b) && walk_in(b,w) && chan == ix(b.c,b.size,0);
    assigns cells[0 .. 4*kept-1], pending_; */
DEV void walk_fetch_one(CELLS_PARAM(cells), int j, int k0, int t, batch_part b, batch_walk w,
                        idx chan, int aligned, const float *RESTRICT x GHOST_PARAMS(int kept))
{
  const idx o = walk_offset(w, chan GHOST_ARGS(b));
  const int have = walk_elements(b, w, aligned);
  //@ assert 0 <= o && o + have <= batch_all(b.n,b.channels,b.size);
  //@ assert aligned != 0 ==> aligned16(x+o);
  share_fetch_have(cells, j, k0, t, have, aligned, x + o GHOST_ARGS(kept));
}

/*@ requires block && walk_ok(b) && step_of(b,s) && share_at(b,0,kept,j,k0);
    requires whole != 0 ==> k0 + BDIM <= kept;
    requires \valid(cells + (0 .. 4*kept-1)) && kept <= SHARED_VEC4S && batch_in(b,x,aligned);
    requires cells_apart(cells,kept,x,batch_all(b.n,b.channels,b.size));
    requires chan == ix(b.c,b.size,0);
    requires \valid(w + (0 .. BDIM-1)) && walks_at(w,0,BDIM,b.lo+k0,s);
    assigns cells[0 .. 4*kept-1], w[0 .. BDIM-1], pending_;
    ensures walks_at(w,0,BDIM,b.lo+k0+BDIM,s); */
DEV void walk_fetch_all(CELLS_PARAM(cells), PER_THREAD(batch_walk, w), batch_part b, walk_step s,
                        idx chan, int j, int k0, int whole, int kept, int aligned,
                        const float *RESTRICT x)
{
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant walks_at(w,0,t,b.lo+k0+BDIM,s);
      loop invariant walks_at(w,t,BDIM,b.lo+k0,s);
      loop assigns t, cells[0 .. 4*kept-1], w[0 .. BDIM-1], pending_;
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    //@ assert k0 + t < kept ==> walk_in(b,w[t]);
    if (whole || k0 + t < kept)
      walk_fetch_one(cells, j, k0, t, b, AT(w, t), chan, aligned, x GHOST_ARGS(kept));
    //@ assert walk_at(w[t],b.lo+k0+t,s.V,s.pitch);
    AT(w, t) = walk_next(AT(w, t), s GHOST_ARGS(b, b.lo + k0 + t));
    //@ assert walk_at(w[t],b.lo+k0+BDIM+t,s.V,s.pitch);
    //@ assert walks_at(w,0,t,b.lo+k0+BDIM,s);
    //@ assert walks_at(w,t+1,BDIM,b.lo+k0,s);
  }
}

/* The share's vectors below `kept` are on their way into its cells. */
/*@ requires block && walk_ok(b) && step_of(b,s) && share_range(b,0,kept);
    requires \valid(cells + (0 .. 4*kept-1)) && kept <= SHARED_VEC4S && batch_in(b,x,aligned);
    requires cells_apart(cells,kept,x,batch_all(b.n,b.channels,b.size));
    requires chan == ix(b.c,b.size,0);
    requires \valid(w + (0 .. BDIM-1)) && walks_at(w,0,BDIM,b.lo,s);
    assigns cells[0 .. 4*kept-1], w[0 .. BDIM-1], pending_; */
DEV void walk_fetch(CELLS_PARAM(cells), PER_THREAD(batch_walk, w), batch_part b, walk_step s,
                    idx chan, int kept, int aligned, const float *RESTRICT x)
{
  const int rounds = kept / BDIM;
  int k0 = 0, j = 0;
  //@ assert 0 < rounds ==> rounds * bdim_ <= kept;
  //@ assert 0 < rounds ==> mul(rounds,bdim_) <= kept;
  /*@ loop invariant 0 <= j <= k0 && k0 == mul(j,bdim_);
      loop invariant k0 <= kept || k0 == 0;
      loop invariant j <= rounds || j == 0;
      loop invariant walks_at(w,0,BDIM,b.lo+k0,s);
      loop assigns j, k0, cells[0 .. 4*kept-1], w[0 .. BDIM-1], pending_;
      loop variant rounds - j; */
  UNROLL_BY(4)
  for (; j < rounds; j++, k0 += BDIM) {
    //@ assert mul(j+1,bdim_) == k0 + bdim_ && mul(j+1,bdim_) <= mul(rounds,bdim_);
    walk_fetch_all(cells, w, b, s, chan, j, k0, 1, kept, aligned, x);
  }
  if (k0 < kept)
    walk_fetch_all(cells, w, b, s, chan, j, k0, 0, kept, aligned, x);
}

/* Vector w, which waits in cell j of thread t or is read. */
/*@ requires block && batch_ok(b) && 0 <= t < BDIM;
    requires kept != 0 ==> k0 == mul(j,bdim_) && 0 <= k0 && k0 + t < to <= SHARED_VEC4S &&
      pending_ == 0 &&
      \valid_read(cells + (0 .. 4*to-1));
    requires walk_in(b,w) && chan == ix(b.c,b.size,0) && batch_in(b,x,aligned);
    assigns \nothing; */
DEV float4 walk_take(CELLS_PARAM(cells), int kept, int j, int k0, int t, batch_part b, batch_walk w,
                     idx chan, int aligned, const float *RESTRICT x GHOST_PARAMS(int to))
{
  if (kept)
    return CELL_TAKE(cells, j, k0, t);
  return walk_load(b, w, chan, aligned, x);
}
#endif
