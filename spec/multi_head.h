/* Attention over several heads, with its projections: q = x wq, k = x wk and v = x wv, split into
 * heads; o = softmax(c q k' + mask) v, head by head (spec/attention.h); y = o wo, the heads of o side
 * by side. What is here is products of matrices that lie in memory in one way or another. */
#ifndef SPEC_MULTI_HEAD_H
#define SPEC_MULTI_HEAD_H
#include "attention_vjp.h"
#include "walk.h"

/* A matrix of batch * n rows and heads * d columns that lies in heads, (batch, heads, n, d): row
 * b n + t and column h d + c meet at [b][h][t][c]. One batch and one head make it row-major. Or that
 * matrix turned, its columns for rows. */
typedef struct view {
  idx batch, heads, n, d;
  int turned;
} view;

/*@ axiomatic ViewInHeads {
      logic view InHeads(integer batch, integer heads, integer n, integer d) reads \nothing;
      axiom in_heads_def: \forall integer batch, heads, n, d; 0 <= batch <= IDX_LIM ==>
        0 <= heads <= IDX_LIM ==> 0 <= n <= IDX_LIM ==> 0 <= d <= IDX_LIM ==>
        InHeads(batch,heads,n,d).batch == batch && InHeads(batch,heads,n,d).heads == heads &&
        InHeads(batch,heads,n,d).n == n && InHeads(batch,heads,n,d).d == d &&
        InHeads(batch,heads,n,d).turned == 0;
    }
    // (m, n), row-major
    logic view Flat(integer m, integer n) = InHeads(1,1,m,n);
    axiomatic ViewTurned {
      logic view Turned(view V) reads \nothing;
      axiom turned_def: \forall view V; Turned(V).batch == V.batch &&
        Turned(V).heads == V.heads && Turned(V).n == V.n && Turned(V).d == V.d &&
        Turned(V).turned == (V.turned != 0 ? 0 : 1);
    }
    axiomatic ViewRows {
      logic integer ViewRows(view V) reads \nothing;
      axiom view_rows_def: \forall view V;
        ViewRows(V) == (V.turned != 0 ? ix(V.heads,V.d,0) : ix(V.batch,V.n,0));
    }
    axiomatic ViewCols {
      logic integer ViewCols(view V) reads \nothing;
      axiom view_cols_def: \forall view V;
        ViewCols(V) == (V.turned != 0 ? ix(V.batch,V.n,0) : ix(V.heads,V.d,0));
    }
    axiomatic ViewSize {
      logic integer ViewSize(view V) reads \nothing;
      axiom view_size_def: \forall view V;
        ViewSize(V) == ix(ix(V.batch,V.heads,0),ix(V.n,V.d,0),0);
    }
    // where row r and column p of such a matrix meet, and element (i,j) of a view
    logic integer Place(integer heads, integer n, integer d, integer r, integer p) =
      ix(ix(quo(r,n),heads,quo(p,d)), ix(n,d,0), ix(rem(r,n),d,rem(p,d)));
    axiomatic Cell {
      logic integer cell(view V, integer i, integer j) reads \nothing;
      axiom cell_def: \forall view V, integer i, j; cell(V,i,j) ==
        (V.turned != 0 ? Place(V.heads,V.n,V.d,j,i) : Place(V.heads,V.n,V.d,i,j));
    }
    // one that memory can have
    predicate WellView(view V) =
      0 <= V.batch && 0 <= V.heads && 0 <= V.n && 0 <= V.d &&
      0 <= ix(V.batch,V.n,0) <= IDX_LIM && 0 <= ix(V.heads,V.d,0) <= IDX_LIM &&
      0 <= ix(V.batch,V.heads,0) <= IDX_LIM && 0 <= ix(V.n,V.d,0) <= IDX_LIM &&
      0 <= ix(ix(V.batch,V.heads,0),ix(V.n,V.d,0),0) <= IDX_LIM;
    // C = A B has a meaning
    predicate Fits(view A, view B, view C) =
      ViewRows(C) == ViewRows(A) && ViewCols(C) == ViewCols(B) && ViewCols(A) == ViewRows(B);

    lemma some_of_some: \forall integer m, n, r; 0 <= n ==> 0 <= r < ix(m,n,0) ==> 0 < n;
    lemma parts_in_range: \forall integer m, n, r; 0 <= n ==> 0 <= r < ix(m,n,0) ==>
      0 <= quo(r,n) < m && 0 <= rem(r,n) < n && ix(quo(r,n),n,rem(r,n)) == r;
    lemma parts_of: \forall integer b, n, t; 0 <= b ==> 0 <= t < n ==>
      quo(ix(b,n,t),n) == b && rem(ix(b,n,t),n) == t;
    lemma head_of_place: \forall integer batch, heads, n, d, r, p; 0 <= n ==> 0 <= d ==>
      0 <= r < ix(batch,n,0) ==> 0 <= p < ix(heads,d,0) ==>
      0 <= ix(quo(r,n),heads,quo(p,d)) < ix(batch,heads,0);
    lemma place_in_head: \forall integer batch, heads, n, d, r, p; 0 <= n ==> 0 <= d ==>
      0 <= r < ix(batch,n,0) ==> 0 <= p < ix(heads,d,0) ==>
      0 <= ix(rem(r,n),d,rem(p,d)) < ix(n,d,0);
    lemma place_of_parts: \forall integer batch, heads, n, d, r, p;
      0 <= ix(quo(r,n),heads,quo(p,d)) < ix(batch,heads,0) ==>
      0 <= ix(rem(r,n),d,rem(p,d)) < ix(n,d,0) ==>
      0 <= Place(heads,n,d,r,p) < ix(ix(batch,heads,0),ix(n,d,0),0);
    lemma place_range: \forall integer batch, heads, n, d, r, p; 0 <= n ==> 0 <= d ==>
      0 <= r < ix(batch,n,0) ==> 0 <= p < ix(heads,d,0) ==>
      0 <= Place(heads,n,d,r,p) < ix(ix(batch,heads,0),ix(n,d,0),0);
    lemma place_inj: \forall integer batch, heads, n, d, r, p, r2, p2; 0 <= n ==> 0 <= d ==>
      0 <= r < ix(batch,n,0) ==> 0 <= p < ix(heads,d,0) ==>
      0 <= r2 < ix(batch,n,0) ==> 0 <= p2 < ix(heads,d,0) ==>
      Place(heads,n,d,r,p) == Place(heads,n,d,r2,p2) ==> r == r2 && p == p2;
    lemma cell_range: \forall view V, integer i, j; WellView(V) ==> 0 <= i < ViewRows(V) ==>
      0 <= j < ViewCols(V) ==> 0 <= cell(V,i,j) < ViewSize(V);
    lemma cell_inj: \forall view V, integer i, j, i2, j2; WellView(V) ==> 0 <= i < ViewRows(V) ==>
      0 <= j < ViewCols(V) ==> 0 <= i2 < ViewRows(V) ==> 0 <= j2 < ViewCols(V) ==>
      cell(V,i,j) == cell(V,i2,j2) ==> i == i2 && j == j2;
    lemma place_flat: \forall integer m, n, r, p; 0 <= r < m ==> 0 <= p < n ==>
      Place(1,m,n,r,p) == ix(r,n,p);
    lemma cell_flat: \forall integer m, n, i, j; m <= IDX_LIM ==> n <= IDX_LIM ==>
      0 <= i < m ==> 0 <= j < n ==> cell(Flat(m,n),i,j) == ix(i,n,j);
    lemma cell_turned: \forall view V, integer i, j; cell(Turned(V),i,j) == cell(V,j,i);
    // the row and the column that element (t,c) of head z is of
    logic integer RowOf(integer heads, integer n, integer z, integer t) = ix(quo(z,heads),n,t);
    logic integer ColOf(integer heads, integer d, integer z, integer c) = ix(rem(z,heads),d,c);
    lemma row_of_range: \forall integer batch, heads, n, z, t; 0 <= heads ==>
      0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= RowOf(heads,n,z,t) < ix(batch,n,0);
    lemma col_of_range: \forall integer batch, heads, d, z, c; 0 <= heads ==>
      0 <= z < ix(batch,heads,0) ==> 0 <= c < d ==> 0 <= ColOf(heads,d,z,c) < ix(heads,d,0);
    lemma place_of: \forall integer batch, heads, n, d, z, t, c; 0 <= heads ==>
      0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
      Place(heads,n,d,RowOf(heads,n,z,t),ColOf(heads,d,z,c)) == ix(z,ix(n,d,0),ix(t,d,c));
    lemma cell_in_heads: \forall integer batch, heads, n, d, z, t, c;
      0 <= batch <= IDX_LIM ==> 0 <= heads <= IDX_LIM ==> n <= IDX_LIM ==> d <= IDX_LIM ==>
      0 <= z < ix(batch,heads,0) ==> 0 <= t < n ==> 0 <= c < d ==>
      cell(InHeads(batch,heads,n,d),RowOf(heads,n,z,t),ColOf(heads,d,z,c)) ==
      ix(z,ix(n,d,0),ix(t,d,c));

    // sum over s < p of A[i,s] B[s,j]
    logic real ViewDot{L}(scalar *a, view A, scalar *b, view B, integer i, integer j, integer p) =
      p <= 0 ? 0.0 : ViewDot{L}(a,A,b,B,i,j,p-1) + rmul(a[cell(A,i,p-1)], b[cell(B,p-1,j)]);
    // an element that a sum looks at
    lemma cell_frame{L1,L2}: \forall scalar *a, view A, integer i, j; WellView(A) ==>
      0 <= i < ViewRows(A) ==> 0 <= j < ViewCols(A) ==> Same{L1,L2}(a,ViewSize(A)) ==>
      \at(a[cell(A,i,j)],L1) == \at(a[cell(A,i,j)],L2);
    lemma view_dot_next{L1,L2}: \forall integer p, scalar *a, view A, scalar *b, view B,
      integer i, j; WellView(A) ==> WellView(B) ==> 0 <= i < ViewRows(A) ==>
      0 <= j < ViewCols(B) ==> 0 <= p < ViewCols(A) ==> p < ViewRows(B) ==>
      Same{L1,L2}(a,ViewSize(A)) ==> Same{L1,L2}(b,ViewSize(B)) ==>
      ViewDot{L1}(a,A,b,B,i,j,p) == ViewDot{L2}(a,A,b,B,i,j,p) ==>
      ViewDot{L1}(a,A,b,B,i,j,p+1) == ViewDot{L2}(a,A,b,B,i,j,p+1);
    lemma view_dot_frame{L1,L2}: \forall integer p, scalar *a, view A, scalar *b, view B,
      integer i, j; WellView(A) ==> WellView(B) ==> 0 <= i < ViewRows(A) ==>
      0 <= j < ViewCols(B) ==> p <= ViewCols(A) ==> p <= ViewRows(B) ==>
      Same{L1,L2}(a,ViewSize(A)) ==> Same{L1,L2}(b,ViewSize(B)) ==>
      ViewDot{L1}(a,A,b,B,i,j,p) == ViewDot{L2}(a,A,b,B,i,j,p);
    // ---- of the op: q, k, v, o and their like (batch, heads, n, d), x and its like (batch, n, width)
    // element (t,c) of head z of x w, w read as W
    logic real MhaHead{L}(scalar *x, scalar *w, view W, integer batch, integer heads, integer n,
                          integer width, integer d, integer z, integer t, integer c) =
      ViewDot{L}(x,Flat(ix(batch,n,0),width),w,W,RowOf(heads,n,z,t),ColOf(heads,d,z,c),width);
    // element (i,j) of o w, the heads of o side by side, w read as W
    logic real MhaJoin{L}(scalar *o, scalar *w, view W, integer batch, integer heads, integer n,
                          integer d, integer i, integer j) =
      ViewDot{L}(o,InHeads(batch,heads,n,d),w,W,i,j,ix(heads,d,0));
    // element (i,j) of o' x, i counting the columns of o, j those of x
    logic real MhaGram{L}(scalar *o, scalar *x, integer batch, integer heads, integer n,
                          integer width, integer d, integer i, integer j) =
      ViewDot{L}(o,Turned(InHeads(batch,heads,n,d)),x,Flat(ix(batch,n,0),width),i,j,ix(batch,n,0));
    // element (i,j) of dx
    logic real MhaDx{L}(scalar *dq, scalar *dk, scalar *dv, scalar *wq, scalar *wk, scalar *wv,
                        integer batch, integer heads, integer kv_heads, integer n, integer width,
                        integer d, integer i, integer j) =
      MhaJoin{L}(dq,wq,Turned(Flat(width,ix(heads,d,0))),batch,heads,n,d,i,j) +
      MhaJoin{L}(dk,wk,Turned(Flat(width,ix(kv_heads,d,0))),batch,kv_heads,n,d,i,j) +
      MhaJoin{L}(dv,wv,Turned(Flat(width,ix(kv_heads,d,0))),batch,kv_heads,n,d,i,j);
    // attention's elements (t,c) of head z, of n queries and as many keys: o, lse, dq, dk and dv
    logic real MhaSdpa{L}(integer causal, integer masked, scalar *b, integer n, integer d,
                          integer group, scalar *q, scalar *k, scalar *v, integer z, integer t,
                          integer c) =
      Sdpa{L}(causal,masked,b,n,n,q+ix(z,ix(n,d,0),0),k+ix(kv_of(z,group),ix(n,d,0),0),
              v+ix(kv_of(z,group),ix(n,d,0),0),d,t,c);
    logic real MhaLse{L}(integer causal, integer masked, scalar *b, integer n, integer d,
                         integer group, scalar *q, scalar *k, integer z, integer t) =
      SdpaLse{L}(causal,masked,b,n,n,q+ix(z,ix(n,d,0),0),k+ix(kv_of(z,group),ix(n,d,0),0),d,t);
    logic real MhaPullQ{L}(integer causal, integer masked, scalar *b, integer n, integer d,
                           integer group, scalar *q, scalar *k, scalar *v, scalar *o, scalar *lse,
                           scalar *go, integer z, integer t, integer c) =
      SdpaVjpQ{L}(causal,masked,b,n,n,q+ix(z,ix(n,d,0),0),k+ix(kv_of(z,group),ix(n,d,0),0),
                  v+ix(kv_of(z,group),ix(n,d,0),0),o+ix(z,ix(n,d,0),0),lse+ix(z,n,0),
                  go+ix(z,ix(n,d,0),0),d,t,c);
    // rows: group * n, of the queries that read KV head z
    logic real MhaPullK{L}(integer causal, integer masked, scalar *b, integer n, integer d,
                           integer rows, scalar *q, scalar *k, scalar *v, scalar *o, scalar *lse,
                           scalar *go, integer z, integer t, integer c) =
      PullK{L}(causal,masked,b,n,n,q+ix(z,ix(rows,d,0),0),k+ix(z,ix(n,d,0),0),
               v+ix(z,ix(n,d,0),0),o+ix(z,ix(rows,d,0),0),lse+ix(z,rows,0),
               go+ix(z,ix(rows,d,0),0),d,t,c,rows);
    logic real MhaPullV{L}(integer causal, integer masked, scalar *b, integer n, integer d,
                           integer rows, scalar *q, scalar *k, scalar *lse, scalar *go, integer z,
                           integer t, integer c) =
      PullV{L}(causal,masked,b,n,n,q+ix(z,ix(rows,d,0),0),k+ix(z,ix(n,d,0),0),lse+ix(z,rows,0),
               go+ix(z,ix(rows,d,0),0),d,t,c,rows);
*/
#endif
