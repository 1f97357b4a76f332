/* Block a row, in shared memory, grid-stride: softmax and log_softmax where a row waits in the
 * shared memory of a block (lang/row_buffer.h), which does rows b, b + blocks, ..: x and y are
 * (rows, cols). A thread's early slots wait in registers once the row is there, and the next row's
 * arrive while the exponentials are taken; its late ones arrive while this row is written.
 * softmax.cu says when. */
#define ONE_WARP 1 /* see collective/block_sum.h */
#include "../row/grid_stride.h"
#include "../row/buffer_place.h"
#include "../lse/buffered_softmax.h"
#include "row.h"
#include "contract.h"

/*@ // element k of y, of a row of n; those of a slot, and those from .. to-1
    predicate soft_one_done{L0,L}(float *y, integer logs, float *x, real m, real s, integer k,
                                  integer n) =
      0 <= k < n ==> \at(y[k],L) == Put(logs,Kept(logs,\at(x[k],L0),m),s);
    predicate soft_slot_done{L0,L}(float *y, integer logs, float *x, real m, real s, integer k,
                                   integer n) =
      soft_one_done{L0,L}(y,logs,x,m,s,k,n) && soft_one_done{L0,L}(y,logs,x,m,s,k+1,n) &&
      soft_one_done{L0,L}(y,logs,x,m,s,k+2,n) && soft_one_done{L0,L}(y,logs,x,m,s,k+3,n);
    predicate soft_part{L0,L}(float *y, integer logs, float *x, real m, real s, integer from,
                              integer to) =
      \forall integer c; from <= c < to ==> \at(y[c],L) == Put(logs,Kept(logs,\at(x[c],L0),m),s);
    lemma kept_as{L}: \forall float *x, integer logs, real m, integer k, n; above_lowest(x,n) ==>
      0 <= k < n ==> SlotKeeps(logs,SlotCell(x,k,n,Lowest),m) == Kept(logs,x[k],m);
    lemma soft_one_frame{L1,L2,L}: \forall float *y, integer logs, float *x, real m, s,
      integer k, n; Same{L1,L2}(x,n) ==> soft_one_done{L1,L}(y,logs,x,m,s,k,n) ==>
      soft_one_done{L2,L}(y,logs,x,m,s,k,n);
    lemma soft_slot_frame{L1,L2,L}: \forall float *y, integer logs, float *x, real m, s,
      integer k, n; Same{L1,L2}(x,n) ==> soft_slot_done{L1,L}(y,logs,x,m,s,k,n) ==>
      soft_slot_done{L2,L}(y,logs,x,m,s,k,n);
    lemma soft_part_frame{L1,L2,L}: \forall float *y, integer logs, float *x, real m, s,
      integer from, to, n; 0 <= from ==> to <= n ==> Same{L1,L2}(x,n) ==>
      soft_part{L1,L}(y,logs,x,m,s,from,to) ==> soft_part{L2,L}(y,logs,x,m,s,from,to);
    lemma soft_part_one{L0,L}: \forall float *y, integer logs, float *x, real m, s,
      integer from, k, n; soft_part{L0,L}(y,logs,x,m,s,from,lesser(k,n)) ==>
      0 <= from ==> soft_one_done{L0,L}(y,logs,x,m,s,k,n) ==>
      soft_part{L0,L}(y,logs,x,m,s,from,lesser(k+1,n));
    lemma soft_part_grow{L0,L}: \forall float *y, integer logs, float *x, real m, s,
      integer from, k, n; soft_part{L0,L}(y,logs,x,m,s,from,lesser(k,n)) ==>
      0 <= from ==> soft_slot_done{L0,L}(y,logs,x,m,s,k,n) ==>
      soft_part{L0,L}(y,logs,x,m,s,from,lesser(k+4,n)); */

/* Slot q of a row goes to y; d is what is kept of it. */
/*@ requires slot_out(y,lead,n,aligned) && perm_w(y,n) && 0 <= q < BUFFER_VEC4S && 0 < n;
    requires slot_kept(d,logs,x,m,4*q-lead,n) && \valid_read(x + (0 .. n-1)) && above_lowest(x,n);
    assigns y[0 .. n-1];
    ensures soft_slot_done{Pre,Post}(y,logs,x,m,s,4*q-lead,n);
    ensures same_cells{Pre,Post}(y,0,4*q-lead);
    ensures same_cells{Pre,Post}(y,4*q-lead+4,n); */
