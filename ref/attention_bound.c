/* Error bounds of attention. */
#include "attention_pair.h"

/*@ predicate HeadsLseBound{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                   integer nk, integer group, scalar *q, scalar *k, scalar *e,
                                   integer d, integer n) =
      \forall integer z, i; 0 <= z < n ==> 0 <= i < nq ==>
        \at(e[ix(z,nq,i)],L2) ==
        SdpaLseBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                         k+HeadAt(kv_of(z,group),nk,d),d,i);
    predicate SameLseBounds{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                   integer nk, integer group, scalar *q, scalar *k, integer d,
                                   integer n) =
      \forall integer z, i; 0 <= z < n ==> 0 <= i < nq ==>
        SdpaLseBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                         k+HeadAt(kv_of(z,group),nk,d),d,i) ==
        SdpaLseBound{L2}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                         k+HeadAt(kv_of(z,group),nk,d),d,i);
    // stands before the lemmas of frames, as it needs none
    lemma heads_lse_bound_moved{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *e, integer d, n;
      SameLseBounds{L1,L2}(A,causal,masked,b,nq,nk,group,q,k,d,n) ==>
      HeadsLseBound{L2,L3}(A,causal,masked,b,nq,nk,group,q,k,e,d,n) ==>
      HeadsLseBound{L1,L3}(A,causal,masked,b,nq,nk,group,q,k,e,d,n);
*/

/*@ lemma top_error_frame{L1,L2}: \forall integer n, arith A, integer causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, integer d; 0 <= i < nq ==> n <= nk ==> 0 <= d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      TopError{L1}(A,causal,masked,b,nq,nk,i,q,k,d,n) ==
      TopError{L2}(A,causal,masked,b,nq,nk,i,q,k,d,n);
    lemma key_exp_frame{L1,L2}: \forall arith A, scalar *b, integer nq, nk, scalar *q, *k,
      integer d, real m, em, integer j; 0 <= j < nk ==> 0 <= d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      p_key_exp(A,KeyScore{L1}(A,q,k,d,j),m,em) == p_key_exp(A,KeyScore{L2}(A,q,k,d,j),m,em);
    lemma mass_value_part_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, integer d, real m, em, integer j; 0 <= i < nq ==>
      0 <= j < nk ==> 0 <= d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      if_open(Blocked{L1}(causal,masked,b,nq,nk,i,j),
              p_key_exp(A,KeyScore{L1}(A,q,k,d,j),m,em).v) ==
      if_open(Blocked{L2}(causal,masked,b,nq,nk,i,j),
              p_key_exp(A,KeyScore{L2}(A,q,k,d,j),m,em).v);
    lemma mass_error_part_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, integer d, real m, em, integer j; 0 <= i < nq ==>
      0 <= j < nk ==> 0 <= d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      if_open(Blocked{L1}(causal,masked,b,nq,nk,i,j),
              p_key_exp(A,KeyScore{L1}(A,q,k,d,j),m,em).e) ==
      if_open(Blocked{L2}(causal,masked,b,nq,nk,i,j),
              p_key_exp(A,KeyScore{L2}(A,q,k,d,j),m,em).e);
    lemma mass_value_frame{L1,L2}: \forall integer n, arith A, integer causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, integer d, real m, em; 0 <= i < nq ==> n <= nk ==>
      0 <= d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      MassValue{L1}(A,causal,masked,b,nq,nk,i,q,k,d,m,em,n) ==
      MassValue{L2}(A,causal,masked,b,nq,nk,i,q,k,d,m,em,n);
    lemma mass_error_frame{L1,L2}: \forall integer n, arith A, integer causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, integer d, real m, em; 0 <= i < nq ==> n <= nk ==>
      0 <= d ==> SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      MassError{L1}(A,causal,masked,b,nq,nk,i,q,k,d,m,em,n) ==
      MassError{L2}(A,causal,masked,b,nq,nk,i,q,k,d,m,em,n);
    lemma row_error_parts_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, integer d; 0 <= i < nq ==> 0 <= nk ==> 0 <= d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==>
      RowTopError{L1}(A,causal,masked,b,nq,nk,i,q,k,d) ==
      RowTopError{L2}(A,causal,masked,b,nq,nk,i,q,k,d) &&
      RowValue{L1}(A,causal,masked,b,nq,nk,i,q,k,d) ==
      RowValue{L2}(A,causal,masked,b,nq,nk,i,q,k,d) &&
      RowError{L1}(A,causal,masked,b,nq,nk,i,q,k,d) ==
      RowError{L2}(A,causal,masked,b,nq,nk,i,q,k,d);
    lemma value_error_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, *v, integer d, real m, em, value, error, integer c, j;
      0 <= i < nq ==> 0 <= j < nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      ValueError{L1}(A,causal,masked,b,nq,nk,i,q,k,v,d,m,em,value,error,c,j) ==
      ValueError{L2}(A,causal,masked,b,nq,nk,i,q,k,v,d,m,em,value,error,c,j);
    lemma attended_error_frame{L1,L2}: \forall integer n, arith A, integer causal, masked,
      scalar *b, integer nq, nk, i, scalar *q, *k, *v, integer d, real m, em, value, error,
      integer c;
      0 <= i < nq ==> n <= nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      AttendedError{L1}(A,causal,masked,b,nq,nk,i,q,k,v,d,m,em,value,error,c,n) ==
      AttendedError{L2}(A,causal,masked,b,nq,nk,i,q,k,v,d,m,em,value,error,c,n);
    lemma attended_row_error_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, i, scalar *q, *k, *v, integer d, c; 0 <= i < nq ==> 0 <= nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q,k,d) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      AttendedRowError{L1}(A,causal,masked,b,nq,nk,i,q,k,v,d,c) ==
      AttendedRowError{L2}(A,causal,masked,b,nq,nk,i,q,k,v,d,c);
    // of a whole head
    lemma sdpa_bound_row_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *v, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==> 0 <= c < d ==>
      SameSeen{L1,L2}(b,nq,nk,q+ix(i,d,0),k,d) ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      Same{L1,L2}(q,ix(nq,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      SdpaBound{L1}(A,causal,masked,b,nq,nk,q,k,v,d,i,c) ==
      SdpaBound{L2}(A,causal,masked,b,nq,nk,q,k,v,d,i,c);
    lemma sdpa_bound_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *v, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==> 0 <= c < d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      SdpaBound{L1}(A,causal,masked,b,nq,nk,q,k,v,d,i,c) ==
      SdpaBound{L2}(A,causal,masked,b,nq,nk,q,k,v,d,i,c);
    lemma sdpa_lse_bound_row_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, integer d, i; 0 <= i < nq ==> 0 <= nk ==> 0 <= d ==>
      SameSeen{L1,L2}(b,nq,nk,q+ix(i,d,0),k,d) ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      SdpaLseBound{L1}(A,causal,masked,b,nq,nk,q,k,d,i) ==
      SdpaLseBound{L2}(A,causal,masked,b,nq,nk,q,k,d,i);
    lemma sdpa_lse_bound_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, integer d, i; 0 <= i < nq ==> 0 <= nk ==> 0 <= d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      SdpaLseBound{L1}(A,causal,masked,b,nq,nk,q,k,d,i) ==
      SdpaLseBound{L2}(A,causal,masked,b,nq,nk,q,k,d,i);
*/

