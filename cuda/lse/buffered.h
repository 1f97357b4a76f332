/* Two-pass softmax in shared memory: the maximum of a row in the row buffer (row/buffered.h), its
 * exponentials about it and their sums over the threads. A thread's early slots wait in registers,
 * and the next row's begin to arrive. */
#ifndef PM_LSE_BUFFERED_H
#define PM_LSE_BUFFERED_H
#include "../collective/block_max.h"
#include "exp_term.h"
#include "../row/regs_padded.h"
#include "../row/thread_max.h"
#include "../row/buffered.h"

/*@ predicate slot_at_most(float4 v, real m) = v.x <= m && v.y <= m && v.z <= m && v.w <= m;
    // element k, which the row may not have, is not above what the threads have
    predicate seen_at{L0,L}(float *top, integer T, float *x, integer k, integer n) =
      0 <= k < n ==> \at(x[k],L0) <= RowMax{L}(top,T);
    lemma above_one{L0,L}: \forall float *top, integer T, float *x, integer k, n;
      above{L0,L}(top,T,x,lesser(k,n)) ==> seen_at{L0,L}(top,T,x,k,n) ==>
      above{L0,L}(top,T,x,lesser(k+1,n));
    lemma above_slot{L0,L}: \forall float *top, integer T, float *x, integer k, n;
      above{L0,L}(top,T,x,lesser(k,n)) ==> seen_at{L0,L}(top,T,x,k,n) ==>
      seen_at{L0,L}(top,T,x,k+1,n) ==> seen_at{L0,L}(top,T,x,k+2,n) ==>
      seen_at{L0,L}(top,T,x,k+3,n) ==> above{L0,L}(top,T,x,lesser(k+4,n));
    lemma above_grown{L0,L1,L2}: \forall float *top, integer T, float *x, integer to;
      RowMax{L1}(top,T) <= RowMax{L2}(top,T) ==> above{L0,L1}(top,T,x,to) ==>
      above{L0,L2}(top,T,x,to);
    lemma lowest_under{L}: \forall float *x, integer n; 1 <= n ==> above_lowest{L}(x,n) ==>
      Lowest < RowMax{L}(x,n);
    lemma slot_below{L}: \forall float *x, integer k, n; 1 <= n ==> above_lowest{L}(x,n) ==>
      SlotCell{L}(x,k,n,Lowest) <= RowMax{L}(x,n);
    lemma slots_below{L}: \forall float4 d, float *x, integer k, n; 1 <= n ==>
      above_lowest{L}(x,n) ==> slot_vec{L}(d,x,k,n,Lowest) ==> slot_at_most(d,RowMax{L}(x,n));
    // element k's part of the sum
    logic real SlotExp{L}(float *x, real m, integer k, integer n) =
      0 <= k < n ? \exp(x[k] - m) : 0.0;
    lemma slot_term{L}: \forall float *x, real m, integer k, n; above_lowest{L}(x,n) ==>
      Term(SlotCell{L}(x,k,n,Lowest),m) == SlotExp{L}(x,m,k,n);
    lemma slot_exp_next{L}: \forall float *x, real m, integer k, n; 0 <= n ==>
      SumExp{L}(x,m,lesser(k+1,n)) == SumExp{L}(x,m,lesser(k,n)) + SlotExp{L}(x,m,k,n);
    lemma slot_sum_frame{L1,L2}: \forall float *x, real m, integer k, n; Same{L1,L2}(x,n) ==>
      SumExp{L1}(x,m,lesser(k,n)) == SumExp{L2}(x,m,lesser(k,n));
    predicate slot_adds{L}(float *x, real m, integer k, integer n) =
      SumExp{L}(x,m,lesser(k+4,n)) == SumExp{L}(x,m,lesser(k,n)) + (SlotExp{L}(x,m,k,n) +
        SlotExp{L}(x,m,k+1,n) + SlotExp{L}(x,m,k+2,n) + SlotExp{L}(x,m,k+3,n));
    lemma slot_exp_4{L}: \forall float *x, real m, integer k, n; 0 <= n ==>
      slot_adds{L}(x,m,k,n);
    // what is kept of an element, of four from k on, of all that is held, and of cells from .. to-1
    logic real SlotKeeps(integer logs, real v, real m) = logs != 0 ? v - m : Term(v,m);
    predicate slot_kept{L}(float4 d, integer logs, float *x, real m, integer k, integer n) =
      d.x == SlotKeeps(logs,SlotCell(x,k,n,Lowest),m) &&
      d.y == SlotKeeps(logs,SlotCell(x,k+1,n,Lowest),m) &&
      d.z == SlotKeeps(logs,SlotCell(x,k+2,n,Lowest),m) &&
      d.w == SlotKeeps(logs,SlotCell(x,k+3,n,Lowest),m);
    predicate kept_held{L0,L}(float4 *held, integer logs, float *x, real m, integer lead, integer n,
                              integer to) =
      \forall integer q; 0 <= q < to ==> slot_kept{L0}(\at(held[q],L), logs, x, m, 4*q-lead, n);
    lemma kept_held_grow{L0,L}: \forall float4 *held, integer logs, float *x, real m,
      integer lead, n, to, next; to < next <= to + 1 ==>
      slot_kept{L0}(\at(held[to],L),logs,x,m,4*to-lead,n) ==>
      kept_held{L0,L}(held,logs,x,m,lead,n,to) ==> kept_held{L0,L}(held,logs,x,m,lead,n,next);
    predicate kept_cells{L0,L}(float *v, integer logs, float *x, real m, integer lead, integer n,
                               integer from, integer to) =
      \forall integer c; from <= c < to ==>
        \at(v[c],L) == SlotKeeps(logs,SlotCell{L0}(x,c-lead,n,Lowest),m);
    lemma kept_cells_frame{L1,L2,L}: \forall float *v, *x, integer logs, lead, n, from, to, real m;
      Same{L1,L2}(x,n) ==> kept_cells{L1,L}(v,logs,x,m,lead,n,from,to) ==>
      kept_cells{L2,L}(v,logs,x,m,lead,n,from,to);
    lemma kept_held_frame{L1,L2,L}: \forall float4 *held, float *x, integer logs, lead, n, to,
      real m; Same{L1,L2}(x,n) ==> kept_held{L1,L}(held,logs,x,m,lead,n,to) ==>
      kept_held{L2,L}(held,logs,x,m,lead,n,to);
    predicate but_slot{L1,L2}(float4 *held, integer at) =
      \forall integer q; 0 <= q < KMAX*MAXB && q != at ==> \at(held[q],L1) == \at(held[q],L2);
    lemma held_but{L0,L1,L2}: \forall float4 *held, float *x, integer lead, n, at, from, to, real u;
      0 <= at < from ==> to <= KMAX*MAXB ==> but_slot{L1,L2}(held,at) ==>
      row_held{L0,L1}(held,x,lead,n,u,at,to) ==> row_held{L0,L2}(held,x,lead,n,u,from,to);
    lemma held_still{L0,L1,L2}: \forall float4 *held, float *x, integer lead, n, from, to, real u;
      0 <= from ==> to <= KMAX*MAXB ==> but_slot{L1,L2}(held,-1) ==>
      row_held{L0,L1}(held,x,lead,n,u,from,to) ==> row_held{L0,L2}(held,x,lead,n,u,from,to);
    lemma kept_still{L0,L1,L2}: \forall float4 *held, float *x, integer logs, lead, n, to, real m;
      to <= KMAX*MAXB ==> but_slot{L1,L2}(held,-1) ==>
      kept_held{L0,L1}(held,logs,x,m,lead,n,to) ==> kept_held{L0,L2}(held,logs,x,m,lead,n,to);
    lemma some_still{L0,L1,L2}: \forall float *top, integer T, float *x, integer n;
      Same{L1,L2}(top,T) ==> some_of{L0,L1}(top,T,x,n) ==> some_of{L0,L2}(top,T,x,n);
    // a row that is in slots
    predicate slot_held{L}(float *x, integer lead, integer n, integer slots) =
      0 < n <= BUFFER_COLS && 0 <= lead < 32 && lead + n <= 4*slots && slots <= BUFFER_VEC4S &&
      \valid_read(x + (0 .. n-1)) && above_lowest(x,n); */

