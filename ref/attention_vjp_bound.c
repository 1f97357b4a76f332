/* Error bounds of the VJP of attention. */
#include "attention_pair.h"
#include "attention_vjp_frames.h"

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
  return pair_mul(A, p, pull);
}

/*@ requires 0 <= d; assigns \nothing; ensures \result == e_scaled(A,d,w,x,n,h); */
static double scaled_error(arith A, idx d, pair w, double x, double n, double h)
{
  pair c = pair_rnd(A, scale_of(d), 0.0, 2.0), t = pair_mul3(A, c, w, pair_in(x));
  return pair_range(A, r_mul(2.0 * n, r_abs(x)), term_error(A, t.v, t.e, n, h));
}

/* Adds to out what a row x, weighed by w and the scale, adds to the bounds of a sum of n such
 * terms. */
/*@ requires In1(x,d) && Out1(out,d) && Sep(out,d,x,d);
    assigns out[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      out[c] == \old(out[c]) + e_scaled(A,d,w,\old(x[c]),n,h);
*/
static void add_scaled(arith A, idx d, pair w, const double *x, double n, double h, double *out)
{
  /*@ loop invariant 0 <= c <= d;
      loop invariant \forall integer e; 0 <= e < c ==>
        out[e] == \at(out[e],Pre) + e_scaled(A,d,w,\at(x[e],Pre),n,h);
      loop invariant \forall integer e; c <= e < d ==> out[e] == \at(out[e],Pre);
      loop assigns c, out[0 .. d-1];
      loop variant d - c;
  */
  for (idx c = 0; c < d; c++)
    out[c] += scaled_error(A, d, w, x[c], n, h);
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
  pair p = prob(A, key_score(A, nk, d, q, k, j), lse);
  return score_pull(A, d, p, row_dot(d, g, v + o), row_abs(d, g, v + o), row_dot(d, g, y),
                    row_abs(d, g, y));
}

/*@ requires In1(q,d) && In1(y,d) && In1(g,d) && In2(k,nk,d) && In2(v,nk,d) && In2(mask,nq,nk);
    requires 0 <= i < nq && Out1(e_dq,d) && Sep(e_dq,d,q,d) && Sep(e_dq,d,y,d) && Sep(e_dq,d,g,d);
    requires Sep(e_dq,d,k,ix(nk,d,0)) && Sep(e_dq,d,v,ix(nk,d,0)) && Sep(e_dq,d,mask,ix(nq,nk,0));
    assigns e_dq[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      e_dq[c] == PullErrorQ{Pre}(A,causal,masked,mask,nq,nk,i,q,k,v,y,lse,g,d,c,nk);
*/
static void bound_q_row(arith A, idx nq, idx nk, idx d, int causal, int masked, const double *mask,
                        idx i, const double *q, const double *k, const double *v, const double *y,
                        double lse, const double *g, double *e_dq)
{
#define SUM_OUT e_dq
#define SUM_N nk
#define SUM_OF k
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, i, p))
#define SUM_T pair
#define SUM_WEIGHT key_pull(A, nk, d, q, k, v, y, lse, g, p)
#define SUM_BLOCK Blocked{Pre}(causal, masked, mask, nq, nk, i, p)
#define SUM_IS_WEIGHT KeyPull{Pre}(A, q, k, v, y, lse, g, d, p)
#define SUM_ADD(x) add_scaled(A, d, w, x, (double)size2(nk, d), A.h, SUM_OUT)
#define SUM_TERM(x) e_scaled(A, d, w, x, ix(nk, d, 0), A.h)
#define SUM_SAME                                                              \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(q, d) &&            \
      Same{Pre, Here}(k, ix(nk, d, 0)) && Same{Pre, Here}(v, ix(nk, d, 0)) && \
      Same{Pre, Here}(y, d) && Same{Pre, Here}(g, d)
#define SUM_IS(c, p) \
  PullErrorQ{Pre}(A, causal, masked, mask, nq, nk, i, q, k, v, y, lse, g, d, c, p)
#define SUM_PART(c, p) ErrorQ{Pre}(A, causal, masked, mask, nq, nk, i, q, k, v, y, lse, g, d, c, p)
#include "attention_sum.inc"
}

/*@ requires RowsIn(q,k,v,y,lse,g,mask,rows,nq,nk,d) && 0 <= j < nk && Out1(e_dk,d);
    requires Apart(e_dk,d,q,k,v,y,lse,g,mask,rows,nq,nk,d);
    assigns e_dk[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      e_dk[c] == PullErrorK{Pre}(A,causal,masked,mask,nq,nk,q,k,v,y,lse,g,d,j,c,rows,rows);
*/
static void bound_k_row(arith A, idx rows, idx nq, idx nk, idx d, int causal, int masked,
                        const double *mask, const double *q, const double *k, const double *v,
                        const double *y, const double *lse, const double *g, idx j, double *e_dk)
{
#define SUM_OUT e_dk
#define SUM_N rows
#define SUM_OF q
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, query(p, nq), j))
#define SUM_T pair
#define SUM_WEIGHT key_pull(A, nk, d, q + o, k, v, y + o, lse[p], g + o, j)
#define SUM_BLOCK Blocked{Pre}(causal, masked, mask, nq, nk, query_of(p, nq), j)
#define SUM_IS_WEIGHT \
  KeyPull{Pre}(A, q + ix(p, d, 0), k, v, y + ix(p, d, 0), rd{Pre}(lse, p), g + ix(p, d, 0), d, j)
