/* softmax and log_softmax where a row waits in the slots of a block (slots.h), which does rows b,
 * b + blocks, ..: x and y are (rows, cols). A lane's early slots wait in registers once the row is
 * there, and the next row's arrive while the exponentials are taken; its late ones arrive while this
 * row is written. softmax.cu says when. */
#define ONE_WARP 1 /* see block.h */
#include "block_max.h"
#include "slot_exps.h"
#include "slot_place.h"
#include "softmax_rows.h"

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
  slots_top_early(top, held, v, slots2, lead2, n2, aligned, x);
  slots_send(EARLY);
  slots_wait_but_newest();
  slots_top_late(top, v, slots);
  m = block_max(top, sm);
  slots_exp_early(acc, held, logs, m);
  slots_exp_late(acc, v, slots, logs, m);
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