DEV void soft_buffer_out(int q, int lead, int n, int aligned, int logs, float4 d, float s,
                         float *RESTRICT y GHOST_PARAMS(float m, const float *x))
{
  int c = 4 * q - lead;
  //@ assert x: 0 <= c < n ==> d.x == Kept(logs,x[c],m);
  //@ assert y: 0 <= c+1 < n ==> d.y == Kept(logs,x[c+1],m);
  //@ assert z: 0 <= c+2 < n ==> d.z == Kept(logs,x[c+2],m);
  //@ assert w: 0 <= c+3 < n ==> d.w == Kept(logs,x[c+3],m);
  buffer_store(c, n, aligned, soft_put(logs, d, s), y GHOST_ARGS(q, lead));
}

/* The late slots of a row leave, and those of the next one begin to arrive. A thread has no
 * early ones from `early` on. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n) && slot_held(x1,lead,n,slots);
    requires early_slots_ == KMAX && late_ == WAY_NONE && early_ != WAY_OPEN;
    requires early == mul(KMAX,BDIM);
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), y + (0 .. n-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), x1 + (0 .. n-1));
    requires apart(x1,n,y,n) && apart(x,n2,y,n);
    requires kept_cells{Pre,Pre}(v,logs,x1,m,lead,n,4*early,4*slots);
    assigns v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], early_, late_, fetched_;
    ensures early_ == \old(early_) && late_ != WAY_SENT;
    ensures slot_cells{Pre,Post}(v,x,lead2,n2,Lowest,4*early,4*slots2);
    ensures same_cells{Pre,Post}(v,0,4*early);
    ensures soft_part{Pre,Post}(y,logs,x1,m,s,4*early-lead,n); */
DEV void soft_put_late(ROW_BUFFER_PARAM(v), int slots, int lead, int n, int slots2, int lead2,
                       int n2, int aligned, int logs, float s, const float *RESTRICT x,
                       float *RESTRICT y GHOST_PARAMS(int early, float m, const float *x1))
{
  float low = lowest();
  //@ assert mul(KMAX,BDIM) == KMAX*BDIM && 32 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  /*@ loop invariant KMAX <= j <= KMAX + BUFFER_VEC4S && j0 == mul(j,BDIM) && j <= j0 &&
    early <= j0;
      loop invariant slot_open(KMAX,4*j0) && early_ == \at(early_,Pre);
      loop invariant Same{Pre,Here}(x1,n);
      loop invariant Same{Pre,Here}(x,n2);
      loop invariant same_cells{Pre,Here}(v,0,4*early);
      loop invariant same_cells{Pre,Here}(v,4*j0,4*BUFFER_VEC4S);
      loop invariant slot_cells{Pre,Here}(v,x,lead2,n2,Lowest,4*early,lesser(4*slots2,4*j0));
      loop invariant soft_part{Pre,Here}(y,logs,x1,m,s,4*early-lead,lesser(4*j0-lead,n));
      loop assigns j, j0, v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], early_, late_, fetched_;
      loop variant slots + slots2 - j0; */
  for (int j = KMAX, j0 = KMAX * BDIM; j0 < slots || j0 < slots2; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    /*@ loop invariant 0 <= t <= BDIM && slot_open(KMAX,4*(j0+t)) && early_ == \at(early_,Pre);
        loop invariant Same{Pre,Here}(x1,n);
        loop invariant Same{Pre,Here}(x,n2);
        loop invariant same_cells{Pre,Here}(v,0,4*early);
        loop invariant same_cells{Pre,Here}(v,4*(j0+t),4*BUFFER_VEC4S);
        loop invariant slot_cells{Pre,Here}(v,x,lead2,n2,Lowest,4*early,
                                            lesser(4*slots2,4*(j0+t)));
        loop invariant soft_part{Pre,Here}(y,logs,x1,m,s,4*early-lead,lesser(4*(j0+t)-lead,n));
        loop assigns t, v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], early_, late_, fetched_;
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert all: above_lowest(x1,n);
      if (j0 + t < slots) {
        float4 d = BUFFER_LOAD(v, j, j0, t);
        //@ assert cells: same_cells{Pre,Here}(v,4*(j0+t),4*(j0+t)+4);
        //@ assert this: slot_kept{Pre}(d,logs,x1,m,4*(j0+t)-lead,n);
        //@ assert vec: slot_kept(d,logs,x1,m,4*(j0+t)-lead,n);
        soft_buffer_out(j0 + t, lead, n, aligned, logs, d, s, y GHOST_ARGS(m, x1));
        //@ assert at: soft_slot_done{LoopCurrent,Here}(y,logs,x1,m,s,4*(j0+t)-lead,n);
        //@ assert back: Same{LoopCurrent,Pre}(x1,n);
        //@ assert slot: soft_slot_done{Pre,Here}(y,logs,x1,m,s,4*(j0+t)-lead,n);
        /*@ assert old: soft_part{Pre,Here}(y,logs,x1,m,s,4*early-lead,
                                            lesser(4*(j0+t)-lead,n)); */
      }
      /*@ assert done: soft_part{Pre,Here}(y,logs,x1,m,s,4*early-lead,
                                           lesser(4*(j0+t)-lead+4,n)); */
      //@ assert x1t: Same{LoopCurrent,Here}(x1,n);
      //@ assert xs: Same{LoopCurrent,Here}(x,n2);
      //@ assert flat: same_cells{LoopCurrent,Here}(v,0,4*BUFFER_VEC4S);
      //@ assert came: slot_cells{Pre,Here}(v,x,lead2,n2,Lowest,4*early,lesser(4*slots2,4*(j0+t)));
      //@ assert now: slot_cells{Here,Here}(v,x,lead2,n2,Lowest,4*early,lesser(4*slots2,4*(j0+t)));
      //@ ghost L1: ;
      buffer_arrives(v, j, j0, t, slots2, lead2, n2, aligned, low, x GHOST_ARGS(4 * early));
      //@ assert kept: same_cells{L1,Here}(y,0,n);
      //@ assert first: same_cells{L1,Here}(v,0,4*early);
      //@ assert x1u: Same{L1,Here}(x1,n);
      //@ assert xu: Same{L1,Here}(x,n2);
    }
  }
}

