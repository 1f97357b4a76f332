/* Mixed-radix strided copy, rows fetched from anywhere: y is (rows, len), x holds its rows at the
 * positions that a walk over mixed radix gives. A permutation that keeps the innermost axis is
 * one, and with len 1 any is. */
#ifndef PM_SHAPE_WALK_H
#define PM_SHAPE_WALK_H
#include "vec4_laws.h"
#include "../../spec/walk.h"

/* The radices of an index, the last one first to turn, and what each of its digits counts. */
#define WALK_RANK 8
typedef struct walk {
  int n;
  idx size[WALK_RANK], step[WALK_RANK];
} walk;

/*@ // of k after its last m digits; where these lead
    logic integer Rest(walk w, integer k, integer m) =
      m <= 0 ? k : quo(Rest(w,k,m-1),w.size[w.n-m]);
    logic integer Walk(walk w, integer k, integer m) =
      m <= 0 ? 0 : Walk(w,k,m-1) + ix(rem(Rest(w,k,m-1),w.size[w.n-m]),w.step[w.n-m],0);
    predicate walks(walk w) = 0 <= w.n <= WALK_RANK &&
      \forall integer d; 0 <= d < w.n ==> 0 < w.size[d] && 0 <= w.step[d];
    lemma rest_pos: \forall walk w, integer k, m; walks(w) ==> 0 <= k ==> 0 <= m <= w.n ==>
      0 <= Rest(w,k,m);
    lemma walk_step: \forall walk w, integer k, m; walks(w) ==> 0 <= k ==> 0 <= m < w.n ==>
      0 <= ix(rem(Rest(w,k,m),w.size[w.n-(m+1)]),w.step[w.n-(m+1)],0);
    lemma walk_grows: \forall walk w, integer k, l, m; walks(w) ==> 0 <= k ==>
      0 <= l <= m <= w.n ==> Walk(w,k,l) <= Walk(w,k,m);
    // x is m vectors of e elements, y (rows, len) of them
    predicate walk_size{L}(float *y, float *x, walk w, integer rows, integer len, integer e,
                           integer m) =
      walks(w) && 0 <= rows && 0 < len <= IDX_LIM && 0 <= e*m <= IDX_LIM && reads(x,e*m) &&
      0 <= e*ix(rows,len,0) <= IDX_LIM && \valid(y + (0 .. e*ix(rows,len,0)-1)) &&
      apart(x,e*m,y,e*ix(rows,len,0)) &&
      \forall integer i; 0 <= i < rows ==> Walk(w,i,w.n) + len <= m;
    // of y, (rows, cols): row i up to element c and the rows before are done, the rest is left
    predicate walked{L0,L}(float *y, float *x, integer adds, walk w, integer rows, integer cols,
                           integer e, integer i, integer c) =
      \forall integer q, k; 0 <= q < rows ==> 0 <= k < cols ==>
        \at(y[ix(q,cols,k)],L) == (q < i || (q == i && k < c)
          ? plus(adds, \at(y[ix(q,cols,k)],L0), \at(x[e*Walk(w,q,w.n) + k],L0))
          : \at(y[ix(q,cols,k)],L0)); */

/*@ requires 0 <= k && 0 < n; assigns \nothing; ensures \result == quo(k,n); */
DEV idx quotient(idx k, idx n) { return k / n; }

/*@ requires 0 <= k && 0 < n; assigns \nothing; ensures \result == rem(k,n); */
DEV idx modulo(idx k, idx n) { return k % n; }

/*@ requires 0 <= i && 0 <= n && ix(i,n,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == ix(i,n,0); */
DEV idx scaled(idx i, idx n) { return i * n; }

/*@ requires walks(w) && 0 <= k && Walk(w,k,w.n) <= IDX_LIM;
    assigns \nothing;
    ensures \result == Walk(w,k,w.n) && 0 <= \result; */
DEV idx walk_to(walk w, idx k)
{
  idx rest = k, from = 0;
  /*@ loop invariant 0 <= d <= WALK_RANK && 0 <= rest && 0 <= from;
      loop invariant w.n <= d ==> rest == k && from == 0;
      loop invariant d <= w.n ==> rest == Rest(w,k,w.n-d) && from == Walk(w,k,w.n-d);
      loop assigns d, rest, from;
      loop variant d; */
  UNROLL for (int d = WALK_RANK; d > 0; d--) if (d <= w.n)
  {
    //@ assert 0 < w.size[d-1] && 0 <= w.step[d-1];
    //@ assert 0 <= ix(rem(rest,w.size[d-1]),w.step[d-1],0);
    //@ assert Walk(w,k,w.n-d+1) == from + ix(rem(rest,w.size[d-1]),w.step[d-1],0);
    //@ assert Rest(w,k,w.n-d+1) == quo(rest,w.size[d-1]);
    //@ assert 0 <= from && Walk(w,k,w.n-d+1) <= Walk(w,k,w.n);
    from = from + scaled(modulo(rest, w.size[d - 1]), w.step[d - 1]);
    rest = quotient(rest, w.size[d - 1]);
  }
  return from;
}

