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
    ensures \result == p_score_pull(A,d,p,dot,abs,more,gy,gyabs,gymore);
*/
static pair score_pull(arith A, idx d, pair p, double dot, double abs, double more, double gy,
                       double gyabs, double gymore)
{
  double n = (double)d;
  pair pull = pair_sub(A, dot_off(A, dot, abs, more, n, n - 1.0),
                       dot_off(A, gy, gyabs, gymore, n, n - 1.0));
  return pair_mul(A, p, pull);
}

/*@ requires In1(g,d) && In1(eg,d) && In1(x,d);
    assigns \nothing;
    ensures \result == PullMore{Pre}(off,g,eg,x,d);
*/
static double pull_more(int off, idx d, const double *g, const double *eg, const double *x)
{
  return off ? row_cross(d, g, eg, 0, x, x) : 0.0;
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

/*@ requires In1(q,d) && In1(y,d) && In1(g,d) && In1(eg,d) && In2(k,nk,d) && In2(v,nk,d);
    requires 0 <= j < nk;
    assigns \nothing;
    ensures \result == KeyPull{Pre}(A,off,q,k,v,y,lse,g,eg,d,j);
*/
static pair key_pull(arith A, int off, idx nk, idx d, const double *q, const double *k,
                     const double *v, const double *y, double lse, const double *g,
                     const double *eg, idx j)
{
  idx o = size2(j, d);
  //@ assert inside: 0 <= o && o + d <= ix(nk,d,0);
  pair p = prob(A, key_score(A, nk, d, 0, q, k, q, k, j), lse);
  return score_pull(A, d, p, row_dot(d, g, v + o), row_abs(d, g, v + o),
                    pull_more(off, d, g, eg, v + o), row_dot(d, g, y), row_abs(d, g, y),
                    pull_more(off, d, g, eg, y));
}

/*@ requires In1(q,d) && In1(y,d) && In1(g,d) && In1(eg,d) && In2(k,nk,d) && In2(v,nk,d);
    requires In2(mask,nq,nk);
    requires 0 <= i < nq && Out1(e_dq,d) && Sep(e_dq,d,q,d) && Sep(e_dq,d,y,d) && Sep(e_dq,d,g,d);
    requires Sep(e_dq,d,eg,d);
    requires Sep(e_dq,d,k,ix(nk,d,0)) && Sep(e_dq,d,v,ix(nk,d,0)) && Sep(e_dq,d,mask,ix(nq,nk,0));
    assigns e_dq[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      e_dq[c] == PullErrorQ{Pre}(A,off,causal,masked,mask,nq,nk,i,q,k,v,y,lse,g,eg,d,c,nk);
*/
static void bound_q_row(arith A, int off, idx nq, idx nk, idx d, int causal, int masked,
                        const double *mask, idx i, const double *q, const double *k,
                        const double *v, const double *y, double lse, const double *g,
                        const double *eg, double *e_dq)
{
#define SUM_OUT e_dq
#define SUM_N nk
#define SUM_OF(c) k[o + c] == rd{Pre}(k, ix(p, d, c))
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, i, p))
#define SUM_T pair
#define SUM_WEIGHT key_pull(A, off, nk, d, q, k, v, y, lse, g, eg, p)
#define SUM_BLOCK Blocked{Pre}(causal, masked, mask, nq, nk, i, p)
#define SUM_IS_WEIGHT KeyPull{Pre}(A, off, q, k, v, y, lse, g, eg, d, p)
#define SUM_ADD add_scaled(A, d, w, k + o, (double)size2(nk, d), A.h, SUM_OUT)
#define SUM_TERM(c) e_scaled(A, d, w, k[o + c], ix(nk, d, 0), A.h)
#define SUM_SAME                                                              \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(q, d) &&            \
      Same{Pre, Here}(k, ix(nk, d, 0)) && Same{Pre, Here}(v, ix(nk, d, 0)) && \
      Same{Pre, Here}(y, d) && Same{Pre, Here}(g, d) && Same{Pre, Here}(eg, d)