/*@ assigns \nothing;
    ensures top <= \result && slot_at_most(v,\result);
    ensures \result == top || \result == v.x || \result == v.y || \result == v.z ||
      \result == v.w; */
DEV float buffer_top4(float top, float4 v)
{
  return larger(larger(larger(larger(top, v.x), v.y), v.z), v.w);
}

/*@ assigns \nothing;
    ensures slot_at_most(v,m) ==> \result.x == Term(v.x,m) && \result.y == Term(v.y,m);
    ensures slot_at_most(v,m) ==> \result.z == Term(v.z,m) && \result.w == Term(v.w,m); */
DEV float4 buffer_exp4(float4 v, float m)
{
  float4 e = {loss_exp(v.x, m), loss_exp(v.y, m), loss_exp(v.z, m), loss_exp(v.w, m)};
  return e;
}

/* What is kept of v: e, or for the logarithm the differences that e is of. */
/*@ assigns \nothing;
    ensures \result.x == (logs != 0 ? v.x - m : e.x) && \result.y == (logs != 0 ? v.y - m : e.y);
    ensures \result.z == (logs != 0 ? v.z - m : e.z) && \result.w == (logs != 0 ? v.w - m : e.w); */
DEV float4 buffer_keeps(int logs, float4 v, float4 e, float m)
{
  e.x = logs ? v.x - m : e.x;
  e.y = logs ? v.y - m : e.y;
  e.z = logs ? v.z - m : e.z;
  e.w = logs ? v.w - m : e.w;
  return e;
}

