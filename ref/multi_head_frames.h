/* Attention over several heads does not change where what it reads does not: its stages, said of all
 * heads, and what a later state has of them. */
#ifndef REF_MULTI_HEAD_FRAMES_H
#define REF_MULTI_HEAD_FRAMES_H
#include "attention_apart.h"
#include "multi_head.h"

/*@ // what is kept says of a later state
    lemma view_rows_moved{L1,L2,L3,L4}: \forall scalar *a, view A, scalar *b, view B, scalar *c,
      view C; WellView(A) ==> WellView(B) ==> WellView(C) ==> Fits(A,B,C) ==>
      Same{L1,L3}(a,ViewSize(A)) ==> Same{L1,L3}(b,ViewSize(B)) ==> Same{L2,L4}(c,ViewSize(C)) ==>
      ViewRowsAre{L1,L2}(a,A,b,B,c,C,ViewRows(C)) ==> ViewRowsAre{L3,L4}(a,A,b,B,c,C,ViewRows(C));
    lemma view_errors_moved{L1,L2,L3,L4}: \forall arith M, integer off, scalar *a, *e, view A,
      scalar *b, view B, scalar *c, view C; WellView(A) ==> WellView(B) ==> WellView(C) ==>
      Fits(A,B,C) ==> Same{L1,L3}(a,ViewSize(A)) ==> Same{L1,L3}(e,ViewSize(A)) ==>
      Same{L1,L3}(b,ViewSize(B)) ==> Same{L2,L4}(c,ViewSize(C)) ==>
      ViewErrorsAre{L1,L2}(M,off,a,e,A,b,B,c,C,ViewRows(C)) ==>
      ViewErrorsAre{L3,L4}(M,off,a,e,A,b,B,c,C,ViewRows(C));
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
    lemma errors_turned{L1,L2}: \forall arith M, integer off, scalar *a, *e, view A, scalar *b,
      view B, scalar *c, integer m, n, i, j; m <= IDX_LIM ==> n <= IDX_LIM ==>
      ViewErrorsAre{L1,L2}(M,off,a,e,A,b,B,c,Turned(Flat(m,n)),ViewRows(Turned(Flat(m,n)))) ==>
      0 <= i < m ==> 0 <= j < n ==>
      \at(c[ix(i,n,j)],L2) == ViewError{L1}(M,off,a,e,A,b,B,j,i,ViewCols(A));
    // each element of a is apart from all of out
    predicate Apart(scalar *a, integer n, scalar *out, integer m) =
      \forall integer i; 0 <= i < n ==> \separated(a+i, out + (0 .. m-1));
    lemma apart_of_sep: \forall scalar *a, *out, integer n, m; Sep(out,m,a,n) ==> Apart(a,n,out,m);
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
    // ---- attention's elements
    lemma head_cell: \forall integer N, n, d, z, t, c; 0 <= z < N ==> 0 <= t < n ==> 0 <= c < d ==>
      0 <= ix(z,ix(n,d,0),ix(t,d,c)) < HeadAt(N,n,d);
    lemma mha_sdpa_at_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer n, d, group,
      scalar *q, *k, *v, integer z, t, c; 0 <= t < n ==> 0 <= c < d ==> Same{L1,L2}(b,ix(n,n,0)) ==>
      Same{L1,L2}(q+HeadAt(z,n,d),ix(n,d,0)) ==>
      Same{L1,L2}(k+HeadAt(kv_of(z,group),n,d),ix(n,d,0)) ==>
      Same{L1,L2}(v+HeadAt(kv_of(z,group),n,d),ix(n,d,0)) ==>
      MhaSdpa{L1}(causal,masked,b,n,d,group,q,k,v,z,t,c) ==
      MhaSdpa{L2}(causal,masked,b,n,d,group,q,k,v,z,t,c);
    lemma mha_lse_at_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer n, d, group,
      scalar *q, *k, integer z, t; 0 <= t < n ==> 0 <= d ==> Same{L1,L2}(b,ix(n,n,0)) ==>
      Same{L1,L2}(q+HeadAt(z,n,d),ix(n,d,0)) ==>
      Same{L1,L2}(k+HeadAt(kv_of(z,group),n,d),ix(n,d,0)) ==>
      MhaLse{L1}(causal,masked,b,n,d,group,q,k,z,t) ==
      MhaLse{L2}(causal,masked,b,n,d,group,q,k,z,t);
    lemma mha_pull_q_at_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer n, d,
      group, scalar *q, *k, *v, *o, *lse, *go, integer z, t, c; 0 <= t < n ==> 0 <= c < d ==>
      Same{L1,L2}(b,ix(n,n,0)) ==> Same{L1,L2}(q+HeadAt(z,n,d),ix(n,d,0)) ==>
      Same{L1,L2}(k+HeadAt(kv_of(z,group),n,d),ix(n,d,0)) ==>
      Same{L1,L2}(v+HeadAt(kv_of(z,group),n,d),ix(n,d,0)) ==>
      Same{L1,L2}(o+HeadAt(z,n,d),ix(n,d,0)) ==> Same{L1,L2}(go+HeadAt(z,n,d),ix(n,d,0)) ==>
      Same{L1,L2}(lse+ix(z,n,0),n) ==>
      MhaPullQ{L1}(causal,masked,b,n,d,group,q,k,v,o,lse,go,z,t,c) ==
      MhaPullQ{L2}(causal,masked,b,n,d,group,q,k,v,o,lse,go,z,t,c);
    lemma mha_pull_k_at_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer n, d,
      rows, scalar *q, *k, *v, *o, *lse, *go, integer z, t, c; 0 <= t < n ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,n,n,q+HeadAt(z,rows,d),k+HeadAt(z,n,d),v+HeadAt(z,n,d),
                          o+HeadAt(z,rows,d),lse+ix(z,rows,0),go+HeadAt(z,rows,d),rows,d) ==>
      MhaPullK{L1}(causal,masked,b,n,d,rows,q,k,v,o,lse,go,z,t,c) ==
      MhaPullK{L2}(causal,masked,b,n,d,rows,q,k,v,o,lse,go,z,t,c);
    lemma mha_pull_v_at_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer n, d,
      rows, scalar *q, *k, *lse, *go, integer z, t, c; 0 <= t < n ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,n,n,q+HeadAt(z,rows,d),k+HeadAt(z,n,d),k+HeadAt(z,n,d),
                          q+HeadAt(z,rows,d),lse+ix(z,rows,0),go+HeadAt(z,rows,d),rows,d) ==>
      MhaPullV{L1}(causal,masked,b,n,d,rows,q,k,lse,go,z,t,c) ==
      MhaPullV{L2}(causal,masked,b,n,d,rows,q,k,lse,go,z,t,c);
    lemma same_lse_of_head{L1,L2}: \forall scalar *lse, integer N, n, z; 0 <= z < N ==> 0 <= n ==>
      Same{L1,L2}(lse,ix(N,n,0)) ==> Same{L1,L2}(lse+ix(z,n,0),n);
    // of N heads that read kvs
    predicate MhaGroups(integer N, integer kvs, integer group, integer n, integer d) =
      0 <= N && 0 <= kvs && 0 <= group && N == ix(kvs,group,0) && 0 <= n && 0 <= d &&
      0 <= ix(n,d,0);
    // what attention reads
    predicate MhaReads{L1,L2}(scalar *b, integer N, integer kvs, integer n, integer d, scalar *q,
                              scalar *k, scalar *v) =
      Same{L1,L2}(b,ix(n,n,0)) && Same{L1,L2}(q,HeadAt(N,n,d)) && Same{L1,L2}(k,HeadAt(kvs,n,d)) &&
      Same{L1,L2}(v,HeadAt(kvs,n,d));
    lemma mha_sdpa_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer n, d, group,
      scalar *q, *k, *v, integer N, kvs, z, t, c; MhaGroups(N,kvs,group,n,d) ==> 0 <= z < N ==>
      0 <= t < n ==> 0 <= c < d ==> MhaReads{L1,L2}(b,N,kvs,n,d,q,k,v) ==>
      MhaSdpa{L1}(causal,masked,b,n,d,group,q,k,v,z,t,c) ==
      MhaSdpa{L2}(causal,masked,b,n,d,group,q,k,v,z,t,c);
    lemma mha_lse_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer n, d, group,
      scalar *q, *k, integer N, kvs, z, t; MhaGroups(N,kvs,group,n,d) ==> 0 <= z < N ==>
      0 <= t < n ==> MhaReads{L1,L2}(b,N,kvs,n,d,q,k,k) ==>
      MhaLse{L1}(causal,masked,b,n,d,group,q,k,z,t) ==
      MhaLse{L2}(causal,masked,b,n,d,group,q,k,z,t);
    // what attention and its VJP read
    predicate MhaSame{L1,L2}(scalar *b, integer N, integer kvs, integer n, integer d, scalar *q,
                             scalar *k, scalar *v, scalar *o, scalar *lse) =
      Same{L1,L2}(b,ix(n,n,0)) && Same{L1,L2}(q,HeadAt(N,n,d)) && Same{L1,L2}(k,HeadAt(kvs,n,d)) &&
      Same{L1,L2}(v,HeadAt(kvs,n,d)) && Same{L1,L2}(o,HeadAt(N,n,d)) &&
      Same{L1,L2}(lse,ix(N,n,0));
    lemma mha_pull_q_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer n, d,
      group, scalar *q, *k, *v, *o, *lse, *go, integer N, kvs, z, t, c;
      MhaGroups(N,kvs,group,n,d) ==> 0 <= z < N ==> 0 <= t < n ==> 0 <= c < d ==>
      MhaSame{L1,L2}(b,N,kvs,n,d,q,k,v,o,lse) ==> Same{L1,L2}(go,HeadAt(N,n,d)) ==>
      MhaPullQ{L1}(causal,masked,b,n,d,group,q,k,v,o,lse,go,z,t,c) ==
      MhaPullQ{L2}(causal,masked,b,n,d,group,q,k,v,o,lse,go,z,t,c);
    // the heads that read a KV head, as one of more rows
    lemma mha_same_heads{L1,L2}: \forall scalar *b, integer N, kvs, group, n, d,
      scalar *q, *k, *v, *o, *lse, *go; MhaGroups(N,kvs,group,n,d) ==>
      MhaSame{L1,L2}(b,N,kvs,n,d,q,k,v,o,lse) ==> Same{L1,L2}(go,HeadAt(N,n,d)) ==>
      SameHeads{L1,L2}(q,k,v,o,lse,go,b,kvs,ix(group,n,0),n,n,d) &&
      SameHeads{L1,L2}(q,k,k,q,lse,go,b,kvs,ix(group,n,0),n,n,d);
    lemma mha_pull_k_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer n, d,
      rows, scalar *q, *k, *v, *o, *lse, *go, integer kvs, z, t, c; 0 <= z < kvs ==> 0 <= rows ==>
      0 <= t < n ==> 0 <= c < d ==> SameHeads{L1,L2}(q,k,v,o,lse,go,b,kvs,rows,n,n,d) ==>
      MhaPullK{L1}(causal,masked,b,n,d,rows,q,k,v,o,lse,go,z,t,c) ==
      MhaPullK{L2}(causal,masked,b,n,d,rows,q,k,v,o,lse,go,z,t,c);
    lemma mha_pull_v_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer n, d,
      rows, scalar *q, *k, *lse, *go, integer kvs, z, t, c; 0 <= z < kvs ==> 0 <= rows ==>
      0 <= t < n ==> 0 <= c < d ==> SameHeads{L1,L2}(q,k,k,q,lse,go,b,kvs,rows,n,n,d) ==>
      MhaPullV{L1}(causal,masked,b,n,d,rows,q,k,lse,go,z,t,c) ==
      MhaPullV{L2}(causal,masked,b,n,d,rows,q,k,lse,go,z,t,c);

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
    // ---- stages: of what a call reads in the state L1 and writes in the state L2, all in L3
    lemma mha_heads_moved{L0,L1,L2,L3}: \forall scalar *x, *w, view W, integer batch, heads, n,
      width, d, scalar *q; 0 <= ix(batch,n,0) <= IDX_LIM ==> 0 <= width <= IDX_LIM ==>
      0 <= ix(ix(batch,n,0),width,0) <= IDX_LIM ==> 0 <= heads ==> WellView(W) ==>
      ViewRows(W) == width ==> ViewCols(W) == ix(heads,d,0) ==>
      Same{L0,L1}(x,ix(ix(batch,n,0),width,0)) ==> Same{L0,L1}(w,ViewSize(W)) ==>
      Same{L2,L3}(q,HeadAt(ix(batch,heads,0),n,d)) ==>
      MhaHeadsAre{L1,L2}(x,w,W,batch,heads,n,width,d,q) ==>
      MhaHeadsAre{L0,L3}(x,w,W,batch,heads,n,width,d,q);
    lemma mha_sdpa_moved{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer N, kvs, n,
      d, group, scalar *q, *k, *v, *o; MhaGroups(N,kvs,group,n,d) ==>
      MhaReads{L1,L3}(b,N,kvs,n,d,q,k,v) ==> Same{L2,L3}(o,HeadAt(N,n,d)) ==>
      MhaSdpaIs{L1,L2}(causal,masked,b,N,n,d,group,q,k,v,o) ==>
      MhaSdpaIs{L3,L3}(causal,masked,b,N,n,d,group,q,k,v,o);
    lemma mha_lse_read{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer N, kvs, n,
      d, group, scalar *q, *k, *lse; MhaGroups(N,kvs,group,n,d) ==>
      MhaReads{L1,L3}(b,N,kvs,n,d,q,k,k) ==>
      MhaLseIs{L1,L2}(causal,masked,b,N,n,d,group,q,k,lse) ==>
      MhaLseIs{L3,L2}(causal,masked,b,N,n,d,group,q,k,lse);
    lemma mha_lse_kept{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer N, n, d,
      group, scalar *q, *k, *lse; Same{L2,L3}(lse,ix(N,n,0)) ==>
      MhaLseIs{L1,L2}(causal,masked,b,N,n,d,group,q,k,lse) ==>
      MhaLseIs{L1,L3}(causal,masked,b,N,n,d,group,q,k,lse);
    lemma mha_lse_moved{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer N, kvs, n,
      d, group, scalar *q, *k, *lse; MhaGroups(N,kvs,group,n,d) ==>
      MhaReads{L1,L3}(b,N,kvs,n,d,q,k,k) ==> Same{L2,L3}(lse,ix(N,n,0)) ==>
      MhaLseIs{L1,L2}(causal,masked,b,N,n,d,group,q,k,lse) ==>
      MhaLseIs{L3,L3}(causal,masked,b,N,n,d,group,q,k,lse);
    lemma mha_pull_q_moved{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer N, kvs, n,
      d, group, scalar *q, *k, *v, *o, *lse, *go, *dq; MhaGroups(N,kvs,group,n,d) ==>
      MhaSame{L1,L3}(b,N,kvs,n,d,q,k,v,o,lse) ==> Same{L1,L3}(go,HeadAt(N,n,d)) ==>
      Same{L2,L3}(dq,HeadAt(N,n,d)) ==>
      MhaPullQIs{L1,L2}(causal,masked,b,N,n,d,group,q,k,v,o,lse,go,dq) ==>
      MhaPullQIs{L3,L3}(causal,masked,b,N,n,d,group,q,k,v,o,lse,go,dq);
    lemma mha_pull_k_moved{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer N, kvs, n,
      d, group, scalar *q, *k, *v, *o, *lse, *go, *dk; MhaGroups(N,kvs,group,n,d) ==>
      0 <= ix(group,n,0) ==>
      SameHeads{L1,L3}(q,k,v,o,lse,go,b,kvs,ix(group,n,0),n,n,d) ==>
      Same{L2,L3}(dk,HeadAt(kvs,n,d)) ==>
      MhaPullKIs{L1,L2}(causal,masked,b,kvs,n,d,ix(group,n,0),q,k,v,o,lse,go,dk) ==>
      MhaPullKIs{L3,L3}(causal,masked,b,kvs,n,d,ix(group,n,0),q,k,v,o,lse,go,dk);
    lemma mha_pull_v_moved{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer N, kvs, n,
      d, group, scalar *q, *k, *lse, *go, *dv; MhaGroups(N,kvs,group,n,d) ==>
      0 <= ix(group,n,0) ==>
      SameHeads{L1,L3}(q,k,k,q,lse,go,b,kvs,ix(group,n,0),n,n,d) ==>
      Same{L2,L3}(dv,HeadAt(kvs,n,d)) ==>
      MhaPullVIs{L1,L2}(causal,masked,b,kvs,n,d,ix(group,n,0),q,k,lse,go,dv) ==>
      MhaPullVIs{L3,L3}(causal,masked,b,kvs,n,d,ix(group,n,0),q,k,lse,go,dv);
    lemma mha_heads_kept{L0,L1,L2}: \forall scalar *x, *w, view W, integer batch, heads, n,
      width, d, scalar *q; Same{L1,L2}(q,HeadAt(ix(batch,heads,0),n,d)) ==>
      MhaHeadsAre{L0,L1}(x,w,W,batch,heads,n,width,d,q) ==>
      MhaHeadsAre{L0,L2}(x,w,W,batch,heads,n,width,d,q);
    lemma mha_values_moved{L0,L1,L2}: \forall integer batch, heads, kv_heads, n, width, d, causal,
      masked, scalar *x, *wq, *wk, *wv, *b, *q, *k, *v, *o, *lse;
      MhaGroups(ix(batch,heads,0),ix(batch,kv_heads,0),group_of(heads,kv_heads),n,d) ==>
      MhaReads{L1,L2}(b,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,v) ==>
      MhaReads{L1,L2}(b,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,k) ==>
      Same{L1,L2}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(lse,ix(ix(batch,heads,0),n,0)) ==>
      MhaValues{L0,L1}(batch,heads,kv_heads,n,width,d,causal,masked,x,wq,wk,wv,b,q,k,v,o,lse) ==>
      MhaValues{L0,L2}(batch,heads,kv_heads,n,width,d,causal,masked,x,wq,wk,wv,b,q,k,v,o,lse);
    lemma mha_pulls_moved{L0,L1,L2}: \forall integer batch, heads, kv_heads, n, width, d, causal,
      masked, scalar *wo, *b, *q, *k, *v, *o, *lse, *g, *go, *dq, *dk, *dv;
      MhaGroups(ix(batch,heads,0),ix(batch,kv_heads,0),group_of(heads,kv_heads),n,d) ==>
      0 <= ix(group_of(heads,kv_heads),n,0) ==>
      MhaSame{L1,L2}(b,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,v,o,lse) ==>
      SameHeads{L1,L2}(q,k,v,o,lse,go,b,ix(batch,kv_heads,0),ix(group_of(heads,kv_heads),n,0),n,n,
                       d) ==>
      SameHeads{L1,L2}(q,k,k,q,lse,go,b,ix(batch,kv_heads,0),ix(group_of(heads,kv_heads),n,0),n,n,
                       d) ==>
      Same{L1,L2}(go,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(dq,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(dk,HeadAt(ix(batch,kv_heads,0),n,d)) ==>
      Same{L1,L2}(dv,HeadAt(ix(batch,kv_heads,0),n,d)) ==>
      MhaPulls{L0,L1}(batch,heads,kv_heads,n,width,d,causal,masked,wo,b,q,k,v,o,lse,g,go,dq,dk,
                      dv) ==>
      MhaPulls{L0,L2}(batch,heads,kv_heads,n,width,d,causal,masked,wo,b,q,k,v,o,lse,g,go,dq,dk,dv);
*/
#endif
