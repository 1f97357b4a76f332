/* Bounds of the VJP of attention do not change where what they read does not. */
#ifndef REF_ATTENTION_VJP_FRAMES_H
#define REF_ATTENTION_VJP_FRAMES_H
#include "attention_apart.h"
#include "attention_pair.h"

/*@ // of one query
    lemma key_prob_frame{L1,L2}: \forall arith A, scalar *q, *k, real l, integer d, nk, j;
      0 <= j < nk ==> 0 <= d ==> Same{L1,L2}(q,d) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      KeyProb{L1}(A,q,k,l,d,j) == KeyProb{L2}(A,q,k,l,d,j);
    lemma pull_dots_frame{L1,L2}: \forall scalar *v, *g, integer d, nk, j; 0 <= j < nk ==>
      0 <= d ==> Same{L1,L2}(g,d) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      RowDot{L1}(g,v+ix(j,d,0),d) == RowDot{L2}(g,v+ix(j,d,0),d) &&
      RowAbs{L1}(g,v+ix(j,d,0),d) == RowAbs{L2}(g,v+ix(j,d,0),d);
    lemma pull_more_frame{L1,L2}: \forall integer off, scalar *v, *g, *eg, integer d, nk, j;
      0 <= j < nk ==> 0 <= d ==> Same{L1,L2}(g,d) ==> Same{L1,L2}(eg,d) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==>
      PullMore{L1}(off,g,eg,v+ix(j,d,0),d) == PullMore{L2}(off,g,eg,v+ix(j,d,0),d);
    lemma key_pull_frame{L1,L2}: \forall arith A, integer off, scalar *q, *k, *v, *y, real l,
      scalar *g, *eg, integer d, nk, j; 0 <= j < nk ==> 0 <= d ==> Same{L1,L2}(q,d) ==>
      Same{L1,L2}(y,d) ==> Same{L1,L2}(g,d) ==> Same{L1,L2}(eg,d) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==>
      KeyPull{L1}(A,off,q,k,v,y,l,g,eg,d,j) == KeyPull{L2}(A,off,q,k,v,y,l,g,eg,d,j);
    lemma error_q_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b, integer nq,
      nk, i, scalar *q, *k, *v, *y, real l, scalar *g, *eg, integer d, c, j; 0 <= i < nq ==>
      0 <= j < nk ==> 0 <= c < d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,d) ==> Same{L1,L2}(g,d) ==> Same{L1,L2}(eg,d) ==>
      ErrorQ{L1}(A,off,causal,masked,b,nq,nk,i,q,k,v,y,l,g,eg,d,c,j) ==
      ErrorQ{L2}(A,off,causal,masked,b,nq,nk,i,q,k,v,y,l,g,eg,d,c,j);
    lemma pull_error_q_frame{L1,L2}: \forall integer n, arith A, integer off, causal, masked,
      scalar *b, integer nq, nk, i, scalar *q, *k, *v, *y, real l, scalar *g, *eg, integer d, c;
      0 <= i < nq ==> n <= nk ==> 0 <= c < d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,d) ==> Same{L1,L2}(g,d) ==> Same{L1,L2}(eg,d) ==>
      PullErrorQ{L1}(A,off,causal,masked,b,nq,nk,i,q,k,v,y,l,g,eg,d,c,n) ==
      PullErrorQ{L2}(A,off,causal,masked,b,nq,nk,i,q,k,v,y,l,g,eg,d,c,n);
    // of rows of queries
    lemma key_prob_at_row_frame{L1,L2}: \forall arith A, scalar *q, *k, real l, integer d, nk, j, t,
      rows; 0 <= j < nk ==> 0 <= t < rows ==> 0 <= d ==> SameRowOf{L1,L2}(q,rows,d,t) ==>
      Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      KeyProb{L1}(A,q+ix(t,d,0),k,l,d,j) == KeyProb{L2}(A,q+ix(t,d,0),k,l,d,j);
    lemma key_prob_row_frame{L1,L2}: \forall arith A, scalar *q, *k, real l, integer d, nk, j, t,
      rows; 0 <= j < nk ==> 0 <= t < rows ==> 0 <= d ==> Same{L1,L2}(q,ix(rows,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==>
      KeyProb{L1}(A,q+ix(t,d,0),k,l,d,j) == KeyProb{L2}(A,q+ix(t,d,0),k,l,d,j);
    lemma key_pull_at_row_frame{L1,L2}: \forall arith A, integer off, scalar *q, *k, *v, *y, real l,
      scalar *g, *eg, integer d, nk, j, t, rows; 0 <= j < nk ==> 0 <= t < rows ==> 0 <= d ==>
      SameRowOf{L1,L2}(q,rows,d,t) ==> SameRowOf{L1,L2}(y,rows,d,t) ==>
      SameRowOf{L1,L2}(g,rows,d,t) ==> SameRowOf{L1,L2}(eg,rows,d,t) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==>
      Same{L1,L2}(y,ix(rows,d,0)) ==> Same{L1,L2}(g,ix(rows,d,0)) ==>
      Same{L1,L2}(eg,ix(rows,d,0)) ==>
      KeyPull{L1}(A,off,q+ix(t,d,0),k,v,y+ix(t,d,0),l,g+ix(t,d,0),eg+ix(t,d,0),d,j) ==
      KeyPull{L2}(A,off,q+ix(t,d,0),k,v,y+ix(t,d,0),l,g+ix(t,d,0),eg+ix(t,d,0),d,j);
    lemma key_pull_row_frame{L1,L2}: \forall arith A, integer off, scalar *q, *k, *v, *y, real l,
      scalar *g, *eg, integer d, nk, j, t, rows; 0 <= j < nk ==> 0 <= t < rows ==> 0 <= d ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==>
      Same{L1,L2}(y,ix(rows,d,0)) ==> Same{L1,L2}(g,ix(rows,d,0)) ==>
      Same{L1,L2}(eg,ix(rows,d,0)) ==>
      KeyPull{L1}(A,off,q+ix(t,d,0),k,v,y+ix(t,d,0),l,g+ix(t,d,0),eg+ix(t,d,0),d,j) ==
      KeyPull{L2}(A,off,q+ix(t,d,0),k,v,y+ix(t,d,0),l,g+ix(t,d,0),eg+ix(t,d,0),d,j);
    lemma error_k_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, j, c, t, rows; 1 <= nq ==>
      0 <= j < nk ==> 0 <= t < rows ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,eg,rows,d) ==>
      ErrorK{L1}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,j,c,t,rows) ==
      ErrorK{L2}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,j,c,t,rows);
    lemma error_v_at_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *lse, *g, *eg, integer d, j, c, t, rows;
      KeyProb{L1}(A,q+ix(t,d,0),k,\at(lse[t],L1),d,j) ==
      KeyProb{L2}(A,q+ix(t,d,0),k,\at(lse[t],L2),d,j) ==>
      \at(g[ix(t,d,c)],L1) == \at(g[ix(t,d,c)],L2) ==>
      \at(eg[ix(t,d,c)],L1) == \at(eg[ix(t,d,c)],L2) ==>
      Blocked{L1}(causal,masked,b,nq,nk,query_of(t,nq),j) ==
      Blocked{L2}(causal,masked,b,nq,nk,query_of(t,nq),j) ==>
      ErrorV{L1}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,t,rows) ==
      ErrorV{L2}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,t,rows);
    lemma error_v_row_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, j, c, t, rows; 1 <= nq ==>
      0 <= j < nk ==> 0 <= t < rows ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      \at(eg[ix(t,d,c)],L1) == \at(eg[ix(t,d,c)],L2) ==>
      ErrorV{L1}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,t,rows) ==
      ErrorV{L2}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,t,rows);
    lemma error_v_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, j, c, t, rows; 1 <= nq ==>
      0 <= j < nk ==> 0 <= t < rows ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,eg,rows,d) ==>
      ErrorV{L1}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,t,rows) ==
      ErrorV{L2}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,t,rows);
    lemma pull_error_k_frame{L1,L2}: \forall integer n, arith A, integer off, causal, masked,
      scalar *b, integer nq, nk, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, j, c, rows;
      1 <= nq ==> 0 <= j < nk ==> n <= rows ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,eg,rows,d) ==>
      PullErrorK{L1}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,j,c,rows,n) ==
      PullErrorK{L2}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,j,c,rows,n);
    lemma pull_error_v_frame{L1,L2}: \forall integer n, arith A, integer off, causal, masked,
      scalar *b, integer nq, nk, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, j, c, rows;
      1 <= nq ==> 0 <= j < nk ==> n <= rows ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,eg,rows,d) ==>
      PullErrorV{L1}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,rows,n) ==
      PullErrorV{L2}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,rows,n);
    lemma bound_v_whole{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *lse, *g, *eg, integer d, j, c, rows; (1 <= rows ==> 1 <= nq) ==>
      0 <= j < nk ==> 0 <= c < d ==> SameRowsSeen{L1,L2}(b,nq,nk,q,k,k,q,lse,g,rows,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,k,q,lse,eg,rows,d) ==>
      PairsVjpVBound{L1}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,rows) ==
      PairsVjpVBound{L2}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,rows);
    lemma bound_v_seen{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *lse, *g, *eg, integer d, j, c, rows; (1 <= rows ==> 1 <= nq) ==>
      0 <= j < nk ==> 0 <= c < d ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(g,ix(rows,d,0)) ==> Same{L1,L2}(eg,ix(rows,d,0)) ==>
      Same{L1,L2}(lse,rows) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,k,q,lse,g,rows,d) &&
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,k,q,lse,eg,rows,d) &&
      PairsVjpVBound{L1}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,rows) ==
      PairsVjpVBound{L2}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,rows);
    lemma bound_v_same{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *lse, *g, *eg, integer d, j, c, rows; (1 <= rows ==> 1 <= nq) ==>
      0 <= j < nk ==> 0 <= c < d ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(g,ix(rows,d,0)) ==> Same{L1,L2}(eg,ix(rows,d,0)) ==>
      Same{L1,L2}(lse,rows) ==>
      PairsVjpVBound{L1}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,rows) ==
      PairsVjpVBound{L2}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,j,c,rows);
*/

