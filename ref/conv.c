#include "conv.h"
#include "lost.h"

/*@ requires 0 <= r && 0 <= n && 1 <= s;
    assigns \nothing;
    ensures \result == Turn(n,s,r);
*/
static idx turn(idx n, idx s, idx r)
{
  idx i = quo2(r, s);
  return rem2(r, s) != 0 || n <= i ? -1 : i;
}

/* The output along an axis that reads cell j of it by tap v. */
/*@ requires Axis(n,k,s,p,d) && 0 <= m <= IDX_LIM && 0 <= j < n && 0 <= v < k;
    assigns \nothing;
    ensures \result == Turn(m,s,j + p - ix(v,d,0));
*/
static idx reader(idx n, idx k, idx s, idx p, idx d, idx m, idx j, idx v)
{
  (void)n, (void)k;
  if (v > quo2(j + p, d))
    return -1;
  //@ assert 0 <= ix(v,d,0) <= j + p;
  return turn(m, s, j + p - size2(v, d));
}

/* Of cell j; some window has an output. */
/*@ requires Placed(w) && Windowed(w) && 0 < w.outs && 0 <= j && 0 <= u;
    requires \forall integer e; 0 <= e < w.rank ==> 1 <= w.size[e];
    assigns \nothing;
    ensures \result == Reader(w,j,u) && -1 <= \result < w.outs;
*/
static idx window_reader(window w, idx j, idx u)
{
  idx from = 0, step = 1;
  /*@ loop invariant 0 <= m <= w.rank && 0 <= j && 0 <= u && step == Outs(w,m) && 1 <= step;
      loop invariant j == CellRest(w,\at(j,Pre),m) && u == TapRest(w,\at(u,Pre),m);
      loop invariant from == Target(w,\at(j,Pre),\at(u,Pre),m) && -1 <= from < step;
      loop assigns m, j, u, step, from;
      loop variant w.rank - m;
  */
  for (idx m = 0; m < w.rank; m++) {
    idx e = w.rank - 1 - m, at;
    //@ assert e == w.rank - (m+1) && 1 <= w.out[e] && 1 <= w.kernel[e] && 1 <= w.size[e];
    //@ assert room: Outs(w,m+1) <= Outs(w,w.rank) && Outs(w,m+1) == ix(w.out[e],step,0);
    at = reader(w.size[e], w.kernel[e], w.stride[e], w.pad[e], w.dilation[e], w.out[e],
                rem2(j, w.size[e]), rem2(u, w.kernel[e]));
    //@ assert at == TurnOf(w,\at(j,Pre),\at(u,Pre),m+1);
    if (from >= 0)
      from = 0 <= at ? at2(w.out[e], step, at, from) : -1;
    step = size2(w.out[e], step);
    j = quo2(j, w.size[e]);
    u = quo2(u, w.kernel[e]);
  }
  return from;
}

idx window_meet(int side, window w, idx i, idx u)
{
  if (!side)
    return window_cell(w, i, u);
  return w.outs > 0 ? window_reader(w, i, u) : -1;
}

/*@ assigns \nothing; ensures \result == ConvTerm(abs,v,k); */
static double term(int abs, double v, double k)
{
  double vk = r_mul(v, k);
  return abs ? r_abs(vk) : vk;
}

/*@ assigns \nothing; ensures \result == Channels(side,c); */
static idx channels(int side, conv_shape c) { return side ? c.out : c.in; }

/*@ assigns \nothing; ensures \result == Length(side,c); */
static idx length(int side, conv_shape c) { return side ? c.w.outs : c.w.cells; }

/*@ requires ConvShape(c);
    assigns \nothing;
    ensures \result == Elements(side,c) && 0 <= \result <= IDX_LIM;
*/
static idx elements(int side, conv_shape c)
{
  return size2(size2(size2(c.batch, c.groups), channels(side, c)), length(side, c));
}

/*@ requires ConvShape(c) && 0 <= q < ix(c.batch,c.groups,0) && 0 <= a < Channels(side,c);
    assigns \nothing;
    ensures \result == LineAt(side,c,q,a);
    ensures 0 <= \result && \result + Length(side,c) <= Elements(side,c);
*/
static idx line_at(int side, conv_shape c, idx q, idx a)
{
  idx line = at2(size2(c.batch, c.groups), channels(side, c), q, a);
  //@ assert 0 <= line < LineCount(side,c) && ix(line+1,Length(side,c),0) <= Elements(side,c);
  return size2(line, length(side, c));
}

