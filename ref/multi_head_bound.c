/* Error bounds of attention over several heads. */
#include "attention_frames.h"
#include "multi_head_frames.h"
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

/*@ // ---- the product at the end
    predicate MhaJoinErrorsAre{L1,L2}(arith A, scalar *o, scalar *e, scalar *w, integer batch,
                                      integer heads, integer n, integer width, integer d,
                                      scalar *c) =
      \forall integer i, j; 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
        \at(c[ix(i,width,j)],L2) ==
        MhaJoinError{L1}(A,o,e,w,Flat(ix(heads,d,0),width),batch,heads,n,d,i,j);
    predicate MhaJoinErrorsSame{L1,L2}(arith A, scalar *o, scalar *e, scalar *w, integer batch,
                                       integer heads, integer n, integer width, integer d) =
      \forall integer i, j; 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
        MhaJoinError{L1}(A,o,e,w,Flat(ix(heads,d,0),width),batch,heads,n,d,i,j) ==
        MhaJoinError{L2}(A,o,e,w,Flat(ix(heads,d,0),width),batch,heads,n,d,i,j);
    predicate MhaJoinSizes(integer batch, integer heads, integer n, integer width, integer d) =
      MhaHeadSizes(batch,heads,n,width,d) && 0 <= HeadAt(ix(batch,heads,0),n,d) <= IDX_LIM &&
      0 <= ix(ix(heads,d,0),width,0) <= IDX_LIM && 0 <= ix(ix(batch,n,0),width,0) <= IDX_LIM;
    lemma mha_join_error_frame{L1,L2}: \forall arith A, scalar *o, *e, *w, integer batch, heads, n,
      width, d, i, j; MhaJoinSizes(batch,heads,n,width,d) ==> 0 <= i < ix(batch,n,0) ==>
      0 <= j < width ==> Same{L1,L2}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(e,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(w,ix(ix(heads,d,0),width,0)) ==>
      MhaJoinError{L1}(A,o,e,w,Flat(ix(heads,d,0),width),batch,heads,n,d,i,j) ==
      MhaJoinError{L2}(A,o,e,w,Flat(ix(heads,d,0),width),batch,heads,n,d,i,j);
    lemma mha_join_errors_same{L1,L2}: \forall arith A, scalar *o, *e, *w, integer batch, heads, n,
      width, d; MhaJoinSizes(batch,heads,n,width,d) ==>
      Same{L1,L2}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(e,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(w,ix(ix(heads,d,0),width,0)) ==>
      MhaJoinErrorsSame{L1,L2}(A,o,e,w,batch,heads,n,width,d);
    lemma mha_join_errors_read{L1,L2,L3}: \forall arith A, scalar *o, *e, *w, integer batch, heads,
      n, width, d, scalar *c; MhaJoinErrorsSame{L1,L3}(A,o,e,w,batch,heads,n,width,d) ==>
      MhaJoinErrorsAre{L1,L2}(A,o,e,w,batch,heads,n,width,d,c) ==>
      MhaJoinErrorsAre{L3,L2}(A,o,e,w,batch,heads,n,width,d,c);
*/

/* What y = (the heads of o side by side) w is off by, o off by e. */
/*@ requires MhaJoinSizes(batch,heads,n,width,d) && Heads(o,ix(batch,heads,0),n,d);
    requires Heads(e,ix(batch,heads,0),n,d) && In2(w,ix(heads,d,0),width);
    requires Out2(e_y,ix(batch,n,0),width);
    requires Sep(e_y,ix(ix(batch,n,0),width,0),o,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(e_y,ix(ix(batch,n,0),width,0),e,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(e_y,ix(ix(batch,n,0),width,0),w,ix(ix(heads,d,0),width,0));
    assigns e_y[0 .. ix(ix(batch,n,0),width,0)-1];
    ensures MhaJoinErrorsAre{Pre,Post}(A,o,e,w,batch,heads,n,width,d,e_y);
    ensures Beside{Pre,Post}(e_y,ix(ix(batch,n,0),width,0));
*/
static void join_errors(arith A, idx batch, idx heads, idx n, idx width, idx d, const double *o,
                        const double *e, const double *w, double *e_y)
{
  view_errors(A, 1, o, e, in_heads(batch, heads, n, d), w, flat(size2(heads, d), width), e_y,
              flat(size2(batch, n), width));
}

