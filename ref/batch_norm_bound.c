/* Error bounds of batch_norm and its VJP. */
#include "batch_norm.h"

/*@ // channels before c are done
    predicate ShiftBounds{L1,L2}(arith A, scalar *x, scalar *gamma, scalar *beta, scalar *e,
                                 integer n, integer channels, integer size, real eps,
                                 integer c) =
      \forall integer j, k, s; 0 <= j < n ==> 0 <= k < c ==> 0 <= s < size ==>
        \at(e[At3(j,channels,k,size,s)],L2) ==
        p_normed(A, 1, rd{L1}(x,At3(j,channels,k,size,s)),
                 ChanMeanPair{L1}(A,x,channels,size,k,n),
                 ChanRstdPair{L1}(A,x,channels,size,k,n,eps), rd{L1}(gamma,k), rd{L1}(beta,k)).e;
    predicate MeanBounds{L1,L2}(arith A, scalar *x, scalar *e, integer n, integer channels,
                                integer size, integer c) =
      \forall integer k; 0 <= k < c ==>
        \at(e[k],L2) == ChanMeanPair{L1}(A,x,channels,size,k,n).e;
    predicate RstdBounds{L1,L2}(arith A, scalar *x, scalar *e, integer n, integer channels,
                                integer size, real eps, integer c) =
      \forall integer k; 0 <= k < c ==>
        \at(e[k],L2) == ChanRstdPair{L1}(A,x,channels,size,k,n,eps).e;
    predicate PullBounds{L1,L2}(arith A, scalar *x, scalar *gamma, scalar *mean, scalar *rstd,
                                scalar *g, scalar *e, integer n, integer channels, integer size,
                                integer c) =
      \forall integer j, k, s; 0 <= j < n ==> 0 <= k < c ==> 0 <= s < size ==>
        \at(e[At3(j,channels,k,size,s)],L2) ==
        p_batch_dx(A, rd{L1}(g,At3(j,channels,k,size,s)), rd{L1}(x,At3(j,channels,k,size,s)),
                   rd{L1}(mean,k), rd{L1}(rstd,k), rd{L1}(gamma,k),
                   DgammaPair{L1}(A,x,rd{L1}(mean,k),rd{L1}(rstd,k),g,channels,size,k,n),
                   DbetaPair{L1}(A,g,channels,size,k,n), ix(n,size,0)).e;
    predicate DgammaBounds{L1,L2}(arith A, scalar *x, scalar *mean, scalar *rstd, scalar *g,
                                  scalar *e, integer n, integer channels, integer size,
                                  integer c) =
      \forall integer k; 0 <= k < c ==> \at(e[k],L2) ==
        DgammaPair{L1}(A,x,rd{L1}(mean,k),rd{L1}(rstd,k),g,channels,size,k,n).e;
    predicate DbetaBounds{L1,L2}(arith A, scalar *g, scalar *e, integer n, integer channels,
                                 integer size, integer c) =
      \forall integer k; 0 <= k < c ==> \at(e[k],L2) == DbetaPair{L1}(A,g,channels,size,k,n).e;
    // rows before i of channel c
    predicate ChanShiftBounds{L1,L2}(arith A, scalar *x, scalar *e, integer channels, integer size,
                                     integer c, pair m, pair r, real gamma, real beta,
                                     integer i) =
      \forall integer j, s; 0 <= j < i ==> 0 <= s < size ==>
        \at(e[At3(j,channels,c,size,s)],L2) ==
        p_normed(A, 1, rd{L1}(x,At3(j,channels,c,size,s)), m, r, gamma, beta).e;
    predicate ChanPullBounds{L1,L2}(arith A, scalar *x, scalar *g, scalar *e, integer channels,
                                    integer size, integer c, real m, real r, real gamma,
                                    pair dgamma, pair dbeta, integer count, integer i) =
      \forall integer j, s; 0 <= j < i ==> 0 <= s < size ==>
        \at(e[At3(j,channels,c,size,s)],L2) ==
        p_batch_dx(A, rd{L1}(g,At3(j,channels,c,size,s)), rd{L1}(x,At3(j,channels,c,size,s)),
                   m, r, gamma, dgamma, dbeta, count).e;
*/

