/* Error bounds of the cotangents of attention's inputs and weights, over several heads. */
#include "multi_head_grads_pair.h"

/* What dx is off by. */
/*@ requires MhaSizes(batch,heads,kv_heads,n,width,d) && Out2(e_dx,ix(batch,n,0),width);
    requires Heads(dq,ix(batch,heads,0),n,d) && Heads(dk,ix(batch,kv_heads,0),n,d);
    requires Heads(dv,ix(batch,kv_heads,0),n,d) && In2(wq,width,ix(heads,d,0));
    requires Heads(e_dq,ix(batch,heads,0),n,d) && Heads(e_dk,ix(batch,kv_heads,0),n,d);
    requires Heads(e_dv,ix(batch,kv_heads,0),n,d);
    requires In2(wk,width,ix(kv_heads,d,0)) && In2(wv,width,ix(kv_heads,d,0));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),dq,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),dk,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),dv,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),e_dq,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),e_dk,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),e_dv,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),wq,ix(width,ix(heads,d,0),0));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),wk,ix(width,ix(kv_heads,d,0),0));
    requires Sep(e_dx,ix(ix(batch,n,0),width,0),wv,ix(width,ix(kv_heads,d,0),0));
    assigns e_dx[0 .. ix(ix(batch,n,0),width,0)-1];
    ensures MhaDxErrorIs{Pre,Post}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,
                                   e_dx,ix(batch,n,0));
    ensures Beside{Pre,Post}(e_dx,ix(ix(batch,n,0),width,0));
*/
static void bound_inputs(arith A, idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                         const double *dq, const double *dk, const double *dv, const double *e_dq,
                         const double *e_dk, const double *e_dv, const double *wq, const double *wk,
                         const double *wv, double *e_dx)
{
  view Tq = turned(flat(width, size2(heads, d))), Tk = turned(flat(width, size2(kv_heads, d)));
  view Q = in_heads(batch, heads, n, d), K = in_heads(batch, kv_heads, n, d);
  idx m = size2(batch, n);
  double of_q = (double)view_cols(Q), of_k = (double)view_cols(K), terms = of_q + of_k + of_k;
  /*@ loop invariant 0 <= i <= m;
      loop invariant MhaDxErrorIs{Pre,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,
                                            e_dx,i);
      loop assigns i, e_dx[0 .. ix(m,width,0)-1];
      loop variant m - i;
  */
  for (idx i = 0; i < m; i++) {
    /*@ loop invariant 0 <= j <= width;
        loop invariant MhaDxErrorIs{Pre,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,
                                              e_dx,i);
        loop invariant MhaDxErrorRowIs{Pre,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,
                                                 kv_heads,n,width,d,e_dx,i,j);
        loop assigns j, e_dx[0 .. ix(m,width,0)-1];
        loop variant width - j;
    */
    for (idx j = 0; j < width; j++) {
      //@ assert same_q: Same{Pre,Here}(dq,ViewSize(Q)) && Same{Pre,Here}(wq,ViewSize(Tq));
      //@ assert same_k: Same{Pre,Here}(dk,ViewSize(K)) && Same{Pre,Here}(wk,ViewSize(Tk));
      //@ assert same_v: Same{Pre,Here}(dv,ViewSize(K)) && Same{Pre,Here}(wv,ViewSize(Tk));
      /*@ assert same_e: Same{Pre,Here}(e_dq,ViewSize(Q)) && Same{Pre,Here}(e_dk,ViewSize(K)) &&
            Same{Pre,Here}(e_dv,ViewSize(K)); */
      dots a = view_dots(1, dq, e_dq, Q, wq, Tq, i, j);
      dots b = view_dots(1, dk, e_dk, K, wk, Tk, i, j);
      dots c = view_dots(1, dv, e_dv, K, wv, Tk, i, j);
      double dot = a.dot + b.dot + c.dot, abs = a.abs + b.abs + c.abs;
      double more = a.more + b.more + c.more;
      //@ assert a_is: a.dot == ViewDot{Pre}(dq,Q,wq,Tq,i,j,ViewCols(Q));
      //@ assert b_is: b.dot == ViewDot{Pre}(dk,K,wk,Tk,i,j,ViewCols(K));
      //@ assert c_is: c.dot == ViewDot{Pre}(dv,K,wv,Tk,i,j,ViewCols(K));
      //@ assert dot_is: dot == MhaDx{Pre}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
      //@ assert abs_is: abs == MhaDxAbs{Pre}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
      //@ assert a_more: a.more == ViewMore{Pre}(1,dq,e_dq,Q,wq,Tq,i,j,ViewCols(Q));
      //@ assert b_more: b.more == ViewMore{Pre}(1,dk,e_dk,K,wk,Tk,i,j,ViewCols(K));
      //@ assert c_more: c.more == ViewMore{Pre}(1,dv,e_dv,K,wv,Tk,i,j,ViewCols(K));
      /*@ assert more_is: more == MhaDxMore{Pre}(dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,
                                                 kv_heads,n,width,d,i,j); */
      double e = view_dot_error(A, dot, abs, more, terms);
      /*@ assert e_is: e == MhaDxError{Pre}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,
                                            i,j); */
      idx at = at2(m, width, i, j);
      //@ assert behind: ix(i,width,0) <= at < ix(m,width,0);
      //@ ghost Before: ;
      e_dx[at] = e;
      //@ assert rows: Same{Before,Here}(e_dx,ix(i,width,0));
      /*@ assert before: MhaDxErrorRowIs{Pre,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,
                                                    kv_heads,n,width,d,e_dx,i,j); */
    }
    /*@ assert row: MhaDxErrorRowIs{Pre,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,
                                              kv_heads,n,width,d,e_dx,i,width); */
  }
}

