#include "batch_norm.h"
#include "hat.h"

/*@ // channels before c are done
    predicate Shifts{L1,L2}(scalar *x, scalar *gamma, scalar *beta, scalar *y, integer n,
                            integer channels, integer size, real eps, integer c) =
      \forall integer j, k, s; 0 <= j < n ==> 0 <= k < c ==> 0 <= s < size ==>
        \at(y[At3(j,channels,k,size,s)],L2) ==
        Shifted(rd{L1}(x,At3(j,channels,k,size,s)), ChanMean{L1}(x,channels,size,k,n),
                ChanRstd{L1}(x,channels,size,k,n,eps), rd{L1}(gamma,k), rd{L1}(beta,k));
    predicate Means{L1,L2}(scalar *x, scalar *mean, integer n, integer channels, integer size,
                           integer c) =
      \forall integer k; 0 <= k < c ==> \at(mean[k],L2) == ChanMean{L1}(x,channels,size,k,n);
    predicate Rstds{L1,L2}(scalar *x, scalar *rstd, integer n, integer channels, integer size,
                           real eps, integer c) =
      \forall integer k; 0 <= k < c ==>
        \at(rstd[k],L2) == ChanRstd{L1}(x,channels,size,k,n,eps);
    predicate Pulls{L1,L2}(scalar *x, scalar *gamma, scalar *mean, scalar *rstd, scalar *g,
                           scalar *dx, integer n, integer channels, integer size, integer c) =
      \forall integer j, k, s; 0 <= j < n ==> 0 <= k < c ==> 0 <= s < size ==>
        \at(dx[At3(j,channels,k,size,s)],L2) ==
        BatchDx(rd{L1}(g,At3(j,channels,k,size,s)), rd{L1}(x,At3(j,channels,k,size,s)),
                rd{L1}(mean,k), rd{L1}(rstd,k), rd{L1}(gamma,k),
                ChanHat{L1}(g,x,rd{L1}(mean,k),rd{L1}(rstd,k),channels,size,k,n),
                ChanSum{L1}(g,channels,size,k,n), (real)ix(n,size,0));
    predicate Dgammas{L1,L2}(scalar *x, scalar *mean, scalar *rstd, scalar *g, scalar *dgamma,
                             integer n, integer channels, integer size, integer c) =
      \forall integer k; 0 <= k < c ==> \at(dgamma[k],L2) ==
        ChanHat{L1}(g,x,rd{L1}(mean,k),rd{L1}(rstd,k),channels,size,k,n);
    predicate Dbetas{L1,L2}(scalar *g, scalar *dbeta, integer n, integer channels, integer size,
                            integer c) =
      \forall integer k; 0 <= k < c ==> \at(dbeta[k],L2) == ChanSum{L1}(g,channels,size,k,n);
    // rows before i of channel c
    predicate ChanShifts{L1,L2}(scalar *x, scalar *y, integer channels, integer size, integer c,
                                real m, real r, real gamma, real beta, integer i) =
      \forall integer j, s; 0 <= j < i ==> 0 <= s < size ==>
        \at(y[At3(j,channels,c,size,s)],L2) ==
        Shifted(rd{L1}(x,At3(j,channels,c,size,s)),m,r,gamma,beta);
    predicate ChanPulls{L1,L2}(scalar *x, scalar *g, scalar *dx, integer channels, integer size,
                               integer c, real m, real r, real gamma, real dgamma, real dbeta,
                               real count, integer i) =
      \forall integer j, s; 0 <= j < i ==> 0 <= s < size ==>
        \at(dx[At3(j,channels,c,size,s)],L2) ==
        BatchDx(rd{L1}(g,At3(j,channels,c,size,s)),rd{L1}(x,At3(j,channels,c,size,s)),
                m,r,gamma,dgamma,dbeta,count);
*/

idx chan_row(idx n, idx channels, idx size, idx i, idx c)
{
  idx rows = size2(n, channels), row = at2(n, channels, i, c);
  //@ assert inside: ix(row,size,0) + size == ix(row+1,size,0) <= ix(rows,size,0);
  return at2(rows, size, row, 0);
}

/*@ requires 0.0 <= v && 0.0 < eps;
    assigns \nothing;
    ensures \result == InvRoot(v,eps);
*/
static double inv_root(double v, double eps)
{
  double root = r_sqrt(v + eps);
  //@ assert positive: root > 0.0;
  return r_div(1.0, root);
}

