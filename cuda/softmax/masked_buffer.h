/* A masked row in the shared-memory row buffer (row/buffered.h): by the bits of its mask
 * (masked_bits.h) what is blocked becomes a mark of its own (masked_mark.h). */
#ifndef PM_SOFTMAX_MASKED_BUFFER_H
#define PM_SOFTMAX_MASKED_BUFFER_H
#include "masked_bits.h"
#include "../lse/buffered.h"
#include "masked_row.h"

/*@ // element k as it waits; where the row has none, it is blocked or the lowest
    predicate waits_one{L}(real d, float *x, float *b, integer k, integer n) =
      (0 <= k < n ==> b[k] == 0.0 ==> d == x[k]) &&
      (0 <= k < n ==> b[k] != 0.0 ==> d == Mark) &&
      (!(0 <= k < n) ==> d == Mark || d == Lowest);
    predicate waits_vec{L}(float4 d, float *x, float *b, integer k, integer n) =
      waits_one(d.x,x,b,k,n) && waits_one(d.y,x,b,k+1,n) && waits_one(d.z,x,b,k+2,n) &&
      waits_one(d.w,x,b,k+3,n);
    predicate waits_held{L0,L}(float4 *held, float *x, float *b, integer lead, integer n,
                               integer from, integer to) =
      \forall integer q; from <= q < to ==> waits_vec{L0}(\at(held[q],L),x,b,4*q-lead,n);
    predicate waits_cells{L0,L}(float *v, float *x, float *b, integer lead, integer n, integer from,
                                integer to) =
      \forall integer c; from <= c < to ==> waits_one{L0}(\at(v[c],L),x,b,c-lead,n);
    lemma slot_open_alike{L}: \forall integer j, k, c; k < early_slots_ ==> j < early_slots_ ==>
      slot_open{L}(k,c) ==> slot_open{L}(j,c);
    // d is v, or blocked by bit p
    predicate entered_as(integer w, integer p, real v, real d) =
      (bit(w,p) ==> d == Mark) && (!bit(w,p) ==> d == v);
    lemma waits_entered{L}: \forall integer w, p, real v, d, float *x, *b, integer k, n;
      v == SlotCell{L}(x,k,n,Lowest) ==> bit_says{L}(w,p,b,k,n) ==> entered_as(w,p,v,d) ==>
      waits_one{L}(d,x,b,k,n);
    lemma waits_under{L}: \forall real d, float *x, *b, integer k, n; no_mark{L}(x,n) ==>
      waits_one{L}(d,x,b,k,n) ==> d != Mark ==> Lowest <= d <= RowTop{L}(x,b,n);
    lemma waits_vec_frame{L1,L2}: \forall float4 d, float *x, *b, integer k, n; Same{L1,L2}(x,n) ==>
      Same{L1,L2}(b,n) ==> waits_vec{L1}(d,x,b,k,n) ==> waits_vec{L2}(d,x,b,k,n);
    lemma waits_held_frame{L1,L2,L}: \forall float4 *held, float *x, *b, integer lead, n, from, to;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> waits_held{L1,L}(held,x,b,lead,n,from,to) ==>
      waits_held{L2,L}(held,x,b,lead,n,from,to);
    lemma waits_cells_frame{L1,L2,L}: \forall float *v, *x, *b, integer lead, n, from, to;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> waits_cells{L1,L}(v,x,b,lead,n,from,to) ==>
      waits_cells{L2,L}(v,x,b,lead,n,from,to);
    lemma waits_held_grow{L0,L}: \forall float4 *held, float *x, *b, integer lead, n, to, next;
      to < next <= to + 1 ==> waits_vec{L0}(\at(held[to],L),x,b,4*to-lead,n) ==>
      waits_held{L0,L}(held,x,b,lead,n,0,to) ==> waits_held{L0,L}(held,x,b,lead,n,0,next);
    lemma waits_still{L0,L1,L2}: \forall float4 *held, float *x, *b, integer lead, n, from, to;
      0 <= from ==> to <= KMAX*MAXB ==> but_slot{L1,L2}(held,-1) ==>
      waits_held{L0,L1}(held,x,b,lead,n,from,to) ==> waits_held{L0,L2}(held,x,b,lead,n,from,to);
    lemma waits_but{L0,L1,L2}: \forall float4 *held, float *x, *b, integer lead, n, at, from, to;
      0 <= at < from ==> to <= KMAX*MAXB ==> but_slot{L1,L2}(held,at) ==>
      waits_held{L0,L1}(held,x,b,lead,n,at,to) ==> waits_held{L0,L2}(held,x,b,lead,n,from,to);
    // a row that is in slots, its mask, and that neither is where the slots are
    predicate open_row{L}(float *x, float *b, integer lead, integer n, integer slots) =
      slot_held(x,lead,n,slots) && masked_in(x,b,n);
    predicate lanes_off{L}(float *a, float *x, float *b, integer n) =
      \separated(a + (0 .. BDIM-1), x + (0 .. n-1)) &&
      \separated(a + (0 .. BDIM-1), b + (0 .. n-1));
    predicate held_off{L}(float4 *held, float *x, float *b, integer n) =
      \separated(held + (0 .. KMAX*MAXB-1), x + (0 .. n-1)) &&
      \separated(held + (0 .. KMAX*MAXB-1), b + (0 .. n-1));
    predicate slots_off{L}(float *v, float *x, float *b, integer n) =
      \separated(v + (0 .. 4*BUFFER_VEC4S-1), x + (0 .. n-1)) &&
      \separated(v + (0 .. 4*BUFFER_VEC4S-1), b + (0 .. n-1)); */

