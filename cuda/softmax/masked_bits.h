/* Bit mask of a row, a bit an element, beside the row buffer (row/buffered.h): a thread has the
 * bits of its own slots in a word, four for slot j from bit 4 j on, which say what is blocked. */
#ifndef PM_SOFTMAX_MASKED_BITS_H
#define PM_SOFTMAX_MASKED_BITS_H
#include "../row/buffered.h"

typedef unsigned long long slot_bits;
#define BIT_VEC4S 16

/*@ // a block whose threads have bits for all of their slots
    predicate bits_fit{L} = slots_ <= mul(BIT_VEC4S,bdim_);
    lemma few_slots: \forall integer j, b, s; mul(j,b) < s ==> s <= mul(BIT_VEC4S,b) ==>
      0 <= b ==> j < BIT_VEC4S;
    // bit p, and how shifts move it
    predicate bit(integer w, integer p) = (w & (1 << p)) != 0;
    lemma bit_of_none: \forall integer p; 0 <= p ==> !bit(0,p);
    lemma bit_of_or: \forall integer v, w, p; 0 <= p ==> (bit(v | w,p) <==> bit(v,p) || bit(w,p));
    lemma bit_up: \forall integer w, n, p; 0 <= n <= p ==> (bit(w << n,p) <==> bit(w,p-n));
    lemma bit_up_low: \forall integer w, n, p; 0 <= p < n ==> !bit(w << n,p);
    lemma bit_down: \forall integer w, n, p; 0 <= n ==> 0 <= p ==>
      (bit(w >> n,p) <==> bit(w,p+n));
    lemma power_0: \forall integer n; n == 0 ==> (1 << n) == 1;
    lemma power_1: \forall integer n; n == 1 ==> (1 << n) == 2;
    lemma power_2: \forall integer n; n == 2 ==> (1 << n) == 4;
    lemma power_3: \forall integer n; n == 3 ==> (1 << n) == 8;
    lemma bit_power: \forall integer n, p; 0 <= n ==> 0 <= p ==> (bit(1 << n,p) <==> n == p);
    lemma bit_1: \forall integer p; 0 <= p ==> (bit(1,p) <==> p == 0);
    lemma bit_2: \forall integer p; 0 <= p ==> (bit(2,p) <==> p == 1);
    lemma bit_4: \forall integer p; 0 <= p ==> (bit(4,p) <==> p == 2);
    lemma bit_8: \forall integer p; 0 <= p ==> (bit(8,p) <==> p == 3);
    lemma or_apart: \forall integer v, n; 0 <= n ==> !bit(v,n) ==>
      (v | (1 << n)) == v + (1 << n);
    lemma and_1: \forall integer w; (w & 1) != 0 <==> bit(w,0);
    lemma and_2: \forall integer w; (w & 2) != 0 <==> bit(w,1);
    lemma and_4: \forall integer w; (w & 4) != 0 <==> bit(w,2);
    lemma and_8: \forall integer w; (w & 8) != 0 <==> bit(w,3);
    // the four of slot j, and those of all others
    predicate four_bits(integer w, integer j, real x, real y, real z, real u) =
      (bit(w,4*j) <==> x != 0.0) && (bit(w,4*j+1) <==> y != 0.0) &&
      (bit(w,4*j+2) <==> z != 0.0) && (bit(w,4*j+3) <==> u != 0.0);
    predicate bits_below(integer w, integer n) = \forall integer p; n <= p ==> !bit(w,p);
    predicate bits_up(integer v, integer w, integer n) =
      \forall integer p; 0 <= p ==> (bit(w,p) <==> n <= p && bit(v,p-n));
    predicate slot_clear(integer w, integer j) =
      !bit(w,4*j) && !bit(w,4*j+1) && !bit(w,4*j+2) && !bit(w,4*j+3);
    predicate same_bits(integer v, integer w, integer j) =
      (bit(v,4*j) <==> bit(w,4*j)) && (bit(v,4*j+1) <==> bit(w,4*j+1)) &&
      (bit(v,4*j+2) <==> bit(w,4*j+2)) && (bit(v,4*j+3) <==> bit(w,4*j+3));
    predicate but_bits(integer v, integer w, integer j) =
      \forall integer i; 0 <= i ==> i != j ==> same_bits(v,w,i);
    predicate only_slot(integer w, integer j) =
      \forall integer i; 0 <= i ==> i != j ==> slot_clear(w,i);
    predicate bits_join(integer u, integer v, integer w) =
      \forall integer p; 0 <= p ==> (bit(u,p) <==> bit(v,p) || bit(w,p));
    lemma join_same: \forall integer u, v, w, i; 0 <= i ==> bits_join(u,v,w) ==>
      slot_clear(w,i) ==> same_bits(v,u,i);
    lemma join_but: \forall integer u, v, w, j; bits_join(u,v,w) ==> only_slot(w,j) ==>
      but_bits(v,u,j);
    lemma none_clear: \forall integer j; 0 <= j ==> slot_clear(0,j); */

