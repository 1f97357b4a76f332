/* Matrix products in their four transpose forms. A logical (m, n) matrix is stored plain, (m, n),
 * or transposed, (n, m): ixt says where its element (i, j) lies, opaque like ix. */
#ifndef SPEC_MATMUL_H
#define SPEC_MATMUL_H
/*@ axiomatic Ixt {
      logic integer ixt(integer t, integer m, integer n, integer i, integer j) reads \nothing;
      axiom ixt_def: \forall integer t, m, n, i, j;
        ixt(t,m,n,i,j) == (t != 0 ? ix(j,m,i) : ix(i,n,j));
    }
    lemma ixt_plain: \forall integer m, n, i, j; ixt(0,m,n,i,j) == ix(i,n,j);
    lemma ix_swap: \forall integer m, n; ix(m,n,0) == ix(n,m,0);
    lemma ixt_range: \forall integer t, m, n, i, j; 0 <= i < m ==> 0 <= j < n ==>
      0 <= ixt(t,m,n,i,j) < ix(m,n,0);
    lemma ixt_inj: \forall integer t, m, n, i, j, i2, j2;
      0 <= i < m ==> 0 <= j < n ==> 0 <= i2 < m ==> 0 <= j2 < n ==>
      ixt(t,m,n,i,j) == ixt(t,m,n,i2,j2) ==> i == i2 && j == j2;
    // the flag under which the same storage is read as the transposed matrix
    logic integer flip(integer t) = t != 0 ? 0 : 1;
    lemma ixt_flip: \forall integer t, m, n, i, j; ixt(flip(t),n,m,j,i) == ixt(t,m,n,i,j);

    // sum over q < p of A[i,q] B[q,j]; A is (m,k) stored by ta, B is (k,n) stored by tb
    logic real MatDot{L}(integer ta, integer tb, scalar *a, scalar *b,
                         integer m, integer k, integer n, integer i, integer j, integer p) =
      p <= 0 ? 0.0 : MatDot{L}(ta,tb,a,b,m,k,n,i,j,p-1)
                     + rmul(a[ixt(ta,m,k,i,p-1)], b[ixt(tb,k,n,p-1,j)]);
    lemma mat_dot_frame{L1,L2}: \forall integer ta, tb, scalar *a, *b, integer m, k, n, i, j, p;
      0 <= i < m ==> 0 <= j < n ==> p <= k ==>
      Same{L1,L2}(a,ix(m,k,0)) ==> Same{L1,L2}(b,ix(k,n,0)) ==>
      MatDot{L1}(ta,tb,a,b,m,k,n,i,j,p) == MatDot{L2}(ta,tb,a,b,m,k,n,i,j,p);
    // element (i,j) of alpha A B
    logic real MatMul{L}(integer ta, integer tb, real alpha, scalar *a, scalar *b,
                         integer m, integer k, integer n, integer i, integer j) =
      rmul(alpha, MatDot{L}(ta,tb,a,b,m,k,n,i,j,k));
    // element (i,p) of alpha g B^T, the cotangent of A, and (p,j) of alpha A^T g, that of B
    logic real MatMulVjpA{L}(integer tb, real alpha, scalar *g, scalar *b,
                             integer m, integer k, integer n, integer i, integer p) =
      MatMul{L}(0,flip(tb),alpha,g,b,m,n,k,i,p);
    logic real MatMulVjpB{L}(integer ta, real alpha, scalar *a, scalar *g,
                             integer m, integer k, integer n, integer p, integer j) =
      MatMul{L}(flip(ta),0,alpha,a,g,k,m,n,p,j);

    // of a batch: where matrix z of (m, n) begins, and the product of the z-th ones
    logic integer Nth(integer z, integer m, integer n) = ix(z,ix(m,n,0),0);
    logic real BatMul{L}(integer ta, integer tb, real alpha, scalar *a, scalar *b,
                         integer m, integer k, integer n, integer z, integer i, integer j) =
      MatMul{L}(ta,tb,alpha,a+Nth(z,m,k),b+Nth(z,k,n),m,k,n,i,j);
    logic real BatMulVjpA{L}(integer tb, real alpha, scalar *g, scalar *b,
                             integer m, integer k, integer n, integer z, integer i, integer p) =
      BatMul{L}(0,flip(tb),alpha,g,b,m,n,k,z,i,p);
    logic real BatMulVjpB{L}(integer ta, real alpha, scalar *a, scalar *g,
                             integer m, integer k, integer n, integer z, integer p, integer j) =
      BatMul{L}(flip(ta),0,alpha,a,g,k,m,n,z,p,j);
*/
#endif
