/* A group of 1, 2, 4 .. 32 lanes joins what each of them has joined of a line: the elements whose
 * number, or whose vector's, is the lane's modulo the number of lanes. */
#ifndef PM_AXIS_GROUPS_H
#define PM_AXIS_GROUPS_H
#include "axis_parts.h"

/*@ predicate lanes_are(integer log, integer lanes) =
      (log == 0 && lanes == 1) || (log == 1 && lanes == 2) || (log == 2 && lanes == 4) ||
      (log == 3 && lanes == 8) || (log == 4 && lanes == 16) || (log == 5 && lanes == 32);
    // node g of level e of the tree over the lanes
    logic real Tree{L}(integer which, float *a, integer e, integer g) =
      e <= 0 ? a[g] : Join(which, Tree{L}(which,a,e-1,2*g), Tree{L}(which,a,e-1,2*g+1));
    predicate joined{L1,L2}(integer which, float *v, integer n, integer m) =
      \forall integer l; 0 <= l < n ==>
        \at(v[l],L2) == Join(which, \at(v[l],L1), \at(v[lx(l,m)],L1));
    // after e steps a lane holds its node of level e, m == 2^e
    predicate nodes{L0,L}(integer which, float *v, integer n, integer e, integer m) =
      \forall integer l; 0 <= l < n ==> \at(v[l],L) == Tree{L0}(which,v,e,l/m);
    lemma join_other: \forall integer which, real a, b; Join(which,a,b) == Join(which,b,a);
    lemma nodes_1{L0,L1,L2}: \forall integer which, float *v, integer n; n % 32 == 0 ==>
      nodes{L0,L1}(which,v,n,0,1) ==> joined{L1,L2}(which,v,n,1) ==> nodes{L0,L2}(which,v,n,1,2);
    lemma nodes_2{L0,L1,L2}: \forall integer which, float *v, integer n; n % 32 == 0 ==>
      nodes{L0,L1}(which,v,n,1,2) ==> joined{L1,L2}(which,v,n,2) ==> nodes{L0,L2}(which,v,n,2,4);
    lemma nodes_4{L0,L1,L2}: \forall integer which, float *v, integer n; n % 32 == 0 ==>
      nodes{L0,L1}(which,v,n,2,4) ==> joined{L1,L2}(which,v,n,4) ==> nodes{L0,L2}(which,v,n,3,8);
    lemma nodes_8{L0,L1,L2}: \forall integer which, float *v, integer n; n % 32 == 0 ==>
      nodes{L0,L1}(which,v,n,3,8) ==> joined{L1,L2}(which,v,n,8) ==> nodes{L0,L2}(which,v,n,4,16);
    lemma nodes_16{L0,L1,L2}: \forall integer which, float *v, integer n; n % 32 == 0 ==>
      nodes{L0,L1}(which,v,n,4,16) ==> joined{L1,L2}(which,v,n,16) ==>
      nodes{L0,L2}(which,v,n,5,32);
    // the join of those of elements 0 .. hi-1 from `at` on that lanes from .. to-1 take
    logic real Share{L}(integer which, float *x, integer at, integer lanes, integer from,
                        integer to, integer hi) =
      hi <= 0 ? Begin(which)
              : from <= rem(hi-1,lanes) < to
                  ? Join(which, Share{L}(which,x,at,lanes,from,to,hi-1), x[at+(hi-1)])
                  : Share{L}(which,x,at,lanes,from,to,hi-1);
    predicate shares_join{L}(integer which, float *x, integer at, integer lanes, integer from,
                             integer mid, integer to, integer n) =
      Share(which,x,at,lanes,from,to,n) ==
        Join(which, Share(which,x,at,lanes,from,mid,n), Share(which,x,at,lanes,mid,to,n));
    lemma shares_step{L}: \forall integer which, float *x, integer at, lanes, from, mid, to, n;
      0 <= n ==> from <= mid <= to ==> shares_join(which,x,at,lanes,from,mid,to,n) ==>
      shares_join(which,x,at,lanes,from,mid,to,n+1);
    lemma shares_all{L}: \forall integer which, float *x, integer at, lanes, from, mid, to, n;
      0 <= n ==> from <= mid <= to ==> shares_join(which,x,at,lanes,from,mid,to,n);
    lemma share_all{L}: \forall integer which, float *x, integer at, lanes, lo, n;
      0 <= n ==> 0 < lanes ==>
      Share(which,x,at+lo,lanes,0,lanes,n) == Part(which,x,1,at,lo,lo+n);
    lemma rem_next: \forall integer j, lanes, n; 0 <= j ==> 0 < n < lanes ==>
      rem(j+n,lanes) != rem(j,lanes);
    lemma rem_again: \forall integer j, lanes; 0 <= j ==> 0 < lanes ==>
      rem(j+lanes,lanes) == rem(j,lanes);
    lemma share_skip{L}: \forall integer which, float *x, integer at, lanes, lane, j, n; 0 <= j ==>
      0 <= n < lanes ==> rem(j,lanes) == lane ==>
      Share(which,x,at,lanes,lane,lane+1,j+1+n) == Share(which,x,at,lanes,lane,lane+1,j+1);
    predicate skips{L}(integer which, float *x, integer at, integer lanes, integer lane, integer j,
                       integer n) =
      Share(which,x,at,lanes,lane,lane+1,j+1+n) ==
        Join(which, Share(which,x,at,lanes,lane,lane+1,j), x[at+j]);
    lemma share_take{L}: \forall integer which, float *x, integer at, lanes, lane, j; 0 <= j ==>
      rem(j,lanes) == lane ==> Share(which,x,at,lanes,lane,lane+1,j+1) ==
        Join(which, Share(which,x,at,lanes,lane,lane+1,j), x[at+j]);
    lemma share_skips{L}: \forall integer which, float *x, integer at, lanes, lane, j, n; 0 <= j ==>
      0 <= n < lanes ==> rem(j,lanes) == lane ==> skips(which,x,at,lanes,lane,j,n);
    lemma share_first{L}: \forall integer which, float *x, integer at, lanes, lane, n;
      0 <= n <= lane < lanes ==> Share(which,x,at,lanes,lane,lane+1,n) == Begin(which);
    // lanes base .. base+lanes-1 have what is theirs; so have the nodes of level e, m == 2^e
    predicate leaves{L0,L}(integer which, float *v, integer base, float *x, integer at,
                           integer lanes, integer n) =
      \forall integer i; 0 <= i < lanes ==>
        \at(v[base+i],L) == Share{L0}(which,x,at,lanes,i,i+1,n);
    predicate node{L0,L}(integer which, float *v, integer base, integer e, integer m, integer h,
                         float *x, integer at, integer lanes, integer n) =
      base <= m*h ==> m*h + m <= base + lanes ==>
        Tree{L}(which,v,e,h) == Share{L0}(which,x,at,lanes,m*h-base,m*h+m-base,n);
    lemma share_two{L}: \forall integer which, float *x, integer at, lanes, from, mid, to, n;
      0 <= n ==> from <= mid <= to ==>
      Join(which, Share(which,x,at,lanes,from,mid,n), Share(which,x,at,lanes,mid,to,n)) ==
        Share(which,x,at,lanes,from,to,n);
    lemma node_1{L0,L}: \forall integer which, float *v, *x, integer base, h, at, lanes, n;
      leaves{L0,L}(which,v,base,x,at,lanes,n) ==> node{L0,L}(which,v,base,0,1,h,x,at,lanes,n);
    lemma node_2_step{L0,L}: \forall integer which, float *v, *x, integer base, h, at, lanes, n;
      0 <= n ==> node{L0,L}(which,v,base,0,1,2*h,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,0,1,2*h+1,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,1,2,h,x,at,lanes,n);
    lemma node_2{L0,L}: \forall integer which, float *v, *x, integer base, h, at, lanes, n;
      0 <= n ==> leaves{L0,L}(which,v,base,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,1,2,h,x,at,lanes,n);
    lemma node_4_step{L0,L}: \forall integer which, float *v, *x, integer base, h, at, lanes, n;
      0 <= n ==> node{L0,L}(which,v,base,1,2,2*h,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,1,2,2*h+1,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,2,4,h,x,at,lanes,n);
    lemma node_4{L0,L}: \forall integer which, float *v, *x, integer base, h, at, lanes, n;
      0 <= n ==> leaves{L0,L}(which,v,base,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,2,4,h,x,at,lanes,n);
    lemma node_8_step{L0,L}: \forall integer which, float *v, *x, integer base, h, at, lanes, n;
      0 <= n ==> node{L0,L}(which,v,base,2,4,2*h,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,2,4,2*h+1,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,3,8,h,x,at,lanes,n);
    lemma node_8{L0,L}: \forall integer which, float *v, *x, integer base, h, at, lanes, n;
      0 <= n ==> leaves{L0,L}(which,v,base,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,3,8,h,x,at,lanes,n);
    lemma node_16_step{L0,L}: \forall integer which, float *v, *x, integer base, h, at, lanes, n;
      0 <= n ==> node{L0,L}(which,v,base,3,8,2*h,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,3,8,2*h+1,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,4,16,h,x,at,lanes,n);
    lemma node_16{L0,L}: \forall integer which, float *v, *x, integer base, h, at, lanes, n;
      0 <= n ==> leaves{L0,L}(which,v,base,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,4,16,h,x,at,lanes,n);
    lemma node_32_step{L0,L}: \forall integer which, float *v, *x, integer base, h, at, lanes, n;
      0 <= n ==> node{L0,L}(which,v,base,4,16,2*h,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,4,16,2*h+1,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,5,32,h,x,at,lanes,n);
    lemma node_32{L0,L}: \forall integer which, float *v, *x, integer base, h, at, lanes, n;
      0 <= n ==> leaves{L0,L}(which,v,base,x,at,lanes,n) ==>
      node{L0,L}(which,v,base,5,32,h,x,at,lanes,n);
    lemma node_at_1{L0,L}: \forall integer which, float *v, *x, integer base, at, n; 0 <= n ==>
      leaves{L0,L}(which,v,base,x,at,1,n) ==>
      node{L0,L}(which,v,base,0,1,base/1,x,at,1,n);
    lemma node_root_1{L0,L}: \forall integer which, float *v, *x, integer base, h, at, n;
      node{L0,L}(which,v,base,0,1,h,x,at,1,n) ==> base == 1*h ==>
      Tree{L}(which,v,0,h) == Share{L0}(which,x,at,1,0,1,n);
    lemma root_1{L0,L}: \forall integer which, float *v, *x, integer base, at, n; 0 <= n ==>
      leaves{L0,L}(which,v,base,x,at,1,n) ==> base == 1*(base/1) ==>
      Tree{L}(which,v,0,base/1) == Share{L0}(which,x,at,1,0,1,n);
    lemma node_at_2{L0,L}: \forall integer which, float *v, *x, integer base, at, n; 0 <= n ==>
      leaves{L0,L}(which,v,base,x,at,2,n) ==>
      node{L0,L}(which,v,base,1,2,base/2,x,at,2,n);
    lemma node_root_2{L0,L}: \forall integer which, float *v, *x, integer base, h, at, n;
      node{L0,L}(which,v,base,1,2,h,x,at,2,n) ==> base == 2*h ==>
      Tree{L}(which,v,1,h) == Share{L0}(which,x,at,2,0,2,n);
    lemma root_2{L0,L}: \forall integer which, float *v, *x, integer base, at, n; 0 <= n ==>
      leaves{L0,L}(which,v,base,x,at,2,n) ==> base == 2*(base/2) ==>
      Tree{L}(which,v,1,base/2) == Share{L0}(which,x,at,2,0,2,n);
    lemma node_at_4{L0,L}: \forall integer which, float *v, *x, integer base, at, n; 0 <= n ==>
      leaves{L0,L}(which,v,base,x,at,4,n) ==>
      node{L0,L}(which,v,base,2,4,base/4,x,at,4,n);
    lemma node_root_4{L0,L}: \forall integer which, float *v, *x, integer base, h, at, n;
      node{L0,L}(which,v,base,2,4,h,x,at,4,n) ==> base == 4*h ==>
      Tree{L}(which,v,2,h) == Share{L0}(which,x,at,4,0,4,n);
    lemma root_4{L0,L}: \forall integer which, float *v, *x, integer base, at, n; 0 <= n ==>
      leaves{L0,L}(which,v,base,x,at,4,n) ==> base == 4*(base/4) ==>
      Tree{L}(which,v,2,base/4) == Share{L0}(which,x,at,4,0,4,n);
    lemma node_at_8{L0,L}: \forall integer which, float *v, *x, integer base, at, n; 0 <= n ==>
      leaves{L0,L}(which,v,base,x,at,8,n) ==>
      node{L0,L}(which,v,base,3,8,base/8,x,at,8,n);
    lemma node_root_8{L0,L}: \forall integer which, float *v, *x, integer base, h, at, n;
      node{L0,L}(which,v,base,3,8,h,x,at,8,n) ==> base == 8*h ==>
      Tree{L}(which,v,3,h) == Share{L0}(which,x,at,8,0,8,n);
    lemma root_8{L0,L}: \forall integer which, float *v, *x, integer base, at, n; 0 <= n ==>
      leaves{L0,L}(which,v,base,x,at,8,n) ==> base == 8*(base/8) ==>
      Tree{L}(which,v,3,base/8) == Share{L0}(which,x,at,8,0,8,n);
    lemma node_at_16{L0,L}: \forall integer which, float *v, *x, integer base, at, n; 0 <= n ==>
      leaves{L0,L}(which,v,base,x,at,16,n) ==>
      node{L0,L}(which,v,base,4,16,base/16,x,at,16,n);
    lemma node_root_16{L0,L}: \forall integer which, float *v, *x, integer base, h, at, n;
      node{L0,L}(which,v,base,4,16,h,x,at,16,n) ==> base == 16*h ==>
      Tree{L}(which,v,4,h) == Share{L0}(which,x,at,16,0,16,n);
    lemma root_16{L0,L}: \forall integer which, float *v, *x, integer base, at, n; 0 <= n ==>
      leaves{L0,L}(which,v,base,x,at,16,n) ==> base == 16*(base/16) ==>
      Tree{L}(which,v,4,base/16) == Share{L0}(which,x,at,16,0,16,n);
    lemma node_at_32{L0,L}: \forall integer which, float *v, *x, integer base, at, n; 0 <= n ==>
      leaves{L0,L}(which,v,base,x,at,32,n) ==>
      node{L0,L}(which,v,base,5,32,base/32,x,at,32,n);
    lemma node_root_32{L0,L}: \forall integer which, float *v, *x, integer base, h, at, n;
      node{L0,L}(which,v,base,5,32,h,x,at,32,n) ==> base == 32*h ==>
      Tree{L}(which,v,5,h) == Share{L0}(which,x,at,32,0,32,n);
    lemma root_32{L0,L}: \forall integer which, float *v, *x, integer base, at, n; 0 <= n ==>
      leaves{L0,L}(which,v,base,x,at,32,n) ==> base == 32*(base/32) ==>
      Tree{L}(which,v,5,base/32) == Share{L0}(which,x,at,32,0,32,n);
    // after the steps before mask m
    predicate stepped{L0,L}(integer which, float *v, integer n, integer m) =
      (m == 1 && nodes{L0,L}(which,v,n,0,1)) || (m == 2 && nodes{L0,L}(which,v,n,1,2)) ||
      (m == 4 && nodes{L0,L}(which,v,n,2,4)) || (m == 8 && nodes{L0,L}(which,v,n,3,8)) ||
      (m == 16 && nodes{L0,L}(which,v,n,4,16)) || (m == 32 && nodes{L0,L}(which,v,n,5,32));
    lemma stepped_on{L0,L1,L2}: \forall integer which, float *v, integer n, m; n % 32 == 0 ==>
      m != 32 ==> stepped{L0,L1}(which,v,n,m) ==> joined{L1,L2}(which,v,n,m) ==>
      stepped{L0,L2}(which,v,n,2*m);
    // a group's first lane has the join of its elements
    predicate rooted{L0,L}(integer which, float *v, integer base, float *x, integer at,
                           integer lanes, integer n) =
      \at(v[base],L) == Share{L0}(which,x,at,lanes,0,lanes,n);
    lemma rooted_1{L0,L1,L}: \forall integer which, float *v, *x, integer g, at, n, w; 0 <= n ==>
      0 <= 1*g < w ==> nodes{L1,L}(which,v,w,0,1) ==>
      leaves{L0,L1}(which,v,1*g,x,at,1,n) ==> rooted{L0,L}(which,v,1*g,x,at,1,n);
    lemma rooted_2{L0,L1,L}: \forall integer which, float *v, *x, integer g, at, n, w; 0 <= n ==>
      0 <= 2*g < w ==> nodes{L1,L}(which,v,w,1,2) ==>
      leaves{L0,L1}(which,v,2*g,x,at,2,n) ==> rooted{L0,L}(which,v,2*g,x,at,2,n);
    lemma rooted_4{L0,L1,L}: \forall integer which, float *v, *x, integer g, at, n, w; 0 <= n ==>
      0 <= 4*g < w ==> nodes{L1,L}(which,v,w,2,4) ==>
      leaves{L0,L1}(which,v,4*g,x,at,4,n) ==> rooted{L0,L}(which,v,4*g,x,at,4,n);
    lemma rooted_8{L0,L1,L}: \forall integer which, float *v, *x, integer g, at, n, w; 0 <= n ==>
      0 <= 8*g < w ==> nodes{L1,L}(which,v,w,3,8) ==>
      leaves{L0,L1}(which,v,8*g,x,at,8,n) ==> rooted{L0,L}(which,v,8*g,x,at,8,n);
    lemma rooted_16{L0,L1,L}: \forall integer which, float *v, *x, integer g, at, n, w; 0 <= n ==>
      0 <= 16*g < w ==> nodes{L1,L}(which,v,w,4,16) ==>
      leaves{L0,L1}(which,v,16*g,x,at,16,n) ==> rooted{L0,L}(which,v,16*g,x,at,16,n);
    lemma rooted_32{L0,L1,L}: \forall integer which, float *v, *x, integer g, at, n, w; 0 <= n ==>
      0 <= 32*g < w ==> nodes{L1,L}(which,v,w,5,32) ==>
      leaves{L0,L1}(which,v,32*g,x,at,32,n) ==> rooted{L0,L}(which,v,32*g,x,at,32,n);
    lemma stepped_root_1{L0,L1,L}: \forall integer which, float *v, *x, integer g, at, n, w;
      0 <= n ==> 0 <= g ==> stepped{L1,L}(which,v,w,1) ==> ix(g,1,0) < w ==>
      leaves{L0,L1}(which,v,ix(g,1,0),x,at,1,n) ==>
      rooted{L0,L}(which,v,ix(g,1,0),x,at,1,n);
    lemma stepped_root_2{L0,L1,L}: \forall integer which, float *v, *x, integer g, at, n, w;
      0 <= n ==> 0 <= g ==> stepped{L1,L}(which,v,w,2) ==> ix(g,2,0) < w ==>
      leaves{L0,L1}(which,v,ix(g,2,0),x,at,2,n) ==>
      rooted{L0,L}(which,v,ix(g,2,0),x,at,2,n);
    lemma stepped_root_4{L0,L1,L}: \forall integer which, float *v, *x, integer g, at, n, w;
      0 <= n ==> 0 <= g ==> stepped{L1,L}(which,v,w,4) ==> ix(g,4,0) < w ==>
      leaves{L0,L1}(which,v,ix(g,4,0),x,at,4,n) ==>
      rooted{L0,L}(which,v,ix(g,4,0),x,at,4,n);
    lemma stepped_root_8{L0,L1,L}: \forall integer which, float *v, *x, integer g, at, n, w;
      0 <= n ==> 0 <= g ==> stepped{L1,L}(which,v,w,8) ==> ix(g,8,0) < w ==>
      leaves{L0,L1}(which,v,ix(g,8,0),x,at,8,n) ==>
      rooted{L0,L}(which,v,ix(g,8,0),x,at,8,n);
    lemma stepped_root_16{L0,L1,L}: \forall integer which, float *v, *x, integer g, at, n, w;
      0 <= n ==> 0 <= g ==> stepped{L1,L}(which,v,w,16) ==> ix(g,16,0) < w ==>
      leaves{L0,L1}(which,v,ix(g,16,0),x,at,16,n) ==>
      rooted{L0,L}(which,v,ix(g,16,0),x,at,16,n);
    lemma stepped_root_32{L0,L1,L}: \forall integer which, float *v, *x, integer g, at, n, w;
      0 <= n ==> 0 <= g ==> stepped{L1,L}(which,v,w,32) ==> ix(g,32,0) < w ==>
      leaves{L0,L1}(which,v,ix(g,32,0),x,at,32,n) ==>
      rooted{L0,L}(which,v,ix(g,32,0),x,at,32,n); */

