/* Block a row, in shared memory, grid-stride: masked_softmax where a row waits in the shared
 * memory of a block (lang/row_buffer.h), which does rows b, b + blocks, ..: x, mask and y are
 * (rows, cols). Rows move as in shared.cu, x alone through the buffer's slots: of its mask a thread
 * keeps a bit an element, which it reads while the row before is written. */
#define ONE_WARP 1 /* see collective/block_sum.h */
#include "../row/grid_stride.h"
#include "masked_buffer_out.h"
#include "../row/buffer_place.h"

/*@ // 32 words of a block, and its slots, are apart from a row: one of a tensor that they are
    // apart from
    predicate words_off{L}(float *s, float *x, integer n) =
      \separated(s + (0 .. 31), x + (0 .. n-1));
    predicate cells_off{L}(float *v, float *x, integer n) =
      \separated(v + (0 .. 4*BUFFER_VEC4S-1), x + (0 .. n-1));
    lemma words_part{L}: \forall float *s, *x, integer k, n, m; words_off(s,x,m) ==> 0 <= k ==>
      k + n <= m ==> words_off(s,x + k,n);
    lemma cells_part{L}: \forall float *v, *x, integer k, n, m; cells_off(v,x,m) ==> 0 <= k ==>
      k + n <= m ==> cells_off(v,x + k,n);
    lemma slots_part{L}: \forall float *v, *x, *b, integer k, n, m; slots_off(v,x,b,m) ==>
      0 <= k ==> k + n <= m ==> slots_off(v,x + k,b + k,n);
    lemma apart_part{L}: \forall float *x, *y, integer k, n, l, p, m; apart(x,m,y,m) ==> 0 <= k ==>
      k + n <= m ==> 0 <= l ==> l + p <= m ==> apart(x + k,n,y + l,p);
    lemma lowest_part{L}: \forall float *x, integer k, n, m; above_lowest(x,m) ==> 0 <= k ==>
      k + n <= m ==> above_lowest(x + k,n);
    lemma unmarked_part{L}: \forall float *x, integer k, n, m; no_mark(x,m) ==> 0 <= k ==>
      k + n <= m ==> no_mark(x + k,n);
    lemma masked_part{L}: \forall float *x, *b, integer k, n, m; masked_in(x,b,m) ==> 0 <= k ==>
      k + n <= m ==> no_mark(x + k,n) && masked_in(x + k,b + k,n);
    // and from the rows there
    predicate open_sums{L}(float *s, float *v, float *x1, float *b1, integer n, float *y, float *x,
                           float *b, integer n2) =
      \valid(s + (0 .. 31)) && perm(s,32) && words_off(s,x1,n) && words_off(s,b1,n) &&
      words_off(s,y,n) && words_off(s,x,n2) && words_off(s,b,n2) &&
      \separated(s + (0 .. 31), v + (0 .. 4*BUFFER_VEC4S-1)); */

/* The first row's bits. */
/*@ requires block && slots_ <= BUFFER_VEC4S && bits_fit && 0 <= slots <= slots_ && bits_in(bits);
    requires slot_row(b,lead,n,aligned) && lead + n <= 4*slots;
    requires \separated(bits + (0 .. BDIM-1), b + (0 .. n-1));
    requires lanes_clear(bits,0,BIT_VEC4S,0,BDIM);
    assigns bits[0 .. BDIM-1];
    ensures lanes_say{Pre,Post}(bits,b,lead,n,BDIM,0,BIT_VEC4S,0,BDIM); */
DEV void open_bits_first(PER_THREAD(slot_bits, bits), int slots, int lead, int n, int aligned,
                         const float *RESTRICT b)
{
  /*@ loop invariant 0 <= j <= KMAX + BUFFER_VEC4S && j0 == mul(j,BDIM) && j <= j0;
      loop invariant bits_read{Pre,Here}(bits,b,lead,n,BDIM,0,BIT_VEC4S,j,0);
      loop assigns j, j0, bits[0 .. BDIM-1];
      loop variant slots - j0; */
  for (int j = 0, j0 = 0; j0 < slots; j++, j0 += BDIM) {
    //@ assert mul(j+1,BDIM) == j0 + BDIM;
    //@ assert j < BIT_VEC4S;
    /*@ loop invariant 0 <= t <= BDIM;
        loop invariant bits_read{Pre,Here}(bits,b,lead,n,BDIM,0,BIT_VEC4S,j,t);
        loop assigns t, bits[0 .. BDIM-1];
        loop variant BDIM - t; */
    EACH_THREAD(t) {
      //@ assert none: j0 + t >= slots ==> slot_says{Pre}(bits[t],j,b,4*(j0+t)-lead,n);
      if (j0 + t < slots) {
        float4 w = buffer_load(4 * (j0 + t) - lead, n, aligned, 1.0f, b GHOST_ARGS(lead, j0 + t));
        //@ assert now: bits_read{Here,Here}(bits,b,lead,n,BDIM,0,BIT_VEC4S,j,t);
        bits_enter(bits, t, j, w GHOST_ARGS(0, BIT_VEC4S, lead, n, b));
        //@ assert read: bits_read{LoopCurrent,Here}(bits,b,lead,n,BDIM,0,BIT_VEC4S,j,t+1);
      }
    }
  }
}

