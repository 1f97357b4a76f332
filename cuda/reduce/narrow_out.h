/* What warps leave of a narrow axis: a warp has a row of out, a lane of its first team an
 * element. */
#ifndef PM_REDUCE_NARROW_OUT_H
#define PM_REDUCE_NARROW_OUT_H
#include "cols.h"
#include "lane_items.h"
#include "rows_load.h"

/* A thread's chunk of all rows, its number in the warp, its team and its column. */
typedef struct narrow_lane {
  idx k;
  int lane, team, column;
} narrow_lane;

/*@ predicate narrow_ok(integer b, integer w) = block && 0 <= b <= 0x7fffffff && 0 < w < 32;
    predicate narrow_is(narrow_lane p, integer b, integer t, integer w) =
      p.k == quo(ix(b,bdim_,0),32)+quo(t,32) && p.lane == rem(t,32) && 0 <= p.lane < 32 &&
      0 <= p.k <= IDX_LIM && p.team == quo(p.lane,w) && 0 <= p.team < 32 &&
      p.column == rem(p.lane,w) && 0 <= p.column < w && (p.team == 0 <==> p.lane < w); */
/* Thread t of block b. */
/*@ requires narrow_ok(b,w) && 0 <= t < BDIM;
    assigns \nothing;
    ensures narrow_is(\result,b,t,w); */
DEV narrow_lane narrow_find(idx b, int t, int w)
{
  rows_lane_at q = rows_find(b, t, 32, 1);
  narrow_lane p = {q.group, q.lane, q.lane / w, q.lane % w};
  //@ assert p.team == quo(p.lane,w) && p.column == rem(p.lane,w);
  //@ assert ix(p.team,w,p.column) == p.lane;
  //@ assert ix(0,w,p.column) == p.column;
  //@ assert p.lane < w ==> quo(p.lane,w) == 0;
  //@ assert row: quo(ix(b,bdim_,t),32) == quo(ix(b,bdim_,0),32)+quo(t,32);
  //@ assert lane: rem(ix(b,bdim_,t),32) == rem(t,32);
  return p;
}

/*@ // lane l of a block whose first row is number `first` has element rem(l,32) of row k
    predicate warp_row(integer first, integer l, integer k) = k == first+quo(l,32);
    lemma warps_of: \forall integer n; n % 32 == 0 ==> n == 32*quo(n,32);
    lemma ix_warps: \forall integer b, q; ix(b,32*q,0) == 32*ix(b,q,0);
    lemma block_warps: \forall integer b, n; n % 32 == 0 ==> ix(b,n,0) == 32*ix(b,quo(n,32),0);
    lemma block_begin: \forall integer b, n; 0 <= b ==> n % 32 == 0 ==>
      ix(b,n,0) == 32*ix(b,quo(n,32),0) && ix(b,n,0) % 32 == 0;
    lemma block_lane: \forall integer b, n, t; 0 <= b ==> 0 <= n ==> n % 32 == 0 ==> 0 <= t ==>
      quo(ix(b,n,t),32) == quo(ix(b,n,0),32)+quo(t,32) && rem(ix(b,n,t),32) == rem(t,32);
    lemma block_next: \forall integer b, c, n; turn_on(b,c,1) ==> 0 <= b ==> 0 <= n ==>
      n % 32 == 0 ==> quo(ix(c,n,0),32) == quo(ix(b,n,0),32)+quo(n,32);
    lemma block_first: \forall integer b, n; 0 <= b ==> 0 <= n ==> 0 <= quo(ix(b,n,0),32);
    lemma blocks_all: \forall integer count, blocks, n; ix(count,32,0) <= ix(blocks,n,0) ==>
      0 <= blocks ==> 0 <= n ==> n % 32 == 0 ==> count <= quo(ix(blocks,n,0),32);
    predicate lane_put{L0,L}(integer which, integer all, float *s, float *out, integer w, integer k,
                             integer l) =
      \at(out[ix(k,w,rem(l,32))],L) == Last(which,all,\at(s[l],L0));
    predicate lanes_put{L0,L}(integer which, integer all, float *s, float *out, integer w,
                              integer first, integer count, integer t) =
      \forall integer l; 0 <= l < t ==> rem(l,32) < w ==> first+quo(l,32) < count ==>
        lane_put{L0,L}(which,all,s,out,w,first+quo(l,32),l);
    predicate but_cell{L1,L2}(float *out, integer k, integer c, integer w) =
      \forall integer r, d; 0 <= d < w ==> r != k || d != c ==>
        \at(out[ix(r,w,d)],L1) == \at(out[ix(r,w,d)],L2);
    lemma lane_apart: \forall integer l, t; 0 <= l ==> 0 <= t ==> l != t ==>
      quo(l,32) != quo(t,32) || rem(l,32) != rem(t,32);
    lemma lane_kept{L1,L2}: \forall float *out, integer w, first, l, t, k, r; 0 <= l ==> 0 <= t ==>
      l != t ==> rem(l,32) < w ==> warp_row(first,t,k) ==> warp_row(first,l,r) ==>
      but_cell{L1,L2}(out,k,rem(t,32),w) ==> 0 <= rem(l,32) &&
      (quo(l,32) != quo(t,32) || rem(l,32) != rem(t,32)) &&
      \at(out[ix(r,w,rem(l,32))],L1) == \at(out[ix(r,w,rem(l,32))],L2);
    lemma lane_put_kept{L0,L1,L2}: \forall integer which, all, float *s, *out, integer w, first, l,
      t, k, r; 0 <= l ==> 0 <= t ==> l != t ==> rem(l,32) < w ==> warp_row(first,t,k) ==>
      warp_row(first,l,r) ==> but_cell{L1,L2}(out,k,rem(t,32),w) ==>
      lane_put{L0,L1}(which,all,s,out,w,r,l) ==>
      \at(out[ix(r,w,rem(l,32))],L1) == \at(out[ix(r,w,rem(l,32))],L2) &&
      lane_put{L0,L2}(which,all,s,out,w,r,l);
    lemma lanes_put_old{L0,L1,L2}: \forall integer which, all, float *s, *out, integer w, first,
      count, t, k; 0 <= t ==> warp_row(first,t,k) ==> but_cell{L1,L2}(out,k,rem(t,32),w) ==>
      lanes_put{L0,L1}(which,all,s,out,w,first,count,t) ==>
      lanes_put{L0,L2}(which,all,s,out,w,first,count,t);
    lemma lanes_put_new{L0,L}: \forall integer which, all, float *s, *out, integer w, first, count,
      t; (rem(t,32) < w ==> first+quo(t,32) < count ==>
          lane_put{L0,L}(which,all,s,out,w,first+quo(t,32),t)) ==>
      lanes_put{L0,L}(which,all,s,out,w,first,count,t) ==>
      lanes_put{L0,L}(which,all,s,out,w,first,count,t+1); */