/* What o' x, (heads d, width), is off by, o off by e where off is not 0. */
/*@ requires MhaGramSizes(batch,heads,n,width,d) && Out2(c,ix(heads,d,0),width);
    requires Heads(o,ix(batch,heads,0),n,d) && Heads(e,ix(batch,heads,0),n,d);
    requires In2(x,ix(batch,n,0),width) && Sep(c,ix(ix(heads,d,0),width,0),x,ix(ix(batch,n,0),width,0));
    requires Sep(c,ix(ix(heads,d,0),width,0),o,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(c,ix(ix(heads,d,0),width,0),e,HeadAt(ix(batch,heads,0),n,d));
    assigns c[0 .. ix(ix(heads,d,0),width,0)-1];
    ensures MhaGramErrorsAre{Pre,Post}(A,off,o,e,x,batch,heads,n,width,d,c);
    ensures Beside{Pre,Post}(c,ix(ix(heads,d,0),width,0));
*/
static void gram_errors(arith A, int off, idx batch, idx heads, idx n, idx width, idx d,
                        const double *o, const double *e, const double *x, double *c)
{
  view_errors(A, off, o, e, turned(in_heads(batch, heads, n, d)), x, flat(size2(batch, n), width),
              c, flat(size2(heads, d), width));
}

/* What x' o, (width, heads d), is off by. */
/*@ requires MhaGramSizes(batch,heads,n,width,d) && Out2(c,width,ix(heads,d,0));
    requires Heads(o,ix(batch,heads,0),n,d) && Heads(e,ix(batch,heads,0),n,d);
    requires In2(x,ix(batch,n,0),width) && Sep(c,ix(width,ix(heads,d,0),0),x,ix(ix(batch,n,0),width,0));
    requires Sep(c,ix(width,ix(heads,d,0),0),o,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(c,ix(width,ix(heads,d,0),0),e,HeadAt(ix(batch,heads,0),n,d));
    assigns c[0 .. ix(width,ix(heads,d,0),0)-1];
    ensures MhaMargErrorsAre{Pre,Post}(A,off,o,e,x,batch,heads,n,width,d,c);
    ensures Beside{Pre,Post}(c,ix(width,ix(heads,d,0),0));
*/
static void marg_errors(arith A, int off, idx batch, idx heads, idx n, idx width, idx d,
                        const double *o, const double *e, const double *x, double *c)
{
  view_errors(A, off, o, e, turned(in_heads(batch, heads, n, d)), x, flat(size2(batch, n), width),
              c, turned(flat(width, size2(heads, d))));
}