/*@ requires Sizes3(n,channels,size) && In2(x,ix(n,channels,0),size) && 0 <= c < channels;
    assigns \nothing;
    ensures \result.v == ChanSum{Pre}(x,channels,size,c,n) && Lossless(\result);
*/
static twice chan_sum(idx n, idx channels, idx size, const double *x, idx c)
{
  double sum = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant sum == ChanSum{Pre}(x,channels,size,c,i) && is_zero(lost);
      loop assigns i, sum, lost;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    idx o = chan_row(n, channels, size, i, c);
    double row = 0.0;
    /*@ loop invariant 0 <= s <= size;
        loop invariant row == Sum{Pre}(x+o,s) && is_zero(lost);
        loop assigns s, row, lost;
        loop variant size - s;
    */
    for (idx s = 0; s < size; s++) {
      lost += lost_sum(row, x[o + s]);
      row += x[o + s];
    }
    lost += lost_sum(sum, row);
    sum += row;
  }
  return twice_of(sum, lost);
}

/*@ requires Lossless(sum) && count != 0.0;
    assigns \nothing;
    ensures \result.v == rdiv(sum.v,count) && Lossless(\result);
*/
static twice by_count(twice sum, double count) { return twice_quotient(sum, twice_exactly(count)); }

/*@ requires Sizes3(n,channels,size) && In2(x,ix(n,channels,0),size) && 0 <= c < channels;
    assigns \nothing;
    ensures \result == ChanDev{Pre}(x,m,channels,size,c,n);
*/
static double chan_dev(idx n, idx channels, idx size, const double *x, double m, idx c)
{
  double sum = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant sum == ChanDev{Pre}(x,m,channels,size,c,i);
      loop assigns i, sum;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    idx o = chan_row(n, channels, size, i, c);
    double row = 0.0;
    /*@ loop invariant 0 <= s <= size;
        loop invariant row == SqDev{Pre}(x+o,m,s);
        loop assigns s, row;
        loop variant size - s;
    */
    for (idx s = 0; s < size; s++)
      row += r_mul(x[o + s] - m, x[o + s] - m);
    sum += row;
  }
  return sum;
}

double chan_var(idx n, idx channels, idx size, const double *x, idx c)
{
  double count = (double)size2(n, size);
  twice m = by_count(chan_sum(n, channels, size, x, c), count);
  return r_div(chan_dev(n, channels, size, x, m.v, c), count);
}

/*@ requires Lossless(m); assigns \nothing; ensures \result == Shifted(x,m.v,r,gamma,beta); */
static double shifted(double x, twice m, double r, double gamma, double beta)
{
  return r_mul(hat(x, m, r), gamma) + beta;
}

/*@ requires Sizes3(n,channels,size) && In2(x,ix(n,channels,0),size) && 0 <= c < channels;
    requires In2(g,ix(n,channels,0),size);
    assigns \nothing;
    ensures \result.v == ChanHat{Pre}(g,x,m,r,channels,size,c,n) && Lossless(\result);
*/
static twice chan_hat(idx n, idx channels, idx size, const double *g, const double *x, double m,
                      double r, idx c)
{
  double sum = 0.0, lost = 0.0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant sum == ChanHat{Pre}(g,x,m,r,channels,size,c,i) && is_zero(lost);
      loop assigns i, sum, lost;
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++) {
    idx o = chan_row(n, channels, size, i, c);
    double row = 0.0;
    /*@ loop invariant 0 <= s <= size;
        loop invariant row == RowHat{Pre}(g+o,x+o,m,r,s) && is_zero(lost);
        loop assigns s, row, lost;
        loop variant size - s;
    */
    for (idx s = 0; s < size; s++) {
      twice term = twice_product(twice_exactly(g[o + s]), hat_twice(x[o + s], m, r));
      lost += lost_sum(row, term.v) + term.lost;
      row += term.v;
    }
    lost += lost_sum(sum, row);
    sum += row;
  }
  return twice_of(sum, lost);
}

/*@ requires In1(x,n) && Out1(y,n) && Sep(y,n,x,n) && Lossless(m);
    assigns y[0 .. n-1];
    ensures \forall integer s; 0 <= s < n ==> y[s] == Shifted(rd{Pre}(x,s),m.v,r,gamma,beta);
*/
static void put_row(idx n, const double *x, twice m, double r, double gamma, double beta, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer s; 0 <= s < i ==>
        y[s] == Shifted(rd{Pre}(x,s),m.v,r,gamma,beta);
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = shifted(x[i], m, r, gamma, beta);
}