typedef struct {
  double value, abs, error;
} sums;

/*@ requires Sizes3(n,channels,size) && In2(x,ix(n,channels,0),size) && 0 <= c < channels;
    assigns \nothing;
    ensures \result.value == ChanSum{Pre}(x,channels,size,c,n);
    ensures \result.abs == ChanAbs{Pre}(x,channels,size,c,n);
*/
static sums chan_sums(idx n, idx channels, idx size, const double *x, idx c)
{
  double sum = 0.0, abs = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant sum == ChanSum{Pre}(x,channels,size,c,i);
      loop invariant abs == ChanAbs{Pre}(x,channels,size,c,i);
      loop assigns i, sum, abs;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    idx o = chan_row(n, channels, size, i, c);
    double row = 0.0, row_abs = 0.0;
    /*@ loop invariant 0 <= s <= size;
        loop invariant row == Sum{Pre}(x+o,s);
        loop invariant row_abs == SumAbs{Pre}(x+o,s);
        loop assigns s, row, row_abs;
        loop variant size - s;
    */
    for (idx s = 0; s < size; s++) {
      row += x[o + s];
      row_abs += r_abs(x[o + s]);
    }
    sum += row;
    abs += row_abs;
  }
  sums t = {sum, abs, 0.0};
  return t;
}

/*@ requires Sizes3(n,channels,size) && In2(x,ix(n,channels,0),size) && 0 <= c < channels;
    requires In2(g,ix(n,channels,0),size);
    assigns \nothing;
    ensures \result.value == ChanValue{Pre}(A,x,m,r,g,channels,size,c,n);
    ensures \result.abs == ChanHatAbs{Pre}(A,x,m,r,g,channels,size,c,n);
    ensures \result.error == ChanError{Pre}(A,x,m,r,g,channels,size,c,n);
*/
static sums chan_hats(idx n, idx channels, idx size, const double *x, double m, double r,
                      const double *g, arith A, idx c)
{
  double value = 0.0, abs = 0.0, error = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant value == ChanValue{Pre}(A,x,m,r,g,channels,size,c,i);
      loop invariant abs == ChanHatAbs{Pre}(A,x,m,r,g,channels,size,c,i);
      loop invariant error == ChanError{Pre}(A,x,m,r,g,channels,size,c,i);
      loop assigns i, value, abs, error;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    idx o = chan_row(n, channels, size, i, c);
    double row = 0.0, row_abs = 0.0, row_error = 0.0;
    /*@ loop invariant 0 <= s <= size;
        loop invariant row == RowValue{Pre}(A,x+o,m,r,g+o,s);
        loop invariant row_abs == RowAbs{Pre}(A,x+o,m,r,g+o,s);
        loop invariant row_error == RowError{Pre}(A,x+o,m,r,g+o,s);
        loop assigns s, row, row_abs, row_error;
        loop variant size - s;
    */
    for (idx s = 0; s < size; s++) {
      pair t = pair_hat(A, 1, g[o + s], x[o + s], m, r);
      //@ assert term: t == RowPair{Pre}(A,x+o,m,r,g+o,s);
      row += t.v;
      row_abs += r_abs(t.v);
      row_error += t.e;
    }
    value += row;
    abs += row_abs;
    error += row_error;
  }
  sums t = {value, abs, error};
  return t;
}

