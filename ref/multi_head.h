/* Attention over several heads with its projections, its VJP, and their error bounds. heads is a
 * multiple of kv_heads; d columns a head. */
#ifndef REF_MULTI_HEAD_H
#define REF_MULTI_HEAD_H
#include "attention_vjp.h"
#include "view.h"
#include "../spec/multi_head.h"

/*@ predicate MhaSizes(integer batch, integer heads, integer kv_heads, integer n, integer width,
                       integer d) =
      Grouped(batch,heads,kv_heads) && batch <= IDX_LIM && heads <= IDX_LIM &&
      kv_heads <= IDX_LIM && 0 <= n <= IDX_LIM && 0 <= width <= IDX_LIM && 0 <= d <= IDX_LIM &&
      0 <= ix(batch,n,0) <= IDX_LIM && 0 <= ix(heads,d,0) <= IDX_LIM &&
      0 <= ix(kv_heads,d,0) <= IDX_LIM && 0 <= ix(n,d,0) <= IDX_LIM;
    // inputs, and what the forward op keeps; that an output is apart from them
    predicate MhaIn{L}(integer batch, integer heads, integer kv_heads, integer n, integer width,
                       integer d, scalar *x, scalar *wq, scalar *wk, scalar *wv, scalar *wo,
                       scalar *mask) =
      In2{L}(x,ix(batch,n,0),width) && In2{L}(wq,width,ix(heads,d,0)) &&
      In2{L}(wk,width,ix(kv_heads,d,0)) && In2{L}(wv,width,ix(kv_heads,d,0)) &&
      In2{L}(wo,ix(heads,d,0),width) && In2{L}(mask,n,n);
    predicate MhaKept{L}(integer batch, integer heads, integer kv_heads, integer n, integer width,
                         integer d, scalar *q, scalar *k, scalar *v, scalar *o, scalar *lse,
                         scalar *g) =
      Heads{L}(q,ix(batch,heads,0),n,d) && Heads{L}(k,ix(batch,kv_heads,0),n,d) &&
      Heads{L}(v,ix(batch,kv_heads,0),n,d) && Heads{L}(o,ix(batch,heads,0),n,d) &&
      In2{L}(lse,ix(batch,heads,0),n) && In2{L}(g,ix(batch,n,0),width);
    predicate MhaApart(scalar *out, integer size, integer batch, integer heads, integer kv_heads,
                       integer n, integer width, integer d, scalar *x, scalar *wq, scalar *wk,
                       scalar *wv, scalar *wo, scalar *mask) =
      Sep(out,size,x,ix(ix(batch,n,0),width,0)) && Sep(out,size,wq,ix(width,ix(heads,d,0),0)) &&
      Sep(out,size,wk,ix(width,ix(kv_heads,d,0),0)) && Sep(out,size,wv,
      ix(width,ix(kv_heads,d,0),0)) && Sep(out,size,wo,ix(ix(heads,d,0),width,0)) &&
      Sep(out,size,mask,ix(n,n,0));
    predicate MhaVjpApart(scalar *out, integer size, integer batch, integer heads, integer kv_heads,
                          integer n, integer width, integer d, scalar *x, scalar *wq, scalar *wk,
                          scalar *wv, scalar *wo, scalar *mask, scalar *q, scalar *k, scalar *v,
                          scalar *o, scalar *lse, scalar *g) =
      MhaApart(out,size,batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,mask) &&
      Sep(out,size,q,HeadAt(ix(batch,heads,0),n,d)) && Sep(out,size,k,
      HeadAt(ix(batch,kv_heads,0),n,d)) && Sep(out,size,v,HeadAt(ix(batch,kv_heads,0),n,d)) &&
      Sep(out,size,o,HeadAt(ix(batch,heads,0),n,d)) && Sep(out,size,lse,
      ix(ix(batch,heads,0),n,0)) && Sep(out,size,g,ix(ix(batch,n,0),width,0));
    // outputs, each apart from all others
    predicate MhaKeptOut{L}(integer batch, integer heads, integer kv_heads, integer n,
                            integer width, integer d, scalar *q, scalar *k, scalar *v, scalar *o,
                            scalar *lse) =
      OutHeads{L}(q,ix(batch,heads,0),n,d) && OutHeads{L}(k,ix(batch,kv_heads,0),n,d) &&
      OutHeads{L}(v,ix(batch,kv_heads,0),n,d) && OutHeads{L}(o,ix(batch,heads,0),n,d) &&
      Out2{L}(lse,ix(batch,heads,0),n) && \separated(q + (0 .. HeadAt(ix(batch,heads,0),n,d)-1),
      k + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1), v + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1),
      o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1), lse + (0 .. ix(ix(batch,heads,0),n,0)-1));
    predicate MhaPullsOut{L}(integer batch, integer heads, integer kv_heads, integer n,
                             integer width, integer d, scalar *go, scalar *dq, scalar *dk,
                             scalar *dv) =
      OutHeads{L}(go,ix(batch,heads,0),n,d) && OutHeads{L}(dq,ix(batch,heads,0),n,d) &&
      OutHeads{L}(dk,ix(batch,kv_heads,0),n,d) && OutHeads{L}(dv,ix(batch,kv_heads,0),n,d) &&
      \separated(go + (0 .. HeadAt(ix(batch,heads,0),n,d)-1), dq +
      (0 .. HeadAt(ix(batch,heads,0),n,d)-1), dk + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1), dv +
      (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1));
    predicate MhaOut{L}(integer batch, integer heads, integer kv_heads, integer n, integer width,
                        integer d, scalar *y, scalar *q, scalar *k, scalar *v, scalar *o,
                        scalar *lse) =
      Out2{L}(y,ix(batch,n,0),width) && OutHeads{L}(q,ix(batch,heads,0),n,d) &&
      OutHeads{L}(k,ix(batch,kv_heads,0),n,d) && OutHeads{L}(v,ix(batch,kv_heads,0),n,d) &&
      OutHeads{L}(o,ix(batch,heads,0),n,d) && Out2{L}(lse,ix(batch,heads,0),n) &&
      \separated(y + (0 .. ix(ix(batch,n,0),width,0)-1), q + (0 .. HeadAt(ix(batch,heads,0),n,d)-1),
      k + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1), v + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1),
      o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1), lse + (0 .. ix(ix(batch,heads,0),n,0)-1));
    predicate MhaVjpOut{L}(integer batch, integer heads, integer kv_heads, integer n, integer width,
                           integer d, scalar *dx, scalar *dwq, scalar *dwk, scalar *dwv,
                           scalar *dwo, scalar *go, scalar *dq, scalar *dk, scalar *dv) =
      Out2{L}(dx,ix(batch,n,0),width) && Out2{L}(dwq,width,ix(heads,d,0)) &&
      Out2{L}(dwk,width,ix(kv_heads,d,0)) && Out2{L}(dwv,width,ix(kv_heads,d,0)) &&
      Out2{L}(dwo,ix(heads,d,0),width) && OutHeads{L}(go,ix(batch,heads,0),n,d) &&
      OutHeads{L}(dq,ix(batch,heads,0),n,d) && OutHeads{L}(dk,ix(batch,kv_heads,0),n,d) &&
      OutHeads{L}(dv,ix(batch,kv_heads,0),n,d) && \separated(dx +
      (0 .. ix(ix(batch,n,0),width,0)-1), dwq + (0 .. ix(width,ix(heads,d,0),0)-1), dwk +
      (0 .. ix(width,ix(kv_heads,d,0),0)-1), dwv + (0 .. ix(width,ix(kv_heads,d,0),0)-1), dwo +
      (0 .. ix(ix(heads,d,0),width,0)-1), go + (0 .. HeadAt(ix(batch,heads,0),n,d)-1), dq +
      (0 .. HeadAt(ix(batch,heads,0),n,d)-1), dk + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1), dv +
      (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1));
    // that an output of a bound is apart from the values which the forward op keeps, and from the
    // room of its VJP
    predicate MhaBoundApart(scalar *out, integer size, integer batch, integer heads,
                            integer kv_heads, integer n, integer width, integer d, scalar *x,
                            scalar *wq, scalar *wk, scalar *wv, scalar *wo, scalar *mask, scalar *q,
                            scalar *k, scalar *v, scalar *o) =
      MhaApart(out,size,batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,mask) &&
      Sep(out,size,q,HeadAt(ix(batch,heads,0),n,d)) && Sep(out,size,k,
      HeadAt(ix(batch,kv_heads,0),n,d)) && Sep(out,size,v,HeadAt(ix(batch,kv_heads,0),n,d)) &&
      Sep(out,size,o,HeadAt(ix(batch,heads,0),n,d));
    predicate MhaPullsApart(scalar *out, integer size, integer batch, integer heads,
                            integer kv_heads, integer n, integer d, scalar *go, scalar *dq,
                            scalar *dk, scalar *dv) =
      Sep(out,size,go,HeadAt(ix(batch,heads,0),n,d)) && Sep(out,size,dq,
      HeadAt(ix(batch,heads,0),n,d)) && Sep(out,size,dk,HeadAt(ix(batch,kv_heads,0),n,d)) &&
      Sep(out,size,dv,HeadAt(ix(batch,kv_heads,0),n,d));
    // the stages, said of all elements: what is read in the state L1, what is written in L2
    predicate MhaHeadsAre{L1,L2}(scalar *x, scalar *w, view W, integer batch, integer heads,
                                 integer n, integer width, integer d, scalar *q) =
      \forall integer z, t, c; 0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
      \at(q[ix(z,ix(n,d,0),ix(t,d,c))],L2) == MhaHead{L1}(x,w,W,batch,heads,n,width,d,z,t,c);
    predicate MhaSdpaIs{L1,L2}(integer causal, integer masked, scalar *b, integer N, integer n,
                               integer d, integer group, scalar *q, scalar *k, scalar *v,
                               scalar *o) =
      \forall integer z, t, c; 0 <= z < N ==> 0 <= t < n ==> 0 <= c < d ==>
      \at(o[ix(z,ix(n,d,0),ix(t,d,c))],L2) == MhaSdpa{L1}(causal,masked,b,n,d,group,q,k,v,z,t,c);
    predicate MhaLseIs{L1,L2}(integer causal, integer masked, scalar *b, integer N, integer n,
                              integer d, integer group, scalar *q, scalar *k, scalar *lse) =
      \forall integer z, t; 0 <= z < N ==> 0 <= t < n ==>
      \at(lse[ix(z,n,t)],L2) == MhaLse{L1}(causal,masked,b,n,d,group,q,k,z,t);
    predicate MhaPullQIs{L1,L2}(integer causal, integer masked, scalar *b, integer N, integer n,
                                integer d, integer group, scalar *q, scalar *k, scalar *v,
                                scalar *o, scalar *lse, scalar *go, scalar *dq) =
      \forall integer z, t, c; 0 <= z < N ==> 0 <= t < n ==> 0 <= c < d ==>
      \at(dq[ix(z,ix(n,d,0),ix(t,d,c))],L2) == MhaPullQ{L1}(causal,masked,b,n,d,group,q,k,v,o,lse,
      go,z,t,c);
    predicate MhaPullKIs{L1,L2}(integer causal, integer masked, scalar *b, integer N, integer n,
                                integer d, integer rows, scalar *q, scalar *k, scalar *v, scalar *o,
                                scalar *lse, scalar *go, scalar *dk) =
      \forall integer z, t, c; 0 <= z < N ==> 0 <= t < n ==> 0 <= c < d ==>
      \at(dk[ix(z,ix(n,d,0),ix(t,d,c))],L2) == MhaPullK{L1}(causal,masked,b,n,d,rows,q,k,v,o,lse,go,
      z,t,c);
    predicate MhaPullVIs{L1,L2}(integer causal, integer masked, scalar *b, integer N, integer n,
                                integer d, integer rows, scalar *q, scalar *k, scalar *lse,
                                scalar *go, scalar *dv) =
      \forall integer z, t, c; 0 <= z < N ==> 0 <= t < n ==> 0 <= c < d ==>
      \at(dv[ix(z,ix(n,d,0),ix(t,d,c))],L2) == MhaPullV{L1}(causal,masked,b,n,d,rows,q,k,lse,go,z,t,
      c);
    // what ref_multi_head_attention keeps, and its VJP's room, of inputs in the state L1
    predicate MhaValues{L1,L2}(integer batch, integer heads, integer kv_heads, integer n,
                               integer width, integer d, integer causal, integer masked, scalar *x,
                               scalar *wq, scalar *wk, scalar *wv, scalar *mask, scalar *q,
                               scalar *k, scalar *v, scalar *o, scalar *lse) =
      MhaHeadsAre{L1,L2}(x,wq,Flat(width,ix(heads,d,0)),batch,heads,n,width,d,q) &&
      MhaHeadsAre{L1,L2}(x,wk,Flat(width,ix(kv_heads,d,0)),batch,kv_heads,n,width,d,k) &&
      MhaHeadsAre{L1,L2}(x,wv,Flat(width,ix(kv_heads,d,0)),batch,kv_heads,n,width,d,v) &&
      MhaSdpaIs{L2,L2}(causal,masked,mask,ix(batch,heads,0),n,d,group_of(heads,kv_heads),q,k,v,
      o) && MhaLseIs{L2,L2}(causal,masked,mask,ix(batch,heads,0),n,d,group_of(heads,kv_heads),q,k,
      lse);
    predicate MhaPulls{L1,L2}(integer batch, integer heads, integer kv_heads, integer n,
                              integer width, integer d, integer causal, integer masked, scalar *wo,
                              scalar *mask, scalar *q, scalar *k, scalar *v, scalar *o, scalar *lse,
                              scalar *g, scalar *go, scalar *dq, scalar *dk, scalar *dv) =
      MhaHeadsAre{L1,L2}(g,wo,Turned(Flat(ix(heads,d,0),width)),batch,heads,n,width,d,go) &&
      MhaPullQIs{L2,L2}(causal,masked,mask,ix(batch,heads,0),n,d,group_of(heads,kv_heads),q,k,v,o,
      lse,go,dq) && MhaPullKIs{L2,L2}(causal,masked,mask,ix(batch,kv_heads,0),n,d,
      ix(group_of(heads,kv_heads),n,0),q,k,v,o,lse,go,dk) &&
      MhaPullVIs{L2,L2}(causal,masked,mask,ix(batch,kv_heads,0),n,d,
      ix(group_of(heads,kv_heads),n,0),q,k,lse,go,dv);
*/

