/* masked_softmax where a row waits in the slots of a block (slots.h), which does rows b, b + blocks,
 * ..: x, mask and y are (rows, cols). Rows move as in softmax_slots.cu, x alone through the slots: of
 * its mask a lane keeps a bit an element, which it reads while the row before is written. What is
 * blocked waits as a mark of its own from the row's maximum on; from the exponentials on as -0. */
#define ONE_WARP 1 /* see block.h */
#include "block_max.h"
#include "slot_exps.h"
#include "slot_place.h"
#include "softmax_open.h"

/* Which elements of a lane's slots are blocked: four bits for slot j, from bit 4 j on. */
typedef unsigned long long slot_bits;
#define BIT_SLOTS 16

/*@ // a block whose lanes have bits for all of their slots
    predicate bits_fit{L} = slots_ <= mul(BIT_SLOTS,bdim_);
    lemma few_slots: \forall integer j, b, s; mul(j,b) < s ==> s <= mul(BIT_SLOTS,b) ==>
      0 <= b ==> j < BIT_SLOTS; */

/*@ // a shift is one by one at a time, and so a product, and grows
    logic integer Shifted(integer x, integer n) = n <= 0 ? x : (Shifted(x,n-1) << 1);
    lemma shifted_step: \forall integer x, n; 0 <= n ==> Shifted(x,n+1) == (Shifted(x,n) << 1);
    lemma shifted_by: \forall integer x, n; 0 <= n ==> Shifted(x,n) == (x << n) ==>
      Shifted(x,n+1) == (x << (n+1));
    lemma shifted_is: \forall integer n; 0 <= n ==> \forall integer x; Shifted(x,n) == (x << n);
    lemma shift_next: \forall integer x, n; 0 <= n ==> (x << (n+1)) == 2*(x << n);
    lemma shift_grows: \forall integer m; 0 <= m ==>
      \forall integer n, x; 0 <= x ==> 0 <= n <= m ==> (x << n) <= (x << m);
    lemma shift_4: \forall integer x; (x << 4) == 16*x;
    lemma shift_by_4: \forall integer x, n; 0 <= n ==> (x << (n+4)) == 16*(x << n);
    lemma shift_20: \forall integer x; (x << 20) == 1048576*x;
    lemma shift_by_20: \forall integer x, n; 0 <= n ==> (x << (n+20)) == 1048576*(x << n);
    lemma shift_60: \forall integer x; (x << 60) == 1152921504606846976*x; */

/* Four bits as those of slot j. */
/*@ requires 0 <= j < BIT_SLOTS && 0 <= b < 16; assigns \nothing; */
DEV slot_bits bits_of(unsigned b, int j)
{
  //@ assert (b << 4*j) <= (b << 60);
  //@ assert (b << 60) == 1152921504606846976*b;
  return (slot_bits)b << 4 * j;
}

/* The bits of slot j, from its mask. */
/*@ requires 0 <= j < BIT_SLOTS; assigns \nothing; */
DEV slot_bits blocked_bits(float4 b, int j)
{
  unsigned x = b.x != 0.0f ? 1u : 0u, y = b.y != 0.0f ? 1u : 0u;
  unsigned z = b.z != 0.0f ? 1u : 0u, w = b.w != 0.0f ? 1u : 0u;
  return bits_of(x + 2u * y + 4u * z + 8u * w, j);
}

/*@ assigns \nothing; ensures \result == (blocked != 0 ? Mark : x); */
DEV float slot_enter(float x, unsigned blocked) { return blocked ? mark() : unmarked(x); }

/* Slot j, by the bits of the lane's mask. */
/*@ requires 0 <= j < BIT_SLOTS; assigns \nothing; */
DEV float4 slot_enter4(float4 v, slot_bits bits, int j)
{
  unsigned b = (unsigned)(bits >> 4 * j & 15u);
  v.x = slot_enter(v.x, b & 1u);
  v.y = slot_enter(v.y, b & 2u);
  v.z = slot_enter(v.z, b & 4u);
  v.w = slot_enter(v.w, b & 8u);
  return v;
}

