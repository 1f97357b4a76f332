#include "attention_row.h"

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
#define SUM_T double
#define SUM_WEIGHT key_weight(nk, d, q, k, m, s, p)
#define SUM_ADD add_row(d, w, v + o, SUM_OUT)
#define SUM_TERM(c) rmul(w, v[o + c])
#define SUM_BLOCK Blocked{Pre}(causal, masked, mask, nq, nk, i, p)
#define SUM_IS_WEIGHT KeyWeight{Pre}(q, k, d, m, s, p)
#define SUM_OF(c) v[o + c] == rd{Pre}(v, ix(p, d, c))
#define SUM_SAME                                                   \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(q, d) && \
      Same{Pre, Here}(k, ix(nk, d, 0)) && Same{Pre, Here}(v, ix(nk, d, 0))
#define SUM_IS(c, p) Attended{Pre}(causal, masked, mask, nq, nk, i, q, k, v, d, m, s, c, p)
#define SUM_PART(c, p) ValuePart{Pre}(causal, masked, mask, nq, nk, i, q, k, v, d, m, s, c, p)
#include "attention_sum.inc"
}

/*@ predicate Attends{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                             scalar *q, scalar *k, scalar *v, scalar *y, integer d, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(y[ix(r,d,c)],L2) == Sdpa{L1}(causal,masked,b,nq,nk,q,k,v,d,r,c);
    lemma attends_moved{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, integer d, n;
      n <= nq ==> 0 <= nk ==> 0 <= d ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==> Same{L1,L2}(v,ix(nk,d,0)) ==>
      Attends{L2,L3}(causal,masked,b,nq,nk,q,k,v,y,d,n) ==>
      Attends{L1,L3}(causal,masked,b,nq,nk,q,k,v,y,d,n);
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

/*@ predicate Lses{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                          scalar *q, scalar *k, scalar *lse, integer d, integer n) =
      \forall integer i; 0 <= i < n ==>
        \at(lse[i],L2) == SdpaLse{L1}(causal,masked,b,nq,nk,q,k,d,i);
    lemma lses_moved{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *lse, integer d, n;
      n <= nq ==> 0 <= nk ==> 0 <= d ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Lses{L2,L3}(causal,masked,b,nq,nk,q,k,lse,d,n) ==>
      Lses{L1,L3}(causal,masked,b,nq,nk,q,k,lse,d,n);
*/

