#include "multi_head_frames.h"

/* q = x w in heads, w read as W. */
/*@ requires MhaHeadSizes(batch,heads,n,width,d) && In2(x,ix(batch,n,0),width);
    requires ViewIn(w,W) && ViewRows(W) == width && ViewCols(W) == ix(heads,d,0);
    requires OutHeads(q,ix(batch,heads,0),n,d) && Sep(q,HeadAt(ix(batch,heads,0),n,d),w,ViewSize(W));
    requires Sep(q,HeadAt(ix(batch,heads,0),n,d),x,ix(ix(batch,n,0),width,0));
    assigns q[0 .. HeadAt(ix(batch,heads,0),n,d)-1];
    ensures MhaHeadsAre{Pre,Post}(x,w,W,batch,heads,n,width,d,q);
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
#define APART(a, size)                                                                        \
  Apart(a, size, dq, HeadAt(ix(batch, heads, 0), n, d)) &&                                    \
      Apart(a, size, dk, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                             \
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

/* dx = dq wq' + dk wk' + dv wv' */
/*@ requires MhaSizes(batch,heads,kv_heads,n,width,d) && Out2(dx,ix(batch,n,0),width);
    requires Heads(dq,ix(batch,heads,0),n,d) && Heads(dk,ix(batch,kv_heads,0),n,d);
    requires Heads(dv,ix(batch,kv_heads,0),n,d) && In2(wq,width,ix(heads,d,0));
    requires In2(wk,width,ix(kv_heads,d,0)) && In2(wv,width,ix(kv_heads,d,0));
    requires Sep(dx,ix(ix(batch,n,0),width,0),dq,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(dx,ix(ix(batch,n,0),width,0),dk,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(dx,ix(ix(batch,n,0),width,0),dv,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(dx,ix(ix(batch,n,0),width,0),wq,ix(width,ix(heads,d,0),0));
    requires Sep(dx,ix(ix(batch,n,0),width,0),wk,ix(width,ix(kv_heads,d,0),0));
    requires Sep(dx,ix(ix(batch,n,0),width,0),wv,ix(width,ix(kv_heads,d,0),0));
    assigns dx[0 .. ix(ix(batch,n,0),width,0)-1];
    ensures MhaDxIs{Pre,Post}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,ix(batch,n,0));
*/
static void pull_inputs(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                        const double *dq, const double *dk, const double *dv, const double *wq,
                        const double *wk, const double *wv, double *dx)
{
  view Tq = turned(flat(width, size2(heads, d))), Tk = turned(flat(width, size2(kv_heads, d)));
  view Q = in_heads(batch, heads, n, d), K = in_heads(batch, kv_heads, n, d);
  idx m = size2(batch, n);
  /*@ loop invariant 0 <= i <= m;
      loop invariant MhaDxIs{Pre,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,i);
      loop assigns i, dx[0 .. ix(m,width,0)-1];
      loop variant m - i;
  */
  for (idx i = 0; i < m; i++) {
    /*@ loop invariant 0 <= j <= width;
        loop invariant MhaDxIs{Pre,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,i);
        loop invariant MhaDxRowIs{Pre,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,i,
                                            j);
        loop assigns j, dx[0 .. ix(m,width,0)-1];
        loop variant width - j;
    */
    for (idx j = 0; j < width; j++) {
      //@ assert same_q: Same{Pre,Here}(dq,ViewSize(Q)) && Same{Pre,Here}(wq,ViewSize(Tq));
      //@ assert same_k: Same{Pre,Here}(dk,ViewSize(K)) && Same{Pre,Here}(wk,ViewSize(Tk));
      //@ assert same_v: Same{Pre,Here}(dv,ViewSize(K)) && Same{Pre,Here}(wv,ViewSize(Tk));
      twice a = view_dot(dq, Q, wq, Tq, i, j), b = view_dot(dk, K, wk, Tk, i, j);
      twice c = view_dot(dv, K, wv, Tk, i, j), s = twice_sum(twice_sum(a, b), c);
      //@ assert a_is: a.v == ViewDot{Pre}(dq,Q,wq,Tq,i,j,ViewCols(Q));
      //@ assert b_is: b.v == ViewDot{Pre}(dk,K,wk,Tk,i,j,ViewCols(K));
      //@ assert c_is: c.v == ViewDot{Pre}(dv,K,wv,Tk,i,j,ViewCols(K));
      //@ assert s_is: s.v == MhaDx{Pre}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
      idx at = at2(m, width, i, j);
      //@ assert behind: ix(i,width,0) <= at < ix(m,width,0);
      //@ ghost Before: ;
      dx[at] = s.v;
      //@ assert rows: Same{Before,Here}(dx,ix(i,width,0));
    }
    /*@ assert row: MhaDxRowIs{Pre,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,i,
                                         width); */
  }
}