/*@ requires Sizes3(n,channels,size) && 0 <= c < channels && Lossless(m);
    requires In2(x,ix(n,channels,0),size) && Out2(y,ix(n,channels,0),size);
    requires Sep(y,Count3(n,channels,size),x,Count3(n,channels,size));
    assigns y[0 .. Count3(n,channels,size)-1];
    ensures ChanShifts{Pre,Post}(x,y,channels,size,c,m.v,r,gamma,beta,n);
    ensures SameChans{Pre,Post}(y,n,channels,size,c);
*/
static void put_chan(idx n, idx channels, idx size, idx c, const double *x, twice m, double r,
                     double gamma, double beta, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant ChanShifts{Pre,Here}(x,y,channels,size,c,m.v,r,gamma,beta,i);
      loop invariant SameChans{Pre,Here}(y,n,channels,size,c);
      loop assigns i, y[0 .. Count3(n,channels,size)-1];
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
    put_row(size, x + o, m, r, gamma, beta, y + o);
    /*@ assert raw: \forall integer s; 0 <= s < size ==>
          y[o+s] == Shifted(rd{L1}(x+o,s),m.v,r,gamma,beta); */
    /*@ assert here: \forall integer s; 0 <= s < size ==>
          y[o+s] == Shifted(rd{Pre}(x+o,s),m.v,r,gamma,beta); */
    /*@ assert cell: \forall integer s; 0 <= s < size ==>
          y[At3(i,channels,c,size,s)] == y[o+s]; */
    /*@ assert new: \forall integer s; 0 <= s < size ==> y[At3(i,channels,c,size,s)] ==
          Shifted(rd{Pre}(x,At3(i,channels,c,size,s)),m.v,r,gamma,beta); */
    //@ assert apart: SameBeside{L1,Here}(y,Count3(n,channels,size),o,size);
    //@ assert old: SameOthers{L1,Here}(y,ix(n,channels,0),size,ix(i,channels,c));
  }
}

/*@ requires Sizes3(n,channels,size) && In2(x,ix(n,channels,0),size) && eps > 0.0;
    requires Out1(mean,channels) && Out1(rstd,channels) && Sep(mean,channels,rstd,channels);
    requires Sep(mean,channels,x,Count3(n,channels,size));
    requires Sep(rstd,channels,x,Count3(n,channels,size));
    assigns mean[0 .. channels-1], rstd[0 .. channels-1];
    ensures Means{Pre,Post}(x,mean,n,channels,size,channels);
    ensures Rstds{Pre,Post}(x,rstd,n,channels,size,eps,channels);
*/
static void chan_stats(idx n, idx channels, idx size, double eps, const double *x, double *mean,
                       double *rstd)
{
  double count = (double)size2(n, size);
  /*@ loop invariant 0 <= c <= channels;
      loop invariant Means{Pre,Here}(x,mean,n,channels,size,c);
      loop invariant Rstds{Pre,Here}(x,rstd,n,channels,size,eps,c);
      loop assigns c, mean[0 .. channels-1], rstd[0 .. channels-1];
      loop variant channels - c;
  */
  for (idx c = 0; c < channels; c++) {
    //@ ghost L0: ;
    //@ assert flat_x: Same{L0,Pre}(x,Count3(n,channels,size));
    //@ assert same: SameChan{L0,Pre}(x,channels,size,c,n);
    twice m = by_count(chan_sum(n, channels, size, x, c), count);
    double v = chan_var(n, channels, size, x, c), r = inv_root(v, eps);
    //@ assert mean: m.v == ChanMean{Pre}(x,channels,size,c,n);
    //@ assert rstd: r == ChanRstd{Pre}(x,channels,size,c,n,eps);
    mean[c] = m.v;
    rstd[c] = r;
    //@ assert means: Same{L0,Here}(mean,c);
    //@ assert rstds: Same{L0,Here}(rstd,c);
  }
}

void ref_batch_norm(idx n, idx channels, idx size, double eps, const double *x, const double *gamma,
                    const double *beta, double *y, double *mean, double *rstd)
{
  chan_stats(n, channels, size, eps, x, mean, rstd);
  /*@ loop invariant 0 <= c <= channels;
      loop invariant Shifts{Pre,Here}(x,gamma,beta,y,n,channels,size,eps,c);
      loop assigns c, y[0 .. Count3(n,channels,size)-1];
      loop variant channels - c;
  */
  for (idx c = 0; c < channels; c++) {
    //@ ghost L0: ;
    //@ assert flat_x: Same{L0,Pre}(x,Count3(n,channels,size));
    double r = rstd[c], ga = gamma[c], be = beta[c];
    twice m = by_count(chan_sum(n, channels, size, x, c), (double)size2(n, size));
    //@ assert same_x: SameChan{L0,Pre}(x,channels,size,c,n);
    //@ assert mean: m.v == ChanMean{Pre}(x,channels,size,c,n);
    //@ assert rstd: r == ChanRstd{Pre}(x,channels,size,c,n,eps);
    //@ assert gamma: ga == rd{Pre}(gamma,c);
    //@ assert beta: be == rd{Pre}(beta,c);
    put_chan(n, channels, size, c, x, m, r, ga, be, y);
    //@ assert new: ChanShifts{Pre,Here}(x,y,channels,size,c,m.v,r,ga,be,n);
    //@ assert old: SameChans{L0,Here}(y,n,channels,size,c);
  }
}

