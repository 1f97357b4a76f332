#include "multi_head_frames.h"

/* q = x w in heads, w read as W. */
/*@ requires MhaHeadSizes(batch,heads,n,width,d) && In2(x,ix(batch,n,0),width);
    requires ViewIn(w,W) && ViewRows(W) == width && ViewCols(W) == ix(heads,d,0);
    requires OutHeads(q,ix(batch,heads,0),n,d) && Sep(q,HeadAt(ix(batch,heads,0),n,d),w,ViewSize(W));
    requires Sep(q,HeadAt(ix(batch,heads,0),n,d),x,ix(ix(batch,n,0),width,0));
    assigns q[0 .. HeadAt(ix(batch,heads,0),n,d)-1];
    ensures MhaHeadsAre{Pre,Post}(x,w,W,batch,heads,n,width,d,q);
    ensures Beside{Pre,Post}(q,HeadAt(ix(batch,heads,0),n,d));
*/
static void project(idx batch, idx heads, idx n, idx width, idx d, const double *x, const double *w,
                    view W, double *q)
{
  view_product(x, flat(size2(batch, n), width), w, W, q, in_heads(batch, heads, n, d));
}

void mha_values(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d, int causal, int masked,
                const double *x, const double *wq, const double *wk, const double *wv,
                const double *wo, const double *mask, double *q, double *k, double *v, double *o,
                double *lse)
{
  view Wq = flat(width, size2(heads, d)), Wk = flat(width, size2(kv_heads, d));
  (void)wo;
  /*@ assert groups: MhaGroups(ix(batch,heads,0),ix(batch,kv_heads,0),group_of(heads,kv_heads),
                               n,d); */
  project(batch, heads, n, width, d, x, wq, Wq, q);
  //@ ghost L1: ;
  //@ assert x_1: Same{Pre,L1}(x,ix(ix(batch,n,0),width,0));
  //@ assert wk_1: Same{Pre,L1}(wk,ViewSize(Wk)) && Same{Pre,L1}(wv,ViewSize(Wk));
  project(batch, kv_heads, n, width, d, x, wk, Wk, k);
  //@ ghost L2: ;
  //@ assert x_2: Same{Pre,L2}(x,ix(ix(batch,n,0),width,0)) && Same{Pre,L2}(wv,ViewSize(Wk));
  //@ assert q_2: Same{L1,L2}(q,HeadAt(ix(batch,heads,0),n,d));
  project(batch, kv_heads, n, width, d, x, wv, Wk, v);
  //@ ghost L3: ;
  //@ assert q_3: Same{L1,L3}(q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert k_3: Same{L2,L3}(k,HeadAt(ix(batch,kv_heads,0),n,d));
  /*@ assert apart: \forall integer i; 0 <= i < HeadAt(ix(batch,kv_heads,0),n,d) ==>
        \separated(v+i, o + (0 .. HeadAt(ix(batch,heads,0),n,d)-1)) &&
        \separated(v+i, lse + (0 .. ix(ix(batch,heads,0),n,0)-1)); */
  ref_sdpa(batch, heads, kv_heads, n, n, d, causal, masked, q, k, v, mask, o, lse);
  //@ assert mask_4: Same{L3,Here}(mask,ix(n,n,0));
  //@ assert q_4: Same{L3,Here}(q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert k_4: Same{L3,Here}(k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert v_4: Same{L3,Here}(v,HeadAt(ix(batch,kv_heads,0),n,d));
  /*@ assert reads: MhaReads{L3,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,v) &&
        MhaReads{L3,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,k); */
  //@ assert q_5: Same{L1,Here}(q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert k_5: Same{L2,Here}(k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert q_is: MhaHeadsAre{Pre,Here}(x,wq,Wq,batch,heads,n,width,d,q);
  //@ assert k_is: MhaHeadsAre{Pre,Here}(x,wk,Wk,batch,kv_heads,n,width,d,k);
  //@ assert v_is: MhaHeadsAre{Pre,Here}(x,wv,Wk,batch,kv_heads,n,width,d,v);
  /*@ assert o_was: MhaSdpaIs{L3,Here}(causal,masked,mask,ix(batch,heads,0),n,d,
                                       group_of(heads,kv_heads),q,k,v,o); */
  /*@ assert lse_was: MhaLseIs{L3,Here}(causal,masked,mask,ix(batch,heads,0),n,d,
                                        group_of(heads,kv_heads),q,k,lse); */
  /*@ assert o_is: MhaSdpaIs{Here,Here}(causal,masked,mask,ix(batch,heads,0),n,d,
                                        group_of(heads,kv_heads),q,k,v,o); */
  /*@ assert lse_is: MhaLseIs{Here,Here}(causal,masked,mask,ix(batch,heads,0),n,d,
                                         group_of(heads,kv_heads),q,k,lse); */
}

