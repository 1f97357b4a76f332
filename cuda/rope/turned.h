/* The kernels of rope and rope_vjp: y, (batch, seq, heads, 2 half), is x turned, or turned back. A
 * line is a batch and a head. The thread (p,s,i) has step s, the pair, or the four pairs, of number
 * i and every line k with k mod parts == p. */
#ifndef PM_ROPE_TURNED_H
#define PM_ROPE_TURNED_H
#include "../lang/owned.h"
#include "../math/index_product.h"
#include "angle.h"
#include "../../spec/rope.h"

/* lines: batch * heads; parts: threads that share those of a step */
typedef struct rope_sizes {
  idx lines, parts, seq, heads, half;
} rope_sizes;

/*@ // rows of y
    logic integer TurnRows(rope_sizes z) = ix(ix(quo(z.lines,z.heads),z.seq,0),z.heads,0);
    predicate turn_sizes(rope_sizes z) =
      0 < z.lines && 0 < z.parts <= z.lines && 0 < z.seq <= ROPE_POSITIONS && 0 < z.heads &&
      0 < z.half && 2*z.half <= IDX_LIM && z.lines <= IDX_LIM &&
      z.lines == ix(quo(z.lines,z.heads),z.heads,0) && ix(z.parts,z.seq,0) <= IDX_LIM &&
      ix(TurnRows(z),2*z.half,0) <= IDX_LIM;
    lemma quo_ix: \forall integer a, n, b; 0 <= a ==> 0 <= b < n ==>
      quo(ix(a,n,b),n) == a && rem(ix(a,n,b),n) == b;
    lemma rem_small: \forall integer l, n; 0 <= l < n ==> rem(l,n) == l;
    lemma rem_again: \forall integer l, n; 0 <= l ==> 0 < n ==> rem(l+n,n) == rem(l,n);
    axiomatic TurnPlace {
      // the row of line k at step s
      logic integer TurnRow(rope_sizes z, integer k, integer s) reads \nothing;
      axiom turn_row_def: \forall rope_sizes z, integer k, s;
        TurnRow(z,k,s) == ix(ix(quo(k,z.heads),z.seq,s),z.heads,rem(k,z.heads));
      // whose a row is: ix(p,z.seq,s) of the threads (p,s,..)
      logic integer TurnGroup(rope_sizes z, integer r) reads \nothing;
      axiom turn_group_def: \forall rope_sizes z, integer r; TurnGroup(z,r) ==
        ix(rem(ix(quo(quo(r,z.heads),z.seq),z.heads,rem(r,z.heads)),z.parts),z.seq,
           RopeStep(r,z.heads,z.seq));
    }
    // the pair of an element of a row
    logic integer TurnPair(rope_sizes z, integer c) = c < z.half ? c : c - z.half;
    lemma turn_row_in: \forall rope_sizes z, integer k, s; turn_sizes(z) ==> 0 <= k < z.lines ==>
      0 <= s < z.seq ==> 0 <= TurnRow(z,k,s) < TurnRows(z);
    lemma turn_row_group: \forall rope_sizes z, integer k, s; turn_sizes(z) ==>
      0 <= k < z.lines ==> 0 <= s < z.seq ==>
      TurnGroup(z,TurnRow(z,k,s)) == ix(rem(k,z.parts),z.seq,s);

    // whose an element of y is, where a thread has a pair
    predicate own_pairs{L}(float *y, integer rows, integer cols, rope_sizes z) =
      held(y,ix(rows,cols,0)) && (\forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        owner(y+(ix(r,cols,0)+c),ix(TurnGroup(z,r),z.half,TurnPair(z,c)),GRID));
    predicate turn_in{L}(float *x, float *inv_freq, float *y, rope_sizes z, integer table,
                         real log2_base, integer first) =
      turn_sizes(z) && 0 <= first <= ROPE_POSITIONS - z.seq && -250 <= log2_base <= 250 &&
      reads(x,ix(TurnRows(z),2*z.half,0)) && (table != 0 ==> reads(inv_freq,z.half)) &&
      apart(x,ix(TurnRows(z),2*z.half,0),y,ix(TurnRows(z),2*z.half,0)) &&
      (table != 0 ==> apart(inv_freq,z.half,y,ix(TurnRows(z),2*z.half,0))); */

/*@ requires 0 <= i && 0 <= n && 0 <= j && ix(i,n,j) <= IDX_LIM;
    assigns \nothing;
    ensures \result == ix(i,n,j); */
DEV idx place_in(idx i, idx n, idx j)
{
  //@ assert 0 <= i * n && i * n + j == ix(i,n,j);
  return i * n + j;
}

