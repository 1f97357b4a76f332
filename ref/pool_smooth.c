#include "pool_smooth.h"

/*@ assigns \nothing; ensures \result == smooth_exp(beta,v,m); */
static double weight(double beta, double v, double m)
{
  return r_exp(v == m ? 0.0 : r_mul(beta, v - m)); /* of equal infinities too */
}

/*@ assigns \nothing; ensures \result == farther(beta,a,b); */
static double the_farther(double beta, double a, double b)
{
  int less = b < a;
  return less == (beta < 0.0) ? b : a;
}

/* What tap u of output t reads; x is a line. */
/*@ requires Window(w) && Windowed(w) && In1(x,w.cells) && 0 <= t && 0 <= u;
    assigns \nothing;
    ensures \result == TapValue(x,w,t,u);
*/
static double tap_value(window w, idx t, idx u, const double *x)
{
  idx c = window_cell(w, t, u);
  return c < 0 ? 0.0 : x[c];
}

/*@ requires Window(w) && Windowed(w) && In1(x,w.cells) && 0 <= t;
    assigns \nothing;
    ensures \result == SmoothPivot(beta,x,w,t,w.taps);
*/
static double pivot(double beta, window w, idx t, const double *x)
{
  double m = tap_value(w, t, 0, x);
  /*@ loop invariant 1 <= u <= w.taps && m == SmoothPivot(beta,x,w,t,u);
      loop assigns u, m;
      loop variant w.taps - u;
  */
  for (idx u = 1; u < w.taps; u++)
    m = the_farther(beta, m, tap_value(w, t, u, x));
  return m;
}

/*@ requires Window(w) && Windowed(w) && In1(x,w.cells) && 0 <= t;
    assigns \nothing;
    ensures \result == SmoothSum(beta,x,w,t,m,w.taps);
*/
static double exponentials(double beta, window w, idx t, double m, const double *x)
{
  double s = 0.0;
  /*@ loop invariant 0 <= u <= w.taps && s == SmoothSum(beta,x,w,t,m,u);
      loop assigns u, s;
      loop variant w.taps - u;
  */
  for (idx u = 0; u < w.taps; u++)
    s += weight(beta, tap_value(w, t, u, x), m);
  return s;
}

/*@ requires Window(w) && Windowed(w) && In1(x,w.cells) && 0 <= t && beta != 0.0;
    assigns \nothing;
    ensures \result == SmoothPool(beta,x,w,t);
*/
static double smooth_of(double beta, window w, idx t, const double *x)
{
  double m = pivot(beta, w, t, x);
  return m + r_div(r_log(exponentials(beta, w, t, m, x)), beta);
}

void ref_smooth_max_pool(idx lines, window w, double beta, const double *x, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE smooth_of(beta, w, t, line)
#define LOOP_IS(l, t) SmoothPool{Pre}(beta, x + ix(l, w.cells, 0), w, t)
#define LOOP_FRAME SmoothPool{Here}(beta, line, w, t) == SmoothPool{Pre}(beta, line, w, t)
#include "pool_lines.inc"
}

/*@ assigns \nothing; ensures \result == p_smooth_exp(A,beta,v,m); */
static pair pair_weight(arith A, double beta, double v, double m)
{
  if (v == m)
    return pair_in(1.0);
  if (r_mul(beta, v - m) < -SMOOTH_FAR)
    return pair_make(weight(beta, v, m), r_mul(2.0 * A.k_exp + 2.0, A.eta));
  return pair_exp(A, pair_mul(A, pair_in(beta), pair_sub(A, pair_in(v), pair_in(m))));
}

/*@ requires Window(w) && Windowed(w) && In1(x,w.cells) && 0 <= t;
    assigns \nothing;
    ensures \result == SmoothErrors(A,beta,x,w,t,m,w.taps);
*/
static double exponential_errors(arith A, double beta, window w, idx t, double m, const double *x)
{
  double s = 0.0;
  /*@ loop invariant 0 <= u <= w.taps && s == SmoothErrors(A,beta,x,w,t,m,u);
      loop assigns u, s;
      loop variant w.taps - u;
  */
  for (idx u = 0; u < w.taps; u++) {
    pair e = pair_weight(A, beta, tap_value(w, t, u, x), m);
    s += e.e;
  }
  return s;
}

