/* ffn, its VJP, and their error bounds. */
#ifndef REF_FFN_H
#define REF_FFN_H
#include "activation.h"
#include "matmul.h"
#include "../spec/ffn.h"

/* h: (rows, in), w1: (in, hidden), w2: (hidden, out), y: (rows, out), u, a: (rows, hidden).
 * u = h w1, a = gelu(u), y = a w2. */
/*@ requires In2(h,rows,in) && In2(w1,in,hidden) && In2(w2,hidden,out);
    requires Out2(y,rows,out) && Out2(u,rows,hidden) && Out2(a,rows,hidden);
    requires Sep(y,ix(rows,out,0),h,ix(rows,in,0)) && Sep(y,ix(rows,out,0),w1,ix(in,hidden,0));
    requires Sep(y,ix(rows,out,0),w2,ix(hidden,out,0)) && Sep(y,ix(rows,out,0),u,ix(rows,hidden,0));
    requires Sep(y,ix(rows,out,0),a,ix(rows,hidden,0)) && Sep(u,ix(rows,hidden,0),h,ix(rows,in,0));
    requires Sep(u,ix(rows,hidden,0),w1,ix(in,hidden,0));
    requires Sep(u,ix(rows,hidden,0),w2,ix(hidden,out,0));
    requires Sep(u,ix(rows,hidden,0),a,ix(rows,hidden,0));
    requires Sep(a,ix(rows,hidden,0),h,ix(rows,in,0));
    requires Sep(a,ix(rows,hidden,0),w1,ix(in,hidden,0));
    requires Sep(a,ix(rows,hidden,0),w2,ix(hidden,out,0));
    terminates \true;
    assigns y[0 .. ix(rows,out,0)-1], u[0 .. ix(rows,hidden,0)-1], a[0 .. ix(rows,hidden,0)-1];
    ensures \forall integer r, o; 0 <= r < rows ==> 0 <= o < out ==>
      y[ix(r,out,o)] == Ffn{Pre}(h,w1,w2,rows,in,hidden,out,r,o);
    ensures \forall integer r, q; 0 <= r < rows ==> 0 <= q < hidden ==>
      u[ix(r,hidden,q)] == MatMul{Pre}(0,0,1.0,h,w1,rows,in,hidden,r,q);
    ensures \forall integer r, q; 0 <= r < rows ==> 0 <= q < hidden ==>
      a[ix(r,hidden,q)] == FfnHidden{Pre}(h,w1,rows,in,hidden,r,q);
*/
void ref_ffn(idx rows, idx in, idx hidden, idx out, const double *h, const double *w1,
             const double *w2, double *y, double *u, double *a);

/* u, a: those of the forward op; g: (rows, out). With du = gelu'(u) times g w2', which has no array
 * of its own, dh = du w1' and dw1 = h' du; dw2 = a' g. */