/* The row that is in the slots; the next one begins to arrive there, and its bits in `bits`. */
/*@ requires slots_arrive(v,slots2,x,lead2,n2,aligned) && slots_of_row(v,slots) && bits_fit;
    requires slot_row(b,lead2,n2,aligned) && lead2 + n2 <= 4*slots2 && bits_in(bits);
    requires slot_out(y,lead,n,aligned) && perm_w(y,n) && open_row(x1,b1,lead,n,slots);
    requires early_slots_ == KMAX && early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    requires out_apart(v,y,x1,b1,n,x,n2) && apart(b,n2,y,n);
    requires \separated(v + (0 .. 4*BUFFER_VEC4S-1), b + (0 .. n2-1));
    requires open_sums(sm,v,x1,b1,n,y,x,b,n2) && open_sums(ss,v,x1,b1,n,y,x,b,n2);
    requires \separated(bits + (0 .. BDIM-1), b + (0 .. n2-1));
    requires slot_cells{Pre,Pre}(v,x1,lead,n,Lowest,0,4*slots);
    requires lanes_say{Pre,Pre}(bits,b1,lead,n,BDIM,0,BIT_VEC4S,0,BDIM);
    assigns bits[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], y[0 .. n-1], sm[0 .. 31], ss[0 .. 31],
            early_, late_, fetched_, newest_;
    ensures early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    ensures slot_cells{Pre,Post}(v,x,lead2,n2,Lowest,0,4*slots2);
    ensures lanes_say{Pre,Post}(bits,b,lead2,n2,BDIM,0,BIT_VEC4S,0,BDIM);
    ensures \forall integer c; 0 <= c < n ==> y[c] == MaskedSoftmax{Pre}(x1,b1,n,c); */