/*@ requires block && held_in(held) && slot_held(x,lead,n,slots);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires kept_held{Pre,Pre}(held,logs,x,m,lead,n,mul(KMAX,BDIM));
    requires \separated(held + (0 .. KMAX*MAXB-1), y + (0 .. n-1)) && apart(x,n,y,n);
    assigns y[0 .. n-1];
    ensures same_cells{Pre,Post}(y,4*mul(KMAX,BDIM)-lead,n);
    ensures soft_part{Pre,Post}(y,logs,x,m,s,0,lesser(4*mul(KMAX,BDIM)-lead,n)); */
DEV void soft_put_early(PER_THREADK(float4, held), int slots, int lead, int n, int aligned,
                        int logs, float s, float *RESTRICT y GHOST_PARAMS(float m, const float *x))
{
  //@ assert fits: 0 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant same_cells{Pre,Here}(y,4*mul(KMAX,BDIM)-lead,n);
      loop invariant soft_part{Pre,Here}(y,logs,x,m,s,0,lesser(4*j0-lead,n));
      loop assigns j, j0, y[0 .. n-1];
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= mul(KMAX,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant same_cells{Pre,Here}(y,4*mul(KMAX,BDIM)-lead,n);
        loop invariant soft_part{Pre,Here}(y,logs,x,m,s,0,lesser(4*(j0+t)-lead,n));
        loop assigns t, y[0 .. n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t)
      if (j0 + t < slots) {
        //@ assert still: but_slot{Pre,Here}(held,-1);
        //@ assert held: kept_held{Pre,Here}(held,logs,x,m,lead,n,mul(KMAX,BDIM));
        //@ assert this: slot_kept{Pre}(held[j0+t],logs,x,m,4*(j0+t)-lead,n);
        //@ assert xs: Same{Pre,Here}(x,n);
        //@ assert all: above_lowest(x,n);
        //@ assert vec: slot_kept(held[j0+t],logs,x,m,4*(j0+t)-lead,n);
        soft_buffer_out(j0 + t, lead, n, aligned, logs, REG(held, j, j0, t), s, y GHOST_ARGS(m, x));
        //@ assert at: soft_slot_done{LoopCurrent,Here}(y,logs,x,m,s,4*(j0+t)-lead,n);
        //@ assert back: Same{LoopCurrent,Pre}(x,n);
        //@ assert slot: soft_slot_done{Pre,Here}(y,logs,x,m,s,4*(j0+t)-lead,n);
        //@ assert old: soft_part{Pre,Here}(y,logs,x,m,s,0,lesser(4*(j0+t)-lead,n));
      }
  }
}

