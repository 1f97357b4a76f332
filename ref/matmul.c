#include "lost.h"
#include "matmul.h"

/*@ predicate Product{L1,L2}(integer ta, integer tb, integer tc, real alpha, scalar *a, scalar *b,
                             scalar *c, integer m, integer k, integer n, integer rows) =
      \forall integer i, j; 0 <= i < rows ==> 0 <= j < n ==>
        \at(c[ixt(tc,m,n,i,j)],L2) == MatMul{L1}(ta,tb,alpha,a,b,m,k,n,i,j);
    predicate Bounds{L1,L2}(arith A, real h, integer ta, integer tb, integer tc, real alpha,
                            scalar *a, scalar *b, scalar *e,
                            integer m, integer k, integer n, integer rows) =
      \forall integer i, j; 0 <= i < rows ==> 0 <= j < n ==>
        \at(e[ixt(tc,m,n,i,j)],L2) == MatMulBound{L1}(A,h,ta,tb,alpha,a,b,m,k,n,i,j);
*/

/* Stores alpha A B, (m, n), by tc: the forward product and both gradients are this one loop. */
/*@ requires In2(a,m,k) && In2(b,k,n) && Out2(c,m,n);
    requires Sep(c,ix(m,n,0),a,ix(m,k,0)) && Sep(c,ix(m,n,0),b,ix(k,n,0));
    assigns c[0 .. ix(m,n,0)-1];
    ensures Product{Pre,Post}(ta,tb,tc,alpha,a,b,c,m,k,n,m);
*/
static void product(idx m, idx k, idx n, int ta, int tb, int tc, double alpha, const double *a,
                    const double *b, double *c)
{
  /*@ loop invariant 0 <= i <= m;
      loop invariant Product{Pre,Here}(ta,tb,tc,alpha,a,b,c,m,k,n,i);
      loop assigns i, c[0 .. ix(m,n,0)-1];
      loop variant m - i;
  */
  for (idx i = 0; i < m; i++) {
    /*@ loop invariant 0 <= j <= n;
        loop invariant Product{Pre,Here}(ta,tb,tc,alpha,a,b,c,m,k,n,i);
        loop invariant \forall integer s; 0 <= s < j ==>
          c[ixt(tc,m,n,i,s)] == MatMul{Pre}(ta,tb,alpha,a,b,m,k,n,i,s);
        loop assigns j, c[0 .. ix(m,n,0)-1];
        loop variant n - j;
    */
    for (idx j = 0; j < n; j++) {
      double dot = 0.0, lost = 0.0;
      /*@ loop invariant 0 <= p <= k;
          loop invariant dot == MatDot{Pre}(ta,tb,a,b,m,k,n,i,j,p) && is_zero(lost);
          loop assigns p, dot, lost;
          loop variant k - p;
      */
      for (idx p = 0; p < k; p++) {
        double ab = r_mul(a[at2t(ta, m, k, i, p)], b[at2t(tb, k, n, p, j)]);
        lost += lost_sum(dot, ab);
        dot += ab;
      }
      c[at2t(tc, m, n, i, j)] = r_mul(alpha, dot + r_kept(lost));
    }
  }
}

void ref_matmul(idx m, idx k, idx n, int ta, int tb, double alpha, const double *a, const double *b,
                double *c)
{
  product(m, k, n, ta, tb, 0, alpha, a, b, c);
}

void ref_matmul_vjp(idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                    const double *b, const double *g, double *da, double *db)
{
  product(m, n, k, 0, !tb, ta, alpha, g, b, da);
  //@ assert same: Same{Pre,Here}(a,ix(m,k,0)) && Same{Pre,Here}(g,ix(m,n,0));
  product(k, m, n, !ta, 0, tb, alpha, a, g, db);
}

/*@ assigns \nothing; ensures \result == e_scaled_dot(A,alpha,dot,abs,n,h); */
static double scaled_dot_error(arith A, double alpha, double dot, double abs, idx n, double h)
{
  pair c = pair_dot(A, dot, abs, (double)n, h);
  if (alpha != 1.0)
    c = pair_mul(A, pair_in(alpha), c);
  return c.e;
}

