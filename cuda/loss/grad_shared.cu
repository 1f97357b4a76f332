/* Block a row, in shared memory, grid-stride: the gradient of cross entropy, and its loss where
 * it is wanted, where a row waits in the shared memory of a block (lang/row_buffer.h), which does
 * rows b, b + blocks, ..: x and dx are (rows, cols). A thread's early slots wait in registers once
 * the row is there, and the next row's arrive while the exponentials are taken; its late ones
 * arrive while this gradient is written. Each row's loss goes to part[row]. */
#define ONE_WARP 1 /* see collective/block_sum.h */
#include "target.h"
#include "../lse/regs_max.h"
#include "grad_scale.h"
#include "../row/buffer_place.h"
#include "../lse/buffered_softmax.h"

/* The gradient of four elements, of their exponentials; hit: which of them is the target's. */
/*@ assigns \nothing; */
DEV float4 loss_buffer_slopes(float4 e, int hit, float by, float scale)
{
  e.x = gradient_of(e.x, by, hit == 0, scale);
  e.y = gradient_of(e.y, by, hit == 1, scale);
  e.z = gradient_of(e.z, by, hit == 2, scale);
  e.w = gradient_of(e.w, by, hit == 3, scale);
  return e;
}

/* Slot q of a row's gradient, of its exponentials; c = 4q - lead. */
/*@ requires slot_inout(dx,lead,n,aligned) && 0 <= q < BUFFER_VEC4S && c == 4*q - lead;
    requires -1 <= hit < n;
    assigns dx[0 .. n-1]; */
DEV void loss_buffer_store(float4 e, int c, int n, int aligned, int adds, int hit, float by,
                           float scale, float *RESTRICT dx GHOST_PARAMS(int q, int lead))
{
  float4 d = loss_buffer_slopes(e, hit - c, by, scale);
  if (adds)
    d = plus4(buffer_load(c, n, aligned, 0.0f, dx GHOST_ARGS(lead, q)), d);
  buffer_store(c, n, aligned, d, dx GHOST_ARGS(q, lead));
}

/* Of the late slots of a row; those of the next one begin to arrive. No thread has an early one
 * from `early` on. */
/*@ requires slots_arrive(v,slots2,x2,lead2,n2,aligned) && slots_of_row(v,slots);
    requires slot_inout(dx,lead,n,aligned) && -1 <= hit < n && early == mul(KMAX,BDIM);
    requires early_slots_ == KMAX && late_ == WAY_NONE && early_ != WAY_OPEN;
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), dx + (0 .. n-1)) && apart(x2,n2,dx,n);
    assigns v[0 .. 4*BUFFER_VEC4S-1], dx[0 .. n-1], early_, late_, fetched_;
    ensures early_ == \old(early_) && late_ != WAY_SENT;
    ensures same_cells{Pre,Post}(v,0,4*early);
    ensures slot_cells{Pre,Post}(v,x2,lead2,n2,Lowest,4*early,4*slots2); */