/*@ predicate MhaGramIs{L1,L2}(scalar *o, scalar *x, integer batch, integer heads, integer n,
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

/* c = o' x, (heads d, width). */
/*@ requires MhaGramSizes(batch,heads,n,width,d) && Out2(c,ix(heads,d,0),width);
    requires Heads(o,ix(batch,heads,0),n,d) && In2(x,ix(batch,n,0),width);
    requires Sep(c,ix(ix(heads,d,0),width,0),o,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(c,ix(ix(heads,d,0),width,0),x,ix(ix(batch,n,0),width,0));
    assigns c[0 .. ix(ix(heads,d,0),width,0)-1];
    ensures MhaGramIs{Pre,Post}(o,x,batch,heads,n,width,d,c);
*/
static void gram(idx batch, idx heads, idx n, idx width, idx d, const double *o, const double *x,
                 double *c)
{
  view O = turned(in_heads(batch, heads, n, d)), X = flat(size2(batch, n), width);
  view C = flat(size2(heads, d), width);
  view_product(o, O, x, X, c, C);
  //@ assert views: C == Flat(ix(heads,d,0),width) && ViewCols(O) == ix(batch,n,0);
  //@ assert product: ViewRowsAre{Pre,Here}(o,O,x,X,c,C,ViewRows(C));
  /*@ assert all: \forall integer i, j; 0 <= i < ix(heads,d,0) ==> 0 <= j < width ==>
        c[ix(i,width,j)] == ViewDot{Pre}(o,O,x,X,i,j,ViewCols(O)); */
}