/* Vector c of row i. */
/*@ requires walk_size(y,x,w,rows,len,4,m) && aligned16(x) && aligned16(y);
    requires 0 <= i < rows && 0 <= c < len;
    requires \forall integer e; quad_W(i,c,len,e) ==> R(y+e) && W(y+e);
    assigns y[4*ix(i,len,c) .. 4*ix(i,len,c)+3];
    ensures \forall integer k; in4(k,c) ==> y[ix(i,4*len,k)] ==
      plus(adds, \old(y[ix(i,4*len,k)]), \old(x[4*Walk(w,i,w.n) + k])); */
DEV void walk_four(idx i, idx c, walk w, idx rows, idx len, int adds, const float *RESTRICT x,
                   float *RESTRICT y GHOST_PARAMS(idx m))
{
  idx from = walk_to(w, i) + c, to = at2(rows, len, i, c);
  //@ assert 0 <= 4*from && 4*from + 4 <= 4*m && 4*to + 4 <= 4*ix(rows,len,0);
  //@ assert ix(i,4*len,4*c) == 4*to && ix(i,4*len,4*c+1) == 4*to + 1;
  //@ assert ix(i,4*len,4*c+2) == 4*to + 2 && ix(i,4*len,4*c+3) == 4*to + 3;
  float4 v = LD4(x + 4 * from);
  //@ assert v.x == x[4*from] && v.y == x[4*from+1] && v.z == x[4*from+2] && v.w == x[4*from+3];
  if (adds)
    v = plus4(LD4(y + 4 * to), v);
  ST4(y + 4 * to, v);
  //@ assert y[4*to] == plus(adds, rd{Pre}(y,4*to), rd{Pre}(x,4*from));
  //@ assert y[4*to+1] == plus(adds, rd{Pre}(y,4*to+1), rd{Pre}(x,4*from+1));
  //@ assert y[4*to+2] == plus(adds, rd{Pre}(y,4*to+2), rd{Pre}(x,4*from+2));
  //@ assert y[4*to+3] == plus(adds, rd{Pre}(y,4*to+3), rd{Pre}(x,4*from+3));
}

/*@ requires walk_size(y,x,w,rows,len,1,m);
    requires 0 <= i < rows && 0 <= c < len;
    requires \forall integer e; cell_W(i,c,len,e) ==> R(y+e) && W(y+e);
    assigns y[ix(i,len,c)];
    ensures y[ix(i,len,c)] ==
      plus(adds, \old(y[ix(i,len,c)]), \old(x[Walk(w,i,w.n) + c])); */
DEV void walk_one(idx i, idx c, walk w, idx rows, idx len, int adds, const float *RESTRICT x,
                  float *RESTRICT y GHOST_PARAMS(idx m))
{
  idx from = walk_to(w, i) + c, to = at2(rows, len, i, c);
  float v = LDG(x + from);
  STG(y + to, adds ? LDG(y + to) + v : v);
}

/* y: (rows, len) of vectors of four, as the steps are. */
/*@ requires walk_size(y,x,w,rows,len,4,m) && aligned16(x) && aligned16(y);
    requires perm(y,4*ix(rows,len,0)) && ix(rows,len,0) <= GSIZE;
    assigns y[0 .. 4*ix(rows,len,0)-1];
    ensures walked{Pre,Post}(y, x, adds, w, rows, 4*len, 4, rows, 0); */
