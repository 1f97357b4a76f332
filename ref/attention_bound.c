/* Error bounds of attention. */
#include "attention_frames.h"

/*@ predicate HeadsLseBound{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                                   integer nq, integer nk, integer group, scalar *q, scalar *k,
                                   scalar *eq, scalar *ek, scalar *e, integer d, integer n) =
      \forall integer z, i; 0 <= z < n ==> 0 <= i < nq ==>
        \at(e[ix(z,nq,i)],L2) ==
        PairsLseBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                          k+HeadAt(kv_of(z,group),nk,d),eq+HeadAt(z,nq,d),
                          ek+HeadAt(kv_of(z,group),nk,d),d,i);
    predicate SameLseBounds{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                                   integer nq, integer nk, integer group, scalar *q, scalar *k,
                                   scalar *eq, scalar *ek, integer d, integer n) =
      \forall integer z, i; 0 <= z < n ==> 0 <= i < nq ==>
        PairsLseBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                          k+HeadAt(kv_of(z,group),nk,d),eq+HeadAt(z,nq,d),
                          ek+HeadAt(kv_of(z,group),nk,d),d,i) ==
        PairsLseBound{L2}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                          k+HeadAt(kv_of(z,group),nk,d),eq+HeadAt(z,nq,d),
                          ek+HeadAt(kv_of(z,group),nk,d),d,i);
    // stands before the lemmas of frames, as it needs none
    lemma heads_lse_bound_moved{L1,L2,L3}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *eq, *ek, *e, integer d, n;
      SameLseBounds{L1,L2}(A,off,causal,masked,b,nq,nk,group,q,k,eq,ek,d,n) ==>
      HeadsLseBound{L2,L3}(A,off,causal,masked,b,nq,nk,group,q,k,eq,ek,e,d,n) ==>
      HeadsLseBound{L1,L3}(A,off,causal,masked,b,nq,nk,group,q,k,eq,ek,e,d,n);
*/

/*@ requires In1(q,d) && In2(k,nk,d) && In2(mask,nq,nk) && 0 <= i < nq;
    requires In1(eq,d) && In2(ek,nk,d);
    assigns \nothing;
    ensures \result == TopError{Pre}(A,off,causal,masked,mask,nq,nk,i,q,k,eq,ek,d,nk);
*/
static double top_error(arith A, int off, idx nq, idx nk, idx d, int causal, int masked,
                        const double *mask, idx i, const double *q, const double *k,
                        const double *eq, const double *ek)
{
  double em = 0.0;
  /*@ loop invariant 0 <= j <= nk;
      loop invariant em == TopError{Pre}(A,off,causal,masked,mask,nq,nk,i,q,k,eq,ek,d,j);
      loop invariant em >= 0.0;
      loop assigns j, em;
      loop variant nk - j;
  */
  for (idx j = 0; j < nk; j++)
    if (zero(blocked(causal, masked, mask, nq, nk, i, j))) {
      pair s = key_score(A, nk, d, off, q, k, eq, ek, j);
      if (!(s.e <= em))
        em = s.e;
    }
  return em;
}

/*@ requires In1(q,d) && In2(k,nk,d) && In2(mask,nq,nk) && 0 <= i < nq;
    requires In1(eq,d) && In2(ek,nk,d);
    assigns \nothing;
    ensures \result == MassValue{Pre}(A,off,causal,masked,mask,nq,nk,i,q,k,eq,ek,d,m,em,nk);
*/
static double mass_value(arith A, int off, idx nq, idx nk, idx d, int causal, int masked,
                         const double *mask, idx i, const double *q, const double *k,
                         const double *eq, const double *ek, double m, double em)
{
  double value = 0.0;
  /*@ loop invariant 0 <= j <= nk;
      loop invariant value == MassValue{Pre}(A,off,causal,masked,mask,nq,nk,i,q,k,eq,ek,d,m,em,j);
      loop assigns j, value;
      loop variant nk - j;
  */
  for (idx j = 0; j < nk; j++)
    if (zero(blocked(causal, masked, mask, nq, nk, i, j))) {
      pair e = key_exp(A, key_score(A, nk, d, off, q, k, eq, ek, j), m, em);
      value += e.v;
    }
  return value;
}