DEV void loss_put_late(ROW_BUFFER_PARAM(v), int slots, int lead, int n, int slots2, int lead2,
                       int n2, int aligned, int adds, int hit, float by, float scale,
                       const float *RESTRICT x2, float *RESTRICT dx GHOST_PARAMS(int early))
{
  float low = lowest();
  //@ assert mul(KMAX,BDIM) == KMAX*BDIM && 32 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  /*@ loop invariant KMAX <= j <= KMAX + BUFFER_VEC4S && j0 == mul(j,BDIM) && j <= j0 &&
    early <= j0;
      loop invariant slot_open(KMAX,4*j0) && early_ == \at(early_,Pre);
      loop invariant Same{Pre,Here}(x2,n2);
      loop invariant same_cells{Pre,Here}(v,0,4*early);
      loop invariant slot_cells{Pre,Here}(v,x2,lead2,n2,Lowest,4*early,lesser(4*slots2,4*j0));
      loop assigns j, j0, v[0 .. 4*BUFFER_VEC4S-1], dx[0 .. n-1], early_, late_, fetched_;
      loop variant slots + slots2 - j0; */
  for (int j = KMAX, j0 = KMAX * BDIM; j0 < slots || j0 < slots2; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && slot_open(KMAX,4*(j0+t)) && early_ == \at(early_,Pre);
        loop invariant Same{Pre,Here}(x2,n2);
        loop invariant same_cells{Pre,Here}(v,0,4*early);
        loop invariant slot_cells{Pre,Here}(v,x2,lead2,n2,Lowest,4*early,
                                            lesser(4*slots2,4*(j0+t)));
        loop assigns t, v[0 .. 4*BUFFER_VEC4S-1], dx[0 .. n-1], early_, late_, fetched_;
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      if (j0 + t < slots)
        loss_buffer_store(BUFFER_LOAD(v, j, j0, t), 4 * (j0 + t) - lead, n, aligned, adds, hit, by,
                          scale, dx GHOST_ARGS(j0 + t, lead));
      //@ assert xs: Same{LoopCurrent,Here}(x2,n2);
      //@ assert flat: same_cells{LoopCurrent,Here}(v,0,4*BUFFER_VEC4S);
      /*@ assert came: slot_cells{Pre,Here}(v,x2,lead2,n2,Lowest,4*early,
                                            lesser(4*slots2,4*(j0+t))); */
      /*@ assert now: slot_cells{Here,Here}(v,x2,lead2,n2,Lowest,4*early,
                                            lesser(4*slots2,4*(j0+t))); */
      //@ ghost L1: ;
      buffer_arrives(v, j, j0, t, slots2, lead2, n2, aligned, low, x2 GHOST_ARGS(4 * early));
      //@ assert first: same_cells{L1,Here}(v,0,4*early);
      //@ assert xu: Same{L1,Here}(x2,n2);
    }
  }
}

/* Of the early ones. */
/*@ requires block && held_in(held) && 0 <= slots <= BUFFER_VEC4S;
    requires slot_inout(dx,lead,n,aligned) && -1 <= hit < n;
    assigns dx[0 .. n-1]; */
DEV void loss_put_early(PER_THREADK(float4, held), int slots, int lead, int n, int aligned,
                        int adds, int hit, float by, float scale, float *RESTRICT dx)
{
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop assigns j, j0, dx[0 .. n-1];
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, dx[0 .. n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (j0 + t < slots)
        loss_buffer_store(REG(held, j, j0, t), 4 * (j0 + t) - lead, n, aligned, adds, hit, by,
                          scale, dx GHOST_ARGS(j0 + t, lead));
  }
}

/* The row that is in the slots; the next one, at x2, begins to arrive there. The target is asked
 * for first and looked at behind the maximum: no load waits for another. */
/*@ requires slots_arrive(v,slots2,x2,lead2,n2,aligned) && slots_of_row(v,slots);
    requires slot_row(x,lead,n,aligned) && slot_inout(dx,lead,n,aligned) && \valid_read(target);
    requires slot_held(x,lead,n,slots);
    requires part != \null ==> \valid(part) && W(part);
    requires early_slots_ == KMAX && early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), dx + (0 .. n-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), x + (0 .. n-1));
    requires apart(x2,n2,dx,n);
    requires part != \null ==> \separated(part, v + (0 .. 4*BUFFER_VEC4S-1));
    requires part != \null ==> \separated(part, x2 + (0 .. n2-1));
    requires soft_words(sm,v,x2,n2,x,n) && soft_words(ss,v,x2,n2,x,n);
    requires slot_cells{Pre,Pre}(v,x,lead,n,Lowest,0,4*slots);
    assigns v[0 .. 4*BUFFER_VEC4S-1], *part, dx[0 .. n-1], sm[0 .. 31], ss[0 .. 31], early_, late_,
            fetched_, newest_;
    ensures early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    ensures slot_cells{Pre,Post}(v,x2,lead2,n2,Lowest,0,4*slots2); */
