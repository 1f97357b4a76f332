/* What the VJP of attention and its bounds require: their inputs, and that an output is apart. */
#ifndef REF_ATTENTION_APART_H
#define REF_ATTENTION_APART_H
#include "attention_row.h"
#include "attention_vjp.h"

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
    // n heads of `rows` rows of queries read kvs heads of nk keys
    predicate HeadsIn{L}(scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse, scalar *g,
                         scalar *b, integer n, integer rows, integer kvs, integer nq, integer nk,
                         integer d) =
      Heads{L}(q,n,rows,d) && Heads{L}(y,n,rows,d) && Heads{L}(g,n,rows,d) && In2{L}(lse,n,rows) &&
      Heads{L}(k,kvs,nk,d) && Heads{L}(v,kvs,nk,d) && In2{L}(b,nq,nk) &&
      (1 <= rows ==> 1 <= nq);
    predicate HeadsApart(scalar *out, integer size, scalar *q, scalar *k, scalar *v, scalar *y,
                         scalar *lse, scalar *g, scalar *b, integer n, integer rows, integer kvs,
                         integer nq, integer nk, integer d) =
      Sep(out,size,q,HeadAt(n,rows,d)) && Sep(out,size,y,HeadAt(n,rows,d)) &&
      Sep(out,size,g,HeadAt(n,rows,d)) && Sep(out,size,lse,ix(n,rows,0)) &&
      Sep(out,size,k,HeadAt(kvs,nk,d)) && Sep(out,size,v,HeadAt(kvs,nk,d)) &&
      Sep(out,size,b,ix(nq,nk,0));
    predicate SameHeads{L1,L2}(scalar *q, scalar *k, scalar *v, scalar *y, scalar *lse, scalar *g,
                               scalar *b, integer n, integer rows, integer nq, integer nk,
                               integer d) =
      Same{L1,L2}(q,HeadAt(n,rows,d)) && Same{L1,L2}(y,HeadAt(n,rows,d)) &&
      Same{L1,L2}(g,HeadAt(n,rows,d)) && Same{L1,L2}(lse,ix(n,rows,0)) &&
      Same{L1,L2}(k,HeadAt(n,nk,d)) && Same{L1,L2}(v,HeadAt(n,nk,d)) && Same{L1,L2}(b,ix(nq,nk,0));
    lemma head_rows_seen{L1,L2}: \forall scalar *q, *k, *v, *y, *lse, *g, *b, integer z, n, rows,
      nq, nk, d; 0 <= z < n ==> 0 <= rows ==> 0 <= ix(rows,d,0) ==> 0 <= ix(nk,d,0) ==>
      SameHeads{L1,L2}(q,k,v,y,lse,g,b,n,rows,nq,nk,d) ==>
      SameRowsSeen{L1,L2}(b,nq,nk,q+HeadAt(z,rows,d),k+HeadAt(z,nk,d),v+HeadAt(z,nk,d),
                          y+HeadAt(z,rows,d),lse+ix(z,rows,0),g+HeadAt(z,rows,d),rows,d);
    // cells of rows before row z are before its first; said where size and stride are one term
    predicate CellsBelow(integer z, integer n) = \forall integer b, c; 0 <= b < z ==>
      0 <= c < n ==> 0 <= ix(b,n,c) < ix(z,n,0);
    lemma cells_below: \forall integer z, n; CellsBelow(z,n);
    // a head's part of what all heads read and write
    lemma head_in{L}: \forall scalar *a, integer n, rows, d, z; 0 <= z < n ==>
      Heads{L}(a,n,rows,d) ==> In2{L}(a+HeadAt(z,rows,d),rows,d);
    lemma head_out{L}: \forall scalar *a, integer n, rows, d, z; 0 <= z < n ==>
      OutHeads{L}(a,n,rows,d) ==> Out2{L}(a+HeadAt(z,rows,d),rows,d);
    lemma head_lse_in{L}: \forall scalar *a, integer n, rows, z; 0 <= z < n ==>
      In2{L}(a,n,rows) ==> In1{L}(a+ix(z,rows,0),rows);
    lemma queries_in_head{L}: \forall scalar *q, *k, *v, *y, *lse, *g, *b, integer n, rows, kvs, nq,
      nk, d, z; 0 <= z < n ==> HeadsIn{L}(q,k,v,y,lse,g,b,n,rows,kvs,nq,nk,d) ==>
      In2{L}(q+HeadAt(z,rows,d),rows,d) && In2{L}(y+HeadAt(z,rows,d),rows,d) &&
      In2{L}(g+HeadAt(z,rows,d),rows,d) && In1{L}(lse+ix(z,rows,0),rows);
    lemma keys_in_head{L}: \forall scalar *q, *k, *v, *y, *lse, *g, *b, integer n, rows, kvs, nq,
      nk, d, kv; 0 <= kv < kvs ==>
      HeadsIn{L}(q,k,v,y,lse,g,b,n,rows,kvs,nq,nk,d) ==>
      In2{L}(k+HeadAt(kv,nk,d),nk,d) && In2{L}(v+HeadAt(kv,nk,d),nk,d);
    lemma rows_in_head{L}: \forall scalar *q, *k, *v, *y, *lse, *g, *b, integer n, rows, kvs, nq,
      nk, d, z, kv; 0 <= z < n ==> 0 <= kv < kvs ==>
      HeadsIn{L}(q,k,v,y,lse,g,b,n,rows,kvs,nq,nk,d) ==>
      In2{L}(q+HeadAt(z,rows,d),rows,d) && In2{L}(k+HeadAt(kv,nk,d),nk,d) &&
      RowsIn{L}(q+HeadAt(z,rows,d),k+HeadAt(kv,nk,d),v+HeadAt(kv,nk,d),y+HeadAt(z,rows,d),
                lse+ix(z,rows,0),g+HeadAt(z,rows,d),b,rows,nq,nk,d);
    lemma head_apart: \forall scalar *out, *q, *k, *v, *y, *lse, *g, *b, integer size, n, rows,
      kvs, nq, nk, d, z, kv, at, m; 0 <= z < n ==> 0 <= kv < kvs ==> 0 <= rows ==>
      0 <= ix(rows,d,0) ==> 0 <= ix(nk,d,0) ==> 0 <= at ==> at + m <= size ==>
      HeadsApart(out,size,q,k,v,y,lse,g,b,n,rows,kvs,nq,nk,d) ==>
      Apart(out+at,m,q+HeadAt(z,rows,d),k+HeadAt(kv,nk,d),v+HeadAt(kv,nk,d),y+HeadAt(z,rows,d),
            lse+ix(z,rows,0),g+HeadAt(z,rows,d),b,rows,nq,nk,d);
    lemma head_of_some: \forall integer n, rows, d; 1 <= n ==> 0 <= ix(rows,d,0) ==>
      ix(rows,d,0) <= HeadAt(n,rows,d);
    lemma rows_of_group: \forall integer n, group, nq; 1 <= n ==> 0 <= group ==> 0 <= nq ==>
      0 <= ix(group,nq,0) <= ix(ix(n,group,0),nq,0);
*/

/* The query that row t of a group's queries is. */
/*@ requires 0 <= t && 1 <= nq;
    assigns \nothing;
    ensures \result == query_of(t,nq) && 0 <= \result < nq;
*/
static inline idx query(idx t, idx nq) { return t % nq; }
#endif
