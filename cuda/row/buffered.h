/* A row in the shared-memory row buffer: of a (rows, cols) matrix, in the slots of a block
 * (lang/row_buffer.h). It lies there from cell `lead` on, lead = its offset in the tensor mod 32,
 * so that slots are aligned on both sides where the tensors are, and a warp's slots fill whole
 * lines of memory. Cells of a slot outside the row hold what changes nothing. `aligned`: the
 * tensors are, to 16 bytes. */
#ifndef PM_ROW_BUFFERED_H
#define PM_ROW_BUFFERED_H
#include "../math/lesser.h"
#include "../lang/row_buffer.h"

/*@ // a block whose slots hold any row of n
    predicate slots_fit{L}(integer n) =
      block && 0 < n <= BUFFER_COLS && n + 31 <= 4*slots_ && slots_ <= BUFFER_VEC4S;
    // a row of n at x, and one that is written
    predicate slot_row{L}(float *x, integer lead, integer n, integer aligned) =
      0 <= n <= BUFFER_COLS && 0 <= lead < 32 && \valid_read(x + (0 .. n-1)) && perm_r(x,n) &&
      (aligned != 0 ==> aligned16(x - lead));
    predicate slot_out{L}(float *y, integer lead, integer n, integer aligned) =
      0 <= n <= BUFFER_COLS && 0 <= lead < 32 && \valid(y + (0 .. n-1)) &&
      (aligned != 0 ==> aligned16(y - lead));
    // the slots, of which the row has `slots`
    predicate slots_of_row{L}(float *v, integer slots) =
      block && \valid(v + (0 .. 4*BUFFER_VEC4S-1)) && 0 <= slots <= slots_ &&
        slots_ <= BUFFER_VEC4S;
    // element k of a row of n, u where it has none
    logic real SlotCell{L}(float *x, integer k, integer n, real u) = 0 <= k < n ? x[k] : u;
    predicate slot_vec{L}(float4 d, float *x, integer k, integer n, real u) =
      d.x == SlotCell(x,k,n,u) && d.y == SlotCell(x,k+1,n,u) && d.z == SlotCell(x,k+2,n,u) &&
      d.w == SlotCell(x,k+3,n,u);
    // cells from .. to-1, of a row of `lead` cells before it, and those that are as they were
    predicate slot_cells{L0,L}(float *v, float *x, integer lead, integer n, real u, integer from,
                               integer to) =
      \forall integer c; from <= c < to ==> \at(v[c],L) == SlotCell{L0}(x,c-lead,n,u);
    predicate same_cells{L1,L2}(float *v, integer from, integer to) =
      \forall integer c; from <= c < to ==> \at(v[c],L1) == \at(v[c],L2);
    // a thread's words, the slots and what threads hold of row x1, while row x arrives
    predicate lanes_apart{L}(float *a, float *v, float4 *held, float *x1, integer n1, float *x,
                             integer n) =
      \separated(a + (0 .. BDIM-1), x1 + (0 .. n1-1)) &&
      \separated(a + (0 .. BDIM-1), x + (0 .. n-1)) &&
      \separated(a + (0 .. BDIM-1), v + (0 .. 4*BUFFER_VEC4S-1)) &&
      \separated(a + (0 .. BDIM-1), held + (0 .. KMAX*MAXB-1)) &&
      \separated(v + (0 .. 4*BUFFER_VEC4S-1), x1 + (0 .. n1-1)) &&
      \separated(v + (0 .. 4*BUFFER_VEC4S-1), held + (0 .. KMAX*MAXB-1));
    logic integer larger_of(integer a, integer b) = a < b ? b : a;
    lemma aligned_sum: \forall float *p, *x; \base_addr(p) == \base_addr(x) ==>
      aligned16(p) ==> x == p + (x - p) ==> (x - p) % 4 == 0 ==> aligned16(x);
    lemma aligned_apart: \forall float *p, *x; \base_addr(p) == \base_addr(x) ==>
      aligned16(p) ==> (x - p) % 4 == 0 ==> aligned16(x);
    lemma slot_aligned: \forall float *x, integer lead, q; aligned16(x - lead) ==>
      aligned16(x + (4*q - lead));
    // what a thread writes of a row: its slots q; threads of a block, and blocks, share none
    predicate slot_W(integer q, integer lead, integer n, integer k) =
      0 <= k < n && 4*q - lead <= k < 4*q - lead + 4;
    lemma race_slot: \forall integer r, s, q, p, n, k, l, m; 0 < n ==>
      (r != s || (q != p && l == m)) ==> slot_W(q,l,n,k-ix(r,n,0)) ==>
      !slot_W(p,m,n,k-ix(s,n,0)); */