#define SUM_ADD(x) add_scaled(A, d, w, x, (double)size2(rows, d), A.h2, SUM_OUT)
#define SUM_TERM(x) e_scaled(A, d, w, x, ix(rows, d, 0), A.h2)
#define SUM_SAME                                                                  \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k, ix(nk, d, 0)) &&     \
      Same{Pre, Here}(v, ix(nk, d, 0)) && Same{Pre, Here}(q, ix(rows, d, 0)) &&   \
      Same{Pre, Here}(y, ix(rows, d, 0)) && Same{Pre, Here}(g, ix(rows, d, 0)) && \
      Same{Pre, Here}(lse, rows)
#define SUM_IS(c, p) \
  PullErrorK{Pre}(A, causal, masked, mask, nq, nk, q, k, v, y, lse, g, d, j, c, rows, p)
#define SUM_PART(c, p) \
  ErrorK{Pre}(A, causal, masked, mask, nq, nk, q, k, v, y, lse, g, d, j, c, p, rows)
#include "attention_sum.inc"
}

/* Neither v nor y has a part in it: what is said of them is said of k and q. */
/*@ requires RowsIn(q,k,k,q,lse,g,mask,rows,nq,nk,d) && 0 <= j < nk && Out1(e_dv,d);
    requires Apart(e_dv,d,q,k,k,q,lse,g,mask,rows,nq,nk,d);
    assigns e_dv[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      e_dv[c] == PullErrorV{Pre}(A,causal,masked,mask,nq,nk,q,k,lse,g,d,j,c,rows,rows);
*/
static void bound_v_row(arith A, idx rows, idx nq, idx nk, idx d, int causal, int masked,
                        const double *mask, const double *q, const double *k, const double *lse,
                        const double *g, idx j, double *e_dv)
{
#define SUM_OUT e_dv
#define SUM_N rows
#define SUM_OF g
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, query(p, nq), j))
#define SUM_T pair
#define SUM_WEIGHT prob(A, key_score(A, nk, d, q + o, k, j), lse[p])
#define SUM_BLOCK Blocked{Pre}(causal, masked, mask, nq, nk, query_of(p, nq), j)
#define SUM_IS_WEIGHT KeyProb{Pre}(A, q + ix(p, d, 0), k, rd{Pre}(lse, p), d, j)
#define SUM_ADD(x) add_parts(A, d, w, x, (double)rows, A.h2, SUM_OUT)
#define SUM_TERM(x) e_part(A, w, x, rows, A.h2)
#define SUM_SAME                                                                  \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k, ix(nk, d, 0)) &&     \
      Same{Pre, Here}(q, ix(rows, d, 0)) && Same{Pre, Here}(g, ix(rows, d, 0)) && \
      Same{Pre, Here}(lse, rows)
#define SUM_IS(c, p) \
  PullErrorV{Pre}(A, causal, masked, mask, nq, nk, q, k, lse, g, d, j, c, rows, p)
#define SUM_PART(c, p) ErrorV{Pre}(A, causal, masked, mask, nq, nk, q, k, lse, g, d, j, c, p, rows)
#include "attention_sum.inc"
}