void bound_multi_head_attention(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                                int causal, int masked, const double *x, const double *wq,
                                const double *wk, const double *wv, const double *wo,
                                const double *mask, const double *q, const double *k,
                                const double *v, const double *o, arith A, double *e_y, double *e_q,
                                double *e_k, double *e_v, double *e_o, double *e_lse)
{
  view Wq = flat(width, size2(heads, d)), Wk = flat(width, size2(kv_heads, d));
  //@ assert limits: 0 <= ix(ix(batch,n,0),width,0) <= IDX_LIM;
  //@ assert join: MhaJoinSizes(batch,heads,n,width,d);
  //@ assert of_wk: ViewSize(Wk) == ix(width,ix(kv_heads,d,0),0);
  /*@ assert sizes: MhaHeadSizes(batch,heads,n,width,d) && MhaHeadSizes(batch,kv_heads,n,width,d); */
  /*@ assert groups: MhaGroups(ix(batch,heads,0),ix(batch,kv_heads,0),group_of(heads,kv_heads),
                               n,d); */
/* what attention reads, and the product after it */
#define STAY(L)                                                                                  \
  Same{L, Here}(q, HeadAt(ix(batch, heads, 0), n, d)) &&                                         \
      Same{L, Here}(k, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                                  \
      Same{L, Here}(v, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                                  \
      Same{L, Here}(o, HeadAt(ix(batch, heads, 0), n, d)) && Same{L, Here}(mask, ix(n, n, 0)) && \
      Same{L, Here}(wo, ix(ix(heads, d, 0), width, 0))
/* what attention writes is apart from a */
#define APART(a, size)                                      \
  Apart(a, size, e_o, HeadAt(ix(batch, heads, 0), n, d)) && \
      Apart(a, size, e_lse, ix(ix(batch, heads, 0), n, 0))
  project_errors(A, batch, heads, n, width, d, x, wq, Wq, e_q);
  //@ ghost L1: ;
  //@ assert x_1: Same{Pre,L1}(x,ix(ix(batch,n,0),width,0));
  //@ assert wk_1: Same{Pre,L1}(wk,ix(width,ix(kv_heads,d,0),0));
  //@ assert wv_1: Same{Pre,L1}(wv,ix(width,ix(kv_heads,d,0),0));
  project_errors(A, batch, kv_heads, n, width, d, x, wk, Wk, e_k);
  //@ ghost L2: ;
  //@ assert e_k_2: MhaHeadErrorsAre{L1,L2}(A,x,wk,Wk,batch,kv_heads,n,width,d,e_k);
  //@ assert e_k_read: MhaHeadErrorsAre{Pre,L2}(A,x,wk,Wk,batch,kv_heads,n,width,d,e_k);
  //@ assert x_step: Same{L1,L2}(x,ix(ix(batch,n,0),width,0));
  //@ assert wv_step: Same{L1,L2}(wv,ix(width,ix(kv_heads,d,0),0));
  //@ assert x_2: Same{Pre,L2}(x,ix(ix(batch,n,0),width,0));
  //@ assert wv_2: Same{Pre,L2}(wv,ix(width,ix(kv_heads,d,0),0));
  //@ assert e_q_2: Same{L1,L2}(e_q,HeadAt(ix(batch,heads,0),n,d));
  project_errors(A, batch, kv_heads, n, width, d, x, wv, Wk, e_v);
  //@ ghost L3: ;
  //@ assert e_v_3: MhaHeadErrorsAre{L2,L3}(A,x,wv,Wk,batch,kv_heads,n,width,d,e_v);
  //@ assert e_v_read: MhaHeadErrorsAre{Pre,L3}(A,x,wv,Wk,batch,kv_heads,n,width,d,e_v);
  //@ assert e_q_3: Same{L2,L3}(e_q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_k_3: Same{L2,L3}(e_k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_q_read: MhaHeadErrorsAre{Pre,L1}(A,x,wq,Wq,batch,heads,n,width,d,e_q);
  //@ assert e_q_then: MhaHeadErrorsAre{Pre,L2}(A,x,wq,Wq,batch,heads,n,width,d,e_q);
  //@ assert e_q_was: MhaHeadErrorsAre{Pre,L3}(A,x,wq,Wq,batch,heads,n,width,d,e_q);
  //@ assert e_k_was: MhaHeadErrorsAre{Pre,L3}(A,x,wk,Wk,batch,kv_heads,n,width,d,e_k);
  //@ assert apart_q: APART(q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert apart_k: APART(k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert apart_v: APART(v,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert apart_o: APART(o,HeadAt(ix(batch,heads,0),n,d));
  //@ assert apart_mask: APART(mask,ix(n,n,0));
  //@ assert apart_wo: APART(wo,ix(ix(heads,d,0),width,0));
  //@ assert apart_e_q: APART(e_q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert apart_e_k: APART(e_k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert apart_e_v: APART(e_v,HeadAt(ix(batch,kv_heads,0),n,d));
  pair_sdpa(batch, heads, kv_heads, n, n, d, causal, masked, q, k, v, 1, e_q, e_k, e_v, mask, A,
            e_o, e_lse);
  //@ ghost L4: ;
  //@ assert stay_4: STAY(L3);
  //@ assert e_q_4: Same{L3,L4}(e_q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_k_4: Same{L3,L4}(e_k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_v_4: Same{L3,L4}(e_v,HeadAt(ix(batch,kv_heads,0),n,d));
  /*@ assert e_o_was: MhaBoundIs{L3,L4}(A,causal,masked,mask,ix(batch,heads,0),n,d,
                        group_of(heads,kv_heads),q,k,v,e_q,e_k,e_v,e_o); */
  /*@ assert e_lse_was: MhaLseBoundIs{L3,L4}(A,causal,masked,mask,ix(batch,heads,0),n,d,
                          group_of(heads,kv_heads),q,k,e_q,e_k,e_lse); */
  join_errors(A, batch, heads, n, width, d, o, e_o, wo, e_y);
  //@ assert step_5: STAY(L4);
  //@ assert stay_5: STAY(L3);
  //@ assert e_q_step: Same{L4,Here}(e_q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_k_step: Same{L4,Here}(e_k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_v_step: Same{L4,Here}(e_v,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_q_5: Same{L3,Here}(e_q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_k_5: Same{L3,Here}(e_k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_v_5: Same{L3,Here}(e_v,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert e_o_5: Same{L4,Here}(e_o,HeadAt(ix(batch,heads,0),n,d));
  //@ assert e_lse_5: Same{L4,Here}(e_lse,ix(ix(batch,heads,0),n,0));
  //@ assert product: MhaJoinErrorsSame{L4,Here}(A,o,e_o,wo,batch,heads,n,width,d);
  //@ assert e_y_was: MhaJoinErrorsAre{L4,Here}(A,o,e_o,wo,batch,heads,n,width,d,e_y);
  //@ assert e_y_is: MhaJoinErrorsAre{Here,Here}(A,o,e_o,wo,batch,heads,n,width,d,e_y);
  //@ assert e_q_is: MhaHeadErrorsAre{Pre,Here}(A,x,wq,Wq,batch,heads,n,width,d,e_q);
  //@ assert e_k_is: MhaHeadErrorsAre{Pre,Here}(A,x,wk,Wk,batch,kv_heads,n,width,d,e_k);
  //@ assert e_v_is: MhaHeadErrorsAre{Pre,Here}(A,x,wv,Wk,batch,kv_heads,n,width,d,e_v);
  /*@ assert reads: MhaReads{L3,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,v) &&
        MhaReads{L3,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,k); */
  /*@ assert reads_e:
        MhaReads{L3,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,e_q,e_k,e_v) &&
        MhaReads{L3,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,e_q,e_k,e_k); */
  /*@ assert e_o_is: MhaBoundIs{Here,Here}(A,causal,masked,mask,ix(batch,heads,0),n,d,
                       group_of(heads,kv_heads),q,k,v,e_q,e_k,e_v,e_o); */
  /*@ assert e_lse_kept: MhaLseBoundIs{L3,Here}(A,causal,masked,mask,ix(batch,heads,0),n,d,
                           group_of(heads,kv_heads),q,k,e_q,e_k,e_lse); */
  /*@ assert e_lse_is: MhaLseBoundIs{Here,Here}(A,causal,masked,mask,ix(batch,heads,0),n,d,
                         group_of(heads,kv_heads),q,k,e_q,e_k,e_lse); */
#undef APART
#undef STAY
}
