/* Error bounds of the VJP of attention over several heads. */
#include "attention_vjp_frames.h"
#include "multi_head_pair.h"

/*@ // ---- the stages, said of all elements: what is read in the state L1, what is written in L2
    predicate MhaBoundQIs{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer N,
                                 integer n, integer d, integer group, scalar *q, scalar *k,
                                 scalar *v, scalar *o, scalar *lse, scalar *go, scalar *eg,
                                 scalar *e) =
      \forall integer z, t, c; 0 <= z < N ==> 0 <= t < n ==> 0 <= c < d ==>
        \at(e[ix(z,ix(n,d,0),ix(t,d,c))],L2) ==
        MhaBoundQ{L1}(A,causal,masked,b,n,d,group,q,k,v,o,lse,go,eg,z,t,c);
    predicate MhaBoundKIs{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer N,
                                 integer n, integer d, integer rows, scalar *q, scalar *k,
                                 scalar *v, scalar *o, scalar *lse, scalar *go, scalar *eg,
                                 scalar *e) =
      \forall integer z, t, c; 0 <= z < N ==> 0 <= t < n ==> 0 <= c < d ==>
        \at(e[ix(z,ix(n,d,0),ix(t,d,c))],L2) ==
        MhaBoundK{L1}(A,causal,masked,b,n,d,rows,q,k,v,o,lse,go,eg,z,t,c);
    predicate MhaBoundVIs{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer N,
                                 integer n, integer d, integer rows, scalar *q, scalar *k,
                                 scalar *lse, scalar *go, scalar *eg, scalar *e) =
      \forall integer z, t, c; 0 <= z < N ==> 0 <= t < n ==> 0 <= c < d ==>
        \at(e[ix(z,ix(n,d,0),ix(t,d,c))],L2) ==
        MhaBoundV{L1}(A,causal,masked,b,n,d,rows,q,k,lse,go,eg,z,t,c);

    // ---- elements where what they read is as it was
    lemma mha_bound_q_at_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer n, d, group, scalar *q, *k, *v, *o, *lse, *go, *eg, integer z, t, c;
      0 <= t < n ==> 0 <= c < d ==> Same{L1,L2}(b,ix(n,n,0)) ==>
      Same{L1,L2}(q+HeadAt(z,n,d),ix(n,d,0)) ==>
      Same{L1,L2}(k+HeadAt(kv_of(z,group),n,d),ix(n,d,0)) ==>
      Same{L1,L2}(v+HeadAt(kv_of(z,group),n,d),ix(n,d,0)) ==>
      Same{L1,L2}(o+HeadAt(z,n,d),ix(n,d,0)) ==> Same{L1,L2}(go+HeadAt(z,n,d),ix(n,d,0)) ==>
      Same{L1,L2}(eg+HeadAt(z,n,d),ix(n,d,0)) ==> Same{L1,L2}(lse+ix(z,n,0),n) ==>
      MhaBoundQ{L1}(A,causal,masked,b,n,d,group,q,k,v,o,lse,go,eg,z,t,c) ==
      MhaBoundQ{L2}(A,causal,masked,b,n,d,group,q,k,v,o,lse,go,eg,z,t,c);
    lemma mha_bound_q_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer n,
      d, group, scalar *q, *k, *v, *o, *lse, *go, *eg, integer N, kvs, z, t, c;
      MhaGroups(N,kvs,group,n,d) ==> 0 <= z < N ==> 0 <= t < n ==> 0 <= c < d ==>
      MhaSame{L1,L2}(b,N,kvs,n,d,q,k,v,o,lse) ==> Same{L1,L2}(go,HeadAt(N,n,d)) ==>
      Same{L1,L2}(eg,HeadAt(N,n,d)) ==>
      MhaBoundQ{L1}(A,causal,masked,b,n,d,group,q,k,v,o,lse,go,eg,z,t,c) ==
      MhaBoundQ{L2}(A,causal,masked,b,n,d,group,q,k,v,o,lse,go,eg,z,t,c);
    lemma mha_bound_k_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer n,
      d, rows, scalar *q, *k, *v, *o, *lse, *go, *eg, integer kvs, z, t, c; 0 <= z < kvs ==>
      0 <= rows ==> 0 <= t < n ==> 0 <= c < d ==>
      SameHeads{L1,L2}(q,k,v,o,lse,go,b,kvs,rows,n,n,d) ==>
      SameHeads{L1,L2}(q,k,v,o,lse,eg,b,kvs,rows,n,n,d) ==>
      MhaBoundK{L1}(A,causal,masked,b,n,d,rows,q,k,v,o,lse,go,eg,z,t,c) ==
      MhaBoundK{L2}(A,causal,masked,b,n,d,rows,q,k,v,o,lse,go,eg,z,t,c);
    lemma mha_bound_v_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer n,
      d, rows, scalar *q, *k, *lse, *go, *eg, integer kvs, z, t, c; 0 <= z < kvs ==>
      0 <= rows ==> 0 <= t < n ==> 0 <= c < d ==>
      SameHeads{L1,L2}(q,k,k,q,lse,go,b,kvs,rows,n,n,d) ==>
      SameHeads{L1,L2}(q,k,k,q,lse,eg,b,kvs,rows,n,n,d) ==>
      MhaBoundV{L1}(A,causal,masked,b,n,d,rows,q,k,lse,go,eg,z,t,c) ==
      MhaBoundV{L2}(A,causal,masked,b,n,d,rows,q,k,lse,go,eg,z,t,c);
    predicate MhaDxErrorIs{L1,L2}(arith A, scalar *dq, scalar *dk, scalar *dv, scalar *eq,
                                  scalar *ek, scalar *ev, scalar *wq, scalar *wk, scalar *wv,
                                  integer batch, integer heads, integer kv_heads, integer n,
                                  integer width, integer d, scalar *e, integer rows) =
      \forall integer i, j; 0 <= i < rows ==> 0 <= j < width ==> \at(e[ix(i,width,j)],L2) ==
        MhaDxError{L1}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    predicate MhaDxErrorRowIs{L1,L2}(arith A, scalar *dq, scalar *dk, scalar *dv, scalar *eq,
                                     scalar *ek, scalar *ev, scalar *wq, scalar *wk, scalar *wv,
                                     integer batch, integer heads, integer kv_heads, integer n,
                                     integer width, integer d, scalar *e, integer i,
                                     integer cols) =
      \forall integer j; 0 <= j < cols ==> \at(e[ix(i,width,j)],L2) ==
        MhaDxError{L1}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    lemma mha_dx_error_next{L1,L2}: \forall arith A, scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq, *wk,
      *wv, integer batch, heads, kv_heads, n, width, d, scalar *e, integer i;
      MhaDxErrorIs{L1,L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,i) ==>
      MhaDxErrorRowIs{L1,L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,i,
                             width) ==>
      MhaDxErrorIs{L1,L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,i+1);
    // one of dx's three products, and all of them
    lemma mha_abs_frame{L1,L2}: \forall scalar *o, *w, integer batch, heads, n, width, d, i, j;
      MhaHeadSizes(batch,heads,n,width,d) ==> 0 <= HeadAt(ix(batch,heads,0),n,d) <= IDX_LIM ==>
      0 <= ix(width,ix(heads,d,0),0) <= IDX_LIM ==> 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      Same{L1,L2}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(w,ix(width,ix(heads,d,0),0)) ==>
      ViewAbs{L1}(o,InHeads(batch,heads,n,d),w,Turned(Flat(width,ix(heads,d,0))),i,j,ix(heads,d,0)) ==
      ViewAbs{L2}(o,InHeads(batch,heads,n,d),w,Turned(Flat(width,ix(heads,d,0))),i,j,ix(heads,d,0));
    lemma mha_more_frame{L1,L2}: \forall scalar *o, *e, *w, integer batch, heads, n, width, d, i,
      j;
      MhaHeadSizes(batch,heads,n,width,d) ==> 0 <= HeadAt(ix(batch,heads,0),n,d) <= IDX_LIM ==>
      0 <= ix(width,ix(heads,d,0),0) <= IDX_LIM ==> 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      Same{L1,L2}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(e,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(w,ix(width,ix(heads,d,0),0)) ==>
      ViewMore{L1}(1,o,e,InHeads(batch,heads,n,d),w,Turned(Flat(width,ix(heads,d,0))),i,j,ix(heads,d,0)) ==
      ViewMore{L2}(1,o,e,InHeads(batch,heads,n,d),w,Turned(Flat(width,ix(heads,d,0))),i,j,ix(heads,d,0));
    lemma mha_dx_abs_frame{L1,L2}: \forall scalar *dq, *dk, *dv, *wq, *wk, *wv,
      integer batch, heads, kv_heads, n, width, d, i, j;
      MhaDxSizes(batch,heads,kv_heads,n,width,d) ==> 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      MhaDxSame{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxAbs{L1}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDxAbs{L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    lemma mha_dx_more_frame{L1,L2}: \forall scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq, *wk, *wv,
      integer batch, heads, kv_heads, n, width, d, i, j;
      MhaDxSizes(batch,heads,kv_heads,n,width,d) ==> 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      MhaDxSame{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxSame{L1,L2}(eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxMore{L1}(dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDxMore{L2}(dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    // what dx's bound is a function of
    predicate MhaDxSumsSame{L1,L2}(scalar *dq, scalar *dk, scalar *dv, scalar *eq, scalar *ek,
                                   scalar *ev, scalar *wq, scalar *wk, scalar *wv, integer batch,
                                   integer heads, integer kv_heads, integer n, integer width,
                                   integer d, integer i, integer j) =
      MhaDx{L1}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDx{L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) &&
      MhaDxAbs{L1}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDxAbs{L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) &&
      MhaDxMore{L1}(dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDxMore{L2}(dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    lemma mha_dx_sums_frame{L1,L2}: \forall scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq, *wk, *wv,
      integer batch, heads, kv_heads, n, width, d, i, j;
      MhaDxSizes(batch,heads,kv_heads,n,width,d) ==> 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      MhaDxSame{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxSame{L1,L2}(eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxSumsSame{L1,L2}(dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    lemma mha_dx_error_of_sums{L1,L2}: \forall arith A, scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq,
      *wk, *wv, integer batch, heads, kv_heads, n, width, d, i, j;
      MhaDxSumsSame{L1,L2}(dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==>
      MhaDxError{L1}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDxError{L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    lemma mha_dx_error_frame{L1,L2}: \forall arith A, scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq, *wk,
      *wv, integer batch, heads, kv_heads, n, width, d, i, j;
      MhaDxSizes(batch,heads,kv_heads,n,width,d) ==> 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      MhaDxSame{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxSame{L1,L2}(eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxError{L1}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDxError{L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);

    // ---- stages
    lemma mha_bound_q_moved{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer N, kvs, n, d, group, scalar *q, *k, *v, *o, *lse, *go, *eg, *e;
      MhaGroups(N,kvs,group,n,d) ==> MhaSame{L1,L3}(b,N,kvs,n,d,q,k,v,o,lse) ==>
      Same{L1,L3}(go,HeadAt(N,n,d)) ==> Same{L1,L3}(eg,HeadAt(N,n,d)) ==>
      Same{L2,L3}(e,HeadAt(N,n,d)) ==>
      MhaBoundQIs{L1,L2}(A,causal,masked,b,N,n,d,group,q,k,v,o,lse,go,eg,e) ==>
      MhaBoundQIs{L3,L3}(A,causal,masked,b,N,n,d,group,q,k,v,o,lse,go,eg,e);
    lemma mha_bound_k_moved{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer kvs, n, d, rows, scalar *q, *k, *v, *o, *lse, *go, *eg, *e; 0 <= rows ==>
      SameHeads{L1,L3}(q,k,v,o,lse,go,b,kvs,rows,n,n,d) ==>
      SameHeads{L1,L3}(q,k,v,o,lse,eg,b,kvs,rows,n,n,d) ==> Same{L2,L3}(e,HeadAt(kvs,n,d)) ==>
      MhaBoundKIs{L1,L2}(A,causal,masked,b,kvs,n,d,rows,q,k,v,o,lse,go,eg,e) ==>
      MhaBoundKIs{L3,L3}(A,causal,masked,b,kvs,n,d,rows,q,k,v,o,lse,go,eg,e);
    lemma mha_bound_v_moved{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer kvs, n, d, rows, scalar *q, *k, *lse, *go, *eg, *e; 0 <= rows ==>
      SameHeads{L1,L3}(q,k,k,q,lse,go,b,kvs,rows,n,n,d) ==>
      SameHeads{L1,L3}(q,k,k,q,lse,eg,b,kvs,rows,n,n,d) ==> Same{L2,L3}(e,HeadAt(kvs,n,d)) ==>
      MhaBoundVIs{L1,L2}(A,causal,masked,b,kvs,n,d,rows,q,k,lse,go,eg,e) ==>
      MhaBoundVIs{L3,L3}(A,causal,masked,b,kvs,n,d,rows,q,k,lse,go,eg,e);
    lemma mha_dx_error_moved{L1,L2,L3}: \forall arith A, scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq,
      *wk, *wv, integer batch, heads, kv_heads, n, width, d, scalar *e;
      MhaDxSizes(batch,heads,kv_heads,n,width,d) ==>
      MhaDxSame{L1,L3}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxSame{L1,L3}(eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxErrorIs{L1,L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,
                          ix(batch,n,0)) ==>
      MhaDxErrorIs{L3,L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,
                          ix(batch,n,0));
    lemma mha_dx_error_kept{L1,L2,L3}: \forall arith A, scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq,
      *wk, *wv, integer batch, heads, kv_heads, n, width, d, scalar *e, integer rows;
      Same{L2,L3}(e,ix(rows,width,0)) ==>
      MhaDxErrorIs{L1,L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,rows) ==>
      MhaDxErrorIs{L1,L3}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,rows);
*/

