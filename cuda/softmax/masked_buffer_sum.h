/* The exponentials of what is open of a row in the slots of a block, at its largest element
 * (masked_buffer_max.h), and their sum. What is blocked is -0 from there on. */
#ifndef PM_SOFTMAX_MASKED_BUFFER_SUM_H
#define PM_SOFTMAX_MASKED_BUFFER_SUM_H
#include "masked_buffer_max.h"

/*@ // element k's part of the sum
    logic real SlotOpen{L}(float *x, float *b, real m, integer k, integer n) =
      0 <= k < n ? open_exp(b[k],x[k],m) : 0.0;
    lemma slot_open_next{L}: \forall float *x, *b, real m, integer k, n; 0 <= n ==>
      OpenSumExp{L}(x,b,m,lesser(k+1,n)) ==
        OpenSumExp{L}(x,b,m,lesser(k,n)) + SlotOpen{L}(x,b,m,k,n);
    predicate slot_opens{L}(float *x, float *b, real m, integer k, integer n) =
      OpenSumExp{L}(x,b,m,lesser(k+4,n)) == OpenSumExp{L}(x,b,m,lesser(k,n)) +
        (SlotOpen{L}(x,b,m,k,n) + SlotOpen{L}(x,b,m,k+1,n) + SlotOpen{L}(x,b,m,k+2,n) +
         SlotOpen{L}(x,b,m,k+3,n));
    lemma slot_open_4{L}: \forall float *x, *b, real m, integer k, n; 0 <= n ==>
      slot_opens{L}(x,b,m,k,n);
    lemma same_lesser{L1,L2}: \forall float *x, integer k, n; Same{L1,L2}(x,n) ==>
      Same{L1,L2}(x,lesser(k,n));
    lemma slot_open_frame{L1,L2}: \forall float *x, *b, real m, integer k, n; Same{L1,L2}(x,n) ==>
      Same{L1,L2}(b,n) ==> Same{L1,L2}(x,lesser(k,n)) && Same{L1,L2}(b,lesser(k,n)) &&
      OpenSumExp{L1}(x,b,m,lesser(k,n)) == OpenSumExp{L2}(x,b,m,lesser(k,n));
    // e is what is kept of d
    predicate kept_as(real d, real m, real e) = (d == Mark ==> is_zero(e)) &&
      (d != Mark ==> Lowest < m ==> d <= m ==> e == Term(d,m));
    predicate open_one{L}(real e, float *x, float *b, real m, integer k, integer n) =
      0 <= k < n ==> e == OpenAt(x,b,m,k,n);
    lemma kept_part{L}: \forall real d, e, m, float *x, *b, integer k, n; no_mark{L}(x,n) ==>
      above_lowest{L}(x,n) ==> m == RowTop{L}(x,b,n) ==> waits_one{L}(d,x,b,k,n) ==>
      kept_as(d,m,e) ==> Lowest < m ==> e == SlotOpen{L}(x,b,m,k,n);
    lemma kept_one{L}: \forall real d, e, m, float *x, *b, integer k, n; no_mark{L}(x,n) ==>
      above_lowest{L}(x,n) ==> m == RowTop{L}(x,b,n) ==> waits_one{L}(d,x,b,k,n) ==>
      kept_as(d,m,e) ==> open_one{L}(e,x,b,m,k,n);
    predicate open_four{L}(float4 e, float *x, float *b, real m, integer k, integer n) =
      open_one(e.x,x,b,m,k,n) && open_one(e.y,x,b,m,k+1,n) && open_one(e.z,x,b,m,k+2,n) &&
      open_one(e.w,x,b,m,k+3,n);
    predicate open_held{L0,L}(float4 *held, float *x, float *b, real m, integer lead, integer n,
                              integer to) =
      \forall integer q; 0 <= q < to ==> open_four{L0}(\at(held[q],L),x,b,m,4*q-lead,n);
    predicate open_cells{L0,L}(float *v, float *x, float *b, real m, integer lead, integer n,
                               integer from, integer to) =
      \forall integer c; from <= c < to ==> open_one{L0}(\at(v[c],L),x,b,m,c-lead,n);
    lemma open_held_frame{L1,L2,L}: \forall float4 *held, float *x, *b, real m, integer lead, n, to;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> open_held{L1,L}(held,x,b,m,lead,n,to) ==>
      open_held{L2,L}(held,x,b,m,lead,n,to);
    lemma open_cells_frame{L1,L2,L}: \forall float *v, *x, *b, real m, integer lead, n, from, to;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> open_cells{L1,L}(v,x,b,m,lead,n,from,to) ==>
      open_cells{L2,L}(v,x,b,m,lead,n,from,to);
    lemma open_held_grow{L0,L}: \forall float4 *held, float *x, *b, real m,
      integer lead, n, to, next; to < next <= to + 1 ==>
      open_four{L0}(\at(held[to],L),x,b,m,4*to-lead,n) ==>
      open_held{L0,L}(held,x,b,m,lead,n,to) ==> open_held{L0,L}(held,x,b,m,lead,n,next);
    lemma open_still{L0,L1,L2}: \forall float4 *held, float *x, *b, real m, integer lead, n, to;
      to <= KMAX*MAXB ==> but_slot{L1,L2}(held,-1) ==>
      open_held{L0,L1}(held,x,b,m,lead,n,to) ==> open_held{L0,L2}(held,x,b,m,lead,n,to); */

