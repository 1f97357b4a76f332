/* Error bounds of the cotangents of attention's inputs and weights, over several heads. */
#ifndef REF_MULTI_HEAD_GRADS_PAIR_H
#define REF_MULTI_HEAD_GRADS_PAIR_H
#include "multi_head_pair.h"

/*@ // ---- dx
    predicate MhaDxErrorIs{L1,L2}(arith A, scalar *dq, scalar *dk, scalar *dv, scalar *eq,
                                  scalar *ek, scalar *ev, scalar *wq, scalar *wk, scalar *wv,
                                  integer batch, integer heads, integer kv_heads, integer n,
                                  integer width, integer d, scalar *e, integer rows) =
      \forall integer i, j; 0 <= i < rows ==> 0 <= j < width ==> \at(e[ix(i,width,j)],L2) ==
        MhaDxError{L1}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    predicate MhaDxErrorRowIs{L1,L2}(arith A, scalar *dq, scalar *dk, scalar *dv, scalar *eq,
                                     scalar *ek, scalar *ev, scalar *wq, scalar *wk, scalar *wv,
                                     integer batch, integer heads, integer kv_heads, integer n,
                                     integer width, integer d, scalar *e, integer i,
                                     integer cols) =
      \forall integer j; 0 <= j < cols ==> \at(e[ix(i,width,j)],L2) ==
        MhaDxError{L1}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    lemma mha_dx_error_next{L1,L2}: \forall arith A, scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq, *wk,
      *wv, integer batch, heads, kv_heads, n, width, d, scalar *e, integer i;
      MhaDxErrorIs{L1,L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,i) ==>
      MhaDxErrorRowIs{L1,L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,i,
                             width) ==>
      MhaDxErrorIs{L1,L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,i+1);
    // one of dx's three products, and all of them
    lemma mha_abs_frame{L1,L2}: \forall scalar *o, *w, integer batch, heads, n, width, d, i, j;
      MhaHeadSizes(batch,heads,n,width,d) ==> 0 <= HeadAt(ix(batch,heads,0),n,d) <= IDX_LIM ==>
      0 <= ix(width,ix(heads,d,0),0) <= IDX_LIM ==> 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      Same{L1,L2}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(w,ix(width,ix(heads,d,0),0)) ==>
      ViewAbs{L1}(o,InHeads(batch,heads,n,d),w,Turned(Flat(width,ix(heads,d,0))),i,j,ix(heads,d,0)) ==
      ViewAbs{L2}(o,InHeads(batch,heads,n,d),w,Turned(Flat(width,ix(heads,d,0))),i,j,ix(heads,d,0));
    lemma mha_more_frame{L1,L2}: \forall scalar *o, *e, *w, integer batch, heads, n, width, d, i,
      j;
      MhaHeadSizes(batch,heads,n,width,d) ==> 0 <= HeadAt(ix(batch,heads,0),n,d) <= IDX_LIM ==>
      0 <= ix(width,ix(heads,d,0),0) <= IDX_LIM ==> 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      Same{L1,L2}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(e,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(w,ix(width,ix(heads,d,0),0)) ==>
      ViewMore{L1}(1,o,e,InHeads(batch,heads,n,d),w,Turned(Flat(width,ix(heads,d,0))),i,j,ix(heads,d,0)) ==
      ViewMore{L2}(1,o,e,InHeads(batch,heads,n,d),w,Turned(Flat(width,ix(heads,d,0))),i,j,ix(heads,d,0));
    lemma mha_dx_abs_frame{L1,L2}: \forall scalar *dq, *dk, *dv, *wq, *wk, *wv,
      integer batch, heads, kv_heads, n, width, d, i, j;
      MhaDxSizes(batch,heads,kv_heads,n,width,d) ==> 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      MhaDxSame{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxAbs{L1}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDxAbs{L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    lemma mha_dx_more_frame{L1,L2}: \forall scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq, *wk, *wv,
      integer batch, heads, kv_heads, n, width, d, i, j;
      MhaDxSizes(batch,heads,kv_heads,n,width,d) ==> 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      MhaDxSame{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxSame{L1,L2}(eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxMore{L1}(dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDxMore{L2}(dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    // what dx's bound is a function of
    predicate MhaDxSumsSame{L1,L2}(scalar *dq, scalar *dk, scalar *dv, scalar *eq, scalar *ek,
                                   scalar *ev, scalar *wq, scalar *wk, scalar *wv, integer batch,
                                   integer heads, integer kv_heads, integer n, integer width,
                                   integer d, integer i, integer j) =
      MhaDx{L1}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDx{L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) &&
      MhaDxAbs{L1}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDxAbs{L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) &&
      MhaDxMore{L1}(dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDxMore{L2}(dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    lemma mha_dx_sums_frame{L1,L2}: \forall scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq, *wk, *wv,
      integer batch, heads, kv_heads, n, width, d, i, j;
      MhaDxSizes(batch,heads,kv_heads,n,width,d) ==> 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      MhaDxSame{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxSame{L1,L2}(eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxSumsSame{L1,L2}(dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    lemma mha_dx_error_of_sums{L1,L2}: \forall arith A, scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq,
      *wk, *wv, integer batch, heads, kv_heads, n, width, d, i, j;
      MhaDxSumsSame{L1,L2}(dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==>
      MhaDxError{L1}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDxError{L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    lemma mha_dx_error_frame{L1,L2}: \forall arith A, scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq, *wk,
      *wv, integer batch, heads, kv_heads, n, width, d, i, j;
      MhaDxSizes(batch,heads,kv_heads,n,width,d) ==> 0 <= i < ix(batch,n,0) ==> 0 <= j < width ==>
      MhaDxSame{L1,L2}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxSame{L1,L2}(eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxError{L1}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j) ==
      MhaDxError{L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
    lemma mha_dx_error_moved{L1,L2,L3}: \forall arith A, scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq,
      *wk, *wv, integer batch, heads, kv_heads, n, width, d, scalar *e;
      MhaDxSizes(batch,heads,kv_heads,n,width,d) ==>
      MhaDxSame{L1,L3}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxSame{L1,L3}(eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d) ==>
      MhaDxErrorIs{L1,L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,
                          ix(batch,n,0)) ==>
      MhaDxErrorIs{L3,L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,
                          ix(batch,n,0));
    lemma mha_dx_error_kept{L1,L2,L3}: \forall arith A, scalar *dq, *dk, *dv, *eq, *ek, *ev, *wq,
      *wk, *wv, integer batch, heads, kv_heads, n, width, d, scalar *e, integer rows;
      Same{L2,L3}(e,ix(rows,width,0)) ==>
      MhaDxErrorIs{L1,L2}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,rows) ==>
      MhaDxErrorIs{L1,L3}(A,dq,dk,dv,eq,ek,ev,wq,wk,wv,batch,heads,kv_heads,n,width,d,e,rows);

    // ---- the weights
    predicate MhaGramErrorsAre{L1,L2}(arith A, integer off, scalar *o, scalar *e, scalar *x,
                                      integer batch, integer heads, integer n, integer width,
                                      integer d, scalar *c) =
      \forall integer i, j; 0 <= i < ix(heads,d,0) ==> 0 <= j < width ==>
        \at(c[ix(i,width,j)],L2) == MhaGramError{L1}(A,off,o,e,x,batch,heads,n,width,d,i,j);
    predicate MhaMargErrorsAre{L1,L2}(arith A, integer off, scalar *o, scalar *e, scalar *x,
                                      integer batch, integer heads, integer n, integer width,
                                      integer d, scalar *c) =
      \forall integer i, j; 0 <= i < width ==> 0 <= j < ix(heads,d,0) ==>
        \at(c[ix(i,ix(heads,d,0),j)],L2) == MhaGramError{L1}(A,off,o,e,x,batch,heads,n,width,d,j,i);
    lemma mha_gram_error_frame{L1,L2}: \forall arith A, integer off, scalar *o, *e, *x,
      integer batch, heads, n, width, d, i, j; MhaGramSizes(batch,heads,n,width,d) ==>
      0 <= i < ix(heads,d,0) ==> 0 <= j < width ==> Same{L1,L2}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(e,HeadAt(ix(batch,heads,0),n,d)) ==> Same{L1,L2}(x,ix(ix(batch,n,0),width,0)) ==>
      MhaGramError{L1}(A,off,o,e,x,batch,heads,n,width,d,i,j) ==
      MhaGramError{L2}(A,off,o,e,x,batch,heads,n,width,d,i,j);
    predicate MhaGramErrorsSame{L1,L2}(arith A, integer off, scalar *o, scalar *e, scalar *x,
                                       integer batch, integer heads, integer n, integer width,
                                       integer d) =
      \forall integer i, j; 0 <= i < ix(heads,d,0) ==> 0 <= j < width ==>
        MhaGramError{L1}(A,off,o,e,x,batch,heads,n,width,d,i,j) ==
        MhaGramError{L2}(A,off,o,e,x,batch,heads,n,width,d,i,j);
    lemma mha_gram_errors_same{L1,L2}: \forall arith A, integer off, scalar *o, *e, *x,
      integer batch, heads, n, width, d; MhaGramSizes(batch,heads,n,width,d) ==>
      Same{L1,L2}(o,HeadAt(ix(batch,heads,0),n,d)) ==>
      Same{L1,L2}(e,HeadAt(ix(batch,heads,0),n,d)) ==> Same{L1,L2}(x,ix(ix(batch,n,0),width,0)) ==>
      MhaGramErrorsSame{L1,L2}(A,off,o,e,x,batch,heads,n,width,d);
    lemma mha_gram_errors_read{L1,L2,L3}: \forall arith A, integer off, scalar *o, *e, *x,
      integer batch, heads, n, width, d, scalar *c;
      MhaGramErrorsSame{L1,L3}(A,off,o,e,x,batch,heads,n,width,d) ==>
      MhaGramErrorsAre{L1,L2}(A,off,o,e,x,batch,heads,n,width,d,c) ==>
      MhaGramErrorsAre{L3,L2}(A,off,o,e,x,batch,heads,n,width,d,c);
    lemma mha_gram_errors_kept{L1,L2,L3}: \forall arith A, integer off, scalar *o, *e, *x,
      integer batch, heads, n, width, d, scalar *c; Same{L2,L3}(c,ix(ix(heads,d,0),width,0)) ==>
      MhaGramErrorsAre{L1,L2}(A,off,o,e,x,batch,heads,n,width,d,c) ==>
      MhaGramErrorsAre{L1,L3}(A,off,o,e,x,batch,heads,n,width,d,c);
    lemma mha_marg_errors_read{L1,L2,L3}: \forall arith A, integer off, scalar *o, *e, *x,
      integer batch, heads, n, width, d, scalar *c;
      MhaGramErrorsSame{L1,L3}(A,off,o,e,x,batch,heads,n,width,d) ==>
      MhaMargErrorsAre{L1,L2}(A,off,o,e,x,batch,heads,n,width,d,c) ==>
      MhaMargErrorsAre{L3,L2}(A,off,o,e,x,batch,heads,n,width,d,c);
    lemma mha_marg_errors_kept{L1,L2,L3}: \forall arith A, integer off, scalar *o, *e, *x,
      integer batch, heads, n, width, d, scalar *c; Same{L2,L3}(c,ix(width,ix(heads,d,0),0)) ==>
      MhaMargErrorsAre{L1,L2}(A,off,o,e,x,batch,heads,n,width,d,c) ==>
      MhaMargErrorsAre{L1,L3}(A,off,o,e,x,batch,heads,n,width,d,c);
*/