#define SUM_IS(c, p) \
  PullErrorQ{Pre}(A, off, causal, masked, mask, nq, nk, i, q, k, v, y, lse, g, eg, d, c, p)
#define SUM_PART(c, p) \
  ErrorQ{Pre}(A, off, causal, masked, mask, nq, nk, i, q, k, v, y, lse, g, eg, d, c, p)
#include "attention_sum.inc"
}

/*@ requires RowsIn(q,k,v,y,lse,g,mask,rows,nq,nk,d) && RowsIn(q,k,v,y,lse,eg,mask,rows,nq,nk,d);
    requires 0 <= j < nk && Out1(e_dk,d);
    requires Apart(e_dk,d,q,k,v,y,lse,g,mask,rows,nq,nk,d);
    requires Apart(e_dk,d,q,k,v,y,lse,eg,mask,rows,nq,nk,d);
    assigns e_dk[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      e_dk[c] == PullErrorK{Pre}(A,off,causal,masked,mask,nq,nk,q,k,v,y,lse,g,eg,d,j,c,rows,rows);
*/
static void bound_k_row(arith A, int off, idx rows, idx nq, idx nk, idx d, int causal, int masked,
                        const double *mask, const double *q, const double *k, const double *v,
                        const double *y, const double *lse, const double *g, const double *eg,
                        idx j, double *e_dk)
{
#define SUM_OUT e_dk
#define SUM_N rows
#define SUM_OF(c) q[o + c] == rd{Pre}(q, ix(p, d, c))
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, query(p, nq), j))
#define SUM_T pair
#define SUM_WEIGHT key_pull(A, off, nk, d, q + o, k, v, y + o, lse[p], g + o, eg + o, j)
#define SUM_BLOCK Blocked{Pre}(causal, masked, mask, nq, nk, query_of(p, nq), j)
#define SUM_IS_WEIGHT                                                                            \
  KeyPull{Pre}(A, off, q + ix(p, d, 0), k, v, y + ix(p, d, 0), rd{Pre}(lse, p), g + ix(p, d, 0), \
               eg + ix(p, d, 0), d, j)
#define SUM_ADD add_scaled(A, d, w, q + o, (double)size2(rows, d), A.h2, SUM_OUT)
#define SUM_TERM(c) e_scaled(A, d, w, q[o + c], ix(rows, d, 0), A.h2)
#define SUM_SAME                                                                  \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k, ix(nk, d, 0)) &&     \
      Same{Pre, Here}(v, ix(nk, d, 0)) && Same{Pre, Here}(q, ix(rows, d, 0)) &&   \
      Same{Pre, Here}(y, ix(rows, d, 0)) && Same{Pre, Here}(g, ix(rows, d, 0)) && \
      Same{Pre, Here}(eg, ix(rows, d, 0)) && Same{Pre, Here}(lse, rows)
#define SUM_IS(c, p) \
  PullErrorK{Pre}(A, off, causal, masked, mask, nq, nk, q, k, v, y, lse, g, eg, d, j, c, rows, p)
#define SUM_PART(c, p) \
  ErrorK{Pre}(A, off, causal, masked, mask, nq, nk, q, k, v, y, lse, g, eg, d, j, c, p, rows)
#include "attention_sum.inc"
}

