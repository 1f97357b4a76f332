/* The largest open element of a row under a mask in the slots of a block (masked_buffer.h),
 * while the next row begins to arrive. */
#ifndef PM_SOFTMAX_MASKED_BUFFER_MAX_H
#define PM_SOFTMAX_MASKED_BUFFER_MAX_H
#include "masked_buffer.h"

/*@ // an open element k, which the row may not have, is not above what the threads have
    predicate open_seen{L0,L}(float *top, integer T, float *x, float *b, integer k, integer n) =
      0 <= k < n ==> \at(b[k],L0) == 0.0 ==> \at(x[k],L0) <= RowMax{L}(top,T);
    lemma open_above_one{L0,L}: \forall float *top, integer T, float *x, *b, integer k, n;
      above{L0,L}(top,T,x,b,lesser(k,n)) ==> open_seen{L0,L}(top,T,x,b,k,n) ==>
      above{L0,L}(top,T,x,b,lesser(k+1,n));
    lemma open_above_slot{L0,L}: \forall float *top, integer T, float *x, *b, integer k, n;
      above{L0,L}(top,T,x,b,lesser(k,n)) ==> open_seen{L0,L}(top,T,x,b,k,n) ==>
      open_seen{L0,L}(top,T,x,b,k+1,n) ==> open_seen{L0,L}(top,T,x,b,k+2,n) ==>
      open_seen{L0,L}(top,T,x,b,k+3,n) ==> above{L0,L}(top,T,x,b,lesser(k+4,n));
    lemma open_above_grown{L0,L1,L2}: \forall float *top, integer T, float *x, *b, integer to;
      RowMax{L1}(top,T) <= RowMax{L2}(top,T) ==> above{L0,L1}(top,T,x,b,to) ==>
      above{L0,L2}(top,T,x,b,to);
    lemma open_some_still{L0,L1,L2}: \forall float *top, integer T, float *x, *b, integer n;
      Same{L1,L2}(top,T) ==> some_of{L0,L1}(top,T,x,b,n) ==> some_of{L0,L2}(top,T,x,b,n); */

/*@ assigns \nothing;
    ensures top <= \result && vec_below(v,\result);
    ensures \result == top || (v.x != Mark && \result == v.x) || (v.y != Mark && \result == v.y) ||
      (v.z != Mark && \result == v.z) || (v.w != Mark && \result == v.w); */
DEV float open_top4(float top, float4 v)
{
  top = larger_unmarked(larger_unmarked(top, v.x), v.y);
  return larger_unmarked(larger_unmarked(top, v.z), v.w);
}

/* The largest of top[t] and of slot d of the row, which begins at element k. */
/*@ requires block && 0 <= t < BDIM && lanes_in(top) && 0 < n && masked_in(x,b,n);
    requires waits_vec(d,x,b,k,n) && some_of{Pre,Pre}(top,BDIM,x,b,n) && lanes_off(top,x,b,n);
    requires above{Pre,Pre}(top,BDIM,x,b,lesser(k,n));
    assigns top[t];
    ensures Same{Pre,Post}(x,n);
    ensures Same{Pre,Post}(b,n);
    ensures some_of{Pre,Post}(top,BDIM,x,b,n) && above{Pre,Post}(top,BDIM,x,b,lesser(k+4,n)); */
DEV void open_top(PER_THREAD(float, top), int t,
                  float4 d GHOST_PARAMS(int k, int n, const float *x, const float *b))
{
  AT(top, t) = open_top4(AT(top, t), d);
  //@ assert some: Lowest <= top[t] <= RowTop{Pre}(x,b,n);
  //@ assert only: only{Pre,Here}(top, t, BDIM);
  //@ assert grows: at_most{Pre,Here}(top, BDIM);
  //@ assert max: \at(RowMax(top, BDIM),Pre) <= RowMax(top, BDIM);
  //@ assert one: top[t] <= RowMax(top, BDIM);
  //@ assert x: open_seen{Pre,Here}(top, BDIM, x, b, k, n);
  //@ assert y: open_seen{Pre,Here}(top, BDIM, x, b, k+1, n);
  //@ assert z: open_seen{Pre,Here}(top, BDIM, x, b, k+2, n);
  //@ assert w: open_seen{Pre,Here}(top, BDIM, x, b, k+3, n);
  //@ assert old: above{Pre,Here}(top, BDIM, x, b, lesser(k, n));
}

