/* Matrix products in their four transpose forms, their VJP, and their error bounds.
 * A is (m, k), B is (k, n), C is (m, n). a holds A, or its transpose where ta is not 0, b holds B
 * likewise; gradients are stored as their inputs are. */
#ifndef REF_MATMUL_H
#define REF_MATMUL_H
#include "ref.h"
#include "pair.h"
#include "../spec/matmul.h"

/* Where element (i, j) of a matrix stored by t lies. */
/*@ requires 0 <= i < m && 0 <= j < n && ix(m,n,0) <= IDX_LIM;
    assigns \nothing;
    ensures \result == ixt(t,m,n,i,j);
*/
static inline idx at2t(int t, idx m, idx n, idx i, idx j)
{
  return t ? at2(n, m, j, i) : at2(m, n, i, j);
}

/* C = alpha A B; zeros where k is 0. */
/*@ requires In2(a,m,k) && In2(b,k,n) && Out2(c,m,n);
    requires Sep(c,ix(m,n,0),a,ix(m,k,0)) && Sep(c,ix(m,n,0),b,ix(k,n,0));
    terminates \true;
    assigns c[0 .. ix(m,n,0)-1];
    ensures \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==>
      c[ix(i,n,j)] == MatMul{Pre}(ta,tb,alpha,a,b,m,k,n,i,j);
*/
void ref_matmul(idx m, idx k, idx n, int ta, int tb, double alpha, const double *a, const double *b,
                double *c);

/* dA = alpha g B^T and dB = alpha A^T g, g (m, n) the cotangent of C. */
/*@ requires In2(a,m,k) && In2(b,k,n) && In2(g,m,n) && Out2(da,m,k) && Out2(db,k,n);
    requires Sep(da,ix(m,k,0),a,ix(m,k,0)) && Sep(da,ix(m,k,0),b,ix(k,n,0));
    requires Sep(da,ix(m,k,0),g,ix(m,n,0)) && Sep(da,ix(m,k,0),db,ix(k,n,0));
    requires Sep(db,ix(k,n,0),a,ix(m,k,0)) && Sep(db,ix(k,n,0),g,ix(m,n,0));
    terminates \true;
    assigns da[0 .. ix(m,k,0)-1], db[0 .. ix(k,n,0)-1];
    ensures \forall integer i, p; 0 <= i < m ==> 0 <= p < k ==>
      da[ixt(ta,m,k,i,p)] == MatMulVjpA{Pre}(tb,alpha,g,b,m,k,n,i,p);
    ensures \forall integer p, j; 0 <= p < k ==> 0 <= j < n ==>
      db[ixt(tb,k,n,p,j)] == MatMulVjpB{Pre}(ta,alpha,a,g,m,k,n,p,j);
*/
void ref_matmul_vjp(idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                    const double *b, const double *g, double *da, double *db);

/* Bounds. alpha times a sum of products whose tree has height h: one rounding a product, those of
 * the tree, and that of alpha, which is exact where alpha is 1. */
/*@ // sum over q < p of |A[i,q] B[q,j]|
    logic real MatAbs{L}(integer ta, integer tb, scalar *a, scalar *b,
                         integer m, integer k, integer n, integer i, integer j, integer p) =
      p <= 0 ? 0.0 : MatAbs{L}(ta,tb,a,b,m,k,n,i,j,p-1)
                     + \abs(rmul(a[ixt(ta,m,k,i,p-1)], b[ixt(tb,k,n,p-1,j)]));
    lemma mat_abs_frame{L1,L2}: \forall integer ta, tb, scalar *a, *b, integer m, k, n, i, j, p;
      0 <= i < m ==> 0 <= j < n ==> p <= k ==>
      Same{L1,L2}(a,ix(m,k,0)) ==> Same{L1,L2}(b,ix(k,n,0)) ==>
      MatAbs{L1}(ta,tb,a,b,m,k,n,i,j,p) == MatAbs{L2}(ta,tb,a,b,m,k,n,i,j,p);
    axiomatic BoundScaledDot {
      logic real e_scaled_dot(arith A, real alpha, real dot, real abs, integer n, real h)
        reads \nothing;
      axiom e_scaled_dot_def: \forall arith A, real alpha, dot, abs, integer n, real h;
        e_scaled_dot(A,alpha,dot,abs,n,h) ==
        (alpha == 1.0 ? p_dot(A,dot,abs,n,h).e
                      : p_mul(A, p_make(alpha,0.0), p_dot(A,dot,abs,n,h)).e);
    }
    // bound of element (i,j) of alpha A B
    logic real MatMulBound{L}(arith A, real h, integer ta, integer tb, real alpha,
                              scalar *a, scalar *b,
                              integer m, integer k, integer n, integer i, integer j) =
      e_scaled_dot(A, alpha, MatDot{L}(ta,tb,a,b,m,k,n,i,j,k), MatAbs{L}(ta,tb,a,b,m,k,n,i,j,k),
                   k, h);
*/

