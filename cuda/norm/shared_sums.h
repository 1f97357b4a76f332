/* layer_norm and rms_norm of a row in the slots of a block (row/buffered.h): its sum and that of its
 * squares about the mean, over the lanes. A lane's early slots wait in registers, and those of the
 * next row begin to arrive. */
#ifndef PM_NORM_SHARED_SUMS_H
#define PM_NORM_SHARED_SUMS_H
#include "row.h"
#include "../row/buffered.h"

/*@ // element c of a row in a slot
    predicate norm_place(integer c) = -32 < c <= 8*BUFFER_VEC4S;
    predicate norm_early(integer K) = 0 < K <= KMAX;
    predicate norm_kept{L}(float4 *held) = \valid(held + (0 .. KMAX*MAXB-1));
    predicate norm_lanes{L}(float *a) = \valid(a + (0 .. bdim_-1));
    // element k about m, 0 where the row has none; four of them
    logic real SlotAbout{L}(float *x, real m, integer k, integer n) = 0 <= k < n ? x[k] - m : 0.0;
    predicate slot_about{L}(float4 d, float *x, real m, integer k, integer n) =
      d.x == SlotAbout(x,m,k,n) && d.y == SlotAbout(x,m,k+1,n) && d.z == SlotAbout(x,m,k+2,n) &&
      d.w == SlotAbout(x,m,k+3,n);
    lemma slot_about_0{L}: \forall float4 d, float *x, real m, integer k, n; is_zero(m) ==>
      slot_vec(d,x,k,n,0.0) ==> slot_about(d,x,m,k,n);
    // what a row leaves of the elements before k
    logic real SlotSum{L}(integer squares, float *x, real m, integer k, integer n) =
      NormSum(squares,x,m,lesser(k,n));
    lemma slot_sum_0{L}: \forall integer squares, float *x, real m, integer k, n; k <= 0 <= n ==>
      is_zero(SlotSum(squares,x,m,k,n));
    lemma slot_sum_frame{L1,L2}: \forall integer squares, float *x, real m, integer k, n;
      Same{L1,L2}(x,n) ==> SlotSum{L1}(squares,x,m,k,n) == SlotSum{L2}(squares,x,m,k,n);
    lemma slot_sum_next{L}: \forall integer squares, float *x, real m, integer k, n; 0 <= n ==>
      (squares == 0 ==> is_zero(m)) ==> SlotSum(squares,x,m,k+1,n) ==
        SlotSum(squares,x,m,k,n) + NormTerm(squares,SlotAbout(x,m,k,n));
    predicate slot_adds{L}(integer squares, float *x, real m, integer k, integer n) =
      SlotSum(squares,x,m,k+4,n) == SlotSum(squares,x,m,k,n) +
        (NormTerm(squares,SlotAbout(x,m,k,n)) + NormTerm(squares,SlotAbout(x,m,k+1,n)) +
         NormTerm(squares,SlotAbout(x,m,k+2,n)) + NormTerm(squares,SlotAbout(x,m,k+3,n)));
    lemma slot_sum_4{L}: \forall integer squares, float *x, real m, integer k, n; 0 <= n ==>
      (squares == 0 ==> is_zero(m)) ==> slot_adds(squares,x,m,k,n);
    // what lanes hold stays as it is
    predicate held_same{L1,L2}(float4 *held, integer to) =
      \forall integer q; 0 <= q < to ==> \at(held[q],L1) == \at(held[q],L2);
    lemma row_held_same{L0,L1,L2}: \forall float4 *held, float *x, integer lead, n, to, all, real u;
      to <= all ==> held_same{L1,L2}(held,all) ==> row_held{L0,L1}(held,x,lead,n,u,0,to) ==>
      row_held{L0,L2}(held,x,lead,n,u,0,to);
    lemma row_held_frame{L1,L2,L}: \forall float4 *held, float *x, integer lead, n, to, real u;
      Same{L1,L2}(x,n) ==> row_held{L1,L}(held,x,lead,n,u,0,to) ==>
      row_held{L2,L}(held,x,lead,n,u,0,to);
    // a row that is in slots
    predicate slot_holds{L}(float *x, integer lead, integer n, integer slots) =
      0 < n <= BUFFER_COLS && 0 <= lead < 32 && lead + n <= 4*slots && slots <= BUFFER_VEC4S &&
      \valid_read(x + (0 .. n-1)); */