/*@ requires In1(q,d) && In2(k,nk,d) && In2(mask,nq,nk) && 0 <= i < nq;
    assigns \nothing;
    ensures \result == TopError{Pre}(A,causal,masked,mask,nq,nk,i,q,k,d,nk);
*/
static double top_error(arith A, idx nq, idx nk, idx d, int causal, int masked, const double *mask,
                        idx i, const double *q, const double *k)
{
  double em = 0.0;
  /*@ loop invariant 0 <= j <= nk;
      loop invariant em == TopError{Pre}(A,causal,masked,mask,nq,nk,i,q,k,d,j);
      loop invariant em >= 0.0;
      loop assigns j, em;
      loop variant nk - j;
  */
  for (idx j = 0; j < nk; j++)
    if (zero(blocked(causal, masked, mask, nq, nk, i, j))) {
      pair s = key_score(A, nk, d, q, k, j);
      if (!(s.e <= em))
        em = s.e;
    }
  return em;
}

/*@ requires In1(q,d) && In2(k,nk,d) && In2(mask,nq,nk) && 0 <= i < nq;
    assigns \nothing;
    ensures \result == MassValue{Pre}(A,causal,masked,mask,nq,nk,i,q,k,d,m,em,nk);
*/
static double mass_value(arith A, idx nq, idx nk, idx d, int causal, int masked, const double *mask,
                         idx i, const double *q, const double *k, double m, double em)
{
  double value = 0.0;
  /*@ loop invariant 0 <= j <= nk;
      loop invariant value == MassValue{Pre}(A,causal,masked,mask,nq,nk,i,q,k,d,m,em,j);
      loop assigns j, value;
      loop variant nk - j;
  */
  for (idx j = 0; j < nk; j++)
    if (zero(blocked(causal, masked, mask, nq, nk, i, j))) {
      pair e = key_exp(A, key_score(A, nk, d, q, k, j), m, em);
      value += e.v;
    }
  return value;
}