/*@ requires 0 <= at; assigns \nothing; ensures \result == at % 32 && 0 <= \result < 32; */
DEV int lead_of(idx at) { return (int)(at % 32); }

/* Of a row of n. */
/*@ requires 0 <= lead < 32 && 0 < n <= BUFFER_COLS;
    assigns \nothing;
    ensures 0 < \result <= BUFFER_VEC4S && lead + n <= 4*\result < lead + n + 4;
    ensures slots_fit(n) ==> \result <= slots_; */
DEV int buffer_vec4s(int lead, int n) { return (lead + n + 3) / 4; }

/* Are all four elements of a slot, from number c on, in the row? */
/*@ requires -32 < c <= 8*BUFFER_VEC4S && 0 <= n <= BUFFER_COLS;
    assigns \nothing;
    ensures \result != 0 <==> 0 <= c && c + 4 <= n; */
DEV int whole(int c, int n) { return c >= 0 && c + 4 <= n; }

/* Is element c? */
/*@ assigns \nothing; ensures \result != 0 <==> 0 <= c < n; */
DEV int inside(int c, int n) { return c >= 0 && c < n; }

/* Cell i of a slot, which is element c of the row, or else `outside`. */
/*@ requires slot_at(j,j0,t) && 0 <= i < 4 && \valid(v + (0 .. 4*BUFFER_VEC4S-1));
    requires \valid_read(x + (0 .. n-1)) && perm_r(x,n) && slot_open(j,4*(j0+t)+i);
    assigns v[4*(j0+t)+i], early_, late_, fetched_;
    ensures slot_began{Pre,Post}(j,4*(j0+t)+i+1);
    ensures v[4*(j0+t)+i] == SlotCell{Pre}(x,c,n,outside); */
DEV void buffer_fetch1(ROW_BUFFER_PARAM(v), int i, int c, int j, int j0, int t, int n,
                       float outside, const float *RESTRICT x)
{
  if (inside(c, n))
    BUFFER_FETCH1(v, i, x + c, j, j0, t);
  else
    BUFFER_SET1(v, i, outside, j, j0, t);
}

/*@ requires slot_at(j,j0,t) && \valid(v + (0 .. 4*BUFFER_VEC4S-1));
    requires \valid_read(x + (0 .. n-1)) && perm_r(x,n) && slot_open(j,4*(j0+t));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), x + (0 .. n-1));
    requires -32 < c <= 8*BUFFER_VEC4S;
    assigns v[4*(j0+t) .. 4*(j0+t)+3], early_, late_, fetched_;
    ensures slot_began{Pre,Post}(j,4*(j0+t)+4);
    ensures v[4*(j0+t)] == SlotCell{Pre}(x,c,n,outside);
    ensures v[4*(j0+t)+1] == SlotCell{Pre}(x,c+1,n,outside);
    ensures v[4*(j0+t)+2] == SlotCell{Pre}(x,c+2,n,outside);
    ensures v[4*(j0+t)+3] == SlotCell{Pre}(x,c+3,n,outside); */
DEV void buffer_fetch_each(ROW_BUFFER_PARAM(v), int c, int j, int j0, int t, int n, float outside,
                           const float *RESTRICT x)
{
  buffer_fetch1(v, 0, c, j, j0, t, n, outside, x);
  //@ assert Same{Pre,Here}(x,n);
  buffer_fetch1(v, 1, c + 1, j, j0, t, n, outside, x);
  //@ assert Same{Pre,Here}(x,n);
  buffer_fetch1(v, 2, c + 2, j, j0, t, n, outside, x);
  //@ assert Same{Pre,Here}(x,n);
  buffer_fetch1(v, 3, c + 3, j, j0, t, n, outside, x);
}

