/* What the references and bounds of attention share: rows, heads, and which keys are open. */
#ifndef REF_ATTENTION_ROW_H
#define REF_ATTENTION_ROW_H
#include "attention.h"

/*@ predicate SameRows{L1,L2}(scalar *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L2) == \at(y[ix(r,cols,c)],L1);
    lemma head_within: \forall integer z, n, rows, d; 0 <= z < n ==> 0 <= ix(rows,d,0) ==>
      0 <= HeadAt(z,rows,d) && HeadAt(z,rows,d) + ix(rows,d,0) <= HeadAt(n,rows,d);
    // what is apart from a tensor is so, part by part, from a part of it
    lemma sep_within: \forall scalar *a, *b, integer n, k, i, m, j, l; Sep(a,n,b,k) ==>
      0 <= i ==> i + m <= n ==> 0 <= j ==> j + l <= k ==> Sep(a+i,m,b+j,l);
    // an element of a row, from where the row begins
    lemma at_place{L}: \forall scalar *a, integer z, n, j;
      rd{L}(a,ix(z,n,j)) == rd{L}(a+ix(z,n,0),j);
    lemma same_rows_of{L1,L2}: \forall scalar *y, integer cols, n; 0 <= cols ==>
      Same{L1,L2}(y,ix(n,cols,0)) ==> SameRows{L1,L2}(y,cols,n);
    // one of the heads, and the one that a query head reads
    lemma head_frame{L1,L2}: \forall scalar *a, integer n, rows, d, z; 0 <= z < n ==>
      0 <= ix(rows,d,0) ==> Same{L1,L2}(a,HeadAt(n,rows,d)) ==>
      Same{L1,L2}(a+HeadAt(z,rows,d),ix(rows,d,0));
    lemma kv_frame{L1,L2}: \forall scalar *a, integer n, group, rows, d, z; 1 <= group ==>
      0 <= z < ix(n,group,0) ==> 0 <= ix(rows,d,0) ==> Same{L1,L2}(a,HeadAt(n,rows,d)) ==>
      Same{L1,L2}(a+HeadAt(kv_of(z,group),rows,d),ix(rows,d,0));
    // the keys that count of the head that a query head reads
    lemma cache_within: \forall integer n, group, rows, d, z, len; 0 <= group ==>
      0 <= z < ix(n,group,0) ==> 0 <= d ==> 0 <= len <= rows ==>
      0 <= HeadAt(kv_of(z,group),rows,d) <= HeadAt(n,rows,d) - ix(len,d,0);
    lemma cache_frame{L1,L2}: \forall scalar *a, integer n, group, rows, d, z, len; 0 <= group ==>
      0 <= z < ix(n,group,0) ==> 0 <= d ==> 0 <= len <= rows ==>
      Same{L1,L2}(a,HeadAt(n,rows,d)) ==>
      Same{L1,L2}(a+HeadAt(kv_of(z,group),rows,d),ix(len,d,0));
    lemma grouped: \forall integer n, group, z; 0 <= group ==> 0 <= z < ix(n,group,0) ==>
      1 <= group;
    lemma same_of_head{L1,L2}: \forall scalar *q, *k, integer nq, nk, group, d, n, kvs, z;
      0 <= z < n ==> 0 <= ix(nq,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= group ==>
      n == ix(kvs,group,0) ==>
      Same{L1,L2}(q,HeadAt(n,nq,d)) ==> Same{L1,L2}(k,HeadAt(kvs,nk,d)) ==>
      Same{L1,L2}(q+HeadAt(z,nq,d),ix(nq,d,0)) &&
      Same{L1,L2}(k+HeadAt(kv_of(z,group),nk,d),ix(nk,d,0));
    lemma long_enough: \forall integer n, capacity, d, len; 1 <= n ==> 1 <= d ==>
      0 <= len <= capacity ==> ix(1,len,0) <= HeadAt(n,capacity,d);
*/

/*@ assigns \nothing; ensures \result != 0 <==> is_zero(x); */
static inline int zero(double x) { return x == 0.0; }

/*@ requires In2(mask,nq,nk) && 0 <= i < nq && 0 <= j < nk;
    assigns \nothing;
    ensures \result == Blocked{Pre}(causal,masked,mask,nq,nk,i,j);
*/
static inline double blocked(int causal, int masked, const double *mask, idx nq, idx nk, idx i,
                             idx j)
{
  if (causal && j - nk > i - nq)
    return 1.0;
  return masked ? mask[at2(nq, nk, i, j)] : 0.0;
}

