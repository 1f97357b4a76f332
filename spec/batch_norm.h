/* batch_norm: x is (n, channels, size). Channel c of it has the rows x + Row(i,channels,c,size),
 * i < n, of `size` elements each, ix(n,size,0) in all; the sums below are over its first n rows. */
#ifndef SPEC_BATCH_NORM_H
#define SPEC_BATCH_NORM_H
#include "norm.h"
/*@ logic integer Row(integer i, integer channels, integer c, integer size) =
      ix(ix(i,channels,c),size,0);
    logic real ChanSum{L}(scalar *x, integer channels, integer size, integer c, integer n) =
      n <= 0 ? 0.0 : ChanSum{L}(x,channels,size,c,n-1) + Sum{L}(x+Row(n-1,channels,c,size),size);
    logic real ChanDev{L}(scalar *x, real m, integer channels, integer size, integer c,
                          integer n) =
      n <= 0 ? 0.0 : ChanDev{L}(x,m,channels,size,c,n-1) +
                     SqDev{L}(x+Row(n-1,channels,c,size),m,size);
    // sum of g[i] xhat[i] over i < n
    logic real RowHat{L}(scalar *g, scalar *x, real m, real r, integer n) =
      n <= 0 ? 0.0 : RowHat{L}(g,x,m,r,n-1) + rmul(g[n-1], Hat(x[n-1],m,r));
    logic real ChanHat{L}(scalar *g, scalar *x, real m, real r, integer channels, integer size,
                          integer c, integer n) =
      n <= 0 ? 0.0 : ChanHat{L}(g,x,m,r,channels,size,c,n-1) +
        RowHat{L}(g+Row(n-1,channels,c,size),x+Row(n-1,channels,c,size),m,r,size);
    logic real ChanMean{L}(scalar *x, integer channels, integer size, integer c, integer n) =
      rdiv(ChanSum{L}(x,channels,size,c,n), (real)ix(n,size,0));
    // the biased variance
    logic real ChanVar{L}(scalar *x, integer channels, integer size, integer c, integer n) =
      rdiv(ChanDev{L}(x,ChanMean{L}(x,channels,size,c,n),channels,size,c,n), (real)ix(n,size,0));
    logic real ChanRstd{L}(scalar *x, integer channels, integer size, integer c, integer n,
                           real eps) = InvRoot(ChanVar{L}(x,channels,size,c,n), eps);
    logic real Shifted(real x, real m, real r, real gamma, real beta) =
      rmul(Hat(x,m,r), gamma) + beta;
    // in a channel of which dgamma and dbeta are the gradients
    logic real BatchDx(real g, real x, real m, real r, real gamma, real dgamma, real dbeta,
                       real count) =
      rmul(NormDx(g, rdiv(dbeta,count), Hat(x,m,r), rdiv(dgamma,count), r), gamma);

    // the channel's rows are the same in both states
    predicate SameChan{L1,L2}(scalar *x, integer channels, integer size, integer c, integer n) =
      \forall integer i; 0 <= i < n ==> Same{L1,L2}(x+Row(i,channels,c,size),size);
    lemma row_inside: \forall integer i, n, channels, c, size;
      0 <= i < n ==> 0 <= c < channels ==> 0 <= size ==>
      0 <= Row(i,channels,c,size) <= ix(ix(n,channels,0),size,0) - size;
    // a part of what is the same; the steps are there for the provers
    predicate SameRead{L1,L2}(scalar *x, integer n) =
      \forall integer i; 0 <= i < n ==> rd{L1}(x,i) == rd{L2}(x,i);
    lemma read_part{L}: \forall scalar *x, integer o, i; rd{L}(x+o,i) == rd{L}(x,o+i);
    lemma same_read{L1,L2}: \forall scalar *x, integer n, i;
      Same{L1,L2}(x,n) ==> 0 <= i < n ==> rd{L1}(x,i) == rd{L2}(x,i);
    lemma same_read_part{L1,L2}: \forall scalar *x, integer o, k, n; 0 <= o <= n - k ==>
      Same{L1,L2}(x,n) ==> SameRead{L1,L2}(x+o,k);
    lemma read_same{L1,L2}: \forall scalar *x, integer n;
      SameRead{L1,L2}(x,n) ==> Same{L1,L2}(x,n);
    lemma same_part{L1,L2}: \forall scalar *x, integer o, k, n; 0 <= o <= n - k ==>
      Same{L1,L2}(x,n) ==> Same{L1,L2}(x+o,k);
    lemma same_chan{L1,L2}: \forall scalar *x, integer channels, size, c, n;
      0 <= c < channels ==> 0 <= size ==>
      Same{L1,L2}(x,ix(ix(n,channels,0),size,0)) ==> SameChan{L1,L2}(x,channels,size,c,n);
    lemma chan_sum_frame{L1,L2}: \forall scalar *x, integer channels, size, c, n;
      SameChan{L1,L2}(x,channels,size,c,n) ==>
      ChanSum{L1}(x,channels,size,c,n) == ChanSum{L2}(x,channels,size,c,n);
    lemma chan_dev_frame{L1,L2}: \forall scalar *x, real m, integer channels, size, c, n;
      SameChan{L1,L2}(x,channels,size,c,n) ==>
      ChanDev{L1}(x,m,channels,size,c,n) == ChanDev{L2}(x,m,channels,size,c,n);
    lemma row_hat_frame{L1,L2}: \forall scalar *g, *x, real m, r, integer n;
      Same{L1,L2}(g,n) ==> Same{L1,L2}(x,n) ==> RowHat{L1}(g,x,m,r,n) == RowHat{L2}(g,x,m,r,n);
    lemma chan_hat_frame{L1,L2}: \forall scalar *g, *x, real m, r, integer channels, size, c, n;
      SameChan{L1,L2}(g,channels,size,c,n) ==> SameChan{L1,L2}(x,channels,size,c,n) ==>
      ChanHat{L1}(g,x,m,r,channels,size,c,n) == ChanHat{L2}(g,x,m,r,channels,size,c,n);
    lemma chan_dev_nonneg{L}: \forall scalar *x, real m, integer channels, size, c, n;
      ChanDev{L}(x,m,channels,size,c,n) >= 0.0;
*/
#endif