/* Slot d of thread t is looked at; the next row's slot j there begins to arrive. */
/*@ requires slots_arrive(v,slots2,x,lead,n,aligned) && lanes_in(top) && masked_in(x1,b1,n1);
    requires 0 <= t < BDIM && 0 <= j && j0 == mul(j,BDIM) && 0 <= j0 && j0 + t < KMAX*MAXB;
    requires slot_open(j,4*(j0+t)) && 0 < n1 <= BUFFER_COLS && 0 <= lead1 < 32;
    requires waits_vec(d,x1,b1,4*(j0+t)-lead1,n1) && some_of{Pre,Pre}(top,BDIM,x1,b1,n1);
    requires above{Pre,Pre}(top,BDIM,x1,b1,lesser(4*(j0+t)-lead1,n1));
    requires slot_cells{Pre,Pre}(v,x,lead,n,low,0,lesser(4*slots2,4*(j0+t)));
    requires lanes_off(top,x1,b1,n1) && slots_off(v,x1,b1,n1);
    requires \separated(top + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(top + (0 .. BDIM-1), v + (0 .. 4*BUFFER_VEC4S-1));
    assigns top[t], v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
    ensures slot_open(j,4*(j0+t)+4);
    ensures j < early_slots_ ? late_ == \old(late_) : early_ == \old(early_);
    ensures Same{Pre,Post}(x1,n1);
    ensures Same{Pre,Post}(b1,n1);
    ensures Same{Pre,Post}(x,n);
    ensures some_of{Pre,Post}(top,BDIM,x1,b1,n1);
    ensures above{Pre,Post}(top,BDIM,x1,b1,lesser(4*(j0+t)-lead1+4,n1));
    ensures slot_cells{Pre,Post}(v,x,lead,n,low,0,lesser(4*slots2,4*(j0+t)+4));
    ensures same_cells{Pre,Post}(v,4*(j0+t)+4,4*BUFFER_VEC4S); */
DEV void open_top_next(PER_THREAD(float, top), ROW_BUFFER_PARAM(v), float4 d, int j, int j0, int t,
                       int slots2, int lead, int n, int aligned, float low,
                       const float *RESTRICT x GHOST_PARAMS(int lead1, int n1, const float *x1,
                                                            const float *b1))
{
  open_top(top, t, d GHOST_ARGS(4 * (j0 + t) - lead1, n1, x1, b1));
  //@ ghost L1: ;
  //@ assert some_1: some_of{Pre,L1}(top,BDIM,x1,b1,n1);
  //@ assert rows: Same{Pre,L1}(x1,n1);
  //@ assert rows_b: Same{Pre,L1}(b1,n1);
  //@ assert row: Same{Pre,L1}(x,n);
  //@ assert cells: same_cells{Pre,L1}(v,0,4*BUFFER_VEC4S);
  //@ assert now: slot_cells{Here,Here}(v,x,lead,n,low,0,lesser(4*slots2,4*(j0+t)));
  buffer_arrives(v, j, j0, t, slots2, lead, n, aligned, low, x GHOST_ARGS(0));
  //@ assert rows_2: Same{L1,Here}(x1,n1);
  //@ assert rows_2_b: Same{L1,Here}(b1,n1);
  //@ assert row_2: Same{L1,Here}(x,n);
  //@ assert tops: Same{L1,Here}(top,BDIM);
  //@ assert some: some_of{Pre,Here}(top,BDIM,x1,b1,n1);
  //@ assert max: RowMax{L1}(top,BDIM) <= RowMax(top,BDIM);
}

/*@ // what a thread has of a row, the slots and what it holds are apart, and from row x, which
    // comes
    predicate open_apart{L}(float *a, float4 *held, float *v, float *x1, float *b1, integer n1,
                            float *x, integer n) =
      lanes_off(a,x1,b1,n1) && held_off(held,x1,b1,n1) && slots_off(v,x1,b1,n1) &&
      lanes_apart(a,v,held,x1,n1,x,n) && \separated(held + (0 .. KMAX*MAXB-1), x + (0 .. n-1)); */

/* Slot j of thread t, of what it holds. */
/*@ requires slots_arrive(v,slots2,x,lead,n,aligned) && lanes_in(top) && held_in(held);
    requires bits_in(bits) && masked_in(x1,b1,n1) && j < BIT_VEC4S;
    requires 0 <= t < BDIM && 0 <= j && j0 == mul(j,BDIM) && 0 <= j0 && j0 + t < KMAX*MAXB;
    requires slot_open(j,4*(j0+t)) && 0 < n1 <= BUFFER_COLS && 0 <= lead1 < 32;
    requires slot_vec(held[j0+t],x1,4*(j0+t)-lead1,n1,Lowest);
    requires slot_says(bits[t],j,b1,4*(j0+t)-lead1,n1);
    requires some_of{Pre,Pre}(top,BDIM,x1,b1,n1);
    requires above{Pre,Pre}(top,BDIM,x1,b1,lesser(4*(j0+t)-lead1,n1));
    requires slot_cells{Pre,Pre}(v,x,lead,n,low,0,lesser(4*slots2,4*(j0+t)));
    requires open_apart(top,held,v,x1,b1,n1,x,n);
    assigns top[t], held[j0+t], v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
    ensures slot_open(j,4*(j0+t)+4);
    ensures j < early_slots_ ? late_ == \old(late_) : early_ == \old(early_);
    ensures Same{Pre,Post}(x1,n1);
    ensures Same{Pre,Post}(b1,n1);
    ensures Same{Pre,Post}(x,n);
    ensures but_slot{Pre,Post}(held,j0 + t);
    ensures waits_vec{Pre}(held[j0+t],x1,b1,4*(j0+t)-lead1,n1);
    ensures some_of{Pre,Post}(top,BDIM,x1,b1,n1);
    ensures above{Pre,Post}(top,BDIM,x1,b1,lesser(4*(j0+t)-lead1+4,n1));
    ensures slot_cells{Pre,Post}(v,x,lead,n,low,0,lesser(4*slots2,4*(j0+t)+4));
    ensures same_cells{Pre,Post}(v,4*(j0+t)+4,4*BUFFER_VEC4S); */