DEV void loss_buffer_row(ROW_BUFFER_PARAM(v), int slots, int lead, int n, int slots2, int lead2,
                         int n2, int aligned, int adds, float scale, const float *RESTRICT x,
                         const idx *RESTRICT target, const float *RESTRICT x2, float *part,
                         float *RESTRICT dx, float *sm, float *ss)
{
  PRIVATE(float, xt);
  PRIVATEK(float4, held);
  float m, s, by;
  int hit, tells = part ? 1 : 0;
  idx c = load_now_index(target);
  //@ assert early: mul(KMAX,BDIM) == KMAX*BDIM && 0 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  buffer_wait_but_newest();
  buffer_hold_all(held, v, KMAX, slots, lowest());
  //@ assert xs: Same{Pre,Here}(x,n);
  //@ assert held: row_held{Pre,Here}(&held[0],x,lead,n,Lowest,0,mul(KMAX,BDIM));
  //@ assert held_now: row_held{Here,Here}(&held[0],x,lead,n,Lowest,0,mul(KMAX,BDIM));
  //@ assert late: slot_cells{Here,Here}(v,x,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
  m = soft_buffer_max(held, v, slots, slots2, lead2, n2, aligned, x2, sm GHOST_ARGS(lead, n, x));
  hit = 0 <= c && c < n ? (int)c : -1;
  //@ assert x2m: Same{Pre,Here}(x2,n2);
  //@ assert xm: Same{Pre,Here}(x,n);
  //@ assert held_m: row_held{Here,Here}(&held[0],x,lead,n,Lowest,0,mul(KMAX,BDIM));
  //@ assert late_m: slot_cells{Here,Here}(v,x,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
  //@ assert next: slot_cells{Pre,Here}(v,x2,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  //@ ghost L0: ;
  /*@ loop invariant 0 <= t <= BDIM;
      loop assigns t, xt[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(xt, t) = loss_at(t, tells, hit, x GHOST_ARGS(n));
  //@ assert xt_x2: Same{L0,Here}(x2,n2);
  //@ assert xt_x: Same{L0,Here}(x,n);
  //@ assert xt_v: same_cells{L0,Here}(v,0,4*BUFFER_VEC4S);
  //@ assert held_x: row_held{Here,Here}(&held[0],x,lead,n,Lowest,0,mul(KMAX,BDIM));
  //@ assert late_x: slot_cells{Here,Here}(v,x,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
  //@ assert max_x: m == RowMax(x,n);
  //@ assert next_x: slot_cells{Pre,Here}(v,x2,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  /*@ assert away: \forall integer k; 0 <= k < n2 ==>
        \separated(x2 + k, v + (0 .. 4*BUFFER_VEC4S-1)) && \separated(x2 + k, ss + (0 .. 31)) &&
        \separated(x2 + k, &held[0] + (0 .. KMAX*MAXB-1)); */
  //@ ghost L1: ;
  s = soft_buffer_sum(held, v, slots, 0, m, ss GHOST_ARGS(lead, n, x));
  //@ assert x2_sum: Same{L1,Here}(x2,n2);
  //@ assert sum: s > 0.0;
  by = 1.0f / s;
  //@ assert x2s: Same{Pre,Here}(x2,n2);
  //@ assert next_s: slot_cells{Pre,Here}(v,x2,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  //@ ghost L2: ;
  if (tells) {
    /*@ loop invariant 0 <= t <= BDIM;
        loop assigns t, *part;
        loop variant BDIM - t; */
    EACH_THREAD(t) loss_leave(t, hit, s, AT(xt, t), m, part);
  }
  //@ assert x2t: Same{L2,Here}(x2,n2);
  //@ assert told: same_cells{L2,Here}(v,0,4*BUFFER_VEC4S);
  //@ assert next_t: slot_cells{Pre,Here}(v,x2,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  //@ ghost L3: ;
  loss_put_late(v, slots, lead, n, slots2, lead2, n2, aligned, adds, hit, by, scale, x2,
                dx GHOST_ARGS(KMAX * BDIM));
  buffer_send(LATE);
  //@ assert first: slot_cells{Pre,Here}(v,x2,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  //@ assert x2_3: Same{Pre,L3}(x2,n2);
  //@ assert rest: slot_cells{L3,Here}(v,x2,lead2,n2,Lowest,4*mul(KMAX,BDIM),4*slots2);
  //@ assert rest_p: slot_cells{Pre,Here}(v,x2,lead2,n2,Lowest,4*mul(KMAX,BDIM),4*slots2);
  //@ assert came: slot_cells{Pre,Here}(v,x2,lead2,n2,Lowest,0,4*slots2);
  //@ ghost L4: ;
  loss_put_early(held, slots, lead, n, aligned, adds, hit, by, scale, dx);
  //@ assert flat: same_cells{L4,Here}(v,0,4*BUFFER_VEC4S);
}

