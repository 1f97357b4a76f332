#include "elementwise.h"
#include "accumulate.h"

void ref_add(idx n, const double *a, const double *b, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> y[j] == rd{Pre}(a,j) + rd{Pre}(b,j);
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = a[i] + b[i];
}

void ref_add_vjp(idx n, const double *g, double *da, double *db)
{
  ref_copy(n, g, da);
  ref_copy(n, g, db);
}

/*@ assigns \nothing; ensures \result == GeluIn(a); */
static double gelu_in(double a) { return GELU_SCALE * (a + GELU_CUBIC * a * a * a); }

/*@ assigns \nothing; ensures \result == Gelu(a); */
static double gelu(double a) { return 0.5 * a * (1.0 + ref_tanh(gelu_in(a))); }

/*@ assigns \nothing; ensures \result == GeluD(a); */
static double gelu_d(double a)
{
  double t = ref_tanh(gelu_in(a));
  double slope = GELU_SCALE * (1.0 + 3.0 * GELU_CUBIC * a * a);
  return 0.5 * (1.0 + t) + 0.5 * a * (1.0 - t * t) * slope;
}

void ref_gelu(idx n, const double *a, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> y[j] == Gelu(rd{Pre}(a,j));
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = gelu(a[i]);
}

void ref_gelu_vjp(idx n, const double *a, const double *g, double *da)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==>
        da[j] == GeluVjp(rd{Pre}(a,j),rd{Pre}(g,j));
      loop assigns i, da[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    da[i] = r_mul(g[i], gelu_d(a[i]));
}

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

/* db[c] = sum over r of g[r,c], row by row. */
/*@ requires In2(g,rows,cols) && Out1(db,cols) && Sep(db,cols,g,ix(rows,cols,0));
    assigns db[0 .. cols-1];
    ensures \forall integer c; 0 <= c < cols ==> db[c] == ColSum{Pre}(g,cols,c,rows);
*/
static void col_sum(idx rows, idx cols, const double *g, double *db)
{
  /*@ loop invariant 0 <= c <= cols;
      loop invariant \forall integer s; 0 <= s < c ==> db[s] == 0.0;
      loop assigns c, db[0 .. cols-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++)
    db[c] = 0.0;
  /*@ loop invariant 0 <= r <= rows;
      loop invariant \forall integer s; 0 <= s < cols ==> db[s] == ColSum{Pre}(g,cols,s,r);
      loop assigns r, db[0 .. cols-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    /*@ loop invariant 0 <= c <= cols;
        loop invariant \forall integer s; 0 <= s < c ==> db[s] == ColSum{Pre}(g,cols,s,r+1);
        loop invariant \forall integer s; c <= s < cols ==> db[s] == ColSum{Pre}(g,cols,s,r);
        loop assigns c, db[0 .. cols-1];
        loop variant cols - c;
    */
    for (idx c = 0; c < cols; c++)
      db[c] += g[at2(rows, cols, r, c)];
  }
}

void ref_add_bias_vjp(idx rows, idx cols, const double *g, double *dx, double *db)
{
  ref_copy(size2(rows, cols), g, dx);
  col_sum(rows, cols, g, db);
}

/*@ assigns \nothing; ensures \result == p_gelu_in(A,a); */
static pair pair_gelu_in(arith A, double a)
{
  if (r_abs(a) < GELU_FAR) {
    pair x = pair_in(a);
    pair rise = pair_add(A, pair_in(1.0), pair_mul3(A, pair_const(A, GELU_CUBIC), x, x));
    return pair_mul3(A, pair_const(A, GELU_SCALE), x, rise);
  }
  return pair_make(gelu_in(a), 0.5 * r_abs(gelu_in(a)));
}

/*@ assigns \nothing; ensures \result == p_gelu(A,a); */
static pair pair_gelu(arith A, double a)
{
  pair one = pair_in(1.0), x = pair_in(a), in = pair_gelu_in(A, a);
  pair y = pair_mul3(A, pair_in(0.5), x, pair_add(A, one, pair_tanh(A, in)));
  pair exp_in = pair_exp(A, pair_make(-2.0 * in.v, 2.0 * in.e));
  pair z = pair_quo(A, x, pair_add(A, one, exp_in), 2.0);
  if (z.e < VACUOUS && y.e < z.e) return pair_make(y.v, z.e);
  return y;
}

