/* Smooth max pooling over windows of any rank up to 8, its VJP, and the error bounds of both. x is
 * (lines, size..), y (lines, out..) by the axes of w, as in pool.h; beta is finite and not 0. */
#ifndef REF_POOL_SMOOTH_H
#define REF_POOL_SMOOTH_H
#include "pool.h"
#include "../spec/pool_smooth.h"

/* y[l,t] = p + ln(sum over the taps of exp(beta (v - p))) / beta; v is the cell that a tap reads, 0
 * for padding, and p the v with the largest beta v. */
/*@ requires Pools(w,lines,x,y) && beta != 0.0;
    terminates \true;
    assigns y[0 .. ix(lines,w.outs,0)-1];
    ensures \forall integer l, t; 0 <= l < lines ==> 0 <= t < w.outs ==> y[ix(l,w.outs,t)] ==
      SmoothPool{Pre}(beta,x+ix(l,w.cells,0),w,t);
*/
void ref_smooth_max_pool(idx lines, window w, double beta, const double *x, double *y);

/* dx[l,c] = sum over the outputs t and their taps that read cell c of g[l,t] exp(beta (x[l,c] - y[l,t])). */
/*@ requires Unpools(w,lines,y,dx) && Unpools(w,lines,g,dx);
    requires \valid_read(x + (0 .. ix(lines,w.cells,0)-1));
    requires Sep(dx,ix(lines,w.cells,0),x,ix(lines,w.cells,0));
    terminates \true;
    assigns dx[0 .. ix(lines,w.cells,0)-1];
    ensures \forall integer l, j; 0 <= l < lines ==> 0 <= j < w.cells ==> dx[ix(l,w.cells,j)] ==
      SmoothBack{Pre}(beta,x+ix(l,w.cells,0),y+ix(l,w.outs,0),g+ix(l,w.outs,0),w,j,w.outs);
*/
void ref_smooth_max_pool_vjp(idx lines, window w, double beta, const double *x, const double *y,
                             const double *g, double *dx);

/* Bounds. exp(0) is exactly 1, where v is the pivot. Where beta (v - m) is below -SMOOTH_FAR, -infinity
 * included, exp and its computed value lie below eta. */
#define SMOOTH_FAR 2000.0
/*@ axiomatic BoundSmoothExp {
      logic pair p_smooth_exp(arith A, real beta, real v, real m) reads \nothing;
      axiom p_smooth_exp_def: \forall arith A, real beta, v, m; p_smooth_exp(A,beta,v,m) ==
        (v == m ? p_make(1.0,0.0)
         : rmul(beta,v - m) < -SMOOTH_FAR
             ? p_make(smooth_exp(beta,v,m), rmul(2.0 * A.k_exp + 2.0, A.eta))
         : p_exp(A, p_mul(A, p_make(beta,0.0), p_sub(A, p_make(v,0.0), p_make(m,0.0)))));
    }
    // from the sum of exponentials and that of their errors; the quotient may be a product by 1/beta
    axiomatic BoundSmoothPool {
      logic real e_smooth_pool(arith A, real beta, real pivot, real sum, real errors)
        reads \nothing;
      axiom e_smooth_pool_def: \forall arith A, real beta, pivot, sum, errors;
        e_smooth_pool(A,beta,pivot,sum,errors) ==
        p_add(A, p_make(pivot,0.0),
              p_quo(A, p_log(A, p_sum(A,sum,sum,errors,A.h)), p_make(beta,0.0), 2.0)).e;
    }
    logic real SmoothErrors{L}(arith A, real beta, scalar *x, window w, integer t, real m,
                               integer n) =
      n <= 0 ? 0.0
      : SmoothErrors{L}(A,beta,x,w,t,m,n-1) + p_smooth_exp(A,beta,TapValue{L}(x,w,t,n-1),m).e;
    logic real SmoothPoolBound{L}(arith A, real beta, scalar *x, window w, integer t) =
      e_smooth_pool(A, beta, SmoothPivot{L}(beta,x,w,t,w.taps),
        SmoothSum{L}(beta,x,w,t,SmoothPivot{L}(beta,x,w,t,w.taps),w.taps),
        SmoothErrors{L}(A,beta,x,w,t,SmoothPivot{L}(beta,x,w,t,w.taps),w.taps));
    lemma smooth_errors_frame{L1,L2}: \forall integer n, t, arith A, real beta, m, scalar *x, window w;
      (\forall integer u; 0 <= Cell(w,t,u) ==>
        \at(x[Cell(w,t,u)],L1) == \at(x[Cell(w,t,u)],L2)) ==>
      SmoothErrors{L1}(A,beta,x,w,t,m,n) == SmoothErrors{L2}(A,beta,x,w,t,m,n);
    lemma smooth_pool_bound_frame{L1,L2}: \forall integer t, arith A, real beta, scalar *x, window w;
      (\forall integer u; 0 <= Cell(w,t,u) ==>
        \at(x[Cell(w,t,u)],L1) == \at(x[Cell(w,t,u)],L2)) ==>
      SmoothPoolBound{L1}(A,beta,x,w,t) == SmoothPoolBound{L2}(A,beta,x,w,t);
*/

