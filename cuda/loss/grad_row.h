/* What becomes of dx, in the gradient of cross entropy: of an element, of a row, of the rows. t
 * is a row's target, scale what its gradient is multiplied with; where `adds`, what was there is
 * added. */
#ifndef PM_LOSS_GRAD_ROW_H
#define PM_LOSS_GRAD_ROW_H
#include "../lse/exp_term.h"
#include "../row/regs.h"
#include "contract_grad.h"

/*@ // element c of a row of n, and the first `to` of them
    logic real Graded{L}(integer adds, float *dx, float *x, integer n, integer t, real scale,
                         integer c) =
      plus(adds,dx[c],RowGradient{L}(x,n,t,scale,c));
    predicate graded_row{L0,L}(float *dx, integer adds, float *x, integer n, integer t, real scale,
                               integer to) =
      \forall integer c; 0 <= c < to ==> \at(dx[c],L) == Graded{L0}(adds,dx,x,n,t,scale,c);
    // what of a row is as it was
    predicate ungraded{L0,L}(float *dx, integer from, integer n) =
      \forall integer c; from <= c < n ==> \at(dx[c],L) == \at(dx[c],L0);
    lemma graded_frame{L1,L2}: \forall integer adds, float *dx, *x, integer n, t, real scale,
      integer c; 0 <= c < n ==> Same{L1,L2}(x,n) ==> \at(dx[c],L1) == \at(dx[c],L2) ==>
      Graded{L1}(adds,dx,x,n,t,scale,c) == Graded{L2}(adds,dx,x,n,t,scale,c);
    lemma graded_row_frame{L1,L2,L}: \forall float *dx, integer adds, float *x, integer n, t,
      real scale, integer to; to <= n ==> Same{L1,L2}(x,n) ==> Same{L1,L2}(dx,n) ==>
      graded_row{L1,L}(dx,adds,x,n,t,scale,to) ==> graded_row{L2,L}(dx,adds,x,n,t,scale,to);
    // a class out of range is no element
    lemma graded_hit{L0,L}: \forall float *dx, integer adds, float *x, integer n, hit, c,
      real scale; hit == (0 <= c < n ? c : -1) ==> graded_row{L0,L}(dx,adds,x,n,hit,scale,n) ==>
      graded_row{L0,L}(dx,adds,x,n,c,scale,n);
    predicate ungraded_at{L1,L2}(float *x, idx *target, float *dx, integer cols, integer r) =
      Same{L1,L2}(x+ix(r,cols,0),cols) && Target{L1}(target,r) == Target{L2}(target,r) &&
      \forall integer c; 0 <= c < cols ==> \at(dx[ix(r,cols,c)],L2) == \at(dx[ix(r,cols,c)],L1);
    lemma row_cell{L}: \forall float *a, integer r, n, c; rd{L}(a+ix(r,n,0),c) == rd{L}(a,ix(r,n,
      c));
    lemma graded_cell{L0,L}: \forall integer adds, float *x, *dx, integer n, t, real scale,
      integer o, c; 0 <= c < n ==> graded_row{L0,L}(dx+o,adds,x,n,t,scale,n) ==>
      rd{L}(dx,o+c) == plus(adds,rd{L0}(dx,o+c),RowGradient{L0}(x,n,t,scale,c));
    lemma graded_at_row{L0,L}: \forall integer adds, float *x, idx *target, float *dx, real scale,
      integer cols, r;
      graded_row{L0,L}(dx+ix(r,cols,0),adds,x+ix(r,cols,0),cols,Target{L0}(target,r),scale,cols) ==>
      graded_at{L0,L}(adds,x,target,dx,scale,cols,r);
    lemma same_cells{L1,L2}: \forall float *a, integer n, r, c; 0 <= c < n ==>
      Same{L1,L2}(a+ix(r,n,0),n) ==> rd{L1}(a,ix(r,n,c)) == rd{L2}(a,ix(r,n,c));
    lemma same_rows_next{L1,L2}: \forall float *a, integer cols, n; same_rows{L1,L2}(a,cols,n) ==>
      Same{L1,L2}(a+ix(n,cols,0),cols) ==> same_rows{L1,L2}(a,cols,n+1);
    lemma graded_at_frame{L1,L2,L}: \forall integer adds, float *x, idx *target, float *dx,
      real scale, integer cols, r; ungraded_at{L1,L2}(x,target,dx,cols,r) ==>
      graded_at{L1,L}(adds,x,target,dx,scale,cols,r) ==>
      graded_at{L2,L}(adds,x,target,dx,scale,cols,r);
    lemma graded_rows_kept{L0,L1,L2}: \forall integer adds, float *x, idx *target, float *dx,
      real scale, integer cols, n; same_rows{L1,L2}(dx,cols,n) ==>
      graded_rows{L0,L1}(adds,x,target,dx,scale,cols,n) ==>
      graded_rows{L0,L2}(adds,x,target,dx,scale,cols,n);
    lemma graded_rows_next{L0,L}: \forall integer adds, float *x, idx *target, float *dx,
      real scale, integer cols, n; graded_rows{L0,L}(adds,x,target,dx,scale,cols,n) ==>
      graded_at{L0,L}(adds,x,target,dx,scale,cols,n) ==>
      graded_rows{L0,L}(adds,x,target,dx,scale,cols,n+1);
    // from what a kernel has of it: e = exp(x[c] - m), m the row's maximum, by = 1 / the sum of
    // such
    logic real Slope(real e, real by, integer hit, real scale, integer c) =
      rmul(rmul(e,by) - OneHot(c,hit), scale);
    lemma by_one_over: \forall real e, s; s != 0.0 ==> e * (1.0 / s) == e / s;
    lemma by_sum: \forall real e, s, by; s != 0.0 ==> by == rdiv(1.0,s) ==>
      rmul(e,by) == rdiv(e,s);
    lemma rmul_turned: \forall real a, b; rmul(a,b) == rmul(b,a);
    lemma slope_is{L}: \forall float *x, real m, by, scale, integer n, t, c; 0 <= c < n ==>
      m == RowMax(x,n) ==> by == rdiv(1.0,SumExp(x,m,n)) ==>
      Slope(\exp(x[c] - m),by,t,scale,c) == RowGradient(x,n,t,scale,c); */

/* Vector q of the row's gradient, from its exponentials. */
/*@ requires 0 <= q < KMAX*MAXB;
    assigns \nothing;
    ensures \result.x == Slope(e.x,by,hit,scale,4*q);
    ensures \result.y == Slope(e.y,by,hit,scale,4*q+1);
    ensures \result.z == Slope(e.z,by,hit,scale,4*q+2);
    ensures \result.w == Slope(e.w,by,hit,scale,4*q+3); */
DEV float4 loss_slope4(float4 e, int q, int hit, float by, float scale)
{
  e.x = gradient_of(e.x, by, 4 * q == hit, scale);
  e.y = gradient_of(e.y, by, 4 * q + 1 == hit, scale);
  e.z = gradient_of(e.z, by, 4 * q + 2 == hit, scale);
  e.w = gradient_of(e.w, by, 4 * q + 3 == hit, scale);
  return e;
}
#endif
