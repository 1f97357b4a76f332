/* Gather of rows by 16-byte vectors: a thread moves up to four vectors of a row, which share one
 * look at the index, and asks for all before it stores the first. */
#ifndef PM_GATHER_ROWS_VEC4_H
#define PM_GATHER_ROWS_VEC4_H
#include "rows.h"

/*@ // element (from,c) of x, or 0 where it has no such row
    logic real row_at{L}(float *x, integer rows, integer cols, integer from, integer c) =
      0 <= from < rows ? x[ix(from,cols,c)] : 0.0; */

/*@ requires gather_in(x,rows,4*V) && aligned16(x) && 0 <= v;
    assigns \nothing;
    ensures \forall integer c; 4*v <= c < 4*v+4 && v < V ==>
      part(\result,c-4*v) == row_at(x,rows,4*V,from,c); */
DEV float4 gather_get(idx from, idx v, idx rows, idx V, const float *RESTRICT x)
{
  float4 r = {0, 0, 0, 0};
  if (v < V && 0 <= from && from < rows) {
    idx at = at2(rows, 4 * V, from, 4 * v);
    //@ assert at == 4*ix(from,V,v) && ix(rows,4*V,0) == 4*ix(rows,V,0);
    //@ assert at + 4 <= ix(rows,4*V,0);
    r = LD4(x + at);
    /*@ assert \forall integer c; 4*v <= c < 4*v+4 ==>
          c - 4*v == 0 || c - 4*v == 1 || c - 4*v == 2 || c - 4*v == 3; */
  }
  return r;
}

/* Thread t of the T that share a row. */
/*@ requires gather_size(y,x,index,rows,4*V,k) && aligned16(x) && aligned16(y);
    requires 0 <= i < k && 0 <= t < T <= V;
    requires \forall integer e; part_W(i,t,T,V,e) ==> R(y+e) && W(y+e);
    assigns y[ix(i,4*V,0) .. ix(i,4*V,0)+4*V-1];
    ensures gathered{Pre,Post}(y,x,index,rows,4*V,adds,i,4*t,4*t+4);
    ensures gathered{Pre,Post}(y,x,index,rows,4*V,adds,i,4*(t+T),4*(t+T)+4);
    ensures gathered{Pre,Post}(y,x,index,rows,4*V,adds,i,4*(t+2*T),4*(t+2*T)+4);
    ensures gathered{Pre,Post}(y,x,index,rows,4*V,adds,i,4*(t+3*T),4*(t+3*T)+4);
    ensures kept{Pre,Post}(y,4*V,i,0,4*t);
    ensures kept{Pre,Post}(y,4*V,i,4*t+4,4*(t+T));
    ensures kept{Pre,Post}(y,4*V,i,4*(t+T)+4,4*(t+2*T));
    ensures kept{Pre,Post}(y,4*V,i,4*(t+2*T)+4,4*(t+3*T));
    ensures kept{Pre,Post}(y,4*V,i,4*(t+3*T)+4,4*V); */
DEV void gather_part(idx i, idx t, idx rows, idx T, idx V, idx k, int adds, const float *RESTRICT x,
                     const idx *RESTRICT index, float *y)
{
  idx from = LDI(index + i), t2 = t + 2 * T;
  float4 a = gather_get(from, t, rows, V, x), b = gather_get(from, t + T, rows, V, x);
  float4 c = gather_get(from, t2, rows, V, x), d = gather_get(from, t2 + T, rows, V, x);
  /*@ assert \forall integer e;
        Gather(x,index,rows,4*V,i,e) == row_at(x,rows,4*V,from,e); */
  part_puts(i, t, T, V, k, adds, a, b, c, d, y);
}

/* cols is 4V, T threads share a row. */
/*@ requires gather_size(y,x,index,rows,4*V,k) && aligned16(x) && aligned16(y);
    requires writes(y,ix(k,4*V,0)) && 0 < T <= V <= 4*T && ix(k,T,0) <= GSIZE;
    assigns y[0 .. ix(k,4*V,0)-1];
    ensures \forall integer q; 0 <= q < k ==>
      gathered{Pre,Post}(y,x,index,rows,4*V,adds,q,0,4*V); */
KERNEL void gather_rows_vec4(idx rows, idx T, idx V, idx k, int adds, const float *RESTRICT x,
                             const idx *RESTRICT index, float *RESTRICT y)
{
  /*@ loop invariant 0 <= i <= k;
      loop invariant \forall integer q; 0 <= q < i ==>
        gathered{Pre,Here}(y,x,index,rows,4*V,adds,q,0,4*V);
      loop invariant \forall integer q; i <= q < k ==> kept{Pre,Here}(y,4*V,q,0,4*V);
      loop assigns i, y[0 .. ix(k,4*V,0)-1];
      loop variant k - i; */
  GROWS(i, k, T) {
    //@ assert kept{Pre,Here}(y,4*V,i,0,4*V);
    //@ assert ix(i+1,4*V,0) == ix(i,4*V,0) + 4*V && ix(i+1,4*V,0) <= ix(k,4*V,0);
    //@ assert 0 <= ix(i,4*V,0);
    /*@ assert \forall integer q, c; 0 <= q < i ==> 0 <= c < 4*V ==>
          0 <= ix(q,4*V,c) < ix(i,4*V,0); */
    /*@ assert \forall integer q, c; i < q < k ==> 0 <= c < 4*V ==>
          ix(i,4*V,0) + 4*V <= ix(q,4*V,c) < ix(k,4*V,0); */
    /*@ loop invariant 0 <= t <= T;
        loop invariant \forall integer q; 0 <= q < i ==>
          gathered{Pre,Here}(y,x,index,rows,4*V,adds,q,0,4*V);
        loop invariant \forall integer q; i < q < k ==> kept{Pre,Here}(y,4*V,q,0,4*V);
        loop invariant gathered{Pre,Here}(y,x,index,rows,4*V,adds,i,0,4*t);
        loop invariant gathered{Pre,Here}(y,x,index,rows,4*V,adds,i,4*T,4*(t+T));
        loop invariant gathered{Pre,Here}(y,x,index,rows,4*V,adds,i,8*T,4*(t+2*T));
        loop invariant gathered{Pre,Here}(y,x,index,rows,4*V,adds,i,12*T,4*(t+3*T));
        loop invariant kept{Pre,Here}(y,4*V,i,4*t,4*T);
        loop invariant kept{Pre,Here}(y,4*V,i,4*(t+T),8*T);
        loop invariant kept{Pre,Here}(y,4*V,i,4*(t+2*T),12*T);
        loop invariant kept{Pre,Here}(y,4*V,i,4*(t+3*T),4*V);
        loop assigns t, y[0 .. ix(k,4*V,0)-1];
        loop variant T - t; */
    GCOLS(t, T) {
      /*@ assert \forall integer c; 0 <= c < 4*V ==>
            Gather{Pre}(x,index,rows,4*V,i,c) == Gather(x,index,rows,4*V,i,c); */
      gather_part(i, t, rows, T, V, k, adds, x, index, y);
      /*@ assert \forall integer q; 0 <= q < i ==>
            kept{LoopCurrent,Here}(y,4*V,q,0,4*V); */
    }
    //@ assert gathered{Pre,Here}(y,x,index,rows,4*V,adds,i,0,4*V);
  }
}
#endif