/* Slot j of thread t. */
/*@ requires slot_at(j,j0,t) && \valid(v + (0 .. 4*BUFFER_VEC4S-1)) && slot_row(x,lead,n,aligned);
    requires slot_open(j,4*(j0+t));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), x + (0 .. n-1));
    assigns v[4*(j0+t) .. 4*(j0+t)+3], early_, late_, fetched_;
    ensures slot_began{Pre,Post}(j,4*(j0+t)+4);
    ensures v[4*(j0+t)] == SlotCell{Pre}(x,4*(j0+t)-lead,n,outside);
    ensures v[4*(j0+t)+1] == SlotCell{Pre}(x,4*(j0+t)-lead+1,n,outside);
    ensures v[4*(j0+t)+2] == SlotCell{Pre}(x,4*(j0+t)-lead+2,n,outside);
    ensures v[4*(j0+t)+3] == SlotCell{Pre}(x,4*(j0+t)-lead+3,n,outside); */
DEV void buffer_fetch(ROW_BUFFER_PARAM(v), int j, int j0, int t, int lead, int n, int aligned,
                      float outside, const float *RESTRICT x)
{
  int c = 4 * (j0 + t) - lead;
  //@ assert aligned != 0 ==> aligned16(x + c);
  if (aligned && whole(c, n))
    BUFFER_FETCH4(v, x + c, j, j0, t);
  else
    buffer_fetch_each(v, c, j, j0, t, n, outside, x);
}

/*@ requires \valid_read(x + (0 .. n-1)) && perm_r(x,n);
    assigns \nothing;
    ensures \result == SlotCell(x,c,n,outside); */
DEV float buffer_load1(int c, int n, float outside, const float *RESTRICT x)
{
  return inside(c, n) ? LDG(x + c) : outside;
}

/* Elements c .. c+3 of a row in memory; `outside` for those that it has not. */
/*@ requires slot_row(x,lead,n,aligned) && 0 <= q < BUFFER_VEC4S + MAXB && c == 4*q - lead;
    assigns \nothing;
    ensures slot_vec(\result,x,c,n,outside); */
DEV float4 buffer_load(int c, int n, int aligned, float outside,
                       const float *RESTRICT x GHOST_PARAMS(int lead, int q))
{
  float4 v;
  //@ assert aligned != 0 ==> aligned16(x + c);
  if (aligned && whole(c, n))
    v = LD4(x + c);
  else {
    v.x = buffer_load1(c, n, outside, x);
    v.y = buffer_load1(c + 1, n, outside, x);
    v.z = buffer_load1(c + 2, n, outside, x);
    v.w = buffer_load1(c + 3, n, outside, x);
  }
  return v;
}

/*@ requires slot_out(y,lead,n,aligned) && 0 <= q < BUFFER_VEC4S && c == 4*q - lead + i;
    requires 0 <= i < 4 && \forall integer k; slot_W(q,lead,n,k) ==> W(y+k);
    assigns y[larger_of(0,4*q-lead) .. lesser(4*q-lead+4,n)-1];
    ensures 0 <= c < n ==> y[c] == v;
    ensures \forall integer k; k != c ==> y[k] == \old(y[k]); */
DEV void buffer_store1(int c, int n, float v,
                       float *RESTRICT y GHOST_PARAMS(int q, int i, int lead, int aligned))
{
  if (inside(c, n))
    STG(y + c, v);
}

