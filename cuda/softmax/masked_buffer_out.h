/* A row under a mask leaves the slots of a block (masked_buffer_sum.h), what is kept of it by the
 * reciprocal of its sum; the next row's late slots begin to arrive there, and its bits are read. */
#ifndef PM_SOFTMAX_MASKED_BUFFER_OUT_H
#define PM_SOFTMAX_MASKED_BUFFER_OUT_H
#include "masked_buffer_sum.h"

/*@ // element k of y, of a row of n, s being the reciprocal of its sum; those of a slot, and those
    // from .. to-1
    predicate open_one_done{L0,L}(float *y, float *x, float *b, real m, real s, integer k,
                                  integer n) =
      0 <= k < n ==> \at(y[k],L) == Shared{L0}(x,b,m,s,n,k);
    predicate open_slot_done{L0,L}(float *y, float *x, float *b, real m, real s, integer k,
                                   integer n) =
      open_one_done{L0,L}(y,x,b,m,s,k,n) && open_one_done{L0,L}(y,x,b,m,s,k+1,n) &&
      open_one_done{L0,L}(y,x,b,m,s,k+2,n) && open_one_done{L0,L}(y,x,b,m,s,k+3,n);
    predicate open_part{L0,L}(float *y, float *x, float *b, real m, real s, integer n, integer from,
                              integer to) =
      \forall integer c; from <= c < to ==> \at(y[c],L) == Shared{L0}(x,b,m,s,n,c);
    lemma open_four_frame{L1,L2}: \forall float4 d, float *x, *b, real m, integer k, n;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> open_four{L1}(d,x,b,m,k,n) ==>
      open_four{L2}(d,x,b,m,k,n);
    lemma open_one_frame{L1,L2,L}: \forall float *y, *x, *b, real m, s, integer k, n;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> open_one_done{L1,L}(y,x,b,m,s,k,n) ==>
      open_one_done{L2,L}(y,x,b,m,s,k,n);
    lemma open_slot_frame{L1,L2,L}: \forall float *y, *x, *b, real m, s, integer k, n;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> open_slot_done{L1,L}(y,x,b,m,s,k,n) ==>
      open_slot_done{L2,L}(y,x,b,m,s,k,n);
    lemma open_part_frame{L1,L2,L}: \forall float *y, *x, *b, real m, s, integer n, from, to;
      0 <= from ==> to <= n ==> Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==>
      open_part{L1,L}(y,x,b,m,s,n,from,to) ==> open_part{L2,L}(y,x,b,m,s,n,from,to);
    lemma open_part_one{L0,L}: \forall float *y, *x, *b, real m, s, integer n, from, k;
      open_part{L0,L}(y,x,b,m,s,n,from,lesser(k,n)) ==> 0 <= from ==>
      open_one_done{L0,L}(y,x,b,m,s,k,n) ==> open_part{L0,L}(y,x,b,m,s,n,from,lesser(k+1,n));
    lemma open_part_grow{L0,L}: \forall float *y, *x, *b, real m, s, integer n, from, k;
      open_part{L0,L}(y,x,b,m,s,n,from,lesser(k,n)) ==> 0 <= from ==>
      open_slot_done{L0,L}(y,x,b,m,s,k,n) ==> open_part{L0,L}(y,x,b,m,s,n,from,lesser(k+4,n));
    lemma shared_at{L}: \forall float *x, *b, real m, s, t, integer n, c; 0 <= c < n ==>
      above_lowest{L}(x,n) ==> no_mark{L}(x,n) ==> m == RowTop{L}(x,b,n) ==>
      (Lowest < m ==> s == OpenSumExp{L}(x,b,m,n)) ==> (s != 0.0 ==> t == rdiv(1.0,s)) ==>
      Shared{L}(x,b,m,t,n,c) == MaskedSoftmax{L}(x,b,n,c);
    // row y that leaves, and rows and slots that stay
    predicate out_apart{L}(float *v, float *y, float *x1, float *b1, integer n, float *x,
                           integer n2) =
      \separated(v + (0 .. 4*BUFFER_VEC4S-1), y + (0 .. n-1)) && slots_off(v,x1,b1,n) &&
      apart(x1,n,y,n) && apart(b1,n,y,n) && apart(x,n2,y,n); */