/*@ requires In1(x,n) && Out1(e,n) && Sep(e,n,x,n);
    assigns e[0 .. n-1];
    ensures \forall integer s; 0 <= s < n ==>
      e[s] == p_normed(A,1,rd{Pre}(x,s),m,r,gamma,beta).e;
*/
static void put_row(idx n, const double *x, pair m, pair r, double gamma, double beta, arith A,
                    double *e)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer s; 0 <= s < i ==>
        e[s] == p_normed(A,1,rd{Pre}(x,s),m,r,gamma,beta).e;
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    pair y = pair_normed(A, 1, x[i], m, r, gamma, beta);
    e[i] = y.e;
  }
}

/*@ requires Sizes3(n,channels,size) && 0 <= c < channels;
    requires In2(x,ix(n,channels,0),size) && Out2(e,ix(n,channels,0),size);
    requires Sep(e,Count3(n,channels,size),x,Count3(n,channels,size));
    assigns e[0 .. Count3(n,channels,size)-1];
    ensures ChanShiftBounds{Pre,Post}(A,x,e,channels,size,c,m,r,gamma,beta,n);
    ensures SameChans{Pre,Post}(e,n,channels,size,c);
*/
static void put_chan(idx n, idx channels, idx size, idx c, const double *x, pair m, pair r,
                     double gamma, double beta, arith A, double *e)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant ChanShiftBounds{Pre,Here}(A,x,e,channels,size,c,m,r,gamma,beta,i);
      loop invariant SameChans{Pre,Here}(e,n,channels,size,c);
      loop assigns i, e[0 .. Count3(n,channels,size)-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    //@ ghost L1: ;
    //@ assert flat_x: Same{L1,Pre}(x,Count3(n,channels,size));
    idx o = chan_row(n, channels, size, i, c);
    //@ assert row_x: Same{L1,Pre}(x+o,size);
    //@ assert at: \forall integer s; 0 <= s < size ==> At3(i,channels,c,size,s) == o + s;
    /*@ assert cell_x: \forall integer s; 0 <= s < size ==>
          rd{Pre}(x,At3(i,channels,c,size,s)) == rd{Pre}(x+o,s); */
    put_row(size, x + o, m, r, gamma, beta, A, e + o);
    /*@ assert raw: \forall integer s; 0 <= s < size ==>
          e[o+s] == p_normed(A,1,rd{L1}(x+o,s),m,r,gamma,beta).e; */
    /*@ assert here: \forall integer s; 0 <= s < size ==>
          e[o+s] == p_normed(A,1,rd{Pre}(x+o,s),m,r,gamma,beta).e; */
    /*@ assert cell: \forall integer s; 0 <= s < size ==>
          e[At3(i,channels,c,size,s)] == e[o+s]; */
    /*@ assert new: \forall integer s; 0 <= s < size ==> e[At3(i,channels,c,size,s)] ==
          p_normed(A,1,rd{Pre}(x,At3(i,channels,c,size,s)),m,r,gamma,beta).e; */
    //@ assert apart: SameBeside{L1,Here}(e,Count3(n,channels,size),o,size);
    //@ assert old: SameOthers{L1,Here}(e,ix(n,channels,0),size,ix(i,channels,c));
  }
}

/*@ requires Sizes3(n,channels,size) && In2(x,ix(n,channels,0),size) && 0 <= c < channels;
    assigns \nothing;
    ensures \result == ChanMeanPair{Pre}(A,x,channels,size,c,n);
*/
static pair mean_pair(idx n, idx channels, idx size, const double *x, arith A, idx c)
{
  sums t = chan_sums(n, channels, size, x, c);
  return pair_center(A, 1, t.value, t.abs, size2(n, size));
}

/*@ requires Sizes3(n,channels,size) && In2(x,ix(n,channels,0),size) && 0 <= c < channels;
    assigns \nothing;
    ensures \result == ChanRstdPair{Pre}(A,x,channels,size,c,n,eps);
*/
static pair rstd_pair(idx n, idx channels, idx size, double eps, const double *x, arith A, idx c)
{
  pair m = mean_pair(n, channels, size, x, A, c);
  return pair_rstd(A, chan_var(n, channels, size, x, c), m.e, eps, size2(n, size), A.h + 5.0);
}

