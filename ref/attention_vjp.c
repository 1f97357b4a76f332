/* The VJP of attention. */
#include "attention_apart.h"

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
#define SUM_OF(c) k[o + c] == rd{Pre}(k, ix(p, d, c))
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, i, p))
#define SUM_T double
#define SUM_ADD add_row(d, w, k + o, SUM_OUT)
#define SUM_TERM(c) rmul(w, k[o + c])
#define SUM_WEIGHT score_pull(nk, d, q, k, v, y, lse, g, p)
#define SUM_BLOCK Blocked{Pre}(causal, masked, mask, nq, nk, i, p)
#define SUM_IS_WEIGHT ScorePull{Pre}(q, k, v, y, lse, g, d, p)
#define SUM_SAME                                                              \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(q, d) &&            \
      Same{Pre, Here}(k, ix(nk, d, 0)) && Same{Pre, Here}(v, ix(nk, d, 0)) && \
      Same{Pre, Here}(y, d) && Same{Pre, Here}(g, d)
#define SUM_IS(c, p) PullQ{Pre}(causal, masked, mask, nq, nk, i, q, k, v, y, lse, g, d, c, p)
#define SUM_PART(c, p) PartQ{Pre}(causal, masked, mask, nq, nk, i, q, k, v, y, lse, g, d, c, p)
#include "attention_sum.inc"
}

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
#define SUM_OF(c) q[o + c] == rd{Pre}(q, ix(p, d, c))
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, query(p, nq), j))
#define SUM_T double
#define SUM_ADD add_row(d, w, q + o, SUM_OUT)
#define SUM_TERM(c) rmul(w, q[o + c])
#define SUM_WEIGHT score_pull(nk, d, q + o, k, v, y + o, lse[p], g + o, j)
#define SUM_BLOCK Blocked{Pre}(causal, masked, mask, nq, nk, query_of(p, nq), j)
#define SUM_IS_WEIGHT \
  ScorePull{Pre}(q + ix(p, d, 0), k, v, y + ix(p, d, 0), rd{Pre}(lse, p), g + ix(p, d, 0), d, j)
#define SUM_SAME                                                                  \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k, ix(nk, d, 0)) &&     \
      Same{Pre, Here}(v, ix(nk, d, 0)) && Same{Pre, Here}(q, ix(rows, d, 0)) &&   \
      Same{Pre, Here}(y, ix(rows, d, 0)) && Same{Pre, Here}(g, ix(rows, d, 0)) && \
      Same{Pre, Here}(lse, rows)
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
#define SUM_OF(c) g[o + c] == rd{Pre}(g, ix(p, d, c))
#define SUM_OPEN zero(blocked(causal, masked, mask, nq, nk, query(p, nq), j))
#define SUM_T double
#define SUM_ADD add_row(d, w, g + o, SUM_OUT)
#define SUM_TERM(c) rmul(w, g[o + c])
#define SUM_WEIGHT prob(nk, d, q + o, k, lse[p], j)
#define SUM_BLOCK Blocked{Pre}(causal, masked, mask, nq, nk, query_of(p, nq), j)
#define SUM_IS_WEIGHT Prob{Pre}(q + ix(p, d, 0), k, rd{Pre}(lse, p), d, j)
#define SUM_SAME                                                                  \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k, ix(nk, d, 0)) &&     \
      Same{Pre, Here}(q, ix(rows, d, 0)) && Same{Pre, Here}(g, ix(rows, d, 0)) && \
      Same{Pre, Here}(lse, rows)
#define SUM_IS(c, p) PullV{Pre}(causal, masked, mask, nq, nk, q, k, lse, g, d, j, c, p)
#define SUM_PART(c, p) PartV{Pre}(causal, masked, mask, nq, nk, q, k, lse, g, d, j, c, p)
#include "attention_sum.inc"
}

