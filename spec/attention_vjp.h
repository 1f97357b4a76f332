/* The VJP of scaled dot-product attention.
 *
 * The functions below speak of one KV head, k and v (nk, d), and of the rows of queries that read
 * it, one query head after another: row t is query t mod nq of its head. y and lse are those of the
 * forward op, g is the cotangent of y. */
#ifndef SPEC_ATTENTION_VJP_H
#define SPEC_ATTENTION_VJP_H
#include "attention.h"
/*@ axiomatic QueryOf {
      logic integer query_of(integer t, integer nq) reads \nothing;
      axiom query_of_def: \forall integer t, nq; query_of(t,nq) == t % nq;
    }
    lemma query_of_range: \forall integer t, nq; 0 <= t ==> 1 <= nq ==> 0 <= query_of(t,nq) < nq;
    lemma groups_are_rows: \forall integer n, group, nq, d;
      ix(ix(n,group,0),ix(nq,d,0),0) == ix(n,ix(ix(group,nq,0),d,0),0);

    // of one query, q, y and g (d), and key j, its probability, and the cotangent of its score
    // times c
    logic real Prob{L}(scalar *q, scalar *k, real lse, integer d, integer j) =
      \exp(Score{L}(q,k,d,j) - lse);
    logic real Pull{L}(scalar *v, scalar *y, scalar *g, integer d, integer j) =
      RowDot{L}(g,v+ix(j,d,0),d) - RowDot{L}(g,y,d);
    logic real ScorePull{L}(scalar *q, scalar *k, scalar *v, scalar *y, real lse, scalar *g,
                            integer d, integer j) =
      rmul(attn_scale(d), rmul(Prob{L}(q,k,lse,d,j), Pull{L}(v,y,g,d,j)));
    // what a key adds to dq, and a row of queries to dk and dv, and their sums
    logic real PartQ{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                        integer i, scalar *q, scalar *k, scalar *v, scalar *y, real lse, scalar *g,
                        integer d, integer c, integer j) =
      if_open(Blocked{L}(causal,masked,b,nq,nk,i,j),
              rmul(ScorePull{L}(q,k,v,y,lse,g,d,j), k[ix(j,d,c)]));
    logic real PullQ{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                        integer i, scalar *q, scalar *k, scalar *v, scalar *y, real lse, scalar *g,
                        integer d, integer c, integer n) =
      n <= 0 ? 0.0 : PullQ{L}(causal,masked,b,nq,nk,i,q,k,v,y,lse,g,d,c,n-1) +
                     PartQ{L}(causal,masked,b,nq,nk,i,q,k,v,y,lse,g,d,c,n-1);
    logic real PartK{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                        scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse, scalar *g,
                        integer d, integer j, integer c, integer t) =
      if_open(Blocked{L}(causal,masked,b,nq,nk,query_of(t,nq),j),
              rmul(ScorePull{L}(q+ix(t,d,0),k,v,y+ix(t,d,0),lse[t],g+ix(t,d,0),d,j),
                   q[ix(t,d,c)]));
    logic real PullK{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                        scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse, scalar *g,
                        integer d, integer j, integer c, integer n) =
      n <= 0 ? 0.0 : PullK{L}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,n-1) +
                     PartK{L}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,n-1);
    logic real PartV{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                        scalar *q, scalar *k, scalar *lse, scalar *g,
                        integer d, integer j, integer c, integer t) =
      if_open(Blocked{L}(causal,masked,b,nq,nk,query_of(t,nq),j),
              rmul(Prob{L}(q+ix(t,d,0),k,lse[t],d,j), g[ix(t,d,c)]));
    logic real PullV{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                        scalar *q, scalar *k, scalar *lse, scalar *g,
                        integer d, integer j, integer c, integer n) =
      n <= 0 ? 0.0 : PullV{L}(causal,masked,b,nq,nk,q,k,lse,g,d,j,c,n-1) +
                     PartV{L}(causal,masked,b,nq,nk,q,k,lse,g,d,j,c,n-1);
    // element (i,c) of dq
    logic real SdpaVjpQ{L}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                           scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse, scalar *g,
                           integer d, integer i, integer c) =
      PullQ{L}(causal,masked,b,nq,nk,i,q+ix(i,d,0),k,v,y+ix(i,d,0),lse[i],g+ix(i,d,0),d,c,nk);

    lemma prob_frame{L1,L2}: \forall scalar *q, *k, real l, integer d, nk, j; 0 <= j < nk ==>
      0 <= d ==> Same{L1,L2}(q,d) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Prob{L1}(q,k,l,d,j) == Prob{L2}(q,k,l,d,j);
    lemma pull_frame{L1,L2}: \forall scalar *v, *y, *g, integer nk, d, j; 0 <= j < nk ==> 0 <= d ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,d) ==> Same{L1,L2}(g,d) ==>
      Pull{L1}(v,y,g,d,j) == Pull{L2}(v,y,g,d,j);
    lemma score_pull_frame{L1,L2}: \forall scalar *q, *k, *v, *y, real l, scalar *g,
      integer d, nk, j; 0 <= j < nk ==> 0 <= d ==> Same{L1,L2}(q,d) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,d) ==>
      Same{L1,L2}(g,d) ==> ScorePull{L1}(q,k,v,y,l,g,d,j) == ScorePull{L2}(q,k,v,y,l,g,d,j);
    lemma part_q_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk, i,
      scalar *q, *k, *v, *y, real lse, scalar *g, integer d, c, j;
      0 <= i < nq ==> 0 <= j < nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      Same{L1,L2}(y,d) ==> Same{L1,L2}(g,d) ==>
      PartQ{L1}(causal,masked,b,nq,nk,i,q,k,v,y,lse,g,d,c,j) ==
      PartQ{L2}(causal,masked,b,nq,nk,i,q,k,v,y,lse,g,d,c,j);
    lemma pull_q_frame{L1,L2}: \forall integer n, causal, masked, scalar *b, integer nq, nk, i,
      scalar *q, *k, *v, *y, real lse, scalar *g, integer d, c;
      0 <= i < nq ==> n <= nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      Same{L1,L2}(y,d) ==> Same{L1,L2}(g,d) ==>
      PullQ{L1}(causal,masked,b,nq,nk,i,q,k,v,y,lse,g,d,c,n) ==
      PullQ{L2}(causal,masked,b,nq,nk,i,q,k,v,y,lse,g,d,c,n);
    // of rows of queries
    predicate SameRowsSeen{L1,L2}(scalar *b, integer nq, integer nk, scalar *q, scalar *k,
                                  scalar *v, scalar *y, scalar *lse, scalar *g, integer rows,
                                  integer d) =
      Same{L1,L2}(b,ix(nq,nk,0)) && Same{L1,L2}(k,ix(nk,d,0)) && Same{L1,L2}(v,ix(nk,d,0)) &&
      Same{L1,L2}(q,ix(rows,d,0)) && Same{L1,L2}(y,ix(rows,d,0)) &&
      Same{L1,L2}(g,ix(rows,d,0)) && Same{L1,L2}(lse,rows);
    lemma element_frame{L1,L2}: \forall scalar *a, integer rows, d, t, c; 0 <= t < rows ==>
      0 <= c < d ==> Same{L1,L2}(a,ix(rows,d,0)) ==>
      \at(a[ix(t,d,c)],L1) == \at(a[ix(t,d,c)],L2);
    // row t, said with how many there are
    predicate SameRowOf{L1,L2}(scalar *a, integer rows, integer d, integer t) =
      Same{L1,L2}(a+ix(t,d,0),d);
    lemma same_row_of{L1,L2}: \forall scalar *a, integer rows, d, t; 0 <= t < rows ==> 0 <= d ==>
      Same{L1,L2}(a,ix(rows,d,0)) ==> SameRowOf{L1,L2}(a,rows,d,t);
    lemma blocked_row_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      t, j; 1 <= nq ==> 0 <= t ==> 0 <= j < nk ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      Blocked{L1}(causal,masked,b,nq,nk,query_of(t,nq),j) ==
      Blocked{L2}(causal,masked,b,nq,nk,query_of(t,nq),j);
    lemma prob_at_row_frame{L1,L2}: \forall scalar *q, *k, real l, integer d, nk, j, t, rows;
      0 <= j < nk ==> 0 <= t < rows ==> 0 <= d ==> SameRowOf{L1,L2}(q,rows,d,t) ==>
      Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Prob{L1}(q+ix(t,d,0),k,l,d,j) == Prob{L2}(q+ix(t,d,0),k,l,d,j);
    lemma prob_row_frame{L1,L2}: \forall scalar *q, *k, real l, integer d, nk, j, t, rows;
      0 <= j < nk ==> 0 <= t < rows ==> 0 <= d ==>
      Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Prob{L1}(q+ix(t,d,0),k,l,d,j) == Prob{L2}(q+ix(t,d,0),k,l,d,j);
    lemma score_pull_at_row_frame{L1,L2}: \forall scalar *q, *k, *v, *y, real l, scalar *g,
      integer d, nk, j, t, rows; 0 <= j < nk ==> 0 <= t < rows ==> 0 <= d ==>
      SameRowOf{L1,L2}(q,rows,d,t) ==> SameRowOf{L1,L2}(y,rows,d,t) ==>
      SameRowOf{L1,L2}(g,rows,d,t) ==> Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(y,ix(rows,d,0)) ==>
      Same{L1,L2}(g,ix(rows,d,0)) ==>
      ScorePull{L1}(q+ix(t,d,0),k,v,y+ix(t,d,0),l,g+ix(t,d,0),d,j) ==
      ScorePull{L2}(q+ix(t,d,0),k,v,y+ix(t,d,0),l,g+ix(t,d,0),d,j);
    lemma score_pull_row_frame{L1,L2}: \forall scalar *q, *k, *v, *y, real l, scalar *g,
      integer d, nk, j, t, rows; 0 <= j < nk ==> 0 <= t < rows ==> 0 <= d ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(y,ix(rows,d,0)) ==>
      Same{L1,L2}(g,ix(rows,d,0)) ==>
      ScorePull{L1}(q+ix(t,d,0),k,v,y+ix(t,d,0),l,g+ix(t,d,0),d,j) ==
      ScorePull{L2}(q+ix(t,d,0),k,v,y+ix(t,d,0),l,g+ix(t,d,0),d,j);
    lemma part_k_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, j, c, t, rows;
      1 <= nq ==> 0 <= j < nk ==> 0 <= t < rows ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      PartK{L1}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,t) ==
      PartK{L2}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,t);
    lemma part_v_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, j, c, t, rows;
      1 <= nq ==> 0 <= j < nk ==> 0 <= t < rows ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      PartV{L1}(causal,masked,b,nq,nk,q,k,lse,g,d,j,c,t) ==
      PartV{L2}(causal,masked,b,nq,nk,q,k,lse,g,d,j,c,t);
    lemma pull_k_frame{L1,L2}: \forall integer n, causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, j, c, rows;
      1 <= nq ==> 0 <= j < nk ==> n <= rows ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      PullK{L1}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,n) ==
      PullK{L2}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,n);
    lemma pull_v_frame{L1,L2}: \forall integer n, causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, j, c, rows;
      1 <= nq ==> 0 <= j < nk ==> n <= rows ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      PullV{L1}(causal,masked,b,nq,nk,q,k,lse,g,d,j,c,n) ==
      PullV{L2}(causal,masked,b,nq,nk,q,k,lse,g,d,j,c,n);
    // of a whole head
    lemma vjp_q_row_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q+ix(i,d,0),k,d) ==> Same{L1,L2}(y+ix(i,d,0),d) ==>
      Same{L1,L2}(g+ix(i,d,0),d) ==> SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,nq,d) ==>
      SdpaVjpQ{L1}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,i,c) ==
      SdpaVjpQ{L2}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,i,c);
    lemma vjp_q_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,nq,d) ==>
      SdpaVjpQ{L1}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,i,c) ==
      SdpaVjpQ{L2}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,i,c);
    lemma vjp_q_same{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==> 0 <= c < d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(nq,d,0)) ==> Same{L1,L2}(g,ix(nq,d,0)) ==>
      Same{L1,L2}(lse,nq) ==>
      SdpaVjpQ{L1}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,i,c) ==
      SdpaVjpQ{L2}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,i,c);
    lemma pull_k_whole{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, j, c, rows;
      (1 <= rows ==> 1 <= nq) ==> 0 <= j < nk ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      PullK{L1}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,rows) ==
      PullK{L2}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,rows);
    lemma pull_k_same{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, j, c, rows;
      (1 <= rows ==> 1 <= nq) ==> 0 <= j < nk ==> 0 <= c < d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(rows,d,0)) ==> Same{L1,L2}(g,ix(rows,d,0)) ==>
      Same{L1,L2}(lse,rows) ==>
      PullK{L1}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,rows) ==
      PullK{L2}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,rows);
    lemma pull_v_whole{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *lse, *g, integer d, j, c, rows;
      (1 <= rows ==> 1 <= nq) ==> 0 <= j < nk ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,k,q,lse,g,rows,d) ==>
      PullV{L1}(causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows) ==
      PullV{L2}(causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows);
    lemma pull_v_seen{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *lse, *g, integer d, j, c, rows;
      (1 <= rows ==> 1 <= nq) ==> 0 <= j < nk ==> 0 <= c < d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(g,ix(rows,d,0)) ==> Same{L1,L2}(lse,rows) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,k,q,lse,g,rows,d) &&
      PullV{L1}(causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows) ==
      PullV{L2}(causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows);
    lemma pull_v_same{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *lse, *g, integer d, j, c, rows;
      (1 <= rows ==> 1 <= nq) ==> 0 <= j < nk ==> 0 <= c < d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(g,ix(rows,d,0)) ==> Same{L1,L2}(lse,rows) ==>
      PullV{L1}(causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows) ==
      PullV{L2}(causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows);
*/
#endif