/*@ assigns \nothing;
    ensures \result.x == rmul(v.x,t) && \result.y == rmul(v.y,t);
    ensures \result.z == rmul(v.z,t) && \result.w == rmul(v.w,t); */
DEV float4 open_put4(float4 v, float t)
{
  float4 e = {masked_share(v.x, t), masked_share(v.y, t), masked_share(v.z, t),
              masked_share(v.w, t)};
  return e;
}

/* Slot q of a row goes to y; d is what is kept of it. */
/*@ requires slot_out(y,lead,n,aligned) && perm_w(y,n) && 0 <= q < BUFFER_VEC4S && 0 < n;
    requires open_four(d,x,b,m,4*q-lead,n) && masked_in(x,b,n);
    assigns y[0 .. n-1];
    ensures open_slot_done{Pre,Post}(y,x,b,m,s,4*q-lead,n);
    ensures same_cells{Pre,Post}(y,0,4*q-lead);
    ensures same_cells{Pre,Post}(y,4*q-lead+4,n); */
DEV void masked_buffer_out(int q, int lead, int n, int aligned, float4 d, float s,
                           float *RESTRICT y GHOST_PARAMS(float m, const float *x, const float *b))
{
  int c = 4 * q - lead;
  float4 u = open_put4(d, s);
  //@ assert x: 0 <= c < n ==> u.x == Shared(x,b,m,s,n,c);
  //@ assert y: 0 <= c+1 < n ==> u.y == Shared(x,b,m,s,n,c+1);
  //@ assert z: 0 <= c+2 < n ==> u.z == Shared(x,b,m,s,n,c+2);
  //@ assert w: 0 <= c+3 < n ==> u.w == Shared(x,b,m,s,n,c+3);
  buffer_store(c, n, aligned, u, y GHOST_ARGS(q, lead));
}

/* Slot j of thread t leaves, and that of the next row begins to arrive. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n) && open_row(x1,b1,lead,n,slots);
    requires 0 <= t < BDIM && 0 <= j && j0 == mul(j,BDIM) && 0 <= j0 <= 2*BUFFER_VEC4S;
    requires slot_open(j,4*(j0+t)) && 0 <= from <= 4*(j0+t) && out_apart(v,y,x1,b1,n,x,n2);
    requires open_cells{Pre,Pre}(v,x1,b1,m,lead,n,4*(j0+t),4*slots);
    requires slot_cells{Pre,Pre}(v,x,lead2,n2,low,from,lesser(4*slots2,4*(j0+t)));
    assigns v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], early_, late_, fetched_;
    ensures slot_open(j,4*(j0+t)+4);
    ensures j < early_slots_ ? late_ == \old(late_) : early_ == \old(early_);
    ensures Same{Pre,Post}(x1,n);
    ensures Same{Pre,Post}(b1,n);
    ensures Same{Pre,Post}(x,n2);
    ensures slot_cells{Pre,Post}(v,x,lead2,n2,low,from,lesser(4*slots2,4*(j0+t)+4));
    ensures same_cells{Pre,Post}(v,0,4*(j0+t));
    ensures same_cells{Pre,Post}(v,4*(j0+t)+4,4*BUFFER_VEC4S);
    ensures open_slot_done{Pre,Post}(y,x1,b1,m,s,4*(j0+t)-lead,n);
    ensures same_cells{Pre,Post}(y,0,lesser(4*(j0+t)-lead,n)); */