/*@ predicate BoundsQ{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                             integer nk, scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse,
                             scalar *g, scalar *e_dq, integer d, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(e_dq[ix(r,d,c)],L2) == SdpaVjpQBound{L1}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,r,c);
    lemma bound_q_row_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *v, *y, *lse, *g, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==>
      0 <= c < d ==> SameSeen{L1,L2}(b,nq,nk,q+ix(i,d,0),k,d) ==> Same{L1,L2}(y+ix(i,d,0),d) ==>
      Same{L1,L2}(g+ix(i,d,0),d) ==> SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,nq,d) ==>
      SdpaVjpQBound{L1}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,i,c) ==
      SdpaVjpQBound{L2}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,i,c);
    lemma bound_q_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,nq,d) ==>
      SdpaVjpQBound{L1}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,i,c) ==
      SdpaVjpQBound{L2}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,i,c);
    lemma bound_q_same{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, i, c; 0 <= i < nq ==> 0 <= nk ==> 0 <= c < d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(nq,d,0)) ==> Same{L1,L2}(g,ix(nq,d,0)) ==>
      Same{L1,L2}(lse,nq) ==>
      SdpaVjpQBound{L1}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,i,c) ==
      SdpaVjpQBound{L2}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,i,c);
    lemma bounds_q_moved{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *v, *y, *lse, *g, *e_dq, integer d, n;
      n <= nq ==> 0 <= nk ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(nq,d,0)) ==> Same{L1,L2}(g,ix(nq,d,0)) ==>
      Same{L1,L2}(lse,nq) ==>
      BoundsQ{L2,L3}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,e_dq,d,n) ==>
      BoundsQ{L1,L3}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,e_dq,d,n);
    predicate BoundsK{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                             integer nk, scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse,
                             scalar *g, scalar *e_dk, integer d, integer rows, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(e_dk[ix(r,d,c)],L2) ==
        SdpaVjpKBound{L1}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,r,c,rows);
    lemma bound_k_whole{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, j, c, rows;
      (1 <= rows ==> 1 <= nq) ==> 0 <= j < nk ==> 0 <= c < d ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q,k,v,y,lse,g,rows,d) ==>
      SdpaVjpKBound{L1}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,rows) ==
      SdpaVjpKBound{L2}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,rows);
    lemma bound_k_same{L1,L2}: \forall arith A, integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, integer d, j, c, rows;
      (1 <= rows ==> 1 <= nq) ==> 0 <= j < nk ==> 0 <= c < d ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(rows,d,0)) ==> Same{L1,L2}(g,ix(rows,d,0)) ==>
      Same{L1,L2}(lse,rows) ==>
      SdpaVjpKBound{L1}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,rows) ==
      SdpaVjpKBound{L2}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,d,j,c,rows);
    lemma bounds_k_moved{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *v, *y, *lse, *g, *e_dk, integer d, rows, n;
      n <= nk ==> (1 <= rows ==> 1 <= nq) ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(rows,d,0)) ==> Same{L1,L2}(g,ix(rows,d,0)) ==>
      Same{L1,L2}(lse,rows) ==>
      BoundsK{L2,L3}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,e_dk,d,rows,n) ==>
      BoundsK{L1,L3}(A,causal,masked,b,nq,nk,q,k,v,y,lse,g,e_dk,d,rows,n);
    predicate BoundsV{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                             integer nk, scalar *q, scalar *k, scalar *lse, scalar *g, scalar *e_dv,
                             integer d, integer rows, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(e_dv[ix(r,d,c)],L2) == SdpaVjpVBound{L1}(A,causal,masked,b,nq,nk,q,k,lse,g,d,r,c,rows);
    lemma bounds_v_moved{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b, integer nq,
      nk, scalar *q, *k, *lse, *g, *e_dv, integer d, rows, n;
      n <= nk ==> (1 <= rows ==> 1 <= nq) ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(g,ix(rows,d,0)) ==> Same{L1,L2}(lse,rows) ==>
      BoundsV{L2,L3}(A,causal,masked,b,nq,nk,q,k,lse,g,e_dv,d,rows,n) ==>
      BoundsV{L1,L3}(A,causal,masked,b,nq,nk,q,k,lse,g,e_dv,d,rows,n);
*/

/*@ requires RowsIn(q,k,v,y,lse,g,mask,rows,rows,nk,cols) && Out2(e_dq,rows,cols);
    requires Apart(e_dq,ix(rows,cols,0),q,k,v,y,lse,g,mask,rows,rows,nk,cols);
    assigns e_dq[0 .. ix(rows,cols,0)-1];
    ensures BoundsQ{Pre,Post}(A,causal,masked,mask,rows,nk,q,k,v,y,lse,g,e_dq,cols,rows);
*/
static void bound_q_head(arith A, idx rows, idx nk, idx cols, int causal, int masked,
                         const double *mask, const double *q, const double *k, const double *v,
                         const double *y, const double *lse, const double *g, double *e_dq)
{
#define ROWS_OUT e_dq
#define ROWS_ARE(n) \
  BoundsQ{Pre, Here}(A, causal, masked, mask, rows, nk, q, k, v, y, lse, g, e_dq, cols, n)
#define ROWS_CALL(o)                                                                         \
  bound_q_row(A, rows, nk, cols, causal, masked, mask, r, q + o, k, v, y + o, lse[r], g + o, \
              e_dq + o)
#define ROWS_SAME(o)                                                                          \
  Same{L0, Pre}(mask, ix(rows, nk, 0)) && Same{L0, Pre}(q + o, cols) &&                       \
      Same{L0, Pre}(k, ix(nk, cols, 0)) && Same{L0, Pre}(v, ix(nk, cols, 0)) &&               \
      Same{L0, Pre}(y + o, cols) && Same{L0, Pre}(g + o, cols) && Same{L0, Pre}(lse, rows) && \
      (\forall integer c; 0 <= c<cols ==> e_dq[o + c] == ROWS_IS(L0, o))
#define ROWS_IS(L, o)                                                                             \
  PullErrorQ{L}(A, causal, masked, mask, rows, nk, r, q + o, k, v, y + o, rd{Pre}(lse, r), g + o, \
                cols, c, nk)
#include "softmax_rows.inc"
}