/* The row that is in the slots; the next one begins to arrive there. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots);
    requires slot_held(x1,lead,n,slots) && slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires early_slots_ == KMAX && early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), y + (0 .. n-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), x1 + (0 .. n-1));
    requires apart(x1,n,y,n) && apart(x,n2,y,n);
    requires soft_words(sm,v,x,n2,y,n) && soft_words(ss,v,x,n2,y,n);
    requires \separated(sm + (0 .. 31), x1 + (0 .. n-1));
    requires \separated(ss + (0 .. 31), x1 + (0 .. n-1));
    requires slot_cells{Pre,Pre}(v,x1,lead,n,Lowest,0,4*slots);
    assigns v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], sm[0 .. 31], ss[0 .. 31], early_, late_,
      fetched_,
            newest_;
    ensures early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    ensures slot_cells{Pre,Post}(v,x,lead2,n2,Lowest,0,4*slots2);
    ensures \forall integer c; 0 <= c < n ==> y[c] == SoftOne{Pre}(logs,x1,n,c); */
DEV void soft_buffer_row(ROW_BUFFER_PARAM(v), int slots, int lead, int n, int slots2, int lead2,
                         int n2, int aligned, int logs, const float *RESTRICT x, float *RESTRICT y,
                         float *sm, float *ss GHOST_PARAMS(const float *x1))
{
  PRIVATEK(float4, held);
  float m, s;
  //@ assert early: mul(KMAX,BDIM) == KMAX*BDIM && 0 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  buffer_wait_but_newest();
  buffer_hold_all(held, v, KMAX, slots, lowest());
  //@ assert x1s: Same{Pre,Here}(x1,n);
  //@ assert vs: slot_cells{Pre,Here}(v,x1,lead,n,Lowest,0,4*slots);
  //@ assert held: row_held{Pre,Here}(&held[0],x1,lead,n,Lowest,0,mul(KMAX,BDIM));
  //@ assert held_now: row_held{Here,Here}(&held[0],x1,lead,n,Lowest,0,mul(KMAX,BDIM));
  //@ assert late: slot_cells{Here,Here}(v,x1,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
  //@ assert all: above_lowest(x1,n);
  m = soft_buffer_max(held, v, slots, slots2, lead2, n2, aligned, x, sm GHOST_ARGS(lead, n, x1));
  //@ assert max: m == RowMax{Pre}(x1,n);
  //@ assert x1m: Same{Pre,Here}(x1,n);
  //@ assert xm: Same{Pre,Here}(x,n2);
  //@ assert max_now: m == RowMax(x1,n);
  //@ assert held_m: row_held{Here,Here}(&held[0],x1,lead,n,Lowest,0,mul(KMAX,BDIM));
  //@ assert late_m: slot_cells{Here,Here}(v,x1,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
  //@ assert next: slot_cells{Pre,Here}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  /*@ assert away: \forall integer k; 0 <= k < n2 ==>
        \separated(x + k, v + (0 .. 4*BUFFER_VEC4S-1)) && \separated(x + k, ss + (0 .. 31)) &&
        \separated(x + k, &held[0] + (0 .. KMAX*MAXB-1)); */
  //@ ghost L1: ;
  s = soft_buffer_sum(held, v, slots, logs, m, ss GHOST_ARGS(lead, n, x1));
  //@ assert x_sum: Same{L1,Here}(x,n2);
  //@ assert total: s == SumExp{Pre}(x1,m,n) && s > 0.0;
  s = soft_closing(logs, s);
  //@ assert by: s == Closing(logs,SumExp{Pre}(x1,m,n));
  //@ assert x1p: Same{Pre,Here}(x1,n);
  //@ assert xp: Same{Pre,Here}(x,n2);
  //@ assert all_p: above_lowest(x1,n);
  //@ assert held_p: kept_held{Here,Here}(&held[0],logs,x1,m,lead,n,mul(KMAX,BDIM));
  //@ assert late_p: kept_cells{Here,Here}(v,logs,x1,m,lead,n,4*mul(KMAX,BDIM),4*slots);
  //@ assert next_p: slot_cells{Pre,Here}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  //@ ghost L2: ;
  soft_put_late(v, slots, lead, n, slots2, lead2, n2, aligned, logs, s, x,
                y GHOST_ARGS(KMAX * BDIM, m, x1));
  buffer_send(LATE);
  //@ assert x1u: Same{Pre,Here}(x1,n);
  //@ assert first: slot_cells{Pre,Here}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  //@ assert rest: slot_cells{L2,Here}(v,x,lead2,n2,Lowest,4*mul(KMAX,BDIM),4*slots2);
  //@ assert rest_pre: slot_cells{Pre,Here}(v,x,lead2,n2,Lowest,4*mul(KMAX,BDIM),4*slots2);
  //@ assert came: slot_cells{Pre,Here}(v,x,lead2,n2,Lowest,0,4*slots2);
  //@ assert done_1: soft_part{L2,Here}(y,logs,x1,m,s,4*mul(KMAX,BDIM)-lead,n);
  //@ assert done: soft_part{Pre,Here}(y,logs,x1,m,s,4*mul(KMAX,BDIM)-lead,n);
  //@ assert still_u: but_slot{L2,Here}(&held[0],-1);
  //@ assert held_2: kept_held{L2,Here}(&held[0],logs,x1,m,lead,n,mul(KMAX,BDIM));
  //@ assert x1_2: Same{L2,Here}(x1,n);
  //@ assert held_u: kept_held{Here,Here}(&held[0],logs,x1,m,lead,n,mul(KMAX,BDIM));
  //@ assert all_u: above_lowest(x1,n);
  //@ ghost L3: ;
  soft_put_early(held, slots, lead, n, aligned, logs, s, y GHOST_ARGS(m, x1));
  //@ assert early_1: soft_part{L3,Here}(y,logs,x1,m,s,0,lesser(4*mul(KMAX,BDIM)-lead,n));
  //@ assert early_p: soft_part{Pre,Here}(y,logs,x1,m,s,0,lesser(4*mul(KMAX,BDIM)-lead,n));
  //@ assert late_d: soft_part{Pre,Here}(y,logs,x1,m,s,4*mul(KMAX,BDIM)-lead,n);
  //@ assert both: soft_part{Pre,Here}(y,logs,x1,m,s,0,n);
  /*@ assert one: \forall integer c; 0 <= c < n ==>
        Put(logs,Kept(logs,\at(x1[c],Pre),m),s) == SoftOne{Pre}(logs,x1,n,c); */
  //@ assert flat: same_cells{L3,Here}(v,0,4*BUFFER_VEC4S);
}