/* Where the row of line k at step s begins. */
/*@ requires turn_sizes(z) && 0 <= k < z.lines && 0 <= s < z.seq;
    assigns \nothing;
    ensures \result == ix(TurnRow(z,k,s),2*z.half,0); */
DEV idx place_of(rope_sizes z, idx k, idx s)
{
  idx b = k / z.heads, h = k % z.heads;
  //@ assert digits: b == quo(k,z.heads) && h == rem(k,z.heads) && 0 <= b && 0 <= h < z.heads;
  //@ assert row: 0 <= TurnRow(z,k,s) < TurnRows(z) && 0 <= ix(b,z.seq,s);
  /*@ assert end: ix(b,z.seq,s) <= TurnRow(z,k,s) <= ix(TurnRow(z,k,s),2*z.half,0) &&
        ix(TurnRow(z,k,s),2*z.half,0) <= ix(TurnRows(z),2*z.half,0); */
  return place_in(place_in(place_in(b, z.seq, s), z.heads, h), 2 * z.half, 0);
}

/*@ requires 0 <= e && 0 < half && e + half <= IDX_LIM;
    requires \valid(y+e) && \valid(y+(e+half)) && W(y+e) && W(y+(e+half));
    requires \valid_read(x+e) && \valid_read(x+(e+half)) && R(x+e) && R(x+(e+half));
    assigns y[e], y[e+half]; */
DEV void turn_one(idx e, idx half, int adds, pm_turn t, const float *RESTRICT x,
                  float *RESTRICT y THREAD_FN)
{
  float a = LDG(x + e), b = LDG(x + (e + half));
  float u = first_f(a, b, t.c, t.s), v = second_f(a, b, t.c, t.s);
  STG(y + e, adds ? LDG_OWN(y + e) + u : u);
  STG(y + (e + half), adds ? LDG_OWN(y + (e + half)) + v : v);
}

/*@ requires 0 <= e && 0 < half && e + half <= IDX_LIM;
    requires aligned16(x+e) && aligned16(x+(e+half)) && aligned16(y+e) && aligned16(y+(e+half));
    requires \valid(y + (e .. e+3)) && \valid(y + (e+half .. e+half+3));
    requires W(y+e) && W(y+(e+1)) && W(y+(e+2)) && W(y+(e+3));
    requires W(y+(e+half)) && W(y+(e+half+1)) && W(y+(e+half+2)) && W(y+(e+half+3));
    requires \valid_read(x + (e .. e+3)) && \valid_read(x + (e+half .. e+half+3));
    requires R(x+e) && R(x+(e+1)) && R(x+(e+2)) && R(x+(e+3));
    requires R(x+(e+half)) && R(x+(e+half+1)) && R(x+(e+half+2)) && R(x+(e+half+3));
    assigns y[e .. e+3], y[e+half .. e+half+3]; */
DEV void turn_four(idx e, idx half, int adds, float4 c, float4 s, const float *RESTRICT x,
                   float *RESTRICT y THREAD_FN)
{
  float4 a = LD4(x + e), b = LD4(x + (e + half)), u, v;
  u.x = first_f(a.x, b.x, c.x, s.x), v.x = second_f(a.x, b.x, c.x, s.x);
  u.y = first_f(a.y, b.y, c.y, s.y), v.y = second_f(a.y, b.y, c.y, s.y);
  u.z = first_f(a.z, b.z, c.z, s.z), v.z = second_f(a.z, b.z, c.z, s.z);
  u.w = first_f(a.w, b.w, c.w, s.w), v.w = second_f(a.w, b.w, c.w, s.w);
  ST4(y + e, adds ? plus4(LD4_OWN(y + e), u) : u);
  ST4(y + (e + half), adds ? plus4(LD4_OWN(y + (e + half)), v) : v);
}

/*@ requires turn_in(x,inv_freq,y,z,table,log2_base,first);
    requires 0 <= part < z.parts && 0 <= step < z.seq && 0 <= i < z.half;
    requires \valid(y + (0 .. ix(TurnRows(z),2*z.half,0)-1));
    requires \forall integer r, c; 0 <= r < TurnRows(z) ==> 0 <= c < 2*z.half ==>
      TurnGroup(z,r) == ix(part,z.seq,step) ==> TurnPair(z,c) == i ==>
      W(y+(ix(r,2*z.half,0)+c));
    assigns y[0 .. ix(TurnRows(z),2*z.half,0)-1]; */
