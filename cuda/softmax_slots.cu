/* softmax and log_softmax where a row waits in the slots of a block (slots.h), which does rows b,
 * b + blocks, ..: x and y are (rows, cols). A lane's early slots wait in registers once the row is
 * there, and the next row's arrive while the exponentials are taken; its late ones arrive while this
 * row is written. softmax.cu says when. */
#define ONE_WARP 1 /* see block.h */
#include "block_max.h"
#include "loss_terms.h"
#include "slot_place.h"
#include "softmax_rows.h"

/*@ assigns \nothing; */
DEV float soft_top4(float top, float4 v)
{
  return larger(larger(larger(larger(top, v.x), v.y), v.z), v.w);
}

/*@ assigns \nothing; */
DEV float4 soft_exps(float4 v, float m)
{
  float4 e = {loss_exp(v.x, m), loss_exp(v.y, m), loss_exp(v.z, m), loss_exp(v.w, m)};
  return e;
}

/* What is kept of v: e, or for the logarithm the differences that e is of. */
/*@ assigns \nothing; */
DEV float4 soft_keeps(int logs, float4 v, float4 e, float m)
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
DEV void soft_top_early(LANE(float, top), LANEK(float4, held), LANE_SLOTS(v), int slots2, int lead,
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
      AT(top, t) = soft_top4(AT(top, t), REG(held, j, j0, t));
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
DEV void soft_top_late(LANE(float, top), LANE_SLOTS(v), int slots)
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
        AT(top, t) = soft_top4(AT(top, t), SLOT_TAKE(v, j, j0, t));
  }
}

/* What is kept of what a lane holds, and its part of the sum. */
/*@ requires block && held_in(held) && lanes_in(acc);
    assigns acc[0 .. BDIM-1], held[0 .. KMAX*MAXB-1]; */
DEV void soft_exp_early(LANE(float, acc), LANEK(float4, held), int logs, float m)
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
      float4 q = REG(held, j, j0, t), e = soft_exps(q, m);
      AT(acc, t) += (e.x + e.y) + (e.z + e.w);
      REG(held, j, j0, t) = soft_keeps(logs, q, e, m);
    }
  }
}

/*@ requires slots_of_row(v,slots) && lanes_in(acc);
    requires early_slots_ == KMAX && late_ == WAY_NONE;
    requires \separated(v + (0 .. 4*MAX_SLOTS-1), acc + (0 .. BDIM-1));
    assigns acc[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1]; */
DEV void soft_exp_late(LANE(float, acc), LANE_SLOTS(v), int slots, int logs, float m)
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
        float4 q = SLOT_TAKE(v, j, j0, t), e = soft_exps(q, m);
        AT(acc, t) += (e.x + e.y) + (e.z + e.w);
        SLOT_PUT(v, soft_keeps(logs, q, e, m), j, j0, t);
      }
  }
}

/* The late slots of a row leave, and those of the next one begin to arrive. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires early_slots_ == KMAX && late_ == WAY_NONE && early_ != WAY_OPEN;
    requires \separated(v + (0 .. 4*MAX_SLOTS-1), y + (0 .. n-1));
    assigns v[0 .. 4*MAX_SLOTS-1], y[0 .. n-1], early_, late_, fetched_;
    ensures early_ == \old(early_); */
DEV void soft_put_late(LANE_SLOTS(v), int slots, int lead, int n, int slots2, int lead2, int n2,
                       int aligned, int logs, float s, const float *RESTRICT x, float *RESTRICT y)
{
  float low = lowest();
  //@ assert mul(KMAX,BDIM) == KMAX*BDIM;
  /*@ loop invariant KMAX <= j <= KMAX + MAX_SLOTS && j0 == mul(j,BDIM) && j <= j0;
      loop invariant slot_open(KMAX,4*j0) && early_ == \at(early_,Pre);
      loop assigns j, j0, v[0 .. 4*MAX_SLOTS-1], y[0 .. n-1], early_, late_, fetched_;
      loop variant slots + slots2 - j0; */
  for (int j = KMAX, j0 = KMAX * BDIM; j0 < slots || j0 < slots2; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && slot_open(KMAX,4*(j0+t)) && early_ == \at(early_,Pre);
        loop assigns t, v[0 .. 4*MAX_SLOTS-1], y[0 .. n-1], early_, late_, fetched_;
        loop variant BDIM - t; */
    LANES(t) {
      if (j0 + t < slots)
        slot_store(4 * (j0 + t) - lead, n, aligned, soft_put(logs, SLOT_TAKE(v, j, j0, t), s),
                   y GHOST_ARGS(j0 + t, lead));
      if (j0 + t < slots2)
        slot_fetch(v, j, j0, t, lead2, n2, aligned, low, x);
    }
  }
}

/*@ requires block && held_in(held) && 0 <= slots <= MAX_SLOTS;
    requires slot_out(y,lead,n,aligned) && perm_w(y,n);
    assigns y[0 .. n-1]; */
DEV void soft_put_early(LANEK(float4, held), int slots, int lead, int n, int aligned, int logs,
                        float s, float *RESTRICT y)
{
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, y[0 .. n-1];
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, y[0 .. n-1];
        loop variant BDIM - t; */
    LANES(t)
      if (j0 + t < slots)
        slot_store(4 * (j0 + t) - lead, n, aligned, soft_put(logs, REG(held, j, j0, t), s),
                   y GHOST_ARGS(j0 + t, lead));
  }
}