DEV void open_top_held(PER_THREAD(float, top), PER_THREADK(float4, held),
                       PER_THREAD(slot_bits, bits), ROW_BUFFER_PARAM(v), int j, int j0, int t,
                       int slots2, int lead, int n, int aligned, float low,
                       const float *RESTRICT x GHOST_PARAMS(int lead1, int n1, const float *x1,
                                                            const float *b1))
{
  //@ assert apart: \separated(top + (0 .. BDIM-1), held + (0 .. KMAX*MAXB-1));
  //@ assert off_x: \forall integer k; 0 <= k < n ==> \separated(x + k, held + (j0 + t));
  //@ assert off_t: \forall integer k; 0 <= k < BDIM ==> \separated(top + k, held + (j0 + t));
  //@ assert apart_v: \separated(v + (0 .. 4*BUFFER_VEC4S-1), held + (0 .. KMAX*MAXB-1));
  /*@ assert off: \forall integer k; 0 <= k < KMAX*MAXB ==>
        \separated(held + k, top + t) && \separated(held + k, v + (0 .. 4*BUFFER_VEC4S-1)); */
  float4 d = open_enter_held(held, bits, j, j0, t GHOST_ARGS(4 * (j0 + t) - lead1, n1, x1, b1));
  //@ ghost L1: ;
  //@ assert rows: Same{Pre,L1}(x1,n1);
  //@ assert rows_b: Same{Pre,L1}(b1,n1);
  //@ assert row: Same{Pre,L1}(x,n);
  //@ assert held_1: but_slot{Pre,L1}(held,j0 + t);
  //@ assert this: waits_vec{Pre}(held[j0+t],x1,b1,4*(j0+t)-lead1,n1);
  //@ assert vec: waits_vec(d,x1,b1,4*(j0+t)-lead1,n1);
  //@ assert cells: same_cells{Pre,L1}(v,0,4*BUFFER_VEC4S);
  //@ assert now: slot_cells{Here,Here}(v,x,lead,n,low,0,lesser(4*slots2,4*(j0+t)));
  //@ assert tops: Same{Pre,L1}(top,BDIM);
  //@ assert some: some_of{Here,Here}(top,BDIM,x1,b1,n1);
  //@ assert max: RowMax{Pre}(top,BDIM) <= RowMax(top,BDIM);
  //@ assert over_1: above{Pre,Here}(top,BDIM,x1,b1,lesser(4*(j0+t)-lead1,n1));
  //@ assert over: above{Here,Here}(top,BDIM,x1,b1,lesser(4*(j0+t)-lead1,n1));
  //@ assert in: masked_in(x1,b1,n1);
  open_top_next(top, v, d, j, j0, t, slots2, lead, n, aligned, low,
                x GHOST_ARGS(lead1, n1, x1, b1));
  //@ assert held_2: but_slot{L1,Here}(held,-1);
  //@ assert rest: same_cells{L1,Here}(v,4*(j0+t)+4,4*BUFFER_VEC4S);
  //@ assert came: slot_cells{L1,Here}(v,x,lead,n,low,0,lesser(4*slots2,4*(j0+t)+4));
}

/* The largest of what is open of what a thread holds; the next row's early slots begin to
 * arrive. */
/*@ requires slots_arrive(v,slots2,x,lead,n,aligned) && held_in(held) && lanes_in(top);
    requires bits_in(bits) && open_row(x1,b1,lead1,n1,slots);
    requires early_slots_ == KMAX && early_ == WAY_NONE && late_ != WAY_OPEN;
    requires row_held{Pre,Pre}(held,x1,lead1,n1,Lowest,0,mul(KMAX,BDIM));
    requires lanes_say{Pre,Pre}(bits,b1,lead1,n1,BDIM,0,BIT_VEC4S,0,BDIM);
    requires \forall integer u; 0 <= u < BDIM ==> top[u] == Lowest;
    requires open_apart(top,held,v,x1,b1,n1,x,n);
    assigns top[0 .. BDIM-1], held[0 .. KMAX*MAXB-1], v[0 .. 4*BUFFER_VEC4S-1], early_, late_,
            fetched_;
    ensures late_ == \old(late_);
    ensures Same{Pre,Post}(x1,n1);
    ensures Same{Pre,Post}(b1,n1);
    ensures Same{Pre,Post}(x,n);
    ensures waits_held{Pre,Post}(held,x1,b1,lead1,n1,0,mul(KMAX,BDIM));
    ensures some_of{Pre,Post}(top,BDIM,x1,b1,n1);
    ensures above{Pre,Post}(top,BDIM,x1,b1,lesser(4*mul(KMAX,BDIM)-lead1,n1));
    ensures slot_cells{Pre,Post}(v,x,lead,n,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
    ensures same_cells{Pre,Post}(v,4*mul(KMAX,BDIM),4*BUFFER_VEC4S); */
