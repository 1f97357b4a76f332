#include "attention.h"

/*@ predicate SameRows{L1,L2}(scalar *y, integer cols, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < cols ==>
        \at(y[ix(r,cols,c)],L2) == \at(y[ix(r,cols,c)],L1);
*/

/*@ assigns \nothing; ensures \result != 0 <==> is_zero(x); */
static int zero(double x) { return x == 0.0; }

/*@ requires In2(mask,nq,nk) && 0 <= i < nq && 0 <= j < nk;
    assigns \nothing;
    ensures \result == Blocked{Pre}(causal,masked,mask,nq,nk,i,j);
*/
static double blocked(int causal, int masked, const double *mask, idx nq, idx nk, idx i, idx j)
{
  if (causal && j - nk > i - nq)
    return 1.0;
  return masked ? mask[at2(nq, nk, i, j)] : 0.0;
}

/*@ requires 0 <= d;
    assigns \nothing;
    ensures \result == attn_scale(d);
*/
static double scale_of(idx d) { return d <= 0 ? 1.0 : r_quo(1.0, r_sqrt((double)d)); }

/*@ requires In1(a,n) && In1(b,n);
    assigns \nothing;
    ensures \result == RowDot{Pre}(a,b,n);
*/
static double row_dot(idx n, const double *a, const double *b)
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
static double score(idx nk, idx d, const double *q, const double *k, idx j)
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
static void add_row(idx d, double w, const double *x, double *out)
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

/*@ requires In1(q,d) && In2(k,nk,d) && In2(mask,nq,nk) && 0 <= i < nq;
    assigns \nothing;
    ensures \result == RowTop{Pre}(causal,masked,mask,nq,nk,i,q,k,d);
*/
static double row_top(idx nq, idx nk, idx d, int causal, int masked, const double *mask, idx i,
                      const double *q, const double *k)
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

/*@ requires In1(q,d) && In2(k,nk,d) && In2(mask,nq,nk) && 0 <= i < nq;
    assigns \nothing;
    ensures \result == ScoreSum{Pre}(causal,masked,mask,nq,nk,i,q,k,d,m,nk);
*/
static double row_mass(idx nq, idx nk, idx d, int causal, int masked, const double *mask, idx i,
                       const double *q, const double *k, double m)
{
  double s = 0.0;
  /*@ loop invariant 0 <= j <= nk;
      loop invariant s == ScoreSum{Pre}(causal,masked,mask,nq,nk,i,q,k,d,m,j);
      loop assigns j, s;
      loop variant nk - j;
  */
  for (idx j = 0; j < nk; j++)
    if (zero(blocked(causal, masked, mask, nq, nk, i, j)))
      s += r_exp(score(nk, d, q, k, j) - m);
  return s;
}

/*@ requires In1(q,d) && In2(k,nk,d) && 0 <= j < nk;
    assigns \nothing;
    ensures \result == KeyWeight{Pre}(q,k,d,m,s,j);
*/
static double key_weight(idx nk, idx d, const double *q, const double *k, double m, double s, idx j)
{
  return r_quo(r_exp(score(nk, d, q, k, j) - m), s);
}

/*@ requires In1(q,d) && In2(k,nk,d) && In2(v,nk,d) && In2(mask,nq,nk) && 0 <= i < nq && Out1(y,d);
    requires Sep(y,d,q,d) && Sep(y,d,k,ix(nk,d,0)) && Sep(y,d,v,ix(nk,d,0));
    requires Sep(y,d,mask,ix(nq,nk,0));
    assigns y[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      y[c] == AttendedRow{Pre}(causal,masked,mask,nq,nk,i,q,k,v,d,c);
*/
static void attend_row(idx nq, idx nk, idx d, int causal, int masked, const double *mask, idx i,
                       const double *q, const double *k, const double *v, double *y)
{
  double m = row_top(nq, nk, d, causal, masked, mask, i, q, k);
  double s = row_mass(nq, nk, d, causal, masked, mask, i, q, k, m);
#define SUM_OUT y
#define SUM_N nk
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, i, p))
#define SUM_WEIGHT key_weight(nk, d, q, k, m, s, p)
#define SUM_OF v
#define SUM_SAME SameSeen{Pre, Here}(mask, nq, nk, q, k, d) && Same{Pre, Here}(v, ix(nk, d, 0))
#define SUM_IS(c, p) Attended{Pre}(causal, masked, mask, nq, nk, i, q, k, v, d, m, s, c, p)
#define SUM_PART(c, p) ValuePart{Pre}(causal, masked, mask, nq, nk, i, q, k, v, d, m, s, c, p)
#include "attention_sum.inc"
}