/*@ requires In1(q,d) && In2(k,nk,d) && In2(mask,nq,nk) && 0 <= i < nq;
    assigns \nothing;
    ensures \result == MassError{Pre}(A,causal,masked,mask,nq,nk,i,q,k,d,m,em,nk);
*/
static double mass_error(arith A, idx nq, idx nk, idx d, int causal, int masked, const double *mask,
                         idx i, const double *q, const double *k, double m, double em)
{
  double error = 0.0;
  /*@ loop invariant 0 <= j <= nk;
      loop invariant error == MassError{Pre}(A,causal,masked,mask,nq,nk,i,q,k,d,m,em,j);
      loop assigns j, error;
      loop variant nk - j;
  */
  for (idx j = 0; j < nk; j++)
    if (zero(blocked(causal, masked, mask, nq, nk, i, j))) {
      pair e = key_exp(A, key_score(A, nk, d, q, k, j), m, em);
      error += e.e;
    }
  return error;
}

/*@ assigns \nothing; ensures \result == p_key_weight(A,s,m,em,value,error); */
static pair key_weight(arith A, pair s, double m, double em, double value, double error)
{
  return pair_quo(A, key_exp(A, s, m, em), pair_sum(A, value, value, error, A.h), 2.0);
}

/*@ assigns \nothing; ensures \result == e_lse(A,m,em,value,error); */
static double lse_error(arith A, double m, double em, double value, double error)
{
  pair l = pair_add(A, pair_make(m, em), pair_log(A, pair_sum(A, value, value, error, A.h2)));
  return l.e;
}

/*@ requires In1(q,d) && In2(k,nk,d) && In2(v,nk,d) && In2(mask,nq,nk) && 0 <= i < nq;
    requires Out1(e,d) && Sep(e,d,q,d) && Sep(e,d,k,ix(nk,d,0)) && Sep(e,d,v,ix(nk,d,0));
    requires Sep(e,d,mask,ix(nq,nk,0));
    assigns e[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      e[c] == AttendedRowError{Pre}(A,causal,masked,mask,nq,nk,i,q,k,v,d,c);
*/
static void bound_query(arith A, idx nq, idx nk, idx d, int causal, int masked, const double *mask,
                        idx i, const double *q, const double *k, const double *v, double *e)
{
  double m = row_top(nq, nk, d, causal, masked, mask, i, q, k);
  double em = top_error(A, nq, nk, d, causal, masked, mask, i, q, k);
  double value = mass_value(A, nq, nk, d, causal, masked, mask, i, q, k, m, em);
  double error = mass_error(A, nq, nk, d, causal, masked, mask, i, q, k, m, em);
#define SUM_OUT e
#define SUM_N nk
#define SUM_OF v
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, i, p))
#define SUM_T pair
#define SUM_WEIGHT key_weight(A, key_score(A, nk, d, q, k, p), m, em, value, error)
#define SUM_ADD(x) add_parts(A, d, w, x, (double)nk, A.h, SUM_OUT)
#define SUM_TERM(x) e_part(A, w, x, nk, A.h)
#define SUM_BLOCK Blocked{Pre}(causal, masked, mask, nq, nk, i, p)
#define SUM_IS_WEIGHT p_key_weight(A, KeyScore{Pre}(A, q, k, d, p), m, em, value, error)
#define SUM_SAME                                                   \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(q, d) && \
      Same{Pre, Here}(k, ix(nk, d, 0)) && Same{Pre, Here}(v, ix(nk, d, 0))
#define SUM_IS(c, p) \
  AttendedError{Pre}(A, causal, masked, mask, nq, nk, i, q, k, v, d, m, em, value, error, c, p)
#define SUM_PART(c, p) \
  ValueError{Pre}(A, causal, masked, mask, nq, nk, i, q, k, v, d, m, em, value, error, c, p)
#include "attention_sum.inc"
}