KERNEL void permute_walk_vec4(walk w, idx rows, idx len, int adds, const float *RESTRICT x,
                              float *RESTRICT y GHOST_PARAMS(idx m))
{
  /*@ loop invariant 0 <= i <= rows;
      loop invariant walked{Pre,Here}(y, x, adds, w, rows, 4*len, 4, i, 0);
      loop assigns i, y[0 .. 4*ix(rows,len,0)-1];
      loop variant rows - i; */
  GROWS(i, rows, len) {
    /*@ loop invariant 0 <= c <= len;
        loop invariant walked{Pre,Here}(y, x, adds, w, rows, 4*len, 4, i, 4*c);
        loop assigns c, y[0 .. 4*ix(rows,len,0)-1];
        loop variant len - c; */
    GCOLS(c, len) {
      //@ assert 0 <= ix(i,len,c) < ix(rows,len,0);
      //@ assert 0 <= Walk(w,i,w.n);
      //@ assert Walk(w,i,w.n) + c < m;
      /*@ assert \forall integer k; 0 <= k < 4*len ==>
            x[4*Walk(w,i,w.n)+k] == rd{Pre}(x,4*Walk(w,i,w.n)+k); */
      //@ assert \forall integer k; in4(k,c) ==> y[ix(i,4*len,k)] == rd{Pre}(y,ix(i,4*len,k));
      walk_four(i, c, w, rows, len, adds, x, y GHOST_ARGS(m));
      /*@ assert \forall integer q, k; 0 <= q < rows ==> 0 <= k < 4*len ==>
            (q != i || k < 4*c || 4*c + 4 <= k) ==>
            y[ix(q,4*len,k)] == \at(y[ix(q,4*len,k)],LoopCurrent); */
      /*@ assert \forall integer k; in4(k,c) ==> y[ix(i,4*len,k)] ==
            plus(adds, rd{Pre}(y,ix(i,4*len,k)), rd{Pre}(x,4*Walk(w,i,w.n)+k)); */
      /*@ assert \forall integer q, k; 0 <= q < rows ==> 0 <= k < 4*len ==>
            q < i || (q == i && k < 4*c) ==> y[ix(q,4*len,k)] ==
            plus(adds, rd{Pre}(y,ix(q,4*len,k)), rd{Pre}(x,4*Walk(w,q,w.n)+k)); */
      /*@ assert \forall integer q, k; 0 <= q < rows ==> 0 <= k < 4*len ==>
            i < q || (q == i && 4*c + 4 <= k) ==>
            y[ix(q,4*len,k)] == rd{Pre}(y,ix(q,4*len,k)); */
      /*@ assert \forall integer q, k; 0 <= q < rows ==> 0 <= k < 4*len ==>
            q == i && 4*c <= k < 4*c + 4 ==> y[ix(q,4*len,k)] ==
            plus(adds, rd{Pre}(y,ix(q,4*len,k)), rd{Pre}(x,4*Walk(w,q,w.n)+k)); */
      //@ assert walked{Pre,Here}(y, x, adds, w, rows, 4*len, 4, i, 4*c+4);
    }
    //@ assert walked{Pre,Here}(y, x, adds, w, rows, 4*len, 4, i, 4*len);
  }
}

/*@ requires walk_size(y,x,w,rows,len,1,m);
    requires perm(y,ix(rows,len,0)) && ix(rows,len,0) <= GSIZE;
    assigns y[0 .. ix(rows,len,0)-1];
    ensures walked{Pre,Post}(y, x, adds, w, rows, len, 1, rows, 0); */
KERNEL void permute_walk_scalar(walk w, idx rows, idx len, int adds, const float *RESTRICT x,
                                float *RESTRICT y GHOST_PARAMS(idx m))
{
  /*@ loop invariant 0 <= i <= rows;
      loop invariant walked{Pre,Here}(y, x, adds, w, rows, len, 1, i, 0);
      loop assigns i, y[0 .. ix(rows,len,0)-1];
      loop variant rows - i; */
  GROWS(i, rows, len) {
    /*@ loop invariant 0 <= c <= len;
        loop invariant walked{Pre,Here}(y, x, adds, w, rows, len, 1, i, c);
        loop assigns c, y[0 .. ix(rows,len,0)-1];
        loop variant len - c; */
    GCOLS(c, len) {
      //@ assert 0 <= Walk(w,i,w.n) && Walk(w,i,w.n) + c < m;
      //@ assert x[Walk(w,i,w.n)+c] == rd{Pre}(x,Walk(w,i,w.n)+c);
      //@ assert y[ix(i,len,c)] == rd{Pre}(y,ix(i,len,c));
      walk_one(i, c, w, rows, len, adds, x, y GHOST_ARGS(m));
      /*@ assert \forall integer q, k; 0 <= q < rows ==> 0 <= k < len ==> (q != i || k != c) ==>
            y[ix(q,len,k)] == \at(y[ix(q,len,k)],LoopCurrent); */
      /*@ assert y[ix(i,len,c)] == plus(adds, rd{Pre}(y,ix(i,len,c)),
                                        rd{Pre}(x,Walk(w,i,w.n)+c)); */
    }
  }
}
#endif