/*@ requires In2(h,rows,in) && In2(w1,in,hidden) && In2(w2,hidden,out);
    requires In2(u,rows,hidden) && In2(a,rows,hidden) && In2(g,rows,out);
    requires Out2(dh,rows,in) && Out2(dw1,in,hidden) && Out2(dw2,hidden,out);
    requires Sep(dh,ix(rows,in,0),h,ix(rows,in,0)) && Sep(dh,ix(rows,in,0),w1,ix(in,hidden,0));
    requires Sep(dh,ix(rows,in,0),w2,ix(hidden,out,0)) && Sep(dh,ix(rows,in,0),u,ix(rows,hidden,0));
    requires Sep(dh,ix(rows,in,0),a,ix(rows,hidden,0)) && Sep(dh,ix(rows,in,0),g,ix(rows,out,0));
    requires Sep(dw1,ix(in,hidden,0),h,ix(rows,in,0));
    requires Sep(dw1,ix(in,hidden,0),w2,ix(hidden,out,0));
    requires Sep(dw1,ix(in,hidden,0),u,ix(rows,hidden,0));
    requires Sep(dw1,ix(in,hidden,0),a,ix(rows,hidden,0));
    requires Sep(dw1,ix(in,hidden,0),g,ix(rows,out,0)) && Sep(dw1,ix(in,hidden,0),dh,ix(rows,in,0));
    requires Sep(dw2,ix(hidden,out,0),a,ix(rows,hidden,0));
    requires Sep(dw2,ix(hidden,out,0),g,ix(rows,out,0));
    requires Sep(dw2,ix(hidden,out,0),dh,ix(rows,in,0));
    requires Sep(dw2,ix(hidden,out,0),dw1,ix(in,hidden,0));
    terminates \true;
    assigns dh[0 .. ix(rows,in,0)-1], dw1[0 .. ix(in,hidden,0)-1], dw2[0 .. ix(hidden,out,0)-1];
    ensures \forall integer r, i; 0 <= r < rows ==> 0 <= i < in ==>
      dh[ix(r,in,i)] == FfnDh{Pre}(w1,w2,u,g,rows,in,hidden,out,r,i);
    ensures \forall integer i, q; 0 <= i < in ==> 0 <= q < hidden ==>
      dw1[ix(i,hidden,q)] == FfnDw1{Pre}(h,w2,u,g,rows,in,hidden,out,i,q);
    ensures \forall integer q, o; 0 <= q < hidden ==> 0 <= o < out ==>
      dw2[ix(q,out,o)] == MatMulVjpB{Pre}(0,1.0,a,g,rows,hidden,out,q,o);
*/
void ref_ffn_vjp(idx rows, idx in, idx hidden, idx out, const double *h, const double *w1,
                 const double *w2, const double *u, const double *a, const double *g, double *dh,
                 double *dw1, double *dw2);

/* |gelu'| is below this everywhere; its largest value is 1.12893 at 1.4217. */
#define GELU_STEEPEST 1.13

/* Bounds. The gelu of an argument that is itself off, x within x.e of x.v. What is computed of x is
 * off by what gelu is, and gelu(x) from gelu(x.v) by as much as the argument, GELU_STEEPEST times.
 * The first, with t = tanh(in): in has 7 roundings (four of 1 + cubic x^2, of scale, two products),
 * and |in| sech^2 <= 0.45, so t is off by (2 k_tanh + 1 + 4) u; x/2 (1 + t) has two roundings more:
 * together less than (k_tanh + 6) u |x|. As x / (1 + exp(-2 in)) exp's 2 k_exp + 1 roundings count
 * for a quarter, those of its argument for 2 |in| s (1 - s) <= 0.45 at most. Partial products may
 * underflow, by eta each. Where in overflows, t is 1 or -1, exp 0 or infinite. */