/* x: (batch, n, width), wq: (width, heads d), wk, wv: (width, kv_heads d), wo: (heads d, width),
 * mask: (n, n), looked at where masked is not 0; y: (batch, n, width), q, o: (batch, heads, n, d),
 * k, v: (batch, kv_heads, n, d), lse: (batch, heads, n). q = x wq, k = x wk and v = x wv, in heads,
 * o and lse as ref_sdpa has them, y = (the heads of o side by side) wo. q, k, v, o and lse are kept
 * for the VJP. */
/*@ requires MhaSizes(batch,heads,kv_heads,n,width,d);
    requires MhaIn(batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,mask);
    requires MhaOut(batch,heads,kv_heads,n,width,d,y,q,k,v,o,lse);
    requires MhaApart(y,ix(ix(batch,n,0),width,0),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,
                      mask);
    requires MhaApart(q,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,
                      mask);
    requires MhaApart(k,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                      wo,mask);
    requires MhaApart(v,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                      wo,mask);
    requires MhaApart(o,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,
                      mask);
    requires MhaApart(lse,ix(ix(batch,heads,0),n,0),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,
                      mask);
    assigns y[0 .. ix(ix(batch,n,0),width,0)-1], q[0 .. HeadAt(ix(batch,heads,0),n,d)-1],
            k[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1], v[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1],
            o[0 .. HeadAt(ix(batch,heads,0),n,d)-1], lse[0 .. ix(ix(batch,heads,0),n,0)-1];
    ensures \forall integer i, j; 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      y[ix(i,width,j)] == MhaJoin{Post}(o,wo,Flat(ix(heads,d,0),width),batch,heads,n,d,i,j);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
      q[ix(z,ix(n,d,0),ix(t,d,c))] == MhaHead{Pre}(x,wq,Flat(width,ix(heads,d,0)),batch,heads,n,
      width,d,z,t,c);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= t < n ==>
      0 <= c < d ==> k[ix(z,ix(n,d,0),ix(t,d,c))] == MhaHead{Pre}(x,wk,Flat(width,ix(kv_heads,d,0)),
      batch,kv_heads,n,width,d,z,t,c);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= t < n ==>
      0 <= c < d ==> v[ix(z,ix(n,d,0),ix(t,d,c))] == MhaHead{Pre}(x,wv,Flat(width,ix(kv_heads,d,0)),
      batch,kv_heads,n,width,d,z,t,c);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
      o[ix(z,ix(n,d,0),ix(t,d,c))] == MhaSdpa{Post}(causal,masked,mask,n,d,group_of(heads,kv_heads),
      q,k,v,z,t,c);
    ensures \forall integer z, t; 0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==>
      lse[ix(z,n,t)] == MhaLse{Post}(causal,masked,mask,n,d,group_of(heads,kv_heads),q,k,z,t);
*/
void ref_multi_head_attention(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                              int causal, int masked, const double *x, const double *wq,
                              const double *wk, const double *wv, const double *wo,
                              const double *mask, double *y, double *q, double *k, double *v,
                              double *o, double *lse);