/*@ predicate held_in{L}(float4 *held) = \valid(held + (0 .. KMAX*MAXB-1));
    predicate lanes_in{L}(float *a) = \valid(a + (0 .. bdim_-1)); */

/* The largest of top[t] and of slot d of the row, which begins at element k. */
/*@ requires block && 0 <= t < BDIM && lanes_in(top) && 0 < n && \valid_read(x + (0 .. n-1));
    requires above_lowest(x,n) && slot_vec(d,x,k,n,Lowest) && some_of{Pre,Pre}(top,BDIM,x,n);
    requires \separated(top + (0 .. BDIM-1), x + (0 .. n-1));
    requires above{Pre,Pre}(top, BDIM, x, lesser(k,n));
    assigns top[t];
    ensures some_of{Pre,Post}(top,BDIM,x,n) && above{Pre,Post}(top, BDIM, x, lesser(k+4,n)); */
DEV void buffer_top(PER_THREAD(float, top), int t,
                    float4 d GHOST_PARAMS(int k, int n, const float *x))
{
  //@ assert slot_at_most(d, RowMax(x, n));
  AT(top, t) = buffer_top4(AT(top, t), d);
  //@ assert some: top[t] <= RowMax{Pre}(x, n);
  //@ assert only: only{Pre,Here}(top, t, BDIM);
  //@ assert grows: at_most{Pre,Here}(top, BDIM);
  //@ assert max: \at(RowMax(top, BDIM),Pre) <= RowMax(top, BDIM);
  //@ assert one: top[t] <= RowMax(top, BDIM);
  //@ assert x: seen_at{Pre,Here}(top, BDIM, x, k, n);
  //@ assert y: seen_at{Pre,Here}(top, BDIM, x, k+1, n);
  //@ assert z: seen_at{Pre,Here}(top, BDIM, x, k+2, n);
  //@ assert w: seen_at{Pre,Here}(top, BDIM, x, k+3, n);
  //@ assert old: above{Pre,Here}(top, BDIM, x, lesser(k, n));
}

/* What thread t holds in its slot j is looked at; the next row's slot there begins to arrive. */
/*@ requires slots_arrive(v,slots2,x,lead,n,aligned) && held_in(held) && lanes_in(top);
    requires 0 <= t < BDIM && 0 <= j && j0 == mul(j,BDIM) && 0 <= j0 && j0 + t < KMAX*MAXB;
    requires slot_open(j,4*(j0+t)) && 0 < n1 <= BUFFER_COLS && 0 <= lead1 < 32;
    requires \valid_read(x1 + (0 .. n1-1)) && above_lowest(x1,n1);
    requires slot_vec(held[j0+t],x1,4*(j0+t)-lead1,n1,Lowest);
    requires some_of{Pre,Pre}(top,BDIM,x1,n1);
    requires above{Pre,Pre}(top,BDIM,x1,lesser(4*(j0+t)-lead1,n1));
    requires slot_cells{Pre,Pre}(v,x,lead,n,low,0,lesser(4*slots2,4*(j0+t)));
    requires lanes_apart(top,v,held,x1,n1,x,n);
    assigns top[t], v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
    ensures slot_open(j,4*(j0+t)+4);
    ensures j < early_slots_ ? late_ == \old(late_) : early_ == \old(early_);
    ensures Same{Pre,Post}(x1,n1);
    ensures Same{Pre,Post}(x,n);
    ensures but_slot{Pre,Post}(held,-1);
    ensures some_of{Pre,Post}(top,BDIM,x1,n1);
    ensures above{Pre,Post}(top,BDIM,x1,lesser(4*(j0+t)-lead1+4,n1));
    ensures slot_cells{Pre,Post}(v,x,lead,n,low,0,lesser(4*slots2,4*(j0+t)+4));
    ensures same_cells{Pre,Post}(v,4*(j0+t)+4,4*BUFFER_VEC4S); */