/* What dx is off by. */
/*@ requires MhaSizes(batch,heads,kv_heads,n,width,d) && Out2(e_dx,ix(batch,n,0),width);
    requires Heads(dq,ix(batch,heads,0),n,d) && Heads(dk,ix(batch,kv_heads,0),n,d);
    requires Heads(dv,ix(batch,kv_heads,0),n,d) && In2(wq,width,ix(heads,d,0));
    requires Heads(e_dq,ix(batch,heads,0),n,d) && Heads(e_dk,ix(batch,kv_heads,0),n,d);
    requires Heads(e_dv,ix(batch,kv_heads,0),n,d);
    requires In2(wk,width,ix(kv_heads,d,0)) && In2(wv,width,ix(kv_heads,d,0));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),dq,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),dk,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),dv,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),e_dq,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),e_dk,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),e_dv,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),wq,ix(width,ix(heads,d,0),0));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),wk,ix(width,ix(kv_heads,d,0),0));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),wv,ix(width,ix(kv_heads,d,0),0));
    assigns e_dx[0 .. ix(ix(batch,n,0),width,0)-1];
    ensures MhaDxErrorIs{Pre,Post}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,
                                   e_dx,ix(batch,n,0));
*/
static void bound_inputs(arith A, idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                         const double *dq, const double *dk, const double *dv, const double *e_dq,
                         const double *e_dk, const double *e_dv, const double *wq, const double *wk,
                         const double *wv, double *e_dx)
{
  view Tq = turned(flat(width, size2(heads, d))), Tk = turned(flat(width, size2(kv_heads, d)));
  view Q = in_heads(batch, heads, n, d), K = in_heads(batch, kv_heads, n, d);
  idx m = size2(batch, n);
  double of_q = (double)view_cols(Q), of_k = (double)view_cols(K), terms = of_q + of_k + of_k;
  /*@ loop invariant 0 <= i <= m;
      loop invariant MhaDxErrorIs{Pre,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,
                                            e_dx,i);
      loop assigns i, e_dx[0 .. ix(m,width,0)-1];
      loop variant m - i;
  */
  for (idx i = 0; i < m; i++) {
    /*@ loop invariant 0 <= j <= width;
        loop invariant MhaDxErrorIs{Pre,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,
                                              e_dx,i);
        loop invariant MhaDxErrorRowIs{Pre,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,
                                                 kv_heads,n,width,d,e_dx,i,j);
        loop assigns j, e_dx[0 .. ix(m,width,0)-1];
        loop variant width - j;
    */
    for (idx j = 0; j < width; j++) {
      //@ assert same_q: Same{Pre,Here}(dq,ViewSize(Q)) && Same{Pre,Here}(wq,ViewSize(Tq));
      //@ assert same_k: Same{Pre,Here}(dk,ViewSize(K)) && Same{Pre,Here}(wk,ViewSize(Tk));
      //@ assert same_v: Same{Pre,Here}(dv,ViewSize(K)) && Same{Pre,Here}(wv,ViewSize(Tk));
      /*@ assert same_e: Same{Pre,Here}(e_dq,ViewSize(Q)) && Same{Pre,Here}(e_dk,ViewSize(K)) &&
            Same{Pre,Here}(e_dv,ViewSize(K)); */
      dots a = view_dots(1, dq, e_dq, Q, wq, Tq, i, j);
      dots b = view_dots(1, dk, e_dk, K, wk, Tk, i, j);
      dots c = view_dots(1, dv, e_dv, K, wv, Tk, i, j);
      double dot = a.dot + b.dot + c.dot, abs = a.abs + b.abs + c.abs;
      double more = a.more + b.more + c.more;
      //@ assert a_is: a.dot == ViewDot{Pre}(dq,Q,wq,Tq,i,j,ViewCols(Q));
      //@ assert b_is: b.dot == ViewDot{Pre}(dk,K,wk,Tk,i,j,ViewCols(K));
      //@ assert c_is: c.dot == ViewDot{Pre}(dv,K,wv,Tk,i,j,ViewCols(K));
      //@ assert dot_is: dot == MhaDx{Pre}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
      //@ assert abs_is: abs == MhaDxAbs{Pre}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
      /*@ assert more_is: more == MhaDxMore{Pre}(dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,
                                                 kv_heads,n,width,d,i,j); */
      double e = view_dot_error(A, dot, abs, more, terms);
      /*@ assert e_is: e == MhaDxError{Pre}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,
                                            i,j); */
      idx at = at2(m, width, i, j);
      //@ assert behind: ix(i,width,0) <= at < ix(m,width,0);
      //@ ghost Before: ;
      e_dx[at] = e;
      //@ assert rows: Same{Before,Here}(e_dx,ix(i,width,0));
      /*@ assert before: MhaDxErrorRowIs{Pre,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,
                                                    kv_heads,n,width,d,e_dx,i,j); */
    }
    /*@ assert row: MhaDxErrorRowIs{Pre,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,
                                              kv_heads,n,width,d,e_dx,i,width); */
  }
}