/*@ requires ConvShape(c) && 0 <= g < c.groups;
    requires 0 <= b < Channels(side,c) && 0 <= a < Channels(Other(side),c);
    assigns \nothing;
    ensures \result == KernelAt(side,c,g,a,b);
    ensures 0 <= \result && \result + c.w.taps <= Weights(c);
*/
static idx kernel_at(int side, conv_shape c, idx g, idx a, idx b)
{
  idx o = at2(c.groups, c.out, g, side ? b : a);
  idx kernel = at2(size2(c.groups, c.out), c.in, o, side ? a : b);
  //@ assert 0 <= kernel < Kernels(c) && ix(kernel+1,c.w.taps,0) <= Weights(c);
  return size2(kernel, c.w.taps);
}

/* Element i of channel a of group q of all images, by channels of the group and then taps. */
/*@ requires ReadsSide(side,c,z) && ReadsKernels(c,k) && 0 <= q < ix(c.batch,c.groups,0);
    requires 0 <= a < Channels(Other(side),c) && 0 <= i < Length(Other(side),c);
    assigns \nothing;
    ensures \result == ConvSum(abs,side,z,k,c,q,a,i,Channels(side,c));
*/
static double conv_sum(int abs, int side, conv_shape c, const double *z, const double *k, idx q,
                       idx a, idx i)
{
  idx n = channels(side, c), g = rem2(q, c.groups);
  double s = 0.0, lost = 0.0;
  //@ assert some: side == 0 ==> Windowed(c.w);
  //@ assert whole: \forall integer e; 0 <= e < c.w.rank ==> 1 <= c.w.size[e];
  /*@ loop invariant 0 <= b <= n && is_zero(lost) && s == ConvSum(abs,side,z,k,c,q,a,i,b);
      loop assigns b, s, lost;
      loop variant n - b;
  */
  for (idx b = 0; b < n; b++) {
    idx line = line_at(side, c, q, b), taps = kernel_at(side, c, g, a, b);
    /*@ loop invariant 0 <= u <= c.w.taps && is_zero(lost);
        loop invariant s == ConvSum(abs,side,z,k,c,q,a,i,b) +
          ConvTaps(abs,side,z,line,k,taps,c.w,i,u);
        loop assigns u, s, lost;
        loop variant c.w.taps - u;
    */
    for (idx u = 0; u < c.w.taps; u++) {
      idx m = window_meet(side, c.w, i, u);
      if (m >= 0) {
        double v = term(abs, z[line + m], k[taps + u]);
        lost += lost_sum(s, v);
        s += v;
      }
    }
  }
  return s + r_kept(lost);
}

/*@ requires ReadsSide(side,c,z) && ReadsKernels(c,k) && 0 <= e < Elements(Other(side),c);
    assigns \nothing;
    ensures \result == ConvAt(abs,side,z,k,c,e);
*/
static double conv_at(int abs, int side, conv_shape c, const double *z, const double *k, idx e)
{
  idx l = quo2(e, length(!side, c)), n = channels(!side, c);
  return conv_sum(abs, side, c, z, k, quo2(l, n), rem2(l, n), rem2(e, length(!side, c)));
}

/*@ requires ConvShape(c) && 0 <= e < Elements(side,c);
    assigns \nothing;
    ensures \result == ChannelOf(side,c,e) && 0 <= \result < ChannelCount(side,c);
*/
static idx channel_of(int side, conv_shape c, idx e)
{
  return rem2(quo2(e, length(side, c)), size2(c.groups, channels(side, c)));
}

/* What convolutions do of each element e of their output, from z and k. */
#define CONV_SUM(L, abs) ConvAt{L}(abs, side, z, k, c, e)
#define CONV_APART(y) Sep(y, n, z, Elements(side, c)) && Sep(y, n, k, Weights(c))
#define CONV_ONE Same{Pre, Here}(z, Elements(side, c))
#define CONV_TWO Same{Pre, Here}(k, Weights(c))
#define BIASED_TWO \
  CONV_TWO &&rd{Here}(b, ChannelOf(Other(side), c, e)) == rd{Pre}(b, ChannelOf(Other(side), c, e))