/*@ requires Pools(w,lines,x,e_y) && beta != 0.0;
    terminates \true;
    assigns e_y[0 .. ix(lines,w.outs,0)-1];
    ensures \forall integer l, t; 0 <= l < lines ==> 0 <= t < w.outs ==> e_y[ix(l,w.outs,t)] ==
      SmoothPoolBound{Pre}(A,beta,x+ix(l,w.cells,0),w,t);
*/
void bound_smooth_max_pool(idx lines, window w, double beta, const double *x, arith A, double *e_y);

/*@ // A sum of terms with an error each, in one number: what a term adds to it, its error and its part of
    // what a tree of height A.h rounds. What the tree rounds is gamma times all magnitudes: so these do
    // not exceed the sum over gamma.
    axiomatic BoundSmoothBack {
      logic real e_added(arith A, pair t) reads \nothing;
      axiom e_added_def: \forall arith A, pair t; e_added(A,t) ==
        (t.e < VACUOUS ? t.e + rmul(p_gam(A.u,A.h), p_mag(t)) : VACUOUS);
      logic real e_smooth_term(arith A, real beta, real x, real y, real g) reads \nothing;
      axiom e_smooth_term_def: \forall arith A, real beta, x, y, g;
        e_smooth_term(A,beta,x,y,g) ==
        e_added(A, p_mul(A, p_make(g,0.0), p_smooth_exp(A,beta,x,y)));
      logic real e_all_added(arith A, real all) reads \nothing;
      axiom e_all_added_def: \forall arith A, real all; e_all_added(A,all) ==
        p_range(A, 0.0 < p_gam(A.u,A.h) ? rdiv(all,p_gam(A.u,A.h)) : 0.0, all);
    }
    // what tap u of output t adds to cell j: of the VJP, or where bound is not 0 of its error
    logic real SmoothTerm{L}(integer bound, arith A, real beta, scalar *x, scalar *y, scalar *g,
                             integer j, integer t) =
      bound != 0 ? e_smooth_term(A,beta,x[j],y[t],g[t])
                 : rmul(g[t], smooth_exp(beta,x[j],y[t]));
    logic real SmoothTermsOf{L}(integer bound, arith A, real beta, scalar *x, scalar *y, scalar *g,
                                window w, integer j, integer t, integer n) =
      n <= 0 ? 0.0
      : SmoothTermsOf{L}(bound,A,beta,x,y,g,w,j,t,n-1)
        + (Cell(w,t,n-1) == j ? SmoothTerm{L}(bound,A,beta,x,y,g,j,t) : 0.0);
    logic real SmoothTerms{L}(integer bound, arith A, real beta, scalar *x, scalar *y, scalar *g,
                              window w, integer j, integer n) =
      n <= 0 ? 0.0
      : SmoothTerms{L}(bound,A,beta,x,y,g,w,j,n-1)
        + SmoothTermsOf{L}(bound,A,beta,x,y,g,w,j,n-1,w.taps);
    lemma smooth_terms_of_are{L}: \forall integer n, j, t, arith A, real beta, scalar *x, *y, *g,
      window w; SmoothTermsOf{L}(0,A,beta,x,y,g,w,j,t,n) == SmoothBackOf{L}(beta,x,y,g,w,j,t,n);
    lemma smooth_terms_are{L}: \forall integer n, j, arith A, real beta, scalar *x, *y, *g, window w;
      SmoothTerms{L}(0,A,beta,x,y,g,w,j,n) == SmoothBack{L}(beta,x,y,g,w,j,n);
    lemma smooth_terms_of_frame{L1,L2}: \forall integer n, j, t, bound, arith A, real beta,
      scalar *x, *y, *g, window w; \at(x[j],L1) == \at(x[j],L2) ==>
      \at(y[t],L1) == \at(y[t],L2) ==> \at(g[t],L1) == \at(g[t],L2) ==>
      SmoothTermsOf{L1}(bound,A,beta,x,y,g,w,j,t,n) == SmoothTermsOf{L2}(bound,A,beta,x,y,g,w,j,t,n);
    lemma smooth_terms_frame{L1,L2}: \forall integer n, j, bound, arith A, real beta,
      scalar *x, *y, *g, window w; \at(x[j],L1) == \at(x[j],L2) ==>
      (\forall integer t; 0 <= t < n ==> \at(y[t],L1) == \at(y[t],L2)) ==>
      (\forall integer t; 0 <= t < n ==> \at(g[t],L1) == \at(g[t],L2)) ==>
      SmoothTerms{L1}(bound,A,beta,x,y,g,w,j,n) == SmoothTerms{L2}(bound,A,beta,x,y,g,w,j,n);
*/

/*@ requires Unpools(w,lines,y,e_dx) && Unpools(w,lines,g,e_dx);
    requires \valid_read(x + (0 .. ix(lines,w.cells,0)-1));
    requires Sep(e_dx,ix(lines,w.cells,0),x,ix(lines,w.cells,0));
    terminates \true;
    assigns e_dx[0 .. ix(lines,w.cells,0)-1];
    ensures \forall integer l, j; 0 <= l < lines ==> 0 <= j < w.cells ==> e_dx[ix(l,w.cells,j)] ==
      e_all_added(A, SmoothTerms{Pre}(1,A,beta,x+ix(l,w.cells,0),y+ix(l,w.outs,0),
                                      g+ix(l,w.outs,0),w,j,w.outs));
*/
void bound_smooth_max_pool_vjp(idx lines, window w, double beta, const double *x, const double *y,
                               const double *g, arith A, double *e_dx);
#endif