DEV void masked_buffer_row(ROW_BUFFER_PARAM(v), PER_THREAD(slot_bits, bits), int slots, int lead,
                           int n, int slots2, int lead2, int n2, int aligned,
                           const float *RESTRICT x, const float *RESTRICT b, float *RESTRICT y,
                           float *sm, float *ss GHOST_PARAMS(const float *x1, const float *b1))
{
  PRIVATEK(float4, held);
  float m, s, by;
  //@ assert early: mul(KMAX,BDIM) == KMAX*BDIM && 0 <= mul(KMAX,BDIM) <= KMAX*MAXB;
  buffer_wait_but_newest();
  buffer_hold_all(held, v, KMAX, slots, lowest());
  //@ ghost L0: ;
  //@ assert rows: Same{Pre,L0}(x1,n);
  //@ assert rows_b: Same{Pre,L0}(b1,n);
  //@ assert nexts: Same{Pre,L0}(x,n2);
  //@ assert nexts_b: Same{Pre,L0}(b,n2);
  //@ assert vs: slot_cells{Pre,L0}(v,x1,lead,n,Lowest,0,4*slots);
  //@ assert held: row_held{Pre,L0}(&held[0],x1,lead,n,Lowest,0,mul(KMAX,BDIM));
  //@ assert held_now: row_held{L0,L0}(&held[0],x1,lead,n,Lowest,0,mul(KMAX,BDIM));
  //@ assert late: slot_cells{L0,L0}(v,x1,lead,n,Lowest,4*mul(KMAX,BDIM),4*slots);
  //@ assert unmarked: no_mark(x1,n);
  //@ assert in: open_row(x1,b1,lead,n,slots);
  //@ assert says: lanes_say{L0,L0}(bits,b1,lead,n,BDIM,0,BIT_VEC4S,0,BDIM);
  /*@ assert away: \forall integer k; 0 <= k < n2 ==>
        \separated(b + k, v + (0 .. 4*BUFFER_VEC4S-1)) && \separated(b + k, sm + (0 .. 31)) &&
        \separated(b + k, &held[0] + (0 .. KMAX*MAXB-1)); */
  m = masked_buffer_max(held, bits, v, slots, slots2, lead2, n2, aligned, x,
                        sm GHOST_ARGS(lead, n, x1, b1));
  //@ ghost L1: ;
  //@ assert max: m == RowTop{Pre}(x1,b1,n);
  //@ assert rows_0: Same{L0,L1}(x1,n);
  //@ assert rows_0_b: Same{L0,L1}(b1,n);
  //@ assert rows_0_c: Same{L0,L1}(x,n2);
  //@ assert b_0: Same{L0,L1}(b,n2);
  //@ assert rows_1: Same{Pre,L1}(x1,n);
  //@ assert rows_1_b: Same{Pre,L1}(b1,n);
  //@ assert nexts_1: Same{Pre,L1}(x,n2);
  //@ assert nexts_1_b: Same{Pre,L1}(b,n2);
  //@ assert max_now: m == RowTop(x1,b1,n);
  //@ assert in_1: open_row(x1,b1,lead,n,slots);
  //@ assert held_0: waits_held{L0,L1}(&held[0],x1,b1,lead,n,0,mul(KMAX,BDIM));
  //@ assert held_1: waits_held{L1,L1}(&held[0],x1,b1,lead,n,0,mul(KMAX,BDIM));
  //@ assert late_0: waits_cells{L0,L1}(v,x1,b1,lead,n,4*mul(KMAX,BDIM),4*slots);
  //@ assert late_1: waits_cells{L1,L1}(v,x1,b1,lead,n,4*mul(KMAX,BDIM),4*slots);
  //@ assert next_0: slot_cells{L0,L1}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  //@ assert next_1: slot_cells{Pre,L1}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  /*@ assert away_x: \forall integer k; 0 <= k < n2 ==>
        \separated(x + k, v + (0 .. 4*BUFFER_VEC4S-1)) && \separated(x + k, ss + (0 .. 31)) &&
        \separated(x + k, &held[0] + (0 .. KMAX*MAXB-1)); */
  /*@ assert away_b: \forall integer k; 0 <= k < n2 ==>
        \separated(b + k, v + (0 .. 4*BUFFER_VEC4S-1)) && \separated(b + k, ss + (0 .. 31)) &&
        \separated(b + k, &held[0] + (0 .. KMAX*MAXB-1)); */
  s = masked_buffer_sum(held, v, slots, m, ss GHOST_ARGS(lead, n, x1, b1));
  //@ ghost L2: ;
  //@ assert sum_1: Lowest < m ==> s == OpenSumExp{L1}(x1,b1,m,n);
  //@ assert sum: Lowest < m ==> s == OpenSumExp{Pre}(x1,b1,m,n);
  //@ assert x_2: Same{L1,L2}(x,n2);
  //@ assert b_2: Same{L1,L2}(b,n2);
  //@ assert rows_2: Same{Pre,L2}(x1,n);
  //@ assert rows_2_b: Same{Pre,L2}(b1,n);
  //@ assert nexts_2: Same{Pre,L2}(x,n2);
  //@ assert nexts_2_b: Same{Pre,L2}(b,n2);
  //@ assert in_2: open_row(x1,b1,lead,n,slots);
  //@ assert held_2: open_held{L2,L2}(&held[0],x1,b1,m,lead,n,mul(KMAX,BDIM));
  //@ assert late_2: open_cells{L2,L2}(v,x1,b1,m,lead,n,4*mul(KMAX,BDIM),4*slots);
  //@ assert next_2: slot_cells{Pre,L2}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  by = masked_closing(s);
  //@ assert closing: s != 0.0 ==> by == rdiv(1.0,s);
  /*@ loop invariant 0 <= t <= BDIM && lanes_clear(bits,0,BIT_VEC4S,0,t);
      loop assigns t, bits[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(bits, t) = 0;
  //@ ghost L3: ;
  //@ assert held_p: open_held{L3,L3}(&held[0],x1,b1,m,lead,n,mul(KMAX,BDIM));
  open_put_late(v, bits, slots, lead, n, slots2, lead2, n2, aligned, by, x, b,
                y GHOST_ARGS(KMAX * BDIM, m, x1, b1));
  buffer_send(LATE);
  //@ ghost L4: ;
  //@ assert rows_3: Same{L3,L4}(x1,n);
  //@ assert rows_3_b: Same{L3,L4}(b1,n);
  //@ assert nexts_3: Same{L3,L4}(x,n2);
  //@ assert nexts_3_b: Same{L3,L4}(b,n2);
  //@ assert rows_4: Same{Pre,L4}(x1,n);
  //@ assert rows_4_b: Same{Pre,L4}(b1,n);
  //@ assert nexts_4: Same{Pre,L4}(x,n2);
  //@ assert nexts_4_b: Same{Pre,L4}(b,n2);
  //@ assert in_4: open_row(x1,b1,lead,n,slots);
  //@ assert first: slot_cells{Pre,L4}(v,x,lead2,n2,Lowest,0,lesser(4*slots2,4*mul(KMAX,BDIM)));
  //@ assert rest: slot_cells{L3,L4}(v,x,lead2,n2,Lowest,4*mul(KMAX,BDIM),4*slots2);
  //@ assert rest_p: slot_cells{Pre,L4}(v,x,lead2,n2,Lowest,4*mul(KMAX,BDIM),4*slots2);
  //@ assert came: slot_cells{Pre,L4}(v,x,lead2,n2,Lowest,0,4*slots2);
  //@ assert done_3: open_part{L3,L4}(y,x1,b1,m,by,n,4*mul(KMAX,BDIM)-lead,n);
  //@ assert done: open_part{Pre,L4}(y,x1,b1,m,by,n,4*mul(KMAX,BDIM)-lead,n);
  //@ assert still: but_slot{L3,L4}(&held[0],-1);
  //@ assert held_3: open_held{L3,L4}(&held[0],x1,b1,m,lead,n,mul(KMAX,BDIM));
  //@ assert held_4: open_held{L4,L4}(&held[0],x1,b1,m,lead,n,mul(KMAX,BDIM));
  //@ assert says_3: lanes_say{L3,L4}(bits,b,lead2,n2,BDIM,KMAX,BIT_VEC4S,0,BDIM);
  //@ assert says_4: lanes_say{L4,L4}(bits,b,lead2,n2,BDIM,KMAX,BIT_VEC4S,0,BDIM);
  //@ assert read_4: bits_read{L4,L4}(bits,b,lead2,n2,BDIM,0,KMAX,0,0);
  open_put_early(held, bits, slots, lead, n, lead2, n2, aligned, by, b, y GHOST_ARGS(m, x1, b1));
  //@ assert early_4: open_part{L4,Here}(y,x1,b1,m,by,n,0,lesser(4*mul(KMAX,BDIM)-lead,n));
  //@ assert early_p: open_part{Pre,Here}(y,x1,b1,m,by,n,0,lesser(4*mul(KMAX,BDIM)-lead,n));
  //@ assert late_p: open_part{Pre,Here}(y,x1,b1,m,by,n,4*mul(KMAX,BDIM)-lead,n);
  //@ assert both: open_part{Pre,Here}(y,x1,b1,m,by,n,0,n);
  /*@ assert one: \forall integer c; 0 <= c < n ==>
        Shared{Pre}(x1,b1,m,by,n,c) == MaskedSoftmax{Pre}(x1,b1,n,c); */
  //@ assert flat: same_cells{L4,Here}(v,0,4*BUFFER_VEC4S);
  //@ assert says_5: lanes_say{L4,Here}(bits,b,lead2,n2,BDIM,0,BIT_VEC4S,0,BDIM);
  //@ assert b_back: Same{L4,Pre}(b,n2);
  //@ assert says_p: lanes_say{Pre,Here}(bits,b,lead2,n2,BDIM,0,BIT_VEC4S,0,BDIM);
}