/*@ requires Convolves(side,c,z,k,y);
    assigns y[0 .. Elements(Other(side),c)-1];
    ensures \forall integer e; 0 <= e < Elements(Other(side),c) ==>
      y[e] == ConvAt{Pre}(0,side,z,k,c,e);
*/
static void convolve(int side, conv_shape c, const double *z, const double *k, double *y)
{
  idx n = elements(!side, c);
#define LOOP_OUT y
#define LOOP_VALUE conv_at(0, side, c, z, k, e)
#define LOOP_IS(e) ConvAt{Pre}(0, side, z, k, c, e)
#define LOOP_SUM CONV_SUM
#define LOOP_APART CONV_APART(y)
#define LOOP_ONE CONV_ONE
#define LOOP_TWO CONV_TWO
#include "conv_loop.inc"
}

/*@ requires Convolves(side,c,z,k,y) && Biased(Other(side),c,b,y);
    assigns y[0 .. Elements(Other(side),c)-1];
    ensures \forall integer e; 0 <= e < Elements(Other(side),c) ==>
      y[e] == ConvAt{Pre}(0,side,z,k,c,e) + rd{Pre}(b,ChannelOf(Other(side),c,e));
*/
static void convolve_biased(int side, conv_shape c, const double *z, const double *k,
                            const double *b, double *y)
{
  idx n = elements(!side, c);
#define LOOP_OUT y
#define LOOP_VALUE conv_at(0, side, c, z, k, e) + b[channel_of(!side, c, e)]
#define LOOP_IS(e) ConvAt{Pre}(0, side, z, k, c, e) + rd{Pre}(b, ChannelOf(Other(side), c, e))
#define LOOP_SUM CONV_SUM
#define LOOP_APART CONV_APART(y)
#define LOOP_ONE CONV_ONE
#define LOOP_TWO BIASED_TWO
#include "conv_loop.inc"
}

void ref_conv(conv_shape c, const double *x, const double *w, const double *b, double *y)
{
  convolve_biased(0, c, x, w, b, y);
}

void ref_conv_transpose(conv_shape c, const double *x, const double *w, const double *b, double *y)
{
  convolve_biased(1, c, x, w, b, y);
}

/* The bound of a sum of n products, of a tree of height h. */
/*@ assigns \nothing; ensures \result == p_dot(A,dot,abs,n,h).e; */
static double dot_error(arith A, double dot, double abs, idx n, double h)
{
  pair y = pair_dot(A, dot, abs, (double)n, h);
  return y.e;
}

/*@ requires Convolves(side,c,z,k,e_y);
    assigns e_y[0 .. Elements(Other(side),c)-1];
    ensures \forall integer e; 0 <= e < Elements(Other(side),c) ==>
      e_y[e] == ConvBound{Pre}(A,side,z,k,c,e);
*/
static void bound_convolve(int side, conv_shape c, const double *z, const double *k, arith A,
                           double *e_y)
{
  idx n = elements(!side, c), products = size2(channels(side, c), c.w.taps);
#define LOOP_OUT e_y
#define LOOP_VALUE \
  dot_error(A, conv_at(0, side, c, z, k, e), conv_at(1, side, c, z, k, e), products, A.h)
#define LOOP_IS(e) ConvBound{Pre}(A, side, z, k, c, e)
#define LOOP_SUM CONV_SUM
#define LOOP_APART CONV_APART(e_y)
#define LOOP_ONE CONV_ONE
#define LOOP_TWO CONV_TWO
#include "conv_loop.inc"
}

/*@ requires Convolves(side,c,z,k,e_y) && Biased(Other(side),c,b,e_y);
    assigns e_y[0 .. Elements(Other(side),c)-1];
    ensures \forall integer e; 0 <= e < Elements(Other(side),c) ==>
      e_y[e] == BiasedBound{Pre}(A,side,z,k,b,c,e);
*/
static void bound_biased(int side, conv_shape c, const double *z, const double *k, const double *b,
                         arith A, double *e_y)
{
  idx n = elements(!side, c), products = size2(channels(side, c), c.w.taps);
#define LOOP_OUT e_y
#define LOOP_VALUE                                                                \
  biased_dot_error(A, conv_at(0, side, c, z, k, e), conv_at(1, side, c, z, k, e), \
                   b[channel_of(!side, c, e)], products)
#define LOOP_IS(e) BiasedBound{Pre}(A, side, z, k, b, c, e)
#define LOOP_SUM CONV_SUM
#define LOOP_APART CONV_APART(e_y)
#define LOOP_ONE CONV_ONE
#define LOOP_TWO BIASED_TWO
#include "conv_loop.inc"
}