/*@ assigns \nothing; ensures \result == (blocked != 0 ? Mark : x); */
DEV float buffer_enter(float x, unsigned blocked) { return blocked ? mark() : unmarked(x); }

/* Slot j, by the bits of the thread's mask. */
/*@ requires 0 <= j < BIT_VEC4S;
    assigns \nothing;
    ensures entered_as(bits,4*j,v.x,\result.x) && entered_as(bits,4*j+1,v.y,\result.y);
    ensures entered_as(bits,4*j+2,v.z,\result.z) && entered_as(bits,4*j+3,v.w,\result.w); */
DEV float4 buffer_enter4(float4 v, slot_bits bits, int j)
{
  unsigned b = (unsigned)(bits >> 4 * j);
  //@ assert x: (b & 1) != 0 <==> bit(bits,4*j);
  //@ assert y: (b & 2) != 0 <==> bit(bits,4*j+1);
  //@ assert z: (b & 4) != 0 <==> bit(bits,4*j+2);
  //@ assert w: (b & 8) != 0 <==> bit(bits,4*j+3);
  float4 d = {buffer_enter(v.x, b & 1u), buffer_enter(v.y, b & 2u), buffer_enter(v.z, b & 4u),
              buffer_enter(v.w, b & 8u)};
  return d;
}

/* The same of a row, whose elements from k on they are. */
/*@ requires 0 <= j < BIT_VEC4S && slot_says(bits,j,b,k,n) && slot_vec(v,x,k,n,Lowest);
    assigns \nothing;
    ensures waits_vec(\result,x,b,k,n); */
DEV float4 buffer_waits(float4 v, slot_bits bits,
                        int j GHOST_PARAMS(int k, int n, const float *x, const float *b))
{
  return buffer_enter4(v, bits, j);
}

/* Slot j of thread t, which the thread holds, waits from here on as its mask says. */
/*@ requires block && j0 == mul(j,BDIM) && 0 <= j0 && 0 <= t < BDIM && j0 + t < KMAX*MAXB;
    requires held_in(held) && bits_in(bits) && 0 <= j < BIT_VEC4S && held_off(held,x,b,n);
    requires slot_says(bits[t],j,b,k,n) && slot_vec(held[j0+t],x,k,n,Lowest);
    assigns held[j0+t];
    ensures but_slot{Pre,Post}(held,j0 + t);
    ensures Same{Pre,Post}(x,n);
    ensures Same{Pre,Post}(b,n);
    ensures waits_vec{Pre}(\result,x,b,k,n) && waits_vec{Pre}(held[j0+t],x,b,k,n); */
DEV float4 open_enter_held(PER_THREADK(float4, held), PER_THREAD(slot_bits, bits), int j, int j0,
                           int t GHOST_PARAMS(int k, int n, const float *x, const float *b))
{
  float4 d = buffer_waits(REG(held, j, j0, t), AT(bits, t), j GHOST_ARGS(k, n, x, b));
  /*@ assert apart: \separated(held + (j0+t), x + (0 .. n-1)) &&
        \separated(held + (j0+t), b + (0 .. n-1)); */
  buffer_hold(held, j, j0, t, d);
  return d;
}

/* And one in the block's slots. */
/*@ requires slot_at(j,j0,t) && slot_free(j,4*(j0+t)) && \valid(v + (0 .. 4*BUFFER_VEC4S-1));
    requires bits_in(bits) && j < BIT_VEC4S && slots_off(v,x,b,n);
    requires slot_says(bits[t],j,b,4*(j0+t)-lead,n) && 0 <= lead < 32;
    requires slot_cells{Pre,Pre}(v,x,lead,n,Lowest,4*(j0+t),4*(j0+t)+4);
    assigns v[4*(j0+t) .. 4*(j0+t)+3];
    ensures Same{Pre,Post}(x,n);
    ensures Same{Pre,Post}(b,n);
    ensures waits_vec{Pre}(\result,x,b,4*(j0+t)-lead,n);
    ensures waits_cells{Pre,Post}(v,x,b,lead,n,4*(j0+t),4*(j0+t)+4);
    ensures same_cells{Pre,Post}(v,0,4*(j0+t));
    ensures same_cells{Pre,Post}(v,4*(j0+t)+4,4*BUFFER_VEC4S); */
DEV float4 open_enter_in(ROW_BUFFER_PARAM(v), PER_THREAD(slot_bits, bits), int j, int j0,
                         int t GHOST_PARAMS(int lead, int n, const float *x, const float *b))
{
  float4 d = BUFFER_LOAD(v, j, j0, t);
  //@ assert vec: slot_vec(d, x, 4*(j0+t)-lead, n, Lowest);
  d = buffer_waits(d, AT(bits, t), j GHOST_ARGS(4 * (j0 + t) - lead, n, x, b));
  //@ assert waits: waits_vec(d, x, b, 4*(j0+t)-lead, n);
  BUFFER_STORE(v, d, j, j0, t);
  //@ assert c0: waits_one{Pre}(v[4*(j0+t)], x, b, 4*(j0+t)-lead, n);
  //@ assert c1: waits_one{Pre}(v[4*(j0+t)+1], x, b, 4*(j0+t)+1-lead, n);
  //@ assert c2: waits_one{Pre}(v[4*(j0+t)+2], x, b, 4*(j0+t)+2-lead, n);
  //@ assert c3: waits_one{Pre}(v[4*(j0+t)+3], x, b, 4*(j0+t)+3-lead, n);
  //@ assert two: waits_cells{Pre,Here}(v,x,b,lead,n,4*(j0+t),4*(j0+t)+2);
  //@ assert more: waits_cells{Pre,Here}(v,x,b,lead,n,4*(j0+t)+2,4*(j0+t)+4);
  return d;
}

#endif
