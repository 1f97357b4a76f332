#include "broadcast.h"

/* Where in x the element of y at k comes from. */
/*@ requires BroadcastShapes(x_shape,x_rank,shape,rank) && 0 <= k;
    requires \forall integer d; 0 <= d < rank ==> 0 < shape[d];
    assigns \nothing;
    ensures \result == BroadcastFrom(x_shape,x_rank,shape,rank,k,x_rank);
    ensures 0 <= \result < Count(x_shape,x_rank);
*/
static idx broadcast_from(idx x_rank, const idx *x_shape, idx rank, const idx *shape, idx k)
{
  idx at[MAX_RANK], from = 0, n = 1, skip = rank - x_rank;
  walk_digits(rank, shape, k, at);
  //@ assert \forall integer d; 0 <= d < x_rank ==> 0 < x_shape[d];
  /*@ loop invariant 0 <= d <= x_rank && n == Count(x_shape,d) && 0 <= from < n;
      loop invariant from == BroadcastFrom{Pre}(x_shape,x_rank,shape,rank,k,d);
      loop assigns d, n, from;
      loop variant x_rank - d;
  */
  for (idx d = 0; d < x_rank; d++) {
    idx i = x_shape[d] == 1 ? 0 : at[d + skip];
    //@ assert 0 <= i < x_shape[d];
    //@ assert Count(x_shape,d+1) <= Count(x_shape,x_rank);
    from = at2(n, x_shape[d], from, i);
    n = size2(n, x_shape[d]);
  }
  return from;
}

void ref_broadcast_to(idx x_rank, const idx *x_shape, idx rank, const idx *shape, const double *x,
                      double *y)
{
  idx n = walk_count(rank, shape);
  /*@ loop invariant 0 <= k <= n;
      loop invariant \forall integer i; 0 <= i < k ==>
        y[i] == rd{Pre}(x,BroadcastFrom{Pre}(x_shape,x_rank,shape,rank,i,x_rank));
      loop assigns k, y[0 .. n-1];
      loop variant n - k;
  */
  for (idx k = 0; k < n; k++) {
    idx from = broadcast_from(x_rank, x_shape, rank, shape, k);
    //@ assert from == BroadcastFrom{Pre}(x_shape,x_rank,shape,rank,k,x_rank);
    y[k] = x[from];
  }
}

/*@ assigns \nothing; ensures \result == BroadcastTerm(abs,v); */
static double term(int abs, double v) { return abs ? r_abs(v) : v; }

/*@ requires BroadcastShapes(x_shape,x_rank,shape,rank);
    requires In1(g,Count(shape,rank)) && Out1(sum,Count(x_shape,x_rank));
    requires Sep(sum,Count(x_shape,x_rank),g,Count(shape,rank));
    assigns sum[0 .. Count(x_shape,x_rank)-1];
    ensures \forall integer j; 0 <= j < Count{Pre}(x_shape,x_rank) ==> sum[j] ==
      BroadcastSum{Pre}(abs,x_shape,x_rank,shape,rank,g,j,Count{Pre}(shape,rank));
*/
static void add_up(int abs, idx x_rank, const idx *x_shape, idx rank, const idx *shape,
                   const double *g, double *sum)
{
  idx nx = walk_count(x_rank, x_shape), n = walk_count(rank, shape);
  /*@ loop invariant 0 <= j <= nx;
      loop invariant \forall integer i; 0 <= i < j ==>
        sum[i] == BroadcastSum{Pre}(abs,x_shape,x_rank,shape,rank,g,i,0);
      loop assigns j, sum[0 .. nx-1];
      loop variant nx - j;
  */
  for (idx j = 0; j < nx; j++)
    sum[j] = 0.0;
  /*@ loop invariant 0 <= k <= n;
      loop invariant \forall integer j; 0 <= j < nx ==>
        sum[j] == BroadcastSum{Pre}(abs,x_shape,x_rank,shape,rank,g,j,k);
      loop assigns k, sum[0 .. nx-1];
      loop variant n - k;
  */
  for (idx k = 0; k < n; k++) {
    idx from = broadcast_from(x_rank, x_shape, rank, shape, k);
    //@ assert from == BroadcastFrom{Pre}(x_shape,x_rank,shape,rank,k,x_rank);
    sum[from] += term(abs, g[k]);
  }
}

void ref_broadcast_to_vjp(idx x_rank, const idx *x_shape, idx rank, const idx *shape,
                          const double *g, double *dx)
{
  add_up(0, x_rank, x_shape, rank, shape, g, dx);
}

/*@ assigns \nothing; ensures \result == p_sum(A,abs,abs,0.0,A.h).e; */
static double sum_error(arith A, double abs)
{
  pair sum = pair_sum(A, abs, abs, 0.0, A.h);
  return sum.e;
}

void bound_broadcast_to_vjp(idx x_rank, const idx *x_shape, idx rank, const idx *shape,
                            const double *g, arith A, double *e_dx)
{
  idx nx = walk_count(x_rank, x_shape);
  add_up(1, x_rank, x_shape, rank, shape, g, e_dx);
  //@ ghost Sums: ;
  /*@ loop invariant 0 <= j <= nx;
      loop invariant \forall integer i; 0 <= i < j ==>
        e_dx[i] == p_sum(A,rd{Sums}(e_dx,i),rd{Sums}(e_dx,i),0.0,A.h).e;
      loop invariant \forall integer i; j <= i < nx ==> e_dx[i] == rd{Sums}(e_dx,i);
      loop assigns j, e_dx[0 .. nx-1];
      loop variant nx - j;
  */
  for (idx j = 0; j < nx; j++)
    e_dx[j] = sum_error(A, e_dx[j]);
}