/* A slot about the row's mean, of elements c .. c+3; 0 outside. */
/*@ requires norm_place(c) && 0 <= n <= BUFFER_COLS && (centered == 0 ==> is_zero(m));
    requires slot_vec(q,x,c,n,0.0);
    assigns \nothing;
    ensures slot_about(\result,x,m,c,n); */
DEV float4 norm_about(int centered, float4 q, float m, int c, int n GHOST_PARAMS(const float *x))
{
  if (centered) {
    float4 d = {q.x - m, q.y - m, q.z - m, q.w - m};
    q = d;
    if (!whole(c, n)) {
      q.x = inside(c, n) ? d.x : 0.0f;
      q.y = inside(c + 1, n) ? d.y : 0.0f;
      q.z = inside(c + 2, n) ? d.z : 0.0f;
      q.w = inside(c + 3, n) ? d.w : 0.0f;
    }
  }
  return q;
}

/* Lane t adds a slot about m, which begins at element k of the row, or its squares. */
/*@ requires block && 0 <= t < BDIM && norm_lanes(sum) && 0 <= n && \valid_read(x + (0 .. n-1));
    requires slot_about(d,x,m,k,n) && (squares == 0 ==> is_zero(m));
    requires SumR(sum, 0, BDIM) == SlotSum(squares,x,m,k,n);
    assigns sum[t];
    ensures SumR(sum, 0, BDIM) == SlotSum{Pre}(squares,x,m,k+4,n); */
DEV void norm_add(PER_THREAD(float, sum), int t, float4 d,
                  int squares GHOST_PARAMS(float m, int k, int n, const float *x))
{
  //@ assert adds: slot_adds(squares, x, m, k, n);
  AT(sum, t) += norm_four(squares, d);
  //@ assert only: only{Pre,Here}(sum, t, BDIM);
}

/* Lane t adds a slot that it holds, where the mean is asked for; the next row's begins to
 * arrive. */
/*@ requires slots_arrive(v,slots2,x,lead,n,aligned) && norm_kept(held) && norm_lanes(sum);
    requires 0 <= t < BDIM && 0 <= j && j0 == mul(j,BDIM) && 0 <= j0 && j0 + t < KMAX*MAXB;
    requires slot_open(j,4*(j0+t)) && 0 < n1 && \valid_read(x1 + (0 .. n1-1));
    requires slot_vec(held[j0+t],x1,k,n1,0.0);
    requires centered != 0 ==> SumR(sum, 0, BDIM) == SlotSum(0,x1,0.0,k,n1);
    requires slot_cells{Pre,Pre}(v,x,lead,n,0.0,0,lesser(4*slots2,4*(j0+t)));
    requires lanes_apart(sum,v,held,x1,n1,x,n);
    assigns sum[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
    ensures slot_open(j,4*(j0+t)+4);
    ensures j < early_slots_ ? late_ == \old(late_) : early_ == \old(early_);
    ensures centered != 0 ==> SumR(sum, 0, BDIM) == SlotSum{Pre}(0,x1,0.0,k+4,n1);
    ensures slot_cells{Pre,Post}(v,x,lead,n,0.0,0,lesser(4*slots2,4*(j0+t)+4));
    ensures same_cells{Pre,Post}(v,4*(j0+t)+4,4*BUFFER_VEC4S);
    ensures Same{Pre,Post}(x1,n1);
    ensures Same{Pre,Post}(x,n);
    ensures held_same{Pre,Post}(held,KMAX*MAXB); */
DEV void norm_sum_slot(PER_THREAD(float, sum), PER_THREADK(float4, held), ROW_BUFFER_PARAM(v),
                       int j, int j0, int t, int centered, int slots2, int lead, int n, int aligned,
                       const float *RESTRICT x GHOST_PARAMS(int k, int n1, const float *x1))
{
  //@ assert about: slot_about(held[j0+t], x1, 0.0, k, n1);
  if (centered)
    norm_add(sum, t, REG(held, j, j0, t), 0 GHOST_ARGS(0.0f, k, n1, x1));
  //@ assert add_x1: Same{Pre,Here}(x1,n1);
  //@ assert add_x: Same{Pre,Here}(x,n);
  //@ assert add_held: held_same{Pre,Here}(held,KMAX*MAXB);
  //@ assert add_v: same_cells{Pre,Here}(v,0,4*BUFFER_VEC4S);
  //@ assert now: slot_cells{Here,Here}(v,x,lead,n,0.0,0,lesser(4*slots2,4*(j0+t)));
  //@ ghost L1: ;
  slot_arrives(v, j, j0, t, slots2, lead, n, aligned, 0.0f, x GHOST_ARGS(0));
  //@ assert sums: Same{L1,Here}(sum,BDIM);
  //@ assert x1s: Same{L1,Here}(x1,n1);
  //@ assert xs: Same{L1,Here}(x,n);
  //@ assert helds: held_same{L1,Here}(held,KMAX*MAXB);
}