/* Of an element that waits: its exponential, or -0. */
/*@ assigns \nothing; ensures kept_as(v,m,\result); */
DEV float buffer_masked_exp(float v, float m)
{
  float e = loss_exp(v, m);
  return is_mark(v) ? -0.0f : e;
}

/*@ assigns \nothing;
    ensures kept_as(v.x,m,\result.x) && kept_as(v.y,m,\result.y);
    ensures kept_as(v.z,m,\result.z) && kept_as(v.w,m,\result.w); */
DEV float4 buffer_masked_exp4(float4 v, float m)
{
  float4 e = {buffer_masked_exp(v.x, m), buffer_masked_exp(v.y, m), buffer_masked_exp(v.z, m),
              buffer_masked_exp(v.w, m)};
  return e;
}

/* Lane t adds slot d of the row, which begins at element k; what is kept of it. */
/*@ requires block && 0 <= t < BDIM && lanes_in(acc) && 0 < n && masked_in(x,b,n);
    requires above_lowest(x,n) && waits_vec(d,x,b,k,n) && m == RowTop(x,b,n);
    requires lanes_off(acc,x,b,n);
    assigns acc[t];
    ensures only{Pre,Post}(acc, t, BDIM);
    ensures Same{Pre,Post}(x,n);
    ensures Same{Pre,Post}(b,n);
    ensures open_four{Pre}(\result,x,b,m,k,n);
    ensures Lowest < m ==> acc[t] == \old(acc[t]) +
      (OpenSumExp{Pre}(x,b,m,lesser(k+4,n)) - OpenSumExp{Pre}(x,b,m,lesser(k,n))); */
DEV float4 open_add(PER_THREAD(float, acc), int t, float4 d,
                    float m GHOST_PARAMS(int k, int n, const float *x, const float *b))
{
  float4 e = buffer_masked_exp4(d, m);
  //@ assert four: open_four(e,x,b,m,k,n);
  //@ assert x: Lowest < m ==> e.x == SlotOpen(x,b,m,k,n);
  //@ assert y: Lowest < m ==> e.y == SlotOpen(x,b,m,k+1,n);
  //@ assert z: Lowest < m ==> e.z == SlotOpen(x,b,m,k+2,n);
  //@ assert w: Lowest < m ==> e.w == SlotOpen(x,b,m,k+3,n);
  //@ assert adds: slot_opens(x,b,m,k,n);
  //@ assert apart: \separated(acc + t, x + (0 .. n-1)) && \separated(acc + t, b + (0 .. n-1));
  AT(acc, t) += (e.x + e.y) + (e.z + e.w);
  return e;
}

/* The same of a slot that the thread holds, and of one in the block's, which keep it. */
/*@ requires block && j0 == mul(j,BDIM) && 0 <= j0 && 0 <= t < BDIM && j0 + t < KMAX*MAXB;
    requires held_in(held) && lanes_in(acc) && 0 < n && masked_in(x,b,n) && above_lowest(x,n);
    requires waits_vec(held[j0+t],x,b,k,n) && m == RowTop(x,b,n);
    requires lanes_off(acc,x,b,n) && held_off(held,x,b,n);
    requires \separated(acc + (0 .. BDIM-1), held + (0 .. KMAX*MAXB-1));
    assigns acc[t], held[j0+t];
    ensures only{Pre,Post}(acc, t, BDIM);
    ensures but_slot{Pre,Post}(held, j0 + t);
    ensures Same{Pre,Post}(x,n);
    ensures Same{Pre,Post}(b,n);
    ensures open_four{Pre}(held[j0+t],x,b,m,k,n);
    ensures Lowest < m ==> acc[t] == \old(acc[t]) +
      (OpenSumExp{Pre}(x,b,m,lesser(k+4,n)) - OpenSumExp{Pre}(x,b,m,lesser(k,n))); */