/*@ requires In1(q,d) && In2(k,nk,d) && In2(mask,nq,nk) && 0 <= i < nq;
    requires In1(eq,d) && In2(ek,nk,d);
    assigns \nothing;
    ensures \result == MassError{Pre}(A,off,causal,masked,mask,nq,nk,i,q,k,eq,ek,d,m,em,nk);
*/
static double mass_error(arith A, int off, idx nq, idx nk, idx d, int causal, int masked,
                         const double *mask, idx i, const double *q, const double *k,
                         const double *eq, const double *ek, double m, double em)
{
  double error = 0.0;
  /*@ loop invariant 0 <= j <= nk;
      loop invariant error == MassError{Pre}(A,off,causal,masked,mask,nq,nk,i,q,k,eq,ek,d,m,em,j);
      loop assigns j, error;
      loop variant nk - j;
  */
  for (idx j = 0; j < nk; j++)
    if (zero(blocked(causal, masked, mask, nq, nk, i, j))) {
      pair e = key_exp(A, key_score(A, nk, d, off, q, k, eq, ek, j), m, em);
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
    requires In1(eq,d) && In2(ek,nk,d) && In2(ev,nk,d);
    requires Out1(e,d) && Sep(e,d,q,d) && Sep(e,d,k,ix(nk,d,0)) && Sep(e,d,v,ix(nk,d,0));
    requires Sep(e,d,eq,d) && Sep(e,d,ek,ix(nk,d,0)) && Sep(e,d,ev,ix(nk,d,0));
    requires Sep(e,d,mask,ix(nq,nk,0));
    assigns e[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      e[c] == PairsRowError{Pre}(A,off,causal,masked,mask,nq,nk,i,q,k,v,eq,ek,ev,d,c);
*/
static void bound_query(arith A, int off, idx nq, idx nk, idx d, int causal, int masked,
                        const double *mask, idx i, const double *q, const double *k,
                        const double *v, const double *eq, const double *ek, const double *ev,
                        double *e)
{
  double m = row_top(nq, nk, d, causal, masked, mask, i, q, k);
  double em = top_error(A, off, nq, nk, d, causal, masked, mask, i, q, k, eq, ek);
  double value = mass_value(A, off, nq, nk, d, causal, masked, mask, i, q, k, eq, ek, m, em);
  double error = mass_error(A, off, nq, nk, d, causal, masked, mask, i, q, k, eq, ek, m, em);
#define SUM_OUT e
#define SUM_N nk
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, i, p))
#define SUM_T pair
#define SUM_WEIGHT key_weight(A, key_score(A, nk, d, off, q, k, eq, ek, p), m, em, value, error)
#define SUM_ADD add_parts(A, d, w, off, v + o, ev + o, (double)nk, A.h, SUM_OUT)
#define SUM_TERM(c) e_part(A, w, PairAt(off, v + o, ev + o, c), nk, A.h)
#define SUM_BLOCK Blocked{Pre}(causal, masked, mask, nq, nk, i, p)
#define SUM_IS_WEIGHT \
  p_key_weight(A, KeyScore{Pre}(A, off, q, k, eq, ek, d, p), m, em, value, error)
#define SUM_ROW(a) (\forall integer c; 0 <= c<d ==> a[o + c] == rd{Pre}(a, ix(p, d, c)))
#define SUM_SAME                                                              \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(q, d) &&            \
      Same{Pre, Here}(k, ix(nk, d, 0)) && Same{Pre, Here}(v, ix(nk, d, 0)) && \
      Same{Pre, Here}(eq, d) && Same{Pre, Here}(ek, ix(nk, d, 0)) &&          \
      Same{Pre, Here}(ev, ix(nk, d, 0)) && SUM_ROW(v) && SUM_ROW(ev)
#define SUM_IS(c, p)                                                                         \
  AttendedError{Pre}(A, off, causal, masked, mask, nq, nk, i, q, k, v, eq, ek, ev, d, m, em, \
                     value, error, c, p)
#define SUM_PART(c, p)                                                                           \
  ValueError{Pre}(A, off, causal, masked, mask, nq, nk, i, q, k, v, eq, ek, ev, d, m, em, value, \
                  error, c, p)
#include "attention_sum.inc"
#undef SUM_ROW
}

/*@ requires In1(q,d) && In2(k,nk,d) && In2(mask,nq,nk) && 0 <= i < nq;
    requires In1(eq,d) && In2(ek,nk,d);
    assigns \nothing;
    ensures \result == e_lse(A, RowTop{Pre}(causal,masked,mask,nq,nk,i,q,k,d),
                             RowTopError{Pre}(A,off,causal,masked,mask,nq,nk,i,q,k,eq,ek,d),
                             RowValue{Pre}(A,off,causal,masked,mask,nq,nk,i,q,k,eq,ek,d),
                             RowError{Pre}(A,off,causal,masked,mask,nq,nk,i,q,k,eq,ek,d));
*/
static double bound_lse(arith A, int off, idx nq, idx nk, idx d, int causal, int masked,
                        const double *mask, idx i, const double *q, const double *k,
                        const double *eq, const double *ek)
{
  double m = row_top(nq, nk, d, causal, masked, mask, i, q, k);
  double em = top_error(A, off, nq, nk, d, causal, masked, mask, i, q, k, eq, ek);
  double value = mass_value(A, off, nq, nk, d, causal, masked, mask, i, q, k, eq, ek, m, em);
  double error = mass_error(A, off, nq, nk, d, causal, masked, mask, i, q, k, eq, ek, m, em);
  return lse_error(A, m, em, value, error);
}

/*@ predicate Bounds{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                            integer nq, integer nk, scalar *q, scalar *k, scalar *v, scalar *eq,
                            scalar *ek, scalar *ev, scalar *e, integer d, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(e[ix(r,d,c)],L2) ==
        PairsBound{L1}(A,off,causal,masked,b,nq,nk,q,k,v,eq,ek,ev,d,r,c);
    lemma bounds_moved{L1,L2,L3}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *v, *eq, *ek, *ev, *e, integer d, n; n <= nq ==> 0 <= nk ==>
      0 <= d ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==>
      Same{L1,L2}(eq,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(ek,ix(nk,d,0)) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(ev,ix(nk,d,0)) ==>
      Bounds{L2,L3}(A,off,causal,masked,b,nq,nk,q,k,v,eq,ek,ev,e,d,n) ==>
      Bounds{L1,L3}(A,off,causal,masked,b,nq,nk,q,k,v,eq,ek,ev,e,d,n);
*/

/*@ requires In2(q,rows,cols) && In2(k,nk,cols) && In2(v,nk,cols) && In2(mask,rows,nk);
    requires In2(eq,rows,cols) && In2(ek,nk,cols) && In2(ev,nk,cols);
    requires Out2(e,rows,cols) && Sep(e,ix(rows,cols,0),q,ix(rows,cols,0));
    requires Sep(e,ix(rows,cols,0),eq,ix(rows,cols,0));
    requires Sep(e,ix(rows,cols,0),k,ix(nk,cols,0)) && Sep(e,ix(rows,cols,0),v,ix(nk,cols,0));
    requires Sep(e,ix(rows,cols,0),ek,ix(nk,cols,0)) && Sep(e,ix(rows,cols,0),ev,ix(nk,cols,0));
    requires Sep(e,ix(rows,cols,0),mask,ix(rows,nk,0));
    assigns e[0 .. ix(rows,cols,0)-1];
    ensures Bounds{Pre,Post}(A,off,causal,masked,mask,rows,nk,q,k,v,eq,ek,ev,e,cols,rows);
*/
static void bound_head(arith A, int off, idx rows, idx nk, idx cols, int causal, int masked,
                       const double *mask, const double *q, const double *k, const double *v,
                       const double *eq, const double *ek, const double *ev, double *e)
{
#define ROWS_OUT e
#define ROWS_ARE(n) \
  Bounds{Pre, Here}(A, off, causal, masked, mask, rows, nk, q, k, v, eq, ek, ev, e, cols, n)
#define ROWS_CALL(o) \
  bound_query(A, off, rows, nk, cols, causal, masked, mask, r, q + o, k, v, eq + o, ek, ev, e + o)
#define ROWS_SAME(o)                                                            \
  Same{L0, Pre}(mask, ix(rows, nk, 0)) && Same{L0, Pre}(q + o, cols) &&         \
      Same{L0, Pre}(k, ix(nk, cols, 0)) && Same{L0, Pre}(v, ix(nk, cols, 0)) && \
      Same{L0, Pre}(eq + o, cols) && Same{L0, Pre}(ek, ix(nk, cols, 0)) &&      \
      Same{L0, Pre}(ev, ix(nk, cols, 0))
#define ROWS_IS(L, o) \
  PairsRowError{L}(A, off, causal, masked, mask, rows, nk, r, q + o, k, v, eq + o, ek, ev, cols, c)
#include "softmax_rows.inc"
}

/*@ predicate LseBounds{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                               integer nq, integer nk, scalar *q, scalar *k, scalar *eq, scalar *ek,
                               scalar *e, integer d, integer n) =
      \forall integer i; 0 <= i < n ==>
        \at(e[i],L2) ==
        PairsLseBound{L1}(A,off,causal,masked,b,nq,nk,q,k,eq,ek,d,i);
    lemma lse_bounds_moved{L1,L2,L3}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, scalar *q, *k, *eq, *ek, *e, integer d, n; n <= nq ==> 0 <= nk ==> 0 <= d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(eq,ix(nq,d,0)) ==>
      Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(ek,ix(nk,d,0)) ==>
      LseBounds{L2,L3}(A,off,causal,masked,b,nq,nk,q,k,eq,ek,e,d,n) ==>
      LseBounds{L1,L3}(A,off,causal,masked,b,nq,nk,q,k,eq,ek,e,d,n);
*/

/*@ requires In2(q,nq,d) && In2(k,nk,d) && In2(mask,nq,nk) && Out1(e,nq);
    requires In2(eq,nq,d) && In2(ek,nk,d);
    requires Sep(e,nq,q,ix(nq,d,0)) && Sep(e,nq,k,ix(nk,d,0)) && Sep(e,nq,mask,ix(nq,nk,0));
    requires Sep(e,nq,eq,ix(nq,d,0)) && Sep(e,nq,ek,ix(nk,d,0));
    assigns e[0 .. nq-1];
    ensures LseBounds{Pre,Post}(A,off,causal,masked,mask,nq,nk,q,k,eq,ek,e,d,nq);
*/
static void bound_lse_head(arith A, int off, idx nq, idx nk, idx d, int causal, int masked,
                           const double *mask, const double *q, const double *k, const double *eq,
                           const double *ek, double *e)
{
  /*@ loop invariant 0 <= i <= nq;
      loop invariant LseBounds{Pre,Here}(A,off,causal,masked,mask,nq,nk,q,k,eq,ek,e,d,i);
      loop assigns i, e[0 .. nq-1];
      loop variant nq - i;
  */
  for (idx i = 0; i < nq; i++) {
    idx o = size2(i, d);
    //@ assert inside: 0 <= o && o + d <= ix(nq,d,0);
    /*@ assert inputs: Same{Pre,Here}(mask,ix(nq,nk,0)) && Same{Pre,Here}(q,ix(nq,d,0)) &&
          Same{Pre,Here}(k,ix(nk,d,0)) && Same{Pre,Here}(eq,ix(nq,d,0)) &&
          Same{Pre,Here}(ek,ix(nk,d,0)); */
    //@ assert same: SameSeen{Pre,Here}(mask,nq,nk,q+o,k,d);
    //@ assert same_errors: SameSeen{Pre,Here}(mask,nq,nk,eq+o,ek,d);
    e[i] = bound_lse(A, off, nq, nk, d, causal, masked, mask, i, q + o, k, eq + o, ek);
  }
}

/*@ predicate HeadBound{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                               integer nq, integer nk, integer group, scalar *q, scalar *k,
                               scalar *v, scalar *eq, scalar *ek, scalar *ev, scalar *e, integer d,
                               integer z) =
      \forall integer i, c; 0 <= i < nq ==> 0 <= c < d ==>
        \at(e[ix(z,ix(nq,d,0),ix(i,d,c))],L2) ==
        PairsBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                       v+HeadAt(kv_of(z,group),nk,d),eq+HeadAt(z,nq,d),
                       ek+HeadAt(kv_of(z,group),nk,d),ev+HeadAt(kv_of(z,group),nk,d),d,i,c);
    lemma head_bound_placed{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *v, *eq, *ek, *ev, *e, integer d, z;
      Bounds{L1,L2}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                    v+HeadAt(kv_of(z,group),nk,d),eq+HeadAt(z,nq,d),ek+HeadAt(kv_of(z,group),nk,d),
                    ev+HeadAt(kv_of(z,group),nk,d),e+HeadAt(z,nq,d),d,nq) ==>
      HeadBound{L1,L2}(A,off,causal,masked,b,nq,nk,group,q,k,v,eq,ek,ev,e,d,z);
    predicate HeadsBound{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                                integer nq, integer nk, integer group, scalar *q, scalar *k,
                                scalar *v, scalar *eq, scalar *ek, scalar *ev, scalar *e, integer d,
                                integer n) =
      \forall integer z, i, c; 0 <= z < n ==> 0 <= i < nq ==> 0 <= c < d ==>
        \at(e[ix(z,ix(nq,d,0),ix(i,d,c))],L2) ==
        PairsBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                       v+HeadAt(kv_of(z,group),nk,d),eq+HeadAt(z,nq,d),
                       ek+HeadAt(kv_of(z,group),nk,d),ev+HeadAt(kv_of(z,group),nk,d),d,i,c);
    lemma heads_bound_kept{L1,L2,L3}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *v, *eq, *ek, *ev, *e, integer d, n;
      SameRows{L2,L3}(e,ix(nq,d,0),n) ==>
      HeadsBound{L1,L2}(A,off,causal,masked,b,nq,nk,group,q,k,v,eq,ek,ev,e,d,n) ==>
      HeadsBound{L1,L3}(A,off,causal,masked,b,nq,nk,group,q,k,v,eq,ek,ev,e,d,n);
    predicate HeadLseBound{L1,L2}(arith A, integer off, integer causal, integer masked, scalar *b,
                                  integer nq, integer nk, integer group, scalar *q, scalar *k,
                                  scalar *eq, scalar *ek, scalar *e, integer d, integer z) =
      \forall integer i; 0 <= i < nq ==>
        \at(e[ix(z,nq,i)],L2) ==
        PairsLseBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),
                          k+HeadAt(kv_of(z,group),nk,d),eq+HeadAt(z,nq,d),
                          ek+HeadAt(kv_of(z,group),nk,d),d,i);
    lemma head_lse_bound_placed{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *eq, *ek, *e, integer d, z;
      LseBounds{L1,L2}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                       eq+HeadAt(z,nq,d),ek+HeadAt(kv_of(z,group),nk,d),e+ix(z,nq,0),d,nq) ==>
      HeadLseBound{L1,L2}(A,off,causal,masked,b,nq,nk,group,q,k,eq,ek,e,d,z);
    lemma lse_bound_at_head_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *eq, *ek, integer d, n, kvs, z, i; 0 <= z < n ==>
      0 <= i < nq ==> 0 <= ix(nq,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= nk ==> 0 <= d ==> 0 <= group ==>
      n == ix(kvs,group,0) ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,HeadAt(n,nq,d)) ==>
      Same{L1,L2}(eq,HeadAt(n,nq,d)) ==> Same{L1,L2}(k,HeadAt(kvs,nk,d)) ==>
      Same{L1,L2}(ek,HeadAt(kvs,nk,d)) ==> Same{L1,L2}(q+HeadAt(z,nq,d),ix(nq,d,0)) ==>
      Same{L1,L2}(eq+HeadAt(z,nq,d),ix(nq,d,0)) ==>
      Same{L1,L2}(k+HeadAt(kv_of(z,group),nk,d),ix(nk,d,0)) ==>
      Same{L1,L2}(ek+HeadAt(kv_of(z,group),nk,d),ix(nk,d,0)) ==>
      PairsLseBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                        eq+HeadAt(z,nq,d),ek+HeadAt(kv_of(z,group),nk,d),d,i) ==
      PairsLseBound{L2}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                        eq+HeadAt(z,nq,d),ek+HeadAt(kv_of(z,group),nk,d),d,i);
    lemma lse_bound_of_head_frame{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *eq, *ek, integer d, n, kvs, z, i; 0 <= z < n ==>
      0 <= i < nq ==> 0 <= ix(nq,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= nk ==> 0 <= d ==> 0 <= group ==>
      n == ix(kvs,group,0) ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,HeadAt(n,nq,d)) ==>
      Same{L1,L2}(eq,HeadAt(n,nq,d)) ==> Same{L1,L2}(k,HeadAt(kvs,nk,d)) ==>
      Same{L1,L2}(ek,HeadAt(kvs,nk,d)) ==>
      PairsLseBound{L1}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                        eq+HeadAt(z,nq,d),ek+HeadAt(kv_of(z,group),nk,d),d,i) ==
      PairsLseBound{L2}(A,off,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                        eq+HeadAt(z,nq,d),ek+HeadAt(kv_of(z,group),nk,d),d,i);
    lemma same_lse_bounds{L1,L2}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *eq, *ek, integer d, n, kvs; 0 <= ix(nq,d,0) ==>
      0 <= ix(nk,d,0) ==> 0 <= nk ==> 0 <= d ==> 0 <= group ==> n == ix(kvs,group,0) ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,HeadAt(n,nq,d)) ==>
      Same{L1,L2}(eq,HeadAt(n,nq,d)) ==> Same{L1,L2}(k,HeadAt(kvs,nk,d)) ==>
      Same{L1,L2}(ek,HeadAt(kvs,nk,d)) ==>
      SameLseBounds{L1,L2}(A,off,causal,masked,b,nq,nk,group,q,k,eq,ek,d,n);
    lemma heads_lse_bound_kept{L1,L2,L3}: \forall arith A, integer off, causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *eq, *ek, *e, integer d, n; SameRows{L2,L3}(e,nq,n) ==>
      HeadsLseBound{L1,L2}(A,off,causal,masked,b,nq,nk,group,q,k,eq,ek,e,d,n) ==>
      HeadsLseBound{L1,L3}(A,off,causal,masked,b,nq,nk,group,q,k,eq,ek,e,d,n);
*/

/* n query heads read kvs KV heads: a head is slices of what bound_head is proven for. */
/*@ requires 0 <= group && 0 <= kvs && n == ix(kvs,group,0) && In2(mask,nq,nk);
    requires Heads(q,n,nq,d) && Heads(k,kvs,nk,d) && Heads(v,kvs,nk,d) && OutHeads(e,n,nq,d);
    requires Heads(eq,n,nq,d) && Heads(ek,kvs,nk,d) && Heads(ev,kvs,nk,d);
    requires ix(n,nq,0) <= IDX_LIM;
    requires Sep(e,HeadAt(n,nq,d),eq,HeadAt(n,nq,d)) && Sep(e,HeadAt(n,nq,d),ek,HeadAt(kvs,nk,d));
    requires Sep(e,HeadAt(n,nq,d),ev,HeadAt(kvs,nk,d));
    requires Sep(e,HeadAt(n,nq,d),q,HeadAt(n,nq,d)) && Sep(e,HeadAt(n,nq,d),k,HeadAt(kvs,nk,d));
    requires Sep(e,HeadAt(n,nq,d),v,HeadAt(kvs,nk,d)) && Sep(e,HeadAt(n,nq,d),mask,ix(nq,nk,0));
    assigns e[0 .. HeadAt(n,nq,d)-1];
    ensures HeadsBound{Pre,Post}(A,off,causal,masked,mask,nq,nk,group,q,k,v,eq,ek,ev,e,d,n);
*/
static void bound_heads(arith A, int off, idx n, idx kvs, idx group, idx nq, idx nk, idx d,
                        int causal, int masked, const double *q, const double *k, const double *v,
                        const double *eq, const double *ek, const double *ev, const double *mask,
                        double *e)
{
#define HEADS_N n
#define HEADS_ROWS nq
#define HEADS_KV kv_head(kvs, group, z)
#define HEADS_KVZ kv_of(z, group)
#define HEADS_OUT e
#define HEADS_SIZE ix(nq, d, 0)
#define HEADS_ARE(n) \
  HeadsBound{Pre, Here}(A, off, causal, masked, mask, nq, nk, group, q, k, v, eq, ek, ev, e, d, n)
#define HEADS_SAME                                                                              \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(q + at, ix(nq, d, 0)) &&              \
      Same{Pre, Here}(k + at_kv, ix(nk, d, 0)) && Same{Pre, Here}(v + at_kv, ix(nk, d, 0)) &&   \
      Same{Pre, Here}(eq + at, ix(nq, d, 0)) && Same{Pre, Here}(ek + at_kv, ix(nk, d, 0)) &&    \
      Same{Pre, Here}(ev + at_kv, ix(nk, d, 0)) && In2(q + at, nq, d) && In2(eq + at, nq, d) && \
      In2(k + at_kv, nk, d) && In2(ek + at_kv, nk, d) && In2(v + at_kv, nk, d) &&               \
      In2(ev + at_kv, nk, d) && Out2(e + at, nq, d)
#define HEADS_CALL                                                                           \
  bound_head(A, off, nq, nk, d, causal, masked, mask, q + at, k + at_kv, v + at_kv, eq + at, \
             ek + at_kv, ev + at_kv, e + at)
#define HEADS_MOVED                                                                              \
  Bounds{Pre, Here}(A, off, causal, masked, mask, nq, nk, q + at, k + at_kv, v + at_kv, eq + at, \
                    ek + at_kv, ev + at_kv, e + at, d, nq)
#define HEADS_NEW \
  HeadBound{Pre, Here}(A, off, causal, masked, mask, nq, nk, group, q, k, v, eq, ek, ev, e, d, z)
#include "attention_heads.inc"
}

/*@ requires 0 <= group && 0 <= kvs && n == ix(kvs,group,0) && In2(mask,nq,nk);
    requires Heads(q,n,nq,d) && Heads(k,kvs,nk,d) && Out2(e,n,nq);
    requires Heads(eq,n,nq,d) && Heads(ek,kvs,nk,d);
    requires Sep(e,ix(n,nq,0),eq,HeadAt(n,nq,d)) && Sep(e,ix(n,nq,0),ek,HeadAt(kvs,nk,d));
    requires Sep(e,ix(n,nq,0),q,HeadAt(n,nq,d)) && Sep(e,ix(n,nq,0),k,HeadAt(kvs,nk,d));
    requires Sep(e,ix(n,nq,0),mask,ix(nq,nk,0));
    assigns e[0 .. ix(n,nq,0)-1];
    ensures HeadsLseBound{Pre,Post}(A,off,causal,masked,mask,nq,nk,group,q,k,eq,ek,e,d,n);
*/
static void bound_lse_heads(arith A, int off, idx n, idx kvs, idx group, idx nq, idx nk, idx d,
                            int causal, int masked, const double *q, const double *k,
                            const double *eq, const double *ek, const double *mask, double *e)
{
#define HEADS_N n
#define HEADS_ROWS nq
#define HEADS_KV kv_head(kvs, group, z)
#define HEADS_KVZ kv_of(z, group)
#define HEADS_OUT e
#define HEADS_SIZE nq
#define HEADS_ARE(n) \
  HeadsLseBound{Pre, Here}(A, off, causal, masked, mask, nq, nk, group, q, k, eq, ek, e, d, n)
#define HEADS_SAME                                                                              \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(q + at, ix(nq, d, 0)) &&              \
      Same{Pre, Here}(k + at_kv, ix(nk, d, 0)) && Same{Pre, Here}(eq + at, ix(nq, d, 0)) &&     \
      Same{Pre, Here}(ek + at_kv, ix(nk, d, 0)) && In2(q + at, nq, d) && In2(eq + at, nq, d) && \
      In2(k + at_kv, nk, d) && In2(ek + at_kv, nk, d)
#define HEADS_CALL                                                                                \
  bound_lse_head(A, off, nq, nk, d, causal, masked, mask, q + at, k + at_kv, eq + at, ek + at_kv, \
                 e + at_lse)
#define HEADS_MOVED                                                                      \
  LseBounds{Pre, Here}(A, off, causal, masked, mask, nq, nk, q + at, k + at_kv, eq + at, \
                       ek + at_kv, e + at_lse, d, nq)
#define HEADS_NEW \
  HeadLseBound{Pre, Here}(A, off, causal, masked, mask, nq, nk, group, q, k, eq, ek, e, d, z)
#include "attention_heads.inc"
}

void pair_sdpa(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal, int masked,
               const double *q, const double *k, const double *v, int off, const double *eq,
               const double *ek, const double *ev, const double *mask, arith A, double *e_y,
               double *e_lse)
{
  idx group = group_size(heads, kv_heads), n = size2(batch, heads), kvs = size2(batch, kv_heads);
  //@ assert groups: n == ix(kvs,group,0);
  bound_heads(A, off, n, kvs, group, nq, nk, d, causal, masked, q, k, v, eq, ek, ev, mask, e_y);
  //@ assert same: Same{Pre,Here}(q,HeadAt(n,nq,d)) && Same{Pre,Here}(k,HeadAt(kvs,nk,d));
  //@ assert same_errors: Same{Pre,Here}(eq,HeadAt(n,nq,d)) && Same{Pre,Here}(ek,HeadAt(kvs,nk,d));
  //@ assert same_mask: Same{Pre,Here}(mask,ix(nq,nk,0));
  //@ ghost L1: ;
  bound_lse_heads(A, off, n, kvs, group, nq, nk, d, causal, masked, q, k, eq, ek, mask, e_lse);
  //@ assert stays: Same{L1,Here}(e_y,HeadAt(n,nq,d));
  //@ assert rows: SameRows{L1,Here}(e_y,ix(nq,d,0),n);
  /*@ assert out: HeadsBound{Pre,Here}(A,off,causal,masked,mask,nq,nk,group,q,k,v,eq,ek,ev,e_y,
                                       d,n); */
  //@ assert seen: SameLseBounds{Pre,L1}(A,off,causal,masked,mask,nq,nk,group,q,k,eq,ek,d,n);
  /*@ assert sums: HeadsLseBound{Pre,Here}(A,off,causal,masked,mask,nq,nk,group,q,k,eq,ek,e_lse,
                                           d,n); */
}

void bound_sdpa(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal, int masked,
                const double *q, const double *k, const double *v, const double *mask, arith A,
                double *e_y, double *e_lse)
{
  pair_sdpa(batch, heads, kv_heads, nq, nk, d, causal, masked, q, k, v, 0, q, k, v, mask, A, e_y,
            e_lse);
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
  bound_query(A, 0, 1, len, d, 0, 0, k, 0, q, k + at, v + at, q, k + at, v + at, e);
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
