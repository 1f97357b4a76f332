/* Bounds of the VJP of attention do not change where what they read does not. */
#ifndef REF_ATTENTION_VJP_FRAMES_H
#define REF_ATTENTION_VJP_FRAMES_H
#include "attention_apart.h"

/*@ // of one query
    lemma key_prob_frame{L1,L2}: \forall arith A, scalar *q, *k, real l, integer d, nk, j;
      0 <= j < nk ==> 0 <= d ==> Same{L1,L2}(q,d) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      KeyProb{L1}(A,q,k,l,d,j) == KeyProb{L2}(A,q,k,l,d,j);
    lemma pull_dots_frame{L1,L2}: \forall scalar *v, *g, integer d, nk, j; 0 <= j < nk ==>
      0 <= d ==> Same{L1,L2}(g,d) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      RowDot{L1}(g,v+ix(j,d,0),d) == RowDot{L2}(g,v+ix(j,d,0),d) &&
      RowAbs{L1}(g,v+ix(j,d,0),d) == RowAbs{L2}(g,v+ix(j,d,0),d);
    lemma key_pull_frame{L1,L2}: \forall arith A, scalar *q, *k, *v, *y, real l, scalar *g,
      integer d, nk, j; 0 <= j < nk ==> 0 <= d ==>
      Same{L1,L2}(q,d) ==> Same{L1,L2}(y,d) ==> Same{L1,L2}(g,d) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      KeyPull{L1}(A,q,k,v,y,l,g,d,j) == KeyPull{L2}(A,q,k,v,y,l,g,d,j);
    lemma error_q_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, *v, *y, real l, scalar *g, integer d, c, j;
      0 <= i < nq ==> 0 <= j < nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      Same{L1,L2}(y,d) ==> Same{L1,L2}(g,d) ==>
      ErrorQ{L1}(A,causal,masked,b,nq,nk,i,q,k,v,y,l,g,d,c,j) ==
      ErrorQ{L2}(A,causal,masked,b,nq,nk,i,q,k,v,y,l,g,d,c,j);
    lemma pull_error_q_frame{L1,L2}: \forall integer n, arith A, integer causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, *v, *y, real l, scalar *g, integer d, c;
      0 <= i < nq ==> n <= nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      Same{L1,L2}(y,d) ==> Same{L1,L2}(g,d) ==>
      PullErrorQ{L1}(A,causal,masked,b,nq,nk,i,q,k,v,y,l,g,d,c,n) ==
      PullErrorQ{L2}(A,causal,masked,b,nq,nk,i,q,k,v,y,l,g,d,c,n);
    // of rows of queries
    lemma key_prob_at_row_frame{L1,L2}: \forall arith A, scalar *q, *k, real l,
      integer d, nk, j, t, rows;
      0 <= j < nk ==> 0 <= t < rows ==> 0 <= d ==> SameRowOf{L1,L2}(q,rows,d,t) ==>
      Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      KeyProb{L1}(A,q+ix(t,d,0),k,l,d,j) == KeyProb{L2}(A,q+ix(t,d,0),k,l,d,j);
    lemma key_prob_row_frame{L1,L2}: \forall arith A, scalar *q, *k, real l,
      integer d, nk, j, t, rows;
      0 <= j < nk ==> 0 <= t < rows ==> 0 <= d ==>
      Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      KeyProb{L1}(A,q+ix(t,d,0),k,l,d,j) == KeyProb{L2}(A,q+ix(t,d,0),k,l,d,j);
    lemma key_pull_at_row_frame{L1,L2}: \forall arith A, scalar *q, *k, *v, *y, real l, scalar *g,
      integer d, nk, j, t, rows; 0 <= j < nk ==> 0 <= t < rows ==> 0 <= d ==>
      SameRowOf{L1,L2}(q,rows,d,t) ==> SameRowOf{L1,L2}(y,rows,d,t) ==>
      SameRowOf{L1,L2}(g,rows,d,t) ==> Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(y,ix(rows,d,0)) ==>
      Same{L1,L2}(g,ix(rows,d,0)) ==>
      KeyPull{L1}(A,q+ix(t,d,0),k,v,y+ix(t,d,0),l,g+ix(t,d,0),d,j) ==
      KeyPull{L2}(A,q+ix(t,d,0),k,v,y+ix(t,d,0),l,g+ix(t,d,0),d,j);
    lemma key_pull_row_frame{L1,L2}: \forall arith A, scalar *q, *k, *v, *y, real l, scalar *g,
      integer d, nk, j, t, rows; 0 <= j < nk ==> 0 <= t < rows ==> 0 <= d ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(y,ix(rows,d,0)) ==>
      Same{L1,L2}(g,ix(rows,d,0)) ==>
      KeyPull{L1}(A,q+ix(t,d,0),k,v,y+ix(t,d,0),l,g+ix(t,d,0),d,j) ==
      KeyPull{L2}(A,q+ix(t,d,0),k,v,y+ix(t,d,0),l,g+ix(t,d,0),d,j);
    lemma error_k_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, j, c, t, rows;
      1 <= nq ==> 0 <= j < nk ==> 0 <= t < rows ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      ErrorK{L1}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,t,rows) ==
      ErrorK{L2}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,t,rows);
    lemma error_v_at_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *lse, *g, integer d, j, c, t, rows;
      KeyProb{L1}(A,q+ix(t,d,0),k,\at(lse[t],L1),d,j) ==
      KeyProb{L2}(A,q+ix(t,d,0),k,\at(lse[t],L2),d,j) ==>
      \at(g[ix(t,d,c)],L1) == \at(g[ix(t,d,c)],L2) ==>
      Blocked{L1}(causal,masked,b,nq,nk,query_of(t,nq),j) ==
      Blocked{L2}(causal,masked,b,nq,nk,query_of(t,nq),j) ==>
      ErrorV{L1}(A,causal,masked,b,nq,nk,q,k,lse,g,d,j,c,t,rows) ==
      ErrorV{L2}(A,causal,masked,b,nq,nk,q,k,lse,g,d,j,c,t,rows);
    lemma error_v_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, j, c, t, rows;
      1 <= nq ==> 0 <= j < nk ==> 0 <= t < rows ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      ErrorV{L1}(A,causal,masked,b,nq,nk,q,k,lse,g,d,j,c,t,rows) ==
      ErrorV{L2}(A,causal,masked,b,nq,nk,q,k,lse,g,d,j,c,t,rows);
    lemma pull_error_k_frame{L1,L2}: \forall integer n, arith A, integer causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *v, *y, *lse, *g, integer d, j, c, rows;
      1 <= nq ==> 0 <= j < nk ==> n <= rows ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      PullErrorK{L1}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,rows,n) ==
      PullErrorK{L2}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,rows,n);
    lemma pull_error_v_frame{L1,L2}: \forall integer n, arith A, integer causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *v, *y, *lse, *g, integer d, j, c, rows;
      1 <= nq ==> 0 <= j < nk ==> n <= rows ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      PullErrorV{L1}(A,causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows,n) ==
      PullErrorV{L2}(A,causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows,n);
    lemma bound_v_whole{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *lse, *g, integer d, j, c, rows;
      (1 <= rows ==> 1 <= nq) ==> 0 <= j < nk ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,k,q,lse,g,rows,d) ==>
      SdpaVjpVBound{L1}(A,causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows) ==
      SdpaVjpVBound{L2}(A,causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows);
    lemma bound_v_seen{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *lse, *g, integer d, j, c, rows;
      (1 <= rows ==> 1 <= nq) ==> 0 <= j < nk ==> 0 <= c < d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(g,ix(rows,d,0)) ==> Same{L1,L2}(lse,rows) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,k,q,lse,g,rows,d) &&
      SdpaVjpVBound{L1}(A,causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows) ==
      SdpaVjpVBound{L2}(A,causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows);
    lemma bound_v_same{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *lse, *g, integer d, j, c, rows;
      (1 <= rows ==> 1 <= nq) ==> 0 <= j < nk ==> 0 <= c < d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(g,ix(rows,d,0)) ==> Same{L1,L2}(lse,rows) ==>
      SdpaVjpVBound{L1}(A,causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows) ==
      SdpaVjpVBound{L2}(A,causal,masked,b,nq,nk,q,k,lse,g,d,j,c,rows);
*/
#endif
