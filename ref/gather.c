#include "gather.h"
#include "accumulate.h"

/*@ predicate Gathered{L1,L2}(scalar *x, int64_t *index, scalar *y, integer rows, integer cols,
                              integer n) =
      \forall integer i, c; 0 <= i < n ==> 0 <= c < cols ==>
        \at(y[ix(i,cols,c)],L2) == Gather{L1}(x,index,rows,cols,i,c);
    // columns from <= c < to hold their state at L1 plus the first n summands
    predicate Scattered{L1,L2}(integer abs, int64_t *index, scalar *u, scalar *y, integer rows,
                               integer cols, integer from, integer to, integer n) =
      \forall integer r, c; 0 <= r < rows ==> from <= c < to ==>
        \at(y[ix(r,cols,c)],L2) == \at(y[ix(r,cols,c)],L1) + ScatSum{L1}(abs,index,u,cols,r,c,n);
    // the sums of magnitudes at L1 have become bounds
    predicate Bounded{L1,L2}(arith A, int64_t *index, scalar *e, integer cols, integer k,
                             integer own, integer from, integer to) =
      \forall integer r, c; from <= r < to ==> 0 <= c < cols ==>
        \at(e[ix(r,cols,c)],L2) ==
        e_scat(A, \at(e[ix(r,cols,c)],L1), own + Hits{L1}(index,r,k));
    predicate SameRows{L1,L2}(scalar *e, integer cols, integer from, integer to) =
      \forall integer r, c; from <= r < to ==> 0 <= c < cols ==>
        \at(e[ix(r,cols,c)],L2) == \at(e[ix(r,cols,c)],L1);
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
      /*@ assert left: \forall integer s; 0 <= s < c ==>
            y[ix(i,cols,s)] == rd{L0}(y,ix(i,cols,s)); */
      //@ assert here: y[ix(i,cols,c)] == Gather{Pre}(x,index,rows,cols,i,c);
    }
  }
}

/*@ assigns \nothing; ensures \result == ScatTerm(abs,v); */
static inline double scat_term(int abs, double v) { return abs && v < 0.0 ? -v : v; }

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

void ref_gather_scalar(idx n, const double *x, const int64_t *index, double *y)
{
  idx r = index[0];
  y[0] = 0 <= r && r < n ? x[r] : 0.0;
}

void ref_gather_row(idx rows, idx cols, const double *x, const int64_t *index, double *y)
{
  idx r = index[0];
  /*@ loop invariant 0 <= c <= cols;
      loop invariant \forall integer s; 0 <= s < c ==>
        y[s] == Gather{Pre}(x,index,rows,cols,0,s);
      loop assigns c, y[0 .. cols-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++)
    y[c] = 0 <= r && r < rows ? x[at2(rows, cols, r, c)] : 0.0;
}

void ref_gather(idx n, idx k, const double *x, const int64_t *index, double *y)
{
  /*@ loop invariant 0 <= i <= k;
      loop invariant \forall integer j; 0 <= j < i ==> y[j] == Pick{Pre}(x,index,n,j);
      loop assigns i, y[0 .. k-1];
      loop variant k - i;
  */
  for (idx i = 0; i < k; i++) {
    idx r = index[i];
    y[i] = 0 <= r && r < n ? x[r] : 0.0;
  }
}

void ref_gather_scalar_vjp(idx n, const int64_t *index, const double *g, double *dx)
{
  idx r = index[0];
  zero(n, dx);
  if (0 <= r && r < n)
    dx[r] = g[0];
}

void ref_gather_row_vjp(idx rows, idx cols, const int64_t *index, const double *g, double *dx)
{
  idx r = index[0];
  zero(size2(rows, cols), dx);
  if (r < 0 || rows <= r)
    return;
  /*@ loop invariant 0 <= c <= cols;
      loop invariant \forall integer s; 0 <= s < c ==> dx[ix(r,cols,s)] == rd{Pre}(g,s);
      loop invariant \forall integer q, s; 0 <= q < rows ==> 0 <= s < cols ==>
        q != r || c <= s ==> is_zero(dx[ix(q,cols,s)]);
      loop assigns c, dx[0 .. ix(rows,cols,0)-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++)
    dx[at2(rows, cols, r, c)] = g[c];
}

void ref_gather_vjp(idx n, idx k, const int64_t *index, const double *g, double *dx)
{
  //@ assert ix(n,1,0) == n && ix(k,1,0) == k;
  ref_gather_rows_vjp(n, 1, k, index, g, dx);
  /*@ assert one: \forall integer j; 0 <= j < n ==>
        dx[ix(j,1,0)] == ScatVec{Pre}(0,index,g,j,k); */
}

