/* masked_softmax element by element, wherever its rows wait: what is kept of an element, its
 * part of the sum, and what becomes of it; and of its tensors x, b (the mask) and y, which are
 * (rows, cols). */
#ifndef PM_SOFTMAX_MASKED_ROW_H
#define PM_SOFTMAX_MASKED_ROW_H
#include "../math/elementary.h"
#include "../row/regs.h"
#include "masked_mark.h"
#include "contract_masked.h"

/*@ lemma by_one_over: \forall real e, s; s != 0.0 ==> e * (1.0 / s) == e / s;
    lemma over_one: \forall real e, s, t; s != 0.0 ==> t == rdiv(1.0,s) ==>
      rmul(e,t) == rdiv(e,s); */

/*@ assigns \nothing; ensures \result == (b == 0.0 ? x : Mark); */
DEV float masked_enter(float x, float b) { return b == 0.0f ? unmarked(x) : mark(); }

/*@ predicate masked_in{L}(float *x, float *b, integer n) =
      \valid_read(x + (0 .. n-1)) && \valid_read(b + (0 .. n-1)) && no_mark(x,n);
    // element k's exponential; 0 where it is blocked, and outside
    logic real OpenAt{L}(float *x, float *b, real m, integer k, integer n) =
      k < n ? open_exp(b[k],x[k],m) : 0.0;
    logic real KeptOpen(real v, real m) = v == Mark ? 0.0 : \exp(v - m);
    lemma kept_open{L}: \forall float *x, *b, real m, integer k, n; no_mark(x,n) ==> 0 <= k ==>
      KeptOpen(Entered(x,b,k,n),m) == OpenAt(x,b,m,k,n);
    lemma open_sum_0{L}: \forall float *x, *b, real m; is_zero(OpenSumExp(x,b,m,0));
    predicate open_adds{L}(float *x, float *b, real m, integer k, integer n) =
      OpenSumExp(x,b,m,lesser(k+1,n)) == OpenSumExp(x,b,m,lesser(k,n)) + OpenAt(x,b,m,k,n);
    lemma open_add{L}: \forall float *x, *b, real m, integer k, n; 0 <= k ==>
      open_adds(x,b,m,k,n); */

/* Of an element that waits: its exponential, or -0. */
/*@ assigns \nothing; ensures \result == KeptOpen(v,m); */
DEV float masked_exp(float v, float m)
{
  float e = pm_expf(v - m);
  return is_mark(v) ? -0.0f : e;
}

/*@ // element c of y, t being the reciprocal of the sum
    logic real Shared{L}(float *x, float *b, real m, real t, integer n, integer c) =
      rmul(OpenAt(x,b,m,c,n),t);
    predicate masked_done{L0,L}(float *y, float *x, float *b, real m, real t, integer n,
                                integer to) =
      \forall integer c; 0 <= c < to ==> \at(y[c],L) == Shared{L0}(x,b,m,t,n,c);
    lemma masked_done_frame{L1,L2,L}: \forall float *y, *x, *b, real m, t, integer n;
      Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==> masked_done{L1,L}(y,x,b,m,t,n,n) ==>
      masked_done{L2,L}(y,x,b,m,t,n,n);
    lemma open_here{L}: \forall float *b, integer n, c; 0 <= c < n ==> b[c] == 0.0 ==>
      Opens(b,n) > 0;
    lemma open_exp_nonneg: \forall real b, x, m; open_exp(b,x,m) >= 0.0;
    lemma open_exp_pos: \forall real x, m; open_exp(0.0,x,m) > 0.0;
    lemma open_exp_blocked: \forall real b, x, m; b != 0.0 ==> is_zero(open_exp(b,x,m));
    lemma if_open_blocked: \forall real b, v; b != 0.0 ==> is_zero(if_open(b,v));
    lemma nothing_shared: \forall real e, t; is_zero(e) ==> is_zero(rmul(e,t));
    lemma open_sum_nonneg{L}: \forall float *x, *b, real m, integer n; OpenSumExp(x,b,m,n) >= 0.0;
    lemma open_sum_pos{L}: \forall float *x, *b, real m, integer n; Opens(b,n) > 0 ==>
      OpenSumExp(x,b,m,n) > 0.0;
    lemma shared_blocked{L}: \forall float *x, *b, real m, t, integer n, c; 0 <= c < n ==>
      b[c] != 0.0 ==> Shared(x,b,m,t,n,c) == MaskedSoftmax(x,b,n,c);
    lemma shared_open{L}: \forall float *x, *b, real m, s, t, integer n, c; 0 <= c < n ==>
      b[c] == 0.0 ==> m == OpenMax(x,b,n) ==> s == OpenSumExp(x,b,m,n) ==> s > 0.0 ==>
      t == rdiv(1.0,s) ==> Shared(x,b,m,t,n,c) == MaskedSoftmax(x,b,n,c);
    lemma shared_is{L}: \forall float *x, *b, real m, s, t, integer n, c; 0 <= c < n ==>
      no_mark(x,n) ==> m == RowTop(x,b,n) ==> s == OpenSumExp(x,b,m,n) ==>
      (s != 0.0 ==> t == rdiv(1.0,s)) ==> Shared(x,b,m,t,n,c) == MaskedSoftmax(x,b,n,c); */

/* 0 where nothing is open, and so nothing divided. */
/*@ assigns \nothing;
    ensures s != 0.0 ==> \result == rdiv(1.0,s); */
DEV float masked_closing(float s) { return s == 0.0f ? 0.0f : 1.0f / s; }

/*@ assigns \nothing; ensures \result == rmul(v,t); */
DEV float masked_share(float v, float t) { return is_minus_zero(v) ? 0.0f : v * t; }

/*@ predicate masked_same{L1,L2}(float *x, float *b, integer cols, integer r) =
      Same{L1,L2}(x+ix(r,cols,0),cols) && Same{L1,L2}(b+ix(r,cols,0),cols);
    lemma masked_at_frame{L1,L2,L}: \forall float *x, *b, *y, integer cols, r;
      masked_same{L1,L2}(x,b,cols,r) ==> masked_at{L1,L}(x,b,y,cols,r) ==>
      masked_at{L2,L}(x,b,y,cols,r);
    lemma masked_at_kept{L0,L1,L2}: \forall float *x, *b, *y, integer cols, n;
      same_rows{L1,L2}(y,cols,n) ==> masked_rows{L0,L1}(x,b,y,cols,n) ==>
      masked_rows{L0,L2}(x,b,y,cols,n);
    predicate masked_tensors{L}(float *x, float *b, float *y, integer rows, integer cols,
                                integer aligned) =
      reads(x,ix(rows,cols,0)) && reads(b,ix(rows,cols,0)) && writes(y,ix(rows,cols,0)) &&
      no_mark(x,ix(rows,cols,0)) && apart(x,ix(rows,cols,0),y,ix(rows,cols,0)) &&
      apart(b,ix(rows,cols,0),y,ix(rows,cols,0)) &&
      (aligned != 0 ==> cols % 4 == 0 && aligned16(x) && aligned16(b) && aligned16(y)); */
#endif