DEV void masked_buffer_store(ROW_BUFFER_PARAM(v), int j, int j0, int t, int slots, int lead, int n,
                             int slots2, int lead2, int n2, int aligned, float s, float low,
                             const float *RESTRICT x,
                             float *RESTRICT y GHOST_PARAMS(int from, float m, const float *x1,
                                                            const float *b1))
{
  if (j0 + t < slots) {
    float4 d = BUFFER_LOAD(v, j, j0, t);
    //@ assert four: open_cells{Here,Here}(v,x1,b1,m,lead,n,4*(j0+t),4*(j0+t)+4);
    //@ assert kept: open_four(d,x1,b1,m,4*(j0+t)-lead,n);
    masked_buffer_out(j0 + t, lead, n, aligned, d, s, y GHOST_ARGS(m, x1, b1));
  }
  //@ ghost L1: ;
  //@ assert done_1: open_slot_done{Pre,L1}(y,x1,b1,m,s,4*(j0+t)-lead,n);
  //@ assert below_1: same_cells{Pre,L1}(y,0,lesser(4*(j0+t)-lead,n));
  //@ assert rows: Same{Pre,L1}(x1,n);
  //@ assert rows_b: Same{Pre,L1}(b1,n);
  //@ assert row: Same{Pre,L1}(x,n2);
  //@ assert cells: same_cells{Pre,L1}(v,0,4*BUFFER_VEC4S);
  //@ assert now: slot_cells{Here,Here}(v,x,lead2,n2,low,from,lesser(4*slots2,4*(j0+t)));
  buffer_arrives(v, j, j0, t, slots2, lead2, n2, aligned, low, x GHOST_ARGS(from));
  //@ assert flat: same_cells{L1,Here}(y,0,n);
  //@ assert rows_2: Same{L1,Here}(x1,n);
  //@ assert rows_2_b: Same{L1,Here}(b1,n);
  //@ assert row_2: Same{L1,Here}(x,n2);
}

/* The late slots of a row leave, those of the next one begin to arrive, and its bits are
 * read. Slots from number `early` on are the late ones. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots) && bits_fit;
    requires slot_row(b,lead2,n2,aligned) && lead2 + n2 <= 4*slots2 && bits_in(bits);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n) && open_row(x1,b1,lead,n,slots);
    requires early_slots_ == KMAX && late_ == WAY_NONE && early_ != WAY_OPEN;
    requires early == mul(KMAX,BDIM) && out_apart(v,y,x1,b1,n,x,n2) && apart(b,n2,y,n);
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), b + (0 .. n2-1));
    requires \separated(bits + (0 .. BDIM-1), b + (0 .. n2-1));
    requires open_cells{Pre,Pre}(v,x1,b1,m,lead,n,4*early,4*slots);
    requires lanes_clear(bits,0,BIT_VEC4S,0,BDIM);
    assigns bits[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], early_, late_, fetched_;
    ensures early_ == \old(early_) && late_ != WAY_SENT;
    ensures Same{Pre,Post}(x1,n);
    ensures Same{Pre,Post}(b1,n);
    ensures Same{Pre,Post}(x,n2);
    ensures Same{Pre,Post}(b,n2);
    ensures slot_cells{Pre,Post}(v,x,lead2,n2,Lowest,4*early,4*slots2);
    ensures same_cells{Pre,Post}(v,0,4*early);
    ensures open_part{Pre,Post}(y,x1,b1,m,s,n,4*early-lead,n);
    ensures lanes_say{Pre,Post}(bits,b,lead2,n2,BDIM,KMAX,BIT_VEC4S,0,BDIM);
    ensures lanes_clear(bits,0,KMAX,0,BDIM); */