/*@ predicate Attends{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                             scalar *q, scalar *k, scalar *v, scalar *y, integer d, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(y[ix(r,d,c)],L2) == Sdpa{L1}(causal,masked,b,nq,nk,q,k,v,d,r,c);
*/

/*@ requires In2(q,rows,cols) && In2(k,nk,cols) && In2(v,nk,cols) && In2(mask,rows,nk);
    requires Out2(y,rows,cols) && Sep(y,ix(rows,cols,0),q,ix(rows,cols,0));
    requires Sep(y,ix(rows,cols,0),k,ix(nk,cols,0)) && Sep(y,ix(rows,cols,0),v,ix(nk,cols,0));
    requires Sep(y,ix(rows,cols,0),mask,ix(rows,nk,0));
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures Attends{Pre,Post}(causal,masked,mask,rows,nk,q,k,v,y,cols,rows);
*/
static void attend_head(idx rows, idx nk, idx cols, int causal, int masked, const double *mask,
                        const double *q, const double *k, const double *v, double *y)
{
#define ROWS_OUT y
#define ROWS_ARE(n) Attends{Pre, Here}(causal, masked, mask, rows, nk, q, k, v, y, cols, n)
#define ROWS_CALL(o) attend_row(rows, nk, cols, causal, masked, mask, r, q + o, k, v, y + o)
#define ROWS_SAME(o) \
  SameSeen{L0, Pre}(mask, rows, nk, q + o, k, cols) && Same{L0, Pre}(v, ix(nk, cols, 0))
#define ROWS_IS(L, o) AttendedRow{L}(causal, masked, mask, rows, nk, r, q + o, k, v, cols, c)
#include "softmax_rows.inc"
}

/*@ requires In2(q,nq,d) && In2(k,nk,d) && In2(mask,nq,nk) && Out1(lse,nq);
    requires Sep(lse,nq,q,ix(nq,d,0)) && Sep(lse,nq,k,ix(nk,d,0)) && Sep(lse,nq,mask,ix(nq,nk,0));
    assigns lse[0 .. nq-1];
    ensures \forall integer i; 0 <= i < nq ==>
      lse[i] == SdpaLse{Pre}(causal,masked,mask,nq,nk,q,k,d,i);
*/
static void lse_head(idx nq, idx nk, idx d, int causal, int masked, const double *mask,
                     const double *q, const double *k, double *lse)
{
  /*@ loop invariant 0 <= i <= nq;
      loop invariant \forall integer r; 0 <= r < i ==>
        lse[r] == SdpaLse{Pre}(causal,masked,mask,nq,nk,q,k,d,r);
      loop assigns i, lse[0 .. nq-1];
      loop variant nq - i;
  */
  for (idx i = 0; i < nq; i++) {
    idx o = size2(i, d);
    //@ assert inside: 0 <= o && o + d <= ix(nq,d,0);
    //@ assert same: SameSeen{Pre,Here}(mask,nq,nk,q+o,k,d);
    double m = row_top(nq, nk, d, causal, masked, mask, i, q + o, k);
    double s = row_mass(nq, nk, d, causal, masked, mask, i, q + o, k, m);
    //@ assert top: m == RowTop{Pre}(causal,masked,mask,nq,nk,i,q+o,k,d);
    //@ assert mass: s == RowMass{Pre}(causal,masked,mask,nq,nk,i,q+o,k,d);
    lse[i] = m + r_log(s);
  }
}

/*@ requires 0 <= heads && 0 <= kv_heads;
    assigns \nothing;
    ensures \result == group_of(heads,kv_heads) && 0 <= \result;
*/
static idx group_size(idx heads, idx kv_heads) { return kv_heads <= 0 ? 0 : heads / kv_heads; }