/*@ predicate loss_tensors{L}(float *x, idx *target, float *part, float *dx, integer rows,
                              integer n, integer aligned) =
      slot_reads(x,rows,n,aligned) && slot_reads(dx,rows,n,aligned) &&
      slot_writes(dx,rows,n,aligned) && \valid_read(target + (0 .. rows-1)) &&
      above_lowest(x,ix(rows,n,0)) && apart(x,ix(rows,n,0),dx,ix(rows,n,0)) &&
      (part != \null ==> writes(part,rows) && apart(x,ix(rows,n,0),part,rows)); */

/* Row r, which is in the slots as `now` says; row q begins to arrive there, as `next` says. */
/*@ requires slots_fit(n) && 0 <= r < rows && 0 <= q;
    requires loss_tensors(x,target,part,dx,rows,n,aligned);
    requires slot_placed(now,r,rows,n) && slot_placed(next,q,rows,n);
    requires \valid(v + (0 .. 4*BUFFER_VEC4S-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), x + (0 .. ix(rows,n,0)-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), dx + (0 .. ix(rows,n,0)-1));
    requires part != \null ==> \separated(v + (0 .. 4*BUFFER_VEC4S-1), part + (0 .. rows-1));
    requires soft_words(sm,v,x,ix(rows,n,0),dx,ix(rows,n,0));
    requires soft_words(ss,v,x,ix(rows,n,0),dx,ix(rows,n,0));
    requires early_slots_ == KMAX && early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    requires slot_cells{Pre,Pre}(v,x+now.at,now.lead,n,Lowest,0,4*now.slots);
    assigns v[0 .. 4*BUFFER_VEC4S-1], part[0 .. rows-1], dx[0 .. ix(rows,n,0)-1], sm[0 .. 31],
            ss[0 .. 31], early_, late_, fetched_, newest_;
    ensures early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    ensures Same{Pre,Post}(x,ix(rows,n,0));
    ensures slot_cells{Pre,Post}(v,x+next.at,next.lead,next.n,Lowest,0,4*next.slots); */
DEV void loss_buffer_nth(ROW_BUFFER_PARAM(v), slot_place now, slot_place next, idx r, int n,
                         int aligned, int adds, float scale, const float *RESTRICT x,
                         const idx *RESTRICT target, float *part, float *RESTRICT dx, float *sm,
                         float *ss GHOST_PARAMS(idx q, idx rows))
{
  idx from = buffer_row_at(now GHOST_ARGS(r, rows, n, aligned, x));
  idx from2 = buffer_row_at(next GHOST_ARGS(q, rows, n, aligned, x));
  idx to = buffer_out_at(now GHOST_ARGS(r, rows, n, aligned, dx));
  float *told = part ? part + r : part;
  //@ assert at: to == from && from == now.at && to + n <= ix(rows,n,0) && 0 <= to;
  //@ assert next: from2 == next.at && 0 <= from2 && from2 + next.n <= ix(rows,n,0);
  //@ assert above: above_lowest(x+from,n);
  //@ assert holds: slot_held(x+from,now.lead,n,now.slots);
  //@ assert apart: \separated(x + (0 .. ix(rows,n,0)-1), dx + (0 .. ix(rows,n,0)-1));
  /*@ assert parts: part != \null ==>
        \separated(x + (0 .. ix(rows,n,0)-1), part + (0 .. rows-1)) &&
        \valid(part + (0 .. rows-1)); */
  //@ assert part_x: part != \null ==> \separated(told, x + (0 .. ix(rows,n,0)-1));
  //@ assert part_2: part != \null ==> \separated(told, x + (from2 .. from2 + next.n - 1));
  /*@ assert away: \forall integer k; 0 <= k < ix(rows,n,0) ==> \separated(x + k, told) &&
        \separated(x + k, dx + (to .. to + n - 1)) && \separated(x + k, sm + (0 .. 31)) &&
        \separated(x + k, ss + (0 .. 31)) && \separated(x + k, v + (0 .. 4*BUFFER_VEC4S-1)); */
  loss_buffer_row(v, now.slots, now.lead, n, next.slots, next.lead, next.n, aligned, adds, scale,
                  x + from, target + r, x + from2, told, dx + to, sm, ss);
  //@ assert xs: Same{Pre,Here}(x,ix(rows,n,0));
}