/*@ // bit n may have come to v
    predicate bit_came(integer w, integer v, integer n, real b) =
      \forall integer p; 0 <= p ==> (bit(w,p) <==> bit(v,p) || (p == n && b != 0.0)); */

/* v, and bit n, which c has, unless b is 0. */
/*@ requires 0 <= n && c == (1 << n) && !bit(v,n) && 0 <= v < c <= 8;
    assigns \nothing;
    ensures bit_came(\result,v,n,b);
    ensures 0 <= \result < 2*c; */
DEV slot_bits with_bit(slot_bits v, slot_bits c, float b GHOST_PARAMS(int n))
{
  //@ assert sum: (v | c) == v + c;
  //@ assert bits: \forall integer p; 0 <= p ==> (bit(v | c,p) <==> bit(v,p) || p == n);
  return b != 0.0f ? v | c : v;
}

/* What is not 0. */
/*@ assigns \nothing;
    ensures 0 <= \result < 16;
    ensures four_bits(\result,0,b.x,b.y,b.z,b.w);
    ensures bits_below(\result,4); */
DEV slot_bits four_blocked(float4 b)
{
  slot_bits w = with_bit(0, 1, b.x GHOST_ARGS(0));
  w = with_bit(w, 2, b.y GHOST_ARGS(1));
  w = with_bit(w, 4, b.z GHOST_ARGS(2));
  return with_bit(w, 8, b.w GHOST_ARGS(3));
}

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
/*@ requires 0 <= j < BIT_VEC4S && 0 <= b < 16;
    assigns \nothing;
    ensures bits_up(b,\result,4*j); */
DEV slot_bits bits_of(slot_bits b, int j)
{
  //@ assert (b << 4*j) <= (b << 60);
  //@ assert (b << 60) == 1152921504606846976*b;
  return b << 4 * j;
}

/* The bits of slot j, from its mask. */
/*@ requires 0 <= j < BIT_VEC4S;
    assigns \nothing;
    ensures four_bits(\result,j,b.x,b.y,b.z,b.w);
    ensures only_slot(\result,j); */
DEV slot_bits blocked_bits(float4 b, int j) { return bits_of(four_blocked(b), j); }

/*@ assigns \nothing;
    ensures bits_join(\result,v,w); */
DEV slot_bits bits_both(slot_bits v, slot_bits w) { return v | w; }

