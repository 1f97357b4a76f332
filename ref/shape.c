#include "shape.h"
#include "accumulate.h"

void ref_transpose2d(idx rows, idx cols, const double *x, double *y)
{
  /*@ loop invariant 0 <= c <= cols;
      loop invariant \forall integer r, s; 0 <= r < rows ==> 0 <= s < c ==>
        y[ix(s,rows,r)] == rd{Pre}(x,ix(r,cols,s));
      loop assigns c, y[0 .. ix(cols,rows,0)-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++) {
    /*@ loop invariant 0 <= r <= rows;
        loop invariant \forall integer q, s; 0 <= q < rows ==> 0 <= s < c ==>
          y[ix(s,rows,q)] == rd{Pre}(x,ix(q,cols,s));
        loop invariant \forall integer q; 0 <= q < r ==>
          y[ix(c,rows,q)] == rd{Pre}(x,ix(q,cols,c));
        loop assigns r, y[0 .. ix(cols,rows,0)-1];
        loop variant rows - r;
    */
    for (idx r = 0; r < rows; r++)
      y[at2(cols, rows, c, r)] = x[at2(rows, cols, r, c)];
  }
}

void ref_transpose2d_vjp(idx rows, idx cols, const double *g, double *dx)
{
  ref_transpose2d(cols, rows, g, dx);
}

/* Where in x the element of y at k stands. */
/*@ requires Shape(shape,rank) && rank <= MAX_RANK && Axes(axes,rank) && 0 <= k;
    requires Count(shape,rank) <= IDX_LIM;
    requires \forall integer d; 0 <= d < rank ==> 0 < shape[d];
    assigns \nothing;
    ensures \result == PermutedFrom(shape,axes,rank,k,rank);
    ensures 0 <= \result < Count(shape,rank);
*/
static idx permuted_from(idx rank, const idx *shape, const idx *axes, idx k)
{
  idx at[MAX_RANK], rest = k, from = 0, n = 1;
  /*@ loop invariant 0 <= e <= rank && 0 <= rest;
      loop invariant \forall integer c; e <= c < rank ==> 0 <= at[axes[c]] < shape[axes[c]];
      loop invariant \forall integer c; e <= c < rank ==>
        at[axes[c]] == DigitPermuted{Pre}(shape,axes,rank,k,axes[c]);
      loop invariant \forall integer c; 0 <= c < e ==>
        DigitPermuted{Pre}(shape,axes,rank,k,axes[c]) ==
        DigitPermuted{Pre}(shape,axes,e,rest,axes[c]);
      loop assigns e, rest, at[0 .. MAX_RANK-1];
      loop variant e;
  */
  for (idx e = rank; e > 0; e--) {
    idx d = axes[e - 1], s = shape[d];
    //@ ghost L0: ;
    at[d] = rem2(rest, s);
    rest = quo2(rest, s);
    /*@ assert kept: \forall integer c; e <= c < rank ==> at[axes[c]] == \at(at[axes[c]],L0); */
  }
  /*@ loop invariant 0 <= d <= rank && n == Count(shape,d) && 0 <= from < n;
      loop invariant from == PermutedFrom{Pre}(shape,axes,rank,k,d);
      loop assigns d, n, from;
      loop variant rank - d;
  */
  for (idx d = 0; d < rank; d++) {
    //@ assert Stands{Pre}(axes,rank,d);
    //@ assert 0 <= at[d] < shape[d] && at[d] == DigitPermuted{Pre}(shape,axes,rank,k,d);
    //@ assert Count(shape,d+1) <= Count(shape,rank);
    from = at2(n, shape[d], from, at[d]);
    n = size2(n, shape[d]);
  }
  return from;
}