/*@ assigns \nothing; */
DEV float open_top4(float top, float4 v)
{
  top = larger_unmarked(larger_unmarked(top, v.x), v.y);
  return larger_unmarked(larger_unmarked(top, v.z), v.w);
}

/* Of an element that waits: its exponential, or -0. */
/*@ assigns \nothing; */
DEV float slot_open_exp(float v, float m)
{
  float e = loss_exp(v, m);
  return is_mark(v) ? -0.0f : e;
}

/*@ assigns \nothing; */
DEV float4 slot_open_exp4(float4 v, float m)
{
  float4 e = {slot_open_exp(v.x, m), slot_open_exp(v.y, m), slot_open_exp(v.z, m),
              slot_open_exp(v.w, m)};
  return e;
}

/*@ assigns \nothing; */
DEV float4 open_put4(float4 v, float t)
{
  float4 e = {masked_share(v.x, t), masked_share(v.y, t), masked_share(v.z, t),
              masked_share(v.w, t)};
  return e;
}

/*@ predicate bits_in{L}(unsigned long long *bits) = \valid(bits + (0 .. bdim_-1)); */

/* The first row's bits. What is outside is blocked. */
/*@ requires block && slots_ <= MAX_SLOTS && bits_fit && 0 <= slots <= slots_ && bits_in(bits);
    requires slot_row(b,lead,n,aligned);
    requires \separated(bits + (0 .. BDIM-1), b + (0 .. n-1));
    assigns bits[0 .. BDIM-1]; */
DEV void open_bits_first(LANE(slot_bits, bits), int slots, int lead, int n, int aligned,
                         const float *RESTRICT b)
{
  /*@ loop invariant 0 <= j <= KMAX + MAX_SLOTS && j0 == mul(j,BDIM) && j <= j0;
      loop assigns j, j0, bits[0 .. BDIM-1];
      loop variant slots - j0; */
  for (int j = 0, j0 = 0; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    //@ assert j < BIT_SLOTS;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, bits[0 .. BDIM-1];
        loop variant BDIM - t; */
    LANES(t)
      if (j0 + t < slots)
        AT(bits, t) |= blocked_bits(
            slot_load(4 * (j0 + t) - lead, n, aligned, 1.0f, b GHOST_ARGS(lead, j0 + t)), j);
  }
}

/* The largest of what is open of what a lane holds; the next row's early slots begin to arrive. */
/*@ requires slots_arrive(v,slots2,x,lead,n,aligned) && held_in(held) && lanes_in(top);
    requires bits_in(bits);
    requires early_slots_ == KMAX && early_ == WAY_NONE && late_ != WAY_OPEN;
    assigns top[0 .. BDIM-1], held[0 .. KMAX*MAXB-1], v[0 .. 4*MAX_SLOTS-1], early_, late_, fetched_;
    ensures late_ == \old(late_); */
DEV void open_top_early(LANE(float, top), LANEK(float4, held), LANE(slot_bits, bits), LANE_SLOTS(v),
                        int slots2, int lead, int n, int aligned, const float *RESTRICT x)
{
  float low = lowest();
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant slot_open(0,4*j0) && late_ == \at(late_,Pre);
      loop assigns j, j0, top[0 .. BDIM-1], held[0 .. KMAX*MAXB-1], v[0 .. 4*MAX_SLOTS-1], early_,
                   late_, fetched_;
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && slot_open(0,4*(j0+t)) && late_ == \at(late_,Pre);
        loop assigns t, top[0 .. BDIM-1], held[0 .. KMAX*MAXB-1], v[0 .. 4*MAX_SLOTS-1], early_,
                     late_, fetched_;
        loop variant BDIM - t; */
    LANES(t) {
      float4 q = slot_enter4(REG(held, j, j0, t), AT(bits, t), j);
      REG(held, j, j0, t) = q;
      AT(top, t) = open_top4(AT(top, t), q);
      if (j0 + t < slots2)
        slot_fetch(v, j, j0, t, lead, n, aligned, low, x);
    }
  }
}

