/* Rows gathered and scattered by index, their VJPs, and their error bounds.
 * index holds k row numbers, any int64_t; one outside [0, rows) names no row. */
#ifndef REF_GATHER_H
#define REF_GATHER_H
#include "ref.h"
#include "pair.h"
#include "../spec/gather.h"

/*@ predicate Index{L}(int64_t *index, integer k) =
      0 <= k <= IDX_LIM && \valid_read(index + (0 .. k-1));
    predicate SepIndex{L}(scalar *a, integer n, int64_t *index, integer k) =
      \separated(a + (0 .. n-1), index + (0 .. k-1));
*/

/* x: (rows, cols), y: (k, cols). y[i,c] = x[index[i],c], or 0 where index[i] names no row. */
/*@ requires In2(x,rows,cols) && Index(index,k) && Out2(y,k,cols);
    requires Sep(y,ix(k,cols,0),x,ix(rows,cols,0)) && SepIndex(y,ix(k,cols,0),index,k);
    assigns y[0 .. ix(k,cols,0)-1];
    ensures \forall integer i, c; 0 <= i < k ==> 0 <= c < cols ==>
      y[ix(i,cols,c)] == Gather{Pre}(x,index,rows,cols,i,c);
*/
void ref_gather_rows(idx rows, idx cols, idx k, const double *x, const int64_t *index, double *y);

/* g: (k, cols), dx: (rows, cols). dx[r,c] = sum over i with index[i] = r of g[i,c]. */
/*@ requires In2(g,k,cols) && Index(index,k) && Out2(dx,rows,cols);
    requires Sep(dx,ix(rows,cols,0),g,ix(k,cols,0)) && SepIndex(dx,ix(rows,cols,0),index,k);
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      dx[ix(r,cols,c)] == Scat{Pre}(index,g,cols,r,c,k);
*/
void ref_gather_rows_vjp(idx rows, idx cols, idx k, const int64_t *index, const double *g,
                         double *dx);

/* x, y: (rows, cols), u: (k, cols). y[r,c] = x[r,c] + sum over i with index[i] = r of u[i,c]. */
/*@ requires In2(x,rows,cols) && In2(u,k,cols) && Index(index,k) && Out2(y,rows,cols);
    requires Sep(y,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(y,ix(rows,cols,0),u,ix(k,cols,0));
    requires SepIndex(y,ix(rows,cols,0),index,k);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      y[ix(r,cols,c)] == rd{Pre}(x,ix(r,cols,c)) + Scat{Pre}(index,u,cols,r,c,k);
*/
void ref_scatter_add_rows(idx rows, idx cols, idx k, const double *x, const int64_t *index,
                          const double *u, double *y);

/* g, dx: (rows, cols), du: (k, cols). dx = g; du[i,c] = g[index[i],c], or 0. */
/*@ requires In2(g,rows,cols) && Index(index,k) && Out2(dx,rows,cols) && Out2(du,k,cols);
    requires Sep(dx,ix(rows,cols,0),g,ix(rows,cols,0)) && Sep(du,ix(k,cols,0),g,ix(rows,cols,0));
    requires Sep(dx,ix(rows,cols,0),du,ix(k,cols,0));
    requires SepIndex(dx,ix(rows,cols,0),index,k) && SepIndex(du,ix(k,cols,0),index,k);
    assigns dx[0 .. ix(rows,cols,0)-1], du[0 .. ix(k,cols,0)-1];
    ensures \forall integer i; 0 <= i < ix(rows,cols,0) ==> dx[i] == rd{Pre}(g,i);
    ensures \forall integer i, c; 0 <= i < k ==> 0 <= c < cols ==>
      du[ix(i,cols,c)] == Gather{Pre}(g,index,rows,cols,i,c);
*/
void ref_scatter_add_rows_vjp(idx rows, idx cols, idx k, const int64_t *index, const double *g,
                              double *dx, double *du);

/* One index in place of k, or elements in place of rows (cols = 1): the same under other names.
 * x, dx of the forms for elements: (n); a single index is index[0], a single element y[0]. */