void bound_conv(conv_shape c, const double *x, const double *w, const double *b, arith A,
                double *e_y)
{
  bound_biased(0, c, x, w, b, A, e_y);
}

void bound_conv_transpose(conv_shape c, const double *x, const double *w, const double *b, arith A,
                          double *e_y)
{
  bound_biased(1, c, x, w, b, A, e_y);
}

/* Of the kernel of channels i and o of group p, tap u: by images and then outputs. */
/*@ requires ReadsSide(0,c,x) && ReadsSide(1,c,g) && 0 <= p < c.groups && 0 <= o < c.out;
    requires 0 <= i < c.in && 0 <= u < c.w.taps;
    assigns \nothing;
    ensures \result == WeightSum(abs,x,g,c,p,o,i,u,c.batch);
*/
static double weight_sum(int abs, conv_shape c, const double *x, const double *g, idx p, idx o,
                         idx i, idx u)
{
  double s = 0.0, lost = 0.0;
  //@ assert some: 0 < c.w.outs ==> Windowed(c.w);
  /*@ loop invariant 0 <= m <= c.batch && is_zero(lost) && s == WeightSum(abs,x,g,c,p,o,i,u,m);
      loop assigns m, s, lost;
      loop variant c.batch - m;
  */
  for (idx m = 0; m < c.batch; m++) {
    idx q = at2(c.batch, c.groups, m, p);
    idx cells = line_at(0, c, q, i), outs = line_at(1, c, q, o);
    /*@ loop invariant 0 <= t <= c.w.outs && is_zero(lost);
        loop invariant s == WeightSum(abs,x,g,c,p,o,i,u,m) + ConvMeets(abs,x,cells,g,outs,c.w,u,t);
        loop assigns t, s, lost;
        loop variant c.w.outs - t;
    */
    for (idx t = 0; t < c.w.outs; t++) {
      idx j = window_cell(c.w, t, u);
      if (j >= 0) {
        double v = term(abs, x[cells + j], g[outs + t]);
        lost += lost_sum(s, v);
        s += v;
      }
    }
  }
  return s + r_kept(lost);
}

/*@ requires ReadsSide(0,c,x) && ReadsSide(1,c,g) && 0 <= e < Weights(c);
    assigns \nothing;
    ensures \result == WeightAt(abs,x,g,c,e);
*/
static double weight_at(int abs, conv_shape c, const double *x, const double *g, idx e)
{
  idx kernel = quo2(e, c.w.taps), o = quo2(kernel, c.in);
  return weight_sum(abs, c, x, g, quo2(o, c.out), rem2(o, c.out), rem2(kernel, c.in),
                    rem2(e, c.w.taps));
}

#define WEIGHT_SUM(L, abs) WeightAt{L}(abs, x, g, c, e)
#define WEIGHT_APART(dk) Sep(dk, n, x, Elements(0, c)) && Sep(dk, n, g, Elements(1, c))
#define WEIGHT_ONE Same{Pre, Here}(x, Elements(0, c))
#define WEIGHT_TWO Same{Pre, Here}(g, Elements(1, c))

/*@ requires WeighsBack(c,x,g,dk);
    assigns dk[0 .. Weights(c)-1];
    ensures \forall integer e; 0 <= e < Weights(c) ==> dk[e] == WeightAt{Pre}(0,x,g,c,e);
*/
static void weigh(conv_shape c, const double *x, const double *g, double *dk)
{
  idx n = size2(size2(size2(c.groups, c.out), c.in), c.w.taps);
#define LOOP_OUT dk
#define LOOP_VALUE weight_at(0, c, x, g, e)
#define LOOP_IS(e) WeightAt{Pre}(0, x, g, c, e)
#define LOOP_SUM WEIGHT_SUM
#define LOOP_APART WEIGHT_APART(dk)
#define LOOP_ONE WEIGHT_ONE
#define LOOP_TWO WEIGHT_TWO
#include "conv_loop.inc"
}

