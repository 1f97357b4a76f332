/* Scaled dot-product attention, decoding with a cache of keys and values, and their error bounds.
 * heads is a multiple of kv_heads; query head h reads KV head h / (heads / kv_heads). */
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

/* q, y: (batch, heads, nq, d); k, v: (batch, kv_heads, nk, d); mask: (nq, nk), looked at where
 * masked is not 0; lse: (batch, heads, nq). A row all of which is blocked gives zeros, and
 * -infinity. */
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
    terminates \true;
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

/* ---- decode_sdpa: one query a head, q and y (batch, heads, d), and the first len keys of a cache,
 * k and v (batch, kv_heads, capacity, d) ---- */
/*@ requires Grouped(batch,heads,kv_heads) && 0 <= len <= capacity;
    requires In2(q,ix(batch,heads,0),d) && Out2(y,ix(batch,heads,0),d);
    requires Heads(k,ix(batch,kv_heads,0),capacity,d) && Heads(v,ix(batch,kv_heads,0),capacity,d);
    requires Sep(y,ix(ix(batch,heads,0),d,0),q,ix(ix(batch,heads,0),d,0));
    requires SepHeads(y,ix(ix(batch,heads,0),d,0),k,ix(batch,kv_heads,0),capacity,d);
    requires SepHeads(y,ix(ix(batch,heads,0),d,0),v,ix(batch,kv_heads,0),capacity,d);
    assigns y[0 .. ix(ix(batch,heads,0),d,0)-1];
    ensures \forall integer z, c; 0 <= z < ix(batch,heads,0) ==> 0 <= c < d ==>
      y[ix(z,d,c)] ==
      AttendedRow{Pre}(0,0,k,1,len,0,q+ix(z,d,0),
                       k+HeadAt(kv_of(z,group_of(heads,kv_heads)),capacity,d),
                       v+HeadAt(kv_of(z,group_of(heads,kv_heads)),capacity,d),d,c);
*/
void ref_decode_sdpa(idx batch, idx heads, idx kv_heads, idx capacity, idx d, idx len,
                     const double *q, const double *k, const double *v, double *y);

/* Bounds. A score is a sum of d products, in any order, times c, put in wherever, with log2 e for
 * exp2: 4 roundings more on the way of each product. A row's maximum is off by no more than the
 * largest of its scores' errors; what is shifted by another maximum is divided by as much, which
 * the bound does not know. Weights are rounded before they meet values: dividing the sum at its end
 * instead is as many roundings on the way of each of its terms. About a maximum of some keys the
 * sum of these weighs values by 1 at most, and must be in range too.
 * Where off is not 0, the inputs are off themselves: eq, ek and ev say of each element of q, k, v
 * by how much at most. Else nobody looks at these, and there is q for eq, k for ek, v for ev. */