DEV void open_add_held(PER_THREAD(float, acc), PER_THREADK(float4, held), int j, int j0, int t,
                       float m GHOST_PARAMS(int k, int n, const float *x, const float *b))
{
  //@ assert alone: \separated(acc + t, held + (0 .. KMAX*MAXB-1));
  //@ assert off_x: \separated(held + (j0 + t), x + (0 .. n-1));
  //@ assert off_b: \separated(held + (j0 + t), b + (0 .. n-1));
  //@ assert apart: \separated(held + (j0 + t), acc + (0 .. BDIM-1));
  float4 u = open_add(acc, t, REG(held, j, j0, t), m GHOST_ARGS(k, n, x, b));
  //@ assert only: only{Pre,Here}(acc, t, BDIM);
  //@ assert held: but_slot{Pre,Here}(held, j0 + t);
  //@ ghost L1: ;
  //@ assert in: Same{Pre,L1}(x, n);
  //@ assert in_b: Same{Pre,L1}(b, n);
  buffer_hold(held, j, j0, t, u);
  //@ assert sums: Same{L1,Here}(acc, BDIM);
  //@ assert row: Same{L1,Here}(x, n);
  //@ assert row_b: Same{L1,Here}(b, n);
}

/*@ requires slot_at(j,j0,t) && slot_free(j,4*(j0+t)) && \valid(v + (0 .. 4*BUFFER_VEC4S-1));
    requires 0 <= lead < 32 && open_four(u,x,b,m,4*(j0+t)-lead,n) && slots_off(v,x,b,n);
    assigns v[4*(j0+t) .. 4*(j0+t)+3];
    ensures Same{Pre,Post}(x,n);
    ensures Same{Pre,Post}(b,n);
    ensures open_cells{Pre,Post}(v,x,b,m,lead,n,4*(j0+t),4*(j0+t)+4);
    ensures same_cells{Pre,Post}(v,0,4*(j0+t));
    ensures same_cells{Pre,Post}(v,4*(j0+t)+4,4*BUFFER_VEC4S); */
DEV void open_keep_in(ROW_BUFFER_PARAM(v), int j, int j0, int t,
                      float4 u GHOST_PARAMS(float m, int lead, int n, const float *x,
                                            const float *b))
{
  BUFFER_STORE(v, u, j, j0, t);
  //@ assert c0: open_one{Pre}(v[4*(j0+t)], x, b, m, 4*(j0+t)-lead, n);
  //@ assert c1: open_one{Pre}(v[4*(j0+t)+1], x, b, m, 4*(j0+t)+1-lead, n);
  //@ assert c2: open_one{Pre}(v[4*(j0+t)+2], x, b, m, 4*(j0+t)+2-lead, n);
  //@ assert c3: open_one{Pre}(v[4*(j0+t)+3], x, b, m, 4*(j0+t)+3-lead, n);
  //@ assert two: open_cells{Pre,Here}(v,x,b,m,lead,n,4*(j0+t),4*(j0+t)+2);
  //@ assert more: open_cells{Pre,Here}(v,x,b,m,lead,n,4*(j0+t)+2,4*(j0+t)+4);
}