/*@ predicate open_tensors{L}(float *x, float *b, float *y, integer rows, integer n,
                               integer aligned) =
      slot_reads(x,rows,n,aligned) && slot_reads(b,rows,n,aligned) &&
      slot_writes(y,rows,n,aligned) && above_lowest(x,ix(rows,n,0)) && no_mark(x,ix(rows,n,0)) &&
      apart(x,ix(rows,n,0),y,ix(rows,n,0)) && apart(b,ix(rows,n,0),y,ix(rows,n,0));
    // a block's slots, and 32 of its words, are apart from the tensors and from each other
    predicate slots_alone{L}(float *v, float *x, float *b, float *y, integer n) =
      \valid(v + (0 .. 4*BUFFER_VEC4S-1)) && slots_off(v,x,b,n) && cells_off(v,y,n);
    predicate words_alone{L}(float *s, float *v, float *x, float *b, float *y, integer n) =
      \valid(s + (0 .. 31)) && perm(s,32) && words_off(s,x,n) && words_off(s,b,n) &&
      words_off(s,y,n) && \separated(s + (0 .. 31), v + (0 .. 4*BUFFER_VEC4S-1));
    lemma masked_kept{L0,L1,L2}: \forall float *x, *b, *y, integer n, q;
      row_kept{L1,L2}(y,n,q) ==> masked_at{L0,L1}(x,b,y,n,q) ==> masked_at{L0,L2}(x,b,y,n,q);
    lemma masked_in_all{L1,L2}: \forall float *x, *b, integer n, q, rows; 0 <= q < rows ==>
      0 < n ==> Same{L1,L2}(x,ix(rows,n,0)) ==> Same{L1,L2}(b,ix(rows,n,0)) ==>
      masked_same{L1,L2}(x,b,n,q);
    lemma masked_at_all{L1,L2,L}: \forall float *x, *b, *y, integer n, q, rows; 0 <= q < rows ==>
      0 < n ==> Same{L1,L2}(x,ix(rows,n,0)) ==> Same{L1,L2}(b,ix(rows,n,0)) ==>
      masked_at{L1,L}(x,b,y,n,q) ==> masked_same{L1,L2}(x,b,n,q) && masked_at{L2,L}(x,b,y,n,q);
    lemma masked_but{L0,L1,L2}: \forall float *x, *b, *y, integer n, q, r, rows; 0 <= q < rows ==>
      q != r ==> but_row{L1,L2}(y,n,r,rows) ==> masked_at{L0,L1}(x,b,y,n,q) ==>
      row_kept{L1,L2}(y,n,q) && masked_at{L0,L2}(x,b,y,n,q); */