/* Neither v nor y has a part in it: what is said of them is said of k and q. */
/*@ requires RowsIn(q,k,k,q,lse,g,mask,rows,nq,nk,d) && RowsIn(q,k,k,q,lse,eg,mask,rows,nq,nk,d);
    requires 0 <= j < nk && Out1(e_dv,d);
    requires Apart(e_dv,d,q,k,k,q,lse,g,mask,rows,nq,nk,d);
    requires Apart(e_dv,d,q,k,k,q,lse,eg,mask,rows,nq,nk,d);
    assigns e_dv[0 .. d-1];
    ensures \forall integer c; 0 <= c < d ==>
      e_dv[c] == PullErrorV{Pre}(A,off,causal,masked,mask,nq,nk,q,k,lse,g,eg,d,j,c,rows,rows);
*/
static void bound_v_row(arith A, int off, idx rows, idx nq, idx nk, idx d, int causal, int masked,
                        const double *mask, const double *q, const double *k, const double *lse,
                        const double *g, const double *eg, idx j, double *e_dv)
{
#define SUM_OUT e_dv
#define SUM_N rows
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, query(p, nq), j))
#define SUM_T pair
#define SUM_WEIGHT prob(A, key_score(A, nk, d, 0, q + o, k, q + o, k, j), lse[p])
#define SUM_BLOCK Blocked{Pre}(causal, masked, mask, nq, nk, query_of(p, nq), j)
#define SUM_IS_WEIGHT KeyProb{Pre}(A, q + ix(p, d, 0), k, rd{Pre}(lse, p), d, j)
#define SUM_ADD add_parts(A, d, w, off, g + o, eg + o, (double)rows, A.h2, SUM_OUT)
#define SUM_TERM(c) e_part(A, w, PairAt(off, g + o, eg + o, c), rows, A.h2)
#define SUM_ROW(a) (\forall integer c; 0 <= c<d ==> a[o + c] == rd{Pre}(a, ix(p, d, c)))
#define SUM_SAME                                                                         \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k, ix(nk, d, 0)) &&            \
      Same{Pre, Here}(q, ix(rows, d, 0)) && Same{Pre, Here}(g, ix(rows, d, 0)) &&        \
      Same{Pre, Here}(eg, ix(rows, d, 0)) && Same{Pre, Here}(lse, rows) && SUM_ROW(g) && \
      SUM_ROW(eg)
#define SUM_IS(c, p) \
  PullErrorV{Pre}(A, off, causal, masked, mask, nq, nk, q, k, lse, g, eg, d, j, c, rows, p)
#define SUM_PART(c, p) \
  ErrorV{Pre}(A, off, causal, masked, mask, nq, nk, q, k, lse, g, eg, d, j, c, p, rows)
#include "attention_sum.inc"
#undef SUM_ROW
}

/*@ requires RowsIn(q,k,v,y,lse,g,mask,rows,rows,nk,cols);
    requires RowsIn(q,k,v,y,lse,eg,mask,rows,rows,nk,cols) && Out2(e_dq,rows,cols);
    requires Apart(e_dq,ix(rows,cols,0),q,k,v,y,lse,g,mask,rows,rows,nk,cols);
    requires Apart(e_dq,ix(rows,cols,0),q,k,v,y,lse,eg,mask,rows,rows,nk,cols);
    assigns e_dq[0 .. ix(rows,cols,0)-1];
    ensures BoundsQ{Pre,Post}(A,off,causal,masked,mask,rows,nk,q,k,v,y,lse,g,eg,e_dq,cols,rows);
*/
static void bound_q_head(arith A, int off, idx rows, idx nk, idx cols, int causal, int masked,
                         const double *mask, const double *q, const double *k, const double *v,
                         const double *y, const double *lse, const double *g, const double *eg,
                         double *e_dq)
{
#define ROWS_OUT e_dq
#define ROWS_ARE(n) \
  BoundsQ{Pre, Here}(A, off, causal, masked, mask, rows, nk, q, k, v, y, lse, g, eg, e_dq, cols, n)
#define ROWS_CALL(o)                                                                              \
  bound_q_row(A, off, rows, nk, cols, causal, masked, mask, r, q + o, k, v, y + o, lse[r], g + o, \
              eg + o, e_dq + o)
#define ROWS_SAME(o)                                                                             \
  Same{L0, Pre}(mask, ix(rows, nk, 0)) && Same{L0, Pre}(q + o, cols) &&                          \
      Same{L0, Pre}(k, ix(nk, cols, 0)) && Same{L0, Pre}(v, ix(nk, cols, 0)) &&                  \
      Same{L0, Pre}(y + o, cols) && Same{L0, Pre}(g + o, cols) && Same{L0, Pre}(eg + o, cols) && \
      Same{L0, Pre}(lse, rows) && ROWS_SEEN(o) &&                                                \
      (\forall integer c; 0 <= c<cols ==> e_dq[o + c] == ROWS_IS(L0, o))
/* by definition, but the frame lemma wants it by its name */
#define ROWS_SEEN(o)                                                                             \
  (SameSeen{L0, Pre}(mask, rows, nk, q + o, k, cols) || !Same{L0, Pre}(mask, ix(rows, nk, 0)) || \
   !Same{L0, Pre}(q + o, cols) || !Same{L0, Pre}(k, ix(nk, cols, 0)))
#define ROWS_IS(L, o)                                                                           \
  PullErrorQ{L}(A, off, causal, masked, mask, rows, nk, r, q + o, k, v, y + o, rd{Pre}(lse, r), \
                g + o, eg + o, cols, c, nk)
#include "softmax_rows.inc"
#undef ROWS_SEEN
}