/*@ predicate soft_tensors{L}(float *x, float *y, integer rows, integer n, integer aligned) =
      slot_reads(x,rows,n,aligned) && slot_writes(y,rows,n,aligned) &&
      above_lowest(x,ix(rows,n,0)) && apart(x,ix(rows,n,0),y,ix(rows,n,0));
    lemma soft_kept{L0,L1,L2}: \forall integer logs, float *x, *y, integer n, q;
      row_kept{L1,L2}(y,n,q) ==> soft_at{L0,L1}(logs,x,y,n,q) ==> soft_at{L0,L2}(logs,x,y,n,q);
    lemma soft_at_frame{L1,L2,L}: \forall integer logs, float *x, *y, integer n, q;
      Same{L1,L2}(x+ix(q,n,0),n) ==> soft_at{L1,L}(logs,x,y,n,q) ==> soft_at{L2,L}(logs,x,y,n,q);
    lemma row_in_all{L1,L2}: \forall float *x, integer n, q, rows; 0 <= q < rows ==> 0 < n ==>
      Same{L1,L2}(x,ix(rows,n,0)) ==> Same{L1,L2}(x+ix(q,n,0),n); */

/* Row r, which is in the slots as `now` says; row q begins to arrive there, as `next` says. */
/*@ requires slots_fit(n) && 0 <= r < rows && 0 <= q && soft_tensors(x,y,rows,n,aligned);
    requires slot_placed(now,r,rows,n) && slot_placed(next,q,rows,n);
    requires \valid(v + (0 .. 4*BUFFER_VEC4S-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), x + (0 .. ix(rows,n,0)-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), y + (0 .. ix(rows,n,0)-1));
    requires soft_words(sm,v,x,ix(rows,n,0),y,ix(rows,n,0));
    requires soft_words(ss,v,x,ix(rows,n,0),y,ix(rows,n,0));
    requires early_slots_ == KMAX && early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    requires slot_cells{Pre,Pre}(v,x+now.at,now.lead,n,Lowest,0,4*now.slots);
    assigns v[0 .. 4*BUFFER_VEC4S-1], y[0 .. ix(rows,n,0)-1], sm[0 .. 31], ss[0 .. 31], early_,
      late_,
            fetched_, newest_;
    ensures early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    ensures slot_cells{Pre,Post}(v,x+next.at,next.lead,next.n,Lowest,0,4*next.slots);
    ensures soft_at{Pre,Post}(logs,x,y,n,r);
    ensures but_row{Pre,Post}(y,n,r,rows); */
