/* That the products of each op are what matmul_plain is proven for, BatMul: a gradient is one of
 * its forms by definition (spec/matmul.h), and one that is stored transposed is the product of the
 * transposed. */
#ifndef PM_PRODUCT_PLAIN_FORMS_H
#define PM_PRODUCT_PLAIN_FORMS_H
#include "../lang/kernel.h"
#include "../../spec/matmul.h"

/*@ // matmul is a batch of one
    lemma bat_mul_one{L}: \forall integer ta, tb, real alpha, scalar *a, *b, integer m, k, n, i, j;
      BatMul{L}(ta,tb,alpha,a,b,m,k,n,0,i,j) == MatMul{L}(ta,tb,alpha,a,b,m,k,n,i,j);
    lemma rmul_turned: \forall real x, y; rmul(x,y) == rmul(y,x);
    // (A B)' = B' A'
    lemma mat_dot_turned{L}: \forall integer p, ta, tb, scalar *a, *b, integer m, k, n, i, j;
      MatDot{L}(ta,tb,a,b,m,k,n,i,j,p) == MatDot{L}(flip(tb),flip(ta),b,a,n,k,m,j,i,p);
    lemma mat_mul_turned{L}: \forall integer ta, tb, real alpha, scalar *a, *b,
      integer m, k, n, i, j;
      MatMul{L}(ta,tb,alpha,a,b,m,k,n,i,j) ==
      MatMul{L}(flip(tb),flip(ta),alpha,b,a,n,k,m,j,i);
    // of one row the two ways to store it are one
    lemma one_row: \forall integer t, k, p; ixt(t,1,k,0,p) == ixt(0,1,k,0,p); */
#endif