/* Elements c .. c+3 of a row in memory, as far as it has them. */
/*@ requires slot_out(y,lead,n,aligned) && 0 <= q < BUFFER_VEC4S && c == 4*q - lead;
    requires \forall integer k; slot_W(q,lead,n,k) ==> W(y+k);
    assigns y[larger_of(0,c) .. lesser(c+4,n)-1];
    ensures 0 <= c < n ==> y[c] == v.x;
    ensures 0 <= c+1 < n ==> y[c+1] == v.y;
    ensures 0 <= c+2 < n ==> y[c+2] == v.z;
    ensures 0 <= c+3 < n ==> y[c+3] == v.w; */
DEV void buffer_store(int c, int n, int aligned, float4 v,
                      float *RESTRICT y GHOST_PARAMS(int q, int lead))
{
  //@ assert aligned != 0 ==> aligned16(y + c);
  if (aligned && whole(c, n))
    store4_streaming(y + c, v);
  else {
    buffer_store1(c, n, v.x, y GHOST_ARGS(q, 0, lead, aligned));
    buffer_store1(c + 1, n, v.y, y GHOST_ARGS(q, 1, lead, aligned));
    buffer_store1(c + 2, n, v.z, y GHOST_ARGS(q, 2, lead, aligned));
    buffer_store1(c + 3, n, v.w, y GHOST_ARGS(q, 3, lead, aligned));
  }
}

/*@ // a row that begins to arrive: it has slots, and the slots are there for it
    predicate slots_arrive{L}(float *v, integer slots, float *x, integer lead, integer n,
                              integer aligned) =
      slots_of_row(v,slots) && slot_row(x,lead,n,aligned) &&
      \separated(v + (0 .. 4*BUFFER_VEC4S-1), x + (0 .. n-1));
    lemma mul_few: \forall integer j, b; 0 <= j ==> 32 <= b ==> j <= mul(j,b);
    lemma mul_held: \forall integer j, b; 0 <= j <= KMAX ==> 0 <= b <= MAXB ==>
      0 <= mul(j,b) <= KMAX*MAXB; */

/* Slots from .. to-1 of each thread, of one batch, of a row that has so many slots. */
/*@ requires slots_arrive(v,slots,x,lead,n,aligned) && 0 <= from <= KMAX &&
  from <= to <= BUFFER_VEC4S;
    requires slot_open(from,0) && (to <= early_slots_ || early_slots_ <= from);
    assigns v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
    ensures from < early_slots_ ? late_ == \old(late_) && early_ != WAY_SENT
                                : early_ == \old(early_) && late_ != WAY_SENT;
    ensures slot_cells{Pre,Post}(v, x, lead, n, outside, 4*mul(from,BDIM),
                                 lesser(4*slots,4*mul(to,BDIM)));
    ensures same_cells{Pre,Post}(v, 0, 4*mul(from,BDIM)); */
DEV void buffer_fetch_range(ROW_BUFFER_PARAM(v), int from, int to, int slots, int lead, int n,
                            int aligned, float outside, const float *RESTRICT x)
{
  //@ assert from * BDIM == mul(from,BDIM) && 0 <= mul(from,BDIM) <= KMAX*MAXB;
  /*@ loop invariant from <= j && j0 == mul(j,BDIM) && 0 <= j0 && j <= BUFFER_VEC4S + KMAX;
      loop invariant slot_open(from,4*j0) && j <= to && mul(from,BDIM) <= j0;
      loop invariant from < early_slots_ ? late_ == \at(late_,Pre) : early_ == \at(early_,Pre);
      loop invariant slot_cells{Pre,Here}(v, x, lead, n, outside, 4*mul(from,BDIM),
                                          lesser(4*slots,4*j0));
      loop invariant same_cells{Pre,Here}(v, 0, 4*mul(from,BDIM));
      loop assigns j, j0, v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
      loop variant slots - j0; */
  for (int j = from, j0 = from * BDIM; j < to && j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && slot_open(from,4*(j0+t));
        loop invariant from < early_slots_ ? late_ == \at(late_,Pre) : early_ == \at(early_,Pre);
        loop invariant slot_cells{Pre,Here}(v, x, lead, n, outside, 4*mul(from,BDIM),
                                            lesser(4*slots,4*(j0+t)));
        loop invariant same_cells{Pre,Here}(v, 0, 4*mul(from,BDIM));
        loop assigns t, v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (j0 + t < slots) {
        //@ assert in: Same{Pre,Here}(x,n);
        buffer_fetch(v, j, j0, t, lead, n, aligned, outside, x);
        //@ assert below: same_cells{LoopCurrent,Here}(v, 0, 4*(j0+t));
        /*@ assert old: slot_cells{Pre,Here}(v, x, lead, n, outside, 4*mul(from,BDIM),
                                             4*(j0+t)); */
        //@ assert c0: v[4*(j0+t)] == SlotCell{Pre}(x,4*(j0+t)-lead,n,outside);
        //@ assert c1: v[4*(j0+t)+1] == SlotCell{Pre}(x,4*(j0+t)+1-lead,n,outside);
        //@ assert c2: v[4*(j0+t)+2] == SlotCell{Pre}(x,4*(j0+t)+2-lead,n,outside);
        //@ assert c3: v[4*(j0+t)+3] == SlotCell{Pre}(x,4*(j0+t)+3-lead,n,outside);
      }
  }
}

