/* Error bounds of attention over several heads. */
#include "attention_frames.h"
#include "multi_head_pair.h"

/*@ // ---- the stages, said of all elements: what is read in the state L1, what is written in L2
    predicate MhaBoundIs{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer N,
                                integer n, integer d, integer group, scalar *q, scalar *k,
                                scalar *v, scalar *eq, scalar *ek, scalar *ev, scalar *e) =
      \forall integer z, t, c; 0 <= z < N ==> 0 <= t < n ==> 0 <= c < d ==>
        \at(e[ix(z,ix(n,d,0),ix(t,d,c))],L2) ==
        MhaBound{L1}(A,causal,masked,b,n,d,group,q,k,v,eq,ek,ev,z,t,c);
    predicate MhaLseBoundIs{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer N,
                                   integer n, integer d, integer group, scalar *q, scalar *k,
                                   scalar *eq, scalar *ek, scalar *e) =
      \forall integer z, t; 0 <= z < N ==> 0 <= t < n ==> \at(e[ix(z,n,t)],L2) ==
        MhaLseBound{L1}(A,causal,masked,b,n,d,group,q,k,eq,ek,z,t);

    // ---- elements where what they read is as it was
    lemma mha_bound_at_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer n, d, group, scalar *q, *k, *v, *eq, *ek, *ev, integer z, t, c;
      0 <= t < n ==> 0 <= c < d ==> Same{L1,L2}(b,ix(n,n,0)) ==>
      Same{L1,L2}(q+HeadAt(z,n,d),ix(n,d,0)) ==> Same{L1,L2}(eq+HeadAt(z,n,d),ix(n,d,0)) ==>
      Same{L1,L2}(k+HeadAt(kv_of(z,group),n,d),ix(n,d,0)) ==>
      Same{L1,L2}(ek+HeadAt(kv_of(z,group),n,d),ix(n,d,0)) ==>
      Same{L1,L2}(v+HeadAt(kv_of(z,group),n,d),ix(n,d,0)) ==>
      Same{L1,L2}(ev+HeadAt(kv_of(z,group),n,d),ix(n,d,0)) ==>
      MhaBound{L1}(A,causal,masked,b,n,d,group,q,k,v,eq,ek,ev,z,t,c) ==
      MhaBound{L2}(A,causal,masked,b,n,d,group,q,k,v,eq,ek,ev,z,t,c);
    lemma mha_lse_bound_at_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer n, d, group, scalar *q, *k, *eq, *ek, integer z, t;
      0 <= t < n ==> 0 <= d ==> Same{L1,L2}(b,ix(n,n,0)) ==>
      Same{L1,L2}(q+HeadAt(z,n,d),ix(n,d,0)) ==> Same{L1,L2}(eq+HeadAt(z,n,d),ix(n,d,0)) ==>
      Same{L1,L2}(k+HeadAt(kv_of(z,group),n,d),ix(n,d,0)) ==>
      Same{L1,L2}(ek+HeadAt(kv_of(z,group),n,d),ix(n,d,0)) ==>
      MhaLseBound{L1}(A,causal,masked,b,n,d,group,q,k,eq,ek,z,t) ==
      MhaLseBound{L2}(A,causal,masked,b,n,d,group,q,k,eq,ek,z,t);
    lemma mha_bound_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer n, d,
      group, scalar *q, *k, *v, *eq, *ek, *ev, integer N, kvs, z, t, c;
      MhaGroups(N,kvs,group,n,d) ==> 0 <= z < N ==> 0 <= t < n ==> 0 <= c < d ==>
      MhaReads{L1,L2}(b,N,kvs,n,d,q,k,v) ==> MhaReads{L1,L2}(b,N,kvs,n,d,eq,ek,ev) ==>
      MhaBound{L1}(A,causal,masked,b,n,d,group,q,k,v,eq,ek,ev,z,t,c) ==
      MhaBound{L2}(A,causal,masked,b,n,d,group,q,k,v,eq,ek,ev,z,t,c);
    lemma mha_lse_bound_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer n, d, group, scalar *q, *k, *eq, *ek, integer N, kvs, z, t;
      MhaGroups(N,kvs,group,n,d) ==> 0 <= z < N ==> 0 <= t < n ==>
      MhaReads{L1,L2}(b,N,kvs,n,d,q,k,k) ==> MhaReads{L1,L2}(b,N,kvs,n,d,eq,ek,ek) ==>
      MhaLseBound{L1}(A,causal,masked,b,n,d,group,q,k,eq,ek,z,t) ==
      MhaLseBound{L2}(A,causal,masked,b,n,d,group,q,k,eq,ek,z,t);

    // ---- stages
    lemma mha_bound_moved{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b, integer N,
      kvs, n, d, group, scalar *q, *k, *v, *eq, *ek, *ev, *e; MhaGroups(N,kvs,group,n,d) ==>
      MhaReads{L1,L3}(b,N,kvs,n,d,q,k,v) ==> MhaReads{L1,L3}(b,N,kvs,n,d,eq,ek,ev) ==>
      Same{L2,L3}(e,HeadAt(N,n,d)) ==>
      MhaBoundIs{L1,L2}(A,causal,masked,b,N,n,d,group,q,k,v,eq,ek,ev,e) ==>
      MhaBoundIs{L3,L3}(A,causal,masked,b,N,n,d,group,q,k,v,eq,ek,ev,e);
    lemma mha_lse_bound_read{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer N, kvs, n, d, group, scalar *q, *k, *eq, *ek, *e; MhaGroups(N,kvs,group,n,d) ==>
      MhaReads{L1,L3}(b,N,kvs,n,d,q,k,k) ==> MhaReads{L1,L3}(b,N,kvs,n,d,eq,ek,ek) ==>
      MhaLseBoundIs{L1,L2}(A,causal,masked,b,N,n,d,group,q,k,eq,ek,e) ==>
      MhaLseBoundIs{L3,L2}(A,causal,masked,b,N,n,d,group,q,k,eq,ek,e);
    lemma mha_lse_bound_kept{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer N, n, d, group, scalar *q, *k, *eq, *ek, *e; Same{L2,L3}(e,ix(N,n,0)) ==>
      MhaLseBoundIs{L1,L2}(A,causal,masked,b,N,n,d,group,q,k,eq,ek,e) ==>
      MhaLseBoundIs{L1,L3}(A,causal,masked,b,N,n,d,group,q,k,eq,ek,e);
*/