/*@ requires In1(q,d) && In2(k,nk,d) && In2(mask,nq,nk) && 0 <= i < nq;
    assigns \nothing;
    ensures \result == e_lse(A, RowTop{Pre}(causal,masked,mask,nq,nk,i,q,k,d),
                             RowTopError{Pre}(A,causal,masked,mask,nq,nk,i,q,k,d),
                             RowValue{Pre}(A,causal,masked,mask,nq,nk,i,q,k,d),
                             RowError{Pre}(A,causal,masked,mask,nq,nk,i,q,k,d));
*/
static double bound_lse(arith A, idx nq, idx nk, idx d, int causal, int masked, const double *mask,
                        idx i, const double *q, const double *k)
{
  double m = row_top(nq, nk, d, causal, masked, mask, i, q, k);
  double em = top_error(A, nq, nk, d, causal, masked, mask, i, q, k);
  double value = mass_value(A, nq, nk, d, causal, masked, mask, i, q, k, m, em);
  double error = mass_error(A, nq, nk, d, causal, masked, mask, i, q, k, m, em);
  return lse_error(A, m, em, value, error);
}

/*@ predicate Bounds{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                            integer nk, scalar *q, scalar *k, scalar *v, scalar *e, integer d,
                            integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(e[ix(r,d,c)],L2) == SdpaBound{L1}(A,causal,masked,b,nq,nk,q,k,v,d,r,c);
    lemma bounds_moved{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *v, *e, integer d, n;
      n <= nq ==> 0 <= nk ==> 0 <= d ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      Bounds{L2,L3}(A,causal,masked,b,nq,nk,q,k,v,e,d,n) ==>
      Bounds{L1,L3}(A,causal,masked,b,nq,nk,q,k,v,e,d,n);
*/

/*@ requires In2(q,rows,cols) && In2(k,nk,cols) && In2(v,nk,cols) && In2(mask,rows,nk);
    requires Out2(e,rows,cols) && Sep(e,ix(rows,cols,0),q,ix(rows,cols,0));
    requires Sep(e,ix(rows,cols,0),k,ix(nk,cols,0)) && Sep(e,ix(rows,cols,0),v,ix(nk,cols,0));
    requires Sep(e,ix(rows,cols,0),mask,ix(rows,nk,0));
    assigns e[0 .. ix(rows,cols,0)-1];
    ensures Bounds{Pre,Post}(A,causal,masked,mask,rows,nk,q,k,v,e,cols,rows);
*/
static void bound_head(arith A, idx rows, idx nk, idx cols, int causal, int masked,
                       const double *mask, const double *q, const double *k, const double *v,
                       double *e)
{
#define ROWS_OUT e
#define ROWS_ARE(n) Bounds{Pre, Here}(A, causal, masked, mask, rows, nk, q, k, v, e, cols, n)
#define ROWS_CALL(o) bound_query(A, rows, nk, cols, causal, masked, mask, r, q + o, k, v, e + o)
#define ROWS_SAME(o)                                                    \
  Same{L0, Pre}(mask, ix(rows, nk, 0)) && Same{L0, Pre}(q + o, cols) && \
      Same{L0, Pre}(k, ix(nk, cols, 0)) && Same{L0, Pre}(v, ix(nk, cols, 0))
#define ROWS_IS(L, o) \
  AttendedRowError{L}(A, causal, masked, mask, rows, nk, r, q + o, k, v, cols, c)
#include "softmax_rows.inc"
}

/*@ predicate LseBounds{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                               integer nk, scalar *q, scalar *k, scalar *e, integer d, integer n) =
      \forall integer i; 0 <= i < n ==>
        \at(e[i],L2) == SdpaLseBound{L1}(A,causal,masked,b,nq,nk,q,k,d,i);
    lemma lse_bounds_moved{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *e, integer d, n;
      n <= nq ==> 0 <= nk ==> 0 <= d ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      LseBounds{L2,L3}(A,causal,masked,b,nq,nk,q,k,e,d,n) ==>
      LseBounds{L1,L3}(A,causal,masked,b,nq,nk,q,k,e,d,n);
*/