/* Block b. */
/*@ requires slots_fit(n) && 0 <= b < blocks <= IDX_LIM;
    requires loss_tensors(x,target,part,dx,rows,n,aligned);
    assigns part[0 .. rows-1], dx[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_,
            newest_; */
DEV void loss_buffer_block(idx b, idx blocks, int aligned, idx rows, int n, int adds, float scale,
                           const float *RESTRICT x, const idx *RESTRICT target, float *part,
                           float *RESTRICT dx)
{
  ROW_BUFFER(v, KMAX);
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  slot_place now = buffer_place(b, rows, n);
  buffer_fetch_first(v, KMAX, now.slots, now.lead, now.n, aligned, lowest(),
                     x + buffer_row_at(now GHOST_ARGS(b, rows, n, aligned, x)));
  //@ assert begun: Same{Pre,Here}(x,ix(rows,n,0));
  /*@ assert away: \forall integer k; 0 <= k < ix(rows,n,0) ==>
        \separated(x + k, dx + (0 .. ix(rows,n,0)-1)) && \separated(x + k, &sm[0] + (0 .. 31)) &&
        \separated(x + k, &ss[0] + (0 .. 31)) &&
        \separated(x + k, &v[0] + (0 .. 4*BUFFER_VEC4S-1)) &&
        (part != \null ==> \separated(x + k, part + (0 .. rows-1))); */
  //@ assert first: slot_cells{Pre,Here}(&v[0],x+now.at,now.lead,now.n,Lowest,0,4*now.slots);
  /*@ loop invariant b <= r <= IDX_LIM + blocks && slot_placed(now,r,rows,n);
      loop invariant early_slots_ == KMAX && early_ == WAY_SENT && late_ == WAY_SENT;
      loop invariant newest_ == LATE;
      loop invariant Same{Pre,Here}(x,ix(rows,n,0));
      loop invariant slot_cells{Pre,Here}(&v[0],x+now.at,now.lead,now.n,Lowest,0,4*now.slots);
      loop assigns r, now, v[0 .. 4*BUFFER_VEC4S-1], part[0 .. rows-1], dx[0 .. ix(rows,n,0)-1],
                   sm[0 .. 31], ss[0 .. 31], early_, late_, fetched_, newest_;
      loop variant rows - r; */
  for (idx r = b; r < rows; r += blocks) {
    slot_place next = buffer_place(r + blocks, rows, n);
    //@ assert row_now: Same{Pre,Here}(x+now.at,n);
    //@ assert all: above_lowest(x,ix(rows,n,0));
    //@ assert at: 0 <= now.at && now.at + n <= ix(rows,n,0) && now.n == n;
    //@ assert now: slot_cells{Here,Here}(&v[0],x+now.at,now.lead,n,Lowest,0,4*now.slots);
    loss_buffer_nth(v, now, next, r, n, aligned, adds, scale, x, target, part, dx, sm,
                    ss GHOST_ARGS(r + blocks, rows));
    //@ assert next_in: 0 <= next.at && next.at + next.n <= ix(rows,n,0);
    /*@ assert came: slot_cells{LoopCurrent,Here}(&v[0],x+next.at,next.lead,next.n,Lowest,0,
                                                  4*next.slots); */
    //@ assert row_next: Same{LoopCurrent,Pre}(x+next.at,next.n);
    /*@ assert came_pre: slot_cells{Pre,Here}(&v[0],x+next.at,next.lead,next.n,Lowest,0,
                                              4*next.slots); */
    now = next;
  }
}