/*@ requires WeighsBack(c,x,g,e_dk);
    assigns e_dk[0 .. Weights(c)-1];
    ensures \forall integer e; 0 <= e < Weights(c) ==> e_dk[e] == WeightBound{Pre}(A,x,g,c,e);
*/
static void bound_weigh(conv_shape c, const double *x, const double *g, arith A, double *e_dk)
{
  idx n = size2(size2(size2(c.groups, c.out), c.in), c.w.taps);
  idx products = size2(c.batch, c.w.outs);
#define LOOP_OUT e_dk
#define LOOP_VALUE dot_error(A, weight_at(0, c, x, g, e), weight_at(1, c, x, g, e), products, A.h2)
#define LOOP_IS(e) WeightBound{Pre}(A, x, g, c, e)
#define LOOP_SUM WEIGHT_SUM
#define LOOP_APART WEIGHT_APART(e_dk)
#define LOOP_ONE WEIGHT_ONE
#define LOOP_TWO WEIGHT_TWO
#include "conv_loop.inc"
}

/*@ requires ConvShape(c) && 0 <= n < c.batch && 0 <= a < ChannelCount(side,c);
    assigns \nothing;
    ensures \result == ChannelAt(side,c,n,a);
    ensures 0 <= \result && \result + Length(side,c) <= Elements(side,c);
*/
static idx channel_at(int side, conv_shape c, idx n, idx a)
{
  idx count = size2(c.groups, channels(side, c));
  //@ assert ix(c.batch,count,0) == LineCount(side,c);
  return size2(at2(c.batch, count, n, a), length(side, c));
}

/* Of channel a, by images and then along the line. */
/*@ requires ReadsSide(side,c,g) && 0 <= a < ChannelCount(side,c);
    assigns \nothing;
    ensures \result == BiasSum(abs,side,g,c,a,c.batch);
*/
static double bias_sum(int abs, int side, conv_shape c, const double *g, idx a)
{
  idx n = length(side, c);
  double s = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= m <= c.batch && is_zero(lost) && s == BiasSum(abs,side,g,c,a,m);
      loop assigns m, s, lost;
      loop variant c.batch - m;
  */
  for (idx m = 0; m < c.batch; m++) {
    idx line = channel_at(side, c, m, a);
    /*@ loop invariant 0 <= i <= n && is_zero(lost);
        loop invariant s == BiasSum(abs,side,g,c,a,m) + LineSum(abs,g,line,i);
        loop assigns i, s, lost;
        loop variant n - i;
    */
    for (idx i = 0; i < n; i++) {
      double v = abs ? r_abs(g[line + i]) : g[line + i];
      lost += lost_sum(s, v);
      s += v;
    }
  }
  return s + r_kept(lost);
}

#define BIAS_SUM(L, abs) BiasSum{L}(abs, side, g, c, e, c.batch)
#define BIAS_APART(db) Sep(db, n, g, Elements(side, c))
#define BIAS_ONE Same{Pre, Here}(g, Elements(side, c))
#define BIAS_TWO \true

/*@ requires BiasesBack(side,c,g,db);
    assigns db[0 .. ChannelCount(side,c)-1];
    ensures \forall integer a; 0 <= a < ChannelCount(side,c) ==>
      db[a] == BiasSum{Pre}(0,side,g,c,a,c.batch);
*/
static void sum_bias(int side, conv_shape c, const double *g, double *db)
{
  idx n = size2(c.groups, channels(side, c));
#define LOOP_OUT db
#define LOOP_VALUE bias_sum(0, side, c, g, e)
#define LOOP_IS(e) BiasSum{Pre}(0, side, g, c, e, c.batch)
#define LOOP_SUM BIAS_SUM
#define LOOP_APART BIAS_APART(db)
#define LOOP_ONE BIAS_ONE
#define LOOP_TWO BIAS_TWO
#include "conv_loop.inc"
}

/*@ assigns \nothing; ensures \result == p_sum(A,sum,abs,0.0,A.h2).e; */
static double sum_error(arith A, double sum, double abs)
{
  pair y = pair_sum(A, sum, abs, 0.0, A.h2);
  return y.e;
}