DEV void turn_pair(rope_sizes z, idx part, idx step, idx i, int adds, int back, int table,
                   double log2_base, idx first, const float *RESTRICT inv_freq,
                   const float *RESTRICT x, float *RESTRICT y THREAD_FN)
{
  pm_turn t =
      turn_at(back, table, log2_base, first + step, z.half, i, table ? LDG(inv_freq + i) : 0.0f);
  /*@ loop invariant 0 <= k <= z.lines + z.parts && rem(k,z.parts) == part;
      loop assigns k, y[0 .. ix(TurnRows(z),2*z.half,0)-1];
      loop variant z.lines - k; */
  for (idx k = part; k < z.lines; k += z.parts) {
    /*@ assert row: 0 <= TurnRow(z,k,step) < TurnRows(z) &&
          TurnGroup(z,TurnRow(z,k,step)) == ix(part,z.seq,step); */
    idx from = place_of(z, k, step);
    //@ assert inside: 0 <= from && from + 2*z.half <= ix(TurnRows(z),2*z.half,0);
    //@ assert pairs: TurnPair(z,i) == i && TurnPair(z,z.half+i) == i;
    //@ assert one: W(y+(ix(TurnRow(z,k,step),2*z.half,0)+i));
    //@ assert other: W(y+(ix(TurnRow(z,k,step),2*z.half,0)+(z.half+i)));
    turn_one(from + i, z.half, adds, t, x, y IN_THREAD);
  }
}

DEV void turn_quad(rope_sizes z, idx part, idx step, idx q, int adds, int back, int table,
                   double log2_base, idx first, const float *RESTRICT inv_freq,
                   const float *RESTRICT x, float *RESTRICT y THREAD_FN)
{
  float4 f = {0, 0, 0, 0}, c, s;
  idx i = 4 * q, p = first + step;
  pm_turn t;
  if (table)
    f = LD4(inv_freq + i);
  t = turn_at(back, table, log2_base, p, z.half, i, f.x);
  c.x = t.c, s.x = t.s;
  t = turn_at(back, table, log2_base, p, z.half, i + 1, f.y);
  c.y = t.c, s.y = t.s;
  t = turn_at(back, table, log2_base, p, z.half, i + 2, f.z);
  c.z = t.c, s.z = t.s;
  t = turn_at(back, table, log2_base, p, z.half, i + 3, f.w);
  c.w = t.c, s.w = t.s;
  UNROLL_BY(2)
  for (idx k = part; k < z.lines; k += z.parts)
    turn_four(place_of(z, k, step) + i, z.half, adds, c, s, x, y IN_THREAD);
}

/*@ requires turn_in(x,inv_freq,y,z,table,log2_base,first);
    requires own_pairs(y,TurnRows(z),2*z.half,z);
    requires ix(ix(z.parts,z.seq,0),z.half,0) <= GSIZE;
    assigns y[0 .. ix(TurnRows(z),2*z.half,0)-1]; */
KERNEL void rope_scalar(rope_sizes z, int adds, int back, int table, double log2_base, idx first,
                        const float *RESTRICT inv_freq, const float *RESTRICT x, float *RESTRICT y)
{
  idx groups = ix_times(z.parts, z.seq);
  /*@ loop invariant 0 <= r <= groups;
      loop assigns r, y[0 .. ix(TurnRows(z),2*z.half,0)-1];
      loop variant groups - r; */
  GROWS(r, groups, z.half) {
    /*@ loop invariant 0 <= i <= z.half;
        loop assigns i, y[0 .. ix(TurnRows(z),2*z.half,0)-1];
        loop variant z.half - i; */
    GCOLS(i, z.half) {
      //@ assert share: r / z.seq == quo(r,z.seq) && r % z.seq == rem(r,z.seq);
      /*@ assert whose: 0 <= quo(r,z.seq) < z.parts && 0 <= rem(r,z.seq) < z.seq &&
            ix(quo(r,z.seq),z.seq,rem(r,z.seq)) == r; */
      //@ assert thread: 0 <= ix(r,z.half,i) < ix(groups,z.half,0);
      turn_pair(z, r / z.seq, r % z.seq, i, adds, back, table, log2_base, first, inv_freq, x,
                y IN_GRID(r, i));
    }
  }
}

KERNEL void rope_vec4(rope_sizes z, idx Q, int adds, int back, int table, double log2_base,
                      idx first, const float *RESTRICT inv_freq, const float *RESTRICT x,
                      float *RESTRICT y)
{
  GROWS(r, z.parts * z.seq, Q) {
    GCOLS(q, Q)
      turn_quad(z, r / z.seq, r % z.seq, q, adds, back, table, log2_base, first, inv_freq, x,
                y IN_GRID(r, q));
  }
}
#endif