/*@ predicate PullsQ{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                            scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse, scalar *g,
                            scalar *dq, integer d, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(dq[ix(r,d,c)],L2) == SdpaVjpQ{L1}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,r,c);
    lemma pulls_q_moved{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, *dq, integer d, n;
      n <= nq ==> 0 <= nk ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(nq,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(nq,d,0)) ==> Same{L1,L2}(g,ix(nq,d,0)) ==>
      Same{L1,L2}(lse,nq) ==>
      PullsQ{L2,L3}(causal,masked,b,nq,nk,q,k,v,y,lse,g,dq,d,n) ==>
      PullsQ{L1,L3}(causal,masked,b,nq,nk,q,k,v,y,lse,g,dq,d,n);
    predicate PullsK{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                            scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse, scalar *g,
                            scalar *dk, integer d, integer rows, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(dk[ix(r,d,c)],L2) == PullK{L1}(causal,masked,b,nq,nk,q,k,v,y,lse,g,d,r,c,rows);
    lemma pulls_k_moved{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *v, *y, *lse, *g, *dk, integer d, rows, n;
      n <= nk ==> (1 <= rows ==> 1 <= nq) ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(v,ix(nk,d,0)) ==> Same{L1,L2}(y,ix(rows,d,0)) ==> Same{L1,L2}(g,ix(rows,d,0)) ==>
      Same{L1,L2}(lse,rows) ==>
      PullsK{L2,L3}(causal,masked,b,nq,nk,q,k,v,y,lse,g,dk,d,rows,n) ==>
      PullsK{L1,L3}(causal,masked,b,nq,nk,q,k,v,y,lse,g,dk,d,rows,n);
    predicate PullsV{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                            scalar *q, scalar *k, scalar *lse, scalar *g, scalar *dv, integer d,
                            integer rows, integer n) =
      \forall integer r, c; 0 <= r < n ==> 0 <= c < d ==>
        \at(dv[ix(r,d,c)],L2) == PullV{L1}(causal,masked,b,nq,nk,q,k,lse,g,d,r,c,rows);
    lemma pulls_v_moved{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer nq, nk,
      scalar *q, *k, *lse, *g, *dv, integer d, rows, n;
      n <= nk ==> (1 <= rows ==> 1 <= nq) ==>
      Same{L1,L2}(b,ix(nq,nk,0)) ==> Same{L1,L2}(q,ix(rows,d,0)) ==> Same{L1,L2}(k,ix(nk,d,0)) ==>
      Same{L1,L2}(g,ix(rows,d,0)) ==> Same{L1,L2}(lse,rows) ==>
      PullsV{L2,L3}(causal,masked,b,nq,nk,q,k,lse,g,dv,d,rows,n) ==>
      PullsV{L1,L3}(causal,masked,b,nq,nk,q,k,lse,g,dv,d,rows,n);
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
#define ROWS_CALL(o) \
  pull_q_row(rows, nk, cols, causal, masked, mask, r, q + o, k, v, y + o, lse[r], g + o, dq + o)
#define ROWS_SAME(o)                                                            \
  Same{L0, Pre}(mask, ix(rows, nk, 0)) && Same{L0, Pre}(q + o, cols) &&         \
      Same{L0, Pre}(k, ix(nk, cols, 0)) && Same{L0, Pre}(v, ix(nk, cols, 0)) && \
      Same{L0, Pre}(y + o, cols) && Same{L0, Pre}(g + o, cols) && Same{L0, Pre}(lse, rows)
#define ROWS_IS(L, o)                                                                              \
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
#define ROWS_SAME(o)                                                                \
  Same{L0, Pre}(mask, ix(nq, rows, 0)) && Same{L0, Pre}(q, ix(t, cols, 0)) &&       \
      Same{L0, Pre}(k, ix(rows, cols, 0)) && Same{L0, Pre}(v, ix(rows, cols, 0)) && \
      Same{L0, Pre}(y, ix(t, cols, 0)) && Same{L0, Pre}(g, ix(t, cols, 0)) &&       \
      Same{L0, Pre}(lse, t)
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
#define ROWS_CALL(o) pull_v_row(t, nq, rows, cols, causal, masked, mask, q, k, lse, g, r, dv + o)
#define ROWS_SAME(o)                                                             \
  Same{L0, Pre}(mask, ix(nq, rows, 0)) && Same{L0, Pre}(q, ix(t, cols, 0)) &&    \
      Same{L0, Pre}(k, ix(rows, cols, 0)) && Same{L0, Pre}(g, ix(t, cols, 0)) && \
      Same{L0, Pre}(lse, t)
#define ROWS_IS(L, o) PullV{L}(causal, masked, mask, nq, rows, q, k, lse, g, cols, r, c, t)
#include "softmax_rows.inc"
}

/*@ predicate HeadPullsQ{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                                integer group, scalar *q, scalar *k, scalar *v, scalar *y,
                                scalar *lse, scalar *g, scalar *dq, integer d, integer z) =
      \forall integer i, c; 0 <= i < nq ==> 0 <= c < d ==>
        \at(dq[ix(z,ix(nq,d,0),ix(i,d,c))],L2) ==
        SdpaVjpQ{L1}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                     v+HeadAt(kv_of(z,group),nk,d),y+HeadAt(z,nq,d),lse+ix(z,nq,0),
                     g+HeadAt(z,nq,d),d,i,c);
    lemma head_pulls_q_placed{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      group, scalar *q, *k, *v, *y, *lse, *g, *dq, integer d, z;
      PullsQ{L1,L2}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                    v+HeadAt(kv_of(z,group),nk,d),y+HeadAt(z,nq,d),lse+ix(z,nq,0),g+HeadAt(z,nq,d),
                    dq+HeadAt(z,nq,d),d,nq) ==>
      HeadPullsQ{L1,L2}(causal,masked,b,nq,nk,group,q,k,v,y,lse,g,dq,d,z);
    predicate HeadsPullQ{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                                integer group, scalar *q, scalar *k, scalar *v, scalar *y,
                                scalar *lse, scalar *g, scalar *dq, integer d, integer n) =
      \forall integer z, i, c; 0 <= z < n ==> 0 <= i < nq ==> 0 <= c < d ==>
        \at(dq[ix(z,ix(nq,d,0),ix(i,d,c))],L2) ==
        SdpaVjpQ{L1}(causal,masked,b,nq,nk,q+HeadAt(z,nq,d),k+HeadAt(kv_of(z,group),nk,d),
                     v+HeadAt(kv_of(z,group),nk,d),y+HeadAt(z,nq,d),lse+ix(z,nq,0),
                     g+HeadAt(z,nq,d),d,i,c);
    lemma heads_pull_q_kept{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer nq, nk,
      group, scalar *q, *k, *v, *y, *lse, *g, *dq, integer d, n;
      SameRows{L2,L3}(dq,ix(nq,d,0),n) ==>
      HeadsPullQ{L1,L2}(causal, masked, b, nq, nk, group, q, k, v, y, lse, g, dq, d, n) ==>
      HeadsPullQ{L1,L3}(causal, masked, b, nq, nk, group, q, k, v, y, lse, g, dq, d, n);
    predicate HeadPullsK{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                                integer rows, scalar *q, scalar *k, scalar *v, scalar *y,
                                scalar *lse, scalar *g, scalar *dk, integer d, integer z) =
      \forall integer j, c; 0 <= j < nk ==> 0 <= c < d ==>
        \at(dk[ix(z,ix(nk,d,0),ix(j,d,c))],L2) ==
        PullK{L1}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),v+HeadAt(z,nk,d),
                  y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),d,j,c,rows);
    lemma head_pulls_k_placed{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      rows, scalar *q, *k, *v, *y, *lse, *g, *dk, integer d, z;
      PullsK{L1,L2}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),v+HeadAt(z,nk,d),
                    y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),dk+HeadAt(z,nk,d),d,rows,
                    nk) ==>
      HeadPullsK{L1,L2}(causal,masked,b,nq,nk,rows,q,k,v,y,lse,g,dk,d,z);
    predicate HeadsPullK{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                                integer rows, scalar *q, scalar *k, scalar *v, scalar *y,
                                scalar *lse, scalar *g, scalar *dk, integer d, integer n) =
      \forall integer z, j, c; 0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==>
        \at(dk[ix(z,ix(nk,d,0),ix(j,d,c))],L2) ==
        PullK{L1}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),v+HeadAt(z,nk,d),
                  y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),d,j,c,rows);
    lemma pull_k_at_head_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      rows, scalar *q, *k, *v, *y, *lse, *g, integer d, n, z, j, c;
      0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==> (1 <= rows ==> 1 <= nq) ==>
      SameHeads{L1,L2}(q,k,v,y,lse,g,b,n,rows,nq,nk,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),v+HeadAt(z,nk,d),
                          y+HeadAt(z,rows,d),
                          lse+ix(z,rows,0),g+HeadAt(z,rows,d),rows,d) ==>
      PullK{L1}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),v+HeadAt(z,nk,d),
                y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),d,j,c,rows) ==
      PullK{L2}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),v+HeadAt(z,nk,d),
                y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),d,j,c,rows);
    lemma pull_k_of_head_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      rows, scalar *q, *k, *v, *y, *lse, *g, integer d, n, z, j, c;
      0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==> (1 <= rows ==> 1 <= nq) ==> 0 <= rows ==>
      0 <= ix(rows,d,0) ==> 0 <= ix(nk,d,0) ==>
      SameHeads{L1,L2}(q,k,v,y,lse,g,b,n,rows,nq,nk,d) ==>
      PullK{L1}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),v+HeadAt(z,nk,d),
                y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),d,j,c,rows) ==
      PullK{L2}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),v+HeadAt(z,nk,d),
                y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),d,j,c,rows);
    lemma heads_pull_k_moved{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer nq, nk,
      rows, scalar *q, *k, *v, *y, *lse, *g, *dk, integer d, n;
      0 <= ix(rows,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= rows ==> (1 <= rows ==> 1 <= nq) ==>
      SameHeads{L1,L2}(q,k,v,y,lse,g,b,n,rows,nq,nk,d) ==>
      HeadsPullK{L2,L3}(causal,masked,b,nq,nk,rows,q,k,v,y,lse,g,dk,d,n) ==>
      HeadsPullK{L1,L3}(causal,masked,b,nq,nk,rows,q,k,v,y,lse,g,dk,d,n);
    lemma heads_pull_k_kept{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer nq, nk,
      rows, scalar *q, *k, *v, *y, *lse, *g, *dk, integer d, n;
      SameRows{L2,L3}(dk,ix(nk,d,0),n) ==>
      HeadsPullK{L1,L2}(causal, masked, b, nq, nk, rows, q, k, v, y, lse, g, dk, d, n) ==>
      HeadsPullK{L1,L3}(causal, masked, b, nq, nk, rows, q, k, v, y, lse, g, dk, d, n);
    predicate HeadPullsV{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                                integer rows, scalar *q, scalar *k, scalar *lse, scalar *g,
                                scalar *dv, integer d, integer z) =
      \forall integer j, c; 0 <= j < nk ==> 0 <= c < d ==>
        \at(dv[ix(z,ix(nk,d,0),ix(j,d,c))],L2) ==
        PullV{L1}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),lse+ix(z,rows,0),
                  g+HeadAt(z,rows,d),d,j,c,rows);
    lemma head_pulls_v_placed{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      rows, scalar *q, *k, *lse, *g, *dv, integer d, z;
      PullsV{L1,L2}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),lse+ix(z,rows,0),
                    g+HeadAt(z,rows,d),dv+HeadAt(z,nk,d),d,rows,nk) ==>
      HeadPullsV{L1,L2}(causal,masked,b,nq,nk,rows,q,k,lse,g,dv,d,z);
    predicate HeadsPullV{L1,L2}(integer causal, integer masked, scalar *b, integer nq, integer nk,
                                integer rows, scalar *q, scalar *k, scalar *lse, scalar *g,
                                scalar *dv, integer d, integer n) =
      \forall integer z, j, c; 0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==>
        \at(dv[ix(z,ix(nk,d,0),ix(j,d,c))],L2) ==
        PullV{L1}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),lse+ix(z,rows,0),
                  g+HeadAt(z,rows,d),d,j,c,rows);
    lemma pull_v_at_head_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      rows, scalar *q, *k, *lse, *g, integer d, n, z, j, c;
      0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==> (1 <= rows ==> 1 <= nq) ==>
      SameHeads{L1,L2}(q,k,k,q,lse,g,b,n,rows,nq,nk,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),k+HeadAt(z,nk,d),
                          q+HeadAt(z,rows,d),
                          lse+ix(z,rows,0),g+HeadAt(z,rows,d),rows,d) ==>
      PullV{L1}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),lse+ix(z,rows,0),
                g+HeadAt(z,rows,d),d,j,c,rows) ==
      PullV{L2}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),lse+ix(z,rows,0),
                g+HeadAt(z,rows,d),d,j,c,rows);
    lemma pull_v_of_head_frame{L1,L2}: \forall integer causal, masked, scalar *b, integer nq, nk,
      rows, scalar *q, *k, *lse, *g, integer d, n, z, j, c;
      0 <= z < n ==> 0 <= j < nk ==> 0 <= c < d ==> (1 <= rows ==> 1 <= nq) ==> 0 <= rows ==>
      0 <= ix(rows,d,0) ==> 0 <= ix(nk,d,0) ==>
      SameHeads{L1,L2}(q,k,k,q,lse,g,b,n,rows,nq,nk,d) ==>
      PullV{L1}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),lse+ix(z,rows,0),
                g+HeadAt(z,rows,d),d,j,c,rows) ==
      PullV{L2}(causal,masked,b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),lse+ix(z,rows,0),
                g+HeadAt(z,rows,d),d,j,c,rows);
    lemma heads_pull_v_moved{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer nq, nk,
      rows, scalar *q, *k, *lse, *g, *dv, integer d, n;
      0 <= ix(rows,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= rows ==> (1 <= rows ==> 1 <= nq) ==>
      SameHeads{L1,L2}(q,k,k,q,lse,g,b,n,rows,nq,nk,d) ==>
      HeadsPullV{L2,L3}(causal,masked,b,nq,nk,rows,q,k,lse,g,dv,d,n) ==>
      HeadsPullV{L1,L3}(causal,masked,b,nq,nk,rows,q,k,lse,g,dv,d,n);
    lemma heads_pull_v_kept{L1,L2,L3}: \forall integer causal, masked, scalar *b, integer nq, nk,
      rows, scalar *q, *k, *lse, *g, *dv, integer d, n;
      SameRows{L2,L3}(dv,ix(nk,d,0),n) ==>
      HeadsPullV{L1,L2}(causal, masked, b, nq, nk, rows, q, k, lse, g, dv, d, n) ==>
      HeadsPullV{L1,L3}(causal, masked, b, nq, nk, rows, q, k, lse, g, dv, d, n);
*/