/*@ requires BiasesBack(side,c,g,e_db);
    assigns e_db[0 .. ChannelCount(side,c)-1];
    ensures \forall integer a; 0 <= a < ChannelCount(side,c) ==>
      e_db[a] == BiasBound{Pre}(A,side,g,c,a);
*/
static void bound_bias(int side, conv_shape c, const double *g, arith A, double *e_db)
{
  idx n = size2(c.groups, channels(side, c));
#define LOOP_OUT e_db
#define LOOP_VALUE sum_error(A, bias_sum(0, side, c, g, e), bias_sum(1, side, c, g, e))
#define LOOP_IS(e) BiasBound{Pre}(A, side, g, c, e)
#define LOOP_SUM BIAS_SUM
#define LOOP_APART BIAS_APART(e_db)
#define LOOP_ONE BIAS_ONE
#define LOOP_TWO BIAS_TWO
#include "conv_loop.inc"
}

void ref_conv_vjp(conv_shape c, const double *x, const double *w, const double *g, double *dx,
                  double *dw, double *db)
{
  /*@ assert apart: Sep(dx,Elements(0,c),dw,Weights(c)) &&
        Sep(dx,Elements(0,c),x,Elements(0,c)) &&
        Sep(dx,Elements(0,c),g,Elements(1,c)) &&
        Sep(dx,Elements(0,c),db,ChannelCount(1,c)) &&
        Sep(dw,Weights(c),db,ChannelCount(1,c)) &&
        Sep(dw,Weights(c),g,Elements(1,c)); */
  convolve(1, c, g, w, dx);
  //@ assert same_x: Same{Pre,Here}(x,Elements(0,c));
  //@ assert same_g: Same{Pre,Here}(g,Elements(1,c));
  /*@ assert weights: \forall integer abs, e; 0 <= e < Weights(c) ==>
        WeightAt(abs,x,g,c,e) == WeightAt{Pre}(abs,x,g,c,e); */
  weigh(c, x, g, dw);
  /*@ assert kept: \forall integer e; 0 <= e < Elements(0,c) ==>
        dx[e] == ConvAt{Pre}(0,1,g,w,c,e); */
  //@ assert same_g: Same{Pre,Here}(g,Elements(1,c));
  /*@ assert sums: \forall integer abs, a; 0 <= a < ChannelCount(1,c) ==>
        BiasSum(abs,1,g,c,a,c.batch) == BiasSum{Pre}(abs,1,g,c,a,c.batch); */
  //@ assert made: \forall integer e; 0 <= e < Weights(c) ==> dw[e] == WeightAt{Pre}(0,x,g,c,e);
  //@ ghost Summed: ;
  sum_bias(1, c, g, db);
  //@ assert still: Same{Summed,Here}(dx,Elements(0,c));
  //@ assert still_dw: Same{Summed,Here}(dw,Weights(c));
}

void bound_conv_vjp(conv_shape c, const double *x, const double *w, const double *g, arith A,
                    double *e_dx, double *e_dw, double *e_db)
{
  /*@ assert apart: Sep(e_dx,Elements(0,c),e_dw,Weights(c)) &&
        Sep(e_dx,Elements(0,c),x,Elements(0,c)) &&
        Sep(e_dx,Elements(0,c),g,Elements(1,c)) &&
        Sep(e_dx,Elements(0,c),e_db,ChannelCount(1,c)) &&
        Sep(e_dw,Weights(c),e_db,ChannelCount(1,c)) &&
        Sep(e_dw,Weights(c),g,Elements(1,c)); */
  bound_convolve(1, c, g, w, A, e_dx);
  //@ assert same_x: Same{Pre,Here}(x,Elements(0,c));
  //@ assert same_g: Same{Pre,Here}(g,Elements(1,c));
  /*@ assert weights: \forall integer abs, e; 0 <= e < Weights(c) ==>
        WeightAt(abs,x,g,c,e) == WeightAt{Pre}(abs,x,g,c,e); */
  bound_weigh(c, x, g, A, e_dw);
  /*@ assert kept: \forall integer e; 0 <= e < Elements(0,c) ==>
        e_dx[e] == ConvBound{Pre}(A,1,g,w,c,e); */
  //@ assert same_g: Same{Pre,Here}(g,Elements(1,c));
  /*@ assert sums: \forall integer abs, a; 0 <= a < ChannelCount(1,c) ==>
        BiasSum(abs,1,g,c,a,c.batch) == BiasSum{Pre}(abs,1,g,c,a,c.batch); */
  /*@ assert made: \forall integer e; 0 <= e < Weights(c) ==>
        e_dw[e] == WeightBound{Pre}(A,x,g,c,e); */
  //@ ghost Summed: ;
  bound_bias(1, c, g, A, e_db);
  //@ assert still: Same{Summed,Here}(e_dx,Elements(0,c));
  //@ assert still_dw: Same{Summed,Here}(e_dw,Weights(c));
}