DEV void open_put_late(ROW_BUFFER_PARAM(v), PER_THREAD(slot_bits, bits), int slots, int lead, int n,
                       int slots2, int lead2, int n2, int aligned, float s, const float *RESTRICT x,
                       const float *RESTRICT b,
                       float *RESTRICT y GHOST_PARAMS(int early, float m, const float *x1,
                                                      const float *b1))
{
  float low = lowest();
  //@ assert mul(KMAX,BDIM) == KMAX*BDIM && 32 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  /*@ loop invariant KMAX <= j <= KMAX + BUFFER_VEC4S && j0 == mul(j,BDIM) && j <= j0 &&
    early <= j0;
      loop invariant slot_open(KMAX,4*j0) && early_ == \at(early_,Pre);
      loop invariant Same{Pre,Here}(x1,n);
      loop invariant Same{Pre,Here}(b1,n);
      loop invariant Same{Pre,Here}(x,n2);
      loop invariant Same{Pre,Here}(b,n2);
      loop invariant same_cells{Pre,Here}(v,0,4*early);
      loop invariant same_cells{Pre,Here}(v,4*j0,4*BUFFER_VEC4S);
      loop invariant slot_cells{Pre,Here}(v,x,lead2,n2,Lowest,4*early,lesser(4*slots2,4*j0));
      loop invariant open_part{Pre,Here}(y,x1,b1,m,s,n,4*early-lead,lesser(4*j0-lead,n));
      loop invariant bits_read{Pre,Here}(bits,b,lead2,n2,BDIM,KMAX,BIT_VEC4S,j,0);
      loop invariant lanes_clear(bits,0,KMAX,0,BDIM);
      loop assigns j, j0, bits[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], early_, late_,
                   fetched_;
      loop variant slots + slots2 - j0; */
  for (int j = KMAX, j0 = KMAX * BDIM; j0 < slots || j0 < slots2; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    //@ assert j0 < slots_;
    //@ assert j < BIT_VEC4S;
    /*@ loop invariant 0 <= t <= BDIM && slot_open(KMAX,4*(j0+t)) && early_ == \at(early_,Pre);
        loop invariant Same{Pre,Here}(x1,n);
        loop invariant Same{Pre,Here}(b1,n);
        loop invariant Same{Pre,Here}(x,n2);
        loop invariant Same{Pre,Here}(b,n2);
        loop invariant same_cells{Pre,Here}(v,0,4*early);
        loop invariant same_cells{Pre,Here}(v,4*(j0+t),4*BUFFER_VEC4S);
        loop invariant slot_cells{Pre,Here}(v,x,lead2,n2,Lowest,4*early,
                                            lesser(4*slots2,4*(j0+t)));
        loop invariant open_part{Pre,Here}(y,x1,b1,m,s,n,4*early-lead,lesser(4*(j0+t)-lead,n));
        loop invariant bits_read{Pre,Here}(bits,b,lead2,n2,BDIM,KMAX,BIT_VEC4S,j,t);
        loop invariant lanes_clear(bits,0,KMAX,0,BDIM);
        loop assigns t, bits[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], early_, late_,
                     fetched_;
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert clear_0: lane_clear(bits[t],0,KMAX);
      //@ assert row: slot_row(b,lead2,n2,aligned) && j0 + t < BUFFER_VEC4S + MAXB;
      float4 w = buffer_load(4 * (j0 + t) - lead2, n2, aligned, 1.0f, b GHOST_ARGS(lead2, j0 + t));
      //@ assert mask: slot_vec{Pre}(w,b,4*(j0+t)-lead2,n2,1.0);
      //@ assert in: open_row(x1,b1,lead,n,slots);
      //@ assert was: open_cells{Pre,Here}(v,x1,b1,m,lead,n,4*(j0+t),4*slots);
      //@ assert cells: open_cells{Here,Here}(v,x1,b1,m,lead,n,4*(j0+t),4*slots);
      //@ assert now: slot_cells{Here,Here}(v,x,lead2,n2,Lowest,4*early,lesser(4*slots2,4*(j0+t)));
      masked_buffer_store(v, j, j0, t, slots, lead, n, slots2, lead2, n2, aligned, s, low, x,
                          y GHOST_ARGS(4 * early, m, x1, b1));
      //@ ghost L1: ;
      //@ assert rows: Same{LoopCurrent,L1}(x1,n);
      //@ assert rows_b: Same{LoopCurrent,L1}(b1,n);
      //@ assert rows_p: Same{Pre,L1}(x1,n);
      //@ assert rows_p_b: Same{Pre,L1}(b1,n);
      //@ assert nexts: Same{LoopCurrent,L1}(x,n2);
      //@ assert nexts_b: Same{LoopCurrent,L1}(b,n2);
      //@ assert next_p: Same{Pre,L1}(x,n2);
      //@ assert next_p_b: Same{Pre,L1}(b,n2);
      //@ assert first: same_cells{LoopCurrent,L1}(v,0,4*early);
      //@ assert rest: same_cells{Pre,L1}(v,4*(j0+t)+4,4*BUFFER_VEC4S);
      //@ assert at: open_slot_done{LoopCurrent,L1}(y,x1,b1,m,s,4*(j0+t)-lead,n);
      //@ assert x_back: Same{LoopCurrent,Pre}(x1,n);
      //@ assert b_back: Same{LoopCurrent,Pre}(b1,n);
      //@ assert at_p: open_slot_done{Pre,L1}(y,x1,b1,m,s,4*(j0+t)-lead,n);
      //@ assert old: open_part{Pre,L1}(y,x1,b1,m,s,n,4*early-lead,lesser(4*(j0+t)-lead,n));
      //@ assert done: open_part{Pre,L1}(y,x1,b1,m,s,n,4*early-lead,lesser(4*(j0+t)-lead+4,n));
      /*@ assert came_1: slot_cells{LoopCurrent,L1}(v,x,lead2,n2,Lowest,4*early,
                                                    lesser(4*slots2,4*(j0+t)+4)); */
      /*@ assert came: slot_cells{Pre,L1}(v,x,lead2,n2,Lowest,4*early,
                                          lesser(4*slots2,4*(j0+t)+4)); */
      //@ assert read: bits_read{Pre,L1}(bits,b,lead2,n2,BDIM,KMAX,BIT_VEC4S,j,t);
      //@ assert read_1: bits_read{L1,L1}(bits,b,lead2,n2,BDIM,KMAX,BIT_VEC4S,j,t);
      //@ assert mask_1: slot_vec{L1}(w,b,4*(mul(j,BDIM)+t)-lead2,n2,1.0);
      //@ assert clear_1: lane_clear(bits[t],0,KMAX);
      bits_enter(bits, t, j, w GHOST_ARGS(KMAX, BIT_VEC4S, lead2, n2, b));
      //@ assert next_1: Same{L1,Here}(b,n2);
      //@ assert read_2: bits_read{L1,Here}(bits,b,lead2,n2,BDIM,KMAX,BIT_VEC4S,j,t+1);
      //@ assert mask_b: Same{L1,Pre}(b,n2);
      //@ assert read_3: bits_read{Pre,Here}(bits,b,lead2,n2,BDIM,KMAX,BIT_VEC4S,j,t+1);
      //@ assert but: but_bits(\at(bits[t],L1),bits[t],j);
      //@ assert clear: lane_clear(bits[t],0,KMAX);
    }
  }
}