DEV void soft_buffer_nth(ROW_BUFFER_PARAM(v), slot_place now, slot_place next, int n, int aligned,
                         int logs, const float *RESTRICT x, float *RESTRICT y, float *sm,
                         float *ss GHOST_PARAMS(idx r, idx q, idx rows))
{
  idx from = buffer_row_at(next GHOST_ARGS(q, rows, n, aligned, x));
  idx to = buffer_out_at(now GHOST_ARGS(r, rows, n, aligned, y));
  //@ assert at: to == ix(r,n,0) && to + n <= ix(rows,n,0) && 0 <= to;
  //@ assert next: 0 <= from && from + next.n <= ix(rows,n,0);
  //@ assert above: above_lowest(x+to,n);
  //@ assert holds: slot_held(x+to,now.lead,n,now.slots);
  //@ assert apart_m: \separated(sm + (0 .. 31), y + (0 .. ix(rows,n,0)-1));
  //@ assert apart_s: \separated(ss + (0 .. 31), y + (0 .. ix(rows,n,0)-1));
  soft_buffer_row(v, now.slots, now.lead, n, next.slots, next.lead, next.n, aligned, logs, x + from,
                  y + to, sm, ss GHOST_ARGS(x + to));
  /*@ assert here: \forall integer c; 0 <= c < n ==> y[to+c] == SoftOne{Pre}(logs,x+to,n,c); */
  //@ assert cell: \forall integer c; 0 <= c < n ==> ix(r,n,c) == to + c;
  //@ assert new: soft_at{Pre,Here}(logs,x,y,n,r);
  /*@ assert away_b: \forall integer k; 0 <= k < to ==> \separated(y + k, sm + (0 .. 31)) &&
        \separated(y + k, ss + (0 .. 31)) && \separated(y + k, v + (0 .. 4*BUFFER_VEC4S-1)) &&
        \separated(y + k, y + (to .. to + n - 1)); */
  /*@ assert away_a: \forall integer k; to + n <= k < ix(rows,n,0) ==>
        \separated(y + k, sm + (0 .. 31)) && \separated(y + k, ss + (0 .. 31)) &&
        \separated(y + k, v + (0 .. 4*BUFFER_VEC4S-1)) &&
        \separated(y + k, y + (to .. to + n - 1)); */
  //@ assert below: \forall integer k; 0 <= k < to ==> y[k] == \at(y[k],Pre);
  /*@ assert above_r: \forall integer k; to + n <= k < ix(rows,n,0) ==>
        y[k] == \at(y[k],Pre); */
  //@ assert out: but_cells{Pre,Here}(y,n,r,rows);
}