/*@ requires In2(q,nq,d) && In2(k,nk,d) && In2(mask,nq,nk) && Out1(e,nq);
    requires Sep(e,nq,q,ix(nq,d,0)) && Sep(e,nq,k,ix(nk,d,0)) && Sep(e,nq,mask,ix(nq,nk,0));
    assigns e[0 .. nq-1];
    ensures LseBounds{Pre,Post}(A,causal,masked,mask,nq,nk,q,k,e,d,nq);
*/
static void bound_lse_head(arith A, idx nq, idx nk, idx d, int causal, int masked,
                           const double *mask, const double *q, const double *k, double *e)
{
  /*@ loop invariant 0 <= i <= nq;
      loop invariant LseBounds{Pre,Here}(A,causal,masked,mask,nq,nk,q,k,e,d,i);
      loop assigns i, e[0 .. nq-1];
      loop variant nq - i;
  */
  for (idx i = 0; i < nq; i++) {
    idx o = size2(i, d);
    //@ assert inside: 0 <= o && o + d <= ix(nq,d,0);
    //@ assert same: SameSeen{Pre,Here}(mask,nq,nk,q+o,k,d);
    e[i] = bound_lse(A, nq, nk, d, causal, masked, mask, i, q + o, k);
  }
}

/*@ predicate HeadBound{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                               integer nk, integer group, scalar *q, scalar *k, scalar *v,
                               scalar *e, integer d, integer z) =
      \forall integer i, c; 0 <= i < nq ==> 0 <= c < d ==>
        \at(e[ix(z,ix(nq,d,0),ix(i,d,c))],L2) ==
        SdpaBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                      v+HeadAt(kv_of(z,group),nk,d),d,i,c);
    lemma head_bound_placed{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer nq,
      nk, group, scalar *q, *k, *v, *e, integer d, z;
      Bounds{L1,L2}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                    v+HeadAt(kv_of(z,group),nk,d),e+HeadAt(z,nq,d),d,nq) ==>
      HeadBound{L1,L2}(A,causal,masked,b,nq,nk,group,q,k,v,e,d,z);
    predicate HeadsBound{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                integer nk, integer group, scalar *q, scalar *k, scalar *v,
                                scalar *e, integer d, integer n) =
      \forall integer z, i, c; 0 <= z < n ==> 0 <= i < nq ==> 0 <= c < d ==>
        \at(e[ix(z,ix(nq,d,0),ix(i,d,c))],L2) ==
        SdpaBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                      v+HeadAt(kv_of(z,group),nk,d),d,i,c);
    lemma heads_bound_kept{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *v, *e, integer d, n;
      SameRows{L2,L3}(e,ix(nq,d,0),n) ==>
      HeadsBound{L1,L2}(A, causal, masked, b, nq, nk, group, q, k, v, e, d, n) ==>
      HeadsBound{L1,L3}(A, causal, masked, b, nq, nk, group, q, k, v, e, d, n);
    predicate HeadLseBound{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                  integer nk, integer group, scalar *q, scalar *k, scalar *e,
                                  integer d, integer z) =
      \forall integer i; 0 <= i < nq ==>
        \at(e[ix(z,nq,i)],L2) ==
        SdpaLseBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                         k+HeadAt(kv_of(z,group),nk,d),d,i);
    lemma head_lse_bound_placed{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *e, integer d, z;
      LseBounds{L1,L2}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                       e+ix(z,nq,0),d,nq) ==>
      HeadLseBound{L1,L2}(A,causal,masked,b,nq,nk,group,q,k,e,d,z);
    lemma lse_bound_at_head_frame{L1,L2}: \forall arith A, integer causal, masked,
      scalar *b, integer nq, nk, group, scalar *q, *k, integer d, n, kvs, z, i;
      0 <= z < n ==> 0 <= i < nq ==> 0 <= ix(nq,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= nk ==> 0 <= d ==>
      0 <= group ==> n == ix(kvs,group,0) ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      Same{L1,L2}(q,HeadAt(n,nq,d)) ==> Same{L1,L2}(k,HeadAt(kvs,nk,d)) ==>
      Same{L1,L2}(q+HeadAt(z,nq,d),ix(nq,d,0)) ==>
      Same{L1,L2}(k+HeadAt(kv_of(z,group),nk,d),ix(nk,d,0)) ==>
      SdpaLseBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                       k+HeadAt(kv_of(z,group),nk,d),d,i) ==
      SdpaLseBound{L2}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                       k+HeadAt(kv_of(z,group),nk,d),d,i);
    lemma lse_bound_of_head_frame{L1,L2}: \forall arith A, integer causal, masked,
      scalar *b, integer nq, nk, group, scalar *q, *k, integer d, n, kvs, z, i;
      0 <= z < n ==> 0 <= i < nq ==> 0 <= ix(nq,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= nk ==> 0 <= d ==>
      0 <= group ==> n == ix(kvs,group,0) ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      Same{L1,L2}(q,HeadAt(n,nq,d)) ==> Same{L1,L2}(k,HeadAt(kvs,nk,d)) ==>
      SdpaLseBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                       k+HeadAt(kv_of(z,group),nk,d),d,i) ==
      SdpaLseBound{L2}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                       k+HeadAt(kv_of(z,group),nk,d),d,i);
    lemma same_lse_bounds{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, integer d, n, kvs;
      0 <= ix(nq,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= nk ==> 0 <= d ==> 0 <= group ==>
      n == ix(kvs,group,0) ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,HeadAt(n,nq,d)) ==>
      Same{L1,L2}(k,HeadAt(kvs,nk,d)) ==>
      SameLseBounds{L1,L2}(A,causal,masked,b,nq,nk,group,q,k,d,n);
    lemma heads_lse_bound_kept{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *e, integer d, n;
      SameRows{L2,L3}(e,nq,n) ==>
      HeadsLseBound{L1,L2}(A, causal, masked, b, nq, nk, group, q, k, e, d, n) ==>
      HeadsLseBound{L1,L3}(A, causal, masked, b, nq, nk, group, q, k, e, d, n);
*/