/* n KV heads, of each of which `rows` are keys and t rows of queries. */
/*@ requires RowsIn(q,k,v,y,lse,g,mask,t,nq,rows,cols) && Out2(e_dk,rows,cols);
    requires Apart(e_dk,ix(rows,cols,0),q,k,v,y,lse,g,mask,t,nq,rows,cols);
    assigns e_dk[0 .. ix(rows,cols,0)-1];
    ensures BoundsK{Pre,Post}(A,causal,masked,mask,nq,rows,q,k,v,y,lse,g,e_dk,cols,t,rows);
*/
static void bound_k_head(arith A, idx t, idx nq, idx rows, idx cols, int causal, int masked,
                         const double *mask, const double *q, const double *k, const double *v,
                         const double *y, const double *lse, const double *g, double *e_dk)
{
#define ROWS_OUT e_dk
#define ROWS_ARE(n) \
  BoundsK{Pre, Here}(A, causal, masked, mask, nq, rows, q, k, v, y, lse, g, e_dk, cols, t, n)
#define ROWS_CALL(o) \
  bound_k_row(A, t, nq, rows, cols, causal, masked, mask, q, k, v, y, lse, g, r, e_dk + o)
#define ROWS_SAME(o)                                                                \
  Same{L0, Pre}(mask, ix(nq, rows, 0)) && Same{L0, Pre}(q, ix(t, cols, 0)) &&       \
      Same{L0, Pre}(k, ix(rows, cols, 0)) && Same{L0, Pre}(v, ix(rows, cols, 0)) && \
      Same{L0, Pre}(y, ix(t, cols, 0)) && Same{L0, Pre}(g, ix(t, cols, 0)) &&       \
      Same{L0, Pre}(lse, t)
#define ROWS_IS(L, o) \
  PullErrorK{L}(A, causal, masked, mask, nq, rows, q, k, v, y, lse, g, cols, r, c, t, t)
#include "softmax_rows.inc"
}

/*@ requires RowsIn(q,k,k,q,lse,g,mask,t,nq,rows,cols) && Out2(e_dv,rows,cols);
    requires Apart(e_dv,ix(rows,cols,0),q,k,k,q,lse,g,mask,t,nq,rows,cols);
    assigns e_dv[0 .. ix(rows,cols,0)-1];
    ensures BoundsV{Pre,Post}(A,causal,masked,mask,nq,rows,q,k,lse,g,e_dv,cols,t,rows);
*/
static void bound_v_head(arith A, idx t, idx nq, idx rows, idx cols, int causal, int masked,
                         const double *mask, const double *q, const double *k, const double *lse,
                         const double *g, double *e_dv)
{
#define ROWS_OUT e_dv
#define ROWS_ARE(n) \
  BoundsV{Pre, Here}(A, causal, masked, mask, nq, rows, q, k, lse, g, e_dv, cols, t, n)
#define ROWS_CALL(o) \
  bound_v_row(A, t, nq, rows, cols, causal, masked, mask, q, k, lse, g, r, e_dv + o)
#define ROWS_SAME(o)                                                             \
  Same{L0, Pre}(mask, ix(nq, rows, 0)) && Same{L0, Pre}(q, ix(t, cols, 0)) &&    \
      Same{L0, Pre}(k, ix(rows, cols, 0)) && Same{L0, Pre}(g, ix(t, cols, 0)) && \
      Same{L0, Pre}(lse, t)
#define ROWS_IS(L, o) \
  PullErrorV{L}(A, causal, masked, mask, nq, rows, q, k, lse, g, cols, r, c, t, t)
#include "softmax_rows.inc"
}