/*@ requires Sizes3(n,channels,size) && In2(x,ix(n,channels,0),size);
    requires Out1(e_mean,channels) && Out1(e_rstd,channels);
    requires Sep(e_mean,channels,e_rstd,channels);
    requires Sep(e_mean,channels,x,Count3(n,channels,size));
    requires Sep(e_rstd,channels,x,Count3(n,channels,size));
    assigns e_mean[0 .. channels-1], e_rstd[0 .. channels-1];
    ensures MeanBounds{Pre,Post}(A,x,e_mean,n,channels,size,channels);
    ensures RstdBounds{Pre,Post}(A,x,e_rstd,n,channels,size,eps,channels);
*/
static void bound_stats(idx n, idx channels, idx size, double eps, const double *x, arith A,
                        double *e_mean, double *e_rstd)
{
  /*@ loop invariant 0 <= c <= channels;
      loop invariant MeanBounds{Pre,Here}(A,x,e_mean,n,channels,size,c);
      loop invariant RstdBounds{Pre,Here}(A,x,e_rstd,n,channels,size,eps,c);
      loop assigns c, e_mean[0 .. channels-1], e_rstd[0 .. channels-1];
      loop variant channels - c;
  */
  for (idx c = 0; c < channels; c++) {
    //@ ghost L0: ;
    //@ assert flat_x: Same{L0,Pre}(x,Count3(n,channels,size));
    //@ assert same: SameChan{L0,Pre}(x,channels,size,c,n);
    pair m = mean_pair(n, channels, size, x, A, c), r = rstd_pair(n, channels, size, eps, x, A, c);
    //@ assert mean: m == ChanMeanPair{Pre}(A,x,channels,size,c,n);
    //@ assert rstd: r == ChanRstdPair{Pre}(A,x,channels,size,c,n,eps);
    e_mean[c] = m.e;
    e_rstd[c] = r.e;
    //@ assert means: Same{L0,Here}(e_mean,c);
    //@ assert rstds: Same{L0,Here}(e_rstd,c);
  }
}

void bound_batch_norm(idx n, idx channels, idx size, double eps, const double *x,
                      const double *gamma, const double *beta, arith A, double *e_y, double *e_mean,
                      double *e_rstd)
{
  bound_stats(n, channels, size, eps, x, A, e_mean, e_rstd);
  /*@ loop invariant 0 <= c <= channels;
      loop invariant ShiftBounds{Pre,Here}(A,x,gamma,beta,e_y,n,channels,size,eps,c);
      loop assigns c, e_y[0 .. Count3(n,channels,size)-1];
      loop variant channels - c;
  */
  for (idx c = 0; c < channels; c++) {
    //@ ghost L0: ;
    //@ assert flat_x: Same{L0,Pre}(x,Count3(n,channels,size));
    //@ assert same: SameChan{L0,Pre}(x,channels,size,c,n);
    pair m = mean_pair(n, channels, size, x, A, c), r = rstd_pair(n, channels, size, eps, x, A, c);
    double ga = gamma[c], be = beta[c];
    //@ assert mean: m == ChanMeanPair{Pre}(A,x,channels,size,c,n);
    //@ assert rstd: r == ChanRstdPair{Pre}(A,x,channels,size,c,n,eps);
    //@ assert gamma: ga == rd{Pre}(gamma,c);
    //@ assert beta: be == rd{Pre}(beta,c);
    put_chan(n, channels, size, c, x, m, r, ga, be, A, e_y);
    //@ assert new: ChanShiftBounds{Pre,Here}(A,x,e_y,channels,size,c,m,r,ga,be,n);
    //@ assert old: SameChans{L0,Here}(e_y,n,channels,size,c);
  }
}

