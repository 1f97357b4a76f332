/* Error bounds of attention and of its VJP. */
#include "attention_row.h"

/* The dot product of two rows and that of magnitudes. */
/*@ requires In1(a,n) && In1(b,n) && \valid(abs);
    requires \separated(abs, a + (0 .. n-1)) && \separated(abs, b + (0 .. n-1));
    assigns *abs;
    ensures \result == RowDot{Pre}(a,b,n) && *abs == RowAbs{Pre}(a,b,n);
*/
static double row_dots(idx n, const double *a, const double *b, double *abs)
{
  double s = 0.0, m = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == RowDot{Pre}(a,b,i) && m == RowAbs{Pre}(a,b,i);
      loop assigns i, s, m;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    double ab = r_mul(a[i], b[i]);
    s += ab;
    m += r_abs(ab);
  }
  *abs = m;
  return s;
}

/*@ requires 0 <= d <= IDX_LIM; assigns \nothing; ensures \result == p_score(A,d,dot,abs); */
static pair score_pair(arith A, idx d, double dot, double abs)
{
  pair c = pair_rnd(A, scale_of(d), 0.0, 2.0);
  return pair_mul(A, c, pair_dot(A, dot, abs, 2.0 * (double)d + 2.0, (double)d + 3.0));
}

/*@ requires In1(q,d) && In2(k,nk,d) && 0 <= j < nk;
    assigns \nothing;
    ensures \result == KeyScore{Pre}(A,q,k,d,j);
*/
static pair key_score(arith A, idx nk, idx d, const double *q, const double *k, idx j)
{
  (void)nk;
  idx o = size2(j, d);
  //@ assert inside: 0 <= o && o + d <= ix(nk,d,0);
  double abs, dot = row_dots(d, q, k + o, &abs);
  return score_pair(A, d, dot, abs);
}

/*@ assigns \nothing; ensures \result == p_key_exp(A,s,m,em); */
static pair key_exp(arith A, pair s, double m, double em)
{
  double t = s.v - m;
  double e = s.e + em + r_mul(A.alpha, r_mul(A.u, r_abs(t) + s.e + em) + A.eta);
  return pair_exp(A, pair_make(t, e));
}

/*@ assigns \nothing; ensures \result == e_term(A,v,e,n,h); */
static double term_error(arith A, double v, double e, double n, double h)
{
  double more = pair_gam(A.u, h) * (r_abs(v) + e);
  return pair_range(A, n * (r_abs(v) + e + more), e + more);
}

/*@ assigns \nothing; ensures \result == e_part(A,w,x,n,h); */
static double part_error(arith A, pair w, double x, double n, double h)
{
  pair t = pair_mul(A, w, pair_in(x));
  return pair_range(A, r_mul(2.0 * n, r_abs(x)), term_error(A, t.v, t.e, n, h));
}

