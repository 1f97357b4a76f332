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

/* Whether v is above what is the largest so far: a number, or a NaN above all numbers. */
/*@ assigns \nothing; ensures \result != 0 <==> most < v; */
static int beats(double v, double most) { return (v > most) + (v != v) > (most != most); }

/* MaxTap of the whole window of output t; x is a line. */
/*@ requires Window(w) && Windowed(w) && In1(x,w.cells) && 0 <= t;
    assigns \nothing;
    ensures \result == MaxTap(x,w,t,w.taps) && -1 <= \result < w.taps;
*/
static idx largest(window w, idx t, const double *x)
{
  idx best = -1;
  double most = 0.0;
  /*@ loop invariant 0 <= u <= w.taps && -1 <= best < u && best == MaxTap(x,w,t,u);
      loop invariant 0 <= best ==> 0 <= Cell(w,t,best) && most == x[Cell(w,t,best)];
      loop assigns u, best, most;
      loop variant w.taps - u;
  */
  for (idx u = 0; u < w.taps; u++) {
    idx c = window_cell(w, t, u);
    if (c >= 0 && (best < 0 || beats(x[c], most))) {
      best = u;
      most = x[c];
    }
  }
  return best;
}

/* The cell that tap u of output t reads; of none -Inf, which is C's logarithm of 0. */
/*@ requires Window(w) && Windowed(w) && In1(x,w.cells) && 0 <= t && -1 <= u;
    assigns \nothing;
    ensures 0 <= u ==> 0 <= Cell(w,t,u) ==> \result == x[Cell(w,t,u)];
*/
static double cell_or_none(window w, idx t, idx u, const double *x)
{
  idx c = u < 0 ? -1 : window_cell(w, t, u);
  return c < 0 ? r_log(0.0) : x[c];
}

/*@ requires Pools(w,lines,x,tap);
    assigns tap[0 .. ix(lines,w.outs,0)-1];
    ensures \forall integer l, t; 0 <= l < lines ==> 0 <= t < w.outs ==>
      tap[ix(l,w.outs,t)] == MaxTap{Pre}(x+ix(l,w.cells,0),w,t,w.taps);
*/
static void max_taps(idx lines, window w, const double *x, double *tap)
{
#define LOOP_OUT tap
#define LOOP_VALUE (double)largest(w, t, line)
#define LOOP_IS(l, t) MaxTap{Pre}(x + ix(l, w.cells, 0), w, t, w.taps)
#include "pool_lines.inc"
}

/*@ requires Pools(w,lines,x,y);
    assigns y[0 .. ix(lines,w.outs,0)-1];
    ensures \forall integer l, t; 0 <= l < lines ==> 0 <= t < w.outs ==>
      0 <= MaxTap{Pre}(x+ix(l,w.cells,0),w,t,w.taps) ==> y[ix(l,w.outs,t)] ==
      rd{Pre}(x,ix(l,w.cells,0) + Cell(w,t,MaxTap{Pre}(x+ix(l,w.cells,0),w,t,w.taps)));
*/
static void max_cells(idx lines, window w, const double *x, double *y)
{
#define LOOP_OUT y
#define LOOP_VALUE cell_or_none(w, t, largest(w, t, line), line)
#define LOOP_IS(l, t) \
  rd{Pre}(x, ix(l, w.cells, 0) + Cell(w, t, MaxTap{Pre}(x + ix(l, w.cells, 0), w, t, w.taps)))
#define LOOP_WHERE(l, t) 0 <= MaxTap{Pre}(x + ix(l, w.cells, 0), w, t, w.taps)
#include "pool_lines.inc"
}

void ref_max_pool(idx lines, window w, const double *x, double *y, double *tap)
{
  max_cells(lines, w, x, y);
  //@ ghost Cells: ;
  /*@ assert same: \forall integer l, c; 0 <= l < lines ==> 0 <= c < w.cells ==>
        x[ix(l,w.cells,0)+c] == rd{Pre}(x,ix(l,w.cells,0)+c); */
  max_taps(lines, w, x, tap);
  /*@ assert kept: \forall integer l, t; 0 <= l < lines ==> 0 <= t < w.outs ==>
        y[ix(l,w.outs,t)] == \at(y[ix(l,w.outs,t)],Cells); */
  /*@ assert frame: \forall integer l, t; 0 <= l < lines ==>
        MaxTap{Cells}(x+ix(l,w.cells,0),w,t,w.taps) == MaxTap{Pre}(x+ix(l,w.cells,0),w,t,w.taps); */
}