void ref_conv_transpose_vjp(conv_shape c, const double *x, const double *w, const double *g,
                            double *dx, double *dw, double *db)
{
  /*@ assert apart: Sep(dx,Elements(1,c),dw,Weights(c)) &&
        Sep(dx,Elements(1,c),x,Elements(1,c)) &&
        Sep(dx,Elements(1,c),g,Elements(0,c)) &&
        Sep(dx,Elements(1,c),db,ChannelCount(0,c)) &&
        Sep(dw,Weights(c),db,ChannelCount(0,c)) &&
        Sep(dw,Weights(c),g,Elements(0,c)); */
  convolve(0, c, g, w, dx);
  //@ assert same_x: Same{Pre,Here}(x,Elements(1,c));
  //@ assert same_g: Same{Pre,Here}(g,Elements(0,c));
  /*@ assert weights: \forall integer abs, e; 0 <= e < Weights(c) ==>
        WeightAt(abs,g,x,c,e) == WeightAt{Pre}(abs,g,x,c,e); */
  weigh(c, g, x, dw);
  /*@ assert kept: \forall integer e; 0 <= e < Elements(1,c) ==>
        dx[e] == ConvAt{Pre}(0,0,g,w,c,e); */
  //@ assert same_g: Same{Pre,Here}(g,Elements(0,c));
  /*@ assert sums: \forall integer abs, a; 0 <= a < ChannelCount(0,c) ==>
        BiasSum(abs,0,g,c,a,c.batch) == BiasSum{Pre}(abs,0,g,c,a,c.batch); */
  //@ assert made: \forall integer e; 0 <= e < Weights(c) ==> dw[e] == WeightAt{Pre}(0,g,x,c,e);
  //@ ghost Summed: ;
  sum_bias(0, c, g, db);
  //@ assert still: Same{Summed,Here}(dx,Elements(1,c));
  //@ assert still_dw: Same{Summed,Here}(dw,Weights(c));
}

void bound_conv_transpose_vjp(conv_shape c, const double *x, const double *w, const double *g,
                              arith A, double *e_dx, double *e_dw, double *e_db)
{
  /*@ assert apart: Sep(e_dx,Elements(1,c),e_dw,Weights(c)) &&
        Sep(e_dx,Elements(1,c),x,Elements(1,c)) &&
        Sep(e_dx,Elements(1,c),g,Elements(0,c)) &&
        Sep(e_dx,Elements(1,c),e_db,ChannelCount(0,c)) &&
        Sep(e_dw,Weights(c),e_db,ChannelCount(0,c)) &&
        Sep(e_dw,Weights(c),g,Elements(0,c)); */
  bound_convolve(0, c, g, w, A, e_dx);
  //@ assert same_x: Same{Pre,Here}(x,Elements(1,c));
  //@ assert same_g: Same{Pre,Here}(g,Elements(0,c));
  /*@ assert weights: \forall integer abs, e; 0 <= e < Weights(c) ==>
        WeightAt(abs,g,x,c,e) == WeightAt{Pre}(abs,g,x,c,e); */
  bound_weigh(c, g, x, A, e_dw);
  /*@ assert kept: \forall integer e; 0 <= e < Elements(1,c) ==>
        e_dx[e] == ConvBound{Pre}(A,0,g,w,c,e); */
  //@ assert same_g: Same{Pre,Here}(g,Elements(0,c));
  /*@ assert sums: \forall integer abs, a; 0 <= a < ChannelCount(0,c) ==>
        BiasSum(abs,0,g,c,a,c.batch) == BiasSum{Pre}(abs,0,g,c,a,c.batch); */
  /*@ assert made: \forall integer e; 0 <= e < Weights(c) ==>
        e_dw[e] == WeightBound{Pre}(A,g,x,c,e); */
  //@ ghost Summed: ;
  bound_bias(0, c, g, A, e_db);
  //@ assert still: Same{Summed,Here}(e_dx,Elements(1,c));
  //@ assert still_dw: Same{Summed,Here}(e_dw,Weights(c));
}