/*@ // an input's element, and the error that pairs carry into the dot product of two rows
    logic pair PairAt{L}(integer off, scalar *a, scalar *ea, integer i) =
      p_make(a[i], off == 0 ? 0.0 : ea[i]);
    logic real RowCross{L}(scalar *a, scalar *ea, integer off, scalar *b, scalar *eb, integer n) =
      n <= 0 ? 0.0 : RowCross{L}(a,ea,off,b,eb,n-1) +
                     p_cross(PairAt{L}(1,a,ea,n-1), PairAt{L}(off,b,eb,n-1));
    axiomatic BoundScore {
      // a dot product into which its factors carry the error more: so much is its exact value off,
      // and the sum of its terms' magnitudes, before anything is rounded
      logic pair p_dot_off(arith A, real dot, real abs, real more, real n, real h) reads \nothing;
      axiom p_dot_off_def: \forall arith A, real dot, abs, more, n, h;
        p_dot_off(A,dot,abs,more,n,h) == p_make(dot, p_dot(A, dot, abs + more, n, h).e + more);
      logic pair p_score(arith A, integer d, real dot, real abs, real more) reads \nothing;
      axiom p_score_def: \forall arith A, integer d, real dot, abs, more;
        p_score(A,d,dot,abs,more) == p_mul(A, p_rnd(A,attn_scale(d),0.0,2.0),
                                           p_dot_off(A, dot, abs, more, 2 * d + 2, d + 3));
    }
    logic pair KeyScore{L}(arith A, integer off, scalar *q, scalar *k, scalar *eq, scalar *ek,
                           integer d, integer j) =
      p_score(A, d, RowDot{L}(q,k+ix(j,d,0),d), RowAbs{L}(q,k+ix(j,d,0),d),
              off == 0 ? 0.0 : RowCross{L}(q,eq,1,k+ix(j,d,0),ek+ix(j,d,0),d));
    // exp(s - m), s and m each with an error
    axiomatic BoundKeyExp {
      logic pair p_key_exp(arith A, pair s, real m, real em) reads \nothing;
      axiom p_key_exp_def: \forall arith A, pair s, real m, em; p_key_exp(A,s,m,em) ==
        p_exp(A, p_make(s.v - m, s.e + em + rmul(A.alpha,
                 rmul(A.u, \abs(s.v - m) + s.e + em) + A.eta)));
    }
    // one of n terms of a sum of height h: its part of the sum's error
    axiomatic BoundTerm {
      logic real e_term(arith A, real v, real e, real n, real h) reads \nothing;
      axiom e_term_def: \forall arith A, real v, e, n, h; e_term(A,v,e,n,h) ==
        p_range(A, n * (\abs(v) + e + p_gam(A.u,h) * (\abs(v) + e)),
                e + p_gam(A.u,h) * (\abs(v) + e));
      // the same of the product of w and x
      logic real e_part(arith A, pair w, pair x, real n, real h) reads \nothing;
      axiom e_part_def: \forall arith A, pair w, x, real n, h; e_part(A,w,x,n,h) ==
        p_range(A, rmul(2.0 * n, p_mag(x)),
                e_term(A, p_mul(A,w,x).v, p_mul(A,w,x).e, n, h));
    }
    axiomatic BoundKeyWeight {
      logic pair p_key_weight(arith A, pair s, real m, real em, real value, real error)
        reads \nothing;
      axiom p_key_weight_def: \forall arith A, pair s, real m, em, value, error;
        p_key_weight(A,s,m,em,value,error) ==
        p_quo(A, p_key_exp(A,s,m,em), p_sum(A,value,value,error,A.h), 2.0);
      logic real e_lse(arith A, real m, real em, real value, real error) reads \nothing;
      axiom e_lse_def: \forall arith A, real m, em, value, error; e_lse(A,m,em,value,error) ==
        p_add(A, p_make(m,em), p_log(A, p_sum(A,value,value,error,A.h2))).e;
    }
    // of the open ones among the first n keys: the largest error of a score, and the sums of the
    // values and errors of exp(s - m)
    logic real TopError{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                           integer nq, integer nk, integer i, scalar *q, scalar *k, scalar *eq,
                           scalar *ek, integer d, integer n) =
      n <= 0 ? 0.0 :
        \max(TopError{L}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d,n-1),
             if_open(Blocked{L}(causal,masked,b,nq,nk,i,n-1),
                     KeyScore{L}(A,off,q,k,eq,ek,d,n-1).e));
    logic real MassValue{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                            integer nq, integer nk, integer i, scalar *q, scalar *k, scalar *eq,
                            scalar *ek, integer d, real m, real em, integer n) =
      n <= 0 ? 0.0 :
        MassValue{L}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d,m,em,n-1) +
        if_open(Blocked{L}(causal,masked,b,nq,nk,i,n-1),
                p_key_exp(A,KeyScore{L}(A,off,q,k,eq,ek,d,n-1),m,em).v);
    logic real MassError{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                            integer nq, integer nk, integer i, scalar *q, scalar *k, scalar *eq,
                            scalar *ek, integer d, real m, real em, integer n) =
      n <= 0 ? 0.0 :
        MassError{L}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d,m,em,n-1) +
        if_open(Blocked{L}(causal,masked,b,nq,nk,i,n-1),
                p_key_exp(A,KeyScore{L}(A,off,q,k,eq,ek,d,n-1),m,em).e);
    logic real ValueError{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                             integer nq, integer nk, integer i, scalar *q, scalar *k, scalar *v,
                             scalar *eq, scalar *ek, scalar *ev, integer d, real m, real em,
                             real value, real error, integer c, integer j) =
      if_open(Blocked{L}(causal,masked,b,nq,nk,i,j),
              e_part(A, p_key_weight(A,KeyScore{L}(A,off,q,k,eq,ek,d,j),m,em,value,error),
                     PairAt{L}(off,v,ev,ix(j,d,c)), nk, A.h));
    logic real AttendedError{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                                integer nq, integer nk, integer i, scalar *q, scalar *k, scalar *v,
                                scalar *eq, scalar *ek, scalar *ev, integer d, real m, real em,
                                real value, real error, integer c, integer n) =
      n <= 0 ? 0.0 :
        AttendedError{L}(A,off,causal,masked,b,nq,nk,i,q,k,v,eq,ek,ev,d,m,em,value,error,c,n-1) +
        ValueError{L}(A,off,causal,masked,b,nq,nk,i,q,k,v,eq,ek,ev,d,m,em,value,error,c,n-1);
    logic real RowTopError{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                              integer nq, integer nk, integer i, scalar *q, scalar *k, scalar *eq,
                              scalar *ek, integer d) =
      TopError{L}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d,nk);
    logic real RowValue{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                           integer nq, integer nk, integer i, scalar *q, scalar *k, scalar *eq,
                           scalar *ek, integer d) =
      MassValue{L}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d,
                   RowTop{L}(causal,masked,b,nq,nk,i,q,k,d),
                   RowTopError{L}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d),nk);
    logic real RowError{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                           integer nq, integer nk, integer i, scalar *q, scalar *k, scalar *eq,
                           scalar *ek, integer d) =
      MassError{L}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d,
                   RowTop{L}(causal,masked,b,nq,nk,i,q,k,d),
                   RowTopError{L}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d),nk);
    // bounds of the output's row i, column c, of one query, and of element (i,c); that of lse
    logic real PairsRowError{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                                integer nq, integer nk, integer i, scalar *q, scalar *k, scalar *v,
                                scalar *eq, scalar *ek, scalar *ev, integer d, integer c) =
      AttendedError{L}(A,off,causal,masked,b,nq,nk,i,q,k,v,eq,ek,ev,d,
                       RowTop{L}(causal,masked,b,nq,nk,i,q,k,d),
                       RowTopError{L}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d),
                       RowValue{L}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d),
                       RowError{L}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d),c,nk);
    logic real PairsBound{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                             integer nq, integer nk, scalar *q, scalar *k, scalar *v, scalar *eq,
                             scalar *ek, scalar *ev, integer d, integer i, integer c) =
      PairsRowError{L}(A,off,causal,masked,b,nq,nk,i,q+ix(i,d,0),k,v,eq+ix(i,d,0),ek,ev,d,c);
    logic real PairsLseBound{L}(arith A, integer off, integer causal, integer masked, scalar *b,
                                integer nq, integer nk, scalar *q, scalar *k, scalar *eq,
                                scalar *ek, integer d, integer i) =
      e_lse(A, RowTop{L}(causal,masked,b,nq,nk,i,q+ix(i,d,0),k,d),
            RowTopError{L}(A,off,causal,masked,b,nq,nk,i,q+ix(i,d,0),k,eq+ix(i,d,0),ek,d),
            RowValue{L}(A,off,causal,masked,b,nq,nk,i,q+ix(i,d,0),k,eq+ix(i,d,0),ek,d),
            RowError{L}(A,off,causal,masked,b,nq,nk,i,q+ix(i,d,0),k,eq+ix(i,d,0),ek,d));
    // the same of exact inputs
    logic real AttendedRowError{L}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                   integer nk, integer i, scalar *q, scalar *k, scalar *v,
                                   integer d, integer c) =
      PairsRowError{L}(A,0,causal,masked,b,nq,nk,i,q,k,v,q,k,v,d,c);
    logic real SdpaBound{L}(arith A, integer causal, integer masked, scalar *b, integer nq,
                            integer nk, scalar *q, scalar *k, scalar *v, integer d, integer i,
                            integer c) =
      PairsBound{L}(A,0,causal,masked,b,nq,nk,q,k,v,q,k,v,d,i,c);
    logic real SdpaLseBound{L}(arith A, integer causal, integer masked, scalar *b, integer nq,
                               integer nk, scalar *q, scalar *k, integer d, integer i) =
      PairsLseBound{L}(A,0,causal,masked,b,nq,nk,q,k,q,k,d,i);
*/

