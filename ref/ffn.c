#include "ffn.h"
#include "lines.h"
#include "lost.h"

/*@ assigns \nothing; ensures \result == e_term(A,t,h); */
static double term_error(arith A, pair t, double h)
{
  return t.e < VACUOUS ? t.e + r_mul(pair_gam(A.u, h), pair_mag(t)) : VACUOUS;
}

/* Adds to it the errors of such terms, of a sum whose tree has height h. */
/*@ requires In2(b,k,n) && Out2(e,m,n) && 0 <= i < m && 0 <= p < k;
    requires Sep(e,ix(m,n,0),b,ix(k,n,0));
    assigns e[0 .. ix(m,n,0)-1];
    ensures \forall integer j; 0 <= j < n ==> e[ixt(t,m,n,i,j)] ==
      \at(e[ixt(t,m,n,i,j)],Pre) +
      e_term(A,p_mul(A,x,p_make(\at(b[ixt(tb,k,n,p,j)],Pre),0.0)),h);
    ensures OtherLines{Pre,Post}(e,t,m,n,i);
*/
static void add_errors(arith A, double h, idx m, idx k, idx n, int tb, int t, idx i, idx p, pair x,
                       const double *b, double *e)
{
  /*@ loop invariant 0 <= j <= n;
      loop invariant \forall integer s; 0 <= s < j ==> e[ixt(t,m,n,i,s)] ==
        \at(e[ixt(t,m,n,i,s)],Pre) +
        e_term(A,p_mul(A,x,p_make(\at(b[ixt(tb,k,n,p,s)],Pre),0.0)),h);
      loop invariant \forall integer s; j <= s < n ==>
        e[ixt(t,m,n,i,s)] == \at(e[ixt(t,m,n,i,s)],Pre);
      loop invariant OtherLines{Pre,Here}(e,t,m,n,i);
      loop assigns j, e[0 .. ix(m,n,0)-1];
      loop variant n - j;
  */
  for (idx j = 0; j < n; j++) {
    double bj = b[at2t(tb, k, n, p, j)];
    //@ assert b_is: bj == rd{Pre}(b,ixt(tb,k,n,p,j));
    pair term = pair_mul(A, x, pair_in(bj));
    double more = term_error(A, term, h);
    //@ assert more_is: more == e_term(A,p_mul(A,x,p_make(rd{Pre}(b,ixt(tb,k,n,p,j)),0.0)),h);
    e[at2t(t, m, n, i, j)] += more;
  }
}

/* What has been added up becomes the bound. */
/*@ requires Out1(e,n);
    assigns e[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> e[i] == e_terms(A,\at(e[i],Pre),h);
*/
static void end_errors(arith A, double h, idx n, double *e)
{
  double gam = pair_gam(A.u, h);
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer s; 0 <= s < i ==> e[s] == e_terms(A,\at(e[s],Pre),h);
      loop invariant \forall integer s; i <= s < n ==> e[s] == \at(e[s],Pre);
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    e[i] = pair_range(A, 0.0 < gam ? r_div(e[i], gam) : 0.0, e[i]);
}

/* ---- the op ---- */

/*@ // over what the array a holds the product with w2 is y
    lemma ffn_by_array{L1,L2}: \forall scalar *h, *w1, *w2, *a,
      integer rows, in, hidden, out, r, o, p; 0 <= r < rows ==> 0 <= o < out ==> p <= hidden ==>
      Same{L1,L2}(w2,ix(hidden,out,0)) ==>
      (\forall integer q; 0 <= q < hidden ==>
        \at(a[ix(r,hidden,q)],L2) == FfnHidden{L1}(h,w1,rows,in,hidden,r,q)) ==>
      MatDot{L2}(0,0,a,w2,rows,hidden,out,r,o,p) ==
      FfnSum{L1}(h,w1,w2,rows,in,hidden,out,r,o,p);
*/

void ref_ffn(idx rows, idx in, idx hidden, idx out, const double *h, const double *w1,
             const double *w2, double *y, double *u, double *a)
{
  ref_matmul(rows, in, hidden, 0, 0, 1.0, h, w1, u);
  //@ assert same_w2: Same{Pre,Here}(w2,ix(hidden,out,0));
  ref_gelu(size2(rows, hidden), u, a);
  /*@ assert u_kept: \forall integer r, q; 0 <= r < rows ==> 0 <= q < hidden ==>
        u[ix(r,hidden,q)] == MatMul{Pre}(0,0,1.0,h,w1,rows,in,hidden,r,q); */
  /*@ assert a_of_u: \forall integer r, q; 0 <= r < rows ==> 0 <= q < hidden ==>
        a[ix(r,hidden,q)] == Gelu(u[ix(r,hidden,q)]); */
  /*@ assert a_is: \forall integer r, q; 0 <= r < rows ==> 0 <= q < hidden ==>
        a[ix(r,hidden,q)] == FfnHidden{Pre}(h,w1,rows,in,hidden,r,q); */
  //@ assert still_w2: Same{Pre,Here}(w2,ix(hidden,out,0));
  /*@ assert y_is: \forall integer r, o; 0 <= r < rows ==> 0 <= o < out ==>
        MatMul(0,0,1.0,a,w2,rows,hidden,out,r,o) ==
        Ffn{Pre}(h,w1,w2,rows,in,hidden,out,r,o); */
  ref_matmul(rows, hidden, out, 0, 0, 1.0, a, w2, y);
}

