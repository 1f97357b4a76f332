/* Scaled dot-product attention, its VJP, decoding with a cache of keys and values, and their error
 * bounds. heads is a multiple of kv_heads; query head h reads KV head h / (heads / kv_heads). */
#ifndef REF_ATTENTION_H
#define REF_ATTENTION_H
#include "ref.h"
#include "softmax.h"
#include "../spec/attention.h"

/*@ // n heads of (rows, d), one after another, and where head z begins
    predicate Heads{L}(scalar *a, integer n, integer rows, integer d) =
      0 <= rows && 0 <= d && ix(rows,d,0) <= IDX_LIM && In2(a,n,ix(rows,d,0));
    predicate OutHeads{L}(scalar *a, integer n, integer rows, integer d) =
      0 <= rows && 0 <= d && ix(rows,d,0) <= IDX_LIM && Out2(a,n,ix(rows,d,0));
    logic integer HeadAt(integer z, integer rows, integer d) = ix(z,ix(rows,d,0),0);
    predicate SepHeads{L}(scalar *a, integer size, scalar *b, integer n, integer rows, integer d) =
      Sep(a,size,b,HeadAt(n,rows,d));
    predicate Grouped(integer batch, integer heads, integer kv_heads) =
      0 <= batch && 0 <= heads && 0 <= kv_heads &&
      ix(batch,heads,0) <= IDX_LIM && ix(batch,kv_heads,0) <= IDX_LIM &&
      heads == ix(kv_heads,group_of(heads,kv_heads),0);
*/

/* q, y: (batch, heads, nq, d); k, v: (batch, kv_heads, nk, d); mask: (nq, nk), looked at where masked
 * is not 0; lse: (batch, heads, nq). A row all of which is blocked gives zeros, and -infinity. */
/*@ requires Grouped(batch,heads,kv_heads);
    requires Heads(q,ix(batch,heads,0),nq,d) && In2(mask,nq,nk);
    requires Heads(k,ix(batch,kv_heads,0),nk,d) && Heads(v,ix(batch,kv_heads,0),nk,d);
    requires OutHeads(y,ix(batch,heads,0),nq,d) && Out2(lse,ix(batch,heads,0),nq);
    requires SepHeads(y,HeadAt(ix(batch,heads,0),nq,d),q,ix(batch,heads,0),nq,d);
    requires SepHeads(y,HeadAt(ix(batch,heads,0),nq,d),k,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(y,HeadAt(ix(batch,heads,0),nq,d),v,ix(batch,kv_heads,0),nk,d);
    requires Sep(y,HeadAt(ix(batch,heads,0),nq,d),mask,ix(nq,nk,0));
    requires Sep(y,HeadAt(ix(batch,heads,0),nq,d),lse,ix(ix(batch,heads,0),nq,0));
    requires SepHeads(lse,ix(ix(batch,heads,0),nq,0),q,ix(batch,heads,0),nq,d);
    requires SepHeads(lse,ix(ix(batch,heads,0),nq,0),k,ix(batch,kv_heads,0),nk,d);
    requires Sep(lse,ix(ix(batch,heads,0),nq,0),mask,ix(nq,nk,0));
    assigns y[0 .. HeadAt(ix(batch,heads,0),nq,d)-1], lse[0 .. ix(ix(batch,heads,0),nq,0)-1];
    ensures \forall integer z, i, c; 0 <= z < ix(batch,heads,0) ==> 0 <= i < nq ==> 0 <= c < d ==>
      y[ix(z,ix(nq,d,0),ix(i,d,c))] ==
      Sdpa{Pre}(causal,masked,mask,nq,nk,q+HeadAt(z,nq,d),
                k+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),
                v+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),d,i,c);
    ensures \forall integer z, i; 0 <= z < ix(batch,heads,0) ==> 0 <= i < nq ==>
      lse[ix(z,nq,i)] ==
      SdpaLse{Pre}(causal,masked,mask,nq,nk,q+HeadAt(z,nq,d),
                   k+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),d,i);
*/
void ref_sdpa(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal, int masked,
              const double *q, const double *k, const double *v, const double *mask, double *y,
              double *lse);

/* y and lse: the outputs of ref_sdpa; g: the cotangent of y. dq is like q, dk and dv are like k. */
void ref_sdpa_vjp(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal, int masked,
                  const double *q, const double *k, const double *v, const double *mask,
                  const double *y, const double *lse, const double *g, double *dq, double *dk,
                  double *dv);
#endif
