#include "linear.h"
#include "lost.h"

/*@ predicate Lines{L1,L2}(scalar *x, scalar *w, scalar *b, scalar *y,
                           integer rows, integer in, integer out, integer n) =
      \forall integer r, o; 0 <= r < n ==> 0 <= o < out ==>
        \at(y[ix(r,out,o)],L2) == Linear{L1}(x,w,b,rows,in,out,r,o);
    predicate LineBounds{L1,L2}(arith A, scalar *x, scalar *w, scalar *b, scalar *e,
                                integer rows, integer in, integer out, integer n) =
      \forall integer r, o; 0 <= r < n ==> 0 <= o < out ==>
        \at(e[ix(r,out,o)],L2) == LinearBound{L1}(A,x,w,b,rows,in,out,r,o);
*/

void ref_linear(idx rows, idx in, idx out, const double *x, const double *w, const double *b,
                double *y)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant Lines{Pre,Here}(x,w,b,y,rows,in,out,r);
      loop assigns r, y[0 .. ix(rows,out,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    /*@ loop invariant 0 <= o <= out;
        loop invariant Lines{Pre,Here}(x,w,b,y,rows,in,out,r);
        loop invariant \forall integer s; 0 <= s < o ==>
          y[ix(r,out,s)] == Linear{Pre}(x,w,b,rows,in,out,r,s);
        loop assigns o, y[0 .. ix(rows,out,0)-1];
        loop variant out - o;
    */
    for (idx o = 0; o < out; o++) {
      double dot = 0.0, lost = 0.0;
      /*@ loop invariant 0 <= i <= in;
          loop invariant dot == MatDot{Pre}(0,1,x,w,rows,in,out,r,o,i) && is_zero(lost);
          loop assigns i, dot, lost;
          loop variant in - i;
      */
      for (idx i = 0; i < in; i++) {
        double xw = r_mul(x[at2(rows, in, r, i)], w[at2(out, in, o, i)]);
        //@ assert ixt(0,rows,in,r,i) == ix(r,in,i) && ixt(1,in,out,i,o) == ix(o,in,i);
        lost += lost_sum(dot, xw);
        dot += xw;
      }
      //@ assert once: rmul(1.0,dot) == dot;
      y[at2(rows, out, r, o)] = (dot + b[o]) + r_kept(lost);
    }
  }
}

void ref_linear_vjp(idx rows, idx in, idx out, const double *x, const double *w, const double *g,
                    double *dx, double *dw, double *db)
{
  col_sums(rows, out, g, db);
  //@ assert same_x: Same{Pre,Here}(x,ix(rows,in,0)) && Same{Pre,Here}(w,ix(in,out,0));
  //@ assert same_g: Same{Pre,Here}(g,ix(rows,out,0));
  ref_matmul_vjp(rows, in, out, 0, 1, 1.0, x, w, g, dx, dw);
}

double biased_dot_error(arith A, double dot, double abs, double b, idx n)
{
  pair y = pair_sum(A, dot + b, abs + r_abs(b), pair_gam(A.u, 1.0) * abs + (double)n * A.eta, A.h);
  return y.e;
}

void bound_linear(idx rows, idx in, idx out, const double *x, const double *w, const double *b,
                  arith A, double *e_y)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant LineBounds{Pre,Here}(A,x,w,b,e_y,rows,in,out,r);
      loop assigns r, e_y[0 .. ix(rows,out,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    /*@ loop invariant 0 <= o <= out;
        loop invariant LineBounds{Pre,Here}(A,x,w,b,e_y,rows,in,out,r);
        loop invariant \forall integer s; 0 <= s < o ==>
          e_y[ix(r,out,s)] == LinearBound{Pre}(A,x,w,b,rows,in,out,r,s);
        loop assigns o, e_y[0 .. ix(rows,out,0)-1];
        loop variant out - o;
    */
    for (idx o = 0; o < out; o++) {
      double dot = 0.0, abs = 0.0;
      /*@ loop invariant 0 <= i <= in;
          loop invariant dot == MatDot{Pre}(0,1,x,w,rows,in,out,r,o,i);
          loop invariant abs == MatAbs{Pre}(0,1,x,w,rows,in,out,r,o,i);
          loop assigns i, dot, abs;
          loop variant in - i;
      */
      for (idx i = 0; i < in; i++) {
        double xw = r_mul(x[at2(rows, in, r, i)], w[at2(out, in, o, i)]);
        //@ assert ixt(0,rows,in,r,i) == ix(r,in,i) && ixt(1,in,out,i,o) == ix(o,in,i);
        dot += xw;
        abs += r_abs(xw);
      }
      e_y[at2(rows, out, r, o)] = biased_dot_error(A, dot, abs, b[o], in);
    }
  }
}

void bound_linear_vjp(idx rows, idx in, idx out, const double *x, const double *w, const double *g,
                      arith A, double *e_dx, double *e_dw, double *e_db)
{
  bound_add_bias_vjp(rows, out, g, A, e_db);
  //@ assert same_x: Same{Pre,Here}(x,ix(rows,in,0)) && Same{Pre,Here}(w,ix(in,out,0));
  //@ assert same_g: Same{Pre,Here}(g,ix(rows,out,0));
  bound_matmul_vjp(rows, in, out, 0, 1, 1.0, x, w, g, A, e_dx, e_dw);
}