/*@ // element k's bit p, which may be any where the row has none; and those of four from k on
    predicate bit_says{L}(integer w, integer p, float *b, integer k, integer n) =
      0 <= k < n ==> (bit(w,p) <==> b[k] != 0.0);
    predicate slot_says{L}(integer w, integer j, float *b, integer k, integer n) =
      bit_says(w,4*j,b,k,n) && bit_says(w,4*j+1,b,k+1,n) && bit_says(w,4*j+2,b,k+2,n) &&
      bit_says(w,4*j+3,b,k+3,n);
    lemma slot_says_frame{L1,L2}: \forall integer w, j, float *b, integer k, n;
      Same{L1,L2}(b,n) ==> slot_says{L1}(w,j,b,k,n) ==> slot_says{L2}(w,j,b,k,n);
    lemma slot_says_but{L}: \forall integer v, w, at, j, float *b, integer k, n; 0 <= j ==>
      j != at ==> but_bits(v,w,at) ==> slot_says{L}(v,j,b,k,n) ==>
      same_bits(v,w,j) && slot_says{L}(w,j,b,k,n);
    lemma slot_clear_but: \forall integer v, w, at, j; 0 <= j ==> j != at ==> but_bits(v,w,at) ==>
      same_bits(v,w,j) && (slot_clear(v,j) <==> slot_clear(w,j));
    lemma slot_says_mask{L}: \forall integer w, j, float4 d, float *b, integer k, n;
      slot_vec(d,b,k,n,1.0) ==> four_bits(w,j,d.x,d.y,d.z,d.w) ==> slot_says(w,j,b,k,n);
    // slots from .. to-1 of lane t of T, and of lanes lo .. hi-1
    predicate lane_says{L}(integer w, float *b, integer lead, integer n, integer T, integer t,
                           integer from, integer to) =
      \forall integer j; from <= j < to ==> slot_says{L}(w,j,b,4*(mul(j,T)+t)-lead,n);
    predicate lane_clear(integer w, integer from, integer to) =
      \forall integer j; from <= j < to ==> slot_clear(w,j);
    predicate lanes_say{L0,L}(slot_bits *bits, float *b, integer lead, integer n, integer T,
                              integer from, integer to, integer lo, integer hi) =
      \forall integer t; lo <= t < hi ==> lane_says{L0}(\at(bits[t],L),b,lead,n,T,t,from,to);
    predicate lanes_clear{L}(slot_bits *bits, integer from, integer to, integer lo, integer hi) =
      \forall integer t; lo <= t < hi ==> lane_clear(bits[t],from,to);
    lemma lane_says_frame{L1,L2}: \forall integer w, float *b, integer lead, n, T, t, from, to;
      Same{L1,L2}(b,n) ==> lane_says{L1}(w,b,lead,n,T,t,from,to) ==>
      lane_says{L2}(w,b,lead,n,T,t,from,to);
    lemma lanes_say_frame{L1,L2,L}: \forall slot_bits *bits, float *b,
      integer lead, n, T, from, to, lo, hi; Same{L1,L2}(b,n) ==>
      lanes_say{L1,L}(bits,b,lead,n,T,from,to,lo,hi) ==>
      lanes_say{L2,L}(bits,b,lead,n,T,from,to,lo,hi);
    lemma lane_says_but{L}: \forall integer v, w, at, float *b, integer lead, n, T, t, from, to;
      0 <= from ==> (at < from || to <= at) ==> but_bits(v,w,at) ==>
      lane_says{L}(v,b,lead,n,T,t,from,to) ==> lane_says{L}(w,b,lead,n,T,t,from,to);
    lemma lane_clear_but: \forall integer v, w, at, from, to; 0 <= from ==>
      (at < from || to <= at) ==> but_bits(v,w,at) ==> lane_clear(v,from,to) ==>
      lane_clear(w,from,to);
    // while slots from .. till-1 of the threads are read in turn, up to slot j of thread t
    predicate bits_read{L0,L}(slot_bits *bits, float *b, integer lead, integer n, integer T,
                              integer from, integer till, integer j, integer t) =
      lanes_say{L0,L}(bits,b,lead,n,T,from,j,0,T) && lanes_say{L0,L}(bits,b,lead,n,T,j,j+1,0,t) &&
      lanes_clear{L}(bits,j+1,till,0,T) && lanes_clear{L}(bits,j,lesser(j+1,till),t,T);
    lemma lanes_say_next{L0,L}: \forall slot_bits *bits, float *b, integer lead, n, T, from, j,
      next, lo, hi; j < next <= j + 1 ==> lanes_say{L0,L}(bits,b,lead,n,T,from,j,lo,hi) ==>
      lanes_say{L0,L}(bits,b,lead,n,T,j,j+1,lo,hi) ==>
      lanes_say{L0,L}(bits,b,lead,n,T,from,next,lo,hi);
    lemma lanes_say_none{L0,L}: \forall slot_bits *bits, float *b, integer lead, n, T, from, to, lo,
      hi; (to <= from || hi <= lo) ==> lanes_say{L0,L}(bits,b,lead,n,T,from,to,lo,hi);
    lemma lanes_clear_in{L}: \forall slot_bits *bits, integer from, to, a, c, lo, hi; from <= a ==>
      c <= to ==> lanes_clear{L}(bits,from,to,lo,hi) ==> lanes_clear{L}(bits,a,c,lo,hi);
    lemma bits_read_none{L0,L}: \forall slot_bits *bits, float *b, integer lead, n, T, lo, from,
      till; 0 <= lo <= from ==> lanes_clear{L}(bits,lo,till,0,T) ==>
      bits_read{L0,L}(bits,b,lead,n,T,from,till,from,0);
    lemma bits_read_row{L0,L}: \forall slot_bits *bits, float *b, integer lead, n, T, from, till, j,
      next; j < next <= j + 1 ==> from <= j ==>
      bits_read{L0,L}(bits,b,lead,n,T,from,till,j,T) ==>
      bits_read{L0,L}(bits,b,lead,n,T,from,till,next,0);
    lemma bits_read_frame{L1,L2,L}: \forall slot_bits *bits, float *b, integer lead, n, T, from,
      till, j, t; Same{L1,L2}(b,n) ==> bits_read{L1,L}(bits,b,lead,n,T,from,till,j,t) ==>
      bits_read{L2,L}(bits,b,lead,n,T,from,till,j,t);
    // where the row has no more, nor has its mask
    lemma lane_says_past{L}: \forall integer w, float *b, integer lead, n, T, t, from, to;
      0 <= t ==> 0 <= T ==> n <= 4*mul(from,T) - lead ==> lane_says{L}(w,b,lead,n,T,t,from,to);
    lemma lanes_say_past{L0,L}: \forall slot_bits *bits, float *b, integer lead, n, T, from, to, lo,
      hi; 0 <= lo ==> 0 <= T ==> n <= 4*mul(from,T) - lead ==>
      lanes_say{L0,L}(bits,b,lead,n,T,from,to,lo,hi);
    lemma lane_says_both{L}: \forall integer w, float *b, integer lead, n, T, t, from, mid, to;
      lane_says{L}(w,b,lead,n,T,t,from,mid) ==> lane_says{L}(w,b,lead,n,T,t,mid,to) ==>
      lane_says{L}(w,b,lead,n,T,t,from,to);
    lemma lanes_say_both{L0,L}: \forall slot_bits *bits, float *b, integer lead, n, T, from, mid,
      to, lo, hi; lanes_say{L0,L}(bits,b,lead,n,T,from,mid,lo,hi) ==>
      lanes_say{L0,L}(bits,b,lead,n,T,mid,to,lo,hi) ==>
      lanes_say{L0,L}(bits,b,lead,n,T,from,to,lo,hi);
    lemma bits_read_all{L0,L}: \forall slot_bits *bits, float *b, integer lead, n, T, from, till, j,
      to; bits_read{L0,L}(bits,b,lead,n,T,from,till,j,0) ==> 0 <= T ==>
      n <= 4*mul(j,T) - lead ==> lanes_say{L0,L}(bits,b,lead,n,T,j,to,0,T) &&
      lanes_say{L0,L}(bits,b,lead,n,T,from,to,0,T);
    predicate bits_in{L}(slot_bits *bits) = \valid(bits + (0 .. bdim_-1)); */