/* n KV heads, of each of which `rows` are keys and t rows of queries. */
/*@ requires RowsIn(q,k,v,y,lse,g,mask,t,nq,rows,cols);
    requires RowsIn(q,k,v,y,lse,eg,mask,t,nq,rows,cols) && Out2(e_dk,rows,cols);
    requires Apart(e_dk,ix(rows,cols,0),q,k,v,y,lse,g,mask,t,nq,rows,cols);
    requires Apart(e_dk,ix(rows,cols,0),q,k,v,y,lse,eg,mask,t,nq,rows,cols);
    assigns e_dk[0 .. ix(rows,cols,0)-1];
    ensures BoundsK{Pre,Post}(A,off,causal,masked,mask,nq,rows,q,k,v,y,lse,g,eg,e_dk,cols,t,rows);
*/
static void bound_k_head(arith A, int off, idx t, idx nq, idx rows, idx cols, int causal,
                         int masked, const double *mask, const double *q, const double *k,
                         const double *v, const double *y, const double *lse, const double *g,
                         const double *eg, double *e_dk)
{
#define ROWS_OUT e_dk
#define ROWS_ARE(n)                                                                              \
  BoundsK{Pre, Here}(A, off, causal, masked, mask, nq, rows, q, k, v, y, lse, g, eg, e_dk, cols, \
                     t, n)
#define ROWS_CALL(o) \
  bound_k_row(A, off, t, nq, rows, cols, causal, masked, mask, q, k, v, y, lse, g, eg, r, e_dk + o)
#define ROWS_SAME(o)                                                                \
  Same{L0, Pre}(mask, ix(nq, rows, 0)) && Same{L0, Pre}(q, ix(t, cols, 0)) &&       \
      Same{L0, Pre}(k, ix(rows, cols, 0)) && Same{L0, Pre}(v, ix(rows, cols, 0)) && \
      Same{L0, Pre}(y, ix(t, cols, 0)) && Same{L0, Pre}(g, ix(t, cols, 0)) &&       \
      Same{L0, Pre}(eg, ix(t, cols, 0)) && Same{L0, Pre}(lse, t)
#define ROWS_IS(L, o) \
  PullErrorK{L}(A, off, causal, masked, mask, nq, rows, q, k, v, y, lse, g, eg, cols, r, c, t, t)
#include "softmax_rows.inc"
}