/*@ assigns \nothing; ensures \result == e_smooth_pool(A,beta,m,sum,errors); */
static double pool_error(arith A, double beta, double m, double sum, double errors)
{
  pair l = pair_log(A, pair_sum(A, sum, sum, errors, A.h));
  pair y = pair_add(A, pair_in(m), pair_quo(A, l, pair_in(beta), 2.0));
  return y.e;
}

/*@ requires Window(w) && Windowed(w) && In1(x,w.cells) && 0 <= t;
    assigns \nothing;
    ensures \result == SmoothPoolBound(A,beta,x,w,t);
*/
static double smooth_error(arith A, double beta, window w, idx t, const double *x)
{
  double m = pivot(beta, w, t, x), sum = exponentials(beta, w, t, m, x);
  return pool_error(A, beta, m, sum, exponential_errors(A, beta, w, t, m, x));
}

void bound_smooth_max_pool(idx lines, window w, double beta, const double *x, arith A, double *e_y)
{
#define LOOP_OUT e_y
#define LOOP_VALUE smooth_error(A, beta, w, t, line)
#define LOOP_IS(l, t) SmoothPoolBound{Pre}(A, beta, x + ix(l, w.cells, 0), w, t)
#define LOOP_FRAME \
  SmoothPoolBound{Here}(A, beta, line, w, t) == SmoothPoolBound{Pre}(A, beta, line, w, t)
#include "pool_lines.inc"
}

/* ---- back ---- */

/*@ assigns \nothing; ensures \result == e_added(A,t); */
static double added(arith A, pair t)
{
  return t.e < VACUOUS ? t.e + r_mul(pair_gam(A.u, A.h), pair_mag(t)) : VACUOUS;
}

/*@ assigns \nothing;
    ensures bound == 0 ==> \result == rmul(g,smooth_exp(beta,x,y));
    ensures bound != 0 ==> \result == e_smooth_term(A,beta,x,y,g);
*/
static double back_term(int bound, arith A, double beta, double x, double y, double g)
{
  if (bound)
    return added(A, pair_mul(A, pair_in(g), pair_weight(A, beta, x, y)));
  return r_mul(g, weight(beta, x, y));
}

/* Of one line: what comes back to each cell. */
/*@ requires Window(w) && (0 < w.outs ==> Windowed(w)) && Out1(sum,w.cells);
    requires In1(x,w.cells) && In1(y,w.outs) && In1(g,w.outs);
    requires Sep(sum,w.cells,x,w.cells) && Sep(sum,w.cells,y,w.outs) && Sep(sum,w.cells,g,w.outs);
    assigns sum[0 .. w.cells-1];
    ensures \forall integer j; 0 <= j < w.cells ==>
      sum[j] == SmoothTerms{Pre}(bound,A,beta,x,y,g,w,j,w.outs);
*/
static void back_line(int bound, arith A, double beta, window w, const double *x, const double *y,
                      const double *g, double *sum)
{
  /*@ loop invariant 0 <= j <= w.cells;
      loop invariant \forall integer i; 0 <= i < j ==>
        sum[i] == SmoothTerms{Pre}(bound,A,beta,x,y,g,w,i,0);
      loop assigns j, sum[0 .. w.cells-1];
      loop variant w.cells - j;
  */
  for (idx j = 0; j < w.cells; j++)
    sum[j] = 0.0;
  /*@ loop invariant 0 <= t <= w.outs;
      loop invariant \forall integer j; 0 <= j < w.cells ==>
        sum[j] == SmoothTerms{Pre}(bound,A,beta,x,y,g,w,j,t);
      loop assigns t, sum[0 .. w.cells-1];
      loop variant w.outs - t;
  */
  for (idx t = 0; t < w.outs; t++)
    /*@ loop invariant 0 <= u <= w.taps;
        loop invariant \forall integer j; 0 <= j < w.cells ==>
          sum[j] == SmoothTerms{Pre}(bound,A,beta,x,y,g,w,j,t)
                    + SmoothTermsOf{Pre}(bound,A,beta,x,y,g,w,j,t,u);
        loop assigns u, sum[0 .. w.cells-1];
        loop variant w.taps - u;
    */
    for (idx u = 0; u < w.taps; u++) {
      idx c = window_cell(w, t, u);
      if (c >= 0) {
        double more = back_term(bound, A, beta, x[c], y[t], g[t]);
        //@ assert more == SmoothTerm{Pre}(bound,A,beta,x,y,g,c,t);
        sum[c] += more;
      }
    }
}