/*@ requires 0 <= group && 0 <= kvs && n == ix(kvs,group,0) && OutHeads(dq,n,nq,d);
    requires HeadsIn(q,k,v,y,lse,g,mask,n,nq,kvs,nq,nk,d);
    requires HeadsApart(dq,HeadAt(n,nq,d),q,k,v,y,lse,g,mask,n,nq,kvs,nq,nk,d);
    assigns dq[0 .. HeadAt(n,nq,d)-1];
    ensures HeadsPullQ{Pre,Post}(causal,masked,mask,nq,nk,group,q,k,v,y,lse,g,dq,d,n);
*/
static void pull_q_heads(idx n, idx kvs, idx group, idx nq, idx nk, idx d, int causal, int masked,
                         const double *q, const double *k, const double *v, const double *mask,
                         const double *y, const double *lse, const double *g, double *dq)
{
#define HEADS_N n
#define HEADS_ROWS nq
#define HEADS_KV kv_head(kvs, group, z)
#define HEADS_KVZ kv_of(z, group)
#define HEADS_OUT dq
#define HEADS_SIZE ix(nq, d, 0)
#define HEADS_ARE(n) \
  HeadsPullQ{Pre, Here}(causal, masked, mask, nq, nk, group, q, k, v, y, lse, g, dq, d, n)
#define HEADS_SAME                                                                         \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k + at_kv, ix(nk, d, 0)) &&      \
      Same{Pre, Here}(v + at_kv, ix(nk, d, 0)) && Same{Pre, Here}(q + at, ix(nq, d, 0)) && \
      Same{Pre, Here}(y + at, ix(nq, d, 0)) && Same{Pre, Here}(g + at, ix(nq, d, 0)) &&    \
      Same{Pre, Here}(lse + at_lse, nq) && CellsBelow(z, HEADS_SIZE)
#define HEADS_CALL                                                                                 \
  pull_q_head(nq, nk, d, causal, masked, mask, q + at, k + at_kv, v + at_kv, y + at, lse + at_lse, \
              g + at, dq + at)
#define HEADS_MOVED                                                                     \
  PullsQ{Pre, Here}(causal, masked, mask, nq, nk, q + at, k + at_kv, v + at_kv, y + at, \
                    lse + at_lse, g + at, dq + at, d, nq)
#define HEADS_NEW \
  HeadPullsQ{Pre, Here}(causal, masked, mask, nq, nk, group, q, k, v, y, lse, g, dq, d, z)
#include "attention_heads.inc"
}