/* e_c: (m, n), from the tree height A.h. */
/*@ requires In2(a,m,k) && In2(b,k,n) && Out2(e_c,m,n);
    requires Sep(e_c,ix(m,n,0),a,ix(m,k,0)) && Sep(e_c,ix(m,n,0),b,ix(k,n,0));
    terminates \true;
    assigns e_c[0 .. ix(m,n,0)-1];
    ensures \forall integer i, j; 0 <= i < m ==> 0 <= j < n ==>
      e_c[ix(i,n,j)] == MatMulBound{Pre}(A,A.h,ta,tb,alpha,a,b,m,k,n,i,j);
*/
void bound_matmul(idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                  const double *b, arith A, double *e_c);

/* e_da, stored as a is, from the tree height A.h, and e_db, as b is, from A.h2. */
/*@ requires In2(a,m,k) && In2(b,k,n) && In2(g,m,n) && Out2(e_da,m,k) && Out2(e_db,k,n);
    requires Sep(e_da,ix(m,k,0),a,ix(m,k,0)) && Sep(e_da,ix(m,k,0),b,ix(k,n,0));
    requires Sep(e_da,ix(m,k,0),g,ix(m,n,0)) && Sep(e_da,ix(m,k,0),e_db,ix(k,n,0));
    requires Sep(e_db,ix(k,n,0),a,ix(m,k,0)) && Sep(e_db,ix(k,n,0),g,ix(m,n,0));
    terminates \true;
    assigns e_da[0 .. ix(m,k,0)-1], e_db[0 .. ix(k,n,0)-1];
    ensures \forall integer i, p; 0 <= i < m ==> 0 <= p < k ==>
      e_da[ixt(ta,m,k,i,p)] ==
      MatMulBound{Pre}(A,A.h,0,flip(tb),alpha,g,b,m,n,k,i,p);
    ensures \forall integer p, j; 0 <= p < k ==> 0 <= j < n ==>
      e_db[ixt(tb,k,n,p,j)] ==
      MatMulBound{Pre}(A,A.h2,flip(ta),0,alpha,a,g,k,m,n,p,j);
*/
void bound_matmul_vjp(idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                      const double *b, const double *g, arith A, double *e_da, double *e_db);

/* ---- batches: a is (batch, m, k), each matrix stored by ta, b and c likewise ---- */
/*@ predicate Batch{L}(scalar *a, integer batch, integer m, integer n) =
      0 <= m && 0 <= n && ix(m,n,0) <= IDX_LIM && In2(a,batch,ix(m,n,0));
    predicate OutBatch{L}(scalar *a, integer batch, integer m, integer n) =
      0 <= m && 0 <= n && ix(m,n,0) <= IDX_LIM && Out2(a,batch,ix(m,n,0));
*/

/* C[z] = alpha A[z] B[z]. */
/*@ requires Batch(a,batch,m,k) && Batch(b,batch,k,n) && OutBatch(c,batch,m,n);
    requires Sep(c,Nth(batch,m,n),a,Nth(batch,m,k)) && Sep(c,Nth(batch,m,n),b,Nth(batch,k,n));
    assigns c[0 .. Nth(batch,m,n)-1];
    ensures \forall integer z, i, j; 0 <= z < batch ==> 0 <= i < m ==> 0 <= j < n ==>
      c[ix(z,ix(m,n,0),ix(i,n,j))] == BatMul{Pre}(ta,tb,alpha,a,b,m,k,n,z,i,j);
*/
void ref_bmm(idx batch, idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
             const double *b, double *c);