/* What q, k and v are off by. */
/*@ requires MhaHeadSizes(batch,heads,n,width,d) && MhaHeadSizes(batch,kv_heads,n,width,d);
    requires In2(x,ix(batch,n,0),width) && In2(wq,width,ix(heads,d,0));
    requires In2(wk,width,ix(kv_heads,d,0)) && In2(wv,width,ix(kv_heads,d,0));
    requires OutHeads(e_q,ix(batch,heads,0),n,d) && OutHeads(e_k,ix(batch,kv_heads,0),n,d);
    requires OutHeads(e_v,ix(batch,kv_heads,0),n,d);
    requires Sep(e_q,HeadAt(ix(batch,heads,0),n,d),x,ix(ix(batch,n,0),width,0));
    requires Sep(e_q,HeadAt(ix(batch,heads,0),n,d),wq,ix(width,ix(heads,d,0),0));
    requires Sep(e_q,HeadAt(ix(batch,heads,0),n,d),wk,ix(width,ix(kv_heads,d,0),0));
    requires Sep(e_q,HeadAt(ix(batch,heads,0),n,d),wv,ix(width,ix(kv_heads,d,0),0));
    requires Sep(e_k,HeadAt(ix(batch,kv_heads,0),n,d),x,ix(ix(batch,n,0),width,0));
    requires Sep(e_k,HeadAt(ix(batch,kv_heads,0),n,d),wq,ix(width,ix(heads,d,0),0));
    requires Sep(e_k,HeadAt(ix(batch,kv_heads,0),n,d),wk,ix(width,ix(kv_heads,d,0),0));
    requires Sep(e_k,HeadAt(ix(batch,kv_heads,0),n,d),wv,ix(width,ix(kv_heads,d,0),0));
    requires Sep(e_v,HeadAt(ix(batch,kv_heads,0),n,d),x,ix(ix(batch,n,0),width,0));
    requires Sep(e_v,HeadAt(ix(batch,kv_heads,0),n,d),wq,ix(width,ix(heads,d,0),0));
    requires Sep(e_v,HeadAt(ix(batch,kv_heads,0),n,d),wk,ix(width,ix(kv_heads,d,0),0));
    requires Sep(e_v,HeadAt(ix(batch,kv_heads,0),n,d),wv,ix(width,ix(kv_heads,d,0),0));
    requires Sep(e_q,HeadAt(ix(batch,heads,0),n,d),e_k,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(e_q,HeadAt(ix(batch,heads,0),n,d),e_v,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(e_k,HeadAt(ix(batch,kv_heads,0),n,d),e_v,HeadAt(ix(batch,kv_heads,0),n,d));
    assigns e_q[0 .. HeadAt(ix(batch,heads,0),n,d)-1], e_k[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1],
            e_v[0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1];
    ensures MhaHeadErrorsAre{Pre,Post}(A,x,wq,Flat(width,ix(heads,d,0)),batch,heads,n,width,d,e_q);
    ensures MhaHeadErrorsAre{Pre,Post}(A,x,wk,Flat(width,ix(kv_heads,d,0)),batch,kv_heads,n,width,d,
                                       e_k);
    ensures MhaHeadErrorsAre{Pre,Post}(A,x,wv,Flat(width,ix(kv_heads,d,0)),batch,kv_heads,n,width,d,
                                       e_v);
*/
static void bound_projections(arith A, idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                              const double *x, const double *wq, const double *wk, const double *wv,
                              double *e_q, double *e_k, double *e_v)
{
  view Wq = flat(width, size2(heads, d)), Wk = flat(width, size2(kv_heads, d));
  project_errors(A, batch, heads, n, width, d, x, wq, Wq, e_q);
  //@ ghost L1: ;
  //@ assert x_1: Same{Pre,L1}(x,ix(ix(batch,n,0),width,0));
  //@ assert wk_1: Same{Pre,L1}(wk,ViewSize(Wk)) && Same{Pre,L1}(wv,ViewSize(Wk));
  project_errors(A, batch, kv_heads, n, width, d, x, wk, Wk, e_k);
  //@ ghost L2: ;
  //@ assert x_2: Same{Pre,L2}(x,ix(ix(batch,n,0),width,0)) && Same{Pre,L2}(wv,ViewSize(Wk));
  //@ assert e_q_2: Same{L1,L2}(e_q,HeadAt(ix(batch,heads,0),n,d));
  project_errors(A, batch, kv_heads, n, width, d, x, wv, Wk, e_v);
  //@ assert e_q_3: Same{L1,Here}(e_q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_k_3: Same{L2,Here}(e_k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_q_is: MhaHeadErrorsAre{Pre,Here}(A,x,wq,Wq,batch,heads,n,width,d,e_q);
  //@ assert e_k_is: MhaHeadErrorsAre{Pre,Here}(A,x,wk,Wk,batch,kv_heads,n,width,d,e_k);
  //@ assert e_v_is: MhaHeadErrorsAre{Pre,Here}(A,x,wv,Wk,batch,kv_heads,n,width,d,e_v);
}