/*@ requires HeadsIn(q,k,v,y,lse,g,mask,kvs,rows,kvs,nq,nk,d) && OutHeads(dk,kvs,nk,d);
    requires HeadsApart(dk,HeadAt(kvs,nk,d),q,k,v,y,lse,g,mask,kvs,rows,kvs,nq,nk,d);
    assigns dk[0 .. HeadAt(kvs,nk,d)-1];
    ensures HeadsPullK{Pre,Post}(causal,masked,mask,nq,nk,rows,q,k,v,y,lse,g,dk,d,kvs);
*/
static void pull_k_heads(idx kvs, idx rows, idx nq, idx nk, idx d, int causal, int masked,
                         const double *q, const double *k, const double *v, const double *mask,
                         const double *y, const double *lse, const double *g, double *dk)
{
#define HEADS_N kvs
#define HEADS_ROWS rows
#define HEADS_KV z
#define HEADS_KVZ z
#define HEADS_OUT dk
#define HEADS_SIZE ix(nk, d, 0)
#define HEADS_ARE(n) \
  HeadsPullK{Pre, Here}(causal, masked, mask, nq, nk, rows, q, k, v, y, lse, g, dk, d, n)
#define HEADS_SAME                                                                           \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k + at_kv, ix(nk, d, 0)) &&        \
      Same{Pre, Here}(v + at_kv, ix(nk, d, 0)) && Same{Pre, Here}(q + at, ix(rows, d, 0)) && \
      Same{Pre, Here}(y + at, ix(rows, d, 0)) && Same{Pre, Here}(g + at, ix(rows, d, 0)) &&  \
      Same{Pre, Here}(lse + at_lse, rows)
#define HEADS_CALL                                                                         \
  pull_k_head(rows, nq, nk, d, causal, masked, mask, q + at, k + at_kv, v + at_kv, y + at, \
              lse + at_lse, g + at, dk + at_kv)
#define HEADS_MOVED                                                                     \
  PullsK{Pre, Here}(causal, masked, mask, nq, nk, q + at, k + at_kv, v + at_kv, y + at, \
                    lse + at_lse, g + at, dk + at_kv, d, rows, nk)
#define HEADS_NEW \
  HeadPullsK{Pre, Here}(causal, masked, mask, nq, nk, rows, q, k, v, y, lse, g, dk, d, z)
#include "attention_heads.inc"
}