void ref_scatter_add_scalar(idx n, const double *x, const int64_t *index, const double *u,
                            double *y)
{
  idx r = index[0];
  ref_copy(n, x, y);
  if (0 <= r && r < n)
    y[r] += u[0];
}

void ref_scatter_add_row(idx rows, idx cols, const double *x, const int64_t *index, const double *u,
                         double *y)
{
  idx r = index[0];
  ref_copy(size2(rows, cols), x, y);
  if (r < 0 || rows <= r)
    return;
  /*@ loop invariant 0 <= c <= cols;
      loop invariant \forall integer s; 0 <= s < c ==>
        y[ix(r,cols,s)] == rd{Pre}(x,ix(r,cols,s)) + rd{Pre}(u,s);
      loop invariant \forall integer q, s; 0 <= q < rows ==> 0 <= s < cols ==>
        q != r || c <= s ==> y[ix(q,cols,s)] == rd{Pre}(x,ix(q,cols,s));
      loop assigns c, y[0 .. ix(rows,cols,0)-1];
      loop variant cols - c;
  */
  for (idx c = 0; c < cols; c++)
    y[at2(rows, cols, r, c)] += u[c];
}

void ref_scatter_add(idx n, idx k, const double *x, const int64_t *index, const double *u,
                     double *y)
{
  //@ assert ix(n,1,0) == n && ix(k,1,0) == k;
  ref_scatter_add_rows(n, 1, k, x, index, u, y);
  /*@ assert one: \forall integer j; 0 <= j < n ==>
        y[ix(j,1,0)] == rd{Pre}(x,ix(j,1,0)) + ScatVec{Pre}(0,index,u,j,k); */
}

void ref_scatter_add_scalar_vjp(idx n, const int64_t *index, const double *g, double *dx,
                                double *du)
{
  ref_copy(n, g, dx);
  ref_gather_scalar(n, g, index, du);
}

void ref_scatter_add_row_vjp(idx rows, idx cols, const int64_t *index, const double *g, double *dx,
                             double *du)
{
  ref_copy(size2(rows, cols), g, dx);
  ref_gather_row(rows, cols, g, index, du);
}

void ref_scatter_add_vjp(idx n, idx k, const int64_t *index, const double *g, double *dx,
                         double *du)
{
  ref_copy(n, g, dx);
  ref_gather(n, k, g, index, du);
}

/*@ requires Index(index,k);
    assigns \nothing;
    ensures \result == Hits{Pre}(index,r,k) && 0 <= \result <= k;
*/
static idx hits(idx r, idx k, const int64_t *index)
{
  idx n = 0;
  /*@ loop invariant 0 <= i <= k;
      loop invariant n == Hits{Pre}(index,r,i) && 0 <= n <= i;
      loop assigns i, n;
      loop variant k - i;
  */
  for (idx i = 0; i < k; i++)
    n += index[i] == r;
  return n;
}

/*@ requires 0 <= terms <= IDX_LIM + 1;
    assigns \nothing;
    ensures \result == e_scat(A,abs,terms);
*/
static double scat_error(arith A, double abs, idx terms)
{
  double h = (double)(terms - 1);
  pair sum = pair_sum(A, abs, abs, 0.0, h < A.h ? h : A.h);
  return sum.e;
}

