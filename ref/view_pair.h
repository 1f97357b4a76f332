/* Error bounds of the products of view.h. */
#ifndef REF_VIEW_PAIR_H
#define REF_VIEW_PAIR_H
#include "attention_pair.h"
#include "view.h"

/*@ lemma view_abs_next{L1,L2}: \forall integer p, scalar *a, view A, scalar *b, view B,
      integer i, j; WellView(A) ==> WellView(B) ==> 0 <= i < ViewRows(A) ==>
      0 <= j < ViewCols(B) ==> 0 <= p < ViewCols(A) ==> p < ViewRows(B) ==>
      Same{L1,L2}(a,ViewSize(A)) ==> Same{L1,L2}(b,ViewSize(B)) ==>
      ViewAbs{L1}(a,A,b,B,i,j,p) == ViewAbs{L2}(a,A,b,B,i,j,p) ==>
      ViewAbs{L1}(a,A,b,B,i,j,p+1) == ViewAbs{L2}(a,A,b,B,i,j,p+1);
    lemma view_abs_frame{L1,L2}: \forall integer p, scalar *a, view A, scalar *b, view B,
      integer i, j; WellView(A) ==> WellView(B) ==> 0 <= i < ViewRows(A) ==>
      0 <= j < ViewCols(B) ==> p <= ViewCols(A) ==> p <= ViewRows(B) ==>
      Same{L1,L2}(a,ViewSize(A)) ==> Same{L1,L2}(b,ViewSize(B)) ==>
      ViewAbs{L1}(a,A,b,B,i,j,p) == ViewAbs{L2}(a,A,b,B,i,j,p);
    lemma view_cross_next{L1,L2}: \forall integer p, scalar *a, *e, view A, scalar *b, view B,
      integer i, j; WellView(A) ==> WellView(B) ==> 0 <= i < ViewRows(A) ==>
      0 <= j < ViewCols(B) ==> 0 <= p < ViewCols(A) ==> p < ViewRows(B) ==>
      Same{L1,L2}(a,ViewSize(A)) ==> Same{L1,L2}(e,ViewSize(A)) ==> Same{L1,L2}(b,ViewSize(B)) ==>
      ViewCross{L1}(a,e,A,b,B,i,j,p) == ViewCross{L2}(a,e,A,b,B,i,j,p) ==>
      ViewCross{L1}(a,e,A,b,B,i,j,p+1) == ViewCross{L2}(a,e,A,b,B,i,j,p+1);
    lemma view_cross_frame{L1,L2}: \forall integer p, scalar *a, *e, view A, scalar *b, view B,
      integer i, j; WellView(A) ==> WellView(B) ==> 0 <= i < ViewRows(A) ==>
      0 <= j < ViewCols(B) ==> p <= ViewCols(A) ==> p <= ViewRows(B) ==>
      Same{L1,L2}(a,ViewSize(A)) ==> Same{L1,L2}(e,ViewSize(A)) ==> Same{L1,L2}(b,ViewSize(B)) ==>
      ViewCross{L1}(a,e,A,b,B,i,j,p) == ViewCross{L2}(a,e,A,b,B,i,j,p);
    lemma view_error_frame{L1,L2}: \forall integer p, arith M, integer off, scalar *a, *e, view A,
      scalar *b, view B, integer i, j; WellView(A) ==> WellView(B) ==> 0 <= i < ViewRows(A) ==>
      0 <= j < ViewCols(B) ==> p <= ViewCols(A) ==> p <= ViewRows(B) ==>
      Same{L1,L2}(a,ViewSize(A)) ==> Same{L1,L2}(e,ViewSize(A)) ==> Same{L1,L2}(b,ViewSize(B)) ==>
      ViewError{L1}(M,off,a,e,A,b,B,i,j,p) == ViewError{L2}(M,off,a,e,A,b,B,i,j,p);
    predicate ViewErrorsAre{L1,L2}(arith M, integer off, scalar *a, scalar *e, view A, scalar *b,
                                   view B, scalar *c, view C, integer rows) =
      \forall integer i, j; 0 <= i < rows ==> 0 <= j < ViewCols(C) ==>
        \at(c[cell(C,i,j)],L2) == ViewError{L1}(M,off,a,e,A,b,B,i,j,ViewCols(A));
    predicate ViewErrorRowIs{L1,L2}(arith M, integer off, scalar *a, scalar *e, view A, scalar *b,
                                    view B, scalar *c, view C, integer i, integer cols) =
      \forall integer j; 0 <= j < cols ==>
        \at(c[cell(C,i,j)],L2) == ViewError{L1}(M,off,a,e,A,b,B,i,j,ViewCols(A));
    lemma view_errors_next{L1,L2}: \forall arith M, integer off, scalar *a, *e, view A, scalar *b,
      view B, scalar *c, view C, integer i; ViewErrorsAre{L1,L2}(M,off,a,e,A,b,B,c,C,i) ==>
      ViewErrorRowIs{L1,L2}(M,off,a,e,A,b,B,c,C,i,ViewCols(C)) ==>
      ViewErrorsAre{L1,L2}(M,off,a,e,A,b,B,c,C,i+1);
*/