DEV void open_top_early(PER_THREAD(float, top), PER_THREADK(float4, held),
                        PER_THREAD(slot_bits, bits), ROW_BUFFER_PARAM(v), int slots2, int lead,
                        int n, int aligned,
                        const float *RESTRICT x GHOST_PARAMS(int slots, int lead1, int n1,
                                                             const float *x1, const float *b1))
{
  float low = lowest();
  //@ assert fits: 0 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant slot_open(0,4*j0) && late_ == \at(late_,Pre);
      loop invariant Same{Pre,Here}(x1,n1);
      loop invariant Same{Pre,Here}(b1,n1);
      loop invariant Same{Pre,Here}(x,n);
      loop invariant waits_held{Pre,Here}(held,x1,b1,lead1,n1,0,j0);
      loop invariant row_held{Pre,Here}(held,x1,lead1,n1,Lowest,j0,mul(KMAX,BDIM));
      loop invariant some_of{Pre,Here}(top,BDIM,x1,b1,n1);
      loop invariant above{Pre,Here}(top,BDIM,x1,b1,lesser(4*j0-lead1,n1));
      loop invariant slot_cells{Pre,Here}(v,x,lead,n,Lowest,0,lesser(4*slots2,4*j0));
      loop invariant same_cells{Pre,Here}(v,4*mul(KMAX,BDIM),4*BUFFER_VEC4S);
      loop assigns j, j0, top[0 .. BDIM-1], held[0 .. KMAX*MAXB-1], v[0 .. 4*BUFFER_VEC4S-1],
        early_,
                   late_, fetched_;
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= mul(KMAX,BDIM);
    /*@ loop invariant 0 <= t <= BDIM && slot_open(0,4*(j0+t)) && late_ == \at(late_,Pre);
        loop invariant Same{Pre,Here}(x1,n1);
        loop invariant Same{Pre,Here}(b1,n1);
        loop invariant Same{Pre,Here}(x,n);
        loop invariant waits_held{Pre,Here}(held,x1,b1,lead1,n1,0,j0 + t);
        loop invariant row_held{Pre,Here}(held,x1,lead1,n1,Lowest,j0 + t,mul(KMAX,BDIM));
        loop invariant some_of{Pre,Here}(top,BDIM,x1,b1,n1);
        loop invariant above{Pre,Here}(top,BDIM,x1,b1,lesser(4*(j0+t)-lead1,n1));
        loop invariant slot_cells{Pre,Here}(v,x,lead,n,Lowest,0,lesser(4*slots2,4*(j0+t)));
        loop invariant same_cells{Pre,Here}(v,4*mul(KMAX,BDIM),4*BUFFER_VEC4S);
        loop assigns t, top[0 .. BDIM-1], held[0 .. KMAX*MAXB-1], v[0 .. 4*BUFFER_VEC4S-1], early_,
                     late_, fetched_;
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert open: slot_open(j,4*(j0+t));
      //@ assert low: j0 + t < mul(KMAX,BDIM);
      //@ assert this: slot_vec{Pre}(held[j0+t], x1, 4*(j0+t)-lead1, n1, Lowest);
      //@ assert vec: slot_vec(held[j0+t], x1, 4*(j0+t)-lead1, n1, Lowest);
      //@ assert lane: lane_says{Pre}(bits[t],b1,lead1,n1,BDIM,t,0,BIT_VEC4S);
      //@ assert says_m: slot_says{Pre}(bits[t],j,b1,4*(mul(j,BDIM)+t)-lead1,n1);
      //@ assert says_p: slot_says{Pre}(bits[t],j,b1,4*(j0+t)-lead1,n1);
      //@ assert says: slot_says(bits[t],j,b1,4*(j0+t)-lead1,n1);
      //@ assert in: masked_in(x1,b1,n1);
      //@ assert seen: some_of{Here,Here}(top,BDIM,x1,b1,n1);
      //@ assert over: above{Here,Here}(top,BDIM,x1,b1,lesser(4*(j0+t)-lead1,n1));
      //@ assert now: slot_cells{Here,Here}(v,x,lead,n,Lowest,0,lesser(4*slots2,4*(j0+t)));
      open_top_held(top, held, bits, v, j, j0, t, slots2, lead, n, aligned, low,
                    x GHOST_ARGS(lead1, n1, x1, b1));
      //@ assert rows: Same{LoopCurrent,Here}(x1,n1);
      //@ assert rows_b: Same{LoopCurrent,Here}(b1,n1);
      //@ assert but: but_slot{LoopCurrent,Here}(held, j0 + t);
      //@ assert waits: waits_vec{Pre}(held[j0+t], x1, b1, 4*(j0+t)-lead1, n1);
      //@ assert old: waits_held{Pre,Here}(held,x1,b1,lead1,n1,0,j0 + t);
      //@ assert left: row_held{Pre,Here}(held,x1,lead1,n1,Lowest,j0 + t + 1,mul(KMAX,BDIM));
      //@ assert some: some_of{Pre,Here}(top,BDIM,x1,b1,n1);
      //@ assert above: above{Pre,Here}(top,BDIM,x1,b1,lesser(4*(j0+t)-lead1+4,n1));
      //@ assert rest: same_cells{LoopCurrent,Here}(v,4*mul(KMAX,BDIM),4*BUFFER_VEC4S);
      //@ assert came: slot_cells{Pre,Here}(v,x,lead,n,Lowest,0,lesser(4*slots2,4*(j0+t)+4));
    }
  }
}

/* And of its late slots. */
/*@ requires slots_of_row(v,slots) && lanes_in(top) && bits_in(bits) && bits_fit;
    requires open_row(x,b,lead,n,slots) && early_slots_ == KMAX && late_ == WAY_NONE;
    requires lanes_off(top,x,b,n) && slots_off(v,x,b,n);
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), top + (0 .. BDIM-1));
    requires slot_cells{Pre,Pre}(v,x,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
    requires lanes_say{Pre,Pre}(bits,b,lead,n,BDIM,0,BIT_VEC4S,0,BDIM);
    requires some_of{Pre,Pre}(top,BDIM,x,b,n);
    requires above{Pre,Pre}(top,BDIM,x,b,lesser(4*mul(KMAX,BDIM)-lead,n));
    assigns top[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1];
    ensures RowMax(top,BDIM) == RowTop{Pre}(x,b,n);
    ensures Same{Pre,Post}(x,n);
    ensures Same{Pre,Post}(b,n);
    ensures waits_cells{Pre,Post}(v,x,b,lead,n,4*mul(KMAX,BDIM),4*slots);
    ensures same_cells{Pre,Post}(v,0,4*mul(KMAX,BDIM)); */
DEV void open_top_late(PER_THREAD(float, top), PER_THREAD(slot_bits, bits), ROW_BUFFER_PARAM(v),
                       int slots GHOST_PARAMS(int lead, int n, const float *x, const float *b))
{
  //@ assert mul(KMAX,BDIM) == KMAX*BDIM;
  /*@ loop invariant KMAX <= j <= KMAX + BUFFER_VEC4S && j0 == mul(j,BDIM) && j <= j0;
      loop invariant mul(KMAX,BDIM) <= j0 && some_of{Pre,Here}(top,BDIM,x,b,n);
      loop invariant above{Pre,Here}(top,BDIM,x,b,lesser(4*j0-lead,n));
      loop invariant Same{Pre,Here}(x,n);
      loop invariant Same{Pre,Here}(b,n);
      loop invariant same_cells{Pre,Here}(v,0,4*mul(KMAX,BDIM));
      loop invariant same_cells{Pre,Here}(v,4*j0,4*slots);
      loop invariant waits_cells{Pre,Here}(v,x,b,lead,n,4*mul(KMAX,BDIM),lesser(4*j0,4*slots));
      loop assigns j, j0, top[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1];
      loop variant slots - j0; */
  UNROLL_BY(4)
  for (int j = KMAX, j0 = KMAX * BDIM; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    //@ assert j < BIT_VEC4S;
    /*@ loop invariant 0 <= t <= BDIM && some_of{Pre,Here}(top,BDIM,x,b,n);
        loop invariant above{Pre,Here}(top,BDIM,x,b,lesser(4*(j0+t)-lead,n));
        loop invariant Same{Pre,Here}(x,n);
        loop invariant Same{Pre,Here}(b,n);
        loop invariant same_cells{Pre,Here}(v,0,4*mul(KMAX,BDIM));
        loop invariant same_cells{Pre,Here}(v,4*(j0+t),4*slots);
        loop invariant waits_cells{Pre,Here}(v,x,b,lead,n,4*mul(KMAX,BDIM),
                                             lesser(4*(j0+t),4*slots));
        loop assigns t, top[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (j0 + t < slots) {
        //@ assert alone: \separated(top + t, v + (0 .. 4*BUFFER_VEC4S-1));
        //@ assert as: same_cells{Pre,Here}(v,4*(j0+t),4*(j0+t)+4);
        //@ assert was: slot_cells{Pre,Pre}(v,x,lead,n,Lowest,4*(j0+t),4*(j0+t)+4);
        //@ assert cells: slot_cells{Pre,Here}(v,x,lead,n,Lowest,4*(j0+t),4*(j0+t)+4);
        //@ assert now: slot_cells{Here,Here}(v,x,lead,n,Lowest,4*(j0+t),4*(j0+t)+4);
        //@ assert lane: lane_says{Pre}(bits[t],b,lead,n,BDIM,t,0,BIT_VEC4S);
        //@ assert says_m: slot_says{Pre}(bits[t],j,b,4*(mul(j,BDIM)+t)-lead,n);
        //@ assert says_p: slot_says{Pre}(bits[t],j,b,4*(j0+t)-lead,n);
        //@ assert says: slot_says(bits[t],j,b,4*(j0+t)-lead,n);
        float4 d = open_enter_in(v, bits, j, j0, t GHOST_ARGS(lead, n, x, b));
        //@ ghost L1: ;
        //@ assert rows: Same{Pre,L1}(x,n);
        //@ assert rows_b: Same{Pre,L1}(b,n);
        //@ assert four_1: waits_cells{LoopCurrent,L1}(v,x,b,lead,n,4*(j0+t),4*(j0+t)+4);
        //@ assert four: waits_cells{Pre,L1}(v,x,b,lead,n,4*(j0+t),4*(j0+t)+4);
        //@ assert this: waits_vec{LoopCurrent}(d, x, b, 4*(j0+t)-lead, n);
        //@ assert vec: waits_vec(d, x, b, 4*(j0+t)-lead, n);
        //@ assert below: same_cells{LoopCurrent,L1}(v,0,4*(j0+t));
        //@ assert rest: same_cells{LoopCurrent,L1}(v,4*(j0+t)+4,4*slots);
        //@ assert early: same_cells{Pre,L1}(v,0,4*mul(KMAX,BDIM));
        //@ assert late: same_cells{Pre,L1}(v,4*(j0+t)+4,4*slots);
        //@ assert old: waits_cells{Pre,L1}(v,x,b,lead,n,4*mul(KMAX,BDIM),4*(j0+t));
        //@ assert new: waits_cells{Pre,L1}(v,x,b,lead,n,4*mul(KMAX,BDIM),4*(j0+t)+4);
        //@ assert tops: Same{LoopCurrent,L1}(top,BDIM);
        //@ assert max: RowMax{LoopCurrent}(top,BDIM) <= RowMax(top,BDIM);
        //@ assert in: masked_in(x,b,n);
        //@ assert seen: some_of{Here,Here}(top,BDIM,x,b,n);
        //@ assert over_1: above{Pre,Here}(top,BDIM,x,b,lesser(4*(j0+t)-lead,n));
        //@ assert over: above{Here,Here}(top,BDIM,x,b,lesser(4*(j0+t)-lead,n));
        open_top(top, t, d GHOST_ARGS(4 * (j0 + t) - lead, n, x, b));
        //@ assert rows_2: Same{L1,Here}(x,n);
        //@ assert rows_2_b: Same{L1,Here}(b,n);
        //@ assert flat: same_cells{L1,Here}(v,0,4*BUFFER_VEC4S);
        //@ assert some: some_of{Pre,Here}(top,BDIM,x,b,n);
        //@ assert above: above{Pre,Here}(top,BDIM,x,b,lesser(4*(j0+t)-lead+4,n));
      }
  }
  //@ assert all: above{Pre,Here}(top, BDIM, x, b, n);
  //@ assert under: all_under(top, BDIM, RowTop{Pre}(x, b, n));
  //@ assert at_most: RowMax(top, BDIM) <= RowTop{Pre}(x, b, n);
  //@ assert first: Lowest <= top[0] <= RowMax(top, BDIM);
  //@ assert tops: tops_under{Pre}(x, b, n, RowMax(top, BDIM));
  //@ assert at_least: RowTop{Pre}(x, b, n) <= RowMax(top, BDIM);
}

/*@ // 32 words of a block, apart from its slots, from what the threads hold and from the rows there
    predicate open_words{L}(float *s, float4 *held, float *v, float *x1, float *b1, integer n1,
                            float *x, integer n) =
      \valid(s + (0 .. 31)) && perm(s,32) && \separated(s + (0 .. 31), x1 + (0 .. n1-1)) &&
      \separated(s + (0 .. 31), b1 + (0 .. n1-1)) && \separated(s + (0 .. 31), x + (0 .. n-1)) &&
      \separated(s + (0 .. 31), v + (0 .. 4*BUFFER_VEC4S-1)) &&
      \separated(s + (0 .. 31), held + (0 .. KMAX*MAXB-1));
    // the slots, what the threads hold and the rows there
    predicate open_slots{L}(float4 *held, float *v, float *x1, float *b1, integer n1, float *x,
                            integer n) =
      held_off(held,x1,b1,n1) && slots_off(v,x1,b1,n1) &&
      \separated(v + (0 .. 4*BUFFER_VEC4S-1), held + (0 .. KMAX*MAXB-1)) &&
      \separated(held + (0 .. KMAX*MAXB-1), x + (0 .. n-1)); */

/* The same of all that is there: the row's early slots, which threads hold, and its late ones. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots) && held_in(held);
    requires bits_in(bits) && bits_fit && open_row(x1,b1,lead,n,slots) && lanes_in(top);
    requires early_slots_ == KMAX && early_ == WAY_NONE && late_ == WAY_SENT;
    requires row_held{Pre,Pre}(held,x1,lead,n,Lowest,0,mul(KMAX,BDIM));
    requires slot_cells{Pre,Pre}(v,x1,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
    requires lanes_say{Pre,Pre}(bits,b1,lead,n,BDIM,0,BIT_VEC4S,0,BDIM);
    requires \forall integer u; 0 <= u < BDIM ==> top[u] == Lowest;
    requires open_apart(top,held,v,x1,b1,n,x,n2);
    assigns top[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], held[0 .. KMAX*MAXB-1], early_, late_,
            fetched_, newest_;
    ensures early_ == WAY_SENT && late_ == WAY_NONE && newest_ == EARLY;
    ensures RowMax(top,BDIM) == RowTop{Pre}(x1,b1,n);
    ensures Same{Pre,Post}(x1,n);
    ensures Same{Pre,Post}(b1,n);
    ensures Same{Pre,Post}(x,n2);
    ensures slot_cells{Pre,Post}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
    ensures waits_held{Pre,Post}(held,x1,b1,lead,n,0,mul(KMAX,BDIM));
    ensures waits_cells{Pre,Post}(v,x1,b1,lead,n,4*mul(KMAX,BDIM),4*slots); */
DEV void open_tops(PER_THREAD(float, top), PER_THREADK(float4, held), PER_THREAD(slot_bits, bits),
                   ROW_BUFFER_PARAM(v), int slots, int slots2, int lead2, int n2, int aligned,
                   const float *RESTRICT x GHOST_PARAMS(int lead, int n, const float *x1,
                                                        const float *b1))
{
  /*@ assert away: \forall integer k; 0 <= k < n2 ==> \separated(x + k, top + (0 .. BDIM-1)) &&
        \separated(x + k, v + (0 .. 4*BUFFER_VEC4S-1)); */
  /*@ assert off_t: \forall integer k; 0 <= k < KMAX*MAXB ==>
        \separated(held + k, top + (0 .. BDIM-1)); */
  /*@ assert off_v: \forall integer k; 0 <= k < KMAX*MAXB ==>
        \separated(held + k, v + (0 .. 4*BUFFER_VEC4S-1)); */
  open_top_early(top, held, bits, v, slots2, lead2, n2, aligned,
                 x GHOST_ARGS(slots, lead, n, x1, b1));
  buffer_send(EARLY);
  buffer_wait_but_newest();
  //@ ghost L1: ;
  //@ assert x1_1: Same{Pre,L1}(x1,n);
  //@ assert b1_1: Same{Pre,L1}(b1,n);
  //@ assert x_1: Same{Pre,L1}(x,n2);
  //@ assert cells_1: same_cells{Pre,L1}(v,4*mul(KMAX,BDIM),4*BUFFER_VEC4S);
  //@ assert late: slot_cells{Pre,L1}(v,x1,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
  //@ assert now: slot_cells{L1,L1}(v,x1,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
  //@ assert next: slot_cells{Pre,L1}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  //@ assert held_1: waits_held{Pre,L1}(held,x1,b1,lead,n,0,mul(KMAX,BDIM));
  //@ assert says_1: lanes_say{L1,L1}(bits,b1,lead,n,BDIM,0,BIT_VEC4S,0,BDIM);
  //@ assert in_1: open_row(x1,b1,lead,n,slots);
  //@ assert some_0: some_of{Pre,L1}(top,BDIM,x1,b1,n);
  //@ assert of: RowTop{Pre}(x1,b1,n) == RowTop(x1,b1,n);
  //@ assert some: some_of{Here,Here}(top,BDIM,x1,b1,n);
  //@ assert above_0: above{Pre,L1}(top,BDIM,x1,b1,lesser(4*mul(KMAX,BDIM)-lead,n));
  //@ assert above: above{Here,Here}(top,BDIM,x1,b1,lesser(4*mul(KMAX,BDIM)-lead,n));
  open_top_late(top, bits, v, slots GHOST_ARGS(lead, n, x1, b1));
  //@ assert max: RowMax(top,BDIM) == RowTop{Pre}(x1,b1,n);
  //@ assert x_2: Same{L1,Here}(x,n2);
  //@ assert first_2: same_cells{L1,Here}(v,0,4*mul(KMAX,BDIM));
  //@ assert next_2: slot_cells{Pre,Here}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  //@ assert x1_b: Same{L1,Pre}(x1,n);
  //@ assert b1_b: Same{L1,Pre}(b1,n);
  //@ assert waits_1: waits_cells{L1,Here}(v,x1,b1,lead,n,4*mul(KMAX,BDIM),4*slots);
  //@ assert waits_2: waits_cells{Pre,Here}(v,x1,b1,lead,n,4*mul(KMAX,BDIM),4*slots);
  //@ assert still: but_slot{L1,Here}(held,-1);
}

/* The largest open element of the row in the slots; the next row's early slots begin to arrive. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots) && held_in(held);
    requires bits_in(bits) && bits_fit && open_row(x1,b1,lead,n,slots);
    requires early_slots_ == KMAX && early_ == WAY_NONE && late_ == WAY_SENT;
    requires row_held{Pre,Pre}(held,x1,lead,n,Lowest,0,mul(KMAX,BDIM));
    requires slot_cells{Pre,Pre}(v,x1,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
    requires lanes_say{Pre,Pre}(bits,b1,lead,n,BDIM,0,BIT_VEC4S,0,BDIM);
    requires open_slots(held,v,x1,b1,n,x,n2) && open_words(sm,held,v,x1,b1,n,x,n2);
    assigns v[0 .. 4*BUFFER_VEC4S-1], held[0 .. KMAX*MAXB-1], sm[0 .. 31], early_, late_, fetched_,
            newest_;
    ensures early_ == WAY_SENT && late_ == WAY_NONE && newest_ == EARLY;
    ensures \result == RowTop{Pre}(x1,b1,n);
    ensures Same{Pre,Post}(x1,n);
    ensures Same{Pre,Post}(b1,n);
    ensures Same{Pre,Post}(x,n2);
    ensures slot_cells{Pre,Post}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
    ensures waits_held{Pre,Post}(held,x1,b1,lead,n,0,mul(KMAX,BDIM));
    ensures waits_cells{Pre,Post}(v,x1,b1,lead,n,4*mul(KMAX,BDIM),4*slots); */
DEV float
masked_buffer_max(PER_THREADK(float4, held), PER_THREAD(slot_bits, bits), ROW_BUFFER_PARAM(v),
                  int slots, int slots2, int lead2, int n2, int aligned, const float *RESTRICT x,
                  float *sm GHOST_PARAMS(int lead, int n, const float *x1, const float *b1))
{
  PRIVATE(float, top);
  /*@ loop invariant 0 <= t <= BDIM && \forall integer u; 0 <= u < t ==> top[u] == Lowest;
      loop assigns t, top[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(top, t) = lowest();
  //@ ghost L0: ;
  //@ assert x1s: Same{Pre,L0}(x1,n);
  //@ assert b1s: Same{Pre,L0}(b1,n);
  //@ assert xs: Same{Pre,L0}(x,n2);
  //@ assert held: row_held{Here,Here}(held,x1,lead,n,Lowest,0,mul(KMAX,BDIM));
  //@ assert vs: same_cells{Pre,L0}(v,0,4*BUFFER_VEC4S);
  //@ assert late: slot_cells{Here,Here}(v,x1,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
  //@ assert says: lanes_say{Here,Here}(bits,b1,lead,n,BDIM,0,BIT_VEC4S,0,BDIM);
  //@ assert in: open_row(x1,b1,lead,n,slots);
  //@ assert of: RowTop{Pre}(x1,b1,n) == RowTop(x1,b1,n);
  /*@ assert off: \forall integer k; 0 <= k < KMAX*MAXB ==>
        \separated(held + k, sm + (0 .. 31)); */
  open_tops(top, held, bits, v, slots, slots2, lead2, n2, aligned, x GHOST_ARGS(lead, n, x1, b1));
  //@ ghost L2: ;
  //@ assert max: RowMax(&top[0],BDIM) == RowTop{Pre}(x1,b1,n);
  //@ assert x1_2: Same{L0,L2}(x1,n);
  //@ assert b1_2: Same{L0,L2}(b1,n);
  //@ assert x_2: Same{L0,L2}(x,n2);
  //@ assert x1_b: Same{L0,Pre}(x1,n);
  //@ assert b1_b: Same{L0,Pre}(b1,n);
  //@ assert next_0: slot_cells{L0,L2}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  //@ assert next_2: slot_cells{Pre,L2}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  //@ assert waits_0: waits_cells{L0,L2}(v,x1,b1,lead,n,4*mul(KMAX,BDIM),4*slots);
  //@ assert waits_2: waits_cells{Pre,L2}(v,x1,b1,lead,n,4*mul(KMAX,BDIM),4*slots);
  //@ assert held_0: waits_held{L0,L2}(held,x1,b1,lead,n,0,mul(KMAX,BDIM));
  //@ assert held_2: waits_held{Pre,L2}(held,x1,b1,lead,n,0,mul(KMAX,BDIM));
  float m = block_max(top, sm);
  //@ assert flat: same_cells{L2,Here}(v,0,4*BUFFER_VEC4S);
  //@ assert still_2: but_slot{L2,Here}(held,-1);
  //@ assert x1_3: Same{L2,Here}(x1,n);
  //@ assert b1_3: Same{L2,Here}(b1,n);
  //@ assert x_3: Same{L2,Here}(x,n2);
  return m;
}
#endif
