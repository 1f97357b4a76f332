/* What the bounds of attention over several heads share: that of a projection. */
#ifndef REF_MULTI_HEAD_PAIR_H
#define REF_MULTI_HEAD_PAIR_H
#include "multi_head_products.h"
#include "view_pair.h"

/*@ // what a product says of the elements that a contract counts
    lemma errors_in_heads{L1,L2}: \forall arith M, integer off, scalar *a, *e, view A, scalar *b,
      view B, scalar *c, integer batch, heads, n, d, z, t, p; 0 <= batch <= IDX_LIM ==>
      0 <= heads <= IDX_LIM ==> n <= IDX_LIM ==> d <= IDX_LIM ==>
      ViewErrorsAre{L1,L2}(M,off,a,e,A,b,B,c,InHeads(batch,heads,n,d),
                           ViewRows(InHeads(batch,heads,n,d))) ==>
      0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= p < d ==>
      \at(c[ix(z,ix(n,d,0),ix(t,d,p))],L2) ==
      ViewError{L1}(M,off,a,e,A,b,B,RowOf(heads,n,z,t),ColOf(heads,d,z,p),ViewCols(A));
    lemma errors_flat{L1,L2}: \forall arith M, integer off, scalar *a, *e, view A, scalar *b,
      view B, scalar *c, integer m, n, i, j; m <= IDX_LIM ==> n <= IDX_LIM ==>
      ViewErrorsAre{L1,L2}(M,off,a,e,A,b,B,c,Flat(m,n),ViewRows(Flat(m,n))) ==>
      0 <= i < m ==> 0 <= j < n ==>
      \at(c[ix(i,n,j)],L2) == ViewError{L1}(M,off,a,e,A,b,B,i,j,ViewCols(A));
    lemma cell_turned_flat: \forall integer m, n, i, j; m <= IDX_LIM ==> n <= IDX_LIM ==>
      0 <= i < m ==> 0 <= j < n ==> cell(Turned(Flat(m,n)),j,i) == ix(i,n,j);
    lemma turned_flat_sizes: \forall integer m, n; 0 <= m <= IDX_LIM ==> 0 <= n <= IDX_LIM ==>
      ViewRows(Turned(Flat(m,n))) == n && ViewCols(Turned(Flat(m,n))) == m;
    lemma errors_at{L1,L2}: \forall arith M, integer off, scalar *a, *e, view A, scalar *b, view B,
      scalar *c, view C, integer i, j; ViewErrorsAre{L1,L2}(M,off,a,e,A,b,B,c,C,ViewRows(C)) ==>
      0 <= i < ViewRows(C) ==> 0 <= j < ViewCols(C) ==>
      \at(c[cell(C,i,j)],L2) == ViewError{L1}(M,off,a,e,A,b,B,i,j,ViewCols(A));
    lemma errors_turned{L1,L2}: \forall arith M, integer off, scalar *a, *e, view A, scalar *b,
      view B, scalar *c, integer m, n, i, j; m <= IDX_LIM ==> n <= IDX_LIM ==>
      ViewErrorsAre{L1,L2}(M,off,a,e,A,b,B,c,Turned(Flat(m,n)),ViewRows(Turned(Flat(m,n)))) ==>
      0 <= i < m ==> 0 <= j < n ==>
      \at(c[ix(i,n,j)],L2) == ViewError{L1}(M,off,a,e,A,b,B,j,i,ViewCols(A));
    // ---- what a projection is off by
    predicate MhaHeadErrorsAre{L1,L2}(arith A, scalar *x, scalar *w, view W, integer batch,
                                      integer heads, integer n, integer width, integer d,
                                      scalar *e) =
      \forall integer z, t, c; 0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
        \at(e[ix(z,ix(n,d,0),ix(t,d,c))],L2) ==
        MhaHeadError{L1}(A,x,w,W,batch,heads,n,width,d,z,t,c);
    lemma mha_head_sizes: \forall integer batch, heads, kv_heads, n, width, d;
      MhaSizes(batch,heads,kv_heads,n,width,d) ==> MhaHeadSizes(batch,heads,n,width,d) &&
      MhaHeadSizes(batch,kv_heads,n,width,d);
    lemma mha_head_error_frame{L1,L2}: \forall arith A, scalar *x, *w, view W, integer batch,
      heads, n, width, d, z, t, c; 0 <= ix(batch,n,0) <= IDX_LIM ==> 0 <= width <= IDX_LIM ==>
      0 <= ix(ix(batch,n,0),width,0) <= IDX_LIM ==> 0 <= heads ==> WellView(W) ==>
      ViewRows(W) == width ==> ViewCols(W) == ix(heads,d,0) ==>
      0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
      Same{L1,L2}(x,ix(ix(batch,n,0),width,0)) ==> Same{L1,L2}(w,ViewSize(W)) ==>
      MhaHeadError{L1}(A,x,w,W,batch,heads,n,width,d,z,t,c) ==
      MhaHeadError{L2}(A,x,w,W,batch,heads,n,width,d,z,t,c);
    lemma mha_head_errors_read{L0,L1,L2}: \forall arith A, scalar *x, *w, view W, integer batch,
      heads, n, width, d, scalar *e; 0 <= ix(batch,n,0) <= IDX_LIM ==> 0 <= width <= IDX_LIM ==>
      0 <= ix(ix(batch,n,0),width,0) <= IDX_LIM ==> 0 <= heads ==> WellView(W) ==>
      ViewRows(W) == width ==> ViewCols(W) == ix(heads,d,0) ==>
      Same{L0,L1}(x,ix(ix(batch,n,0),width,0)) ==> Same{L0,L1}(w,ViewSize(W)) ==>
      MhaHeadErrorsAre{L1,L2}(A,x,w,W,batch,heads,n,width,d,e) ==>
      MhaHeadErrorsAre{L0,L2}(A,x,w,W,batch,heads,n,width,d,e);
    lemma mha_head_errors_kept{L0,L1,L2}: \forall arith A, scalar *x, *w, view W, integer batch,
      heads, n, width, d, scalar *e; Same{L1,L2}(e,HeadAt(ix(batch,heads,0),n,d)) ==>
      MhaHeadErrorsAre{L0,L1}(A,x,w,W,batch,heads,n,width,d,e) ==>
      MhaHeadErrorsAre{L0,L2}(A,x,w,W,batch,heads,n,width,d,e);
    lemma mha_head_errors_moved{L0,L1,L2,L3}: \forall arith A, scalar *x, *w, view W, integer batch,
      heads, n, width, d, scalar *e; 0 <= ix(batch,n,0) <= IDX_LIM ==> 0 <= width <= IDX_LIM ==>
      0 <= ix(ix(batch,n,0),width,0) <= IDX_LIM ==> 0 <= heads ==> WellView(W) ==>
      ViewRows(W) == width ==> ViewCols(W) == ix(heads,d,0) ==>
      Same{L0,L1}(x,ix(ix(batch,n,0),width,0)) ==> Same{L0,L1}(w,ViewSize(W)) ==>
      Same{L2,L3}(e,HeadAt(ix(batch,heads,0),n,d)) ==>
      MhaHeadErrorsAre{L1,L2}(A,x,w,W,batch,heads,n,width,d,e) ==>
      MhaHeadErrorsAre{L0,L3}(A,x,w,W,batch,heads,n,width,d,e);
*/

/* What q = x w in heads is off by, w read as W. */
/*@ requires MhaHeadSizes(batch,heads,n,width,d) && In2(x,ix(batch,n,0),width);
    requires ViewIn(w,W) && ViewRows(W) == width && ViewCols(W) == ix(heads,d,0);
    requires OutHeads(e,ix(batch,heads,0),n,d) && Sep(e,HeadAt(ix(batch,heads,0),n,d),w,ViewSize(W));
    requires Sep(e,HeadAt(ix(batch,heads,0),n,d),x,ix(ix(batch,n,0),width,0));
    assigns e[0 .. HeadAt(ix(batch,heads,0),n,d)-1];
    ensures MhaHeadErrorsAre{Pre,Post}(A,x,w,W,batch,heads,n,width,d,e);
    ensures Beside{Pre,Post}(e,HeadAt(ix(batch,heads,0),n,d));
*/
static inline void project_errors(arith A, idx batch, idx heads, idx n, idx width, idx d,
                                  const double *x, const double *w, view W, double *e)
{
  view_errors(A, 0, x, x, flat(size2(batch, n), width), w, W, e, in_heads(batch, heads, n, d));
}
#endif