/*@ requires RowsIn(q,k,k,q,lse,g,mask,t,nq,rows,cols);
    requires RowsIn(q,k,k,q,lse,eg,mask,t,nq,rows,cols) && Out2(e_dv,rows,cols);
    requires Apart(e_dv,ix(rows,cols,0),q,k,k,q,lse,g,mask,t,nq,rows,cols);
    requires Apart(e_dv,ix(rows,cols,0),q,k,k,q,lse,eg,mask,t,nq,rows,cols);
    assigns e_dv[0 .. ix(rows,cols,0)-1];
    ensures BoundsV{Pre,Post}(A,off,causal,masked,mask,nq,rows,q,k,lse,g,eg,e_dv,cols,t,rows);
*/
static void bound_v_head(arith A, int off, idx t, idx nq, idx rows, idx cols, int causal,
                         int masked, const double *mask, const double *q, const double *k,
                         const double *lse, const double *g, const double *eg, double *e_dv)
{
#define ROWS_OUT e_dv
#define ROWS_ARE(n) \
  BoundsV{Pre, Here}(A, off, causal, masked, mask, nq, rows, q, k, lse, g, eg, e_dv, cols, t, n)
#define ROWS_CALL(o) \
  bound_v_row(A, off, t, nq, rows, cols, causal, masked, mask, q, k, lse, g, eg, r, e_dv + o)
#define ROWS_SAME(o)                                                             \
  Same{L0, Pre}(mask, ix(nq, rows, 0)) && Same{L0, Pre}(q, ix(t, cols, 0)) &&    \
      Same{L0, Pre}(k, ix(rows, cols, 0)) && Same{L0, Pre}(g, ix(t, cols, 0)) && \
      Same{L0, Pre}(eg, ix(t, cols, 0)) && Same{L0, Pre}(lse, t)
#define ROWS_IS(L, o) \
  PullErrorV{L}(A, off, causal, masked, mask, nq, rows, q, k, lse, g, eg, cols, r, c, t, t)
#include "softmax_rows.inc"
}

/*@ requires 0 <= group && 0 <= kvs && n == ix(kvs,group,0) && OutHeads(e_dq,n,nq,d);
    requires HeadsIn(q,k,v,y,lse,g,mask,n,nq,kvs,nq,nk,d);
    requires HeadsIn(q,k,v,y,lse,eg,mask,n,nq,kvs,nq,nk,d);
    requires HeadsApart(e_dq,HeadAt(n,nq,d),q,k,v,y,lse,g,mask,n,nq,kvs,nq,nk,d);
    requires HeadsApart(e_dq,HeadAt(n,nq,d),q,k,v,y,lse,eg,mask,n,nq,kvs,nq,nk,d);
    assigns e_dq[0 .. HeadAt(n,nq,d)-1];
    ensures HeadsBoundQ{Pre,Post}(A,off,causal,masked,mask,nq,nk,group,q,k,v,y,lse,g,eg,e_dq,d,n);
*/
static void bound_q_heads(arith A, int off, idx n, idx kvs, idx group, idx nq, idx nk, idx d,
                          int causal, int masked, const double *q, const double *k, const double *v,
                          const double *mask, const double *y, const double *lse, const double *g,
                          const double *eg, double *e_dq)
{
#define HEADS_N n
#define HEADS_ROWS nq
#define HEADS_KV kv_head(kvs, group, z)
#define HEADS_KVZ kv_of(z, group)
#define HEADS_OUT e_dq
#define HEADS_SIZE ix(nq, d, 0)
#define HEADS_ARE(n)                                                                          \
  HeadsBoundQ{Pre, Here}(A, off, causal, masked, mask, nq, nk, group, q, k, v, y, lse, g, eg, \
                         e_dq, d, n)
#define HEADS_SAME                                                                         \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k + at_kv, ix(nk, d, 0)) &&      \
      Same{Pre, Here}(v + at_kv, ix(nk, d, 0)) && Same{Pre, Here}(q + at, ix(nq, d, 0)) && \
      Same{Pre, Here}(y + at, ix(nq, d, 0)) && Same{Pre, Here}(g + at, ix(nq, d, 0)) &&    \
      Same{Pre, Here}(eg + at, ix(nq, d, 0)) && Same{Pre, Here}(lse + at_lse, nq) &&       \
      CellsBelow(z, HEADS_SIZE)
#define HEADS_CALL                                                                            \
  bound_q_head(A, off, nq, nk, d, causal, masked, mask, q + at, k + at_kv, v + at_kv, y + at, \
               lse + at_lse, g + at, eg + at, e_dq + at)
#define HEADS_MOVED                                                                              \
  BoundsQ{Pre, Here}(A, off, causal, masked, mask, nq, nk, q + at, k + at_kv, v + at_kv, y + at, \
                     lse + at_lse, g + at, eg + at, e_dq + at, d, nq)
#define HEADS_NEW                                                                                  \
  HeadBoundQ{Pre, Here}(A, off, causal, masked, mask, nq, nk, group, q, k, v, y, lse, g, eg, e_dq, \
                        d, z)
#include "attention_heads.inc"
}