/* ---- the VJP ---- */

/*@ lemma ffn_du_frame{L1,L2}: \forall scalar *w2, *u, *g, integer rows, hidden, out, r, q;
      0 <= r < rows ==> 0 <= q < hidden ==> Same{L1,L2}(w2,ix(hidden,out,0)) ==>
      Same{L1,L2}(u,ix(rows,hidden,0)) ==> Same{L1,L2}(g,ix(rows,out,0)) ==>
      FfnDu{L1}(w2,u,g,rows,hidden,out,r,q) == FfnDu{L2}(w2,u,g,rows,hidden,out,r,q);
    lemma ffn_du_t_frame{L1,L2}: \forall integer t, scalar *w2, *u, *g,
      integer rows, hidden, out, i, p;
      0 <= i < FfnInner(t,hidden,rows) ==> 0 <= p < FfnInner(t,rows,hidden) ==>
      Same{L1,L2}(w2,ix(hidden,out,0)) ==> Same{L1,L2}(u,ix(rows,hidden,0)) ==>
      Same{L1,L2}(g,ix(rows,out,0)) ==>
      FfnDuT{L1}(t,w2,u,g,rows,hidden,out,i,p) == FfnDuT{L2}(t,w2,u,g,rows,hidden,out,i,p);
    lemma ffn_back_next{L1,L2}: \forall integer t, scalar *w2, *u, *g, *b,
      integer rows, in, hidden, out, i, j, p; 0 <= i < FfnInner(t,hidden,rows) ==> 0 <= j < in ==>
      0 <= p < FfnInner(t,rows,hidden) ==> Same{L1,L2}(w2,ix(hidden,out,0)) ==>
      Same{L1,L2}(u,ix(rows,hidden,0)) ==> Same{L1,L2}(g,ix(rows,out,0)) ==>
      Same{L1,L2}(b,ix(FfnInner(t,rows,hidden),in,0)) ==>
      FfnBack{L1}(t,w2,u,g,b,rows,in,hidden,out,i,j,p) ==
      FfnBack{L2}(t,w2,u,g,b,rows,in,hidden,out,i,j,p) ==>
      FfnBack{L1}(t,w2,u,g,b,rows,in,hidden,out,i,j,p+1) ==
      FfnBack{L2}(t,w2,u,g,b,rows,in,hidden,out,i,j,p+1);
    lemma ffn_back_frame{L1,L2}: \forall integer t, scalar *w2, *u, *g, *b,
      integer rows, in, hidden, out, i, j, p; 0 <= i < FfnInner(t,hidden,rows) ==> 0 <= j < in ==>
      p <= FfnInner(t,rows,hidden) ==> Same{L1,L2}(w2,ix(hidden,out,0)) ==>
      Same{L1,L2}(u,ix(rows,hidden,0)) ==> Same{L1,L2}(g,ix(rows,out,0)) ==>
      Same{L1,L2}(b,ix(FfnInner(t,rows,hidden),in,0)) ==>
      FfnBack{L1}(t,w2,u,g,b,rows,in,hidden,out,i,j,p) ==
      FfnBack{L2}(t,w2,u,g,b,rows,in,hidden,out,i,j,p);
*/

/*@ requires In2(w2,hidden,out) && In2(u,rows,hidden) && In2(g,rows,out);
    requires 0 <= r < rows && 0 <= q < hidden;
    assigns \nothing;
    ensures \result == FfnDu{Pre}(w2,u,g,rows,hidden,out,r,q);
*/
static double du_at(idx rows, idx hidden, idx out, const double *w2, const double *u,
                    const double *g, idx r, idx q)
{
  double dot = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= o <= out;
      loop invariant dot == MatDot{Pre}(0,flip(0),g,w2,rows,out,hidden,r,q,o) && is_zero(lost);
      loop assigns o, dot, lost;
      loop variant out - o;
  */
  for (idx o = 0; o < out; o++) {
    //@ assert inside: 0 <= ix(r,out,o) < ix(rows,out,0) && 0 <= ix(q,out,o) < ix(hidden,out,0);
    double gw = r_mul(g[at2(rows, out, r, o)], w2[at2(hidden, out, q, o)]);
    //@ assert ixt(0,rows,out,r,o) == ix(r,out,o) && ixt(flip(0),out,hidden,o,q) == ix(q,out,o);
    lost += lost_sum(dot, gw);
    dot += gw;
  }
  //@ assert once: rmul(1.0,dot) == dot;
  return r_mul(dot + r_kept(lost), r_gelu_d(u[at2(rows, hidden, r, q)]));
}