/* n query heads read kvs KV heads: a head is slices of what bound_head is proven for. */
/*@ requires 0 <= group && 0 <= kvs && n == ix(kvs,group,0) && In2(mask,nq,nk);
    requires Heads(q,n,nq,d) && Heads(k,kvs,nk,d) && Heads(v,kvs,nk,d) && OutHeads(e,n,nq,d);
    requires ix(n,nq,0) <= IDX_LIM;
    requires Sep(e,HeadAt(n,nq,d),q,HeadAt(n,nq,d)) && Sep(e,HeadAt(n,nq,d),k,HeadAt(kvs,nk,d));
    requires Sep(e,HeadAt(n,nq,d),v,HeadAt(kvs,nk,d)) && Sep(e,HeadAt(n,nq,d),mask,ix(nq,nk,0));
    assigns e[0 .. HeadAt(n,nq,d)-1];
    ensures HeadsBound{Pre,Post}(A,causal,masked,mask,nq,nk,group,q,k,v,e,d,n);
*/
static void bound_heads(arith A, idx n, idx kvs, idx group, idx nq, idx nk, idx d, int causal,
                        int masked, const double *q, const double *k, const double *v,
                        const double *mask, double *e)
{
#define HEADS_N n
#define HEADS_ROWS nq
#define HEADS_KV kv_head(kvs, group, z)
#define HEADS_KVZ kv_of(z, group)
#define HEADS_OUT e
#define HEADS_SIZE ix(nq, d, 0)
#define HEADS_ARE(n) HeadsBound{Pre, Here}(A, causal, masked, mask, nq, nk, group, q, k, v, e, d, n)
#define HEADS_SAME                                                                 \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(q + at, ix(nq, d, 0)) && \
      Same{Pre, Here}(k + at_kv, ix(nk, d, 0)) && Same{Pre, Here}(v + at_kv, ix(nk, d, 0))
#define HEADS_CALL \
  bound_head(A, nq, nk, d, causal, masked, mask, q + at, k + at_kv, v + at_kv, e + at)
#define HEADS_MOVED \
  Bounds{Pre, Here}(A, causal, masked, mask, nq, nk, q + at, k + at_kv, v + at_kv, e + at, d, nq)
#define HEADS_NEW HeadBound{Pre, Here}(A, causal, masked, mask, nq, nk, group, q, k, v, e, d, z)
#include "attention_heads.inc"
}

/*@ requires 0 <= group && 0 <= kvs && n == ix(kvs,group,0) && In2(mask,nq,nk);
    requires Heads(q,n,nq,d) && Heads(k,kvs,nk,d) && Out2(e,n,nq);
    requires Sep(e,ix(n,nq,0),q,HeadAt(n,nq,d)) && Sep(e,ix(n,nq,0),k,HeadAt(kvs,nk,d));
    requires Sep(e,ix(n,nq,0),mask,ix(nq,nk,0));
    assigns e[0 .. ix(n,nq,0)-1];
    ensures HeadsLseBound{Pre,Post}(A,causal,masked,mask,nq,nk,group,q,k,e,d,n);
*/
static void bound_lse_heads(arith A, idx n, idx kvs, idx group, idx nq, idx nk, idx d, int causal,
                            int masked, const double *q, const double *k, const double *mask,
                            double *e)
{
#define HEADS_N n
#define HEADS_ROWS nq
#define HEADS_KV kv_head(kvs, group, z)
#define HEADS_KVZ kv_of(z, group)
#define HEADS_OUT e
#define HEADS_SIZE nq
#define HEADS_ARE(n) HeadsLseBound{Pre, Here}(A, causal, masked, mask, nq, nk, group, q, k, e, d, n)
#define HEADS_SAME                                                                 \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(q + at, ix(nq, d, 0)) && \
      Same{Pre, Here}(k + at_kv, ix(nk, d, 0))
#define HEADS_CALL bound_lse_head(A, nq, nk, d, causal, masked, mask, q + at, k + at_kv, e + at_lse)
#define HEADS_MOVED \
  LseBounds{Pre, Here}(A, causal, masked, mask, nq, nk, q + at, k + at_kv, e + at_lse, d, nq)
#define HEADS_NEW HeadLseBound{Pre, Here}(A, causal, masked, mask, nq, nk, group, q, k, e, d, z)
#include "attention_heads.inc"
}