/*@ requires HeadsIn(q,k,k,q,lse,g,mask,kvs,rows,kvs,nq,nk,d) && OutHeads(dv,kvs,nk,d);
    requires HeadsApart(dv,HeadAt(kvs,nk,d),q,k,k,q,lse,g,mask,kvs,rows,kvs,nq,nk,d);
    assigns dv[0 .. HeadAt(kvs,nk,d)-1];
    ensures HeadsPullV{Pre,Post}(causal,masked,mask,nq,nk,rows,q,k,lse,g,dv,d,kvs);
*/
static void pull_v_heads(idx kvs, idx rows, idx nq, idx nk, idx d, int causal, int masked,
                         const double *q, const double *k, const double *mask, const double *lse,
                         const double *g, double *dv)
{
#define HEADS_N kvs
#define HEADS_ROWS rows
#define HEADS_KV z
#define HEADS_KVZ z
#define HEADS_OUT dv
#define HEADS_SIZE ix(nk, d, 0)
#define HEADS_ARE(n) \
  HeadsPullV{Pre, Here}(causal, masked, mask, nq, nk, rows, q, k, lse, g, dv, d, n)
#define HEADS_SAME                                                                          \
  Same{Pre, Here}(mask, ix(nq, nk, 0)) && Same{Pre, Here}(k + at_kv, ix(nk, d, 0)) &&       \
      Same{Pre, Here}(q + at, ix(rows, d, 0)) && Same{Pre, Here}(g + at, ix(rows, d, 0)) && \
      Same{Pre, Here}(lse + at_lse, rows)
#define HEADS_CALL                                                                            \
  pull_v_head(rows, nq, nk, d, causal, masked, mask, q + at, k + at_kv, lse + at_lse, g + at, \
              dv + at_kv)
#define HEADS_MOVED                                                                        \
  PullsV{Pre, Here}(causal, masked, mask, nq, nk, q + at, k + at_kv, lse + at_lse, g + at, \
                    dv + at_kv, d, rows, nk)
#define HEADS_NEW HeadPullsV{Pre, Here}(causal, masked, mask, nq, nk, rows, q, k, lse, g, dv, d, z)
#include "attention_heads.inc"
}