/*@ // the first lines of c are those of FfnBack
    predicate Backs{L1,L2}(integer t, scalar *w2, scalar *u, scalar *g, scalar *b, scalar *c,
                           integer rows, integer in, integer hidden, integer out, integer n) =
      \forall integer i, j; 0 <= i < n ==> 0 <= j < in ==>
        \at(c[ixt(t,FfnInner(t,hidden,rows),in,i,j)],L2) ==
        FfnBack{L1}(t,w2,u,g,b,rows,in,hidden,out,i,j,FfnInner(t,rows,hidden));
    // line i is the sum of its first p terms
    predicate Back{L1,L2}(integer t, scalar *w2, scalar *u, scalar *g, scalar *b, scalar *c,
                          integer rows, integer in, integer hidden, integer out, integer i,
                          integer p) =
      \forall integer j; 0 <= j < in ==>
        \at(c[ixt(t,FfnInner(t,hidden,rows),in,i,j)],L2) ==
        FfnBack{L1}(t,w2,u,g,b,rows,in,hidden,out,i,j,p);
*/

/* t 0: c = dh, b = w1; else c = dw1, b = h. */
/*@ requires In2(w2,hidden,out) && In2(u,rows,hidden) && In2(g,rows,out) && 0 <= in;
    requires In2(b,FfnInner(t,rows,hidden),in) && Out2(c,FfnInner(t,hidden,rows),in);
    requires Sep(c,ix(FfnInner(t,hidden,rows),in,0),b,ix(FfnInner(t,rows,hidden),in,0));
    requires Sep(c,ix(FfnInner(t,hidden,rows),in,0),w2,ix(hidden,out,0));
    requires Sep(c,ix(FfnInner(t,hidden,rows),in,0),u,ix(rows,hidden,0));
    requires Sep(c,ix(FfnInner(t,hidden,rows),in,0),g,ix(rows,out,0));
    assigns c[0 .. ix(FfnInner(t,hidden,rows),in,0)-1];
    ensures Backs{Pre,Post}(t,w2,u,g,b,c,rows,in,hidden,out,FfnInner(t,hidden,rows));
*/
static void back(int t, idx rows, idx in, idx hidden, idx out, const double *w2, const double *u,
                 const double *g, const double *b, double *c)
{
  idx m = t ? hidden : rows, k = t ? rows : hidden;
  int tb = !t;
  //@ assert lines: m == FfnInner(t,hidden,rows) && k == FfnInner(t,rows,hidden) && tb == flip(t);
  /*@ loop invariant 0 <= i <= m;
      loop invariant Backs{Pre,Here}(t,w2,u,g,b,c,rows,in,hidden,out,i);
      loop assigns i, c[0 .. ix(m,in,0)-1];
      loop variant m - i;
  */
  for (idx i = 0; i < m; i++) {
    clear_line(m, in, t, i, c);
    /*@ loop invariant 0 <= p <= k;
        loop invariant Backs{Pre,Here}(t,w2,u,g,b,c,rows,in,hidden,out,i);
        loop invariant Back{Pre,Here}(t,w2,u,g,b,c,rows,in,hidden,out,i,p);
        loop assigns p, c[0 .. ix(m,in,0)-1];
        loop variant k - p;
    */
    for (idx p = 0; p < k; p++) {
      //@ assert same: Same{Pre,Here}(w2,ix(hidden,out,0)) && Same{Pre,Here}(b,ix(k,in,0));
      //@ assert too: Same{Pre,Here}(u,ix(rows,hidden,0)) && Same{Pre,Here}(g,ix(rows,out,0));
      double du =
          t ? du_at(rows, hidden, out, w2, u, g, p, i) : du_at(rows, hidden, out, w2, u, g, i, p);
      //@ assert du_is: du == FfnDuT{Pre}(t,w2,u,g,rows,hidden,out,i,p);
      add_line(m, k, in, tb, t, i, p, du, b, c);
    }
    //@ assert line: Back{Pre,Here}(t,w2,u,g,b,c,rows,in,hidden,out,i,FfnInner(t,rows,hidden));
  }
}

void ref_ffn_vjp(idx rows, idx in, idx hidden, idx out, const double *h, const double *w1,
                 const double *w2, const double *u, const double *a, const double *g, double *dh,
                 double *dw1, double *dw2)
{
  //@ assert plain: FfnInner(0,rows,hidden) == hidden && FfnInner(0,hidden,rows) == rows;
  //@ assert turned: FfnInner(1,rows,hidden) == rows && FfnInner(1,hidden,rows) == hidden;
  back(0, rows, in, hidden, out, w2, u, g, w1, dh);
  //@ assert same: Same{Pre,Here}(w2,ix(hidden,out,0)) && Same{Pre,Here}(h,ix(rows,in,0));
  //@ assert too: Same{Pre,Here}(u,ix(rows,hidden,0)) && Same{Pre,Here}(g,ix(rows,out,0));
  //@ assert swapped: ix(hidden,rows,0) == ix(rows,hidden,0);
  //@ assert first_a: Same{Pre,Here}(a,ix(hidden,rows,0));
  back(1, rows, in, hidden, out, w2, u, g, h, dw1);
  /*@ assert dw1_is: \forall integer i, q; 0 <= i < in ==> 0 <= q < hidden ==>
        dw1[ixt(1,hidden,in,q,i)] == FfnDw1{Pre}(h,w2,u,g,rows,in,hidden,out,i,q); */
  //@ assert same_a: Same{Pre,Here}(a,ix(hidden,rows,0));
  //@ assert same_g: Same{Pre,Here}(g,ix(rows,out,0));
  //@ assert flipped: flip(0) == 1;
  /*@ assert dw2_is: \forall integer q, o; 0 <= q < hidden ==> 0 <= o < out ==>
        MatMul{Here}(1,0,1.0,a,g,hidden,rows,out,q,o) ==
        MatMulVjpB{Pre}(0,1.0,a,g,rows,hidden,out,q,o); */
  ref_matmul(hidden, rows, out, 1, 0, 1.0, a, g, dw2);
}