/* Column `lane` of row k of out. */
/*@ requires 0 <= k <= IDX_LIM && 0 <= lane < inner && ix(k,inner,lane) <= IDX_LIM;
    requires \valid(out + ix(k,inner,lane));
    requires \forall integer e; cell_W(k,lane,inner,e) ==> W(out+e);
    assigns out[ix(k,inner,lane)];
    ensures out[ix(k,inner,lane)] == s && but_cell{Pre,Post}(out,k,lane,inner); */
DEV void narrow_put(idx k, int lane, idx inner, float s, float *RESTRICT out)
{
  //@ assert cell_W(k,lane,inner,ix(k,inner,lane));
  STG(out + axis_at(lane, k, inner), s);
}

/* Thread t of block b puts what it has, where that is a column. */
/*@ requires narrow_ok(b,inner) && 0 <= count && writes(out,ix(count,inner,0)) && 0 <= t < BDIM;
    assigns out[0 .. ix(count,inner,0)-1];
    ensures but_cell{Pre,Post}(out,quo(ix(b,bdim_,0),32)+quo(t,32),rem(t,32),inner);
    ensures rem(t,32) < inner ==> quo(ix(b,bdim_,0),32)+quo(t,32) < count ==>
      out[ix(quo(ix(b,bdim_,0),32)+quo(t,32),inner,rem(t,32))] == Last(which,all,s); */
DEV void narrow_leave_one(float s, int which, idx b, int t, idx inner, idx count, idx all,
                          float *RESTRICT out)
{
  narrow_lane p = narrow_find(b, t, (int)inner);
  if (p.k < count && p.team == 0) {
    //@ assert 0 <= ix(p.k,inner,p.lane) < ix(count,inner,0);
    //@ assert W(out+ix(p.k,inner,p.lane));
    narrow_put(p.k, p.lane, inner, axis_last(which, all, s), out);
  }
}

/*@ requires \valid(s + (0 .. BDIM-1)) && narrow_ok(b,inner) && 0 <= count;
    requires writes(out,ix(count,inner,0));
    requires \separated(s + (0 .. BDIM-1), out + (0 .. ix(count,inner,0)-1));
    assigns out[0 .. ix(count,inner,0)-1];
    ensures kept{Pre,Post}(out,inner,quo(ix(b,bdim_,0),32),0);
    ensures lanes_put{Pre,Post}(which,all,s,out,inner,quo(ix(b,bdim_,0),32),count,BDIM); */
DEV void narrow_leave(PER_THREAD(float, s), int which, idx b, idx inner, idx count, idx all,
                      float *RESTRICT out)
{
  /*@ loop invariant 0 <= t <= BDIM && Same{Pre,Here}(s,BDIM);
      loop invariant kept{Pre,Here}(out,inner,quo(ix(b,bdim_,0),32),0);
      loop invariant lanes_put{Pre,Here}(which,all,s,out,inner,quo(ix(b,bdim_,0),32),count,t);
      loop assigns t, out[0 .. ix(count,inner,0)-1];
      loop variant BDIM - t; */
  EACH_THREAD(t) {
    narrow_leave_one(AT(s, t), which, b, t, inner, count, all, out);
    //@ assert Same{LoopCurrent,Here}(s,BDIM);
    //@ assert warp_row(quo(ix(b,bdim_,0),32),t,quo(ix(b,bdim_,0),32)+quo(t,32));
    //@ assert kept{Pre,Here}(out,inner,quo(ix(b,bdim_,0),32),0);
    //@ assert old: lanes_put{Pre,Here}(which,all,s,out,inner,quo(ix(b,bdim_,0),32),count,t);
    //@ assert new: lanes_put{Pre,Here}(which,all,s,out,inner,quo(ix(b,bdim_,0),32),count,t+1);
  }
}
#endif
