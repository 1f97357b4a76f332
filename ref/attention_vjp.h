/* The VJP of scaled dot-product attention, and its error bounds. */
#ifndef REF_ATTENTION_VJP_H
#define REF_ATTENTION_VJP_H
#include "attention.h"
#include "../spec/attention_vjp.h"

/* y and lse: the outputs of ref_sdpa; g: the cotangent of y. dq is like q, dk and dv are like k. */
/*@ requires Grouped(batch,heads,kv_heads) && In2(mask,nq,nk);
    requires Heads(q,ix(batch,heads,0),nq,d) && Heads(y,ix(batch,heads,0),nq,d);
    requires Heads(g,ix(batch,heads,0),nq,d) && In2(lse,ix(batch,heads,0),nq);
    requires Heads(k,ix(batch,kv_heads,0),nk,d) && Heads(v,ix(batch,kv_heads,0),nk,d);
    requires OutHeads(dq,ix(batch,heads,0),nq,d);
    requires OutHeads(dk,ix(batch,kv_heads,0),nk,d) && OutHeads(dv,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(dq,HeadAt(ix(batch,heads,0),nq,d),q,ix(batch,heads,0),nq,d);
    requires SepHeads(dq,HeadAt(ix(batch,heads,0),nq,d),k,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(dq,HeadAt(ix(batch,heads,0),nq,d),v,ix(batch,kv_heads,0),nk,d);
    requires Sep(dq,HeadAt(ix(batch,heads,0),nq,d),mask,ix(nq,nk,0));
    requires SepHeads(dq,HeadAt(ix(batch,heads,0),nq,d),y,ix(batch,heads,0),nq,d);
    requires SepHeads(dq,HeadAt(ix(batch,heads,0),nq,d),g,ix(batch,heads,0),nq,d);
    requires Sep(dq,HeadAt(ix(batch,heads,0),nq,d),lse,ix(ix(batch,heads,0),nq,0));
    requires SepHeads(dk,HeadAt(ix(batch,kv_heads,0),nk,d),q,ix(batch,heads,0),nq,d);
    requires SepHeads(dk,HeadAt(ix(batch,kv_heads,0),nk,d),k,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(dk,HeadAt(ix(batch,kv_heads,0),nk,d),v,ix(batch,kv_heads,0),nk,d);
    requires Sep(dk,HeadAt(ix(batch,kv_heads,0),nk,d),mask,ix(nq,nk,0));
    requires SepHeads(dk,HeadAt(ix(batch,kv_heads,0),nk,d),y,ix(batch,heads,0),nq,d);
    requires SepHeads(dk,HeadAt(ix(batch,kv_heads,0),nk,d),g,ix(batch,heads,0),nq,d);
    requires Sep(dk,HeadAt(ix(batch,kv_heads,0),nk,d),lse,ix(ix(batch,heads,0),nq,0));
    requires SepHeads(dv,HeadAt(ix(batch,kv_heads,0),nk,d),q,ix(batch,heads,0),nq,d);
    requires SepHeads(dv,HeadAt(ix(batch,kv_heads,0),nk,d),k,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(dv,HeadAt(ix(batch,kv_heads,0),nk,d),v,ix(batch,kv_heads,0),nk,d);
    requires Sep(dv,HeadAt(ix(batch,kv_heads,0),nk,d),mask,ix(nq,nk,0));
    requires SepHeads(dv,HeadAt(ix(batch,kv_heads,0),nk,d),y,ix(batch,heads,0),nq,d);
    requires SepHeads(dv,HeadAt(ix(batch,kv_heads,0),nk,d),g,ix(batch,heads,0),nq,d);
    requires Sep(dv,HeadAt(ix(batch,kv_heads,0),nk,d),lse,ix(ix(batch,heads,0),nq,0));
    requires Sep(dq,HeadAt(ix(batch,heads,0),nq,d),dk,HeadAt(ix(batch,kv_heads,0),nk,d));
    requires Sep(dq,HeadAt(ix(batch,heads,0),nq,d),dv,HeadAt(ix(batch,kv_heads,0),nk,d));
    requires Sep(dk,HeadAt(ix(batch,kv_heads,0),nk,d),dv,HeadAt(ix(batch,kv_heads,0),nk,d));
    terminates \true;
    assigns dq[0 .. HeadAt(ix(batch,heads,0),nq,d)-1];
    assigns dk[0 .. HeadAt(ix(batch,kv_heads,0),nk,d)-1];
    assigns dv[0 .. HeadAt(ix(batch,kv_heads,0),nk,d)-1];
    ensures \forall integer z, i, c; 0 <= z < ix(batch,heads,0) ==> 0 <= i < nq ==> 0 <= c < d ==>
      dq[ix(z,ix(nq,d,0),ix(i,d,c))] ==
      SdpaVjpQ{Pre}(causal,masked,mask,nq,nk,q+HeadAt(z,nq,d),
                    k+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),
                    v+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),
                    y+HeadAt(z,nq,d),lse+ix(z,nq,0),g+HeadAt(z,nq,d),d,i,c);
    ensures \forall integer z, j, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= j < nk ==>
      0 <= c < d ==> dk[ix(z,ix(nk,d,0),ix(j,d,c))] ==
      PullK{Pre}(causal,masked,mask,nq,nk,
            q+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),k+HeadAt(z,nk,d),
            v+HeadAt(z,nk,d),
            y+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),
            lse+ix(z,ix(group_of(heads,kv_heads),nq,0),0),
            g+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),d,j,c,
            ix(group_of(heads,kv_heads),nq,0));
    ensures \forall integer z, j, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= j < nk ==>
      0 <= c < d ==> dv[ix(z,ix(nk,d,0),ix(j,d,c))] ==
      PullV{Pre}(causal,masked,mask,nq,nk,
            q+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),k+HeadAt(z,nk,d),
            lse+ix(z,ix(group_of(heads,kv_heads),nq,0),0),
            g+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),d,j,c,
            ix(group_of(heads,kv_heads),nq,0));
*/
void ref_sdpa_vjp(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal, int masked,
                  const double *q, const double *k, const double *v, const double *mask,
                  const double *y, const double *lse, const double *g, double *dq, double *dk,
                  double *dv);