/* Row r, which is in the slots as `now` says; row q begins to arrive there, as `next` says. */
/*@ requires slots_fit(n) && bits_fit && 0 <= r < rows && 0 <= q;
    requires open_tensors(x,b,y,rows,n,aligned) && bits_in(bits);
    requires slot_placed(now,r,rows,n) && slot_placed(next,q,rows,n);
    requires slots_alone(v,x,b,y,ix(rows,n,0));
    requires words_alone(sm,v,x,b,y,ix(rows,n,0)) && words_alone(ss,v,x,b,y,ix(rows,n,0));
    requires \separated(bits + (0 .. BDIM-1), b + (0 .. ix(rows,n,0)-1));
    requires early_slots_ == KMAX && early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    requires slot_cells{Pre,Pre}(v,x+now.at,now.lead,n,Lowest,0,4*now.slots);
    requires lanes_say{Pre,Pre}(bits,b+now.at,now.lead,n,BDIM,0,BIT_VEC4S,0,BDIM);
    assigns bits[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], y[0 .. ix(rows,n,0)-1], sm[0 .. 31],
            ss[0 .. 31], early_, late_, fetched_, newest_;
    ensures early_ == WAY_SENT && late_ == WAY_SENT && newest_ == LATE;
    ensures slot_cells{Pre,Post}(v,x+next.at,next.lead,next.n,Lowest,0,4*next.slots);
    ensures lanes_say{Pre,Post}(bits,b+next.at,next.lead,next.n,BDIM,0,BIT_VEC4S,0,BDIM);
    ensures masked_at{Pre,Post}(x,b,y,n,r);
    ensures but_row{Pre,Post}(y,n,r,rows); */
DEV void masked_buffer_nth(ROW_BUFFER_PARAM(v), PER_THREAD(slot_bits, bits), slot_place now,
                           slot_place next, int n, int aligned, const float *RESTRICT x,
                           const float *RESTRICT b, float *RESTRICT y, float *sm,
                           float *ss GHOST_PARAMS(idx r, idx q, idx rows))
{
  idx from = buffer_row_at(next GHOST_ARGS(q, rows, n, aligned, x));
  idx mask = buffer_row_at(next GHOST_ARGS(q, rows, n, aligned, b));
  idx to = buffer_out_at(now GHOST_ARGS(r, rows, n, aligned, y));
  //@ assert at: to == ix(r,n,0) && to + n <= ix(rows,n,0) && 0 <= to;
  //@ assert next: 0 <= from && from + next.n <= ix(rows,n,0) && mask == from;
  //@ assert above: above_lowest(x+to,n);
  //@ assert unmarked: no_mark(x+to,n);
  //@ assert all: masked_in(x,b,ix(rows,n,0));
  //@ assert masked: masked_in(x+to,b+to,n);
  //@ assert held: slot_held(x+to,now.lead,n,now.slots);
  //@ assert off_v: cells_off(v,y+to,n);
  //@ assert off_1: slots_off(v,x+to,b+to,n);
  //@ assert off_x: apart(x+to,n,y+to,n);
  //@ assert off_b: apart(b+to,n,y+to,n);
  //@ assert off_2: apart(x+from,next.n,y+to,n);
  //@ assert off_3: apart(b+from,next.n,y+to,n);
  //@ assert off_4: slots_off(v,x+from,b+from,next.n);
  //@ assert off: out_apart(v,y+to,x+to,b+to,n,x+from,next.n);
  //@ assert sm_0: words_off(sm,x+to,n);
  //@ assert sm_1: words_off(sm,b+to,n);
  //@ assert sm_2: words_off(sm,y+to,n);
  //@ assert sm_3: words_off(sm,x+from,next.n);
  //@ assert sm_4: words_off(sm,b+from,next.n);
  //@ assert ss_0: words_off(ss,x+to,n);
  //@ assert ss_1: words_off(ss,b+to,n);
  //@ assert ss_2: words_off(ss,y+to,n);
  //@ assert ss_3: words_off(ss,x+from,next.n);
  //@ assert ss_4: words_off(ss,b+from,next.n);
  /*@ assert away_b: \forall integer k; 0 <= k < to ==> \separated(y + k, sm + (0 .. 31)) &&
        \separated(y + k, ss + (0 .. 31)) && \separated(y + k, v + (0 .. 4*BUFFER_VEC4S-1)) &&
        \separated(y + k, y + (to .. to + n - 1)); */
  /*@ assert away_a: \forall integer k; to + n <= k < ix(rows,n,0) ==>
        \separated(y + k, sm + (0 .. 31)) && \separated(y + k, ss + (0 .. 31)) &&
        \separated(y + k, v + (0 .. 4*BUFFER_VEC4S-1)) &&
        \separated(y + k, y + (to .. to + n - 1)); */
  masked_buffer_row(v, bits, now.slots, now.lead, n, next.slots, next.lead, next.n, aligned,
                    x + from, b + mask, y + to, sm, ss GHOST_ARGS(x + to, b + to));
  //@ assert below: \forall integer k; 0 <= k < to ==> y[k] == \at(y[k],Pre);
  /*@ assert above_r: \forall integer k; to + n <= k < ix(rows,n,0) ==>
        y[k] == \at(y[k],Pre); */
  /*@ assert here: \forall integer c; 0 <= c < n ==>
        y[to+c] == MaskedSoftmax{Pre}(x+to,b+to,n,c); */
  //@ assert cell: \forall integer c; 0 <= c < n ==> ix(r,n,c) == to + c;
  //@ assert new: masked_at{Pre,Here}(x,b,y,n,r);
  //@ assert out: but_cells{Pre,Here}(y,n,r,rows);
}

