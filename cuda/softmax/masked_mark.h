/* A row under a mask as it waits in registers: what is blocked, and what lies outside the row, is a
 * mark of its own; from the exponentials on -0, which none of them is. And the largest open element
 * of a row, of which a maximum over threads is made. */
#ifndef PM_SOFTMAX_MASKED_MARK_H
#define PM_SOFTMAX_MASKED_MARK_H
#include "../math/neg_inf.h"
#include "../../spec/softmax.h"

#ifdef __FRAMAC__
/*@ // a contract that speaks of it asks that no element is it
    axiomatic Mark { logic real Mark reads \nothing; } */
/*@ assigns \nothing; ensures \result == Mark; */
float mark(void);
/*@ assigns \nothing; ensures \result != 0 <==> v == Mark; */
int is_mark(float v);
/*@ assigns \nothing; ensures \result == v; */
float unmarked(float v);
/*@ assigns \nothing; ensures \result != 0 ==> is_zero(v); */
int is_minus_zero(float v);
/*@ assigns \nothing;
    ensures top <= \result && (v != Mark ==> v <= \result);
    ensures \result == top || (v != Mark && \result == v); */
float larger_unmarked(float top, float v);
#else
#define MARK 0x7fc0b10cu /* a NaN; x's own are another */
DEV float mark() { return __uint_as_float(MARK); }
DEV int is_mark(float v) { return __float_as_uint(v) == MARK; }
DEV float unmarked(float v) { return v == v ? v : __uint_as_float(0x7fc00000u); }
DEV int is_minus_zero(float v) { return __float_as_uint(v) == 0x80000000u; }
DEV float larger_unmarked(float top, float v)
{
#ifdef PM_SIM
  return v > top ? v : top;
#else
  return fmaxf(top, v);
#endif
}
#endif

/*@ predicate no_mark{L}(float *x, integer n) =
      \forall integer k; 0 <= k < n ==> x[k] != Mark && Lowest <= x[k];
    // element k as it waits, and what it is for the maximum
    logic real Entered{L}(float *x, float *b, integer k, integer n) =
      k < n && b[k] == 0.0 ? x[k] : Mark;
    logic real BlockAt{L}(float *b, integer k, integer n) = k < n ? b[k] : 1.0;
    predicate entered_vec{L}(float4 v, float *x, float *b, integer q, integer n) =
      v.x == Entered(x,b,4*q,n) && v.y == Entered(x,b,4*q+1,n) && v.z == Entered(x,b,4*q+2,n) &&
      v.w == Entered(x,b,4*q+3,n);
    predicate entered_vecs{L0,L}(float4 *v, float *x, float *b, integer n, integer from,
                                 integer to) =
      \forall integer q; from <= q < to ==> entered_vec{L0}(\at(v[q],L), x, b, q, n);
    lemma entered_vecs_frame{L1,L2,L}: \forall float4 *v, float *x, *b, integer n, from, to;
      0 <= from ==> Same{L1,L2}(x,n) ==> Same{L1,L2}(b,n) ==>
      entered_vecs{L1,L}(v,x,b,n,from,to) ==> entered_vecs{L2,L}(v,x,b,n,from,to);
    // the largest open one of the first k elements, and Lowest
    logic real TopAt{L}(float *x, float *b, integer k) = b[k] == 0.0 ? x[k] : Lowest;
    logic real Larger2(real u, real v) = u < v ? v : u;
    logic real RowTop{L}(float *x, float *b, integer k) =
      k <= 0 ? Lowest : Larger2(RowTop{L}(x,b,k-1), TopAt{L}(x,b,k-1));
    lemma row_top_frame{L1,L2}: \forall float *x, *b, integer n; Same{L1,L2}(x,n) ==>
      Same{L1,L2}(b,n) ==> RowTop{L1}(x,b,n) == RowTop{L2}(x,b,n);
    lemma row_top_lowest{L}: \forall float *x, *b, integer n; Lowest <= RowTop(x,b,n);
    lemma row_top_above{L}: \forall float *x, *b, integer k, n; 0 <= k < n ==> b[k] == 0.0 ==>
      x[k] <= RowTop(x,b,n);
    predicate tops_under{L}(float *x, float *b, integer n, real m) =
      \forall integer k; 0 <= k < n ==> b[k] == 0.0 ==> x[k] <= m;
    lemma row_top_below{L}: \forall float *x, *b, integer n, real m; Lowest <= m ==>
      tops_under(x,b,n,m) ==> RowTop(x,b,n) <= m;
    predicate all_under{L}(float *a, integer n, real m) =
      \forall integer k; 0 <= k < n ==> a[k] <= m;
    lemma row_max_under{L}: \forall float *a, integer n, real m; 1 <= n ==> all_under(a,n,m) ==>
      RowMax(a,n) <= m;
    lemma row_top_none{L}: \forall float *x, *b, integer n; Opens(b,n) == 0 ==>
      RowTop(x,b,n) == Lowest;
    predicate top_is{L}(float *x, float *b, integer n) =
      Opens(b,n) > 0 ==> RowTop(x,b,n) == OpenMax(x,b,n);
    lemma top_step{L}: \forall float *x, *b, integer n; 0 <= n ==> Lowest <= x[n] ==>
      top_is(x,b,n) ==> top_is(x,b,n+1);
    lemma row_top_is{L}: \forall float *x, *b, integer n; no_mark(x,n) ==> top_is(x,b,n);
    // each thread has Lowest, or the largest of some open ones; together they are below none seen
    predicate some_of{L0,L}(float *top, integer T, float *x, float *b, integer n) =
      \forall integer u; 0 <= u < T ==> Lowest <= \at(top[u],L) <= RowTop{L0}(x,b,n);
    predicate above{L0,L}(float *top, integer T, float *x, float *b, integer to) =
      \forall integer k; 0 <= k < to ==> \at(b[k],L0) == 0.0 ==>
        \at(x[k],L0) <= RowMax{L}(top,T);
    predicate seen_at{L}(float *x, float *b, integer k, integer n, real m) =
      k < n ==> b[k] == 0.0 ==> x[k] <= m;
    predicate seen{L}(float *x, float *b, integer q, integer n, real m) =
      seen_at(x,b,4*q,n,m) && seen_at(x,b,4*q+1,n,m) && seen_at(x,b,4*q+2,n,m) &&
      seen_at(x,b,4*q+3,n,m);
    predicate vec_below{L}(float4 v, float m) =
      (v.x != Mark ==> v.x <= m) && (v.y != Mark ==> v.y <= m) && (v.z != Mark ==> v.z <= m) &&
      (v.w != Mark ==> v.w <= m); */
#endif