void mha_grad_errors(arith A, idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                     const double *dq, const double *dk, const double *dv, const double *e_dq,
                     const double *e_dk, const double *e_dv, const double *wq, const double *wk,
                     const double *wv, const double *o, const double *x, const double *g,
                     double *e_dx, double *e_dwq, double *e_dwk, double *e_dwv, double *e_dwo)
{
#define STAY(L)                                                    \
  Same{L, Here}(dq, HeadAt(ix(batch, heads, 0), n, d)) &&          \
      Same{L, Here}(dk, HeadAt(ix(batch, kv_heads, 0), n, d)) &&   \
      Same{L, Here}(dv, HeadAt(ix(batch, kv_heads, 0), n, d)) &&   \
      Same{L, Here}(e_dq, HeadAt(ix(batch, heads, 0), n, d)) &&    \
      Same{L, Here}(e_dk, HeadAt(ix(batch, kv_heads, 0), n, d)) && \
      Same{L, Here}(e_dv, HeadAt(ix(batch, kv_heads, 0), n, d)) && \
      Same{L, Here}(wq, ix(width, ix(heads, d, 0), 0)) &&          \
      Same{L, Here}(wk, ix(width, ix(kv_heads, d, 0), 0)) &&       \
      Same{L, Here}(wv, ix(width, ix(kv_heads, d, 0), 0)) &&       \
      Same{L, Here}(o, HeadAt(ix(batch, heads, 0), n, d)) &&       \
      Same{L, Here}(x, ix(ix(batch, n, 0), width, 0)) &&           \
      Same{L, Here}(g, ix(ix(batch, n, 0), width, 0))
  bound_inputs(A, batch, heads, kv_heads, n, width, d, dq, dk, dv, e_dq, e_dk, e_dv, wq, wk, wv,
               e_dx);
  //@ ghost L1: ;
  //@ assert stay_1: STAY(Pre);
  marg_errors(A, 1, batch, heads, n, width, d, dq, e_dq, x, e_dwq);
  //@ ghost L2: ;
  //@ assert step_2: STAY(L1);
  //@ assert stay_2: STAY(Pre);
  //@ assert e_dx_2: Same{L1,L2}(e_dx,ix(ix(batch,n,0),width,0));
  marg_errors(A, 1, batch, kv_heads, n, width, d, dk, e_dk, x, e_dwk);
  //@ ghost L3: ;
  //@ assert step_3: STAY(L2);
  //@ assert stay_3: STAY(Pre);
  //@ assert e_dx_3: Same{L2,L3}(e_dx,ix(ix(batch,n,0),width,0));
  //@ assert e_dwq_3: Same{L2,L3}(e_dwq,ix(width,ix(heads,d,0),0));
  marg_errors(A, 1, batch, kv_heads, n, width, d, dv, e_dv, x, e_dwv);
  //@ ghost L4: ;
  //@ assert step_4: STAY(L3);
  //@ assert stay_4: STAY(Pre);
  //@ assert e_dx_4: Same{L3,L4}(e_dx,ix(ix(batch,n,0),width,0));
  //@ assert e_dwq_4: Same{L3,L4}(e_dwq,ix(width,ix(heads,d,0),0));
  //@ assert e_dwk_4: Same{L3,L4}(e_dwk,ix(width,ix(kv_heads,d,0),0));
  gram_errors(A, 0, batch, heads, n, width, d, o, o, g, e_dwo);
  //@ assert step_5: STAY(L4);
  //@ assert stay_5: STAY(Pre);
  //@ assert e_dx_5: Same{L4,Here}(e_dx,ix(ix(batch,n,0),width,0));
  //@ assert e_dwq_5: Same{L4,Here}(e_dwq,ix(width,ix(heads,d,0),0));
  //@ assert e_dwk_5: Same{L4,Here}(e_dwk,ix(width,ix(kv_heads,d,0),0));
  //@ assert e_dwv_5: Same{L4,Here}(e_dwv,ix(width,ix(kv_heads,d,0),0));
  //@ assert e_dx_kept: Same{L1,Here}(e_dx,ix(ix(batch,n,0),width,0));
  //@ assert e_dwq_kept: Same{L2,Here}(e_dwq,ix(width,ix(heads,d,0),0));
  //@ assert e_dwk_kept: Same{L3,Here}(e_dwk,ix(width,ix(kv_heads,d,0),0));
  /*@ assert dx_same: MhaDxSame{Pre,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d) &&
        MhaDxSame{Pre,Here}(e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,kv_heads,n,width,d); */
  /*@ assert e_dx_kept_too: MhaDxErrorIs{Pre,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,
                                                   kv_heads,n,width,d,e_dx,ix(batch,n,0)); */
  /*@ assert e_dx_is: MhaDxErrorIs{Here,Here}(A,dq,dk,dv,e_dq,e_dk,e_dv,wq,wk,wv,batch,heads,
                                              kv_heads,n,width,d,e_dx,ix(batch,n,0)); */
  /*@ assert weights: MhaGramErrorsSame{L1,Here}(A,1,dq,e_dq,x,batch,heads,n,width,d) &&
        MhaGramErrorsSame{L2,Here}(A,1,dk,e_dk,x,batch,kv_heads,n,width,d) &&
        MhaGramErrorsSame{L3,Here}(A,1,dv,e_dv,x,batch,kv_heads,n,width,d) &&
        MhaGramErrorsSame{L4,Here}(A,0,o,o,g,batch,heads,n,width,d); */
  //@ assert e_dwq_is: MhaMargErrorsAre{Here,Here}(A,1,dq,e_dq,x,batch,heads,n,width,d,e_dwq);
  //@ assert e_dwk_is: MhaMargErrorsAre{Here,Here}(A,1,dk,e_dk,x,batch,kv_heads,n,width,d,e_dwk);
  //@ assert e_dwv_is: MhaMargErrorsAre{Here,Here}(A,1,dv,e_dv,x,batch,kv_heads,n,width,d,e_dwv);
  //@ assert e_dwo_is: MhaGramErrorsAre{Here,Here}(A,0,o,o,g,batch,heads,n,width,d,e_dwo);
#undef STAY
}
