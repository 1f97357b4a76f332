/* Vectorised stores of whole rows: 16-byte vectors, (k, 4V), stored by T threads a row, of which
 * each has up to four vectors: thread t has t, t + T, t + 2T and t + 3T, as many as there are. So
 * the threads share what it takes to find the row, and neighbours store side by side. */
#ifndef PM_ROW_STORE_VEC4_H
#define PM_ROW_STORE_VEC4_H
#include "../lang/kernel.h"

/*@ predicate rows_out{L}(float *y, integer cols, integer k) =
      0 <= k <= IDX_LIM && 0 < cols <= IDX_LIM && 0 <= ix(k,cols,0) <= IDX_LIM &&
      \valid(y + (0 .. ix(k,cols,0)-1));
    predicate kept{L0,L}(float *y, integer cols, integer i, integer from, integer to) =
      \forall integer c; from <= c < to && c < cols ==>
        \at(y[ix(i,cols,c)],L) == \at(y[ix(i,cols,c)],L0);
    // element e of a vector
    logic real part(float4 r, integer e) = e == 0 ? r.x : e == 1 ? r.y : e == 2 ? r.z : r.w;
    // the elements of vector v of row i of a matrix with 4V columns, where it has as many
    logic integer room(integer v, integer V) = v < V ? 4 : 0;
    predicate vec_W(integer i, integer v, integer V, integer e) =
      ix(i,4*V,4*v) <= e < ix(i,4*V,4*v) + room(v,V);
    // what thread t of the T that share row i writes
    predicate part_W(integer i, integer t, integer T, integer V, integer e) =
      vec_W(i,t,V,e) || vec_W(i,t+T,V,e) || vec_W(i,t+2*T,V,e) || vec_W(i,t+3*T,V,e);
    lemma race_vec: \forall integer r, v, s, w, V, e; 0 <= v ==> 0 <= w ==>
      (r != s || v != w) ==> vec_W(r,v,V,e) ==> !vec_W(s,w,V,e);
    lemma race_part: \forall integer r, t, s, u, T, V, e; 0 <= t < T ==> 0 <= u < T ==>
      (r != s || t != u) ==> part_W(r,t,T,V,e) ==> !part_W(s,u,T,V,e);
    // vector v of row i of y is r, or has it added
    predicate put_at{L0,L}(float *y, integer i, integer v, integer V, integer adds, float4 r) =
      \forall integer c; 4*v <= c < 4*v+4 && v < V ==>
        \at(y[ix(i,4*V,c)],L) == plus(adds,\at(y[ix(i,4*V,c)],L0),part(r,c-4*v)); */

/*@ requires rows_out(y,4*V,k) && aligned16(y) && 0 <= i < k && 0 <= v;
    requires \forall integer e; vec_W(i,v,V,e) ==> R(y+e) && W(y+e);
    assigns y[ix(i,4*V,0) .. ix(i,4*V,0)+4*V-1];
    ensures put_at{Pre,Post}(y,i,v,V,adds,r);
    ensures kept{Pre,Post}(y,4*V,i,0,4*v);
    ensures kept{Pre,Post}(y,4*V,i,4*v+4,4*V); */
DEV void part_put(idx i, idx v, idx V, idx k, int adds, float4 r, float *y)
{
  if (v < V) {
    idx to = at2(k, 4 * V, i, 4 * v);
    //@ assert to == 4*ix(i,V,v) && ix(k,4*V,0) == 4*ix(k,V,0) && to + 4 <= ix(k,4*V,0);
    if (adds)
      r = plus4(LD4(y + to), r);
    store4_streaming(y + to, r);
    //@ assert \forall integer c; ix(i,4*V,c) == to + (c - 4*v);
    /*@ assert \forall integer c; 4*v <= c < 4*v+4 ==> ix(i,4*V,c) == to + (c - 4*v) &&
          (c - 4*v == 0 || c - 4*v == 1 || c - 4*v == 2 || c - 4*v == 3); */
  }
}

/* Vectors t, t + T, t + 2T and t + 3T of row i, of its V. */
/*@ requires rows_out(y,4*V,k) && aligned16(y) && 0 <= i < k && 0 <= t < T <= V;
    requires \forall integer e; part_W(i,t,T,V,e) ==> R(y+e) && W(y+e);
    assigns y[ix(i,4*V,0) .. ix(i,4*V,0)+4*V-1];
    ensures put_at{Pre,Post}(y,i,t,V,adds,a);
    ensures put_at{Pre,Post}(y,i,t+T,V,adds,b);
    ensures put_at{Pre,Post}(y,i,t+2*T,V,adds,c);
    ensures put_at{Pre,Post}(y,i,t+3*T,V,adds,d);
    ensures kept{Pre,Post}(y,4*V,i,0,4*t);
    ensures kept{Pre,Post}(y,4*V,i,4*t+4,4*(t+T));
    ensures kept{Pre,Post}(y,4*V,i,4*(t+T)+4,4*(t+2*T));
    ensures kept{Pre,Post}(y,4*V,i,4*(t+2*T)+4,4*(t+3*T));
    ensures kept{Pre,Post}(y,4*V,i,4*(t+3*T)+4,4*V); */
DEV void part_puts(idx i, idx t, idx T, idx V, idx k, int adds, float4 a, float4 b, float4 c,
                   float4 d, float *y)
{
  part_put(i, t, V, k, adds, a, y);
  part_put(i, t + T, V, k, adds, b, y);
  part_put(i, t + 2 * T, V, k, adds, c, y);
  part_put(i, t + 3 * T, V, k, adds, d, y);
}
#endif