void bound_sdpa(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal, int masked,
                const double *q, const double *k, const double *v, const double *mask, arith A,
                double *e_y, double *e_lse)
{
  idx group = group_size(heads, kv_heads), n = size2(batch, heads), kvs = size2(batch, kv_heads);
  //@ assert groups: n == ix(kvs,group,0);
  bound_heads(A, n, kvs, group, nq, nk, d, causal, masked, q, k, v, mask, e_y);
  //@ assert same: Same{Pre,Here}(q,HeadAt(n,nq,d)) && Same{Pre,Here}(k,HeadAt(kvs,nk,d));
  //@ assert same_mask: Same{Pre,Here}(mask,ix(nq,nk,0));
  //@ ghost L1: ;
  bound_lse_heads(A, n, kvs, group, nq, nk, d, causal, masked, q, k, mask, e_lse);
  //@ assert stays: Same{L1,Here}(e_y,HeadAt(n,nq,d));
  //@ assert rows: SameRows{L1,Here}(e_y,ix(nq,d,0),n);
  //@ assert out: HeadsBound{Pre,Here}(A,causal,masked,mask,nq,nk,group,q,k,v,e_y,d,n);
  //@ assert seen: SameLseBounds{Pre,L1}(A,causal,masked,mask,nq,nk,group,q,k,d,n);
  //@ assert sums: HeadsLseBound{Pre,Here}(A,causal,masked,mask,nq,nk,group,q,k,e_lse,d,n);
}

/*@ predicate HeadsDecodeBound{L1,L2}(arith A, integer group, integer capacity, integer len,
                                      scalar *q, scalar *k, scalar *v, scalar *e, integer d,
                                      integer n) =
      \forall integer z, c; 0 <= z < n ==> 0 <= c < d ==>
        \at(e[ix(z,d,c)],L2) ==
        AttendedRowError{L1}(A,0,0,k,1,len,0,q+ix(z,d,0),k+HeadAt(kv_of(z,group),capacity,d),
                             v+HeadAt(kv_of(z,group),capacity,d),d,c);
    lemma decode_cache_bound_frame{L1,L2}: \forall arith A, scalar *q, *k, *v, integer group,
      capacity, len, d, kvs, z, c;
      0 <= group ==> 0 <= z < ix(kvs,group,0) ==> 0 <= c < d ==> 0 <= len <= capacity ==>
      SameSeen{L1,L2}(k,1,len,q,k+HeadAt(kv_of(z,group),capacity,d),d) ==>
      Same{L1,L2}(v+HeadAt(kv_of(z,group),capacity,d),ix(len,d,0)) ==>
      Same{L1,L2}(k,ix(1,len,0)) ==> Same{L1,L2}(q,d) ==>
      Same{L1,L2}(k,HeadAt(kvs,capacity,d)) ==> Same{L1,L2}(v,HeadAt(kvs,capacity,d)) ==>
      AttendedRowError{L1}(A,0,0,k,1,len,0,q,k+HeadAt(kv_of(z,group),capacity,d),
        v+HeadAt(kv_of(z,group),capacity,d),d,c) ==
      AttendedRowError{L2}(A,0,0,k,1,len,0,q,k+HeadAt(kv_of(z,group),capacity,d),
        v+HeadAt(kv_of(z,group),capacity,d),d,c);
    lemma decode_row_bound_frame{L1,L2}: \forall arith A, scalar *q, *k, *v, integer group,
      capacity, len, d, kvs, z, c;
      0 <= group ==> 0 <= z < ix(kvs,group,0) ==> 0 <= c < d ==> 0 <= len <= capacity ==>
      Same{L1,L2}(k,ix(1,len,0)) ==> Same{L1,L2}(q,d) ==>
      Same{L1,L2}(k,HeadAt(kvs,capacity,d)) ==> Same{L1,L2}(v,HeadAt(kvs,capacity,d)) ==>
      AttendedRowError{L1}(A,0,0,k,1,len,0,q,k+HeadAt(kv_of(z,group),capacity,d),
        v+HeadAt(kv_of(z,group),capacity,d),d,c) ==
      AttendedRowError{L2}(A,0,0,k,1,len,0,q,k+HeadAt(kv_of(z,group),capacity,d),
        v+HeadAt(kv_of(z,group),capacity,d),d,c);
*/