/* Both batches of a block's first row, `early` slots of each thread in the first one. */
/*@ requires slots_arrive(v,slots,x,lead,n,aligned) && 0 < early <= KMAX;
    requires early_slots_ == early && early_ == WAY_NONE && late_ == WAY_NONE;
    assigns v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_, newest_;
    ensures early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    ensures slot_cells{Pre,Post}(v, x, lead, n, outside, 0, 4*slots); */
DEV void buffer_fetch_first(ROW_BUFFER_PARAM(v), int early, int slots, int lead, int n, int aligned,
                            float outside, const float *RESTRICT x)
{
  buffer_fetch_range(v, 0, early, slots, lead, n, aligned, outside, x);
  buffer_send(EARLY);
  //@ ghost L0: ;
  /*@ assert first: slot_cells{Pre,L0}(v, x, lead, n, outside, 0,
        lesser(4*slots,4*mul(early,BDIM))); */
  //@ assert in: Same{Pre,L0}(x,n);
  buffer_fetch_range(v, early, BUFFER_VEC4S, slots, lead, n, aligned, outside, x);
  buffer_send(LATE);
  //@ assert all: slots <= mul(BUFFER_VEC4S,BDIM);
  //@ assert kept: same_cells{L0,Here}(v, 0, 4*mul(early,BDIM));
  /*@ assert rest: slot_cells{Pre,Here}(v, x, lead, n, outside, 4*mul(early,BDIM), 4*slots); */
  /*@ assert early: slot_cells{Pre,Here}(v, x, lead, n, outside, 0,
                                         lesser(4*slots,4*mul(early,BDIM))); */
}

/*@ // slot q as it is held, and all of them
    predicate held_slot{L0}(float4 d, float *v, integer q, integer slots, real u) =
      d.x == (q < slots ? v[4*q] : u) && d.y == (q < slots ? v[4*q+1] : u) &&
      d.z == (q < slots ? v[4*q+2] : u) && d.w == (q < slots ? v[4*q+3] : u);
    predicate held_slots{L0,L}(float4 *held, float *v, integer slots, real u, integer to) =
      \forall integer q; 0 <= q < to ==> held_slot{L0}(\at(held[q],L), v, q, slots, u);
    // slots from .. to-1 of a row, as they are held
    predicate row_held{L0,L}(float4 *held, float *x, integer lead, integer n, real u, integer from,
                             integer to) =
      \forall integer q; from <= q < to ==> slot_vec{L0}(\at(held[q],L), x, 4*q-lead, n, u);
    lemma held_row{L0,L1,L}: \forall float4 *held, float *v, *x, integer lead, n, slots, to, real u;
      lead + n <= 4*slots ==> slot_cells{L0,L1}(v,x,lead,n,u,0,4*slots) ==>
      held_slots{L1,L}(held,v,slots,u,to) ==> row_held{L0,L}(held,x,lead,n,u,0,to); */