/* Adds to out what a row x, weighed by w, adds to the bounds of a sum of n such terms. */
/*@ requires In1(x,d) && Out1(out,d) && Sep(out,d,x,d);
    assigns out[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      out[c] == \old(out[c]) + e_part(A,w,\old(x[c]),n,h);
*/
static void add_parts(arith A, idx d, pair w, const double *x, double n, double h, double *out)
{
  /*@ loop invariant 0 <= c <= d;
      loop invariant \forall integer e; 0 <= e < c ==>
        out[e] == \at(out[e],Pre) + e_part(A,w,\at(x[e],Pre),n,h);
      loop invariant \forall integer e; c <= e < d ==> out[e] == \at(out[e],Pre);
      loop assigns c, out[0 .. d-1];
      loop variant d - c;
  */
  for (idx c = 0; c < d; c++)
    out[c] += part_error(A, w, x[c], n, h);
}

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
static void bound_row(arith A, idx nq, idx nk, idx d, int causal, int masked, const double *mask,
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
#define SUM_SAME SameSeen{Pre, Here}(mask, nq, nk, q, k, d) && Same{Pre, Here}(v, ix(nk, d, 0))
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

void bound_sdpa(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal, int masked,
                const double *q, const double *k, const double *v, const double *mask, arith A,
                double *e_y, double *e_lse)
{
  idx group = group_size(heads, kv_heads), n = size2(batch, heads), kvs = size2(batch, kv_heads);
  for (idx z = 0; z < n; z++) {
    idx at_kv = size2(kv_head(kvs, group, z), size2(nk, d));
    for (idx i = 0; i < nq; i++) {
      idx o = size2(z, size2(nq, d)) + size2(i, d);
      bound_row(A, nq, nk, d, causal, masked, mask, i, q + o, k + at_kv, v + at_kv, e_y + o);
      e_lse[at2(n, nq, z, i)] = bound_lse(A, nq, nk, d, causal, masked, mask, i, q + o, k + at_kv);
    }
  }
}

/*@ assigns \nothing; ensures \result == p_prob(A,s,lse); */
static pair prob(arith A, pair s, double lse)
{
  pair l = pair_rnd(A, lse, 0.0, 3.0);
  return key_exp(A, s, lse, l.e);
}

/*@ requires 0 <= d <= IDX_LIM;
    assigns \nothing;
    ensures \result == p_score_pull(A,d,p,dot,abs,gy,gyabs);
*/
static pair score_pull(arith A, idx d, pair p, double dot, double abs, double gy, double gyabs)
{
  double n = (double)d;
  pair pull = pair_sub(A, pair_dot(A, dot, abs, n, n - 1.0), pair_dot(A, gy, gyabs, n, n - 1.0));
  return pair_mul(A, pair_rnd(A, scale_of(d), 0.0, 2.0), pair_mul(A, p, pull));
}

/*@ requires In1(q,d) && In1(y,d) && In1(g,d) && In2(k,nk,d) && In2(v,nk,d) && 0 <= j < nk;
    assigns \nothing;
    ensures \result == KeyPull{Pre}(A,q,k,v,y,lse,g,d,j);
*/
static pair key_pull(arith A, idx nk, idx d, const double *q, const double *k, const double *v,
                     const double *y, double lse, const double *g, idx j)
{
  idx o = size2(j, d);
  //@ assert inside: 0 <= o && o + d <= ix(nk,d,0);
  double abs, gyabs, dot = row_dots(d, g, v + o, &abs), gy = row_dots(d, g, y, &gyabs);
  pair p = prob(A, key_score(A, nk, d, q, k, j), lse);
  return score_pull(A, d, p, dot, abs, gy, gyabs);
}

/*@ requires Out1(e,n);
    assigns e[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> is_zero(e[i]);
*/
static void no_error(idx n, double *e)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer s; 0 <= s < i ==> is_zero(e[s]);
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    e[i] = 0.0;
}

void bound_sdpa_vjp(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal,
                    int masked, const double *q, const double *k, const double *v,
                    const double *mask, const double *y, const double *lse, const double *g,
                    arith A, double *e_dq, double *e_dk, double *e_dv)
{
  idx group = group_size(heads, kv_heads), rows = group * nq;
  no_error(batch * heads * nq * d, e_dq);
  no_error(batch * kv_heads * nk * d, e_dk);
  no_error(batch * kv_heads * nk * d, e_dv);
  for (idx z = 0; z < batch * heads; z++)
    for (idx i = 0; i < nq; i++) {
      idx t = z * nq + i, kv = z / group * nk * d;
      const double *qt = q + t * d, *yt = y + t * d, *gt = g + t * d;
      for (idx j = 0; j < nk; j++)
        if (zero(blocked(causal, masked, mask, nq, nk, i, j))) {
          idx at = kv + j * d;
          pair p = prob(A, key_score(A, nk, d, qt, k + kv, j), lse[t]);
          pair w = key_pull(A, nk, d, qt, k + kv, v + kv, yt, lse[t], gt, j);
          add_parts(A, d, w, k + at, (double)(nk * d), A.h, e_dq + t * d);
          add_parts(A, d, w, qt, (double)(rows * d), A.h2, e_dk + at);
          add_parts(A, d, p, gt, (double)rows, A.h2, e_dv + at);
        }
    }
}

void bound_decode_sdpa(idx batch, idx heads, idx kv_heads, idx capacity, idx d, idx len,
                       const double *q, const double *k, const double *v, arith A, double *e_y)
{
  idx group = group_size(heads, kv_heads), n = size2(batch, heads), kvs = size2(batch, kv_heads);
  if (d == 0)
    return;
  for (idx z = 0; z < n; z++) {
    idx at = size2(z, d), at_kv = size2(kv_head(kvs, group, z), size2(capacity, d));
    bound_row(A, 1, len, d, 0, 0, k + at_kv, 0, q + at, k + at_kv, v + at_kv, e_y + at);
  }
}
