/* Products of matrices that lie in memory in one way or another (spec/multi_head.h), and what their
 * error bounds are; view_pair.h has these. */
#ifndef REF_VIEW_H
#define REF_VIEW_H
#include "attention.h"
#include "lost.h"
#include "walk.h"
#include "../spec/multi_head.h"

/* (m, n), row-major. */
/*@ requires 0 <= m <= IDX_LIM && 0 <= n <= IDX_LIM && 0 <= ix(m,n,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == Flat(m,n) && WellView(\result);
    ensures ViewRows(\result) == m && ViewCols(\result) == n && ViewSize(\result) == ix(m,n,0);
*/
static inline view flat(idx m, idx n)
{
  view V = {1, 1, m, n, 0};
  return V;
}

/* In heads, (batch, heads, n, d). */
/*@ requires 0 <= batch <= IDX_LIM && 0 <= heads <= IDX_LIM && 0 <= n <= IDX_LIM && 0 <= d <= IDX_LIM;
    requires 0 <= ix(batch,n,0) <= IDX_LIM && 0 <= ix(heads,d,0) <= IDX_LIM;
    requires 0 <= ix(batch,heads,0) <= IDX_LIM && 0 <= ix(n,d,0) <= IDX_LIM;
    requires 0 <= HeadAt(ix(batch,heads,0),n,d) <= IDX_LIM;
    assigns \nothing;
    ensures \result == InHeads(batch,heads,n,d) && WellView(\result);
    ensures ViewRows(\result) == ix(batch,n,0) && ViewCols(\result) == ix(heads,d,0);
    ensures ViewSize(\result) == HeadAt(ix(batch,heads,0),n,d);
*/
static inline view in_heads(idx batch, idx heads, idx n, idx d)
{
  view V = {batch, heads, n, d, 0};
  return V;
}

/*@ requires WellView(V);
    assigns \nothing;
    ensures \result == Turned(V) && WellView(\result);
    ensures ViewRows(\result) == ViewCols(V) && ViewCols(\result) == ViewRows(V);
    ensures ViewSize(\result) == ViewSize(V);
*/
static inline view turned(view V)
{
  view T = {V.batch, V.heads, V.n, V.d, !V.turned};
  return T;
}

/*@ requires WellView(V); assigns \nothing; ensures \result == ViewRows(V) && 0 <= \result; */
static inline idx view_rows(view V) { return V.turned ? size2(V.heads, V.d) : size2(V.batch, V.n); }

/*@ requires WellView(V); assigns \nothing; ensures \result == ViewCols(V) && 0 <= \result; */
static inline idx view_cols(view V) { return V.turned ? size2(V.batch, V.n) : size2(V.heads, V.d); }

/* Where element (i, j) lies. */
/*@ requires WellView(V) && 0 <= i < ViewRows(V) && 0 <= j < ViewCols(V);
    assigns \nothing;
    ensures \result == cell(V,i,j) && 0 <= \result < ViewSize(V);
*/
static inline idx view_at(view V, idx i, idx j)
{
  idx r = V.turned ? j : i, p = V.turned ? i : j;
  //@ assert inside: 0 <= r < ix(V.batch,V.n,0) && 0 <= p < ix(V.heads,V.d,0);
  if (V.batch == 1 && V.heads == 1)
    return at2(V.n, V.d, r, p);
  //@ assert some: 0 < V.n && 0 < V.d;
  idx z = at2(V.batch, V.heads, quo2(r, V.n), quo2(p, V.d));
  idx o = at2(V.n, V.d, rem2(r, V.n), rem2(p, V.d));
  //@ assert parts: 0 <= z < ix(V.batch,V.heads,0) && 0 <= o < ix(V.n,V.d,0);
  return at2(size2(V.batch, V.heads), size2(V.n, V.d), z, o);
}

/*@ predicate ViewIn{L}(scalar *a, view A) = WellView(A) && In1{L}(a,ViewSize(A));
    predicate ViewOut{L}(scalar *a, view A) = WellView(A) && Out1{L}(a,ViewSize(A));
    // c = A B, its first `rows` rows, or all; and of a row the first `cols` elements
    predicate ViewRowsAre{L1,L2}(scalar *a, view A, scalar *b, view B, scalar *c, view C,
                                 integer rows) =
      \forall integer i, j; 0 <= i < rows ==> 0 <= j < ViewCols(C) ==>
        \at(c[cell(C,i,j)],L2) == ViewDot{L1}(a,A,b,B,i,j,ViewCols(A));
    predicate ViewRowIs{L1,L2}(scalar *a, view A, scalar *b, view B, scalar *c, view C,
                               integer i, integer cols) =
      \forall integer j; 0 <= j < cols ==>
        \at(c[cell(C,i,j)],L2) == ViewDot{L1}(a,A,b,B,i,j,ViewCols(A));
    lemma view_rows_next{L1,L2}: \forall scalar *a, view A, scalar *b, view B, scalar *c, view C,
      integer i; ViewRowsAre{L1,L2}(a,A,b,B,c,C,i) ==>
      ViewRowIs{L1,L2}(a,A,b,B,c,C,i,ViewCols(C)) ==> ViewRowsAre{L1,L2}(a,A,b,B,c,C,i+1);
*/