/*@ predicate HeadBoundQ{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                integer nk, integer group, scalar *q, scalar *k, scalar *v,
                                scalar *y, scalar *lse, scalar *g, scalar *e_dq, integer d,
                                integer z) =
      \forall integer i, c; 0 <= i < nq ==> 0 <= c < d ==>
        \at(e_dq[ix(z,ix(nq,d,0),ix(i,d,c))],L2) ==
        SdpaVjpQBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                     v+HeadAt(kv_of(z,group),nk,d),y+HeadAt(z,nq,d),lse+ix(z,nq,0),
                     g+HeadAt(z,nq,d),d,i,c);
    lemma head_bound_q_placed{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *v, *y, *lse, *g, *e_dq, integer d, z;
      BoundsQ{L1,L2}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                     v+HeadAt(kv_of(z,group),nk,d),y+HeadAt(z,nq,d),lse+ix(z,nq,0),g+HeadAt(z,nq,d),
                     e_dq+HeadAt(z,nq,d),d,nq) ==>
      HeadBoundQ{L1,L2}(A,causal,masked,b,nq,nk,group,q,k,v,y,lse,g,e_dq,d,z);
    predicate HeadsBoundQ{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                 integer nk, integer group, scalar *q, scalar *k, scalar *v,
                                 scalar *y, scalar *lse, scalar *g, scalar *e_dq, integer d,
                                 integer n) =
      \forall integer z, i, c; 0 <= z < n ==> 0 <= i < nq ==> 0 <= c < d ==>
        \at(e_dq[ix(z,ix(nq,d,0),ix(i,d,c))],L2) ==
        SdpaVjpQBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                     v+HeadAt(kv_of(z,group),nk,d),y+HeadAt(z,nq,d),lse+ix(z,nq,0),
                     g+HeadAt(z,nq,d),d,i,c);
    lemma heads_bound_q_kept{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, group, scalar *q, *k, *v, *y, *lse, *g, *e_dq, integer d, n;
      SameRows{L2,L3}(e_dq,ix(nq,d,0),n) ==>
      HeadsBoundQ{L1,L2}(A, causal, masked, b, nq, nk, group, q, k, v, y, lse, g, e_dq, d, n) ==>
      HeadsBoundQ{L1,L3}(A, causal, masked, b, nq, nk, group, q, k, v, y, lse, g, e_dq, d, n);
    predicate HeadBoundK{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                integer nk, integer rows, scalar *q, scalar *k, scalar *v,
                                scalar *y, scalar *lse, scalar *g, scalar *e_dk, integer d,
                                integer z) =
      \forall integer j, c; 0 <= j < nk ==> 0 <= c < d ==>
        \at(e_dk[ix(z,ix(nk,d,0),ix(j,d,c))],L2) ==
        SdpaVjpKBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                          v+HeadAt(z,nk,d),y+HeadAt(z,rows,d),lse+ix(z,rows,0),
                          g+HeadAt(z,rows,d),d,j,c,rows);
    lemma head_bound_k_placed{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *v, *y, *lse, *g, *e_dk, integer d, z;
      BoundsK{L1,L2}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),v+HeadAt(z,nk,d),
                     y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),e_dk+HeadAt(z,nk,d),d,
                     rows,nk) ==>
      HeadBoundK{L1,L2}(A,causal,masked,b,nq,nk,rows,q,k,v,y,lse,g,e_dk,d,z);
    predicate HeadsBoundK{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                 integer nk, integer rows, scalar *q, scalar *k, scalar *v,
                                 scalar *y, scalar *lse, scalar *g, scalar *e_dk, integer d,
                                 integer n) =
      \forall integer z, j, c; 0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==>
        \at(e_dk[ix(z,ix(nk,d,0),ix(j,d,c))],L2) ==
        SdpaVjpKBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                          v+HeadAt(z,nk,d),y+HeadAt(z,rows,d),lse+ix(z,rows,0),
                          g+HeadAt(z,rows,d),d,j,c,rows);
    lemma bound_k_at_head_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *v, *y, *lse, *g, integer d, n, z, j, c;
      0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==> (1 <= rows ==> 1 <= nq) ==>
      SameHeads{L1,L2}(q,k,v,y,lse,g,b,n,rows,nq,nk,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),v+HeadAt(z,nk,d),
                          y+HeadAt(z,rows,d),
                          lse+ix(z,rows,0),g+HeadAt(z,rows,d),rows,d) ==>
      SdpaVjpKBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                        v+HeadAt(z,nk,d),y+HeadAt(z,rows,d),lse+ix(z,rows,0),
                        g+HeadAt(z,rows,d),d,j,c,rows) ==
      SdpaVjpKBound{L2}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                        v+HeadAt(z,nk,d),y+HeadAt(z,rows,d),lse+ix(z,rows,0),
                        g+HeadAt(z,rows,d),d,j,c,rows);
    lemma bound_k_of_head_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *v, *y, *lse, *g, integer d, n, z, j, c;
      0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==> (1 <= rows ==> 1 <= nq) ==>
      0 <= rows ==> 0 <= ix(rows,d,0) ==> 0 <= ix(nk,d,0) ==>
      SameHeads{L1,L2}(q,k,v,y,lse,g,b,n,rows,nq,nk,d) ==>
      SdpaVjpKBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                        v+HeadAt(z,nk,d),y+HeadAt(z,rows,d),lse+ix(z,rows,0),
                        g+HeadAt(z,rows,d),d,j,c,rows) ==
      SdpaVjpKBound{L2}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                        v+HeadAt(z,nk,d),y+HeadAt(z,rows,d),lse+ix(z,rows,0),
                        g+HeadAt(z,rows,d),d,j,c,rows);
    lemma heads_bound_k_moved{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *v, *y, *lse, *g, *e_dk, integer d, n;
      0 <= ix(rows,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= rows ==> (1 <= rows ==> 1 <= nq) ==>
      SameHeads{L1,L2}(q,k,v,y,lse,g,b,n,rows,nq,nk,d) ==>
      HeadsBoundK{L2,L3}(A,causal,masked,b,nq,nk,rows,q,k,v,y,lse,g,e_dk,d,n) ==>
      HeadsBoundK{L1,L3}(A,causal,masked,b,nq,nk,rows,q,k,v,y,lse,g,e_dk,d,n);
    lemma heads_bound_k_kept{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *v, *y, *lse, *g, *e_dk, integer d, n;
      SameRows{L2,L3}(e_dk,ix(nk,d,0),n) ==>
      HeadsBoundK{L1,L2}(A, causal, masked, b, nq, nk, rows, q, k, v, y, lse, g, e_dk, d, n) ==>
      HeadsBoundK{L1,L3}(A, causal, masked, b, nq, nk, rows, q, k, v, y, lse, g, e_dk, d, n);
    predicate HeadBoundV{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                integer nk, integer rows, scalar *q, scalar *k, scalar *lse,
                                scalar *g, scalar *e_dv, integer d, integer z) =
      \forall integer j, c; 0 <= j < nk ==> 0 <= c < d ==>
        \at(e_dv[ix(z,ix(nk,d,0),ix(j,d,c))],L2) ==
        SdpaVjpVBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                          lse+ix(z,rows,0),g+HeadAt(z,rows,d),d,j,c,rows);
    lemma head_bound_v_placed{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *lse, *g, *e_dv, integer d, z;
      BoundsV{L1,L2}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),lse+ix(z,rows,0),
                     g+HeadAt(z,rows,d),e_dv+HeadAt(z,nk,d),d,rows,nk) ==>
      HeadBoundV{L1,L2}(A,causal,masked,b,nq,nk,rows,q,k,lse,g,e_dv,d,z);
    predicate HeadsBoundV{L1,L2}(arith A, integer causal, integer masked, scalar *b, integer nq,
                                 integer nk, integer rows, scalar *q, scalar *k, scalar *lse,
                                 scalar *g, scalar *e_dv, integer d, integer n) =
      \forall integer z, j, c; 0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==>
        \at(e_dv[ix(z,ix(nk,d,0),ix(j,d,c))],L2) ==
        SdpaVjpVBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                          lse+ix(z,rows,0),g+HeadAt(z,rows,d),d,j,c,rows);
    lemma bound_v_at_head_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *lse, *g, integer d, n, z, j, c;
      0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==> (1 <= rows ==> 1 <= nq) ==>
      SameHeads{L1,L2}(q,k,k,q,lse,g,b,n,rows,nq,nk,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),k+HeadAt(z,nk,d),
                          q+HeadAt(z,rows,d),
                          lse+ix(z,rows,0),g+HeadAt(z,rows,d),rows,d) ==>
      SdpaVjpVBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                        lse+ix(z,rows,0),g+HeadAt(z,rows,d),d,j,c,rows) ==
      SdpaVjpVBound{L2}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                        lse+ix(z,rows,0),g+HeadAt(z,rows,d),d,j,c,rows);
    lemma bound_v_of_head_frame{L1,L2}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *lse, *g, integer d, n, z, j, c;
      0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==> (1 <= rows ==> 1 <= nq) ==>
      0 <= rows ==> 0 <= ix(rows,d,0) ==> 0 <= ix(nk,d,0) ==>
      SameHeads{L1,L2}(q,k,k,q,lse,g,b,n,rows,nq,nk,d) ==>
      SdpaVjpVBound{L1}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                        lse+ix(z,rows,0),g+HeadAt(z,rows,d),d,j,c,rows) ==
      SdpaVjpVBound{L2}(A,causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),
                        lse+ix(z,rows,0),g+HeadAt(z,rows,d),d,j,c,rows);
    lemma heads_bound_v_moved{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *lse, *g, *e_dv, integer d, n;
      0 <= ix(rows,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= rows ==> (1 <= rows ==> 1 <= nq) ==>
      SameHeads{L1,L2}(q,k,k,q,lse,g,b,n,rows,nq,nk,d) ==>
      HeadsBoundV{L2,L3}(A,causal,masked,b,nq,nk,rows,q,k,lse,g,e_dv,d,n) ==>
      HeadsBoundV{L1,L3}(A,causal,masked,b,nq,nk,rows,q,k,lse,g,e_dv,d,n);
    lemma heads_bound_v_kept{L1,L2,L3}: \forall arith A, integer causal, masked, scalar *b,
      integer nq, nk, rows, scalar *q, *k, *lse, *g, *e_dv, integer d, n;
      SameRows{L2,L3}(e_dv,ix(nk,d,0),n) ==>
      HeadsBoundV{L1,L2}(A, causal, masked, b, nq, nk, rows, q, k, lse, g, e_dv, d, n) ==>
      HeadsBoundV{L1,L3}(A, causal, masked, b, nq, nk, rows, q, k, lse, g, e_dv, d, n);
*/