/*@ requires Lossless(mean) && Lossless(mean_hat);
    assigns \nothing;
    ensures \result == rmul(NormDx(g,mean.v,Hat(x,m,r),mean_hat.v,r),gamma);
*/
static double batch_dx(double g, double x, double m, double r, double gamma, twice mean,
                       twice mean_hat)
{
  return r_mul(norm_dx(g, mean, hat_twice(x, m, r), mean_hat, r), gamma);
}

/*@ requires In1(x,n) && In1(g,n) && Out1(dx,n) && Sep(dx,n,x,n) && Sep(dx,n,g,n);
    requires Lossless(dgamma) && Lossless(dbeta) && count != 0.0;
    assigns dx[0 .. n-1];
    ensures \forall integer s; 0 <= s < n ==> dx[s] ==
      BatchDx(rd{Pre}(g,s),rd{Pre}(x,s),m,r,gamma,dgamma.v,dbeta.v,count);
*/
static void pull_row(idx n, const double *x, const double *g, double m, double r, double gamma,
                     twice dgamma, twice dbeta, double count, double *dx)
{
  twice mean = by_count(dbeta, count), mean_hat = by_count(dgamma, count);
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer s; 0 <= s < i ==> dx[s] ==
        BatchDx(rd{Pre}(g,s),rd{Pre}(x,s),m,r,gamma,dgamma.v,dbeta.v,count);
      loop assigns i, dx[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    dx[i] = batch_dx(g[i], x[i], m, r, gamma, mean, mean_hat);
}

/*@ requires Sizes3(n,channels,size) && 0 <= c < channels;
    requires In2(x,ix(n,channels,0),size) && In2(g,ix(n,channels,0),size);
    requires Out2(dx,ix(n,channels,0),size);
    requires Sep(dx,Count3(n,channels,size),x,Count3(n,channels,size));
    requires Sep(dx,Count3(n,channels,size),g,Count3(n,channels,size));
    requires Lossless(dgamma) && Lossless(dbeta);
    assigns dx[0 .. Count3(n,channels,size)-1];
    ensures ChanPulls{Pre,Post}(x,g,dx,channels,size,c,m,r,gamma,dgamma.v,dbeta.v,
                                (real)ix(n,size,0),n);
    ensures SameChans{Pre,Post}(dx,n,channels,size,c);
*/
static void pull_chan(idx n, idx channels, idx size, idx c, const double *x, const double *g,
                      double m, double r, double gamma, twice dgamma, twice dbeta, double *dx)
{
  double count = (double)size2(n, size);
  /*@ loop invariant 0 <= i <= n;
      loop invariant
        ChanPulls{Pre,Here}(x,g,dx,channels,size,c,m,r,gamma,dgamma.v,dbeta.v,count,i);
      loop invariant SameChans{Pre,Here}(dx,n,channels,size,c);
      loop assigns i, dx[0 .. Count3(n,channels,size)-1];
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
    pull_row(size, x + o, g + o, m, r, gamma, dgamma, dbeta, count, dx + o);
    /*@ assert raw: \forall integer s; 0 <= s < size ==> dx[o+s] ==
          BatchDx(rd{L1}(g+o,s),rd{L1}(x+o,s),m,r,gamma,dgamma.v,dbeta.v,count); */
    /*@ assert here: \forall integer s; 0 <= s < size ==> dx[o+s] ==
          BatchDx(rd{Pre}(g+o,s),rd{Pre}(x+o,s),m,r,gamma,dgamma.v,dbeta.v,count); */
    /*@ assert cell: \forall integer s; 0 <= s < size ==>
          dx[At3(i,channels,c,size,s)] == dx[o+s]; */
    /*@ assert new: \forall integer s; 0 <= s < size ==> dx[At3(i,channels,c,size,s)] ==
          BatchDx(rd{Pre}(g,At3(i,channels,c,size,s)),rd{Pre}(x,At3(i,channels,c,size,s)),
                  m,r,gamma,dgamma.v,dbeta.v,count); */
    //@ assert apart: SameBeside{L1,Here}(dx,Count3(n,channels,size),o,size);
    //@ assert old: SameOthers{L1,Here}(dx,ix(n,channels,0),size,ix(i,channels,c));
  }
}