/* A thread's first slots, out of them. */
/*@ requires slots_of_row(v,slots) && 0 <= early <= KMAX && early_slots_ == early;
    requires early_ == WAY_NONE && \valid(held + (0 .. KMAX*MAXB-1));
    requires \separated(held + (0 .. KMAX*MAXB-1), v + (0 .. 4*BUFFER_VEC4S-1));
    assigns held[0 .. KMAX*MAXB-1];
    ensures held_slots{Pre,Post}(held, v, slots, outside, mul(early,BDIM)); */
DEV void buffer_hold_all(PER_THREADK(float4, held), ROW_BUFFER_PARAM(v), int early, int slots,
                         float outside)
{
  /*@ loop invariant 0 <= j <= early && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant held_slots{Pre,Here}(held, v, slots, outside, j0);
      loop assigns j, j0, held[0 .. KMAX*MAXB-1];
      loop variant early - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < early; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant held_slots{Pre,Here}(held, v, slots, outside, j0 + t);
        loop assigns t, held[0 .. KMAX*MAXB-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      float4 u = {outside, outside, outside, outside};
      if (j0 + t < slots)
        u = BUFFER_LOAD(v, j, j0, t);
      //@ assert this: held_slot{Pre}(u, v, j0 + t, slots, outside);
      REG(held, j, j0, t) = u;
      //@ assert here: held_slot{Pre}(held[j0+t], v, j0 + t, slots, outside);
      //@ assert old: held_slots{Pre,Here}(held, v, slots, outside, j0 + t);
    }
  }
}

/* Slot j of thread t of a row that has so many slots begins to arrive; those from cell `from` on
 * that come before it have begun to. */
/*@ requires slots_arrive(v,slots,x,lead,n,aligned) && slot_open(j,4*(j0+t)) && 0 <= j;
    requires 0 <= t < BDIM && j0 == mul(j,BDIM) && 0 <= j0 <= 2*BUFFER_VEC4S &&
      0 <= from <= 4*(j0+t);
    requires slot_cells{Pre,Pre}(v,x,lead,n,outside,from,lesser(4*slots,4*(j0+t)));
    assigns v[0 .. 4*BUFFER_VEC4S-1], early_, late_, fetched_;
    ensures slot_open(j,4*(j0+t)+4);
    ensures j < early_slots_ ? late_ == \old(late_) : early_ == \old(early_);
    ensures slot_cells{Pre,Post}(v,x,lead,n,outside,from,lesser(4*slots,4*(j0+t)+4));
    ensures same_cells{Pre,Post}(v,0,4*(j0+t));
    ensures same_cells{Pre,Post}(v,4*(j0+t)+4,4*BUFFER_VEC4S); */
DEV void buffer_arrives(ROW_BUFFER_PARAM(v), int j, int j0, int t, int slots, int lead, int n,
                        int aligned, float outside, const float *RESTRICT x GHOST_PARAMS(int from))
{
  if (j0 + t < slots) {
    buffer_fetch(v, j, j0, t, lead, n, aligned, outside, x);
    //@ assert below: same_cells{Pre,Here}(v, 0, 4*(j0+t));
    //@ assert old: slot_cells{Pre,Here}(v, x, lead, n, outside, from, 4*(j0+t));
    //@ assert c0: v[4*(j0+t)] == SlotCell{Pre}(x,4*(j0+t)-lead,n,outside);
    //@ assert c1: v[4*(j0+t)+1] == SlotCell{Pre}(x,4*(j0+t)+1-lead,n,outside);
    //@ assert c2: v[4*(j0+t)+2] == SlotCell{Pre}(x,4*(j0+t)+2-lead,n,outside);
    //@ assert c3: v[4*(j0+t)+3] == SlotCell{Pre}(x,4*(j0+t)+3-lead,n,outside);
    //@ assert four: slot_cells{Pre,Here}(v, x, lead, n, outside, 4*(j0+t), 4*(j0+t)+4);
    //@ assert new: slot_cells{Pre,Here}(v, x, lead, n, outside, from, 4*(j0+t)+4);
  }
}
#endif