void ref_permute(idx rank, const idx *shape, const idx *axes, const double *x, double *y)
{
  idx n = walk_count(rank, shape);
  /*@ loop invariant 0 <= k <= n;
      loop invariant \forall integer i; 0 <= i < k ==>
        y[i] == rd{Pre}(x,PermutedFrom{Pre}(shape,axes,rank,i,rank));
      loop assigns k, y[0 .. n-1];
      loop variant n - k;
  */
  for (idx k = 0; k < n; k++) {
    idx from = permuted_from(rank, shape, axes, k);
    //@ assert from == PermutedFrom{Pre}(shape,axes,rank,k,rank);
    y[k] = x[from];
  }
}

/* Where in y the element of x at k went. */
/*@ requires Shape(shape,rank) && rank <= MAX_RANK && Axes(axes,rank) && 0 <= k;
    requires CountPermuted(shape,axes,rank) <= IDX_LIM;
    requires \forall integer d; 0 <= d < rank ==> 0 < shape[d];
    assigns \nothing;
    ensures \result == PermutedTo(shape,axes,rank,k,rank);
    ensures 0 <= \result < CountPermuted(shape,axes,rank);
*/
static idx permuted_to(idx rank, const idx *shape, const idx *axes, idx k)
{
  idx at[MAX_RANK], to = 0, n = 1;
  walk_digits(rank, shape, k, at);
  /*@ loop invariant 0 <= e <= rank && n == CountPermuted(shape,axes,e) && 0 <= to < n;
      loop invariant to == PermutedTo{Pre}(shape,axes,rank,k,e);
      loop assigns e, n, to;
      loop variant rank - e;
  */
  for (idx e = 0; e < rank; e++) {
    idx d = axes[e];
    //@ assert CountPermuted(shape,axes,e+1) <= CountPermuted(shape,axes,rank);
    to = at2(n, shape[d], to, at[d]);
    n = size2(n, shape[d]);
  }
  return to;
}

void ref_permute_vjp(idx rank, const idx *shape, const idx *axes, const double *g, double *dx)
{
  idx n = walk_count(rank, shape);
  /*@ loop invariant 0 <= k <= n;
      loop invariant \forall integer i; 0 <= i < k ==>
        dx[i] == rd{Pre}(g,PermutedTo{Pre}(shape,axes,rank,i,rank));
      loop assigns k, dx[0 .. n-1];
      loop variant n - k;
  */
  for (idx k = 0; k < n; k++) {
    idx to = permuted_to(rank, shape, axes, k);
    //@ assert to == PermutedTo{Pre}(shape,axes,rank,k,rank);
    dx[k] = g[to];
  }
}

/* Elements behind dims 0 .. m-1. */
/*@ requires Shape(shape,rank) && 0 <= m <= rank && Count(shape,rank) <= IDX_LIM;
    requires \forall integer d; 0 <= d < rank ==> 0 < shape[d];
    assigns \nothing;
    ensures \result == Inner(shape,m,rank) && 0 < \result;
    ensures Count(shape,rank) == ix(Count(shape,m),\result,0);
*/
static idx inner(idx rank, const idx *shape, idx m)
{
  idx n = 1;
  //@ assert 1 <= Count(shape,m);
  /*@ loop invariant m <= d <= rank && n == Inner(shape,m,d) && 0 < n;
      loop invariant Count(shape,d) == ix(Count(shape,m),n,0);
      loop assigns d, n;
      loop variant rank - d;
  */
  for (idx d = m; d < rank; d++) {
    //@ assert Count(shape,d+1) <= Count(shape,rank);
    //@ assert ix(ix(Count(shape,m),n,0),shape[d],0) == ix(Count(shape,m),ix(n,shape[d],0),0);
    //@ assert 0 <= ix(n,shape[d],0) <= ix(Count(shape,m),ix(n,shape[d],0),0);
    n = size2(n, shape[d]);
  }
  return n;
}

/*@ requires 0 <= i < m && 0 <= j < n && ix(m,n,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == ix(i,n,j) && 0 <= \result < ix(m,n,0);
*/
static idx within(idx m, idx n, idx i, idx j) { return at2(m, n, i, j); }