/*@ predicate MhaGramErrorsAre{L1,L2}(arith A, integer off, scalar *o, scalar *e, scalar *x,
                                      integer batch, integer heads, integer n, integer width,
                                      integer d, scalar *c) =
      \forall integer i, j; 0 <= i < ix(heads,d,0) ==> 0 <= j < width ==>
        \at(c[ix(i,width,j)],L2) == MhaGramError{L1}(A,off,o,e,x,batch,heads,n,width,d,i,j);
    predicate MhaMargErrorsAre{L1,L2}(arith A, integer off, scalar *o, scalar *e, scalar *x,
                                      integer batch, integer heads, integer n, integer width,
                                      integer d, scalar *c) =
      \forall integer i, j; 0 <= i < width ==> 0 <= j < ix(heads,d,0) ==>
        \at(c[ix(i,ix(heads,d,0),j)],L2) == MhaGramError{L1}(A,off,o,e,x,batch,heads,n,width,d,j,i);
    lemma mha_gram_error_frame{L1,L2}: \forall arith A, integer off, scalar *o, *e, *x,
      integer batch, heads, n, width, d, i, j; MhaGramSizes(batch,heads,n,width,d) ==>
      0 <= i < ix(heads,d,0) ==> 0 <= j < width ==> Same{L1,L2}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(e,HeadAt(ix(batch,heads,0),n,d)) ==> Same{L1,L2}(x,ix(ix(batch,n,0),width,0)) ==>
      MhaGramError{L1}(A,off,o,e,x,batch,heads,n,width,d,i,j) ==
      MhaGramError{L2}(A,off,o,e,x,batch,heads,n,width,d,i,j);
    predicate MhaGramErrorsSame{L1,L2}(arith A, integer off, scalar *o, scalar *e, scalar *x,
                                       integer batch, integer heads, integer n, integer width,
                                       integer d) =
      \forall integer i, j; 0 <= i < ix(heads,d,0) ==> 0 <= j < width ==>
        MhaGramError{L1}(A,off,o,e,x,batch,heads,n,width,d,i,j) ==
        MhaGramError{L2}(A,off,o,e,x,batch,heads,n,width,d,i,j);
    lemma mha_gram_errors_same{L1,L2}: \forall arith A, integer off, scalar *o, *e, *x,
      integer batch, heads, n, width, d; MhaGramSizes(batch,heads,n,width,d) ==>
      Same{L1,L2}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(e,HeadAt(ix(batch,heads,0),n,d)) ==> Same{L1,L2}(x,ix(ix(batch,n,0),width,0)) ==>
      MhaGramErrorsSame{L1,L2}(A,off,o,e,x,batch,heads,n,width,d);
    lemma mha_gram_errors_read{L1,L2,L3}: \forall arith A, integer off, scalar *o, *e, *x,
      integer batch, heads, n, width, d, scalar *c;
      MhaGramErrorsSame{L1,L3}(A,off,o,e,x,batch,heads,n,width,d) ==>
      MhaGramErrorsAre{L1,L2}(A,off,o,e,x,batch,heads,n,width,d,c) ==>
      MhaGramErrorsAre{L3,L2}(A,off,o,e,x,batch,heads,n,width,d,c);
    lemma mha_gram_errors_kept{L1,L2,L3}: \forall arith A, integer off, scalar *o, *e, *x,
      integer batch, heads, n, width, d, scalar *c; Same{L2,L3}(c,ix(ix(heads,d,0),width,0)) ==>
      MhaGramErrorsAre{L1,L2}(A,off,o,e,x,batch,heads,n,width,d,c) ==>
      MhaGramErrorsAre{L1,L3}(A,off,o,e,x,batch,heads,n,width,d,c);
    lemma mha_marg_errors_read{L1,L2,L3}: \forall arith A, integer off, scalar *o, *e, *x,
      integer batch, heads, n, width, d, scalar *c;
      MhaGramErrorsSame{L1,L3}(A,off,o,e,x,batch,heads,n,width,d) ==>
      MhaMargErrorsAre{L1,L2}(A,off,o,e,x,batch,heads,n,width,d,c) ==>
      MhaMargErrorsAre{L3,L2}(A,off,o,e,x,batch,heads,n,width,d,c);
    lemma mha_marg_errors_kept{L1,L2,L3}: \forall arith A, integer off, scalar *o, *e, *x,
      integer batch, heads, n, width, d, scalar *c; Same{L2,L3}(c,ix(width,ix(heads,d,0),0)) ==>
      MhaMargErrorsAre{L1,L2}(A,off,o,e,x,batch,heads,n,width,d,c) ==>
      MhaMargErrorsAre{L1,L3}(A,off,o,e,x,batch,heads,n,width,d,c);
*/