/* Slot j of thread t is read, d being its mask. */
/*@ requires block && 0 <= t < BDIM && 0 <= from <= j < till <= BIT_VEC4S && bits_in(bits);
    requires slot_vec(d,b,4*(mul(j,BDIM)+t)-lead,n,1.0);
    requires bits_read{Pre,Pre}(bits,b,lead,n,BDIM,from,till,j,t);
    requires \valid_read(b + (0 .. n-1)) && \separated(bits + (0 .. BDIM-1), b + (0 .. n-1));
    assigns bits[t];
    ensures but_bits(\old(bits[t]),bits[t],j);
    ensures bits_read{Pre,Post}(bits,b,lead,n,BDIM,from,till,j,t+1); */
DEV void bits_enter(PER_THREAD(slot_bits, bits), int t, int j,
                    float4 d GHOST_PARAMS(int from, int till, int lead, int n, const float *b))
{
  //@ assert clear: slot_clear(bits[t],j);
  slot_bits w = blocked_bits(d, j);
  AT(bits, t) = bits_both(AT(bits, t), w);
  //@ assert join: bits_join(bits[t],\at(bits[t],Pre),w);
  //@ assert says: four_bits(bits[t],j,d.x,d.y,d.z,d.w);
  //@ assert this: slot_says{Pre}(bits[t],j,b,4*(mul(j,BDIM)+t)-lead,n);
  //@ assert others: but_bits(\at(bits[t],Pre),bits[t],j);
  //@ assert lane: lane_says{Pre}(bits[t],b,lead,n,BDIM,t,from,j);
  //@ assert one: lane_says{Pre}(bits[t],b,lead,n,BDIM,t,j,j+1);
  //@ assert rest: lane_clear(bits[t],j+1,till);
  //@ assert before: lanes_say{Pre,Here}(bits,b,lead,n,BDIM,from,j,0,BDIM);
  //@ assert next: lanes_say{Pre,Here}(bits,b,lead,n,BDIM,j,j+1,0,t+1);
  //@ assert clear_1: lanes_clear(bits,j+1,till,0,BDIM);
  //@ assert clear_0: lanes_clear(bits,j,lesser(j+1,till),t+1,BDIM);
}
#endif