/* And of its late slots. */
/*@ requires slots_of_row(v,slots) && bits_fit && bits_in(bits) && lanes_in(top);
    requires early_slots_ == KMAX && late_ == WAY_NONE;
    requires \separated(v + (0 .. 4*MAX_SLOTS-1), top + (0 .. BDIM-1));
    assigns top[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1]; */
DEV void open_top_late(LANE(float, top), LANE(slot_bits, bits), LANE_SLOTS(v), int slots)
{
  //@ assert mul(KMAX,BDIM) == KMAX*BDIM;
  /*@ loop invariant KMAX <= j <= KMAX + MAX_SLOTS && j0 == mul(j,BDIM) && j <= j0;
      loop assigns j, j0, top[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1];
      loop variant slots - j0; */
  UNROLL_BY(4)
  for (int j = KMAX, j0 = KMAX * BDIM; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    //@ assert j < BIT_SLOTS;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, top[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1];
        loop variant BDIM - t; */
    LANES(t)
      if (j0 + t < slots) {
        float4 q = slot_enter4(SLOT_TAKE(v, j, j0, t), AT(bits, t), j);
        SLOT_PUT(v, q, j, j0, t);
        AT(top, t) = open_top4(AT(top, t), q);
      }
  }
}

/* What is kept of what a lane holds, and its part of the sum. */
/*@ requires block && held_in(held) && lanes_in(acc);
    assigns acc[0 .. BDIM-1], held[0 .. KMAX*MAXB-1]; */
DEV void open_exp_early(LANE(float, acc), LANEK(float4, held), float m)
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
      float4 e = slot_open_exp4(REG(held, j, j0, t), m);
      AT(acc, t) += (e.x + e.y) + (e.z + e.w);
      REG(held, j, j0, t) = e;
    }
  }
}

/*@ requires slots_of_row(v,slots) && lanes_in(acc);
    requires early_slots_ == KMAX && late_ == WAY_NONE;
    requires \separated(v + (0 .. 4*MAX_SLOTS-1), acc + (0 .. BDIM-1));
    assigns acc[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1]; */
DEV void open_exp_late(LANE(float, acc), LANE_SLOTS(v), int slots, float m)
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
        float4 e = slot_open_exp4(SLOT_TAKE(v, j, j0, t), m);
        AT(acc, t) += (e.x + e.y) + (e.z + e.w);
        SLOT_PUT(v, e, j, j0, t);
      }
  }
}

/* The late slots of a row leave, those of the next one begin to arrive, and its bits are read. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots) && bits_fit;
    requires slot_row(b,lead2,n2,aligned) && bits_in(bits);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires early_slots_ == KMAX && late_ == WAY_NONE && early_ != WAY_OPEN;
    requires \separated(v + (0 .. 4*MAX_SLOTS-1), y + (0 .. n-1), bits + (0 .. BDIM-1));
    assigns bits[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1], y[0 .. n-1], early_, late_, fetched_;
    ensures early_ == \old(early_); */