/*@ requires 0 <= group && 0 <= kvs && n == ix(kvs,group,0) && OutHeads(e_dq,n,nq,d);
    requires HeadsIn(q,k,v,y,lse,g,mask,n,nq,kvs,nq,nk,d);
    requires HeadsApart(e_dq,HeadAt(n,nq,d),q,k,v,y,lse,g,mask,n,nq,kvs,nq,nk,d);
    assigns e_dq[0 .. HeadAt(n,nq,d)-1];
    ensures HeadsBoundQ{Pre,Post}(A,causal,masked,mask,nq,nk,group,q,k,v,y,lse,g,e_dq,d,n);
*/
static void bound_q_heads(arith A, idx n, idx kvs, idx group, idx nq, idx nk, idx d, int causal,
                          int masked, const double *q, const double *k, const double *v,
                          const double *mask, const double *y, const double *lse, const double *g,
                          double *e_dq)
{
#define HEADS_N n
#define HEADS_ROWS nq
#define HEADS_KV kv_head(kvs, group, z)
#define HEADS_KVZ kv_of(z, group)
#define HEADS_OUT e_dq
#define HEADS_SIZE ix(nq, d, 0)
#define HEADS_ARE(n) \
  HeadsBoundQ{Pre, Here}(A, causal, masked, mask, nq, nk, group, q, k, v, y, lse, g, e_dq, d, n)
#define HEADS_SAME                                                                         \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k + at_kv, ix(nk, d, 0)) &&      \
      Same{Pre, Here}(v + at_kv, ix(nk, d, 0)) && Same{Pre, Here}(q + at, ix(nq, d, 0)) && \
      Same{Pre, Here}(y + at, ix(nq, d, 0)) && Same{Pre, Here}(g + at, ix(nq, d, 0)) &&    \
      Same{Pre, Here}(lse + at_lse, nq) && CellsBelow(z, HEADS_SIZE)
#define HEADS_CALL                                                                       \
  bound_q_head(A, nq, nk, d, causal, masked, mask, q + at, k + at_kv, v + at_kv, y + at, \
               lse + at_lse, g + at, e_dq + at)
#define HEADS_MOVED                                                                         \
  BoundsQ{Pre, Here}(A, causal, masked, mask, nq, nk, q + at, k + at_kv, v + at_kv, y + at, \
                     lse + at_lse, g + at, e_dq + at, d, nq)
#define HEADS_NEW \
  HeadBoundQ{Pre, Here}(A, causal, masked, mask, nq, nk, group, q, k, v, y, lse, g, e_dq, d, z)
#include "attention_heads.inc"
}