/* What o' x, (heads d, width), is off by, o off by e where off is not 0. */
/*@ requires MhaGramSizes(batch,heads,n,width,d) && Out2(c,ix(heads,d,0),width);
    requires Heads(o,ix(batch,heads,0),n,d) && Heads(e,ix(batch,heads,0),n,d);
    requires In2(x,ix(batch,n,0),width) && Sep(c,ix(ix(heads,d,0),width,0),x,ix(ix(batch,n,0),width,0));
    requires Sep(c,ix(ix(heads,d,0),width,0),o,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(c,ix(ix(heads,d,0),width,0),e,HeadAt(ix(batch,heads,0),n,d));
    assigns c[0 .. ix(ix(heads,d,0),width,0)-1];
    ensures MhaGramErrorsAre{Pre,Post}(A,off,o,e,x,batch,heads,n,width,d,c);
*/
static void gram_errors(arith A, int off, idx batch, idx heads, idx n, idx width, idx d,
                        const double *o, const double *e, const double *x, double *c)
{
  view_errors(A, off, o, e, turned(in_heads(batch, heads, n, d)), x, flat(size2(batch, n), width),
              c, flat(size2(heads, d), width));
}

/* What x' o, (width, heads d), is off by. */
/*@ requires MhaGramSizes(batch,heads,n,width,d) && Out2(c,width,ix(heads,d,0));
    requires Heads(o,ix(batch,heads,0),n,d) && Heads(e,ix(batch,heads,0),n,d);
    requires In2(x,ix(batch,n,0),width) && Sep(c,ix(width,ix(heads,d,0),0),x,ix(ix(batch,n,0),width,0));
    requires Sep(c,ix(width,ix(heads,d,0),0),o,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(c,ix(width,ix(heads,d,0),0),e,HeadAt(ix(batch,heads,0),n,d));
    assigns c[0 .. ix(width,ix(heads,d,0),0)-1];
    ensures MhaMargErrorsAre{Pre,Post}(A,off,o,e,x,batch,heads,n,width,d,c);
*/
static void marg_errors(arith A, int off, idx batch, idx heads, idx n, idx width, idx d,
                        const double *o, const double *e, const double *x, double *c)
{
  view_errors(A, off, o, e, turned(in_heads(batch, heads, n, d)), x, flat(size2(batch, n), width),
              c, turned(flat(width, size2(heads, d))));
}

