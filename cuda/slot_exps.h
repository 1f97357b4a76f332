/* The maximum of a row in the slots of a block (slot_rows.h), its exponentials at that and their sums
 * over the lanes. A lane's early slots wait in registers, and the next row's begin to arrive. */
#ifndef PM_SLOT_EXPS_H
#define PM_SLOT_EXPS_H
#include "block.h"
#include "loss_terms.h"
#include "slot_rows.h"

/*@ assigns \nothing; */
DEV float slot_top4(float top, float4 v)
{
  return larger(larger(larger(larger(top, v.x), v.y), v.z), v.w);
}

/*@ assigns \nothing; */
DEV float4 slot_exp4(float4 v, float m)
{
  float4 e = {loss_exp(v.x, m), loss_exp(v.y, m), loss_exp(v.z, m), loss_exp(v.w, m)};
  return e;
}

/* What is kept of v: e, or for the logarithm the differences that e is of. */
/*@ assigns \nothing; */
DEV float4 slot_keeps(int logs, float4 v, float4 e, float m)
{
  e.x = logs ? v.x - m : e.x;
  e.y = logs ? v.y - m : e.y;
  e.z = logs ? v.z - m : e.z;
  e.w = logs ? v.w - m : e.w;
  return e;
}

/*@ predicate held_in{L}(float4 *held) = \valid(held + (0 .. KMAX*MAXB-1));
    predicate lanes_in{L}(float *a) = \valid(a + (0 .. bdim_-1)); */

/* The largest of what a lane holds; the next row's early slots begin to arrive. */
/*@ requires slots_arrive(v,slots2,x,lead,n,aligned) && held_in(held) && lanes_in(top);
    requires early_slots_ == KMAX && early_ == WAY_NONE && late_ != WAY_OPEN;
    assigns top[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1], early_, late_, fetched_;
    ensures late_ == \old(late_); */
DEV void slots_top_early(LANE(float, top), LANEK(float4, held), LANE_SLOTS(v), int slots2, int lead,
                         int n, int aligned, const float *RESTRICT x)
{
  float low = lowest();
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant slot_open(0,4*j0) && late_ == \at(late_,Pre);
      loop assigns j, j0, top[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1], early_, late_, fetched_;
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && slot_open(0,4*(j0+t)) && late_ == \at(late_,Pre);
        loop assigns t, top[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1], early_, late_, fetched_;
        loop variant BDIM - t; */
    LANES(t) {
      AT(top, t) = slot_top4(AT(top, t), REG(held, j, j0, t));
      if (j0 + t < slots2)
        slot_fetch(v, j, j0, t, lead, n, aligned, low, x);
    }
  }
}

/* And of its late slots. */
/*@ requires slots_of_row(v,slots) && lanes_in(top);
    requires early_slots_ == KMAX && late_ == WAY_NONE;
    requires \separated(v + (0 .. 4*MAX_SLOTS-1), top + (0 .. BDIM-1));
    assigns top[0 .. BDIM-1]; */
DEV void slots_top_late(LANE(float, top), LANE_SLOTS(v), int slots)
{
  //@ assert mul(KMAX,BDIM) == KMAX*BDIM;
  /*@ loop invariant KMAX <= j <= KMAX + MAX_SLOTS && j0 == mul(j,BDIM) && j <= j0;
      loop assigns j, j0, top[0 .. BDIM-1];
      loop variant slots - j0; */
  UNROLL_BY(4)
  for (int j = KMAX, j0 = KMAX * BDIM; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, top[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t)
      if (j0 + t < slots)
        AT(top, t) = slot_top4(AT(top, t), SLOT_TAKE(v, j, j0, t));
  }
}

/* What is kept of what a lane holds, and its part of the sum. */
/*@ requires block && held_in(held) && lanes_in(acc);
    assigns acc[0 .. BDIM-1], held[0 .. KMAX*MAXB-1]; */
DEV void slots_exp_early(LANE(float, acc), LANEK(float4, held), int logs, float m)
{
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, acc[0 .. BDIM-1], held[0 .. KMAX*MAXB-1];
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, acc[0 .. BDIM-1], held[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    LANES(t) {
      float4 q = REG(held, j, j0, t), e = slot_exp4(q, m);
      AT(acc, t) += (e.x + e.y) + (e.z + e.w);
      REG(held, j, j0, t) = slot_keeps(logs, q, e, m);
    }
  }
}

/*@ requires slots_of_row(v,slots) && lanes_in(acc);
    requires early_slots_ == KMAX && late_ == WAY_NONE;
    requires \separated(v + (0 .. 4*MAX_SLOTS-1), acc + (0 .. BDIM-1));
    assigns acc[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1]; */
DEV void slots_exp_late(LANE(float, acc), LANE_SLOTS(v), int slots, int logs, float m)
{
  //@ assert mul(KMAX,BDIM) == KMAX*BDIM;
  /*@ loop invariant KMAX <= j <= KMAX + MAX_SLOTS && j0 == mul(j,BDIM) && j <= j0;
      loop assigns j, j0, acc[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1];
      loop variant slots - j0; */
  UNROLL_BY(2)
  for (int j = KMAX, j0 = KMAX * BDIM; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, acc[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1];
        loop variant BDIM - t; */
    LANES(t)
      if (j0 + t < slots) {
        float4 q = SLOT_TAKE(v, j, j0, t), e = slot_exp4(q, m);
        AT(acc, t) += (e.x + e.y) + (e.z + e.w);
        SLOT_PUT(v, slot_keeps(logs, q, e, m), j, j0, t);
      }
  }
}
#endif