/* One query. No mask: the first keys, which are long enough, stand for it and are not looked at. */
/*@ requires 0 <= group && 0 <= kvs && 0 <= z < ix(kvs,group,0) && 0 <= len <= capacity && 1 <= d;
    requires In1(q,d) && Out1(e,d) && Heads(k,kvs,capacity,d) && Heads(v,kvs,capacity,d);
    requires Sep(e,d,q,d) && SepHeads(e,d,k,kvs,capacity,d);
    requires SepHeads(e,d,v,kvs,capacity,d);
    assigns e[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==> e[c] ==
      AttendedRowError{Pre}(A,0,0,k,1,len,0,q,k+HeadAt(kv_of(z,group),capacity,d),
        v+HeadAt(kv_of(z,group),capacity,d),d,c);
*/
static void bound_decode_row(arith A, idx kvs, idx group, idx capacity, idx len, idx d, idx z,
                             const double *q, const double *k, const double *v, double *e)
{
  idx at = kv_at(kvs, group, z, capacity, d);
  //@ assert len_inside: 0 <= ix(len,d,0) <= ix(capacity,d,0);
  //@ assert inside: 0 <= at <= HeadAt(kvs,capacity,d) - ix(len,d,0);
  //@ assert mask_inside: 0 <= ix(1,len,0) <= HeadAt(kvs,capacity,d);
  bound_query(A, 1, len, d, 0, 0, k, 0, q, k + at, v + at, e);
}

/* A row is a head. */
/*@ requires 0 <= group && 0 <= kvs && rows == ix(kvs,group,0) && 0 <= len <= capacity;
    requires In2(q,rows,cols) && Out2(e,rows,cols);
    requires Heads(k,kvs,capacity,cols) && Heads(v,kvs,capacity,cols);
    requires Sep(e,ix(rows,cols,0),q,ix(rows,cols,0));
    requires SepHeads(e,ix(rows,cols,0),k,kvs,capacity,cols);
    requires SepHeads(e,ix(rows,cols,0),v,kvs,capacity,cols);
    assigns e[0 .. ix(rows,cols,0)-1];
    ensures HeadsDecodeBound{Pre,Post}(A,group,capacity,len,q,k,v,e,cols,rows);
*/
static void bound_decode_rows(arith A, idx rows, idx kvs, idx group, idx capacity, idx len,
                              idx cols, const double *q, const double *k, const double *v,
                              double *e)
{
#define ROWS_OUT e
#define ROWS_ARE(n) HeadsDecodeBound{Pre, Here}(A, group, capacity, len, q, k, v, e, cols, n)
#define ROWS_CALL(o) bound_decode_row(A, kvs, group, capacity, len, cols, r, q + o, k, v, e + o)
#define ROWS_SAME(o)                                               \
  Same{L0, Pre}(k, ix(1, len, 0)) && Same{L0, Pre}(q + o, cols) && \
      Same{L0, Pre}(k, HeadAt(kvs, capacity, cols)) &&             \
      Same{L0, Pre}(v, HeadAt(kvs, capacity, cols))
#define ROWS_IS(L, o)                                                                            \
  AttendedRowError{L}(A, 0, 0, k, 1, len, 0, q + o, k + HeadAt(kv_of(r, group), capacity, cols), \
                      v + HeadAt(kv_of(r, group), capacity, cols), cols, c)
#include "softmax_rows.inc"
}

void bound_decode_sdpa(idx batch, idx heads, idx kv_heads, idx capacity, idx d, idx len,
                       const double *q, const double *k, const double *v, arith A, double *e_y)
{
  idx group = group_size(heads, kv_heads), n = size2(batch, heads), kvs = size2(batch, kv_heads);
  //@ assert groups: n == ix(kvs,group,0);
  bound_decode_rows(A, n, kvs, group, capacity, len, d, q, k, v, e_y);
}
