#include "pool.h"
#include "lost.h"

/*@ assigns \nothing; ensures \result == PoolTerm(abs,v); */
static double term(int abs, double v) { return abs ? r_abs(v) : v; }

/* Over the window of output t; x is a line. */
/*@ requires Window(w) && Windowed(w) && In1(x,w.cells) && 0 <= t;
    assigns \nothing;
    ensures \result == PoolSum(abs,x,w,t,w.taps);
*/
static double window_sum(int abs, window w, idx t, const double *x)
{
  double s = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= u <= w.taps;
      loop invariant s == PoolSum(abs,x,w,t,u) && is_zero(lost);
      loop assigns u, s, lost;
      loop variant w.taps - u;
  */
  for (idx u = 0; u < w.taps; u++) {
    idx c = window_cell(w, t, u);
    if (c >= 0) {
      double v = term(abs, x[c]);
      lost += lost_sum(s, v);
      s += v;
    }
  }
  return s + r_kept(lost);
}

void ref_avg_pool(idx lines, window w, const double *x, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE r_div(window_sum(0, w, t, line), (double)w.taps)
#define LOOP_IS(l, t) rdiv(PoolSum{Pre}(0, x + ix(l, w.cells, 0), w, t, w.taps), w.taps)
#include "pool_lines.inc"
}

/*@ requires Window(w) && Windowed(w) && In1(x,w.cells) && 0 <= t;
    assigns \nothing;
    ensures \result == p_quo(A, p_sum(A, PoolSum(0,x,w,t,w.taps), PoolSum(1,x,w,t,w.taps), 0.0, A.h),
                             p_make(w.taps,0.0), 1.0).e;
*/
static double window_error(window w, idx t, const double *x, arith A)
{
  pair sum = pair_sum(A, window_sum(0, w, t, x), window_sum(1, w, t, x), 0.0, A.h);
  pair mean = pair_quo(A, sum, pair_in((double)w.taps), 1.0);
  return mean.e;
}

void bound_avg_pool(idx lines, window w, const double *x, arith A, double *e_y)
{
#define LOOP_OUT e_y
#define LOOP_VALUE window_error(w, t, line, A)
#define LOOP_IS(l, t)                                                          \
  p_quo(A,                                                                     \
        p_sum(A, PoolSum{Pre}(0, x + ix(l, w.cells, 0), w, t, w.taps),         \
              PoolSum{Pre}(1, x + ix(l, w.cells, 0), w, t, w.taps), 0.0, A.h), \
        p_make(w.taps, 0.0), 1.0)                                              \
      .e
#include "pool_lines.inc"
}

/* Of one line: what comes back to each cell. */
/*@ requires Window(w) && (0 < w.outs ==> Windowed(w)) && In1(g,w.outs) && Out1(sum,w.cells);
    requires Sep(sum,w.cells,g,w.outs);
    assigns sum[0 .. w.cells-1];
    ensures \forall integer j; 0 <= j < w.cells ==>
      sum[j] == PoolBack{Pre}(abs,g,w,j,w.outs);
*/
static void back_line(int abs, window w, const double *g, double *sum)
{
  /*@ loop invariant 0 <= j <= w.cells;
      loop invariant \forall integer i; 0 <= i < j ==> sum[i] == PoolBack{Pre}(abs,g,w,i,0);
      loop assigns j, sum[0 .. w.cells-1];
      loop variant w.cells - j;
  */
  for (idx j = 0; j < w.cells; j++)
    sum[j] = 0.0;
  /*@ loop invariant 0 <= t <= w.outs;
      loop invariant \forall integer j; 0 <= j < w.cells ==>
        sum[j] == PoolBack{Pre}(abs,g,w,j,t);
      loop assigns t, sum[0 .. w.cells-1];
      loop variant w.outs - t;
  */
  for (idx t = 0; t < w.outs; t++) {
    double v = term(abs, g[t]);
    //@ assert v == PoolTerm(abs,rd{Pre}(g,t));
    /*@ loop invariant 0 <= u <= w.taps;
        loop invariant \forall integer j; 0 <= j < w.cells ==>
          sum[j] == PoolBack{Pre}(abs,g,w,j,t) + PoolBackOf{Pre}(abs,g,w,j,t,u);
        loop assigns u, sum[0 .. w.cells-1];
        loop variant w.taps - u;
    */
    for (idx u = 0; u < w.taps; u++) {
      idx c = window_cell(w, t, u);
      if (c >= 0)
        sum[c] += v;
    }
  }
}