/* The sum of what a lane holds of a row, where the mean is asked for; the next row's early slots
 * begin to arrive. */
/*@ requires slots_arrive(v,slots2,x,lead,n,aligned) && norm_kept(held) && norm_lanes(sum);
    requires norm_early(K) && early_slots_ == K && early_ == WAY_NONE && late_ != WAY_OPEN;
    requires slot_holds(x1,lead1,n1,slots) && row_held{Pre,Pre}(held,x1,lead1,n1,0.0,0,mul(K,BDIM));
    requires SumR(sum, 0, BDIM) == 0.0;
    requires lanes_apart(sum,v,held,x1,n1,x,n);
    assigns sum[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
    ensures late_ == \old(late_);
    ensures centered != 0 ==>
      SumR(sum, 0, BDIM) == SlotSum{Pre}(0,x1,0.0,4*mul(K,BDIM)-lead1,n1);
    ensures slot_cells{Pre,Post}(v,x,lead,n,0.0,0,lesser(4*slots2,4*mul(K,BDIM)));
    ensures same_cells{Pre,Post}(v,4*mul(K,BDIM),4*BUFFER_VEC4S); */
DEV void norm_sum_early(PER_THREAD(float, sum), PER_THREADK(float4, held), ROW_BUFFER_PARAM(v),
                        int K, int centered, int slots2, int lead, int n, int aligned,
                        const float *RESTRICT x GHOST_PARAMS(int slots, int lead1, int n1,
                                                             const float *x1))
{
  //@ assert fits: 0 <= mul(K,BDIM) <= KMAX*MAXB;
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant slot_open(0,4*j0) && late_ == \at(late_,Pre);
      loop invariant centered != 0 ==>
        SumR(sum, 0, BDIM) == SlotSum{Pre}(0,x1,0.0,4*j0-lead1,n1);
      loop invariant slot_cells{Pre,Here}(v,x,lead,n,0.0,0,lesser(4*slots2,4*j0));
      loop invariant same_cells{Pre,Here}(v,4*mul(K,BDIM),4*BUFFER_VEC4S);
      loop invariant Same{Pre,Here}(x1,n1);
      loop invariant Same{Pre,Here}(x,n);
      loop invariant row_held{Pre,Here}(held,x1,lead1,n1,0.0,0,mul(K,BDIM));
      loop assigns j, j0, sum[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM && slot_open(0,4*(j0+t)) && late_ == \at(late_,Pre);
        loop invariant centered != 0 ==>
          SumR(sum, 0, BDIM) == SlotSum{Pre}(0,x1,0.0,4*(j0+t)-lead1,n1);
        loop invariant slot_cells{Pre,Here}(v,x,lead,n,0.0,0,lesser(4*slots2,4*(j0+t)));
        loop invariant same_cells{Pre,Here}(v,4*mul(K,BDIM),4*BUFFER_VEC4S);
        loop invariant Same{Pre,Here}(x1,n1);
        loop invariant Same{Pre,Here}(x,n);
        loop invariant row_held{Pre,Here}(held,x1,lead1,n1,0.0,0,mul(K,BDIM));
        loop assigns t, sum[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert this: slot_vec{Pre}(held[j0+t], x1, 4*(j0+t)-lead1, n1, 0.0);
      //@ assert vec: slot_vec(held[j0+t], x1, 4*(j0+t)-lead1, n1, 0.0);
      /*@ assert sums: SlotSum(0,x1,0.0,4*(j0+t)-lead1,n1) ==
            SlotSum{Pre}(0,x1,0.0,4*(j0+t)-lead1,n1); */
      //@ assert now: slot_cells{Here,Here}(v,x,lead,n,0.0,0,lesser(4*slots2,4*(j0+t)));
      //@ assert below: j0 + t < KMAX*MAXB;
      norm_sum_slot(sum, held, v, j, j0, t, centered, slots2, lead, n, aligned,
                    x GHOST_ARGS(4 * (j0 + t) - lead1, n1, x1));
      /*@ assert next: SlotSum{LoopCurrent}(0,x1,0.0,4*(j0+t)-lead1+4,n1) ==
            SlotSum{Pre}(0,x1,0.0,4*(j0+t)-lead1+4,n1); */
      //@ assert as_held: row_held{Pre,Here}(held,x1,lead1,n1,0.0,0,mul(K,BDIM));
      /*@ assert came: slot_cells{LoopCurrent,Here}(v,x,lead,n,0.0,0,
                                                    lesser(4*slots2,4*(j0+t)+4)); */
    }
  }
}