/* Of inputs that are off; kernels round these as exact ones. */
/*@ requires Grouped(batch,heads,kv_heads);
    requires Heads(q,ix(batch,heads,0),nq,d) && Heads(eq,ix(batch,heads,0),nq,d);
    requires Heads(k,ix(batch,kv_heads,0),nk,d) && Heads(ek,ix(batch,kv_heads,0),nk,d);
    requires Heads(v,ix(batch,kv_heads,0),nk,d) && Heads(ev,ix(batch,kv_heads,0),nk,d);
    requires In2(mask,nq,nk);
    requires OutHeads(e_y,ix(batch,heads,0),nq,d) && Out2(e_lse,ix(batch,heads,0),nq);
    requires SepHeads(e_y,HeadAt(ix(batch,heads,0),nq,d),q,ix(batch,heads,0),nq,d);
    requires SepHeads(e_y,HeadAt(ix(batch,heads,0),nq,d),eq,ix(batch,heads,0),nq,d);
    requires SepHeads(e_y,HeadAt(ix(batch,heads,0),nq,d),k,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(e_y,HeadAt(ix(batch,heads,0),nq,d),ek,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(e_y,HeadAt(ix(batch,heads,0),nq,d),v,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(e_y,HeadAt(ix(batch,heads,0),nq,d),ev,ix(batch,kv_heads,0),nk,d);
    requires Sep(e_y,HeadAt(ix(batch,heads,0),nq,d),mask,ix(nq,nk,0));
    requires Sep(e_y,HeadAt(ix(batch,heads,0),nq,d),e_lse,ix(ix(batch,heads,0),nq,0));
    requires SepHeads(e_lse,ix(ix(batch,heads,0),nq,0),q,ix(batch,heads,0),nq,d);
    requires SepHeads(e_lse,ix(ix(batch,heads,0),nq,0),eq,ix(batch,heads,0),nq,d);
    requires SepHeads(e_lse,ix(ix(batch,heads,0),nq,0),k,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(e_lse,ix(ix(batch,heads,0),nq,0),ek,ix(batch,kv_heads,0),nk,d);
    requires Sep(e_lse,ix(ix(batch,heads,0),nq,0),mask,ix(nq,nk,0));
    terminates \true;
    assigns e_y[0 .. HeadAt(ix(batch,heads,0),nq,d)-1], e_lse[0 .. ix(ix(batch,heads,0),nq,0)-1];
    ensures \forall integer z, i, c; 0 <= z < ix(batch,heads,0) ==> 0 <= i < nq ==> 0 <= c < d ==>
      e_y[ix(z,ix(nq,d,0),ix(i,d,c))] ==
      PairsBound{Pre}(A,off,causal,masked,mask,nq,nk,q+HeadAt(z,nq,d),
                k+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),
                v+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),eq+HeadAt(z,nq,d),
                ek+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),
                ev+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),d,i,c);
    ensures \forall integer z, i; 0 <= z < ix(batch,heads,0) ==> 0 <= i < nq ==>
      e_lse[ix(z,nq,i)] ==
      PairsLseBound{Pre}(A,off,causal,masked,mask,nq,nk,q+HeadAt(z,nq,d),
                   k+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),eq+HeadAt(z,nq,d),
                   ek+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),d,i);
*/
void pair_sdpa(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal, int masked,
               const double *q, const double *k, const double *v, int off, const double *eq,
               const double *ek, const double *ev, const double *mask, arith A, double *e_y,
               double *e_lse);