/* ---- bounds ---- */

/*@ lemma dot_pair_frame{L1,L2}: \forall arith A, integer ta, tb, scalar *a, *b,
      integer m, k, n, i, j, real h; 0 <= i < m ==> 0 <= j < n ==>
      Same{L1,L2}(a,ix(m,k,0)) ==> Same{L1,L2}(b,ix(k,n,0)) ==>
      DotPair{L1}(A,ta,tb,a,b,m,k,n,i,j,h) == DotPair{L2}(A,ta,tb,a,b,m,k,n,i,j,h);
*/

/*@ requires In2(a,m,k) && In2(b,k,n) && 0 <= i < m && 0 <= j < n;
    assigns \nothing;
    ensures \result == DotPair{Pre}(A,ta,tb,a,b,m,k,n,i,j,h);
*/
static pair dot_pair(arith A, int ta, int tb, const double *a, const double *b, idx m, idx k, idx n,
                     idx i, idx j, double h)
{
  double dot = 0.0, abs = 0.0;
  /*@ loop invariant 0 <= p <= k;
      loop invariant dot == MatDot{Pre}(ta,tb,a,b,m,k,n,i,j,p);
      loop invariant abs == MatAbs{Pre}(ta,tb,a,b,m,k,n,i,j,p);
      loop assigns p, dot, abs;
      loop variant k - p;
  */
  for (idx p = 0; p < k; p++) {
    double ab = r_mul(a[at2t(ta, m, k, i, p)], b[at2t(tb, k, n, p, j)]);
    dot += ab;
    abs += r_abs(ab);
  }
  return pair_dot(A, dot, abs, (double)k, h);
}

/*@ assigns \nothing; ensures \result == p_gelu_of(A,x); */
static pair pair_gelu_of(arith A, pair x)
{
  double k = A.k_tanh > A.k_exp ? A.k_tanh : A.k_exp, m = pair_mag(x);
  double own = r_mul(pair_gam(A.u, k + 6.0), m) + r_mul(4.0 * A.eta, 1.0 + m);
  double e = GELU_STEEPEST * x.e + own;
  //@ assert k_is: k == \max(A.k_tanh,A.k_exp) && m == p_mag(x);
  return pair_make(r_gelu(x.v), pair_range(A, 2.0 * m, e));
}

/*@ predicate SumErrors{L1,L2}(arith A, scalar *h, scalar *w1, scalar *w2, scalar *e, integer rows,
                               integer in, integer hidden, integer out, integer n) =
      \forall integer r, o; 0 <= r < n ==> 0 <= o < out ==>
        \at(e[ixt(0,rows,out,r,o)],L2) ==
        FfnErrors{L1}(A,h,w1,w2,rows,in,hidden,out,r,o,hidden);
    predicate LineErrors{L1,L2}(arith A, scalar *h, scalar *w1, scalar *w2, scalar *e,
                                integer rows, integer in, integer hidden, integer out, integer r,
                                integer p) =
      \forall integer o; 0 <= o < out ==>
        \at(e[ixt(0,rows,out,r,o)],L2) == FfnErrors{L1}(A,h,w1,w2,rows,in,hidden,out,r,o,p);
    lemma sum_errors_next{L1,L2}: \forall arith A, scalar *h, *w1, *w2, *e,
      integer rows, in, hidden, out, r; 0 <= r ==>
      SumErrors{L1,L2}(A,h,w1,w2,e,rows,in,hidden,out,r) ==>
      LineErrors{L1,L2}(A,h,w1,w2,e,rows,in,hidden,out,r,hidden) ==>
      SumErrors{L1,L2}(A,h,w1,w2,e,rows,in,hidden,out,r+1);
    predicate HiddenErrors{L1,L2}(arith A, scalar *h, scalar *w1, scalar *e_u, scalar *e_a,
                                  integer rows, integer in, integer hidden, integer n) =
      \forall integer r, q; 0 <= r < n ==> 0 <= q < hidden ==>
        \at(e_u[ix(r,hidden,q)],L2) == DotPair{L1}(A,0,0,h,w1,rows,in,hidden,r,q,A.h2).e &&
        \at(e_a[ix(r,hidden,q)],L2) == FfnHiddenPair{L1}(A,h,w1,rows,in,hidden,r,q).e;
    predicate LineHidden{L1,L2}(arith A, scalar *h, scalar *w1, scalar *e_u, scalar *e_a,
                                integer rows, integer in, integer hidden, integer r, integer n) =
      \forall integer q; 0 <= q < n ==>
        \at(e_u[ix(r,hidden,q)],L2) == DotPair{L1}(A,0,0,h,w1,rows,in,hidden,r,q,A.h2).e &&
        \at(e_a[ix(r,hidden,q)],L2) == FfnHiddenPair{L1}(A,h,w1,rows,in,hidden,r,q).e;
*/