/* y: (1). y = x[index], or 0. */
/*@ requires In1(x,n) && Index(index,1) && Out1(y,1) && Sep(y,1,x,n) && SepIndex(y,1,index,1);
    assigns y[0];
    ensures y[0] == Pick{Pre}(x,index,n,0);
*/
void ref_gather_scalar(idx n, const double *x, const int64_t *index, double *y);

/* y: (cols). y = row index of x, (rows, cols), or 0. */
/*@ requires In2(x,rows,cols) && Index(index,1) && Out1(y,cols);
    requires Sep(y,cols,x,ix(rows,cols,0)) && SepIndex(y,cols,index,1);
    assigns y[0 .. cols-1];
    ensures \forall integer c; 0 <= c < cols ==> y[c] == Gather{Pre}(x,index,rows,cols,0,c);
*/
void ref_gather_row(idx rows, idx cols, const double *x, const int64_t *index, double *y);

/* y: (k). y[i] = x[index[i]], or 0. */
/*@ requires In1(x,n) && Index(index,k) && Out1(y,k) && Sep(y,k,x,n) && SepIndex(y,k,index,k);
    assigns y[0 .. k-1];
    ensures \forall integer i; 0 <= i < k ==> y[i] == Pick{Pre}(x,index,n,i);
*/
void ref_gather(idx n, idx k, const double *x, const int64_t *index, double *y);

/* g: (1). dx[index] = g, the rest 0. */
/*@ requires In1(g,1) && Index(index,1) && Out1(dx,n) && Sep(dx,n,g,1) && SepIndex(dx,n,index,1);
    assigns dx[0 .. n-1];
    ensures \forall integer j; 0 <= j < n ==> dx[j] == Put{Pre}(index,j,rd{Pre}(g,0));
*/
void ref_gather_scalar_vjp(idx n, const int64_t *index, const double *g, double *dx);

/* g: (cols). Row index of dx is g, the rest 0. */
/*@ requires In1(g,cols) && Index(index,1) && Out2(dx,rows,cols);
    requires Sep(dx,ix(rows,cols,0),g,cols) && SepIndex(dx,ix(rows,cols,0),index,1);
    assigns dx[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      dx[ix(r,cols,c)] == Put{Pre}(index,r,rd{Pre}(g,c));
*/
void ref_gather_row_vjp(idx rows, idx cols, const int64_t *index, const double *g, double *dx);

/* g: (k). dx[j] = sum over i with index[i] = j of g[i]. */
/*@ requires In1(g,k) && Index(index,k) && Out1(dx,n) && Sep(dx,n,g,k) && SepIndex(dx,n,index,k);
    assigns dx[0 .. n-1];
    ensures \forall integer j; 0 <= j < n ==> dx[j] == ScatVec{Pre}(0,index,g,j,k);
*/
void ref_gather_vjp(idx n, idx k, const int64_t *index, const double *g, double *dx);

/* u: (1), y: (n). y = x, then y[index] += u. */
/*@ requires In1(x,n) && In1(u,1) && Index(index,1) && Out1(y,n);
    requires Sep(y,n,x,n) && Sep(y,n,u,1) && SepIndex(y,n,index,1);
    assigns y[0 .. n-1];
    ensures \forall integer j; 0 <= j < n ==>
      y[j] == rd{Pre}(x,j) + Put{Pre}(index,j,rd{Pre}(u,0));
*/
void ref_scatter_add_scalar(idx n, const double *x, const int64_t *index, const double *u,
                            double *y);

/* u: (cols), y: (rows, cols). y = x, then row index of y += u. */
/*@ requires In2(x,rows,cols) && In1(u,cols) && Index(index,1) && Out2(y,rows,cols);
    requires Sep(y,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(y,ix(rows,cols,0),u,cols);
    requires SepIndex(y,ix(rows,cols,0),index,1);
    assigns y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      y[ix(r,cols,c)] == rd{Pre}(x,ix(r,cols,c)) + Put{Pre}(index,r,rd{Pre}(u,c));
*/
void ref_scatter_add_row(idx rows, idx cols, const double *x, const int64_t *index, const double *u,
                         double *y);