/* e_y, from the tree height A.h, and e_lse, from A.h2. */
/*@ requires Grouped(batch,heads,kv_heads);
    requires Heads(q,ix(batch,heads,0),nq,d) && In2(mask,nq,nk);
    requires Heads(k,ix(batch,kv_heads,0),nk,d) && Heads(v,ix(batch,kv_heads,0),nk,d);
    requires OutHeads(e_y,ix(batch,heads,0),nq,d) && Out2(e_lse,ix(batch,heads,0),nq);
    requires SepHeads(e_y,HeadAt(ix(batch,heads,0),nq,d),q,ix(batch,heads,0),nq,d);
    requires SepHeads(e_y,HeadAt(ix(batch,heads,0),nq,d),k,ix(batch,kv_heads,0),nk,d);
    requires SepHeads(e_y,HeadAt(ix(batch,heads,0),nq,d),v,ix(batch,kv_heads,0),nk,d);
    requires Sep(e_y,HeadAt(ix(batch,heads,0),nq,d),mask,ix(nq,nk,0));
    requires Sep(e_y,HeadAt(ix(batch,heads,0),nq,d),e_lse,ix(ix(batch,heads,0),nq,0));
    requires SepHeads(e_lse,ix(ix(batch,heads,0),nq,0),q,ix(batch,heads,0),nq,d);
    requires SepHeads(e_lse,ix(ix(batch,heads,0),nq,0),k,ix(batch,kv_heads,0),nk,d);
    requires Sep(e_lse,ix(ix(batch,heads,0),nq,0),mask,ix(nq,nk,0));
    assigns e_y[0 .. HeadAt(ix(batch,heads,0),nq,d)-1], e_lse[0 .. ix(ix(batch,heads,0),nq,0)-1];
    ensures \forall integer z, i, c; 0 <= z < ix(batch,heads,0) ==> 0 <= i < nq ==> 0 <= c < d ==>
      e_y[ix(z,ix(nq,d,0),ix(i,d,c))] ==
      SdpaBound{Pre}(A,causal,masked,mask,nq,nk,q+HeadAt(z,nq,d),
                k+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),
                v+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),d,i,c);
    ensures \forall integer z, i; 0 <= z < ix(batch,heads,0) ==> 0 <= i < nq ==>
      e_lse[ix(z,nq,i)] ==
      SdpaLseBound{Pre}(A,causal,masked,mask,nq,nk,q+HeadAt(z,nq,d),
                   k+HeadAt(kv_of(z,group_of(heads,kv_heads)),nk,d),d,i);
*/
void bound_sdpa(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal, int masked,
                const double *q, const double *k, const double *v, const double *mask, arith A,
                double *e_y, double *e_lse);