/* Block b's rows have no loss and no gradient. */
/*@ requires block && 0 <= b < blocks <= IDX_LIM && 0 <= rows <= IDX_LIM;
    requires part != \null ==> writes(part,rows);
    assigns part[0 .. rows-1]; */
DEV void loss_buffer_refuse(idx b, idx blocks, idx rows, float *part)
{
  if (part)
    /*@ loop invariant b <= r <= IDX_LIM + blocks;
        loop assigns r, part[0 .. rows-1];
        loop variant rows - r; */
    for (idx r = b; r < rows; r += blocks) block_put(REFUSED, part + r);
}

/* Where a target is out of range, of any row, no row has a loss or a gradient. bad: what
 * cross_entropy_targets has left. VEC: x and dx are 16-byte aligned. */
/*@ requires slots_fit(n) && 0 < blocks <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires loss_tensors(x,target,part,dx,rows,n,VEC) && flags_in(bad,flags);
    requires g != \null ==> \valid_read(g) && R(g) && \separated(g, dx + (0 .. ix(rows,n,0)-1));
    requires apart(x,ix(rows,n,0),dx,ix(rows,n,0)) && apart(bad,flags,dx,ix(rows,n,0));
    requires \separated(target + (0 .. rows-1), dx + (0 .. ix(rows,n,0)-1));
    requires part != \null ==> apart(x,ix(rows,n,0),part,rows) && apart(bad,flags,part,rows) &&
      apart(dx,ix(rows,n,0),part,rows) && \separated(target + (0 .. rows-1), part + (0 .. rows-1));
    requires part != \null && g != \null ==> \separated(g, part + (0 .. rows-1));
    assigns part[0 .. rows-1], dx[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_,
            newest_; */
TEMPLATE(int VEC)
KERNEL void THREADS_AT_MOST(MAXB)
    cross_entropy_grad_shared(CONSTANTS(int VEC) idx blocks, idx rows, int n, int flags, int adds,
                              float each, const float *RESTRICT x, const idx *RESTRICT target,
                              const float *bad, const float *RESTRICT g, float *RESTRICT part,
                              float *RESTRICT dx)
{
  /*@ loop invariant 0 <= b <= blocks;
      loop assigns b, part[0 .. rows-1], dx[0 .. ix(rows,n,0)-1], early_slots_, early_, late_,
                   fetched_, newest_;
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    //@ assert xs: Same{Pre,Here}(x,ix(rows,n,0));
    //@ assert all: above_lowest(x,ix(rows,n,0));
    if (targets_refused(flags, bad))
      loss_buffer_refuse(b, blocks, rows, part);
    else
      loss_buffer_block(b, blocks, VEC, rows, n, adds, loss_scale(each, g), x, target, part, dx);
  }
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launcher */
#include "launch.h"

#define LOSS_VEC4S(VEC)                                                                            \
  LAUNCH_ROW_BUFFER(cross_entropy_grad_shared<VEC>, blocks, block, cols, stream, blocks, rows, w,  \
                    call->flags.n, call->accumulate, call->each, x, call->target, call->flags.bad, \
                    call->g, call->part, call->dx)

extern "C" void LAUNCHER(cross_entropy_grad_shared)(void *stream, int vec, int64_t blocks,
                                                    int block, int64_t rows, int64_t cols,
                                                    const float *x, const loss_call *call)
{
  int w = (int)cols;
  if (vec)
    LOSS_VEC4S(1);
  else
    LOSS_VEC4S(0);
}
#endif