/* u: (k), y: (n). y[j] = x[j] + sum over i with index[i] = j of u[i]. */
/*@ requires In1(x,n) && In1(u,k) && Index(index,k) && Out1(y,n);
    requires Sep(y,n,x,n) && Sep(y,n,u,k) && SepIndex(y,n,index,k);
    assigns y[0 .. n-1];
    ensures \forall integer j; 0 <= j < n ==>
      y[j] == rd{Pre}(x,j) + ScatVec{Pre}(0,index,u,j,k);
*/
void ref_scatter_add(idx n, idx k, const double *x, const int64_t *index, const double *u,
                     double *y);

/* g, dx: (n), du: (1). dx = g, du = g[index], or 0. */
/*@ requires In1(g,n) && Index(index,1) && Out1(dx,n) && Out1(du,1);
    requires Sep(dx,n,g,n) && Sep(du,1,g,n) && Sep(dx,n,du,1);
    requires SepIndex(dx,n,index,1) && SepIndex(du,1,index,1);
    assigns dx[0 .. n-1], du[0];
    ensures \forall integer j; 0 <= j < n ==> dx[j] == rd{Pre}(g,j);
    ensures du[0] == Pick{Pre}(g,index,n,0);
*/
void ref_scatter_add_scalar_vjp(idx n, const int64_t *index, const double *g, double *dx,
                                double *du);

/* g, dx: (rows, cols), du: (cols). dx = g, du = row index of g, or 0. */
/*@ requires In2(g,rows,cols) && Index(index,1) && Out2(dx,rows,cols) && Out1(du,cols);
    requires Sep(dx,ix(rows,cols,0),g,ix(rows,cols,0)) && Sep(du,cols,g,ix(rows,cols,0));
    requires Sep(dx,ix(rows,cols,0),du,cols);
    requires SepIndex(dx,ix(rows,cols,0),index,1) && SepIndex(du,cols,index,1);
    assigns dx[0 .. ix(rows,cols,0)-1], du[0 .. cols-1];
    ensures \forall integer j; 0 <= j < ix(rows,cols,0) ==> dx[j] == rd{Pre}(g,j);
    ensures \forall integer c; 0 <= c < cols ==> du[c] == Gather{Pre}(g,index,rows,cols,0,c);
*/
void ref_scatter_add_row_vjp(idx rows, idx cols, const int64_t *index, const double *g, double *dx,
                             double *du);

/* g, dx: (n), du: (k). dx = g, du[i] = g[index[i]], or 0. */
/*@ requires In1(g,n) && Index(index,k) && Out1(dx,n) && Out1(du,k);
    requires Sep(dx,n,g,n) && Sep(du,k,g,n) && Sep(dx,n,du,k);
    requires SepIndex(dx,n,index,k) && SepIndex(du,k,index,k);
    assigns dx[0 .. n-1], du[0 .. k-1];
    ensures \forall integer j; 0 <= j < n ==> dx[j] == rd{Pre}(g,j);
    ensures \forall integer i; 0 <= i < k ==> du[i] == Pick{Pre}(g,index,n,i);
*/
void ref_scatter_add_vjp(idx n, idx k, const int64_t *index, const double *g, double *dx,
                         double *du);

/* Bounds. An element that t terms reach (x counts as one) is their sum in some order, in which
 * a 0 adds no error: its tree has at most the declared height, and at most t - 1 roundings on any
 * path, so that a copied element is exact. */
/*@ // how many of the first n indices are r
    logic integer Hits{L}(int64_t *index, integer r, integer n) =
      n <= 0 ? 0 : Hits{L}(index,r,n-1) + (index[n-1] == r ? 1 : 0);
    axiomatic BoundScat {
      logic real e_scat(arith A, real abs, integer terms) reads \nothing;
      axiom e_scat_def: \forall arith A, real abs, integer terms; e_scat(A,abs,terms) ==
        p_sum(A, abs, abs, 0.0, terms - 1 < A.h ? (real)(terms - 1) : A.h).e;
    }
*/