/*@ requires slot_at(j,j0,t) && lanes_in(acc) && slot_free(j,4*(j0+t)) && 0 < n;
    requires \valid(v + (0 .. 4*BUFFER_VEC4S-1)) && masked_in(x,b,n) && above_lowest(x,n);
    requires 0 <= lead < 32 && m == RowTop(x,b,n);
    requires waits_cells{Pre,Pre}(v,x,b,lead,n,4*(j0+t),4*(j0+t)+4);
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), acc + (0 .. BDIM-1));
    requires lanes_off(acc,x,b,n) && slots_off(v,x,b,n);
    assigns acc[t], v[4*(j0+t) .. 4*(j0+t)+3];
    ensures only{Pre,Post}(acc, t, BDIM);
    ensures Same{Pre,Post}(x,n);
    ensures Same{Pre,Post}(b,n);
    ensures open_cells{Pre,Post}(v,x,b,m,lead,n,4*(j0+t),4*(j0+t)+4);
    ensures same_cells{Pre,Post}(v,0,4*(j0+t));
    ensures same_cells{Pre,Post}(v,4*(j0+t)+4,4*BUFFER_VEC4S);
    ensures Lowest < m ==> acc[t] == \old(acc[t]) +
      (OpenSumExp{Pre}(x,b,m,lesser(4*(j0+t)-lead+4,n)) -
       OpenSumExp{Pre}(x,b,m,lesser(4*(j0+t)-lead,n))); */
DEV void open_add_in(PER_THREAD(float, acc), ROW_BUFFER_PARAM(v), int j, int j0, int t,
                     float m GHOST_PARAMS(int lead, int n, const float *x, const float *b))
{
  //@ assert alone: \separated(acc + t, v + (0 .. 4*BUFFER_VEC4S-1));
  float4 d = BUFFER_LOAD(v, j, j0, t);
  //@ assert vec: waits_vec(d, x, b, 4*(j0+t)-lead, n);
  float4 u = open_add(acc, t, d, m GHOST_ARGS(4 * (j0 + t) - lead, n, x, b));
  //@ assert only: only{Pre,Here}(acc, t, BDIM);
  //@ assert kept: open_four{Pre}(u, x, b, m, 4*(j0+t)-lead, n);
  //@ assert rest: same_cells{Pre,Here}(v,0,4*BUFFER_VEC4S);
  //@ ghost L1: ;
  //@ assert x_1: Same{L1,Pre}(x,n);
  //@ assert b_1: Same{L1,Pre}(b,n);
  //@ assert kept_1: open_four{L1}(u, x, b, m, 4*(j0+t)-lead, n);
  //@ assert off: \separated(acc + (0 .. BDIM-1), v + (4*(j0+t) .. 4*(j0+t)+3));
  open_keep_in(v, j, j0, t, u GHOST_ARGS(m, lead, n, x, b));
  //@ assert cells_1: open_cells{L1,Here}(v,x,b,m,lead,n,4*(j0+t),4*(j0+t)+4);
  //@ assert cells: open_cells{Pre,Here}(v,x,b,m,lead,n,4*(j0+t),4*(j0+t)+4);
  //@ assert same: Same{L1,Here}(acc,BDIM);
  //@ assert sums: only{Pre,Here}(acc, t, BDIM);
}

/* What is kept of what a thread holds, and its part of the sum. */
/*@ requires block && held_in(held) && lanes_in(acc) && SumR(acc, 0, BDIM) == 0.0;
    requires open_row(x,b,lead,n,slots) && m == RowTop(x,b,n);
    requires waits_held{Pre,Pre}(held,x,b,lead,n,0,mul(KMAX,BDIM));
    requires lanes_off(acc,x,b,n) && held_off(held,x,b,n);
    requires \separated(acc + (0 .. BDIM-1), held + (0 .. KMAX*MAXB-1));
    assigns acc[0 .. BDIM-1], held[0 .. KMAX*MAXB-1];
    ensures Same{Pre,Post}(x,n);
    ensures Same{Pre,Post}(b,n);
    ensures open_held{Pre,Post}(held,x,b,m,lead,n,mul(KMAX,BDIM));
    ensures Lowest < m ==>
      SumR(acc, 0, BDIM) == OpenSumExp{Pre}(x,b,m,lesser(4*mul(KMAX,BDIM)-lead,n)); */