/*@ assigns \nothing; ensures \result == p_gamma_lost(A,g,off,r,a,b); */
static double gamma_lost(arith A, double g, double off, double r, pair a, pair b)
{
  double hat = r_abs(r_mul(r_mul(off, r), pair_mag(b)));
  return A.eta * (4.0 * (1.0 + r_abs(r) + r_abs(g) + r_abs(pair_mag(a)) + hat));
}

/*@ requires 0 <= count;
    assigns \nothing;
    ensures \result == p_batch_dx(A,g,x,m,r,gamma,dgamma,dbeta,count).e;
*/
static double batch_dx(arith A, double g, double x, double m, double r, double gamma, pair dgamma,
                       pair dbeta, idx count)
{
  pair a = pair_quo(A, dbeta, pair_count(A, count), 2.0);
  pair b = pair_quo(A, dgamma, pair_count(A, count), 2.0);
  pair dx = pair_mul(A, pair_norm_dx(A, 1, g, 1.0, x, m, r, a, b), pair_in(gamma));
  dx = pair_widen(A, dx, gamma_lost(A, g, x - m, r, a, b));
  return dx.e;
}

/*@ requires In1(x,n) && In1(g,n) && Out1(e,n) && Sep(e,n,x,n) && Sep(e,n,g,n) && 0 <= count;
    assigns e[0 .. n-1];
    ensures \forall integer s; 0 <= s < n ==> e[s] ==
      p_batch_dx(A,rd{Pre}(g,s),rd{Pre}(x,s),m,r,gamma,dgamma,dbeta,count).e;
*/
static void pull_row(idx n, const double *x, const double *g, double m, double r, double gamma,
                     pair dgamma, pair dbeta, idx count, arith A, double *e)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer s; 0 <= s < i ==> e[s] ==
        p_batch_dx(A,rd{Pre}(g,s),rd{Pre}(x,s),m,r,gamma,dgamma,dbeta,count).e;
      loop assigns i, e[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    e[i] = batch_dx(A, g[i], x[i], m, r, gamma, dgamma, dbeta, count);
}

/*@ requires Sizes3(n,channels,size) && 0 <= c < channels;
    requires In2(x,ix(n,channels,0),size) && In2(g,ix(n,channels,0),size);
    requires Out2(e,ix(n,channels,0),size);
    requires Sep(e,Count3(n,channels,size),x,Count3(n,channels,size));
    requires Sep(e,Count3(n,channels,size),g,Count3(n,channels,size));
    assigns e[0 .. Count3(n,channels,size)-1];
    ensures ChanPullBounds{Pre,Post}(A,x,g,e,channels,size,c,m,r,gamma,dgamma,dbeta,ix(n,size,0),n);
    ensures SameChans{Pre,Post}(e,n,channels,size,c);
*/
static void pull_chan(idx n, idx channels, idx size, idx c, const double *x, const double *g,
                      double m, double r, double gamma, pair dgamma, pair dbeta, arith A, double *e)
{
  idx count = size2(n, size);
  /*@ loop invariant 0 <= i <= n;
      loop invariant
        ChanPullBounds{Pre,Here}(A,x,g,e,channels,size,c,m,r,gamma,dgamma,dbeta,count,i);
      loop invariant SameChans{Pre,Here}(e,n,channels,size,c);
      loop assigns i, e[0 .. Count3(n,channels,size)-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    //@ ghost L1: ;
    //@ assert flat_x: Same{L1,Pre}(x,Count3(n,channels,size));
    //@ assert flat_g: Same{L1,Pre}(g,Count3(n,channels,size));
    idx o = chan_row(n, channels, size, i, c);
    //@ assert row_x: Same{L1,Pre}(x+o,size);
    //@ assert row_g: Same{L1,Pre}(g+o,size);
    //@ assert at: \forall integer s; 0 <= s < size ==> At3(i,channels,c,size,s) == o + s;
    /*@ assert cell_x: \forall integer s; 0 <= s < size ==>
          rd{Pre}(x,At3(i,channels,c,size,s)) == rd{Pre}(x+o,s); */
    /*@ assert cell_g: \forall integer s; 0 <= s < size ==>
          rd{Pre}(g,At3(i,channels,c,size,s)) == rd{Pre}(g+o,s); */
    pull_row(size, x + o, g + o, m, r, gamma, dgamma, dbeta, count, A, e + o);
    /*@ assert raw: \forall integer s; 0 <= s < size ==> e[o+s] ==
          p_batch_dx(A,rd{L1}(g+o,s),rd{L1}(x+o,s),m,r,gamma,dgamma,dbeta,count).e; */
    /*@ assert here: \forall integer s; 0 <= s < size ==> e[o+s] ==
          p_batch_dx(A,rd{Pre}(g+o,s),rd{Pre}(x+o,s),m,r,gamma,dgamma,dbeta,count).e; */
    /*@ assert cell: \forall integer s; 0 <= s < size ==>
          e[At3(i,channels,c,size,s)] == e[o+s]; */
    /*@ assert new: \forall integer s; 0 <= s < size ==> e[At3(i,channels,c,size,s)] ==
          p_batch_dx(A,rd{Pre}(g,At3(i,channels,c,size,s)),rd{Pre}(x,At3(i,channels,c,size,s)),
                     m,r,gamma,dgamma,dbeta,count).e; */
    //@ assert apart: SameBeside{L1,Here}(e,Count3(n,channels,size),o,size);
    //@ assert old: SameOthers{L1,Here}(e,ix(n,channels,0),size,ix(i,channels,c));
  }
}