/*@ // block b's rows below `to` are done
    predicate turn_done{L0,L}(integer logs, float *x, float *y, integer n, integer blocks,
                              integer b, integer to) =
      \forall integer q; 0 <= q < to ==> turn_is(q,blocks,b) ==> soft_at{L0,L}(logs,x,y,n,q);
    lemma turn_done_kept{L0,L1,L2}: \forall integer logs, float *x, *y, integer n, blocks, b, r,
      rows; r <= rows ==> but_row{L1,L2}(y,n,r,rows) ==>
      turn_done{L0,L1}(logs,x,y,n,blocks,b,r) ==> turn_done{L0,L2}(logs,x,y,n,blocks,b,r);
    lemma turn_done_next{L0,L}: \forall integer logs, float *x, *y, integer n, blocks, b, r, to;
      to <= r + blocks ==> turn_is(r,blocks,b) ==> turn_done{L0,L}(logs,x,y,n,blocks,b,r) ==>
      soft_at{L0,L}(logs,x,y,n,r) ==> turn_done{L0,L}(logs,x,y,n,blocks,b,to);
    // all blocks before b have done their rows
    predicate turns_done{L0,L}(integer logs, float *x, float *y, integer n, integer blocks,
                               integer b, integer rows) =
      \forall integer q, a; 0 <= q < rows ==> 0 <= a < b ==> turn_is(q,blocks,a) ==>
        soft_at{L0,L}(logs,x,y,n,q);
    lemma turns_done_next{L0,L1,L2}: \forall integer logs, float *x, *y, integer n, blocks, b, rows;
      but_turn{L1,L2}(y,n,blocks,b,rows) ==> turn_done{L0,L2}(logs,x,y,n,blocks,b,rows) ==>
      turns_done{L0,L1}(logs,x,y,n,blocks,b,rows) ==>
      turns_done{L0,L2}(logs,x,y,n,blocks,b+1,rows);
    lemma turns_done_all{L0,L}: \forall integer logs, float *x, *y, integer n, blocks, rows, q;
      turn_has(q,blocks) ==> 0 <= q < rows ==>
      turns_done{L0,L}(logs,x,y,n,blocks,blocks,rows) ==> soft_at{L0,L}(logs,x,y,n,q);
    lemma turns_done_each{L0,L}: \forall integer logs, float *x, *y, integer n, blocks, rows, q;
      0 <= q < rows ==> all_turns(blocks,rows) ==>
      turns_done{L0,L}(logs,x,y,n,blocks,blocks,rows) ==>
      turn_has(q,blocks) && soft_at{L0,L}(logs,x,y,n,q);
    predicate rows_done{L0,L}(integer logs, float *x, float *y, integer n, integer rows) =
      \forall integer q; 0 <= q < rows ==> soft_at{L0,L}(logs,x,y,n,q);
    lemma turns_done_rows{L0,L}: \forall integer logs, float *x, *y, integer n, blocks, rows;
      all_turns(blocks,rows) ==> turns_done{L0,L}(logs,x,y,n,blocks,blocks,rows) ==>
      rows_done{L0,L}(logs,x,y,n,rows);
    lemma rows_done_c{L0,L}: \forall integer logs, float *x, *y, integer n, rows, q, c;
      0 <= q < rows ==> 0 <= c < n ==> rows_done{L0,L}(logs,x,y,n,rows) ==>
      soft_at{L0,L}(logs,x,y,n,q) &&
      \at(y[ix(q,n,c)],L) == SoftOne{L0}(logs,x+ix(q,n,0),n,c);
    lemma rows_done_all{L0,L}: \forall integer logs, float *x, *y, integer n, rows;
      rows_done{L0,L}(logs,x,y,n,rows) ==> soft_rows{L0,L}(logs,x,y,n,rows);
    lemma turn_done_frame{L1,L2,L}: \forall integer logs, float *x, *y, integer n, blocks, b, rows;
      0 < n ==> Same{L1,L2}(x,ix(rows,n,0)) ==> turn_done{L1,L}(logs,x,y,n,blocks,b,rows) ==>
      turn_done{L2,L}(logs,x,y,n,blocks,b,rows); */

/* Block b. */
/*@ requires slots_fit(n) && 0 <= b < blocks <= IDX_LIM && soft_tensors(x,y,rows,n,aligned);
    assigns y[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_, newest_;
    ensures turn_done{Pre,Post}(logs,x,y,n,blocks,b,rows);
    ensures but_turn{Pre,Post}(y,n,blocks,b,rows); */