/* Where off is not 0, g is off itself: eg says of each of its elements by how much at most. Else
 * nobody looks at eg, and there is g for it. */
/*@ // of one query and key j the probability, lse perhaps turned into base 2, and the cotangent of
    // the score times c without its factor c
    axiomatic BoundProb {
      logic pair p_prob(arith A, pair s, real lse) reads \nothing;
      axiom p_prob_def: \forall arith A, pair s, real lse; p_prob(A,s,lse) ==
        p_key_exp(A, s, lse, p_rnd(A,lse,0.0,3.0).e);
      logic pair p_score_pull(arith A, integer d, pair p, real dot, real abs, real more, real gy,
                              real gyabs, real gymore) reads \nothing;
      axiom p_score_pull_def: \forall arith A, integer d, pair p, real dot, abs, more, gy, gyabs,
        gymore; p_score_pull(A,d,p,dot,abs,more,gy,gyabs,gymore) ==
        p_mul(A, p, p_sub(A, p_dot_off(A,dot,abs,more,d,d-1.0),
                          p_dot_off(A,gy,gyabs,gymore,d,d-1.0)));
      // one of n terms of a sum of height h, the product of c, w and the exact x: c may be w's, x's
      // or the sum's, and each of their products may underflow. The terms are in range without c
      // too, as d times them is no less.
      logic real e_scaled(arith A, integer d, pair w, real x, real n, real h) reads \nothing;
      axiom e_scaled_def: \forall arith A, integer d, pair w, real x, n, h;
        e_scaled(A,d,w,x,n,h) ==
        p_range(A, rmul(2.0 * n, \abs(x)),
                e_term(A, p_mul3(A,p_rnd(A,attn_scale(d),0.0,2.0),w,p_make(x,0.0)).v,
                       p_mul3(A,p_rnd(A,attn_scale(d),0.0,2.0),w,p_make(x,0.0)).e, n, h));
    }
    logic pair KeyProb{L}(arith A, scalar *q, scalar *k, real lse, integer d, integer j) =
      p_prob(A, KeyScore{L}(A,0,q,k,q,k,d,j), lse);
    // what g's error carries into its product with the exact x
    logic real PullMore{L}(integer off, scalar *g, scalar *eg, scalar *x, integer d) =
      off == 0 ? 0.0 : RowCross{L}(g,eg,0,x,x,d);
    logic pair KeyPull{L}(arith A, integer off, scalar *q, scalar *k, scalar *v, scalar *y,
                          real lse, scalar *g, scalar *eg, integer d, integer j) =
      p_score_pull(A, d, KeyProb{L}(A,q,k,lse,d,j),
                   RowDot{L}(g,v+ix(j,d,0),d), RowAbs{L}(g,v+ix(j,d,0),d),
                   PullMore{L}(off,g,eg,v+ix(j,d,0),d),
                   RowDot{L}(g,y,d), RowAbs{L}(g,y,d), PullMore{L}(off,g,eg,y,d));
    logic real ErrorQ{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                         integer nq, integer nk, integer i, scalar *q, scalar *k, scalar *v,
                         scalar *y, real lse, scalar *g, scalar *eg, integer d, integer c,
                         integer j) =
      if_open(Blocked{L}(causal,masked,b,nq,nk,i,j),
              e_scaled(A, d, KeyPull{L}(A,off,q,k,v,y,lse,g,eg,d,j), k[ix(j,d,c)], ix(nk,d,0),
                       A.h));
    logic real PullErrorQ{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                             integer nq, integer nk, integer i, scalar *q, scalar *k, scalar *v,
                             scalar *y, real lse, scalar *g, scalar *eg, integer d, integer c,
                             integer n) =
      n <= 0 ? 0.0 :
        PullErrorQ{L}(A,off,causal,masked,b,nq,nk,i,q,k,v,y,lse,g,eg,d,c,n-1) +
        ErrorQ{L}(A,off,causal,masked,b,nq,nk,i,q,k,v,y,lse,g,eg,d,c,n-1);
    logic real ErrorK{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                         integer nq, integer nk, scalar *q, scalar *k, scalar *v, scalar *y,
                         scalar *lse, scalar *g, scalar *eg, integer d, integer j, integer c,
                         integer t, integer rows) =
      if_open(Blocked{L}(causal,masked,b,nq,nk,query_of(t,nq),j),
              e_scaled(A, d, KeyPull{L}(A,off,q+ix(t,d,0),k,v,y+ix(t,d,0),lse[t],g+ix(t,d,0),
                                        eg+ix(t,d,0),d,j),
                       q[ix(t,d,c)], ix(rows,d,0), A.h2));
    logic real PullErrorK{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                             integer nq, integer nk, scalar *q, scalar *k, scalar *v, scalar *y,
                             scalar *lse, scalar *g, scalar *eg, integer d, integer j, integer c,
                             integer rows, integer n) =
      n <= 0 ? 0.0 :
        PullErrorK{L}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,j,c,rows,n-1) +
        ErrorK{L}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,j,c,n-1,rows);
    logic real ErrorV{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                         integer nq, integer nk, scalar *q, scalar *k, scalar *lse, scalar *g,
                         scalar *eg, integer d, integer j, integer c, integer t, integer rows) =
      if_open(Blocked{L}(causal,masked,b,nq,nk,query_of(t,nq),j),
              e_part(A, KeyProb{L}(A,q+ix(t,d,0),k,lse[t],d,j), PairAt{L}(off,g,eg,ix(t,d,c)),
                     rows, A.h2));
    logic real PullErrorV{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                             integer nq, integer nk, scalar *q, scalar *k, scalar *lse, scalar *g,
                             scalar *eg, integer d, integer j, integer c, integer rows, integer n) =
      n <= 0 ? 0.0 :
        PullErrorV{L}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,rows,n-1) +
        ErrorV{L}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,n-1,rows);
    logic real PairsVjpQBound{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                                 integer nq, integer nk, scalar *q, scalar *k, scalar *v, scalar *y,
                                 scalar *lse, scalar *g, scalar *eg, integer d, integer i,
                                 integer c) =
      PullErrorQ{L}(A,off,causal,masked,b,nq,nk,i,q+ix(i,d,0),k,v,y+ix(i,d,0),lse[i],g+ix(i,d,0),
                    eg+ix(i,d,0),d,c,nk);
    logic real PairsVjpKBound{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                                 integer nq, integer nk, scalar *q, scalar *k, scalar *v, scalar *y,
                                 scalar *lse, scalar *g, scalar *eg, integer d, integer j,
                                 integer c, integer rows) =
      PullErrorK{L}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,j,c,rows,rows);
    logic real PairsVjpVBound{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                                 integer nq, integer nk, scalar *q, scalar *k, scalar *lse,
                                 scalar *g, scalar *eg, integer d, integer j, integer c,
                                 integer rows) =
      PullErrorV{L}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,rows,rows);
    // the same of an exact g
    logic real SdpaVjpQBound{L}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                integer nk, scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse,
                                scalar *g, integer d, integer i, integer c) =
      PairsVjpQBound{L}(A,0,causal,masked,b,nq,nk,q,k,v,y,lse,g,g,d,i,c);
    logic real SdpaVjpKBound{L}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                integer nk, scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse,
                                scalar *g, integer d, integer j, integer c, integer rows) =
      PairsVjpKBound{L}(A,0,causal,masked,b,nq,nk,q,k,v,y,lse,g,g,d,j,c,rows);
    logic real SdpaVjpVBound{L}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                integer nk, scalar *q, scalar *k, scalar *lse, scalar *g, integer d,
                                integer j, integer c, integer rows) =
      PairsVjpVBound{L}(A,0,causal,masked,b,nq,nk,q,k,lse,g,g,d,j,c,rows);
*/