/*@ predicate BoundsQ{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                             integer nq, integer nk, scalar *q, scalar *k, scalar *v, scalar *y,
                             scalar *lse, scalar *g, scalar *eg, scalar *e_dq, integer d,
                             integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(e_dq[ix(r,d,c)],L2) ==
        PairsVjpQBound{L1}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,r,c);
    lemma bound_q_row_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, i, c; 0 <= i < nq ==>
      0 <= nk ==> 0 <= c < d ==> SameSeen{L1,L2}(b,nq,nk,q+ix(i,d,0),k,d) ==>
      Same{L1,L2}(y+ix(i,d,0),d) ==> Same{L1,L2}(g+ix(i,d,0),d) ==> Same{L1,L2}(eg+ix(i,d,0),d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,nq,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,eg,nq,d) ==>
      PairsVjpQBound{L1}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,i,c) ==
      PairsVjpQBound{L2}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,i,c);
    lemma bound_q_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==>
      0 <= c < d ==> SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,nq,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,eg,nq,d) ==>
      PairsVjpQBound{L1}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,i,c) ==
      PairsVjpQBound{L2}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,i,c);
    lemma bound_q_seen{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==>
      0 <= c < d ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(nq,d,0)) ==>
      Same{L1,L2}(g,ix(nq,d,0)) ==> Same{L1,L2}(eg,ix(nq,d,0)) ==> Same{L1,L2}(lse,nq) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,nq,d) &&
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,eg,nq,d) &&
      PairsVjpQBound{L1}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,i,c) ==
      PairsVjpQBound{L2}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,i,c);
    lemma bound_q_same{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==>
      0 <= c < d ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(nq,d,0)) ==>
      Same{L1,L2}(g,ix(nq,d,0)) ==> Same{L1,L2}(eg,ix(nq,d,0)) ==> Same{L1,L2}(lse,nq) ==>
      PairsVjpQBound{L1}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,i,c) ==
      PairsVjpQBound{L2}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,i,c);
    lemma bounds_q_moved{L1,L2,L3}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *v, *y, *lse, *g, *eg, *e_dq, integer d, n; n <= nq ==>
      0 <= nk ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(nq,d,0)) ==>
      Same{L1,L2}(g,ix(nq,d,0)) ==> Same{L1,L2}(eg,ix(nq,d,0)) ==> Same{L1,L2}(lse,nq) ==>
      BoundsQ{L2,L3}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,e_dq,d,n) ==>
      BoundsQ{L1,L3}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,e_dq,d,n);
    predicate BoundsK{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                             integer nq, integer nk, scalar *q, scalar *k, scalar *v, scalar *y,
                             scalar *lse, scalar *g, scalar *eg, scalar *e_dk, integer d,
                             integer rows, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(e_dk[ix(r,d,c)],L2) ==
        PairsVjpKBound{L1}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,r,c,rows);
    lemma bound_k_whole{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, j, c, rows; (1 <= rows ==> 1 <= nq) ==>
      0 <= j < nk ==> 0 <= c < d ==> SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,eg,rows,d) ==>
      PairsVjpKBound{L1}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,j,c,rows) ==
      PairsVjpKBound{L2}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,j,c,rows);
    lemma bound_k_seen{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, j, c, rows; (1 <= rows ==> 1 <= nq) ==>
      0 <= j < nk ==> 0 <= c < d ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(rows,d,0)) ==>
      Same{L1,L2}(g,ix(rows,d,0)) ==> Same{L1,L2}(eg,ix(rows,d,0)) ==> Same{L1,L2}(lse,rows) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) &&
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,eg,rows,d) &&
      PairsVjpKBound{L1}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,j,c,rows) ==
      PairsVjpKBound{L2}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,j,c,rows);
    lemma bound_k_same{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, j, c, rows; (1 <= rows ==> 1 <= nq) ==>
      0 <= j < nk ==> 0 <= c < d ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(rows,d,0)) ==>
      Same{L1,L2}(g,ix(rows,d,0)) ==> Same{L1,L2}(eg,ix(rows,d,0)) ==> Same{L1,L2}(lse,rows) ==>
      PairsVjpKBound{L1}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,j,c,rows) ==
      PairsVjpKBound{L2}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,d,j,c,rows);
    lemma bounds_k_moved{L1,L2,L3}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *v, *y, *lse, *g, *eg, *e_dk, integer d, rows, n; n <= nk ==>
      (1 <= rows ==> 1 <= nq) ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(rows,d,0)) ==>
      Same{L1,L2}(g,ix(rows,d,0)) ==> Same{L1,L2}(eg,ix(rows,d,0)) ==> Same{L1,L2}(lse,rows) ==>
      BoundsK{L2,L3}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,e_dk,d,rows,n) ==>
      BoundsK{L1,L3}(A,off,causal,masked,b,nq,nk,q,k,v,y,lse,g,eg,e_dk,d,rows,n);
    predicate BoundsV{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                             integer nq, integer nk, scalar *q, scalar *k, scalar *lse, scalar *g,
                             scalar *eg, scalar *e_dv, integer d, integer rows, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(e_dv[ix(r,d,c)],L2) ==
        PairsVjpVBound{L1}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,d,r,c,rows);
    lemma bounds_v_moved{L1,L2,L3}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *lse, *g, *eg, *e_dv, integer d, rows, n; n <= nk ==>
      (1 <= rows ==> 1 <= nq) ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(g,ix(rows,d,0)) ==> Same{L1,L2}(eg,ix(rows,d,0)) ==>
      Same{L1,L2}(lse,rows) ==>
      BoundsV{L2,L3}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,e_dv,d,rows,n) ==>
      BoundsV{L1,L3}(A,off,causal,masked,b,nq,nk,q,k,lse,g,eg,e_dv,d,rows,n);
*/

