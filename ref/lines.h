/* Line i of a matrix (m, n) that t stores. */
#ifndef REF_LINES_H
#define REF_LINES_H
#include "matmul.h"

/*@ // all elements but those of line i are as they were
    predicate OtherLines{L1,L2}(scalar *c, integer t, integer m, integer n, integer i) =
      \forall integer s, j; 0 <= s < m ==> s != i ==> 0 <= j < n ==>
        \at(c[ixt(t,m,n,s,j)],L1) == \at(c[ixt(t,m,n,s,j)],L2);
*/

/* Sets it to 0. */
/*@ requires Out2(c,m,n) && 0 <= i < m;
    assigns c[0 .. ix(m,n,0)-1];
    ensures \forall integer j; 0 <= j < n ==> is_zero(c[ixt(t,m,n,i,j)]);
    ensures OtherLines{Pre,Post}(c,t,m,n,i);
*/
static inline void clear_line(idx m, idx n, int t, idx i, double *c)
{
  /*@ loop invariant 0 <= j <= n;
      loop invariant \forall integer s; 0 <= s < j ==> is_zero(c[ixt(t,m,n,i,s)]);
      loop invariant OtherLines{Pre,Here}(c,t,m,n,i);
      loop assigns j, c[0 .. ix(m,n,0)-1];
      loop variant n - j;
  */
  for (idx j = 0; j < n; j++)
    c[at2t(t, m, n, i, j)] = 0.0;
}

/* Adds to it x times line p of b, a matrix (k, n) that tb stores. */
/*@ requires In2(b,k,n) && Out2(c,m,n) && 0 <= i < m && 0 <= p < k;
    requires Sep(c,ix(m,n,0),b,ix(k,n,0));
    assigns c[0 .. ix(m,n,0)-1];
    ensures \forall integer j; 0 <= j < n ==> c[ixt(t,m,n,i,j)] ==
      \at(c[ixt(t,m,n,i,j)],Pre) + rmul(x,\at(b[ixt(tb,k,n,p,j)],Pre));
    ensures OtherLines{Pre,Post}(c,t,m,n,i);
*/
static inline void add_line(idx m, idx k, idx n, int tb, int t, idx i, idx p, double x,
                            const double *b, double *c)
{
  /*@ loop invariant 0 <= j <= n;
      loop invariant \forall integer s; 0 <= s < j ==> c[ixt(t,m,n,i,s)] ==
        \at(c[ixt(t,m,n,i,s)],Pre) + rmul(x,\at(b[ixt(tb,k,n,p,s)],Pre));
      loop invariant \forall integer s; j <= s < n ==>
        c[ixt(t,m,n,i,s)] == \at(c[ixt(t,m,n,i,s)],Pre);
      loop invariant OtherLines{Pre,Here}(c,t,m,n,i);
      loop assigns j, c[0 .. ix(m,n,0)-1];
      loop variant n - j;
  */
  for (idx j = 0; j < n; j++)
    c[at2t(t, m, n, i, j)] += r_mul(x, b[at2t(tb, k, n, p, j)]);
}
#endif