void ref_multi_head_attention(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                              int causal, int masked, const double *x, const double *wq,
                              const double *wk, const double *wv, const double *wo,
                              const double *mask, double *y, double *q, double *k, double *v,
                              double *o, double *lse)
{
  view X = flat(size2(batch, n), width), Wo = flat(size2(heads, d), width);
  view Q = in_heads(batch, heads, n, d);
  /*@ assert groups: MhaGroups(ix(batch,heads,0),ix(batch,kv_heads,0),group_of(heads,kv_heads),
                               n,d); */
  mha_values(batch, heads, kv_heads, n, width, d, causal, masked, x, wq, wk, wv, wo, mask, q, k, v,
             o, lse);
  //@ ghost L1: ;
  view_product(o, Q, wo, Wo, y, X);
  //@ assert o_2: Same{L1,Here}(o,ViewSize(Q)) && Same{L1,Here}(wo,ViewSize(Wo));
  //@ assert y_is: ViewRowsAre{Here,Here}(o,Q,wo,Wo,y,X,ViewRows(X));
  //@ assert mask_2: Same{L1,Here}(mask,ix(n,n,0));
  //@ assert q_2: Same{L1,Here}(q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert k_2: Same{L1,Here}(k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert v_2: Same{L1,Here}(v,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert lse_2: Same{L1,Here}(lse,ix(ix(batch,heads,0),n,0));
  /*@ assert reads: MhaReads{L1,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,v) &&
        MhaReads{L1,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,k); */
  /*@ assert values: MhaValues{Pre,Here}(batch,heads,kv_heads,n,width,d,causal,masked,x,wq,wk,wv,
                                         mask,q,k,v,o,lse); */
}

void mha_pulls(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d, int causal, int masked,
               const double *x, const double *wq, const double *wk, const double *wv,
               const double *wo, const double *mask, const double *q, const double *k,
               const double *v, const double *o, const double *lse, const double *g, double *go,
               double *dq, double *dk, double *dv)
{
  view Wo = flat(size2(heads, d), width), To = turned(Wo);
  (void)x, (void)wq, (void)wk, (void)wv;
  /*@ assert groups: MhaGroups(ix(batch,heads,0),ix(batch,kv_heads,0),group_of(heads,kv_heads),
                               n,d) && 0 <= ix(group_of(heads,kv_heads),n,0); */
  project(batch, heads, n, width, d, g, wo, To, go);
  //@ ghost L1: ;
#define APART(a, size)                                            \
  Apart(a, size, dq, HeadAt(ix(batch, heads, 0), n, d)) &&        \
      Apart(a, size, dk, HeadAt(ix(batch, kv_heads, 0), n, d)) && \
      Apart(a, size, dv, HeadAt(ix(batch, kv_heads, 0), n, d))
  //@ assert apart_q: APART(q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert apart_k: APART(k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert apart_v: APART(v,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert apart_o: APART(o,HeadAt(ix(batch,heads,0),n,d));
  //@ assert apart_lse: APART(lse,ix(ix(batch,heads,0),n,0));
  //@ assert apart_mask: APART(mask,ix(n,n,0));
  //@ assert apart_go: APART(go,HeadAt(ix(batch,heads,0),n,d));
#undef APART
  ref_sdpa_vjp(batch, heads, kv_heads, n, n, d, causal, masked, q, k, v, mask, o, lse, go, dq, dk,
               dv);
  //@ assert go_2: Same{L1,Here}(go,HeadAt(ix(batch,heads,0),n,d));
  //@ assert mask_2: Same{L1,Here}(mask,ix(n,n,0));
  //@ assert q_2: Same{L1,Here}(q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert k_2: Same{L1,Here}(k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert v_2: Same{L1,Here}(v,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert o_2: Same{L1,Here}(o,HeadAt(ix(batch,heads,0),n,d));
  //@ assert lse_2: Same{L1,Here}(lse,ix(ix(batch,heads,0),n,0));
  /*@ assert all: MhaSame{L1,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,v,o,lse); */
  /*@ assert heads: SameHeads{L1,Here}(q,k,v,o,lse,go,mask,ix(batch,kv_heads,0),
                      ix(group_of(heads,kv_heads),n,0),n,n,d) &&
                    SameHeads{L1,Here}(q,k,k,q,lse,go,mask,ix(batch,kv_heads,0),
                      ix(group_of(heads,kv_heads),n,0),n,n,d); */
  //@ assert go_is: MhaHeadsAre{Pre,Here}(g,wo,To,batch,heads,n,width,d,go);
  /*@ assert dq_was: MhaPullQIs{L1,Here}(causal,masked,mask,ix(batch,heads,0),n,d,
                       group_of(heads,kv_heads),q,k,v,o,lse,go,dq); */
  /*@ assert dk_was: MhaPullKIs{L1,Here}(causal,masked,mask,ix(batch,kv_heads,0),n,d,
                       ix(group_of(heads,kv_heads),n,0),q,k,v,o,lse,go,dk); */
  /*@ assert dv_was: MhaPullVIs{L1,Here}(causal,masked,mask,ix(batch,kv_heads,0),n,d,
                       ix(group_of(heads,kv_heads),n,0),q,k,lse,go,dv); */
  /*@ assert dq_is: MhaPullQIs{Here,Here}(causal,masked,mask,ix(batch,heads,0),n,d,
                      group_of(heads,kv_heads),q,k,v,o,lse,go,dq); */
  /*@ assert dk_is: MhaPullKIs{Here,Here}(causal,masked,mask,ix(batch,kv_heads,0),n,d,
                      ix(group_of(heads,kv_heads),n,0),q,k,v,o,lse,go,dk); */
  /*@ assert dv_is: MhaPullVIs{Here,Here}(causal,masked,mask,ix(batch,kv_heads,0),n,d,
                      ix(group_of(heads,kv_heads),n,0),q,k,lse,go,dv); */
}

