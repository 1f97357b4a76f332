/* Error bounds of the VJP of attention over several heads. */
#include "attention_vjp_frames.h"
#include "multi_head_frames.h"
#include "multi_head_grads_pair.h"

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
*/

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
  //@ assert apart_e_go: APART(e_go,HeadAt(ix(batch,heads,0),n,d));
#undef APART
  pair_sdpa_vjp(batch, heads, kv_heads, n, n, d, causal, masked, q, k, v, mask, o, lse, go, 1, e_go,
                A, e_dq, e_dk, e_dv);
  //@ ghost L2: ;
/* what attention reads, and what it has written */
#define STAY(L)                                                                              \
  Same{L, Here}(mask, ix(n, n, 0)) && Same{L, Here}(q, HeadAt(ix(batch, heads, 0), n, d)) && \
      Same{L, Here}(k, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                              \
      Same{L, Here}(v, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                              \
      Same{L, Here}(o, HeadAt(ix(batch, heads, 0), n, d)) &&                                 \
      Same{L, Here}(lse, ix(ix(batch, heads, 0), n, 0)) &&                                   \
      Same{L, Here}(go, HeadAt(ix(batch, heads, 0), n, d)) &&                                \
      Same{L, Here}(e_go, HeadAt(ix(batch, heads, 0), n, d))
  //@ assert stay_2: STAY(L1);
  /*@ assert e_dq_2: MhaBoundQIs{L1,L2}(A,causal,masked,mask,ix(batch,heads,0),n,d,
                       group_of(heads,kv_heads),q,k,v,o,lse,go,e_go,e_dq); */
  /*@ assert e_dk_2: MhaBoundKIs{L1,L2}(A,causal,masked,mask,ix(batch,kv_heads,0),n,d,
                       ix(group_of(heads,kv_heads),n,0),q,k,v,o,lse,go,e_go,e_dk); */
  /*@ assert e_dv_2: MhaBoundVIs{L1,L2}(A,causal,masked,mask,ix(batch,kv_heads,0),n,d,
                       ix(group_of(heads,kv_heads),n,0),q,k,lse,go,e_go,e_dv); */
  mha_grad_errors(A, batch, heads, kv_heads, n, width, d, dq, dk, dv, e_dq, e_dk, e_dv, wq, wk, wv,
                  o, x, g, e_dx, e_dwq, e_dwk, e_dwv, e_dwo);
  //@ assert step_3: STAY(L2);
  //@ assert e_dq_3: Same{L2,Here}(e_dq,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_dk_3: Same{L2,Here}(e_dk,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_dv_3: Same{L2,Here}(e_dv,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert stay_3: STAY(L1);
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
#undef STAY
}