/*@ requires 0 <= z < ix(n,group,0) && 0 <= n && 0 <= group;
    assigns \nothing;
    ensures \result == kv_of(z,group) && 0 <= \result < n;
*/
static idx kv_head(idx n, idx group, idx z)
{
  (void)n;
  return group <= 0 ? 0 : z / group;
}

/*@ predicate HeadsAttend{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                                 integer group, scalar *q, scalar *k, scalar *v, scalar *y,
                                 integer d, integer n) =
      \forall integer z, i, c; 0 <= z < n ==> 0 <= i < nq ==> 0 <= c < d ==>
        \at(y[ix(z,ix(nq,d,0),ix(i,d,c))],L2) ==
        Sdpa{L1}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                 v+HeadAt(kv_of(z,group),nk,d),d,i,c);
    predicate HeadsLse{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                              integer group, scalar *q, scalar *k, scalar *lse, integer d,
                              integer n) =
      \forall integer z, i; 0 <= z < n ==> 0 <= i < nq ==>
        \at(lse[ix(z,nq,i)],L2) ==
        SdpaLse{L1}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),d,i);
    lemma head_within: \forall integer z, n, rows, d; 0 <= z < n ==> 0 <= ix(rows,d,0) ==>
      0 <= HeadAt(z,rows,d) && HeadAt(z,rows,d) + ix(rows,d,0) <= HeadAt(n,rows,d);
*/

/* n query heads read kvs KV heads: a head is slices of what attend_head is proven for. */
/*@ requires 0 <= group && 0 <= kvs && n == ix(kvs,group,0) && In2(mask,nq,nk);
    requires Heads(q,n,nq,d) && Heads(k,kvs,nk,d) && Heads(v,kvs,nk,d) && OutHeads(y,n,nq,d);
    requires Sep(y,HeadAt(n,nq,d),q,HeadAt(n,nq,d)) && Sep(y,HeadAt(n,nq,d),k,HeadAt(kvs,nk,d));
    requires Sep(y,HeadAt(n,nq,d),v,HeadAt(kvs,nk,d)) && Sep(y,HeadAt(n,nq,d),mask,ix(nq,nk,0));
    assigns y[0 .. HeadAt(n,nq,d)-1];
    ensures HeadsAttend{Pre,Post}(causal,masked,mask,nq,nk,group,q,k,v,y,d,n);
*/
static void attend_heads(idx n, idx kvs, idx group, idx nq, idx nk, idx d, int causal, int masked,
                         const double *q, const double *k, const double *v, const double *mask,
                         double *y)
{
  /*@ loop invariant 0 <= z <= n;
      loop invariant HeadsAttend{Pre,Here}(causal,masked,mask,nq,nk,group,q,k,v,y,d,z);
      loop assigns z, y[0 .. HeadAt(n,nq,d)-1];
      loop variant n - z;
  */
  for (idx z = 0; z < n; z++) {
    idx at = size2(z, size2(nq, d)), at_kv = size2(kv_head(kvs, group, z), size2(nk, d));
    //@ assert at == HeadAt(z,nq,d) && at_kv == HeadAt(kv_of(z,group),nk,d);
    //@ assert inside: 0 <= at && at + ix(nq,d,0) <= HeadAt(n,nq,d);
    //@ assert kv_inside: 0 <= at_kv && at_kv + ix(nk,d,0) <= HeadAt(kvs,nk,d);
    //@ assert same: Same{Pre,Here}(mask,ix(nq,nk,0)) && Same{Pre,Here}(q+at,ix(nq,d,0));
    //@ assert same_kv: Same{Pre,Here}(k+at_kv,ix(nk,d,0)) && Same{Pre,Here}(v+at_kv,ix(nk,d,0));
    attend_head(nq, nk, d, causal, masked, mask, q + at, k + at_kv, v + at_kv, y + at);
    /*@ assert new: \forall integer i, c; 0 <= i < nq ==> 0 <= c < d ==>
          y[at+ix(i,d,c)] ==
          Sdpa{Pre}(causal,masked,mask,nq,nk,q+at,k+at_kv,v+at_kv,d,i,c); */
  }
}