/*@ requires HeadsIn(q,k,v,y,lse,g,mask,kvs,rows,kvs,nq,nk,d);
    requires HeadsIn(q,k,v,y,lse,eg,mask,kvs,rows,kvs,nq,nk,d) && OutHeads(e_dk,kvs,nk,d);
    requires HeadsApart(e_dk,HeadAt(kvs,nk,d),q,k,v,y,lse,g,mask,kvs,rows,kvs,nq,nk,d);
    requires HeadsApart(e_dk,HeadAt(kvs,nk,d),q,k,v,y,lse,eg,mask,kvs,rows,kvs,nq,nk,d);
    assigns e_dk[0 .. HeadAt(kvs,nk,d)-1];
    ensures HeadsBoundK{Pre,Post}(A,off,causal,masked,mask,nq,nk,rows,q,k,v,y,lse,g,eg,e_dk,d,kvs);
*/
static void bound_k_heads(arith A, int off, idx kvs, idx rows, idx nq, idx nk, idx d, int causal,
                          int masked, const double *q, const double *k, const double *v,
                          const double *mask, const double *y, const double *lse, const double *g,
                          const double *eg, double *e_dk)
{
#define HEADS_N kvs
#define HEADS_ROWS rows
#define HEADS_KV z
#define HEADS_KVZ z
#define HEADS_OUT e_dk
#define HEADS_SIZE ix(nk, d, 0)
#define HEADS_ARE(n)                                                                               \
  HeadsBoundK{Pre, Here}(A, off, causal, masked, mask, nq, nk, rows, q, k, v, y, lse, g, eg, e_dk, \
                         d, n)
#define HEADS_SAME                                                                           \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k + at_kv, ix(nk, d, 0)) &&        \
      Same{Pre, Here}(v + at_kv, ix(nk, d, 0)) && Same{Pre, Here}(q + at, ix(rows, d, 0)) && \
      Same{Pre, Here}(y + at, ix(rows, d, 0)) && Same{Pre, Here}(g + at, ix(rows, d, 0)) &&  \
      Same{Pre, Here}(eg + at, ix(rows, d, 0)) && Same{Pre, Here}(lse + at_lse, rows)
#define HEADS_CALL                                                                          \
  bound_k_head(A, off, rows, nq, nk, d, causal, masked, mask, q + at, k + at_kv, v + at_kv, \
               y + at, lse + at_lse, g + at, eg + at, e_dk + at_kv)
#define HEADS_MOVED                                                                              \
  BoundsK{Pre, Here}(A, off, causal, masked, mask, nq, nk, q + at, k + at_kv, v + at_kv, y + at, \
                     lse + at_lse, g + at, eg + at, e_dk + at_kv, d, rows, nk)
#define HEADS_NEW                                                                                 \
  HeadBoundK{Pre, Here}(A, off, causal, masked, mask, nq, nk, rows, q, k, v, y, lse, g, eg, e_dk, \
                        d, z)
#include "attention_heads.inc"
}

