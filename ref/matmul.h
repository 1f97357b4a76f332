/* Matrix products in their four transpose forms, their VJP, and their error bounds.
 * A is (m, k), B is (k, n), C is (m, n). a holds A, or its transpose where ta is not 0, b holds B
 * likewise; gradients are stored as their inputs are. */
#ifndef REF_MATMUL_H
#define REF_MATMUL_H
#include "ref.h"
#include "pair.h"
#include "../spec/matmul.h"

/* C = alpha A B; zeros where k is 0. */
/*@ requires In2(a,m,k) && In2(b,k,n) && Out2(c,m,n);
    requires Sep(c,ix(m,n,0),a,ix(m,k,0)) && Sep(c,ix(m,n,0),b,ix(k,n,0));
    assigns c[0 .. ix(m,n,0)-1];
    ensures \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==>
      c[ix(i,n,j)] == MatMul{Pre}(ta,tb,alpha,a,b,m,k,n,i,j);
*/
void ref_matmul(idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                const double *b, double *c);

/* dA = alpha g B^T and dB = alpha A^T g, g (m, n) the cotangent of C. */
/*@ requires In2(a,m,k) && In2(b,k,n) && In2(g,m,n) && Out2(da,m,k) && Out2(db,k,n);
    requires Sep(da,ix(m,k,0),a,ix(m,k,0)) && Sep(da,ix(m,k,0),b,ix(k,n,0));
    requires Sep(da,ix(m,k,0),g,ix(m,n,0)) && Sep(da,ix(m,k,0),db,ix(k,n,0));
    requires Sep(db,ix(k,n,0),a,ix(m,k,0)) && Sep(db,ix(k,n,0),g,ix(m,n,0));
    assigns da[0 .. ix(m,k,0)-1], db[0 .. ix(k,n,0)-1];
    ensures \forall integer i, p; 0 <= i < m ==> 0 <= p < k ==>
      da[ixt(ta,m,k,i,p)] == MatMulVjpA{Pre}(tb,alpha,g,b,m,k,n,i,p);
    ensures \forall integer p, j; 0 <= p < k ==> 0 <= j < n ==>
      db[ixt(tb,k,n,p,j)] == MatMulVjpB{Pre}(ta,alpha,a,g,m,k,n,p,j);
*/
void ref_matmul_vjp(idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                    const double *b, const double *g, double *da, double *db);

void bound_matmul(idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                  const double *b, const arith *ar, double *e_c);
void bound_matmul_vjp(idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                      const double *b, const double *g, const arith *ar, double *e_da,
                      double *e_db);
#endif