/* Of a cotangent that is off; kernels round it as an exact one. */
/*@ requires Grouped(batch,heads,kv_heads) && In2(mask,nq,nk);
    requires Heads(q,ix(batch,heads,0),nq,d) && Heads(y,ix(batch,heads,0),nq,d);
    requires Heads(g,ix(batch,heads,0),nq,d) && In2(lse,ix(batch,heads,0),nq);
    requires Heads(eg,ix(batch,heads,0),nq,d);
    requires Heads(k,ix(batch,kv_heads,0),nk,d) && Heads(v,ix(batch,kv_heads,0),nk,d);
    requires OutHeads(e_dq,ix(batch,heads,0),nq,d);
    requires OutHeads(e_dk,ix(batch,kv_heads,0),nk,d) && OutHeads(e_dv,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(e_dq,HeadAt(ix(batch,heads,0),nq,d),q,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dq,HeadAt(ix(batch,heads,0),nq,d),k,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(e_dq,HeadAt(ix(batch,heads,0),nq,d),v,ix(batch,kv_heads,0),nk,d);
    requires Sep(e_dq,HeadAt(ix(batch,heads,0),nq,d),mask,ix(nq,nk,0));
    requires SepHeads(e_dq,HeadAt(ix(batch,heads,0),nq,d),y,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dq,HeadAt(ix(batch,heads,0),nq,d),g,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dq,HeadAt(ix(batch,heads,0),nq,d),eg,ix(batch,heads,0),nq,d);
    requires Sep(e_dq,HeadAt(ix(batch,heads,0),nq,d),lse,ix(ix(batch,heads,0),nq,0));
    requires SepHeads(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),q,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),k,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),v,ix(batch,kv_heads,0),nk,d);
    requires Sep(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),mask,ix(nq,nk,0));
    requires SepHeads(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),y,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),g,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),eg,ix(batch,heads,0),nq,d);
    requires Sep(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),lse,ix(ix(batch,heads,0),nq,0));
    requires SepHeads(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),q,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),k,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),v,ix(batch,kv_heads,0),nk,d);
    requires Sep(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),mask,ix(nq,nk,0));
    requires SepHeads(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),y,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),g,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),eg,ix(batch,heads,0),nq,d);
    requires Sep(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),lse,ix(ix(batch,heads,0),nq,0));
    requires Sep(e_dq,HeadAt(ix(batch,heads,0),nq,d),e_dk,HeadAt(ix(batch,kv_heads,0),nk,d));
    requires Sep(e_dq,HeadAt(ix(batch,heads,0),nq,d),e_dv,HeadAt(ix(batch,kv_heads,0),nk,d));
    requires Sep(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),e_dv,HeadAt(ix(batch,kv_heads,0),nk,d));
    terminates \true;
    assigns e_dq[0 .. HeadAt(ix(batch,heads,0),nq,d)-1];
    assigns e_dk[0 .. HeadAt(ix(batch,kv_heads,0),nk,d)-1];
    assigns e_dv[0 .. HeadAt(ix(batch,kv_heads,0),nk,d)-1];
    ensures \forall integer z, i, c; 0 <= z < ix(batch,heads,0) ==> 0 <= i < nq ==> 0 <= c < d ==>
      e_dq[ix(z,ix(nq,d,0),ix(i,d,c))] ==
      PairsVjpQBound{Pre}(A,off,causal,masked,mask,nq,nk,q+HeadAt(z,nq,d),
                    k+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),
                    v+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),
                    y+HeadAt(z,nq,d),lse+ix(z,nq,0),g+HeadAt(z,nq,d),eg+HeadAt(z,nq,d),d,i,c);
    ensures \forall integer z, j, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= j < nk ==>
      0 <= c < d ==> e_dk[ix(z,ix(nk,d,0),ix(j,d,c))] ==
      PairsVjpKBound{Pre}(A,off,causal,masked,mask,nq,nk,
            q+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),k+HeadAt(z,nk,d),
            v+HeadAt(z,nk,d),
            y+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),
            lse+ix(z,ix(group_of(heads,kv_heads),nq,0),0),
            g+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),
            eg+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),d,j,c,
            ix(group_of(heads,kv_heads),nq,0));
    ensures \forall integer z, j, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= j < nk ==>
      0 <= c < d ==> e_dv[ix(z,ix(nk,d,0),ix(j,d,c))] ==
      PairsVjpVBound{Pre}(A,off,causal,masked,mask,nq,nk,
            q+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),k+HeadAt(z,nk,d),
            lse+ix(z,ix(group_of(heads,kv_heads),nq,0),0),
            g+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),
            eg+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),d,j,c,
            ix(group_of(heads,kv_heads),nq,0));
*/
void pair_sdpa_vjp(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal,
                   int masked, const double *q, const double *k, const double *v,
                   const double *mask, const double *y, const double *lse, const double *g, int off,
                   const double *eg, arith A, double *e_dq, double *e_dk, double *e_dv);