/* dA[z] = alpha g[z] B[z]^T and dB[z] = alpha A[z]^T g[z]. */
/*@ requires Batch(a,batch,m,k) && Batch(b,batch,k,n) && Batch(g,batch,m,n);
    requires OutBatch(da,batch,m,k) && OutBatch(db,batch,k,n);
    requires Sep(da,Nth(batch,m,k),a,Nth(batch,m,k)) && Sep(da,Nth(batch,m,k),b,Nth(batch,k,n));
    requires Sep(da,Nth(batch,m,k),g,Nth(batch,m,n)) && Sep(da,Nth(batch,m,k),db,Nth(batch,k,n));
    requires Sep(db,Nth(batch,k,n),a,Nth(batch,m,k)) && Sep(db,Nth(batch,k,n),g,Nth(batch,m,n));
    assigns da[0 .. Nth(batch,m,k)-1], db[0 .. Nth(batch,k,n)-1];
    ensures \forall integer z, i, p; 0 <= z < batch ==> 0 <= i < m ==> 0 <= p < k ==>
      da[ix(z,ix(m,k,0),ixt(ta,m,k,i,p))] == BatMulVjpA{Pre}(tb,alpha,g,b,m,k,n,z,i,p);
    ensures \forall integer z, p, j; 0 <= z < batch ==> 0 <= p < k ==> 0 <= j < n ==>
      db[ix(z,ix(k,n,0),ixt(tb,k,n,p,j))] == BatMulVjpB{Pre}(ta,alpha,a,g,m,k,n,z,p,j);
*/
void ref_bmm_vjp(idx batch, idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                 const double *b, const double *g, double *da, double *db);

/*@ // bound of element (i,j) of matrix z
    logic real BatMulBound{L}(arith A, real h, integer ta, integer tb, real alpha,
                              scalar *a, scalar *b,
                              integer m, integer k, integer n, integer z, integer i, integer j) =
      MatMulBound{L}(A,h,ta,tb,alpha,a+Nth(z,m,k),b+Nth(z,k,n),m,k,n,i,j); */

/* e_c: (batch, m, n), from the tree height A.h. */
/*@ requires Batch(a,batch,m,k) && Batch(b,batch,k,n) && OutBatch(e_c,batch,m,n);
    requires Sep(e_c,Nth(batch,m,n),a,Nth(batch,m,k)) && Sep(e_c,Nth(batch,m,n),b,Nth(batch,k,n));
    assigns e_c[0 .. Nth(batch,m,n)-1];
    ensures \forall integer z, i, j; 0 <= z < batch ==> 0 <= i < m ==> 0 <= j < n ==>
      e_c[ix(z,ix(m,n,0),ix(i,n,j))] == BatMulBound{Pre}(A,A.h,ta,tb,alpha,a,b,m,k,n,z,i,j);
*/
void bound_bmm(idx batch, idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
               const double *b, arith A, double *e_c);

/* e_da, stored as a is, from the tree height A.h, and e_db, as b is, from A.h2. */
/*@ requires Batch(a,batch,m,k) && Batch(b,batch,k,n) && Batch(g,batch,m,n);
    requires OutBatch(e_da,batch,m,k) && OutBatch(e_db,batch,k,n);
    requires Sep(e_da,Nth(batch,m,k),a,Nth(batch,m,k)) && Sep(e_da,Nth(batch,m,k),b,Nth(batch,k,n));
    requires Sep(e_da,Nth(batch,m,k),g,Nth(batch,m,n)) && Sep(e_da,Nth(batch,m,k),e_db,Nth(batch,k,n));
    requires Sep(e_db,Nth(batch,k,n),a,Nth(batch,m,k)) && Sep(e_db,Nth(batch,k,n),g,Nth(batch,m,n));
    assigns e_da[0 .. Nth(batch,m,k)-1], e_db[0 .. Nth(batch,k,n)-1];
    ensures \forall integer z, i, p; 0 <= z < batch ==> 0 <= i < m ==> 0 <= p < k ==>
      e_da[ix(z,ix(m,k,0),ixt(ta,m,k,i,p))] ==
      BatMulBound{Pre}(A,A.h,0,flip(tb),alpha,g,b,m,n,k,z,i,p);
    ensures \forall integer z, p, j; 0 <= z < batch ==> 0 <= p < k ==> 0 <= j < n ==>
      e_db[ix(z,ix(k,n,0),ixt(tb,k,n,p,j))] ==
      BatMulBound{Pre}(A,A.h2,flip(ta),0,alpha,a,g,k,m,n,z,p,j);
*/
void bound_bmm_vjp(idx batch, idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                   const double *b, const double *g, arith A, double *e_da, double *e_db);
#endif