/*@ requires Sizes3(n,channels,size);
    requires In2(x,ix(n,channels,0),size) && In2(g,ix(n,channels,0),size);
    requires In1(mean,channels) && In1(rstd,channels);
    requires Out1(dgamma,channels) && Out1(dbeta,channels) && Sep(dgamma,channels,dbeta,channels);
    requires Sep(dgamma,channels,x,Count3(n,channels,size));
    requires Sep(dgamma,channels,g,Count3(n,channels,size));
    requires Sep(dbeta,channels,x,Count3(n,channels,size));
    requires Sep(dbeta,channels,g,Count3(n,channels,size));
    requires Sep(dgamma,channels,mean,channels) && Sep(dgamma,channels,rstd,channels);
    requires Sep(dbeta,channels,mean,channels) && Sep(dbeta,channels,rstd,channels);
    assigns dgamma[0 .. channels-1], dbeta[0 .. channels-1];
    ensures Dgammas{Pre,Post}(x,mean,rstd,g,dgamma,n,channels,size,channels);
    ensures Dbetas{Pre,Post}(g,dbeta,n,channels,size,channels);
*/
static void chan_gradients(idx n, idx channels, idx size, const double *x, const double *mean,
                           const double *rstd, const double *g, double *dgamma, double *dbeta)
{
  /*@ loop invariant 0 <= c <= channels;
      loop invariant Dgammas{Pre,Here}(x,mean,rstd,g,dgamma,n,channels,size,c);
      loop invariant Dbetas{Pre,Here}(g,dbeta,n,channels,size,c);
      loop assigns c, dgamma[0 .. channels-1], dbeta[0 .. channels-1];
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
    twice h = chan_hat(n, channels, size, g, x, m, r, c), b = chan_sum(n, channels, size, g, c);
    //@ assert dgamma: h.v == ChanHat{Pre}(g,x,m,r,channels,size,c,n);
    //@ assert dbeta: b.v == ChanSum{Pre}(g,channels,size,c,n);
    dgamma[c] = h.v;
    dbeta[c] = b.v;
    //@ assert dgammas: Same{L0,Here}(dgamma,c);
    //@ assert dbetas: Same{L0,Here}(dbeta,c);
  }
}

void ref_batch_norm_vjp(idx n, idx channels, idx size, const double *x, const double *gamma,
                        const double *mean, const double *rstd, const double *g, double *dx,
                        double *dgamma, double *dbeta)
{
  chan_gradients(n, channels, size, x, mean, rstd, g, dgamma, dbeta);
  /*@ loop invariant 0 <= c <= channels;
      loop invariant Pulls{Pre,Here}(x,gamma,mean,rstd,g,dx,n,channels,size,c);
      loop assigns c, dx[0 .. Count3(n,channels,size)-1];
      loop variant channels - c;
  */
  for (idx c = 0; c < channels; c++) {
    //@ ghost L0: ;
    //@ assert flat_x: Same{L0,Pre}(x,Count3(n,channels,size));
    //@ assert flat_g: Same{L0,Pre}(g,Count3(n,channels,size));
    //@ assert same_x: SameChan{L0,Pre}(x,channels,size,c,n);
    //@ assert same_g: SameChan{L0,Pre}(g,channels,size,c,n);
    double m = mean[c], r = rstd[c], ga = gamma[c];
    //@ assert mean: m == rd{Pre}(mean,c);
    //@ assert rstd: r == rd{Pre}(rstd,c);
    //@ assert gamma: ga == rd{Pre}(gamma,c);
    twice h = chan_hat(n, channels, size, g, x, m, r, c), b = chan_sum(n, channels, size, g, c);
    //@ assert dgamma: h.v == ChanHat{Pre}(g,x,m,r,channels,size,c,n);
    //@ assert dbeta: b.v == ChanSum{Pre}(g,channels,size,c,n);
    pull_chan(n, channels, size, c, x, g, m, r, ga, h, b, dx);
    //@ assert new: ChanPulls{Pre,Here}(x,g,dx,channels,size,c,m,r,ga,h.v,b.v,(real)ix(n,size,0),n);
    //@ assert old: SameChans{L0,Here}(dx,n,channels,size,c);
  }
}