/*@ requires 0 <= group && 0 <= kvs && n == ix(kvs,group,0) && In2(mask,nq,nk);
    requires Heads(q,n,nq,d) && Heads(k,kvs,nk,d) && Out2(lse,n,nq);
    requires Sep(lse,ix(n,nq,0),q,HeadAt(n,nq,d)) && Sep(lse,ix(n,nq,0),k,HeadAt(kvs,nk,d));
    requires Sep(lse,ix(n,nq,0),mask,ix(nq,nk,0));
    assigns lse[0 .. ix(n,nq,0)-1];
    ensures HeadsLse{Pre,Post}(causal,masked,mask,nq,nk,group,q,k,lse,d,n);
*/
static void lse_heads(idx n, idx kvs, idx group, idx nq, idx nk, idx d, int causal, int masked,
                      const double *q, const double *k, const double *mask, double *lse)
{
  /*@ loop invariant 0 <= z <= n;
      loop invariant HeadsLse{Pre,Here}(causal,masked,mask,nq,nk,group,q,k,lse,d,z);
      loop assigns z, lse[0 .. ix(n,nq,0)-1];
      loop variant n - z;
  */
  for (idx z = 0; z < n; z++) {
    idx at = size2(z, size2(nq, d)), at_kv = size2(kv_head(kvs, group, z), size2(nk, d));
    idx at_lse = size2(z, nq);
    //@ assert at == HeadAt(z,nq,d) && at_kv == HeadAt(kv_of(z,group),nk,d);
    //@ assert inside: 0 <= at && at + ix(nq,d,0) <= HeadAt(n,nq,d);
    //@ assert kv_inside: 0 <= at_kv && at_kv + ix(nk,d,0) <= HeadAt(kvs,nk,d);
    //@ assert lse_inside: 0 <= at_lse && at_lse + nq <= ix(n,nq,0);
    //@ assert same: Same{Pre,Here}(mask,ix(nq,nk,0)) && Same{Pre,Here}(q+at,ix(nq,d,0));
    //@ assert same_kv: Same{Pre,Here}(k+at_kv,ix(nk,d,0));
    lse_head(nq, nk, d, causal, masked, mask, q + at, k + at_kv, lse + at_lse);
    /*@ assert new: \forall integer i; 0 <= i < nq ==>
          lse[at_lse+i] == SdpaLse{Pre}(causal,masked,mask,nq,nk,q+at,k+at_kv,d,i); */
  }
}

void ref_sdpa(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal, int masked,
              const double *q, const double *k, const double *v, const double *mask, double *y,
              double *lse)
{
  idx group = group_size(heads, kv_heads), n = size2(batch, heads), kvs = size2(batch, kv_heads);
  //@ assert groups: n == ix(kvs,group,0);
  attend_heads(n, kvs, group, nq, nk, d, causal, masked, q, k, v, mask, y);
  //@ assert same: Same{Pre,Here}(q,HeadAt(n,nq,d)) && Same{Pre,Here}(k,HeadAt(kvs,nk,d));
  //@ assert same_mask: Same{Pre,Here}(mask,ix(nq,nk,0));
  lse_heads(n, kvs, group, nq, nk, d, causal, masked, q, k, mask, lse);
}

/* ---- the VJP ---- */

/*@ requires In1(q,d) && In2(k,nk,d) && 0 <= j < nk;
    assigns \nothing;
    ensures \result == Prob{Pre}(q,k,lse,d,j);
*/
static double prob(idx nk, idx d, const double *q, const double *k, double lse, idx j)
{
  return r_exp(score(nk, d, q, k, j) - lse);
}

/*@ requires In1(q,d) && In1(y,d) && In1(g,d) && In2(k,nk,d) && In2(v,nk,d) && 0 <= j < nk;
    assigns \nothing;
    ensures \result == ScorePull{Pre}(q,k,v,y,lse,g,d,j);
*/
static double score_pull(idx nk, idx d, const double *q, const double *k, const double *v,
                         const double *y, double lse, const double *g, idx j)
{
  idx o = size2(j, d);
  //@ assert inside: 0 <= o && o + d <= ix(nk,d,0);
  double p = prob(nk, d, q, k, lse, j), pull = row_dot(d, g, v + o) - row_dot(d, g, y);
  return r_mul(scale_of(d), r_mul(p, pull));
}

