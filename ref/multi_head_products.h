/* The products of attention over several heads: their sizes, and what a later state has of them. */
#ifndef REF_MULTI_HEAD_PRODUCTS_H
#define REF_MULTI_HEAD_PRODUCTS_H
#include "multi_head.h"

/*@ // what is kept says of a later state
    lemma view_rows_moved{L1,L2,L3,L4}: \forall scalar *a, view A, scalar *b, view B, scalar *c,
      view C; WellView(A) ==> WellView(B) ==> WellView(C) ==> Fits(A,B,C) ==>
      Same{L1,L3}(a,ViewSize(A)) ==> Same{L1,L3}(b,ViewSize(B)) ==> Same{L2,L4}(c,ViewSize(C)) ==>
      ViewRowsAre{L1,L2}(a,A,b,B,c,C,ViewRows(C)) ==> ViewRowsAre{L3,L4}(a,A,b,B,c,C,ViewRows(C));
    // what a product says of the elements that a contract counts, where it is stored in heads, plain
    // or turned
    lemma product_in_heads{L1,L2}: \forall scalar *a, view A, scalar *b, view B, scalar *c,
      integer batch, heads, n, d, z, t, p; 0 <= batch <= IDX_LIM ==> 0 <= heads <= IDX_LIM ==>
      n <= IDX_LIM ==> d <= IDX_LIM ==>
      ViewRowsAre{L1,L2}(a,A,b,B,c,InHeads(batch,heads,n,d),ViewRows(InHeads(batch,heads,n,d))) ==>
      0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= p < d ==>
      \at(c[ix(z,ix(n,d,0),ix(t,d,p))],L2) ==
      ViewDot{L1}(a,A,b,B,RowOf(heads,n,z,t),ColOf(heads,d,z,p),ViewCols(A));
    lemma product_flat{L1,L2}: \forall scalar *a, view A, scalar *b, view B, scalar *c,
      integer m, n, i, j; m <= IDX_LIM ==> n <= IDX_LIM ==>
      ViewRowsAre{L1,L2}(a,A,b,B,c,Flat(m,n),ViewRows(Flat(m,n))) ==>
      0 <= i < m ==> 0 <= j < n ==>
      \at(c[ix(i,n,j)],L2) == ViewDot{L1}(a,A,b,B,i,j,ViewCols(A));
    lemma product_turned{L1,L2}: \forall scalar *a, view A, scalar *b, view B, scalar *c,
      integer m, n, i, j; m <= IDX_LIM ==> n <= IDX_LIM ==>
      ViewRowsAre{L1,L2}(a,A,b,B,c,Turned(Flat(m,n)),ViewRows(Turned(Flat(m,n)))) ==>
      0 <= i < m ==> 0 <= j < n ==>
      \at(c[ix(i,n,j)],L2) == ViewDot{L1}(a,A,b,B,j,i,ViewCols(A));
    // each element of a is apart from all of out
    predicate Apart(scalar *a, integer n, scalar *out, integer m) =
      \forall integer i; 0 <= i < n ==> \separated(a+i, out + (0 .. m-1));
    lemma apart_of_sep: \forall scalar *a, *out, integer n, m; Sep(out,m,a,n) ==> Apart(a,n,out,m);
    // nothing but out has changed: whatever is apart from it is as it was
    predicate Beside{L1,L2}(scalar *out, integer m) =
      \forall scalar *a, integer n; Apart(a,n,out,m) ==> Same{L1,L2}(a,n);
    lemma same_after{L1,L2,L3}: \forall scalar *a, integer n;
      Same{L1,L2}(a,n) ==> Same{L2,L3}(a,n) ==> Same{L1,L3}(a,n);
    lemma group_of_some: \forall integer heads, kv_heads; 0 <= heads ==> 0 <= kv_heads ==>
      0 <= group_of(heads,kv_heads);
    lemma flat_is: \forall integer m, n; 0 <= m <= IDX_LIM ==> 0 <= n <= IDX_LIM ==>
      0 <= ix(m,n,0) <= IDX_LIM ==> WellView(Flat(m,n)) && ViewRows(Flat(m,n)) == m &&
      ViewCols(Flat(m,n)) == n && ViewSize(Flat(m,n)) == ix(m,n,0);
    predicate MhaHeadSizes(integer batch, integer heads, integer n, integer width, integer d) =
      0 <= batch <= IDX_LIM && 0 <= heads <= IDX_LIM && 0 <= n <= IDX_LIM &&
      0 <= width <= IDX_LIM && 0 <= d <= IDX_LIM && 0 <= ix(batch,n,0) <= IDX_LIM &&
      0 <= ix(heads,d,0) <= IDX_LIM && 0 <= ix(batch,heads,0) <= IDX_LIM &&
      0 <= ix(n,d,0) <= IDX_LIM;
    lemma in_heads_is: \forall integer batch, heads, n, width, d;
      MhaHeadSizes(batch,heads,n,width,d) ==>
      0 <= HeadAt(ix(batch,heads,0),n,d) <= IDX_LIM ==> WellView(InHeads(batch,heads,n,d)) &&
      ViewRows(InHeads(batch,heads,n,d)) == ix(batch,n,0) &&
      ViewCols(InHeads(batch,heads,n,d)) == ix(heads,d,0) &&
      ViewSize(InHeads(batch,heads,n,d)) == HeadAt(ix(batch,heads,0),n,d);
    lemma turned_is: \forall view V; WellView(V) ==> WellView(Turned(V)) &&
      ViewRows(Turned(V)) == ViewCols(V) && ViewCols(Turned(V)) == ViewRows(V) &&
      ViewSize(Turned(V)) == ViewSize(V);
    lemma mha_head_frame{L1,L2}: \forall scalar *x, *w, view W, integer batch, heads, n,
      width, d, z, t, c; 0 <= ix(batch,n,0) <= IDX_LIM ==> 0 <= width <= IDX_LIM ==>
      0 <= ix(ix(batch,n,0),width,0) <= IDX_LIM ==> 0 <= heads ==> WellView(W) ==>
      ViewRows(W) == width ==> ViewCols(W) == ix(heads,d,0) ==>
      0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
      Same{L1,L2}(x,ix(ix(batch,n,0),width,0)) ==> Same{L1,L2}(w,ViewSize(W)) ==>
      MhaHead{L1}(x,w,W,batch,heads,n,width,d,z,t,c) ==
      MhaHead{L2}(x,w,W,batch,heads,n,width,d,z,t,c);
    lemma mha_join_frame{L1,L2}: \forall scalar *o, *w, view W, integer batch, heads, n, width, d,
      i, j; MhaHeadSizes(batch,heads,n,width,d) ==>
      0 <= HeadAt(ix(batch,heads,0),n,d) <= IDX_LIM ==> WellView(W) ==>
      ViewRows(W) == ix(heads,d,0) ==> ViewCols(W) == width ==>
      0 <= i < ix(batch,n,0) ==> 0 <= j < width ==> Same{L1,L2}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(w,ViewSize(W)) ==>
      MhaJoin{L1}(o,w,W,batch,heads,n,d,i,j) == MhaJoin{L2}(o,w,W,batch,heads,n,d,i,j);
    // dx's sizes, and that it is as it was
    predicate MhaDxSizes(integer batch, integer heads, integer kv_heads, integer n, integer width,
                         integer d) =
      MhaHeadSizes(batch,heads,n,width,d) && MhaHeadSizes(batch,kv_heads,n,width,d) &&
      0 <= HeadAt(ix(batch,heads,0),n,d) <= IDX_LIM &&
      0 <= HeadAt(ix(batch,kv_heads,0),n,d) <= IDX_LIM &&
      0 <= ix(width,ix(heads,d,0),0) <= IDX_LIM && 0 <= ix(width,ix(kv_heads,d,0),0) <= IDX_LIM &&
      0 <= ix(ix(batch,n,0),width,0) <= IDX_LIM;
    predicate MhaGramSizes(integer batch, integer heads, integer n, integer width, integer d) =
      MhaHeadSizes(batch,heads,n,width,d) && 0 <= HeadAt(ix(batch,heads,0),n,d) <= IDX_LIM &&
      0 <= ix(ix(batch,n,0),width,0) <= IDX_LIM;
    // a size is one where it is within the limit
    predicate MhaLimits(integer batch, integer heads, integer kv_heads, integer n, integer width,
                        integer d) =
      HeadAt(ix(batch,heads,0),n,d) <= IDX_LIM && HeadAt(ix(batch,kv_heads,0),n,d) <= IDX_LIM &&
      ix(width,ix(heads,d,0),0) <= IDX_LIM && ix(width,ix(kv_heads,d,0),0) <= IDX_LIM &&
      ix(ix(batch,n,0),width,0) <= IDX_LIM;
    lemma mha_gram_sizes: \forall integer batch, heads, kv_heads, n, width, d;
      MhaSizes(batch,heads,kv_heads,n,width,d) ==> MhaLimits(batch,heads,kv_heads,n,width,d) ==>
      MhaGramSizes(batch,heads,n,width,d);
    lemma mha_gram_sizes_kv: \forall integer batch, heads, kv_heads, n, width, d;
      MhaSizes(batch,heads,kv_heads,n,width,d) ==> MhaLimits(batch,heads,kv_heads,n,width,d) ==>
      MhaGramSizes(batch,kv_heads,n,width,d);
    lemma mha_dx_sizes: \forall integer batch, heads, kv_heads, n, width, d;
      MhaSizes(batch,heads,kv_heads,n,width,d) ==> MhaLimits(batch,heads,kv_heads,n,width,d) ==>
      MhaGramSizes(batch,heads,n,width,d) ==> MhaGramSizes(batch,kv_heads,n,width,d) ==>
      MhaDxSizes(batch,heads,kv_heads,n,width,d);
    predicate MhaDxSame{L1,L2}(scalar *dq, scalar *dk, scalar *dv, scalar *wq, scalar *wk,
                               scalar *wv, integer batch, integer heads, integer kv_heads,
                               integer n, integer width, integer d) =
      Same{L1,L2}(dq,HeadAt(ix(batch,heads,0),n,d)) &&
      Same{L1,L2}(dk,HeadAt(ix(batch,kv_heads,0),n,d)) &&
      Same{L1,L2}(dv,HeadAt(ix(batch,kv_heads,0),n,d)) &&
      Same{L1,L2}(wq,ix(width,ix(heads,d,0),0)) && Same{L1,L2}(wk,ix(width,ix(kv_heads,d,0),0)) &&
      Same{L1,L2}(wv,ix(width,ix(kv_heads,d,0),0));
    lemma mha_dx_frame{L1,L2}: \forall scalar *dq, *dk, *dv, *wq, *wk, *wv,
      integer batch, heads, kv_heads, n, width, d, i, j;
      MhaDxSizes(batch,heads,kv_heads,n,width,d) ==> 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      MhaDxSame{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDx{L1}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDx{L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);

    // ---- dx
    predicate MhaDxIs{L1,L2}(scalar *dq, scalar *dk, scalar *dv, scalar *wq, scalar *wk,
                             scalar *wv, integer batch, integer heads, integer kv_heads, integer n,
                             integer width, integer d, scalar *dx, integer rows) =
      \forall integer i, j; 0 <= i < rows ==> 0 <= j < width ==> \at(dx[ix(i,width,j)],L2) ==
        MhaDx{L1}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    predicate MhaDxRowIs{L1,L2}(scalar *dq, scalar *dk, scalar *dv, scalar *wq, scalar *wk,
                                scalar *wv, integer batch, integer heads, integer kv_heads,
                                integer n, integer width, integer d, scalar *dx, integer i,
                                integer cols) =
      \forall integer j; 0 <= j < cols ==> \at(dx[ix(i,width,j)],L2) ==
        MhaDx{L1}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    lemma mha_dx_next{L1,L2}: \forall scalar *dq, *dk, *dv, *wq, *wk, *wv, integer batch, heads,
      kv_heads, n, width, d, scalar *dx, integer i;
      MhaDxIs{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,i) ==>
      MhaDxRowIs{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,i,width) ==>
      MhaDxIs{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,i+1);
    lemma mha_dx_read{L1,L2,L3}: \forall scalar *dq, *dk, *dv, *wq, *wk, *wv,
      integer batch, heads, kv_heads, n, width, d, scalar *dx;
      MhaDxSizes(batch,heads,kv_heads,n,width,d) ==>
      MhaDxSame{L1,L3}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxIs{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,ix(batch,n,0)) ==>
      MhaDxIs{L3,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,ix(batch,n,0));
    lemma mha_dx_kept{L1,L2,L3}: \forall scalar *dq, *dk, *dv, *wq, *wk, *wv,
      integer batch, heads, kv_heads, n, width, d, scalar *dx, integer rows;
      Same{L2,L3}(dx,ix(rows,width,0)) ==>
      MhaDxIs{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,rows) ==>
      MhaDxIs{L1,L3}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,rows);
    lemma mha_dx_moved{L1,L2,L3}: \forall scalar *dq, *dk, *dv, *wq, *wk, *wv,
      integer batch, heads, kv_heads, n, width, d, scalar *dx;
      MhaDxSizes(batch,heads,kv_heads,n,width,d) ==>
      MhaDxSame{L1,L3}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      Same{L2,L3}(dx,ix(ix(batch,n,0),width,0)) ==>
      MhaDxIs{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,ix(batch,n,0)) ==>
      MhaDxIs{L3,L3}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,ix(batch,n,0));

    // ---- products of a matrix turned, of which the weights' cotangents are made
    predicate MhaGramIs{L1,L2}(scalar *o, scalar *x, integer batch, integer heads, integer n,
                               integer width, integer d, scalar *c) =
      \forall integer i, j; 0 <= i < ix(heads,d,0) ==> 0 <= j < width ==>
        \at(c[ix(i,width,j)],L2) == MhaGram{L1}(o,x,batch,heads,n,width,d,i,j);
    // and turned
    predicate MhaMargIs{L1,L2}(scalar *o, scalar *x, integer batch, integer heads, integer n,
                               integer width, integer d, scalar *c) =
      \forall integer i, j; 0 <= i < width ==> 0 <= j < ix(heads,d,0) ==>
        \at(c[ix(i,ix(heads,d,0),j)],L2) == MhaGram{L1}(o,x,batch,heads,n,width,d,j,i);
    lemma mha_gram_frame{L1,L2}: \forall scalar *o, *x, integer batch, heads, n, width, d, i, j;
      MhaGramSizes(batch,heads,n,width,d) ==> 0 <= i < ix(heads,d,0) ==> 0 <= j < width ==>
      Same{L1,L2}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(x,ix(ix(batch,n,0),width,0)) ==>
      MhaGram{L1}(o,x,batch,heads,n,width,d,i,j) == MhaGram{L2}(o,x,batch,heads,n,width,d,i,j);
    lemma mha_gram_read{L1,L2,L3}: \forall scalar *o, *x, integer batch, heads, n, width, d,
      scalar *c; MhaGramSizes(batch,heads,n,width,d) ==>
      Same{L1,L3}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L3}(x,ix(ix(batch,n,0),width,0)) ==>
      MhaGramIs{L1,L2}(o,x,batch,heads,n,width,d,c) ==> MhaGramIs{L3,L2}(o,x,batch,heads,n,width,d,c);
    lemma mha_gram_kept{L1,L2,L3}: \forall scalar *o, *x, integer batch, heads, n, width, d,
      scalar *c; Same{L2,L3}(c,ix(ix(heads,d,0),width,0)) ==>
      MhaGramIs{L1,L2}(o,x,batch,heads,n,width,d,c) ==> MhaGramIs{L1,L3}(o,x,batch,heads,n,width,d,c);
    lemma mha_gram_moved{L1,L2,L3}: \forall scalar *o, *x, integer batch, heads, n, width, d,
      scalar *c; MhaGramSizes(batch,heads,n,width,d) ==>
      Same{L1,L3}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L3}(x,ix(ix(batch,n,0),width,0)) ==> Same{L2,L3}(c,ix(ix(heads,d,0),width,0)) ==>
      MhaGramIs{L1,L2}(o,x,batch,heads,n,width,d,c) ==>
      MhaGramIs{L3,L3}(o,x,batch,heads,n,width,d,c);
    lemma mha_marg_read{L1,L2,L3}: \forall scalar *o, *x, integer batch, heads, n, width, d,
      scalar *c; MhaGramSizes(batch,heads,n,width,d) ==>
      Same{L1,L3}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L3}(x,ix(ix(batch,n,0),width,0)) ==>
      MhaMargIs{L1,L2}(o,x,batch,heads,n,width,d,c) ==> MhaMargIs{L3,L2}(o,x,batch,heads,n,width,d,c);
    lemma mha_marg_kept{L1,L2,L3}: \forall scalar *o, *x, integer batch, heads, n, width, d,
      scalar *c; Same{L2,L3}(c,ix(width,ix(heads,d,0),0)) ==>
      MhaMargIs{L1,L2}(o,x,batch,heads,n,width,d,c) ==> MhaMargIs{L1,L3}(o,x,batch,heads,n,width,d,c);
    lemma mha_marg_moved{L1,L2,L3}: \forall scalar *o, *x, integer batch, heads, n, width, d,
      scalar *c; MhaGramSizes(batch,heads,n,width,d) ==>
      Same{L1,L3}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L3}(x,ix(ix(batch,n,0),width,0)) ==> Same{L2,L3}(c,ix(width,ix(heads,d,0),0)) ==>
      MhaMargIs{L1,L2}(o,x,batch,heads,n,width,d,c) ==>
      MhaMargIs{L3,L3}(o,x,batch,heads,n,width,d,c);
*/