/*@ // block i's rows below `to` are done
    predicate turn_done{L0,L}(float *x, float *b, float *y, integer n, integer blocks, integer i,
                              integer to) =
      \forall integer q; 0 <= q < to ==> turn_is(q,blocks,i) ==> masked_at{L0,L}(x,b,y,n,q);
    lemma turn_done_kept{L0,L1,L2}: \forall float *x, *b, *y, integer n, blocks, i, r, rows;
      r <= rows ==> but_row{L1,L2}(y,n,r,rows) ==> turn_done{L0,L1}(x,b,y,n,blocks,i,r) ==>
      turn_done{L0,L2}(x,b,y,n,blocks,i,r);
    lemma turn_done_next{L0,L}: \forall float *x, *b, *y, integer n, blocks, i, r, to;
      to <= r + blocks ==> turn_is(r,blocks,i) ==> turn_done{L0,L}(x,b,y,n,blocks,i,r) ==>
      masked_at{L0,L}(x,b,y,n,r) ==> turn_done{L0,L}(x,b,y,n,blocks,i,to);
    lemma turn_done_frame{L1,L2,L}: \forall float *x, *b, *y, integer n, blocks, i, rows; 0 < n ==>
      Same{L1,L2}(x,ix(rows,n,0)) ==> Same{L1,L2}(b,ix(rows,n,0)) ==>
      turn_done{L1,L}(x,b,y,n,blocks,i,rows) ==> turn_done{L2,L}(x,b,y,n,blocks,i,rows);
    // all blocks before i have done their rows
    predicate turns_done{L0,L}(float *x, float *b, float *y, integer n, integer blocks, integer i,
                               integer rows) =
      \forall integer q, a; 0 <= q < rows ==> 0 <= a < i ==> turn_is(q,blocks,a) ==>
        masked_at{L0,L}(x,b,y,n,q);
    lemma turns_done_next{L0,L1,L2}: \forall float *x, *b, *y, integer n, blocks, i, rows;
      but_turn{L1,L2}(y,n,blocks,i,rows) ==> turn_done{L0,L2}(x,b,y,n,blocks,i,rows) ==>
      turns_done{L0,L1}(x,b,y,n,blocks,i,rows) ==> turns_done{L0,L2}(x,b,y,n,blocks,i+1,rows);
    lemma turns_done_each{L0,L}: \forall float *x, *b, *y, integer n, blocks, rows, q;
      0 <= q < rows ==> all_turns(blocks,rows) ==>
      turns_done{L0,L}(x,b,y,n,blocks,blocks,rows) ==>
      turn_has(q,blocks) && masked_at{L0,L}(x,b,y,n,q);
    predicate rows_done{L0,L}(float *x, float *b, float *y, integer n, integer rows) =
      \forall integer q; 0 <= q < rows ==> masked_at{L0,L}(x,b,y,n,q);
    lemma turns_done_rows{L0,L}: \forall float *x, *b, *y, integer n, blocks, rows;
      all_turns(blocks,rows) ==> turns_done{L0,L}(x,b,y,n,blocks,blocks,rows) ==>
      rows_done{L0,L}(x,b,y,n,rows);
    lemma rows_done_c{L0,L}: \forall float *x, *b, *y, integer n, rows, q, c; 0 <= q < rows ==>
      0 <= c < n ==> rows_done{L0,L}(x,b,y,n,rows) ==> masked_at{L0,L}(x,b,y,n,q) &&
      \at(y[ix(q,n,c)],L) == MaskedSoftmax{L0}(x+ix(q,n,0),b+ix(q,n,0),n,c);
    lemma rows_done_all{L0,L}: \forall float *x, *b, *y, integer n, rows;
      rows_done{L0,L}(x,b,y,n,rows) ==> masked_rows{L0,L}(x,b,y,n,rows); */

/* Block i. */
/*@ requires slots_fit(n) && bits_fit && 0 <= i < blocks <= IDX_LIM;
    requires open_tensors(x,b,y,rows,n,aligned);
    assigns y[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_, newest_;
    ensures turn_done{Pre,Post}(x,b,y,n,blocks,i,rows);
    ensures but_turn{Pre,Post}(y,n,blocks,i,rows); */