/* q, k, v, o, lse: those of the forward op; g: (batch, n, width), the cotangent of y. go, dq, dk,
 * dv are room, and become the cotangents of o, q, k and v, in heads: go = g wo', the others as
 * ref_sdpa_vjp has them. dwo = o' g, dwq = x' dq, dwk = x' dk and dwv = x' dv, and
 * dx = dq wq' + dk wk' + dv wv'. */
/*@ requires MhaSizes(batch,heads,kv_heads,n,width,d);
    requires MhaIn(batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,mask);
    requires MhaKept(batch,heads,kv_heads,n,width,d,q,k,v,o,lse,g);
    requires MhaVjpOut(batch,heads,kv_heads,n,width,d,dx,dwq,dwk,dwv,dwo,go,dq,dk,dv);
    requires MhaVjpApart(dx,ix(ix(batch,n,0),width,0),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,
                         mask,q,k,v,o,lse,g);
    requires MhaVjpApart(dwq,ix(width,ix(heads,d,0),0),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,
                         mask,q,k,v,o,lse,g);
    requires MhaVjpApart(dwk,ix(width,ix(kv_heads,d,0),0),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                         wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(dwv,ix(width,ix(kv_heads,d,0),0),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                         wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(dwo,ix(ix(heads,d,0),width,0),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,
                         mask,q,k,v,o,lse,g);
    requires MhaVjpApart(go,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                         wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(dq,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                         wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(dk,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,
                         wv,wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(dv,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,
                         wv,wo,mask,q,k,v,o,lse,g);
    assigns dx[0 .. ix(ix(batch,n,0),width,0)-1], dwq[0 .. ix(width,ix(heads,d,0),0)-1],
            dwk[0 .. ix(width,ix(kv_heads,d,0),0)-1], dwv[0 .. ix(width,ix(kv_heads,d,0),0)-1],
            dwo[0 .. ix(ix(heads,d,0),width,0)-1], go[0 .. HeadAt(ix(batch,heads,0),n,d)-1],
            dq[0 .. HeadAt(ix(batch,heads,0),n,d)-1], dk[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1],
            dv[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1];
    ensures \forall integer i, j; 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      dx[ix(i,width,j)] == MhaDx{Post}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    ensures \forall integer i, j; 0 <= i < width ==> 0 <= j < ix(heads,d,0) ==>
      dwq[ix(i,ix(heads,d,0),j)] == MhaGram{Post}(dq,x,batch,heads,n,width,d,j,i);
    ensures \forall integer i, j; 0 <= i < width ==> 0 <= j < ix(kv_heads,d,0) ==>
      dwk[ix(i,ix(kv_heads,d,0),j)] == MhaGram{Post}(dk,x,batch,kv_heads,n,width,d,j,i);
    ensures \forall integer i, j; 0 <= i < width ==> 0 <= j < ix(kv_heads,d,0) ==>
      dwv[ix(i,ix(kv_heads,d,0),j)] == MhaGram{Post}(dv,x,batch,kv_heads,n,width,d,j,i);
    ensures \forall integer i, j; 0 <= i < ix(heads,d,0) ==> 0 <= j < width ==>
      dwo[ix(i,width,j)] == MhaGram{Post}(o,g,batch,heads,n,width,d,i,j);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
      go[ix(z,ix(n,d,0),ix(t,d,c))] == MhaHead{Pre}(g,wo,Turned(Flat(ix(heads,d,0),width)),batch,
      heads,n,width,d,z,t,c);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
      dq[ix(z,ix(n,d,0),ix(t,d,c))] == MhaPullQ{Post}(causal,masked,mask,n,d,
      group_of(heads,kv_heads),q,k,v,o,lse,go,z,t,c);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= t < n ==>
      0 <= c < d ==> dk[ix(z,ix(n,d,0),ix(t,d,c))] == MhaPullK{Post}(causal,masked,mask,n,d,
      ix(group_of(heads,kv_heads),n,0),q,k,v,o,lse,go,z,t,c);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= t < n ==>
      0 <= c < d ==> dv[ix(z,ix(n,d,0),ix(t,d,c))] == MhaPullV{Post}(causal,masked,mask,n,d,
      ix(group_of(heads,kv_heads),n,0),q,k,lse,go,z,t,c);
*/
void ref_multi_head_attention_vjp(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                                  int causal, int masked, const double *x, const double *wq,
                                  const double *wk, const double *wv, const double *wo,
                                  const double *mask, const double *q, const double *k,
                                  const double *v, const double *o, const double *lse,
                                  const double *g, double *dx, double *dwq, double *dwk,
                                  double *dwv, double *dwo, double *go, double *dq, double *dk,
                                  double *dv);