/*@ requires Unpools(w,lines,y,sum) && Unpools(w,lines,g,sum);
    requires \valid_read(x + (0 .. ix(lines,w.cells,0)-1));
    requires Sep(sum,ix(lines,w.cells,0),x,ix(lines,w.cells,0));
    assigns sum[0 .. ix(lines,w.cells,0)-1];
    ensures \forall integer l, j; 0 <= l < lines ==> 0 <= j < w.cells ==> sum[ix(l,w.cells,j)] ==
      SmoothTerms{Pre}(bound,A,beta,x+ix(l,w.cells,0),y+ix(l,w.outs,0),g+ix(l,w.outs,0),w,j,w.outs);
*/
static void back_lines(int bound, arith A, double beta, idx lines, window w, const double *x,
                       const double *y, const double *g, double *sum)
{
  //@ assert some: 0 < w.outs ==> Windowed(w);
  /*@ loop invariant 0 <= l <= lines;
      loop invariant \forall integer q, j; 0 <= q < l ==> 0 <= j < w.cells ==> sum[ix(q,w.cells,j)] ==
        SmoothTerms{Pre}(bound,A,beta,x+ix(q,w.cells,0),y+ix(q,w.outs,0),g+ix(q,w.outs,0),w,j,
                         w.outs);
      loop assigns l, sum[0 .. ix(lines,w.cells,0)-1];
      loop variant lines - l;
  */
  for (idx l = 0; l < lines; l++) {
    //@ ghost L0: ;
    idx from = size2(l, w.outs), to = size2(l, w.cells);
    //@ assert in: 0 <= from && from + w.outs <= ix(lines,w.outs,0);
    //@ assert out: 0 <= to && to + w.cells <= ix(lines,w.cells,0);
    //@ assert same_x: \forall integer j; 0 <= j < w.cells ==> x[to+j] == rd{Pre}(x,to+j);
    //@ assert same_y: \forall integer t; 0 <= t < w.outs ==> y[from+t] == rd{Pre}(y,from+t);
    //@ assert same_g: \forall integer t; 0 <= t < w.outs ==> g[from+t] == rd{Pre}(g,from+t);
    /*@ assert frame: \forall integer j; 0 <= j < w.cells ==>
          SmoothTerms{Here}(bound,A,beta,x+to,y+from,g+from,w,j,w.outs) ==
          SmoothTerms{Pre}(bound,A,beta,x+to,y+from,g+from,w,j,w.outs); */
    back_line(bound, A, beta, w, x + to, y + from, g + from, sum + to);
    /*@ assert new: \forall integer j; 0 <= j < w.cells ==> sum[ix(l,w.cells,j)] ==
          SmoothTerms{Pre}(bound,A,beta,x+ix(l,w.cells,0),y+ix(l,w.outs,0),g+ix(l,w.outs,0),w,j,
                           w.outs); */
    /*@ assert old: \forall integer q, j; 0 <= q < l ==> 0 <= j < w.cells ==>
          sum[ix(q,w.cells,j)] == \at(sum[ix(q,w.cells,j)],L0); */
  }
}

void ref_smooth_max_pool_vjp(idx lines, window w, double beta, const double *x, const double *y,
                             const double *g, double *dx)
{
  arith none = {0};
  back_lines(0, none, beta, lines, w, x, y, g, dx);
}

/*@ assigns \nothing; ensures \result == e_all_added(A,all); */
static double all_added(arith A, double all)
{
  double gamma = pair_gam(A.u, A.h);
  return pair_range(A, 0.0 < gamma ? r_div(all, gamma) : 0.0, all);
}

void bound_smooth_max_pool_vjp(idx lines, window w, double beta, const double *x, const double *y,
                               const double *g, arith A, double *e_dx)
{
  idx n = size2(lines, w.cells);
  back_lines(1, A, beta, lines, w, x, y, g, e_dx);
  //@ ghost Sums: ;
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer k; 0 <= k < i ==> e_dx[k] == e_all_added(A,rd{Sums}(e_dx,k));
      loop invariant \forall integer k; i <= k < n ==> e_dx[k] == rd{Sums}(e_dx,k);
      loop assigns i, e_dx[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    e_dx[i] = all_added(A, e_dx[i]);
  /*@ assert in: \forall integer l, j; 0 <= l < lines ==> 0 <= j < w.cells ==>
        0 <= ix(l,w.cells,j) < n; */
}