/*@ requires HeadsIn(q,k,v,y,lse,g,mask,kvs,rows,kvs,nq,nk,d) && OutHeads(e_dk,kvs,nk,d);
    requires HeadsApart(e_dk,HeadAt(kvs,nk,d),q,k,v,y,lse,g,mask,kvs,rows,kvs,nq,nk,d);
    assigns e_dk[0 .. HeadAt(kvs,nk,d)-1];
    ensures HeadsBoundK{Pre,Post}(A,causal,masked,mask,nq,nk,rows,q,k,v,y,lse,g,e_dk,d,kvs);
*/
static void bound_k_heads(arith A, idx kvs, idx rows, idx nq, idx nk, idx d, int causal, int masked,
                          const double *q, const double *k, const double *v, const double *mask,
                          const double *y, const double *lse, const double *g, double *e_dk)
{
#define HEADS_N kvs
#define HEADS_ROWS rows
#define HEADS_KV z
#define HEADS_KVZ z
#define HEADS_OUT e_dk
#define HEADS_SIZE ix(nk, d, 0)
#define HEADS_ARE(n) \
  HeadsBoundK{Pre, Here}(A, causal, masked, mask, nq, nk, rows, q, k, v, y, lse, g, e_dk, d, n)
#define HEADS_SAME                                                                           \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k + at_kv, ix(nk, d, 0)) &&        \
      Same{Pre, Here}(v + at_kv, ix(nk, d, 0)) && Same{Pre, Here}(q + at, ix(rows, d, 0)) && \
      Same{Pre, Here}(y + at, ix(rows, d, 0)) && Same{Pre, Here}(g + at, ix(rows, d, 0)) &&  \
      Same{Pre, Here}(lse + at_lse, rows)
#define HEADS_CALL                                                                             \
  bound_k_head(A, rows, nq, nk, d, causal, masked, mask, q + at, k + at_kv, v + at_kv, y + at, \
               lse + at_lse, g + at, e_dk + at_kv)
#define HEADS_MOVED                                                                         \
  BoundsK{Pre, Here}(A, causal, masked, mask, nq, nk, q + at, k + at_kv, v + at_kv, y + at, \
                     lse + at_lse, g + at, e_dk + at_kv, d, rows, nk)
#define HEADS_NEW \
  HeadBoundK{Pre, Here}(A, causal, masked, mask, nq, nk, rows, q, k, v, y, lse, g, e_dk, d, z)
#include "attention_heads.inc"
}

/*@ requires HeadsIn(q,k,k,q,lse,g,mask,kvs,rows,kvs,nq,nk,d) && OutHeads(e_dv,kvs,nk,d);
    requires HeadsApart(e_dv,HeadAt(kvs,nk,d),q,k,k,q,lse,g,mask,kvs,rows,kvs,nq,nk,d);
    assigns e_dv[0 .. HeadAt(kvs,nk,d)-1];
    ensures HeadsBoundV{Pre,Post}(A,causal,masked,mask,nq,nk,rows,q,k,lse,g,e_dv,d,kvs);
*/
static void bound_v_heads(arith A, idx kvs, idx rows, idx nq, idx nk, idx d, int causal, int masked,
                          const double *q, const double *k, const double *mask, const double *lse,
                          const double *g, double *e_dv)
{
#define HEADS_N kvs
#define HEADS_ROWS rows
#define HEADS_KV z
#define HEADS_KVZ z
#define HEADS_OUT e_dv
#define HEADS_SIZE ix(nk, d, 0)
#define HEADS_ARE(n) \
  HeadsBoundV{Pre, Here}(A, causal, masked, mask, nq, nk, rows, q, k, lse, g, e_dv, d, n)
#define HEADS_SAME                                                                          \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k + at_kv, ix(nk, d, 0)) &&       \
      Same{Pre, Here}(q + at, ix(rows, d, 0)) && Same{Pre, Here}(g + at, ix(rows, d, 0)) && \
      Same{Pre, Here}(lse + at_lse, rows)
#define HEADS_CALL                                                                                \
  bound_v_head(A, rows, nq, nk, d, causal, masked, mask, q + at, k + at_kv, lse + at_lse, g + at, \
               e_dv + at_kv)
#define HEADS_MOVED                                                                            \
  BoundsV{Pre, Here}(A, causal, masked, mask, nq, nk, q + at, k + at_kv, lse + at_lse, g + at, \
                     e_dv + at_kv, d, rows, nk)
#define HEADS_NEW \
  HeadBoundV{Pre, Here}(A, causal, masked, mask, nq, nk, rows, q, k, lse, g, e_dv, d, z)
#include "attention_heads.inc"
}