/*@ // nothing but the cotangents of inputs and weights has changed
    predicate MhaGradsBeside{L1,L2}(integer batch, integer heads, integer kv_heads, integer n,
                                    integer width, integer d, scalar *dx, scalar *dwq, scalar *dwk,
                                    scalar *dwv, scalar *dwo) =
      \forall scalar *a, integer size; Apart(a,size,dx,ix(ix(batch,n,0),width,0)) ==>
        Apart(a,size,dwq,ix(width,ix(heads,d,0),0)) ==> Apart(a,size,dwk,ix(width,ix(kv_heads,d,0),0)) ==>
        Apart(a,size,dwv,ix(width,ix(kv_heads,d,0),0)) ==> Apart(a,size,dwo,ix(ix(heads,d,0),width,0)) ==>
        Same{L1,L2}(a,size);
    lemma mha_grads_beside{L0,L1,L2,L3,L4,L5}: \forall integer batch, heads, kv_heads, n, width, d,
      scalar *dx, *dwq, *dwk, *dwv, *dwo; Beside{L0,L1}(dx,ix(ix(batch,n,0),width,0)) ==>
      Beside{L1,L2}(dwq,ix(width,ix(heads,d,0),0)) ==> Beside{L2,L3}(dwk,ix(width,ix(kv_heads,d,0),0)) ==>
      Beside{L3,L4}(dwv,ix(width,ix(kv_heads,d,0),0)) ==> Beside{L4,L5}(dwo,ix(ix(heads,d,0),width,0)) ==>
      MhaGradsBeside{L0,L5}(batch,heads,kv_heads,n,width,d,dx,dwq,dwk,dwv,dwo);
    predicate MhaGradsApart(scalar *out, integer size, integer batch, integer heads,
                            integer kv_heads, integer n, integer width, integer d, scalar *dq,
                            scalar *dk, scalar *dv, scalar *wq, scalar *wk, scalar *wv, scalar *o,
                            scalar *x, scalar *g) =
      Sep(out,size,dq,HeadAt(ix(batch,heads,0),n,d)) &&
      Sep(out,size,dk,HeadAt(ix(batch,kv_heads,0),n,d)) &&
      Sep(out,size,dv,HeadAt(ix(batch,kv_heads,0),n,d)) &&
      Sep(out,size,wq,ix(width,ix(heads,d,0),0)) &&
      Sep(out,size,wk,ix(width,ix(kv_heads,d,0),0)) &&
      Sep(out,size,wv,ix(width,ix(kv_heads,d,0),0)) &&
      Sep(out,size,o,HeadAt(ix(batch,heads,0),n,d)) &&
      Sep(out,size,x,ix(ix(batch,n,0),width,0)) &&
      Sep(out,size,g,ix(ix(batch,n,0),width,0));
*/