void ref_sdpa_vjp(idx batch, idx heads, idx kv_heads, idx nq, idx nk, idx d, int causal, int masked,
                  const double *q, const double *k, const double *v, const double *mask,
                  const double *y, const double *lse, const double *g, double *dq, double *dk,
                  double *dv)
{
  idx group = group_size(heads, kv_heads), n = size2(batch, heads), kvs = size2(batch, kv_heads);
  //@ assert groups: n == ix(kvs,group,0);
  pull_q_heads(n, kvs, group, nq, nk, d, causal, masked, q, k, v, mask, y, lse, g, dq);
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
  pull_k_heads(kvs, rows, nq, nk, d, causal, masked, q, k, v, mask, y, lse, g, dk);
  /*@ assert inputs_still: Same{Pre,Here}(q,HeadAt(n,nq,d)) && Same{Pre,Here}(y,HeadAt(n,nq,d)) &&
        Same{Pre,Here}(g,HeadAt(n,nq,d)) && Same{Pre,Here}(lse,ix(n,nq,0)) &&
        Same{Pre,Here}(k,HeadAt(kvs,nk,d)) && Same{Pre,Here}(v,HeadAt(kvs,nk,d)) &&
        Same{Pre,Here}(mask,ix(nq,nk,0)); */
  //@ assert still: SameHeads{Pre,Here}(q,k,v,y,lse,g,mask,kvs,rows,nq,nk,d);
  //@ assert of_v: SameHeads{Pre,Here}(q,k,k,q,lse,g,mask,kvs,rows,nq,nk,d);
  //@ assert stays: Same{L1,Here}(dq,HeadAt(n,nq,d));
  //@ assert rows_q: SameRows{L1,Here}(dq,ix(nq,d,0),n);
  /*@ assert out_q: HeadsPullQ{Pre,Here}(causal,masked,mask,nq,nk,group,q,k,v,y,lse,g,dq,
                                     d,n); */
  /*@ assert out_k: HeadsPullK{Pre,Here}(causal,masked,mask,nq,nk,rows,q,k,v,y,lse,g,dk,
                                     d,kvs); */
  //@ ghost L2: ;
  pull_v_heads(kvs, rows, nq, nk, d, causal, masked, q, k, mask, lse, g, dv);
  //@ assert stay: Same{L2,Here}(dq,HeadAt(n,nq,d)) && Same{L2,Here}(dk,HeadAt(kvs,nk,d));
  //@ assert rows_2: SameRows{L2,Here}(dq,ix(nq,d,0),n);
  //@ assert rows_3: SameRows{L2,Here}(dk,ix(nk,d,0),kvs);
  /*@ assert end_q: HeadsPullQ{Pre,Here}(causal,masked,mask,nq,nk,group,q,k,v,y,lse,g,dq,
                                     d,n); */
  /*@ assert end_k: HeadsPullK{Pre,Here}(causal,masked,mask,nq,nk,rows,q,k,v,y,lse,g,dk,
                                     d,kvs); */
  //@ assert end_v: HeadsPullV{Pre,Here}(causal,masked,mask,nq,nk,rows,q,k,lse,g,dv,d,kvs);
}
