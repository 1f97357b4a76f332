/* Softmax along the rows of a (rows, cols) matrix, its logarithm, softmax under a mask, and their
 * VJPs. The functions below speak of one row of n elements; row r of x begins at
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

    // Under a mask b, element i is blocked where b[i] is not 0, else open. One element's part is a
    // function of its own: so the provers take equal elements for equal parts.
    axiomatic IfOpen {
      logic real if_open(real b, real v) reads \nothing;
      axiom if_open_def: \forall real b, v; if_open(b,v) == (b == 0.0 ? v : 0.0);
    }
    axiomatic IfLive {
      logic real if_live(real y, real v) reads \nothing;
      axiom if_live_def: \forall real y, v; if_live(y,v) == (y == 0.0 ? 0.0 : v);
    }
    axiomatic OpenExp {
      logic real open_exp(real b, real x, real m) reads \nothing;
      axiom open_exp_def: \forall real b, x, m;
        open_exp(b,x,m) == (b == 0.0 ? \exp(x - m) : 0.0);
    }
    logic real MaxStep(real b, integer opens, real m, real v) =
      b != 0.0 ? m : opens == 0 ? v : \max(m,v);
    // open elements among the first n
    logic integer Opens{L}(scalar *b, integer n) =
      n <= 0 ? 0 : b[n-1] == 0.0 ? Opens{L}(b,n-1) + 1 : Opens{L}(b,n-1);
    // the largest open one of x[0 .. n-1]; 0 where there is none
    logic real OpenMax{L}(scalar *x, scalar *b, integer n) =
      n <= 0 ? 0.0 : MaxStep(b[n-1], Opens{L}(b,n-1), OpenMax{L}(x,b,n-1), x[n-1]);
    // sum of exp(x[i] - m) over the open i < n
    logic real OpenSumExp{L}(scalar *x, scalar *b, real m, integer n) =
      n <= 0 ? 0.0 : OpenSumExp{L}(x,b,m,n-1) + open_exp(b[n-1],x[n-1],m);
    // element c of the row's softmax over its open elements; 0 where c is blocked
    logic real MaskedSoftmax{L}(scalar *x, scalar *b, integer n, integer c) =
      if_open(b[c],
             rdiv(\exp(x[c] - OpenMax{L}(x,b,n)), OpenSumExp{L}(x,b,OpenMax{L}(x,b,n),n)));
    // The VJP under a mask. Where y is 0, as it is where an element was blocked, g is not looked at
    // and the cotangent is 0; elsewhere it is softmax's.
    // sum of a[i] b[i] over the i < n at which b is not 0
    logic real LiveDot{L}(scalar *a, scalar *b, integer n) =
      n <= 0 ? 0.0 : LiveDot{L}(a,b,n-1) + if_live(b[n-1], rmul(a[n-1],b[n-1]));
    logic real MaskedSoftmaxVjp{L}(scalar *y, scalar *g, integer n, integer c) =
      if_live(y[c], rmul(y[c], g[c] - LiveDot{L}(g,y,n)));

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
    lemma opens_nonneg{L}: \forall scalar *b, integer n; Opens{L}(b,n) >= 0;
    lemma opens_frame{L1,L2}: \forall scalar *b, integer n;
      Same{L1,L2}(b,n) ==> Opens{L1}(b,n) == Opens{L2}(b,n);
    lemma open_max_frame{L1,L2}: \forall scalar *x, *b, integer n; Same{L1,L2}(x,n) ==>
      Same{L1,L2}(b,n) ==> OpenMax{L1}(x,b,n) == OpenMax{L2}(x,b,n);
    lemma open_sum_exp_frame{L1,L2}: \forall scalar *x, *b, real m, integer n;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==>
      OpenSumExp{L1}(x,b,m,n) == OpenSumExp{L2}(x,b,m,n);
    lemma live_dot_frame{L1,L2}: \forall scalar *a, *b, integer n;
      Same{L1,L2}(a,n) ==> Same{L1,L2}(b,n) ==> LiveDot{L1}(a,b,n) == LiveDot{L2}(a,b,n);
    lemma masked_softmax_frame{L1,L2}: \forall scalar *x, *b, integer n, c; 0 <= c < n ==>
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==>
      MaskedSoftmax{L1}(x,b,n,c) == MaskedSoftmax{L2}(x,b,n,c);
    lemma masked_softmax_vjp_frame{L1,L2}: \forall scalar *y, *g, integer n, c; 0 <= c < n ==>
      Same{L1,L2}(y,n) ==> Same{L1,L2}(g,n) ==>
      MaskedSoftmaxVjp{L1}(y,g,n,c) == MaskedSoftmaxVjp{L2}(y,g,n,c);
    // what is left out is 0: over the reals the VJP under a mask is softmax's
    lemma live_part: \forall real a, b; if_live(b,rmul(a,b)) == rmul(a,b);
    lemma live_dot_is_row_dot{L}: \forall scalar *a, *b, integer n;
      LiveDot{L}(a,b,n) == RowDot{L}(a,b,n);
    lemma masked_softmax_vjp_is{L}: \forall scalar *y, *g, integer n, c; y[c] != 0.0 ==>
      MaskedSoftmaxVjp{L}(y,g,n,c) == SoftmaxVjp{L}(y,g,n,c);
*/
#endif
