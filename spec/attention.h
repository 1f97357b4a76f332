/* Scaled dot-product attention, softmax(c Q K^T) V with c = 1 / sqrt(d).
 *
 * The functions below speak of one query head, q and y (nq, d), lse (nq), and of the KV head that
 * it reads, k and v (nk, d). Key j is blocked to query i where it comes after it, causal being
 * not 0 (query i is aligned with key i + nk - nq), or where the mask b, (nq, nk), is not 0, masked
 * being not 0. What is blocked takes no part. */
#ifndef SPEC_ATTENTION_H
#define SPEC_ATTENTION_H
#include "softmax.h"
/*@ axiomatic AttnScale {
      logic real attn_scale(integer d) reads \nothing;
      axiom attn_scale_def: \forall integer d;
        attn_scale(d) == (d <= 0 ? 1.0 : rdiv(1.0, \sqrt((real)d)));
    }
    axiomatic GroupOf {
      logic integer group_of(integer heads, integer kv_heads) reads \nothing;
      axiom group_of_def: \forall integer heads, kv_heads;
        group_of(heads,kv_heads) == (kv_heads <= 0 ? 0 : heads / kv_heads);
    }
    // the KV head of query head z
    axiomatic KvOf {
      logic integer kv_of(integer z, integer group) reads \nothing;
      axiom kv_of_def: \forall integer z, group; kv_of(z,group) == (group <= 0 ? 0 : z / group);
    }
    lemma kv_of_range: \forall integer z, group, n; 1 <= group ==> 0 <= z < ix(n,group,0) ==>
      0 <= kv_of(z,group) < n;
    lemma heads_are_groups: \forall integer batch, heads, kv_heads, group;
      heads == ix(kv_heads,group,0) ==>
      ix(batch,heads,0) == ix(ix(batch,kv_heads,0),group,0);

    // 0 where key j is open to query i
    logic real Blocked{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                          integer i, integer j) =
      causal != 0 && j > i + nk - nq ? 1.0 : masked != 0 ? b[ix(i,nk,j)] : 0.0;
    // of one query, q (d), and key j
    logic real Score{L}(scalar *q, scalar *k, integer d, integer j) =
      rmul(attn_scale(d), RowDot{L}(q,k+ix(j,d,0),d));

    // open ones among the first n keys
    logic integer KeysOpen{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                              integer i, integer n) =
      n <= 0 ? 0 : Blocked{L}(causal,masked,b,nq,nk,i,n-1) == 0.0 ?
        KeysOpen{L}(causal,masked,b,nq,nk,i,n-1) + 1 : KeysOpen{L}(causal,masked,b,nq,nk,i,n-1);
    // the largest score of the open ones; 0 where there is none
    logic real ScoreMax{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                           integer i, scalar *q, scalar *k, integer d, integer n) =
      n <= 0 ? 0.0 :
        MaxStep(Blocked{L}(causal,masked,b,nq,nk,i,n-1), KeysOpen{L}(causal,masked,b,nq,nk,i,n-1),
                ScoreMax{L}(causal,masked,b,nq,nk,i,q,k,d,n-1), Score{L}(q,k,d,n-1));
    // sum of exp(score - m) over the open ones
    logic real ScoreSum{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                           integer i, scalar *q, scalar *k, integer d, real m, integer n) =
      n <= 0 ? 0.0 :
        ScoreSum{L}(causal,masked,b,nq,nk,i,q,k,d,m,n-1) +
        open_exp(Blocked{L}(causal,masked,b,nq,nk,i,n-1), Score{L}(q,k,d,n-1), m);
    // what an open key's value weighs, m and s being the maximum and the sum
    logic real KeyWeight{L}(scalar *q, scalar *k, integer d, real m, real s, integer j) =
      rdiv(\exp(Score{L}(q,k,d,j) - m), s);
    // what key j adds to column c, and the sum of the first n keys
    logic real ValuePart{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                            integer i, scalar *q, scalar *k, scalar *v, integer d, real m, real s,
                            integer c, integer j) =
      if_open(Blocked{L}(causal,masked,b,nq,nk,i,j),
              rmul(KeyWeight{L}(q,k,d,m,s,j), v[ix(j,d,c)]));
    logic real Attended{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                           integer i, scalar *q, scalar *k, scalar *v, integer d, real m, real s,
                           integer c, integer n) =
      n <= 0 ? 0.0 :
        Attended{L}(causal,masked,b,nq,nk,i,q,k,v,d,m,s,c,n-1) +
        ValuePart{L}(causal,masked,b,nq,nk,i,q,k,v,d,m,s,c,n-1);
    logic real RowTop{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                         integer i, scalar *q, scalar *k, integer d) =
      ScoreMax{L}(causal,masked,b,nq,nk,i,q,k,d,nk);
    logic real RowMass{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                          integer i, scalar *q, scalar *k, integer d) =
      ScoreSum{L}(causal,masked,b,nq,nk,i,q,k,d,RowTop{L}(causal,masked,b,nq,nk,i,q,k,d),nk);

    // column c of the output of one query, element (i,c) of the output, and the logarithm of row
    // i's sum of exp(score)
    logic real AttendedRow{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                              integer i, scalar *q, scalar *k, scalar *v, integer d, integer c) =
      Attended{L}(causal,masked,b,nq,nk,i,q,k,v,d,RowTop{L}(causal,masked,b,nq,nk,i,q,k,d),
                  RowMass{L}(causal,masked,b,nq,nk,i,q,k,d),c,nk);
    logic real Sdpa{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                       scalar *q, scalar *k, scalar *v, integer d, integer i, integer c) =
      AttendedRow{L}(causal,masked,b,nq,nk,i,q+ix(i,d,0),k,v,d,c);
    logic real SdpaLse{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                          scalar *q, scalar *k, integer d, integer i) =
      RowTop{L}(causal,masked,b,nq,nk,i,q+ix(i,d,0),k,d) +
      \log(RowMass{L}(causal,masked,b,nq,nk,i,q+ix(i,d,0),k,d));

    // what one row of queries and the keys see is as it was
    predicate SameSeen{L1,L2}(scalar *b, integer nq, integer nk, scalar *q, scalar *k, integer d) =
      Same{L1,L2}(b,ix(nq,nk,0)) && Same{L1,L2}(q,d) && Same{L1,L2}(k,ix(nk,d,0));
    lemma blocked_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk, i, j;
      0 <= i < nq ==> 0 <= j < nk ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      Blocked{L1}(causal,masked,b,nq,nk,i,j) == Blocked{L2}(causal,masked,b,nq,nk,i,j);
    // a part of an array, element by element
    predicate SameRd{L1,L2}(scalar *a, integer n) =
      \forall integer i; 0 <= i < n ==> rd{L1}(a,i) == rd{L2}(a,i);
    lemma rd_frame{L1,L2}: \forall scalar *a, integer n, i; 0 <= i < n ==>
      Same{L1,L2}(a,n) ==> rd{L1}(a,i) == rd{L2}(a,i);
    lemma rd_part{L}: \forall scalar *a, integer o, i; rd{L}(a+o,i) == rd{L}(a,o+i);
    lemma rd_within{L1,L2}: \forall scalar *a, integer n, o, d; 0 <= o <= n - d ==>
      Same{L1,L2}(a,n) ==> SameRd{L1,L2}(a+o,d);
    lemma rd_same{L1,L2}: \forall scalar *a, integer n; SameRd{L1,L2}(a,n) ==> Same{L1,L2}(a,n);
    lemma within_frame{L1,L2}: \forall scalar *a, integer n, o, d; 0 <= o <= n - d ==>
      Same{L1,L2}(a,n) ==> Same{L1,L2}(a+o,d);
    lemma row_within: \forall integer j, n, d; 0 <= j < n ==> 0 <= d ==>
      0 <= ix(j,d,0) <= ix(n,d,0) - d;
    lemma row_frame{L1,L2}: \forall scalar *a, integer n, d, j; 0 <= j < n ==> 0 <= d ==>
      Same{L1,L2}(a,ix(n,d,0)) ==> Same{L1,L2}(a+ix(j,d,0),d);
    lemma score_frame{L1,L2}: \forall scalar *b, integer nq, nk, scalar *q, *k, integer d, j;
      0 <= j < nk ==> 0 <= d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      Score{L1}(q,k,d,j) == Score{L2}(q,k,d,j);
    lemma keys_open_frame{L1,L2}: \forall integer n, causal, masked, scalar *b, integer nq, nk, i;
      0 <= i < nq ==> n <= nk ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      KeysOpen{L1}(causal,masked,b,nq,nk,i,n) == KeysOpen{L2}(causal,masked,b,nq,nk,i,n);
    lemma score_max_frame{L1,L2}: \forall integer n, causal, masked, scalar *b, integer nq, nk, i,
      scalar *q, *k, integer d; 0 <= i < nq ==> n <= nk ==> 0 <= d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      ScoreMax{L1}(causal,masked,b,nq,nk,i,q,k,d,n) ==
      ScoreMax{L2}(causal,masked,b,nq,nk,i,q,k,d,n);
    lemma score_sum_frame{L1,L2}: \forall integer n, causal, masked, scalar *b, integer nq, nk, i,
      scalar *q, *k, integer d, real m; 0 <= i < nq ==> n <= nk ==> 0 <= d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      ScoreSum{L1}(causal,masked,b,nq,nk,i,q,k,d,m,n) ==
      ScoreSum{L2}(causal,masked,b,nq,nk,i,q,k,d,m,n);
    lemma value_part_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk, i,
      scalar *q, *k, *v, integer d, real m, s, integer c, j; 0 <= i < nq ==> 0 <= j < nk ==>
      0 <= c < d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      ValuePart{L1}(causal,masked,b,nq,nk,i,q,k,v,d,m,s,c,j) ==
      ValuePart{L2}(causal,masked,b,nq,nk,i,q,k,v,d,m,s,c,j);
    lemma attended_frame{L1,L2}: \forall integer n, causal, masked, scalar *b, integer nq, nk, i,
      scalar *q, *k, *v, integer d, real m, s, integer c; 0 <= i < nq ==> n <= nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      Attended{L1}(causal,masked,b,nq,nk,i,q,k,v,d,m,s,c,n) ==
      Attended{L2}(causal,masked,b,nq,nk,i,q,k,v,d,m,s,c,n);
    lemma attended_row_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk, i,
      scalar *q, *k, *v, integer d, c; 0 <= i < nq ==> 0 <= nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      AttendedRow{L1}(causal,masked,b,nq,nk,i,q,k,v,d,c) ==
      AttendedRow{L2}(causal,masked,b,nq,nk,i,q,k,v,d,c);
    lemma row_top_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk, i,
      scalar *q, *k, integer d; 0 <= i < nq ==> 0 <= nk ==> 0 <= d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      RowTop{L1}(causal,masked,b,nq,nk,i,q,k,d) == RowTop{L2}(causal,masked,b,nq,nk,i,q,k,d) &&
      RowMass{L1}(causal,masked,b,nq,nk,i,q,k,d) == RowMass{L2}(causal,masked,b,nq,nk,i,q,k,d);
    // of a whole head
    lemma query_row_frame{L1,L2}: \forall scalar *b, integer nq, nk, scalar *q, *k, integer d, i;
      0 <= i < nq ==> 0 <= d ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> SameSeen{L1,L2}(b,nq,nk,q+ix(i,d,0),k,d);
    lemma sdpa_row_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q+ix(i,d,0),k,d) ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      Sdpa{L1}(causal,masked,b,nq,nk,q,k,v,d,i,c) == Sdpa{L2}(causal,masked,b,nq,nk,q,k,v,d,i,c);
    lemma sdpa_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==> 0 <= c < d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      Sdpa{L1}(causal,masked,b,nq,nk,q,k,v,d,i,c) == Sdpa{L2}(causal,masked,b,nq,nk,q,k,v,d,i,c);
    lemma sdpa_lse_row_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, integer d, i; 0 <= i < nq ==> 0 <= nk ==> 0 <= d ==>
      SameSeen{L1,L2}(b,nq,nk,q+ix(i,d,0),k,d) ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      SdpaLse{L1}(causal,masked,b,nq,nk,q,k,d,i) == SdpaLse{L2}(causal,masked,b,nq,nk,q,k,d,i);
    lemma sdpa_lse_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, integer d, i; 0 <= i < nq ==> 0 <= nk ==> 0 <= d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      SdpaLse{L1}(causal,masked,b,nq,nk,q,k,d,i) == SdpaLse{L2}(causal,masked,b,nq,nk,q,k,d,i);
*/
#endif