/* And of its late slots. */
/*@ requires slots_of_row(v,slots) && norm_lanes(sum) && slot_holds(x,lead,n,slots);
    requires norm_early(K) && early_slots_ == K && late_ == WAY_NONE;
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), sum + (0 .. BDIM-1));
    requires \separated(sum + (0 .. BDIM-1), x + (0 .. n-1));
    requires slot_cells{Pre,Pre}(v,x,lead,n,0.0,4*mul(K,BDIM),4*slots);
    requires SumR(sum, 0, BDIM) == SlotSum(0,x,0.0,4*mul(K,BDIM)-lead,n);
    assigns sum[0 .. BDIM-1];
    ensures SumR(sum, 0, BDIM) == NormSum{Pre}(0,x,0.0,n); */
DEV void norm_sum_late(PER_THREAD(float, sum), ROW_BUFFER_PARAM(v), int K,
                       int slots GHOST_PARAMS(int lead, int n, const float *x))
{
  //@ assert mul(K,BDIM) == K*BDIM && 0 <= mul(K,BDIM) <= KMAX*MAXB;
  /*@ loop invariant K <= j <= K + BUFFER_VEC4S && j0 == mul(j,BDIM) && j <= j0;
      loop invariant mul(K,BDIM) <= j0;
      loop invariant SumR(sum, 0, BDIM) == SlotSum{Pre}(0,x,0.0,4*j0-lead,n);
      loop assigns j, j0, sum[0 .. BDIM-1];
      loop variant slots - j0; */
  UNROLL_BY(4)
  for (int j = K, j0 = K * BDIM; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(sum, 0, BDIM) == SlotSum{Pre}(0,x,0.0,4*(j0+t)-lead,n);
        loop assigns t, sum[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (j0 + t < slots) {
        float4 d = BUFFER_LOAD(v, j, j0, t);
        //@ assert cells: slot_cells{Pre,Here}(v,x,lead,n,0.0,4*(j0+t),4*(j0+t)+4);
        //@ assert this: slot_vec{Pre}(d, x, 4*(j0+t)-lead, n, 0.0);
        //@ assert in: Same{Pre,Here}(x,n);
        //@ assert sums: SlotSum(0,x,0.0,4*(j0+t)-lead,n) == SlotSum{Pre}(0,x,0.0,4*(j0+t)-lead,n);
        //@ assert vec: slot_vec(d, x, 4*(j0+t)-lead, n, 0.0);
        //@ assert about: slot_about(d, x, 0.0, 4*(j0+t)-lead, n);
        norm_add(sum, t, d, 0 GHOST_ARGS(0.0f, 4 * (j0 + t) - lead, n, x));
        //@ assert total: SumR(sum, 0, BDIM) == SlotSum{Pre}(0,x,0.0,4*(j0+t)-lead+4,n);
      }
  }
}

/* The squares of what a lane holds, about m. */
/*@ requires block && norm_early(K) && norm_kept(held) && norm_lanes(sum);
    requires slot_holds(x,lead,n,slots) && row_held{Pre,Pre}(held,x,lead,n,0.0,0,mul(K,BDIM));
    requires (centered == 0 ==> is_zero(m)) && SumR(sum, 0, BDIM) == 0.0;
    requires \separated(sum + (0 .. BDIM-1), x + (0 .. n-1));
    requires \separated(held + (0 .. KMAX*MAXB-1), sum + (0 .. BDIM-1));
    assigns sum[0 .. BDIM-1];
    ensures SumR(sum, 0, BDIM) == SlotSum{Pre}(1,x,m,4*mul(K,BDIM)-lead,n); */
DEV void norm_squares_early(PER_THREAD(float, sum), PER_THREADK(float4, held), int K, int centered,
                            float m, int lead, int n GHOST_PARAMS(int slots, const float *x))
{
  /*@ loop invariant 0 <= j <= K && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant SumR(sum, 0, BDIM) == SlotSum{Pre}(1,x,m,4*j0-lead,n);
      loop assigns j, j0, sum[0 .. BDIM-1];
      loop variant K - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < K; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= mul(K,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(sum, 0, BDIM) == SlotSum{Pre}(1,x,m,4*(j0+t)-lead,n);
        loop assigns t, sum[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert this: slot_vec{Pre}(held[j0+t], x, 4*(j0+t)-lead, n, 0.0);
      //@ assert in: Same{Pre,Here}(x,n);
      //@ assert sums: SlotSum(1,x,m,4*(j0+t)-lead,n) == SlotSum{Pre}(1,x,m,4*(j0+t)-lead,n);
      //@ assert vec: slot_vec(held[j0+t], x, 4*(j0+t)-lead, n, 0.0);
      float4 d = norm_about(centered, REG(held, j, j0, t), m, 4 * (j0 + t) - lead, n GHOST_ARGS(x));
      norm_add(sum, t, d, 1 GHOST_ARGS(m, 4 * (j0 + t) - lead, n, x));
      //@ assert total: SumR(sum, 0, BDIM) == SlotSum{Pre}(1,x,m,4*(j0+t)-lead+4,n);
    }
  }
}

/*@ requires slots_of_row(v,slots) && norm_lanes(sum) && slot_holds(x,lead,n,slots);
    requires norm_early(K) && early_slots_ == K && late_ == WAY_NONE;
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), sum + (0 .. BDIM-1));
    requires \separated(sum + (0 .. BDIM-1), x + (0 .. n-1));
    requires slot_cells{Pre,Pre}(v,x,lead,n,0.0,4*mul(K,BDIM),4*slots);
    requires centered == 0 ==> is_zero(m);
    requires SumR(sum, 0, BDIM) == SlotSum(1,x,m,4*mul(K,BDIM)-lead,n);
    assigns sum[0 .. BDIM-1];
    ensures SumR(sum, 0, BDIM) == NormSum{Pre}(1,x,m,n); */
DEV void norm_squares_late(PER_THREAD(float, sum), ROW_BUFFER_PARAM(v), int K, int slots,
                           int centered, float m, int lead, int n GHOST_PARAMS(const float *x))
{
  //@ assert mul(K,BDIM) == K*BDIM && 0 <= mul(K,BDIM) <= KMAX*MAXB;
  /*@ loop invariant K <= j <= K + BUFFER_VEC4S && j0 == mul(j,BDIM) && j <= j0;
      loop invariant mul(K,BDIM) <= j0;
      loop invariant SumR(sum, 0, BDIM) == SlotSum{Pre}(1,x,m,4*j0-lead,n);
      loop assigns j, j0, sum[0 .. BDIM-1];
      loop variant slots - j0; */
  UNROLL_BY(4)
  for (int j = K, j0 = K * BDIM; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant SumR(sum, 0, BDIM) == SlotSum{Pre}(1,x,m,4*(j0+t)-lead,n);
        loop assigns t, sum[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (j0 + t < slots) {
        float4 q = BUFFER_LOAD(v, j, j0, t);
        //@ assert cells: slot_cells{Pre,Here}(v,x,lead,n,0.0,4*(j0+t),4*(j0+t)+4);
        //@ assert this: slot_vec{Pre}(q, x, 4*(j0+t)-lead, n, 0.0);
        //@ assert in: Same{Pre,Here}(x,n);
        //@ assert sums: SlotSum(1,x,m,4*(j0+t)-lead,n) == SlotSum{Pre}(1,x,m,4*(j0+t)-lead,n);
        //@ assert vec: slot_vec(q, x, 4*(j0+t)-lead, n, 0.0);
        float4 d = norm_about(centered, q, m, 4 * (j0 + t) - lead, n GHOST_ARGS(x));
        norm_add(sum, t, d, 1 GHOST_ARGS(m, 4 * (j0 + t) - lead, n, x));
        //@ assert total: SumR(sum, 0, BDIM) == SlotSum{Pre}(1,x,m,4*(j0+t)-lead+4,n);
      }
  }
}
#endif