/*@ requires In1(q,d) && In1(y,d) && In1(g,d) && In2(k,nk,d) && In2(v,nk,d) && In2(mask,nq,nk);
    requires 0 <= i < nq && Out1(dq,d) && Sep(dq,d,q,d) && Sep(dq,d,y,d) && Sep(dq,d,g,d);
    requires Sep(dq,d,k,ix(nk,d,0)) && Sep(dq,d,v,ix(nk,d,0)) && Sep(dq,d,mask,ix(nq,nk,0));
    assigns dq[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      dq[c] == PullQ{Pre}(causal,masked,mask,nq,nk,i,q,k,v,y,lse,g,d,c,nk);
*/
static void pull_q_row(idx nq, idx nk, idx d, int causal, int masked, const double *mask, idx i,
                       const double *q, const double *k, const double *v, const double *y,
                       double lse, const double *g, double *dq)
{
#define SUM_OUT dq
#define SUM_N nk
#define SUM_OF k
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, i, p))
#define SUM_WEIGHT score_pull(nk, d, q, k, v, y, lse, g, p)
#define SUM_SAME                                                                           \
  SameSeen{Pre, Here}(mask, nq, nk, q, k, d) && Same{Pre, Here}(v, ix(nk, d, 0)) &&        \
      Same{Pre, Here}(y, d) && Same{Pre, Here}(g, d)
#define SUM_IS(c, p) PullQ{Pre}(causal, masked, mask, nq, nk, i, q, k, v, y, lse, g, d, c, p)
#define SUM_PART(c, p) PartQ{Pre}(causal, masked, mask, nq, nk, i, q, k, v, y, lse, g, d, c, p)
#include "attention_sum.inc"
}

/*@ requires 0 <= t && 1 <= nq;
    assigns \nothing;
    ensures \result == query_of(t,nq) && 0 <= \result < nq;
*/
static idx query(idx t, idx nq) { return t % nq; }

/*@ predicate RowsIn{L}(scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse, scalar *g,
                        scalar *b, integer rows, integer nq, integer nk, integer d) =
      In2{L}(q,rows,d) && In2{L}(y,rows,d) && In2{L}(g,rows,d) && In1{L}(lse,rows) &&
      In2{L}(k,nk,d) && In2{L}(v,nk,d) && In2{L}(b,nq,nk) && (1 <= rows ==> 1 <= nq);
    predicate Apart(scalar *out, integer n, scalar *q, scalar *k, scalar *v, scalar *y,
                    scalar *lse, scalar *g, scalar *b, integer rows, integer nq, integer nk,
                    integer d) =
      Sep(out,n,q,ix(rows,d,0)) && Sep(out,n,y,ix(rows,d,0)) && Sep(out,n,g,ix(rows,d,0)) &&
      Sep(out,n,lse,rows) && Sep(out,n,k,ix(nk,d,0)) && Sep(out,n,v,ix(nk,d,0)) &&
      Sep(out,n,b,ix(nq,nk,0));
*/

/*@ requires RowsIn(q,k,v,y,lse,g,mask,rows,nq,nk,d) && 0 <= j < nk && Out1(dk,d);
    requires Apart(dk,d,q,k,v,y,lse,g,mask,rows,nq,nk,d);
    assigns dk[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      dk[c] == PullK{Pre}(causal,masked,mask,nq,nk,q,k,v,y,lse,g,d,j,c,rows);
*/
static void pull_k_row(idx rows, idx nq, idx nk, idx d, int causal, int masked, const double *mask,
                       const double *q, const double *k, const double *v, const double *y,
                       const double *lse, const double *g, idx j, double *dk)
{
#define SUM_OUT dk
#define SUM_N rows
#define SUM_OF q
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, query(p, nq), j))
#define SUM_WEIGHT score_pull(nk, d, q + o, k, v, y + o, lse[p], g + o, j)
#define SUM_SAME SameRowsSeen{Pre, Here}(mask, nq, nk, q, k, v, y, lse, g, rows, d)
#define SUM_IS(c, p) PullK{Pre}(causal, masked, mask, nq, nk, q, k, v, y, lse, g, d, j, c, p)
#define SUM_PART(c, p) PartK{Pre}(causal, masked, mask, nq, nk, q, k, v, y, lse, g, d, j, c, p)
#include "attention_sum.inc"
}