/*@ requires Unpools(w,lines,g,sum);
    assigns sum[0 .. ix(lines,w.cells,0)-1];
    ensures \forall integer l, j; 0 <= l < lines ==> 0 <= j < w.cells ==>
      sum[ix(l,w.cells,j)] == PoolBack{Pre}(abs,g+ix(l,w.outs,0),w,j,w.outs);
*/
static void back_lines(int abs, idx lines, window w, const double *g, double *sum)
{
  //@ assert some: 0 < w.outs ==> Windowed(w);
  /*@ loop invariant 0 <= l <= lines;
      loop invariant \forall integer q, j; 0 <= q < l ==> 0 <= j < w.cells ==>
        sum[ix(q,w.cells,j)] == PoolBack{Pre}(abs,g+ix(q,w.outs,0),w,j,w.outs);
      loop assigns l, sum[0 .. ix(lines,w.cells,0)-1];
      loop variant lines - l;
  */
  for (idx l = 0; l < lines; l++) {
    //@ ghost L0: ;
    idx from = size2(l, w.outs), to = size2(l, w.cells);
    //@ assert in: 0 <= from && from + w.outs <= ix(lines,w.outs,0);
    //@ assert out: 0 <= to && to + w.cells <= ix(lines,w.cells,0);
    //@ assert same: \forall integer t; 0 <= t < w.outs ==> g[from+t] == rd{Pre}(g,from+t);
    /*@ assert frame: \forall integer j;
          PoolBack{Here}(abs,g+from,w,j,w.outs) == PoolBack{Pre}(abs,g+from,w,j,w.outs); */
    back_line(abs, w, g + from, sum + to);
    /*@ assert new: \forall integer j; 0 <= j < w.cells ==>
          sum[ix(l,w.cells,j)] == PoolBack{Pre}(abs,g+ix(l,w.outs,0),w,j,w.outs); */
    /*@ assert old: \forall integer q, j; 0 <= q < l ==> 0 <= j < w.cells ==>
          sum[ix(q,w.cells,j)] == \at(sum[ix(q,w.cells,j)],L0); */
  }
}

void ref_avg_pool_vjp(idx lines, window w, const double *g, double *dx)
{
  idx n = size2(lines, w.cells);
  back_lines(0, lines, w, g, dx);
  //@ ghost Sums: ;
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer k; 0 <= k < i ==> dx[k] == rdiv(rd{Sums}(dx,k), w.taps);
      loop invariant \forall integer k; i <= k < n ==> dx[k] == rd{Sums}(dx,k);
      loop assigns i, dx[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    dx[i] = r_div(dx[i], (double)w.taps);
  /*@ assert in: \forall integer l, j; 0 <= l < lines ==> 0 <= j < w.cells ==>
        0 <= ix(l,w.cells,j) < n; */
}

/*@ assigns \nothing;
    ensures \result == p_quo(A, p_sum(A,abs,abs,0.0,A.h), p_make(n,0.0), 1.0).e; */
static double back_error(double abs, idx n, arith A)
{
  pair mean = pair_quo(A, pair_sum(A, abs, abs, 0.0, A.h), pair_in((double)n), 1.0);
  return mean.e;
}

void bound_avg_pool_vjp(idx lines, window w, const double *g, arith A, double *e_dx)
{
  idx n = size2(lines, w.cells);
  back_lines(1, lines, w, g, e_dx);
  //@ ghost Sums: ;
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer k; 0 <= k < i ==> e_dx[k] ==
        p_quo(A, p_sum(A,rd{Sums}(e_dx,k),rd{Sums}(e_dx,k),0.0,A.h), p_make(w.taps,0.0), 1.0).e;
      loop invariant \forall integer k; i <= k < n ==> e_dx[k] == rd{Sums}(e_dx,k);
      loop assigns i, e_dx[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    e_dx[i] = back_error(e_dx[i], w.taps, A);
  /*@ assert in: \forall integer l, j; 0 <= l < lines ==> 0 <= j < w.cells ==>
        0 <= ix(l,w.cells,j) < n; */
}