/* The bounds of product's elements, stored likewise. */
/*@ requires In2(a,m,k) && In2(b,k,n) && Out2(e,m,n);
    requires Sep(e,ix(m,n,0),a,ix(m,k,0)) && Sep(e,ix(m,n,0),b,ix(k,n,0));
    assigns e[0 .. ix(m,n,0)-1];
    ensures Bounds{Pre,Post}(A,h,ta,tb,tc,alpha,a,b,e,m,k,n,m);
*/
static void bound_product(idx m, idx k, idx n, int ta, int tb, int tc, double alpha,
                          const double *a, const double *b, arith A, double h, double *e)
{
  /*@ loop invariant 0 <= i <= m;
      loop invariant Bounds{Pre,Here}(A,h,ta,tb,tc,alpha,a,b,e,m,k,n,i);
      loop assigns i, e[0 .. ix(m,n,0)-1];
      loop variant m - i;
  */
  for (idx i = 0; i < m; i++) {
    /*@ loop invariant 0 <= j <= n;
        loop invariant Bounds{Pre,Here}(A,h,ta,tb,tc,alpha,a,b,e,m,k,n,i);
        loop invariant \forall integer s; 0 <= s < j ==>
          e[ixt(tc,m,n,i,s)] == MatMulBound{Pre}(A,h,ta,tb,alpha,a,b,m,k,n,i,s);
        loop assigns j, e[0 .. ix(m,n,0)-1];
        loop variant n - j;
    */
    for (idx j = 0; j < n; j++) {
      double dot = 0.0, abs = 0.0;
      /*@ loop invariant 0 <= p <= k;
          loop invariant dot == MatDot{Pre}(ta,tb,a,b,m,k,n,i,j,p);
          loop invariant abs == MatAbs{Pre}(ta,tb,a,b,m,k,n,i,j,p);
          loop assigns p, dot, abs;
          loop variant k - p;
      */
      for (idx p = 0; p < k; p++) {
        double ab = r_mul(a[at2t(ta, m, k, i, p)], b[at2t(tb, k, n, p, j)]);
        dot += ab;
        abs += r_abs(ab);
      }
      e[at2t(tc, m, n, i, j)] = scaled_dot_error(A, alpha, dot, abs, k, h);
    }
  }
}

void bound_matmul(idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                  const double *b, arith A, double *e_c)
{
  bound_product(m, k, n, ta, tb, 0, alpha, a, b, A, A.h, e_c);
}

void bound_matmul_vjp(idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                      const double *b, const double *g, arith A, double *e_da, double *e_db)
{
  bound_product(m, n, k, 0, !tb, ta, alpha, g, b, A, A.h, e_da);
  //@ assert same: Same{Pre,Here}(a,ix(m,k,0)) && Same{Pre,Here}(g,ix(m,n,0));
  bound_product(k, m, n, !ta, 0, tb, alpha, a, g, A, A.h2, e_db);
}

/*@ predicate Products{L1,L2}(integer ta, integer tb, integer tc, real alpha, scalar *a, scalar *b,
                              scalar *c, integer m, integer k, integer n, integer batch) =
      \forall integer z, i, j; 0 <= z < batch ==> 0 <= i < m ==> 0 <= j < n ==>
        \at(c[ix(z,ix(m,n,0),ixt(tc,m,n,i,j))],L2) ==
        BatMul{L1}(ta,tb,alpha,a,b,m,k,n,z,i,j);
    predicate BatchBounds{L1,L2}(arith A, real h, integer ta, integer tb, integer tc, real alpha,
                                 scalar *a, scalar *b, scalar *e,
                                 integer m, integer k, integer n, integer batch) =
      \forall integer z, i, j; 0 <= z < batch ==> 0 <= i < m ==> 0 <= j < n ==>
        \at(e[ix(z,ix(m,n,0),ixt(tc,m,n,i,j))],L2) ==
        BatMulBound{L1}(A,h,ta,tb,alpha,a,b,m,k,n,z,i,j);
    lemma nth_range: \forall integer z, batch, m, n; 0 <= z < batch ==> 0 <= ix(m,n,0) ==>
      0 <= Nth(z,m,n) && Nth(z,m,n) + ix(m,n,0) <= Nth(batch,m,n);
    // one of a batch is as it was
    predicate SameNth{L1,L2}(scalar *a, integer z, integer m, integer n) =
      Same{L1,L2}(a+Nth(z,m,n),ix(m,n,0));
    lemma bat_mul_frame{L1,L2}: \forall integer ta, tb, real alpha, scalar *a, *b,
      integer m, k, n, z, i, j; 0 <= i < m ==> 0 <= j < n ==>
      SameNth{L1,L2}(a,z,m,k) ==> SameNth{L1,L2}(b,z,k,n) ==>
      BatMul{L1}(ta,tb,alpha,a,b,m,k,n,z,i,j) == BatMul{L2}(ta,tb,alpha,a,b,m,k,n,z,i,j);
    lemma bat_bound_frame{L1,L2}: \forall arith A, real h, integer ta, tb, real alpha,
      scalar *a, *b, integer m, k, n, z, i, j; 0 <= i < m ==> 0 <= j < n ==>
      SameNth{L1,L2}(a,z,m,k) ==> SameNth{L1,L2}(b,z,k,n) ==>
      BatMulBound{L1}(A,h,ta,tb,alpha,a,b,m,k,n,z,i,j) ==
      BatMulBound{L2}(A,h,ta,tb,alpha,a,b,m,k,n,z,i,j);
    lemma batch_bounds_frame{L1,L2,L3}: \forall arith A, real h, integer ta, tb, tc, real alpha,
      scalar *a, *b, *e, integer m, k, n, batch;
      (\forall integer z; 0 <= z < batch ==> SameNth{L1,L2}(a,z,m,k) && SameNth{L1,L2}(b,z,k,n)) ==>
      BatchBounds{L2,L3}(A,h,ta,tb,tc,alpha,a,b,e,m,k,n,batch) ==>
      BatchBounds{L1,L3}(A,h,ta,tb,tc,alpha,a,b,e,m,k,n,batch);
*/