/* A slot that thread t holds leaves. */
/*@ requires block && held_in(held) && j0 == mul(j,BDIM) && 0 <= j0 && 0 <= t < BDIM;
    requires j0 + t < KMAX*MAXB && open_row(x,b,lead,n,slots);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires open_four(held[j0+t],x,b,m,4*(j0+t)-lead,n);
    requires apart(x,n,y,n) && apart(b,n,y,n);
    assigns y[0 .. n-1];
    ensures open_slot_done{Pre,Post}(y,x,b,m,s,4*(j0+t)-lead,n);
    ensures same_cells{Pre,Post}(y,0,4*(j0+t)-lead);
    ensures same_cells{Pre,Post}(y,4*(j0+t)-lead+4,n);
    ensures Same{Pre,Post}(x,n);
    ensures Same{Pre,Post}(b,n); */
DEV void open_held_out(PER_THREADK(float4, held), int j, int j0, int t, int slots, int lead, int n,
                       int aligned, float s,
                       float *RESTRICT y GHOST_PARAMS(float m, const float *x, const float *b))
{
  if (j0 + t < slots)
    masked_buffer_out(j0 + t, lead, n, aligned, REG(held, j, j0, t), s, y GHOST_ARGS(m, x, b));
}

/*@ requires block && held_in(held) && open_row(x1,b1,lead,n,slots) && bits_in(bits);
    requires slot_row(b,lead2,n2,aligned) && slot_out(y,lead,n,aligned) && perm_w(y,n);
    requires open_held{Pre,Pre}(held,x1,b1,m,lead,n,mul(KMAX,BDIM));
    requires \separated(held + (0 .. KMAX*MAXB-1), y + (0 .. n-1));
    requires apart(x1,n,y,n) && apart(b1,n,y,n) && apart(b,n2,y,n);
    requires \separated(bits + (0 .. BDIM-1), b + (0 .. n2-1));
    requires bits_read{Pre,Pre}(bits,b,lead2,n2,BDIM,0,KMAX,0,0);
    requires lanes_say{Pre,Pre}(bits,b,lead2,n2,BDIM,KMAX,BIT_VEC4S,0,BDIM);
    assigns bits[0 .. BDIM-1], y[0 .. n-1];
    ensures Same{Pre,Post}(b,n2);
    ensures same_cells{Pre,Post}(y,4*mul(KMAX,BDIM)-lead,n);
    ensures open_part{Pre,Post}(y,x1,b1,m,s,n,0,lesser(4*mul(KMAX,BDIM)-lead,n));
    ensures lanes_say{Pre,Post}(bits,b,lead2,n2,BDIM,0,BIT_VEC4S,0,BDIM); */
