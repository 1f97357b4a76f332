/* The cotangents of attention's inputs and weights, over several heads. */
#include "multi_head_products.h"

/* dx = dq wq' + dk wk' + dv wv' */
/*@ requires MhaSizes(batch,heads,kv_heads,n,width,d) && Out2(dx,ix(batch,n,0),width);
    requires Heads(dq,ix(batch,heads,0),n,d) && Heads(dk,ix(batch,kv_heads,0),n,d);
    requires Heads(dv,ix(batch,kv_heads,0),n,d) && In2(wq,width,ix(heads,d,0));
    requires In2(wk,width,ix(kv_heads,d,0)) && In2(wv,width,ix(kv_heads,d,0));
    requires Sep(dx,ix(ix(batch,n,0),width,0),dq,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(dx,ix(ix(batch,n,0),width,0),dk,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(dx,ix(ix(batch,n,0),width,0),dv,HeadAt(ix(batch,kv_heads,0),n,d));
    requires Sep(dx,ix(ix(batch,n,0),width,0),wq,ix(width,ix(heads,d,0),0));
    requires Sep(dx,ix(ix(batch,n,0),width,0),wk,ix(width,ix(kv_heads,d,0),0));
    requires Sep(dx,ix(ix(batch,n,0),width,0),wv,ix(width,ix(kv_heads,d,0),0));
    assigns dx[0 .. ix(ix(batch,n,0),width,0)-1];
    ensures MhaDxIs{Pre,Post}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,ix(batch,n,0));
    ensures Beside{Pre,Post}(dx,ix(ix(batch,n,0),width,0));
*/
static void pull_inputs(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d,
                        const double *dq, const double *dk, const double *dv, const double *wq,
                        const double *wk, const double *wv, double *dx)
{
  view Tq = turned(flat(width, size2(heads, d))), Tk = turned(flat(width, size2(kv_heads, d)));
  view Q = in_heads(batch, heads, n, d), K = in_heads(batch, kv_heads, n, d);
  idx m = size2(batch, n);
  /*@ loop invariant 0 <= i <= m;
      loop invariant MhaDxIs{Pre,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,i);
      loop assigns i, dx[0 .. ix(m,width,0)-1];
      loop variant m - i;
  */
  for (idx i = 0; i < m; i++) {
    /*@ loop invariant 0 <= j <= width;
        loop invariant MhaDxIs{Pre,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,i);
        loop invariant MhaDxRowIs{Pre,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,i,
                                            j);
        loop assigns j, dx[0 .. ix(m,width,0)-1];
        loop variant width - j;
    */
    for (idx j = 0; j < width; j++) {
      //@ assert same_q: Same{Pre,Here}(dq,ViewSize(Q)) && Same{Pre,Here}(wq,ViewSize(Tq));
      //@ assert same_k: Same{Pre,Here}(dk,ViewSize(K)) && Same{Pre,Here}(wk,ViewSize(Tk));
      //@ assert same_v: Same{Pre,Here}(dv,ViewSize(K)) && Same{Pre,Here}(wv,ViewSize(Tk));
      twice a = view_dot(dq, Q, wq, Tq, i, j), b = view_dot(dk, K, wk, Tk, i, j);
      twice c = view_dot(dv, K, wv, Tk, i, j), s = twice_sum(twice_sum(a, b), c);
      //@ assert a_is: a.v == ViewDot{Pre}(dq,Q,wq,Tq,i,j,ViewCols(Q));
      //@ assert b_is: b.v == ViewDot{Pre}(dk,K,wk,Tk,i,j,ViewCols(K));
      //@ assert c_is: c.v == ViewDot{Pre}(dv,K,wv,Tk,i,j,ViewCols(K));
      //@ assert s_is: s.v == MhaDx{Pre}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,i,j);
      idx at = at2(m, width, i, j);
      //@ assert behind: ix(i,width,0) <= at < ix(m,width,0);
      //@ ghost Before: ;
      dx[at] = s.v;
      //@ assert rows: Same{Before,Here}(dx,ix(i,width,0));
    }
    /*@ assert row: MhaDxRowIs{Pre,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,i,
                                         width); */
  }
}

/* c = o' x, (heads d, width). */
/*@ requires MhaGramSizes(batch,heads,n,width,d) && Out2(c,ix(heads,d,0),width);
    requires Heads(o,ix(batch,heads,0),n,d) && In2(x,ix(batch,n,0),width);
    requires Sep(c,ix(ix(heads,d,0),width,0),o,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(c,ix(ix(heads,d,0),width,0),x,ix(ix(batch,n,0),width,0));
    assigns c[0 .. ix(ix(heads,d,0),width,0)-1];
    ensures MhaGramIs{Pre,Post}(o,x,batch,heads,n,width,d,c);
    ensures Beside{Pre,Post}(c,ix(ix(heads,d,0),width,0));
*/
static void gram(idx batch, idx heads, idx n, idx width, idx d, const double *o, const double *x,
                 double *c)
{
  view O = turned(in_heads(batch, heads, n, d)), X = flat(size2(batch, n), width);
  view C = flat(size2(heads, d), width);
  view_product(o, O, x, X, c, C);
  //@ assert views: C == Flat(ix(heads,d,0),width) && ViewCols(O) == ix(batch,n,0);
  //@ assert product: ViewRowsAre{Pre,Here}(o,O,x,X,c,C,ViewRows(C));
  /*@ assert all: \forall integer i, j; 0 <= i < ix(heads,d,0) ==> 0 <= j < width ==>
        c[ix(i,width,j)] == ViewDot{Pre}(o,O,x,X,i,j,ViewCols(O)); */
}