DEV void buffer_top_next(PER_THREAD(float, top), PER_THREADK(float4, held), ROW_BUFFER_PARAM(v),
                         int j, int j0, int t, int slots2, int lead, int n, int aligned, float low,
                         const float *RESTRICT x GHOST_PARAMS(int lead1, int n1, const float *x1))
{
  //@ assert apart: \separated(top + (0 .. BDIM-1), held + (0 .. KMAX*MAXB-1));
  buffer_top(top, t, REG(held, j, j0, t) GHOST_ARGS(4 * (j0 + t) - lead1, n1, x1));
  //@ ghost L1: ;
  //@ assert some_1: some_of{Pre,L1}(top,BDIM,x1,n1);
  //@ assert rows: Same{Pre,L1}(x1,n1);
  //@ assert row: Same{Pre,L1}(x,n);
  //@ assert held: but_slot{Pre,L1}(held,-1);
  //@ assert cells: same_cells{Pre,L1}(v,0,4*BUFFER_VEC4S);
  //@ assert now: slot_cells{Here,Here}(v,x,lead,n,low,0,lesser(4*slots2,4*(j0+t)));
  buffer_arrives(v, j, j0, t, slots2, lead, n, aligned, low, x GHOST_ARGS(0));
  //@ assert rows_2: Same{L1,Here}(x1,n1);
  //@ assert row_2: Same{L1,Here}(x,n);
  //@ assert held_2: but_slot{L1,Here}(held,-1);
  //@ assert tops: Same{L1,Here}(top,BDIM);
  //@ assert some: some_of{Pre,Here}(top,BDIM,x1,n1);
  //@ assert max: RowMax{L1}(top,BDIM) <= RowMax(top,BDIM);
}

/* The largest of what a thread holds; the next row's early slots begin to arrive. */
/*@ requires slots_arrive(v,slots2,x,lead,n,aligned) && held_in(held) && lanes_in(top);
    requires early_slots_ == KMAX && early_ == WAY_NONE && late_ != WAY_OPEN;
    requires slot_held(x1,lead1,n1,slots) && row_held{Pre,Pre}(held,x1,lead1,n1,Lowest,0,mul(KMAX,
      BDIM));
    requires \forall integer u; 0 <= u < BDIM ==> top[u] == Lowest;
    requires lanes_apart(top,v,held,x1,n1,x,n);
    assigns top[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
    ensures late_ == \old(late_);
    ensures some_of{Pre,Post}(top,BDIM,x1,n1);
    ensures above{Pre,Post}(top,BDIM,x1,lesser(4*mul(KMAX,BDIM)-lead1,n1));
    ensures slot_cells{Pre,Post}(v,x,lead,n,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
    ensures same_cells{Pre,Post}(v,4*mul(KMAX,BDIM),4*BUFFER_VEC4S); */