/*@ predicate MhaGradErrorsApart(scalar *out, integer size, integer batch, integer heads,
                                 integer kv_heads, integer n, integer width, integer d, scalar *dq,
                                 scalar *dk, scalar *dv, scalar *e_dq, scalar *e_dk, scalar *e_dv,
                                 scalar *wq, scalar *wk, scalar *wv, scalar *o, scalar *x,
                                 scalar *g) =
      Sep(out,size,dq,HeadAt(ix(batch,heads,0),n,d)) &&
      Sep(out,size,dk,HeadAt(ix(batch,kv_heads,0),n,d)) &&
      Sep(out,size,dv,HeadAt(ix(batch,kv_heads,0),n,d)) &&
      Sep(out,size,e_dq,HeadAt(ix(batch,heads,0),n,d)) &&
      Sep(out,size,e_dk,HeadAt(ix(batch,kv_heads,0),n,d)) &&
      Sep(out,size,e_dv,HeadAt(ix(batch,kv_heads,0),n,d)) &&
      Sep(out,size,wq,ix(width,ix(heads,d,0),0)) &&
      Sep(out,size,wk,ix(width,ix(kv_heads,d,0),0)) &&
      Sep(out,size,wv,ix(width,ix(kv_heads,d,0),0)) &&
      Sep(out,size,o,HeadAt(ix(batch,heads,0),n,d)) &&
      Sep(out,size,x,ix(ix(batch,n,0),width,0)) &&
      Sep(out,size,g,ix(ix(batch,n,0),width,0));
*/