DEV void masked_buffer_block(idx i, idx blocks, int aligned, idx rows, int n,
                             const float *RESTRICT x, const float *RESTRICT b, float *RESTRICT y)
{
  ROW_BUFFER(v, KMAX);
  SHARED(float, sm, 32);
  SHARED(float, ss, 32);
  PRIVATE(slot_bits, bits);
  slot_place now = buffer_place(i, rows, n);
  buffer_fetch_first(v, KMAX, now.slots, now.lead, now.n, aligned, lowest(),
                     x + buffer_row_at(now GHOST_ARGS(i, rows, n, aligned, x)));
  /*@ loop invariant 0 <= t <= BDIM && lanes_clear(&bits[0],0,BIT_VEC4S,0,t);
      loop assigns t, bits[0 .. BDIM-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) AT(bits, t) = 0;
  //@ assert begun: Same{Pre,Here}(x,ix(rows,n,0));
  //@ assert begun_b: Same{Pre,Here}(b,ix(rows,n,0));
  //@ assert at_0: 0 <= now.at && now.at + now.n <= ix(rows,n,0);
  //@ ghost L0: ;
  open_bits_first(bits, now.slots, now.lead, now.n, aligned,
                  b + buffer_row_at(now GHOST_ARGS(i, rows, n, aligned, b)));
  /*@ assert away: \forall integer k; 0 <= k < ix(rows,n,0) ==>
        \separated(x + k, y + (0 .. ix(rows,n,0)-1)) && \separated(x + k, &sm[0] + (0 .. 31)) &&
        \separated(x + k, &ss[0] + (0 .. 31)) &&
        \separated(x + k, &v[0] + (0 .. 4*BUFFER_VEC4S-1)); */
  /*@ assert away_b: \forall integer k; 0 <= k < ix(rows,n,0) ==>
        \separated(b + k, y + (0 .. ix(rows,n,0)-1)) && \separated(b + k, &sm[0] + (0 .. 31)) &&
        \separated(b + k, &ss[0] + (0 .. 31)) &&
        \separated(b + k, &v[0] + (0 .. 4*BUFFER_VEC4S-1)); */
  //@ assert first: slot_cells{Pre,Here}(&v[0],x+now.at,now.lead,now.n,Lowest,0,4*now.slots);
  /*@ assert says_b: lanes_say{L0,Here}(&bits[0],b+now.at,now.lead,now.n,BDIM,0,BIT_VEC4S,0,
                                        BDIM); */
  //@ assert row_b: Same{L0,Pre}(b+now.at,now.n);
  //@ assert says_0: lanes_say{Pre,Here}(&bits[0],b+now.at,now.lead,now.n,BDIM,0,BIT_VEC4S,0,BDIM);
  /*@ loop invariant i <= r <= IDX_LIM + blocks && slot_placed(now,r,rows,n);
      loop invariant turn_is(r,blocks,i);
      loop invariant early_slots_ == KMAX && early_ == WAY_SENT && late_ == WAY_SENT;
      loop invariant newest_ == LATE;
      loop invariant slot_cells{Pre,Here}(&v[0],x+now.at,now.lead,now.n,Lowest,0,4*now.slots);
      loop invariant lanes_say{Pre,Here}(&bits[0],b+now.at,now.lead,now.n,BDIM,0,BIT_VEC4S,0,BDIM);
      loop invariant turn_done{Pre,Here}(x,b,y,n,blocks,i,lesser(r,rows));
      loop invariant but_turn{Pre,Here}(y,n,blocks,i,rows);
      loop assigns r, now, bits[0 .. BDIM-1], v[0 .. 4*BUFFER_VEC4S-1], y[0 .. ix(rows,n,0)-1],
                   sm[0 .. 31], ss[0 .. 31], early_, late_, fetched_, newest_;
      loop variant rows - r; */
  for (idx r = i; r < rows; r += blocks) {
    slot_place next = buffer_place(r + blocks, rows, n);
    //@ assert xs: Same{Pre,Here}(x,ix(rows,n,0));
    //@ assert bs: Same{Pre,Here}(b,ix(rows,n,0));
    //@ assert next_in: 0 <= next.at && next.at + next.n <= ix(rows,n,0);
    //@ assert row_next: Same{LoopCurrent,Pre}(x+next.at,next.n);
    //@ assert mask_next: Same{LoopCurrent,Pre}(b+next.at,next.n);
    //@ assert all: above_lowest(x,ix(rows,n,0));
    //@ assert none: no_mark(x,ix(rows,n,0));
    //@ assert tensors: open_tensors(x,b,y,rows,n,aligned);
    //@ assert at: 0 <= now.at && now.at + n <= ix(rows,n,0) && now.n == n;
    //@ assert row_now: Same{Pre,Here}(x+now.at,n);
    //@ assert row_now_b: Same{Pre,Here}(b+now.at,n);
    //@ assert now: slot_cells{Here,Here}(&v[0],x+now.at,now.lead,n,Lowest,0,4*now.slots);
    //@ assert says: lanes_say{Here,Here}(&bits[0],b+now.at,now.lead,n,BDIM,0,BIT_VEC4S,0,BDIM);
    masked_buffer_nth(v, bits, now, next, n, aligned, x, b, y, sm,
                      ss GHOST_ARGS(r, r + blocks, rows));
    //@ ghost L1: ;
    //@ assert at_r: masked_at{LoopCurrent,L1}(x,b,y,n,r);
    //@ assert row_r: masked_same{LoopCurrent,Pre}(x,b,n,r);
    //@ assert at_pre: masked_at{Pre,L1}(x,b,y,n,r);
    //@ assert but: but_row{LoopCurrent,L1}(y,n,r,rows);
    //@ assert old: turn_done{Pre,L1}(x,b,y,n,blocks,i,r);
    /*@ assert came: slot_cells{LoopCurrent,L1}(&v[0],x+next.at,next.lead,next.n,Lowest,0,
                                                4*next.slots); */
    /*@ assert said: lanes_say{LoopCurrent,L1}(&bits[0],b+next.at,next.lead,next.n,BDIM,0,
                                               BIT_VEC4S,0,BDIM); */
    /*@ assert came_pre: slot_cells{Pre,L1}(&v[0],x+next.at,next.lead,next.n,Lowest,0,
                                            4*next.slots); */
    /*@ assert said_pre: lanes_say{Pre,L1}(&bits[0],b+next.at,next.lead,next.n,BDIM,0,BIT_VEC4S,0,
                                           BDIM); */
    now = next;
  }
}