/* e_u, e_a: (rows, hidden). */
/*@ requires In2(h,rows,in) && In2(w1,in,hidden);
    requires Out2(e_u,rows,hidden) && Out2(e_a,rows,hidden);
    requires Sep(e_u,ix(rows,hidden,0),h,ix(rows,in,0));
    requires Sep(e_u,ix(rows,hidden,0),w1,ix(in,hidden,0));
    requires Sep(e_u,ix(rows,hidden,0),e_a,ix(rows,hidden,0));
    requires Sep(e_a,ix(rows,hidden,0),h,ix(rows,in,0));
    requires Sep(e_a,ix(rows,hidden,0),w1,ix(in,hidden,0));
    assigns e_u[0 .. ix(rows,hidden,0)-1], e_a[0 .. ix(rows,hidden,0)-1];
    ensures HiddenErrors{Pre,Post}(A,h,w1,e_u,e_a,rows,in,hidden,rows);
*/
static void hidden_errors(idx rows, idx in, idx hidden, const double *h, const double *w1, arith A,
                          double *e_u, double *e_a)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant HiddenErrors{Pre,Here}(A,h,w1,e_u,e_a,rows,in,hidden,r);
      loop assigns r, e_u[0 .. ix(rows,hidden,0)-1], e_a[0 .. ix(rows,hidden,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    /*@ loop invariant 0 <= q <= hidden;
        loop invariant HiddenErrors{Pre,Here}(A,h,w1,e_u,e_a,rows,in,hidden,r);
        loop invariant LineHidden{Pre,Here}(A,h,w1,e_u,e_a,rows,in,hidden,r,q);
        loop assigns q, e_u[0 .. ix(rows,hidden,0)-1], e_a[0 .. ix(rows,hidden,0)-1];
        loop variant hidden - q;
    */
    for (idx q = 0; q < hidden; q++) {
      //@ assert same: Same{Pre,Here}(h,ix(rows,in,0)) && Same{Pre,Here}(w1,ix(in,hidden,0));
      pair x = dot_pair(A, 0, 0, h, w1, rows, in, hidden, r, q, A.h2), y = pair_gelu_of(A, x);
      //@ assert x_is: x == DotPair{Pre}(A,0,0,h,w1,rows,in,hidden,r,q,A.h2);
      //@ assert y_is: y == FfnHiddenPair{Pre}(A,h,w1,rows,in,hidden,r,q);
      e_u[at2(rows, hidden, r, q)] = x.e;
      e_a[at2(rows, hidden, r, q)] = y.e;
      //@ assert before: LineHidden{Pre,Here}(A,h,w1,e_u,e_a,rows,in,hidden,r,q);
      //@ assert this: e_u[ix(r,hidden,q)] == x.e && e_a[ix(r,hidden,q)] == y.e;
    }
  }
}

/* e: (rows, out). */
/*@ requires In2(h,rows,in) && In2(w1,in,hidden) && In2(w2,hidden,out) && Out2(e,rows,out);
    requires Sep(e,ix(rows,out,0),h,ix(rows,in,0)) && Sep(e,ix(rows,out,0),w1,ix(in,hidden,0));
    requires Sep(e,ix(rows,out,0),w2,ix(hidden,out,0));
    assigns e[0 .. ix(rows,out,0)-1];
    ensures SumErrors{Pre,Post}(A,h,w1,w2,e,rows,in,hidden,out,rows);
*/
static void sum_errors(idx rows, idx in, idx hidden, idx out, const double *h, const double *w1,
                       const double *w2, arith A, double *e)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant SumErrors{Pre,Here}(A,h,w1,w2,e,rows,in,hidden,out,r);
      loop assigns r, e[0 .. ix(rows,out,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    clear_line(rows, out, 0, r, e);
    /*@ loop invariant 0 <= q <= hidden;
        loop invariant SumErrors{Pre,Here}(A,h,w1,w2,e,rows,in,hidden,out,r);
        loop invariant LineErrors{Pre,Here}(A,h,w1,w2,e,rows,in,hidden,out,r,q);
        loop assigns q, e[0 .. ix(rows,out,0)-1];
        loop variant hidden - q;
    */
    for (idx q = 0; q < hidden; q++) {
      //@ assert same: Same{Pre,Here}(h,ix(rows,in,0)) && Same{Pre,Here}(w1,ix(in,hidden,0));
      //@ assert same_w2: Same{Pre,Here}(w2,ix(hidden,out,0));
      pair x = pair_gelu_of(A, dot_pair(A, 0, 0, h, w1, rows, in, hidden, r, q, A.h2));
      //@ assert x_is: x == FfnHiddenPair{Pre}(A,h,w1,rows,in,hidden,r,q);
      add_errors(A, A.h, rows, hidden, out, 0, 0, r, q, x, w2, e);
    }
    //@ assert line: LineErrors{Pre,Here}(A,h,w1,w2,e,rows,in,hidden,out,r,hidden);
    //@ assert lines: SumErrors{Pre,Here}(A,h,w1,w2,e,rows,in,hidden,out,r+1);
  }
}