void bound_multi_head_attention_vjp(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                                    int causal, int masked, const double *x, const double *wq,
                                    const double *wk, const double *wv, const double *wo,
                                    const double *mask, const double *q, const double *k,
                                    const double *v, const double *o, const double *lse,
                                    const double *g, const double *go, const double *dq,
                                    const double *dk, const double *dv, arith A, double *e_dx,
                                    double *e_dwq, double *e_dwk, double *e_dwv, double *e_dwo,
                                    double *e_go, double *e_dq, double *e_dk, double *e_dv)
{
  view Wo = flat(size2(heads, d), width), To = turned(Wo);
  /*@ assert limits: MhaLimits(batch,heads,kv_heads,n,width,d); */
  /*@ assert sizes: MhaGramSizes(batch,heads,n,width,d) && MhaGramSizes(batch,kv_heads,n,width,d) &&
        MhaDxSizes(batch,heads,kv_heads,n,width,d); */
  /*@ assert groups: MhaGroups(ix(batch,heads,0),ix(batch,kv_heads,0),group_of(heads,kv_heads),
                               n,d) && 0 <= ix(group_of(heads,kv_heads),n,0); */
#define STAY(L)                                                                                  \
  Same{L, Here}(mask, ix(n, n, 0)) && Same{L, Here}(q, HeadAt(ix(batch, heads, 0), n, d)) &&     \
      Same{L, Here}(k, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                                  \
      Same{L, Here}(v, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                                  \
      Same{L, Here}(o, HeadAt(ix(batch, heads, 0), n, d)) &&                                     \
      Same{L, Here}(lse, ix(ix(batch, heads, 0), n, 0)) &&                                       \
      Same{L, Here}(go, HeadAt(ix(batch, heads, 0), n, d)) &&                                    \
      Same{L, Here}(dq, HeadAt(ix(batch, heads, 0), n, d)) &&                                    \
      Same{L, Here}(dk, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                                 \
      Same{L, Here}(dv, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                                 \
      Same{L, Here}(x, ix(ix(batch, n, 0), width, 0)) &&                                         \
      Same{L, Here}(g, ix(ix(batch, n, 0), width, 0)) &&                                         \
      Same{L, Here}(wq, ix(width, ix(heads, d, 0), 0)) &&                                        \
      Same{L, Here}(wk, ix(width, ix(kv_heads, d, 0), 0)) &&                                     \
      Same{L, Here}(wv, ix(width, ix(kv_heads, d, 0), 0))
  project_errors(A, batch, heads, n, width, d, g, wo, To, e_go);
  //@ ghost L1: ;
/* what attention writes is apart from a */
#define APART(a, size)                                              \
  Apart(a, size, e_dq, HeadAt(ix(batch, heads, 0), n, d)) &&        \
      Apart(a, size, e_dk, HeadAt(ix(batch, kv_heads, 0), n, d)) && \
      Apart(a, size, e_dv, HeadAt(ix(batch, kv_heads, 0), n, d))
  //@ assert apart_mask: APART(mask,ix(n,n,0));
  //@ assert apart_q: APART(q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert apart_k: APART(k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert apart_v: APART(v,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert apart_o: APART(o,HeadAt(ix(batch,heads,0),n,d));
  //@ assert apart_lse: APART(lse,ix(ix(batch,heads,0),n,0));
  //@ assert apart_go: APART(go,HeadAt(ix(batch,heads,0),n,d));
  //@ assert apart_dq: APART(dq,HeadAt(ix(batch,heads,0),n,d));
  //@ assert apart_dk: APART(dk,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert apart_dv: APART(dv,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert apart_x: APART(x,ix(ix(batch,n,0),width,0));
  //@ assert apart_g: APART(g,ix(ix(batch,n,0),width,0));
  //@ assert apart_wq: APART(wq,ix(width,ix(heads,d,0),0));
  //@ assert apart_wk: APART(wk,ix(width,ix(kv_heads,d,0),0));
  //@ assert apart_wv: APART(wv,ix(width,ix(kv_heads,d,0),0));
  //@ assert apart_e_go: APART(e_go,HeadAt(ix(batch,heads,0),n,d));
#undef APART
  pair_sdpa_vjp(batch, heads, kv_heads, n, n, d, causal, masked, q, k, v, mask, o, lse, go, 1, e_go,
                A, e_dq, e_dk, e_dv);
  //@ ghost L2: ;
  //@ assert stay_2: STAY(L1);
  //@ assert e_go_2: Same{L1,L2}(e_go,HeadAt(ix(batch,heads,0),n,d));
  /*@ assert e_dq_2: MhaBoundQIs{L1,L2}(A,causal,masked,mask,ix(batch,heads,0),n,d,
                       group_of(heads,kv_heads),q,k,v,o,lse,go,e_go,e_dq); */
  /*@ assert e_dk_2: MhaBoundKIs{L1,L2}(A,causal,masked,mask,ix(batch,kv_heads,0),n,d,
                       ix(group_of(heads,kv_heads),n,0),q,k,v,o,lse,go,e_go,e_dk); */
  /*@ assert e_dv_2: MhaBoundVIs{L1,L2}(A,causal,masked,mask,ix(batch,kv_heads,0),n,d,
                       ix(group_of(heads,kv_heads),n,0),q,k,lse,go,e_go,e_dv); */
  bound_inputs(A, batch, heads, kv_heads, n, width, d, dq, dk, dv, e_dq, e_dk, e_dv, wq, wk, wv,
               e_dx);
  //@ ghost L3: ;
  //@ assert step_3: STAY(L2);
  //@ assert stay_3: STAY(L1);
  //@ assert e_go_step: Same{L2,L3}(e_go,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_go_3: Same{L1,L3}(e_go,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_dq_3: Same{L2,L3}(e_dq,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_dk_3: Same{L2,L3}(e_dk,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_dv_3: Same{L2,L3}(e_dv,HeadAt(ix(batch,kv_heads,0),n,d));
/* what is left of the stages before */
#define KEPT(L)                                                                            \
  Same{L, Here}(e_go, HeadAt(ix(batch, heads, 0), n, d)) &&                                \
      Same{L, Here}(e_dq, HeadAt(ix(batch, heads, 0), n, d)) &&                            \
      Same{L, Here}(e_dk, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                         \
      Same{L, Here}(e_dv, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                         \
      Same{L, Here}(e_dx, ix(ix(batch, n, 0), width, 0))
  marg_errors(A, 1, batch, heads, n, width, d, dq, e_dq, x, e_dwq);
  //@ ghost L4: ;
  //@ assert step_4: STAY(L3);
  //@ assert stay_4: STAY(L1);
  //@ assert kept_4: KEPT(L3);
  marg_errors(A, 1, batch, kv_heads, n, width, d, dk, e_dk, x, e_dwk);
  //@ ghost L5: ;
  //@ assert step_5: STAY(L4);
  //@ assert stay_5: STAY(L1);
  //@ assert kept_5: KEPT(L4);
  //@ assert e_dwq_5: Same{L4,L5}(e_dwq,ix(width,ix(heads,d,0),0));
  marg_errors(A, 1, batch, kv_heads, n, width, d, dv, e_dv, x, e_dwv);
  //@ ghost L6: ;
  //@ assert step_6: STAY(L5);
  //@ assert stay_6: STAY(L1);
  //@ assert kept_6: KEPT(L5);
  //@ assert e_dwq_6: Same{L5,L6}(e_dwq,ix(width,ix(heads,d,0),0));
  //@ assert e_dwk_6: Same{L5,L6}(e_dwk,ix(width,ix(kv_heads,d,0),0));
  gram_errors(A, 0, batch, heads, n, width, d, o, o, g, e_dwo);
  //@ ghost L7: ;
  //@ assert step_7: STAY(L6);
  //@ assert stay_7: STAY(L1);
  //@ assert kept_7: KEPT(L6);
  //@ assert e_dwq_7: Same{L6,L7}(e_dwq,ix(width,ix(heads,d,0),0));
  //@ assert e_dwk_7: Same{L6,L7}(e_dwk,ix(width,ix(kv_heads,d,0),0));
  //@ assert e_dwv_7: Same{L6,L7}(e_dwv,ix(width,ix(kv_heads,d,0),0));
#undef KEPT
  //@ assert e_go_kept: Same{L1,Here}(e_go,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_dq_back: Same{L3,Here}(e_dq,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_dq_kept: Same{L2,Here}(e_dq,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_dk_back: Same{L3,Here}(e_dk,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_dk_kept: Same{L2,Here}(e_dk,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_dv_back: Same{L3,Here}(e_dv,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_dv_kept: Same{L2,Here}(e_dv,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_dx_kept: Same{L3,Here}(e_dx,ix(ix(batch,n,0),width,0));
  //@ assert e_dwq_kept: Same{L4,Here}(e_dwq,ix(width,ix(heads,d,0),0));
  //@ assert e_dwk_kept: Same{L5,Here}(e_dwk,ix(width,ix(kv_heads,d,0),0));
  //@ assert e_dwv_kept: Same{L6,Here}(e_dwv,ix(width,ix(kv_heads,d,0),0));
  //@ assert stay_dx: STAY(L2);
  /*@ assert all: MhaSame{L1,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,v,o,lse); */
  /*@ assert heads: SameHeads{L1,Here}(q,k,v,o,lse,go,mask,ix(batch,kv_heads,0),
                      ix(group_of(heads,kv_heads),n,0),n,n,d) &&
                    SameHeads{L1,Here}(q,k,k,q,lse,go,mask,ix(batch,kv_heads,0),
                      ix(group_of(heads,kv_heads),n,0),n,n,d); */
  /*@ assert heads_e: SameHeads{L1,Here}(q,k,v,o,lse,e_go,mask,ix(batch,kv_heads,0),
                      ix(group_of(heads,kv_heads),n,0),n,n,d) &&
                    SameHeads{L1,Here}(q,k,k,q,lse,e_go,mask,ix(batch,kv_heads,0),
                      ix(group_of(heads,kv_heads),n,0),n,n,d); */
  //@ assert e_go_is: MhaHeadErrorsAre{Pre,Here}(A,g,wo,To,batch,heads,n,width,d,e_go);
  /*@ assert e_dq_is: MhaBoundQIs{Here,Here}(A,causal,masked,mask,ix(batch,heads,0),n,d,
                       group_of(heads,kv_heads),q,k,v,o,lse,go,e_go,e_dq); */
  /*@ assert e_dk_is: MhaBoundKIs{Here,Here}(A,causal,masked,mask,ix(batch,kv_heads,0),n,d,
                       ix(group_of(heads,kv_heads),n,0),q,k,v,o,lse,go,e_go,e_dk); */
  /*@ assert e_dv_is: MhaBoundVIs{Here,Here}(A,causal,masked,mask,ix(batch,kv_heads,0),n,d,
                       ix(group_of(heads,kv_heads),n,0),q,k,lse,go,e_go,e_dv); */
  /*@ assert dx_reads: MhaDxSame{L2,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) &&
        MhaDxSame{L2,Here}(e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,kv_heads,n,width,d); */
  /*@ assert e_dx_kept: MhaDxErrorIs{L2,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,
                                              kv_heads,n,width,d,e_dx,ix(batch,n,0)); */
  /*@ assert e_dx_is: MhaDxErrorIs{Here,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,
                                              kv_heads,n,width,d,e_dx,ix(batch,n,0)); */
  /*@ assert weights: MhaGramErrorsSame{L3,Here}(A,1,dq,e_dq,x,batch,heads,n,width,d) &&
        MhaGramErrorsSame{L4,Here}(A,1,dk,e_dk,x,batch,kv_heads,n,width,d) &&
        MhaGramErrorsSame{L5,Here}(A,1,dv,e_dv,x,batch,kv_heads,n,width,d) &&
        MhaGramErrorsSame{L6,Here}(A,0,o,o,g,batch,heads,n,width,d); */
  //@ assert e_dwq_is: MhaMargErrorsAre{Here,Here}(A,1,dq,e_dq,x,batch,heads,n,width,d,e_dwq);
  //@ assert e_dwk_is: MhaMargErrorsAre{Here,Here}(A,1,dk,e_dk,x,batch,kv_heads,n,width,d,e_dwk);
  //@ assert e_dwv_is: MhaMargErrorsAre{Here,Here}(A,1,dv,e_dv,x,batch,kv_heads,n,width,d,e_dwv);
  //@ assert e_dwo_is: MhaGramErrorsAre{Here,Here}(A,0,o,o,g,batch,heads,n,width,d,e_dwo);
#undef STAY
}