void ref_multi_head_attention_vjp(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                                  int causal, int masked, const double *x, const double *wq,
                                  const double *wk, const double *wv, const double *wo,
                                  const double *mask, const double *q, const double *k,
                                  const double *v, const double *o, const double *lse,
                                  const double *g, double *dx, double *dwq, double *dwk,
                                  double *dwv, double *dwo, double *go, double *dq, double *dk,
                                  double *dv)
{
  /*@ assert limits: MhaLimits(batch,heads,kv_heads,n,width,d); */
  /*@ assert sizes: MhaGramSizes(batch,heads,n,width,d) && MhaGramSizes(batch,kv_heads,n,width,d) &&
        MhaDxSizes(batch,heads,kv_heads,n,width,d); */
  /*@ assert groups: MhaGroups(ix(batch,heads,0),ix(batch,kv_heads,0),group_of(heads,kv_heads),
                               n,d) && 0 <= ix(group_of(heads,kv_heads),n,0); */
  mha_pulls(batch, heads, kv_heads, n, width, d, causal, masked, x, wq, wk, wv, wo, mask, q, k, v,
            o, lse, g, go, dq, dk, dv);
  //@ ghost L1: ;
  mha_grads(batch, heads, kv_heads, n, width, d, dq, dk, dv, wq, wk, wv, o, x, g, dx, dwq, dwk, dwv,
            dwo);
  //@ assert q_2: Same{L1,Here}(q,HeadAt(ix(batch,heads,0),n,d));
  //@ assert k_2: Same{L1,Here}(k,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert v_2: Same{L1,Here}(v,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert o_2: Same{L1,Here}(o,HeadAt(ix(batch,heads,0),n,d));
  //@ assert lse_2: Same{L1,Here}(lse,ix(ix(batch,heads,0),n,0));
  //@ assert mask_2: Same{L1,Here}(mask,ix(n,n,0));
  //@ assert go_2: Same{L1,Here}(go,HeadAt(ix(batch,heads,0),n,d));
  //@ assert dq_2: Same{L1,Here}(dq,HeadAt(ix(batch,heads,0),n,d));
  //@ assert dk_2: Same{L1,Here}(dk,HeadAt(ix(batch,kv_heads,0),n,d));
  //@ assert dv_2: Same{L1,Here}(dv,HeadAt(ix(batch,kv_heads,0),n,d));
  /*@ assert all: MhaSame{L1,Here}(mask,ix(batch,heads,0),ix(batch,kv_heads,0),n,d,q,k,v,o,lse); */
  /*@ assert heads: SameHeads{L1,Here}(q,k,v,o,lse,go,mask,ix(batch,kv_heads,0),
                      ix(group_of(heads,kv_heads),n,0),n,n,d) &&
                    SameHeads{L1,Here}(q,k,k,q,lse,go,mask,ix(batch,kv_heads,0),
                      ix(group_of(heads,kv_heads),n,0),n,n,d); */
  /*@ assert pulls: MhaPulls{Pre,Here}(batch,heads,kv_heads,n,width,d,causal,masked,wo,mask,q,k,v,
                                       o,lse,g,go,dq,dk,dv); */
  //@ assert go_is: MhaHeadsAre{Pre,Here}(g,wo,Turned(Flat(ix(heads,d,0),width)),batch,heads,n,width,d,go);
  /*@ assert dq_is: MhaPullQIs{Here,Here}(causal,masked,mask,ix(batch,heads,0),n,d,
                      group_of(heads,kv_heads),q,k,v,o,lse,go,dq); */
  /*@ assert dk_is: MhaPullKIs{Here,Here}(causal,masked,mask,ix(batch,kv_heads,0),n,d,
                      ix(group_of(heads,kv_heads),n,0),q,k,v,o,lse,go,dk); */
  /*@ assert dv_is: MhaPullVIs{Here,Here}(causal,masked,mask,ix(batch,kv_heads,0),n,d,
                      ix(group_of(heads,kv_heads),n,0),q,k,lse,go,dv); */
}