/*@ requires Grouped(batch,heads,kv_heads) && 0 <= len <= capacity;
    requires In2(q,ix(batch,heads,0),d) && Out2(e_y,ix(batch,heads,0),d);
    requires Heads(k,ix(batch,kv_heads,0),capacity,d) && Heads(v,ix(batch,kv_heads,0),capacity,d);
    requires Sep(e_y,ix(ix(batch,heads,0),d,0),q,ix(ix(batch,heads,0),d,0));
    requires SepHeads(e_y,ix(ix(batch,heads,0),d,0),k,ix(batch,kv_heads,0),capacity,d);
    requires SepHeads(e_y,ix(ix(batch,heads,0),d,0),v,ix(batch,kv_heads,0),capacity,d);
    assigns e_y[0 .. ix(ix(batch,heads,0),d,0)-1];
    ensures \forall integer z, c; 0 <= z < ix(batch,heads,0) ==> 0 <= c < d ==>
      e_y[ix(z,d,c)] ==
      AttendedRowError{Pre}(A,0,0,k,1,len,0,q+ix(z,d,0),
                       k+HeadAt(kv_of(z,group_of(heads,kv_heads)),capacity,d),
                       v+HeadAt(kv_of(z,group_of(heads,kv_heads)),capacity,d),d,c);
*/
void bound_decode_sdpa(idx batch, idx heads, idx kv_heads, idx capacity, idx d, idx len,
                       const double *q, const double *k, const double *v, arith A, double *e_y);
#endif