/* The row that is in the slots; the next one begins to arrive there. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires early_slots_ == KMAX && early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    requires \separated(v + (0 .. 4*MAX_SLOTS-1), y + (0 .. n-1));
    requires \valid(sm + (0 .. 31)) && perm(sm,32) && \valid(ss + (0 .. 31)) && perm(ss,32);
    assigns v[0 .. 4*MAX_SLOTS-1], y[0 .. n-1], sm[0 .. 31], ss[0 .. 31], early_, late_, fetched_,
            newest_;
    ensures early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE; */
DEV void soft_slots_row(LANE_SLOTS(v), int slots, int lead, int n, int slots2, int lead2, int n2,
                        int aligned, int logs, const float *RESTRICT x, float *RESTRICT y,
                        float *sm, float *ss)
{
  PRIVATE(float, top);
  PRIVATE(float, acc);
  PRIVATEK(float4, held);
  float m, s;
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, top[0 .. BDIM-1], acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) {
    AT(top, t) = lowest();
    AT(acc, t) = 0.0f;
  }
  slots_wait_but_newest();
  slots_hold(held, v, KMAX, slots, lowest());
  soft_top_early(top, held, v, slots2, lead2, n2, aligned, x);
  slots_send(EARLY);
  slots_wait_but_newest();
  soft_top_late(top, v, slots);
  m = block_max(top, sm);
  soft_exp_early(acc, held, logs, m);
  soft_exp_late(acc, v, slots, logs, m);
  s = soft_closing(logs, block_sum(acc, ss));
  soft_put_late(v, slots, lead, n, slots2, lead2, n2, aligned, logs, s, x, y);
  slots_send(LATE);
  soft_put_early(held, slots, lead, n, aligned, logs, s, y);
}

/* Block b. */
/*@ requires slots_fit(n) && 0 <= b < blocks <= IDX_LIM;
    requires slot_reads(x,rows,n,aligned) && slot_writes(y,rows,n,aligned);
    requires apart(x,ix(rows,n,0),y,ix(rows,n,0));
    assigns y[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_, newest_; */
DEV void soft_slots_block(idx b, idx blocks, int aligned, int logs, idx rows, int n,
                          const float *RESTRICT x, float *RESTRICT y)
{
  SLOTS(v, KMAX);
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  slot_place now = slots_place(b, rows, n);
  slots_fetch_first(v, KMAX, now.slots, now.lead, now.n, aligned, lowest(),
                    x + slot_row_at(now GHOST_ARGS(b, rows, n, aligned, x)));
  /*@ loop invariant b <= r <= IDX_LIM + blocks && slot_placed(now,r,rows,n);
      loop invariant early_slots_ == KMAX && early_ == WAY_SENT && late_ == WAY_SENT;
      loop invariant newest_ == LATE;
      loop assigns r, now, v[0 .. 4*MAX_SLOTS-1], y[0 .. ix(rows,n,0)-1], sm[0 .. 31],
                   ss[0 .. 31], early_, late_, fetched_, newest_;
      loop variant rows - r; */
  for (idx r = b; r < rows; r += blocks) {
    slot_place next = slots_place(r + blocks, rows, n);
    idx from = slot_row_at(next GHOST_ARGS(r + blocks, rows, n, aligned, x));
    idx to = slot_out_at(now GHOST_ARGS(r, rows, n, aligned, y));
    soft_slots_row(v, now.slots, now.lead, n, next.slots, next.lead, next.n, aligned, logs,
                   x + from, y + to, sm, ss);
    now = next;
  }
}

/* LOGS: log_softmax; VEC: both tensors are 16-byte aligned. */
/*@ requires slots_fit(n) && 0 < blocks <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires slot_reads(x,rows,n,VEC) && slot_writes(y,rows,n,VEC);
    requires apart(x,ix(rows,n,0),y,ix(rows,n,0));
    assigns y[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_, newest_; */
TEMPLATE(int LOGS, int VEC)
KERNEL void THREADS_AT_MOST(1024) soft_slots(CONSTANTS(int LOGS, int VEC) idx blocks, idx rows,
                                             int n, const float *RESTRICT x, float *RESTRICT y)
{
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, y[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_, newest_;
      loop variant blocks - b; */
  BROWS(b, blocks, 1) soft_slots_block(b, blocks, VEC, LOGS, rows, n, x, y);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "softmax_slots.h"

#define SOFT_SLOTS(LOGS, VEC) \
  LAUNCH_SLOTS((soft_slots<LOGS, VEC>), blocks, block, cols, ex->stream, blocks, rows, w, x, y)

extern "C" void LAUNCHER(softmax_slots)(const pm_exec *ex, int logs, int vec, int64_t blocks,
                                        int block, int64_t rows, int64_t cols, const float *x,
                                        float *y)
{
  int w = (int)cols;
  if (logs && vec)
    SOFT_SLOTS(1, 1);
  else if (logs)
    SOFT_SLOTS(1, 0);
  else if (vec)
    SOFT_SLOTS(0, 1);
  else
    SOFT_SLOTS(0, 0);
}
#endif