/* Neither v nor y has a part in it: what is said of them is said of k and q. */
/*@ requires RowsIn(q,k,k,q,lse,g,mask,rows,nq,nk,d) && 0 <= j < nk && Out1(dv,d);
    requires Apart(dv,d,q,k,k,q,lse,g,mask,rows,nq,nk,d);
    assigns dv[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      dv[c] == PullV{Pre}(causal,masked,mask,nq,nk,q,k,lse,g,d,j,c,rows);
*/
static void pull_v_row(idx rows, idx nq, idx nk, idx d, int causal, int masked, const double *mask,
                       const double *q, const double *k, const double *lse, const double *g, idx j,
                       double *dv)
{
#define SUM_OUT dv
#define SUM_N rows
#define SUM_OF g
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, query(p, nq), j))
#define SUM_WEIGHT prob(nk, d, q + o, k, lse[p], j)
#define SUM_SAME SameRowsSeen{Pre, Here}(mask, nq, nk, q, k, k, q, lse, g, rows, d)
#define SUM_IS(c, p) PullV{Pre}(causal, masked, mask, nq, nk, q, k, lse, g, d, j, c, p)
#define SUM_PART(c, p) PartV{Pre}(causal, masked, mask, nq, nk, q, k, lse, g, d, j, c, p)
#include "attention_sum.inc"
}

/*@ predicate PullsQ{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                            scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse, scalar *g,
                            scalar *dq, integer d, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(dq[ix(r,d,c)],L2) == SdpaVjpQ{L1}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,r,c);
    predicate PullsK{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                            scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse, scalar *g,
                            scalar *dk, integer d, integer rows, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(dk[ix(r,d,c)],L2) == PullK{L1}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,r,c,rows);
    predicate PullsV{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                            scalar *q, scalar *k, scalar *lse, scalar *g, scalar *dv, integer d,
                            integer rows, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(dv[ix(r,d,c)],L2) == PullV{L1}(causal,masked,b,nq,nk,q,k,lse,g,d,r,c,rows);
*/

/*@ requires RowsIn(q,k,v,y,lse,g,mask,rows,rows,nk,cols) && Out2(dq,rows,cols);
    requires Apart(dq,ix(rows,cols,0),q,k,v,y,lse,g,mask,rows,rows,nk,cols);
    assigns dq[0 .. ix(rows,cols,0)-1];
    ensures PullsQ{Pre,Post}(causal,masked,mask,rows,nk,q,k,v,y,lse,g,dq,cols,rows);
*/
static void pull_q_head(idx rows, idx nk, idx cols, int causal, int masked, const double *mask,
                        const double *q, const double *k, const double *v, const double *y,
                        const double *lse, const double *g, double *dq)
{
#define ROWS_OUT dq
#define ROWS_ARE(n) \
  PullsQ{Pre, Here}(causal, masked, mask, rows, nk, q, k, v, y, lse, g, dq, cols, n)
#define ROWS_CALL(o)                                                                              \
  pull_q_row(rows, nk, cols, causal, masked, mask, r, q + o, k, v, y + o, lse[r], g + o, dq + o)
#define ROWS_SAME(o)                                                                              \
  SameSeen{L0, Pre}(mask, rows, nk, q + o, k, cols) && Same{L0, Pre}(v, ix(nk, cols, 0)) &&       \
      Same{L0, Pre}(y + o, cols) && Same{L0, Pre}(g + o, cols) && rd{L0}(lse, r) == rd{Pre}(lse, r)
#define ROWS_IS(L, o)                                                                             \
  PullQ{L}(causal, masked, mask, rows, nk, r, q + o, k, v, y + o, rd{Pre}(lse, r), g + o, cols, c, \
           nk)
#include "softmax_rows.inc"
}

