/* What the bounds of attention share: scores of keys, and sums of weighed rows, as error pairs. */
#ifndef REF_ATTENTION_PAIR_H
#define REF_ATTENTION_PAIR_H
#include "attention_row.h"

/*@ lemma row_cross_frame{L1,L2}: \forall integer n, d, off, scalar *a, *ea, *b, *eb; n <= d ==>
      Same{L1,L2}(a,d) ==> Same{L1,L2}(ea,d) ==> Same{L1,L2}(b,d) ==> Same{L1,L2}(eb,d) ==>
      RowCross{L1}(a,ea,off,b,eb,n) == RowCross{L2}(a,ea,off,b,eb,n);
    lemma key_score_frame{L1,L2}: \forall arith A, integer off, scalar *q, *k, *eq, *ek,
      integer d, j, nk; 0 <= j < nk ==> 0 <= d ==>
      Same{L1,L2}(q,d) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(eq,d) ==> Same{L1,L2}(ek,ix(nk,d,0)) ==>
      KeyScore{L1}(A,off,q,k,eq,ek,d,j) == KeyScore{L2}(A,off,q,k,eq,ek,d,j);
*/

/* An element of an input that may be off. */
/*@ requires \valid_read(a + i) && \valid_read(ea + i);
    assigns \nothing;
    ensures \result == PairAt{Pre}(off,a,ea,i);
*/
static inline pair pair_at(int off, const double *a, const double *ea, idx i)
{
  return off ? pair_make(a[i], ea[i]) : pair_in(a[i]);
}

/*@ requires In1(a,n) && In1(ea,n) && In1(b,n) && In1(eb,n);
    assigns \nothing;
    ensures \result == RowCross{Pre}(a,ea,off,b,eb,n);
*/
static inline double row_cross(idx n, const double *a, const double *ea, int off, const double *b,
                               const double *eb)
{
  double m = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant m == RowCross{Pre}(a,ea,off,b,eb,i);
      loop assigns i, m;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    m += pair_cross(pair_at(1, a, ea, i), pair_at(off, b, eb, i));
  return m;
}

/* The magnitudes of a dot product's terms, summed. */
/*@ requires In1(a,n) && In1(b,n);
    assigns \nothing;
    ensures \result == RowAbs{Pre}(a,b,n);
*/
static inline double row_abs(idx n, const double *a, const double *b)
{
  double m = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant m == RowAbs{Pre}(a,b,i);
      loop assigns i, m;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    m += r_abs(r_mul(a[i], b[i]));
  return m;
}

/*@ assigns \nothing; ensures \result == p_dot_off(A,dot,abs,more,n,h); */
static inline pair dot_off(arith A, double dot, double abs, double more, double n, double h)
{
  pair p = pair_dot(A, dot, abs + more, n, h);
  return pair_make(dot, p.e + more);
}

/*@ requires 0 <= d <= IDX_LIM; assigns \nothing; ensures \result == p_score(A,d,dot,abs,more); */
static inline pair score_pair(arith A, idx d, double dot, double abs, double more)
{
  pair c = pair_rnd(A, scale_of(d), 0.0, 2.0);
  return pair_mul(A, c, dot_off(A, dot, abs, more, 2.0 * (double)d + 2.0, (double)d + 3.0));
}

/*@ requires In1(q,d) && In2(k,nk,d) && In1(eq,d) && In2(ek,nk,d) && 0 <= j < nk;
    assigns \nothing;
    ensures \result == KeyScore{Pre}(A,off,q,k,eq,ek,d,j);
*/
static inline pair key_score(arith A, idx nk, idx d, int off, const double *q, const double *k,
                             const double *eq, const double *ek, idx j)
{
  (void)nk;
  idx o = size2(j, d);
  //@ assert inside: 0 <= o && o + d <= ix(nk,d,0);
  double more = off ? row_cross(d, q, eq, 1, k + o, ek + o) : 0.0;
  return score_pair(A, d, row_dot(d, q, k + o), row_abs(d, q, k + o), more);
}

/*@ assigns \nothing; ensures \result == p_key_exp(A,s,m,em); */
static inline pair key_exp(arith A, pair s, double m, double em)
{
  double t = s.v - m;
  double e = s.e + em + r_mul(A.alpha, r_mul(A.u, r_abs(t) + s.e + em) + A.eta);
  return pair_exp(A, pair_make(t, e));
}

/*@ assigns \nothing; ensures \result == e_term(A,v,e,n,h); */
static inline double term_error(arith A, double v, double e, double n, double h)
{
  double more = pair_gam(A.u, h) * (r_abs(v) + e);
  return pair_range(A, n * (r_abs(v) + e + more), e + more);
}

/*@ assigns \nothing; ensures \result == e_part(A,w,x,n,h); */
static inline double part_error(arith A, pair w, pair x, double n, double h)
{
  pair t = pair_mul(A, w, x);
  return pair_range(A, r_mul(2.0 * n, pair_mag(x)), term_error(A, t.v, t.e, n, h));
}

/* Adds to out what a row x, weighed by w, adds to the bounds of a sum of n such terms. */
/*@ requires In1(x,d) && In1(ex,d) && Out1(out,d) && Sep(out,d,x,d) && Sep(out,d,ex,d);
    assigns out[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      out[c] == \old(out[c]) + e_part(A,w,PairAt{Pre}(off,x,ex,c),n,h);
*/
static inline void add_parts(arith A, idx d, pair w, int off, const double *x, const double *ex,
                             double n, double h, double *out)
{
  /*@ loop invariant 0 <= c <= d;
      loop invariant \forall integer e; 0 <= e < c ==>
        out[e] == \at(out[e],Pre) + e_part(A,w,PairAt{Pre}(off,x,ex,e),n,h);
      loop invariant \forall integer e; c <= e < d ==> out[e] == \at(out[e],Pre);
      loop assigns c, out[0 .. d-1];
      loop variant d - c;
  */
  for (idx c = 0; c < d; c++)
    out[c] += part_error(A, w, pair_at(off, x, ex, c), n, h);
}
#endif