/* Turns sums of magnitudes into bounds; own is 1 where x is one of an element's terms, else 0. */
/*@ requires Index(index,k) && Out2(e,rows,cols) && 0 <= own <= 1;
    requires SepIndex(e,ix(rows,cols,0),index,k);
    assigns e[0 .. ix(rows,cols,0)-1];
    ensures Bounded{Pre,Post}(A,index,e,cols,k,own,0,rows);
*/
static void finish_bounds(idx rows, idx cols, idx k, const int64_t *index, arith A, int own,
                          double *e)
{
  /*@ loop invariant 0 <= r <= rows;
      loop invariant Bounded{Pre,Here}(A,index,e,cols,k,own,0,r);
      loop invariant SameRows{Pre,Here}(e,cols,r,rows);
      loop assigns r, e[0 .. ix(rows,cols,0)-1];
      loop variant rows - r;
  */
  for (idx r = 0; r < rows; r++) {
    idx terms = own + hits(r, k, index);
    /*@ loop invariant 0 <= c <= cols;
        loop invariant Bounded{Pre,Here}(A,index,e,cols,k,own,0,r);
        loop invariant \forall integer s; 0 <= s < c ==>
          e[ix(r,cols,s)] == e_scat(A,rd{Pre}(e,ix(r,cols,s)),terms);
        loop invariant \forall integer s; c <= s < cols ==>
          e[ix(r,cols,s)] == rd{Pre}(e,ix(r,cols,s));
        loop invariant SameRows{Pre,Here}(e,cols,r+1,rows);
        loop assigns c, e[0 .. ix(rows,cols,0)-1];
        loop variant cols - c;
    */
    for (idx c = 0; c < cols; c++) {
      idx o = at2(rows, cols, r, c);
      e[o] = scat_error(A, e[o], terms);
    }
  }
}

void bound_gather_rows_vjp(idx rows, idx cols, idx k, const int64_t *index, const double *g,
                           arith A, double *e_dx)
{
  zero(size2(rows, cols), e_dx);
  scatter(1, rows, cols, k, index, g, e_dx);
  /*@ assert sums: \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        e_dx[ix(r,cols,c)] == ScatSum{Pre}(1,index,g,cols,r,c,k); */
  finish_bounds(rows, cols, k, index, A, 0, e_dx);
}

/*@ requires In1(x,n) && Out1(y,n) && Sep(y,n,x,n);
    assigns y[0 .. n-1];
    ensures \forall integer i; 0 <= i < n ==> y[i] == \abs(\old(x[i]));
*/
static void magnitudes(idx n, const double *x, double *y)
{
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer j; 0 <= j < i ==> y[j] == \abs(\at(x[j],Pre));
      loop assigns i, y[0 .. n-1];
      loop variant n - i;
  */
  for (idx i = 0; i < n; i++)
    y[i] = r_abs(x[i]);
}

void bound_scatter_add_rows(idx rows, idx cols, idx k, const double *x, const int64_t *index,
                            const double *u, arith A, double *e_y)
{
  magnitudes(size2(rows, cols), x, e_y);
  /*@ assert own: \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        e_y[ix(r,cols,c)] == \abs(rd{Pre}(x,ix(r,cols,c))); */
  /*@ assert frame: \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        ScatSum{Here}(1,index,u,cols,r,c,k) == ScatSum{Pre}(1,index,u,cols,r,c,k); */
  scatter(1, rows, cols, k, index, u, e_y);
  /*@ assert sums: \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
        e_y[ix(r,cols,c)] ==
        \abs(rd{Pre}(x,ix(r,cols,c))) + ScatSum{Pre}(1,index,u,cols,r,c,k); */
  finish_bounds(rows, cols, k, index, A, 1, e_y);
}

void bound_gather_scalar_vjp(idx n, const int64_t *index, const double *g, arith A, double *e_dx)
{
  (void)index, (void)g, (void)A;
  zero(n, e_dx);
}

void bound_gather_row_vjp(idx rows, idx cols, const int64_t *index, const double *g, arith A,
                          double *e_dx)
{
  (void)index, (void)g, (void)A;
  zero(size2(rows, cols), e_dx);
}

void bound_gather_vjp(idx n, idx k, const int64_t *index, const double *g, arith A, double *e_dx)
{
  //@ assert ix(n,1,0) == n && ix(k,1,0) == k;
  bound_gather_rows_vjp(n, 1, k, index, g, A, e_dx);
  /*@ assert one: \forall integer j; 0 <= j < n ==>
        e_dx[ix(j,1,0)] == e_scat(A, ScatVec{Pre}(1,index,g,j,k), Hits{Pre}(index,j,k)); */
}

void bound_scatter_add(idx n, idx k, const double *x, const int64_t *index, const double *u,
                       arith A, double *e_y)
{
  //@ assert ix(n,1,0) == n && ix(k,1,0) == k;
  bound_scatter_add_rows(n, 1, k, x, index, u, A, e_y);
  /*@ assert one: \forall integer j; 0 <= j < n ==>
        e_y[ix(j,1,0)] == e_scat(A, \abs(rd{Pre}(x,ix(j,1,0))) + ScatVec{Pre}(1,index,u,j,k),
                                 1 + Hits{Pre}(index,j,k)); */
}