DEV void buffer_top_early(PER_THREAD(float, top), PER_THREADK(float4, held), ROW_BUFFER_PARAM(v),
                          int slots2, int lead, int n, int aligned,
                          const float *RESTRICT x GHOST_PARAMS(int slots, int lead1, int n1,
                                                               const float *x1))
{
  float low = lowest();
  //@ assert fits: 0 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant slot_open(0,4*j0) && late_ == \at(late_,Pre);
      loop invariant Same{Pre,Here}(x1,n1);
      loop invariant Same{Pre,Here}(x,n);
      loop invariant but_slot{Pre,Here}(held,-1);
      loop invariant some_of{Pre,Here}(top,BDIM,x1,n1);
      loop invariant above{Pre,Here}(top,BDIM,x1,lesser(4*j0-lead1,n1));
      loop invariant slot_cells{Pre,Here}(v,x,lead,n,Lowest,0,lesser(4*slots2,4*j0));
      loop invariant same_cells{Pre,Here}(v,4*mul(KMAX,BDIM),4*BUFFER_VEC4S);
      loop assigns j, j0, top[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= mul(KMAX,BDIM);
    /*@ loop invariant 0 <= t <= BDIM && slot_open(0,4*(j0+t)) && late_ == \at(late_,Pre);
        loop invariant Same{Pre,Here}(x1,n1);
        loop invariant Same{Pre,Here}(x,n);
        loop invariant but_slot{Pre,Here}(held,-1);
        loop invariant some_of{Pre,Here}(top,BDIM,x1,n1);
        loop invariant above{Pre,Here}(top,BDIM,x1,lesser(4*(j0+t)-lead1,n1));
        loop invariant slot_cells{Pre,Here}(v,x,lead,n,Lowest,0,lesser(4*slots2,4*(j0+t)));
        loop invariant same_cells{Pre,Here}(v,4*mul(KMAX,BDIM),4*BUFFER_VEC4S);
        loop assigns t, top[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert low: j0 + t < mul(KMAX,BDIM);
      //@ assert held: row_held{Pre,Here}(held,x1,lead1,n1,Lowest,0,mul(KMAX,BDIM));
      //@ assert this: slot_vec{Pre}(held[j0+t], x1, 4*(j0+t)-lead1, n1, Lowest);
      //@ assert vec: slot_vec(held[j0+t], x1, 4*(j0+t)-lead1, n1, Lowest);
      //@ assert all: above_lowest(x1,n1);
      //@ assert seen: some_of{Here,Here}(top,BDIM,x1,n1);
      //@ assert over: above{Here,Here}(top,BDIM,x1,lesser(4*(j0+t)-lead1,n1));
      //@ assert now: slot_cells{Here,Here}(v,x,lead,n,Lowest,0,lesser(4*slots2,4*(j0+t)));
      buffer_top_next(top, held, v, j, j0, t, slots2, lead, n, aligned, low,
                      x GHOST_ARGS(lead1, n1, x1));
      //@ assert some: some_of{Pre,Here}(top,BDIM,x1,n1);
      //@ assert above: above{Pre,Here}(top,BDIM,x1,lesser(4*(j0+t)-lead1+4,n1));
      //@ assert rest: same_cells{LoopCurrent,Here}(v,4*mul(KMAX,BDIM),4*BUFFER_VEC4S);
      //@ assert came: slot_cells{Pre,Here}(v,x,lead,n,Lowest,0,lesser(4*slots2,4*(j0+t)+4));
    }
  }
}

/* And of its late slots. */
/*@ requires slots_of_row(v,slots) && lanes_in(top) && slot_held(x,lead,n,slots);
    requires early_slots_ == KMAX && late_ == WAY_NONE;
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), top + (0 .. BDIM-1));
    requires \separated(top + (0 .. BDIM-1), x + (0 .. n-1));
    requires slot_cells{Pre,Pre}(v,x,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
    requires some_of{Pre,Pre}(top,BDIM,x,n);
    requires above{Pre,Pre}(top,BDIM,x,lesser(4*mul(KMAX,BDIM)-lead,n));
    assigns top[0 .. BDIM-1];
    ensures RowMax(top,BDIM) == RowMax{Pre}(x,n); */
DEV void buffer_top_late(PER_THREAD(float, top), ROW_BUFFER_PARAM(v),
                         int slots GHOST_PARAMS(int lead, int n, const float *x))
{
  //@ assert mul(KMAX,BDIM) == KMAX*BDIM;
  /*@ loop invariant KMAX <= j <= KMAX + BUFFER_VEC4S && j0 == mul(j,BDIM) && j <= j0;
      loop invariant mul(KMAX,BDIM) <= j0 && some_of{Pre,Here}(top,BDIM,x,n);
      loop invariant above{Pre,Here}(top,BDIM,x,lesser(4*j0-lead,n));
      loop assigns j, j0, top[0 .. BDIM-1];
      loop variant slots - j0; */
  UNROLL_BY(4)
  for (int j = KMAX, j0 = KMAX * BDIM; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant some_of{Pre,Here}(top,BDIM,x,n);
        loop invariant above{Pre,Here}(top,BDIM,x,lesser(4*(j0+t)-lead,n));
        loop assigns t, top[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (j0 + t < slots) {
        float4 d = BUFFER_LOAD(v, j, j0, t);
        //@ assert cells: slot_cells{Pre,Here}(v,x,lead,n,Lowest,4*(j0+t),4*(j0+t)+4);
        //@ assert this: slot_vec{Pre}(d, x, 4*(j0+t)-lead, n, Lowest);
        //@ assert in: Same{Pre,Here}(x,n);
        //@ assert vec: slot_vec(d, x, 4*(j0+t)-lead, n, Lowest);
        //@ assert all: above_lowest(x,n);
        buffer_top(top, t, d GHOST_ARGS(4 * (j0 + t) - lead, n, x));
        //@ assert some: some_of{Pre,Here}(top,BDIM,x,n);
        //@ assert above: above{Pre,Here}(top,BDIM,x,lesser(4*(j0+t)-lead+4,n));
      }
  }
  //@ assert above{Pre,Here}(top, BDIM, x, n);
  //@ assert below_max{Here,Pre}(top, BDIM, x, n);
  //@ assert RowMax(top, BDIM) <= RowMax{Pre}(x, n);
  //@ assert below_max{Pre,Here}(x, n, top, BDIM);
  //@ assert RowMax{Pre}(x, n) <= RowMax(top, BDIM);
}

/* Lane t adds slot d of the row, which begins at element k; what is kept of it. */
/*@ requires block && 0 <= t < BDIM && lanes_in(acc) && 0 < n && \valid_read(x + (0 .. n-1));
    requires above_lowest(x,n) && slot_vec(d,x,k,n,Lowest) && m == RowMax(x,n);
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    assigns acc[t];
    ensures only{Pre,Post}(acc, t, BDIM);
    ensures Same{Pre,Post}(x,n);
    ensures slot_kept{Pre}(\result,logs,x,m,k,n);
    ensures acc[t] == \old(acc[t]) +
      (SumExp{Pre}(x,m,lesser(k+4,n)) - SumExp{Pre}(x,m,lesser(k,n))); */
DEV float4 buffer_add(PER_THREAD(float, acc), int t, float4 d, int logs,
                      float m GHOST_PARAMS(int k, int n, const float *x))
{
  float4 e = buffer_exp4(d, m);
  //@ assert slot_at_most(d, m);
  /*@ assert terms: e.x == Term(d.x,m) && e.y == Term(d.y,m) && e.z == Term(d.z,m) &&
        e.w == Term(d.w,m); */
  //@ assert x: e.x == SlotExp(x,m,k,n);
  //@ assert y: e.y == SlotExp(x,m,k+1,n);
  //@ assert z: e.z == SlotExp(x,m,k+2,n);
  //@ assert w: e.w == SlotExp(x,m,k+3,n);
  //@ assert adds: slot_adds(x,m,k,n);
  //@ assert apart: \separated(acc + t, x + (0 .. n-1));
  AT(acc, t) += (e.x + e.y) + (e.z + e.w);
  return buffer_keeps(logs, d, e, m);
}

/*@ requires block && j0 == mul(j,BDIM) && 0 <= j0 && 0 <= t < BDIM && j0 + t < KMAX*MAXB;
    requires held_in(held);
    assigns held[j0+t];
    ensures held[j0+t] == u;
    ensures but_slot{Pre,Post}(held, j0 + t); */
DEV void buffer_hold(PER_THREADK(float4, held), int j, int j0, int t, float4 u)
{
  REG(held, j, j0, t) = u;
}

/* The same of a slot that the thread holds, and of one in the block's, which keep it. */
/*@ requires block && j0 == mul(j,BDIM) && 0 <= j0 && 0 <= t < BDIM && j0 + t < KMAX*MAXB;
    requires held_in(held) && lanes_in(acc) && 0 < n && \valid_read(x + (0 .. n-1));
    requires above_lowest(x,n) && slot_vec(held[j0+t],x,k,n,Lowest) && m == RowMax(x,n);
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), held + (0 .. KMAX*MAXB-1));
    requires \separated(held + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns acc[t], held[j0+t];
    ensures only{Pre,Post}(acc, t, BDIM);
    ensures but_slot{Pre,Post}(held, j0 + t);
    ensures Same{Pre,Post}(x,n);
    ensures slot_kept{Pre}(held[j0+t],logs,x,m,k,n);
    ensures acc[t] == \old(acc[t]) +
      (SumExp{Pre}(x,m,lesser(k+4,n)) - SumExp{Pre}(x,m,lesser(k,n))); */
DEV void buffer_add_held(PER_THREAD(float, acc), PER_THREADK(float4, held), int j, int j0, int t,
                         int logs, float m GHOST_PARAMS(int k, int n, const float *x))
{
  float4 u = buffer_add(acc, t, REG(held, j, j0, t), logs, m GHOST_ARGS(k, n, x));
  //@ assert only: only{Pre,Here}(acc, t, BDIM);
  //@ assert held: but_slot{Pre,Here}(held, j0 + t);
  //@ ghost L1: ;
  //@ assert in: Same{Pre,L1}(x, n);
  //@ assert apart: \separated(held + (j0 + t), acc + (0 .. BDIM-1));
  //@ assert off: \separated(held + (j0 + t), x + (0 .. n-1));
  buffer_hold(held, j, j0, t, u);
  //@ assert sums: Same{L1,Here}(acc, BDIM);
  //@ assert row: Same{L1,Here}(x, n);
}

/*@ requires slot_at(j,j0,t) && lanes_in(acc) && slot_free(j,4*(j0+t));
    requires \valid(v + (0 .. 4*BUFFER_VEC4S-1)) && 0 < n && \valid_read(x + (0 .. n-1));
    requires 0 <= lead < 32 && above_lowest(x,n) && m == RowMax(x,n);
    requires slot_cells{Pre,Pre}(v,x,lead,n,Lowest,4*(j0+t),4*(j0+t)+4);
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), acc + (0 .. BDIM-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    assigns acc[t], v[4*(j0+t) .. 4*(j0+t)+3];
    ensures only{Pre,Post}(acc, t, BDIM);
    ensures Same{Pre,Post}(x,n);
    ensures kept_cells{Pre,Post}(v,logs,x,m,lead,n,4*(j0+t),4*(j0+t)+4);
    ensures same_cells{Pre,Post}(v,0,4*(j0+t));
    ensures same_cells{Pre,Post}(v,4*(j0+t)+4,4*BUFFER_VEC4S);
    ensures acc[t] == \old(acc[t]) + (SumExp{Pre}(x,m,lesser(4*(j0+t)-lead+4,n)) -
                                      SumExp{Pre}(x,m,lesser(4*(j0+t)-lead,n))); */
DEV void buffer_add_in(PER_THREAD(float, acc), ROW_BUFFER_PARAM(v), int j, int j0, int t, int logs,
                       float m GHOST_PARAMS(int lead, int n, const float *x))
{
  float4 d = BUFFER_LOAD(v, j, j0, t);
  //@ assert vec: slot_vec(d, x, 4*(j0+t)-lead, n, Lowest);
  float4 u = buffer_add(acc, t, d, logs, m GHOST_ARGS(4 * (j0 + t) - lead, n, x));
  //@ assert only: only{Pre,Here}(acc, t, BDIM);
  //@ assert kept: slot_kept{Pre}(u, logs, x, m, 4*(j0+t)-lead, n);
  //@ assert rest: same_cells{Pre,Here}(v,0,4*BUFFER_VEC4S);
  BUFFER_STORE(v, u, j, j0, t);
  //@ assert sums: only{Pre,Here}(acc, t, BDIM);
  //@ assert c0: v[4*(j0+t)] == SlotKeeps(logs,SlotCell{Pre}(x,4*(j0+t)-lead,n,Lowest),m);
  //@ assert c1: v[4*(j0+t)+1] == SlotKeeps(logs,SlotCell{Pre}(x,4*(j0+t)+1-lead,n,Lowest),m);
  //@ assert c2: v[4*(j0+t)+2] == SlotKeeps(logs,SlotCell{Pre}(x,4*(j0+t)+2-lead,n,Lowest),m);
  //@ assert c3: v[4*(j0+t)+3] == SlotKeeps(logs,SlotCell{Pre}(x,4*(j0+t)+3-lead,n,Lowest),m);
  //@ assert two: kept_cells{Pre,Here}(v,logs,x,m,lead,n,4*(j0+t),4*(j0+t)+2);
  //@ assert more: kept_cells{Pre,Here}(v,logs,x,m,lead,n,4*(j0+t)+2,4*(j0+t)+4);
}

/* What is kept of what a thread holds, and its part of the sum. */
/*@ requires block && held_in(held) && lanes_in(acc) && SumR(acc, 0, BDIM) == 0.0;
    requires slot_held(x,lead,n,slots) && row_held{Pre,Pre}(held,x,lead,n,Lowest,0,mul(KMAX,BDIM));
    requires m == RowMax(x,n);
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), held + (0 .. KMAX*MAXB-1));
    requires \separated(held + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    assigns acc[0 .. BDIM-1], held[0 .. KMAX*MAXB-1];
    ensures Same{Pre,Post}(x,n);
    ensures kept_held{Pre,Post}(held,logs,x,m,lead,n,mul(KMAX,BDIM));
    ensures SumR(acc, 0, BDIM) == SumExp{Pre}(x,m,lesser(4*mul(KMAX,BDIM)-lead,n)); */
DEV void buffer_exp_early(PER_THREAD(float, acc), PER_THREADK(float4, held), int logs,
                          float m GHOST_PARAMS(int slots, int lead, int n, const float *x))
{
  //@ assert fits: 0 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant Same{Pre,Here}(x,n);
      loop invariant kept_held{Pre,Here}(held,logs,x,m,lead,n,j0);
      loop invariant row_held{Pre,Here}(held,x,lead,n,Lowest,j0,mul(KMAX,BDIM));
      loop invariant SumR(acc, 0, BDIM) == SumExp{Pre}(x,m,lesser(4*j0-lead,n));
      loop assigns j, j0, acc[0 .. BDIM-1], held[0 .. KMAX*MAXB-1];
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= mul(KMAX,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant Same{Pre,Here}(x,n);
        loop invariant kept_held{Pre,Here}(held,logs,x,m,lead,n,j0 + t);
        loop invariant row_held{Pre,Here}(held,x,lead,n,Lowest,j0 + t,mul(KMAX,BDIM));
        loop invariant SumR(acc, 0, BDIM) == SumExp{Pre}(x,m,lesser(4*(j0+t)-lead,n));
        loop assigns t, acc[0 .. BDIM-1], held[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert in: Same{Pre,Here}(x,n);
      //@ assert max: m == RowMax(x,n);
      //@ assert all: above_lowest(x,n);
      //@ assert low: j0 + t < mul(KMAX,BDIM);
      //@ assert this: slot_vec{Pre}(held[j0+t], x, 4*(j0+t)-lead, n, Lowest);
      //@ assert vec: slot_vec(held[j0+t], x, 4*(j0+t)-lead, n, Lowest);
      buffer_add_held(acc, held, j, j0, t, logs, m GHOST_ARGS(4 * (j0 + t) - lead, n, x));
      //@ assert input: Same{LoopCurrent,Here}(x,n);
      //@ assert but: but_slot{LoopCurrent,Here}(held, j0 + t);
      //@ assert kept: slot_kept{Pre}(held[j0+t], logs, x, m, 4*(j0+t)-lead, n);
      //@ assert old: kept_held{Pre,Here}(held,logs,x,m,lead,n,j0 + t);
      //@ assert rest: row_held{Pre,Here}(held,x,lead,n,Lowest,j0 + t + 1,mul(KMAX,BDIM));
      //@ assert only: only{LoopCurrent,Here}(acc, t, BDIM);
      /*@ assert sum: SumR(acc, 0, BDIM) == \at(SumR(acc, 0, BDIM),LoopCurrent) +
            (SumExp{Pre}(x,m,lesser(4*(j0+t)-lead+4,n)) -
             SumExp{Pre}(x,m,lesser(4*(j0+t)-lead,n))); */
    }
  }
}

/*@ requires slots_of_row(v,slots) && lanes_in(acc) && slot_held(x,lead,n,slots);
    requires early_slots_ == KMAX && late_ == WAY_NONE && m == RowMax(x,n);
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), acc + (0 .. BDIM-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), x + (0 .. n-1));
    requires \separated(acc + (0 .. BDIM-1), x + (0 .. n-1));
    requires slot_cells{Pre,Pre}(v,x,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
    requires SumR(acc, 0, BDIM) == SumExp(x,m,lesser(4*mul(KMAX,BDIM)-lead,n));
    assigns acc[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1];
    ensures SumR(acc, 0, BDIM) == SumExp{Pre}(x,m,n);
    ensures Same{Pre,Post}(x,n);
    ensures same_cells{Pre,Post}(v,0,4*mul(KMAX,BDIM));
    ensures kept_cells{Pre,Post}(v,logs,x,m,lead,n,4*mul(KMAX,BDIM),4*slots); */
DEV void buffer_exp_late(PER_THREAD(float, acc), ROW_BUFFER_PARAM(v), int slots, int logs,
                         float m GHOST_PARAMS(int lead, int n, const float *x))
{
  //@ assert mul(KMAX,BDIM) == KMAX*BDIM;
  /*@ loop invariant KMAX <= j <= KMAX + BUFFER_VEC4S && j0 == mul(j,BDIM) && j <= j0;
      loop invariant Same{Pre,Here}(x,n);
      loop invariant mul(KMAX,BDIM) <= j0;
      loop invariant SumR(acc, 0, BDIM) == SumExp{Pre}(x,m,lesser(4*j0-lead,n));
      loop invariant same_cells{Pre,Here}(v,0,4*mul(KMAX,BDIM));
      loop invariant same_cells{Pre,Here}(v,4*j0,4*slots);
      loop invariant kept_cells{Pre,Here}(v,logs,x,m,lead,n,4*mul(KMAX,BDIM),
                                          lesser(4*j0,4*slots));
      loop assigns j, j0, acc[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1];
      loop variant slots - j0; */
  UNROLL_BY(2)
  for (int j = KMAX, j0 = KMAX * BDIM; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(x,n);
        loop invariant SumR(acc, 0, BDIM) == SumExp{Pre}(x,m,lesser(4*(j0+t)-lead,n));
        loop invariant same_cells{Pre,Here}(v,0,4*mul(KMAX,BDIM));
        loop invariant same_cells{Pre,Here}(v,4*(j0+t),4*slots);
        loop invariant kept_cells{Pre,Here}(v,logs,x,m,lead,n,4*mul(KMAX,BDIM),
                                            lesser(4*(j0+t),4*slots));
        loop assigns t, acc[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (j0 + t < slots) {
        //@ assert in: Same{Pre,Here}(x,n);
        //@ assert max: m == RowMax(x,n);
        //@ assert all: above_lowest(x,n);
        //@ assert as: same_cells{Pre,Here}(v,4*(j0+t),4*(j0+t)+4);
        //@ assert was: slot_cells{Pre,Pre}(v,x,lead,n,Lowest,4*(j0+t),4*(j0+t)+4);
        //@ assert cells: slot_cells{Pre,Here}(v,x,lead,n,Lowest,4*(j0+t),4*(j0+t)+4);
        //@ assert now: slot_cells{Here,Here}(v,x,lead,n,Lowest,4*(j0+t),4*(j0+t)+4);
        buffer_add_in(acc, v, j, j0, t, logs, m GHOST_ARGS(lead, n, x));
        //@ assert input: Same{LoopCurrent,Here}(x,n);
        //@ assert only: only{LoopCurrent,Here}(acc, t, BDIM);
        //@ assert below: same_cells{LoopCurrent,Here}(v,0,4*(j0+t));
        //@ assert rest: same_cells{LoopCurrent,Here}(v,4*(j0+t)+4,4*slots);
        /*@ assert sum: SumR(acc, 0, BDIM) == \at(SumR(acc, 0, BDIM),LoopCurrent) +
              (SumExp{Pre}(x,m,lesser(4*(j0+t)-lead+4,n)) -
               SumExp{Pre}(x,m,lesser(4*(j0+t)-lead,n))); */
        //@ assert early: same_cells{Pre,Here}(v,0,4*mul(KMAX,BDIM));
        //@ assert late: same_cells{Pre,Here}(v,4*(j0+t)+4,4*slots);
        /*@ assert old: kept_cells{Pre,Here}(v,logs,x,m,lead,n,4*mul(KMAX,BDIM),4*(j0+t)); */
        /*@ assert new: kept_cells{Pre,Here}(v,logs,x,m,lead,n,4*(j0+t),4*(j0+t)+4); */
      }
  }
}
#endif