/* c = x' o, (width, heads d). */
/*@ requires MhaGramSizes(batch,heads,n,width,d) && Out2(c,width,ix(heads,d,0));
    requires Heads(o,ix(batch,heads,0),n,d) && In2(x,ix(batch,n,0),width);
    requires Sep(c,ix(width,ix(heads,d,0),0),o,HeadAt(ix(batch,heads,0),n,d));
    requires Sep(c,ix(width,ix(heads,d,0),0),x,ix(ix(batch,n,0),width,0));
    assigns c[0 .. ix(width,ix(heads,d,0),0)-1];
    ensures MhaMargIs{Pre,Post}(o,x,batch,heads,n,width,d,c);
    ensures Beside{Pre,Post}(c,ix(width,ix(heads,d,0),0));
*/
static void marg(idx batch, idx heads, idx n, idx width, idx d, const double *o, const double *x,
                 double *c)
{
  view_product(o, turned(in_heads(batch, heads, n, d)), x, flat(size2(batch, n), width), c,
               turned(flat(width, size2(heads, d))));
}

void mha_grads(idx batch, idx heads, idx kv_heads, idx n, idx width, idx d, const double *dq,
               const double *dk, const double *dv, const double *wq, const double *wk,
               const double *wv, const double *o, const double *x, const double *g, double *dx,
               double *dwq, double *dwk, double *dwv, double *dwo)
{
#define STAY(L)                                                  \
  Same{L, Here}(dq, HeadAt(ix(batch, heads, 0), n, d)) &&        \
      Same{L, Here}(dk, HeadAt(ix(batch, kv_heads, 0), n, d)) && \
      Same{L, Here}(dv, HeadAt(ix(batch, kv_heads, 0), n, d)) && \
      Same{L, Here}(wq, ix(width, ix(heads, d, 0), 0)) &&        \
      Same{L, Here}(wk, ix(width, ix(kv_heads, d, 0), 0)) &&     \
      Same{L, Here}(wv, ix(width, ix(kv_heads, d, 0), 0)) &&     \
      Same{L, Here}(o, HeadAt(ix(batch, heads, 0), n, d)) &&     \
      Same{L, Here}(x, ix(ix(batch, n, 0), width, 0)) &&         \
      Same{L, Here}(g, ix(ix(batch, n, 0), width, 0))
  pull_inputs(batch, heads, kv_heads, n, width, d, dq, dk, dv, wq, wk, wv, dx);
  //@ ghost L1: ;
  //@ assert stay_1: STAY(Pre);
  marg(batch, heads, n, width, d, dq, x, dwq);
  //@ ghost L2: ;
  //@ assert step_2: STAY(L1);
  //@ assert stay_2: STAY(Pre);
  //@ assert dx_2: Same{L1,L2}(dx,ix(ix(batch,n,0),width,0));
  marg(batch, kv_heads, n, width, d, dk, x, dwk);
  //@ ghost L3: ;
  //@ assert step_3: STAY(L2);
  //@ assert stay_3: STAY(Pre);
  //@ assert dx_3: Same{L2,L3}(dx,ix(ix(batch,n,0),width,0));
  //@ assert dwq_3: Same{L2,L3}(dwq,ix(width,ix(heads,d,0),0));
  marg(batch, kv_heads, n, width, d, dv, x, dwv);
  //@ ghost L4: ;
  //@ assert step_4: STAY(L3);
  //@ assert stay_4: STAY(Pre);
  //@ assert dx_4: Same{L3,L4}(dx,ix(ix(batch,n,0),width,0));
  //@ assert dwq_4: Same{L3,L4}(dwq,ix(width,ix(heads,d,0),0));
  //@ assert dwk_4: Same{L3,L4}(dwk,ix(width,ix(kv_heads,d,0),0));
  gram(batch, heads, n, width, d, o, g, dwo);
  //@ assert step_5: STAY(L4);
  //@ assert stay_5: STAY(Pre);
  //@ assert dx_5: Same{L4,Here}(dx,ix(ix(batch,n,0),width,0));
  //@ assert dwq_5: Same{L4,Here}(dwq,ix(width,ix(heads,d,0),0));
  //@ assert dwk_5: Same{L4,Here}(dwk,ix(width,ix(kv_heads,d,0),0));
  //@ assert dwv_5: Same{L4,Here}(dwv,ix(width,ix(kv_heads,d,0),0));
  //@ assert dx_kept: Same{L1,Here}(dx,ix(ix(batch,n,0),width,0));
  //@ assert dwq_kept: Same{L2,Here}(dwq,ix(width,ix(heads,d,0),0));
  //@ assert dwk_kept: Same{L3,Here}(dwk,ix(width,ix(kv_heads,d,0),0));
  //@ assert dx_same: MhaDxSame{Pre,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d);
  //@ assert dx_is: MhaDxIs{Here,Here}(dq,dk,dv,wq,wk,wv,batch,heads,kv_heads,n,width,d,dx,ix(batch,n,0));
  //@ assert dwq_is: MhaMargIs{Here,Here}(dq,x,batch,heads,n,width,d,dwq);
  //@ assert dwk_is: MhaMargIs{Here,Here}(dk,x,batch,kv_heads,n,width,d,dwk);
  //@ assert dwv_is: MhaMargIs{Here,Here}(dv,x,batch,kv_heads,n,width,d,dwv);
  //@ assert dwo_is: MhaGramIs{Here,Here}(o,g,batch,heads,n,width,d,dwo);
#undef STAY
}