/*@ requires In2(q,nq,d) && In2(k,nk,d) && In2(mask,nq,nk) && Out1(lse,nq);
    requires Sep(lse,nq,q,ix(nq,d,0)) && Sep(lse,nq,k,ix(nk,d,0)) && Sep(lse,nq,mask,ix(nq,nk,0));
    assigns lse[0 .. nq-1];
    ensures Lses{Pre,Post}(causal,masked,mask,nq,nk,q,k,lse,d,nq);
*/
static void lse_head(idx nq, idx nk, idx d, int causal, int masked, const double *mask,
                     const double *q, const double *k, double *lse)
{
  /*@ loop invariant 0 <= i <= nq;
      loop invariant Lses{Pre,Here}(causal,masked,mask,nq,nk,q,k,lse,d,i);
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

/*@ predicate HeadAttends{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                                 integer group, scalar *q, scalar *k, scalar *v, scalar *y,
                                 integer d, integer z) =
      \forall integer i, c; 0 <= i < nq ==> 0 <= c < d ==>
        \at(y[ix(z,ix(nq,d,0),ix(i,d,c))],L2) ==
        Sdpa{L1}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                 v+HeadAt(kv_of(z,group),nk,d),d,i,c);
    lemma head_attends_placed{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      group, scalar *q, *k, *v, *y, integer d, z;
      Attends{L1,L2}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                     v+HeadAt(kv_of(z,group),nk,d),y+HeadAt(z,nq,d),d,nq) ==>
      HeadAttends{L1,L2}(causal,masked,b,nq,nk,group,q,k,v,y,d,z);
    predicate HeadsAttend{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                                 integer group, scalar *q, scalar *k, scalar *v, scalar *y,
                                 integer d, integer n) =
      \forall integer z, i, c; 0 <= z < n ==> 0 <= i < nq ==> 0 <= c < d ==>
        \at(y[ix(z,ix(nq,d,0),ix(i,d,c))],L2) ==
        Sdpa{L1}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                 v+HeadAt(kv_of(z,group),nk,d),d,i,c);
    lemma heads_attend_kept{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer nq, nk,
      group, scalar *q, *k, *v, *y, integer d, n;
      SameRows{L2,L3}(y,ix(nq,d,0),n) ==>
      HeadsAttend{L1,L2}(causal, masked, b, nq, nk, group, q, k, v, y, d, n) ==>
      HeadsAttend{L1,L3}(causal, masked, b, nq, nk, group, q, k, v, y, d, n);
    predicate HeadLse{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                             integer group, scalar *q, scalar *k, scalar *lse, integer d,
                             integer z) =
      \forall integer i; 0 <= i < nq ==>
        \at(lse[ix(z,nq,i)],L2) ==
        SdpaLse{L1}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),d,i);
    lemma head_lse_placed{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk, group,
      scalar *q, *k, *lse, integer d, z;
      Lses{L1,L2}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                  lse+ix(z,nq,0),d,nq) ==>
      HeadLse{L1,L2}(causal,masked,b,nq,nk,group,q,k,lse,d,z);
    predicate HeadsLse{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                              integer group, scalar *q, scalar *k, scalar *lse, integer d,
                              integer n) =
      \forall integer z, i; 0 <= z < n ==> 0 <= i < nq ==>
        \at(lse[ix(z,nq,i)],L2) ==
        SdpaLse{L1}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),d,i);
    lemma lse_at_head_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      group, scalar *q, *k, integer d, n, kvs, z, i;
      0 <= z < n ==> 0 <= i < nq ==> 0 <= ix(nq,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= nk ==> 0 <= d ==>
      0 <= group ==> n == ix(kvs,group,0) ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      Same{L1,L2}(q,HeadAt(n,nq,d)) ==> Same{L1,L2}(k,HeadAt(kvs,nk,d)) ==>
      Same{L1,L2}(q+HeadAt(z,nq,d),ix(nq,d,0)) ==>
      Same{L1,L2}(k+HeadAt(kv_of(z,group),nk,d),ix(nk,d,0)) ==>
      SdpaLse{L1}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),d,i) ==
      SdpaLse{L2}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),d,i);
    lemma lse_of_head_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      group, scalar *q, *k, integer d, n, kvs, z, i;
      0 <= z < n ==> 0 <= i < nq ==> 0 <= ix(nq,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= nk ==> 0 <= d ==>
      0 <= group ==> n == ix(kvs,group,0) ==> Same{L1,L2}(b,ix(nq,nk,0)) ==>
      Same{L1,L2}(q,HeadAt(n,nq,d)) ==> Same{L1,L2}(k,HeadAt(kvs,nk,d)) ==>
      SdpaLse{L1}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),d,i) ==
      SdpaLse{L2}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),d,i);
    lemma heads_lse_moved{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer nq, nk,
      group, scalar *q, *k, *lse, integer d, n, kvs;
      0 <= ix(nq,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= nk ==> 0 <= d ==> 0 <= group ==>
      n == ix(kvs,group,0) ==> Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,HeadAt(n,nq,d)) ==>
      Same{L1,L2}(k,HeadAt(kvs,nk,d)) ==>
      HeadsLse{L2,L3}(causal,masked,b,nq,nk,group,q,k,lse,d,n) ==>
      HeadsLse{L1,L3}(causal,masked,b,nq,nk,group,q,k,lse,d,n);
    lemma heads_lse_kept{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer nq, nk,
      group, scalar *q, *k, *lse, integer d, n;
      SameRows{L2,L3}(lse,nq,n) ==>
      HeadsLse{L1,L2}(causal, masked, b, nq, nk, group, q, k, lse, d, n) ==>
      HeadsLse{L1,L3}(causal, masked, b, nq, nk, group, q, k, lse, d, n);
*/

/* n query heads read kvs KV heads: a head is slices of what attend_head is proven for. */
/*@ requires 0 <= group && 0 <= kvs && n == ix(kvs,group,0) && In2(mask,nq,nk);
    requires Heads(q,n,nq,d) && Heads(k,kvs,nk,d) && Heads(v,kvs,nk,d) && OutHeads(y,n,nq,d);
    requires ix(n,nq,0) <= IDX_LIM;
    requires Sep(y,HeadAt(n,nq,d),q,HeadAt(n,nq,d)) && Sep(y,HeadAt(n,nq,d),k,HeadAt(kvs,nk,d));
    requires Sep(y,HeadAt(n,nq,d),v,HeadAt(kvs,nk,d)) && Sep(y,HeadAt(n,nq,d),mask,ix(nq,nk,0));
    assigns y[0 .. HeadAt(n,nq,d)-1];
    ensures HeadsAttend{Pre,Post}(causal,masked,mask,nq,nk,group,q,k,v,y,d,n);
*/
static void attend_heads(idx n, idx kvs, idx group, idx nq, idx nk, idx d, int causal, int masked,
                         const double *q, const double *k, const double *v, const double *mask,
                         double *y)
{
#define HEADS_N n
#define HEADS_ROWS nq
#define HEADS_KV kv_head(kvs, group, z)
#define HEADS_KVZ kv_of(z, group)
#define HEADS_OUT y
#define HEADS_SIZE ix(nq, d, 0)
#define HEADS_ARE(n) HeadsAttend{Pre, Here}(causal, masked, mask, nq, nk, group, q, k, v, y, d, n)
#define HEADS_SAME                                                                 \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(q + at, ix(nq, d, 0)) && \
      Same{Pre, Here}(k + at_kv, ix(nk, d, 0)) && Same{Pre, Here}(v + at_kv, ix(nk, d, 0))
#define HEADS_CALL \
  attend_head(nq, nk, d, causal, masked, mask, q + at, k + at_kv, v + at_kv, y + at)
#define HEADS_MOVED \
  Attends{Pre, Here}(causal, masked, mask, nq, nk, q + at, k + at_kv, v + at_kv, y + at, d, nq)
#define HEADS_NEW HeadAttends{Pre, Here}(causal, masked, mask, nq, nk, group, q, k, v, y, d, z)
#include "attention_heads.inc"
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
#define HEADS_N n
#define HEADS_ROWS nq
#define HEADS_KV kv_head(kvs, group, z)
#define HEADS_KVZ kv_of(z, group)
#define HEADS_OUT lse
#define HEADS_SIZE nq
#define HEADS_ARE(n) HeadsLse{Pre, Here}(causal, masked, mask, nq, nk, group, q, k, lse, d, n)
#define HEADS_SAME                                                                 \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(q + at, ix(nq, d, 0)) && \
      Same{Pre, Here}(k + at_kv, ix(nk, d, 0))
#define HEADS_CALL lse_head(nq, nk, d, causal, masked, mask, q + at, k + at_kv, lse + at_lse)
#define HEADS_MOVED \
  Lses{Pre, Here}(causal, masked, mask, nq, nk, q + at, k + at_kv, lse + at_lse, d, nq)
#define HEADS_NEW HeadLse{Pre, Here}(causal, masked, mask, nq, nk, group, q, k, lse, d, z)
#include "attention_heads.inc"
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
  //@ ghost L1: ;
  lse_heads(n, kvs, group, nq, nk, d, causal, masked, q, k, mask, lse);
  //@ assert stays: Same{L1,Here}(y,HeadAt(n,nq,d));
  //@ assert rows: SameRows{L1,Here}(y,ix(nq,d,0),n);
  //@ assert out: HeadsAttend{Pre,Here}(causal,masked,mask,nq,nk,group,q,k,v,y,d,n);
  //@ assert sums: HeadsLse{Pre,Here}(causal,masked,mask,nq,nk,group,q,k,lse,d,n);
}

/*@ predicate HeadsDecode{L1,L2}(integer group, integer capacity, integer len,
                                 scalar *q, scalar *k, scalar *v, scalar *y, integer d,
                                 integer n) =
      \forall integer z, c; 0 <= z < n ==> 0 <= c < d ==>
        \at(y[ix(z,d,c)],L2) ==
        AttendedRow{L1}(0,0,k,1,len,0,q+ix(z,d,0),k+HeadAt(kv_of(z,group),capacity,d),
                        v+HeadAt(kv_of(z,group),capacity,d),d,c);
    lemma decode_cache_frame{L1,L2}: \forall scalar *q, *k, *v, integer group, capacity, len, d,
      kvs, z, c;
      0 <= group ==> 0 <= z < ix(kvs,group,0) ==> 0 <= c < d ==> 0 <= len <= capacity ==>
      SameSeen{L1,L2}(k,1,len,q,k+HeadAt(kv_of(z,group),capacity,d),d) ==>
      Same{L1,L2}(v+HeadAt(kv_of(z,group),capacity,d),ix(len,d,0)) ==>
      Same{L1,L2}(k,ix(1,len,0)) ==> Same{L1,L2}(q,d) ==>
      Same{L1,L2}(k,HeadAt(kvs,capacity,d)) ==> Same{L1,L2}(v,HeadAt(kvs,capacity,d)) ==>
      AttendedRow{L1}(0,0,k,1,len,0,q,k+HeadAt(kv_of(z,group),capacity,d),
        v+HeadAt(kv_of(z,group),capacity,d),d,c) ==
      AttendedRow{L2}(0,0,k,1,len,0,q,k+HeadAt(kv_of(z,group),capacity,d),
        v+HeadAt(kv_of(z,group),capacity,d),d,c);
    lemma decode_row_frame{L1,L2}: \forall scalar *q, *k, *v, integer group, capacity, len, d,
      kvs, z, c;
      0 <= group ==> 0 <= z < ix(kvs,group,0) ==> 0 <= c < d ==> 0 <= len <= capacity ==>
      Same{L1,L2}(k,ix(1,len,0)) ==> Same{L1,L2}(q,d) ==>
      Same{L1,L2}(k,HeadAt(kvs,capacity,d)) ==> Same{L1,L2}(v,HeadAt(kvs,capacity,d)) ==>
      AttendedRow{L1}(0,0,k,1,len,0,q,k+HeadAt(kv_of(z,group),capacity,d),
        v+HeadAt(kv_of(z,group),capacity,d),d,c) ==
      AttendedRow{L2}(0,0,k,1,len,0,q,k+HeadAt(kv_of(z,group),capacity,d),
        v+HeadAt(kv_of(z,group),capacity,d),d,c);
*/

/* One query. No mask: the first keys, which are long enough, stand for it and are not looked at. */
/*@ requires 0 <= group && 0 <= kvs && 0 <= z < ix(kvs,group,0) && 0 <= len <= capacity && 1 <= d;
    requires In1(q,d) && Out1(y,d) && Heads(k,kvs,capacity,d) && Heads(v,kvs,capacity,d);
    requires Sep(y,d,q,d) && SepHeads(y,d,k,kvs,capacity,d);
    requires SepHeads(y,d,v,kvs,capacity,d);
    assigns y[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==> y[c] ==
      AttendedRow{Pre}(0,0,k,1,len,0,q,k+HeadAt(kv_of(z,group),capacity,d),
        v+HeadAt(kv_of(z,group),capacity,d),d,c);
*/
static void decode_row(idx kvs, idx group, idx capacity, idx len, idx d, idx z, const double *q,
                       const double *k, const double *v, double *y)
{
  idx at = kv_at(kvs, group, z, capacity, d);
  //@ assert len_inside: 0 <= ix(len,d,0) <= ix(capacity,d,0);
  //@ assert inside: 0 <= at <= HeadAt(kvs,capacity,d) - ix(len,d,0);
  //@ assert mask_inside: 0 <= ix(1,len,0) <= HeadAt(kvs,capacity,d);
  attend_row(1, len, d, 0, 0, k, 0, q, k + at, v + at, y);
}

/* A row is a head. */
/*@ requires 0 <= group && 0 <= kvs && rows == ix(kvs,group,0) && 0 <= len <= capacity;
    requires In2(q,rows,cols) && Out2(y,rows,cols);
    requires Heads(k,kvs,capacity,cols) && Heads(v,kvs,capacity,cols);
    requires Sep(y,ix(rows,cols,0),q,ix(rows,cols,0));
    requires SepHeads(y,ix(rows,cols,0),k,kvs,capacity,cols);
    requires SepHeads(y,ix(rows,cols,0),v,kvs,capacity,cols);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures HeadsDecode{Pre,Post}(group,capacity,len,q,k,v,y,cols,rows);
*/
static void decode_rows(idx rows, idx kvs, idx group, idx capacity, idx len, idx cols,
                        const double *q, const double *k, const double *v, double *y)
{
#define ROWS_OUT y
#define ROWS_ARE(n) HeadsDecode{Pre, Here}(group, capacity, len, q, k, v, y, cols, n)
#define ROWS_CALL(o) decode_row(kvs, group, capacity, len, cols, r, q + o, k, v, y + o)
#define ROWS_SAME(o)                                               \
  Same{L0, Pre}(k, ix(1, len, 0)) && Same{L0, Pre}(q + o, cols) && \
      Same{L0, Pre}(k, HeadAt(kvs, capacity, cols)) &&             \
      Same{L0, Pre}(v, HeadAt(kvs, capacity, cols))
#define ROWS_IS(L, o)                                                                    \
  AttendedRow{L}(0, 0, k, 1, len, 0, q + o, k + HeadAt(kv_of(r, group), capacity, cols), \
                 v + HeadAt(kv_of(r, group), capacity, cols), cols, c)
#include "softmax_rows.inc"
}

void ref_decode_sdpa(idx batch, idx heads, idx kv_heads, idx capacity, idx d, idx len,
                     const double *q, const double *k, const double *v, double *y)
{
  idx group = group_size(heads, kv_heads), n = size2(batch, heads), kvs = size2(batch, kv_heads);
  //@ assert groups: n == ix(kvs,group,0);
  decode_rows(n, kvs, group, capacity, len, d, q, k, v, y);
}
