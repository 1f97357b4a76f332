/* Attention over several heads does not change where what it reads does not: its stages, said of all
 * heads, and what a later state has of them. */
#ifndef REF_MULTI_HEAD_FRAMES_H
#define REF_MULTI_HEAD_FRAMES_H
#include "attention_apart.h"
#include "multi_head_products.h"

/*@ // ---- attention's elements
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