/*@ requires HeadsIn(q,k,k,q,lse,g,mask,kvs,rows,kvs,nq,nk,d);
    requires HeadsIn(q,k,k,q,lse,eg,mask,kvs,rows,kvs,nq,nk,d) && OutHeads(e_dv,kvs,nk,d);
    requires HeadsApart(e_dv,HeadAt(kvs,nk,d),q,k,k,q,lse,g,mask,kvs,rows,kvs,nq,nk,d);
    requires HeadsApart(e_dv,HeadAt(kvs,nk,d),q,k,k,q,lse,eg,mask,kvs,rows,kvs,nq,nk,d);
    assigns e_dv[0 .. HeadAt(kvs,nk,d)-1];
    ensures HeadsBoundV{Pre,Post}(A,off,causal,masked,mask,nq,nk,rows,q,k,lse,g,eg,e_dv,d,kvs);
*/
static void bound_v_heads(arith A, int off, idx kvs, idx rows, idx nq, idx nk, idx d, int causal,
                          int masked, const double *q, const double *k, const double *mask,
                          const double *lse, const double *g, const double *eg, double *e_dv)
{
#define HEADS_N kvs
#define HEADS_ROWS rows
#define HEADS_KV z
#define HEADS_KVZ z
#define HEADS_OUT e_dv
#define HEADS_SIZE ix(nk, d, 0)
#define HEADS_ARE(n) \
  HeadsBoundV{Pre, Here}(A, off, causal, masked, mask, nq, nk, rows, q, k, lse, g, eg, e_dv, d, n)
#define HEADS_SAME                                                                          \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k + at_kv, ix(nk, d, 0)) &&       \
      Same{Pre, Here}(q + at, ix(rows, d, 0)) && Same{Pre, Here}(g + at, ix(rows, d, 0)) && \
      Same{Pre, Here}(eg + at, ix(rows, d, 0)) && Same{Pre, Here}(lse + at_lse, rows)
#define HEADS_CALL                                                                             \
  bound_v_head(A, off, rows, nq, nk, d, causal, masked, mask, q + at, k + at_kv, lse + at_lse, \
               g + at, eg + at, e_dv + at_kv)
#define HEADS_MOVED                                                                         \
  BoundsV{Pre, Here}(A, off, causal, masked, mask, nq, nk, q + at, k + at_kv, lse + at_lse, \
                     g + at, eg + at, e_dv + at_kv, d, rows, nk)
#define HEADS_NEW \
  HeadBoundV{Pre, Here}(A, off, causal, masked, mask, nq, nk, rows, q, k, lse, g, eg, e_dv, d, z)
#include "attention_heads.inc"
}