/* Bounds. A product's terms may be summed in any order: the height of their tree is their number.
 * A.h and A.h2 are of attention's own sums, as bound_sdpa has them. Each stage carries on what the
 * stages before it are off by. */
/*@ // what MhaHead, of exact factors, is off by
    logic real MhaHeadError{L}(arith A, scalar *x, scalar *w, view W, integer batch, integer heads,
                               integer n, integer width, integer d, integer z, integer t,
                               integer c) =
      ViewError{L}(A,0,x,x,Flat(ix(batch,n,0),width),w,W,RowOf(heads,n,z,t),ColOf(heads,d,z,c),
                   width);
    // MhaJoin, o off by e
    logic real MhaJoinError{L}(arith A, scalar *o, scalar *e, scalar *w, view W, integer batch,
                               integer heads, integer n, integer d, integer i, integer j) =
      ViewError{L}(A,1,o,e,InHeads(batch,heads,n,d),w,W,i,j,ix(heads,d,0));
    // MhaGram, o off by e where off is not 0
    logic real MhaGramError{L}(arith A, integer off, scalar *o, scalar *e, scalar *x,
                               integer batch, integer heads, integer n, integer width, integer d,
                               integer i, integer j) =
      ViewError{L}(A,off,o,e,Turned(InHeads(batch,heads,n,d)),x,Flat(ix(batch,n,0),width),i,j,
                   ix(batch,n,0));
    // MhaDx, one sum of the terms of three products
    logic real MhaDxAbs{L}(scalar *dq, scalar *dk, scalar *dv, scalar *wq, scalar *wk, scalar *wv,
                           integer batch, integer heads, integer kv_heads, integer n,
                           integer width, integer d, integer i, integer j) =
      ViewAbs{L}(dq,InHeads(batch,heads,n,d),wq,Turned(Flat(width,ix(heads,d,0))),i,j,
                 ix(heads,d,0)) +
      ViewAbs{L}(dk,InHeads(batch,kv_heads,n,d),wk,Turned(Flat(width,ix(kv_heads,d,0))),i,j,
                 ix(kv_heads,d,0)) +
      ViewAbs{L}(dv,InHeads(batch,kv_heads,n,d),wv,Turned(Flat(width,ix(kv_heads,d,0))),i,j,
                 ix(kv_heads,d,0));
    logic real MhaDxMore{L}(scalar *dq, scalar *dk, scalar *dv, scalar *e_dq, scalar *e_dk,
                            scalar *e_dv, scalar *wq, scalar *wk, scalar *wv, integer batch,
                            integer heads, integer kv_heads, integer n, integer width, integer d,
                            integer i, integer j) =
      ViewMore{L}(1,dq,e_dq,InHeads(batch,heads,n,d),wq,Turned(Flat(width,ix(heads,d,0))),i,j,
                  ix(heads,d,0)) +
      ViewMore{L}(1,dk,e_dk,InHeads(batch,kv_heads,n,d),wk,Turned(Flat(width,ix(kv_heads,d,0))),
                  i,j,ix(kv_heads,d,0)) +
      ViewMore{L}(1,dv,e_dv,InHeads(batch,kv_heads,n,d),wv,Turned(Flat(width,ix(kv_heads,d,0))),
                  i,j,ix(kv_heads,d,0));
    logic real MhaDxError{L}(arith A, scalar *dq, scalar *dk, scalar *dv, scalar *e_dq,
                             scalar *e_dk, scalar *e_dv, scalar *wq, scalar *wk, scalar *wv,
                             integer batch, integer heads, integer kv_heads, integer n,
                             integer width, integer d, integer i, integer j) =
      e_view_dot(A, MhaDx{L}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j),
                 MhaDxAbs{L}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j),
                 MhaDxMore{L}(dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j),
                 (real)ix(heads,d,0) + (real)ix(kv_heads,d,0) + (real)ix(kv_heads,d,0));
    // attention's, of inputs or of a cotangent that are off
    logic real MhaBound{L}(arith A, integer causal, integer masked, scalar *b, integer n,
                           integer d, integer group, scalar *q, scalar *k, scalar *v, scalar *eq,
                           scalar *ek, scalar *ev, integer z, integer t, integer c) =
      PairsBound{L}(A,1,causal,masked,b,n,n,q+HeadAt(z,n,d),k+HeadAt(kv_of(z,group),n,d),
                    v+HeadAt(kv_of(z,group),n,d),eq+HeadAt(z,n,d),ek+HeadAt(kv_of(z,group),n,d),
                    ev+HeadAt(kv_of(z,group),n,d),d,t,c);
    logic real MhaLseBound{L}(arith A, integer causal, integer masked, scalar *b, integer n,
                              integer d, integer group, scalar *q, scalar *k, scalar *eq,
                              scalar *ek, integer z, integer t) =
      PairsLseBound{L}(A,1,causal,masked,b,n,n,q+HeadAt(z,n,d),k+HeadAt(kv_of(z,group),n,d),
                       eq+HeadAt(z,n,d),ek+HeadAt(kv_of(z,group),n,d),d,t);
    logic real MhaBoundQ{L}(arith A, integer causal, integer masked, scalar *b, integer n,
                            integer d, integer group, scalar *q, scalar *k, scalar *v, scalar *o,
                            scalar *lse, scalar *go, scalar *e, integer z, integer t, integer c) =
      PairsVjpQBound{L}(A,1,causal,masked,b,n,n,q+HeadAt(z,n,d),k+HeadAt(kv_of(z,group),n,d),
                        v+HeadAt(kv_of(z,group),n,d),o+HeadAt(z,n,d),lse+ix(z,n,0),
                        go+HeadAt(z,n,d),e+HeadAt(z,n,d),d,t,c);
    logic real MhaBoundK{L}(arith A, integer causal, integer masked, scalar *b, integer n,
                            integer d, integer rows, scalar *q, scalar *k, scalar *v, scalar *o,
                            scalar *lse, scalar *go, scalar *e, integer z, integer t, integer c) =
      PairsVjpKBound{L}(A,1,causal,masked,b,n,n,q+HeadAt(z,rows,d),k+HeadAt(z,n,d),
                        v+HeadAt(z,n,d),o+HeadAt(z,rows,d),lse+ix(z,rows,0),go+HeadAt(z,rows,d),
                        e+HeadAt(z,rows,d),d,t,c,rows);
    logic real MhaBoundV{L}(arith A, integer causal, integer masked, scalar *b, integer n,
                            integer d, integer rows, scalar *q, scalar *k, scalar *lse, scalar *go,
                            scalar *e, integer z, integer t, integer c) =
      PairsVjpVBound{L}(A,1,causal,masked,b,n,n,q+HeadAt(z,rows,d),k+HeadAt(z,n,d),
                        lse+ix(z,rows,0),go+HeadAt(z,rows,d),e+HeadAt(z,rows,d),d,t,c,rows);
*/