/*@ assigns \nothing; ensures \result == e_view_dot(A,dot,abs,more,n); */
static inline double view_dot_error(arith A, double dot, double abs, double more, double n)
{
  pair p = dot_off(A, dot, abs, more, n, n);
  return p.e < VACUOUS ? p.e : VACUOUS;
}

/* What the bound of a dot product is made of. */
typedef struct dots {
  double dot, abs, more;
} dots;

/*@ requires ViewIn(a,A) && ViewIn(e,A) && ViewIn(b,B) && ViewCols(A) == ViewRows(B);
    requires 0 <= i < ViewRows(A) && 0 <= j < ViewCols(B);
    assigns \nothing;
    ensures \result.dot == ViewDot{Pre}(a,A,b,B,i,j,ViewCols(A));
    ensures \result.abs == ViewAbs{Pre}(a,A,b,B,i,j,ViewCols(A));
    ensures \result.more == ViewMore{Pre}(off,a,e,A,b,B,i,j,ViewCols(A));
*/
static inline dots view_dots(int off, const double *a, const double *e, view A, const double *b,
                             view B, idx i, idx j)
{
  idx k = view_cols(A);
  dots s = {0.0, 0.0, 0.0};
  /*@ loop invariant 0 <= p <= k;
      loop invariant s.dot == ViewDot{Pre}(a,A,b,B,i,j,p);
      loop invariant s.abs == ViewAbs{Pre}(a,A,b,B,i,j,p);
      loop invariant s.more == ViewMore{Pre}(off,a,e,A,b,B,i,j,p);
      loop assigns p, s;
      loop variant k - p;
  */
  for (idx p = 0; p < k; p++) {
    idx at = view_at(A, i, p);
    double x = a[at], y = b[view_at(B, p, j)], xy = r_mul(x, y);
    s.dot += xy;
    s.abs += r_abs(xy);
    if (off)
      s.more += pair_cross(pair_make(x, e[at]), pair_in(y));
  }
  return s;
}

/* What c = A B is off by. */
/*@ requires ViewIn(a,A) && ViewIn(e,A) && ViewIn(b,B) && ViewOut(c,C) && Fits(A,B,C);
    requires Sep(c,ViewSize(C),a,ViewSize(A)) && Sep(c,ViewSize(C),e,ViewSize(A));
    requires Sep(c,ViewSize(C),b,ViewSize(B));
    assigns c[0 .. ViewSize(C)-1];
    ensures ViewErrorsAre{Pre,Post}(M,off,a,e,A,b,B,c,C,ViewRows(C));
*/
static inline void view_errors(arith M, int off, const double *a, const double *e, view A,
                               const double *b, view B, double *c, view C)
{
  idx m = view_rows(C), n = view_cols(C), k = view_cols(A);
  /*@ loop invariant 0 <= i <= m;
      loop invariant ViewErrorsAre{Pre,Here}(M,off,a,e,A,b,B,c,C,i);
      loop assigns i, c[0 .. ViewSize(C)-1];
      loop variant m - i;
  */
  for (idx i = 0; i < m; i++) {
    /*@ loop invariant 0 <= j <= n;
        loop invariant ViewErrorsAre{Pre,Here}(M,off,a,e,A,b,B,c,C,i);
        loop invariant ViewErrorRowIs{Pre,Here}(M,off,a,e,A,b,B,c,C,i,j);
        loop assigns j, c[0 .. ViewSize(C)-1];
        loop variant n - j;
    */
    for (idx j = 0; j < n; j++) {
      //@ assert same: Same{Pre,Here}(a,ViewSize(A)) && Same{Pre,Here}(b,ViewSize(B));
      //@ assert same_e: Same{Pre,Here}(e,ViewSize(A));
      dots s = view_dots(off, a, e, A, b, B, i, j);
      double off_by = view_dot_error(M, s.dot, s.abs, s.more, (double)k);
      //@ assert off_is: off_by == ViewError{Pre}(M,off,a,e,A,b,B,i,j,ViewCols(A));
      idx at = view_at(C, i, j);
      //@ assert inside: 0 <= at < ViewSize(C);
      //@ assert all: \valid(c + (0 .. ViewSize(C)-1));
      c[at] = off_by;
      //@ assert before: ViewErrorRowIs{Pre,Here}(M,off,a,e,A,b,B,c,C,i,j);
    }
    //@ assert row: ViewErrorRowIs{Pre,Here}(M,off,a,e,A,b,B,c,C,i,ViewCols(C));
  }
}

#endif