/*@ requires ViewIn(a,A) && ViewIn(b,B) && ViewCols(A) == ViewRows(B);
    requires 0 <= i < ViewRows(A) && 0 <= j < ViewCols(B);
    assigns \nothing;
    ensures \result.v == ViewDot{Pre}(a,A,b,B,i,j,ViewCols(A)) && Lossless(\result);
*/
static inline twice view_dot(const double *a, view A, const double *b, view B, idx i, idx j)
{
  idx k = view_cols(A);
  double dot = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= p <= k;
      loop invariant dot == ViewDot{Pre}(a,A,b,B,i,j,p) && is_zero(lost);
      loop assigns p, dot, lost;
      loop variant k - p;
  */
  for (idx p = 0; p < k; p++) {
    double ab = r_mul(a[view_at(A, i, p)], b[view_at(B, p, j)]);
    lost += lost_sum(dot, ab);
    dot += ab;
  }
  return twice_of(dot, lost);
}

/* c = A B. */
/*@ requires ViewIn(a,A) && ViewIn(b,B) && ViewOut(c,C) && Fits(A,B,C);
    requires Sep(c,ViewSize(C),a,ViewSize(A)) && Sep(c,ViewSize(C),b,ViewSize(B));
    assigns c[0 .. ViewSize(C)-1];
    ensures ViewRowsAre{Pre,Post}(a,A,b,B,c,C,ViewRows(C));
*/
static inline void view_product(const double *a, view A, const double *b, view B, double *c, view C)
{
  idx m = view_rows(C), n = view_cols(C);
  /*@ loop invariant 0 <= i <= m;
      loop invariant ViewRowsAre{Pre,Here}(a,A,b,B,c,C,i);
      loop assigns i, c[0 .. ViewSize(C)-1];
      loop variant m - i;
  */
  for (idx i = 0; i < m; i++) {
    /*@ loop invariant 0 <= j <= n;
        loop invariant ViewRowsAre{Pre,Here}(a,A,b,B,c,C,i);
        loop invariant ViewRowIs{Pre,Here}(a,A,b,B,c,C,i,j);
        loop assigns j, c[0 .. ViewSize(C)-1];
        loop variant n - j;
    */
    for (idx j = 0; j < n; j++) {
      //@ assert same: Same{Pre,Here}(a,ViewSize(A)) && Same{Pre,Here}(b,ViewSize(B));
      twice dot = view_dot(a, A, b, B, i, j);
      //@ assert dot_is: dot.v == ViewDot{Pre}(a,A,b,B,i,j,ViewCols(A));
      idx at = view_at(C, i, j);
      //@ assert inside: 0 <= at < ViewSize(C);
      //@ assert all: \valid(c + (0 .. ViewSize(C)-1));
      c[at] = dot.v + r_kept(dot.lost);
    }
    //@ assert row: ViewRowIs{Pre,Here}(a,A,b,B,c,C,i,ViewCols(C));
  }
}

/* Bounds. What a dot product of numbers that may be off is off by: its terms are summed in any
 * order, so by a tree of their number's height at most. e says of each element of a by how much it
 * is off, where off is not 0; else nobody looks at it, and there is a for e. b is exact. */
/*@ axiomatic BoundViewDot {
      logic real e_view_dot(arith A, real dot, real abs, real more, real n) reads \nothing;
      axiom e_view_dot_def: \forall arith A, real dot, abs, more, n;
        e_view_dot(A,dot,abs,more,n) ==
        (p_dot_off(A,dot,abs,more,n,n).e < VACUOUS ? p_dot_off(A,dot,abs,more,n,n).e : VACUOUS);
    }
    // the terms' magnitudes, and what the errors carry into them
    logic real ViewAbs{L}(scalar *a, view A, scalar *b, view B, integer i, integer j, integer p) =
      p <= 0 ? 0.0 : ViewAbs{L}(a,A,b,B,i,j,p-1) +
                     \abs(rmul(a[cell(A,i,p-1)], b[cell(B,p-1,j)]));
    logic real ViewCross{L}(scalar *a, scalar *e, view A, scalar *b, view B, integer i, integer j,
                            integer p) =
      p <= 0 ? 0.0 : ViewCross{L}(a,e,A,b,B,i,j,p-1) +
                     p_cross(p_make(a[cell(A,i,p-1)],e[cell(A,i,p-1)]),
                             p_make(b[cell(B,p-1,j)],0.0));
    logic real ViewMore{L}(integer off, scalar *a, scalar *e, view A, scalar *b, view B, integer i,
                           integer j, integer p) =
      off == 0 ? 0.0 : ViewCross{L}(a,e,A,b,B,i,j,p);
    logic real ViewError{L}(arith M, integer off, scalar *a, scalar *e, view A, scalar *b, view B,
                            integer i, integer j, integer p) =
      e_view_dot(M, ViewDot{L}(a,A,b,B,i,j,p), ViewAbs{L}(a,A,b,B,i,j,p),
                 ViewMore{L}(off,a,e,A,b,B,i,j,p), p);
*/
#endif
