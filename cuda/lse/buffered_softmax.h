/* Softmax statistics of a row in the shared-memory row buffer (row/buffered.h): its maximum, and
 * the sum of its exponentials, which take its place; the next row begins to arrive. */
#ifndef PM_LSE_BUFFERED_SOFTMAX_H
#define PM_LSE_BUFFERED_SOFTMAX_H
#include "buffered.h"

/*@ // 32 words of a block, apart from its slots and from a row
    predicate soft_words{L}(float *s, float *v, float *x, integer nx, float *y, integer ny) =
      \valid(s + (0 .. 31)) && perm(s,32) && \separated(s + (0 .. 31), x + (0 .. nx-1)) &&
      \separated(s + (0 .. 31), y + (0 .. ny-1)) &&
      \separated(s + (0 .. 31), v + (0 .. 4*BUFFER_VEC4S-1)); */

/* The maximum of the row in the slots; the next row's early slots begin to arrive. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots) && held_in(held);
    requires early_slots_ == KMAX && early_ == WAY_NONE && late_ == WAY_SENT;
    requires slot_held(x1,lead,n,slots) && row_held{Pre,Pre}(held,x1,lead,n,Lowest,0,mul(KMAX,
      BDIM));
    requires slot_cells{Pre,Pre}(v,x1,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), x1 + (0 .. n-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), held + (0 .. KMAX*MAXB-1));
    requires soft_words(sm,v,x,n2,x1,n);
    assigns v[0 .. 4*BUFFER_VEC4S-1], sm[0 .. 31], early_, late_, fetched_, newest_;
    ensures early_ == WAY_SENT && late_ == WAY_NONE && newest_ == EARLY;
    ensures \result == RowMax{Pre}(x1,n);
    ensures slot_cells{Pre,Post}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
    ensures same_cells{Pre,Post}(v,4*mul(KMAX,BDIM),4*BUFFER_VEC4S); */
DEV float soft_buffer_max(PER_THREADK(float4, held), ROW_BUFFER_PARAM(v), int slots, int slots2,
                          int lead2, int n2, int aligned, const float *RESTRICT x,
                          float *sm GHOST_PARAMS(int lead, int n, const float *x1))
{
  PRIVATE(float, top);
  /*@ loop invariant 0 <= t <= BDIM && \forall integer u; 0 <= u < t ==> top[u] == Lowest;
      loop assigns t, top[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(top, t) = lowest();
  //@ assert x1s: Same{Pre,Here}(x1,n) && Same{Pre,Here}(x,n2);
  //@ assert held: row_held{Here,Here}(held,x1,lead,n,Lowest,0,mul(KMAX,BDIM));
  //@ assert vs: same_cells{Pre,Here}(v,0,4*BUFFER_VEC4S);
  buffer_top_early(top, held, v, slots2, lead2, n2, aligned, x GHOST_ARGS(slots, lead, n, x1));
  buffer_send(EARLY);
  buffer_wait_but_newest();
  //@ assert late: slot_cells{Pre,Here}(v,x1,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
  //@ assert x1t: Same{Pre,Here}(x1,n);
  //@ assert now: slot_cells{Here,Here}(v,x1,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
  buffer_top_late(top, v, slots GHOST_ARGS(lead, n, x1));
  //@ assert max: RowMax(&top[0],BDIM) == RowMax{Pre}(x1,n);
  //@ ghost L2: ;
  //@ assert cells: same_cells{Pre,L2}(v,4*mul(KMAX,BDIM),4*BUFFER_VEC4S);
  //@ assert next: slot_cells{Pre,L2}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  float m = block_max(top, sm);
  //@ assert flat: same_cells{L2,Here}(v,0,4*BUFFER_VEC4S);
  return m;
}

/* The sum of its exponentials; what is held, and its late slots, become what is kept of them. */
/*@ requires slots_of_row(v,slots) && held_in(held) && slot_held(x,lead,n,slots);
    requires early_slots_ == KMAX && late_ == WAY_NONE && m == RowMax(x,n);
    requires row_held{Pre,Pre}(held,x,lead,n,Lowest,0,mul(KMAX,BDIM));
    requires slot_cells{Pre,Pre}(v,x,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), x + (0 .. n-1));
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), held + (0 .. KMAX*MAXB-1));
    requires \separated(held + (0 .. KMAX*MAXB-1), x + (0 .. n-1));
    requires \separated(ss + (0 .. 31), held + (0 .. KMAX*MAXB-1));
    requires soft_words(ss,v,x,n,x,n);
    assigns v[0 .. 4*BUFFER_VEC4S-1], held[0 .. KMAX*MAXB-1], ss[0 .. 31];
    ensures \result == SumExp{Pre}(x,m,n);
    ensures Same{Pre,Post}(x,n);
    ensures kept_held{Pre,Post}(held,logs,x,m,lead,n,mul(KMAX,BDIM));
    ensures kept_cells{Pre,Post}(v,logs,x,m,lead,n,4*mul(KMAX,BDIM),4*slots);
    ensures same_cells{Pre,Post}(v,0,4*mul(KMAX,BDIM)); */
DEV float soft_buffer_sum(PER_THREADK(float4, held), ROW_BUFFER_PARAM(v), int slots, int logs,
                          float m, float *ss GHOST_PARAMS(int lead, int n, const float *x))
{
  PRIVATE(float, acc);
  /*@ loop invariant 0 <= t <= BDIM && zeros(&acc[0], t);
      loop assigns t, acc[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(acc, t) = 0.0f;
  //@ assert none: SumR(&acc[0], 0, BDIM) == 0.0;
  //@ assert xs: Same{Pre,Here}(x,n);
  //@ assert held: row_held{Here,Here}(held,x,lead,n,Lowest,0,mul(KMAX,BDIM));
  //@ assert vs: same_cells{Pre,Here}(v,0,4*BUFFER_VEC4S);
  buffer_exp_early(acc, held, logs, m GHOST_ARGS(slots, lead, n, x));
  //@ assert xt: Same{Pre,Here}(x,n);
  //@ assert late: slot_cells{Here,Here}(v,x,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
  //@ assert sum_e: SumR(&acc[0], 0, BDIM) == SumExp(x,m,lesser(4*mul(KMAX,BDIM)-lead,n));
  //@ assert fits: 0 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  //@ ghost L1: ;
  //@ assert vt: same_cells{Pre,L1}(v,0,4*BUFFER_VEC4S);
  buffer_exp_late(acc, v, slots, logs, m GHOST_ARGS(lead, n, x));
  //@ assert sum: SumR(&acc[0], 0, BDIM) == SumExp{Pre}(x,m,n);
  //@ assert still: but_slot{L1,Here}(held,-1);
  //@ assert kept: kept_held{Pre,Here}(held,logs,x,m,lead,n,mul(KMAX,BDIM));
  //@ assert cells: kept_cells{Pre,Here}(v,logs,x,m,lead,n,4*mul(KMAX,BDIM),4*slots);
  //@ assert first_1: same_cells{L1,Here}(v,0,4*mul(KMAX,BDIM));
  //@ assert first: same_cells{Pre,Here}(v,0,4*mul(KMAX,BDIM));
  //@ ghost L2: ;
  float s = block_sum(acc, ss);
  //@ assert flat: same_cells{L2,Here}(v,0,4*BUFFER_VEC4S);
  //@ assert still_2: but_slot{L2,Here}(held,-1);
  return s;
}
#endif