/* The cotangents of the inputs and of the weights from those of q, k, v and y:
 * dx = dq wq' + dk wk' + dv wv', dwq = x' dq, dwk = x' dk, dwv = x' dv and dwo = o' g. */
/*@ requires MhaSizes(batch,heads,kv_heads,n,width,d);
    requires MhaGramSizes(batch,heads,n,width,d) && MhaGramSizes(batch,kv_heads,n,width,d);
    requires MhaDxSizes(batch,heads,kv_heads,n,width,d);
    requires Heads(dq,ix(batch,heads,0),n,d) && Heads(dk,ix(batch,kv_heads,0),n,d);
    requires Heads(dv,ix(batch,kv_heads,0),n,d) && Heads(o,ix(batch,heads,0),n,d);
    requires In2(wq,width,ix(heads,d,0)) && In2(wk,width,ix(kv_heads,d,0));
    requires In2(wv,width,ix(kv_heads,d,0));
    requires In2(x,ix(batch,n,0),width) && In2(g,ix(batch,n,0),width);
    requires Out2(dx,ix(batch,n,0),width) && Out2(dwq,width,ix(heads,d,0));
    requires Out2(dwk,width,ix(kv_heads,d,0)) && Out2(dwv,width,ix(kv_heads,d,0));
    requires Out2(dwo,ix(heads,d,0),width);
    requires MhaGradsApart(dx,ix(ix(batch,n,0),width,0),batch,heads,kv_heads,n,width,d,dq,dk,dv,wq,
                           wk,wv,o,x,g);
    requires MhaGradsApart(dwq,ix(width,ix(heads,d,0),0),batch,heads,kv_heads,n,width,d,dq,dk,dv,wq,
                           wk,wv,o,x,g);
    requires MhaGradsApart(dwk,ix(width,ix(kv_heads,d,0),0),batch,heads,kv_heads,n,width,d,dq,dk,dv,
                           wq,wk,wv,o,x,g);
    requires MhaGradsApart(dwv,ix(width,ix(kv_heads,d,0),0),batch,heads,kv_heads,n,width,d,dq,dk,dv,
                           wq,wk,wv,o,x,g);
    requires MhaGradsApart(dwo,ix(ix(heads,d,0),width,0),batch,heads,kv_heads,n,width,d,dq,dk,dv,wq,
                           wk,wv,o,x,g);
    requires Sep(dx,ix(ix(batch,n,0),width,0),dwq,ix(width,ix(heads,d,0),0));
    requires Sep(dx,ix(ix(batch,n,0),width,0),dwk,ix(width,ix(kv_heads,d,0),0));
    requires Sep(dx,ix(ix(batch,n,0),width,0),dwv,ix(width,ix(kv_heads,d,0),0));
    requires Sep(dx,ix(ix(batch,n,0),width,0),dwo,ix(ix(heads,d,0),width,0));
    requires Sep(dwq,ix(width,ix(heads,d,0),0),dwk,ix(width,ix(kv_heads,d,0),0));
    requires Sep(dwq,ix(width,ix(heads,d,0),0),dwv,ix(width,ix(kv_heads,d,0),0));
    requires Sep(dwq,ix(width,ix(heads,d,0),0),dwo,ix(ix(heads,d,0),width,0));
    requires Sep(dwk,ix(width,ix(kv_heads,d,0),0),dwv,ix(width,ix(kv_heads,d,0),0));
    requires Sep(dwk,ix(width,ix(kv_heads,d,0),0),dwo,ix(ix(heads,d,0),width,0));
    requires Sep(dwv,ix(width,ix(kv_heads,d,0),0),dwo,ix(ix(heads,d,0),width,0));
    terminates \true;
    assigns dx[0 .. ix(ix(batch,n,0),width,0)-1], dwq[0 .. ix(width,ix(heads,d,0),0)-1],
            dwk[0 .. ix(width,ix(kv_heads,d,0),0)-1], dwv[0 .. ix(width,ix(kv_heads,d,0),0)-1],
            dwo[0 .. ix(ix(heads,d,0),width,0)-1];
    ensures MhaDxIs{Post,Post}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,ix(batch,n,0));
    ensures MhaMargIs{Post,Post}(dq,x,batch,heads,n,width,d,dwq);
    ensures MhaMargIs{Post,Post}(dk,x,batch,kv_heads,n,width,d,dwk);
    ensures MhaMargIs{Post,Post}(dv,x,batch,kv_heads,n,width,d,dwv);
    ensures MhaGramIs{Post,Post}(o,g,batch,heads,n,width,d,dwo);
    ensures MhaGradsBeside{Pre,Post}(batch,heads,kv_heads,n,width,d,dx,dwq,dwk,dwv,dwo);
*/
void mha_grads(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d, const double *dq,
               const double *dk, const double *dv, const double *wq, const double *wk,
               const double *wv, const double *o, const double *x, const double *g, double *dx,
               double *dwq, double *dwk, double *dwv, double *dwo);
#endif