/* e_dq, from the tree height A.h, e_dk and e_dv, from A.h2. */
/*@ requires Grouped(batch,heads,kv_heads) && In2(mask,nq,nk);
    requires Heads(q,ix(batch,heads,0),nq,d) && Heads(y,ix(batch,heads,0),nq,d);
    requires Heads(g,ix(batch,heads,0),nq,d) && In2(lse,ix(batch,heads,0),nq);
    requires Heads(k,ix(batch,kv_heads,0),nk,d) && Heads(v,ix(batch,kv_heads,0),nk,d);
    requires OutHeads(e_dq,ix(batch,heads,0),nq,d);
    requires OutHeads(e_dk,ix(batch,kv_heads,0),nk,d) && OutHeads(e_dv,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(e_dq,HeadAt(ix(batch,heads,0),nq,d),q,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dq,HeadAt(ix(batch,heads,0),nq,d),k,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(e_dq,HeadAt(ix(batch,heads,0),nq,d),v,ix(batch,kv_heads,0),nk,d);
    requires Sep(e_dq,HeadAt(ix(batch,heads,0),nq,d),mask,ix(nq,nk,0));
    requires SepHeads(e_dq,HeadAt(ix(batch,heads,0),nq,d),y,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dq,HeadAt(ix(batch,heads,0),nq,d),g,ix(batch,heads,0),nq,d);
    requires Sep(e_dq,HeadAt(ix(batch,heads,0),nq,d),lse,ix(ix(batch,heads,0),nq,0));
    requires SepHeads(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),q,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),k,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),v,ix(batch,kv_heads,0),nk,d);
    requires Sep(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),mask,ix(nq,nk,0));
    requires SepHeads(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),y,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),g,ix(batch,heads,0),nq,d);
    requires Sep(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),lse,ix(ix(batch,heads,0),nq,0));
    requires SepHeads(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),q,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),k,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),v,ix(batch,kv_heads,0),nk,d);
    requires Sep(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),mask,ix(nq,nk,0));
    requires SepHeads(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),y,ix(batch,heads,0),nq,d);
    requires SepHeads(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),g,ix(batch,heads,0),nq,d);
    requires Sep(e_dv,HeadAt(ix(batch,kv_heads,0),nk,d),lse,ix(ix(batch,heads,0),nq,0));
    requires Sep(e_dq,HeadAt(ix(batch,heads,0),nq,d),e_dk,HeadAt(ix(batch,kv_heads,0),nk,d));
    requires Sep(e_dq,HeadAt(ix(batch,heads,0),nq,d),e_dv,HeadAt(ix(batch,kv_heads,0),nk,d));
    requires Sep(e_dk,HeadAt(ix(batch,kv_heads,0),nk,d),e_dv,HeadAt(ix(batch,kv_heads,0),nk,d));
    assigns e_dq[0 .. HeadAt(ix(batch,heads,0),nq,d)-1];
    assigns e_dk[0 .. HeadAt(ix(batch,kv_heads,0),nk,d)-1];
    assigns e_dv[0 .. HeadAt(ix(batch,kv_heads,0),nk,d)-1];
    ensures \forall integer z, i, c; 0 <= z < ix(batch,heads,0) ==> 0 <= i < nq ==> 0 <= c < d ==>
      e_dq[ix(z,ix(nq,d,0),ix(i,d,c))] ==
      SdpaVjpQBound{Pre}(A,causal,masked,mask,nq,nk,q+HeadAt(z,nq,d),
                    k+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),
                    v+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),
                    y+HeadAt(z,nq,d),lse+ix(z,nq,0),g+HeadAt(z,nq,d),d,i,c);
    ensures \forall integer z, j, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= j < nk ==>
      0 <= c < d ==> e_dk[ix(z,ix(nk,d,0),ix(j,d,c))] ==
      SdpaVjpKBound{Pre}(A,causal,masked,mask,nq,nk,
            q+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),k+HeadAt(z,nk,d),
            v+HeadAt(z,nk,d),
            y+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),
            lse+ix(z,ix(group_of(heads,kv_heads),nq,0),0),
            g+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),d,j,c,
            ix(group_of(heads,kv_heads),nq,0));
    ensures \forall integer z, j, c; 0 <= z < ix(batch,kv_heads,0) ==> 0 <= j < nk ==>
      0 <= c < d ==> e_dv[ix(z,ix(nk,d,0),ix(j,d,c))] ==
      SdpaVjpVBound{Pre}(A,causal,masked,mask,nq,nk,
            q+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),k+HeadAt(z,nk,d),
            lse+ix(z,ix(group_of(heads,kv_heads),nq,0),0),
            g+HeadAt(z,ix(group_of(heads,kv_heads),nq,0),d),d,j,c,
            ix(group_of(heads,kv_heads),nq,0));
*/
void bound_sdpa_vjp(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal,
                    int masked, const double *q, const double *k, const double *v,
                    const double *mask, const double *y, const double *lse, const double *g,
                    arith A, double *e_dq, double *e_dk, double *e_dv);
#endif
