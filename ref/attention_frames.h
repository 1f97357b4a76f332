/* Bounds of attention do not change where what they read does not. */
#ifndef REF_ATTENTION_FRAMES_H
#define REF_ATTENTION_FRAMES_H
#include "attention_pair.h"

/*@ lemma top_error_frame{L1,L2}: \forall integer n, arith A, integer off, causal, masked,
      scalar *b, integer nq, nk, i, scalar *q, *k, *eq, *ek, integer d; 0 <= i < nq ==> n <= nk ==>
      0 <= d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> SameSeen{L1,L2}(b,nq,nk,eq,ek,d) ==>
      TopError{L1}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d,n) ==
      TopError{L2}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d,n);
    lemma key_exp_frame{L1,L2}: \forall arith A, integer off, scalar *b, integer nq, nk, scalar *q,
      *k, *eq, *ek, integer d, real m, em, integer j; 0 <= j < nk ==> 0 <= d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> SameSeen{L1,L2}(b,nq,nk,eq,ek,d) ==>
      p_key_exp(A,KeyScore{L1}(A,off,q,k,eq,ek,d,j),m,em) ==
      p_key_exp(A,KeyScore{L2}(A,off,q,k,eq,ek,d,j),m,em);
    lemma mass_value_part_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, *eq, *ek, integer d, real m, em, integer j; 0 <= i < nq ==>
      0 <= j < nk ==> 0 <= d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      SameSeen{L1,L2}(b,nq,nk,eq,ek,d) ==>
      if_open(Blocked{L1}(causal,masked,b,nq,nk,i,j),p_key_exp(A,KeyScore{L1}(A,off,q,k,eq,ek,d,j),
        m,em).v) ==
      if_open(Blocked{L2}(causal,masked,b,nq,nk,i,j),p_key_exp(A,KeyScore{L2}(A,off,q,k,eq,ek,d,j),
        m,em).v);
    lemma mass_error_part_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, *eq, *ek, integer d, real m, em, integer j; 0 <= i < nq ==>
      0 <= j < nk ==> 0 <= d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      SameSeen{L1,L2}(b,nq,nk,eq,ek,d) ==>
      if_open(Blocked{L1}(causal,masked,b,nq,nk,i,j),p_key_exp(A,KeyScore{L1}(A,off,q,k,eq,ek,d,j),
        m,em).e) ==
      if_open(Blocked{L2}(causal,masked,b,nq,nk,i,j),p_key_exp(A,KeyScore{L2}(A,off,q,k,eq,ek,d,j),
        m,em).e);
    lemma mass_value_frame{L1,L2}: \forall integer n, arith A, integer off, causal, masked,
      scalar *b, integer nq, nk, i, scalar *q, *k, *eq, *ek, integer d, real m, em; 0 <= i < nq ==>
      n <= nk ==> 0 <= d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> SameSeen{L1,L2}(b,nq,nk,eq,ek,d) ==>
      MassValue{L1}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d,m,em,n) ==
      MassValue{L2}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d,m,em,n);
    lemma mass_error_frame{L1,L2}: \forall integer n, arith A, integer off, causal, masked,
      scalar *b, integer nq, nk, i, scalar *q, *k, *eq, *ek, integer d, real m, em; 0 <= i < nq ==>
      n <= nk ==> 0 <= d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> SameSeen{L1,L2}(b,nq,nk,eq,ek,d) ==>
      MassError{L1}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d,m,em,n) ==
      MassError{L2}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d,m,em,n);
    lemma row_error_parts_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, *eq, *ek, integer d; 0 <= i < nq ==> 0 <= nk ==> 0 <= d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> SameSeen{L1,L2}(b,nq,nk,eq,ek,d) ==>
      RowTopError{L1}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d) ==
      RowTopError{L2}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d) &&
      RowValue{L1}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d) ==
      RowValue{L2}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d) &&
      RowError{L1}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d) ==
      RowError{L2}(A,off,causal,masked,b,nq,nk,i,q,k,eq,ek,d);
    lemma value_error_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, *v, *eq, *ek, *ev, integer d, real m, em, value, error,
      integer c, j; 0 <= i < nq ==> 0 <= j < nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> SameSeen{L1,L2}(b,nq,nk,eq,ek,d) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(ev,ix(nk,d,0)) ==>
      ValueError{L1}(A,off,causal,masked,b,nq,nk,i,q,k,v,eq,ek,ev,d,m,em,value,error,c,j) ==
      ValueError{L2}(A,off,causal,masked,b,nq,nk,i,q,k,v,eq,ek,ev,d,m,em,value,error,c,j);
    lemma attended_error_frame{L1,L2}: \forall integer n, arith A, integer off, causal, masked,
      scalar *b, integer nq, nk, i, scalar *q, *k, *v, *eq, *ek, *ev, integer d, real m, em, value,
      error, integer c; 0 <= i < nq ==> n <= nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> SameSeen{L1,L2}(b,nq,nk,eq,ek,d) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(ev,ix(nk,d,0)) ==>
      AttendedError{L1}(A,off,causal,masked,b,nq,nk,i,q,k,v,eq,ek,ev,d,m,em,value,error,c,n) ==
      AttendedError{L2}(A,off,causal,masked,b,nq,nk,i,q,k,v,eq,ek,ev,d,m,em,value,error,c,n);
    lemma attended_row_error_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, *v, *eq, *ek, *ev, integer d, c; 0 <= i < nq ==> 0 <= nk ==>
      0 <= c < d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> SameSeen{L1,L2}(b,nq,nk,eq,ek,d) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(ev,ix(nk,d,0)) ==>
      PairsRowError{L1}(A,off,causal,masked,b,nq,nk,i,q,k,v,eq,ek,ev,d,c) ==
      PairsRowError{L2}(A,off,causal,masked,b,nq,nk,i,q,k,v,eq,ek,ev,d,c);
    // of a whole head
    lemma sdpa_bound_row_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *v, *eq, *ek, *ev, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==>
      0 <= c < d ==> SameSeen{L1,L2}(b,nq,nk,q+ix(i,d,0),k,d) ==>
      SameSeen{L1,L2}(b,nq,nk,eq+ix(i,d,0),ek,d) ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(eq,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(ek,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(ev,ix(nk,d,0)) ==>
      PairsBound{L1}(A,off,causal,masked,b,nq,nk,q,k,v,eq,ek,ev,d,i,c) ==
      PairsBound{L2}(A,off,causal,masked,b,nq,nk,q,k,v,eq,ek,ev,d,i,c);
    lemma sdpa_bound_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *v, *eq, *ek, *ev, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==>
      0 <= c < d ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==>
      Same{L1,L2}(eq,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(ek,ix(nk,d,0)) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(ev,ix(nk,d,0)) ==>
      PairsBound{L1}(A,off,causal,masked,b,nq,nk,q,k,v,eq,ek,ev,d,i,c) ==
      PairsBound{L2}(A,off,causal,masked,b,nq,nk,q,k,v,eq,ek,ev,d,i,c);
    lemma sdpa_lse_bound_row_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *eq, *ek, integer d, i; 0 <= i < nq ==> 0 <= nk ==> 0 <= d ==>
      SameSeen{L1,L2}(b,nq,nk,q+ix(i,d,0),k,d) ==> SameSeen{L1,L2}(b,nq,nk,eq+ix(i,d,0),ek,d) ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(eq,ix(nq,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(ek,ix(nk,d,0)) ==>
      PairsLseBound{L1}(A,off,causal,masked,b,nq,nk,q,k,eq,ek,d,i) ==
      PairsLseBound{L2}(A,off,causal,masked,b,nq,nk,q,k,eq,ek,d,i);
    lemma sdpa_lse_bound_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *eq, *ek, integer d, i; 0 <= i < nq ==> 0 <= nk ==> 0 <= d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(eq,ix(nq,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(ek,ix(nk,d,0)) ==>
      PairsLseBound{L1}(A,off,causal,masked,b,nq,nk,q,k,eq,ek,d,i) ==
      PairsLseBound{L2}(A,off,causal,masked,b,nq,nk,q,k,eq,ek,d,i);
    // a head's part of what all heads read and write
    lemma head_read{L}: \forall scalar *a, integer n, rows, d, z; 0 <= z < n ==>
      Heads{L}(a,n,rows,d) ==> In2{L}(a+HeadAt(z,rows,d),rows,d);
    lemma head_written{L}: \forall scalar *a, integer n, rows, d, z; 0 <= z < n ==>
      OutHeads{L}(a,n,rows,d) ==> Out2{L}(a+HeadAt(z,rows,d),rows,d);
    // an element of a row, from where the row begins
    lemma element_of_row{L1,L2}: \forall scalar *a, integer n, d, p, c; 0 <= p < n ==>
      0 <= c < d ==> Same{L1,L2}(a,ix(n,d,0)) ==>
      \at(a[ix(p,d,0)+c],L2) == rd{L1}(a,ix(p,d,c));
*/
#endif