/*@ requires Sizes3(n,channels,size) && In2(x,ix(n,channels,0),size) && 0 <= c < channels;
    requires In2(g,ix(n,channels,0),size);
    assigns \nothing;
    ensures \result == DgammaPair{Pre}(A,x,m,r,g,channels,size,c,n);
*/
static pair dgamma_pair(idx n, idx channels, idx size, const double *x, double m, double r,
                        const double *g, arith A, idx c)
{
  sums t = chan_hats(n, channels, size, x, m, r, g, A, c);
  return pair_sum(A, t.value, t.abs, t.error, A.h);
}

/*@ requires Sizes3(n,channels,size) && In2(g,ix(n,channels,0),size) && 0 <= c < channels;
    assigns \nothing;
    ensures \result == DbetaPair{Pre}(A,g,channels,size,c,n);
*/
static pair dbeta_pair(idx n, idx channels, idx size, const double *g, arith A, idx c)
{
  sums t = chan_sums(n, channels, size, g, c);
  return pair_sum(A, t.value, t.abs, 0.0, A.h);
}

/*@ requires Sizes3(n,channels,size);
    requires In2(x,ix(n,channels,0),size) && In2(g,ix(n,channels,0),size);
    requires In1(mean,channels) && In1(rstd,channels);
    requires Out1(e_dgamma,channels) && Out1(e_dbeta,channels);
    requires Sep(e_dgamma,channels,e_dbeta,channels);
    requires Sep(e_dgamma,channels,x,Count3(n,channels,size));
    requires Sep(e_dgamma,channels,g,Count3(n,channels,size));
    requires Sep(e_dbeta,channels,x,Count3(n,channels,size));
    requires Sep(e_dbeta,channels,g,Count3(n,channels,size));
    requires Sep(e_dgamma,channels,mean,channels) && Sep(e_dgamma,channels,rstd,channels);
    requires Sep(e_dbeta,channels,mean,channels) && Sep(e_dbeta,channels,rstd,channels);
    assigns e_dgamma[0 .. channels-1], e_dbeta[0 .. channels-1];
    ensures DgammaBounds{Pre,Post}(A,x,mean,rstd,g,e_dgamma,n,channels,size,channels);
    ensures DbetaBounds{Pre,Post}(A,g,e_dbeta,n,channels,size,channels);
*/
static void bound_gradients(idx n, idx channels, idx size, const double *x, const double *mean,
                            const double *rstd, const double *g, arith A, double *e_dgamma,
                            double *e_dbeta)
{
  /*@ loop invariant 0 <= c <= channels;
      loop invariant DgammaBounds{Pre,Here}(A,x,mean,rstd,g,e_dgamma,n,channels,size,c);
      loop invariant DbetaBounds{Pre,Here}(A,g,e_dbeta,n,channels,size,c);
      loop assigns c, e_dgamma[0 .. channels-1], e_dbeta[0 .. channels-1];
      loop variant channels - c;
  */
  for (idx c = 0; c < channels; c++) {
    //@ ghost L0: ;
    //@ assert flat_x: Same{L0,Pre}(x,Count3(n,channels,size));
    //@ assert same_x: SameChan{L0,Pre}(x,channels,size,c,n);
    //@ assert flat_g: Same{L0,Pre}(g,Count3(n,channels,size));
    //@ assert same_g: SameChan{L0,Pre}(g,channels,size,c,n);
    double m = mean[c], r = rstd[c];
    //@ assert mean: m == rd{Pre}(mean,c);
    //@ assert rstd: r == rd{Pre}(rstd,c);
    pair h = dgamma_pair(n, channels, size, x, m, r, g, A, c);
    pair b = dbeta_pair(n, channels, size, g, A, c);
    //@ assert dgamma: h == DgammaPair{Pre}(A,x,m,r,g,channels,size,c,n);
    //@ assert dbeta: b == DbetaPair{Pre}(A,g,channels,size,c,n);
    e_dgamma[c] = h.e;
    e_dbeta[c] = b.e;
    //@ assert dgammas: Same{L0,Here}(e_dgamma,c);
    //@ assert dbetas: Same{L0,Here}(e_dbeta,c);
  }
}

