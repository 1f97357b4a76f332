#include "gather.h"
#include "accumulate.h"

/*@ predicate Gathered{L1,L2}(scalar *x, int64_t *index, scalar *y, integer rows, integer cols,
                              integer n) =
      \forall integer i, c; 0 <= i < n ==> 0 <= c < cols ==>
        \at(y[ix(i,cols,c)],L2) == Gather{L1}(x,index,rows,cols,i,c);
    // columns from <= c < to hold their state at L1 plus the first n summands
    predicate Scattered{L1,L2}(integer abs, int64_t *index, scalar *u, scalar *y, integer rows, integer cols,
                               integer from, integer to, integer n) =
      \forall integer r, c; 0 <= r < rows ==> from <= c < to ==>
        \at(y[ix(r,cols,c)],L2) == \at(y[ix(r,cols,c)],L1) + ScatSum{L1}(abs,index,u,cols,r,c,n);
*/

void ref_gather_rows(idx rows, idx cols, idx k, const double *x, const int64_t *index, double *y)
{
  /*@ loop invariant 0 <= i <= k;
      loop invariant Gathered{Pre,Here}(x,index,y,rows,cols,i);
      loop assigns i, y[0 .. ix(k,cols,0)-1];
      loop variant k - i;
  */
  for (idx i = 0; i < k; i++) {
    idx r = index[i];
    /*@ loop invariant 0 <= c <= cols;
        loop invariant Gathered{Pre,Here}(x,index,y,rows,cols,i);
        loop invariant \forall integer s; 0 <= s < c ==>
          y[ix(i,cols,s)] == Gather{Pre}(x,index,rows,cols,i,s);
        loop assigns c, y[0 .. ix(k,cols,0)-1];
        loop variant cols - c;
    */
    for (idx c = 0; c < cols; c++) {
      //@ ghost L0: ;
      y[at2(k, cols, i, c)] = 0 <= r && r < rows ? x[at2(rows, cols, r, c)] : 0.0;
      /*@ assert old: \forall integer p, s; 0 <= p < i ==> 0 <= s < cols ==>
            y[ix(p,cols,s)] == rd{L0}(y,ix(p,cols,s)); */
    }
  }
}

/*@ assigns \nothing; ensures \result == ScatTerm(abs,v); */
static inline double scat_term(int abs, double v)
{
  return abs && v < 0.0 ? -v : v;
}

/* y += rows of u, or of |u| where abs is not 0, in the order of index. */
/*@ requires In2(u,k,cols) && Index(index,k) && Out2(y,rows,cols);
    requires Sep(y,ix(rows,cols,0),u,ix(k,cols,0)) && SepIndex(y,ix(rows,cols,0),index,k);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures Scattered{Pre,Post}(abs,index,u,y,rows,cols,0,cols,k);
*/
static void scatter(int abs, idx rows, idx cols, idx k, const int64_t *index, const double *u,
                    double *y)
{
  /*@ loop invariant 0 <= i <= k;
      loop invariant Scattered{Pre,Here}(abs,index,u,y,rows,cols,0,cols,i);
      loop assigns i, y[0 .. ix(rows,cols,0)-1];
      loop variant k - i;
  */
  for (idx i = 0; i < k; i++) {
    idx r = index[i];
    if (r < 0 || rows <= r)
      continue;
    /*@ loop invariant 0 <= c <= cols;
        loop invariant Scattered{Pre,Here}(abs,index,u,y,rows,cols,c,cols,i);
        loop invariant Scattered{Pre,Here}(abs,index,u,y,rows,cols,0,c,i+1);
        loop assigns c, y[0 .. ix(rows,cols,0)-1];
        loop variant cols - c;
    */
    for (idx c = 0; c < cols; c++)
      y[at2(rows, cols, r, c)] += scat_term(abs, u[at2(k, cols, i, c)]);
  }
}

/*@ requires Out1(y,n);
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> is_zero(y[i]);
*/
static void zero(idx n, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> is_zero(y[j]);
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = 0.0;
}

void ref_gather_rows_vjp(idx rows, idx cols, idx k, const int64_t *index, const double *g,
                         double *dx)
{
  zero(size2(rows, cols), dx);
  scatter(0, rows, cols, k, index, g, dx);
}

void ref_scatter_add_rows(idx rows, idx cols, idx k, const double *x, const int64_t *index,
                          const double *u, double *y)
{
  ref_copy(size2(rows, cols), x, y);
  scatter(0, rows, cols, k, index, u, y);
}

void ref_scatter_add_rows_vjp(idx rows, idx cols, idx k, const int64_t *index, const double *g,
                              double *dx, double *du)
{
  ref_copy(size2(rows, cols), g, dx);
  ref_gather_rows(rows, cols, k, g, index, du);
}