/*@ predicate HeadBoundQ{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                                integer nq, integer nk, integer group, scalar *q, scalar *k,
                                scalar *v, scalar *y, scalar *lse, scalar *g, scalar *eg,
                                scalar *e_dq, integer d, integer z) =
      \forall integer i, c; 0 <= i < nq ==> 0 <= c < d ==>
        \at(e_dq[ix(z,ix(nq,d,0),ix(i,d,c))],L2) ==
        PairsVjpQBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                           k+HeadAt(kv_of(z,group),nk,d),v+HeadAt(kv_of(z,group),nk,d),
                           y+HeadAt(z,nq,d),lse+ix(z,nq,0),g+HeadAt(z,nq,d),eg+HeadAt(z,nq,d),d,
                           i,c);
    lemma head_bound_q_placed{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *v, *y, *lse, *g, *eg, *e_dq, integer d, z;
      BoundsQ{L1,L2}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                     v+HeadAt(kv_of(z,group),nk,d),y+HeadAt(z,nq,d),lse+ix(z,nq,0),g+HeadAt(z,nq,d),
                     eg+HeadAt(z,nq,d),e_dq+HeadAt(z,nq,d),d,nq) ==>
      HeadBoundQ{L1,L2}(A,off,causal,masked,b,nq,nk,group,q,k,v,y,lse,g,eg,e_dq,d,z);
    predicate HeadsBoundQ{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                                 integer nq, integer nk, integer group, scalar *q, scalar *k,
                                 scalar *v, scalar *y, scalar *lse, scalar *g, scalar *eg,
                                 scalar *e_dq, integer d, integer n) =
      \forall integer z, i, c; 0 <= z < n ==> 0 <= i < nq ==> 0 <= c < d ==>
        \at(e_dq[ix(z,ix(nq,d,0),ix(i,d,c))],L2) ==
        PairsVjpQBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                           k+HeadAt(kv_of(z,group),nk,d),v+HeadAt(kv_of(z,group),nk,d),
                           y+HeadAt(z,nq,d),lse+ix(z,nq,0),g+HeadAt(z,nq,d),eg+HeadAt(z,nq,d),d,
                           i,c);
    lemma heads_bound_q_kept{L1,L2,L3}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *v, *y, *lse, *g, *eg, *e_dq, integer d, n;
      SameRows{L2,L3}(e_dq,ix(nq,d,0),n) ==>
      HeadsBoundQ{L1,L2}(A,off,causal,masked,b,nq,nk,group,q,k,v,y,lse,g,eg,e_dq,d,n) ==>
      HeadsBoundQ{L1,L3}(A,off,causal,masked,b,nq,nk,group,q,k,v,y,lse,g,eg,e_dq,d,n);
    predicate HeadBoundK{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                                integer nq, integer nk, integer rows, scalar *q, scalar *k,
                                scalar *v, scalar *y, scalar *lse, scalar *g, scalar *eg,
                                scalar *e_dk, integer d, integer z) =
      \forall integer j, c; 0 <= j < nk ==> 0 <= c < d ==>
        \at(e_dk[ix(z,ix(nk,d,0),ix(j,d,c))],L2) ==
        PairsVjpKBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                           v+HeadAt(z,nk,d),y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),
                           eg+HeadAt(z,rows,d),d,j,c,rows);
    lemma head_bound_k_placed{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *v, *y, *lse, *g, *eg, *e_dk, integer d, z;
      BoundsK{L1,L2}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                     v+HeadAt(z,nk,d),y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),
                     eg+HeadAt(z,rows,d),e_dk+HeadAt(z,nk,d),d,rows,nk) ==>
      HeadBoundK{L1,L2}(A,off,causal,masked,b,nq,nk,rows,q,k,v,y,lse,g,eg,e_dk,d,z);
    predicate HeadsBoundK{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                                 integer nq, integer nk, integer rows, scalar *q, scalar *k,
                                 scalar *v, scalar *y, scalar *lse, scalar *g, scalar *eg,
                                 scalar *e_dk, integer d, integer n) =
      \forall integer z, j, c; 0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==>
        \at(e_dk[ix(z,ix(nk,d,0),ix(j,d,c))],L2) ==
        PairsVjpKBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                           v+HeadAt(z,nk,d),y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),
                           eg+HeadAt(z,rows,d),d,j,c,rows);
    lemma bound_k_at_head_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, n, z, j, c;
      0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==> (1 <= rows ==> 1 <= nq) ==>
      SameHeads{L1,L2}(q,k,v,y,lse,g,b,n,rows,nq,nk,d) ==>
      SameHeads{L1,L2}(q,k,v,y,lse,eg,b,n,rows,nq,nk,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),v+HeadAt(z,nk,d),
                          y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),rows,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),v+HeadAt(z,nk,d),
                          y+HeadAt(z,rows,d),lse+ix(z,rows,0),eg+HeadAt(z,rows,d),rows,d) ==>
      PairsVjpKBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                         v+HeadAt(z,nk,d),y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),
                         eg+HeadAt(z,rows,d),d,j,c,rows) ==
      PairsVjpKBound{L2}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                         v+HeadAt(z,nk,d),y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),
                         eg+HeadAt(z,rows,d),d,j,c,rows);
    lemma bound_k_of_head_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *v, *y, *lse, *g, *eg, integer d, n, z, j, c;
      0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==> (1 <= rows ==> 1 <= nq) ==> 0 <= rows ==>
      0 <= ix(rows,d,0) ==> 0 <= ix(nk,d,0) ==> SameHeads{L1,L2}(q,k,v,y,lse,g,b,n,rows,nq,nk,d) ==>
      SameHeads{L1,L2}(q,k,v,y,lse,eg,b,n,rows,nq,nk,d) ==>
      PairsVjpKBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                         v+HeadAt(z,nk,d),y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),
                         eg+HeadAt(z,rows,d),d,j,c,rows) ==
      PairsVjpKBound{L2}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                         v+HeadAt(z,nk,d),y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),
                         eg+HeadAt(z,rows,d),d,j,c,rows);
    lemma heads_bound_k_moved{L1,L2,L3}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *v, *y, *lse, *g, *eg, *e_dk, integer d, n;
      0 <= ix(rows,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= rows ==> (1 <= rows ==> 1 <= nq) ==>
      SameHeads{L1,L2}(q,k,v,y,lse,g,b,n,rows,nq,nk,d) ==>
      SameHeads{L1,L2}(q,k,v,y,lse,eg,b,n,rows,nq,nk,d) ==>
      HeadsBoundK{L2,L3}(A,off,causal,masked,b,nq,nk,rows,q,k,v,y,lse,g,eg,e_dk,d,n) ==>
      HeadsBoundK{L1,L3}(A,off,causal,masked,b,nq,nk,rows,q,k,v,y,lse,g,eg,e_dk,d,n);
    lemma heads_bound_k_kept{L1,L2,L3}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *v, *y, *lse, *g, *eg, *e_dk, integer d, n;
      SameRows{L2,L3}(e_dk,ix(nk,d,0),n) ==>
      HeadsBoundK{L1,L2}(A,off,causal,masked,b,nq,nk,rows,q,k,v,y,lse,g,eg,e_dk,d,n) ==>
      HeadsBoundK{L1,L3}(A,off,causal,masked,b,nq,nk,rows,q,k,v,y,lse,g,eg,e_dk,d,n);
    predicate HeadBoundV{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                                integer nq, integer nk, integer rows, scalar *q, scalar *k,
                                scalar *lse, scalar *g, scalar *eg, scalar *e_dv, integer d,
                                integer z) =
      \forall integer j, c; 0 <= j < nk ==> 0 <= c < d ==>
        \at(e_dv[ix(z,ix(nk,d,0),ix(j,d,c))],L2) ==
        PairsVjpVBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                           lse+ix(z,rows,0),g+HeadAt(z,rows,d),eg+HeadAt(z,rows,d),d,j,c,rows);
    lemma head_bound_v_placed{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *lse, *g, *eg, *e_dv, integer d, z;
      BoundsV{L1,L2}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                     lse+ix(z,rows,0),g+HeadAt(z,rows,d),eg+HeadAt(z,rows,d),e_dv+HeadAt(z,nk,d),d,
                     rows,nk) ==>
      HeadBoundV{L1,L2}(A,off,causal,masked,b,nq,nk,rows,q,k,lse,g,eg,e_dv,d,z);
    predicate HeadsBoundV{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                                 integer nq, integer nk, integer rows, scalar *q, scalar *k,
                                 scalar *lse, scalar *g, scalar *eg, scalar *e_dv, integer d,
                                 integer n) =
      \forall integer z, j, c; 0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==>
        \at(e_dv[ix(z,ix(nk,d,0),ix(j,d,c))],L2) ==
        PairsVjpVBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                           lse+ix(z,rows,0),g+HeadAt(z,rows,d),eg+HeadAt(z,rows,d),d,j,c,rows);
    lemma bound_v_at_head_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *lse, *g, *eg, integer d, n, z, j, c; 0 <= z < n ==>
      0 <= j < nk ==> 0 <= c < d ==> (1 <= rows ==> 1 <= nq) ==>
      SameHeads{L1,L2}(q,k,k,q,lse,g,b,n,rows,nq,nk,d) ==>
      SameHeads{L1,L2}(q,k,k,q,lse,eg,b,n,rows,nq,nk,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),k+HeadAt(z,nk,d),
                          q+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),rows,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),k+HeadAt(z,nk,d),
                          q+HeadAt(z,rows,d),lse+ix(z,rows,0),eg+HeadAt(z,rows,d),rows,d) ==>
      PairsVjpVBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                         lse+ix(z,rows,0),g+HeadAt(z,rows,d),eg+HeadAt(z,rows,d),d,j,c,rows) ==
      PairsVjpVBound{L2}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                         lse+ix(z,rows,0),g+HeadAt(z,rows,d),eg+HeadAt(z,rows,d),d,j,c,rows);
    lemma bound_v_of_head_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *lse, *g, *eg, integer d, n, z, j, c; 0 <= z < n ==>
      0 <= j < nk ==> 0 <= c < d ==> (1 <= rows ==> 1 <= nq) ==> 0 <= rows ==> 0 <= ix(rows,d,0) ==>
      0 <= ix(nk,d,0) ==> SameHeads{L1,L2}(q,k,k,q,lse,g,b,n,rows,nq,nk,d) ==>
      SameHeads{L1,L2}(q,k,k,q,lse,eg,b,n,rows,nq,nk,d) ==>
      PairsVjpVBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                         lse+ix(z,rows,0),g+HeadAt(z,rows,d),eg+HeadAt(z,rows,d),d,j,c,rows) ==
      PairsVjpVBound{L2}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                         lse+ix(z,rows,0),g+HeadAt(z,rows,d),eg+HeadAt(z,rows,d),d,j,c,rows);
    lemma heads_bound_v_moved{L1,L2,L3}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *lse, *g, *eg, *e_dv, integer d, n; 0 <= ix(rows,d,0) ==>
      0 <= ix(nk,d,0) ==> 0 <= rows ==> (1 <= rows ==> 1 <= nq) ==>
      SameHeads{L1,L2}(q,k,k,q,lse,g,b,n,rows,nq,nk,d) ==>
      SameHeads{L1,L2}(q,k,k,q,lse,eg,b,n,rows,nq,nk,d) ==>
      HeadsBoundV{L2,L3}(A,off,causal,masked,b,nq,nk,rows,q,k,lse,g,eg,e_dv,d,n) ==>
      HeadsBoundV{L1,L3}(A,off,causal,masked,b,nq,nk,rows,q,k,lse,g,eg,e_dv,d,n);
    lemma heads_bound_v_kept{L1,L2,L3}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *lse, *g, *eg, *e_dv, integer d, n;
      SameRows{L2,L3}(e_dv,ix(nk,d,0),n) ==>
      HeadsBoundV{L1,L2}(A,off,causal,masked,b,nq,nk,rows,q,k,lse,g,eg,e_dv,d,n) ==>
      HeadsBoundV{L1,L3}(A,off,causal,masked,b,nq,nk,rows,q,k,lse,g,eg,e_dv,d,n);
    // an element of a row, from where the row begins
    lemma element_of_rows{L1,L2}: \forall scalar *a, integer n, d, p, c; 0 <= p < n ==>
      0 <= c < d ==> Same{L1,L2}(a,ix(n,d,0)) ==>
      \at(a[ix(p,d,0)+c],L2) == rd{L1}(a,ix(p,d,c));
*/
#endif