/* q, k, v and o: what the forward op keeps. e_q, e_k, e_v and e_o: what they are off by. */
/*@ requires MhaSizes(batch,heads,kv_heads,n,width,d);
    requires MhaIn(batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,mask);
    requires Heads(q,ix(batch,heads,0),n,d) && Heads(k,ix(batch,kv_heads,0),n,d);
    requires Heads(v,ix(batch,kv_heads,0),n,d) && Heads(o,ix(batch,heads,0),n,d);
    requires MhaOut(batch,heads,kv_heads,n,width,d,e_y,e_q,e_k,e_v,e_o,e_lse);
    requires MhaBoundApart(e_y,ix(ix(batch,n,0),width,0),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                           wo,mask,q,k,v,o);
    requires MhaBoundApart(e_q,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,
                           wv,wo,mask,q,k,v,o);
    requires MhaBoundApart(e_k,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,
                           wk,wv,wo,mask,q,k,v,o);
    requires MhaBoundApart(e_v,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,
                           wk,wv,wo,mask,q,k,v,o);
    requires MhaBoundApart(e_o,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,
                           wv,wo,mask,q,k,v,o);
    requires MhaBoundApart(e_lse,ix(ix(batch,heads,0),n,0),batch,heads,kv_heads,n,width,d,x,wq,wk,
                           wv,wo,mask,q,k,v,o);
    assigns e_y[0 .. ix(ix(batch,n,0),width,0)-1], e_q[0 .. HeadAt(ix(batch,heads,0),n,d)-1],
            e_k[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1],
            e_v[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1], e_o[0 .. HeadAt(ix(batch,heads,0),n,d)-1],
            e_lse[0 .. ix(ix(batch,heads,0),n,0)-1];
    ensures \forall integer i, j; 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      e_y[ix(i,width,j)] == MhaJoinError{Post}(A,o,e_o,wo,Flat(ix(heads,d,0),width),batch,heads,n,d,
      i,j);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
      e_q[ix(z,ix(n,d,0),ix(t,d,c))] == MhaHeadError{Pre}(A,x,wq,Flat(width,ix(heads,d,0)),batch,
      heads,n,width,d,z,t,c);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= t < n ==>
      0 <= c < d ==> e_k[ix(z,ix(n,d,0),ix(t,d,c))] == MhaHeadError{Pre}(A,x,wk,
      Flat(width,ix(kv_heads,d,0)),batch,kv_heads,n,width,d,z,t,c);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= t < n ==>
      0 <= c < d ==> e_v[ix(z,ix(n,d,0),ix(t,d,c))] == MhaHeadError{Pre}(A,x,wv,
      Flat(width,ix(kv_heads,d,0)),batch,kv_heads,n,width,d,z,t,c);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
      e_o[ix(z,ix(n,d,0),ix(t,d,c))] == MhaBound{Post}(A,causal,masked,mask,n,d,
      group_of(heads,kv_heads),q,k,v,e_q,e_k,e_v,z,t,c);
    ensures \forall integer z, t; 0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==>
      e_lse[ix(z,n,t)] == MhaLseBound{Post}(A,causal,masked,mask,n,d,group_of(heads,kv_heads),q,k,
      e_q,e_k,z,t);
*/
void bound_multi_head_attention(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                                int causal, int masked, const double *x, const double *wq,
                                const double *wk, const double *wv, const double *wo,
                                const double *mask, const double *q, const double *k,
                                const double *v, const double *o, arith A, double *e_y, double *e_q,
                                double *e_k, double *e_v, double *e_o, double *e_lse);