DEV void open_exp_early(PER_THREAD(float, acc), PER_THREADK(float4, held),
                        float m GHOST_PARAMS(int slots, int lead, int n, const float *x,
                                             const float *b))
{
  //@ assert fits: 0 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant Same{Pre,Here}(x,n);
      loop invariant Same{Pre,Here}(b,n);
      loop invariant open_held{Pre,Here}(held,x,b,m,lead,n,j0);
      loop invariant waits_held{Pre,Here}(held,x,b,lead,n,j0,mul(KMAX,BDIM));
      loop invariant Lowest < m ==>
        SumR(acc, 0, BDIM) == OpenSumExp{Pre}(x,b,m,lesser(4*j0-lead,n));
      loop assigns j, j0, acc[0 .. BDIM-1], held[0 .. KMAX*MAXB-1];
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= mul(KMAX,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant Same{Pre,Here}(x,n);
        loop invariant Same{Pre,Here}(b,n);
        loop invariant open_held{Pre,Here}(held,x,b,m,lead,n,j0 + t);
        loop invariant waits_held{Pre,Here}(held,x,b,lead,n,j0 + t,mul(KMAX,BDIM));
        loop invariant Lowest < m ==>
          SumR(acc, 0, BDIM) == OpenSumExp{Pre}(x,b,m,lesser(4*(j0+t)-lead,n));
        loop assigns t, acc[0 .. BDIM-1], held[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert in: masked_in(x,b,n);
      //@ assert max: m == RowTop(x,b,n);
      //@ assert all: above_lowest(x,n);
      //@ assert low: j0 + t < mul(KMAX,BDIM);
      //@ assert this: waits_vec{Pre}(held[j0+t], x, b, 4*(j0+t)-lead, n);
      //@ assert vec: waits_vec(held[j0+t], x, b, 4*(j0+t)-lead, n);
      open_add_held(acc, held, j, j0, t, m GHOST_ARGS(4 * (j0 + t) - lead, n, x, b));
      //@ assert input: Same{LoopCurrent,Here}(x,n);
      //@ assert input_b: Same{LoopCurrent,Here}(b,n);
      //@ assert but: but_slot{LoopCurrent,Here}(held, j0 + t);
      //@ assert kept: open_four{Pre}(held[j0+t], x, b, m, 4*(j0+t)-lead, n);
      //@ assert old: open_held{Pre,Here}(held,x,b,m,lead,n,j0 + t);
      //@ assert rest: waits_held{Pre,Here}(held,x,b,lead,n,j0 + t + 1,mul(KMAX,BDIM));
      //@ assert only: only{LoopCurrent,Here}(acc, t, BDIM);
      /*@ assert sum: Lowest < m ==> SumR(acc, 0, BDIM) == \at(SumR(acc, 0, BDIM),LoopCurrent) +
            (OpenSumExp{Pre}(x,b,m,lesser(4*(j0+t)-lead+4,n)) -
             OpenSumExp{Pre}(x,b,m,lesser(4*(j0+t)-lead,n))); */
    }
  }
}

/*@ requires slots_of_row(v,slots) && lanes_in(acc) && open_row(x,b,lead,n,slots);
    requires early_slots_ == KMAX && late_ == WAY_NONE && m == RowTop(x,b,n);
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), acc + (0 .. BDIM-1));
    requires lanes_off(acc,x,b,n) && slots_off(v,x,b,n);
    requires waits_cells{Pre,Pre}(v,x,b,lead,n,4*mul(KMAX,BDIM),4*slots);
    requires Lowest < m ==>
      SumR(acc, 0, BDIM) == OpenSumExp(x,b,m,lesser(4*mul(KMAX,BDIM)-lead,n));
    assigns acc[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1];
    ensures Lowest < m ==> SumR(acc, 0, BDIM) == OpenSumExp{Pre}(x,b,m,n);
    ensures Same{Pre,Post}(x,n);
    ensures Same{Pre,Post}(b,n);
    ensures same_cells{Pre,Post}(v,0,4*mul(KMAX,BDIM));
    ensures open_cells{Pre,Post}(v,x,b,m,lead,n,4*mul(KMAX,BDIM),4*slots); */