void bound_ffn(idx rows, idx in, idx hidden, idx out, const double *h, const double *w1,
               const double *w2, arith A, double *e_y, double *e_u, double *e_a)
{
  sum_errors(rows, in, hidden, out, h, w1, w2, A, e_y);
  end_errors(A, A.h, size2(rows, out), e_y);
  //@ assert same: Same{Pre,Here}(h,ix(rows,in,0)) && Same{Pre,Here}(w1,ix(in,hidden,0));
  /*@ assert dot_is: \forall integer r, q; 0 <= r < rows ==> 0 <= q < hidden ==>
        DotPair{Here}(A,0,0,h,w1,rows,in,hidden,r,q,A.h2) ==
        DotPair{Pre}(A,0,0,h,w1,rows,in,hidden,r,q,A.h2); */
  hidden_errors(rows, in, hidden, h, w1, A, e_u, e_a);
}

/*@ lemma ffn_du_pair_frame{L1,L2}: \forall arith A, scalar *w2, *u, *g,
      integer rows, hidden, out, r, q; 0 <= r < rows ==> 0 <= q < hidden ==>
      Same{L1,L2}(w2,ix(hidden,out,0)) ==> Same{L1,L2}(u,ix(rows,hidden,0)) ==>
      Same{L1,L2}(g,ix(rows,out,0)) ==>
      FfnDuPair{L1}(A,w2,u,g,rows,hidden,out,r,q) == FfnDuPair{L2}(A,w2,u,g,rows,hidden,out,r,q);
    lemma ffn_du_pair_t_frame{L1,L2}: \forall arith A, integer t, scalar *w2, *u, *g,
      integer rows, hidden, out, i, p;
      0 <= i < FfnInner(t,hidden,rows) ==> 0 <= p < FfnInner(t,rows,hidden) ==>
      Same{L1,L2}(w2,ix(hidden,out,0)) ==> Same{L1,L2}(u,ix(rows,hidden,0)) ==>
      Same{L1,L2}(g,ix(rows,out,0)) ==> FfnDuPairT{L1}(A,t,w2,u,g,rows,hidden,out,i,p) ==
      FfnDuPairT{L2}(A,t,w2,u,g,rows,hidden,out,i,p);
    lemma ffn_back_errors_next{L1,L2}: \forall arith A, real height, integer t,
      scalar *w2, *u, *g, *b, integer rows, in, hidden, out, i, j, p;
      0 <= i < FfnInner(t,hidden,rows) ==> 0 <= j < in ==> 0 <= p < FfnInner(t,rows,hidden) ==>
      Same{L1,L2}(w2,ix(hidden,out,0)) ==> Same{L1,L2}(u,ix(rows,hidden,0)) ==>
      Same{L1,L2}(g,ix(rows,out,0)) ==> Same{L1,L2}(b,ix(FfnInner(t,rows,hidden),in,0)) ==>
      FfnBackErrors{L1}(A,height,t,w2,u,g,b,rows,in,hidden,out,i,j,p) ==
      FfnBackErrors{L2}(A,height,t,w2,u,g,b,rows,in,hidden,out,i,j,p) ==>
      FfnBackErrors{L1}(A,height,t,w2,u,g,b,rows,in,hidden,out,i,j,p+1) ==
      FfnBackErrors{L2}(A,height,t,w2,u,g,b,rows,in,hidden,out,i,j,p+1);
    lemma ffn_back_errors_frame{L1,L2}: \forall arith A, real height, integer t,
      scalar *w2, *u, *g, *b, integer rows, in, hidden, out, i, j, p;
      0 <= i < FfnInner(t,hidden,rows) ==> 0 <= j < in ==> p <= FfnInner(t,rows,hidden) ==>
      Same{L1,L2}(w2,ix(hidden,out,0)) ==> Same{L1,L2}(u,ix(rows,hidden,0)) ==>
      Same{L1,L2}(g,ix(rows,out,0)) ==> Same{L1,L2}(b,ix(FfnInner(t,rows,hidden),in,0)) ==>
      FfnBackErrors{L1}(A,height,t,w2,u,g,b,rows,in,hidden,out,i,j,p) ==
      FfnBackErrors{L2}(A,height,t,w2,u,g,b,rows,in,hidden,out,i,j,p);
*/

/*@ requires In2(w2,hidden,out) && In2(u,rows,hidden) && In2(g,rows,out);
    requires 0 <= r < rows && 0 <= q < hidden;
    assigns \nothing;
    ensures \result == FfnDuPair{Pre}(A,w2,u,g,rows,hidden,out,r,q);
*/
static pair du_pair(arith A, idx rows, idx hidden, idx out, const double *w2, const double *u,
                    const double *g, idx r, idx q)
{
  pair slope = pair_gelu_d(A, u[at2(rows, hidden, r, q)]);
  return pair_mul(A, slope, dot_pair(A, 0, 1, g, w2, rows, out, hidden, r, q, A.h));
}