/* c = x' o, (width, heads d). */
/*@ requires MhaGramSizes(batch,heads,n,width,d) && Out2(c,width,ix(heads,d,0));
    requires Heads(o,ix(batch,heads,0),n,d) && In2(x,ix(batch,n,0),width);
    requires Sep(c,ix(width,ix(heads,d,0),0),o,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(c,ix(width,ix(heads,d,0),0),x,ix(ix(batch,n,0),width,0));
    assigns c[0 .. ix(width,ix(heads,d,0),0)-1];
    ensures MhaMargIs{Pre,Post}(o,x,batch,heads,n,width,d,c);
*/
static void marg(idx batch, idx heads, idx n, idx width, idx d, const double *o, const double *x,
                 double *c)
{
  view_product(o, turned(in_heads(batch, heads, n, d)), x, flat(size2(batch, n), width), c,
               turned(flat(width, size2(heads, d))));
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
#define STAY(L)                                                                                \
  Same{L, Here}(dq, HeadAt(ix(batch, heads, 0), n, d)) &&                                      \
      Same{L, Here}(dk, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                               \
      Same{L, Here}(dv, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                               \
      Same{L, Here}(go, HeadAt(ix(batch, heads, 0), n, d)) &&                                  \
      Same{L, Here}(q, HeadAt(ix(batch, heads, 0), n, d)) &&                                   \
      Same{L, Here}(k, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                                \
      Same{L, Here}(v, HeadAt(ix(batch, kv_heads, 0), n, d)) &&                                \
      Same{L, Here}(o, HeadAt(ix(batch, heads, 0), n, d)) &&                                   \
      Same{L, Here}(lse, ix(ix(batch, heads, 0), n, 0)) && Same{L, Here}(mask, ix(n, n, 0)) && \
      Same{L, Here}(x, ix(ix(batch, n, 0), width, 0)) &&                                       \
      Same{L, Here}(g, ix(ix(batch, n, 0), width, 0)) &&                                       \
      Same{L, Here}(wq, ix(width, ix(heads, d, 0), 0)) &&                                      \
      Same{L, Here}(wk, ix(width, ix(kv_heads, d, 0), 0)) &&                                   \
      Same{L, Here}(wv, ix(width, ix(kv_heads, d, 0), 0))
  mha_pulls(batch, heads, kv_heads, n, width, d, causal, masked, x, wq, wk, wv, wo, mask, q, k, v,
            o, lse, g, go, dq, dk, dv);
  //@ ghost L1: ;
  pull_inputs(batch, heads, kv_heads, n, width, d, dq, dk, dv, wq, wk, wv, dx);
  //@ assert stay_2: STAY(L1);
  //@ ghost L2: ;
  marg(batch, heads, n, width, d, dq, x, dwq);
  //@ ghost L3: ;
  //@ assert step_3: STAY(L2);
  //@ assert stay_3: STAY(L1);
  //@ assert dx_3: Same{L2,L3}(dx,ix(ix(batch,n,0),width,0));
  marg(batch, kv_heads, n, width, d, dk, x, dwk);
  //@ ghost L4: ;
  //@ assert step_4: STAY(L3);
  //@ assert stay_4: STAY(L1);
  //@ assert dx_4: Same{L3,L4}(dx,ix(ix(batch,n,0),width,0));
  //@ assert dwq_4: Same{L3,L4}(dwq,ix(width,ix(heads,d,0),0));
  marg(batch, kv_heads, n, width, d, dv, x, dwv);
  //@ ghost L5: ;
  //@ assert step_5: STAY(L4);
  //@ assert stay_5: STAY(L1);
  //@ assert dx_5: Same{L4,L5}(dx,ix(ix(batch,n,0),width,0));
  //@ assert dwq_5: Same{L4,L5}(dwq,ix(width,ix(heads,d,0),0));
  //@ assert dwk_5: Same{L4,L5}(dwk,ix(width,ix(kv_heads,d,0),0));
  gram(batch, heads, n, width, d, o, g, dwo);
  //@ assert step_6: STAY(L5);
  //@ assert stay_6: STAY(L1);
  //@ assert dx_6: Same{L5,Here}(dx,ix(ix(batch,n,0),width,0));
  //@ assert dwq_6: Same{L5,Here}(dwq,ix(width,ix(heads,d,0),0));
  //@ assert dwk_6: Same{L5,Here}(dwk,ix(width,ix(kv_heads,d,0),0));
  //@ assert dwv_6: Same{L5,Here}(dwv,ix(width,ix(kv_heads,d,0),0));
  //@ assert dx_kept: Same{L2,Here}(dx,ix(ix(batch,n,0),width,0));
  //@ assert dwq_kept: Same{L3,Here}(dwq,ix(width,ix(heads,d,0),0));
  //@ assert dwk_kept: Same{L4,Here}(dwk,ix(width,ix(kv_heads,d,0),0));
  //@ assert dx_same: MhaDxSame{L1,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d);
  /*@ assert dx_is: MhaDxIs{Here,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,
                                       ix(batch,n,0)); */
  //@ assert dwq_is: MhaMargIs{Here,Here}(dq,x,batch,heads,n,width,d,dwq);
  //@ assert dwk_is: MhaMargIs{Here,Here}(dk,x,batch,kv_heads,n,width,d,dwk);
  //@ assert dwv_is: MhaMargIs{Here,Here}(dv,x,batch,kv_heads,n,width,d,dwv);
  //@ assert dwo_is: MhaGramIs{Here,Here}(o,g,batch,heads,n,width,d,dwo);
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
#undef STAY
}