/* VEC: all tensors are 16-byte aligned. */
/*@ requires slots_fit(n) && bits_fit && 0 < blocks <= IDX_LIM && ix(blocks,1,0) <= BLOCKS;
    requires open_tensors(x,b,y,rows,n,VEC);
    assigns y[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_, newest_;
    ensures masked_rows{Pre,Post}(x,b,y,n,rows); */
TEMPLATE(int VEC)
KERNEL void THREADS_AT_MOST(1024)
    masked_softmax_shared(CONSTANTS(int VEC) idx blocks, idx rows, int n, const float *RESTRICT x,
                          const float *RESTRICT b, float *RESTRICT y)
{
  /*@ loop invariant 0 <= i <= blocks;
      loop invariant turns_done{Pre,Here}(x,b,y,n,blocks,i,rows);
      loop assigns i, y[0 .. ix(rows,n,0)-1], early_slots_, early_, late_, fetched_, newest_;
      loop variant blocks - i; */
  BROWS(i, blocks, 1) {
    //@ assert xs: Same{Pre,Here}(x,ix(rows,n,0));
    //@ assert xs_b: Same{Pre,Here}(b,ix(rows,n,0));
    //@ assert all: above_lowest(x,ix(rows,n,0)) && no_mark(x,ix(rows,n,0));
    masked_buffer_block(i, blocks, VEC, rows, n, x, b, y);
    //@ assert at: turn_done{LoopCurrent,Here}(x,b,y,n,blocks,i,rows);
    //@ assert was: Same{LoopCurrent,Pre}(x,ix(rows,n,0));
    //@ assert was_b: Same{LoopCurrent,Pre}(b,ix(rows,n,0));
    //@ assert new: turn_done{Pre,Here}(x,b,y,n,blocks,i,rows);
    //@ assert kept: but_turn{LoopCurrent,Here}(y,n,blocks,i,rows);
  }
  //@ assert turns: all_turns(blocks,rows);
  //@ assert end: turns_done{Pre,Here}(x,b,y,n,blocks,blocks,rows);
  //@ assert each: rows_done{Pre,Here}(x,b,y,n,rows);
}

#ifndef __FRAMAC__
/* -------------------------------------------------- launchers */
#include "launch.h"
#include "../row/sizes.h"

/* bits_fit: a thread has 32 elements (big_block), unless the block has as many threads as may
 * be. */
static_assert(BUFFER_VEC4S <= BIT_VEC4S * BIG_BLOCK && 32 / 4 + 1 <= BIT_VEC4S,
              "a bit for each slot");

extern "C" void LAUNCHER(masked_softmax_shared)(const pm_exec *ex, int vec, int64_t blocks,
                                                int block, int64_t rows, int64_t cols,
                                                const float *x, const float *mask, float *y)
{
  int w = (int)cols;
  if (vec)
    LAUNCH_ROW_BUFFER(masked_softmax_shared<1>, blocks, block, cols, ex->stream, blocks, rows, w, x,
                      mask, y);
  else
    LAUNCH_ROW_BUFFER(masked_softmax_shared<0>, blocks, block, cols, ex->stream, blocks, rows, w, x,
                      mask, y);
}
#endif
