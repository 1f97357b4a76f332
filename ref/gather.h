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
#endif