/* g: (k, cols), e_dx: (rows, cols), from the tree height A.h. */
/*@ requires In2(g,k,cols) && Index(index,k) && Out2(e_dx,rows,cols);
    requires Sep(e_dx,ix(rows,cols,0),g,ix(k,cols,0)) && SepIndex(e_dx,ix(rows,cols,0),index,k);
    assigns e_dx[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      e_dx[ix(r,cols,c)] ==
      e_scat(A, ScatSum{Pre}(1,index,g,cols,r,c,k), Hits{Pre}(index,r,k));
*/
void bound_gather_rows_vjp(idx rows, idx cols, idx k, const int64_t *index, const double *g,
                           arith A, double *e_dx);

/* x, e_y: (rows, cols), u: (k, cols), from the tree height A.h. */
/*@ requires In2(x,rows,cols) && In2(u,k,cols) && Index(index,k) && Out2(e_y,rows,cols);
    requires SepIndex(e_y,ix(rows,cols,0),index,k);
    requires Sep(e_y,ix(rows,cols,0),x,ix(rows,cols,0)) && Sep(e_y,ix(rows,cols,0),u,ix(k,cols,0));
    assigns e_y[0 .. ix(rows,cols,0)-1];
    ensures \forall integer r, c; 0 <= r < rows ==> 0 <= c < cols ==>
      e_y[ix(r,cols,c)] ==
      e_scat(A, \abs(rd{Pre}(x,ix(r,cols,c))) + ScatSum{Pre}(1,index,u,cols,r,c,k),
             1 + Hits{Pre}(index,r,k));
*/
void bound_scatter_add_rows(idx rows, idx cols, idx k, const double *x, const int64_t *index,
                            const double *u, arith A, double *e_y);

/* The other forms: elements in place of rows; of one index there is nothing to sum. */
/*@ requires In1(g,1) && Index(index,1) && Out1(e_dx,n);
    requires Sep(e_dx,n,g,1) && SepIndex(e_dx,n,index,1);
    assigns e_dx[0 .. n-1];
    ensures \forall integer j; 0 <= j < n ==> is_zero(e_dx[j]);
*/
void bound_gather_scalar_vjp(idx n, const int64_t *index, const double *g, arith A, double *e_dx);

/*@ requires In1(g,cols) && Index(index,1) && Out2(e_dx,rows,cols);
    requires Sep(e_dx,ix(rows,cols,0),g,cols) && SepIndex(e_dx,ix(rows,cols,0),index,1);
    assigns e_dx[0 .. ix(rows,cols,0)-1];
    ensures \forall integer j; 0 <= j < ix(rows,cols,0) ==> is_zero(e_dx[j]);
*/
void bound_gather_row_vjp(idx rows, idx cols, const int64_t *index, const double *g, arith A,
                          double *e_dx);

/*@ requires In1(g,k) && Index(index,k) && Out1(e_dx,n);
    requires Sep(e_dx,n,g,k) && SepIndex(e_dx,n,index,k);
    assigns e_dx[0 .. n-1];
    ensures \forall integer j; 0 <= j < n ==>
      e_dx[j] == e_scat(A, ScatVec{Pre}(1,index,g,j,k), Hits{Pre}(index,j,k));
*/
void bound_gather_vjp(idx n, idx k, const int64_t *index, const double *g, arith A, double *e_dx);

/*@ requires In1(x,n) && In1(u,k) && Index(index,k) && Out1(e_y,n);
    requires Sep(e_y,n,x,n) && Sep(e_y,n,u,k) && SepIndex(e_y,n,index,k);
    assigns e_y[0 .. n-1];
    ensures \forall integer j; 0 <= j < n ==>
      e_y[j] == e_scat(A, \abs(rd{Pre}(x,j)) + ScatVec{Pre}(1,index,u,j,k),
                       1 + Hits{Pre}(index,j,k));
*/
void bound_scatter_add(idx n, idx k, const double *x, const int64_t *index, const double *u,
                       arith A, double *e_y);
#endif