/* The saved q, k, v, o and lse are exact. go, dq, dk and dv are what they are in
 * ref_multi_head_attention_vjp; e_go, e_dq, e_dk and e_dv, room, become what they are off by. */
/*@ requires MhaSizes(batch,heads,kv_heads,n,width,d);
    requires MhaIn(batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,mask);
    requires MhaKept(batch,heads,kv_heads,n,width,d,q,k,v,o,lse,g);
    requires Heads(go,ix(batch,heads,0),n,d) && Heads(dq,ix(batch,heads,0),n,d);
    requires Heads(dk,ix(batch,kv_heads,0),n,d) && Heads(dv,ix(batch,kv_heads,0),n,d);
    requires MhaVjpOut(batch,heads,kv_heads,n,width,d,e_dx,e_dwq,e_dwk,e_dwv,e_dwo,e_go,e_dq,e_dk,
                       e_dv);
    requires MhaVjpApart(e_dx,ix(ix(batch,n,0),width,0),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                         wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(e_dwq,ix(width,ix(heads,d,0),0),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                         wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(e_dwk,ix(width,ix(kv_heads,d,0),0),batch,heads,kv_heads,n,width,d,x,wq,wk,
                         wv,wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(e_dwv,ix(width,ix(kv_heads,d,0),0),batch,heads,kv_heads,n,width,d,x,wq,wk,
                         wv,wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(e_dwo,ix(ix(heads,d,0),width,0),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                         wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(e_go,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,
                         wv,wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(e_dq,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,
                         wv,wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(e_dk,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,
                         wk,wv,wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(e_dv,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,
                         wk,wv,wo,mask,q,k,v,o,lse,g);
    requires MhaPullsApart(e_dx,ix(ix(batch,n,0),width,0),batch,heads,kv_heads,n,d,go,dq,dk,dv);
    requires MhaPullsApart(e_dwq,ix(width,ix(heads,d,0),0),batch,heads,kv_heads,n,d,go,dq,dk,dv);
    requires MhaPullsApart(e_dwk,ix(width,ix(kv_heads,d,0),0),batch,heads,kv_heads,n,d,go,dq,dk,dv);
    requires MhaPullsApart(e_dwv,ix(width,ix(kv_heads,d,0),0),batch,heads,kv_heads,n,d,go,dq,dk,dv);
    requires MhaPullsApart(e_dwo,ix(ix(heads,d,0),width,0),batch,heads,kv_heads,n,d,go,dq,dk,dv);
    requires MhaPullsApart(e_go,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,d,go,dq,dk,dv);
    requires MhaPullsApart(e_dq,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,d,go,dq,dk,dv);
    requires MhaPullsApart(e_dk,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,d,go,dq,dk,
                           dv);
    requires MhaPullsApart(e_dv,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,d,go,dq,dk,
                           dv);
    assigns e_dx[0 .. ix(ix(batch,n,0),width,0)-1], e_dwq[0 .. ix(width,ix(heads,d,0),0)-1],
            e_dwk[0 .. ix(width,ix(kv_heads,d,0),0)-1], e_dwv[0 .. ix(width,ix(kv_heads,d,0),0)-1],
            e_dwo[0 .. ix(ix(heads,d,0),width,0)-1], e_go[0 .. HeadAt(ix(batch,heads,0),n,d)-1],
            e_dq[0 .. HeadAt(ix(batch,heads,0),n,d)-1],
            e_dk[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1],
            e_dv[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1];
    ensures \forall integer i, j; 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      e_dx[ix(i,width,j)] == MhaDxError{Post}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,
      kv_heads,n,width,d,i,j);
    ensures \forall integer i, j; 0 <= i < width ==> 0 <= j < ix(heads,d,0) ==>
      e_dwq[ix(i,ix(heads,d,0),j)] == MhaGramError{Post}(A,1,dq,e_dq,x,batch,heads,n,width,d,j,i);
    ensures \forall integer i, j; 0 <= i < width ==> 0 <= j < ix(kv_heads,d,0) ==>
      e_dwk[ix(i,ix(kv_heads,d,0),j)] == MhaGramError{Post}(A,1,dk,e_dk,x,batch,kv_heads,n,width,d,
      j,i);
    ensures \forall integer i, j; 0 <= i < width ==> 0 <= j < ix(kv_heads,d,0) ==>
      e_dwv[ix(i,ix(kv_heads,d,0),j)] == MhaGramError{Post}(A,1,dv,e_dv,x,batch,kv_heads,n,width,d,
      j,i);
    ensures \forall integer i, j; 0 <= i < ix(heads,d,0) ==> 0 <= j < width ==>
      e_dwo[ix(i,width,j)] == MhaGramError{Post}(A,0,o,o,g,batch,heads,n,width,d,i,j);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
      e_go[ix(z,ix(n,d,0),ix(t,d,c))] == MhaHeadError{Pre}(A,g,wo,Turned(Flat(ix(heads,d,0),width)),
      batch,heads,n,width,d,z,t,c);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
      e_dq[ix(z,ix(n,d,0),ix(t,d,c))] == MhaBoundQ{Post}(A,causal,masked,mask,n,d,
      group_of(heads,kv_heads),q,k,v,o,lse,go,e_go,z,t,c);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= t < n ==>
      0 <= c < d ==> e_dk[ix(z,ix(n,d,0),ix(t,d,c))] ==
      MhaBoundK{Post}(A,causal,masked,mask,n,d,ix(group_of(heads,kv_heads),n,0),q,k,v,o,lse,go,e_go,
      z,t,c);
    ensures \forall integer z, t, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= t < n ==>
      0 <= c < d ==> e_dv[ix(z,ix(n,d,0),ix(t,d,c))] ==
      MhaBoundV{Post}(A,causal,masked,mask,n,d,ix(group_of(heads,kv_heads),n,0),q,k,lse,go,e_go,z,t,
      c);
*/
void bound_multi_head_attention_vjp(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                                    int causal, int masked, const double *x, const double *wq,
                                    const double *wk, const double *wv, const double *wo,
                                    const double *mask, const double *q, const double *k,
                                    const double *v, const double *o, const double *lse,
                                    const double *g, const double *go, const double *dq,
                                    const double *dk, const double *dv, arith A, double *e_dx,
                                    double *e_dwq, double *e_dwk, double *e_dwv, double *e_dwo,
                                    double *e_go, double *e_dq, double *e_dk, double *e_dv);