void pair_sdpa_vjp(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal,
                   int masked, const double *q, const double *k, const double *v,
                   const double *mask, const double *y, const double *lse, const double *g, int off,
                   const double *eg, arith A, double *e_dq, double *e_dk, double *e_dv)
{
  idx group = group_size(heads, kv_heads), n = size2(batch, heads), kvs = size2(batch, kv_heads);
  //@ assert groups: n == ix(kvs,group,0);
  bound_q_heads(A, off, n, kvs, group, nq, nk, d, causal, masked, q, k, v, mask, y, lse, g, eg,
                e_dq);
  if (kvs == 0)
    return;
  //@ assert few: 0 <= ix(group,nq,0) <= ix(n,nq,0);
  idx rows = size2(group, nq);
  //@ assert whole: HeadAt(n,nq,d) == HeadAt(kvs,rows,d) && ix(n,nq,0) == ix(kvs,rows,0);
  //@ assert row: 0 <= ix(rows,d,0) <= HeadAt(kvs,rows,d);
  /*@ assert inputs: Same{Pre,Here}(q,HeadAt(n,nq,d)) && Same{Pre,Here}(y,HeadAt(n,nq,d)) &&
        Same{Pre,Here}(g,HeadAt(n,nq,d)) && Same{Pre,Here}(eg,HeadAt(n,nq,d)) &&
        Same{Pre,Here}(lse,ix(n,nq,0)) &&
        Same{Pre,Here}(k,HeadAt(kvs,nk,d)) && Same{Pre,Here}(v,HeadAt(kvs,nk,d)) &&
        Same{Pre,Here}(mask,ix(nq,nk,0)); */
  /*@ assert same: SameHeads{Pre,Here}(q,k,v,y,lse,g,mask,kvs,rows,nq,nk,d) &&
        SameHeads{Pre,Here}(q,k,v,y,lse,eg,mask,kvs,rows,nq,nk,d); */
  //@ ghost L1: ;
  bound_k_heads(A, off, kvs, rows, nq, nk, d, causal, masked, q, k, v, mask, y, lse, g, eg, e_dk);
  /*@ assert inputs_still: Same{Pre,Here}(q,HeadAt(n,nq,d)) && Same{Pre,Here}(y,HeadAt(n,nq,d)) &&
        Same{Pre,Here}(g,HeadAt(n,nq,d)) && Same{Pre,Here}(eg,HeadAt(n,nq,d)) &&
        Same{Pre,Here}(lse,ix(n,nq,0)) &&
        Same{Pre,Here}(k,HeadAt(kvs,nk,d)) && Same{Pre,Here}(v,HeadAt(kvs,nk,d)) &&
        Same{Pre,Here}(mask,ix(nq,nk,0)); */
  /*@ assert still: SameHeads{Pre,Here}(q,k,v,y,lse,g,mask,kvs,rows,nq,nk,d) &&
        SameHeads{Pre,Here}(q,k,v,y,lse,eg,mask,kvs,rows,nq,nk,d); */
  /*@ assert of_v: SameHeads{Pre,Here}(q,k,k,q,lse,g,mask,kvs,rows,nq,nk,d) &&
        SameHeads{Pre,Here}(q,k,k,q,lse,eg,mask,kvs,rows,nq,nk,d); */
  //@ assert stays: Same{L1,Here}(e_dq,HeadAt(n,nq,d));
  //@ assert rows_q: SameRows{L1,Here}(e_dq,ix(nq,d,0),n);
  /*@ assert out_q: HeadsBoundQ{Pre,Here}(A,off,causal,masked,mask,nq,nk,group,q,k,v,y,
          lse,g,eg,e_dq,d,n); */
  /*@ assert out_k: HeadsBoundK{Pre,Here}(A,off,causal,masked,mask,nq,nk,rows,q,k,v,y,
          lse,g,eg,e_dk,d,kvs); */
  //@ ghost L2: ;
  bound_v_heads(A, off, kvs, rows, nq, nk, d, causal, masked, q, k, mask, lse, g, eg, e_dv);
  //@ assert stay: Same{L2,Here}(e_dq,HeadAt(n,nq,d)) && Same{L2,Here}(e_dk,HeadAt(kvs,nk,d));
  //@ assert rows_2: SameRows{L2,Here}(e_dq,ix(nq,d,0),n);
  //@ assert rows_3: SameRows{L2,Here}(e_dk,ix(nk,d,0),kvs);
  /*@ assert end_q: HeadsBoundQ{Pre,Here}(A,off,causal,masked,mask,nq,nk,group,q,k,v,y,
          lse,g,eg,e_dq,d,n); */
  /*@ assert end_k: HeadsBoundK{Pre,Here}(A,off,causal,masked,mask,nq,nk,rows,q,k,v,y,
          lse,g,eg,e_dk,d,kvs); */
  /*@ assert end_v: HeadsBoundV{Pre,Here}(A,off,causal,masked,mask,nq,nk,rows,q,k,lse,g,eg,e_dv,
                                          d,kvs); */
}

void bound_sdpa_vjp(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal,
                    int masked, const double *q, const double *k, const double *v,
                    const double *mask, const double *y, const double *lse, const double *g,
                    arith A, double *e_dq, double *e_dk, double *e_dv)
{
  pair_sdpa_vjp(batch, heads, kv_heads, nq, nk, d, causal, masked, q, k, v, mask, y, lse, g, 0, g,
                A, e_dq, e_dk, e_dv);
}