/*@ assigns \nothing; ensures \result == p_sech2(A,in); */
static pair pair_sech2(arith A, pair in)
{
  pair t = pair_tanh(A, in);
  if (pair_saturated(A, in)) return pair_make(1.0 - t.v * t.v, 2.0 * t.e);
  pair q = pair_sub(A, pair_in(1.0), pair_mul(A, t, t));
  return pair_rnd(A, q.v, q.e, 2.0);
}

/*@ assigns \nothing; ensures \result == p_gelu_d(A,a); */
static pair pair_gelu_d(arith A, double a)
{
  pair one = pair_in(1.0), half = pair_in(0.5), x = pair_in(a), in = pair_gelu_in(A, a);
  pair cubic3 = pair_mul(A, pair_in(3.0), pair_const(A, GELU_CUBIC));
  pair rise = pair_add(A, one, pair_mul3(A, cubic3, x, x));
  pair slope = pair_mul(A, pair_const(A, GELU_SCALE), rise);
  pair left = pair_mul(A, half, pair_add(A, one, pair_tanh(A, in)));
  pair right = pair_mul3(A, pair_mul(A, half, x), pair_sech2(A, in), slope);
  return pair_add(A, left, right);
}

void bound_gelu(idx n, const double *a, const arith *ar, double *e_y)
{
  arith A = *ar;
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> e_y[j] == p_gelu(A,rd{Pre}(a,j)).e;
      loop assigns i, e_y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    pair y = pair_gelu(A, a[i]);
    e_y[i] = y.e;
  }
}

void bound_gelu_vjp(idx n, const double *a, const double *g, const arith *ar, double *e_da)
{
  arith A = *ar;
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==>
        e_da[j] == p_gelu_vjp(A,rd{Pre}(a,j),rd{Pre}(g,j)).e;
      loop assigns i, e_da[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    pair da = pair_mul(A, pair_gelu_d(A, a[i]), pair_in(g[i]));
    e_da[i] = da.e;
  }
}

void bound_add_bias_vjp(idx rows, idx cols, const double *g, const arith *ar, double *e_db)
{
  arith A = *ar;
  /*@ loop invariant 0 <= c <= cols;
      loop invariant \forall integer s; 0 <= s < c ==> e_db[s] == 0.0;
      loop assigns c, e_db[0 .. cols-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++)
    e_db[c] = 0.0;
  /*@ loop invariant 0 <= r <= rows;
      loop invariant \forall integer s; 0 <= s < cols ==> e_db[s] == ColSumAbs{Pre}(g,cols,s,r);
      loop assigns r, e_db[0 .. cols-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    /*@ loop invariant 0 <= c <= cols;
        loop invariant \forall integer s; 0 <= s < c ==>
          e_db[s] == ColSumAbs{Pre}(g,cols,s,r+1);
        loop invariant \forall integer s; c <= s < cols ==>
          e_db[s] == ColSumAbs{Pre}(g,cols,s,r);
        loop assigns c, e_db[0 .. cols-1];
        loop variant cols - c;
    */
    for (idx c = 0; c < cols; c++)
      e_db[c] += r_abs(g[at2(rows, cols, r, c)]);
  }
  /*@ loop invariant 0 <= c <= cols;
      loop invariant \forall integer s; 0 <= s < c ==>
        e_db[s] == p_sum(A, 0.0, ColSumAbs{Pre}(g,cols,s,rows), 0.0, A.h2).e;
      loop invariant \forall integer s; c <= s < cols ==>
        e_db[s] == ColSumAbs{Pre}(g,cols,s,rows);
      loop assigns c, e_db[0 .. cols-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++) {
    pair db = pair_sum(A, 0.0, e_db[c], 0.0, A.h2);
    e_db[c] = db.e;
  }
}