DEV void open_exp_late(PER_THREAD(float, acc), ROW_BUFFER_PARAM(v), int slots,
                       float m GHOST_PARAMS(int lead, int n, const float *x, const float *b))
{
  //@ assert mul(KMAX,BDIM) == KMAX*BDIM;
  /*@ loop invariant KMAX <= j <= KMAX + BUFFER_VEC4S && j0 == mul(j,BDIM) && j <= j0;
      loop invariant Same{Pre,Here}(x,n);
      loop invariant Same{Pre,Here}(b,n);
      loop invariant mul(KMAX,BDIM) <= j0;
      loop invariant Lowest < m ==>
        SumR(acc, 0, BDIM) == OpenSumExp{Pre}(x,b,m,lesser(4*j0-lead,n));
      loop invariant same_cells{Pre,Here}(v,0,4*mul(KMAX,BDIM));
      loop invariant same_cells{Pre,Here}(v,4*j0,4*slots);
      loop invariant open_cells{Pre,Here}(v,x,b,m,lead,n,4*mul(KMAX,BDIM),lesser(4*j0,4*slots));
      loop assigns j, j0, acc[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1];
      loop variant slots - j0; */
  UNROLL_BY(2)
  for (int j = KMAX, j0 = KMAX * BDIM; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(x,n) && Same{Pre,Here}(b,n);
        loop invariant Lowest < m ==>
          SumR(acc, 0, BDIM) == OpenSumExp{Pre}(x,b,m,lesser(4*(j0+t)-lead,n));
        loop invariant same_cells{Pre,Here}(v,0,4*mul(KMAX,BDIM));
        loop invariant same_cells{Pre,Here}(v,4*(j0+t),4*slots);
        loop invariant open_cells{Pre,Here}(v,x,b,m,lead,n,4*mul(KMAX,BDIM),
                                            lesser(4*(j0+t),4*slots));
        loop assigns t, acc[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (j0 + t < slots) {
        //@ assert in: masked_in(x,b,n);
        //@ assert max: m == RowTop(x,b,n);
        //@ assert all: above_lowest(x,n);
        //@ assert as: same_cells{Pre,Here}(v,4*(j0+t),4*(j0+t)+4);
        //@ assert was: waits_cells{Pre,Pre}(v,x,b,lead,n,4*(j0+t),4*(j0+t)+4);
        //@ assert cells: waits_cells{Pre,Here}(v,x,b,lead,n,4*(j0+t),4*(j0+t)+4);
        //@ assert now: waits_cells{Here,Here}(v,x,b,lead,n,4*(j0+t),4*(j0+t)+4);
        open_add_in(acc, v, j, j0, t, m GHOST_ARGS(lead, n, x, b));
        //@ assert input: Same{LoopCurrent,Here}(x,n);
        //@ assert input_b: Same{LoopCurrent,Here}(b,n);
        //@ assert only: only{LoopCurrent,Here}(acc, t, BDIM);
        //@ assert below: same_cells{LoopCurrent,Here}(v,0,4*(j0+t));
        //@ assert rest: same_cells{LoopCurrent,Here}(v,4*(j0+t)+4,4*slots);
        /*@ assert sum: Lowest < m ==>
              SumR(acc, 0, BDIM) == \at(SumR(acc, 0, BDIM),LoopCurrent) +
              (OpenSumExp{Pre}(x,b,m,lesser(4*(j0+t)-lead+4,n)) -
               OpenSumExp{Pre}(x,b,m,lesser(4*(j0+t)-lead,n))); */
        //@ assert early: same_cells{Pre,Here}(v,0,4*mul(KMAX,BDIM));
        //@ assert late: same_cells{Pre,Here}(v,4*(j0+t)+4,4*slots);
        //@ assert old: open_cells{Pre,Here}(v,x,b,m,lead,n,4*mul(KMAX,BDIM),4*(j0+t));
        //@ assert new_1: open_cells{LoopCurrent,Here}(v,x,b,m,lead,n,4*(j0+t),4*(j0+t)+4);
        //@ assert back: Same{LoopCurrent,Pre}(x,n);
        //@ assert back_b: Same{LoopCurrent,Pre}(b,n);
        //@ assert new: open_cells{Pre,Here}(v,x,b,m,lead,n,4*(j0+t),4*(j0+t)+4);
      }
  }
}

/* The sum of its open exponentials; what is held, and its late slots, become what is
 * kept of them. */
/*@ requires slots_of_row(v,slots) && held_in(held) && open_row(x,b,lead,n,slots);
    requires early_slots_ == KMAX && late_ == WAY_NONE && m == RowTop(x,b,n);
    requires waits_held{Pre,Pre}(held,x,b,lead,n,0,mul(KMAX,BDIM));
    requires waits_cells{Pre,Pre}(v,x,b,lead,n,4*mul(KMAX,BDIM),4*slots);
    requires open_slots(held,v,x,b,n,x,n) && open_words(ss,held,v,x,b,n,x,n);
    assigns v[0 .. 4*BUFFER_VEC4S-1], held[0 .. KMAX*MAXB-1], ss[0 .. 31];
    ensures Lowest < m ==> \result == OpenSumExp{Pre}(x,b,m,n);
    ensures Same{Pre,Post}(x,n);
    ensures Same{Pre,Post}(b,n);
    ensures open_held{Pre,Post}(held,x,b,m,lead,n,mul(KMAX,BDIM));
    ensures open_cells{Pre,Post}(v,x,b,m,lead,n,4*mul(KMAX,BDIM),4*slots);
    ensures same_cells{Pre,Post}(v,0,4*mul(KMAX,BDIM)); */
DEV float masked_buffer_sum(PER_THREADK(float4, held), ROW_BUFFER_PARAM(v), int slots, float m,
                            float *ss GHOST_PARAMS(int lead, int n, const float *x, const float *b))
{
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ ghost L0: ;
  //@ assert none: SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert xs: Same{Pre,L0}(x,n);
  //@ assert xs_b: Same{Pre,L0}(b,n);
  //@ assert held_p: waits_held{Pre,L0}(held,x,b,lead,n,0,mul(KMAX,BDIM));
  //@ assert held: waits_held{Here,Here}(held,x,b,lead,n,0,mul(KMAX,BDIM));
  //@ assert vs: same_cells{Pre,L0}(v,0,4*BUFFER_VEC4S);
  //@ assert in: open_row(x,b,lead,n,slots);
  //@ assert of: m == RowTop(x,b,n);
  open_exp_early(acc, held, m GHOST_ARGS(slots, lead, n, x, b));
  //@ ghost L1: ;
  //@ assert x0: Same{L0,L1}(x,n);
  //@ assert x0_b: Same{L0,L1}(b,n);
  //@ assert x1: Same{Pre,L1}(x,n);
  //@ assert x1_b: Same{Pre,L1}(b,n);
  //@ assert vt: same_cells{Pre,L1}(v,0,4*BUFFER_VEC4S);
  //@ assert late_p: waits_cells{Pre,L1}(v,x,b,lead,n,4*mul(KMAX,BDIM),4*slots);
  //@ assert late: waits_cells{Here,Here}(v,x,b,lead,n,4*mul(KMAX,BDIM),4*slots);
  //@ assert kept_0: open_held{L0,L1}(held,x,b,m,lead,n,mul(KMAX,BDIM));
  //@ assert x_back: Same{L0,Pre}(x,n);
  //@ assert b_back: Same{L0,Pre}(b,n);
  //@ assert kept_1: open_held{Pre,L1}(held,x,b,m,lead,n,mul(KMAX,BDIM));
  /*@ assert sum_0: Lowest < m ==>
        SumR(&acc[0], 0, BDIM) == OpenSumExp{L0}(x,b,m,lesser(4*mul(KMAX,BDIM)-lead,n)); */
  /*@ assert sum_1: Lowest < m ==>
        SumR(&acc[0], 0, BDIM) == OpenSumExp(x,b,m,lesser(4*mul(KMAX,BDIM)-lead,n)); */
  //@ assert in_1: open_row(x,b,lead,n,slots);
  //@ assert of_1: m == RowTop(x,b,n);
  //@ assert fits: 0 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  open_exp_late(acc, v, slots, m GHOST_ARGS(lead, n, x, b));
  //@ ghost L2: ;
  //@ assert x2: Same{Pre,L2}(x,n);
  //@ assert x2_b: Same{Pre,L2}(b,n);
  //@ assert sum: Lowest < m ==> SumR(&acc[0], 0, BDIM) == OpenSumExp{Pre}(x,b,m,n);
  //@ assert still: but_slot{L1,L2}(held,-1);
  //@ assert kept: open_held{Pre,L2}(held,x,b,m,lead,n,mul(KMAX,BDIM));
  //@ assert cells_1: open_cells{L1,L2}(v,x,b,m,lead,n,4*mul(KMAX,BDIM),4*slots);
  //@ assert cells: open_cells{Pre,L2}(v,x,b,m,lead,n,4*mul(KMAX,BDIM),4*slots);
  //@ assert first_1: same_cells{L1,L2}(v,0,4*mul(KMAX,BDIM));
  //@ assert first: same_cells{Pre,L2}(v,0,4*mul(KMAX,BDIM));
  float s = block_sum(acc, ss);
  //@ assert flat: same_cells{L2,Here}(v,0,4*BUFFER_VEC4S);
  //@ assert still_2: but_slot{L2,Here}(held,-1);
  //@ assert x3: Same{L2,Here}(x,n);
  //@ assert x3_b: Same{L2,Here}(b,n);
  return s;
}
#endif