/* Of one line: what comes back to each cell. */
/*@ requires Window(w) && (0 < w.outs ==> Windowed(w)) && In1(g,w.outs) && Out1(sum,w.cells);
    requires Sep(sum,w.cells,g,w.outs);
    requires In1(only,w.outs) && Sep(sum,w.cells,only,w.outs);
    assigns sum[0 .. w.cells-1];
    ensures \forall integer j; 0 <= j < w.cells ==>
      sum[j] == PoolBack{Pre}(abs,all,only,g,w,j,w.outs);
*/
static void back_line(int abs, int all, window w, const double *only, const double *g, double *sum)
{
  /*@ loop invariant 0 <= j <= w.cells;
      loop invariant \forall integer i; 0 <= i < j ==> sum[i] == PoolBack{Pre}(abs,all,only,g,w,i,0);
      loop assigns j, sum[0 .. w.cells-1];
      loop variant w.cells - j;
  */
  for (idx j = 0; j < w.cells; j++)
    sum[j] = 0.0;
  /*@ loop invariant 0 <= t <= w.outs;
      loop invariant \forall integer j; 0 <= j < w.cells ==>
        sum[j] == PoolBack{Pre}(abs,all,only,g,w,j,t);
      loop assigns t, sum[0 .. w.cells-1];
      loop variant w.outs - t;
  */
  for (idx t = 0; t < w.outs; t++) {
    double v = term(abs, g[t]);
    //@ assert v == PoolTerm(abs,rd{Pre}(g,t));
    /*@ loop invariant 0 <= u <= w.taps;
        loop invariant \forall integer j; 0 <= j < w.cells ==>
          sum[j] == PoolBack{Pre}(abs,all,only,g,w,j,t) + PoolBackOf{Pre}(abs,all,only,g,w,j,t,u);
        loop assigns u, sum[0 .. w.cells-1];
        loop variant w.taps - u;
    */
    for (idx u = 0; u < w.taps; u++) {
      idx c = window_cell(w, t, u);
      if (c >= 0 && (all || only[t] == (double)u))
        sum[c] += v;
    }
  }
}

/*@ requires Unpools(w,lines,g,sum) && Unpools(w,lines,only,sum);
    assigns sum[0 .. ix(lines,w.cells,0)-1];
    ensures \forall integer l, j; 0 <= l < lines ==> 0 <= j < w.cells ==> sum[ix(l,w.cells,j)] ==
      PoolBack{Pre}(abs,all,only+ix(l,w.outs,0),g+ix(l,w.outs,0),w,j,w.outs);
*/
static void back_lines(int abs, int all, idx lines, window w, const double *only, const double *g,
                       double *sum)
{
  //@ assert some: 0 < w.outs ==> Windowed(w);
  /*@ loop invariant 0 <= l <= lines;
      loop invariant \forall integer q, j; 0 <= q < l ==> 0 <= j < w.cells ==> sum[ix(q,w.cells,j)] ==
        PoolBack{Pre}(abs,all,only+ix(q,w.outs,0),g+ix(q,w.outs,0),w,j,w.outs);
      loop assigns l, sum[0 .. ix(lines,w.cells,0)-1];
      loop variant lines - l;
  */
  for (idx l = 0; l < lines; l++) {
    //@ ghost L0: ;
    idx from = size2(l, w.outs), to = size2(l, w.cells);
    //@ assert in: 0 <= from && from + w.outs <= ix(lines,w.outs,0);
    //@ assert out: 0 <= to && to + w.cells <= ix(lines,w.cells,0);
    //@ assert same: \forall integer t; 0 <= t < w.outs ==> g[from+t] == rd{Pre}(g,from+t);
    /*@ assert same_taps: \forall integer t; 0 <= t < w.outs ==>
          only[from+t] == rd{Pre}(only,from+t); */
    /*@ assert frame: \forall integer j; PoolBack{Here}(abs,all,only+from,g+from,w,j,w.outs) ==
          PoolBack{Pre}(abs,all,only+from,g+from,w,j,w.outs); */
    back_line(abs, all, w, only + from, g + from, sum + to);
    /*@ assert new: \forall integer j; 0 <= j < w.cells ==> sum[ix(l,w.cells,j)] ==
          PoolBack{Pre}(abs,all,only+ix(l,w.outs,0),g+ix(l,w.outs,0),w,j,w.outs); */
    /*@ assert old: \forall integer q, j; 0 <= q < l ==> 0 <= j < w.cells ==>
          sum[ix(q,w.cells,j)] == \at(sum[ix(q,w.cells,j)],L0); */
  }
}

void ref_avg_pool_vjp(idx lines, window w, const double *g, double *dx)
{
  idx n = size2(lines, w.cells);
  back_lines(0, 1, lines, w, g, g, dx);
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
  back_lines(1, 1, lines, w, g, g, e_dx);
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

void ref_max_pool_vjp(idx lines, window w, const double *tap, const double *g, double *dx)
{
  back_lines(0, 0, lines, w, tap, g, dx);
}

/*@ assigns \nothing; ensures \result == p_sum(A,abs,abs,0.0,A.h).e; */
static double sum_error(double abs, arith A)
{
  pair sum = pair_sum(A, abs, abs, 0.0, A.h);
  return sum.e;
}

void bound_max_pool_vjp(idx lines, window w, const double *tap, const double *g, arith A,
                        double *e_dx)
{
  idx n = size2(lines, w.cells);
  back_lines(1, 0, lines, w, tap, g, e_dx);
  //@ ghost Sums: ;
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer k; 0 <= k < i ==> e_dx[k] ==
        p_sum(A,rd{Sums}(e_dx,k),rd{Sums}(e_dx,k),0.0,A.h).e;
      loop invariant \forall integer k; i <= k < n ==> e_dx[k] == rd{Sums}(e_dx,k);
      loop assigns i, e_dx[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    e_dx[i] = sum_error(e_dx[i], A);
  /*@ assert in: \forall integer l, j; 0 <= l < lines ==> 0 <= j < w.cells ==>
        0 <= ix(l,w.cells,j) < n; */
}
