/* Softmax along the rows of a (rows, cols) matrix, its logarithm, and their VJPs. The functions below speak of one row of n elements; row r of x begins at
 * x + ix(r, cols, 0). */
#ifndef SPEC_SOFTMAX_H
#define SPEC_SOFTMAX_H
/*@ // largest of x[0 .. n-1], n >= 1
    logic real RowMax{L}(scalar *x, integer n) =
      n <= 1 ? x[0] : \max(RowMax{L}(x,n-1), x[n-1]);
    // sum of exp(x[i] - m) over i < n
    logic real SumExp{L}(scalar *x, real m, integer n) =
      n <= 0 ? 0.0 : SumExp{L}(x,m,n-1) + \exp(x[n-1] - m);
    // element c of the row's softmax
    logic real Softmax{L}(scalar *x, integer n, integer c) =
      rdiv(\exp(x[c] - RowMax{L}(x,n)), SumExp{L}(x,RowMax{L}(x,n),n));
    // sum of a[i] b[i] over i < n
    logic real RowDot{L}(scalar *a, scalar *b, integer n) =
      n <= 0 ? 0.0 : RowDot{L}(a,b,n-1) + rmul(a[n-1],b[n-1]);
    // element c of the row's cotangent; y is the row's softmax, g the cotangent of y
    logic real SoftmaxVjp{L}(scalar *y, scalar *g, integer n, integer c) =
      rmul(y[c], g[c] - RowDot{L}(g,y,n));
    // element c of the row's log-softmax
    logic real LogSoftmax{L}(scalar *x, integer n, integer c) =
      x[c] - RowMax{L}(x,n) - \log(SumExp{L}(x,RowMax{L}(x,n),n));
    // element c of the row's cotangent; y is the row's log-softmax
    logic real LogSoftmaxVjp{L}(scalar *y, scalar *g, integer n, integer c) =
      g[c] - rmul(\exp(y[c]), Sum{L}(g,n));

    lemma row_max_frame{L1,L2}: \forall scalar *x, integer n; 1 <= n ==> Same{L1,L2}(x,n) ==>
      RowMax{L1}(x,n) == RowMax{L2}(x,n);
    lemma sum_exp_frame{L1,L2}: \forall scalar *x, real m, integer n; Same{L1,L2}(x,n) ==>
      SumExp{L1}(x,m,n) == SumExp{L2}(x,m,n);
    lemma row_dot_frame{L1,L2}: \forall scalar *a, *b, integer n;
      Same{L1,L2}(a,n) ==> Same{L1,L2}(b,n) ==> RowDot{L1}(a,b,n) == RowDot{L2}(a,b,n);
    lemma exp_pos: \forall real x; \exp(x) > 0.0;
    lemma sum_exp_nonneg{L}: \forall scalar *x, real m, integer n; SumExp{L}(x,m,n) >= 0.0;
    lemma sum_exp_pos{L}: \forall scalar *x, real m, integer n; 1 <= n ==> SumExp{L}(x,m,n) > 0.0;
    lemma softmax_frame{L1,L2}: \forall scalar *x, integer n, c; 0 <= c < n ==>
      Same{L1,L2}(x,n) ==> Softmax{L1}(x,n,c) == Softmax{L2}(x,n,c);
    lemma softmax_vjp_frame{L1,L2}: \forall scalar *y, *g, integer n, c; 0 <= c < n ==>
      Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==>
      SoftmaxVjp{L1}(y,g,n,c) == SoftmaxVjp{L2}(y,g,n,c);
    lemma log_softmax_frame{L1,L2}: \forall scalar *x, integer n, c; 0 <= c < n ==>
      Same{L1,L2}(x,n) ==> LogSoftmax{L1}(x,n,c) == LogSoftmax{L2}(x,n,c);
    lemma log_softmax_vjp_frame{L1,L2}: \forall scalar *y, *g, integer n, c; 0 <= c < n ==>
      Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==>
      LogSoftmaxVjp{L1}(y,g,n,c) == LogSoftmaxVjp{L2}(y,g,n,c);
*/
#endif