void bound_batch_norm_vjp(idx n, idx channels, idx size, const double *x, const double *gamma,
                          const double *mean, const double *rstd, const double *g, arith A,
                          double *e_dx, double *e_dgamma, double *e_dbeta)
{
  bound_gradients(n, channels, size, x, mean, rstd, g, A, e_dgamma, e_dbeta);
  /*@ loop invariant 0 <= c <= channels;
      loop invariant PullBounds{Pre,Here}(A,x,gamma,mean,rstd,g,e_dx,n,channels,size,c);
      loop assigns c, e_dx[0 .. Count3(n,channels,size)-1];
      loop variant channels - c;
  */
  for (idx c = 0; c < channels; c++) {
    //@ ghost L0: ;
    //@ assert flat_x: Same{L0,Pre}(x,Count3(n,channels,size));
    //@ assert same_x: SameChan{L0,Pre}(x,channels,size,c,n);
    //@ assert flat_g: Same{L0,Pre}(g,Count3(n,channels,size));
    //@ assert same_g: SameChan{L0,Pre}(g,channels,size,c,n);
    double m = mean[c], r = rstd[c], ga = gamma[c];
    //@ assert mean: m == rd{Pre}(mean,c);
    //@ assert rstd: r == rd{Pre}(rstd,c);
    //@ assert gamma: ga == rd{Pre}(gamma,c);
    pair h = dgamma_pair(n, channels, size, x, m, r, g, A, c);
    pair b = dbeta_pair(n, channels, size, g, A, c);
    //@ assert dgamma: h == DgammaPair{Pre}(A,x,m,r,g,channels,size,c,n);
    //@ assert dbeta: b == DbetaPair{Pre}(A,g,channels,size,c,n);
    pull_chan(n, channels, size, c, x, g, m, r, ga, h, b, A, e_dx);
    //@ assert new: ChanPullBounds{Pre,Here}(A,x,g,e_dx,channels,size,c,m,r,ga,h,b,ix(n,size,0),n);
    //@ assert old: SameChans{L0,Here}(e_dx,n,channels,size,c);
  }
}
