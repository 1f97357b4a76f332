#include "bias.h"
#include "accumulate.h"
#include "lost.h"

void ref_add_bias(idx rows, idx cols, const double *x, const double *b, double *y)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant \forall integer q, s; 0 <= q < r ==> 0 <= s < cols ==>
        y[ix(q,cols,s)] == rd{Pre}(x,ix(q,cols,s)) + rd{Pre}(b,s);
      loop assigns r, y[0 .. ix(rows,cols,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    /*@ loop invariant 0 <= c <= cols;
        loop invariant \forall integer q, s; 0 <= q < r ==> 0 <= s < cols ==>
          y[ix(q,cols,s)] == rd{Pre}(x,ix(q,cols,s)) + rd{Pre}(b,s);
        loop invariant \forall integer s; 0 <= s < c ==>
          y[ix(r,cols,s)] == rd{Pre}(x,ix(r,cols,s)) + rd{Pre}(b,s);
        loop assigns c, y[0 .. ix(rows,cols,0)-1];
        loop variant cols - c;
    */
    for (idx c = 0; c < cols; c++) {
      idx i = at2(rows, cols, r, c);
      y[i] = x[i] + b[c];
    }
  }
}

void col_sums(idx rows, idx cols, const double *g, double *sums)
{
  /*@ loop invariant 0 <= c <= cols;
      loop invariant \forall integer s; 0 <= s < c ==> sums[s] == ColSum{Pre}(g,cols,s,rows);
      loop assigns c, sums[0 .. cols-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++) {
    double s = 0.0, lost = 0.0;
    /*@ loop invariant 0 <= r <= rows;
        loop invariant s == ColSum{Pre}(g,cols,c,r) && is_zero(lost);
        loop assigns r, s, lost;
        loop variant rows - r;
    */
    for (idx r = 0; r < rows; r++) {
      double v = g[at2(rows, cols, r, c)];
      lost += lost_sum(s, v);
      s += v;
    }
    sums[c] = s + r_kept(lost);
  }
}

void ref_add_bias_vjp(idx rows, idx cols, const double *g, double *dx, double *db)
{
  col_sums(rows, cols, g, db);
  //@ assert same: Same{Pre,Here}(g,ix(rows,cols,0));
  ref_copy(size2(rows, cols), g, dx);
}

void bound_add_bias_vjp(idx rows, idx cols, const double *g, arith A, double *e_db)
{
  /*@ loop invariant 0 <= c <= cols;
      loop invariant \forall integer k; 0 <= k < c ==> e_db[k] ==
        p_sum(A, ColSum{Pre}(g,cols,k,rows), ColSumAbs{Pre}(g,cols,k,rows), 0.0, A.h2).e;
      loop assigns c, e_db[0 .. cols-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++) {
    double sv = 0.0, sa = 0.0;
    /*@ loop invariant 0 <= r <= rows;
        loop invariant sv == ColSum{Pre}(g,cols,c,r) && sa == ColSumAbs{Pre}(g,cols,c,r);
        loop assigns r, sv, sa;
        loop variant rows - r;
    */
    for (idx r = 0; r < rows; r++) {
      double x = g[at2(rows, cols, r, c)];
      sv += x;
      sa += r_abs(x);
    }
    pair db = pair_sum(A, sv, sa, 0.0, A.h2);
    e_db[c] = db.e;
  }
}