/*@ requires In2(w2,hidden,out) && In2(u,rows,hidden) && In2(g,rows,out);
    requires 0 <= i < FfnInner(t,hidden,rows) && 0 <= p < FfnInner(t,rows,hidden);
    assigns \nothing;
    ensures \result == FfnDuPairT{Pre}(A,t,w2,u,g,rows,hidden,out,i,p);
*/
static pair du_pair_t(arith A, int t, idx rows, idx hidden, idx out, const double *w2,
                      const double *u, const double *g, idx i, idx p)
{
  return t ? du_pair(A, rows, hidden, out, w2, u, g, p, i)
           : du_pair(A, rows, hidden, out, w2, u, g, i, p);
}

/*@ predicate BackErrors{L1,L2}(arith A, real height, integer t, scalar *w2, scalar *u, scalar *g,
                                scalar *b, scalar *e, integer rows, integer in, integer hidden,
                                integer out, integer n) =
      \forall integer i, j; 0 <= i < n ==> 0 <= j < in ==>
        \at(e[ixt(t,FfnInner(t,hidden,rows),in,i,j)],L2) ==
        FfnBackErrors{L1}(A,height,t,w2,u,g,b,rows,in,hidden,out,i,j,FfnInner(t,rows,hidden));
    predicate BackLine{L1,L2}(arith A, real height, integer t, scalar *w2, scalar *u, scalar *g,
                              scalar *b, scalar *e, integer rows, integer in, integer hidden,
                              integer out, integer i, integer p) =
      \forall integer j; 0 <= j < in ==>
        \at(e[ixt(t,FfnInner(t,hidden,rows),in,i,j)],L2) ==
        FfnBackErrors{L1}(A,height,t,w2,u,g,b,rows,in,hidden,out,i,j,p);
*/

/* As back, of the errors. */
/*@ requires In2(w2,hidden,out) && In2(u,rows,hidden) && In2(g,rows,out) && 0 <= in;
    requires In2(b,FfnInner(t,rows,hidden),in) && Out2(e,FfnInner(t,hidden,rows),in);
    requires Sep(e,ix(FfnInner(t,hidden,rows),in,0),b,ix(FfnInner(t,rows,hidden),in,0));
    requires Sep(e,ix(FfnInner(t,hidden,rows),in,0),w2,ix(hidden,out,0));
    requires Sep(e,ix(FfnInner(t,hidden,rows),in,0),u,ix(rows,hidden,0));
    requires Sep(e,ix(FfnInner(t,hidden,rows),in,0),g,ix(rows,out,0));
    assigns e[0 .. ix(FfnInner(t,hidden,rows),in,0)-1];
    ensures BackErrors{Pre,Post}(A,height,t,w2,u,g,b,e,rows,in,hidden,out,FfnInner(t,hidden,rows));
*/
static void back_errors(arith A, double height, int t, idx rows, idx in, idx hidden, idx out,
                        const double *w2, const double *u, const double *g, const double *b,
                        double *e)
{
  idx m = t ? hidden : rows, k = t ? rows : hidden;
  int tb = !t;
  //@ assert lines: m == FfnInner(t,hidden,rows) && k == FfnInner(t,rows,hidden) && tb == flip(t);
  /*@ loop invariant 0 <= i <= m;
      loop invariant BackErrors{Pre,Here}(A,height,t,w2,u,g,b,e,rows,in,hidden,out,i);
      loop assigns i, e[0 .. ix(m,in,0)-1];
      loop variant m - i;
  */
  for (idx i = 0; i < m; i++) {
    clear_line(m, in, t, i, e);
    /*@ loop invariant 0 <= p <= k;
        loop invariant BackErrors{Pre,Here}(A,height,t,w2,u,g,b,e,rows,in,hidden,out,i);
        loop invariant BackLine{Pre,Here}(A,height,t,w2,u,g,b,e,rows,in,hidden,out,i,p);
        loop assigns p, e[0 .. ix(m,in,0)-1];
        loop variant k - p;
    */
    for (idx p = 0; p < k; p++) {
      //@ assert same: Same{Pre,Here}(w2,ix(hidden,out,0)) && Same{Pre,Here}(b,ix(k,in,0));
      //@ assert too: Same{Pre,Here}(u,ix(rows,hidden,0)) && Same{Pre,Here}(g,ix(rows,out,0));
      pair du = du_pair_t(A, t, rows, hidden, out, w2, u, g, i, p);
      //@ assert du_is: du == FfnDuPairT{Pre}(A,t,w2,u,g,rows,hidden,out,i,p);
      add_errors(A, height, m, k, in, tb, t, i, p, du, b, e);
    }
    /*@ assert line: BackLine{Pre,Here}(A,height,t,w2,u,g,b,e,rows,in,hidden,out,i,
          FfnInner(t,rows,hidden)); */
  }
}