DEV void open_put_late(LANE_SLOTS(v), LANE(slot_bits, bits), int slots, int lead, int n, int slots2,
                       int lead2, int n2, int aligned, float s, const float *RESTRICT x,
                       const float *RESTRICT b, float *RESTRICT y)
{
  float low = lowest();
  //@ assert mul(KMAX,BDIM) == KMAX*BDIM;
  /*@ loop invariant KMAX <= j <= KMAX + MAX_SLOTS && j0 == mul(j,BDIM) && j <= j0;
      loop invariant slot_open(KMAX,4*j0) && early_ == \at(early_,Pre);
      loop assigns j, j0, bits[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1], y[0 .. n-1], early_, late_,
                   fetched_;
      loop variant slots + slots2 - j0; */
  for (int j = KMAX, j0 = KMAX * BDIM; j0 < slots || j0 < slots2; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    //@ assert j0 < slots_;
    //@ assert j < BIT_SLOTS;
    /*@ loop invariant 0 <= t <= BDIM && slot_open(KMAX,4*(j0+t)) && early_ == \at(early_,Pre);
        loop assigns t, bits[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1], y[0 .. n-1], early_, late_,
                     fetched_;
        loop variant BDIM - t; */
    LANES(t) {
      //@ assert slot_row(b,lead2,n2,aligned) && j0 + t < MAX_SLOTS + MAXB;
      float4 w = slot_load(4 * (j0 + t) - lead2, n2, aligned, 1.0f, b GHOST_ARGS(lead2, j0 + t));
      if (j0 + t < slots)
        slot_store(4 * (j0 + t) - lead, n, aligned, open_put4(SLOT_TAKE(v, j, j0, t), s),
                   y GHOST_ARGS(j0 + t, lead));
      if (j0 + t < slots2)
        slot_fetch(v, j, j0, t, lead2, n2, aligned, low, x);
      AT(bits, t) |= blocked_bits(w, j);
    }
  }
}

/*@ requires block && held_in(held) && 0 <= slots <= MAX_SLOTS && bits_in(bits);
    requires slot_row(b,lead2,n2,aligned) && slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires \separated(y + (0 .. n-1), bits + (0 .. BDIM-1));
    assigns bits[0 .. BDIM-1], y[0 .. n-1]; */
DEV void open_put_early(LANEK(float4, held), LANE(slot_bits, bits), int slots, int lead, int n,
                        int lead2, int n2, int aligned, float s, const float *RESTRICT b,
                        float *RESTRICT y)
{
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, bits[0 .. BDIM-1], y[0 .. n-1];
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, bits[0 .. BDIM-1], y[0 .. n-1];
        loop variant BDIM - t; */
    LANES(t) {
      float4 w = slot_load(4 * (j0 + t) - lead2, n2, aligned, 1.0f, b GHOST_ARGS(lead2, j0 + t));
      if (j0 + t < slots)
        slot_store(4 * (j0 + t) - lead, n, aligned, open_put4(REG(held, j, j0, t), s),
                   y GHOST_ARGS(j0 + t, lead));
      AT(bits, t) |= blocked_bits(w, j);
    }
  }
}

/* The row that is in the slots; the next one begins to arrive there, and its bits in `bits`. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots) && bits_fit;
    requires slot_row(b,lead2,n2,aligned) && bits_in(bits);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires early_slots_ == KMAX && early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    requires \separated(v + (0 .. 4*MAX_SLOTS-1), y + (0 .. n-1), bits + (0 .. BDIM-1));
    requires \valid(sm + (0 .. 31)) && perm(sm,32) && \valid(ss + (0 .. 31)) && perm(ss,32);
    assigns bits[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1], y[0 .. n-1], sm[0 .. 31], ss[0 .. 31],
            early_, late_, fetched_, newest_;
    ensures early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE; */
DEV void open_slots_row(LANE_SLOTS(v), LANE(slot_bits, bits), int slots, int lead, int n,
                        int slots2, int lead2, int n2, int aligned, const float *RESTRICT x,
                        const float *RESTRICT b, float *RESTRICT y, float *sm, float *ss)
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
  open_top_early(top, held, bits, v, slots2, lead2, n2, aligned, x);
  slots_send(EARLY);
  slots_wait_but_newest();
  open_top_late(top, bits, v, slots);
  m = block_max(top, sm);
  open_exp_early(acc, held, m);
  open_exp_late(acc, v, slots, m);
  s = masked_closing(block_sum(acc, ss));
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, bits[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(bits, t) = 0;
  open_put_late(v, bits, slots, lead, n, slots2, lead2, n2, aligned, s, x, b, y);
  slots_send(LATE);
  open_put_early(held, bits, slots, lead, n, lead2, n2, aligned, s, b, y);
}