/* The element at k of (outer, b, a, inner) in a tensor (outer, a, b, inner). */
/*@ requires 0 < a && 0 < b && 0 < inner && 0 <= outer;
    requires 0 <= k < ix(ix(ix(outer,b,0),a,0),inner,0);
    requires ix(ix(ix(outer,a,0),b,0),inner,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == SwappedFrom(a,b,inner,k);
    ensures 0 <= \result < ix(ix(ix(outer,a,0),b,0),inner,0);
*/
static idx swapped_from(idx outer, idx a, idx b, idx inner, idx k)
{
  idx ji = quo2(k, inner), o = quo2(quo2(ji, a), b);
  idx i = rem2(ji, a), j = rem2(quo2(ji, a), b);
  //@ assert 0 <= ji < ix(ix(outer,b,0),a,0);
  //@ assert 0 <= quo(ji,a) < ix(outer,b,0);
  //@ assert 0 <= o < outer && 0 <= i < a && 0 <= j < b && 0 <= rem(k,inner) < inner;
  //@ assert outer <= ix(outer,a,0);
  //@ assert ix(outer,a,0) <= ix(ix(outer,a,0),b,0);
  //@ assert ix(ix(outer,a,0),b,0) <= ix(ix(ix(outer,a,0),b,0),inner,0);
  idx oa = size2(outer, a), oab = size2(oa, b);
  idx oi = within(outer, a, o, i), oij = within(oa, b, oi, j);
  return within(oab, inner, oij, rem2(k, inner));
}

/*@ requires Swaps(shape,rank,x,y) && (back == 0 || back == 1);
    assigns y[0 .. Count(shape,rank)-1];
    ensures \forall integer k; 0 <= k < Count{Pre}(shape,rank) ==>
      y[k] == rd{Pre}(x,AdjacentFrom{Pre}(shape,rank,depth,back,k));
*/
static void swap_adjacent(idx rank, const idx *shape, idx depth, int back, const double *x,
                          double *y)
{
  idx n = walk_count(rank, shape), in, outer, a, b;
  if (depth < 0 || depth >= rank - 1) {
    ref_copy(n, x, y);
    return;
  }
  if (n == 0)
    return;
  in = inner(rank, shape, depth + 2);
  outer = walk_count(depth, shape);
  a = shape[depth + back];
  b = shape[depth + 1 - back];
  //@ assert n == ix(Count(shape,depth+2),in,0);
  //@ assert Count(shape,depth+2) == ix(ix(outer,shape[depth],0),shape[depth+1],0);
  //@ assert ix(ix(outer,a,0),b,0) == ix(ix(outer,b,0),a,0);
  //@ assert n == ix(ix(ix(outer,a,0),b,0),in,0) && n == ix(ix(ix(outer,b,0),a,0),in,0);
  //@ assert back == 0 ==> a == shape[depth] && b == shape[depth+1];
  //@ assert back != 0 ==> a == shape[depth+1] && b == shape[depth];
  /*@ assert \forall integer k;
        AdjacentFrom{Pre}(shape,rank,depth,back,k) == SwappedFrom(a,b,in,k); */
  /*@ loop invariant 0 <= k <= n;
      loop invariant \forall integer i; 0 <= i < k ==>
        y[i] == rd{Pre}(x,AdjacentFrom{Pre}(shape,rank,depth,back,i));
      loop assigns k, y[0 .. n-1];
      loop variant n - k;
  */
  for (idx k = 0; k < n; k++) {
    idx from = swapped_from(outer, a, b, in, k);
    //@ assert from == AdjacentFrom{Pre}(shape,rank,depth,back,k);
    y[k] = x[from];
  }
}

void ref_swap_adjacent(idx rank, const idx *shape, idx depth, const double *x, double *y)
{
  swap_adjacent(rank, shape, depth, 0, x, y);
}

void ref_swap_adjacent_vjp(idx rank, const idx *shape, idx depth, const double *g, double *dx)
{
  swap_adjacent(rank, shape, depth, 1, g, dx);
}