void bound_sdpa_vjp(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal,
                    int masked, const double *q, const double *k, const double *v,
                    const double *mask, const double *y, const double *lse, const double *g,
                    arith A, double *e_dq, double *e_dk, double *e_dv)
{
  idx group = group_size(heads, kv_heads), n = size2(batch, heads), kvs = size2(batch, kv_heads);
  //@ assert groups: n == ix(kvs,group,0);
  bound_q_heads(A, n, kvs, group, nq, nk, d, causal, masked, q, k, v, mask, y, lse, g, e_dq);
  if (kvs == 0)
    return;
  //@ assert few: 0 <= ix(group,nq,0) <= ix(n,nq,0);
  idx rows = size2(group, nq);
  //@ assert whole: HeadAt(n,nq,d) == HeadAt(kvs,rows,d) && ix(n,nq,0) == ix(kvs,rows,0);
  //@ assert row: 0 <= ix(rows,d,0) <= HeadAt(kvs,rows,d);
  /*@ assert inputs: Same{Pre,Here}(q,HeadAt(n,nq,d)) && Same{Pre,Here}(y,HeadAt(n,nq,d)) &&
        Same{Pre,Here}(g,HeadAt(n,nq,d)) && Same{Pre,Here}(lse,ix(n,nq,0)) &&
        Same{Pre,Here}(k,HeadAt(kvs,nk,d)) && Same{Pre,Here}(v,HeadAt(kvs,nk,d)) &&
        Same{Pre,Here}(mask,ix(nq,nk,0)); */
  //@ assert same: SameHeads{Pre,Here}(q,k,v,y,lse,g,mask,kvs,rows,nq,nk,d);
  //@ ghost L1: ;
  bound_k_heads(A, kvs, rows, nq, nk, d, causal, masked, q, k, v, mask, y, lse, g, e_dk);
  /*@ assert inputs_still: Same{Pre,Here}(q,HeadAt(n,nq,d)) && Same{Pre,Here}(y,HeadAt(n,nq,d)) &&
        Same{Pre,Here}(g,HeadAt(n,nq,d)) && Same{Pre,Here}(lse,ix(n,nq,0)) &&
        Same{Pre,Here}(k,HeadAt(kvs,nk,d)) && Same{Pre,Here}(v,HeadAt(kvs,nk,d)) &&
        Same{Pre,Here}(mask,ix(nq,nk,0)); */
  //@ assert still: SameHeads{Pre,Here}(q,k,v,y,lse,g,mask,kvs,rows,nq,nk,d);
  //@ assert of_v: SameHeads{Pre,Here}(q,k,k,q,lse,g,mask,kvs,rows,nq,nk,d);
  //@ assert stays: Same{L1,Here}(e_dq,HeadAt(n,nq,d));
  //@ assert rows_q: SameRows{L1,Here}(e_dq,ix(nq,d,0),n);
  /*@ assert out_q: HeadsBoundQ{Pre,Here}(A,causal,masked,mask,nq,nk,group,q,k,v,y,lse,g,e_dq,
                                     d,n); */
  /*@ assert out_k: HeadsBoundK{Pre,Here}(A,causal,masked,mask,nq,nk,rows,q,k,v,y,lse,g,e_dk,
                                     d,kvs); */
  //@ ghost L2: ;
  bound_v_heads(A, kvs, rows, nq, nk, d, causal, masked, q, k, mask, lse, g, e_dv);
  //@ assert stay: Same{L2,Here}(e_dq,HeadAt(n,nq,d)) && Same{L2,Here}(e_dk,HeadAt(kvs,nk,d));
  //@ assert rows_2: SameRows{L2,Here}(e_dq,ix(nq,d,0),n);
  //@ assert rows_3: SameRows{L2,Here}(e_dk,ix(nk,d,0),kvs);
  /*@ assert end_q: HeadsBoundQ{Pre,Here}(A,causal,masked,mask,nq,nk,group,q,k,v,y,lse,g,e_dq,
                                     d,n); */
  /*@ assert end_k: HeadsBoundK{Pre,Here}(A,causal,masked,mask,nq,nk,rows,q,k,v,y,lse,g,e_dk,
                                     d,kvs); */
  //@ assert end_v: HeadsBoundV{Pre,Here}(A,causal,masked,mask,nq,nk,rows,q,k,lse,g,e_dv,d,kvs);
}