/* What back is off by. */
/*@ requires In2(w2,hidden,out) && In2(u,rows,hidden) && In2(g,rows,out) && 0 <= in;
    requires In2(b,FfnInner(t,rows,hidden),in) && Out2(e,FfnInner(t,hidden,rows),in);
    requires Sep(e,ix(FfnInner(t,hidden,rows),in,0),b,ix(FfnInner(t,rows,hidden),in,0));
    requires Sep(e,ix(FfnInner(t,hidden,rows),in,0),w2,ix(hidden,out,0));
    requires Sep(e,ix(FfnInner(t,hidden,rows),in,0),u,ix(rows,hidden,0));
    requires Sep(e,ix(FfnInner(t,hidden,rows),in,0),g,ix(rows,out,0));
    assigns e[0 .. ix(FfnInner(t,hidden,rows),in,0)-1];
    ensures \forall integer i, j; 0 <= i < FfnInner(t,hidden,rows) ==> 0 <= j < in ==>
      e[ixt(t,FfnInner(t,hidden,rows),in,i,j)] ==
      e_terms(A, FfnBackErrors{Pre}(A,height,t,w2,u,g,b,rows,in,hidden,out,i,j,
                                    FfnInner(t,rows,hidden)), height);
*/
static void bound_back(arith A, double height, int t, idx rows, idx in, idx hidden, idx out,
                       const double *w2, const double *u, const double *g, const double *b,
                       double *e)
{
  back_errors(A, height, t, rows, in, hidden, out, w2, u, g, b, e);
  end_errors(A, height, size2(t ? hidden : rows, in), e);
}

/* e: (m, n), of the product of a' and b. */
/*@ requires In2(a,m,k) && In2(b,k,n) && Out2(e,m,n);
    requires Sep(e,ix(m,n,0),a,ix(m,k,0)) && Sep(e,ix(m,n,0),b,ix(k,n,0));
    assigns e[0 .. ix(m,n,0)-1];
    ensures \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==>
      e[ix(i,n,j)] == DotPair{Pre}(A,1,0,a,b,m,k,n,i,j,A.h2).e;
*/
static void dot_errors(arith A, idx m, idx k, idx n, const double *a, const double *b, double *e)
{
  /*@ loop invariant 0 <= i <= m;
      loop invariant \forall integer s, j; 0 <= s < i ==> 0 <= j < n ==>
        e[ix(s,n,j)] == DotPair{Pre}(A,1,0,a,b,m,k,n,s,j,A.h2).e;
      loop assigns i, e[0 .. ix(m,n,0)-1];
      loop variant m - i;
  */
  for (idx i = 0; i < m; i++) {
    /*@ loop invariant 0 <= j <= n;
        loop invariant \forall integer s, c; 0 <= s < i ==> 0 <= c < n ==>
          e[ix(s,n,c)] == DotPair{Pre}(A,1,0,a,b,m,k,n,s,c,A.h2).e;
        loop invariant \forall integer c; 0 <= c < j ==>
          e[ix(i,n,c)] == DotPair{Pre}(A,1,0,a,b,m,k,n,i,c,A.h2).e;
        loop assigns j, e[0 .. ix(m,n,0)-1];
        loop variant n - j;
    */
    for (idx j = 0; j < n; j++) {
      //@ assert same: Same{Pre,Here}(a,ix(m,k,0)) && Same{Pre,Here}(b,ix(k,n,0));
      pair c = dot_pair(A, 1, 0, a, b, m, k, n, i, j, A.h2);
      //@ assert c_is: c == DotPair{Pre}(A,1,0,a,b,m,k,n,i,j,A.h2);
      e[at2(m, n, i, j)] = c.e;
    }
  }
}

void bound_ffn_vjp(idx rows, idx in, idx hidden, idx out, const double *h, const double *w1,
                   const double *w2, const double *u, const double *a, const double *g, arith A,
                   double *e_dh, double *e_dw1, double *e_dw2)
{
  //@ assert plain: FfnInner(0,rows,hidden) == hidden && FfnInner(0,hidden,rows) == rows;
  //@ assert turned: FfnInner(1,rows,hidden) == rows && FfnInner(1,hidden,rows) == hidden;
  bound_back(A, A.h, 0, rows, in, hidden, out, w2, u, g, w1, e_dh);
  //@ assert same: Same{Pre,Here}(w2,ix(hidden,out,0)) && Same{Pre,Here}(h,ix(rows,in,0));
  //@ assert too: Same{Pre,Here}(u,ix(rows,hidden,0)) && Same{Pre,Here}(g,ix(rows,out,0));
  bound_back(A, A.h2, 1, rows, in, hidden, out, w2, u, g, h, e_dw1);
  //@ assert same_a: Same{Pre,Here}(a,ix(hidden,rows,0)) && Same{Pre,Here}(g,ix(rows,out,0));
  /*@ assert dot_is: \forall integer q, o; 0 <= q < hidden ==> 0 <= o < out ==>
        DotPair{Here}(A,1,0,a,g,hidden,rows,out,q,o,A.h2) ==
        DotPair{Pre}(A,1,0,a,g,hidden,rows,out,q,o,A.h2); */
  dot_errors(A, hidden, rows, out, a, g, e_dw2);
}