/* n KV heads, of each of which `rows` are keys and t rows of queries. */
/*@ requires RowsIn(q,k,v,y,lse,g,mask,t,nq,rows,cols) && Out2(dk,rows,cols);
    requires Apart(dk,ix(rows,cols,0),q,k,v,y,lse,g,mask,t,nq,rows,cols);
    assigns dk[0 .. ix(rows,cols,0)-1];
    ensures PullsK{Pre,Post}(causal,masked,mask,nq,rows,q,k,v,y,lse,g,dk,cols,t,rows);
*/
static void pull_k_head(idx t, idx nq, idx rows, idx cols, int causal, int masked,
                        const double *mask, const double *q, const double *k, const double *v,
                        const double *y, const double *lse, const double *g, double *dk)
{
#define ROWS_OUT dk
#define ROWS_ARE(n) \
  PullsK{Pre, Here}(causal, masked, mask, nq, rows, q, k, v, y, lse, g, dk, cols, t, n)
#define ROWS_CALL(o) \
  pull_k_row(t, nq, rows, cols, causal, masked, mask, q, k, v, y, lse, g, r, dk + o)
#define ROWS_SAME(o) SameRowsSeen{L0, Pre}(mask, nq, rows, q, k, v, y, lse, g, t, cols)
#define ROWS_IS(L, o) PullK{L}(causal, masked, mask, nq, rows, q, k, v, y, lse, g, cols, r, c, t)
#include "softmax_rows.inc"
}

/*@ requires RowsIn(q,k,k,q,lse,g,mask,t,nq,rows,cols) && Out2(dv,rows,cols);
    requires Apart(dv,ix(rows,cols,0),q,k,k,q,lse,g,mask,t,nq,rows,cols);
    assigns dv[0 .. ix(rows,cols,0)-1];
    ensures PullsV{Pre,Post}(causal,masked,mask,nq,rows,q,k,lse,g,dv,cols,t,rows);
*/
static void pull_v_head(idx t, idx nq, idx rows, idx cols, int causal, int masked,
                        const double *mask, const double *q, const double *k, const double *lse,
                        const double *g, double *dv)
{
#define ROWS_OUT dv
#define ROWS_ARE(n) PullsV{Pre, Here}(causal, masked, mask, nq, rows, q, k, lse, g, dv, cols, t, n)
#define ROWS_CALL(o) \
  pull_v_row(t, nq, rows, cols, causal, masked, mask, q, k, lse, g, r, dv + o)
#define ROWS_SAME(o) SameRowsSeen{L0, Pre}(mask, nq, rows, q, k, k, q, lse, g, t, cols)
#define ROWS_IS(L, o) PullV{L}(causal, masked, mask, nq, rows, q, k, lse, g, cols, r, c, t)
#include "softmax_rows.inc"
}

void ref_sdpa_vjp(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal, int masked,
                  const double *q, const double *k, const double *v, const double *mask,
                  const double *y, const double *lse, const double *g, double *dq, double *dk,
                  double *dv)
{
  idx group = group_size(heads, kv_heads), n = size2(batch, heads), kvs = size2(batch, kv_heads);
  idx rows = size2(group, nq);
  for (idx z = 0; z < n; z++) {
    idx at = size2(z, size2(nq, d)), at_kv = size2(kv_head(kvs, group, z), size2(nk, d));
    pull_q_head(nq, nk, d, causal, masked, mask, q + at, k + at_kv, v + at_kv, y + at,
                lse + size2(z, nq), g + at, dq + at);
  }
  for (idx z = 0; z < kvs; z++) {
    idx at = size2(z, size2(rows, d)), at_kv = size2(z, size2(nk, d)), at_lse = size2(z, rows);
    pull_k_head(rows, nq, nk, d, causal, masked, mask, q + at, k + at_kv, v + at_kv, y + at,
                lse + at_lse, g + at, dk + at_kv);
    pull_v_head(rows, nq, nk, d, causal, masked, mask, q + at, k + at_kv, lse + at_lse, g + at,
                dv + at_kv);
  }
}

void ref_decode_sdpa(idx batch, idx heads, idx kv_heads, idx capacity, idx d, idx len,
                     const double *q, const double *k, const double *v, double *y)
{
  idx group = group_size(heads, kv_heads), n = size2(batch, heads), kvs = size2(batch, kv_heads);
  if (d == 0)
    return;
  for (idx z = 0; z < n; z++) {
    idx at = size2(z, d), at_kv = size2(kv_head(kvs, group, z), size2(capacity, d));
    /* there is no mask: anything that is long enough stands for it */
    attend_row(1, len, d, 0, 0, k + at_kv, 0, q + at, k + at_kv, v + at_kv, y + at);
  }
}