/*@ requires 0 <= d;
    assigns \nothing;
    ensures \result == attn_scale(d);
*/
static inline double scale_of(idx d) { return d <= 0 ? 1.0 : r_quo(1.0, r_sqrt((double)d)); }

/*@ requires In1(a,n) && In1(b,n);
    assigns \nothing;
    ensures \result == RowDot{Pre}(a,b,n);
*/
static inline double row_dot(idx n, const double *a, const double *b)
{
  double s = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == RowDot{Pre}(a,b,i);
      loop assigns i, s;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    s += r_mul(a[i], b[i]);
  return s;
}

/*@ requires In1(q,d) && In2(k,nk,d) && 0 <= j < nk;
    assigns \nothing;
    ensures \result == Score{Pre}(q,k,d,j);
*/
static inline double score(idx nk, idx d, const double *q, const double *k, idx j)
{
  (void)nk;
  idx o = size2(j, d);
  //@ assert inside: 0 <= o && o + d <= ix(nk,d,0);
  return r_mul(scale_of(d), row_dot(d, q, k + o));
}

/* out += w x */
/*@ requires In1(x,d) && Out1(out,d) && Sep(out,d,x,d);
    assigns out[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==> out[c] == \old(out[c]) + rmul(w,\old(x[c]));
*/
static inline void add_row(idx d, double w, const double *x, double *out)
{
  /*@ loop invariant 0 <= c <= d;
      loop invariant \forall integer e; 0 <= e < c ==>
        out[e] == \at(out[e],Pre) + rmul(w,\at(x[e],Pre));
      loop invariant \forall integer e; c <= e < d ==> out[e] == \at(out[e],Pre);
      loop assigns c, out[0 .. d-1];
      loop variant d - c;
  */
  for (idx c = 0; c < d; c++)
    out[c] += r_mul(w, x[c]);
}

/*@ requires 0 <= heads && 0 <= kv_heads;
    assigns \nothing;
    ensures \result == group_of(heads,kv_heads) && 0 <= \result;
*/
static inline idx group_size(idx heads, idx kv_heads)
{
  return kv_heads <= 0 ? 0 : heads / kv_heads;
}

/*@ requires 0 <= z < ix(n,group,0) && 0 <= n && 0 <= group;
    assigns \nothing;
    ensures \result == kv_of(z,group) && 0 <= \result < n;
*/
static inline idx kv_head(idx n, idx group, idx z)
{
  (void)n;
  //@ assert 1 <= group;
  return z / group;
}

/* Where in (n, rows, d) the head begins that query head z reads. */
/*@ requires 0 <= z < ix(n,group,0) && 0 <= n && 0 <= group && 0 <= rows && 0 <= d;
    requires ix(rows,d,0) <= IDX_LIM && HeadAt(n,rows,d) <= IDX_LIM;
    assigns \nothing;
    ensures \result == HeadAt(kv_of(z,group),rows,d);
    ensures 0 <= \result <= HeadAt(n,rows,d) - ix(rows,d,0);
*/
static inline idx kv_at(idx n, idx group, idx z, idx rows, idx d)
{
  return size2(kv_head(n, group, z), size2(rows, d));
}

/*@ requires In1(q,d) && In2(k,nk,d) && In2(mask,nq,nk) && 0 <= i < nq;
    assigns \nothing;
    ensures \result == RowTop{Pre}(causal,masked,mask,nq,nk,i,q,k,d);
*/
static inline double row_top(idx nq, idx nk, idx d, int causal, int masked, const double *mask,
                             idx i, const double *q, const double *k)
{
  double m = 0.0;
  idx opens = 0;
  /*@ loop invariant 0 <= j <= nk;
      loop invariant 0 <= opens <= j &&
        opens == KeysOpen{Pre}(causal,masked,mask,nq,nk,i,j);
      loop invariant m == ScoreMax{Pre}(causal,masked,mask,nq,nk,i,q,k,d,j);
      loop assigns j, m, opens;
      loop variant nk - j;
  */
  for (idx j = 0; j < nk; j++)
    if (zero(blocked(causal, masked, mask, nq, nk, i, j))) {
      double s = score(nk, d, q, k, j);
      if (opens == 0 || s > m)
        m = s;
      opens++;
    }
  return m;
}
#endif