DEV void soft_buffer_block(idx b, idx blocks, int aligned, int logs, idx rows, int n,
                           const float *RESTRICT x, float *RESTRICT y)
{
  ROW_BUFFER(v, KMAX);
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  slot_place now = buffer_place(b, rows, n);
  buffer_fetch_first(v, KMAX, now.slots, now.lead, now.n, aligned, lowest(),
                     x + buffer_row_at(now GHOST_ARGS(b, rows, n, aligned, x)));
  //@ assert begun: Same{Pre,Here}(x,ix(rows,n,0));
  /*@ assert away: \forall integer k; 0 <= k < ix(rows,n,0) ==>
        \separated(x + k, y + (0 .. ix(rows,n,0)-1)) && \separated(x + k, &sm[0] + (0 .. 31)) &&
        \separated(x + k, &ss[0] + (0 .. 31)) &&
        \separated(x + k, &v[0] + (0 .. 4*BUFFER_VEC4S-1)); */
  //@ assert first: slot_cells{Pre,Here}(&v[0],x+now.at,now.lead,now.n,Lowest,0,4*now.slots);
  /*@ loop invariant b <= r <= IDX_LIM + blocks && slot_placed(now,r,rows,n);
      loop invariant turn_is(r,blocks,b);
      loop invariant early_slots_ == KMAX && early_ == WAY_SENT && late_ == WAY_SENT;
      loop invariant newest_ == LATE;
      loop invariant slot_cells{Pre,Here}(&v[0],x+now.at,now.lead,now.n,Lowest,0,4*now.slots);
      loop invariant turn_done{Pre,Here}(logs,x,y,n,blocks,b,lesser(r,rows));
      loop invariant but_turn{Pre,Here}(y,n,blocks,b,rows);
      loop assigns r, now, v[0 .. 4*BUFFER_VEC4S-1], y[0 .. ix(rows,n,0)-1], sm[0 .. 31],
                   ss[0 .. 31], early_, late_, fetched_, newest_;
      loop variant rows - r; */
  for (idx r = b; r < rows; r += blocks) {
    slot_place next = buffer_place(r + blocks, rows, n);
    //@ assert xs: Same{Pre,Here}(x,ix(rows,n,0));
    //@ assert all: above_lowest(x,ix(rows,n,0));
    //@ assert at: 0 <= now.at && now.at + n <= ix(rows,n,0) && now.n == n;
    //@ assert row_now: Same{Pre,Here}(x+now.at,n);
    //@ assert now: slot_cells{Here,Here}(&v[0],x+now.at,now.lead,n,Lowest,0,4*now.slots);
    soft_buffer_nth(v, now, next, n, aligned, logs, x, y, sm, ss GHOST_ARGS(r, r + blocks, rows));
    //@ assert at_r: soft_at{LoopCurrent,Here}(logs,x,y,n,r);
    //@ assert row_r: Same{LoopCurrent,Pre}(x+ix(r,n,0),n);
    //@ assert at_pre: soft_at{Pre,Here}(logs,x,y,n,r);
    //@ assert but: but_row{LoopCurrent,Here}(y,n,r,rows);
    //@ assert old: turn_done{Pre,Here}(logs,x,y,n,blocks,b,r);
    /*@ assert came: slot_cells{LoopCurrent,Here}(&v[0],x+next.at,next.lead,next.n,Lowest,0,
                                                  4*next.slots); */
    //@ assert next_in: 0 <= next.at && next.at + next.n <= ix(rows,n,0);
    //@ assert row_next: Same{LoopCurrent,Pre}(x+next.at,next.n);
    /*@ assert came_pre: slot_cells{Pre,Here}(&v[0],x+next.at,next.lead,next.n,Lowest,0,
                                              4*next.slots); */
    now = next;
  }
}

/* LOGS: log_softmax; VEC: both tensors are 16-byte aligned. */
/*@ requires slots_fit(n) && 0 < blocks <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires soft_tensors(x,y,rows,n,VEC);
    assigns y[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_, newest_;
    ensures soft_rows{Pre,Post}(LOGS,x,y,n,rows); */
TEMPLATE(int LOGS, int VEC)
KERNEL void THREADS_AT_MOST(1024) softmax_shared(CONSTANTS(int LOGS, int VEC) idx blocks, idx rows,
                                                 int n, const float *RESTRICT x, float *RESTRICT y)
{
  /*@ loop invariant 0 <= b <= blocks;
      loop invariant turns_done{Pre,Here}(LOGS,x,y,n,blocks,b,rows);
      loop assigns b, y[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_, newest_;
      loop variant blocks - b; */
  BROWS(b, blocks, 1) {
    //@ assert xs: Same{Pre,Here}(x,ix(rows,n,0));
    //@ assert all: above_lowest(x,ix(rows,n,0));
    soft_buffer_block(b, blocks, VEC, LOGS, rows, n, x, y);
    //@ assert at: turn_done{LoopCurrent,Here}(LOGS,x,y,n,blocks,b,rows);
    //@ assert was: Same{LoopCurrent,Pre}(x,ix(rows,n,0));
    //@ assert new: turn_done{Pre,Here}(LOGS,x,y,n,blocks,b,rows);
    //@ assert kept: but_turn{LoopCurrent,Here}(y,n,blocks,b,rows);
  }
  //@ assert turns: all_turns(blocks,rows);
  //@ assert end: turns_done{Pre,Here}(LOGS,x,y,n,blocks,blocks,rows);
  //@ assert each: rows_done{Pre,Here}(LOGS,x,y,n,rows);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "launch.h"

#define SOFT_VEC4S(LOGS, VEC)                                                                      \
  LAUNCH_ROW_BUFFER((softmax_shared<LOGS, VEC>), blocks, block, cols, ex->stream, blocks, rows, w, \
                    x, y)

extern "C" void LAUNCHER(softmax_shared)(const pm_exec *ex, int logs, int vec, int64_t blocks,
                                         int block, int64_t rows, int64_t cols, const float *x,
                                         float *y)
{
  int w = (int)cols;
  if (logs && vec)
    SOFT_VEC4S(1, 1);
  else if (logs)
    SOFT_VEC4S(1, 0);
  else if (vec)
    SOFT_VEC4S(0, 1);
  else
    SOFT_VEC4S(0, 0);
}
#endif