/* The values that ref_multi_head_attention keeps, for it and for its bound. */
/*@ requires MhaSizes(batch,heads,kv_heads,n,width,d);
    requires MhaIn(batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,mask);
    requires MhaKeptOut(batch,heads,kv_heads,n,width,d,q,k,v,o,lse);
    requires MhaApart(q,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,
                      mask);
    requires MhaApart(k,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                      wo,mask);
    requires MhaApart(v,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                      wo,mask);
    requires MhaApart(o,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,
                      mask);
    requires MhaApart(lse,ix(ix(batch,heads,0),n,0),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,
                      mask);
    terminates \true;
    assigns q[0 .. HeadAt(ix(batch,heads,0),n,d)-1], k[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1],
            v[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1], o[0 .. HeadAt(ix(batch,heads,0),n,d)-1],
            lse[0 .. ix(ix(batch,heads,0),n,0)-1];
    ensures MhaValues{Pre,Post}(batch,heads,kv_heads,n,width,d,causal,masked,x,wq,wk,wv,mask,q,k,v,
                                o,lse);
*/
void mha_values(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d, int causal, int masked,
                const double *x, const double *wq, const double *wk, const double *wv,
                const double *wo, const double *mask, double *q, double *k, double *v, double *o,
                double *lse);

/* The room of its VJP. */
/*@ requires MhaSizes(batch,heads,kv_heads,n,width,d);
    requires MhaIn(batch,heads,kv_heads,n,width,d,x,wq,wk,wv,wo,mask);
    requires MhaKept(batch,heads,kv_heads,n,width,d,q,k,v,o,lse,g);
    requires MhaPullsOut(batch,heads,kv_heads,n,width,d,go,dq,dk,dv);
    requires MhaVjpApart(go,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                         wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(dq,HeadAt(ix(batch,heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,wv,
                         wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(dk,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,
                         wv,wo,mask,q,k,v,o,lse,g);
    requires MhaVjpApart(dv,HeadAt(ix(batch,kv_heads,0),n,d),batch,heads,kv_heads,n,width,d,x,wq,wk,
                         wv,wo,mask,q,k,v,o,lse,g);
    terminates \true;
    assigns go[0 .. HeadAt(ix(batch,heads,0),n,d)-1], dq[0 .. HeadAt(ix(batch,heads,0),n,d)-1],
            dk[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1],
            dv[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1];
    ensures MhaPulls{Pre,Post}(batch,heads,kv_heads,n,width,d,causal,masked,wo,mask,q,k,v,o,lse,g,
                               go,dq,dk,dv);
*/
void mha_pulls(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d, int causal, int masked,
               const double *x, const double *wq, const double *wk, const double *wv,
               const double *wo, const double *mask, const double *q, const double *k,
               const double *v, const double *o, const double *lse, const double *g, double *go,
               double *dq, double *dk, double *dv);

#endif