/*@ requires block && (m == 1 || m == 2 || m == 4 || m == 8 || m == 16);
    requires \valid(v + (0 .. BDIM-1));
    assigns v[0 .. BDIM-1];
    ensures joined{Pre,Post}(which, v, BDIM, m); */
DEV void xor_join(int which, LANE(float, v), int m)
{
  PRIVATE(float, d);
  SHFL_XOR(d, v, m);
  /*@ loop invariant 0 <= t <= BDIM;
      loop invariant \forall integer l; 0 <= l < t ==>
        v[l] == Join(which, \at(v[l],Pre), d[l]);
      loop invariant \forall integer l; t <= l < BDIM ==> v[l] == \at(v[l],Pre);
      loop assigns t, v[0 .. BDIM-1];
      loop variant BDIM - t; */
  LANES(t) AT(v, t) = axis_join(which, AT(v, t), AT(d, t));
}

/* v of every lane becomes the join over its group. */
/*@ requires block && \valid(v + (0 .. BDIM-1));
    requires lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || lanes == 16 || lanes == 32;
    assigns v[0 .. BDIM-1];
    ensures stepped{Pre,Post}(which, v, BDIM, lanes); */
DEV void group_join(int which, LANE(float, v), int lanes)
{
  //@ assert stepped{Pre,Here}(which, v, BDIM, 1);
  /*@ loop invariant stepped{Pre,Here}(which, v, BDIM, m) && 1 <= m <= lanes;
      loop assigns m, v[0 .. BDIM-1];
      loop variant lanes - m; */
  for (int m = 1; m < lanes; m *= 2) {
    xor_join(which, v, m);
    //@ assert stepped{Pre,Here}(which, v, BDIM, 2*m);
  }
}
#endif