/* What mha_grads' outputs are off by, dq, dk and dv off by e_dq, e_dk and e_dv. */
/*@ requires MhaSizes(batch,heads,kv_heads,n,width,d);
    requires MhaGramSizes(batch,heads,n,width,d) && MhaGramSizes(batch,kv_heads,n,width,d);
    requires MhaDxSizes(batch,heads,kv_heads,n,width,d);
    requires Heads(dq,ix(batch,heads,0),n,d) && Heads(dk,ix(batch,kv_heads,0),n,d);
    requires Heads(dv,ix(batch,kv_heads,0),n,d) && Heads(o,ix(batch,heads,0),n,d);
    requires Heads(e_dq,ix(batch,heads,0),n,d) && Heads(e_dk,ix(batch,kv_heads,0),n,d);
    requires Heads(e_dv,ix(batch,kv_heads,0),n,d);
    requires In2(wq,width,ix(heads,d,0)) && In2(wk,width,ix(kv_heads,d,0));
    requires In2(wv,width,ix(kv_heads,d,0));
    requires In2(x,ix(batch,n,0),width) && In2(g,ix(batch,n,0),width);
    requires Out2(e_dx,ix(batch,n,0),width) && Out2(e_dwq,width,ix(heads,d,0));
    requires Out2(e_dwk,width,ix(kv_heads,d,0)) && Out2(e_dwv,width,ix(kv_heads,d,0));
    requires Out2(e_dwo,ix(heads,d,0),width);
    requires MhaGradErrorsApart(e_dx,ix(ix(batch,n,0),width,0),batch,heads,kv_heads,n,width,d,dq,dk,
                                dv,e_dq,e_dk,e_dv,wq,wk,wv,o,x,g);
    requires MhaGradErrorsApart(e_dwq,ix(width,ix(heads,d,0),0),batch,heads,kv_heads,n,width,d,dq,
                                dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,o,x,g);
    requires MhaGradErrorsApart(e_dwk,ix(width,ix(kv_heads,d,0),0),batch,heads,kv_heads,n,width,d,
                                dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,o,x,g);
    requires MhaGradErrorsApart(e_dwv,ix(width,ix(kv_heads,d,0),0),batch,heads,kv_heads,n,width,d,
                                dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,o,x,g);
    requires MhaGradErrorsApart(e_dwo,ix(ix(heads,d,0),width,0),batch,heads,kv_heads,n,width,d,dq,
                                dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,o,x,g);
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),e_dwq,ix(width,ix(heads,d,0),0));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),e_dwk,ix(width,ix(kv_heads,d,0),0));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),e_dwv,ix(width,ix(kv_heads,d,0),0));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),e_dwo,ix(ix(heads,d,0),width,0));
    requires Sep(e_dwq,ix(width,ix(heads,d,0),0),e_dwk,ix(width,ix(kv_heads,d,0),0));
    requires Sep(e_dwq,ix(width,ix(heads,d,0),0),e_dwv,ix(width,ix(kv_heads,d,0),0));
    requires Sep(e_dwq,ix(width,ix(heads,d,0),0),e_dwo,ix(ix(heads,d,0),width,0));
    requires Sep(e_dwk,ix(width,ix(kv_heads,d,0),0),e_dwv,ix(width,ix(kv_heads,d,0),0));
    requires Sep(e_dwk,ix(width,ix(kv_heads,d,0),0),e_dwo,ix(ix(heads,d,0),width,0));
    requires Sep(e_dwv,ix(width,ix(kv_heads,d,0),0),e_dwo,ix(ix(heads,d,0),width,0));
    terminates \true;
    assigns e_dx[0 .. ix(ix(batch,n,0),width,0)-1], e_dwq[0 .. ix(width,ix(heads,d,0),0)-1],
            e_dwk[0 .. ix(width,ix(kv_heads,d,0),0)-1], e_dwv[0 .. ix(width,ix(kv_heads,d,0),0)-1],
            e_dwo[0 .. ix(ix(heads,d,0),width,0)-1];
    ensures MhaDxErrorIs{Post,Post}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,kv_heads,n,width,
                                    d,e_dx,ix(batch,n,0));
    ensures MhaMargErrorsAre{Post,Post}(A,1,dq,e_dq,x,batch,heads,n,width,d,e_dwq);
    ensures MhaMargErrorsAre{Post,Post}(A,1,dk,e_dk,x,batch,kv_heads,n,width,d,e_dwk);
    ensures MhaMargErrorsAre{Post,Post}(A,1,dv,e_dv,x,batch,kv_heads,n,width,d,e_dwv);
    ensures MhaGramErrorsAre{Post,Post}(A,0,o,o,g,batch,heads,n,width,d,e_dwo);
    ensures MhaGradsBeside{Pre,Post}(batch,heads,kv_heads,n,width,d,e_dx,e_dwq,e_dwk,e_dwv,e_dwo);
*/
void mha_grad_errors(arith A, idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                     const double *dq, const double *dk, const double *dv, const double *e_dq,
                     const double *e_dk, const double *e_dv, const double *wq, const double *wk,
                     const double *wv, const double *o, const double *x, const double *g,
                     double *e_dx, double *e_dwq, double *e_dwk, double *e_dwv, double *e_dwo);
#endif