/*@ axiomatic BoundGeluOf {
      logic pair p_gelu_of(arith A, pair x) reads \nothing;
      axiom p_gelu_of_def: \forall arith A, pair x; p_gelu_of(A,x) ==
        p_make(Gelu(x.v), p_range(A, 2.0 * p_mag(x),
          GELU_STEEPEST * x.e + rmul(p_gam(A.u, \max(A.k_tanh,A.k_exp) + 6.0), p_mag(x)) +
          rmul(4.0 * A.eta, 1.0 + p_mag(x))));
    }
    // A sum of terms that have an error each, in one number: what a term adds to it, t.e and its
    // part of what a tree of height h rounds; and the bound, from the sum of these. What the tree
    // rounds, gamma times the sum of all magnitudes, is a part of that sum: so the magnitudes do
    // not exceed it over gamma.
    axiomatic BoundTerms {
      logic real e_term(arith A, pair t, real h) reads \nothing;
      axiom e_term_def: \forall arith A, pair t, real h; e_term(A,t,h) ==
        (t.e < VACUOUS ? t.e + rmul(p_gam(A.u,h),p_mag(t)) : VACUOUS);
      logic real e_terms(arith A, real all, real h) reads \nothing;
      axiom e_terms_def: \forall arith A, real all, h; e_terms(A,all,h) ==
        p_range(A, 0.0 < p_gam(A.u,h) ? rdiv(all,p_gam(A.u,h)) : 0.0, all);
    }
    // element (i,j) of the product as a pair, its tree of height h
    logic pair DotPair{L}(arith A, integer ta, integer tb, scalar *a, scalar *b,
                          integer m, integer k, integer n, integer i, integer j, real h) =
      p_dot(A, MatDot{L}(ta,tb,a,b,m,k,n,i,j,k), MatAbs{L}(ta,tb,a,b,m,k,n,i,j,k), k, h);

    logic pair FfnHiddenPair{L}(arith A, scalar *h, scalar *w1, integer rows, integer in,
                                integer hidden, integer r, integer q) =
      p_gelu_of(A, DotPair{L}(A,0,0,h,w1,rows,in,hidden,r,q,A.h2));
    logic real FfnErrors{L}(arith A, scalar *h, scalar *w1, scalar *w2, integer rows, integer in,
                            integer hidden, integer out, integer r, integer o, integer p) =
      p <= 0 ? 0.0 : FfnErrors{L}(A,h,w1,w2,rows,in,hidden,out,r,o,p-1) +
        e_term(A, p_mul(A, FfnHiddenPair{L}(A,h,w1,rows,in,hidden,r,p-1),
                        p_make(w2[ix(p-1,out,o)],0.0)), A.h);

    logic pair FfnDuPair{L}(arith A, scalar *w2, scalar *u, scalar *g, integer rows,
                            integer hidden, integer out, integer r, integer q) =
      p_mul(A, p_gelu_d(A,u[ix(r,hidden,q)]), DotPair{L}(A,0,1,g,w2,rows,out,hidden,r,q,A.h));
    logic pair FfnDuPairT{L}(arith A, integer t, scalar *w2, scalar *u, scalar *g, integer rows,
                             integer hidden, integer out, integer i, integer p) =
      t != 0 ? FfnDuPair{L}(A,w2,u,g,rows,hidden,out,p,i)
             : FfnDuPair{L}(A,w2,u,g,rows,hidden,out,i,p);
    logic real FfnBackErrors{L}(arith A, real height, integer t, scalar *w2, scalar *u, scalar *g,
                                scalar *b, integer rows, integer in, integer hidden, integer out,
                                integer i, integer j, integer p) =
      p <= 0 ? 0.0 : FfnBackErrors{L}(A,height,t,w2,u,g,b,rows,in,hidden,out,i,j,p-1) +
        e_term(A, p_mul(A, FfnDuPairT{L}(A,t,w2,u,g,rows,hidden,out,i,p-1),
                        p_make(b[ixt(flip(t),FfnInner(t,rows,hidden),in,p-1,j)],0.0)), height);
*/

/* The sum behind y has height A.h, that behind u A.h2. */
/*@ requires In2(h,rows,in) && In2(w1,in,hidden) && In2(w2,hidden,out);
    requires Out2(e_y,rows,out) && Out2(e_u,rows,hidden) && Out2(e_a,rows,hidden);
    requires Sep(e_y,ix(rows,out,0),h,ix(rows,in,0)) && Sep(e_y,ix(rows,out,0),w1,ix(in,hidden,0));
    requires Sep(e_y,ix(rows,out,0),w2,ix(hidden,out,0));
    requires Sep(e_y,ix(rows,out,0),e_u,ix(rows,hidden,0));
    requires Sep(e_y,ix(rows,out,0),e_a,ix(rows,hidden,0));
    requires Sep(e_u,ix(rows,hidden,0),h,ix(rows,in,0));
    requires Sep(e_u,ix(rows,hidden,0),w1,ix(in,hidden,0));
    requires Sep(e_u,ix(rows,hidden,0),w2,ix(hidden,out,0));
    requires Sep(e_u,ix(rows,hidden,0),e_a,ix(rows,hidden,0));
    requires Sep(e_a,ix(rows,hidden,0),h,ix(rows,in,0));
    requires Sep(e_a,ix(rows,hidden,0),w1,ix(in,hidden,0));
    requires Sep(e_a,ix(rows,hidden,0),w2,ix(hidden,out,0));
    terminates \true;
    assigns e_y[0 .. ix(rows,out,0)-1], e_u[0 .. ix(rows,hidden,0)-1],
            e_a[0 .. ix(rows,hidden,0)-1];
    ensures \forall integer r, o; 0 <= r < rows ==> 0 <= o < out ==> e_y[ix(r,out,o)] ==
      e_terms(A, FfnErrors{Pre}(A,h,w1,w2,rows,in,hidden,out,r,o,hidden), A.h);
    ensures \forall integer r, q; 0 <= r < rows ==> 0 <= q < hidden ==>
      e_u[ix(r,hidden,q)] == DotPair{Pre}(A,0,0,h,w1,rows,in,hidden,r,q,A.h2).e;
    ensures \forall integer r, q; 0 <= r < rows ==> 0 <= q < hidden ==>
      e_a[ix(r,hidden,q)] == FfnHiddenPair{Pre}(A,h,w1,rows,in,hidden,r,q).e;
*/
void bound_ffn(idx rows, idx in, idx hidden, idx out, const double *h, const double *w1,
               const double *w2, arith A, double *e_y, double *e_u, double *e_a);