DEV void open_put_early(PER_THREADK(float4, held), PER_THREAD(slot_bits, bits), int slots, int lead,
                        int n, int lead2, int n2, int aligned, float s, const float *RESTRICT b,
                        float *RESTRICT y GHOST_PARAMS(float m, const float *x1, const float *b1))
{
  //@ assert fits: 0 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  /*@ loop invariant 0 <= j <= KMAX && j0 == mul(j,BDIM) && 0 <= j0 <= j*MAXB;
      loop invariant Same{Pre,Here}(x1,n);
      loop invariant Same{Pre,Here}(b1,n);
      loop invariant Same{Pre,Here}(b,n2);
      loop invariant same_cells{Pre,Here}(y,4*mul(KMAX,BDIM)-lead,n);
      loop invariant open_part{Pre,Here}(y,x1,b1,m,s,n,0,lesser(4*j0-lead,n));
      loop invariant bits_read{Pre,Here}(bits,b,lead2,n2,BDIM,0,KMAX,j,0);
      loop invariant lanes_say{Pre,Here}(bits,b,lead2,n2,BDIM,KMAX,BIT_VEC4S,0,BDIM);
      loop assigns j, j0, bits[0 .. BDIM-1], y[0 .. n-1];
      loop variant KMAX - j; */
  UNROLL
  for (int j = 0, j0 = 0; j < KMAX; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM && j0 + BDIM <= mul(KMAX,BDIM);
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant Same{Pre,Here}(x1,n);
        loop invariant Same{Pre,Here}(b1,n);
        loop invariant Same{Pre,Here}(b,n2);
        loop invariant same_cells{Pre,Here}(y,4*mul(KMAX,BDIM)-lead,n);
        loop invariant open_part{Pre,Here}(y,x1,b1,m,s,n,0,lesser(4*(j0+t)-lead,n));
        loop invariant bits_read{Pre,Here}(bits,b,lead2,n2,BDIM,0,KMAX,j,t);
        loop invariant lanes_say{Pre,Here}(bits,b,lead2,n2,BDIM,KMAX,BIT_VEC4S,0,BDIM);
        loop assigns t, bits[0 .. BDIM-1], y[0 .. n-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      /*@ assert before: \forall integer u; 0 <= u < BDIM ==>
            lane_says{Pre}(bits[u],b,lead2,n2,BDIM,u,KMAX,BIT_VEC4S); */
      //@ assert says_0: lane_says{Pre}(bits[t],b,lead2,n2,BDIM,t,KMAX,BIT_VEC4S);
      //@ assert above: above_lowest(x1,n);
      //@ assert unmarked: no_mark(x1,n);
      //@ assert low: j0 + t < mul(KMAX,BDIM);
      //@ assert in: open_row(x1,b1,lead,n,slots);
      //@ assert still: but_slot{Pre,Here}(held,-1);
      //@ assert held: open_held{Pre,Here}(held,x1,b1,m,lead,n,mul(KMAX,BDIM));
      //@ assert this: open_four{Pre}(held[j0+t],x1,b1,m,4*(j0+t)-lead,n);
      //@ assert vec: open_four(held[j0+t],x1,b1,m,4*(j0+t)-lead,n);
      float4 w = buffer_load(4 * (j0 + t) - lead2, n2, aligned, 1.0f, b GHOST_ARGS(lead2, j0 + t));
      //@ assert mask: slot_vec{Pre}(w,b,4*(j0+t)-lead2,n2,1.0);
      open_held_out(held, j, j0, t, slots, lead, n, aligned, s, y GHOST_ARGS(m, x1, b1));
      //@ ghost L1: ;
      //@ assert at: open_slot_done{LoopCurrent,L1}(y,x1,b1,m,s,4*(j0+t)-lead,n);
      //@ assert x_back: Same{LoopCurrent,Pre}(x1,n);
      //@ assert b_back: Same{LoopCurrent,Pre}(b1,n);
      //@ assert slot: open_slot_done{Pre,L1}(y,x1,b1,m,s,4*(j0+t)-lead,n);
      //@ assert rows: Same{Pre,L1}(x1,n);
      //@ assert rows_b: Same{Pre,L1}(b1,n);
      //@ assert next: Same{Pre,L1}(b,n2);
      //@ assert rest: same_cells{Pre,L1}(y,4*mul(KMAX,BDIM)-lead,n);
      //@ assert old: open_part{Pre,L1}(y,x1,b1,m,s,n,0,lesser(4*(j0+t)-lead,n));
      //@ assert done: open_part{Pre,L1}(y,x1,b1,m,s,n,0,lesser(4*(j0+t)-lead+4,n));
      //@ assert read: bits_read{Pre,L1}(bits,b,lead2,n2,BDIM,0,KMAX,j,t);
      //@ assert read_1: bits_read{L1,L1}(bits,b,lead2,n2,BDIM,0,KMAX,j,t);
      //@ assert mask_1: slot_vec{L1}(w,b,4*(mul(j,BDIM)+t)-lead2,n2,1.0);
      //@ assert says_1: lane_says{Pre}(bits[t],b,lead2,n2,BDIM,t,KMAX,BIT_VEC4S);
      //@ assert says_all: lanes_say{Pre,L1}(bits,b,lead2,n2,BDIM,KMAX,BIT_VEC4S,0,BDIM);
      bits_enter(bits, t, j, w GHOST_ARGS(0, KMAX, lead2, n2, b));
      //@ assert read_2: bits_read{L1,Here}(bits,b,lead2,n2,BDIM,0,KMAX,j,t+1);
      //@ assert mask_b: Same{L1,Pre}(b,n2);
      //@ assert read_3: bits_read{Pre,Here}(bits,b,lead2,n2,BDIM,0,KMAX,j,t+1);
      //@ assert but: but_bits(\at(bits[t],L1),bits[t],j);
      //@ assert says: lane_says{Pre}(bits[t],b,lead2,n2,BDIM,t,KMAX,BIT_VEC4S);
      /*@ assert kept: \forall integer u; 0 <= u < BDIM ==> u != t ==>
            \at(bits[u],LoopCurrent) == bits[u]; */
      /*@ assert others: \forall integer u; 0 <= u < BDIM ==> u != t ==>
            lane_says{Pre}(bits[u],b,lead2,n2,BDIM,u,KMAX,BIT_VEC4S); */
    }
  }
}
#endif