void bound_multi_head_attention(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                                int causal, int masked, const double *x, const double *wq,
                                const double *wk, const double *wv, const double *wo,
                                const double *mask, arith A, double *e_y, double *e_q, double *e_k,
                                double *e_v, double *e_o, double *e_lse, double *q, double *k,
                                double *v, double *o, double *lse)
{
  view X = flat(size2(batch, n), width), Wo = flat(size2(heads, d), width);
  view Q = in_heads(batch, heads, n, d);
  /*@ assert sizes: MhaHeadSizes(batch,heads,n,width,d) && MhaHeadSizes(batch,kv_heads,n,width,d); */
  /*@ assert limits: 0 <= ix(ix(batch,n,0),width,0) <= IDX_LIM &&
        0 <= ix(width,ix(heads,d,0),0) <= IDX_LIM && 0 <= ix(width,ix(kv_heads,d,0),0) <= IDX_LIM; */
  /*@ assert groups: MhaGroups(ix(batch,heads,0),ix(batch,kv_heads,0),group_of(heads,kv_heads),
                               n,d); */
#define STAY(L)                                                                                \
  Same{L, Here}(q, HeadAt(ix(batch, heads, 0), n, d)) &&                                       \
      Same{L, Here}(k, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                                \
      Same{L, Here}(v, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                                \
      Same{L, Here}(o, HeadAt(ix(batch, heads, 0), n, d)) &&                                   \
      Same{L, Here}(lse, ix(ix(batch, heads, 0), n, 0)) && Same{L, Here}(mask, ix(n, n, 0)) && \
      Same{L, Here}(wo, ix(ix(heads, d, 0), width, 0))
  /*@ assert values_x: \forall integer i; 0 <= i < ix(ix(batch,n,0),width,0) ==>
        \separated(x+i, q + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(x+i, k + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(x+i, v + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(x+i, o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(x+i, lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  /*@ assert values_wq: \forall integer i; 0 <= i < ix(width,ix(heads,d,0),0) ==>
        \separated(wq+i, q + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(wq+i, k + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(wq+i, v + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(wq+i, o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(wq+i, lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  /*@ assert values_wk: \forall integer i; 0 <= i < ix(width,ix(kv_heads,d,0),0) ==>
        \separated(wk+i, q + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(wk+i, k + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(wk+i, v + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(wk+i, o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(wk+i, lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  /*@ assert values_wv: \forall integer i; 0 <= i < ix(width,ix(kv_heads,d,0),0) ==>
        \separated(wv+i, q + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(wv+i, k + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(wv+i, v + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(wv+i, o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(wv+i, lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  mha_values(batch, heads, kv_heads, n, width, d, causal, masked, x, wq, wk, wv, wo, mask, q, k, v,
             o, lse);
  //@ ghost L1: ;
  /*@ assert inputs_1: Same{Pre,L1}(x,ix(ix(batch,n,0),width,0)) &&
        Same{Pre,L1}(wq,ix(width,ix(heads,d,0),0)) && Same{Pre,L1}(wk,ix(width,ix(kv_heads,d,0),0)) &&
        Same{Pre,L1}(wv,ix(width,ix(kv_heads,d,0),0)); */
  /*@ assert projections_q: \forall integer i; 0 <= i < HeadAt(ix(batch,heads,0),n,d) ==>
        \separated(q+i, e_q + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(q+i, e_k + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(q+i, e_v + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)); */
  /*@ assert projections_k: \forall integer i; 0 <= i < HeadAt(ix(batch,kv_heads,0),n,d) ==>
        \separated(k+i, e_q + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(k+i, e_k + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(k+i, e_v + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)); */
  /*@ assert projections_v: \forall integer i; 0 <= i < HeadAt(ix(batch,kv_heads,0),n,d) ==>
        \separated(v+i, e_q + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(v+i, e_k + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(v+i, e_v + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)); */
  /*@ assert projections_o: \forall integer i; 0 <= i < HeadAt(ix(batch,heads,0),n,d) ==>
        \separated(o+i, e_q + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(o+i, e_k + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(o+i, e_v + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)); */
  /*@ assert projections_lse: \forall integer i; 0 <= i < ix(ix(batch,heads,0),n,0) ==>
        \separated(lse+i, e_q + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(lse+i, e_k + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(lse+i, e_v + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)); */
  /*@ assert projections_mask: \forall integer i; 0 <= i < ix(n,n,0) ==>
        \separated(mask+i, e_q + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(mask+i, e_k + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(mask+i, e_v + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)); */
  /*@ assert projections_wo: \forall integer i; 0 <= i < ix(ix(heads,d,0),width,0) ==>
        \separated(wo+i, e_q + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(wo+i, e_k + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)) &&
        \separated(wo+i, e_v + (0 .. HeadAt(ix(batch,kv_heads,0),n,d)-1)); */
  bound_projections(A, batch, heads, kv_heads, n, width, d, x, wq, wk, wv, e_q, e_k, e_v);
  //@ assert stay_2: STAY(L1);
  //@ ghost L2: ;
  /*@ assert sdpa_q: \forall integer i; 0 <= i < HeadAt(ix(batch,heads,0),n,d) ==>
        \separated(q+i, e_o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(q+i, e_lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  /*@ assert sdpa_k: \forall integer i; 0 <= i < HeadAt(ix(batch,kv_heads,0),n,d) ==>
        \separated(k+i, e_o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(k+i, e_lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  /*@ assert sdpa_v: \forall integer i; 0 <= i < HeadAt(ix(batch,kv_heads,0),n,d) ==>
        \separated(v+i, e_o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(v+i, e_lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  /*@ assert sdpa_o: \forall integer i; 0 <= i < HeadAt(ix(batch,heads,0),n,d) ==>
        \separated(o+i, e_o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(o+i, e_lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  /*@ assert sdpa_lse: \forall integer i; 0 <= i < ix(ix(batch,heads,0),n,0) ==>
        \separated(lse+i, e_o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(lse+i, e_lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  /*@ assert sdpa_mask: \forall integer i; 0 <= i < ix(n,n,0) ==>
        \separated(mask+i, e_o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(mask+i, e_lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  /*@ assert sdpa_wo: \forall integer i; 0 <= i < ix(ix(heads,d,0),width,0) ==>
        \separated(wo+i, e_o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(wo+i, e_lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  /*@ assert sdpa_e_q: \forall integer i; 0 <= i < HeadAt(ix(batch,heads,0),n,d) ==>
        \separated(e_q+i, e_o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(e_q+i, e_lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  /*@ assert sdpa_e_k: \forall integer i; 0 <= i < HeadAt(ix(batch,kv_heads,0),n,d) ==>
        \separated(e_k+i, e_o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(e_k+i, e_lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  /*@ assert sdpa_e_v: \forall integer i; 0 <= i < HeadAt(ix(batch,kv_heads,0),n,d) ==>
        \separated(e_v+i, e_o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(e_v+i, e_lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  pair_sdpa(batch, heads, kv_heads, n, n, d, causal, masked, q, k, v, 1, e_q, e_k, e_v, mask, A,
            e_o, e_lse);
  //@ assert step_3: STAY(L2);
  //@ assert stay_3: STAY(L1);
  //@ assert e_q_3: Same{L2,Here}(e_q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_k_3: Same{L2,Here}(e_k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_v_3: Same{L2,Here}(e_v,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ ghost L3: ;
  /*@ assert e_o_3: MhaBoundIs{L2,Here}(A,causal,masked,mask,ix(batch,heads,0),n,d,
                      group_of(heads,kv_heads),q,k,v,e_q,e_k,e_v,e_o); */
  /*@ assert e_lse_3: MhaLseBoundIs{L2,Here}(A,causal,masked,mask,ix(batch,heads,0),n,d,
                        group_of(heads,kv_heads),q,k,e_q,e_k,e_lse); */
  view_errors(A, 1, o, e_o, Q, wo, Wo, e_y, X);
  //@ assert step_4: STAY(L3);
  //@ assert stay_4: STAY(L1);
  //@ assert e_q_4_step: Same{L3,Here}(e_q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_q_4: Same{L2,Here}(e_q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_k_4_step: Same{L3,Here}(e_k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_k_4: Same{L2,Here}(e_k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_v_4_step: Same{L3,Here}(e_v,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_v_4: Same{L2,Here}(e_v,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_o_4: Same{L3,Here}(e_o,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_lse_4: Same{L3,Here}(e_lse,ix(ix(batch,heads,0),n,0));
  //@ assert wo_4: Same{L3,Here}(wo,ViewSize(Wo)) && Same{L3,Here}(o,ViewSize(Q));
  //@ assert e_y_is: ViewErrorsAre{Here,Here}(A,1,o,e_o,Q,wo,Wo,e_y,X,ViewRows(X));
  /*@ assert e_q_is: MhaHeadErrorsAre{Pre,Here}(A,x,wq,Flat(width,ix(heads,d,0)),batch,heads,n,
                                                width,d,e_q); */
  /*@ assert e_k_is: MhaHeadErrorsAre{Pre,Here}(A,x,wk,Flat(width,ix(kv_heads,d,0)),batch,kv_heads,
                                                n,width,d,e_k); */
  /*@ assert e_v_is: MhaHeadErrorsAre{Pre,Here}(A,x,wv,Flat(width,ix(kv_heads,d,0)),batch,kv_heads,
                                                n,width,d,e_v); */
  /*@ assert reads: MhaReads{L1,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,v) &&
        MhaReads{L1,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,k); */
  /*@ assert reads_2: MhaReads{L2,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,v) &&
        MhaReads{L2,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,k) &&
        MhaReads{L2,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,e_q,e_k,e_v) &&
        MhaReads{L2,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,e_q,e_k,e_k); */
  /*@ assert e_o_is: MhaBoundIs{Here,Here}(A,causal,masked,mask,ix(batch,heads,0),n,d,
                       group_of(heads,kv_heads),q,k,v,e_q,e_k,e_v,e_o); */
  /*@ assert e_lse_was: MhaLseBoundIs{L2,Here}(A,causal,masked,mask,ix(batch,heads,0),n,d,
                          group_of(heads,kv_heads),q,k,e_q,e_k,e_lse); */
  /*@ assert e_lse_is: MhaLseBoundIs{Here,Here}(A,causal,masked,mask,ix(batch,heads,0),n,d,
                         group_of(heads,kv_heads),q,k,e_q,e_k,e_lse); */
  /*@ assert values: MhaValues{Pre,Here}(batch,heads,kv_heads,n,width,d,causal,masked,x,wq,wk,wv,
                                         mask,q,k,v,o,lse); */
#undef STAY
}