/* Block i. */
/*@ requires slots_fit(n) && bits_fit && 0 <= i < blocks <= IDX_LIM;
    requires slot_reads(x,rows,n,aligned) && slot_reads(b,rows,n,aligned);
    requires slot_writes(y,rows,n,aligned);
    requires apart(x,ix(rows,n,0),y,ix(rows,n,0)) && apart(b,ix(rows,n,0),y,ix(rows,n,0));
    assigns y[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_, newest_; */
DEV void open_slots_block(idx i, idx blocks, int aligned, idx rows, int n, const float *RESTRICT x,
                          const float *RESTRICT b, float *RESTRICT y)
{
  SLOTS(v, KMAX);
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  PRIVATE(slot_bits, bits);
  //@ assert slot_writes(y,rows,n,aligned);
  slot_place now = slots_place(i, rows, n);
  slots_fetch_first(v, KMAX, now.slots, now.lead, now.n, aligned, lowest(),
                    x + slot_row_at(now GHOST_ARGS(i, rows, n, aligned, x)));
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, bits[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(bits, t) = 0;
  open_bits_first(bits, now.slots, now.lead, now.n, aligned,
                  b + slot_row_at(now GHOST_ARGS(i, rows, n, aligned, b)));
  /*@ loop invariant i <= r <= IDX_LIM + blocks && slot_placed(now,r,rows,n);
      loop invariant early_slots_ == KMAX && early_ == WAY_SENT && late_ == WAY_SENT;
      loop invariant newest_ == LATE;
      loop assigns r, now, bits[0 .. BDIM-1], v[0 .. 4*MAX_SLOTS-1], y[0 .. ix(rows,n,0)-1],
                   sm[0 .. 31], ss[0 .. 31], early_, late_, fetched_, newest_;
      loop variant rows - r; */
  for (idx r = i; r < rows; r += blocks) {
    idx to = slot_out_at(now GHOST_ARGS(r, rows, n, aligned, y));
    slot_place next = slots_place(r + blocks, rows, n);
    idx from = slot_row_at(next GHOST_ARGS(r + blocks, rows, n, aligned, x));
    idx mask = slot_row_at(next GHOST_ARGS(r + blocks, rows, n, aligned, b));
    open_slots_row(v, bits, now.slots, now.lead, n, next.slots, next.lead, next.n, aligned,
                   x + from, b + mask, y + to, sm, ss);
    now = next;
  }
}

/* VEC: all tensors are 16-byte aligned. */
/*@ requires slots_fit(n) && bits_fit && 0 < blocks <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires slot_reads(x,rows,n,VEC) && slot_reads(b,rows,n,VEC) && slot_writes(y,rows,n,VEC);
    requires apart(x,ix(rows,n,0),y,ix(rows,n,0)) && apart(b,ix(rows,n,0),y,ix(rows,n,0));
    assigns y[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_, newest_; */
TEMPLATE(int VEC)
KERNEL void THREADS_AT_MOST(1024)
    masked_slots(CONSTANTS(int VEC) idx blocks, idx rows, int n, const float *RESTRICT x,
                 const float *RESTRICT b, float *RESTRICT y)
{
  /*@ loop invariant 0 <= i <= blocks;
      loop assigns i, y[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_, newest_;
      loop variant blocks - i; */
  BROWS(i, blocks, 1) open_slots_block(i, blocks, VEC, rows, n, x, b, y);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "softmax_masked.h"

extern "C" int LAUNCHER(softmax_masked_slots_fit)(int64_t cols, int block)
{
  return slots_at_most(cols) <= (int64_t)BIT_SLOTS * block;
}

extern "C" void LAUNCHER(softmax_masked_slots)(const pm_exec *ex, int vec, int64_t blocks,
                                               int block, int64_t rows, int64_t cols,
                                               const float *x, const float *mask, float *y)
{
  int w = (int)cols;
  if (vec)
    LAUNCH_SLOTS(masked_slots<1>, blocks, block, cols, ex->stream, blocks, rows, w, x, mask, y);
  else
    LAUNCH_SLOTS(masked_slots<0>, blocks, block, cols, ex->stream, blocks, rows, w, x, mask, y);
}
#endif