/* A batch is a product a matrix: slices of what `product` is proven for. */
/*@ requires Batch(a,batch,m,k) && Batch(b,batch,k,n) && OutBatch(c,batch,m,n);
    requires Sep(c,Nth(batch,m,n),a,Nth(batch,m,k)) && Sep(c,Nth(batch,m,n),b,Nth(batch,k,n));
    assigns c[0 .. Nth(batch,m,n)-1];
    ensures Products{Pre,Post}(ta,tb,tc,alpha,a,b,c,m,k,n,batch);
*/
static void products(idx batch, idx m, idx k, idx n, int ta, int tb, int tc, double alpha,
                     const double *a, const double *b, double *c)
{
  /*@ loop invariant 0 <= z <= batch;
      loop invariant Products{Pre,Here}(ta,tb,tc,alpha,a,b,c,m,k,n,z);
      loop assigns z, c[0 .. Nth(batch,m,n)-1];
      loop variant batch - z;
  */
  for (idx z = 0; z < batch; z++) {
    idx at_a = size2(z, size2(m, k)), at_b = size2(z, size2(k, n)), at_c = size2(z, size2(m, n));
    //@ assert at_a == Nth(z,m,k) && at_b == Nth(z,k,n) && at_c == Nth(z,m,n);
    //@ assert Same{Pre,Here}(a+at_a,ix(m,k,0)) && Same{Pre,Here}(b+at_b,ix(k,n,0));
    product(m, k, n, ta, tb, tc, alpha, a + at_a, b + at_b, c + at_c);
  }
}

void ref_bmm(idx batch, idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
             const double *b, double *c)
{
  products(batch, m, k, n, ta, tb, 0, alpha, a, b, c);
}

void ref_bmm_vjp(idx batch, idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                 const double *b, const double *g, double *da, double *db)
{
  products(batch, m, n, k, 0, !tb, ta, alpha, g, b, da);
  /*@ assert same: \forall integer z; 0 <= z < batch ==>
        SameNth{Pre,Here}(a,z,k,m) && SameNth{Pre,Here}(g,z,m,n); */
  products(batch, k, m, n, !ta, 0, tb, alpha, a, g, db);
}

/*@ requires Batch(a,batch,m,k) && Batch(b,batch,k,n) && OutBatch(e,batch,m,n);
    requires Sep(e,Nth(batch,m,n),a,Nth(batch,m,k)) && Sep(e,Nth(batch,m,n),b,Nth(batch,k,n));
    assigns e[0 .. Nth(batch,m,n)-1];
    ensures BatchBounds{Pre,Post}(A,h,ta,tb,tc,alpha,a,b,e,m,k,n,batch);
*/
static void bound_products(idx batch, idx m, idx k, idx n, int ta, int tb, int tc, double alpha,
                           const double *a, const double *b, arith A, double h, double *e)
{
  /*@ loop invariant 0 <= z <= batch;
      loop invariant BatchBounds{Pre,Here}(A,h,ta,tb,tc,alpha,a,b,e,m,k,n,z);
      loop assigns z, e[0 .. Nth(batch,m,n)-1];
      loop variant batch - z;
  */
  for (idx z = 0; z < batch; z++) {
    idx at_a = size2(z, size2(m, k)), at_b = size2(z, size2(k, n)), at_e = size2(z, size2(m, n));
    //@ assert at_a == Nth(z,m,k) && at_b == Nth(z,k,n) && at_e == Nth(z,m,n);
    //@ assert Same{Pre,Here}(a+at_a,ix(m,k,0)) && Same{Pre,Here}(b+at_b,ix(k,n,0));
    bound_product(m, k, n, ta, tb, tc, alpha, a + at_a, b + at_b, A, h, e + at_e);
  }
}

void bound_bmm(idx batch, idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
               const double *b, arith A, double *e_c)
{
  bound_products(batch, m, k, n, ta, tb, 0, alpha, a, b, A, A.h, e_c);
}

void bound_bmm_vjp(idx batch, idx m, idx k, idx n, int ta, int tb, double alpha, const double *a,
                   const double *b, const double *g, arith A, double *e_da, double *e_db)
{
  bound_products(batch, m, n, k, 0, !tb, ta, alpha, g, b, A, A.h, e_da);
  /*@ assert same: \forall integer z; 0 <= z < batch ==>
        SameNth{Pre,Here}(a,z,k,m) && SameNth{Pre,Here}(g,z,m,n); */
  bound_products(batch, k, m, n, !ta, 0, tb, alpha, a, g, A, A.h2, e_db);
  //@ assert BatchBounds{Pre,Here}(A,A.h2,flip(ta),0,tb,alpha,a,g,e_db,k,m,n,batch);
}