/* The sums behind dh and du have height A.h, those behind dw1 and dw2 A.h2. */
/*@ requires In2(h,rows,in) && In2(w1,in,hidden) && In2(w2,hidden,out);
    requires In2(u,rows,hidden) && In2(a,rows,hidden) && In2(g,rows,out);
    requires Out2(e_dh,rows,in) && Out2(e_dw1,in,hidden) && Out2(e_dw2,hidden,out);
    requires Sep(e_dh,ix(rows,in,0),h,ix(rows,in,0)) && Sep(e_dh,ix(rows,in,0),w1,ix(in,hidden,0));
    requires Sep(e_dh,ix(rows,in,0),w2,ix(hidden,out,0));
    requires Sep(e_dh,ix(rows,in,0),u,ix(rows,hidden,0));
    requires Sep(e_dh,ix(rows,in,0),a,ix(rows,hidden,0));
    requires Sep(e_dh,ix(rows,in,0),g,ix(rows,out,0));
    requires Sep(e_dw1,ix(in,hidden,0),h,ix(rows,in,0));
    requires Sep(e_dw1,ix(in,hidden,0),w2,ix(hidden,out,0));
    requires Sep(e_dw1,ix(in,hidden,0),u,ix(rows,hidden,0));
    requires Sep(e_dw1,ix(in,hidden,0),a,ix(rows,hidden,0));
    requires Sep(e_dw1,ix(in,hidden,0),g,ix(rows,out,0));
    requires Sep(e_dw1,ix(in,hidden,0),e_dh,ix(rows,in,0));
    requires Sep(e_dw2,ix(hidden,out,0),a,ix(rows,hidden,0));
    requires Sep(e_dw2,ix(hidden,out,0),g,ix(rows,out,0));
    requires Sep(e_dw2,ix(hidden,out,0),e_dh,ix(rows,in,0));
    requires Sep(e_dw2,ix(hidden,out,0),e_dw1,ix(in,hidden,0));
    terminates \true;
    assigns e_dh[0 .. ix(rows,in,0)-1], e_dw1[0 .. ix(in,hidden,0)-1],
            e_dw2[0 .. ix(hidden,out,0)-1];
    ensures \forall integer r, i; 0 <= r < rows ==> 0 <= i < in ==> e_dh[ix(r,in,i)] ==
      e_terms(A, FfnBackErrors{Pre}(A,A.h,0,w2,u,g,w1,rows,in,hidden,out,r,i,hidden), A.h);
    ensures \forall integer i, q; 0 <= i < in ==> 0 <= q < hidden ==> e_dw1[ix(i,hidden,q)] ==
      e_terms(A, FfnBackErrors{Pre}(A,A.h2,1,w2,u,g,h,rows,in,hidden,out,q,i,rows), A.h2);
    ensures \forall integer q, o; 0 <= q < hidden ==> 0 <= o < out ==> e_dw2[ix(q,out,o)] ==
      DotPair{Pre}(A,1,0,a,g,hidden,rows,out,q,o,A.h2).e;
*/
void bound_ffn_vjp(idx rows, idx in, idx hidden, idx out, const double *h, const double *w1,
                   const double *w2, const double *u, const double *a, const double *g, arith A,
                   double *e_dh, double *e_dw1, double *e_dw2);
#endif
